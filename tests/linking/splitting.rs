//! Modules that are split, and linked again.

use super::*;

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
        for references in ALL {
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
    for references in ALL {
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
    for references in ALL {
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
fn a_part_given_twice_is_an_error() {
    let mut ir = parse(MIXED);
    let parts = ir.split(&SplitOptions::default()).unwrap();
    let error = rmlir::link(&[&parts[0], &parts[0]], &LinkOptions::default()).unwrap_err();
    let message = "symbol 'a' is in two inputs that are parts of one module";
    assert!(error.to_string().contains(message), "{error}");
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

#[test]
fn parts_that_are_linked_twice_are_an_error_or_one() {
    let split = |text: &str, most: Option<usize>| {
        let mut options = SplitOptions::default();
        options.max_parts = most;
        parse(text).split(&options).unwrap()
    };
    let (one, again, coarse) = (
        split(MIXED, None),
        split(MIXED, None),
        split(MIXED, Some(3)),
    );
    let expected = parse(MIXED);
    for others in [&again, &coarse] {
        let all: Vec<&Ir> = one.iter().chain(others).collect();
        let error = rmlir::link(&all, &LinkOptions::default()).unwrap_err();
        let errors: Vec<_> = error.diagnostics().collect();
        // One for each pair of parts, with both places.
        assert_eq!(errors.len(), one.len(), "{error}");
        assert!(errors.iter().all(|error| error.notes.len() == 1), "{error}");
        for message in [
            "symbol 'a' is in two inputs that are parts of one module, or of equal modules",
            "an operation without a name is in two inputs that are parts of one module",
            "note: the other part is here",
        ] {
            assert!(error.to_string().contains(message), "{error}");
        }
        let mut linked = rmlir::link(&all, &DEDUPE()).unwrap();
        judge(&mut linked);
        assert_equal_content(&linked, &expected);
    }
    // Parts that a pass changed are not equal.
    for (from, to, message) in [
        (
            "@a() : () -> ()",
            "@b() : () -> ()",
            "redefinition of symbol named 'c'",
        ),
        (
            "{to = @b}",
            "{to = @c}",
            "an operation without a name is in two inputs",
        ),
    ] {
        let mut changed: Vec<Ir> = Vec::new();
        for part in &again {
            let text = part.to_string();
            changed.extend(text.contains(from).then(|| parse(&text.replace(from, to))));
        }
        let all: Vec<&Ir> = one.iter().chain(&changed).collect();
        let error = rmlir::link(&all, &DEDUPE()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // The same part alone, and as a copy that another part has.
    let twice = rmlir::link(&[&one[0], &again[0]], &DEDUPE()).unwrap();
    assert_equal_content(&twice, &one[0]);
}
