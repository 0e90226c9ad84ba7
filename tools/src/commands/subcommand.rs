//! The table of subcommands: each is one row, from which the command line, its help and the call
//! are made.

use super::{Run, SUBCOMMANDS};
use crate::style::ColorChoice;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};

/// A subcommand, or a group of them.
pub struct Subcommand {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    Command {
        /// Adds the arguments and the documentation.
        augment: fn(Command) -> Command,
        /// Returns the call that the command line specifies.
        parse: fn(&ArgMatches) -> Result<Box<dyn Run>, clap::Error>,
    },
    Group {
        about: &'static str,
        rows: &'static [Subcommand],
    },
}

/// Returns the row of a subcommand whose arguments are `T`, with the documentation of `T` as its
/// help.
pub(super) const fn row<T: Args + Run + 'static>(name: &'static str) -> Subcommand {
    Subcommand {
        name,
        kind: Kind::Command {
            augment: |command| with_section(T::adjust(T::augment_args(command))),
            parse: parse::<T>,
        },
    }
}

/// Adds '--section' as another name of '--module', as modules are often selected by their section.
/// The option '--section' of 'dump' selects sections of bytecode.
fn with_section(command: Command) -> Command {
    let has = |id: &str| {
        command
            .get_arguments()
            .any(|argument| argument.get_id() == id)
    };
    match has("module") && !has("section") {
        true => command.mut_arg("module", |module| module.visible_alias("section")),
        false => command,
    }
}

fn parse<T: FromArgMatches + Run + 'static>(
    matches: &ArgMatches,
) -> Result<Box<dyn Run>, clap::Error> {
    Ok(Box::new(T::from_arg_matches(matches)?))
}

/// Returns the row of a subcommand that has subcommands.
pub(super) const fn group(
    name: &'static str,
    about: &'static str,
    rows: &'static [Subcommand],
) -> Subcommand {
    Subcommand {
        name,
        kind: Kind::Group { about, rows },
    }
}

impl Subcommand {
    fn command(&self) -> Command {
        let command = Command::new(self.name);
        match &self.kind {
            Kind::Command { augment, .. } => augment(command),
            Kind::Group { about, rows } => with_rows(command.about(*about), rows),
        }
    }
}

fn with_rows(command: Command, rows: &[Subcommand]) -> Command {
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(rows.iter().map(Subcommand::command))
}

/// Returns the command line of the program, with all subcommands.
pub fn program() -> Command {
    let program = Command::new("rmlir")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new(COLOR)
                .long(COLOR)
                .value_name("WHEN")
                .value_parser(value_parser!(ColorChoice))
                .default_value("auto")
                .hide_short_help(true)
                .global(true)
                .help("When output and errors are colored"),
        );
    crate::completion::with_values(with_rows(program, SUBCOMMANDS))
}

/// The option for colors, which all subcommands have.
const COLOR: &str = "color";

/// One of the programs, of which completions and manual pages are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Program {
    /// The program with subcommands
    Rmlir,
    /// The program like `mlir-translate`
    RmlirTranslate,
}

impl Program {
    pub(super) fn command(self) -> Command {
        match self {
            Program::Rmlir => program(),
            Program::RmlirTranslate => crate::translate::program(),
        }
    }
}

/// Returns the call that a command line asks for; `None` if it names no subcommand.
///
/// # Errors
///
/// If an argument has no meaning.
pub fn find(matches: &ArgMatches) -> Result<Option<Box<dyn Run>>, clap::Error> {
    if let Ok(Some(&choice)) = matches.try_get_one::<ColorChoice>(COLOR) {
        crate::style::choose(choice);
    }
    let (mut rows, mut matches) = (SUBCOMMANDS, matches);
    while let Some((name, inner)) = matches.subcommand() {
        let row = rows.iter().find(|row| row.name == name);
        match row.map(|row| &row.kind) {
            Some(Kind::Command { parse, .. }) => return parse(inner).map(Some),
            Some(Kind::Group {
                rows: inner_rows, ..
            }) => (rows, matches) = (inner_rows, inner),
            None => break,
        }
    }
    Ok(None)
}

const ABOUT: &str =
    "Inspect, compare, verify and convert MLIR files, as text or bytecode, whatever their dialects";

const EXAMPLES: &str = "\
Examples:
  $ rmlir list examples/add.mlir
  $ rmlir convert examples/add.mlir -o add.rmbc
  $ rmlir diff examples/add.mlir add.rmbc

Exit status: 0 on success, 1 if an input is invalid or cannot be read or an output cannot be written,
2 if the command line is invalid. 'diff' has its own.";

#[cfg(test)]
mod tests {
    /// clap's own checks: names that are used twice, conflicts with arguments that are not there.
    #[test]
    fn the_command_line_is_consistent() {
        super::program().debug_assert();
    }
}
