//! Reads the header, the directory and the bundle of the container.

use super::pages::Pages;
use super::pages::decompress;
use super::{
    ALIGNED, BUNDLE, COMPRESSED, Container, Data, Entry, KIND_UNIT, MAGIC, MAJOR_VERSION,
    MAX_ALIGNMENT_LOG, MINOR_VERSION, REQUIRED, page_crc, page_len,
};
use crate::checksum::crc32_of_parts;
use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result, ResultExt};
use crate::limits::{Limits, check_limit};
use crate::rmbc::dictionary;
use crate::rmbc::schema::limits;
use bytes::Bytes;

/// The part of the header before its checksum.
const CHECKED: usize = 7;

/// A section as described by the directory.
pub(super) struct Placed {
    /// The offset of its directory entry in the file.
    pub(super) place: u64,
    /// 0 for the bundle.
    pub(super) kind: u16,
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
        let malformed = |message: String| Err(Error::new(ErrorKind::Malformed, message));
        let Ok(kind) = u16::try_from(kind) else {
            return malformed(format!(
                "a section has the kind {kind}, which is above 65535"
            ));
        };
        if kind == BUNDLE && (!required || alignment.is_some() || len > limits::BUNDLE) {
            return malformed(
                "the bundle is not required, is aligned or longer than a page".into(),
            );
        }
        if stored.is_some() && alignment.is_some() {
            return malformed("a section is aligned and its pages may be compressed".into());
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
    pub(super) has_dictionary: bool,
    pub(super) has_compressed_bundle: bool,
    pub(super) file_len: u64,
    /// The sections of the bundle, and the offset of its directory entry.
    pub(super) bundle: Option<(u64, Bytes)>,
    /// The offset of the bundle.
    pub(super) bundle_offset: u64,
    /// The offset of the first section that is not bundled, without padding.
    pub(super) end: u64,
    /// The sections that are not bundled.
    pub(super) sections: Vec<Placed>,
}

/// Returns the number of bytes at the start of the file that [`head`] needs, as far as `bytes`, the
/// first ones, tell; it may be more once these are there. `None` if they are not a header.
pub(super) fn head_len(bytes: &[u8]) -> Option<u64> {
    let mut file = Reader::new(bytes, "header");
    file.skip(CHECKED as u64).ok()?;
    file.u32_le().ok()?;
    let len = file.varint().ok()?;
    let end = file.offset().checked_add(len)?;
    let Ok(mut directory) = file.sub_reader(len, "directory") else {
        return Some(end);
    };
    directory.varint().ok()?;
    if directory.varint().ok()? != 0 {
        directory.u32_le().ok()?;
    }
    if directory.varint().ok()? == 0 {
        return Some(end);
    }
    let first = Placed::read(&mut directory).ok()?;
    Some(match first.kind {
        BUNDLE => end.saturating_add(first.stored.unwrap_or(first.len)),
        _ => end,
    })
}

/// Reads header, directory and bundle at the start of `bytes`, for a file of `actual` bytes.
pub(super) fn head(bytes: &[u8], actual: u64, limits: &Limits) -> Result<Head> {
    let mut file = Reader::new(bytes, "header");
    check_magic(&mut file)?;
    check_version(&mut file)?;
    let crc_place = file.clone();
    let stored = file.u32_le()?;
    let len = file.varint()?;
    let mut directory = file.sub_reader(len, "directory")?;
    let whole_directory = directory.clone();

    let length_place = directory.clone();
    let file_len = directory.varint()?;
    if actual < file_len {
        return Err(length_place.error(
            ErrorKind::Truncated,
            format!("the file is cut off: {actual} bytes of {file_len} are there"),
        ));
    }
    let dictionary_place = directory.clone();
    let number = directory.varint()?;
    let hash = match number {
        0 => None,
        _ => Some(directory.array::<4>()?),
    };
    let count_place = directory.clone();
    let count = directory.varint()?;
    check_limit("sections of one file", count, limits.max_section_count)
        .map_err(|error| error.with_offset(count_place.offset()))
        .in_section("directory")?;
    let mut sections = Vec::new();
    let mut first: Option<Placed> = None;
    let (most, mut decompressed) = (limits.decompressed_bytes(actual), 0u64);
    for number in 0..count {
        let place = directory.offset();
        let placed = in_entry(Placed::read(&mut directory), place, number)?;
        if placed.stored.is_some() {
            decompressed = decompressed.saturating_add(placed.len);
            let within = check_limit("bytes of compressed sections", decompressed, most);
            in_entry(within, place, number)?;
        }
        let fault = match (placed.kind, number) {
            (BUNDLE, 0) => {
                first = Some(placed);
                continue;
            }
            (BUNDLE, _) => Some("the bundle is not the first section"),
            _ if first.is_some() && placed.alignment.is_none() => {
                Some("a section beside a bundle is not aligned")
            }
            _ => None,
        };
        let fault = fault.map_or(Ok(()), |fault| Err(Error::new(ErrorKind::Malformed, fault)));
        in_entry(fault, place, number)?;
        sections.push(placed);
    }
    directory.expect_end()?;
    let bundle_offset = file.offset();
    let bundle_stored = match &first {
        Some(placed) => file.bytes(placed.stored.unwrap_or(placed.len))?,
        None => &[],
    };
    let checked = bytes.get(..CHECKED).unwrap_or_default();
    let computed = crc32_of_parts([checked, whole_directory.peek_rest(), bundle_stored]);
    check_crc(stored, computed, "header, directory and bundle", &crc_place)?;
    // Only now is a strange number not damage.
    if let Some(hash) = hash
        && let Err(message) = dictionary::check(number, hash)
    {
        return Err(dictionary_place.error(ErrorKind::Unsupported, message));
    }
    let has_compressed_bundle = first.as_ref().is_some_and(|placed| placed.stored.is_some());
    let bundle = match first {
        Some(placed) => {
            let len = usize::try_from(placed.len).unwrap_or(usize::MAX);
            let mut content = Vec::new();
            let place = (bundle_offset, "bundle");
            match placed.stored {
                None => content.extend_from_slice(bundle_stored),
                Some(_) => decompress(bundle_stored, &[], len, place, &mut content)?,
            }
            Some((placed.place, Bytes::from(content)))
        }
        None => None,
    };
    Ok(Head {
        has_dictionary: hash.is_some(),
        has_compressed_bundle,
        file_len,
        bundle,
        bundle_offset,
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
        "the last section ends at byte {end}, the header declares {file_len} bytes, and the file has {actual}"
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
    if let Some((place, content)) = &head.bundle {
        let parts = bundle(content, head.bundle_offset, &names);
        for part in in_entry(parts, *place, 0)? {
            sections.push((
                *place,
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
    }
    for (placed, number) in head.sections.iter().zip(u64::from(head.bundle.is_some())..) {
        let read = read_section(placed, &mut file, &names, &mut sections);
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
        has_dictionary: head.has_dictionary,
        has_compressed_bundle: head.has_compressed_bundle,
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
                "the file is cut off: {} bytes are less than a header",
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

fn check_version(header: &mut Reader<'_>) -> Result<()> {
    let place = header.clone();
    let (major, minor) = (header.u8()?, header.u8()?);
    let message = match major {
        MAJOR_VERSION => return Ok(()),
        _ if major > MAJOR_VERSION => format!(
            "the file has format version {major}.{minor}, this build reads versions up to \
             {MAJOR_VERSION}.{MINOR_VERSION}; a newer build is needed"
        ),
        _ => format!(
            "the file has format version {major}.{minor}, a pre-release version that is not read any more"
        ),
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
    file: &mut Reader<'a>,
    names: &impl Fn(u16) -> Option<&'static str>,
    sections: &mut Vec<(u64, Entry<'a>)>,
) -> Result<()> {
    check_padding(file.bytes(placed.padding(file.offset()))?)?;
    let offset = file.offset();
    let pages = Pages::read(file, placed.len, placed.stored, placed.kind)?;
    sections.push((
        placed.place,
        Entry {
            kind: placed.kind,
            required: placed.required,
            name: known(placed.kind, placed.required, names)?,
            alignment: placed.alignment,
            offset,
            len: placed.len,
            data: Data::Pages(pages),
        },
    ));
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
    let count = list.count(1)?;
    let mut items = Vec::with_capacity(count);
    for number in 1..=count {
        let code = list.varint()?;
        let Ok(kind) = u16::try_from(code >> 1) else {
            let message = format!("a section has the kind {}, which is above 65535", code >> 1);
            return Err(list.error(ErrorKind::Malformed, message));
        };
        if kind == BUNDLE {
            return Err(list.error(ErrorKind::Malformed, "a bundle is in the bundle"));
        }
        // The last one takes what the others leave.
        let len = match number == count {
            true => None,
            false => Some(list.varint()?),
        };
        items.push((kind, code & 1 != 0, len));
    }
    let mut sections = Vec::with_capacity(count);
    for (kind, required, len) in items {
        let name = known(kind, required, names)?;
        let (offset, start) = (list.offset(), list.position());
        list.skip(len.unwrap_or(list.remaining() as u64))?;
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

/// Returns the name of a kind of sections.
pub(super) fn known(
    kind: u16,
    required: bool,
    names: &impl Fn(u16) -> Option<&'static str>,
) -> Result<&'static str> {
    match names(kind) {
        Some(name) => Ok(name),
        None if required => Err(Error::new(
            ErrorKind::UnknownSection,
            format!(
                "section kind {kind} is required to understand the file, and not known to this build; a newer build \
                 is needed"
            ),
        )),
        None => Ok("unknown"),
    }
}

/// Rewrites the checksums in the header and after the pages that the directory describes.
pub(super) fn repair(bytes: &mut [u8]) -> Result<()> {
    let mut pages: Vec<(usize, u32)> = Vec::new();
    let head = {
        let mut file = Reader::new(bytes, "header");
        file.skip(CHECKED as u64)?;
        file.u32_le()?;
        let len = file.varint()?;
        let mut directory = file.sub_reader(len, "directory")?;
        let checked = bytes.get(..CHECKED).unwrap_or_default();
        let listed = directory.peek_rest();
        directory.varint()?;
        if directory.varint()? != 0 {
            directory.u32_le()?;
        }
        let count = directory.varint()?;
        let mut bundle: &[u8] = &[];
        for number in 0..count {
            let Ok(placed) = Placed::read(&mut directory) else {
                break;
            };
            if placed.kind == BUNDLE && number == 0 {
                bundle = file.bytes(placed.stored.unwrap_or(placed.len))?;
            } else if repair_entry(&placed, &mut file, &mut pages).is_err() {
                break;
            }
        }
        crc32_of_parts([checked, listed, bundle])
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
    placed: &Placed,
    file: &mut Reader<'_>,
    pages: &mut Vec<(usize, u32)>,
) -> Result<()> {
    file.skip(placed.padding(file.offset()))?;
    let mut data = file.sub_reader(placed.stored.unwrap_or(placed.len), "pages")?;
    let (mut left, mut number) = (placed.len, 0u64);
    while left > 0 {
        let part = left.min(page_len(placed.stored.is_some()) as u64);
        let frame = match placed.stored {
            Some(_) => u64::from(file.u32_le()?),
            None => part,
        };
        let crc = page_crc(placed.kind, number, [data.bytes(frame)?]);
        pages.push((file.position(), crc));
        file.u32_le()?;
        left = left.saturating_sub(part);
        number = number.saturating_add(1);
    }
    Ok(())
}
