//! Recognizes modules at the start of bytes.

use crate::artifact::Content;
use rmlir_format::{Limits, Reader, mlirbc, section};

/// The magic numbers of LLVM bitcode, raw and in its wrapper.
const BITCODE: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];

/// A module at the start of bytes.
pub(crate) struct Found {
    pub(crate) content: Content,
    pub(crate) len: usize,
    pub(crate) producer: Option<String>,
}

/// Returns the bytecode whose magic `bytes` begin with.
pub(crate) fn bytecode_magic(bytes: &[u8]) -> Option<Content> {
    if bytes.starts_with(&section::MAGIC) {
        Some(Content::Rmbc)
    } else if bytes.starts_with(&mlirbc::MAGIC) {
        Some(Content::Mlirbc)
    } else {
        None
    }
}

/// Returns whether `bytes` begin with the magic of LLVM bitcode.
pub(crate) fn is_bitcode(bytes: &[u8]) -> bool {
    BITCODE.iter().any(|magic| bytes.starts_with(magic))
}

/// Returns the method by which bytes are compressed, if it is one that [`unwrap`](crate::unwrap())
/// recognizes and cannot undo. O(1).
///
/// ```
/// assert_eq!(rmlir_embed::unsupported_compression(b"BZh91AY&SY"), Some("bzip2"));
/// assert_eq!(rmlir_embed::unsupported_compression(b"module {}"), None);
/// ```
pub fn unsupported_compression(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some("bzip2"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("Zstandard"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("7-Zip"),
        _ => None,
    }
}

/// Returns the length of the module that `bytes` begin with, without reading its sections.
pub(crate) fn bytecode_len(bytes: &[u8]) -> Option<usize> {
    let len = match bytecode_magic(bytes)? {
        Content::Rmbc => section::length(bytes),
        _ => mlirbc::length(bytes),
    };
    usize::try_from(len.ok()?).ok()
}

/// Checks the sections of a module that is exactly `bytes`. O(bytes).
pub(crate) fn check(bytes: &[u8]) -> Option<Found> {
    let content = bytecode_magic(bytes)?;
    let mut producer = None;
    match content {
        Content::Rmbc => {
            section::Container::parse(bytes, &Limits::default(), |_| Some("")).ok()?;
        }
        _ => {
            let container = mlirbc::Container::parse(bytes).ok()?;
            check_strings(container.section_or_empty(mlirbc::section::STRINGS))?;
            producer = Some(shown(container.producer));
        }
    }
    Some(Found {
        content,
        len: bytes.len(),
        producer,
    })
}

/// Checks that the strings fill their section exactly.
fn check_strings(mut section: Reader<'_>) -> Option<()> {
    let count = section.prefix_count(1).ok()?;
    let mut total = 0u64;
    for _ in 0..count {
        total = total.checked_add(section.prefix_varint().ok()?)?;
    }
    (total == section.remaining() as u64).then_some(())
}

/// The maximum number of characters of names and producers.
const SHOWN: usize = 200;

/// Returns bytes of a file as a name: valid, without control characters, and not too long.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let start = bytes.get(..SHOWN).unwrap_or(bytes);
    let text = String::from_utf8_lossy(start);
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// Returns whether a text begins as MLIR usually does: with a module, another symbol, an operation
/// in generic form, an alias or a location, after any comments. O(1).
///
/// ```
/// assert!(rmlir_embed::is_mlir_text(b"module @m {}"));
/// assert!(rmlir_embed::is_mlir_text(b"func.func private @f()"));
/// assert!(!rmlir_embed::is_mlir_text(b"modules are nice"));
/// ```
pub fn is_mlir_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..1 << 12).unwrap_or(bytes);
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"//"));
    let Some(line) = first else {
        return false;
    };
    let word = |word: &[u8]| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.first().is_none_or(|&byte| b" @{".contains(&byte)))
    };
    let alias = || {
        let rest = line.strip_prefix(b"#").or(line.strip_prefix(b"!"));
        let text = rest.unwrap_or_default();
        let name = text.iter().take_while(|&&byte| is_identifier(byte)).count();
        name > 0
            && text
                .get(name..)
                .unwrap_or_default()
                .trim_ascii_start()
                .starts_with(b"= ")
            || line.starts_with(b"#loc")
    };
    word(b"module")
        || word(b"builtin.module")
        || is_generic_operation(line)
        || is_symbol_operation(line)
        || alias()
}

/// Returns whether a line begins with an operation in generic form without results:
/// `"func.func"() `, `"t.f"(%0)`.
fn is_generic_operation(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"\"") else {
        return false;
    };
    let name = operation_name(rest);
    let after = rest.get(name..).unwrap_or_default();
    name > 0
        && [&b"\"()"[..], b"\"(%"]
            .iter()
            .any(|next| after.starts_with(next))
}

/// Returns whether a line begins with an operation in custom form that defines a symbol:
/// `func.func private @f(`, `llvm.mlir.global internal constant @s(`.
pub(crate) fn is_symbol_operation(line: &[u8]) -> bool {
    /// No operation has more keywords before the name.
    const KEYWORDS: usize = 6;
    let name = match line.strip_prefix(b"func ") {
        // Before 2022, the dialect `builtin` was the default.
        Some(_) => b"func".len(),
        None => operation_name(line),
    };
    if name == 0 {
        return false;
    }
    let mut rest = line.get(name..).unwrap_or_default();
    for _ in 0..=KEYWORDS {
        let Some(next) = rest.strip_prefix(b" ") else {
            return false;
        };
        if let Some(symbol) = next.strip_prefix(b"@") {
            return is_symbol_name(symbol);
        }
        let keyword = next
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_');
        rest = next.get(keyword.count()..).unwrap_or_default();
    }
    false
}

/// Returns the length of the name of an operation with its dialect: `func.func`. 0 if there is
/// none.
fn operation_name(text: &[u8]) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$".contains(byte);
    let name = text.get(..text.iter().take_while(is_part).count());
    let name = name.unwrap_or_default();
    let is_dotted = name
        .split(|&byte| byte == b'.')
        .all(|part| !part.is_empty());
    match name.first() {
        Some(first) if !first.is_ascii_digit() && is_dotted && name.contains(&b'.') => name.len(),
        _ => 0,
    }
}

/// Returns whether a text begins with the name of a symbol, and what may follow it: `f(`,
/// `"a b" {`.
fn is_symbol_name(text: &[u8]) -> bool {
    let len = match text.strip_prefix(b"\"") {
        Some(quoted) => match quoted.iter().position(|&byte| byte == b'"') {
            Some(end) => end.saturating_add(2),
            None => return false,
        },
        None => text.iter().take_while(|&&byte| is_identifier(byte)).count(),
    };
    let after = text.get(len..).unwrap_or_default();
    let next = after.trim_ascii_start();
    len > 0
        && (next.first().is_none_or(|next| b"({:=<".contains(next))
            || next.starts_with(b"attributes"))
}

/// Returns whether a text has nothing but space and comments. O(bytes).
///
/// ```
/// assert!(rmlir_embed::is_blank_text(b"// nothing\n"));
/// assert!(!rmlir_embed::is_blank_text(b"module {}"));
/// ```
pub fn is_blank_text(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.all(|line| line.is_empty() || line.starts_with(b"//"))
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$.-".contains(&byte)
}
