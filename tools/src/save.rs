//! Modules to files, as the programs write them.

use crate::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use rmlir::format::Error;
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module};
use rmlir::text::{PrintError, PrintOptions, print_module};
use rmlir::writer::mlirbc;
use rmlir::writer::rmbc::{WriteOptions, write_module_to};
use std::io::{BufWriter, Write};

/// A form of MLIR that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    /// Text, in custom form where that is known
    Text,
    /// Text in generic form
    Generic,
    /// The native bytecode
    Rmbc,
    /// Upstream's bytecode
    Mlirbc,
}

/// How upstream's bytecode is written.
#[derive(Args, Clone, Debug)]
pub struct MlirbcOptions {
    /// Whose tools are to read upstream's bytecode, as `llvm-22`: it decides on layouts, encodings, and, where they are not
    /// said, version and producer. By default those of the bytecode that the input is, else `llvm-22`
    #[arg(long, value_name = "RELEASE")]
    pub target: Option<Release>,
    /// Write what the target has no place for in another form: an inherent attribute as a discardable one, a
    /// range in a file as its start
    #[arg(long)]
    pub lossy: bool,
}

impl MlirbcOptions {
    /// Writes upstream's bytecode in a version, or in that of the target.
    ///
    /// # Errors
    ///
    /// If the target can't have it, or it can't be written.
    pub fn write(
        &self,
        context: &mut Context,
        module: &Module,
        version: Option<u8>,
        max_output: u64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut options = mlirbc::WriteOptions::default();
        options.target = self.target;
        options.version = version;
        options.lossy = self.lossy;
        options.max_text = options.max_text.min(max_output);
        // Pieces of bytecode are small.
        let mut out = BufWriter::with_capacity(1 << 16, out);
        mlirbc::write_module_to(context, module, &options, &mut out)
            .and_then(|()| Ok(out.flush()?))
            .map_err(unwritten)
    }
}

/// How native bytecode is written.
#[derive(Args, Clone, Debug, Default)]
pub struct RmbcOptions {
    /// Compress native bytecode by zstd at this level, 1 to 22
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    pub compress: Option<i32>,
    /// Write the fingerprints of symbols into native bytecode, so that they are known without reading these
    #[arg(long)]
    pub fingerprints: bool,
}

impl RmbcOptions {
    fn options(&self) -> WriteOptions {
        let mut options = WriteOptions::default();
        options.compression = self.compress;
        options.hashes = self.fingerprints;
        options
    }
}

/// Where a program writes a module, and in which form.
#[derive(Args, Clone, Debug)]
pub struct SaveOptions {
    /// The output; `-` or nothing is standard output. A file appears whole or not at all
    #[arg(short, value_name = "OUTPUT")]
    pub output: Option<String>,
    /// The form of the output; by default what the output's extension says (`.mlir`, `.rmbc`, `.mlirbc`),
    /// else text
    #[arg(long, value_name = "FORM")]
    pub to: Option<Form>,
    /// Print locations
    #[arg(long = "mlir-print-debuginfo", visible_alias = "debuginfo")]
    pub debug_info: bool,
    /// The longest text to write, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = PrintOptions::default().max_output)]
    pub max_output: u64,
    /// The version of upstream's bytecode, 0 to 6
    #[arg(long, value_name = "VERSION")]
    pub bytecode_version: Option<u8>,
    /// For whom upstream's bytecode is written.
    #[command(flatten)]
    pub mlirbc: MlirbcOptions,
    /// How native bytecode is written.
    #[command(flatten)]
    pub rmbc: RmbcOptions,
}

impl SaveOptions {
    /// The form that is written.
    pub fn form(&self) -> Form {
        let of_extension = || match self.output.as_deref()?.rsplit_once('.')?.1 {
            "rmbc" => Some(Form::Rmbc),
            "mlirbc" => Some(Form::Mlirbc),
            _ => None,
        };
        self.to.or_else(of_extension).unwrap_or(Form::Text)
    }

    /// Writes a module.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn save(&self, context: &mut Context, module: &Module) -> Result<(), Failure> {
        let output = Output::new(self.output.as_deref());
        let form = self.form();
        if form == Form::Rmbc {
            output.check_binary()?;
            return output.write(|out| write_bytecode(context, module, &self.rmbc, out));
        }
        if form == Form::Mlirbc {
            output.check_binary()?;
            let version = self.bytecode_version;
            let mlirbc = &self.mlirbc;
            return output
                .write(|out| mlirbc.write(context, module, version, self.max_output, out));
        }
        let mut options = PrintOptions::default();
        options.generic = form == Form::Generic;
        options.debug_info = self.debug_info;
        options.max_output = self.max_output;
        output.write(|out| write_text(context, module, &options, out))
    }
}

/// Writes native bytecode.
///
/// # Errors
///
/// If it can't be written.
pub fn write_bytecode(
    context: &Context,
    module: &Module,
    options: &RmbcOptions,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write_module_to(context, module, &options.options(), out).map_err(unwritten)
}

fn unwritten(error: Error) -> Failure {
    match error.io_kind() {
        Some(std::io::ErrorKind::BrokenPipe) => Failure::BrokenPipe,
        _ => Failure::Input(format!("error: {error}")),
    }
}

/// Writes text. Like `mlir-opt`, an empty line ends a module, but not with local scope.
///
/// # Errors
///
/// If it can't be written, or is longer than the options allow.
pub fn write_text(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let written = print_module(context, module, options, out);
    let end: &[u8] = if options.local_scope { b"" } else { b"\n" };
    written
        .and_then(|()| out.write_all(end).map_err(PrintError::from))
        .map_err(|e| match e {
            PrintError::Io(e) => Failure::io("writing", &e),
            e => Failure::Input(format!("error: {e}")),
        })
}
