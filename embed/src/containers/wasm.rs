//! WebAssembly modules: custom sections by name, the data section, and the others by number.

use super::{MAX_MEMBERS, Member, Part};
use crate::module::shown;
use crate::unwrap::Search;
use std::ops::Range;

const MAGIC: &[u8; 4] = b"\0asm";
/// The length of magic and version.
const HEADER: usize = 8;
const CUSTOM: u8 = 0;
const DATA: u8 = 11;

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    (bytes.starts_with(MAGIC) && bytes.len() >= HEADER).then_some("wasm")
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    Some(sections(bytes))
}

/// Lists all sections, as far as they are whole.
pub(super) fn sections(bytes: &[u8]) -> Vec<Member> {
    let mut at = HEADER;
    let mut members = Vec::new();
    while members.len() < MAX_MEMBERS
        && let Some((id, range)) = section(bytes, at)
    {
        at = range.end;
        let (name, range) = match id {
            CUSTOM => custom(bytes, range),
            DATA => ("data".to_owned(), range),
            _ => (format!("section {id}"), range),
        };
        members.push(Member {
            part: Part::Range(range),
            name,
            is_text: false,
            ..Member::default()
        });
    }
    members
}

/// Reads the id and the range of the section at an offset.
fn section(bytes: &[u8], at: usize) -> Option<(u8, Range<usize>)> {
    let id = *bytes.get(at)?;
    let (len, start) = leb128(bytes, at.checked_add(1)?)?;
    let end = start.checked_add(len)?;
    (end <= bytes.len()).then_some((id, start..end))
}

/// Returns the name of a custom section and the range of its content.
fn custom(bytes: &[u8], range: Range<usize>) -> (String, Range<usize>) {
    let named = || {
        let (len, start) = leb128(bytes, range.start)?;
        let end = start.checked_add(len).filter(|end| *end <= range.end)?;
        Some((shown(bytes.get(start..end)?), end..range.end))
    };
    named().unwrap_or_else(|| ("custom".to_owned(), range.clone()))
}

/// Reads an unsigned LEB128 number of at most 32 bits, and returns where it ends.
fn leb128(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut value = 0u64;
    for (&byte, index) in bytes.get(at..)?.iter().take(5).zip(0u32..) {
        value |= u64::from(byte & 0x7f) << index.saturating_mul(7);
        if byte & 0x80 == 0 {
            let end = at.checked_add(index as usize)?.checked_add(1)?;
            return Some((usize::try_from(value).ok()?, end));
        }
    }
    None
}
