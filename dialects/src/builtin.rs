//! The `builtin` dialect: `builtin.module` and `builtin.unrealized_conversion_cast`.

pub(crate) mod verify;

use crate::func::{has_shape, is_plain_string};
use crate::helpers::{property, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module as IrModule, NamedAttribute, Operation, Type};

/// Custom syntax of `builtin.module`: `module @name attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Module;

/// The parsed parts of [`Module`].
#[derive(Default)]
pub(crate) struct ModuleContent {
    name: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Module {
    type Content = ModuleContent;

    fn content(
        &self,
        context: &Context,
        module: &IrModule,
        operation: Operation,
    ) -> Option<ModuleContent> {
        let name = module.attribute(context, operation, "sym_name");
        let block = module.first_block(module.region(operation, 0)?)?;
        // One block that needs no label: without arguments, and not a successor.
        let fits = has_shape(module, operation, 0, 0, 1)
            && name.is_none_or(|name| is_plain_string(context, name))
            && module.argument_count(block) == 0
            && module.next_block(block).is_none()
            && !module.was_successor(block);
        fits.then(|| ModuleContent {
            name,
            attributes: other_attributes(context, module, operation, &["sym_name"]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ModuleContent) -> AsmResult<()> {
        asm.optional_symbol(" ", &mut content.name)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ModuleContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(name) = content.name {
            property(parser, operation, "sym_name", name);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Some(Vec::new()))
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn default_dialect(&self) -> &'static str {
        "builtin"
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// Custom syntax of `builtin.unrealized_conversion_cast`: `builtin.unrealized_conversion_cast %a,
/// %b : i32, i64 to f32 {...}`.
#[derive(Debug)]
pub(crate) struct UnrealizedConversionCast;

/// The parsed parts of [`UnrealizedConversionCast`].
#[derive(Default)]
pub(crate) struct CastContent {
    inputs: TypedValues,
    types: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for UnrealizedConversionCast {
    type Content = CastContent;

    fn content(
        &self,
        context: &Context,
        module: &IrModule,
        operation: Operation,
    ) -> Option<CastContent> {
        let inputs = crate::helpers::operand_types(module, operation, 0);
        let types = result_types(module, operation);
        let fits = !types.is_empty() && has_shape(module, operation, inputs.len(), types.len(), 0);
        fits.then(|| CastContent {
            inputs: TypedValues {
                values: Named::all(module.operands(operation)),
                types: inputs,
            },
            types,
            attributes: other_attributes(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CastContent) -> AsmResult<()> {
        if asm.is_value_there(!content.inputs.is_empty()) {
            asm.space(" ");
            asm.typed_values(&mut content.inputs)?;
        }
        asm.token("to", " to ")?;
        asm.types(&mut content.types)?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CastContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.inputs.add(parser, operation)?;
        operation.result_types = std::mem::take(&mut content.types);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }

    fn has_format(&self) -> bool {
        true
    }
}
