//! Operations whose results are those that their region yields: `memref.alloca_scope` and
//! `shape.assuming`.

use crate::func::has_shape;
use crate::helpers::{add_operands, dialect_type, ends_plainly, is_dialect_type, result_types};
use crate::two_way::{Asm, Named, Syntax, TwoWay};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, Operation, Type};

/// The common custom syntax: `[%operand] [-> (types)] {...} {...}`.
#[derive(Debug)]
pub(crate) struct Yielding {
    /// The type of the operand, by dialect and text; `None` if there is no operand.
    operand: Option<(&'static str, &'static str)>,
    /// The terminator of the blocks.
    terminator: &'static str,
}

/// Custom syntax of `memref.alloca_scope`.
pub(crate) static ALLOCA_SCOPE: Syntax<Yielding> = Syntax(Yielding {
    operand: None,
    terminator: "memref.alloca_scope.return",
});

/// Custom syntax of `shape.assuming`.
pub(crate) static ASSUMING: Syntax<Yielding> = Syntax(Yielding {
    operand: Some(("shape", "witness")),
    terminator: "shape.assuming_yield",
});

/// The parsed parts of [`Yielding`].
#[derive(Default)]
pub(crate) struct YieldingContent {
    operand: Named,
    results: Vec<Type>,
}

impl TwoWay for Yielding {
    type Content = YieldingContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<YieldingContent> {
        let results = result_types(module, operation);
        let operand = module.operands(operation).next();
        let ty = operand.map(|operand| module.value_type(operand));
        let fits_type = match (self.operand, ty) {
            (Some((dialect, text)), Some(ty)) => is_dialect_type(context, ty, dialect, text),
            (expected, found) => expected.is_none() && found.is_none(),
        };
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region))?;
        let count = usize::from(operand.is_some());
        let fits = fits_type
            && has_shape(module, operation, count, results.len(), 1)
            && module.argument_count(block) == 0
            && module.first_operation(block).is_some()
            && (!results.is_empty() || ends_plainly(context, module, region, self.terminator));
        fits.then(|| YieldingContent {
            operand: operand.map(Named::of).unwrap_or_default(),
            results,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut YieldingContent) -> AsmResult<()> {
        asm.space(" ");
        if self.operand.is_some() {
            asm.value(&mut content.operand)?;
        }
        match asm.is_there("->", !content.results.is_empty()) {
            true => asm.arrow_types(&mut content.results),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut YieldingContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let (Some((dialect, text)), Some(name)) = (self.operand, content.operand.name) {
            let ty = dialect_type(parser.context(), dialect, text);
            let ty = ty.map_err(|invalid| AsmError::new(name.place, invalid.message()))?;
            add_operands(parser, operation, [(name, ty)])?;
        }
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Some(Vec::new()))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(self.terminator)
    }

    fn shows_terminator(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> bool {
        module.result_count(operation) > 0
    }
}
