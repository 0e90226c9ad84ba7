//! Writes files of upstream's bytecode as rmbc, for `scripts/sizes.py` to compare. For each path
//! from standard input, prints a line with the path and the sizes of the file, of its blobs, and of
//! its rmbc uncompressed and at each zstd level that the arguments name. With `--keep FOLDER` as
//! the first arguments, the uncompressed files are kept there, numbered.
#![allow(clippy::print_stdout)]

use rmlir::format::Source;
use rmlir::ir::Context;
use rmlir::reader::mlirbc;
use rmlir::writer::rmbc::{WriteOptions, write_module};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let keep = match arguments.first().is_some_and(|first| first == "--keep") {
        true => arguments.drain(..2).nth(1),
        false => None,
    };
    let levels: Vec<i32> = arguments
        .iter()
        .map(|level| level.parse())
        .collect::<Result<_, _>>()?;
    for (number, path) in std::io::stdin().lines().enumerate() {
        let path = path?;
        let source = Source::read(&path)?;
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        let options = mlirbc::ReadOptions::default();
        let Ok(mut module) = mlirbc::read_module(&mut context, &source, &options) else {
            continue;
        };
        // For a fair comparison, content that only one of the formats stores is removed.
        module.provenance.value_names.clear();
        let mut options = WriteOptions::default();
        let Ok(bytes) = write_module(&context, &module, &options) else {
            continue;
        };
        if let Some(folder) = &keep {
            std::fs::write(format!("{folder}/{number}.rmbc"), &bytes)?;
        }
        print!("{number}\t{path}\t{}\t{}", source.len(), bytes.len());
        for &level in &levels {
            options.compression = Some(level);
            print!("\t{}", write_module(&context, &module, &options)?.len());
        }
        println!();
    }
    Ok(())
}
