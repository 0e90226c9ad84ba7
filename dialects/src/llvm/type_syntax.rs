//! The text of types of the dialect: arrays, functions, structs, pointers and types of targets, inside of which such types
//! go without `!llvm.`.

use super::types::{KEYWORDS, body, make, spell};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{
    BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Identifier, Invalid, Type,
};

/// Types inside of types that are read at most; deeper ones stay as they are spelled.
const DEEPEST: u32 = 64;

/// `<4 x type>`: the number and the type.
#[derive(Debug)]
pub(crate) struct Array;

/// `<type (types, ...)>`: the result, the inputs, and whether there are more.
#[derive(Debug)]
pub(crate) struct Function;

/// `<"name", packed (types)>`: what it says ([`LITERAL`], [`NAMED`], [`OPAQUE`], [`REFERENCE`]), the name, whether it is packed,
/// the members.
#[derive(Debug)]
pub(crate) struct Struct;

/// `<"name", types, numbers>`: name, types, numbers.
#[derive(Debug)]
pub(crate) struct Target;

/// A struct without a name.
const LITERAL: u64 = 0;
/// One with a name and a body.
const NAMED: u64 = 1;
/// One with a name, whose body is not known.
const OPAQUE: u64 = 2;
/// The name of a struct inside of which this is.
const REFERENCE: u64 = 3;

/// A type taken apart.
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

/// Appends types with commas between them; none if one of them can't be inside of another.
fn list(context: &Context, types: &[Type], out: &mut BodyBuilder) -> Option<()> {
    for (number, &ty) in types.iter().enumerate() {
        if number > 0 {
            out.text(b", ");
        }
        spell(context, ty, out)?;
    }
    Some(())
}

/// A name in quotes.
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
    /// The body of the type; none if a type in it can't be inside of another.
    fn body(&self, context: &Context) -> Option<DialectBody> {
        let mut out = BodyBuilder::new();
        match self {
            Shape::Word(word) => out.text(word.as_bytes()),
            Shape::Array(size, element) => {
                out.text(format!("array<{size} x ").as_bytes());
                spell(context, *element, &mut out)?;
                out.text(b">");
            }
            Shape::Function(result, inputs, variadic) => {
                out.text(b"func<");
                spell(context, *result, &mut out)?;
                out.text(b" (");
                list(context, inputs, &mut out)?;
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
                        list(context, members, &mut out)?;
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
                    target_parameter(context, ty, &mut out)?;
                }
                for number in numbers {
                    out.text(format!(", {number}").as_bytes());
                }
                out.text(b">");
            }
        }
        Some(out.finish())
    }

    /// Prints the type behind its keyword.
    fn print(&self, keyword: &str, printer: &mut dyn EntryPrinter) -> Result<(), Invalid> {
        let Some(body) = self.body(printer.context()) else {
            return Err(Invalid::new("expected a type of LLVM"));
        };
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
        Ok(())
    }
}

/// A type among the parameters of a target's type, where upstream spells those of the dialect with their name.
fn target_parameter(context: &Context, ty: Type, out: &mut BodyBuilder) -> Option<()> {
    match body(context, ty) {
        Some(_) => out.reference(context, BodyReference::Type(ty)),
        None => spell(context, ty, out)?,
    }
    Some(())
}

/// A type inside of another.
fn inner(parser: &mut dyn EntryParser, depth: u32) -> AsmResult<Type> {
    let place = parser.place();
    let Some(&keyword) = KEYWORDS.iter().find(|keyword| parser.at(keyword)) else {
        return parser.ty();
    };
    let shape = shape(parser, keyword, depth)?;
    let context = parser.context();
    let made = shape.body(context).and_then(|body| make(context, body));
    made.ok_or_else(|| AsmError::new(place, "expected a type of LLVM"))
}

/// A type that begins with a keyword, which is next.
fn shape(parser: &mut dyn EntryParser, keyword: &'static str, depth: u32) -> AsmResult<Shape> {
    let place = parser.place();
    let Some(depth) = depth.checked_sub(1) else {
        return Err(AsmError::new(place, "types are nested too deeply"));
    };
    parser.expect(keyword)?;
    match keyword {
        "array" => array(parser, depth),
        "func" => function(parser, depth),
        "ptr" => {
            let mut space = 0;
            if parser.eat("<") {
                space = natural(parser)?;
                parser.expect(">")?;
            }
            Ok(Shape::Pointer(space))
        }
        "struct" => structure(parser, depth),
        "target" => target(parser, depth),
        "vec" => Err(AsmError::new(place, "unknown LLVM type: vec")),
        word => Ok(Shape::Word(word)),
    }
}

/// A number that is not negative.
fn natural(parser: &mut dyn EntryParser) -> AsmResult<u64> {
    let place = parser.place();
    let number = parser.integer()?;
    u64::try_from(number).map_err(|_| AsmError::new(place, "expected unsigned integer"))
}

fn array(parser: &mut dyn EntryParser, depth: u32) -> AsmResult<Shape> {
    parser.expect("<")?;
    let place = parser.place();
    let sizes = parser.dimensions()?;
    let [size] = *sizes.as_slice() else {
        return Err(AsmError::new(place, "expected exactly one dimension"));
    };
    let Ok(size) = u64::try_from(size) else {
        return Err(AsmError::new(place, "expected static shape"));
    };
    let element = inner(parser, depth)?;
    parser.expect(">")?;
    Ok(Shape::Array(size, element))
}

fn function(parser: &mut dyn EntryParser, depth: u32) -> AsmResult<Shape> {
    parser.expect("<")?;
    let result = inner(parser, depth)?;
    parser.expect("(")?;
    let (mut inputs, mut variadic) = (Vec::new(), false);
    if !parser.eat(")") {
        loop {
            if parser.eat("...") {
                variadic = true;
                break;
            }
            inputs.push(inner(parser, depth)?);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
    }
    parser.expect(">")?;
    Ok(Shape::Function(result, inputs, variadic))
}

fn structure(parser: &mut dyn EntryParser, depth: u32) -> AsmResult<Shape> {
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
            members = parser.separated(")", |parser| inner(parser, depth))?;
        }
    }
    parser.expect(">")?;
    Ok(Shape::Struct {
        kind,
        name,
        packed,
        members,
    })
}

fn target(parser: &mut dyn EntryParser, depth: u32) -> AsmResult<Shape> {
    parser.expect("<")?;
    let Some(name) = parser.optional_string() else {
        return parser.expected("string");
    };
    let (mut types, mut numbers) = (Vec::new(), Vec::new());
    while parser.eat(",") {
        let place = parser.place();
        match parser.optional_integer()? {
            Some(number) => {
                let number = u64::try_from(number);
                numbers
                    .push(number.map_err(|_| AsmError::new(place, "expected unsigned integer"))?);
            }
            None if !numbers.is_empty() => return parser.expected("integer value"),
            None => types.push(inner(parser, depth)?),
        }
    }
    parser.expect(">")?;
    Ok(Shape::Target(name, types, numbers))
}

/// The types of a list.
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
        Shape::Array(number_of(values, 0), type_of(values, 1)?).print("array", printer)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Array(size, element) = array(parser, DEEPEST)? {
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
        Shape::Function(type_of(values, 0)?, inputs, variadic).print("func", printer)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Function(result, inputs, variadic) = function(parser, DEEPEST)? {
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
        shape.print("struct", printer)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Struct {
            kind,
            name,
            packed,
            members,
        } = structure(parser, DEEPEST)?
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
        Shape::Target(name, types_of(values, 1), numbers.collect()).print("target", printer)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if let Shape::Target(name, parameters, numbers) = target(parser, DEEPEST)? {
            values.set(0, FieldValue::String(name));
            values.set_list(1, types(parameters));
            values.set_list(2, numbers.into_iter().map(FieldValue::Unsigned));
        }
        Ok(())
    }
}
