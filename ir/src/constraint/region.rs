//! How many blocks a region must have.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::Block;

/// What a region must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionConstraint {
    /// Anything.
    Any,
    /// Of so many blocks.
    Sized(u32),
    /// Of so many blocks or more.
    MinSized(u32),
    /// Of so many blocks or less.
    MaxSized(u32),
    /// Of so many blocks, as [`Sized`](Self::Sized): what `irdl.region with size` says, of which
    /// errors speak in other words.
    Blocks(u32),
}

/// What is named, with a number behind it in parentheses.
struct Row {
    name: &'static str,
    /// The number where none is said: that of upstream's definitions.
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
    /// The constraint of that name, with a number in parentheses behind it or the usual one;
    /// [`Any`](Self::Any) if it is not known.
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

    /// What errors call it.
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

    /// Whether a region of so many blocks keeps it. No more blocks are counted than are needed: the
    /// iterator is asked for one more than the constraint names.
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

    /// Whether a number stands behind the name of a constraint.
    pub(crate) fn takes_number(name: &str) -> bool {
        ROWS.iter().any(|row| row.name == name)
    }

    /// Whether a number must stand behind it.
    pub(crate) fn needs_number(name: &str) -> bool {
        ROWS.iter()
            .any(|row| row.name == name && row.usual.is_none())
    }
}
