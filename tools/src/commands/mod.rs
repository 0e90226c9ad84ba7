//! The subcommands of `rmlir`, one per file.

pub mod cache;
mod completions;
pub mod convert;
pub mod dialect;
pub mod diff;
pub mod dump;
pub mod embed;
pub mod extract;
pub mod grep;
pub mod hash;
pub mod info;
pub mod link;
pub mod list;
mod man;
pub mod size;
pub mod split;
pub mod stats;
pub mod strip;
mod subcommand;
#[cfg(feature = "arrow")]
pub mod table;
pub mod unwrap;
pub mod verify;
pub mod view;
mod weights;

use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::{LoadOptions, Piece};
use crate::output::{Output, finish_call};
use crate::progress::Progress;
use crate::save::SaveOptions;
use crate::written::Written;
use rmlir::ir::{Context, Module};
use std::ffi::OsString;
use std::process::ExitCode;
pub use subcommand::{Program, Subcommand, find, program};
use subcommand::{group, row};

/// The subcommands, in the order of the help.
pub const SUBCOMMANDS: &[Subcommand] = &[
    row::<info::Info>("info"),
    row::<view::View>("view"),
    row::<list::List>("list"),
    row::<grep::Grep>("grep"),
    row::<stats::Stats>("stats"),
    row::<size::Size>("size"),
    group("weights", weights::ABOUT, weights::SUBCOMMANDS),
    row::<dump::Dump>("dump"),
    row::<extract::Extract>("extract"),
    row::<unwrap::Unwrap>("unwrap"),
    row::<embed::Embed>("embed"),
    row::<split::Split>("split"),
    row::<link::Link>("link"),
    row::<strip::Strip>("strip"),
    row::<verify::Verify>("verify"),
    row::<diff::Diff>("diff"),
    row::<convert::Convert>("convert"),
    row::<hash::Hash>("hash"),
    #[cfg(feature = "arrow")]
    row::<table::Table>("table"),
    group("cache", cache::ABOUT, cache::SUBCOMMANDS),
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
    /// The status of a program that was run.
    Code(u8),
}

/// A subcommand.
pub trait Run {
    /// Changes arguments that several subcommands share.
    fn adjust(command: clap::Command) -> clap::Command
    where
        Self: Sized,
    {
        command
    }

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

/// Runs a command line. The first argument is the name of the program.
pub fn run(command_line: impl IntoIterator<Item = OsString>) -> ExitCode {
    let call = program()
        .try_get_matches_from(command_line)
        .and_then(|matches| {
            // clap requires a subcommand, and knows those of the table alone.
            find(&matches)?
                .ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))
        });
    let command = match call {
        Ok(command) => command,
        Err(answer) => return finish_call(answer),
    };
    match command.run() {
        Ok(ExitStatus::Success) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Ok(ExitStatus::Different) => ExitCode::from(1),
        Ok(ExitStatus::Code(code)) => ExitCode::from(code),
        Err(failure @ Failure::Usage(_)) => failure.report(command.diagnostic_format()),
        Err(failure) => {
            failure.report(command.diagnostic_format());
            ExitCode::from(command.failure_status())
        }
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

    /// Reads without a sign of progress, for work on several files.
    pub(crate) fn read_quietly(load: &LoadOptions, path: &str) -> Result<Self, Failure> {
        let input = load.read(path)?;
        let (load, _progress) = load.watched(&input);
        Self::from_input_quietly(&load, input)
    }

    /// Writes the module, and describes the output if the options ask for that.
    pub(crate) fn save(&mut self, load: &LoadOptions, save: &SaveOptions) -> Result<(), Failure> {
        save.save(load, &self.input, &mut self.context, &self.module)?;
        let written = Written {
            inputs: &[&self.input.name],
            module: Some((&self.context, &self.module)),
            lists_symbols: false,
        };
        written.report(save)
    }

    pub(crate) fn from_input_quietly(load: &LoadOptions, input: Input) -> Result<Self, Failure> {
        Self::from_input_without_progress(load, input, true)
    }

    /// Reads without a sign of progress, and without the names of values, for counts.
    pub(crate) fn from_input_nameless(load: &LoadOptions, input: Input) -> Result<Self, Failure> {
        Self::from_input_without_progress(load, input, false)
    }

    fn from_input_without_progress(
        load: &LoadOptions,
        input: Input,
        keep_names: bool,
    ) -> Result<Self, Failure> {
        let (context, module) = load.load(&input, &Piece::WHOLE, keep_names)?.into_parts();
        Ok(Loaded {
            input,
            context,
            module,
        })
    }

    pub(crate) fn from_input(load: &LoadOptions, input: Input) -> Result<Self, Failure> {
        Self::from_input_with(load, input, |_| Ok(()))
    }

    /// Reads a module and changes it.
    pub(crate) fn from_input_with(
        load: &LoadOptions,
        input: Input,
        change: impl FnOnce(&mut rmlir::Ir) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        Self::from_input_if(load, input, |_| true, change)
    }

    /// Reads an input of `rmlir link`: a part of a module with open references is not verified.
    pub(crate) fn read_part(load: &LoadOptions, path: &str) -> Result<Self, Failure> {
        let verifies = |ir: &rmlir::Ir| {
            let (context, module) = ir.parts();
            !link::has_open_references(context, module)
        };
        Self::from_input_if(load, load.read(path)?, verifies, |_| Ok(()))
    }

    /// Reads a module, verifies it if it is one that must be, and changes it.
    fn from_input_if(
        load: &LoadOptions,
        input: Input,
        verifies: impl FnOnce(&rmlir::Ir) -> bool,
        change: impl FnOnce(&mut rmlir::Ir) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let progress = Progress::reading(&input.name, input.byte_len());
        let mut verifying = None;
        let mut ir = load.load_with(&input, &Piece::WHOLE, |options| {
            options.keep_names = true;
            options.progress = progress.counter();
            if std::mem::take(&mut options.verify) {
                verifying = Some(options.verify_options());
            }
        })?;
        if let Some(mut options) = verifying.filter(|_| verifies(&ir)) {
            options.progress = progress.counter();
            let operations = ir.parts().1.operation_slots() as u64;
            progress.phase_of_operations("verifying", &input.name, operations);
            let verified = ir.verify_with(&options);
            verified.map_err(|error| input.failure(error))?;
        }
        change(&mut ir)?;
        let (context, module) = ir.into_parts();
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
            *width = (*width).max(width_of(cell).min(MAX_WIDTH));
        }
    }
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(|h| (*h).to_owned()).collect();
    let mut line = String::new();
    for row in std::iter::once(&header).chain(rows) {
        line.clear();
        for ((cell, width), right) in row.iter().zip(&widths).zip(right) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            let missing = width.saturating_sub(width_of(cell));
            let padding = std::iter::repeat_n(' ', missing);
            match right {
                true => {
                    line.extend(padding);
                    line.push_str(cell);
                }
                false => {
                    line.push_str(cell);
                    line.extend(padding);
                }
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns the number of characters of a cell.
fn width_of(cell: &str) -> usize {
    match cell.is_ascii() {
        true => cell.len(),
        false => cell.chars().count(),
    }
}
