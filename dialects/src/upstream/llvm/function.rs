//! Custom syntax of `llvm.func`.

use super::enums::{CONVENTION, Keyword, LINKAGE, UNNAMED_ADDR, VISIBILITY};
use super::types::{self, function_parts};
use crate::func::{has_shape, is_plain_string, print_symbol_name};
use crate::function::{
    Signature, dictionaries, entry_block, has_lists, is_entry, property, symbol_name,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Module, Operation};

/// The keywords before the name, in order.
static KEYWORDS: [&Keyword; 4] = [&LINKAGE, &VISIBILITY, &UNNAMED_ADDR, &CONVENTION];

/// The attributes that the operation prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 10] = [
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "comdat",
    "unnamed_addr",
    "vscale_range",
];

/// Custom syntax of `llvm.func`: `internal fastcc @name(%a: i32, ...) -> i32 vscale_range(1, 2)
/// comdat(@c::@s) attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Func;

impl OperationSyntax for Func {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        for keyword in KEYWORDS {
            keyword.parse(parser, operation);
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        let place = parser.place();
        let signature = Signature::parse(parser, true)?;
        let function_type = function_type(parser, operation, &signature, place)?;
        property(parser, operation, "function_type", function_type);
        if parser.eat("vscale_range") {
            let range = vscale_range(parser)?;
            property(parser, operation, "vscale_range", range);
        }
        if parser.eat("comdat") {
            parser.expect("(")?;
            let comdat = parser.attribute()?;
            parser.expect(")")?;
            property(parser, operation, "comdat", comdat);
        }
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(ParseStep::Done);
        }
        Ok(ParseStep::Region(signature.entry_arguments(parser)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let words = KEYWORDS.map(|keyword| keyword.said(context, module, operation));
        let attributes = module.all_attributes(context, operation);
        let range = module.attribute(context, operation, "vscale_range");
        let range = range.and_then(|range| bounds(context, range));
        let comdat = module.attribute(context, operation, "comdat");
        printer.text(" ");
        for word in words.into_iter().flatten() {
            printer.text(&word);
            printer.text(" ");
        }
        print_symbol_name(printer, operation, "");
        print_signature(printer, operation);
        if let Some([min, max]) = range {
            printer.text(&format!(" vscale_range({min}, {max})"));
        }
        if let Some(comdat) = comdat {
            printer.text(" comdat(");
            printer.attribute(comdat);
            printer.text(")");
        }
        printer.attribute_dictionary_with_keyword(&attributes, &IN_SIGNATURE);
        if entry_block(printer.module(), operation).is_none() {
            return PrintStep::Done;
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let Some(body) = function_body(context, attribute("function_type")) else {
            return false;
        };
        let Some((result, inputs, _)) = function_parts(body) else {
            return false;
        };
        if !result.is_type(body) || !inputs.iter().all(|input| input.is_type(body)) {
            return false;
        }
        let entry = entry_block(module, operation);
        let fits = entry.is_none_or(|entry| {
            let arguments = module.arguments(entry);
            arguments.len() == inputs.len()
                && is_entry(module, operation)
                && arguments
                    .zip(&inputs)
                    .all(|((value, _), part)| part.is(context, body, module.value_type(value)))
        });
        let results = usize::from(!result.is_void(body));
        attribute("sym_name").is_some_and(|a| is_plain_string(context, a))
            && KEYWORDS
                .iter()
                .all(|k| k.can_print(context, module, operation))
            && attribute("vscale_range").is_none_or(|a| bounds(context, a).is_some())
            && has_lists(context, module, operation, inputs.len(), results)
            && has_shape(module, operation, 0, 0, 1)
            && fits
    }
}

/// Returns the body of the dialect's function type in a type attribute.
fn function_body(context: &Context, ty: Option<Attribute>) -> Option<&DialectBody> {
    match context.attribute_kind(ty?) {
        AttributeKind::Type(ty) => types::body(context, *ty),
        _ => None,
    }
}

/// Returns the function type of a signature.
fn function_type(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    signature: &Signature,
    place: usize,
) -> AsmResult<Attribute> {
    let wrong = |what: &str| {
        let message = format!("failed to construct function type: {what}");
        AsmError::new(place, message)
    };
    let result = match *signature.results {
        [] => None,
        [(result, _)] => Some(result),
        _ => return Err(wrong("expected zero or one function result")),
    };
    let types = &mut operation.types;
    types.clear();
    types.extend(result);
    types.extend(signature.arguments.iter().map(|a| a.ty));
    let variadic = signature.variadic;
    let key = match (result.is_some(), variadic) {
        (true, false) => "llvm.func",
        (false, false) => "llvm.func of nothing",
        (true, true) => "llvm.func of more",
        (false, true) => "llvm.func of more, of nothing",
    };
    let ty = parser.type_of_types(key, types, &|context, types| {
        let (result, inputs) = types.split_at_checked(usize::from(result.is_some()))?;
        types::function(context, inputs, result.first().copied(), variadic)
    });
    let ty = ty.ok_or_else(|| wrong("expected LLVM type for function arguments"))?;
    Ok(parser.context().type_attribute(ty))
}

/// Parses `(1, 16)` as `#llvm.vscale_range<...>`, whose bounds have 32 bits.
fn vscale_range(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
    parser.expect("(")?;
    let place = parser.place();
    let bound = |parser: &mut dyn AsmParser| {
        let place = parser.place();
        let bound = parser.optional_integer()?;
        bound.ok_or_else(|| AsmError::new(place, "expected integer value"))
    };
    let min = bound(parser)?;
    parser.expect(",")?;
    let max = bound(parser)?;
    parser.expect(")")?;
    let text = format!("vscale_range<minRange = {min} : i32, maxRange = {max} : i32>");
    let context = parser.context();
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("llvm"),
        body: DialectBody::from_text(text.as_bytes()),
        ty: None,
    };
    let range = context.try_attribute(kind);
    range.map_err(|invalid| AsmError::new(place, invalid.message()))
}

/// Returns the bounds of a `#llvm.vscale_range<...>`.
fn bounds(context: &Context, range: Attribute) -> Option<[i64; 2]> {
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(range) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix("vscale_range<minRange = ")?;
    let (min, max) = text
        .strip_suffix(" : i32>")?
        .split_once(" : i32, maxRange = ")?;
    Some([min.parse().ok()?, max.parse().ok()?])
}

/// Prints `(%a: i32, ...) -> i32`. A declaration prints the types of its function type.
fn print_signature(printer: &mut dyn AsmPrinter, operation: Operation) {
    let (context, module) = (printer.context(), printer.module());
    let ty = module.attribute(context, operation, "function_type");
    let Some(body) = function_body(context, ty) else {
        return;
    };
    let Some((result, inputs, variadic)) = function_parts(body) else {
        return;
    };
    let list = |name| dictionaries(context, module.attribute(context, operation, name));
    let (of_arguments, of_results) = (list("arg_attrs"), list("res_attrs"));
    let entry = entry_block(module, operation);
    let mut arguments = entry.map(|block| module.arguments(block));
    printer.text("(");
    for (i, part) in inputs.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        let attributes = of_arguments.get(i).copied().unwrap_or_default();
        match arguments.as_mut().and_then(Iterator::next) {
            Some((value, location)) => printer.region_argument(value, location, attributes),
            None => {
                part.print(printer, body);
                printer.attribute_dictionary(attributes, &[]);
            }
        }
    }
    if variadic {
        printer.text(if inputs.is_empty() { "..." } else { ", ..." });
    }
    printer.text(")");
    if result.is_void(body) {
        return;
    }
    let attributes = of_results.first().copied().unwrap_or_default();
    let wrapped = !attributes.is_empty();
    printer.text(if wrapped { " -> (" } else { " -> " });
    result.print(printer, body);
    printer.attribute_dictionary(attributes, &[]);
    if wrapped {
        printer.text(")");
    }
}
