//! Times the parts of rmlir on one file, text or upstream's bytecode, for `scripts/bench.py`: a line for each, in seconds.
#![allow(clippy::print_stdout)]

use rmlir::format::Source;
use rmlir::ir::{Context, Module, VerifyOptions, verify};
use rmlir::reader::mlirbc;
use rmlir::reader::rmbc::{ReadOptions, read_module};
use rmlir::text::{ParseOptions, PrintOptions, message_to_string, parse_module, print_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: measure FILE.generic.mlir or FILE.mlirbc")?;
    if path.ends_with(".mlirbc") {
        let source = Source::read(&path)?;
        let mut context = new_context();
        let module = timed("mlirbc read", || {
            mlirbc::read_module(&mut context, &source, &mlirbc::ReadOptions::default())
        })?;
        println!("operations\t{}", operations(&module));
        return Ok(());
    }
    let text = std::fs::read(&path)?;
    let mut context = new_context();
    let module = timed("text parse", || {
        parse_module(&mut context, &text, &ParseOptions::for_file("input.mlir"))
    })?;
    timed("verify", || {
        verify(&context, &module, module.top(), &VerifyOptions::default())
            .map_err(|errors| message_to_string(&context, &module, &errors[0].message))
    })?;
    let mut options = PrintOptions::generic();
    options.debug_info = path.contains(".loc.");
    timed("text print", || {
        print_module(&context, &module, &options, &mut std::io::sink())
    })?;
    let bytes = timed("rmbc write", || {
        write_module(&context, &module, &WriteOptions::default())
    })?;
    println!("rmbc bytes\t{}", bytes.len());
    println!("operations\t{}", operations(&module));
    let source = Source::from(bytes);
    let mut other = new_context();
    timed("rmbc read", || {
        read_module(&mut other, &source, &ReadOptions::default())
    })?;
    Ok(())
}

fn new_context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

fn operations(module: &Module) -> usize {
    module.descendants(module.top()).count()
}

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    println!("{what}\t{:.6}", start.elapsed().as_secs_f64());
    result
}
