//! Dialects, and the source from which a context loads them.

use super::release::{Family, Release, ReleaseRange};
use super::{
    DiscardableAttribute, Documentation, EntryTable, InherentAttribute, OperationDefinition, Text,
};
use crate::Context;
use crate::constraint::{DEEPEST, NamedAttributeConstraint, TypeConstraint};
use crate::sort::CompactSort as _;
use std::sync::{Arc, OnceLock};

/// A dialect attribute or type that is printed through an alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AliasDefinition {
    /// The mnemonic that its body starts with.
    pub mnemonic: Text,
    /// The base name of its alias: `loop_annotation` gives `#loop_annotation`, `#loop_annotation1`.
    pub stem: Text,
}

/// A member of an enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumCase {
    /// The keyword in text.
    pub keyword: Text,
    /// The value in bytecode.
    pub value: i64,
    /// Whether it is accepted when reading but never printed, because other members denote the same
    /// value.
    pub hidden: bool,
    /// The releases of the dialect's family in which it exists.
    pub releases: ReleaseRange,
}

/// An enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumDefinition {
    /// The name.
    pub name: Text,
    /// The width in bits of the integer that stores it.
    pub width: u32,
    /// The separator between members, if several can be set at once.
    pub separator: Option<Text>,
    /// Whether a value is printed as every member whose bits it has, in order. If not, a
    /// group of bits with a keyword of its own takes precedence over its bits (upstream's
    /// `printBitEnumPrimaryGroups`).
    pub every_member: bool,
    /// The members, in declaration order.
    pub cases: Vec<EnumCase>,
}

impl EnumDefinition {
    /// Returns the value of a text: the keyword of a member or, if several can be set at once,
    /// keywords joined by the separator. Returns `None` if a keyword is not a member. Linear in the
    /// members for each keyword.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        let case = |word: &str| {
            let found = self.cases.iter().find(|case| case.keyword == word);
            found.map(|case| case.value)
        };
        match self.separator.as_deref().map(str::trim) {
            Some(separator) if !separator.is_empty() => text
                .split(separator)
                .try_fold(0, |bits, word| Some(bits | case(word.trim())?)),
            _ => case(text),
        }
    }

    /// Returns the text of a value: the keyword of a member or, if several can be set at once,
    /// keywords joined by the separator: [every member](Self::every_member), or those that the
    /// groups of bits leave. Returns `None` if members do not account for the value. Linear in the
    /// members.
    pub fn text_of(&self, value: i64) -> Option<String> {
        let value = value.cast_unsigned();
        let cases = || self.cases.iter().filter(|case| !case.hidden);
        let exact = || {
            let found = cases().find(|case| case.value.cast_unsigned() == value);
            found.map(|case| case.keyword.to_string())
        };
        let Some(separator) = &self.separator else {
            return exact();
        };
        if value == 0 {
            return exact();
        }
        let (mut left, mut told) = (value, 0);
        let mut words = Vec::new();
        let groups: &[Option<bool>] = match self.every_member {
            true => &[None],
            false => &[Some(true), Some(false)],
        };
        for &groups in groups {
            for case in cases() {
                let bits = case.value.cast_unsigned();
                let is_group = bits.count_ones() > 1;
                if bits == 0 || groups.is_some_and(|groups| groups != is_group) {
                    continue;
                }
                // A value can have a keyword for each of several releases.
                let is_new = told & bits != bits || (self.every_member && is_group);
                if left & bits == bits && is_new {
                    words.push(&*case.keyword);
                    told |= bits;
                    if groups == Some(true) {
                        left &= !bits;
                    }
                }
            }
        }
        (told == value).then(|| words.join(separator))
    }
}

/// The version that bytecode of some releases states for a dialect.
///
/// Upstream leaves the encoding of a version to its dialect. Those that definitions declare are a
/// list of varints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DialectVersion {
    /// The numbers, at least one. The first determines which properties bytecode has: see
    /// [`VersionBound`](super::VersionBound).
    pub numbers: Vec<u64>,
    /// The releases whose tools write it.
    pub releases: ReleaseRange,
}

/// An enumeration under the rules of some releases.
#[derive(Clone, Debug)]
struct EnumOfReleases {
    releases: ReleaseRange,
    enumeration: EnumDefinition,
}

impl EnumOfReleases {
    /// Returns an enumeration for each range of releases in which the same members exist; none if
    /// all of them exist in every release.
    fn all(enumeration: &EnumDefinition) -> Vec<Self> {
        let cases = &enumeration.cases;
        let ends = cases.iter().flat_map(|case| {
            let releases = case.releases;
            [releases.first, releases.last.saturating_add(1)]
        });
        let mut starts: Vec<u32> = ends.filter(|&start| start < u32::MAX).collect();
        starts.push(0);
        starts.compact_sort_by(u32::cmp);
        starts.dedup();
        if starts.len() == 1 {
            return Vec::new();
        }
        let next = starts.iter().skip(1).map(|&next| next.saturating_sub(1));
        let lasts = next.chain([u32::MAX]);
        let ranges = starts.iter().zip(lasts);
        let ranges = ranges.map(|(&first, last)| ReleaseRange { first, last });
        let narrowed = ranges.map(|releases| {
            let exists = |case: &&EnumCase| case.releases.contains(releases.first);
            let (own, others): (Vec<&EnumCase>, Vec<&EnumCase>) = cases.iter().partition(exists);
            EnumOfReleases {
                releases,
                enumeration: EnumDefinition {
                    cases: own.into_iter().chain(others).cloned().collect(),
                    ..enumeration.clone()
                },
            }
        });
        narrowed.collect()
    }
}

/// A dialect.
#[derive(Clone, Debug, Default)]
pub struct DialectDefinition {
    /// The namespace.
    pub name: Text,
    /// The family whose releases define it; an operation can specify another one.
    pub family: Family,
    /// The versions that bytecode states for it. Their releases are disjoint.
    pub versions: Vec<DialectVersion>,
    /// Sorted by mnemonic; those of the same mnemonic in declaration order.
    operations: Vec<Arc<OperationDefinition>>,
    /// The enumerations, in declaration order.
    pub enums: Vec<EnumDefinition>,
    /// Their indices, sorted by name; determined at the first lookup.
    enum_order: OnceLock<Vec<usize>>,
    /// Those whose members depend on the release, for each range of releases; determined at the
    /// first lookup for a release.
    enums_of_releases: OnceLock<Vec<EnumOfReleases>>,
    /// The definitions of its attributes.
    pub attributes: EntryTable,
    /// The definitions of its types.
    pub types: EntryTable,
    /// Constraints on types, sorted by name, in addition to those of the library.
    type_constraints: Vec<Arc<TypeConstraint>>,
    /// Constraints on attributes, sorted by name, in addition to those of the library.
    attribute_constraints: Vec<NamedAttributeConstraint>,
    /// The mnemonics of the operations that upstream verifies by code beyond what definitions can
    /// express; `None` if that is not known. See [`VerifierCode`](crate::VerifierCode).
    pub verifiers: Option<Vec<Text>>,
    /// Other dialects whose constraints its operations name.
    pub uses: Vec<Text>,
    /// Names of constraints that operations use but that are implemented as code. They are not
    /// checked.
    pub unknown_constraints: Vec<Text>,
    /// The attributes that have aliases, sorted by mnemonic.
    attribute_aliases: Vec<AliasDefinition>,
    /// The types that have aliases, sorted by mnemonic.
    type_aliases: Vec<AliasDefinition>,
    /// Whether no other attributes or types of the dialect have aliases. Otherwise the aliases of a
    /// source text are kept.
    pub aliases_complete: bool,
    /// Whether these are all of its attributes in the releases of its family: the verifier rejects
    /// others.
    pub attributes_complete: bool,
    /// Whether these are all of its types in the releases of its family: the verifier rejects
    /// others.
    pub types_complete: bool,
    /// The message about a type that is not among them, in which `{mnemonic}` denotes its mnemonic;
    /// the common one if it is empty.
    pub unknown_type: Text,
    /// Whether these are all of its operations in the releases of its family: the verifier rejects
    /// others of its namespace.
    pub operations_complete: bool,
    /// Whether its types and attributes list all of their interfaces: the verifier rejects a type
    /// where it lacks an interface.
    pub interfaces_complete: bool,
    /// The rules of the discardable attributes with its prefix.
    pub discardables: Vec<DiscardableAttribute>,
    /// Whether there are no others with its prefix: the verifier rejects them.
    pub discardables_complete: bool,
    /// Where there are none; everywhere if the list is empty.
    pub discardables_complete_on: Vec<Text>,
    /// Its documentation, if it has any.
    pub documentation: Option<Box<Documentation>>,
}

impl DialectDefinition {
    /// Creates an empty dialect.
    pub fn new(name: impl Into<Text>) -> Self {
        DialectDefinition {
            name: name.into(),
            ..DialectDefinition::default()
        }
    }

    /// Returns the version that a release of its family states in bytecode, if any: an empty list
    /// if there is none.
    ///
    /// A release of another project is built on a state of LLVM between releases, whose versions
    /// are not known.
    pub fn version_in(&self, release: Release) -> &[u64] {
        let mut versions = self.versions.iter();
        let found = versions.find(|version| {
            release.covers(self.family) && version.releases.contains(release.number_in(self.family))
        });
        found.map_or(&[], |version| &version.numbers)
    }

    /// Adds operations. Takes O(n log n).
    #[must_use]
    pub fn with_operations(
        mut self,
        operations: impl IntoIterator<Item = OperationDefinition>,
    ) -> Self {
        self.operations.extend(operations.into_iter().map(Arc::new));
        self.operations
            .compact_sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// Replaces the operations. Takes O(n log n).
    pub(super) fn set_operations(&mut self, operations: Vec<OperationDefinition>) {
        self.operations = operations.into_iter().map(Arc::new).collect();
        self.operations
            .compact_sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
    }

    /// Replaces the enumerations.
    pub(super) fn set_enumerations(&mut self, enums: Vec<EnumDefinition>) {
        self.enums = enums;
        self.enum_order = OnceLock::new();
        self.enums_of_releases = OnceLock::new();
    }

    /// Adds aliases of attributes.
    #[must_use]
    pub fn with_attribute_aliases(
        mut self,
        aliases: impl IntoIterator<Item = AliasDefinition>,
    ) -> Self {
        self.attribute_aliases.extend(aliases);
        self.attribute_aliases
            .compact_sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// Adds aliases of types.
    #[must_use]
    pub fn with_type_aliases(mut self, aliases: impl IntoIterator<Item = AliasDefinition>) -> Self {
        self.type_aliases.extend(aliases);
        self.type_aliases
            .compact_sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// Adds constraints on types. Of several with the same name the first is used. Takes O(n log
    /// n).
    #[must_use]
    pub fn with_type_constraints(
        mut self,
        constraints: impl IntoIterator<Item = Arc<TypeConstraint>>,
    ) -> Self {
        self.type_constraints.extend(constraints);
        self.type_constraints
            .compact_sort_by(|a, b| a.name.cmp(&b.name));
        self.type_constraints.dedup_by(|a, b| a.name == b.name);
        self
    }

    /// Adds constraints on attributes. Of several with the same name the first is used. Takes O(n
    /// log n).
    #[must_use]
    pub fn with_attribute_constraints(
        mut self,
        constraints: impl IntoIterator<Item = NamedAttributeConstraint>,
    ) -> Self {
        let all = &mut self.attribute_constraints;
        all.extend(constraints);
        all.compact_sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.name == b.name);
        self
    }

    /// Returns the constraints on attributes that it declares, sorted by name.
    pub fn attribute_constraints(&self) -> &[NamedAttributeConstraint] {
        &self.attribute_constraints
    }

    /// Returns the constraint on attributes of that name that it declares. Takes O(log n).
    pub fn attribute_constraint(&self, name: &str) -> Option<&NamedAttributeConstraint> {
        let own = &self.attribute_constraints;
        let at = own.binary_search_by(|c| (*c.name).cmp(name)).ok()?;
        own.get(at)
    }

    /// Returns the constraints on types that it declares, sorted by name.
    pub fn type_constraints(&self) -> &[Arc<TypeConstraint>] {
        &self.type_constraints
    }

    /// Returns the constraint on types of that name: its own, or one of the library.
    ///
    /// [`Context::type_constraint`](crate::Context::type_constraint) also finds those of the
    /// dialects that it uses. Takes O(log n).
    pub fn type_constraint(&self, name: &str) -> Option<&Arc<TypeConstraint>> {
        let own = &self.type_constraints;
        let at = own.binary_search_by(|c| (*c.name).cmp(name)).ok();
        at.and_then(|at| own.get(at))
            .or_else(|| TypeConstraint::find(name))
    }

    /// Returns the operations, sorted by mnemonic. Several have the same mnemonic if families, or
    /// releases of one family, define it with nothing in common.
    pub fn operations(&self) -> &[Arc<OperationDefinition>] {
        &self.operations
    }

    /// Returns the operation of that mnemonic in a release, if it exists: of several, the first
    /// that the release's own family defines, else the first. Takes O(log n).
    pub fn operation(
        &self,
        mnemonic: &[u8],
        release: Release,
    ) -> Option<&Arc<OperationDefinition>> {
        let start = self
            .operations
            .partition_point(|op| op.mnemonic.as_bytes() < mnemonic);
        let rest = self.operations.get(start..)?;
        let len = rest.partition_point(|op| op.mnemonic.as_bytes() == mnemonic);
        let exist = rest.get(..len)?.iter();
        let mut exist = exist.filter(|op| op.number(release).is_some());
        let own = exist.clone().find(|op| release.covers(op.family));
        own.or_else(|| exist.next())
    }

    /// Returns the attributes that have aliases, sorted by mnemonic.
    pub fn attribute_aliases(&self) -> &[AliasDefinition] {
        &self.attribute_aliases
    }

    /// Returns the types that have aliases, sorted by mnemonic.
    pub fn type_aliases(&self) -> &[AliasDefinition] {
        &self.type_aliases
    }

    /// Returns the alias base name of an attribute by its mnemonic.
    pub fn attribute_alias(&self, mnemonic: &[u8]) -> Option<&Text> {
        find_alias(&self.attribute_aliases, mnemonic)
    }

    /// Returns the alias base name of a type by its mnemonic.
    pub fn type_alias(&self, mnemonic: &[u8]) -> Option<&Text> {
        find_alias(&self.type_aliases, mnemonic)
    }

    /// Returns the enumeration of that name. Takes O(log n), or time in their number if there is
    /// none.
    pub fn enumeration(&self, name: &str) -> Option<&EnumDefinition> {
        const FEW: usize = 16;
        let in_order = || self.enums.iter().find(|e| e.name == name);
        if self.enums.len() <= FEW {
            return in_order();
        }
        let order = self.enum_order.get_or_init(|| {
            let mut order: Vec<usize> = (0..self.enums.len()).collect();
            order.compact_sort_by_key(|&at| self.enums.get(at).map(|e| &e.name));
            order
        });
        let enumeration = |at: &usize| self.enums.get(*at);
        let found = order.partition_point(|at| enumeration(at).is_some_and(|e| *e.name < *name));
        let found = order.get(found).and_then(enumeration);
        // The list may have been changed since its order was determined.
        found.filter(|e| e.name == name).or_else(in_order)
    }

    /// Returns the enumeration of that name under the rules of a release: the members that the
    /// release has precede the others, so a keyword or a value that changed its meaning has the
    /// one of the release, and one that the release does not have keeps that of another.
    pub fn enumeration_in(&self, name: &str, release: Release) -> Option<&EnumDefinition> {
        let found = self.enumeration(name)?;
        let number = release.number_in(self.family);
        let narrowed = self
            .enums_of_releases
            .get_or_init(|| self.enums.iter().flat_map(EnumOfReleases::all).collect());
        let mut narrowed = narrowed.iter().filter(|one| {
            // The list may have been changed since these were determined.
            one.releases.contains(number)
                && one.enumeration.name == name
                && one.enumeration.cases.len() == found.cases.len()
        });
        Some(narrowed.next().map_or(found, |one| &one.enumeration))
    }

    /// Returns the dialect attribute that an inherent attribute must be, in the context's release.
    ///
    /// The result is the dialect (this one or that of the attribute's enumeration, or else one that
    /// it uses) and the mnemonic, or `None` if the constraint requires another kind of attribute.
    /// Linear in the attributes of these dialects: call this once per operation name.
    pub fn attribute_entry(
        self: &Arc<Self>,
        context: &Context,
        attribute: &InherentAttribute,
    ) -> Option<(Arc<Self>, Text)> {
        // An enumeration of another dialect implies that dialect's attribute.
        let other = attribute.enumeration.split_once('.');
        let home = other.and_then(|(name, _)| context.dialect(name.as_bytes()));
        let home = home.unwrap_or_else(|| Arc::clone(self));
        let used = self.uses.iter();
        let used = used.filter_map(|used| context.dialect(used.as_bytes()));
        std::iter::once(home).chain(used).find_map(|home| {
            let number = context.release().number_in(home.family);
            let entry = home
                .attributes
                .of_constraint(&attribute.constraint, number)?;
            let mnemonic = entry.mnemonic.clone();
            Some((home, mnemonic))
        })
    }

    /// Returns the dialect that declares a [constraint on attributes](Self::attribute_constraint)
    /// used in this one: this dialect, or else the first dialect it uses that declares the
    /// constraint. Takes O(log n) for each.
    pub fn find_attribute_constraint(
        self: &Arc<Self>,
        context: &Context,
        name: &str,
    ) -> Option<Arc<Self>> {
        if self.attribute_constraint(name).is_some() {
            return Some(Arc::clone(self));
        }
        let mut uses = self
            .uses
            .iter()
            .filter_map(|used| context.dialect(used.as_bytes()));
        uses.find(|used| used.attribute_constraint(name).is_some())
    }

    /// Returns the innermost constraint on attributes that a named constraint confines.
    ///
    /// Named constraints are resolved repeatedly, up to the nesting limit; a constraint that no
    /// dialect declares is its own base. The base determines how attributes are spelled.
    pub fn base_constraint(self: &Arc<Self>, context: &Context, name: &str) -> Text {
        let (mut home, mut name) = (Arc::clone(self), Text::from(name.to_owned()));
        for _ in 0..DEEPEST {
            let Some(found) = home.find_attribute_constraint(context, &name) else {
                break;
            };
            if let Some(named) = found.attribute_constraint(&name) {
                name = named.constraint.name.clone();
            }
            home = found;
        }
        name
    }

    /// Applies `take` to the enumeration of that name [in the context's
    /// release](Self::enumeration_in); a name with a dot specifies another dialect.
    pub fn find_enumeration<T>(
        &self,
        context: &Context,
        name: &str,
        take: impl FnOnce(&EnumDefinition) -> Option<T>,
    ) -> Option<T> {
        match name.split_once('.') {
            Some((other, name)) => {
                let other = context.dialect(other.as_bytes())?;
                take(other.enumeration_in(name, context.release())?)
            }
            None => take(self.enumeration_in(name, context.release())?),
        }
    }
}

fn find_alias<'a>(aliases: &'a [AliasDefinition], mnemonic: &[u8]) -> Option<&'a Text> {
    let at = aliases
        .binary_search_by(|alias| alias.mnemonic.as_bytes().cmp(mnemonic))
        .ok()?;
    aliases.get(at).map(|alias| &alias.stem)
}

/// A source from which a context loads dialect definitions lazily.
pub trait DialectSource: Send + Sync {
    /// Returns the definition of the dialect of that namespace. It may be called often, so
    /// implementations should cache their results; it must return the same result each time.
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>>;

    /// Returns the namespaces of its dialects, sorted.
    fn namespaces(&self) -> Vec<Text>;
}
