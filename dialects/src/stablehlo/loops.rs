//! The syntax of `stablehlo.while`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, check_count, entry_arguments, is_single_block, operand_types, region_arguments,
    result_types, typed,
};
use crate::two_way::{Asm, Named, TwoWay, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Region, Type, Value};

/// The syntax of `stablehlo.while`: `(%iterArg = %a) : types attributes {...} cond {...} do {...}`.
#[derive(Debug)]
pub(crate) struct While;

/// The parsed parts of [`While`].
#[derive(Default)]
pub(crate) struct WhileContent {
    /// The offset of the text.
    place: usize,
    /// The arguments of both regions, and the operands.
    pairs: Vec<(Named, Named)>,
    types: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl WhileContent {
    fn region_arguments(&self) -> Vec<RegionArgument> {
        let names: Vec<Named> = self.pairs.iter().map(|pair| pair.0).collect();
        region_arguments(&Named::names(&names), &self.types)
    }
}

impl TwoWay for While {
    type Content = WhileContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<WhileContent> {
        let types = operand_types(module, operation, 0);
        let is_body = |number| is_single_block(module, module.region(operation, number), &types);
        let fits = has_shape(module, operation, types.len(), types.len(), 2)
            && result_types(module, operation) == types
            && is_body(0)
            && is_body(1);
        let arguments = entry_arguments(module, operation, 0).into_iter();
        let pairs = arguments.zip(module.operands(operation));
        fits.then(|| WhileContent {
            place: 0,
            pairs: pairs.map(|(a, b)| (Named::of(a), Named::of(b))).collect(),
            types,
            attributes: other_attributes(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut WhileContent) -> AsmResult<()> {
        content.place = asm.place().unwrap_or_default();
        asm.assignments(&mut content.pairs)?;
        if !content.pairs.is_empty() {
            asm.token(":", " : ")?;
            asm.types(&mut content.types)?;
        }
        asm.dictionary_with_keyword(&mut content.attributes)?;
        asm.newline();
        asm.token("cond", "cond")
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut WhileContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let types = &content.types;
        check_count(content.pairs.len(), types.len(), content.place)?;
        let operands: Vec<Named> = content.pairs.iter().map(|pair| pair.1).collect();
        add_operands(parser, operation, typed(&Named::names(&operands), types))?;
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.clone_from(types);
        Ok(Some(content.region_arguments()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        _: &mut WhileContent,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions > 1 {
            return Ok(false);
        }
        asm.token("do", " do")?;
        Ok(true)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        content: &mut WhileContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        Ok(content.region_arguments())
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Names the arguments of the regions `%iterArg`.
impl ValueNames for While {
    fn argument_names(
        &self,
        _: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let block = module.first_block(region);
        for (argument, _) in block.into_iter().flat_map(|block| module.arguments(block)) {
            name(argument, "iterArg");
        }
    }
}
