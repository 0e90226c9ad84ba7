//! Converts between the bodies of dialect attributes and types and their parameters, by
//! definitions.
//!
//! A body is parsed as text in which the attributes and types that it refers to have names that do
//! not occur elsewhere in it.

mod abbreviated;
mod check;
mod codec;
mod defaults;
mod grammar;
mod parameters;
mod parse;
mod print;

use abbreviated::{abbreviated, attribute_of};
pub(crate) use check::Checker;
pub(crate) use defaults::{Defaults, spelled};
pub(crate) use grammar::entry_ambiguities;
pub(crate) use parameters::{checked_body, values_of};
pub(crate) use parse::read as read_member;
use print::BodyPrinter;

pub use codec::{EncodedEntry, decode_attribute, decode_type, encode_attribute, encode_type};

use crate::entry_format::first_word;
use crate::lexer::TokenKind;
use crate::parser::{ParseOptions, Parser, SharedState};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser};
use rmlir_ir::codec::FieldValues;
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, EntryTable, FormatElement, ParameterDefinition,
    ParameterKind,
};
use rmlir_ir::{
    Attribute, AttributeKind, BodyPiece, BodyReference, Context, DialectBody, Identifier, Invalid,
    Type, TypeKind,
};
use std::ops::Range;

/// Prints parameters as the body of an attribute or type of a dialect, of at most `longest` bytes.
///
/// The limit is needed because shared parameters multiply when they are spelled out.
///
/// # Errors
/// If the body is longer, if a value is not of its parameter's kind, if a required one is absent,
/// or if a hook is missing or finds that the values have no text.
pub fn entry_body(
    context: &mut Context,
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
    parameters: &FieldValues<'_>,
    longest: usize,
) -> Result<DialectBody, Invalid> {
    let shared = &mut SharedState::default();
    BodyPrinter::new((context, shared), dialect, longest).body(entry, parameters)
}

/// Prints the body of an entry that was parsed from a text of `len` bytes, within the expansion
/// budget.
///
/// # Errors
/// Those of [`entry_body`].
fn shared_body(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    (entry, parameters): (&EntryDefinition, &FieldValues<'_>),
    len: usize,
) -> Result<DialectBody, Invalid> {
    let longest = shared.longest(len);
    let mut printer = BodyPrinter::new((context, shared), dialect, longest);
    let body = printer.body(entry, parameters);
    if printer.is_too_long() {
        shared.is_exceeded = true;
    }
    body
}

/// Parses the parameters from a body of an attribute or type, in the order of the definition.
///
/// `None` if the mnemonic has no definition in `table`. `body` includes the type of an attribute
/// that has one.
///
/// # Errors
/// If the body does not match the definition's format. The error's position counts the bytes of
/// text and the references that precede it.
pub fn entry_parameters<'d>(
    context: &mut Context,
    dialect: &DialectDefinition,
    table: &'d EntryTable,
    body: (&DialectBody, Option<Type>),
) -> AsmResult<Option<(&'d EntryDefinition, FieldValues<'static>)>> {
    parameters_of((context, &mut SharedState::default()), dialect, table, body)
}

/// [`entry_parameters`] with state shared with another parser.
fn parameters_of<'d>(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    table: &'d EntryTable,
    (body, ty): (&DialectBody, Option<Type>),
) -> AsmResult<Option<(&'d EntryDefinition, FieldValues<'static>)>> {
    let number = context.release().number_in(dialect.family);
    let entry = table.entry_of(body, number);
    let Some(entry) = entry.filter(|entry| !entry.opaque) else {
        return Ok(None);
    };
    let mut source = Vec::new();
    let mut references = Vec::new();
    let name = reference_name(body.text());
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(text) => {
                if piece.continues_alias()
                    && let Some((range, _)) = references.last_mut()
                {
                    let range: &mut Range<usize> = range;
                    source.push(b' ');
                    range.end = source.len();
                }
                source.extend_from_slice(text);
            }
            BodyPiece::Reference(reference) => {
                let sigil = match reference {
                    BodyReference::Attribute(_) => '#',
                    BodyReference::Type(_) => '!',
                };
                let start = source.len();
                source.extend_from_slice(format!("{sigil}{name}{}", references.len()).as_bytes());
                references.push((start..source.len(), reference));
            }
        }
    }
    let options = ParseOptions {
        file_name: "<body>".to_owned(),
        check_entries: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(context, &source, &options).sharing(shared, |parser| {
        for (range, reference) in references.iter().cloned() {
            let name = source.get(range).and_then(|name| name.get(1..));
            parser.define_alias(name.unwrap_or_default().trim_ascii_end(), reference);
        }
        parse::BodyParser::new(parser, dialect).body(entry, ty)
    });
    match parsed {
        Ok(parameters) => Ok(Some((entry, parameters))),
        Err(error) => {
            let place = error.place();
            let before = references.iter().filter(|(range, _)| range.end <= place);
            // Each name counts as one reference.
            let names: usize = before.map(|(range, _)| range.len().saturating_sub(1)).sum();
            Err(error.moved_to(place.saturating_sub(names)))
        }
    }
}

/// Parses an attribute with the given mnemonic of a dialect at the parser's position.
///
/// It is spelled without the dialect's name and the mnemonic, or as an alias.
pub(crate) fn parse_stripped(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
    mnemonic: &str,
) -> AsmResult<Attribute> {
    EntryParser::stripped(&mut parse::BodyParser::new(parser, dialect), mnemonic)
}

/// Returns whether the attributes that [`parse_stripped`] parses are always in angle brackets.
///
/// This concerns attributes with the given mnemonic that do not begin with `#`; nothing after the
/// brackets may belong to them.
pub(crate) fn is_bracketed(context: &Context, dialect: &DialectDefinition, mnemonic: &str) -> bool {
    let number = context.release().number_in(dialect.family);
    let Some(entry) = dialect.attributes.entry(mnemonic.as_bytes(), number) else {
        return false;
    };
    let is = |element: &FormatElement, bracket: &str| matches!(element, FormatElement::Literal(text) if *text == *bracket);
    match entry.format.elements.as_slice() {
        [first, inner @ .., last] => {
            is(first, "<")
                && is(last, ">")
                && !inner.iter().any(|element| {
                    matches!(element, FormatElement::Group(_) | FormatElement::Custom(_))
                })
        }
        _ => false,
    }
}

/// Parses a type with the given mnemonic of a dialect at the parser's position.
///
/// It is spelled without the dialect's name and the mnemonic, after which nothing may be required;
/// or it is any type in its usual spelling.
pub(crate) fn parse_stripped_type(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
    mnemonic: &str,
) -> AsmResult<Type> {
    let number = parser.context().release().number_in(dialect.family);
    let entry = dialect.types.entry(mnemonic.as_bytes(), number);
    match parser.token_kind() {
        TokenKind::BareIdentifier
            if first_word(entry).is_some_and(|word| parser.at_token(word)) =>
        {
            parse::BodyParser::new(parser, dialect).stripped_type(mnemonic)
        }
        TokenKind::ExclamationIdentifier | TokenKind::BareIdentifier | TokenKind::LeftParen => {
            parser.ty()
        }
        TokenKind::Less => without_dialect(parser, dialect, Some(mnemonic)),
        _ => parse::BodyParser::new(parser, dialect).stripped_type(mnemonic),
    }
}

/// Parses a type of a dialect at the parser's position, spelled with or without the dialect's name.
pub(crate) fn parse_bare_type(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
) -> AsmResult<Type> {
    match parser.token_kind() {
        TokenKind::BareIdentifier => without_dialect(parser, dialect, None),
        _ => parse::BodyParser::new(parser, dialect).bare_type(),
    }
}

/// Parses a type spelled without the dialect's name, or without the mnemonic as well.
fn without_dialect(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
    mnemonic: Option<&str>,
) -> AsmResult<Type> {
    let start = parser.token_place();
    let any = parser.type_without_dialect(&dialect.name, mnemonic);
    if any.is_ok() {
        return any;
    }
    // The brackets of a body are matched first; an error of its definition tells more.
    parser.reset_to(start);
    let mut body = parse::BodyParser::new(parser, dialect);
    match mnemonic {
        Some(mnemonic) => body.stripped_type(mnemonic),
        None => body.bare_type(),
    }
}

/// Returns whether an entry is an attribute, or a type, with the given mnemonic of a dialect.
fn is_of(
    context: &Context,
    dialect: &DialectDefinition,
    entry: BodyReference,
    mnemonic: &str,
) -> bool {
    let found = match entry {
        BodyReference::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, .. } => Some((*dialect, body)),
            _ => None,
        },
        BodyReference::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => Some((*dialect, body)),
            _ => None,
        },
    };
    let Some((name, body)) = found else {
        return false;
    };
    let table = match entry {
        BodyReference::Attribute(_) => &dialect.attributes,
        BodyReference::Type(_) => &dialect.types,
    };
    let number = context.release().number_in(dialect.family);
    context.bytes(name) == dialect.name.as_bytes()
        && match table.entry_of(body, number) {
            Some(entry) => entry.mnemonic == mnemonic,
            // The output of a hook can directly follow the mnemonic.
            None => body.text().starts_with(mnemonic.as_bytes()),
        }
}

/// The canonical form of a body, by its definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canonical {
    /// The body as its definition prints it; `None` if it already has that form.
    ///
    /// Parameters are in order, numbers and spaces are as printed, and what the dialect prints
    /// through an alias is a reference, even where it was spelled without its name.
    pub(crate) body: Option<DialectBody>,
    pub(crate) ty: SelfType,
}

/// The type that an attribute has according to its definition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum SelfType {
    /// The one that follows it, if there is one.
    #[default]
    Behind,
    /// The one that follows it, if there is one. The canonical form of the body depends on that
    /// type.
    Determines,
    /// None: upstream skips one that follows it.
    None,
    /// This one, whatever follows the attribute.
    Said(Type),
}

impl SelfType {
    /// Returns the type, given the one that follows the attribute.
    pub(crate) fn of(self, behind: Option<Type>) -> Option<Type> {
        match self {
            SelfType::Behind | SelfType::Determines => behind,
            SelfType::None => None,
            SelfType::Said(ty) => Some(ty),
        }
    }
}

/// Returns the canonical form of a body.
///
/// It is empty if no definition is known, or if the body does not match its definition. The body
/// comes with the type of an attribute that has one, if it is known yet, and whether it is a
/// type's.
///
/// # Errors
/// If `checked`, a mismatch with the definition of a dialect of a project that the release covers;
/// other dialects evolve independently. The position is that of [`entry_parameters`].
pub(crate) fn canonical(
    context: &mut Context,
    shared: &mut SharedState,
    (dialect, body, ty, is_type): (Identifier, &DialectBody, Option<Type>, bool),
    checked: bool,
) -> AsmResult<Canonical> {
    let Some(known) = context.dialect(context.bytes(dialect)) else {
        return Ok(Canonical::default());
    };
    let body_of = (body, ty, is_type);
    let said = said((context, shared), (dialect, &known), body_of, checked)?;
    let made = said.and_then(|(entry, parameters)| {
        made_canonical((context, shared), &known, (entry, &parameters), body)
    });
    Ok(made.unwrap_or_default())
}

/// Parses the parameters of a body by its definition.
///
/// `None` if no definition is known, or if the body does not match it. The body comes with the type
/// of an attribute that has one, and whether it is a type's.
///
/// # Errors
/// As [`canonical`].
fn said<'d>(
    (context, shared): (&mut Context, &mut SharedState),
    (name, dialect): (Identifier, &'d DialectDefinition),
    (body, ty, is_type): (&DialectBody, Option<Type>, bool),
    checked: bool,
) -> AsmResult<Option<(&'d EntryDefinition, FieldValues<'static>)>> {
    let table = match is_type {
        true => &dialect.types,
        false => &dialect.attributes,
    };
    let number = context.release().number_in(dialect.family);
    let is_complete = match is_type {
        true => dialect.types_complete,
        false => dialect.attributes_complete,
    };
    let entry = table.entry_of(body, number);
    if !entry.is_some_and(|entry| entry.is_described(is_complete)) {
        if checked {
            let known = context.check_is_known_body(name, body, is_type);
            known.map_err(|unknown| AsmError::new(0, unknown.message()))?;
        }
        return Ok(None);
    }
    // What other projects write after a mnemonic differs between their releases.
    let checked = checked && context.release().covers(dialect.family);
    match parameters_of((context, shared), dialect, table, (body, ty)) {
        Err(error) if !checked || error.is_unsupported() => Ok(None),
        said => said,
    }
}

fn made_canonical(
    (context, shared): (&mut Context, &mut SharedState),
    dialect: &DialectDefinition,
    (entry, parameters): (&EntryDefinition, &FieldValues<'_>),
    body: &DialectBody,
) -> Option<Canonical> {
    let canonical = shared_body(
        (context, shared),
        dialect,
        (entry, parameters),
        length(body),
    )
    .ok()?;
    let has_type = |p: &ParameterDefinition| p.kind == ParameterKind::SelfType;
    let reads_type = |element: &FormatElement| match element {
        FormatElement::Custom(custom) => {
            let mut read = custom.parameters.iter();
            read.any(|&number| entry.parameters.get(number).is_some_and(has_type))
        }
        _ => false,
    };
    let mut interfaces = entry.interfaces();
    let ty = match entry.self_type(parameters) {
        Some(ty) => SelfType::Said(ty),
        None if entry.format.elements.iter().any(reads_type) => SelfType::Determines,
        None if entry.parameters.iter().any(has_type) => SelfType::Behind,
        // The type is computed by code; upstream prints it behind a colon.
        None if interfaces.any(|interface| interface == "TypedAttr") => SelfType::Behind,
        None => SelfType::None,
    };
    Some(Canonical {
        body: (canonical != *body).then_some(canonical),
        ty,
    })
}

/// Returns the length of a body, in bytes and references.
pub(crate) fn length(body: &DialectBody) -> usize {
    body.text().len().saturating_add(body.references().len())
}

/// Returns a prefix for names that does not occur in a text.
fn reference_name(text: &[u8]) -> String {
    let mut name = String::from("r_");
    while memchr::memmem::find(text, name.as_bytes()).is_some() {
        name.push('_');
    }
    name
}
