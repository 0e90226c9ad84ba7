//! Locates the symbols of a file in one pass over its operations that decodes only names.
//!
//! Loadable symbols that cannot be symbol tables are skipped.

use super::session::Session;
use super::symbols::{Found, SymbolKeys};
use crate::lazy::{Symbol, SymbolPath};
use crate::lookup::{lookup, malformed, placed};
use rmlir_format::mlirbc::{operation_mask as mask, read_section, section};
use rmlir_format::{Input, Result, check_limit};
use rmlir_ir::{Identifier, OperationName, OperationTraits, Visibility};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The symbols and statistics of a file.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Symbols in listing order. Their `place` is the index in `nodes`.
    pub(super) symbols: Vec<Symbol>,
    /// Top-level operations that are not symbols, in file order.
    pub(super) unnamed: Vec<Symbol>,
    /// The operations that are symbols, and the top-level ones that are not.
    pub(super) nodes: Vec<Node>,
    pub(super) tables: Vec<Table>,
    /// Whether the first table is that of the top-level operations, with no module around them.
    pub(super) top_is_made: bool,
    /// The number of operations whose names are not known, since their property layouts are not.
    pub(super) undecided: u64,
    /// The number of operations of each name that were walked.
    pub(super) operations: Vec<(Arc<[u8]>, u64)>,
    /// The numbers of regions, blocks, and results and arguments that were walked.
    pub(super) regions: u64,
    pub(super) blocks: u64,
    pub(super) values: u64,
}

/// An operation in a symbol table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The offset of the operation.
    pub(super) start: u64,
    /// The symbol table that it is in.
    pub(super) table: u32,
    /// Its region, block and number there.
    pub(super) region: u32,
    pub(super) block: u32,
    pub(super) number: u32,
    /// Whether it has neither operands nor results nor successors.
    pub(super) is_closed: bool,
}

/// A symbol, or a top-level operation that is not a symbol.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    /// `None` if it is not a symbol.
    pub(super) name: Option<Arc<[u8]>>,
    operation: Arc<[u8]>,
    visibility: Visibility,
    bytes: u64,
    isolated: bool,
    unit: bool,
    /// The table that it is, or may be.
    table: Option<u32>,
}

impl Node {
    fn symbol(&self, path: SymbolPath, place: u64) -> Symbol {
        Symbol {
            path,
            operation: self.operation.clone(),
            visibility: self.visibility,
            bytes: self.bytes,
            isolated: self.isolated,
            unit: self.unit,
            place,
        }
    }
}

/// An operation whose symbols are listed.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The offset of the operation, and its position; the implicit top has no position.
    pub(super) start: u64,
    pub(super) place: Option<Place>,
    /// Whether it has one region of one block without arguments, and no operands, results or
    /// successors, and the same holds for the enclosing operations.
    pub(super) is_simple: bool,
    /// The offsets of operations that are known to be terminators.
    pub(super) terminators: Vec<u64>,
    symbols: Vec<u32>,
}

impl Index {
    /// Counts the module that is made around the top-level operations.
    pub(super) fn count_made_top(&mut self) {
        const MODULE: &[u8] = b"builtin.module";
        self.regions = self.regions.saturating_add(1);
        self.blocks = self.blocks.saturating_add(1);
        let mut known = self.operations.iter_mut();
        match known.find(|(name, _)| **name == *MODULE) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.operations.push((MODULE.into(), 1)),
        }
    }
}

/// The extent of an operation.
pub(super) struct Span {
    pub(super) start: u64,
    /// Its end; for an operation around others, where its regions begin, or their section.
    pub(super) end: u64,
    pub(super) isolated: bool,
    pub(super) regions: u64,
    /// For an operation around others: the number of values its region declares, and whether the
    /// region is in a section.
    pub(super) values: u64,
    pub(super) has_section: bool,
}

/// An operation up to its regions.
struct Head {
    start: u64,
    name: u32,
    operation: OperationName,
    attributes: Option<u64>,
    properties: Option<u64>,
    regions: u64,
    isolated: bool,
    is_closed: bool,
}

/// An operation whose regions are not all walked yet.
struct Frame<I> {
    regions: u64,
    blocks: u64,
    operations: u64,
    /// The table whose symbols are collected.
    table: Option<u32>,
    /// Whether the table is one only if its region has one block.
    must_be_single: bool,
    /// How many regions, blocks of the region, and operations of the block were begun.
    begun: [u32; 3],
    /// The index of the symbol that the operation is.
    node: Option<usize>,
    outside: Option<I>,
}

/// Skips the orders of the uses of that number of values.
pub(super) fn skip_use_lists(input: &mut impl Input, values: u64) -> Result<()> {
    let records = match values {
        0 | 1 => 1,
        _ => input.prefix_count(3)?,
    };
    for _ in 0..records {
        if values > 1 {
            input.prefix_varint()?;
        }
        let (indices, _) = input.prefix_flagged_varint()?;
        skip_numbers(input, indices)?;
    }
    Ok(())
}

/// Skips `count` numbers. Ends at the latest where the bytes do.
fn skip_numbers(input: &mut impl Input, count: u64) -> Result<()> {
    (0..count).try_for_each(|_| input.prefix_varint().map(drop))
}

/// Walks the operations of a file.
pub(super) struct Scanner<'s, 'c, 'a, I: Input> {
    session: &'s mut Session<'c, 'a, I>,
    input: I,
    /// Whether nothing is skipped.
    is_whole: bool,
    /// Determines which releases may have written the file, when that matters.
    decide: &'s dyn Fn() -> Option<Vec<bool>>,
    index: Index,
    stack: Vec<Frame<I>>,
    names: Vec<Option<Arc<[u8]>>>,
    counts: Vec<u64>,
    symbol_names: HashMap<Identifier, Arc<[u8]>>,
    /// The symbol keys by the number of an operation's name.
    keys: HashMap<u32, Arc<SymbolKeys>>,
    blobs: HashMap<(u32, u64), Option<[Found; 2]>>,
    /// The pairs of names and blobs that were met, if nothing is skipped.
    met: HashSet<(u32, u64)>,
}

impl<'s, 'c, 'a, I: Input> Scanner<'s, 'c, 'a, I> {
    pub(super) fn new(
        session: &'s mut Session<'c, 'a, I>,
        is_whole: bool,
        decide: &'s dyn Fn() -> Option<Vec<bool>>,
    ) -> Self {
        let names = session.tables.names.len();
        Scanner {
            input: session.ir.clone(),
            session,
            is_whole,
            decide,
            index: Index::default(),
            stack: Vec::new(),
            names: vec![None; names],
            counts: vec![0; names],
            symbol_names: HashMap::new(),
            keys: HashMap::new(),
            blobs: HashMap::new(),
            met: HashSet::new(),
        }
    }

    /// Returns the index. O(bytes) that are not skipped.
    pub(super) fn scan(mut self) -> Result<Index> {
        self.run()?;
        Ok(self.index)
    }

    /// Returns the index, and each pair of a name's number and a blob of properties that was met.
    pub(super) fn survey(mut self) -> Result<(Index, Vec<(u32, u64)>)> {
        self.run()?;
        let mut met: Vec<(u32, u64)> = self.met.into_iter().collect();
        met.sort_unstable();
        Ok((self.index, met))
    }

    /// Returns the extent of the operation at an offset. An operation around others has one region.
    pub(super) fn span(&mut self, start: u64, is_around: bool) -> Result<Span> {
        let mut ir = self.session.ir.clone();
        ir.skip(start.saturating_sub(ir.offset()))?;
        self.input = ir;
        self.stack.clear();
        let head = self.head()?;
        let mut span = Span {
            start,
            end: self.input.offset(),
            isolated: head.isolated,
            regions: head.regions,
            values: 0,
            has_section: self.is_unit(&head),
        };
        if span.has_section {
            // Each region takes a byte of it at least; nothing follows that might be taken for
            // more.
            let (_, inside) = read_section(&mut self.input.clone())?;
            let within = check_limit("bytes left for regions", head.regions, inside.remaining());
            placed(&inside, span.end, within)?;
        }
        if is_around {
            if span.has_section {
                (_, self.input) = read_section(&mut self.input)?;
            }
            if self.input.prefix_count(1)? > 0 {
                span.values = self.input.prefix_varint()?;
            }
        } else {
            self.open(&head, None, false, None)?;
            self.pass()?;
            span.end = self.input.offset();
        }
        Ok(span)
    }

    /// Returns a range of the bytes of the operations.
    pub(super) fn bytes(&self, range: Range<u64>) -> Result<I::Bytes> {
        let mut input = self.session.ir.clone();
        input.skip(range.start.saturating_sub(input.offset()))?;
        input.bytes(range.end.saturating_sub(range.start))
    }

    fn run(&mut self) -> Result<()> {
        let at = self.input.offset();
        let (count, has_arguments) = self.input.prefix_flagged_varint()?;
        if has_arguments {
            let message = "the block of the top-level operations has arguments";
            return Err(malformed(&self.input, at, message));
        }
        for number in 0..count {
            let head = self.head()?;
            let is_module = self
                .session
                .tables
                .context
                .operation_name_bytes(head.operation)
                == b"builtin.module";
            if number == 0 {
                self.index.top_is_made = count != 1 || !is_module;
                self.index.tables.push(Table {
                    start: head.start,
                    place: None,
                    is_simple: self.index.top_is_made || head.is_closed && head.regions == 1,
                    ..Table::default()
                });
            }
            if self.index.top_is_made {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                self.listed(&head, 0, [0, 0, number])?;
            } else {
                self.open(&head, Some(0), false, None)?;
            }
            self.nested()?;
        }
        self.input.expect_end()?;
        self.emit();
        let operations = self.counts.iter().zip(0u32..);
        let operations: Vec<(u64, u32)> = operations.map(|(&count, name)| (count, name)).collect();
        for (count, name) in operations {
            let name = self.name(name);
            self.index.operations.push((name, count));
        }
        Ok(())
    }

    fn nested(&mut self) -> Result<()> {
        while let Err(error) = self.pass() {
            // An error in a loadable symbol is ignored if it may not be a symbol table: that it
            // contains symbols was only a guess.
            let unit = self.stack.iter().rposition(|frame| frame.outside.is_some());
            let Some(unit) = unit.filter(|_| !self.is_whole) else {
                return Err(error);
            };
            self.stack.truncate(unit.saturating_add(1));
            match self.stack.pop() {
                Some(Frame {
                    must_be_single: true,
                    outside: Some(outside),
                    node,
                    ..
                }) => {
                    self.input = outside;
                    self.passed(node);
                }
                _ => return Err(error),
            }
        }
        Ok(())
    }

    /// Records the length of a symbol that was walked completely.
    fn passed(&mut self, node: Option<usize>) {
        let end = self.input.offset();
        if let Some(node) = node.and_then(|node| self.index.nodes.get_mut(node)) {
            node.bytes = end.saturating_sub(node.place.start);
        }
    }

    fn pass(&mut self) -> Result<()> {
        while let Some(frame) = self.stack.last_mut() {
            if let Some(left) = frame.operations.checked_sub(1) {
                frame.operations = left;
                let [region, block, number] = frame.begun;
                let table = frame.table;
                frame.begun = [region, block, number.saturating_add(1)];
                let head = self.head()?;
                match table {
                    Some(table) => {
                        let place = [region.saturating_sub(1), block.saturating_sub(1), number];
                        self.listed(&head, table, place)?;
                    }
                    None => self.open(&head, None, false, None)?,
                }
            } else if let Some(left) = frame.blocks.checked_sub(1) {
                frame.blocks = left;
                let [region, block, _] = frame.begun;
                frame.begun = [region, block.saturating_add(1), 0];
                self.block()?;
            } else if let Some(left) = frame.regions.checked_sub(1) {
                frame.regions = left;
                let [region, ..] = frame.begun;
                frame.begun = [region.saturating_add(1), 0, 0];
                self.region()?;
            } else {
                let node = frame.node;
                if frame.outside.is_some() {
                    self.input.expect_end()?;
                }
                if let Some(outside) = frame.outside.take() {
                    self.input = outside;
                }
                self.stack.pop();
                self.passed(node);
            }
        }
        Ok(())
    }

    fn region(&mut self) -> Result<()> {
        let blocks = self.input.prefix_count(1)? as u64;
        if blocks > 0 {
            self.input.prefix_varint()?;
        }
        self.index.regions = self.index.regions.saturating_add(1);
        self.index.blocks = self.index.blocks.saturating_add(blocks);
        if let Some(frame) = self.stack.last_mut() {
            frame.blocks = blocks;
            let table = frame
                .table
                .and_then(|table| self.index.tables.get_mut(table as usize));
            if let Some(table) = table
                && blocks != 1
            {
                table.is_simple = false;
                if frame.must_be_single {
                    frame.table = None;
                }
            }
        }
        Ok(())
    }

    fn block(&mut self) -> Result<()> {
        let (operations, has_arguments) = self.input.prefix_flagged_varint()?;
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
            let table = frame
                .table
                .and_then(|table| self.index.tables.get_mut(table as usize));
            if let Some(table) = table
                && has_arguments
            {
                table.is_simple = false;
            }
        }
        if !has_arguments {
            return Ok(());
        }
        let version = self.session.tables.version;
        let arguments = self.input.prefix_count(1)? as u64;
        self.index.values = self.index.values.saturating_add(arguments);
        for _ in 0..arguments {
            let has_location = match version.has_argument_flags() {
                true => self.input.prefix_flagged_varint()?.1,
                false => self.input.prefix_varint().map(|_| true)?,
            };
            if has_location {
                self.input.prefix_varint()?;
            }
        }
        if version.has_use_list_orders() && self.input.u8()? != 0 {
            skip_use_lists(&mut self.input, arguments)?;
        }
        Ok(())
    }

    /// Skips `count` numbers. Ends at the latest where the bytes do.
    fn numbers(&mut self, count: u64) -> Result<()> {
        skip_numbers(&mut self.input, count)
    }

    fn head(&mut self) -> Result<Head> {
        let start = self.input.offset();
        let number = self.input.prefix_varint()?;
        let names = &self.session.tables.names;
        let operation = lookup(&self.input, start, "operation name", names, number)?.name;
        // There are fewer than 2^32 names.
        let name = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(count) = self.counts.get_mut(name as usize) {
            *count = count.saturating_add(1);
        }
        let version = self.session.tables.version;
        let flags = self.input.u8()?;
        let has = |bit: u8| flags & bit != 0;
        self.input.prefix_varint()?;
        let mut attributes = None;
        if has(mask::ATTRIBUTES) {
            attributes = Some(self.input.prefix_varint()?);
        }
        let mut properties = None;
        if has(mask::PROPERTIES) && version.has_properties() {
            let number = self.input.prefix_varint()?;
            properties = Some(number);
            if self.is_whole {
                self.met.insert((name, number));
            }
        }
        let mut results = 0;
        if has(mask::RESULTS) {
            results = self.input.prefix_count(1)? as u64;
            self.index.values = self.index.values.saturating_add(results);
            self.numbers(results)?;
        }
        for bit in [mask::OPERANDS, mask::SUCCESSORS] {
            if has(bit) {
                let count = self.input.prefix_count(1)?;
                self.numbers(count as u64)?;
            }
        }
        if has(mask::USE_LIST_ORDERS) && version.has_use_list_orders() {
            skip_use_lists(&mut self.input, results)?;
        }
        let (mut regions, mut isolated) = (0, false);
        if has(mask::REGIONS) {
            (regions, isolated) = self.input.prefix_flagged_varint()?;
            // Each takes at least one byte.
            let at = self.input.offset();
            let left = self.input.remaining();
            placed(
                &self.input,
                at,
                check_limit("bytes left for regions", regions, left),
            )?;
        }
        Ok(Head {
            start,
            name,
            operation,
            attributes,
            properties,
            regions,
            isolated,
            is_closed: !has(mask::RESULTS | mask::OPERANDS | mask::SUCCESSORS),
        })
    }

    /// Enters the regions of an operation, or skips them.
    fn open(
        &mut self,
        head: &Head,
        table: Option<u32>,
        must_be_single: bool,
        node: Option<usize>,
    ) -> Result<()> {
        let mut outside = None;
        if head.isolated && self.session.tables.version.has_isolated_sections() && head.regions > 0
        {
            let at = self.input.offset();
            let (id, inside) = read_section(&mut self.input)?;
            if id != section::IR {
                let message = format!("expected regions, found section {}", inside.section());
                return Err(malformed(&self.input, at, message));
            }
            if table.is_some() || self.is_whole {
                outside = Some(std::mem::replace(&mut self.input, inside));
            }
        }
        let is_over =
            head.regions == 0 || (table.is_none() && outside.is_none() && self.is_unit(head));
        if is_over {
            self.passed(node);
            return Ok(());
        }
        self.stack.push(Frame {
            regions: head.regions,
            blocks: 0,
            operations: 0,
            table,
            must_be_single,
            begun: [0; 3],
            node,
            outside,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.session.tables.max_depth);
        placed(&self.input, head.start, within)
    }

    /// Returns whether the regions have a section of their own.
    fn is_unit(&self, head: &Head) -> bool {
        head.isolated && head.regions > 0 && self.session.tables.version.has_isolated_sections()
    }

    /// Handles an operation of a symbol table: it may be a symbol, and a table itself.
    fn listed(&mut self, head: &Head, table: u32, [region, block, number]: [u32; 3]) -> Result<()> {
        let context = &*self.session.tables.context;
        let traits = context.operation_traits(head.operation);
        let is_module = context.operation_name_bytes(head.operation) == b"builtin.module";
        let place = Place {
            start: head.start,
            table,
            region,
            block,
            number,
            is_closed: head.is_closed,
        };
        let is_simple = self
            .index
            .tables
            .get_mut(table as usize)
            .is_some_and(|table| {
                if traits.is_some_and(|traits| traits.contains(OperationTraits::TERMINATOR)) {
                    table.terminators.push(head.start);
                    // These operations are read alone, too.
                    table.is_simple &= head.is_closed && head.regions == 0;
                }
                table.is_simple
            });
        let Some((name, visibility)) = self.symbol(head)? else {
            let node = (table == 0).then(|| self.add(head, place, None, Visibility::Public, None));
            return self.open(head, None, false, node);
        };
        let (may_be_table, must_be_single) = match traits {
            Some(traits) => (traits.contains(OperationTraits::SYMBOL_TABLE), false),
            None if is_module => (true, false),
            None => (head.regions == 1, true),
        };
        let inner =
            may_be_table.then(|| u32::try_from(self.index.tables.len()).unwrap_or(u32::MAX));
        if may_be_table {
            self.index.tables.push(Table {
                start: head.start,
                place: Some(place),
                is_simple: is_simple && head.is_closed && head.regions == 1,
                ..Table::default()
            });
        }
        let node = self.add(head, place, Some(name), visibility, inner);
        if let Some(table) = self.index.tables.get_mut(table as usize) {
            table.symbols.push(u32::try_from(node).unwrap_or(u32::MAX));
        }
        self.open(head, inner, must_be_single, Some(node))
    }

    /// Adds an operation to the nodes, and returns its index.
    fn add(
        &mut self,
        head: &Head,
        place: Place,
        name: Option<Arc<[u8]>>,
        visibility: Visibility,
        table: Option<u32>,
    ) -> usize {
        let node = self.index.nodes.len();
        let operation = self.name(head.name);
        self.index.nodes.push(Node {
            place,
            name,
            operation,
            visibility,
            bytes: 0,
            isolated: head.isolated,
            unit: self.is_unit(head),
            table,
        });
        node
    }

    /// Returns name and visibility, if the operation is a symbol.
    ///
    /// Its properties are examined before its attributes.
    fn symbol(&mut self, head: &Head) -> Result<Option<(Arc<[u8]>, Visibility)>> {
        let mut found = [None; 2];
        let keys = self.keys(head);
        if let Some(number) = head.properties {
            match self.blob(head.name, number, &keys)? {
                Some(strings) => found = strings,
                None => self.index.undecided = self.index.undecided.saturating_add(1),
            }
        }
        if let Some(number) = head.attributes
            && found.contains(&None)
        {
            let Session {
                tables, entries, ..
            } = &mut *self.session;
            let entry = entries.attribute_entry(&self.input, head.start, number)?;
            let others = entries.find_symbol(tables, entry, &keys)?;
            for (found, other) in found.iter_mut().zip(others) {
                *found = found.or(other);
            }
        }
        let [Some(Some(name)), visibility] = found else {
            return Ok(None);
        };
        let context = &*self.session.tables.context;
        let visibility = visibility.map(|name| name.map(|name| context.bytes(name)));
        let visibility = keys.rule.visibility(visibility);
        let name = self
            .symbol_names
            .entry(name)
            .or_insert_with(|| context.bytes(name).into());
        Ok(Some((name.clone(), visibility)))
    }

    /// Returns the attributes that name an operation as a symbol.
    fn keys(&mut self, head: &Head) -> Arc<SymbolKeys> {
        let context = &mut *self.session.tables.context;
        let keys = self.keys.entry(head.name);
        let keys = keys.or_insert_with(|| SymbolKeys::new(context, head.operation).into());
        keys.clone()
    }

    /// Returns the name and visibility stored in properties; `None` if they are not known.
    fn blob(&mut self, name: u32, number: u64, keys: &SymbolKeys) -> Result<Option<[Found; 2]>> {
        if let Some(&found) = self.blobs.get(&(name, number)) {
            return Ok(found);
        }
        let Session {
            tables,
            entries,
            properties,
            ..
        } = &mut *self.session;
        let mut found = properties.find_symbol(tables, entries, (name, number), keys)?;
        if found.len() > 1
            && let Some(left) = (self.decide)()
        {
            properties.restrict(&left);
            found = properties.find_symbol(tables, entries, (name, number), keys)?;
        }
        let found = found.first().copied();
        self.blobs.insert((name, number), found);
        Ok(found)
    }

    /// Returns the full name of operations.
    fn name(&mut self, number: u32) -> Arc<[u8]> {
        let tables = &self.session.tables;
        let bytes = || match tables.names.get(number as usize) {
            Some(entry) => tables.context.operation_name_bytes(entry.name).into(),
            None => [].into(),
        };
        match self.names.get_mut(number as usize) {
            Some(slot) => slot.get_or_insert_with(bytes).clone(),
            None => bytes(),
        }
    }

    /// Lists the symbols of all tables, and the operations of the top that are not symbols.
    fn emit(&mut self) {
        let nodes = self.index.nodes.iter().zip(0u64..);
        self.index.unnamed = nodes
            .filter(|(node, _)| node.name.is_none())
            .map(|(node, place)| node.symbol(SymbolPath::default(), place))
            .collect();
        // The tables whose symbols are still to be listed, the next one last.
        let mut open = vec![(0u32, SymbolPath::default())];
        while let Some((table, path)) = open.pop() {
            let Some(table) = self.index.tables.get(table as usize) else {
                continue;
            };
            let first = open.len();
            for &node in &table.symbols {
                let place = u64::from(node);
                let Some(node) = self.index.nodes.get(node as usize) else {
                    continue;
                };
                let Some(name) = node.name.clone() else {
                    continue;
                };
                let path = path.child(name);
                if let Some(table) = node.table {
                    open.push((table, path.clone()));
                }
                self.index.symbols.push(node.symbol(path, place));
            }
            if let Some(inner) = open.get_mut(first..) {
                inner.reverse();
            }
        }
    }
}
