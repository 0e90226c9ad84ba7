//! Which places and ranges in files were met.

use super::entries::{AttributeEntry, Table};
use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table};
use rmlir_ir::{Context, Location, LocationKind};
use std::hash::BuildHasher;

/// Ranges in files by their places in the table of attributes.
///
/// Most have a line nearly for themselves, and follow each other: those of a line are a list that is found by the line's
/// number, without jumping about in memory. What is too many for that is hashed.
pub(super) struct FileRanges {
    /// By the line of its start, the place of the first range that was met, plus one.
    first_of_line: Vec<u32>,
    /// By place, that of the next range of the line, plus one.
    next: Vec<u32>,
    /// Lines from this one on are not in `first_of_line`: a number costs nothing to write, a line of memory does.
    lines: usize,
    /// The hash and the place.
    others: HashTable<(u64, u32)>,
    hasher: RandomState,
}

/// The most ranges in the list of a line.
const LONGEST_LIST: usize = 8;

impl FileRanges {
    /// For a module of so many operations.
    pub(super) fn new(operations: usize) -> Self {
        FileRanges {
            first_of_line: Vec::new(),
            next: Vec::new(),
            lines: operations.saturating_mul(4),
            others: HashTable::new(),
            hasher: RandomState::default(),
        }
    }

    /// The place of a range; none if it is new, then it is remembered as what comes next in the table.
    pub(super) fn find_or_add(
        &mut self,
        context: &Context,
        location: Location,
        table: &Table<AttributeEntry>,
    ) -> Option<u32> {
        let place = context.place_in_file(location);
        let (start, end) = match place {
            Some((_, line, column)) => ((line, column), (line, column)),
            None => match context.location_kind(location) {
                LocationKind::FileLineColRange {
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    ..
                } => ((start_line, start_column), (end_line, end_column)),
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
        let hash = self.hasher.hash_one((start, end));
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
