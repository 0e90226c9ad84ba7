//! Directives for the types after the colon.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Type, TypeKind};

/// The directive `type` or `(type) -> types`: the type of an operand, and those of results if there
/// are any. If the third argument is `"false"`, there must be results.
#[derive(Debug)]
pub(crate) struct SemiFunctionType;

/// The parsed parts of [`SemiFunctionType`].
#[derive(Default)]
pub(crate) struct SemiFunctionContent {
    needs_results: bool,
    operand: Option<Type>,
    results: Vec<Type>,
}

impl TwoWayDirective for SemiFunctionType {
    type Content = SemiFunctionContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SemiFunctionContent> {
        let [operand, results, ..] = printed.arguments else {
            return None;
        };
        Some(SemiFunctionContent {
            needs_results: false,
            operand: operand.types().first().copied(),
            results: results.types().to_vec(),
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> SemiFunctionContent {
        let may_lack = arguments.get(2);
        SemiFunctionContent {
            needs_results: matches!(may_lack, Some(ParsedArgument::Text(text)) if text == "false"),
            ..SemiFunctionContent::default()
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SemiFunctionContent) -> AsmResult<bool> {
        let has_results = asm.is_there("(", !content.results.is_empty());
        if !has_results && !content.needs_results {
            asm.ty(&mut content.operand)?;
            return Ok(true);
        }
        asm.token("(", "(")?;
        asm.ty(&mut content.operand)?;
        asm.token(")", ")")?;
        asm.token("->", " -> ")?;
        asm.one_or_types(&mut content.results)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: SemiFunctionContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [operand, results, ..] = arguments {
            *operand = ParsedArgument::Types(content.operand.into_iter().collect());
            *results = ParsedArgument::Types(content.results);
        }
        Ok(())
    }
}

/// The directive `(type) -> type`: the type of the only operand, and that of all results.
#[derive(Debug)]
pub(crate) struct SameResultTypes;

/// The parsed parts of [`SameResultTypes`].
#[derive(Default)]
pub(crate) struct SameResultContent {
    place: Option<usize>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl TwoWayDirective for SameResultTypes {
    type Content = SameResultContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SameResultContent> {
        let mut types = printed.arguments.iter().map(PrintedArgument::types);
        let (inputs, results) = (types.next()?, types.next()?);
        let kind = printed.context.type_kind(*results.first()?);
        let fits = inputs.len() == 1
            && results.len() == 1
            && !matches!(kind, TypeKind::Function { .. })
            && types.all(|types| types == results);
        fits.then(|| SameResultContent {
            place: None,
            inputs: inputs.to_vec(),
            results: results.to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SameResultContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.function_type(&mut content.inputs, &mut content.results)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: SameResultContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if content.inputs.len() != 1 || content.results.len() != 1 {
            let message = "expected a trailing functional type with one argument and one result";
            return Err(AsmError::new(content.place.unwrap_or_default(), message));
        }
        if let [operand, results @ ..] = arguments {
            *operand = ParsedArgument::Types(content.inputs);
            results.fill(ParsedArgument::Types(content.results));
        }
        Ok(())
    }
}
