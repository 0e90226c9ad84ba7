//! Encodings of bytecode as text: base64, hexadecimal, strings with escapes, and arrays of C.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// An encoding of bytes as text.
pub(crate) struct Encoding {
    pub(crate) name: &'static str,
    /// Whether whole files and strings are tried, and not only the magic numbers.
    pub(crate) is_whole: bool,
    /// How the magic numbers of both bytecodes and of records begin.
    pub(crate) magics: &'static [&'static [u8]],
    /// Returns the length of the encoded bytes at the start of a text, in quotes of a kind if it is
    /// a string.
    pub(crate) len: fn(&[u8], u8) -> usize,
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
        len: |text, _| base64_len(text),
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
        len: |text, _| lines_len(text, is_hex),
        decode: hex_lines,
    },
    Encoding {
        name: "string",
        is_whole: false,
        magics: &[b"ML\\EFR", b"\\8ARMBC", b"\\8ARMLIR"],
        len: |text, _| count(text, |byte| byte != b'"'),
        decode: escaped,
    },
    // As C, JavaScript, Python and Rust have them.
    Encoding {
        name: "string",
        is_whole: false,
        magics: &[
            b"ML\\xefR",
            b"ML\\xEFR",
            b"ML\\357R",
            b"\\x8aRM",
            b"\\x8ARM",
            b"\\212RM",
        ],
        len: string_len,
        decode: string,
    },
    Encoding {
        name: "array",
        is_whole: false,
        magics: &[
            b"0x4d, 0x4c, 0xef, 0x52",
            b"0x4D, 0x4C, 0xEF, 0x52",
            b"0x4d,0x4c,0xef,0x52",
            b"0x4D,0x4C,0xEF,0x52",
            b"0x8a, 0x52, 0x4d,",
            b"0x8A, 0x52, 0x4D,",
            b"0x8a,0x52,0x4d,",
            b"0x8A,0x52,0x4D,",
        ],
        len: |text, _| {
            count(text, |byte| {
                byte.is_ascii_hexdigit() || byte.is_ascii_whitespace() || b"xX,".contains(&byte)
            })
        },
        decode: array,
    },
    Encoding {
        name: "array",
        is_whole: false,
        magics: &[
            b"77, 76, 239, 82",
            b"77,76,239,82",
            b"138, 82, 77,",
            b"138,82,77,",
            // As Java has them.
            b"77, 76, -17, 82",
            b"77,76,-17,82",
            b"-118, 82, 77,",
            b"-118,82,77,",
        ],
        len: numbers_len,
        decode: numbers,
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

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// Returns the number of digits that a text begins with, and of ends of lines among them, at which
/// long texts are broken, with the indentation of the next line.
fn lines_len(text: &[u8], is_digit: impl Fn(u8) -> bool) -> usize {
    let mut len = 0;
    loop {
        let rest = text.get(len..).unwrap_or_default();
        let run = count(rest, &is_digit);
        let rest = rest.get(run..).unwrap_or_default();
        let mut is_break = false;
        let between = count(rest, |byte| {
            is_break |= b"\r\n".contains(&byte);
            is_break && b"\r\n \t".contains(&byte)
        });
        len = len.saturating_add(run).saturating_add(between);
        if between == 0 {
            return len;
        }
    }
}

fn base64_len(text: &[u8]) -> usize {
    let len = lines_len(text, is_base64);
    let rest = text.get(len..).unwrap_or_default();
    len.saturating_add(count(rest, |byte| byte == b'=').min(2))
}

/// Returns a text without the ends of lines and their indentation.
fn joined(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.iter().any(u8::is_ascii_whitespace) {
        return Cow::Borrowed(text);
    }
    let mut all = Vec::with_capacity(text.len());
    for line in text.split(|byte| byte.is_ascii_whitespace()) {
        all.extend_from_slice(line);
    }
    Cow::Owned(all)
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let alphabet = match memchr::memchr2(b'-', b'_', text) {
        Some(_) => &alphabet::URL_SAFE,
        None => &alphabet::STANDARD,
    };
    let engine = GeneralPurpose::new(alphabet, LENIENT);
    engine.decode(whole(&joined(text))).ok()
}

/// Cuts off a character that is too few for a byte: the run of characters may end with one of
/// something else.
fn whole(text: &[u8]) -> &[u8] {
    let digits = memchr::memchr(b'=', text).unwrap_or(text.len());
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

fn hex_lines(text: &[u8]) -> Option<Vec<u8>> {
    hex(&joined(text))
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

/// Returns the length of a string to the quote that ends it, or to the end of the line.
fn string_len(text: &[u8], quote: u8) -> usize {
    let mut is_escaped = false;
    count(text, |byte| {
        let is_end = !is_escaped && (byte == quote || byte == b'\n');
        is_escaped = byte == b'\\' && !is_escaped;
        !is_end
    })
}

/// Decodes a string as C and the languages after it have them: `\\`, `\n` and the like, `\x` with
/// two hexadecimal digits, and up to three octal digits.
fn string(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        let (byte, len) = match escape {
            b'x' => (*hex(after.get(..2)?)?.first()?, 2),
            b'0'..=b'7' => {
                let digits = count(rest, |byte| (b'0'..=b'7').contains(&byte)).min(3);
                let digits = str::from_utf8(rest.get(..digits)?).ok()?;
                let byte = u8::from_str_radix(digits, 8).ok()?;
                (byte, digits.len().saturating_sub(1))
            }
            b'\n' => {
                // The string continues in the next line.
                rest = after;
                continue;
            }
            b'a' => (7, 0),
            b'b' => (8, 0),
            b't' => (b'\t', 0),
            b'n' => (b'\n', 0),
            b'v' => (11, 0),
            b'f' => (12, 0),
            b'r' => (b'\r', 0),
            same @ (b'\\' | b'"' | b'\'' | b'?') => (same, 0),
            _ => return None,
        };
        bytes.push(byte);
        rest = after.get(len..)?;
    }
    Some(bytes)
}

/// Decodes the elements of an array of C, each with two hexadecimal digits: `0x4d, 0x4c`. A comma
/// may follow the last one.
fn array(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 5);
    for element in text.trim_ascii_end().split(|&byte| byte == b',') {
        let element = element.trim_ascii();
        let Some(digits) = element.strip_prefix(b"0x").or(element.strip_prefix(b"0X")) else {
            break;
        };
        match digits {
            [_, _] => bytes.extend(hex(digits)?),
            [digit] => bytes.extend(hex(&[b'0', *digit])?),
            _ => break,
        }
    }
    Some(bytes)
}

/// Returns the length of the elements of an array of decimal numbers, signed or not, with the
/// bracket after them.
fn numbers_len(text: &[u8], _: u8) -> usize {
    let is_part =
        |byte: u8| byte.is_ascii_digit() || byte.is_ascii_whitespace() || b"-,".contains(&byte);
    let len = count(text, is_part);
    let closing = text.get(len).filter(|byte| b"]})".contains(byte));
    len.saturating_add(closing.iter().count())
}

/// Decodes the elements of an array of decimal numbers: `77, 76]`. A comma may follow the last one.
/// `None` unless the array ends after them: numbers are not always those of bytes.
fn numbers(text: &[u8]) -> Option<Vec<u8>> {
    let (closing, elements) = text.split_last()?;
    if !b"]})".contains(closing) {
        return None;
    }
    let elements = elements.trim_ascii_end();
    let elements = elements.strip_suffix(b",").unwrap_or(elements);
    let elements = elements.split(|&byte| byte == b',');
    elements
        .map(|element| decimal(element.trim_ascii()))
        .collect()
}

/// Returns the byte of a decimal number, signed or not.
fn decimal(element: &[u8]) -> Option<u8> {
    let number: i16 = str::from_utf8(element).ok()?.parse().ok()?;
    let byte = u8::try_from(number);
    byte.or_else(|_| i8::try_from(number).map(i8::cast_unsigned))
        .ok()
}
