//! Budgets: limits on the work and memory that an input may cause beyond its own size.
//!
//! Content that the bytes spell out item by item is bounded by the length of the input. Limits are
//! for the rest: content that shared entries multiply, text that expands when it is printed, and
//! bounds that the caller wants to be tighter.

use crate::error::{Error, ErrorKind, Result};

pub use rmlir_limits::*;

/// The budgets of one read or write. The defaults are far above the needs of real files.
///
/// ```
/// let mut limits = rmlir_format::Limits::default();
/// limits.max_depth = 1_000;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of operands, results, regions or successors of one operation.
    pub max_values_per_op: u64,
    /// Maximum number of results, block arguments, splat elements etc. created by sharing.
    ///
    /// Counted over a whole input. In mlirbc and text, in addition to
    /// [`max_shared_entities_per_byte`](Self::max_shared_entities_per_byte) for each byte; see
    /// [`shared_entities`](Limits::shared_entities) and
    /// [`shared_entities_of_content`](Limits::shared_entities_of_content).
    pub max_shared_entities: u64,
    /// The amount that each byte of the input adds to the budget for shared entities.
    pub max_shared_entities_per_byte: u64,
    /// Of rmbc: the amount that each decompressed byte of the file allows, if that is more than
    /// [`max_shared_entities`](Self::max_shared_entities) in all.
    ///
    /// An entity takes up to 50 bytes, so by default sharing takes up to 64 MiB, or 100 times the
    /// decompressed size.
    pub max_shared_entities_per_content_byte: u64,
    /// Maximum total number of decompressed bytes of the compressed sections of a file.
    ///
    /// In addition to [`max_decompressed_bytes_per_byte`](Self::max_decompressed_bytes_per_byte)
    /// for each byte of the file.
    pub max_decompressed_bytes: u64,
    /// The amount that each byte of the file adds to the limit of decompressed bytes.
    pub max_decompressed_bytes_per_byte: u64,
    /// Maximum nesting depth of regions, attributes, types or locations.
    ///
    /// Nothing recurses, so the default only excludes absurd inputs (real code generators reach a
    /// few thousand).
    pub max_depth: u64,
    /// Maximum number of sections of one file.
    pub max_section_count: u64,
}

impl Default for Limits {
    /// Returns the `DEFAULT_` constants of this module.
    fn default() -> Self {
        Limits {
            max_values_per_op: DEFAULT_MAX_VALUES_PER_OP,
            max_shared_entities: DEFAULT_MAX_SHARED_ENTITIES,
            max_shared_entities_per_byte: DEFAULT_MAX_SHARED_ENTITIES_PER_BYTE,
            max_shared_entities_per_content_byte: DEFAULT_MAX_SHARED_ENTITIES_PER_CONTENT_BYTE,
            max_decompressed_bytes: DEFAULT_MAX_DECOMPRESSED_BYTES,
            max_decompressed_bytes_per_byte: DEFAULT_MAX_DECOMPRESSED_BYTES_PER_BYTE,
            max_depth: DEFAULT_MAX_DEPTH,
            max_section_count: DEFAULT_MAX_SECTION_COUNT,
        }
    }
}

impl Limits {
    /// Returns the budget of [`max_shared_entities`](Limits::max_shared_entities) for an input.
    ///
    /// `input_bytes` is the length of the input: a larger file may create more shared entities.
    pub fn shared_entities(&self, input_bytes: u64) -> Budget {
        let paid = input_bytes.saturating_mul(self.max_shared_entities_per_byte);
        Budget::new(
            SHARED_ENTITIES,
            self.max_shared_entities.saturating_add(paid),
        )
    }

    /// Returns the budget of [`max_shared_entities`](Limits::max_shared_entities) for an rmbc file.
    ///
    /// `content_bytes` is the total length of the content of its sections.
    pub fn shared_entities_of_content(&self, content_bytes: u64) -> Budget {
        let paid = content_bytes.saturating_mul(self.max_shared_entities_per_content_byte);
        Budget::new(SHARED_ENTITIES, self.max_shared_entities.max(paid))
    }

    /// Returns the maximum total decompressed size of the sections of a file of `input_bytes`
    /// bytes.
    pub fn decompressed_bytes(&self, input_bytes: u64) -> u64 {
        let paid = input_bytes.saturating_mul(self.max_decompressed_bytes_per_byte);
        self.max_decompressed_bytes.saturating_add(paid)
    }
}

/// Checks one quantity against its limit. `what` is a plural, as in "sections of one file".
///
/// # Errors
/// [`ErrorKind::Limit`] if `value` is greater than `limit`; without a location, which the caller
/// adds.
#[inline]
pub fn check_limit(what: &'static str, value: u64, limit: u64) -> Result<()> {
    if value <= limit {
        return Ok(());
    }
    Err(exceeded(what, value, limit))
}

/// A quantity that is spent in steps.
#[derive(Clone, Debug)]
pub struct Budget {
    what: &'static str,
    limit: u64,
    spent: u64,
}

impl Budget {
    /// Creates a budget of `limit` units. `what` names them in errors, as a plural.
    pub fn new(what: &'static str, limit: u64) -> Self {
        Budget {
            what,
            limit,
            spent: 0,
        }
    }

    /// Spends `amount` units; call it before the memory is reserved. O(1).
    ///
    /// # Errors
    /// [`ErrorKind::Limit`], without a location, if fewer are left; then nothing is spent.
    #[inline]
    pub fn spend(&mut self, amount: u64) -> Result<()> {
        match self.spent.checked_add(amount) {
            Some(spent) if spent <= self.limit => {
                self.spent = spent;
                Ok(())
            }
            spent => Err(exceeded(self.what, spent.unwrap_or(u64::MAX), self.limit)),
        }
    }

    /// Returns the number of units left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }
}

const SHARED_ENTITIES: &str = "entities made from shared entries";

/// The quantities that fields of [`Limits`] bound, as they are called in errors. Other quantities
/// are bounded by the formats themselves, or by the length of the input.
const FIELDS: &[(&str, &str)] = &[
    (SHARED_ENTITIES, "max_shared_entities"),
    ("bytes of compressed sections", "max_decompressed_bytes"),
    ("levels of nesting", "max_depth"),
    ("sections of one file", "max_section_count"),
    ("operands", "max_values_per_op"),
    ("results", "max_values_per_op"),
    ("regions", "max_values_per_op"),
    ("successors", "max_values_per_op"),
];

#[cold]
#[inline(never)]
fn exceeded(what: &str, value: u64, limit: u64) -> Error {
    let mut message = format!("{value} {what} are more than the limit of {limit}");
    if let Some((_, field)) = FIELDS.iter().find(|(quantity, _)| *quantity == what) {
        message.push_str(&format!(" (Limits::{field})"));
    }
    Error::new(ErrorKind::Limit, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_inclusive() {
        check_limit("sections", 5, 5).unwrap();
        let error = check_limit("sections", 6, 5).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert_eq!(error.message(), "6 sections are more than the limit of 5");
    }

    #[test]
    fn errors_name_the_field() {
        let error = check_limit("levels of nesting", 6, 5).unwrap_err();
        assert_eq!(
            error.message(),
            "6 levels of nesting are more than the limit of 5 (Limits::max_depth)"
        );
        let limits = Limits {
            max_shared_entities: 0,
            ..Limits::default()
        };
        let error = limits.shared_entities(1).spend(65).unwrap_err();
        assert!(error.message().ends_with("(Limits::max_shared_entities)"));
        // Each name is that of a field.
        let fields = format!("{limits:?}");
        assert!(FIELDS.iter().all(|(_, field)| fields.contains(field)));
    }

    #[test]
    fn a_budget_is_spent_once() {
        let mut budget = Budget::new("things", 10);
        budget.spend(4).unwrap();
        assert_eq!(budget.spend(7).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(budget.left(), 6);
        budget.spend(6).unwrap();
        budget.spend(0).unwrap();
        budget.spend(1).unwrap_err();
        budget.spend(u64::MAX).unwrap_err();
        assert_eq!(budget.left(), 0);
    }

    #[test]
    fn large_inputs_may_multiply_more() {
        let limits = Limits::default();
        assert_eq!(
            limits.shared_entities(5).left(),
            DEFAULT_MAX_SHARED_ENTITIES + 5 * 64
        );
        assert_eq!(limits.shared_entities(u64::MAX).left(), u64::MAX);
        assert_eq!(limits.decompressed_bytes(1), (64 << 20) + 256);
        assert_eq!(limits.decompressed_bytes(u64::MAX), u64::MAX);
    }
}
