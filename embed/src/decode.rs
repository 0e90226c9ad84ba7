//! Encodings of bytecode as text: base64, hexadecimal, and strings with escapes.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// An encoding of bytes as text.
pub(crate) struct Encoding {
    pub(crate) name: &'static str,
    /// Whether whole files and strings are tried, and not only the magic numbers.
    pub(crate) is_whole: bool,
    /// How the magic numbers of both bytecodes and of records begin.
    pub(crate) magics: &'static [&'static [u8]],
    /// Returns the length of the encoded bytes at the start of a text.
    pub(crate) len: fn(&[u8]) -> usize,
    pub(crate) decode: fn(&[u8]) -> Option<Vec<u8>>,
}

/// All encodings. In base64, zip files and ELF files are looked for, too: their magic numbers are
/// long enough.
pub(crate) const ENCODINGS: &[Encoding] = &[
    Encoding {
        name: "base64",
        is_whole: true,
        // The last character of each begins the byte after the magic.
        magics: &[b"TUzvU", b"ilJNQk", b"ilJNTElS", b"UEsDB", b"f0VMR"],
        len: base64_len,
        decode: base64,
    },
    Encoding {
        name: "hex",
        is_whole: true,
        magics: &[
            b"4D4CEF52",
            b"4d4cef52",
            b"8A524D4243",
            b"8a524d4243",
            b"8A524D4C4952",
            b"8a524d4c4952",
        ],
        len: |text| count(text, |byte| byte.is_ascii_hexdigit()),
        decode: hex,
    },
    Encoding {
        name: "string",
        is_whole: false,
        magics: &[b"ML\\EFR", b"\\8ARMBC", b"\\8ARMLIR"],
        len: |text| count(text, |byte| byte != b'"'),
        decode: escaped,
    },
];

/// Returns whether `text` begins with an encoded module.
pub(crate) fn encoding_of(text: &[u8]) -> Option<&'static Encoding> {
    ENCODINGS
        .iter()
        .find(|encoding| encoding.magics.iter().any(|magic| text.starts_with(magic)))
}

fn count(text: &[u8], mut is_part: impl FnMut(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| is_part(byte)).count()
}

/// The characters of base64, and the ends of lines, at which long texts are broken, with the
/// indentation of the next.
fn base64_len(text: &[u8]) -> usize {
    let mut is_start = false;
    let is_part = |byte: u8| {
        is_start = b"\r\n".contains(&byte) || (is_start && b" \t".contains(&byte));
        is_start || byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
    };
    let len = count(text, is_part);
    let rest = text.get(len..).unwrap_or_default();
    len.saturating_add(count(rest, |byte| byte == b'=').min(2))
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let alphabet = match text.iter().any(|byte| b"-_".contains(byte)) {
        true => &alphabet::URL_SAFE,
        false => &alphabet::STANDARD,
    };
    let engine = GeneralPurpose::new(alphabet, LENIENT);
    if !text.iter().any(u8::is_ascii_whitespace) {
        return engine.decode(whole(text)).ok();
    }
    let text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    engine.decode(whole(&text)).ok()
}

/// Cuts off a character that is too few for a byte: the run of characters may end with one of
/// something else.
fn whole(text: &[u8]) -> &[u8] {
    let digits = count(text, |byte| byte != b'=');
    match digits % 4 {
        1 => text.get(..digits.saturating_sub(1)).unwrap_or_default(),
        _ => text,
    }
}

fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, _) = text.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok();
    pairs.iter().map(byte).collect()
}

/// Decodes a string of MLIR's text: `\\`, `\n`, `\t`, `\"` and two hexadecimal digits.
fn escaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next()? {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            same @ (b'\\' | b'"') => bytes.push(same),
            first => bytes.extend(hex(&[first, rest.next()?])?),
        }
    }
    Some(bytes)
}
