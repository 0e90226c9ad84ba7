//! Where in a text its parts stand.

use crate::{Diagnostics, ParseOptions};
use rmlir_ir::{Context, Module, Operation};
use std::ops::Range;

/// What stands somewhere in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpanKind {
    /// An operation with all that is in it, from the names of its results to its location.
    Operation(Operation),
    /// `loc(...)` behind an operation or an argument.
    Location,
    /// The definition of an alias of an attribute.
    AttributeAlias,
    /// The definition of an alias of a location.
    LocationAlias,
    /// The definition of an alias of a type.
    TypeAlias,
    /// `{-# ... #-}`, where resources are.
    Metadata,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// What it is.
    pub kind: SpanKind,
    /// Where it stands: offsets in bytes.
    pub bytes: Range<u64>,
}

/// [`parse_module`](crate::parse_module), and where things stand: those that begin first come first, and what is around
/// others before them. Of each two one is in the other, or they have no byte in common.
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
    spans.sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
    Ok((module, spans))
}
