//! Archives of `tar`: the formats of POSIX (`ustar` and `pax`) and of GNU.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::unwrap::Search;
use std::borrow::Cow;

/// The size of a header and the unit of contents.
const BLOCK: usize = 512;

/// The fields of a header: their offsets, and lengths where they are not terminated.
mod field {
    pub(super) const NAME: (usize, usize) = (0, 100);
    pub(super) const SIZE: (usize, usize) = (124, 12);
    pub(super) const CHECKSUM: (usize, usize) = (148, 8);
    pub(super) const TYPE: usize = 156;
    pub(super) const MAGIC: (usize, usize) = (257, 5);
    pub(super) const PREFIX: (usize, usize) = (345, 155);
}

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    (bytes_of(bytes, field::MAGIC) == b"ustar").then_some("tar")
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    // The name of the next member, if it is longer than a header has place for.
    let mut long = None;
    let mut at = 0usize;
    while members.len() < MAX_MEMBERS
        && let Some(header) = bytes.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>)
    {
        if header.iter().all(|&byte| byte == 0) {
            break;
        }
        let start = at.saturating_add(BLOCK);
        let size = number(bytes_of(header, field::SIZE));
        let range = size.and_then(|size| range_in(bytes, start as u64, size));
        let (Some(range), true) = (range, is_intact(header)) else {
            // What follows cannot be found.
            members.push(Member::damaged(
                at..bytes.len(),
                "a header of tar is wrong, so the bytes after it are not read",
            ));
            break;
        };
        let content = bytes.get(range.clone()).unwrap_or_default();
        at = range.end.next_multiple_of(BLOCK);
        match header.get(field::TYPE) {
            Some(b'L') => long = Some(until_zero(content)),
            Some(b'x') => long = pax_path(content).or(long),
            Some(b'0' | b'7' | 0) => {
                let name = match long.take() {
                    Some(name) => Cow::Borrowed(name),
                    None => full_name(header),
                };
                let (name, is_text) = names.name(|| Some(&name));
                members.push(Member {
                    part: Part::Range(range),
                    name,
                    is_text,
                    ..Member::default()
                });
            }
            // Folders, links and attributes of all members.
            _ => {}
        }
    }
    Some(members)
}

fn bytes_of(header: &[u8], (start, len): (usize, usize)) -> &[u8] {
    let end = start.saturating_add(len);
    header.get(start..end).unwrap_or_default()
}

fn until_zero(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    bytes.get(..end).unwrap_or_default()
}

/// Returns prefix and name, which POSIX separates.
fn full_name(header: &[u8]) -> Cow<'_, [u8]> {
    let name = until_zero(bytes_of(header, field::NAME));
    let is_posix = header.get(262) == Some(&0);
    match until_zero(bytes_of(header, field::PREFIX)) {
        prefix if is_posix && !prefix.is_empty() => [prefix, b"/", name].concat().into(),
        _ => name.into(),
    }
}

/// Reads a number: octal digits, or of GNU a binary number after a byte 0x80.
fn number(field: &[u8]) -> Option<u64> {
    if let Some(digits) = field.strip_prefix(b"\x80") {
        let (high, low) = digits.split_at_checked(digits.len().checked_sub(8)?)?;
        let is_small = high.iter().all(|&byte| byte == 0);
        return is_small.then(|| low.first_chunk().map(|low| u64::from_be_bytes(*low)))?;
    }
    let text = until_zero(field).trim_ascii();
    match text {
        b"" => Some(0),
        text => u64::from_str_radix(str::from_utf8(text).ok()?, 8).ok(),
    }
}

/// Returns whether the sum of all bytes is the one in the header, for which it counts as spaces.
fn is_intact(header: &[u8; BLOCK]) -> bool {
    let (start, len) = field::CHECKSUM;
    let checked = header.iter().enumerate().map(|(index, &byte)| {
        match (start..start.saturating_add(len)).contains(&index) {
            true => u64::from(b' '),
            false => u64::from(byte),
        }
    });
    number(bytes_of(header, field::CHECKSUM)) == Some(checked.sum())
}

/// Returns the path in an extended header of `pax`: records of a length, a key and a value.
fn pax_path(content: &[u8]) -> Option<&[u8]> {
    let mut lines = content.split(|&byte| byte == b'\n');
    lines.find_map(|line| {
        let space = memchr::memchr(b' ', line)?;
        line.get(space.checked_add(1)?..)?.strip_prefix(b"path=")
    })
}
