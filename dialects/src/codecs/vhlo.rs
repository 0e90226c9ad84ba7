//! VHLO: every version of every entity stays as it is. (From the dialect's bytecode code and from files of all
//! versions.)

use rmlir_ir::codec::Assembly::{Hook, Template};
use rmlir_ir::codec::FieldKind::{
    ApFloat, ApInt, Attribute, Blob, Float64, List, NumberFlaggedAttribute, OptionalAttribute,
    Pairs, SignedVarint, String, Type, Varint,
};
use rmlir_ir::codec::{
    AssemblyWriter, DialectCodecs, FieldValue, FieldValues, dense_elements, float_text,
};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    AttributeKind, BodyReference, Context, DYNAMIC, Invalid, Signedness, TypeKind, codecs,
};

/// The codecs of VHLO.
pub(super) const VHLO: DialectCodecs = DialectCodecs {
    attributes: codecs! {
        1 => ArrayV1Attr { value: List(&Attribute) } = Template("array_v1<[$value]>");
        2 => BooleanV1Attr { value: Varint } = Template("bool_v1<$value{false true}>");
        3 => ComparisonDirectionV1Attr { value: Varint }
            = Template("comparison_direction_v1 $value{EQ NE GE GT LE LT}");
        4 => ComparisonTypeV1Attr { value: Varint }
            = Template("comparison_type_v1 $value{NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED}");
        5 => CustomCallApiVersionV1Attr { value: Varint } = Template(
            "api_version_v1 $value{API_VERSION_UNSPECIFIED API_VERSION_ORIGINAL \
             API_VERSION_STATUS_RETURNING API_VERSION_STATUS_RETURNING_UNIFIED API_VERSION_TYPED_FFI}"
        );
        6 => DictionaryV1Attr { value: Pairs(&[Attribute, Attribute]) }
            = Template("dict_v1<{$value:=}>");
        7 => FftTypeV1Attr { value: Varint } = Template("fft_type_v1 $value{FFT IFFT RFFT IRFFT}");
        8 => FloatV1Attr { type_: Type, value: ApFloat(0) } = Hook(float);
        9 => IntegerV1Attr { type_: Type, value: ApInt(0) } = Hook(integer);
        10 => OutputOperandAliasV1Attr {
            outputTupleIndices: List(&SignedVarint),
            operandIndex: SignedVarint,
            operandTupleIndices: List(&SignedVarint),
        } = Template("output_operand_alias_v1<%fields>");
        11 => PrecisionV1Attr { value: Varint }
            = Template("precision_v1 $value{DEFAULT HIGH HIGHEST}");
        12 => RngAlgorithmV1Attr { value: Varint }
            = Template("rng_algorithm_v1 $value{DEFAULT THREE_FRY PHILOX}");
        13 => RngDistributionV1Attr { value: Varint }
            = Template("rng_distribution_v1 $value{_ UNIFORM NORMAL}");
        14 => StringV1Attr { value: String } = Template("string_v1<$value>");
        15 => TensorV1Attr { type_: Type, data: Blob } = Hook(tensor);
        16 => TransposeV1Attr { value: Varint }
            = Template("transpose_v1 $value{TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT}");
        17 => TypeV1Attr { value: Type } = Template("type_v1<$value>");
        18 => TypeExtensionsV1Attr { bounds: List(&SignedVarint) }
            = Template("type_extensions_v1<%fields>");
        19 => ResultAccuracyModeV1Attr { value: Varint }
            = Template("result_accuracy_mode_v1 $value{DEFAULT HIGHEST TOLERANCE}");
        20 => ResultAccuracyV1Attr {
            atol: Float64,
            rtol: Float64,
            ulps: SignedVarint,
            mode: Attribute,
        } = Template("result_accuracy_v1<%fields>");
        21 => SubAxisInfoV1Attr { pre_size: SignedVarint, size: SignedVarint }
            = Template("sub_axis_info_v1<%fields>");
        22 => AxisRefV1Attr { name: Attribute, sub_axis_info: NumberFlaggedAttribute }
            = Template("axis_ref_v1<%fields>");
        23 => ReplicaGroupMeshAxesV1Attr { mesh: Attribute, axes: Attribute }
            = Template("replica_group_mesh_axes_v1<%fields>");
        24 => MeshAxisV1Attr { name: Attribute, size: SignedVarint }
            = Template("mesh_axis_v1<%fields>");
        25 => MeshV1Attr { axes: Attribute, device_ids: OptionalAttribute }
            = Template("mesh_v1<%fields>");
    },
    types: codecs! {
        0 => BooleanV1Type {} = Template("bool_v1");
        1 => ComplexV1Type { element: Type } = Template("complex_v1<$element>");
        2 => FloatBF16V1Type {} = Template("bf16_v1");
        3 => FloatF16V1Type {} = Template("f16_v1");
        4 => FloatF32V1Type {} = Template("f32_v1");
        5 => FloatF64V1Type {} = Template("f64_v1");
        6 => FloatF8E4M3FNV1Type {} = Template("f8E4M3FN_v1");
        7 => FloatF8E5M2V1Type {} = Template("f8E5M2_v1");
        8 => FunctionV1Type { inputs: List(&Type), outputs: List(&Type) }
            = Template("func_v1<($inputs:()) -> $outputs:()>");
        9 => IndexV1Type {} = Template("index_v1");
        10 => IntegerSI4V1Type {} = Template("i4_v1");
        11 => IntegerSI8V1Type {} = Template("i8_v1");
        12 => IntegerSI16V1Type {} = Template("i16_v1");
        13 => IntegerSI32V1Type {} = Template("i32_v1");
        14 => IntegerSI64V1Type {} = Template("i64_v1");
        15 => IntegerUI4V1Type {} = Template("ui4_v1");
        16 => IntegerUI8V1Type {} = Template("ui8_v1");
        17 => IntegerUI16V1Type {} = Template("ui16_v1");
        18 => IntegerUI32V1Type {} = Template("ui32_v1");
        19 => IntegerUI64V1Type {} = Template("ui64_v1");
        20 => RankedTensorV1Type { shape: List(&SignedVarint), element: Type }
            = Template("tensor_v1<$shape:x$element>");
        21 => RankedTensorV1TypeWithEncoding {
            encoding: Attribute,
            shape: List(&SignedVarint),
            element: Type,
        } = Template("tensor_v1<$shape:x$element, $encoding>");
        22 => TokenV1Type {} = Template("token_v1");
        23 => TupleV1Type { types: List(&Type) } = Template("tuple_v1<$types>");
        24 => UniformQuantizedV1Type {
            flags: Varint,
            storage: Type,
            expressed: Type,
            scale: Float64,
            zero_point: SignedVarint,
            min: SignedVarint,
            max: SignedVarint,
        } = Template("quant_v1<$storage:$expressed, $scale:$zero_point, $min:$max, $flags>");
        25 => UnrankedTensorV1Type { element: Type } = Template("unranked_tensor_v1<$element>");
        26 => WitnessV1Type {} = Template("witness_v1");
        27 => FloatF8E4M3FNUZV1Type {} = Template("f8E4M3FNUZ_v1");
        28 => FloatF8E5M2FNUZV1Type {} = Template("f8E5M2FNUZ_v1");
        29 => FloatF8E4M3B11FNUZV1Type {} = Template("f8E4M3B11FNUZ_v1");
        30 => UniformQuantizedPerAxisV1Type {
            flags: Varint,
            storage: Type,
            expressed: Type,
            dimension: Varint,
            min: SignedVarint,
            max: SignedVarint,
            scales: List(&Float64),
            zero_points: List(&SignedVarint),
        } = Template(
            "quant_per_axis_v1<$storage:$expressed, $dimension, [$scales], [$zero_points], $min:$max, $flags>"
        );
        31 => IntegerSI2V1Type {} = Template("i2_v1");
        32 => IntegerUI2V1Type {} = Template("ui2_v1");
        33 => NoneV1Type {} = Template("none_v1");
        // As upstream spells it.
        34 => FloatTF32V1Type {} = Template("tf31_v1");
        35 => FloatF8E4M3V1Type {} = Template("f8E4M3_v1");
        36 => FloatF8E3M4V1Type {} = Template("f8E3M4_v1");
        37 => FloatF4E2M1FNV1Type {} = Template("f4E2M1FN_v1");
        38 => FloatF6E2M3FNV1Type {} = Template("f6E2M3FN_v1");
        39 => FloatF6E3M2FNV1Type {} = Template("f6E3M2FN_v1");
        40 => FloatF8E8M0FNUV1Type {} = Template("f8E8M0FNU_v1");
        41 => RankedBufferV1Type { shape: List(&SignedVarint), element: Type }
            = Template("buffer_v1<$shape:x$element>");
        42 => FutureV1Type { types: List(&Type) } = Template("future_v1<$types>");
    },
    builtin_type: Some(builtin_type),
};

/// `integer_v1<1 : i32>`, with the builtin type.
fn integer(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [FieldValue::Type(ty), FieldValue::Integer(value)] = values.fields.as_slice() else {
        return Err(Invalid::new("an integer has a type and a value"));
    };
    let (ty, value) = (*ty, value.clone());
    let ty = builtin_type(out.context(), ty).unwrap_or(ty);
    let kind = AttributeKind::Integer { ty, value };
    let attribute = out.context().try_attribute(kind)?;
    out.text(b"integer_v1<");
    out.attribute(attribute);
    out.text(b">");
    Ok(())
}

/// `float_v1<1.000000e-03 : !vhlo.f32_v1>`.
fn float(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [FieldValue::Type(ty), FieldValue::Float(bits)] = *values.fields.as_slice() else {
        return Err(Invalid::new("a float has a type and a value"));
    };
    let builtin = builtin_type(out.context(), ty).unwrap_or(ty);
    let TypeKind::Float(kind) = *out.context().type_kind(builtin) else {
        return Err(Invalid::new("a float needs a float type"));
    };
    out.text(b"float_v1<");
    float_text(kind, bits, out);
    out.text(b" : ");
    out.ty(ty);
    out.text(b">");
    Ok(())
}

/// `tensor_v1<dense<1> : tensor<2xi32>>`, with the builtin type.
fn tensor(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [FieldValue::Type(ty), FieldValue::Bytes(data)] = *values.fields.as_slice() else {
        return Err(Invalid::new("a tensor has a type and data"));
    };
    let builtin = builtin_type(out.context(), ty).unwrap_or(ty);
    let kind = dense_elements(out.context(), builtin, data)?;
    let attribute = out.context().try_attribute(kind)?;
    out.text(b"tensor_v1<");
    out.attribute(attribute);
    out.text(b">");
    Ok(())
}

/// The builtin type of a number's type, of `complex` and of tensors of these.
fn builtin_type(context: &mut Context, ty: rmlir_ir::Type) -> Option<rmlir_ir::Type> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    if context.bytes(*dialect) != b"vhlo" {
        return None;
    }
    let Some(&(at, BodyReference::Type(element))) = body.references().first() else {
        return scalar(context, ty);
    };
    // What stands before the element type: `tensor_v1<2x?x`.
    let head = body.text().get(..at as usize)?;
    if head == b"complex_v1<" {
        let element = scalar(context, element)?;
        return context.try_type(TypeKind::Complex(element)).ok();
    }
    let shape = shape(head.strip_prefix(b"tensor_v1<")?)?;
    let element = match scalar(context, element) {
        Some(element) => element,
        None => complex(context, element)?,
    };
    let encoding = None;
    let kind = TypeKind::RankedTensor {
        shape,
        element,
        encoding,
    };
    context.try_type(kind).ok()
}

fn complex(context: &mut Context, ty: rmlir_ir::Type) -> Option<rmlir_ir::Type> {
    let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
        return None;
    };
    let is_complex = body.text() == b"complex_v1<>";
    let &(_, BodyReference::Type(element)) = body.references().first()? else {
        return None;
    };
    let element = scalar(context, element).filter(|_| is_complex)?;
    context.try_type(TypeKind::Complex(element)).ok()
}

/// `i32_v1`, `ui8_v1`, `f32_v1`, `index_v1`, `bool_v1`.
fn scalar(context: &mut Context, ty: rmlir_ir::Type) -> Option<rmlir_ir::Type> {
    let TypeKind::Dialect { body, .. } = context.type_kind(ty) else {
        return None;
    };
    let name = body.text().strip_suffix(b"_v1")?;
    let kind = match name {
        b"index" => TypeKind::Index,
        b"bool" => return Some(context.i1_type()),
        b"tf31" => TypeKind::Float(FloatKind::from_keyword(b"tf32")?),
        _ => match FloatKind::from_keyword(name) {
            Some(kind) => TypeKind::Float(kind),
            None => {
                let (signedness, digits) = match name.strip_prefix(b"ui") {
                    Some(digits) => (Signedness::Unsigned, digits),
                    None => (Signedness::Signless, name.strip_prefix(b"i")?),
                };
                let width = std::str::from_utf8(digits).ok()?.parse().ok()?;
                TypeKind::Integer { width, signedness }
            }
        },
    };
    context.try_type(kind).ok()
}

/// `2x?x`.
fn shape(text: &[u8]) -> Option<Box<[i64]>> {
    let text = std::str::from_utf8(text).ok()?;
    let sizes = text.split_terminator('x').map(|size| match size {
        "?" => Some(DYNAMIC),
        size => size.parse().ok(),
    });
    sizes.collect()
}
