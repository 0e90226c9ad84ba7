//! Custom syntax of `gpu.warp_execute_on_lane_0`.

use crate::func::has_shape;
use crate::function::property;
use crate::helpers::{ends_plainly, integer_of, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, add_of_type};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, Operation, Type, Value};

const YIELD: &str = "gpu.yield";
const SIZE: &str = "warp_size";

/// Custom syntax of `gpu.warp_execute_on_lane_0`:
/// `(%lane)[32] args(%a : type) -> (types) {...} {...}`.
#[derive(Debug)]
pub(crate) struct WarpExecuteOnLane0;

/// The parsed parts of [`WarpExecuteOnLane0`].
#[derive(Default)]
pub(crate) struct Content {
    lane: Named,
    size: i64,
    arguments: TypedValues,
    types: Vec<Type>,
}

impl TwoWay for WarpExecuteOnLane0 {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let size = module.attribute(context, operation, SIZE);
        let size = integer_of(context, context.i64_type(), size)?;
        let operands: Vec<Value> = module.operands(operation).collect();
        let (&lane, arguments) = operands.split_first()?;
        let types = result_types(module, operation);
        let region = module.region(operation, 0)?;
        let block = module.first_block(region)?;
        let fits = has_shape(module, operation, operands.len(), types.len(), 1)
            && module.value_type(lane) == context.index_type()
            && module.next_block(block).is_none()
            && (!types.is_empty() || ends_plainly(context, module, Some(region), YIELD));
        fits.then(|| Content {
            lane: Named::of(lane),
            size,
            arguments: TypedValues::of(module, arguments),
            types,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.token("(", "(")?;
        asm.value(&mut content.lane)?;
        asm.token(")", ")")?;
        asm.token("[", "[")?;
        asm.integer_or(&mut content.size, "expected integer value")?;
        asm.token("]", "]")?;
        if asm.is_there("args", !content.arguments.is_empty()) {
            asm.token("args", " args")?;
            asm.token("(", "(")?;
            asm.typed_values(&mut content.arguments)?;
            asm.token(")", ")")?;
        }
        match asm.is_there("->", !content.types.is_empty()) {
            true => asm.arrow_types(&mut content.types),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let context = parser.context();
        let (i64_type, index) = (context.i64_type(), context.index_type());
        let size = context.integer_attribute(i64_type, content.size);
        let size = size.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, SIZE, size);
        add_of_type(parser, operation, &[content.lane], index)?;
        content.arguments.add(parser, operation)?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[SIZE])
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(YIELD)
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}
