//! Source locations as the programs show them.

use rmlir::Location;
use rmlir::ir::{Context, Entry, LocationKind};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt;

/// The first file position and the first name in a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceLocation {
    /// The file, line and column.
    pub position: Option<(String, u32, u32)>,
    /// The name that precedes or contains the position.
    pub name: Option<String>,
}

impl SourceLocation {
    /// Returns the position of a location in its file; `None` if it has neither position nor name.
    /// Of a call site, that of the callee; of fused locations, that of the first one that has one.
    /// Linear in the locations.
    pub fn of(context: &Context, location: Location) -> Option<Self> {
        let mut place = SourceLocation::default();
        let mut seen = HashSet::new();
        let mut open = vec![location];
        while let Some(location) = open.pop() {
            if !seen.insert(location) {
                continue;
            }
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
                LocationKind::Name { name, .. } if place.name.is_none() => {
                    place.name = Some(context.str(name).into_owned());
                }
                _ => {}
            }
            let start = open.len();
            context.for_each_child(location, |child| {
                if let Entry::Location(child) = child {
                    open.push(child);
                }
            });
            // The first child comes first.
            if let Some(children) = open.get_mut(start..) {
                children.reverse();
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
