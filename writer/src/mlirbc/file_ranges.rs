//! The set of positions and ranges in files visited so far.

use super::entries::{AttributeEntry, Table};
use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table};
use rmlir_ir::{Context, Location, LocationKind};
use std::hash::BuildHasher;

/// Ranges in files, with their positions in the table of attributes.
///
/// Most ranges have a line nearly to themselves, and follow each other. So the ranges of a line are
/// a list that is indexed by the line number, which avoids random memory accesses. Ranges that
/// exceed the bounds of these lists are hashed.
pub(super) struct FileRanges {
    /// By the start line: the position of the first range of the line plus one.
    first_of_line: Vec<u32>,
    /// By position: the position of the next range of the line plus one.
    next: Vec<u32>,
    /// The exclusive upper bound of lines in `first_of_line`.
    ///
    /// A large line number costs nothing in the input, but each line costs memory here.
    lines: usize,
    /// The hash and the position.
    others: HashTable<(u64, u32)>,
    hasher: RandomState,
}

/// The maximum number of ranges in the list of a line.
const LONGEST_LIST: usize = 8;

impl FileRanges {
    /// Creates a set for a module with `operations` operations.
    pub(super) fn new(operations: usize) -> Self {
        FileRanges {
            first_of_line: Vec::new(),
            next: Vec::new(),
            lines: operations.saturating_mul(4),
            others: HashTable::new(),
            hasher: RandomState::default(),
        }
    }

    /// Returns the position of a range; `None` if it is new.
    ///
    /// A new range is added with the next position in the table.
    pub(super) fn find_or_add(
        &mut self,
        context: &Context,
        location: Location,
        table: &Table<AttributeEntry>,
    ) -> Option<u32> {
        let place = context.place_in_file(location);
        let (file, start, end) = match place {
            Some((file, line, column)) => (file, (line, column), (line, column)),
            None => match context.location_kind(location) {
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    ..
                } => (file, (start_line, start_column), (end_line, end_column)),
                _ => return None,
            },
        };
        let is_it = |known: u32| match table.entry(known).handle {
            AttributeEntry::Location(other) => match place {
                Some(_) => context.place_in_file(other) == place,
                None => context.location_kind(other) == context.location_kind(location),
            },
            AttributeEntry::Attribute(_) => false,
        };
        let new = table.entries.len() as u32;
        let line = start.0 as usize;
        if line < self.lines {
            if line >= self.first_of_line.len() {
                let len = (line + 1).max(self.first_of_line.len() * 2);
                self.first_of_line.resize(len.min(self.lines), 0);
            }
            let mut link = &mut self.first_of_line[line];
            let mut len = 0;
            while let Some(place) = link.checked_sub(1) {
                if is_it(place) {
                    return Some(place);
                }
                link = &mut self.next[place as usize];
                len += 1;
            }
            if len < LONGEST_LIST {
                *link = new + 1;
                self.next.resize(new as usize + 1, 0);
                return None;
            }
        }
        // Linked modules have many files with the same lines and columns.
        let hash = self.hasher.hash_one((file, start, end));
        let found = self.others.entry(
            hash,
            |&(other, place)| other == hash && is_it(place),
            |&(hash, _)| hash,
        );
        match found {
            hash_table::Entry::Occupied(found) => Some(found.get().1),
            hash_table::Entry::Vacant(free) => {
                free.insert((hash, new));
                None
            }
        }
    }
}
