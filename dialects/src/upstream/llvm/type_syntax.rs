//! The text of the dialect's types: arrays, functions, structs, pointers and target types. Types of
//! the dialect nested in them are printed without `!llvm.`.

use super::types::{KEYWORDS, body, from_text, is, scalar, spell};
use crate::entry::{EntryAsm, List, Rows, TwoWayEntry, field, item, required, set};
use crate::two_way::failure;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, Place,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{BodyBuilder, BodyPiece, BodyReference, Identifier, Invalid, Type};

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

const NO_TYPE: &str = "expected a type";

/// A type nested in another; present when printing.
fn inner(asm: &mut EntryAsm<'_>, ty: &mut Option<Type>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => *ty = Some(parse_inner(&mut **parser)?),
        EntryAsm::Printer(printer) => {
            if let Some(ty) = *ty {
                print_inner(&mut **printer, ty);
            }
        }
    }
    Ok(())
}

/// Prints a type nested in another.
fn print_inner(printer: &mut dyn EntryPrinter, ty: Type) {
    let context = printer.context();
    if let Some(text) = scalar(context, ty) {
        return printer.text(text.as_bytes());
    }
    let mut body = BodyBuilder::new();
    spell(context, ty, &mut body);
    for piece in body.finish().pieces() {
        match piece {
            BodyPiece::Text(text) => printer.text(text),
            BodyPiece::Reference(BodyReference::Type(ty)) => printer.ty(ty),
            BodyPiece::Reference(BodyReference::Attribute(attribute)) => {
                printer.attribute(attribute);
            }
        }
    }
}

/// Parses a type nested in another, which starts with its keyword if it is of the dialect.
fn parse_inner(parser: &mut dyn EntryParser) -> AsmResult<Type> {
    let place = parser.place();
    let Some(&keyword) = KEYWORDS.iter().find(|keyword| parser.at(keyword)) else {
        return parser.ty();
    };
    parser.expect(keyword)?;
    let made = match keyword {
        "array" | "func" | "struct" | "target" => return parser.stripped_type(keyword),
        "vec" => return Err(AsmError::new(place, "unknown LLVM type: vec")),
        "ptr" if parser.eat("<") => {
            let space = parser.unsigned(32)?;
            parser.expect(">")?;
            match space {
                0 => from_text(parser.context(), "ptr"),
                space => from_text(parser.context(), &format!("ptr<{space}>")),
            }
        }
        word => from_text(parser.context(), word),
    };
    made.ok_or_else(|| AsmError::new(place, "expected a type of LLVM"))
}

/// The types of the dialect that no value can have.
const NO_VALUES: [&str; 5] = ["func", "label", "metadata", "token", "void"];

/// Checks that types nested in another that was read, at `place`, are not types of the dialect that
/// start with one of these keywords.
fn check_inner(
    asm: &mut EntryAsm<'_>,
    (place, what): (Option<Place>, &str),
    types: &[Option<Type>],
    refused: &[&str],
) -> AsmResult<()> {
    asm.check(place, |context| {
        let is_refused = |ty: &Type| refused.iter().any(|word| is(context, *ty, word));
        let found = types.iter().copied().flatten().find(is_refused)?;
        let text = body(context, found);
        let text = text.map(|body| String::from_utf8_lossy(body.text()).into_owned());
        let text = text.unwrap_or_default();
        Some(format!("invalid {what} type: '!llvm.{text}'"))
    })
}

impl TwoWayEntry for Array {
    type Content<'v> = (u64, Option<Type>);

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok((field(values, 0), required(values, 1, NO_TYPE)?))
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (size, element): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        let place = asm.place();
        asm.token("<", "<")?;
        asm.unsigned(64, size)?;
        asm.token("x", " x ")?;
        inner(asm, element)?;
        asm.token(">", ">")?;
        check_inner(asm, (place, "array element"), &[*element], &NO_VALUES)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        (size, element): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, size);
        set(values, 1, element);
        Ok(())
    }
}

/// The text of a function type.
#[derive(Default)]
pub(crate) struct FunctionContent<'v> {
    result: Option<Type>,
    inputs: List<'v, Option<Type>>,
    is_variadic: bool,
}

impl TwoWayEntry for Function {
    type Content<'v> = FunctionContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<FunctionContent<'v>, Invalid> {
        Ok(FunctionContent {
            result: required(values, 0, NO_TYPE)?,
            inputs: List::of(values, 1, NO_TYPE)?,
            is_variadic: field::<u64>(values, 2) == 1,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut FunctionContent<'_>) -> AsmResult<()> {
        let place = asm.place();
        asm.token("<", "<")?;
        inner(asm, &mut content.result)?;
        asm.token("(", " (")?;
        let rest = ("...", &mut content.is_variadic);
        asm.items_and_rest(")", &mut content.inputs, rest, inner)?;
        asm.token(">", ">")?;
        let no_results = ["func", "label", "metadata"];
        let what = (place, "function result");
        check_inner(asm, what, &[content.result], &no_results)?;
        let what = (place, "function argument");
        check_inner(asm, what, content.inputs.read(), &["func", "void"])
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: FunctionContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.result);
        content.inputs.set(values, 1);
        set(values, 2, u64::from(content.is_variadic));
        Ok(())
    }
}

/// The text of a struct type.
#[derive(Default)]
pub(crate) struct StructContent<'v> {
    kind: u64,
    name: Option<Identifier>,
    is_packed: bool,
    members: List<'v, Option<Type>>,
}

impl TwoWayEntry for Struct {
    type Content<'v> = StructContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<StructContent<'v>, Invalid> {
        Ok(StructContent {
            kind: field(values, 0),
            name: field(values, 1),
            is_packed: field::<u64>(values, 2) == 1,
            members: List::of(values, 3, NO_TYPE)?,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut StructContent<'_>) -> AsmResult<()> {
        let place = asm.place();
        asm.token("<", "<")?;
        asm.optional_string(&mut content.name);
        let is_named = content.name.is_some();
        if is_named && asm.is_there(">", content.kind == REFERENCE) {
            content.kind = REFERENCE;
            return asm.token(">", ">");
        }
        let mut is_opaque = content.kind == OPAQUE;
        if is_named {
            asm.token(",", ", ")?;
            asm.optional("opaque", "opaque", &mut is_opaque);
        }
        content.kind = match (is_named, is_opaque) {
            (true, true) => OPAQUE,
            (true, false) => NAMED,
            (false, _) => LITERAL,
        };
        if content.kind != OPAQUE {
            asm.optional("packed", "packed ", &mut content.is_packed);
            asm.list(("(", ")"), &mut content.members, inner)?;
        }
        asm.token(">", ">")?;
        let what = (place, "LLVM structure element");
        check_inner(asm, what, content.members.read(), &NO_VALUES)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: StructContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.kind);
        set(values, 1, content.name);
        set(values, 2, u64::from(content.is_packed));
        content.members.set(values, 3);
        Ok(())
    }
}

/// The text of a target type.
#[derive(Default)]
pub(crate) struct TargetContent<'v> {
    name: Option<Identifier>,
    parameters: Rows<'v, TargetParameter>,
}

/// A parameter of a target type: a type, or a number after the types.
#[derive(Default)]
pub(crate) struct TargetParameter {
    ty: Option<Type>,
    number: Option<u64>,
}

impl TargetParameter {
    fn of(values: Parameters<'_, '_>, at: usize) -> Result<Self, Invalid> {
        let types = values.list(1).len();
        Ok(match at.checked_sub(types) {
            None => TargetParameter {
                ty: item(values, (1, at), NO_TYPE)?,
                number: None,
            },
            Some(at) => TargetParameter {
                ty: None,
                number: item(values, (2, at), "expected a number")?,
            },
        })
    }

    /// Unlike elsewhere, upstream prints types of the dialect with their prefix here.
    fn text(&mut self, asm: &mut EntryAsm<'_>, must_be_number: bool) -> AsmResult<()> {
        asm.optional_unsigned(32, &mut self.number)?;
        if self.number.is_some() {
            return Ok(());
        }
        if must_be_number {
            return Err(failure(asm.place(), "expected integer value"));
        }
        if let (EntryAsm::Printer(printer), Some(ty)) = (&mut *asm, self.ty)
            && body(printer.context(), ty).is_some()
        {
            printer.ty(ty);
            return Ok(());
        }
        inner(asm, &mut self.ty)
    }
}

impl TwoWayEntry for Target {
    type Content<'v> = TargetContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<TargetContent<'v>, Invalid> {
        let count = values.list(1).len().saturating_add(values.list(2).len());
        Ok(TargetContent {
            name: required(values, 0, "expected a name")?,
            parameters: Rows::of(values, count, TargetParameter::of)?,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut TargetContent<'_>) -> AsmResult<()> {
        asm.token("<", "<")?;
        asm.string(&mut content.name)?;
        let mut has_number = false;
        asm.repeated(",", &mut content.parameters, |asm, parameter| {
            asm.token(",", ", ")?;
            parameter.text(asm, has_number)?;
            has_number |= parameter.number.is_some();
            Ok(())
        })?;
        asm.token(">", ">")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: TargetContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.name);
        let parameters = &content.parameters.read;
        let types = parameters.iter().filter_map(|parameter| parameter.ty);
        values.set_list(1, types.map(FieldValue::Type));
        let numbers = parameters.iter().filter_map(|parameter| parameter.number);
        values.set_list(2, numbers.map(FieldValue::Unsigned));
        Ok(())
    }
}
