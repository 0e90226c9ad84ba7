//! Merges what a release declares into a definition of several releases.

use super::release::ReleaseRange;
use super::traits::{NamedTrait, OperationTraits, is_implied};
use super::{
    CodecTarget, DialectDefinition, EntryDefinition, EntryTable, EnumCase, EnumDefinition,
    GroupDefinition, HookSource, InherentAttribute, NativeProperty, OperationDefinition,
    OperationFormat, ParameterDefinition, ParameterKind, Presence, Release, Text, TypeRelation,
};
use crate::codec::Codec;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::sync::Arc;

/// A definition into which a release was merged. See [`DialectDefinition::merge`].
#[derive(Clone, Debug)]
pub struct MergedDefinition {
    /// The definition.
    pub definition: DialectDefinition,
    /// The differences between the release and the definition, in the order of the definition.
    pub changes: Vec<DefinitionChange>,
}

/// What happened to a part of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DefinitionChangeKind {
    /// The release has it, and the definition had it in no release.
    Added,
    /// The release has it, as a neighbouring release.
    Extended,
    /// The release does not have it.
    Removed,
    /// The release differs in a way that is not merged: the definition is unchanged.
    NotMerged,
}

/// A difference between a definition and a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionChange {
    /// The subject: `op addi`, `type box`, `enum Mode`.
    pub subject: String,
    /// What happened.
    pub kind: DefinitionChangeKind,
    /// The part of the subject, and for [`DefinitionChangeKind::NotMerged`] how it differs; empty
    /// for the subject itself.
    pub part: String,
}

impl Display for DefinitionChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.subject)?;
        if !self.part.is_empty() {
            write!(f, ": {}", self.part)?;
        }
        f.write_str(match self.kind {
            DefinitionChangeKind::Added => " is new",
            DefinitionChangeKind::Extended => " exists in this release too",
            DefinitionChangeKind::Removed => " does not exist in this release",
            DefinitionChangeKind::NotMerged => "; not merged",
        })
    }
}

impl DialectDefinition {
    /// Merges what one release declares, such as a definition that was imported from its sources.
    ///
    /// The result has the releases of `self`, and for `release` what `new` declares: operations
    /// with their operands, results, regions, successors, attributes, properties, traits and
    /// relations of types; attributes and types with their parameters; enumerations. What the
    /// release has and a neighbouring known release has too is extended to the release; the rest is
    /// added. What it does not have ends before it, and begins anew after it. Formats are merged if
    /// no known release is newer, since the text of older ones is not read.
    ///
    /// A part that `new` cannot declare is kept: hooks, rules, layouts in bytecode, aliases,
    /// discardable attributes, relations with a wording of their own. Operations, attributes and
    /// types that `new` does not have are kept unless it is [complete](Self::operations_complete).
    ///
    /// Releases inside `new` are ignored. O(n log n) in the size of both definitions.
    ///
    /// ```
    /// use rmlir_ir::definition::{DialectDefinition, Family, HookTable, Release};
    ///
    /// let parse = |text| DialectDefinition::parse(text, &HookTable::default());
    /// let old = parse("dialect d\nfamily llvm\nop a\n  operands x: I32\n")?;
    /// let new = parse("dialect d\nop a\n  operands x: I64\nop b\n")?;
    /// let merged = old.merge(&new, Release::new(Family::Llvm, 99), &HookTable::default());
    /// let text = merged.definition.to_string();
    /// assert!(text.contains("x: I32 until 24, x: I64 since 99"), "{text}");
    /// assert!(text.contains("op b since 99"), "{text}");
    /// # Ok::<(), rmlir_ir::definition::DefinitionError>(())
    /// ```
    pub fn merge(
        &self,
        new: &DialectDefinition,
        release: Release,
        hooks: &dyn HookSource,
    ) -> MergedDefinition {
        let mut merge = Merge {
            at: Neighbours::of(release),
            hooks,
            changes: Vec::new(),
        };
        let operations = merge.operations(self, new);
        let enums = merge.enumerations(&self.enums, &new.enums);
        let attributes = merge.entries(
            "attribute",
            (&self.attributes, &new.attributes),
            [self.attributes_complete, new.attributes_complete],
        );
        let types = merge.entries(
            "type",
            (&self.types, &new.types),
            [self.types_complete, new.types_complete],
        );
        let mut definition = DialectDefinition::new(self.name.clone())
            .with_operations(operations)
            .with_attribute_aliases(self.attribute_aliases().iter().cloned())
            .with_type_aliases(self.type_aliases().iter().cloned())
            .with_type_constraints(self.type_constraints().iter().cloned())
            .with_attribute_constraints(self.attribute_constraints().iter().cloned());
        definition.family = self.family;
        definition.enums = enums;
        definition.attributes = attributes;
        definition.types = types;
        definition.verifiers.clone_from(&self.verifiers);
        definition.uses = union(&self.uses, &new.uses);
        definition.unknown_constraints = union(&self.unknown_constraints, &new.unknown_constraints);
        definition.aliases_complete = self.aliases_complete;
        definition.attributes_complete = self.attributes_complete;
        definition.types_complete = self.types_complete;
        definition.operations_complete = self.operations_complete;
        definition.interfaces_complete = self.interfaces_complete;
        definition.discardables.clone_from(&self.discardables);
        definition.discardables_complete = self.discardables_complete;
        definition
            .discardables_complete_on
            .clone_from(&self.discardables_complete_on);
        definition.documentation.clone_from(&self.documentation);
        merge.constraints(self, new);
        // The verifiers in C++ of operations that are new.
        if let (Some(all), Some(theirs)) = (&mut definition.verifiers, &new.verifiers) {
            let known: BTreeSet<&str> = self.operations().iter().map(|op| &*op.mnemonic).collect();
            all.extend(
                theirs
                    .iter()
                    .filter(|name| !known.contains(&***name))
                    .cloned(),
            );
            all.sort_unstable();
        }
        let theirs = new.type_constraints().iter().cloned();
        let definition = definition
            .with_type_constraints(theirs)
            .with_attribute_constraints(new.attribute_constraints().iter().cloned());
        MergedDefinition {
            definition,
            changes: merge.changes,
        }
    }
}

/// The items of both lists, without repetitions.
fn union(old: &[Text], new: &[Text]) -> Vec<Text> {
    let known: BTreeSet<&Text> = old.iter().collect();
    let added = new.iter().filter(|name| !known.contains(name));
    old.iter().chain(added).cloned().collect()
}

/// A release between the nearest releases that definitions describe.
#[derive(Clone, Copy)]
struct Neighbours {
    number: u32,
    previous: Option<u32>,
    next: Option<u32>,
}

impl Neighbours {
    fn of(release: Release) -> Self {
        let number = release.number;
        let known = || release.family.known_numbers().iter().copied();
        Neighbours {
            number,
            previous: known().filter(|&known| known < number).max(),
            next: known().filter(|&known| known > number).min(),
        }
    }

    /// The release alone, up to the neighbours.
    fn range(self) -> ReleaseRange {
        ReleaseRange {
            first: self.previous.map_or(0, |_| self.number),
            last: self.next.map_or(u32::MAX, |_| self.number),
        }
    }

    /// A range that contains the release or a neighbour, extended to the release.
    fn with(self, range: ReleaseRange) -> Option<ReleaseRange> {
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

    /// What is left of a range without the release.
    fn without(self, range: ReleaseRange) -> impl Iterator<Item = ReleaseRange> {
        let before = self.previous.filter(|&last| last >= range.first);
        let before = before.map(|last| ReleaseRange { last, ..range });
        let after = self.next.filter(|&first| first <= range.last);
        let after = after.map(|first| ReleaseRange { first, ..range });
        before.into_iter().chain(after)
    }
}

/// A part of a definition that applies in some releases.
trait Dated: Clone {
    /// The releases in which it applies.
    fn releases(&mut self) -> &mut ReleaseRange;

    /// Everything else: equal parts have equal texts.
    fn content(&self) -> String;

    /// What it is, with its name.
    fn title(&self) -> String;
}

macro_rules! dated {
    ($type:ty, |$item:ident| $content:expr, $title:expr) => {
        impl Dated for $type {
            fn releases(&mut self) -> &mut ReleaseRange {
                &mut self.releases
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
    // A name can be declared once, and kinds are described by hand where they are C++.
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

/// A name with its releases: a parent, or a terminator.
impl Dated for (Text, ReleaseRange) {
    fn releases(&mut self) -> &mut ReleaseRange {
        &mut self.1
    }
    fn content(&self) -> String {
        self.0.to_string()
    }
    fn title(&self) -> String {
        format!("'{}'", self.0)
    }
}

/// How items of a list belong together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Their order in a release counts.
    Counts,
    /// It does not.
    Free,
    /// It does not, and others refer to items by index: these keep theirs.
    Indexed,
}

struct Merge<'h> {
    at: Neighbours,
    hooks: &'h dyn HookSource,
    changes: Vec<DefinitionChange>,
}

impl Merge<'_> {
    fn note(&mut self, subject: &str, kind: DefinitionChangeKind, part: String) {
        let subject = subject.to_owned();
        self.changes.push(DefinitionChange {
            subject,
            kind,
            part,
        });
    }

    /// Merges a list of a subject that exists in the releases `whole`: those of the items that
    /// apply in the release are what it declares.
    fn list<T: Dated>(
        &mut self,
        (subject, whole): (&str, ReleaseRange),
        what: &str,
        (old, new): (&[T], &[T]),
        order: Order,
    ) -> Vec<T> {
        // The places of equal old items that can be extended to the release, ascending.
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, item) in old.iter().enumerate() {
            if self.at.with(*item.clone().releases()).is_some() {
                places.entry(item.content()).or_default().push(place);
            }
        }
        let mut kept = vec![false; old.len()];
        let mut added: BTreeMap<usize, Vec<T>> = BTreeMap::new();
        let mut next = 0;
        for item in new {
            let applies = |place: &usize| {
                let old = old.get(*place).cloned();
                old.is_some_and(|mut old| old.releases().contains(self.at.number))
            };
            let found = places.get_mut(&item.content()).and_then(|places| {
                let start = match order {
                    Order::Counts => places.partition_point(|&place| place < next),
                    Order::Free | Order::Indexed => 0,
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
                        Order::Counts => next,
                        Order::Free | Order::Indexed => old.len(),
                    };
                    let mut item = item.clone();
                    *item.releases() = self.within(self.at.range(), whole);
                    let part = titled(what, &item.title());
                    self.note(subject, DefinitionChangeKind::Added, part);
                    added.entry(at).or_default().push(item);
                }
            }
        }
        let mut merged = Vec::with_capacity(old.len());
        for (place, item) in old.iter().enumerate() {
            merged.extend(added.remove(&place).unwrap_or_default());
            let mut item = item.clone();
            let range = *item.releases();
            let part = titled(what, &item.title());
            if kept.get(place).copied().unwrap_or_default() {
                let extended = self.at.with(range).unwrap_or(range);
                if extended != range {
                    self.note(subject, DefinitionChangeKind::Extended, part);
                    *item.releases() = self.within(extended, whole);
                }
                merged.push(item);
            } else if range.contains(self.at.number) {
                let left = self.at.without(range).filter(|left| left.overlaps(whole));
                let left: Vec<ReleaseRange> = left.collect();
                if order == Order::Indexed && left.len() != 1 {
                    self.note(
                        subject,
                        DefinitionChangeKind::NotMerged,
                        format!("{part} is missing"),
                    );
                    merged.push(item);
                    continue;
                }
                self.note(subject, DefinitionChangeKind::Removed, part);
                merged.extend(left.into_iter().map(|left| {
                    let mut item = item.clone();
                    *item.releases() = self.within(left, whole);
                    item
                }));
            } else {
                merged.push(item);
            }
        }
        merged.extend(added.remove(&old.len()).unwrap_or_default());
        merged
    }

    /// The range, open where that of the whole ends.
    fn within(&self, range: ReleaseRange, whole: ReleaseRange) -> ReleaseRange {
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

    fn operations(
        &mut self,
        old: &DialectDefinition,
        new: &DialectDefinition,
    ) -> Vec<OperationDefinition> {
        let mut theirs: BTreeMap<&str, &OperationDefinition> = BTreeMap::new();
        for operation in new.operations() {
            theirs.entry(&operation.mnemonic).or_insert(operation);
        }
        // The operation of each name to which the release belongs: one that has the release, or
        // else one that has a neighbour.
        let mut chosen: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, operation) in old.operations().iter().enumerate() {
            let (name, range) = (&*operation.mnemonic, operation.releases);
            let has = range.contains(self.at.number);
            if operation.family == old.family && (has || self.at.with(range).is_some()) {
                let chosen = chosen.entry(name).or_insert(place);
                if has {
                    *chosen = place;
                }
            }
        }
        let mut merged = Vec::new();
        for (place, operation) in old.operations().iter().enumerate() {
            let subject = format!("op {}", operation.mnemonic);
            let name = &*operation.mnemonic;
            if chosen.get(name) != Some(&place) {
                merged.push(OperationDefinition::clone(operation));
                continue;
            }
            match theirs.remove(name) {
                Some(new_operation) => {
                    merged.push(self.operation(&subject, old, operation, new_operation));
                }
                None if new.operations_complete && operation.releases.contains(self.at.number) => {
                    self.note(&subject, DefinitionChangeKind::Removed, String::new());
                    merged.extend(self.at.without(operation.releases).map(|releases| {
                        let mut operation = OperationDefinition::clone(operation);
                        operation.releases = releases;
                        operation
                    }));
                }
                None => merged.push(OperationDefinition::clone(operation)),
            }
        }
        for operation in theirs.into_values() {
            let subject = format!("op {}", operation.mnemonic);
            self.note(&subject, DefinitionChangeKind::Added, String::new());
            let mut operation = operation.clone();
            operation.family = old.family;
            operation.releases = self.at.range();
            if self.at.next.is_some() {
                // The text of older releases is not read.
                operation.formats.clear();
                operation.derivations.clear();
                operation = operation.with_hook("", self.hooks);
            }
            merged.push(operation);
        }
        merged
    }

    fn operation(
        &mut self,
        subject: &str,
        dialect: &DialectDefinition,
        old: &Arc<OperationDefinition>,
        new: &OperationDefinition,
    ) -> OperationDefinition {
        let mut merged = OperationDefinition::clone(old);
        if let Some(releases) = self.at.with(old.releases)
            && releases != old.releases
        {
            self.note(subject, DefinitionChangeKind::Extended, String::new());
            merged.releases = releases;
        }
        let of = (subject, merged.releases);
        let before = self.changes.len();
        merged.operands = self.list(of, "operand", (&old.operands, &new.operands), Order::Counts);
        merged.results = self.list(of, "result", (&old.results, &new.results), Order::Counts);
        merged.regions = self.list(of, "region", (&old.regions, &new.regions), Order::Counts);
        merged.successors = self.list(
            of,
            "successor",
            (&old.successors, &new.successors),
            Order::Counts,
        );
        merged.properties = self.list(of, "", (&old.properties, &new.properties), Order::Counts);
        let (ours, mut theirs) = (declared(old), declared(new));
        for attribute in &mut theirs {
            // A default in C++ is described by hand.
            if attribute.default.is_none() && attribute.presence != Presence::Required {
                let number = self.at.number;
                let same = ours.iter().filter(|one| one.name == attribute.name);
                let near = same.filter(|one| self.at.with(one.releases).is_some());
                let known = near.max_by_key(|one| one.releases.contains(number));
                attribute.default = known.and_then(|one| one.default.clone());
            }
        }
        merged.set_attributes(self.list(of, "", (&ours, &theirs), Order::Free));
        let parts = self.changes.get(before..).unwrap_or_default();
        let has_new_parts = (parts.iter()).any(|one| one.kind == DefinitionChangeKind::Added);
        if has_new_parts && self.at.next.is_some() {
            // The format does not have these, and the text of older releases is not read.
            let formats = std::mem::take(&mut merged.formats);
            merged.formats = formats
                .into_iter()
                .flat_map(|format| self.ending(format, merged.releases))
                .collect();
        }
        // Definitions state predicates in C++ in more than one way.
        let (own, plain): (Vec<_>, Vec<_>) =
            (old.relations.iter().cloned()).partition(|relation| !relation.summary.is_empty());
        let theirs = new
            .relations
            .iter()
            .filter(|relation| relation.summary.is_empty());
        let theirs: Vec<TypeRelation> = theirs.cloned().collect();
        merged.relations = self.list(of, "relation", (&plain, &theirs), Order::Free);
        merged.relations.extend(own);
        merged.parents = self.list(of, "parent", (&old.parents, &new.parents), Order::Free);
        let terminators = (&*old.implicit_terminator, &*new.implicit_terminator);
        merged.implicit_terminator = self.list(of, "terminator", terminators, Order::Free);
        self.traits(of, &mut merged, new);
        self.format(subject, dialect, &mut merged, new);
        merged
    }

    /// Returns a format for the releases that it has without this one.
    fn ending(&self, format: OperationFormat, whole: ReleaseRange) -> Vec<OperationFormat> {
        if !format.releases.contains(self.at.number) {
            return vec![format];
        }
        let left = self.at.without(format.releases);
        let left = left.filter(|left| left.overlaps(whole));
        let left = left.map(|releases| OperationFormat {
            releases: self.within(releases, whole),
            ..format.clone()
        });
        left.collect()
    }

    /// Merges the traits and interfaces that `new` has.
    fn traits(
        &mut self,
        of: (&str, ReleaseRange),
        merged: &mut OperationDefinition,
        new: &OperationDefinition,
    ) {
        let old = NamedTraits::of(merged);
        let new = NamedTraits::of(new);
        // What one side states and others imply on the other is no difference.
        let is_common = |one: &NamedTrait, others: &NamedTraits| {
            is_implied(&one.name) && others.names.contains(&*one.name)
        };
        let (kept, own): (Vec<NamedTrait>, Vec<NamedTrait>) =
            (old.stated.iter().cloned()).partition(|one| is_common(one, &new));
        let theirs = new.stated.iter().filter(|one| !is_common(one, &old));
        let theirs: Vec<NamedTrait> = theirs.cloned().collect();
        let result = self.list(of, "trait", (&own, &theirs), Order::Free);
        if result == own {
            return;
        }
        merged.common_traits = OperationTraits::NONE;
        merged.changed_traits.clear();
        merged.named_traits.clear();
        for named in kept.into_iter().chain(result) {
            merged.add_trait_named(named);
        }
    }

    /// Merges the format of the newest release.
    fn format(
        &mut self,
        subject: &str,
        dialect: &DialectDefinition,
        merged: &mut OperationDefinition,
        new: &OperationDefinition,
    ) {
        let Some(theirs) = new.formats.first() else {
            return;
        };
        let text = theirs.to_string();
        let number = self.at.number;
        let applies = |range: ReleaseRange| range.contains(number);
        let ours = merged
            .formats
            .iter()
            .find(|format| applies(format.releases));
        if self.at.next.is_some() || ours.is_some_and(|format| format.to_string() == text) {
            return;
        }
        if ours.is_none() {
            if merged.syntax.is_none() {
                self.note(
                    subject,
                    DefinitionChangeKind::NotMerged,
                    "its format".to_owned(),
                );
            }
            return;
        }
        let (formats, derivations) = (merged.formats.clone(), merged.derivations.clone());
        for range in merged.formats.iter_mut().map(|format| &mut format.releases) {
            if applies(*range)
                && let Some(before) = self.at.without(*range).next()
            {
                *range = before;
            }
        }
        let range = self.within(self.at.range(), merged.releases);
        let kind = match merged.add_format(&text, range, &dialect.name, self.hooks) {
            Ok(()) => DefinitionChangeKind::Added,
            Err(_) => {
                (merged.formats, merged.derivations) = (formats, derivations);
                DefinitionChangeKind::NotMerged
            }
        };
        self.note(subject, kind, format!("format '{text}'"));
    }

    fn entries(
        &mut self,
        keyword: &str,
        (old, new): (&EntryTable, &EntryTable),
        [old_is_complete, is_complete]: [bool; 2],
    ) -> EntryTable {
        let mut theirs: BTreeMap<&str, &EntryDefinition> = BTreeMap::new();
        for entry in new.entries() {
            theirs.entry(&entry.mnemonic).or_insert(entry);
        }
        let mut merged: Vec<EntryDefinition> = Vec::new();
        let mut codecs: Vec<(Codec, CodecTarget)> = Vec::new();
        for entry in old.entries() {
            let subject = format!("{keyword} {}", entry.mnemonic);
            let mut copies = vec![entry.clone()];
            let known = self.at.with(entry.releases);
            let their = known.and_then(|_| theirs.remove(&*entry.mnemonic));
            match (their, known) {
                (Some(their), Some(releases)) => {
                    copies = vec![self.entry(&subject, entry, their, releases)]
                }
                (None, _) if is_complete && entry.releases.contains(self.at.number) => {
                    self.note(&subject, DefinitionChangeKind::Removed, String::new());
                    let left = self.at.without(entry.releases);
                    copies = left
                        .map(|releases| EntryDefinition {
                            releases,
                            ..entry.clone()
                        })
                        .collect();
                }
                _ => {}
            }
            let place = merged.len();
            codecs.extend(
                (place..place.saturating_add(copies.len())).flat_map(|entry_place| {
                    let rows = old.rows_of(entry);
                    rows.map(move |(codec, target)| {
                        let target = CodecTarget {
                            entry: entry_place,
                            ..target.clone()
                        };
                        (codec.clone(), target)
                    })
                }),
            );
            merged.append(&mut copies);
        }
        for entry in theirs.into_values() {
            let subject = format!("{keyword} {}", entry.mnemonic);
            if self.at.next.is_some() && !old_is_complete {
                // Newer releases can have it as well, without a description.
                let part = "not described for newer releases".to_owned();
                self.note(&subject, DefinitionChangeKind::NotMerged, part);
                continue;
            }
            self.note(&subject, DefinitionChangeKind::Added, String::new());
            merged.push(EntryDefinition {
                releases: self.at.range(),
                ..entry.clone()
            });
        }
        EntryTable::new(merged, codecs)
    }

    fn entry(
        &mut self,
        subject: &str,
        old: &EntryDefinition,
        new: &EntryDefinition,
        releases: ReleaseRange,
    ) -> EntryDefinition {
        let mut merged = old.clone();
        if releases != old.releases {
            self.note(subject, DefinitionChangeKind::Extended, String::new());
            merged.releases = releases;
        }
        let of = (subject, releases);
        // What TableGen declares as C++ is described by hand.
        let is_known = |entry: &EntryDefinition| {
            let mut kinds = entry.parameters.iter().map(|parameter| &parameter.kind);
            !entry.parameters.is_empty() && kinds.all(|kind| *kind != ParameterKind::Own)
        };
        let names = |entry: &EntryDefinition| -> BTreeSet<Text> {
            let names = entry.parameters.iter().map(|parameter| &parameter.name);
            names.cloned().collect()
        };
        let (ours, theirs) = (names(old), names(new));
        let common = ours.intersection(&theirs).count();
        let is_similar = common.saturating_mul(2) > ours.len().max(theirs.len());
        if is_known(old) && is_known(new) && !is_similar {
            let part = "its parameters".to_owned();
            self.note(subject, DefinitionChangeKind::NotMerged, part);
        } else if is_known(old) && is_known(new) {
            let lists = (&*old.parameters, &*new.parameters);
            merged.parameters = self.list(of, "", lists, Order::Indexed);
        }
        merged.traits = self.list(of, "trait", (&old.traits, &new.traits), Order::Free);
        merged
    }

    fn enumerations(
        &mut self,
        old: &[EnumDefinition],
        new: &[EnumDefinition],
    ) -> Vec<EnumDefinition> {
        let mut theirs: BTreeMap<&str, &EnumDefinition> = BTreeMap::new();
        theirs.extend(new.iter().map(|one| (&*one.name, one)));
        let mut merged = Vec::new();
        for old in old {
            let Some(new) = theirs.remove(&*old.name) else {
                merged.push(old.clone());
                continue;
            };
            let subject = format!("enum {}", old.name);
            if (old.width, &old.separator) != (new.width, &new.separator) {
                self.note(
                    &subject,
                    DefinitionChangeKind::NotMerged,
                    "its width or separator".to_owned(),
                );
            }
            let cases = self.list(
                (&subject, ReleaseRange::ALL),
                "",
                (&old.cases, &new.cases),
                Order::Free,
            );
            merged.push(EnumDefinition {
                cases,
                ..old.clone()
            });
        }
        for new in new.iter().filter(|new| theirs.contains_key(&*new.name)) {
            self.note(
                &format!("enum {}", new.name),
                DefinitionChangeKind::Added,
                String::new(),
            );
            merged.push(new.clone());
        }
        merged
    }

    /// Notes constraints that differ: they have no releases.
    fn constraints(&mut self, old: &DialectDefinition, new: &DialectDefinition) {
        let declared: BTreeMap<&str, _> = (old.type_constraints().iter())
            .map(|one| (&*one.name, one))
            .collect();
        for one in new.type_constraints() {
            if declared
                .get(&*one.name)
                .is_some_and(|old| old.predicate != one.predicate)
            {
                let subject = format!("constraint {}", one.name);
                self.note(
                    &subject,
                    DefinitionChangeKind::NotMerged,
                    one.predicate.to_string(),
                );
            }
        }
        for one in new.attribute_constraints() {
            let declared = old.attribute_constraint(&one.name);
            if declared.is_some_and(|old| old.constraint != one.constraint) {
                let subject = format!("attribute_constraint {}", one.name);
                self.note(
                    &subject,
                    DefinitionChangeKind::NotMerged,
                    one.constraint.to_string(),
                );
            }
        }
    }
}

fn titled(what: &str, title: &str) -> String {
    match what {
        "" => title.to_owned(),
        what => format!("{what} {title}"),
    }
}

/// The attributes of an operation in declaration order.
fn declared(operation: &OperationDefinition) -> Vec<InherentAttribute> {
    let mut attributes = operation.attributes().to_vec();
    attributes.sort_by_key(|attribute| attribute.position);
    attributes
}

/// All traits and interfaces of an operation, by name.
struct NamedTraits {
    /// Those that the definition states.
    stated: Vec<NamedTrait>,
    /// The names of these, and of what they imply.
    names: BTreeSet<String>,
}

impl NamedTraits {
    fn of(operation: &OperationDefinition) -> Self {
        let common = (operation.common_traits, ReleaseRange::ALL);
        let known = std::iter::once(&common).chain(&operation.changed_traits);
        let known = known.flat_map(|&(traits, releases)| {
            traits.names().map(move |name| NamedTrait {
                releases,
                ..NamedTrait::new(name)
            })
        });
        let mut stated: Vec<NamedTrait> = known.collect();
        stated.extend(operation.named_traits.iter().cloned());
        let mut names: BTreeSet<String> = stated.iter().map(|one| one.name.to_string()).collect();
        for one in &stated {
            names.extend(
                super::traits::implied(&one.name)
                    .iter()
                    .map(|one| one.name.to_string()),
            );
        }
        NamedTraits { stated, names }
    }
}
