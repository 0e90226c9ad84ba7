//! Modules and functions of `systemc`, which store the names of their arguments.

use super::firrtl::{name_in_text, set_symbol, set_visibility, visibility_of};
use crate::func::has_shape;
use crate::function::{VISIBILITIES, entry_block, require_body, types_of};
use crate::helpers::property;
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{Asm, TwoWay, is_word, items, other_attributes, plain_string, string_array};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation};
use std::collections::HashSet;

/// The syntax of `systemc.module`, `private @name (%a: type {...}) attributes {...} {...}`, and of
/// `systemc.cpp.func`, `externC private @name(%a: type) -> type attributes {...} {...}`. Arguments
/// of a function without a body can have no names.
#[derive(Debug)]
pub(crate) struct FunctionLike {
    pub(crate) is_module: bool,
}

/// The text of a module or function.
#[derive(Default)]
pub(crate) struct FunctionContent {
    is_extern: bool,
    visibility: Option<usize>,
    name: Vec<u8>,
    signature: FunctionSignature,
    attributes: Vec<NamedAttribute>,
    has_body: bool,
}

impl FunctionLike {
    /// Returns the array of the names of arguments.
    fn names(&self) -> &'static str {
        match self.is_module {
            true => "portNames",
            false => "argNames",
        }
    }
}

/// Returns whether values are printed with these names: they are words that differ.
fn are_printable(names: &[&[u8]]) -> bool {
    let mut seen = HashSet::new();
    names.iter().all(|name| is_word(name) && seen.insert(name))
}

impl TwoWay for FunctionLike {
    type Content = FunctionContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<FunctionContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        let entry = entry_block(module, operation);
        let fits = match self.is_module {
            true => {
                let block = entry?;
                let types = module.arguments(block);
                let types = types.map(|(value, _)| module.value_type(value));
                let is_only = module.next_block(block).is_none();
                results.is_empty() && is_only && types.eq(inputs.iter().copied())
            }
            false => crate::function::is_body(module, operation, inputs),
        };
        let names = items(context, attribute(self.names()))?.iter();
        let names = names.map(|&name| plain_string(context, Some(name)));
        let names: Vec<&[u8]> = names.collect::<Option<_>>()?;
        let has_names = names.len() == inputs.len() || names.is_empty() && entry.is_none();
        let fits = fits
            && has_shape(module, operation, 0, 0, 1)
            && has_names
            && are_printable(&names)
            && crate::helpers::is_unit(context, attribute("externC"));
        fits.then_some(())?;
        let [inputs, results] = [inputs, results].map(|all| all.iter().copied().map(Some));
        let mut signature = FunctionSignature::of(context, module, operation, inputs, results)?;
        if entry.is_none() {
            for (parameter, name) in signature.parameters.iter_mut().zip(names) {
                parameter.stored_name = name.to_vec();
            }
        }
        let elided = [
            "sym_name",
            "sym_visibility",
            "function_type",
            "arg_attrs",
            "res_attrs",
            "externC",
            self.names(),
        ];
        Some(FunctionContent {
            is_extern: attribute("externC").is_some(),
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            signature,
            attributes: other_attributes(context, module, operation, &elided),
            has_body: entry.is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut FunctionContent) -> AsmResult<()> {
        if !self.is_module {
            asm.optional("externC", " externC", &mut content.is_extern);
        }
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        if self.is_module {
            asm.space(" ");
            let parameters = &mut content.signature.parameters;
            asm.list(("(", ")"), parameters, |asm, parameter| {
                asm.parameter(parameter, false, &mut Some(true))
            })?;
        } else {
            asm.signature(&mut content.signature, false)?;
        }
        asm.dictionary_with_keyword(&mut content.attributes)?;
        content.has_body = self.is_module || asm.is_there("{", content.has_body);
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut FunctionContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let signature = &content.signature;
        let values = signature.parameters.iter().map(|one| one.value);
        let values = values.filter(|value| value.name.is_some());
        let names: Vec<Vec<u8>> = values
            .map(|value| match (self.is_module, value.name) {
                (false, Some(name)) => crate::two_way::spelled_name(parser, name).to_vec(),
                // A module has no name for a number.
                _ => name_in_text(parser, value),
            })
            .collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let context = parser.context();
        let names = string_array(context, &names);
        let name = context.string_attribute(&content.name);
        let function = signature.function_type(context);
        set_symbol(parser, operation, name);
        property(parser, operation, "function_type", function);
        property(parser, operation, self.names(), names);
        if content.is_extern {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "externC", unit);
        }
        signature.set_attributes(parser, operation)?;
        if !content.has_body {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(signature.entry_arguments(parser)))
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        if self.is_module {
            parser.ensure_block();
            return Ok(());
        }
        require_body(parser)
    }
}
