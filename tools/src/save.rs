//! Saves modules to files.

use crate::Failure;
use crate::blobs::BlobFolder;
use crate::input::Input;
use crate::inputs::{no_folder, stem};
use crate::load::{LoadOptions, Piece};
use crate::output::Output;
use crate::progress::Progress;
use crate::written::Written;
use clap::builder::{EnumValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, Args, ValueEnum};
use rmlir::format::{Error, ProgressCounter, Threads, text_budget};
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module, ResourceValue};
use rmlir::reader::mlirbc as mlirbc_reader;
use rmlir::stablehlo::{self, Version};
use rmlir::text::{PrintError, PrintOptions, print_module};
use rmlir::writer::mlirbc;
use rmlir::writer::rmbc::{ExternalBlobs, WriteOptions, write_module_and_blobs, write_module_to};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{BufWriter, Write};
use std::path::Path;

/// A form of MLIR that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// Text, in custom form where the syntax is known
    Text,
    /// Text in generic form
    Generic,
    /// The native bytecode
    Rmbc,
    /// Upstream's bytecode
    Mlirbc,
}

/// A conversion of a module between dialects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// VHLO to StableHLO.
    Stablehlo,
    /// StableHLO to VHLO of a version: a portable artifact.
    Vhlo(Version),
}

/// The kind of an output: a form, or a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// A form of MLIR.
    Form(OutputFormat),
    /// The dialect that a module is converted to.
    Dialect(Conversion),
}

/// Parses the values of `--to`.
#[derive(Clone, Copy, Debug)]
pub struct ToParser {
    /// Whether a command converts between dialects.
    dialects: bool,
}

impl ToParser {
    /// Accepts forms.
    pub const FORMS: Self = ToParser { dialects: false };
    /// Accepts forms and dialects.
    pub const DIALECTS: Self = ToParser { dialects: true };

    fn all_values() -> Vec<PossibleValue> {
        let forms = OutputFormat::value_variants().iter();
        let mut values: Vec<_> = forms.filter_map(ValueEnum::to_possible_value).collect();
        values.push(PossibleValue::new("stablehlo").help("VHLO of any version as StableHLO"));
        let help = "StableHLO as VHLO, for a portable artifact; 'vhlo=X.Y.Z' for readers of that version, 'vhlo=minimum' for the oldest";
        values.push(PossibleValue::new("vhlo").help(help));
        values
    }
}

impl TypedValueParser for ToParser {
    type Value = To;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<To, clap::Error> {
        let forms = EnumValueParser::<OutputFormat>::new();
        let conversion = match value.to_str().filter(|_| self.dialects) {
            Some("stablehlo") => Conversion::Stablehlo,
            Some("vhlo") => Conversion::Vhlo(Version::NEWEST),
            Some("vhlo=minimum") => Conversion::Vhlo(Version::MINIMUM),
            Some(text) if text.starts_with("vhlo=") => {
                let version = text.trim_start_matches("vhlo=").parse::<Version>();
                let message = match version {
                    Ok(version) if version.is_supported() => {
                        return Ok(To::Dialect(Conversion::Vhlo(version)));
                    }
                    Ok(version) => format!(
                        "StableHLO {version} is not supported: the oldest is {}, the newest {}",
                        Version::MINIMUM,
                        Version::NEWEST
                    ),
                    Err(error) => error.to_string(),
                };
                let text = format!("invalid value '{text}' for '--to <FORM>': {message}\n");
                return Err(clap::Error::raw(ErrorKind::ValueValidation, text).with_cmd(command));
            }
            _ if !self.dialects => return forms.parse_ref(command, argument, value).map(To::Form),
            _ => {
                let names = Self::all_values();
                PossibleValuesParser::new(names).parse_ref(command, argument, value)?;
                return forms.parse_ref(command, argument, value).map(To::Form);
            }
        };
        Ok(To::Dialect(conversion))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = match self.dialects {
            true => Self::all_values(),
            false => {
                let forms = OutputFormat::value_variants().iter();
                forms.filter_map(ValueEnum::to_possible_value).collect()
            }
        };
        Some(Box::new(values.into_iter()))
    }
}

/// How much text is written.
#[derive(Args, Clone, Copy, Debug)]
pub struct OutputLimit {
    /// Limit on the size of text in bytes, including text in mlirbc
    ///
    /// By default 64 MiB, plus 256 bytes for each byte of the input and of its blobs. A small input
    /// that refers to shared parts repeatedly can expand to terabytes of text.
    #[arg(long, value_name = "BYTES")]
    pub max_output: Option<u64>,

    /// The default for a module that was made from several inputs.
    #[arg(skip)]
    pub of_inputs: Option<u64>,
}

impl OutputLimit {
    /// The limit for a module that was read from a piece of an input.
    pub fn bytes(&self, input: &Input, piece: &Piece, context: &Context, module: &Module) -> u64 {
        let of_input = || {
            let blobs = module.provenance.resources.iter();
            let blobs = blobs.map(|&resource| match &context.resource(resource).value {
                Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
                _ => 0,
            });
            text_budget(blobs.fold(piece.byte_len(input), u64::saturating_add))
        };
        let limit = self.max_output.or(self.of_inputs);
        limit.unwrap_or_else(of_input)
    }
}

/// How upstream's bytecode is written.
#[derive(Args, Clone, Debug)]
pub struct MlirbcOptions {
    /// The release of the tools that will read the mlirbc output, such as llvm-22 or jax-202608
    ///
    /// It determines layouts, encodings, version and producer. By default that of an mlirbc input,
    /// otherwise llvm-22.
    #[arg(long, value_name = "RELEASE")]
    pub target: Option<Release>,
    /// A dialect without a project that the reader of the mlirbc output knows; may be repeated
    ///
    /// Without it, operations of a dialect whose definition declares no 'family' are written as
    /// unregistered ones.
    #[arg(long, value_name = "DIALECT")]
    pub registered_dialect: Vec<String>,
    /// Degrade content that the target cannot hold instead of failing
    ///
    /// An inherent attribute becomes a discardable one, a file range its start, and a distinct
    /// attribute in several attributes stored as text becomes several. Resources without references
    /// are dropped, as mlir-opt does.
    #[arg(long)]
    pub lossy: bool,
    /// Store resources in mlirbc output without their values
    ///
    /// Such a file can be read if all its resources are blobs of dialects.
    #[arg(long)]
    pub elide_resource_data_from_bytecode: bool,
    /// The conversion that the module went through, which determines the defaults.
    #[arg(skip)]
    pub conversion: Option<Conversion>,
}

impl MlirbcOptions {
    /// Writes upstream's bytecode in a version, or in that of the target.
    ///
    /// # Errors
    ///
    /// If the target cannot represent the module, or writing fails.
    pub fn write(
        &self,
        context: &mut Context,
        module: &Module,
        version: Option<u8>,
        max_output: u64,
        progress: ProgressCounter,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut options = match self.conversion {
            Some(Conversion::Vhlo(version)) => stablehlo::write_options(version),
            Some(Conversion::Stablehlo) => {
                let mut options = mlirbc::WriteOptions::default();
                options.target = stablehlo::write_options(Version::NEWEST).target;
                options
            }
            None => mlirbc::WriteOptions::default(),
        };
        options.target = self.target.or(options.target);
        options
            .registered_dialects
            .clone_from(&self.registered_dialect);
        options.version = version.or(options.version);
        options.lossy = self.lossy;
        options.elide_resource_data = self.elide_resource_data_from_bytecode;
        options.max_text = options.max_text.min(max_output);
        options.progress = progress;
        // The writer produces small pieces, so they are buffered.
        let mut out = BufWriter::with_capacity(1 << 16, out);
        mlirbc::write_module_to(context, module, &options, &mut out)
            .and_then(|()| Ok(out.flush()?))
            .map_err(unwritten)
    }
}

/// How native bytecode is written.
#[derive(Args, Clone, Debug, Default)]
pub struct RmbcOptions {
    /// Compress rmbc output by zstd at this level, 1 to 22
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    pub compress: Option<i32>,
    /// Store fingerprints of the module and its symbols in rmbc output
    ///
    /// Readers that trust the file use them: 'hash --trust-stored', 'diff --trust-stored'.
    #[arg(long)]
    pub fingerprints: bool,
    /// Omit locations of operations and block arguments from rmbc output
    #[arg(long)]
    pub no_locations: bool,
    /// Omit names of values and blocks from rmbc output
    #[arg(long)]
    pub no_names: bool,
    /// Omit the index of symbols from rmbc output
    #[arg(long)]
    pub no_index: bool,
    /// The minimum alignment of blobs in rmbc output: a power of two, at most 4096
    #[arg(long, value_name = "BYTES", default_value_t = 1)]
    pub blob_alignment: u32,
    /// Store blobs of at least this size in a file in the folder OUTPUT.blobs beside the output
    ///
    /// The file is named by its content, so the output and its blobs are replaced together. Files
    /// of earlier outputs are removed.
    #[arg(long, value_name = "BYTES")]
    pub external_blobs: Option<u64>,
}

impl RmbcOptions {
    fn options(&self, threads: Threads) -> WriteOptions {
        let mut options = WriteOptions::default();
        options.compression = self.compress;
        options.hashes = self.fingerprints;
        options.locations = !self.no_locations;
        options.names = !self.no_names;
        options.index = !self.no_index;
        options.blob_alignment = self.blob_alignment;
        options.threads = threads;
        options
    }

    /// Writes native bytecode on this number of threads.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(
        &self,
        context: &Context,
        module: &Module,
        threads: Threads,
        progress: ProgressCounter,
        output: &Output,
    ) -> Result<(), Failure> {
        output.check_binary()?;
        let mut options = self.options(threads);
        options.progress = progress;
        let write_alone = |out: &mut dyn Write| {
            write_module_to(context, module, &options, out).map_err(unwritten)
        };
        let Some(above) = self.external_blobs else {
            return match output {
                Output::File(path) => BlobFolder::of(path)?.write_without(output, write_alone),
                Output::Standard | Output::New { .. } => output.write(write_alone),
            };
        };
        let Output::File(path) = output else {
            let message = "'--external-blobs' needs an output with a name, beside which they are";
            return Err(Failure::Usage(message.to_owned()));
        };
        let folder = BlobFolder::of(path)?;
        let external = |path| Some(ExternalBlobs { path, above });
        let Some(name) = folder.name_of_content(|blobs| {
            let mut options = WriteOptions::default();
            options.external_blobs = external(folder.path_in_module("unknown"));
            write_module_and_blobs(context, module, &options, &mut std::io::sink(), blobs)
                .map_err(unwritten)
        })?
        else {
            return folder.write_without(output, write_alone);
        };
        options.external_blobs = external(folder.path_in_module(&name));
        folder.write(&name, output, |out, blobs| {
            write_module_and_blobs(context, module, &options, out, blobs).map_err(unwritten)
        })
    }
}

/// Where a program writes a module, and in which form.
#[derive(Args, Clone, Debug)]
pub struct SaveOptions {
    /// The output file; `-` or none is standard output. It is replaced as a whole or not at all
    #[arg(short, value_name = "OUTPUT")]
    pub output: Option<String>,
    /// Print one JSON object per written file (spec/json.md); '-o' is needed
    #[arg(long)]
    pub json: bool,
    /// The form of the output; by default that of its extension (`.mlir`, `.rmbc`, `.mlirbc`), text
    /// without an extension
    #[arg(long, value_name = "FORM", value_parser = ToParser::FORMS, action = ArgAction::Set)]
    pub to: Vec<To>,
    /// Print locations
    #[arg(long = "mlir-print-debuginfo", visible_alias = "debuginfo")]
    pub debug_info: bool,
    /// How much text is written.
    #[command(flatten)]
    pub limit: OutputLimit,
    /// The version of mlirbc output, 0 to 6; by default that of the target
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
    /// Returns the form that is asked for.
    pub fn asked_form(&self) -> Option<OutputFormat> {
        self.to.iter().rev().find_map(|to| match to {
            To::Form(form) => Some(*form),
            To::Dialect(_) => None,
        })
    }

    /// Returns the conversion that is asked for.
    pub fn conversion(&self) -> Option<Conversion> {
        self.to.iter().rev().find_map(|to| match to {
            To::Dialect(conversion) => Some(*conversion),
            To::Form(_) => None,
        })
    }

    /// Returns the form that is written: the one asked for, or that of the extension of the output;
    /// text for standard output and names without an extension.
    ///
    /// # Errors
    ///
    /// If the extension denotes no form, or an option has no effect on that form.
    pub fn form(&self) -> Result<OutputFormat, Failure> {
        let name = self
            .output
            .as_deref()
            .and_then(|path| Path::new(path).file_name()?.to_str());
        let extension = name.and_then(|name| Some(name.rsplit_once('.')?.1));
        let form = match (self.asked_form(), extension) {
            (Some(form), _) => form,
            (None, None | Some("mlir" | "txt")) => OutputFormat::Text,
            (None, Some("rmbc")) => OutputFormat::Rmbc,
            (None, Some("mlirbc")) => OutputFormat::Mlirbc,
            // Artifacts have extensions of several sorts: `.bc`, `.mlir.bc`, `.bin`.
            (None, Some(_)) if matches!(self.conversion(), Some(Conversion::Vhlo(_))) => {
                OutputFormat::Mlirbc
            }
            (None, Some(other)) => {
                return Err(Failure::Usage(format!(
                    "'.{}' denotes no form of MLIR: '--to' names one, or the output ends in .mlir, .mlirbc or .rmbc",
                    other.escape_debug()
                )));
            }
        };
        self.check(form)?;
        if self.json {
            crate::written::check_file(self.output.as_deref(), "'-o' names one")?;
        }
        Ok(form)
    }

    /// Checks that all options have an effect on a form.
    fn check(&self, form: OutputFormat) -> Result<(), Failure> {
        let (rmbc, mlirbc) = (&self.rmbc, &self.mlirbc);
        let is_text = matches!(form, OutputFormat::Text | OutputFormat::Generic);
        let useless = [
            (
                "--mlir-print-debuginfo",
                self.debug_info && !is_text,
                "text",
            ),
            ("--compress", rmbc.compress.is_some(), "rmbc"),
            ("--fingerprints", rmbc.fingerprints, "rmbc"),
            ("--no-locations", rmbc.no_locations, "rmbc"),
            ("--no-names", rmbc.no_names, "rmbc"),
            ("--no-index", rmbc.no_index, "rmbc"),
            ("--blob-alignment", rmbc.blob_alignment != 1, "rmbc"),
            (
                "--max-output",
                self.limit.max_output.is_some() && form == OutputFormat::Rmbc,
                "text and mlirbc",
            ),
            ("--external-blobs", rmbc.external_blobs.is_some(), "rmbc"),
            ("--target", mlirbc.target.is_some(), "mlirbc"),
            (
                "--registered-dialect",
                !mlirbc.registered_dialect.is_empty(),
                "mlirbc",
            ),
            ("--lossy", mlirbc.lossy, "mlirbc"),
            (
                "--elide-resource-data-from-bytecode",
                mlirbc.elide_resource_data_from_bytecode,
                "mlirbc",
            ),
            (
                "--bytecode-version",
                self.bytecode_version.is_some(),
                "mlirbc",
            ),
        ];
        let found = useless.iter().find(|(_, given, of)| {
            *given
                && match *of {
                    "rmbc" => form != OutputFormat::Rmbc,
                    "mlirbc" => form != OutputFormat::Mlirbc,
                    _ => true,
                }
        });
        match found {
            Some((option, _, of)) => {
                let message = format!("'{option}' has an effect on {of} output only");
                Err(Failure::Usage(message))
            }
            None => Ok(()),
        }
    }

    /// Returns how each input is written: with the options as they are, or, if `-o` names a folder,
    /// into this under its own name with the extension of the form.
    ///
    /// # Errors
    ///
    /// If there are several inputs and no folder, or two of them have the same name.
    pub fn for_inputs(&self, inputs: &[String]) -> Result<Vec<Self>, Failure> {
        let folder = self.output.as_deref().map(Path::new);
        let Some(folder) = folder.filter(|path| path.is_dir()) else {
            return match inputs {
                [_] => Ok(vec![self.clone()]),
                inputs => Err(no_folder(inputs.len(), self.output.as_deref())),
            };
        };
        let extension = match (self.asked_form(), self.conversion()) {
            (Some(OutputFormat::Rmbc), _) => "rmbc",
            (Some(OutputFormat::Mlirbc), _) | (None, Some(Conversion::Vhlo(_))) => "mlirbc",
            _ => "mlir",
        };
        let mut taken: BTreeMap<OsString, &str> = BTreeMap::new();
        let mut all = Vec::with_capacity(inputs.len());
        for input in inputs {
            let mut name = stem(input).to_os_string();
            name.push(".");
            name.push(extension);
            if let Some(other) = taken.insert(name.clone(), input) {
                let path = folder.join(name);
                return Err(Failure::Usage(format!(
                    "'{other}' and '{input}' would both be written to '{}'",
                    path.display()
                )));
            }
            let output = folder.join(name).to_string_lossy().into_owned();
            all.push(SaveOptions {
                output: Some(output),
                ..self.clone()
            });
        }
        Ok(all)
    }

    /// Copies a file of upstream's bytecode that cannot be decoded, with `copy`, if the options
    /// require nothing else, and prints a note. `undecoded` is the reason; other failures are
    /// returned.
    ///
    /// # Errors
    ///
    /// `undecoded` if it cannot be copied either, or the error of `copy`.
    pub fn copy_undecoded(
        &self,
        load: &LoadOptions,
        input: &Input,
        undecoded: Failure,
        copy: impl FnOnce(&mlirbc_reader::File, &mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        let says_how =
            self.mlirbc.target.is_some() || self.mlirbc.lossy || self.bytecode_version.is_some();
        let reason = match &undecoded {
            Failure::Undecoded(reason) if self.form()? == OutputFormat::Mlirbc && !says_how => {
                reason
            }
            _ => return Err(undecoded),
        };
        let mut context = load.context()?;
        let file = load.open(input)?;
        let Some(file) = file.as_ref().and_then(rmlir::File::as_mlirbc) else {
            return Err(undecoded);
        };
        let failure = |error| match Error::io_kind(&error) {
            Some(std::io::ErrorKind::BrokenPipe) => Failure::BrokenPipe,
            _ => input.failure(error),
        };
        // Checks the tables and operations as far as possible.
        file.survey(&mut context).map_err(failure)?;
        let output = Output::new(self.output.as_deref());
        output.check_binary()?;
        let reason = reason.lines().next().unwrap_or_default();
        let prefix = format!("{}: error: ", input.name);
        let reason = reason.strip_prefix(&prefix).unwrap_or(reason);
        let warning = format!("copied as it is, neither decoded nor verified: {reason}");
        let format = load.diagnostic_format;
        format.show_file_warning(&input.name, &warning);
        output.write(|out| copy(file, out).map_err(failure))?;
        let written = Written {
            inputs: &[&input.name],
            module: None,
            lists_symbols: false,
        };
        written.report(self)
    }

    /// Writes a module of the input, on the number of threads on which it was read.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(
        &self,
        load: &LoadOptions,
        input: &Input,
        context: &mut Context,
        module: &Module,
    ) -> Result<(), Failure> {
        if !Self::needs_unique_context(self.form()?) {
            return self.save_shared(load, input, context, module);
        }
        let output = Output::new(self.output.as_deref());
        output.check_binary()?;
        let max_output = self.limit.bytes(input, &Piece::WHOLE, context, module);
        let version = self.bytecode_version;
        let mlirbc = &self.mlirbc;
        let progress = self.progress(module);
        let counter = || progress.as_ref().map(Progress::counter).unwrap_or_default();
        output.write(|out| mlirbc.write(context, module, version, max_output, counter(), out))
    }

    /// Shows the progress of writing a module to a file.
    fn progress(&self, module: &Module) -> Option<Progress> {
        let output = self.output.as_deref()?;
        Some(Progress::writing(output, module.operation_slots() as u64))
    }

    /// Returns whether the writer of a form adds to the context, so that it cannot be shared.
    pub fn needs_unique_context(form: OutputFormat) -> bool {
        form == OutputFormat::Mlirbc
    }

    /// Writes a module as [`save`](Self::save) does, in a form that needs no context of its own.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save_shared(
        &self,
        load: &LoadOptions,
        input: &Input,
        context: &Context,
        module: &Module,
    ) -> Result<(), Failure> {
        let output = Output::new(self.output.as_deref());
        let form = self.form()?;
        let progress = self.progress(module);
        let counter = progress.as_ref().map(Progress::counter).unwrap_or_default();
        debug_assert!(!Self::needs_unique_context(form), "{form:?}");
        if form == OutputFormat::Rmbc {
            let rmbc = &self.rmbc;
            return rmbc.write(context, module, load.threads(), counter, &output);
        }
        let mut options = PrintOptions::default();
        options.generic = form == OutputFormat::Generic;
        options.debug_info = self.debug_info;
        options.max_output = self.limit.bytes(input, &Piece::WHOLE, context, module);
        options.threads = load.threads();
        options.progress = counter;
        output.write(|out| write_text(context, module, &options, out))
    }
}

fn unwritten(error: Error) -> Failure {
    match error.io_kind() {
        Some(std::io::ErrorKind::BrokenPipe) => Failure::BrokenPipe,
        Some(_) => Failure::Output(crate::without_code(error.message()).to_owned()),
        None => Failure::Input(format!("error: {error}")),
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
        .map_err(|error| unprinted(&error))
}

/// Returns the failure of printing a text.
pub fn unprinted(error: &PrintError) -> Failure {
    match error {
        PrintError::Io(error) => Failure::unwritten(error),
        error => Failure::Input(format!("error: {error}")),
    }
}
