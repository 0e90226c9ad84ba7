//! Custom syntax of the `emitc` dialect.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::func::has_shape;
use crate::helpers::{is_unit, property, result_types};
use crate::two_way::{
    Asm, TwoWay, TypedValues, add_arguments, add_of_types, failure, other_attributes,
};
use rmlir_ir::asm::{
    AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument, ValueNames,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Region, Type, TypeKind,
    Value, ValueDefinition,
};

/// Custom syntax of `emitc.do`: `{...} while {...} attributes {...}`.
#[derive(Debug)]
pub(crate) struct Do;

impl TwoWay for Do {
    type Content = Vec<NamedAttribute>;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content> {
        let is_shown = |region| {
            let block = module.first_block(region);
            block.is_some_and(|block| {
                module.argument_count(block) == 0 && module.next_block(block).is_none()
            })
        };
        let fits = has_shape(module, operation, 0, 0, 2) && module.regions(operation).all(is_shown);
        fits.then(|| other_attributes(context, module, operation, &[]))
    }

    fn text(&self, _: &mut Asm<'_, '_>, _: &mut Self::Content) -> AsmResult<()> {
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        _: &mut ParsedOperation,
        _: &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        attributes: &mut Self::Content,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions == 1 {
            asm.token("while", " while")?;
            return Ok(true);
        }
        asm.dictionary_with_keyword(attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        attributes: &mut Self::Content,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes.append(attributes);
        Ok(Vec::new())
    }

    fn default_dialect(&self) -> &'static str {
        "emitc"
    }
}

/// Custom syntax of `emitc.expression`: `%a, %b [noinline] : (types) -> type {...}`. In the region,
/// its arguments have the names of the operands.
#[derive(Debug)]
pub(crate) struct Expression;

/// The parsed parts of [`Expression`].
#[derive(Default)]
pub(crate) struct ExpressionContent {
    place: Option<usize>,
    operands: TypedValues,
    no_inline: bool,
    results: Vec<Type>,
}

const NO_INLINE: &str = "do_not_inline";

/// Returns whether a value has a name without the number of a result.
fn has_own_name(module: &Module, value: Value) -> bool {
    match module.definition(value) {
        ValueDefinition::Result(operation, _) => module.result_count(operation) == 1,
        _ => true,
    }
}

impl TwoWay for Expression {
    type Content = ExpressionContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ExpressionContent> {
        let no_inline = module.attribute(context, operation, NO_INLINE);
        let operands: Vec<Value> = module.operands(operation).collect();
        let typed = TypedValues::of(module, &operands);
        let block = module.first_block(module.region(operation, 0)?)?;
        let arguments = module.arguments(block);
        let arguments = arguments.map(|(argument, _)| module.value_type(argument));
        let mut distinct = operands.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let fits = has_shape(module, operation, operands.len(), 1, 1)
            && is_unit(context, no_inline)
            && other_attributes(context, module, operation, &[NO_INLINE]).is_empty()
            && arguments.eq(typed.types.iter().copied())
            && distinct.len() == operands.len()
            && operands
                .iter()
                .all(|&operand| has_own_name(module, operand))
            && (!operands.is_empty() || module.first_operation(block).is_some())
            && module.next_block(block).is_none();
        fits.then(|| ExpressionContent {
            place: None,
            operands: typed,
            no_inline: no_inline.is_some(),
            results: result_types(module, operation),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ExpressionContent) -> AsmResult<()> {
        asm.space(" ");
        let operands = &mut content.operands;
        if asm.is_value_there(!operands.values.is_empty()) {
            asm.values(&mut operands.values)?;
        }
        // Upstream does not print the keyword, but reads it.
        asm.optional("noinline", " noinline", &mut content.no_inline);
        asm.token(":", " : ")?;
        content.place = asm.place();
        if !asm.function_type(&mut operands.types, &mut content.results)? {
            let message = "invalid kind of type specified: expected builtin.function";
            return Err(failure(content.place, message));
        }
        let (values, types) = (operands.values.len(), operands.types.len());
        crate::helpers::check_count(values, types, content.place.unwrap_or_default())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ExpressionContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let TypedValues { values, types } = &content.operands;
        add_of_types(parser, operation, values, types)?;
        if content.results.len() != 1 {
            return Err(failure(content.place, "expected a single return type"));
        }
        if content.no_inline {
            let unit = parser.context().unit_attribute();
            property(parser, operation, NO_INLINE, unit);
        }
        operation.result_types = std::mem::take(&mut content.results);
        let mut arguments = parser.argument_list();
        add_arguments(&mut arguments, values, types.iter().copied());
        Ok(Some(arguments))
    }

    fn shadows_names(&self) -> bool {
        true
    }

    fn default_dialect(&self) -> &'static str {
        "emitc"
    }
}

impl ValueNames for Expression {
    fn shadowed(&self, context: &Context, module: &Module, region: Region) -> Vec<Value> {
        let around = module.region_parent(region);
        let printed = around.filter(|&around| self.content(context, module, around).is_some());
        match printed {
            Some(printed) => module.operands(printed).collect(),
            None => Vec::new(),
        }
    }
}

/// The directive `type` or `type = value`, where the value is of the type, or of a tensor with the
/// shape and elements of an array.
#[derive(Debug)]
pub(crate) struct Initial;

/// The parsed parts of [`Initial`].
#[derive(Default)]
pub(crate) struct InitialContent {
    ty: Option<Type>,
    has_value: bool,
    value: Option<Attribute>,
}

/// Returns the sizes and the element type of an array type; `None` for another type.
fn shape_of(context: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    if !crate::helpers::is_of(context, ty, "emitc", "array") {
        return None;
    }
    let parameters = context.parameters(ty).ok()?;
    let mut parameters = parameters.iter();
    let sizes = parameters.next()?;
    let sizes = sizes.items().map(|size| size.integer());
    let sizes = sizes.collect::<Option<Vec<i64>>>()?;
    Some((sizes, parameters.next()?.ty()?))
}

/// Returns the type of the value of a variable: for an array, a tensor.
fn type_of_value(context: &mut Context, ty: Type) -> Type {
    let Some((shape, element)) = shape_of(context, ty) else {
        return ty;
    };
    let kind = TypeKind::RankedTensor {
        shape: shape.into(),
        element,
        encoding: None,
    };
    context.try_type(kind).unwrap_or(ty)
}

impl TwoWayDirective for Initial {
    type Content = InitialContent;

    fn content(&self, printed: &Printed<'_>) -> Option<InitialContent> {
        let [ty, value] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(ty) = *printed.context.attribute_kind(ty.attribute()?) else {
            return None;
        };
        let value = value.attribute();
        Some(InitialContent {
            ty: Some(ty),
            has_value: value.is_some(),
            value,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InitialContent) -> AsmResult<bool> {
        asm.ty(&mut content.ty)?;
        asm.optional("=", " = ", &mut content.has_value);
        if content.has_value {
            match (&mut *asm, content.ty) {
                (Asm::Parser(parser), Some(ty)) => {
                    let of_value = type_of_value(parser.context(), ty);
                    content.value = Some(match of_value == ty {
                        true => parser.attribute_of_type(ty)?,
                        false => parser.elements_of_type(of_value)?,
                    });
                }
                _ => asm.attribute_of(None, &mut content.value)?,
            }
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: InitialContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [of_type, of_value] = arguments else {
            return Err(other_arguments(parser));
        };
        let ty = content.ty.map(|ty| parser.context().type_attribute(ty));
        *of_type = ParsedArgument::Attribute(ty);
        *of_value = ParsedArgument::Attribute(content.value);
        Ok(())
    }
}

/// The directive for the file that is included: `<"file.h">` or `"file.h"`.
#[derive(Debug)]
pub(crate) struct Include;

impl TwoWayDirective for Include {
    /// The name, and whether it is that of a standard include.
    type Content = (Vec<u8>, bool);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [name, standard] = printed.arguments else {
            return None;
        };
        let (context, standard) = (printed.context, standard.attribute());
        let name = crate::two_way::plain_string(context, name.attribute())?;
        is_unit(context, standard).then(|| (name.to_vec(), standard.is_some()))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (name, is_standard): &mut Self::Content,
    ) -> AsmResult<bool> {
        asm.optional("<", "<", is_standard);
        // Upstream prints the bytes as they are.
        let is_raw = |byte: &u8| !byte.is_ascii_control() && !b"\"\\".contains(byte);
        match (&mut *asm, std::str::from_utf8(name)) {
            (Asm::Printer(printer), Ok(text)) if name.iter().all(is_raw) => {
                printer.text("\"");
                printer.text(text);
                printer.text("\"");
            }
            _ => asm.string(name)?,
        }
        if *is_standard {
            asm.token(">", ">")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (name, is_standard): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [of_name, of_standard] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let name = context.identifier(&name);
        let name = context.string_attribute_of(name);
        *of_name = ParsedArgument::Attribute(Some(name));
        *of_standard = ParsedArgument::Attribute(is_standard.then(|| context.unit_attribute()));
        Ok(())
    }
}
