//! Compression of dialect text: frequent fragments are encoded as one or two bytes.

use crate::cursor::Reader;
use crate::error::{ErrorKind, Result};
use crate::varint::write_varint;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One fragment a line, in quotation marks. Lines never change: see
/// [`dictionary`](super::dictionary).
const LIST: &str = include_str!("fragments.txt");

/// The first byte of a fragment; lower bytes denote themselves.
const FIRST: u8 = 0x80;
/// The first byte of a two-byte fragment.
const TWO: u8 = 0xc0;
/// Begins bytes that denote two upper-case hexadecimal digits each.
const DIGITS: u8 = 0xfe;
/// Escapes a literal byte that would otherwise begin a fragment.
const LITERAL: u8 = 0xff;
/// The minimum number of digits that are encoded as bytes.
const MIN_DIGITS: usize = 16;
/// The number of one-byte fragments.
const SHORT: usize = (TWO - FIRST) as usize;

/// All fragments, by number.
static FRAGMENTS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let quoted = |line: &'static str| line.strip_prefix('"')?.strip_suffix('"');
    LIST.lines().filter_map(quoted).collect()
});

/// The numbers of the fragments that begin with the same two bytes, the longest first.
static BY_START: LazyLock<HashMap<[u8; 2], Vec<u16>>> = LazyLock::new(|| {
    let mut fragments: Vec<(&str, u16)> = FRAGMENTS.iter().copied().zip(0..).collect();
    fragments.sort_by_key(|(fragment, _)| std::cmp::Reverse(fragment.len()));
    let mut by_start: HashMap<[u8; 2], Vec<u16>> = HashMap::new();
    for (fragment, number) in fragments {
        if let Some(start) = fragment.as_bytes().first_chunk() {
            by_start.entry(*start).or_default().push(number);
        }
    }
    by_start
});

/// Returns the number of fragments.
pub fn count() -> usize {
    FRAGMENTS.len()
}

/// An encoded text.
#[derive(Debug, Default)]
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether they contain a fragment.
    pub has_fragments: bool,
}

/// Returns the value of an upper-case hexadecimal digit.
const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte.wrapping_sub(b'0')),
        b'A'..=b'F' => Some(byte.wrapping_sub(b'A').wrapping_add(10)),
        _ => None,
    }
}

/// Encodes a text: at each position the digits that begin there, if they are many, else the longest
/// fragment that fits. O(n).
///
/// `apart` takes the bytes of digits if they are at least `least_apart`, and returns the number of
/// their blob.
pub fn encode(text: &[u8], least_apart: usize, apart: &mut dyn FnMut(Vec<u8>) -> u64) -> Encoded {
    let mut encoded = Encoded {
        bytes: Vec::with_capacity(text.len()),
        has_fragments: false,
    };
    let out = &mut encoded.bytes;
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        let is_long = rest
            .get(..MIN_DIGITS)
            .is_some_and(|start| start.iter().all(|&byte| digit(byte).is_some()));
        if is_long {
            let bytes: Vec<u8> = rest
                .chunks_exact(2)
                .map_while(|pair| match *pair {
                    [high, low] => Some(digit(high)? << 4 | digit(low)?),
                    _ => None,
                })
                .collect();
            rest = rest
                .get(bytes.len().saturating_mul(2)..)
                .unwrap_or_default();
            out.push(DIGITS);
            if bytes.len() >= least_apart {
                write_varint(out, apart(bytes) << 1 | 1);
            } else {
                write_varint(out, (bytes.len() as u64) << 1);
                out.extend(bytes);
            }
            continue;
        }
        let start = rest.first_chunk::<2>();
        let known = start.and_then(|start| BY_START.get(start));
        let found = known.into_iter().flatten().find_map(|&number| {
            let fragment = FRAGMENTS.get(usize::from(number))?;
            Some((number, rest.strip_prefix(fragment.as_bytes())?))
        });
        match found {
            Some((number, behind)) => {
                rest = behind;
                encoded.has_fragments = true;
                match usize::from(number).checked_sub(SHORT) {
                    None => out.push(FIRST.saturating_add(number as u8)),
                    // There are fewer than 62 times 256.
                    Some(number) => {
                        let [low, high, ..] = number.to_le_bytes();
                        out.extend([TWO.saturating_add(high), low]);
                    }
                }
            }
            None => {
                if first >= FIRST {
                    out.push(LITERAL);
                }
                out.push(first);
                rest = behind;
            }
        }
    }
    encoded
}

/// Appends two upper-case hexadecimal digits for each byte.
fn push_digits(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    out.reserve(bytes.len().saturating_mul(2));
    out.extend(
        bytes
            .iter()
            .flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]),
    );
}

/// Passes the data of the blob with a number to a function; the reader is where the text refers to
/// it.
pub type BlobData<'f> = dyn FnMut(&Reader<'_>, u64, &mut dyn FnMut(&[u8])) -> Result<()> + 'f;

/// Decodes the text whose encoding is the next `len` bytes. O(n); a byte becomes at most 48.
///
/// `has_dictionary` states whether the file names the dictionary; `blob` returns the data of a
/// blob.
///
/// # Errors
/// [`ErrorKind::Truncated`]; [`ErrorKind::Malformed`] for an undefined fragment, a fragment in a
/// file that names no dictionary, or a redundant escape; those of `blob`.
pub fn decode(
    input: &mut Reader<'_>,
    len: u64,
    has_dictionary: bool,
    blob: &mut BlobData<'_>,
) -> Result<Vec<u8>> {
    let mut input = input.sub_reader(len, input.section())?;
    let mut out = Vec::with_capacity(input.remaining());
    while !input.is_empty() {
        let plain = input.peek_rest().iter().take_while(|&&b| b < FIRST).count();
        out.extend_from_slice(input.bytes(plain as u64)?);
        if input.is_empty() {
            break;
        }
        let place = input.clone();
        let first = input.u8()?;
        let number = match first {
            LITERAL => {
                let byte = input.u8()?;
                if byte < FIRST {
                    let message = format!("the byte {byte} is not spelled as it is");
                    return Err(place.error(ErrorKind::Malformed, message));
                }
                out.push(byte);
                continue;
            }
            DIGITS => {
                let code = input.varint()?;
                match code & 1 {
                    0 => push_digits(&mut out, input.bytes(code >> 1)?),
                    _ => blob(&place, code >> 1, &mut |bytes| push_digits(&mut out, bytes))?,
                }
                continue;
            }
            TWO.. => {
                let high = usize::from(first.saturating_sub(TWO)) << 8;
                SHORT.saturating_add(high | usize::from(input.u8()?))
            }
            _ => usize::from(first.saturating_sub(FIRST)),
        };
        if !has_dictionary {
            let message = "a body has a fragment, and the file names no dictionary";
            return Err(place.error(ErrorKind::Malformed, message));
        }
        let Some(fragment) = FRAGMENTS.get(number) else {
            let message = format!("there is no fragment #{number}");
            return Err(place.error(ErrorKind::Malformed, message));
        };
        out.extend_from_slice(fragment.as_bytes());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmlir_testing::Prng;

    fn decoded(bytes: &[u8]) -> Result<Vec<u8>> {
        let mut reader = Reader::new(bytes, "test");
        decode(&mut reader, bytes.len() as u64, true, &mut |_, _, _| Ok(()))
    }

    #[test]
    fn the_list_is_sound() {
        assert_eq!(LIST.lines().count(), count());
        assert!(count() <= SHORT + usize::from(DIGITS - TWO) * 256);
        let mut sorted = FRAGMENTS.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), count());
        for fragment in sorted {
            assert!((2..=48).contains(&fragment.len()), "{fragment}");
            assert!(fragment.bytes().all(|b| (b' '..0x7f).contains(&b)));
        }
    }

    #[test]
    fn texts_come_back() {
        let mut texts: Vec<Vec<u8>> = FRAGMENTS.iter().map(|f| f.as_bytes().to_vec()).collect();
        texts.push((0..=255).collect());
        let mut prng = Prng::new(3);
        for _ in 0..2_000 {
            let mut text = Vec::new();
            for _ in 0..prng.next_u64() % 9 {
                let number = prng.next_u64() as usize;
                match number % 3 {
                    0 => text.push((number >> 8) as u8),
                    _ => text.extend_from_slice(FRAGMENTS[number % count()].as_bytes()),
                }
            }
            texts.push(text);
        }
        for text in texts {
            let spelled = encode(&text, 4096, &mut |_| 0).bytes;
            assert_eq!(decoded(&spelled).unwrap(), text);
        }
        assert_eq!(encode(b"dense<", 4096, &mut |_| 0).bytes.len(), 1);
        let digits = encode(b"\"0x0123456789ABCDEF0\"", 4096, &mut |_| 0).bytes;
        assert_eq!(decoded(&digits).unwrap(), b"\"0x0123456789ABCDEF0\"");
        assert!(digits.len() < 16);
        let mut blobs = Vec::new();
        let long = encode(&b"0A".repeat(5_000), 4096, &mut |bytes| {
            blobs.push(bytes);
            7
        });
        assert_eq!(
            (long.bytes, blobs),
            (vec![DIGITS, 15], vec![vec![10; 5_000]])
        );
    }

    #[test]
    fn what_is_refused() {
        for (bytes, kind) in [
            (&[LITERAL][..], ErrorKind::Truncated),
            (&[LITERAL, b'a'], ErrorKind::Malformed),
            (&[TWO], ErrorKind::Truncated),
            (&[DIGITS - 1, 255], ErrorKind::Malformed),
        ] {
            let error = decoded(bytes).unwrap_err();
            assert_eq!(
                (error.kind(), error.offset()),
                (kind, Some(if kind == ErrorKind::Truncated { 1 } else { 0 }))
            );
        }
    }
}
