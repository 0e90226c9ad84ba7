//! Compresses the definitions, which are embedded in the library: as text they are a fifth of a
//! program. Deflate, because its decoder is small and needs no C compiler.
//!
//! Each definition is compressed by itself, so that one is read without the others. What they share
//! is in a dictionary: text that the compressor and the decoder have seen before the definition.

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The highest level of the crate. The time is spent when a definition changes.
const LEVEL: i32 = 10;

/// The distance that deflate reaches back.
const WINDOW: usize = 1 << 15;

/// A line of the dictionary is in as many definitions, else it saves less than it takes.
const DEFINITIONS_WITH_LINE: usize = 3;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=definitions");
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    let mut definitions = BTreeMap::new();
    for entry in fs::read_dir("definitions")? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "dialect") {
            continue;
        }
        let name = path.file_stem().ok_or("a definition without a name")?;
        definitions.insert(name.to_owned(), fs::read_to_string(&path)?);
    }
    let dictionary = dictionary(definitions.values());
    let write = |name: &Path, dictionary: &str, text: &str| -> Result<(), Box<dyn Error>> {
        // The length comes first, so that reading takes no more memory than the text.
        let mut compressed = u32::try_from(text.len())?.to_le_bytes().to_vec();
        compress(dictionary, text, &mut compressed)?;
        Ok(fs::write(Path::new(&folder).join(name), compressed)?)
    };
    write(Path::new("dictionary.deflate"), "", &dictionary)?;
    for (name, text) in &definitions {
        let name = Path::new(name).with_extension("dialect.deflate");
        write(&name, &dictionary, text)?;
    }
    Ok(())
}

/// Returns the lines that several definitions have, in alphabetical order.
fn dictionary<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    let mut counts = BTreeMap::new();
    for text in texts {
        for line in text.lines().collect::<BTreeSet<_>>() {
            *counts.entry(line).or_insert(0) += 1;
        }
    }
    counts.retain(|_, count| *count >= DEFINITIONS_WITH_LINE);
    // Longer lines save more.
    let mut lines: Vec<&str> = counts.into_keys().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    let mut len = 0;
    lines.retain(|line| {
        len += line.len() + 1;
        len <= WINDOW / 2
    });
    lines.sort_unstable();
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

/// Adds a deflate stream of `text` for a decoder that has `dictionary`.
fn compress(dictionary: &str, text: &str, to: &mut Vec<u8>) -> Result<(), Box<dyn Error>> {
    const DEFAULT_STRATEGY: i32 = 0;
    // Without a header of zlib.
    let flags = create_comp_flags_from_zip_params(LEVEL, -1, DEFAULT_STRATEGY);
    let mut compressor = CompressorOxide::new(flags);
    // The stream of the dictionary ends at a byte. The text's continues it.
    if !dictionary.is_empty() {
        let flush = TDEFLFlush::Sync;
        compress_to_output(&mut compressor, dictionary.as_bytes(), flush, |_| true);
    }
    let (status, _) = compress_to_output(
        &mut compressor,
        text.as_bytes(),
        TDEFLFlush::Finish,
        |out| {
            to.extend_from_slice(out);
            true
        },
    );
    match status {
        TDEFLStatus::Done => Ok(()),
        _ => Err("a definition cannot be compressed".into()),
    }
}
