//! Attributes and types of dialects by their definitions: bodies made of parameters, and parameters read from
//! bodies.
//!
//! A body is read as text in which what it refers to goes by names that nothing else in it has.

mod codec;
mod parameters;
mod parse;
mod print;

pub use parameters::{EntryParameters, attribute_parameters, type_parameters};
pub(crate) use parse::read as read_member;
pub(crate) use print::spell;

pub use codec::{EncodedEntry, decode_attribute, decode_type, encode_attribute, encode_type};

use crate::lexer::TokenKind;
use crate::parser::{ParseOptions, Parser};
use rmlir_ir::asm::{AsmResult, EntryParser};
use rmlir_ir::codec::FieldValues;
use rmlir_ir::definition::{
    DialectDefinition, EntryDefinition, EntryTable, FormatElement, ParameterDefinition,
    ParameterKind,
};
use rmlir_ir::{
    Attribute, BodyPiece, BodyReference, Context, DialectBody, Identifier, Invalid, Type,
};

/// The body of an attribute or type of a dialect with these parameters, of at most `longest` bytes: parameters that are
/// shared multiply when they are spelled out.
///
/// # Errors
/// If it is longer, if a value is not of its parameter's kind, if one that must be there is absent, or if a hook is missing or finds
/// that the values have no text.
pub fn entry_body(
    context: &mut Context,
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
    parameters: &FieldValues<'_>,
    longest: usize,
) -> Result<DialectBody, Invalid> {
    print::BodyPrinter::new(context, dialect, longest).body(entry, parameters)
}

/// The parameters that a body of an attribute or type of a dialect says, in the order of the definition; none if
/// its mnemonic has no definition in `table`. Beside the body stands the type of an attribute that has one.
///
/// # Errors
/// What in the body is not as the definition's format says, with the place in the body's text.
pub fn entry_parameters<'d>(
    context: &mut Context,
    dialect: &DialectDefinition,
    table: &'d EntryTable,
    (body, ty): (&DialectBody, Option<Type>),
) -> AsmResult<Option<(&'d EntryDefinition, FieldValues<'static>)>> {
    let number = context.release().number_in(dialect.family);
    let Some(entry) = table.entry_of(body, number) else {
        return Ok(None);
    };
    let mut source = Vec::new();
    let mut references = Vec::new();
    let name = reference_name(body.text());
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(text) => source.extend_from_slice(text),
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
        ..ParseOptions::default()
    };
    let mut parser = Parser::new(context, &source, &options);
    for (range, reference) in references {
        let name = source.get(range).and_then(|name| name.get(1..));
        parser.define_alias(name.unwrap_or_default(), reference);
    }
    let parsed = parse::BodyParser::new(&mut parser, dialect).body(entry, ty);
    parsed.map(|parameters| Some((entry, parameters)))
}

/// An attribute of that mnemonic of a dialect at the parser's place, without the dialect's name and the mnemonic or by its
/// alias.
pub(crate) fn parse_stripped(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
    mnemonic: &str,
) -> AsmResult<Attribute> {
    EntryParser::stripped(&mut parse::BodyParser::new(parser, dialect), mnemonic)
}

/// Whether what [`parse_stripped`] reads of that mnemonic, where it does not begin with `#`, is always between angle
/// brackets, and nothing behind them belongs to it.
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

/// A type of that mnemonic of a dialect at the parser's place, without the dialect's name and the mnemonic; or any type as it
/// is always spelled.
pub(crate) fn parse_stripped_type(
    parser: &mut Parser<'_, '_>,
    dialect: &DialectDefinition,
    mnemonic: &str,
) -> AsmResult<Type> {
    if parser.token_kind() != TokenKind::Less {
        return parser.ty();
    }
    parse::BodyParser::new(parser, dialect).stripped_type(mnemonic)
}

/// What a definition makes of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canonical {
    /// The body as its definition prints it: parameters in order, numbers and spaces as they are printed, and what its
    /// dialect prints through an alias as a reference even where it was spelled without its name. None if it is so
    /// already.
    pub(crate) body: Option<DialectBody>,
    pub(crate) ty: SelfType,
}

/// The type that an attribute has, in the eyes of its definition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum SelfType {
    /// The one behind it, if there is one.
    #[default]
    Behind,
    /// None: upstream passes over one that is behind it.
    None,
    /// This one, whatever is behind it.
    Said(Type),
}

impl SelfType {
    /// The type, given what is behind the attribute.
    pub(crate) fn of(self, behind: Option<Type>) -> Option<Type> {
        match self {
            SelfType::Behind => behind,
            SelfType::None => None,
            SelfType::Said(ty) => Some(ty),
        }
    }
}

/// What its definition makes of a body; nothing if none is known, or it is not as its definition says.
pub(crate) fn canonical(
    context: &mut Context,
    dialect: Identifier,
    body: &DialectBody,
    is_type: bool,
) -> Canonical {
    found_canonical(context, dialect, body, is_type).unwrap_or_default()
}

fn found_canonical(
    context: &mut Context,
    dialect: Identifier,
    body: &DialectBody,
    is_type: bool,
) -> Option<Canonical> {
    let dialect = context.dialect(context.bytes(dialect))?;
    let table = if is_type {
        &dialect.types
    } else {
        &dialect.attributes
    };
    let number = context.release().number_in(dialect.family);
    if table.entry_of(body, number)?.parameters.is_empty() {
        return None;
    }
    let (entry, parameters) = entry_parameters(context, &dialect, table, (body, None)).ok()??;
    let canonical = entry_body(context, &dialect, entry, &parameters, usize::MAX).ok()?;
    let has_type = |p: &ParameterDefinition| p.kind == ParameterKind::SelfType;
    let ty = match entry.self_type(&parameters) {
        Some(ty) => SelfType::Said(ty),
        None if entry.parameters.iter().any(has_type) => SelfType::Behind,
        None => SelfType::None,
    };
    Some(Canonical {
        body: (canonical != *body).then_some(canonical),
        ty,
    })
}

/// A start of names that does not occur in a text.
fn reference_name(text: &[u8]) -> String {
    let mut name = String::from("r_");
    while memchr::memmem::find(text, name.as_bytes()).is_some() {
        name.push('_');
    }
    name
}
