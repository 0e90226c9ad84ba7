//! Tests the symbols of portable artifacts: functions of `vhlo`, whose names and references are
//! attributes of the dialect.
#![allow(clippy::unwrap_used)]

#[path = "../reader/tests/common/watched.rs"]
mod watched;

use rmlir::dialects::register_all;
use rmlir::format::{ReadAt, Source};
use rmlir::ir::{
    Context, EqualityOptions, Module, extract, nested_symbols, semantic_difference,
    unnamed_operations,
};
use rmlir::reader::lazy::with_references;
use rmlir::text::{ParseOptions, parse_module};
use rmlir::{LazyFile, SymbolPath, mlirbc, rmbc};
use rmlir_testing::corpus;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;
use watched::Watched;

fn context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context
}

fn parse(text: &str) -> (Context, Module) {
    let mut context = context();
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default()).unwrap();
    (context, module)
}

fn to_rmbc(context: &Context, module: &Module) -> Vec<u8> {
    rmbc::write_module(context, module, &rmbc::WriteOptions::default()).unwrap()
}

fn rmbc_file(bytes: Vec<u8>) -> rmbc::File {
    let options = rmbc::ReadOptions::default();
    rmbc::File::new(&context(), Source::from(bytes), &options).unwrap()
}

fn mlirbc_file(bytes: Vec<u8>) -> mlirbc::File {
    let options = mlirbc::ReadOptions::default();
    mlirbc::File::new(&context(), Source::from(bytes), &options).unwrap()
}

fn paths<'s>(symbols: impl IntoIterator<Item = &'s rmlir::Symbol>) -> Vec<String> {
    let paths = symbols.into_iter().map(|symbol| symbol.path.to_string());
    paths.collect()
}

/// Checks that symbols and unnamed operations are those of the whole module, and that each, read
/// alone, equals what remains of the whole without the others.
fn check(file: &dyn LazyFile, whole: &Context, module: &Module) {
    let symbols = file.symbols().unwrap();
    let expected = nested_symbols(whole, module);
    let of_module = expected.iter().map(|symbol| {
        let names = symbol
            .path(&expected)
            .into_iter()
            .map(|name| whole.bytes(name));
        SymbolPath::new(names).to_string()
    });
    assert_eq!(paths(&symbols), of_module.collect::<Vec<_>>());
    let unnamed = file.unnamed().unwrap();
    let all = symbols.iter().zip(expected.iter().map(|s| s.operation));
    let rest = unnamed.iter().zip(unnamed_operations(whole, module));
    assert_eq!(unnamed.len(), unnamed_operations(whole, module).count());
    for (symbol, operation) in all.chain(rest) {
        let mut other = context();
        let (part, found) = file.read_symbol(&mut other, symbol).unwrap();
        let mut left = module.clone();
        extract(whole, &mut left, &[operation], false);
        let locations = EqualityOptions { locations: true };
        let difference = semantic_difference((whole, &left), (&other, &part), &locations);
        assert_eq!(difference, None, "{symbol}");
        let difference = semantic_difference(
            (whole, module, operation),
            (&other, &part, found),
            &locations,
        );
        assert_eq!(difference, None, "{symbol}");
        assert_eq!(part.symbol_visibility(&other, found), symbol.visibility);
        if symbol.name().is_some() {
            let by_path = file.symbol(&symbol.path).unwrap();
            assert_eq!(by_path.as_ref(), Some(symbol));
        }
    }
}

/// Returns the symbols that a symbol needs, itself included.
fn needed(file: &dyn LazyFile, path: &str) -> BTreeSet<String> {
    let symbol = file.symbol(&SymbolPath::parse(path).unwrap()).unwrap();
    let mut context = context();
    let symbols = with_references(file, &mut context, &[symbol.unwrap()]).unwrap();
    paths(&symbols).into_iter().collect()
}

/// The symbols of an exported model, and those that `@main` needs, are those of the same model in
/// StableHLO.
#[test]
fn exported_models() {
    let Some(root) = corpus::root() else { return };
    let wanted = |name: &str| name.ends_with(".vhlo.mlirbc");
    let mut compared = 0;
    for path in corpus::files(&root.join("jax"), wanted) {
        let mut whole = context();
        let bytes = std::fs::read(&path).unwrap();
        let options = mlirbc::ReadOptions::default();
        let module = mlirbc::read_module(&mut whole, &Source::from(bytes.clone()), &options);
        let module = module.unwrap();
        let file = mlirbc_file(bytes);
        check(&file, &whole, &module);
        let native = rmbc_file(to_rmbc(&whole, &module));
        check(&native, &whole, &module);
        native.verify_index(&whole, &module).unwrap();
        assert!(file.unnamed().unwrap().is_empty(), "{}", path.display());
        assert_eq!(needed(&file, "@main"), needed(&native, "@main"));
        // The models also exist as StableHLO; older versions of artifacts come from other runs.
        let Some(text) = stablehlo_of(&path) else {
            continue;
        };
        let (other, other_module) = parse(&text);
        let stablehlo = rmbc_file(to_rmbc(&other, &other_module));
        assert_eq!(
            paths(&file.symbols().unwrap()),
            paths(&stablehlo.symbols().unwrap()),
            "{}",
            path.display()
        );
        assert_eq!(needed(&file, "@main"), needed(&stablehlo, "@main"));
        compared += 1;
    }
    assert_eq!(compared, 12);
}

/// Returns the text of an exported model before it was made portable.
fn stablehlo_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".export.vhlo.mlirbc")?;
    std::fs::read_to_string(path.with_file_name(format!("{name}.export.mlir"))).ok()
}

/// Returns functions that each call the next one, and an operation that is not a symbol.
fn many(functions: usize) -> String {
    let mut text = String::from("\"t.unnamed\"() : () -> ()\n");
    for number in 0..functions {
        let next = (number + 1) % functions;
        text += &format!(
            r#""vhlo.func_v1"() <{{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<() -> ()>>,
    res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"f {number}\22">, sym_visibility = #vhlo.string_v1<"private">}}> ({{
  "vhlo.call_v1"() <{{callee = #vhlo.string_v1<"f {next}\22">}}> : () -> ()
  "t.body"() {{n = {number}}} : () -> ()
  "vhlo.return_v1"() : () -> ()
}}) : () -> ()
"#
        );
    }
    text
}

/// The index of native bytecode leads to functions of `vhlo`, so reading one of a large file reads
/// little.
#[test]
fn one_of_many_is_found_by_the_index() {
    let (whole, module) = parse(&many(20_000));
    let bytes = to_rmbc(&whole, &module);
    let watched = Watched::new(bytes.clone());
    let options = rmbc::ReadOptions::default();
    let file = rmbc::File::positioned(&context(), watched.clone(), &options).unwrap();
    assert!(file.is_indexed());
    let path = SymbolPath::new(["f 2718\""]);
    let symbol = file.symbol(&path).unwrap().unwrap();
    let mut other = context();
    let (part, operation) = file.read_symbol(&mut other, &symbol).unwrap();
    assert_eq!(part.descendants(operation).count(), 4);
    let read = watched.read.load(Ordering::Relaxed);
    assert!(read < bytes.len() as u64 / 4, "{read} of {}", bytes.len());
    rmbc_file(bytes).verify_index(&whole, &module).unwrap();
}

/// Reads all symbols of a small file.
#[test]
fn functions_are_symbols() {
    let (mut whole, module) = parse(&many(3));
    for native in [true, false] {
        let file: Box<dyn LazyFile> = match native {
            true => Box::new(rmbc_file(to_rmbc(&whole, &module))),
            false => {
                let options = mlirbc::WriteOptions::default();
                Box::new(mlirbc_file(
                    mlirbc::write_module(&mut whole, &module, &options).unwrap(),
                ))
            }
        };
        check(file.as_ref(), &whole, &module);
        let expected = [r#"@"f 0\22""#, r#"@"f 1\22""#, r#"@"f 2\22""#];
        assert_eq!(paths(&file.symbols().unwrap()), expected);
        assert_eq!(needed(file.as_ref(), expected[0]).len(), 3);
        let unnamed = file.unnamed().unwrap();
        assert_eq!(unnamed.len(), 1);
        assert_eq!(unnamed[0].to_string(), "an unnamed 't.unnamed'");
        assert_eq!(
            (unnamed[0].name(), &unnamed[0].path),
            (None, &SymbolPath::default())
        );
    }
}

/// Native bytecode is a function of content, not of the dialects that the writer knows; a reader
/// that does not know `vhlo` lists its functions without names.
#[test]
fn the_index_does_not_depend_on_definitions() {
    let text = many(400);
    let (whole, module) = parse(&text);
    let mut unknown = Context::new();
    let same = parse_module(&mut unknown, text.as_bytes(), &ParseOptions::default()).unwrap();
    let bytes = to_rmbc(&whole, &module);
    assert!(to_rmbc(&unknown, &same) == bytes);
    let options = rmbc::ReadOptions::default();
    let file = rmbc::File::new(&Context::new(), Source::from(bytes), &options).unwrap();
    assert!(file.symbols().unwrap().is_empty());
    assert_eq!(file.unnamed().unwrap().len(), 401);
    file.verify_index(&unknown, &same).unwrap();
}
