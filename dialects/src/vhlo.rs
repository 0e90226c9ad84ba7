//! Syntax of the `vhlo` dialect.

pub(crate) mod function;

use crate::dimensions::Shape;
use crate::entry::{EntryAsm, Field, List, Rows, TwoWayEntry, field, item, set};
use crate::two_way::{Sequence as _, failure};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::{FieldValue, dense_blob, dense_elements, number_type};
use rmlir_ir::float::{parse_decimal, parse_hex, write_float};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Invalid,
    Type, TypeKind,
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

const NO_ATTRIBUTE: &str = "expected an attribute";

impl TwoWayEntry for Dictionary {
    /// Keys and values.
    type Content<'v> = Rows<'v, (Option<Attribute>, Option<Attribute>)>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Rows::of(values, values.list(0).len().div_ceil(2), |values, at| {
            let key = at.saturating_mul(2);
            Ok((
                item(values, (0, key), NO_ATTRIBUTE)?,
                item(values, (0, key.saturating_add(1)), NO_ATTRIBUTE)?,
            ))
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.list(("{", "}"), content, |asm, (key, value)| {
            asm.attribute(key)?;
            asm.token("=", " = ")?;
            asm.attribute(value)
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let pairs = content.read.into_iter().flat_map(<[_; 2]>::from);
        values.set_list(0, pairs.map(Field::value));
        Ok(())
    }
}

/// The text of a number: a builtin attribute, and its type of the dialect.
#[derive(Default)]
pub(crate) struct NumberContent {
    place: Option<Place>,
    attribute: Option<Attribute>,
}

impl TwoWayEntry for Integer {
    type Content<'v> = NumberContent;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<NumberContent, Invalid> {
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
        Ok(NumberContent {
            place: None,
            attribute: Some(attribute),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut NumberContent) -> AsmResult<()> {
        content.place = asm.place();
        // As for every attribute, the default type is omitted.
        asm.attribute(&mut content.attribute)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        NumberContent { place, attribute }: NumberContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let context = parser.context();
        let kind = attribute.map(|attribute| context.attribute_kind(attribute));
        let Some(&AttributeKind::Integer { ty, ref value }) = kind else {
            return Err(failure(place, "expected an integer"));
        };
        let value = value.clone();
        let ty = like(context, ty).ok_or_else(|| failure(place, "unsupported integer type"))?;
        values.set(0, FieldValue::Type(ty));
        values.set(1, FieldValue::Integer(value));
        Ok(())
    }
}

/// The text of a float.
#[derive(Default)]
pub(crate) struct FloatContent {
    place: Option<Place>,
    /// The literal: whether it has a minus sign, and the text after it.
    literal: (bool, Vec<u8>),
    ty: Option<Type>,
}

/// A number, as its sign and its text.
fn literal(asm: &mut EntryAsm<'_>, (negative, text): &mut (bool, Vec<u8>)) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let found = parser.number();
            let found = found.ok_or_else(|| AsmError::new(place, MALFORMED))?;
            (*negative, *text) = found;
        }
        EntryAsm::Printer(printer) => printer.text(text),
    }
    Ok(())
}

const MALFORMED: &str = "malformed floating point literal";

impl TwoWayEntry for Float {
    type Content<'v> = FloatContent;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<FloatContent, Invalid> {
        let (&FieldValue::Type(ty), &FieldValue::Float(bits)) = (values.get(0), values.get(1))
        else {
            return Err(wrong("a float"));
        };
        let Some(TypeKind::Float(kind)) = number_type(printer.context(), ty) else {
            return Err(wrong("a float"));
        };
        let mut text = Vec::new();
        write_float(kind, bits, &mut text);
        Ok(FloatContent {
            place: None,
            literal: (false, text),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut FloatContent) -> AsmResult<()> {
        content.place = asm.place();
        literal(asm, &mut content.literal)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        content: FloatContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let FloatContent {
            place,
            literal: (negative, text),
            ty,
        } = content;
        let number = ty.and_then(|ty| number_type(parser.context(), ty));
        let Some(TypeKind::Float(kind)) = number else {
            return Err(failure(place, "expected a floating point type"));
        };
        let bits = match text.strip_prefix(b"0x") {
            Some(digits) => parse_hex(kind, digits),
            None => parse_decimal(kind, &text),
        };
        let mut bits = bits.ok_or_else(|| failure(place, MALFORMED))?;
        if negative {
            bits ^= 1u128
                .checked_shl(kind.width().saturating_sub(1))
                .unwrap_or(0);
        }
        set(values, 0, ty);
        set(values, 1, Some(bits));
        Ok(())
    }
}

impl TwoWayEntry for Tensor {
    /// Builtin dense elements.
    type Content<'v> = NumberContent;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<NumberContent, Invalid> {
        let (&FieldValue::Type(ty), FieldValue::Bytes(data)) = (values.get(0), values.get(1))
        else {
            return Err(wrong("a tensor"));
        };
        let context = printer.context();
        let builtin = builtin_tensor(context, ty).ok_or_else(|| wrong("a tensor"))?;
        let elements = dense_elements(context, builtin, data)?;
        Ok(NumberContent {
            place: None,
            attribute: Some(context.try_attribute(elements)?),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut NumberContent) -> AsmResult<()> {
        content.place = asm.place();
        asm.attribute(&mut content.attribute)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        NumberContent { place, attribute }: NumberContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let context = parser.context();
        let kind = attribute.map(|attribute| context.attribute_kind(attribute));
        let Some(kind @ AttributeKind::DenseElements { ty, .. }) = kind else {
            return Err(failure(place, "expected dense elements"));
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
            return Err(failure(place, "unsupported type of elements"));
        };
        values.set(0, FieldValue::Type(ty));
        values.set(1, FieldValue::Bytes(data.into()));
        Ok(())
    }
}

impl TwoWayEntry for Shaped {
    /// The shape and the encoding.
    type Content<'v> = (Shape<'v>, Option<Attribute>);

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok((Shape::of(values)?, field(values, 2)))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (shape, encoding): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        shape.text(asm)?;
        let mut is_there = encoding.is_some();
        asm.optional(",", ", ", &mut is_there);
        match is_there {
            true => asm.attribute(encoding),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        (shape, encoding): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        shape.set(values);
        set(values, 2, encoding);
        Ok(())
    }
}

/// Types separated by commas, or `()`.
fn types(asm: &mut EntryAsm<'_>, types: &mut List<'_, Option<Type>>) -> AsmResult<()> {
    let mut is_empty = types.is_empty();
    asm.optional("(", "(", &mut is_empty);
    match is_empty {
        true => asm.token(")", ")"),
        false => asm.items(types, |asm, ty| asm.ty(ty)),
    }
}

impl TwoWayEntry for Function {
    /// Inputs and outputs.
    type Content<'v> = [List<'v, Option<Type>>; 2];

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let missing = "expected types";
        Ok([List::of(values, 0, missing)?, List::of(values, 1, missing)?])
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        [inputs, outputs]: &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        asm.token("(", "(")?;
        types(asm, inputs)?;
        asm.token(")", ")")?;
        asm.token("->", " -> ")?;
        types(asm, outputs)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        [inputs, outputs]: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        inputs.set(values, 0);
        outputs.set(values, 1);
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
