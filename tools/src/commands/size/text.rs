//! Sums the bytes of a text: each byte belongs to the innermost part that contains it.

use super::sum::Sizes;
use rmlir::ir::{Context, Module, Operation};
use rmlir::text::{Span, SpanKind};
use std::collections::HashMap;

/// Returns the title of a part that is not an operation.
pub(in crate::commands) fn title(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Operation(_) => "operations",
        SpanKind::Location => "locations",
        SpanKind::AttributeAlias => "aliases of attributes",
        SpanKind::LocationAlias => "aliases of locations",
        SpanKind::TypeAlias => "aliases of types",
        SpanKind::Metadata => "resources",
        _ => "other",
    }
}

/// Sums the bytes; also returns the bytes of each operation with everything nested in it.
pub(super) fn sizes(
    context: &Context,
    module: &Module,
    spans: &[Span],
    len: u64,
) -> (Sizes, HashMap<Operation, u64>) {
    let mut sizes = Sizes::default();
    let mut whole: HashMap<Operation, u64> = HashMap::new();
    // The enclosing parts, and the offset up to which bytes are counted.
    let mut open: Vec<&Span> = Vec::new();
    let mut counted = 0;
    for span in spans {
        let Some(start) = close(
            context,
            module,
            &mut sizes,
            &mut open,
            counted,
            span.bytes.start,
        ) else {
            continue;
        };
        counted = start;
        if let SpanKind::Operation(operation) = span.kind {
            whole.insert(operation, span.bytes.end.saturating_sub(span.bytes.start));
        }
        open.push(span);
    }
    close(context, module, &mut sizes, &mut open, counted, len);
    (sizes, whole)
}

/// Counts the bytes from `counted` to `to`, and closes the parts that end before.
fn close(
    context: &Context,
    module: &Module,
    sizes: &mut Sizes,
    open: &mut Vec<&Span>,
    mut counted: u64,
    to: u64,
) -> Option<u64> {
    loop {
        let end = open.last().map_or(to, |span| span.bytes.end.min(to));
        let inner = open.iter().rev().find_map(|span| match span.kind {
            SpanKind::Operation(operation) => Some(operation),
            _ => None,
        });
        let kind = open.last().map(|span| span.kind);
        sizes.add_text(context, module, kind, inner, end.saturating_sub(counted));
        counted = counted.max(end);
        match open.last() {
            Some(span) if span.bytes.end <= to => drop(open.pop()),
            _ => return Some(counted),
        }
    }
}
