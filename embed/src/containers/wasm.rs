//! WebAssembly modules: custom sections by name, segments of data by theirs, and the other sections
//! by number.

use super::{MAX_MEMBERS, Member, Part};
use crate::module::shown;
use crate::record::MAGIC as MAGIC_OF_RECORDS;
use crate::unwrap::Search;
use std::collections::BTreeMap;
use std::ops::Range;

const MAGIC: &[u8; 4] = b"\0asm";
/// The length of magic and version.
const HEADER: usize = 8;
const CUSTOM: u8 = 0;
const DATA: u8 = 11;
/// The name of the segment of embedded modules.
const SECTION: &str = "rmlir";

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    (bytes.starts_with(MAGIC) && bytes.len() >= HEADER).then_some("wasm")
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    let sections = sections(bytes);
    let mut members = Vec::new();
    let end = sections.last().map_or(HEADER, |section| section.range.end);
    if end < bytes.len() && sections.len() < MAX_MEMBERS && !super::zip::is_appended(bytes, end) {
        let what =
            "a section of WebAssembly ends after the file, or other bytes follow the sections";
        members.push(Member::damaged(end..bytes.len(), what));
    }
    for section in &sections {
        let segments = match section.id {
            DATA => segments(bytes, section, &sections),
            _ => Vec::new(),
        };
        if segments.is_empty() {
            members.push(Member {
                part: Part::Range(section.range.clone()),
                name: section.name.clone(),
                ..Member::default()
            });
        }
        members.extend(segments);
    }
    Some(members)
}

/// A section: its kind, name and range.
struct Section {
    id: u8,
    name: String,
    range: Range<usize>,
}

/// Lists the names of all sections, as far as they are whole.
#[cfg(feature = "write")]
pub(super) fn section_names(bytes: &[u8]) -> Vec<String> {
    let sections = sections(bytes).into_iter();
    sections.map(|section| section.name).collect()
}

/// Lists all sections, as far as they are whole.
fn sections(bytes: &[u8]) -> Vec<Section> {
    let mut at = HEADER;
    let mut sections = Vec::new();
    while sections.len() < MAX_MEMBERS
        && let Some((id, range)) = section(bytes, at)
    {
        at = range.end;
        let (name, range) = match id {
            CUSTOM => custom(bytes, range),
            DATA => ("data".to_owned(), range),
            _ => (format!("section {id}"), range),
        };
        sections.push(Section { id, name, range });
    }
    sections
}

/// Lists the segments of the data section, with their names. Without, as after stripping, that of
/// embedded modules is known by its first bytes, and the others are `data`.
fn segments(bytes: &[u8], data: &Section, sections: &[Section]) -> Vec<Member> {
    let names = segment_names(bytes, sections).unwrap_or_default();
    let mut segments = Vec::new();
    let mut reader = Numbers::new(bytes, data.range.clone());
    let count = reader.number().unwrap_or(0);
    while segments.len() < count.min(MAX_MEMBERS)
        && let Some(range) = segment(&mut reader)
    {
        let has_record = || {
            bytes
                .get(range.clone())?
                .starts_with(&MAGIC_OF_RECORDS)
                .then_some(())
        };
        let of_content = match has_record() {
            Some(()) => SECTION,
            None => &data.name,
        };
        let name = names
            .get(&segments.len())
            .map_or(of_content, String::as_str);
        segments.push(Member {
            part: Part::Range(range),
            name: name.to_owned(),
            ..Member::default()
        });
    }
    segments
}

/// Reads a segment: flags, the memory, an address, and bytes.
fn segment(reader: &mut Numbers<'_>) -> Option<Range<usize>> {
    let flags = reader.number()?;
    if flags == 2 {
        reader.number()?;
    }
    // A passive segment has no address.
    while flags != 1 && !reader.is_end_of_expression()? {}
    let len = reader.number()?;
    reader.bytes(len)
}

/// Returns the names of segments that the section `name` has, or `linking` of an object file.
fn segment_names(bytes: &[u8], sections: &[Section]) -> Option<BTreeMap<usize, String>> {
    /// Where the names are: the section, the version before the subsections, the number of the
    /// subsection, and whether names come with the indices of segments.
    const PLACES: [(&str, usize, usize, bool); 2] =
        [("name", 0, 9, true), ("linking", 1, 5, false)];
    PLACES
        .iter()
        .find_map(|&(name, skipped, wanted, is_indexed)| {
            let mut custom = sections.iter().filter(|section| section.id == CUSTOM);
            let section = custom.find(|section| section.name == name)?;
            let mut reader = Numbers::new(bytes, section.range.clone());
            reader.bytes(skipped)?;
            loop {
                let (id, len) = (reader.number()?, reader.number()?);
                let range = reader.bytes(len)?;
                if id == wanted {
                    return names(&mut Numbers::new(bytes, range), is_indexed);
                }
            }
        })
}

fn names(reader: &mut Numbers<'_>, is_indexed: bool) -> Option<BTreeMap<usize, String>> {
    let mut names = BTreeMap::new();
    for number in 0..reader.number()?.min(MAX_MEMBERS) {
        let index = match is_indexed {
            true => reader.number()?,
            false => number,
        };
        let len = reader.number()?;
        let range = reader.bytes(len)?;
        names.insert(index, shown(reader.all.get(range)?));
        if !is_indexed {
            // Alignment and flags.
            reader.number()?;
            reader.number()?;
        }
    }
    Some(names)
}

/// Reads numbers and bytes of a range.
struct Numbers<'a> {
    all: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Numbers<'a> {
    fn new(all: &'a [u8], range: Range<usize>) -> Self {
        Numbers {
            all,
            at: range.start,
            end: range.end.min(all.len()),
        }
    }

    fn number(&mut self) -> Option<usize> {
        let (number, at) = leb128(self.all.get(..self.end)?, self.at)?;
        self.at = at;
        Some(number)
    }

    fn bytes(&mut self, len: usize) -> Option<Range<usize>> {
        let start = self.at;
        let end = start.checked_add(len).filter(|end| *end <= self.end)?;
        self.at = end;
        Some(start..end)
    }

    /// Skips an instruction of a constant expression; returns whether it was the last.
    fn is_end_of_expression(&mut self) -> Option<bool> {
        const END: u8 = 0x0b;
        const I32_CONST: u8 = 0x41;
        const I64_CONST: u8 = 0x42;
        const GLOBAL_GET: u8 = 0x23;
        let at = self.bytes(1)?.start;
        let instruction = *self.all.get(at)?;
        if [I32_CONST, I64_CONST, GLOBAL_GET].contains(&instruction) {
            while self.all.get(self.bytes(1)?)?.first()? & 0x80 != 0 {}
        }
        Some(instruction == END)
    }
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
