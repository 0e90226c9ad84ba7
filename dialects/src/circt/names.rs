//! Names of results that are stored in attributes, and names that constants suggest.

use super::two_way::{items, plain_string};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
    ValueNames,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Region, Signedness, Type,
    TypeKind, Value,
};

/// The directive of a name that is left out if it is that of the result. The argument is the
/// attribute, which is written as `name "a"`, or the dictionary with the attribute `name`.
#[derive(Debug)]
pub(crate) struct ImplicitName;

/// Returns the name that the text gives to the first result; empty if it is a number.
fn name_in_text(parser: &mut dyn AsmParser) -> Attribute {
    let name = parser.result_name(0).map_or(&[][..], |(name, _)| name);
    let is_number = name.first().is_some_and(u8::is_ascii_digit);
    let name = if is_number { Vec::new() } else { name.to_vec() };
    parser.context().string_attribute(name)
}

/// Returns whether a name is that of the first result as it is printed.
fn is_printed(printer: &dyn AsmPrinter, operation: Operation, name: &[u8]) -> bool {
    let result = printer.module().result(operation, 0);
    let printed = result.map_or_else(Vec::new, |result| printer.value_name(result));
    // An empty name is read from a number.
    printed == name || name.is_empty() && printed.first().is_some_and(u8::is_ascii_digit)
}

impl DirectiveSyntax for ImplicitName {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        match arguments {
            [ParsedArgument::Attribute(name)] => {
                *name = Some(match parser.eat("name") {
                    true => match parser.optional_string() {
                        Some(name) => parser.context().string_attribute_of(name),
                        None => return Err(AsmError::new(parser.place(), "expected string")),
                    },
                    false => name_in_text(parser),
                });
            }
            [ParsedArgument::Dictionary(attributes)] => {
                *attributes = parser.attribute_dictionary()?;
                let identifier = parser.name("name");
                if !attributes.iter().any(|entry| entry.0 == identifier) {
                    let name = name_in_text(parser);
                    attributes.push((identifier, name));
                }
            }
            _ => {}
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let context = printer.context();
        match arguments {
            [PrintedArgument::Attribute(Some(name))] => {
                let text = context.string_value(*name).unwrap_or_default();
                if !is_printed(printer, operation, text) {
                    printer.text(" name ");
                    printer.attribute(*name);
                }
            }
            [PrintedArgument::Dictionary(attributes)] => {
                let is_shown = |&(name, value): &NamedAttribute| {
                    context.bytes(name) != b"name"
                        || !is_printed(
                            printer,
                            operation,
                            context.string_value(value).unwrap_or_default(),
                        )
                };
                let shown: Vec<NamedAttribute> =
                    attributes.iter().copied().filter(is_shown).collect();
                printer.attribute_dictionary(&shown, &[]);
            }
            _ => {}
        }
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let name = match arguments {
            [PrintedArgument::Attribute(name)] => *name,
            [PrintedArgument::Dictionary(_)] => module.attribute(context, operation, "name"),
            _ => None,
        };
        plain_string(context, name).is_some() && module.result_count(operation) > 0
    }
}

/// Names results and arguments after attributes that store names.
#[derive(Debug)]
pub(crate) struct NamedBy {
    /// The string attribute with the name of the first result, or an array with one for each
    /// result.
    pub(crate) results: &'static str,
    /// What comes before the name of each result: the value of this attribute, and the text that
    /// takes its place if it is empty.
    pub(crate) prefix: Option<(&'static str, &'static str)>,
    /// What is between that and the name.
    pub(crate) separator: &'static str,
    /// The array with the names of the arguments of the first region.
    pub(crate) arguments: &'static str,
}

impl NamedBy {
    /// Names the results after an attribute.
    pub(crate) const fn results(results: &'static str) -> Self {
        NamedBy {
            results,
            prefix: None,
            separator: "",
            arguments: "",
        }
    }

    /// Names the arguments of the region after an attribute.
    pub(crate) const fn arguments(arguments: &'static str) -> Self {
        NamedBy {
            results: "",
            prefix: None,
            separator: "",
            arguments,
        }
    }
}

impl ValueNames for NamedBy {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if self.results.is_empty() {
            return;
        }
        let Some(found) = module.attribute(context, operation, self.results) else {
            return;
        };
        let single = [found];
        // One name is that of one result.
        let is_single = module.result_count(operation) == 1;
        let all = items(context, Some(found));
        let all = all.unwrap_or(if is_single { &single } else { &[] });
        let prefix = self.prefix.map(|(attribute, other)| {
            let prefix = module.attribute(context, operation, attribute);
            match prefix.and_then(|prefix| context.string_value(prefix)) {
                Some(prefix) if !prefix.is_empty() => String::from_utf8_lossy(prefix).into_owned(),
                _ => other.to_owned(),
            }
        });
        for (result, &found) in module.results(operation).zip(all) {
            let text = context.string_value(found).unwrap_or_default();
            let text = String::from_utf8_lossy(text);
            match &prefix {
                Some(prefix) => name(result, &format!("{prefix}{}{text}", self.separator)),
                None if text.is_empty() => {}
                None => name(result, &text),
            }
        }
    }

    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(operation), Some(block)) =
            (module.region_parent(region), module.first_block(region))
        else {
            return;
        };
        if self.arguments.is_empty() {
            return;
        }
        let names = items(context, module.attribute(context, operation, self.arguments));
        let names = names.unwrap_or_default();
        if names.len() != module.argument_count(block) {
            return;
        }
        for ((value, _), &found) in module.arguments(block).zip(names) {
            let text = context.string_value(found).unwrap_or_default();
            if !text.is_empty() {
                name(value, &String::from_utf8_lossy(text));
            }
        }
    }
}

/// Returns the digits of an integer.
fn digits(context: &Context, value: Attribute, signed: bool) -> Option<String> {
    let AttributeKind::Integer { value, .. } = context.attribute_kind(value) else {
        return None;
    };
    let mut text = Vec::new();
    value.write_decimal(signed, &mut text);
    String::from_utf8(text).ok()
}

/// Returns the keyword of an integer type.
fn integer_keyword(context: &Context, ty: Type) -> Option<String> {
    let TypeKind::Integer { width, signedness } = context.type_kind(ty) else {
        return None;
    };
    let sign = match signedness {
        Signedness::Signless => "i",
        Signedness::Signed => "si",
        Signedness::Unsigned => "ui",
    };
    Some(format!("{sign}{width}"))
}

/// Names constants after their value and type.
#[derive(Debug)]
pub(crate) enum ConstantName {
    /// `true`, `c5_i8`.
    Hw,
    /// `c5_ui8`.
    Firrtl,
    /// `c1_clock`.
    Special,
    /// `idx5`.
    Index,
}

impl ValueNames for ConstantName {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(result), Some(value)) = (
            module.result(operation, 0),
            module.attribute(context, operation, "value"),
        ) else {
            return;
        };
        let ty = module.value_type(result);
        let text = match self {
            ConstantName::Hw => {
                let Some(keyword) = integer_keyword(context, ty) else {
                    return;
                };
                match keyword.as_str() {
                    "i1" => {
                        let is_zero = digits(context, value, true).as_deref() == Some("0");
                        Some(if is_zero { "false" } else { "true" }.to_owned())
                    }
                    _ => digits(context, value, true).map(|text| format!("c{text}_{keyword}")),
                }
            }
            ConstantName::Firrtl => firrtl_constant(context, value, ty),
            ConstantName::Special => {
                let number = u8::from(value == context.bool_attribute(true));
                let suffix = [
                    ("clock", "_clock"),
                    ("reset", "_reset"),
                    ("asyncreset", "_asyncreset"),
                ];
                let of = suffix.iter().find(|(word, _)| {
                    crate::iree::values::is_of(context, ty, "firrtl", word)
                        || crate::iree::values::is_of(context, ty, "firrtl", &format!("const.{word}"))
                });
                Some(format!("c{number}{}", of.map_or("", |of| of.1)))
            }
            ConstantName::Index => digits(context, value, true).map(|text| format!("idx{text}")),
        };
        if let Some(text) = text {
            name(result, &text);
        }
    }
}

fn firrtl_constant(context: &Context, value: Attribute, ty: Type) -> Option<String> {
    let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix("const.").unwrap_or(text);
    let signed = text.starts_with("sint");
    let width = text.split_once('<').map_or("", |(_, width)| width);
    let width = width.trim_end_matches('>');
    let digits = digits(context, value, signed)?;
    let sign = if signed { "si" } else { "ui" };
    Some(format!("c{digits}_{sign}{width}"))
}
