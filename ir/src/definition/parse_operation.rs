//! Parses the statements of operations.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::Text;
use super::line::{Line, Result};
use super::operation::{
    Forwarding, GroupDefinition, GroupKind, InherentAttribute, OperationDefinition, Presence,
    RememberedAttribute, SymbolDefinition, TypeRelation,
};
use super::operation_format::TypeDerivation;
use super::parse::Parser;
use super::property::{BASES, NativeProperty, PropertyKind, VersionBound, WRAPPERS};
use super::release::ReleaseRange;
use super::requirement::{self, Requirement};
use super::traits::{NamedTrait, TypeRelationKind};
use super::type_function::TypeFunction;
use crate::constraint::{RegionConstraint, TypeConstraint, TypePredicate};
use crate::{Visibility, VisibilityRule};
use std::sync::Arc;

impl<'a> Parser<'a, '_> {
    /// Parses `target = function(source) ["summary"] [releases], ...`.
    pub(super) fn derivations(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let target = (self.own)(line.name()?);
            line.expect('=')?;
            let start = line.place();
            let Some(function) = TypeFunction::from_name(line.name()?) else {
                return Err(line.error_at(start, "unknown function of types"));
            };
            line.expect('(')?;
            let source = (self.own)(line.name()?);
            line.expect(')')?;
            let summary = self.summary(line)?;
            let releases = line.releases()?;
            self.current(line)?.derivations.push(TypeDerivation {
                target,
                function,
                source,
                summary,
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `mnemonic[(operands)] [-> (results) | -> Constraint] [family name] [releases]`. A
    /// result given only by its constraint is named `result`.
    pub(super) fn start_operation(&mut self, line: &mut Line<'a>) -> Result<()> {
        self.close_operation()?;
        self.entries.close();
        let mut operation = OperationDefinition::new((self.own)(line.name()?));
        if line.eat('(') && !line.eat(')') {
            operation.operands = self.groups(line)?;
            line.expect(')')?;
        }
        if line.eat_word("->") {
            if line.eat('(') {
                operation.results = self.groups(line)?;
                line.expect(')')?;
            } else {
                operation.results = vec![self.plain_result(line)?];
            }
        }
        operation.family = if line.eat_word("family") {
            line.family()?
        } else {
            self.dialect.family
        };
        operation.releases = line.releases()?;
        let of_dialect = operation.family == self.dialect.family;
        if of_dialect && operation.releases == ReleaseRange::ALL {
            operation.releases = self.releases;
        }
        self.operation = Some(operation);
        Ok(())
    }

    /// Parses `name: [optional|variadic|variadic_of_variadic] Constraint [by attribute] [releases],
    /// ...`; a name without a colon has the kind and constraint of the next one.
    pub(super) fn groups(&mut self, line: &mut Line<'a>) -> Result<Vec<GroupDefinition>> {
        self.groups_of(line, |parser, line, group| {
            group.constraint = parser.constraint(line)?;
            if group.kind == GroupKind::VariadicOfVariadic && line.eat_word("by") {
                group.by = (parser.own)(line.name()?);
            }
            Ok(())
        })
    }

    /// Parses `name: [variadic] Constraint[(number)] [arguments (Constraint, ...)] [releases],
    /// ...`.
    pub(super) fn regions(&mut self, line: &mut Line<'a>) -> Result<()> {
        let groups = self.groups_of(line, |parser, line, group| {
            group.constraint = parser.region_constraint(line)?;
            if line.eat_word("arguments") {
                group.arguments = Some(parser.arguments(line)?);
            }
            Ok(())
        })?;
        self.current(line)?.regions.extend(groups);
        Ok(())
    }

    /// Parses a name, with a number in parentheses for those constraints that take one.
    fn region_constraint(&mut self, line: &mut Line<'a>) -> Result<Text> {
        let start = line.place();
        let name = line.name()?;
        if !line.starts_with('(') {
            return match RegionConstraint::needs_number(name) {
                true => Err(line.error("expected '(' and a number of blocks")),
                false => Ok((self.own)(name)),
            };
        }
        if !RegionConstraint::takes_number(name) {
            let message = format!("'{}' takes no number of blocks", name.escape_debug());
            return Err(line.error_at(start, message));
        }
        line.expect('(')?;
        let number = line.size()?;
        line.expect(')')?;
        Ok(format!("{name}({number})").into())
    }

    /// Parses `(Constraint, ...)`.
    fn arguments(&mut self, line: &mut Line<'a>) -> Result<Vec<Text>> {
        let mut arguments = Vec::new();
        line.expect('(')?;
        if line.eat(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.constraint(line)?);
            if !line.eat(',') {
                line.expect(')')?;
                return Ok(arguments);
            }
        }
    }

    /// Parses groups; `read` parses the part after the kind.
    fn groups_of(
        &mut self,
        line: &mut Line<'a>,
        read: impl Fn(&mut Self, &mut Line<'a>, &mut GroupDefinition) -> Result<()>,
    ) -> Result<Vec<GroupDefinition>> {
        let mut groups: Vec<GroupDefinition> = Vec::new();
        let mut same = 0usize;
        loop {
            let name = self.group_name(line)?;
            groups.push(GroupDefinition::new(name, ""));
            same = same.saturating_add(1);
            if line.eat(':') {
                let mut like = GroupDefinition::new("", "");
                like.kind = line.group_kind().unwrap_or_default();
                read(self, line, &mut like)?;
                like.releases = line.releases()?;
                for group in groups.iter_mut().rev().take(same) {
                    let name = std::mem::take(&mut group.name);
                    *group = GroupDefinition {
                        name,
                        ..like.clone()
                    };
                }
                same = 0;
            }
            if !line.eat(',') {
                break;
            }
        }
        if same == 0 {
            Ok(groups)
        } else {
            Err(line.error("expected ':' and a constraint"))
        }
    }

    fn plain_result(&mut self, line: &mut Line<'a>) -> Result<GroupDefinition> {
        let kind = line.group_kind().unwrap_or_default();
        let mut group = GroupDefinition::new("result", self.constraint(line)?);
        group.kind = kind;
        Ok(group)
    }

    /// Parses a name, or `_` for none.
    pub(super) fn group_name(&mut self, line: &mut Line<'a>) -> Result<Text> {
        let name = line.name()?;
        Ok((self.own)(if name == "_" { "" } else { name }))
    }

    /// Parses `name[: variadic] [releases], ...`.
    pub(super) fn successors(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let name = self.group_name(line)?;
            let mut kind = GroupKind::Single;
            if line.eat(':') {
                kind = line
                    .group_kind()
                    .ok_or_else(|| line.error("expected 'variadic'"))?;
            }
            let releases = line.releases()?;
            let mut group = GroupDefinition::new(name, "");
            group.kind = kind;
            group.releases = releases;
            self.current(line)?.successors.push(group);
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `= predicate`.
    pub(super) fn type_constraint(
        &mut self,
        name: Text,
        summary: Text,
        line: &mut Line<'a>,
    ) -> Result<()> {
        line.expect('=')?;
        let start = line.place();
        let predicate = self.predicate(line.rest());
        let predicate =
            predicate.map_err(|(at, message)| line.error_at(start.saturating_add(at), message))?;
        let summary = match &*summary {
            "" => Text::Owned(predicate.summary()),
            _ => summary,
        };
        let constraint = Arc::new(TypeConstraint {
            name: name.clone(),
            summary,
            predicate,
        });
        match self.constraints.insert(name, constraint) {
            None => Ok(()),
            Some(_) => Err(line.error_at(0, "the constraint is there already")),
        }
    }

    /// Parses a predicate, which can refer to the constraints parsed so far.
    pub(super) fn predicate(
        &self,
        text: &str,
    ) -> std::result::Result<TypePredicate, crate::constraint::PredicateError> {
        TypePredicate::parse(text, &|name| {
            let own = self.constraints.get(name);
            own.or_else(|| TypeConstraint::find(name)).cloned()
        })
    }

    /// Parses the constraint of a group: a name, or a predicate in parentheses.
    pub(super) fn constraint(&mut self, line: &mut Line<'a>) -> Result<Text> {
        if !line.starts_with('(') {
            return Ok((self.own)(line.name()?));
        }
        let start = line.place();
        let text = line.in_parentheses()?;
        match self.predicate(text) {
            Ok(_) => Ok((self.own)(text)),
            Err((at, message)) => Err(line.error_at(start.saturating_add(at), message)),
        }
    }

    /// Parses `"..."`, if it is present.
    pub(super) fn summary(&mut self, line: &mut Line<'a>) -> Result<Text> {
        match line.starts_with('"') {
            true => Ok((self.own)(line.string()?)),
            false => Ok(Text::default()),
        }
    }

    /// Parses `operands to successor [releases], ...`.
    pub(super) fn forwards(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let operands = (self.own)(line.name()?);
            line.keyword("to")?;
            let successor = (self.own)(line.name()?);
            let releases = line.releases()?;
            self.current(line)?.forwards.push(Forwarding {
                operands,
                successor,
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `name [of attribute, ...] [releases] = value`.
    pub(super) fn remembers(&mut self, line: &mut Line<'a>) -> Result<()> {
        let name = (self.own)(line.name()?);
        let mut numbers = Vec::new();
        if line.eat_word("of") {
            loop {
                numbers.push((self.own)(line.name()?));
                if !line.eat(',') {
                    break;
                }
            }
        }
        let releases = line.releases()?;
        line.expect('=')?;
        let value = match line.rest() {
            "" => return Err(line.error("expected an attribute")),
            text => (self.own)(text),
        };
        let remembered = &mut self.current(line)?.remembered;
        remembered.push(RememberedAttribute {
            name,
            value,
            numbers,
            releases,
        });
        Ok(())
    }

    /// Parses `name [visibility name | public name] [default visibility] [releases]`.
    pub(super) fn symbol(&mut self, line: &mut Line<'a>) -> Result<()> {
        let name = (self.own)(line.name()?);
        let is_name = line.eat_word("visibility");
        let is_flag = !is_name && line.eat_word("public");
        let visibility = match is_name || is_flag {
            true => (self.own)(line.name()?),
            false => Text::default(),
        };
        let mut default = Visibility::default();
        if line.eat_word("default") {
            let place = line.place();
            let word = line.name()?;
            let found = Visibility::ALL.into_iter().find(|v| v.as_str() == word);
            default = found.ok_or_else(|| {
                let message = format!(
                    "unknown visibility '{}': expected 'public', 'private' or 'nested'",
                    word.escape_debug()
                );
                line.error_at(place, message)
            })?;
        }
        let rule = VisibilityRule { is_flag, default };
        let releases = line.releases()?;
        let symbols = &mut self.current(line)?.symbols;
        if symbols
            .iter()
            .any(|other| other.releases.overlaps(releases))
        {
            return Err(line.error_at(0, "the operation has a 'symbol' statement already"));
        }
        symbols.push(SymbolDefinition {
            name,
            visibility,
            rule,
            releases,
        });
        Ok(())
    }

    /// Parses `attribute [releases], ...`.
    pub(super) fn symbol_references(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let name = (self.own)(line.name()?);
            let releases = line.releases()?;
            let references = &mut self.current(line)?.symbol_references;
            references.push((name, releases));
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `Trait [releases], Relation(a, b) ["summary"] [releases], ...`.
    pub(super) fn traits(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let start = line.place();
            let name = line.name()?;
            if line.eat('(') {
                let Some(kind) = TypeRelationKind::from_name(name) else {
                    let message = format!("unknown relation '{}'", name.escape_debug());
                    return Err(line.error_at(start, message));
                };
                let mut groups = Vec::new();
                loop {
                    groups.push(self.group_name(line)?);
                    if !line.eat(',') {
                        break;
                    }
                }
                line.expect(')')?;
                let summary = self.summary(line)?;
                let releases = line.releases()?;
                self.current(line)?.relations.push(TypeRelation {
                    kind,
                    groups,
                    summary,
                    releases,
                });
            } else {
                let mut named = NamedTrait::new((self.own)(name));
                named.releases = line.releases()?;
                self.current(line)?.add_trait_named(named);
            }
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `[releases] [[error] "words"] rule`.
    pub(super) fn requirement(&mut self, line: &mut Line<'a>) -> Result<()> {
        let releases = line.releases()?;
        let is_message = line.eat_before_quote("error");
        let place = line.place();
        let summary = self.summary(line)?;
        let message = match is_message {
            true => requirement::parse_message(&summary, &|text| self.predicate(text)),
            false => Ok(Vec::new()),
        };
        // The words begin after a quotation mark.
        let message = message.map_err(|(at, message)| {
            line.error_at(place.saturating_add(at).saturating_add(1), message)
        })?;
        let start = line.place();
        let text = line.rest();
        let rule = requirement::parse(text, &|text| self.predicate(text));
        let rule =
            rule.map_err(|(at, message)| line.error_at(start.saturating_add(at), message))?;
        let text = (self.own)(text);
        self.current(line)?.requirements.push(Requirement {
            text,
            summary,
            is_message,
            releases,
            rule,
            message: message.into(),
        });
        Ok(())
    }

    /// Parses `Interface [releases], ...`.
    pub(super) fn interfaces(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let mut named = NamedTrait::interface((self.own)(line.name()?));
            named.releases = line.releases()?;
            self.current(line)?.add_trait_named(named);
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `names: Constraint[(confinements)] [optional] [enum Name] [releases] [= default]`;
    /// the default `?` denotes an unknown one.
    pub(super) fn attribute(&mut self, line: &mut Line<'a>) -> Result<()> {
        let start = line.place();
        let mut names = vec![line.name()?];
        while line.eat(',') {
            names.push(line.name()?);
        }
        line.expect(':')?;
        let mut attribute = InherentAttribute::new("", Presence::Required);
        attribute.constraint = self.group_name(line)?;
        attribute.confinements = self.confinements(line)?;
        if line.eat_word("optional") {
            attribute.presence = Presence::Optional;
        }
        if line.eat_word("enum") {
            attribute.enumeration = (self.own)(line.name()?);
        }
        if line.eat_word("version") {
            attribute.version = Some(VersionBound {
                dialect: (self.own)(line.name()?),
                first: line.version()?,
                appended: line.eat_word("appended"),
            });
        }
        attribute.releases = line.releases()?;
        if line.eat('=') {
            if attribute.presence == Presence::Required {
                attribute.presence = Presence::Default;
            }
            attribute.default = self.default(line)?;
        }
        for name in names {
            attribute.name = (self.own)(name);
            self.current(line)?.push_attribute(attribute.clone());
            let declared = self.attribute_releases.entry(name).or_default();
            if !declared.insert(attribute.releases) {
                let message =
                    format!("attribute '{name}' is there already in one of these releases");
                return Err(line.error_at(start, message));
            }
        }
        Ok(())
    }

    /// Parses the text after `=`.
    fn default(&mut self, line: &mut Line<'a>) -> Result<Option<Text>> {
        match line.rest() {
            "" => Err(line.error("expected a default")),
            "?" => Ok(None),
            text => Ok(Some((self.own)(text))),
        }
    }

    /// Parses `name: kind [enum name] [releases] [= default]`.
    pub(super) fn property(&mut self, line: &mut Line<'a>) -> Result<()> {
        let name = (self.own)(line.name()?);
        line.expect(':')?;
        let kind = property_kind(line)?;
        let enumeration = match line.eat_word("enum") {
            true => (self.own)(line.name()?),
            false => Text::default(),
        };
        let releases = line.releases()?;
        let default = if line.eat('=') {
            self.default(line)?
        } else {
            None
        };
        self.current(line)?.properties.push(NativeProperty {
            name,
            kind,
            enumeration,
            default,
            releases,
        });
        Ok(())
    }
}

/// Parses `optional<array<i64>>`.
fn property_kind(line: &mut Line<'_>) -> Result<PropertyKind> {
    let start = line.place();
    let mut rest = line.name()?;
    let mut wrappers = Vec::new();
    while let Some((head, inner)) = rest.split_once('<') {
        let Some(wrapper) = WRAPPERS.iter().find(|w| w.0 == head) else {
            break;
        };
        let Some(inner) = inner.strip_suffix('>') else {
            break;
        };
        wrappers.push(wrapper.1);
        rest = inner;
    }
    match BASES.iter().find(|b| b.0 == rest) {
        Some(&(_, base)) => Ok(PropertyKind { wrappers, base }),
        None => Err(line.error_at(start, "unknown kind of property")),
    }
}
