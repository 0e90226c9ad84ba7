//! Syntax of the `vhlo` dialect.

pub(crate) mod function;

use crate::dimensions::{parse_shape, print_shape};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::{FieldValue, dense_blob, dense_elements, number_type};
use rmlir_ir::float::{parse_decimal, parse_hex, write_float};
use rmlir_ir::{
    AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Invalid, Type,
    TypeKind,
};

/// The parameters of a dictionary: `{key = value, ...}`, stored as alternating keys and values.
#[derive(Debug)]
pub(crate) struct Dictionary;

/// The parameters of an integer: `value : type`. The builtin type is printed.
#[derive(Debug)]
pub(crate) struct Integer;

/// The parameters of a float: `value : type`.
#[derive(Debug)]
pub(crate) struct Float;

/// The parameters of a tensor: builtin dense elements, stored as type and data.
#[derive(Debug)]
pub(crate) struct Tensor;

/// The parameters of a shaped type: `2x?xtype[, encoding]`, that is, shape, element type and, if
/// there is a third parameter, encoding.
#[derive(Debug)]
pub(crate) struct Shaped;

/// The parameters of a function type: `(inputs) -> outputs`, lists of types separated by commas, or
/// `()`.
#[derive(Debug)]
pub(crate) struct Function;

fn wrong(what: &str) -> Invalid {
    Invalid::new(format!("the values do not make {what}"))
}

impl EntrySyntax for Dictionary {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        printer.text(b"{");
        printer.separated(values.list(0).chunks(2), |printer, pair| {
            for (number, value) in pair.iter().enumerate() {
                if number > 0 {
                    printer.text(b" = ");
                }
                if let FieldValue::Attribute(attribute) = value {
                    printer.attribute(*attribute);
                }
            }
        });
        printer.text(b"}");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect("{")?;
        let pairs = parser.separated("}", |parser| {
            let key = parser.attribute()?;
            parser.expect("=")?;
            Ok([key, parser.attribute()?])
        })?;
        values.set_list(0, pairs.into_iter().flatten().map(FieldValue::Attribute));
        Ok(())
    }
}

impl EntrySyntax for Integer {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Type(ty), FieldValue::Integer(value)) = (values.get(0), values.get(1))
        else {
            return Err(wrong("an integer"));
        };
        let context = printer.context();
        let builtin = number_type(context, ty).ok_or_else(|| wrong("an integer"))?;
        let builtin = context.try_type(builtin)?;
        let attribute = context.try_attribute(AttributeKind::Integer {
            ty: builtin,
            value: value.clone(),
        })?;
        printer.attribute(attribute);
        // As for every attribute, the default type is omitted.
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let attribute = parser.attribute()?;
        let context = parser.context();
        let &AttributeKind::Integer { ty, ref value } = context.attribute_kind(attribute) else {
            return Err(AsmError::new(place, "expected an integer"));
        };
        let value = value.clone();
        let ty =
            like(context, ty).ok_or_else(|| AsmError::new(place, "unsupported integer type"))?;
        values.set(0, FieldValue::Type(ty));
        values.set(1, FieldValue::Integer(value));
        Ok(())
    }
}

impl EntrySyntax for Float {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Type(ty), &FieldValue::Float(bits)) = (values.get(0), values.get(1))
        else {
            return Err(wrong("a float"));
        };
        let Some(TypeKind::Float(kind)) = number_type(printer.context(), ty) else {
            return Err(wrong("a float"));
        };
        let mut text = Vec::new();
        write_float(kind, bits, &mut text);
        printer.text(&text);
        printer.text(b" : ");
        printer.ty(ty);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let malformed = || AsmError::new(place, "malformed floating point literal");
        let (negative, text) = parser.number().ok_or_else(malformed)?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let Some(TypeKind::Float(kind)) = number_type(parser.context(), ty) else {
            return Err(AsmError::new(place, "expected a floating point type"));
        };
        let bits = match text.strip_prefix(b"0x") {
            Some(digits) => parse_hex(kind, digits),
            None => parse_decimal(kind, &text),
        };
        let mut bits = bits.ok_or_else(malformed)?;
        if negative {
            bits ^= 1u128
                .checked_shl(kind.width().saturating_sub(1))
                .unwrap_or(0);
        }
        values.set(0, FieldValue::Type(ty));
        values.set(1, FieldValue::Float(bits));
        Ok(())
    }
}

impl EntrySyntax for Tensor {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Type(ty), FieldValue::Bytes(data)) = (values.get(0), values.get(1))
        else {
            return Err(wrong("a tensor"));
        };
        let context = printer.context();
        let builtin = builtin_tensor(context, ty).ok_or_else(|| wrong("a tensor"))?;
        let elements = dense_elements(context, builtin, data)?;
        let attribute = context.try_attribute(elements)?;
        printer.attribute(attribute);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let attribute = parser.attribute()?;
        let context = parser.context();
        let kind = context.attribute_kind(attribute);
        let AttributeKind::DenseElements { ty, .. } = kind else {
            return Err(AsmError::new(place, "expected dense elements"));
        };
        let ty = *ty;
        let mut data = dense_blob(context, kind).map(std::borrow::Cow::into_owned);
        // `dense_blob` encodes a single `i1` as a splat, 0xFF; this dialect stores the one bit, as
        // for each of several elements.
        if let Some([byte @ 0xFF]) = data.as_deref_mut()
            && context.element_type(ty) == Some(context.i1_type())
            && context.element_count(ty) == Some(1)
        {
            *byte = 1;
        }
        let found = data.zip(vhlo_tensor(context, ty));
        let Some((data, ty)) = found else {
            return Err(AsmError::new(place, "unsupported type of elements"));
        };
        values.set(0, FieldValue::Type(ty));
        values.set(1, FieldValue::Bytes(data.into()));
        Ok(())
    }
}

impl EntrySyntax for Shaped {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        print_shape(printer, values)?;
        if let &FieldValue::Attribute(encoding) = values.get(2) {
            printer.text(b", ");
            printer.attribute(encoding);
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parse_shape(parser, &mut values)?;
        if parser.eat(",") {
            let encoding = parser.attribute()?;
            values.set(2, FieldValue::Attribute(encoding));
        }
        Ok(())
    }
}

impl EntrySyntax for Function {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let types = |printer: &mut dyn EntryPrinter, number| {
            if values.list(number).is_empty() {
                printer.text(b"()");
            }
            printer.separated(values.list(number), |printer, ty| {
                if let FieldValue::Type(ty) = ty {
                    printer.ty(*ty);
                }
            });
        };
        printer.text(b"(");
        types(printer, 0);
        printer.text(b") -> ");
        types(printer, 1);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        for number in 0..2 {
            if number == 0 {
                parser.expect("(")?;
            } else {
                parser.expect("->")?;
            }
            let mut types = Vec::new();
            if parser.eat("(") {
                parser.expect(")")?;
            } else {
                loop {
                    types.push(FieldValue::Type(parser.ty()?));
                    if !parser.eat(",") {
                        break;
                    }
                }
            }
            if number == 0 {
                parser.expect(")")?;
            }
            values.set_list(number, types);
        }
        Ok(())
    }
}

/// Returns the type of the dialect that represents a builtin type.
pub(crate) fn like(context: &mut Context, ty: Type) -> Option<Type> {
    let wanted = context.type_kind(ty).clone();
    let definition = context.dialect(b"vhlo")?;
    let dialect = context.identifier("vhlo");
    if let TypeKind::Complex(element) = wanted {
        // The element of a complex type is never complex itself.
        let element = like_scalar(
            context,
            dialect,
            &definition,
            &context.type_kind(element).clone(),
        )?;
        let mut body = BodyBuilder::new();
        body.text(b"complex_v1<");
        body.reference(context, BodyReference::Type(element));
        body.text(b">");
        let body = body.finish();
        return context.try_type(TypeKind::Dialect { dialect, body }).ok();
    }
    like_scalar(context, dialect, &definition, &wanted)
}

fn like_scalar(
    context: &mut Context,
    dialect: rmlir_ir::Identifier,
    definition: &rmlir_ir::DialectDefinition,
    wanted: &TypeKind,
) -> Option<Type> {
    let candidates = definition
        .types
        .entries()
        .iter()
        .filter(|entry| entry.like.is_some());
    for entry in candidates {
        let body = DialectBody::from_text(entry.mnemonic.as_bytes());
        let ty = context.try_type(TypeKind::Dialect { dialect, body }).ok()?;
        if number_type(context, ty).as_ref() == Some(wanted) {
            return Some(ty);
        }
    }
    None
}

/// Returns the builtin type of a `tensor_v1` without an encoding.
pub(crate) fn builtin_tensor(context: &mut Context, ty: Type) -> Option<Type> {
    let (shape, element) = {
        let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
            return None;
        };
        let mut pieces = body.pieces();
        let (Some(BodyPiece::Text(text)), Some(BodyPiece::Reference(BodyReference::Type(element)))) =
            (pieces.next(), pieces.next())
        else {
            return None;
        };
        if pieces.next() != Some(BodyPiece::Text(b">")) {
            return None;
        }
        let sizes = text.strip_prefix(b"tensor_v1<")?;
        let sizes = std::str::from_utf8(sizes).ok()?;
        let sizes = sizes.split_terminator('x').map(|size| size.parse::<i64>());
        (sizes.collect::<Result<Box<[i64]>, _>>().ok()?, element)
    };
    let element = builtin_element(context, element)?;
    let kind = TypeKind::RankedTensor {
        shape,
        element,
        encoding: None,
    };
    context.try_type(kind).ok()
}

fn builtin_element(context: &mut Context, ty: Type) -> Option<Type> {
    if let Some(kind) = number_type(context, ty) {
        return context.try_type(kind).ok();
    }
    let part = {
        let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
            return None;
        };
        let mut pieces = body.pieces();
        match (pieces.next(), pieces.next(), pieces.next()) {
            (
                Some(BodyPiece::Text(b"complex_v1<")),
                Some(BodyPiece::Reference(BodyReference::Type(part))),
                Some(BodyPiece::Text(b">")),
            ) => part,
            _ => return None,
        }
    };
    let kind = number_type(context, part)?;
    let part = context.try_type(kind).ok()?;
    context.try_type(TypeKind::Complex(part)).ok()
}

/// The inverse of [`builtin_tensor`].
pub(crate) fn vhlo_tensor(context: &mut Context, ty: Type) -> Option<Type> {
    let TypeKind::RankedTensor {
        shape,
        element,
        encoding: None,
    } = context.type_kind(ty)
    else {
        return None;
    };
    let (shape, element) = (shape.clone(), *element);
    let element = like(context, element)?;
    let mut body = BodyBuilder::new();
    body.text(b"tensor_v1<");
    for size in shape {
        body.text(format!("{size}x").as_bytes());
    }
    body.reference(context, BodyReference::Type(element));
    body.text(b">");
    let kind = TypeKind::Dialect {
        dialect: context.identifier("vhlo"),
        body: body.finish(),
    };
    context.try_type(kind).ok()
}
