//! [`Error`]: the one error type of the facade.

use crate::format;
use crate::ir::definition::{DefinitionError, UnknownRelease};
use crate::ir::{InUse, Invalid};
use crate::text::{Diagnostic, Diagnostics, PrintError};
use std::fmt;

/// A `Result` with the facade's [`Error`].
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

    /// Adds the file that the error is about, unless it is known.
    #[cold]
    pub(crate) fn in_file(mut self, path: &str) -> Self {
        self.0.path.get_or_insert_with(|| path.to_owned());
        self
    }

    /// Returns the diagnostics of a text that does not parse, or of a module that does not verify;
    /// none for other errors.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let all = match &self.0.cause {
            Cause::Syntax(all) | Cause::Verification(all) => Some(all),
            _ => None,
        };
        all.into_iter().flat_map(Diagnostics::iter)
    }

    /// Returns whether a text is not valid MLIR. [`diagnostics`](Self::diagnostics) has the places.
    pub fn is_syntax(&self) -> bool {
        matches!(self.0.cause, Cause::Syntax(_))
    }

    /// Returns whether a module, attribute, type or edit breaks a rule of the IR.
    pub fn is_invalid(&self) -> bool {
        matches!(self.0.cause, Cause::Verification(_) | Cause::Invalid(_))
    }

    /// Returns whether bytecode is damaged, or is not bytecode.
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
    pub fn is_unsupported(&self) -> bool {
        use format::ErrorKind as Kind;
        matches!(
            self.format_kind(),
            Some(Kind::Unsupported | Kind::UnknownVersion | Kind::UnknownSection)
        )
    }

    /// Returns whether a limit was exceeded; see [`Limits`](crate::Limits).
    pub fn is_limit(&self) -> bool {
        match &self.0.cause {
            Cause::Print(PrintError::TooLarge(_)) => true,
            _ => self.format_kind() == Some(format::ErrorKind::Limit),
        }
    }

    /// Returns whether the operating system reported an error; [`io_kind`](Self::io_kind) has more.
    pub fn is_io(&self) -> bool {
        self.io_kind().is_some()
    }

    /// Returns the operating system's kind of error, if it reported one.
    pub fn io_kind(&self) -> Option<std::io::ErrorKind> {
        match &self.0.cause {
            Cause::Format(error) => error.io_kind(),
            Cause::Print(PrintError::Io(error)) => Some(error.kind()),
            _ => None,
        }
    }

    /// Returns the byte offset of the problem in bytecode, if it is known.
    pub fn offset(&self) -> Option<u64> {
        match &self.0.cause {
            Cause::Format(error) => error.offset(),
            _ => None,
        }
    }

    fn format_kind(&self) -> Option<format::ErrorKind> {
        match &self.0.cause {
            Cause::Format(error) => Some(error.kind()),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause: &dyn fmt::Display = match &self.0.cause {
            // These name their file.
            Cause::Syntax(diagnostics) | Cause::Verification(diagnostics) => {
                return diagnostics.fmt(f);
            }
            Cause::Format(error) => error,
            Cause::Print(error) => error,
            Cause::Invalid(error) => error,
            Cause::Definition(error) => error,
            Cause::Request(message) => message,
        };
        if let Some(path) = &self.0.path {
            write!(f, "{path}: ")?;
        }
        cause.fmt(f)
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
