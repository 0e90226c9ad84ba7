//! `linalg.map`, `linalg.reduce`, `linalg.transpose` and `linalg.broadcast`: operations whose
//! result has the type of their only output.

use super::body;
use super::inputs_outputs::{
    inputs_and_outputs, print_inputs_and_outputs, scalar_type, scalar_types,
};
use crate::func::has_shape;
use crate::helpers::{
    bracketed, declared_arguments, is_single_block, located_arguments, print_declared_arguments,
    print_region, property,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, MadeOperation, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep, ValueNames,
};
use rmlir_ir::definition::BodyStep;
use rmlir_ir::{
    AttributeKind, Context, Module, NamedAttribute, Operation, Region, Type, TypeKind, Value,
};

/// Custom syntax of `linalg.transpose` and `linalg.broadcast`:
/// `ins(%a : type) outs(%b : type) NAME = [0, 1] {...}`. The region, which is omitted, returns its
/// first argument.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The name of the attribute with the dimensions.
    pub(crate) numbers: &'static str,
}

/// Custom syntax of `linalg.map` and `linalg.reduce`: `[{ operation {...} }] ins(...) outs(...)
/// [dimensions = [0]] {...} [(%in: type, %init: type) {...}]`.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Whether it is `linalg.reduce`, which has dimensions, and whose operation takes the output
    /// first.
    pub(crate) reduces: bool,
}

const DIMENSIONS: &str = "dimensions";
const YIELD: &str = "linalg.yield";

/// Adds the results, whose types are those of the outputs that are tensors.
fn add_results(parser: &mut dyn AsmParser, operation: &mut ParsedOperation, outputs: usize) {
    let first = operation.operands.len().saturating_sub(outputs);
    for &value in operation.operands.iter().skip(first) {
        let ty = parser.module().value_type(value);
        if matches!(
            parser.context().type_kind(ty),
            TypeKind::RankedTensor { .. }
        ) {
            operation.result_types.push(ty);
        }
    }
}

/// Returns whether the result types are those of the outputs that are tensors.
fn results_fit(context: &Context, module: &Module, operation: Operation, outputs: usize) -> bool {
    let first = module.operand_count(operation).saturating_sub(outputs);
    let types = module.operands(operation).skip(first);
    let types = types.map(|value| module.value_type(value));
    let is_tensor = |ty: &Type| matches!(context.type_kind(*ty), TypeKind::RankedTensor { .. });
    let found = module.results(operation).map(|v| module.value_type(v));
    found.eq(types.filter(is_tensor))
}

/// Parses `NAME = [0, 1]`.
fn numbers(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
) -> AsmResult<()> {
    parser.expect(name)?;
    parser.expect("=")?;
    let numbers = bracketed(parser)?;
    let numbers = parser
        .context()
        .i64_array_attribute(numbers.iter().copied());
    property(parser, operation, name, numbers);
    Ok(())
}

/// Prints what [`numbers`] parses, and a space.
fn print_numbers(printer: &mut dyn AsmPrinter, operation: Operation, name: &str) {
    let (context, module) = (printer.context(), printer.module());
    let numbers = module.attribute(context, operation, name);
    let numbers = crate::helpers::numbers(context, numbers).unwrap_or_default();
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    printer.text(&format!(" {name} = [{}] ", numbers.join(", ")));
}

fn has_numbers(context: &Context, module: &Module, operation: Operation, name: &str) -> bool {
    let numbers = module.attribute(context, operation, name);
    crate::helpers::numbers(context, numbers).is_some()
}

/// Returns the scalar types of operands being parsed.
fn scalars(parser: &mut dyn AsmParser, operands: &[Value]) -> Vec<Type> {
    let types: Vec<Type> = operands
        .iter()
        .map(|&value| parser.module().value_type(value))
        .collect();
    let context = parser.context();
    types.iter().map(|&ty| scalar_type(context, ty)).collect()
}

impl OperationSyntax for Moved {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let [_, outputs] = inputs_and_outputs(parser, operation)?;
        add_results(parser, operation, outputs);
        numbers(parser, operation, self.numbers)?;
        operation.attributes = parser.attribute_dictionary()?;
        let types = scalars(parser, &operation.operands);
        if types.is_empty() {
            return Err(AsmError::new(place, "expected operands"));
        }
        let location = Some(parser.source_location());
        let steps = [BodyStep::Argument(0)];
        let from = operation
            .operands
            .iter()
            .map(|&value| parser.module().value_location(value));
        let arguments: Vec<_> = types.into_iter().zip(from).collect();
        let region = body::make(parser, &arguments, &steps, false, (place, location))?;
        operation.regions.push(region);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let attributes = module.all_attributes(context, operation);
        let operands: Vec<Value> = module.operands(operation).collect();
        let (inputs, outputs) = operands.split_at_checked(1).unwrap_or_default();
        print_inputs_and_outputs(printer, inputs, outputs);
        print_numbers(printer, operation, self.numbers);
        printer.attribute_dictionary(&attributes, &[self.numbers]);
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = scalar_types(context, module, &operands);
        let region = module.region(operation, 0);
        let steps = [BodyStep::Argument(0)];
        has_shape(module, operation, 2, module.result_count(operation), 1)
            && results_fit(context, module, operation, 1)
            && has_numbers(context, module, operation, self.numbers)
            && body::is_body(context, module, region, &types, &steps, false)
    }
}

impl Applied {
    /// Returns the number of operands that are outputs.
    fn outputs(&self, operands: usize) -> usize {
        match self.reduces {
            true => operands.checked_div(2).unwrap_or(0),
            false => usize::from(operands > 0),
        }
    }

    /// Returns the arguments that the operation of the short form takes, in order.
    fn taken(&self, mut arguments: Vec<Value>) -> Vec<Value> {
        let last = arguments.pop();
        if let (true, Some(last)) = (self.reduces, last) {
            arguments.insert(0, last);
        }
        arguments
    }

    /// Returns the only operation of the region, if the short form can denote it by its name.
    fn payload(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        let region = module.region(operation, 0)?;
        let block = module.first_block(region)?;
        let payload = module.first_operation(block)?;
        let last = module.next_operation(payload)?;
        let arguments: Vec<Value> = module.arguments(block).map(|(value, _)| value).collect();
        let output = module.value_type(*arguments.last()?);
        let taken = self.taken(arguments);
        let plain = module.inherent_attributes(context, last).is_empty()
            && module.discardable_attributes(context, last).is_empty();
        let result = module.result(payload, 0)?;
        let fits = !taken.is_empty()
            && module.operands(payload).eq(taken.iter().copied())
            && module.next_operation(last).is_none()
            && module.next_block(block).is_none()
            && has_shape(module, payload, taken.len(), 1, 0)
            && has_shape(module, last, 1, 0, 0)
            && context.operation_name_bytes(module.name(last)) == YIELD.as_bytes()
            && module.operand(last, 0) == Some(result)
            && module.value_type(result) == output
            && plain;
        fits.then_some(payload)
    }
}

/// Returns whether an attribute is `#arith.fastmath<none>`, which the short form omits.
fn is_no_fastmath(context: &Context, attribute: &NamedAttribute) -> bool {
    match context.attribute_kind(attribute.1) {
        AttributeKind::Dialect { dialect, body, .. } => {
            context.bytes(*dialect) == b"arith" && body.text() == b"fastmath<none>"
        }
        _ => false,
    }
}

impl Applied {
    /// Creates the region of the short form.
    fn make(
        &self,
        parser: &mut dyn AsmParser,
        operands: &[Value],
        (name, attributes): (&str, &[NamedAttribute]),
        place: usize,
    ) -> AsmResult<Region> {
        let types = scalars(parser, operands);
        let output = types.last().copied();
        let location = Some(parser.source_location());
        let arguments: Vec<_> = types.iter().map(|&ty| (ty, None)).collect();
        let region = parser.make_region(&arguments);
        let module = parser.module();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let arguments: Vec<Value> = arguments.map(|(value, _)| value).collect();
        let result_types: Vec<Type> = output.into_iter().collect();
        let new = MadeOperation {
            name,
            operands: &self.taken(arguments),
            result_types: &result_types,
            properties: attributes,
            location,
            ..MadeOperation::default()
        };
        let made = parser.make_operation(region, &new);
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        let results: Vec<Value> = parser.module().results(made).collect();
        let last = MadeOperation {
            name: YIELD,
            operands: &results,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(region, &last)?;
        Ok(region)
    }
}

impl OperationSyntax for Applied {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let mut short = None;
        if parser.eat("{") {
            let place = parser.place();
            let Some(name) = parser.optional_keyword() else {
                return Err(AsmError::new(place, "expected operation name"));
            };
            let name = parser.context().str(name).into_owned();
            let attributes = parser.attribute_dictionary()?;
            parser.expect("}")?;
            short = Some((name, attributes, place));
        }
        let [_, outputs] = inputs_and_outputs(parser, operation)?;
        add_results(parser, operation, outputs);
        if self.reduces {
            numbers(parser, operation, DIMENSIONS)?;
        }
        operation.attributes = parser.attribute_dictionary()?;
        let Some((name, attributes, place)) = short else {
            return declared_arguments(parser).map(ParseStep::Region);
        };
        let operands = operation.operands.clone();
        let region = self.make(parser, &operands, (&name, &attributes), place)?;
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
            printer.indent(-1);
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let payload = self.payload(context, module, operation).map(|payload| {
            let name = context.operation_name_bytes(module.name(payload));
            let mut attributes = module.all_attributes(context, payload).to_vec();
            let none = attributes.iter().position(|a| is_no_fastmath(context, a));
            if let Some(none) = none {
                attributes.remove(none);
            }
            (String::from_utf8_lossy(name).into_owned(), attributes)
        });
        let attributes = module.all_attributes(context, operation);
        let operands: Vec<Value> = module.operands(operation).collect();
        let arguments = located_arguments(module, operation, 0);
        let first = operands.len().saturating_sub(self.outputs(operands.len()));
        let (inputs, outputs) = operands.split_at_checked(first).unwrap_or_default();
        if let Some((name, attributes)) = &payload {
            printer.text(" { ");
            printer.text(name);
            printer.attribute_dictionary(attributes, &[]);
            printer.text(" }");
        }
        print_inputs_and_outputs(printer, inputs, outputs);
        if self.reduces {
            print_numbers(printer, operation, DIMENSIONS);
        }
        let elided: &[&str] = if self.reduces { &[DIMENSIONS] } else { &[] };
        printer.attribute_dictionary(&attributes, elided);
        if payload.is_some() {
            return PrintStep::Done;
        }
        printer.indent(1);
        printer.newline();
        print_declared_arguments(printer, arguments);
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let results = module.result_count(operation);
        let arguments = located_arguments(module, operation, 0);
        let types: Vec<Type> = arguments.iter().map(|a| module.value_type(a.0)).collect();
        has_shape(module, operation, operands, results, 1)
            && operands > 0
            && (!self.reduces || operands.is_multiple_of(2))
            && results_fit(context, module, operation, self.outputs(operands))
            && (!self.reduces || has_numbers(context, module, operation, DIMENSIONS))
            && is_single_block(module, module.region(operation, 0), &types)
    }
}

impl ValueNames for Applied {
    fn result_names(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        if let Some(result) = module.result(operation, 0) {
            name(result, if self.reduces { "reduced" } else { "mapped" });
        }
    }

    /// Names the arguments of the region `%in` and `%init`.
    fn argument_names(
        &self,
        _: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let operands = module.operand_count(operation);
        let inputs = operands.saturating_sub(self.outputs(operands));
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "in" } else { "init" });
        }
    }
}
