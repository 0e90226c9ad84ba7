//! Custom syntax of the `vector` dialect: transfers, masks and products.

pub(crate) mod mask;
pub(crate) mod products;

use crate::func::has_shape;
use crate::helpers::{operand_names, segments_property};
use rmlir_ir::affine::{AffineExprKind, AffineMap};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, Place, PrintStep,
};
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

/// The syntax after the first operands of a transfer: `[, %mask] {...} : type, type`.
struct Transfer {
    mask: Option<OperandName>,
    attributes: Vec<NamedAttribute>,
    /// The offset of the types.
    place: Place,
    types: [Type; 2],
}

impl Transfer {
    fn parse(parser: &mut dyn AsmParser) -> AsmResult<Self> {
        let mask = match parser.eat(",") {
            true => Some(parser.operand_name()?),
            false => None,
        };
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let place = parser.place();
        let first = parser.ty()?;
        parser.expect(",")?;
        let types = [first, parser.ty()?];
        Ok(Transfer {
            mask,
            attributes,
            place,
            types,
        })
    }

    /// Adds the mask as the last operand, and the attributes.
    fn finish(
        self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        vector_type: Type,
        map: Attribute,
    ) -> AsmResult<()> {
        if let Some(mask) = self.mask {
            let Some(ty) = mask_type(parser.context(), vector_type, map) else {
                return Err(AsmError::new(
                    self.place,
                    "the type of the mask is not known",
                ));
            };
            operation.operands.push(parser.resolve(mask, ty)?);
        }
        operation.attributes = self.attributes;
        Ok(())
    }
}

/// Parses `[%i, %j]`.
fn indices(parser: &mut dyn AsmParser) -> AsmResult<Vec<OperandName>> {
    parser.expect("[")?;
    if parser.eat("]") {
        return Ok(Vec::new());
    }
    let names = operand_names(parser)?;
    parser.expect("]")?;
    Ok(names)
}

/// Adds the default map and `in_bounds` if the attributes lack them; returns the map.
fn complete(
    parser: &mut dyn AsmParser,
    transfer: &mut Transfer,
    shaped: Type,
    vector_type: Type,
) -> AsmResult<Attribute> {
    let context = parser.context();
    let map_name = context.identifier("permutation_map");
    let bounds_name = context.identifier("in_bounds");
    let find = |entries: &[NamedAttribute], name| {
        entries.iter().find(|entry| entry.0 == name).map(|e| e.1)
    };
    let map = match find(&transfer.attributes, map_name) {
        Some(map) => map,
        None => {
            let Some(map) = default_map(context, shaped, vector_type) else {
                return Err(AsmError::new(
                    transfer.place,
                    "expected a custom permutation_map when rank(source) != rank(destination)",
                ));
            };
            transfer.attributes.push((map_name, map));
            map
        }
    };
    if find(&transfer.attributes, bounds_name).is_none() {
        let count = match context.attribute_kind(map) {
            AttributeKind::AffineMap(map) => map.results.len(),
            _ => 0,
        };
        let items = vec![context.bool_attribute(false); count];
        let bounds = context.array_attribute(&items);
        transfer.attributes.push((bounds_name, bounds));
    }
    Ok(map)
}

/// Custom syntax of `vector.transfer_read`: `%base[%i], %padding[, %mask] {...} : shaped, vector`.
#[derive(Debug)]
pub(crate) struct TransferRead;

/// Custom syntax of `vector.transfer_write`: `%value, %base[%i][, %mask] {...} : vector, shaped`.
#[derive(Debug)]
pub(crate) struct TransferWrite;

impl OperationSyntax for TransferRead {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let base = parser.operand_name()?;
        let indices = indices(parser)?;
        parser.expect(",")?;
        let padding = parser.operand_name()?;
        let mut transfer = Transfer::parse(parser)?;
        let [shaped, vector_type] = transfer.types;
        let map = complete(parser, &mut transfer, shaped, vector_type)?;
        let index = parser.context().index_type();
        let Some(element) = parser.context().element_type(shaped) else {
            return Err(AsmError::new(
                transfer.place,
                "requires memref or ranked tensor type",
            ));
        };
        operation.operands.push(parser.resolve(base, shaped)?);
        for &name in &indices {
            operation.operands.push(parser.resolve(name, index)?);
        }
        operation.operands.push(parser.resolve(padding, element)?);
        let masks = usize::from(transfer.mask.is_some());
        segments_property(parser, operation, &[1, indices.len(), 1, masks]);
        transfer.finish(parser, operation, vector_type, map)?;
        operation.result_types.push(vector_type);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let module = printer.module();
        let operands: Vec<Value> = module.operands(operation).collect();
        let result = module.result(operation, 0).map(|v| module.value_type(v));
        let sizes = sizes(printer.context(), module, operation).unwrap_or_default();
        let (Some(result), &[_, count, _, _], Some((&base, rest))) =
            (result, sizes.as_slice(), operands.split_first())
        else {
            return PrintStep::Done;
        };
        let shaped = module.value_type(base);
        let (indices, rest) = rest.split_at_checked(count).unwrap_or_default();
        printer.text(" ");
        printer.operand(base);
        printer.text("[");
        printer.operands(indices.iter().copied());
        printer.text("], ");
        printer.operands(rest.iter().copied());
        print_attributes(printer, operation);
        printer.text(" : ");
        printer.types([shaped, result].into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let ty = |value: Option<Value>| value.map(|value| module.value_type(value));
        let sizes = sizes(context, module, operation).unwrap_or_default();
        let [1, count, 1, masks @ 0..=1] = *sizes.as_slice() else {
            return false;
        };
        let padding = ty(module.operand(operation, count.saturating_add(1)));
        let shaped = ty(module.operand(operation, 0));
        let vector_type = ty(module.result(operation, 0));
        let total = count.saturating_add(masks).saturating_add(2);
        has_shape(module, operation, total, 1, 0)
            && shaped.and_then(|ty| context.element_type(ty)) == padding
            && fits(context, module, operation, shaped, vector_type, masks)
    }
}

impl OperationSyntax for TransferWrite {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let value = parser.operand_name()?;
        parser.expect(",")?;
        let base = parser.operand_name()?;
        let indices = indices(parser)?;
        let mut transfer = Transfer::parse(parser)?;
        let [vector_type, shaped] = transfer.types;
        let map = complete(parser, &mut transfer, shaped, vector_type)?;
        let index = parser.context().index_type();
        operation.operands.push(parser.resolve(value, vector_type)?);
        operation.operands.push(parser.resolve(base, shaped)?);
        for &name in &indices {
            operation.operands.push(parser.resolve(name, index)?);
        }
        let masks = usize::from(transfer.mask.is_some());
        segments_property(parser, operation, &[1, 1, indices.len(), masks]);
        transfer.finish(parser, operation, vector_type, map)?;
        if is_tensor(parser.context(), shaped) {
            operation.result_types.push(shaped);
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let module = printer.module();
        let operands: Vec<Value> = module.operands(operation).collect();
        let sizes = sizes(printer.context(), module, operation).unwrap_or_default();
        let (&[_, _, count, _], [value, base, rest @ ..]) = (sizes.as_slice(), operands.as_slice())
        else {
            return PrintStep::Done;
        };
        let types = [module.value_type(*value), module.value_type(*base)];
        let (indices, mask) = rest.split_at_checked(count).unwrap_or_default();
        printer.text(" ");
        printer.operand(*value);
        printer.text(", ");
        printer.operand(*base);
        printer.text("[");
        printer.operands(indices.iter().copied());
        printer.text("]");
        for &mask in mask {
            printer.text(", ");
            printer.operand(mask);
        }
        print_attributes(printer, operation);
        printer.text(" : ");
        printer.types(types.into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let ty = |value: Option<Value>| value.map(|value| module.value_type(value));
        let sizes = sizes(context, module, operation).unwrap_or_default();
        let [1, 1, count, masks @ 0..=1] = *sizes.as_slice() else {
            return false;
        };
        let vector_type = ty(module.operand(operation, 0));
        let shaped = ty(module.operand(operation, 1));
        let total = count.saturating_add(masks).saturating_add(2);
        let results = module.result_count(operation);
        let tensor = shaped.filter(|&ty| is_tensor(context, ty));
        has_shape(module, operation, total, results, 0)
            && ty(module.result(operation, 0)) == tensor
            && fits(context, module, operation, shaped, vector_type, masks)
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
    shaped: Option<Type>,
    vector_type: Option<Type>,
    masks: usize,
) -> bool {
    let Some((shaped, vector_type)) = shaped.zip(vector_type) else {
        return false;
    };
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

/// Prints the attributes of a transfer, except those that the types imply.
fn print_attributes(printer: &mut dyn AsmPrinter, operation: Operation) {
    let (context, module) = (printer.context(), printer.module());
    let attributes = module.all_attributes(context, operation);
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
    printer.attribute_dictionary(&attributes, &elided);
}
