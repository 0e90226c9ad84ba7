//! Modules that are imported, linked, split and located anew. `mlir-opt-22` is the judge of
//! results.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

use rmlir::ir::{
    EqualityOptions, ImportMap, LinkOptions, LocationKind, ModuleAttributes, References, SplitBy,
    SplitOptions, extract_with_declarations, semantic_difference,
};
use rmlir::{Form, Ir, Operation, ReadOptions, WriteOptions};
use std::io::Write;
use std::process::{Command, Stdio};

/// What `mlir-opt-22` prints for an input; none if it is not installed.
fn mlir_opt(input: &[u8], arguments: &[&str]) -> Option<String> {
    let child = Command::new("mlir-opt-22")
        .args(arguments)
        .args(["--allow-unregistered-dialect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("SKIPPED: the comparison with upstream: there is no mlir-opt-22");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(input);
    assert!(output.status.success(), "mlir-opt-22: {errors}\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Upstream reads text and bytecode of the module as the same, and so do we what it prints.
fn judge(ir: &mut Ir) {
    ir.verify().unwrap_or_else(|error| panic!("{error}\n{ir}"));
    let bytes = ir.to_bytes(Form::Mlirbc, &WriteOptions::default()).unwrap();
    let debug = ["--mlir-print-debuginfo", "--mlir-print-op-generic"];
    let mut options = WriteOptions::default();
    options.text.debug_info = true;
    let text = ir.to_text(&options).unwrap();
    let (Some(of_bytes), Some(of_text)) =
        (mlir_opt(&bytes, &debug), mlir_opt(text.as_bytes(), &debug))
    else {
        return;
    };
    assert_eq!(of_bytes, of_text);
    assert_equal(&rmlir::parse(of_bytes).unwrap(), ir);
}

/// The modules are equal, with locations.
fn assert_equal(found: &Ir, expected: &Ir) {
    let options = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference(found.parts(), expected.parts(), &options) {
        panic!("{difference}\n{found}\n{expected}");
    }
}

fn parse(text: &str) -> Ir {
    let mut options = ReadOptions::default();
    options.verify = true;
    options.keep_names = true;
    options.file_name = "-".to_owned();
    rmlir::parse_with(text, &options).unwrap()
}

fn parse_named(text: &str, name: &str) -> Ir {
    let mut options = ReadOptions::default();
    options.file_name = name.to_owned();
    rmlir::parse_with(text, &options).unwrap()
}

fn link(modules: &[&str]) -> Ir {
    let modules: Vec<Ir> = modules.iter().map(|text| parse(text)).collect();
    let modules: Vec<&Ir> = modules.iter().collect();
    let mut linked = rmlir::link(&modules, &LinkOptions::default()).unwrap();
    judge(&mut linked);
    linked
}

/// The error, whose text must contain all of `parts`.
fn link_error(modules: &[&str], options: &LinkOptions, parts: &[&str]) {
    let named = modules.iter().zip(["a.mlir", "b.mlir", "c.mlir"]);
    let modules: Vec<Ir> = named.map(|(text, name)| parse_named(text, name)).collect();
    let modules: Vec<&Ir> = modules.iter().collect();
    let error = rmlir::link(&modules, options).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in:\n{error}");
    }
}

fn expect(ir: &Ir, expected: &str) {
    let expected = parse(expected);
    let options = EqualityOptions::default();
    if let Some(difference) = semantic_difference(ir.parts(), expected.parts(), &options) {
        panic!("{difference}\n{ir}");
    }
}

const DEDUPE: fn() -> LinkOptions = || {
    let mut options = LinkOptions::default();
    options.dedupe = true;
    options
};

// Import.

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

// Locations.

#[test]
fn locations_change_at_their_leaves() {
    let mut ir = parse(
        r#"
        "d.op"() ({
        ^bb0(%x: i32 loc("old.py":1:1)):
          "d.in"() : () -> () loc(callsite("n"("old.py":2:2) at "m"("other":5:5)))
          "d.in"() : () -> () loc(fused<"meta">["old.py":1:1, "new.py":1:1, fused["old.py":3:1 to 4:2, unknown]])
          "d.in"() : () -> () loc(fused["old.py":1:1, "new.py":1:1])
        }) {kept = loc("old.py":1:1)} : () -> () loc(unknown)"#,
    );
    let (context, module) = ir.parts_mut();
    let (old, new) = (context.identifier("old.py"), context.identifier("new.py"));
    let mut leaves = 0;
    module
        .map_locations(context, module.top(), |context, leaf| {
            leaves += 1;
            match context.location_kind(leaf) {
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form,
                } if file == old => Some(context.location(LocationKind::FileLineColRange {
                    file: new,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form,
                })),
                _ => None,
            }
        })
        .unwrap();
    assert!(leaves >= 8);
    let expected = parse(
        r#"
        "d.op"() ({
        ^bb0(%x: i32 loc("new.py":1:1)):
          "d.in"() : () -> () loc(callsite("n"("new.py":2:2) at "m"("other":5:5)))
          "d.in"() : () -> () loc(fused<"meta">["new.py":1:1, "new.py":3:1 to 4:2])
          "d.in"() : () -> () loc("new.py":1:1)
        }) {kept = loc("old.py":1:1)} : () -> () loc(unknown)"#,
    );
    let of = |ir: &Ir| ir.op().children().next().unwrap().id();
    let difference = semantic_difference(
        ir.get(of(&ir)),
        expected.get(of(&expected)),
        &EqualityOptions { locations: true },
    );
    assert!(difference.is_none(), "{difference:?}");
}

// Declarations.

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

// Linking.

#[test]
fn declarations_are_resolved_and_external_references_stay() {
    let linked = link(&[
        "func.func private @malloc(i64) -> i64
         func.func private @g(i32)
         func.func @f(%x: i32) { call @g(%x) : (i32) -> ()
           return }",
        "func.func private @malloc(i64) -> (i64 {d.second})
         func.func @g(%x: i32 {d.argument}) { return }",
    ]);
    expect(
        &linked,
        "func.func private @malloc(i64) -> i64
         func.func @f(%x: i32) { call @g(%x) : (i32) -> ()
           return }
         func.func @g(%x: i32 {d.argument}) { return }",
    );
}

#[test]
fn declarations_must_match() {
    let declaration = "func.func @f() { return }\nfunc.func private @g(i32)";
    link_error(
        &[declaration, "func.func @g(%x: i64) { return }"],
        &LinkOptions::default(),
        &[
            "a.mlir:2:1: error: declaration of symbol 'g' does not match: 'function_type' is (i32) -> ()",
            "and (i64) -> () elsewhere",
            "func.func private @g(i32)\n^",
            "b.mlir:1:1: note: the definition is here",
        ],
    );
    link_error(
        &[declaration, "func.func private @g(i64)"],
        &LinkOptions::default(),
        &[
            "b.mlir:1:1: error",
            "a.mlir:2:1: note: the other declaration is here",
        ],
    );
    link_error(
        &[declaration, "llvm.func @g(%x: i32) { llvm.return }"],
        &LinkOptions::default(),
        &[
            "symbol 'g' is declared by 'func.func', and is a 'llvm.func' elsewhere",
            "a.mlir:2:1",
            "b.mlir:1:1",
        ],
    );
    link_error(
        &[
            "llvm.mlir.global external @g() {addr_space = 1 : i32} : i32",
            "llvm.mlir.global external @g(1 : i32) : i32",
        ],
        &LinkOptions::default(),
        &["'addr_space' is 1 : i32, and 0 : i32 elsewhere"],
    );
}

#[test]
fn two_public_definitions_are_an_error() {
    let f = "func.func @f() -> i32 { %0 = arith.constant 1 : i32\n return %0 : i32 }";
    let g = "\n\nfunc.func @f() -> i32 { %0 = arith.constant 2 : i32\n return %0 : i32 }";
    let parts = [
        "b.mlir:3:1: error: redefinition of symbol named 'f'",
        "a.mlir:1:1: note: the other definition is here",
    ];
    link_error(&[f, g], &LinkOptions::default(), &parts);
    link_error(&[f, g], &DEDUPE(), &parts);
    let (a, b) = (parse(f), parse(f));
    let mut linked = rmlir::link(&[&a, &b], &DEDUPE()).unwrap();
    judge(&mut linked);
    expect(&linked, f);
}

#[test]
fn equal_definitions_with_local_functions_are_one_and_with_local_data_are_not() {
    let f = "func.func @f() { call @local() : () -> ()\n return }";
    let same = format!("{f}\nfunc.func private @local() {{ return }}");
    let other = format!(
        "{f}\nfunc.func @user() {{ call @local() : () -> ()\n return }}
         func.func private @local() {{ return }}"
    );
    let (a, b) = (parse(&same), parse(&other));
    let mut linked = rmlir::link(&[&a, &b], &DEDUPE()).unwrap();
    judge(&mut linked);
    expect(
        &linked,
        &format!(
            "{same}\nfunc.func @user() {{ call @local_0() : () -> ()\n return }}
             func.func private @local_0() {{ return }}"
        ),
    );
    // They call functions of one name that differ.
    let differs = format!("{f}\nfunc.func private @local() {{ call @f() : () -> ()\n return }}");
    link_error(
        &[&same, &differs],
        &DEDUPE(),
        &["redefinition of symbol named 'f'"],
    );
    // Each has its own counter.
    let counter = "func.func @f() -> memref<i32> { %0 = memref.get_global @n : memref<i32>
        return %0 : memref<i32> }
        memref.global \"private\" @n : memref<i32> = dense<0>";
    link_error(
        &[counter, counter],
        &DEDUPE(),
        &["redefinition of symbol named 'f'"],
    );
}

#[test]
fn local_symbols_are_renamed_with_their_references() {
    let module = |name: &str, value: u32| {
        format!(
            "func.func @{name}() -> i32 attributes {{in.array = [@local, {{a = @local}}], text = \"local\"}} {{
               %0 = call @local() {{in.body = #d.ref<@local, \"local\">}} : () -> i32
               %1 = \"d.op\"() {{type = !d.type<@local>}} : () -> !d.type<@local::@inner>
               return %0 : i32
             }}
             func.func private @local() -> i32 {{
               %0 = arith.constant {value} : i32
               return %0 : i32
             }}"
        )
    };
    let (a, b) = (module("a", 1), module("b", 2));
    let linked = link(&[&a, &b, "func.func private @local_0()"]);
    let renamed = b.replace("@local", "@local_1");
    expect(
        &linked,
        &format!("{a}\n{renamed}\nfunc.func private @local_0()"),
    );
}

#[test]
fn a_local_symbol_does_not_capture_references_of_others() {
    // To a declaration, a public definition, and to nothing at all.
    let local =
        "func.func private @x() { return }\nfunc.func @f() { call @x() : () -> ()\n return }";
    let renamed = local.replace("@x", "@x_0");
    for other in [
        "func.func private @x()",
        "func.func @x() { return }",
        "\"d.op\"() {a = @x} : () -> ()",
        "\"d.op\"() {a = #d.a<@x>} : () -> ()",
        "%0 = \"d.op\"() : () -> !d.t<@x>",
    ] {
        expect(&link(&[local, other]), &format!("{renamed}\n{other}"));
        expect(&link(&[other, local]), &format!("{other}\n{renamed}"));
    }
    // LLVM's linkage makes local, too.
    let local = "llvm.func internal @x() { llvm.return }
        llvm.mlir.global private constant @s(\"a\")
        llvm.func @f() { llvm.call @x() : () -> ()
          %0 = llvm.mlir.addressof @s : !llvm.ptr
          llvm.return }";
    let other = "llvm.func @x()\nllvm.mlir.global external @s() : i64";
    let renamed = local.replace("@x", "@x_0").replace("@s", "@s_0");
    expect(&link(&[local, other]), &format!("{renamed}\n{other}"));
}

#[test]
fn a_name_in_a_string_of_a_body_prevents_renaming() {
    let local =
        "func.func private @x() { return }\n\"d.op\"() {a = #d.a<\"call @x now\">} : () -> ()";
    link_error(
        &[local, "func.func private @x()"],
        &LinkOptions::default(),
        &[
            "a.mlir:2:1: error: symbol 'x' must be renamed",
            "a.mlir:1:1: note: the symbol is here",
        ],
    );
}

#[test]
fn nested_symbol_tables_keep_their_names() {
    let module = |name: &str| {
        format!(
            "module @{name} {{
               func.func private @x() {{ return }}
               func.func @f() {{ call @x() : () -> ()\n return }}
             }}
             func.func private @x() {{ return }}
             func.func @user_{name}() attributes {{to = @{name}::@x, own = @x}} {{
               call @x() : () -> ()
               return
             }}"
        )
    };
    let linked = link(&[&module("a"), &module("b")]);
    let expected = "module @b {
           func.func private @x() { return }
           func.func @f() { call @x() : () -> ()\n return }
         }
         func.func private @x_0() { return }
         func.func @user_b() attributes {to = @b::@x, own = @x_0} {
           call @x_0() : () -> ()
           return
         }";
    expect(&linked, &format!("{}\n{expected}", module("a")));
    // A private nested table is renamed, with the paths through it.
    let table =
        "module @t attributes {sym_visibility = \"private\"} { func.func nested @x() { return } }
        \"d.op\"() {to = @t::@x} : () -> ()";
    let linked = link(&[table, table]);
    expect(
        &linked,
        &format!("{table}\n{}", table.replace("@t", "@t_0")),
    );
}

#[test]
fn comdats_are_merged() {
    let module = |selector: &str, function: &str| {
        format!(
            "llvm.comdat @__llvm_comdat {{
               llvm.comdat_selector @any any
               llvm.comdat_selector @{selector} largest
             }}
             llvm.func linkonce @{function}() comdat(@__llvm_comdat::@{selector}) {{ llvm.return }}"
        )
    };
    let linked = link(&[&module("s", "f"), &module("t", "g")]);
    expect(
        &linked,
        "llvm.comdat @__llvm_comdat {
           llvm.comdat_selector @any any
           llvm.comdat_selector @s largest
           llvm.comdat_selector @t largest
         }
         llvm.func linkonce @f() comdat(@__llvm_comdat::@s) { llvm.return }
         llvm.func linkonce @g() comdat(@__llvm_comdat::@t) { llvm.return }",
    );
    link_error(
        &[
            &module("s", "f"),
            &module("s", "g").replace("@any any", "@any largest"),
        ],
        &LinkOptions::default(),
        &["symbol 'any' in '__llvm_comdat' differs from that of another module"],
    );
}

/// A function that returns a number, of a linkage.
fn returns(linkage: &str, number: u32) -> String {
    format!(
        "llvm.func {linkage} @f() -> i32 {{
           %0 = llvm.mlir.constant({number} : i32) : i32
           llvm.return %0 : i32
         }}"
    )
}

#[test]
fn weak_definitions_yield_as_in_llvm() {
    // What LLVM's linker keeps of a first and a second definition.
    let strongest = [
        ("weak", "external", 2),
        ("external", "weak", 1),
        ("weak", "weak_odr", 1),
        ("weak_odr", "weak", 1),
        ("linkonce", "weak", 2),
        ("weak", "linkonce", 1),
        ("linkonce", "linkonce_odr", 1),
        ("linkonce_odr", "linkonce_odr", 1),
        ("linkonce_odr", "weak_odr", 2),
        ("linkonce_odr", "external", 2),
        ("available_externally", "external", 2),
        ("available_externally", "linkonce_odr", 2),
        ("external", "available_externally", 1),
        ("available_externally", "available_externally", 1),
    ];
    for (first, second, kept) in strongest {
        let caller = "llvm.func @g() -> i32 {
          %0 = llvm.call @f() : () -> i32
          llvm.return %0 : i32
        }";
        let user = format!("llvm.func @f() -> i32\n{caller}");
        let mut linked = link(&[&returns(first, 1), &user, &returns(second, 2)]);
        let expected = match kept {
            1 => format!("{}\n{caller}", returns(first, 1)),
            _ => format!("{caller}\n{}", returns(second, 2)),
        };
        assert_equal_content(&linked, &parse(&expected));
        judge(&mut linked);
    }
    let error = ["redefinition of symbol named 'f'"];
    let options = LinkOptions::default();
    let twice = [returns("external", 1), returns("external", 2)];
    link_error(&[&twice[0], &twice[1]], &options, &error);
    let other = returns("weak", 1).replace("i32", "i64");
    let error = ["definition of symbol 'f' does not match: 'function_type'"];
    link_error(&[&returns("weak", 1), &other], &options, &error);
}

/// The modules are equal without locations.
fn assert_equal_content(found: &Ir, expected: &Ir) {
    let options = EqualityOptions::default();
    if let Some(difference) = semantic_difference(found.parts(), expected.parts(), &options) {
        panic!("{difference}\n{found}\n{expected}");
    }
}

#[test]
fn common_globals_and_weak_references_are_linked() {
    let common = "llvm.mlir.global common @g(0 : i32) : i32";
    let defined = "llvm.mlir.global external @g(7 : i32) : i32";
    let weak = "llvm.mlir.global weak @g(5 : i32) : i32";
    let linkonce = "llvm.mlir.global linkonce @g(6 : i32) : i32";
    let reference = "llvm.mlir.global extern_weak @g() : i32";
    let declared = "llvm.mlir.global external @g() : i32";
    for (inputs, expected) in [
        ([common, common], common),
        ([common, defined], defined),
        ([weak, common], common),
        ([common, weak], common),
        ([linkonce, weak], weak),
        ([reference, linkonce], linkonce),
        ([weak, reference], weak),
        ([reference, reference], reference),
        ([reference, declared], declared),
        ([declared, reference], declared),
    ] {
        let mut linked = link(&inputs);
        assert_equal_content(&linked, &parse(expected));
        judge(&mut linked);
    }
}

#[test]
fn pieces_of_one_module_share_private_names() {
    let pieces = [
        "func.func @main() {
           call @helper() : () -> ()
           return
         }
         func.func private @helper()",
        "func.func private @helper() { return }",
    ]
    .map(parse);
    let pieces: Vec<&Ir> = pieces.iter().collect();
    let mut options = LinkOptions::default();
    let apart = rmlir::link(&pieces, &options).unwrap();
    assert!(apart.symbol("helper_0").is_some(), "{apart}");
    options.one_scope = true;
    for pieces in [vec![pieces[0], pieces[1]], vec![pieces[1], pieces[0]]] {
        let mut linked = rmlir::link(&pieces, &options).unwrap();
        judge(&mut linked);
        assert_eq!(linked.op().children().count(), 2);
        let helper = linked.symbol("helper").unwrap();
        assert!(helper.entry_block().is_some());
    }
    let error = rmlir::link(&[pieces[1], pieces[1]], &options).unwrap_err();
    assert!(error.to_string().contains("redefinition"), "{error}");
}

#[test]
fn what_joining_can_violate_is_checked_alone() {
    use rmlir::ir::VerifyOptions;
    let mut options = VerifyOptions::default();
    options.symbols_only = true;
    let check = |text: &str, threads: usize| {
        let mut options = options.clone();
        options.threads = rmlir::Threads::new(threads);
        rmlir::parse(text).unwrap().verify_with(&options)
    };
    let call = "func.func @f() {
      func.call @g() : () -> ()
      return
    }";
    for threads in [1, 2] {
        check(&format!("{call}\nfunc.func private @g()"), threads).unwrap();
        let error = check(call, threads).unwrap_err().to_string();
        assert!(
            error.contains("'g' does not reference a valid function"),
            "{error}"
        );
        let twice = "func.func private @f()\nmodule @m {\nfunc.func private @f()\nfunc.func private @f()\n}";
        let error = check(twice, threads).unwrap_err().to_string();
        assert!(
            error.contains("redefinition of symbol named 'f'"),
            "{error}"
        );
        // Operations themselves are not looked at.
        check(
            "func.func @f() -> i32 { \"func.return\"() : () -> () }",
            threads,
        )
        .unwrap();
    }
}

#[test]
fn orders_of_uses_are_kept() {
    let text = "
      func.func private @g(i32, i32, i32)
      func.func @f(%x: i32) {
        call @g(%x, %x, %x) : (i32, i32, i32) -> ()
        call @g(%x, %x, %x) : (i32, i32, i32) -> ()
        return
      }";
    let mut ir = parse(text);
    let f = ir.symbol("f").unwrap();
    let x = f.body_arguments().next().unwrap();
    let (_, module) = ir.parts_mut();
    let mut order: Vec<_> = module.uses(x).collect();
    order.rotate_left(2);
    order.swap(0, 3);
    module.reorder_uses(x, &order).unwrap();
    let expected = ir.to_bytes(Form::Mlirbc, &WriteOptions::default()).unwrap();
    let usual = parse(text)
        .to_bytes(Form::Mlirbc, &WriteOptions::default())
        .unwrap();
    assert_ne!(expected, usual);
    // Through a copy, through parts, and through files of parts.
    let mut copy = rmlir::ir::Context::new();
    rmlir::dialects::register_all(&mut copy);
    let module = ir.parts().1.copy_to(ir.context(), &mut copy).unwrap();
    let mut copy = Ir::from_parts(copy, module);
    assert_eq!(
        copy.to_bytes(Form::Mlirbc, &WriteOptions::default())
            .unwrap(),
        expected
    );
    let mut parts = ir.split(&SplitOptions::default()).unwrap();
    for form in [Form::Rmbc, Form::Mlirbc] {
        let files = parts.iter_mut().map(|part| {
            let bytes = part.to_bytes(form, &WriteOptions::default()).unwrap();
            rmlir::read(bytes).unwrap()
        });
        let files: Vec<Ir> = files.collect();
        let files: Vec<&Ir> = files.iter().collect();
        let mut linked = rmlir::link(&files, &LinkOptions::default()).unwrap();
        let again = linked
            .to_bytes(Form::Mlirbc, &WriteOptions::default())
            .unwrap();
        assert_eq!(again, expected, "{form}");
    }
}

#[test]
fn globals_with_initializers_and_aliases_that_clash() {
    let module = |name: &str, width: u32| {
        format!(
            "#map = affine_map<(d0) -> (d0 * {width})>
             !t = vector<{width}xf32>
             llvm.mlir.global internal @g() : !llvm.ptr {{
               %0 = llvm.mlir.addressof @data : !llvm.ptr
               llvm.return %0 : !llvm.ptr
             }}
             llvm.mlir.global private @data({width} : i32) : i32
             llvm.func @{name}() -> !llvm.ptr {{
               %0 = llvm.mlir.addressof @g : !llvm.ptr
               llvm.return %0 : !llvm.ptr
             }}
             func.func @m{name}(%x: !t, %i: index) -> index {{
               %0 = affine.apply #map(%i)
               return %0 : index
             }}"
        )
    };
    let (a, b) = (module("a", 2), module("b", 3));
    let linked = link(&[&a, &b]);
    let text = linked.to_string();
    for part in [
        "@g_0()",
        "@data_0(3 : i32)",
        "addressof @data_0",
        "addressof @g_0",
        "(d0 * 2)",
        "(d0 * 3)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(linked.op().children().count(), 8);
}

#[test]
fn distinct_attributes_of_different_modules_stay_different() {
    let module = |name: &str| {
        format!(
            "\"d.{name}\"() {{x = distinct[0]<unit>}} : () -> ()
             \"d.{name}2\"() {{x = distinct[0]<unit>, y = distinct[1]<unit>}} : () -> ()"
        )
    };
    expect(
        &link(&[&module("a"), &module("b")]),
        "\"d.a\"() {x = distinct[0]<unit>} : () -> ()
         \"d.a2\"() {x = distinct[0]<unit>, y = distinct[1]<unit>} : () -> ()
         \"d.b\"() {x = distinct[2]<unit>} : () -> ()
         \"d.b2\"() {x = distinct[2]<unit>, y = distinct[3]<unit>} : () -> ()",
    );
}

#[test]
fn vhlo_strings_are_names() {
    let module = |name: &str| {
        format!(
            "\"vhlo.func_v1\"() <{{sym_name = #vhlo.string_v1<\"{name}\">, sym_visibility = #vhlo.string_v1<\"\">,
               function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, arg_attrs = #vhlo.array_v1<[]>,
               res_attrs = #vhlo.array_v1<[]>}}> ({{
                 \"vhlo.call_v1\"() <{{callee = #vhlo.string_v1<\"x\">}}> : () -> ()
                 \"vhlo.return_v1\"() : () -> () }}) : () -> ()
             \"vhlo.func_v1\"() <{{sym_name = #vhlo.string_v1<\"x\">, sym_visibility = #vhlo.string_v1<\"private\">,
               function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>, arg_attrs = #vhlo.array_v1<[]>,
               res_attrs = #vhlo.array_v1<[]>}}> ({{ \"vhlo.return_v1\"() : () -> () }}) : () -> ()"
        )
    };
    let (a, b) = (module("a"), module("b"));
    let renamed = b.replace("v1<\"x\">", "v1<\"x_0\">");
    expect(&link(&[&a, &b]), &format!("{a}\n{renamed}"));
}

#[test]
fn attributes_of_modules_are_equal_or_chosen() {
    let (a, b) = (
        "module attributes {d.a = 1, d.b = 2} {}",
        "module attributes {d.a = 1, d.c = 3} {}",
    );
    link_error(
        &[a, b],
        &LinkOptions::default(),
        &[
            "b.mlir:1:1: error: attribute 'd.b' of the modules differs",
            "a.mlir:1:1: note",
        ],
    );
    for (choice, expected) in [
        (ModuleAttributes::First, a),
        (ModuleAttributes::Last, b),
        (
            ModuleAttributes::Union,
            "module attributes {d.a = 1, d.b = 2, d.c = 3} {}",
        ),
    ] {
        let mut options = LinkOptions::default();
        options.module_attributes = choice;
        let mut linked = rmlir::link(&[&parse(a), &parse(b)], &options).unwrap();
        judge(&mut linked);
        expect(&linked, expected);
    }
    let mut union = LinkOptions::default();
    union.module_attributes = ModuleAttributes::Union;
    link_error(
        &[a, "module attributes {d.a = 2} {}"],
        &union,
        &["attribute 'd.a' of the modules differs"],
    );
    expect(&link(&[a, a]), a);
}

#[test]
fn operations_without_names_are_kept_in_order() {
    expect(
        &link(&[
            "%0 = \"d.a\"() : () -> i32\nfunc.func @f() { return }\n\"d.b\"(%0) : (i32) -> ()",
            "%0 = \"d.c\"() : () -> i32\n\"d.b\"(%0) : (i32) -> ()",
        ]),
        "%0 = \"d.a\"() : () -> i32\nfunc.func @f() { return }\n\"d.b\"(%0) : (i32) -> ()
         %1 = \"d.c\"() : () -> i32\n\"d.b\"(%1) : (i32) -> ()",
    );
}

// Splitting.

const MIXED: &str = r#"
    func.func @a() { call @c() : () -> ()
      return }
    %0 = "d.value"() : () -> i32
    func.func private @b() { call @external() : () -> ()
      call @b() : () -> ()
      return }
    func.func private @external()
    func.func private @c() { call @a() : () -> ()
      call @b() : () -> ()
      return }
    "d.use"(%0) {to = @b} : (i32) -> ()
    "d.symbol"() {sym_name = "whole", sym_visibility = "private", to = @a} : () -> ()
    func.func @d() attributes {to = @whole, x = distinct[0]<unit>} { return }
    func.func @e() attributes {to = @whole, x = distinct[0]<unit>} { return }
    llvm.mlir.global internal @data(1 : i32) : i32
    llvm.func @f() { %1 = llvm.mlir.addressof @data : !llvm.ptr
      llvm.return }
    module @nested { func.func @a() { return } }"#;

#[test]
fn linking_the_parts_gives_the_module() {
    let text = format!("module @m attributes {{d.a = 1}} {{ {MIXED} }}");
    for by in [SplitBy::Symbol, SplitBy::Group] {
        for references in [
            References::Declarations,
            References::Bodies,
            References::Open,
        ] {
            for max_parts in [None, Some(1), Some(3)] {
                let mut options = SplitOptions::default();
                (options.by, options.references, options.max_parts) = (by, references, max_parts);
                let mut ir = parse(&text);
                let mut parts = ir.split(&options).unwrap();
                let expected = match (max_parts, by) {
                    (Some(most), _) => most,
                    (None, SplitBy::Symbol) => 11,
                    (None, SplitBy::Group) => 9,
                };
                assert_eq!(parts.len(), expected, "{by:?} {references:?}");
                // Parts are whole modules.
                if references != References::Open {
                    parts.iter_mut().for_each(judge);
                }
                for backwards in [false, true] {
                    let mut inputs: Vec<&Ir> = parts.iter().collect();
                    if backwards {
                        inputs.reverse();
                    }
                    let mut linked = rmlir::link(&inputs, &LinkOptions::default()).unwrap();
                    // By symbol, a distinct attribute of several parts becomes several.
                    if by == SplitBy::Group || max_parts == Some(1) {
                        assert_equal(&linked, &ir);
                        judge(&mut linked);
                    }
                }
            }
        }
    }
}

/// Several parts have a copy of a symbol in which operations use values that come later.
#[test]
fn copies_in_several_parts_use_their_own_values() {
    let text = r#"
      module @shared {
        "t.symbol"() ({
        ^bb0(%x: i32):
          "t.end"() : () -> ()
        }) {sym_name = "inner"} : () -> ()
        %0 = "t.first"(%1, %2, %1) : (i32, i64, i32) -> i32
        %1 = "t.second"(%0) : (i32) -> i32
        %2 = "t.third"(%1, %0) : (i32, i32) -> i64
      }
      "t.symbol"() {sym_name = "a", uses = @shared} : () -> ()
      "t.symbol"() {sym_name = "b", uses = @shared} : () -> ()
      "t.symbol"() {sym_name = "c", uses = @shared} : () -> ()"#;
    let mut ir = parse(text);
    let mut options = SplitOptions::default();
    options.references = References::Bodies;
    let mut parts = ir.split(&options).unwrap();
    assert_eq!(parts.len(), 4);
    let shared = ir.symbol("shared").unwrap();
    for part in &mut parts {
        judge(part);
        let copy = part.symbol("shared").unwrap();
        let difference = semantic_difference(copy, shared, &EqualityOptions::default());
        assert!(difference.is_none(), "{difference:?}");
    }
    let parts: Vec<&Ir> = parts.iter().collect();
    assert_equal(&rmlir::link(&parts, &LinkOptions::default()).unwrap(), &ir);
}

#[test]
fn an_operation_that_is_imported_twice_uses_its_own_values() {
    let from = parse(
        r#"module @m {
             %0 = "t.first"(%1, %1) : (i32, i32) -> i32
             %1 = "t.second"(%0) : (i32) -> i32
           }"#,
    );
    let m = from.op();
    let mut to = parse("module {}");
    let (context, module) = to.parts_mut();
    let mut map = ImportMap::new();
    let twice = [m.id(), m.id()];
    let copies = module
        .import(context, from.parts(), &twice, &mut map)
        .unwrap();
    for copy in copies {
        let difference = semantic_difference(to.get(copy), m, &EqualityOptions::default());
        assert!(difference.is_none(), "{difference:?}");
    }
}

#[test]
fn open_references_of_parts_are_renamed_with_the_symbol() {
    let module = |name: &str| {
        format!(
            "func.func @{name}() {{ call @local() : () -> ()\n return }}
             func.func private @local() {{ return }}"
        )
    };
    let (mut a, mut b) = (parse(&module("a")), parse(&module("b")));
    let mut options = SplitOptions::default();
    for references in [
        References::Declarations,
        References::Bodies,
        References::Open,
    ] {
        options.references = references;
        let (a, b) = (a.split(&options).unwrap(), b.split(&options).unwrap());
        // The parts of both in turn.
        let inputs = [&a[0], &b[0], &a[1], &b[1]];
        let mut linked = rmlir::link(&inputs, &LinkOptions::default()).unwrap();
        judge(&mut linked);
        let renamed = module("b").replace("@local", "@local_0");
        expect(&linked, &format!("{}\n{renamed}", module("a")));
    }
}

#[test]
fn some_of_the_parts_are_a_part() {
    let mut ir = parse(MIXED);
    let mut options = SplitOptions::default();
    options.by = SplitBy::Group;
    let parts = ir.split(&options).unwrap();
    let default = LinkOptions::default();
    let (first, second) = parts.split_at(parts.len() / 2);
    let half = |parts: &[Ir]| rmlir::link(&parts.iter().collect::<Vec<_>>(), &default).unwrap();
    let (mut first, mut second) = (half(first), half(second));
    judge(&mut first);
    judge(&mut second);
    assert_equal(&rmlir::link(&[&second, &first], &default).unwrap(), &ir);
    // A part is not split again.
    assert!(first.split(&options).is_err());
}

#[test]
fn parts_that_were_edited_are_linked() {
    let mut ir = parse(MIXED);
    let parts = ir.split(&SplitOptions::default()).unwrap();
    // A pass adds a helper of the same name to two parts.
    let helper = "func.func private @helper() { return }";
    let edited: Vec<Ir> = parts
        .into_iter()
        .enumerate()
        .map(|(number, mut part)| {
            if number < 2 {
                let other = parse(helper);
                let op = other.symbol("helper").unwrap().id();
                part.import(&other, &[op]).unwrap();
            }
            part
        })
        .collect();
    let inputs: Vec<&Ir> = edited.iter().collect();
    let mut linked = rmlir::link(&inputs, &LinkOptions::default()).unwrap();
    judge(&mut linked);
    assert!(linked.symbol("helper").is_some() && linked.symbol("helper_0").is_some());
    assert_eq!(
        linked.op().children().count(),
        ir.op().children().count() + 2
    );
}

#[test]
fn a_symbol_that_uses_values_of_others_stays_with_them() {
    let mut ir = parse(
        "%0 = \"d.value\"() : () -> i32
         \"d.symbol\"() ({ \"d.in\"(%0) : (i32) -> () }) {sym_name = \"tied\"} : () -> ()
         \"d.symbol\"() {sym_name = \"user\", to = @tied} : () -> ()
         func.func @f() attributes {to = @user} { return }
         func.func @g() { call @f() : () -> ()\n return }
         func.func @h() { return }",
    );
    for references in [
        References::Declarations,
        References::Bodies,
        References::Open,
    ] {
        let mut options = SplitOptions::default();
        options.references = references;
        let mut parts = ir.split(&options).unwrap();
        assert_eq!(parts.len(), 2);
        parts.iter_mut().for_each(judge);
        let linked = rmlir::link(&[&parts[1], &parts[0]], &LinkOptions::default()).unwrap();
        assert_equal(&linked, &ir);
    }
}

#[test]
fn a_part_given_twice_is_a_redefinition() {
    let mut ir = parse(MIXED);
    let parts = ir.split(&SplitOptions::default()).unwrap();
    let error = rmlir::link(&[&parts[0], &parts[0]], &LinkOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("redefinition of symbol named 'a'")
    );
}

#[test]
fn an_empty_module_and_a_malformed_part() {
    let mut ir = parse("module attributes {d.a} {}");
    let parts = ir.split(&SplitOptions::default()).unwrap();
    assert_eq!(parts.len(), 1);
    assert_equal(
        &rmlir::link(&[&parts[0]], &LinkOptions::default()).unwrap(),
        &ir,
    );
    let broken = parse("module attributes {rmlir.part = 5} {}");
    let error = rmlir::link(&[&broken], &LinkOptions::default()).unwrap_err();
    assert!(error.to_string().contains("'rmlir.part' is malformed"));
}
