//! The `builtin` dialect: `builtin.module` and `builtin.unrealized_conversion_cast`.

pub(crate) mod verify;

use crate::func::{has_shape, is_plain_string};
use crate::helpers::{property, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::Family;
use rmlir_ir::{Attribute, Context, Module as IrModule, NamedAttribute, Operation, Type};

/// Custom syntax of `builtin.module`: `module @name <name = value, ...> attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Module;

/// The parsed parts of [`Module`].
#[derive(Default)]
pub(crate) struct ModuleContent {
    name: Option<Attribute>,
    /// Properties that are not among the attributes: LLVM 24 has them as `prop-dict` does.
    properties: Vec<(Vec<u8>, Option<Attribute>)>,
    attributes: Vec<NamedAttribute>,
}

/// The first release of LLVM whose text has properties of a module beside its attributes.
const FIRST_WITH_PROPERTIES: u32 = 24;

/// These properties, in the order in which they are printed.
const PROPERTIES: [&str; 2] = ["sym_visibility", "dlti"];

/// What is not among the attributes, before that release and from it on.
const NAME: &[&str] = &["sym_name"];
const NAME_AND_PROPERTIES: &[&str] = &["sym_name", PROPERTIES[0], PROPERTIES[1]];

impl TwoWay for Module {
    type Content = ModuleContent;

    fn content(
        &self,
        context: &Context,
        module: &IrModule,
        operation: Operation,
    ) -> Option<ModuleContent> {
        let name = module.attribute(context, operation, "sym_name");
        let release = context.release();
        let has_properties =
            release.family == Family::Llvm && release.number >= FIRST_WITH_PROPERTIES;
        let elided = match has_properties {
            true => NAME_AND_PROPERTIES,
            false => NAME,
        };
        let properties = PROPERTIES.iter().filter(|_| has_properties);
        let properties = properties.filter_map(|&property| {
            let value = module.attribute(context, operation, property)?;
            Some((property.as_bytes().to_vec(), Some(value)))
        });
        let block = module.first_block(module.region(operation, 0)?)?;
        // One block that needs no label: without arguments, and not a successor.
        let fits = has_shape(module, operation, 0, 0, 1)
            && name.is_none_or(|name| is_plain_string(context, name))
            && module.argument_count(block) == 0
            && module.next_block(block).is_none()
            && !module.was_successor(block);
        fits.then(|| ModuleContent {
            name,
            properties: properties.collect(),
            attributes: other_attributes(context, module, operation, elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ModuleContent) -> AsmResult<()> {
        asm.optional_symbol(" ", &mut content.name)?;
        if asm.is_there("<", !content.properties.is_empty()) {
            asm.token("<", " <")?;
            let mut has_braces = false;
            asm.optional("{", "", &mut has_braces);
            let close = if has_braces { "}" } else { ">" };
            asm.list_after((", ", close), &mut content.properties, |asm, entry| {
                let place = asm.place();
                asm.any_keyword(&mut entry.0)?;
                if !PROPERTIES.iter().any(|one| one.as_bytes() == entry.0) {
                    let known = PROPERTIES.join("' or '");
                    return Err(failure(place, format!("expected '{known}'")));
                }
                asm.token("=", " = ")?;
                asm.attribute(&mut entry.1)
            })?;
            if has_braces {
                asm.token(">", ">")?;
            }
        }
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
        for name in PROPERTIES {
            let mut entries = content.properties.iter();
            let entry = entries.find(|entry| entry.0 == name.as_bytes());
            if let Some(value) = entry.and_then(|entry| entry.1) {
                property(parser, operation, name, value);
            }
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
