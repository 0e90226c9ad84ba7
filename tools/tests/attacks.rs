//! Tests `rmlir-translate` on the hostile files of `attacks/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Folder;
use std::path::Path;

#[test]
fn hostile_files_get_what_they_must() {
    let attacks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../attacks");
    let folder = Folder::new(env!("CARGO_BIN_EXE_rmlir-translate"), "attacks");
    let table = std::fs::read_to_string(attacks.join("expected.tsv")).unwrap();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, outcome, message, options] = fields[..] else {
            panic!("{line}");
        };
        folder.write(name, std::fs::read(attacks.join(name)).unwrap());
        let mut arguments = vec![name, "-o", "out", "--max-output", "1000000", "--no-verify"];
        arguments.extend(options.split_whitespace());
        if outcome == "accepted" {
            arguments.push("--verify-roundtrip");
        }
        let output = folder.run(&arguments, b"");
        let error = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        if outcome == "accepted" {
            assert_eq!((code, &*error), (Some(0), ""), "{name}");
            std::fs::remove_file(folder.file("out")).unwrap();
        } else {
            assert_eq!(code, Some(1), "{name}: {error}");
            assert!(error.contains(message), "{name}: {error}");
        }
        // Nothing remains, not even a partial file under another name.
        std::fs::remove_file(folder.file(name)).unwrap();
        assert_eq!(folder.names(), Vec::<String>::new(), "{name}");
        if outcome == "too large" {
            // Bytecode does not repeat shared content.
            folder.write(name, std::fs::read(attacks.join(name)).unwrap());
            let output = folder.run(&[name, "--to-bytecode", "--no-verify", "-o", "out"], b"");
            assert_eq!(output.status.code(), Some(0), "{name}");
            assert!(folder.read("out").len() < 10_000, "{name}");
            std::fs::remove_file(folder.file(name)).unwrap();
            std::fs::remove_file(folder.file("out")).unwrap();
        }
    }
}
