//! Hooks of the `memref` and `tensor` dialects: globals, names of results.

pub(crate) mod dma;
pub(crate) mod operations;

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
    ValueNames,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Type, TypeKind, Value};

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

impl DirectiveSyntax for Global {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let Some(tensor) = tensor_of(parser.context(), ty) else {
            return Err(AsmError::new(place, "type should be static shaped memref"));
        };
        let mut value = None;
        if parser.eat("=") {
            value = Some(if parser.eat("uninitialized") {
                parser.context().unit_attribute()
            } else {
                parser.elements_of_type(tensor)?
            });
        }
        if let [first, second, ..] = arguments {
            *first = ParsedArgument::Attribute(Some(parser.context().type_attribute(ty)));
            *second = ParsedArgument::Attribute(value);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [ty, value, ..] = arguments else {
            return;
        };
        if let Some(ty) = ty.attribute() {
            printer.attribute(ty);
        }
        let Some(value) = value.attribute() else {
            return;
        };
        printer.text(" = ");
        if value == printer.context().unit_attribute() {
            printer.text("uninitialized");
        } else {
            printer.attribute_without_type(value);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.get(1).and_then(PrintedArgument::attribute);
        let Some(value) = value.filter(|&value| value != context.unit_attribute()) else {
            return true;
        };
        // The text has the type of the memref alone.
        let global = arguments.first().and_then(PrintedArgument::attribute);
        let Some(AttributeKind::Type(global)) = global.map(|ty| context.attribute_kind(ty)) else {
            return false;
        };
        match (
            context.type_kind(*global),
            context.type_kind(context.attribute_type(value)),
        ) {
            (
                TypeKind::MemRef { shape, element, .. },
                TypeKind::RankedTensor {
                    shape: sizes,
                    element: of_value,
                    encoding: None,
                },
            ) => shape == sizes && element == of_value,
            _ => false,
        }
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
