//! Custom syntax of the `irdl` dialect.

use super::enclosing::enclosing;
use crate::func::print_symbol_name;
use crate::function::symbol_name;
use crate::helpers::{print_region, property};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperationSyntax, ParseStep,
    ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Message, Module, Op, Operation,
    OperationVerifier, SymbolTableCollection, VerifyFailure, VerifyResult,
};
use std::collections::HashMap;

/// Custom syntax of `irdl.dialect`, `irdl.operation`, `irdl.attribute` and `irdl.type`:
/// `@name attributes {...} {...}`. The block is omitted if it is empty.
#[derive(Debug)]
pub(crate) struct Described;

impl OperationSyntax for Described {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_block();
            return Ok(ParseStep::Done);
        }
        let name = symbol_name(parser)?;
        property(parser, operation, "sym_name", name);
        operation.attributes = parser.attribute_dictionary_with_keyword()?;
        if parser.at("{") {
            return Ok(ParseStep::Region(Vec::new()));
        }
        let region = parser.make_region(&[]);
        operation.regions.push(region);
        Ok(ParseStep::Done)
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
        print_symbol_name(printer, operation, " ");
        let attributes = module.all_attributes(context, operation);
        printer.attribute_dictionary_with_keyword(&attributes, &["sym_name"]);
        printer.text(" ");
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        match block.and_then(|block| module.first_operation(block)) {
            Some(_) => print_region(0, true),
            None => PrintStep::Done,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let name = module.attribute(context, operation, "sym_name");
        let region = module.region(operation, 0);
        let block = region.and_then(|region| module.first_block(region));
        crate::func::has_shape(module, operation, 0, 0, 1)
            && name.is_some_and(|name| crate::func::is_plain_string(context, name))
            && block.is_some_and(|block| {
                module.argument_count(block) == 0 && module.next_block(block).is_none()
            })
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// The directive `(name: %value, ...)`: the values, an array of the names and, if `counted`, their
/// variadicities.
#[derive(Debug)]
pub(crate) struct NamedValues {
    /// Whether `optional` or `variadic` can precede a value.
    counted: bool,
}

pub(crate) static NAMED_VALUES: NamedValues = NamedValues { counted: false };
pub(crate) static COUNTED_VALUES: NamedValues = NamedValues { counted: true };

/// The variadicities that are printed before a value.
const WORDS: [&str; 2] = ["optional", "variadic"];

/// The variadicity that may be written but is not printed.
const SINGLE: &str = "single";

/// Returns the keywords in `#irdl<variadicity_array[...]>`.
fn variadicities(context: &Context, attribute: Option<Attribute>) -> Option<Vec<&str>> {
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(attribute?) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("variadicity_array")?.trim();
    let inner = inner.strip_prefix('[')?.strip_suffix(']')?.trim();
    match inner {
        "" => Some(Vec::new()),
        inner => Some(inner.split(',').map(str::trim).collect()),
    }
}

impl DirectiveSyntax for NamedValues {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut values, mut names, mut counts) = (Vec::new(), Vec::new(), String::new());
        parser.expect("(")?;
        if !parser.eat(")") {
            loop {
                let place = parser.place();
                let Some(name) = parser.optional_keyword() else {
                    return Err(AsmError::new(place, "expected valid keyword"));
                };
                names.push(parser.context().string_attribute_of(name));
                parser.expect(":")?;
                let mut words = WORDS.into_iter().chain([SINGLE]);
                let word = words.find(|word| self.counted && parser.eat(word));
                if !counts.is_empty() {
                    counts.push_str(", ");
                }
                // The body of the attribute has a space before each nested attribute.
                counts.push(' ');
                counts.push_str(word.unwrap_or(SINGLE));
                values.push(parser.operand_name()?);
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect(")")?;
        }
        let place = parser.place();
        let context = parser.context();
        let names = context.array_attribute(&names);
        let kind = AttributeKind::Dialect {
            dialect: context.identifier("irdl"),
            body: DialectBody::from_text(format!("variadicity_array[{counts}]").as_bytes()),
            ty: None,
        };
        let counts = context.try_attribute(kind);
        let counts = counts.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        let mut arguments = arguments.iter_mut();
        for value in [
            ParsedArgument::Operands(values),
            ParsedArgument::Attribute(Some(names)),
            ParsedArgument::Attribute(Some(counts)),
        ] {
            if let Some(argument) = arguments.next() {
                *argument = value;
            }
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [values, names, counts @ ..] = arguments else {
            return;
        };
        let context = printer.context();
        let names = crate::upstream::pdl::strings(context, names.attribute()).unwrap_or_default();
        let counts = counts.first().and_then(|counts| counts.attribute());
        let counts = variadicities(context, counts).unwrap_or_default();
        printer.text("(");
        for (number, (name, &value)) in names.iter().zip(values.operands()).enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.text(&String::from_utf8_lossy(name));
            printer.text(": ");
            if let Some(word) = counts.get(number).filter(|word| WORDS.contains(word)) {
                printer.text(word);
                printer.text(" ");
            }
            printer.operand(value);
        }
        printer.text(")");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [values, names, counts @ ..] = arguments else {
            return false;
        };
        let len = values.operands().len();
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || b"_$.".contains(b);
        let is_word = |name: &Vec<u8>| {
            let first = name.first();
            first.is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') && name.iter().all(in_word)
        };
        let names = crate::upstream::pdl::strings(context, names.attribute());
        let counts = counts.first().map(|counts| {
            let words = variadicities(context, counts.attribute());
            words.is_some_and(|words| words.len() == len)
        });
        names.is_some_and(|names| names.len() == len && names.iter().all(is_word))
            && counts.unwrap_or(true)
    }
}

/// The directive `{"name" = %value, ...}`.
pub(crate) static ATTRIBUTES: crate::upstream::pdl::OperationAttributes =
    crate::upstream::pdl::OperationAttributes { before: "" };

/// Verifies the names of operands, results, regions or parameters: they have lowercase letters,
/// digits and underscores only, and each occurs once.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) &'static str);

impl OperationVerifier for Names {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let names = op
            .attr("names")
            .map(|names| op.context.attribute_kind(names));
        let Some(AttributeKind::Array(names)) = names else {
            return Ok(());
        };
        let what = self.0;
        let mut first = HashMap::new();
        for (number, &name) in names.iter().enumerate() {
            let name = op.context.string_value(name).unwrap_or_default();
            let is_valid = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_';
            if !name.iter().all(is_valid) {
                return Err(VerifyFailure::op(format!(
                    "name of {what} #{number} must contain only lowercase letters, digits and \
                     underscores"
                )));
            }
            if let Some(earlier) = first.insert(name, number) {
                return Err(VerifyFailure::op(format!(
                    "name of {what} #{number} is a duplicate of the name of {what} #{earlier}"
                )));
            }
        }
        Ok(())
    }
}

/// Verifies the reference to a type or attribute in `irdl.base` or `irdl.parametric`; of the
/// former also the name.
#[derive(Debug)]
pub(crate) struct Base {
    /// The attribute with the reference.
    pub(crate) reference: &'static str,
}

impl OperationVerifier for Base {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let name = op.attr("base_name");
        let name = name.and_then(|name| op.context.string_value(name));
        match name {
            Some(name) if !name.starts_with(b"!") && !name.starts_with(b"#") => Err(
                VerifyFailure::op("the base type or attribute name should start with '!' or '#'"),
            ),
            _ => Ok(()),
        }
    }

    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        // Names are looked up from the dialect's own position.
        let around = enclosing(op, |around| around.is("irdl.dialect"))?;
        let (Some(reference), Some(around)) =
            (op.attr(self.reference), around.and_then(Op::parent))
        else {
            return Ok(());
        };
        let found = symbols.lookup_symbol_from(op.context, op.module, around.operation, reference);
        let message = Message::from("symbol '").attribute(reference);
        match found.map(|found| op.with_id(found)) {
            None => Err(VerifyFailure::op(message.text("' not found"))),
            Some(found) if !found.is("irdl.type") && !found.is("irdl.attribute") => {
                Err(VerifyFailure::op(message.text(format_args!(
                    "' does not refer to a type or attribute definition (refers to '{}')",
                    found.name()
                ))))
            }
            Some(_) => Ok(()),
        }
    }
}

/// Verifies `irdl.operation`: no two of its operands, results and regions have the same name.
#[derive(Debug)]
pub(crate) struct DistinctNames;

impl OperationVerifier for DistinctNames {
    fn verify_regions(&self, op: Op<'_>) -> VerifyResult {
        let mut first = HashMap::new();
        for child in op.children() {
            let kind = match &*child.name() {
                "irdl.operands" => "operands",
                "irdl.results" => "results",
                "irdl.regions" => "regions",
                _ => continue,
            };
            let names = child
                .attr("names")
                .map(|names| op.context.attribute_kind(names));
            let Some(AttributeKind::Array(names)) = names else {
                continue;
            };
            for &name in names {
                let earlier = *first.entry(name).or_insert(kind);
                if earlier != kind {
                    let name = op.context.string_value(name).unwrap_or_default();
                    return Err(VerifyFailure::op(format!(
                        "contains a value named '{}' for both its {earlier} and {kind}",
                        name.escape_ascii()
                    )));
                }
            }
        }
        Ok(())
    }
}
