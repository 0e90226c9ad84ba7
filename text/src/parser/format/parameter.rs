//! Finds the type that is the first parameter of a dialect's type.

use crate::formats::parameter::{Inside, body_of, inside};
use rmlir_ir::definition::type_parameters;
use rmlir_ir::{Context, Type, TypeKind};

/// Returns the parameter of a type; `None` if the type is not one of a dialect, or neither the item
/// in its brackets nor a declared parameter is a type. For a ranked tensor it is the tensor of its
/// elements' parameter.
pub(crate) fn of(context: &mut Context, ty: Type) -> Option<Type> {
    if let TypeKind::RankedTensor {
        shape,
        element,
        encoding,
    } = context.type_kind(ty).clone()
    {
        let element = of_dialect(context, element)?;
        let kind = TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        };
        return context.try_type(kind).ok();
    }
    of_dialect(context, ty)
}

fn of_dialect(context: &mut Context, ty: Type) -> Option<Type> {
    let text = match inside(body_of(context, ty)?) {
        Some(Inside::Type(ty)) => return Some(ty),
        Some(Inside::Text(text)) => Some(text.to_vec()),
        None => None,
    };
    let parsed = text.and_then(|text| crate::parser::parse_type(context, &text).ok());
    parsed.or_else(|| type_parameters(context, ty).next())
}
