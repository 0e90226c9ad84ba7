//! Custom syntax of the `scf` dialect: loops and conditions.

pub(crate) mod forall;
pub(crate) mod switch;

use crate::control::{Branches, Carried};
use crate::func::has_shape;
use crate::helpers::{
    check_count, ends_plainly, entry_arguments, is_one_block, is_single_block, is_unit, property,
    result_types, segments_property, sizes_of,
};
use crate::two_way::{Asm, Named, TwoWay, add_arguments, add_of_type, add_of_types, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, Operation, Type, Value};

pub(crate) const YIELD: &str = "scf.yield";

/// What operations of `scf` and `emitc` differ in.
#[derive(Debug)]
pub(crate) struct Flavour {
    /// The terminator that the text leaves out.
    pub(crate) terminator: &'static str,
    /// Whether the operation can have results.
    pub(crate) has_results: bool,
    /// The dialect whose prefix is left out in regions.
    pub(crate) default_dialect: &'static str,
}

/// The operations of `scf`.
pub(crate) const SCF: Flavour = Flavour {
    terminator: YIELD,
    has_results: true,
    default_dialect: "",
};

/// Those of `emitc`.
pub(crate) const EMITC: Flavour = Flavour {
    terminator: "emitc.yield",
    has_results: false,
    default_dialect: "emitc",
};

/// Custom syntax of `scf.for` and, without carried values, `emitc.for`:
/// `[unsigned] %i = %a to %b step %c [iter_args(%x = %y) -> (types)] [:
/// type] {...} {...}`.
#[derive(Debug)]
pub(crate) struct For(pub(crate) Flavour);

/// The parsed parts of [`For`].
#[derive(Default)]
pub(crate) struct ForContent {
    unsigned: bool,
    variable: Named,
    /// The lower bound, the upper bound and the step.
    bounds: [Named; 3],
    carried: Carried,
    /// The type of the variable; `None` for `index`.
    ty: Option<Type>,
}

impl TwoWay for For {
    type Content = ForContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ForContent> {
        let unsigned = module.attribute(context, operation, "unsignedCmp");
        let operands: Vec<Value> = module.operands(operation).collect();
        let (&bounds, initial) = operands.split_first_chunk::<3>()?;
        let arguments = entry_arguments(module, operation, 0);
        let (&variable, arguments) = arguments.split_first()?;
        let ty = module.value_type(variable);
        let region = module.region(operation, 0);
        let carried = Carried::of(module, operation, arguments, initial)?;
        let fits = has_shape(module, operation, operands.len(), initial.len(), 1)
            && bounds.iter().all(|&bound| module.value_type(bound) == ty)
            && is_unit(context, unsigned)
            && is_one_block(module, region)
            && (self.0.has_results || initial.is_empty() && unsigned.is_none())
            && (!initial.is_empty() || ends_plainly(context, module, region, self.0.terminator));
        fits.then(|| ForContent {
            unsigned: unsigned.is_some(),
            variable: Named::of(variable),
            bounds: bounds.map(Named::of),
            carried,
            ty: Some(ty).filter(|&ty| ty != context.index_type()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ForContent) -> AsmResult<()> {
        if self.0.has_results {
            asm.optional("unsigned", " unsigned", &mut content.unsigned);
        }
        asm.space(" ");
        asm.value(&mut content.variable)?;
        let [lower, upper, step] = &mut content.bounds;
        asm.token("=", " = ")?;
        asm.value(lower)?;
        asm.token("to", " to ")?;
        asm.value(upper)?;
        asm.token("step", " step ")?;
        asm.value(step)?;
        let mismatch = "mismatch in number of loop-carried values and defined values";
        if self.0.has_results {
            asm.carried(&mut content.carried, mismatch)?;
        }
        if asm.is_there(":", content.ty.is_some()) {
            asm.token(":", "  : ")?;
            asm.ty(&mut content.ty)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ForContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.unsigned {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "unsignedCmp", unit);
        }
        let ty = content.ty.unwrap_or(parser.context().index_type());
        add_of_type(parser, operation, &content.bounds, ty)?;
        let mut arguments = parser.argument_list();
        add_arguments(&mut arguments, [&content.variable], [ty]);
        content.carried.build(parser, operation, &mut arguments)?;
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&["unsignedCmp"])
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(self.0.terminator)
    }

    fn default_dialect(&self) -> &'static str {
        self.0.default_dialect
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}

/// Custom syntax of `scf.if` and, without results, `emitc.if`: `%condition [-> (types)] {...} [else
/// {...}] {...}`.
#[derive(Debug)]
pub(crate) struct If(pub(crate) Flavour);

/// The parsed parts of [`If`].
#[derive(Default)]
pub(crate) struct IfContent {
    condition: Named,
    types: Vec<Type>,
    branches: Branches,
}

impl TwoWay for If {
    type Content = IfContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<IfContent> {
        let condition = module.operand(operation, 0)?;
        let types = result_types(module, operation);
        let fits = has_shape(module, operation, 1, types.len(), 2)
            && module.value_type(condition) == context.i1_type();
        let fits = fits && (self.0.has_results || types.is_empty());
        let branches = Branches::of(context, module, operation, (self.0.terminator, &[]))?;
        fits.then(|| IfContent {
            condition: Named::of(condition),
            types,
            branches,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut IfContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.condition)?;
        match self.0.has_results && asm.is_there("->", !content.types.is_empty()) {
            true => asm.arrow_types(&mut content.types),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let i1 = parser.context().i1_type();
        add_of_type(parser, operation, &[content.condition], i1)?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> Option<IfContent> {
        Some(IfContent {
            branches: Branches::after(context, module, operation, &[]),
            ..IfContent::default()
        })
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut IfContent,
        regions: usize,
    ) -> AsmResult<bool> {
        asm.after_branch(&mut content.branches, regions)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IfContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.branches.build(operation);
        Ok(Vec::new())
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(self.0.terminator)
    }

    fn default_dialect(&self) -> &'static str {
        self.0.default_dialect
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, _: usize) -> bool {
        module.result_count(of) > 0
    }
}

/// Custom syntax of `scf.execute_region`: `[-> types] [no_inline] {...} {...}`.
#[derive(Debug)]
pub(crate) struct ExecuteRegion;

/// The parsed parts of [`ExecuteRegion`].
#[derive(Default)]
pub(crate) struct ExecuteContent {
    types: Vec<Type>,
    no_inline: bool,
}

impl TwoWay for ExecuteRegion {
    type Content = ExecuteContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ExecuteContent> {
        let no_inline = module.attribute(context, operation, "no_inline");
        let types = result_types(module, operation);
        let block = module.first_block(module.region(operation, 0)?)?;
        let fits = has_shape(module, operation, 0, types.len(), 1)
            && is_unit(context, no_inline)
            && module.argument_count(block) == 0
            && module.first_operation(block).is_some();
        fits.then(|| ExecuteContent {
            types,
            no_inline: no_inline.is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ExecuteContent) -> AsmResult<()> {
        asm.optional_arrow_types(&mut content.types)?;
        asm.optional("no_inline", " no_inline", &mut content.no_inline);
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ExecuteContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.result_types = std::mem::take(&mut content.types);
        if content.no_inline {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "no_inline", unit);
        }
        Ok(Some(Vec::new()))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&["no_inline"])
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Custom syntax of `scf.parallel`: `[unsigned] (%i) = (%a) to (%b) step (%c) [init (%x)] [->
/// types] {...} {...}`.
#[derive(Debug)]
pub(crate) struct Parallel;

/// The parsed parts of [`Parallel`].
#[derive(Default)]
pub(crate) struct ParallelContent {
    unsigned: bool,
    variables: Vec<Named>,
    /// The lower bounds, the upper bounds and the steps.
    bounds: [Vec<Named>; 3],
    initial: Vec<Named>,
    types: Vec<Type>,
}

impl TwoWay for Parallel {
    type Content = ParallelContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ParallelContent> {
        let unsigned = module.attribute(context, operation, "unsignedCmp");
        let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
        let sizes = sizes_of(context, sizes)?;
        let operands: Vec<Value> = module.operands(operation).collect();
        let variables = entry_arguments(module, operation, 0);
        let loops = variables.len();
        let (lower, rest) = operands.split_at_checked(loops)?;
        let (upper, rest) = rest.split_at_checked(loops)?;
        let (steps, initial) = rest.split_at_checked(loops)?;
        let index = context.index_type();
        let bounds = [lower, upper, steps];
        let types = result_types(module, operation);
        let initial_types = initial.iter().map(|&value| module.value_type(value));
        let fits = has_shape(module, operation, operands.len(), types.len(), 1)
            && sizes == [loops, loops, loops, initial.len()]
            && is_unit(context, unsigned)
            && bounds
                .iter()
                .copied()
                .flatten()
                .all(|&v| module.value_type(v) == index)
            && initial_types.eq(types.iter().copied())
            && is_single_block(module, module.region(operation, 0), &vec![index; loops]);
        fits.then(|| ParallelContent {
            unsigned: unsigned.is_some(),
            variables: Named::all(variables),
            bounds: bounds.map(|bounds| Named::all(bounds.iter().copied())),
            initial: Named::all(initial.iter().copied()),
            types,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ParallelContent) -> AsmResult<()> {
        asm.optional("unsigned", " unsigned", &mut content.unsigned);
        asm.space(" ");
        asm.values_between(("(", ")"), &mut content.variables)?;
        let count = content.variables.len();
        let before = [("=", " = "), ("to", " to "), ("step", " step ")];
        for ((token, printed), bounds) in before.into_iter().zip(&mut content.bounds) {
            asm.token(token, printed)?;
            let place = asm.place();
            asm.values_between(("(", ")"), bounds)?;
            if bounds.len() != count {
                return Err(failure(place, format!("expected {count} operands")));
            }
        }
        let place = asm.place();
        if asm.is_there("init", !content.initial.is_empty()) {
            asm.token("init", " init ")?;
            asm.values_between(("(", ")"), &mut content.initial)?;
        }
        asm.optional_arrow_types(&mut content.types)?;
        let (initial, types) = (content.initial.len(), content.types.len());
        check_count(initial, types, place.unwrap_or_default())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ParallelContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.unsigned {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "unsignedCmp", unit);
        }
        let index = parser.context().index_type();
        for bounds in &content.bounds {
            add_of_type(parser, operation, bounds, index)?;
        }
        add_of_types(parser, operation, &content.initial, &content.types)?;
        operation.result_types = std::mem::take(&mut content.types);
        let count = content.variables.len();
        segments_property(
            parser,
            operation,
            &[count, count, count, content.initial.len()],
        );
        let mut arguments = parser.argument_list();
        add_arguments(&mut arguments, &content.variables, std::iter::repeat(index));
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&["operandSegmentSizes", "unsignedCmp"])
    }

    fn terminator(&self) -> Option<&'static str> {
        Some("scf.reduce")
    }

    fn shows_terminator(&self, _: &Context, _: &Module, _: Operation, _: usize) -> bool {
        true
    }
}
