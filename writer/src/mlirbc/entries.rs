//! The tables of attributes, types and operation names: entries by first visit, counted and sorted.

use crate::numbers::{Numbers, next};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Attribute, Identifier, Location, OperationName, Resource, Type};
use std::cmp::Reverse;
use std::ops::Range;

/// A node that an entry refers to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Attribute(Attribute),
    Location(Location),
    Type(Type),
    Resource(Resource),
}

/// An entry of the table of attributes.
#[derive(Clone, Copy, Debug)]
pub(super) enum AttributeEntry {
    Attribute(Attribute),
    /// The representative of all equal locations.
    Location(Location),
}

/// The encoding of an entry.
pub(super) enum Layout {
    Text,
    /// A position or range in the file that this string names.
    InFile(Attribute),
    /// By a codec of the builtin dialect.
    Builtin,
    /// By a codec of another dialect, as an index of
    /// [`Numbering::encoded`](super::numbering::Numbering::encoded).
    Encoded(u32),
}

/// The encoding of an entry, and its references.
pub(super) struct Detail {
    dialect: u32,
    pub(super) layout: Layout,
    /// A range of [`Numbering::children`](super::numbering::Numbering::children).
    pub(super) children: Range<u32>,
}

/// An attribute, type or name of an operation.
pub(super) struct Entry<T> {
    pub(super) handle: T,
    /// The number of references to it.
    count: u32,
    /// An index of [`Table::details`]. All positions in a file share one.
    detail: u32,
}

/// Entries by first visit, and their numbers.
pub(super) struct Table<T> {
    pub(super) entries: Vec<Entry<T>>,
    details: Vec<Detail>,
    /// By index of the handle: the position in `entries`.
    pub(super) places: Numbers,
    /// By number: the position in `entries`.
    order: Vec<u32>,
    /// The dialects of runs in `order`, and the lengths of the runs.
    groups: Vec<(u32, usize)>,
    /// By position in `entries`: the number.
    numbers: Vec<u32>,
}

impl<T> Table<T> {
    /// Creates an empty table for an owner with `handles` handles, of which about `expected` are
    /// used.
    pub(super) fn new(handles: usize, expected: usize) -> Self {
        Table {
            entries: Vec::new(),
            details: Vec::new(),
            places: Numbers::new(handles, expected),
            order: Vec::new(),
            groups: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Counts a use; returns false if there is no entry yet.
    #[inline]
    pub(super) fn count(&mut self, index: usize) -> bool {
        match self.places.get(index) {
            Some(place) => {
                self.count_at(place);
                true
            }
            None => false,
        }
    }

    #[inline]
    pub(super) fn count_at(&mut self, place: u32) {
        let entry = &mut self.entries[place as usize];
        entry.count = entry.count.saturating_add(1);
    }

    pub(super) fn add(&mut self, index: usize, handle: T, dialect: u32) -> Result<u32> {
        let detail = self.add_detail(dialect, Layout::Text);
        let place = self.push(handle, detail)?;
        self.places.set(index, place);
        Ok(place)
    }

    /// Adds an entry. `detail` is the result of [`add_detail`](Self::add_detail).
    pub(super) fn push(&mut self, handle: T, detail: u32) -> Result<u32> {
        let place = self.entries.len() as u32;
        next(place)?;
        self.entries.push(Entry {
            handle,
            count: 1,
            detail,
        });
        Ok(place)
    }

    pub(super) fn add_detail(&mut self, dialect: u32, layout: Layout) -> u32 {
        self.details.push(Detail {
            dialect,
            layout,
            children: 0..0,
        });
        self.details.len() as u32 - 1
    }

    pub(super) fn set_layout(&mut self, place: u32, layout: Layout, children: Range<u32>) {
        let detail = &mut self.details[self.entries[place as usize].detail as usize];
        (detail.layout, detail.children) = (layout, children);
    }

    pub(super) fn detail(&self, entry: &Entry<T>) -> &Detail {
        &self.details[entry.detail as usize]
    }

    /// Sorts the entries into their final order.
    pub(super) fn sort(&mut self) {
        let counts = || (0u32..).zip(self.entries.iter().map(|entry| entry.count));
        let shared = counts().filter(|&(_, count)| count > 1);
        let mut shared: Vec<_> = shared
            .map(|(place, count)| (Reverse(count), place))
            .collect();
        shared.sort_unstable();
        let mut order: Vec<u32> = Vec::with_capacity(self.entries.len());
        order.extend(shared.iter().map(|&(_, place)| place));
        // Most entries are used once: they keep their order.
        let single = counts().filter(|&(_, count)| count <= 1);
        order.extend(single.map(|(place, _)| place));
        let dialect = |place: u32| self.detail(self.entry(place)).dialect;
        let mut groups: Vec<(u32, usize)> = Vec::new();
        let (mut start, mut size, mut first) = (0, 0u64, 0);
        for bytes in 1..=8 {
            size = (1u64 << (7 * bytes)).saturating_sub(size);
            let len = usize::try_from(size).unwrap_or(usize::MAX);
            let end = start + len.min(order.len() - start);
            for (dialect, len) in sort_by_dialect(&mut order[start..end], first, dialect) {
                match groups.last_mut() {
                    Some(last) if last.0 == dialect => last.1 += len,
                    _ => groups.push((dialect, len)),
                }
                first = dialect;
            }
            start = end;
        }
        self.numbers = vec![0; order.len()];
        for (number, &place) in (0..).zip(&order) {
            self.numbers[place as usize] = number;
        }
        (self.order, self.groups) = (order, groups);
    }

    #[inline]
    fn number(&self, index: usize) -> Option<u64> {
        self.number_at(self.places.get(index))
    }

    #[inline]
    fn number_at(&self, place: Option<u32>) -> Option<u64> {
        Some(self.numbers[place? as usize].into())
    }

    pub(super) fn entry(&self, place: u32) -> &Entry<T> {
        &self.entries[place as usize]
    }

    /// Returns the positions of entries in their final order, by runs of one dialect.
    pub(super) fn groups(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut rest = self.order.as_slice();
        self.groups.iter().map(move |&(dialect, len)| {
            let (group, behind) = rest.split_at(len);
            rest = behind;
            (dialect, group)
        })
    }
}

/// Sorts positions stably by their dialects, of which `first` comes first.
///
/// Returns the dialects, each with the number of its positions.
fn sort_by_dialect(
    places: &mut [u32],
    first: u32,
    dialect: impl Fn(u32) -> u32,
) -> Vec<(u32, usize)> {
    let dialects: Vec<u32> = places.iter().map(|&place| dialect(place)).collect();
    let count = dialects.iter().max().map_or(0, |&last| last as usize + 1);
    let mut counts = vec![0; count];
    for &dialect in &dialects {
        counts[dialect as usize] += 1;
    }
    let others = (0..count as u32).filter(|&dialect| dialect != first);
    let all = std::iter::once(first).chain(others);
    let all = all.map(|dialect| (dialect, counts.get(dialect as usize).copied().unwrap_or(0)));
    let groups: Vec<(u32, usize)> = all.filter(|&(_, count)| count > 0).collect();
    if groups.len() > 1 {
        // The next output position of each dialect.
        let mut next = counts;
        let mut end = 0;
        for &(dialect, count) in &groups {
            next[dialect as usize] = end;
            end += count;
        }
        let before = places.to_vec();
        for (place, dialect) in before.into_iter().zip(dialects) {
            let next = &mut next[dialect as usize];
            places[*next] = place;
            *next += 1;
        }
    }
    groups
}

/// The resource handles of a dialect.
pub(super) struct ResourceGroup {
    pub(super) dialect: u32,
    /// Resources with a value come first.
    pub(super) resources: Vec<Resource>,
}

/// The tables of a file, and the numbers of all their entries.
pub(super) struct Tables {
    pub(super) attributes: Table<AttributeEntry>,
    /// The positions of locations in the table of attributes.
    pub(super) locations: Numbers,
    /// The position of the unknown location.
    pub(super) unknown_location: Option<u32>,
    pub(super) types: Table<Type>,
    pub(super) names: Table<OperationName>,
    pub(super) dialects: Vec<Identifier>,
    pub(super) resources: Vec<ResourceGroup>,
    pub(super) resource_numbers: HashMap<Resource, u64, RandomState>,
}

impl Tables {
    pub(super) fn child(&self, child: Child) -> Result<u64> {
        match child {
            Child::Attribute(attribute) => self.attribute(attribute),
            Child::Location(location) => self.location(location),
            Child::Type(ty) => self.ty(ty),
            Child::Resource(resource) => self
                .resource_numbers
                .get(&resource)
                .copied()
                .ok_or_else(unknown),
        }
    }

    #[inline]
    pub(super) fn attribute(&self, attribute: Attribute) -> Result<u64> {
        self.attributes
            .number(attribute.index())
            .ok_or_else(unknown)
    }

    #[inline]
    pub(super) fn location(&self, location: Location) -> Result<u64> {
        let place = self.locations.get(location.index());
        self.attributes.number_at(place).ok_or_else(unknown)
    }

    #[inline]
    pub(super) fn is_unknown(&self, location: Location) -> bool {
        let place = self.locations.get(location.index());
        place.is_some() && place == self.unknown_location
    }

    #[inline]
    pub(super) fn ty(&self, ty: Type) -> Result<u64> {
        self.types.number(ty.index()).ok_or_else(unknown)
    }

    #[inline]
    pub(super) fn name(&self, name: OperationName) -> Result<u64> {
        self.names.number(name.index()).ok_or_else(unknown)
    }
}

#[cold]
fn unknown() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "the module has something that was not met before",
    )
}
