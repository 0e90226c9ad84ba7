//! Custom syntax of operations of the `torch` dialect.

use crate::control::Branches;
use crate::directive::{Printed, TwoWayDirective, TypedName, other_arguments};
use crate::func::has_shape;
use crate::helpers::{dialect_type, is_dialect_type, result_types};
use crate::two_way::{Asm, Named, TwoWay, add_of_type, invalid, items};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type};

/// Custom syntax of `torch.prim.If`: `%condition -> (types) {...} else {...} {...}`. Both branches
/// are there.
#[derive(Debug)]
pub(crate) struct If;

/// The parsed parts of [`If`].
#[derive(Default)]
pub(crate) struct IfContent {
    place: Option<usize>,
    condition: Named,
    types: Vec<Type>,
    branches: Branches,
}

impl TwoWay for If {
    type Content = IfContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<IfContent> {
        let condition = module.operand(operation, 0)?;
        let types = result_types(module, operation);
        let is_shown = |region| {
            let block = module.first_block(region);
            block.is_some_and(|block| {
                module.argument_count(block) == 0 && module.first_operation(block).is_some()
            })
        };
        let fits = has_shape(module, operation, 1, types.len(), 2)
            && is_dialect_type(context, module.value_type(condition), "torch", "bool")
            && module.regions(operation).all(is_shown);
        fits.then(|| IfContent {
            place: None,
            condition: Named::of(condition),
            types,
            branches: Branches::after(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut IfContent) -> AsmResult<()> {
        asm.space(" ");
        content.place = asm.place();
        asm.value(&mut content.condition)?;
        asm.arrow_types(&mut content.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let ty = dialect_type(parser.context(), "torch", "bool");
        let ty = ty.map_err(invalid(content.place))?;
        add_of_type(parser, operation, &[content.condition], ty)?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> Option<IfContent> {
        Some(IfContent {
            branches: Branches::after(context, module, operation, &[]),
            ..IfContent::default()
        })
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut IfContent,
        regions: usize,
    ) -> AsmResult<bool> {
        asm.after_each_branch(&mut content.branches, regions)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.branches.build(operation);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// The directive for global slots and their values, on lines of `@slot(%value : type)`. Its
/// arguments are the references to slots, the values and their types.
#[derive(Debug)]
pub(crate) struct Slots;

impl TwoWayDirective for Slots {
    type Content = Vec<(Option<Attribute>, TypedName)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [slots, values, types] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let slots = items(context, slots.attribute())?;
        let values = TypedName::all(values, types)?;
        let are_flat = slots
            .iter()
            .all(|&slot| crate::func::is_flat_reference(context, slot));
        let fits = are_flat && slots.len() == values.len();
        fits.then(|| slots.iter().copied().map(Some).zip(values).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.repeated_if(
            |asm| !asm.is_there("]", false),
            content,
            |asm, (slot, value)| {
                asm.newline();
                asm.space("  ");
                asm.symbol_reference(slot, "expected valid '@'-identifier for symbol name")?;
                asm.token("(", "(")?;
                asm.typed(value, " : ")?;
                asm.token(")", ")")
            },
        )?;
        asm.newline();
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [of_slots, values, types] = arguments else {
            return Err(other_arguments(parser));
        };
        let slots: Vec<Attribute> = content.iter().filter_map(|(slot, _)| *slot).collect();
        let slots = parser.context().array_attribute(&slots);
        *of_slots = ParsedArgument::Attribute(Some(slots));
        TypedName::set(content.into_iter().map(|(_, value)| value), values, types);
        Ok(())
    }
}

/// The directive for an affine map that never is an alias: `affine_map<(d0) -> (d0)>`.
#[derive(Debug)]
pub(crate) struct Map;

impl TwoWayDirective for Map {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let map = printed.arguments.first()?.attribute();
        is_map(printed.context, map?).then_some(map)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        match asm {
            Asm::Parser(_) => asm.attribute_that(is_map, "expected an affine map", content)?,
            Asm::Printer(_) => {
                asm.space("affine_map<");
                asm.affine_map(content)?;
                asm.space(">");
            }
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [map] = arguments {
            *map = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

fn is_map(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::AffineMap(_)
    )
}
