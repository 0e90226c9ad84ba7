//! Hooks of the `pdl` and `pdl_interp` dialects.

use crate::helpers::{
    check_count, comma_separated_types, entry_arguments, operand_names, print_region,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter,
    EntrySyntax, OperationSyntax, Parameters, ParametersMut, ParseStep, ParsedArgument,
    ParsedOperation, PrintStep, PrintedArgument, RegionArgument,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Invalid, Module, Op, Operation,
    OperationVerifier, Type, TypeKind, VerifyFailure, VerifyResult,
};

/// The directive `{"name" = %attribute, ...}`: the values, and an array of the names. Absent if
/// there are none.
#[derive(Debug)]
pub(crate) struct OperationAttributes {
    /// The text printed before it.
    pub(crate) before: &'static str,
}

/// Custom syntax of `pdl_interp.func`.
pub(crate) static INTERP_FUNC: crate::two_way::Syntax<crate::function::Function> =
    crate::two_way::Syntax(crate::function::Function::new("pdl_interp.func", ""));

/// The directive of `pdl` and `pdl_interp`.
pub(crate) static OPERATION_ATTRIBUTES: OperationAttributes = OperationAttributes { before: " " };

/// Returns the strings of an array attribute.
pub(crate) fn strings(context: &Context, names: Option<Attribute>) -> Option<Vec<Vec<u8>>> {
    match context.attribute_kind(names?) {
        AttributeKind::Array(items) => {
            let string = |&item: &Attribute| match context.attribute_kind(item) {
                AttributeKind::String { value, ty: None } => Some(context.bytes(*value).to_vec()),
                _ => None,
            };
            items.iter().map(string).collect()
        }
        _ => None,
    }
}

impl DirectiveSyntax for OperationAttributes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut values, mut names) = (Vec::new(), Vec::new());
        let is_there = parser.eat("{");
        if is_there {
            loop {
                let place = parser.place();
                let name = parser.attribute()?;
                if !crate::func::is_plain_string(parser.context(), name) {
                    return Err(AsmError::new(place, "expected string attribute"));
                }
                names.push(name);
                parser.expect("=")?;
                values.push(parser.operand_name()?);
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect("}")?;
        }
        let names = parser.context().array_attribute(&names);
        if let [of_values, of_names, ..] = arguments {
            *of_values = ParsedArgument::Operands(values);
            *of_names = ParsedArgument::Attribute(Some(names));
        }
        Ok(is_there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [values, names, ..] = arguments else {
            return;
        };
        let names = strings(printer.context(), names.attribute()).unwrap_or_default();
        if names.is_empty() {
            return;
        }
        printer.text(self.before);
        printer.text("{");
        for (number, (name, &value)) in names.iter().zip(values.operands()).enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.string(name);
            printer.text(" = ");
            printer.operand(value);
        }
        printer.text("}");
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [values, names, ..] = arguments else {
            return false;
        };
        // A following dictionary would be parsed as the empty list.
        let has_others = || module.attributes(operation).is_some();
        strings(context, names.attribute()).is_some_and(|names| {
            names.len() == values.operands().len() && !(names.is_empty() && has_others())
        })
    }
}

/// Returns the body of a type of the `pdl` dialect, if it contains no references.
fn body(context: &Context, ty: Type) -> Option<&str> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body }
            if context.bytes(*dialect) == b"pdl" && body.references().is_empty() =>
        {
            std::str::from_utf8(body.text()).ok()
        }
        _ => None,
    }
}

/// Returns the text of the range type whose elements have type `ty`, or, if `ty` is a range, of
/// that range.
fn range_text(context: &Context, ty: Type) -> Option<String> {
    let text = body(context, ty)?;
    Some(match text.starts_with("range<") {
        true => text.to_owned(),
        false => format!("range<{text}>"),
    })
}

fn pdl_type(context: &mut Context, text: &str) -> Option<Type> {
    let kind = TypeKind::Dialect {
        dialect: context.identifier("pdl"),
        body: DialectBody::from_text(text.as_bytes()),
    };
    context.try_type(kind).ok()
}

/// The directive `: type` of `pdl_interp.create_range`: printed only if there are no elements,
/// whose types otherwise determine it.
#[derive(Debug)]
pub(crate) struct RangeType;

impl DirectiveSyntax for RangeType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [ParsedArgument::Types(elements), result, ..] = arguments else {
            return Ok(false);
        };
        let place = parser.place();
        let ty = match elements.first() {
            Some(&element) => {
                let context = parser.context();
                let text = range_text(context, element);
                let ty = text.and_then(|text| pdl_type(context, &text));
                ty.ok_or_else(|| AsmError::new(place, "expected elements of PDL types"))?
            }
            None => {
                parser.expect(":")?;
                parser.ty()?
            }
        };
        *result = ParsedArgument::Types(vec![ty]);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [elements, result, ..] = arguments
            && elements.types().is_empty()
        {
            printer.text(": ");
            printer.types(result.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [elements, result, ..] = arguments else {
            return false;
        };
        match (elements.types(), result.types()) {
            ([], [_]) => true,
            ([element, ..], [result]) => {
                let expected = range_text(context, *element);
                expected.is_some() && expected.as_deref() == body(context, *result)
            }
            _ => false,
        }
    }
}

/// The directive `-> type` of the results with an index. All results together have the type
/// `range<value>`, which is omitted.
#[derive(Debug)]
pub(crate) struct ResultsValueType;

const VALUES: &str = "range<value>";

impl DirectiveSyntax for ResultsValueType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [ParsedArgument::Attribute(index), result, ..] = arguments else {
            return Ok(false);
        };
        let place = parser.place();
        let ty = if index.is_some() {
            parser.expect("->")?;
            parser.ty()?
        } else {
            let ty = pdl_type(parser.context(), VALUES);
            ty.ok_or_else(|| AsmError::new(place, "expected a type"))?
        };
        *result = ParsedArgument::Types(vec![ty]);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [index, result, ..] = arguments
            && index.attribute().is_some()
        {
            printer.text(" -> ");
            printer.types(result.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [index, result, ..] = arguments else {
            return false;
        };
        index.attribute().is_some()
            || matches!(result.types(), &[ty] if body(context, ty) == Some(VALUES))
    }
}

/// The directive `-> <inferred>` or `-> (%types : types)`: the operands, their types, and whether
/// they are inferred.
#[derive(Debug)]
pub(crate) struct CreateOperationResults;

impl DirectiveSyntax for CreateOperationResults {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [operands, types, inferred, ..] = arguments else {
            return Ok(false);
        };
        if !parser.eat("->") {
            return Ok(true);
        }
        if parser.eat("<") {
            parser.expect("inferred")?;
            parser.expect(">")?;
            let unit = parser.context().unit_attribute();
            *inferred = ParsedArgument::Attribute(Some(unit));
            return Ok(true);
        }
        parser.expect("(")?;
        let place = parser.place();
        let names = operand_names(parser)?;
        parser.expect(":")?;
        let read = comma_separated_types(parser)?;
        parser.expect(")")?;
        check_count(names.len(), read.len(), place)?;
        *operands = ParsedArgument::Operands(names);
        *types = ParsedArgument::Types(read);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operands, _, inferred, ..] = arguments else {
            return;
        };
        if inferred.attribute().is_some() {
            return printer.text(" -> <inferred>");
        }
        if !operands.operands().is_empty() {
            printer.text(" -> (");
            crate::func::print_typed_operands(printer, operands.operands());
            printer.text(")");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, _, inferred, ..] = arguments else {
            return false;
        };
        match inferred.attribute() {
            Some(unit) => operands.operands().is_empty() && unit == context.unit_attribute(),
            None => true,
        }
    }
}

/// Custom syntax of `pdl_interp.foreach`: `%item : type in %range {...} {...} -> ^successor`. The
/// type of the range follows from that of its items.
#[derive(Debug)]
pub(crate) struct ForEach;

impl OperationSyntax for ForEach {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.attributes = parser.attribute_dictionary()?;
            parser.expect("->")?;
            operation.successors.push(parser.successor()?);
            return Ok(ParseStep::Done);
        }
        let name = parser.operand_name()?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let location = parser.location()?;
        parser.expect("in")?;
        let context = parser.context();
        let range = match body(context, ty) {
            Some(text) if !text.starts_with("range<") => {
                let text = format!("range<{text}>");
                pdl_type(context, &text)
            }
            _ => None,
        };
        let range = range.ok_or_else(|| AsmError::new(place, "expected a PDL type"))?;
        let values = parser.operand_name()?;
        operation.operands.push(parser.resolve(values, range)?);
        let item = RegionArgument { name, ty, location };
        Ok(ParseStep::Region(vec![item]))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, &[]);
            printer.text(" -> ");
            if let Some(successor) = module.successors(operation).next() {
                printer.successor(successor);
            }
            return PrintStep::Done;
        }
        printer.text(" ");
        if let Some(&item) = entry_arguments(module, operation, 0).first() {
            printer.operand(item);
            printer.text(" : ");
            printer.ty(module.value_type(item));
        }
        printer.text(" in ");
        printer.operands(module.operands(operation));
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let arguments = entry_arguments(module, operation, 0);
        let (mut values, [item]) = (module.operands(operation), &*arguments) else {
            return false;
        };
        let range = values.next().map(|range| module.value_type(range));
        let item = module.value_type(*item);
        let is_range = range.is_some_and(|range| {
            let text = body(context, item).map(|text| format!("range<{text}>"));
            text.is_some() && text.as_deref() == body(context, range)
        });
        is_range
            && values.next().is_none()
            && module.result_count(operation) == 0
            && module.successors(operation).len() == 1
            && module.regions(operation).len() == 1
    }
}

/// Verifies `pdl_interp.create_operation`: results are inferred only of operations that are known.
/// Which of these can infer them, not all definitions state.
#[derive(Debug)]
pub(crate) struct CreatedOperation;

impl OperationVerifier for CreatedOperation {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let name = op
            .attr("name")
            .and_then(|name| op.context.string_value(name));
        let Some(name) = name.filter(|_| op.attr("inferredResultTypes").is_some()) else {
            return Ok(());
        };
        let at = name.iter().position(|&byte| byte == b'.');
        let parts = at.and_then(|at| name.split_at_checked(at));
        let is_known = parts.is_some_and(|(dialect, mnemonic)| {
            let mnemonic = mnemonic.get(1..).unwrap_or_default();
            let dialect = op.context.dialect(dialect);
            dialect.is_some_and(|dialect| {
                let release = op.context.release();
                dialect.operation(mnemonic, release).is_some()
            })
        });
        match is_known {
            true => Ok(()),
            false => Err(VerifyFailure::op(format!(
                "has inferred results, but the created operation '{}' does not support result \
                 type inference (or is not registered)",
                name.escape_ascii()
            ))),
        }
    }
}

/// Verifies `pdl_interp.create_range`: the operands have the elements of the range.
#[derive(Debug)]
pub(crate) struct CreatedRange;

impl OperationVerifier for CreatedRange {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let element = |ty| {
            let text = body(op.context, ty)?;
            let inner = text
                .strip_prefix("range<")
                .and_then(|text| text.strip_suffix('>'));
            Some(inner.unwrap_or(text))
        };
        let Some(expected) = op.result_types().next().and_then(element) else {
            return Ok(());
        };
        match op
            .operand_types()
            .filter_map(element)
            .find(|&found| found != expected)
        {
            None => Ok(()),
            Some(found) => Err(VerifyFailure::op(format!(
                "expected operand to have element type '!pdl.{expected}', but got '!pdl.{found}'"
            ))),
        }
    }
}

/// The type of the elements of `!pdl.range`, without the prefix of the dialect: `range<value>`.
#[derive(Debug)]
pub(crate) struct Element;

impl EntrySyntax for Element {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        match *values.get(0) {
            FieldValue::Type(element) => {
                printer.bare_type(element, "pdl");
                Ok(())
            }
            _ => Err(Invalid::new("expected the type of the elements")),
        }
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let element = parser.bare_type()?;
        if let TypeKind::Dialect { body, .. } = parser.context().type_kind(element)
            && body.mnemonic() == b"range"
        {
            let text = body.text().escape_ascii();
            // Upstream has no space before the type, either.
            let message =
                format!("element of pdl.range cannot be another range, but got'!pdl.{text}'");
            return Err(AsmError::new(place, message));
        }
        values.set(0, FieldValue::Type(element));
        Ok(())
    }
}
