//! Tests the errors and warnings that the definition checker reports, and their offsets.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::definition::DialectSource;
use rmlir_text::{Severity, check_definition};
use std::sync::Arc;

/// Returns locations and messages, without remarks.
fn check(text: &str) -> Vec<String> {
    let found = check_definition(text, "toy.dialect", &(), None);
    let said = found.iter().filter(|d| d.severity != Severity::Remark);
    said.map(|d| {
        format!(
            "{}:{}: {}: {}",
            d.line,
            d.column,
            d.severity.name(),
            d.message
        )
    })
    .collect()
}

#[test]
fn a_good_definition_has_nothing_to_be_said_of() {
    let text = "\
dialect toy
operations complete
types complete

enum Mode: i32
  cases slow, fast

attribute mode
  constraint ModeAttr
  parameters value: enum<Mode>
  format `<` $value `>`
type token
constraint TokenType = !toy.token

op add(lhs, rhs: AnyType) -> AnyType
  traits SameOperandsAndResultType
  attr mode: ModeAttr enum Mode = #toy.mode<slow>
  format $lhs `,` $rhs (`mode` $mode^)? attr-dict `:` type($result)
op wait(token: TokenType)
  format $token attr-dict
op wait_for(token: TokenType, count: (i32)) -> (left: (ui16))
  format $token `,` $count attr-dict
op call(inputs: variadic AnyType) -> (outputs: variadic AnyType)
  attr callee: FlatSymbolRefAttr
  format $callee `(` $inputs `)` attr-dict `:` functional-type(operands, results)
op around(x: AnyType)
  traits AllTypesMatch(x, body#0)
  regions body: Blocks(2) arguments (AnyType, (i32 | f32))
  types body#1 = same(body#0)
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn each_check_finds_what_it_is_for() {
    let text = "\
dialect toy
operations complete
enum Unused: i32
  cases a, b, a
attribute box
  parameters content: attr<crate>, mode: enum<Mode>
  format `<` custom<Box>($content) `>`
op forgets(a, b: AnyType)
  attr mode: I64Attr
  format $a `:` type(operands)
op open(a: AnyType) -> AnyType
  format $a attr-dict
op groups(a, b: variadic AnyType)
  format operands attr-dict `:` type(operands)
op twice(a, a: AnyType)
op default
  attr x: I64Attr = nonsense
op ends
  regions body: AnyRegion
  terminator toy.end
op relates(a: AnyType) -> AnyType
  traits AllTypesMatch(a, b)
op ambiguous(a: optional AnyType, b: AnyType)
  format ($a^)? $b `:` type(operands) attr-dict
op words(a, b: optional AnyType)
  traits AttrSizedOperandSegments
  format (`x` $a^)? (`x` $b^)? attr-dict `:` type(operands)
op code(a: AnyType)
  format custom<Code>($a) `:` type($a) attr-dict
op hooked
  hook toy.hooked
op never(a: AnyType) since 22
  attr x: I64Attr until 19
  format until 22 $a `:` type($a) attr-dict
";
    assert_eq!(
        check(text),
        [
            "3:1: warning: nothing uses the enumeration 'Unused'",
            "4:9: error: 'a' is twice in 'Unused' for one release",
            "6:14: error: there is no attribute 'crate'",
            "6:36: error: there is no enumeration 'Mode'",
            "7:3: error: the format of 'box' does not contain 'mode'",
            "7:21: warning: there is no hook 'toy.Box': bodies of 'box' are kept as they are written",
            "10:3: error: the format of 'forgets' does not contain 'b'",
            "10:3: error: the format of 'forgets' does not contain 'mode'",
            "10:3: error: the format of 'forgets' has no `attr-dict`: attributes other than its own are lost",
            "12:3: warning: the format of 'open' is not used: nothing determines the types of operands 'a'",
            "13:1: warning: 'groups' has several groups of operands that are not single: their lengths are unknown without AttrSizedOperandSegments or SameVariadicOperandSize",
            "15:10: error: 'a' is twice among the operands of one release",
            "17:8: error: the default of 'x' is not an attribute: expected attribute value",
            "20:14: error: there is no operation 'toy.end'",
            "22:27: error: AllTypesMatch names 'b', which is not there",
            "24:3: error: the format of 'ambiguous': an optional group begins with an operand as what follows it does: when it is read, the group is taken to be there; begin it with a keyword or punctuation that does not follow it",
            "27:3: error: the format of 'words': an optional group begins with `x` as what follows it does: when it is read, the group is taken to be there; begin it with a keyword or punctuation that does not follow it",
            "29:3: warning: the format of 'code' is not used: the syntax 'toy.Code' is code that this build does not have",
            "31:8: warning: there is no hook 'toy.hooked': it is read and printed in generic form",
            "33:8: warning: 'x' is in no release in which what is around it is",
        ]
    );
}

#[test]
fn what_cannot_be_read_is_one_error() {
    assert_eq!(
        check("dialect toy\nop a\n  hoook b\n"),
        ["3:3: error: unknown statement 'hoook'; did you mean 'hook'?"]
    );
}

#[test]
fn arguments_of_regions_have_names() {
    let text = "\
dialect toy
op around(x: AnyType)
  traits AllTypesMatch(x, body#1), AllTypesMatch(x, other#0)
  regions body: AnyRegion arguments (Special), other: AnyRegion
  types x = same(body#0), body#0 = same(body#2)
";
    assert_eq!(
        check(text),
        [
            "3:27: error: AllTypesMatch names 'body#1', which is not there",
            "3:53: error: AllTypesMatch names 'other#0', which is not there",
            "4:11: error: there is no constraint 'Special'; declare it, or list it in 'unknown_constraints'",
            "5:18: error: 'body#0' is not there",
            "5:41: error: 'body#2' is not there",
        ]
    );
    let found = check_definition(text, "toy.dialect", &(), None);
    assert!(
        found
            .iter()
            .any(|d| d.message.starts_with("there is no constraint 'Special'"))
    );
}

#[test]
fn constraints_that_nobody_checks_are_remarks() {
    let text = "dialect toy\nop a(x, y: Special)\n  attr z: Odd\nop b(x: Special)\nunknown_constraints Special, Odd
";
    let found = check_definition(text, "toy.dialect", &(), None);
    let said: Vec<_> = found
        .iter()
        .map(|d| (d.line, d.severity, &*d.message))
        .collect();
    assert_eq!(
        said,
        [
            (
                2,
                Severity::Remark,
                "constraint 'Special', which is used 3 times, is not checked"
            ),
            (
                3,
                Severity::Remark,
                "constraint 'Odd', which is used once, is not checked"
            ),
        ]
    );
}

#[test]
fn constraints_of_dialects_that_are_used_are_known() {
    let text = "dialect toy\nuses async\nop a(x: Async_TokenType)\n  format $x attr-dict\n";
    let dialects: Arc<dyn DialectSource> = Arc::new(rmlir_dialects::BundledDialects);
    let found = check_definition(text, "toy.dialect", &(), Some(&dialects));
    assert!(found.is_empty(), "{found:?}");
    let found = check_definition(text, "toy.dialect", &(), None);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn the_type_of_an_attribute_is_in_no_format() {
    let text = "\
dialect toy
attribute int
  parameters type: self, value: int
  format `<` $value `>`
attribute extern
  parameters type: self
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_is_said_twice_or_is_always_there() {
    let text = "\
dialect toy
enum Mode: i2
  cases a = 3, b = -2, c = 4
type t
  parameters a: int, b: int optional
  format `<` $a (`|` $a^)? (`,` $b^)? `>`
op o(a: (i32), b: optional (i32), e: (i32))
  attr mode: I32Attr enum Mode
  attr b: I32Attr = \"x\"
  attr d: I32Attr optional = \"x\"
  format $a (`b` $b^ `x`) : (`y` $b)? (`e` $e^)? $mode (`d` $d^)? $a attr-dict attr-dict
";
    let found = check(text);
    assert_eq!(
        found,
        [
            "3:24: error: 4, which is 'c', has more than the 2 bits of 'Mode'",
            "6:3: error: 'a' is always present: it cannot be the anchor of an optional group",
            "6:3: error: the format of 't' contains 'a' twice",
            "9:8: error: 'b' is the name of something else, too",
            "9:8: error: the default of 'b' is not what it must be: 32-bit signless integer attribute",
            "11:3: error: 'e' is always present: it cannot be the anchor of an optional group",
            "11:3: error: the format of 'o' contains 'a' twice",
            "11:3: error: the format of 'o' contains the attributes twice",
            "11:3: error: the format of 'o' does not contain 'b'",
            "11:3: error: the format of 'o': `attr-dict` can be empty and begins with `{` as what follows it does: put a keyword or punctuation between them",
        ]
    );
}

#[test]
fn literals_are_tokens_and_defaults_are_of_their_kind() {
    let text = "\
dialect toy
type t
  parameters a: int, b: type = i32x, c: list<int> = [1, x]
  format `<` $a (`;` $b^)? (`,` $c^)? `>`
op o(a: (i32))
  format `a b` $a `%x` attr-dict
";
    assert_eq!(
        check(text),
        [
            "3:22: error: the default of 'b': expected non-function type",
            "3:38: error: the default of 'c': expected integer value",
            "4:3: error: `;` is neither a keyword nor punctuation of MLIR",
            "6:3: error: `%x` is neither a keyword nor punctuation of MLIR",
            "6:3: error: `a b` is neither a keyword nor punctuation of MLIR",
        ]
    );
}

#[test]
fn constraints_that_name_themselves_are_found() {
    let text = "\
dialect toy
attribute_constraint A = ArrayAttr(each(B), each(D))
attribute_constraint B = AnyAttr(any_of(StrAttr, C))
attribute_constraint C = B
attribute_constraint D = StrAttr
attribute_constraint E = ArrayAttr(each(D))
op x
  attr a: A
  attr e: E
";
    let endless = "has no end: it names itself, or one that does";
    assert_eq!(
        check(text),
        [
            format!("2:22: error: 'A' {endless}"),
            format!("3:22: error: 'B' {endless}"),
            format!("4:22: error: 'C' {endless}"),
        ]
    );
}

/// Each defect in its own, otherwise valid format.
#[test]
fn what_mlir_tblgen_refuses_in_formats() {
    let parts = "\
(x: AnyType, l, m: variadic AnyType, o: optional AnyType)
  traits AttrSizedOperandSegments
  attr a: AnyAttr
  attr b: I32Attr optional
  attr c: I32Attr
  regions r, s: AnyRegion
";
    let rest = "$r $s $c attr-dict `:` type($x) `/` type($l) `/` type($m) `/` type($o)";
    for (format, expected) in [
        ("$x `/` $l `/` $m `/` $o $a", None),
        (
            "$x `/` $l $m `/` $o $a",
            Some(
                "error: the format of 'op': 'l' can be empty and begins with an operand as what follows it does: put a keyword or punctuation between them",
            ),
        ),
        (
            "$x `/` $l `,` $m `/` $o $a",
            Some(
                "error: the format of 'op': 'l' can continue with `,`, and `,` can follow it: the end of 'l' is ambiguous; put 'l' in brackets, or another separator after it",
            ),
        ),
        // A single operand has an end.
        ("$x $l `/` $m `/` $o $a", None),
        ("$x $l `/` $m `/` $o `,` $a", None),
        (
            "operands $x $a",
            Some(
                "error: the format of 'op' contains 'x' twice && error: the format of 'op': the list of operands can be empty and begins with an operand as what follows it does: put a keyword or punctuation between them",
            ),
        ),
        (
            "operands type($x) $a",
            Some("error: the format of 'op' contains the type of 'x' twice"),
        ),
        (
            "operands $a functional-type(results, $l)",
            Some("error: the format of 'op' contains the type of 'l' twice"),
        ),
        (
            "operands $a (`x` $b^ regions)?",
            Some(
                "error: the format of 'op' contains 'r' twice && error: the format of 'op' contains 's' twice",
            ),
        ),
        (
            "operands $a prop-dict prop-dict",
            Some(
                "error: the format of 'op' contains the properties twice && error: the format of 'op': `prop-dict` can be empty and begins with `<` as what follows it does: put a keyword or punctuation between them",
            ),
        ),
        ("operands $a oilist(`x` $b | `y`)", None),
        (
            "operands $a oilist(`x` $b | `x`)",
            Some("error: two clauses of an oilist begin with `x`"),
        ),
        (
            "operands oilist(`x` $b | `y` $a)",
            Some("error: 'a' is always present: it cannot be in a clause of an oilist"),
        ),
        ("operands `:` $a", None),
        (
            "operands $a `:` `q`",
            Some(
                "error: the format of 'op': 'a' can continue with `:`, and `:` can follow it: the end of 'a' is ambiguous; put another token after 'a'",
            ),
        ),
        (
            "operands $a (`z` $b^)? ` ` `:` `q`",
            Some(
                "error: the format of 'op': 'a' can continue with `:`, and `:` can follow it: the end of 'a' is ambiguous; put another token after 'a'",
            ),
        ),
        ("operands $a (`z` $b^):(`y`)? ` ` `:` `q`", None),
    ] {
        let text = format!("dialect toy\nop op{parts}  format {format} `/` {rest}\n");
        let found: Vec<String> = check(&text);
        let expected = expected.map_or_else(Vec::new, |all: &str| {
            let all = all.split(" && ");
            all.map(|one| format!("8:3: {one}")).collect()
        });
        assert_eq!(found, expected, "{format}");
    }
    for (format, expected) in [
        (
            "$x `:` type($x)",
            "4:3: error: the format of 'op' has no `attr-dict`: attributes other than its own are lost",
        ),
        (
            "$x `:` type($x) (`x` $u^ attr-dict)?",
            "4:3: error: the `attr-dict` of 'op' is in an optional group: other attributes are lost if the group is absent",
        ),
        (
            "$x `:` type($x) (`x`^)? attr-dict",
            "4:31: error: the anchor of a group must be a named element",
        ),
        (
            "$x `:` type($x) (type(operands)^)? attr-dict",
            "4:42: error: the anchor of a group must be a named element",
        ),
        (
            "qualified($x) `:` type($x) attr-dict",
            "4:20: error: only attributes and types can be qualified",
        ),
        (
            "custom<>($x) `:` type($x) attr-dict",
            "4:17: error: expected the name of a directive",
        ),
        (
            "` a` $x `:` type($x) attr-dict",
            "4:3: error: ` a` is neither a keyword nor punctuation of MLIR",
        ),
    ] {
        let text = format!(
            "dialect toy\nop op(x: AnyType)\n  attr u: UnitAttr optional\n  format {format}\n"
        );
        let found = check(&text);
        assert!(
            found.iter().any(|one| one == expected),
            "{format}: {found:?}"
        );
    }
}

#[test]
fn references_come_behind_what_they_refer_to() {
    let text = "\
dialect toy
op good(x: AnyType)
  format $x `:` type($x) custom<C>(ref($x), ref(type($x))) attr-dict
op bad(x: AnyType)
  format custom<C>(ref($x)) $x custom<C>(ref(type($x))) `:` type($x) attr-dict
";
    let mut found = check(text);
    found.retain(|message| !message.contains("this build does not have"));
    assert_eq!(
        found,
        [
            "5:3: error: the format of 'bad' refers to 'x', which the format does not contain before",
            "5:3: error: the format of 'bad' refers to the type of 'x', which the format does not contain before",
        ]
    );
}

#[test]
fn constraints_that_are_too_long_are_remarks() {
    let named = |len: usize| {
        let text = "x".repeat(len);
        let found = check(&format!(
            "dialect toy\nattribute_constraint Long \"{text}\" = StrAttr\nop op\n  attr a: Long optional\n"
        ));
        found
            .into_iter()
            .filter(|one| one.contains("too much text"))
            .collect::<Vec<_>>()
    };
    assert_eq!(named(1000), <[&str; 0]>::default());
    assert_eq!(
        named(5000),
        [
            "4:8: warning: 'a' is not checked to its end: the constraints that it names have too much text together"
        ]
    );
}

#[test]
fn lengths_that_nobody_needs_or_says() {
    let text = "\
dialect toy
op sizes(x: variadic AnyType)
  traits AttrSizedOperandSegments
op regions
  regions a: variadic AnyRegion, b: AnyRegion
op successors
  successors a: variadic, b
";
    assert_eq!(
        check(text),
        [
            "3:10: warning: 'sizes' does not have two groups of operands whose lengths must be stored",
            "5:11: warning: 'a' is not the last of the regions: its length is unknown",
            "7:14: warning: 'a' is not the last of the successors: its length is unknown",
        ]
    );
}

#[test]
fn attributes_that_name_symbols_must_be_there() {
    let text = "\
dialect toy
op func
  attr id, public: AnyAttr
  symbol id visibility public
op call
  attr f: AnyAttr
  references f
op bad
  symbol id visibility public
  references f
";
    assert_eq!(
        check(text),
        [
            "9:10: error: there is no attribute 'id'",
            "9:10: error: there is no attribute 'public'",
            "10:14: error: there is no attribute 'f'",
        ]
    );
}

/// Returns the reported ambiguities in the formats of a definition.
fn ambiguities(text: &str) -> Vec<String> {
    let found = check(&format!("dialect toy\n{text}\n"));
    let found = found.into_iter().filter_map(|one| {
        let (_, message) = one.split_once("error: the format of ")?;
        let (_, message) = message.split_once(": ")?;
        Some(
            message
                .split([';', ':'])
                .next()
                .unwrap_or_default()
                .to_owned(),
        )
    });
    found.collect()
}

/// For those that `mlir-tblgen` of LLVM 22 accepts, the output of upstream's printer does not parse
/// as the original.
#[test]
fn ambiguous_formats_of_attributes_are_errors() {
    let pair = "attribute pair\n  parameters a: int\n  format `<` $a `>`\n";
    for (parameters, format, expected) in [
        ("l: list<int>, x: int", "`<` `[` $l `]` `,` $x `>`", ""),
        ("l: list<int>, x: int", "`<` $x `,` $l `>`", ""),
        (
            "l: list<int>, x: int",
            "`<` $l `,` $x `>`",
            "'l' can continue with `,`, and `,` can follow it",
        ),
        (
            "l: list<int>, x: int",
            "`<` params `>`",
            "'l' can continue with `,`, and `params` puts `,` after it",
        ),
        ("x: int, l: list<int>", "`<` params `>`", ""),
        (
            "l: list<int> = [1, 2], f: float = 0.5",
            "(`<` struct(params)^ `>`)?",
            "'l' can continue with `,`, and `struct` puts `,` between parameters",
        ),
        ("l: list<int>", "`<` struct(params) `>`", ""),
        (
            "l: list<int>, x: int",
            "`<` $l (`,` $x^)? `>`",
            "'x' is always present",
        ),
        (
            "l: list<int>, x: int optional",
            "`<` $l (`,` $x^)? `>`",
            "'l' can continue with `,`, and `,` can follow it",
        ),
        (
            "l: list<list<int>>",
            "`<` $l `>`",
            "the items of 'l' can continue with `,`, and so can the list",
        ),
        ("l: list<attr<pair>>, x: int", "`<` $l $x `>`", ""),
        (
            "l: list<int> optional, x: int",
            "`<` $l $x `>`",
            "'l' can be empty and begins with a number as what follows it does",
        ),
        (
            "x: int optional, y: int",
            "`<` ($x^ `,` $y)? `>`",
            "'y' is required, but is in an optional group, and is lost if the group is absent",
        ),
        (
            "x: int optional, y: int",
            "`<` (`a` $x^ $y) : (`b` $y)? `>`",
            "",
        ),
        (
            "x, y: int optional",
            "`<` (`a` $x^)? (`a` $y^)? `>`",
            "an optional group begins with `a` as what follows it does",
        ),
        ("x, y: int optional", "`<` (`a` $x^)? (`b` $y^)? `>`", ""),
        (
            "x: int optional, y: int",
            "`<` ($x^)? $y `>`",
            "an optional group begins with a number as what follows it does",
        ),
        ("x: int optional, y: int", "`<` $y ($x^)? `>`", ""),
        (
            "x: int optional, y: int",
            "`<` params `>`",
            "'x' can be left out of `params`, and 'y' is then read in its place",
        ),
        ("x: int optional, y: int", "`<` struct(params) `>`", ""),
        (
            "x: enum<Flags>, y: int",
            "`<` $x `|` $y `>`",
            "'x' can continue with `|`, and `|` can follow it",
        ),
        ("x: enum<Flags>, y: int", "`<` $x `,` $y `>`", ""),
        (
            "x: attr, y: type",
            "`<` $x `:` $y `>`",
            "'x' can continue with `",
        ),
        (
            "t, u: self, x: int",
            "`<` $x `>`",
            "'t' and 'u' are both the type of the attribute, of which there is one",
        ),
    ] {
        let text = format!(
            "enum Flags: i32 bits \"|\"\n  cases a, b\n{pair}attribute a\n  parameters {parameters}\n  format {format}"
        );
        let found = ambiguities(&text);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let expected: &[&str] = if expected.is_empty() {
            &[]
        } else {
            &[expected]
        };
        // `'x' is always present` is reported for the anchor itself.
        if expected == ["'x' is always present"] {
            let all = check(&format!("dialect toy\n{text}\n"));
            assert!(all.iter().any(|one| one.contains(expected[0])), "{all:?}");
            continue;
        }
        assert_eq!(found, expected, "{parameters}: {format}");
    }
}

#[test]
fn what_must_be_there_is_in_no_optional_group() {
    for (format, expected) in [
        (
            "(`x` $o^ $c)? attr-dict `:` type($o)",
            "'c' is required, but is in an optional group, and is lost if the group is absent; move it out of the group",
        ),
        (
            "($o^ $s `:` type($o))? attr-dict `:` type($s)",
            "'s' is required, but is in an optional group, and is lost if the group is absent; move it out of the group",
        ),
        (
            "($o^ `:` type($o))? $s `,` $c attr-dict `:` type($s)",
            "an optional group begins with an operand",
        ),
        (
            "(`o` $o^ `:` type($o))? $s `,` $c attr-dict `:` type($s)",
            "",
        ),
    ] {
        let text = format!(
            "dialect toy\nop a(o: optional AnyType, s: AnyType)\n  attr c: I32Attr\n  format {format}\n"
        );
        let found = check(&text);
        let is_found = found.iter().any(|one| one.contains(expected));
        assert!(is_found || expected.is_empty(), "{format}: {found:?}");
        assert!(
            found.is_empty() || !expected.is_empty(),
            "{format}: {found:?}"
        );
    }
}

#[test]
fn what_is_opaque_has_no_parameters() {
    let text = "dialect toy\ntype a\n  opaque\ntype b\n  parameters c: int\n  opaque\n  format `<` $c `>`\n";
    assert_eq!(
        check(text),
        ["6:3: error: what is opaque has no parameters and no format"]
    );
}

#[test]
fn constraints_that_are_not_there_are_errors() {
    let text = "\
dialect toy
unknown_constraints Code
op a(x: AnyTyp, y: Code) -> Anytihng_at_all
  traits Pure, IsTerminatr
  attr i: I46Attr
  attr c: Code
";
    let found = check(text);
    assert_eq!(
        found,
        [
            "3:1: error: there is no constraint 'Anytihng_at_all'; declare it, or list it in 'unknown_constraints'",
            "3:6: error: there is no constraint 'AnyTyp'; did you mean 'AnyType'?",
            "5:8: error: there is no constraint 'I46Attr'; did you mean 'I16Attr'?",
        ]
    );
}

#[test]
fn declarations_of_symbols_are_checked_and_printed_again() {
    let good = "\
dialect toy

op data
  regions body: AnyRegion
  attr sym_name: SymbolNameAttr
  attr value, scope: AnyAttr optional
  attr kind: StrAttr optional
  declaration body, value without scope matching kind as data.extern since 22
  declared kind since 22 = \"extern\"
  local kind = \"internal\"
  local scope = unit
  merges since 22
  refers_to_definitions
  resolves data.extern, other since 22

op data.extern
  regions body: AnyRegion
  attr sym_name: SymbolNameAttr
  attr kind: StrAttr optional
  declaration body
";
    assert_eq!(check(good), Vec::<String>::new());
    let definition = rmlir_ir::DialectDefinition::parse(good, &()).unwrap();
    assert_eq!(definition.to_string(), good);
    let wrong = "\
dialect toy
op data
  regions body: AnyRegion
  attr value: AnyAttr optional
  declaration body, vaule without scope matching kind
  declared other = 1 : i32
  declared value = ?
  local value = 1 :
";
    let found = check(wrong);
    let has = |part: &str| found.iter().any(|message| message.contains(part));
    for part in [
        "there is no attribute or region 'vaule'",
        "there is no attribute 'scope'",
        "there is no attribute 'kind'",
        "there is no attribute 'other'",
        "8:9: error",
    ] {
        assert!(has(part), "{part}: {found:?}");
    }
    assert_eq!(found.len(), 5, "{found:?}");
    let twice = "dialect toy\nop data\n  attr a: AnyAttr\n  declaration a\n  declaration a\n";
    assert!(check(twice)[0].contains("has a 'declaration' statement already"));
}
