//! Custom syntax of `scf.forall`.

use crate::control::Carried;
use crate::func::has_shape;
use crate::helpers::{
    entry_arguments, is_one_block, numbers, property, segments_property, sizes_of,
};
use crate::index_list::Index;
use crate::two_way::{Asm, Named, TwoWay, add_arguments, add_of_type, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, Operation, Region, Value};

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

/// The parsed parts of [`Forall`].
#[derive(Default)]
pub(crate) struct Content {
    variables: Vec<Named>,
    /// Whether the lower bounds are 0 and the steps 1, which the text does not have then.
    is_normalized: bool,
    /// The lower bounds, the upper bounds and the steps.
    bounds: [Vec<Index>; 3],
    outputs: Carried,
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

impl TwoWay for Forall {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let [sizes, lower, upper, step] =
            SAID.map(|name| module.attribute(context, operation, name));
        let [a, b, c, count] = *sizes_of(context, sizes?)? else {
            return None;
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let (bounds, outputs) = operands.split_at_checked(a.checked_add(b)?.checked_add(c)?)?;
        let (lower_values, rest) = bounds.split_at_checked(a)?;
        let (upper_values, step_values) = rest.split_at_checked(b)?;
        let list = |values, statics| Index::all(values, &numbers(context, statics)?);
        let (lower, upper) = (list(lower_values, lower)?, list(upper_values, upper)?);
        let step = list(step_values, step)?;
        let arguments = entry_arguments(module, operation, 0);
        let (variables, shared) = arguments.split_at_checked(upper.len())?;
        let index = context.index_type();
        let region = module.region(operation, 0);
        let fits = has_shape(module, operation, operands.len(), count, 1)
            && outputs.len() == count
            && lower.len() == upper.len()
            && step.len() == upper.len()
            && bounds
                .iter()
                .chain(variables)
                .all(|&v| module.value_type(v) == index)
            && is_one_block(module, region)
            && (count > 0 || ends_plainly(context, module, region));
        let outputs = Carried::of(module, operation, shared, outputs)?;
        fits.then(|| Content {
            variables: Named::all(variables.iter().copied()),
            is_normalized: Index::are(&lower, 0) && Index::are(&step, 1),
            bounds: [lower, upper, step],
            outputs,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.values_between(BRACKETS, &mut content.variables)?;
        let count = content.variables.len();
        let place = asm.place();
        let [lower, upper, step] = &mut content.bounds;
        asm.optional("in", " in ", &mut content.is_normalized);
        if content.is_normalized {
            *lower = Index::repeated(0, count);
            asm.index_list(BRACKETS, upper, false)?;
            *step = Index::repeated(1, count);
        } else {
            asm.token("=", " = ")?;
            asm.index_list(BRACKETS, lower, false)?;
            asm.token("to", " to ")?;
            asm.index_list(BRACKETS, upper, false)?;
            asm.token("step", " step ")?;
            asm.index_list(BRACKETS, step, false)?;
        }
        if content.bounds.iter().any(|bounds| bounds.len() != count) {
            return Err(failure(place, format!("expected {count} operands")));
        }
        let place = asm.place();
        let outputs = &mut content.outputs;
        if asm.is_there("shared_outs", !outputs.pairs.is_empty()) {
            asm.token("shared_outs", " shared_outs")?;
            asm.assignments(&mut outputs.pairs)?;
            if !outputs.pairs.is_empty() || asm.is_there("->", false) {
                asm.arrow_types(&mut outputs.types)?;
            }
        }
        match outputs.pairs.len() == outputs.types.len() {
            true => Ok(()),
            false => Err(failure(place, "mismatch between out operands and types")),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let index = parser.context().index_type();
        let mut sizes = Vec::new();
        for (bounds, name) in content.bounds.iter().zip(SAID.into_iter().skip(1)) {
            sizes.push(Index::values(bounds).count());
            add_of_type(parser, operation, Index::values(bounds), index)?;
            let array = Index::array(parser.context(), bounds);
            property(parser, operation, name, array);
        }
        sizes.push(content.outputs.pairs.len());
        segments_property(parser, operation, &sizes);
        let mut arguments = parser.argument_list();
        add_arguments(&mut arguments, &content.variables, std::iter::repeat(index));
        content.outputs.build(parser, operation, &mut arguments)?;
        Ok(Some(arguments))
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
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
        Ok(())
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&SAID)
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}
