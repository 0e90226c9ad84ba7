//! Runs a program on parts of its input.

use super::process::{IN, Ran, TemporaryDirectory};
use super::{StageCommand, StageError, StageInput};
use crate::parts::{OutputForm, PartTool};
use crate::store::stats::Counters;
use crate::{ActionKey, Cache};
use rmlir::{Form, Ir, Threads};
use std::path::PathBuf;

/// The beginning of the names of temporary directories.
pub(super) const TEMPORARY: &str = "rmlir-tool-run-";

/// A program as a tool for parts.
pub(super) struct CommandTool<'a> {
    pub(super) cache: &'a Cache,
    pub(super) command: &'a StageCommand,
    pub(super) domain: &'a ActionKey,
    pub(super) input: &'a StageInput,
    pub(super) form: Form,
    pub(super) threads: Threads,
}

/// A run on the whole input, with the reasons why it must not be stored.
pub(super) type WholeRun = Result<(Ran, Vec<String>), StageError>;

impl CommandTool<'_> {
    /// Writes a module in the form of the input.
    fn write(&self, part: &mut Ir) -> Option<Vec<u8>> {
        let mut options = rmlir::WriteOptions::default();
        options.text.debug_info = true;
        options.text.threads = self.threads;
        part.to_bytes(self.form, &options).ok()
    }
}

impl PartTool for CommandTool<'_> {
    type Whole = WholeRun;

    fn run_part(&self, part: &mut Ir) -> Option<(Ir, OutputForm)> {
        let bytes = self.write(part)?;
        let folder = TemporaryDirectory::new().ok()?;
        let program = self.command.program();
        let output = folder.path().join(self.command.output_name());
        let (path, stdin) = match program.has(IN) {
            true => {
                let extension = match self.form {
                    Form::Rmbc => "in.rmbc",
                    Form::Mlirbc => "in.mlirbc",
                    _ => "in.mlir",
                };
                let path = folder.path().join(extension);
                std::fs::write(&path, &bytes).ok()?;
                (path, None)
            }
            false => (PathBuf::new(), Some(bytes.as_slice())),
        };
        Counters::count(&self.cache.store().stats.tool_runs, 1);
        let ran = program.run(&path, &output, stdin, false).ok()?;
        drop(folder);
        let written = match self.command.has_output_file() {
            // What it prints besides would be lost.
            true if ran.stdout.is_empty() => ran.file?,
            true => return None,
            false => ran.stdout,
        };
        if ran.exit != 0 || !ran.stderr.is_empty() || self.is_tainted(&written) {
            return None;
        }
        OutputForm::read(written, self.threads)
    }

    fn run_whole(&self) -> WholeRun {
        self.command.run_whole(self.cache, self.input)
    }

    fn output<'w>(&self, whole: &'w WholeRun) -> Option<&'w [u8]> {
        let (ran, notes) = whole.as_ref().ok()?;
        if ran.exit != 0 || !ran.stderr.is_empty() || !notes.is_empty() {
            return None;
        }
        match self.command.has_output_file() {
            true if ran.stdout.is_empty() => ran.file.as_deref(),
            true => None,
            false => Some(&ran.stdout),
        }
    }

    fn is_unchanged(&self) -> bool {
        self.command
            .is_unchanged(self.cache, self.domain, self.input)
    }

    fn is_tainted(&self, output: &[u8]) -> bool {
        let prefix = std::env::temp_dir().join(TEMPORARY);
        memchr::memmem::find(output, prefix.as_os_str().as_encoded_bytes()).is_some()
    }
}
