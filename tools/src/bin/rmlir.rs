//! `rmlir`: the command-line program for MLIR files.

use rmlir_tools::Failure;
use rmlir_tools::commands::{ExitStatus, Run, find, program};
use rmlir_tools::output::finish_call;
use std::process::ExitCode;

fn main() -> ExitCode {
    let call = program().try_get_matches().and_then(|matches| {
        // clap requires a subcommand, and knows those of the table alone.
        find(&matches)?.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))
    });
    match call {
        Ok(command) => run(command.as_ref()),
        Err(answer) => finish_call(&answer),
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
