//! Directives for types that are omitted because another type determines them.

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation, Type};
use std::fmt;

/// A function from a type to the type that it determines.
pub(crate) trait Derivation: fmt::Debug + Send + Sync {
    /// The error message if the source determines no type.
    const EXPECTED: &'static str;

    /// Returns the type; `None` if the source determines none.
    fn derive(context: &mut Context, source: Type) -> Option<Type>;

    /// Returns whether `ty` is the type that `source` determines.
    fn is(context: &Context, ty: Type, source: Type) -> bool;
}

/// The directive for an omitted type: its first argument is the type, the second the source,
/// `ref(type($group))`.
#[derive(Debug)]
pub(crate) struct Derived<D>(pub(crate) D);

impl<D: Derivation> DirectiveSyntax for Derived<D> {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [target, ParsedArgument::Types(source)] = arguments else {
            return Ok(false);
        };
        let place = parser.place();
        let context = parser.context();
        let found = source.first().and_then(|&ty| D::derive(context, ty));
        let Some(found) = found else {
            return Err(AsmError::new(place, D::EXPECTED));
        };
        *target = ParsedArgument::Types(vec![found]);
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [target, source] = arguments else {
            return false;
        };
        match (target.types(), source.types()) {
            (&[target], &[source]) => D::is(context, target, source),
            _ => false,
        }
    }
}
