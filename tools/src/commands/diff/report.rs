//! Prints changes: as text, as statistics, as JSON.

use super::compare::{Change, Kind, Part, first_difference};
use super::operations::{Pair, What};
use super::side::Side;
use super::words::Marked;
use super::{Hunk, Layout, Printed, hunks};
use crate::Failure;
use crate::rendered::printable;
use crate::signature::{Port, Signature};
use crate::source_location::SourceLocation;
use crate::style::Style;
use crate::symbols::shown_name;
use rmlir::ir::{Block, Location, Operation};
use rmlir::text::type_to_string;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt;
use std::io::Write;

/// The form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Text,
    Brief,
    Stat,
    Json,
}

/// A report that is being written.
pub(super) struct Report<'w> {
    pub(super) form: Form,
    pub(super) colors: bool,
    pub(super) layout: Layout,
    pub(super) out: &'w mut dyn Write,
    pub(super) totals: Totals,
}

/// The numbers of symbols and operations.
#[derive(Default)]
pub(super) struct Totals {
    symbols: usize,
    added: usize,
    removed: usize,
}

/// The number of operations added or removed together that are printed, and the numbers of the
/// first and last ones of more.
const MOST_ROWS: usize = 20;
const FIRST_ROWS: usize = 6;
const LAST_ROWS: usize = 3;

/// The number of characters of the longest bar of statistics.
const BAR: usize = 40;

impl Report<'_> {
    /// Prints the path of a file in a repository.
    pub(super) fn path(&mut self, path: &str) -> Result<(), Failure> {
        let line = format!("diff {path}\n");
        let line = Style::Heading.painted(self.colors, &line);
        self.write(&line)
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.out
            .write_all(text.as_bytes())
            .map_err(|e| Failure::unwritten(&e))
    }

    /// Prints some changes. Their operations are printed together.
    pub(super) fn changes(
        &mut self,
        (left, right): (&Side<'_>, &Side<'_>),
        changes: &[Change],
    ) -> Result<(), Failure> {
        if changes.is_empty() {
            return Ok(());
        }
        let printed = match self.form {
            Form::Text | Form::Json => Some(Printed::new(left, right, changes)),
            Form::Brief | Form::Stat => None,
        };
        for change in changes {
            let (added, removed) = counts(change);
            self.totals.symbols += 1;
            self.totals.added += added;
            self.totals.removed += removed;
            let hunks = match &printed {
                Some(printed) if change.kind != Kind::Locations => {
                    hunks(change, (left, right), printed, self.layout)
                }
                _ => Vec::new(),
            };
            let moves = match self.form {
                Form::Text | Form::Json => moves(change, (left, right)),
                _ => Vec::new(),
            };
            let notes = match self.form {
                // Locations in attributes, and texts that are too long.
                Form::Text | Form::Json if change.kind == Kind::Locations && moves.is_empty() => {
                    first_location(change, (left, right))
                }
                _ => change.notes.clone(),
            };
            let text = match self.form {
                Form::Json => to_json(change, (left, right), &notes, &hunks, &moves),
                Form::Stat => self.stat(change, (left, right), (added, removed)),
                Form::Brief => self.title(change, (left, right)),
                Form::Text => {
                    let mut text = self.title(change, (left, right));
                    for note in &notes {
                        text.push_str(&format!("  {note}\n"));
                    }
                    for hunk in &hunks {
                        self.hunk(change, hunk, &mut text);
                    }
                    for one in &moves {
                        let (number, name) = (one.number, &one.name);
                        let argument = one.argument.map(|argument| argument.to_string());
                        let argument = argument.unwrap_or_default();
                        let [from, to] = one.shown();
                        text.push_str(&format!(
                            "  operation {number} ({name}){argument}: {from} -> {to}\n"
                        ));
                    }
                    text
                }
            };
            self.write(&text)?;
        }
        Ok(())
    }

    /// Prints the totals of statistics.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if self.form != Form::Stat {
            return Ok(());
        }
        let Totals {
            symbols,
            added,
            removed,
        } = self.totals;
        let plural = if symbols == 1 { "" } else { "s" };
        let line = format!(
            "{symbols} symbol{plural} differ{}, {added} operations added, {removed} removed\n",
            if symbols == 1 { "s" } else { "" }
        );
        self.write(&line)
    }

    fn title(&self, change: &Change, sides: (&Side<'_>, &Side<'_>)) -> String {
        let name = Style::Symbol.painted(self.colors, &change.name);
        let kind = |style: Style, kind: &str| style.painted(self.colors, kind);
        let size = || match self.form {
            Form::Brief => String::new(),
            _ => size(change, sides),
        };
        match (change.kind, &change.from) {
            (Kind::Added, _) => format!("{} {name}{}\n", kind(Style::Added, "added"), size()),
            (Kind::Removed, _) => {
                format!("{} {name}{}\n", kind(Style::Removed, "removed"), size())
            }
            (Kind::Renamed, Some(from)) => {
                let kind = kind(Style::Heading, "renamed");
                format!("{kind} {from} to {name}\n")
            }
            (Kind::Locations, _) => {
                format!("{} {name}\n", kind(Style::Heading, "changed locations of"))
            }
            (other, _) => format!("{} {name}\n", kind(Style::Heading, other.name())),
        }
    }

    fn stat(
        &self,
        change: &Change,
        sides: (&Side<'_>, &Side<'_>),
        (added, removed): (usize, usize),
    ) -> String {
        if change.kind != Kind::Changed {
            return self.title(change, sides);
        }
        let count = added + removed;
        let scaled = |part: usize| match count > BAR {
            true => (part * BAR).div_ceil(count),
            false => part,
        };
        let bars = [
            Style::Added.painted(self.colors, &"+".repeat(scaled(added))),
            Style::Removed.painted(self.colors, &"-".repeat(scaled(removed))),
        ];
        let title = self.title(change, sides);
        format!("{} | {count} {}\n", title.trim_end(), bars.concat())
    }

    /// Appends a hunk.
    fn hunk(&self, change: &Change, hunk: &Hunk, text: &mut String) {
        let mut place = String::new();
        match &hunk.places {
            [left, right] if left == right => {
                if left.is_some() {
                    place = format!(": {}", shown_place(left));
                }
            }
            [left, right] => {
                place = format!(": {} | {}", shown_place(left), shown_place(right));
            }
        }
        let number = match hunk.numbers {
            [Some(left), Some(right)] if left == right => format!("operation {left}"),
            [Some(left), Some(right)] => format!("operation {left} | {right}"),
            [Some(left), None] => format!("operation {left} of the first"),
            [None, Some(right)] => format!("operation {right} of the second"),
            [None, None] => "arguments".to_owned(),
        };
        let heading = format!("@@ {}, {number}{place} @@", change.name);
        Style::Heading.paint(self.colors, &heading, text);
        text.push('\n');
        let outermost = hunk.rows.iter().map(|row| row.depth).min().unwrap_or(0);
        let mut skipped = 0..0;
        for (number, row) in hunk.rows.iter().enumerate() {
            let is_first = number == 0
                || hunk.rows.get(number.saturating_sub(1)).map(|row| row.sign) != Some(row.sign);
            if is_first && !self.layout.full && matches!(row.sign, '-' | '+') {
                let rest = hunk.rows.get(number..).unwrap_or_default();
                let count = rest.iter().take_while(|next| next.sign == row.sign).count();
                if count > MOST_ROWS {
                    skipped = number + FIRST_ROWS..number + count - LAST_ROWS;
                }
            }
            if skipped.contains(&number) {
                if number == skipped.start {
                    let style = match row.sign {
                        '-' => Style::Removed,
                        _ => Style::Added,
                    };
                    let indent = "  ".repeat(row.depth.saturating_sub(outermost));
                    let (sign, count) = (row.sign, skipped.len());
                    let line = format!("{sign} {indent}... {count} operations more, see '--full'");
                    style.paint(self.colors, &line, text);
                    text.push('\n');
                }
                continue;
            }
            let (line, part) = match row.sign {
                '-' => (Some(Style::Removed), Style::RemovedPart),
                '+' => (Some(Style::Added), Style::AddedPart),
                _ => (None, Style::Heading),
            };
            let indent = "  ".repeat(row.depth.saturating_sub(outermost));
            let start = format!("{} {indent}", row.sign);
            match line {
                Some(style) => style.paint(self.colors, &start, text),
                None => text.push_str(&start),
            }
            self.marked(&row.line, line, part, text);
            text.push('\n');
            for note in &row.notes {
                Style::Comment.paint(self.colors, &format!("~ {indent}  {note}"), text);
                text.push('\n');
            }
        }
    }

    fn marked(&self, line: &Marked, style: Option<Style>, part: Style, text: &mut String) {
        let mut at = 0;
        let plain = |range: std::ops::Range<usize>, text: &mut String| {
            let piece = line.text.get(range).unwrap_or_default();
            match style {
                Some(style) => style.paint(self.colors, piece, text),
                None => text.push_str(piece),
            }
        };
        for mark in &line.marks {
            plain(at..mark.start, text);
            let piece = line.text.get(mark.clone()).unwrap_or_default();
            part.paint(self.colors, piece, text);
            at = mark.end;
        }
        plain(at..line.text.len(), text);
    }
}

/// The numbers of operations that were added and removed; a modified one counts as both.
fn counts(change: &Change) -> (usize, usize) {
    let pairs = change.matching.iter().flat_map(|matching| &matching.pairs);
    let mut counts = (0, 0);
    for pair in pairs {
        let items = (
            pair.left().and_then(|at| change.left.items.get(at)),
            pair.right().and_then(|at| change.right.items.get(at)),
        );
        let is_operation = |item: Option<&super::operations::Item>| {
            usize::from(item.is_some_and(|item| item.operation().is_some()))
        };
        if pair.is_change() {
            counts.0 += is_operation(items.1);
            counts.1 += is_operation(items.0);
        }
    }
    counts
}

/// The maximum number of characters of a signature.
const MOST_SIGNATURE: usize = 90;

/// `: func.func (i32) -> i32, 5 operations` of a symbol that only one side has.
fn size(change: &Change, (left, right): (&Side<'_>, &Side<'_>)) -> String {
    let (side, part) = match change.kind {
        Kind::Removed => (left, &change.left),
        _ => (right, &change.right),
    };
    let Some(&operation) = part.operations.first() else {
        return String::new();
    };
    let (name, count) = described(side, operation);
    let plural = if count == 1 { "" } else { "s" };
    let signature = signature(side, operation);
    format!(": {name}{signature}, {count} operation{plural}")
}

/// Returns ` (i32) -> i32` of a function, shortened if it is long; nothing of other operations.
fn signature(side: &Side<'_>, operation: Operation) -> String {
    let Some(signature) = Signature::of(side.context, side.module, operation) else {
        return String::new();
    };
    let list = |ports: &[Port]| {
        // More types than that are not shown.
        let ports = ports.iter().take(MOST_SIGNATURE);
        let types: Vec<String> = ports
            .map(|port| type_to_string(side.context, port.ty))
            .collect();
        types.join(", ")
    };
    let (inputs, results) = (list(&signature.inputs), list(&signature.results));
    let text = match signature.results.len() {
        1 => format!(" ({inputs}) -> {results}"),
        _ => format!(" ({inputs}) -> ({results})"),
    };
    match text.char_indices().nth(MOST_SIGNATURE) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Returns the name of an operation, and the number of operations in it.
fn described(side: &Side<'_>, operation: Operation) -> (String, usize) {
    (
        operation_name(side, operation),
        side.operation_count(operation),
    )
}

fn operation_name(side: &Side<'_>, operation: Operation) -> String {
    let name = side.module.name(operation);
    shown_name(side.context.operation_name_bytes(name))
}

fn shown_place(place: &Option<SourceLocation>) -> String {
    match place {
        Some(place) => place.to_string(),
        None => "no location".to_owned(),
    }
}

/// The number and name of an operation, and its locations on both sides, or those of an argument of
/// one of its blocks.
struct Move {
    number: usize,
    name: String,
    argument: Option<Argument>,
    places: [Option<SourceLocation>; 2],
    /// Where the texts of the locations differ, if their places do not.
    texts: Option<[String; 2]>,
}

/// An argument of a block, by the indices of the region, the block and the argument.
#[derive(Clone, Copy)]
struct Argument {
    region: usize,
    block: usize,
    index: usize,
}

/// `, region 1, block 2, argument 0`; the first region and block are not named.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, index) in [("region", self.region), ("block", self.block)] {
            if index > 0 {
                write!(f, ", {what} {index}")?;
            }
        }
        write!(f, ", argument {}", self.index)
    }
}

impl Move {
    /// Returns what moved and its locations, if the texts of these differ.
    fn new(
        (left, right): (&Side<'_>, &Side<'_>),
        (number, operation): (usize, Operation),
        argument: Option<Argument>,
        locations: [Location; 2],
    ) -> Option<Self> {
        let [l, r] = locations;
        let texts = [location(left, l), location(right, r)];
        if texts[0] == texts[1] {
            return None;
        }
        let places = [
            SourceLocation::of(left.context, l),
            SourceLocation::of(right.context, r),
        ];
        let is_shown = places[0] != places[1];
        let texts = texts.each_ref().map(|text| printable(text));
        let [left_text, right_text] = &texts;
        Some(Move {
            number,
            name: operation_name(left, operation),
            argument,
            places,
            texts: (!is_shown).then(|| around_difference([left_text, right_text])),
        })
    }

    /// Returns the locations of both sides so that they differ.
    fn shown(&self) -> [String; 2] {
        let texts = self.texts.clone();
        texts.unwrap_or_else(|| self.places.each_ref().map(shown_place))
    }
}

/// The number of characters of two long texts that are shown, and of those before the difference.
const SHOWN: usize = 120;
const BEFORE: usize = 40;

/// Returns two texts, shortened to the part around the first difference.
fn around_difference(texts: [&str; 2]) -> [String; 2] {
    let [left, right] = texts.map(str::chars);
    let same = left.zip(right).take_while(|(l, r)| l == r).count();
    let skipped = same.saturating_sub(BEFORE);
    texts.map(|text| {
        let mut rest = text.chars().skip(skipped);
        let mut shown = String::from(if skipped > 0 { "..." } else { "" });
        shown.extend(rest.by_ref().take(SHOWN));
        if rest.next().is_some() {
            shown.push_str("...");
        }
        shown
    })
}

/// Returns a note with the first difference of a change of locations.
fn first_location(change: &Change, sides: (&Side<'_>, &Side<'_>)) -> Vec<String> {
    let operation = |part: &Part| part.operations.first().copied();
    let operations = (operation(&change.left), operation(&change.right));
    let (Some(left), Some(right)) = operations else {
        return Vec::new();
    };
    first_difference(sides, (left, right), true)
}

/// Returns the operations and arguments of blocks whose locations differ, of a change of locations.
fn moves(change: &Change, (left, right): (&Side<'_>, &Side<'_>)) -> Vec<Move> {
    if change.kind != Kind::Locations {
        return Vec::new();
    }
    let pairs = change.matching.iter().flat_map(|matching| &matching.pairs);
    let mut moves = Vec::new();
    let mut number = 0;
    // The blocks of the operations so far: the operation with its number, and indices.
    let mut blocks: HashMap<Block, ((usize, Operation), usize, usize)> = HashMap::new();
    for pair in pairs {
        let (Pair::Same(l, r) | Pair::Modified(l, r)) = *pair else {
            continue;
        };
        let items = (change.left.items.get(l), change.right.items.get(r));
        match (items.0.map(|item| item.what), items.1.map(|item| item.what)) {
            (Some(What::Operation(l)), Some(What::Operation(r))) => {
                let locations = [left.module.location(l), right.module.location(r)];
                moves.extend(Move::new((left, right), (number, l), None, locations));
                for (region, regions) in left.module.regions(l).enumerate() {
                    for (block, handle) in left.module.blocks(regions).enumerate() {
                        blocks.insert(handle, ((number, l), region, block));
                    }
                }
                number += 1;
            }
            (Some(What::Block(l)), Some(What::Block(r))) => {
                let Some(&(operation, region, block)) = blocks.get(&l) else {
                    continue;
                };
                let arguments = left.module.arguments(l).zip(right.module.arguments(r));
                for (index, ((_, l), (_, r))) in arguments.enumerate() {
                    let argument = Argument {
                        region,
                        block,
                        index,
                    };
                    moves.extend(Move::new((left, right), operation, Some(argument), [l, r]));
                }
            }
            _ => {}
        }
    }
    moves
}

/// Returns the text of a location.
fn location(side: &Side<'_>, location: Location) -> Vec<u8> {
    let mut options = rmlir::text::PrintOptions::default();
    options.max_output = 1 << 16;
    let mut text = Vec::new();
    // Long locations are compared as far as they are printed.
    let _ = rmlir::text::print_location(side.context, location, &options, &mut text);
    text
}

fn to_json(
    change: &Change,
    (left, right): (&Side<'_>, &Side<'_>),
    notes: &[String],
    hunks: &[Hunk],
    moves: &[Move],
) -> String {
    let place = |place: &Option<SourceLocation>| place.as_ref().map(SourceLocation::to_json);
    let row = |row: &super::hunks::Row| -> Value {
        json!({
            "sign": row.sign.to_string(),
            "text": row.line.text,
            "left_operation": row.numbers[0],
            "right_operation": row.numbers[1],
            "notes": row.notes,
        })
    };
    let hunk = |hunk: &Hunk| -> Value {
        json!({
            "left_location": place(&hunk.places[0]),
            "right_location": place(&hunk.places[1]),
            "left_operation": hunk.numbers[0],
            "right_operation": hunk.numbers[1],
            "rows": hunk.rows.iter().map(row).collect::<Vec<_>>(),
        })
    };
    let moved = |one: &Move| -> Value {
        let texts = one.texts.as_ref();
        json!({
            "operation": one.number,
            "name": one.name,
            "argument": one.argument.map(|Argument { region, block, index }| {
                json!({"region": region, "block": block, "index": index})
            }),
            "left_location": place(&one.places[0]),
            "right_location": place(&one.places[1]),
            "left_text": texts.map(|texts| &texts[0]),
            "right_text": texts.map(|texts| &texts[1]),
        })
    };
    let part = match change.kind {
        Kind::Removed => change.left.operations.first().map(|&o| described(left, o)),
        Kind::Added | Kind::Renamed => change
            .right
            .operations
            .first()
            .map(|&o| described(right, o)),
        _ => None,
    };
    let (added, removed) = counts(change);
    let line = json!({
        "schema": "diff/1",
        "symbol": change.name,
        "change": change.kind.name(),
        "from": change.from,
        "notes": notes,
        "operation": part.as_ref().map(|(name, _)| name),
        "operations": part.as_ref().map(|(_, count)| count),
        "added": added,
        "removed": removed,
        "hunks": hunks.iter().map(hunk).collect::<Vec<_>>(),
        "locations": moves.iter().map(moved).collect::<Vec<_>>(),
    });
    format!("{line}\n")
}
