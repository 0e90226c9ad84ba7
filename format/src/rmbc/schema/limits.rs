//! The limits that the format sets, and the defaults of those that users can change.

use rmlir_limits::{DEFAULT_MAX_DEPTH, DEFAULT_MAX_SECTION_COUNT, DEFAULT_MAX_VALUES_PER_OP};

/// The exclusive upper bound of kinds of sections.
pub const KINDS: u64 = 1 << 16;
/// The maximum length of the content of the bundle.
pub const BUNDLE: u64 = 1 << 16;
/// The exclusive upper bound of the length of the content of a section other than blobs.
pub const SECTION: u64 = 1 << 31;
/// The binary logarithm of the greatest alignment in a file.
pub const ALIGNMENT_LOG: u32 = 12;
/// The exclusive upper bound of widths of integer types.
pub const INTEGER_WIDTH: u64 = 1 << 24;
/// The exclusive upper bound of sizes of dimensions.
pub const DIMENSION: u64 = 1 << 63;
/// The exclusive upper bound of lines, columns, positions in affine expressions, and requested
/// alignments.
pub const POSITION: u64 = 1 << 32;

/// A bound of a quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Less than this.
    Below(u64),
    /// At most this.
    AtMost(u64),
    /// At most this, unless the user changes it.
    Default(u64),
}

impl Bound {
    /// Returns the bound in the notation of the specification.
    pub fn notation(self) -> String {
        match self {
            Bound::Below(limit) => format!("below {}", number(limit)),
            Bound::AtMost(limit) => format!("at most {}", number(limit)),
            Bound::Default(limit) => format!("at most {} by default", number(limit)),
        }
    }
}

/// Returns a number with separators, or as a power of two if it is a large one.
fn number(value: u64) -> String {
    match value {
        _ if value > 1 << 16 && value.is_power_of_two() => format!("2^{}", value.trailing_zeros()),
        0..1000 => value.to_string(),
        _ => format!("{},{:03}", value / 1000, value % 1000),
    }
}

/// All quantities with their bounds.
pub const LIMITS: &[(&str, Bound)] = &[
    ("kinds of sections", Bound::Below(KINDS)),
    ("bytes of the content of the bundle", Bound::AtMost(BUNDLE)),
    (
        "bytes of the content of a section other than blobs",
        Bound::Below(SECTION),
    ),
    (
        "alignment of a section or blob in the file",
        Bound::AtMost(1 << ALIGNMENT_LOG),
    ),
    (
        "requested alignment of a blob, a power of two",
        Bound::Below(POSITION),
    ),
    ("width of an integer type", Bound::Below(INTEGER_WIDTH)),
    ("size of a dimension", Bound::Below(DIMENSION)),
    ("line, column", Bound::Below(POSITION)),
    (
        "position of a dimension or symbol in an affine expression",
        Bound::Below(POSITION),
    ),
    (
        "operands, results, successors, regions of an operation, each",
        Bound::Default(DEFAULT_MAX_VALUES_PER_OP),
    ),
    (
        "levels of nesting of regions, types, attributes, locations",
        Bound::Default(DEFAULT_MAX_DEPTH),
    ),
    ("sections", Bound::Default(DEFAULT_MAX_SECTION_COUNT)),
];
