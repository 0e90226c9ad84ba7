//! The length of an mlirbc file that other bytes follow.

use super::{ALIGNED, MAGIC, Version, padding_len, section};
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result};

/// The maximum length of a producer.
const MAX_PRODUCER: usize = 1 << 12;

/// Returns the length in bytes of the mlirbc file that `bytes` begin with; any bytes may follow it.
///
/// The format does not store its length. The file ends where no further section begins: at the end
/// of `bytes`, before an id that is not one of a section, or before a section that the file
/// already has. So it ends before padding of zeros, which would be a second section of strings,
/// and before the magic of another file.
///
/// O(sections): sections and padding are skipped, not read.
///
/// # Errors
/// * [`ErrorKind::NotThisFormat`]: another magic;
/// * [`ErrorKind::UnknownVersion`]: a version that this build does not read;
/// * [`ErrorKind::Malformed`]: a producer of more than 4 KiB;
/// * [`ErrorKind::Truncated`], [`ErrorKind::MissingSection`]: a section that the version needs is
///   cut off or missing.
///
/// ```
/// use rmlir_format::mlirbc;
///
/// let mut bytes = b"ML\xefR\x09MLIR\0".to_vec();
/// for id in [1, 2, 3, 4, 0] {
///     mlirbc::write_section(&mut bytes, 0, id, b"data", 1);
/// }
/// let len = bytes.len() as u64;
/// bytes.extend([0; 8]);
/// assert_eq!(mlirbc::length(&bytes)?, len);
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn length(bytes: &[u8]) -> Result<u64> {
    let mut input = Reader::new(bytes, "header");
    if !bytes.starts_with(&MAGIC) {
        let message = "the first bytes are not those of MLIR bytecode";
        return Err(input.error(ErrorKind::NotThisFormat, message));
    }
    input.skip(MAGIC.len() as u64)?;
    let number = input.prefix_varint()?;
    let Some(version) = Version::new(number) else {
        let message = format!("bytecode version {number} is unknown");
        return Err(input.error(ErrorKind::UnknownVersion, message));
    };
    let rest = input.peek_rest();
    let producer = rest.get(..MAX_PRODUCER).unwrap_or(rest);
    let Some(producer_len) = producer.iter().position(|&byte| byte == 0) else {
        let message = "the producer does not end within 4 KiB";
        return Err(input.error(ErrorKind::Malformed, message));
    };
    input.skip(producer_len as u64)?;
    input.skip(1)?;

    let mut seen = [false; section::NAMES.len()];
    let mut cut = None;
    while !input.is_empty() {
        let mut next = input.clone();
        match skip_section(&mut next, &mut seen) {
            Ok(true) => input = next,
            Ok(false) => break,
            Err(error) => {
                cut = Some(error);
                break;
            }
        }
    }
    let has = |id: u8| seen.get(usize::from(id)).copied().unwrap_or(false);
    let mut needed = vec![
        section::STRINGS,
        section::DIALECTS,
        section::ENTRIES,
        section::ENTRY_OFFSETS,
        section::IR,
    ];
    if version.has_properties() {
        needed.push(section::PROPERTIES);
    }
    if has(section::RESOURCES) != has(section::RESOURCE_OFFSETS) {
        needed.extend([section::RESOURCES, section::RESOURCE_OFFSETS]);
    }
    match (needed.into_iter().find(|&id| !has(id)), cut) {
        (None, _) => Ok(input.offset()),
        (Some(_), Some(error)) => Err(error),
        (Some(id), None) => {
            let name = section::name(id).unwrap_or_default();
            let message = format!("missing data for top-level section: {name} ({id})");
            Err(input.error(ErrorKind::MissingSection, message))
        }
    }
}

/// Skips a section and notes its id; returns false if no further section begins here.
fn skip_section(
    input: &mut Reader<'_>,
    seen: &mut [bool; section::NAMES.len()],
) -> Result<bool, Error> {
    let first = input.u8()?;
    let id = first & !ALIGNED;
    let slot = match seen.get_mut(usize::from(id)) {
        Some(slot) if !*slot && id != section::DIALECT_VERSION => slot,
        _ => return Ok(false),
    };
    let len = input.prefix_varint()?;
    if first & ALIGNED != 0 {
        let alignment = input.prefix_varint()?;
        if !alignment.is_power_of_two() {
            let message = format!("the alignment {alignment} is not a power of two");
            return Err(input.error(ErrorKind::Malformed, message));
        }
        input.skip(padding_len(input.offset(), alignment))?;
    }
    input.skip(len)?;
    *slot = true;
    Ok(true)
}
