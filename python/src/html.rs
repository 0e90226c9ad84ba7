//! Modules in notebooks: a collapsible tree, elided, with sizes.

use rmlir::Ir;
use rmlir::ir::{AttributeKind, Op, Operation, ResourceValue};
use rmlir::text::{PrintOptions, print_operation};
use std::fmt::Write;

/// The maximum number of operations that the page shows one by one.
const MAX_ITEMS: usize = 500;
/// The maximum number of bytes of an operation's text.
const MAX_TEXT: u64 = 20_000;
/// Elements and resources above this size are elided.
const MAX_ELEMENTS: u64 = 8;

/// Returns the page: a header with counts and sizes, and an item for each operation of the body.
pub(crate) fn page(ir: &Ir, operation: Operation) -> String {
    let op = ir.get(operation);
    let mut html =
        String::from("<div class=\"rmlir\" style=\"font-family:monospace;font-size:90%\">");
    let (count, bytes) = size(op);
    let _ = write!(
        html,
        "<div><b>{}</b>{} &middot; {count} operations &middot; {} of constants</div>",
        escaped(&op.name()),
        symbol(op),
        shown_bytes(bytes)
    );
    if op.is("builtin.module") {
        let children: Vec<Op<'_>> = op.children().collect();
        for child in children.iter().take(MAX_ITEMS) {
            item(&mut html, *child);
        }
        if let Some(more) = children
            .len()
            .checked_sub(MAX_ITEMS)
            .filter(|&more| more > 0)
        {
            let _ = write!(html, "<div>&hellip; and {more} more operations</div>");
        }
    } else {
        text(&mut html, op);
    }
    html.push_str("</div>");
    html
}

fn symbol(op: Op<'_>) -> String {
    match op.symbol_name() {
        Some(name) => format!(" @{}", escaped(&name)),
        None => String::new(),
    }
}

fn item(html: &mut String, op: Op<'_>) {
    let (count, bytes) = size(op);
    let _ = write!(
        html,
        "<details><summary>{}{} <span style=\"opacity:.6\">{count} operations",
        escaped(&op.name()),
        symbol(op)
    );
    if bytes > 0 {
        let _ = write!(html, ", {} of constants", shown_bytes(bytes));
    }
    html.push_str("</span></summary>");
    text(html, op);
    html.push_str("</details>");
}

fn text(html: &mut String, op: Op<'_>) {
    let mut options = PrintOptions::default();
    options.elide_elements_if_larger = Some(MAX_ELEMENTS);
    options.elide_resources_if_larger = Some(MAX_ELEMENTS);
    options.max_output = MAX_TEXT;
    let mut out = Vec::new();
    let cut = print_operation(op.context, op.module, op.id(), &options, &mut out).is_err();
    let more = if cut { "\n&hellip;" } else { "" };
    let _ = write!(
        html,
        "<pre style=\"margin:0 0 0 1em\">{}{more}</pre>",
        escaped(&String::from_utf8_lossy(&out))
    );
}

/// Returns the operations of an operation and the bytes of their constants.
fn size(op: Op<'_>) -> (usize, usize) {
    let (mut count, mut bytes) = (0, 0);
    for op in op.descendants() {
        count += 1;
        for &(_, attribute) in op.attrs().iter() {
            bytes += match op.context.attribute_kind(attribute) {
                AttributeKind::DenseElements { data, .. } => data.len(),
                AttributeKind::DenseResource { resource, .. } => {
                    match &op.context.resource(*resource).value {
                        Some(ResourceValue::Blob(blob)) => blob.data().len(),
                        _ => 0,
                    }
                }
                _ => 0,
            };
        }
    }
    (count, bytes)
}

fn shown_bytes(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}
