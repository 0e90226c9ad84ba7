//! Imports TableGen dumps: tests what is imported, what is reported, and graphs that cannot be
//! expanded.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code"
)]

use rmlir_import::tablegen::{ImportOptions, import};
use rmlir_import::{Imported, LossKind};
use rmlir_ir::definition::Release;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Returns a dump of these records: names, classes with the most derived one last, other fields.
fn dump(records: &[(&str, &[&str], Value)]) -> Vec<u8> {
    let mut all = Map::new();
    let mut instances: Map<String, Value> = Map::new();
    let dialect = json!({"name": "toy", "cppNamespace": "::toy",
        "useDefaultTypePrinterParser": 1, "useDefaultAttributePrinterParser": 1});
    let toy: (&str, &[&str], Value) = ("Toy", &["Dialect"], dialect);
    for (name, classes, fields) in records.iter().chain([&toy]) {
        let mut fields = fields.as_object().unwrap().clone();
        fields.insert("!superclasses".to_owned(), json!(classes));
        fields.insert("!name".to_owned(), json!(name));
        all.insert((*name).to_owned(), Value::Object(fields));
        for class in *classes {
            let list = instances.entry(*class).or_insert_with(|| json!([]));
            list.as_array_mut().unwrap().push(json!(name));
        }
    }
    all.insert("!instanceof".to_owned(), Value::Object(instances));
    serde_json::to_vec(&all).unwrap()
}

fn def(name: &str) -> Value {
    json!({"def": name, "kind": "def"})
}

fn imported(dump: &[u8]) -> Imported {
    let options = ImportOptions {
        dialect: Some("toy".to_owned()),
        partial: false,
    };
    import(&[dump], &options, &()).unwrap()
}

fn within_seconds(dump: &[u8]) -> Imported {
    let start = Instant::now();
    let imported = imported(dump);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
    imported
}

/// Returns an operation whose operand has a constraint with this predicate.
fn with_operand(predicate: &str, others: Vec<(String, &'static [&'static str], Value)>) -> Vec<u8> {
    let mut records: Vec<(&str, &[&str], Value)> = vec![
        (
            "Odd",
            &["Constraint", "TypeConstraint"],
            json!({"predicate": def(predicate), "summary": "odd type"}),
        ),
        (
            "Toy_AddOp",
            &["Op"],
            json!({"opName": "add", "opDialect": def("Toy"),
                "arguments": {"args": [[def("Odd"), "x"]]}}),
        ),
    ];
    let others = &others;
    records.extend(others.iter().map(|(n, c, v)| (n.as_str(), *c, v.clone())));
    dump(&records)
}

const COMBINED: &[&str] = &["Pred", "CombinedPred", "And"];

fn combined(
    name: String,
    kind: &str,
    children: &[&str],
) -> (String, &'static [&'static str], Value) {
    let children: Vec<Value> = children.iter().map(|child| def(child)).collect();
    (
        name,
        COMBINED,
        json!({"kind": def(kind), "children": children}),
    )
}

fn leaf(name: &str, expression: &str) -> (String, &'static [&'static str], Value) {
    (
        name.to_owned(),
        &["Pred", "CPred"],
        json!({"predExpr": expression}),
    )
}

fn kinds() -> Vec<(String, &'static [&'static str], Value)> {
    let names = [
        "PredCombinerAnd",
        "PredCombinerOr",
        "PredCombinerSubstLeaves",
    ];
    let kinds: &[&str] = &["PredCombinerKind"];
    names
        .map(|name| (name.to_owned(), kinds, json!({})))
        .to_vec()
}

#[test]
fn predicates_that_share_parts_are_translated_once() {
    for kind in ["PredCombinerAnd", "PredCombinerOr"] {
        let mut records = kinds();
        records.push(leaf("P0", "$_self.isSignlessInteger(32)"));
        for number in 1..=60 {
            let before = format!("P{}", number - 1);
            records.push(combined(format!("P{number}"), kind, &[&before, &before]));
        }
        let imported = within_seconds(&with_operand("P60", records));
        assert!(
            imported
                .definition
                .to_string()
                .contains("constraint Odd \"odd type\" = i32\n"),
            "{}",
            imported.definition
        );
    }
    // The parts differ, so the text is too long for a definition.
    let mut records = kinds();
    records.push(leaf("P0", "$_self.isSignlessInteger(32)"));
    for number in 1..=60 {
        let before = format!("P{}", number - 1);
        let other = format!("Q{number}");
        records.push(leaf(&other, &format!("$_self.isSignlessInteger({number})")));
        records.push(combined(
            format!("P{number}"),
            "PredCombinerOr",
            &[&before, &other],
        ));
        let negated = format!("N{number}");
        records.push(combined(
            negated.clone(),
            "PredCombinerAnd",
            &[&before, &other],
        ));
        records.push(combined(
            format!("P{number}_"),
            "PredCombinerOr",
            &[&before, &negated],
        ));
    }
    within_seconds(&with_operand("P60_", records));
}

#[test]
fn cycles_of_predicates_end() {
    let mut records = kinds();
    records.push(combined(
        "A".to_owned(),
        "PredCombinerAnd",
        &["B", "B", "L"],
    ));
    records.push(combined("B".to_owned(), "PredCombinerOr", &["A", "A", "L"]));
    records.push(leaf("L", "$_self.isF32()"));
    let imported = within_seconds(&with_operand("A", records));
    let losses = imported.losses();
    assert_eq!(
        losses.get(&LossKind::Predicate),
        Some(&1),
        "{:?}",
        imported.warnings
    );
}

#[test]
fn substitutions_that_double_end() {
    // Each level replaces `x` by `xx`, in two trees that share the level below.
    let mut records = kinds();
    records.push(leaf("P0", "isa<x>($_self)"));
    for number in 1..=60 {
        let before = format!("P{}", number - 1);
        for (name, to) in [("L", "xx"), ("R", "xxx")] {
            records.push((
                format!("{name}{number}"),
                &["Pred", "CombinedPred", "SubstLeaves"],
                json!({"kind": def("PredCombinerSubstLeaves"), "children": [def(&before)],
                    "pattern": "x", "replacement": to}),
            ));
        }
        let [left, right] = [format!("L{number}"), format!("R{number}")];
        records.push(combined(
            format!("P{number}"),
            "PredCombinerAnd",
            &[&left, &right],
        ));
    }
    within_seconds(&with_operand("P60", records));
}

#[test]
fn confinements_and_traits_that_share_parts_end() {
    let mut records = kinds();
    records.push(leaf(
        "P0",
        "::llvm::cast<::mlir::IntegerAttr>($_self).getInt() >= 1",
    ));
    for number in 1..=40 {
        let before = format!("P{}", number - 1);
        records.push(combined(
            format!("P{number}"),
            "PredCombinerAnd",
            &[&before, &before],
        ));
        let before = format!("T{}", number - 1);
        let fields = json!({"traits": [def(&before), def(&before)]});
        records.push((format!("T{number}"), &["Trait", "TraitList"], fields));
    }
    let cycle = json!({"traits": [def("T0"), def("Isolated"), def("T0")]});
    records.push(("T0".to_owned(), &["Trait", "TraitList"], cycle));
    let isolated = json!({"trait": "::mlir::OpTrait::IsIsolatedFromAbove"});
    records.push(("Isolated".to_owned(), &["Trait", "NativeTrait"], isolated));
    let confined =
        json!({"!anonymous": true, "baseAttr": def("Int"), "attrConstraints": [def("C")]});
    records.push((
        "Confined".to_owned(),
        &["Constraint", "AttrConstraint", "ConfinedAttr"],
        confined,
    ));
    let int = json!({"summary": "an integer"});
    records.push(("Int".to_owned(), &["Constraint", "AttrConstraint"], int));
    let constraint = json!({"predicate": def("P40"), "summary": "large"});
    records.push((
        "C".to_owned(),
        &["Constraint", "AttrConstraint"],
        constraint,
    ));
    // An array whose elements are such arrays.
    let array = json!({"!anonymous": true, "elementAttr": def("Array"), "summary": "arrays"});
    let classes: &[&str] = &["Constraint", "AttrConstraint", "TypedArrayAttrBase"];
    records.push(("Array".to_owned(), classes, array));
    let operation = json!({"opName": "all", "opDialect": def("Toy"), "traits": [def("T40")],
        "arguments": {"args": [[def("Confined"), "a"], [def("Array"), "b"]]}});
    records.push(("Toy_AllOp".to_owned(), &["Op"], operation));
    let imported = within_seconds(&with_operand("P0", records));
    let all = imported
        .definition
        .operation(b"all", Release::LLVM_22)
        .unwrap();
    assert!(all.has_trait_named("T40", Release::LLVM_22));
    assert!(
        imported
            .warnings
            .iter()
            .any(|w| w.message.contains("too many traits")),
        "{:?}",
        imported.warnings
    );
}

#[test]
fn a_long_default_that_many_share_is_not_copied() {
    let text = "a".repeat(1_000_000);
    let mut records: Vec<(String, &[&str], Value)> = vec![(
        "Text".to_owned(),
        &["Constraint", "AttrConstraint", "StringBasedAttr"],
        json!({"!anonymous": true, "defaultValue": format!("\"{text}\""), "summary": text}),
    )];
    for number in 0..2000 {
        records.push((
            format!("Toy_Op{number}"),
            &["Op"],
            json!({"opName": format!("op{number}"), "opDialect": def("Toy"),
                "arguments": {"args": [[def("Text"), "a"]]}}),
        ));
    }
    let records: Vec<_> = records
        .iter()
        .map(|(n, c, v)| (n.as_str(), *c, v.clone()))
        .collect();
    let imported = within_seconds(&dump(&records));
    assert_eq!(imported.losses().get(&LossKind::Default), Some(&2000));
    assert!(imported.definition.to_string().len() < 1_000_000);
}

/// A record of a dump: its name, its classes, its other fields.
type Row = (&'static str, &'static [&'static str], fn() -> Value);

const TRAITS: &[Row] = &[
    (
        "Pure",
        &["Trait", "TraitList"],
        || json!({"traits": [def("Speculatable"), def("NoMemoryEffect")]}),
    ),
    (
        "Speculatable",
        &["Interface", "Trait", "NativeTrait", "InterfaceTrait"],
        || json!({"cppInterfaceName": "ConditionallySpeculatable", "trait": "ConditionallySpeculatable::Trait"}),
    ),
    (
        "NoMemoryEffect",
        &[
            "Trait",
            "NativeTrait",
            "InterfaceTrait",
            "SideEffectsTraitBase",
            "MemoryEffects",
        ],
        || json!({"effects": [], "trait": "MemoryEffectOpInterface::Trait"}),
    ),
    (
        "Reads",
        &[
            "Trait",
            "NativeTrait",
            "InterfaceTrait",
            "SideEffectsTraitBase",
            "MemoryEffects",
        ],
        || {
            json!({"!anonymous": true, "effects": [def("MemRead")],
                "trait": "MemoryEffectOpInterface::Trait"})
        },
    ),
    ("MemRead", &["SideEffect", "MemoryEffect"], || json!({})),
    (
        "Commutative",
        &["Trait", "NativeTrait", "NativeOpTrait"],
        || json!({"trait": "IsCommutative"}),
    ),
    (
        "Many",
        &["Trait", "NativeTrait", "ParamNativeOpTrait"],
        || json!({"trait": "::mlir::OpTrait::AtLeastNOperands<2>::Impl"}),
    ),
    (
        "Rule",
        &["Constraint", "Trait", "PredTrait", "PredOpTrait"],
        || json!({"!anonymous": true, "predicate": def("C"), "summary": "x is even"}),
    ),
    (
        "Hashable",
        &["Interface", "Trait", "NativeTrait", "InterfaceTrait"],
        || json!({"cppInterfaceName": "HashableInterface"}),
    ),
    (
        "C",
        &["Pred", "CPred"],
        || json!({"predExpr": "isEven($x)"}),
    ),
    (
        "Op_Arg",
        &["Constraint", "TypeConstraint", "OpVariable", "Arg"],
        || {
            json!({"!anonymous": true, "constraint": def("AnyType"), "summary": "what is read",
            "decorators": [def("MemRead")]})
        },
    ),
    (
        "AnyType",
        &["Constraint", "TypeConstraint"],
        || json!({"predicate": def("C"), "summary": "any type"}),
    ),
];

fn with_traits(others: Vec<(&'static str, &'static [&'static str], Value)>) -> Vec<u8> {
    let mut records: Vec<(&str, &[&str], Value)> =
        TRAITS.iter().map(|(n, c, v)| (*n, *c, v())).collect();
    records.extend(others);
    dump(&records)
}

#[test]
fn traits_interfaces_verifiers_and_documentation_are_kept() {
    let imported = imported(&with_traits(vec![
        (
            "Toy_AddOp",
            &["Op"],
            json!({"opName": "add", "opDialect": def("Toy"),
                "summary": "adds\n  numbers",
                "description": "\n    Adds two numbers.\n\n    ```mlir\n      toy.add\n    ```\n  ",
                "arguments": {"args": [[def("Op_Arg"), "x"]]}, "hasVerifier": 1,
                "traits": [def("Commutative"), def("Pure"), def("NoMemoryEffect"), def("Reads"),
                    def("Many"), def("Rule")]}),
        ),
        (
            "Toy_Box",
            &["TypeDef"],
            json!({"mnemonic": "box", "dialect": def("Toy"), "cppClassName": "BoxType",
                "summary": "a box", "genVerifyDecl": 1, "traits": [def("Hashable")]}),
        ),
        (
            "Toy_Base",
            &["TypeDef"],
            json!({"mnemonic": null, "dialect": def("Toy"), "cppClassName": "BaseType"}),
        ),
    ]));
    assert_eq!(
        imported.definition.to_string(),
        "dialect toy
operations complete
types complete
  verifiers add

type box
  summary a box
  interfaces HashableInterface
  verifier cpp

op add(x: AnyType)
  summary adds numbers
  doc Adds two numbers.
  doc
  doc ```mlir
  doc   toy.add
  doc ```
  traits IsCommutative, Pure, AtLeastNOperands
  hook toy.add
"
    );
    let said: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "type box: its verifier is C++: its rules are not checked",
            "type Toy_Base: has no mnemonic: left out",
            "op add: the memory effects of 'x' are left out: MemRead",
            "op add: the description of 'x' is left out",
            "op add: the memory effects are left out: MemRead",
            "op add: the arguments of trait 'AtLeastNOperands' are left out: 2",
            "op add: a rule is C++ and is not checked: x is even",
            "op add: its verifier is C++: its rules are not checked without a hook 'toy.add'",
        ]
    );
    let add = imported
        .definition
        .operation(b"add", Release::LLVM_22)
        .unwrap();
    assert!(add.has_trait_named("Pure", Release::LLVM_22));
    assert!(add.has_trait_named("IsCommutative", Release::LLVM_22));
    assert!(!add.has_trait_named("IsTerminator", Release::LLVM_22));
    let interfaces: Vec<&str> = add.interfaces(Release::LLVM_22).collect();
    assert_eq!(
        interfaces,
        ["ConditionallySpeculatable", "MemoryEffectOpInterface"]
    );
    let verifiers = imported.definition.verifiers.as_deref();
    assert_eq!(verifiers, Some(&["add".into()][..]));
    let documentation = add.documentation.as_ref().unwrap();
    assert_eq!(documentation.summary, "adds numbers");
    assert_eq!(documentation.description().lines().count(), 5);
    let types = imported.definition.types.entries();
    assert!(types[0].has_trait_named("HashableInterface"));
}

fn parameter(cpp: &str) -> Value {
    json!({"cppType": cpp})
}

#[test]
fn parameters_keep_their_defaults_and_kinds() {
    let with_default = |cpp: &str, default: &str| json!({"cppType": cpp, "defaultValue": default});
    let classes: &[&str] = &["AttrOrTypeParameter", "DefaultValuedParameter"];
    let optional: &[&str] = &["AttrOrTypeParameter", "OptionalParameter"];
    let plain: &[&str] = &["AttrOrTypeParameter"];
    let parameters: &[(&str, &[&str], Value)] = &[
        (
            "a",
            optional,
            with_default("std::optional<int>", "std::optional<int>()"),
        ),
        ("b", classes, with_default("Optional<int>", "5")),
        (
            "c",
            classes,
            with_default("::std::optional<int64_t>", "std::nullopt"),
        ),
        ("map", plain, parameter("AffineMap")),
        ("set", plain, parameter("::mlir::IntegerSet")),
        ("real", plain, parameter("::llvm::APFloat")),
        ("single", plain, parameter("float")),
        // In generated code the dialect's own class hides MLIR's.
        (
            "own",
            classes,
            with_default("IntegerType", "IntegerType::get($_ctxt, 32)"),
        ),
        (
            "builtin",
            classes,
            with_default(
                "::mlir::IntegerType",
                "::mlir::IntegerType::get($_ctxt, 16)",
            ),
        ),
    ];
    let arguments: Vec<Value> = parameters
        .iter()
        .map(|(n, _, _)| json!([def(n), n]))
        .collect();
    let mut records: Vec<(&str, &[&str], Value)> = parameters.to_vec();
    records.push((
        "Toy_Int",
        &["TypeDef"],
        json!({"mnemonic": "int", "dialect": def("Toy"), "cppClassName": "IntegerType"}),
    ));
    records.push((
        "Toy_All",
        &["AttrDef"],
        json!({"mnemonic": "all", "dialect": def("Toy"), "cppClassName": "AllAttr",
            "parameters": {"args": arguments},
            "assemblyFormat": "`<` $map `,` $set (`a` $a^)? `>`"}),
    ));
    let imported = imported(&dump(&records));
    let text = imported.definition.to_string();
    for line in [
        "  parameters a: int32 optional, b: int32 = 5, c: int optional, map: affine_map, set: integer_set, real, single: float",
        "  parameters own: type<int> optional, builtin: type = i16",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let said: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "attribute all: parameter 'real' is an APFloat: it is held as an f64",
            "attribute all: the default of parameter 'own' is C++: IntegerType::get($_ctxt, 32)",
        ]
    );
}

/// Dialects that have classes of the same name, and operations of `toy` whose operands and
/// attributes must be of the class `written`.
fn with_classes(written: &[&str]) -> Imported {
    let mut names: Vec<[String; 2]> = Vec::new();
    let mut records: Vec<(String, &[&str], Value)> = Vec::new();
    for (dialect, namespace, classes) in [
        ("Toy", "", &["Own"][..]),
        (
            "Hal",
            "::mlir::outer::IREE::HAL",
            &["Own", "Buffer", "Only", "VectorType"],
        ),
        ("Util", "::mlir::outer::IREE::Util", &["Own", "Buffer"]),
    ] {
        if dialect != "Toy" {
            let name = dialect.to_lowercase();
            let fields = json!({"name": name, "cppNamespace": namespace});
            records.push((dialect.to_owned(), &["Dialect"], fields));
        }
        for class in classes {
            for (kind, suffix) in [("TypeDef", "T"), ("AttrDef", "A")] {
                let fields = json!({"mnemonic": class.to_lowercase(), "dialect": def(dialect),
                    "cppClassName": format!("{class}{suffix}")});
                let kinds: &[&str] = if kind == "TypeDef" {
                    &["TypeDef"]
                } else {
                    &["AttrDef"]
                };
                records.push((format!("{dialect}{class}{suffix}"), kinds, fields));
            }
        }
    }
    for (number, class) in written.iter().enumerate() {
        names.push([format!("C{number}"), format!("P{number}")]);
        let [constraint, predicate] = &names[number];
        let expression = format!("(::llvm::isa<{class}>($_self))");
        records.push((
            predicate.clone(),
            &["Pred", "CPred"],
            json!({"predExpr": expression}),
        ));
        let base: &[&str] = match class.ends_with('A') {
            true => &["Constraint", "AttrConstraint", "Attr", "DialectAttr"],
            false => &["Constraint", "TypeConstraint", "Type"],
        };
        let summary = format!("constraint {number}");
        let fields = json!({"predicate": def(predicate), "summary": summary});
        records.push((constraint.clone(), base, fields));
        let fields = json!({"opName": format!("op{number}"), "opDialect": def("Toy"),
            "arguments": {"args": [[def(constraint), "x"]]}});
        records.push((format!("Toy_Op{number}"), &["Op"], fields));
    }
    let records: Vec<(&str, &[&str], Value)> = records
        .iter()
        .map(|(name, classes, fields)| (name.as_str(), *classes, fields.clone()))
        .collect();
    imported(&dump(&records))
}

#[test]
fn classes_are_those_of_the_namespace() {
    // As C++ finds it from the namespace `toy`.
    for (written, expected) in [
        ("OwnT", "!toy.own"),
        ("::toy::OwnT", "!toy.own"),
        ("toy::OwnT", "!toy.own"),
        ("::mlir::outer::IREE::HAL::OwnT", "!hal.own"),
        ("::mlir::outer::IREE::HAL::BufferT", "!hal.buffer"),
        ("mlir::outer::IREE::Util::BufferT", "!util.buffer"),
        // Through a `using` declaration.
        ("IREE::Util::BufferT", "!util.buffer"),
        ("HAL::BufferT", "!hal.buffer"),
        ("OnlyT", "!hal.only"),
        // Of a dialect that is not in the dump.
        (
            "::mlir::outer::IREE::Stream::OnlyT",
            "dialect_type & unknown",
        ),
        ("::mlir::OnlyT", "unknown"),
    ] {
        let imported = with_classes(&[written]);
        let text = imported.definition.to_string();
        let line = format!("constraint C0 \"constraint 0\" = {expected}");
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        let warnings: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
        assert!(
            warnings.iter().all(|one| !one.contains("ambiguous")),
            "{warnings:?}"
        );
    }
    for (written, expected) in [
        ("OwnA", Some("#toy.own")),
        ("::mlir::outer::IREE::HAL::BufferA", Some("#hal.buffer")),
        ("IREE::Util::BufferA", Some("#util.buffer")),
        ("::mlir::outer::IREE::Stream::OnlyA", None),
    ] {
        let text = with_classes(&[written]).definition.to_string();
        let expected = expected.unwrap_or("AnyAttr");
        let line = format!("attribute_constraint C0 \"constraint 0\" = {expected}");
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn ambiguous_classes_constrain_nothing() {
    let imported = with_classes(&["BufferT", "BufferT", "BufferA"]);
    let text = imported.definition.to_string();
    assert!(
        !text.contains("!hal.") && !text.contains("!util."),
        "{text}"
    );
    assert!(
        !text.contains("#hal.") && !text.contains("#util."),
        "{text}"
    );
    let warnings: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    let said = |class: &str| {
        format!(
            "dialect toy: the C++ class '{class}' is ambiguous, and constrains nothing: it can be of hal, util"
        )
    };
    let found: Vec<&String> = warnings
        .iter()
        .filter(|one| one.contains("ambiguous"))
        .collect();
    assert_eq!(found, [&said("BufferA"), &said("BufferT")], "{warnings:?}");
}

#[test]
fn parameters_are_of_the_class_of_the_namespace() {
    for (cpp, kind) in [
        ("OwnAttr", "attr<own>"),
        ("::toy::OwnAttr", "attr<own>"),
        ("::hal::OwnAttr", "attr"),
        ("::mlir::OwnAttr", "attr"),
    ] {
        let plain: &[&str] = &["AttrOrTypeParameter"];
        let attribute = |dialect: &str, mnemonic: &str, class: &str| json!({"mnemonic": mnemonic, "dialect": def(dialect), "cppClassName": class});
        let mut all = attribute("Toy", "all", "AllAttr");
        all["parameters"] = json!({"args": [[def("Parameter"), "p"]]});
        all["assemblyFormat"] = json!("`<` $p `>`");
        let text = imported(&dump(&[
            (
                "Hal",
                &["Dialect"],
                json!({"name": "hal", "cppNamespace": "::hal"}),
            ),
            ("ToyOwn", &["AttrDef"], attribute("Toy", "own", "OwnAttr")),
            ("HalOwn", &["AttrDef"], attribute("Hal", "own", "OwnAttr")),
            ("Parameter", plain, parameter(cpp)),
            ("ToyAll", &["AttrDef"], all),
        ]))
        .definition
        .to_string();
        let line = format!("  parameters p: {kind}");
        assert!(text.lines().any(|found| found == line), "{cpp}\n{text}");
    }
}

#[test]
fn printers_of_integers_in_hexadecimal_are_kept() {
    let printed = |cpp: &str, printer: &str| json!({"cppType": cpp, "printer": printer});
    let hex = "$_printer << \"0x\" << ::llvm::utohexstr($_self)";
    let plain: &[&str] = &["AttrOrTypeParameter"];
    let imported = imported(&dump(&[
        ("address", plain, printed("uint64_t", hex)),
        ("small", plain, printed("uint8_t", hex)),
        (
            "other",
            plain,
            printed("uint64_t", "$_printer << $_self + 1"),
        ),
        (
            "ToyAll",
            &["AttrDef"],
            json!({"mnemonic": "all", "dialect": def("Toy"),
            "cppClassName": "AllAttr", "assemblyFormat": "`<` params `>`",
            "parameters": {"args": [[def("address"), "address"], [def("small"), "small"],
                [def("other"), "other"]]}}),
        ),
    ]));
    let text = imported.definition.to_string();
    let line = "  parameters address: hex, small: hex8, other: uint";
    assert!(text.lines().any(|found| found == line), "{text}");
    let warnings: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();
    let expected =
        "attribute all: the printer of parameter 'other' is C++: $_printer << $_self + 1";
    assert_eq!(warnings, [expected]);
}
