//! Hooks of the `memref` and `tensor` dialects: globals, names of results.

pub(crate) mod dma;
pub(crate) mod operations;

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ValueNames};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind, Value};

/// The directive for the type and value of a global memref: `type = value`, whose value is a tensor
/// of the memref's shape; `uninitialized`, or no value.
#[derive(Debug)]
pub(crate) struct Global;

/// Returns the tensor type with a memref's shape and element type.
fn tensor_of(context: &mut Context, ty: Type) -> Option<Type> {
    let TypeKind::MemRef { shape, element, .. } = context.type_kind(ty).clone() else {
        return None;
    };
    let kind = TypeKind::RankedTensor {
        shape,
        element,
        encoding: None,
    };
    context.try_type(kind).ok()
}

/// The parsed parts of [`Global`].
#[derive(Default)]
pub(crate) struct GlobalContent {
    ty: Option<Type>,
    is_uninitialized: bool,
    value: Option<Attribute>,
}

impl TwoWayDirective for Global {
    type Content = GlobalContent;

    fn content(&self, printed: &Printed<'_>) -> Option<GlobalContent> {
        let context = printed.context;
        let [ty, value, ..] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(ty) = *context.attribute_kind(ty.attribute()?) else {
            return None;
        };
        let value = value.attribute();
        let is_uninitialized = value == Some(context.unit_attribute());
        let value = value.filter(|_| !is_uninitialized);
        // The text has the type of the memref alone.
        let TypeKind::MemRef { shape, element, .. } = context.type_kind(ty) else {
            return None;
        };
        let fits = value.is_none_or(|value| {
            matches!(
                context.type_kind(context.attribute_type(value)),
                TypeKind::RankedTensor {
                    shape: sizes,
                    element: of_value,
                    encoding: None,
                } if shape == sizes && element == of_value
            )
        });
        fits.then_some(GlobalContent {
            ty: Some(ty),
            is_uninitialized,
            value,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut GlobalContent) -> AsmResult<bool> {
        let place = asm.place();
        asm.ty(&mut content.ty)?;
        let is_memref = |ty| matches!(asm.context().type_kind(ty), TypeKind::MemRef { .. });
        if !content.ty.is_some_and(is_memref) {
            return Err(failure(place, "type should be static shaped memref"));
        }
        if asm.is_there("=", content.is_uninitialized || content.value.is_some()) {
            asm.token("=", " = ")?;
            asm.optional(
                "uninitialized",
                "uninitialized",
                &mut content.is_uninitialized,
            );
            if !content.is_uninitialized {
                asm.elements_of_memref(content.ty, &mut content.value)?;
            }
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: GlobalContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let value = match content.is_uninitialized {
            true => Some(context.unit_attribute()),
            false => content.value,
        };
        if let [of_type, of_value, ..] = arguments {
            let ty = content.ty.map(|ty| context.type_attribute(ty));
            *of_type = ParsedArgument::Attribute(ty);
            *of_value = ParsedArgument::Attribute(value);
        }
        Ok(())
    }
}

impl Asm<'_, '_> {
    /// Elements of a tensor with the shape of a memref type.
    fn elements_of_memref(
        &mut self,
        ty: Option<Type>,
        elements: &mut Option<Attribute>,
    ) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let tensor = ty.and_then(|ty| tensor_of(parser.context(), ty));
                *elements = match tensor {
                    Some(tensor) => Some(parser.elements_of_type(tensor)?),
                    None => None,
                };
            }
            Asm::Printer(printer) => {
                if let Some(elements) = *elements {
                    printer.attribute_without_type(elements);
                }
            }
        }
        Ok(())
    }
}

/// Names the results of `memref.extract_strided_metadata`:
/// `%base_buffer, %offset, %sizes:2, %strides:2`.
#[derive(Debug)]
pub(crate) struct ExtractStridedMetadata;

impl ValueNames for ExtractStridedMetadata {
    fn result_names(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let count = module.result_count(operation);
        let rank = count.saturating_sub(2).checked_div(2).unwrap_or(0);
        let mut give = |number: usize, text: &str| {
            if let Some(result) = module.result(operation, number) {
                name(result, text);
            }
        };
        give(0, "base_buffer");
        give(1, "offset");
        if rank > 0 {
            give(2, "sizes");
            give(rank.saturating_add(2), "strides");
        }
    }
}
