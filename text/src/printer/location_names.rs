//! The names in locations.

use rmlir_ir::{Context, Identifier, Location, LocationKind};
use std::collections::HashMap;

/// Finds the first name in each location. Memoized: locations share parts.
#[derive(Default)]
pub(super) struct LocationNames {
    found: HashMap<Location, Option<Identifier>>,
    /// The locations that are being searched, each with the number of its next part.
    stack: Vec<(Location, usize)>,
}

impl LocationNames {
    /// Returns the name in a location that comes first where each location precedes its parts.
    /// Takes time in the number of parts that were not searched before.
    pub(super) fn first(&mut self, context: &Context, location: Location) -> Option<Identifier> {
        self.stack.clear();
        self.stack.push((location, 0));
        while let Some((location, next)) = self.stack.last_mut() {
            let (location, number) = (*location, *next);
            *next = next.saturating_add(1);
            let kind = context.location_kind(location);
            let known = match kind {
                LocationKind::Name { name, .. } => Some(Some(name)),
                _ => self.found.get(&location).copied(),
            };
            let part = match kind {
                LocationKind::CallSite { callee, caller } => [callee, caller].get(number).copied(),
                LocationKind::Fused { locations, .. } => locations.get(number).copied(),
                _ => None,
            };
            match (known, part) {
                (Some(Some(name)), _) => {
                    let around = self.stack.drain(..);
                    self.found
                        .extend(around.map(|(location, _)| (location, Some(name))));
                    return Some(name);
                }
                (None, Some(part)) => self.stack.push((part, 0)),
                (Some(None), _) | (None, None) => {
                    self.found.insert(location, None);
                    self.stack.pop();
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_are_searched_once() {
        let mut context = Context::new();
        let (file, name) = (context.identifier(b"f"), context.identifier(b"n"));
        let mut location = context.file_location(file, 1, 1);
        let call = |context: &mut Context, callee, caller| {
            context.location(LocationKind::CallSite { callee, caller })
        };
        // A search of each path would take 2^200 steps.
        for _ in 0..200 {
            location = call(&mut context, location, location);
        }
        let mut names = LocationNames::default();
        assert_eq!(names.first(&context, location), None);
        let child = context.unknown_location();
        let named = context.location(LocationKind::Name { name, child });
        let both = call(&mut context, location, named);
        assert_eq!(names.first(&context, both), Some(name));
        assert_eq!(names.first(&context, both), Some(name));
        assert_eq!(names.first(&context, location), None);
    }
}
