//! Conversions between StableHLO and VHLO, without the corpus: what is written, kept and refused.
#![allow(clippy::unwrap_used, clippy::panic)]

use rmlir::ir::{Context, EqualityOptions, TypeKind, semantic_difference};
use rmlir::stablehlo::{Options, Version, to_artifact, to_stablehlo, to_vhlo, write_options};
use rmlir::{Builder, Form, Ir, WriteOptions};

fn options(version: &str) -> Options {
    let mut options = Options::default();
    options.version = version.parse().unwrap();
    options
}

fn generic(ir: &Ir) -> String {
    let mut options = WriteOptions::default();
    options.text.generic = true;
    ir.to_text(&options).unwrap()
}

/// A function with one operation on `%x: tensor<4x4xf32>`.
fn with_operation(operation: &str) -> String {
    format!(
        "func.func @f(%x: tensor<4x4xf32>, %i: tensor<4x4xi32>) {{\n  {operation}\n  return\n}}"
    )
}

/// Returns the error of a conversion to a version.
fn refused(text: &str, version: &str) -> String {
    let mut ir = rmlir::parse(text).unwrap();
    let before = generic(&ir);
    let error = to_vhlo(&mut ir, &options(version)).unwrap_err();
    assert!(error.is_invalid());
    // The module is as it was.
    assert_eq!(generic(&ir), before);
    error.diagnostics().next().unwrap().message.clone()
}

const CONVOLUTION: &str = "%0 = stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {} \
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} \
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>";

/// Operations with the oldest version that has them.
const OPERATIONS: &[(&str, &str)] = &[
    ("%0 = stablehlo.add %x, %x : tensor<4x4xf32>", "0.9.0"),
    ("%0 = stablehlo.tan %x : tensor<4x4xf32>", "1.4.0"),
    (
        "%0 = stablehlo.tan %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x4xf32>",
        "1.10.0",
    ),
    (
        "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
        "1.6.0",
    ),
    (
        "%0 = stablehlo.custom_call @f(%x) {called_computations = [@f], backend_config = \"\\ff\"} : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.custom_call @f(%x) {backend_config = {a = 1 : i32}} : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "1.3.0",
    ),
    (
        "%0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []} : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.slice %x [0:2:1, 1:4:3] : (tensor<4x4xf32>) -> tensor<2x1xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.convert %x : (tensor<4x4xf32>) -> tensor<4x4xf8E4M3FNUZ>",
        "0.10.0",
    ),
    (
        "%0 = stablehlo.convert %x : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0, 2.0}>>",
        "0.18.0",
    ),
    (
        "%0 = stablehlo.convert %x : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<u8<1:255>:f32, 5.000000e-01:3>>",
        "0.9.0",
    ),
    (
        "%0 = \"stablehlo.all_reduce\"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n  stablehlo.return %a : tensor<f32>\n}) : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>",
        "0.9.0",
    ),
    (
        "%0 = stablehlo.constant dense<\"0x000000000000803F0000004000004040\"> : tensor<4xf32>",
        "0.9.0",
    ),
    (
        "%0 = func.call @g(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "0.9.0",
    ),
];

/// The first version of each bytecode version, and those around changes.
const VERSIONS: [&str; 13] = [
    "0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.17.0", "0.18.0", "1.2.0", "1.3.0", "1.4.0", "1.6.0",
    "1.9.0", "1.10.0", "1.20.0",
];

#[test]
fn operations_are_in_the_versions_that_have_them() {
    for (operation, first) in OPERATIONS {
        let text = with_operation(operation);
        let first: Version = first.parse().unwrap();
        for version in VERSIONS {
            let version: Version = version.parse().unwrap();
            let mut ir = rmlir::parse(&text).unwrap();
            let expected = rmlir::parse(&text).unwrap();
            let mut options = Options::default();
            options.version = version;
            let artifact = to_artifact(&mut ir, &options);
            assert_eq!(artifact.is_ok(), version >= first, "{version}: {operation}");
            let Ok(artifact) = artifact else { continue };
            let mut read = rmlir::read(artifact).unwrap();
            to_stablehlo(&mut read).unwrap();
            let equality = EqualityOptions { locations: true };
            let difference = semantic_difference(read.parts(), expected.parts(), &equality);
            let difference = difference.map(|found| found.to_string());
            assert_eq!(difference, None, "{version}: {operation}");
        }
    }
}

#[test]
fn other_parts_are_refused_by_name() {
    let cases = [
        (
            "func.func private @f(vector<4xf32>)",
            "'func.func' op has attribute 'function_type' with a type of kind 'vector', which has no counterpart",
        ),
        (
            "func.func private @f(tensor<4xi3>)",
            "'func.func' op has attribute 'function_type' with a type of kind 'integer', which has no counterpart",
        ),
        (
            "func.func private @f() attributes {a.b}",
            "'func.func' op has attribute 'a.b' with an attribute of kind 'unit', which has no counterpart",
        ),
        (
            "func.func private @f() attributes {a.b = [#a.c<1>]}",
            "'func.func' op has attribute 'a.b' with an attribute of kind 'a.c', which has no counterpart",
        ),
        (
            "func.func @f() {\n  %0 = func.constant @f : () -> ()\n  return\n}",
            "'func.constant' op has no counterpart in VHLO",
        ),
        (
            "func.func @f(%x: tensor<f32>) {\n  \"a.b\"(%x) : (tensor<f32>) -> ()\n  return\n}",
            "'a.b' op has no counterpart in VHLO, and shares a value with an operation that has one",
        ),
        (
            "func.func @f() -> tensor<f32> {\n  %0 = \"a.b\"() : () -> tensor<f32>\n  return %0 : tensor<f32>\n}",
            "'a.b' op has no counterpart in VHLO, and shares a value with an operation that has one",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refused(text, "1.20.0"), message);
    }
    let text = "module {}";
    let message =
        "target version 0.8.0 of StableHLO is not supported: it is not between 0.9.0 and 1.20.0";
    assert_eq!(refused(text, "0.8.0"), message);
    assert!(refused(text, "1.20.1").contains("not supported"));
}

#[test]
fn vhlo_that_is_not_of_its_kind_is_refused() {
    let cases = [
        "\"vhlo.slice_v1\"(%x) <{start_indices = #vhlo.bool_v1<true>, limit_indices = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, strides = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>}>",
        "\"vhlo.transpose_v1\"(%x) <{permutation = #vhlo.tensor_v1<dense<1> : tensor<4611686018427387904xi64>>}>",
        "\"vhlo.transpose_v1\"(%x) <{permutation = #vhlo.tensor_v1<dense<1> : tensor<1xi32>>}>",
        "\"vhlo.gather_v2\"(%x, %x) <{offset_dims = #vhlo.string_v1<\"a\">}>",
        "\"vhlo.unknown_v1\"(%x)",
        "\"vhlo.add\"(%x)",
    ];
    for case in cases {
        let operands = if case.contains("%x, %x") {
            "!vhlo.f32_v1, !vhlo.f32_v1"
        } else {
            "!vhlo.f32_v1"
        };
        let text = format!(
            "\"a.b\"() ({{\n^bb0(%x: !vhlo.f32_v1):\n  %0 = {case} : ({operands}) -> !vhlo.f32_v1\n}}) : () -> ()"
        );
        let mut read = rmlir::ReadOptions::default();
        read.verify = false;
        let mut ir =
            rmlir::parse_with(&text, &read).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert!(to_stablehlo(&mut ir).unwrap_err().is_invalid(), "{case}");
    }
}

/// Every attribute of every operation is replaced by attributes of other kinds. The conversion
/// succeeds or is refused, and does not panic.
#[test]
fn attributes_of_any_kind_convert_or_are_refused() {
    const OTHER: [&str; 9] = [
        "unit",
        "1 : i3",
        "#vhlo.bool_v1<true>",
        "#vhlo.string_v1<\"\">",
        "#vhlo.array_v1<[#vhlo.bool_v1<true>]>",
        "#vhlo.integer_v1<-1 : i8>",
        "#vhlo.type_v1<!vhlo.none_v1>",
        "#vhlo.tensor_v1<dense<7> : tensor<4611686018427387904xi64>>",
        "#vhlo.tensor_v1<dense<> : tensor<0x2xi1>>",
    ];
    let (mut converted, mut refused) = (0, 0);
    for (operation, _) in OPERATIONS {
        let vhlo = || {
            let mut ir = rmlir::parse(with_operation(operation)).unwrap();
            to_vhlo(&mut ir, &options("1.20.0")).unwrap();
            ir
        };
        let mut ir = vhlo();
        let mut targets = Vec::new();
        for (number, op) in ir.ops().enumerate() {
            for &(name, _) in op.attrs().iter() {
                targets.push((number, ir.context().str(name).into_owned()));
            }
        }
        for (number, name) in targets {
            for other in OTHER {
                let op = ir.ops().nth(number).unwrap();
                let (id, old) = (op.id(), op.attr(&name));
                let new = rmlir::text::parse_attribute(ir.parts_mut().0, other.as_bytes()).unwrap();
                let (context, module) = ir.parts_mut();
                let key = context.identifier(&name);
                let properties = module.properties(id);
                let inherent = properties
                    .is_some_and(|p| context.dictionary_get(p, name.as_bytes()).is_some());
                let set = |context: &mut _, module: &mut rmlir::ir::Module, value| match inherent {
                    true => module
                        .set_inherent_attribute(context, id, key, value)
                        .unwrap(),
                    false => module
                        .set_discardable_attribute(context, id, key, value)
                        .unwrap(),
                };
                set(context, module, Some(new));
                let downgraded = to_vhlo(&mut ir, &options("0.9.0"));
                if downgraded.is_ok() || to_stablehlo(&mut ir).is_ok() {
                    converted += 1;
                    ir = vhlo();
                } else {
                    refused += 1;
                    let (context, module) = ir.parts_mut();
                    set(context, module, old);
                }
            }
        }
    }
    assert!(converted > 500 && refused > 100, "{converted} {refused}");
}

#[test]
fn other_dialects_pass_through_casts() {
    let text = "module attributes {a.b = 1 : i32} {
  \"sdy.mesh\"() <{mesh = #sdy.mesh<[\"x\"=2]>, sym_name = \"mesh\"}> : () -> ()
  func.func @f(%x: tensor<4xf32> {a.b = unit}) -> tensor<4xf32> {
    %0 = stablehlo.abs %x : tensor<4xf32>
    %1 = \"a.b\"(%0, %x, %0) ({
    ^bb0(%y: tensor<4xf32>):
      %2 = stablehlo.abs %y : tensor<4xf32>
      \"a.c\"(%2) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}";
    let mut ir = rmlir::parse(text).unwrap();
    let expected = rmlir::parse(text).unwrap();
    let mut options = Options::default();
    options.allow_other_dialects = true;
    to_vhlo(&mut ir, &options).unwrap();
    ir.verify().unwrap();
    let casts = ir
        .ops()
        .filter(|op| op.is("builtin.unrealized_conversion_cast"));
    assert_eq!(casts.count(), 5);
    to_stablehlo(&mut ir).unwrap();
    assert!(ir.semantic_eq(&expected));
}

/// Types and attributes of any depth are converted without recursion, in linear time.
#[test]
fn depth_does_not_matter() {
    const DEPTH: usize = 20_000;
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let mut ty = context.f32_type();
    let mut value = context.bool_attribute(true);
    for _ in 0..DEPTH {
        ty = context.try_type(TypeKind::Tuple([ty].into())).unwrap();
        value = context.array_attribute(&[value]);
    }
    let mut ir = Ir::with_context(context);
    let (context, module) = ir.parts_mut();
    let region = module.create_region();
    let mut builder = Builder::new(context, module);
    let function = builder.context.function_type(&[ty], &[]);
    let function = builder.context.type_attribute(function);
    let built = builder.op("func.func").attr("sym_name", "f");
    let built = built.attr("a.b", value).attr("function_type", function);
    let built = built.attr("sym_visibility", "private").region(region);
    built.build().unwrap();
    let before = ir.fingerprint();
    to_vhlo(&mut ir, &Options::default()).unwrap();
    assert_ne!(ir.fingerprint(), before);
    to_stablehlo(&mut ir).unwrap();
    assert_eq!(ir.fingerprint(), before);
}

#[test]
fn a_second_conversion_changes_nothing() {
    let mut ir = rmlir::parse(with_operation(CONVOLUTION)).unwrap();
    to_stablehlo(&mut ir).unwrap();
    to_vhlo(&mut ir, &options("1.0.0")).unwrap();
    let text = generic(&ir);
    to_vhlo(&mut ir, &options("1.0.5")).unwrap();
    assert_eq!(generic(&ir), text);
}

/// StableHLO that was an artifact is not written as one.
#[test]
fn the_producer_is_not_that_of_the_artifact() {
    let mut ir = rmlir::parse("func.func private @f()").unwrap();
    let artifact = to_artifact(&mut ir, &options("0.14.0")).unwrap();
    assert!(
        artifact
            .windows(17)
            .any(|bytes| bytes == b"StableHLO_v0.14.0")
    );
    let mut read = rmlir::read(artifact).unwrap();
    to_stablehlo(&mut read).unwrap();
    let bytes = read
        .to_bytes(Form::Mlirbc, &WriteOptions::default())
        .unwrap();
    assert!(!bytes.windows(9).any(|bytes| bytes == b"StableHLO"));
    assert_eq!(write_options("0.14.0".parse().unwrap()).version, Some(4));
}

/// As upstream, nothing but a comma separates two precisions; a window can end with one.
#[test]
fn separators() {
    let dot = |precisions: &str| {
        with_operation(&format!(
            "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [{precisions}] \
            : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"
        ))
    };
    assert!(rmlir::parse(dot("HIGH, DEFAULT")).is_ok());
    let error = rmlir::parse(dot("HIGH DEFAULT")).unwrap_err();
    assert_eq!(error.diagnostics().next().unwrap().message, "expected ']'");
    let window = CONVOLUTION.replace("{}", "{pad = [], stride = [],}");
    let ir = rmlir::parse(with_operation(&window)).unwrap();
    let text = ir.to_text(&WriteOptions::default()).unwrap();
    assert!(text.contains("window = {stride = [], pad = []}"));
}
