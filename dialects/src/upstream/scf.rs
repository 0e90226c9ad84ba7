//! Custom syntax of the `scf` dialect: loops and conditions.

pub(crate) mod forall;
pub(crate) mod switch;

use crate::control::{
    has_branches, parse_branch_end, parse_carried, print_branches, print_carried,
};
use crate::func::has_shape;
use crate::helpers::{
    add_operands, check_count, ends_plainly, entry_arguments, is_single_block, is_unit,
    names_between, operand_types, optional_arrow_types, print_optional_arrow_types, print_region,
    property, region_arguments, result_types, segments_property, sizes_of, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Value};

pub(crate) const YIELD: &str = "scf.yield";

/// Custom syntax of `scf.for`: `[unsigned] %i = %a to %b step %c [iter_args(%x = %y) -> (types)] [:
/// type] {...} {...}`.
#[derive(Debug)]
pub(crate) struct For;

impl OperationSyntax for For {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator(YIELD)?;
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        if parser.eat("unsigned") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "unsignedCmp", unit);
        }
        let variable = parser.operand_name()?;
        parser.expect("=")?;
        let lower = parser.operand_name()?;
        parser.expect("to")?;
        let upper = parser.operand_name()?;
        parser.expect("step")?;
        let step = parser.operand_name()?;
        let mismatch = "mismatch in number of loop-carried values and defined values";
        let carried = parse_carried(parser, mismatch)?;
        let ty = match parser.eat(":") {
            true => parser.ty()?,
            false => parser.context().index_type(),
        };
        for name in [lower, upper, step] {
            operation.operands.push(parser.resolve(name, ty)?);
        }
        add_operands(parser, operation, typed(&carried.initial, &carried.types))?;
        let names: Vec<_> = [variable].into_iter().chain(carried.names).collect();
        let types: Vec<_> = [ty].iter().chain(&carried.types).copied().collect();
        operation.result_types = carried.types;
        Ok(ParseStep::Region(region_arguments(&names, &types)))
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
            printer.attribute_dictionary(&attributes, &["unsignedCmp"]);
            return PrintStep::Done;
        }
        let unsigned = module
            .attribute(context, operation, "unsignedCmp")
            .is_some();
        let operands: Vec<Value> = module.operands(operation).collect();
        let arguments = entry_arguments(module, operation, 0);
        let types = operand_types(module, operation, 3);
        let ([variable, arguments @ ..], [lower, upper, step, initial @ ..]) =
            (arguments.as_slice(), operands.as_slice())
        else {
            return PrintStep::Done;
        };
        let (ty, index) = (module.value_type(*variable), context.index_type());
        printer.text(if unsigned { " unsigned " } else { " " });
        printer.operand(*variable);
        printer.text(" = ");
        printer.operand(*lower);
        printer.text(" to ");
        printer.operand(*upper);
        printer.text(" step ");
        printer.operand(*step);
        print_carried(printer, arguments, initial, types);
        printer.text(" ");
        if ty != index {
            printer.text(" : ");
            printer.ty(ty);
            printer.text(" ");
        }
        print_region(0, !initial.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let types = operand_types(module, operation, 0);
        let [ty, upper, step, initial @ ..] = types.as_slice() else {
            return false;
        };
        let mut arguments = vec![*ty];
        arguments.extend_from_slice(initial);
        let region = module.region(operation, 0);
        has_shape(module, operation, operands, results, 1)
            && ty == upper
            && ty == step
            && result_types(module, operation) == initial
            && is_unit(context, module.attribute(context, operation, "unsignedCmp"))
            && is_single_block(module, region, &arguments)
            && (!initial.is_empty() || ends_plainly(context, module, region, YIELD))
    }
}

/// Custom syntax of `scf.if`: `%condition [-> (types)] {...} [else {...}] {...}`.
#[derive(Debug)]
pub(crate) struct If;

impl OperationSyntax for If {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions == 0 {
            let condition = parser.operand_name()?;
            let i1 = parser.context().i1_type();
            operation.operands.push(parser.resolve(condition, i1)?);
            operation.result_types = optional_arrow_types(parser)?;
            return Ok(ParseStep::Region(Vec::new()));
        }
        parse_branch_end(parser, operation, regions, YIELD)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions == 0 {
            let module = printer.module();
            let types = result_types(module, operation);
            printer.text(" ");
            if let Some(condition) = module.operand(operation, 0) {
                printer.operand(condition);
            }
            if !types.is_empty() {
                printer.text(" -> (");
                printer.types(types.into_iter());
                printer.text(")");
            }
            printer.text(" ");
        }
        print_branches(printer, operation, regions, &[])
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let results = module.result_count(operation);
        let condition = module.operand(operation, 0);
        has_shape(module, operation, 1, results, 2)
            && condition.map(|v| module.value_type(v)) == Some(context.i1_type())
            && has_branches(context, module, operation, YIELD)
    }
}

/// Custom syntax of `scf.execute_region`: `[-> types] [no_inline] {...} {...}`.
#[derive(Debug)]
pub(crate) struct ExecuteRegion;

impl OperationSyntax for ExecuteRegion {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        operation.result_types = optional_arrow_types(parser)?;
        if parser.eat("no_inline") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "no_inline", unit);
        }
        Ok(ParseStep::Region(Vec::new()))
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
            printer.attribute_dictionary(&attributes, &["no_inline"]);
            return PrintStep::Done;
        }
        let no_inline = module.attribute(context, operation, "no_inline").is_some();
        let types = result_types(module, operation);
        print_optional_arrow_types(printer, &types);
        printer.text(if no_inline { " no_inline " } else { " " });
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let region = module.region(operation, 0);
        let first = region.and_then(|region| module.first_block(region));
        has_shape(module, operation, 0, module.result_count(operation), 1)
            && is_unit(context, module.attribute(context, operation, "no_inline"))
            && first.is_some_and(|block| {
                module.argument_count(block) == 0 && module.first_operation(block).is_some()
            })
    }
}

/// Custom syntax of `scf.parallel`: `(%i) = (%a) to (%b) step (%c) [init (%x)] [-> types] {...}
/// {...}`.
#[derive(Debug)]
pub(crate) struct Parallel;

impl OperationSyntax for Parallel {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator("scf.reduce")?;
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let variables = names_between(parser, "(", ")")?;
        let mut sizes = Vec::new();
        let index = parser.context().index_type();
        for before in ["=", "to", "step"] {
            parser.expect(before)?;
            let place = parser.place();
            let names = names_between(parser, "(", ")")?;
            if names.len() != variables.len() {
                let message = format!("expected {} operands", variables.len());
                return Err(AsmError::new(place, message));
            }
            sizes.push(names.len());
            for name in names {
                operation.operands.push(parser.resolve(name, index)?);
            }
        }
        let place = parser.place();
        let initial = match parser.eat("init") {
            true => names_between(parser, "(", ")")?,
            false => Vec::new(),
        };
        sizes.push(initial.len());
        let types = optional_arrow_types(parser)?;
        check_count(initial.len(), types.len(), place)?;
        add_operands(parser, operation, typed(&initial, &types))?;
        operation.result_types = types;
        segments_property(parser, operation, &sizes);
        let types = vec![index; variables.len()];
        Ok(ParseStep::Region(region_arguments(&variables, &types)))
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
            printer.attribute_dictionary(&attributes, &["operandSegmentSizes"]);
            return PrintStep::Done;
        }
        let arguments = entry_arguments(module, operation, 0);
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = result_types(module, operation);
        let loops = arguments.len();
        let mut lists = operands.chunks(loops.max(1));
        let mut start = 0usize;
        printer.text(" (");
        printer.operands(arguments.into_iter());
        for before in [") = (", ") to (", ") step ("] {
            printer.text(before);
            if loops > 0 {
                printer.operands(lists.next().unwrap_or_default().iter().copied());
                start = start.saturating_add(loops);
            }
        }
        printer.text(")");
        let initial = operands.get(start..).unwrap_or_default();
        if !initial.is_empty() {
            printer.text(" init (");
            printer.operands(initial.iter().copied());
            printer.text(")");
        }
        print_optional_arrow_types(printer, &types);
        printer.text(" ");
        print_region(0, true)
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        let loops = entry_arguments(module, operation, 0).len();
        let index = context.index_type();
        let bounds = loops.saturating_mul(3);
        let types = operand_types(module, operation, 0);
        let Some((bound_types, initial)) = types.split_at_checked(bounds) else {
            return false;
        };
        let sizes = module.attribute(context, operation, "operandSegmentSizes");
        let sizes = sizes.and_then(|sizes| sizes_of(context, sizes));
        has_shape(module, operation, operands, results, 1)
            && sizes.as_deref() == Some(&[loops, loops, loops, initial.len()])
            && bound_types.iter().all(|&ty| ty == index)
            && result_types(module, operation) == initial
            && is_single_block(module, module.region(operation, 0), &vec![index; loops])
    }
}
