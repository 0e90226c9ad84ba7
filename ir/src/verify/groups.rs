//! Groups of an operation's operands, results, regions and successors: how many there must be, and
//! which members each has.

use crate::Identifier;
use crate::definition::{GroupDefinition, GroupKind};
use crate::op::Op;
use std::ops::Range;

/// Groups of operands, results, regions or successors.
pub(super) struct Groups<'c, T> {
    pub(super) groups: Box<[Group<'c, T>]>,
    pub(super) count: Count,
    /// Whether an attribute says how large each group is.
    pub(super) has_sizes: bool,
    /// The attribute's name.
    sizes: Option<Identifier>,
}

pub(super) struct Group<'c, T> {
    pub(super) name: &'c str,
    pub(super) kind: GroupKind,
    pub(super) constraint: T,
}

/// How many there must be.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    least: usize,
    /// Whether there may be more.
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
                })
                .collect(),
            has_sizes: sizes.is_some(),
            sizes: sizes.flatten(),
        }
    }

    /// The sizes of the groups, where an attribute says them.
    pub(super) fn sizes(&self, op: Op<'_>) -> Option<Vec<i32>> {
        numbers(op, self.sizes)
    }

    /// The group of that name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.name == name)
    }

    /// The groups with the numbers of their members, of `count` in all. `sizes` are those that an
    /// attribute says; without, groups of no fixed size share what is left evenly.
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

    /// The members of a group, of `count` in all.
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

/// The elements of an inherent attribute that is a dense array of `i32`, such as the sizes of
/// groups.
pub(super) fn numbers(op: Op<'_>, name: Option<Identifier>) -> Option<Vec<i32>> {
    let module = op.module;
    let attribute = module.attribute_by_identifier(op.context, op.operation, name)?;
    Some(op.context.i32_array(attribute)?.collect())
}
