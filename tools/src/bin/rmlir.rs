//! `rmlir`: the command-line program for MLIR files.

use clap::{Command, CommandFactory, Parser, Subcommand};
use rmlir_tools::Failure;
use rmlir_tools::commands::{
    ExitStatus, Run, convert::Convert, dialect::Dialect, diff::Diff, dump::Dump, extract::Extract,
    hash::Hash, info::Info, list::List, size::Size, strip::Strip, verify::Verify,
};
use rmlir_tools::diagnostics::DiagnosticFormat;
use rmlir_tools::output::{Output, finish_call};
use std::process::ExitCode;

/// Look into, extract from, compare, strip, verify and convert MLIR files, as text or bytecode,
/// whether or not their dialects are known.
#[derive(Parser)]
#[command(name = "rmlir", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Subcommands,
}

const EXAMPLES: &str = "\
Examples:
  $ rmlir list examples/add.mlir
  $ rmlir convert examples/add.mlir -o add.rmbc
  $ rmlir diff examples/add.mlir add.rmbc

Exit status: 0 if all went well, 1 if the input is bad or can't be read or the output can't be written,
2 if the program is called wrongly. 'diff' has its own.";

#[derive(Subcommand)]
enum Subcommands {
    Info(Info),
    Dump(Dump),
    Size(Size),
    List(List),
    Extract(Extract),
    Strip(Strip),
    Verify(Verify),
    Diff(Diff),
    Convert(Convert),
    Hash(Hash),
    #[command(subcommand)]
    Dialect(Dialect),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page, of the program or of a subcommand
    Man {
        /// The subcommand, and its own: `extract`, `dialect import`
        subcommand: Vec<String>,
    },
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return finish_call(&answer),
    };
    let done = match &arguments.subcommand {
        Subcommands::Completions { shell } => completions(*shell),
        Subcommands::Man { subcommand } => manual(subcommand),
        Subcommands::Info(command) => return run(command),
        Subcommands::Dump(command) => return run(command),
        Subcommands::Size(command) => return run(command),
        Subcommands::List(command) => return run(command),
        Subcommands::Extract(command) => return run(command),
        Subcommands::Strip(command) => return run(command),
        Subcommands::Verify(command) => return run(command),
        Subcommands::Diff(command) => return run(command),
        Subcommands::Convert(command) => return run(command),
        Subcommands::Hash(command) => return run(command),
        Subcommands::Dialect(command) => return run(command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(DiagnosticFormat::Auto),
    }
}

fn run(command: &dyn Run) -> ExitCode {
    match command.run() {
        Ok(ExitStatus::Success) | Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Ok(ExitStatus::Different) => ExitCode::from(1),
        Err(failure @ Failure::Usage(_)) => failure.report(command.diagnostic_format()),
        Err(failure) => {
            failure.report(command.diagnostic_format());
            ExitCode::from(command.failure_status())
        }
    }
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    Output::Standard.write(|out| out.write_all(bytes).map_err(|e| Failure::unwritten(&e)))
}

fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "rmlir", &mut script);
    print(&script)
}

fn manual(subcommand: &[String]) -> Result<(), Failure> {
    let mut command: Command = Arguments::command();
    command.build();
    for name in subcommand {
        command = match command.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(Failure::Usage(format!("there is no subcommand '{name}'"))),
        };
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|e| Failure::unwritten(&e))?;
    print(&page)
}
