//! Tests that verification compares the index and fingerprints of a file with its operations.

use super::parse;
use rmlir_format::rmbc::section;
use rmlir_format::section::repair;
use rmlir_format::{Container, ContainerWriter, Limits, Result, Source};
use rmlir_ir::Context;
use rmlir_reader::lazy::{LazyFile, SymbolPath};
use rmlir_reader::rmbc::{File, ReadOptions, read_module};
use rmlir_writer::rmbc::write_module;
use std::sync::Arc;

/// Returns a module with nested modules, several groups, values, block arguments, and locations of
/// all kinds.
fn sample() -> Vec<u8> {
    let mut text = "\"builtin.module\"() ({\n".to_owned();
    for outer in 0..3 {
        text += "\"builtin.module\"() ({\n";
        for number in 0..120 {
            let location = match number % 4 {
                0 => format!("loc(\"f{outer}.mlir\":{number}:{outer})"),
                1 => "loc(unknown)".to_owned(),
                2 => format!("loc(\"n{number}\"(\"g.mlir\":{number}:3))"),
                _ => format!("loc(\"g.mlir\":{}:7)", 1000 - number),
            };
            text += &format!(
                "\"t.func\"() ({{\n^bb(%a: i8):\n  %0 = \"t.one\"(%a) : (i8) -> i8 {location}\n  \"t.two\"(%0) : (i8) -> ()\n\
                 }}) {{sym_name = \"f{number}\"}} : () -> () {location}\n"
            );
        }
        text += &format!("}}) {{sym_name = \"m{outer}\"}} : () -> ()\n");
    }
    text += "}) : () -> ()\n";
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    let mut options = super::write_options();
    options.hashes = true;
    write_module(&context, &module, &options).unwrap()
}

/// Returns the file with a section of a kind replaced, or removed if `replaced` is `None`.
fn with_section(bytes: &[u8], kind: u16, replaced: Option<&[u8]>) -> Vec<u8> {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    let mut writer = ContainerWriter::new();
    writer.set_dictionary(true);
    for section in container.sections() {
        let held = section.bytes().unwrap();
        let held = match (section.kind() == kind, replaced) {
            (false, _) => held.to_vec(),
            (true, None) => continue,
            (true, Some(replaced)) => replaced.to_vec(),
        };
        match section.is_required() {
            true => writer.add_required(section.kind(), held).unwrap(),
            false => writer.add_optional(section.kind(), held).unwrap(),
        }
    }
    writer.finish()
}

fn section_of(bytes: &[u8], kind: u16) -> Vec<u8> {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    container.section(kind).unwrap().bytes().unwrap().to_vec()
}

fn open(bytes: &[u8]) -> Result<File> {
    File::new(
        &Context::new(),
        Source::from(bytes),
        &ReadOptions::default(),
    )
}

fn verify(bytes: &[u8]) -> Result<()> {
    let mut context = Context::new();
    let module = read_module(&mut context, &Source::from(bytes), &ReadOptions::default())?;
    let file = open(bytes)?;
    file.verify()?;
    file.verify_index(&context, &module)
}

#[test]
fn every_byte_of_index_and_fingerprints_counts() {
    let bytes = sample();
    verify(&bytes).unwrap();
    for kind in [section::INDEX, section::HASHES] {
        let held = section_of(&bytes, kind);
        // Fingerprints are many, so only some of their bytes are changed; in debug builds, fewer.
        let slow = if cfg!(debug_assertions) { 5 } else { 1 };
        let step = slow * if kind == section::HASHES { 29 } else { 3 };
        for at in (0..held.len()).step_by(step) {
            for change in [1u8, 0x80] {
                let mut wrong = held.clone();
                wrong[at] = wrong[at].wrapping_add(change);
                if kind == section::HASHES && at == 0 {
                    // This sets another version of fingerprints, which is not read.
                    continue;
                }
                let wrong = with_section(&bytes, kind, Some(&wrong));
                assert!(
                    verify(&wrong).is_err(),
                    "section {kind}, byte {at} and {change}"
                );
            }
        }
        let longer: Vec<u8> = held.iter().copied().chain([0]).collect();
        verify(&with_section(&bytes, kind, Some(&longer))).unwrap_err();
        let shorter = &held[..held.len() - 1];
        verify(&with_section(&bytes, kind, Some(shorter))).unwrap_err();
        verify(&with_section(&bytes, kind, Some(&[]))).unwrap_err();
        // Both sections are optional.
        verify(&with_section(&bytes, kind, None)).unwrap();
    }
    // The index's data about locations is not compared if these are absent.
    verify(&with_section(&bytes, section::LOCATIONS, None)).unwrap();
}

/// Whatever the index states, listing symbols yields all of them or fails, or reading the whole
/// file fails: no reader sees other symbols than another one.
#[test]
fn no_change_of_the_index_hides_a_symbol() {
    let bytes = sample();
    let paths = |bytes: &[u8]| -> Result<Vec<SymbolPath>> {
        let symbols = open(bytes)?.symbols()?;
        Ok(symbols.into_iter().map(|symbol| symbol.path).collect())
    };
    let expected = paths(&bytes).unwrap();
    assert_eq!(expected.len(), 363);
    let held = section_of(&bytes, section::INDEX);
    for at in 0..held.len() {
        for change in [1u8, 0xff] {
            let mut wrong = held.clone();
            wrong[at] = wrong[at].wrapping_add(change);
            let wrong = with_section(&bytes, section::INDEX, Some(&wrong));
            if let Ok(found) = paths(&wrong)
                && found != expected
            {
                let source = Source::from(wrong.as_slice());
                let read = read_module(&mut Context::new(), &source, &ReadOptions::default());
                assert!(
                    read.is_err(),
                    "byte {at} and {change}: {} symbols",
                    found.len()
                );
            }
        }
    }
}

#[test]
fn bytes_between_blobs_are_zero() {
    let text = "\"t.a\"() {a = dense_resource<x> : tensor<4xi8>, b = dense_resource<y> : tensor<4xi8>} : () -> ()\n\
                {-# dialect_resources: {builtin: {x: \"0x0800000001020304\", y: \"0x0800000005060708\"}} #-}";
    let mut context = Context::new();
    let module = parse(&mut context, text);
    let mut bytes = write_module(&context, &module, &super::write_options()).unwrap();
    verify(&bytes).unwrap();
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let blobs = container.section(section::BLOBS).unwrap();
    assert_eq!(
        &*blobs.bytes().unwrap(),
        [1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8]
    );
    let wrong = blobs.offset() as usize + 6;
    bytes[wrong] = 9;
    repair(&mut bytes);
    let expected = |error: rmlir_format::Error| {
        assert_eq!(error.offset(), Some(wrong as u64));
        assert!(error.to_string().contains("between blobs"), "{error}");
    };
    let source = Source::from(bytes.as_slice());
    let options = ReadOptions::default();
    expected(read_module(&mut Context::new(), &source, &options).unwrap_err());
    expected(open(&bytes).unwrap().verify().unwrap_err());
    let file = File::positioned(&Context::new(), Arc::new(bytes), &options).unwrap();
    expected(file.verify().unwrap_err());
    expected(file.survey(&mut Context::new()).map(drop).unwrap_err());
}
