//! Dialects of the user's own in upstream's bytecode: tools that do not know them preserve
//! everything.

#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::format::Source;
use rmlir::ir::{Context, DialectDefinition, EqualityOptions, Module, semantic_difference};
use rmlir::reader::mlirbc::{ReadOptions, read_module};
use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use std::io::Write;
use std::process::{Command, Stdio};

const DEFINITION: &str = "
dialect grid
operations complete
attributes complete
types complete
constraint GridType \"a grid\" = !grid.field<_>
enum Order: i32
  cases row, column, tiled = 4
attribute order
  constraint OrderAttr
  parameters kind: enum<Order>, tile: uint(min(1), max(64)) = 8
  format `<` $kind (`,` $tile^)? `>`
type field
  parameters shape: dims, element: type
  format `<` $shape `,` $element `>`
op kernel
  traits SymbolOpInterface, IsIsolatedFromAbove
  attr sym_name: SymbolNameAttr
  attr sym_visibility: StrAttr optional
  property width: i32 = 3 : i32
  regions body: SizedRegion(1)
  format ($sym_visibility^)? $sym_name attr-dict-with-keyword $body
op yield(values: variadic AnyType)
  traits IsTerminator, ReturnLike
  format attr-dict ($values^ `:` type($values))?
op apply(input: GridType, bias: optional F32, extras: variadic AnyType) -> (first: GridType, rest: variadic AnyType)
  traits AttrSizedOperandSegments
  attr kernel: FlatSymbolRefAttr
  attr order: OrderAttr = #grid.order<row>
  attr steps: I64Attr(min(1), max(100)) = 1 : i64
  regions body: SizedRegion(1)
";

const TEXT: &str = "
grid.kernel \"private\" @relu {
  grid.yield
}
func.func @f(%x: !grid.field<[2, 3], f32>, %b: f32) {
  %0:2 = \"grid.apply\"(%x, %b, %b) <{kernel = @relu, operandSegmentSizes = array<i32: 1, 0, 2>, order = #grid.order<tiled, 16>, steps = 7 : i64}> ({
    grid.yield %b : f32
  }) {grid.note} : (!grid.field<[2, 3], f32>, f32, f32) -> (!grid.field<[2, 3], f32>, f32)
  %1 = \"grid.apply\"(%0#0) <{kernel = @relu, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
    grid.yield
  }) : (!grid.field<[2, 3], f32>) -> !grid.field<[2, 3], f32>
  return
}
";

fn context(family: &str) -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let text = DEFINITION.replace("dialect grid\n", &format!("dialect grid\n{family}"));
    context.register_dialect(DialectDefinition::parse(&text, &()).unwrap());
    context
}

fn parse(context: &mut Context, text: &[u8]) -> Module {
    parse_module(context, text, &ParseOptions::default()).unwrap()
}

fn assert_equal(a: (&Context, &Module), b: (&Context, &Module)) {
    let difference = semantic_difference(a, b, &EqualityOptions { locations: false });
    assert!(difference.is_none(), "{difference:?}");
}

/// Returns the output of `mlir-opt-22` for an input; `None` if it is not installed.
fn mlir_opt(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new("mlir-opt-22")
        .arg("--allow-unregistered-dialect")
        .args(arguments)
        .args(["-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: mlir-opt-22 is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(output.stdout)
}

#[test]
fn other_tools_preserve_what_they_do_not_know() {
    let mut ours = context("");
    let module = parse(&mut ours, TEXT.as_bytes());
    let bytes = write_module(&mut ours, &module, &WriteOptions::default()).unwrap();

    let read = |family: &str, bytes: &[u8]| {
        let mut other = context(family);
        let source = Source::from(bytes.to_vec());
        let read = read_module(&mut other, &source, &ReadOptions::default()).unwrap();
        assert_equal((&ours, &module), (&other, &read));
    };
    read("", &bytes);
    // A context without the definition has the same content, too.
    let mut other = Context::new();
    rmlir::dialects::register_all(&mut other);
    let source = Source::from(bytes.clone());
    let unknown = read_module(&mut other, &source, &ReadOptions::default()).unwrap();
    let text = module_to_string(&other, &unknown, &PrintOptions::generic()).unwrap();
    let again = parse(&mut ours, &text);
    assert_equal((&ours, &module), (&ours, &again));

    let Some(text) = mlir_opt(&["--mlir-print-op-generic"], &bytes) else {
        return;
    };
    for part in [
        "steps = 7",
        "#grid.order<tiled, 16>",
        "width = 3",
        "array<i32: 1, 0, 2>",
        "private",
    ] {
        assert!(String::from_utf8_lossy(&text).contains(part), "{part}");
    }
    let printed = parse(&mut ours, &text);
    assert_equal((&ours, &module), (&ours, &printed));
    let rewritten = mlir_opt(&["--emit-bytecode"], &bytes).unwrap();
    let mut other = context("");
    let source = Source::from(rewritten);
    let back = read_module(&mut other, &source, &ReadOptions::default()).unwrap();
    assert_equal((&ours, &module), (&other, &back));
    // The same bytes as upstream's, apart from the locations.
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    let text = module_to_string(&ours, &module, &options).unwrap();
    let expected = mlir_opt(&["--emit-bytecode"], &text).unwrap();
    assert!(bytes == expected);
}

#[test]
fn tools_that_know_the_dialect_get_native_properties() {
    let mut ours = context("");
    let module = parse(&mut ours, TEXT.as_bytes());
    let unregistered = write_module(&mut ours, &module, &WriteOptions::default()).unwrap();
    let mut options = WriteOptions::default();
    options.registered_dialects = vec!["grid".to_owned()];
    let registered = write_module(&mut ours, &module, &options).unwrap();
    assert!(registered != unregistered);
    let mut other = context("");
    let source = Source::from(registered.clone());
    let read = read_module(&mut other, &source, &ReadOptions::default()).unwrap();
    assert_equal((&ours, &module), (&other, &read));

    // An explicitly declared project has the same effect.
    let mut llvm = context("family llvm\n");
    let module = parse(&mut llvm, TEXT.as_bytes());
    let native = write_module(&mut llvm, &module, &WriteOptions::default()).unwrap();
    assert!(native == registered);
}

/// A definition that replaces a bundled one belongs to its project.
#[test]
fn a_replaced_definition_belongs_to_the_bundled_project() {
    let mut ours = Context::new();
    rmlir::dialects::register_all(&mut ours);
    let text = rmlir::dialects::texts()
        .find(|text| text.0 == "cf")
        .unwrap()
        .1;
    let text = text.replace("family llvm\n", "");
    let source = "func.func @f() { cf.br ^a ^a: return }";
    let module = parse(&mut ours, source.as_bytes());
    let expected = write_module(&mut ours, &module, &WriteOptions::default()).unwrap();
    let mut replaced = Context::new();
    rmlir::dialects::register_all(&mut replaced);
    let definition = DialectDefinition::parse(&text, &rmlir::dialects::Hooks).unwrap();
    replaced.register_dialect(definition);
    let module = parse(&mut replaced, source.as_bytes());
    let bytes = write_module(&mut replaced, &module, &WriteOptions::default()).unwrap();
    assert!(bytes == expected);
}
