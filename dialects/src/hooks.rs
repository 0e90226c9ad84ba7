//! The tables of this crate's hooks, by the names that definitions refer to.

use crate::affine::access::{Access, Action};
use crate::affine::validity::Validity;
use crate::derived::Derived;
use crate::stablehlo_syntax as hlo;
use rmlir_ir::OperationVerifier;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use rmlir_ir::definition::HookSource;

/// Sorted by name.
static SYNTAX: &[(&str, &dyn OperationSyntax)] = &[
    ("affine.apply", &crate::affine::Apply),
    ("affine.dma_start", &crate::affine::dma::START),
    ("affine.dma_wait", &crate::affine::dma::WAIT),
    ("affine.for", &crate::affine::loops::For),
    ("affine.if", &crate::affine::condition::If),
    ("affine.load", &Access::new(Action::Load, false)),
    ("affine.max", &crate::affine::Apply),
    ("affine.min", &crate::affine::Apply),
    ("affine.parallel", &crate::affine::parallel::Parallel),
    ("affine.prefetch", &Access::new(Action::Prefetch, false)),
    ("affine.store", &Access::new(Action::Store, false)),
    ("affine.vector_load", &Access::new(Action::Load, true)),
    ("affine.vector_store", &Access::new(Action::Store, true)),
    ("arith.select", &crate::arith::Select),
    ("async.execute", &crate::async_dialect::Execute),
    ("async.func", &crate::async_dialect::FUNC),
    (
        "bufferization.alloc_tensor",
        &crate::bufferization::AllocTensor,
    ),
    ("builtin.module", &crate::builtin::Module),
    (
        "builtin.unrealized_conversion_cast",
        &crate::builtin::UnrealizedConversionCast,
    ),
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    ("func.call", &crate::func::Call),
    ("func.func", &crate::func::FUNC),
    ("func.return", &crate::func::Return),
    ("gpu.func", &crate::gpu::Func),
    ("gpu.launch", &crate::gpu::Launch),
    (
        "gpu.warp_execute_on_lane_0",
        &crate::gpu::WarpExecuteOnLane0,
    ),
    (
        "hal.executable.condition",
        &crate::iree::calls::Block { keys: false },
    ),
    (
        "hal.executable.constant.block",
        &crate::iree::calls::Block { keys: true },
    ),
    ("irdl.attribute", &crate::irdl::Described),
    ("irdl.dialect", &crate::irdl::Described),
    ("irdl.operation", &crate::irdl::Described),
    ("irdl.type", &crate::irdl::Described),
    (
        "linalg.broadcast",
        &crate::linalg::shaped::Moved {
            numbers: "dimensions",
        },
    ),
    ("linalg.generic", &crate::iterators::Generic),
    (
        "linalg.map",
        &crate::linalg::shaped::Applied { reduces: false },
    ),
    ("linalg.named", &crate::linalg::named::Named),
    (
        "linalg.reduce",
        &crate::linalg::shaped::Applied { reduces: true },
    ),
    (
        "linalg.transpose",
        &crate::linalg::shaped::Moved {
            numbers: "permutation",
        },
    ),
    ("llvm.alloca", &crate::llvm::Alloca),
    ("llvm.call", &crate::llvm::Call),
    ("llvm.call_intrinsic", &crate::llvm::CallIntrinsic),
    ("llvm.func", &crate::llvm::Func),
    ("llvm.invoke", &crate::llvm::Invoke),
    ("llvm.landingpad", &crate::llvm::LandingPad),
    ("llvm.mlir.alias", &crate::llvm::Alias),
    ("llvm.mlir.global", &crate::llvm::Global),
    ("memref.alloca_scope", &crate::regions::ALLOCA_SCOPE),
    ("memref.dma_start", &crate::memref::dma::Start),
    (
        "memref.generic_atomic_rmw",
        &crate::memref::operations::GenericAtomic,
    ),
    ("memref.prefetch", &crate::memref::operations::Prefetch),
    ("memref.transpose", &crate::memref::operations::Transpose),
    ("mhlo.reduce", &crate::stablehlo::reduce::MHLO),
    ("mhlo.while", &crate::stablehlo::loops::While),
    ("ml_program.func", &crate::ml_program::FUNC),
    ("ml_program.subgraph", &crate::ml_program::SUBGRAPH),
    ("pdl_interp.func", &crate::pdl::INTERP_FUNC),
    ("scf.execute_region", &crate::scf::ExecuteRegion),
    ("scf.for", &crate::scf::For),
    ("scf.forall", &crate::scf::forall::Forall),
    ("scf.if", &crate::scf::If),
    ("scf.index_switch", &crate::scf::switch::IndexSwitch),
    ("scf.parallel", &crate::scf::Parallel),
    ("scf.while", &crate::control::While),
    ("sdy.manual_computation", &crate::sdy::computation::MANUAL),
    ("sdy.named_computation", &crate::sdy::computation::NAMED),
    ("shape.assuming", &crate::regions::ASSUMING),
    ("shape.const_shape", &crate::shape::ConstShape),
    ("shape.func", &crate::shape::FUNC),
    ("shape.function_library", &crate::shape::FunctionLibrary),
    ("shape.reduce", &crate::shape::Reduce),
    (
        "sparse_tensor.coiterate",
        &crate::sparse_tensor::iterate::Coiterate,
    ),
    (
        "sparse_tensor.iterate",
        &crate::sparse_tensor::iterate::Iterate,
    ),
    ("spirv.func", &crate::spirv::FUNC),
    ("stablehlo.reduce", &crate::stablehlo::reduce::REDUCE),
    ("stablehlo.while", &crate::stablehlo::loops::While),
    ("tosa.cond_if", &crate::tosa::control::If),
    ("tosa.while_loop", &crate::control::While),
    (
        "transform.named_sequence",
        &crate::transform::NAMED_SEQUENCE,
    ),
    ("transform.structured.split", &crate::transform::Split),
    ("tt.func", &crate::func::PLAIN),
    ("util.assume.int", &crate::iree::assume::AssumeInt),
    ("util.func", &crate::iree::function::Func),
    ("util.hoistable_conversion", &crate::iree::calls::Conversion),
    ("util.initializer", &crate::iree::function::Initializer),
    ("util.unfoldable_constant", &crate::iree::function::Constant),
    ("vector.contract", &crate::iterators::Contract),
    ("vector.mask", &crate::vector::mask::Mask),
    (
        "vector.outerproduct",
        &crate::vector::products::OuterProduct,
    ),
    ("vector.shuffle", &crate::vector::products::Shuffle),
    ("vector.transfer_read", &crate::vector::TransferRead),
    ("vector.transfer_write", &crate::vector::TransferWrite),
    ("vm.call.variadic", &crate::iree::calls::CallVariadic),
    ("vm.cond_fail", &crate::iree::calls::CondFail),
    ("vm.export", &crate::iree::function::Export),
    ("vm.func", &crate::func::PLAIN),
    ("vm.import", &crate::iree::function::Import),
    ("vm.initializer", &crate::iree::function::Initializer),
];

/// Sorted by name.
static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("DimensionList", &crate::dimensions::DimensionList),
    ("DynamicIndexList", &crate::memref::DynamicIndexList),
    (
        "SwitchCases",
        &crate::switch::SwitchCases { default: false },
    ),
    (
        "SwitchCasesWithDefault",
        &crate::switch::SwitchCases { default: true },
    ),
    ("Targets", &crate::switch::Targets),
    ("amdgpu.MNKDimensionList", &crate::dimensions::MatrixSizes),
    (
        "async.AwaitResultType",
        &crate::async_dialect::AwaitResultType,
    ),
    ("check.Tolerances", &crate::iree::tolerances::Tolerances),
    (
        "flow.DispatchEntryPoints",
        &crate::iree::symbols::EntryPoints,
    ),
    (
        "flow.DispatchWorkgroupBody",
        &crate::iree::bodies::WorkgroupBody,
    ),
    (
        "flow.DispatchWorkgroupsCountRegion",
        &crate::iree::shaped::CountRegion {
            keyword: "count",
            counts: true,
            spaced: true,
        },
    ),
    (
        "flow.ParameterReference",
        &crate::iree::shaped::ParameterReference,
    ),
    ("flow.RegionResults", &crate::iree::shaped::RegionResults),
    (
        "flow.ShapedFunctionSignature",
        &crate::iree::parts::TextSignature { ranges: false },
    ),
    (
        "flow.ShapedFunctionType",
        &crate::iree::shaped::FunctionType,
    ),
    (
        "flow.ShapedOperandList",
        &crate::iree::lists::SHAPED_OPERANDS,
    ),
    ("flow.ShapedTiedResult", &crate::iree::shaped::TiedResult),
    ("flow.SymbolAlias", &crate::iree::symbols::SymbolAlias),
    (
        "flow.SymbolVisibility",
        &crate::iree::symbols::SymbolVisibility,
    ),
    (
        "flow.WorkgroupCountRegion",
        &crate::iree::shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        },
    ),
    ("gpu.AllReduceOperation", &crate::gpu::AllReduceOperation),
    ("gpu.AsyncDependencies", &crate::gpu::AsyncDependencies),
    ("gpu.LaunchDimType", &crate::gpu::LaunchDimType),
    ("gpu.LaunchFuncOperands", &crate::gpu::LaunchFuncOperands),
    (
        "gpu.MatrixElement",
        &Derived(crate::gpu::matrix::MatrixElement),
    ),
    ("gpu.OffloadingHandler", &crate::gpu::OffloadingHandler),
    ("hal.BindingTable", &crate::iree::lists::BINDINGS),
    ("hal.Bindings", &crate::iree::lists::BINDINGS),
    ("hal.DeviceQueueAffinityList", &crate::iree::lists::DEVICES),
    (
        "hal.ExportConditionRegion",
        &crate::iree::shaped::CountRegion {
            keyword: "",
            counts: false,
            spaced: false,
        },
    ),
    ("hal.ShapedFunctionType", &crate::iree::shaped::FunctionType),
    ("hal.SizeAwareType", &crate::iree::lists::SIZED_TYPE),
    (
        "hal.SymbolVisibility",
        &crate::iree::symbols::SymbolVisibility,
    ),
    ("hal.TypeAlias", &crate::iree::shaped::TypeAlias),
    (
        "hal.WorkgroupCountRegion",
        &crate::iree::shaped::CountRegion {
            keyword: "",
            counts: true,
            spaced: false,
        },
    ),
    ("hal_inline.SizeAwareType", &crate::iree::lists::SIZED_TYPE),
    ("hal_loader.DispatchBindings", &crate::iree::lists::BINDINGS),
    (
        "io_parameters.ParameterGatherOperations",
        &crate::iree::lists::GATHER,
    ),
    (
        "io_parameters.ParameterLoadOperations",
        &crate::iree::lists::PARAMETER_LOADS,
    ),
    (
        "io_parameters.ParameterScatterOperations",
        &crate::iree::lists::SCATTER,
    ),
    ("irdl.AttributesOp", &crate::irdl::ATTRIBUTES),
    ("irdl.NamedValueList", &crate::irdl::NAMED_VALUES),
    (
        "irdl.NamedValueListWithVariadicity",
        &crate::irdl::COUNTED_VALUES,
    ),
    ("iree_codegen.KnobsDictionary", &crate::iree::parts::Knobs),
    (
        "iree_gpu.AsyncDMASourceIndexTypes",
        &crate::iree::parts::IndexTypes,
    ),
    (
        "iree_linalg_ext.NestedDynamicIndexList",
        &crate::iree::parts::IndexLists,
    ),
    ("llvm.CmpXchgResult", &Derived(crate::llvm::CmpXchgResult)),
    ("llvm.FCmpPredicate", &crate::llvm::FCMP),
    ("llvm.GEPIndices", &crate::llvm::GepIndices),
    ("llvm.ICmpPredicate", &crate::llvm::ICMP),
    (
        "llvm.InsertExtractValueElementType",
        &crate::llvm::InsertExtractValueElementType,
    ),
    ("llvm.LLVMLinkage", &crate::llvm::Linkage),
    ("llvm.OpBundles", &crate::llvm::OpBundles),
    ("llvm.ShuffleType", &crate::llvm::ShuffleType),
    (
        "memref.GlobalMemrefOpTypeAndInitialValue",
        &crate::memref::Global,
    ),
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
    (
        "ml_program.SymbolVisibility",
        &crate::ml_program::SymbolVisibility,
    ),
    (
        "ml_program.TokenOrdering",
        &crate::ml_program::TokenOrdering,
    ),
    (
        "ml_program.TypedInitialValue",
        &crate::ml_program::TypedInitialValue,
    ),
    (
        "pcf.InferNumIndexArgs",
        &crate::iree::bodies::IndexArguments,
    ),
    (
        "pcf.ParallelExecutionBody",
        &crate::iree::bodies::ParallelBody,
    ),
    (
        "pdl.OperationOpAttributes",
        &crate::pdl::OPERATION_ATTRIBUTES,
    ),
    ("pdl.RangeType", &crate::pdl::RangeType),
    ("pdl.ResultsValueType", &crate::pdl::ResultsValueType),
    (
        "pdl_interp.CreateOperationOpAttributes",
        &crate::pdl::OPERATION_ATTRIBUTES,
    ),
    (
        "pdl_interp.CreateOperationOpResults",
        &crate::pdl::CreateOperationResults,
    ),
    ("pdl_interp.RangeType", &crate::pdl::RangeType),
    (
        "sparse_tensor.LevelRange",
        &crate::sparse_tensor::LevelRange,
    ),
    ("spirv.Constant", &crate::spirv::operations::Constant),
    ("spirv.Member", &crate::spirv::operations::Member),
    ("spirv.Name", &crate::spirv::operations::Name),
    ("spirv.Pointer", &crate::spirv::memory::Pointer),
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
    (
        "stream.AsyncParameterGatherOperations",
        &crate::iree::lists::ASYNC_GATHER,
    ),
    (
        "stream.AsyncParameterScatterOperations",
        &crate::iree::lists::ASYNC_SCATTER,
    ),
    (
        "stream.CmdParameterGatherOperations",
        &crate::iree::lists::COMMAND_GATHER,
    ),
    (
        "stream.CmdParameterScatterOperations",
        &crate::iree::lists::COMMAND_SCATTER,
    ),
    (
        "stream.CollectiveParam",
        &crate::iree::parts::CollectiveParameter,
    ),
    ("stream.ConstantValueList", &crate::iree::lists::CONSTANTS),
    (
        "stream.DispatchEntryPoints",
        &crate::iree::symbols::EntryPoints,
    ),
    (
        "stream.DispatchFunctionSignature",
        &crate::iree::parts::TextSignature { ranges: true },
    ),
    (
        "stream.DispatchOperands",
        &crate::iree::lists::DISPATCH_OPERANDS,
    ),
    ("stream.DispatchResources", &crate::iree::lists::RESOURCES),
    (
        "stream.EncodedResourceOperands",
        &crate::iree::lists::ENCODED_OPERANDS,
    ),
    (
        "stream.ExplicitResourceRegion",
        &crate::iree::shaped::ResourceRegion,
    ),
    ("stream.PackSliceRanges", &crate::iree::lists::PACKED),
    (
        "stream.ParameterLoadOperations",
        &crate::iree::lists::PARAMETER_LOADS,
    ),
    (
        "stream.ParameterReference",
        &crate::iree::shaped::ParameterReference,
    ),
    (
        "stream.ResourceRegion",
        &crate::iree::shaped::ResourceRegion,
    ),
    (
        "stream.ShapedFunctionSignature",
        &crate::iree::parts::TextSignature { ranges: false },
    ),
    (
        "stream.ShapedFunctionType",
        &crate::iree::shaped::FunctionType,
    ),
    ("stream.ShapedTiedResult", &crate::iree::shaped::TiedResult),
    ("stream.ShapedTypeList", &crate::iree::shaped::SharedTypes),
    ("stream.SymbolAlias", &crate::iree::symbols::SymbolAlias),
    (
        "stream.SymbolVisibility",
        &crate::iree::symbols::SymbolVisibility,
    ),
    (
        "stream.WorkgroupCountRegion",
        &crate::iree::shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        },
    ),
    ("tosa.EnumDictionary", &crate::tosa::EnumDictionary),
    (
        "tosa.VariableOpTypeOrInitialValue",
        &crate::tosa::variable::Variable,
    ),
    (
        "transform.AlternativesOpSelectedRegion",
        &crate::transform::SelectedRegion,
    ),
    (
        "transform.ApplyRegisteredPassOptions",
        &crate::transform::PassOptions,
    ),
    (
        "transform.ContinuousTileSizeTypes",
        &crate::transform::SameResultTypes,
    ),
    (
        "transform.ForeachMatchSymbols",
        &crate::transform::ForeachMatchSymbols,
    ),
    (
        "transform.MultitileSizesTypes",
        &crate::transform::SameResultTypes,
    ),
    (
        "transform.PackedOrDynamicIndexList",
        &crate::transform::PackedOrDynamicIndexList,
    ),
    (
        "transform.SemiFunctionType",
        &crate::transform::SemiFunctionType,
    ),
    (
        "transform.SequenceOpOperands",
        &crate::transform::SequenceOperands,
    ),
    ("transform.TransformMatchDims", &crate::transform::MatchDims),
    ("ttg.Offsets", &crate::triton::Offsets),
    ("ttng.BarriersAndPreds", &crate::triton::Barriers),
    ("ttng.Token", &crate::triton::Token),
    ("util.OperandTypeList", &crate::iree::lists::TYPES),
    ("util.RangeList", &crate::iree::lists::RANGES),
    (
        "util.SymbolVisibility",
        &crate::iree::symbols::SymbolVisibility,
    ),
    (
        "util.TiedFunctionResultList",
        &crate::iree::shaped::TiedResults,
    ),
    ("util.TypeOrAttr", &crate::iree::function::TypeOrAttribute),
    ("util.TypedValueList", &crate::iree::lists::VALUES),
    ("util.ValueTypeList", &crate::iree::lists::TYPED_VALUES),
    ("vm.ResultTypeList", &crate::iree::parts::TypeList),
    (
        "vm.SymbolVisibility",
        &crate::iree::symbols::SymbolVisibility,
    ),
    ("vm.TypeOrAttr", &crate::iree::function::TypeOrAttribute),
    (
        "xegpu.OptionalDynamicIndexList",
        &crate::memref::OptionalDynamicIndexList,
    ),
];

/// Sorted by name.
static NAMES: &[(&str, &dyn ValueNames)] = &[
    ("arith.constant", &crate::arith::Constant),
    ("arith.muli", &crate::arith::Multiply),
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    (
        "flow.dispatch.workgroup.count",
        &crate::iree::names::Dimension {
            prefix: "workgroup_count_",
            letters: false,
        },
    ),
    (
        "flow.dispatch.workgroup.id",
        &crate::iree::names::Dimension {
            prefix: "workgroup_id_",
            letters: false,
        },
    ),
    (
        "flow.dispatch.workgroup.size",
        &crate::iree::names::Dimension {
            prefix: "workgroup_size_",
            letters: false,
        },
    ),
    ("gpu.dimension", &crate::gpu::Dimension),
    ("hal.device.resolve", &crate::iree::names::Resolved),
    ("hal.devices.get", &crate::iree::names::Device),
    (
        "hal.element_type",
        &crate::iree::names::After {
            attribute: "type",
            prefix: "element_type_",
            suffix: "",
            otherwise: "",
        },
    ),
    ("hal.encoding_type", &crate::iree::names::DenseEncoding),
    (
        "hal.interface.workgroup.count",
        &crate::iree::names::Dimension {
            prefix: "workgroup_count_",
            letters: true,
        },
    ),
    (
        "hal.interface.workgroup.id",
        &crate::iree::names::Dimension {
            prefix: "workgroup_id_",
            letters: true,
        },
    ),
    (
        "hal.interface.workgroup.size",
        &crate::iree::names::Dimension {
            prefix: "workgroup_size_",
            letters: true,
        },
    ),
    (
        "hal_loader.executable.query_support",
        &crate::iree::names::After {
            attribute: "executable_format",
            prefix: "",
            suffix: "_supported",
            otherwise: "",
        },
    ),
    ("index.bool.constant", &crate::arith::BoolConstant),
    ("index.constant", &crate::arith::IndexConstant),
    ("linalg.generic", &crate::iterators::Generic),
    (
        "linalg.map",
        &crate::linalg::shaped::Applied { reduces: false },
    ),
    (
        "linalg.reduce",
        &crate::linalg::shaped::Applied { reduces: true },
    ),
    (
        "memref.extract_strided_metadata",
        &crate::memref::ExtractStridedMetadata,
    ),
    ("mhlo.while", &crate::stablehlo::loops::While),
    ("ml_program.load", &crate::ml_program::Load),
    (
        "pcf.generic",
        &crate::iree::bodies::BodyNames {
            region: 1,
            counts: true,
        },
    ),
    (
        "pcf.loop",
        &crate::iree::bodies::BodyNames {
            region: 0,
            counts: false,
        },
    ),
    ("shape.const_size", &crate::arith::Constant),
    ("smt.constant", &crate::arith::BoolConstant),
    ("spirv.Constant", &crate::spirv::operations::Constant),
    ("spirv.mlir.addressof", &crate::spirv::operations::AddressOf),
    ("stablehlo.constant", &hlo::Constant),
    ("stablehlo.while", &crate::stablehlo::loops::While),
    (
        "stream.dispatch.workgroup.count",
        &crate::iree::names::Dimension {
            prefix: "workgroup_count_",
            letters: false,
        },
    ),
    (
        "stream.dispatch.workgroup.id",
        &crate::iree::names::Dimension {
            prefix: "workgroup_id_",
            letters: false,
        },
    ),
    (
        "stream.dispatch.workgroup.size",
        &crate::iree::names::Dimension {
            prefix: "workgroup_size_",
            letters: false,
        },
    ),
    ("stream.resource.pack", &crate::iree::names::Unnamed),
    ("torch.constant.bool", &crate::torch::Constant),
    ("torch.constant.device", &crate::torch::Constant),
    ("torch.constant.float", &crate::torch::Constant),
    ("torch.constant.int", &crate::torch::Constant),
    ("transform.foreach_match", &crate::transform::ForeachMatch),
    (
        "util.buffer.constant",
        &crate::iree::names::After {
            attribute: "name",
            prefix: "",
            suffix: "",
            otherwise: "buffer_cst",
        },
    ),
    (
        "util.global.address",
        &crate::iree::names::After {
            attribute: "global",
            prefix: "ptr_",
            suffix: "",
            otherwise: "",
        },
    ),
    (
        "util.global.load",
        &crate::iree::names::After::new("global"),
    ),
    ("util.string.format", &crate::iree::names::Formatted),
    ("vm.const", &crate::iree::names::Constant),
    (
        "vm.const.ref.rodata",
        &crate::iree::names::After::new("rodata"),
    ),
    ("vm.global.load", &crate::iree::names::After::new("global")),
    (
        "vm.import.resolved",
        &crate::iree::names::After {
            attribute: "import",
            prefix: "has_",
            suffix: "",
            otherwise: "",
        },
    ),
];

/// Sorted by name.
static VERIFIERS: &[(&str, &dyn OperationVerifier)] = &[
    ("affine.apply", &Validity::APPLY),
    ("affine.for", &Validity::FOR),
    ("affine.if", &Validity::IF),
    ("affine.load", &Validity::ACCESS),
    ("affine.parallel", &Validity::PARALLEL),
    ("affine.prefetch", &Validity::ACCESS),
    ("affine.store", &Validity::ACCESS),
    ("affine.vector_load", &Validity::ACCESS),
    ("affine.vector_store", &Validity::ACCESS),
    ("arith.constant", &crate::arith::Constant),
    ("async.func", &crate::func::verify::Func),
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
    ("ml_program.func", &crate::func::verify::Func),
    ("ml_program.global", &crate::ml_program::Global),
    ("ml_program.subgraph", &crate::func::verify::Func),
    ("shape.func", &crate::func::verify::Func),
    ("spirv.Constant", &crate::spirv::operations::Constant),
];

/// Sorted by name.
static ENTRY_SYNTAX: &[(&str, &dyn EntrySyntax)] = &[
    ("complex.Number", &crate::complex::Number),
    ("dlti.Entries", &crate::dlti::Entries),
    ("gpu.LoopDimMap", &crate::gpu::mapping::LoopDimMap),
    ("gpu.MMAMatrix", &crate::gpu::matrix::Matrix),
    ("gpu.Object", &crate::gpu::object::Object),
    ("llvm.Array", &crate::llvm::type_syntax::Array),
    (
        "llvm.ExpressionArguments",
        &crate::llvm::ExpressionArguments,
    ),
    ("llvm.Function", &crate::llvm::type_syntax::Function),
    ("llvm.Struct", &crate::llvm::type_syntax::Struct),
    ("llvm.Target", &crate::llvm::type_syntax::Target),
    ("quant.Any", &crate::quant::Any),
    ("quant.Uniform", &crate::quant::Uniform),
    ("sdy.CustomRule", &crate::sdy::CustomRule),
    ("sdy.DimensionSharding", &crate::sdy::DimensionSharding),
    ("sdy.FactorKinds", &crate::sdy::FactorKinds),
    ("sdy.FactorSizes", &crate::sdy::FactorSizes),
    ("sdy.Factors", &crate::sdy::Factors),
    ("sdy.MeshOrRef", &crate::sdy::MeshOrRef),
    ("sdy.NamedAxes", &crate::sdy::NamedAxes),
    ("shard.Axes", &crate::shard::Axes),
    (
        "sparse_tensor.Encoding",
        &crate::sparse_tensor::encoding::Encoding,
    ),
    (
        "sparse_tensor.LevelRange",
        &crate::sparse_tensor::LevelRange,
    ),
    (
        "sparse_tensor.Specified",
        &crate::sparse_tensor::encoding::Specified,
    ),
    ("spirv.Device", &crate::spirv::Device),
    ("stablehlo.Convolution", &crate::stablehlo::Convolution),
    ("tt.Shaped", &crate::triton::Shaped),
    ("ttg.Shaped", &crate::triton::Shaped),
    ("ttng.Shaped", &crate::triton::Shaped),
    ("vhlo.Dictionary", &crate::vhlo::Dictionary),
    ("vhlo.Float", &crate::vhlo::Float),
    ("vhlo.Function", &crate::vhlo::Function),
    ("vhlo.Integer", &crate::vhlo::Integer),
    ("vhlo.Shaped", &crate::vhlo::Shaped),
    ("vhlo.Tensor", &crate::vhlo::Tensor),
];

/// The hooks of this crate, for definitions that refer to them by name.
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
