//! Custom syntax of `affine.for`.

use super::maps::{Applied, Given, are_indices, map_of};
use crate::control::Carried;
use crate::func::has_shape;
use crate::helpers::{
    ends_plainly, integer_of, is_one_block, located_arguments, property, segments_property,
    sizes_of,
};
use crate::two_way::{Argument, Asm, Named, TwoWay, add_of_type, failure};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
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

/// The text of a bound.
#[derive(Default)]
struct Limit {
    /// The only operand of the identity map.
    value: Option<Named>,
    /// The result of a constant map.
    constant: Option<i64>,
    prefixed: bool,
    /// Another map with its operands.
    applied: Applied,
}

impl Limit {
    /// Returns the text of a map with its operands; `None` if their number does not match or there
    /// are no results.
    fn of(context: &Context, map: Option<Attribute>, operands: &[Value]) -> Option<Self> {
        let applied = Applied::of(context, map?, operands)?;
        let map = map_of(context, map)?;
        let mut limit = Limit::default();
        let only = match *map.results {
            [only] => context.affine().kind(only),
            _ => None,
        };
        match (only, operands) {
            (Some(AffineExprKind::Constant(value)), []) => limit.constant = Some(value),
            (Some(AffineExprKind::Symbol(_)), [value]) if map.num_dims == 0 => {
                limit.value = Some(Named::of(*value));
            }
            _ => {
                limit.prefixed = map.results.len() != 1;
                limit.applied = applied;
            }
        }
        (!map.results.is_empty()).then_some(limit)
    }

    /// Sets the map and the operands; returns the number of these.
    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        bound: Bound,
    ) -> AsmResult<usize> {
        let place = parser.place();
        let context = parser.context();
        let (symbols, result) = if self.value.is_some() {
            (1, context.affine_mut().symbol(0))
        } else if let Some(value) = self.constant {
            (0, context.affine_mut().constant(value))
        } else {
            if let Some(map) = self.applied.map {
                property(parser, operation, bound.attribute, map);
            }
            return self.applied.add(parser, operation);
        };
        let result = result.map_err(|error| AsmError::new(place, error.to_string()))?;
        let map = context.affine_map_attribute(AffineMap {
            num_dims: 0,
            num_symbols: symbols,
            results: [result].into(),
        });
        property(parser, operation, bound.attribute, map);
        let index = parser.context().index_type();
        add_of_type(parser, operation, &self.value, index)?;
        Ok(symbols as usize)
    }
}

impl Asm<'_, '_> {
    /// A bound: `4`, `%n`, `#map(%a)[%b]` or `min #map(%a)`.
    fn limit(&mut self, limit: &mut Limit, bound: Bound) -> AsmResult<()> {
        if self.is_value_there(limit.value.is_some()) {
            return self.value(limit.value.get_or_insert_default());
        }
        let place = self.place();
        self.optional(bound.prefix, bound.prefix, &mut limit.prefixed);
        if limit.prefixed {
            self.space(" ");
        }
        self.index_or_attribute(&mut limit.constant, &mut limit.applied.map)?;
        if limit.constant.is_some() {
            return Ok(());
        }
        let results = map_of(self.context(), limit.applied.map).map(|map| map.results.len());
        if results.is_none() {
            let message = "expected valid affine map representation for loop bounds";
            return Err(failure(place, message));
        }
        if results > Some(1) && !limit.prefixed {
            let Bound { prefix, name, .. } = bound;
            let message = format!(
                "{name} loop bound affine map with multiple results requires '{prefix}' prefix"
            );
            return Err(failure(place, message));
        }
        self.applied(&mut limit.applied, Given::Map)
    }
}

/// The parsed parts of [`For`].
#[derive(Default)]
pub(crate) struct Content {
    variable: Argument,
    lower: Limit,
    upper: Limit,
    /// `None` for 1.
    step: Option<i64>,
    carried: Carried,
}

impl TwoWay for For {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let [lower, upper, step, sizes] =
            SAID.map(|name| module.attribute(context, operation, name));
        let [lower_count, upper_count, count] = *sizes_of(context, sizes?)? else {
            return None;
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let bounds = lower_count.checked_add(upper_count)?;
        let (bounds, initial) = operands.split_at_checked(bounds)?;
        let (lower_values, upper_values) = bounds.split_at_checked(lower_count)?;
        let arguments = located_arguments(module, operation, 0);
        let (&(variable, location), arguments) = arguments.split_first()?;
        let arguments: Vec<Value> = arguments.iter().map(|argument| argument.0).collect();
        let step = integer_of(context, context.index_type(), step)?;
        let region = module.region(operation, 0);
        let fits = has_shape(module, operation, operands.len(), count, 1)
            && initial.len() == count
            && step >= 0
            && are_indices(context, module, bounds)
            && are_indices(context, module, &[variable])
            && is_one_block(module, region)
            && (count > 0 || ends_plainly(context, module, region, YIELD));
        let lower = Limit::of(context, lower, lower_values)?;
        let upper = Limit::of(context, upper, upper_values)?;
        let carried = Carried::of(module, operation, &arguments, initial)?;
        fits.then(|| Content {
            variable: Argument {
                value: Named::of(variable),
                ty: None,
                location: Some(location),
            },
            lower,
            upper,
            step: Some(step).filter(|&step| step != 1),
            carried,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.argument_name(&mut content.variable)?;
        asm.token("=", " = ")?;
        asm.limit(&mut content.lower, LOWER)?;
        asm.token("to", " to ")?;
        asm.limit(&mut content.upper, UPPER)?;
        if asm.is_there("step", content.step.is_some()) {
            asm.token("step", " step ")?;
            let place = asm.place();
            asm.index_or_attribute(&mut content.step, &mut None)?;
            if content.step.is_none_or(|step| step < 0) {
                let message = "expected step to be representable as a positive signed integer";
                return Err(failure(place, message));
            }
        }
        let mismatch = "mismatch between the number of loop-carried values and results";
        asm.carried(&mut content.carried, mismatch)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let index = parser.context().index_type();
        let step = content.step.unwrap_or(1);
        let step = parser.context().integer_attribute(index, step);
        let step = step.map_err(|error| AsmError::new(place, error.message()))?;
        property(parser, operation, "step", step);
        let lower = content.lower.build(parser, operation, LOWER)?;
        let upper = content.upper.build(parser, operation, UPPER)?;
        segments_property(
            parser,
            operation,
            &[lower, upper, content.carried.pairs.len()],
        );
        content.variable.ty = Some(index);
        let mut arguments = parser.argument_list();
        arguments.extend(content.variable.parsed());
        content.carried.build(parser, operation, &mut arguments)?;
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
