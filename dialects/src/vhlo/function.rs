//! The syntax of `vhlo.func_v1`: `@name(%argument: type, ...) -> (types) {...} {attributes}`. It is
//! the only operation of the dialect with a syntax of its own.

use crate::func::has_shape;
use crate::function::entry_block;
use crate::helpers::{is_of, property};
use crate::two_way::{Asm, Named, TwoWay, is_dialect_attribute};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Invalid, Location, Module, Operation, Parameter, Type, Value};

/// The syntax of `vhlo.func_v1`.
#[derive(Debug)]
pub(crate) struct Function;

#[derive(Default)]
pub(crate) struct Content {
    name: Vec<u8>,
    arguments: Vec<Argument>,
    results: Vec<Option<Type>>,
}

#[derive(Default)]
struct Argument {
    value: Named,
    ty: Option<Type>,
    location: Option<Location>,
}

/// The attributes that the signature has.
const IN_SIGNATURE: [&str; 2] = ["sym_name", "function_type"];

impl TwoWay for Function {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let [name, ty] = IN_SIGNATURE.map(|name| module.attribute(context, operation, name));
        let name = parameter(context, name?, "string_v1")?.bytes()?.to_vec();
        let ty = parameter(context, ty?, "type_v1")?.ty()?;
        let argument = |(value, location): (Value, Location)| Argument {
            value: Named::of(value),
            ty: Some(module.value_type(value)),
            location: Some(location),
        };
        // A function without a body has no arguments.
        let block = entry_block(module, operation);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let arguments: Vec<Argument> = arguments.map(argument).collect();
        let inputs = arguments.iter().filter_map(|argument| argument.ty);
        let is_lossless = has_shape(module, operation, 0, 0, 1)
            && !name.is_empty()
            && std::str::from_utf8(&name).is_ok()
            && is_of(context, ty, "vhlo", "func_v1")
            && types(context, ty, "inputs").into_iter().eq(inputs);
        is_lossless.then(|| Content {
            name,
            arguments,
            results: types(context, ty, "outputs")
                .into_iter()
                .map(Some)
                .collect(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            let place = asm.place();
            asm.value(&mut argument.value)?;
            asm.token(":", ": ")?;
            asm.ty(&mut argument.ty)?;
            asm.location(place, &mut argument.location)
        })?;
        asm.token("->", " -> ")?;
        if let Asm::Parser(parser) = asm
            && !parser.at("(")
        {
            content.results = vec![Some(parser.ty()?)];
            return Ok(());
        }
        asm.list(("(", ")"), &mut content.results, Asm::ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let of_region = |argument: &Argument| {
            Some(RegionArgument {
                name: argument.value.name?,
                ty: argument.ty?,
                location: argument.location,
            })
        };
        let mut arguments = parser.argument_list();
        arguments.extend(content.arguments.iter().filter_map(of_region));
        let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty).collect();
        let results: Vec<Type> = content.results.iter().copied().flatten().collect();
        let Ok(text) = String::from_utf8(std::mem::take(&mut content.name)) else {
            return Err(AsmError::new(place, "the name is not in UTF-8"));
        };
        let context = parser.context();
        let wrong = |error: Invalid| AsmError::new(place, error.message());
        let name = context.build_attribute("vhlo.string_v1");
        let name = name.with("value", text).build().map_err(wrong)?;
        let ty = context.build_type("vhlo.func_v1").with("inputs", inputs);
        let ty = ty.with("outputs", results).build().map_err(wrong)?;
        let ty = context
            .build_attribute("vhlo.type_v1")
            .with("value", ty)
            .build();
        let ty = ty.map_err(wrong)?;
        for (key, value) in IN_SIGNATURE.into_iter().zip([name, ty]) {
            property(parser, operation, key, value);
        }
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&IN_SIGNATURE)
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Returns the value of an attribute with this mnemonic.
fn parameter<'c>(
    context: &'c Context,
    attribute: Attribute,
    mnemonic: &str,
) -> Option<Parameter<'c>> {
    match is_dialect_attribute(context, attribute, "vhlo", Some(mnemonic)) {
        true => context.parameter(attribute, "value"),
        false => None,
    }
}

/// Returns the inputs or outputs of a function type.
fn types(context: &Context, ty: Type, name: &str) -> Vec<Type> {
    let found = context.parameter(ty, name);
    found.map_or_else(Vec::new, |found| {
        found.items().filter_map(|one| one.ty()).collect()
    })
}
