//! Which places and ranges in files were met.

use super::entries::{AttributeEntry, Table};
use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table};
use rmlir_ir::{Context, LocationKind};
use std::hash::BuildHasher;

/// Ranges in files by their places in the table of attributes.
///
/// Most have a line for themselves, and follow each other: the first of each line is found by its number, without
/// jumping about in memory. The others are hashed.
pub(super) struct FileRanges {
    /// By the line of its start, the place of the first range that was met, plus one.
    first_of_line: Vec<u32>,
    /// Lines from this one on are not in `first_of_line`: a number costs nothing to write, a line of memory does.
    lines: usize,
    others: HashTable<u32>,
    hasher: RandomState,
}

impl FileRanges {
    /// For a module of so many operations.
    pub(super) fn new(operations: usize) -> Self {
        FileRanges {
            first_of_line: Vec::new(),
            lines: operations.saturating_mul(4),
            others: HashTable::new(),
            hasher: RandomState::default(),
        }
    }

    /// The place of a range; none if it is new, then it is remembered as what comes next in the table.
    pub(super) fn find_or_add(
        &mut self,
        context: &Context,
        kind: &LocationKind,
        table: &Table<AttributeEntry>,
    ) -> Option<u32> {
        let entries = &table.entries;
        let new = entries.len() as u32;
        let kind_at = |place: u32| match entries[place as usize].handle {
            AttributeEntry::Location(location) => context.location_kind(location),
            AttributeEntry::Attribute(_) => &LocationKind::Unknown,
        };
        if let LocationKind::FileLineColRange { start_line, .. } = *kind
            && (start_line as usize) < self.lines
        {
            let line = start_line as usize;
            if line >= self.first_of_line.len() {
                let len = (line + 1).max(self.first_of_line.len() * 2);
                self.first_of_line.resize(len.min(self.lines), 0);
            }
            let first = &mut self.first_of_line[line];
            let Some(place) = first.checked_sub(1) else {
                *first = new + 1;
                return None;
            };
            if kind_at(place) == kind {
                return Some(place);
            }
        }
        let hasher = &self.hasher;
        let hash = |kind: &LocationKind| match *kind {
            LocationKind::FileLineColRange {
                start_line,
                start_column,
                end_line,
                end_column,
                ..
            } => {
                let start = u64::from(start_line) << 32 | u64::from(start_column);
                let end = u64::from(end_line) << 32 | u64::from(end_column);
                hasher.hash_one((start, end))
            }
            _ => 0,
        };
        let found = self.others.entry(
            hash(kind),
            |&place| kind_at(place) == kind,
            |&place| hash(kind_at(place)),
        );
        match found {
            hash_table::Entry::Occupied(found) => Some(*found.get()),
            hash_table::Entry::Vacant(free) => {
                free.insert(new);
                None
            }
        }
    }
}
