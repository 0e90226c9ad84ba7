//! Dialects, and where a context finds them.

use super::release::{Family, Release, ReleaseRange};
use super::{Documentation, EntryTable, InherentAttribute, OperationDefinition, Text};
use crate::Context;
use crate::constraint::{DEEPEST, NamedAttributeConstraint, TypeConstraint};
use std::sync::Arc;

/// An attribute or type of a dialect that is printed through an alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AliasDefinition {
    /// The mnemonic that its body starts with.
    pub mnemonic: Text,
    /// The stem of its alias: `loop_annotation` gives `#loop_annotation`, `#loop_annotation1`.
    pub stem: Text,
}

/// A member of an enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumCase {
    /// As text has it.
    pub keyword: Text,
    /// As bytecode has it.
    pub value: i64,
    /// Whether it is read but never printed, as other members say the same.
    pub hidden: bool,
    /// When it is there, by the releases of the dialect's family.
    pub releases: ReleaseRange,
}

/// An enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumDefinition {
    /// The name.
    pub name: Text,
    /// How many bits the integer has that holds it.
    pub width: u32,
    /// What stands between members, if several can be set at once.
    pub separator: Option<Text>,
    /// The members, as they were declared.
    pub cases: Vec<EnumCase>,
}

impl EnumDefinition {
    /// The value that a text says: the keyword of a member or, if several can be set at once, those of some with the
    /// separator between them; none if one is none. Linear in the members for each keyword.
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
}

/// A dialect.
#[derive(Clone, Debug, Default)]
pub struct DialectDefinition {
    /// The namespace.
    pub name: Text,
    /// Whose releases define it, where an operation does not say otherwise.
    pub family: Family,
    /// Sorted by mnemonic; those of one mnemonic as they were declared.
    operations: Vec<Arc<OperationDefinition>>,
    /// The enumerations, as they were declared.
    pub enums: Vec<EnumDefinition>,
    /// What is known of its attributes.
    pub attributes: EntryTable,
    /// What is known of its types.
    pub types: EntryTable,
    /// Constraints on types, sorted by name; beside those that every definition knows.
    type_constraints: Vec<Arc<TypeConstraint>>,
    /// Constraints on attributes, sorted by name; beside those that every definition knows.
    attribute_constraints: Vec<NamedAttributeConstraint>,
    /// The mnemonics of the operations that upstream verifies by code, beyond what definitions can say; none if that is
    /// not known. See [`VerifierCode`](crate::VerifierCode).
    pub verifiers: Option<Vec<Text>>,
    /// Dialects whose constraints its operations name too.
    pub uses: Vec<Text>,
    /// Constraints that operations name and that are not known: what keeps them is code. Nothing checks them.
    pub unknown_constraints: Vec<Text>,
    /// The attributes that have aliases, sorted by mnemonic.
    attribute_aliases: Vec<AliasDefinition>,
    /// The types that have aliases, sorted by mnemonic.
    type_aliases: Vec<AliasDefinition>,
    /// Whether no others of the dialect have aliases. If it is not known, the aliases of a source
    /// text are kept.
    pub aliases_complete: bool,
    /// Whether these are all of its attributes in the releases of its family: the verifier refuses others.
    pub attributes_complete: bool,
    /// Whether these are all of its types in the releases of its family: the verifier refuses others.
    pub types_complete: bool,
    /// Whether these are all of its operations in the releases of its family: the verifier refuses others
    /// of its namespace.
    pub operations_complete: bool,
    /// Its documentation, if there is some.
    pub documentation: Option<Box<Documentation>>,
}

impl DialectDefinition {
    /// A dialect without anything.
    pub fn new(name: impl Into<Text>) -> Self {
        DialectDefinition {
            name: name.into(),
            ..DialectDefinition::default()
        }
    }

    /// With these operations more. Takes O(n log n).
    #[must_use]
    pub fn with_operations(
        mut self,
        operations: impl IntoIterator<Item = OperationDefinition>,
    ) -> Self {
        self.operations.extend(operations.into_iter().map(Arc::new));
        self.operations.sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// With these aliases of attributes.
    #[must_use]
    pub fn with_attribute_aliases(
        mut self,
        aliases: impl IntoIterator<Item = AliasDefinition>,
    ) -> Self {
        self.attribute_aliases.extend(aliases);
        self.attribute_aliases
            .sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// With these aliases of types.
    #[must_use]
    pub fn with_type_aliases(mut self, aliases: impl IntoIterator<Item = AliasDefinition>) -> Self {
        self.type_aliases.extend(aliases);
        self.type_aliases
            .sort_by(|a, b| a.mnemonic.cmp(&b.mnemonic));
        self
    }

    /// With these constraints on types. Of several of one name the first is taken. Takes O(n log n).
    #[must_use]
    pub fn with_type_constraints(
        mut self,
        constraints: impl IntoIterator<Item = Arc<TypeConstraint>>,
    ) -> Self {
        self.type_constraints.extend(constraints);
        self.type_constraints.sort_by(|a, b| a.name.cmp(&b.name));
        self.type_constraints.dedup_by(|a, b| a.name == b.name);
        self
    }

    /// With these constraints on attributes. Of several of one name the first is taken. Takes O(n log n).
    #[must_use]
    pub fn with_attribute_constraints(
        mut self,
        constraints: impl IntoIterator<Item = NamedAttributeConstraint>,
    ) -> Self {
        let all = &mut self.attribute_constraints;
        all.extend(constraints);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.name == b.name);
        self
    }

    /// The constraints on attributes that it has itself, sorted by name.
    pub fn attribute_constraints(&self) -> &[NamedAttributeConstraint] {
        &self.attribute_constraints
    }

    /// The constraint on attributes of that name that it has itself. Takes O(log n).
    pub fn attribute_constraint(&self, name: &str) -> Option<&NamedAttributeConstraint> {
        let own = &self.attribute_constraints;
        let at = own.binary_search_by(|c| (*c.name).cmp(name)).ok()?;
        own.get(at)
    }

    /// The constraints on types that it has itself, sorted by name.
    pub fn type_constraints(&self) -> &[Arc<TypeConstraint>] {
        &self.type_constraints
    }

    /// The constraint on types of that name: its own, or one that every definition knows; those of the dialects that it
    /// uses too are known to [`Context::type_constraint`](crate::Context::type_constraint). Takes O(log n).
    pub fn type_constraint(&self, name: &str) -> Option<&Arc<TypeConstraint>> {
        let own = &self.type_constraints;
        let at = own.binary_search_by(|c| (*c.name).cmp(name)).ok();
        at.and_then(|at| own.get(at))
            .or_else(|| TypeConstraint::find(name))
    }

    /// The operations, sorted by mnemonic. Several have one mnemonic where families, or releases of
    /// one, define it without anything in common.
    pub fn operations(&self) -> &[Arc<OperationDefinition>] {
        &self.operations
    }

    /// The operation of that mnemonic, if a release has it: of several, the first that the release's own
    /// family defines, else the first. Takes O(log n).
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

    /// The attributes that have aliases, sorted by mnemonic.
    pub fn attribute_aliases(&self) -> &[AliasDefinition] {
        &self.attribute_aliases
    }

    /// The types that have aliases, sorted by mnemonic.
    pub fn type_aliases(&self) -> &[AliasDefinition] {
        &self.type_aliases
    }

    /// The alias stem of an attribute by its mnemonic.
    pub fn attribute_alias(&self, mnemonic: &[u8]) -> Option<&Text> {
        find_alias(&self.attribute_aliases, mnemonic)
    }

    /// The alias stem of a type by its mnemonic.
    pub fn type_alias(&self, mnemonic: &[u8]) -> Option<&Text> {
        find_alias(&self.type_aliases, mnemonic)
    }

    /// The enumeration of that name.
    pub fn enumeration(&self, name: &str) -> Option<&EnumDefinition> {
        self.enums.iter().find(|e| e.name == name)
    }

    /// The attribute of a dialect that an inherent attribute has to be, in the context's release: the dialect, this one or that of
    /// the attribute's enumeration, and the mnemonic. None if its constraint asks for another sort. Linear in the
    /// dialect's attributes: to be asked for once for an operation's name.
    pub fn attribute_entry(
        self: &Arc<Self>,
        context: &Context,
        attribute: &InherentAttribute,
    ) -> Option<(Arc<Self>, Text)> {
        // An enumeration of another dialect comes with that dialect's attribute.
        let other = attribute.enumeration.split_once('.');
        let home = other.and_then(|(name, _)| context.dialect(name.as_bytes()));
        let home = home.unwrap_or_else(|| Arc::clone(self));
        let number = context.release().number_in(home.family);
        let entry = home
            .attributes
            .of_constraint(&attribute.constraint, number)?;
        let mnemonic = entry.mnemonic.clone();
        Some((home, mnemonic))
    }

    /// The dialect that has the [constraint on attributes](Self::attribute_constraint) that definitions of this one call so: this
    /// one, or else the first that it uses which has it. Takes O(log n) for each.
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

    /// What a constraint on attributes confines, what that confines if it has a name, and so on, as deep as constraints nest; a
    /// constraint that nobody defines is itself that. Attributes are spelled as it says.
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

    /// Something of the enumeration that definitions of this dialect call so: with a dot, one of the dialect before it.
    pub fn find_enumeration<T>(
        &self,
        context: &Context,
        name: &str,
        take: impl FnOnce(&EnumDefinition) -> Option<T>,
    ) -> Option<T> {
        match name.split_once('.') {
            Some((other, name)) => take(context.dialect(other.as_bytes())?.enumeration(name)?),
            None => take(self.enumeration(name)?),
        }
    }
}

fn find_alias<'a>(aliases: &'a [AliasDefinition], mnemonic: &[u8]) -> Option<&'a Text> {
    let at = aliases
        .binary_search_by(|alias| alias.mnemonic.as_bytes().cmp(mnemonic))
        .ok()?;
    aliases.get(at).map(|alias| &alias.stem)
}

/// Where a context finds the definition of a dialect when it first meets the dialect's name.
pub trait DialectSource: Send + Sync {
    /// The definition of the dialect of that namespace. It may be asked for often and should keep
    /// what it has made; it gives the same answer each time.
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>>;

    /// The namespaces that it knows, sorted.
    fn namespaces(&self) -> Vec<Text>;
}
