//! Facts that the definitions of `stablehlo` and `vhlo` do not state: the versions in which
//! operations, attributes and types of VHLO exist, how operations changed between versions, and the
//! attributes that VHLO spells out or spreads.
//!
//! Everything else follows from the definitions: names differ by `_v1`, parameters correspond by
//! position, and the constraint of an attribute tells its form on the side of StableHLO.

use super::version::Version;

const fn v(major: u32, minor: u32) -> Version {
    Version::new(major, minor)
}

/// An operation of VHLO that is not in all versions or has two forms.
pub(super) struct OperationVersions {
    /// The name without dialect and `_v1`.
    pub(super) name: &'static str,
    /// The first version with the form `_v1`.
    pub(super) since: Version,
    /// The first version with the form `_v2`, which replaces `_v1`, and the differences.
    pub(super) second: Option<(Version, &'static [Difference])>,
}

/// A difference of the form `_v2` of an operation to the form `_v1`.
pub(super) enum Difference {
    /// It has one more attribute. In the form `_v1` the default applies.
    Added(&'static str, DefaultValue),
    /// It lacks an attribute, which gets this value in the form `_v1`.
    Removed(&'static str, DefaultValue),
    /// It can have several operands and results. The form `_v1` has one.
    Variadic,
    /// It can have regions. The form `_v1` has none.
    Regions,
}

/// The value of an attribute of VHLO that means the same as the absence of an attribute.
#[derive(Clone, Copy)]
pub(super) enum DefaultValue {
    /// A boolean.
    Bool(bool),
    /// A signless integer, of 64 bits when made.
    Integer(i64),
    /// The empty string.
    EmptyString,
    /// The empty array.
    EmptyArray,
    /// The empty dictionary.
    EmptyDictionary,
    /// The empty string; made as the empty dictionary if the API is `API_VERSION_TYPED_FFI`.
    EmptyConfiguration,
    /// A one-dimensional tensor without elements.
    EmptyTensor,
    /// A tensor that repeats an integer as often as another attribute has elements.
    Integers(i64, &'static str),
    /// Pairs of zeros, one for each element of another attribute.
    Padding(&'static str),
    /// Pairs of zeros, one for each spatial dimension of the first operand.
    PaddingOfOperand,
    /// A tensor of `false`, one for each element of another attribute.
    Falses(&'static str),
    /// Two times `DEFAULT`; any number is recognized.
    Precisions,
    /// The accuracy that an implementation chooses.
    Accuracy,
    /// No type.
    NoType,
    /// A member of an enumeration, by the body of the attribute.
    Member(&'static str),
}

use DefaultValue::{
    Accuracy, Bool, EmptyArray, EmptyConfiguration, EmptyDictionary, EmptyString, EmptyTensor,
    Falses, Integer, Integers, Member, NoType, Padding, PaddingOfOperand, Precisions,
};
use Difference::{Added, Regions, Removed, Variadic};

pub(super) const SINCE_0_9: Version = Version::MINIMUM;

const ACCURACY: &[Difference] = &[Added("result_accuracy", Accuracy)];
const GATHER: &[Difference] = &[
    Added("operand_batching_dims", EmptyTensor),
    Added("start_indices_batching_dims", EmptyTensor),
];
const CHANNELS: &[Difference] = &[Added("source_target_pairs", EmptyTensor)];

macro_rules! versions {
    ($($name:literal $since:expr $(, second $second:expr => $differences:expr)?;)*) => {
        &[$(OperationVersions {
            name: $name,
            since: $since,
            second: versions!(@ $($second, $differences)?),
        }),*]
    };
    (@ $second:expr, $differences:expr) => { Some(($second, $differences)) };
    (@) => { None };
}

/// Operations that are not in all versions, or not in the form `_v1`, sorted by name.
pub(super) const OPERATIONS: &[OperationVersions] = versions! {
    "all_gather" SINCE_0_9, second v(1, 5) => &[Variadic];
    "all_reduce" SINCE_0_9, second v(1, 5) => &[Variadic];
    "all_to_all" SINCE_0_9, second v(1, 5) => &[Variadic];
    "async_done" v(1, 15);
    "async_start" v(1, 15);
    "cbrt" SINCE_0_9, second v(1, 10) => ACCURACY;
    "collective_broadcast" v(0, 16), second v(1, 20) => &[
        Variadic,
        Added("has_dynamic_root", Bool(false)),
    ];
    "collective_reduce" v(1, 19);
    "composite" v(0, 19), second v(1, 14) => &[Regions];
    "cosine" SINCE_0_9, second v(1, 10) => ACCURACY;
    "custom_call" SINCE_0_9, second v(1, 18) => &[Added("result_tilings", EmptyArray)];
    "dot_general" SINCE_0_9, second v(1, 6) => &[
        Added("lhs_precision_type", NoType),
        Added("rhs_precision_type", NoType),
        Added("accumulation_type", NoType),
        Added("lhs_component_count", NoType),
        Added("rhs_component_count", NoType),
        Added("num_primitive_operations", NoType),
        Added("allow_imprecise_accumulation", NoType),
    ];
    "dynamic_conv" SINCE_0_9, second v(0, 20) => &[Removed("padding", PaddingOfOperand)];
    "dynamic_gather" SINCE_0_9, second v(1, 1) => GATHER;
    "exponential" SINCE_0_9, second v(1, 9) => ACCURACY;
    "exponential_minus_one" SINCE_0_9, second v(1, 10) => ACCURACY;
    "gather" SINCE_0_9, second v(1, 1) => GATHER;
    "log" SINCE_0_9, second v(1, 10) => ACCURACY;
    "log_plus_one" SINCE_0_9, second v(1, 10) => ACCURACY;
    "logistic" SINCE_0_9, second v(1, 10) => ACCURACY;
    "recv" SINCE_0_9, second v(1, 12) => CHANNELS;
    "rsqrt" SINCE_0_9, second v(1, 10) => ACCURACY;
    "scatter" SINCE_0_9, second v(1, 1) => &[
        Added("input_batching_dims", EmptyTensor),
        Added("scatter_indices_batching_dims", EmptyTensor),
    ];
    "send" SINCE_0_9, second v(1, 12) => CHANNELS;
    "sine" SINCE_0_9, second v(1, 10) => ACCURACY;
    "sqrt" SINCE_0_9, second v(1, 10) => ACCURACY;
    "tan" v(1, 4), second v(1, 10) => ACCURACY;
    "tanh" SINCE_0_9, second v(1, 10) => ACCURACY;
};

/// Attributes of VHLO that are not in all versions, by mnemonic, with the first one.
pub(super) const ATTRIBUTES: &[(&str, Version)] = &[
    ("axis_ref_v1", v(1, 16)),
    ("mesh_axis_v1", v(1, 16)),
    ("mesh_v1", v(1, 16)),
    ("replica_group_mesh_axes_v1", v(1, 16)),
    ("result_accuracy_mode_v1", v(1, 9)),
    ("result_accuracy_v1", v(1, 9)),
    ("sub_axis_info_v1", v(1, 16)),
];

/// Types of VHLO that are not in all versions, by mnemonic, with the first one.
pub(super) const TYPES: &[(&str, Version)] = &[
    ("buffer_v1", v(1, 13)),
    ("f4E2M1FN_v1", v(1, 8)),
    ("f6E2M3FN_v1", v(1, 8)),
    ("f6E3M2FN_v1", v(1, 8)),
    ("f8E3M4_v1", v(1, 7)),
    ("f8E4M3B11FNUZ_v1", v(0, 11)),
    ("f8E4M3FNUZ_v1", v(0, 10)),
    ("f8E4M3_v1", v(1, 7)),
    ("f8E5M2FNUZ_v1", v(0, 10)),
    ("f8E8M0FNU_v1", v(1, 8)),
    ("future_v1", v(1, 15)),
    ("i2_v1", v(1, 2)),
    ("none_v1", v(1, 6)),
    ("quant_per_axis_v1", v(0, 18)),
    ("tf31_v1", v(1, 6)),
    ("ui2_v1", v(1, 2)),
];

/// Attributes and types whose parts StableHLO does not check against the version.
pub(super) const UNCHECKED_PARTS: &[&str] = &["future_v1", "mesh_v1", "quant_per_axis_v1"];

/// Names of operations, and the attributes that they have in VHLO and lack in StableHLO.
pub(super) type Defaults = (
    &'static [&'static str],
    &'static [(&'static str, DefaultValue)],
);

/// Attributes that VHLO has and StableHLO lacks.
pub(super) const DEFAULTS: &[Defaults] = &[
    (
        &["func"],
        &[
            ("sym_visibility", EmptyString),
            ("arg_attrs", EmptyArray),
            ("res_attrs", EmptyArray),
        ],
    ),
    (
        &[
            "all_gather",
            "all_reduce",
            "all_to_all",
            "collective_broadcast",
            "collective_permute",
            "collective_reduce",
            "reduce_scatter",
        ],
        &[("channel_id", Integer(0))],
    ),
    (
        &[
            "all_gather",
            "all_reduce",
            "collective_reduce",
            "reduce_scatter",
        ],
        &[("use_global_device_ids", Bool(false))],
    ),
    (
        &["collective_broadcast", "collective_reduce"],
        &[("has_dynamic_root", Bool(false))],
    ),
    (&["cholesky"], &[("lower", Bool(false))]),
    (
        &["compare"],
        &[("compare_type", Member("comparison_type_v1 NOTYPE"))],
    ),
    (
        &["composite"],
        &[
            ("version", Integer(0)),
            ("composite_attributes", EmptyDictionary),
        ],
    ),
    (
        &["convolution", "dynamic_conv"],
        &[
            ("window_strides", Integers(1, "input_spatial_dimensions")),
            ("lhs_dilation", Integers(1, "input_spatial_dimensions")),
            ("rhs_dilation", Integers(1, "input_spatial_dimensions")),
            ("window_reversal", Falses("input_spatial_dimensions")),
        ],
    ),
    (
        &["convolution"],
        &[("padding", Padding("input_spatial_dimensions"))],
    ),
    (
        &["convolution", "dynamic_conv", "dot_general", "dot"],
        &[("precision_config", Precisions)],
    ),
    (
        &["custom_call"],
        &[
            ("has_side_effect", Bool(false)),
            ("backend_config", EmptyConfiguration),
            ("api_version", Member("api_version_v1 API_VERSION_ORIGINAL")),
            ("called_computations", EmptyArray),
            ("operand_layouts", EmptyArray),
            ("result_layouts", EmptyArray),
            ("output_operand_aliases", EmptyArray),
            ("result_tilings", EmptyArray),
        ],
    ),
    (
        &["dot_general"],
        &[
            ("lhs_precision_type", NoType),
            ("rhs_precision_type", NoType),
            ("accumulation_type", NoType),
            ("lhs_component_count", NoType),
            ("rhs_component_count", NoType),
            ("num_primitive_operations", NoType),
            ("allow_imprecise_accumulation", NoType),
        ],
    ),
    (
        &[
            "cbrt",
            "cosine",
            "exponential",
            "exponential_minus_one",
            "log",
            "log_plus_one",
            "logistic",
            "rsqrt",
            "sine",
            "sqrt",
            "tan",
            "tanh",
        ],
        &[("result_accuracy", Accuracy)],
    ),
    (
        &["dynamic_broadcast_in_dim"],
        &[
            ("known_expanding_dimensions", EmptyTensor),
            ("known_nonexpanding_dimensions", EmptyTensor),
        ],
    ),
    (
        &["dynamic_gather", "gather", "scatter"],
        &[("indices_are_sorted", Bool(false))],
    ),
    (&["scatter"], &[("unique_indices", Bool(false))]),
    (
        &["infeed"],
        &[("infeed_config", EmptyString), ("layout", EmptyArray)],
    ),
    (&["outfeed"], &[("outfeed_config", EmptyString)]),
    (
        &["recv", "send"],
        &[
            ("is_host_transfer", Bool(false)),
            ("source_target_pairs", EmptyTensor),
        ],
    ),
    (
        &["reduce_window"],
        &[
            ("base_dilations", Integers(1, "window_dimensions")),
            ("window_dilations", Integers(1, "window_dimensions")),
        ],
    ),
    (
        &["reduce_window", "select_and_scatter"],
        &[
            ("window_strides", Integers(1, "window_dimensions")),
            ("padding", Padding("window_dimensions")),
        ],
    ),
    (
        &["sort"],
        &[("dimension", Integer(-1)), ("is_stable", Bool(false))],
    ),
];

/// Defaults of an operation that are removed together or not at all: the name of the operation and
/// those of the attributes.
pub(super) const REMOVED_TOGETHER: &[(&str, &[&str])] =
    &[("custom_call", &["operand_layouts", "result_layouts"])];

/// An attribute of StableHLO whose parameters are attributes of the operation in VHLO.
pub(super) struct Spread {
    /// The constraint by which definitions of StableHLO refer to it.
    pub(super) constraint: &'static str,
    /// The mnemonic in StableHLO.
    pub(super) mnemonic: &'static str,
    /// The attributes in VHLO, in the order of the parameters. Operations that do not have one of
    /// them have zero as the parameter.
    pub(super) attributes: &'static [&'static str],
}

/// Attributes that VHLO spreads.
pub(super) const SPREAD: &[Spread] = &[
    Spread {
        constraint: "StableHLO_ChannelHandle",
        mnemonic: "channel_handle",
        attributes: &["channel_id", "channel_type"],
    },
    Spread {
        constraint: "StableHLO_ConvDimensionNumbers",
        mnemonic: "conv",
        attributes: &[
            "input_batch_dimension",
            "input_feature_dimension",
            "input_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
            "kernel_spatial_dimensions",
            "output_batch_dimension",
            "output_feature_dimension",
            "output_spatial_dimensions",
        ],
    },
    Spread {
        constraint: "StableHLO_DotAlgorithm",
        mnemonic: "dot_algorithm",
        attributes: &[
            "lhs_precision_type",
            "rhs_precision_type",
            "accumulation_type",
            "lhs_component_count",
            "rhs_component_count",
            "num_primitive_operations",
            "allow_imprecise_accumulation",
        ],
    },
    Spread {
        constraint: "StableHLO_DotDimensionNumbers",
        mnemonic: "dot",
        attributes: &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ],
    },
    Spread {
        constraint: "StableHLO_GatherDimensionNumbers",
        mnemonic: "gather",
        attributes: &[
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
            "index_vector_dim",
        ],
    },
    Spread {
        constraint: "StableHLO_ScatterDimensionNumbers",
        mnemonic: "scatter",
        attributes: &[
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
            "index_vector_dim",
        ],
    },
];

/// The form that an attribute has in StableHLO alone, by the constraint in its definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `array<i64: ...>`, a tensor in VHLO.
    Integers,
    /// `array<i1: ...>`, a tensor in VHLO.
    Booleans,
    /// `@name`, a string in VHLO.
    Symbol,
    /// `[@name, ...]`, an array of strings in VHLO.
    Symbols,
    /// `unit`, a boolean in VHLO.
    Unit,
    /// A number of 32 bits, a member of an enumeration in VHLO.
    Member,
}

/// The constraints that determine a form.
pub(super) const FORMS: &[(&str, Form)] = &[
    ("DenseI64ArrayAttr", Form::Integers),
    ("DenseBoolArrayAttr", Form::Booleans),
    ("FlatSymbolRefAttr", Form::Symbol),
    ("StableHLO_FlatSymbolRefArrayAttr", Form::Symbols),
    ("UnitAttr", Form::Unit),
    ("StableHLO_CustomCallApiVersionAttr", Form::Member),
];

/// The attribute of VHLO that is a member of the enumeration of [`Form::Member`].
pub(super) const API_VERSION: &str = "api_version_v1";
/// The configuration of such a call is a dictionary.
pub(super) const TYPED_API: &str = "api_version_v1 API_VERSION_TYPED_FFI";

/// Parameters of attributes that are symbols in StableHLO and strings in VHLO: the mnemonic in
/// StableHLO and the name.
pub(super) const SYMBOL_PARAMETERS: &[(&str, &str)] = &[("replica_group_mesh_axes", "mesh")];

/// Attributes of VHLO that have no counterpart other than as the encoding of a tensor type, and
/// their names as encodings: in VHLO and in StableHLO.
pub(super) const ENCODING: (&str, &str) = ("type_extensions_v1", "bounds");

/// Operations of other dialects that VHLO has, and their names there.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("func.func", "func"),
    ("func.call", "call"),
    ("func.return", "return"),
];

/// A rule of older versions that an operation in the form `_v1` must obey.
pub(super) enum Rule {
    /// Operands and results have the same element types, in pairs.
    SameElementTypes,
    /// There is no operand of type `future_v1`.
    NoFutures,
    /// The configuration is not a dictionary, and the API not typed.
    UntypedConfiguration,
}

/// Rules with the operations and the first version that lacks them.
pub(super) const RULES: &[(&[&str], Version, Rule)] = &[
    (
        &[
            "all_reduce",
            "reduce",
            "reduce_scatter",
            "reduce_window",
            "scatter",
            "select_and_scatter",
        ],
        v(0, 17),
        Rule::SameElementTypes,
    ),
    (&["custom_call"], v(1, 17), Rule::NoFutures),
    (&["custom_call"], v(1, 3), Rule::UntypedConfiguration),
];
