//! Groups of an operation's operands, results, regions or successors: the valid numbers of members,
//! and the assignment of members to groups.

use crate::definition::{GroupDefinition, GroupKind};
use crate::op::Op;
use crate::{Context, Identifier};
use std::ops::Range;

/// The groups of operands, results, regions or successors of a definition.
pub(super) struct Groups<'c, T> {
    pub(super) groups: Box<[Group<'c, T>]>,
    pub(super) count: Count,
    /// Whether a segment sizes attribute stores the size of each group.
    pub(super) has_sizes: bool,
    /// The name of the segment sizes attribute.
    sizes: Option<Identifier>,
}

pub(super) struct Group<'c, T> {
    pub(super) name: &'c str,
    pub(super) kind: GroupKind,
    pub(super) constraint: T,
    /// How its members form lists.
    pub(super) lists: Option<Lists<'c>>,
}

/// The lists of a [`GroupKind::VariadicOfVariadic`] group.
pub(super) struct Lists<'c> {
    /// The attribute that stores the number of members of each.
    pub(super) by: &'c str,
    pub(super) sizes: Option<Identifier>,
}

impl Lists<'_> {
    /// Returns the number of members of each list.
    pub(super) fn sizes(&self, op: Op<'_>) -> Option<Vec<i32>> {
        numbers(op, self.sizes)
    }
}

/// The valid total number of members.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    least: usize,
    /// Whether more than `least` are valid.
    is_open: bool,
}

impl Count {
    pub(super) fn of(groups: &[&GroupDefinition]) -> Self {
        groups
            .iter()
            .fold(Count::default(), |count, group| match group.kind {
                GroupKind::Single => Count {
                    least: count.least.saturating_add(1),
                    ..count
                },
                _ => Count {
                    is_open: true,
                    ..count
                },
            })
    }

    pub(super) fn pair(self) -> (usize, bool) {
        (self.least, self.is_open)
    }

    pub(super) fn accepts(self, count: usize) -> bool {
        count == self.least || (self.is_open && count > self.least)
    }
}

impl<'c, T> Groups<'c, T> {
    pub(super) fn new(
        context: &Context,
        groups: &[&'c GroupDefinition],
        sizes: Option<Option<Identifier>>,
        constraint: impl Fn(&'c GroupDefinition) -> T,
    ) -> Self {
        Groups {
            count: Count::of(groups),
            groups: groups
                .iter()
                .map(|group| Group {
                    name: &group.name,
                    kind: group.kind,
                    constraint: constraint(group),
                    lists: (!group.by.is_empty()).then(|| Lists {
                        by: &group.by,
                        sizes: context.find_identifier(&*group.by),
                    }),
                })
                .collect(),
            has_sizes: sizes.is_some(),
            sizes: sizes.flatten(),
        }
    }

    /// Returns the sizes of the groups that the segment sizes attribute of `op` stores.
    pub(super) fn sizes(&self, op: Op<'_>) -> Option<Vec<i32>> {
        numbers(op, self.sizes)
    }

    /// Returns the index of the group of that name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.name == name)
    }

    /// Returns the groups with their ranges among `count` members. `sizes` are the values of the
    /// segment sizes attribute. Without them, the groups that are not single share the remaining
    /// members evenly.
    pub(super) fn ranges(
        &self,
        sizes: Option<&[i32]>,
        count: usize,
    ) -> impl Iterator<Item = (&Group<'c, T>, Range<usize>)> {
        let least = self.count.least;
        let open = self.groups.len().saturating_sub(least);
        let share = count.saturating_sub(least) / open.max(1);
        let mut start = 0usize;
        self.groups.iter().enumerate().map(move |(number, group)| {
            let size = match (sizes, group.kind) {
                (Some(sizes), _) => sizes
                    .get(number)
                    .map_or(0, |&size| usize::try_from(size).unwrap_or(0)),
                (None, GroupKind::Single) => 1,
                (None, _) => share,
            };
            let range = start..start.saturating_add(size);
            start = range.end;
            (group, range)
        })
    }

    /// Returns the range of one group among `count` members.
    pub(super) fn range(
        &self,
        group: usize,
        sizes: Option<&[i32]>,
        count: usize,
    ) -> Option<Range<usize>> {
        let range = self.ranges(sizes, count).nth(group)?.1;
        (range.end <= count).then_some(range)
    }
}

/// Returns the elements of an inherent attribute that is a dense array of `i32`, such as the
/// segment sizes.
fn numbers(op: Op<'_>, name: Option<Identifier>) -> Option<Vec<i32>> {
    let module = op.module;
    let attribute = module.attribute_by_identifier(op.context, op.operation, name)?;
    Some(op.context.i32_array(attribute)?.collect())
}
