//! What definitions ask of types, attributes and regions.
//!
//! * [`TypePredicate`]: what a type must be, as data; a [`TypeConstraint`] is one with a name.
//!   Those of upstream's `CommonTypeConstraints.td` are known to every definition:
//!   [`builtin_types`].
//! * [`AttributeConstraint`], [`RegionConstraint`]: rows of a name, a description and a check.
//! * [`ConfinedConstraint`]: such a constraint on attributes with what confines it further, as
//!   data; [`AttributeIs`] is that with all that it names looked up.
//!
//! Names are those of upstream's definitions, descriptions the words in which upstream's errors
//! speak of the constraint.

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
pub(crate) use predicate::Refusal;
pub use predicate::TypePredicate;
pub use region::RegionConstraint;
use std::sync::Arc;

/// What a type must be, under a name.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeConstraint {
    /// What definitions call it.
    pub name: Text,
    /// What errors call it.
    pub summary: Text,
    /// What keeps it.
    pub predicate: TypePredicate,
}

impl TypeConstraint {
    /// The constraint of that name among those that every definition knows. Takes O(log n).
    pub fn find(name: &str) -> Option<&'static Arc<Self>> {
        let all = builtin_types();
        let at = all.binary_search_by(|c| (*c.name).cmp(name)).ok()?;
        all.get(at)
    }

    /// Whether a type may keep it: it does, or only code of the type's dialect can tell.
    pub fn accepts(&self, context: &Context, ty: Type) -> bool {
        self.predicate.holds(context, ty) != Some(false)
    }
}

impl Context {
    /// What a definition of the dialect calls so where it says what operands and results must be: a
    /// constraint of its own, one that every definition knows, one of a dialect that it uses, or a
    /// predicate in parentheses. None if nobody knows it, or the dialect.
    ///
    /// Takes O(log n) in the constraints of a dialect, times the dialects that it uses; of a
    /// predicate, linear in its text.
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
