//! Tests attributes and types by definitions in the test: what is parsed, how it is printed, what
//! is rejected and where. The syntax is that of MLIR's "Defining Dialect Attributes and Types".
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::asm::{EntryVerifier, OperationSyntax, Parameters};
use rmlir_ir::codec::FieldValue;

use rmlir_ir::definition::{DialectDefinition, HookSource};
use rmlir_ir::{Context, Invalid, VerifyOptions, verify};
use rmlir_text::{
    ParseOptions, attribute_to_string, parse_attribute, parse_module, parse_type, type_to_string,
};

const DEFINITION: &str = "\
dialect toy
attributes complete
types complete

enum Mode: i32
  cases slow, fast = 4
enum Right: i32 bits \", \"
  cases none, read, write, both = 3

attribute mode
  parameters value: enum<Mode>
  format `<` $value `>`
attribute model
  parameters value: int
  format `<` $value `>`
attribute rights
  parameters value: enum<Right>
  format `<` $value `>`
attribute modes
  parameters one: attr<mode>, more: list<attr<mode>>
  format `<` $one `:` `[` $more `]` `>`
attribute typed
  parameters type: self, value: int
  format `<` $value `>`
attribute coded
  parameters value: int
  format custom<Code>($value)
attribute keeper
  parameters value: attr<coded>
  format `<` $value `>`
type pair
  parameters first, second: int
  format `<` params `>`
type outer
  parameters inner: type<pair>
  format `<` `pair` `:` $inner `>`
type outer_qualified
  parameters inner: type<pair>
  format `<` `pair` `:` qualified($inner) `>`
type named
  parameters sym_name: string, a, b: int, c: int = 3
  format `<` $sym_name `->` struct($a, $b, $c) `>`
type node
  parameters name: string, next: type<node> optional
  format `<` $name (`,` $next^)? `>`
type token
";

fn context_of(definition: &str) -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(definition, &()).unwrap());
    context
}

fn context() -> Context {
    context_of(DEFINITION)
}

/// Returns the printed attribute or type, or the column and message of an error.
fn read(context: &mut Context, text: &str) -> String {
    let read = match text.starts_with('!') {
        true => parse_type(context, text.as_bytes()).map(|ty| type_to_string(context, ty)),
        false => parse_attribute(context, text.as_bytes())
            .map(|attribute| attribute_to_string(context, attribute)),
    };
    match read {
        Ok(text) => text,
        Err(errors) => {
            let error = errors.iter().next().unwrap();
            format!("{}: {}", error.column, error.message)
        }
    }
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let mut context = context();
    for (text, expected) in rows {
        let found = read(&mut context, text);
        assert_eq!(found, *expected, "{text}");
        if !expected.starts_with(|c: char| c.is_ascii_digit()) {
            assert_eq!(read(&mut context, &found), found, "printed again: {text}");
        }
    }
}

#[test]
fn types_of_the_dialect_go_without_their_name() {
    check(&[
        ("!toy.outer<pair : <1, 2>>", "!toy.outer<pair : <1, 2>>"),
        (
            "!toy.outer<pair : !toy.pair<1,2>>",
            "!toy.outer<pair : <1, 2>>",
        ),
        (
            "!toy.outer_qualified<pair : <1, 2>>",
            "!toy.outer_qualified<pair : !toy.pair<1, 2>>",
        ),
        (
            "!toy.node<\"a\", !toy.node<\"b\", <\"a\">>>",
            "!toy.node<\"a\", <\"b\", <\"a\">>>",
        ),
        (
            "!toy.outer<pair : !toy.token>",
            "19: invalid kind of type specified",
        ),
        ("!toy.outer<pair : i32>", "18: expected '<'"),
    ]);
    let mut context = context();
    let short = parse_type(&mut context, b"!toy.outer<pair : <1, 2>>").unwrap();
    let long = parse_type(&mut context, b"!toy<outer<pair:!toy.pair<1, 2>>>").unwrap();
    assert_eq!(short, long);
}

#[test]
fn an_attribute_of_another_mnemonic_that_begins_alike_is_another() {
    check(&[
        ("#toy.modes<<slow> : []>", "#toy.modes<<slow> : []>"),
        (
            "#toy.modes<#toy.mode<fast> : [<slow>, #toy.mode<fast>]>",
            "#toy.modes<<fast> : [<slow>, <fast>]>",
        ),
        (
            "#toy.modes<#toy.model<3> : []>",
            "12: invalid kind of attribute specified",
        ),
        (
            "#toy.modes<<slow> : [#toy.model<3>]>",
            "22: invalid kind of attribute specified",
        ),
    ]);
}

#[test]
fn what_is_not_as_a_complete_definition_says_is_refused_in_its_place() {
    check(&[
        ("!toy.pair<1, x>", "14: expected integer value"),
        ("!toy.pair<1, 2, 3>", "15: expected '>'"),
        ("!toy.pair<1>", "10: parameter 'second' is missing"),
        ("!toy.pair", "10: expected '<'"),
        ("!toy.token<1>", "11: expected end of text"),
        ("!toy<token 1>", "12: expected end of text"),
        (
            "#toy.mode<fas>",
            "11: expected Mode to be one of: slow, fast",
        ),
        (
            "#toy.rights<read, all>",
            "13: expected Right to be one of: none, read, write, both",
        ),
        ("#toy.rights<write, read>", "#toy.rights<both>"),
        (
            "!toy.named<\"x\" -> a = 1, a = 2>",
            "26: duplicate or unknown struct parameter name: a",
        ),
        (
            "!toy.named<\"x\" -> a = 1, d = 2>",
            "26: duplicate or unknown struct parameter name: d",
        ),
        (
            "!toy.named<\"x\" -> c = 3, a = 1>",
            "31: struct is missing required parameter: b",
        ),
        (
            "!toy.named<\"x\" -> b = 2, c = 3, a = 1>",
            "!toy.named<\"x\" -> a = 1, b = 2>",
        ),
        (
            "!toy.pairs<1, 2>",
            "6: unknown  type `pairs` in dialect `toy`; did you mean 'pair'?",
        ),
        (
            "!toy<pairs<1>>",
            "6: unknown  type `pairs` in dialect `toy`; did you mean 'pair'?",
        ),
        (
            "#toy.nothing",
            "6: unknown attribute `nothing` in dialect `toy`",
        ),
        // Nested in another, too.
        (
            "!toy.outer<pair : !toy.pairs<0>>",
            "24: unknown  type `pairs` in dialect `toy`; did you mean 'pair'?",
        ),
        (
            "!toy.outer<pair : !toy.pair<0>>",
            "28: parameter 'second' is missing",
        ),
    ]);
}

#[test]
fn malformed_attributes_and_types_pass_if_that_is_asked_for() {
    let text = b"\"toy.op\"() {a = !toy.pair<1>} : () -> ()";
    let mut options = ParseOptions::default();
    assert!(parse_module(&mut context(), text, &options).is_err());
    options.check_entries = false;
    assert!(parse_module(&mut context(), text, &options).is_ok());
}

#[test]
fn without_its_hook_an_attribute_keeps_its_name() {
    // Its end could not be determined.
    check(&[
        ("#toy<coded anything at all>", "#toy<coded anything at all>"),
        (
            "#toy.keeper<#toy<coded at all>>",
            "#toy.keeper<#toy<coded at all>>",
        ),
    ]);
}

#[test]
fn the_type_of_an_attribute_stands_behind_it() {
    check(&[
        (
            "#toy.typed<50> : !toy.pair<1,2>",
            "#toy.typed<50> : !toy.pair<1, 2>",
        ),
        ("#toy.typed<50>", "#toy.typed<50>"),
    ]);
}

const CONFINED: &str = "\
dialect toy
attributes complete
types complete

enum Right: i32 bits \"|\"
  cases none, read, write, run = 4

attribute encoding
attribute big
  parameters type: self, value: apint
  format `<` $value `>`
attribute value
  parameters value: attr, type: type = type($value), can: enum<Right> = \"read|write\", deep: attr = #toy.big<-7>
  format `<` $value (`is` $type^)? (`can` $can^)? (`at` $deep^)? `>`
type alike
  parameters one: type, other: type = i32, third: type = $one, last: type = tensor<4xi8, #toy.encoding>
  format `<` $one (`,` $other^)? (`|` $third^)? (`:` $last^)? `>`
type int
  parameters width: uint(min(1), max(64))
  format `<` $width `>`
type one
  parameters a: int(min(1) error \"at least one\", max(9))
  format `<` $a `>`
type sizes
  parameters sizes: list<int>(min_count(1), positive \"of sizes above 0\"), by: float = 0.5, step: dim = ?, tail: list<int> = [1, 2]
  format `<` `[` $sizes `]` (`by` $by^)? (`step` $step^)? (`tail` $tail^)? `>`
type two
  parameters elem: type(type(i32 | i64)), extra: attr(any_of(StrAttr, I32Attr(min(3))))
  format `<` params `>`
";

#[test]
fn parameters_are_confined() {
    let mut context = context_of(CONFINED);
    let width = "10: failed to verify 'width': whose minimum value is 1 whose maximum value is 64";
    let sizes = "13: failed to verify 'sizes': with at least 1 elements of sizes above 0";
    let either = "failed to verify 'extra': string attribute or 32-bit signless integer attribute \
                  whose minimum value is 3";
    for (text, expected) in [
        ("!toy.int<1>", "!toy.int<1>"),
        ("!toy.int<0>", width),
        ("!toy.int<65>", width),
        ("!toy.int<18446744073709551615>", width),
        ("!toy.two<i64, \"x\">", "!toy.two<i64, \"x\">"),
        ("!toy.two<i32, 3 : i32>", "!toy.two<i32, 3 : i32>"),
        (
            "!toy.two<i8, \"x\">",
            "10: failed to verify 'elem': of 32-bit signless integer or 64-bit signless integer",
        ),
        ("!toy.two<i32, 2 : i32>", &format!("15: {either}")),
        ("!toy.two<i32, 3 : i64>", &format!("15: {either}")),
        ("!toy.one<0>", "10: at least one"),
        (
            "!toy.one<10>",
            "10: failed to verify 'a': whose minimum value is 1 whose maximum value is 9",
        ),
        ("!toy.sizes<[1, 0]>", sizes),
        ("!toy.sizes<[]>", sizes),
    ] {
        assert_eq!(read(&mut context, text), expected, "{text}");
    }
}

#[test]
fn defaults_are_of_every_kind() {
    let mut context = context_of(CONFINED);
    for (text, expected) in [
        ("!toy.sizes<[1] by 0.5 step ? tail 1, 2>", "!toy.sizes<[1]>"),
        (
            "!toy.sizes<[1] by 0.25 step 4 tail 1, 2, 3>",
            "!toy.sizes<[1] by 2.500000e-01 step 4 tail 1, 2, 3>",
        ),
        (
            "!toy.alike<i8, i32 | i8 : tensor<4xi8, #toy.encoding>>",
            "!toy.alike<i8>",
        ),
        (
            "!toy.alike<i8, i8 | i32 : i1>",
            "!toy.alike<i8, i8 | i32 : i1>",
        ),
        (
            "#toy.value<3 : i32 is i32 can write|read at #toy.big<-7>>",
            "#toy.value<3 : i32>",
        ),
        (
            "#toy.value<3 : i32 is i8 can run at unit>",
            "#toy.value<3 : i32 is i8 can run at unit>",
        ),
        ("#toy.big<-0>", "#toy.big<0>"),
        (
            "#toy.big<-0xffffffffffffffffffffffffffffffff> : i128",
            "#toy.big<-340282366920938463463374607431768211455> : i128",
        ),
    ] {
        assert_eq!(read(&mut context, text), expected, "{text}");
        assert_eq!(read(&mut context, expected), expected);
    }
    // The value is available whether or not the text has it.
    let ty = parse_type(&mut context, b"!toy.alike<i8>").unwrap();
    let parameters = context.parameters(ty).unwrap();
    let shown = |name| {
        let ty = parameters.get(name).and_then(|parameter| parameter.ty());
        type_to_string(&context, ty.unwrap())
    };
    assert_eq!(
        [shown("other"), shown("third"), shown("last")],
        ["i32", "i8", "tensor<4xi8, #toy.encoding>"]
    );
}

#[test]
fn definitions_with_confinements_and_defaults_print_themselves() {
    let definition = DialectDefinition::parse(CONFINED, &()).unwrap();
    let text = definition.to_string();
    assert_eq!(
        DialectDefinition::parse(&text, &()).unwrap().to_string(),
        text
    );
    // Line breaks differ, and combinations of cases are numbers.
    let items = |text: &str| {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter_map(|line| line.strip_prefix("parameters "));
        lines.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        items(&text),
        items(&CONFINED.replace("\"read|write\"", "3"))
    );
}

#[test]
fn what_definitions_of_parameters_cannot_say() {
    for (parameters, expected) in [
        (
            "a: type = $b, b: type",
            "3:25: there is no parameter 'b' before",
        ),
        ("a: int, b: type = $a", "3:32: it is of another kind"),
        (
            "a: int, b: type = type($a)",
            "3:32: only attributes have types",
        ),
        (
            "a: own = 3",
            "3:23: parameters of this kind have no default",
        ),
        ("a: type =", "3:23: expected a value"),
        ("a: int(least(3))", "3:21: unknown confinement 'least'"),
        (
            "a: enum<Mode|mode>",
            "3:17: expected a mnemonic, '.' and a parameter after '|'",
        ),
    ] {
        let text = format!("dialect toy\ntype t\n  parameters {parameters}\n");
        let error = DialectDefinition::parse(&text, &()).unwrap_err();
        let said = format!("{}:{}: {}", error.line(), error.column(), error.message());
        assert_eq!(said, expected, "{parameters}");
    }
}

/// A verifier that requires `first` to be at most `second`.
#[derive(Debug)]
struct Ordered;

impl EntryVerifier for Ordered {
    fn verify(&self, _: &Context, values: Parameters<'_, '_>) -> Result<(), Invalid> {
        match (values.get(0), values.get(1)) {
            (FieldValue::Signed(first), FieldValue::Signed(second)) if first <= second => Ok(()),
            _ => Err(Invalid::new("the first is greater than the second")),
        }
    }
}

struct Hooks;

impl HookSource for Hooks {
    fn syntax(&self, _: &str) -> Option<&'static dyn OperationSyntax> {
        None
    }

    fn entry_verifier(&self, name: &str) -> Option<&'static dyn EntryVerifier> {
        (name == "toy.ordered").then_some(&Ordered)
    }
}

#[test]
fn code_checks_parameters() {
    let text = "dialect toy\n\ntype pair\n  hook toy.ordered\n  parameters first: int, second: int = 5\n  format `<` params `>`\n";
    for (hooks, refused) in [(&Hooks as &dyn HookSource, true), (&(), false)] {
        let definition = DialectDefinition::parse(text, hooks).unwrap();
        assert_eq!(
            DialectDefinition::parse(&definition.to_string(), hooks)
                .unwrap()
                .to_string(),
            definition.to_string()
        );
        let mut context = Context::new();
        context.register_dialect(definition);
        for (ty, right) in [
            ("!toy.pair<1, 2>", true),
            ("!toy.pair<3>", true),
            ("!toy.pair<6>", false),
            ("!toy.pair<2, 1>", false),
        ] {
            let expected = match right || !refused {
                true => ty,
                false => "10: the first is greater than the second",
            };
            assert_eq!(read(&mut context, ty), expected, "{ty}");
        }
    }
}

/// The definition of another project than the one whose release applies has a say about mnemonics,
/// not about what follows them, and none about what follows the mnemonic of an opaque one.
#[test]
fn mnemonics_of_other_projects_are_checked() {
    let rest = "type pair\n  parameters first: int\n  format `<` $first `>`\ntype own\n  opaque\n\
        type old until 1\n";
    for (complete, family, ty, expected) in [
        ("", "triton", "!toy.piar<1>", "!toy.piar<1>"),
        ("types complete\n", "triton", "!toy.pair<1>", "!toy.pair<1>"),
        (
            "types complete\n",
            "triton",
            "!toy.pair< x >",
            "!toy.pair< x >",
        ),
        (
            "types complete\n",
            "triton",
            "!toy.own<[x ]>",
            "!toy.own<[x ]>",
        ),
        (
            "types complete\n",
            "llvm",
            "!toy.own<[x ]>",
            "!toy.own<[x ]>",
        ),
        ("types complete\n", "triton", "!toy.old", "!toy.old"),
        (
            "types complete\n",
            "triton",
            "!toy.piar<1>",
            "6: unknown  type `piar` in dialect `toy`; did you mean 'pair'?",
        ),
    ] {
        let text = format!("dialect toy\nfamily {family}\n{complete}{rest}");
        let mut context = Context::new();
        context.register_dialect(DialectDefinition::parse(&text, &Hooks).unwrap());
        assert_eq!(read(&mut context, ty), expected, "{complete}{family}: {ty}");
    }
}

/// Entries in memory are checked by the verifier as those in text are by the parser.
#[test]
fn bodies_in_memory_are_checked_as_those_in_text() {
    let definition = "dialect toy\ntypes complete\nattributes complete\ntype pair\n  hook toy.ordered\n  parameters first: int, second: int = 5\n  \
        format `<` params `>`\nattribute small\n  parameters value: int(max(9))\n  format `<` $value `>`\nattribute typed\n  parameters value: \
        int, type: self optional\n  format `<` $value `>`\n";
    let long = format!("!toy.pair<{}>", "1".repeat(100));
    let cut = format!("!toy.pair<{}...: integer value too large", "1".repeat(75));
    for (entry, expected) in [
        ("!toy.pair<1, 2>", ""),
        ("#toy.small<9>", ""),
        ("#toy.typed<9> : i8", ""),
        (
            "!toy.pair<6>",
            "!toy.pair<6>: the first is greater than the second",
        ),
        ("!toy.pair<6, x>", "!toy.pair<6, x>: expected integer value"),
        (&*long, &*cut),
        (
            "#toy.small<10>",
            "#toy.small<10>: failed to verify 'value': whose maximum value is 9",
        ),
        // The usual error for an unknown name.
        (
            "#toy.smal<10>",
            "unknown attribute `smal` in dialect `toy`; did you mean 'small'?",
        ),
        // For nested entries, the error is that of the inner one.
        (
            "[tuple<!toy.pair<6>>]",
            "!toy.pair<6>: the first is greater than the second",
        ),
        (
            "#other.a<#toy.small<10> + !toy.pair<1>>",
            "#toy.small<10>: failed to verify 'value': whose maximum value is 9",
        ),
    ] {
        let mut context = Context::new();
        context.register_dialect(DialectDefinition::parse(definition, &Hooks).unwrap());
        let mut options = ParseOptions::for_file("t");
        options.check_entries = false;
        let text = format!("\"t.a\"() {{x = {entry}}} : () -> ()");
        let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
        let mut options = VerifyOptions::default();
        let said = |options: &VerifyOptions| match verify(&context, &module, module.top(), options)
        {
            Ok(()) => String::new(),
            Err(errors) => errors.iter().map(|e| e.message.to_string()).collect(),
        };
        assert_eq!(said(&options), expected, "{entry}");
        options.allow_unknown = true;
        assert_eq!(said(&options), "", "{entry}");
    }
}

/// A default that contains itself, directly or through another, is an error and terminates.
#[test]
fn defaults_in_each_other() {
    let text = "dialect toy\n\ntype t\n  parameters n: int, u: type = !toy.t<1>\n  format `<` params `>`\ntype a\n  \
                parameters n: int, u: type = !toy.b<1>\n  format `<` params `>`\ntype b\n  parameters n: int, u: type = \
                !toy.a<1>\n  format `<` params `>`\n";
    let mut context = context_of(text);
    for (ty, expected) in [
        ("!toy.t<2, i32>", "!toy.t<2, i32>"),
        ("!toy.t<2>", "defaults are nested too deeply"),
        ("!toy.a<2>", "defaults are nested too deeply"),
        ("!toy.b<2>", "defaults are nested too deeply"),
    ] {
        let read = read(&mut context, ty);
        assert!(read.ends_with(expected), "{ty}: {read}");
    }
}

/// Whether defaults are nested too deeply does not depend on what was parsed before.
#[test]
fn a_default_means_the_same_whatever_was_read_before() {
    let mut text = "dialect toy\n".to_owned();
    for i in 0..9 {
        let next = i + 1;
        text += &format!(
            "type t{i}\n  parameters n: int, u: type = !toy.t{next}<0>\n  format `<` params `>`\n"
        );
    }
    text += "type t9\n  parameters n: int\n  format `<` params `>`\n";
    let parts = |types: &[&str]| {
        let mut context = context_of(&text);
        let all = types.iter().map(|ty| format!("!toy.{ty}<1>"));
        let all = format!("tuple<{}>", all.collect::<Vec<_>>().join(", "));
        read(&mut context, &all).contains("too deeply")
    };
    for types in [
        &["t1"][..],
        &["t4", "t1"],
        &["t1", "t4"],
        &["t8", "t7", "t6", "t5", "t4", "t3", "t2", "t1"],
    ] {
        assert!(!parts(types), "{types:?}");
    }
    for types in [
        &["t0"][..],
        &["t4", "t0"],
        &["t1", "t0"],
        &["t8", "t7", "t6", "t5", "t4", "t3", "t2", "t1", "t0"],
    ] {
        assert!(parts(types), "{types:?}");
    }
}

#[test]
fn affine_maps_and_integer_sets_are_bare_text() {
    let mut context = context_of(
        "\
dialect toy
type mapped
  parameters count: int, map: affine_map
  format `<` $count `,` `map` `=` $map `>`
attribute both
  parameters maps: list<affine_map>, set: integer_set optional
  format `<` `[` $maps `]` (`,` $set^)? `>`
",
    );
    for (text, expected) in [
        (
            "!toy.mapped<3, map=(a, b)[s] -> (b + s, a*2)>",
            "!toy.mapped<3, map = (d0, d1)[s0] -> (d1 + s0, d0 * 2)>",
        ),
        (
            "#toy.both<[(d0) -> (d0), () -> ()], (d0) : (d0 - 4 == 0)>",
            "#toy.both<[(d0) -> (d0), () -> ()], (d0) : (d0 - 4 == 0)>",
        ),
        ("#toy.both<[(d0) -> (d0)]>", "#toy.both<[(d0) -> (d0)]>"),
        // Only the bare text is parsed: MLIR's `parseAffineMap` accepts neither keyword nor alias.
        (
            "!toy.mapped<3, map = affine_map<(d0) -> (d0)>>",
            "21: expected '(' in dimensional identifier list",
        ),
        (
            "!toy.mapped<3, map = 4 : i32>",
            "21: expected '(' in dimensional identifier list",
        ),
        (
            "!toy.mapped<3, map = (d0) -> (d1)>",
            "31: use of undeclared identifier",
        ),
    ] {
        assert_eq!(read(&mut context, text), expected, "{text}");
    }
}

/// `hex`, `hex8`, ...: either form is parsed, hexadecimal is printed.
#[test]
fn numbers_in_hexadecimal() {
    let definition = "dialect h
attribute a
  parameters base: hex, few: hex8 = 16, all: list<hex16> optional
  format `<` $base (`,` `few` `=` $few^)? (`,` `all` `=` `[` $all^ `]`)? `>`
";
    let parsed = DialectDefinition::parse(definition, &()).unwrap();
    assert!(
        parsed
            .to_string()
            .contains("base: hex, few: hex8 = 16, all: list<hex16> optional")
    );
    let mut context = context_of(definition);
    for (text, printed) in [
        ("#h.a<0x0>", "#h.a<0x0>"),
        ("#h.a<255>", "#h.a<0xff>"),
        ("#h.a<0x00FF>", "#h.a<0xff>"),
        ("#h.a<18446744073709551615>", "#h.a<0xffffffffffffffff>"),
        ("#h.a<0, few = 0x10>", "#h.a<0x0>"),
        (
            "#h.a<0, few = 17, all = [1, 0x2a]>",
            "#h.a<0x0, few = 0x11, all = [0x1, 0x2a]>",
        ),
    ] {
        assert_eq!(read(&mut context, text), printed);
        assert_eq!(read(&mut context, printed), printed);
    }
    for text in ["#h.a<0, few = 0x100>", "#h.a<0x10000000000000000>"] {
        parse_attribute(&mut context, text.as_bytes()).unwrap_err();
    }
}
