//! Tests that sections and kinds of entries of later versions are preserved.

use super::raw::{Raw, one};
use super::{read, write};
use rmlir_format::rmbc::tag;
use rmlir_format::{Container, ContainerWriter, Limits, Source};
use rmlir_ir::{Context, Module, PreservedSection};
use rmlir_reader::lazy::LazyFile;
use rmlir_reader::rmbc::{File, ReadOptions};
use rmlir_testing::module_to_string;
use rmlir_text::PrintOptions;
use std::sync::Arc;

fn text(context: &Context, module: &Module) -> String {
    let text = module_to_string(context, module, &PrintOptions::generic()).unwrap();
    String::from_utf8(text).unwrap()
}

/// Returns a file with a section of an unknown kind before those of `file`, and an aligned one
/// after them.
fn with_sections(file: &[u8]) -> Vec<u8> {
    let known = Container::parse(file, &Limits::default(), rmlir_format::rmbc::section::name);
    let known = known.unwrap();
    let mut writer = ContainerWriter::new();
    writer.set_dictionary(true);
    for section in known.sections() {
        let bytes = section.bytes().unwrap().into_owned();
        match section.is_required() {
            true => writer.add_required(section.kind(), bytes).unwrap(),
            false => writer.add_optional(section.kind(), bytes).unwrap(),
        }
    }
    writer.add_preserved(40, None, &b"plain"[..]).unwrap();
    writer.add_preserved(77, Some(6), vec![7; 40_000]).unwrap();
    writer.finish()
}

#[test]
fn unknown_sections_are_written_back() {
    let mut context = Context::new();
    let module = super::parse(&mut context, "\"t.f\"() : () -> ()");
    let file = with_sections(&write(&context, &module));
    let mut other = super::samples::used_context();
    let back = read(&mut other, &file);
    let kinds: Vec<_> = (back.provenance.sections.iter())
        .map(|section| (section.kind, section.alignment_log, section.bytes.len()))
        .collect();
    assert_eq!(kinds, [(40, None, 5), (77, Some(6), 40_000)]);
    assert!(write(&other, &back) == file);
    // Damage to an unknown section is damage to the file.
    let mut damaged = file.clone();
    let at = damaged.len() - 20_000;
    damaged[at] ^= 1;
    let source = Source::from(damaged);
    let options = ReadOptions::default();
    let error = rmlir_reader::rmbc::read_module(&mut other, &source, &options).unwrap_err();
    assert_eq!(error.kind(), rmlir_format::ErrorKind::Checksum);
}

#[test]
fn known_sections_are_not_carried() {
    let mut context = Context::new();
    let mut module = super::parse(&mut context, "");
    let mut add = |kind| {
        module.provenance.sections = vec![PreservedSection {
            kind,
            alignment_log: None,
            bytes: Arc::from(&b"x"[..]),
        }];
        let options = super::write_options();
        rmlir_writer::rmbc::write_module(&context, &module, &options).map_err(|e| e.kind())
    };
    let refused = Err(rmlir_format::ErrorKind::InvalidRequest);
    assert_eq!(add(0).map(drop), refused);
    assert_eq!(add(13).map(drop), refused);
    assert_eq!(add(40).map(drop), Ok(()));
}

#[test]
fn unknown_entries_are_written_back() {
    let mut raw = Raw::new();
    // A type; a type with data and references to both; an attribute with a string; one that refers
    // to it; a location that refers to all.
    raw.entries = vec![
        one(tag::SIGNLESS_TYPE, &[32]),
        one(16, &[2, 0xca, 0xfe, 0]),
        one(54, &[1, 9, 2, 1, 4]),
        one(31, &[0, 2, 0, 3]),
        one(63, &[0, 2, 5, 0]),
        one(127, &[3, 1, 2, 3, 1, 2]),
    ];
    raw.forms = vec![vec![0, 14, 0, 0]];
    raw.operations = vec![1, 0, 0, 0, 0, 0, 1];
    raw.locations = Some(vec![7]);
    let file = raw.bytes();
    let mut context = super::samples::used_context();
    let module = read(&mut context, &file);
    let shown = text(&context, &module);
    for expected in [
        "!rmbc.entry<16, \\\"CAFE\\\">",
        "#rmbc.entry<54, \\\"09\\\"",
    ] {
        let expected = expected.replace('\\', "");
        assert!(shown.contains(&expected), "{shown}");
    }
    let written = write(&context, &module);
    // The written file has the same content, and is written again as the same bytes.
    let mut other = Context::new();
    let back = read(&mut other, &written);
    assert_eq!(text(&other, &back), shown);
    assert!(write(&other, &back) == written);
    assert_eq!(
        super::dump::dump(&context, &module),
        super::dump::dump(&other, &back)
    );
    let tags = tags_of(&written);
    for tag in [16, 31, 54, 63, 127] {
        assert!(tags.contains(&tag), "{tags:?}");
    }
    // In parts, too.
    let file = File::new(&other, Source::from(written), &ReadOptions::default()).unwrap();
    assert!(file.symbols().unwrap().is_empty());
}

/// Returns the tags of the runs in the section of entries.
fn tags_of(file: &[u8]) -> Vec<u8> {
    use rmlir_format::rmbc::section;
    let container = Container::parse(file, &Limits::default(), section::name).unwrap();
    let section = container.section(section::ENTRIES).unwrap();
    let bytes = section.bytes().unwrap();
    let mut input = rmlir_format::Reader::new(&bytes, "entries");
    let count = input.varint().unwrap();
    (0..count)
        .map(|_| {
            let tag = input.u8().unwrap();
            input.varint().unwrap();
            tag
        })
        .collect()
}
