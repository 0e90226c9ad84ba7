//! Hooks of StableHLO, CHLO, VHLO, MHLO and Shardy.

use super::{Set, Table};
use crate::names::FirstResult;
use crate::stablehlo_syntax as hlo;
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    ("mhlo.reduce", &crate::stablehlo::reduce::MHLO),
    ("mhlo.while", &crate::stablehlo::loops::While),
    ("sdy.manual_computation", &crate::sdy::computation::MANUAL),
    ("sdy.named_computation", &crate::sdy::computation::NAMED),
    ("stablehlo.reduce", &crate::stablehlo::reduce::REDUCE),
    ("stablehlo.while", &crate::stablehlo::loops::While),
    ("vhlo.func", &Syntax(crate::vhlo::function::Function)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("mhlo.ComplexOpType", &hlo::Complex),
    (
        "mhlo.ConvolutionDimensions",
        &crate::stablehlo::convolution::Dimensions { dialect: "mhlo" },
    ),
    ("mhlo.CustomCallTarget", &hlo::CustomCallTarget),
    ("mhlo.ExponentMantissa", &hlo::ExponentMantissa),
    ("mhlo.PairwiseOpType", &hlo::Pairwise),
    (
        "mhlo.SameOperandsAndResultType",
        &hlo::SameOperandsAndResultType,
    ),
    ("mhlo.SelectOpType", &hlo::Select),
    ("mhlo.TupleOpType", &hlo::Tuple),
    ("mhlo.VariadicSameOperandsAndResultType", &hlo::VariadicSame),
    (
        "mhlo.WindowAttributes",
        &crate::stablehlo::convolution::Window { elements: true },
    ),
    ("stablehlo.ComplexOpType", &hlo::Complex),
    (
        "stablehlo.ConvolutionDimensions",
        &crate::stablehlo::convolution::Dimensions {
            dialect: "stablehlo",
        },
    ),
    ("stablehlo.CustomCallTarget", &hlo::CustomCallTarget),
    ("stablehlo.DotDimensionNumbers", &hlo::DotDimensionNumbers),
    ("stablehlo.ExponentMantissa", &hlo::ExponentMantissa),
    ("stablehlo.PairwiseOpType", &hlo::Pairwise),
    (
        "stablehlo.PrecisionConfig",
        &hlo::PrecisionConfigAndAlgorithm,
    ),
    (
        "stablehlo.PrecisionConfigAndAlgorithm",
        &hlo::PrecisionConfigAndAlgorithm,
    ),
    (
        "stablehlo.SameOperandsAndResultType",
        &hlo::SameOperandsAndResultType,
    ),
    ("stablehlo.SelectOpType", &hlo::Select),
    ("stablehlo.SliceRanges", &hlo::SliceRanges),
    ("stablehlo.TupleOpType", &hlo::Tuple),
    (
        "stablehlo.VariadicOperandWithAttribute",
        &hlo::VariadicOperand,
    ),
    (
        "stablehlo.VariadicSameOperandsAndResultType",
        &hlo::VariadicSame,
    ),
    (
        "stablehlo.WindowAttributes",
        &crate::stablehlo::convolution::Window { elements: false },
    ),
];

/// Sorted by name.
static NAMES: Table<dyn ValueNames> = &[
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    ("mhlo.while", &crate::stablehlo::loops::While),
    ("stablehlo.constant", &FirstResult(hlo::constant_name)),
    ("stablehlo.while", &crate::stablehlo::loops::While),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[
    ("mhlo.Convolution", &crate::stablehlo::Convolution),
    ("sdy.CustomRule", &crate::sdy::CustomRule),
    ("sdy.DimensionSharding", &crate::sdy::DimensionSharding),
    ("sdy.FactorKinds", &crate::sdy::FactorKinds),
    ("sdy.FactorSizes", &crate::sdy::FactorSizes),
    ("sdy.Factors", &crate::sdy::Factors),
    ("sdy.MeshOrRef", &crate::sdy::MeshOrRef),
    ("sdy.NamedAxes", &crate::sdy::NamedAxes),
    ("stablehlo.Convolution", &crate::stablehlo::Convolution),
    ("vhlo.Dictionary", &crate::vhlo::Dictionary),
    ("vhlo.Float", &crate::vhlo::Float),
    ("vhlo.Function", &crate::vhlo::Function),
    ("vhlo.Integer", &crate::vhlo::Integer),
    ("vhlo.Shaped", &crate::vhlo::Shaped),
    ("vhlo.Tensor", &crate::vhlo::Tensor),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
