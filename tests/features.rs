//! What Cargo features of this crate change: reading and writing of compressed pages, and the
//! implementation of the hash. Run with and without default features.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::{Form, WriteOptions};

/// A text whose bytecode compression makes shorter.
fn repetitive() -> String {
    let function =
        |n: u32| format!("\"t.declare\"() {{name = \"function number {n}\"}} : () -> i32\n");
    (0..500).map(function).collect()
}

#[test]
fn compressed_files_need_the_feature_zstd() {
    let golden: &[u8] = include_bytes!("../spec/golden/symbols.zstd.rmbc");
    let read = rmlir::read(golden);
    assert_eq!(read.is_ok(), cfg!(feature = "zstd"));
    if let Err(error) = read {
        assert!(error.is_unsupported(), "{error}");
        assert!(error.to_string().contains("the feature 'zstd'"), "{error}");
    }
}

#[test]
fn without_the_feature_zstd_files_are_written_uncompressed() {
    let mut ir = rmlir::parse(repetitive()).unwrap();
    let raw = ir.to_bytes(Form::Rmbc, &WriteOptions::default()).unwrap();
    let mut options = WriteOptions::default();
    options.rmbc.compression = Some(3);
    let compressed = ir.to_bytes(Form::Rmbc, &options).unwrap();
    assert_eq!(compressed.len() < raw.len(), cfg!(feature = "zstd"));
    assert_eq!(compressed == raw, !cfg!(feature = "zstd"));
    assert!(rmlir::read(compressed).unwrap().semantic_eq(&ir));
}

#[test]
fn fingerprints_do_not_depend_on_features() {
    let ir = rmlir::parse(repetitive()).unwrap();
    // As the crate blake3 computes it.
    let expected = "884c648e4107e0739d7500d7a5ec866d87055fbbb91f34066d2bfad72edb2948";
    assert_eq!(ir.fingerprint().to_string(), expected);
}
