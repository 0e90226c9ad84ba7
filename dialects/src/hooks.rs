//! The tables of this crate's hooks, by the names that definitions refer to.

use crate::affine::access::{Access, Action};
use crate::affine::validity::Validity;
use crate::derived::{AllPredicates, Derived, FirstDimensionInteger, FirstDimensionMask, Wrapped};
use crate::names::FirstResult;
use crate::nvvm::RequiresSm;
use crate::stablehlo_syntax as hlo;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use rmlir_ir::definition::HookSource;
use rmlir_ir::{DefinitionAppender, OperationVerifier};

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
    ("arc.coroutine.define", &crate::func::PLAIN),
    ("arc.define", &crate::func::PLAIN),
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
    ("calyx.comb_component", &crate::circt::functions::Component),
    ("calyx.component", &crate::circt::functions::Component),
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    ("emitc.func", &crate::func::EMITC),
    (
        "firrtl.class",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: true,
            is_module: false,
            has_parameters: false,
            has_convention: false,
            lists: &[],
        }),
    ),
    (
        "firrtl.extclass",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: false,
            is_module: false,
            has_parameters: false,
            has_convention: false,
            lists: &[],
        }),
    ),
    (
        "firrtl.extmodule",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: false,
            is_module: true,
            has_parameters: true,
            has_convention: true,
            lists: &[
                "annotations",
                "layers",
                "knownLayers",
                "externalRequirements",
            ],
        }),
    ),
    (
        "firrtl.instance",
        &crate::two_way::Syntax(crate::circt::firrtl::Instance { is_choice: false }),
    ),
    (
        "firrtl.instance_choice",
        &crate::two_way::Syntax(crate::circt::firrtl::Instance { is_choice: true }),
    ),
    (
        "firrtl.intmodule",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: false,
            is_module: true,
            has_parameters: true,
            has_convention: false,
            lists: &["annotations", "layers"],
        }),
    ),
    ("firrtl.match", &crate::circt::handlers::Match),
    (
        "firrtl.memmodule",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: false,
            is_module: true,
            has_parameters: false,
            has_convention: false,
            lists: &["annotations", "layers"],
        }),
    ),
    (
        "firrtl.module",
        &crate::two_way::Syntax(crate::circt::firrtl::ModuleLike {
            has_body: true,
            is_module: true,
            has_parameters: false,
            has_convention: true,
            lists: &["annotations", "layers"],
        }),
    ),
    ("fsm.machine", &crate::func::PLAIN),
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
    (
        "handshake.func",
        &crate::two_way::Syntax(crate::circt::functions::HandshakeFunction),
    ),
    (
        "hw.hierpath",
        &crate::two_way::Syntax(crate::circt::hierarchy::HierarchicalPath),
    ),
    (
        "hw.instance",
        &crate::two_way::Syntax(crate::circt::module::Instance),
    ),
    (
        "hw.module",
        &crate::two_way::Syntax(crate::circt::module::ModuleLike {
            has_body: true,
            has_generator: false,
            has_parameters: true,
            locations: "result_locs",
        }),
    ),
    (
        "hw.module.extern",
        &crate::two_way::Syntax(crate::circt::module::ModuleLike {
            has_body: false,
            has_generator: false,
            has_parameters: true,
            locations: "port_locs",
        }),
    ),
    (
        "hw.module.generated",
        &crate::two_way::Syntax(crate::circt::module::ModuleLike {
            has_body: false,
            has_generator: true,
            has_parameters: true,
            locations: "port_locs",
        }),
    ),
    ("irdl.attribute", &crate::irdl::Described),
    ("irdl.dialect", &crate::irdl::Described),
    ("irdl.operation", &crate::irdl::Described),
    ("irdl.type", &crate::irdl::Described),
    (
        "kanagawa.method",
        &crate::two_way::Syntax(crate::circt::functions::Method),
    ),
    (
        "kanagawa.method.df",
        &crate::two_way::Syntax(crate::circt::functions::Method),
    ),
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
    ("llhd.coroutine", &crate::func::PLAIN),
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
    ("nvvm.mma.block_scale", &crate::nvvm::SCALED),
    ("nvvm.mma.sp.block_scale", &crate::nvvm::SPARSE_SCALED),
    ("nvvm.mma.sp.sync", &crate::nvvm::SPARSE),
    ("nvvm.mma.sync", &crate::nvvm::DENSE),
    (
        "om.class",
        &crate::two_way::Syntax(crate::circt::functions::Class),
    ),
    (
        "om.class.extern",
        &crate::two_way::Syntax(crate::circt::functions::Class),
    ),
    ("pdl_interp.foreach", &crate::pdl::ForEach),
    ("pdl_interp.func", &crate::pdl::INTERP_FUNC),
    (
        "rtg.sequence",
        &crate::two_way::Syntax(crate::circt::functions::Sequence),
    ),
    (
        "rtg.test",
        &crate::two_way::Syntax(crate::circt::functions::Test),
    ),
    ("rtg.with_handlers", &crate::circt::handlers::WithHandlers),
    ("scf.execute_region", &crate::scf::ExecuteRegion),
    ("scf.for", &crate::scf::For),
    ("scf.forall", &crate::scf::forall::Forall),
    ("scf.if", &crate::scf::If),
    ("scf.index_switch", &crate::scf::switch::IndexSwitch),
    ("scf.parallel", &crate::scf::Parallel),
    ("scf.while", &crate::control::While),
    ("sdy.manual_computation", &crate::sdy::computation::MANUAL),
    ("sdy.named_computation", &crate::sdy::computation::NAMED),
    (
        "seq.firreg",
        &crate::two_way::Syntax(crate::circt::register::FirRegister),
    ),
    ("shape.assuming", &crate::regions::ASSUMING),
    ("shape.const_shape", &crate::shape::ConstShape),
    ("shape.func", &crate::shape::FUNC),
    ("shape.function_library", &crate::shape::FunctionLibrary),
    ("shape.reduce", &crate::shape::Reduce),
    ("smt.bv.repeat", &crate::smt::Repeat),
    (
        "sparse_tensor.coiterate",
        &crate::sparse_tensor::iterate::Coiterate,
    ),
    (
        "sparse_tensor.iterate",
        &crate::sparse_tensor::iterate::Iterate,
    ),
    ("spirv.ARM.Graph", &crate::func::PLAIN),
    ("spirv.func", &crate::spirv::FUNC),
    (
        "ssp.operation",
        &crate::two_way::Syntax(crate::circt::ssp::OperationOp),
    ),
    ("stablehlo.reduce", &crate::stablehlo::reduce::REDUCE),
    ("stablehlo.while", &crate::stablehlo::loops::While),
    ("test.polyfor", &crate::test::PolyFor),
    (
        "test.single_no_terminator_custom_asm_op",
        &crate::test::OnlyRegion,
    ),
    ("test.string_attr_pretty_name", &crate::test::PrettyName),
    ("tosa.cond_if", &crate::tosa::control::If),
    ("tosa.while_loop", &crate::control::While),
    (
        "transform.named_sequence",
        &crate::transform::NAMED_SEQUENCE,
    ),
    ("transform.structured.split", &crate::transform::Split),
    ("transform.test_transform_op", &crate::test::Message),
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
    ("vm.func", &crate::iree::function::VM_FUNC),
    ("vm.import", &crate::iree::function::Import),
    ("vm.initializer", &crate::iree::function::Initializer),
    ("wasmssa.func", &crate::wasmssa::Func),
];

/// Sorted by name.
static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("DimensionList", &crate::dimensions::DimensionList),
    ("DynamicIndexList", &crate::memref::DynamicIndexList),
    (
        "ImplicitSSAName",
        &crate::circt::names::ImplicitName { annotations: false },
    ),
    (
        "IntegerOfParameter",
        &crate::circt::infer::Inferred::of(crate::circt::infer::integer_of_parameter),
    ),
    ("KeywordBool", &crate::circt::literals::KeywordBool),
    (
        "OptionalBinaryOpTypes",
        &crate::circt::directives::OptionalSecondType,
    ),
    (
        "ParameterType",
        &crate::circt::infer::Inferred::of(crate::circt::infer::parameter),
    ),
    (
        "SpelledType",
        &crate::circt::infer::Inferred::of(crate::circt::infer::spelled),
    ),
    (
        "SwitchCases",
        &crate::switch::SwitchCases { default: false },
    ),
    (
        "SwitchCasesWithDefault",
        &crate::switch::SwitchCases { default: true },
    ),
    ("Targets", &crate::switch::Targets),
    (
        "TypeWithNumber",
        &crate::circt::infer::Inferred::of(crate::circt::infer::renumbered),
    ),
    (
        "WrappedType",
        &crate::circt::infer::Inferred::of(crate::circt::infer::wrapped),
    ),
    ("amdgpu.MNKDimensionList", &crate::dimensions::MatrixSizes),
    (
        "arm_sme.OuterTile",
        &crate::circt::infer::Inferred::of(crate::circt::infer::tile),
    ),
    ("arm_sve.Svbool", &Derived(AllPredicates)),
    (
        "async.AwaitResultType",
        &crate::async_dialect::AwaitResultType,
    ),
    ("calyx.Cycle", &crate::circt::attributes::Cycle),
    ("calyx.Guarded", &crate::circt::operands::Guarded),
    (
        "calyx.ParameterList",
        &crate::circt::parameters::ParameterList { dialect: "hw" },
    ),
    ("check.Tolerances", &crate::iree::tolerances::Tolerances),
    (
        "chirrtl.CombMemOp",
        &crate::circt::names::ImplicitName { annotations: true },
    ),
    (
        "chirrtl.MemoryDebugPortOp",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", crate::circt::directives::Absent::List)],
            all_but: &[],
        },
    ),
    (
        "chirrtl.MemoryPortOp",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", crate::circt::directives::Absent::List)],
            all_but: &[],
        },
    ),
    (
        "chirrtl.NameKind",
        &crate::circt::directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        },
    ),
    (
        "chirrtl.SeqMemOp",
        &crate::circt::names::ImplicitName { annotations: true },
    ),
    (
        "comb.Concatenated",
        &crate::circt::infer::Inferred::of(crate::circt::infer::concatenated),
    ),
    ("datapath.CompressFormat", &crate::circt::operands::Counts),
    (
        "dc.Copies",
        &crate::circt::operands::Copies {
            fixed: Some(("dc", "token")),
        },
    ),
    (
        "emitc.LValue",
        &Wrapped {
            name: "emitc.lvalue",
            parameter: "valueType",
            of_parameter: true,
        },
    ),
    (
        "emitc.Pointer",
        &Wrapped {
            name: "emitc.ptr",
            parameter: "pointee",
            of_parameter: true,
        },
    ),
    (
        "firrtl.Bit",
        &crate::circt::infer::Inferred::of(crate::circt::infer::firrtl_bit),
    ),
    (
        "firrtl.CircuitOpAttrs",
        &crate::circt::directives::Dictionary {
            keyword: true,
            left_out: &[("annotations", crate::circt::directives::Absent::List)],
            all_but: &[],
        },
    ),
    (
        "firrtl.ClassInterface",
        &crate::circt::fields::ClassInterface,
    ),
    ("firrtl.Constant", &crate::circt::literals::FirrtlConstant),
    ("firrtl.Digit", &crate::circt::literals::Digit),
    (
        "firrtl.Element",
        &crate::circt::infer::Inferred::of(crate::circt::infer::element),
    ),
    (
        "firrtl.FIRRTLImplicitSSAName",
        &crate::circt::names::ImplicitName { annotations: true },
    ),
    (
        "firrtl.FPrintfAttrs",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("name", crate::circt::directives::Absent::Text)],
            all_but: &["formatString", "outputFile", "operandSegmentSizes"],
        },
    ),
    (
        "firrtl.Field",
        &crate::circt::fields::Field {
            name: crate::circt::fields::FieldName::Word,
            brackets: ("[", "]"),
        },
    ),
    ("firrtl.FieldTypes", &crate::circt::fields::FieldTypes),
    (
        "firrtl.Forceable",
        &crate::circt::infer::Inferred::optional(crate::circt::infer::forceable, 0),
    ),
    ("firrtl.Integer", &crate::circt::literals::SignedInteger),
    (
        "firrtl.List",
        &crate::circt::arrays::Collected {
            wrap: ("firrtl.list", "elementType"),
            whole: true,
            attributes_last: false,
        },
    ),
    (
        "firrtl.MemOp",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[
                ("annotations", crate::circt::directives::Absent::List),
                ("portAnnotations", crate::circt::directives::Absent::Lists),
            ],
            all_but: &[],
        },
    ),
    (
        "firrtl.NameKind",
        &crate::circt::directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        },
    ),
    (
        "firrtl.ParameterList",
        &crate::circt::parameters::ParameterList { dialect: "firrtl" },
    ),
    (
        "firrtl.PrintfAttrs",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("name", crate::circt::directives::Absent::Text)],
            all_but: &["formatString"],
        },
    ),
    (
        "firrtl.ProbePart",
        &crate::circt::infer::Inferred::of(crate::circt::infer::probe_part),
    ),
    (
        "firrtl.Resolved",
        &crate::circt::infer::Inferred::of(crate::circt::infer::resolved),
    ),
    ("firrtl.RestOfTypes", &crate::circt::operands::RestOfTypes),
    (
        "firrtl.Sent",
        &crate::circt::infer::Inferred::of(crate::circt::infer::sent),
    ),
    (
        "firrtl.StopAttrs",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("name", crate::circt::directives::Absent::Text)],
            all_but: &["exitCode"],
        },
    ),
    (
        "firrtl.VerifAttrs",
        &crate::circt::directives::Dictionary {
            keyword: false,
            left_out: &[("name", crate::circt::directives::Absent::Text)],
            all_but: &["message"],
        },
    ),
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
        "handshake.AddressesAndData",
        &crate::circt::operands::AddressesAndData,
    ),
    (
        "handshake.Copies",
        &crate::circt::operands::Copies { fixed: None },
    ),
    (
        "handshake.Members",
        &crate::circt::infer::Inferred::of(crate::circt::infer::members),
    ),
    ("hw.ArrayConcatTypes", &crate::circt::arrays::Arrays),
    ("hw.ArrayElements", &crate::circt::arrays::ArrayElements),
    ("hw.Create", &crate::circt::fields::Create),
    (
        "hw.ElementOf",
        &crate::circt::infer::Inferred::of(crate::circt::infer::array_element),
    ),
    (
        "hw.Field",
        &crate::circt::fields::Field {
            name: crate::circt::fields::FieldName::Quoted,
            brackets: ("[", "]"),
        },
    ),
    ("hw.FieldTypes", &crate::circt::fields::FieldTypes),
    ("hw.Inject", &crate::circt::fields::Inject),
    ("hw.ParamValue", &crate::circt::literals::TypeAndValue),
    ("hw.SliceTypes", &crate::circt::arrays::ArrayAndIndex),
    ("hw.Typed", &crate::circt::literals::TypedValue),
    ("hwarith.Typed", &crate::circt::literals::TypedValue),
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
    (
        "kanagawa.Port",
        &crate::circt::infer::Inferred::of(crate::circt::infer::port),
    ),
    (
        "kanagawa.PortType",
        &crate::circt::infer::Inferred::of(crate::circt::infer::port_type),
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
        "ltl.Logic",
        &crate::circt::infer::Inferred::of(crate::circt::infer::logic),
    ),
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
    ("om.FieldLocs", &crate::circt::attributes::FieldLocations),
    (
        "om.List",
        &crate::circt::arrays::Collected {
            wrap: ("om.list", "elementType"),
            whole: false,
            attributes_last: false,
        },
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
    (
        "pdl_interp.RangeOf",
        &crate::circt::infer::Inferred::of(crate::circt::infer::range),
    ),
    ("pdl_interp.RangeType", &crate::pdl::RangeType),
    (
        "ptr.AddResult",
        &crate::circt::infer::Inferred::of(crate::circt::infer::pointers),
    ),
    (
        "ptr.Metadata",
        &Wrapped {
            name: "ptr.ptr_metadata",
            parameter: "type",
            of_parameter: false,
        },
    ),
    ("rocdl.BufferOffset", &Derived(crate::derived::BufferOffset)),
    (
        "rocdl.BufferResource",
        &Derived(crate::derived::BufferResource),
    ),
    (
        "rtg.Array",
        &crate::circt::arrays::Collected {
            wrap: ("rtg.array", "elementType"),
            whole: false,
            attributes_last: true,
        },
    ),
    ("rtg.MemoryRange", &crate::circt::attributes::MemoryRange),
    ("rtg.NoneOrType", &crate::circt::operands::NoneOrType),
    ("rtg.Replacements", &crate::circt::operands::Replacements),
    (
        "rtg.Set",
        &crate::circt::arrays::Collected {
            wrap: ("rtg.set", "elementType"),
            whole: false,
            attributes_last: false,
        },
    ),
    (
        "rtg.TypeOfFirst",
        &crate::circt::infer::Inferred::of(crate::circt::infer::type_of_first),
    ),
    (
        "rtg.TypeOfValue",
        &crate::circt::infer::Inferred::of(crate::circt::infer::type_of_value),
    ),
    (
        "seq.MemoryAddress",
        &crate::circt::infer::Inferred::of(crate::circt::infer::memory_address),
    ),
    (
        "seq.OptionalImmutableTypeMatch",
        &crate::circt::infer::Inferred::optional(crate::circt::infer::immutable, 2),
    ),
    (
        "seq.OptionalTypeMatch",
        &crate::circt::infer::Inferred::optional(crate::circt::infer::same, 2),
    ),
    (
        "smt.Concatenated",
        &crate::circt::infer::Inferred::of(crate::circt::infer::joined),
    ),
    ("smt.IntConstant", &crate::smt::IntConstant),
    ("smt.OneType", &crate::smt::OneType),
    (
        "sparse_tensor.LevelRange",
        &crate::sparse_tensor::LevelRange,
    ),
    ("spirv.Constant", &crate::spirv::operations::Constant),
    ("spirv.Member", &crate::spirv::operations::Member),
    ("spirv.Name", &crate::spirv::operations::Name),
    ("spirv.Pointer", &crate::spirv::memory::Pointer),
    ("ssp.SSPProperties", &crate::circt::ssp::Properties),
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
    ("sv.EventList", &crate::circt::attributes::Events),
    (
        "sv.ImplicitInitType",
        &crate::circt::infer::Inferred::optional(crate::circt::infer::inout_element, 2),
    ),
    (
        "sv.InoutArrayElement",
        &crate::circt::infer::Inferred::of(crate::circt::infer::inout_array_element),
    ),
    (
        "sv.ModportStructs",
        &crate::circt::attributes::ModuleInterfacePorts,
    ),
    (
        "synth.VariadicInvertibleOperands",
        &crate::circt::operands::InvertibleOperands,
    ),
    ("test.DummyRegionRef", &crate::test::NoText),
    (
        "test.OptionalCustomParser",
        &crate::test::OptionalCustomParser,
    ),
    ("test.OptionalLoc", &crate::test::OptionalLocation),
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
    ("wasmssa.ElseRegion", &crate::wasmssa::ElseRegion),
    ("wasmssa.Local", &crate::wasmssa::Local),
    ("x86vector.Integer", &Derived(FirstDimensionInteger)),
    ("x86vector.Mask", &Derived(FirstDimensionMask)),
    (
        "xegpu.OptionalDynamicIndexList",
        &crate::memref::OptionalDynamicIndexList,
    ),
];

/// Sorted by name.
static NAMES: &[(&str, &dyn ValueNames)] = &[
    ("arc.root_input", &crate::circt::names::Prefixed("in_")),
    ("arc.root_output", &crate::circt::names::Prefixed("out_")),
    ("arith.constant", &crate::arith::Constant),
    ("arith.muli", &FirstResult(crate::arith::multiply_name)),
    ("calyx.cell", &crate::circt::names::CellNames { last: &[] }),
    (
        "calyx.comb_component",
        &crate::circt::names::NamedBy::arguments("portNames"),
    ),
    (
        "calyx.component",
        &crate::circt::names::NamedBy::arguments("portNames"),
    ),
    (
        "calyx.group_go",
        &FirstResult(crate::circt::names::group_go_name),
    ),
    (
        "calyx.memory",
        &crate::circt::names::CellNames {
            last: &["write_data", "write_en", "clk", "read_data", "done"],
        },
    ),
    (
        "calyx.seq_mem",
        &crate::circt::names::CellNames {
            last: &[
                "clk",
                "reset",
                "content_en",
                "write_en",
                "write_data",
                "read_data",
                "done",
            ],
        },
    ),
    (
        "chirrtl.debugport",
        &crate::circt::names::Suffixed {
            unnamed: "memport",
            suffixes: &["_data"],
        },
    ),
    (
        "chirrtl.memoryport",
        &crate::circt::names::Suffixed {
            unnamed: "memport",
            suffixes: &["_data", "_port"],
        },
    ),
    ("chlo.scan", &crate::stablehlo::scan::Scan),
    ("circt.name", &crate::circt::names::NamedBy::results("name")),
    (
        "circt.portNames",
        &crate::circt::names::NamedBy::arguments("portNames"),
    ),
    (
        "firrtl.class",
        &crate::circt::names::NamedBy::arguments("portNames"),
    ),
    (
        "firrtl.constant",
        &crate::circt::names::ConstantName::Firrtl,
    ),
    (
        "firrtl.hierarchicalmodulename",
        &crate::circt::names::ResultWords(&["hierarchicalmodulename"]),
    ),
    (
        "firrtl.instance",
        &crate::circt::names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "inst")),
            separator: "_",
            arguments: "",
        },
    ),
    (
        "firrtl.instance_choice",
        &crate::circt::names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "inst")),
            separator: "_",
            arguments: "",
        },
    ),
    (
        "firrtl.invalidvalue",
        &FirstResult(crate::circt::names::invalid_name),
    ),
    (
        "firrtl.mem",
        &crate::circt::names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "mem")),
            separator: "_",
            arguments: "",
        },
    ),
    (
        "firrtl.module",
        &crate::circt::names::NamedBy::arguments("portNames"),
    ),
    (
        "firrtl.specialconstant",
        &crate::circt::names::ConstantName::Special,
    ),
    ("firrtl.time", &crate::circt::names::ResultWords(&["time"])),
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
    ("gpu.dimension", &FirstResult(crate::gpu::dimension_name)),
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
    ("hw.constant", &crate::circt::names::ConstantName::Hw),
    (
        "hw.instance",
        &crate::circt::names::NamedBy {
            results: "resultNames",
            prefix: Some(("instanceName", "")),
            separator: ".",
            arguments: "",
        },
    ),
    ("hw.module", &crate::circt::module::PortNames),
    (
        "hw.struct_explode",
        &crate::circt::names::FieldNames { index: None },
    ),
    (
        "hw.struct_extract",
        &crate::circt::names::FieldNames {
            index: Some("fieldIndex"),
        },
    ),
    (
        "index.bool.constant",
        &FirstResult(crate::arith::bool_constant_name),
    ),
    (
        "index.constant",
        &FirstResult(crate::arith::index_constant_name),
    ),
    (
        "kanagawa.method",
        &crate::circt::names::NamedBy::arguments("argNames"),
    ),
    (
        "kanagawa.method.df",
        &crate::circt::names::NamedBy::arguments("argNames"),
    ),
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
    (
        "ml_program.load",
        &FirstResult(crate::ml_program::load_name),
    ),
    (
        "om.class",
        &crate::circt::names::NamedBy::arguments("formalParamNames"),
    ),
    (
        "om.class.extern",
        &crate::circt::names::NamedBy::arguments("formalParamNames"),
    ),
    ("omp.canonical_loop", &crate::omp::loops::CanonicalNames),
    (
        "omp.new_cli",
        &FirstResult(crate::omp::loops::new_handle_name),
    ),
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
    (
        "rtg.constant",
        &FirstResult(crate::circt::names::register_name),
    ),
    ("rtg.test", &crate::circt::functions::TargetNames),
    (
        "seq.fifo",
        &crate::circt::names::ResultWords(&["out", "full", "empty", "almostFull", "almostEmpty"]),
    ),
    ("seq.firreg", &crate::circt::names::NamedBy::results("name")),
    ("shape.const_size", &crate::arith::Constant),
    (
        "smt.bv.constant",
        &FirstResult(crate::smt::bit_vector_constant_name),
    ),
    (
        "smt.constant",
        &FirstResult(crate::arith::bool_constant_name),
    ),
    ("smt.declare_fun", &FirstResult(crate::smt::name_prefix)),
    (
        "smt.int.constant",
        &FirstResult(crate::smt::int_constant_name),
    ),
    ("spirv.Constant", &crate::spirv::operations::Constant),
    (
        "spirv.mlir.addressof",
        &FirstResult(crate::spirv::operations::address_of_name),
    ),
    ("stablehlo.constant", &FirstResult(hlo::constant_name)),
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
    ("sv.constantX", &crate::circt::names::TypeName("x_")),
    ("sv.constantZ", &crate::circt::names::TypeName("z_")),
    (
        "sv.macro_name",
        &crate::circt::names::NamedBy::results("macroName"),
    ),
    (
        "test.block_argument_name_from_type",
        &crate::test::NamedByType { all: false },
    ),
    (
        "test.block_argument_name_from_type_interface",
        &crate::test::NamedByType { all: true },
    ),
    ("test.custom_result_name", &crate::test::Named),
    ("test.polyfor", &crate::test::PolyFor),
    (
        "test.result_name_from_type",
        &crate::test::NamedByType { all: false },
    ),
    (
        "test.result_name_from_type_interface",
        &crate::test::NamedByType { all: true },
    ),
    ("test.string_attr_pretty_name", &crate::test::Named),
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
    (
        "verif.simulation",
        &crate::circt::names::ArgumentWords(&["clock", "init"]),
    ),
    ("vm.call.variadic", &crate::iree::names::OfType),
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
    ("vm.of_type", &crate::iree::names::OfType),
];

/// Sorted by name.
static VERIFIERS: &[(&str, &dyn OperationVerifier)] = &[
    ("affine.apply", &Validity::APPLY),
    ("affine.dma_start", &crate::affine::validity::TRANSFER),
    ("affine.dma_wait", &crate::affine::validity::WAIT),
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
    ("func.return", &crate::func::verify::Return::RETURN),
    ("irdl.operands", &crate::irdl::Names("operand")),
    ("irdl.parameters", &crate::irdl::Names("parameter")),
    ("irdl.regions", &crate::irdl::Names("region")),
    ("irdl.results", &crate::irdl::Names("result")),
    ("ml_program.func", &crate::func::verify::Func),
    ("ml_program.global", &crate::ml_program::Global),
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
    ("shape.func", &crate::func::verify::Func),
    ("spirv.Constant", &crate::spirv::operations::Constant),
];

/// Sorted by name.
static ENTRY_SYNTAX: &[(&str, &dyn EntrySyntax)] = &[
    ("amx.Tile", &crate::dimensions::Shaped),
    ("complex.Number", &crate::complex::Number),
    ("dlti.Entries", &crate::dlti::Entries),
    (
        "firrtl.Bundle",
        &crate::circt::types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: crate::circt::types::Nested::Bare("firrtl"),
            mark: crate::circt::types::Mark::Flag("flip"),
            distinct: true,
        },
    ),
    (
        "firrtl.DomainFields",
        &crate::circt::types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::None,
            distinct: true,
        },
    ),
    (
        "firrtl.Element",
        &crate::circt::types::ElementType {
            dialect: "firrtl",
            mnemonics: &[],
        },
    ),
    (
        "firrtl.Interface",
        &crate::circt::types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::Direction(&["in", "out"]),
            distinct: true,
        },
    ),
    ("firrtl.Keywords", &crate::circt::types::Keywords),
    (
        "firrtl.ParameterDeclaration",
        &crate::circt::types::ParameterDeclaration,
    ),
    ("firrtl.Variants", &crate::circt::types::Variants),
    ("gpu.KernelTable", &crate::gpu::object::KernelTable),
    ("gpu.LoopDimMap", &crate::gpu::mapping::LoopDimMap),
    ("gpu.MMAMatrix", &crate::gpu::matrix::Matrix),
    ("gpu.Object", &crate::gpu::object::Object),
    (
        "hw.Fields",
        &crate::circt::types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::None,
            distinct: true,
        },
    ),
    ("hw.HWArray", &crate::circt::types::Array),
    ("hw.HWElementType", &crate::circt::types::HW_ELEMENT),
    ("hw.InnerSymbol", &crate::circt::types::InnerSymbol),
    ("hw.Keywords", &crate::circt::types::Keywords),
    (
        "hw.OffsetFields",
        &crate::circt::types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::Offset("offset"),
            distinct: true,
        },
    ),
    (
        "hw.ParameterDeclaration",
        &crate::circt::types::ParameterDeclaration,
    ),
    (
        "hw.Ports",
        &crate::circt::types::Fields {
            brackets: ("<", ">"),
            colon: " : ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::Direction(&crate::circt::module::TYPE_DIRECTIONS),
            distinct: false,
        },
    ),
    ("hw.Width", &crate::circt::types::Width),
    ("llhd.Time", &crate::circt::types::Time),
    ("llvm.Array", &crate::llvm::type_syntax::Array),
    (
        "llvm.ExpressionArguments",
        &crate::llvm::ExpressionArguments,
    ),
    ("llvm.Function", &crate::llvm::type_syntax::Function),
    ("llvm.Struct", &crate::llvm::type_syntax::Struct),
    ("llvm.Target", &crate::llvm::type_syntax::Target),
    ("mhlo.Convolution", &crate::stablehlo::Convolution),
    ("quant.Any", &crate::quant::Any),
    ("quant.Uniform", &crate::quant::Uniform),
    (
        "rtg.Fields",
        &crate::circt::types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: crate::circt::types::Nested::Full,
            mark: crate::circt::types::Mark::None,
            distinct: true,
        },
    ),
    ("rtg.SelfType", &crate::circt::types::SelfType),
    ("rtgtest.SelfType", &crate::circt::types::SelfType),
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
    (
        "spirv.CooperativeMatrix",
        &crate::spirv::matrix::Matrix::OfElements,
    ),
    ("spirv.Device", &crate::spirv::Device),
    ("spirv.Matrix", &crate::spirv::matrix::Matrix::OfColumns),
    ("stablehlo.Convolution", &crate::stablehlo::Convolution),
    ("torch.Tensor", &crate::torch::Tensor),
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

/// Sorted by name.
static APPENDERS: &[(&str, &dyn DefinitionAppender)] =
    &[("llvm.mlir.global", &crate::llvm::Appending)];

/// Returns the hook of a name in tables that are sorted by name.
fn find<T: Copy>(tables: &[&[(&str, T)]], name: &str) -> Option<T> {
    tables.iter().find_map(|table| {
        let at = table.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        table.get(at).map(|hook| hook.1)
    })
}

/// The hooks of this crate, for definitions that refer to them by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks;

impl HookSource for Hooks {
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax> {
        find(&[SYNTAX, crate::omp::SYNTAX], name)
    }

    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        find(
            &[
                DIRECTIVES,
                crate::acc::DIRECTIVES,
                crate::omp::DIRECTIVES,
                crate::spirv::DIRECTIVES,
            ],
            name,
        )
    }

    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        find(&[NAMES], name)
    }

    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        find(&[VERIFIERS], name)
    }

    fn appender(&self, name: &str) -> Option<&'static dyn DefinitionAppender> {
        find(&[APPENDERS], name)
    }

    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        find(&[ENTRY_SYNTAX], name)
    }
}
