//! Tests the promises of `spec/`: files that every later reader must read, and the example of the
//! specification.
//!
//! `BLESS=1` writes the files anew, which is right only as long as their version was not released.

use super::{parse, read};
use rmlir_format::Source;
use rmlir_ir::{Context, Module};
use rmlir_reader::lazy::LazyFile;
use rmlir_reader::rmbc::{File, ReadOptions};
use rmlir_testing::module_to_string;
use rmlir_text::PrintOptions;
use rmlir_writer::rmbc::{WriteOptions, write_module};
use std::path::{Path, PathBuf};

fn spec() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../spec")
}

fn text(context: &Context, module: &Module) -> String {
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    String::from_utf8(module_to_string(context, module, &options).unwrap()).unwrap()
}

/// The text of a golden file. Files with the same content have the same name up to the first dot.
fn golden_text(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap().to_str().unwrap();
    let content = name.split('.').next().unwrap();
    spec().join(format!("golden/text/{content}.mlir"))
}

/// The files: name, text, and how they are written.
fn golden() -> Vec<(&'static str, String, WriteOptions)> {
    use super::samples;
    let all = samples::ALL.concat();
    let mut many = String::new();
    for number in 0..400 {
        let next = (number + 1) % 400;
        many += &format!(
            "\"t.func\"() ({{\n^bb0(%a: i32, %b: i32):\n  %c = \"t.add\"(%a, %b) {{n = {number} : i64}} : (i32, i32) -> i32\n  \
             \"t.call\"(%c) {{callee = @f{next}}} : (i32) -> ()\n  \"t.return\"() : () -> ()\n}}) {{sym_name = \"f{number}\"}} : () -> ()\n"
        );
    }
    // Two strings of more than a page each.
    let pages = ["ab", "ba"]
        .map(|pair| format!("\"t.s\"() {{s = \"{}\"}} : () -> ()\n", pair.repeat(33_000)));
    let at = |level| {
        let mut options = WriteOptions::default();
        options.compression = level;
        options
    };
    let mut all_options = at(None);
    all_options.hashes = true;
    all_options.blob_alignment = 256;
    vec![
        ("everything", all.clone(), at(None)),
        ("everything.zstd", all.clone(), at(Some(19))),
        ("everything.options", all, all_options),
        ("symbols", many.clone(), at(None)),
        ("symbols.zstd", many, at(Some(3))),
        ("pages.zstd", pages.concat(), at(Some(3))),
        ("carried", carried_text(), at(None)),
        ("example", example_text(), at(None)),
    ]
}

/// Returns the text of entries of later versions.
fn carried_text() -> String {
    "\"t.c\"() {a = #rmbc.entry<54, \"CAFE\">, b = #rmbc.entry<63, \"\", !rmbc.entry<16, \"01\">>} : () -> ()\n".to_owned()
}

#[test]
fn golden_files_are_read() {
    check_golden(0, golden());
}

#[test]
fn each_content_has_one_golden_text() {
    let texts = std::fs::read_dir(spec().join("golden/text")).unwrap();
    let texts = texts.map(|text| std::fs::read(text.unwrap().path()).unwrap());
    let mut texts: Vec<_> = texts.collect();
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count);
}

/// What version 1.1 adds.
#[test]
fn golden_files_of_1_1_are_read() {
    let text = "\"t.l\"() {a = loc(\"f\":3), b = loc(\"f\":3:0)} : () -> () loc(\"f\":3)\n\
                \"t.l\"() : () -> () loc(fused[\"f\":3:5 to :5, \"g\":0])\n\
                \"t.l\"() : () -> () loc(\"f\":3:0)\n";
    check_golden(
        1,
        vec![("ranges", text.to_owned(), WriteOptions::default())],
    );
}

fn check_golden(minor: u8, files: Vec<(&str, String, WriteOptions)>) {
    let folder = spec().join(format!("golden/1.{minor}"));
    for (name, source, options) in files {
        let mut context = Context::new();
        let module = parse(&mut context, &source);
        let level = options.compression;
        let written = write_module(&context, &module, &options).unwrap();
        let file = folder.join(format!("{name}.rmbc"));
        let expected = golden_text(&file);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &written).unwrap();
            std::fs::write(&expected, text(&context, &module)).unwrap();
        }
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(bytes.get(5..7), Some(&[1, minor][..]));
        let mut other = Context::new();
        let back = read(&mut other, &bytes);
        let expected = std::fs::read_to_string(&expected).unwrap();
        assert!(text(&other, &back) == expected, "{name}");
        // This writer produces the bytes of the file, as long as the version is the current one.
        // Compressed frames depend on the release of zstd.
        if level.is_none() {
            assert!(written == bytes, "{name}: the bytes differ");
        }
    }
}

/// Tests files of versions that are no longer written.
#[test]
fn older_golden_files_are_read() {
    let mut count = 0;
    for file in std::fs::read_dir(spec().join("golden/0.2")).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "rmbc") {
            continue;
        }
        let expected = std::fs::read_to_string(golden_text(&file)).unwrap();
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(bytes.get(5..7), Some(&[0, 2][..]));
        let mut context = Context::new();
        let module = read(&mut context, &bytes);
        assert!(text(&context, &module) == expected, "{}", file.display());
        // Lazily as well.
        let options = ReadOptions::default();
        let file = File::new(&context, Source::from(bytes), &options).unwrap();
        for symbol in file.symbols().unwrap() {
            file.read_symbol(&mut context, &symbol).unwrap();
        }
        count += 1;
    }
    assert_eq!(count, 5);
}

/// Returns the text of the example: the first code block of the specification.
fn example_text() -> String {
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let blocks = specification.split("```mlir\n").nth(1).unwrap();
    blocks.split("```").next().unwrap().to_owned()
}

#[test]
fn the_example_of_the_specification_is_right() {
    let mut context = Context::new();
    let module = rmlir_text::parse_module(
        &mut context,
        example_text().as_bytes(),
        &rmlir_text::ParseOptions::for_file("a.mlir"),
    )
    .unwrap();
    let written = write_module(&context, &module, &WriteOptions::default()).unwrap();
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let rows = specification.split("\n## 7.").nth(1).unwrap().lines();
    let mut expected: Vec<u8> = Vec::new();
    let mut rows = rows.filter_map(|row| {
        let mut cells = row.strip_prefix("| ")?.split(" | ");
        let offset = cells.next()?.parse::<usize>().ok()?;
        Some((offset, cells.next()?.trim_matches('`').to_owned()))
    });
    assert!(rows.all(|(offset, bytes)| {
        let right = offset == expected.len();
        let bytes = bytes
            .split(' ')
            .map(|byte| u8::from_str_radix(byte, 16).unwrap());
        expected.extend(bytes);
        right
    }));
    if expected != written {
        let hex: Vec<String> = written.iter().map(|byte| format!("{byte:02X}")).collect();
        panic!("the example is now {}", hex.join(" "));
    }
}
