//! Releases of the projects that define dialects.
//!
//! Upstream does not version the layout of properties, so a definition depends on the release that
//! wrote a file. A definition describes all known releases at once.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A project whose releases define dialects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Family {
    /// No project: a user's own dialect, which the tools of the projects do not know. Its release
    /// numbers are LLVM's.
    #[default]
    Own,
    /// LLVM itself; the numbers are major versions.
    Llvm,
    /// StableHLO with CHLO and VHLO; the number is 118 for release 1.18, and `YYYYMM` for a
    /// snapshot, as for the projects below.
    StableHlo,
    /// IREE.
    Iree,
    /// CIRCT.
    Circt,
    /// torch-mlir.
    Torch,
    /// Shardy.
    Sdy,
    /// Triton.
    Triton,
    /// JAX: Mosaic, its dialect for TPUs.
    Jax,
    /// MHLO, the predecessor of StableHLO.
    Mhlo,
}

/// Each family with its name and its known releases, oldest first.
const FAMILIES: &[(Family, &str, &[u32])] = &[
    (Family::Llvm, "llvm", &super::llvm::NUMBERS),
    (Family::StableHlo, "stablehlo", &[118, 202_608]),
    (Family::Iree, "iree", &[202_608]),
    (Family::Circt, "circt", &[202_608]),
    (Family::Torch, "torch", &[202_608]),
    (Family::Sdy, "sdy", &[202_608]),
    (Family::Triton, "triton", &[202_608]),
    (Family::Jax, "jax", &[202_608]),
    (Family::Mhlo, "mhlo", &[202_601]),
];

/// The name of [`Family::Own`].
const OWN: &str = "own";

impl Family {
    /// Returns the name as definitions and programs spell it.
    pub fn name(self) -> &'static str {
        if self == Family::Own {
            return OWN;
        }
        FAMILIES.iter().find(|f| f.0 == self).map_or("", |f| f.1)
    }

    /// Returns the name of the project as people write it; empty for a user's own dialects.
    pub fn project(self) -> &'static str {
        match self {
            Family::Own => "",
            Family::Llvm => "LLVM",
            Family::StableHlo => "StableHLO",
            Family::Iree => "IREE",
            Family::Circt => "CIRCT",
            Family::Torch => "torch-mlir",
            Family::Sdy => "Shardy",
            Family::Triton => "Triton",
            Family::Jax => "JAX",
            Family::Mhlo => "MHLO",
        }
    }

    /// Returns the family of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == OWN {
            return Some(Family::Own);
        }
        FAMILIES.iter().find(|f| f.1 == name).map(|f| f.0)
    }

    /// Returns the release numbers that the bundled definitions describe, oldest first.
    pub fn known_numbers(self) -> &'static [u32] {
        let family = self.numbering();
        FAMILIES.iter().find(|f| f.0 == family).map_or(&[], |f| f.2)
    }

    /// Returns the project whose release numbers apply: LLVM for a user's own dialects.
    pub fn numbering(self) -> Self {
        match self {
            Family::Own => Family::Llvm,
            project => project,
        }
    }

    fn newest(self) -> u32 {
        self.known_numbers().last().copied().unwrap_or(0)
    }
}

/// A release: a family and a number. Written `llvm-22`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Release {
    /// The family of the release.
    pub family: Family,
    /// The release number; see [`Family`] for its meaning.
    pub number: u32,
}

impl Default for Release {
    /// Returns [`Release::LLVM_22`].
    fn default() -> Self {
        Release::LLVM_22
    }
}

impl Release {
    /// LLVM 19.
    pub const LLVM_19: Self = Release::new(Family::Llvm, 19);
    /// LLVM 20.
    pub const LLVM_20: Self = Release::new(Family::Llvm, 20);
    /// LLVM 21.
    pub const LLVM_21: Self = Release::new(Family::Llvm, 21);
    /// LLVM 22, the release whose text format is read.
    pub const LLVM_22: Self = Release::new(Family::Llvm, 22);
    /// LLVM 23.
    pub const LLVM_23: Self = Release::new(Family::Llvm, 23);
    /// LLVM 24 during its development, as of 2026-10-25.
    pub const LLVM_24: Self = Release::new(Family::Llvm, 24);

    /// Creates a release.
    pub const fn new(family: Family, number: u32) -> Self {
        Release { family, number }
    }

    /// Returns the number of the LLVM release with that producer string in bytecode: 22 for
    /// `MLIR22.1.8`. Returns `None` for other producers.
    pub fn llvm_number_of(producer: &[u8]) -> Option<u32> {
        let digits = producer.strip_prefix(b"MLIR")?;
        let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        std::str::from_utf8(digits.get(..len)?).ok()?.parse().ok()
    }

    /// Returns all releases that the bundled definitions describe, by family, oldest first.
    pub fn known() -> impl Iterator<Item = Release> {
        FAMILIES.iter().flat_map(|&(family, _, numbers)| {
            numbers
                .iter()
                .map(move |&number| Release::new(family, number))
        })
    }

    /// Returns whether definitions of a family describe this release: those of its own project, and
    /// a user's own.
    pub fn covers(self, family: Family) -> bool {
        family == self.family || family == Family::Own
    }

    /// Returns the release of another family that corresponds to this one: a project other than
    /// LLVM is assumed to be built on the newest known LLVM; for any other family, this is its
    /// newest release.
    pub fn number_in(self, family: Family) -> u32 {
        if family.numbering() == self.family {
            self.number
        } else {
            family.newest()
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.family.name(), self.number)
    }
}

impl FromStr for Release {
    type Err = UnknownRelease;

    /// Parses `llvm-22`: a family's name and a known release number of it.
    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        Release::known()
            .find(|release| release.to_string() == text)
            .ok_or(UnknownRelease)
    }
}

/// The error that no known release has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRelease;

impl fmt::Display for UnknownRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown release; known are ")?;
        for (i, release) in Release::known().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{release}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownRelease {}

/// A set of releases, to which ranges are added.
///
/// ```
/// use rmlir_ir::definition::{ReleaseRange, ReleaseSet};
///
/// let mut declared = ReleaseSet::default();
/// assert!(declared.insert(ReleaseRange { first: 19, last: 21 }));
/// assert!(declared.insert(ReleaseRange { first: 22, last: 24 }));
/// assert!(!declared.insert(ReleaseRange { first: 20, last: 30 }));
/// ```
#[derive(Clone, Default, Debug)]
pub struct ReleaseSet {
    /// The last release of each range by its first; the ranges are disjoint.
    ranges: BTreeMap<u32, u32>,
}

impl ReleaseSet {
    /// Adds the releases of a range. Returns whether none of them was in the set. Takes O(log n),
    /// amortized.
    pub fn insert(&mut self, range: ReleaseRange) -> bool {
        let (mut first, mut last) = (range.first, range.last);
        let mut is_new = true;
        while let Some((&start, &end)) = self.ranges.range(..=last).next_back()
            && end >= first
        {
            is_new = false;
            first = first.min(start);
            last = last.max(end);
            self.ranges.remove(&start);
        }
        if first <= last {
            self.ranges.insert(first, last);
        }
        is_new
    }
}

/// The releases of a family in which a part of a definition applies: from `first` to `last`, both
/// included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReleaseRange {
    /// The first release.
    pub first: u32,
    /// The last release.
    pub last: u32,
}

impl Default for ReleaseRange {
    /// Returns [`ReleaseRange::ALL`].
    fn default() -> Self {
        ReleaseRange::ALL
    }
}

impl ReleaseRange {
    /// All releases.
    pub const ALL: Self = ReleaseRange {
        first: 0,
        last: u32::MAX,
    };

    /// Returns whether a release is in the range.
    pub const fn contains(self, number: u32) -> bool {
        self.first <= number && number <= self.last
    }

    /// Returns whether the ranges have a release in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}
