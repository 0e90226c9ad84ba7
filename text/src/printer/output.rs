//! The output: a buffer that is written out when it is full, with a limit on the total length.
//!
//! Text can only be appended. [`Output`] has no access to its buffer: a printer that examined or
//! edited text after appending it would depend on the part still in the buffer.

use super::alias::AliasName;
use super::entry::is_body_reference;
use super::{PrintError, PrintOptions, Result};
use crate::lexer::{is_bare, is_bare_start};
use crate::spans::{Span, SpanKind};
use rmlir_ir::apint::ApInt;
use rmlir_ir::float::{self, FloatKind};
use rmlir_ir::{BodyBuilder, BodyReference, Context, Value};
use std::fmt;
use std::io::{self, Write};

/// Default of [`PrintOptions::buffer_size`].
pub(super) const BUFFER_SIZE: usize = 64 * 1024;
/// The number of levels of indentation that a line always gets.
const FREE_INDENT: usize = 64;
/// The budget of white space, in bytes, for lines that are indented deeper.
const DEEP_INDENT: usize = 64 << 20;

/// Text that is being written.
pub(super) struct Output<'w> {
    buffer: Vec<u8>,
    target: Target<'w>,
    written: u64,
    limit: u64,
    /// The remaining part of [`DEEP_INDENT`].
    deep_indent: usize,
    /// The number of bytes that are buffered before they are written.
    capacity: usize,
    /// Whether a line got less white space than its indentation requires.
    is_cut: bool,
    /// The parts of the text, if they are recorded.
    spans: Option<Box<Spans>>,
}

/// The parts of a text, and the numbers of those that have not ended.
#[derive(Default)]
struct Spans {
    all: Vec<Span>,
    open: Vec<usize>,
    /// Whether the names of values are recorded too.
    values: bool,
}

/// Receives the text.
enum Target<'w> {
    Writer(&'w mut dyn Write),
    /// Collects a body, which takes references besides text.
    Body(BodyBuilder),
}

impl Target<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Target::Writer(out) => out.write_all(text),
            Target::Body(body) => {
                body.text(text);
                Ok(())
            }
        }
    }
}

/// The state of an output while another text is collected.
pub(super) struct Suspended {
    buffer: Vec<u8>,
    written: u64,
    limit: u64,
    deep_indent: usize,
    capacity: usize,
    is_cut: bool,
}

impl<'w> Output<'w> {
    pub(super) fn new(out: &'w mut dyn Write, options: &PrintOptions) -> Self {
        Output {
            buffer: Vec::new(),
            target: Target::Writer(out),
            written: 0,
            limit: options.max_output,
            deep_indent: DEEP_INDENT,
            capacity: options.buffer_size,
            is_cut: false,
            spans: None,
        }
    }

    /// Collects a body whose text and references together take at most `limit` bytes, where a
    /// reference counts as one.
    pub(super) fn body(limit: u64) -> Self {
        Output {
            buffer: Vec::new(),
            target: Target::Body(BodyBuilder::new()),
            written: 0,
            limit,
            deep_indent: DEEP_INDENT,
            capacity: usize::try_from(limit)
                .unwrap_or(usize::MAX)
                .saturating_add(1),
            is_cut: false,
            spans: None,
        }
    }

    /// Records the parts of the text from here on, the names of values only if `values`.
    pub(super) fn record_spans(&mut self, values: bool) {
        self.spans = Some(Box::new(Spans {
            values,
            ..Spans::default()
        }));
    }

    /// Begins the name of a value.
    #[inline]
    pub(super) fn open_value(&mut self, value: Value) {
        if self.spans.as_ref().is_some_and(|spans| spans.values) {
            self.open_span(SpanKind::Value(value));
        }
    }

    /// Ends the name of a value.
    #[inline]
    pub(super) fn close_value(&mut self) {
        if self.spans.as_ref().is_some_and(|spans| spans.values) {
            self.close_span();
        }
    }

    /// Begins a part that contains those that begin before its end.
    #[inline]
    pub(super) fn open_span(&mut self, kind: SpanKind) {
        if self.spans.is_none() {
            return;
        }
        let at = self.position();
        if let Some(spans) = &mut self.spans {
            spans.open.push(spans.all.len());
            spans.all.push(Span {
                kind,
                bytes: at..at,
            });
        }
    }

    /// Ends the part that began last.
    #[inline]
    pub(super) fn close_span(&mut self) {
        if self.spans.is_none() {
            return;
        }
        let at = self.position();
        if let Some(spans) = &mut self.spans
            && let Some(span) = spans.open.pop().and_then(|open| spans.all.get_mut(open))
        {
            span.bytes.end = at;
        }
    }

    /// Ends all parts that have begun.
    pub(super) fn close_spans(&mut self) {
        let is_open = |spans: &Spans| !spans.open.is_empty();
        while self.spans.as_deref().is_some_and(is_open) {
            self.close_span();
        }
    }

    /// Returns the recorded parts.
    pub(super) fn take_spans(&mut self) -> Vec<Span> {
        self.close_spans();
        self.spans.take().map(|spans| spans.all).unwrap_or_default()
    }

    /// Appends a reference if a body is collected. Returns whether it is.
    #[inline]
    pub(super) fn refer(&mut self, context: &Context, reference: BodyReference) -> Result<bool> {
        if matches!(self.target, Target::Writer(_)) || !is_body_reference(context, reference) {
            return Ok(false);
        }
        self.flush()?;
        self.written = self.written.saturating_add(1);
        if let Target::Body(body) = &mut self.target {
            body.reference(context, reference);
        }
        Ok(true)
    }

    /// Returns the body that was collected.
    pub(super) fn finish_body(mut self) -> Result<BodyBuilder> {
        self.flush()?;
        Ok(match self.target {
            Target::Body(body) => body,
            Target::Writer(_) => BodyBuilder::new(),
        })
    }

    /// Begins to collect a part of a text, up to [`resume`](Self::resume). It is an error if the
    /// part takes much more than `most` bytes.
    pub(super) fn suspend(&mut self, most: usize) -> Suspended {
        Suspended {
            buffer: std::mem::take(&mut self.buffer),
            written: std::mem::take(&mut self.written),
            // Nothing must be written.
            limit: std::mem::take(&mut self.limit),
            // The white space of deeply indented lines depends on what precedes them.
            deep_indent: std::mem::take(&mut self.deep_indent),
            capacity: std::mem::replace(&mut self.capacity, most),
            is_cut: std::mem::take(&mut self.is_cut),
        }
    }

    /// Resumes the suspended text. Returns the collected text, unless white space is missing in it.
    pub(super) fn resume(&mut self, suspended: Suspended) -> Option<Vec<u8>> {
        let text = std::mem::replace(&mut self.buffer, suspended.buffer);
        let is_whole = !self.is_cut;
        self.written = suspended.written;
        self.limit = suspended.limit;
        self.deep_indent = suspended.deep_indent;
        self.capacity = suspended.capacity;
        self.is_cut = suspended.is_cut;
        is_whole.then_some(text)
    }

    /// Appends a part of the text that was printed elsewhere.
    pub(super) fn part(&mut self, text: &[u8]) -> Result<()> {
        let written = self.position().saturating_add(text.len() as u64);
        if text.len() < self.capacity || written > self.limit {
            self.text(text);
            return self.checkpoint();
        }
        self.flush()?;
        self.target.write(text)?;
        self.written = written;
        Ok(())
    }

    /// Writes out the buffer if it is full. Must be called often: the text appended between two
    /// calls is not bounded by the limit.
    #[inline]
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        if self.buffer.len() >= self.capacity {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.written.saturating_add(self.buffer.len() as u64);
        if written > self.limit {
            // The part that fits is shown: messages truncate long entries this way.
            let room =
                usize::try_from(self.limit.saturating_sub(self.written)).unwrap_or(usize::MAX);
            self.target
                .write(self.buffer.get(..room).unwrap_or_default())?;
            self.buffer.clear();
            self.written = self.limit;
            return Err(PrintError::TooLarge(self.limit));
        }
        self.target.write(&self.buffer)?;
        self.written = written;
        self.buffer.clear();
        Ok(())
    }

    /// Returns the position of the next byte, from the start of the text.
    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.written.saturating_add(self.buffer.len() as u64)
    }

    /// Returns the text from a position on, or `None` if some of it is written out already. That
    /// depends on the size of the buffer, so the text that is printed must not depend on the
    /// result.
    pub(super) fn since(&self, position: u64) -> Option<&[u8]> {
        let start = usize::try_from(position.checked_sub(self.written)?).ok()?;
        self.buffer.get(start..)
    }

    /// Lets `write` append a long text, which is written out in pieces.
    pub(super) fn pieces<E>(
        &mut self,
        write: impl FnOnce(&mut dyn fmt::Write) -> std::result::Result<(), E>,
    ) -> Result<()> {
        let mut pieces = Pieces {
            out: self,
            error: None,
        };
        let result = write(&mut pieces);
        let error = pieces.error.take();
        match result {
            Ok(()) => Ok(()),
            Err(_) => Err(error.unwrap_or(PrintError::TooLarge(self.limit))),
        }
    }

    /// Writes out the rest.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()
    }

    #[inline]
    pub(super) fn text(&mut self, text: impl AsRef<[u8]>) {
        self.buffer.extend_from_slice(text.as_ref());
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.buffer.push(byte);
    }

    #[inline]
    pub(super) fn number(&mut self, number: u64) {
        write_number(number, &mut self.buffer);
    }

    pub(super) fn signed(&mut self, number: i64) {
        if number < 0 {
            self.byte(b'-');
        }
        self.number(number.unsigned_abs());
    }

    pub(super) fn decimal(&mut self, value: &ApInt, signed: bool) {
        value.write_decimal(signed, &mut self.buffer);
    }

    /// Appends a float. Returns whether it has hexadecimal digits, which its type must follow.
    pub(super) fn float(&mut self, kind: FloatKind, bits: u128) -> bool {
        let start = self.buffer.len();
        float::write_float(kind, bits, &mut self.buffer);
        let text = self.buffer.get(start..).unwrap_or_default();
        text.starts_with(b"0x")
    }

    /// Appends the name of an alias, without `#` or `!`.
    pub(super) fn alias(&mut self, name: AliasName<'_>) {
        name.write(&mut self.buffer);
    }

    /// Appends bytes in quotes, with escapes as upstream writes them: `\\`, and `\` and two hex
    /// digits for bytes that are not printable.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.byte(b'"');
        let mut rest = bytes;
        loop {
            let len = rest.iter().position(|&b| !is_plain(b));
            let len = len.unwrap_or(rest.len());
            let (text, tail) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            self.text(text);
            let Some((&byte, tail)) = tail.split_first() else {
                break;
            };
            self.byte(b'\\');
            if byte == b'\\' {
                self.byte(b'\\');
            } else {
                self.hex(byte);
            }
            rest = tail;
        }
        self.byte(b'"');
    }

    /// Appends two hex digits.
    #[inline]
    pub(super) fn hex(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let digit = |n: u8| DIGITS.get(usize::from(n & 15)).copied().unwrap_or(b'0');
        self.buffer
            .extend_from_slice(&[digit(byte >> 4), digit(byte)]);
    }

    /// Appends a name unquoted if it can be a bare identifier, otherwise in quotes.
    pub(super) fn keyword_or_string(&mut self, name: &[u8]) {
        let bare =
            name.first().is_some_and(|&b| is_bare_start(b)) && name.iter().all(|&b| is_bare(b));
        if bare {
            self.text(name);
        } else {
            self.quoted(name);
        }
    }

    /// Appends `@name`.
    pub(super) fn symbol(&mut self, name: &[u8]) {
        self.byte(b'@');
        self.keyword_or_string(name);
    }

    /// Writes white space at the start of a line, two blanks a level.
    ///
    /// Nests of `n` levels would take a text quadratic in `n`: white space beyond [`FREE_INDENT`]
    /// levels is charged to a budget for the whole text, which suffices for nests of about 5,000
    /// levels, and is omitted after that.
    pub(super) fn indent(&mut self, levels: usize) {
        let deep = levels.saturating_sub(FREE_INDENT).saturating_mul(2);
        let mut len = levels.min(FREE_INDENT).saturating_mul(2);
        if let Some(left) = self.deep_indent.checked_sub(deep) {
            self.deep_indent = left;
            len = len.saturating_add(deep);
        } else {
            self.is_cut = true;
        }
        match SPACES.get(..len) {
            Some(spaces) => self.buffer.extend_from_slice(spaces),
            None => {
                let len = self.buffer.len().saturating_add(len);
                self.buffer.resize(len, b' ');
            }
        }
    }
}

/// The indentation of most lines.
const SPACES: &[u8; 64] = &[b' '; 64];

/// Returns whether a byte denotes itself in quotes.
#[inline]
fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).is_some_and(|&plain| plain)
}

static PLAIN: [bool; 256] = plain_bytes();
static PAIRS: [[u8; 2]; 100] = pairs();

// Evaluated at compile time, where iterators are not available.

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn plain_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        table[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    table
}

/// Returns the numbers from 0 to 99 in two digits.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
}

/// Adapts an output as a writer of text.
struct Pieces<'o, 'w> {
    out: &'o mut Output<'w>,
    error: Option<PrintError>,
}

impl fmt::Write for Pieces<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.text(text);
        self.out.checkpoint().map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// Appends a number in decimal.
#[inline]
pub(super) fn write_number(number: u64, out: &mut Vec<u8>) {
    if number < 10 {
        out.push(b'0'.wrapping_add(number as u8));
        return;
    }
    // Two digits at a time, from the end.
    let mut digits = [[0u8; 2]; 10];
    let mut at = digits.len();
    let mut rest = number;
    while rest > 0 {
        at = at.saturating_sub(1);
        let pair = PAIRS.get((rest % 100) as usize).copied();
        if let (Some(slot), Some(pair)) = (digits.get_mut(at), pair) {
            *slot = pair;
        }
        rest /= 100;
    }
    let text = digits.get(at..).unwrap_or_default().as_flattened();
    out.extend_from_slice(text.strip_prefix(b"0").unwrap_or(text));
}

/// Returns bytes in quotes; see [`Output::quoted`].
pub(crate) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut sink = std::io::sink();
    let mut out = Output::new(&mut sink, &PrintOptions::default());
    out.quoted(bytes);
    out.buffer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let powers = (0..20).map(|n| 10u64.pow(n));
        let near = powers.flat_map(|p| [p - 1, p, p + 1, p.saturating_mul(3), p.saturating_mul(9)]);
        for number in near.chain(0..1100).chain([u64::MAX]) {
            let mut out = Vec::new();
            write_number(number, &mut out);
            assert_eq!(out, number.to_string().as_bytes());
        }
    }
}
