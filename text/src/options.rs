//! Options for parsing text.

use crate::edition::Edition;
use rmlir_ir::{ProgressCounter, Threads};
use rmlir_limits::DEFAULT_MAX_TEXT_EXPANSION;

/// Options for parsing text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The file's name, shown in errors and in the locations of operations.
    pub file_name: String,
    /// The edition of the language that the text is in; by default the current one.
    ///
    /// A text of an older edition becomes a module of the current one. A construct without an
    /// equivalent is an error. A text of an older edition is parsed on one thread.
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{Edition, ParseOptions, parse_module};
    ///
    /// let text = b"!pair = type tuple<i32, i32>\n\"test.op\"() {size: 2 : i32} : () -> !pair";
    /// let mut options = ParseOptions::for_file("old.mlir");
    /// let mut context = Context::new();
    /// assert!(parse_module(&mut context, text, &options).is_err());
    /// options.edition = Edition::V2018;
    /// parse_module(&mut context, text, &options)?;
    /// # Ok::<(), rmlir_text::Diagnostics>(())
    /// ```
    pub edition: Edition,
    /// Add a `builtin.module` around the operations of a text, unless the text is a single module.
    ///
    /// Otherwise the text must have a single top-level operation, which becomes the top of the
    /// module, as with upstream's `--no-implicit-module`. On by default.
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut options = ParseOptions::default();
    /// options.implicit_module = false;
    /// let mut context = Context::new();
    /// let module = parse_module(&mut context, b"\"test.op\"() : () -> ()", &options)?;
    /// let text = module_to_string(&context, &module, &PrintOptions::default())?;
    /// assert_eq!(text, b"\"test.op\"() : () -> ()\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub implicit_module: bool,
    /// Keep the names of values and blocks in the module's provenance.
    pub keep_names: bool,
    /// Convert operations with a known definition to the form that the definition requires.
    ///
    /// Inherent attributes become properties, wherever the text has them, and absent ones get their
    /// defaults; see [`Normalizer`](rmlir_ir::Normalizer). On by default.
    pub normalize: bool,
    /// With [`normalize`](Self::normalize), refuse inherent attributes that an operation cannot
    /// hold.
    ///
    /// Upstream's parser does the same. On by default. The verifier refuses them too; turn this
    /// option off to read input that need not pass verification.
    pub check_properties: bool,
    /// With [`normalize`](Self::normalize), refuse attributes and types of dialects that do not
    /// match their definition.
    ///
    /// Upstream's parser does the same. Attributes and types of projects other than the release's
    /// may be of other versions, and are kept as spelled. If off, all mismatching ones are kept as
    /// spelled. On by default.
    pub check_entries: bool,
    /// The number of lines that precede the text in its file, for errors and locations of
    /// operations.
    pub lines_before: u32,
    /// The number of bytes that precede the text in its first line.
    pub columns_before: u32,
    /// The number of errors after which the parser gives up; 20 by default.
    ///
    /// With 1 it stops at the first error; otherwise it continues at the next operation.
    pub max_errors: usize,
    /// Expansion budget: the maximum number of units created through sharing; 2^24 by default.
    ///
    /// The budget is in addition to one unit per byte of the text. It limits what a text creates by
    /// spelling something once and referring to it repeatedly. A unit is
    ///
    /// - a result of an operation whose function type is an alias,
    /// - a location in a fused location that is nested in another,
    /// - a quarter of a step in simplifying an affine expression, after the first step,
    /// - 64 dimensions of the type of a literal,
    /// - an element of a default of an attribute's or type's parameter,
    /// - 4 bytes of the expansion of an alias in the body of an attribute or type of a dialect,
    ///   where it is spelled out,
    /// - a byte of an integer beyond 128 for each byte of its digits.
    ///
    /// The default bounds memory to some 1 GiB beyond what the text spells out.
    pub max_shared_entities: u64,
    /// The number of threads on which a large text is parsed; one by default.
    ///
    /// The result is the same, and so are errors. Additional threads help where many operations
    /// follow each other with each at the beginning of a line, as they are printed. They parse into
    /// memory of their own, which then becomes part of the module.
    pub threads: Threads,
    /// The minimum number of bytes of text for each additional thread; 2^18 by default.
    ///
    /// If this is less than a thread parses in a millisecond, starting the thread costs more time
    /// than it saves.
    pub bytes_per_thread: usize,
    /// Counts parsed bytes of the text; by default nothing is counted.
    ///
    /// ```
    /// use rmlir_ir::{Context, ProgressCounter};
    /// use rmlir_text::{ParseOptions, parse_module};
    ///
    /// let mut options = ParseOptions::default();
    /// options.progress = ProgressCounter::new();
    /// let text = b"\"test.op\"() : () -> ()";
    /// parse_module(&mut Context::new(), text, &options)?;
    /// assert_eq!(options.progress.count(), text.len() as u64);
    /// # Ok::<(), rmlir_text::Diagnostics>(())
    /// ```
    pub progress: ProgressCounter,
    /// The number of bytes that [`visit_top_level`](crate::visit_top_level) reads at once, unless
    /// an operation is longer. Default: 4 MiB.
    pub bytes_per_window: u64,
}

/// The default of [`ParseOptions::bytes_per_window`].
const DEFAULT_BYTES_PER_WINDOW: u64 = 4 << 20;

/// The default of [`ParseOptions::bytes_per_thread`].
const DEFAULT_BYTES_PER_THREAD: usize = 1 << 18;

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            file_name: "<stdin>".to_owned(),
            edition: Edition::Current,
            implicit_module: true,
            keep_names: false,
            normalize: true,
            check_properties: true,
            check_entries: true,
            lines_before: 0,
            columns_before: 0,
            max_errors: 20,
            max_shared_entities: DEFAULT_MAX_TEXT_EXPANSION,
            threads: Threads::ONE,
            bytes_per_thread: DEFAULT_BYTES_PER_THREAD,
            progress: ProgressCounter::default(),
            bytes_per_window: DEFAULT_BYTES_PER_WINDOW,
        }
    }
}

impl ParseOptions {
    /// Returns the default options, for a file of the given name.
    pub fn for_file(name: impl Into<String>) -> Self {
        ParseOptions {
            file_name: name.into(),
            ..ParseOptions::default()
        }
    }
}
