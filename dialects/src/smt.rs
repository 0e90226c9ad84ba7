//! Directives of the `smt` dialect.

use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation};

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
