//! Modules in files of every container format.
#![allow(clippy::unwrap_used, reason = "test code")]

use rmlir_embed::{Content, UnwrapOptions, record, unwrap};
use rmlir_format::{ContainerWriter, Source, mlirbc};
use rmlir_testing::wrapped::{base64, wrapped};

/// A native file whose content is `byte`.
fn rmbc(byte: u8) -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.add_required(1, vec![byte; 300]).unwrap();
    writer.finish()
}

/// An mlirbc file with strings and sections whose content does not matter here.
fn mlirbc(producer: &str) -> Vec<u8> {
    let mut bytes = b"ML\xefR\x0d".to_vec();
    bytes.extend(producer.as_bytes());
    bytes.push(0);
    for (id, data) in [(1, &b"dialects"[..]), (2, b"x"), (3, b"y"), (4, b"ir")] {
        mlirbc::write_section(&mut bytes, 0, id, data, 1);
    }
    // One string of one byte.
    mlirbc::write_section(&mut bytes, 0, 0, &[3, 3, 0], 1);
    mlirbc::write_section(&mut bytes, 0, 8, b"", 1);
    bytes
}

fn found(bytes: &[u8]) -> Vec<rmlir_embed::Artifact> {
    let found = unwrap(&Source::from(bytes), &UnwrapOptions::default());
    assert!(found.is_complete);
    found.artifacts
}

#[test]
fn every_container_gives_its_module_back() {
    for module in [rmbc(7), mlirbc("MLIR22"), mlirbc("")] {
        for file in wrapped(&module) {
            let (format, name) = (file.format, file.name);
            let source = Source::from(file.bytes);
            let found = unwrap(&source, &UnwrapOptions::default());
            assert_eq!(found.container, Some(format));
            assert!(found.is_complete);
            let [artifact] = found.artifacts.as_slice() else {
                panic!("{format}: {:?}", found.artifacts);
            };
            assert_eq!(artifact.source[..], module, "{format}");
            assert_eq!(artifact.name, name, "{format}");
            assert!(
                artifact.container.starts_with(format),
                "{}",
                artifact.container
            );
            let start = artifact.offset as usize;
            let raw = source[start..].starts_with(&module);
            assert_ne!(raw, file.is_encoded, "{format}");
        }
    }
}

#[test]
fn containers_in_containers() {
    let module = rmbc(7);
    for outer in wrapped(b"X") {
        if outer.format == "json" || outer.format == "jax.export" || outer.format == "savedmodel" {
            continue;
        }
        for inner in wrapped(&module) {
            let outer = wrapped(&inner.bytes)
                .into_iter()
                .find(|file| file.format == outer.format);
            let artifacts = found(&outer.unwrap().bytes);
            assert_eq!(artifacts.len(), 1, "{}", inner.format);
            assert_eq!(artifacts[0].source[..], module);
            // Formats without a magic number are recognized as whole files only; there the
            // content is found by its own magic number.
            if !["json", "jax.export", "savedmodel"].contains(&inner.format) {
                assert!(
                    artifacts[0].name.ends_with(inner.name),
                    "{}",
                    artifacts[0].name
                );
            }
        }
    }
}

#[test]
fn sequences_are_separated() {
    let (a, b, c) = (rmbc(1), mlirbc("MLIR"), rmbc(2));
    let bytes = [&a[..], &[0; 13], &b, &c, &[0; 100]].concat();
    for file in wrapped(&bytes)
        .iter()
        .map(|file| &file.bytes)
        .chain([&bytes])
    {
        let found: Vec<Vec<u8>> = found(file).iter().map(|one| one.source.to_vec()).collect();
        assert_eq!(found, [a.clone(), b.clone(), c.clone()]);
    }
}

#[test]
fn records_have_names() {
    let (a, b) = (rmbc(1), mlirbc("MLIR22"));
    let mut section = Vec::new();
    record::write(&mut section, "first", Content::Rmbc, &a, 12);
    record::write(&mut section, "second", Content::Mlirbc, &b, 4);
    record::write(&mut section, "third", Content::Text, b"module {}", 4);
    // What JAX exports is bytecode, never a record.
    let files = wrapped(&section).into_iter();
    for file in files.filter(|file| file.format != "jax.export") {
        let artifacts = found(&file.bytes);
        let names: Vec<&str> = artifacts.iter().map(|one| one.name.as_str()).collect();
        let expected = ["first", "second", "third"]
            .map(|name| format!("{}:{name}", file.name))
            .map(|name| name.trim_start_matches(':').to_owned());
        assert_eq!(names, expected, "{}", file.format);
        let bytes: Vec<&[u8]> = artifacts.iter().map(|one| &one.source[..]).collect();
        assert_eq!(bytes, [&a[..], &b, b"module {}"]);
        assert_eq!(artifacts[1].producer.as_deref(), Some("MLIR22"));
    }
    // A damaged module is not taken for what was embedded, nor is it hidden.
    let last = section.len() - 16;
    section[last] ^= 1;
    let intact: Vec<bool> = found(&section).iter().map(|one| one.is_intact).collect();
    assert_eq!(intact, [true, true, false]);
}

#[test]
fn encoded_modules_are_found_in_other_bytes() {
    let module = mlirbc("MLIR22");
    let escape = |byte: &u8| match byte {
        b' '..=b'~' if !b"\"\\".contains(byte) => char::from(*byte).to_string(),
        _ => format!("\\{byte:02X}"),
    };
    let text = base64(&module);
    let lines: Vec<&[u8]> = text.as_bytes().chunks(76).collect();
    let hex: String = module.iter().map(|byte| format!("{byte:02x}")).collect();
    let escaped: String = module.iter().map(escape).collect();
    for (text, container) in [
        (format!("x = \"\\22{text}\\22\""), "base64"),
        (
            String::from_utf8(lines.join(&b"\r\n"[..])).unwrap(),
            "base64",
        ),
        // As YAML has it.
        (
            format!(
                "kernel: |\n  {}\n",
                String::from_utf8(lines.join(&b"\n  "[..])).unwrap()
            ),
            "base64",
        ),
        // The character before it may be the length of a string.
        (format!("Z{text}"), "base64"),
        (text.replace('+', "-").replace('/', "_"), "base64"),
        (format!("dense<\"0x{hex}\">"), "hex"),
        (format!("#a = \"{escaped}\""), "string"),
    ] {
        let artifacts = found(text.as_bytes());
        assert_eq!(artifacts.len(), 1, "{text}");
        assert_eq!(artifacts[0].source[..], module);
        assert_eq!(artifacts[0].container, container);
    }
}

#[test]
fn nested_modules_are_deeper() {
    let inner = mlirbc("INNER");
    let mut outer = b"ML\xefR\x0d".to_vec();
    outer.extend(b"OUTER\0");
    let json = format!("{{\"body\": \"{}\"}}", base64(&inner));
    for (id, data) in [
        (1, &b"dialects"[..]),
        (2, &inner),
        (3, b"y"),
        (4, json.as_bytes()),
    ] {
        mlirbc::write_section(&mut outer, 0, id, data, 1);
    }
    mlirbc::write_section(&mut outer, 0, 0, &[3, 3, 0], 1);
    mlirbc::write_section(&mut outer, 0, 8, b"", 1);
    for file in wrapped(&outer) {
        let all = unwrap(&Source::from(file.bytes), &UnwrapOptions::default());
        let depths: Vec<usize> = all.artifacts.iter().map(|one| one.depth).collect();
        let base = *depths.iter().min().unwrap();
        assert_eq!(all.outermost().len(), 1, "{}", file.format);
        let mut sorted = depths.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [base, base + 1, base + 2], "{}", file.format);
        let containers: Vec<&str> = all.artifacts.iter().map(|one| &one.container[..]).collect();
        assert!(
            containers
                .iter()
                .any(|path| path.ends_with("mlirbc/base64")),
            "{containers:?}"
        );
    }
}

#[test]
fn bitcode_is_not_mlir() {
    for file in wrapped(b"BC\xc0\xde and more bytes") {
        if ["json", "jax.export"].contains(&file.format) {
            continue;
        }
        let all = unwrap(&Source::from(file.bytes), &UnwrapOptions::default());
        assert_eq!(all.artifacts.len(), 1, "{}", file.format);
        assert_eq!(all.artifacts[0].content, Content::LlvmBitcode);
        assert!(all.outermost().is_empty());
    }
}

/// Each is a file that would cost much more than it has bytes: many sections over the same bytes,
/// many beginnings of modules that end late, members that inflate to the same bytes.
#[test]
fn work_is_linear() {
    let mut beginnings = Vec::new();
    for _ in 0..20_000 {
        beginnings.extend(b"ML\xefR\x0d\0");
        mlirbc::write_section(&mut beginnings, 0, 1, b"", 1);
    }
    let mut texts = b"TUzvU".repeat(20_000);
    texts.push(b'!');
    let zeros = vec![0x8a; 1 << 16];
    let gzip = wrapped(b"").into_iter().find(|file| file.format == "gzip");
    let gzip = gzip.unwrap().bytes.repeat(5_000);
    for bytes in [
        beginnings,
        texts,
        zeros,
        b"\x8aRMLIR\r\n".repeat(10_000),
        gzip,
        b"UEsDB ".repeat(20_000),
        b"[7,7,".repeat(20_000),
        [b"[", &b"123,".repeat(20_000)[..]].concat(),
        b"{\"a\":[\"UEsDBBBBUEsDBBBBUEsDBBBBUEsDBBBB\",".repeat(3_000),
        b"PK\x05\x06".repeat(20_000),
        b"PK\x03\x04".repeat(20_000),
        b"77, 76, 239, 82, ".repeat(20_000),
        b"4d4cef52\n".repeat(20_000),
        b"0x4d, 0x4c, 0xef, 0x52, ".repeat(20_000),
    ] {
        let start = std::time::Instant::now();
        for file in wrapped(&bytes)
            .into_iter()
            .map(|file| file.bytes)
            .chain([bytes])
        {
            assert!(
                unwrap(&Source::from(file), &UnwrapOptions::default())
                    .artifacts
                    .is_empty()
            );
        }
        // Only for people who look at the output: the limit is the test's own time-out.
        println!("{:?}", start.elapsed());
    }
}
