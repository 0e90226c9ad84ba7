//! Custom syntax of `stablehlo.reduce`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, bracketed, is_single_block, located_arguments, operand_types,
    print_optional_arrow_types, print_region, property, result_types, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, MadeOperation, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep, RegionArgument,
};
use rmlir_ir::{Context, Module, Operation, OperationTraits, Type, TypeKind, Value};

/// Custom syntax of `stablehlo.reduce`: `(%a init: %b) [applies OPERATION] across dimensions = [0]
/// {...} : types [reducer(%x: type, %y: type) {...}]`.
#[derive(Debug)]
pub(crate) struct Reduce {
    /// The prefix of operations that the short form can denote.
    prefix: &'static str,
    /// The terminator of the body.
    end: &'static str,
    /// Whether the dimensions are stored as dense elements instead of a dense array.
    elements: bool,
}

/// Custom syntax of `stablehlo.reduce`.
pub(crate) static REDUCE: Reduce = Reduce {
    prefix: "stablehlo.",
    end: "stablehlo.return",
    elements: false,
};

/// Custom syntax of `mhlo.reduce`.
pub(crate) static MHLO: Reduce = Reduce {
    prefix: "mhlo.",
    end: "mhlo.return",
    elements: true,
};

impl Reduce {
    /// Returns the dimensions, if they are stored as this operation stores them.
    fn dimensions(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Vec<i64>> {
        let dimensions = module.attribute(context, operation, "dimensions");
        if !self.elements {
            return crate::helpers::numbers(context, dimensions);
        }
        let rmlir_ir::AttributeKind::DenseElements { ty, .. } = context.attribute_kind(dimensions?)
        else {
            return None;
        };
        match context.type_kind(*ty) {
            TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            } if shape.len() == 1 && *element == context.i64_type() => {
                context.dense_integers(dimensions?)
            }
            _ => None,
        }
    }
}

/// Parses `(%a init: %b), (%c init: %d)`: inputs and initial values.
fn pairs(
    parser: &mut dyn AsmParser,
) -> AsmResult<(
    Vec<rmlir_ir::asm::OperandName>,
    Vec<rmlir_ir::asm::OperandName>,
)> {
    let (mut inputs, mut initial) = (Vec::new(), Vec::new());
    loop {
        parser.expect("(")?;
        inputs.push(parser.operand_name()?);
        parser.expect("init")?;
        parser.expect(":")?;
        initial.push(parser.operand_name()?);
        parser.expect(")")?;
        if !parser.eat(",") {
            return Ok((inputs, initial));
        }
    }
}

/// Parses `(%x: type, %y: type) (...)`; returns the arguments of the body, first the elements, then
/// the accumulators.
fn reducer(parser: &mut dyn AsmParser) -> AsmResult<Vec<RegionArgument>> {
    let (mut elements, mut accumulated) = (Vec::new(), Vec::new());
    while parser.eat("(") {
        elements.push(argument(parser)?);
        parser.expect(",")?;
        accumulated.push(argument(parser)?);
        parser.expect(")")?;
    }
    elements.extend(accumulated);
    Ok(elements)
}

fn argument(parser: &mut dyn AsmParser) -> AsmResult<RegionArgument> {
    let name = parser.operand_name()?;
    parser.expect(":")?;
    let ty = parser.ty()?;
    let location = parser.location()?;
    Ok(RegionArgument { name, ty, location })
}

/// Returns the rank-0 tensor type with a shaped type's element type.
fn scalar(context: &mut Context, ty: Type) -> Option<Type> {
    let kind = TypeKind::RankedTensor {
        shape: Box::default(),
        element: context.element_type(ty)?,
        encoding: None,
    };
    context.try_type(kind).ok()
}

/// Returns the only operation of the body, if the short form can denote it by its name.
fn applied(
    syntax: &Reduce,
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<Operation> {
    let region = module.region(operation, 0)?;
    let block = module.first_block(region)?;
    let arguments: Vec<Value> = module.arguments(block).map(|(value, _)| value).collect();
    let inner = module.first_operation(block)?;
    let last = module.next_operation(inner)?;
    let result = module.result(inner, 0)?;
    let ty = module.value_type(result);
    let input = module.value_type(module.operand(operation, 0)?);
    let is_scalar = matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { shape, element, encoding: None }
            if shape.is_empty() && context.element_type(input) == Some(*element)
    );
    let name = context.operation_name_bytes(module.name(inner));
    let traits = context.operation_traits(module.name(inner))?;
    let plain = |operation| {
        module.inherent_attributes(context, operation).is_empty()
            && module.discardable_attributes(context, operation).is_empty()
    };
    let fits = name.starts_with(syntax.prefix.as_bytes())
        && traits.contains(OperationTraits::COMMUTATIVE)
        && arguments.len() == 2
        && module.next_block(block).is_none()
        && module.next_operation(last).is_none()
        && context.operation_name_bytes(module.name(last)) == syntax.end.as_bytes()
        && has_shape(module, inner, 2, 1, 0)
        && has_shape(module, last, 1, 0, 0)
        && module.operands(inner).eq(arguments.iter().copied())
        && module.operand(last, 0) == Some(result)
        && arguments
            .iter()
            .all(|&value| module.value_type(value) == ty)
        && is_scalar
        && plain(inner)
        && plain(last);
    fits.then_some(inner)
}

impl OperationSyntax for Reduce {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let (inputs, initial) = pairs(parser)?;
        let mut inner = None;
        if parser.eat("applies") {
            let place = parser.place();
            let Some(name) = parser.optional_keyword() else {
                return Err(AsmError::new(place, "expected operation name"));
            };
            inner = Some((parser.context().str(name).into_owned(), place));
        }
        parser.expect("across")?;
        parser.expect("dimensions")?;
        parser.expect("=")?;
        let dimensions = bracketed(parser)?;
        let context = parser.context();
        let i64 = context.i64_type();
        let dimensions = match self.elements {
            true => crate::helpers::dense_integers(context, i64, &dimensions, false),
            false => Some(context.i64_array_attribute(dimensions.iter().copied())),
        };
        if let Some(dimensions) = dimensions {
            property(parser, operation, "dimensions", dimensions);
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let type_place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function {
            inputs: input_types,
            results,
        } = parser.context().type_kind(ty).clone()
        else {
            return Err(AsmError::new(type_place, "expected function type"));
        };
        let names: Vec<_> = inputs.into_iter().chain(initial).collect();
        crate::helpers::check_count(names.len(), input_types.len(), place)?;
        add_operands(parser, operation, typed(&names, &input_types))?;
        operation.result_types = results.to_vec();
        let Some((name, name_place)) = inner else {
            parser.expect("reducer")?;
            return reducer(parser).map(ParseStep::Region);
        };
        operation.location = parser.location()?;
        let location = operation.location;
        let first = input_types.first().copied();
        let Some(ty) = first.and_then(|ty| scalar(parser.context(), ty)) else {
            return Err(AsmError::new(type_place, "expected shaped types"));
        };
        let location = Some(location.unwrap_or_else(|| parser.source_location()));
        let region = parser.make_region(&[(ty, location), (ty, location)]);
        let module = parser.module();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let arguments: Vec<Value> = arguments.map(|(value, _)| value).collect();
        let new = MadeOperation {
            name: &name,
            operands: &arguments,
            result_types: &[ty],
            location,
            ..MadeOperation::default()
        };
        let made = parser.make_operation(region, &new);
        let made = made.map_err(|error| AsmError::new(name_place, error.message()))?;
        let result = parser.module().result(made, 0);
        let result: Vec<Value> = result.into_iter().collect();
        let last = MadeOperation {
            name: self.end,
            operands: &result,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(region, &last)?;
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
        let inner = applied(self, context, module, operation).map(|inner| {
            let name = context.operation_name_bytes(module.name(inner));
            String::from_utf8_lossy(name).into_owned()
        });
        let attributes = module.all_attributes(context, operation);
        let dimensions = self.dimensions(context, module, operation);
        let dimensions = dimensions.unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let arguments = located_arguments(module, operation, 0);
        let half = operands.len().checked_div(2).unwrap_or(0);
        let (inputs, initial) = operands.split_at_checked(half).unwrap_or_default();
        for (number, (&input, &initial)) in inputs.iter().zip(initial).enumerate() {
            printer.text(if number > 0 { ", (" } else { "(" });
            printer.operand(input);
            printer.text(" init: ");
            printer.operand(initial);
            printer.text(")");
        }
        if let Some(name) = &inner {
            printer.text(" applies ");
            printer.text(name);
        }
        let dimensions: Vec<String> = dimensions.iter().map(i64::to_string).collect();
        printer.text(&format!(" across dimensions = [{}]", dimensions.join(", ")));
        printer.attribute_dictionary(&attributes, &["dimensions"]);
        printer.text(" : (");
        printer.types(types.into_iter());
        printer.text(")");
        match results.is_empty() {
            true => printer.text(" -> ()"),
            false => print_optional_arrow_types(printer, &results),
        }
        if inner.is_some() {
            return PrintStep::Done;
        }
        printer.newline();
        printer.text(" reducer");
        let (elements, accumulated) = arguments.split_at_checked(half).unwrap_or_default();
        for (element, accumulated) in elements.iter().zip(accumulated) {
            printer.text("(");
            printer.region_argument(element.0, element.1, &[]);
            printer.text(", ");
            printer.region_argument(accumulated.0, accumulated.1, &[]);
            printer.text(") ");
        }
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let operands = module.operand_count(operation);
        let results = module.result_count(operation);
        let region = module.region(operation, 0);
        let arguments = located_arguments(module, operation, 0);
        let types: Vec<Type> = arguments.iter().map(|a| module.value_type(a.0)).collect();
        operands > 0
            && operands.is_multiple_of(2)
            && arguments.len() == operands
            && has_shape(module, operation, operands, results, 1)
            && is_single_block(module, region, &types)
            && self.dimensions(context, module, operation).is_some()
    }
}
