//! What [`unwrap`](crate::unwrap()) finds.

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
    /// Whether the checksum that its record has of it is right; true if there is none.
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
}

/// The result of [`unwrap`](crate::unwrap()).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unwrapped {
    /// What was found, by offset. Two artifacts do not overlap, except that one may be nested in
    /// the other, as a kernel in an attribute of a module is.
    pub artifacts: Vec<Artifact>,
    /// The format of the outermost container, if it is known.
    pub container: Option<&'static str>,
    /// Whether the whole file was searched: no limit was reached.
    pub is_complete: bool,
}

impl Unwrapped {
    /// Returns the modules that are not nested in others, by index: those with the fewest
    /// containers around them. Copies of a module count once.
    ///
    /// ```
    /// use rmlir_embed::{UnwrapOptions, unwrap};
    ///
    /// let found = unwrap(&b"nothing"[..].into(), &UnwrapOptions::default());
    /// assert!(found.outermost().is_empty());
    /// ```
    pub fn outermost(&self) -> Vec<usize> {
        let modules = || {
            let all = self.artifacts.iter().enumerate();
            all.filter(|(_, artifact)| artifact.content.is_mlir())
        };
        let least = modules().map(|(_, artifact)| artifact.depth).min();
        let mut outermost: Vec<(usize, &Artifact)> = modules()
            .filter(|(_, artifact)| Some(artifact.depth) == least)
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
