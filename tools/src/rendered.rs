//! Operations as people read them: custom text with names, without the data of weights.

use crate::operation_map::OperationMap;
use rmlir::ir::{Context, Module, Operation};
use rmlir::text::{PrintOptions, Span, SpanDetail, SpanKind, print_operations_with_spans};

/// Elements attributes with more elements than this are elided.
pub const ELIDED: u64 = 16;
/// The number of bytes of a line that are shown.
pub const MOST_LINE: usize = 1000;

/// Returns whether a module has names of the source. Without them, definitions provide better ones
/// than numbers.
pub fn has_names(module: &Module) -> bool {
    let provenance = &module.provenance;
    !(provenance.value_names.is_empty() && provenance.block_names.is_empty())
}

/// Returns how operations of a module are printed for people.
pub fn options(module: &Module) -> PrintOptions {
    let mut options = PrintOptions::default();
    options.keep_names = has_names(module);
    options.local_scope = true;
    options.elide_elements_if_larger = Some(ELIDED);
    options
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
        options.max_output = most_text(input_len);
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
}

/// The texts of operations up to their first regions.
pub struct Heads {
    text: Vec<u8>,
    spans: std::vec::IntoIter<Span>,
}

impl Heads {
    /// Prints the heads of operations, with names of the source or of definitions; see
    /// [`has_names`]. `None` if they take more than `most` bytes; see [`most_text`].
    pub fn new(
        (context, module): (&Context, &Module),
        operations: &[Operation],
        keep_names: bool,
        most: u64,
    ) -> Option<Self> {
        let mut options = options(module);
        options.keep_names = keep_names;
        options.max_output = most;
        let mut text = Vec::new();
        let heads = SpanDetail::Heads;
        let spans =
            print_operations_with_spans(context, module, operations, heads, &options, &mut text)
                .ok()?;
        Some(Heads {
            text,
            spans: spans.into_iter(),
        })
    }

    /// Returns the number of bytes of all heads.
    pub fn byte_len(&self) -> u64 {
        self.text.len() as u64
    }

    /// Appends the text of the next operation up to its first region, or up to the end of the line.
    /// Returns whether it was printed. Operations are requested in the order in which they were
    /// given.
    pub fn append_next(&mut self, operation: Operation, out: &mut String) -> bool {
        let is_next = |span: &Span| span.kind == SpanKind::Operation(operation);
        let Some(span) = self.spans.find(is_next) else {
            return false;
        };
        let range = usize::try_from(span.bytes.start).ok();
        let range = range.zip(usize::try_from(span.bytes.end).ok());
        let text = range.and_then(|(start, end)| self.text.get(start..end));
        first_line(text.unwrap_or_default(), out);
        true
    }
}

/// Returns the number of bytes of text that are reasonable for an input of `input_len` bytes.
/// Operations that share parts of a graph can take more.
pub fn most_text(input_len: u64) -> u64 {
    input_len.saturating_mul(64).saturating_add(16 << 20)
}

/// Appends the first line of a text, truncated if it is long, without control characters.
pub fn first_line(text: &[u8], out: &mut String) {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let shown = text.get(..end.min(MOST_LINE)).unwrap_or_default();
    // Looks at all bytes, which compiles to fewer instructions than stopping at the first one.
    let is_plain = |plain, byte: &u8| plain & (b' '..=b'~').contains(byte);
    match str::from_utf8(shown) {
        Ok(plain) if shown.iter().fold(true, is_plain) => out.push_str(plain),
        _ => out.push_str(&printable(shown)),
    }
    if end > MOST_LINE {
        out.push_str("...");
    }
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
