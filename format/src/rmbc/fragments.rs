//! Compression of dialect text: frequent fragments are encoded as one or two bytes.

use crate::cursor::Reader;
use crate::error::{ErrorKind, Result};
use std::collections::HashMap;
use std::sync::LazyLock;

/// One fragment a line, in quotation marks. Released lines never change.
const LIST: &str = include_str!("fragments.txt");

/// The first byte of a fragment; lower bytes denote themselves.
const FIRST: u8 = 0x80;
/// The first byte of a two-byte fragment.
const TWO: u8 = 0xc0;
/// Escapes a literal byte that would otherwise begin a fragment.
const LITERAL: u8 = 0xff;
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

/// Encodes a text: at each position the longest fragment that fits. O(n).
pub fn encode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        let start = rest.first_chunk::<2>();
        let known = start.and_then(|start| BY_START.get(start));
        let found = known.into_iter().flatten().find_map(|&number| {
            let fragment = FRAGMENTS.get(usize::from(number))?;
            Some((number, rest.strip_prefix(fragment.as_bytes())?))
        });
        match found {
            Some((number, behind)) => {
                rest = behind;
                match usize::from(number).checked_sub(SHORT) {
                    None => out.push(FIRST.saturating_add(number as u8)),
                    // There are fewer than 63 times 256.
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
    out
}

/// Decodes the text whose encoding is the next `len` bytes. O(n); a byte becomes at most 48.
///
/// # Errors
/// [`ErrorKind::Truncated`]; [`ErrorKind::Malformed`] for an undefined fragment or a redundant
/// escape.
pub fn decode(input: &mut Reader<'_>, len: u64) -> Result<Vec<u8>> {
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
            TWO.. => {
                let high = usize::from(first.saturating_sub(TWO)) << 8;
                SHORT.saturating_add(high | usize::from(input.u8()?))
            }
            _ => usize::from(first.saturating_sub(FIRST)),
        };
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
        decode(&mut Reader::new(bytes, "test"), bytes.len() as u64)
    }

    #[test]
    fn the_list_is_sound() {
        assert_eq!(LIST.lines().count(), count());
        assert!(count() <= SHORT + usize::from(LITERAL - TWO) * 256);
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
            let spelled = encode(&text);
            assert_eq!(decoded(&spelled).unwrap(), text);
        }
        assert_eq!(encode(b"dense<").len(), 1);
    }

    #[test]
    fn what_is_refused() {
        for (bytes, kind) in [
            (&[LITERAL][..], ErrorKind::Truncated),
            (&[LITERAL, b'a'], ErrorKind::Malformed),
            (&[TWO], ErrorKind::Truncated),
            (&[LITERAL - 1, 255], ErrorKind::Malformed),
        ] {
            let error = decoded(bytes).unwrap_err();
            assert_eq!(
                (error.kind(), error.offset()),
                (kind, Some(if kind == ErrorKind::Truncated { 1 } else { 0 }))
            );
        }
    }
}
