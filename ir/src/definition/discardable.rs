//! Discardable attributes that a dialect owns: the statement `discardable`.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::line::{Line, Result};
use super::operation::{InherentAttribute, Presence};
use super::parse::Parser;
use super::{DialectDefinition, Text};

/// A discardable attribute whose name has the dialect's prefix, as MLIR's
/// `verifyOperationAttribute`, `verifyRegionArgAttribute` and `verifyRegionResultAttribute` check
/// it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiscardableAttribute {
    /// The name without the prefix, the constraint, and the releases in which it applies.
    pub attribute: InherentAttribute,
    /// Where the rule applies: full names of operations, [`OPERATION`](Self::OPERATION),
    /// [`ARGUMENT`](Self::ARGUMENT) and [`RESULT`](Self::RESULT); anywhere if the list is empty.
    pub places: Vec<Text>,
    /// Whether the attribute is invalid where no rule of its name applies.
    pub is_exclusive: bool,
    /// For arguments and results: the name of the constraint on their types; empty if there is
    /// none.
    pub of: Text,
    /// What must be there as well: an attribute beside it; empty if nothing must.
    pub with: Text,
    /// What the operation must have: an attribute, or a trait by MLIR's name; empty if nothing.
    pub operation_with: Text,
    /// The message of errors; empty for the default wording.
    pub error: Text,
}

impl DiscardableAttribute {
    /// The place of attributes of function arguments.
    pub const ARGUMENT: &str = "argument";
    /// All operations.
    pub const OPERATION: &str = "operation";
    /// The place of attributes of function results.
    pub const RESULT: &str = "result";

    /// Returns whether the rule applies in a place: an operation of that name, or one of the
    /// constants.
    pub fn applies_to(&self, place: &str) -> bool {
        is_among(&self.places, place)
    }
}

/// Returns whether a place is in a list of places; an empty list has all.
fn is_among(places: &[Text], place: &str) -> bool {
    let is_operation = place.contains('.');
    places.is_empty()
        || places
            .iter()
            .any(|one| one == place || (is_operation && one == DiscardableAttribute::OPERATION))
}

impl DialectDefinition {
    /// Returns whether discardable attributes with its prefix that it does not declare are invalid
    /// in a place.
    pub fn has_all_discardables(&self, place: &str) -> bool {
        self.discardables_complete && is_among(&self.discardables_complete_on, place)
    }

    /// Returns the rules of the discardable attribute of that name, without the prefix, in a
    /// release.
    pub fn discardable(
        &self,
        name: &str,
        release: u32,
    ) -> impl Iterator<Item = &DiscardableAttribute> {
        let all = self.discardables.iter();
        all.filter(move |one| {
            one.attribute.name == name && one.attribute.releases.contains(release)
        })
    }
}

impl<'a> Parser<'a, '_> {
    /// Parses `name: Constraint[(confinements)] [[only] on place, ...] [of Constraint]
    /// [with name] [operation with name] [releases] [error "words"]`, or
    /// `complete [on place, ...]`.
    pub(super) fn discardable(&mut self, line: &mut Line<'a>) -> Result<()> {
        let name = line.name()?;
        if name == "complete" && !line.starts_with(':') {
            self.dialect.discardables_complete = true;
            self.dialect.discardables_complete_on = self.places(line)?;
            return Ok(());
        }
        let mut attribute = InherentAttribute::new((self.own)(name), Presence::Optional);
        line.expect(':')?;
        attribute.constraint = self.group_name(line)?;
        attribute.confinements = self.confinements(line)?;
        let is_exclusive = line.eat_word("only");
        let places = self.places(line)?;
        let of = match line.eat_word("of") {
            true => self.constraint(line)?,
            false => Text::default(),
        };
        let with = match line.eat_word("with") {
            true => (self.own)(line.name()?),
            false => Text::default(),
        };
        let mut operation_with = Text::default();
        if line.eat_word("operation") {
            line.keyword("with")?;
            operation_with = (self.own)(line.name()?);
        }
        attribute.releases = line.releases()?;
        let error = match line.eat_word("error") {
            true => (self.own)(line.string()?),
            false => Text::default(),
        };
        self.dialect.discardables.push(DiscardableAttribute {
            attribute,
            places,
            is_exclusive,
            of,
            with,
            operation_with,
            error,
        });
        Ok(())
    }

    /// Parses `on place, ...`, if it is present.
    fn places(&mut self, line: &mut Line<'a>) -> Result<Vec<Text>> {
        let mut places = Vec::new();
        if line.eat_word("on") {
            loop {
                places.push((self.own)(line.name()?));
                if !line.eat(',') {
                    break;
                }
            }
        }
        Ok(places)
    }
}
