//! Targets of object files, by their LLVM triples.

use object::{Architecture, BinaryFormat, Endianness};
use std::fmt;

/// The target of an object file: the parts of an LLVM triple that matter for data.
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
    Wasm {
        /// Whether addresses have 64 bits.
        is_64: bool,
    },
}

/// A triple or an ABI that object files cannot be written for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTarget(String);

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownTarget {}

/// An architecture whose ABI a triple has no choice of.
struct Row {
    names: &'static [&'static str],
    architecture: Architecture,
    is_big: bool,
    /// The flags of ELF files: EABI 5 of ARM, the second ABI of PowerPC.
    flags: u32,
}

const ARCHITECTURES: &[Row] = &[
    Row {
        names: &["x86_64", "amd64"],
        architecture: Architecture::X86_64,
        is_big: false,
        flags: 0,
    },
    Row {
        names: &["aarch64", "arm64"],
        architecture: Architecture::Aarch64,
        is_big: false,
        flags: 0,
    },
    Row {
        names: &["i386", "i486", "i586", "i686"],
        architecture: Architecture::I386,
        is_big: false,
        flags: 0,
    },
    Row {
        // And with the version of the architecture, as armv7a and thumbv7em.
        names: &["arm", "thumb"],
        architecture: Architecture::Arm,
        is_big: false,
        flags: 0x0500_0000,
    },
    Row {
        names: &["powerpc64le", "ppc64le"],
        architecture: Architecture::PowerPc64,
        is_big: false,
        flags: 2,
    },
    Row {
        names: &["s390x"],
        architecture: Architecture::S390x,
        is_big: true,
        flags: 0,
    },
];

/// An architecture whose ELF files state the ABI of floating-point numbers, which linkers require
/// to agree.
struct FloatAbis {
    /// The architecture, and its name in triples; for RISC-V, extensions follow.
    architecture: Architecture,
    name: &'static str,
    /// Flags of all files.
    flags: u32,
    /// ABIs, with their flags. The first is that without floating-point registers, the third that
    /// with registers of double precision.
    abis: &'static [(&'static str, u32)],
}

const FLOAT_ABIS: &[FloatAbis] = &[
    FloatAbis {
        architecture: Architecture::Riscv64,
        name: "riscv64",
        flags: 0,
        abis: &[
            ("lp64", 0),
            ("lp64f", 2),
            ("lp64d", 4),
            ("lp64q", 6),
            ("lp64e", 8),
        ],
    },
    FloatAbis {
        architecture: Architecture::Riscv32,
        name: "riscv32",
        flags: 0,
        abis: &[("ilp32", 0), ("ilp32f", 2), ("ilp32d", 4), ("ilp32e", 8)],
    },
    FloatAbis {
        architecture: Architecture::LoongArch64,
        name: "loongarch64",
        flags: 0x40,
        abis: &[("lp64s", 1), ("lp64f", 2), ("lp64d", 3)],
    },
    FloatAbis {
        architecture: Architecture::LoongArch32,
        name: "loongarch32",
        flags: 0x40,
        abis: &[("ilp32s", 1), ("ilp32f", 2), ("ilp32d", 3)],
    },
];

/// Systems whose programs for RISC-V use registers of double precision, if the triple names no
/// extensions: those with an operating system.
const HOSTED: &[&str] = &[
    "linux", "android", "freebsd", "netbsd", "openbsd", "fuchsia", "haiku", "hermit", "redox",
    "vxworks",
];

/// The parts of a triple after the architecture.
#[derive(Clone, Copy)]
struct System<'t>(&'t str);

impl System<'_> {
    fn begins(self, names: &[&str]) -> bool {
        let mut parts = self.0.split('-');
        parts.any(|part| names.iter().any(|name| part.starts_with(name)))
    }

    fn ends(self, names: &[&str]) -> bool {
        let mut parts = self.0.split('-');
        parts.any(|part| names.iter().any(|name| part.ends_with(name)))
    }
}

impl std::str::FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(triple: &str) -> Result<Self, UnknownTarget> {
        let (name, system) = triple.split_once('-').unwrap_or((triple, ""));
        let system = System(system);
        if name == "wasm32" || name == "wasm64" {
            let is_64 = name == "wasm64";
            return Ok(Target {
                kind: Kind::Wasm { is_64 },
            });
        }
        let format = if system.begins(&["darwin", "macos", "ios", "tvos", "watchos", "xros"]) {
            BinaryFormat::MachO
        } else if system.begins(&["windows", "uefi", "mingw", "cygwin"]) {
            BinaryFormat::Coff
        } else {
            BinaryFormat::Elf
        };
        let found = match of_float_abis(name, system) {
            Some(found) => Some((found?, false)),
            None => of_row(name, system, triple)?,
        };
        let ((architecture, elf_flags), is_big) = found.ok_or_else(|| unknown(triple))?;
        Ok(Target {
            kind: Kind::Object {
                format,
                architecture,
                endianness: match is_big {
                    true => Endianness::Big,
                    false => Endianness::Little,
                },
                elf_flags,
            },
        })
    }
}

/// An architecture and the flags of ELF files.
type Machine = (Architecture, u32);

/// Returns the architecture of a name in [`ARCHITECTURES`], and whether it is big-endian.
fn of_row(
    name: &str,
    system: System<'_>,
    triple: &str,
) -> Result<Option<(Machine, bool)>, UnknownTarget> {
    let is_version = |base: &str| {
        name.strip_prefix(base)
            .is_some_and(|rest| rest.starts_with('v'))
    };
    let is_arm = is_version("arm") || is_version("thumb");
    let name = if is_arm { "arm" } else { name };
    let Some(row) = ARCHITECTURES.iter().find(|row| row.names.contains(&name)) else {
        return Ok(None);
    };
    // Pointers of 32 bits on processors of 64 bits.
    let architecture = match row.architecture {
        Architecture::X86_64 if system.ends(&["x32"]) => Architecture::X86_64_X32,
        Architecture::Aarch64 if system.ends(&["gnu_ilp32"]) => Architecture::Aarch64_Ilp32,
        other if system.ends(&["x32", "ilp32", "abin32"]) => {
            return Err(UnknownTarget(format!(
                "the target '{triple}' has an ABI that is unknown for {other:?}; x86_64 has gnux32, aarch64 has gnu_ilp32"
            )));
        }
        other => other,
    };
    Ok(Some(((architecture, row.flags), row.is_big)))
}

/// Returns the architecture of a name that begins with one in [`FLOAT_ABIS`].
fn of_float_abis(name: &str, system: System<'_>) -> Option<Result<Machine, UnknownTarget>> {
    let (row, extensions) = FLOAT_ABIS
        .iter()
        .find_map(|row| Some((row, name.strip_prefix(row.name)?)))?;
    let abi = match row.name.starts_with("riscv") {
        true => match riscv_abi(extensions, system) {
            Some(abi) => abi,
            None => {
                return Some(Err(UnknownTarget(format!(
                    "'{extensions}' in '{name}' are not extensions of RISC-V, such as imac or gc"
                ))));
            }
        },
        false if !extensions.is_empty() => return None,
        false if system.ends(&["sf", "softfloat"]) => 0,
        false if system.ends(&["f32"]) => 1,
        false => 2,
    };
    let flags = match abi {
        // The names with few registers are the last ones.
        EMBEDDED => row.abis.last(),
        abi => row.abis.get(abi),
    };
    flags.map(|(_, flags)| Ok((row.architecture, row.flags | flags)))
}

/// The index of the ABI of RISC-V with few registers.
const EMBEDDED: usize = usize::MAX;

/// Returns the index of the ABI that programs with extensions of RISC-V have by default: as clang
/// has it without extensions, as rustc has it with these.
fn riscv_abi(extensions: &str, system: System<'_>) -> Option<usize> {
    let (base, rest) = match extensions.split_at_checked(1) {
        None => return Some(if system.begins(HOSTED) { 2 } else { 0 }),
        Some(split) => split,
    };
    let is_known = |rest: &str| rest.bytes().all(|byte| b"mafdqcbvhzs_".contains(&byte));
    match base {
        "g" if is_known(rest) => Some(2),
        // A profile for applications, such as a23.
        "a" if !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()) => Some(2),
        "e" if is_known(rest) => Some(EMBEDDED),
        "i" if is_known(rest) => {
            // Extensions of several letters follow.
            let single = rest.split(['z', 's', '_']).next().unwrap_or_default();
            Some(match (single.contains('d'), single.contains('f')) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            })
        }
        _ => None,
    }
}

fn unknown(triple: &str) -> UnknownTarget {
    let names = ARCHITECTURES.iter().flat_map(|row| row.names).copied();
    let names: Vec<&str> = names.chain(FLOAT_ABIS.iter().map(|row| row.name)).collect();
    UnknownTarget(format!(
        "the target '{triple}' is unknown; architectures are {}, wasm32 and wasm64",
        names.join(", ")
    ))
}

impl Target {
    /// Returns the target that this crate was compiled for, if it is known.
    ///
    /// ```
    /// assert!(rmlir_embed::Target::host().is_some());
    /// ```
    pub fn host() -> Option<Self> {
        use std::env::consts::{ARCH, OS};
        let environment = match (ARCH, size_of::<usize>()) {
            ("x86_64", 4) => "-gnux32",
            ("aarch64", 4) => "-gnu_ilp32",
            _ => "",
        };
        format!("{ARCH}-unknown-{OS}{environment}").parse().ok()
    }

    /// Returns the target with another ABI, of those that ELF files of RISC-V and LoongArch state:
    /// `lp64d`, `ilp32`. Linkers refuse files of different ABIs.
    ///
    /// # Errors
    ///
    /// If the architecture does not have the ABI, or files do not state it.
    ///
    /// ```
    /// use rmlir_embed::Target;
    ///
    /// let soft: Target = "riscv64-unknown-linux-gnu".parse::<Target>()?.with_abi("lp64")?;
    /// assert_eq!(soft, "riscv64imac-unknown-none-elf".parse()?);
    /// assert!(soft.with_abi("ilp32").is_err());
    /// # Ok::<(), rmlir_embed::UnknownTarget>(())
    /// ```
    pub fn with_abi(mut self, abi: &str) -> Result<Self, UnknownTarget> {
        if let Kind::Object {
            architecture,
            elf_flags,
            ..
        } = &mut self.kind
            && let Some(row) = FLOAT_ABIS
                .iter()
                .find(|row| row.architecture == *architecture)
        {
            let Some((_, flags)) = row.abis.iter().find(|(name, _)| *name == abi) else {
                let names: Vec<&str> = row.abis.iter().map(|(name, _)| *name).collect();
                return Err(UnknownTarget(format!(
                    "the ABI '{abi}' is not one of {}: {}",
                    row.name,
                    names.join(", ")
                )));
            };
            *elf_flags = row.flags | flags;
            return Ok(self);
        }
        Err(UnknownTarget(format!(
            "the ABI '{abi}' cannot be chosen: only object files of RISC-V and LoongArch state it"
        )))
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
            Kind::Wasm { .. } => "wasm",
            Kind::Object { format, .. } => match format {
                BinaryFormat::MachO => "macho",
                BinaryFormat::Coff => "coff",
                _ => "elf",
            },
        }
    }
}
