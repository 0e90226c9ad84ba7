//! Directives of the `smt` dialect, and the names of its values.

use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument, ValueNames,
};
use rmlir_ir::{AttributeKind, Context, Module, Operation, Value};

/// The directive for the one type of several operands. Its arguments are the types of the operands
/// and the operands, `ref($inputs)`.
#[derive(Debug)]
pub(crate) struct OneType;

impl DirectiveSyntax for OneType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [types, ParsedArgument::Operands(operands)] = arguments else {
            return Ok(false);
        };
        let ty = parser.ty()?;
        *types = ParsedArgument::Types(vec![ty; operands.len()]);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(&ty) = arguments.first().and_then(|types| types.types().first()) {
            printer.ty(ty);
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        match arguments.first().map(PrintedArgument::types) {
            Some([first, rest @ ..]) => rest.iter().all(|ty| ty == first),
            _ => false,
        }
    }
}

/// Names the result by the attribute `namePrefix`.
#[derive(Debug)]
pub(crate) struct NamePrefix;

impl ValueNames for NamePrefix {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let prefix = module.attribute(context, operation, "namePrefix");
        let prefix = prefix.and_then(|prefix| context.string_value(prefix));
        if let Some((result, prefix)) = module.result(operation, 0).zip(prefix) {
            name(result, &String::from_utf8_lossy(prefix));
        }
    }
}

/// Names a constant bit vector by its value and its width: `c5_bv8`.
#[derive(Debug)]
pub(crate) struct BitVectorConstant;

impl ValueNames for BitVectorConstant {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(result) = module.result(operation, 0) else {
            return;
        };
        let width = context.parameter(module.value_type(result), "width");
        let value = module.attribute(context, operation, "value");
        if let Some(AttributeKind::Dialect { body, .. }) = value.map(|v| context.attribute_kind(v))
            && let Some(value) = body.text().strip_prefix(b"bv<")
            && let Some(value) = value.strip_suffix(b">")
            && let Some(width) = width.and_then(|width| width.integer())
        {
            let value = String::from_utf8_lossy(value);
            name(result, &format!("c{value}_bv{width}"));
        }
    }
}
