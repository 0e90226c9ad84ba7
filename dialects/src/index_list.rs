//! Lists of indices of which each is an operand or a number.

use crate::helpers::{comma_separated, numbers};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, Module, Operation, Value};

/// The directive `[%a, 4, [%b]]`: operands, and an array of numbers with [`DYNAMIC`] for each
/// operand. An optional third argument is an array of flags for scalable entries, which have
/// brackets of their own. A literal text of the format selects other brackets.
#[derive(Debug)]
pub(crate) struct DynamicIndexList;

/// Parses operands and numbers between brackets; returns the operands, and all entries with
/// [`DYNAMIC`] for each operand. If `scalable` is given, appends whether each entry is scalable.
pub(crate) fn index_list(
    parser: &mut dyn AsmParser,
    brackets: (&str, &str),
    mut scalable: Option<&mut Vec<bool>>,
) -> AsmResult<(Vec<OperandName>, Vec<i64>)> {
    let mut names = Vec::new();
    let (open, close) = brackets;
    // Upstream's message for errors within the brackets.
    let of_list = |error: AsmError, bracket: &str| {
        error.saying(format!("expected '{bracket}' in dynamic index list"))
    };
    let found = parser.expect(open);
    found.map_err(|error| of_list(error, open))?;
    if parser.eat(close) {
        return Ok((Vec::new(), Vec::new()));
    }
    let numbers = comma_separated(parser, |parser| {
        let is_scalable = scalable.is_some() && parser.eat("[");
        let number = if parser.at_operand() && !is_scalable {
            names.push(parser.operand_name()?);
            DYNAMIC
        } else {
            match parser.optional_integer()? {
                Some(number) => number,
                None => {
                    return Err(AsmError::new(parser.place(), "expected integer value"));
                }
            }
        };
        if is_scalable {
            parser.expect("]")?;
        }
        if let Some(flags) = &mut scalable {
            flags.push(is_scalable);
        }
        Ok(number)
    })?;
    let found = parser.expect(close);
    found.map_err(|error| of_list(error, close))?;
    Ok((names, numbers))
}

/// Prints what [`index_list`] parses.
pub(crate) fn print_index_list(
    printer: &mut dyn AsmPrinter,
    (open, close): (&str, &str),
    values: &[Value],
    (numbers, scalable): (&[i64], &[bool]),
) {
    let mut values = values.iter();
    printer.text(open);
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let is_scalable = scalable.get(at) == Some(&true);
        if is_scalable {
            printer.text("[");
        }
        match number {
            DYNAMIC => {
                if let Some(&value) = values.next() {
                    printer.operand(value);
                }
            }
            number => printer.text(&number.to_string()),
        }
        if is_scalable {
            printer.text("]");
        }
    }
    printer.text(close);
}

/// Returns the brackets that a literal text selects.
fn brackets(text: Option<&str>) -> (&'static str, &'static str) {
    match text {
        Some("()") => ("(", ")"),
        _ => ("[", "]"),
    }
}

/// Returns a dense array of booleans.
pub(crate) fn array_of_flags(context: &mut Context, flags: &[bool]) -> Option<Attribute> {
    let kind = AttributeKind::DenseArray {
        element: context.i1_type(),
        length: flags.len(),
        data: flags.iter().map(|&flag| u8::from(flag)).collect(),
    };
    context.try_attribute(kind).ok()
}

/// Returns the elements of a dense array of booleans.
pub(crate) fn flags_of(context: &Context, attribute: Attribute) -> Option<Vec<bool>> {
    match context.attribute_kind(attribute) {
        AttributeKind::DenseArray { element, data, .. } if *element == context.i1_type() => {
            Some(data.iter().map(|&flag| flag != 0).collect())
        }
        _ => None,
    }
}

impl DirectiveSyntax for DynamicIndexList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let with_flags = matches!(arguments.get(2), Some(ParsedArgument::Attribute(_)));
        let brackets = brackets(match arguments.get(2) {
            Some(ParsedArgument::Text(text)) => Some(text),
            _ => None,
        });
        let mut flags = Vec::new();
        let scalable = with_flags.then_some(&mut flags);
        let (names, numbers) = index_list(parser, brackets, scalable)?;
        let array = Some(
            parser
                .context()
                .i64_array_attribute(numbers.iter().copied()),
        );
        let flags = match with_flags {
            true => array_of_flags(parser.context(), &flags),
            false => None,
        };
        if let [values, statics, rest @ ..] = arguments {
            *values = ParsedArgument::Operands(names);
            *statics = ParsedArgument::Attribute(array);
            if let [scalable @ ParsedArgument::Attribute(_), ..] = rest {
                *scalable = ParsedArgument::Attribute(flags);
            }
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [values, statics, ..] = arguments else {
            return;
        };
        let numbers = numbers(printer.context(), statics.attribute()).unwrap_or_default();
        let flags = arguments.get(2).and_then(PrintedArgument::attribute);
        let flags = flags.and_then(|flags| flags_of(printer.context(), flags));
        let brackets = brackets(match arguments.get(2) {
            Some(PrintedArgument::Text(text)) => Some(text),
            _ => None,
        });
        let flags = flags.unwrap_or_default();
        print_index_list(printer, brackets, values.operands(), (&numbers, &flags));
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [values, statics, ..] = arguments else {
            return false;
        };
        // The text has a flag for each number, whether it is set or not.
        let flags = match arguments.get(2) {
            Some(PrintedArgument::Attribute(flags)) => {
                Some(flags.and_then(|flags| Some(flags_of(context, flags)?.len())))
            }
            _ => None,
        };
        numbers(context, statics.attribute()).is_some_and(|numbers| {
            let dynamic = numbers.iter().filter(|&&number| number == DYNAMIC);
            dynamic.count() == values.operands().len()
                && flags.is_none_or(|count| count.unwrap_or(0) == numbers.len())
        })
    }
}

/// As [`DynamicIndexList`], but optional; if it is absent, so is the attribute.
#[derive(Debug)]
pub(crate) struct OptionalDynamicIndexList;

impl DirectiveSyntax for OptionalDynamicIndexList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if parser.at("[") {
            return DynamicIndexList.parse(parser, arguments);
        }
        if let [values, statics, ..] = arguments {
            *values = ParsedArgument::Operands(Vec::new());
            *statics = ParsedArgument::Attribute(None);
        }
        Ok(false)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        if is_said(arguments) {
            DynamicIndexList.print(printer, operation, arguments);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        here: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        if !is_said(arguments) {
            return true;
        }
        // An empty list would print nothing, and read back without the attribute.
        let statics = arguments.get(1).and_then(PrintedArgument::attribute);
        let has_some = numbers(context, statics).is_some_and(|numbers| !numbers.is_empty());
        has_some && DynamicIndexList.can_print(context, here, arguments)
    }
}

/// Returns whether there are operands or an attribute.
fn is_said(arguments: &[PrintedArgument]) -> bool {
    match arguments {
        [values, statics, ..] => !values.operands().is_empty() || statics.attribute().is_some(),
        _ => false,
    }
}
