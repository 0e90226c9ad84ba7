//! `rmlir embed`: puts modules into object files and programs.

use super::{ExitStatus, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::{Piece, Verifying};
use crate::output::Output;
use crate::save::OutputFormat;
use clap::Args;
use rmlir::{Form, Source, WriteOptions};
use rmlir_embed::{Module, Target, add_to, c_source, object_file};
use std::path::Path;

/// Put modules into an object file, which a linker puts into a program
///
/// The section is 'rmlir' on ELF, '__DATA,__rmlir' on Mach-O, '.rmlir' on COFF, and a data segment
/// or custom section 'rmlir' in WebAssembly. 'rmlir unwrap' lists the modules of the object file
/// and of the program; 'rmlir::embedded::own' and 'rmlir_embed.h' find them in the running program.
///
/// Bytecode is embedded as it is. Text is verified, and converted to native bytecode. Each module
/// has a name, which is that of its file without extension, or is written before it: NAME=FILE.
#[derive(Args, Debug)]
pub struct Embed {
    /// The modules, each a file or NAME=FILE
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<String>,
    /// The output; with '--c', the files' name without extension
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// The LLVM triple of the program, such as aarch64-apple-darwin [default: this machine's]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Do not load the section into the program's memory: only tools find it in the file
    #[arg(long, conflicts_with_all = ["c", "into"])]
    no_load: bool,
    /// Write a C header and source instead, with the modules as a third file that they include
    #[arg(long, conflicts_with_all = ["target", "into"])]
    c: bool,
    /// Add the section to this linked ELF or WebAssembly file instead, not loaded. The file is
    /// replaced unless '-o' names another
    #[arg(long, value_name = "PROGRAM", conflicts_with = "target")]
    into: Option<String>,
    /// The form in which all modules are embedded
    #[arg(long, value_name = "FORM")]
    to: Option<OutputFormat>,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Embed {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut named = Vec::new();
        for input in &self.inputs {
            let (name, path) = match input.split_once('=') {
                Some((name, path)) if !Path::new(input).exists() => (name, path),
                _ => (stem(input), input.as_str()),
            };
            named.push((name, self.module(path)?));
        }
        let modules: Vec<Module<'_>> = named
            .iter()
            .map(|(name, bytes)| Module { name, bytes })
            .collect();
        if self.c {
            self.write_c(&modules)?;
        } else if let Some(program) = &self.into {
            self.write_into(&modules, program)?;
        } else {
            let target = match &self.target {
                Some(triple) => triple.parse().map_err(|e| Failure::Usage(format!("{e}")))?,
                None => Target::host().ok_or_else(|| {
                    Failure::Usage(
                        "this machine's target is unknown; name one by '--target'".to_owned(),
                    )
                })?,
            };
            let bytes = object_file(&modules, target, !self.no_load).map_err(failure)?;
            let output = Output::new(self.output.as_deref());
            output.check_binary()?;
            write(&output, &bytes)?;
        }
        Ok(ExitStatus::Success)
    }
}

/// The name of a file without its folder and extension.
fn stem(path: &str) -> &str {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(path)
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("error: {error}"))
}

fn write(output: &Output, bytes: &[u8]) -> Result<(), Failure> {
    output.write(|out| out.write_all(bytes).map_err(|e| Failure::unwritten(&e)))
}

impl Embed {
    /// Returns the bytes of a module as they are embedded.
    fn module(&self, path: &str) -> Result<Source, Failure> {
        let input = self.load.read(path)?;
        let form = match (self.to, input.form()) {
            (None, Form::Text) | (Some(OutputFormat::Rmbc), _) => Form::Rmbc,
            (None, form) => form,
            (Some(OutputFormat::Mlirbc), _) => Form::Mlirbc,
            (Some(_), _) => Form::Text,
        };
        if form == input.form() && form != Form::Text {
            // Embedded as it is, but for what is no module.
            self.load.open(&input)?;
            return Ok(input.source()?.clone());
        }
        let mut ir = self.load.load(&input, &Piece::WHOLE, false)?;
        let mut options = WriteOptions::default();
        options.text.generic = self.to == Some(OutputFormat::Generic);
        options.text.debug_info = true;
        let bytes = ir
            .to_bytes(form, &options)
            .map_err(|error| input.failure(error))?;
        Ok(Source::from(bytes))
    }

    fn write_c(&self, modules: &[Module<'_>]) -> Result<(), Failure> {
        let Some(output) = self.output.as_deref().filter(|output| *output != "-") else {
            let message = "'--c' needs '-o NAME' for the files NAME.h, NAME.c and NAME.bin";
            return Err(Failure::Usage(message.to_owned()));
        };
        let path = output.strip_suffix(".c").unwrap_or(output);
        let name = Path::new(path).file_name().and_then(|name| name.to_str());
        let files = c_source(modules, name.unwrap_or_default()).map_err(failure)?;
        for (extension, bytes) in [
            ("bin", files.data.as_slice()),
            ("h", files.header.as_bytes()),
            ("c", files.source.as_bytes()),
        ] {
            write(&Output::File(format!("{path}.{extension}")), bytes)?;
        }
        Ok(())
    }

    fn write_into(&self, modules: &[Module<'_>], program: &str) -> Result<(), Failure> {
        let file = Source::read(program).map_err(|error| {
            Failure::Input(format!(
                "error: {program}: {}",
                crate::without_code(error.message())
            ))
        })?;
        let changed = add_to(&file, modules)
            .map_err(|error| Failure::Input(format!("error: {program}: {error}")))?;
        let output = self.output.as_deref().unwrap_or(program);
        write(&Output::File(output.to_owned()), &changed)?;
        copy_permissions(program, output)
    }
}

/// Makes the output executable if the program is.
fn copy_permissions(from: &str, to: &str) -> Result<(), Failure> {
    let permissions = std::fs::metadata(from).map(|metadata| metadata.permissions());
    let copied = permissions.and_then(|permissions| std::fs::set_permissions(to, permissions));
    copied.map_err(|error| Failure::io(to, &error))
}
