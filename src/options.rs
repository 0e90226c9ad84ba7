//! The options of reading and writing, common to all formats.

use crate::format::{ProgressCounter, Threads};
use crate::ir::definition::Release;
use crate::ir::{Context, DialectDefinition, VerifyOptions};
use crate::text::{Edition, ParseOptions, PrintOptions};
use crate::{Form, Limits, mlirbc, rmbc};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a module is read, whatever its form.
///
/// ```
/// use rmlir::{ReadOptions, parse_with};
///
/// let mut options = ReadOptions::default();
/// options.verify = true;
/// options.file_name = "input.mlir".to_owned();
/// let error = parse_with("func.func @f() -> i32 { return }", &options).unwrap_err();
/// assert!(error.is_invalid() || error.is_syntax());
/// assert!(error.to_string().starts_with("input.mlir:1:"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The name of a text in diagnostics and in the locations of its operations. `open` sets it to
    /// the path. Default: `-`.
    pub file_name: String,
    /// Dialect definitions in addition to the bundled ones. One of a bundled dialect's name
    /// replaces it.
    pub dialects: Vec<Arc<DialectDefinition>>,
    /// Verify the module after reading; see [`Ir::verify`](crate::Ir::verify). Default: false.
    pub verify: bool,
    /// Add a note with the operation, in generic form, to each error of the verifier. Default:
    /// false.
    #[doc(alias = "printOpOnDiagnostic")]
    pub print_op_on_diagnostic: bool,
    /// Bring operations into the form that their definitions ask for: inherent attributes are
    /// properties and have their defaults. Default: true.
    pub normalize: bool,
    /// Accept operations, attributes and types that a complete dialect definition does not declare.
    /// Default: false.
    pub allow_unknown: bool,
    /// Refuse inherent attributes, attributes and types in a text that contradict their
    /// definitions, as upstream's parser does; with [`allow_unknown`](Self::allow_unknown),
    /// inherent attributes alone. Turn it off to read a text that need not verify. Default: true.
    pub check_text: bool,
    /// The edition of the language that a text is in; see [`ParseOptions::edition`]. Default: the
    /// current one.
    ///
    /// ```
    /// use rmlir::ReadOptions;
    /// use rmlir::text::Edition;
    ///
    /// let mut options = ReadOptions::default();
    /// options.edition = Edition::V2018;
    /// let ir = rmlir::parse_with("func @f(%x: i32) -> i32 { return %x : i32 }", &options)?;
    /// assert!(ir.to_string().contains("func.func @f(%arg0: i32)"));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub edition: Edition,
    /// Add a `builtin.module` around the operations of a text; see
    /// [`ParseOptions::implicit_module`]. Default: true.
    pub implicit_module: bool,
    /// Keep the names of values and blocks of a text. Default: false.
    pub keep_names: bool,
    /// The number of lines that precede a text in its file, for diagnostics and locations.
    /// Default: 0.
    pub lines_before: u32,
    /// The number of bytes that precede a text in its first line. Default: 0.
    pub columns_before: u32,
    /// The release that wrote upstream bytecode, if the file does not record it or records a wrong
    /// one.
    pub producer_release: Option<Release>,
    /// The release whose definitions apply: text is read and printed by its formats, and modules
    /// are verified by its rules. See [`Context::set_release`]. Default: [`Release::default`].
    ///
    /// ```
    /// use rmlir::ReadOptions;
    ///
    /// // LLVM 24 compares the bounds of a parallel loop without signs on request.
    /// let text = "func.func @f(%a: index) {
    ///   scf.parallel unsigned (%i) = (%a) to (%a) step (%a) { scf.reduce }
    ///   return
    /// }";
    /// let mut options = ReadOptions::default();
    /// options.release = Some("llvm-24".parse()?);
    /// let ir = rmlir::parse_with(text, &options)?;
    /// assert!(ir.to_string().contains("scf.parallel unsigned (%arg1) ="));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub release: Option<Release>,
    /// The number of errors in a text after which parsing stops, and of errors in a module after
    /// which verification stops. Default: 20.
    pub max_errors: usize,
    /// The number of threads that read and verify. The result does not depend on it. Default: one.
    pub threads: Threads,
    /// Bounds on the work and memory that bytecode may cause.
    pub limits: Limits,
    /// The expansion budget of a text; see [`ParseOptions::max_shared_entities`].
    pub max_text_expansion: u64,
    /// Selects the module to read from a file that holds several; see
    /// [`embedded`](crate::embedded). Default: the only one that is not nested in another.
    #[cfg(feature = "embed")]
    pub select: Option<crate::embedded::Select>,
    /// Whether modules are looked for in files of other formats; see
    /// [`embedded`](crate::embedded). Default: true. Without, such files are errors.
    #[cfg(feature = "embed")]
    pub find_embedded: bool,
    /// The directory of blobs that native bytecode stores in files of their own. `open` sets it to
    /// the directory of the file. Without it, such blobs are an error.
    pub blob_directory: Option<PathBuf>,
    /// Counts bytes of the input that were read, to display the progress; by default nothing is
    /// counted. Verification is not counted.
    ///
    /// ```
    /// use rmlir::ReadOptions;
    /// use rmlir::format::ProgressCounter;
    ///
    /// let mut options = ReadOptions::default();
    /// options.progress = ProgressCounter::new();
    /// let text = "func.func private @f()";
    /// rmlir::parse_with(text, &options)?;
    /// assert_eq!(options.progress.count(), text.len() as u64);
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub progress: ProgressCounter,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            file_name: "-".to_owned(),
            dialects: Vec::new(),
            verify: false,
            print_op_on_diagnostic: false,
            normalize: true,
            allow_unknown: false,
            check_text: true,
            edition: Edition::Current,
            implicit_module: true,
            keep_names: false,
            lines_before: 0,
            columns_before: 0,
            producer_release: None,
            release: None,
            max_errors: 20,
            threads: Threads::ONE,
            limits: Limits::default(),
            max_text_expansion: ParseOptions::default().max_shared_entities,
            #[cfg(feature = "embed")]
            select: None,
            #[cfg(feature = "embed")]
            find_embedded: true,
            blob_directory: None,
            progress: ProgressCounter::default(),
        }
    }
}

impl ReadOptions {
    /// Returns the options for a module that was found in a file.
    #[cfg(feature = "embed")]
    pub(crate) fn of_found(&self) -> Self {
        let mut options = self.clone();
        options.select = None;
        options.find_embedded = false;
        options
    }

    /// Returns a context with the bundled dialects and [`dialects`](Self::dialects), whose release
    /// is [`release`](Self::release). O(dialects): bundled definitions are loaded when they are
    /// first met.
    ///
    /// ```
    /// let context = rmlir::ReadOptions::default().context();
    /// assert!(context.dialect(b"arith").is_some());
    /// ```
    pub fn context(&self) -> Context {
        let mut context = Context::new();
        if let Some(release) = self.release {
            context.set_release(release);
        }
        crate::dialects::register_all(&mut context);
        for definition in &self.dialects {
            context.register_dialect(Arc::clone(definition));
        }
        context
    }

    /// Returns these options with the name of a file, and with its directory as that of blobs
    /// unless one is set. `open` does this.
    ///
    /// ```
    /// let options = rmlir::ReadOptions::default().for_path("a.mlir".as_ref());
    /// assert_eq!(options.file_name, "a.mlir");
    /// ```
    pub fn for_path(&self, path: &Path) -> Self {
        let mut options = self.clone();
        options.file_name = path.display().to_string();
        if options.blob_directory.is_none() {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            options.blob_directory = Some(folder.unwrap_or(Path::new(".")).to_owned());
        }
        options
    }

    /// Returns these options as the parser takes them.
    ///
    /// ```
    /// let mut options = rmlir::ReadOptions::default();
    /// options.file_name = "a.mlir".to_owned();
    /// assert_eq!(options.parse_options().file_name, "a.mlir");
    /// ```
    pub fn parse_options(&self) -> ParseOptions {
        let mut options = ParseOptions::for_file(&self.file_name);
        options.edition = self.edition;
        options.implicit_module = self.implicit_module;
        options.keep_names = self.keep_names;
        options.normalize = self.normalize;
        options.check_properties = self.check_text;
        options.check_entries = self.check_text && !self.allow_unknown;
        options.lines_before = self.lines_before;
        options.columns_before = self.columns_before;
        options.max_errors = self.max_errors;
        options.max_shared_entities = self.max_text_expansion;
        options.threads = self.threads;
        options.progress = self.progress.clone();
        options
    }

    /// Returns these options as the verifier takes them.
    ///
    /// ```
    /// let mut options = rmlir::ReadOptions::default();
    /// options.allow_unknown = true;
    /// assert!(options.verify_options().allow_unknown);
    /// ```
    pub fn verify_options(&self) -> VerifyOptions {
        let mut options = VerifyOptions::default();
        options.limit = self.max_errors;
        options.allow_unknown = self.allow_unknown;
        options.allow_misplaced = !self.normalize;
        options.print_op_on_diagnostic = self.print_op_on_diagnostic;
        options.threads = self.threads;
        options
    }

    /// Returns these options as the reader of native bytecode takes them.
    ///
    /// ```
    /// let mut options = rmlir::ReadOptions::default();
    /// options.threads = rmlir::Threads::new(2);
    /// assert_eq!(options.rmbc_options().threads.count(), 2);
    /// ```
    pub fn rmbc_options(&self) -> rmbc::ReadOptions {
        let mut options = rmbc::ReadOptions::default();
        options.limits = self.limits.clone();
        options.threads = self.threads;
        options.external = self.blob_directory.as_ref().map(rmbc::Resolver::directory);
        options.progress = self.progress.clone();
        options
    }

    /// Returns these options as the reader of upstream's bytecode takes them.
    ///
    /// ```
    /// let mut options = rmlir::ReadOptions::default();
    /// options.normalize = false;
    /// assert!(!options.mlirbc_options().normalize);
    /// ```
    pub fn mlirbc_options(&self) -> mlirbc::ReadOptions {
        let mut options = mlirbc::ReadOptions::default();
        options.limits = self.limits.clone();
        options.producer_release = self.producer_release;
        options.normalize = self.normalize;
        options.progress = self.progress.clone();
        options
    }
}

/// How a module is written: the form, and the options of each form.
///
/// ```
/// use rmlir::{Form, WriteOptions};
///
/// let ir = rmlir::parse("func.func private @f()")?;
/// let mut options = WriteOptions::default();
/// options.text.generic = true;
/// let text = ir.to_text(&options)?;
/// assert!(text.starts_with("\"builtin.module\"()"));
/// # Ok::<(), rmlir::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The form. `None`: the one that the extension of the path names.
    pub form: Option<Form>,
    /// How text is printed: custom or generic, with locations or without, ...
    pub text: PrintOptions,
    /// How native bytecode is written: compression, index, fingerprints, ...
    pub rmbc: rmbc::WriteOptions,
    /// How upstream's bytecode is written: target release, version, ...
    pub mlirbc: mlirbc::WriteOptions,
}
