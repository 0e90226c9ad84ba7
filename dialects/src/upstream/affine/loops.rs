//! Custom syntax of `affine.for`.

use super::maps::{Given, inputs, map_of, operand_lists, print_operand_lists, resolve_all};
use crate::control::{parse_carried, print_carried};
use crate::func::has_shape;
use crate::helpers::{
    add_operands, ends_plainly, entry_arguments, integer_of, is_single_block, located_arguments,
    operand_types, print_region, property, region_arguments, result_types, segments_property,
    sizes_of, typed,
};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep, ParsedOperation,
    PrintStep,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Value};

pub(super) const YIELD: &str = "affine.yield";

/// The attributes that the text prints before the region.
const SAID: [&str; 4] = [
    "lowerBoundMap",
    "upperBoundMap",
    "step",
    "operandSegmentSizes",
];

/// Custom syntax of `affine.for`: `%i = bound to bound [step n] [iter_args(%x = %y) -> (types)]
/// {...} {...}`.
#[derive(Debug)]
pub(crate) struct For;

/// One of the two bounds.
#[derive(Clone, Copy)]
struct Bound {
    attribute: &'static str,
    /// The keyword before a map with several results.
    prefix: &'static str,
    name: &'static str,
}

const LOWER: Bound = Bound {
    attribute: "lowerBoundMap",
    prefix: "max",
    name: "lower",
};
const UPPER: Bound = Bound {
    attribute: "upperBoundMap",
    prefix: "min",
    name: "upper",
};

/// Parses a bound, `4`, `%n`, `#map(%a)[%b]` or `min #map(%a)`; returns the number of its operands.
fn bound(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    bound: Bound,
) -> AsmResult<usize> {
    let index = parser.context().index_type();
    if parser.at_operand() {
        let name = parser.operand_name()?;
        operation.operands.push(parser.resolve(name, index)?);
        let place = name.place;
        let symbol = parser.context().affine_mut().symbol(0);
        let symbol = symbol.map_err(|error| AsmError::new(place, error.to_string()))?;
        return put(parser, operation, bound, 0, 1, vec![symbol]).map(|()| 1);
    }
    let place = parser.place();
    let prefixed = parser.eat(bound.prefix);
    let first = parser.place();
    let attribute = parser.attribute_of_type(index)?;
    let context = parser.context();
    if let Some(value) = integer_of(context, index, Some(attribute)) {
        let constant = context.affine_mut().constant(value);
        let constant = constant.map_err(|error| AsmError::new(first, error.to_string()))?;
        return put(parser, operation, bound, 0, 0, vec![constant]).map(|()| 0);
    }
    let Some(results) = map_of(context, Some(attribute)).map(|map| map.results.len()) else {
        return Err(AsmError::new(
            place,
            "expected valid affine map representation for loop bounds",
        ));
    };
    if results > 1 && !prefixed {
        let Bound { prefix, name, .. } = bound;
        let message = format!(
            "{name} loop bound affine map with multiple results requires '{prefix}' prefix"
        );
        return Err(AsmError::new(place, message));
    }
    let inputs = inputs(context, attribute).unwrap_or_default();
    let names = operand_lists(parser, inputs, Given::Map)?;
    let values = resolve_all(parser, names.into_iter(), index)?;
    operation.operands.extend(&values);
    property(parser, operation, bound.attribute, attribute);
    Ok(values.len())
}

fn put(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    bound: Bound,
    num_dims: u32,
    num_symbols: u32,
    results: Vec<rmlir_ir::affine::AffineExpr>,
) -> AsmResult<()> {
    let map = parser.context().affine_map_attribute(AffineMap {
        num_dims,
        num_symbols,
        results: results.into(),
    });
    property(parser, operation, bound.attribute, map);
    Ok(())
}

fn print_bound(
    printer: &mut dyn AsmPrinter,
    attribute: Option<Attribute>,
    operands: &[Value],
    bound: Bound,
) {
    let context = printer.context();
    let (Some(attribute), Some(map)) = (attribute, map_of(context, attribute)) else {
        return;
    };
    let dims = map.num_dims as usize;
    let kinds = (map.num_dims, map.num_symbols, &*map.results);
    if let (0, symbols @ 0..=1, &[result]) = kinds {
        match context.affine().kind(result) {
            Some(AffineExprKind::Constant(value)) if symbols == 0 => {
                return printer.text(&value.to_string());
            }
            Some(AffineExprKind::Symbol(_)) if symbols == 1 => {
                return printer.operands(operands.iter().copied());
            }
            _ => {}
        }
    }
    if map.results.len() != 1 {
        printer.text(bound.prefix);
        printer.text(" ");
    }
    printer.attribute(attribute);
    print_operand_lists(printer, operands, dims);
}

/// Returns the sizes of the operand groups.
fn sizes(context: &Context, module: &Module, operation: Operation) -> Option<[usize; 3]> {
    let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
    sizes_of(context, sizes)?.try_into().ok()
}

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
        let variable = parser.operand_name()?;
        let location = parser.location()?;
        parser.expect("=")?;
        let lower = bound(parser, operation, LOWER)?;
        parser.expect("to")?;
        let upper = bound(parser, operation, UPPER)?;
        let index = parser.context().index_type();
        let mut step = parser.context().integer_attribute(index, 1);
        if parser.eat("step") {
            let place = parser.place();
            let value = parser.attribute_of_type(index)?;
            let number = integer_of(parser.context(), index, Some(value));
            if number.is_none_or(|number| number < 0) {
                let message = "expected step to be representable as a positive signed integer";
                return Err(AsmError::new(place, message));
            }
            step = Ok(value);
        }
        let place = parser.place();
        let step = step.map_err(|error| AsmError::new(place, error.message()))?;
        property(parser, operation, "step", step);
        let mismatch = "mismatch between the number of loop-carried values and results";
        let carried = parse_carried(parser, mismatch)?;
        add_operands(parser, operation, typed(&carried.initial, &carried.types))?;
        segments_property(parser, operation, &[lower, upper, carried.initial.len()]);
        let names: Vec<_> = [variable].into_iter().chain(carried.names).collect();
        let types: Vec<_> = [index].iter().chain(&carried.types).copied().collect();
        operation.result_types = carried.types;
        let mut arguments = region_arguments(&names, &types);
        if let Some(first) = arguments.first_mut() {
            first.location = location;
        }
        Ok(ParseStep::Region(arguments))
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
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (lower_map, upper_map) = (attribute(LOWER.attribute), attribute(UPPER.attribute));
        let step = integer_of(context, context.index_type(), attribute("step")).unwrap_or(1);
        let operands: Vec<Value> = module.operands(operation).collect();
        let variable = located_arguments(module, operation, 0).into_iter().next();
        let arguments = entry_arguments(module, operation, 0);
        let results = result_types(module, operation);
        let [lower, upper, _] = sizes(context, module, operation).unwrap_or_default();
        let (lower, rest) = operands.split_at_checked(lower).unwrap_or_default();
        let (upper, initial) = rest.split_at_checked(upper).unwrap_or_default();
        printer.text(" ");
        if let Some((variable, location)) = variable {
            printer.region_argument_name(variable, location);
        }
        printer.text(" = ");
        print_bound(printer, lower_map, lower, LOWER);
        printer.text(" to ");
        print_bound(printer, upper_map, upper, UPPER);
        if step != 1 {
            printer.text(&format!(" step {step}"));
        }
        let arguments = arguments.get(1..).unwrap_or_default();
        print_carried(printer, arguments, initial, results);
        printer.text(" ");
        print_region(0, !initial.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some([lower, upper, initial]) = sizes(context, module, operation) else {
            return false;
        };
        let bounds = lower.saturating_add(upper);
        let operands = bounds.saturating_add(initial);
        let attribute = |name: &str| module.attribute(context, operation, name);
        let fits = |bound: Bound, count: usize| {
            let map = attribute(bound.attribute);
            let map = map.filter(|_| map_of(context, map).is_some_and(|m| !m.results.is_empty()));
            map.and_then(|map| inputs(context, map))
                .is_some_and(|(dims, symbols)| dims.saturating_add(symbols) == count)
        };
        let types = operand_types(module, operation, 0);
        let index = context.index_type();
        let Some((bound_types, initial_types)) = types.split_at_checked(bounds) else {
            return false;
        };
        let mut arguments = vec![index];
        arguments.extend_from_slice(initial_types);
        let region = module.region(operation, 0);
        has_shape(module, operation, operands, initial, 1)
            && fits(LOWER, lower)
            && fits(UPPER, upper)
            && integer_of(context, index, attribute("step")).is_some_and(|step| step >= 0)
            && bound_types.iter().all(|&ty| ty == index)
            && result_types(module, operation) == initial_types
            && is_single_block(module, region, &arguments)
            && (initial > 0 || ends_plainly(context, module, region, YIELD))
    }
}
