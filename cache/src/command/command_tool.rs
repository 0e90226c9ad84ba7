//! Runs a program on parts of its input.

use super::process::{IN, Priority, Ran};
use super::{StageCommand, StageError, StageInput};
use crate::parts::{PartOutput, PartTool, Refusal, has_text};
use crate::store::stats::Counters;
use crate::{ActionKey, Cache, Digest};
use rmlir::format::TemporaryDirectory;
use rmlir::{Form, Ir, Threads};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The beginning of the names of temporary directories.
pub(super) const TEMPORARY: &str = "rmlir-tool-run-";

/// A program as a tool for parts.
pub(super) struct CommandTool<'a> {
    pub(super) cache: &'a Cache,
    pub(super) command: &'a StageCommand,
    pub(super) domain: &'a ActionKey,
    pub(super) input: &'a StageInput,
    /// The input as a module, if it was read already.
    pub(super) ahead: Mutex<Option<Ir>>,
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

    fn input(&self) -> Option<Ir> {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = ahead.take();
        ahead.or_else(|| super::read(self.input, self.command.has_input_file(), self.threads))
    }

    fn input_len(&self) -> Option<usize> {
        Some(self.input.bytes.len())
    }

    fn keeps_parts(&self) -> bool {
        true
    }

    fn run_part(&self, part: &mut Ir) -> Result<PartOutput, Refusal> {
        let bytes = self.write(part).ok_or(Refusal::Changed)?;
        let folder = TemporaryDirectory::create(TEMPORARY).map_err(|_| Refusal::Failed)?;
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
                std::fs::write(&path, &bytes).map_err(|_| Refusal::Failed)?;
                (path, None)
            }
            false => (PathBuf::new(), Some(bytes.as_slice())),
        };
        Counters::count(&self.cache.store().stats.tool_runs, 1);
        let ran = program.run(&path, &output, stdin, false, Priority::Normal);
        let ran = ran.map_err(|_| Refusal::Failed)?;
        drop(folder);
        if ran.exit != 0 || !ran.stderr.is_empty() {
            return Err(Refusal::Failed);
        }
        let written = match self.command.has_output_file() {
            // What it prints besides would be lost.
            true if ran.stdout.is_empty() => ran.file.ok_or(Refusal::Failed)?,
            true => return Err(Refusal::Changed),
            false => ran.stdout,
        };
        match has_text(&written, TEMPORARY) {
            true => Err(Refusal::Leaked),
            false => Ok(PartOutput::Bytes(written)),
        }
    }

    fn run_whole(&self, priority: Priority) -> WholeRun {
        self.command.run_whole(self.cache, self.input, priority)
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

    fn expect_to_store(&self, output: &[u8]) {
        if output.len() >= super::SMALL {
            // If this fails, so does storing the result, which is reported.
            let _ = self.cache.store().put_content(&Digest::of(output), output);
        }
    }

    fn is_unchanged(&self) -> bool {
        self.command
            .is_unchanged(self.cache, self.domain, self.input)
    }

    fn trace(&self) -> Option<&'static str> {
        Some(TEMPORARY)
    }
}
