//! `rmlir diff`: prints the differences between two modules.

mod lines;
mod order;
mod side;

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::LoadOptions;
use crate::symbols::shown;
use clap::Args;
use lines::differing_lines;
use rmlir::ir::{EqualityOptions, Operation, semantic_difference};
use rmlir::reader::lazy::SymbolPath;
use serde_json::json;
use side::{Content, Side, Stored};
use std::collections::BTreeSet;

/// Compare the content of two modules of any form
///
/// Prints the symbols that were added, removed, changed and moved, and the changed operations.
/// Locations are ignored unless '--locations' is given.
///
/// Exit status: 0 if the content is equal, 1 if it differs, 2 on an error.
#[derive(Args, Debug)]
pub struct Diff {
    /// The first input file; `-` is standard input
    left: String,
    /// The second input file; `-` is standard input
    right: String,
    /// Compare locations too
    #[arg(long)]
    locations: bool,
    /// List the symbols that differ without their operations
    #[arg(long)]
    brief: bool,
    /// Print one JSON object per symbol that differs
    #[arg(long)]
    json: bool,
    /// Compare stored fingerprints where both files have them
    ///
    /// If those of the modules are equal, nothing else is read. A file can store any fingerprint:
    /// use this for trusted files only.
    #[arg(long)]
    trust_stored: bool,
    #[command(flatten)]
    load: LoadOptions,
}

/// A symbol, or the rest of a symbol table, that differs.
struct Change {
    name: String,
    kind: &'static str,
    /// The differences, in human-readable form.
    details: Vec<String>,
}

impl Run for Diff {
    fn failure_status(&self) -> u8 {
        2
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        if self.left == "-" && self.right == "-" {
            let message = "standard input cannot be both sides: name a file for one of them";
            return Err(Failure::Usage(message.to_owned()));
        }
        let inputs = (self.load.read(&self.left)?, self.load.read(&self.right)?);
        let mut stored = (Stored::default(), Stored::default());
        if self.trust_stored {
            stored.0 = Stored::read(&self.load, &inputs.0)?;
            stored.1 = Stored::read(&self.load, &inputs.1)?;
            if !self.locations && stored.0.module.is_some() && stored.0.module == stored.1.module {
                return Ok(ExitStatus::Success);
            }
        }
        // What is the same byte for byte need not be decoded for that.
        let is_copy =
            || Ok::<_, Failure>(inputs.0.source()?.as_slice() == inputs.1.source()?.as_slice());
        let left = match Loaded::from_input(&self.load, inputs.0.clone()) {
            Err(Failure::Undecoded(_)) if is_copy()? => return Ok(ExitStatus::Success),
            left => left?,
        };
        let right = Loaded::from_input(&self.load, inputs.1)?;
        let mut left = Side::new(&left, stored.0);
        let mut right = Side::new(&right, stored.1);
        let tops = (left.module.top(), right.module.top());
        let mut same =
            |locations| left.fingerprint(tops.0, locations) == right.fingerprint(tops.1, locations);
        if same(self.locations) {
            if !self.locations && !self.json && !same(true) {
                print("only locations differ\n")?;
            }
            return Ok(ExitStatus::Success);
        }
        let changes = Comparison {
            options: self,
            left,
            right,
            changes: Vec::new(),
            located: 0,
        }
        .run();
        let mut text = String::new();
        for change in &changes {
            if self.json {
                let line = json!({
                    "symbol": change.name,
                    "change": change.kind,
                    "details": change.details,
                });
                text.push_str(&format!("{line}\n"));
                continue;
            }
            text.push_str(&format!("{} {}\n", change.kind, change.name));
            for detail in &change.details {
                text.push_str(&format!("  {detail}\n"));
            }
        }
        print(&text)?;
        Ok(ExitStatus::Different)
    }
}

/// The maximum number of changed symbols for which the first difference is located.
const LOCATED: usize = 1000;

/// The operations of one path on both sides; `None` if a side does not have it.
struct Compared {
    path: SymbolPath,
    left: Option<Operation>,
    right: Option<Operation>,
}

/// The comparison of two modules, symbol by symbol. Each operation belongs to exactly one part: a
/// symbol that is not a symbol table, or the rest of a symbol table. So the comparison takes linear
/// time.
struct Comparison<'d, 's> {
    options: &'d Diff,
    left: Side<'s>,
    right: Side<'s>,
    changes: Vec<Change>,
    /// The number of symbols for which the first difference was located.
    located: usize,
}

impl Comparison<'_, '_> {
    fn run(mut self) -> Vec<Change> {
        let mut open = vec![Compared {
            path: SymbolPath::default(),
            left: Some(self.left.module.top()),
            right: Some(self.right.module.top()),
        }];
        while let Some(compared) = open.pop() {
            let is_table = |side: &Side<'_>, operation: Option<Operation>| {
                operation.filter(|&operation| side.is_table(operation))
            };
            let tables = (
                is_table(&self.left, compared.left),
                is_table(&self.right, compared.right),
            );
            match (compared.left, compared.right) {
                (Some(_), None) => self.change(&compared.path, "removed", Vec::new()),
                (None, Some(_)) => self.change(&compared.path, "added", Vec::new()),
                (Some(left), Some(right)) if tables.0.is_none() || tables.1.is_none() => {
                    self.symbols(&compared.path, left, right);
                }
                _ => {}
            }
            if tables.0.is_none() && tables.1.is_none() {
                continue;
            }
            let content = (
                tables.0.map(|t| self.left.content(t)).unwrap_or_default(),
                tables.1.map(|t| self.right.content(t)).unwrap_or_default(),
            );
            if let (Some(left), Some(right)) = tables {
                self.tables(&compared.path, (left, &content.0), (right, &content.1));
            }
            let names: BTreeSet<&[u8]> = (content.0.symbols.keys())
                .chain(content.1.symbols.keys())
                .copied()
                .collect();
            for name in names.into_iter().rev() {
                open.push(Compared {
                    path: compared.path.child(name.into()),
                    left: content.0.symbols.get(name).map(|&(_, operation)| operation),
                    right: content.1.symbols.get(name).map(|&(_, operation)| operation),
                });
            }
        }
        if self.changes.is_empty() {
            // Differences that no symbol shows: how values connect unnamed operations, or the
            // locations of symbol tables.
            let tops = (self.left.module.top(), self.right.module.top());
            let details = self.first_difference(tops.0, tops.1, self.options.locations);
            self.changes.push(Change {
                name: "the module itself".to_owned(),
                kind: "changed",
                details,
            });
        }
        self.changes
    }

    fn change(&mut self, path: &SymbolPath, kind: &'static str, details: Vec<String>) {
        self.changes.push(Change {
            name: shown(path),
            kind,
            details,
        });
    }

    /// Compares two symbols that are not both symbol tables, with everything nested in them.
    fn symbols(&mut self, path: &SymbolPath, left: Operation, right: Operation) {
        let stored = (self.left.stored(path), self.right.stored(path));
        let is_same = match stored {
            (Some(left), Some(right)) => left == right,
            _ => self.left.fingerprint(left, false) == self.right.fingerprint(right, false),
        };
        if !is_same {
            let mut details = Vec::new();
            if !self.options.brief {
                details = self.first_difference(left, right, false);
                let lines = (self.left.lines(left), self.right.lines(right));
                details.extend(differing_lines(
                    (&self.left, &lines.0),
                    (&self.right, &lines.1),
                ));
            }
            self.change(path, "changed", details);
        } else if self.options.locations
            && self.left.fingerprint(left, true) != self.right.fingerprint(right, true)
        {
            self.change(path, "changed locations of", Vec::new());
        }
    }

    /// Compares the rest of two symbol tables: the operations themselves, their unnamed operations,
    /// and the order.
    fn tables(
        &mut self,
        path: &SymbolPath,
        left: (Operation, &Content<'_>),
        right: (Operation, &Content<'_>),
    ) {
        let rest = (
            self.left.rest(left.0, left.1),
            self.right.rest(right.0, right.1),
        );
        let mut details = Vec::new();
        let differs = rest.0 != rest.1;
        if differs && !self.options.brief {
            let lines = (
                self.left.lines_of_rest(left.0, left.1),
                self.right.lines_of_rest(right.0, right.1),
            );
            details = differing_lines((&self.left, &lines.0), (&self.right, &lines.1));
        }
        let moved = order::moved(left.1, right.1);
        let unnamed_moved = !differs && moved.is_empty() && order::unnamed_moved(left.1, right.1);
        if unnamed_moved {
            details.push("order of operations without a name and symbols differs".to_owned());
        }
        if differs || unnamed_moved {
            let name = match path.name() {
                None => "the module itself".to_owned(),
                Some(_) => format!("{} itself", shown(path)),
            };
            self.changes.push(Change {
                name,
                kind: "changed",
                details,
            });
        }
        for moved in moved {
            let details = match self.options.brief {
                true => Vec::new(),
                false => vec![moved.description(path)],
            };
            self.change(&path.child(moved.name.into()), "moved", details);
        }
    }

    fn first_difference(
        &mut self,
        left: Operation,
        right: Operation,
        locations: bool,
    ) -> Vec<String> {
        if self.located == LOCATED {
            return Vec::new();
        }
        self.located += 1;
        let first = semantic_difference(
            (self.left.context, self.left.module, left),
            (self.right.context, self.right.module, right),
            &EqualityOptions { locations },
        );
        let first = first.iter();
        first.map(|d| format!("first difference: {d}")).collect()
    }
}
