//! Tests the files of `spec/golden/rejected`: each breaks one rule of the specification, and is
//! refused for the reason that `reasons.tsv` states, when it is read or verified.
//! `scripts/read_rmbc.py` tests the same.
//!
//! `BLESS=1` writes the files anew.

use super::hostile::try_read;
use super::raw::{Part, Raw, Sections, counted, one, put_together, take_apart, varint};
use super::{parse, samples, write};
use rmlir_format::ContainerWriter;
use rmlir_format::Source;
use rmlir_format::rmbc::index::{Chunk, Index};
use rmlir_format::rmbc::{section, tag};
use rmlir_format::section::repair;
use rmlir_ir::Context;
use rmlir_reader::rmbc::{File, ReadOptions};
use rmlir_writer::rmbc::write_module;
use std::path::PathBuf;

/// A file: its name, the section of the specification with the rule, the reason, and the bytes.
type Case = (&'static str, &'static str, &'static str, Vec<u8>);

fn text_file(text: &str) -> Vec<u8> {
    let mut context = Context::new();
    let module = parse(&mut context, text);
    write(&context, &module)
}

/// Returns a file with the content of one section changed.
fn with(bytes: &[u8], kind: u16, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut sections = take_apart(bytes);
    let section = sections.iter_mut().find(|s| s.0 == kind).unwrap();
    change(&mut section.3);
    put_together(&sections)
}

/// Returns a file with its list of sections changed.
fn with_sections(bytes: &[u8], change: impl FnOnce(&mut Sections)) -> Vec<u8> {
    let mut sections = take_apart(bytes);
    change(&mut sections);
    put_together(&sections)
}

fn raw(change: impl FnOnce(&mut Raw)) -> Vec<u8> {
    let mut raw = Raw::new();
    change(&mut raw);
    raw.bytes()
}

fn edited(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    change(&mut bytes);
    bytes
}

fn part(kind: u16, bytes: &[u8]) -> Part {
    (
        kind,
        section::is_required(kind).unwrap_or(false),
        None,
        bytes.to_vec(),
    )
}

fn container_cases() -> Vec<Case> {
    let good = text_file("\"t.a\"() {n = 7 : i8} : () -> ()");
    let mut pages = ContainerWriter::new();
    pages
        .add_required(section::STRINGS, vec![1; 40_000])
        .unwrap();
    let pages = pages.finish();
    let moved = edited(&pages, |bytes| {
        // The checksums of two pages with the same content are exchanged.
        let table = bytes.len() - 5 * 4;
        let (a, b) = (
            bytes[table..table + 4].to_vec(),
            bytes[table + 4..table + 8].to_vec(),
        );
        assert_ne!(a, b);
        bytes[table..table + 4].copy_from_slice(&b);
        bytes[table + 4..table + 8].copy_from_slice(&a);
    });
    vec![
        (
            "magic",
            "2.1",
            "the first bytes are not",
            edited(&good, |b| b[..5].fill(b'x')),
        ),
        (
            "version-old",
            "6.1",
            "a pre-release version",
            edited(&good, |b| b[5] = 1),
        ),
        (
            "version-new",
            "2.1",
            "a newer build is needed",
            edited(&good, |b| b[5] = 3),
        ),
        (
            "header-checksum",
            "2.1",
            "checksum of header",
            edited(&good, |b| b[7] ^= 1),
        ),
        (
            "bundle-checksum",
            "2.1",
            "checksum of header",
            edited(&good, |b| *b.last_mut().unwrap() ^= 1),
        ),
        ("cut-off", "2.2", "cut off", good[..good.len() - 1].to_vec()),
        ("longer", "2.2", "ends at", edited(&good, |b| b.push(0))),
        (
            "dictionary-number",
            "2.2",
            "uses dictionary 2",
            edited(&good, |b| {
                b[13] = 2;
                repair(b);
            }),
        ),
        (
            "dictionary-hash",
            "2.2",
            "with the hash",
            edited(&good, |b| {
                b[14] ^= 1;
                repair(b);
            }),
        ),
        (
            "section-unknown",
            "2.2",
            "is required to understand",
            with_sections(&good, |s| {
                s.push((900, true, None, vec![1]));
            }),
        ),
        (
            "section-order",
            "3",
            "is not in the order of kinds",
            with_sections(&good, |s| s.swap(0, 1)),
        ),
        (
            "section-optional",
            "3",
            "is marked as optional",
            with_sections(&good, |s| s[0].1 = false),
        ),
        (
            "section-required",
            "3",
            "is marked as required",
            with_sections(&good, |s| {
                s.push((section::METADATA, true, None, vec![0]));
            }),
        ),
        (
            "section-empty",
            "3",
            "is empty",
            with_sections(&good, |s| s.push(part(section::METADATA, &[]))),
        ),
        (
            "section-missing",
            "3",
            "has no operations",
            with_sections(&good, |s| {
                s.retain(|s| s.0 != section::OPERATIONS);
            }),
        ),
        ("page-moved", "2.4", "the file is damaged", moved),
        (
            "feature",
            "3.14",
            "needs the feature 'x'",
            with_sections(&good, |s| {
                s.push(part(section::FEATURES, &[1, 1, b'x']));
            }),
        ),
        (
            "metadata-order",
            "3.14",
            "the keys of the metadata do not ascend",
            with_sections(&good, |s| {
                s.push(part(section::METADATA, &[2, 1, b'b', 0, 1, b'a', 0]));
            }),
        ),
        (
            "section-trailing",
            "1.2",
            "follow",
            with(&good, section::TEMPLATES, |b| b.push(0)),
        ),
        ("preset-without-dictionary", "3.1", "names no dictionary", {
            let mut writer = ContainerWriter::new();
            for (kind, _, _, bytes) in take_apart(&good) {
                writer.add_required(kind, bytes).unwrap();
            }
            writer.finish()
        }),
    ]
}

fn entry_cases() -> Vec<Case> {
    let entries = |entries| raw(|raw| raw.entries = entries);
    vec![
        (
            "strings-order",
            "3.1",
            "strings do not ascend",
            raw(|raw| raw.strings.push(b"m".to_vec())),
        ),
        (
            "varint-long",
            "1.2",
            "is written in",
            raw(|raw| raw.operations = vec![1, 0, 0, 0, 0, 248, 0, 0]),
        ),
        (
            "varint-255",
            "1.2",
            "255",
            raw(|raw| raw.operations = vec![1, 0, 0, 0, 0, 255]),
        ),
        (
            "type-forward",
            "3.4",
            "is not there",
            entries(vec![one(tag::COMPLEX_TYPE, &[0])]),
        ),
        (
            "tag",
            "3.4",
            "of the kind 128",
            entries(vec![one(128, &[])]),
        ),
        (
            "run-empty",
            "3.4",
            "a run of no entries",
            entries(vec![(tag::UNIT, Vec::new())]),
        ),
        (
            "run-alone",
            "3.4",
            "are all equal",
            entries(vec![(tag::UNIT, vec![Vec::new(); 2])]),
        ),
        (
            "run-order",
            "3.4",
            "follows another entry",
            entries(vec![one(tag::NONE_TYPE, &[]), one(tag::INDEX_TYPE, &[])]),
        ),
        (
            "dictionary-order",
            "3.4",
            "do not ascend",
            entries(vec![
                one(tag::UNIT, &[]),
                one(tag::DICTIONARY, &[2, 0, 0, 0, 0]),
            ]),
        ),
        (
            "integer-width",
            "3.4",
            "does not fit",
            entries(vec![
                one(tag::SIGNLESS_TYPE, &[3]),
                one(tag::INTEGER, &[0, 8]),
            ]),
        ),
        (
            "range-empty",
            "3.4",
            "ends where it starts",
            entries(vec![one(tag::FILE_RANGE, &[0, 1, 1, 0, 0])]),
        ),
        (
            "short-range",
            "3.4",
            "has 3 numbers",
            entries(vec![one(tag::SHORT_RANGE, &[0, 3, 1, 1, 1])]),
        ),
        (
            "reference-position",
            "3.4",
            "after the end of the text",
            entries(vec![one(tag::DIALECT_TYPE, &[0, 1, b'x', 1, 2, 0])]),
        ),
        (
            "fragment-without-dictionary",
            "3.4",
            "names no dictionary",
            {
                let mut writer = ContainerWriter::new();
                let bytes = entries(vec![one(tag::DIALECT_TYPE, &[0, 1, 128, 0])]);
                for (kind, _, _, bytes) in take_apart(&bytes) {
                    writer.add_required(kind, bytes).unwrap();
                }
                writer.finish()
            },
        ),
        (
            "escape",
            "3.4",
            "is not spelled as it is",
            entries(vec![one(tag::DIALECT_TYPE, &[0, 2, 255, b'a', 0])]),
        ),
        (
            "affine-later",
            "3.2",
            "affine expression is of a later version",
            with_sections(&Raw::new().bytes(), |s| {
                s.insert(1, part(section::AFFINE, &counted(&[vec![200, 0, 0]])));
            }),
        ),
        (
            "affine-kind",
            "3.2",
            "no affine expression begins with",
            with_sections(&Raw::new().bytes(), |s| {
                s.insert(1, part(section::AFFINE, &counted(&[vec![9, 0, 0]])));
            }),
        ),
        (
            "resource-later",
            "3.3",
            "the value of a resource is of a later version",
            with_sections(&Raw::new().bytes(), |s| {
                s.insert(1, part(section::RESOURCES, &[1, 0, 0, 128, 0]))
            }),
        ),
        (
            "blob-missing",
            "3.3",
            "blob #0 is not there",
            with_sections(&Raw::new().bytes(), |s| {
                s.insert(1, part(section::RESOURCES, &[1, 0, 0, 1, 0]));
            }),
        ),
        (
            "blob-twice",
            "3.3",
            "blob #0 is used twice",
            with_sections(&Raw::new().bytes(), |s| {
                s.insert(1, part(section::RESOURCES, &[2, 0, 0, 1, 0, 0, 0, 1, 0]));
                s.push(part(section::BLOB_LIST, &[1, 0, 0]));
            }),
        ),
        (
            "blob-alignment",
            "3.3",
            "is not a power of two",
            with_sections(&Raw::new().bytes(), |s| {
                s.push(part(section::BLOB_LIST, &[1, 3, 0]));
            }),
        ),
    ]
}

fn operation_cases() -> Vec<Case> {
    let region = |operations: Vec<u8>| {
        raw(|raw| {
            raw.forms = vec![vec![0, 32, 0, 0, 1], vec![0, 0, 0, 0]];
            raw.shapes = vec![vec![0], vec![1]];
            raw.operations = operations;
        })
    };
    let mut many = String::new();
    for number in 0..300 {
        many += &format!(
            "\"t.f\"() ({{\n  \"t.r\"() : () -> ()\n}}) {{sym_name = \"f{number}\"}} : () -> ()\n"
        );
    }
    let many = text_file(&many);
    let blobs = "\"t.a\"() {a = dense_resource<x> : tensor<4xi8>, b = dense_resource<y> : tensor<4xi8>} : () -> ()\n\
                 {-# dialect_resources: {builtin: {x: \"0x0800000001020304\", y: \"0x0800000005060708\"}} #-}";
    vec![
        (
            "signature-flags",
            "3.5",
            "contradict",
            raw(|raw| raw.forms = vec![vec![0, 4, 0, 0]]),
        ),
        (
            "signature-no-keys",
            "3.5",
            "has attributes and no keys",
            raw(|raw| raw.forms = vec![vec![0, 1, 0, 0, 0]]),
        ),
        (
            "extension-required",
            "3.5",
            "has the extension 3",
            raw(|raw| raw.forms = vec![vec![0, 64, 0, 0, 1, 3, 0]]),
        ),
        (
            "extension-order",
            "3.5",
            "extensions do not ascend",
            raw(|raw| {
                raw.forms = vec![vec![0, 64, 0, 0, 2, 2, 0, 2, 0]];
            }),
        ),
        (
            "extension-none",
            "3.5",
            "extensions is empty",
            raw(|raw| raw.forms = vec![vec![0, 64, 0, 0, 0]]),
        ),
        (
            "totals",
            "3.6",
            "announce",
            raw(|raw| raw.operations = vec![1, 0, 0, 1, 0, 0]),
        ),
        (
            "template",
            "3.6",
            "is not there",
            raw(|raw| raw.operations = vec![1, 0, 0, 0, 0, 9]),
        ),
        (
            "region-flags",
            "3.6",
            "a region without blocks",
            region(vec![1, 1, 0, 0, 0, 0, 2]),
        ),
        (
            "chunk-empty",
            "3.6",
            "a chunk has no operations",
            region(vec![2, 1, 1, 0, 0, 0, 10, 1, 0]),
        ),
        (
            "chunk-not-last",
            "3.6",
            "is not the last one of a chunk",
            region(vec![4, 2, 2, 0, 0, 0, 10, 1, 2, 0, 10, 1, 1, 1, 1]),
        ),
        (
            "chunk-in-block",
            "3.6",
            "is not the last one of a chunk",
            region(vec![3, 2, 2, 0, 0, 0, 8, 1, 0, 10, 1, 1, 1]),
        ),
        (
            "restart-missing",
            "3.7",
            "do not restart",
            with(&many, section::LOCATIONS, |b| {
                let at = b.iter().position(|&byte| byte == 3).unwrap();
                b.remove(at);
            }),
        ),
        (
            "restart-superfluous",
            "3.7",
            "restart where no chunk begins",
            with(&many, section::LOCATIONS, |b| {
                b.insert(0, 3);
            }),
        ),
        (
            "location-later",
            "3.7",
            "of a later version",
            raw(|raw| raw.locations = Some(vec![4, 1, 0])),
        ),
        (
            "location-first",
            "3.7",
            "there is no location before",
            raw(|raw| raw.locations = Some(vec![0])),
        ),
        (
            "location-file",
            "3.7",
            "lies in no file",
            raw(|raw| raw.locations = Some(vec![5])),
        ),
        (
            "index-offset",
            "3.8",
            "chunk #0 of the index",
            with(&many, section::INDEX, |b| b[2] += 1),
        ),
        (
            "index-count",
            "3.8",
            "chunks, and the operations have",
            with_sections(&many, |s| {
                let index = s.iter_mut().find(|s| s.0 == section::INDEX).unwrap();
                index.3 = [counted(&[]), counted(&[]), counted(&[])].concat();
            }),
        ),
        (
            "undivided",
            "3.6",
            "is not divided into chunks",
            undivided(),
        ),
        (
            "names-place",
            "3.11",
            "in segment",
            with_sections(&Raw::new().bytes(), |s| {
                let name = counted(&[vec![0, 0, 0]]);
                s.push(part(section::NAMES, &[name, counted(&[])].concat()));
            }),
        ),
        (
            "uses-place",
            "3.12",
            "is not there",
            with_sections(&Raw::new().bytes(), |s| {
                s.push(part(section::USES, &counted(&[vec![0, 0, 0]])));
            }),
        ),
        ("blob-padding", "3.3", "between blobs is not zero", {
            let mut bytes = text_file(blobs);
            let at = bytes
                .windows(5)
                .rposition(|b| b == [4, 0, 0, 0, 0])
                .unwrap();
            bytes[at + 2] = 9;
            repair(&mut bytes);
            bytes
        }),
        ("table-offset", "1.3", "a block of the table begins", {
            let mut context = Context::new();
            let module = parse(&mut context, &samples::ALL.concat());
            let bytes = write_module(&context, &module, &super::write_options()).unwrap();
            with(&bytes, section::TEMPLATES, |b| {
                // The offset of the second block of signatures follows their count and length.
                let lists = 2 + usize::from(b[1]);
                b[lists + 3] = b[lists + 3].wrapping_add(1);
            })
        }),
        (
            "table-count",
            "1.3",
            "entries are announced",
            raw(|raw| {
                raw.lists = Vec::new();
            }),
        ),
    ]
}

/// Returns a file with an index, and with 1,025 symbols in an operation without chunks.
fn undivided() -> Vec<u8> {
    const SYMBOLS: usize = 1025;
    let mut raw = Raw::new();
    // The name of all symbols, that of all operations, and the key of the name.
    raw.strings = [&b"a"[..], b"n", b"sym_name"].map(<[u8]>::to_vec).into();
    // An operation with a region, and one with a name among its properties.
    raw.forms = vec![vec![1, 32, 0, 0, 1], vec![1, 2, 0, 0, 1, 2]];
    raw.shapes = vec![vec![0], vec![1, 0]];
    let totals = [SYMBOLS as u64 + 2, 2, 2, 0, 0];
    // The top has a chunk of one operation, whose only block has the others.
    let nested = [vec![0, 10, 1, 1, 0, 8], varint(SYMBOLS as u64)];
    let start: usize = totals.iter().map(|&total| varint(total).len()).sum();
    raw.operations = [
        totals.map(varint).concat(),
        nested.concat(),
        vec![1; SYMBOLS],
    ]
    .concat();
    let index = Index {
        chunks: vec![Chunk {
            offset: start as u64 + 3,
            ..Chunk::default()
        }],
        names: vec![(0, 0)],
        references: Vec::new(),
    };
    with_sections(&raw.bytes(), |sections| {
        // One string is the name of a symbol.
        sections[0].3[2] = 1;
        sections.push(part(section::INDEX, &index.encode().unwrap()));
    })
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../spec/golden/rejected")
}

#[test]
fn each_broken_rule_is_the_reason() {
    let mut cases: Vec<Case> = [container_cases(), entry_cases(), operation_cases()].concat();
    // A table of more entries than bytes: the type lists of a file without any.
    if let Some(case) = cases.iter_mut().find(|case| case.0 == "table-count") {
        case.3 = with(&Raw::new().bytes(), section::TEMPLATES, |b| {
            assert_eq!(b[..2], [0, 0]);
            b[0] = varint(7)[0];
        });
    }
    let list: Vec<String> = cases
        .iter()
        .map(|(name, rule, reason, _)| format!("{name}\t{rule}\t{reason}\n"))
        .collect();
    let reasons = folder().join("reasons.tsv");
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(&reasons, list.concat()).unwrap();
        for (name, _, _, bytes) in &cases {
            std::fs::write(folder().join(format!("{name}.rmbc")), bytes).unwrap();
        }
    }
    assert_eq!(std::fs::read_to_string(reasons).unwrap(), list.concat());
    let mut wrong = Vec::new();
    for (name, _, reason, bytes) in &cases {
        let file = std::fs::read(folder().join(format!("{name}.rmbc"))).unwrap();
        assert!(file == *bytes, "{name}");
        let refused = try_read(&file).and_then(|(context, module)| {
            let source = Source::from(&*file);
            let file = File::new(&Context::new(), source, &ReadOptions::default())?;
            file.verify_index(&context, &module)
        });
        match refused {
            Err(error) if error.to_string().contains(reason) => {}
            Err(error) => wrong.push(format!("{name}: {error}")),
            Ok(()) => wrong.push(format!("{name} is accepted")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let files = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(files, cases.len() + 1);
}
