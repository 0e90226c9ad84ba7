//! Definitions of dialects, with a text in the dialect.

use super::{aliases, attribute, concat, list, nest};

/// Rejected definitions.
#[derive(Clone, Copy, Debug)]
pub enum Refused {
    /// The definition.
    Definition(&'static str),
    /// The text.
    Text(&'static str),
    /// Neither: the text is read.
    Nothing,
}

/// A name, what makes a definition and a text of a number, what must be refused, with a part of the
/// error.
pub type DefinitionRule = (&'static str, fn(usize) -> (String, String), Refused);

use Refused::{Definition, Nothing, Text};

/// Definitions that nobody trusts: each is refused, or its text is, or both are read.
pub const DEFINITIONS: &[DefinitionRule] = &[
    (
        "clauses in clauses",
        |n| {
            of(
                &format!("op x\n  format {}", nest("oilist(`a` ", "", ")", n)),
                "",
            )
        },
        Definition("3:105: too many groups in one another"),
    ),
    (
        "groups in groups",
        |n| {
            let groups = nest("(`a` ", "$a", "^)?", n);
            of(&format!("op x(a: optional I32)\n  format {groups}"), "")
        },
        Definition("3:51: too many groups in one another"),
    ),
    (
        "predicates in predicates",
        |n| {
            of(
                &format!("constraint A = {}", nest("not (", "i32", ")", n)),
                "",
            )
        },
        Definition("2:96: nested too deeply"),
    ),
    (
        "lists in lists",
        |n| {
            let kind = nest("list<", "int", ">", n);
            of(&format!("attribute x\n  parameters a: {kind}"), "")
        },
        Definition("3:17: unknown kind of parameter"),
    ),
    (
        "kinds in kinds",
        |n| {
            let kind = nest("array<", "i32", ">", n);
            let text = format!(
                "\"t.x\"() <{{a = {}}}> : () -> ()\n",
                nest("[", "1 : i32", "]", n)
            );
            of(&format!("op x\n  property a: {kind}"), &text)
        },
        Nothing,
    ),
    (
        "fields in fields",
        |n| {
            let field = nest("list<", "varint", ">", n);
            of(
                &format!("attribute x\n  parameters a: int\n  codec 1 = a: {field}"),
                "",
            )
        },
        Definition("4:16: unknown kind of field"),
    ),
    (
        "confinements in confinements",
        |n| {
            of(
                &format!(
                    "op x\n  attr a: I32Attr{}",
                    nest("(both", "(positive)", ")", n)
                ),
                "",
            )
        },
        Definition("3:58: nested too deeply"),
    ),
    (
        "expressions in expressions",
        |n| {
            of(
                &format!("op x\n  body 1 {}", nest("add(", "$0", ", $0)", n)),
                "",
            )
        },
        Definition("3:270: too many functions in functions"),
    ),
    (
        "a predicate that doubles",
        |_| {
            let next = |i: usize| format!("constraint A{} \"a\" = A{i} & A{i}\n", i + 1);
            let all = concat(15, next);
            of(&format!("constraint A0 \"a\" = i32\n{all}op x(a: A15)"), "")
        },
        Definition("10:28: with what it refers to, the predicate has more than 512 parts"),
    ),
    (
        "a summary that doubles",
        |n| {
            let words = "a".repeat(2_000);
            let next = |i: usize| format!("constraint A{} = A{i} | A{i}\n", i + 1);
            let all = concat(n, next);
            of(
                &format!("constraint A0 \"{words}\" = i32\n{all}op x(a: A{n})"),
                "",
            )
        },
        Definition("6:24: with what it refers to, the predicate has more than 512 parts"),
    ),
    (
        "constraints on attributes in each other",
        |n| {
            let all = |name: &str| list(n, ", ", |_| name.to_owned());
            let named = |name: &str, other: &str| {
                format!(
                    "attribute_constraint {name} = AnyAttr(any_of({}))\n",
                    all(other)
                )
            };
            let text = format!("{}{}op x\n  attr a: A", named("A", "B"), named("B", "A"));
            of(
                &text,
                "\"t.x\"() {a = 1 : i32} : () -> ()\n\"t.x\"() <{a = 2 : i32}> : () -> ()\n",
            )
        },
        Nothing,
    ),
    (
        "defaults in each other",
        |n| {
            let parameters = list(n, ", ", |i| format!("p{i}: attr = #t.a<>"));
            of(&entry("a", &parameters), &attribute("#t.a<>"))
        },
        Text("1:19: error: in a default: defaults are nested too deeply"),
    ),
    (
        "defaults that multiply",
        |n| {
            let parameters = |next: usize| {
                list(n, ", ", |i| {
                    format!("p{i}: list<attr> = [#t.a{next}<>, #t.a{next}<>]")
                })
            };
            let all = concat(7, |i| entry(&format!("a{i}"), &parameters(i + 1)));
            let last = entry("a7", "p: int = 1");
            of(&(all + &last), &attribute("#t.a0<>"))
        },
        Nothing,
    ),
    (
        "a long default that many have",
        |n| {
            let numbers = list(n, ", ", |i| i.to_string());
            let parameters = format!("p: list<attr> = [{numbers}], q: int");
            let text = concat(n, |i| attribute(&format!("#t.a<q = {i}>")));
            of(&entry("a", &parameters), &text)
        },
        Nothing,
    ),
    (
        "operands of one type",
        |n| {
            let groups = list(n, ", ", |i| format!("a{i}: AnyType"));
            let format = "traits SameTypeOperands\n  format operands attr-dict `:` type($a7)";
            of(&format!("op x({groups})\n  {format}"), &one_operand(n))
        },
        Nothing,
    ),
    (
        "types that follow from each other",
        |n| {
            let groups = list(n + 1, ", ", |i| format!("a{i}: AnyType"));
            let types = concat(n, |i| format!("  types a{i} = same(a{})\n", i + 1));
            let format = format!("  format operands attr-dict `:` type($a{n})");
            of(
                &format!("op x({groups})\n{types}{format}"),
                &one_operand(n + 1),
            )
        },
        Nothing,
    ),
    (
        "a body that doubles",
        |n| {
            let definition = entry("a", "p, q: attr<a> optional");
            let next = |name: &str| format!("#t.a<p = {name}, q = {name}>");
            let all = aliases("#x", "#t.a<>", next, n.min(60));
            of(
                &definition,
                &(all + &attribute(&format!("#x{}", n.min(60)))),
            )
        },
        Text("entities from shared ones than the limit of"),
    ),
    (
        "bodies in bodies",
        |n| {
            let definition =
                "attribute a\n  parameters p: attr<a> optional\n  format (`<` $p^ `>`)?";
            of(definition, &attribute(&nest("#t.a<", "#t.a", ">", n)))
        },
        Nothing,
    ),
];

fn of(definition: &str, text: &str) -> (String, String) {
    (format!("dialect t\n{definition}\n"), text.to_owned())
}

/// An operation whose operands are one value.
fn one_operand(count: usize) -> String {
    let operands = list(count, ", ", |_| "%v".to_owned());
    format!("%v = \"t.v\"() : () -> i32\nt.x {operands} : i32\n")
}

fn entry(name: &str, parameters: &str) -> String {
    format!("attribute {name}\n  parameters {parameters}\n  format `<` struct(params) `>`\n")
}
