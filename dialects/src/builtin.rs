//! The `builtin` dialect: `builtin.module` and `builtin.unrealized_conversion_cast`.

pub(crate) mod verify;

use crate::func::{has_shape, is_plain_string};
use crate::helpers::{property, result_types};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::Text;
use rmlir_ir::{
    Attribute, Context, Module as IrModule, NamedAttribute, Operation, OperationName, Type,
};

/// Custom syntax of `builtin.module`: `module @name <name = value, ...> attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Module;

/// The parsed parts of [`Module`].
#[derive(Default)]
pub(crate) struct ModuleContent {
    operation: Option<OperationName>,
    name: Option<Attribute>,
    /// Properties that are not among the attributes: LLVM 24 has them as `prop-dict` does.
    properties: Vec<(Vec<u8>, Option<Attribute>)>,
    attributes: Vec<NamedAttribute>,
}

/// The attribute that follows the keyword.
const NAME: &str = "sym_name";

/// Returns the names of the properties that the text of a module has beside its attributes, in the
/// order in which they are printed: those that versions append come last. Texts have them in the
/// releases that state a version of the dialect.
fn properties(context: &Context, module: OperationName) -> Vec<Text> {
    let release = context.release();
    let dialect = context.dialect(b"builtin");
    let has_version = dialect.is_some_and(|dialect| !dialect.version_in(release).is_empty());
    let definition = context.operation_definition(module).filter(|_| has_version);
    let attributes = definition
        .into_iter()
        .flat_map(|one| one.attributes_in(release));
    let mut attributes: Vec<_> = attributes.filter(|one| one.name != NAME).collect();
    attributes.sort_by_key(|one| one.version.as_ref().is_some_and(|bound| bound.appended));
    attributes.iter().map(|one| one.name.clone()).collect()
}

impl TwoWay for Module {
    type Content = ModuleContent;

    fn content(
        &self,
        context: &Context,
        module: &IrModule,
        operation: Operation,
    ) -> Option<ModuleContent> {
        let name = module.attribute(context, operation, NAME);
        let properties = properties(context, module.name(operation));
        let mut elided = vec![NAME];
        elided.extend(properties.iter().map(|property| &**property));
        let attributes = other_attributes(context, module, operation, &elided);
        let properties = properties.iter().filter_map(|property| {
            let value = module.attribute(context, operation, &**property)?;
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
            operation: Some(module.name(operation)),
            properties: properties.collect(),
            attributes,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ModuleContent) -> AsmResult<()> {
        asm.operation_name(&mut content.operation);
        asm.optional_symbol(" ", &mut content.name)?;
        let known = content.operation;
        let mut known = known.map_or_else(Vec::new, |name| properties(asm.context(), name));
        if !known.is_empty() && asm.is_there("<", !content.properties.is_empty()) {
            asm.token("<", " <")?;
            let mut has_braces = false;
            asm.optional("{", "", &mut has_braces);
            let close = if has_braces { "}" } else { ">" };
            asm.list_after((", ", close), &mut content.properties, |asm, entry| {
                let place = asm.place();
                asm.any_keyword(&mut entry.0)?;
                let Some(at) = known.iter().position(|one| one.as_bytes() == entry.0) else {
                    let name = entry.0.escape_ascii();
                    let message =
                        format!("duplicate or unknown property in properties dictionary: {name}");
                    return Err(failure(place, message));
                };
                known.remove(at);
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
            property(parser, operation, NAME, name);
        }
        for (name, value) in std::mem::take(&mut content.properties) {
            if let Some(value) = value {
                let name = parser.context().identifier(&name);
                operation.properties.push((name, value));
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
