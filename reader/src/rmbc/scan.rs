//! Locates symbols by walking operations, decoding only their names.
//!
//! With an index, only chunks of operations are walked, and what follows the head of a chunk's last
//! operation is not examined.

mod structure;

use super::NumberMap;
use super::lazy_entries::inconsistent;
use super::structure::{Head, Structure, SymbolNames};
use super::table_views::{Point, TableViews};
use super::walk::{Visitor, walk};
use crate::lazy::{Symbol, SymbolPath};
use rmlir_format::rmbc::index::Chunk;
use rmlir_format::rmbc::section;
use rmlir_format::{Error, ErrorKind, Limits, Reader, Result};
use rmlir_ir::{Context, OperationTraits, Visibility};
use std::collections::BTreeMap;
use std::sync::Arc;
use structure::StructureScan;

/// How many bytes of a chunk are examined first.
const WINDOW: u64 = 1 << 14;

/// Denotes the top-level operation, which is in no chunk.
const TOP: u64 = u64::MAX;

/// An operation that can be read alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub(super) point: Point,
    /// Whether the position in the stream of locations is known.
    has_location: bool,
    /// The latest possible end of its content, in the sections of operations and locations.
    pub(super) end: u64,
    pub(super) location_end: u64,
    /// Whether it has neither operands nor results nor successors.
    pub(super) is_closed: bool,
    is_leaf: bool,
}

/// A symbol, or a top-level operation that is not a symbol.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) spot: Spot,
    /// The symbol table that it is in.
    pub(super) table: u32,
    /// `None` if it is not a symbol.
    pub(super) name: Option<Arc<[u8]>>,
    operation: Arc<[u8]>,
    visibility: Visibility,
    bytes: u64,
    /// Whether nothing in it uses values from outside.
    pub(super) is_contained: bool,
    unit: bool,
    /// The number of the symbol table that the operation is.
    inner: Option<u32>,
}

/// A symbol table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) spot: Spot,
    /// The symbol that it is; `None` for the top.
    pub(super) node: Option<u64>,
    /// Whether it has one region of one block without arguments, and neither operands nor results
    /// nor successors.
    is_simple: bool,
    /// Whether its definition states that its block has no terminator.
    has_none: bool,
    /// The number of its last chunk, if its blocks are divided into chunks.
    last_chunk: Option<u64>,
    /// The last operation seen in it, and whether it is known to be a terminator.
    last: Option<(Spot, bool)>,
    /// Offsets of symbols.
    symbols: Vec<u64>,
}

/// The cached data of an operation name.
#[derive(Clone)]
struct Name {
    bytes: Arc<[u8]>,
    traits: Option<OperationTraits>,
}

/// Counts operations by the string of their name: the position of its first use, and the count.
#[derive(Default)]
struct Counter {
    counts: NumberMap<u64, (usize, u64)>,
}

impl Visitor for Counter {
    fn operation(&mut self, _: u64, head: &Head) -> Result<()> {
        let next = self.counts.len();
        let (_, count) = self
            .counts
            .entry(head.template.signature.name)
            .or_insert((next, 0));
        *count = count.saturating_add(1);
        Ok(())
    }
}

/// The results so far.
pub(super) struct Scan {
    pub(super) views: Arc<TableViews>,
    pub(super) structure: Structure,
    names: NumberMap<u64, Name>,
    /// The found symbols and symbol tables by their offsets.
    pub(super) nodes: BTreeMap<u64, Node>,
    pub(super) tables: Vec<Table>,
    /// By offset of the operation.
    table_at: NumberMap<u64, u32>,
    /// The last chunk directly in a chunk, or in the top-level operation, as far as it was needed.
    last_in: NumberMap<Option<u64>, u64>,
    /// By chunk: the symbol table that its last operation is, whose blocks are divided into chunks.
    table_in: NumberMap<u64, u32>,
    /// The chunks that were walked, and whether with locations; without an index, the whole is
    /// chunk 0.
    passed: NumberMap<u64, bool>,
    /// The ascending chunks of each requested name, by the number of its string.
    chunks_of: NumberMap<u64, Arc<[u64]>>,
    limits: Limits,
}

impl Scan {
    /// Creates a scan that has walked nothing yet. `definitions` knows dialects.
    pub(super) fn new(views: Arc<TableViews>, definitions: Context, limits: Limits) -> Self {
        Scan {
            structure: Structure::new(views.clone(), SymbolNames::Declared(Box::new(definitions))),
            views,
            names: NumberMap::default(),
            nodes: BTreeMap::new(),
            tables: Vec::new(),
            table_at: NumberMap::default(),
            last_in: NumberMap::default(),
            table_in: NumberMap::default(),
            passed: NumberMap::default(),
            chunks_of: NumberMap::default(),
            limits,
        }
    }

    /// Walks all chunks, or all operations without an index.
    pub(super) fn all(&mut self) -> Result<()> {
        let views = self.views.clone();
        let Some(index) = &views.index else {
            return self.chunk(0, true);
        };
        (0..index.chunks.count).try_for_each(|chunk| self.chunk(chunk, false))
    }

    /// Walks a chunk, and the chunks around it that are needed to decide whether its operations are
    /// in symbol tables.
    ///
    /// `locations` if positions in the stream of locations are needed.
    pub(super) fn chunk(&mut self, number: u64, locations: bool) -> Result<()> {
        let views = self.views.clone();
        if self
            .passed
            .get(&number)
            .is_some_and(|&had| had || !locations)
        {
            return Ok(());
        }
        let Some(index) = &views.index else {
            let point = Point {
                offset: views.totals.start,
                ..Point::default()
            };
            self.pass(point, Some(1), None, None, true)?;
            self.passed.insert(number, true);
            return Ok(());
        };
        self.top()?;
        // The chunks around it, outermost last.
        let mut chain = vec![(number, index.chunk(&views.store, number)?)];
        while let Some(&(_, chunk)) = chain.last()
            && let Some(parent) = chunk.parent
            && !self.passed.contains_key(&parent)
        {
            chain.push((parent, index.chunk(&views.store, parent)?));
        }
        while let Some((number, chunk)) = chain.pop() {
            let table = match chunk.parent {
                None => Some(0),
                Some(parent) => self.table_in.get(&parent).copied(),
            };
            // Others are in no symbol table.
            if let Some(table) = table {
                self.pass_chunk(number, &chunk, table, locations)?;
            }
            self.passed.insert(number, locations);
        }
        Ok(())
    }

    #[cold]
    fn broken(&self) -> Error {
        let section = self.views.store.section(section::INDEX);
        let offset = section.map_or(0, |section| section.offset());
        inconsistent(&Reader::with_base(&[], offset, "index"))
    }

    /// Adds the table of the top.
    fn top(&mut self) -> Result<()> {
        if !self.tables.is_empty() {
            return Ok(());
        }
        let point = Point {
            offset: self.views.totals.start,
            ..Point::default()
        };
        self.pass(point, Some(1), None, Some(TOP), true)
    }

    fn pass_chunk(
        &mut self,
        number: u64,
        chunk: &Chunk,
        table: u32,
        locations: bool,
    ) -> Result<()> {
        let has_locations = self.views.store.section(section::LOCATIONS).is_some();
        let start = Point {
            offset: chunk.offset,
            // Offsets in a section that was left out are ignored.
            location: if has_locations { chunk.location } else { 0 },
            segment: number.saturating_add(1),
            ..Point::default()
        };
        self.pass(start, None, Some(table), Some(number), locations)
    }

    /// Walks the given number of operations of a block from `start` on; a chunk if there is none.
    ///
    /// `chunk` is the number of the chunk, if there is an index; [`TOP`] for the top, of which only
    /// the head is walked.
    fn pass(
        &mut self,
        start: Point,
        operations: Option<u64>,
        table: Option<u32>,
        chunk: Option<u64>,
        locations: bool,
    ) -> Result<()> {
        let views = self.views.clone();
        let Some(operations_section) = views.store.section(section::OPERATIONS) else {
            return Err(self.broken());
        };
        let stream = views
            .store
            .section(section::LOCATIONS)
            .filter(|_| locations);
        let (mut end, mut location_end) = (
            operations_section.len(),
            views
                .store
                .section(section::LOCATIONS)
                .map_or(0, |s| s.len()),
        );
        if let (Some(number), Some(index)) = (chunk, &views.index) {
            let next = number.wrapping_add(1);
            if next < index.chunks.count {
                let stated = index.chunk(&views.store, next)?;
                end = stated.offset;
                if location_end > 0 {
                    location_end = stated.location;
                }
            }
        }
        if start.offset > end || start.location > location_end {
            return Err(self.broken());
        }
        let mut window = match chunk {
            Some(_) => WINDOW,
            None => u64::MAX,
        };
        loop {
            let cut = |from: u64, end: u64| end.min(from.saturating_add(window));
            let (to, location_to) = (cut(start.offset, end), cut(start.location, location_end));
            let bytes = operations_section.range(start.offset..to)?;
            let location_bytes = match &stream {
                Some(stream) => Some(stream.range(start.location..location_to)?),
                None => None,
            };
            let base = operations_section.offset().saturating_add(start.offset);
            let tables = self.tables.len();
            let mut pass = StructureScan {
                input: Reader::with_base(&bytes, base, operations_section.name()),
                locations: stream
                    .as_ref()
                    .zip(location_bytes.as_ref())
                    .map(|(stream, bytes)| {
                        let base = stream.offset().saturating_add(start.location);
                        Reader::with_base(bytes, base, stream.name())
                    }),
                has_locations: locations,
                point: start,
                base: start.offset,
                location_base: start.location,
                end,
                location_end,
                stack: Vec::new(),
                chunk,
                left: None,
                nodes: Vec::new(),
                scan: self,
            };
            let passed = pass.run(operations, table);
            let nodes = std::mem::take(&mut pass.nodes);
            match passed {
                Ok(()) => {
                    for (offset, node) in nodes {
                        let table = node.table;
                        if self.nodes.insert(offset, node).is_none()
                            && let Some(table) = self.tables.get_mut(table as usize)
                        {
                            table.symbols.push(offset);
                        }
                    }
                    return Ok(());
                }
                Err(error) => {
                    for table in self.tables.drain(tables..) {
                        self.table_at.remove(&table.spot.point.offset);
                    }
                    let is_short = error.kind() == ErrorKind::Truncated
                        && (to < end || location_to < location_end);
                    if !is_short {
                        return Err(error);
                    }
                    window = window.saturating_mul(4);
                }
            }
        }
    }

    /// Returns the number of operations of each name, in the order of their first use. Walks all
    /// operations.
    pub(super) fn count(&mut self) -> Result<Vec<(Arc<[u8]>, u64)>> {
        let mut counter = Counter::default();
        walk(&self.views, &mut self.structure, &mut counter)?;
        let counts = counter.counts;
        let mut counts: Vec<(u64, (usize, u64))> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|&(_, (place, _))| place);
        let named = counts.into_iter().map(|(name, (_, count))| {
            let name = self.structure.string(name)?;
            Ok((name, count))
        });
        named.collect()
    }

    /// Returns the cached data of an operation name, given the number of its string.
    fn name(&mut self, number: u64) -> Result<Name> {
        if let Some(name) = self.names.get(&number) {
            return Ok(name.clone());
        }
        let bytes = self.structure.string(number)?;
        let traits = self.structure.definitions().and_then(|definitions| {
            let operation = definitions.operation_name(&bytes);
            definitions.operation_traits(operation)
        });
        let name = Name { traits, bytes };
        self.names.insert(number, name.clone());
        Ok(name)
    }

    /// Returns whether a path is that of a symbol. O(names).
    fn has_path(&self, node: &Node, path: &SymbolPath) -> bool {
        let mut path = Some(path.clone());
        let mut node = Some(node);
        while let (Some(names), Some(symbol)) = (&path, node) {
            if names.name() != symbol.name.as_ref() {
                return false;
            }
            let table = self.tables.get(symbol.table as usize);
            node = table.and_then(|table| self.nodes.get(&table.node?));
            path = names.parent();
        }
        path.is_none() && node.is_none()
    }

    /// Returns the listed data of a symbol.
    pub(super) fn symbol(&self, offset: u64, node: &Node, path: SymbolPath) -> Symbol {
        Symbol {
            path,
            operation: node.operation.clone(),
            visibility: node.visibility,
            bytes: node.bytes,
            isolated: node.is_contained,
            unit: node.unit,
            place: offset,
        }
    }

    /// Returns all symbols found; those of a table follow those of the enclosing table.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = Vec::with_capacity(self.nodes.len());
        // Tables whose symbols are still to be listed, the next one last.
        let mut open = vec![(0u32, SymbolPath::default())];
        while let Some((table, path)) = open.pop() {
            let Some(table) = self.tables.get(table as usize) else {
                continue;
            };
            let first = open.len();
            let mut offsets = table.symbols.clone();
            offsets.sort_unstable();
            for offset in offsets {
                let Some(node) = self.nodes.get(&offset) else {
                    continue;
                };
                let Some(name) = node.name.clone() else {
                    continue;
                };
                let path = path.child(name);
                if let Some(table) = node.inner {
                    open.push((table, path.clone()));
                }
                symbols.push(self.symbol(offset, node, path));
            }
            if let Some(inner) = open.get_mut(first..) {
                inner.reverse();
            }
        }
        symbols
    }

    /// Returns the chunks with symbols of a name, which is a string, in ascending order. Memoized,
    /// since names of symbols may repeat.
    pub(super) fn chunks_of(&mut self, string: u64) -> Result<Arc<[u64]>> {
        if let Some(chunks) = self.chunks_of.get(&string) {
            return Ok(chunks.clone());
        }
        let chunks: Arc<[u64]> = match &self.views.index {
            Some(index) => index.chunks_of_name(&self.views.store, string)?.into(),
            None => [].into(),
        };
        self.chunks_of.insert(string, chunks.clone());
        Ok(chunks)
    }

    /// Returns all top-level operations that are not symbols, of the chunks walked.
    pub(super) fn unnamed(&self) -> Vec<Symbol> {
        let unnamed = self.nodes.iter().filter(|(_, node)| node.name.is_none());
        unnamed
            .map(|(&offset, node)| self.symbol(offset, node, SymbolPath::default()))
            .collect()
    }

    /// Returns the symbol with a path, by the index. `None` if there is no index, or the symbol is
    /// not in it.
    pub(super) fn find(&mut self, path: &SymbolPath) -> Result<Option<Symbol>> {
        let views = self.views.clone();
        let (Some(index), Some(name)) = (&views.index, path.name()) else {
            return Ok(None);
        };
        let Some(string) = views.symbol_string(name)? else {
            return Ok(None);
        };
        for &chunk in self.chunks_of(string)?.iter() {
            // A caller that looks for a symbol is going to read it.
            self.chunk(chunk, true)?;
            let (start, _) = index.start(&views.store, chunk)?;
            let (end, _) = index.start(&views.store, chunk.saturating_add(1))?;
            // The index may be wrong.
            let mut inside = self.nodes.range(start..end.max(start));
            let found = inside
                .find(|(_, node)| node.name.as_ref() == Some(name) && self.has_path(node, path));
            if let Some((&offset, node)) = found {
                return Ok(Some(self.symbol(offset, node, path.clone())));
            }
        }
        Ok(None)
    }

    /// Returns the symbol at an offset, with its position in the stream of locations, if there is
    /// one.
    pub(super) fn located(&mut self, offset: u64) -> Result<Option<Node>> {
        let views = self.views.clone();
        let known = |scan: &Self| {
            let node = scan.nodes.get(&offset);
            node.filter(|node| node.spot.has_location).cloned()
        };
        if let Some(node) = known(self) {
            return Ok(Some(node));
        }
        let chunk = match &views.index {
            None => 0,
            Some(index) => match index.chunk_at(&views.store, offset)? {
                Some(chunk) => chunk,
                None => return Ok(None),
            },
        };
        self.chunk(chunk, true)?;
        Ok(known(self))
    }

    /// Returns the table around another one, located, if only the head and the terminator of
    /// `number` must be read for its contents.
    ///
    /// The outer `None` if more must be read, the inner one for the top. O(1), except for chunks
    /// that were not walked.
    pub(super) fn around(&mut self, number: u32) -> Result<Option<Option<u32>>> {
        let Some(table) = self.tables.get(number as usize) else {
            return Ok(None);
        };
        if !table.is_simple {
            return Ok(None);
        }
        let (node, spot) = (table.node, table.spot);
        if let Some(chunk) = table.last_chunk.filter(|_| !table.has_none) {
            self.chunk(chunk, true)?;
        }
        let Some(node) = node else {
            return Ok(Some(None));
        };
        let Some(outer) = self.located(node)? else {
            return Ok(None);
        };
        if !spot.has_location
            && let Some(table) = self.tables.get_mut(number as usize)
        {
            table.spot = Spot {
                end: spot.end,
                location_end: spot.location_end,
                ..outer.spot
            };
        }
        Ok(Some(Some(outer.table)))
    }

    /// Returns the terminator of a table's block, as far as it is known to be one, and whether it
    /// can be read alone.
    pub(super) fn terminator(&self, table: u32) -> Option<(Spot, bool)> {
        let table = self.tables.get(table as usize)?;
        let (spot, is_terminator) = table.last?;
        (is_terminator && !table.has_none).then_some((spot, spot.is_closed && spot.is_leaf))
    }
}
