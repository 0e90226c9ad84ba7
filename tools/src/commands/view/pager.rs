//! Shows long output by a pager.

use crate::Failure;
use crate::output::Output;
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// The pager, or standard output.
pub(super) struct Pager {
    child: Option<Child>,
}

impl Pager {
    /// Starts the pager of the user, if `wanted` and if there is one.
    pub(super) fn start(wanted: bool) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let command = variable("RMLIR_PAGER").or_else(|| variable("PAGER"));
        let command = command.unwrap_or_else(|| "less".to_owned());
        if !wanted || command == "cat" {
            return Pager { child: None };
        }
        // The variables hold a command with arguments.
        let child = Command::new("sh")
            .args(["-c", &command])
            .stdin(Stdio::piped())
            .env(
                "LESS",
                std::env::var("LESS").unwrap_or_else(|_| "FRX".to_owned()),
            )
            .spawn();
        Pager { child: child.ok() }
    }

    /// Writes to the pager, and waits for its end.
    pub(super) fn write(
        &mut self,
        produce: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(child) = &mut self.child else {
            return Output::Standard.write(produce);
        };
        let mut result = Ok(());
        if let Some(mut input) = child.stdin.take() {
            result = produce(&mut input);
        }
        // The pipe is closed, so the pager ends when the user does.
        let _ = child.wait();
        match result {
            // The user has seen enough.
            Err(Failure::BrokenPipe) => Ok(()),
            other => other,
        }
    }
}
