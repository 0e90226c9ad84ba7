//! Builds the index again from the operations, by the rules of section 3.8 of `spec/rmbc.md`.

use crate::rmbc::locations::Last;
use crate::rmbc::structure::{Head, Structure};
use crate::rmbc::views::{Point, Views};
use crate::rmbc::walk::{Visitor, walk};
use rmlir_format::rmbc::index::{Index, IndexBuilder};
use rmlir_format::rmbc::{GROUP, section};
use rmlir_format::{Reader, Result};

/// A symbol: an operation with a name, and without operands, results and successors.
pub(super) struct Symbol {
    /// Its position among all operations.
    operation: u64,
    /// Offset in the section of operations.
    pub(super) offset: u64,
    /// The string of its name.
    pub(super) name: u64,
    /// No operation in it uses a value from outside.
    pub(super) contained: bool,
    /// How many symbols it is in, itself included.
    pub(super) depth: u32,
}

/// The symbols of a file, and the operations whose blocks the index cuts.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) symbols: Vec<Symbol>,
    /// Positions among all operations, ascending.
    large: Vec<u64>,
}

impl Symbols {
    /// Those of a file. O(operations and operands).
    pub(super) fn of(views: &Views, structure: &mut Structure) -> Result<Self> {
        let mut collector = Collector {
            views,
            found: Symbols::default(),
            operations: 0,
            values: 0,
            open: Vec::new(),
        };
        walk(views, structure, &mut collector)?;
        let mut found = collector.found;
        found.large.sort_unstable();
        Ok(found)
    }

    /// Returns the index that the operations require. O(operations and operands).
    pub(super) fn index(&self, views: &Views, structure: &mut Structure) -> Result<Index> {
        let locations = views.store.section(section::LOCATIONS);
        let bytes = locations.map(|section| section.all()).transpose()?;
        let locations = locations.as_ref().zip(bytes.as_ref());
        let mut indexer = Indexer {
            symbols: self
                .symbols
                .iter()
                .filter(|symbol| symbol.contained)
                .peekable(),
            large: self.large.iter().peekable(),
            index: IndexBuilder::default(),
            locations: locations
                .map(|(section, bytes)| Reader::with_base(bytes, section.offset(), section.name())),
            point: Point::default(),
            operations: 0,
            stack: Vec::new(),
        };
        walk(views, structure, &mut indexer)?;
        if let Some(locations) = &indexer.locations {
            locations.expect_end()?;
        }
        Ok(indexer.index.finish())
    }
}

/// An operation with regions that was entered and not left.
struct Open {
    operation: u64,
    /// How many symbols were found before those in it.
    symbols: usize,
    /// Its position in the list of symbols, if it is one.
    symbol: Option<usize>,
    /// How many symbols its operations are in.
    depth: u32,
    /// The number of the first value in it, and the least and greatest numbers of the values used
    /// in it.
    first: i64,
    uses: Option<(i64, i64)>,
}

struct Collector<'v> {
    views: &'v Views,
    found: Symbols,
    operations: u64,
    values: u64,
    open: Vec<Open>,
}

impl Collector<'_> {
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
        let form = &head.shape.form;
        let base = signed(self.values);
        if let (Some((least, most)), Some(open)) = (head.uses, self.open.last_mut()) {
            let uses = (base.saturating_add(least), base.saturating_add(most));
            merge(&mut open.uses, uses);
        }
        let is_top = self.operations == 0;
        let is_closed = form.operands == 0 && form.results == 0 && form.successors == 0;
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
                operation: self.operations,
                offset,
                name,
                contained: form.regions == 0,
                depth,
            });
        }
        if form.regions > 0 {
            self.open.push(Open {
                operation: self.operations,
                symbols: self.found.symbols.len(),
                symbol: name.map(|_| before),
                depth,
                first: base,
                uses: None,
            });
        }
        self.operations = self.operations.saturating_add(1);
        self.values = self.values.saturating_add(form.results);
        Ok(())
    }

    fn block(&mut self, arguments: u64) -> Result<()> {
        self.values = self.values.saturating_add(arguments);
        Ok(())
    }

    fn leave(&mut self) -> Result<()> {
        let Some(left) = self.open.pop() else {
            return Ok(());
        };
        let inside = self.operations.saturating_sub(left.operation);
        if self.found.symbols.len() > left.symbols && inside > GROUP.into() {
            self.found.large.push(left.operation);
        }
        let symbol = left.symbol.and_then(|at| self.found.symbols.get_mut(at));
        if let Some(symbol) = symbol {
            let end = signed(self.values);
            symbol.contained = left
                .uses
                .is_none_or(|(least, most)| least >= left.first && most < end);
        }
        if let (Some(uses), Some(around)) = (left.uses, self.open.last_mut()) {
            merge(&mut around.uses, uses);
        }
        Ok(())
    }
}

struct Indexer<'a, S: Iterator<Item = &'a Symbol>, L: Iterator<Item = &'a u64>> {
    symbols: std::iter::Peekable<S>,
    large: std::iter::Peekable<L>,
    index: IndexBuilder<u64, u64>,
    locations: Option<Reader<'a>>,
    point: Point,
    operations: u64,
    /// Operations with regions that were entered and not left, and the block of them that is
    /// entered.
    stack: Vec<(u64, Option<u64>)>,
}

impl<'a, S, L> Indexer<'a, S, L>
where
    S: Iterator<Item = &'a Symbol>,
    L: Iterator<Item = &'a u64>,
{
    fn location(&mut self) -> Result<()> {
        match &mut self.locations {
            Some(input) => self.point.state.advance(input),
            None => Ok(()),
        }
    }
}

impl<'a, S, L> Visitor for Indexer<'a, S, L>
where
    S: Iterator<Item = &'a Symbol>,
    L: Iterator<Item = &'a u64>,
{
    fn operation(&mut self, offset: u64, head: &Head) -> Result<()> {
        let operation = self.operations;
        let block = self.stack.last().and_then(|&(_, block)| block);
        if self.index.begins_group(block, operation) {
            let locations = self.locations.as_ref();
            self.point.offset = offset;
            self.point.location = locations.map_or(0, |input| input.position() as u64);
            self.index.begin_group(operation, self.point.of_index());
            // The first location of a group is never encoded as a repetition of the preceding one.
            self.point.state.last = Last::None;
        }
        if let Some(symbol) = self.symbols.next_if(|symbol| symbol.operation == operation) {
            self.index.add(symbol.name);
        }
        if self.large.next_if_eq(&&operation).is_some() {
            self.index.enter(operation, offset);
        }
        self.operations = operation.saturating_add(1);
        let form = &head.shape.form;
        self.point.values = self.point.values.saturating_add(form.results);
        self.location()?;
        if form.regions > 0 {
            self.stack.push((operation, None));
        }
        Ok(())
    }

    fn block(&mut self, arguments: u64) -> Result<()> {
        let number = self.point.blocks;
        self.point.blocks = number.saturating_add(1);
        if let Some((operation, block)) = self.stack.last_mut() {
            *block = Some(number);
            self.index.block(number, Some(*operation));
        }
        self.point.values = self.point.values.saturating_add(arguments);
        match self.locations {
            Some(_) => (0..arguments).try_for_each(|_| self.location()),
            None => Ok(()),
        }
    }

    fn leave(&mut self) -> Result<()> {
        if let Some((operation, _)) = self.stack.pop() {
            let block = self.stack.last().and_then(|&(_, block)| block);
            self.index.leave(operation, block);
        }
        Ok(())
    }
}
