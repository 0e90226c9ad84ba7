//! The storage of a context's locations.

use super::{Location, LocationKind, RangeForm};
use crate::handle::Owner;
use crate::{Attribute, Identifier};

/// A location in 16 bytes. The size matters because there are as many locations as operations; most
/// are positions in files.
#[derive(Clone, Copy, Debug)]
enum Stored {
    Unknown,
    /// A range that ends where it starts, written as a position.
    Place {
        file: Identifier,
        line: u32,
        column: u32,
    },
    /// Any other range, in [`LocationArena::ranges`].
    Range(u32),
    Name {
        name: Identifier,
        child: Location,
    },
    CallSite {
        callee: Location,
        caller: Location,
    },
    Fused {
        /// A range of [`LocationArena::lists`].
        start: u32,
        len: u32,
        metadata: Option<Attribute>,
    },
    Dialect(Attribute),
}

const _: () = assert!(size_of::<Stored>() == 16);

/// Locations by their handles.
#[derive(Clone, Debug)]
pub(crate) struct LocationArena {
    owner: Owner,
    entries: Vec<Stored>,
    ranges: Vec<LocationKind<'static>>,
    /// The parts of fused locations.
    lists: Vec<Location>,
}

impl LocationArena {
    /// Creates an arena that holds the unknown location, which is the first.
    pub(crate) fn new(owner: Owner) -> Self {
        LocationArena {
            owner,
            entries: vec![Stored::Unknown],
            ranges: Vec::new(),
            lists: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.reserve(count);
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: LocationKind<'_>) -> Location {
        let location = Location::from_index(self.entries.len()).of(self.owner);
        let stored = self.stored(kind);
        self.entries.push(stored);
        location
    }

    #[inline]
    pub(crate) fn push_place(&mut self, file: Identifier, line: u32, column: u32) -> Location {
        let location = Location::from_index(self.entries.len()).of(self.owner);
        self.entries.push(Stored::Place { file, line, column });
        location
    }

    /// Replaces the location `to` by a copy of `from`.
    pub(crate) fn copy(&mut self, to: Location, from: Location) {
        self.entries[to.index()] = self.entries[from.index()];
    }

    #[inline]
    fn stored(&mut self, kind: LocationKind<'_>) -> Stored {
        match kind {
            LocationKind::Unknown => Stored::Unknown,
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            } => {
                let is_place = (start_line, start_column) == (end_line, end_column);
                if is_place && form == RangeForm::Full {
                    return Stored::Place {
                        file,
                        line: start_line,
                        column: start_column,
                    };
                }
                self.ranges.push(LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form,
                });
                Stored::Range(self.ranges.len() as u32 - 1)
            }
            LocationKind::Name { name, child } => Stored::Name { name, child },
            LocationKind::CallSite { callee, caller } => Stored::CallSite { callee, caller },
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                let start = self.lists.len() as u32;
                self.lists.extend_from_slice(locations);
                Stored::Fused {
                    start,
                    len: locations.len() as u32,
                    metadata,
                }
            }
            LocationKind::Dialect(attribute) => Stored::Dialect(attribute),
        }
    }

    #[inline]
    pub(crate) fn place(&self, location: Location) -> Option<(Identifier, u32, u32)> {
        match self.entries[location.index_in(self.owner)] {
            Stored::Place { file, line, column } => Some((file, line, column)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn get(&self, location: Location) -> LocationKind<'_> {
        match self.entries[location.index_in(self.owner)] {
            Stored::Place { file, line, column } => LocationKind::place(file, line, column),
            Stored::Unknown => LocationKind::Unknown,
            Stored::Range(index) => self.ranges[index as usize],
            Stored::Name { name, child } => LocationKind::Name { name, child },
            Stored::CallSite { callee, caller } => LocationKind::CallSite { callee, caller },
            Stored::Fused {
                start,
                len,
                metadata,
            } => LocationKind::Fused {
                locations: &self.lists[start as usize..][..len as usize],
                metadata,
            },
            Stored::Dialect(attribute) => LocationKind::Dialect(attribute),
        }
    }
}
