//! Locates the parts of a text.

use rmlir_ir::{Block, Operation, Value};
use std::ops::Range;

/// The kind of a part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpanKind {
    /// An operation with all its content, from the names of its results to its location.
    Operation(Operation),
    /// `loc(...)` after an operation or an argument.
    Location,
    /// The definition of an alias of an attribute.
    AttributeAlias,
    /// The definition of an alias of a location.
    LocationAlias,
    /// The definition of an alias of a type.
    TypeAlias,
    /// `{-# ... #-}`, the section of resources.
    Metadata,
    /// The name of a value where it is defined or used, and its number among several results. Of
    /// printed texts only.
    Value(Value),
    /// The label of a block with its arguments. Of printed texts only.
    BlockHeader(Block),
}

/// How much of operations is printed, and which of its parts are recorded; see
/// [`print_operations_with_spans`](crate::print_operations_with_spans).
///
/// ```
/// assert_ne!(rmlir_text::SpanDetail::Heads, rmlir_text::SpanDetail::Values);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpanDetail {
    /// Returns the text of operations up to their first regions, with one part per operation. The
    /// names of values take time linear in the operations directly in the regions of the printed
    /// operations and in those around them, and linear in the size of the module if numbers are
    /// unique.
    Heads,
    /// The whole text, with the operations and the headers of blocks.
    Operations,
    /// As [`Operations`](Self::Operations), with the names of values.
    Values,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The kind of the part.
    pub kind: SpanKind,
    /// Its location: a range of byte offsets.
    pub bytes: Range<u64>,
}
