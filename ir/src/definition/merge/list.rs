//! Parts of definitions with releases, and lists of them, merged with those of a release.

use super::{DefinitionChangeKind, Merge};
use crate::definition::{
    EnumCase, GroupDefinition, InherentAttribute, NamedTrait, NativeProperty, ParameterDefinition,
    Release, ReleaseRange, Text, TypeRelation,
};
use std::collections::BTreeMap;

/// A release, with the nearest releases that the bundled definitions describe.
#[derive(Clone, Copy)]
pub(super) struct Neighbours {
    pub(super) number: u32,
    pub(super) previous: Option<u32>,
    pub(super) next: Option<u32>,
    /// Whether the release is older than the default one, whose formats apply without a range.
    pub(super) is_older: bool,
}

impl Neighbours {
    pub(super) fn of(release: Release) -> Self {
        let number = release.number;
        let known = || release.family.known_numbers().iter().copied();
        let next = known().filter(|&known| known > number).min();
        let default = Release::default();
        Neighbours {
            number,
            previous: known().filter(|&known| known < number).max(),
            next,
            is_older: next.is_some() && (release < default || default.family != release.family),
        }
    }

    /// Returns the range of the release without its neighbours.
    pub(super) fn range(self) -> ReleaseRange {
        ReleaseRange {
            first: self.previous.map_or(0, |_| self.number),
            last: self.next.map_or(u32::MAX, |_| self.number),
        }
    }

    /// Extends a range to the release; `None` if it contains neither the release nor a neighbour.
    pub(super) fn with(self, range: ReleaseRange) -> Option<ReleaseRange> {
        if range.contains(self.number) {
            return Some(range);
        }
        let own = self.range();
        if self.next.is_some_and(|next| range.contains(next)) {
            let first = own.first;
            return Some(ReleaseRange { first, ..range });
        }
        let previous = self.previous.is_some_and(|last| range.contains(last));
        let last = own.last;
        previous.then_some(ReleaseRange { last, ..range })
    }

    /// Returns the parts of a range before and after the release.
    pub(super) fn without(self, range: ReleaseRange) -> impl Iterator<Item = ReleaseRange> {
        let before = self.previous.filter(|&last| last >= range.first);
        let before = before.map(|last| ReleaseRange { last, ..range });
        let after = self.next.filter(|&first| first <= range.last);
        let after = after.map(|first| ReleaseRange { first, ..range });
        before.into_iter().chain(after)
    }
}

/// A part of a definition that applies in some releases.
pub(super) trait Dated: Clone {
    /// Returns the releases in which it applies.
    fn releases(&self) -> ReleaseRange;

    /// Returns the same part in other releases.
    fn in_releases(&self, releases: ReleaseRange) -> Self;

    /// Returns a text of everything else; equal parts have equal texts.
    fn content(&self) -> String;

    /// Returns its kind and its name, for messages.
    fn title(&self) -> String;
}

macro_rules! dated {
    ($type:ty, |$item:ident| $content:expr, $title:expr) => {
        impl Dated for $type {
            fn releases(&self) -> ReleaseRange {
                self.releases
            }
            fn in_releases(&self, releases: ReleaseRange) -> Self {
                let mut part = self.clone();
                part.releases = releases;
                part
            }
            fn content(&self) -> String {
                let $item = self;
                $content
            }
            fn title(&self) -> String {
                let $item = self;
                $title
            }
        }
    };
}

dated!(
    InherentAttribute,
    |item| format!(
        "{} {:?} {} {:?} {} {:?}",
        item.name,
        item.presence,
        item.constraint,
        item.confinements,
        item.enumeration,
        item.default
    ),
    format!("attribute '{}: {}'", item.name, item.constraint)
);
dated!(
    NativeProperty,
    |item| format!(
        "{} {} {} {:?}",
        item.name, item.kind, item.enumeration, item.default
    ),
    format!("property '{}: {}'", item.name, item.kind)
);
dated!(
    GroupDefinition,
    |item| format!(
        "{} {:?} {} {} {:?}",
        item.name, item.kind, item.constraint, item.by, item.arguments
    ),
    format!("'{}: {}'", item.name, item.constraint)
);
dated!(
    TypeRelation,
    |item| format!("{:?} {:?} {}", item.kind, item.groups, item.summary),
    format!("'{}({})'", item.kind.name(), item.groups.join(", "))
);
dated!(
    ParameterDefinition,
    // A parameter can be declared once, and its kind is written by hand if TableGen has C++.
    |item| item.name.to_string(),
    format!("parameter '{}: {}'", item.name, item.kind)
);
dated!(
    EnumCase,
    |item| format!("{} {}", item.keyword, item.value),
    format!("case '{}'", item.keyword)
);
dated!(
    NamedTrait,
    |item| item.name.to_string(),
    format!("'{}'", item.name)
);

/// The name of a parent or a terminator, with its releases.
impl Dated for (Text, ReleaseRange) {
    fn releases(&self) -> ReleaseRange {
        self.1
    }
    fn in_releases(&self, releases: ReleaseRange) -> Self {
        (self.0.clone(), releases)
    }
    fn content(&self) -> String {
        self.0.to_string()
    }
    fn title(&self) -> String {
        format!("'{}'", self.0)
    }
}

/// The meaning of the order of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The items of a release are in order: operands, results.
    Significant,
    /// The order has no meaning.
    Insignificant,
    /// The order has no meaning, but the indices of items do: existing items keep theirs.
    Indexed,
}

impl Merge<'_> {
    /// Merges a list of a subject that exists in the releases `whole`: after that, the items that
    /// apply in the release are those of `new`.
    pub(super) fn list<T: Dated>(
        &mut self,
        (subject, whole): (&str, ReleaseRange),
        what: &str,
        (old, new): (&[T], &[T]),
        order: Order,
    ) -> Vec<T> {
        // By content: the indices of the old items that can be extended to the release, ascending.
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, item) in old.iter().enumerate() {
            if self.at.with(item.releases()).is_some() {
                places.entry(item.content()).or_default().push(place);
            }
        }
        let mut kept = vec![false; old.len()];
        let mut added: BTreeMap<usize, Vec<T>> = BTreeMap::new();
        let mut next = 0;
        for item in new {
            let applies = |place: &usize| {
                let old = old.get(*place);
                old.is_some_and(|old| old.releases().contains(self.at.number))
            };
            let found = places.get_mut(&item.content()).and_then(|places| {
                let start = match order {
                    Order::Significant => places.partition_point(|&place| place < next),
                    Order::Insignificant | Order::Indexed => 0,
                };
                let rest = places.get(start..)?;
                let at = rest.iter().position(applies).unwrap_or(0);
                (at < rest.len()).then(|| places.remove(start.saturating_add(at)))
            });
            match found {
                Some(place) => {
                    if let Some(kept) = kept.get_mut(place) {
                        *kept = true;
                    }
                    next = place.saturating_add(1);
                }
                None => {
                    let at = match order {
                        Order::Significant => next,
                        Order::Insignificant | Order::Indexed => old.len(),
                    };
                    let part = titled(what, &item.title());
                    self.note(subject, DefinitionChangeKind::Added, part);
                    let releases = within(self.at.range(), whole);
                    let items = added.entry(at).or_default();
                    items.push(item.in_releases(releases));
                }
            }
        }
        let mut merged = Vec::with_capacity(old.len());
        for (place, item) in old.iter().enumerate() {
            merged.extend(added.remove(&place).unwrap_or_default());
            let range = item.releases();
            let part = titled(what, &item.title());
            if kept.get(place).copied().unwrap_or_default() {
                let extended = self.at.with(range).unwrap_or(range);
                if extended == range {
                    merged.push(item.clone());
                    continue;
                }
                self.note(subject, DefinitionChangeKind::Extended, part);
                merged.push(item.in_releases(within(extended, whole)));
            } else if range.contains(self.at.number) {
                let left = self.at.without(range).filter(|left| left.overlaps(whole));
                let left: Vec<ReleaseRange> = left.collect();
                if order == Order::Indexed && left.len() != 1 {
                    self.note(
                        subject,
                        DefinitionChangeKind::NotMerged,
                        format!("{part} is missing"),
                    );
                    merged.push(item.clone());
                    continue;
                }
                self.note(subject, DefinitionChangeKind::Removed, part);
                let left = left.into_iter().map(|left| within(left, whole));
                merged.extend(left.map(|left| item.in_releases(left)));
            } else {
                merged.push(item.clone());
            }
        }
        merged.extend(added.remove(&old.len()).unwrap_or_default());
        merged
    }
}

/// Returns a part's range, open where that of the whole ends.
pub(super) fn within(range: ReleaseRange, whole: ReleaseRange) -> ReleaseRange {
    ReleaseRange {
        first: if range.first <= whole.first {
            0
        } else {
            range.first
        },
        last: if range.last >= whole.last {
            u32::MAX
        } else {
            range.last
        },
    }
}

/// Returns a part with the word for its kind, if there is one.
fn titled(what: &str, title: &str) -> String {
    match what {
        "" => title.to_owned(),
        what => format!("{what} {title}"),
    }
}
