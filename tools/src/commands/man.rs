//! `rmlir man`: manual pages.

use super::{ExitStatus, Program, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// Print a manual page
///
/// On a terminal, 'man' shows the page if there is one; otherwise it is printed as 'man' reads it:
/// 'rmlir man size > rmlir-size.1'.
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
        let usage = synopsis(&mut command);
        clap_mangen::Man::new(command)
            .title(title)
            .source(format!("rmlir {version}"))
            .manual("rmlir")
            .render(&mut page)
            .map_err(|e| Failure::unwritten(&e))?;
        let page = with_synopsis(&String::from_utf8_lossy(&page), &usage);
        if !(std::io::stdout().is_terminal() && is_shown(&page)) {
            print(&page)?;
        }
        Ok(ExitStatus::Success)
    }
}

/// Shows a page with `man`. Returns whether there is a `man` that can do that.
fn is_shown(page: &str) -> bool {
    let child = Command::new("man")
        .args(["-l", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        // The reader may have seen enough.
        let _ = input.write_all(page.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

/// Returns the call of a command as its help shows it, in the notation of manual pages.
fn synopsis(command: &mut clap::Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    usage.replace('\\', "\\e").replace('-', "\\-")
}

/// Replaces the synopsis of a page, which would list the options without their values.
fn with_synopsis(page: &str, usage: &str) -> String {
    let mut text = String::with_capacity(page.len() + usage.len());
    let mut is_replaced = false;
    for line in page.lines() {
        if !std::mem::take(&mut is_replaced) {
            text.push_str(line);
            text.push('\n');
        }
        if line == ".SH SYNOPSIS" {
            text.push_str(usage);
            text.push('\n');
            is_replaced = true;
        }
    }
    text
}
