//! Custom syntax of `scf.forall`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, assignments, entry_arguments, is_single_block, names_between, numbers,
    operand_types, optional_arrow_types, print_assignments, print_region, property,
    region_arguments, result_types, segments_property, sizes_of, typed,
};
use crate::index_list::{index_list, print_index_list};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, MadeOperation, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, DYNAMIC, Module, Operation, Region, Value};

const END: &str = "scf.forall.in_parallel";
const SAID: [&str; 4] = [
    "operandSegmentSizes",
    "staticLowerBound",
    "staticUpperBound",
    "staticStep",
];
const BRACKETS: (&str, &str) = ("(", ")");

/// Custom syntax of `scf.forall`: `(%i) in (%n) [shared_outs(%x = %y) -> (types)] {...} {...}`, or
/// `(%i) = (%a) to (%b) step (%c) ...`.
#[derive(Debug)]
pub(crate) struct Forall;

/// Returns the numbers of operands that are lower bounds, upper bounds, steps and outputs.
fn sizes(context: &Context, module: &Module, operation: Operation) -> Option<[usize; 4]> {
    let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
    sizes_of(context, sizes)?.try_into().ok()
}

/// Returns the static lower bounds, upper bounds and steps.
fn statics(context: &Context, module: &Module, operation: Operation) -> Option<[Vec<i64>; 3]> {
    let list = |name| numbers(context, module.attribute(context, operation, name));
    let [_, lower, upper, step] = SAID;
    Some([list(lower)?, list(upper)?, list(step)?])
}

/// Returns whether the terminator of a region can be omitted: it has no operands, attributes or
/// operations.
fn ends_plainly(context: &Context, module: &Module, region: Option<Region>) -> bool {
    let block = region.and_then(|region| module.last_block(region));
    let Some(last) = block.and_then(|block| module.last_operation(block)) else {
        return false;
    };
    let inner = module.region(last, 0);
    context.operation_name_bytes(module.name(last)) == END.as_bytes()
        && has_shape(module, last, 0, 0, 1)
        && module.inherent_attributes(context, last).is_empty()
        && module.discardable_attributes(context, last).is_empty()
        && inner
            .and_then(|inner| module.first_block(inner))
            .is_some_and(|block| {
                module.first_operation(block).is_none()
                    && module.next_block(block).is_none()
                    && module.argument_count(block) == 0
            })
}

impl OperationSyntax for Forall {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            if let Some(region) = parser.region().filter(|_| parser.lacks_terminator()) {
                let location = Some(parser.source_location());
                let inner = parser.make_region(&[]);
                let end = MadeOperation {
                    name: END,
                    regions: &[inner],
                    location,
                    ..MadeOperation::default()
                };
                parser.make_operation(region, &end)?;
            }
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let variables = names_between(parser, "(", ")")?;
        let count = variables.len();
        let place = parser.place();
        let lists = if parser.eat("in") {
            let upper = index_list(parser, BRACKETS, None)?;
            let plain = |number: i64| (Vec::new(), vec![number; count]);
            [plain(0), upper, plain(1)]
        } else {
            parser.expect("=")?;
            let lower = index_list(parser, BRACKETS, None)?;
            parser.expect("to")?;
            let upper = index_list(parser, BRACKETS, None)?;
            parser.expect("step")?;
            [lower, upper, index_list(parser, BRACKETS, None)?]
        };
        let index = parser.context().index_type();
        let mut sizes = Vec::new();
        for ((names, numbers), name) in lists.into_iter().zip(SAID.into_iter().skip(1)) {
            if numbers.len() != count {
                let message = format!("expected {count} operands");
                return Err(AsmError::new(place, message));
            }
            sizes.push(names.len());
            for name in names {
                operation.operands.push(parser.resolve(name, index)?);
            }
            let array = parser
                .context()
                .i64_array_attribute(numbers.iter().copied());
            property(parser, operation, name, array);
        }
        let (mut arguments, mut outputs) = (Vec::new(), Vec::new());
        let place = parser.place();
        if parser.eat("shared_outs") {
            (arguments, outputs) = assignments(parser)?;
            if !outputs.is_empty() && !parser.at("->") {
                parser.expect("->")?;
            }
            operation.result_types = optional_arrow_types(parser)?;
        }
        let types = operation.result_types.clone();
        if types.len() != outputs.len() {
            return Err(AsmError::new(
                place,
                "mismatch between out operands and types",
            ));
        }
        add_operands(parser, operation, typed(&outputs, &types))?;
        sizes.push(outputs.len());
        segments_property(parser, operation, &sizes);
        let mut argument_types = vec![index; count];
        argument_types.extend(types);
        let names: Vec<_> = variables.into_iter().chain(arguments).collect();
        Ok(ParseStep::Region(region_arguments(&names, &argument_types)))
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
            printer.attribute_dictionary(&attributes, &SAID);
            return PrintStep::Done;
        }
        let sizes = sizes(context, module, operation).unwrap_or_default();
        let [lower, upper, step] = statics(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let arguments = entry_arguments(module, operation, 0);
        let results = result_types(module, operation);
        let [a, b, c, _] = sizes;
        let (lower_values, rest) = operands.split_at_checked(a).unwrap_or_default();
        let (upper_values, rest) = rest.split_at_checked(b).unwrap_or_default();
        let (step_values, outputs) = rest.split_at_checked(c).unwrap_or_default();
        let (variables, shared) = arguments.split_at_checked(upper.len()).unwrap_or_default();
        printer.text(" (");
        printer.operands(variables.iter().copied());
        if lower.iter().all(|&n| n == 0) && step.iter().all(|&n| n == 1) {
            printer.text(") in ");
            print_index_list(printer, BRACKETS, upper_values, (&upper, &[]));
        } else {
            printer.text(") = ");
            print_index_list(printer, BRACKETS, lower_values, (&lower, &[]));
            printer.text(" to ");
            print_index_list(printer, BRACKETS, upper_values, (&upper, &[]));
            printer.text(" step ");
            print_index_list(printer, BRACKETS, step_values, (&step, &[]));
        }
        if !outputs.is_empty() {
            print_assignments(printer, " shared_outs", shared, outputs);
            printer.text(" -> (");
            printer.types(results.into_iter());
            printer.text(")");
        }
        printer.text(" ");
        print_region(0, !outputs.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (Some(sizes), Some(statics)) = (
            sizes(context, module, operation),
            statics(context, module, operation),
        ) else {
            return false;
        };
        let [a, b, c, outputs] = sizes;
        let [lower, upper, step] = &statics;
        let count = upper.len();
        let dynamic = |list: &Vec<i64>| list.iter().filter(|&&n| n == DYNAMIC).count();
        let bounds = a.saturating_add(b).saturating_add(c);
        let types = operand_types(module, operation, 0);
        let index = context.index_type();
        let Some((bound_types, output_types)) = types.split_at_checked(bounds) else {
            return false;
        };
        let mut arguments = vec![index; count];
        arguments.extend_from_slice(output_types);
        let region = module.region(operation, 0);
        has_shape(module, operation, types.len(), outputs, 1)
            && [lower, upper, step].iter().all(|list| list.len() == count)
            && [dynamic(lower), dynamic(upper), dynamic(step)] == [a, b, c]
            && output_types.len() == outputs
            && bound_types.iter().all(|&ty| ty == index)
            && result_types(module, operation) == output_types
            && is_single_block(module, region, &arguments)
            && (outputs > 0 || ends_plainly(context, module, region))
    }
}
