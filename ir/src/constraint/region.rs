//! Constraints on the number of blocks of a region.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::Block;

/// A constraint on a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionConstraint {
    /// Any number of blocks.
    Any,
    /// Exactly this number of blocks.
    Sized(u32),
    /// At least this number of blocks.
    MinSized(u32),
    /// At most this number of blocks.
    MaxSized(u32),
    /// Exactly this number of blocks, as [`Sized`](Self::Sized), but with the error message of
    /// `irdl.region with size`.
    Blocks(u32),
}

/// A constraint with a name and a number in parentheses.
struct Row {
    name: &'static str,
    /// The default of the number, from upstream's definitions.
    usual: Option<u32>,
    of: fn(u32) -> RegionConstraint,
}

static ROWS: &[Row] = &[
    Row {
        name: "SizedRegion",
        usual: Some(1),
        of: RegionConstraint::Sized,
    },
    Row {
        name: "MinSizedRegion",
        usual: Some(1),
        of: RegionConstraint::MinSized,
    },
    Row {
        name: "MaxSizedRegion",
        usual: Some(1),
        of: RegionConstraint::MaxSized,
    },
    Row {
        name: "Blocks",
        usual: None,
        of: RegionConstraint::Blocks,
    },
];

impl RegionConstraint {
    /// Returns the constraint of that name, with a number in parentheses or the default;
    /// [`Any`](Self::Any) if the name is unknown.
    ///
    /// ```
    /// use rmlir_ir::constraint::RegionConstraint;
    ///
    /// assert_eq!(RegionConstraint::find("SizedRegion"), RegionConstraint::Sized(1));
    /// assert_eq!(RegionConstraint::find("SizedRegion(2)"), RegionConstraint::Sized(2));
    /// assert_eq!(RegionConstraint::find("AnyRegion"), RegionConstraint::Any);
    /// ```
    pub fn find(name: &str) -> Self {
        let (name, number) = match name.strip_suffix(')').and_then(|s| s.split_once('(')) {
            Some((name, number)) => (name.trim_end(), number.trim().parse().ok()),
            None => (name, None),
        };
        let row = ROWS.iter().find(|row| row.name == name);
        let found = row.and_then(|row| Some((row.of)(number.or(row.usual)?)));
        found.unwrap_or(RegionConstraint::Any)
    }

    /// Returns the description for error messages.
    pub fn summary(self) -> String {
        match self {
            RegionConstraint::Any => "any region".to_owned(),
            RegionConstraint::Sized(n) | RegionConstraint::Blocks(n) => {
                format!("region with {n} blocks")
            }
            RegionConstraint::MinSized(n) => format!("region with at least {n} blocks"),
            RegionConstraint::MaxSized(n) => format!("region with at most {n} blocks"),
        }
    }

    /// Returns whether a region with these blocks satisfies the constraint. The iterator is
    /// advanced at most once more than the constraint's number.
    pub(crate) fn accepts(self, blocks: impl Iterator<Item = Block>) -> bool {
        let bound = match self {
            RegionConstraint::Any => return true,
            RegionConstraint::Sized(n)
            | RegionConstraint::MinSized(n)
            | RegionConstraint::MaxSized(n)
            | RegionConstraint::Blocks(n) => n as usize,
        };
        let counted = blocks.take(bound.saturating_add(1)).count();
        match self {
            RegionConstraint::Any => true,
            RegionConstraint::Sized(_) | RegionConstraint::Blocks(_) => counted == bound,
            RegionConstraint::MinSized(_) => counted >= bound,
            RegionConstraint::MaxSized(_) => counted <= bound,
        }
    }

    /// Returns whether the constraint of that name accepts a number.
    pub(crate) fn takes_number(name: &str) -> bool {
        ROWS.iter().any(|row| row.name == name)
    }

    /// Returns whether the constraint of that name requires a number.
    pub(crate) fn needs_number(name: &str) -> bool {
        ROWS.iter()
            .any(|row| row.name == name && row.usual.is_none())
    }
}
