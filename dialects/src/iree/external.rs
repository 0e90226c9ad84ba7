//! Custom syntax of `hal.dispatch.extern`.

use super::shaped::{FunctionType, Shaped};
use super::values::{SizedType, TiedType};
use crate::directive::TwoWayDirective;
use crate::func::is_plain_string;
use crate::helpers::{check_count, integer_of, property, segments_property, sizes_of};
use crate::two_way::{
    Argument, Asm, Named, TwoWay, add_of_type, add_of_types, failure, items, other_attributes,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Region, Type, Value};

/// Custom syntax of `hal.dispatch.extern`:
///
/// ```text
/// "name"[%workload](%a, %b) : (types) -> types count(%c: type) -> (index, index, index) {...}
/// layout(#layout) objects({
///   #target if(%d: type) -> i1 {...} ordinal(1) = [#objects],
///   #target ordinal(2) = [#objects]
/// }) <name = value> attributes {...}
/// ```
///
/// The first region counts the workgroups. Each target has a region, which has no blocks if the
/// text has no condition.
#[derive(Debug)]
pub(crate) struct DispatchExtern;

const NAME: &str = "export_name";
const LAYOUT: &str = "layout";
const TARGETS: [&str; 3] = ["targets", "target_ordinals", "target_objects"];
const TIED: &str = "tied_operands";
const SEGMENTS: &str = "operandSegmentSizes";
/// The inherent attributes that the text has in a dictionary, in this order.
const OTHERS: [&str; 3] = ["workgroup_size", "subgroup_size", "workgroup_local_memory"];

/// A target: its attribute, ordinal and objects.
#[derive(Default)]
struct Target {
    attributes: [Option<Attribute>; 3],
    /// Whether the text has a region for it.
    has_condition: bool,
}

/// The parsed parts of [`DispatchExtern`].
#[derive(Default)]
pub(crate) struct Content {
    name: Option<Attribute>,
    workload: Vec<Named>,
    shaped: Shaped,
    /// The arguments of the region that follows, and the types after them.
    arguments: Vec<Argument>,
    types: Vec<Type>,
    layout: Option<Attribute>,
    /// The targets from the one of index `first`.
    targets: Vec<Target>,
    first: usize,
    /// The number of targets of an operation that is printed.
    count: usize,
    /// The target whose region is the last one in the text before; `None` after the first region.
    last: Option<usize>,
    /// Whether all targets were read.
    is_complete: bool,
    /// The position of the operands.
    place: Option<usize>,
    others: [Option<Attribute>; 3],
    attributes: Vec<NamedAttribute>,
}

/// The errors of regions that return something else.
const COUNTS: &str = "workgroup count region must return the XYZ dimension counts";
const CONDITION: &str = "target condition region must return one i1";

/// Returns the types that a region returns.
fn returned(context: &Context, counts: bool) -> Vec<Type> {
    match counts {
        true => vec![context.index_type(); 3],
        false => vec![context.i1_type()],
    }
}

/// Returns the names of all inherent attributes.
fn elided() -> Vec<&'static str> {
    let known = [NAME, LAYOUT, TIED, SEGMENTS];
    known.into_iter().chain(TARGETS).chain(OTHERS).collect()
}

/// Returns whether the text shows a region.
fn is_shown(module: &Module, region: Region) -> bool {
    let block = module.first_block(region);
    block.is_some_and(|block| module.first_operation(block).is_some())
}

impl Content {
    /// `(%a: type) -> types` before a region.
    fn signature(&mut self, asm: &mut Asm<'_, '_>, counts: bool) -> AsmResult<()> {
        asm.arguments(&mut self.arguments)?;
        let place = asm.place();
        asm.optional_arrow_types(&mut self.types)?;
        if place.is_some() && self.types != returned(asm.context(), counts) {
            return Err(failure(place, if counts { COUNTS } else { CONDITION }));
        }
        Ok(())
    }

    /// The target of an index up to its region. Returns whether it has one.
    fn target(&mut self, asm: &mut Asm<'_, '_>, index: usize) -> AsmResult<bool> {
        let Some(target) = self.targets.get_mut(index.saturating_sub(self.first)) else {
            return Ok(false);
        };
        let [attribute, _, _] = &mut target.attributes;
        asm.newline();
        asm.attribute(attribute)?;
        asm.optional("if", " if", &mut target.has_condition);
        let has_condition = target.has_condition;
        if has_condition {
            self.signature(asm, false)?;
        }
        Ok(has_condition)
    }

    /// ` ordinal(1) = [#objects]` after the region of a target.
    fn objects(&mut self, asm: &mut Asm<'_, '_>, index: usize) -> AsmResult<()> {
        if let Some(Target {
            attributes: [_, ordinal, objects],
            ..
        }) = self.targets.get_mut(index.saturating_sub(self.first))
        {
            asm.token("ordinal", " ordinal")?;
            asm.token("(", "(")?;
            asm.index_attribute(ordinal)?;
            asm.token(")", ")")?;
            asm.token("=", " = ")?;
            asm.attribute(objects)?;
        }
        Ok(())
    }

    /// The targets from an index up to the next region. Returns whether there is one.
    fn targets_from(&mut self, asm: &mut Asm<'_, '_>, mut index: usize) -> AsmResult<bool> {
        loop {
            if asm.place().is_some() {
                self.targets.push(Target::default());
            }
            if self.target(asm, index)? {
                self.last = Some(index);
                return Ok(true);
            }
            if !self.after_target(asm, index)? {
                return Ok(false);
            }
            index = index.saturating_add(1);
        }
    }

    /// What follows the region of a target. Returns whether another target follows.
    fn after_target(&mut self, asm: &mut Asm<'_, '_>, index: usize) -> AsmResult<bool> {
        self.objects(asm, index)?;
        let mut follows = index.saturating_add(1) < self.count;
        asm.optional(",", ",", &mut follows);
        Ok(follows)
    }

    /// What follows the targets: `}) <name = value> attributes {...}`.
    fn end(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.indent(-1);
        asm.newline();
        asm.token("}", "}")?;
        asm.token(")", ")")?;
        let mut has_others = self.others.iter().any(Option::is_some);
        asm.optional("<", " <", &mut has_others);
        let mut is_first = true;
        while has_others {
            for (name, value) in OTHERS.into_iter().zip(&mut self.others) {
                let is_printed = value.is_some() && asm.place().is_none();
                if !asm.is_there(name, is_printed) {
                    continue;
                }
                if !std::mem::take(&mut is_first) {
                    asm.space(", ");
                }
                asm.token(name, name)?;
                asm.token("=", " = ")?;
                match name {
                    "workgroup_size" => asm.attribute(value)?,
                    _ => asm.index_attribute(value)?,
                }
                if asm.place().is_some() {
                    break;
                }
            }
            has_others = false;
            if asm.place().is_some() {
                asm.optional(",", ",", &mut has_others);
            }
            if !has_others {
                asm.token(">", ">")?;
            }
        }
        asm.dictionary_with_keyword(&mut self.attributes)
    }
}

impl TwoWay for DispatchExtern {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name| module.attribute(context, operation, name);
        let sizes = sizes_of(context, attribute(SEGMENTS)?)?;
        let &[workload, arguments, dimensions, _] = &sizes[..] else {
            return None;
        };
        let operands: Vec<Value> = module.operands(operation).collect();
        let (workload, rest) = operands.split_at_checked(workload)?;
        let (arguments, rest) = rest.split_at_checked(arguments)?;
        let (dimensions, result_dimensions) = rest.split_at_checked(dimensions)?;
        let index = context.index_type();
        let of_index = |&value: &Value| module.value_type(value) == index;
        let results = crate::helpers::result_types(module, operation);
        let types: Vec<Type> = arguments.iter().map(|&v| module.value_type(v)).collect();
        let shaped = Shaped::of(
            context,
            (arguments, &types, dimensions),
            (&results, result_dimensions),
            attribute(TIED),
        )?;
        let lists = TARGETS.map(|name| items(context, attribute(name)));
        let [Some(targets), Some(ordinals), Some(objects)] = lists else {
            return None;
        };
        let regions: Vec<Region> = module.regions(operation).collect();
        let (&count, conditions) = regions.split_first()?;
        let others = OTHERS.map(attribute);
        let is_index = |value: Option<Attribute>| {
            value.is_none() || integer_of(context, index, value).is_some()
        };
        let counted = [ordinals.len(), objects.len(), conditions.len()];
        let fits = is_shown(module, count)
            && conditions
                .iter()
                .all(|&one| module.first_block(one).is_none() || is_shown(module, one))
            && !targets.is_empty()
            && counted == [targets.len(); 3]
            && workload
                .iter()
                .chain(dimensions)
                .chain(result_dimensions)
                .all(of_index)
            && attribute(NAME).is_some_and(|name| is_plain_string(context, name))
            && ordinals.iter().all(|&one| is_index(Some(one)))
            && objects
                .iter()
                .all(|&one| items(context, Some(one)).is_some())
            && others.into_iter().skip(1).all(is_index)
            && module.successors(operation).len() == 0;
        fits.then(|| Content {
            name: attribute(NAME),
            workload: Named::all(workload.iter().copied()),
            shaped,
            arguments: Argument::all(module, operation, 0),
            types: returned(context, true),
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.string_as_attribute(&mut content.name)?;
        asm.optional_list(("[", "]"), &mut content.workload, |asm, one| asm.value(one))?;
        content.place = asm.place();
        asm.values_between(("(", ")"), &mut content.shaped.operands)?;
        asm.token(":", " : ")?;
        FunctionType.text(asm, &mut content.shaped)?;
        asm.token("count", " count")?;
        content.signature(asm, true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let index = parser.context().index_type();
        let Shaped {
            operands,
            inputs,
            results,
        } = &content.shaped;
        let types = SizedType::types(inputs);
        check_count(
            operands.len(),
            types.len(),
            content.place.unwrap_or_default(),
        )?;
        let sizes: Vec<Named> = inputs.iter().flat_map(|one| one.sizes.clone()).collect();
        let of_results = results.iter().flat_map(|one| one.sized.sizes.clone());
        let of_results: Vec<Named> = of_results.collect();
        add_of_type(parser, operation, &content.workload, index)?;
        add_of_types(parser, operation, operands, &types)?;
        add_of_type(parser, operation, &sizes, index)?;
        add_of_type(parser, operation, &of_results, index)?;
        let counts = [
            content.workload.len(),
            operands.len(),
            sizes.len(),
            of_results.len(),
        ];
        segments_property(parser, operation, &counts);
        operation.result_types = TiedType::types(results);
        if let Some(tied) = TiedType::attribute(parser.context(), results) {
            property(parser, operation, TIED, tied);
        }
        if let Some(name) = content.name {
            property(parser, operation, NAME, name);
        }
        let arguments = content.arguments.iter();
        Ok(Some(arguments.filter_map(Argument::parsed).collect()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<Content> {
        let attribute = |name| module.attribute(context, operation, name);
        let last = regions.checked_sub(2);
        let [Some(targets), Some(ordinals), Some(objects)] =
            TARGETS.map(|name| items(context, attribute(name)))
        else {
            return None;
        };
        let first = last.unwrap_or(0);
        let mut content = Content {
            layout: attribute(LAYOUT),
            first,
            count: targets.len(),
            last,
            others: OTHERS.map(attribute),
            ..Content::default()
        };
        for index in first..targets.len() {
            let region = module.region(operation, index.saturating_add(1))?;
            let has_condition = module.first_block(region).is_some();
            let parts = [targets, ordinals, objects];
            content.targets.push(Target {
                attributes: parts.map(|part| part.get(index).copied()),
                has_condition,
            });
            if has_condition && last != Some(index) {
                content.arguments = Argument::all(module, operation, index.saturating_add(1));
                content.types = returned(context, false);
                return Some(content);
            }
        }
        content.attributes = other_attributes(context, module, operation, &elided());
        Some(content)
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        _: usize,
    ) -> AsmResult<bool> {
        let next = match content.last {
            None => {
                asm.token("layout", " layout")?;
                asm.token("(", "(")?;
                asm.attribute(&mut content.layout)?;
                asm.token(")", ")")?;
                asm.token("objects", " objects")?;
                asm.token("(", "(")?;
                asm.token("{", "{")?;
                asm.indent(1);
                Some(0)
            }
            Some(last) => {
                let follows = content.after_target(asm, last)?;
                follows.then_some(last.saturating_add(1))
            }
        };
        if let Some(next) = next
            && content.targets_from(asm, next)?
        {
            return Ok(true);
        }
        content.end(asm)?;
        content.is_complete = true;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        if !content.is_complete {
            let arguments = content.arguments.iter();
            return Ok(arguments.filter_map(Argument::parsed).collect());
        }
        if let Some(layout) = content.layout {
            property(parser, operation, LAYOUT, layout);
        }
        for (part, name) in TARGETS.into_iter().enumerate() {
            let all = content.targets.iter();
            let all: Vec<Attribute> = all
                .filter_map(|target| target.attributes.get(part).copied().flatten())
                .collect();
            let all = parser.context().array_attribute(&all);
            property(parser, operation, name, all);
        }
        for (name, value) in OTHERS.into_iter().zip(content.others) {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        operation.attributes.append(&mut content.attributes);
        // The regions of targets without a condition are made after the parsed ones.
        let (with, without): (Vec<_>, Vec<_>) = (1..)
            .zip(&content.targets)
            .partition(|(_, target)| target.has_condition);
        operation.empty_regions = without.len();
        let order = with.into_iter().chain(without).map(|(number, _)| number);
        operation.region_order = std::iter::once(0).chain(order).collect();
        Ok(Vec::new())
    }

    fn region_number(&self, content: &Content, regions: usize) -> usize {
        match (regions, content.last) {
            (1.., Some(last)) => last.saturating_add(1),
            _ => 0,
        }
    }
}
