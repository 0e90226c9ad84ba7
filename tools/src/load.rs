//! Loads modules from input of any kind.

use crate::Failure;
use crate::definitions::Definitions;
use crate::diagnostics::DiagnosticFormat;
use crate::input::{self, Input};
use crate::limits::LimitOptions;
use crate::progress::Progress;
use crate::verify_diagnostics::Checked;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use rmlir::embedded::{self, Select};
use rmlir::format::{ProgressCounter, Threads};
use rmlir::ir::definition::Release;
use rmlir::ir::{Context, Module};
use rmlir::text::{Diagnostics, Edition, ParseOptions, SourceText, parse_module};
use rmlir::{Form, Ir, ReadOptions, Source};
use std::borrow::Cow;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of threads by default: each takes memory of its own.
const MOST_THREADS: usize = 8;

/// The options of all programs for their input.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = HEADING)]
pub struct LoadOptions {
    /// Keep attributes as written, even if a definition declares them inherent
    #[arg(long, hide_short_help = true)]
    pub no_normalize: bool,
    /// The release that wrote the mlirbc input, such as llvm-22, if the file does not specify it
    /// correctly
    #[arg(long, value_name = "RELEASE", hide_short_help = true)]
    pub producer_release: Option<Release>,
    /// The release whose definitions apply, llvm-22 unless it is given: text is read and printed in
    /// its syntax (llvm-19 to llvm-24), and modules are verified by its rules; that of mlirbc
    /// output is '--target'
    #[arg(long, value_name = "RELEASE", hide_short_help = true)]
    pub release: Option<Release>,
    /// The edition of the language that text input is in: 2018, 2021, 2022 or current
    ///
    /// Text of an older edition is converted to today's operations.
    #[arg(long, value_name = "EDITION", default_value_t, hide_short_help = true)]
    pub edition: Edition,
    /// Accept operations, attributes and types that a complete dialect definition does not declare
    #[arg(long, hide_short_help = true)]
    pub allow_unknown_ops: bool,
    /// Whether the module is not verified; [`Loading`] sets it.
    #[arg(skip)]
    pub no_verify: bool,
    /// The number of threads; 0 for that of the machine, at most 8
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    pub threads: usize,
    /// Read the input instead of mapping it into memory
    #[arg(long, hide_short_help = true)]
    pub no_mmap: bool,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// In a file that holds several modules, the one with this index; see 'rmlir unwrap --list'
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "module",
        hide_short_help = true
    )]
    pub index: Option<usize>,
    /// In a file that holds several modules, the one in the section or field of this name, or with
    /// this name
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub module: Option<String>,
    /// A file with a dialect definition; may be repeated
    ///
    /// The file is the text of a definition, a TableGen dump or MLIR with 'irdl.dialect', as 'rmlir
    /// dialect import' takes it. It replaces a bundled definition of the same name.
    #[arg(long, visible_alias = "irdl-file", value_name = "FILE")]
    pub dialect: Vec<String>,
    #[arg(skip)]
    pub(crate) definitions: Definitions,
    /// Whether options for one form of input were checked for all inputs together; see
    /// [`check_forms`](Self::check_forms).
    #[arg(skip)]
    pub(crate) has_checked_forms: Arc<AtomicBool>,
    /// The format of error messages
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "auto",
        hide_short_help = true
    )]
    pub diagnostic_format: DiagnosticFormat,
    /// Whether the progress of reading is shown, which is that of a single file; set by
    /// [`for_files`](Self::for_files).
    #[arg(skip)]
    pub(crate) shows_progress: bool,
    /// Counts what is read.
    #[arg(skip)]
    pub(crate) progress: ProgressCounter,
    /// The maximum number of errors to report
    #[arg(long, value_name = "N", default_value_t = 20, hide_short_help = true)]
    pub max_errors: usize,
}

/// The heading of the options of reading in a help.
const HEADING: &str = "Reading";

/// The module is not verified, and no option asks for it.
pub const NEVER: u8 = 0;
/// The module is verified, unless an option disables that.
pub const BY_DEFAULT: u8 = 1;
/// The module is verified.
pub const ALWAYS: u8 = 2;

/// [`LoadOptions`] of a command that looks at modules ([`NEVER`]), that makes something of them
/// ([`BY_DEFAULT`]), or that verifies them ([`ALWAYS`]).
#[derive(Clone, Debug)]
pub struct Loading<const VERIFIES: u8>(LoadOptions);

/// The options of a command that looks at modules, which need not be valid for that.
pub type Inspecting = Loading<NEVER>;
/// The options of a command that verifies what it reads by default.
pub type Verifying = Loading<BY_DEFAULT>;

impl<const VERIFIES: u8> Deref for Loading<VERIFIES> {
    type Target = LoadOptions;

    fn deref(&self) -> &LoadOptions {
        &self.0
    }
}

impl<const VERIFIES: u8> FromArgMatches for Loading<VERIFIES> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut load = LoadOptions::from_arg_matches(matches)?;
        load.no_verify = match VERIFIES {
            BY_DEFAULT => matches.get_flag("no_verify"),
            verifies => verifies == NEVER,
        };
        Ok(Loading(load))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<const VERIFIES: u8> Args for Loading<VERIFIES> {
    fn augment_args(command: Command) -> Command {
        let command = match VERIFIES {
            BY_DEFAULT => command.arg(
                Arg::new("no_verify")
                    .long("no-verify")
                    .alias("mlir-very-unsafe-disable-verifier-on-parsing")
                    .action(ArgAction::SetTrue)
                    .help_heading(HEADING)
                    .help("Do not verify the input"),
            ),
            _ => command,
        };
        LoadOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A part of the input that is read alone.
#[derive(Clone, Debug)]
pub struct Piece {
    /// None for the whole input.
    text: Option<Source>,
    /// How many lines of the input come before it, and bytes of its first line.
    lines_before: u32,
    columns_before: u32,
}

impl Piece {
    /// Its bytes.
    fn source<'i>(&'i self, input: &'i Input) -> Result<&'i Source, Failure> {
        match &self.text {
            Some(text) => Ok(text),
            None => input.source(),
        }
    }

    /// Returns the number of its bytes.
    pub fn byte_len(&self, input: &Input) -> u64 {
        match &self.text {
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

/// The text at which input is split by default.
pub const SPLIT_MARKER: &str = "// -----";

/// Splits text at each `marker`, which is not empty.
pub fn split(text: &Source, marker: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut found = memchr::memmem::find_iter(text, marker);
    let (mut lines_before, mut columns_before, mut counted) = (0u32, 0u32, 0);
    loop {
        let end = found.next().unwrap_or(text.len());
        pieces.push(Piece {
            text: Some(text.slice(start as u64..end as u64).unwrap_or_default()),
            lines_before,
            columns_before,
        });
        if end == text.len() {
            return pieces;
        }
        start = end + marker.len();
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
        self.read_among(path, 1)
    }

    /// Reads one of `count` inputs, as [`read`](Self::read) does. A selection of modules in files
    /// that hold several does not apply to plain modules beside them.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read_among(&self, path: &str, count: usize) -> Result<Input, Failure> {
        let input = self.open_input(path, count)?;
        if !self.has_checked_forms.load(Ordering::Relaxed) {
            let form = input.form();
            let found = || format!("'{}' is {}", input.name, form.name());
            self.check_form_options(&[form], found)?;
        }
        Ok(input)
    }

    /// Checks that the options for one form of input have an effect on one of several inputs.
    /// Without this call, [`read`](Self::read) checks each input. Reads inputs only if there are
    /// such options, and as far as needed.
    ///
    /// # Errors
    ///
    /// If there is an option without effect.
    pub fn check_forms(&self, paths: &[impl AsRef<str>]) -> Result<(), Failure> {
        self.has_checked_forms.store(true, Ordering::Relaxed);
        let mut forms = Vec::new();
        let none = || format!("none of the {} inputs is", paths.len());
        for path in paths {
            if self.check_form_options(&forms, none).is_ok() {
                return Ok(());
            }
            // Standard input can be read once. The error of another input is reported when it is
            // read.
            match path.as_ref() {
                "-" => return Ok(()),
                path => match self.open_input(path, paths.len()) {
                    Ok(input) if forms.contains(&input.form()) => {}
                    Ok(input) => forms.push(input.form()),
                    Err(_) => return Ok(()),
                },
            }
        }
        self.check_form_options(&forms, none)
    }

    /// Checks that the options for one form of input have an effect on inputs of these forms.
    fn check_form_options(
        &self,
        forms: &[Form],
        found: impl Fn() -> String,
    ) -> Result<(), Failure> {
        let edition = (self.edition != Edition::default()).then_some(("edition", Form::Text));
        let release = self.producer_release.as_ref();
        let release = release.map(|_| ("producer-release", Form::Mlirbc));
        for (option, form) in edition.into_iter().chain(release) {
            if forms.contains(&form) {
                continue;
            }
            let (form, found) = (form.name(), found());
            let message = format!("'--{option}' has an effect on {form} only, and {found}");
            return Err(Failure::Usage(message));
        }
        Ok(())
    }

    /// Reads one of `count` inputs, of any form.
    fn open_input(&self, path: &str, count: usize) -> Result<Input, Failure> {
        let mut options = self.search_options();
        if Path::new(path).is_dir() {
            return Input::of_folder(path, &options);
        }
        let input = input::read(path, !self.no_mmap)?;
        let input = input.decompressed(&self.limits.of_bytecode())?;
        if count > 1 && options.select.is_some() && !embedded::is_wrapped(input.source()?) {
            options.select = None;
        }
        input.unwrapped(&options)?.expect_mlir()
    }

    /// Returns the number of threads that work on a module. The result does not depend on it.
    pub fn threads(&self) -> Threads {
        match self.threads {
            0 => Threads::new(Threads::available().count().min(MOST_THREADS)),
            count => Threads::new(count),
        }
    }

    /// Returns the options with which each of several files is read, and the number of threads that
    /// read files. A single file is read on all threads, and all its errors are reported.
    pub fn for_files(&self, count: usize) -> (Self, Threads) {
        let mut each = self.clone();
        each.shows_progress = count == 1;
        if count > 1 {
            each.threads = 1;
            // The others are most often consequences, and there are other files to report.
            each.max_errors = 1;
        }
        (each, self.threads())
    }

    /// Shows the progress of reading an input, if it is the only one, until the second result is
    /// dropped. The first result are the options for reading it.
    pub fn watched(&self, input: &Input) -> (Cow<'_, Self>, Option<Progress>) {
        if !self.shows_progress {
            return (Cow::Borrowed(self), None);
        }
        let progress = Progress::reading(&input.name, input.byte_len());
        let mut load = self.clone();
        load.progress = progress.counter();
        (Cow::Owned(load), Some(progress))
    }

    /// How modules of an input are read.
    ///
    /// # Errors
    ///
    /// If a definition that the user has named is malformed or can't be read.
    pub fn read_options(&self, input: &Input) -> Result<ReadOptions, Failure> {
        let mut options = self.options_without_definitions(&input.name);
        // The modules in an input were searched when it was opened.
        options.find_embedded = input.is_positioned();
        options.dialects = self.definitions.get(self)?;
        Ok(options)
    }

    /// How many files are read: [`ReadOptions::for_path`] adds what depends on the file.
    ///
    /// # Errors
    ///
    /// Those of [`read_options`](Self::read_options).
    #[cfg(feature = "tables")]
    pub(crate) fn options_of_all(&self) -> Result<ReadOptions, Failure> {
        let mut options = self.with_flags(ReadOptions::default());
        options.dialects = self.definitions.get(self)?;
        Ok(options)
    }

    /// Returns whether one of several modules is selected.
    pub fn selects_module(&self) -> bool {
        self.index.is_some() || self.module.is_some()
    }

    /// How modules are searched in an input that wraps them.
    pub fn search_options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        options.limits = self.limits.of_bytecode();
        let index = self.index.map(Select::Index);
        options.select = index.or(self.module.clone().map(Select::Section));
        options
    }

    /// How modules are read by the definitions that a context has.
    pub(crate) fn options_without_definitions(&self, name: &str) -> ReadOptions {
        self.with_flags(ReadOptions::default().for_path(name.as_ref()))
    }

    fn with_flags(&self, mut options: ReadOptions) -> ReadOptions {
        options.verify = !self.no_verify;
        options.check_text = !self.no_verify;
        options.edition = self.edition;
        options.normalize = !self.no_normalize;
        options.allow_unknown = self.allow_unknown_ops;
        options.producer_release = self.producer_release;
        options.release = self.release;
        options.max_errors = self.max_errors;
        options.threads = self.threads();
        options.progress = self.progress.clone();
        options.limits = self.limits.of_bytecode();
        options.max_text_expansion = self
            .limits
            .max_expansion
            .unwrap_or(options.max_text_expansion);
        options
    }

    /// A context with all definitions.
    ///
    /// # Errors
    ///
    /// If a definition provided by the user is malformed or cannot be read.
    pub fn context(&self) -> Result<Context, Failure> {
        let mut options = ReadOptions::default();
        options.dialects = self.definitions.get(self)?;
        options.release = self.release;
        Ok(options.context())
    }

    /// Opens an input of bytecode, of which parts can be read; `None` for text.
    ///
    /// # Errors
    ///
    /// Those of [`read_options`](Self::read_options), and if the input is damaged so that it cannot
    /// be opened.
    pub fn open(&self, input: &Input) -> Result<Option<rmlir::File>, Failure> {
        input.open(&self.read_options(input)?)
    }

    /// Loads the module in a piece of the input. `keep_names` preserves the names of values and
    /// blocks.
    ///
    /// # Errors
    ///
    /// The errors in the input.
    pub fn load(&self, input: &Input, piece: &Piece, keep_names: bool) -> Result<Ir, Failure> {
        self.load_with(input, piece, |options| options.keep_names = keep_names)
    }

    /// Loads the module in a piece of the input, with options that `change` modifies.
    ///
    /// # Errors
    ///
    /// The errors in the input.
    pub fn load_with(
        &self,
        input: &Input,
        piece: &Piece,
        change: impl FnOnce(&mut ReadOptions),
    ) -> Result<Ir, Failure> {
        let mut options = self.read_options(input)?;
        change(&mut options);
        options.lines_before = piece.lines_before;
        options.columns_before = piece.columns_before;
        rmlir::read_with(piece.source(input)?.clone(), &options)
            .map_err(|error| input.failure(error))
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
        let mut options = self.options_without_definitions(name).parse_options();
        // Printed text is a single operation.
        options.implicit_module = false;
        parse_module(context, text, &options)
    }

    /// Compares the errors that a piece of text announces in comments with `failure`, what reading
    /// it gave. `checked` selects the messages to compare.
    ///
    /// # Errors
    ///
    /// The differences, and failures that are not errors in the text.
    pub fn check_announced(
        &self,
        input: &Input,
        piece: &Piece,
        failure: Option<Failure>,
        checked: Checked,
    ) -> Result<(), Failure> {
        let found = match failure {
            None => Vec::new(),
            Some(Failure::Diagnostics(found)) => found,
            Some(other) => return Err(other),
        };
        let mut options = ParseOptions::for_file(&input.name);
        options.lines_before = piece.lines_before;
        options.columns_before = piece.columns_before;
        let source = SourceText {
            options: &options,
            bytes: piece.source(input)?,
        };
        let wrong = crate::verify_diagnostics::check(source, &found, checked);
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Failure::Diagnostics(wrong))
        }
    }
}
