//! Bytecode in which the layouts of properties depend on the versions of dialects, and what LLVM 23
//! and 24 encode that older releases do not: the types `token` and `graph`, and the source language
//! of a compile unit as an attribute.
//!
//! The files in `tests/dialect_versions` are what `mlir-opt` of LLVM 24 as of 2026-10-25 and of
//! LLVM 23.1.4 wrote for the texts beside them; `builtin_0` with
//! `--emit-bytecode-dialect-version=builtin=0`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use rmlir::format::{Error, ErrorKind};
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, parse_module};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir_testing::module_to_string;
use std::path::Path;

/// Files, and the texts and releases that they were written from.
const FILES: &[(&str, &str, Release)] = &[
    ("scopes.llvm_24", "scopes", Release::LLVM_24),
    ("plain.llvm_24", "plain", Release::LLVM_24),
    ("plain.builtin_0", "plain", Release::LLVM_24),
    ("plain.llvm_23", "plain", Release::LLVM_23),
    ("types.llvm_23", "types", Release::LLVM_23),
    ("types.llvm_24", "types", Release::LLVM_24),
    ("debug.llvm_24", "debug", Release::LLVM_24),
];

fn contents(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialect_versions");
    std::fs::read(folder.join(name)).unwrap()
}

fn bytecode(name: &str) -> Vec<u8> {
    contents(&format!("{name}.mlirbc"))
}

fn read(bytes: &[u8]) -> Result<(Context, Module), Error> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = read_module_from_slice(&mut context, bytes, &ReadOptions::default())?;
    Ok((context, module))
}

fn parsed(name: &str, release: Release) -> (Context, Module) {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context.set_release(release);
    let name = format!("{name}.mlir");
    let options = ParseOptions::for_file(&name);
    let module = parse_module(&mut context, &contents(&name), &options).unwrap();
    (context, module)
}

fn write(
    (context, module): &mut (Context, Module),
    target: Option<Release>,
) -> Result<Vec<u8>, Error> {
    let mut options = WriteOptions::default();
    options.target = target;
    write_module(context, module, &options)
}

#[test]
fn files_have_the_content_of_their_texts() {
    for &(file, text, release) in FILES {
        let (ours, theirs) = (read(&bytecode(file)).unwrap(), parsed(text, release));
        let options = EqualityOptions { locations: true };
        let difference = semantic_difference((&ours.0, &ours.1), (&theirs.0, &theirs.1), &options);
        assert!(difference.is_none(), "{file}: {}", difference.unwrap());
    }
}

#[test]
fn the_bytes_of_files_are_written() {
    for &(file, text, release) in FILES {
        let expected = bytecode(file);
        let again = write(&mut read(&expected).unwrap(), None).unwrap();
        assert!(again == expected, "{file} from the file");
        // Releases write their newest version.
        if file != "plain.builtin_0" {
            let new = write(&mut parsed(text, release), Some(release)).unwrap();
            assert!(new == expected, "{file} from the text");
        }
    }
}

/// Tools that are built on LLVM 24 as of August do not know the versions.
#[test]
fn other_targets_have_no_versions() {
    for target in ["llvm-22", "llvm-23", "iree-202608", "stablehlo-202608"] {
        let target: Release = target.parse().unwrap();
        let mut plain = parsed("plain", Release::LLVM_24);
        let (_, module) = read(&write(&mut plain, Some(target)).unwrap()).unwrap();
        assert!(module.provenance.dialect_versions.is_empty(), "{target}");
        let mut scopes = parsed("scopes", Release::LLVM_24);
        let error = write(&mut scopes, Some(target)).unwrap_err();
        assert!(
            error.to_string().contains("has no property 'dlti'"),
            "{error}"
        );
    }
}

#[test]
fn older_targets_lack_the_types() {
    for (text, kind) in [
        ("types", "token"),
        // Of `spirv.ARM.Graph`, whose type has the text of a function type.
        ("graph", "graph"),
    ] {
        let mut module = parsed(text, Release::LLVM_24);
        for target in [Release::LLVM_22, Release::LLVM_19] {
            let error = write(&mut module, Some(target)).unwrap_err().to_string();
            let expected =
                format!("{target} has no type '{kind}': llvm-23 is the first release that has it");
            assert!(error.contains(&expected), "{error}");
        }
        for target in ["llvm-23", "llvm-24", "circt-202608"] {
            write(&mut module, Some(target.parse().unwrap())).unwrap();
        }
    }
    // Texts of these releases do not have it either.
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let text = b"func.func private @f(token)";
    let error = parse_module(&mut context, text, &ParseOptions::default()).unwrap_err();
    assert!(error.to_string().contains("1:22"), "{error}");
}

/// In text, an attribute that requires a graph type has one.
#[test]
fn types_are_read_back_from_other_forms() {
    for (name, text, release) in FILES {
        let (context, module) = parsed(text, *release);
        let mut ir = rmlir::Ir::from_parts(context, module);
        let mut generic = rmlir::text::PrintOptions::default();
        generic.generic = true;
        let custom = ir.to_string();
        let (context, module) = ir.parts();
        let generic = module_to_string(context, module, &generic).unwrap();
        let rmbc = ir.to_bytes(rmlir::Form::Rmbc, &rmlir::WriteOptions::default());
        let mut options = rmlir::ReadOptions::default();
        options.release = Some(*release);
        for bytes in [custom.into_bytes(), generic, rmbc.unwrap()] {
            let again = rmlir::read_with(bytes, &options).unwrap();
            let options = EqualityOptions { locations: false };
            let difference = semantic_difference(ir.parts(), again.parts(), &options);
            assert!(difference.is_none(), "{name}: {}", difference.unwrap());
        }
    }
}

/// The positions of the versions of `builtin`, `func` and `gpu` in a file that has all of them.
fn versions(bytes: &[u8]) -> Vec<usize> {
    // A section with the number 7 and one byte, which is 1.
    let section = [0x07, 0x03, 0x03];
    let all = bytes.windows(3).enumerate();
    let found = all.filter(|(_, window)| *window == section);
    found.map(|(at, _)| at + 2).take(3).collect()
}

#[test]
fn a_version_determines_the_layout() {
    let original = bytecode("scopes.llvm_24");
    let places = versions(&original);
    for (&place, operation) in places
        .iter()
        .zip(["builtin.module", "func.func", "gpu.module"])
    {
        // 0: the properties end before `dlti`.
        let mut bytes = original.clone();
        bytes[place] = 0x01;
        let error = read(&bytes).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
        let message = error.to_string();
        assert!(message.contains(operation), "{message}");
        assert!(error.offset().is_some(), "{message}");
        // The first byte of a number of two bytes.
        bytes[place] = 0x02;
        let error = read(&bytes).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
        assert_eq!(error.offset(), Some(place as u64), "{error}");
    }
}

#[test]
fn damage_is_an_error_with_its_place() {
    for &(file, ..) in FILES {
        let original = bytecode(file);
        for end in 0..original.len() {
            let error = read(&original[..end]).err().unwrap();
            assert!(error.offset().is_some(), "{file}, {end} bytes: {error}");
        }
        for place in 0..original.len() {
            for value in [0x00, 0x01, 0x03, 0x7f, 0xff, original[place] ^ 2] {
                let mut bytes = original.clone();
                bytes[place] = value;
                // What is accepted is written again, or has something that cannot be written.
                match read(&bytes) {
                    Ok(mut module) => drop(write(&mut module, None)),
                    Err(error) => {
                        assert!(error.offset().is_some(), "{file}, byte {place}: {error}");
                    }
                }
            }
        }
    }
}
