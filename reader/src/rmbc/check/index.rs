//! Builds the names and references of the index again from the operations, by the rules of section
//! "Index" of `spec/rmbc.md`.

use crate::rmbc::fields::{self, Kind, Sink};
use crate::rmbc::structure::{Head, Structure};
use crate::rmbc::table_views::{Class, TableViews};
use crate::rmbc::walk::{Visitor, walk};
use rmlir_format::rmbc::references::{NO_REFERENCES, ReferenceSets, References};
use rmlir_format::rmbc::{UNDIVIDED, section, tag};
use rmlir_format::{Error, ErrorKind, Reader, Result};

/// A symbol: an operation with a name, and without operands, results and successors.
pub(super) struct Symbol {
    /// Offset in the section of operations.
    pub(super) offset: u64,
    /// The string of its name.
    name: u64,
    /// The chunk that was begun last before it; `None` without chunks.
    chunk: Option<u64>,
    /// No operation in it uses a value from outside.
    pub(super) contained: bool,
    /// How many symbols it is in, itself included.
    pub(super) depth: u32,
    /// The symbol references in it that are in no nested contained symbol; not sorted, with
    /// duplicates. `None` if an attribute has too many.
    references: Option<Vec<u32>>,
}

impl Symbol {
    fn refer(&mut self, references: Option<&[u32]>) {
        match (references, &mut self.references) {
            (Some(new), Some(all)) => all.extend_from_slice(new),
            _ => self.references = None,
        }
    }
}

/// The symbols of a file.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) symbols: Vec<Symbol>,
}

impl Symbols {
    /// Those of a file. O(operations and operands, and types and attributes).
    pub(super) fn of(views: &TableViews, structure: &mut Structure) -> Result<Self> {
        let mut collector = Collector {
            views,
            sets: EntrySets::of(views)?,
            found: Symbols::default(),
            chunks: 0,
            values: 0,
            operations: 0,
            open: Vec::new(),
        };
        walk(views, structure, &mut collector)?;
        Ok(collector.found)
    }

    fn contained(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(|symbol| symbol.contained)
    }

    /// Returns the name of each symbol and the number of its chunk.
    pub(super) fn names(&self) -> Vec<(u64, u64)> {
        let name = |symbol: &Symbol| Some((symbol.name, symbol.chunk?));
        self.contained().filter_map(name).collect()
    }

    /// Returns what the index states about the references of symbols.
    pub(super) fn references(&self) -> Vec<(u64, u64, Option<Vec<u64>>)> {
        let mut all = Vec::new();
        for symbol in self.contained() {
            let Some(chunk) = symbol.chunk else { continue };
            let references = symbol.references.as_ref().map(|references| {
                let mut numbers: Vec<u64> = references.iter().map(|&at| at.into()).collect();
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            });
            if references.as_ref().is_none_or(|found| !found.is_empty()) {
                all.push((chunk, symbol.offset, references));
            }
        }
        all
    }
}

/// The symbol references in each type, attribute and location.
struct EntrySets {
    sets: ReferenceSets,
    /// By class and number.
    numbers: [Vec<References>; 3],
}

impl EntrySets {
    fn of(views: &TableViews) -> Result<Self> {
        let mut found = EntrySets {
            sets: ReferenceSets::default(),
            numbers: [Vec::new(), Vec::new(), Vec::new()],
        };
        views.each_entry(&mut |tag, class, input| {
            let (_, fields) = fields::fields(tag).unwrap_or_default();
            let mut walk = Collect {
                views,
                sets: &mut found,
                references: NO_REFERENCES,
            };
            fields::walk(input, fields, &mut walk)?;
            let mut references = walk.references;
            let slot = found.numbers.get(class as usize).map_or(0, Vec::len);
            if tag == tag::SYMBOL_REF {
                references = found.sets.single(slot as u32);
            }
            if let Some(numbers) = found.numbers.get_mut(class as usize) {
                numbers.push(references);
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn get(&self, class: Class, number: u64) -> References {
        let numbers = self.numbers.get(class as usize);
        let number = usize::try_from(number).ok();
        let found = numbers
            .zip(number)
            .and_then(|(numbers, at)| numbers.get(at));
        found.copied().unwrap_or(NO_REFERENCES)
    }

    /// Returns the union of a set with that of an entry.
    fn with(&mut self, references: References, class: Class, number: u64) -> References {
        match self.get(class, number) {
            NO_REFERENCES => references,
            other => self.sets.union(references, other),
        }
    }
}

/// Collects the symbol references of the entries that an entry refers to.
struct Collect<'e> {
    views: &'e TableViews,
    sets: &'e mut EntrySets,
    references: References,
}

impl Sink for Collect<'_> {
    fn part(
        &mut self,
        _: &'static str,
        kind: Kind,
        value: Option<u64>,
        _: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        if let (Some(class), Some(number)) = (Class::of_kind(kind), value) {
            self.references = self.sets.with(self.references, class, number);
        }
        Ok(())
    }

    fn fixed_bytes(&mut self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64> {
        self.views.fixed_bytes(input, at, ty)
    }
}

/// An operation with regions that was entered and not left.
struct Open {
    /// Its position in the list of symbols, if it is one.
    symbol: Option<usize>,
    /// How many symbols its operations are in.
    depth: u32,
    /// Its offset, and the numbers of operations, chunks and symbols before its content.
    offset: u64,
    before: [u64; 3],
    /// The number of the first value in it, and the least and greatest numbers of the values used
    /// in it.
    first: i64,
    uses: Option<(i64, i64)>,
}

struct Collector<'v> {
    views: &'v TableViews,
    sets: EntrySets,
    found: Symbols,
    /// The numbers of chunks, values and operations before.
    chunks: u64,
    values: u64,
    operations: u64,
    open: Vec<Open>,
}

impl Collector<'_> {
    /// Adds symbol references of an operation, which is the last symbol itself or not.
    fn refer(&mut self, references: References, is_symbol: bool) {
        if references == NO_REFERENCES {
            return;
        }
        let found = self.sets.sets.get(references).map(<[u32]>::to_vec);
        match is_symbol {
            true => {
                if let Some(symbol) = self.found.symbols.last_mut() {
                    symbol.refer(found.as_deref());
                }
            }
            false => self.refer_to_innermost(found.as_deref()),
        }
    }

    /// Adds symbol references to the innermost symbol that was entered and not left.
    fn refer_to_innermost(&mut self, references: Option<&[u32]>) {
        let symbol = self.open.iter().rev().find_map(|open| open.symbol);
        let symbol = symbol.and_then(|at| self.found.symbols.get_mut(at));
        if let Some(symbol) = symbol {
            symbol.refer(references);
        }
    }

    /// Returns the string that an attribute is, if it can be the name of a symbol of the index.
    fn name(&self, attribute: u64) -> Result<Option<u64>> {
        // Numbers from the count of attributes on are string attributes without a type.
        if let Some(string) = attribute.checked_sub(self.views.attribute_count) {
            return Ok(Some(string));
        }
        let Some(literal) = self.views.string_literal(attribute)? else {
            return Ok(None);
        };
        // One that is not among the names is in no index: no string has this number.
        let string = self.views.symbol_string(&literal)?;
        Ok(Some(string.unwrap_or(u64::MAX)))
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn merge(all: &mut Option<(i64, i64)>, (least, most): (i64, i64)) {
    let (a, b) = all.unwrap_or((least, most));
    *all = Some((a.min(least), b.max(most)));
}

impl Visitor for Collector<'_> {
    fn operation(&mut self, offset: u64, head: &Head) -> Result<()> {
        let signature = &head.template.signature;
        let base = signed(self.values);
        if let (Some((least, most)), Some(open)) = (head.uses, self.open.last_mut()) {
            let uses = (base.saturating_add(least), base.saturating_add(most));
            merge(&mut open.uses, uses);
        }
        let is_top = self.operations == 0;
        let is_closed =
            signature.operands == 0 && signature.results == 0 && signature.successors == 0;
        let before = self.found.symbols.len();
        let [name, _] = head.symbol;
        let name = match name.filter(|_| is_closed && !is_top) {
            Some(attribute) => self.name(attribute)?,
            None => None,
        };
        let outer = self.open.last().map_or(0, |open| open.depth);
        let depth = outer.saturating_add(u32::from(name.is_some()));
        if let Some(name) = name {
            self.found.symbols.push(Symbol {
                offset,
                name,
                chunk: self.chunks.checked_sub(1),
                contained: signature.regions == 0,
                depth,
                references: Some(Vec::new()),
            });
        }
        let mut references = NO_REFERENCES;
        for &(class, number) in head.template.entries.iter().chain(&head.entries) {
            references = self.sets.with(references, class, number);
        }
        self.refer(references, name.is_some());
        if signature.regions > 0 {
            self.open.push(Open {
                symbol: name.map(|_| before),
                depth,
                offset,
                before: [
                    self.operations,
                    self.chunks,
                    self.found.symbols.len() as u64,
                ],
                first: base,
                uses: None,
            });
        }
        self.operations = self.operations.saturating_add(1);
        self.values = self.values.saturating_add(signature.results);
        Ok(())
    }

    fn chunk(&mut self) -> Result<()> {
        self.chunks = self.chunks.saturating_add(1);
        Ok(())
    }

    fn block(&mut self, list: Option<u64>, arguments: u64) -> Result<()> {
        if let Some(list) = list {
            let mut references = NO_REFERENCES;
            for ty in self.views.list_types(list)? {
                references = self.sets.with(references, Class::Type, ty);
            }
            self.refer(references, false);
        }
        self.values = self.values.saturating_add(arguments);
        Ok(())
    }

    fn leave(&mut self) -> Result<()> {
        let Some(left) = self.open.pop() else {
            return Ok(());
        };
        let [operations, chunks, symbols] = left.before;
        let operations = self.operations.saturating_sub(operations);
        if self.chunks > 0
            && self.chunks == chunks
            && self.found.symbols.len() as u64 > symbols
            && operations > UNDIVIDED.into()
        {
            let message = format!(
                "an operation of {operations} operations with symbols is not divided into chunks"
            );
            let error = Error::at(ErrorKind::Malformed, left.offset, message);
            let name = section::name(section::OPERATIONS).unwrap_or_default();
            return Err(error.with_section(name));
        }
        let symbol = left.symbol.and_then(|at| self.found.symbols.get_mut(at));
        if let Some(symbol) = symbol {
            let end = signed(self.values);
            symbol.contained = left
                .uses
                .is_none_or(|(least, most)| least >= left.first && most < end);
            if !symbol.contained {
                let references = symbol.references.take();
                self.refer_to_innermost(references.as_deref());
            }
        }
        if let (Some(uses), Some(around)) = (left.uses, self.open.last_mut()) {
            merge(&mut around.uses, uses);
        }
        Ok(())
    }
}
