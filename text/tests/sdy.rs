//! Shardy's operations, as JAX 0.10 prints them in custom form and in generic form.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_ir::{Context, EqualityOptions, semantic_difference};
use rmlir_testing::module_to_string;
use rmlir_text::{ParseOptions, PrintOptions, parse_module};

const CUSTOM: &str = r#"module {
  sdy.mesh @mesh = <["a"=2, "b"=4, "c"=2]>
  sdy.mesh @one = <[], device_ids=[3]> {x = 1 : i64}
  func.func @f(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> {foo} : tensor<8x8xf32>
    %1 = sdy.reshard %arg0 <@mesh, [{"a", ?}, {}p1], replicated={"b":(1)2}> : tensor<8x8xf32>
    sdy.sharding_group %arg0 group_id=3 : tensor<8x8xf32>
    %2 = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
    %3 = sdy.constant {foo = 1 : i32} dense<1> : tensor<2xi32>
    %4 = sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8x8xf32>
    %5 = sdy.data_flow_edge %arg0 : tensor<8x8xf32>
    %6 = sdy.data_flow_edge %arg0 sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %7 = sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>
    %8:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg2: tensor<4x8xf32>, %arg3: tensor<8x8xf32>) {
      sdy.return %arg2, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } {foo} : () -> ()
    %9 = sdy.named_computation<"foo">(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] (%arg2: tensor<8x8xf32>) {
      sdy.return {bar} %arg2 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.named_computation<"foo">() out_shardings=[] () {
      sdy.return
    } : () -> ()
    %10 = sdy.all_gather [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %11 = sdy.all_slice [{"b"}, {}] %0 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x8xf32>
    %12 = sdy.all_to_all [{"a"}: 0->1] %0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
    %13 = sdy.collective_permute %0 out_sharding=<@mesh, [{"c"}, {}]> : tensor<8x8xf32>
    %14 = sdy.all_reduce {"b", "c"} %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %15 = sdy.reduce_scatter [{"b"}, {}] %0 out_sharding=<@mesh, [{"a", "b"}, {}]> {foo} : tensor<8x8xf32>
    %16 = sdy.sharded_to_unreduced [{"a"}, {}] %0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>
    return
  }
}
"#;

/// The operations of the preceding text in generic form.
const GENERIC: &[&str] = &[
    r#""sdy.mesh"() <{mesh = #sdy.mesh<[], device_ids=[3]>, sym_name = "one"}> {x = 1 : i64} : () -> ()"#,
    r#""sdy.propagation_barrier"(%arg0) <{allowed_direction = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>"#,
    r#""sdy.sharding_constraint"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}> {foo} : (tensor<8x8xf32>) -> tensor<8x8xf32>"#,
    r#"}) {foo} : () -> ()"#,
];

fn context() -> Context {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    context
}

#[test]
fn operations_print_as_they_are_read() {
    let mut context = context();
    let options = ParseOptions::for_file("sdy.mlir");
    let module = parse_module(&mut context, CUSTOM.as_bytes(), &options).unwrap();
    let printed = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
    assert_eq!(String::from_utf8(printed).unwrap(), CUSTOM);
    let generic = module_to_string(&context, &module, &PrintOptions::generic()).unwrap();
    let text = String::from_utf8(generic.clone()).unwrap();
    for line in GENERIC {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let mut other = self::context();
    let again = parse_module(&mut other, &generic, &options).unwrap();
    let difference = semantic_difference(
        (&context, &module),
        (&other, &again),
        &EqualityOptions::default(),
    );
    assert!(difference.is_none(), "{}", difference.unwrap());
}

/// Operations that custom syntax cannot express are printed in generic form.
#[test]
fn what_is_no_sharding_is_printed_generically() {
    for shardings in [
        "1 : i64",
        "#sdy.sharding_per_value<[<@mesh, [{?}, , {?}]>]>",
    ] {
        let text = r#""sdy.manual_computation"() <{in_shardings = SHARDINGS, out_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{}>}> ({
  "sdy.return"() : () -> ()
}) : () -> ()
"#;
        let text = text.replace("SHARDINGS", shardings);
        let mut context = context();
        // No text creates this by default, but a program can.
        let mut options = ParseOptions::for_file("sdy.mlir");
        options.normalize = false;
        let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
        let printed = module_to_string(&context, &module, &PrintOptions::default()).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        assert!(
            printed.contains("\"sdy.manual_computation\"() <{"),
            "{printed}"
        );
    }
}

#[test]
fn errors_say_what_is_missing() {
    for (line, message) in [
        (
            "sdy.manual_computation() out_shardings=[]",
            "expected 'in_shardings'",
        ),
        (
            "sdy.manual_computation() in_shardings=[<@m, []>, 5] out_shardings=[]",
            "expected '<'",
        ),
        ("sdy.named_computation()", "expected '<'"),
        (
            "sdy.named_computation<\"f\">() () { sdy.return } : i32",
            "expected function type",
        ),
    ] {
        let error = parse_module(
            &mut context(),
            line.as_bytes(),
            &ParseOptions::for_file("sdy.mlir"),
        );
        let error = error.unwrap_err().to_string();
        assert!(error.contains(message), "{line}: {error}");
    }
}
