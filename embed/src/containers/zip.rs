//! Zip files, also with other bytes before them.

use super::{MAX_MEMBERS, Member, Names, Part, range_in};
use crate::unwrap::Search;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use rawzip::{CompressionMethod, ZipArchive};

/// The signatures of a member and of an empty file.
const SIGNATURES: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let is_zip = SIGNATURES.iter().any(|magic| bytes.starts_with(*magic));
    is_zip.then_some("zip")
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let archive = ZipArchive::from_slice(bytes).ok()?;
    let mut names = Names::new(bytes);
    let mut members = Vec::new();
    let mut entries = archive.entries();
    while members.len() < MAX_MEMBERS
        && let Ok(Some(entry)) = entries.next_entry()
    {
        let path = entry.file_path();
        let (name, is_text) = names.name(|| Some(path.as_ref()));
        let method = entry.compression_method();
        let Ok(found) = archive.get_entry(entry.wayfinder()) else {
            continue;
        };
        let (start, end) = found.compressed_data_range();
        let Some(range) = range_in(bytes, start, end.saturating_sub(start)) else {
            continue;
        };
        let part = match method {
            CompressionMethod::STORE => Part::Range(range),
            CompressionMethod::DEFLATE => {
                let limit = usize::try_from(search.decodable).unwrap_or(usize::MAX);
                if !search.charge(range.len()) {
                    break;
                }
                let data = bytes.get(range.clone()).unwrap_or_default();
                let inflated = match decompress_to_vec_with_limit(data, limit) {
                    Ok(inflated) => inflated,
                    Err(error) => {
                        // What was inflated until then has cost as much.
                        let spent = error.output.len() as u64;
                        search.decodable = search.decodable.saturating_sub(spent);
                        if error.status == TINFLStatus::HasMoreOutput {
                            search.give_up();
                        }
                        continue;
                    }
                };
                search.decodable = search.decodable.saturating_sub(inflated.len() as u64);
                Part::Decoded {
                    range,
                    bytes: inflated,
                }
            }
            _ => continue,
        };
        members.push(Member {
            part,
            name,
            is_text,
            ..Member::default()
        });
    }
    Some(members)
}
