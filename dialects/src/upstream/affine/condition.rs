//! Custom syntax of `affine.if`.

use super::loops::YIELD;
use super::maps::{Applied, Given, are_indices};
use crate::control::Branches;
use crate::func::has_shape;
use crate::helpers::{property, result_types};
use crate::two_way::{Asm, TwoWay, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, Value};

const SET: &str = "condition";

/// Custom syntax of `affine.if`: `#set(%dims)[%symbols] [-> types] {...} [else {...}] {...}`.
#[derive(Debug)]
pub(crate) struct If;

/// The parsed parts of [`If`].
#[derive(Default)]
pub(crate) struct Content {
    set: Applied,
    types: Vec<Type>,
    branches: Branches,
}

fn is_set(context: &Context, attribute: Option<Attribute>) -> bool {
    attribute.is_some_and(|attribute| {
        matches!(
            context.attribute_kind(attribute),
            AttributeKind::IntegerSet(_)
        )
    })
}

impl TwoWay for If {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let set = module.attribute(context, operation, SET);
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = result_types(module, operation);
        let fits = is_set(context, set)
            && has_shape(module, operation, operands.len(), types.len(), 2)
            && are_indices(context, module, &operands);
        let set = Applied::of(context, set?, &operands)?;
        let branches = Branches::of(context, module, operation, (YIELD, &[SET]))?;
        fits.then_some(Content {
            set,
            types,
            branches,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        let place = asm.place();
        asm.attribute(&mut content.set.map)?;
        if !is_set(asm.context(), content.set.map) {
            return Err(failure(place, "expected an integer set"));
        }
        asm.applied(&mut content.set, Given::Set)?;
        asm.optional_arrow_types(&mut content.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(set) = content.set.map {
            property(parser, operation, SET, set);
        }
        content.set.add(parser, operation)?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<bool> {
        asm.after_branch(&mut content.branches, regions)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.branches.build(operation);
        Ok(Vec::new())
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(YIELD)
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}
