//! Custom syntax of `tosa.cond_if`.

use crate::func::has_shape;
use crate::helpers::{add_operands, check_count, entry_arguments, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, invalid, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type, TypeKind};

/// Custom syntax of `tosa.cond_if`: `%condition [(%a = %x)] : type [(types)] -> types {...} else
/// {...} {...}`. The regions declare their arguments themselves.
///
/// Before [`ConditionInputs`](LlvmFeature::ConditionInputs), `%condition [-> (types)] {...}`: it is
/// of type `tensor<i1>`, and an operation with inputs has no such text.
#[derive(Debug)]
pub(crate) struct If;

/// The parsed parts of [`If`].
#[derive(Default)]
pub(crate) struct IfContent {
    condition: Named,
    place: Option<usize>,
    /// The arguments of the region, and their values.
    inputs: Vec<(Named, Named)>,
    ty: Option<Type>,
    types: Vec<Type>,
    results: Vec<Type>,
    has_else: bool,
    attributes: Vec<NamedAttribute>,
}

/// Returns whether the text has the inputs and the type of the condition.
fn has_inputs(context: &Context) -> bool {
    context.release().has(LlvmFeature::ConditionInputs)
}

/// Returns whether a type is `tensor<i1>`.
fn is_scalar_condition(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { shape, element, encoding: None }
            if shape.is_empty() && *element == context.i1_type()
    )
}

impl TwoWay for If {
    type Content = IfContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<IfContent> {
        let operands = TypedValues::operands(module, operation);
        let (&condition, inputs) = operands.values.split_first()?;
        let (&ty, types) = operands.types.split_first()?;
        let results = result_types(module, operation);
        let arguments = Named::all(entry_arguments(module, operation, 0));
        let is_body = |region| {
            let block = module.first_block(region);
            block.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
        };
        let (then, otherwise) = (module.region(operation, 0)?, module.region(operation, 1)?);
        let has_else = module.first_block(otherwise).is_some();
        let fits = inputs.len() == arguments.len()
            && has_shape(module, operation, operands.values.len(), results.len(), 2)
            && is_body(then)
            && (!has_else || is_body(otherwise))
            && (has_inputs(context) || inputs.is_empty() && is_scalar_condition(context, ty));
        fits.then(|| IfContent {
            condition,
            place: None,
            inputs: arguments.into_iter().zip(inputs.iter().copied()).collect(),
            ty: Some(ty),
            types: types.to_vec(),
            results,
            has_else,
            attributes: other_attributes(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut IfContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.condition)?;
        if !has_inputs(asm.context()) {
            if asm.is_there("->", !content.results.is_empty()) {
                asm.token("->", " ->")?;
                asm.types_between((" (", ")"), &mut content.results)?;
            }
            return Ok(());
        }
        content.place = asm.place();
        if asm.is_there("(", !content.inputs.is_empty()) {
            asm.space(" ");
            asm.assignments(&mut content.inputs)?;
        }
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        if asm.is_there("(", !content.types.is_empty()) {
            asm.types_between((" (", ")"), &mut content.types)?;
        }
        if let Some(place) = content.place {
            check_count(content.inputs.len(), content.types.len(), place)?;
        }
        asm.token("->", " -> ")?;
        asm.one_or_types(&mut content.results)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let ty = match content.ty {
            Some(ty) => ty,
            None => {
                let context = parser.context();
                let scalar = TypeKind::RankedTensor {
                    shape: Box::default(),
                    element: context.i1_type(),
                    encoding: None,
                };
                let place = content.place.unwrap_or_default();
                (context.try_type(scalar)).map_err(|error| invalid(Some(place))(error))?
            }
        };
        add_operands(
            parser,
            operation,
            content.condition.name.map(|name| (name, ty)),
        )?;
        let names = content.inputs.iter().filter_map(|input| input.1.name);
        add_operands(parser, operation, names.zip(content.types.iter().copied()))?;
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut IfContent,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions == 1 {
            asm.optional("else", " else", &mut content.has_else);
            if content.has_else {
                return Ok(true);
            }
        }
        asm.dictionary(&mut content.attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.empty_regions = usize::from(!content.has_else);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Vec::new())
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}
