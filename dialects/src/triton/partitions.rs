//! Custom syntax of operations whose regions are executed by groups of warps:
//! `ttg.warp_specialize` and `nvws.warp_group`.

use crate::func::has_shape;
use crate::helpers::{property, result_types};
use crate::two_way::{Argument, Asm, TwoWay, TypedValues, add_of_types, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, MadeOperation, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Region, Type,
};

/// Custom syntax of `ttg.warp_specialize`: `(%a) attributes {...}`, then lines of `default {...}`
/// and `partition0(%b: type) num_warps(4) {...}`, then ` : (types) -> types`. The partitions and
/// the captured operands are those of an operation in the second region.
#[derive(Debug)]
pub(crate) struct WarpSpecialize;

/// Custom syntax of `nvws.warp_group`: `attributes {...}`, then lines of `partition0 num_warps(4)
/// {...}`.
#[derive(Debug)]
pub(crate) struct WarpGroup;

const SPECIALIZE_WARPS: &str = "partitionNumWarps";
const GROUP_WARPS: &str = "numWarps";
const PARTITIONS: &str = "ttg.warp_specialize.partitions";

/// The parsed parts of [`WarpSpecialize`] and [`WarpGroup`].
#[derive(Default)]
pub(crate) struct Content {
    attributes: Vec<NamedAttribute>,
    /// The number of partitions.
    count: usize,
    /// The numbers of warps of the partitions from the one of index `first`.
    warps: Vec<i64>,
    first: usize,
    /// The arguments of the last partition.
    arguments: Vec<Argument>,
    captures: TypedValues,
    results: Vec<Type>,
    /// The position of the captures, and the one after the default region.
    place: Option<usize>,
    inside: Option<usize>,
    /// The regions of partitions that were read.
    regions: Vec<Region>,
}

impl Content {
    /// Returns the part that precedes the partition of index `first`.
    fn of_partition(warps: Attribute, context: &Context, first: usize) -> Option<Self> {
        let AttributeKind::DenseArray { length, data, .. } = context.attribute_kind(warps) else {
            return None;
        };
        let bytes = data.chunks_exact(size_of::<i32>()).nth(first);
        let count = bytes.and_then(|bytes| bytes.try_into().ok());
        let count = count.map(i32::from_le_bytes).map(i64::from);
        Some(Content {
            count: *length,
            warps: count.into_iter().collect(),
            first,
            ..Content::default()
        })
    }

    /// A line `partition0(%a: type) num_warps(4)`. Returns whether it is there.
    fn partition(
        &mut self,
        asm: &mut Asm<'_, '_>,
        number: usize,
        has_arguments: bool,
    ) -> AsmResult<bool> {
        let label = format!("partition{number}");
        if !asm.is_there(&label, number < self.count) {
            return Ok(false);
        }
        asm.newline();
        asm.token(&label, &label)?;
        if has_arguments {
            asm.arguments(&mut self.arguments)?;
        }
        asm.token("num_warps", " num_warps")?;
        asm.token("(", "(")?;
        if number == self.count {
            self.count = number.saturating_add(1);
            self.warps.push(0);
        }
        let place = asm.place();
        if let Some(warps) = self.warps.get_mut(number.saturating_sub(self.first)) {
            asm.integer(warps)?;
            if i32::try_from(*warps).is_err() {
                return Err(failure(place, "integer value too large"));
            }
        }
        asm.token(")", ")")?;
        Ok(true)
    }

    /// Sets the attribute with the numbers of warps.
    fn set_warps(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        name: &'static str,
    ) {
        let warps = self.warps.iter().filter_map(|&one| i32::try_from(one).ok());
        let warps = parser.context().i32_array_attribute(warps);
        property(parser, operation, name, warps);
    }
}

/// Returns the numbers of warps if there is one for each region.
fn warps_of(
    context: &Context,
    module: &Module,
    operation: Operation,
    (name, regions): (&str, usize),
) -> Option<Vec<i64>> {
    let warps = module.attribute(context, operation, name)?;
    let warps: Vec<i64> = context.i32_array(warps)?.map(i64::from).collect();
    (warps.len() == regions).then_some(warps)
}

/// Returns whether the text of a region shows its first block, whose arguments are elsewhere in
/// the text if it `has_arguments`.
fn is_shown(module: &Module, region: Region, has_arguments: bool) -> bool {
    let block = module.first_block(region);
    block.is_some_and(|block| {
        module.first_operation(block).is_some()
            && (has_arguments || module.argument_count(block) == 0)
    })
}

/// Returns whether an operation has this name.
fn is_named(context: &Context, module: &Module, operation: Operation, name: &str) -> bool {
    context.operation_name_bytes(module.name(operation)) == name.as_bytes()
}

/// Returns the first operation of the second region.
fn inside(module: &Module, operation: Operation) -> Option<Operation> {
    let region = module.region(operation, 1)?;
    module.first_operation(module.first_block(region)?)
}

/// Returns the operation with the partitions, if it has nothing that the text does not show.
fn partitions(context: &Context, module: &Module, operation: Operation) -> Option<Operation> {
    let inner = inside(module, operation)?;
    let block = module.parent_block(inner)?;
    let fits = is_named(context, module, inner, PARTITIONS)
        && module.next_operation(inner).is_none()
        && module.next_block(block).is_none()
        && module.argument_count(block) == 0
        && module.result_count(inner) == 0
        && module.successors(inner).len() == 0
        && module.all_attributes(context, inner).is_empty();
    fits.then_some(inner)
}

impl TwoWay for WarpSpecialize {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let results = result_types(module, operation);
        has_shape(module, operation, 0, results.len(), 2).then_some(())?;
        let inner = partitions(context, module, operation)?;
        let count = module.regions(inner).len();
        let warps = warps_of(context, module, operation, (SPECIALIZE_WARPS, count))?;
        let fits = is_shown(module, module.region(operation, 0)?, false)
            && module
                .regions(inner)
                .all(|region| is_shown(module, region, true));
        fits.then(|| Content {
            attributes: other_attributes(context, module, operation, &[SPECIALIZE_WARPS]),
            count,
            warps,
            captures: TypedValues::operands(module, inner),
            results,
            ..Content::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<Content> {
        let number = regions.checked_sub(1)?;
        let warps = module.attribute(context, operation, SPECIALIZE_WARPS)?;
        let mut content = Content::of_partition(warps, context, number)?;
        let inner = inside(module, operation)?;
        if number < content.count {
            content.arguments = Argument::all(module, inner, number);
        } else {
            content.captures = TypedValues::operands(module, inner);
            content.results = result_types(module, operation);
        }
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        content.place = asm.place();
        asm.values_between(("(", ")"), &mut content.captures.values)?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        asm.newline();
        asm.token("default", "default")
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<bool> {
        content.inside = content.inside.or(asm.place());
        if content.partition(asm, regions.saturating_sub(1), true)? {
            return Ok(true);
        }
        asm.token(":", " : ")?;
        let place = asm.place();
        let captures = &mut content.captures;
        if !asm.function_type(&mut captures.types, &mut content.results)? {
            let message = "invalid kind of type specified: expected builtin.function";
            return Err(failure(place, message));
        }
        let (names, types) = (captures.values.len(), captures.types.len());
        crate::helpers::check_count(names, types, content.place.unwrap_or_default())?;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        if regions > 1 {
            content.regions.extend(parser.region());
        }
        if content.regions.len() < content.count {
            let arguments = content.arguments.iter();
            return Ok(arguments.filter_map(Argument::parsed).collect());
        }
        let mut captures = ParsedOperation::default();
        let TypedValues { values, types } = &content.captures;
        add_of_types(parser, &mut captures, values, types)?;
        let location = content.inside.map(|place| parser.location_at(place));
        let holder = parser.make_region(&[]);
        let inner = MadeOperation {
            name: PARTITIONS,
            operands: &captures.operands,
            regions: &content.regions,
            location,
            ..MadeOperation::default()
        };
        parser.make_operation(holder, &inner)?;
        content.set_warps(parser, operation, SPECIALIZE_WARPS);
        operation.regions_inside = content.regions.len();
        operation.regions.push(holder);
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Vec::new())
    }

    fn region_inside(
        &self,
        module: &Module,
        operation: Operation,
        number: usize,
    ) -> Option<Region> {
        module.region(inside(module, operation)?, number.checked_sub(1)?)
    }
}

impl TwoWay for WarpGroup {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let count = module.regions(operation).len();
        let warps = warps_of(context, module, operation, (GROUP_WARPS, count))?;
        // Upstream prints no types of results.
        let fits = has_shape(module, operation, 0, 0, count)
            && module
                .regions(operation)
                .all(|region| is_shown(module, region, false));
        fits.then(|| Content {
            attributes: other_attributes(context, module, operation, &[GROUP_WARPS]),
            count,
            warps,
            ..Content::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<Content> {
        let warps = module.attribute(context, operation, GROUP_WARPS)?;
        Content::of_partition(warps, context, regions)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.dictionary_with_keyword(&mut content.attributes)?;
        content.partition(asm, 0, false)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        if content.count == 0 {
            content.set_warps(parser, operation, GROUP_WARPS);
            return Ok(None);
        }
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<bool> {
        content.partition(asm, regions, false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        if content.count == regions {
            content.set_warps(parser, operation, GROUP_WARPS);
        }
        Ok(Vec::new())
    }

    fn shows_region(&self, content: &Content) -> bool {
        content.count > 0
    }
}
