//! Source locations as the programs show them.

use rmlir::Location;
use rmlir::ir::{Context, Identifier, LocationKind};
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

/// A [`SourceLocation`] whose names are in the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourcePosition {
    position: Option<(Identifier, u32, u32)>,
    name: Option<Identifier>,
}

impl SourcePosition {
    /// Returns the position of a location in its file; `None` if it has neither position nor name.
    /// Of a call site, that of the callee; of fused locations, that of the first one that has one.
    /// Looks at the first thousand locations within it, so O(1).
    pub fn of(context: &Context, location: Location) -> Option<Self> {
        let mut place = SourcePosition::default();
        let mut left = LOOKED_AT;
        let mut open = Vec::new();
        let mut next = Some(location);
        while let Some(location) = next {
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
                    place.position = Some((file, start_line, start_column));
                    return Some(place);
                }
                LocationKind::Name { name, child } => {
                    place.name = place.name.or(Some(name));
                    open.push(child);
                }
                LocationKind::CallSite { callee, caller } => open.extend([caller, callee]),
                LocationKind::Fused { locations, .. } => {
                    open.extend(locations.iter().take(left).rev());
                }
                LocationKind::Unknown | LocationKind::Dialect(_) => {}
            }
            next = open.pop();
        }
        place.name.is_some().then_some(place)
    }

    /// Returns the file, line and column.
    pub fn position(&self) -> Option<(Identifier, u32, u32)> {
        self.position
    }
}

/// Writes positions that mostly are in one file.
pub struct Positions<'c> {
    context: &'c Context,
    /// The file of the last position, and its name as it is written.
    file: Option<(Identifier, String)>,
}

impl<'c> Positions<'c> {
    /// Returns a writer for positions of a context.
    pub fn new(context: &'c Context) -> Self {
        Positions {
            context,
            file: None,
        }
    }

    /// Appends the text of the [`SourceLocation`].
    pub fn write(&mut self, place: SourcePosition, out: &mut String) {
        let name = place.name.map(|name| self.context.str(name));
        let position = place.position.map(|(file, line, column)| {
            if self.file.as_ref().is_none_or(|known| known.0 != file) {
                let mut text = String::new();
                let _ = escaped(&self.context.str(file), &mut text);
                self.file = Some((file, text));
            }
            let file = self.file.as_ref().map_or("", |known| known.1.as_str());
            (file, line, column)
        });
        // Writing to a string does not fail.
        let _ = write_position(position, name.as_deref(), out);
    }
}

/// Appends a number; formatting takes several times as long.
fn write_number(mut number: u32, f: &mut impl fmt::Write) -> fmt::Result {
    let mut digits = [b'0'; 10];
    let mut first = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.saturating_add((number % 10) as u8);
        number /= 10;
        first = first.saturating_sub(1);
        if number == 0 {
            break;
        }
    }
    f.write_str(str::from_utf8(digits.get(first..).unwrap_or_default()).unwrap_or_default())
}

/// Writes a position, whose file is escaped, and a name.
fn write_position(
    position: Option<(&str, u32, u32)>,
    name: Option<&str>,
    f: &mut impl fmt::Write,
) -> fmt::Result {
    if let Some((file, line, column)) = position {
        f.write_str(file)?;
        f.write_str(":")?;
        write_number(line, f)?;
        f.write_str(":")?;
        write_number(column, f)?;
    }
    if let Some(name) = name {
        f.write_str(if position.is_some() { " \"" } else { "\"" })?;
        escaped(name, f)?;
        f.write_str("\"")?;
    }
    Ok(())
}

/// Writes a name without control characters, which must not reach a terminal.
fn escaped(name: &str, f: &mut impl fmt::Write) -> fmt::Result {
    let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\'' | b'\\');
    match name.bytes().all(is_plain) {
        true => f.write_str(name),
        false => write!(f, "{}", name.escape_debug()),
    }
}

impl SourceLocation {
    /// Returns [`SourcePosition::of`] with its names.
    pub fn of(context: &Context, location: Location) -> Option<Self> {
        let SourcePosition { position, name } = SourcePosition::of(context, location)?;
        let string = |name| context.str(name).into_owned();
        Some(SourceLocation {
            position: position.map(|(file, line, column)| (string(file), line, column)),
            name: name.map(string),
        })
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
        let position = self.position.as_ref();
        let position = position.map(|(file, line, column)| {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = escaped(file, &mut text);
            (text, *line, *column)
        });
        let position = position.as_ref();
        let position = position.map(|(file, line, column)| (file.as_str(), *line, *column));
        write_position(position, self.name.as_deref(), f)
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
