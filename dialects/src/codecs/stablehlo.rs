//! StableHLO and CHLO, as of August 2026. (From the dialects' bytecode code and from files.)

use rmlir_ir::codec::Assembly::{Hook, Template};
use rmlir_ir::codec::FieldKind::{
    Attribute, Bool, FlaggedAttribute, Float64, List, SignedVarint, String, Type, Varint,
};
use rmlir_ir::codec::{AssemblyWriter, DialectCodecs, FieldValue, FieldValues};
use rmlir_ir::{Invalid, codecs};

/// The codecs of StableHLO.
pub(super) const STABLEHLO: DialectCodecs = DialectCodecs {
    attributes: codecs! {
        1 => ChannelHandleAttr { handle: SignedVarint, type_: SignedVarint }
            = Template("channel_handle<%fields>");
        2 => ComparisonDirectionAttr { value: Varint }
            = Template("comparison_direction $value{EQ NE GE GT LE LT}");
        3 => ComparisonTypeAttr { value: Varint }
            = Template("comparison_type $value{NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED}");
        4 => ConvDimensionNumbersAttr {
            input_batch: SignedVarint,
            input_feature: SignedVarint,
            input_spatial: List(&SignedVarint),
            kernel_input_feature: SignedVarint,
            kernel_output_feature: SignedVarint,
            kernel_spatial: List(&SignedVarint),
            output_batch: SignedVarint,
            output_feature: SignedVarint,
            output_spatial: List(&SignedVarint),
        } = Hook(convolution);
        5 => DotDimensionNumbersAttr {
            lhs_batching_dimensions: List(&SignedVarint),
            rhs_batching_dimensions: List(&SignedVarint),
            lhs_contracting_dimensions: List(&SignedVarint),
            rhs_contracting_dimensions: List(&SignedVarint),
        } = Template("dot<%set>");
        6 => FftTypeAttr { value: Varint } = Template("fft_type $value{FFT IFFT RFFT IRFFT}");
        7 => GatherDimensionNumbersAttr {
            offset_dims: List(&SignedVarint),
            collapsed_slice_dims: List(&SignedVarint),
            operand_batching_dims: List(&SignedVarint),
            start_indices_batching_dims: List(&SignedVarint),
            start_index_map: List(&SignedVarint),
            index_vector_dim: SignedVarint,
        } = Template("gather<%set>");
        8 => PrecisionAttr { value: Varint } = Template("precision $value{DEFAULT HIGH HIGHEST}");
        9 => RngAlgorithmAttr { value: Varint }
            = Template("rng_algorithm $value{DEFAULT THREE_FRY PHILOX}");
        10 => RngDistributionAttr { value: Varint }
            = Template("rng_distribution $value{_ UNIFORM NORMAL}");
        11 => ScatterDimensionNumbersAttr {
            update_window_dims: List(&SignedVarint),
            inserted_window_dims: List(&SignedVarint),
            input_batching_dims: List(&SignedVarint),
            scatter_indices_batching_dims: List(&SignedVarint),
            scatter_dims_to_operand_dims: List(&SignedVarint),
            index_vector_dim: SignedVarint,
        } = Template("scatter<%set>");
        12 => TransposeAttr { value: Varint }
            = Template("transpose $value{TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT}");
        13 => TypeExtensionsAttr { bounds: List(&SignedVarint) } = Template("bounds<$bounds>");
        14 => OutputOperandAliasAttr {
            output_tuple_indices: List(&SignedVarint),
            operand_index: SignedVarint,
            operand_tuple_indices: List(&SignedVarint),
        } = Template("output_operand_alias<%fields>");
        15 => DotAlgorithmAttr {
            lhs_precision_type: Type,
            rhs_precision_type: Type,
            accumulation_type: Type,
            lhs_component_count: SignedVarint,
            rhs_component_count: SignedVarint,
            num_primitive_operations: SignedVarint,
            allow_imprecise_accumulation: Bool,
        } = Template("dot_algorithm<%fields>");
        16 => ResultAccuracyModeAttr { value: Varint }
            = Template("result_accuracy_mode<$value{DEFAULT HIGHEST TOLERANCE}>");
        17 => ResultAccuracyAttr {
            atol: Float64,
            rtol: Float64,
            ulps: SignedVarint,
            mode: Attribute,
        } = Template("result_accuracy<%set>");
        18 => ReplicaGroupMeshAxesAttr { mesh: Attribute, axes: List(&Attribute) }
            = Template("replica_group_mesh_axes<mesh = $mesh, axes = [$axes]>");
        19 => SubAxisInfoAttr { pre_size: SignedVarint, size: SignedVarint }
            = Template("sub_axis_info<%fields>");
        20 => AxisRefAttr { name: String, sub_axis_info: FlaggedAttribute }
            = Template("axis_ref<%fields>");
        21 => MeshAxisAttr { name: String, size: SignedVarint } = Template("mesh_axis<%fields>");
        22 => MeshAttr { axes: Attribute, device_ids: FlaggedAttribute }
            = Template("mesh<%fields>");
    },
    types: codecs! {
        0 => TokenType {} = Template("token");
        1 => FutureType { types: List(&Type) } = Template("future<$types>");
    },
    builtin_type: None,
};

/// The codecs of CHLO.
pub(super) const CHLO: DialectCodecs = DialectCodecs {
    attributes: codecs! {
        0 => ComparisonDirectionAttr { value: Varint }
            = Template("comparison_direction $value{EQ NE GE GT LE LT}");
        1 => ComparisonTypeAttr { value: Varint }
            = Template("comparison_type $value{NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED}");
    },
    types: &[],
    builtin_type: None,
};

/// `conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`: what each dimension of input, kernel and output is.
fn convolution(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [ib, i_f, is, kif, kof, ks, ob, of, os] = values.fields.as_slice() else {
        return Err(Invalid::new("dimension numbers have nine fields"));
    };
    out.text(b"conv<");
    layout(out, values, [(ib, b"b"), (i_f, b"f")], is)?;
    out.text(b"x");
    layout(out, values, [(kif, b"i"), (kof, b"o")], ks)?;
    out.text(b"->");
    layout(out, values, [(ob, b"b"), (of, b"f")], os)?;
    out.text(b">");
    Ok(())
}

/// `[b, 0, 1, f]`: two dimensions have names, the others numbers.
fn layout(
    out: &mut dyn AssemblyWriter,
    values: &FieldValues<'_>,
    named: [(&FieldValue<'_>, &'static [u8]); 2],
    spatial: &FieldValue<'_>,
) -> Result<(), Invalid> {
    let spatial = values.list(spatial);
    let mut dimensions: Vec<Option<Vec<u8>>> = vec![None; spatial.len().saturating_add(2)];
    let numbered = spatial.iter().enumerate();
    let numbered = numbered.map(|(number, place)| (place, number.to_string().into_bytes()));
    let named = named
        .into_iter()
        .map(|(place, name)| (place, name.to_vec()));
    for (place, name) in named.chain(numbered) {
        let slot = match *place {
            FieldValue::Signed(place) => usize::try_from(place).ok(),
            _ => None,
        };
        match slot.and_then(|place| dimensions.get_mut(place)) {
            Some(slot @ None) => *slot = Some(name),
            _ => {
                return Err(Invalid::new(
                    "dimension numbers are not one for each dimension",
                ));
            }
        }
    }
    out.text(b"[");
    for (at, name) in dimensions.into_iter().flatten().enumerate() {
        out.text(if at > 0 { b", " } else { b"" });
        out.text(&name);
    }
    out.text(b"]");
    Ok(())
}
