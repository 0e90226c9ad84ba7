//! The symbol references that attributes and types contain, as shared sets.

use super::MAX_REFERENCES;
use std::collections::HashMap;

/// The number of a set.
pub type References = u32;

/// The empty set.
pub const NO_REFERENCES: References = 0;
/// The set of an attribute with more than [`MAX_REFERENCES`] symbol references.
const TOO_MANY: References = 1;

/// Sets of symbol references, each of which is stored once.
#[derive(Debug, Default)]
pub struct ReferenceSets {
    /// From number 2 on.
    sets: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, References>,
}

impl ReferenceSets {
    /// Returns the ascending elements of a set; `None` if there are too many.
    pub fn get(&self, set: References) -> Option<&[u32]> {
        match set {
            NO_REFERENCES => Some(&[]),
            TOO_MANY => None,
            set => self
                .sets
                .get((set as usize).saturating_sub(2))
                .map(|set| &**set),
        }
    }

    fn number(&mut self, set: Box<[u32]>) -> References {
        if set.len() > MAX_REFERENCES {
            return TOO_MANY;
        }
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let new = (self.sets.len() as u32).saturating_add(2);
        self.sets.push(set.clone());
        self.numbers.insert(set, new);
        new
    }

    /// Returns the set of one element.
    pub fn single(&mut self, element: u32) -> References {
        self.number([element].into())
    }

    /// Returns the union of two sets. O(elements).
    pub fn union(&mut self, a: References, b: References) -> References {
        match (a, b) {
            (NO_REFERENCES, other) | (other, NO_REFERENCES) => other,
            _ if a == b => a,
            _ => {
                let (Some(left), Some(right)) = (self.get(a), self.get(b)) else {
                    return TOO_MANY;
                };
                let mut all = [left, right].concat();
                all.sort_unstable();
                all.dedup();
                self.number(all.into())
            }
        }
    }
}
