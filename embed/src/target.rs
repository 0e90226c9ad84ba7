//! Targets of object files, by their LLVM triples.

use object::elf;
use object::{Architecture, BinaryFormat, Endianness};
use std::fmt;

/// The target of an object file: what of an LLVM triple matters for data.
///
/// ```
/// use rmlir_embed::Target;
///
/// let target: Target = "aarch64-unknown-linux-gnu".parse()?;
/// assert_eq!(target.format(), "elf");
/// assert_eq!("x86_64-apple-darwin".parse::<Target>()?.format(), "macho");
/// assert!("z80-unknown-none".parse::<Target>().is_err());
/// # Ok::<(), rmlir_embed::UnknownTarget>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// An object file that the crate `object` writes.
    Object {
        format: BinaryFormat,
        architecture: Architecture,
        endianness: Endianness,
        /// The flags of an ELF file, which linkers require to agree.
        elf_flags: u32,
    },
    Wasm,
}

/// A triple of an architecture or system that object files cannot be written for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTarget(String);

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = ARCHITECTURES
            .iter()
            .flat_map(|row| row.0)
            .copied()
            .collect();
        write!(
            f,
            "the target '{}' is unknown; architectures are {}, wasm32 and wasm64",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownTarget {}

/// Names of architectures, whether big-endian, and the flags of ELF files: EABI 5 of ARM, the
/// second ABI of PowerPC, compressed instructions and floats of double precision of RISC-V, and
/// floats of double precision of LoongArch.
const ARCHITECTURES: &[(&[&str], Architecture, bool, elf::FileFlags)] = &[
    (
        &["x86_64", "amd64"],
        Architecture::X86_64,
        false,
        elf::FileFlags(0),
    ),
    (
        &["aarch64", "arm64"],
        Architecture::Aarch64,
        false,
        elf::FileFlags(0),
    ),
    (
        &["i386", "i586", "i686"],
        Architecture::I386,
        false,
        elf::FileFlags(0),
    ),
    (
        &["arm", "armv6", "armv7", "armv7a", "thumbv7em"],
        Architecture::Arm,
        false,
        elf::FileFlags(0x0500_0000),
    ),
    (
        &["riscv64", "riscv64gc"],
        Architecture::Riscv64,
        false,
        elf::FileFlags(5),
    ),
    (
        &["riscv32", "riscv32gc"],
        Architecture::Riscv32,
        false,
        elf::FileFlags(5),
    ),
    (
        &["powerpc64le", "ppc64le"],
        Architecture::PowerPc64,
        false,
        elf::FileFlags(2),
    ),
    (&["s390x"], Architecture::S390x, true, elf::FileFlags(0)),
    (
        &["loongarch64"],
        Architecture::LoongArch64,
        false,
        elf::FileFlags(0x43),
    ),
];

impl std::str::FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(triple: &str) -> Result<Self, UnknownTarget> {
        let mut parts = triple.split('-');
        let architecture = parts.next().unwrap_or_default();
        if architecture == "wasm32" || architecture == "wasm64" {
            return Ok(Target { kind: Kind::Wasm });
        }
        let row = ARCHITECTURES
            .iter()
            .find(|row| row.0.contains(&architecture));
        let Some((_, architecture, is_big, flags)) = row else {
            return Err(UnknownTarget(triple.to_owned()));
        };
        let system = |names: &[&str]| {
            let mut parts = triple.split('-').skip(1);
            parts.any(|part| names.iter().any(|name| part.starts_with(name)))
        };
        let format = if system(&["darwin", "macos", "ios", "tvos", "watchos", "xros"]) {
            BinaryFormat::MachO
        } else if system(&["windows", "uefi", "mingw", "cygwin"]) {
            BinaryFormat::Coff
        } else {
            BinaryFormat::Elf
        };
        Ok(Target {
            kind: Kind::Object {
                format,
                architecture: *architecture,
                endianness: match is_big {
                    true => Endianness::Big,
                    false => Endianness::Little,
                },
                elf_flags: flags.0,
            },
        })
    }
}

impl Target {
    /// Returns the target that this crate was compiled for, if it is known.
    ///
    /// ```
    /// assert!(rmlir_embed::Target::host().is_some());
    /// ```
    pub fn host() -> Option<Self> {
        use std::env::consts::{ARCH, OS};
        format!("{ARCH}-unknown-{OS}").parse().ok()
    }

    /// Returns the format of object files: `elf`, `macho`, `coff` or `wasm`.
    ///
    /// ```
    /// let target: rmlir_embed::Target = "x86_64-pc-windows-gnu".parse()?;
    /// assert_eq!(target.format(), "coff");
    /// # Ok::<(), rmlir_embed::UnknownTarget>(())
    /// ```
    pub fn format(self) -> &'static str {
        match self.kind {
            Kind::Wasm => "wasm",
            Kind::Object { format, .. } => match format {
                BinaryFormat::MachO => "macho",
                BinaryFormat::Coff => "coff",
                _ => "elf",
            },
        }
    }
}
