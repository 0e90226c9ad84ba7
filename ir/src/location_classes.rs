//! Structural equality of locations, by giving each class of equal ones a number.

use crate::intern::Interner;
use crate::{Context, Location, LocationKind, RangeForm};

/// Numbers locations so that two have the same number exactly if they are equal.
///
/// Linear in the locations and attributes reached; results are memoized, and nesting is traversed
/// with an explicit stack.
#[derive(Clone, Default)]
pub struct LocationClasses {
    keys: Interner<Box<[u32]>>,
    /// The first location of each class.
    representatives: Vec<Location>,
    /// By location: class + 1, 0 if not known yet.
    known: Vec<u32>,
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
        self.known.resize(context.location_count(), 0);
        let mut stack = vec![location];
        while let Some(&top) = stack.last() {
            if self.known(top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let key = self.key(context, top, &mut stack);
            if stack.len() == before {
                let class = self.keys.intern(key.into()) as u32;
                if class as usize == self.representatives.len() {
                    self.representatives.push(top);
                }
                self.known[top.index()] = class + 1;
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
        self.known
            .get(location.index())
            .and_then(|&k| k.checked_sub(1))
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
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
                form,
            } => {
                let mut key = vec![
                    1,
                    file.index() as u32,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                ];
                if form != RangeForm::Full && !self.of_content {
                    key.push(form as u32);
                }
                key
            }
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
