//! Directives for symbols of IREE's dialects: visibility, names by which they are exported, and
//! references to several of them.

use crate::helpers::until;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation};

/// The directive for a visibility, which is printed as `public` if it is absent.
#[derive(Debug)]
pub(crate) struct SymbolVisibility;

impl DirectiveSyntax for SymbolVisibility {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        for visibility in crate::function::VISIBILITIES {
            if parser.eat(visibility) {
                let value = parser.context().string_attribute(visibility);
                if let [argument] = arguments {
                    *argument = ParsedArgument::Attribute(Some(value));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let visibility = arguments.first().and_then(PrintedArgument::attribute);
        let visibility = visibility.and_then(|value| printer.context().string_value(value));
        let visibility = visibility.map_or("public".into(), String::from_utf8_lossy);
        printer.text(&visibility);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let visibility = arguments.first().and_then(PrintedArgument::attribute);
        visibility.is_none_or(|value| {
            crate::func::is_plain_string(context, value)
                && crate::function::VISIBILITIES
                    .iter()
                    .any(|known| context.string_value(value) == Some(known.as_bytes()))
        })
    }
}

/// Returns the name in a reference to a symbol that is not nested.
pub(super) fn flat_symbol(context: &Context, reference: Option<Attribute>) -> Option<&[u8]> {
    match context.attribute_kind(reference?) {
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            Some(context.bytes(*root))
        }
        _ => None,
    }
}

/// The directive for the name of a symbol and the function that it exports: `@f`, `@f as("name")`.
#[derive(Debug)]
pub(crate) struct SymbolAlias;

impl DirectiveSyntax for SymbolAlias {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let function = parser.attribute()?;
        let Some(name) = flat_symbol(parser.context(), Some(function)) else {
            return Err(AsmError::new(place, "expected a flat symbol reference"));
        };
        let name = name.to_vec();
        let name = if parser.eat("as") {
            parser.expect("(")?;
            let name = parser.attribute()?;
            parser.expect(")")?;
            name
        } else {
            let name = String::from_utf8_lossy(&name).into_owned();
            parser.context().string_attribute(&name)
        };
        if let [of_name, of_function] = arguments {
            *of_name = ParsedArgument::Attribute(Some(name));
            *of_function = ParsedArgument::Attribute(Some(function));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [name, function] = arguments else {
            return;
        };
        let context = printer.context();
        let Some(function) = function.attribute() else {
            return;
        };
        printer.attribute(function);
        let name = name.attribute();
        let text = name.and_then(|name| context.string_value(name));
        if let Some((name, text)) = name.zip(text)
            && flat_symbol(context, Some(function)) != Some(text)
        {
            printer.text(" as(");
            printer.attribute(name);
            printer.text(")");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [name, function] = arguments else {
            return false;
        };
        let name = name.attribute();
        name.is_some_and(|name| crate::func::is_plain_string(context, name))
            && flat_symbol(context, function.attribute()).is_some()
    }
}

/// The directive for an array of references to symbols: `@a`, `{@a, @b}`.
#[derive(Debug)]
pub(crate) struct EntryPoints;

impl DirectiveSyntax for EntryPoints {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let points = match parser.eat("{") {
            true => until(parser, "}", |parser| parser.attribute())?,
            false => vec![parser.attribute()?],
        };
        let value = parser.context().array_attribute(&points);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let points = arguments.first().and_then(PrintedArgument::attribute);
        let points = references(printer.context(), points).unwrap_or_default();
        let braces = points.len() != 1;
        if braces {
            printer.text("{");
        }
        for (number, &point) in points.iter().enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.attribute(point);
        }
        if braces {
            printer.text("}");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let points = arguments.first().and_then(PrintedArgument::attribute);
        references(context, points).is_some()
    }
}

/// Returns the elements of an array of references to symbols.
fn references(context: &Context, attribute: Option<Attribute>) -> Option<&[Attribute]> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Array(items) => {
            let is_reference = |&item: &Attribute| {
                matches!(
                    context.attribute_kind(item),
                    AttributeKind::SymbolRef { .. }
                )
            };
            items.iter().all(is_reference).then_some(&**items)
        }
        _ => None,
    }
}
