//! [`Error`]: the one error type of the facade.

use crate::format;
use crate::ir::definition::{DefinitionError, UnknownRelease};
use crate::ir::{InUse, Invalid};
use crate::text::{Diagnostic, Diagnostics, PrintError};
use std::fmt;

/// A `Result` with the facade's [`Error`].
///
/// ```
/// fn count(text: &str) -> rmlir::Result<usize> {
///     Ok(rmlir::parse(text)?.ops().count())
/// }
/// assert_eq!(count("module {}")?, 1);
/// # Ok::<(), rmlir::Error>(())
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation of this crate failed.
///
/// One type for all of the toolkit: the errors of the crates below convert into it, so that `?`
/// works on their results in a function that returns [`rmlir::Result`](Result). It is opaque and
/// one word wide. Ask it what kind of problem it is with the `is_` methods; its text is for people
/// and may change. `Display` and `Debug` are the same, so that `fn main() -> rmlir::Result<()>`
/// prints a readable report.
///
/// ```
/// let error = rmlir::parse("func.func @f() {\n  %0 = arith.addd %x : i32\n}").unwrap_err();
/// assert!(error.is_syntax());
/// let first = error.diagnostics().next().unwrap();
/// assert_eq!((first.line, first.column), (2, 8));
/// assert!(error.to_string().contains("arith.addd"));
/// ```
pub struct Error(Box<Repr>);

/// The parts of an [`Error`].
struct Repr {
    /// The file that the error concerns, if the cause does not name it.
    path: Option<String>,
    cause: Cause,
}

/// The error of the crate that detected it.
enum Cause {
    /// Bytes could not be read or written.
    Format(format::Error),
    /// A text is not valid MLIR.
    Syntax(Diagnostics),
    /// A module breaks rules of the IR.
    Verification(Diagnostics),
    /// A text could not be printed.
    Print(PrintError),
    /// An attribute, type or edit is refused.
    Invalid(Invalid),
    /// A dialect definition is malformed.
    Definition(DefinitionError),
    /// Something is not a dialect definition that can be imported.
    #[cfg(feature = "import")]
    Import(crate::import::ImportError),
    /// The caller asked for something that does not exist.
    Request(String),
}

impl Error {
    #[cold]
    #[inline(never)]
    fn new(cause: Cause) -> Self {
        Error(Box::new(Repr { path: None, cause }))
    }

    /// Returns an error about something that the caller asked for.
    #[cold]
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Error::new(Cause::Request(message.into()))
    }

    /// Returns the error of a module that breaks rules of the IR.
    #[cold]
    pub(crate) fn verification(diagnostics: Diagnostics) -> Self {
        Error::new(Cause::Verification(diagnostics))
    }

    /// Adds the name of the file that the error is about, unless it is known.
    ///
    /// ```
    /// let error = rmlir::parse("module {").unwrap_err().in_file("a.mlir");
    /// assert_eq!(error.in_file("b.mlir").path(), Some("a.mlir"));
    /// ```
    #[cold]
    #[must_use]
    pub fn in_file(mut self, path: &str) -> Self {
        self.0.path.get_or_insert_with(|| path.to_owned());
        self
    }

    /// Returns the diagnostics of a text that does not parse, or of a module that does not verify;
    /// none for other errors.
    ///
    /// ```
    /// let error = rmlir::parse("func.func @f(").unwrap_err();
    /// let first = error.diagnostics().next().unwrap();
    /// assert_eq!(first.line, 1);
    /// ```
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let all = match &self.0.cause {
            Cause::Syntax(all) | Cause::Verification(all) => Some(all),
            _ => None,
        };
        all.into_iter().flat_map(Diagnostics::iter)
    }

    /// Returns whether a text is not valid MLIR. [`diagnostics`](Self::diagnostics) has the
    /// locations.
    ///
    /// ```
    /// assert!(rmlir::parse("func.func @f(").unwrap_err().is_syntax());
    /// ```
    pub fn is_syntax(&self) -> bool {
        matches!(self.0.cause, Cause::Syntax(_))
    }

    /// Returns whether a module, attribute, type or edit breaks a rule of the IR.
    ///
    /// ```
    /// let mut ir = rmlir::parse("func.func @f() -> i32 {\n  \"func.return\"() : () -> ()\n}")?;
    /// assert!(ir.verify().unwrap_err().is_invalid());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn is_invalid(&self) -> bool {
        matches!(self.0.cause, Cause::Verification(_) | Cause::Invalid(_))
    }

    /// Returns whether bytecode is damaged, or is not bytecode.
    ///
    /// ```
    /// let mut bytes = rmlir::parse("module {}")?.to_bytes(rmlir::Form::Rmbc, &Default::default())?;
    /// bytes.pop();
    /// assert!(rmlir::read(bytes).unwrap_err().is_corrupt());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn is_corrupt(&self) -> bool {
        use format::ErrorKind as Kind;
        matches!(
            self.format_kind(),
            Some(
                Kind::NotThisFormat
                    | Kind::Truncated
                    | Kind::InvalidVarint
                    | Kind::Checksum
                    | Kind::MissingSection
                    | Kind::Malformed
            )
        )
    }

    /// Returns whether the input may be valid, and this version of the toolkit cannot handle it.
    ///
    /// ```
    /// // Version 99 of upstream's bytecode.
    /// let bytes = b"ML\xefR\xc7producer\0\x01";
    /// assert!(rmlir::read(&bytes[..]).unwrap_err().is_unsupported());
    /// ```
    pub fn is_unsupported(&self) -> bool {
        use format::ErrorKind as Kind;
        matches!(
            self.format_kind(),
            Some(Kind::Unsupported | Kind::UnknownVersion | Kind::UnknownSection)
        )
    }

    /// Returns whether a limit was exceeded; see [`Limits`](crate::Limits).
    ///
    /// ```
    /// let bytes = rmlir::parse("module {}")?.to_bytes(rmlir::Form::Rmbc, &Default::default())?;
    /// let mut options = rmlir::ReadOptions::default();
    /// options.limits.max_section_count = 0;
    /// assert!(rmlir::read_with(bytes, &options).unwrap_err().is_limit());
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn is_limit(&self) -> bool {
        match &self.0.cause {
            Cause::Print(PrintError::TooLarge(_)) => true,
            _ => self.format_kind() == Some(format::ErrorKind::Limit),
        }
    }

    /// Returns whether the operating system reported an error; [`io_kind`](Self::io_kind) has more.
    ///
    /// ```
    /// assert!(rmlir::open("no/such/file.mlir").unwrap_err().is_io());
    /// ```
    pub fn is_io(&self) -> bool {
        self.io_kind().is_some()
    }

    /// Returns the operating system's kind of error, if it reported one.
    ///
    /// ```
    /// let error = rmlir::open("no/such/file.mlir").unwrap_err();
    /// assert_eq!(error.io_kind(), Some(std::io::ErrorKind::NotFound));
    /// ```
    pub fn io_kind(&self) -> Option<std::io::ErrorKind> {
        match &self.0.cause {
            Cause::Format(error) => error.io_kind(),
            Cause::Print(PrintError::Io(error)) => Some(error.kind()),
            _ => None,
        }
    }

    /// Returns the byte offset of the problem in bytecode, if it is known.
    ///
    /// ```
    /// let error = rmlir::read(&b"ML\xefR"[..]).unwrap_err();
    /// assert!(error.offset().is_some());
    /// assert_eq!(rmlir::parse("func.func").unwrap_err().offset(), None);
    /// ```
    pub fn offset(&self) -> Option<u64> {
        match &self.0.cause {
            Cause::Format(error) => error.offset(),
            _ => None,
        }
    }

    /// Returns the error of the bytes that were read or written, if it is one.
    ///
    /// ```
    /// let error = rmlir::read(&b"ML\xefR\x06"[..]).unwrap_err();
    /// assert!(error.as_format().unwrap().offset().is_some());
    /// ```
    pub fn as_format(&self) -> Option<&format::Error> {
        match &self.0.cause {
            Cause::Format(error) => Some(error),
            _ => None,
        }
    }

    fn format_kind(&self) -> Option<format::ErrorKind> {
        self.as_format().map(format::Error::kind)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Diagnostics name their file.
        match (self.path(), &self.0.cause) {
            (None, _) | (_, Cause::Syntax(_) | Cause::Verification(_)) => {}
            (Some(path), _) => write!(f, "{path}: ")?,
        }
        self.cause().fmt(f)
    }
}

impl Error {
    /// Returns the file that the error is about, if it is known. [`Diagnostic::file`] has that of
    /// each diagnostic.
    ///
    /// ```
    /// let error = rmlir::open("no/such/file.mlir").unwrap_err();
    /// assert_eq!(error.path(), Some("no/such/file.mlir"));
    /// ```
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns what went wrong, to be displayed without the [`path`](Self::path).
    ///
    /// ```
    /// let error = rmlir::open("no/such/file.mlir").unwrap_err();
    /// assert!(!error.cause().to_string().starts_with("no/such"));
    /// ```
    pub fn cause(&self) -> &dyn fmt::Display {
        match &self.0.cause {
            Cause::Syntax(diagnostics) | Cause::Verification(diagnostics) => diagnostics,
            Cause::Format(error) => error,
            Cause::Print(error) => error,
            Cause::Invalid(error) => error,
            Cause::Definition(error) => error,
            #[cfg(feature = "import")]
            Cause::Import(error) => error,
            Cause::Request(message) => message,
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// `source` is `None`: the text of the cause is part of the message, and would be printed twice.
impl std::error::Error for Error {}

macro_rules! from_cause {
    ($($cause:ty => $variant:ident),* $(,)?) => {
        $(impl From<$cause> for Error {
            fn from(cause: $cause) -> Self {
                Error::new(Cause::$variant(cause))
            }
        })*
    };
}

from_cause! {
    format::Error => Format,
    Diagnostics => Syntax,
    PrintError => Print,
    Invalid => Invalid,
    DefinitionError => Definition,
}

#[cfg(feature = "import")]
from_cause! { crate::import::ImportError => Import }

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics::from(diagnostic).into()
    }
}

impl From<InUse> for Error {
    fn from(error: InUse) -> Self {
        Invalid::from(error).into()
    }
}

impl From<UnknownRelease> for Error {
    fn from(error: UnknownRelease) -> Self {
        Error::request(error.to_string())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        format::Error::from(error).into()
    }
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Error>();
    assert!(size_of::<Error>() == size_of::<usize>());
};
