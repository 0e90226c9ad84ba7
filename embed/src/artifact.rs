//! The results of [`unwrap`](crate::unwrap()).

use rmlir_format::Source;
use std::fmt;

/// The format of an [`Artifact`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Content {
    /// MLIR as text.
    Text,
    /// Native bytecode of rmlir.
    Rmbc,
    /// Bytecode of upstream MLIR.
    Mlirbc,
    /// LLVM bitcode, as clang and rustc embed it. It is not MLIR.
    LlvmBitcode,
}

impl Content {
    /// Returns the name: `text`, `rmbc`, `mlirbc` or `llvm-bitcode`.
    ///
    /// ```
    /// assert_eq!(rmlir_embed::Content::Mlirbc.name(), "mlirbc");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Content::Text => "text",
            Content::Rmbc => "rmbc",
            Content::Mlirbc => "mlirbc",
            Content::LlvmBitcode => "llvm-bitcode",
        }
    }

    /// Returns the usual extension of a file with such content.
    ///
    /// ```
    /// assert_eq!(rmlir_embed::Content::Text.extension(), "mlir");
    /// ```
    pub fn extension(self) -> &'static str {
        match self {
            Content::Text => "mlir",
            Content::Rmbc => "rmbc",
            Content::Mlirbc => "mlirbc",
            Content::LlvmBitcode => "bc",
        }
    }

    /// Returns whether it is MLIR.
    ///
    /// ```
    /// assert!(!rmlir_embed::Content::LlvmBitcode.is_mlir());
    /// ```
    pub fn is_mlir(self) -> bool {
        self != Content::LlvmBitcode
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A module, or other IR, in a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Artifact {
    /// The containers and encodings around it, the outermost first, separated by `/`: `elf`,
    /// `zip/json/base64`. Empty if it is the file itself.
    pub container: String,
    /// Its name in its container: of a section, a member, a field. Empty if it has none.
    pub name: String,
    /// Its offset in the file, in bytes; for an encoded one, that of the encoded bytes.
    pub offset: u64,
    /// The number of bytes that it takes in the file, encoded. The artifacts in one encoded range
    /// share it.
    pub span: u64,
    /// The format.
    pub content: Content,
    /// The producer of bytecode, as its header has it.
    pub producer: Option<String>,
    /// The number of containers and modules around it.
    pub depth: usize,
    /// Whether the checksums of its record and of the members around it are right; true if there
    /// are none.
    pub is_intact: bool,
    /// Its bytes, which share those of the file unless they were encoded there.
    pub source: Source,
}

impl Artifact {
    /// Returns a file of MLIR text as an artifact.
    ///
    /// ```
    /// let artifact = rmlir_embed::Artifact::text(b"module {}"[..].into());
    /// assert_eq!((artifact.offset, artifact.span), (0, 9));
    /// ```
    pub fn text(source: Source) -> Self {
        Artifact {
            container: String::new(),
            name: String::new(),
            offset: 0,
            span: source.len() as u64,
            content: Content::Text,
            producer: None,
            depth: 0,
            is_intact: true,
            source,
        }
    }

    /// Returns whether it is inside another module, or is the derivative of an exported function.
    fn is_nested(&self) -> bool {
        let around = || self.container.split('/').filter(|name| !name.is_empty());
        let modules = [Content::Text, Content::Rmbc, Content::Mlirbc].map(Content::name);
        around().count() < self.depth || around().any(|name| modules.contains(&name))
    }
}

/// A part of a file that was not searched, or in which something is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unread {
    /// The containers and encodings around it, as [`Artifact::container`].
    pub container: String,
    /// Its name, as [`Artifact::name`].
    pub name: String,
    /// Its offset in the file, as [`Artifact::offset`].
    pub offset: u64,
    /// Why.
    pub reason: Reason,
}

impl Unread {
    /// Returns whether the part is damaged, and not only unsupported or beyond a limit.
    ///
    /// ```
    /// use rmlir_embed::{UnwrapOptions, unwrap};
    ///
    /// let found = unwrap(&b"ML\xefR\x0d"[..].into(), &UnwrapOptions::default());
    /// assert!(found.unread[0].is_damage());
    /// ```
    pub fn is_damage(&self) -> bool {
        matches!(self.reason, Reason::Damaged(_))
    }

    /// Returns whether the part is the whole file, compressed by a method that is not supported.
    ///
    /// ```
    /// use rmlir_embed::{UnwrapOptions, unwrap};
    ///
    /// let found = unwrap(&b"BZh91AY&SY"[..].into(), &UnwrapOptions::default());
    /// assert!(found.unread[0].is_whole());
    /// ```
    pub fn is_whole(&self) -> bool {
        let is_compressed = matches!(self.reason, Reason::Method(_));
        is_compressed && self.container.is_empty() && self.name.is_empty()
    }
}

/// Why a part of a file was not searched.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// It is compressed by this method, which is not supported.
    Method(String),
    /// It is encrypted.
    Encrypted,
    /// It is damaged; the text describes the damage. Data with a wrong checksum is searched
    /// nevertheless; its artifacts are not [intact](Artifact::is_intact).
    Damaged(&'static str),
    /// It is in more than this number of containers.
    Depth(usize),
    /// It is a member of a thin archive: a file of its own, with this path from the archive's
    /// folder.
    Elsewhere(String),
    /// This limit was reached.
    Limit(&'static str),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Reason::Limit(limit) = self.reason
            && self.name.is_empty()
        {
            return write!(f, "not everything was searched: {limit}");
        }
        match self.name.as_str() {
            "" => f.write_str("the content")?,
            // Names are not trusted, and messages are printed to terminals.
            name => write!(f, "'{}'", name.escape_debug())?,
        }
        write!(f, " at offset {} is ", self.offset)?;
        match &self.reason {
            Reason::Method(method) => write!(f, "not read: it is compressed by {method}"),
            Reason::Encrypted => f.write_str("not read: it is encrypted"),
            Reason::Damaged(what) => write!(f, "damaged: {what}"),
            Reason::Depth(depth) => {
                write!(f, "not searched: it is in more than {depth} containers")
            }
            Reason::Elsewhere(path) => write!(
                f,
                "not read: the archive is thin, and this member is the file '{}'",
                path.escape_debug()
            ),
            Reason::Limit(limit) => write!(f, "not read: {limit}"),
        }
    }
}

/// The result of [`unwrap`](crate::unwrap()).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unwrapped {
    /// The artifacts, by offset. Two artifacts do not overlap, except that one may be nested in
    /// the other, as a kernel in an attribute of a module is.
    pub artifacts: Vec<Artifact>,
    /// The format of the outermost container, if it is known.
    pub container: Option<&'static str>,
    /// The parts of the file that were not searched or are damaged: at most 100, and all members of
    /// thin archives.
    pub unread: Vec<Unread>,
    /// Whether the whole file was searched: there are no unread parts.
    pub is_complete: bool,
}

impl Unwrapped {
    /// Returns the modules that are not nested in others, by index: neither kernels in the
    /// attributes of another module, nor derivatives of an exported function. Copies of a module
    /// count once.
    ///
    /// ```
    /// use rmlir_embed::{UnwrapOptions, unwrap};
    ///
    /// let found = unwrap(&b"nothing"[..].into(), &UnwrapOptions::default());
    /// assert!(found.outermost().is_empty());
    /// ```
    pub fn outermost(&self) -> Vec<usize> {
        let all = self.artifacts.iter().enumerate();
        let mut outermost: Vec<(usize, &Artifact)> = all
            .filter(|(_, artifact)| artifact.content.is_mlir() && !artifact.is_nested())
            .collect();
        let is_copy =
            |(_, a): &(usize, &Artifact), (_, b): &(usize, &Artifact)| *a.source == *b.source;
        if let Some(first) = outermost.first().copied()
            && outermost.iter().all(|other| is_copy(&first, other))
        {
            outermost.truncate(1);
        }
        outermost.into_iter().map(|(index, _)| index).collect()
    }
}
