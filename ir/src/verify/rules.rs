//! The rules that definitions impose on operations: a table with one row for each rule.

use super::plan::{Plan, TypeGroups};
use super::{
    Message, VerifyFailure, VerifyResult, function, inherent, regions, same_types, symbols,
};
use crate::Type;
use crate::definition::{GroupKind, OperationTraits};
use crate::op::Op;

/// The phase in which a rule is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Before the content of the operation's regions is checked.
    Entry,
    /// Before the content of the operation's regions is checked. The result depends only on the
    /// operation's [`Signature`](super::signature::Signature), so it is cached.
    Signature,
    /// After the content of the operation's regions was checked.
    Exit,
}

/// A rule that definitions can impose.
pub(super) struct Rule {
    pub(super) phase: Phase,
    /// Returns whether a definition imposes the rule.
    pub(super) applies: fn(&Plan<'_>) -> bool,
    pub(super) check: fn(&Plan<'_>, Op<'_>) -> VerifyResult,
}

/// A rule that applies to operations with the given traits.
macro_rules! of_trait {
    ($phase:ident, $traits:ident, $check:expr) => {
        Rule {
            phase: Phase::$phase,
            applies: |p| p.has(OperationTraits::$traits),
            check: $check,
        }
    };
}

/// The rules in the order in which they are checked. The order is upstream's, because only the
/// first violation of an operation is reported.
pub(super) static RULES: &[Rule] = &[
    Rule {
        phase: Phase::Entry,
        applies: |_| true,
        check: counts,
    },
    of_trait!(Signature, ATTRIBUTE_SIZED_OPERANDS, |p, op| {
        segments(
            &p.operands,
            op,
            "operand",
            op.module.operand_count(op.operation),
        )
    }),
    of_trait!(Signature, ATTRIBUTE_SIZED_RESULTS, |p, op| {
        segments(
            &p.results,
            op,
            "result",
            op.module.result_count(op.operation),
        )
    }),
    of_trait!(Entry, NO_REGION_ARGUMENTS, |_, op| no_region_arguments(op)),
    Rule {
        phase: Phase::Entry,
        applies: |p| !p.parents.is_empty(),
        check: has_parent,
    },
    of_trait!(Entry, SINGLE_BLOCK, single_block),
    Rule {
        phase: Phase::Entry,
        applies: |_| true,
        check: inherent::check,
    },
    Rule {
        phase: Phase::Signature,
        applies: |p| !p.attributes.is_empty(),
        check: attributes,
    },
    Rule {
        phase: Phase::Signature,
        applies: |p| p.operands.needs_look(),
        check: |p, op| {
            let types = op.module.operands(op.operation);
            let types = types.map(|value| op.module.value_type(value));
            value_groups(op, &p.operands, "operand", types)
        },
    },
    Rule {
        phase: Phase::Signature,
        applies: |p| p.results.needs_look(),
        check: |p, op| {
            let types = op.module.results(op.operation);
            let types = types.map(|value| op.module.value_type(value));
            value_groups(op, &p.results, "result", types)
        },
    },
    Rule {
        phase: Phase::Signature,
        applies: |p| !p.relations.is_empty(),
        check: |p, op| p.relations.check(op, &p.operands, &p.results),
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| p.regions.groups.iter().any(|g| g.constraint.needs_look()),
        check: regions::check,
    },
    of_trait!(Signature, SAME_TYPE_OPERANDS, |_, op| {
        same_types::same_type_operands(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_ELEMENT_TYPE, |_, op| {
        same_types::same_operands_element_type(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE, |_, op| {
        same_types::same_operands_and_result_element_type(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_SHAPE, |_, op| {
        same_types::same_operands_shape(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_AND_RESULT_SHAPE, |_, op| {
        same_types::same_operands_and_result_shape(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_AND_RESULT_TYPE, |_, op| {
        same_types::same_operands_and_result_type(op)
    }),
    of_trait!(Signature, SAME_OPERANDS_AND_RESULT_RANK, |_, op| {
        same_types::same_operands_and_result_rank(op)
    }),
    of_trait!(Signature, RESULTS_BROADCASTABLE_SHAPE, |_, op| {
        same_types::results_broadcastable_shape(op)
    }),
    of_trait!(Entry, TERMINATOR, |_, op| terminator(op)),
    of_trait!(Entry, SYMBOL, symbols::check_symbol),
    of_trait!(Entry, FUNCTION, |p, op| {
        let verifier = p.verifier();
        verifier.map_or(Ok(()), |verifier| verifier.verify_type(op))?;
        function::check_attributes(p.names, op)
    }),
    Rule {
        phase: Phase::Entry,
        // The entry block of `gpu.func` has additional arguments, for the memory attributions
        // that these attributes count.
        applies: |p| p.has(OperationTraits::FUNCTION) && !p.knows("workgroup_attributions"),
        check: |p, op| function::check_body(p.names, op),
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| !p.branches.is_empty(),
        check: |p, op| p.branches.check(op, &p.operands),
    },
    Rule {
        phase: Phase::Signature,
        applies: |p| p.requirements.has_plain(),
        check: |p, op| p.requirements.check_plain(op),
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| p.requirements.has_around(),
        check: |p, op| p.requirements.check_around(op),
    },
    Rule {
        phase: Phase::Entry,
        applies: |p| p.verifier().is_some(),
        check: |p, op| p.verifier().map_or(Ok(()), |verifier| verifier.verify(op)),
    },
    Rule {
        phase: Phase::Exit,
        applies: |p| p.implicit_terminator.is_some(),
        check: implicit_terminator,
    },
    of_trait!(Exit, SYMBOL_TABLE, |_, op| symbols::check_table(op)),
    Rule {
        phase: Phase::Exit,
        applies: |p| p.verifier().is_some(),
        check: |p, op| {
            p.verifier()
                .map_or(Ok(()), |verifier| verifier.verify_regions(op))
        },
    },
];

const _: () = assert!(RULES.len() <= 32, "a plan has a bit for each rule");

/// Checks the numbers of regions, results, successors and operands.
fn counts(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let (module, operation) = (op.module, op.operation);
    let regions = module.regions(operation).len();
    let results = module.result_count(operation);
    let successors = module.successors(operation).len();
    let operands = module.operand_count(operation);
    let message = if !plan.regions.count.accepts(regions) {
        match plan.regions.count.pair() {
            (0, false) => "requires zero regions".to_owned(),
            (1, false) => "requires one region".to_owned(),
            (n, false) => format!("expected {n} regions"),
            (n, true) => format!("expected {n} or more regions"),
        }
    } else if !plan.results.count.accepts(results) {
        match plan.results.count.pair() {
            (0, false) => "requires zero results".to_owned(),
            (1, false) => "requires one result".to_owned(),
            (n, false) => format!("expected {n} results"),
            (n, true) => format!("expected {n} or more results"),
        }
    } else if !plan.successors.accepts(successors) {
        match plan.successors.pair() {
            (1, false) => format!("requires 1 successor but found {successors}"),
            (n, false) => format!("requires {n} successors but found {successors}"),
            (n, true) => format!("requires at least {n} successors but found {successors}"),
        }
    } else if !plan.operands.count.accepts(operands) {
        match plan.operands.count.pair() {
            (0, false) => "requires zero operands".to_owned(),
            (1, false) => "requires a single operand".to_owned(),
            (n, false) => format!("expected {n} operands, but found {operands}"),
            (n, true) => format!("expected {n} or more operands, but found {operands}"),
        }
    } else {
        return Ok(());
    };
    Err(VerifyFailure::op(message))
}

fn segments(groups: &TypeGroups<'_>, op: Op<'_>, what: &str, count: usize) -> VerifyResult {
    let attribute = format!("{what}SegmentSizes");
    add_up(groups.sizes(op).as_deref(), &attribute, what, count)
}

/// Checks that the sizes that an attribute stores are those of `count` values.
fn add_up(sizes: Option<&[i32]>, attribute: &str, of: &str, count: usize) -> VerifyResult {
    let Some(sizes) = sizes else {
        let message = format!("requires dense i32 array attribute '{attribute}'");
        return Err(VerifyFailure::op(message));
    };
    if sizes.iter().any(|&size| size < 0) {
        let message = format!("'{attribute}' attribute cannot have negative elements");
        return Err(VerifyFailure::op(message));
    }
    let total: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
    if usize::try_from(total) != Ok(count) {
        let message = format!(
            "{of} count ({count}) does not match with the total size ({total}) specified in attribute '{attribute}'"
        );
        return Err(VerifyFailure::op(message));
    }
    Ok(())
}

fn no_region_arguments(op: Op<'_>) -> VerifyResult {
    let regions = op.module.regions(op.operation);
    let count = regions.len();
    for (number, region) in regions.enumerate() {
        let entry = op.module.first_block(region);
        if entry.is_some_and(|block| op.module.argument_count(block) != 0) {
            let message = match count {
                1 => "region should have no arguments".to_owned(),
                _ => format!("region #{number} should have no arguments"),
            };
            return Err(VerifyFailure::op(message));
        }
    }
    Ok(())
}

fn has_parent(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let parent = op.module.parent_operation(op.operation);
    let name = parent.map(|p| op.context.operation_name_bytes(op.module.name(p)));
    let parents = &*plan.parents;
    if parents.iter().any(|parent| Some(parent.as_bytes()) == name) {
        return Ok(());
    }
    let message = match parents {
        [one] => format!("expects parent op '{one}'"),
        _ => format!("expects parent op to be one of '{}'", parents.join(", ")),
    };
    Err(VerifyFailure::op(message))
}

fn single_block(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    for (number, region) in op.module.regions(op.operation).enumerate() {
        let Some(block) = op.module.first_block(region) else {
            continue;
        };
        if op.module.next_block(block).is_some() {
            let message = format!("expects region #{number} to have 0 or 1 blocks");
            return Err(VerifyFailure::op(message));
        }
        if op.module.first_operation(block).is_none() && !plan.has(OperationTraits::NO_TERMINATOR) {
            return Err(VerifyFailure::op("expects a non-empty block"));
        }
    }
    Ok(())
}

fn attributes(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let (name, properties) = (
        op.module.name(op.operation),
        op.module.properties(op.operation),
    );
    // The cached verdict is by properties alone, so it can be used only if there are no
    // discardable attributes, which could provide a missing inherent attribute.
    let properties = properties.filter(|_| op.module.attributes(op.operation).is_none());
    if properties.is_some_and(|properties| plan.names.good.contains(properties, name)) {
        return Ok(());
    }
    let mut broken = None;
    for rule in &plan.attributes {
        let name = rule.name;
        let identifier = rule.identifier;
        match op
            .module
            .attribute_by_identifier(op.context, op.operation, identifier)
        {
            None if rule.is_required => {
                return Err(VerifyFailure::op(format!("requires attribute '{name}'")));
            }
            Some(value) => {
                if let Some(constraint) = &rule.constraint
                    && broken.is_none()
                    && !constraint.accepts(op.context, value)
                {
                    broken = Some((name, constraint));
                }
            }
            None => {}
        }
    }
    // As upstream, a missing required attribute is reported before an invalid one.
    match broken {
        None => {
            if let Some(properties) = properties {
                plan.names.good.insert(properties, name);
            }
            Ok(())
        }
        Some((name, constraint)) => Err(VerifyFailure::op(format!(
            "attribute '{name}' failed to satisfy constraint: {}",
            constraint.summary(op.context)
        ))),
    }
}

/// Checks the sizes of the groups and the types of their members.
fn value_groups(
    op: Op<'_>,
    groups: &TypeGroups<'_>,
    what: &str,
    mut types: impl ExactSizeIterator<Item = Type>,
) -> VerifyResult {
    let sizes = groups.sizes(op);
    if let Some(sizes) = &sizes
        && sizes.len() != groups.groups.len()
    {
        return Err(VerifyFailure::op(format!(
            "'{what}SegmentSizes' attribute for specifying {what} segments must have {} elements, but got {}",
            groups.groups.len(),
            sizes.len()
        )));
    }
    for (group, range) in groups.ranges(sizes.as_deref(), types.len()) {
        let size = range.len();
        if group.kind == GroupKind::Optional && size > 1 {
            let start = range.start;
            return Err(VerifyFailure::op(format!(
                "{what} group starting at #{start} requires 0 or 1 element, but found {size}"
            )));
        }
        if let Some(lists) = &group.lists {
            add_up(lists.sizes(op).as_deref(), lists.by, group.name, size)?;
        }
        for (number, ty) in range.zip(types.by_ref()) {
            if let Some(constraint) = &group.constraint
                && !constraint.accepts(op.context, ty)
            {
                let variadic = match group.kind {
                    GroupKind::Variadic | GroupKind::VariadicOfVariadic => "variadic of ",
                    GroupKind::Single | GroupKind::Optional => "",
                };
                let message = Message::from(format!(
                    "{what} #{number} must be {variadic}{}, but got '",
                    constraint.summary
                ));
                return Err(VerifyFailure::op(message.ty(ty).text("'")));
            }
        }
    }
    Ok(())
}

fn terminator(op: Op<'_>) -> VerifyResult {
    let block = op.module.parent_block(op.operation);
    if block.and_then(|block| op.module.last_operation(block)) != Some(op.operation) {
        return Err(VerifyFailure::op(
            "must be the last operation in the parent block",
        ));
    }
    let region = block.and_then(|block| op.module.block_region(block));
    if op
        .module
        .successors(op.operation)
        .any(|successor| op.module.block_region(successor) != region)
    {
        return Err(VerifyFailure::plain(
            "reference to block defined in another region",
        ));
    }
    Ok(())
}

fn implicit_terminator(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let Some(expected) = plan.implicit_terminator else {
        return Ok(());
    };
    for region in op.module.regions(op.operation) {
        let Some(block) = op.module.first_block(region) else {
            continue;
        };
        let last = op.module.last_operation(block);
        let found = last.map(|last| op.context.operation_name_identifier(op.module.name(last)));
        if let Some(found) = found
            && op.context.bytes(found) != expected.as_bytes()
        {
            let message = format!(
                "expects regions to end with '{expected}', found '{}'",
                op.context.str(found)
            );
            let note =
                format!("in custom textual format, the absence of terminator implies '{expected}'");
            let location = op.module.location(op.operation);
            return Err(VerifyFailure::op(message).note(location, note));
        }
    }
    Ok(())
}
