//! What is wrong or suspicious in definitions, and where.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::definition::DialectSource;
use rmlir_text::{Severity, check_definition};
use std::sync::Arc;

/// Places and messages, remarks left out.
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
            "7:3: error: the format of 'box' does not say 'mode'",
            "7:21: warning: there is no hook 'toy.Box': bodies of 'box' are kept as they are written",
            "10:3: error: the format of 'forgets' does not say 'b'",
            "10:3: error: the format of 'forgets' does not say 'mode'",
            "12:3: warning: the format of 'open' is not used: nothing says the types of operands 'a'",
            "13:1: warning: 'groups' has several groups of operands that are not single: nothing says how long each is without AttrSizedOperandSegments or SameVariadicOperandSize",
            "15:10: error: 'a' is twice among the operands of one release",
            "17:8: error: the default of 'x' is no attribute: expected attribute value",
            "20:14: error: there is no operation 'toy.end'",
            "22:27: error: AllTypesMatch names 'b', which is not there",
            "24:3: warning: an optional group begins with operands as what follows it does: when it is read, the group is taken to be there",
            "27:3: warning: an optional group begins with `x` as what follows it does: when it is read, the group is taken to be there",
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
        ["3:3: error: unknown statement 'hoook'"]
    );
}

#[test]
fn constraints_that_nobody_checks_are_remarks() {
    let text = "dialect toy\nop a(x, y: Special)\n  attr z: Odd\nop b(x: Special)\n";
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
