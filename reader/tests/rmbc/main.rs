//! Tests that modules round-trip through rmbc.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests are tests"
)]

mod bytes;
mod carried;
mod dump;
mod hostile;
mod index;
mod lazy;
mod mutants;
mod raw;
mod rejected;
mod round_trip;
mod samples;
mod spec;
mod verify;
#[path = "../common/watched.rs"]
mod watched;

use rmlir_format::ReadAt;
use rmlir_format::Source;
use rmlir_ir::{Context, Module};
use rmlir_reader::rmbc::{ReadOptions, read_module};
use rmlir_text::{ParseOptions, parse_module};
use rmlir_writer::rmbc::{WriteOptions, write_module};

fn parse(context: &mut Context, text: &str) -> Module {
    let mut options = ParseOptions::for_file("a.mlir");
    options.keep_names = true;
    parse_module(context, text.as_bytes(), &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns options with which modules of few operations have chunks, too.
fn write_options() -> WriteOptions {
    let mut options = WriteOptions::default();
    (options.chunks.least, options.chunks.undivided) = (256, 256);
    options
}

fn write(context: &Context, module: &Module) -> Vec<u8> {
    write_module(context, module, &write_options()).unwrap()
}

fn read(context: &mut Context, bytes: &[u8]) -> Module {
    read_module(context, &Source::from(bytes), &ReadOptions::default()).unwrap()
}

/// Writes and reads a module, compares, and writes again. Returns the bytes.
fn check(context: &Context, module: &Module) -> Vec<u8> {
    let bytes = write(context, module);
    let mut other = samples::used_context();
    let back = read(&mut other, &bytes);
    assert_eq!(
        dump::dump(context, module),
        dump::dump(&other, &back),
        "what was read differs"
    );
    assert!(write(&other, &back) == bytes, "the bytes differ");
    bytes
}
