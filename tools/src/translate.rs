//! `rmlir-translate`: between MLIR as text and as bytecode.

use crate::Failure;
use crate::dashes::with_two_dashes;
use crate::input::Input;
use crate::load::{Piece, SPLIT_MARKER, Verifying, split};
use crate::output::{Output, finish_call};
use crate::save::{MlirbcOptions, OutputLimit, RmbcOptions, write_text};
use crate::verify_diagnostics::Checked;
use clap::{Command, CommandFactory, Parser};
use rmlir::dialects::BundledDialects;
use rmlir::format::ProgressCounter;
use rmlir::ir::definition::DialectSource;
use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::reader::mlirbc;
use rmlir::reader::rmbc::{ReadOptions, read_module};
use rmlir::text::{ParseOptions, PrintOptions, Severity, SourceText, module_to_string};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir::{Form, Ir};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  Print a module in generic form:
    $ rmlir-translate --generic examples/add.mlir
  Write native bytecode and read it back:
    $ rmlir-translate --to-bytecode examples/add.mlir -o add.rmbc
    $ rmlir-translate add.rmbc
  Write upstream's bytecode for a release of LLVM:
    $ rmlir-translate --to-mlirbc --target llvm-22 examples/add.mlir -o add.mlirbc
  Check that writing a file and reading it back preserves it:
    $ rmlir-translate --verify-roundtrip examples/add.mlir -o checked.mlir

As with mlir-opt, one dash can precede a long option: -split-input-file.

Exit status: 0 on success, 1 if the input is invalid or cannot be read or the output cannot be written,
2 if the command line is invalid.";

/// Translate MLIR between text and bytecode; the form of the input is recognized by its content
#[derive(Parser)]
#[command(name = "rmlir-translate", version, after_help = EXAMPLES)]
struct Arguments {
    /// The input file; `-` is standard input. It must not change while the program runs
    #[arg(default_value = "-")]
    input: String,
    /// The output file; `-` or none is standard output. It is replaced as a whole or not at all
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    /// Write rmbc, the native bytecode, instead of text
    #[arg(long)]
    to_bytecode: bool,
    /// Write mlirbc, upstream's bytecode, instead of text, in this version (0 to 6) or that of the
    /// target
    #[arg(
        long,
        value_name = "VERSION",
        num_args = 0..=1,
        require_equals = true,
        conflicts_with = "to_bytecode"
    )]
    to_mlirbc: Option<Option<u8>>,
    /// Write mlirbc instead of text, as `--to-mlirbc` does
    #[arg(long, conflicts_with_all = ["to_bytecode", "to_mlirbc"])]
    emit_bytecode: bool,
    /// The version of the mlirbc that `--emit-bytecode` writes, 0 to 6
    #[arg(long, value_name = "VERSION", requires = "emit_bytecode")]
    emit_bytecode_version: Option<u8>,
    #[command(flatten)]
    mlirbc: MlirbcOptions,
    #[command(flatten)]
    rmbc: RmbcOptions,
    /// Print every operation in generic form
    #[arg(
        long = "mlir-print-op-generic",
        alias = "generic",
        visible_alias = "generic"
    )]
    generic: bool,
    /// Print locations
    #[arg(long = "mlir-print-debuginfo")]
    debug_info: bool,
    /// Print locations without `loc(...)`; such text cannot be parsed
    #[arg(long = "mlir-pretty-debuginfo")]
    pretty_locations: bool,
    /// Print `{...}` instead of each region
    #[arg(long = "mlir-print-skip-regions")]
    skip_regions: bool,
    /// Give no number to two values, even if they are in different regions
    #[arg(long = "mlir-print-unique-ssa-ids")]
    unique_numbers: bool,
    /// Name values by their locations, where these contain a name
    #[arg(long = "mlir-use-nameloc-as-prefix")]
    names_of_locations: bool,
    /// Print the users of results and block arguments in comments
    #[arg(long = "mlir-print-value-users")]
    value_users: bool,
    /// Add a note with the operation to each error of the verifier
    #[arg(long = "mlir-print-op-on-diagnostic")]
    op_on_diagnostic: bool,
    /// Print without aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Elide elements attributes with more elements than this
    #[arg(long = "mlir-elide-elementsattrs-if-larger", value_name = "N")]
    elide_elements: Option<u64>,
    /// Elide resources whose text is longer than this
    #[arg(long = "mlir-elide-resource-strings-if-larger", value_name = "N")]
    elide_resources: Option<u64>,
    /// Print elements attributes with more elements than this in hexadecimal; -1 for none
    #[arg(
        long = "mlir-print-elementsattrs-with-hex-if-larger",
        value_name = "N",
        default_value_t = 100,
        allow_negative_numbers = true,
        value_parser = number_or_never
    )]
    hex_if_larger: u64,
    /// Do not add a module around the operations of text, which must be a single one
    #[arg(long)]
    no_implicit_module: bool,
    /// Keep the names of values and blocks
    #[arg(long)]
    keep_names: bool,
    /// Split text at each MARKER, or at each `// -----`, and translate the pieces separately
    ///
    /// Bytecode is then written to one file for each piece if OUTPUT contains `%d`, which is
    /// replaced by the number of the piece, from 0. Else mlirbc of all pieces is written to one
    /// output, with the output's marker in between, as mlir-opt does. An empty MARKER is
    /// `// -----`.
    #[arg(
        long,
        value_name = "MARKER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = SPLIT_MARKER
    )]
    split_input_file: Option<String>,
    /// The line between the pieces of text output
    #[arg(long, value_name = "MARKER", default_value = SPLIT_MARKER)]
    output_split_marker: String,
    /// Check that writing and reading back yields the same content
    ///
    /// The module is written as rmbc, custom text and generic text, and with `--to-mlirbc` as
    /// mlirbc. Differences are errors.
    #[arg(long)]
    verify_roundtrip: bool,
    /// Accepted for compatibility: unregistered dialects are always allowed
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Accepted for compatibility: there are no passes after which to verify
    #[arg(long, hide = true)]
    verify_each: bool,
    /// Accepted for compatibility: see `--threads`
    #[arg(long, hide = true)]
    mlir_disable_threading: bool,
    #[command(flatten)]
    limit: OutputLimit,
    /// Check that errors are those that comments announce as `expected-error {{...}}`
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    verify_diagnostics: Option<Checked>,
    /// Print the names of all known dialects, and do not read the input
    #[arg(long)]
    show_dialects: bool,
    #[command(flatten)]
    load: Verifying,
}

impl Arguments {
    /// Returns the version of the mlirbc to write, if given; `None` for another form of output.
    fn mlirbc_version(&self) -> Option<Option<u8>> {
        let emitted = self.emit_bytecode.then_some(self.emit_bytecode_version);
        self.to_mlirbc.or(emitted)
    }

    /// Returns whether bytecode is written.
    fn is_binary(&self) -> bool {
        self.to_bytecode || self.mlirbc_version().is_some()
    }

    /// Returns the text between the pieces of the input; `None` if the input is not split.
    fn split_marker(&self) -> Option<&str> {
        match self.split_input_file.as_deref() {
            Some("") => Some(SPLIT_MARKER),
            marker => marker,
        }
    }

    /// Writes the line that precedes a piece of the output, if another piece precedes it.
    fn separate(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        match number {
            0 => Ok(()),
            _ => writeln!(out, "{}", self.output_split_marker).map_err(|e| Failure::unwritten(&e)),
        }
    }

    /// Writes a module as bytecode.
    fn write_binary(
        &self,
        (input, piece): (&Input, &Piece),
        context: &mut Context,
        module: &Module,
        output: &Output,
    ) -> Result<(), Failure> {
        let max_output = self.limit.bytes(input, piece, context, module);
        match self.mlirbc_version() {
            Some(version) => output.write(|out| {
                let progress = ProgressCounter::default();
                let mlirbc = &self.mlirbc;
                mlirbc.write(context, module, version, max_output, progress, out)
            }),
            None => {
                let (threads, progress) = (self.load.threads(), ProgressCounter::default());
                self.rmbc.write(context, module, threads, progress, output)
            }
        }
    }
}

/// Parses a number, where -1 is larger than any.
fn number_or_never(text: &str) -> Result<u64, std::num::ParseIntError> {
    match text {
        "-1" => Ok(u64::MAX),
        _ => text.parse(),
    }
}

/// Returns the command line of the program.
pub fn program() -> Command {
    crate::completion::with_values(Arguments::command())
}

/// Runs a command line. The first argument is the name of the program.
pub fn run(command_line: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(with_two_dashes(command_line, &program())) {
        Ok(arguments) => arguments,
        Err(answer) => return finish_call(answer),
    };
    match translate_all(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(arguments.load.diagnostic_format),
    }
}

/// Prints the names of the bundled dialects and those of definitions that the user has named.
fn show_dialects(arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.load.definitions.get(&arguments.load)?;
    let mut names = BTreeSet::from_iter(BundledDialects.namespaces());
    names.extend(named.iter().map(|dialect| Cow::Borrowed(&*dialect.name)));
    let names = Vec::from_iter(names).join(",");
    Output::Standard.write(|out| {
        writeln!(out, "Available Dialects: {names}").map_err(|e| Failure::unwritten(&e))
    })
}

/// Warns of lines that match the marker but for its last two characters, as `mlir-opt` does.
fn show_near_misses(arguments: &Arguments, input: &Input, marker: &str) -> Result<(), Failure> {
    let Some((stem, tail)) = marker
        .len()
        .checked_sub(2)
        .filter(|&len| len > 0)
        .and_then(|len| marker.split_at_checked(len))
    else {
        return Ok(());
    };
    let bytes: &[u8] = input.source()?;
    let options = ParseOptions::for_file(input.name.as_str());
    let text = SourceText {
        options: &options,
        bytes,
    };
    let (mut line, mut counted) = ((0, 0), 0);
    for start in memchr::memmem::find_iter(bytes, stem) {
        let place = start + stem.len();
        if bytes
            .get(place..)
            .unwrap_or_default()
            .starts_with(tail.as_bytes())
        {
            continue;
        }
        let passed = bytes.get(counted..place).unwrap_or_default();
        line.0 += memchr::memchr_iter(b'\n', passed).count();
        line.1 = memchr::memrchr(b'\n', passed).map_or(line.1, |at| counted + at + 1);
        counted = place;
        let message = "near miss with file split marker";
        let warning = text.diagnostic_in_line(line, place, Severity::Warning, message);
        arguments.load.diagnostic_format.show(&[warning]);
    }
    Ok(())
}

fn translate_all(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.show_dialects {
        return show_dialects(arguments);
    }
    let output = Output::new(arguments.output.as_deref());
    let split_marker = arguments.split_marker();
    let numbered = arguments
        .output
        .as_deref()
        .filter(|path| path.contains("%d"));
    if arguments.is_binary() {
        output.check_binary()?;
        if split_marker.is_some() && numbered.is_none() && arguments.mlirbc_version().is_none() {
            return Err(Failure::Usage(
                "with '--split-input-file', rmbc needs an output whose name contains '%d'"
                    .to_owned(),
            ));
        }
    }
    let input = arguments.load.read(&arguments.input)?;
    let pieces = match (input.form(), split_marker) {
        (Form::Text, Some(marker)) => {
            show_near_misses(arguments, &input, marker)?;
            split(input.source()?, marker)
        }
        _ => vec![Piece::WHOLE],
    };
    let mut failures = Vec::new();
    if let (true, Some(_), Some(path)) = (arguments.is_binary(), split_marker, numbered) {
        for (number, piece) in pieces.iter().enumerate() {
            let output = Output::new(Some(&path.replace("%d", &number.to_string())));
            let Some((mut context, module)) =
                take(&mut failures, translate(arguments, &input, piece))?
            else {
                continue;
            };
            let written = arguments.write_binary((&input, piece), &mut context, &module, &output);
            take(&mut failures, written.map(Some))?;
        }
        return Failure::all(failures);
    }
    if let (Some(version), Some(_)) = (arguments.mlirbc_version(), split_marker) {
        return output.write(|out| {
            for (number, piece) in pieces.iter().enumerate() {
                arguments.separate(number, out)?;
                let read = take(&mut failures, translate(arguments, &input, piece))?;
                let Some((mut context, module)) = read else {
                    continue;
                };
                let max_output = arguments.limit.bytes(&input, piece, &context, &module);
                let options = &arguments.mlirbc;
                let written = options.write(
                    &mut context,
                    &module,
                    version,
                    max_output,
                    ProgressCounter::default(),
                    out,
                );
                take(&mut failures, written.map(Some))?;
            }
            Failure::all(failures)
        });
    }
    if arguments.is_binary() {
        let read = take(&mut failures, translate(arguments, &input, &Piece::WHOLE))?;
        if let Some((mut context, module)) = read {
            return arguments.write_binary((&input, &Piece::WHOLE), &mut context, &module, &output);
        }
        // What is bad as it announces leaves an empty file.
        return match failures.is_empty() {
            true => output.write(|_| Ok(())),
            false => Failure::all(failures),
        };
    }
    output.write(|out| {
        for (number, piece) in pieces.iter().enumerate() {
            arguments.separate(number, out)?;
            let Some((context, module)) = take(&mut failures, translate(arguments, &input, piece))?
            else {
                continue;
            };
            let mut options = print_options(arguments);
            options.max_output = arguments.limit.bytes(&input, piece, &context, &module);
            let written = write_text(&context, &module, &options, out);
            take(&mut failures, written.map(Some))?;
        }
        Failure::all(failures)
    })
}

/// Goes on with a piece that was read; a failure is recorded, and the other pieces are still read.
fn take<T>(
    failures: &mut Vec<Failure>,
    read: Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    match read {
        Err(failure) => Failure::keep(failures, failure).map(|()| None),
        other => other,
    }
}

/// Reads a piece of the input, and checks it if that was asked for. None: it is bad as it
/// announces.
fn translate(
    arguments: &Arguments,
    input: &Input,
    piece: &Piece,
) -> Result<Option<(Context, Module)>, Failure> {
    let read = arguments.load.load_with(input, piece, |options| {
        options.keep_names = arguments.keep_names;
        options.implicit_module = !arguments.no_implicit_module;
        options.print_op_on_diagnostic = arguments.op_on_diagnostic;
    });
    let read = read.map(Ir::into_parts);
    if let Some(checked) = arguments.verify_diagnostics {
        let (read, failure) = match read {
            Ok(read) => (Some(read), None),
            Err(failure) => (None, Some(failure)),
        };
        arguments
            .load
            .check_announced(input, piece, failure, checked)?;
        return Ok(read);
    }
    let (mut context, module) = read?;
    if arguments.verify_roundtrip {
        verify_roundtrip(arguments, (input, piece), &context, &module)?;
        if let Some(version) = arguments.mlirbc_version() {
            verify_mlirbc_roundtrip(arguments, (input, piece), &mut context, &module, version)?;
        }
    }
    Ok(Some((context, module)))
}

fn print_options(arguments: &Arguments) -> PrintOptions {
    let mut options = PrintOptions::default();
    options.generic = arguments.generic;
    options.debug_info = arguments.debug_info;
    options.pretty_locations = arguments.pretty_locations;
    options.skip_regions = arguments.skip_regions;
    options.unique_numbers = arguments.unique_numbers;
    options.names_of_locations = arguments.names_of_locations;
    options.value_users = arguments.value_users;
    options.local_scope = arguments.local_scope;
    options.keep_names = arguments.keep_names;
    options.elide_elements_if_larger = arguments.elide_elements;
    options.elide_resources_if_larger = arguments.elide_resources;
    options.hex_if_larger = arguments.hex_if_larger;
    options.threads = arguments.load.threads();
    options
}

/// Writes upstream's bytecode and reads it back: the content must be the same.
fn verify_mlirbc_roundtrip(
    arguments: &Arguments,
    (input, piece): (&Input, &Piece),
    context: &mut Context,
    module: &Module,
    version: Option<u8>,
) -> Result<(), Failure> {
    let fail = |what: String| Failure::Input(format!("{}: error: round trip: {what}", input.name));
    let mut bytes = Vec::new();
    let max_output = arguments.limit.bytes(input, piece, context, module);
    (arguments.mlirbc).write(
        context,
        module,
        version,
        max_output,
        ProgressCounter::default(),
        &mut bytes,
    )?;
    let mut options = arguments.load.read_options(input)?;
    options.producer_release = None;
    let mut other = options.context();
    let read = mlirbc::read_module_from_slice(&mut other, &bytes, &options.mlirbc_options())
        .map_err(|e| fail(e.to_string()))?;
    let options = EqualityOptions { locations: true };
    match semantic_difference(
        (&*context, module, module.top()),
        (&other, &read, read.top()),
        &options,
    ) {
        None => Ok(()),
        Some(difference) => Err(fail(format!("the content differs: {difference}"))),
    }
}

/// Checks that reading the output back yields the same content: bytecode, custom text and
/// generic text.
fn verify_roundtrip(
    arguments: &Arguments,
    (input, piece): (&Input, &Piece),
    context: &Context,
    module: &Module,
) -> Result<(), Failure> {
    let fail = |what: String| Failure::Input(format!("{}: error: round trip: {what}", input.name));
    // Custom text has no location of a terminator that it does not show.
    let same = |form: &str,
                locations,
                (context, module): (&Context, &Module),
                (other, read): (&Context, &Module)| {
        let difference = semantic_difference(
            (context, module, module.top()),
            (other, read, read.top()),
            &EqualityOptions { locations },
        );
        match difference {
            None => Ok(()),
            Some(difference) => Err(fail(format!(
                "the content differs after {form}: {difference}"
            ))),
        }
    };
    let bytes =
        write_module(context, module, &WriteOptions::default()).map_err(|e| fail(e.to_string()))?;
    let mut other = arguments.load.context()?;
    let mut copy = read_module(&mut other, &bytes.into(), &ReadOptions::default())
        .map_err(|e| fail(format!("the bytecode cannot be read: {e}")))?;
    same("bytecode", true, (context, module), (&other, &copy))?;
    for (form, generic) in [("generic text", true), ("custom text", false)] {
        let mut options = print_options(arguments);
        options.debug_info = true;
        options.generic = generic;
        // What is elided cannot be read back.
        options.pretty_locations = false;
        options.skip_regions = false;
        options.elide_elements_if_larger = None;
        options.elide_resources_if_larger = None;
        options.max_output = arguments.limit.bytes(input, piece, context, module);
        let text = |context: &Context, module: &Module| {
            module_to_string(context, module, &options).map_err(|e| fail(e.to_string()))
        };
        let (before, after) = (text(context, module)?, text(&other, &copy)?);
        if before != after {
            let line = before
                .split(|&b| b == b'\n')
                .zip(after.split(|&b| b == b'\n'))
                .position(|(a, b)| a != b);
            return Err(fail(format!(
                "the {form} differs after bytecode at line {}",
                line.map_or(0, |line| line.saturating_add(1))
            )));
        }
        let mut from_text = arguments.load.context()?;
        let name = format!("{} as {form}", input.name);
        let read = arguments.load.parse_printed(&mut from_text, &before, &name);
        let mut read = read.map_err(|errors| {
            let first = errors.first();
            let (line, column) = (first.line, first.column);
            let text = before.split(|&b| b == b'\n').nth(line.saturating_sub(1));
            let text = String::from_utf8_lossy(text.unwrap_or_default()).into_owned();
            fail(format!(
                "the {form} cannot be read: {line}:{column}: {}: {text}",
                first.message
            ))
        })?;
        if !generic {
            // Custom form of functions does not show lists of empty dictionaries.
            copy.remove_empty_argument_attributes(&mut other);
            read.remove_empty_argument_attributes(&mut from_text);
        }
        let expected = match generic {
            true => (context, module),
            false => (&other, &copy),
        };
        same(form, generic, expected, (&from_text, &read))?;
    }
    Ok(())
}
