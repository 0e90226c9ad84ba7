//! zlib (RFC 1950): a header of two bytes, deflated content, and a checksum.

use super::{Member, Part};
use crate::artifact::Reason;
use crate::unwrap::Search;

/// The length of the header, and of the checksum at the end.
const HEADER: usize = 2;
const TRAILER: usize = 4;
/// The first byte, as all writers have it: deflate with a window of 32 KiB.
const METHOD: u8 = 0x78;
/// The flag of a preset dictionary, without which the content cannot be decompressed.
const DICTIONARY: u8 = 0x20;
/// The number of bytes that are checked for characters that text does not have.
const START: usize = 64;

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let &[METHOD, flags, block, ..] = bytes else {
        return None;
    };
    let check = u16::from_be_bytes([METHOD, flags]);
    // Two bits encode the kind of the first block. The value 3 is not used.
    let is_header = check.is_multiple_of(31) && flags & DICTIONARY == 0 && block & 6 != 6;
    let start = bytes.get(..START).unwrap_or(bytes);
    let is_binary = start.iter().any(|&byte| !byte.is_ascii() || byte < b'\t');
    (is_header && is_binary).then_some("zlib")
}

/// Lists the content; `None` if it is not deflated: a header of two bytes can be accidental.
pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let data = bytes.get(HEADER..)?;
    let (content, len) = match search.inflate_prefix(data) {
        Ok(inflated) => inflated,
        Err(Reason::Damaged(crate::inflate::INVALID)) => return None,
        Err(reason) => {
            let range = 0..bytes.len();
            return Some(vec![Member {
                part: Part::Unread { range, reason },
                ..Member::default()
            }]);
        }
    };
    let trailer = data.get(len..).and_then(<[u8]>::first_chunk::<TRAILER>);
    let end = HEADER.saturating_add(len).saturating_add(TRAILER);
    Some(vec![Member {
        is_damaged: trailer != Some(&adler32(&content).to_be_bytes()),
        part: Part::Decoded {
            range: 0..end.min(bytes.len()),
            bytes: content,
        },
        // What was compressed may be text, which is known by how it begins.
        is_text: true,
        ..Member::default()
    }])
}

/// Returns the checksum Adler-32.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    /// The maximum number of bytes whose sums do not overflow.
    const CHUNK: usize = 5_552;
    let (mut a, mut b) = (1u32, 0u32);
    for chunk in bytes.chunks(CHUNK) {
        for &byte in chunk {
            a = a.wrapping_add(byte.into());
            b = b.wrapping_add(a);
        }
        (a, b) = (a % MODULUS, b % MODULUS);
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::adler32;

    #[test]
    fn checksums() {
        // Computed by Python's `zlib.adler32`.
        assert_eq!(adler32(b""), 1);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(adler32(&[255; 100_000]), 0x149a_302c);
    }
}
