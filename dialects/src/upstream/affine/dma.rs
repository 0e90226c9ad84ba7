//! Custom syntax of `affine.dma_start` and `affine.dma_wait`.

use super::maps::{can_print_map, inputs, map_of, print_subscripts, subscripts};
use crate::func::has_shape;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Type, TypeKind, Value};

/// Custom syntax of `affine.dma_start` and `affine.dma_wait`:
/// `%a[%i], %b[%j], %n, %stride, %elements : types`. It starts with one or more memrefs with
/// subscripts, whose maps are attributes, and the number of elements. If `strides`, a stride and
/// the number of elements per stride may follow.
#[derive(Debug)]
pub(crate) struct Transfer {
    /// The names of the attributes that hold the maps, in order of the memrefs.
    pub(crate) maps: &'static [&'static str],
    /// Whether a stride may follow.
    pub(crate) strides: bool,
}

/// Custom syntax of `affine.dma_start`.
pub(crate) static START: Transfer = Transfer {
    maps: &["src_map", "dst_map", "tag_map"],
    strides: true,
};

/// Custom syntax of `affine.dma_wait`.
pub(crate) static WAIT: Transfer = Transfer {
    maps: &["tag_map"],
    strides: false,
};

/// A memref with its map and the map's operands.
struct Place {
    memref: Value,
    map: Attribute,
    indices: Vec<Value>,
}

impl Transfer {
    /// Returns the memrefs, and the operands that follow them; `None` if the number of operands
    /// does not match the maps.
    fn parts(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<(Vec<Place>, Vec<Value>)> {
        let mut operands = module.operands(operation);
        let mut places = Vec::new();
        for name in self.maps {
            let map = module.attribute(context, operation, name)?;
            let count = map_of(context, Some(map))
                .and_then(|_| inputs(context, map))
                .and_then(|(dims, symbols)| dims.checked_add(symbols))?;
            let memref = operands.next()?;
            let indices: Vec<Value> = operands.by_ref().take(count).collect();
            if indices.len() != count {
                return None;
            }
            places.push(Place {
                memref,
                map,
                indices,
            });
        }
        let rest: Vec<Value> = operands.collect();
        let fits = rest.len() == 1 || self.strides && rest.len() == 3;
        fits.then_some((places, rest))
    }
}

impl OperationSyntax for Transfer {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let mut places: Vec<(OperandName, Vec<Value>)> = Vec::new();
        for name in self.maps {
            let memref = parser.operand_name()?;
            let (map, indices) = subscripts(parser)?;
            // If the definition does not declare such an inherent attribute, it is a discardable
            // one.
            let name = parser.context().identifier(name);
            operation.attributes.push((name, map));
            places.push((memref, indices));
            parser.expect(",")?;
        }
        let rest = crate::helpers::operand_names(parser)?;
        if rest.len() != 1 && !(self.strides && rest.len() == 3) {
            let message = match self.strides {
                true => "expected stride and number of elements per stride",
                false => "expected number of elements",
            };
            return Err(AsmError::new(parser.place(), message));
        }
        parser.expect(":")?;
        for (number, (memref, indices)) in places.into_iter().enumerate() {
            if number > 0 {
                parser.expect(",")?;
            }
            let ty = parser.ty()?;
            operation.operands.push(parser.resolve(memref, ty)?);
            operation.operands.extend(indices);
        }
        let index = parser.context().index_type();
        for name in rest {
            operation.operands.push(parser.resolve(name, index)?);
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let parts = self.parts(printer.context(), printer.module(), operation);
        let (places, rest) = parts.unwrap_or_default();
        let mut types: Vec<Type> = Vec::new();
        printer.text(" ");
        for place in &places {
            types.push(printer.module().value_type(place.memref));
            printer.operand(place.memref);
            print_subscripts(printer, Some(place.map), &place.indices);
            printer.text(", ");
        }
        printer.operands(rest.into_iter());
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let attributes = module.all_attributes(context, operation).len();
        let index = context.index_type();
        let is_index = |value: &Value| module.value_type(*value) == index;
        has_shape(module, operation, operands, 0, 0)
            && attributes == self.maps.len()
            && self
                .parts(context, module, operation)
                .is_some_and(|(places, rest)| {
                    rest.iter().all(is_index)
                        && places.iter().all(|place| {
                            let memref = context.type_kind(module.value_type(place.memref));
                            matches!(memref, TypeKind::MemRef { .. })
                                && place.indices.iter().all(is_index)
                                && map_of(context, Some(place.map)).is_some_and(|map| {
                                    can_print_map(context, map, place.indices.len())
                                })
                        })
                })
    }
}
