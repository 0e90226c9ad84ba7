//! The subcommands of `rmlir`, one per file.

mod completions;
pub mod convert;
pub mod dialect;
pub mod diff;
pub mod dump;
pub mod extract;
pub mod hash;
pub mod info;
pub mod link;
pub mod list;
mod man;
pub mod size;
pub mod split;
pub mod strip;
mod subcommand;
pub mod verify;

use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::{LoadOptions, Piece};
use crate::output::Output;
use crate::progress::Progress;
use rmlir::ir::{Context, Module};
pub use subcommand::{Program, Subcommand, find, program};
use subcommand::{group, row};

/// The subcommands, in the order of the help.
pub const SUBCOMMANDS: &[Subcommand] = &[
    row::<info::Info>("info"),
    row::<dump::Dump>("dump"),
    row::<size::Size>("size"),
    row::<list::List>("list"),
    row::<extract::Extract>("extract"),
    row::<split::Split>("split"),
    row::<link::Link>("link"),
    row::<strip::Strip>("strip"),
    row::<verify::Verify>("verify"),
    row::<diff::Diff>("diff"),
    row::<convert::Convert>("convert"),
    row::<hash::Hash>("hash"),
    group("dialect", dialect::ABOUT, dialect::SUBCOMMANDS),
    row::<completions::Completions>("completions"),
    row::<man::Man>("man"),
];

/// The exit status of a subcommand that completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// Success, or no difference: 0.
    Success,
    /// The compared inputs differ: 1.
    Different,
}

/// A subcommand.
pub trait Run {
    /// Returns the format of error messages.
    fn diagnostic_format(&self) -> DiagnosticFormat;

    /// Runs the subcommand.
    ///
    /// # Errors
    ///
    /// If the input is invalid or the output cannot be written.
    fn run(&self) -> Result<ExitStatus, Failure>;

    /// Returns the exit status for a failure.
    fn failure_status(&self) -> u8 {
        1
    }
}

/// An input and the module in it.
pub(crate) struct Loaded {
    pub(crate) input: Input,
    pub(crate) context: Context,
    pub(crate) module: Module,
}

impl Loaded {
    pub(crate) fn read(load: &LoadOptions, path: &str) -> Result<Self, Failure> {
        Self::from_input(load, load.read(path)?)
    }

    pub(crate) fn from_input(load: &LoadOptions, input: Input) -> Result<Self, Failure> {
        let progress = Progress::spinner(&input.name);
        let (context, module) = load.load(&input, &Piece::WHOLE, true)?.into_parts();
        drop(progress);
        Ok(Loaded {
            input,
            context,
            module,
        })
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    Output::Standard.write(|out| out.write_all(bytes).map_err(|e| Failure::unwritten(&e)))
}

/// The maximum width to which a single cell extends a column.
const MAX_WIDTH: usize = 60;

/// Formats rows as columns of equal width, except for the last one. `right` marks the columns that
/// hold numbers.
pub(crate) fn table(header: &[&str], right: &[bool], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = header.iter().map(|h| h.len()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count().min(MAX_WIDTH));
        }
    }
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(|h| (*h).to_owned()).collect();
    for row in std::iter::once(&header).chain(rows) {
        let mut line = String::new();
        for ((cell, width), right) in row.iter().zip(&widths).zip(right) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            if *right {
                line.push_str(&format!("{cell:>width$}"));
            } else {
                line.push_str(&format!("{cell:<width$}"));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
