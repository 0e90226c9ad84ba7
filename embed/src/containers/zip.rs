//! Zip files, also with other bytes before them.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::artifact::Reason;
use crate::unwrap::{DECODED, Search};
use memchr::memmem;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use rmlir_format::checksum::crc32;
use std::ops::Range;

/// The signatures of a member and of an empty file.
const SIGNATURES: [&[u8; 4]; 2] = [b"PK\x03\x04", END];
/// The signature of the record at the end.
const END: &[u8; 4] = b"PK\x05\x06";
/// The maximum length of that record: its comment has up to 65,535 bytes.
const LONGEST_END: usize = 22 + 0xffff;

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let is_zip = SIGNATURES.iter().any(|magic| bytes.starts_with(*magic));
    is_zip.then_some("zip")
}

/// Returns whether bytes end with a zip file whose last record begins at or after `from`. O(1).
pub(super) fn is_appended(bytes: &[u8], from: usize) -> bool {
    let start = bytes.len().saturating_sub(LONGEST_END).max(from);
    let end = bytes.get(start..).unwrap_or_default();
    memmem::rfind(end, END).is_some()
        && ZipArchive::from_slice(bytes)
            .is_ok_and(|archive| matches!(archive.entries().next_entry(), Ok(Some(_))))
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let damaged = |what| Member::damaged(0..bytes.len(), what);
    let Ok(archive) = ZipArchive::from_slice(bytes) else {
        return Some(vec![damaged("it has no directory of its members")]);
    };
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    let mut entries = archive.entries();
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) if members.len() < MAX_MEMBERS => entry,
            Ok(Some(_)) => {
                search.limit("it has too many members");
                break;
            }
            Ok(None) => break,
            Err(_) => {
                members.push(damaged("its directory of members ends too early"));
                break;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let path = entry.file_path();
        let (name, is_text) = names.name(|| Some(path.as_ref()));
        let (part, is_damaged) = member(bytes, &archive, &entry, search);
        members.push(Member {
            part,
            name,
            is_text,
            is_damaged,
            ..Member::default()
        });
    }
    Some(members)
}

/// Returns the content of a member, and whether its checksum is wrong.
fn member(
    bytes: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord<'_>,
    search: &mut Search<'_>,
) -> (Part, bool) {
    let unread = |range: Range<usize>, reason| (Part::Unread { range, reason }, false);
    let nowhere = 0..0;
    let Ok(found) = archive.get_entry(entry.wayfinder()) else {
        return unread(
            nowhere,
            Reason::Damaged("its header is not where it should be"),
        );
    };
    let (start, end) = found.compressed_data_range();
    let Some(range) = range_in(bytes, start, end.saturating_sub(start)) else {
        return unread(nowhere, Reason::Damaged("it ends after the file"));
    };
    let method = entry.compression_method();
    if entry.flags().is_encrypted() || method == CompressionMethod::AES {
        return unread(range, Reason::Encrypted);
    }
    let data = bytes.get(range.clone()).unwrap_or_default();
    if !search.charge(data.len()) {
        return unread(range, Reason::Limit("its members overlap"));
    }
    let is_wrong = |content: &[u8]| {
        let is_cut = content.len() as u64 != entry.uncompressed_size_hint();
        is_cut || crc32(content) != entry.crc32()
    };
    match method {
        CompressionMethod::STORE => (Part::Range(range), is_wrong(data)),
        // A member that is too large is not inflated, so smaller members that follow are read.
        CompressionMethod::DEFLATE if entry.uncompressed_size_hint() > search.decodable => {
            unread(range, Reason::Limit(DECODED))
        }
        CompressionMethod::DEFLATE => match search.inflate(data) {
            Ok(content) => {
                let is_wrong = is_wrong(&content);
                let bytes = content;
                (Part::Decoded { range, bytes }, is_wrong)
            }
            Err(reason) => unread(range, reason),
        },
        other => unread(range, Reason::Method(method_name(other))),
    }
}

/// The usual name of a method, or its number.
fn method_name(method: CompressionMethod) -> String {
    let name = match method {
        CompressionMethod::DEFLATE64 => "Deflate64",
        CompressionMethod::BZIP2 => "bzip2",
        CompressionMethod::LZMA => "LZMA",
        CompressionMethod::ZSTD | CompressionMethod::ZSTD_DEPRECATED => "Zstandard",
        CompressionMethod::XZ => "xz",
        CompressionMethod::PPMD => "PPMd",
        other => return format!("the method {}", other.as_u16()),
    };
    name.to_owned()
}
