//! Hooks of StableHLO, CHLO, VHLO, MHLO and Shardy.

use super::{Set, Table};
use crate::directive::Directive;
use crate::entry::Entry;
use crate::names::FirstResult;
use crate::stablehlo_syntax as hlo;
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("chlo.scan", &Syntax(crate::stablehlo::scan::Scan)),
    ("mhlo.reduce", &Syntax(crate::stablehlo::reduce::MHLO)),
    ("mhlo.while", &Syntax(crate::stablehlo::loops::While)),
    ("sdy.manual_computation", &crate::sdy::computation::MANUAL),
    ("sdy.named_computation", &crate::sdy::computation::NAMED),
    (
        "stablehlo.reduce",
        &Syntax(crate::stablehlo::reduce::REDUCE),
    ),
    ("stablehlo.while", &Syntax(crate::stablehlo::loops::While)),
    ("vhlo.func", &Syntax(crate::vhlo::function::Function)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("mhlo.ComplexOpType", &Directive(hlo::Complex)),
    (
        "mhlo.ConvolutionDimensions",
        &Directive(crate::stablehlo::convolution::Dimensions { dialect: "mhlo" }),
    ),
    ("mhlo.CustomCallTarget", &Directive(hlo::CustomCallTarget)),
    ("mhlo.ExponentMantissa", &Directive(hlo::ExponentMantissa)),
    ("mhlo.PairwiseOpType", &Directive(hlo::Pairwise)),
    (
        "mhlo.SameOperandsAndResultType",
        &Directive(hlo::SameOperandsAndResultType),
    ),
    ("mhlo.SelectOpType", &Directive(hlo::Select)),
    ("mhlo.TupleOpType", &Directive(hlo::Tuple)),
    (
        "mhlo.VariadicSameOperandsAndResultType",
        &Directive(hlo::VariadicSame),
    ),
    (
        "mhlo.WindowAttributes",
        &Directive(crate::stablehlo::convolution::Window { elements: true }),
    ),
    ("stablehlo.ComplexOpType", &Directive(hlo::Complex)),
    (
        "stablehlo.ConvolutionDimensions",
        &Directive(crate::stablehlo::convolution::Dimensions {
            dialect: "stablehlo",
        }),
    ),
    (
        "stablehlo.CustomCallTarget",
        &Directive(hlo::CustomCallTarget),
    ),
    (
        "stablehlo.DotDimensionNumbers",
        &Directive(hlo::DotDimensionNumbers),
    ),
    (
        "stablehlo.ExponentMantissa",
        &Directive(hlo::ExponentMantissa),
    ),
    ("stablehlo.PairwiseOpType", &Directive(hlo::Pairwise)),
    (
        "stablehlo.PrecisionConfig",
        &Directive(hlo::PrecisionConfigAndAlgorithm),
    ),
    (
        "stablehlo.PrecisionConfigAndAlgorithm",
        &Directive(hlo::PrecisionConfigAndAlgorithm),
    ),
    (
        "stablehlo.SameOperandsAndResultType",
        &Directive(hlo::SameOperandsAndResultType),
    ),
    ("stablehlo.SelectOpType", &Directive(hlo::Select)),
    ("stablehlo.SliceRanges", &Directive(hlo::SliceRanges)),
    ("stablehlo.TupleOpType", &Directive(hlo::Tuple)),
    (
        "stablehlo.VariadicOperandWithAttribute",
        &Directive(hlo::VariadicOperand),
    ),
    (
        "stablehlo.VariadicSameOperandsAndResultType",
        &Directive(hlo::VariadicSame),
    ),
    (
        "stablehlo.WindowAttributes",
        &Directive(crate::stablehlo::convolution::Window { elements: false }),
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
    ("mhlo.Convolution", &Entry(crate::stablehlo::Convolution)),
    ("sdy.CustomRule", &Entry(crate::sdy::CustomRule)),
    (
        "sdy.DimensionSharding",
        &Entry(crate::sdy::DimensionSharding),
    ),
    ("sdy.FactorKinds", &Entry(crate::sdy::FactorKinds)),
    ("sdy.FactorSizes", &Entry(crate::sdy::FactorSizes)),
    ("sdy.Factors", &Entry(crate::sdy::Factors)),
    ("sdy.MeshOrRef", &Entry(crate::sdy::MeshOrRef)),
    ("sdy.NamedAxes", &Entry(crate::sdy::NamedAxes)),
    (
        "stablehlo.Convolution",
        &Entry(crate::stablehlo::Convolution),
    ),
    ("vhlo.Dictionary", &Entry(crate::vhlo::Dictionary)),
    ("vhlo.Float", &Entry(crate::vhlo::Float)),
    ("vhlo.Function", &Entry(crate::vhlo::Function)),
    ("vhlo.Integer", &Entry(crate::vhlo::Integer)),
    ("vhlo.Shaped", &Entry(crate::vhlo::Shaped)),
    ("vhlo.Tensor", &Entry(crate::vhlo::Tensor)),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
