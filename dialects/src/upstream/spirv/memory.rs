//! Operations of `spirv` on pointers, whose syntax separates the storage class from the pointer
//! type.

use crate::helpers::{dialect_attribute, dialect_members, member_value};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, Place,
    PrintedArgument,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Type, TypeKind};

/// Returns the storage class of a pointer type, as text.
pub(super) fn storage_class(context: &Context, pointer: Type) -> Option<&str> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(pointer) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let (_, class) = text.strip_prefix("ptr<")?.rsplit_once(',')?;
    let class = class.trim().strip_suffix('>')?;
    (context.bytes(*dialect) == b"spirv").then_some(class)
}

/// Returns a case of an enumeration of the dialect as an attribute; `quoted` is the keyword as
/// errors print it.
pub(super) fn member(
    parser: &mut dyn AsmParser,
    place: Place,
    (mnemonic, enumeration): (&str, &str),
    (said, quoted): (&str, &str),
) -> AsmResult<Attribute> {
    let is_member =
        |word: &str| member_value(parser.context(), ("spirv", enumeration), word.trim()).is_some();
    if !said.split('|').all(is_member) {
        let message = format!("invalid {mnemonic} attribute specification: {quoted}");
        return Err(AsmError::new(place, message));
    }
    let made = dialect_attribute(parser.context(), "spirv", &format!("{mnemonic}<{said}>"));
    made.map_err(|error| AsmError::new(place, error.message()))
}

/// The directive for the type of a pointer; it also sets the storage class as an attribute of the
/// operation.
#[derive(Debug)]
pub(crate) struct Pointer;

impl DirectiveSyntax for Pointer {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let class = storage_class(parser.context(), ty).map(str::to_owned);
        let Some(class) = class else {
            return Err(AsmError::new(place, "expected spirv.ptr type"));
        };
        let quoted = format!("\"{class}\"");
        let row = ("storage_class", "StorageClass");
        let class = member(parser, place, row, (&class, &quoted))?;
        if let [types, attribute] = arguments {
            *types = ParsedArgument::Types(vec![ty]);
            *attribute = ParsedArgument::Attribute(Some(class));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [PrintedArgument::Types(types), ..] = arguments {
            types.iter().for_each(|&ty| printer.ty(ty));
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [PrintedArgument::Types(types), class] = arguments else {
            return false;
        };
        let class = dialect_members(context, "spirv", class.attribute(), "storage_class");
        let of_type = types.first().and_then(|&ty| storage_class(context, ty));
        class.is_some() && class == of_type
    }
}
