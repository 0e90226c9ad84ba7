//! Directives for lists of sizes separated by `x`: `4x?x8`.

use crate::helpers::{integer_of, numbers};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter,
    EntrySyntax, Parameters, ParametersMut, ParsedArgument, PrintedArgument,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, Context, DYNAMIC, Invalid, Module, Operation};

/// The parameters of a type with a shape, `4x?xi8`: sizes, and the type of the elements.
#[derive(Debug)]
pub(crate) struct Shaped;

impl EntrySyntax for Shaped {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        print_shape(printer, values)
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parse_shape(parser, &mut values)
    }
}

/// Prints the sizes that the first parameter has, and the element type, which is the second one.
pub(crate) fn print_shape(
    printer: &mut dyn EntryPrinter,
    values: Parameters<'_, '_>,
) -> Result<(), Invalid> {
    for size in values.list(0) {
        let FieldValue::Signed(size) = size else {
            return Err(Invalid::new("expected the sizes of a shape"));
        };
        printer.dimension(*size);
        printer.text(b"x");
    }
    let FieldValue::Type(element) = values.get(1) else {
        return Err(Invalid::new("expected the type of the elements"));
    };
    printer.ty(*element);
    Ok(())
}

/// Parses what [`print_shape`] prints.
pub(crate) fn parse_shape(
    parser: &mut dyn EntryParser,
    values: &mut ParametersMut<'_>,
) -> AsmResult<()> {
    let sizes = parser.dimensions()?;
    let element = parser.ty()?;
    values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
    values.set(1, FieldValue::Type(element));
    Ok(())
}

/// The directive for a dense array of sizes; an empty one is `[]`.
#[derive(Debug)]
pub(crate) struct DimensionList;

impl DirectiveSyntax for DimensionList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let sizes = match parser.eat("[") {
            true => {
                parser.expect("]")?;
                Vec::new()
            }
            false => parser.dimension_list()?,
        };
        if let [sizes_of, ..] = arguments {
            *sizes_of = ParsedArgument::Attribute(Some(
                parser.context().i64_array_attribute(sizes.iter().copied()),
            ));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let sizes = arguments.first().and_then(PrintedArgument::attribute);
        let sizes = numbers(printer.context(), sizes).unwrap_or_default();
        match sizes.is_empty() {
            true => printer.text("[]"),
            false => printer.text(&list(&sizes)),
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let sizes = arguments.first().and_then(PrintedArgument::attribute);
        numbers(context, sizes).is_some_and(|sizes| sizes.iter().all(is_size))
    }
}

/// The directive for the three sizes of a matrix product, each an attribute of type `i32`.
#[derive(Debug)]
pub(crate) struct MatrixSizes;

impl DirectiveSyntax for MatrixSizes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let sizes = parser.dimension_list()?;
        if sizes.contains(&DYNAMIC) {
            return Err(AsmError::new(place, "expected static shape"));
        }
        if sizes.len() != arguments.len() {
            let message = "expected 3 dimensions in MNK dimension list";
            return Err(AsmError::new(place, message));
        }
        for (argument, size) in arguments.iter_mut().zip(sizes) {
            let context = parser.context();
            let i32 = context.i32_type();
            let attribute = context.integer_attribute(i32, size);
            let attribute = attribute.map_err(|error| AsmError::new(place, error.message()))?;
            *argument = ParsedArgument::Attribute(Some(attribute));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let context = printer.context();
        let sizes = arguments
            .iter()
            .map(|size| size_of(context, size.attribute()));
        let sizes: Vec<i64> = sizes.map(Option::unwrap_or_default).collect();
        printer.text(&list(&sizes));
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        arguments
            .iter()
            .all(|size| size_of(context, size.attribute()).is_some())
    }
}

fn is_size(size: &i64) -> bool {
    *size >= 0 || *size == DYNAMIC
}

/// Returns the nonnegative value of an attribute of type `i32`.
fn size_of(context: &Context, attribute: Option<Attribute>) -> Option<i64> {
    integer_of(context, context.i32_type(), attribute).filter(|size| *size >= 0)
}

fn list(sizes: &[i64]) -> String {
    let sizes = sizes.iter().map(|&size| match size {
        DYNAMIC => "?".to_owned(),
        size => size.to_string(),
    });
    sizes.collect::<Vec<_>>().join("x")
}
