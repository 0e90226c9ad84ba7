//! The rules that apply to the operations of a name, prepared for checking many operations.

use super::branches::Branches;
use super::groups::{Count, Groups};
use super::inherent::{self, Inherent};
use super::names::Names;
use super::regions::RegionRule;
use super::relations::Relations;
use super::requirements::Requirements;
use super::rules::{Phase, RULES};
use super::signature::{Signature, Signatures};
use super::{OperationVerifier, VerifyFailure, VerifyOptions, VerifyResult};
use crate::constraint::{AttributeIs, TypeConstraint};
use crate::definition::{
    GroupDefinition, GroupKind, InherentAttribute, OperationDefinition, OperationTraits, Presence,
};
use crate::op::Op;
use crate::{Context, Identifier, OperationName, SymbolTableCollection};
use std::sync::Arc;

/// Groups of operands or results with their type constraints.
pub(super) type TypeGroups<'c> = Groups<'c, Option<Arc<TypeConstraint>>>;

/// The verdict on an operation without a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undefined {
    Allowed,
    /// Invalid: its dialect is not registered.
    Unregistered,
    /// Invalid: the definition of its dialect is complete and does not declare it.
    Unknown,
}

impl TypeGroups<'_> {
    /// Returns whether anything beyond the total number must be checked.
    pub(super) fn needs_look(&self) -> bool {
        self.has_sizes
            || self.groups.iter().any(|group| {
                group.kind == GroupKind::Optional
                    || group.lists.is_some()
                    || group
                        .constraint
                        .as_ref()
                        .is_some_and(|c| !c.predicate.is_any())
            })
    }
}

pub(super) struct AttributeRule<'c> {
    pub(super) name: &'c str,
    pub(super) identifier: Option<Identifier>,
    pub(super) is_required: bool,
    pub(super) constraint: Option<AttributeIs>,
}

/// Returns the plans of all operation names of the context, indexed by name.
pub(super) fn plans<'c>(
    context: &'c Context,
    names: &'c Names,
    options: &VerifyOptions,
) -> Vec<Plan<'c>> {
    let names_of_operations = context.operation_names();
    names_of_operations
        .map(|name| Plan::new(context, names, name, options))
        .collect()
}

/// The rules for the operations of a name, in the context's release.
pub(super) struct Plan<'c> {
    pub(super) names: &'c Names,
    pub(super) definition: Option<&'c OperationDefinition>,
    traits: OperationTraits,
    undefined: Undefined,
    /// Bit sets of indices in [`RULES`], by phase. `by_signature` is a subset of `entry`.
    entry: u32,
    by_signature: u32,
    exit: u32,
    good: Signatures,
    pub(super) operands: TypeGroups<'c>,
    pub(super) results: TypeGroups<'c>,
    pub(super) regions: Groups<'c, RegionRule<'c>>,
    pub(super) successors: Count,
    pub(super) relations: Relations<'c>,
    pub(super) requirements: Requirements<'c>,
    pub(super) branches: Branches,
    pub(super) inherent: Inherent<'c>,
    /// Sorted by name.
    pub(super) attributes: Box<[AttributeRule<'c>]>,
    pub(super) parents: Box<[&'c str]>,
    pub(super) implicit_terminator: Option<&'c str>,
}

impl<'c> Plan<'c> {
    pub(super) fn new(
        context: &'c Context,
        names: &'c Names,
        name: OperationName,
        options: &VerifyOptions,
    ) -> Self {
        let definition = context.operation_definition(name).map(|d| &**d);
        let release = context.release();
        let namespace = context.operation_dialect(name);
        let undefined = match context.dialect(context.bytes(namespace)) {
            // The releases of other projects do not cover the context's, so absence proves
            // nothing.
            Some(dialect) if dialect.operations_complete && release.covers(dialect.family) => {
                match options.allow_unknown {
                    true => Undefined::Allowed,
                    false => Undefined::Unknown,
                }
            }
            None if !options.allow_unregistered_dialects
                && namespace != context.builtin_namespace() =>
            {
                Undefined::Unregistered
            }
            _ => Undefined::Allowed,
        };
        let traits = context.operation_traits(name).unwrap_or_default();
        let groups = |list: fn(&OperationDefinition) -> &[GroupDefinition]| {
            definition
                .into_iter()
                .flat_map(move |d| d.groups_in(list(d), release))
                .collect::<Vec<_>>()
        };
        let has = |of| traits.contains(of);
        let type_constraint = |name: &str| context.type_constraint(context.bytes(namespace), name);
        let constraint = |group: &GroupDefinition| type_constraint(&group.constraint);
        let operands = Groups::new(
            context,
            &groups(|d| &d.operands),
            has(OperationTraits::ATTRIBUTE_SIZED_OPERANDS).then_some(names.operand_segment_sizes),
            constraint,
        );
        let results = Groups::new(
            context,
            &groups(|d| &d.results),
            has(OperationTraits::ATTRIBUTE_SIZED_RESULTS).then_some(names.result_segment_sizes),
            constraint,
        );
        let regions = Groups::new(context, &groups(|d| &d.regions), None, |group| {
            RegionRule::new(group, type_constraint)
        });
        let dialect = context.dialect(context.bytes(namespace));
        let attribute_is =
            |attribute: &InherentAttribute| AttributeIs::of(context, dialect.as_ref()?, attribute);
        let mut plan = Plan {
            names,
            definition,
            traits,
            undefined,
            entry: 0,
            by_signature: 0,
            exit: 0,
            good: Signatures::new(false),
            relations: Relations::new(definition, release, &operands, &results, &regions),
            requirements: Requirements::new(context, definition),
            branches: Branches::new(definition, release, &operands),
            inherent: Inherent::new(context, names, name, options),
            operands,
            results,
            regions,
            successors: Count::of(&groups(|d| &d.successors)),
            attributes: definition
                .into_iter()
                .flat_map(|d| d.attributes_in(release))
                .map(|attribute| AttributeRule {
                    name: &attribute.name,
                    identifier: context.find_identifier(&*attribute.name),
                    is_required: attribute.presence == Presence::Required,
                    constraint: attribute_is(attribute),
                })
                .filter(|rule| rule.is_required || rule.constraint.is_some())
                .collect(),
            parents: definition
                .into_iter()
                .flat_map(|d| d.parents_in(release))
                .collect(),
            implicit_terminator: definition.and_then(|d| d.implicit_terminator(release)),
        };
        if definition.is_some() {
            for (number, rule) in RULES.iter().enumerate() {
                if (rule.applies)(&plan) {
                    match rule.phase {
                        Phase::Entry => plan.entry |= 1 << number,
                        Phase::Signature => {
                            plan.entry |= 1 << number;
                            plan.by_signature |= 1 << number;
                        }
                        Phase::Exit => plan.exit |= 1 << number,
                    }
                }
            }
            plan.good = Signatures::new(plan.by_signature != 0);
        }
        plan
    }

    pub(super) fn verifier(&self) -> Option<&'static dyn OperationVerifier> {
        self.definition?.verifier
    }

    /// Returns whether the operation's hook checks the symbols that the operation refers to.
    pub(super) fn uses_symbols(&self) -> bool {
        self.requirements.use_symbols()
            || self
                .verifier()
                .is_some_and(|verifier| verifier.uses_symbols())
    }

    /// Checks the symbols that the operation refers to, if it [does](Self::uses_symbols).
    pub(super) fn check_symbol_uses(
        &self,
        op: Op<'_>,
        symbols: &mut SymbolTableCollection,
    ) -> VerifyResult {
        self.requirements.check_symbols(op, symbols)?;
        self.verifier()
            .map_or(Ok(()), |verifier| verifier.verify_symbol_uses(op, symbols))
    }

    /// Returns whether the definition declares an attribute of that name.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.definition
            .is_some_and(|d| d.attributes().iter().any(|a| a.name == name))
    }

    /// Returns whether the definition declares a required attribute of that name.
    pub(super) fn requires(&self, name: &str) -> bool {
        self.attributes
            .iter()
            .any(|rule| rule.name == name && rule.is_required)
    }

    /// Returns the traits; `None` if the operation has no definition.
    pub(super) fn known_traits(&self) -> Option<OperationTraits> {
        self.definition.map(|_| self.traits)
    }

    /// Returns whether the definition has all of these traits.
    pub(super) fn has(&self, traits: OperationTraits) -> bool {
        self.traits.contains(traits)
    }

    /// Checks that the operation may occur although it has no definition, and the discardable
    /// attributes of other dialects.
    pub(super) fn check_undefined(&self, op: Op<'_>) -> VerifyResult {
        match self.undefined {
            Undefined::Allowed => inherent::check_other_dialects(self.names, op),
            Undefined::Unregistered => Err(VerifyFailure::op("created with unregistered dialect")),
            Undefined::Unknown => {
                let identifier = op
                    .context
                    .operation_name_identifier(op.module.name(op.operation));
                let name = op.context.str(identifier);
                let dialect = op.context.operation_dialect(op.module.name(op.operation));
                let dialect = op.context.str(dialect);
                let meant = op.context.suggest_operation(op.context.bytes(identifier));
                let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
                Err(VerifyFailure::plain(format!(
                    "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown operations{}",
                    meant.unwrap_or_default()
                )))
            }
        }
    }

    /// Checks the rules of the entry phase, before the content of the regions is checked.
    pub(super) fn check_entry(&self, operation: Op<'_>) -> VerifyResult {
        if self.by_signature == 0 {
            return self.check(self.entry, operation);
        }
        let signature = Signature::of(operation);
        if self.good.contains(&signature) {
            return self.check(self.entry & !self.by_signature, operation);
        }
        self.check(self.entry, operation)?;
        self.good.insert(signature);
        Ok(())
    }

    /// Checks the rules of the exit phase, after the content of the regions was checked.
    pub(super) fn check_exit(&self, operation: Op<'_>) -> VerifyResult {
        self.check(self.exit, operation)
    }

    fn check(&self, mut rules: u32, operation: Op<'_>) -> VerifyResult {
        while rules != 0 {
            if let Some(rule) = RULES.get(rules.trailing_zeros() as usize) {
                (rule.check)(self, operation)?;
            }
            rules &= rules - 1;
        }
        Ok(())
    }
}
