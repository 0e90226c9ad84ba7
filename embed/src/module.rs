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

/// Returns whether a text begins as MLIR usually does: with a module, an alias or a location, after
/// any comments. O(1).
///
/// ```
/// assert!(rmlir_embed::is_mlir_text(b"module @m {}"));
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
        || line.starts_with(b"\"builtin.module\"(")
        || alias()
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
