//! Pieces of one module that are linked again.

use super::*;

const ONE_SCOPE: fn() -> LinkOptions = || {
    let mut options = LinkOptions::default();
    options.one_scope = true;
    options
};

/// Returns the pieces of a module that have these symbols, each with declarations of the symbols
/// that it refers to.
fn pieces(text: &str, wanted: &[&[&str]]) -> Vec<Ir> {
    let piece = |path: &&[&str]| {
        let mut ir = parse(text);
        let (context, module) = ir.parts_mut();
        let mut operation = module.top();
        for name in *path {
            let nested: Vec<Operation> = module
                .regions(operation)
                .flat_map(|region| module.blocks(region))
                .flat_map(|block| module.operations(block))
                .collect();
            operation = nested
                .into_iter()
                .find(|&op| {
                    let found = module.symbol_name(context, op);
                    found.is_some_and(|found| context.bytes(found) == name.as_bytes())
                })
                .unwrap();
        }
        extract_with_declarations(context, module, &[operation]).unwrap();
        ir
    };
    wanted.iter().map(piece).collect()
}

#[test]
fn excerpts_of_nested_symbol_tables_are_joined() {
    let text = "module attributes {gpu.container_module} {
        gpu.module @outer {
          func.func private @a() { call @b() : () -> ()
            return }
          func.func private @b() { call @c() : () -> ()
            return }
          func.func @c() { return }
          builtin.module @inner {
            func.func @d() { call @e() : () -> ()
              return }
            func.func private @e() { return }
          }
        }
        llvm.func @f() { llvm.return }
      }";
    let wanted: [&[&str]; 6] = [
        &["outer", "a"],
        &["outer", "b"],
        &["outer", "c"],
        &["outer", "inner", "d"],
        &["outer", "inner", "e"],
        &["f"],
    ];
    let pieces = pieces(text, &wanted);
    let all: Vec<&Ir> = pieces.iter().collect();
    let mut linked = rmlir::link(&all, &ONE_SCOPE()).unwrap();
    judge(&mut linked);
    assert_equal_content(&linked, &parse(text));
}

#[test]
fn excerpts_that_contradict_each_other_are_an_error() {
    let module = |content: &str| format!("module {{ module @m {{\n{content}\n}} }}");
    let f = module("func.func @f() { return }");
    link_error(
        &[&f, &f],
        &ONE_SCOPE(),
        &[
            "b.mlir:2:1: error: symbol 'f' in 'm' is defined in both modules",
            "a.mlir:2:1: note: the other symbol is here",
        ],
    );
    link_error(
        &[&f, &module("func.func private @f(i32)")],
        &ONE_SCOPE(),
        &[
            "b.mlir:2:1: error: declaration of symbol 'f' does not match",
            "a.mlir:2:1: note: the definition is here",
        ],
    );
    link_error(
        &[&f, "module { module @m attributes {d.a} {} }"],
        &ONE_SCOPE(),
        &["redefinition of symbol named 'm'"],
    );
    let mut dedupe = ONE_SCOPE();
    dedupe.dedupe = true;
    let (a, b) = (
        parse(&f),
        parse(&module(
            "func.func @f() { return }\nfunc.func @g() { return }",
        )),
    );
    let mut linked = rmlir::link(&[&a, &b], &dedupe).unwrap();
    judge(&mut linked);
    assert_equal_content(&linked, &b);
}

/// Separately extracted pieces do not share the identity of distinct attributes.
#[test]
fn distinct_attributes_of_pieces_stay_different() {
    let text = "module {
        func.func @a() attributes {x = distinct[0]<1 : i32>} { return }
        func.func @b() attributes {x = distinct[0]<1 : i32>} { return }
      }";
    let all = pieces(text, &[&["a"], &["b"]]);
    let all: Vec<&Ir> = all.iter().collect();
    let mut linked = rmlir::link(&all, &ONE_SCOPE()).unwrap();
    judge(&mut linked);
    assert_equal_content(
        &linked,
        &parse(&text.replacen("distinct[0]", "distinct[1]", 1)),
    );
}

/// What uses arguments of a symbol table, or results of a symbol that several excerpts have, uses
/// those that stay.
#[test]
fn values_of_joined_symbol_tables_are_one() {
    let text = r#"module {
        fsm.machine @m(%x: i1, %y: i1) -> i1 attributes {initialState = "A"} {
          fsm.state @A output { fsm.output %x : i1 } transitions { fsm.transition @B guard { fsm.return %y } }
          fsm.state @B output { fsm.output %y : i1 } transitions {}
          fsm.state @C output { fsm.output %y : i1 } transitions {}
        }
      }"#;
    let mut dedupe = ONE_SCOPE();
    dedupe.dedupe = true;
    let all = pieces(text, &[&["m", "A"], &["m", "B"], &["m", "C"]]);
    let all: Vec<&Ir> = all.iter().collect();
    assert_equal_content(&rmlir::link(&all, &dedupe).unwrap(), &parse(text));

    let module = |uses: &str| {
        format!(
            "module {{ module @m {{
               %0 = \"d.symbol\"() {{sym_name = \"s\"}} : () -> i32
               {uses}
             }} }}"
        )
    };
    let uses = [
        r#""d.use"(%0) {n = 1} : (i32) -> ()"#,
        r#""d.use"(%0) {n = 2} : (i32) -> ()"#,
    ];
    let (a, b) = (parse(&module(uses[0])), parse(&module(uses[1])));
    let mut linked = rmlir::link(&[&a, &b], &dedupe).unwrap();
    judge(&mut linked);
    assert_equal_content(&linked, &parse(&module(&uses.join("\n"))));
}
