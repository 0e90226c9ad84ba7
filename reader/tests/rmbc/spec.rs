//! Tests the promises of `spec/`: files that every later reader must read, and the example of the
//! specification.
//!
//! `BLESS=1` writes the files anew, which is right only as long as their version was not released.

use super::{parse, read};
use rmlir_format::rmbc::{dictionary, fragments, preset, schema, section, signature_flag};
use rmlir_format::{Container, ErrorKind, Limits, Source};
use rmlir_ir::definition::Release;
use rmlir_ir::{Context, Module, TypeKind};
use rmlir_reader::lazy::LazyFile;
use rmlir_reader::rmbc::{File, ReadOptions, read_module};
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
        let mut options = super::write_options();
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
        ("worked.zstd", worked_text(), at(Some(3))),
        ("carried", carried_text(), at(None)),
        ("ranges", ranges_text(), at(None)),
        ("apart", apart_text(), at(None)),
        ("nested", nested_text(), at(None)),
        ("metadata", "\"t.m\"() : () -> ()\n".to_owned(), at(None)),
        ("example", example_text(), at(None)),
        (
            "types",
            "\"t.t\"() {a = token} : () -> ()\n".to_owned(),
            at(None),
        ),
    ]
}

/// Returns the text of file positions that are stored as ranges.
fn ranges_text() -> String {
    "\"t.l\"() {a = loc(\"f\":3), b = loc(\"f\":3:0)} : () -> () loc(\"f\":3)\n\
     \"t.l\"() : () -> () loc(fused[\"f\":3:5 to :5, \"g\":0])\n\
     \"t.l\"() : () -> () loc(\"f\":3:0)\n"
        .to_owned()
}

/// Returns the text of elements that are stored in blobs, and of digits in bodies.
fn apart_text() -> String {
    let digits = "0123456789ABCDEF".repeat(640);
    format!(
        "\"t.a\"() {{a = dense<\"0x{digits}\"> : tensor<1280xi32>, b = array<i64: {}>}} : () -> ()\n\
         \"t.a\"() {{a = #d.t<dense<\"0x{digits}\"> : tensor<1280xi32>>, b = #d.t<0x0123456789ABCDEF0>}} : () -> ()\n",
        vec!["-1"; 600].join(", ")
    )
}

/// Returns the text of nested modules that are divided into chunks, with names, block arguments,
/// use-list orders, and references.
fn nested_text() -> String {
    let mut text = String::new();
    for outer in 0..3 {
        text += "\"t.module\"() ({\n";
        for inner in 0..120 {
            text += &format!(
                "\"t.func\"() ({{\n^bb0(%arg: i32):\n  %sum = \"t.add\"(%arg, %arg) : (i32, i32) -> i32\n  \
                 \"t.call\"(%sum) {{callee = @f{}}} : (i32) -> ()\n}}) {{sym_name = \"f{inner}\"}} : () -> ()\n",
                (inner + 1) % 120
            );
        }
        text += &format!("}}) {{sym_name = \"m{outer}\"}} : () -> ()\n\"t.op\"() : () -> ()\n");
    }
    text
}

/// Returns the text of the second example: a resource, bodies with a reference, an entry of a later
/// version, symbols that are divided into chunks, and strings that take a compressed page.
fn worked_text() -> String {
    let long = "a".repeat(16_400);
    let mut text = format!(
        "\"t.r\"() {{d = #d.t<i32, #d.u<1>>, e = #rmbc.entry<54, \"CAFE\", #d.u<1>>, \
         r = dense_resource<w> : tensor<4xi32>, s = \"{long}\"}} : () -> ()\n"
    );
    for number in 0..300 {
        let next = (number + 1) % 300;
        text += &format!("\"t.f\"() {{sym_name = \"f{number}\", to = @f{next}}} : () -> ()\n");
    }
    text + "{-# dialect_resources: {builtin: {w: \"0x0400000001000000020000000300000004000000\"}} #-}\n"
}

/// Returns the text of entries of later versions.
fn carried_text() -> String {
    "\"t.c\"() {a = #rmbc.entry<54, \"CAFE\">, b = #rmbc.entry<63, \"\", !rmbc.entry<16, \"01\">>} : () -> ()\n".to_owned()
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

#[test]
fn golden_files_are_read() {
    let folder = spec().join("golden");
    for (name, source, options) in golden() {
        let mut context = Context::new();
        context.set_release(Release::LLVM_24);
        let mut module = parse(&mut context, &source);
        if name == "types" {
            // A graph type has the text of a function type.
            let (inputs, results) = ([context.i1_type()].into(), Box::default());
            let graph = context.try_type(TypeKind::Graph { inputs, results });
            let graph = context.type_attribute(graph.unwrap());
            let operation = module.descendants(module.top()).last().unwrap();
            let name = context.identifier("b");
            module
                .set_discardable_attribute(&mut context, operation, name, Some(graph))
                .unwrap();
        }
        if name == "metadata" {
            let metadata = &mut module.provenance.metadata;
            metadata.insert(b"tool.key"[..].into(), [1, 2, 255][..].into());
            metadata.insert(b""[..].into(), [][..].into());
        }
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
        assert_eq!(bytes.get(5..7), Some(&[2, 0][..]));
        let mut other = Context::new();
        let back = read(&mut other, &bytes);
        let expected = std::fs::read_to_string(&expected).unwrap();
        assert!(text(&other, &back) == expected, "{name}");
        assert_eq!(back.provenance.metadata, module.provenance.metadata);
        // This writer produces the bytes of the file, as long as the version is the current one.
        // Compressed frames depend on the release of zstd.
        if level.is_none() {
            assert!(written == bytes, "{name}: the bytes differ");
        }
        // Lazily as well.
        let options = ReadOptions::default();
        let file = File::new(&other, Source::from(bytes), &options).unwrap();
        for symbol in file.symbols().unwrap() {
            file.read_symbol(&mut other, &symbol).unwrap();
        }
        file.verify_index(&other, &back).unwrap();
    }
}

/// Files of versions before the first release are refused, by a message that says so.
#[test]
fn pre_release_versions_are_refused() {
    for version in [[0, 1], [0, 2], [1, 0], [1, 1]] {
        let mut bytes = std::fs::read(spec().join("golden/everything.rmbc")).unwrap();
        bytes[5..7].copy_from_slice(&version);
        let options = ReadOptions::default();
        let mut context = Context::new();
        let source = Source::from(bytes);
        let whole = read_module(&mut context, &source, &options).map(drop);
        let lazily = File::new(&context, source, &options).map(drop);
        for error in [whole, lazily].map(Result::unwrap_err) {
            assert_eq!(error.kind(), ErrorKind::UnknownVersion);
            let [major, minor] = version;
            let expected = format!("{major}.{minor}, a pre-release version");
            assert!(error.message().contains(&expected), "{error}");
        }
    }
}

/// The bytes of golden files in the specification are those of the files.
#[test]
fn the_excerpts_of_the_specification_are_right() {
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let rows = specification.split("\n### 8.2").nth(1).unwrap();
    let rows = rows.split("\n### ").next().unwrap().lines();
    let mut count = 0;
    for row in rows.filter(|row| row.contains(".rmbc | ")) {
        let cells: Vec<&str> = row[2..].split(" | ").collect();
        let file = std::fs::read(spec().join("golden").join(cells[0])).unwrap();
        let offset: usize = cells[1].parse().unwrap();
        let hex = cells[2].trim_matches('`').split(' ');
        let bytes: Vec<u8> = hex.map(|b| u8::from_str_radix(b, 16).unwrap()).collect();
        assert_eq!(file[offset..offset + bytes.len()], bytes, "{row}");
        count += 1;
    }
    assert!(count > 15);
}

/// The second example of the specification: the bytes of the file, and those of the content of its
/// sections.
#[test]
fn the_second_example_of_the_specification_is_right() {
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let rows = specification.split("\n### 8.3").nth(1).unwrap();
    let rows = rows.split("\n## ").next().unwrap().lines();
    let file = std::fs::read(spec().join("golden/worked.zstd.rmbc")).unwrap();
    let container = Container::parse(&file, &Limits::default(), section::name).unwrap();
    let sections: Vec<(&str, Vec<u8>)> = container
        .sections()
        .map(|section| (section.name(), section.bytes().unwrap().into_owned()))
        .collect();
    let (mut of_file, mut of_sections) = (0, 0);
    for row in rows.filter(|row| row.starts_with("| ") && row.contains("` | ")) {
        let mut cells: Vec<&str> = row[2..].split(" | ").collect();
        let bytes = match cells[0].parse::<usize>() {
            Ok(_) => {
                of_file += 1;
                &file
            }
            Err(_) => {
                of_sections += 1;
                let name = cells.remove(0);
                let mut found = sections.iter().filter(|(section, _)| *section == name);
                &found.next().unwrap().1
            }
        };
        let offset: usize = cells[0].parse().unwrap();
        let hex = cells[1].trim_matches('`').split(' ');
        let expected: Vec<u8> = hex.map(|b| u8::from_str_radix(b, 16).unwrap()).collect();
        assert_eq!(bytes[offset..offset + expected.len()], expected, "{row}");
    }
    assert!(of_file > 20 && of_sections > 30);
}

/// The tables of the specification are those of the schema.
#[test]
fn the_tables_of_the_specification_are_right() {
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let table = |from: &str, to: &str| -> Vec<String> {
        let rows = specification.split(from).nth(1).unwrap();
        let rows = rows.split(to).next().unwrap().lines();
        rows.filter(|row| row.starts_with("| ") && row.as_bytes()[2].is_ascii_digit())
            .map(str::to_owned)
            .collect()
    };
    let entries: Vec<String> = schema::ENTRIES
        .iter()
        .map(|entry| {
            let fields: Vec<String> = entry
                .fields
                .iter()
                .map(|field| format!("{} `{}`", field.name, field.encoding.notation()))
                .collect();
            format!("| {} | {} | {} |", entry.tag, entry.name, fields.join(", "))
        })
        .collect();
    assert_eq!(table("<!-- table: entries -->", "<!-- end -->"), entries);
    let sections = table("\n## 3. Sections", "\n### 3.1");
    assert_eq!(sections.len(), section::ALL.len());
    for (row, &(kind, name, required)) in sections.iter().zip(section::ALL) {
        let required = if required { "yes" } else { "no" };
        assert!(
            row.starts_with(&format!("| {kind} | {name} | {required} | ")),
            "{row}"
        );
    }
    let flags: Vec<String> = signature_flag::TABLE
        .iter()
        .map(|(flag, meaning)| format!("| {flag} | {meaning} |"))
        .collect();
    assert_eq!(table("\n### 3.5 Templates", "\n### 3.6"), flags);
    let codes: Vec<String> = schema::locations::TABLE
        .iter()
        .map(|code| {
            let distance = if code.has_distance() { " + 3 z" } else { "" };
            format!(
                "| {}{distance} | {} | {} |",
                code.code,
                code.meaning,
                code.notation()
            )
        })
        .collect();
    assert_eq!(table("\n### 3.7 Locations", "\n### 3.8"), codes);
    let limits: Vec<String> = schema::limits::LIMITS
        .iter()
        .map(|(quantity, bound)| format!("| {quantity} | {} |", bound.notation()))
        .collect();
    let rows = specification
        .split("<!-- table: limits -->")
        .nth(1)
        .unwrap();
    let rows = rows.split("<!-- end -->").next().unwrap().trim().lines();
    assert_eq!(rows.skip(2).collect::<Vec<_>>(), limits);
    let signature: Vec<String> = schema::SIGNATURE
        .iter()
        .map(schema::SignatureLayout::notation)
        .collect();
    let words: Vec<&str> = specification.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains(&format!("signature := {} template :=", signature.join(" ")))
    );
    assert!(specification.contains(dictionary::SHA256));
    let counts = format!(
        "{} strings, {} fragments",
        preset::count(),
        fragments::count()
    );
    assert!(
        specification
            .replacen("2,364", "2364", 1)
            .replacen("1,919", "1919", 1)
            .contains(&counts)
    );
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
    let written = write_module(&context, &module, &super::write_options()).unwrap();
    let specification = std::fs::read_to_string(spec().join("rmbc.md")).unwrap();
    let rows = specification.split("\n### 8.1").nth(1).unwrap();
    let rows = rows.split("\n### ").next().unwrap().lines();
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
