//! Hooks of the definitions of LLVM's dialects.

use super::{Set, Table};
use crate::directive::Directive;
use crate::entry::Entry;
use crate::index_list::DynamicIndexList;
use crate::inferred::Inferred;
use crate::names::FirstResult;
use crate::two_way::Syntax;
use crate::upstream::affine::access::{Access, Action};
use crate::upstream::affine::validity::Validity;
use crate::upstream::derived::{
    self, AllPredicates, Derived, FirstDimensionInteger, FirstDimensionMask, Wrapped,
};
use crate::upstream::nvvm::RequiresSm;
use crate::upstream::{
    acc, affine, arith, async_dialect, bufferization, complex, dlti, emitc, gpu, irdl, iterators,
    linalg, llvm, memref, ml_program, nvvm, omp, pdl, quant, regions, rocdl, scf, shape, shard,
    smt, sparse_tensor, spirv, switch, test, tosa, transform, vector, wasmssa,
};
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use rmlir_ir::{DefinitionAppender, OperationVerifier};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("affine.apply", &Syntax(affine::Apply)),
    ("affine.dma_start", &affine::dma::START),
    ("affine.dma_wait", &affine::dma::WAIT),
    ("affine.for", &Syntax(affine::loops::For)),
    ("affine.if", &Syntax(affine::condition::If)),
    ("affine.load", &Access::new(Action::Load, false)),
    ("affine.max", &Syntax(affine::Apply)),
    ("affine.min", &Syntax(affine::Apply)),
    ("affine.parallel", &Syntax(affine::parallel::Parallel)),
    ("affine.prefetch", &Access::new(Action::Prefetch, false)),
    ("affine.store", &Access::new(Action::Store, false)),
    ("affine.vector_load", &Access::new(Action::Load, true)),
    ("affine.vector_store", &Access::new(Action::Store, true)),
    ("arith.select", &Syntax(arith::Select)),
    ("async.execute", &Syntax(async_dialect::Execute)),
    ("async.func", &async_dialect::FUNC),
    (
        "bufferization.alloc_tensor",
        &Syntax(bufferization::AllocTensor),
    ),
    ("emitc.do", &Syntax(emitc::Do)),
    ("emitc.expression", &Syntax(emitc::Expression)),
    ("emitc.for", &Syntax(scf::For(scf::EMITC))),
    ("emitc.func", &crate::func::EMITC),
    ("emitc.if", &Syntax(scf::If(scf::EMITC))),
    (
        "emitc.switch",
        &Syntax(scf::switch::IndexSwitch(scf::EMITC)),
    ),
    ("func.call", &Syntax(crate::func::Call)),
    ("func.func", &crate::func::FUNC),
    ("func.return", &Syntax(crate::func::Return)),
    ("gpu.func", &Syntax(gpu::Func)),
    ("gpu.launch", &Syntax(gpu::Launch)),
    (
        "gpu.warp_execute_on_lane_0",
        &Syntax(gpu::WarpExecuteOnLane0),
    ),
    ("irdl.attribute", &Syntax(irdl::Described)),
    ("irdl.dialect", &Syntax(irdl::Described)),
    ("irdl.operation", &Syntax(irdl::Described)),
    ("irdl.type", &Syntax(irdl::Described)),
    (
        "linalg.broadcast",
        &Syntax(linalg::shaped::Moved {
            numbers: "dimensions",
        }),
    ),
    ("linalg.generic", &Syntax(iterators::Generic)),
    (
        "linalg.map",
        &Syntax(linalg::shaped::Applied { reduces: false }),
    ),
    ("linalg.named", &Syntax(linalg::named::Named)),
    (
        "linalg.reduce",
        &Syntax(linalg::shaped::Applied { reduces: true }),
    ),
    (
        "linalg.transpose",
        &Syntax(linalg::shaped::Moved {
            numbers: "permutation",
        }),
    ),
    ("llvm.alloca", &Syntax(llvm::Alloca)),
    ("llvm.call", &Syntax(llvm::Call::Function)),
    ("llvm.call_intrinsic", &Syntax(llvm::Call::Intrinsic)),
    ("llvm.func", &Syntax(llvm::Func)),
    ("llvm.invoke", &Syntax(llvm::Call::Invoke)),
    ("llvm.landingpad", &Syntax(llvm::LandingPad)),
    ("llvm.mlir.alias", &Syntax(llvm::Alias)),
    ("llvm.mlir.global", &Syntax(llvm::Global)),
    ("memref.alloca_scope", &regions::ALLOCA_SCOPE),
    ("memref.dma_start", &Syntax(memref::dma::Start)),
    (
        "memref.generic_atomic_rmw",
        &Syntax(memref::operations::GenericAtomic),
    ),
    ("memref.prefetch", &Syntax(memref::operations::Prefetch)),
    ("memref.transpose", &Syntax(memref::operations::Transpose)),
    ("ml_program.func", &ml_program::FUNC),
    ("ml_program.subgraph", &ml_program::SUBGRAPH),
    ("nvvm.mma.block_scale", &nvvm::SCALED),
    ("nvvm.mma.sp.block_scale", &nvvm::SPARSE_SCALED),
    ("nvvm.mma.sp.sync", &nvvm::SPARSE),
    ("nvvm.mma.sync", &nvvm::DENSE),
    ("pdl_interp.foreach", &Syntax(pdl::ForEach)),
    ("pdl_interp.func", &pdl::INTERP_FUNC),
    ("scf.execute_region", &Syntax(scf::ExecuteRegion)),
    ("scf.for", &Syntax(scf::For(scf::SCF))),
    ("scf.forall", &Syntax(scf::forall::Forall)),
    ("scf.if", &Syntax(scf::If(scf::SCF))),
    (
        "scf.index_switch",
        &Syntax(scf::switch::IndexSwitch(scf::SCF)),
    ),
    ("scf.parallel", &Syntax(scf::Parallel)),
    ("scf.while", &Syntax(crate::control::While)),
    ("shape.assuming", &regions::ASSUMING),
    ("shape.const_shape", &Syntax(shape::ConstShape)),
    ("shape.func", &shape::FUNC),
    ("shape.function_library", &Syntax(shape::FunctionLibrary)),
    ("shape.reduce", &Syntax(shape::Reduce)),
    ("smt.bv.repeat", &Syntax(smt::Repeat)),
    (
        "sparse_tensor.coiterate",
        &Syntax(sparse_tensor::iterate::Coiterate),
    ),
    (
        "sparse_tensor.iterate",
        &Syntax(sparse_tensor::iterate::Iterate),
    ),
    ("spirv.ARM.Graph", &crate::func::PLAIN),
    (
        "spirv.SpecConstantOperation",
        &Syntax(spirv::wrapped::Wrapped),
    ),
    ("spirv.func", &spirv::FUNC),
    ("test.polyfor", &Syntax(test::PolyFor)),
    (
        "test.single_no_terminator_custom_asm_op",
        &Syntax(test::OnlyRegion),
    ),
    ("test.string_attr_pretty_name", &Syntax(test::PrettyName)),
    ("test.switch_with_no_break", &Syntax(test::Switch)),
    ("test.with_nice_properties", &Syntax(test::NiceProperties)),
    ("tosa.cond_if", &Syntax(tosa::control::If)),
    ("tosa.while_loop", &Syntax(crate::control::While)),
    ("transform.named_sequence", &transform::NAMED_SEQUENCE),
    ("transform.structured.split", &Syntax(transform::Split)),
    ("transform.test_transform_op", &Syntax(test::Message)),
    ("vector.contract", &Syntax(iterators::Contract)),
    ("vector.mask", &Syntax(vector::mask::Mask)),
    (
        "vector.outerproduct",
        &Syntax(vector::products::OuterProduct),
    ),
    ("vector.shuffle", &Syntax(vector::products::Shuffle)),
    (
        "vector.transfer_read",
        &Syntax(vector::Transfer { writes: false }),
    ),
    (
        "vector.transfer_write",
        &Syntax(vector::Transfer { writes: true }),
    ),
    ("wasmssa.func", &Syntax(wasmssa::Func)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    (
        "DimensionList",
        &Directive(crate::dimensions::DimensionList),
    ),
    (
        "SwitchCases",
        &Directive(switch::SwitchCases { default: false }),
    ),
    (
        "SwitchCasesWithDefault",
        &Directive(switch::SwitchCases { default: true }),
    ),
    ("Table", &Directive(switch::Table)),
    ("Targets", &Directive(switch::Targets)),
    (
        "amdgpu.MNKDimensionList",
        &Directive(crate::dimensions::MatrixSizes),
    ),
    ("arm_sme.OuterTile", &Inferred::of(derived::tile)),
    ("arm_sve.Svbool", &Directive(Derived(AllPredicates))),
    (
        "async.AwaitResultType",
        &Directive(async_dialect::AwaitResultType),
    ),
    (
        "emitc.EmitCFieldOpTypeAndInitialValue",
        &Directive(emitc::Initial),
    ),
    (
        "emitc.EmitCGlobalOpTypeAndInitialValue",
        &Directive(emitc::Initial),
    ),
    ("emitc.Include", &Directive(emitc::Include)),
    (
        "emitc.LValue",
        &Directive(Wrapped {
            name: "emitc.lvalue",
            parameter: "valueType",
            of_parameter: true,
        }),
    ),
    (
        "emitc.Pointer",
        &Directive(Wrapped {
            name: "emitc.ptr",
            parameter: "pointee",
            of_parameter: true,
        }),
    ),
    (
        "gpu.AllReduceOperation",
        &Directive(gpu::AllReduceOperation),
    ),
    ("gpu.AsyncDependencies", &Directive(gpu::AsyncDependencies)),
    ("gpu.LaunchDimType", &Directive(gpu::LaunchDimType)),
    (
        "gpu.LaunchFuncOperands",
        &Directive(gpu::LaunchFuncOperands),
    ),
    (
        "gpu.MatrixElement",
        &Directive(Derived(gpu::matrix::MatrixElement)),
    ),
    ("gpu.OffloadingHandler", &Directive(gpu::OffloadingHandler)),
    ("irdl.AttributesOp", &irdl::ATTRIBUTES),
    ("irdl.NamedValueList", &irdl::NAMED_VALUES),
    ("irdl.NamedValueListWithVariadicity", &irdl::COUNTED_VALUES),
    (
        "llvm.CmpXchgResult",
        &Directive(Derived(llvm::CmpXchgResult)),
    ),
    ("llvm.FCmpPredicate", &llvm::FCMP),
    ("llvm.GEPIndices", &Directive(llvm::GepIndices)),
    ("llvm.ICmpPredicate", &llvm::ICMP),
    (
        "llvm.InsertExtractValueElementType",
        &Directive(llvm::InsertExtractValueElementType),
    ),
    ("llvm.LLVMLinkage", &Directive(llvm::Linkage)),
    ("llvm.OpBundles", &Directive(llvm::OpBundles)),
    ("llvm.ShuffleType", &Directive(llvm::ShuffleType)),
    (
        "memref.GlobalMemrefOpTypeAndInitialValue",
        &Directive(memref::Global),
    ),
    (
        "ml_program.SymbolVisibility",
        &Directive(ml_program::SymbolVisibility),
    ),
    (
        "ml_program.TokenOrdering",
        &Directive(ml_program::TokenOrdering),
    ),
    (
        "ml_program.TypedInitialValue",
        &Directive(ml_program::TypedInitialValue),
    ),
    ("pdl.OperationOpAttributes", &pdl::OPERATION_ATTRIBUTES),
    ("pdl.RangeType", &Directive(pdl::RangeType)),
    ("pdl.ResultsValueType", &Directive(pdl::ResultsValueType)),
    (
        "pdl_interp.CreateOperationOpAttributes",
        &pdl::OPERATION_ATTRIBUTES,
    ),
    (
        "pdl_interp.CreateOperationOpResults",
        &Directive(pdl::CreateOperationResults),
    ),
    ("pdl_interp.RangeOf", &Inferred::of(derived::range)),
    ("pdl_interp.RangeType", &Directive(pdl::RangeType)),
    ("ptr.AddResult", &Inferred::of(derived::pointers)),
    (
        "ptr.Metadata",
        &Directive(Wrapped {
            name: "ptr.ptr_metadata",
            parameter: "type",
            of_parameter: false,
        }),
    ),
    (
        "rocdl.BufferOffset",
        &Directive(Derived(derived::BufferOffset)),
    ),
    (
        "rocdl.BufferResource",
        &Directive(Derived(derived::BufferResource)),
    ),
    ("rocdl.CachePolicy", &Directive(rocdl::CachePolicy)),
    ("smt.Concatenated", &Inferred::of(derived::joined)),
    ("smt.IntConstant", &Directive(smt::IntConstant)),
    ("smt.OneType", &Directive(smt::OneType)),
    (
        "sparse_tensor.LevelRange",
        &Directive(sparse_tensor::LevelRange),
    ),
    ("spirv.Constant", &Directive(spirv::operations::Constant)),
    ("spirv.Member", &Directive(spirv::operations::Member)),
    ("spirv.Name", &Directive(spirv::operations::Name)),
    ("spirv.Pointer", &Directive(spirv::memory::Pointer)),
    ("test.DummyRegionRef", &Directive(test::NoText)),
    (
        "test.OptionalCustomParser",
        &Directive(test::OptionalCustomParser),
    ),
    ("test.OptionalLoc", &Directive(test::OptionalLocation)),
    ("tosa.EnumDictionary", &Directive(tosa::EnumDictionary)),
    (
        "tosa.VariableOpTypeOrInitialValue",
        &Directive(tosa::variable::Variable),
    ),
    (
        "transform.AlternativesOpSelectedRegion",
        &Directive(transform::SelectedRegion),
    ),
    (
        "transform.ApplyRegisteredPassOptions",
        &Directive(transform::PassOptions),
    ),
    (
        "transform.ContinuousTileSizeTypes",
        &Directive(transform::SameResultTypes),
    ),
    (
        "transform.ForeachMatchSymbols",
        &Directive(transform::ForeachMatchSymbols),
    ),
    (
        "transform.InnerTileAlignmentArray",
        &Directive(transform::TileAlignments),
    ),
    (
        "transform.LLVMTypeConverterOptions",
        &Directive(transform::TypeConverterOptions),
    ),
    (
        "transform.MultitileSizesTypes",
        &Directive(transform::SameResultTypes),
    ),
    (
        "transform.PackedOrDynamicIndexList",
        &Directive(transform::PackedOrDynamicIndexList),
    ),
    (
        "transform.SemiFunctionType",
        &Directive(transform::SemiFunctionType),
    ),
    (
        "transform.SequenceOpOperands",
        &Directive(transform::SequenceOperands),
    ),
    (
        "transform.TransformMatchDims",
        &Directive(transform::MatchDims),
    ),
    ("wasmssa.ElseRegion", &Directive(wasmssa::ElseRegion)),
    ("wasmssa.Exported", &Directive(wasmssa::Exported)),
    ("wasmssa.Local", &Directive(wasmssa::Local)),
    (
        "x86vector.Integer",
        &Directive(Derived(FirstDimensionInteger)),
    ),
    ("x86vector.Mask", &Directive(Derived(FirstDimensionMask))),
    (
        "xegpu.OptionalDynamicIndexList",
        &Directive(DynamicIndexList { optional: true }),
    ),
];

/// Sorted by name.
static NAMES: Table<dyn ValueNames> = &[
    ("arith.constant", &arith::Constant),
    ("arith.muli", &FirstResult(arith::multiply_name)),
    ("emitc.expression", &emitc::Expression),
    ("gpu.dimension", &FirstResult(gpu::dimension_name)),
    (
        "index.bool.constant",
        &FirstResult(arith::bool_constant_name),
    ),
    ("index.constant", &FirstResult(arith::index_constant_name)),
    ("linalg.generic", &iterators::Generic),
    ("linalg.map", &linalg::shaped::Applied { reduces: false }),
    ("linalg.reduce", &linalg::shaped::Applied { reduces: true }),
    (
        "memref.extract_strided_metadata",
        &memref::ExtractStridedMetadata,
    ),
    ("ml_program.load", &FirstResult(ml_program::load_name)),
    ("omp.canonical_loop", &omp::loops::CanonicalNames),
    ("omp.new_cli", &FirstResult(omp::loops::new_handle_name)),
    ("shape.const_size", &arith::Constant),
    (
        "smt.bv.constant",
        &FirstResult(smt::bit_vector_constant_name),
    ),
    ("smt.constant", &FirstResult(arith::bool_constant_name)),
    ("smt.declare_fun", &FirstResult(smt::name_prefix)),
    ("smt.int.constant", &FirstResult(smt::int_constant_name)),
    ("spirv.Constant", &spirv::operations::Constant),
    (
        "spirv.mlir.addressof",
        &FirstResult(spirv::operations::address_of_name),
    ),
    (
        "test.block_argument_name_from_type",
        &test::NamedByType { all: false },
    ),
    (
        "test.block_argument_name_from_type_interface",
        &test::NamedByType { all: true },
    ),
    ("test.custom_result_name", &test::Named),
    ("test.polyfor", &test::PolyFor),
    (
        "test.result_name_from_type",
        &test::NamedByType { all: false },
    ),
    (
        "test.result_name_from_type_interface",
        &test::NamedByType { all: true },
    ),
    ("test.string_attr_pretty_name", &test::Named),
    ("transform.foreach_match", &transform::ForeachMatch),
];

/// Sorted by name.
static VERIFIERS: Table<dyn OperationVerifier> = &[
    ("affine.apply", &Validity::APPLY),
    ("affine.dma_start", &affine::validity::TRANSFER),
    ("affine.dma_wait", &affine::validity::WAIT),
    ("affine.for", &Validity::FOR),
    ("affine.if", &Validity::IF),
    ("affine.load", &Validity::ACCESS),
    ("affine.parallel", &Validity::PARALLEL),
    ("affine.prefetch", &Validity::ACCESS),
    ("affine.store", &Validity::ACCESS),
    ("affine.vector_load", &Validity::ACCESS),
    ("affine.vector_store", &Validity::ACCESS),
    ("arith.constant", &arith::Constant),
    ("async.func", &crate::func::verify::Func),
    ("func.call", &crate::func::verify::Call),
    ("func.call_indirect", &crate::func::verify::CallIndirect),
    ("func.constant", &crate::func::verify::Constant),
    ("func.func", &crate::func::verify::Func),
    ("func.return", &crate::func::verify::Return::RETURN),
    (
        "irdl.base",
        &irdl::Base {
            reference: "base_ref",
        },
    ),
    ("irdl.operands", &irdl::Names("operand")),
    ("irdl.operation", &irdl::DistinctNames),
    ("irdl.parameters", &irdl::Names("parameter")),
    (
        "irdl.parametric",
        &irdl::Base {
            reference: "base_type",
        },
    ),
    ("irdl.regions", &irdl::Names("region")),
    ("irdl.results", &irdl::Names("result")),
    ("llvm.call", &llvm::CallLocation),
    ("memref.dma_start", &memref::dma::Operands),
    ("ml_program.func", &crate::func::verify::Func),
    ("ml_program.global", &ml_program::Global),
    ("ml_program.output", &crate::func::verify::Return::OUTPUT),
    ("ml_program.return", &crate::func::verify::Return::RETURN),
    ("ml_program.subgraph", &crate::func::verify::Func),
    (
        "nvvm.sm_100",
        &RequiresSm {
            versions: &[100],
            accelerated: false,
        },
    ),
    (
        "nvvm.sm_100a_101a",
        &RequiresSm {
            versions: &[100, 101],
            accelerated: true,
        },
    ),
    (
        "nvvm.sm_100a_101a_103a",
        &RequiresSm {
            versions: &[100, 101, 103],
            accelerated: true,
        },
    ),
    (
        "nvvm.sm_100a_103a",
        &RequiresSm {
            versions: &[100, 103],
            accelerated: true,
        },
    ),
    (
        "nvvm.sm_100a_110a",
        &RequiresSm {
            versions: &[100, 110],
            accelerated: true,
        },
    ),
    (
        "nvvm.sm_30",
        &RequiresSm {
            versions: &[30],
            accelerated: false,
        },
    ),
    (
        "nvvm.sm_80",
        &RequiresSm {
            versions: &[80],
            accelerated: false,
        },
    ),
    (
        "nvvm.sm_90",
        &RequiresSm {
            versions: &[90],
            accelerated: false,
        },
    ),
    (
        "nvvm.sm_90a",
        &RequiresSm {
            versions: &[90],
            accelerated: true,
        },
    ),
    (
        "nvvm.sm_90a_100a",
        &RequiresSm {
            versions: &[90, 100],
            accelerated: true,
        },
    ),
    ("omp.canonical_loop", &omp::loops::CanonicalLoop),
    ("omp.new_cli", &omp::loops::Handle),
    ("omp.tile", &omp::loops::Tile),
    ("pdl_interp.create_operation", &pdl::CreatedOperation),
    ("pdl_interp.create_range", &pdl::CreatedRange),
    ("quant.dcast", &quant::Cast::Expressed),
    ("quant.qcast", &quant::Cast::Expressed),
    ("quant.scast", &quant::Cast::Stored),
    ("shape.func", &crate::func::verify::Func),
    ("smt.exists", &smt::Patterns),
    ("smt.forall", &smt::Patterns),
    ("spirv.ARM.Graph", &spirv::operations::Graph),
    ("spirv.ARM.GraphConstant", &spirv::operations::InGraph),
    ("spirv.ARM.GraphOutputs", &spirv::operations::InGraph),
    ("spirv.Constant", &spirv::operations::Constant),
    ("spirv.GL.FrexpStruct", &spirv::operations::FrexpStruct),
    ("spirv.func", &spirv::operations::Decorated),
    ("wasmssa.global", &wasmssa::Global),
    ("wasmssa.global_get", &wasmssa::GlobalGet),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[
    ("amx.Tile", &Entry(crate::dimensions::Shaped)),
    ("complex.Number", &Entry(complex::Number)),
    ("dlti.Entries", &Entry(dlti::Entries)),
    ("emitc.Shaped", &Entry(crate::dimensions::Shaped)),
    ("gpu.KernelTable", &Entry(gpu::object::KernelTable)),
    ("gpu.LoopDimMap", &Entry(gpu::mapping::LoopDimMap)),
    ("gpu.MMAMatrix", &Entry(gpu::matrix::Matrix)),
    ("gpu.Object", &Entry(gpu::object::Object)),
    ("llvm.Array", &Entry(llvm::type_syntax::Array)),
    (
        "llvm.ExpressionArguments",
        &Entry(llvm::ExpressionArguments),
    ),
    ("llvm.Function", &Entry(llvm::type_syntax::Function)),
    ("llvm.Struct", &Entry(llvm::type_syntax::Struct)),
    ("llvm.Target", &Entry(llvm::type_syntax::Target)),
    ("mesh.Axes", &Entry(shard::Axes)),
    ("pdl.Element", &Entry(pdl::Element)),
    ("quant.Any", &Entry(quant::Any)),
    ("quant.Calibrated", &Entry(quant::Calibrated)),
    ("quant.Uniform", &Entry(quant::Uniform)),
    ("shard.Axes", &Entry(shard::Axes)),
    ("smt.BitVector", &Entry(smt::BitVector)),
    (
        "sparse_tensor.Encoding",
        &Entry(sparse_tensor::encoding::Encoding),
    ),
    (
        "sparse_tensor.LevelRange",
        &Entry(sparse_tensor::LevelRange),
    ),
    (
        "sparse_tensor.Specified",
        &Entry(sparse_tensor::encoding::Specified),
    ),
    (
        "spirv.CooperativeMatrix",
        &Entry(spirv::matrix::Matrix::OfElements),
    ),
    ("spirv.Device", &Entry(spirv::Device)),
    ("spirv.Matrix", &Entry(spirv::matrix::Matrix::OfColumns)),
    ("test.DecimalShape", &Entry(test::DecimalShape)),
    ("test.TypeOfValue", &Entry(test::TypeOfValue)),
];

/// Sorted by name.
static APPENDERS: Table<dyn DefinitionAppender> = &[("llvm.mlir.global", &llvm::Appending)];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX, omp::SYNTAX],
    directives: &[
        DIRECTIVES,
        acc::DIRECTIVES,
        omp::DIRECTIVES,
        spirv::DIRECTIVES,
    ],
    names: &[NAMES],
    verifiers: &[VERIFIERS],
    entry_syntax: &[ENTRY_SYNTAX],
    appenders: &[APPENDERS],
};
