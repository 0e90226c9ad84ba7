//! Bodies of entities of dialects, written by the template of their codec.

use super::{Assembly, Codec, FieldKind, FieldValue, FieldValues};
use crate::float::{self, FloatKind};
use crate::{Attribute, Context, DYNAMIC, Invalid, Type};

/// Where the body of an entity is written to.
pub trait AssemblyWriter {
    /// The context.
    fn context(&mut self) -> &mut Context;

    /// Text as it is.
    fn text(&mut self, text: &[u8]);

    /// Bytes in quotes, with what is not printable escaped.
    fn quoted(&mut self, bytes: &[u8]);

    /// An attribute.
    fn attribute(&mut self, attribute: Attribute);

    /// An attribute of the same dialect as it stands inside of another: without its dialect and mnemonic. Any other
    /// attribute as it is.
    fn attribute_inside(&mut self, attribute: Attribute);

    /// A type.
    fn ty(&mut self, ty: Type);
}

/// Writes the body of an entity by its codec's template or hook. Takes time in the values and the template.
///
/// # Errors
///
/// If the values are none that the entity can have, or the codec has no template.
pub fn assemble(
    codec: &Codec,
    values: &FieldValues<'_>,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    match codec.assembly {
        Assembly::Template(template) => by_template(codec, values, template, out),
        Assembly::Hook(hook) => hook(out, values),
        Assembly::Code => Err(Invalid::new("there is no text for it")),
    }
}

fn by_template(
    codec: &Codec,
    values: &FieldValues<'_>,
    template: &'static str,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    let mut rest = template;
    while let Some(at) = rest.find(['$', '%']) {
        let (text, directive) = rest.split_at(at);
        out.text(text.as_bytes());
        let (sigil, behind) = directive.split_at(1);
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (word, tail) = behind.split_at(behind.find(|c| !in_word(c)).unwrap_or(behind.len()));
        rest = tail;
        if sigil == "%" {
            all_fields(codec, values, word == "set", out)?;
            continue;
        }
        let field = codec.fields.iter().zip(&values.fields);
        let mut named = field.filter(|(field, _)| field.name == word);
        let (field, value) = named.next().ok_or_else(mismatch)?;
        if let Some(keywords) = rest.strip_prefix('{') {
            let (keywords, tail) = keywords.split_once('}').ok_or_else(mismatch)?;
            rest = tail;
            keyword(keywords, value, out)?;
        } else if let Some(tail) = rest.strip_prefix(":x") {
            rest = tail;
            for size in values.list(value) {
                scalar(FieldKind::SignedVarint, size, out)?;
                out.text(b"x");
            }
        } else if let Some(tail) = rest.strip_prefix(":=") {
            rest = tail;
            for (at, pair) in values.list(value).chunks(2).enumerate() {
                if at > 0 {
                    out.text(b", ");
                }
                for (at, part) in pair.iter().enumerate() {
                    if at > 0 {
                        out.text(b" = ");
                    }
                    scalar(FieldKind::Attribute, part, out)?;
                }
            }
        } else if let Some(tail) = rest.strip_prefix(":-") {
            rest = tail;
            for (at, item) in values.list(value).iter().enumerate() {
                let FieldValue::Attribute(item) = *item else {
                    return Err(mismatch());
                };
                out.text(if at > 0 { b", " } else { b"" });
                out.attribute_inside(item);
            }
        } else if let Some(tail) = rest.strip_prefix(":()") {
            rest = tail;
            match values.list(value) {
                [] => out.text(b"()"),
                _ => any(field.kind, value, values, out)?,
            }
        } else {
            any(field.kind, value, values, out)?;
        }
    }
    out.text(rest.as_bytes());
    Ok(())
}

/// `name = value` for each field that is there; if `only_set`, for each that is not 0 or empty.
fn all_fields(
    codec: &Codec,
    values: &FieldValues<'_>,
    only_set: bool,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    let mut first = true;
    for (field, value) in codec.fields.iter().zip(&values.fields) {
        let is_list = matches!(value, FieldValue::List(_));
        let is_zero = match value {
            FieldValue::Unsigned(0) | FieldValue::Signed(0) | FieldValue::Float(0) => true,
            _ => is_list && values.list(value).is_empty(),
        };
        if *value == FieldValue::Absent || (only_set && is_zero) {
            continue;
        }
        if !first {
            out.text(b", ");
        }
        first = false;
        out.text(field.name.trim_end_matches('_').as_bytes());
        out.text(b" = ");
        out.text(if is_list { b"[" } else { b"" });
        any(field.kind, value, values, out)?;
        out.text(if is_list { b"]" } else { b"" });
    }
    Ok(())
}

fn keyword(
    keywords: &str,
    value: &FieldValue<'_>,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    let FieldValue::Unsigned(number) = *value else {
        return Err(mismatch());
    };
    let at = usize::try_from(number).ok();
    let found = at.and_then(|at| keywords.split_whitespace().nth(at));
    match found.filter(|&keyword| keyword != "_") {
        Some(keyword) => {
            out.text(keyword.as_bytes());
            Ok(())
        }
        None => Err(Invalid::new(format!(
            "there is no name for the value {number}"
        ))),
    }
}

/// A field, a list with commas between its items.
fn any(
    kind: FieldKind,
    value: &FieldValue<'_>,
    values: &FieldValues<'_>,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    let (FieldKind::List(item) | FieldKind::FlaggedList(item)) = kind else {
        return scalar(kind, value, out);
    };
    for (at, value) in values.list(value).iter().enumerate() {
        if at > 0 {
            out.text(b", ");
        }
        scalar(*item, value, out)?;
    }
    Ok(())
}

fn scalar(
    kind: FieldKind,
    value: &FieldValue<'_>,
    out: &mut dyn AssemblyWriter,
) -> Result<(), Invalid> {
    match *value {
        FieldValue::Attribute(attribute) => out.attribute(attribute),
        FieldValue::Type(ty) => out.ty(ty),
        FieldValue::Unsigned(number) if kind == FieldKind::Bool => {
            out.text(if number == 0 { b"false" } else { b"true" });
        }
        FieldValue::Unsigned(number) => out.text(number.to_string().as_bytes()),
        FieldValue::Signed(DYNAMIC) => out.text(b"?"),
        FieldValue::Signed(number) => out.text(number.to_string().as_bytes()),
        FieldValue::Float(bits) if kind == FieldKind::Float64 => {
            float_text(FloatKind::F64, bits, out);
        }
        FieldValue::String(string) => {
            let bytes = out.context().bytes(string).to_vec();
            out.quoted(&bytes);
        }
        FieldValue::Location(location) => {
            let attribute = out.context().location_attribute(location);
            out.attribute(attribute);
        }
        _ => return Err(mismatch()),
    }
    Ok(())
}

/// A float by its bits, as upstream prints it.
pub fn float_text(kind: FloatKind, bits: u128, out: &mut dyn AssemblyWriter) {
    let mut text = Vec::new();
    float::write_float(kind, bits, &mut text);
    out.text(&text);
}

#[cold]
fn mismatch() -> Invalid {
    Invalid::new("the template does not fit the fields")
}
