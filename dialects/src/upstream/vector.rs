//! Custom syntax of the `vector` dialect: transfers, masks and products.

pub(crate) mod mask;
pub(crate) mod products;

use crate::func::has_shape;
use crate::helpers::{add_operands, segments_property};
use crate::two_way::{Asm, Named, TwoWay, failure, other_attributes};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind, Value,
};

/// Returns the shape and scalable dimensions of a vector type.
fn vector(context: &Context, ty: Type) -> Option<(Vec<i64>, Vec<bool>)> {
    match context.type_kind(ty) {
        TypeKind::Vector {
            shape, scalable, ..
        } => Some((shape.to_vec(), scalable.to_vec())),
        _ => None,
    }
}

/// Returns the rank of a shaped type, and that of its element type.
fn ranks(context: &Context, ty: Type) -> Option<(usize, usize)> {
    let rank = context.shape(ty)?.len();
    let element = context.element_type(ty)?;
    let inner = vector(context, element).map_or(0, |(shape, _)| shape.len());
    Some((rank, inner))
}

/// Returns the map of a transfer whose text has none: the trailing dimensions of the shape, or the
/// constant 0 for a vector of one element from a rank-0 shape.
fn default_map(context: &mut Context, shaped: Type, vector_type: Type) -> Option<Attribute> {
    let (rank, inner) = ranks(context, shaped)?;
    let (shape, _) = vector(context, vector_type)?;
    let results: Vec<_> = if rank == 0 && shape == [1] {
        vec![context.affine_mut().constant(0).ok()?]
    } else {
        let count = shape.len().checked_sub(inner)?;
        let first = rank.checked_sub(count)?;
        let mut dims = Vec::new();
        for position in first..rank {
            let position = u32::try_from(position).ok()?;
            dims.push(context.affine_mut().dim(position).ok()?);
        }
        dims
    };
    let map = AffineMap {
        num_dims: u32::try_from(rank).ok()?,
        num_symbols: 0,
        results: results.into(),
    };
    Some(context.affine_map_attribute(map))
}

/// Returns the number of dimensions of a map and the dimension of each result; the inner `None` is
/// a constant. `None` if a result is any other expression.
fn map_dims(context: &Context, map: Attribute) -> Option<(u32, Vec<Option<u32>>)> {
    let AttributeKind::AffineMap(map) = context.attribute_kind(map) else {
        return None;
    };
    let dim = |&expr| match context.affine().kind(expr)? {
        AffineExprKind::Dim(position) => Some(Some(position)),
        AffineExprKind::Constant(_) => Some(None),
        _ => None,
    };
    let dims: Option<Vec<_>> = map.results.iter().map(dim).collect();
    Some((map.num_dims, dims?))
}

/// Returns whether a map selects the trailing dimensions in order.
fn is_minor_identity(context: &Context, map: Attribute) -> bool {
    let Some((count, dims)) = map_dims(context, map) else {
        return false;
    };
    let Some(first) = (count as usize).checked_sub(dims.len()) else {
        return false;
    };
    dims.iter()
        .enumerate()
        .all(|(at, dim)| dim.map(|d| d as usize) == first.checked_add(at))
}

/// Returns the type of a transfer's mask: the vector's sizes in order of the dimensions that the
/// map uses.
fn mask_type(context: &mut Context, vector_type: Type, map: Attribute) -> Option<Type> {
    let (shape, scalable) = vector(context, vector_type)?;
    let (_, dims) = map_dims(context, map)?;
    let mut used: Vec<(u32, usize)> = dims
        .iter()
        .enumerate()
        .filter_map(|(at, dim)| dim.map(|dim| (dim, at)))
        .collect();
    used.sort_unstable();
    let mut mask: Vec<i64> = Vec::new();
    let mut mask_scalable: Vec<bool> = Vec::new();
    for (_, at) in used {
        mask.push(*shape.get(at)?);
        mask_scalable.push(scalable.get(at).copied().unwrap_or(false));
    }
    if mask.is_empty() {
        mask.push(1);
        mask_scalable.push(false);
    }
    let kind = TypeKind::Vector {
        shape: mask.into(),
        scalable: mask_scalable.into(),
        element: context.i1_type(),
    };
    context.try_type(kind).ok()
}

/// Adds the default map and `in_bounds` if the attributes lack them; returns the map.
fn complete(
    parser: &mut dyn AsmParser,
    content: &mut TransferContent,
    shaped: Type,
    vector_type: Type,
) -> AsmResult<Attribute> {
    let context = parser.context();
    let map_name = context.identifier("permutation_map");
    let bounds_name = context.identifier("in_bounds");
    let find = |entries: &[NamedAttribute], name| {
        entries.iter().find(|entry| entry.0 == name).map(|e| e.1)
    };
    let map = match find(&content.attributes, map_name) {
        Some(map) => map,
        None => {
            let map = default_map(context, shaped, vector_type);
            let message =
                "expected a custom permutation_map when rank(source) != rank(destination)";
            let map = map.ok_or_else(|| failure(content.place, message))?;
            content.attributes.push((map_name, map));
            map
        }
    };
    if find(&content.attributes, bounds_name).is_none() {
        let count = match context.attribute_kind(map) {
            AttributeKind::AffineMap(map) => map.results.len(),
            _ => 0,
        };
        let items = vec![context.bool_attribute(false); count];
        let bounds = context.array_attribute(&items);
        content.attributes.push((bounds_name, bounds));
    }
    Ok(map)
}

/// The syntax of `vector.transfer_read`, `%base[%i], %padding[, %mask] {...} : shaped, vector`, and
/// of `vector.transfer_write`, `%value, %base[%i][, %mask] {...} : vector, shaped`.
#[derive(Debug)]
pub(crate) struct Transfer {
    pub(crate) writes: bool,
}

/// The parsed parts of [`Transfer`].
#[derive(Default)]
pub(crate) struct TransferContent {
    base: Named,
    indices: Vec<Named>,
    /// The padding, or the value that is written.
    value: Named,
    mask: Option<Named>,
    attributes: Vec<NamedAttribute>,
    /// The position of the types.
    place: Option<usize>,
    types: [Option<Type>; 2],
}

impl TwoWay for Transfer {
    type Content = TransferContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<TransferContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let ty = |value: Value| module.value_type(value);
        let result = module.result(operation, 0).map(ty);
        let sizes = sizes(context, module, operation)?;
        let (value, base, rest, vector_type) = match (self.writes, &operands[..]) {
            (true, &[value, base, ref rest @ ..]) => (Some(value), base, rest, ty(value)),
            (false, &[base, ref rest @ ..]) => (None, base, rest, result?),
            _ => return None,
        };
        let (count, masks) = match (self.writes, &sizes[..]) {
            (true, &[1, 1, count, masks @ 0..=1]) | (false, &[1, count, 1, masks @ 0..=1]) => {
                (count, masks)
            }
            _ => return None,
        };
        let shaped = ty(base);
        let (indices, rest) = rest.split_at_checked(count)?;
        let (value, mask) = match (value, rest) {
            (None, &[padding, ref mask @ ..]) => (padding, mask),
            (Some(value), mask) => (value, mask),
            (None, []) => return None,
        };
        let results = module.result_count(operation);
        let implied = match self.writes {
            true => result == Some(shaped).filter(|&ty| is_tensor(context, ty)),
            false => results == 1 && context.element_type(shaped) == Some(ty(value)),
        };
        let fits = mask.len() == masks
            && implied
            && has_shape(module, operation, operands.len(), results, 0)
            && fits(context, module, operation, (shaped, vector_type), masks);
        fits.then(|| TransferContent {
            base: Named::of(base),
            indices: Named::all(indices.iter().copied()),
            value: Named::of(value),
            mask: mask.first().copied().map(Named::of),
            attributes: printed_attributes(context, module, operation),
            place: None,
            types: match self.writes {
                true => [Some(vector_type), Some(shaped)],
                false => [Some(shaped), Some(vector_type)],
            },
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut TransferContent) -> AsmResult<()> {
        asm.space(" ");
        if self.writes {
            asm.value(&mut content.value)?;
            asm.token(",", ", ")?;
        }
        asm.value(&mut content.base)?;
        asm.values_between(("[", "]"), &mut content.indices)?;
        if !self.writes {
            asm.token(",", ", ")?;
            asm.value(&mut content.value)?;
        }
        if asm.is_there(",", content.mask.is_some()) {
            asm.token(",", ", ")?;
            asm.value(content.mask.get_or_insert_default())?;
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        content.place = asm.place();
        let [first, second] = &mut content.types;
        asm.ty(first)?;
        asm.token(",", ", ")?;
        asm.ty(second)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut TransferContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let [Some(first), Some(second)] = content.types else {
            return Ok(None);
        };
        let (vector_type, shaped) = match self.writes {
            true => (first, second),
            false => (second, first),
        };
        let map = complete(parser, content, shaped, vector_type)?;
        let context = parser.context();
        let index = context.index_type();
        let (masks, count) = (usize::from(content.mask.is_some()), content.indices.len());
        let indices = content.indices.iter().map(|&one| (one, index));
        let base = (content.base, shaped);
        let (operands, sizes): (Vec<_>, _) = if self.writes {
            let values = [(content.value, vector_type), base];
            (
                values.into_iter().chain(indices).collect(),
                [1, 1, count, masks],
            )
        } else {
            let element = context.element_type(shaped);
            let message = "requires memref or ranked tensor type";
            let element = element.ok_or_else(|| failure(content.place, message))?;
            let padding = [(content.value, element)];
            let operands = [base].into_iter().chain(indices).chain(padding);
            (operands.collect(), [1, count, 1, masks])
        };
        let named = |(value, ty): (Named, Type)| Some((value.name?, ty));
        add_operands(parser, operation, operands.into_iter().filter_map(named))?;
        segments_property(parser, operation, &sizes);
        if let Some(mask) = content.mask {
            let ty = mask_type(parser.context(), vector_type, map);
            let message = "the type of the mask is not known";
            let ty = ty.ok_or_else(|| failure(content.place, message))?;
            add_operands(parser, operation, named((mask, ty)))?;
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        match self.writes {
            true => {
                let result = is_tensor(parser.context(), shaped).then_some(shaped);
                operation.result_types.extend(result);
            }
            false => operation.result_types.push(vector_type),
        }
        Ok(None)
    }
}

fn is_tensor(context: &Context, ty: Type) -> bool {
    matches!(context.type_kind(ty), TypeKind::RankedTensor { .. })
}

/// Returns the sizes of an operation's groups of operands.
fn sizes(context: &Context, module: &Module, operation: Operation) -> Option<Vec<usize>> {
    let sizes = module.attribute(context, operation, "operandSegmentSizes")?;
    crate::helpers::sizes_of(context, sizes)
}

/// Returns whether a map and `in_bounds` are present, and the mask has the type that the text
/// implies.
fn fits(
    context: &Context,
    module: &Module,
    operation: Operation,
    (shaped, vector_type): (Type, Type),
    masks: usize,
) -> bool {
    let map = module.attribute(context, operation, "permutation_map");
    let bounds = module.attribute(context, operation, "in_bounds");
    let Some((inputs, dims)) = map.and_then(|map| map_dims(context, map)) else {
        return false;
    };
    let Some((rank, inner)) = ranks(context, shaped) else {
        return false;
    };
    let Some((shape, scalable)) = vector(context, vector_type) else {
        return false;
    };
    let is_default = map.is_some_and(|map| is_minor_identity(context, map));
    let elided_fits =
        !is_default || inputs as usize == rank && shape.len() == dims.len().saturating_add(inner);
    let bounds = bounds.map(|bounds| context.attribute_kind(bounds));
    let bounds_fit =
        matches!(bounds, Some(AttributeKind::Array(items)) if items.len() == dims.len());
    let mask_fits = masks == 0 || {
        let last = module.operands(operation).last();
        let found = last.and_then(|mask| vector(context, module.value_type(mask)));
        let mut used: Vec<(u32, usize)> = dims
            .iter()
            .enumerate()
            .filter_map(|(at, dim)| dim.map(|dim| (dim, at)))
            .collect();
        used.sort_unstable();
        let mut expected: (Vec<i64>, Vec<bool>) = used
            .iter()
            .filter_map(|&(_, at)| Some((*shape.get(at)?, scalable.get(at).copied()?)))
            .unzip();
        if expected.0.is_empty() {
            expected = (vec![1], vec![false]);
        }
        found == Some(expected)
    };
    rank >= dims.iter().flatten().count() && elided_fits && bounds_fit && mask_fits
}

/// Returns the attributes of a transfer, except those that the types imply.
fn printed_attributes(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Vec<NamedAttribute> {
    let map = module.attribute(context, operation, "permutation_map");
    let mut elided = vec!["operandSegmentSizes"];
    if map.is_some_and(|map| is_minor_identity(context, map)) {
        elided.push("permutation_map");
    }
    let bounds = module.attribute(context, operation, "in_bounds");
    if let Some(AttributeKind::Array(items)) = bounds.map(|b| context.attribute_kind(b)) {
        let yes = context.bool_attribute(true);
        if !items.contains(&yes) {
            elided.push("in_bounds");
        }
    }
    other_attributes(context, module, operation, &elided)
}
