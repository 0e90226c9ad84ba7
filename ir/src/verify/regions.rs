//! Constraints on an operation's regions: the number of blocks and the arguments of entry blocks.
//!
//! The numbers of blocks are those of TableGen ("Operation Definition Specification", "Region
//! Constraints"). The constraints on arguments, and [`RegionConstraint::Blocks`], are those of
//! `irdl.region`. As upstream, errors of an argument are reported at the argument's location.

use super::plan::Plan;
use super::{Message, VerifyFailure, VerifyResult};
use crate::constraint::{Refusal, RegionConstraint, TypeConstraint};
use crate::definition::GroupDefinition;
use crate::op::Op;
use crate::{Location, Region, Type};
use std::sync::Arc;

/// The constraints on the regions of a group.
pub(super) struct RegionRule<'c> {
    pub(super) definition: &'c GroupDefinition,
    size: RegionConstraint,
    /// The constraints of the entry block's arguments; `None` if any arguments are valid.
    arguments: Option<Box<[Option<Arc<TypeConstraint>>]>>,
}

/// An argument of an entry block.
#[derive(Clone, Copy)]
pub(super) struct Argument {
    /// The index of its region's group and its own index.
    pub(super) key: (usize, usize),
    pub(super) ty: Type,
    pub(super) location: Location,
}

impl<'c> RegionRule<'c> {
    pub(super) fn new(
        definition: &'c GroupDefinition,
        constraint: impl Fn(&str) -> Option<Arc<TypeConstraint>>,
    ) -> Self {
        let arguments = definition.arguments.as_ref();
        RegionRule {
            definition,
            size: RegionConstraint::find(&definition.constraint),
            arguments: arguments.map(|all| all.iter().map(|name| constraint(name)).collect()),
        }
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.arguments.is_some()
    }

    /// Returns whether the rule constrains anything.
    pub(super) fn needs_look(&self) -> bool {
        self.size != RegionConstraint::Any || self.arguments.is_some()
    }
}

/// Checks the regions of an operation, whose total number is already checked.
pub(super) fn check(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let groups = &plan.regions.groups;
    // Only the last group can be variadic.
    let last = groups.len().saturating_sub(1);
    let mut known = plan.relations.known(op, &plan.operands, &plan.results);
    for (number, region) in op.module.regions(op.operation).enumerate() {
        let place = number.min(last);
        let Some(group) = groups.get(place) else {
            continue;
        };
        let rule = &group.constraint;
        if !rule.size.accepts(op.module.blocks(region)) {
            return Err(wrong_size(op, rule.size, number, group.name, region));
        }
        let Some(constraints) = &rule.arguments else {
            continue;
        };
        let entry = op.module.first_block(region);
        let mut arguments = entry
            .into_iter()
            .flat_map(|block| op.module.arguments(block));
        let found = entry.map_or(0, |block| op.module.argument_count(block));
        if found != constraints.len() {
            let message = format!(
                "expected region {number} to have {} arguments but got {found}",
                constraints.len()
            );
            return Err(match arguments.next() {
                Some((_, location)) => at_argument(op, location, message),
                None => VerifyFailure::plain(message),
            });
        }
        for (index, ((value, location), constraint)) in arguments.zip(constraints).enumerate() {
            let argument = Argument {
                key: (place, index),
                ty: op.module.value_type(value),
                location,
            };
            let of = (&plan.operands, &plan.results);
            plan.relations
                .check_argument(op, of, argument, &mut known)?;
            if let Some(constraint) = constraint
                && !constraint.accepts(op.context, argument.ty)
            {
                return Err(refused(op, constraint, argument));
            }
        }
    }
    Ok(())
}

#[cold]
fn wrong_size(
    op: Op<'_>,
    size: RegionConstraint,
    number: usize,
    name: &str,
    region: Region,
) -> Box<VerifyFailure> {
    if let RegionConstraint::Blocks(expected) = size {
        let found = op.module.blocks(region).count();
        let message =
            format!("expected region {number} to have {expected} block(s) but got {found}");
        return VerifyFailure::plain(message);
    }
    let name = match name {
        "" | "_" => String::new(),
        name => format!(" ('{name}')"),
    };
    VerifyFailure::op(format!(
        "region #{number}{name} failed to verify constraint: {}",
        size.summary()
    ))
}

/// Returns the failure for an argument whose type violates its constraint.
#[cold]
fn refused(op: Op<'_>, constraint: &TypeConstraint, argument: Argument) -> Box<VerifyFailure> {
    let got = |expected: String| Message::from(expected).text("' but got '");
    let message = match constraint.predicate.refusal(op.context, argument.ty) {
        Refusal::Is(ty) => got(format!("expected '{ty}")).ty(argument.ty).text("'"),
        Refusal::Base { expected, found } => {
            got(format!("expected base type '{expected}")).text(found + "'")
        }
        Refusal::Other => Message::from("'")
            .ty(argument.ty)
            .text("' does not satisfy the constraint"),
    };
    at_argument(op, argument.location, message)
}

/// Returns a failure at the location of a block argument.
#[cold]
pub(super) fn at_argument(
    op: Op<'_>,
    location: Location,
    message: impl Into<Message>,
) -> Box<VerifyFailure> {
    let of_operation = op.module.location(op.operation);
    VerifyFailure::plain(message)
        .at(location)
        .note(of_operation, "see the operation")
}
