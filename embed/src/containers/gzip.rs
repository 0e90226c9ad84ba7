//! gzip (RFC 1952): one or several members, which together are one content.

use super::{Member, Part};
use crate::artifact::Reason;
use crate::unwrap::Search;
use rmlir_format::checksum::crc32;

const MAGIC: &[u8; 3] = b"\x1f\x8b\x08";
/// The length of the header without optional fields, and of the trailer.
const HEADER: usize = 10;
const TRAILER: usize = 8;
/// The work of a member beside that of its content.
const MEMBER: usize = 1 << 12;

/// Flags of optional fields, in their order: extra bytes, name, comment, checksum of the header.
mod flag {
    pub(super) const CHECKSUM: u8 = 2;
    pub(super) const EXTRA: u8 = 4;
    pub(super) const NAME: u8 = 8;
    pub(super) const COMMENT: u8 = 16;
}

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    (bytes.starts_with(MAGIC) && bytes.len() >= HEADER).then_some("gzip")
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut content = Vec::new();
    let mut is_damaged = false;
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(start) = header_len(rest) else {
            // Zeros and other bytes may follow the last member.
            break;
        };
        let data = rest.get(start..).unwrap_or_default();
        let inflated = match search.charge(MEMBER) {
            true => search.inflate_prefix(data),
            false => Err(Reason::Limit("it has too many members of gzip")),
        };
        let (inflated, len) = match inflated {
            Ok(inflated) => inflated,
            Err(reason) => {
                let range = 0..bytes.len();
                return Some(vec![Member {
                    part: Part::Unread { range, reason },
                    ..Member::default()
                }]);
            }
        };
        let trailer = data.get(len..).and_then(<[u8]>::first_chunk::<TRAILER>);
        let expected = crc32(&inflated).to_le_bytes();
        is_damaged |= trailer.is_none_or(|trailer| !trailer.starts_with(&expected));
        content.extend(inflated);
        at = at
            .saturating_add(start)
            .saturating_add(len)
            .saturating_add(TRAILER);
    }
    Some(vec![Member {
        part: Part::Decoded {
            range: 0..at.min(bytes.len()),
            bytes: content,
        },
        is_damaged,
        // What was compressed may be text, which is known by how it begins.
        is_text: true,
        ..Member::default()
    }])
}

/// Returns the length of the header that `bytes` begin with.
fn header_len(bytes: &[u8]) -> Option<usize> {
    format(bytes)?;
    let flags = *bytes.get(3)?;
    let mut at = HEADER;
    if flags & flag::EXTRA != 0 {
        let len = u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        at = at.checked_add(2)?.checked_add(len.into())?;
    }
    for field in [flag::NAME, flag::COMMENT] {
        if flags & field != 0 {
            let end = memchr::memchr(0, bytes.get(at..)?)?;
            at = at.checked_add(end)?.checked_add(1)?;
        }
    }
    if flags & flag::CHECKSUM != 0 {
        at = at.checked_add(2)?;
    }
    Some(at)
}
