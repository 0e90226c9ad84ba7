//! Compares a file with the bytes that the writer produces for its module.

use super::{ExternalBlobs, WriteOptions, write_module_and_blobs};
use rmlir_format::rmbc::{BlobCode, section};
use rmlir_format::{Container, Error, ErrorKind, Limits, Reader, Result, Threads};
use rmlir_ir::{Context, Module};

/// Checks that a file is canonical: that it has the bytes that the writer makes of its module,
/// except for compression.
///
/// `module` is the result of reading `bytes`. Whether the file has an index and fingerprints, and
/// the alignment and location of blobs, are taken from the file. The file is not read again, so
/// other damage than a difference may go unnoticed. O(bytes).
///
/// The rules are the paragraphs "Writer:" of `spec/rmbc.md`: orders, shortest encodings, nothing
/// unused or duplicated.
///
/// # Errors
/// [`ErrorKind::Malformed`] with the section that differs and the offset of the first difference
/// in it, and the errors of [`Container::parse`] and [`write_module`](super::write_module).
pub fn check_canonical(
    context: &Context,
    module: &Module,
    bytes: &[u8],
    limits: &Limits,
    threads: Threads,
) -> Result<()> {
    let file = Container::parse(bytes, limits, section::name)?;
    let options = options_of(&file, threads)?;
    let mut written = Vec::new();
    // The data of external blobs is compared by its hash, which the file states.
    let mut external = std::io::sink();
    write_module_and_blobs(context, module, &options, &mut written, &mut external)?;
    let canonical = Container::parse(&written, limits, section::name)?;
    if file.has_dictionary() != canonical.has_dictionary() {
        let message = match file.has_dictionary() {
            true => "the file names a dictionary that it does not use",
            false => "the file spells out what the dictionary has",
        };
        return Err(Error::new(ErrorKind::Malformed, message)
            .with_offset(0)
            .with_section("directory"));
    }
    let differs = |offset, name, message: String| {
        let message = format!("the file is not canonical: {message}");
        Err(Error::at(ErrorKind::Malformed, offset, message).with_section(name))
    };
    for expected in canonical.sections() {
        let name = expected.name();
        let Some(found) = file.section(expected.kind()) else {
            return differs(0, "directory", format!("there is no section '{name}'"));
        };
        let (found_bytes, expected_bytes) = (found.bytes()?, expected.bytes()?);
        if found_bytes == expected_bytes {
            continue;
        }
        let pairs = found_bytes.iter().zip(expected_bytes.iter());
        let same = pairs.take_while(|(a, b)| a == b).count();
        let message = format!(
            "the writer makes other bytes from byte {same} of the section on ({} bytes instead of {})",
            expected_bytes.len(),
            found_bytes.len()
        );
        let offset = found.offset().saturating_add(same as u64);
        return differs(offset, name, message);
    }
    for found in file.sections() {
        if canonical.section(found.kind()).is_none() {
            let message = format!("the section '{}' is superfluous", found.name());
            return differs(found.offset(), found.name(), message);
        }
    }
    Ok(())
}

/// Returns the options with which a file was written, as far as it shows them.
fn options_of(file: &Container<'_>, threads: Threads) -> Result<WriteOptions> {
    let mut options = WriteOptions {
        index: file.section(section::INDEX).is_some(),
        hashes: file.section(section::HASHES).is_some(),
        // Only whether there is a level matters: contents are compared.
        compression: file.is_compressed().then_some(1),
        threads,
        ..WriteOptions::default()
    };
    let Some(list) = file.section(section::BLOB_LIST) else {
        return Ok(options);
    };
    let bytes = list.bytes()?;
    let mut input = Reader::with_base(&bytes, list.offset(), list.name());
    for _ in 0..input.count(2)? {
        let (code, len) = (input.varint()?, input.varint()?);
        let blob = BlobCode::of(code, len)
            .map_err(|message| input.error(ErrorKind::Malformed, message))?;
        options.blob_alignment = options.blob_alignment.max(1 << blob.least_log.min(12));
        if blob.is_external {
            let path_len = input.varint()?;
            let path = String::from_utf8_lossy(input.bytes(path_len)?).into_owned();
            let above = options
                .external_blobs
                .map_or(len, |blobs| blobs.above.min(len));
            options.external_blobs = Some(ExternalBlobs { path, above });
            input.varint()?;
            input.skip(32)?;
        }
    }
    Ok(options)
}
