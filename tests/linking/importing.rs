//! Operations that are imported into modules of other contexts.

use super::*;

#[test]
fn an_imported_operation_is_equal_and_brings_what_it_needs() {
    let text = r#"
        #map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
        #set = affine_set<(d0) : (d0 - 3 >= 0)>
        #alias = {a = #map, b = #set}
        func.func @f(%named: memref<4xf32, #map>, %other: !d.type<!e.inner<5>, "text @f">) -> i32
            attributes {all = #alias, loc = loc("x":1:2), d = #d.attr<@f, #e.in<7>, dense<1> : tensor<4xi8>>,
                        r = dense_resource<key> : tensor<2xi8>, x = distinct[0]<unit>, y = distinct[1]<unit>,
                        z = distinct[0]<unit>, s = sparse<[[0]], [1]> : tensor<2xi32>, n = 7 : si8} {
          %i = arith.constant 3 : index loc(callsite("callee"("a":1:1) at fused<"meta">["b":2:2, "c":3:3 to 4:4]))
          cf.br ^next(%i : index) loc("only")
        ^next(%arg: index loc("arg")):
          %r = "d.op"(%arg) ({
            ^bb0(%q: f32):
              "d.on"()[^bb1] : () -> ()
            ^bb1:
              "d.back"()[^bb1] : () -> ()
          }) {later = #d.attr<1>} : (index) -> i32
          return %r : i32
        }
        {-# dialect_resources: { builtin: { key: "0x010000000708" } } #-}"#;
    let other = parse(text);
    let mut ir = parse("func.func private @g()");
    let f = other.symbol("f").unwrap().id();
    let copies = ir.import(&other, &[f]).unwrap();
    let options = EqualityOptions { locations: true };
    let difference = semantic_difference(ir.get(copies[0]), other.get(f), &options);
    assert!(difference.is_none(), "{difference:?}");
    judge(&mut ir);
    // Names of values are kept.
    let mut options = WriteOptions::default();
    options.text.keep_names = true;
    assert!(ir.to_text(&options).unwrap().contains("%named"));
}

#[test]
fn what_several_imports_share_stays_shared() {
    let other = parse(
        "\"d.a\"() {x = distinct[0]<unit>, y = distinct[1]<unit>} : () -> ()
         \"d.b\"() {x = distinct[1]<unit>} : () -> ()",
    );
    let ops: Vec<Operation> = other.op().children().map(|op| op.id()).collect();
    let mut ir = parse("\"d.c\"() {x = distinct[0]<unit>} : () -> ()");
    let (context, module) = ir.parts_mut();
    let body = module.body().unwrap();
    let mut map = ImportMap::new();
    for op in ops {
        let copies = module
            .import(context, other.parts(), &[op], &mut map)
            .unwrap();
        module.append_operation(body, copies[0]);
        assert_eq!(map.operation(op), Some(copies[0]));
    }
    expect(
        &ir,
        "\"d.c\"() {x = distinct[0]<unit>} : () -> ()
         \"d.a\"() {x = distinct[1]<unit>, y = distinct[2]<unit>} : () -> ()
         \"d.b\"() {x = distinct[2]<unit>} : () -> ()",
    );
}

#[test]
fn resources_of_equal_keys_stay_apart_and_equal_ones_are_one() {
    let module = |name: &str, bytes: &str| {
        parse(&format!(
            "func.func @{name}() -> tensor<2xi8> {{
               %0 = arith.constant dense_resource<x> : tensor<2xi8>
               return %0 : tensor<2xi8>
             }}
             {{-# dialect_resources: {{ builtin: {{ x: \"0x01000000{bytes}\" }} }} #-}}"
        ))
    };
    let modules = [
        module("a", "0102"),
        module("b", "0304"),
        module("c", "0102"),
    ];
    let modules: Vec<&Ir> = modules.iter().collect();
    let mut linked = rmlir::link(&modules, &LinkOptions::default()).unwrap();
    judge(&mut linked);
    let text = linked.to_string();
    assert!(text.contains("x: \"0x010000000102\"") && text.contains("x_1: \"0x010000000304\""));
    assert!(!text.contains("x_2"), "{text}");
}

#[test]
fn an_operation_cannot_leave_its_values_behind() {
    let other = parse("%0 = \"d.a\"() : () -> i32\n\"d.b\"(%0) : (i32) -> ()");
    let ops: Vec<Operation> = other.op().children().map(|op| op.id()).collect();
    let mut ir = Ir::new();
    let error = ir.import(&other, &ops[1..]).unwrap_err();
    assert!(error.to_string().contains("value that is not copied"));
    // In any order.
    let ops = [ops[1], ops[0]];
    ir.import(&other, &ops).unwrap();
    expect(&ir, "\"d.b\"(%0) : (i32) -> ()\n%0 = \"d.a\"() : () -> i32");
}
