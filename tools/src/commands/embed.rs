//! `rmlir embed`: puts modules into object files and programs.

use super::{ExitStatus, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::{Piece, Verifying};
use crate::output::Output;
use crate::save::OutputFormat;
use crate::written::check_file;
use clap::Args;
use rmlir::{Form, Source, WriteOptions};
use rmlir_embed::{
    EmbedError, Module, Target, UnknownTarget, add_to, c_source, is_blank_text, object_file,
};
use serde_json::json;
use std::path::Path;

/// Put modules into an object file, which a linker puts into a program
///
/// The section is 'rmlir' on ELF, '__DATA,__rmlir' on Mach-O, '.rmlir' on COFF, and a data segment
/// or custom section 'rmlir' in WebAssembly. 'rmlir unwrap' lists the modules of the object file
/// and of the program; 'rmlir::embedded::own' and 'rmlir_embed.h' find them in the running program.
///
/// Bytecode is embedded as it is. Text is verified, and converted to native bytecode. Each module
/// has a name, which is that of its file without extension, or is written before it: NAME=FILE.
/// The module of standard input needs a name: '--name NAME', or NAME=-.
#[derive(Args, Debug)]
pub struct Embed {
    /// The modules, each a file or NAME=FILE; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<String>,
    /// The name of the module, if there is one
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The output; with '--c', the files' name without extension
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// The triple of the program, of LLVM or Rust, such as aarch64-apple-darwin [default: this
    /// machine's]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The ABI of the program, such as lp64 or ilp32f, for RISC-V and LoongArch [default: that of
    /// the triple]
    ///
    /// Linkers refuse objects of another ABI than the program's. 'riscv64-unknown-elf' has no
    /// floating-point registers, as for clang; 'riscv64gc-unknown-none-elf' has, as for rustc.
    #[arg(long, value_name = "ABI", requires = "target")]
    abi: Option<String>,
    /// Do not load the section into the program's memory: only tools find it in the file
    #[arg(long, conflicts_with_all = ["c", "into"])]
    no_load: bool,
    /// Write a C header and source instead, with the modules as a third file that they include
    #[arg(long, conflicts_with_all = ["target", "into"])]
    c: bool,
    /// Add the section to this linked ELF or WebAssembly file instead, not loaded. The file is
    /// replaced unless '-o' names another; `-` is standard input, and standard output
    #[arg(long, value_name = "PROGRAM", conflicts_with = "target")]
    into: Option<String>,
    /// The form in which all modules are embedded
    #[arg(long, value_name = "FORM")]
    to: Option<OutputFormat>,
    /// Print one JSON object per module (spec/json.md); '-o' or '--into' names the output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    load: Verifying,
}

impl Run for Embed {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let output = self.output.as_deref().or(self.into.as_deref());
        if self.json {
            check_file(output, "'-o' or '--into' names one")?;
        }
        if self.name.is_some() && self.inputs.len() > 1 {
            let message = "'--name' names one module: write NAME=FILE for each of several";
            return Err(Failure::Usage(message.to_owned()));
        }
        let mut named = Vec::new();
        let mut stdin = self.into.as_deref().filter(|program| *program == "-");
        for input in &self.inputs {
            let (name, path) = match (input.split_once('='), &self.name) {
                (Some(_), Some(_)) if !Path::new(input).exists() => {
                    let message = format!("'--name' and '{input}' both name the module");
                    return Err(Failure::Usage(message));
                }
                (Some((name, path)), None) if !Path::new(input).exists() => (name, path),
                (_, Some(name)) => (name.as_str(), input.as_str()),
                (_, None) => (stem(input), input.as_str()),
            };
            if path == "-" && stdin.replace("-").is_some() {
                let message = "standard input can be read only once, but '-' is named twice";
                return Err(Failure::Usage(message.to_owned()));
            }
            if input == "-" && self.name.is_none() {
                let message = "the module of standard input needs a name: '--name NAME' or NAME=-";
                return Err(Failure::Usage(message.to_owned()));
            }
            if name.is_empty() {
                let message = format!("'{input}' has no name for the module: NAME=FILE");
                return Err(Failure::Usage(message));
            }
            if path.is_empty() {
                let message = format!("'{input}' has no file with the module: NAME=FILE");
                return Err(Failure::Usage(message));
            }
            named.push((name, path));
        }
        if !self.c && self.output.is_some() {
            let inputs = named.iter().map(|&(_, path)| path);
            Output::new(self.output.as_deref()).check_replaces_none(inputs)?;
        }
        if named.len() > 1 {
            let paths: Vec<&str> = named.iter().map(|&(_, path)| path).collect();
            self.load.check_forms(&paths)?;
        }
        let named = named
            .into_iter()
            .map(|(name, path)| Ok((name, self.module(path)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
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
                Some(triple) => self.target(triple)?,
                None => Target::host().ok_or_else(|| {
                    Failure::Usage(
                        "this machine's target is unknown; name one by '--target'".to_owned(),
                    )
                })?,
            };
            let output = Output::new(self.output.as_deref());
            let bytes = object_file(&modules, target, !self.no_load);
            let bytes = bytes.map_err(|error| self.failure(error))?;
            output.check_binary()?;
            write(&output, &bytes)?;
        }
        if let Some(output) = output.filter(|_| self.json) {
            self.report(&modules, output)?;
        }
        Ok(ExitStatus::Success)
    }
}

/// The name of a file without its folder and extension.
fn stem(path: &str) -> &str {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(path)
}

fn write(output: &Output, bytes: &[u8]) -> Result<(), Failure> {
    output.write(|out| out.write_all(bytes).map_err(|e| Failure::unwritten(&e)))
}

impl Embed {
    /// Returns the target of a triple, with the ABI that is asked for.
    fn target(&self, triple: &str) -> Result<Target, Failure> {
        let target = triple.parse().and_then(|target: Target| match &self.abi {
            Some(abi) => target.with_abi(abi),
            None => Ok(target),
        });
        target.map_err(|error: UnknownTarget| Failure::Usage(error.to_string()))
    }

    /// The failure of making the output from all inputs.
    fn failure(&self, error: EmbedError) -> Failure {
        Failure::Input(format!("error: {}: {error}", self.inputs.join(", ")))
    }

    /// Returns the bytes of a module as they are embedded.
    fn module(&self, path: &str) -> Result<Source, Failure> {
        let input = self.load.read(path)?;
        if input.form() == Form::Text && is_blank_text(input.source()?) {
            let name = &input.name;
            let reason = "there is nothing to embed: the file has no operation";
            return Err(Failure::file(name, reason));
        }
        let form = match (self.to, input.form()) {
            (None, Form::Text) | (Some(OutputFormat::Rmbc), _) => Form::Rmbc,
            (None, form) => form,
            (Some(OutputFormat::Mlirbc), _) => Form::Mlirbc,
            (Some(_), _) => Form::Text,
        };
        if form == input.form() && form != Form::Text {
            // The module is embedded unchanged; opening it refuses other files.
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

    /// Prints a line of JSON about each module.
    fn report(&self, modules: &[Module<'_>], output: &str) -> Result<(), Failure> {
        let mut text = String::new();
        for module in modules {
            let line = json!({
                "schema": "embed/1",
                "name": module.name,
                "form": Form::of(module.bytes).name(),
                "bytes": module.bytes.len(),
                "output": output,
            });
            text.push_str(&format!("{line}\n"));
        }
        print(&text)
    }

    fn write_c(&self, modules: &[Module<'_>]) -> Result<(), Failure> {
        let Some(output) = self.output.as_deref().filter(|output| *output != "-") else {
            let message = "'--c' needs '-o NAME' for the files NAME.h, NAME.c and NAME.bin";
            return Err(Failure::Usage(message.to_owned()));
        };
        let path = output.strip_suffix(".c").unwrap_or(output);
        let name = Path::new(path).file_name().and_then(|name| name.to_str());
        let files = c_source(modules, name.unwrap_or_default());
        let files = files.map_err(|error| self.failure(error))?;
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
        let input = crate::input::read(program, false)?;
        let changed = match input.is_positioned() {
            // Bytecode is not a program, so `add_to` refuses it without reading it.
            true => add_to(b"", modules),
            false => add_to(input.source()?, modules),
        };
        let name = &input.name;
        let changed = changed.map_err(|error| Failure::file(name, error.to_string()))?;
        let output = Output::new(Some(self.output.as_deref().unwrap_or(program)));
        output.check_binary()?;
        write(&output, &changed)?;
        match &output {
            Output::File(path) if program != "-" => copy_permissions(program, path),
            _ => Ok(()),
        }
    }
}

/// Makes the output executable if the program is.
fn copy_permissions(from: &str, to: &str) -> Result<(), Failure> {
    let permissions = std::fs::metadata(from).map(|metadata| metadata.permissions());
    let copied = permissions.and_then(|permissions| std::fs::set_permissions(to, permissions));
    copied.map_err(|error| Failure::io(to, &error))
}
