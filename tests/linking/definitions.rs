//! Definitions, declarations and names of modules that are linked.

use super::*;

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
    link_error(
        &[f, g],
        &DEDUPE(),
        &[
            "b.mlir:3:1: error: redefinition of symbol named 'f', and the definitions are not equal: \
             func.func @f / operation 0 (arith.constant): inherent attribute `value` differs",
        ],
    );
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
        &format!("{same}\nfunc.func @user() {{ call @local() : () -> ()\n return }}"),
    );
    // They call functions of one name that differ.
    let differs = format!("{f}\nfunc.func private @local() {{ call @f() : () -> ()\n return }}");
    link_error(
        &[&same, &differs],
        &DEDUPE(),
        &["redefinition of symbol named 'f'"],
    );
    // Each has its own counter.
    let reason = "the definition refers to local symbol 'n', and it is not a function";
    let counter = "func.func @f() -> memref<i32> { %0 = memref.get_global @n : memref<i32>
        return %0 : memref<i32> }
        memref.global \"private\" @n : memref<i32> = dense<0>";
    link_error(
        &[counter, counter],
        &DEDUPE(),
        &["redefinition of symbol named 'f'", reason],
    );
}

#[test]
fn local_functions_of_equal_definitions_are_one_for_all_that_refers_to_them() {
    let routine = "acc.routine @routine func(@local) seq
        func.func private @local() attributes {acc.routine_info = #acc.routine_info<[@routine]>} {
          return
        }";
    let user = |name: &str| {
        format!("{routine}\nfunc.func @{name}() {{ call @local() : () -> ()\n return }}")
    };
    // A module without the routine, which has another function of the name.
    let other = "func.func @third() { call @local() : () -> ()\n return }
        func.func private @local() { call @third() : () -> ()\n return }";
    let (a, b) = (user("first"), user("second"));
    let [a, b, other] = [&a, &b, other].map(parse);
    let mut linked = rmlir::link(&[&other, &a, &b], &DEDUPE()).unwrap();
    judge(&mut linked);
    expect(
        &linked,
        "func.func @third() { call @local() : () -> ()
           return }
         func.func private @local() { call @third() : () -> ()
           return }
         acc.routine @routine func(@local_0) seq
         func.func private @local_0() attributes {acc.routine_info = #acc.routine_info<[@routine]>} {
           return
         }
         func.func @first() { call @local_0() : () -> ()
           return }
         func.func @second() { call @local_0() : () -> ()
           return }",
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

#[test]
fn locations_in_attributes_do_not_make_definitions_different() {
    // `hw.module` has the locations of its results in an attribute.
    let module = |name: &str, width: u32| {
        format!(
            "hw.module @inner(in %x : i{width}, out y : i{width}) {{ hw.output %x : i{width} }}
             hw.module @{name}(in %x : i{width}, out y : i{width}) {{
               %0 = hw.instance \"i\" @inner(x: %x: i{width}) -> (y: i{width})
               hw.output %0 : i{width}
             }}"
        )
    };
    let [a, b] = ["a", "b"].map(|name| parse_named(&module(name, 1), &format!("{name}.mlir")));
    let linked = rmlir::link(&[&a, &b], &DEDUPE()).unwrap();
    let names: Vec<String> = linked
        .op()
        .children()
        .map(|op| op.symbol_name().unwrap().to_string())
        .collect();
    assert_eq!(names, ["inner", "a", "b"]);
    linked.to_string();
    let error = ["redefinition of symbol named 'inner'"];
    link_error(&[&module("a", 1), &module("b", 2)], &DEDUPE(), &error);
    let located = |name: &str, kind: &str| {
        let text = format!("\"d.f\"() {{sym_name = \"f\", at = [{kind}(\"x\":1:2)]}} : () -> ()");
        parse_named(&text, name)
    };
    let [a, b] = ["a", "b"].map(|name| located(name, &format!("#d.p<{name}>, loc")));
    rmlir::link(&[&a, &b], &DEDUPE()).unwrap_err();
    let [a, b] = ["a", "b"].map(|name| located(name, "loc"));
    rmlir::link(&[&a, &b], &DEDUPE()).unwrap();
}

#[test]
fn several_errors_are_reported() {
    let first = "module attributes {d.a = 1} {
      func.func @f() { return }
      func.func @g() { return }
      func.func private @h(i32)
    }";
    let second = "module attributes {d.a = 2} {
      func.func @f() { return }
      func.func @g() { return }
      func.func @h(%x: i64) { return }
    }";
    let messages = [
        "redefinition of symbol named 'f'",
        "redefinition of symbol named 'g'",
        "declaration of symbol 'h' does not match",
        "attribute 'd.a' of the modules differs",
    ];
    link_error(&[first, second], &LinkOptions::default(), &messages);
    let modules = [first, second].map(parse);
    for most in 0..6 {
        let mut options = LinkOptions::default();
        options.max_errors = most;
        let error = rmlir::link(&[&modules[0], &modules[1]], &options).unwrap_err();
        let found = error.diagnostics().count();
        assert_eq!(found, most.clamp(1, messages.len()), "{error}");
    }
}
