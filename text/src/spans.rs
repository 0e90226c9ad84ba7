//! Locates the parts of a text.

use crate::{Diagnostics, ParseOptions};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{Block, Context, Module, Operation, Value};
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

/// [`parse_module`](crate::parse_module), and the locations of the parts of the text.
///
/// Spans are in the order of their starts, with an enclosing span before the spans it contains. Of
/// any two, either one contains the other, or they are disjoint.
///
/// # Errors
///
/// Those of [`parse_module`](crate::parse_module).
///
/// ```
/// use rmlir_ir::Context;
/// use rmlir_text::{ParseOptions, SpanKind, parse_module_with_spans};
///
/// let text = b"\"t.a\"() : () -> () loc(\"a\")\n#a = 1 : i32";
/// let options = ParseOptions::default();
/// let (module, spans) = parse_module_with_spans(&mut Context::new(), text, &options)?;
/// let spans: Vec<_> = spans.into_iter().map(|span| (span.kind, span.bytes)).collect();
/// let operation = module.body().and_then(|body| module.first_operation(body)).unwrap();
/// assert_eq!(spans[0], (SpanKind::Operation(operation), 0..27));
/// assert_eq!(spans[1], (SpanKind::Location, 19..27));
/// assert_eq!(spans[2], (SpanKind::AttributeAlias, 28..40));
/// # Ok::<(), rmlir_text::Diagnostics>(())
/// ```
pub fn parse_module_with_spans(
    context: &mut Context,
    source: &[u8],
    options: &ParseOptions,
) -> Result<(Module, Vec<Span>), Diagnostics> {
    let mut notes = crate::parser::Notes {
        spans: Some(Vec::new()),
        ..Default::default()
    };
    let module = crate::parser::parse_noting(context, source, options, &mut notes)?;
    let mut spans = notes.spans.unwrap_or_default();
    spans.compact_sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
    Ok((module, spans))
}
