//! Operations of CIRCT in custom form: `circt/NAME.mlir` is CIRCT's own print of texts that were
//! written for this test, with every optional part of their syntax, and `circt/NAME.generic.mlir`
//! its print of the same in generic form. Both are read with the same content and printed as that
//! custom text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir::ir::{Context, Module};
use rmlir::text::{ParseOptions, PrintOptions, parse_module};
use rmlir_testing::module_to_string;
use std::path::{Path, PathBuf};

fn read(context: &mut Context, path: &Path) -> Module {
    let text = std::fs::read(path).unwrap();
    match parse_module(context, &text, &ParseOptions::for_file("text")) {
        Ok(module) => module,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn custom_texts_are_those_of_circt() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/circt");
    let mut texts: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_string_lossy().ends_with(".generic.mlir"))
        .collect();
    texts.sort();
    assert!(!texts.is_empty());
    for path in texts {
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        let custom = read(&mut context, &path);
        let generic = read(&mut context, &path.with_extension("generic.mlir"));
        let expected = std::fs::read_to_string(&path).unwrap();
        for module in [&custom, &generic] {
            let printed = module_to_string(&context, module, &PrintOptions::default()).unwrap();
            let printed = String::from_utf8(printed).unwrap();
            for (ours, theirs) in printed.lines().zip(expected.lines()) {
                assert_eq!(ours, theirs, "{}", path.display());
            }
            assert_eq!(printed.trim_end(), expected.trim_end());
        }
        // Locations of ports are attributes, and those of the two texts differ.
        let [of_custom, of_generic] = [&custom, &generic].map(|module| {
            let mut options = PrintOptions::default();
            options.generic = true;
            let printed = module_to_string(&context, module, &options).unwrap();
            let printed = String::from_utf8(printed).unwrap();
            let lines = printed.lines().filter(|line| !line.contains("loc"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        });
        assert_eq!(of_custom, of_generic, "{}", path.display());
    }
}
