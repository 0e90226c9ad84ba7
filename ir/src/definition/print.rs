//! Prints definitions as text that [`DialectDefinition::parse`] parses.
//!
//! The text is canonical: equal definitions have equal text, and the text round-trips unchanged.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::DiscardableAttribute;
use super::operation::{
    GroupDefinition, GroupKind, InherentAttribute, OperationDefinition, Presence,
};
use super::print_format::entry_format;
use super::release::{Family, ReleaseRange};
use super::traits::{NamedTrait, OperationTraits};
use super::{
    Absence, AliasDefinition, DialectDefinition, Documentation, EntryDefinition, EntryTable,
    EnumDefinition, ParameterDefinition, ParameterKind,
};
use crate::Visibility;
use crate::constraint::{ConfinedConstraint, NamedAttributeConstraint, TypeConstraint};
use crate::sort::CompactSort as _;
use std::fmt::{self, Display, Formatter, Write};
use std::sync::Arc;

/// The maximum line length of statements that can be repeated.
const WIDTH: usize = 120;

/// Prints the definition in the text format of definitions. Names and texts that the format cannot
/// represent, which only definitions built in code can have, produce a text that the parser
/// rejects.
impl Display for DialectDefinition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "dialect {}", self.name)?;
        if self.family != Family::default() {
            writeln!(f, "family {}", self.family.name())?;
        }
        for (complete, what) in [
            (self.operations_complete, "operations"),
            (self.attributes_complete, "attributes"),
            (self.types_complete, "types"),
            (self.interfaces_complete, "interfaces"),
            (self.aliases_complete, "aliases"),
        ] {
            if complete {
                write!(f, "{what} complete")?;
                if what == "types" && !self.unknown_type.is_empty() {
                    write!(f, " error \"{}\"", self.unknown_type)?;
                }
                writeln!(f)?;
            }
        }
        for version in &self.versions {
            let numbers = version.numbers.iter().map(u64::to_string);
            let numbers = join(numbers.collect::<Vec<_>>().iter().map(|number| &**number));
            writeln!(f, "version {numbers}{}", Releases(version.releases))?;
        }
        match self.verifiers.as_deref() {
            None => {}
            Some([]) => f.write_str("  verifiers none\n")?,
            Some(names) => list(f, "verifiers", names.iter().map(|name| name.to_string()))?,
        }
        aliases(f, '#', self.attribute_aliases())?;
        aliases(f, '!', self.type_aliases())?;
        if !self.uses.is_empty() {
            writeln!(f, "uses {}", join(self.uses.iter().map(|name| &**name)))?;
        }
        print_documentation(f, "", self.documentation.as_deref())?;
        // Several are printed in one line.
        for names in self.unknown_constraints.chunks(8) {
            let names = join(names.iter().map(|name| &**name));
            writeln!(f, "unknown_constraints {names}")?;
        }
        if !self.type_constraints().is_empty() {
            f.write_char('\n')?;
        }
        for constraint in in_order(self.type_constraints()) {
            let predicate = &constraint.predicate;
            write!(f, "constraint {}", constraint.name)?;
            if constraint.summary != predicate.summary() {
                write!(f, " \"{}\"", constraint.summary)?;
            }
            writeln!(f, " = {predicate}")?;
        }
        print_attribute_constraints(f, self.attribute_constraints())?;
        if !self.discardables.is_empty() || self.discardables_complete {
            f.write_char('\n')?;
        }
        if self.discardables_complete {
            writeln!(
                f,
                "discardable complete{}",
                Places(&self.discardables_complete_on)
            )?;
        }
        for one in &self.discardables {
            print_discardable(f, one)?;
        }
        if !self.enums.is_empty() {
            f.write_char('\n')?;
        }
        for enumeration in &self.enums {
            print_enumeration(f, enumeration)?;
        }
        for (keyword, table) in [("attribute", &self.attributes), ("type", &self.types)] {
            if !table.entries().is_empty() {
                f.write_char('\n')?;
            }
            for entry in table.entries() {
                print_entry(f, self, keyword, table, entry)?;
            }
        }
        for operation in self.operations() {
            f.write_char('\n')?;
            print_operation(f, self, operation)?;
        }
        Ok(())
    }
}

fn print_discardable(f: &mut Formatter<'_>, one: &DiscardableAttribute) -> fmt::Result {
    let attribute = &one.attribute;
    let constraint = ConfinedConstraint {
        name: attribute.constraint.clone(),
        confinements: attribute.confinements.clone(),
    };
    write!(f, "discardable {}: {constraint}", attribute.name)?;
    if one.is_exclusive {
        write!(f, " only")?;
    }
    write!(f, "{}", Places(&one.places))?;
    if !one.of.is_empty() {
        write!(f, " of {}", one.of)?;
    }
    if !one.with.is_empty() {
        write!(f, " with {}", one.with)?;
    }
    if !one.operation_with.is_empty() {
        write!(f, " operation with {}", one.operation_with)?;
    }
    write!(f, "{}", Releases(attribute.releases))?;
    match &*one.error {
        "" => writeln!(f),
        words => writeln!(f, " error \"{words}\""),
    }
}

/// Prints `on ...` after a space; nothing for an empty list.
struct Places<'a>(&'a [super::Text]);

impl Display for Places<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            places => write!(f, " on {}", join(places.iter().map(|place| &**place))),
        }
    }
}

fn print_attribute_constraints(
    f: &mut Formatter<'_>,
    constraints: &[NamedAttributeConstraint],
) -> fmt::Result {
    if !constraints.is_empty() {
        f.write_char('\n')?;
    }
    for constraint in constraints {
        let summary = Summary(&constraint.summary);
        writeln!(
            f,
            "attribute_constraint {}{summary} = {}",
            constraint.name, constraint.constraint
        )?;
    }
    Ok(())
}

fn aliases(f: &mut Formatter<'_>, sigil: char, aliases: &[AliasDefinition]) -> fmt::Result {
    for alias in aliases {
        write!(f, "alias {sigil}{}", alias.mnemonic)?;
        if alias.stem != alias.mnemonic {
            write!(f, " = {sigil}{}", alias.stem)?;
        }
        f.write_char('\n')?;
    }
    Ok(())
}

fn print_enumeration(f: &mut Formatter<'_>, enumeration: &EnumDefinition) -> fmt::Result {
    write!(f, "enum {}: i{}", enumeration.name, enumeration.width)?;
    if let Some(separator) = &enumeration.separator {
        write!(f, " bits \"{separator}\"")?;
        if enumeration.every_member {
            f.write_str(" every")?;
        }
    }
    f.write_char('\n')?;
    let mut next = Some(0);
    let cases = enumeration.cases.iter().map(|case| {
        let mut text = name(&case.keyword).to_owned();
        if next != Some(case.value) {
            text.push_str(&format!(" = {}", case.value));
        }
        next = case.value.checked_add(1);
        if case.hidden {
            text.push_str(" hidden");
        }
        format!("{text}{}", Releases(case.releases))
    });
    list(f, "cases", cases)
}

fn print_entry(
    f: &mut Formatter<'_>,
    dialect: &DialectDefinition,
    keyword: &str,
    table: &EntryTable,
    entry: &EntryDefinition,
) -> fmt::Result {
    writeln!(
        f,
        "{keyword} {}{}",
        entry.mnemonic,
        Releases(entry.releases)
    )?;
    print_documentation(f, "  ", entry.documentation.as_deref())?;
    let (interfaces, traits): (Vec<_>, Vec<_>) =
        entry.traits.iter().partition(|one| one.is_interface);
    list(f, "traits", traits.into_iter().map(named_trait))?;
    list(f, "interfaces", interfaces.into_iter().map(named_trait))?;
    if !entry.constraint.is_empty() {
        let summary = Summary(&entry.summary);
        writeln!(f, "  constraint {}{summary}", entry.constraint)?;
    }
    if entry.opaque {
        writeln!(f, "  opaque")?;
    }
    if let Some(like) = &entry.like {
        writeln!(f, "  like {like}")?;
    }
    if !entry.hook.name.is_empty() {
        writeln!(f, "  hook {}", entry.hook.name)?;
    }
    if !entry.dimensions.is_empty() {
        writeln!(f, "  dimensions {}", entry.dimensions)?;
    }
    if !entry.identity.is_empty() {
        writeln!(f, "  identity {}", entry.identity)?;
    }
    if entry.has_cpp_verifier {
        writeln!(f, "  verifier cpp")?;
    }
    let parameters = alike(&entry.parameters, |a, b| {
        (&a.kind, &a.absence, a.releases, &a.confinements)
            == (&b.kind, &b.absence, b.releases, &b.confinements)
    });
    list(
        f,
        "parameters",
        parameters.map(|group| {
            let names = group.iter().map(|p| &*p.name);
            let last = group.last().map(|p| parameter(dialect, p));
            format!("{}: {}", join(names), last.unwrap_or_default())
        }),
    )?;
    let format = entry_format(entry);
    if !format.is_empty() {
        writeln!(f, "  format {format}")?;
    }
    for (codec, target) in table.rows_of(entry) {
        write!(f, "  codec {}{}", codec.code, Releases(target.releases))?;
        let mut separator = " = ";
        for field in codec.fields.iter() {
            write!(
                f,
                "{separator}{}: {}",
                field.name,
                field.kind.name(&codec.fields)
            )?;
            separator = ", ";
        }
        f.write_char('\n')?;
    }
    Ok(())
}

/// Prints the text after the colon.
fn parameter(dialect: &DialectDefinition, parameter: &ParameterDefinition) -> String {
    let mut text = ConfinedConstraint {
        name: parameter_kind(&parameter.kind).into(),
        confinements: parameter.confinements.clone(),
    }
    .to_string();
    if parameter.absence == Absence::Empty {
        text.push_str(" optional");
    }
    if let Some(required) = parameter.required {
        text.push_str(&format!(" required{}", Releases(required)));
    }
    text.push_str(&Releases(parameter.releases).to_string());
    if let Absence::Text(default) = &parameter.absence {
        text.push_str(&format!(" = \"{default}\""));
    }
    match &parameter.absence {
        Absence::Spelled(default) => text.push_str(&format!(" = {default}")),
        Absence::Parameter { name, .. } => text.push_str(&format!(" = ${name}")),
        Absence::TypeOf { name, .. } => text.push_str(&format!(" = type(${name})")),
        _ => {}
    }
    if let Absence::Value(value) = parameter.absence {
        text.push_str(" = ");
        match &parameter.kind {
            ParameterKind::Bool if value == 0 => text.push_str("false"),
            ParameterKind::Bool => text.push_str("true"),
            ParameterKind::Enumeration { name, .. } => {
                let enumeration = dialect.enumeration(name);
                let mut cases = enumeration.iter().flat_map(|e| &e.cases);
                // The parser finds the first member of a keyword, and a number is not a keyword.
                let case = cases.clone().find(|case| case.value == value);
                let case = case.filter(|case| {
                    let same = cases.find(|other| other.keyword == case.keyword);
                    same.is_some_and(|same| same.value == value)
                        && !case.keyword.is_empty()
                        && case.keyword.parse::<i64>().is_err()
                });
                match case {
                    Some(case) => text.push_str(&case.keyword),
                    None => text.push_str(&value.to_string()),
                }
            }
            _ => text.push_str(&value.to_string()),
        }
    }
    text
}

pub(crate) fn parameter_kind(kind: &ParameterKind) -> String {
    let (mut kind, mut lists) = (kind, 0usize);
    while let ParameterKind::List(inner) = kind {
        kind = inner;
        lists = lists.saturating_add(1);
    }
    let of = |head: &str, mnemonic: &Option<super::Text>| match mnemonic {
        Some(mnemonic) => format!("{head}<{mnemonic}>"),
        None => head.to_owned(),
    };
    let base = match kind {
        ParameterKind::Integer { width: 64 } => "int".to_owned(),
        ParameterKind::Integer { width } => format!("int{width}"),
        ParameterKind::Unsigned { width, hex } => {
            let name = if *hex { "hex" } else { "uint" };
            match width {
                64 => name.to_owned(),
                width => format!("{name}{width}"),
            }
        }
        ParameterKind::BigInteger => "apint".to_owned(),
        ParameterKind::Bool => "bool".to_owned(),
        ParameterKind::Dimension => "dim".to_owned(),
        ParameterKind::Dimensions => "dims".to_owned(),
        ParameterKind::Float => "float".to_owned(),
        ParameterKind::AffineMap => "affine_map".to_owned(),
        ParameterKind::IntegerSet => "integer_set".to_owned(),
        ParameterKind::String => "string".to_owned(),
        ParameterKind::Enumeration {
            name,
            quoted,
            abbreviates,
        } => {
            let head = if *quoted { "enum_string" } else { "enum" };
            match abbreviates {
                Some(of) => format!("{head}<{name}|{}.{}>", of.mnemonic, of.parameter),
                None => format!("{head}<{name}>"),
            }
        }
        ParameterKind::Attribute { mnemonic } => of("attr", mnemonic),
        ParameterKind::Type { mnemonic } => of("type", mnemonic),
        ParameterKind::SelfType => "self".to_owned(),
        ParameterKind::List(_) | ParameterKind::Own => "own".to_owned(),
    };
    format!("{}{base}{}", "list<".repeat(lists), ">".repeat(lists))
}

fn print_operation(
    f: &mut Formatter<'_>,
    dialect: &DialectDefinition,
    operation: &OperationDefinition,
) -> fmt::Result {
    let mut tail = String::new();
    if operation.family != dialect.family {
        write!(tail, " family {}", operation.family.name())?;
    }
    write!(tail, "{}", Releases(operation.releases))?;
    let operands: Vec<String> = groups(&operation.operands).collect();
    let results: Vec<String> = groups(&operation.results).collect();
    let mut head = format!("op {}", operation.mnemonic);
    if !operands.is_empty() {
        write!(head, "({})", operands.join(", "))?;
    }
    match operation.results.as_slice() {
        [] => {}
        [only]
            if only.name == "result"
                && only.releases == ReleaseRange::ALL
                && !only.constraint.starts_with('(') =>
        {
            write!(head, " -> {}{}", kind(only.kind), name(&only.constraint))?;
        }
        _ => write!(head, " -> ({})", results.join(", "))?,
    }
    let fits = head.len().saturating_add(tail.len()) <= WIDTH;
    match fits {
        true => writeln!(f, "{head}{tail}")?,
        false => writeln!(f, "op {}{tail}", operation.mnemonic)?,
    }
    print_documentation(f, "  ", operation.documentation.as_deref())?;
    print_traits(f, operation)?;
    if !fits {
        list(f, "operands", operands)?;
        list(f, "results", results)?;
    }
    list(f, "regions", groups(&operation.regions))?;
    for &releases in &operation.ssacfg_regions {
        writeln!(f, "  ssacfg_regions{}", Releases(releases))?;
    }
    let successors = operation.successors.iter();
    list(
        f,
        "successors",
        successors.map(|successor| {
            let kind = kind(successor.kind);
            let kind = kind.trim_end();
            let colon = if kind.is_empty() { "" } else { ": " };
            let name = name(&successor.name);
            format!("{name}{colon}{kind}{}", Releases(successor.releases))
        }),
    )?;
    let forwards = operation
        .forwards
        .iter()
        .map(|f| format!("{} to {}{}", f.operands, f.successor, Releases(f.releases)));
    list(f, "forwards", forwards)?;
    let mut attributes: Vec<&InherentAttribute> = operation.attributes().iter().collect();
    attributes.compact_sort_by_key(|attribute| attribute.position);
    let say = |a: &InherentAttribute| {
        (
            a.presence,
            a.constraint.clone(),
            a.confinements.clone(),
            a.enumeration.clone(),
            a.default.clone(),
            a.version.clone(),
            a.releases,
        )
    };
    for group in alike(&attributes, |a, b| say(a) == say(b)) {
        let names = join(group.iter().map(|a| &*a.name));
        if let Some(last) = group.last() {
            writeln!(f, "  attr {names}: {}", attribute(last))?;
        }
    }
    for symbol in &operation.symbols {
        write!(f, "  symbol {}", symbol.name)?;
        let keyword = match symbol.rule.is_flag {
            true => "public",
            false => "visibility",
        };
        if !symbol.visibility.is_empty() {
            write!(f, " {keyword} {}", symbol.visibility)?;
        }
        if symbol.rule.default != Visibility::default() {
            write!(f, " default {}", symbol.rule.default.as_str())?;
        }
        writeln!(f, "{}", Releases(symbol.releases))?;
    }
    let references = operation.symbol_references.iter();
    let references = references.map(|(name, releases)| format!("{name}{}", Releases(*releases)));
    list(f, "references", references)?;
    declarations(f, operation)?;
    for property in &operation.properties {
        write!(f, "  property {}: ", property.name)?;
        write!(f, "{}", property.kind)?;
        if !property.enumeration.is_empty() {
            write!(f, " enum {}", property.enumeration)?;
        }
        write!(f, "{}", Releases(property.releases))?;
        match &property.default {
            Some(default) => writeln!(f, " = {default}")?,
            None => f.write_char('\n')?,
        }
    }
    for (terminator, releases) in &operation.implicit_terminator {
        writeln!(f, "  terminator {terminator}{}", Releases(*releases))?;
    }
    let parents = operation.parents.iter();
    let parents = parents.map(|(parent, releases)| format!("{parent}{}", Releases(*releases)));
    list(f, "parents", parents)?;
    for format in &operation.formats {
        writeln!(f, "  format{} {format}", Releases(format.releases))?;
    }
    list(
        f,
        "types",
        operation.derivations.iter().map(|d| {
            let function = d.function.name();
            let summary = Summary(&d.summary);
            format!(
                "{} = {function}({}){summary}{}",
                d.target,
                d.source,
                Releases(d.releases)
            )
        }),
    )?;
    for requirement in &operation.requirements {
        let (releases, summary) = (
            Releases(requirement.releases),
            Summary(&requirement.summary),
        );
        let error = if requirement.is_message { " error" } else { "" };
        writeln!(
            f,
            "  requires{releases}{error}{summary} {}",
            requirement.text
        )?;
    }
    for body in &operation.bodies {
        writeln!(f, "  body{} {body}", Releases(body.releases))?;
    }
    for remembered in &operation.remembered {
        write!(f, "  remembers {}", remembered.name)?;
        if !remembered.numbers.is_empty() {
            write!(f, " of {}", join(remembered.numbers.iter().map(|n| &**n)))?;
        }
        let releases = Releases(remembered.releases);
        writeln!(f, "{releases} = {}", remembered.value)?;
    }
    if !operation.default_dialect.is_empty() {
        writeln!(f, "  default_dialect {}", operation.default_dialect)?;
    }
    let names = operation.result_names.iter();
    list(f, "result_names", names.map(ToString::to_string))?;
    if !operation.hook.is_empty() {
        writeln!(f, "  hook {}", operation.hook)?;
    }
    Ok(())
}

/// Returns constraints by name, except that constraints that others refer to precede them.
fn in_order(constraints: &[Arc<TypeConstraint>]) -> Vec<&TypeConstraint> {
    let mut all: Vec<&TypeConstraint> = constraints.iter().map(|c| &**c).collect();
    all.compact_sort_by_key(|constraint| constraint.predicate.depth());
    all
}

/// Prints `"..."` after a space; nothing for an empty text.
struct Summary<'a>(&'a str);

impl Display for Summary<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            summary => write!(f, " \"{summary}\""),
        }
    }
}

/// Prints traits and relations, without those that an implicit terminator and a function imply.
fn print_traits(f: &mut Formatter<'_>, operation: &OperationDefinition) -> fmt::Result {
    let terminators = &operation.implicit_terminator;
    let implied = |releases: ReleaseRange| terminators.iter().any(|t| t.1 == releases);
    let mut all: Vec<String> = Vec::new();
    let mut add = |traits: OperationTraits, skipped: OperationTraits, releases| {
        for (one, name) in traits.each() {
            let of_function =
                one == OperationTraits::SYMBOL && traits.contains(OperationTraits::FUNCTION);
            if !skipped.contains(one) && !of_function {
                all.push(format!("{name}{}", Releases(releases)));
            }
        }
    };
    let of_terminator = OperationTraits::IMPLICIT_TERMINATOR;
    let skipped = match implied(ReleaseRange::ALL) {
        true => of_terminator,
        false => OperationTraits::NONE,
    };
    add(operation.common_traits, skipped, ReleaseRange::ALL);
    for &(traits, releases) in &operation.changed_traits {
        if traits != of_terminator || !implied(releases) {
            add(traits, OperationTraits::NONE, releases);
        }
    }
    let relations = operation.relations.iter().map(|relation| {
        let groups = join(relation.groups.iter().map(|group| name(group)));
        let kind = relation.kind.name();
        let summary = Summary(&relation.summary);
        format!("{kind}({groups}){summary}{}", Releases(relation.releases))
    });
    all.extend(relations);
    let named = operation.named_traits.iter();
    let (interfaces, traits): (Vec<_>, Vec<_>) = named.partition(|one| one.is_interface);
    all.extend(traits.into_iter().map(named_trait));
    list(f, "traits", all)?;
    list(f, "interfaces", interfaces.into_iter().map(named_trait))
}

fn named_trait(named: &NamedTrait) -> String {
    format!("{}{}", named.name, Releases(named.releases))
}

fn print_documentation(
    f: &mut Formatter<'_>,
    indentation: &str,
    documentation: Option<&Documentation>,
) -> fmt::Result {
    let Some(documentation) = documentation else {
        return Ok(());
    };
    if !documentation.summary.is_empty() {
        writeln!(f, "{indentation}summary {}", documentation.summary)?;
    }
    for line in &documentation.lines {
        match line.is_empty() {
            true => writeln!(f, "{indentation}doc")?,
            false => writeln!(f, "{indentation}doc {line}")?,
        }
    }
    Ok(())
}

/// Prints groups of operands, results or regions; consecutive equal groups are combined.
fn groups(groups: &[GroupDefinition]) -> impl Iterator<Item = String> {
    let groups = alike(groups, |a, b| {
        (a.kind, &a.constraint, a.releases, &a.by, &a.arguments)
            == (b.kind, &b.constraint, b.releases, &b.by, &b.arguments)
    });
    groups.map(|group| {
        let names = join(group.iter().map(|g| name(&g.name)));
        let Some(last) = group.last() else {
            return names;
        };
        let (kind, constraint) = (kind(last.kind), name(&last.constraint));
        let by = match &*last.by {
            "" => String::new(),
            by => format!(" by {by}"),
        };
        let arguments = match &last.arguments {
            None => String::new(),
            Some(all) => format!(" arguments ({})", join(all.iter().map(|one| name(one)))),
        };
        let releases = Releases(last.releases);
        format!("{names}: {kind}{constraint}{by}{arguments}{releases}")
    })
}

/// Prints the text with a space after it.
fn kind(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Single => "",
        GroupKind::Optional => "optional ",
        GroupKind::Variadic => "variadic ",
        GroupKind::VariadicOfVariadic => "variadic_of_variadic ",
    }
}

/// Prints the text after the colon.
fn attribute(attribute: &InherentAttribute) -> String {
    let mut text = ConfinedConstraint {
        name: attribute.constraint.clone(),
        confinements: attribute.confinements.clone(),
    }
    .to_string();
    if attribute.presence == Presence::Optional {
        text.push_str(" optional");
    }
    if !attribute.enumeration.is_empty() {
        text.push_str(" enum ");
        text.push_str(&attribute.enumeration);
    }
    if let Some(version) = &attribute.version {
        text.push_str(&format!(" {version}"));
    }
    text.push_str(&Releases(attribute.releases).to_string());
    match (&attribute.default, attribute.presence) {
        (Some(default), _) => {
            text.push_str(" = ");
            text.push_str(default);
        }
        (None, Presence::Default) => text.push_str(" = ?"),
        (None, _) => {}
    }
    text
}

/// Prints `_` for an empty name.
fn name(name: &str) -> &str {
    if name.is_empty() { "_" } else { name }
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Returns runs of neighbours that differ only in their names.
fn alike<'a, T>(
    items: &'a [T],
    same: impl Fn(&T, &T) -> bool + 'a,
) -> impl Iterator<Item = &'a [T]> {
    items.chunk_by(same)
}

/// Prints a statement with items, repeated as necessary to keep the lines short.
/// Writes how a symbol is declared.
fn declarations(f: &mut Formatter<'_>, operation: &OperationDefinition) -> fmt::Result {
    for declaration in &operation.declarations {
        write!(f, "  declaration {}", declaration.body.join(", "))?;
        if !declaration.without.is_empty() {
            write!(f, " without {}", declaration.without.join(", "))?;
        }
        if !declaration.matching.is_empty() {
            write!(f, " matching {}", declaration.matching.join(", "))?;
        }
        if !declaration.operation.is_empty() {
            write!(f, " as {}", declaration.operation)?;
        }
        writeln!(f, "{}", Releases(declaration.releases))?;
    }
    for (keyword, values) in [
        ("declared", &operation.declared),
        ("local", &operation.local),
        ("weak", &operation.weak),
        ("appends", &operation.appends),
    ] {
        for value in values {
            let releases = Releases(value.releases);
            writeln!(f, "  {keyword} {}{releases} = {}", value.name, value.value)?;
        }
    }
    for &releases in &operation.merges {
        writeln!(f, "  merges{}", Releases(releases))?;
    }
    for &releases in &operation.refers_to_definitions {
        writeln!(f, "  refers_to_definitions{}", Releases(releases))?;
    }
    for (names, releases) in &operation.resolves {
        writeln!(f, "  resolves {}{}", names.join(", "), Releases(*releases))?;
    }
    Ok(())
}

fn list(
    f: &mut Formatter<'_>,
    keyword: &str,
    items: impl IntoIterator<Item = String>,
) -> fmt::Result {
    let mut column = 0usize;
    for item in items {
        let len = item.chars().count();
        if column > 0 && column.saturating_add(len) < WIDTH {
            write!(f, ", {item}")?;
            column = column.saturating_add(len).saturating_add(2);
        } else {
            if column > 0 {
                f.write_char('\n')?;
            }
            write!(f, "  {keyword} {item}")?;
            column = keyword.len().saturating_add(len).saturating_add(3);
        }
    }
    if column > 0 {
        f.write_char('\n')?;
    }
    Ok(())
}

/// Prints releases after a space; nothing for all releases.
pub(super) struct Releases(pub(super) ReleaseRange);

impl Display for Releases {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.first > 0 {
            write!(f, " since {}", self.0.first)?;
        }
        if self.0.last < u32::MAX {
            write!(f, " until {}", self.0.last)?;
        }
        Ok(())
    }
}
