//! Reads header, directory and bundle.

use super::pages::Pages;
use super::{
    ALIGNED, BUNDLE, COMPRESSED, Container, Data, Entry, KIND_UNIT, MAGIC, MAJOR_VERSION,
    MAX_ALIGNMENT_LOG, MINOR_VERSION, PAGE, REQUIRED,
};
use crate::checksum::{crc32, crc32_of_parts};
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::limits::{Limits, check_limit};
use bytes::Bytes;

/// The part of the header before its checksum.
const CHECKED: usize = 7;

pub(super) fn parse<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    names: impl Fn(u16) -> Option<&'static str>,
) -> Result<Container<'a>> {
    let mut file = Reader::new(bytes, "header");
    check_magic(&mut file)?;
    check_version(&mut file)?;
    let crc_place = file.clone();
    let stored = file.u32_le()?;
    let len = file.varint()?;
    let mut directory = file.sub_reader(len, "directory")?;
    let checked = bytes.get(..CHECKED).unwrap_or_default();
    let computed = crc32_of_parts([checked, directory.peek_rest()]);
    check_crc(stored, computed, "header and directory", &crc_place)?;

    let length_place = directory.clone();
    let file_len = directory.varint()?;
    if (bytes.len() as u64) < file_len {
        return Err(length_place.error(
            ErrorKind::Truncated,
            format!(
                "the file is cut off: {} bytes of {file_len} are there",
                bytes.len()
            ),
        ));
    }
    let count_place = directory.clone();
    let count = directory.varint()?;
    check_limit("sections of one file", count, limits.max_section_count)
        .map_err(|error| error.with_offset(count_place.offset()))
        .in_section("directory")?;
    let mut sections: Vec<(u64, Entry<'a>)> = Vec::new();
    for number in 0..count {
        let place = directory.clone();
        read_entry(&mut directory, &mut file, &names, &mut sections)
            .map_err(|error| error.with_offset(place.offset()))
            .in_section("directory")
            .with_context(|| format!("reading directory entry #{number}"))?;
    }
    directory.expect_end()?;
    if file.offset() != file_len || !file.is_empty() {
        return Err(file.error(
            ErrorKind::Malformed,
            format!(
                "the last section ends at byte {}, the file says it ends at {file_len}, and {} bytes are there",
                file.offset(),
                bytes.len()
            ),
        ));
    }
    let mut by_kind: Vec<(u16, usize)> = sections
        .iter()
        .enumerate()
        .map(|(index, (_, entry))| (entry.kind, index))
        .collect();
    by_kind.sort_unstable();
    let mut neighbours = by_kind.iter().zip(by_kind.iter().skip(1));
    if let Some((_, &(kind, index))) = neighbours.find(|(a, b)| a.0 == b.0) {
        let place = sections.get(index).map_or(0, |&(place, _)| place);
        let message = format!("two sections have the kind {kind}");
        return Err(Error::at(ErrorKind::Malformed, place, message).with_section("directory"));
    }
    Ok(Container {
        sections: sections.into_iter().map(|(_, entry)| entry).collect(),
        by_kind,
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
    // The name survives what the other byte of the magic is there to detect; a conversion of the first byte to
    // UTF-8 moves it by up to two bytes.
    let mut starts = rest.windows(4).take(4);
    let message = if starts.any(|window| window == b"RMBC") {
        "the first bytes are those of an rmbc file that was damaged, as by a transfer as text"
    } else {
        "the first bytes are not those of an rmbc file"
    };
    Err(header.error(ErrorKind::NotThisFormat, message))
}

fn check_version(header: &mut Reader<'_>) -> Result<()> {
    let place = header.clone();
    let (major, minor) = (header.u8()?, header.u8()?);
    let message = if (major, minor) > (MAJOR_VERSION, MINOR_VERSION) {
        format!(
            "the file has format version {major}.{minor}, this build reads versions up to \
             {MAJOR_VERSION}.{MINOR_VERSION}; a newer build is needed"
        )
    } else if (major, minor) < (MAJOR_VERSION, MINOR_VERSION) {
        format!(
            "the file has format version {major}.{minor}, which was never released and is not read any more"
        )
    } else {
        return Ok(());
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

/// Reads an entry, and moves `file`, which stands at the end of the section before, over its section.
fn read_entry<'a>(
    directory: &mut Reader<'a>,
    file: &mut Reader<'a>,
    names: &impl Fn(u16) -> Option<&'static str>,
    sections: &mut Vec<(u64, Entry<'a>)>,
) -> Result<()> {
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
        let mask = (1u64 << (log & 63)).wrapping_sub(1);
        let padding = file.offset().wrapping_neg() & mask;
        if file.bytes(padding)?.iter().any(|&byte| byte != 0) {
            let message = "the bytes before an aligned section are not zero";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
    }
    let offset = file.offset();
    let pages = Pages::read(file, len, stored)?;
    if kind != BUNDLE {
        let (kind, required, name) = known(kind, flags & REQUIRED != 0, names)?;
        sections.push((
            place,
            Entry {
                kind,
                required,
                name,
                alignment,
                offset,
                len,
                data: Data::Pages(pages),
            },
        ));
        return Ok(());
    }
    if flags & REQUIRED == 0 || len > PAGE as u64 {
        let message = "the bundle is not required, or longer than a page";
        return Err(Error::new(ErrorKind::Malformed, message));
    }
    let start = Reader::with_base(&[], offset, "bundle");
    let bytes = Bytes::from(pages.all(&start)?.into_owned());
    let mut list = Reader::with_base(&bytes, offset, "bundle");
    let count = list.count(2)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push((list.varint()?, list.varint()?));
    }
    for (code, len) in items {
        let (kind, required, name) = known(code >> 1, code & 1 != 0, names)?;
        let (offset, start) = (list.offset(), list.position());
        list.skip(len)?;
        sections.push((
            place,
            Entry {
                kind,
                required,
                name,
                alignment: None,
                offset,
                len,
                data: Data::Bundled(bytes.slice(start..list.position())),
            },
        ));
    }
    list.expect_end()
}

/// The kind of a section and its name.
fn known(
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

/// Puts right checksums behind the pages that the directory has, and into the header.
pub(super) fn repair(bytes: &mut [u8]) -> Result<()> {
    let mut pages: Vec<(usize, u32)> = Vec::new();
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
            if repair_entry(&mut directory, &mut file, &mut pages).is_err() {
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

/// Moves `file` over the section of an entry, and notes the checksums of its pages.
fn repair_entry(
    directory: &mut Reader<'_>,
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
        let part = left.min(PAGE as u64);
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
