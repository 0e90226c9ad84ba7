//! The error type of all binary formats, with kind, byte offset, section and a chain of contexts.
//!
//! House rule: a message is a whole sentence about what was found. It includes the offending value,
//! but not its location, which [`Display`](fmt::Display) adds.

use std::borrow::Cow;
use std::{fmt, io};

/// A `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error, for callers that act on it. Messages may change; kinds are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes do not begin with the magic of this format.
    NotThisFormat,
    /// The bytes end before the length or count that they declare.
    Truncated,
    /// A variable-length integer that no writer of the format produces.
    InvalidVarint,
    /// Stored and computed checksum differ: the bytes were damaged after they were written.
    Checksum,
    /// The file has a version of the format that this build cannot read.
    UnknownVersion,
    /// A required section is not known to this build.
    UnknownSection,
    /// A required section is missing.
    MissingSection,
    /// The bytes contradict the format in any other way.
    Malformed,
    /// The input is valid, but this build does not support it.
    Unsupported,
    /// A budget of [`Limits`](crate::Limits) or the address space of the machine was exceeded.
    Limit,
    /// The caller requested something impossible, such as two sections of one kind in a file.
    InvalidRequest,
    /// The operating system reported an error; [`Error::io_kind`] has its kind.
    Io,
}

/// The reason why bytes could not be read or written.
///
/// One word wide, so that returning a `Result` with it is cheap. Prints as `message (section X,
/// offset 0x1234), while reading Y, while reading Z`, innermost context first.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    offset: Option<u64>,
    section: Option<Cow<'static, str>>,
    context: Vec<Cow<'static, str>>,
    io_kind: Option<io::ErrorKind>,
}

impl Error {
    /// Creates an error without a location.
    ///
    /// `message` is a sentence without a full stop that includes the offending value.
    #[cold]
    #[inline(never)]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            offset: None,
            section: None,
            context: Vec::new(),
            io_kind: None,
        }))
    }

    /// Creates an error at the byte `offset`, counted from the start of the file.
    #[cold]
    #[inline(never)]
    pub fn at(kind: ErrorKind, offset: u64, message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(kind, message).with_offset(offset)
    }

    /// Adds the byte offset, unless there is one: the innermost location is the most exact.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn with_offset(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Adds the name of the section, unless there is one: the innermost location is the most exact.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn with_section(mut self, section: impl Into<Cow<'static, str>>) -> Self {
        self.0.section.get_or_insert_with(|| section.into());
        self
    }

    /// Adds the subject of the error before the message: `subject: message`.
    ///
    /// ```
    /// use rmlir_format::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::InvalidRequest, "it has no name").about("operation 3");
    /// assert_eq!(error.to_string(), "operation 3: it has no name");
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn about(mut self, subject: impl fmt::Display) -> Self {
        self.0.message = format!("{subject}: {}", self.0.message).into();
        self
    }

    /// Adds the activity that failed, from inside to outside; it is printed after the word "while".
    ///
    /// ```
    /// use rmlir_format::{Error, ErrorKind};
    /// let error = Error::at(ErrorKind::Malformed, 16, "alignment 3 is not a power of two")
    ///     .context("reading attribute #7");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "alignment 3 is not a power of two (offset 0x10), while reading attribute #7",
    /// );
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn context(mut self, doing: impl Into<Cow<'static, str>>) -> Self {
        self.0.context.push(doing.into());
        self
    }

    /// Returns the kind of the error, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the sentence alone, without location and contexts.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the offset of the byte that the error is about, counted from the start of the file.
    ///
    /// `None` if the error is not about a byte.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the section that contains [`offset`](Error::offset).
    pub fn section(&self) -> Option<&str> {
        self.0.section.as_deref()
    }

    /// Returns the activities given to [`context`](Error::context), innermost first.
    pub fn contexts(&self) -> impl Iterator<Item = &str> {
        self.0.context.iter().map(|doing| &**doing)
    }

    /// Returns the operating system's kind of error if [`kind`](Error::kind) is [`ErrorKind::Io`].
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.0.io_kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match (self.section(), self.offset()) {
            (Some(section), Some(offset)) => write!(f, " (section {section}, offset {offset:#x})")?,
            (Some(section), None) => write!(f, " (section {section})")?,
            (None, Some(offset)) => write!(f, " (offset {offset:#x})")?,
            (None, None) => {}
        }
        self.contexts()
            .try_for_each(|doing| write!(f, ", while {doing}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

// `source` is `None`: the text of an I/O error is part of the message and would be printed twice.
impl std::error::Error for Error {}

impl From<io::Error> for Error {
    /// Keeps the system's text and kind. An [`Error`] inside an `io::Error` is returned unchanged.
    #[cold]
    #[inline(never)]
    fn from(error: io::Error) -> Self {
        match error.downcast::<Error>() {
            Ok(ours) => ours,
            Err(error) => {
                let mut ours = Error::new(ErrorKind::Io, error.to_string());
                ours.0.io_kind = Some(error.kind());
                ours
            }
        }
    }
}

impl From<Error> for io::Error {
    /// For implementations of `io::Write` that fail for reasons of their own. The conversion above
    /// is the inverse.
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Self {
        let kind = error.io_kind().unwrap_or(io::ErrorKind::Other);
        io::Error::new(kind, error)
    }
}

/// Adds locations and contexts to the error of a [`Result`].
pub trait ResultExt<T> {
    /// Calls [`Error::context`] on the error; for a constant text.
    fn context(self, doing: &'static str) -> Result<T>;

    /// Calls [`Error::context`] on the error; `doing` runs only if there is an error.
    fn with_context<S: Into<Cow<'static, str>>>(self, doing: impl FnOnce() -> S) -> Result<T>;

    /// Calls [`Error::with_section`] on the error.
    fn in_section(self, section: &'static str) -> Result<T>;
}

impl<T, E: Into<Error>> ResultExt<T> for Result<T, E> {
    #[inline]
    fn context(self, doing: &'static str) -> Result<T> {
        self.map_err(|error| error.into().context(doing))
    }

    #[inline]
    fn with_context<S: Into<Cow<'static, str>>>(self, doing: impl FnOnce() -> S) -> Result<T> {
        self.map_err(|error| error.into().context(doing()))
    }

    #[inline]
    fn in_section(self, section: &'static str) -> Result<T> {
        self.map_err(|error| error.into().with_section(section))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn prints_message_place_and_chain() {
        let error = Error::at(
            ErrorKind::Truncated,
            0x1234,
            "4 bytes are needed, 2 are left",
        )
        .with_section("strings")
        .context("reading string #3")
        .context("reading a.rmbc");
        assert_eq!(
            error.to_string(),
            "4 bytes are needed, 2 are left (section strings, offset 0x1234), \
             while reading string #3, while reading a.rmbc"
        );
        assert_eq!(error.contexts().count(), 2);
        assert_eq!(error.message(), "4 bytes are needed, 2 are left");
        assert!(format!("{error:?}").starts_with("Truncated: 4 bytes"));
        let no_offset = Error::new(ErrorKind::Malformed, "x").with_section("ir");
        assert_eq!(no_offset.to_string(), "x (section ir)");
    }

    #[test]
    fn the_innermost_place_stays() {
        let error = Error::at(ErrorKind::Malformed, 1, "x")
            .with_section("inner")
            .with_section("outer")
            .with_offset(2);
        assert_eq!((error.offset(), error.section()), (Some(1), Some("inner")));
    }

    #[test]
    fn travels_through_io_and_back() {
        let error = Error::at(ErrorKind::Limit, 9, "too much");
        let back = Error::from(io::Error::from(error));
        assert_eq!((back.kind(), back.offset()), (ErrorKind::Limit, Some(9)));

        let back = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(back.kind(), ErrorKind::Io);
        assert_eq!(back.io_kind(), Some(io::ErrorKind::BrokenPipe));
        assert_eq!(io::Error::from(back).kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn contexts_are_made_only_for_errors() {
        let fine: Result<u8> = Ok(1);
        let fine = fine.with_context(|| -> String { panic!("must not run") });
        assert_eq!(fine.unwrap(), 1);
        let bad: Result<u8> = Err(Error::new(ErrorKind::Malformed, "x"));
        let bad = bad
            .in_section("ir")
            .with_context(|| format!("reading {}", 5))
            .context("loading");
        assert_eq!(
            bad.unwrap_err().to_string(),
            "x (section ir), while reading 5, while loading"
        );
    }
}
