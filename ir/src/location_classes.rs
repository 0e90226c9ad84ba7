//! Structural equality of locations, by giving each class of equal ones a number.

use crate::intern::Interner;
use crate::{Context, IndexedMap, Location, LocationKind, RangeForm};

/// Numbers locations so that two have the same number exactly if they are equal.
///
/// Linear in the locations and attributes reached; results are memoized, and nesting is traversed
/// with an explicit stack.
#[derive(Clone, Default)]
pub struct LocationClasses {
    /// The keys of ranges in files, which most locations are, and the class of each.
    ranges: Interner<[u32; 6]>,
    range_classes: Vec<u32>,
    /// The keys of other locations, and the class of each.
    keys: Interner<Box<[u32]>>,
    key_classes: Vec<u32>,
    /// The first location of each class.
    representatives: Vec<Location>,
    /// By location: class + 1, 0 if not known yet.
    known: IndexedMap<u32>,
    /// Forms of ranges do not count.
    of_content: bool,
}

impl LocationClasses {
    /// Returns an empty numbering.
    pub fn new() -> Self {
        LocationClasses::default()
    }

    /// Returns an empty numbering that ignores differences which are not content: see
    /// [`RangeForm`].
    pub fn of_content() -> Self {
        LocationClasses {
            of_content: true,
            ..Self::default()
        }
    }

    /// Returns the class of `location`. Classes are numbered from 0 in order of first encounter.
    pub fn class(&mut self, context: &Context, location: Location) -> u32 {
        if let Some(class) = self.known(location) {
            return class;
        }
        self.known.reserve(context.location_count(), 0);
        if let Some(key) = self.range_key(context, location) {
            return self.class_of_range(location, key);
        }
        let mut stack = vec![location];
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            if let Some(key) = self.range_key(context, top) {
                self.class_of_range(top, key);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let key = self.key(context, top, &mut stack);
            if stack.len() == before {
                let number = self.keys.intern(key.into());
                if number == self.key_classes.len() {
                    self.key_classes.push(self.representatives.len() as u32);
                    self.representatives.push(top);
                }
                *self.known.get_mut(top.index()) = self.key_classes[number] + 1;
                stack.pop();
            }
        }
        self.known(location).unwrap_or_default()
    }

    /// Returns the first location of the same class that was passed in.
    pub fn representative(&mut self, context: &Context, location: Location) -> Location {
        let class = self.class(context, location);
        self.representatives[class as usize]
    }

    /// Returns the class of `location` if it is memoized.
    pub fn known(&self, location: Location) -> Option<u32> {
        self.known.get(location.index()).checked_sub(1)
    }

    /// Returns the key of a range in a file; `None` for another location.
    fn range_key(&self, context: &Context, location: Location) -> Option<[u32; 6]> {
        let LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
            form,
        } = context.location_kind(location)
        else {
            return None;
        };
        let form = match self.of_content {
            true => RangeForm::Full,
            false => form,
        };
        Some([
            file.index() as u32,
            start_line,
            start_column,
            end_line,
            end_column,
            form as u32,
        ])
    }

    fn class_of_range(&mut self, location: Location, key: [u32; 6]) -> u32 {
        let number = self.ranges.intern(key);
        if number == self.range_classes.len() {
            self.range_classes.push(self.representatives.len() as u32);
            self.representatives.push(location);
        }
        let class = self.range_classes[number];
        *self.known.get_mut(location.index()) = class + 1;
        class
    }

    /// Returns the location as a key of numbers; pushes children without a class instead of
    /// including them.
    fn key(&self, context: &Context, location: Location, stack: &mut Vec<Location>) -> Vec<u32> {
        let mut child = |l: Location| {
            self.known(l).unwrap_or_else(|| {
                stack.push(l);
                0
            })
        };
        match context.location_kind(location) {
            LocationKind::Unknown => vec![0],
            // Ranges have keys of their own.
            LocationKind::FileLineColRange { .. } => vec![1],
            LocationKind::Dialect(attribute) => vec![5, attribute.index() as u32],
            LocationKind::Name { name, child: c } => vec![2, name.index() as u32, child(c)],
            LocationKind::CallSite { callee, caller } => vec![3, child(callee), child(caller)],
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                let mut key = vec![4, metadata.map_or(0, |m| m.index() as u32 + 1)];
                key.extend(locations.iter().map(|&l| child(l)));
                key
            }
        }
    }
}
