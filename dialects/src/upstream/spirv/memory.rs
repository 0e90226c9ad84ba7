//! Operations of `spirv` on pointers, whose syntax separates the storage class from the pointer
//! type.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dialect_attribute, dialect_members, member_value};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, Place, PrintedArgument};
use rmlir_ir::{Attribute, Context, Type, TypeKind};

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

impl TwoWayDirective for Pointer {
    /// The position of the type, and the type.
    type Content = (Option<usize>, Option<Type>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [PrintedArgument::Types(types), class] = printed.arguments else {
            return None;
        };
        let &[ty] = &types[..] else {
            return None;
        };
        let class = class.attribute();
        let class = dialect_members(printed.context, "spirv", class, "storage_class")?;
        (storage_class(printed.context, ty) == Some(class)).then_some((None, Some(ty)))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (place, ty): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.ty(ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (place, ty): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let class = ty.and_then(|ty| storage_class(parser.context(), ty));
        let class = class.map(str::to_owned);
        let class = class.ok_or_else(|| failure(place, "expected spirv.ptr type"))?;
        let quoted = format!("\"{class}\"");
        let row = ("storage_class", "StorageClass");
        let class = member(parser, place.unwrap_or_default(), row, (&class, &quoted))?;
        if let [types, attribute] = arguments {
            *types = ParsedArgument::Types(ty.into_iter().collect());
            *attribute = ParsedArgument::Attribute(Some(class));
        }
        Ok(())
    }
}
