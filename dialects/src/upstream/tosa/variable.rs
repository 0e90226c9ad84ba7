//! The directive of `tosa.variable`.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dense_integers, indices_of_dense};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, Type, TypeKind};

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

/// The parsed parts of [`Variable`].
#[derive(Default)]
pub(crate) struct VariableContent {
    value: Option<Attribute>,
    /// The type in a text that is read.
    ty: Option<Type>,
    /// The shape and the element type in a text that is written.
    parts: Option<(Vec<i64>, Type)>,
    place: Option<usize>,
}

/// `tensor<4x?xf32>`. The type that is written need not exist.
fn variable_type(asm: &mut Asm<'_, '_>, content: &mut VariableContent) -> AsmResult<()> {
    match (asm, &content.parts) {
        (Asm::Printer(printer), Some((shape, element))) => {
            printer.text("tensor<");
            for &size in shape {
                match size {
                    DYNAMIC => printer.text("?x"),
                    size => printer.text(&format!("{size}x")),
                }
            }
            printer.ty(*element);
            printer.text(">");
            Ok(())
        }
        (asm, _) => asm.ty(&mut content.ty),
    }
}

impl TwoWayDirective for Variable {
    type Content = VariableContent;

    fn content(&self, printed: &Printed<'_>) -> Option<VariableContent> {
        let [shape, ty, value] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let (shape, element) = parts(context, shape.attribute(), ty.attribute())?;
        let kind = tensor(&shape, element);
        let value = value.attribute();
        let is_of_type = |value| {
            let ty = value_type(context, value);
            ty.is_some_and(|ty| *context.type_kind(ty) == kind)
        };
        let fits = shape.iter().all(|&size| size >= 0 || size == DYNAMIC)
            && context.check_type(&kind).is_ok()
            && value.is_none_or(is_of_type);
        fits.then_some(VariableContent {
            value,
            parts: Some((shape, element)),
            ..VariableContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut VariableContent) -> AsmResult<bool> {
        if asm.is_there("=", content.value.is_some()) {
            asm.token("=", "= ")?;
            asm.attribute(&mut content.value)?;
        } else {
            asm.token(":", ": ")?;
            variable_type(asm, content)?;
        }
        // Upstream reports an error after the type.
        content.place = asm.place();
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: VariableContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let ty = match content.value {
            Some(value) => value_type(context, value),
            None => content.ty,
        };
        let tensor = ty.and_then(|ty| match context.type_kind(ty) {
            TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            } => Some((shape.to_vec(), *element)),
            _ => None,
        });
        let missing = || failure(content.place, "expected ranked type");
        let (mut shape, element) = tensor.ok_or_else(missing)?;
        for size in &mut shape {
            if *size == DYNAMIC {
                *size = ANY;
            }
        }
        let index = context.index_type();
        if let [of_shape, of_type, of_value] = arguments {
            *of_shape = ParsedArgument::Attribute(dense_integers(context, index, &shape, false));
            *of_type = ParsedArgument::Attribute(Some(context.type_attribute(element)));
            *of_value = ParsedArgument::Attribute(content.value);
        }
        Ok(())
    }
}
