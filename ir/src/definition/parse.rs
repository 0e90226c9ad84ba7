//! The text format of definitions: `spec/dialect-definitions.md`.
//!
//! A statement takes a line and begins with a keyword. [`STATEMENTS`] has them all.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::hooks::HookSource;
use super::line::{DefinitionError, Line, Result, unknown};
use super::operation::OperationDefinition;
use super::parse_entry::Entries;
use super::release::{ReleaseRange, ReleaseSet};
use super::scalar_body;
use super::{
    AliasDefinition, DialectDefinition, DialectVersion, Documentation, EnumCase, EnumDefinition,
    Text, format,
};
use crate::constraint::{NamedAttributeConstraint, TypeConstraint};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl DialectDefinition {
    /// Parses a definition. A hook that is named but not found leaves the operation without custom
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
    /// assert_eq!(add.layout(Release::LLVM_19).unwrap().slots(6, |_| 0).count(), 1);
    /// # Ok::<(), rmlir_ir::definition::DefinitionError>(())
    /// ```
    pub fn parse(text: &str, hooks: &dyn HookSource) -> Result<Self> {
        parse(text, hooks, |s| Text::Owned(s.to_owned()))
    }

    /// Parses a definition that is embedded in the program, and borrows its text.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse).
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
        attribute_constraints: HashMap::new(),
        operations: Vec::new(),
        operation: None,
        attribute_releases: HashMap::new(),
        version_releases: ReleaseSet::default(),
        used: HashSet::new(),
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

/// A statement: its keyword, and the function that parses the rest of the line.
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
    ("traits", |p, l| match p.operation {
        Some(_) => p.traits(l),
        None => p.entry_traits(l, false),
    }),
    ("interfaces", |p, l| match p.operation {
        Some(_) => p.interfaces(l),
        None if p.entries.open.is_none() => {
            p.dialect.interfaces_complete = true;
            l.keyword("complete")
        }
        None => p.entry_traits(l, true),
    }),
    ("regions", |p, l| p.regions(l)),
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
            l.keyword("complete")?;
            if l.eat_word("error") {
                p.dialect.unknown_type = (p.own)(l.string()?);
            }
            Ok(())
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
    ("remembers", |p, l| p.remembers(l)),
    ("symbol", |p, l| p.symbol(l)),
    ("references", |p, l| p.symbol_references(l)),
    ("declaration", |p, l| p.declaration(l)),
    ("declared", |p, l| {
        let value = p.attribute_value(l)?;
        p.current(l)?.declared.push(value);
        Ok(())
    }),
    ("local", |p, l| {
        let value = p.attribute_value(l)?;
        p.current(l)?.local.push(value);
        Ok(())
    }),
    ("weak", |p, l| {
        let value = p.attribute_value(l)?;
        p.current(l)?.weak.push(value);
        Ok(())
    }),
    ("appends", |p, l| {
        let value = p.attribute_value(l)?;
        p.current(l)?.appends.push(value);
        Ok(())
    }),
    ("requires", |p, l| p.requirement(l)),
    ("ssacfg_regions", |p, l| {
        let releases = l.releases()?;
        p.current(l)?.ssacfg_regions.push(releases);
        Ok(())
    }),
    ("merges", |p, l| {
        let releases = l.releases()?;
        p.current(l)?.merges.push(releases);
        Ok(())
    }),
    ("refers_to_definitions", |p, l| {
        let releases = l.releases()?;
        p.current(l)?.refers_to_definitions.push(releases);
        Ok(())
    }),
    ("resolves", |p, l| {
        let names = p.names(l)?;
        let releases = l.releases()?;
        p.current(l)?.resolves.push((names, releases));
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
        if p.operation.is_none() {
            let entry = p.current_entry(l)?;
            *entry = std::mem::take(entry).with_hook(name, hooks);
            return Ok(());
        }
        let operation = p.current(l)?;
        *operation =
            std::mem::replace(operation, OperationDefinition::new("")).with_hook(name, hooks);
        Ok(())
    }),
    ("dimensions", |p, l| {
        let name = (p.own)(l.name()?);
        p.current_entry(l)?.dimensions = name;
        Ok(())
    }),
    ("identity", |p, l| {
        let name = (p.own)(l.name()?);
        p.current_entry(l)?.identity = name;
        Ok(())
    }),
    ("verifier", |p, l| {
        l.keyword("cpp")?;
        p.current_entry(l)?.has_cpp_verifier = true;
        Ok(())
    }),
    // Of the dialect, an operation, an attribute or a type.
    ("summary", |p, l| {
        let start = l.place();
        let text = l.rest();
        if text.is_empty() {
            return Err(l.error("expected a summary"));
        }
        let summary = (p.own)(text);
        let documentation = p.documentation(l)?;
        if !documentation.summary.is_empty() {
            return Err(l.error_at(start, "there is a summary already"));
        }
        documentation.summary = summary;
        Ok(())
    }),
    ("doc", |p, l| {
        let line = (p.own)(l.raw_rest());
        p.documentation(l)?.lines.push(line);
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
        let summary = p.summary(l)?;
        if l.starts_with('=') {
            return p.type_constraint(name, summary, l);
        }
        let entry = p.current_entry(l)?;
        entry.constraint = name;
        entry.summary = summary;
        Ok(())
    }),
    ("attribute_constraint", |p, l| p.attribute_constraint(l)),
    ("codec", |p, l| p.codec(l)),
    ("opaque", |p, l| {
        p.current_entry(l)?.opaque = true;
        Ok(())
    }),
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
    ("version", |p, l| p.version(l)),
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
    ("verifiers", |p, l| p.verifiers(l)),
    ("alias", |p, l| p.alias(l)),
    ("uses", |p, l| {
        loop {
            let place = l.place();
            let dialect = (p.own)(l.name()?);
            if !p.used.insert(dialect.clone()) {
                return Err(l.error_at(place, "the dialect is used already"));
            }
            p.dialect.uses.push(dialect);
            if !l.eat(',') {
                return Ok(());
            }
        }
    }),
    ("unknown_constraints", |p, l| {
        loop {
            let name = (p.own)(l.name()?);
            p.dialect.unknown_constraints.push(name);
            if !l.eat(',') {
                return Ok(());
            }
        }
    }),
    ("discardable", |p, l| p.discardable(l)),
    ("enum", |p, l| p.enumeration(l)),
    ("cases", |p, l| p.cases(l)),
];

/// A format that is not parsed yet.
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
    pub(super) constraints: HashMap<Text, Arc<TypeConstraint>>,
    pub(super) attribute_constraints: HashMap<Text, NamedAttributeConstraint>,
    operations: Vec<OperationDefinition>,
    pub(super) operation: Option<OperationDefinition>,
    /// The releases of that operation's attributes, by name.
    pub(super) attribute_releases: HashMap<&'a str, ReleaseSet>,
    /// The releases of the dialect's versions.
    version_releases: ReleaseSet,
    /// The dialects that it uses.
    used: HashSet<Text>,
    /// The formats of that operation, deferred because they need all of its other statements.
    formats: Vec<PendingFormat<'a>>,
    /// The default releases of operations.
    pub(super) releases: ReleaseRange,
    pub(super) entries: Entries<'a>,
}

impl<'a, 'h> Parser<'a, 'h> {
    fn statement(&mut self, keyword: &str, line: &mut Line<'a>) -> Result<()> {
        let found = STATEMENTS.iter().find(|s| s.0 == keyword);
        let Some((_, read)) = found else {
            let known = STATEMENTS.iter().map(|statement| statement.0);
            let message = unknown("statement", keyword, known);
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
            .with_attribute_constraints(self.attribute_constraints.into_values())
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

    /// Returns the operation whose statements are being parsed.
    pub(super) fn current(&mut self, line: &Line<'a>) -> Result<&mut OperationDefinition> {
        self.operation
            .as_mut()
            .ok_or_else(|| line.error_at(0, "this is valid after an 'op' statement only"))
    }

    /// Returns the documentation that the statements belong to: that of the open operation,
    /// attribute or type, or that of the dialect before its first part.
    fn documentation(&mut self, line: &Line<'a>) -> Result<&mut Documentation> {
        let slot = match (self.operation.is_some(), self.entries.open.is_some()) {
            (true, _) => &mut self.current(line)?.documentation,
            (false, true) => &mut self.current_entry(line)?.documentation,
            (false, false) => &mut self.dialect.documentation,
        };
        Ok(slot.get_or_insert_default())
    }

    /// Completes the open operation by parsing its formats.
    pub(super) fn close_operation(&mut self) -> Result<()> {
        let Some(mut operation) = self.operation.take() else {
            return Ok(());
        };
        operation.sort_attributes();
        self.attribute_releases.clear();
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
        operation.shrink_to_fit();
        self.operations.push(operation);
        Ok(())
    }

    /// Parses `[releases] format`.
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

    /// Parses `number, ... [releases]`.
    fn version(&mut self, line: &mut Line<'a>) -> Result<()> {
        let start = line.place();
        let mut numbers = vec![line.version()?];
        while line.eat(',') {
            numbers.push(line.version()?);
        }
        let releases = line.releases()?;
        if !self.version_releases.insert(releases) {
            let message = "one of these releases has a version already";
            return Err(line.error_at(start, message));
        }
        let versions = &mut self.dialect.versions;
        versions.push(DialectVersion { numbers, releases });
        Ok(())
    }

    /// Parses `none` or `name, ...`.
    fn verifiers(&mut self, line: &mut Line<'a>) -> Result<()> {
        let names = self.dialect.verifiers.get_or_insert_default();
        if line.eat_word("none") {
            return Ok(());
        }
        loop {
            names.push((self.own)(line.name()?));
            if !line.eat(',') {
                return Ok(());
            }
        }
    }

    /// Parses `#mnemonic [= #stem]` or `!mnemonic [= !stem]`.
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
        let in_name = |b: u8| b.is_ascii_alphanumeric() || b"_$.-".contains(&b);
        if !stem.bytes().all(in_name) {
            let message = "the name of an alias consists of letters, digits, '_', '$', '.' and '-'";
            return Err(line.error_at(start, message));
        }
        list.push(AliasDefinition {
            mnemonic: (self.own)(mnemonic),
            stem: (self.own)(stem),
        });
        Ok(())
    }

    /// Parses `Name: iN [bits "separator" [every]]`.
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
        let every_member = separator.is_some() && line.eat_word("every");
        self.dialect.enums.push(EnumDefinition {
            name,
            width,
            separator,
            every_member,
            cases: Vec::new(),
        });
        Ok(())
    }

    /// Parses `keyword [= value] [hidden] [releases], ...`; the default value is the preceding one
    /// plus one, and 0 for the first.
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
                return Err(line.error_at(0, "this is valid after an 'enum' statement only"));
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
