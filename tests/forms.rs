//! Texts of ours in the custom form that tools of IREE, Triton and torch-mlir print for them: each
//! is read and printed as the same bytes. Where the tool prints the generic form, too, it is beside
//! the text and has the same content, and its custom form is that text.
//!
//! Made with `iree-opt` of IREE 3.13.0, `torch-mlir-opt` of 2026-10-01 and Triton 3.9.0.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::{module_to_string, remove_implied};
use std::path::Path;

fn print(context: &Context, module: &Module) -> String {
    let printed = module_to_string(context, module, &PrintOptions::default());
    String::from_utf8(printed.expect("the module is printed")).expect("the text is UTF-8")
}

fn read(context: &mut Context, path: &Path) -> (String, Module) {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let module = parse_module(context, text.as_bytes(), &ParseOptions::for_file("forms"))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (text, module)
}

#[test]
fn custom_forms_are_those_of_the_tools() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy();
        if name.ends_with(".generic.mlir") || !name.ends_with(".mlir") {
            continue;
        }
        count += 1;
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        let (text, mut module) = read(&mut context, &path);
        let printed = print(&context, &module);
        assert_eq!(printed.trim_end(), text.trim_end(), "{name}");
        let generic = path.with_extension("generic.mlir");
        if !generic.exists() {
            continue;
        }
        let (_, mut expected) = read(&mut context, &generic);
        let of_generic = print(&context, &expected);
        remove_implied(&mut context, &mut expected);
        remove_implied(&mut context, &mut module);
        let equality = EqualityOptions { locations: false };
        let (a, b) = ((&context, &expected), (&context, &module));
        if let Some(difference) = semantic_difference(a, b, &equality) {
            panic!("{name}: {difference}");
        }
        assert_eq!(
            of_generic.trim_end(),
            text.trim_end(),
            "{name}, of the generic form"
        );
    }
    assert!(count >= 3, "{count} texts");
}
