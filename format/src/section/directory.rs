//! Reads the header, the directory and the bundle of the container.

use super::pages::Pages;
use super::{
    ALIGNED, BUNDLE, COMPRESSED, Container, Data, Entry, KIND_UNIT, Layout, MAGIC, MAJOR_VERSION,
    MAX_ALIGNMENT_LOG, MINOR_VERSION, NEWEST_MINOR_VERSION, PAGE, REQUIRED,
};
use crate::checksum::{crc32, crc32_of_parts};
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::limits::{Limits, check_limit};
use bytes::Bytes;
use rmlir_threads::Threads;

/// The part of the header before its checksum.
const CHECKED: usize = 7;

/// A section as described by the directory.
pub(super) struct Placed {
    /// The offset of its directory entry in the file.
    pub(super) place: u64,
    /// 0 for the bundle.
    pub(super) kind: u64,
    pub(super) required: bool,
    /// The binary logarithm of its alignment.
    pub(super) alignment: Option<u32>,
    /// The length of its content.
    pub(super) len: u64,
    /// The stored length of its pages, if they may be compressed.
    pub(super) stored: Option<u64>,
}

impl Placed {
    /// Returns the number of padding bytes before it, if it would begin at `offset`.
    pub(super) fn padding(&self, offset: u64) -> u64 {
        let mask = (1u64 << (self.alignment.unwrap_or(0) & 63)).wrapping_sub(1);
        offset.wrapping_neg() & mask
    }

    /// Reads an entry at the position of `directory`.
    fn read(directory: &mut Reader<'_>) -> Result<Self> {
        let place = directory.offset();
        let code = directory.varint()?;
        let (kind, flags) = (code / KIND_UNIT, code % KIND_UNIT);
        let len = directory.varint()?;
        let stored = match flags & COMPRESSED {
            0 => None,
            _ => Some(directory.varint()?),
        };
        let mut alignment = None;
        if flags & ALIGNED != 0 {
            let log = directory.varint()?;
            check_limit(
                "as the logarithm of an alignment",
                log,
                MAX_ALIGNMENT_LOG.into(),
            )?;
            alignment = u32::try_from(log).ok();
        }
        let required = flags & REQUIRED != 0;
        if kind == BUNDLE && (!required || len > PAGE as u64) {
            let message = "the bundle is not required, or longer than a page";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        Ok(Placed {
            place,
            kind,
            required,
            alignment,
            len,
            stored,
        })
    }
}

/// The content of header and directory.
pub(super) struct Head {
    pub(super) layout: Layout,
    pub(super) file_len: u64,
    /// The offset of the first section, without padding.
    pub(super) end: u64,
    pub(super) sections: Vec<Placed>,
}

/// Returns the length of header and directory; `None` if there are too few bytes to read it.
pub(super) fn head_len(bytes: &[u8]) -> Option<u64> {
    let mut file = Reader::new(bytes, "header");
    file.skip(CHECKED as u64).ok()?;
    file.u32_le().ok()?;
    let len = file.varint().ok()?;
    file.offset().checked_add(len)
}

/// Reads header and directory at the start of `bytes`, for a file of `actual` bytes.
pub(super) fn head(bytes: &[u8], actual: u64, limits: &Limits) -> Result<Head> {
    let mut file = Reader::new(bytes, "header");
    check_magic(&mut file)?;
    let layout = check_version(&mut file)?;
    let crc_place = file.clone();
    let stored = file.u32_le()?;
    let len = file.varint()?;
    let mut directory = file.sub_reader(len, "directory")?;
    let checked = bytes.get(..CHECKED).unwrap_or_default();
    let computed = crc32_of_parts([checked, directory.peek_rest()]);
    check_crc(stored, computed, "header and directory", &crc_place)?;

    let length_place = directory.clone();
    let file_len = directory.varint()?;
    if actual < file_len {
        return Err(length_place.error(
            ErrorKind::Truncated,
            format!("the file is cut off: {actual} bytes of {file_len} are there"),
        ));
    }
    let count_place = directory.clone();
    let count = directory.varint()?;
    check_limit("sections of one file", count, limits.max_section_count)
        .map_err(|error| error.with_offset(count_place.offset()))
        .in_section("directory")?;
    let mut sections = Vec::new();
    let (most, mut decompressed) = (limits.decompressed_bytes(actual), 0u64);
    for number in 0..count {
        let place = directory.offset();
        let placed = in_entry(Placed::read(&mut directory), place, number)?;
        if placed.stored.is_some() {
            decompressed = decompressed.saturating_add(placed.len);
            let within = check_limit("bytes of compressed sections", decompressed, most);
            in_entry(within, place, number)?;
        }
        sections.push(placed);
    }
    directory.expect_end()?;
    Ok(Head {
        layout,
        file_len,
        end: file.offset(),
        sections,
    })
}

/// Adds the offset of a section's directory entry to an error that has no location.
pub(super) fn in_entry<T>(result: Result<T>, place: u64, number: u64) -> Result<T> {
    result
        .map_err(|error| error.with_offset(place))
        .in_section("directory")
        .with_context(|| format!("reading directory entry #{number}"))
}

/// Checks that the file ends with the last section, which ends at `end`.
pub(super) fn check_end(end: u64, file_len: u64, actual: u64) -> Result<()> {
    if end == file_len && end == actual {
        return Ok(());
    }
    let message = format!(
        "the last section ends at byte {end}, the file says it ends at {file_len}, and {actual} bytes are there"
    );
    Err(Error::at(ErrorKind::Malformed, end, message).with_section("header"))
}

/// Checks that the bytes before an aligned section are zero.
pub(super) fn check_padding(bytes: &[u8]) -> Result<()> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(());
    }
    let message = "the bytes before an aligned section are not zero";
    Err(Error::new(ErrorKind::Malformed, message))
}

/// Returns the positions of all sections, by kind, and checks that the kinds are distinct.
///
/// `sections` has the kind of each section and the offset of its directory entry.
pub(super) fn by_kind(sections: impl Iterator<Item = (u16, u64)>) -> Result<Vec<(u16, usize)>> {
    let sections: Vec<(u16, u64)> = sections.collect();
    let mut by_kind: Vec<(u16, usize)> = sections
        .iter()
        .zip(0..)
        .map(|(&(kind, _), index)| (kind, index))
        .collect();
    by_kind.sort_unstable();
    let mut neighbours = by_kind.iter().zip(by_kind.iter().skip(1));
    if let Some((_, &(kind, index))) = neighbours.find(|(a, b)| a.0 == b.0) {
        let place = sections.get(index).map_or(0, |&(_, place)| place);
        let message = format!("two sections have the kind {kind}");
        return Err(Error::at(ErrorKind::Malformed, place, message).with_section("directory"));
    }
    Ok(by_kind)
}

pub(super) fn parse<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    names: impl Fn(u16) -> Option<&'static str>,
) -> Result<Container<'a>> {
    let head = head(bytes, bytes.len() as u64, limits)?;
    let mut file = Reader::new(bytes, "header");
    file.skip(head.end)?;
    let mut sections: Vec<(u64, Entry<'a>)> = Vec::new();
    for (placed, number) in head.sections.iter().zip(0..) {
        let read = read_section(placed, head.layout, &mut file, &names, &mut sections);
        in_entry(read, placed.place, number)?;
    }
    let end = file.offset();
    check_end(
        end,
        head.file_len,
        end.saturating_add(file.remaining() as u64),
    )?;
    let kinds = sections.iter().map(|(place, entry)| (entry.kind, *place));
    let by_kind = by_kind(kinds)?;
    Ok(Container {
        sections: sections.into_iter().map(|(_, entry)| entry).collect(),
        by_kind,
        layout: head.layout,
    })
}

fn check_magic(header: &mut Reader<'_>) -> Result<()> {
    let rest = header.peek_rest();
    if rest.starts_with(&MAGIC) {
        return header.skip(MAGIC.len() as u64);
    }
    if MAGIC.starts_with(rest) {
        return Err(header.error(
            ErrorKind::Truncated,
            format!(
                "the file is cut off: {} bytes are no whole header",
                rest.len()
            ),
        ));
    }
    // The letters survive the damage that the first byte of the magic is there to detect. A
    // conversion of the first byte to UTF-8 moves them by up to two bytes.
    let mut starts = rest.windows(4).take(4);
    let message = if starts.any(|window| window == b"RMBC") {
        "the first bytes are those of an rmbc file that was damaged, as by a transfer as text"
    } else {
        "the first bytes are not those of an rmbc file"
    };
    Err(header.error(ErrorKind::NotThisFormat, message))
}

fn check_version(header: &mut Reader<'_>) -> Result<Layout> {
    let place = header.clone();
    let (major, minor) = (header.u8()?, header.u8()?);
    if let Some(layout) = Layout::of((major, minor)) {
        return Ok(layout);
    }
    let message = if (major, minor) > (MAJOR_VERSION, NEWEST_MINOR_VERSION) {
        format!(
            "the file has format version {major}.{minor}, this build reads versions up to \
             {MAJOR_VERSION}.{NEWEST_MINOR_VERSION}; a newer build is needed"
        )
    } else {
        format!(
            "the file has format version {major}.{minor}, which was never released and is not read any more"
        )
    };
    Err(place.error(ErrorKind::UnknownVersion, message))
}

pub(super) fn check_crc(stored: u32, computed: u32, what: &str, place: &Reader<'_>) -> Result<()> {
    if stored == computed {
        return Ok(());
    }
    Err(place.error(
        ErrorKind::Checksum,
        format!("the checksum of {what} is {computed:#010x} instead of {stored:#010x}: the file is damaged"),
    ))
}

/// Reads a section, and advances `file`, which is at the end of the preceding section, past it.
fn read_section<'a>(
    placed: &Placed,
    layout: Layout,
    file: &mut Reader<'a>,
    names: &impl Fn(u16) -> Option<&'static str>,
    sections: &mut Vec<(u64, Entry<'a>)>,
) -> Result<()> {
    check_padding(file.bytes(placed.padding(file.offset()))?)?;
    let offset = file.offset();
    let pages = Pages::read(file, placed.len, placed.stored, layout)?;
    if placed.kind != BUNDLE {
        let (kind, required, name) = known(placed.kind, placed.required, names)?;
        sections.push((
            placed.place,
            Entry {
                kind,
                required,
                name,
                alignment: placed.alignment,
                offset,
                len: placed.len,
                data: Data::Pages(pages),
            },
        ));
        return Ok(());
    }
    let start = Reader::with_base(&[], offset, "bundle");
    let bytes = Bytes::from(pages.all(&start, false, Threads::ONE)?.into_owned());
    for part in bundle(&bytes, offset, names)? {
        sections.push((
            placed.place,
            Entry {
                kind: part.kind,
                required: part.required,
                name: part.name,
                alignment: None,
                offset: part.offset,
                len: part.bytes.len() as u64,
                data: Data::Bundled(part.bytes),
            },
        ));
    }
    Ok(())
}

/// A section of the bundle.
pub(super) struct Bundled {
    pub(super) kind: u16,
    pub(super) required: bool,
    pub(super) name: &'static str,
    pub(super) offset: u64,
    pub(super) bytes: Bytes,
}

/// Returns the sections of the bundle that begins at `offset`.
pub(super) fn bundle(
    bytes: &Bytes,
    offset: u64,
    names: &impl Fn(u16) -> Option<&'static str>,
) -> Result<Vec<Bundled>> {
    let mut list = Reader::with_base(bytes, offset, "bundle");
    let count = list.count(2)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push((list.varint()?, list.varint()?));
    }
    let mut sections = Vec::with_capacity(count);
    for (code, len) in items {
        let (kind, required, name) = known(code >> 1, code & 1 != 0, names)?;
        let (offset, start) = (list.offset(), list.position());
        list.skip(len)?;
        sections.push(Bundled {
            kind,
            required,
            name,
            offset,
            bytes: bytes.slice(start..list.position()),
        });
    }
    list.expect_end()?;
    Ok(sections)
}

/// Returns the kind of a section and its name.
pub(super) fn known(
    kind: u64,
    required: bool,
    names: &impl Fn(u16) -> Option<&'static str>,
) -> Result<(u16, bool, &'static str)> {
    let number = u16::try_from(kind).ok().filter(|&kind| kind != 0);
    let Some(number) = number else {
        let message = format!("no section can have the kind {kind}");
        return Err(Error::new(ErrorKind::Malformed, message));
    };
    match names(number) {
        Some(name) => Ok((number, required, name)),
        None if required => Err(Error::new(
            ErrorKind::UnknownSection,
            format!(
                "section kind {kind} is required to understand the file, and not known to this build; a newer build \
                 is needed"
            ),
        )),
        None => Ok((number, required, "unknown")),
    }
}

/// Rewrites the checksums in the header and after the pages that the directory describes.
pub(super) fn repair(bytes: &mut [u8]) -> Result<()> {
    let mut pages: Vec<(usize, u32)> = Vec::new();
    // The pages of an unknown version may have any layout.
    let version = bytes.get(MAGIC.len()..CHECKED).unwrap_or_default();
    let layout = match version {
        &[major, minor] => Layout::of((major, minor)),
        _ => None,
    };
    let layout = layout.or_else(|| Layout::of((MAJOR_VERSION, MINOR_VERSION)));
    let head = {
        let mut file = Reader::new(bytes, "header");
        file.skip(CHECKED as u64)?;
        file.u32_le()?;
        let len = file.varint()?;
        let mut directory = file.sub_reader(len, "directory")?;
        let checked = bytes.get(..CHECKED).unwrap_or_default();
        let head = crc32_of_parts([checked, directory.peek_rest()]);
        directory.varint()?;
        let count = directory.varint()?;
        for _ in 0..count {
            if repair_entry(&mut directory, layout, &mut file, &mut pages).is_err() {
                break;
            }
        }
        head
    };
    pages.push((CHECKED, head));
    for (at, crc) in pages {
        if let Some(place) = bytes.get_mut(at..at.saturating_add(4)) {
            place.copy_from_slice(&crc.to_le_bytes());
        }
    }
    Ok(())
}

/// Advances `file` past the section of an entry, and records the checksums of its pages.
fn repair_entry(
    directory: &mut Reader<'_>,
    layout: Option<Layout>,
    file: &mut Reader<'_>,
    pages: &mut Vec<(usize, u32)>,
) -> Result<()> {
    let code = directory.varint()?;
    let len = directory.varint()?;
    let compressed = code & COMPRESSED != 0;
    let stored = match compressed {
        true => directory.varint()?,
        false => len,
    };
    if code & ALIGNED != 0 {
        let log = directory.varint()?.min(MAX_ALIGNMENT_LOG.into());
        let mask = (1u64 << (log & 63)).wrapping_sub(1);
        file.skip(file.offset().wrapping_neg() & mask)?;
    }
    let mut data = file.sub_reader(stored, "pages")?;
    let mut left = len;
    while left > 0 {
        let page = layout.map_or(PAGE, |layout| layout.page(compressed));
        let part = left.min(page as u64);
        let frame = match compressed {
            true => u64::from(file.u32_le()?),
            false => part,
        };
        let crc = crc32(data.bytes(frame)?);
        pages.push((file.position(), crc));
        file.u32_le()?;
        left = left.saturating_sub(part);
    }
    Ok(())
}
