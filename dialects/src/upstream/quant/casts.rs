//! Verification of the casts of `quant`.

use rmlir_ir::{
    Attribute, Context, Op, OperationVerifier, Parameter, Type, TypeKind, VerifyFailure,
    VerifyResult,
};

/// Verifies a cast between quantized values and numbers.
#[derive(Debug)]
pub(crate) enum Cast {
    /// `quant.dcast`, `quant.qcast`: to or from floats.
    Expressed,
    /// `quant.scast`: to or from integers.
    Stored,
}

/// Returns the element type of a tensor, or the type itself.
fn scalar(context: &Context, ty: Type) -> Type {
    match *context.type_kind(ty) {
        TypeKind::RankedTensor { element, .. } | TypeKind::UnrankedTensor(element) => element,
        _ => ty,
    }
}

impl OperationVerifier for Cast {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let (Some(input), Some(result)) = (op.operand_types().next(), op.result_types().next())
        else {
            return Ok(());
        };
        let types = [scalar(context, input), scalar(context, result)];
        let is_quantized = |ty| matches!(context.type_kind(ty), TypeKind::Dialect { .. });
        let (quantized, number) = match types.map(is_quantized) {
            [true, false] => (types[0], types[1]),
            [false, true] => (types[1], types[0]),
            _ => {
                return Err(VerifyFailure::op(
                    "failed to verify that input must be integer and result must be quantized, or vice versa",
                ));
            }
        };
        let (part, message) = match self {
            Cast::Expressed => (
                "expressed",
                "expressed type in quantized type expected to match float type",
            ),
            Cast::Stored => (
                "storage",
                "storage type in quantized type expected to match integer type",
            ),
        };
        let Some(part) = context.parameter(quantized, part) else {
            return Ok(());
        };
        if part.ty() != Some(number) {
            return Err(VerifyFailure::plain(message));
        }
        let parameter = |name| {
            let parameter = context.parameter(quantized, name);
            parameter.filter(|parameter| !parameter.is_absent())
        };
        if let (Some(dimension), Some(scales)) = (
            parameter("dimension").and_then(Parameter::integer),
            parameter("scales"),
        ) {
            return per_axis(context, input, dimension, scales.items().len());
        }
        match parameter("dense_scales").and_then(Parameter::attribute) {
            Some(scales) => {
                let integers = |name| {
                    let items = parameter(name).into_iter().flat_map(Parameter::items);
                    items.filter_map(Parameter::integer)
                };
                let blocks = integers("dimensions").zip(integers("block_sizes"));
                sub_channel(context, input, blocks, scales)
            }
            None => Ok(()),
        }
    }
}

/// Checks a type whose elements are quantized with a scale for each index of a dimension.
fn per_axis(context: &Context, container: Type, dimension: i64, scales: usize) -> VerifyResult {
    if container == scalar(context, container) {
        let message = "scalar types may not use per-axis quantization";
        return Err(VerifyFailure::plain(message));
    }
    let TypeKind::RankedTensor { shape, .. } = context.type_kind(container) else {
        return Ok(());
    };
    let size = usize::try_from(dimension).ok().and_then(|at| shape.get(at));
    let Some(&size) = size else {
        let message = "quantized dimension must be less than tensor rank";
        return Err(VerifyFailure::plain(message));
    };
    if size >= 0 && usize::try_from(size) != Ok(scales) {
        let message = "quantized dimension size does not match number of scales";
        return Err(VerifyFailure::plain(message));
    }
    Ok(())
}

/// Checks a type whose elements are quantized with a scale for each block.
fn sub_channel(
    context: &Context,
    container: Type,
    blocks: impl Iterator<Item = (i64, i64)>,
    scales: Attribute,
) -> VerifyResult {
    let shape = match context.type_kind(container) {
        TypeKind::RankedTensor { shape, .. } => shape,
        TypeKind::UnrankedTensor(_) => {
            return Err(VerifyFailure::plain(
                "tensor containing the sub-channel quantized type must be ranked",
            ));
        }
        _ => {
            return Err(VerifyFailure::plain(
                "scalar types may not use sub-channel quantization",
            ));
        }
    };
    // The number of scales in each dimension; `None` if it is dynamic.
    let mut counts = vec![Some(1); shape.len()];
    for (dimension, block) in blocks {
        let at = usize::try_from(dimension).ok();
        let size = at.and_then(|at| Some((*shape.get(at)?, counts.get_mut(at)?)));
        let Some((size, count)) = size else {
            return Err(VerifyFailure::plain(format!(
                "quantized dimension {dimension} must be less than tensor rank {}",
                shape.len()
            )));
        };
        *count = None;
        if size >= 0 {
            if size.checked_rem(block) != Some(0) {
                return Err(VerifyFailure::plain(format!(
                    "tensor dimension size {size} at axis {dimension} must be divisible by the \
                     corresponding block size {block}"
                )));
            }
            *count = size.checked_div(block);
        }
    }
    if shape.contains(&0) {
        return Err(VerifyFailure::plain(
            "tensor dimension size of zero is not allowed with sub-channel quantization",
        ));
    }
    let Some(scales) = context.shape(context.attribute_type(scales)) else {
        return Ok(());
    };
    if scales.len() != shape.len() {
        return Err(VerifyFailure::plain(format!(
            "Rank of scales {} must match the rank of the tensor {}",
            scales.len(),
            shape.len()
        )));
    }
    for (axis, (count, &scales)) in counts.into_iter().zip(scales).enumerate() {
        if let Some(count) = count
            && count != scales
        {
            return Err(VerifyFailure::plain(format!(
                "dimension size {count} of scales tensor at axis {axis} should match (tensor \
                 dimension at axis / block sizes at axis) = {count}"
            )));
        }
    }
    Ok(())
}
