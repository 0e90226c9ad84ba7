//! Types of matrices of a subgroup.

use crate::helpers::scalar_type;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind};

/// The type of a matrix's elements, which has no text of its own: its arguments are that, and the matrix's type.
#[derive(Debug)]
pub(crate) struct MatrixElement;

/// The text of the element type in `!gpu.mma_matrix<16x16xf32, "COp">`.
fn element_text(context: &Context, matrix: Type) -> Option<String> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(matrix) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("mma_matrix<")?;
    let (shape, _) = inner.split_once(',')?;
    let (_, element) = shape.rsplit_once('x')?;
    (context.bytes(*dialect) == b"gpu").then(|| element.to_owned())
}

impl DirectiveSyntax for MatrixElement {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [element, ParsedArgument::Types(matrix)] = arguments else {
            return Ok(false);
        };
        let place = parser.place();
        let context = parser.context();
        let text = matrix.first().and_then(|&ty| element_text(context, ty));
        let found = text.and_then(|text| scalar_type(context, &text));
        let Some(found) = found else {
            return Err(AsmError::new(place, "expected the type of a matrix"));
        };
        *element = ParsedArgument::Types(vec![found]);
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [element, matrix] = arguments else {
            return false;
        };
        let ([element], [matrix]) = (element.types(), matrix.types()) else {
            return false;
        };
        element_text(context, *matrix)
            .is_some_and(|text| crate::helpers::is_scalar_type(context, *element, &text))
    }
}
