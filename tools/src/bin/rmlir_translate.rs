//! `rmlir-translate`: between MLIR as text and as bytecode.

use clap::Parser;
use rmlir::ir::{Context, EqualityOptions, Module, semantic_difference};
use rmlir::reader::mlirbc;
use rmlir::reader::rmbc::{ReadOptions, read_module};
use rmlir::text::{
    ParseOptions, PrintError, PrintOptions, module_to_string, parse_module, print_module,
};
use rmlir::writer::rmbc::{WriteOptions, write_module, write_module_to};
use rmlir_tools::Failure;
use rmlir_tools::input::{self, Input, Kind};
use rmlir_tools::output::Output;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  Print a module in generic form:
    $ rmlir-translate --generic examples/add.mlir
  Store it as bytecode, and read it back:
    $ rmlir-translate --to-bytecode examples/add.mlir -o add.rmbc
    $ rmlir-translate add.rmbc
  Check that a file survives the way through memory and bytecode:
    $ rmlir-translate --verify-roundtrip examples/add.mlir -o checked.mlir

Exit status: 0 if all went well, 1 if the input is bad or can't be read or the output can't be written,
2 if the program is called wrongly.";

/// Translates MLIR between text and bytecode. What the input is, its first bytes tell.
#[derive(Parser)]
#[command(name = "rmlir-translate", version, after_help = EXAMPLES)]
struct Arguments {
    /// The input; `-` is standard input. It must not be changed while the program runs
    #[arg(default_value = "-")]
    input: String,
    /// The output; `-` or nothing is standard output. A file appears whole or not at all
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    /// Write native bytecode instead of text
    #[arg(long)]
    to_bytecode: bool,
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
    /// Print without aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Leave out elements attributes of more elements than this
    #[arg(long = "mlir-elide-elementsattrs-if-larger", value_name = "N")]
    elide_elements: Option<u64>,
    /// Leave out resources whose text is longer than this
    #[arg(long = "mlir-elide-resource-strings-if-larger", value_name = "N")]
    elide_resources: Option<u64>,
    /// Print elements attributes of more elements than this as hex digits
    #[arg(
        long = "mlir-print-elementsattrs-with-hex-if-larger",
        value_name = "N",
        default_value_t = 100
    )]
    hex_if_larger: u64,
    /// Keep the names of values and blocks
    #[arg(long)]
    keep_names: bool,
    /// Leave attributes where they are written, even if a definition knows them as inherent
    #[arg(long)]
    no_normalize: bool,
    /// Split text at each `// -----` and translate each piece. Bytecode then goes to files of their
    /// own: OUTPUT must contain `%d`, which is replaced by the number of the piece, from 0
    #[arg(long)]
    split_input_file: bool,
    /// Take the module through bytecode and back, and say where it differs
    #[arg(long)]
    verify_roundtrip: bool,
    /// Accepted and always on: operations of any dialect can be read
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// The longest text to write, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = PrintOptions::default().max_output)]
    max_output: u64,
    /// Read the input instead of mapping it into memory
    #[arg(long)]
    no_mmap: bool,
}

fn main() -> ExitCode {
    // clap itself exits with status 2 for wrong calls and 0 for `--help`.
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// A part of the input that is translated alone.
struct Piece<'a> {
    /// None for the whole input.
    text: Option<&'a [u8]>,
    /// How many lines of the input come before it, and bytes of its first line.
    lines_before: u32,
    columns_before: u32,
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Output::new(arguments.output.as_deref());
    let numbered = arguments
        .output
        .as_deref()
        .filter(|path| path.contains("%d"));
    if arguments.to_bytecode {
        output.check_binary()?;
        if arguments.split_input_file && numbered.is_none() {
            return Err(Failure::Usage(
                "with '--split-input-file', bytecode needs an output whose name contains '%d'"
                    .to_owned(),
            ));
        }
    }
    let input = input::read(&arguments.input, !arguments.no_mmap)?;
    let pieces = match Kind::of(&input.source) {
        Kind::Text if arguments.split_input_file => split(&input.source),
        _ => vec![Piece {
            text: None,
            lines_before: 0,
            columns_before: 0,
        }],
    };
    if let (true, true, Some(path)) = (arguments.to_bytecode, arguments.split_input_file, numbered)
    {
        let mut failures = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            let output = Output::new(Some(&path.replace("%d", &number.to_string())));
            collect(
                translate(arguments, &input, piece),
                &mut failures,
                |(context, module)| output.write(|out| write_bytecode(&context, &module, out)),
            )?;
        }
        return finish(failures);
    }
    output.write(|out| {
        let mut failures = Vec::new();
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 {
                out.write_all(b"// -----\n")
                    .map_err(|e| Failure::io("writing", &e))?;
            }
            collect(
                translate(arguments, &input, piece),
                &mut failures,
                |(context, module)| {
                    if arguments.to_bytecode {
                        write_bytecode(&context, &module, out)
                    } else {
                        write_text(arguments, &context, &module, out)
                    }
                },
            )?;
        }
        finish(failures)
    })
}

/// Goes on with a piece that was read; bad input is remembered, so that the other pieces are still read.
fn collect<T>(
    read: Result<T, Failure>,
    failures: &mut Vec<String>,
    then: impl FnOnce(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match read.and_then(then) {
        Err(Failure::Input(message)) => {
            failures.push(message);
            Ok(())
        }
        other => other,
    }
}

fn finish(failures: Vec<String>) -> Result<(), Failure> {
    if failures.is_empty() {
        Ok(())
    } else {
        Err(Failure::Input(failures.join("\n")))
    }
}

/// Splits text at each `// -----`.
fn split(text: &[u8]) -> Vec<Piece<'_>> {
    const MARKER: &[u8] = b"// -----";
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut found = memchr::memmem::find_iter(text, MARKER);
    let (mut lines_before, mut columns_before, mut counted) = (0u32, 0u32, 0);
    loop {
        let end = found.next().unwrap_or(text.len());
        let piece = text.get(start..end).unwrap_or_default();
        pieces.push(Piece {
            text: Some(piece),
            lines_before,
            columns_before,
        });
        if end == text.len() {
            return pieces;
        }
        start = end + MARKER.len();
        let passed = text.get(counted..start).unwrap_or_default();
        lines_before += memchr::memchr_iter(b'\n', passed).count() as u32;
        let line_start =
            memchr::memrchr(b'\n', text.get(..start).unwrap_or_default()).map_or(0, |n| n + 1);
        columns_before = (start - line_start) as u32;
        counted = start;
    }
}

/// Reads a piece of the input, and checks it if that was asked for.
fn translate(
    arguments: &Arguments,
    input: &Input,
    piece: &Piece<'_>,
) -> Result<(Context, Module), Failure> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = match Kind::of(&input.source) {
        Kind::Rmbc => read_module(&mut context, &input.source, &ReadOptions::default())
            .map_err(|e| Failure::Input(format!("{}: error: {e}", input.name)))?,
        Kind::Mlirbc => {
            mlirbc::read_module(&mut context, &input.source, &mlirbc::ReadOptions::default())
                .map_err(|e| Failure::Input(format!("{}: error: {e}", input.name)))?
        }
        Kind::Text => {
            let mut options = ParseOptions::for_file(&input.name);
            options.keep_names = arguments.keep_names;
            options.normalize = !arguments.no_normalize;
            options.lines_before = piece.lines_before;
            options.columns_before = piece.columns_before;
            let text = piece.text.unwrap_or(&input.source);
            parse_module(&mut context, text, &options).map_err(|e| Failure::Input(e.to_string()))?
        }
    };
    if arguments.verify_roundtrip {
        verify_roundtrip(arguments, input, &context, &module)?;
    }
    Ok((context, module))
}

fn write_bytecode(context: &Context, module: &Module, out: &mut dyn Write) -> Result<(), Failure> {
    write_module_to(context, module, &WriteOptions::default(), out).map_err(|e| match e.io_kind() {
        Some(std::io::ErrorKind::BrokenPipe) => Failure::BrokenPipe,
        _ => Failure::Input(format!("error: {e}")),
    })
}

fn write_text(
    arguments: &Arguments,
    context: &Context,
    module: &Module,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let written = print_module(context, module, &print_options(arguments), out);
    // Like `mlir-opt`, an empty line ends a module, but not with local scope.
    let end: &[u8] = if arguments.local_scope { b"" } else { b"\n" };
    written
        .and_then(|()| out.write_all(end).map_err(PrintError::from))
        .map_err(|e| match e {
            PrintError::Io(e) => Failure::io("writing", &e),
            e => Failure::Input(format!("error: {e}")),
        })
}

fn print_options(arguments: &Arguments) -> PrintOptions {
    let mut options = PrintOptions::default();
    options.generic = arguments.generic;
    options.debug_info = arguments.debug_info;
    options.local_scope = arguments.local_scope;
    options.keep_names = arguments.keep_names;
    options.elide_elements_if_larger = arguments.elide_elements;
    options.elide_resources_if_larger = arguments.elide_resources;
    options.hex_if_larger = arguments.hex_if_larger;
    options.max_output = arguments.max_output;
    options
}

/// Memory, bytecode, memory, text: the content must be the same, and the text too.
fn verify_roundtrip(
    arguments: &Arguments,
    input: &Input,
    context: &Context,
    module: &Module,
) -> Result<(), Failure> {
    let fail = |what: String| Failure::Input(format!("{}: error: round trip: {what}", input.name));
    let bytes =
        write_module(context, module, &WriteOptions::default()).map_err(|e| fail(e.to_string()))?;
    let mut other = Context::new();
    rmlir::dialects::register_all(&mut other);
    let read = read_module(&mut other, &bytes.into(), &ReadOptions::default())
        .map_err(|e| fail(e.to_string()))?;
    let options = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference(
        (context, module, module.top()),
        (&other, &read, read.top()),
        options,
    ) {
        return Err(fail(format!("the content differs: {difference}")));
    }
    let mut options = print_options(arguments);
    options.debug_info = true;
    let text = |context: &Context, module: &Module| {
        module_to_string(context, module, &options).map_err(|e| fail(e.to_string()))
    };
    let (before, after) = (text(context, module)?, text(&other, &read)?);
    if before != after {
        let line = before
            .split(|&b| b == b'\n')
            .zip(after.split(|&b| b == b'\n'))
            .position(|(a, b)| a != b);
        return Err(fail(format!(
            "the text differs at line {}",
            line.map_or(0, |l| l + 1)
        )));
    }
    Ok(())
}
