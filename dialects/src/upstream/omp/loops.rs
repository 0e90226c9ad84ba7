//! Loops: `omp.loop_nest` and `omp.canonical_loop`.

use crate::helpers::{
    add_operands, check_count, entry_arguments, integer_of, is_unit, numbers, property,
    region_arguments, segments_property,
};
use crate::two_way::{Asm, Named, TwoWay, other_attributes};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::definition::OperationTraits;
use rmlir_ir::{
    Context, Message, Module, NamedAttribute, Op, Operation, OperationVerifier, Region, Type,
    Value, VerifyFailure, VerifyResult,
};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The syntax `(%i, %j) : type = (%a, %b) to (%c, %d) inclusive step (%e, %f) collapse(2)
/// tiles(4, 8) {...}`.
#[derive(Debug)]
pub(crate) struct Nest;

/// The parsed parts of [`Nest`].
#[derive(Default)]
pub(crate) struct NestContent {
    variables: Vec<Named>,
    ty: Option<Type>,
    bounds: [Vec<Named>; 3],
    inclusive: bool,
    collapse: Option<i64>,
    tiles: Vec<i64>,
}

/// Returns the name of the attribute for a range with its end, which depends on the release.
fn name_of_inclusive(context: &Context) -> &'static str {
    let release = context.release();
    let dialect = context.dialect(b"omp");
    let definition = (dialect.as_ref()).and_then(|omp| omp.operation(b"loop_nest", release));
    let is_older =
        definition.is_some_and(|definition| definition.attribute("inclusive", release).is_some());
    if is_older {
        "inclusive"
    } else {
        "loop_inclusive"
    }
}

impl TwoWay for Nest {
    type Content = NestContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<NestContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let variables = entry_arguments(module, operation, 0);
        let ty = module.value_type(*variables.first()?);
        let operands: Vec<_> = module.operands(operation).collect();
        let count = variables.len();
        let (lower, rest) = operands.split_at_checked(count)?;
        let (upper, steps) = rest.split_at_checked(count)?;
        let mut all = operands.iter().chain(&variables);
        let of_inclusive = name_of_inclusive(context);
        let elided = ["collapse_num_loops", of_inclusive, "tile_sizes"];
        let collapse = match attribute("collapse_num_loops") {
            None => None,
            collapse => Some(integer_of(context, context.i64_type(), collapse)?),
        };
        let tiles = match attribute("tile_sizes") {
            None => Vec::new(),
            tiles => numbers(context, tiles).filter(|tiles| !tiles.is_empty())?,
        };
        let inclusive = attribute(of_inclusive);
        let fits = steps.len() == count
            && all.all(|&value| module.value_type(value) == ty)
            && module.result_count(operation) == 0
            && is_unit(context, inclusive)
            && collapse.is_none_or(|collapse| collapse > 0)
            && tiles.iter().all(|&tile| tile > 0)
            // Upstream neither prints nor reads other attributes.
            && other_attributes(context, module, operation, &elided).is_empty();
        let named = |values: &[rmlir_ir::Value]| values.iter().copied().map(Named::of).collect();
        fits.then(|| NestContent {
            variables: named(&variables),
            ty: Some(ty),
            bounds: [named(lower), named(upper), named(steps)],
            inclusive: inclusive.is_some(),
            collapse,
            tiles,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut NestContent) -> AsmResult<()> {
        let one = |asm: &mut Asm<'_, '_>, one: &mut Named| asm.value(one);
        asm.list((" (", ")"), &mut content.variables, one)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        asm.token("=", " = ")?;
        let [lower, upper, steps] = &mut content.bounds;
        asm.list(("(", ")"), lower, one)?;
        asm.token("to", " to ")?;
        asm.list(("(", ")"), upper, one)?;
        asm.optional("inclusive", " inclusive", &mut content.inclusive);
        asm.token("step", " step ")?;
        asm.list(("(", ")"), steps, one)?;
        let collapses = content.collapse.is_some_and(|collapse| collapse > 1);
        if asm.is_there("collapse", collapses) {
            asm.token("collapse", " collapse")?;
            asm.token("(", "(")?;
            asm.integer(content.collapse.get_or_insert_default())?;
            asm.token(")", ")")?;
        }
        if asm.is_there("tiles", !content.tiles.is_empty()) {
            asm.token("tiles", " tiles")?;
            asm.list(("(", ")"), &mut content.tiles, |asm, tile| {
                asm.integer(tile)
            })?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut NestContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let Some(ty) = content.ty else {
            return Err(AsmError::new(parser.place(), "expected a type"));
        };
        let variables = Named::names(&content.variables);
        for bounds in &content.bounds {
            let bounds = Named::names(bounds);
            check_count(bounds.len(), variables.len(), parser.place())?;
            add_operands(parser, operation, bounds.into_iter().map(|name| (name, ty)))?;
        }
        if let Some(collapse) = content.collapse.filter(|&collapse| collapse > 1) {
            let context = parser.context();
            let i64 = context.i64_type();
            if let Ok(collapse) = context.integer_attribute(i64, collapse) {
                property(parser, operation, "collapse_num_loops", collapse);
            }
        }
        if content.inclusive {
            let unit = parser.context().unit_attribute();
            let name = name_of_inclusive(parser.context());
            property(parser, operation, name, unit);
        }
        if !content.tiles.is_empty() {
            let tiles = parser
                .context()
                .i64_array_attribute(content.tiles.iter().copied());
            property(parser, operation, "tile_sizes", tiles);
        }
        let types = vec![ty; variables.len()];
        Ok(Some(region_arguments(&variables, &types)))
    }
}

/// The syntax `(%handle) %i : type in range(%count) {...} {attributes}`.
#[derive(Debug)]
pub(crate) struct Canonical;

/// The parsed parts of [`Canonical`].
#[derive(Default)]
pub(crate) struct CanonicalContent {
    handle: Option<Named>,
    variable: Named,
    ty: Option<Type>,
    count: Named,
}

impl TwoWay for Canonical {
    type Content = CanonicalContent;

    fn content(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CanonicalContent> {
        let variables = entry_arguments(module, operation, 0);
        let [variable] = variables[..] else {
            return None;
        };
        let operands: Vec<_> = module.operands(operation).collect();
        let (&count, handle) = operands.split_first()?;
        let ty = module.value_type(variable);
        (module.value_type(count) == ty && handle.len() < 2 && module.result_count(operation) == 0)
            .then(|| CanonicalContent {
                handle: handle.first().copied().map(Named::of),
                variable: Named::of(variable),
                ty: Some(ty),
                count: Named::of(count),
            })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CanonicalContent) -> AsmResult<()> {
        if asm.is_there("(", content.handle.is_some()) {
            asm.token("(", "(")?;
            asm.value(content.handle.get_or_insert_default())?;
            asm.token(")", ")")?;
        }
        asm.space(" ");
        asm.value(&mut content.variable)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        asm.token("in", " in ")?;
        asm.token("range", "range")?;
        asm.token("(", "(")?;
        asm.value(&mut content.count)?;
        asm.token(")", ")")
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CanonicalContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (Some(ty), Some(count)) = (content.ty, content.count.name) else {
            return Err(AsmError::new(parser.place(), "expected a type"));
        };
        add_operands(parser, operation, [(count, ty)])?;
        if let Some(handle) = content.handle.and_then(|handle| handle.name) {
            let of_handle = crate::helpers::dialect_type(parser.context(), "omp", "cli");
            let of_handle =
                of_handle.map_err(|error| AsmError::new(handle.place, error.message()))?;
            add_operands(parser, operation, [(handle, of_handle)])?;
        }
        Ok(Some(region_arguments(
            &Named::names(&[content.variable]),
            &[ty],
        )))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }
}

/// The syntax `%device : type, type(%parameter, ... : type, ...), %size, ... {attributes}` of an
/// allocation on a device.
#[derive(Debug)]
pub(crate) struct Allocation;

/// The parsed parts of [`Allocation`].
#[derive(Default)]
pub(crate) struct AllocationContent {
    device: crate::directive::TypedName,
    ty: Option<Type>,
    parameters: Vec<Named>,
    types: Vec<Option<Type>>,
    sizes: Vec<Named>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Allocation {
    type Content = AllocationContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<AllocationContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let sizes = crate::helpers::sizes_of(context, attribute("operandSegmentSizes")?)?;
        let [1, parameters, _] = sizes[..] else {
            return None;
        };
        let operands: Vec<_> = module.operands(operation).collect();
        let (&device, rest) = operands.split_first()?;
        let (parameters, shape) = rest.split_at_checked(parameters)?;
        let rmlir_ir::AttributeKind::Type(ty) = *context.attribute_kind(attribute("in_type")?)
        else {
            return None;
        };
        let index = context.index_type();
        let results = crate::helpers::result_types(module, operation);
        let elided = ["in_type", "operandSegmentSizes"];
        (results == [context.i64_type()]
            && shape.iter().all(|&size| module.value_type(size) == index))
        .then(|| AllocationContent {
            device: crate::directive::TypedName {
                name: Named::of(device),
                ty: Some(module.value_type(device)),
            },
            ty: Some(ty),
            parameters: parameters.iter().copied().map(Named::of).collect(),
            types: parameters
                .iter()
                .map(|&one| Some(module.value_type(one)))
                .collect(),
            sizes: shape.iter().copied().map(Named::of).collect(),
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AllocationContent) -> AsmResult<()> {
        asm.space(" ");
        asm.typed(&mut content.device, " : ")?;
        asm.token(",", ", ")?;
        asm.ty(&mut content.ty)?;
        if asm.is_there("(", !content.parameters.is_empty()) {
            asm.token("(", "(")?;
            asm.items(&mut content.parameters, |asm, one| asm.value(one))?;
            asm.token(":", " : ")?;
            asm.items(&mut content.types, |asm, ty| asm.ty(ty))?;
            asm.token(")", ")")?;
        }
        if asm.is_there(",", !content.sizes.is_empty()) {
            asm.token(",", ", ")?;
            asm.items(&mut content.sizes, |asm, size| asm.value(size))?;
        }
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut AllocationContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (Some(device), Some(ty), Some(in_type)) =
            (content.device.name.name, content.device.ty, content.ty)
        else {
            return Err(AsmError::new(parser.place(), "expected a type"));
        };
        let parameters = Named::names(&content.parameters);
        let types: Vec<Type> = content.types.iter().copied().flatten().collect();
        check_count(parameters.len(), types.len(), parser.place())?;
        let sizes = Named::names(&content.sizes);
        let index = parser.context().index_type();
        let counts = [1, parameters.len(), sizes.len()];
        add_operands(parser, operation, [(device, ty)])?;
        add_operands(parser, operation, parameters.into_iter().zip(types))?;
        add_operands(
            parser,
            operation,
            sizes.into_iter().map(|size| (size, index)),
        )?;
        let in_type = parser.context().type_attribute(in_type);
        property(parser, operation, "in_type", in_type);
        segments_property(parser, operation, &counts);
        operation.result_types = vec![parser.context().i64_type()];
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }
}

/// How many operations are visited for the name of a loop. A loop that needs more has a name
/// without its position, so that naming all loops is not quadratic.
const VISITED_FOR_NAME: usize = 1024;

/// An operation around a loop, or the loop itself, among the operations of a region.
struct Around {
    /// The number of operations with regions that precede it in the region.
    position: usize,
    /// Whether it is the only operation with regions in the region.
    is_only: bool,
    is_loop: bool,
    /// The number of the region in its operation, if that has several and values around it have
    /// names in its body, too.
    region: Option<usize>,
    /// The number of loops around it in the same loop nest.
    depth: usize,
    is_left_out: bool,
}

fn is_loop(context: &Context, module: &Module, operation: Operation) -> bool {
    context.operation_name_bytes(module.name(operation)) == b"omp.canonical_loop"
}

/// Returns the loop and the operations around it, from the loop outwards; `None` if too many
/// operations had to be visited.
fn around(context: &Context, module: &Module, of: Operation) -> Option<Vec<Around>> {
    let (mut all, mut visited) = (Vec::new(), 0usize);
    let mut at = of;
    loop {
        let block = module.parent_block(at);
        let Some(region) = block.and_then(|block| module.block_region(block)) else {
            return Some(all);
        };
        let (mut before, mut count) = (None, 0usize);
        for block in module.blocks(region) {
            for operation in module.operations(block) {
                visited = visited.checked_add(1).filter(|&n| n < VISITED_FOR_NAME)?;
                if operation == at {
                    before = Some(count);
                }
                if module.region(operation, 0).is_some() {
                    count = count.saturating_add(1);
                }
                // All is known.
                if before.is_some() && count > 1 {
                    break;
                }
            }
        }
        let parent = module.region_parent(region);
        let is_isolated = parent.is_none_or(|parent| {
            let traits = context.operation_traits(module.name(parent));
            traits.is_some_and(|traits| traits.contains(OperationTraits::ISOLATED_FROM_ABOVE))
        });
        let number = parent.filter(|_| !is_isolated).and_then(|parent| {
            let mut regions = module.regions(parent);
            let several = regions.len() > 1;
            regions.position(|other| several && other == region)
        });
        all.push(Around {
            position: before.unwrap_or_default(),
            is_only: count <= 1,
            is_loop: is_loop(context, module, at),
            region: number,
            depth: 0,
            is_left_out: false,
        });
        match parent {
            Some(parent) if !is_isolated => at = parent,
            _ => return Some(all),
        }
    }
}

/// Returns the name of a loop as upstream derives it: the prefix, then suffixes that distinguish
/// the loop from others with the same prefix: `_r` and a region's number, `_s` and a position among
/// the operations with regions, `_d` and a depth in a loop nest.
fn nesting_name(prefix: &str, context: &Context, module: &Module, of: Operation) -> String {
    let mut name = prefix.to_owned();
    let Some(mut all) = around(context, module, of) else {
        return name;
    };
    let mut loops = 0usize;
    for one in all.iter_mut().rev() {
        // Several loops in a region, or several regions, begin nests of their own.
        if one.region.is_some() || !one.is_only {
            loops = 0;
        }
        one.depth = loops;
        loops = loops.saturating_add(one.is_loop.into());
    }
    // The innermost loop of a nest states the depth; the other loops need not.
    let mut is_nest = false;
    for one in &mut all {
        if is_nest {
            one.is_left_out = one.is_only;
            is_nest = one.depth > 0;
        } else {
            is_nest = one.depth > 0;
        }
        one.is_left_out |= one.is_only && !one.is_loop;
    }
    let mut is_new = true;
    for one in all.iter().rev() {
        if let Some(region) = one.region {
            name.push_str(&format!("_r{region}"));
            is_new = true;
        }
        let is_left_out = one.is_left_out || is_new && one.is_only;
        is_new = false;
        match one.depth {
            _ if is_left_out => {}
            0 => name.push_str(&format!("_s{}", one.position)),
            depth => name.push_str(&format!("_d{depth}")),
        }
    }
    name
}

/// Names the induction variable of `omp.canonical_loop`.
#[derive(Debug)]
pub(crate) struct CanonicalNames;

impl ValueNames for CanonicalNames {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let entry = module.first_block(region);
        let variable = entry.and_then(|entry| module.argument(entry, 0));
        if let (Some(of), Some(variable)) = (module.region_parent(region), variable) {
            name(variable, &nesting_name("iv", context, module, of));
        }
    }
}

/// Names the handle of a loop by the operation that generates the loop: by the position of
/// `omp.canonical_loop`, or the operand of `omp.tile`; `cli` if there is none.
pub(crate) fn new_handle_name(
    context: &Context,
    module: &Module,
    _: Operation,
    handle: Value,
) -> Option<Cow<'static, str>> {
    for operand in module.uses(handle) {
        let (user, number) = module.user(operand);
        match context.operation_name_bytes(module.name(user)) {
            b"omp.canonical_loop" => {
                return Some(nesting_name("canonloop", context, module, user).into());
            }
            b"omp.tile" => {
                let sizes = module.attribute(context, user, "operandSegmentSizes");
                let sizes = sizes.and_then(|sizes| crate::helpers::sizes_of(context, sizes));
                let generated = sizes.and_then(|sizes| sizes.first().copied());
                let generated = generated.unwrap_or_default();
                // The loops over the tiles, then those within one.
                let outer = generated / 2;
                if number < outer {
                    return Some(format!("grid{}", number.saturating_add(1)).into());
                }
                if number < generated {
                    let inner = number.saturating_sub(outer).saturating_add(1);
                    return Some(format!("intratile{inner}").into());
                }
            }
            _ => {}
        }
    }
    Some("cli".into())
}

/// Verifies `omp.canonical_loop`: its region has the induction variable as argument.
#[derive(Debug)]
pub(crate) struct CanonicalLoop;

impl OperationVerifier for CanonicalLoop {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        if op.entry_block().is_none() {
            return Ok(());
        }
        let mut arguments = op.body_arguments();
        let (Some(variable), None) = (arguments.next(), arguments.next()) else {
            return Err(VerifyFailure::op(
                "Canonical loop region must have exactly one argument",
            ));
        };
        match op.operand_types().next() {
            Some(count) if count != op.module.value_type(variable) => Err(VerifyFailure::op(
                "Region argument must be the same type as the trip count",
            )),
            _ => Ok(()),
        }
    }
}

/// Returns whether an operand of an operation is a loop that the operation generates (true), or one
/// that it transforms (false); `None` if it is neither.
fn is_generatee(op: Op<'_>, number: usize) -> Option<bool> {
    match &*op.name() {
        "omp.canonical_loop" => Some(true),
        "omp.unroll_heuristic" | "omp.unroll_partial" => Some(false),
        "omp.tile" => Some(number < op.operand_group("generatees")?.len()),
        _ => None,
    }
}

/// Returns the operations that use a handle, each with whether it generates the loop, in the order
/// of upstream's use list.
fn transformations(op: Op<'_>, handle: Value) -> impl Iterator<Item = (Op<'_>, bool)> {
    op.module.uses(handle).filter_map(move |operand| {
        let (user, number) = op.module.user(operand);
        let user = op.with_id(user);
        Some((user, is_generatee(user, number)?))
    })
}

/// Verifies `omp.new_cli`: a loop is generated once and transformed once at most, and transformed
/// only if it is generated.
#[derive(Debug)]
pub(crate) struct Handle;

impl OperationVerifier for Handle {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let Some(handle) = op.result(0) else {
            return Ok(());
        };
        let (mut generator, mut consumer) = (None, None);
        for (user, generates) in transformations(op, handle) {
            let (first, what) = match generates {
                true => (&mut generator, "generator"),
                false => (&mut consumer, "consumer"),
            };
            if let Some(first) = first.replace(user) {
                let failure = VerifyFailure::op(format!("CLI must have at most one {what}"));
                return Err(failure
                    .note(first.location(), format!("first {what} here:"))
                    .note(user.location(), format!("second {what} here:")));
            }
        }
        match (generator, consumer) {
            (None, Some(consumer)) => Err(VerifyFailure::op("CLI has no generator").note(
                consumer.location(),
                Message::from("see consumer here: ").operation(consumer.operation),
            )),
            _ => Ok(()),
        }
    }
}

/// Verifies `omp.tile`: there is a size for each loop, and the loops are perfectly nested.
#[derive(Debug)]
pub(crate) struct Tile;

impl OperationVerifier for Tile {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let group = |name| {
            op.operand_group(name)
                .map(Vec::from_iter)
                .unwrap_or_default()
        };
        let (generatees, applyees, sizes) =
            (group("generatees"), group("applyees"), group("sizes"));
        if applyees.is_empty() {
            return Err(VerifyFailure::op("must apply to at least one loop"));
        }
        if sizes.len() != applyees.len() {
            return Err(VerifyFailure::op(
                "there must be one tile size for each applyee",
            ));
        }
        if !generatees.is_empty() && generatees.len() != sizes.len().saturating_mul(2) {
            return Err(VerifyFailure::op(
                "expecting two times the number of generatees than applyees",
            ));
        }
        let mut around: Option<Op<'_>> = None;
        let mut variables = HashSet::new();
        // A handle may be given, and be used, many times.
        let mut generators = HashMap::new();
        for &applyee in &applyees {
            let generator = generators.entry(applyee).or_insert_with(|| {
                let mut users = transformations(op, applyee);
                users.find(|user| user.1).map(|user| user.0)
            });
            let generator = match *generator {
                None if applyees.len() > 1 => {
                    return Err(VerifyFailure::op("applyee CLI has no generator"));
                }
                None => continue,
                Some(generator) => generator,
            };
            if applyees.len() > 1 && !generator.is("omp.canonical_loop") {
                return Err(VerifyFailure::op(
                    "currently only supports omp.canonical_loop as applyee",
                ));
            }
            if let Some(around) = around.replace(generator) {
                variables.extend(around.body_arguments().next());
                let mut children = around.children();
                let is_nested = around.blocks().count() == 1
                    && children
                        .next()
                        .is_some_and(|child| child.id() == generator.id())
                    && children
                        .next()
                        .is_some_and(|child| child.is("omp.terminator"))
                    && children.next().is_none();
                if !is_nested {
                    return Err(VerifyFailure::op(
                        "tiled loop nest must be perfectly nested",
                    ));
                }
                if generator
                    .operand(0)
                    .is_some_and(|count| variables.contains(&count))
                {
                    return Err(VerifyFailure::op("tiled loop nest must be rectangular"));
                }
            }
        }
        Ok(())
    }
}
