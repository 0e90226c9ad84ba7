//! `rmlir split`: a module becomes several.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::inputs::{Inputs, folders_of};
use crate::load::{LoadOptions, Verifying};
use crate::save::{OutputFormat, SaveOptions, To};
use crate::written::Written;
use clap::{Arg, Args, Command, ValueEnum};
use rmlir::Threads;
use rmlir::ir::{Context, References, SplitBy, SplitOptions, SplitPart, split};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Split a module into files, which 'rmlir link' joins again.
///
/// Each file is a module with a symbol, or symbols that belong together, and declarations of the
/// symbols that these refer to. A symbol is copied where it is not known how it is declared, or a
/// declaration would not do. The names of the files begin with numbers in the order of the
/// module. Each of several inputs has a folder in the one that '-o' names. The attribute
/// 'rmlir.part' of the module in a file identifies the split module; linking all files gives a
/// module that is equal, with locations where the form holds them.
#[derive(Args, Debug)]
pub struct Split {
    #[command(flatten)]
    inputs: Inputs,
    /// The number of files at most: consecutive parts are joined, so that files have about the same
    /// number of operations
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    parts: Option<u64>,
    /// The content of a file
    #[arg(long, value_name = "WHAT", default_value = "symbol")]
    by: By,
    /// Copy the symbols that these refer to with all that they refer to, instead of declaring them:
    /// the files can be much larger than the input
    #[arg(long)]
    bodies: bool,
    /// Leave out what symbols refer to, so that the references stay open
    #[arg(long, conflicts_with = "bodies")]
    no_references: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: Verifying,
}

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum By {
    /// One symbol
    Symbol,
    /// The symbols that refer to each other, or share a distinct attribute
    Group,
}

impl Run for Split {
    fn adjust(command: Command) -> Command {
        let output = |arg: Arg| {
            arg.value_name("FOLDER").required(true).help(
                "The folder for the files, which is created; one that exists must be empty. If a \
                 file cannot be written, all are removed",
            )
        };
        let to = |arg: Arg| {
            arg.help(
                "The form of the files; by default that of the input, which their extension \
                      (`.mlir`, `.rmbc`, `.mlirbc`) names",
            )
        };
        command.mut_arg("output", output).mut_arg("to", to)
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let Some(folder) = self.save.output.as_deref().filter(|output| *output != "-") else {
            let message = "a folder is needed for the files: '-o FOLDER'";
            return Err(Failure::Usage(message.to_owned()));
        };
        let paths = self.inputs.paths(&self.load)?;
        let folders = folders_of(folder, &paths)?;
        let mut failures = Vec::new();
        for (path, folder) in paths.iter().zip(&folders) {
            let input = self.load.read_among(path, paths.len());
            if let Err(failure) = input.and_then(|input| self.split(input, folder)) {
                Failure::keep(&mut failures, failure)?;
            }
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

impl Split {
    fn split(&self, input: Input, folder: &str) -> Result<(), Failure> {
        let Loaded {
            input,
            mut context,
            module,
        } = Loaded::from_input(&self.load, input)?;
        let mut options = SplitOptions::default();
        options.by = match self.by {
            By::Symbol => SplitBy::Symbol,
            By::Group => SplitBy::Group,
        };
        options.references = match (self.bodies, self.no_references) {
            (true, _) => References::Bodies,
            (_, true) => References::Open,
            _ => References::Declarations,
        };
        let parts = self.parts;
        options.max_parts = parts.map(|parts| usize::try_from(parts).unwrap_or(usize::MAX));
        options.threads = self.load.threads();
        let parts = split(&mut context, &module, &options);
        let parts =
            parts.map_err(|error| Failure::Input(format!("{}: error: {error}", input.name)))?;
        let is_new = create_folder(folder)?;
        let form = self.save.asked_form().unwrap_or(match input.form() {
            rmlir::Form::Rmbc => OutputFormat::Rmbc,
            rmlir::Form::Mlirbc => OutputFormat::Mlirbc,
            _ => OutputFormat::Text,
        });
        let written = self.write(folder, form, &input, context, &parts);
        if written.is_err() {
            remove_files(folder, is_new);
        }
        written?;
        // The program ends: the system frees many large modules at once, faster than `drop`.
        std::mem::forget((module, parts));
        Ok(())
    }

    /// Writes the parts: several at a time, each on one thread. The failure is that of the first
    /// part that has one.
    fn write(
        &self,
        folder: &str,
        form: OutputFormat,
        input: &Input,
        context: Context,
        parts: &[SplitPart],
    ) -> Result<(), Failure> {
        let threads = Threads::new(self.load.threads().count().min(parts.len()));
        let mut load = LoadOptions::clone(&self.load);
        load.threads = 1;
        let width = parts.len().to_string().len();
        // Writers add to the context only where each thread has its own.
        let described = self.save.json.then(|| context.clone());
        let of_part = |context: &Context, number: usize, part: &SplitPart| {
            let name = file_name(context, part);
            let name = format!("{number:0width$}{name}.{}", extension(form));
            let mut save = self.save.clone();
            save.to = vec![To::Form(form)];
            save.output = Some(Path::new(folder).join(name).display().to_string());
            save
        };
        let written = if SaveOptions::needs_unique_context(form) {
            // The writer adds to its context: each thread has one.
            let copies = (1..threads.count()).map(|_| context.clone());
            let contexts: Mutex<Vec<Context>> = Mutex::new(copies.collect());
            unlocked(&contexts).push(context);
            threads.map(parts.len(), |number| {
                let part = parts.get(number)?;
                let mut context = unlocked(&contexts).pop()?;
                let save = of_part(&context, number, part);
                let saved = save.save(&load, input, &mut context, &part.module);
                unlocked(&contexts).push(context);
                Some(saved)
            })
        } else {
            threads.map(parts.len(), |number| {
                let part = parts.get(number)?;
                let save = of_part(&context, number, part);
                Some(save.save_shared(&load, input, &context, &part.module))
            })
        };
        written.into_iter().flatten().collect::<Result<(), _>>()?;
        let Some(context) = described else {
            return Ok(());
        };
        for (number, part) in parts.iter().enumerate() {
            let written = Written {
                inputs: &[&input.name],
                module: Some((&context, &part.module)),
                lists_symbols: true,
            };
            written.report(&of_part(&context, number, part))?;
        }
        Ok(())
    }
}

fn unlocked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a folder, unless there is an empty one: other files in it would be taken for parts.
/// Returns whether it is new.
fn create_folder(folder: &str) -> Result<bool, Failure> {
    let failure = |error: std::io::Error| Failure::io(folder, &error);
    let is_new = !Path::new(folder).exists();
    if Path::new(folder).is_file() {
        let message = format!("{folder} is a file, and '-o' names a folder for the files");
        return Err(Failure::Usage(message));
    }
    std::fs::create_dir_all(folder).map_err(failure)?;
    match std::fs::read_dir(folder).map_err(failure)?.next() {
        None => Ok(is_new),
        Some(_) => Err(Failure::file(folder, "the folder is not empty")),
    }
}

/// Removes the files of a folder that was empty, and the folder if it is new: some of the parts
/// would be taken for all. What cannot be removed stays; the failure of writing is reported.
fn remove_files(folder: &str, is_new: bool) {
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let _ = std::fs::remove_file(file.path());
    }
    if is_new {
        let _ = std::fs::remove_dir(folder);
    }
}

fn extension(form: OutputFormat) -> &'static str {
    match form {
        OutputFormat::Text | OutputFormat::Generic => "mlir",
        OutputFormat::Rmbc => "rmbc",
        OutputFormat::Mlirbc => "mlirbc",
    }
}

/// The name of a part's first symbol as part of the name of a file, with `-` before it; empty if it
/// has none.
fn file_name(context: &Context, part: &SplitPart) -> String {
    /// No longer than this.
    const LENGTH: usize = 60;
    let mut operations = part.operations.iter();
    let Some(name) = operations.find_map(|&op| part.module.symbol_name(context, op)) else {
        return String::new();
    };
    let safe = |&byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => char::from(byte),
        _ => '_',
    };
    let name: String = context.bytes(name).iter().take(LENGTH).map(safe).collect();
    format!("-{name}")
}
