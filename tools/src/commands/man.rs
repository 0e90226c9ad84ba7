//! `rmlir man`: manual pages.

use super::{ExitStatus, Program, Run, print_bytes};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;

/// Print a manual page
#[derive(Args, Debug)]
pub(super) struct Man {
    /// The subcommand, such as `extract` or `dialect import`
    subcommand: Vec<String>,
    /// The program
    #[arg(long, value_name = "PROGRAM", default_value = "rmlir")]
    program: Program,
}

impl Run for Man {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        DiagnosticFormat::Auto
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut command = self.program.command();
        command.build();
        for name in &self.subcommand {
            command = match command.find_subcommand(name) {
                Some(command) => command.clone(),
                None => return Err(Failure::Usage(format!("there is no subcommand '{name}'"))),
            };
        }
        let mut page = Vec::new();
        // The title is that of the whole name: `RMLIR-DIALECT-IMPORT(1)`.
        let name = command.get_bin_name().unwrap_or(command.get_name());
        let title = name.replace(' ', "-").to_uppercase();
        let version = env!("CARGO_PKG_VERSION");
        clap_mangen::Man::new(command)
            .title(title)
            .source(format!("rmlir {version}"))
            .manual("rmlir")
            .render(&mut page)
            .map_err(|e| Failure::unwritten(&e))?;
        print_bytes(&page)?;
        Ok(ExitStatus::Success)
    }
}
