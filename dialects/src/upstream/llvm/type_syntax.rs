//! The text of the dialect's types: arrays, functions, structs, pointers and target types. Types of
//! the dialect nested in them are printed without `!llvm.`.

use super::types::{KEYWORDS, body, is, make, spell};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{
    BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Identifier, Invalid, Type,
};

/// The parameters of an array type: `<4 x type>`, the length and the element type.
#[derive(Debug)]
pub(crate) struct Array;

/// The parameters of a function type: `<type (types, ...)>`, the result, the inputs, and whether it
/// is variadic.
#[derive(Debug)]
pub(crate) struct Function;

/// The parameters of a struct type, `<"name", packed (types)>`: the kind ([`LITERAL`], [`NAMED`],
/// [`OPAQUE`], [`REFERENCE`]), the name, whether it is packed, and the members.
#[derive(Debug)]
pub(crate) struct Struct;

/// The parameters of a target type: `<"name", types, numbers>`.
#[derive(Debug)]
pub(crate) struct Target;

/// A struct without a name.
const LITERAL: u64 = 0;
/// A struct with a name and a body.
const NAMED: u64 = 1;
/// A struct with a name and an unknown body.
const OPAQUE: u64 = 2;
/// A reference to the enclosing struct of this name.
const REFERENCE: u64 = 3;

/// A decoded type.
enum Shape {
    Word(&'static str),
    Array(u64, Type),
    Function(Type, Vec<Type>, bool),
    Pointer(u64),
    Struct {
        kind: u64,
        name: Option<Identifier>,
        packed: bool,
        members: Vec<Type>,
    },
    Target(Identifier, Vec<Type>, Vec<u64>),
}

/// Appends types separated by commas.
fn list(context: &Context, types: &[Type], out: &mut BodyBuilder) {
    for (number, &ty) in types.iter().enumerate() {
        if number > 0 {
            out.text(b", ");
        }
        spell(context, ty, out);
    }
}

/// Appends a quoted name.
fn quoted(context: &Context, name: Identifier, out: &mut BodyBuilder) {
    let mut text = vec![b'"'];
    for &byte in context.bytes(name) {
        match byte {
            b'\\' => text.extend_from_slice(b"\\\\"),
            b' '..=b'~' if byte != b'"' => text.push(byte),
            _ => text.extend_from_slice(format!("\\{byte:02X}").as_bytes()),
        }
    }
    text.push(b'"');
    out.text(&text);
}

impl Shape {
    /// Returns the body of the type.
    fn body(&self, context: &Context) -> DialectBody {
        let mut out = BodyBuilder::new();
        match self {
            Shape::Word(word) => out.text(word.as_bytes()),
            Shape::Array(size, element) => {
                out.text(format!("array<{size} x ").as_bytes());
                spell(context, *element, &mut out);
                out.text(b">");
            }
            Shape::Function(result, inputs, variadic) => {
                out.text(b"func<");
                spell(context, *result, &mut out);
                out.text(b" (");
                list(context, inputs, &mut out);
                if *variadic {
                    out.text(if inputs.is_empty() { b"..." } else { b", ..." });
                }
                out.text(b")>");
            }
            Shape::Pointer(0) => out.text(b"ptr"),
            Shape::Pointer(space) => out.text(format!("ptr<{space}>").as_bytes()),
            Shape::Struct {
                kind,
                name,
                packed,
                members,
            } => {
                out.text(b"struct<");
                if let Some(name) = name {
                    quoted(context, *name, &mut out);
                    out.text(if *kind == REFERENCE { b"" } else { b", " });
                }
                match *kind {
                    REFERENCE => {}
                    OPAQUE => out.text(b"opaque"),
                    _ => {
                        out.text(if *packed { b"packed (" } else { b"(" });
                        list(context, members, &mut out);
                        out.text(b")");
                    }
                }
                out.text(b">");
            }
            Shape::Target(name, types, numbers) => {
                out.text(b"target<");
                quoted(context, *name, &mut out);
                for &ty in types {
                    out.text(b", ");
                    target_parameter(context, ty, &mut out);
                }
                for number in numbers {
                    out.text(format!(", {number}").as_bytes());
                }
                out.text(b">");
            }
        }
        out.finish()
    }

    /// Prints the type after its keyword.
    fn print(&self, keyword: &str, printer: &mut dyn EntryPrinter) {
        let body = self.body(printer.context());
        for (number, piece) in body.pieces().enumerate() {
            match piece {
                BodyPiece::Text(text) if number == 0 => {
                    printer.text(text.strip_prefix(keyword.as_bytes()).unwrap_or(text));
                }
                BodyPiece::Text(text) => printer.text(text),
                BodyPiece::Reference(BodyReference::Type(ty)) => printer.ty(ty),
                BodyPiece::Reference(BodyReference::Attribute(attribute)) => {
                    printer.attribute(attribute);
                }
            }
        }
    }
}

/// Appends a parameter of a target type. Unlike elsewhere, upstream prints types of the dialect
/// with their prefix here.
fn target_parameter(context: &Context, ty: Type, out: &mut BodyBuilder) {
    match body(context, ty) {
        Some(_) => out.reference(context, BodyReference::Type(ty)),
        None => spell(context, ty, out),
    }
}

/// Parses a type nested in another.
fn inner(parser: &mut (dyn EntryParser + '_)) -> AsmResult<Type> {
    let place = parser.place();
    let Some(&keyword) = KEYWORDS.iter().find(|keyword| parser.at(keyword)) else {
        return parser.ty();
    };
    parser.expect(keyword)?;
    let shape = match keyword {
        "array" | "func" | "struct" | "target" => return parser.stripped_type(keyword),
        "vec" => return Err(AsmError::new(place, "unknown LLVM type: vec")),
        "ptr" => {
            let mut space = 0;
            if parser.eat("<") {
                space = parser.unsigned(32)?;
                parser.expect(">")?;
            }
            Shape::Pointer(space)
        }
        word => Shape::Word(word),
    };
    let context = parser.context();
    let body = shape.body(context);
    let made = make(context, body);
    made.ok_or_else(|| AsmError::new(place, "expected a type of LLVM"))
}

/// The types of the dialect that no value can have.
const NO_VALUES: [&str; 5] = ["func", "label", "metadata", "token", "void"];

/// Checks that types nested in another, at `place`, are not types of the dialect that start with
/// one of these keywords.
fn check_inner(
    parser: &mut dyn EntryParser,
    (place, what): (Place, &str),
    types: &[Type],
    refused: &[&str],
) -> AsmResult<()> {
    let context = parser.context();
    let is_refused = |ty: &&Type| refused.iter().any(|word| is(context, **ty, word));
    let Some(found) = types.iter().find(is_refused) else {
        return Ok(());
    };
    let text = body(context, *found).map(|body| String::from_utf8_lossy(body.text()).into_owned());
    let text = text.unwrap_or_default();
    let message = format!("invalid {what} type: '!llvm.{text}'");
    Err(AsmError::new(place, message))
}

fn array(parser: &mut dyn EntryParser) -> AsmResult<Shape> {
    let place = parser.place();
    parser.expect("<")?;
    let size = parser.unsigned(64)?;
    parser.expect("x")?;
    let element = inner(parser)?;
    parser.expect(">")?;
    check_inner(parser, (place, "array element"), &[element], &NO_VALUES)?;
    Ok(Shape::Array(size, element))
}

fn function(parser: &mut dyn EntryParser) -> AsmResult<Shape> {
    let place = parser.place();
    parser.expect("<")?;
    let result = inner(parser)?;
    parser.expect("(")?;
    let (mut inputs, mut variadic) = (Vec::new(), false);
    if !parser.eat(")") {
        loop {
            if parser.eat("...") {
                variadic = true;
                break;
            }
            inputs.push(inner(parser)?);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
    }
    parser.expect(">")?;
    let no_results = ["func", "label", "metadata"];
    check_inner(parser, (place, "function result"), &[result], &no_results)?;
    let no_arguments = ["func", "void"];
    check_inner(parser, (place, "function argument"), &inputs, &no_arguments)?;
    Ok(Shape::Function(result, inputs, variadic))
}

fn structure(parser: &mut dyn EntryParser) -> AsmResult<Shape> {
    let place = parser.place();
    parser.expect("<")?;
    let name = parser.optional_string();
    let (mut packed, mut members) = (false, Vec::new());
    let mut kind = if name.is_some() { NAMED } else { LITERAL };
    if name.is_some() && parser.at(">") {
        kind = REFERENCE;
    } else {
        if name.is_some() {
            parser.expect(",")?;
        }
        if name.is_some() && parser.eat("opaque") {
            kind = OPAQUE;
        } else {
            packed = parser.eat("packed");
            parser.expect("(")?;
            members = parser.separated(")", inner)?;
        }
    }
    parser.expect(">")?;
    let what = "LLVM structure element";
    check_inner(parser, (place, what), &members, &NO_VALUES)?;
    Ok(Shape::Struct {
        kind,
        name,
        packed,
        members,
    })
}

fn target(parser: &mut dyn EntryParser) -> AsmResult<Shape> {
    parser.expect("<")?;
    let Some(name) = parser.optional_string() else {
        return parser.expected("string");
    };
    let (mut types, mut numbers) = (Vec::new(), Vec::new());
    while parser.eat(",") {
        match parser.optional_unsigned(32)? {
            Some(number) => numbers.push(number),
            None if !numbers.is_empty() => return parser.expected("integer value"),
            None => types.push(inner(parser)?),
        }
    }
    parser.expect(">")?;
    Ok(Shape::Target(name, types, numbers))
}

/// Returns the types of a list.
fn types_of(values: Parameters<'_, '_>, number: usize) -> Vec<Type> {
    let items = values.list(number).iter();
    let ty = |value: &FieldValue<'_>| match value {
        FieldValue::Type(ty) => Some(*ty),
        _ => None,
    };
    items.filter_map(ty).collect()
}

fn number_of(values: Parameters<'_, '_>, number: usize) -> u64 {
    match values.get(number) {
        FieldValue::Unsigned(value) => *value,
        _ => 0,
    }
}

fn type_of(values: Parameters<'_, '_>, number: usize) -> Result<Type, Invalid> {
    match values.get(number) {
        FieldValue::Type(ty) => Ok(*ty),
        _ => Err(Invalid::new("expected a type")),
    }
}

fn name_of(values: Parameters<'_, '_>, number: usize) -> Option<Identifier> {
    match values.get(number) {
        FieldValue::String(name) => Some(*name),
        _ => None,
    }
}

fn types(list: Vec<Type>) -> impl Iterator<Item = FieldValue<'static>> {
    list.into_iter().map(FieldValue::Type)
}

impl EntrySyntax for Array {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        Shape::Array(number_of(values, 0), type_of(values, 1)?).print("array", printer);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Array(size, element) = array(parser)? {
            values.set(0, FieldValue::Unsigned(size));
            values.set(1, FieldValue::Type(element));
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
        let (inputs, variadic) = (types_of(values, 1), number_of(values, 2) == 1);
        Shape::Function(type_of(values, 0)?, inputs, variadic).print("func", printer);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Function(result, inputs, variadic) = function(parser)? {
            values.set(0, FieldValue::Type(result));
            values.set_list(1, types(inputs));
            values.set(2, FieldValue::Unsigned(variadic.into()));
        }
        Ok(())
    }
}

impl EntrySyntax for Struct {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let shape = Shape::Struct {
            kind: number_of(values, 0),
            name: name_of(values, 1),
            packed: number_of(values, 2) == 1,
            members: types_of(values, 3),
        };
        shape.print("struct", printer);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Struct {
            kind,
            name,
            packed,
            members,
        } = structure(parser)?
        {
            values.set(0, FieldValue::Unsigned(kind));
            values.set(1, name.map_or(FieldValue::Absent, FieldValue::String));
            values.set(2, FieldValue::Unsigned(packed.into()));
            values.set_list(3, types(members));
        }
        Ok(())
    }
}

impl EntrySyntax for Target {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let Some(name) = name_of(values, 0) else {
            return Err(Invalid::new("expected a name"));
        };
        let numbers = values.list(2).iter().map(|value| match value {
            FieldValue::Unsigned(value) => *value,
            _ => 0,
        });
        Shape::Target(name, types_of(values, 1), numbers.collect()).print("target", printer);
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Target(name, parameters, numbers) = target(parser)? {
            values.set(0, FieldValue::String(name));
            values.set_list(1, types(parameters));
            values.set_list(2, numbers.into_iter().map(FieldValue::Unsigned));
        }
        Ok(())
    }
}
