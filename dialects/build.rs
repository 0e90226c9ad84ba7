//! Compresses the definitions, which are embedded in the library: as text they are a fifth of a
//! program. Deflate, because its decoder is small and needs no C compiler.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The highest level of the crate. The time is spent when a definition changes.
const LEVEL: u8 = 10;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=definitions");
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    for entry in fs::read_dir("definitions")? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "dialect") {
            continue;
        }
        let name = path.file_stem().ok_or("a definition without a name")?;
        let text = fs::read(&path)?;
        // The length comes first, so that reading takes no more memory than the text.
        let mut compressed = u32::try_from(text.len())?.to_le_bytes().to_vec();
        compressed.extend(miniz_oxide::deflate::compress_to_vec(&text, LEVEL));
        let target = Path::new(&folder)
            .join(name)
            .with_extension("dialect.deflate");
        fs::write(target, compressed)?;
    }
    Ok(())
}
