//! Tests upstream's bytecode read by position: the result is the same as in memory, and only the
//! requested parts are read.
#![allow(clippy::unwrap_used)]

#[path = "../reader/tests/common/watched.rs"]
mod watched;

use rmlir::dialects::register_all;
use rmlir::format::{ErrorKind, ReadAt, Source};
use rmlir::ir::{Context, EqualityOptions, semantic_difference};
use rmlir::reader::lazy::LazyFile;
use rmlir::reader::mlirbc::{File, ReadOptions};
use rmlir::text::{ParseOptions, parse_module};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use watched::Watched;

fn context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context
}

fn open(bytes: Vec<u8>) -> (Context, File, Arc<Watched>) {
    let context = context();
    let watched = Watched::new(bytes);
    let file = File::positioned(&context, watched.clone(), &ReadOptions::default()).unwrap();
    (context, file, watched)
}

/// Returns functions with this number of operations, each with its own blob, in upstream's
/// bytecode.
fn large(functions: usize, operations: usize, blob: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..functions {
        text += &format!(
            "func.func @f{number}() attributes {{data = dense_resource<r{number}> : tensor<{blob}xi8>}} {{\n"
        );
        for inner in 0..operations {
            text += &format!("  \"t.o\"() {{n = {number}.{inner} : f64}} : () -> ()\n");
        }
        text += "  return\n}\n";
    }
    text += "{-#\n  dialect_resources: {\n    builtin: {\n";
    for number in 0..functions {
        let data = format!("{:02X}", number % 256).repeat(blob);
        let comma = if number + 1 == functions { "" } else { "," };
        text += &format!("      r{number}: \"0x01000000{data}\"{comma}\n");
    }
    text += "    }\n  }\n#-}\n";
    let mut context = context();
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
    write_module(&mut context, &module.unwrap(), &WriteOptions::default()).unwrap()
}

#[test]
fn listing_and_extracting_touch_few_bytes() {
    let bytes = large(40, 2_000, 100_000);
    let (mut context, file, watched) = open(bytes.clone());
    let touched = || {
        assert_eq!(file.bytes_touched(), watched.read.load(Ordering::Relaxed));
        file.bytes_touched()
    };
    // The frames of sections, one window each.
    assert!(touched() < 1 << 16, "{}", touched());
    let symbols = file.symbols().unwrap();
    assert_eq!(symbols.len(), 40);
    let inside: u64 = symbols.iter().map(|symbol| symbol.bytes).sum();
    let blobs = 40 * 100_000;
    let rest = bytes.len() as u64 - blobs - inside;
    let listing = touched();
    // Everything except bodies and blobs, with some read-ahead: of operations, and twice for the
    // frames.
    let ahead = (40 + 2 * 9) << 12;
    assert!(
        listing < rest + ahead && listing < bytes.len() as u64 / 3,
        "{listing} of {}",
        bytes.len()
    );
    let (one, _) = file.read_symbol(&mut context, &symbols[17]).unwrap();
    // The body, the blob, and some of the entries: at most a quarter of the tables.
    let of_one = symbols[17].bytes + 100_000;
    let extracting = touched() - listing;
    assert!(
        (of_one..of_one + rest / 4).contains(&extracting),
        "{extracting} for {of_one}, {rest}"
    );
    // It is what memory has, with its blob and no other.
    let memory = File::new(&context, Source::from(bytes), &ReadOptions::default()).unwrap();
    let mut other = self::context();
    let (expected, _) = memory.read_symbol(&mut other, &symbols[17]).unwrap();
    let locations = EqualityOptions { locations: true };
    assert_eq!(
        semantic_difference((&other, &expected), (&context, &one), &locations),
        None
    );
    assert_eq!(one.provenance.resources.len(), 1);
    assert_eq!(file.contents(&mut context).unwrap().blob_bytes, blobs);
    assert_eq!(memory.contents(&mut context).unwrap().blob_bytes, blobs);
    // A module with several symbols has all of them.
    let some = file.read_together(&mut context, &symbols[3..9]).unwrap();
    let expected = memory.read_together(&mut other, &symbols[3..9]).unwrap();
    assert_eq!(
        semantic_difference((&other, &expected), (&context, &some), &locations),
        None
    );
    let whole = file.read_module(&mut context).unwrap();
    let expected = memory.read_module(&mut other).unwrap();
    assert_eq!(
        semantic_difference((&other, &expected), (&context, &whole), &locations),
        None
    );
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    let bytes = large(20, 500, 1_000);
    for len in (0..bytes.len()).step_by(977) {
        let (mut context, file, watched) = open(bytes.clone());
        watched.bytes.lock().unwrap().truncate(len);
        let read = file.symbols().and_then(|symbols| {
            let mut read = symbols
                .iter()
                .map(|symbol| file.read_symbol(&mut context, symbol));
            read.try_for_each(|module| module.map(drop))
        });
        let error = read.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
        assert!(
            error.offset().is_some() && error.section().is_some(),
            "{error}"
        );
    }
    // As if the file had always been that short.
    for len in (0..bytes.len()).step_by(977) {
        let watched = Watched::new(bytes[..len].to_vec());
        let error =
            File::positioned(&Context::new(), watched, &ReadOptions::default()).unwrap_err();
        assert!(
            error.offset().is_some() && error.section().is_some(),
            "{error}"
        );
        let source = Source::from(&bytes[..len]);
        let expected = File::new(&Context::new(), source, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), expected.to_string());
    }
    let error = File::open(&Context::new(), "no/such/file", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("no/such/file"), "{error}");
}

/// A file whose stated size exceeds memory, as that of a sparse file.
#[test]
fn what_does_not_fit_into_memory_is_an_error() {
    /// Some bytes, followed by zeros.
    struct Sparse(Vec<u8>, u64);

    impl ReadAt for Sparse {
        fn size(&self) -> std::io::Result<u64> {
            Ok(self.1)
        }

        fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            assert!(buffer.len() < 1 << 20);
            for (byte, at) in buffer.iter_mut().zip(offset..) {
                *byte = self.0.get(at as usize).copied().unwrap_or_default();
            }
            Ok(())
        }
    }

    // Version 0; empty sections, and strings of 2^62 bytes, plain or with an invalid alignment.
    let header = b"ML\xefR\x01x\0\x01\x01\x02\x01\x03\x01\x04\x01";
    let len = (1u64 << 62).to_le_bytes();
    let plain = [&header[..], &[0, 0], &len].concat();
    let alignment = (1u64 << 40).to_le_bytes();
    let aligned = [&header[..], &[0x80, 0], &len, &[0], &alignment].concat();
    for (bytes, kind) in [(plain, ErrorKind::Limit), (aligned, ErrorKind::Malformed)] {
        let size = bytes.len() as u64 + (1 << 62);
        let sparse = Arc::new(Sparse(bytes, size));
        let file = File::positioned(&Context::new(), sparse, &ReadOptions::default());
        let error = file.and_then(|file| file.symbols()).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(
            error.offset().is_some() && error.section().is_some(),
            "{error}"
        );
    }
}
