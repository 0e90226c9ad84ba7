//! The index of symbols: groups of neighbouring operations, and for each symbol name its groups.
//!
//! The writer builds it while it writes; a verifying reader builds it again from the operations and
//! compares.

use super::GROUP;
use super::table::Table;
use crate::error::Result;
use crate::varint::write_varint;
use std::fmt;

/// Consecutive operations of one block, with everything nested in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The position of its first operation.
    pub point: Point,
    /// The number of the cut operation that directly contains it.
    pub parent: u64,
    /// The number of operations of the block in it.
    pub operations: u64,
}

/// A position between two operations, and the state of the streams there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Point {
    /// Offset in the contents of the section of operations.
    pub offset: u64,
    /// Offset in the contents of the section of locations.
    pub location: u64,
    /// The number of values defined before this point.
    pub values: u64,
    /// The number of blocks before this point.
    pub blocks: u64,
    /// State of the stream of locations: file, line, column and entry.
    ///
    /// The file is 0 for none, else its number plus one.
    pub state: [u64; 4],
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [file, line, column, entry] = self.state;
        write!(
            f,
            "byte {}, value {}, block {}",
            self.offset, self.values, self.blocks
        )?;
        if (self.location, self.state) != (0, [0; 4]) {
            let at = self.location;
            write!(
                f,
                ", location byte {at} after {file}:{line}:{column} and entry {entry}"
            )?;
        }
        Ok(())
    }
}

/// An operation whose blocks are cut into groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Offset in the contents of the section of operations.
    pub offset: u64,
    /// The number of the last group directly in it.
    pub last: u64,
}

/// The index, decoded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// In the order of writing.
    pub groups: Vec<Group>,
    /// In the order of writing.
    pub cuts: Vec<Cut>,
    /// For each symbol, in the order of writing, the number of its name and that of its group.
    pub names: Vec<(u64, u64)>,
}

/// Builds the index on a preorder walk over all operations. `B` and
/// `O` identify blocks and operations.
///
/// The blocks of a large operation with symbols in it are cut into groups. In other operations
/// nothing is cut: their contents belong to the group that contains them.
#[derive(Debug)]
pub struct IndexBuilder<B, O> {
    index: Index,
    /// Large operations that were entered and not left, and their numbers in `cuts`.
    open: Vec<(O, u64)>,
    /// The block that is being cut.
    block: Option<B>,
    /// The number of the first operation of the current group.
    first: Option<u64>,
}

impl<B, O> Default for IndexBuilder<B, O> {
    fn default() -> Self {
        IndexBuilder {
            index: Index::default(),
            open: Vec::new(),
            block: None,
            first: None,
        }
    }
}

impl<B: Copy + PartialEq, O: Copy + PartialEq> IndexBuilder<B, O> {
    /// Returns whether the operation with this number, in `block`, begins a group.
    ///
    /// Otherwise the operation is added to the current group, if it belongs to one directly.
    #[inline]
    pub fn begins_group(&mut self, block: Option<B>, operation: u64) -> bool {
        if self.block.is_none() || self.block != block {
            return false;
        }
        if let Some(first) = self.first
            && operation.saturating_sub(first) < GROUP.into()
            && let Some(group) = self.index.groups.last_mut()
        {
            group.operations = group.operations.saturating_add(1);
            return false;
        }
        true
    }

    /// Begins a group at `point` with the operation of this number.
    pub fn begin_group(&mut self, operation: u64, point: Point) {
        self.first = Some(operation);
        let parent = self.open.last().map_or(0, |&(_, number)| number);
        let cut = usize::try_from(parent).ok();
        if let Some(cut) = cut.and_then(|number| self.index.cuts.get_mut(number)) {
            cut.last = self.index.groups.len() as u64;
        }
        self.index.groups.push(Group {
            point,
            parent,
            operations: 1,
        });
    }

    /// Adds the next operation, a symbol whose name has this number, to the current group.
    pub fn add(&mut self, name: u64) {
        if let Some(group) = (self.index.groups.len() as u64).checked_sub(1) {
            self.index.names.push((name, group));
        }
    }

    /// Enters a large operation with symbols in it, which begins at `offset`.
    pub fn enter(&mut self, operation: O, offset: u64) {
        self.open.push((operation, self.index.cuts.len() as u64));
        self.index.cuts.push(Cut { offset, last: 0 });
        (self.block, self.first) = (None, None);
    }

    /// Enters a block of `operation`.
    pub fn block(&mut self, block: B, operation: Option<O>) {
        if (self.open.last()).is_some_and(|&(open, _)| Some(open) == operation) {
            (self.block, self.first) = (Some(block), None);
        }
    }

    /// Leaves an operation with regions, which is in `block`.
    pub fn leave(&mut self, operation: O, block: Option<B>) {
        let is_open = |&mut (open, _): &mut (O, u64)| open == operation;
        if self.open.pop_if(is_open).is_some() {
            (self.block, self.first) = (block, None);
        }
    }

    /// Returns the index.
    pub fn finish(self) -> Index {
        self.index
    }
}

impl Index {
    /// Encodes the section; no bytes if there are no groups. The numbers of names have no large
    /// gaps.
    /// O(groups + symbols + greatest name).
    ///
    /// # Errors
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) for a table of 2 GiB or more.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.groups.is_empty() {
            return Ok(out);
        }
        let mut cuts = Table::default();
        let mut offset = 0;
        for cut in &self.cuts {
            if cuts.at_block() {
                offset = 0;
            }
            let out = cuts.entry();
            write_varint(out, cut.offset.saturating_sub(offset));
            write_varint(out, cut.last);
            offset = cut.offset;
        }
        cuts.finish(&mut out)?;
        let mut groups = Table::default();
        let mut before = [0; 4];
        for group in &self.groups {
            if groups.at_block() {
                before = [0; 4];
            }
            let out = groups.entry();
            let point = &group.point;
            let numbers = [point.offset, point.location, point.values, point.blocks];
            for (number, before) in numbers.into_iter().zip(before) {
                write_varint(out, number.saturating_sub(before));
            }
            before = numbers;
            for number in point.state {
                write_varint(out, number);
            }
            write_varint(out, group.parent);
            write_varint(out, group.operations);
        }
        groups.finish(&mut out)?;
        self.encode_names().finish(&mut out)?;
        Ok(out)
    }

    fn encode_names(&self) -> Table {
        let mut names = Table::default();
        let (ends, groups) = by_name(&self.names);
        let mut start = 0;
        for end in ends {
            let list = groups.get(start..end).unwrap_or_default();
            start = end;
            if list.is_empty() {
                continue;
            }
            let out = names.entry();
            let mut before = 0;
            let mut groups = list.chunk_by(|a, b| a == b).flat_map(<[u64]>::first);
            let mut next = groups.next();
            while let Some(&group) = next {
                next = groups.next();
                let distance = group.saturating_sub(before);
                write_varint(out, distance << 1 | u64::from(next.is_some()));
                before = group;
            }
        }
        names
    }
}

/// Sorts symbols by name in linear time, keeping the order of their groups.
///
/// Returns the end of the groups of each name, and the groups.
fn by_name(names: &[(u64, u64)]) -> (Vec<usize>, Vec<u64>) {
    let place = |name: u64| usize::try_from(name).unwrap_or(usize::MAX);
    let most = names.iter().map(|&(name, _)| place(name)).max();
    let mut ends = vec![0usize; most.map_or(0, |most| most.saturating_add(1))];
    for &(name, _) in names {
        if let Some(count) = ends.get_mut(place(name)) {
            *count = count.saturating_add(1);
        }
    }
    let mut start = 0usize;
    for end in &mut ends {
        start = start.saturating_add(std::mem::replace(end, start));
    }
    let mut groups = vec![0; names.len()];
    for &(name, group) in names {
        if let Some(end) = ends.get_mut(place(name)) {
            if let Some(slot) = groups.get_mut(*end) {
                *slot = group;
            }
            *end = end.saturating_add(1);
        }
    }
    (ends, groups)
}
