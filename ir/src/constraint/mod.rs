//! Constraints of definitions on types, attributes and regions.
//!
//! * [`TypePredicate`]: a condition on a type, as data; a [`TypeConstraint`] is a named one. Every
//!   definition can refer to the [`builtin_types`], those of upstream's `CommonTypeConstraints.td`.
//! * [`AttributeConstraint`], [`RegionConstraint`]: rows of a name, a description and a check.
//! * [`ConfinedConstraint`]: a constraint on attributes with further conditions, as data;
//!   [`AttributeIs`] is one with every name resolved.
//!
//! Names are those of upstream's definitions. Descriptions are the words that upstream's error
//! messages use for the constraint.

mod attribute_is;
mod attributes;
mod builtin;
mod confinement;
mod predicate;
mod region;

use crate::definition::Text;
use crate::{Context, Type};
pub use attribute_is::AttributeIs;
pub use attributes::{ATTRIBUTE_CONSTRAINTS, AttributeConstraint, AttributeSort};
pub use builtin::builtin_types;
pub use confinement::{ConfinedConstraint, Confinement, ConfinementRule, NamedAttributeConstraint};
pub(crate) use confinement::{DEEPEST, RULES, RuleKind};
pub(crate) use predicate::PredicateError;
pub use predicate::TypePredicate;
pub(crate) use predicate::{Refusal, may_have_shape};
pub use region::RegionConstraint;
use std::sync::Arc;

/// A named constraint on types.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeConstraint {
    /// The name in definitions.
    pub name: Text,
    /// The description for error messages.
    pub summary: Text,
    /// The condition.
    pub predicate: TypePredicate,
}

impl TypeConstraint {
    /// Returns the constraint of that name among those that every definition can refer to. O(log
    /// n).
    pub fn find(name: &str) -> Option<&'static Arc<Self>> {
        let all = builtin_types();
        let at = all.binary_search_by(|c| (*c.name).cmp(name)).ok()?;
        all.get(at)
    }

    /// Returns whether a type satisfies the constraint, or whether only code of the type's dialect
    /// can decide it.
    pub fn accepts(&self, context: &Context, ty: Type) -> bool {
        self.predicate.holds(context, ty) != Some(false)
    }
}

impl Context {
    /// Resolves a type constraint by the name that a dialect's definition uses for it: a constraint
    /// of its own, a builtin one, one of a dialect that it uses, or a predicate in parentheses.
    /// `None` if the dialect or the constraint is unknown.
    ///
    /// Takes O(log n) in the constraints of a dialect, times the dialects that it uses; for a
    /// predicate, time linear in its text.
    pub fn type_constraint(&self, namespace: &[u8], name: &str) -> Option<Arc<TypeConstraint>> {
        let dialect = self.dialect(namespace)?;
        if name.starts_with('(') {
            let find = |name: &str| dialect.type_constraint(name).cloned();
            let predicate = TypePredicate::parse(name, &find).ok()?;
            return Some(Arc::new(TypeConstraint {
                name: name.to_owned().into(),
                summary: predicate.summary().into(),
                predicate,
            }));
        }
        let own = dialect.type_constraint(name).cloned();
        own.or_else(|| {
            let mut used = dialect.uses.iter();
            used.find_map(|used| {
                let used = self.dialect(used.as_bytes())?;
                used.type_constraint(name).cloned()
            })
        })
    }
}
