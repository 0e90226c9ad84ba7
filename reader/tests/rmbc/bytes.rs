//! Tests that every byte is described, and that damage to any byte is detected.

use super::{parse, samples, write};
use rmlir_format::Source;
use rmlir_format::section::repair as repair_checksums;
use rmlir_ir::Context;
use rmlir_reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir_reader::rmbc::dump::dump;
use rmlir_reader::rmbc::{File, ReadOptions, read_module_from_slice};
use rmlir_writer::rmbc::write_module;
use std::ops::Range;

/// Checks that fields follow one another, and counts parts.
#[derive(Default)]
struct Bytes {
    end: u64,
    open: usize,
    parts: usize,
    damaged: u64,
    names: Vec<String>,
}

impl Visitor for Bytes {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        assert_eq!(offset, self.end);
        self.open += 1;
        self.parts += 1;
        if let DumpPart::Table(name) | DumpPart::Entry(name, _) = part {
            self.names.push(name.to_owned());
        }
    }

    fn field(&mut self, bytes: Range<u64>, name: &str, content: FieldContent<'_>) {
        assert_eq!(bytes.start, self.end, "{name}");
        assert!(bytes.end > bytes.start, "{name}");
        self.end = bytes.end;
        if let FieldContent::Damaged(damaged) = content {
            assert_eq!(damaged.len() as u64, bytes.end - bytes.start);
            self.damaged += damaged.len() as u64;
        }
    }

    fn leave(&mut self, offset: u64) {
        assert_eq!(offset, self.end);
        self.open -= 1;
    }
}

/// Returns small files of all kinds.
fn files() -> Vec<Vec<u8>> {
    let mut texts: Vec<String> = samples::ALL.iter().map(|&text| text.to_owned()).collect();
    for number in 0..45 {
        let operands = "%v, ".repeat(number % 5) + "%v";
        let types = "i8, ".repeat(number % 5) + "i8";
        texts.push(format!(
            "%v = \"t.v{number}\"() {{n = {number} : i{}}} : () -> i8\n\"t.use\"({operands}) ({{^bb0(%a: tensor<{number}xf32>): \
             \"t.end\"() [^bb1] : () -> ()\n^bb1: \"t.end\"() : () -> ()}}) {{sym_name = \"s{number}\"}} : ({types}) -> ()",
            number % 70 + 8
        ));
    }
    let written = texts.iter().enumerate().map(|(number, text)| {
        let mut context = Context::new();
        let module = parse(&mut context, text);
        let mut options = super::write_options();
        options.compression = (number % 3 == 2).then_some(3);
        options.hashes = number % 2 == 1;
        write_module(&context, &module, &options).unwrap()
    });
    written.collect()
}

#[test]
fn every_byte_means_something() {
    let mut all = files();
    let mut many = String::new();
    for number in 0..700 {
        many += &format!(
            "\"t.f\"() ({{ %c = \"t.c\"() {{n = {number} : i64}} : () -> i64\n \"t.r\"(%c) : (i64) -> () }}) {{sym_name = \"f{number}\"}} : () -> ()\n"
        );
    }
    let mut context = Context::new();
    let module = parse(&mut context, &many);
    all.push(write(&context, &module));
    for bytes in &all {
        let mut visitor = Bytes::default();
        let errors = dump(bytes, &mut visitor);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!((visitor.end, visitor.open), (bytes.len() as u64, 0));
        assert_eq!(visitor.damaged, 0);
    }
    let mut visitor = Bytes::default();
    dump(all.last().unwrap(), &mut visitor);
    for name in ["strings", "operations", "index", "chunk", "template"] {
        assert!(visitor.names.iter().any(|known| known == name), "{name}");
    }
    assert!(visitor.parts > 4 * 700);
}

#[test]
fn damage_is_told_and_what_is_behind_it() {
    for bytes in files().iter().step_by(5) {
        for at in 0..bytes.len() {
            for change in [1u8, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let mut visitor = Bytes::default();
                let errors = dump(&damaged, &mut visitor);
                assert!(!errors.is_empty());
                assert_eq!((visitor.end, visitor.open), (bytes.len() as u64, 0));
                // Errors other than checksums.
                repair_checksums(&mut damaged);
                let mut visitor = Bytes::default();
                dump(&damaged, &mut visitor);
                assert_eq!((visitor.end, visitor.open), (bytes.len() as u64, 0));
            }
            let mut visitor = Bytes::default();
            let errors = dump(&bytes[..at], &mut visitor);
            assert!(!errors.is_empty());
            assert_eq!((visitor.end, visitor.open), (at as u64, 0));
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let files = files();
    assert!(files.len() >= 50);
    let mut flips = 0;
    for bytes in &files {
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let mut context = Context::new();
            let read = read_module_from_slice(&mut context, &damaged, &ReadOptions::default());
            let error = read.map(drop).unwrap_err();
            assert!(error.offset().is_some(), "bit {bit}: {error}");
            // Pages that only verification reads.
            let source = Source::from(damaged);
            let verified =
                File::new(&context, source, &ReadOptions::default()).and_then(|file| file.verify());
            assert!(verified.is_err(), "bit {bit}");
            flips += 1;
        }
    }
    assert!(flips > 90_000, "{flips}");
}
