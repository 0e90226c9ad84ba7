//! The bodies that a context holds, against their definitions.

use super::{length, said};
use crate::parser::{DEFAULT_MAX_SHARED_ENTITIES, Shared};
use rmlir_ir::asm::AsmError;
use rmlir_ir::{
    AttributeKind, BodyPiece, BodyReference, Context, DialectBody, Entry, Identifier, Invalid,
    RefusedEntries, Type, TypeKind,
};

/// The attributes and types of a context that are not as their definitions say: as the text parser
/// [checks](crate::ParseOptions::check_entries) those that it reads, by the format, the kinds and confinements of parameters and the
/// code that checks them. For the [verifier](rmlir_ir::VerifyOptions::refused) of a module that came from bytecode or was built.
///
/// Takes time in the lengths of all bodies of dialects whose definitions are loaded. What bodies spell out is added to the context.
///
/// ```
/// use rmlir_ir::{AttributeKind, BodyBuilder, Builder, Context, DialectDefinition, Module, VerifyOptions, verify};
///
/// let text = "dialect toy\nattribute even\n  parameters value: int(one_of(0, 2, 4))\n  format `<` $value `>`\n";
/// let mut context = Context::new();
/// context.register_dialect(DialectDefinition::parse(text, &())?);
/// let mut body = BodyBuilder::new();
/// body.text(b"even<3>");
/// let kind = AttributeKind::Dialect { dialect: context.identifier("toy"), body: body.finish(), ty: None };
/// let three = context.try_attribute(kind)?;
/// let mut module = Module::new(&mut context);
/// Builder::new(&mut context, &mut module).op("t.a").attribute("n", three).build()?;
///
/// let mut options = VerifyOptions::default();
/// options.refused = rmlir_text::check_bodies(&mut context);
/// let errors = verify(&context, &module, module.top(), &options).unwrap_err();
/// let message = errors[0].message.to_string();
/// assert!(message.starts_with("#toy.even<3>: failed to verify 'value'"), "{message}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_bodies(context: &mut Context) -> RefusedEntries {
    let mut refused = RefusedEntries::new();
    // What reading bodies adds is nobody's.
    let (attributes, types) = (context.all_attributes(), context.all_types());
    let lengths = all_bodies(context).map(|body| length(body) as u64);
    let units = lengths.fold(DEFAULT_MAX_SHARED_ENTITIES, u64::saturating_add);
    let shared = &mut Shared::with_limit(units);
    for attribute in attributes {
        if let AttributeKind::Dialect { dialect, body, ty } = context.attribute_kind(attribute) {
            let (dialect, body) = (*dialect, (body.clone(), *ty, false));
            check(
                (context, shared),
                dialect,
                &body,
                Entry::Attribute(attribute),
                &mut refused,
            );
        }
    }
    for ty in types {
        if let TypeKind::Dialect { dialect, body } = context.type_kind(ty) {
            let (dialect, body) = (*dialect, (body.clone(), None, true));
            check(
                (context, shared),
                dialect,
                &body,
                Entry::Type(ty),
                &mut refused,
            );
        }
    }
    refused
}

/// The bodies that a context holds.
fn all_bodies(context: &Context) -> impl Iterator<Item = &DialectBody> {
    let attributes = context.all_attributes();
    let attributes = attributes.filter_map(|attribute| match context.attribute_kind(attribute) {
        AttributeKind::Dialect { body, .. } => Some(body),
        _ => None,
    });
    let types = context
        .all_types()
        .filter_map(|ty| match context.type_kind(ty) {
            TypeKind::Dialect { body, .. } => Some(body),
            _ => None,
        });
    attributes.chain(types)
}

fn check(
    (context, shared): (&mut Context, &mut Shared),
    dialect: Identifier,
    (body, ty, is_type): &(DialectBody, Option<Type>, bool),
    entry: Entry,
    refused: &mut RefusedEntries,
) {
    let Some(definition) = context.dialect(context.bytes(dialect)) else {
        return;
    };
    let said = said(
        (context, shared),
        (dialect, &definition),
        (body, *ty, *is_type),
        true,
    );
    if let Err(error) = said {
        let sigil = if *is_type { '!' } else { '#' };
        let name = format!("{sigil}{}.{}", definition.name, shortened(body));
        refused.insert(entry, described(&name, &error));
    }
}

#[cold]
fn described(name: &str, error: &AsmError) -> Invalid {
    Invalid::new(format!("{name}: {}", error.message()))
}

/// The beginning of a body, in which `#` and `!` stand for what it refers to.
fn shortened(body: &DialectBody) -> String {
    const LONGEST: usize = 80;
    let mut short = Vec::new();
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(text) => short.extend(text.iter().take(LONGEST.saturating_add(1))),
            BodyPiece::Reference(BodyReference::Attribute(_)) => short.push(b'#'),
            BodyPiece::Reference(BodyReference::Type(_)) => short.push(b'!'),
        }
        if short.len() > LONGEST {
            short.truncate(LONGEST);
            return format!("{}...", short.escape_ascii());
        }
    }
    short.escape_ascii().to_string()
}
