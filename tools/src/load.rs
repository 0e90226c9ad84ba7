//! Loads modules from input of any kind.

use crate::Failure;
use crate::definitions::Definitions;
use crate::diagnostics::DiagnosticFormat;
use crate::input::{self, Input, Kind};
use crate::lazy;
use clap::Args;
use rmlir::format::{Limits, Threads};
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module, VerifyOptions, verify};
use rmlir::reader::mlirbc;
use rmlir::reader::rmbc::read_module;
use rmlir::text::{Diagnostics, ParseOptions, SourceText, parse_module};

/// The maximum number of threads by default: each takes memory of its own.
const MOST_THREADS: usize = 8;

/// What all programs are told about their input.
#[derive(Args, Clone, Debug, Default)]
pub struct LoadOptions {
    /// Leave attributes where they are written, even if a definition knows them as inherent
    #[arg(long)]
    pub no_normalize: bool,
    /// The release that wrote the mlirbc input, such as llvm-22, if the file does not say it or
    /// says it wrongly
    #[arg(long, value_name = "RELEASE")]
    pub producer_release: Option<Release>,
    /// Let operations, attributes and types pass that their dialect is known not to have
    #[arg(long)]
    pub allow_unknown_ops: bool,
    /// Do not verify what is read
    #[arg(long, alias = "mlir-very-unsafe-disable-verifier-on-parsing")]
    pub no_verify: bool,
    /// How many threads read text and native bytecode, verify, and write them; 0 for as many as the
    /// machine has, up to 8
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Read the input instead of mapping it into memory
    #[arg(long)]
    pub no_mmap: bool,
    /// The most values and other entities that bytecode may make by sharing, in addition to 64 for
    /// each of its bytes [default: 65536]
    #[arg(long, value_name = "N")]
    pub max_entities: Option<u64>,
    /// The most bytes that compressed sections of native bytecode may hold, in addition to 256 for
    /// each byte of the file [default: 67108864]
    #[arg(long, value_name = "BYTES")]
    pub max_decompressed: Option<u64>,
    /// A definition of a dialect, beside the bundled ones; one of the same name takes the place of
    /// theirs. As `rmlir dialect import` takes it: a text, a dump of TableGen's, or MLIR with
    /// 'irdl.dialect'
    #[arg(long, value_name = "FILE")]
    pub dialect: Vec<String>,
    #[arg(skip)]
    pub(crate) definitions: Definitions,
    /// How errors are shown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub diagnostic_format: DiagnosticFormat,
    /// How many errors in a text are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_errors: usize,
}

/// A part of the input that is read separately.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The text; `None` for the whole input.
    text: Option<&'a [u8]>,
    /// The number of lines of the input that precede it, and the number of bytes of its first line
    /// that do.
    lines_before: u32,
    columns_before: u32,
}

impl<'a> Piece<'a> {
    /// Returns its bytes.
    fn bytes<'i>(&self, input: &'i Input) -> Result<&'i [u8], Failure>
    where
        'a: 'i,
    {
        match self.text {
            Some(text) => Ok(text),
            None => Ok(input.source()?),
        }
    }

    /// Returns the number of its bytes.
    pub fn byte_len(&self, input: &Input) -> u64 {
        match self.text {
            Some(text) => text.len() as u64,
            None => input.byte_len(),
        }
    }

    /// The whole input.
    pub const WHOLE: Self = Piece {
        text: None,
        lines_before: 0,
        columns_before: 0,
    };
}

/// Splits text at each `// -----`.
pub fn split(text: &[u8]) -> Vec<Piece<'_>> {
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

impl LoadOptions {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(&self, path: &str) -> Result<Input, Failure> {
        input::read(path, !self.no_mmap)
    }

    /// Returns the number of threads that work on a module. The result does not depend on it.
    pub fn threads(&self) -> Threads {
        match self.threads {
            0 => Threads::new(Threads::available().count().min(MOST_THREADS)),
            count => Threads::new(count),
        }
    }

    /// Returns the limits on the work and memory that bytecode may cause.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_shared_entities = self.max_entities.unwrap_or(limits.max_shared_entities);
        let decompressed = self.max_decompressed;
        limits.max_decompressed_bytes = decompressed.unwrap_or(limits.max_decompressed_bytes);
        limits
    }

    /// Returns a context with all definitions.
    ///
    /// # Errors
    ///
    /// If a definition provided by the user is malformed or cannot be read.
    pub fn context(&self) -> Result<Context, Failure> {
        let mut context = Context::new();
        rmlir::dialects::register_all(&mut context);
        for definition in self.definitions.get(self)? {
            context.register_dialect(definition);
        }
        Ok(context)
    }

    /// Returns the options for parsing a piece of text.
    pub fn parse_options(&self, input: &Input, piece: &Piece<'_>) -> ParseOptions {
        let mut options = ParseOptions::for_file(&input.name);
        options.normalize = !self.no_normalize;
        options.check_properties = !self.no_verify;
        options.check_entries = !self.no_verify && !self.allow_unknown_ops;
        options.lines_before = piece.lines_before;
        options.columns_before = piece.columns_before;
        options.max_errors = self.max_errors;
        options.threads = self.threads().count();
        options
    }

    /// Loads the module in a piece of the input. `keep_names` preserves the names of values and
    /// blocks.
    ///
    /// # Errors
    ///
    /// The errors in the input.
    pub fn load(
        &self,
        input: &Input,
        piece: &Piece<'_>,
        keep_names: bool,
    ) -> Result<(Context, Module), Failure> {
        let mut context = self.context()?;
        let module = match input.kind() {
            Kind::Rmbc => read_module(
                &mut context,
                input.source()?,
                &input.rmbc_options(self.threads(), self.limits()),
            )
            .map_err(|e| Failure::Input(format!("{}: error: {e}", input.name)))?,
            Kind::Mlirbc => {
                let mut options = mlirbc::ReadOptions::default();
                options.normalize = !self.no_normalize;
                options.producer_release = self.producer_release;
                options.limits = self.limits();
                mlirbc::read_module(&mut context, input.source()?, &options)
                    .map_err(|e| lazy::failure(input, &e))?
            }
            Kind::Text => {
                let mut options = self.parse_options(input, piece);
                options.keep_names = keep_names;
                let text = piece.bytes(input)?;
                parse_module(&mut context, text, &options)
                    .map_err(|e| Failure::Diagnostics(e.into_vec()))?
            }
        };
        if !self.no_verify {
            self.verify(input, piece, &mut context, &module)?;
        }
        Ok((context, module))
    }

    /// Parses a text that was printed from a loaded module, with the options of the input of that
    /// name.
    ///
    /// # Errors
    ///
    /// The errors in the text.
    pub fn parse_printed(
        &self,
        context: &mut Context,
        text: &[u8],
        name: &str,
    ) -> Result<Module, Diagnostics> {
        let mut options = ParseOptions::for_file(name);
        options.normalize = !self.no_normalize;
        options.check_properties = !self.no_verify;
        options.check_entries = !self.no_verify && !self.allow_unknown_ops;
        options.threads = self.threads().count();
        parse_module(context, text, &options)
    }

    /// Verifies a module that was read from a piece of the input.
    ///
    /// # Errors
    ///
    /// The violations.
    pub fn verify(
        &self,
        input: &Input,
        piece: &Piece<'_>,
        context: &mut Context,
        module: &Module,
    ) -> Result<(), Failure> {
        let mut options = VerifyOptions::default();
        if !self.allow_unknown_ops {
            context.check_bodies();
        }
        options.limit = self.max_errors;
        options.allow_unknown = self.allow_unknown_ops;
        options.allow_misplaced = self.no_normalize;
        options.threads = self.threads().count();
        let Err(errors) = verify(context, module, module.top(), &options) else {
            return Ok(());
        };
        let parse_options = self.parse_options(input, piece);
        let source = match input.kind() {
            Kind::Text => Some(SourceText {
                options: &parse_options,
                bytes: piece.bytes(input)?,
            }),
            Kind::Rmbc | Kind::Mlirbc => None,
        };
        match Diagnostics::of_verify_errors(context, module, &errors, source) {
            Some(diagnostics) => Err(Failure::Diagnostics(diagnostics.into_vec())),
            None => Ok(()),
        }
    }

    /// Compares the errors that a piece of text announces in comments with `failure`, the result of
    /// reading it.
    ///
    /// # Errors
    ///
    /// The differences, and failures that are not errors in the text.
    pub fn check_announced(
        &self,
        input: &Input,
        piece: &Piece<'_>,
        failure: Option<Failure>,
    ) -> Result<(), Failure> {
        let found = match failure {
            None => Vec::new(),
            Some(Failure::Diagnostics(found)) => found,
            Some(other) => return Err(other),
        };
        let options = self.parse_options(input, piece);
        let source = SourceText {
            options: &options,
            bytes: piece.bytes(input)?,
        };
        let wrong = crate::verify_diagnostics::check(source, &found);
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Failure::Diagnostics(wrong))
        }
    }
}
