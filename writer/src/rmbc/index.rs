//! Where symbols are: groups of neighbouring operations, and for each name the groups with symbols of that name.

use super::tables::Table;
use rmlir_format::Result;
use rmlir_format::rmbc::GROUP;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Block, Operation};

/// Operations of one block, behind one another, the first of which is a symbol.
struct Group {
    /// Where its first operation and that operation's location are.
    offset: u64,
    location: u64,
    /// What the stream of locations has to be told there.
    state: [u64; 4],
    /// How far before it the innermost symbol around it begins; 0 for none.
    parent: u64,
    operations: u32,
}

/// The index while operations are written.
#[derive(Default)]
pub(super) struct Index {
    groups: Vec<Group>,
    /// The numbers of names and of groups.
    names: Vec<(u64, u32)>,
    /// The block of the current group, and the number of its first operation.
    current: Option<(Option<Block>, u32)>,
    /// Symbols that are being written, and where they begin.
    open: Vec<(Operation, u64)>,
    /// Where the symbol begins that was added last.
    last: u64,
}

impl Index {
    /// Whether a symbol in that block, with that number of an operation, begins a group.
    pub(super) fn begins_group(&self, block: Option<Block>, operation: u32) -> bool {
        self.current
            .is_none_or(|(of, first)| of != block || operation - first >= GROUP)
    }

    /// Begins a group with the next symbol.
    pub(super) fn begin_group(
        &mut self,
        block: Option<Block>,
        operation: u32,
        offset: usize,
        (location, state): (usize, [u64; 4]),
    ) {
        self.current = Some((block, operation));
        let parent = self.open.last().map_or(0, |&(_, at)| offset as u64 - at);
        self.groups.push(Group {
            offset: offset as u64,
            location: location as u64,
            state,
            parent,
            operations: 0,
        });
    }

    /// Adds a symbol, which is about to be written, to the current group.
    pub(super) fn add(&mut self, name: u64, offset: usize) {
        self.names.push((name, self.groups.len() as u32 - 1));
        self.last = offset as u64;
    }

    /// The symbol that was added has regions: what follows is in it.
    pub(super) fn enter(&mut self, operation: Operation) {
        self.open.push((operation, self.last));
    }

    /// Counts an operation that is about to be written.
    #[inline]
    pub(super) fn count(&mut self, block: Option<Block>) {
        if let Some((of, _)) = self.current
            && of == block
            && let Some(group) = self.groups.last_mut()
        {
            group.operations += 1;
        }
    }

    /// An operation with regions was written.
    pub(super) fn leave(&mut self, operation: Operation) {
        self.open.pop_if(|&mut (open, _)| open == operation);
    }

    /// The section; no bytes if there are no symbols.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.groups.is_empty() {
            return Ok(out);
        }
        let mut groups = Table::default();
        let (mut offset, mut location) = (0, 0);
        for group in &self.groups {
            if groups.at_block() {
                (offset, location) = (0, 0);
            }
            let out = groups.next();
            write_varint(out, group.offset - offset);
            write_varint(out, group.location - location);
            (offset, location) = (group.offset, group.location);
            for number in group.state {
                write_varint(out, number);
            }
            write_varint(out, group.parent);
            write_varint(out, group.operations.into());
        }
        groups.finish(&mut out)?;
        self.names.sort_unstable();
        self.names.dedup();
        let mut names = Table::default();
        for list in self.names.chunk_by(|a, b| a.0 == b.0) {
            let out = names.next();
            let mut before = 0;
            for (place, &(_, group)) in list.iter().enumerate() {
                let more = place + 1 < list.len();
                write_varint(out, u64::from(group - before) << 1 | u64::from(more));
                before = group;
            }
        }
        names.finish(&mut out)?;
        Ok(out)
    }
}
