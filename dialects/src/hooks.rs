//! The hooks of this crate by name.

use crate::stablehlo_syntax as hlo;
use rmlir_ir::OperationVerifier;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use rmlir_ir::definition::HookSource;

/// Sorted by name.
static SYNTAX: &[(&str, &dyn OperationSyntax)] = &[
    ("affine.apply", &crate::affine::Apply),
    ("affine.max", &crate::affine::Apply),
    ("affine.min", &crate::affine::Apply),
    ("arith.select", &crate::arith::Select),
    ("builtin.module", &crate::builtin::Module),
    (
        "builtin.unrealized_conversion_cast",
        &crate::builtin::UnrealizedConversionCast,
    ),
    ("func.call", &crate::func::Call),
    ("func.func", &crate::func::Func),
    ("func.return", &crate::func::Return),
    ("linalg.generic", &crate::iterators::Generic),
    ("scf.execute_region", &crate::scf::ExecuteRegion),
    ("scf.for", &crate::scf::For),
    ("scf.if", &crate::scf::If),
    ("scf.parallel", &crate::scf::Parallel),
    ("scf.while", &crate::scf::While),
    ("vector.contract", &crate::iterators::Contract),
    ("vector.transfer_read", &crate::vector::TransferRead),
    ("vector.transfer_write", &crate::vector::TransferWrite),
];

/// Sorted by name.
static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("DynamicIndexList", &crate::memref::DynamicIndexList),
    (
        "memref.GlobalMemrefOpTypeAndInitialValue",
        &crate::memref::Global,
    ),
    ("stablehlo.CustomCallTarget", &hlo::CustomCallTarget),
    ("stablehlo.DotDimensionNumbers", &hlo::DotDimensionNumbers),
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
    ("tosa.EnumDictionary", &crate::tosa::EnumDictionary),
];

/// Sorted by name.
static NAMES: &[(&str, &dyn ValueNames)] = &[
    ("arith.constant", &crate::arith::Constant),
    ("arith.muli", &crate::arith::Multiply),
    ("index.bool.constant", &crate::arith::IndexBoolConstant),
    ("index.constant", &crate::arith::IndexConstant),
    ("linalg.generic", &crate::iterators::Generic),
    (
        "memref.extract_strided_metadata",
        &crate::memref::ExtractStridedMetadata,
    ),
    ("stablehlo.constant", &hlo::Constant),
];

/// Sorted by name.
static VERIFIERS: &[(&str, &dyn OperationVerifier)] = &[
    ("builtin.module", &crate::builtin::verify::Module),
    (
        "builtin.unrealized_conversion_cast",
        &crate::builtin::verify::UnrealizedConversionCast,
    ),
    ("func.call", &crate::func::verify::Call),
    ("func.call_indirect", &crate::func::verify::CallIndirect),
    ("func.constant", &crate::func::verify::Constant),
    ("func.func", &crate::func::verify::Func),
    ("func.return", &crate::func::verify::Return),
];

/// Sorted by name.
static ENTRY_SYNTAX: &[(&str, &dyn EntrySyntax)] = &[
    (
        "llvm.ExpressionArguments",
        &crate::llvm::ExpressionArguments,
    ),
    ("quant.Any", &crate::quant::Any),
    ("quant.Uniform", &crate::quant::Uniform),
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

/// The hooks that are written in Rust, for definitions that name them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks;

impl HookSource for Hooks {
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax> {
        let at = SYNTAX.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        SYNTAX.get(at).map(|hook| hook.1)
    }

    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        let at = DIRECTIVES.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        DIRECTIVES.get(at).map(|hook| hook.1)
    }

    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        let at = NAMES.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        NAMES.get(at).map(|hook| hook.1)
    }

    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        let at = VERIFIERS.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        VERIFIERS.get(at).map(|hook| hook.1)
    }

    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        let at = ENTRY_SYNTAX
            .binary_search_by(|hook| hook.0.cmp(name))
            .ok()?;
        ENTRY_SYNTAX.get(at).map(|hook| hook.1)
    }
}
