//! Positions in source files, as found in locations of any kind.

use crate::{Context, Location, LocationKind};

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// A position in a source file, displayed as `file:line:column`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileLineCol<'a> {
    /// The file name. Bytes that are not UTF-8 are replaced.
    pub file: Cow<'a, str>,
    /// The line, counted from 1; 0 if it is unknown.
    pub line: u32,
    /// The column in bytes, counted from 1; 0 if it is unknown.
    pub column: u32,
}

impl fmt::Display for FileLineCol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Context {
    /// Returns the first file position in a location: of the callee before the caller, of the parts
    /// of a fused location in order, and of the child of a named location.
    ///
    /// This is the position that MLIR's diagnostics show. `None` if the location contains no file
    /// position. Linear in the number of locations that it is built from.
    ///
    /// ```
    /// use rmlir_ir::{Context, LocationKind};
    ///
    /// let mut context = Context::new();
    /// let file = context.identifier("model.py");
    /// let (callee, caller) = (context.file_location(file, 3, 5), context.file_location(file, 9, 1));
    /// let call = context.location(LocationKind::CallSite { callee, caller });
    /// assert_eq!(context.file_line_col(call).unwrap().to_string(), "model.py:3:5");
    /// assert!(context.file_line_col(context.unknown_location()).is_none());
    /// ```
    #[doc(alias = "FileLineColLoc")]
    #[doc(alias = "findInstanceOf")]
    pub fn file_line_col(&self, location: Location) -> Option<FileLineCol<'_>> {
        Positions::new(self, location).next()
    }

    /// Returns the file positions of a location's call stack, innermost call first: that of the
    /// operation itself, then that of each enclosing call site.
    ///
    /// Only the first part of a fused location that has a position is used. Linear in the number of
    /// locations that the location is built from; one that occurs several times is listed once.
    ///
    /// ```
    /// use rmlir_ir::{Context, LocationKind};
    ///
    /// let mut context = Context::new();
    /// let file = context.identifier("model.py");
    /// let (callee, caller) = (context.file_location(file, 3, 5), context.file_location(file, 9, 1));
    /// let call = context.location(LocationKind::CallSite { callee, caller });
    /// let stack: Vec<_> = context.call_stack(call).iter().map(ToString::to_string).collect();
    /// assert_eq!(stack, ["model.py:3:5", "model.py:9:1"]);
    /// ```
    #[doc(alias = "CallSiteLoc")]
    pub fn call_stack(&self, location: Location) -> Vec<FileLineCol<'_>> {
        Positions::new(self, location).collect()
    }
}

/// Visits the file positions in a location, each location and each frame once.
struct Positions<'a> {
    context: &'a Context,
    /// A stack of locations with the number of the frame that they describe; the next one is last.
    open: Vec<(Location, usize)>,
    /// Guards against locations that share parts, or contain themselves.
    seen: HashSet<Location>,
    /// For each frame, whether its position was returned: the other parts of a fused location
    /// describe the same frame.
    found: Vec<bool>,
}

impl<'a> Positions<'a> {
    fn new(context: &'a Context, location: Location) -> Self {
        Positions {
            context,
            open: vec![(location, 0)],
            seen: HashSet::new(),
            found: vec![false],
        }
    }
}

impl<'a> Iterator for Positions<'a> {
    type Item = FileLineCol<'a>;

    fn next(&mut self) -> Option<FileLineCol<'a>> {
        while let Some((location, frame)) = self.open.pop() {
            let Some(found) = self.found.get_mut(frame).filter(|found| !**found) else {
                continue;
            };
            if !self.seen.insert(location) {
                continue;
            }
            match self.context.location_kind(location) {
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    ..
                } => {
                    *found = true;
                    return Some(FileLineCol {
                        file: self.context.str(file),
                        line: start_line,
                        column: start_column,
                    });
                }
                LocationKind::Name { child, .. } => self.open.push((child, frame)),
                LocationKind::CallSite { callee, caller } => {
                    self.open.push((caller, self.found.len()));
                    self.open.push((callee, frame));
                    self.found.push(false);
                }
                LocationKind::Fused { locations, .. } => {
                    let parts = locations.iter().rev().map(|&part| (part, frame));
                    self.open.extend(parts);
                }
                LocationKind::Dialect(_) | LocationKind::Unknown => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, LocationKind};

    #[test]
    fn a_call_stack_has_one_position_for_each_frame() {
        let mut context = Context::new();
        let file = context.identifier("a.py");
        let [a, b, c, d] = [1, 2, 3, 4].map(|line| context.file_location(file, line, 1));
        let fused = context.fused_location(&[a, b], None);
        let inner = context.location(LocationKind::CallSite {
            callee: fused,
            caller: c,
        });
        let name = context.identifier("jit(f)/add");
        let named = context.location(LocationKind::Name { name, child: inner });
        let outer = context.location(LocationKind::CallSite {
            callee: named,
            caller: d,
        });
        let lines: Vec<u32> = context.call_stack(outer).iter().map(|p| p.line).collect();
        assert_eq!(lines, [1, 3, 4]);
        assert_eq!(context.file_line_col(outer).map(|p| p.line), Some(1));
        assert!(context.call_stack(context.unknown_location()).is_empty());
    }

    #[test]
    fn shared_and_cyclic_locations_end() {
        let mut context = Context::new();
        let file = context.identifier("a.py");
        let mut location = context.file_location(file, 1, 1);
        for _ in 0..200 {
            location = context.location(LocationKind::CallSite {
                callee: location,
                caller: location,
            });
        }
        assert_eq!(context.call_stack(location).len(), 1);
        let reserved = context.reserve_location();
        let name = context.identifier("x");
        let cycle = context.location(LocationKind::Name {
            name,
            child: reserved,
        });
        context.define_location(reserved, cycle);
        assert!(context.file_line_col(cycle).is_none());
    }
}
