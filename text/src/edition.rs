//! Editions of the language: their names. What an older one has and the current one does not is in
//! the parser.

use std::fmt;
use std::str::FromStr;

/// An edition of the textual form.
///
/// MLIR's textual form has no version number. An older edition is named after the year of the
/// language reference that describes it. Reading a text of an older edition yields a module of the
/// current one, with today's operations; it is printed as today. An edition includes the constructs
/// of the current one, and those that were removed after it.
///
/// ```
/// use rmlir_text::Edition;
///
/// assert_eq!("2018".parse(), Ok(Edition::V2018));
/// assert_eq!(Edition::V2021.to_string(), "2021");
/// assert!(Edition::V2018 < Edition::Current);
/// assert_eq!(Edition::default(), Edition::Current);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Edition {
    /// The first language reference, of December 2018: `func`, `for` and `if`, the standard
    /// operations without a prefix, affine maps without `affine_map`, `{name: value}`.
    V2018,
    /// The language reference of the end of 2021: `func`, `br`, `cond_br`, `memref.tensor_load`,
    /// type aliases with `type`. The standard operations of the years before are included.
    V2021,
    /// The language reference of the beginning of 2022: `func`, `call`, type aliases with `type`.
    V2022,
    /// The edition of the release; see [`rmlir_ir::Context::release`].
    #[default]
    Current,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: &'static [Edition] = &[
        Edition::V2018,
        Edition::V2021,
        Edition::V2022,
        Edition::Current,
    ];

    /// Returns the name: the year, or `current`.
    pub fn name(self) -> &'static str {
        match self {
            Edition::V2018 => "2018",
            Edition::V2021 => "2021",
            Edition::V2022 => "2022",
            Edition::Current => "current",
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that is not that of an [`Edition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownEdition;

impl fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown edition: expected 2018, 2021, 2022 or current")
    }
}

impl std::error::Error for UnknownEdition {}

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(text: &str) -> Result<Self, UnknownEdition> {
        let mut all = Edition::ALL.iter().copied();
        all.find(|edition| edition.name() == text)
            .ok_or(UnknownEdition)
    }
}
