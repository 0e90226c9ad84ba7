//! Syntax shared by loops and conditions of several dialects.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, assignments, ends_plainly, entry_arguments, is_single_block, operand_types,
    optional_arrow_types, print_assignments, print_optional_arrow_types, print_region,
    region_arguments, result_types, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Context, Module, Operation, Type, TypeKind, Value};

/// Parses what follows a branch: `[else {...}] {...}`. Blocks may omit the terminator.
pub(crate) fn parse_branch_end(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    regions: usize,
    terminator: &str,
) -> AsmResult<ParseStep> {
    parser.ensure_terminator(terminator)?;
    if regions == 1 {
        if parser.eat("else") {
            return Ok(ParseStep::Region(Vec::new()));
        }
        operation.empty_regions = 1;
    }
    operation.attributes = parser.attribute_dictionary()?;
    Ok(ParseStep::Done)
}

/// Prints the next of two branches, or what follows them.
pub(crate) fn print_branches(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    regions: usize,
    elided: &[&str],
) -> PrintStep {
    let (context, module) = (printer.context(), printer.module());
    let otherwise = module.region(operation, 1);
    let has_else = otherwise.is_some_and(|region| module.first_block(region).is_some());
    match regions {
        0 => {}
        1 if has_else => printer.text(" else "),
        _ => {
            let attributes = module.all_attributes(context, operation);
            printer.attribute_dictionary(&attributes, elided);
            return PrintStep::Done;
        }
    }
    print_region(regions, module.result_count(operation) > 0)
}

/// Returns whether an operation has two branches that [`print_branches`] can print, the second of
/// which may be empty.
pub(crate) fn has_branches(
    context: &Context,
    module: &Module,
    operation: Operation,
    terminator: &str,
) -> bool {
    let results = module.result_count(operation);
    let is_body = |region| {
        is_single_block(module, region, &[])
            && (results > 0 || ends_plainly(context, module, region, terminator))
    };
    let otherwise = module.region(operation, 1);
    let no_else = otherwise.is_some_and(|region| module.first_block(region).is_none());
    is_body(module.region(operation, 0)) && (no_else || is_body(otherwise))
}

/// The loop-carried values of a loop.
#[derive(Default)]
pub(crate) struct Carried {
    /// The names within the region.
    pub(crate) names: Vec<OperandName>,
    /// The initial values.
    pub(crate) initial: Vec<OperandName>,
    pub(crate) types: Vec<Type>,
}

/// Parses `iter_args(%x = %y) -> (types)`, if it is next; `mismatch` is the error for a wrong
/// number of types.
pub(crate) fn parse_carried(parser: &mut dyn AsmParser, mismatch: &str) -> AsmResult<Carried> {
    let place = parser.place();
    if !parser.eat("iter_args") {
        return Ok(Carried::default());
    }
    let (names, initial) = assignments(parser)?;
    if !parser.at("->") {
        parser.expect("->")?;
    }
    let types = optional_arrow_types(parser)?;
    if types.len() != initial.len() {
        return Err(AsmError::new(place, mismatch));
    }
    Ok(Carried {
        names,
        initial,
        types,
    })
}

/// Prints ` iter_args(%x = %y) -> (types)`; nothing if there are no loop-carried values.
pub(crate) fn print_carried(
    printer: &mut dyn AsmPrinter,
    arguments: &[Value],
    initial: &[Value],
    types: Vec<Type>,
) {
    if initial.is_empty() {
        return;
    }
    print_assignments(printer, " iter_args", arguments, initial);
    printer.text(" -> (");
    printer.types(types.into_iter());
    printer.text(")");
}

/// Parses `(%a = %x)`, if it is next.
pub(crate) fn optional_assignments(
    parser: &mut dyn AsmParser,
) -> AsmResult<(Vec<OperandName>, Vec<OperandName>)> {
    match parser.at("(") {
        true => assignments(parser),
        false => Ok((Vec::new(), Vec::new())),
    }
}

/// Prints the types of results; ` -> ()` if there are none.
pub(crate) fn print_results(printer: &mut dyn AsmPrinter, types: &[Type]) {
    match types.is_empty() {
        true => printer.text(" -> ()"),
        false => print_optional_arrow_types(printer, types),
    }
}

/// Custom syntax of a `while` operation with two regions: `[(%a = %b)] : (types) -> types {...} do
/// {...} attributes {...}`. The second region declares its arguments itself.
#[derive(Debug)]
pub(crate) struct While;

impl OperationSyntax for While {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        match regions {
            0 => {}
            1 => {
                parser.expect("do")?;
                return Ok(ParseStep::Region(Vec::new()));
            }
            _ => {
                operation.attributes = parser.attribute_dictionary_with_keyword()?;
                return Ok(ParseStep::Done);
            }
        }
        let (names, values) = optional_assignments(parser)?;
        let place = parser.place();
        parser.expect(":")?;
        let ty = parser.ty()?;
        let TypeKind::Function { inputs, results } = parser.context().type_kind(ty).clone() else {
            let message = "invalid kind of type specified: expected builtin.function";
            return Err(AsmError::new(place, message));
        };
        let (expected, found) = (values.len(), inputs.len());
        if expected != found {
            let message = format!(
                "expected as many input types as operands (expected {expected} got {found})"
            );
            return Err(AsmError::new(place, message));
        }
        add_operands(parser, operation, typed(&values, &inputs))?;
        operation.result_types = results.to_vec();
        Ok(ParseStep::Region(region_arguments(&names, &inputs)))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        match regions {
            0 => {
                let initial: Vec<Value> = module.operands(operation).collect();
                let types = operand_types(module, operation, 0);
                if !initial.is_empty() {
                    let arguments = entry_arguments(module, operation, 0);
                    print_assignments(printer, " ", &arguments, &initial);
                }
                printer.text(" : (");
                printer.types(types.into_iter());
                printer.text(")");
                print_results(printer, &result_types(module, operation));
                printer.text(" ");
            }
            1 => printer.text(" do "),
            _ => {
                let attributes = module.all_attributes(context, operation);
                printer.attribute_dictionary_with_keyword(&attributes, &[]);
                return PrintStep::Done;
            }
        }
        PrintStep::Region {
            number: regions,
            entry_arguments: regions == 1,
            terminators: true,
        }
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let results = module.result_count(operation);
        let after = module.region(operation, 1);
        let after = after.and_then(|region| module.first_block(region));
        has_shape(module, operation, types.len(), results, 2)
            && is_single_block(module, module.region(operation, 0), &types)
            && after.is_some_and(|block| {
                module.next_block(block).is_none() && module.first_operation(block).is_some()
            })
    }
}
