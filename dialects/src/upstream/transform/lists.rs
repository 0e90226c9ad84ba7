//! Directives for lists of sizes, positions and bindings.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{add_operands, check_count, integer_of, numbers, property, result_types};
use crate::index_list::{Index, flags_of};
use crate::two_way::{Asm, Named, TwoWay, other_attributes};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DYNAMIC, Module, NamedAttribute, Operation, Type,
};

/// The directive `*(%a)`, one handle for all sizes, or `[%a, 4]`. Arguments: that handle, the other
/// operands, the numbers, and, if entries can be scalable, an array of flags.
#[derive(Debug)]
pub(crate) struct PackedOrDynamicIndexList;

/// The parsed parts of [`PackedOrDynamicIndexList`].
#[derive(Default)]
pub(crate) struct PackedContent {
    packed: Option<Named>,
    list: Vec<Index>,
    scalable: bool,
}

impl TwoWayDirective for PackedOrDynamicIndexList {
    type Content = PackedContent;

    fn given(&self, arguments: &[ParsedArgument]) -> PackedContent {
        PackedContent {
            scalable: arguments.len() == 4,
            ..PackedContent::default()
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<PackedContent> {
        let [packed, values, sizes, flags @ ..] = printed.arguments else {
            return None;
        };
        let sizes = numbers(printed.context, sizes.attribute());
        let (packed, sizes) = match packed.operands() {
            [] => (None, sizes?),
            &[packed] => (Some(packed), sizes.unwrap_or_default()),
            _ => return None,
        };
        let mut list = Index::all(values.operands(), &sizes)?;
        if let [flags] = flags {
            let flags = match flags.attribute() {
                Some(flags) => flags_of(printed.context, flags)?,
                None => Vec::new(),
            };
            Index::set_scalable(&mut list, flags)?;
        }
        let fits = packed.is_none() || list.is_empty();
        fits.then_some(PackedContent {
            packed: packed.map(Named::of),
            list,
            scalable: !flags.is_empty(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PackedContent) -> AsmResult<bool> {
        if asm.is_there("*", content.packed.is_some()) {
            asm.token("*", "*")?;
            asm.token("(", "(")?;
            asm.value(content.packed.get_or_insert_default())?;
            asm.token(")", ")")?;
        } else {
            asm.index_list(("[", "]"), &mut content.list, content.scalable)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: PackedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [packed, values, sizes, flags @ ..] = arguments {
            let names = content.packed.and_then(|packed| packed.name);
            *packed = ParsedArgument::Operands(names.into_iter().collect());
            let names = Index::values(&content.list).filter_map(|value| value.name);
            *values = ParsedArgument::Operands(names.collect());
            let array = Index::array(parser.context(), &content.list);
            *sizes = ParsedArgument::Attribute(Some(array));
            if let [flags] = flags {
                let array = Index::flags(parser.context(), &content.list);
                *flags = ParsedArgument::Attribute(array);
            }
        }
        Ok(())
    }
}

/// The directive `0, 1`, `except(0, 1)` or `all`: positions, whether the list is inverted, and
/// whether all match.
#[derive(Debug)]
pub(crate) struct MatchDims;

/// The parsed parts of [`MatchDims`].
#[derive(Default)]
pub(crate) struct MatchDimsContent {
    all: bool,
    inverted: bool,
    dimensions: Vec<i64>,
}

impl TwoWayDirective for MatchDims {
    type Content = MatchDimsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<MatchDimsContent> {
        let [dimensions, inverted, all, ..] = printed.arguments else {
            return None;
        };
        let dimensions = numbers(printed.context, dimensions.attribute())?;
        let (all, inverted) = (all.attribute().is_some(), inverted.attribute().is_some());
        let fits = all == dimensions.is_empty() && !(all && inverted);
        fits.then_some(MatchDimsContent {
            all,
            inverted,
            dimensions,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MatchDimsContent) -> AsmResult<bool> {
        asm.optional("all", "all", &mut content.all);
        if content.all {
            return Ok(true);
        }
        asm.optional("except", "except", &mut content.inverted);
        if content.inverted {
            asm.token("(", "(")?;
        }
        asm.items(&mut content.dimensions, |asm, one| asm.integer(one))?;
        if content.inverted {
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: MatchDimsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let unit = context.unit_attribute();
        if let [dimensions, inverted, all, ..] = arguments {
            let list = context.i64_array_attribute(content.dimensions);
            *dimensions = ParsedArgument::Attribute(Some(list));
            *inverted = ParsedArgument::Attribute(content.inverted.then_some(unit));
            *all = ParsedArgument::Attribute(content.all.then_some(unit));
        }
        Ok(())
    }
}

/// The directive `%root, %a : type, type`, or nothing: the root, its type, the extra bindings and
/// their types.
#[derive(Debug)]
pub(crate) struct SequenceOperands;

/// The parsed parts of [`SequenceOperands`].
#[derive(Default)]
pub(crate) struct SequenceContent {
    place: Option<usize>,
    names: Vec<Named>,
    in_brackets: bool,
    types: Vec<Type>,
}

impl TwoWayDirective for SequenceOperands {
    type Content = SequenceContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SequenceContent> {
        let [root, root_type, others, other_types, ..] = printed.arguments else {
            return None;
        };
        let (root, others) = (root.operands(), others.operands());
        (!root.is_empty() || others.is_empty()).then(|| SequenceContent {
            place: None,
            names: Named::all(root.iter().chain(others).copied()),
            in_brackets: !others.is_empty(),
            types: [root_type.types(), other_types.types()].concat(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SequenceContent) -> AsmResult<bool> {
        if !asm.is_value_there(!content.names.is_empty()) {
            return Ok(false);
        }
        content.place = asm.place();
        asm.values(&mut content.names)?;
        asm.token(":", " : ")?;
        asm.optional("(", "(", &mut content.in_brackets);
        asm.types(&mut content.types)?;
        if content.in_brackets {
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: SequenceContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (mut names, mut types) = (Named::names(&content.names), content.types);
        check_count(names.len(), types.len(), content.place.unwrap_or_default())?;
        if let [root, root_type, others, other_types, ..] = arguments
            && !names.is_empty()
        {
            *others = ParsedArgument::Operands(names.split_off(1));
            *other_types = ParsedArgument::Types(types.split_off(1));
            *root = ParsedArgument::Operands(names);
            *root_type = ParsedArgument::Types(types);
        }
        Ok(())
    }
}

/// The directive `1` or `%param`: the number of a region.
#[derive(Debug)]
pub(crate) struct SelectedRegion;

/// The parsed parts of [`SelectedRegion`].
#[derive(Default)]
pub(crate) struct SelectedContent {
    param: Option<Named>,
    number: Option<Attribute>,
}

impl TwoWayDirective for SelectedRegion {
    type Content = SelectedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SelectedContent> {
        let [number, param, ..] = printed.arguments else {
            return None;
        };
        let number = number.attribute();
        let is_index = |number| match printed.context.attribute_kind(number) {
            AttributeKind::Integer { ty, .. } => *ty == printed.context.index_type(),
            _ => false,
        };
        let param = match param.operands() {
            [] => None,
            &[param] => Some(Named::of(param)),
            _ => return None,
        };
        let fits = number.is_some() != param.is_some() && number.is_none_or(is_index);
        fits.then_some(SelectedContent { param, number })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SelectedContent) -> AsmResult<bool> {
        match asm.is_value_there(content.param.is_some()) {
            true => asm.value(content.param.get_or_insert_default())?,
            false => asm.index_attribute(&mut content.number)?,
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: SelectedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let names = content.param.and_then(|param| param.name);
        if let [number, param, ..] = arguments {
            *number = ParsedArgument::Attribute(content.number);
            *param = ParsedArgument::Operands(names.into_iter().collect());
        }
        Ok(())
    }
}

/// Custom syntax of `transform.structured.split`: `%target after 42 {...} : type` or
/// `%target after %size {...} : type, type`.
#[derive(Debug)]
pub(crate) struct Split;

const CHUNK_SIZES: &str = "static_chunk_sizes";

/// The parsed parts of [`Split`].
#[derive(Default)]
pub(crate) struct SplitContent {
    target: Named,
    ty: Option<Type>,
    dynamic: Option<Named>,
    dynamic_type: Option<Type>,
    size_place: Option<usize>,
    size: i64,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Split {
    type Content = SplitContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SplitContent> {
        let size = module.attribute(context, operation, CHUNK_SIZES);
        let size = integer_of(context, context.i64_type(), size)?;
        let count = module.operand_count(operation);
        let target = module.operand(operation, 0)?;
        let dynamic = module.operand(operation, 1);
        let ty = module.value_type(target);
        let fits = crate::func::has_shape(module, operation, count, 1, 0)
            && count <= 2
            && result_types(module, operation) == [ty]
            && dynamic.is_some() == (size == DYNAMIC);
        fits.then(|| SplitContent {
            target: Named::of(target),
            ty: Some(ty),
            dynamic: dynamic.map(Named::of),
            dynamic_type: dynamic.map(|dynamic| module.value_type(dynamic)),
            size_place: None,
            size,
            attributes: other_attributes(context, module, operation, &[CHUNK_SIZES]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SplitContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.target)?;
        asm.token("after", " after ")?;
        content.size_place = asm.place();
        if asm.is_value_there(content.dynamic.is_some()) {
            asm.value(content.dynamic.get_or_insert_default())?;
            content.size = DYNAMIC;
        } else {
            asm.integer(&mut content.size)?;
        }
        asm.space(" ");
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        if content.dynamic.is_some() {
            asm.token(",", ", ")?;
            asm.ty(&mut content.dynamic_type)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SplitContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let dynamic = content.dynamic.unwrap_or_default();
        let operands = [
            (content.target, content.ty),
            (dynamic, content.dynamic_type),
        ];
        let operands = operands.map(|(value, ty)| value.name.zip(ty));
        add_operands(parser, operation, operands.into_iter().flatten())?;
        let place = content.size_place.unwrap_or_default();
        let i64_type = parser.context().i64_type();
        let size = parser.context().integer_attribute(i64_type, content.size);
        let size = size.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, CHUNK_SIZES, size);
        operation.result_types.extend(content.ty);
        Ok(None)
    }
}
