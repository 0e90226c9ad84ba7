//! A pass over operations that decodes only their structure.

use super::{Name, Node, Scan, Spot, TOP, Table};
use crate::lookup::{malformed, placed};
use crate::rmbc::locations::State;
use crate::rmbc::operations::extensions;
use crate::rmbc::structure::Head;
use crate::rmbc::table_views::Point;
use rmlir_format::rmbc::{UNDIVIDED, location_code, region_flag as flag};
use rmlir_format::{ErrorKind, Reader, Result, check_limit};
use rmlir_ir::{OperationTraits, Visibility};
use std::sync::Arc;

/// An operation whose regions are not all walked yet.
pub(super) struct Frame {
    regions: u64,
    blocks: u64,
    operations: u64,
    chunks: u64,
    /// No block of the region was begun.
    at_entry: bool,
    /// The flags of the region.
    flags: u64,
    table: Option<u32>,
    must_be_single: bool,
    /// The symbol that it is: its index in the nodes of the pass.
    node: Option<usize>,
    /// The number of the first value in it, and the least and greatest numbers of the values used
    /// in it.
    first: u64,
    uses: Option<(i64, i64)>,
}

/// One pass over neighbouring operations.
pub(super) struct StructureScan<'p, 'a> {
    pub(super) scan: &'p mut Scan,
    pub(super) input: Reader<'a>,
    pub(super) locations: Option<Reader<'a>>,
    pub(super) has_locations: bool,
    pub(super) point: Point,
    /// The offset in the section of the bytes that are read.
    pub(super) base: u64,
    pub(super) location_base: u64,
    pub(super) end: u64,
    pub(super) location_end: u64,
    pub(super) stack: Vec<Frame>,
    /// The number of the chunk, if there is an index.
    pub(super) chunk: Option<u64>,
    /// The maximum number of operations still to be walked in the last operation, which may have
    /// symbols.
    pub(super) left: Option<u64>,
    pub(super) nodes: Vec<(u64, Node)>,
}

impl StructureScan<'_, '_> {
    pub(super) fn run(&mut self, operations: Option<u64>, table: Option<u32>) -> Result<()> {
        self.stack.push(Frame {
            regions: 0,
            blocks: 0,
            operations: operations.unwrap_or_default(),
            chunks: 0,
            at_entry: false,
            flags: 0,
            table,
            must_be_single: false,
            node: None,
            first: self.point.values,
            uses: None,
        });
        if operations.is_none() {
            self.begin_chunk()?;
        }
        while let Some(frame) = self.stack.last_mut() {
            if let Some(left) = frame.operations.checked_sub(1) {
                frame.operations = left;
                let is_last = left == 0 && self.stack.len() == 1 && self.chunk.is_some();
                self.operation(is_last)?;
            } else if let Some(left) = frame.chunks.checked_sub(1) {
                frame.chunks = left;
                self.point.segment = self.point.segment.saturating_add(1);
                (self.point.values, self.point.blocks) = (0, 0);
                self.begin_chunk()?;
            } else if let Some(left) = frame.blocks.checked_sub(1) {
                frame.blocks = left;
                self.block()?;
            } else if let Some(left) = frame.regions.checked_sub(1) {
                frame.regions = left;
                self.region()?;
            } else {
                self.leave();
            }
        }
        Ok(())
    }

    /// Reads the head of a chunk, of which the point is the start.
    fn begin_chunk(&mut self) -> Result<()> {
        if let Some(input) = &mut self.locations {
            let at = input.offset();
            if input.varint()? != location_code::RESTART {
                let message = "the locations of a chunk do not restart";
                return Err(malformed(input, at, message));
            }
            self.point.state = State::default();
        }
        let operations = self.input.varint()?;
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        Ok(())
    }

    pub(super) fn here(&self) -> Point {
        let mut point = self.point;
        point.offset = self.base.saturating_add(self.input.position() as u64);
        if let Some(locations) = &self.locations {
            point.location = self
                .location_base
                .saturating_add(locations.position() as u64);
        }
        point
    }

    fn location(&mut self) -> Result<()> {
        match &mut self.locations {
            Some(input) => self.point.state.advance(input),
            None => Ok(()),
        }
    }

    fn operation(&mut self, is_last: bool) -> Result<()> {
        let at = self.input.offset();
        let point = self.here();
        let head = self.scan.structure.head(&mut self.input)?;
        self.location()?;
        let signature = head.template.signature.clone();
        let first = self.point.values;
        let base = i64::try_from(first).unwrap_or(i64::MAX);
        if let (Some((least, most)), Some(frame)) = (head.uses, self.stack.last_mut()) {
            merge(
                &mut frame.uses,
                (base.saturating_add(least), base.saturating_add(most)),
            );
        }
        self.point.values = first.saturating_add(signature.results);
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
        }
        let spot = Spot {
            point,
            has_location: self.has_locations,
            end: self.end,
            location_end: self.location_end,
            is_closed: signature.operands == 0
                && signature.results == 0
                && signature.successors == 0,
            is_leaf: signature.regions == 0,
        };
        let table = self.stack.last().and_then(|frame| frame.table);
        let is_top = point.offset == self.scan.views.totals.start;
        let mut inner = None;
        let mut must_be_single = false;
        let mut node = None;
        let mut goes_over = is_last;
        if is_top {
            let name = self.scan.name(signature.name)?;
            inner = Some(self.table(&head, spot, &name, None)?);
        } else if let Some(table) = table {
            let name = self.scan.name(signature.name)?;
            let has = |wanted| name.traits.is_some_and(|traits| traits.contains(wanted));
            let is_simple = match self.scan.tables.get_mut(table as usize) {
                Some(table) => {
                    let is_behind = table
                        .last
                        .is_none_or(|(last, _)| last.point.offset <= point.offset);
                    if is_behind {
                        table.last = Some((spot, has(OperationTraits::TERMINATOR)));
                    }
                    table.is_simple
                }
                None => false,
            };
            let found = self.symbol(&head)?;
            if found.is_some() || table == 0 {
                let (may_be_table, single) = match name.traits {
                    _ if signature.regions == 0 || found.is_none() => (false, false),
                    Some(traits) => (traits.contains(OperationTraits::SYMBOL_TABLE), false),
                    None if *name.bytes == *b"builtin.module" => (true, false),
                    None => (signature.regions == 1, true),
                };
                must_be_single = single;
                node = Some(self.nodes.len());
                if may_be_table && self.may_be_single(single)? {
                    inner = Some(self.table(&head, spot, &name, Some(point.offset))?);
                }
                let (name_of, visibility) = found.unzip();
                let (is_contained, unit) = match is_last {
                    true => {
                        let is_indexed = self.is_indexed(&head, name_of.as_deref())?;
                        (is_indexed, signature.regions > 0)
                    }
                    false => (true, false),
                };
                let mut spot = spot;
                if is_last {
                    (spot.end, spot.location_end) = self.end_of_last()?;
                }
                self.nodes.push((
                    point.offset,
                    Node {
                        spot,
                        table,
                        name: name_of,
                        operation: name.bytes.clone(),
                        visibility: visibility.unwrap_or_default(),
                        bytes: spot.end.saturating_sub(point.offset),
                        is_contained,
                        unit,
                        inner,
                    },
                ));
            }
            if is_last
                && self.is_cut()?
                && let (Some(inner), Some(chunk)) = (inner, self.chunk)
            {
                self.scan.table_in.insert(chunk, inner);
            }
            // It is followed by the next chunk, except for heads of blocks. Small tables have no
            // chunk of their own.
            if is_last && (inner.is_some() || !is_simple) && !self.is_cut()? {
                goes_over = false;
                self.left = is_simple.then_some(UNDIVIDED.into());
            }
        }
        if signature.regions == 0 || goes_over {
            if signature.regions == 0 {
                self.passed(node, None);
            }
            return Ok(());
        }
        self.stack.push(Frame {
            regions: signature.regions,
            blocks: 0,
            operations: 0,
            chunks: 0,
            at_entry: false,
            flags: 0,
            table: inner,
            must_be_single,
            node,
            first,
            uses: None,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.scan.limits.max_depth);
        placed(&self.input, at, within)
    }

    /// Returns whether the following regions allow the operation to be a table, if a table may have
    /// only one block.
    fn may_be_single(&self, single: bool) -> Result<bool> {
        if !single {
            return Ok(true);
        }
        Ok(self.input.clone().varint()? >> flag::SHIFT == 1)
    }

    /// Adds the table that an operation is, of which the head was passed.
    fn table(&mut self, head: &Head, spot: Spot, name: &Name, node: Option<u64>) -> Result<u32> {
        let offset = spot.point.offset;
        let signature = &head.template.signature;
        let mut ahead = self.input.clone();
        let is_simple = spot.is_closed
            && signature.regions == 1
            && matches!(ahead.varint()?, head if head >> flag::SHIFT == 1
                && head & (flag::ARGUMENTS | flag::EXTENDED) == 0);
        if let Some(&known) = self.scan.table_at.get(&offset) {
            if let Some(table) = self.scan.tables.get_mut(known as usize)
                && spot.has_location
            {
                table.spot = spot;
            }
            return Ok(known);
        }
        let no_terminator =
            |traits: OperationTraits| traits.contains(OperationTraits::NO_TERMINATOR);
        let number = u32::try_from(self.scan.tables.len()).unwrap_or(u32::MAX);
        let last_chunk = self.last_chunk(node.is_none())?;
        self.scan.tables.push(Table {
            spot,
            node,
            is_simple,
            has_none: match name.traits {
                Some(traits) => no_terminator(traits),
                None => *name.bytes == *b"builtin.module",
            },
            last_chunk,
            last: None,
            symbols: Vec::new(),
        });
        self.scan.table_at.insert(offset, number);
        Ok(number)
    }

    /// Returns whether the last operation of the chunk is divided into chunks.
    fn is_cut(&self) -> Result<bool> {
        let views = &self.scan.views;
        match (&views.index, self.chunk) {
            (Some(_), Some(TOP)) => Ok(true),
            (Some(index), Some(chunk)) => Ok(index.chunk(&views.store, chunk)?.inside > 0),
            _ => Ok(false),
        }
    }

    /// Returns the last chunk directly in the operation whose head was passed: the top-level one,
    /// or the last one of the chunk.
    fn last_chunk(&mut self, is_top: bool) -> Result<Option<u64>> {
        let views = self.scan.views.clone();
        let is_last = self.stack.len() == 1 && self.stack.last().is_none_or(|f| f.operations == 0);
        let known = &mut self.scan.last_in;
        match (&views.index, self.chunk) {
            (Some(index), Some(_)) if is_top => index.last_in(&views.store, None, known),
            (Some(index), Some(chunk)) if is_last && chunk != TOP => {
                index.last_in(&views.store, Some(chunk), known)
            }
            _ => Ok(None),
        }
    }

    /// Returns the latest possible end of the last operation of the chunk: the start of the next
    /// chunk, except for those nested in it.
    fn end_of_last(&self) -> Result<(u64, u64)> {
        let views = &self.scan.views;
        match (&views.index, self.chunk) {
            (Some(index), Some(chunk)) if chunk != TOP => {
                let inside = index.chunk(&views.store, chunk)?.inside;
                let next = chunk.saturating_add(inside).saturating_add(1);
                let (end, location_end) = index.start(&views.store, next)?;
                let has_locations = self.location_end > 0;
                Ok((end, if has_locations { location_end } else { 0 }))
            }
            _ => Ok((self.end, self.location_end)),
        }
    }

    /// Returns whether the index has a symbol that is the last operation of its group.
    fn is_indexed(&mut self, head: &Head, name: Option<&[u8]>) -> Result<bool> {
        let views = &self.scan.views;
        let (Some(_), Some(chunk)) = (&views.index, self.chunk) else {
            return Ok(false);
        };
        if head.template.signature.regions == 0 {
            return Ok(true);
        }
        let string = match name {
            Some(name) => views.symbol_string(name)?,
            None => None,
        };
        let Some(string) = string else {
            return Ok(false);
        };
        Ok(self.scan.chunks_of(string)?.binary_search(&chunk).is_ok())
    }

    /// Returns name and visibility of a symbol; `None` if the operation is not a symbol.
    fn symbol(&mut self, head: &Head) -> Result<Option<(Arc<[u8]>, Visibility)>> {
        let [Some(name), visibility] = head.symbol else {
            return Ok(None);
        };
        let signature = &head.template.signature;
        let structure = &mut self.scan.structure;
        let Some(name) = structure.symbol_string(signature, name)? else {
            return Ok(None);
        };
        let visibility = visibility.map(|number| structure.symbol_string(signature, number));
        let visibility = visibility.transpose()?;
        let visibility = visibility.as_ref().map(|string| string.as_deref());
        Ok(Some((name, signature.rule.visibility(visibility))))
    }

    fn region(&mut self) -> Result<()> {
        let head = self.input.varint()?;
        let left = self.input.remaining() as u64;
        let blocks = head >> flag::SHIFT;
        if head & flag::EXTENDED != 0 {
            extensions(&mut self.input, "a region")?;
        }
        let at = self.input.offset();
        placed(
            &self.input,
            at,
            check_limit("bytes left for blocks", blocks, left).map_err(|error| {
                // More of the file may be there.
                rmlir_format::Error::new(ErrorKind::Truncated, error.message().to_owned())
            }),
        )?;
        if let Some(frame) = self.stack.last_mut() {
            frame.blocks = blocks;
            frame.at_entry = true;
            frame.flags = head;
            if frame.must_be_single && blocks != 1 {
                frame.table = None;
            }
        }
        Ok(())
    }

    fn block(&mut self) -> Result<()> {
        self.point.blocks = self.point.blocks.saturating_add(1);
        let (mut list, mut flags) = (None, 0);
        if let Some(frame) = self.stack.last_mut() {
            flags = frame.flags;
            if flags & flag::EXTENDED != 0 {
                extensions(&mut self.input, "a block")?;
            }
            list = match (frame.at_entry, flags & flag::ARGUMENTS != 0) {
                (true, false) => None,
                (true, true) => Some(self.input.varint()?),
                (false, _) => self.input.varint()?.checked_sub(1),
            };
            frame.at_entry = false;
        }
        if let Some(list) = list {
            if list >= self.scan.views.lists.count {
                let message = format!("type list #{list} is not there");
                return Err(malformed(&self.input, self.input.offset(), message));
            }
            let (arguments, _) = self.scan.structure.list(list)?;
            self.point.values = self.point.values.saturating_add(arguments);
            if self.locations.is_some() {
                (0..arguments).try_for_each(|_| self.location())?;
            }
        }
        let operations = self.input.varint()?;
        if let Some(frame) = self.stack.last_mut() {
            match flags & flag::CHUNKED {
                0 => frame.operations = operations,
                _ => frame.chunks = operations,
            }
        }
        if self.left == Some(0) && operations > 0 {
            // The index has no chunk for these operations, so none of them is a symbol, and they
            // need not be walked.
            self.stack.truncate(1);
        }
        Ok(())
    }

    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        if let Some(around) = self.stack.last_mut()
            && let Some(uses) = frame.uses
        {
            merge(&mut around.uses, uses);
        }
        if let Some(node) = frame.node {
            let first = i64::try_from(frame.first).unwrap_or(i64::MAX);
            let end = i64::try_from(self.point.values).unwrap_or(i64::MAX);
            let contained = frame
                .uses
                .is_none_or(|(least, most)| least >= first && most < end);
            self.passed(Some(node), Some(contained));
        }
    }

    /// Records that a symbol was walked with everything nested in it.
    fn passed(&mut self, node: Option<usize>, is_contained: Option<bool>) {
        let end = self.here().offset;
        if let Some((offset, node)) = node.and_then(|node| self.nodes.get_mut(node)) {
            node.bytes = end.saturating_sub(*offset);
            node.is_contained = is_contained.unwrap_or(true);
        }
    }
}

/// Extends a range of least and greatest number by another one.
fn merge(all: &mut Option<(i64, i64)>, (least, most): (i64, i64)) {
    let (a, b) = all.unwrap_or((least, most));
    *all = Some((a.min(least), b.max(most)));
}
