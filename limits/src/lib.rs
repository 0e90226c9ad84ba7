//! The defaults of the limits on the work and memory that an input may cause beyond its own size.
//!
//! Text and bytecode have options of their own; their defaults are stated here, once.

/// Maximum length of one text in bytes: 16 GiB.
///
/// Attributes, types and locations are graphs, and text repeats shared nodes: a small input can
/// expand to an unbounded output.
pub const DEFAULT_MAX_OUTPUT_BYTES: u64 = 16 << 30;

/// Maximum total length in bytes of the texts that a file of upstream's bytecode contains: 4 GiB.
pub const DEFAULT_MAX_TEXT_IN_BYTECODE: u64 = 1 << 32;

/// Maximum number of units that a text creates by spelling something once and referring to it
/// repeatedly, in addition to one for each of its bytes: 2^24.
///
/// A unit is a few bytes of memory, other than an [entity](DEFAULT_MAX_SHARED_ENTITIES) of
/// bytecode.
pub const DEFAULT_MAX_TEXT_EXPANSION: u64 = 1 << 24;

/// Maximum number of operands, results, regions or successors of one operation of bytecode: 2^24.
pub const DEFAULT_MAX_VALUES_PER_OP: u64 = 1 << 24;

/// Maximum number of entities (results, block arguments, splat elements etc.) that bytecode creates
/// by sharing: 2^20, which take less than 64 MiB.
pub const DEFAULT_MAX_SHARED_ENTITIES: u64 = 1 << 20;

/// The number of entities that each byte of upstream's bytecode adds to
/// [that limit](DEFAULT_MAX_SHARED_ENTITIES): 64.
pub const DEFAULT_MAX_SHARED_ENTITIES_PER_BYTE: u64 = 64;

/// The number of entities that each decompressed byte of rmbc allows, if that is more than
/// [that limit](DEFAULT_MAX_SHARED_ENTITIES) in all: 2, which take less than 100 bytes.
pub const DEFAULT_MAX_SHARED_ENTITIES_PER_CONTENT_BYTE: u64 = 2;

/// Maximum total number of decompressed bytes of the compressed sections of a file: 64 MiB.
pub const DEFAULT_MAX_DECOMPRESSED_BYTES: u64 = 64 << 20;

/// The number of bytes that each byte of the file adds to
/// [that limit](DEFAULT_MAX_DECOMPRESSED_BYTES): 256.
pub const DEFAULT_MAX_DECOMPRESSED_BYTES_PER_BYTE: u64 = 256;

/// Maximum nesting depth of regions, attributes, types or locations in bytecode: 2^24.
pub const DEFAULT_MAX_DEPTH: u64 = 1 << 24;

/// Maximum number of sections of one file: 1,024.
pub const DEFAULT_MAX_SECTION_COUNT: u64 = 1_024;

/// Returns the byte budget of a text printed from an input: 64 MiB plus 256 bytes per input byte.
///
/// Attributes, types and locations are graphs, and text repeats shared nodes, so a few hundred
/// bytes can expand to terabytes. Texts of real files take less than an eighth of the budget.
pub fn text_budget(input_bytes: u64) -> u64 {
    input_bytes.saturating_mul(256).saturating_add(64 << 20)
}
