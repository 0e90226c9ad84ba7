//! The `affine` dialect: maps applied to operands.

use crate::func::has_shape;
use crate::helpers::operand_names;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Value};

/// `#map(%dims)[%symbols] {...}`: `affine.apply`, `affine.min`, `affine.max`.
#[derive(Debug)]
pub(crate) struct Apply;

/// How many dimensions and symbols a map has.
fn inputs(context: &Context, map: Attribute) -> Option<(usize, usize)> {
    match context.attribute_kind(map) {
        AttributeKind::AffineMap(map) => Some((map.num_dims as usize, map.num_symbols as usize)),
        _ => None,
    }
}

fn list(parser: &mut dyn AsmParser, open: &str, close: &str) -> AsmResult<Vec<OperandName>> {
    if !parser.eat(open) || parser.eat(close) {
        return Ok(Vec::new());
    }
    let names = operand_names(parser)?;
    parser.expect(close)?;
    Ok(names)
}

impl OperationSyntax for Apply {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let map = parser.attribute()?;
        let Some((dims, symbols)) = inputs(parser.context(), map) else {
            return Err(AsmError::new(place, "expected an affine map"));
        };
        let name = parser.context().identifier("map");
        operation.properties.push((name, map));
        let place = parser.place();
        if !parser.at("(") {
            parser.expect("(")?;
        }
        let first = list(parser, "(", ")")?;
        let second = list(parser, "[", "]")?;
        if (first.len(), second.len()) != (dims, symbols) {
            return Err(AsmError::new(place, "dimension or symbol index mismatch"));
        }
        let index = parser.context().index_type();
        for name in first.into_iter().chain(second) {
            operation.operands.push(parser.resolve(name, index)?);
        }
        operation.attributes = parser.attribute_dictionary()?;
        operation.result_types.push(index);
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
        let Some(map) = module.attribute(context, operation, "map") else {
            return PrintStep::Done;
        };
        let (dims, _) = inputs(context, map).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let (dims, symbols) = operands.split_at_checked(dims).unwrap_or_default();
        printer.text(" ");
        printer.attribute(map);
        printer.text("(");
        printer.operands(dims.iter().copied());
        printer.text(")");
        if !symbols.is_empty() {
            printer.text("[");
            printer.operands(symbols.iter().copied());
            printer.text("]");
        }
        printer.attribute_dictionary(&attributes, &["map"]);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let map = module.attribute(context, operation, "map");
        let Some((dims, symbols)) = map.and_then(|map| inputs(context, map)) else {
            return false;
        };
        let index = context.index_type();
        has_shape(module, operation, dims.saturating_add(symbols), 1, 0)
            && module
                .operands(operation)
                .chain(module.results(operation))
                .all(|value| module.value_type(value) == index)
    }
}
