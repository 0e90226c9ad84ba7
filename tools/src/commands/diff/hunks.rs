//! Makes hunks of changed operations: rows of text with context.

use super::compare::{Change, Kind};
use super::constants;
use super::operations::{Item, Pair, What};
use super::side::Side;
use super::text::Texts;
use super::words::{Marked, compare};
use crate::rendered::printable;
use crate::source_location::SourceLocation;
use crate::symbols::shown_name;
use rmlir::ir::{Operation, Value};
use rmlir::text::{PrintOptions, print_attribute, type_to_string};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A line of a hunk.
pub(super) struct Row {
    /// ' ', '-', '+', or '~' for an operation whose text is the same.
    pub(super) sign: char,
    pub(super) depth: usize,
    pub(super) line: Marked,
    /// The number of the operation in its symbol, on each side.
    pub(super) numbers: [Option<usize>; 2],
    /// Differences that the text does not show.
    pub(super) notes: Vec<String>,
}

/// Changed operations that are next to each other.
pub(super) struct Hunk {
    /// The locations of the first change on both sides.
    pub(super) places: [Option<SourceLocation>; 2],
    /// The number of the first change in its symbol on both sides.
    pub(super) numbers: [Option<usize>; 2],
    pub(super) rows: Vec<Row>,
}

/// The texts of both sides.
pub(super) struct Printed {
    left: Texts,
    right: Texts,
    /// The values of the right side by name.
    names: HashMap<Vec<u8>, Value>,
}

impl Printed {
    /// Prints the operations of some changes.
    pub(super) fn new(left: &Side<'_>, right: &Side<'_>, changes: &[Change]) -> Self {
        let shows = |change: &&Change| change.kind == Kind::Changed || change.matching.is_some();
        let changes: Vec<&Change> = changes.iter().filter(shows).collect();
        let texts = |side: &Side<'_>, part: &dyn Fn(&Change) -> &super::compare::Part| {
            let operations: Vec<Operation> = changes
                .iter()
                .flat_map(|change| part(change).operations.iter().copied())
                .collect();
            let tables: Vec<Operation> = changes
                .iter()
                .filter_map(|change| part(change).table)
                .collect();
            Texts::new(side, &operations, &tables)
        };
        let right_texts = texts(right, &|change| &change.right);
        Printed {
            left: texts(left, &|change| &change.left),
            names: right_texts.values_by_name(),
            right: right_texts,
        }
    }
}

/// How hunks are made.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The number of unchanged operations around changes.
    pub(super) context: usize,
    /// Whether long lines are not shortened.
    pub(super) full: bool,
}

/// Returns the hunks of a change.
pub(super) fn hunks(
    change: &Change,
    (left, right): (&Side<'_>, &Side<'_>),
    printed: &Printed,
    layout: Layout,
) -> Vec<Hunk> {
    let Some(matching) = &change.matching else {
        return Vec::new();
    };
    let numbers = (numbers(&change.left.items), numbers(&change.right.items));
    let shown = visible(&matching.pairs, (&change.left.items, &change.right.items));
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut next = 0;
    for range in ranges(&matching.pairs, &shown, layout.context) {
        let start = *range.start().max(&next);
        let pairs = matching.pairs.iter().zip(&shown).enumerate();
        let rows = pairs.skip(start).take(range.end() + 1 - start);
        let mut hunk = Hunk {
            places: [None, None],
            numbers: [None, None],
            rows: Vec::new(),
        };
        for (_, (&pair, &shown)) in rows {
            if shown {
                let sides = (left, right);
                hunk.add(
                    change,
                    pair,
                    sides,
                    printed,
                    &matching.values,
                    &numbers,
                    layout,
                );
            }
        }
        next = range.end() + 1;
        hunks.push(hunk);
    }
    hunks
}

/// The number of each item among the operations.
fn numbers(items: &[Item]) -> Vec<usize> {
    let mut number = 0;
    let count = |item: &Item| {
        let own = number;
        number += usize::from(item.operation().is_some());
        own
    };
    items.iter().map(count).collect()
}

/// Returns which pairs are shown: arguments of blocks only if no operation differs.
fn visible(pairs: &[Pair], (left, right): (&[Item], &[Item])) -> Vec<bool> {
    let is_operation = |pair: &Pair| {
        let left = pair.left().and_then(|number| left.get(number));
        let right = pair.right().and_then(|number| right.get(number));
        let item = left.or(right);
        item.is_some_and(|item| matches!(item.what, What::Operation(_)))
    };
    let any = pairs
        .iter()
        .any(|pair| pair.is_change() && is_operation(pair));
    pairs
        .iter()
        .map(|pair| !any || is_operation(pair))
        .collect()
}

/// Returns the ranges of pairs that are changes, with context; overlapping ones are joined.
fn ranges(pairs: &[Pair], shown: &[bool], context: usize) -> Vec<std::ops::RangeInclusive<usize>> {
    let mut ranges: Vec<std::ops::RangeInclusive<usize>> = Vec::new();
    for (number, (pair, &shown)) in pairs.iter().zip(shown).enumerate() {
        if !pair.is_change() || !shown {
            continue;
        }
        let start = number.saturating_sub(context);
        let end = (number + context).min(pairs.len().saturating_sub(1));
        match ranges.last_mut() {
            Some(last) if *last.end() + 1 >= start => *last = *last.start()..=end,
            _ => ranges.push(start..=end),
        }
    }
    ranges
}

impl Hunk {
    #[allow(clippy::too_many_arguments, reason = "all of it describes one pair")]
    fn add(
        &mut self,
        change: &Change,
        pair: Pair,
        (left, right): (&Side<'_>, &Side<'_>),
        printed: &Printed,
        values: &HashMap<Value, Value>,
        numbers: &(Vec<usize>, Vec<usize>),
        layout: Layout,
    ) {
        let left_item = pair.left().and_then(|at| change.left.items.get(at));
        let right_item = pair.right().and_then(|at| change.right.items.get(at));
        let number = |numbers: &[usize], at: Option<usize>| numbers.get(at?).copied();
        let numbers = [
            number(&numbers.0, pair.left()),
            number(&numbers.1, pair.right()),
        ];
        if pair.is_change() {
            for (at, (side, item)) in [(left, left_item), (right, right_item)]
                .into_iter()
                .enumerate()
            {
                let place = item.and_then(|item| place(side, item));
                if let (Some(slot), Some(of)) = (self.places.get_mut(at), place) {
                    slot.get_or_insert(of);
                }
                if let (Some(slot), Some(Some(of))) = (self.numbers.get_mut(at), numbers.get(at)) {
                    slot.get_or_insert(*of);
                }
            }
        }
        let left_line = left_item.map(|item| {
            let rename = |value: Value, defines: bool, own: &[u8]| {
                let other = values.get(&value).copied();
                printed.right.renamed(other, defines, own, &printed.names)
            };
            let line = printed.left.line(left, item, &rename);
            line.unwrap_or_else(|| fallback(left, item))
        });
        let right_line = right_item.map(|item| {
            let line = printed.right.line(right, item, &|_, _, _| None);
            line.unwrap_or_else(|| fallback(right, item))
        });
        let depth = left_item.or(right_item).map_or(0, |item| item.depth.into());
        let row = |sign, line, numbers| Row {
            sign,
            depth,
            line,
            numbers,
            notes: Vec::new(),
        };
        let full = layout.full;
        match (pair, left_line, right_line) {
            (Pair::Same(..), _, Some(line)) => {
                self.rows
                    .push(row(' ', Marked::plain(&line, full), numbers));
            }
            (Pair::Modified(..), Some(one), Some(other)) => {
                let mut notes = Vec::new();
                if let (Some(What::Operation(one)), Some(What::Operation(other))) =
                    (left_item.map(|i| i.what), right_item.map(|i| i.what))
                {
                    notes = constants::differences((left, one), (right, other));
                }
                if one == other {
                    if notes.is_empty()
                        && let (Some(What::Operation(one)), Some(What::Operation(other))) =
                            (left_item.map(|i| i.what), right_item.map(|i| i.what))
                    {
                        notes = hidden((left, one), (right, other));
                    }
                    let mut row = row('~', Marked::plain(&other, full), numbers);
                    row.notes = notes;
                    self.rows.push(row);
                    return;
                }
                let [before, after] = compare(&one, &other, full);
                self.rows.push(row('-', before, [numbers[0], None]));
                let mut after = row('+', after, [None, numbers[1]]);
                after.notes = notes;
                self.rows.push(after);
            }
            (_, Some(line), None) => self
                .rows
                .push(row('-', Marked::plain(&line, full), numbers)),
            (_, None, Some(line)) => self
                .rows
                .push(row('+', Marked::plain(&line, full), numbers)),
            _ => {}
        }
    }
}

/// The maximum length of an attribute in a note, in bytes.
const MOST_ATTRIBUTE: u64 = 200;

/// Returns a note for each attribute that differs, for operations whose custom syntax does not show
/// it.
fn hidden(
    (left, one): (&Side<'_>, Operation),
    (right, other): (&Side<'_>, Operation),
) -> Vec<String> {
    let texts = |side: &Side<'_>, operation| -> BTreeMap<Vec<u8>, String> {
        let attributes = side.module.all_attributes(side.context, operation);
        let text = |attribute| {
            let mut options = PrintOptions::default();
            options.local_scope = true;
            options.max_output = MOST_ATTRIBUTE;
            let mut text = Vec::new();
            let printed = print_attribute(side.context, attribute, &options, &mut text);
            let end = if printed.is_ok() { "" } else { "..." };
            format!("{}{end}", printable(&text))
        };
        let name = |name| side.context.bytes(name).to_vec();
        let attributes = attributes.iter();
        attributes
            .map(|&(key, value)| (name(key), text(value)))
            .collect()
    };
    let (one, other) = (texts(left, one), texts(right, other));
    let names: BTreeSet<&Vec<u8>> = one.keys().chain(other.keys()).collect();
    let none = || "none".to_owned();
    let notes: Vec<String> = names
        .into_iter()
        .filter(|name| one.get(*name) != other.get(*name))
        .map(|name| {
            let text = |texts: &BTreeMap<Vec<u8>, String>| texts.get(name).cloned();
            let (one, other) = (text(&one), text(&other));
            let name = name.escape_ascii();
            format!(
                "{name}: {} | {}",
                one.unwrap_or_else(none),
                other.unwrap_or_else(none)
            )
        })
        .collect();
    match notes.is_empty() {
        true => {
            vec!["another operand, successor or block, or the end of a long attribute".to_owned()]
        }
        false => notes,
    }
}

fn place(side: &Side<'_>, item: &Item) -> Option<SourceLocation> {
    match item.what {
        What::Operation(operation) => {
            SourceLocation::of(side.context, side.module.location(operation))
        }
        What::Block(block) => {
            let (_, location) = side.module.arguments(block).next()?;
            SourceLocation::of(side.context, location)
        }
    }
}

/// Returns a text for content that custom syntax does not show.
fn fallback(side: &Side<'_>, item: &Item) -> String {
    match item.what {
        What::Operation(operation) => {
            let name = side
                .context
                .operation_name_bytes(side.module.name(operation));
            format!("{} (implicit)", shown_name(name))
        }
        What::Block(block) => {
            let types: Vec<String> = side
                .module
                .arguments(block)
                .take(16)
                .map(|(value, _)| type_to_string(side.context, side.module.value_type(value)))
                .collect();
            format!("arguments of the block: {}", types.join(", "))
        }
    }
}
