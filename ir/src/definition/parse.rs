//! The text format of definitions: `spec/dialect-definitions.md`.
//!
//! A statement takes a line and begins with a keyword. [`STATEMENTS`] has them all.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::operation::{
    Forwarding, GroupDefinition, GroupKind, InherentAttribute, OperationDefinition, Presence,
    TypeRelation,
};
use super::operation_format::TypeDerivation;
use super::parse_entry::Entries;
use super::property::{BASES, NativeProperty, PropertyKind, WRAPPERS};
use super::release::{Family, ReleaseRange};
use super::scalar_body;
use super::traits::{OperationTraits, TypeRelationKind};
use super::type_function::TypeFunction;
use super::{AliasDefinition, DialectDefinition, EnumCase, EnumDefinition, Text, format};
use crate::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use crate::constraint::{TypeConstraint, TypePredicate};
use crate::verify::OperationVerifier;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// What is wrong with a definition, and where. One word wide.
pub struct DefinitionError(Box<(u32, u32, String)>);

impl DefinitionError {
    #[cold]
    pub(super) fn new(line: u32, column: u32, message: impl Into<String>) -> Self {
        DefinitionError(Box::new((line, column, message.into())))
    }

    /// That of a place in a text alone.
    #[cold]
    pub(super) fn in_text(text: &str, at: usize, message: String) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let line = before.matches('\n').count().saturating_add(1);
        let column = at.saturating_sub(start).saturating_add(1);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self::new(number(line), number(column), message)
    }

    /// The line, from 1.
    pub fn line(&self) -> u32 {
        self.0.0
    }

    /// The column in bytes, from 1.
    pub fn column(&self) -> u32 {
        self.0.1
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.2
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line(), self.column(), self.message())
    }
}

impl fmt::Debug for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for DefinitionError {}

pub(super) type Result<T> = std::result::Result<T, DefinitionError>;

/// Where definitions find the hooks that they name.
pub trait HookSource {
    /// The syntax of that name.
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax>;

    /// The names of values, of that name.
    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        let _ = name;
        None
    }

    /// What the verifier checks, of that name.
    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        let _ = name;
        None
    }

    /// The syntax of a part of an operation, of that name: the directive's, with the dialect's and a dot before it
    /// if it is the dialect's own.
    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        let _ = name;
        None
    }

    /// The syntax of parameters of attributes and types, of that name: the dialect's, a dot and the directive's.
    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        let _ = name;
        None
    }
}

/// No hooks.
impl HookSource for () {
    fn syntax(&self, _: &str) -> Option<&'static dyn OperationSyntax> {
        None
    }
}

impl DialectDefinition {
    /// Reads a definition. A hook that is named but not found leaves the operation without custom
    /// syntax. Linear in the text.
    ///
    /// # Errors
    ///
    /// The first statement that is malformed, unknown or contradicts another.
    ///
    /// ```
    /// use rmlir_ir::definition::{DialectDefinition, Release};
    ///
    /// let text = "
    /// dialect toy
    ///
    /// op add
    ///   traits SameOperandsAndResultType
    ///   operands lhs, rhs: AnyTensor
    ///   results sum: AnyTensor
    ///   attr mode: StrAttr = \"fast\"
    ///   attr note: StrAttr optional since 22
    /// ";
    /// let toy = DialectDefinition::parse(text, &())?;
    /// let add = toy.operation(b"add", Release::LLVM_22).unwrap();
    /// assert_eq!(add.attributes().len(), 2);
    /// assert_eq!(add.layout(Release::LLVM_19).unwrap().slots(6).count(), 1);
    /// # Ok::<(), rmlir_ir::definition::DefinitionError>(())
    /// ```
    pub fn parse(text: &str, hooks: &dyn HookSource) -> Result<Self> {
        parse(text, hooks, |s| Text::Owned(s.to_owned()))
    }

    /// Reads a definition that is part of the program, whose text it refers to.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_static(text: &'static str, hooks: &dyn HookSource) -> Result<Self> {
        parse(text, hooks, Text::Borrowed)
    }
}

fn parse<'a>(
    text: &'a str,
    hooks: &dyn HookSource,
    own: fn(&'a str) -> Text,
) -> Result<DialectDefinition> {
    let mut parser = Parser {
        own,
        hooks,
        dialect: DialectDefinition::default(),
        attribute_aliases: Vec::new(),
        type_aliases: Vec::new(),
        constraints: HashMap::new(),
        operations: Vec::new(),
        operation: None,
        formats: Vec::new(),
        releases: ReleaseRange::ALL,
        entries: Entries::default(),
    };
    let mut number = 0u32;
    for text in text.lines() {
        number = number.saturating_add(1);
        let mut line = Line {
            text,
            at: 0,
            number,
        };
        let keyword = line.word();
        if keyword.is_empty() && line.is_end() || keyword.starts_with("//") {
            continue;
        }
        parser.statement(keyword, &mut line)?;
    }
    parser.finish(number)
}

/// A statement: its keyword, and what reads the rest of the line.
type Statement = (
    &'static str,
    for<'a, 'p> fn(&'p mut Parser<'a, '_>, &'p mut Line<'a>) -> Result<()>,
);

/// All statements, the frequent ones first.
static STATEMENTS: &[Statement] = &[
    // Of an operation.
    ("attr", |p, l| p.attribute(l)),
    ("op", |p, l| p.start_operation(l)),
    ("operands", |p, l| {
        let groups = p.groups(l)?;
        p.current(l)?.operands.extend(groups);
        Ok(())
    }),
    ("results", |p, l| {
        let groups = p.groups(l)?;
        p.current(l)?.results.extend(groups);
        Ok(())
    }),
    ("traits", |p, l| p.traits(l)),
    ("regions", |p, l| {
        let groups = p.groups(l)?;
        p.current(l)?.regions.extend(groups);
        Ok(())
    }),
    ("successors", |p, l| p.successors(l)),
    ("forwards", |p, l| p.forwards(l)),
    ("terminator", |p, l| {
        let name = (p.own)(l.name()?);
        let releases = l.releases()?;
        p.current(l)?.add_implicit_terminator(name, releases);
        Ok(())
    }),
    ("parents", |p, l| {
        loop {
            let name = (p.own)(l.name()?);
            let releases = l.releases()?;
            p.current(l)?.parents.push((name, releases));
            if !l.eat(',') {
                return Ok(());
            }
        }
    }),
    ("property", |p, l| p.property(l)),
    ("types", |p, l| match p.operation {
        Some(_) => p.derivations(l),
        None => {
            p.dialect.types_complete = true;
            l.keyword("complete")
        }
    }),
    ("body", |p, l| {
        let releases = l.releases()?;
        let start = l.place();
        let body = scalar_body::parse(l.rest(), releases, p.own);
        let body = body.map_err(|(at, message)| l.error_at(start.saturating_add(at), message))?;
        p.current(l)?.bodies.push(body);
        Ok(())
    }),
    ("default_dialect", |p, l| {
        let name = (p.own)(l.name()?);
        p.current(l)?.default_dialect = name;
        Ok(())
    }),
    ("result_names", |p, l| {
        loop {
            let name = (p.own)(l.name()?);
            p.current(l)?.result_names.push(name);
            if !l.eat(',') {
                return Ok(());
            }
        }
    }),
    ("hook", |p, l| {
        let (name, hooks) = ((p.own)(l.name()?), p.hooks);
        let operation = p.current(l)?;
        *operation =
            std::mem::replace(operation, OperationDefinition::new("")).with_hook(name, hooks);
        Ok(())
    }),
    // Of attributes and types.
    ("attribute", |p, l| {
        p.close_operation()?;
        p.start_entry(l, false)
    }),
    ("type", |p, l| {
        p.close_operation()?;
        p.start_entry(l, true)
    }),
    ("parameters", |p, l| p.parameters(l)),
    ("format", |p, l| match p.operation {
        Some(_) => p.operation_format(l),
        None => p.format(l),
    }),
    ("constraint", |p, l| {
        let name = (p.own)(l.name()?);
        if l.starts_with('"') || l.starts_with('=') {
            return p.type_constraint(name, l);
        }
        if p.entries.open == Some(true) {
            return Err(l.error("expected '=' and what operands and results must be"));
        }
        p.current_entry(l)?.constraint = name;
        Ok(())
    }),
    ("codec", |p, l| p.codec(l)),
    ("like", |p, l| {
        let name = (p.own)(l.name()?);
        p.current_entry(l)?.like = Some(name);
        Ok(())
    }),
    // Of the dialect.
    ("dialect", |p, l| {
        p.dialect.name = (p.own)(l.name()?);
        p.releases = l.releases()?;
        Ok(())
    }),
    ("family", |p, l| {
        p.dialect.family = l.family()?;
        Ok(())
    }),
    ("aliases", |p, l| {
        p.dialect.aliases_complete = true;
        l.keyword("complete")
    }),
    ("attributes", |p, l| {
        p.dialect.attributes_complete = true;
        l.keyword("complete")
    }),
    ("operations", |p, l| {
        p.dialect.operations_complete = true;
        l.keyword("complete")
    }),
    ("alias", |p, l| p.alias(l)),
    ("uses", |p, l| {
        loop {
            let dialect = (p.own)(l.name()?);
            p.dialect.uses.push(dialect);
            if !l.eat(',') {
                return Ok(());
            }
        }
    }),
    ("enum", |p, l| p.enumeration(l)),
    ("cases", |p, l| p.cases(l)),
];

/// A format that is not read yet.
struct PendingFormat<'a> {
    releases: ReleaseRange,
    text: &'a str,
    line: u32,
    column: usize,
}

pub(super) struct Parser<'a, 'h> {
    pub(super) own: fn(&'a str) -> Text,
    pub(super) hooks: &'h dyn HookSource,
    pub(super) dialect: DialectDefinition,
    attribute_aliases: Vec<AliasDefinition>,
    type_aliases: Vec<AliasDefinition>,
    /// Constraints on types by name.
    constraints: HashMap<Text, Arc<TypeConstraint>>,
    operations: Vec<OperationDefinition>,
    operation: Option<OperationDefinition>,
    /// Formats of that operation, as they need all of its other statements.
    formats: Vec<PendingFormat<'a>>,
    /// When operations exist that do not say it.
    releases: ReleaseRange,
    pub(super) entries: Entries<'a>,
}

impl<'a, 'h> Parser<'a, 'h> {
    fn statement(&mut self, keyword: &str, line: &mut Line<'a>) -> Result<()> {
        let found = STATEMENTS.iter().find(|s| s.0 == keyword);
        let Some((_, read)) = found else {
            let message = format!("unknown statement '{}'", keyword.escape_debug());
            return Err(line.error_at(line.at.saturating_sub(keyword.len()), message));
        };
        read(self, line)?;
        if line.is_end() {
            Ok(())
        } else {
            Err(line.error("expected the end of the line"))
        }
    }

    fn finish(mut self, line: u32) -> Result<DialectDefinition> {
        self.close_operation()?;
        self.finish_entries()?;
        if self.dialect.name.is_empty() {
            return Err(DefinitionError::new(
                line.max(1),
                1,
                "expected 'dialect NAME'",
            ));
        }
        let dialect = self
            .dialect
            .with_operations(self.operations)
            .with_type_constraints(self.constraints.into_values())
            .with_attribute_aliases(self.attribute_aliases)
            .with_type_aliases(self.type_aliases);
        let twice = dialect.operations().windows(2).find_map(|pair| match pair {
            [a, b]
                if a.mnemonic == b.mnemonic
                    && a.family == b.family
                    && a.releases.overlaps(b.releases) =>
            {
                Some(&a.mnemonic)
            }
            _ => None,
        });
        match twice {
            Some(name) => Err(DefinitionError::new(
                line.max(1),
                1,
                format!("operation '{name}' is defined twice for one release"),
            )),
            None => Ok(dialect),
        }
    }

    /// The operation whose statements are being read.
    fn current(&mut self, line: &Line<'a>) -> Result<&mut OperationDefinition> {
        self.operation
            .as_mut()
            .ok_or_else(|| line.error_at(0, "this stands behind an 'op' statement only"))
    }

    /// The operation that is open is read, but for its formats.
    fn close_operation(&mut self) -> Result<()> {
        let Some(mut operation) = self.operation.take() else {
            return Ok(());
        };
        for pending in self.formats.drain(..) {
            let dialect = &self.dialect.name;
            let of = (&operation, pending.releases);
            let read = format::parse_operation(pending.text, of, dialect, self.hooks, self.own);
            let format = read.map_err(|(at, message)| {
                let column = pending.column.saturating_add(at).saturating_add(1);
                let column = u32::try_from(column).unwrap_or(u32::MAX);
                DefinitionError::new(pending.line, column, message)
            })?;
            operation.formats.push(format);
        }
        self.operations.push(operation);
        Ok(())
    }

    /// `[releases] format`.
    fn operation_format(&mut self, line: &mut Line<'a>) -> Result<()> {
        let releases = line.releases()?;
        let column = line.place();
        self.formats.push(PendingFormat {
            releases,
            text: line.rest(),
            line: line.number,
            column,
        });
        Ok(())
    }

    /// `target = function(source) ["summary"] [releases], ...`.
    fn derivations(&mut self, line: &mut Line<'a>) -> Result<()> {
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

    /// `mnemonic[(operands)] [-> (results) | -> Constraint] [family name] [releases]`. A result that is
    /// only a constraint is called `result`.
    fn start_operation(&mut self, line: &mut Line<'a>) -> Result<()> {
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

    /// `name: [optional|variadic|variadic_of_variadic] Constraint [releases], ...`; a name without a
    /// colon is as the next one.
    fn groups(&mut self, line: &mut Line<'a>) -> Result<Vec<GroupDefinition>> {
        let mut groups: Vec<GroupDefinition> = Vec::new();
        let mut same = 0usize;
        loop {
            let name = self.group_name(line)?;
            groups.push(GroupDefinition {
                name,
                kind: GroupKind::Single,
                constraint: Text::default(),
                releases: ReleaseRange::ALL,
            });
            same = same.saturating_add(1);
            if line.eat(':') {
                let kind = line.group_kind().unwrap_or_default();
                let constraint = self.constraint(line)?;
                let releases = line.releases()?;
                for group in groups.iter_mut().rev().take(same) {
                    group.kind = kind;
                    group.constraint.clone_from(&constraint);
                    group.releases = releases;
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
        Ok(GroupDefinition {
            name: Text::Borrowed("result"),
            kind: line.group_kind().unwrap_or_default(),
            constraint: self.constraint(line)?,
            releases: ReleaseRange::ALL,
        })
    }

    /// A name, or `_` for none.
    fn group_name(&mut self, line: &mut Line<'a>) -> Result<Text> {
        let name = line.name()?;
        Ok((self.own)(if name == "_" { "" } else { name }))
    }

    /// `name[: variadic] [releases], ...`.
    fn successors(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let name = self.group_name(line)?;
            let mut kind = GroupKind::Single;
            if line.eat(':') {
                kind = line
                    .group_kind()
                    .ok_or_else(|| line.error("expected 'variadic'"))?;
            }
            let releases = line.releases()?;
            self.current(line)?.successors.push(GroupDefinition {
                name,
                kind,
                constraint: Text::default(),
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// `["summary"] = predicate`.
    fn type_constraint(&mut self, name: Text, line: &mut Line<'a>) -> Result<()> {
        let summary = self.summary(line)?;
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

    /// A predicate that can refer to the constraints that were read.
    fn predicate(
        &self,
        text: &str,
    ) -> std::result::Result<TypePredicate, crate::constraint::PredicateError> {
        TypePredicate::parse(text, &|name| {
            let own = self.constraints.get(name);
            own.or_else(|| TypeConstraint::find(name)).cloned()
        })
    }

    /// The constraint of a group: a name, or a predicate in parentheses.
    fn constraint(&mut self, line: &mut Line<'a>) -> Result<Text> {
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

    /// `"..."`, if it is there.
    fn summary(&mut self, line: &mut Line<'a>) -> Result<Text> {
        match line.starts_with('"') {
            true => Ok((self.own)(line.string()?)),
            false => Ok(Text::default()),
        }
    }

    /// `operands [by attribute] to successor [releases], ...`.
    fn forwards(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let operands = (self.own)(line.name()?);
            let sizes = match line.eat_word("by") {
                true => (self.own)(line.name()?),
                false => Text::default(),
            };
            line.keyword("to")?;
            let successor = (self.own)(line.name()?);
            let releases = line.releases()?;
            self.current(line)?.forwards.push(Forwarding {
                operands,
                sizes,
                successor,
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// `Trait [releases], Relation(a, b) ["summary"] [releases], ...`.
    fn traits(&mut self, line: &mut Line<'a>) -> Result<()> {
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
                let Some(traits) = OperationTraits::from_name(name) else {
                    let message = format!("unknown trait '{}'", name.escape_debug());
                    return Err(line.error_at(start, message));
                };
                let releases = line.releases()?;
                self.current(line)?.add_traits(traits, releases);
            }
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// `names: Constraint [optional] [enum Name] [releases] [= default]`; the default `?` is one that is
    /// not known.
    fn attribute(&mut self, line: &mut Line<'a>) -> Result<()> {
        let start = line.place();
        let mut names = vec![line.name()?];
        while line.eat(',') {
            names.push(line.name()?);
        }
        line.expect(':')?;
        let mut attribute = InherentAttribute::new("", Presence::Required);
        attribute.constraint = self.group_name(line)?;
        if line.eat_word("optional") {
            attribute.presence = Presence::Optional;
        }
        if line.eat_word("enum") {
            attribute.enumeration = (self.own)(line.name()?);
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
            if !self.current(line)?.add_attribute(attribute.clone()) {
                let message =
                    format!("attribute '{name}' is there already in one of these releases");
                return Err(line.error_at(start, message));
            }
        }
        Ok(())
    }

    /// What is behind `=`.
    fn default(&mut self, line: &mut Line<'a>) -> Result<Option<Text>> {
        match line.rest() {
            "" => Err(line.error("expected a default")),
            "?" => Ok(None),
            text => Ok(Some((self.own)(text))),
        }
    }

    /// `name: kind [enum name] [releases] [= default]`.
    fn property(&mut self, line: &mut Line<'a>) -> Result<()> {
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

    /// `#mnemonic [= #stem]` or `!mnemonic [= !stem]`.
    fn alias(&mut self, line: &mut Line<'a>) -> Result<()> {
        let start = line.place();
        let mnemonic = line.name()?;
        let stem = if line.eat('=') {
            line.name()?
        } else {
            mnemonic
        };
        let both = |sigil| Some((mnemonic.strip_prefix(sigil)?, stem.strip_prefix(sigil)?));
        let (list, (mnemonic, stem)) = match (both('#'), both('!')) {
            (Some(names), _) => (&mut self.attribute_aliases, names),
            (_, Some(names)) => (&mut self.type_aliases, names),
            _ => return Err(line.error_at(start, "expected '#' or '!' before names of aliases")),
        };
        list.push(AliasDefinition {
            mnemonic: (self.own)(mnemonic),
            stem: (self.own)(stem),
        });
        Ok(())
    }

    /// `Name: iN [bits "separator"]`.
    fn enumeration(&mut self, line: &mut Line<'a>) -> Result<()> {
        let name = (self.own)(line.name()?);
        line.expect(':')?;
        let start = line.place();
        let width = line.name()?.strip_prefix('i').and_then(|w| w.parse().ok());
        let Some(width) = width.filter(|w| (1..=64).contains(w)) else {
            return Err(line.error_at(start, "expected an integer type of at most 64 bits"));
        };
        let separator = if line.eat_word("bits") {
            Some((self.own)(line.string()?))
        } else {
            None
        };
        self.dialect.enums.push(EnumDefinition {
            name,
            width,
            separator,
            cases: Vec::new(),
        });
        Ok(())
    }

    /// `keyword [= value] [hidden] [releases], ...`; a value that is left out is the one before plus one, the first 0.
    fn cases(&mut self, line: &mut Line<'a>) -> Result<()> {
        loop {
            let keyword = self.group_name(line)?;
            let given = if line.eat('=') {
                Some(line.integer()?)
            } else {
                None
            };
            let hidden = line.eat_word("hidden");
            let releases = line.releases()?;
            let Some(enumeration) = self.dialect.enums.last_mut() else {
                return Err(line.error_at(0, "this stands behind an 'enum' statement only"));
            };
            let next = enumeration
                .cases
                .last()
                .map_or(Some(0), |c| c.value.checked_add(1));
            let Some(value) = given.or(next) else {
                return Err(line.error("the value does not fit 64 bits"));
            };
            enumeration.cases.push(EnumCase {
                keyword,
                value,
                hidden,
                releases,
            });
            if !line.eat(',') {
                return Ok(());
            }
        }
    }
}

/// `optional<array<i64>>`.
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

/// A line and how far it is read.
pub(super) struct Line<'a> {
    text: &'a str,
    at: usize,
    pub(super) number: u32,
}

impl<'a> Line<'a> {
    /// The offset of the next thing on the line.
    pub(super) fn place(&mut self) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        self.at = self.text.len().saturating_sub(trimmed.len());
        self.at
    }

    fn remaining(&mut self) -> &'a str {
        let at = self.place();
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn is_end(&mut self) -> bool {
        self.remaining().is_empty()
    }

    /// What is left of the line.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = self.remaining().trim_end();
        self.at = self.text.len();
        rest
    }

    /// The next word; empty if there is punctuation or nothing.
    fn word(&mut self) -> &'a str {
        let rest = self.remaining();
        let end = rest
            .bytes()
            .position(|b| {
                matches!(
                    b,
                    b' ' | b'\t' | b'\r' | b',' | b':' | b'(' | b')' | b'=' | b'"'
                )
            })
            .unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    /// A word that must be there.
    pub(super) fn name(&mut self) -> Result<&'a str> {
        match self.word() {
            "" => Err(self.error("expected a name")),
            name => Ok(name),
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let start = self.place();
        let found = self.word() == word;
        if !found {
            self.at = start;
        }
        found
    }

    fn keyword(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.error(format!("expected '{word}'")))
        }
    }

    pub(super) fn starts_with(&mut self, punctuation: char) -> bool {
        self.remaining().starts_with(punctuation)
    }

    pub(super) fn eat(&mut self, punctuation: char) -> bool {
        let found = self.remaining().starts_with(punctuation);
        if found {
            self.at = self.at.saturating_add(punctuation.len_utf8());
        }
        found
    }

    pub(super) fn expect(&mut self, punctuation: char) -> Result<()> {
        if self.eat(punctuation) {
            Ok(())
        } else {
            Err(self.error(format!("expected '{punctuation}'")))
        }
    }

    /// `(...)`, with the parentheses.
    fn in_parentheses(&mut self) -> Result<&'a str> {
        let rest = self.remaining();
        let mut depth = 0usize;
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth = depth.saturating_add(1),
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0).then_some(at.saturating_add(c.len_utf8()))
        });
        match end.and_then(|end| rest.get(..end)) {
            Some(text) => {
                self.at = self.at.saturating_add(text.len());
                Ok(text)
            }
            None => Err(self.error("expected ')' behind this")),
        }
    }

    /// `"..."`, without escapes.
    fn string(&mut self) -> Result<&'a str> {
        self.expect('"')?;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some((string, _)) = rest.split_once('"') else {
            return Err(self.error("expected '\"' at the end of the string"));
        };
        self.at = self.at.saturating_add(string.len()).saturating_add(1);
        Ok(string)
    }

    pub(super) fn integer(&mut self) -> Result<i64> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected an integer of 64 bits"))
    }

    fn family(&mut self) -> Result<Family> {
        let start = self.place();
        Family::from_name(self.word()).ok_or_else(|| self.error_at(start, "unknown family"))
    }

    /// `[since N] [until N]`.
    pub(super) fn releases(&mut self) -> Result<ReleaseRange> {
        let start = self.place();
        let mut range = ReleaseRange::ALL;
        if self.eat_word("since") {
            range.first = self.release()?;
        }
        if self.eat_word("until") {
            range.last = self.release()?;
        }
        if range.first > range.last {
            return Err(self.error_at(start, "no release is in this range"));
        }
        Ok(range)
    }

    fn release(&mut self) -> Result<u32> {
        let start = self.place();
        let word = self.word();
        word.parse()
            .map_err(|_| self.error_at(start, "expected the number of a release"))
    }

    fn group_kind(&mut self) -> Option<GroupKind> {
        const KINDS: [(&str, GroupKind); 3] = [
            ("variadic", GroupKind::Variadic),
            ("optional", GroupKind::Optional),
            ("variadic_of_variadic", GroupKind::VariadicOfVariadic),
        ];
        let start = self.place();
        let word = self.word();
        let found = KINDS.iter().find(|k| k.0 == word).map(|k| k.1);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    #[cold]
    pub(super) fn error(&mut self, message: impl Into<String>) -> DefinitionError {
        let place = self.place();
        self.error_at(place, message)
    }

    #[cold]
    pub(super) fn error_at(&self, place: usize, message: impl Into<String>) -> DefinitionError {
        let column = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
        DefinitionError::new(self.number, column, message)
    }
}
