//! Parts of modules that are linked with other modules and in several steps, and attributes of
//! modules that refer to symbols.

use super::*;

fn unverified(text: &str) -> Ir {
    parse_named(text, "-")
}

/// `mlir-opt-22` accepts it.
fn accepted(ir: &Ir) {
    mlir_opt(ir.to_string().as_bytes(), &[]);
}

fn split(ir: &mut Ir, references: References) -> Vec<Ir> {
    let mut options = SplitOptions::default();
    options.references = references;
    ir.split(&options).unwrap()
}

fn choosing(choice: ModuleAttributes) -> LinkOptions {
    let mut options = LinkOptions::default();
    options.module_attributes = choice;
    options
}

// Attributes of modules.

#[test]
fn references_in_attributes_of_modules_are_renamed() {
    let c = parse_named(
        "func.func private @p() attributes {t.tag = \"C\"} { return }",
        "c.mlir",
    );
    let text = "module attributes {t.main = @p, t.more = [#d.ref<@p>]} {
        func.func private @p() attributes {t.tag = \"B\"} { return } }";
    let b = parse_named(text, "b.mlir");
    let renamed = "func.func private @p_0() attributes {t.tag = \"B\"} { return }";
    for choice in [ModuleAttributes::Last, ModuleAttributes::Union] {
        let linked = rmlir::link(&[&c, &b], &choosing(choice)).unwrap();
        let expected = format!(
            "module attributes {{t.main = @p_0, t.more = [#d.ref<@p_0>]}} {{
               func.func private @p() attributes {{t.tag = \"C\"}} {{ return }}
               {renamed} }}"
        );
        assert_equal_content(&linked, &unverified(&expected));
    }
    let linked = rmlir::link(&[&b, &c], &choosing(ModuleAttributes::First)).unwrap();
    let expected = text.replace("return } }", "return } ")
        + "func.func private @p_0() attributes {t.tag = \"C\"} { return } }";
    assert_equal_content(&linked, &unverified(&expected));
    // One attribute cannot denote two symbols.
    let other = parse_named(text, "other.mlir");
    for choice in [ModuleAttributes::Equal, ModuleAttributes::Union] {
        assert_error(
            &[&b, &other],
            &choosing(choice),
            &[
                "other.mlir:1:1: error: attribute 't.main' of the modules differs",
                "b.mlir:1:1: note: the other module is here",
            ],
        );
    }
    let last = rmlir::link(&[&b, &other], &choosing(ModuleAttributes::Last)).unwrap();
    assert!(last.to_string().contains("t.main = @p_0"));
    // Both denote one public symbol.
    let shared = "module attributes {t.main = @p} { func.func private @p() }";
    let defined = "module attributes {t.main = @p} { func.func @p() { return } }";
    assert_equal_content(
        &link_modules(&[&unverified(shared), &unverified(defined)]),
        &unverified(defined),
    );
}

#[test]
fn attributes_of_modules_do_not_get_captured() {
    // It refers to a symbol outside.
    let outside = unverified("module attributes {t.main = @p} {}");
    let local = unverified(
        "module attributes {t.main = @x} {
        func.func private @p() { return }
        func.func @f() { call @p() : () -> ()\n return } }",
    );
    let linked = rmlir::link(&[&outside, &local], &choosing(ModuleAttributes::First)).unwrap();
    assert!(linked.symbol("p_0").is_some() && linked.symbol("p").is_none());
}

#[test]
fn parts_have_the_symbols_of_attributes_of_the_module() {
    let text = "module attributes {t.main = #d.affinity<@device>} {
           memref.global \"private\" @device : memref<i32> = dense<0>
           func.func @a() { return }
           func.func @b() { return }
         }";
    let mut ir = unverified(text);
    for references in ALL {
        let parts = split(&mut ir, references);
        assert_eq!(parts.len(), 3);
        if references != References::Open {
            assert!(parts.iter().all(|part| part.symbol("device").is_some()));
        }
        assert_equal(&link_modules(&parts.iter().collect::<Vec<_>>()), &ir);
        // A name that other modules define.
        let text = "module attributes {t.main = #d.affinity<@device>} {
            memref.global @device : memref<i32> = dense<7> }";
        let stranger = unverified(text);
        let message = match references {
            References::Bodies => "local symbol 'device' cannot be renamed",
            _ => "symbol 'device' is local to a module that was split",
        };
        assert_error(&[&parts[1], &stranger], &LinkOptions::default(), &[message]);
    }
    for references in [References::Declarations, References::Bodies] {
        let mut extracted = unverified(text);
        extracted.extract(&["@a"], references).unwrap();
        assert!(extracted.symbol("device").is_some(), "{references:?}");
        assert!(extracted.symbol("b").is_none());
    }
}

#[test]
fn attributes_around_an_extracted_symbol_refer_to_symbols() {
    let text = "module {
        func.func @of_inner() { return }
        func.func @other() { return }
        module @inner attributes {t.to = @of_inner} { func.func @f() { return } }
    }";
    for references in [References::Declarations, References::Bodies] {
        let mut ir = unverified(text);
        ir.extract(&["@inner::@f"], references).unwrap();
        assert!(
            ir.symbol("of_inner").is_some() && ir.symbol("other").is_none(),
            "{ir}"
        );
        let mut ir = unverified(text);
        ir.extract(&["@inner"], references).unwrap();
        assert!(
            ir.symbol("of_inner").is_some() && ir.symbol("other").is_none(),
            "{ir}"
        );
    }
}

#[test]
fn all_properties_of_modules_are_joined() {
    let a = unverified("module @name attributes {d.a} {}");
    let b = unverified("module attributes {sym_visibility = \"private\", d.b} {}");
    let linked = rmlir::link(&[&a, &b], &choosing(ModuleAttributes::Union)).unwrap();
    let expected = "module @name attributes {sym_visibility = \"private\", d.a, d.b} {}";
    assert_equal_content(&linked, &unverified(expected));
    let other = unverified("module @other {}");
    assert_error(
        &[&a, &other],
        &choosing(ModuleAttributes::Union),
        &["attribute 'sym_name' of the modules differs"],
    );
}

// Parts.

const A: &str = "func.func @a() -> i32 { %0 = call @p() : () -> i32\n return %0 : i32 }
    func.func private @p() -> i32 { %0 = arith.constant 1 : i32\n return %0 : i32 }";

#[test]
fn no_other_module_defines_a_local_symbol_of_a_missing_part() {
    let mut a = unverified(A);
    for references in [References::Declarations, References::Open] {
        let parts = split(&mut a, references);
        for stranger in [
            "func.func @p() -> i32 { %0 = arith.constant 2 : i32\n return %0 : i32 }",
            "func.func private @p() -> i32
             func.func @user() -> i32 { %0 = call @p() : () -> i32\n return %0 : i32 }",
            "\"d.op\"() {to = @p} : () -> ()",
        ] {
            let stranger = unverified(stranger);
            for inputs in [[&parts[0], &stranger], [&stranger, &parts[0]]] {
                let parts = [
                    "symbol 'p' is local to a module that was split",
                    "note: the other use of the name is here",
                ];
                assert_error(&inputs, &LinkOptions::default(), &parts);
            }
        }
        // A local symbol of another module gives way.
        let local = unverified(
            "func.func private @p() -> i64 { %0 = arith.constant 3 : i64\n return %0 : i64 }
             func.func @user() -> i64 { %0 = call @p() : () -> i64\n return %0 : i64 }",
        );
        let linked = link_modules(&[&local, &parts[0]]);
        assert!(
            linked.to_string().contains("call @p_0() : () -> i64"),
            "{linked}"
        );
        assert!(
            linked.to_string().contains("call @p() : () -> i32"),
            "{linked}"
        );
        // With the missing part, the public one is another symbol.
        let public =
            unverified("func.func @p() -> i64 { %0 = arith.constant 3 : i64\n return %0 : i64 }");
        let linked = link_modules(&[&parts[0], &parts[1], &public]);
        let text = linked.to_string();
        assert!(
            text.contains("call @p_0() : () -> i32") && !text.contains("rmlir.part"),
            "{text}"
        );
    }
}

#[test]
fn a_local_symbol_that_missing_parts_may_use_keeps_its_name() {
    let mut a = unverified(A);
    let parts = split(&mut a, References::Declarations);
    let public =
        unverified("func.func @p() -> i64 { %0 = arith.constant 3 : i64\n return %0 : i64 }");
    assert_error(
        &[&parts[1], &public],
        &LinkOptions::default(),
        &["local symbol 'p' cannot be renamed, since parts of its module are missing"],
    );
}

#[test]
fn parts_are_linked_with_other_modules_in_steps() {
    let text = "func.func @a() { call @p() : () -> ()\n call @other() : () -> ()
          return }
        func.func private @p() { call @b() : () -> ()
          return }
        func.func @b() { call @p() : () -> ()
          return }
        func.func private @other()";
    let other = "func.func @other() { call @q() : () -> ()\n return }
        func.func private @q() { return }";
    let (mut ir, other) = (unverified(text), unverified(other));
    for references in ALL {
        let parts = split(&mut ir, references);
        let all: Vec<&Ir> = parts.iter().chain([&other]).collect();
        let at_once = link_modules(&all);
        for first in 0..parts.len() {
            let step = link_modules(&[&parts[first], &other]);
            assert!(step.to_string().contains("rmlir.part"));
            let rest = (0..parts.len()).filter(|&n| n != first);
            let mut inputs: Vec<&Ir> = rest.map(|number| &parts[number]).collect();
            inputs.insert(0, &step);
            let linked = link_modules(&inputs);
            let functions = |ir: &Ir| {
                let text = ir.to_string();
                let mut all: Vec<String> = text.split("  func.").map(str::to_owned).collect();
                all.sort();
                all.iter()
                    .map(|one| one.trim_end_matches(['}', '\n']).to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                functions(&linked),
                functions(&at_once),
                "{references:?} {first}"
            );
            assert!(!linked.to_string().contains("rmlir.part"));
        }
    }
    // Of two modules of which parts are missing, the result can be a part of one only.
    let mut second = unverified(&text.replace('@', "@second_"));
    let parts = [split(&mut ir, ALL[0]), split(&mut second, ALL[0])];
    assert_error(
        &[&parts[0][0], &parts[1][0]],
        &LinkOptions::default(),
        &["parts of two modules that were split are missing"],
    );
}

#[test]
fn open_references_stay_until_all_parts_are_linked() {
    let mut ir = unverified(
        "func.func @a() { call @p() : () -> ()\n return }
         func.func @b() { call @p() : () -> ()\n return }
         func.func private @p() { return }",
    );
    let parts = split(&mut ir, References::Open);
    let some = link_modules(&[&parts[0], &parts[1]]);
    let stranger = unverified("func.func @p() { return }");
    assert_error(
        &[&some, &stranger],
        &LinkOptions::default(),
        &["symbol 'p' is local to a module that was split"],
    );
    assert_equal(&link_modules(&[&some, &parts[2]]), &ir);
    let private = unverified("func.func private @p() { return }");
    let linked = link_modules(&[&some, &parts[2], &private]);
    assert_eq!(linked.op().children().count(), 4);
    assert!(linked.symbol("p").is_some() && linked.symbol("p_0").is_some());
}

#[test]
fn a_local_definition_that_was_erased_is_missing() {
    let mut ir = unverified(A);
    let mut parts = split(&mut ir, References::Declarations);
    let p = parts[1].symbol("p").unwrap().id();
    parts[1].parts_mut().1.erase_operation(p).unwrap();
    assert_error(
        &[&parts[0], &parts[1]],
        &LinkOptions::default(),
        &[
            "symbol 'p' is local to the module that was split, and is missing from its part",
            "note: the part is here",
        ],
    );
}

#[test]
fn copies_with_another_type_do_not_match() {
    let mut ir = unverified(A);
    let parts = split(&mut ir, References::Bodies);
    let text = parts[0].to_string().replace("i32", "i64");
    let text = text
        .replace("array<i64", "array<i32")
        .replace("array<i32", "array<i64");
    let changed = unverified(&text);
    assert_error(
        &[&changed, &parts[1]],
        &LinkOptions::default(),
        &["definition of symbol 'p' does not match: 'function_type' is () -> i64, and () -> i32"],
    );
}

/// By symbol, the parts share distinct attributes, and as files each has its own.
#[test]
fn distinct_attributes_of_parts_are_one_again() {
    let mut ir = unverified(
        "func.func @a() attributes {x = distinct[0]<distinct[1]<unit>>} { return }
         func.func @b() attributes {x = distinct[0]<distinct[1]<unit>>} { return }
         func.func @c() attributes {y = [distinct[1]<unit>], z = distinct[2]<unit>} { return }
         func.func @d() { return } loc(fused<distinct[1]<unit>>[\"a\"])",
    );
    for by in [SplitBy::Symbol, SplitBy::Group] {
        let mut options = SplitOptions::default();
        options.by = by;
        let mut parts = ir.split(&options).unwrap();
        for form in [Form::Rmbc, Form::Mlirbc] {
            let files = parts.iter_mut().map(|part| {
                let bytes = part.to_bytes(form, &WriteOptions::default()).unwrap();
                rmlir::read(bytes).unwrap()
            });
            let files: Vec<Ir> = files.collect();
            assert_equal(&link_modules(&files.iter().rev().collect::<Vec<_>>()), &ir);
            if by == SplitBy::Symbol {
                let first = link_modules(&[&files[0], &files[3]]);
                assert_equal(&link_modules(&[&files[1], &first, &files[2]]), &ir);
            }
        }
    }
}

#[test]
fn a_malformed_part_is_an_error() {
    let mut ir = unverified(
        "func.func @a() attributes {x = distinct[0]<unit>} { return }
        func.func @b() attributes {x = distinct[0]<unit>} { return }",
    );
    let part = split(&mut ir, References::Declarations)
        .remove(0)
        .to_string();
    for (old, new) in [
        ("distincts = [distinct[0]<>]", "distincts = [unit]"),
        (
            "distinct_numbers = array<i64: 0>",
            "distinct_numbers = array<i64>",
        ),
        ("local = []", "local = [5]"),
        ("parts = 2 : i64", "parts = unit"),
        ("parts = 2 : i64", "parts = 0 : i64"),
        ("operations = 2 : i64", "operations = 0 : i64"),
        (" positions = array<i64: 0>", " positions = array<i64: 7>"),
        ("others = array<i64>", "others = array<i64: 0>"),
        (
            "numbers = array<i64: 0>, of",
            "numbers = array<i64: 0, 0>, of",
        ),
    ] {
        assert!(part.contains(old), "{old}: {part}");
        let broken = unverified(&part.replace(old, new));
        let message = "the attribute 'rmlir.part' is malformed";
        assert_error(&[&broken], &LinkOptions::default(), &[message]);
    }
    // Another number of operations than the other part has.
    let more = unverified(&part.replace("operations = 2 : i64", "operations = 3 : i64"));
    let message = "the attributes 'rmlir.part' of two parts of one module contradict each other";
    let other = split(&mut ir, References::Declarations).remove(1);
    assert_error(&[&more, &other], &LinkOptions::default(), &[message]);
}

// Definitions that must not be declarations.

const NEEDING: &str = "llvm.func @resolver() -> !llvm.ptr {
      %0 = llvm.mlir.zero : !llvm.ptr
      llvm.call @callee() : () -> ()
      llvm.return %0 : !llvm.ptr
    }
    llvm.func @callee() { llvm.return }
    llvm.mlir.ifunc external @f : !llvm.func<void ()>, !llvm.ptr @resolver
    llvm.mlir.global external @data(1 : i32) : i32
    llvm.mlir.alias external @name : i32 {
      %0 = llvm.mlir.addressof @data : !llvm.ptr
      llvm.return %0 : !llvm.ptr
    }
    llvm.func @labels() {
      llvm.blocktag <id = 0>
      llvm.return
    }
    llvm.func @user() {
      %0 = llvm.mlir.addressof @labels : !llvm.ptr
      %1 = llvm.blockaddress <function = @labels, tag = <id = 0>> : !llvm.ptr
      %2 = llvm.mlir.addressof @name : !llvm.ptr
      llvm.call @f() : () -> ()
      llvm.return
    }";

#[test]
fn symbols_that_must_be_definitions_are_not_declared() {
    let mut ir = unverified(NEEDING);
    let parts = split(&mut ir, References::Declarations);
    assert_eq!(parts.len(), 7);
    let has_body = |ir: &Ir, name: &str| {
        let (context, module) = ir.parts();
        let symbol = ir.symbol(name).unwrap_or_else(|| panic!("{name}: {ir}"));
        !module.is_declaration(context, symbol.id())
    };
    let user = &parts[6];
    for name in ["labels", "data", "resolver", "name", "f"] {
        assert!(has_body(user, name), "{name}: {user}");
    }
    // What these refer to is declared.
    assert!(!has_body(user, "callee"));
    assert!(has_body(&parts[2], "resolver") && has_body(&parts[4], "data"));
    parts.iter().for_each(accepted);
    assert_equal(&link_modules(&parts.iter().rev().collect::<Vec<_>>()), &ir);
    let mut extracted = unverified(NEEDING);
    extracted
        .extract(&["@user"], References::Declarations)
        .unwrap();
    for name in ["labels", "data", "resolver", "name", "f"] {
        assert!(has_body(&extracted, name), "{name}: {extracted}");
    }
    assert!(!has_body(&extracted, "callee"));
    accepted(&extracted);
}

#[test]
fn aliases_and_ifuncs_resolve_declarations() {
    let user = unverified(
        "llvm.func @f()
         llvm.mlir.global external @object() : i64
         llvm.func @uses() {
           llvm.call @f() : () -> ()
           %0 = llvm.mlir.addressof @object : !llvm.ptr
           llvm.return
         }",
    );
    let definitions = unverified(
        "llvm.func @resolver() -> !llvm.ptr {
           %0 = llvm.mlir.zero : !llvm.ptr
           llvm.return %0 : !llvm.ptr
         }
         llvm.mlir.ifunc external @f : !llvm.func<void ()>, !llvm.ptr @resolver
         llvm.func @real() { llvm.return }
         llvm.mlir.alias external @name : !llvm.func<void ()> {
           %0 = llvm.mlir.addressof @real : !llvm.ptr
           llvm.return %0 : !llvm.ptr
         }
         llvm.mlir.global external @data(1 : i64) : i64
         llvm.mlir.alias external @object : i64 {
           %0 = llvm.mlir.addressof @data : !llvm.ptr
           llvm.return %0 : !llvm.ptr
         }",
    );
    for inputs in [[&user, &definitions], [&definitions, &user]] {
        let linked = link_modules(&inputs);
        assert_eq!(linked.op().children().count(), 7, "{linked}");
        accepted(&linked);
    }
    let function = unverified("llvm.func @name()");
    let linked = link_modules(&[&function, &definitions]);
    assert_equal_content(&linked, &definitions);
    let global = unverified("llvm.mlir.global external @f() : i64");
    assert_error(
        &[&global, &definitions],
        &LinkOptions::default(),
        &["symbol 'f' is declared by 'llvm.mlir.global', and is a 'llvm.mlir.ifunc' elsewhere"],
    );
}

/// CIRCT refers to operations inside `hw.module` by `inner_sym`: a declaration does not have these.
/// The text is accepted by CIRCT 1.156, and so are its parts.
const INNER: &str = r#"
    hw.module @a() {
      %w = sv.wire sym @w : !hw.inout<i1>
      hw.output
    }
    hw.module @b() {
      hw.instance "x" sym @x @a() -> ()
      hw.output
    }
    hw.hierpath private @path [@a::@w]
    emit.file "f" sym @f {
      emit.ref @b
    }
    rtg.target @t : !rtg.dict<> {
    }
    rtg.test @test() target @t {
    }"#;

#[test]
fn names_inside_symbols_need_definitions() {
    let mut ir = parse(INNER);
    let mut parts = split(&mut ir, References::Declarations);
    assert_eq!(parts.len(), 6);
    parts.iter_mut().for_each(|part| part.verify().unwrap());
    let kind = |ir: &Ir, name: &str| ir.symbol(name).map(|op| op.name().into_owned());
    let module = Some("hw.module".to_owned());
    // The instance refers to the module alone.
    assert_eq!(kind(&parts[1], "a").as_deref(), Some("hw.module.extern"));
    assert_eq!(kind(&parts[2], "a"), module);
    assert_eq!(kind(&parts[3], "b"), module);
    assert_eq!(kind(&parts[3], "a").as_deref(), Some("hw.module.extern"));
    assert_eq!(kind(&parts[5], "t").as_deref(), Some("rtg.target"));
    assert_equal(&link_modules(&parts.iter().rev().collect::<Vec<_>>()), &ir);
    let extracted = |symbol: &str| {
        let mut ir = parse(INNER);
        ir.extract(&[symbol], References::Declarations).unwrap();
        ir.verify().unwrap();
        ir
    };
    assert_eq!(kind(&extracted("@path"), "a"), module);
    assert_eq!(kind(&extracted("@f"), "b"), module);
    let declared = kind(&extracted("@b"), "a");
    assert_eq!(declared.as_deref(), Some("hw.module.extern"));
}
