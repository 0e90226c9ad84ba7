//! Tests that content depends only on the module, not on the known definitions: equality,
//! fingerprints and bytecode are the same with all definitions and with none.

#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir::ir::{
    Context, EqualityOptions, FingerprintOptions, Module, fingerprint, semantic_difference,
};
use rmlir::reader::rmbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::module_to_string;

const TEXTS: [&str; 2] = [
    include_str!("interop_generic/properties.mlir"),
    include_str!("../examples/add.mlir"),
];

fn with_definitions() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn generic(context: &Context, module: &Module) -> Vec<u8> {
    module_to_string(context, module, &PrintOptions::generic()).unwrap()
}

#[test]
fn content_does_not_depend_on_what_is_known() {
    for text in TEXTS {
        let mut known = with_definitions();
        let options = ParseOptions::for_file("a.mlir");
        let module = parse_module(&mut known, text.as_bytes(), &options).unwrap();
        let normal = generic(&known, &module);

        // The normal form, parsed without definitions; its locations are not those of the file.
        let mut unknown = Context::new();
        let other = parse_module(&mut unknown, &normal, &options).unwrap();
        let mut known = with_definitions();
        let module = parse_module(&mut known, &normal, &options).unwrap();
        assert_eq!(generic(&known, &module), normal);
        assert_eq!(generic(&unknown, &other), normal);

        let equality = EqualityOptions { locations: true };
        let difference = semantic_difference((&known, &module), (&unknown, &other), &equality);
        assert!(difference.is_none());
        let of = |context: &Context, module: &Module| {
            let options = FingerprintOptions { locations: true };
            fingerprint(context, module, module.top(), &options)
        };
        assert_eq!(of(&known, &module), of(&unknown, &other));
        let bytes = |context: &Context, module: &Module| {
            write_module(context, module, &WriteOptions::default()).unwrap()
        };
        let stored = bytes(&known, &module);
        assert_eq!(stored, bytes(&unknown, &other));

        // Bytecode reads back the same with any definitions.
        for mut context in [Context::new(), with_definitions()] {
            let read =
                read_module_from_slice(&mut context, &stored, &ReadOptions::default()).unwrap();
            assert_eq!(generic(&context, &read), normal);
            assert_eq!(of(&context, &read), of(&known, &module));
        }
    }
}

/// The body of an attribute of a dialect is the same whether a part of it is an alias or spelled
/// out, however long the part is, in memory and after text and bytecode.
#[test]
fn aliases_of_any_length_do_not_change_content() {
    let digits = "0123456789ABCDEF".repeat(4_000);
    for long in [
        format!("dense<\"0x{digits}\"> : tensor<{}xi8>", digits.len() / 2),
        format!("[{}]", vec!["17 : i32"; 9_000].join(", ")),
        format!("\"{}\"", "x".repeat(50_000)),
    ] {
        assert!(long.len() > 32 * 1024);
        let of = |text: &str| {
            let mut context = Context::new();
            let options = ParseOptions::for_file("a.mlir");
            let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
            (context, module)
        };
        let alias = of(&format!(
            "#c = {long}\n\"t.op\"() {{a = #d.x<#c, 1>}} : () -> ()"
        ));
        let spelled = of(&format!("\"t.op\"() {{a = #d.x<{long}, 1>}} : () -> ()"));
        let fingerprint_of = |(context, module): &(Context, Module)| {
            let options = FingerprintOptions { locations: false };
            fingerprint(context, module, module.top(), &options)
        };
        let expected = fingerprint_of(&alias);
        assert_eq!(fingerprint_of(&spelled), expected);
        let printed = generic(&alias.0, &alias.1);
        let printed = of(std::str::from_utf8(&printed).unwrap());
        assert_eq!(fingerprint_of(&printed), expected);
        let bytes = write_module(&alias.0, &alias.1, &WriteOptions::default()).unwrap();
        let mut context = Context::new();
        let read = read_module_from_slice(&mut context, &bytes, &ReadOptions::default()).unwrap();
        assert_eq!(fingerprint_of(&(context, read)), expected);
    }
}

/// Text can directly follow an attribute that ends with a bracket. Such an attribute is printed in
/// full, even if it has an alias: the text would become a part of the alias's name.
#[test]
fn text_after_an_attribute_is_not_part_of_its_alias() {
    let descriptor = "#llvm.tbaa_type_desc<id = \"a\", members = {}>";
    for rest in ["j", "xi8", "_", "<1>"] {
        let text = format!(
            "\"t.op\"() {{a = #llvm.tbaa_tag<x {descriptor}{rest}>, b = {descriptor}}} : () -> ()"
        );
        let mut context = with_definitions();
        let mut options = ParseOptions::for_file("a.mlir");
        options.check_entries = false;
        let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
        let printed = generic(&context, &module);
        let mut other = with_definitions();
        let again = parse_module(&mut other, &printed, &options).unwrap();
        let equality = EqualityOptions { locations: false };
        let difference = semantic_difference((&context, &module), (&other, &again), &equality);
        let printed = String::from_utf8(printed).unwrap();
        assert!(difference.is_none(), "{}: {printed}", difference.unwrap());
        assert!(
            printed.contains(&format!("{descriptor}{rest}>")),
            "{printed}"
        );
    }
}
