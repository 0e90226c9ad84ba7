//! Custom syntax of `affine.parallel`.

use super::loops::YIELD;
use super::maps::{Expression, Expressions, map_of};
use crate::func::has_shape;
use crate::helpers::{
    ends_plainly, entry_arguments, integer_of, is_single_block, property, result_types,
};
use crate::two_way::{Asm, Named, TwoWay, add_arguments};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::definition::EnumCase;
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type, TypeKind, Value};

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

/// Returns the kind of reductions that fits, from the definition of `arith`.
fn kind(context: &Context, fits: impl Fn(&EnumCase) -> bool) -> Option<EnumCase> {
    let arith = context.dialect(b"arith")?;
    let kinds = arith.enumeration_in("AtomicRMWKind", context.release())?;
    kinds.cases.iter().find(|case| fits(case)).cloned()
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

/// The bounds of one side.
#[derive(Default)]
struct Bounds(Expressions);

impl Bounds {
    /// Returns the bounds of a side with their operands, and the other operands; `None` if they do
    /// not match.
    fn of<'v>(
        context: &Context,
        (module, operation): (&Module, Operation),
        side: Side,
        values: &'v [Value],
    ) -> Option<(Self, &'v [Value])> {
        let [map, sizes] =
            [side.map, side.groups].map(|name| module.attribute(context, operation, name));
        let map = map_of(context, map)?;
        let inputs = (map.num_dims as usize).checked_add(map.num_symbols as usize)?;
        let (values, others) = values.split_at_checked(inputs)?;
        let sizes = groups(context, sizes)?;
        let all = Expressions::of(context, module, map, values, &sizes)?;
        Some((Bounds(all), others))
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        side: Side,
    ) -> AsmResult<()> {
        self.0.add(parser, operation)?;
        let map = self.0.map(parser.context());
        property(parser, operation, side.map, map);
        let place = parser.place();
        let sizes: Vec<usize> = self.0.groups.iter().map(Vec::len).collect();
        let sizes = groups_attribute(parser.context(), &sizes);
        let sizes = sizes.ok_or_else(|| AsmError::new(place, "too many bounds"))?;
        property(parser, operation, side.groups, sizes);
        Ok(())
    }
}

impl Asm<'_, '_> {
    /// `(%a, max(%b, 4))`: the bounds of a side.
    fn bounds(&mut self, bounds: &mut Bounds, side: Side) -> AsmResult<()> {
        let Expressions { groups, operands } = &mut bounds.0;
        self.list(("(", ")"), groups, |asm, group| {
            if asm.is_there(side.prefix, group.len() != 1) {
                asm.token(side.prefix, side.prefix)?;
                asm.list(("(", ")"), group, |asm, one| {
                    asm.affine_expression(one, operands)
                })?;
            } else {
                group.resize_with(1, Expression::default);
                for one in group {
                    asm.affine_expression(one, operands)?;
                }
            }
            operands.separate();
            Ok(())
        })
    }

    /// `"addf"`: the kind of a reduction.
    fn reduction(&mut self, value: &mut i64) -> AsmResult<()> {
        let parser = match self {
            Asm::Parser(parser) => parser,
            Asm::Printer(printer) => {
                let case = kind(printer.context(), |case| case.value == *value);
                let word = case.map_or_else(Default::default, |case| case.keyword);
                printer.string(word.as_bytes());
                return Ok(());
            }
        };
        let place = parser.place();
        let read = parser.attribute()?;
        let context = parser.context();
        let Some(text) = context.string_value(read) else {
            return Err(AsmError::new(place, "expected a string"));
        };
        let Some(case) = kind(context, |case| case.keyword.as_bytes() == text) else {
            let message = format!("invalid reduction value: {}", text.escape_ascii());
            return Err(AsmError::new(place, message));
        };
        *value = case.value;
        Ok(())
    }
}

/// The parsed parts of [`Parallel`].
#[derive(Default)]
pub(crate) struct Content {
    variables: Vec<Named>,
    lower: Bounds,
    upper: Bounds,
    /// `None` if all are 1.
    steps: Option<Vec<i64>>,
    reductions: Vec<i64>,
    types: Vec<Type>,
}

impl TwoWay for Parallel {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let steps = integers(context, attribute("steps"))?;
        let reductions = integers(context, attribute("reductions"))?;
        let operands: Vec<Value> = module.operands(operation).collect();
        let here = (module, operation);
        let (lower, rest) = Bounds::of(context, here, LOWER, &operands)?;
        let (upper, rest) = Bounds::of(context, here, UPPER, rest)?;
        let variables = entry_arguments(module, operation, 0);
        let types = result_types(module, operation);
        let is_known = |&value: &i64| kind(context, |case| case.value == value).is_some();
        let region = module.region(operation, 0);
        let fits = rest.is_empty()
            && has_shape(module, operation, operands.len(), types.len(), 1)
            && steps.len() == variables.len()
            && reductions.len() == types.len()
            && reductions.iter().all(is_known)
            && is_single_block(module, region, &vec![context.index_type(); variables.len()])
            && (!types.is_empty() || ends_plainly(context, module, region, YIELD));
        fits.then(|| Content {
            variables: Named::all(variables),
            lower,
            upper,
            steps: Some(steps).filter(|steps| steps.iter().any(|&step| step != 1)),
            reductions,
            types,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.values_between(("(", ")"), &mut content.variables)?;
        asm.token("=", " = ")?;
        asm.bounds(&mut content.lower, LOWER)?;
        asm.token("to", " to ")?;
        asm.bounds(&mut content.upper, UPPER)?;
        if asm.is_there("step", content.steps.is_some()) {
            asm.token("step", " step ")?;
            let steps = content.steps.get_or_insert_default();
            asm.list(("(", ")"), steps, |asm, step| {
                asm.integer_or(step, "steps must be constant integers")
            })?;
        }
        if asm.is_there("reduce", !content.types.is_empty()) {
            asm.token("reduce", " reduce ")?;
            asm.token("(", "(")?;
            asm.items(&mut content.reductions, |asm, kind| asm.reduction(kind))?;
            asm.token(")", ")")?;
        }
        match asm.is_there("->", !content.types.is_empty()) {
            true => asm.arrow_types(&mut content.types),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.lower.build(parser, operation, LOWER)?;
        content.upper.build(parser, operation, UPPER)?;
        let loops = content.variables.len();
        let steps = content.steps.take().unwrap_or_else(|| vec![1; loops]);
        array_property(parser, operation, "steps", steps);
        let reductions = std::mem::take(&mut content.reductions);
        array_property(parser, operation, "reductions", reductions);
        operation.result_types = std::mem::take(&mut content.types);
        let index = parser.context().index_type();
        let mut arguments = parser.argument_list();
        add_arguments(&mut arguments, &content.variables, std::iter::repeat(index));
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&SAID)
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(YIELD)
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}
