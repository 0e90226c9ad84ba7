//! Types that have no text of their own because they follow from another.

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation, Type};
use std::fmt;

/// How a type follows from another.
pub(crate) trait Derivation: fmt::Debug + Send + Sync {
    /// What is wrong where none follows.
    const EXPECTED: &'static str;

    /// The type; `None` if none follows.
    fn derive(context: &mut Context, source: Type) -> Option<Type>;

    /// Returns whether a type is that one.
    fn is(context: &Context, ty: Type, source: Type) -> bool;
}

/// A type that follows from that of `ref(type($group))`, the second argument; the first is that of
/// the group it is of.
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
