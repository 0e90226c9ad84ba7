//! [`Form`]: the formats in which a module is stored.

use std::fmt;
use std::io::Read;
use std::path::Path;

/// A form that a module is stored in.
///
/// ```
/// use rmlir::Form;
///
/// assert_eq!(Form::of(b"module {}"), Form::Text);
/// assert_eq!(Form::of(b"ML\xefR\x06"), Form::Mlirbc);
/// assert_eq!(Form::of_path("model.rmbc"), Some(Form::Rmbc));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Form {
    /// Text, custom or generic.
    Text,
    /// The native bytecode.
    Rmbc,
    /// The bytecode of upstream MLIR.
    Mlirbc,
}

impl Form {
    /// Recognizes the form by the first bytes. Anything that begins with no known magic number is
    /// text. O(1).
    ///
    /// ```
    /// assert_eq!(rmlir::Form::of(b"ML\xefR\x06"), rmlir::Form::Mlirbc);
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&crate::format::section::MAGIC) {
            Form::Rmbc
        } else if bytes.starts_with(&crate::format::mlirbc::MAGIC) {
            Form::Mlirbc
        } else {
            Form::Text
        }
    }

    /// Recognizes the form of a file by its first bytes; no more of it is read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// ```no_run
    /// if rmlir::Form::of_file("model.bin")? == rmlir::Form::Rmbc {
    ///     println!("native bytecode");
    /// }
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    pub fn of_file(path: impl AsRef<Path>) -> crate::Result<Self> {
        let path = path.as_ref();
        let read = || {
            let mut start = Vec::with_capacity(16);
            std::fs::File::open(path)?
                .take(16)
                .read_to_end(&mut start)?;
            Ok(Form::of(&start))
        };
        read().map_err(|error: std::io::Error| {
            crate::Error::from(error).in_file(&path.display().to_string())
        })
    }

    /// Returns the form that the extension of a path names: `.mlir`, `.rmbc` or `.mlirbc`.
    ///
    /// ```
    /// assert_eq!(rmlir::Form::of_path("a/model.mlir"), Some(rmlir::Form::Text));
    /// assert_eq!(rmlir::Form::of_path("model.bin"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Self> {
        match path.as_ref().extension()?.to_str()? {
            "mlir" => Some(Form::Text),
            "rmbc" => Some(Form::Rmbc),
            "mlirbc" => Some(Form::Mlirbc),
            _ => None,
        }
    }

    /// Returns the name: `text`, `rmbc` or `mlirbc`.
    ///
    /// ```
    /// assert_eq!(rmlir::Form::Text.name(), "text");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Rmbc => "rmbc",
            Form::Mlirbc => "mlirbc",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
