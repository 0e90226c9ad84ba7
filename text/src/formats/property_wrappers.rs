//! Wrapped native properties, as formats spell them: `none` or the content, items in square
//! brackets.

use super::forms::FixedType;
use rmlir_ir::asm::AsmPrinter;
use rmlir_ir::definition::{PropertyBase, PropertyWrapper};
use rmlir_ir::{Attribute, AttributeKind, Context};

/// The maximum number of wrappers around a native property that a format prints.
pub(super) const MOST_WRAPPERS: usize = 8;

/// Returns whether the value that `optional<...>` wraps is printed as `some<...>`, which is the
/// case if the value's own text can be that of an absent one.
pub(crate) fn is_in_some(inner: &[PropertyWrapper], base: PropertyBase) -> bool {
    match inner.first() {
        Some(wrapper) => *wrapper == PropertyWrapper::Optional,
        None => base == PropertyBase::Unit,
    }
}

/// Prints a native property in its wrappers. Recurses on them, which are few.
pub(crate) fn print_wrapped(
    printer: &mut dyn AsmPrinter,
    wrappers: &[PropertyWrapper],
    base: PropertyBase,
    value: Attribute,
) {
    let Some((wrapper, inner)) = wrappers.split_first() else {
        return match base {
            PropertyBase::Integer { .. } => printer.attribute_without_type(value),
            PropertyBase::Unit => {
                let there = matches!(printer.context().attribute_kind(value), AttributeKind::Unit);
                printer.text(if there { "unit" } else { "unit_absent" });
            }
            _ => printer.attribute(value),
        };
    };
    let items = match printer.context().attribute_kind(value) {
        AttributeKind::Array(items) => items.to_vec(),
        _ => return printer.stripped_attribute(value, ""),
    };
    match (wrapper, items.as_slice()) {
        (PropertyWrapper::Optional, [one]) if is_in_some(inner, base) => {
            printer.text("some<");
            print_wrapped(printer, inner, base, *one);
            printer.text(">");
        }
        (PropertyWrapper::Optional, [one]) => print_wrapped(printer, inner, base, *one),
        (PropertyWrapper::Optional, _) => printer.text("none"),
        (PropertyWrapper::Array | PropertyWrapper::DenseArray, items) => {
            printer.text("[");
            for (number, item) in items.iter().enumerate() {
                if number > 0 {
                    printer.text(", ");
                }
                print_wrapped(printer, inner, base, *item);
            }
            printer.text("]");
        }
    }
}

/// Returns whether an attribute is a native property in these wrappers. Recurses on them, which are
/// few.
pub(crate) fn is_wrapped(
    context: &Context,
    wrappers: &[PropertyWrapper],
    base: PropertyBase,
    value: Attribute,
) -> bool {
    let kind = context.attribute_kind(value);
    let Some((wrapper, inner)) = wrappers.split_first() else {
        return match (base, kind) {
            (PropertyBase::Integer { width }, AttributeKind::Integer { ty, .. }) => {
                FixedType::Integer(width).is(context, *ty, |_| false)
            }
            (PropertyBase::Unit, AttributeKind::Unit)
            | (PropertyBase::String, AttributeKind::String { ty: None, .. })
            | (PropertyBase::Attribute, _) => true,
            (PropertyBase::Unit, _) => bool_value(context, value) == Some(false),
            (PropertyBase::Bool, _) => bool_value(context, value).is_some(),
            _ => false,
        };
    };
    match (wrapper, base, kind) {
        (
            PropertyWrapper::DenseArray,
            PropertyBase::Integer { width },
            AttributeKind::DenseArray { element, .. },
        ) => inner.is_empty() && FixedType::Integer(width).is(context, *element, |_| false),
        (PropertyWrapper::Optional, _, AttributeKind::Array(items)) if items.len() > 1 => false,
        (_, _, AttributeKind::Array(items)) => items
            .iter()
            .all(|item| is_wrapped(context, inner, base, *item)),
        _ => false,
    }
}

/// Returns the value of an attribute of type `i1`.
fn bool_value(context: &Context, value: Attribute) -> Option<bool> {
    match context.attribute_kind(value) {
        AttributeKind::Integer { ty, value }
            if FixedType::Integer(1).is(context, *ty, |_| false) =>
        {
            Some(!value.is_zero())
        }
        _ => None,
    }
}
