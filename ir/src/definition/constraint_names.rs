//! The names of constraints that a definition uses.

use super::DialectDefinition;
use crate::constraint::{AttributeConstraint, Confinement, TypeConstraint, TypePredicate};
use std::collections::BTreeSet;

impl DialectDefinition {
    /// Returns the names of constraints that the definition uses but neither it nor the library
    /// declares.
    ///
    /// The result contains names of constraints on types, and on attributes, used by its
    /// operations, attributes and types, including those of dialects that it [uses](Self::uses).
    /// Linear in the definition, times the logarithm of its size.
    pub fn undeclared_constraints(&self) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let (mut types, mut attributes) = (BTreeSet::new(), BTreeSet::new());
        for operation in self.operations() {
            for group in operation.operands.iter().chain(&operation.results) {
                types.insert(&*group.constraint);
            }
            for region in &operation.regions {
                types.extend(region.arguments.iter().flatten().map(|name| &**name));
            }
            for attribute in operation.attributes() {
                if attribute.enumeration.is_empty() {
                    attributes.insert(&*attribute.constraint);
                }
                let inner = Confinement::constraints(&attribute.confinements);
                attributes.extend(inner.map(|constraint| &*constraint.name));
            }
        }
        for entry in self.attributes.entries().iter().chain(self.types.entries()) {
            for parameter in &entry.parameters {
                let inner = Confinement::constraints(&parameter.confinements);
                attributes.extend(inner.map(|constraint| &*constraint.name));
            }
        }
        let find = |name: &str| self.type_constraint(name).cloned();
        types.retain(|name| match name.starts_with('(') {
            true => TypePredicate::parse(name, &find).is_err(),
            false => self.type_constraint(name).is_none() && TypeConstraint::find(name).is_none(),
        });
        let entries = self.attributes.entries().iter();
        let declared: BTreeSet<&str> = entries.map(|entry| &*entry.constraint).collect();
        let enums: BTreeSet<&str> = self.enums.iter().map(|e| &*e.name).collect();
        attributes.retain(|name| {
            !name.starts_with('#')
                && !name.contains('.')
                && !declared.contains(name)
                && !enums.contains(name)
                && AttributeConstraint::find(name).is_none()
                && self.attribute_constraint(name).is_none()
        });
        for names in [&mut types, &mut attributes] {
            names.retain(|name| !name.is_empty() && *name != "_");
        }
        (types, attributes)
    }
}
