//! The constants of rmbc shared by reader and writer; `spec/rmbc.md` specifies their meaning.
//!
//! [`schema`] states the layout of sections and entries as data.

use crate::section::MAX_ALIGNMENT_LOG;

pub mod dictionary;
pub mod fragments;
pub mod index;
pub mod opaque;
pub mod preset;
pub mod references;
pub mod schema;
pub mod table;

pub use schema::{location_code, section, signature_flag, tag};

/// The first byte of an affine expression.
pub mod affine {
    /// An integer.
    pub const CONSTANT: u8 = 0;
    /// A dimension.
    pub const DIM: u8 = 1;
    /// A symbol.
    pub const SYMBOL: u8 = 2;
    /// A sum.
    pub const ADD: u8 = 3;
    /// A product.
    pub const MUL: u8 = 4;
    /// A remainder.
    pub const MOD: u8 = 5;
    /// A quotient, rounded down.
    pub const FLOOR_DIV: u8 = 6;
    /// A quotient, rounded up.
    pub const CEIL_DIV: u8 = 7;
    /// The first kind of later versions: operands, a list of distances, and data. A reader refuses
    /// them.
    pub const LATER: u8 = 128;
}

/// The kinds of resource values.
pub mod resource {
    /// Nothing: elided or missing.
    pub const NONE: u8 = 0;
    /// A blob; its number follows.
    pub const BLOB: u8 = 1;
    /// A string.
    pub const STRING: u8 = 2;
    /// False.
    pub const FALSE: u8 = 3;
    /// True.
    pub const TRUE: u8 = 4;
    /// The first kind of later versions, of which data follows. A reader refuses them.
    pub const LATER: u8 = 128;
}

/// Keywords of the float types; a file stores indices into this table.
pub const FLOAT_KEYWORDS: [&str; 18] = [
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E3M4",
    "f8E4M3",
    "f8E4M3B11FNUZ",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E5M2",
    "f8E5M2FNUZ",
    "f8E8M0FNU",
    "bf16",
    "f16",
    "tf32",
    "f32",
    "f64",
    "f80",
    "f128",
];

/// Whether an operation was registered, according to upstream's bytecode.
///
/// The code is added to the number of the operation's name times
/// [`KINDS`](registered_operation::KINDS).
pub mod registered_operation {
    /// The writer of the bytecode did not know the operation.
    pub const UNREGISTERED: u64 = 0;
    /// The writer of the bytecode knew the operation.
    pub const REGISTERED: u64 = 1;
    /// Not specified: the operation was added to the module later.
    pub const NOT_SAID: u64 = 2;
    /// The number of codes.
    pub const KINDS: u64 = 3;
}

/// The number of table entries per entry of the table's list of offsets.
pub const BLOCK: usize = 16;
/// Returns the block that contains a table entry, and the entry's position in the block. O(1).
#[inline]
pub const fn block_of(number: u64) -> (u64, usize) {
    const LOG: u32 = BLOCK.trailing_zeros();
    const MASK: u64 = (BLOCK as u64).wrapping_sub(1);
    (number >> LOG, (number & MASK) as usize)
}

/// The maximum nesting depth of symbols whose fingerprints are stored.
///
/// A fingerprint covers the whole content of a symbol, so the fingerprints of deeply nested symbols
/// would take quadratic time.
pub const MAX_HASHED_DEPTH: u32 = 64;

/// Bits of the head of a region, below the number of its blocks.
pub mod region_flag {
    /// The first block has arguments.
    pub const ARGUMENTS: u64 = 1;
    /// The operations of each block are divided into chunks.
    pub const CHUNKED: u64 = 1 << 1;
    /// The region and each block begin with extensions.
    pub const EXTENDED: u64 = 1 << 2;
    /// The binary logarithm of the unit of the number of blocks.
    pub const SHIFT: u32 = 3;
}

/// The minimum length in bytes of data of elements that is stored in a blob.
pub const APART: usize = 4096;
/// [`APART`] in a file that is written with compression: blobs are not compressed.
pub const APART_COMPRESSED: usize = 1 << 20;

/// The maximum number of symbols that an attribute refers to for the index to list the references
/// of the symbol that has it.
///
/// It bounds the memory for sets of references.
pub const MAX_REFERENCES: usize = 64;

/// The minimum number of operations of a chunk, except for the last one of a block or one that ends
/// with a large operation.
///
/// Chunks of 256 operations instead make modules of small operations 1 % larger.
pub const GROUP: u32 = 512;

/// The maximum number of operations of an operation with symbols that is not divided into chunks.
///
/// An operation of more of them has no symbols if it is not divided. Reading one symbol skips at
/// most that many operations. With 256 instead, JAX's modules are 1 % larger.
pub const UNDIVIDED: u32 = 1024;

/// The meaning of the first number of a blob in the list of blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobCode {
    /// The alignment that the data requests: a power of two, or 0 for none.
    pub asked: u32,
    /// The data is in another file.
    pub is_external: bool,
    /// The binary logarithm of the minimum alignment of the blob; 0 if its own alignment suffices.
    pub least_log: u32,
}

impl BlobCode {
    /// Added for a blob whose data is in another file.
    const EXTERNAL: u64 = 1 << 32;
    /// The factor of [`least_log`](BlobCode::least_log).
    const LEAST: u64 = 1 << 33;

    /// Returns the encoded number.
    pub fn code(self) -> u64 {
        let external = if self.is_external { Self::EXTERNAL } else { 0 };
        let least = u64::from(self.least_log).saturating_mul(Self::LEAST);
        external
            .saturating_add(least)
            .saturating_add(self.asked.into())
    }

    /// Decodes the number of a blob of `len` bytes.
    ///
    /// # Errors
    /// The reason why the number is invalid.
    pub fn of(code: u64, len: u64) -> Result<Self, &'static str> {
        let least_log = code / Self::LEAST;
        let blob = BlobCode {
            asked: code as u32,
            is_external: code & Self::EXTERNAL != 0,
            least_log: u32::try_from(least_log).unwrap_or(u32::MAX),
        };
        if blob.asked != 0 && !blob.asked.is_power_of_two() {
            return Err("the alignment is not a power of two");
        }
        if blob.least_log > MAX_ALIGNMENT_LOG {
            return Err("the alignment is too large");
        }
        let own = blob_alignment(blob.asked, len);
        if blob.least_log > 0 && (blob.is_external || own >= 1 << blob.least_log) {
            return Err("the added alignment is redundant: it does not exceed the default");
        }
        Ok(blob)
    }

    /// Returns the alignment of a blob of `len` bytes in its section.
    pub fn alignment(self, len: u64) -> u32 {
        blob_alignment(self.asked, len).max(1 << self.least_log.min(MAX_ALIGNMENT_LOG))
    }
}

/// Returns whether a path is allowed as the location of external blobs. O(n).
///
/// The path must be relative: non-empty names separated by `/`, none of which is `.` or `..`.
pub fn is_external_path(path: &[u8]) -> bool {
    let is_name = |name: &[u8]| {
        let forbidden = |byte: &u8| matches!(byte, b'\\' | b':' | 0..=31 | 127);
        !name.is_empty() && name != b"." && name != b".." && !name.iter().any(forbidden)
    };
    str::from_utf8(path).is_ok() && path.split(|&byte| byte == b'/').all(is_name)
}

/// Returns the alignment of a blob of `len` bytes that requests the alignment `asked`, or 0 for
/// none.
pub fn blob_alignment(asked: u32, len: u64) -> u32 {
    match asked {
        0 if len < 64 => 8,
        0 => 64,
        _ => asked.min(1 << MAX_ALIGNMENT_LOG),
    }
}
