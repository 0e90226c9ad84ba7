//! Values that are encoded as a whole: files and strings of base64 or hexadecimal digits.
//!
//! The magic number of a module is found anywhere by the carve. Here, the first bytes are decoded
//! to look for containers and text, and long values are decoded in any case: some formats have no
//! magic number.

use super::{Member, Part};
use crate::decode::{ENCODINGS, Encoding};
use crate::unwrap::Search;

/// The least length of a value that is decoded.
const LEAST: usize = 32;
/// The number of characters by which encoded content is recognized: a multiple of those of a group.
/// `tar` has its magic number at the byte 257. Longer values are decoded whatever they are.
const START: usize = 576;

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    find(bytes).map(|(encoding, _)| encoding.name)
}

/// Returns the encoding of all bytes, and whether text of MLIR is encoded. O(1), and O(bytes) if
/// the first characters fit.
fn find(bytes: &[u8]) -> Option<(&'static Encoding, bool)> {
    let text = bytes.trim_ascii();
    if text.len() < LEAST {
        return None;
    }
    let start = text.get(..START).unwrap_or(text);
    let whole = || ENCODINGS.iter().filter(|encoding| encoding.is_whole);
    let is_all = |encoding: &Encoding, text: &[u8]| (encoding.len)(text, b'"') == text.len();
    let fitting = || whole().filter(|encoding| is_all(encoding, start));
    let known = fitting().find_map(|encoding| {
        let decoded = (encoding.decode)(start)?;
        let is_text = crate::module::is_mlir_text(&decoded);
        (is_text || super::is_known_start(&decoded)).then_some((encoding, is_text))
    });
    // The digits of hexadecimal are all among those of base64.
    let long = || match text.len() >= START {
        true => fitting().next_back().map(|encoding| (encoding, false)),
        false => None,
    };
    let (encoding, is_text) = known.or_else(long)?;
    is_all(encoding, text).then_some((encoding, is_text))
}

/// Returns whether a string of JSON may be such a value, before its escapes are decoded.
pub(super) fn is_encoded(start: &[u8]) -> bool {
    find(start.get(..START).unwrap_or(start)).is_some()
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let (encoding, is_text) = find(bytes)?;
    let text = bytes.trim_ascii();
    if !search.may_decode(text.len()) {
        return None;
    }
    let decoded = (encoding.decode)(text)?;
    search.decodable = search.decodable.saturating_sub(decoded.len() as u64);
    Some(vec![Member {
        part: Part::Decoded {
            range: 0..bytes.len(),
            bytes: decoded,
        },
        is_text,
        ..Member::default()
    }])
}
