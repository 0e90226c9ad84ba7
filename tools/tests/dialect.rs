//! Tests `rmlir dialect`, and user-provided definitions.

#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::Folder;
use std::process::Output;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmlir");

const TOY: &str = "\
dialect toy
operations complete
types complete

type box
  parameters content: type
  format `<` $content `>`

op wrap(value: AnyType) -> AnyType
  attr level: I32Attr = 7 : i32
  format $value (`at` $level^)? attr-dict `:` type($value) `->` type($result)
";

const TEXT: &str = "\
func.func @f(%arg0: i32) -> !toy.box<i32> {
  %0 = toy.wrap %arg0 at 3 : i32 -> !toy.box<i32>
  return %0 : !toy.box<i32>
}
";

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A TableGen dump with the content of `TOY` except for the type's syntax, and with an operation
/// whose syntax is C++.
const DUMP: &str = r#"{
  "!instanceof": {"Dialect": ["Toy"], "Op": ["Toy_WrapOp", "Toy_CodeOp"], "TypeDef": ["Toy_Box"]},
  "Toy": {"!superclasses": ["Dialect"], "name": "toy", "cppNamespace": "::toy", "useDefaultTypePrinterParser": 1},
  "Toy_Box": {"!superclasses": ["TypeConstraint", "TypeDef"], "dialect": {"def": "Toy"}, "mnemonic": "box",
    "parameters": {"args": [["::mlir::Type", "content"]]}, "hasCustomAssemblyFormat": 1},
  "I32": {"!superclasses": ["TypeConstraint"]},
  "AnyType": {"!superclasses": ["TypeConstraint"]},
  "I32Attr": {"!superclasses": ["AttrConstraint"], "valueType": {"def": "I32"}},
  "Level": {"!anonymous": true, "!superclasses": ["AttrConstraint", "DefaultValuedAttr"],
    "baseAttr": {"def": "I32Attr"}, "defaultValue": "7"},
  "Toy_WrapOp": {"!superclasses": ["Op"], "opName": "wrap", "opDialect": {"def": "Toy"},
    "arguments": {"args": [[{"def": "AnyType"}, "value"], [{"def": "Level"}, "level"]]},
    "results": {"args": [[{"def": "AnyType"}, "result"]]},
    "assemblyFormat": "$value (`at` $level^)?\n attr-dict `:` type($value) `->` type($result)"},
  "Toy_CodeOp": {"!superclasses": ["Op"], "opName": "code", "opDialect": {"def": "Toy"}, "hasCustomAssemblyFormat": 1}
}"#;

#[test]
fn a_dump_becomes_a_definition_that_is_read_everywhere() {
    let folder = Folder::new(PROGRAM, "dialect-import");
    folder.write("toy.json", DUMP);
    folder.write("text.mlir", TEXT);
    let output = folder.run(&["dialect", "import", "toy.json", "-o", "toy.dialect"], b"");
    assert_eq!(code(&output), 0);
    assert_eq!(
        error(&output),
        "warning: dialect 'toy': type box: the syntax is C++: bodies are kept as they are written without a hook 'toy.box'\n\
         warning: dialect 'toy': op code: the custom syntax is C++: it is read and printed in generic form without a hook 'toy.code'\n\
         warning: dialect 'toy': not taken over: syntax 2; 2 in all\n"
    );
    let imported = std::fs::read_to_string(folder.file("toy.dialect")).unwrap();
    let expected = TOY
        .replace("`<` $content `>`", "custom<box>(params)")
        .replace("type box\n", "type box\n  constraint Toy_Box\n")
        .replace("types complete\n", "types complete\n  verifiers none\n")
        .replace("op wrap", "op code\n  hook toy.code\n\nop wrap");
    assert_eq!(imported, expected);
    let canonical = folder.run(&["dialect", "import", "toy.dialect"], b"");
    assert_eq!(text(&canonical), imported);

    for definition in ["toy.dialect", "toy.json"] {
        let convert = [
            "convert",
            "--dialect",
            definition,
            "text.mlir",
            "-o",
            "text.rmbc",
        ];
        let output = folder.run(&convert, b"");
        assert_eq!((code(&output), error(&output)), (0, String::new()));
        let output = folder.run(
            &[
                "convert",
                "--dialect",
                definition,
                "text.rmbc",
                "--to",
                "text",
            ],
            b"",
        );
        assert!(
            text(&output).contains("toy.wrap %arg0 at 3 : i32 -> !toy.box<i32>"),
            "{}",
            text(&output)
        );
    }
    let output = folder.run(&["convert", "text.mlir", "--to", "text"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("custom op 'toy.wrap' is unknown"),
        "{}",
        error(&output)
    );

    let output = folder.run(&["dialect", "import", "-"], b"{}");
    assert_eq!(
        (code(&output), &*error(&output)),
        (1, "<stdin>: error: no dump of TableGen's\n")
    );
    let output = folder.run(&["dialect", "import", "--name", "other", "toy.json"], b"");
    assert_eq!(
        (code(&output), &*error(&output)),
        (
            1,
            "toy.json: error: there is nothing of a dialect 'other' in the dump\n"
        )
    );
}

/// Unchecked bodies in a file are checked when it is verified.
#[test]
fn bodies_in_bytecode_are_checked() {
    let folder = Folder::new(PROGRAM, "dialect-bodies");
    folder.write(
        "toy.dialect",
        "dialect toy\nattribute small\n  parameters value: int(max(9))\n  format `<` $value `>`\n",
    );
    let base = ["--dialect", "toy.dialect"];
    for (value, expected) in [
        (9, ""),
        (
            10,
            "text.mlir:2:3: error: #toy.small<10>: failed to verify 'value': whose maximum value is 9\n",
        ),
    ] {
        let text = format!("module {{\n  \"t.a\"() {{x = #toy.small<{value}>}} : () -> ()\n}}\n");
        folder.write("text.mlir", &text);
        for file in ["text.rmbc", "text.mlirbc"] {
            let to = &file["text.".len()..];
            let write = [
                "convert",
                "--no-verify",
                "text.mlir",
                "--to",
                to,
                "-o",
                file,
            ];
            let output = folder.run(&[&write[..], &base].concat(), b"");
            assert_eq!((code(&output), error(&output)), (0, String::new()));
            let output = folder.run(&[&["verify", file][..], &base].concat(), b"");
            assert_eq!(error(&output), expected, "{file}");
            assert_eq!(code(&output), i32::from(!expected.is_empty()), "{file}");
            let lax = ["verify", "--allow-unknown-ops", file];
            let output = folder.run(&[&lax[..], &base].concat(), b"");
            assert_eq!((code(&output), error(&output)), (0, String::new()));
        }
    }
}

#[test]
fn a_definition_takes_the_place_of_a_bundled_one() {
    let folder = Folder::new(PROGRAM, "dialect-override");
    folder.write("arith.dialect", "dialect arith\noperations complete\nop plus(a: AnyType)\n  format `(` $a `)` attr-dict `:` type($a)\n");
    let module = b"func.func @f(%a: i32) {\n  arith.plus(%a) : i32\n  return\n}\n";
    let output = folder.run(
        &["convert", "--dialect", "arith.dialect", "-", "--to", "text"],
        module,
    );
    assert_eq!(code(&output), 0, "{}", error(&output));
    assert!(text(&output).contains("arith.plus(%arg0) : i32"));
    let output = folder.run(
        &["verify", "--dialect", "arith.dialect", "-"],
        b"\"arith.addi\"() : () -> ()",
    );
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("unregistered operation 'arith.addi' found in dialect ('arith')")
    );
}

#[test]
fn what_a_dialect_does_not_have_passes_if_that_is_asked_for() {
    let folder = Folder::new(PROGRAM, "dialect-unknown");
    folder.write("toy.dialect", TOY);
    for (module, message) in [
        (
            "\"arith.addii\"() : () -> ()",
            "unregistered operation 'arith.addii' found in dialect ('arith') that does not allow unknown operations; did you mean 'arith.addi'?",
        ),
        (
            "\"x.y\"() : () -> !toy.bux<i32>",
            "unknown  type `bux` in dialect `toy`; did you mean 'box'?",
        ),
    ] {
        let output = folder.run(
            &["verify", "--dialect", "toy.dialect", "-"],
            module.as_bytes(),
        );
        assert_eq!(code(&output), 1);
        assert!(error(&output).contains(message), "{}", error(&output));
        let known = [
            "verify",
            "--dialect",
            "toy.dialect",
            "--allow-unknown-ops",
            "-",
        ];
        let output = folder.run(&known, module.as_bytes());
        assert_eq!((code(&output), error(&output)), (0, String::new()));
    }
    let output = folder.run(&["verify", "-"], b"arith.addii");
    assert!(
        error(&output).contains("custom op 'arith.addii' is unknown; did you mean 'arith.addi'?")
    );
}

#[test]
fn parameters_and_lists_of_a_dump() {
    let folder = Folder::new(PROGRAM, "dialect-parameters");
    folder.write(
        "shop.json",
        r#"{
  "!instanceof": {"Dialect": ["Shop"], "Op": ["Shop_ListsOp"], "TypeDef": ["Shop_Pair"], "AttrDef": ["Shop_Int"]},
  "Shop": {"!superclasses": ["Dialect"], "name": "shop", "cppNamespace": "::shop",
    "useDefaultTypePrinterParser": 1, "useDefaultAttributePrinterParser": 1},
  "AnyType": {"!superclasses": ["TypeConstraint"]},
  "Lengths": {"!superclasses": ["AttrConstraint"]},
  "Many": {"!anonymous": true, "!superclasses": ["TypeConstraint", "Variadic", "VariadicOfVariadic"],
    "baseType": {"def": "AnyType"}, "segmentAttrName": "lengths"},
  "Self": {"!anonymous": true, "!superclasses": ["AttrOrTypeParameter", "AttributeSelfTypeParameter"],
    "cppType": "::mlir::Type", "defaultValue": "::mlir::NoneType::get($_ctxt)"},
  "Fixed": {"!anonymous": true, "!superclasses": ["AttrOrTypeParameter", "DefaultValuedParameter"],
    "cppType": "Type", "defaultValue": "IntegerType::get($_ctxt, 32)"},
  "Same": {"!anonymous": true, "!superclasses": ["AttrOrTypeParameter", "DefaultValuedParameter"],
    "cppType": "Type", "defaultValue": "$first"},
  "Shop_Int": {"!superclasses": ["AttrDef"], "dialect": {"def": "Shop"}, "mnemonic": "int",
    "parameters": {"args": [[{"def": "Self"}, "type"], ["::llvm::APInt", "value"]]},
    "assemblyFormat": "`<` $value custom<Unit>(ref($value), \"1\") `>`"},
  "Shop_Pair": {"!superclasses": ["TypeConstraint", "TypeDef"], "dialect": {"def": "Shop"}, "mnemonic": "pair",
    "parameters": {"args": [["Type", "first"], [{"def": "Fixed"}, "second"], [{"def": "Same"}, "third"]]},
    "assemblyFormat": "`<` params `>`"},
  "One": {"!anonymous": true, "!superclasses": ["Constraint", "Region", "SizedRegion"], "summary": "region with 1 blocks"},
  "Two": {"!anonymous": true, "!superclasses": ["Constraint", "Region", "SizedRegion"], "summary": "region with 2 blocks"},
  "Least": {"!anonymous": true, "!superclasses": ["Constraint", "Region", "MinSizedRegion"], "summary": "region with at least 3 blocks"},
  "AnyRegion": {"!superclasses": ["Constraint", "Region"], "summary": "any region"},
  "Rest": {"!anonymous": true, "!superclasses": ["Region", "VariadicRegion"], "baseType": {"def": "Least"}, "summary": "region with at least 3 blocks"},
  "Shop_ListsOp": {"!superclasses": ["Op"], "opName": "lists", "opDialect": {"def": "Shop"},
    "regions": {"args": [[{"def": "AnyRegion"}, "any"], [{"def": "One"}, "one"], [{"def": "Two"}, "two"], [{"def": "Rest"}, "rest"]]},
    "arguments": {"args": [[{"def": "Many"}, "values"], [{"def": "Lengths"}, "lengths"]]},
    "assemblyFormat": "$values `:` type($values) attr-dict"}
}"#,
    );
    let output = folder.run(&["dialect", "import", "shop.json"], b"");
    let said = text(&output);
    for line in [
        "  parameters type: self, value: apint",
        "  format `<` $value custom<Unit>(ref($value), \"1\") `>`",
        "  parameters first: type, second: type = i32, third: type = $first",
        "op lists(values: variadic_of_variadic AnyType by lengths)",
        "  regions any: AnyRegion, one: SizedRegion, two: SizedRegion(2), rest: variadic MinSizedRegion(3)",
    ] {
        assert!(said.lines().any(|found| found == line), "{line}\n{said}");
    }
}

#[test]
fn irdl_becomes_a_definition() {
    let folder = Folder::new(PROGRAM, "dialect-irdl");
    folder.write(
        "pairs.mlir",
        r#"
"irdl.dialect"() <{sym_name = "pairs"}> ({
  "irdl.type"() <{sym_name = "pair"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    "irdl.parameters"(%0, %0) <{names = ["first", "second"]}> : (!irdl.attribute, !irdl.attribute) -> ()
  }) : () -> ()
  "irdl.operation"() <{sym_name = "make"}> ({
    %0 = "irdl.any"() : () -> !irdl.attribute
    %1 = "irdl.is"() <{expected = i32}> : () -> !irdl.attribute
    %2 = "irdl.base"() <{base_ref = @pairs::@pair}> : () -> !irdl.attribute
    %3 = "irdl.region"(%0, %1) <{numberOfBlocks = 1 : i32, constrainedArguments}> : (!irdl.attribute, !irdl.attribute) -> !irdl.region
    %4 = "irdl.region"() : () -> !irdl.region
    "irdl.operands"(%0, %1) <{names = ["a", "b"], variadicity = #irdl<variadicity_array[ single,  optional]>}> : (!irdl.attribute, !irdl.attribute) -> ()
    "irdl.results"(%2) <{names = ["pair"], variadicity = #irdl<variadicity_array[ single]>}> : (!irdl.attribute) -> ()
    "irdl.attributes"(%0) <{attributeValueNames = ["tag"]}> : (!irdl.attribute) -> ()
    "irdl.regions"(%3) <{names = ["body"]}> : (!irdl.region) -> ()
  }) : () -> ()
}) : () -> ()
"#,
    );
    let output = folder.run(&["dialect", "import", "pairs.mlir"], b"");
    assert_eq!(
        (&*text(&output), &*error(&output)),
        (
            "dialect pairs
operations complete
attributes complete
types complete

type pair
  parameters first, second: attr
  format `<` params `>`

op make(a: AnyType, b: optional I32) -> (pair: (!pairs.pair<_>))
  traits AllTypesMatch(a, body#0)
  regions body: Blocks(1) arguments (AnyType, I32), region1: AnyRegion
  attr tag: TypeAttr
  types a = value(tag), body#0 = value(tag)
",
            "warning: dialect 'pairs': type pair: what parameters with one constraint have in common is not checked\n\
             warning: dialect 'pairs': not taken over: predicates 1; 1 in all\n"
        )
    );
    let verify = ["verify", "--dialect", "pairs.mlir", "-"];
    let output = folder.run(&verify, b"\"pairs.make\"() : () -> ()");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("'pairs.make' op"),
        "{}",
        error(&output)
    );
    let output = folder.run(&verify, b"\"x.y\"() : () -> !pairs.pair<i32, 4 : i8>");
    assert_eq!((code(&output), error(&output)), (0, String::new()));
}

#[test]
fn what_is_not_taken_over_of_irdl_is_said() {
    let folder = Folder::new(PROGRAM, "dialect-irdl-warnings");
    folder.write(
        "lots.mlir",
        r#"
irdl.dialect @lots {
  irdl.operation @all {
    %0 = irdl.is i32
    %1 = irdl.any
    %2 = irdl.region(%0, %1) with size 3
    %3 = irdl.region()
    irdl.regions(a: %2, b: %3)
  }
  irdl.operation @some {
    %0 = irdl.c_pred "::llvm::isa<::mlir::IntegerType>($_self)"
    %1 = irdl.region(%0)
    irdl.regions(a: %1)
  }
  irdl.operation @parts {
    %0 = irdl.any
    %1 = irdl.all_of(%0)
    %2 = irdl.region(%0, %1)
    irdl.regions(a: %2)
  }
}
"#,
    );
    let output = folder.run(&["dialect", "import", "lots.mlir"], b"");
    assert_eq!(
        error(&output),
        "warning: dialect 'lots': op some: the constraint 'irdl.c_pred' of 'a#0' is not checked\n\
         warning: dialect 'lots': op parts: what a part of one constraint has in common with others is not checked\n\
         warning: dialect 'lots': not taken over: predicates 2; 2 in all\n"
    );
    for line in [
        "  regions a: Blocks(3) arguments (I32, AnyType), b: AnyRegion arguments ()",
        "  regions a: AnyRegion arguments (_)",
        "  regions a: AnyRegion arguments (AnyType, AnyType)",
    ] {
        let said = text(&output);
        assert!(said.lines().any(|found| found == line), "{line}\n{said}");
    }
}

#[test]
fn definitions_are_checked_and_shown() {
    let folder = Folder::new(PROGRAM, "dialect-check");
    folder.write("good.dialect", TOY);
    folder.write(
        "bad.dialect",
        "dialect bad\nop a(x: I32)\n  format attr-dict\n",
    );
    folder.write("worse.dialect", "dialect\n");
    let output = folder.run(&["dialect", "check", "good.dialect"], b"");
    assert_eq!((code(&output), error(&output)), (0, String::new()));
    let output = folder.run(&["dialect", "check", "good.dialect", "bad.dialect"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("bad.dialect:3:3: error: the format of 'a' does not say 'x'"),
        "{}",
        error(&output)
    );
    let output = folder.run(&["dialect", "check", "worse.dialect"], b"");
    assert_eq!(code(&output), 1);
    assert!(
        error(&output).contains("worse.dialect:1:8: error: expected a name"),
        "{}",
        error(&output)
    );

    let output = folder.run(&["dialect", "show", "arith.cmpi"], b"");
    assert!(
        text(&output).starts_with(
            "dialect arith\nfamily llvm\n\nenum CmpIPredicate: i64\n  cases eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge\n\nop cmpi("
        ),
        "{}",
        text(&output)
    );
    let documented =
        "dialect toy\n\ntype box\n  summary a box\n\nop add\n  summary adds\n  doc Two numbers.\n";
    folder.write("documented.dialect", documented);
    for (name, expected) in [
        ("toy", documented),
        ("toy.box", "dialect toy\n\ntype box\n  summary a box\n"),
        (
            "toy.add",
            "dialect toy\n\nop add\n  summary adds\n  doc Two numbers.\n",
        ),
    ] {
        let show = ["dialect", "show", name, "--dialect", "documented.dialect"];
        let output = folder.run(&show, b"");
        assert_eq!(
            (&*text(&output), &*error(&output)),
            (expected, ""),
            "{name}"
        );
    }

    let output = folder.run(&["dialect", "show", "func.return"], b"");
    assert!(
        text(&output).starts_with("dialect func\nfamily llvm\n\nop return("),
        "{}",
        text(&output)
    );
    let output = folder.run(&["dialect", "show", "arit"], b"");
    assert_eq!(
        (code(&output), &*error(&output)),
        (
            1,
            "error: there is no bundled definition of 'arit'; did you mean 'arith'?\n"
        )
    );
    let output = folder.run(&["dialect", "list", "good.dialect"], b"");
    assert_eq!(
        text(&output),
        "dialect  family  operations  with syntax  attributes  types\ntoy      own              1            1           0      1\n"
    );
}
