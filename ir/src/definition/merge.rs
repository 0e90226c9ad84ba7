//! Merges what a release declares into a definition of several releases.

mod list;

use super::release::ReleaseRange;
use super::traits::{NamedTrait, OperationTraits, is_implied};
use super::{
    CodecTarget, DialectDefinition, EntryDefinition, EntryTable, EnumDefinition, HookSource,
    InherentAttribute, OperationDefinition, OperationFormat, ParameterKind, Presence, Release,
    Text, TypeRelation,
};
use crate::codec::Codec;
use crate::sort::CompactSort as _;
use list::{Neighbours, Order, within};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

/// A definition into which a release was merged. See [`DialectDefinition::merge`].
#[derive(Clone, Debug)]
pub struct MergedDefinition {
    /// The definition.
    pub definition: DialectDefinition,
    /// The differences between the release and the definition, in the order of the definition.
    pub changes: Vec<DefinitionChange>,
}

/// The change of a part of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DefinitionChangeKind {
    /// The release declares it, and no release of the definition does.
    Added,
    /// The release declares it, as a neighbouring release does.
    Extended,
    /// The release does not declare it.
    Removed,
    /// The difference is not merged: the definition is unchanged.
    NotMerged,
}

/// A difference between a definition and a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionChange {
    /// The subject: `op addi`, `type box`, `enum Mode`.
    pub subject: String,
    /// The kind of the change.
    pub kind: DefinitionChangeKind,
    /// The part of the subject, and for [`DefinitionChangeKind::NotMerged`] the difference; empty
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
    /// Merges the definition of one release, such as one imported from TableGen files, into this
    /// definition of other releases.
    ///
    /// The result has the declarations of `self` for its releases, and those of `new` for
    /// `release`: operations with operands, results, regions, successors, attributes, properties,
    /// traits and relations of types; attributes and types with parameters; enumerations. A
    /// declaration that a neighbouring known release shares is extended to the release; others are
    /// added. A declaration that the release lacks is split into the ranges before and after it.
    /// So are formats. Where the syntax of an older release than [the default](Release::default) is
    /// code and it declares further parts, the format of newer releases does not apply to it.
    ///
    /// Parts that `new` cannot declare are kept: hooks, rules, layouts in bytecode, aliases,
    /// discardable attributes, relations with their own wording. Operations, attributes and types
    /// that `new` lacks are kept unless it is [complete](Self::operations_complete).
    ///
    /// The ranges of declarations in `new` are ignored. Takes O(n log n) in the size of both
    /// definitions.
    ///
    /// ```
    /// use rmlir_ir::definition::{DialectDefinition, Family, HookTable, Release};
    ///
    /// let parse = |text| DialectDefinition::parse(text, &HookTable::default());
    /// let old = parse("dialect d\nfamily llvm\nop a\n  operands x: I32\n")?;
    /// let new = parse("dialect d\nop a\n  operands x: I64\nop b\n")?;
    /// let merged = old.merge(&new, Release::new(Family::Llvm, 99), &HookTable::default());
    /// let text = merged.definition.to_string();
    /// assert!(text.contains("x: I64 since 99, x: I32 until 24"), "{text}");
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
        let mut definition = self.clone();
        definition.set_operations(merge.operations(self, new));
        definition.set_enumerations(merge.enumerations(&self.enums, &new.enums));
        definition.attributes = merge.entries(
            "attribute",
            (&self.attributes, &new.attributes),
            [self.attributes_complete, new.attributes_complete],
        );
        definition.types = merge.entries(
            "type",
            (&self.types, &new.types),
            [self.types_complete, new.types_complete],
        );
        merge.constraints(self, new);
        definition.uses = union(&self.uses, &new.uses);
        definition.unknown_constraints = union(&self.unknown_constraints, &new.unknown_constraints);
        if let (Some(all), Some(theirs)) = (&mut definition.verifiers, &new.verifiers) {
            // Those of new operations.
            let known: BTreeSet<&str> = self.operations().iter().map(|op| &*op.mnemonic).collect();
            let added = theirs.iter().filter(|name| !known.contains(&***name));
            all.extend(added.cloned());
            all.sort_unstable();
        }
        let definition = definition
            .with_type_constraints(new.type_constraints().iter().cloned())
            .with_attribute_constraints(new.attribute_constraints().iter().cloned());
        MergedDefinition {
            definition,
            changes: merge.changes,
        }
    }
}

/// Returns the items of both lists, each once.
fn union(old: &[Text], new: &[Text]) -> Vec<Text> {
    let known: BTreeSet<&Text> = old.iter().collect();
    let added = new.iter().filter(|name| !known.contains(name));
    old.iter().chain(added).cloned().collect()
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

    fn operations(
        &mut self,
        old: &DialectDefinition,
        new: &DialectDefinition,
    ) -> Vec<OperationDefinition> {
        let mut theirs: BTreeMap<&str, &OperationDefinition> = BTreeMap::new();
        for operation in new.operations() {
            theirs.entry(&operation.mnemonic).or_insert(operation);
        }
        // By name: the operation to merge into, which exists in the release, or else in a
        // neighbour.
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
            merged.push(operation);
        }
        merged
    }

    fn operation(
        &mut self,
        subject: &str,
        dialect: &DialectDefinition,
        old: &OperationDefinition,
        new: &OperationDefinition,
    ) -> OperationDefinition {
        let mut merged = old.clone();
        if let Some(releases) = self.at.with(old.releases)
            && releases != old.releases
        {
            self.note(subject, DefinitionChangeKind::Extended, String::new());
            merged.releases = releases;
        }
        let of = (subject, merged.releases);
        let before = self.changes.len();
        merged.operands = self.list(
            of,
            "operand",
            (&old.operands, &new.operands),
            Order::Significant,
        );
        merged.results = self.list(
            of,
            "result",
            (&old.results, &new.results),
            Order::Significant,
        );
        merged.regions = self.list(
            of,
            "region",
            (&old.regions, &new.regions),
            Order::Significant,
        );
        merged.successors = self.list(
            of,
            "successor",
            (&old.successors, &new.successors),
            Order::Significant,
        );
        merged.properties = self.list(
            of,
            "",
            (&old.properties, &new.properties),
            Order::Significant,
        );
        let (ours, mut theirs) = (declared(old), declared(new));
        for attribute in &mut theirs {
            // An encoding that is C++ in TableGen is written by hand, and so is a default.
            let same = ours.iter().find(|one| one.name == attribute.name);
            attribute.version = same.and_then(|one| one.version.clone());
            if attribute.default.is_none() && attribute.presence != Presence::Required {
                let number = self.at.number;
                let same = ours.iter().filter(|one| one.name == attribute.name);
                let near = same.filter(|one| self.at.with(one.releases).is_some());
                let known = near.max_by_key(|one| one.releases.contains(number));
                attribute.default = known.and_then(|one| one.default.clone());
            }
        }
        merged.set_attributes(self.list(of, "", (&ours, &theirs), Order::Insignificant));
        let parts = self.changes.get(before..).unwrap_or_default();
        let has_new_parts = (parts.iter()).any(|one| one.kind == DefinitionChangeKind::Added);
        if has_new_parts && self.at.is_older && new.formats.is_empty() {
            // The format lacks these, and the syntax of the release is code.
            let formats = std::mem::take(&mut merged.formats);
            merged.formats = formats
                .into_iter()
                .flat_map(|format| self.ending(format, merged.releases))
                .collect();
        }
        // A relation with a wording is a predicate in C++, written by hand.
        let (own, plain): (Vec<_>, Vec<_>) =
            (old.relations.iter().cloned()).partition(|relation| !relation.summary.is_empty());
        let theirs = new
            .relations
            .iter()
            .filter(|relation| relation.summary.is_empty());
        let theirs: Vec<TypeRelation> = theirs.cloned().collect();
        merged.relations = self.list(of, "relation", (&plain, &theirs), Order::Insignificant);
        merged.relations.extend(own);
        merged.parents = self.list(
            of,
            "parent",
            (&old.parents, &new.parents),
            Order::Insignificant,
        );
        let terminators = (&*old.implicit_terminator, &*new.implicit_terminator);
        merged.implicit_terminator = self.list(of, "terminator", terminators, Order::Insignificant);
        self.traits(of, &mut merged, new);
        self.format(subject, dialect, &mut merged, new);
        merged
    }

    /// Returns a format for its releases without this one.
    fn ending(&self, format: OperationFormat, whole: ReleaseRange) -> Vec<OperationFormat> {
        if !format.releases.contains(self.at.number) {
            return vec![format];
        }
        let left = self.at.without(format.releases);
        let left = left.filter(|left| left.overlaps(whole));
        let left = left.map(|releases| OperationFormat {
            releases: within(releases, whole),
            ..format.clone()
        });
        left.collect()
    }

    /// Merges traits and interfaces.
    fn traits(
        &mut self,
        of: (&str, ReleaseRange),
        merged: &mut OperationDefinition,
        new: &OperationDefinition,
    ) {
        let old = NamedTraits::of(merged);
        let new = NamedTraits::of(new);
        // A trait that one side states and the other side implies is not a difference.
        let is_common = |one: &NamedTrait, others: &NamedTraits| {
            is_implied(&one.name) && others.names.contains(&*one.name)
        };
        let (kept, own): (Vec<NamedTrait>, Vec<NamedTrait>) =
            (old.stated.iter().cloned()).partition(|one| is_common(one, &new));
        let theirs = new.stated.iter().filter(|one| !is_common(one, &old));
        let theirs: Vec<NamedTrait> = theirs.cloned().collect();
        let result = self.list(of, "trait", (&own, &theirs), Order::Insignificant);
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

    /// Merges the format of a release.
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
        let ours = |format: &OperationFormat| format.releases.contains(number);
        let ours = merged.formats.iter().find(|format| ours(format));
        let is_known = ours.is_some_and(|format| format.to_string() == text);
        if is_known || merged.syntax.is_some() {
            return;
        }
        let (formats, derivations) = (merged.formats.clone(), merged.derivations.clone());
        let rest = std::mem::take(&mut merged.formats).into_iter();
        let rest = rest.flat_map(|format| self.ending(format, merged.releases));
        // The format of a neighbour applies to the release too.
        let (same, rest): (Vec<_>, Vec<_>) = rest.partition(|format| {
            self.at.with(format.releases).is_some() && format.to_string() == text
        });
        merged.formats = rest;
        let ranges = same.iter().filter_map(|one| self.at.with(one.releases));
        let range = ranges.reduce(|a, b| ReleaseRange {
            first: a.first.min(b.first),
            last: a.last.max(b.last),
        });
        let kind = match range {
            Some(_) => DefinitionChangeKind::Extended,
            None => DefinitionChangeKind::Added,
        };
        let range = within(range.unwrap_or(self.at.range()), merged.releases);
        let kind = match merged.add_format(&text, range, &dialect.name, self.hooks) {
            Ok(()) => kind,
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
                // Newer releases may have it too, without a description here.
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
        // Parameters that are C++ in TableGen are written by hand.
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
        merged.traits = self.list(
            of,
            "trait",
            (&old.traits, &new.traits),
            Order::Insignificant,
        );
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
                Order::Insignificant,
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

    /// Notes different constraints: constraints have no releases.
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

/// The attributes of an operation in declaration order.
fn declared(operation: &OperationDefinition) -> Vec<InherentAttribute> {
    let mut attributes = operation.attributes().to_vec();
    attributes.compact_sort_by_key(|attribute| attribute.position);
    attributes
}

/// The traits and interfaces of an operation, by name.
struct NamedTraits {
    /// The stated ones.
    stated: Vec<NamedTrait>,
    /// Their names, and those of the traits that they imply.
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
