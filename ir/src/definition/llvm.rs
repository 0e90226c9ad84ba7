//! What each release of LLVM does, apart from the definitions of its dialects.
//!
//! Everything in this project that depends on a release of LLVM, and not on a definition, is stated
//! here once.

use super::release::{Family, Release};

/// A release of LLVM as a writer of bytecode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LlvmRelease {
    /// The major version.
    pub number: u32,
    /// The producer that its bytecode names.
    pub producer: &'static str,
    /// The newest version of bytecode that it reads.
    pub bytecode_version: u8,
}

const fn release(number: u32, producer: &'static str, bytecode_version: u8) -> LlvmRelease {
    LlvmRelease {
        number,
        producer,
        bytecode_version,
    }
}

/// The releases that the bundled definitions describe, oldest first.
pub(super) const RELEASES: [LlvmRelease; 6] = [
    release(19, "MLIR19.1.7", 6),
    release(20, "MLIR20.1.8", 6),
    release(21, "MLIR21.1.8", 6),
    release(22, "MLIR22.1.8", 6),
    release(23, "MLIR23.1.4", 6),
    // During its development, as of 2026-10-25.
    release(24, "MLIR24.0.0", 6),
];

/// The major versions of the releases.
pub(super) const NUMBERS: [u32; RELEASES.len()] = {
    let mut numbers = [0; RELEASES.len()];
    let mut at = 0;
    while at < numbers.len() {
        numbers[at] = RELEASES[at].number;
        at += 1;
    }
    numbers
};

impl LlvmRelease {
    /// Returns the release of that major version; `None` if it is not a known one.
    pub fn of(number: u32) -> Option<Self> {
        RELEASES.into_iter().find(|one| one.number == number)
    }
}

/// What releases of LLVM have from one of them on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LlvmFeature {
    /// Locations that are ranges of a file.
    FileRanges,
    /// The entries of `#dlti.dl_spec` are written as `key = value`, without `#dlti.dl_entry`.
    BareLayoutEntries,
    /// Calls of `llvm` have operand bundles, and sizes of the groups of their operands.
    OperandBundles,
    /// The mask of `vector.shuffle` is a dense array, not a list of attributes.
    DenseMasks,
    /// The values of the cases of `llvm.switch` are printed with their sign.
    SignedCases,
    /// The text of `tosa.cond_if` has its inputs and the type of its condition.
    ConditionInputs,
    /// The builtin types `token` and `graph`.
    GraphTypes,
    /// Use-list orders in bytecode are sorted by the number of the value.
    SortedUseLists,
    /// The region of `linalg.map` has an argument for the output.
    MappedOutput,
    /// The map types of `omp.map.info` are an attribute, not an unsigned integer.
    MapFlags,
    /// One space precedes an attribute that is printed without its mnemonic.
    SingleSpaces,
    /// Bytecode encodes all builtin types instead of storing the text of some.
    EncodedTypes,
    /// Bytecode encodes affine maps and integer sets instead of storing their text.
    EncodedMaps,
    /// The members of an enumeration are in angle brackets where they are a whole attribute.
    EnclosedMembers,
    /// A dictionary of properties, `<name = value>`, has values as in formats.
    BareProperties,
    /// The bodies of structured operations cast between floats of the same width.
    FloatConversions,
}

impl LlvmFeature {
    /// Returns the major version of the first release that has it.
    pub const fn first_release(self) -> u32 {
        match self {
            LlvmFeature::FileRanges
            | LlvmFeature::BareLayoutEntries
            | LlvmFeature::OperandBundles
            | LlvmFeature::DenseMasks => 20,
            LlvmFeature::SignedCases => 21,
            LlvmFeature::ConditionInputs | LlvmFeature::MapFlags | LlvmFeature::MappedOutput => 22,
            LlvmFeature::GraphTypes
            | LlvmFeature::SortedUseLists
            | LlvmFeature::SingleSpaces
            | LlvmFeature::EncodedTypes => 23,
            LlvmFeature::EncodedMaps
            | LlvmFeature::EnclosedMembers
            | LlvmFeature::BareProperties
            | LlvmFeature::FloatConversions => 24,
        }
    }

    /// Returns whether the release of this major version has it.
    pub const fn is_in(self, number: u32) -> bool {
        number >= self.first_release()
    }
}

impl Release {
    /// Returns whether the release of LLVM that [corresponds](Self::number_in) to this one has a
    /// feature.
    pub fn has(self, feature: LlvmFeature) -> bool {
        feature.is_in(self.number_in(Family::Llvm))
    }
}
