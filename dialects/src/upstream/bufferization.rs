//! Custom syntax of `bufferization.alloc_tensor`.

use crate::func::has_shape;
use crate::helpers::{add_operands, names_between, result_types, segments_property, sizes_of};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Value};

/// Custom syntax of `bufferization.alloc_tensor`:
/// `(%sizes) [copy(%t)] [size_hint=%n] {...} : type`.
#[derive(Debug)]
pub(crate) struct AllocTensor;

const SIZES: &str = "operandSegmentSizes";

/// Returns the numbers of dynamic sizes, tensors to copy and hints.
fn sizes(context: &Context, module: &Module, operation: Operation) -> Option<[usize; 3]> {
    let sizes = module.attribute(context, operation, SIZES)?;
    sizes_of(context, sizes)?.try_into().ok()
}

impl OperationSyntax for AllocTensor {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let dynamic = names_between(parser, "(", ")")?;
        let mut copy = None;
        if parser.eat("copy") {
            parser.expect("(")?;
            copy = Some(parser.operand_name()?);
            parser.expect(")")?;
        }
        let mut hint = None;
        if parser.eat("size_hint") {
            parser.expect("=")?;
            hint = Some(parser.operand_name()?);
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let index = parser.context().index_type();
        let sizes = [
            dynamic.len(),
            usize::from(copy.is_some()),
            usize::from(hint.is_some()),
        ];
        let copy = copy.map(|name| (name, ty));
        let indices = |name| (name, index);
        let all = dynamic.into_iter().map(indices).chain(copy);
        add_operands(parser, operation, all.chain(hint.map(indices)))?;
        operation.result_types.push(ty);
        segments_property(parser, operation, &sizes);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let [dynamic, copy, _] = sizes(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = result_types(module, operation);
        let (dynamic, rest) = operands.split_at_checked(dynamic).unwrap_or_default();
        let (copy, hint) = rest.split_at_checked(copy).unwrap_or_default();
        printer.text("(");
        printer.operands(dynamic.iter().copied());
        printer.text(")");
        if let Some(&copy) = copy.first() {
            printer.text(" copy(");
            printer.operand(copy);
            printer.text(")");
        }
        if let Some(&hint) = hint.first() {
            printer.text(" size_hint=");
            printer.operand(hint);
        }
        printer.attribute_dictionary(&attributes, &[SIZES]);
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some([dynamic, copy @ 0..=1, hint @ 0..=1]) = sizes(context, module, operation) else {
            return false;
        };
        let result = result_types(module, operation).first().copied();
        let index = context.index_type();
        let mut operands = module.operands(operation).enumerate();
        let total = dynamic.saturating_add(copy).saturating_add(hint);
        has_shape(module, operation, total, 1, 0)
            && operands.all(|(number, value)| {
                let is_copy = copy == 1 && number == dynamic;
                let expected = if is_copy { result } else { Some(index) };
                Some(module.value_type(value)) == expected
            })
    }
}
