//! Checks the definition of a dialect beyond its grammar.
//!
//! * [`places`]: finds the part of the text that declares something.
//! * [`operations`], [`entries`], [`constraints`], [`formats`], [`sayings`], [`traits`]: the
//!   checks, by the kind of definition.

mod constraints;
mod coverage;
mod declaration_offsets;
mod entries;
mod formats;
mod operations;
mod traits;

use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::lexer::{Lexer, TokenKind};
use crate::parser::{ParseOptions, SharedState};
use declaration_offsets::DeclarationOffsets;
use rmlir_ir::constraint::{ATTRIBUTE_CONSTRAINTS, builtin_types};
use rmlir_ir::definition::{
    DialectDefinition, DialectSource, FormatElement, HookSource, OperationElement, ParameterKind,
    Release, ReleaseRange, ReleaseSet,
};
use rmlir_ir::sort::CompactSort as _;
use rmlir_ir::{Context, nearest_name};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks the text of a dialect definition, and returns its errors and suspicious declarations.
/// An error is what cannot work: the text is malformed, names something that does not exist, or has
/// an ambiguous format. A warning is what works, but hardly as intended: operations that are only
/// printed in generic form, as their format covers too little or its code is missing; parts that
/// the format does not cover; groups of operands whose lengths nothing determines; releases that
/// contain nothing; enumerations that nothing uses. A remark names constraints that the definition
/// declares as unknown, operations that are printed in generic form if certain other operations
/// follow them, and traits without a meaning whose names resemble one with a meaning.
///
/// `file` is the name of the text in diagnostics. Other dialects that the definition names are
/// looked up in `dialects`. Takes time in the length of the text, times the number of known
/// releases.
///
/// ```
/// use rmlir_text::check_definition;
///
/// let text = "dialect toy\nop add(lhs, rhs: AnyType) -> AnyType\n  format $lhs `,` $rhs attr-dict\n";
/// let found = check_definition(text, "toy.dialect", &(), None);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].line, found[0].column), (3, 3));
/// assert_eq!(found[0].message, "the format of 'add' is not used: nothing determines the types of operands 'lhs'");
/// ```
pub fn check_definition(
    text: &str,
    file: &str,
    hooks: &dyn HookSource,
    dialects: Option<&Arc<dyn DialectSource>>,
) -> Vec<Diagnostic> {
    let options = ParseOptions::for_file(file);
    let source = SourceText {
        options: &options,
        bytes: text.as_bytes(),
    };
    let definition = match DialectDefinition::parse(text, hooks) {
        Ok(definition) => Arc::new(definition),
        Err(error) => {
            let offset = declaration_offsets::offset(text, error.line(), error.column());
            return vec![source.diagnostic(offset, Severity::Error, error.message())];
        }
    };
    let mut context = Context::new();
    if let Some(dialects) = dialects {
        context.set_dialect_source(Arc::clone(dialects));
    }
    context.register_dialect(Arc::clone(&definition));
    let mut checker = Checker {
        context,
        shared: SharedState::default(),
        places: DeclarationOffsets::new(text),
        definition: Arc::clone(&definition),
        dialects,
        found: Vec::new(),
        constraints: BTreeMap::new(),
        unknown: definition
            .unknown_constraints
            .iter()
            .map(|name| name.to_string())
            .collect(),
        attribute_constraints: {
            let entries = definition.attributes.entries().iter();
            entries.map(|entry| entry.constraint.to_string()).collect()
        },
        enumerations: {
            let enums = definition.enums.iter();
            enums.map(|one| one.name.to_string()).collect()
        },
        enums: BTreeSet::new(),
    };
    checker.attribute_constraints();
    checker.entries();
    checker.operations();
    checker.enumerations();
    checker.constraints();
    let mut found = checker.found;
    found.compact_sort_by(Ord::cmp);
    found.dedup();
    // In order of places, so that the lines before each are counted once.
    let (mut lines, mut start) = (0usize, 0usize);
    found
        .into_iter()
        .map(|(place, severity, message)| {
            let passed = text.as_bytes().get(start..place).unwrap_or_default();
            lines = lines.saturating_add(memchr::memchr_iter(b'\n', passed).count());
            if let Some(newline) = memchr::memrchr(b'\n', passed) {
                start = start.saturating_add(newline).saturating_add(1);
            }
            source.diagnostic_in_line((lines, start), place, severity, &message)
        })
        .collect()
}

/// The maximum number of unknown constraints for which a suggestion is computed.
const MOST_SUGGESTIONS: usize = 16;

/// The state of the checks and their findings.
struct Checker<'t> {
    /// For attributes in the text.
    context: Context,
    shared: SharedState,
    places: DeclarationOffsets<'t>,
    definition: Arc<DialectDefinition>,
    dialects: Option<&'t Arc<dyn DialectSource>>,
    /// The findings with their offsets.
    found: Vec<(usize, Severity, String)>,
    /// Constraints that nobody knows: where first, and how often.
    constraints: BTreeMap<(bool, String), (usize, usize)>,
    /// Those that the definition declares as unknown.
    unknown: BTreeSet<String>,
    /// The names of the constraints on attributes of the dialect.
    attribute_constraints: BTreeSet<String>,
    /// The names of its enumerations.
    enumerations: BTreeSet<String>,
    /// Enumerations that are used.
    enums: BTreeSet<String>,
}

impl Checker<'_> {
    fn say(&mut self, place: usize, severity: Severity, message: impl Into<String>) {
        self.found.push((place, severity, message.into()));
    }

    fn warn(&mut self, place: usize, message: impl Into<String>) {
        self.say(place, Severity::Warning, message);
    }

    fn error(&mut self, place: usize, message: impl Into<String>) {
        self.say(place, Severity::Error, message);
    }

    /// Records that an enumeration is used, and checks that it exists, perhaps in another dialect.
    fn uses_enumeration(&mut self, name: &str, place: usize) {
        if name.is_empty() {
            return;
        }
        let Some((dialect, other)) = name.split_once('.') else {
            self.enums.insert(name.to_owned());
            if !self.enumerations.contains(name) {
                self.error(place, format!("there is no enumeration '{name}'"));
            }
            return;
        };
        let found = self
            .dialects
            .and_then(|all| all.dialect(dialect.as_bytes()));
        // Of a dialect that is not known, nothing is known.
        if found.is_some_and(|dialect| dialect.enumeration(other).is_none()) {
            self.error(place, format!("there is no enumeration '{name}'"));
        }
    }

    /// Checks that a range of releases overlaps the range of the enclosing item.
    fn range(&mut self, range: ReleaseRange, around: ReleaseRange, what: &str, place: usize) {
        if !range.overlaps(around) {
            self.warn(
                place,
                format!("{what} is in no release in which what is around it is"),
            );
        }
    }

    fn enumerations(&mut self) {
        let definition = Arc::clone(&self.definition);
        for enumeration in &definition.enums {
            let name = &*enumeration.name;
            let place = self.places.block("enum", name, 0).start;
            if !self.enums.contains(name) {
                self.warn(place, format!("nothing uses the enumeration '{name}'"));
            }
            let mut keywords: BTreeMap<&str, ReleaseSet> = BTreeMap::new();
            for case in &enumeration.cases {
                let bits = 64u32.saturating_sub(enumeration.width);
                let (value, bits) = (case.value, bits.min(63));
                // As a number with sign, or without.
                if value.wrapping_shl(bits).wrapping_shr(bits) != value
                    && value
                        .cast_unsigned()
                        .checked_shr(enumeration.width)
                        .unwrap_or(0)
                        != 0
                {
                    let place = self.places.block("enum", name, 0);
                    let place = self.places.statement(place, "cases", &case.keyword);
                    let message = format!(
                        "{value}, which is '{}', has more than the {} bits of '{name}'",
                        case.keyword, enumeration.width
                    );
                    self.error(place, message);
                }
                let before = keywords.entry(&*case.keyword).or_default();
                if !before.insert(case.releases) {
                    let keyword = &case.keyword;
                    let place = self.places.block("enum", name, 0);
                    let place = self.places.statement(place, "cases", keyword);
                    let message = format!("'{keyword}' is twice in '{name}' for one release");
                    self.error(place, message);
                }
            }
        }
    }

    fn constraints(&mut self) {
        let mut suggestions = 0usize;
        for ((of_types, name), (place, count)) in std::mem::take(&mut self.constraints) {
            if self.unknown.contains(&name) {
                let times = match count {
                    1 => "once".to_owned(),
                    _ => format!("{count} times"),
                };
                let message = format!("constraint '{name}', which is used {times}, is not checked");
                self.say(place, Severity::Remark, message);
                continue;
            }
            // Each takes time in all names that there are.
            suggestions = suggestions.saturating_add(1);
            let meant = match suggestions <= MOST_SUGGESTIONS {
                true => self.meant(of_types, &name),
                false => None,
            };
            let help = match meant {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => "declare it, or list it in 'unknown_constraints'".to_owned(),
            };
            self.error(place, format!("there is no constraint '{name}'; {help}"));
        }
    }

    /// Returns the name of the constraint that is most similar to an unknown one.
    fn meant(&self, of_types: bool, name: &str) -> Option<String> {
        let definition = &self.definition;
        let uses = definition.uses.iter();
        let uses = uses.filter_map(|used| self.context.dialect(used.as_bytes()));
        let dialects: Vec<Arc<DialectDefinition>> = std::iter::once(Arc::clone(definition))
            .chain(uses)
            .collect();
        let own = dialects.iter().flat_map(|dialect| {
            let types = dialect.type_constraints().iter().filter(|_| of_types);
            let attributes = dialect.attribute_constraints().iter().filter(|_| !of_types);
            let types = types.map(|constraint| &*constraint.name);
            types.chain(attributes.map(|constraint| &*constraint.name))
        });
        let entries = self.attribute_constraints.iter().map(String::as_str);
        let entries = entries.filter(|name| !of_types && !name.is_empty());
        let types = builtin_types().iter().filter(|_| of_types);
        let attributes = ATTRIBUTE_CONSTRAINTS.iter().filter(|_| !of_types);
        let known = types.map(|constraint| &*constraint.name);
        let known = known.chain(attributes.map(|constraint| constraint.name));
        let all = known.chain(own).chain(entries);
        nearest_name(name.as_bytes(), all).map(str::to_owned)
    }

    /// Records that a constraint is used, and reports it if it is unknown.
    fn uses_constraint(&mut self, of_types: bool, name: &str, is_known: bool, place: usize) {
        if is_known || name.is_empty() || name == "_" {
            return;
        }
        let entry = self
            .constraints
            .entry((of_types, name.to_owned()))
            .or_insert((place, 0));
        entry.1 = entry.1.saturating_add(1);
    }

    /// Checks that each literal of a format is a keyword or punctuation: the parser never matches
    /// any other.
    fn literals(&mut self, elements: &[FormatElement], place: usize) {
        let mut stack: Vec<&FormatElement> = elements.iter().collect();
        while let Some(element) = stack.pop() {
            match element {
                FormatElement::Literal(text) if !is_token(text) => {
                    let message = format!("`{text}` is neither a keyword nor punctuation of MLIR");
                    self.error(place, message);
                }
                FormatElement::Group(group) => {
                    stack.extend(group.then.iter().chain(&group.otherwise));
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    stack.extend(clauses.iter().flatten());
                }
                _ => {}
            }
        }
    }

    /// Checks the enumeration, attribute or type of the dialect that a parameter kind refers to.
    fn parameter_kind(&mut self, kind: &ParameterKind, place: usize) {
        let mut kind = kind;
        while let ParameterKind::List(inner) = kind {
            kind = inner;
        }
        let (mnemonic, table, what) = match kind {
            ParameterKind::Enumeration {
                name, abbreviates, ..
            } => {
                if let Some(of) = abbreviates {
                    let found = self.definition.attributes.entry(of.mnemonic.as_bytes(), 0);
                    if found.is_none_or(|entry| entry.parameter(&of.parameter).is_none()) {
                        let message = format!(
                            "the dialect has no attribute '{}' with a parameter '{}'",
                            of.mnemonic, of.parameter
                        );
                        self.error(place, message);
                    }
                }
                return self.uses_enumeration(name, place);
            }
            ParameterKind::Attribute { mnemonic } => {
                (mnemonic, &self.definition.attributes, "attribute")
            }
            ParameterKind::Type { mnemonic } => (mnemonic, &self.definition.types, "type"),
            _ => return,
        };
        if let Some(mnemonic) = mnemonic
            && table.entry(mnemonic.as_bytes(), 0).is_none()
        {
            self.error(place, format!("there is no {what} '{mnemonic}'"));
        }
    }

    /// Returns the known releases of the dialect's project, or the one that represents all where
    /// the definition covers all.
    fn releases(&self) -> impl Iterator<Item = Release> + use<> {
        let family = self.definition.family.numbering();
        let numbers = family.known_numbers().iter();
        numbers.map(move |&number| Release::new(family, number))
    }
}

/// Returns whether a text is a single token that is valid as a literal.
fn is_token(text: &str) -> bool {
    let token = Lexer::new(text.as_bytes()).next_token();
    let is_whole = token.start == 0 && token.end == text.len();
    is_whole
        && !matches!(
            token.kind,
            TokenKind::Eof
                | TokenKind::Error(_)
                | TokenKind::AtIdentifier
                | TokenKind::HashIdentifier
                | TokenKind::ExclamationIdentifier
                | TokenKind::PercentIdentifier
                | TokenKind::CaretIdentifier
                | TokenKind::Integer
                | TokenKind::Float
                | TokenKind::String
        )
}
