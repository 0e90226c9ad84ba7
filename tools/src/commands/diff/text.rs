//! The text of operations in a comparison: one line each, in which corresponding values have the
//! same names on both sides.

use super::operations::{Item, What};
use super::side::Side;
use crate::rendered::{Rendered, printable};
use rmlir::ir::{Operation, Value, ValueDefinition};
use rmlir::text::{Span, SpanDetail, SpanKind};
use std::collections::HashMap;
use std::ops::Range;

/// Returns the name to print for a value, given whether it is defined here and its own name; `None`
/// for its own name.
pub(super) type Rename<'r> = &'r dyn Fn(Value, bool, &[u8]) -> Option<Vec<u8>>;

/// The texts of the operations of one side.
pub(super) struct Texts {
    /// The operations that are compared, and symbol tables without their content.
    rendered: [Option<Rendered>; 2],
    /// Where the name of a value is: in its definition, and where it is used.
    definitions: HashMap<Value, Range<usize>>,
    uses: HashMap<Value, Range<usize>>,
}

impl Texts {
    /// Prints operations, and symbol tables without their content.
    pub(super) fn new(side: &Side<'_>, operations: &[Operation], tables: &[Operation]) -> Self {
        let render = |operations: &[Operation], detail| match operations.is_empty() {
            true => None,
            false => {
                let module = (side.context, side.module);
                Rendered::new(module, operations, detail, side.input_len)
            }
        };
        let rendered = [
            render(operations, SpanDetail::Values),
            render(tables, SpanDetail::Heads),
        ];
        let mut texts = Texts {
            rendered,
            definitions: HashMap::new(),
            uses: HashMap::new(),
        };
        texts.find_names(side);
        texts
    }

    /// Finds the names of all values.
    fn find_names(&mut self, side: &Side<'_>) {
        let spans = self.rendered[0].as_ref().map(|rendered| &rendered.spans);
        // The operation whose results may follow.
        let mut open = None;
        for span in spans.into_iter().flatten() {
            match span.kind {
                SpanKind::Operation(operation) => open = Some(operation),
                SpanKind::Value(value) => {
                    let is_result = matches!(
                        side.module.definition(value),
                        ValueDefinition::Result(operation, _) if Some(operation) == open
                    );
                    let names = match is_result {
                        true => &mut self.definitions,
                        false => {
                            open = None;
                            &mut self.uses
                        }
                    };
                    names.entry(value).or_insert_with(|| range(span));
                }
                _ => open = None,
            }
        }
    }

    /// Returns the name of a value, as its definition or its uses have it.
    fn name(&self, value: Value, is_definition: bool) -> Option<&[u8]> {
        let (first, second) = match is_definition {
            true => (&self.definitions, &self.uses),
            false => (&self.uses, &self.definitions),
        };
        let range = first.get(&value).or_else(|| second.get(&value))?;
        self.rendered[0].as_ref()?.text.get(range.clone())
    }

    /// Returns the text of an item without nested items. `rename` gives the names of values
    /// that differ from their own, with whether the value is defined here. `None` if custom syntax
    /// does not show the item.
    pub(super) fn line(&self, side: &Side<'_>, item: &Item, rename: Rename<'_>) -> Option<String> {
        let found = match item.what {
            What::Operation(operation) => self.rendered.iter().flatten().find_map(|rendered| {
                let number = rendered.number(operation)?;
                Some((rendered, number))
            }),
            What::Block(block) => {
                // A header is directly in the operation of its region.
                let region = side.module.block_region(block)?;
                let operation = side.module.region_parent(region)?;
                let rendered = self.rendered[0].as_ref()?;
                let number = rendered.number(operation)?;
                let header = |number: &usize| {
                    let span = rendered.spans.get(*number);
                    span.is_some_and(|span| span.kind == SpanKind::BlockHeader(block))
                };
                let number = children(rendered, number).find(header)?;
                Some((rendered, number))
            }
        };
        let (rendered, number) = found?;
        let whole = rendered.spans.get(number)?;
        let mut line = Line::default();
        let mut at = range(whole).start;
        let mut defines = true;
        for child in children(rendered, number) {
            let Some(span) = rendered.spans.get(child) else {
                break;
            };
            let bytes = range(span);
            line.text(rendered.text.get(at..bytes.start).unwrap_or_default());
            at = bytes.end;
            let SpanKind::Value(value) = span.kind else {
                defines = false;
                line.cut();
                continue;
            };
            let is_result = matches!(
                (side.module.definition(value), item.what),
                (ValueDefinition::Result(of, _), What::Operation(operation)) if of == operation
            );
            defines &= is_result;
            let own = rendered.text.get(bytes).unwrap_or_default();
            match rename(value, defines, own) {
                Some(name) => line.text(&name),
                None => line.text(own),
            }
        }
        line.text(rendered.text.get(at..range(whole).end).unwrap_or_default());
        Some(line.finish())
    }

    /// Returns the name that a value of the left side has on the right side, given the
    /// corresponding value, or another one if the right side has that name for another value.
    pub(super) fn renamed(
        &self,
        corresponding: Option<Value>,
        is_definition: bool,
        own: &[u8],
        names: &HashMap<Vec<u8>, Value>,
    ) -> Option<Vec<u8>> {
        match corresponding {
            Some(value) => self.name(value, is_definition).map(<[u8]>::to_vec),
            // The name is taken on the right side.
            None if names.contains_key(own) => Some([own, b"'"].concat()),
            None => None,
        }
    }

    /// Returns the values by name, of those that occur.
    pub(super) fn values_by_name(&self) -> HashMap<Vec<u8>, Value> {
        let text = self.rendered[0].as_ref().map(|rendered| &rendered.text);
        let Some(text) = text else {
            return HashMap::new();
        };
        #[allow(
            clippy::iter_over_hash_type,
            reason = "only whether a name occurs is asked"
        )]
        let names = self.definitions.iter().chain(&self.uses);
        names
            .filter_map(|(&value, range)| Some((text.get(range.clone())?.to_vec(), value)))
            .collect()
    }
}

fn range(span: &Span) -> Range<usize> {
    let at = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
    at(span.bytes.start)..at(span.bytes.end)
}

/// Returns the numbers of the spans directly in a span: those of nested operations are left out.
fn children(rendered: &Rendered, number: usize) -> impl Iterator<Item = usize> + '_ {
    let spans = rendered.spans.as_slice();
    let end = spans.get(number).map_or(0, |span| span.bytes.end);
    let mut next = number + 1;
    std::iter::from_fn(move || {
        let at = next;
        let span = spans.get(at).filter(|span| span.bytes.start < end)?;
        next = match span.kind {
            SpanKind::Value(_) => at + 1,
            _ => {
                let inner = spans.get(at..).unwrap_or_default();
                at + inner.partition_point(|inner| inner.bytes.start < span.bytes.end)
            }
        };
        Some(at)
    })
}

/// A line that consists of pieces of text, with `...` for omitted ones.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    /// White space, or something that is left out, follows.
    blank: bool,
    cut: bool,
}

impl Line {
    fn text(&mut self, text: &[u8]) {
        for &byte in text {
            if byte == b' ' || byte == b'\n' {
                self.blank = true;
                continue;
            }
            self.gap();
            self.text.push(byte);
        }
    }

    fn cut(&mut self) {
        self.cut = true;
    }

    fn gap(&mut self) {
        if std::mem::take(&mut self.cut) {
            self.text.extend_from_slice(b"...");
            self.blank = false;
        } else if std::mem::take(&mut self.blank) && !self.text.is_empty() {
            self.text.push(b' ');
        }
    }

    fn finish(mut self) -> String {
        if self.cut {
            self.gap();
        }
        printable(&self.text)
    }
}
