//! Where symbols are: groups of neighbouring operations, and for each name the groups with symbols of that name.

use super::tables::Table;
use rmlir_format::Result;
use rmlir_format::rmbc::GROUP;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Block, Operation};

/// Operations of one block, behind one another, with all that is in them.
struct Group {
    /// Where its first operation and that operation's location are.
    offset: u64,
    location: u64,
    /// What the stream of locations has to be told there.
    state: [u64; 4],
    /// How many values and blocks come before.
    numbers: Numbers,
    /// The number of the cut operation that it is in.
    parent: u32,
    operations: u32,
}

/// An operation whose blocks are cut.
struct Cut {
    offset: u64,
    /// The number of its last group.
    last: u32,
}

/// How many values and blocks were written.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) values: u32,
    pub(super) blocks: u32,
}

/// The index while operations are written.
///
/// The blocks of a large operation with symbols in it are cut into groups. In other operations nothing is cut: what is in
/// them belongs to the group that they are in.
#[derive(Default)]
pub(super) struct Index {
    groups: Vec<Group>,
    cut: Vec<Cut>,
    /// The numbers of names and of groups, which ascend.
    names: Vec<(u64, u32)>,
    /// Large operations that are being written, and their numbers in `cut`.
    open: Vec<(Operation, u32)>,
    /// The block that is cut.
    block: Option<Block>,
    /// The number of the first operation of the current group.
    first: Option<u32>,
}

impl Index {
    /// Whether an operation in that block, with that number, begins a group.
    #[inline]
    pub(super) fn begins_group(&mut self, block: Option<Block>, operation: u32) -> bool {
        if self.block.is_none() || self.block != block {
            return false;
        }
        if let Some(first) = self.first
            && operation - first < GROUP
            && let Some(group) = self.groups.last_mut()
        {
            group.operations += 1;
            return false;
        }
        true
    }

    /// Begins a group with the operation with that number, which is about to be written.
    pub(super) fn begin_group(
        &mut self,
        operation: u32,
        offset: usize,
        numbers: Numbers,
        (location, state): (usize, [u64; 4]),
    ) {
        self.first = Some(operation);
        let parent = self.open.last().map_or(0, |&(_, number)| number);
        if let Some(cut) = self.cut.get_mut(parent as usize) {
            cut.last = self.groups.len() as u32;
        }
        self.groups.push(Group {
            numbers,
            offset: offset as u64,
            location: location as u64,
            state,
            parent,
            operations: 1,
        });
    }

    /// Adds a symbol, which is about to be written, to the current group.
    pub(super) fn add(&mut self, name: u64) {
        if let Some(group) = (self.groups.len() as u32).checked_sub(1) {
            self.names.push((name, group));
        }
    }

    /// A large operation, which is about to be written, has symbols in it.
    pub(super) fn enter(&mut self, operation: Operation, offset: usize) {
        self.open.push((operation, self.cut.len() as u32));
        self.cut.push(Cut {
            offset: offset as u64,
            last: 0,
        });
        (self.block, self.first) = (None, None);
    }

    /// A block of an operation begins.
    pub(super) fn block(&mut self, block: Block, operation: Option<Operation>) {
        if self
            .open
            .last()
            .is_some_and(|&(open, _)| Some(open) == operation)
        {
            (self.block, self.first) = (Some(block), None);
        }
    }

    /// An operation with regions was written, which is in a block.
    pub(super) fn leave(&mut self, operation: Operation, block: Option<Block>) {
        if self
            .open
            .pop_if(|&mut (open, _)| open == operation)
            .is_some()
        {
            (self.block, self.first) = (block, None);
        }
    }

    /// The section; no bytes if there are no symbols.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.groups.is_empty() {
            return Ok(out);
        }
        let mut cut = Table::default();
        let mut offset = 0;
        for operation in &self.cut {
            if cut.at_block() {
                offset = 0;
            }
            let out = cut.next();
            write_varint(out, operation.offset - offset);
            write_varint(out, operation.last.into());
            offset = operation.offset;
        }
        cut.finish(&mut out)?;
        let mut groups = Table::default();
        let mut before = [0; 4];
        for group in &self.groups {
            if groups.at_block() {
                before = [0; 4];
            }
            let out = groups.next();
            let Numbers { values, blocks } = group.numbers;
            let places = [group.offset, group.location, values.into(), blocks.into()];
            for (place, before) in places.into_iter().zip(before) {
                write_varint(out, place - before);
            }
            before = places;
            for number in group.state {
                write_varint(out, number);
            }
            write_varint(out, group.parent.into());
            write_varint(out, group.operations.into());
        }
        groups.finish(&mut out)?;
        let mut names = Table::default();
        let (ends, groups) = by_name(&self.names);
        let mut start = 0;
        for end in ends {
            let list = groups.get(start..end).unwrap_or_default();
            start = end;
            if list.is_empty() {
                continue;
            }
            let out = names.next();
            let mut before = 0;
            let mut groups = list.chunk_by(|a, b| a == b).flat_map(<[u32]>::first);
            let mut next = groups.next();
            while let Some(&group) = next {
                next = groups.next();
                write_varint(
                    out,
                    u64::from(group - before) << 1 | u64::from(next.is_some()),
                );
                before = group;
            }
        }
        names.finish(&mut out)?;
        Ok(out)
    }
}

/// Where the groups of each name end, and the groups, in the order of the names. Names are numbers without large gaps, so that nothing
/// is to be compared.
fn by_name(names: &[(u64, u32)]) -> (Vec<usize>, Vec<u32>) {
    let most = names.iter().map(|&(name, _)| name as usize).max();
    let mut places = vec![0usize; most.map_or(0, |most| most + 1)];
    for &(name, _) in names {
        places[name as usize] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    let mut groups = vec![0; names.len()];
    for &(name, group) in names {
        let place = &mut places[name as usize];
        groups[*place] = group;
        *place += 1;
    }
    (places, groups)
}
