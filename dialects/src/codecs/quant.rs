//! The quantised types of `quant`, as in LLVM 22. (From the dialect's bytecode code, its printer's output and files.)

use rmlir_ir::codec::Assembly::Hook;
use rmlir_ir::codec::FieldKind::{Attribute, Float64, List, SignedVarint, Type, Varint};
use rmlir_ir::codec::{AssemblyWriter, DialectCodecs, FieldValue, FieldValues, float_text};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{AttributeKind, Invalid, TypeKind, codecs};

/// The codecs of `quant`.
pub(super) const QUANT: DialectCodecs = DialectCodecs {
    attributes: &[],
    types: codecs! {
        1 => AnyQuantizedType {
            flags: Varint,
            storage: Type,
            min: SignedVarint,
            max: SignedVarint,
        } = Hook(any);
        2 => AnyQuantizedTypeWithExpressedType {
            flags: Varint,
            storage: Type,
            expressed: Type,
            min: SignedVarint,
            max: SignedVarint,
        } = Hook(any_expressed);
        3 => CalibratedQuantizedType { expressed: Type, min: Float64, max: Float64 }
            = rmlir_ir::codec::Assembly::Template("calibrated<$expressed<$min:$max>>");
        4 => UniformQuantizedType {
            flags: Varint,
            storage: Type,
            expressed: Type,
            scale: Float64,
            zero_point: SignedVarint,
            min: SignedVarint,
            max: SignedVarint,
        } = Hook(uniform);
        5 => UniformQuantizedPerAxisType {
            flags: Varint,
            storage: Type,
            expressed: Type,
            dimension: Varint,
            min: SignedVarint,
            max: SignedVarint,
            scales: List(&Float64),
            zero_points: List(&SignedVarint),
        } = Hook(per_axis);
        6 => UniformQuantizedSubChannelType {
            flags: Varint,
            storage: Type,
            expressed: Type,
            min: SignedVarint,
            max: SignedVarint,
            dimensions: List(&SignedVarint),
            block_sizes: List(&SignedVarint),
            scales: Attribute,
            zero_points: Attribute,
        } = Hook(sub_channel);
    },
    builtin_type: None,
};

type Value<'a> = FieldValue<'a>;

/// `any<i8<-8:7>>`.
fn any(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [flags, ty, min, max] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"any<");
    storage(out, [flags, ty, min, max])?;
    out.text(b">");
    Ok(())
}

/// `any<i8<-8:7>:f32>`.
fn any_expressed(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [flags, ty, expressed, min, max] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"any<");
    storage(out, [flags, ty, min, max])?;
    expressed_type(out, expressed)?;
    out.text(b">");
    Ok(())
}

/// `uniform<i8<-8:7>:f32, 2.000000e+00:10>`.
fn uniform(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [flags, ty, expressed, scale, zero, min, max] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"uniform<");
    storage(out, [flags, ty, min, max])?;
    expressed_type(out, expressed)?;
    out.text(b", ");
    parameters(out, scale, zero)?;
    out.text(b">");
    Ok(())
}

/// `uniform<i8:f32:1, {2.000000e+00:10,3.000000e+00:20}>`.
fn per_axis(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [flags, ty, expressed, dimension, min, max, scales, zeros] = values.fields.as_slice()
    else {
        return Err(mismatch());
    };
    let &Value::Unsigned(dimension) = dimension else {
        return Err(mismatch());
    };
    let (scales, zeros) = (values.list(scales), values.list(zeros));
    if scales.len() != zeros.len() {
        return Err(Invalid::new("there are not as many zero points as scales"));
    }
    out.text(b"uniform<");
    storage(out, [flags, ty, min, max])?;
    expressed_type(out, expressed)?;
    out.text(format!(":{}, {{", dimension.cast_signed()).as_bytes());
    for (at, (scale, zero)) in scales.iter().zip(zeros).enumerate() {
        out.text(if at > 0 { b"," } else { b"" });
        parameters(out, scale, zero)?;
    }
    out.text(b"}>");
    Ok(())
}

/// `uniform<i8:f32:{0:1, 1:4}, {{2.000000e+00:127}, {3.000000e+00:127}}>`.
fn sub_channel(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [
        flags,
        ty,
        expressed,
        min,
        max,
        dimensions,
        sizes,
        scales,
        zeros,
    ] = values.fields.as_slice()
    else {
        return Err(mismatch());
    };
    let (&Value::Attribute(scales), &Value::Attribute(zeros)) = (scales, zeros) else {
        return Err(mismatch());
    };
    let (dimensions, sizes) = (values.list(dimensions), values.list(sizes));
    if dimensions.len() != sizes.len() {
        return Err(Invalid::new(
            "there are not as many block sizes as dimensions",
        ));
    }
    out.text(b"uniform<");
    storage(out, [flags, ty, min, max])?;
    expressed_type(out, expressed)?;
    out.text(b":{");
    for (at, pair) in dimensions.iter().zip(sizes).enumerate() {
        let (&Value::Signed(dimension), &Value::Signed(size)) = pair else {
            return Err(mismatch());
        };
        out.text(if at > 0 { b", " } else { b"" });
        out.text(format!("{dimension}:{size}").as_bytes());
    }
    out.text(b"}, ");
    blocks(out, scales, zeros)?;
    out.text(b">");
    Ok(())
}

/// Scales and zero points of blocks, in braces for each dimension.
fn blocks(
    out: &mut dyn AssemblyWriter,
    scales: rmlir_ir::Attribute,
    zeros: rmlir_ir::Attribute,
) -> Result<(), Invalid> {
    let context = out.context();
    let elements = |attribute| match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { ty, splat, data } => {
            let (layout, count) = context.dense_layout(*ty)?;
            let size = layout.element_size();
            let number = move |bytes: &[u8]| {
                let bytes = bytes.iter().rev();
                bytes.fold(0u128, |number, &byte| number << 8 | u128::from(byte))
            };
            let numbers: Vec<u128> = data.chunks(size.max(1)).map(number).collect();
            let shape = context.shape(*ty).unwrap_or_default().to_vec();
            Ok((shape, *splat, numbers, layout.scalar, count))
        }
        _ => Err(Invalid::new("scales and zero points are dense elements")),
    };
    let (shape, scale_splat, scales, scalar, count) = elements(scales)?;
    let (zero_shape, zero_splat, zeros, zero_scalar, _) = elements(zeros)?;
    if shape != zero_shape {
        return Err(Invalid::new("scales and zero points have other shapes"));
    }
    let rmlir_ir::dense::ScalarKind::Float(kind) = scalar else {
        return Err(Invalid::new("scales are floats"));
    };
    // A splat stands for more than its bytes pay for.
    const MOST: u64 = 1 << 20;
    if count > MOST {
        return Err(Invalid::new(format!(
            "{count} blocks are more than can be written out"
        )));
    }
    let width = zero_scalar.width();
    // Braces close where the elements of a dimension end, and open where they begin.
    let strides: Vec<u64> = shape
        .iter()
        .rev()
        .scan(1u64, |stride, &size| {
            *stride = stride.saturating_mul(size.unsigned_abs());
            Some(*stride)
        })
        .collect();
    if count == 0 {
        out.text(b"{}");
    }
    for at in 0..count {
        let opened = strides
            .iter()
            .filter(|&&stride| at.is_multiple_of(stride))
            .count();
        if at > 0 {
            out.text(b", ");
        }
        out.text("{".repeat(opened).as_bytes());
        let index = |splat: bool| {
            if splat {
                0
            } else {
                usize::try_from(at).unwrap_or(0)
            }
        };
        let scale = scales.get(index(scale_splat)).copied().unwrap_or(0);
        float_text(kind, scale, out);
        let zero = zeros.get(index(zero_splat)).copied().unwrap_or(0);
        let zero = rmlir_ir::apint::ApInt::from_words(width, &[zero as u64]);
        if !zero.is_zero() {
            out.text(format!(":{}", zero.to_decimal_string(true)).as_bytes());
        }
        let next = at.saturating_add(1);
        let closed = strides
            .iter()
            .filter(|&&stride| next.is_multiple_of(stride))
            .count();
        out.text("}".repeat(closed).as_bytes());
    }
    Ok(())
}

/// `i8`, `u8` or, if the range is not that of the type, `i8<-8:7>`.
fn storage(out: &mut dyn AssemblyWriter, parts: [&Value<'_>; 4]) -> Result<(), Invalid> {
    let [
        &Value::Unsigned(flags),
        &Value::Type(ty),
        &Value::Signed(min),
        &Value::Signed(max),
    ] = parts
    else {
        return Err(mismatch());
    };
    let TypeKind::Integer { width, .. } = *out.context().type_kind(ty) else {
        return Err(Invalid::new("the storage type is no integer"));
    };
    if !(1..=32).contains(&width) {
        let message = format!("a storage type of {width} bits");
        return Err(Invalid::new(message));
    }
    let is_signed = flags & 1 == 1;
    let (sign, bits) = if is_signed {
        ("i", width.saturating_sub(1))
    } else {
        ("u", width)
    };
    let above = 1i64.checked_shl(bits).unwrap_or(i64::MAX);
    let lowest = if is_signed { above.saturating_neg() } else { 0 };
    out.text(format!("{sign}{width}").as_bytes());
    if (min, max) != (lowest, above.saturating_sub(1)) {
        out.text(format!("<{min}:{max}>").as_bytes());
    }
    Ok(())
}

fn expressed_type(out: &mut dyn AssemblyWriter, ty: &Value<'_>) -> Result<(), Invalid> {
    let &Value::Type(ty) = ty else {
        return Err(mismatch());
    };
    out.text(b":");
    out.ty(ty);
    Ok(())
}

/// `2.000000e+00:10`, the zero point only if it is not 0.
fn parameters(
    out: &mut dyn AssemblyWriter,
    scale: &Value<'_>,
    zero: &Value<'_>,
) -> Result<(), Invalid> {
    let (&Value::Float(scale), &Value::Signed(zero)) = (scale, zero) else {
        return Err(mismatch());
    };
    float_text(FloatKind::F64, scale, out);
    if zero != 0 {
        out.text(format!(":{zero}").as_bytes());
    }
    Ok(())
}

#[cold]
fn mismatch() -> Invalid {
    Invalid::new("the fields have values that the type cannot have")
}
