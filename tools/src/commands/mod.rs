//! The subcommands of `rmlir`, one a file.

pub mod convert;
pub mod dialect;
pub mod diff;
pub mod dump;
pub mod extract;
pub mod hash;
pub mod info;
pub mod list;
pub mod size;
pub mod strip;
pub mod verify;

use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::{LoadOptions, Piece};
use crate::output::Output;
use crate::progress::Progress;
use rmlir::ir::{Context, Module};

/// How a subcommand ended that did what it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    /// All is well: 0.
    Success,
    /// What was compared differs: 1.
    Different,
}

/// A subcommand.
pub trait Run {
    /// How it shows errors.
    fn diagnostic_format(&self) -> DiagnosticFormat;

    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the input is bad or the output can't be written.
    fn run(&self) -> Result<ExitStatus, Failure>;

    /// Returns the exit status if that fails.
    fn failure_status(&self) -> u8 {
        1
    }
}

/// Input and the module in it.
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
        let (context, module) = load.load(&input, &Piece::WHOLE, true)?;
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
    Output::Standard.write(|out| {
        out.write_all(text.as_bytes())
            .map_err(|e| Failure::unwritten(&e))
    })
}

/// The widest that a column is made by one of its cells.
const MAX_WIDTH: usize = 60;

/// Rows as columns of equal width, the last one ragged. `right` says which columns hold numbers.
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
