//! The directive of `tosa.variable`.

use crate::helpers::{dense_integers, indices_of_dense};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, Module, Operation, Type, TypeKind};

/// The directive for the type and the initial value of a variable: `= value`, or `: tensor<...>`
/// without one. It sets the shape, in which -1 is a dynamic size, the element type and the value.
#[derive(Debug)]
pub(crate) struct Variable;

/// The encoding of a dynamic size in the attribute.
const ANY: i64 = -1;

fn tensor(shape: &[i64], element: Type) -> TypeKind {
    TypeKind::RankedTensor {
        shape: shape.into(),
        element,
        encoding: None,
    }
}

/// Returns the shape and element type in the attributes.
fn parts(
    context: &Context,
    shape: Option<Attribute>,
    ty: Option<Attribute>,
) -> Option<(Vec<i64>, Type)> {
    let mut shape = indices_of_dense(context, shape?)?;
    for size in &mut shape {
        if *size == ANY {
            *size = DYNAMIC;
        }
    }
    match context.attribute_kind(ty?) {
        AttributeKind::Type(ty) => Some((shape, *ty)),
        _ => None,
    }
}

/// Returns the type of an elements attribute.
fn value_type(context: &Context, value: Attribute) -> Option<Type> {
    match context.attribute_kind(value) {
        AttributeKind::DenseElements { ty, .. }
        | AttributeKind::DenseStrings { ty, .. }
        | AttributeKind::DenseResource { ty, .. }
        | AttributeKind::Sparse { ty, .. } => Some(*ty),
        _ => None,
    }
}

impl DirectiveSyntax for Variable {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [of_shape, of_type, of_value] = arguments else {
            return Ok(false);
        };
        let has_value = parser.eat("=");
        if !has_value {
            parser.expect(":")?;
        }
        let (ty, value) = match has_value {
            true => {
                let value = parser.attribute()?;
                (value_type(parser.context(), value), Some(value))
            }
            false => (Some(parser.ty()?), None),
        };
        // Upstream reports the error after the type.
        let place = parser.place();
        let context = parser.context();
        let tensor = ty.and_then(|ty| match context.type_kind(ty) {
            TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            } => Some((shape.to_vec(), *element)),
            _ => None,
        });
        let Some((mut shape, element)) = tensor else {
            return Err(AsmError::new(place, "expected ranked type"));
        };
        for size in &mut shape {
            if *size == DYNAMIC {
                *size = ANY;
            }
        }
        let index = context.index_type();
        *of_shape = ParsedArgument::Attribute(dense_integers(context, index, &shape, false));
        *of_type = ParsedArgument::Attribute(Some(context.type_attribute(element)));
        *of_value = ParsedArgument::Attribute(value);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [shape, ty, value] = arguments else {
            return;
        };
        if let Some(value) = value.attribute() {
            printer.text("= ");
            printer.attribute(value);
            return;
        }
        let context = printer.context();
        let Some((shape, element)) = parts(context, shape.attribute(), ty.attribute()) else {
            return;
        };
        printer.text(": tensor<");
        for size in shape {
            match size {
                DYNAMIC => printer.text("?x"),
                size => printer.text(&format!("{size}x")),
            }
        }
        printer.ty(element);
        printer.text(">");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [shape, ty, value] = arguments else {
            return false;
        };
        let Some((shape, element)) = parts(context, shape.attribute(), ty.attribute()) else {
            return false;
        };
        let sizes = shape.iter().all(|&size| size >= 0 || size == DYNAMIC);
        sizes
            && context.check_type(&tensor(&shape, element)).is_ok()
            && value.attribute().is_none_or(|value| {
                value_type(context, value)
                    .is_some_and(|ty| *context.type_kind(ty) == tensor(&shape, element))
            })
    }
}
