//! [`RangeTable`]: ranges in files, numbered, so that moved content has the same fingerprint.

use super::entries::{Entries, push_bytes, push_varint};
use crate::content_node::ContentNode;
use crate::{Context, Entry, Identifier, Location, LocationKind, RangeForm};
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// The first byte of a written location.
mod tag {
    pub(super) const UNKNOWN: u8 = 0;
    /// A range without extent, and its number.
    pub(super) const POSITION: u8 = 1;
    /// Any other range, and its number.
    pub(super) const RANGE: u8 = 2;
    /// A location that was written before, and its number.
    pub(super) const KNOWN: u8 = 3;
    /// A location with parts, or of a dialect: it gets the next number.
    pub(super) const NEW: u8 = 4;
    pub(super) const NAME: u8 = 5;
    pub(super) const CALL_SITE: u8 = 6;
    pub(super) const FUSED: u8 = 7;
    pub(super) const DIALECT: u8 = 8;
}

/// A range, as a key.
type Range = (Identifier, u32, u32, u32, u32, RangeForm);

/// The ranges in files that a fingerprint met, numbered from 0 in the order of first use. Equal
/// ranges have one number. See
/// [`fingerprint_with_ranges`](super::Fingerprinter::fingerprint_with_ranges).
#[derive(Default)]
pub struct RangeTable {
    ranges: Vec<Location>,
    numbers: HashMap<Range, u32, RandomState>,
    /// The numbers of other locations, by their bytes: equal locations have one number.
    nodes: HashMap<Vec<u8>, u32, RandomState>,
    /// Other locations that were written.
    known: HashMap<Location, u32, RandomState>,
}

impl std::fmt::Debug for RangeTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RangeTable")
            .field("ranges", &self.ranges)
            .finish_non_exhaustive()
    }
}

impl RangeTable {
    /// Returns a location of each range, by number.
    pub fn ranges(&self) -> &[Location] {
        &self.ranges
    }

    /// Removes all ranges and returns them; the memory of the tables is kept.
    pub fn take(&mut self) -> Vec<Location> {
        self.numbers.clear();
        self.nodes.clear();
        self.known.clear();
        // A copy of the exact size: a program may keep many.
        let ranges = self.ranges.as_slice().to_vec();
        self.ranges.clear();
        ranges
    }

    /// Writes a location with the numbers of the ranges in it.
    pub(super) fn write(&mut self, entries: &mut Entries<'_>, root: Location, out: &mut Vec<u8>) {
        if !self.is_written_directly(entries.context(), root) {
            self.define(entries, root, out);
        }
        self.reference(entries.context(), root, out);
    }

    fn is_written_directly(&self, context: &Context, location: Location) -> bool {
        match context.location_kind(location) {
            LocationKind::Unknown | LocationKind::FileLineColRange { .. } => true,
            _ => self.known.contains_key(&location),
        }
    }

    /// Writes a location that is not new.
    #[inline]
    fn reference(&mut self, context: &Context, location: Location, out: &mut Vec<u8>) {
        match context.location_kind(location) {
            LocationKind::Unknown => out.push(tag::UNKNOWN),
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            } => {
                let is_position = (start_line, start_column) == (end_line, end_column);
                let range = (file, start_line, start_column, end_line, end_column, form);
                let number = *self.numbers.entry(range).or_insert_with(|| {
                    self.ranges.push(location);
                    // A context has fewer than 2^32 locations.
                    u32::try_from(self.ranges.len() - 1).unwrap_or(u32::MAX)
                });
                out.push(if is_position {
                    tag::POSITION
                } else {
                    tag::RANGE
                });
                push_varint(out, u64::from(number));
            }
            _ => {
                out.push(tag::KNOWN);
                let number = self.known.get(&location).copied();
                push_varint(out, u64::from(number.unwrap_or(u32::MAX)));
            }
        }
    }

    /// Numbers a location and its parts, and writes those that no equal one was written of.
    fn define(&mut self, entries: &mut Entries<'_>, root: Location, out: &mut Vec<u8>) {
        let context = entries.context();
        let mut bytes = Vec::new();
        // With whether all parts have numbers.
        let mut stack = vec![(root, false)];
        while let Some((location, ready)) = stack.pop() {
            let kind = context.location_kind(location);
            if !ready {
                if self.is_written_directly(context, location) {
                    continue;
                }
                // Ends at a location that reaches itself.
                self.known.insert(location, u32::MAX);
                stack.push((location, true));
                let start = stack.len();
                kind.for_each_child(|child| {
                    if let Entry::Location(child) = child {
                        stack.push((child, false));
                    }
                });
                if let Some(parts) = stack.get_mut(start..) {
                    parts.reverse();
                }
                continue;
            }
            bytes.clear();
            match &kind {
                LocationKind::Name { name, .. } => {
                    bytes.push(tag::NAME);
                    push_bytes(&mut bytes, context.bytes(*name));
                }
                LocationKind::CallSite { .. } => bytes.push(tag::CALL_SITE),
                LocationKind::Fused {
                    locations,
                    metadata,
                } => {
                    bytes.push(tag::FUSED);
                    push_varint(&mut bytes, locations.len() as u64);
                    bytes.push(u8::from(metadata.is_some()));
                    if let Some(metadata) = *metadata {
                        let node = ContentNode::Attribute(metadata);
                        bytes.extend_from_slice(entries.hash(node));
                    }
                }
                _ => {
                    bytes.push(tag::DIALECT);
                    bytes.extend_from_slice(entries.hash(ContentNode::Location(location)));
                }
            }
            kind.for_each_child(|child| {
                if let Entry::Location(child) = child {
                    self.reference(context, child, &mut bytes);
                }
            });
            let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            let number = match self.nodes.get(&bytes) {
                Some(&number) => number,
                None => {
                    out.push(tag::NEW);
                    push_bytes(out, &bytes);
                    self.nodes.insert(bytes.clone(), next);
                    next
                }
            };
            self.known.insert(location, number);
        }
    }
}
