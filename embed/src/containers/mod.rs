//! The containers: each parser lists the members of a container as ranges of its bytes.

mod encoded;
mod flatbuffer;
mod gzip;
mod json;
mod objects;
mod protobuf;
mod tar;
mod wasm;
mod zip;
mod zlib;

use crate::artifact::Reason;
use crate::unwrap::Search;
use std::ops::Range;

/// The maximum number of members of all containers of a file together.
pub(crate) const MAX_MEMBERS: usize = 1 << 18;
/// The maximum number of bytes of names that are looked at, for each byte of a container. Names may
/// share bytes of a table.
const NAME_BYTES: usize = 4;

/// A part of a container.
#[derive(Debug, Default)]
pub(crate) struct Member {
    pub(crate) part: Part,
    pub(crate) name: String,
    /// Whether it may be MLIR as text, by its name or by the purpose of the container.
    pub(crate) is_text: bool,
    /// The number of modules that it is secondary to: of a derivative, its order.
    pub(crate) order: usize,
    /// Whether its checksum is wrong.
    pub(crate) is_damaged: bool,
}

impl Member {
    /// Returns a part of a container in which something is wrong.
    fn damaged(range: Range<usize>, what: &'static str) -> Self {
        Member {
            part: Part::Unread {
                range,
                reason: Reason::Damaged(what),
            },
            ..Member::default()
        }
    }

    /// Returns where the member begins if its checksum is wrong.
    pub(crate) fn damaged_at(&self) -> Option<usize> {
        self.is_damaged.then_some(self.part.range().start)
    }
}

/// The bytes of a member.
#[derive(Debug)]
pub(crate) enum Part {
    /// Bytes of the container.
    Range(Range<usize>),
    /// Bytes that were encoded or compressed.
    Decoded {
        /// Where they are encoded.
        range: Range<usize>,
        bytes: Vec<u8>,
    },
    /// Bytes that cannot be read.
    Unread { range: Range<usize>, reason: Reason },
}

impl Default for Part {
    fn default() -> Self {
        Part::Range(0..0)
    }
}

impl Part {
    /// Returns the range of the container.
    fn range(&self) -> &Range<usize> {
        match self {
            Part::Range(range) | Part::Decoded { range, .. } | Part::Unread { range, .. } => range,
        }
    }

    /// Returns the same part of a container that begins at `start` of its buffer.
    pub(crate) fn moved(self, start: usize) -> Self {
        let moved = |range: Range<usize>| {
            range.start.saturating_add(start)..range.end.saturating_add(start)
        };
        match self {
            Part::Range(range) => Part::Range(moved(range)),
            Part::Decoded { range, bytes } => Part::Decoded {
                range: moved(range),
                bytes,
            },
            Part::Unread { range, reason } => Part::Unread {
                range: moved(range),
                reason,
            },
        }
    }
}

/// A container format.
struct Format {
    name: fn(&[u8]) -> Option<&'static str>,
    /// Lists the members; `None` if the bytes are not of this format after all.
    members: fn(&[u8], &mut Search<'_>) -> Option<Vec<Member>>,
    /// Whether members are found by a look at all bytes.
    is_scan: bool,
}

/// The formats. Those without a magic number come last.
const FORMATS: &[Format] = &[
    Format {
        name: objects::format,
        members: objects::members,
        is_scan: false,
    },
    Format {
        name: wasm::format,
        members: wasm::members,
        is_scan: false,
    },
    Format {
        name: zip::format,
        members: zip::members,
        is_scan: false,
    },
    Format {
        name: gzip::format,
        members: gzip::members,
        is_scan: false,
    },
    Format {
        name: zlib::format,
        members: zlib::members,
        is_scan: false,
    },
    Format {
        name: tar::format,
        members: tar::members,
        is_scan: false,
    },
    Format {
        name: json::format,
        members: json::members,
        is_scan: true,
    },
    Format {
        name: flatbuffer::format,
        members: flatbuffer::members,
        is_scan: false,
    },
    Format {
        name: protobuf::format,
        members: protobuf::members,
        is_scan: true,
    },
    Format {
        name: encoded::format,
        members: encoded::members,
        is_scan: true,
    },
];

/// Returns whether decoded bytes begin as a module or a container does. Object files with magic
/// numbers of two bytes are not looked for: others often begin with these.
fn is_known_start(bytes: &[u8]) -> bool {
    let is_object = matches!(objects::format(bytes), Some("elf" | "ar" | "macho"));
    let formats = [
        wasm::format,
        zip::format,
        gzip::format,
        zlib::format,
        tar::format,
        json::format,
    ];
    is_object
        || formats.iter().any(|format| format(bytes).is_some())
        || crate::module::bytecode_magic(bytes).is_some()
        || crate::module::is_bitcode(bytes)
        || bytes.starts_with(&crate::record::MAGIC)
}

/// Returns the name of the container format of a whole file; `None` if it is of no known one.
///
/// `elf`, `macho`, `pe`, `coff`, `ar`, `wasm`, `zip`, `gzip`, `zlib`, `tar`, `json`, `jax.export`,
/// `savedmodel`, `graphdef`, `llvm-bitcode`, or the name of an encoding: `base64`, `hex`. A file of
/// another format with a zip file at its end, such as a script, is `zip`. O(1) for formats with a
/// magic number, otherwise O(bytes).
///
/// ```
/// assert_eq!(rmlir_embed::container_format(b"\0asm\x01\0\0\0"), Some("wasm"));
/// assert_eq!(rmlir_embed::container_format(b"module {}"), None);
/// ```
pub fn container_format(bytes: &[u8]) -> Option<&'static str> {
    let known = FORMATS.iter().find_map(|format| (format.name)(bytes));
    let encoded = || crate::decode::encoding_of(bytes).map(|encoding| encoding.name);
    let bitcode = || crate::module::is_bitcode(bytes).then_some("llvm-bitcode");
    let appended = || zip::is_appended(bytes, 0).then_some("zip");
    known.or_else(bitcode).or_else(encoded).or_else(appended)
}

/// Returns the names of the sections of a WebAssembly module.
#[cfg(feature = "write")]
pub(crate) fn wasm_sections(bytes: &[u8]) -> impl Iterator<Item = String> {
    wasm::section_names(bytes).into_iter()
}

/// Lists the members of a container, with the name of its format; after it, those of a zip file
/// that is appended to it, as to a program that extracts itself. Empty if the bytes are of no known
/// format.
pub(crate) fn members(bytes: &[u8], search: &mut Search<'_>) -> Vec<(&'static str, Vec<Member>)> {
    let mut found = Vec::new();
    for format in FORMATS {
        let Some(name) = (format.name)(bytes) else {
            continue;
        };
        if format.is_scan && !search.charge(bytes.len()) {
            break;
        }
        if let Some(members) = (format.members)(bytes, search) {
            found.push((name, members));
            break;
        }
    }
    let ends = found.iter().flat_map(|(_, members)| members);
    let end = ends.map(|member| member.part.range().end).max();
    let is_zip = found.first().is_some_and(|(name, _)| *name == "zip");
    if !is_zip
        && zip::is_appended(bytes, end.unwrap_or(0))
        && let Some(members) = zip::members(bytes, search)
    {
        found.push(("zip", members));
    }
    found
}

/// Returns whether a file of that name is MLIR as text: `.mlir`, or Triton's `.ttir` and `.ttgir`.
///
/// ```
/// assert!(rmlir_embed::is_text_name("cache/add_kernel.ttir"));
/// ```
pub fn is_text_name(name: &str) -> bool {
    const EXTENSIONS: [&str; 3] = [".mlir", ".ttir", ".ttgir"];
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// The names of members, of which no more are read than the container has bytes.
struct Names {
    left: usize,
}

impl Names {
    fn new(container: &[u8]) -> Self {
        Names {
            left: container.len().saturating_mul(NAME_BYTES),
        }
    }

    /// Returns the name to show. `read` is not called once the names were too long.
    fn name<'n>(&mut self, read: impl FnOnce() -> Option<&'n [u8]>) -> (String, bool) {
        if self.left == 0 {
            return (String::new(), false);
        }
        let name = read().unwrap_or_default();
        self.left = self.left.saturating_sub(name.len());
        let is_text = str::from_utf8(name).is_ok_and(is_text_name);
        (crate::module::shown(name), is_text)
    }
}

/// Returns a range of `len` bytes from `start` on if it is within `bytes`.
fn range_in(bytes: &[u8], start: u64, len: u64) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    (end <= bytes.len()).then_some(start..end)
}
