//! Source locations as the programs show them.

use rmlir::Location;
use rmlir::ir::{Context, LocationKind};
use serde_json::{Value, json};
use std::fmt;

/// The first file position and the first name in a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceLocation {
    /// The file, line and column.
    pub position: Option<(String, u32, u32)>,
    /// The name that precedes or contains the position.
    pub name: Option<String>,
}

/// The maximum number of locations that are looked at for one position. Locations are graphs: many
/// operations can share long chains of them.
const LOOKED_AT: usize = 1_000;

impl SourceLocation {
    /// Returns the position of a location in its file; `None` if it has neither position nor name.
    /// Of a call site, that of the callee; of fused locations, that of the first one that has one.
    /// Looks at the first thousand locations within it, so O(1).
    pub fn of(context: &Context, location: Location) -> Option<Self> {
        let mut place = SourceLocation::default();
        let mut left = LOOKED_AT;
        let mut open = vec![location];
        while let Some(location) = open.pop() {
            let Some(rest) = left.checked_sub(1) else {
                break;
            };
            left = rest;
            match context.location_kind(location) {
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    ..
                } => {
                    let file = context.str(file).into_owned();
                    place.position = Some((file, start_line, start_column));
                    return Some(place);
                }
                LocationKind::Name { name, child } => {
                    if place.name.is_none() {
                        place.name = Some(context.str(name).into_owned());
                    }
                    open.push(child);
                }
                LocationKind::CallSite { callee, caller } => open.extend([caller, callee]),
                LocationKind::Fused { locations, .. } => {
                    open.extend(locations.iter().take(left).rev());
                }
                LocationKind::Unknown | LocationKind::Dialect(_) => {}
            }
        }
        place.name.is_some().then_some(place)
    }

    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let position = self.position.as_ref();
        json!({
            "file": position.map(|(file, _, _)| file),
            "line": position.map(|(_, line, _)| line),
            "column": position.map(|(_, _, column)| column),
            "name": self.name,
        })
    }
}

impl fmt::Display for SourceLocation {
    /// `model.py:35:7`, `"layer"`, or `model.py:35:7 "layer"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.position {
            // Control characters of a name must not reach a terminal.
            write!(f, "{}:{line}:{column}", file.escape_debug())?;
        }
        if let Some(name) = &self.name {
            let blank = if self.position.is_some() { " " } else { "" };
            write!(f, "{blank}\"{}\"", name.escape_debug())?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "test code")]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_and_the_first_name_are_found() {
        let mut context = Context::new();
        let file = context.identifier("a.py");
        let name = context.identifier("layer");
        let position = context.file_location(file, 3, 4);
        let unknown = context.unknown_location();
        let named = context.location(LocationKind::Name {
            name,
            child: unknown,
        });
        let fused = context.location(LocationKind::Fused {
            locations: &[named, unknown, position],
            metadata: None,
        });
        let site = context.location(LocationKind::CallSite {
            callee: fused,
            caller: unknown,
        });
        let found = SourceLocation::of(&context, site).unwrap();
        assert_eq!(found.to_string(), "a.py:3:4 \"layer\"");
        assert_eq!(SourceLocation::of(&context, unknown), None);
    }

    #[test]
    fn the_work_is_bounded() {
        let mut context = Context::new();
        let file = context.identifier("a.py");
        let mut location = context.file_location(file, 3, 4);
        let name = context.identifier("layer");
        for _ in 1..LOOKED_AT {
            location = context.location(LocationKind::Name {
                name,
                child: location,
            });
        }
        assert!(
            SourceLocation::of(&context, location)
                .unwrap()
                .position
                .is_some()
        );
        location = context.location(LocationKind::Name {
            name,
            child: location,
        });
        let found = SourceLocation::of(&context, location).unwrap();
        assert_eq!(found.to_string(), "\"layer\"");
        let wide = vec![location; 5 * LOOKED_AT];
        let wide = context.location(LocationKind::Fused {
            locations: &wide,
            metadata: None,
        });
        assert_eq!(SourceLocation::of(&context, wide), Some(found));
    }
}
