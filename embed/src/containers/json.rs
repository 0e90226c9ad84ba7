//! JSON, and files with a JSON value in each line: strings that hold modules or containers, and
//! arrays of numbers that are the bytes of one.
//!
//! A scanner of its own instead of a parser, because offsets in the file are needed, nesting must
//! not be limited by the stack, and damaged files are worth reading up to the damage.

use super::{MAX_MEMBERS, Member, Part};
use crate::decode::encoding_of;
use crate::module::{is_mlir_text, is_symbol_operation, shown};
use crate::unwrap::{LEAST_STRING, Search};
use std::borrow::Cow;
use std::ops::Range;

/// Recognizes the first bytes of an object or array, after a byte order mark. `{-#` begins the
/// metadata of a text of MLIR.
pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = start.trim_ascii_start();
    let (first, rest) = start.split_first()?;
    let next = rest.trim_ascii_start().first()?;
    let is_json = match first {
        b'{' => b"\"}".contains(next),
        b'[' => b"[{\"]".contains(next) || next.is_ascii_digit(),
        _ => false,
    };
    is_json.then_some("json")
}

/// An open object or array.
enum Level {
    /// With the last key.
    Object(Option<Range<usize>>),
    /// With the number of commas.
    Array(usize),
}

pub(super) fn members(bytes: &[u8], search: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut levels: Vec<Level> = Vec::new();
    let mut members = Vec::new();
    let mut at = 0;
    // Whether the next string of an object is a key.
    let mut is_key = true;
    while let Some(&byte) = bytes.get(at) {
        let next = at.saturating_add(1);
        at = next;
        match byte {
            b'{' | b'[' => {
                let is_keyed = byte == b'{';
                if let Some(array) = byte_array(bytes, next, is_keyed, search)
                    && members.len() < MAX_MEMBERS
                {
                    at = array.part.range().end;
                    members.push(Member {
                        name: name(bytes, &levels),
                        ..array
                    });
                }
                levels.push(match is_keyed {
                    true => Level::Object(None),
                    false => Level::Array(0),
                });
                is_key = is_keyed;
            }
            b'}' | b']' => {
                levels.pop();
                is_key = false;
            }
            b':' => is_key = false,
            b',' => match levels.last_mut() {
                Some(Level::Array(count)) => *count = count.saturating_add(1),
                _ => is_key = true,
            },
            b'"' => {
                let Some(end) = string_end(bytes, next) else {
                    members.push(Member::damaged(at..bytes.len(), "a string has no end"));
                    break;
                };
                at = end.saturating_add(1);
                let range = next..end;
                match levels.last_mut() {
                    Some(Level::Object(key)) if is_key => *key = Some(range),
                    _ if members.len() < MAX_MEMBERS => {
                        members.extend(member(bytes, range, &levels, search));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Some(members)
}

/// Returns the end of the string whose characters begin at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let rest = bytes.get(at..)?;
        let found = at.checked_add(memchr::memchr2(b'"', b'\\', rest)?)?;
        match bytes.get(found)? {
            b'"' => return Some(found),
            _ => at = found.checked_add(2)?,
        }
    }
}

/// Returns a string as a member if it may hold a module.
fn member(
    bytes: &[u8],
    range: Range<usize>,
    levels: &[Level],
    search: &mut Search<'_>,
) -> Option<Member> {
    let text = bytes.get(range.clone())?;
    const STARTS: [&[u8]; 8] = [
        b"module",
        b"builtin.",
        b"\\\"",
        b"#",
        b"!",
        b"//",
        b"\\n",
        b"\\/\\/",
    ];
    // Most strings are short, and files have millions of them.
    let is_first = text.first().is_some_and(|first| b"mb\\#!/".contains(first));
    let is_long = text.len() >= LEAST_STRING;
    let is_text = (is_first && STARTS.iter().any(|start| text.starts_with(start)))
        || (is_long && is_symbol_operation(&start_of(text)));
    if !is_text && !(is_long && (encoding_of(text).is_some() || is_value(text))) {
        return None;
    }
    let is_plain = memchr::memchr(b'\\', text).is_none();
    let part = match is_plain {
        true => Part::Range(range),
        false if !search.may_decode(text.len()) => return None,
        false => {
            let bytes = unescaped(text);
            if is_text && !is_mlir_text(&bytes) {
                return None;
            }
            search.decodable = search.decodable.saturating_sub(bytes.len() as u64);
            Part::Decoded { range, bytes }
        }
    };
    Some(Member {
        part,
        name: name(bytes, levels),
        is_text,
        ..Member::default()
    })
}

/// The number of characters of a string, and of numbers of an array, by which its content is
/// recognized.
const START: usize = 600;
const NUMBERS: usize = 264;

/// Returns whether a string may be encoded bytes, or JSON itself.
fn is_value(text: &[u8]) -> bool {
    let start = start_of(text);
    super::encoded::is_encoded(&start) || format(&start).is_some()
}

/// Returns the first characters of a string, without escapes.
fn start_of(text: &[u8]) -> Cow<'_, [u8]> {
    let start = text.get(..START).unwrap_or(text);
    match memchr::memchr(b'\\', start) {
        Some(_) => Cow::Owned(unescaped(start)),
        None => Cow::Borrowed(start),
    }
}

/// Returns the bytes of the array whose first number is at `start`, if a module or a container is
/// in them: all numbers are those of bytes, signed or not. The array may be an object whose keys
/// are the indices, as JavaScript prints a `Uint8Array`.
fn byte_array(
    bytes: &[u8],
    start: usize,
    is_keyed: bool,
    search: &mut Search<'_>,
) -> Option<Member> {
    let rest = bytes.get(start..)?;
    let numbers = |rest| Numbers {
        rest,
        key: is_keyed.then_some(0),
    };
    let first: Vec<u8> = numbers(rest).take(NUMBERS).collect();
    // As of strings, long ones are decoded whatever they are.
    let is_long = first.len() == NUMBERS;
    if !is_long && !super::is_known_start(&first) && !is_mlir_text(&first) {
        return None;
    }
    let mut numbers = numbers(rest);
    // Each has two characters at least, so that these are not more than the array has.
    let decoded: Vec<u8> = (&mut numbers).collect();
    let end = bytes.len().checked_sub(numbers.rest.len())?;
    let closing = if is_keyed { b'}' } else { b']' };
    let is_array = bytes.get(end) == Some(&closing);
    if !is_array || !search.may_decode(decoded.len()) {
        return None;
    }
    search.decodable = search.decodable.saturating_sub(decoded.len() as u64);
    Some(Member {
        is_text: is_mlir_text(&decoded),
        part: Part::Decoded {
            range: start..end,
            bytes: decoded,
        },
        ..Member::default()
    })
}

/// The bytes whose numbers are separated by commas; ends at anything else.
struct Numbers<'a> {
    rest: &'a [u8],
    /// The next key, of an object whose keys are indices.
    key: Option<usize>,
}

impl<'a> Numbers<'a> {
    /// Returns what follows the key and the colon.
    fn after_key(&self, key: usize) -> Option<&'a [u8]> {
        let quoted = self.rest.trim_ascii_start().strip_prefix(b"\"")?;
        let end = memchr::memchr(b'"', quoted.get(..20).unwrap_or(quoted))?;
        let (digits, rest) = quoted.split_at_checked(end)?;
        let is_it = str::from_utf8(digits).ok()?.parse() == Ok(key);
        let rest = rest.get(1..)?.trim_ascii_start().strip_prefix(b":");
        rest.filter(|_| is_it)
    }
}

impl Iterator for Numbers<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let value = match self.key {
            Some(key) => self.after_key(key)?,
            None => self.rest,
        };
        let text = value.trim_ascii_start();
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let len = digits
            .iter()
            .take(4)
            .take_while(|byte| byte.is_ascii_digit());
        let len = len.count();
        let number = str::from_utf8(digits.get(..len)?)
            .ok()?
            .parse::<u16>()
            .ok()?;
        let byte = match digits.len() == text.len() {
            true => u8::try_from(number).ok()?,
            // As Java has them.
            false => u8::try_from(256u16.checked_sub(number)?)
                .ok()
                .filter(|&byte| byte >= 128)?,
        };
        let rest = digits.get(len..)?.trim_ascii_start();
        self.rest = match rest.split_first()? {
            (b',', rest) => rest,
            (b']' | b'}', _) => rest,
            _ => return None,
        };
        self.key = self.key.map(|key| key.saturating_add(1));
        Some(byte)
    }
}

/// Returns the position of a value: `options.kernels[2]`. At most 16 levels are named.
fn name(bytes: &[u8], levels: &[Level]) -> String {
    let mut name = String::new();
    for level in levels.iter().take(16) {
        match level {
            Level::Object(Some(key)) => {
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(&shown(bytes.get(key.clone()).unwrap_or_default()));
            }
            Level::Object(None) => {}
            Level::Array(index) => name.push_str(&format!("[{index}]")),
        }
    }
    name
}

/// Decodes the escapes of a string; those that are not valid are kept.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else {
            break;
        };
        rest = after;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'u' => {
                let digits = rest.get(..4).and_then(|digits| str::from_utf8(digits).ok());
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                rest = rest.get(4..).unwrap_or_default();
                let character = code.and_then(char::from_u32).unwrap_or('\u{fffd}');
                bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => bytes.push(other),
        }
    }
    bytes
}
