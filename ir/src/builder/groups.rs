//! Arranges operands and results in the groups that a definition declares, and computes segment
//! sizes.

use crate::definition::{
    GroupDefinition, GroupKind, OPERAND_SEGMENT_SIZES, OperationDefinition, OperationTraits,
    RESULT_SEGMENT_SIZES, Release,
};
use crate::error::Invalid;
use crate::{Context, Identifier, nearest_name};

/// The operands or results given by a caller.
#[derive(Debug)]
pub(super) struct Members<T> {
    /// Those given by position.
    pub(super) unnamed: Vec<T>,
    /// Those given with the name of a group, each name once.
    named: Vec<(Identifier, Vec<T>)>,
}

impl<T> Default for Members<T> {
    fn default() -> Self {
        Members {
            unnamed: Vec::new(),
            named: Vec::new(),
        }
    }
}

/// Selects operands or results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Operands,
    Results,
}

impl Side {
    fn noun(self) -> &'static str {
        match self {
            Side::Operands => "operand",
            Side::Results => "result",
        }
    }

    /// Returns the inherent attribute that stores the number of members of each group.
    pub(super) fn segment_sizes(self) -> &'static str {
        match self {
            Side::Operands => OPERAND_SEGMENT_SIZES,
            Side::Results => RESULT_SEGMENT_SIZES,
        }
    }

    /// Returns the trait of operations that have [`segment_sizes`](Self::segment_sizes).
    fn sized(self) -> OperationTraits {
        match self {
            Side::Operands => OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
            Side::Results => OperationTraits::ATTRIBUTE_SIZED_RESULTS,
        }
    }

    fn groups(
        self,
        definition: &OperationDefinition,
        release: Release,
    ) -> impl Iterator<Item = &GroupDefinition> {
        let groups = match self {
            Side::Operands => &definition.operands,
            Side::Results => &definition.results,
        };
        definition.groups_in(groups, release)
    }
}

/// Members in the order of the operation, and the segment sizes if it stores them and the caller
/// gave none.
pub(super) type Arranged<T> = (Vec<T>, Option<Vec<i32>>);

impl<T: Copy> Members<T> {
    /// Adds members to a group.
    pub(super) fn extend_group(&mut self, group: Identifier, members: impl Iterator<Item = T>) {
        match self.named.iter_mut().find(|known| known.0 == group) {
            Some((_, known)) => known.extend(members),
            None => self.named.push((group, members.collect())),
        }
    }

    /// Returns whether nothing is given, not even an empty group.
    pub(super) fn is_empty(&self) -> bool {
        self.unnamed.is_empty() && self.named.is_empty()
    }

    /// Orders the members. `sizes_given` is true if the caller gives the segment sizes.
    ///
    /// # Errors
    ///
    /// If a group does not exist or cannot have that many members, or if unnamed members can be
    /// divided among groups in several ways.
    pub(super) fn arrange(
        self,
        context: &Context,
        definition: Option<&OperationDefinition>,
        side: Side,
        sizes_given: bool,
    ) -> Result<Arranged<T>, Invalid> {
        let release = context.release();
        let is_sized = definition.is_some_and(|d| d.traits(release).contains(side.sized()));
        if self.named.is_empty() && (!is_sized || sizes_given) {
            return Ok((self.unnamed, None));
        }
        let noun = side.noun();
        let Some(definition) = definition else {
            return Err(Invalid::new(format!(
                "{noun}s cannot be given by group: the operation's definition is not known"
            )));
        };
        if sizes_given && is_sized {
            return Err(Invalid::new(format!(
                "both {noun} groups and '{}' are given",
                side.segment_sizes()
            )));
        }
        let groups: Vec<&GroupDefinition> = side.groups(definition, release).collect();
        let mut sizes: Vec<Option<usize>> = vec![None; groups.len()];
        for (name, members) in &self.named {
            let at = groups
                .iter()
                .position(|group| group.name.as_bytes() == context.bytes(*name));
            let Some((group, size)) = at.and_then(|at| Some((groups.get(at)?, sizes.get_mut(at)?)))
            else {
                return Err(unknown_group(context, side, *name, &groups));
            };
            check_size(side, group, members.len())?;
            *size = Some(members.len());
        }
        divide(side, &groups, &mut sizes, self.unnamed.len())?;
        let mut unnamed = self.unnamed.into_iter();
        let mut all = Vec::new();
        for (group, size) in groups.iter().zip(&sizes) {
            let of_group = |named: &&(Identifier, Vec<T>)| {
                context.bytes(named.0) == group.name.as_bytes() && !group.name.is_empty()
            };
            match self.named.iter().find(of_group) {
                Some((_, members)) => all.extend_from_slice(members),
                None => all.extend(unnamed.by_ref().take(size.unwrap_or(0))),
            }
        }
        let size = |size: Option<usize>| i32::try_from(size.unwrap_or(0)).unwrap_or(i32::MAX);
        Ok((all, is_sized.then(|| sizes.into_iter().map(size).collect())))
    }
}

/// Divides `count` unnamed members among the groups that have no size yet.
fn divide(
    side: Side,
    groups: &[&GroupDefinition],
    sizes: &mut [Option<usize>],
    count: usize,
) -> Result<(), Invalid> {
    let mut fixed = 0usize;
    let mut open: Vec<&GroupDefinition> = Vec::new();
    for (group, size) in groups.iter().zip(sizes.iter_mut()) {
        match (&size, group.kind) {
            (Some(_), _) => {}
            (None, GroupKind::Single) => {
                *size = Some(1);
                fixed = fixed.saturating_add(1);
            }
            (None, _) => open.push(group),
        }
    }
    let noun = side.noun();
    let wrong = |expected: String| {
        Invalid::new(format!(
            "expected {expected} {noun}s besides those given by group, but found {count}"
        ))
    };
    let Some(extra) = count.checked_sub(fixed) else {
        let bound = if open.is_empty() { "" } else { "at least " };
        return Err(wrong(format!("{bound}{fixed}")));
    };
    let are_optional = open.iter().all(|group| group.kind == GroupKind::Optional);
    if are_optional && extra > open.len() {
        let most = fixed.saturating_add(open.len());
        let bound = if open.is_empty() { "" } else { "at most " };
        return Err(wrong(format!("{bound}{most}")));
    }
    let each = match open.len() {
        _ if extra == 0 => 0,
        1 => extra,
        _ if are_optional && extra == open.len() => 1,
        _ => {
            let names: Vec<String> = open.iter().map(|g| format!("'{}'", g.name)).collect();
            return Err(Invalid::new(format!(
                "{count} {noun}s can be divided among the groups {} in several ways: give them by \
                 {noun}_group, or give '{}'",
                names.join(", "),
                side.segment_sizes()
            )));
        }
    };
    for size in sizes.iter_mut().filter(|size| size.is_none()) {
        *size = Some(each);
    }
    Ok(())
}

fn check_size(side: Side, group: &GroupDefinition, count: usize) -> Result<(), Invalid> {
    let expected = match group.kind {
        GroupKind::Single if count != 1 => "1",
        GroupKind::Optional if count > 1 => "at most 1",
        _ => return Ok(()),
    };
    Err(Invalid::new(format!(
        "group '{}' has {expected} {}, but {count} are given",
        group.name,
        side.noun()
    )))
}

#[cold]
fn unknown_group(
    context: &Context,
    side: Side,
    name: Identifier,
    groups: &[&GroupDefinition],
) -> Invalid {
    let names = groups.iter().map(|group| &*group.name);
    let noun = side.noun();
    let mut message = format!(
        "no group of {noun}s is called '{}'",
        context.bytes(name).escape_ascii()
    );
    if let Some(near) = nearest_name(context.bytes(name), names.clone()) {
        message.push_str(&format!("; did you mean '{near}'?"));
    } else {
        let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
        message.push_str(&format!("; the groups are {}", names.join(", ")));
    }
    Invalid::new(message)
}
