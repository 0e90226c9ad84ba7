//! Extraction with declarations, and what a declaration of each kind of symbol is.

use super::*;

#[test]
fn extraction_leaves_declarations() {
    let mut ir = parse(
        r#"
        memref.global "private" @data : memref<2xf32> = dense<1.0>
        func.func @main() -> i32 {
          %m = memref.get_global @data : memref<2xf32>
          %0 = call @helper() : () -> i32
          return %0 : i32
        }
        func.func @helper() -> (i32 {d.a = @type}) {
          %0 = call @far() : () -> i32
          return %0 : i32
        }
        func.func private @far() -> i32
        "d.symbol"() {sym_name = "type", to = @far} : () -> ()
        llvm.func internal @l() { llvm.call @main2() : () -> ()
          llvm.return }
        llvm.func @main2() { llvm.return }
        llvm.mlir.global internal constant @g("text") {addr_space = 1 : i32}
        llvm.func @uses() {
          %0 = llvm.mlir.addressof @g : !llvm.ptr<1>
          llvm.call @l() : () -> ()
          llvm.return
        }"#,
    );
    let wanted: Vec<Operation> = ["main", "uses"]
        .map(|name| ir.symbol(name).unwrap().id())
        .into();
    let (context, module) = ir.parts_mut();
    extract_with_declarations(context, module, &wanted).unwrap();
    judge(&mut ir);
    expect(
        &ir,
        r#"
        memref.global "private" @data : memref<2xf32>
        func.func @main() -> i32 {
          %m = memref.get_global @data : memref<2xf32>
          %0 = call @helper() : () -> i32
          return %0 : i32
        }
        func.func private @helper() -> (i32 {d.a = @type})
        func.func private @far() -> i32
        "d.symbol"() {sym_name = "type", to = @far} : () -> ()
        llvm.func @l()
        llvm.mlir.global external constant @g() {addr_space = 1 : i32} : !llvm.array<4 x i8>
        llvm.func @uses() {
          %0 = llvm.mlir.addressof @g : !llvm.ptr<1>
          llvm.call @l() : () -> ()
          llvm.return
        }"#,
    );
}

#[test]
fn each_kind_of_symbol_has_its_declaration() {
    for (definition, declaration) in [
        (
            "async.func @f() -> !async.token { return }",
            "async.func private @f() -> !async.token",
        ),
        (
            "ml_program.func @f(%x: i32) -> i32 { ml_program.return %x : i32 }",
            "ml_program.func private @f(i32) -> i32",
        ),
        (
            "\"emitc.func\"() <{sym_name = \"f\", function_type = () -> ()}> ({ \"emitc.return\"() : () -> () }) : () -> ()",
            "\"emitc.func\"() <{sym_name = \"f\", function_type = () -> ()}> ({}) : () -> ()",
        ),
        (
            "llvm.func @f() -> i32 attributes {personality = @p} { %0 = llvm.mlir.zero : i32 llvm.return %0 : i32 }
             llvm.func @p()",
            "llvm.func @f() -> i32",
        ),
        (
            "spirv.func @f(%x: f32) -> f32 \"None\" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = \"f\", linkage_type = <Export>>} {
               spirv.ReturnValue %x : f32 }",
            "spirv.func @f(f32) -> f32 \"None\" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = \"f\", linkage_type = <Import>>}",
        ),
        (
            "\"wasmssa.func\"() <{sym_name = \"f\", functionType = () -> i32, exported}> ({
               %0 = \"wasmssa.const\"() <{value = 1 : i32}> : () -> i32
               \"wasmssa.return\"(%0) : (i32) -> () }) : () -> ()",
            "\"wasmssa.func\"() <{sym_name = \"f\", functionType = () -> i32}> ({}) : () -> ()",
        ),
        (
            "transform.named_sequence @f(%x: !transform.any_op {transform.readonly}) { transform.yield }",
            "transform.named_sequence private @f(!transform.any_op {transform.readonly})",
        ),
        (
            "\"util.func\"() <{sym_name = \"f\", function_type = (i32) -> i32}> ({
               ^bb0(%x: i32): \"util.return\"(%x) : (i32) -> () }) : () -> ()",
            "\"util.func\"() <{sym_name = \"f\", function_type = (i32) -> i32, sym_visibility = \"private\"}> ({}) : () -> ()",
        ),
        (
            "\"hw.module\"() <{sym_name = \"f\", module_type = !hw.modty<input a : i1, output b : i1>, parameters = [],
               per_port_attrs = [], result_locs = [loc(unknown)]}> ({ ^bb0(%a: i1): \"hw.output\"(%a) : (i1) -> () }) : () -> ()",
            "\"hw.module.extern\"() <{sym_name = \"f\", module_type = !hw.modty<input a : i1, output b : i1>, parameters = [],
               per_port_attrs = []}> ({}) : () -> ()",
        ),
        (
            "\"vhlo.func_v1\"() <{sym_name = #vhlo.string_v1<\"f\">, sym_visibility = #vhlo.string_v1<\"\">,
               function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, arg_attrs = #vhlo.array_v1<[]>,
               res_attrs = #vhlo.array_v1<[]>}> ({ \"vhlo.return_v1\"() : () -> () }) : () -> ()",
            "\"vhlo.func_v1\"() <{sym_name = #vhlo.string_v1<\"f\">, sym_visibility = #vhlo.string_v1<\"private\">,
               function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, arg_attrs = #vhlo.array_v1<[]>,
               res_attrs = #vhlo.array_v1<[]>}> ({}) : () -> ()",
        ),
    ] {
        let mut ir = rmlir::parse(definition).unwrap();
        let f = ir.symbol("f").unwrap().id();
        let (context, module) = ir.parts_mut();
        assert!(!module.is_declaration(context, f), "{definition}");
        let made = module.create_declaration(context, f).unwrap().unwrap();
        assert!(module.is_declaration(context, made), "{definition}");
        let expected = rmlir::parse(declaration).unwrap();
        let expected_f = expected.symbol("f").unwrap();
        let difference =
            semantic_difference(ir.get(made), expected_f, &EqualityOptions::default());
        assert!(difference.is_none(), "{definition}: {difference:?}");
    }
    for whole in [
        "gpu.module @f { gpu.func @k() { gpu.return } }",
        "\"unknown.symbol\"() ({ \"unknown.op\"() : () -> () }) {sym_name = \"f\"} : () -> ()",
        "\"d.op\"() : () -> ()\nmodule @f {}",
    ] {
        let mut ir = rmlir::parse(whole).unwrap();
        let f = ir.symbol("f").unwrap().id();
        let (context, module) = ir.parts_mut();
        assert!(module.create_declaration(context, f).unwrap().is_none());
    }
}
