//! The `affine` dialect: custom syntax of operations that apply affine maps to operands.

pub(crate) mod access;
pub(crate) mod condition;
pub(crate) mod dma;
pub(crate) mod loops;
mod maps;
pub(crate) mod parallel;
pub(crate) mod validity;

use crate::func::has_shape;
use crate::helpers::property;
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use maps::{Applied, Given, are_indices, map_of};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Value};

/// Custom syntax of `affine.apply`, `affine.max` and `affine.min`: `#map(%dims)[%symbols] {...}`.
#[derive(Debug)]
pub(crate) struct Apply;

/// The parsed parts of [`Apply`].
#[derive(Default)]
pub(crate) struct ApplyContent {
    map: Applied,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Apply {
    type Content = ApplyContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ApplyContent> {
        let map = module.attribute(context, operation, "map")?;
        let operands: Vec<Value> = module.operands(operation).collect();
        let result = module.result(operation, 0)?;
        let fits = map_of(context, Some(map)).is_some()
            && has_shape(module, operation, operands.len(), 1, 0)
            && are_indices(context, module, &operands)
            && are_indices(context, module, &[result]);
        let map = Applied::of(context, map, &operands)?;
        fits.then(|| ApplyContent {
            map,
            attributes: other_attributes(context, module, operation, &["map"]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ApplyContent) -> AsmResult<()> {
        asm.space(" ");
        let place = asm.place();
        asm.attribute(&mut content.map.map)?;
        if map_of(asm.context(), content.map.map).is_none() {
            return Err(failure(place, "expected an affine map"));
        }
        asm.applied(&mut content.map, Given::Applied)?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ApplyContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(map) = content.map.map {
            property(parser, operation, "map", map);
        }
        content.map.add(parser, operation)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.push(parser.context().index_type());
        Ok(None)
    }
}
