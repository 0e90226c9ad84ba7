//! Custom syntax of `affine.parallel`.

use super::loops::YIELD;
use super::maps::{
    can_print_map, expressions, map_attribute, map_of, print_expressions, resolve_all,
};
use crate::func::has_shape;
use crate::helpers::{
    comma_separated, ends_plainly, entry_arguments, integer_of, is_single_block, names_between,
    operand_types, optional_arrow_types, print_region, property, region_arguments, result_types,
};
use rmlir_ir::asm::{
    AffineOperands, AsmError, AsmParser, AsmPrinter, AsmResult, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::definition::EnumCase;
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, TypeKind, Value};

const SAID: [&str; 6] = [
    "reductions",
    "lowerBoundsMap",
    "lowerBoundsGroups",
    "upperBoundsMap",
    "upperBoundsGroups",
    "steps",
];

/// Custom syntax of `affine.parallel`: `(%i) = (bounds) to (bounds) [step (n)] [reduce ("kind") ->
/// types] {...} {...}`.
#[derive(Debug)]
pub(crate) struct Parallel;

/// The bounds of one side: the names of their attributes, and the keyword before a group of
/// several.
#[derive(Clone, Copy)]
struct Side {
    map: &'static str,
    groups: &'static str,
    prefix: &'static str,
}

const LOWER: Side = Side {
    map: "lowerBoundsMap",
    groups: "lowerBoundsGroups",
    prefix: "max",
};
const UPPER: Side = Side {
    map: "upperBoundsMap",
    groups: "upperBoundsGroups",
    prefix: "min",
};

/// Parses a list of bounds: `(%a, max(%b, 4))`.
fn bounds(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    side: Side,
) -> AsmResult<()> {
    let mut operands = AffineOperands::default();
    let (mut results, mut groups) = (Vec::new(), Vec::new());
    parser.expect("(")?;
    if !parser.eat(")") {
        loop {
            let group = match parser.eat(side.prefix) {
                true => {
                    parser.expect("(")?;
                    expressions(parser, &mut operands, ")")?
                }
                false => vec![parser.affine_expression(&mut operands)?],
            };
            operands.separate();
            groups.push(group.len());
            results.extend(group);
            if !parser.eat(",") {
                parser.expect(")")?;
                break;
            }
        }
    }
    let index = parser.context().index_type();
    let values = resolve_all(parser, operands.names(), index)?;
    operation.operands.extend(values);
    let map = map_attribute(parser.context(), &operands, results);
    property(parser, operation, side.map, map);
    let place = parser.place();
    let groups = groups_attribute(parser.context(), &groups);
    let groups = groups.ok_or_else(|| AsmError::new(place, "too many bounds"))?;
    property(parser, operation, side.groups, groups);
    Ok(())
}

/// Returns the attribute with the number of results of the map that each bound has.
fn groups_attribute(context: &mut Context, groups: &[usize]) -> Option<Attribute> {
    let ty = TypeKind::RankedTensor {
        shape: vec![i64::try_from(groups.len()).ok()?].into(),
        element: context.i32_type(),
        encoding: None,
    };
    let ty = context.try_type(ty).ok()?;
    let splat = matches!(groups, [first, rest @ ..] if rest.iter().all(|n| n == first));
    let mut data = Vec::new();
    for &group in groups.iter().take(if splat { 1 } else { groups.len() }) {
        data.extend_from_slice(&i32::try_from(group).ok()?.to_le_bytes());
    }
    let kind = AttributeKind::DenseElements {
        ty,
        splat,
        data: data.into(),
    };
    context.try_attribute(kind).ok()
}

fn groups(context: &Context, attribute: Option<Attribute>) -> Option<Vec<usize>> {
    let AttributeKind::DenseElements { ty, splat, data } = context.attribute_kind(attribute?)
    else {
        return None;
    };
    if context.element_type(*ty) != Some(context.i32_type()) {
        return None;
    }
    let number = |bytes: &[u8]| {
        let bits = bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
        usize::try_from(bits.cast_signed()).ok()
    };
    let numbers: Vec<usize> = data.chunks_exact(4).map(number).collect::<Option<_>>()?;
    match (splat, numbers.as_slice()) {
        // A sanity limit: a splat must not make the list long.
        (true, &[number]) => {
            let count = usize::try_from(context.element_count(*ty)?).ok()?;
            (count <= 1 << 16).then(|| vec![number; count])
        }
        _ => Some(numbers),
    }
}

fn print_bounds(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    operands: &[Value],
    side: Side,
) {
    let (context, module) = (printer.context(), printer.module());
    let map = map_of(context, module.attribute(context, operation, side.map)).cloned();
    let groups = groups(context, module.attribute(context, operation, side.groups));
    let (Some(map), Some(groups)) = (map, groups) else {
        return;
    };
    let dims = map.num_dims as usize;
    let mut rest = &*map.results;
    for (number, size) in groups.into_iter().enumerate() {
        let (group, behind) = rest.split_at_checked(size).unwrap_or_default();
        rest = behind;
        if number > 0 {
            printer.text(", ");
        }
        if size != 1 {
            printer.text(side.prefix);
            printer.text("(");
        }
        print_expressions(printer, group, operands, dims);
        if size != 1 {
            printer.text(")");
        }
    }
}

/// Returns the kinds of reductions, from the definition of `arith`.
fn kinds(context: &Context) -> Vec<EnumCase> {
    let arith = context.dialect(b"arith");
    let found = arith.and_then(|arith| {
        let mut enums = arith.enums.iter();
        let found = enums.find(|kind| kind.name == "AtomicRMWKind");
        found.map(|kind| kind.cases.to_vec())
    });
    found.unwrap_or_default()
}

/// Returns the integers of an array of `i64` attributes.
fn integers(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute?) else {
        return None;
    };
    let number = |&item: &Attribute| integer_of(context, context.i64_type(), Some(item));
    items.iter().map(number).collect()
}

/// Returns an array of `i64` attributes.
fn integers_attribute(
    context: &mut Context,
    numbers: impl IntoIterator<Item = i64>,
) -> Option<Attribute> {
    let i64_type = context.i64_type();
    let items: Option<Vec<Attribute>> = numbers
        .into_iter()
        .map(|number| context.integer_attribute(i64_type, number).ok())
        .collect();
    Some(context.array_attribute(&items?))
}

fn array_property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    numbers: Vec<i64>,
) {
    if let Some(array) = integers_attribute(parser.context(), numbers) {
        property(parser, operation, name, array);
    }
}

/// Parses `("addf", "mulf")`.
fn reductions(parser: &mut dyn AsmParser) -> AsmResult<Vec<i64>> {
    let cases = kinds(parser.context());
    parser.expect("(")?;
    let numbers = comma_separated(parser, |parser| {
        let place = parser.place();
        let value = parser.attribute()?;
        let Some(text) = parser.context().string_value(value) else {
            return Err(AsmError::new(place, "expected a string"));
        };
        let mut found = cases.iter().filter(|case| case.keyword.as_bytes() == text);
        let Some(case) = found.next() else {
            let message = format!("invalid reduction value: {}", text.escape_ascii());
            return Err(AsmError::new(place, message));
        };
        Ok(case.value)
    })?;
    parser.expect(")")?;
    Ok(numbers)
}

impl OperationSyntax for Parallel {
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
        let variables = names_between(parser, "(", ")")?;
        parser.expect("=")?;
        bounds(parser, operation, LOWER)?;
        parser.expect("to")?;
        bounds(parser, operation, UPPER)?;
        let mut steps = vec![1; variables.len()];
        if parser.eat("step") {
            steps.clear();
            parser.expect("(")?;
            let mut end = parser.eat(")");
            while !end {
                let place = parser.place();
                let Some(step) = parser.optional_integer()? else {
                    return Err(AsmError::new(place, "steps must be constant integers"));
                };
                steps.push(step);
                end = !parser.eat(",");
                if end {
                    parser.expect(")")?;
                }
            }
        }
        array_property(parser, operation, "steps", steps);
        let reductions = match parser.eat("reduce") {
            true => reductions(parser)?,
            false => Vec::new(),
        };
        array_property(parser, operation, "reductions", reductions);
        operation.result_types = optional_arrow_types(parser)?;
        let index = parser.context().index_type();
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
            printer.attribute_dictionary(&attributes, &SAID);
            return PrintStep::Done;
        }
        let attribute = |name: &str| module.attribute(context, operation, name);
        let steps = integers(context, attribute("steps")).unwrap_or_default();
        let reductions = integers(context, attribute("reductions")).unwrap_or_default();
        let lower = map_of(context, attribute(LOWER.map));
        let lower = lower.map_or(0, |m| m.num_dims.saturating_add(m.num_symbols) as usize);
        let operands: Vec<Value> = module.operands(operation).collect();
        let arguments = entry_arguments(module, operation, 0);
        let types = result_types(module, operation);
        let cases = kinds(context);
        let (lower, upper) = operands.split_at_checked(lower).unwrap_or_default();
        printer.text(" (");
        printer.operands(arguments.into_iter());
        printer.text(") = (");
        print_bounds(printer, operation, lower, LOWER);
        printer.text(") to (");
        print_bounds(printer, operation, upper, UPPER);
        printer.text(")");
        if steps.iter().any(|&step| step != 1) {
            let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
            printer.text(&format!(" step ({})", steps.join(", ")));
        }
        if !types.is_empty() {
            let keyword = |kind: &i64| {
                let case = cases.iter().find(|case| case.value == *kind);
                case.map_or_else(String::new, |case| format!("\"{}\"", case.keyword))
            };
            let words: Vec<String> = reductions.iter().map(keyword).collect();
            printer.text(&format!(" reduce ({})", words.join(", ")));
            printer.text(" -> (");
            printer.types(types.iter().copied());
            printer.text(")");
        }
        printer.text(" ");
        print_region(0, !types.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let operands = module.operand_count(operation);
        let results = module.result_count(operation);
        let arguments = entry_arguments(module, operation, 0).len();
        let inputs = |side: Side| {
            let map = map_of(context, attribute(side.map))?;
            (map.num_dims as usize).checked_add(map.num_symbols as usize)
        };
        let fits = |side: Side, operands: usize| {
            let map = map_of(context, attribute(side.map));
            let groups = groups(context, attribute(side.groups));
            map.zip(groups).is_some_and(|(map, groups)| {
                groups.iter().try_fold(0usize, |n, &g| n.checked_add(g)) == Some(map.results.len())
                    && can_print_map(context, map, operands)
            })
        };
        let cases = kinds(context);
        let known = |kinds: Vec<i64>| {
            kinds.len() == results && kinds.iter().all(|k| cases.iter().any(|c| c.value == *k))
        };
        let index = context.index_type();
        let region = module.region(operation, 0);
        let Some((lower, upper)) = inputs(LOWER).zip(inputs(UPPER)) else {
            return false;
        };
        lower.checked_add(upper) == Some(operands)
            && has_shape(module, operation, operands, results, 1)
            && fits(LOWER, lower)
            && fits(UPPER, upper)
            && integers(context, attribute("steps")).is_some_and(|s| s.len() == arguments)
            && integers(context, attribute("reductions")).is_some_and(known)
            && operand_types(module, operation, 0)
                .iter()
                .all(|&ty| ty == index)
            && is_single_block(module, region, &vec![index; arguments])
            && (results > 0 || ends_plainly(context, module, region, YIELD))
    }
}
