//! Custom syntax of `chlo.scan`.

use crate::func::has_shape;
use crate::function::property;
use crate::helpers::{
    add_operands, check_count, integer_of, names_between, operand_types, result_types,
    segment_sizes, segments_property, sizes_of, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep, ValueNames,
};
use rmlir_ir::{Context, Module, Operation, Region, TypeKind, Value};

/// Custom syntax of `chlo.scan`: `(%inputs) inits (%inits) dimension=0 attributes {...} {...} :
/// (types) -> (types)`.
#[derive(Debug)]
pub(crate) struct Scan;

/// The attributes that the operation prints outside of its attribute dictionary.
const ELSEWHERE: [&str; 3] = ["dimension", "operandSegmentSizes", "resultSegmentSizes"];

/// Returns the numbers of inputs and initial values, or of the corresponding results.
fn sizes(
    context: &Context,
    module: &Module,
    operation: Operation,
    name: &str,
    count: usize,
) -> Option<[usize; 2]> {
    let sizes = module.attribute(context, operation, name)?;
    let [first, second] = *sizes_of(context, sizes)?.as_slice() else {
        return None;
    };
    (first.checked_add(second) == Some(count)).then_some([first, second])
}

impl Scan {
    /// Returns the numbers of inputs and initial values.
    fn inputs(context: &Context, module: &Module, operation: Operation) -> Option<[usize; 2]> {
        let count = module.operand_count(operation);
        sizes(context, module, operation, "operandSegmentSizes", count)
    }
}

impl OperationSyntax for Scan {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let inputs = names_between(parser, "(", ")")?;
            parser.expect("inits")?;
            let inits = names_between(parser, "(", ")")?;
            segments_property(parser, operation, &[inputs.len(), inits.len()]);
            operation.names = inputs;
            operation.names.extend(&inits);
            operation.numbers = vec![i64::try_from(inits.len()).unwrap_or(i64::MAX)];
            parser.expect("dimension")?;
            parser.expect("=")?;
            let i64_type = parser.context().i64_type();
            let dimension = parser.attribute_of_type(i64_type)?;
            property(parser, operation, "dimension", dimension);
            operation.attributes = parser.attribute_dictionary_with_keyword()?;
            return Ok(ParseStep::Region(Vec::new()));
        }
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function { inputs, results } = parser.context().type_kind(ty).clone() else {
            return Err(AsmError::new(place, "expected function type"));
        };
        let names = std::mem::take(&mut operation.names);
        check_count(names.len(), inputs.len(), place)?;
        add_operands(parser, operation, typed(&names, &inputs))?;
        // There is one carried result for each initial value.
        let carried = operation.numbers.first().copied().unwrap_or_default();
        let carried = usize::try_from(carried).unwrap_or(usize::MAX);
        let Some(outputs) = results.len().checked_sub(carried) else {
            return Err(AsmError::new(
                place,
                "expected a result for each initial value",
            ));
        };
        if let Some(sizes) = segment_sizes(parser.context(), &[outputs, carried]) {
            property(parser, operation, "resultSegmentSizes", sizes);
        }
        operation.result_types = results.into_vec();
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        if regions > 0 {
            let inputs = operand_types(module, operation, 0);
            let results = result_types(module, operation);
            printer.text(" : (");
            printer.types(inputs.into_iter());
            printer.text(") -> (");
            printer.types(results.into_iter());
            printer.text(")");
            return PrintStep::Done;
        }
        let attributes = module.all_attributes(context, operation);
        let [inputs, _] = Self::inputs(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let (inputs, inits) = operands.split_at_checked(inputs).unwrap_or_default();
        let dimension = module.attribute(context, operation, "dimension");
        let dimension = integer_of(context, context.i64_type(), dimension).unwrap_or_default();
        printer.text("(");
        printer.operands(inputs.iter().copied());
        printer.text(") inits (");
        printer.operands(inits.iter().copied());
        printer.text(&format!(") dimension={dimension} "));
        printer.attribute_dictionary_with_keyword(&attributes, &ELSEWHERE);
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: true,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let dimension = module.attribute(context, operation, "dimension");
        let inputs = Self::inputs(context, module, operation);
        let outputs = sizes(context, module, operation, "resultSegmentSizes", results);
        let block = module
            .region(operation, 0)
            .and_then(|region| module.first_block(region));
        has_shape(module, operation, operands, results, 1)
            && integer_of(context, context.i64_type(), dimension).is_some()
            && inputs.zip(outputs).is_some_and(|([_, a], [_, b])| a == b)
            && block.is_some()
    }
}

/// Names the arguments of the region `%input` and `%carry`.
impl ValueNames for Scan {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        let [inputs, _] = Self::inputs(context, module, operation).unwrap_or_default();
        let block = module.first_block(region);
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        for (number, (argument, _)) in arguments.enumerate() {
            name(argument, if number < inputs { "input" } else { "carry" });
        }
    }
}
