//! Operations as people read them: custom text with names, without the data of weights.

use crate::operation_map::OperationMap;
use rmlir::ir::{Context, Module, Operation, OperationTraits};
use rmlir::text::{PrintOptions, Span, SpanDetail, SpanKind, print_operations_with_spans};

/// Elements attributes with more elements than this are elided.
pub const ELIDED: u64 = 16;
/// The number of bytes of a line that are shown.
pub const MOST_LINE: usize = 1000;

/// Returns how operations of a module are printed for people.
pub fn options(module: &Module) -> PrintOptions {
    let mut options = PrintOptions::default();
    // Without names of the source, definitions provide better ones than numbers.
    options.keep_names = !module.provenance.value_names.is_empty();
    options.local_scope = true;
    options.elide_elements_if_larger = Some(ELIDED);
    options
}

/// Returns the operation in which the names of values are given: the innermost one around
/// `operation` that is isolated from above, or the outermost one.
pub fn naming_scope(context: &Context, module: &Module, operation: Operation) -> Operation {
    let mut scope = operation;
    loop {
        let traits = context.operation_traits(module.name(scope));
        let isolated = OperationTraits::ISOLATED_FROM_ABOVE;
        match module.parent_operation(scope) {
            Some(parent) if !traits.unwrap_or_default().contains(isolated) => scope = parent,
            _ => return scope,
        }
    }
}

/// Operations with everything nested in them as text, with the positions of their parts.
pub struct Rendered {
    /// The text.
    pub text: Vec<u8>,
    /// The positions of operations, headers of blocks and values; an enclosing one comes first.
    pub spans: Vec<Span>,
    /// The number of each operation in `spans`.
    operations: OperationMap<usize>,
}

impl Rendered {
    /// Prints operations. `None` if they take more text than is reasonable for an
    /// input of `input_len` bytes, since they share parts of a graph.
    pub fn new(
        (context, module): (&Context, &Module),
        operations: &[Operation],
        detail: SpanDetail,
        input_len: u64,
    ) -> Option<Self> {
        let mut options = options(module);
        options.max_output = input_len.saturating_mul(64).saturating_add(16 << 20);
        let mut text = Vec::new();
        let spans =
            print_operations_with_spans(context, module, operations, detail, &options, &mut text)
                .ok()?;
        let mut numbers = OperationMap::default();
        for (number, span) in spans.iter().enumerate() {
            if let SpanKind::Operation(operation) = span.kind {
                numbers.insert(operation, number);
            }
        }
        Some(Rendered {
            operations: numbers,
            text,
            spans,
        })
    }

    /// Returns the number of an operation in `spans`.
    pub fn number(&self, operation: Operation) -> Option<usize> {
        self.operations.get(operation)
    }

    /// Returns the text of an operation up to its first region, or up to the end of the line.
    pub fn head(&self, operation: Operation) -> Option<String> {
        let span = self.spans.get(self.number(operation)?)?;
        let range =
            usize::try_from(span.bytes.start).ok()?..usize::try_from(span.bytes.end).ok()?;
        Some(first_line(self.text.get(range)?))
    }
}

/// Returns the first line of a text, truncated if it is long, without control characters.
pub fn first_line(text: &[u8]) -> String {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let shown = line.get(..MOST_LINE).unwrap_or(line);
    let mut shown = printable(shown);
    if line.len() > MOST_LINE {
        shown.push_str("...");
    }
    shown
}

/// Returns text in which control characters are escaped, since they would reach a terminal.
pub fn printable(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.chars().any(char::is_control) {
        false => text.into_owned(),
        true => text
            .chars()
            .flat_map(|c| {
                let escaped = c.is_control().then(|| c.escape_default());
                let plain = (!c.is_control()).then_some(c);
                escaped.into_iter().flatten().chain(plain)
            })
            .collect(),
    }
}
