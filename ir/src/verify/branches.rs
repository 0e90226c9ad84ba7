//! Checks the operands that an operation forwards to its successors against the types of the
//! successors' block arguments (`BranchOpInterface`).

use super::groups::Groups;
use super::{VerifyFailure, VerifyResult};
use crate::definition::{GroupKind, OperationDefinition, Release};
use crate::op::Op;

/// A group of operands that is forwarded to a successor, or to each successor of a group.
struct Forwarded {
    operands: usize,
    successors: usize,
}

/// The operands that an operation forwards to its successors.
pub(super) struct Branches {
    forwarded: Box<[Forwarded]>,
    /// The kind of each group of successors.
    successors: Box<[GroupKind]>,
}

impl Branches {
    pub(super) fn new<T>(
        definition: Option<&OperationDefinition>,
        release: Release,
        operands: &Groups<'_, T>,
    ) -> Self {
        let groups = definition.into_iter();
        let groups = groups.flat_map(|d| d.groups_in(&d.successors, release));
        let groups: Vec<_> = groups.collect();
        let forwards = definition.into_iter().flat_map(|d| d.forwards_in(release));
        let forwarded = forwards.filter_map(|forwarding| {
            Some(Forwarded {
                operands: operands.position(&forwarding.operands)?,
                successors: groups.iter().position(|g| g.name == forwarding.successor)?,
            })
        });
        Branches {
            forwarded: forwarded.collect(),
            successors: groups.iter().map(|group| group.kind).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forwarded.is_empty()
    }

    /// Checks that each successor has exactly the arguments that the operation forwards to it.
    pub(super) fn check<T>(&self, op: Op<'_>, operands: &Groups<'_, T>) -> VerifyResult {
        let (module, operation) = (op.module, op.operation);
        let sizes = operands.sizes(op);
        let count = module.operand_count(operation);
        let mut successors = module.successors(operation).enumerate();
        // A variadic or optional group consists of the successors that the single ones leave.
        let single = |kind: &&GroupKind| **kind == GroupKind::Single;
        let fixed = self.successors.iter().filter(single).count();
        let open = successors.len().saturating_sub(fixed);
        for (group, kind) in self.successors.iter().enumerate() {
            let size = if *kind == GroupKind::Single { 1 } else { open };
            let forwarded = self.forwarded.iter().find(|f| f.successors == group);
            let range = match forwarded {
                Some(forwarded) => operands.range(forwarded.operands, sizes.as_deref(), count),
                None => Some(0..0),
            };
            let Some(range) = range else {
                return Ok(());
            };
            let lists = forwarded
                .and_then(|f| operands.groups.get(f.operands))
                .and_then(|group| group.lists.as_ref());
            let each = lists.map(|lists| lists.sizes(op).unwrap_or_default());
            if let (Some(lists), Some(each)) = (lists, &each)
                && each.len() < size
            {
                return Err(VerifyFailure::op(format!(
                    "'{}' attribute has {} elements, but there are {size} successors with operands",
                    lists.by,
                    each.len()
                )));
            }
            let mut start = range.start;
            for (place, (number, block)) in successors.by_ref().take(size).enumerate() {
                let end = match &each {
                    None => range.end,
                    Some(sizes) => {
                        let size = sizes.get(place);
                        let size = size.and_then(|&size| usize::try_from(size).ok());
                        start.saturating_add(size.unwrap_or(0)).min(range.end)
                    }
                };
                let given = module.operands(operation).skip(start).take(end - start);
                let arguments = module.argument_count(block);
                if arguments != given.len() {
                    return Err(VerifyFailure::plain(format!(
                        "branch has {} operands for successor #{number}, but target block has {arguments}",
                        given.len()
                    )));
                }
                let types = given.zip(module.arguments(block));
                for (argument, (value, (expected, _))) in types.enumerate() {
                    if module.value_type(value) != module.value_type(expected) {
                        return Err(VerifyFailure::plain(format!(
                            "type mismatch for bb argument #{argument} of successor #{number}"
                        )));
                    }
                }
                start = end;
            }
        }
        Ok(())
    }
}
