//! The form of a declaration of a symbol: statements of operations.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::Text;
use super::line::{Line, Result};
use super::operation::OperationDefinition;
use super::parse::Parser;
use super::release::{Release, ReleaseRange};

/// How a symbol is declared: the form of an external reference to it, without its body.
///
/// An operation is a declaration if it has no attribute and no region with blocks of the names in
/// [`body`](Self::body). To make a declaration of a definition, these and the attributes in
/// [`without`](Self::without) are removed, and those in [`OperationDefinition::declared`] are set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclarationDefinition {
    /// The names of attributes and regions that make an operation a definition.
    pub body: Vec<Text>,
    /// The names of attributes that a declaration does not have.
    pub without: Vec<Text>,
    /// The names of attributes that must be equal in a declaration and the definition, in addition
    /// to those that hold types.
    pub matching: Vec<Text>,
    /// The mnemonic of the operation that declares it; empty if it has the same.
    pub operation: Text,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// An attribute with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeValueDefinition {
    /// The name of the attribute.
    pub name: Text,
    /// The value as the text of an attribute; `?` if it is not known as text.
    pub value: Text,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

impl AttributeValueDefinition {
    /// Returns the alternative values, which `|` separates.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.value.split('|').map(str::trim)
    }
}

impl OperationDefinition {
    /// Returns how it is declared in a release; `None` if that is not known.
    pub fn declaration_in(&self, release: Release) -> Option<&DeclarationDefinition> {
        let number = release.number_in(self.family);
        let mut declarations = self.declarations.iter();
        declarations.find(|declaration| declaration.releases.contains(number))
    }

    /// Returns the attributes that a declaration of it has in a release.
    pub fn declared_in(&self, release: Release) -> impl Iterator<Item = &AttributeValueDefinition> {
        let number = release.number_in(self.family);
        let declared = self.declared.iter();
        declared.filter(move |value| value.releases.contains(number))
    }

    /// Returns the attributes of which each makes the symbol local to its module in a release, as
    /// private visibility does.
    pub fn local_in(&self, release: Release) -> impl Iterator<Item = &AttributeValueDefinition> {
        let number = release.number_in(self.family);
        let local = self.local.iter();
        local.filter(move |value| value.releases.contains(number))
    }

    /// Returns the attributes of which each makes a definition weak in a release, from the weakest
    /// on.
    pub fn weak_in(&self, release: Release) -> impl Iterator<Item = &AttributeValueDefinition> {
        let number = release.number_in(self.family);
        let weak = self.weak.iter();
        weak.filter(move |value| value.releases.contains(number))
    }

    /// Returns the attributes of which each makes definitions of one name add up to one in a
    /// release.
    pub fn appends_in(&self, release: Release) -> impl Iterator<Item = &AttributeValueDefinition> {
        let number = release.number_in(self.family);
        let appends = self.appends.iter();
        appends.filter(move |value| value.releases.contains(number))
    }

    /// Returns whether two definitions of one name are merged in a release: the result has the
    /// symbols of both.
    pub fn is_merged_in(&self, release: Release) -> bool {
        let number = release.number_in(self.family);
        self.merges.iter().any(|releases| releases.contains(number))
    }

    /// Returns whether, in a release, symbols that it and operations nested in it refer to must be
    /// definitions.
    pub fn refers_to_definitions_in(&self, release: Release) -> bool {
        let number = release.number_in(self.family);
        let mut all = self.refers_to_definitions.iter();
        all.any(|releases| releases.contains(number))
    }

    /// Returns whether, in a release, it resolves declarations by an operation with another
    /// mnemonic.
    pub fn resolves_in(&self, release: Release, mnemonic: &[u8]) -> bool {
        let number = release.number_in(self.family);
        let mut all = self.resolves.iter();
        all.any(|(names, releases)| {
            let mut names = names.iter();
            releases.contains(number) && names.any(|name| name.as_bytes() == mnemonic)
        })
    }
}

impl<'a> Parser<'a, '_> {
    /// Parses `name, ... [without name, ...] [matching name, ...] [as mnemonic] [releases]`.
    pub(super) fn declaration(&mut self, line: &mut Line<'a>) -> Result<()> {
        let body = self.names(line)?;
        let without = match line.eat_word("without") {
            true => self.names(line)?,
            false => Vec::new(),
        };
        let matching = match line.eat_word("matching") {
            true => self.names(line)?,
            false => Vec::new(),
        };
        let operation = match line.eat_word("as") {
            true => (self.own)(line.name()?),
            false => Text::default(),
        };
        let releases = line.releases()?;
        let declarations = &mut self.current(line)?.declarations;
        if declarations
            .iter()
            .any(|other| other.releases.overlaps(releases))
        {
            return Err(line.error_at(0, "the operation has a 'declaration' statement already"));
        }
        declarations.push(DeclarationDefinition {
            body,
            without,
            matching,
            operation,
            releases,
        });
        Ok(())
    }

    pub(super) fn names(&mut self, line: &mut Line<'a>) -> Result<Vec<Text>> {
        let mut names = vec![(self.own)(line.name()?)];
        while line.eat(',') {
            names.push((self.own)(line.name()?));
        }
        Ok(names)
    }

    /// Parses `name [releases] = attribute`.
    pub(super) fn attribute_value(
        &mut self,
        line: &mut Line<'a>,
    ) -> Result<AttributeValueDefinition> {
        let name = (self.own)(line.name()?);
        let releases = line.releases()?;
        line.expect('=')?;
        let value = match line.rest() {
            "" => return Err(line.error("expected an attribute")),
            text => (self.own)(text),
        };
        Ok(AttributeValueDefinition {
            name,
            value,
            releases,
        })
    }
}
