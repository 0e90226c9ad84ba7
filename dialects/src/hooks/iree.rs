//! Hooks of IREE's dialects.

use super::{Set, Table};
use crate::iree::{
    assume, bodies, calls, function, lists, names, parts, shaped, symbols, tolerances,
};
use rmlir_ir::asm::{DirectiveSyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("hal.executable.condition", &calls::Block { keys: false }),
    (
        "hal.executable.constant.block",
        &calls::Block { keys: true },
    ),
    ("util.assume.int", &assume::AssumeInt),
    ("util.func", &function::Func),
    ("util.hoistable_conversion", &calls::Conversion),
    ("util.initializer", &function::Initializer),
    ("util.unfoldable_constant", &function::Constant),
    ("vm.call.variadic", &calls::CallVariadic),
    ("vm.cond_fail", &calls::CondFail),
    ("vm.export", &function::Export),
    ("vm.func", &function::VM_FUNC),
    ("vm.import", &function::Import),
    ("vm.initializer", &function::Initializer),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("check.Tolerances", &tolerances::Tolerances),
    ("flow.DispatchEntryPoints", &symbols::EntryPoints),
    ("flow.DispatchWorkgroupBody", &bodies::WorkgroupBody),
    (
        "flow.DispatchWorkgroupsCountRegion",
        &shaped::CountRegion {
            keyword: "count",
            counts: true,
            spaced: true,
        },
    ),
    ("flow.ParameterReference", &shaped::ParameterReference),
    ("flow.RegionResults", &shaped::RegionResults),
    (
        "flow.ShapedFunctionSignature",
        &parts::TextSignature { ranges: false },
    ),
    ("flow.ShapedFunctionType", &shaped::FunctionType),
    ("flow.ShapedOperandList", &lists::SHAPED_OPERANDS),
    ("flow.ShapedTiedResult", &shaped::TiedResult),
    ("flow.SymbolAlias", &symbols::SymbolAlias),
    ("flow.SymbolVisibility", &symbols::SymbolVisibility),
    (
        "flow.WorkgroupCountRegion",
        &shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        },
    ),
    ("hal.BindingTable", &lists::BINDINGS),
    ("hal.Bindings", &lists::BINDINGS),
    ("hal.DeviceQueueAffinityList", &lists::DEVICES),
    (
        "hal.ExportConditionRegion",
        &shaped::CountRegion {
            keyword: "",
            counts: false,
            spaced: false,
        },
    ),
    ("hal.ShapedFunctionType", &shaped::FunctionType),
    ("hal.SizeAwareType", &lists::SIZED_TYPE),
    ("hal.SymbolVisibility", &symbols::SymbolVisibility),
    ("hal.TypeAlias", &shaped::TypeAlias),
    (
        "hal.WorkgroupCountRegion",
        &shaped::CountRegion {
            keyword: "",
            counts: true,
            spaced: false,
        },
    ),
    ("hal_inline.SizeAwareType", &lists::SIZED_TYPE),
    ("hal_loader.DispatchBindings", &lists::BINDINGS),
    ("io_parameters.ParameterGatherOperations", &lists::GATHER),
    (
        "io_parameters.ParameterLoadOperations",
        &lists::PARAMETER_LOADS,
    ),
    ("io_parameters.ParameterScatterOperations", &lists::SCATTER),
    ("iree_codegen.KnobsDictionary", &parts::Knobs),
    ("iree_gpu.AsyncDMASourceIndexTypes", &parts::IndexTypes),
    ("iree_linalg_ext.NestedDynamicIndexList", &parts::IndexLists),
    ("pcf.InferNumIndexArgs", &bodies::IndexArguments),
    ("pcf.ParallelExecutionBody", &bodies::ParallelBody),
    (
        "stream.AsyncParameterGatherOperations",
        &lists::ASYNC_GATHER,
    ),
    (
        "stream.AsyncParameterScatterOperations",
        &lists::ASYNC_SCATTER,
    ),
    (
        "stream.CmdParameterGatherOperations",
        &lists::COMMAND_GATHER,
    ),
    (
        "stream.CmdParameterScatterOperations",
        &lists::COMMAND_SCATTER,
    ),
    ("stream.CollectiveParam", &parts::CollectiveParameter),
    ("stream.ConstantValueList", &lists::CONSTANTS),
    ("stream.DispatchEntryPoints", &symbols::EntryPoints),
    (
        "stream.DispatchFunctionSignature",
        &parts::TextSignature { ranges: true },
    ),
    ("stream.DispatchOperands", &lists::DISPATCH_OPERANDS),
    ("stream.DispatchResources", &lists::RESOURCES),
    ("stream.EncodedResourceOperands", &lists::ENCODED_OPERANDS),
    ("stream.ExplicitResourceRegion", &shaped::ResourceRegion),
    ("stream.PackSliceRanges", &lists::PACKED),
    ("stream.ParameterLoadOperations", &lists::PARAMETER_LOADS),
    ("stream.ParameterReference", &shaped::ParameterReference),
    ("stream.ResourceRegion", &shaped::ResourceRegion),
    (
        "stream.ShapedFunctionSignature",
        &parts::TextSignature { ranges: false },
    ),
    ("stream.ShapedFunctionType", &shaped::FunctionType),
    ("stream.ShapedTiedResult", &shaped::TiedResult),
    ("stream.ShapedTypeList", &shaped::SharedTypes),
    ("stream.SymbolAlias", &symbols::SymbolAlias),
    ("stream.SymbolVisibility", &symbols::SymbolVisibility),
    (
        "stream.WorkgroupCountRegion",
        &shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        },
    ),
    ("util.OperandTypeList", &lists::TYPES),
    ("util.RangeList", &lists::RANGES),
    ("util.SymbolVisibility", &symbols::SymbolVisibility),
    ("util.TiedFunctionResultList", &shaped::TiedResults),
    ("util.TypeOrAttr", &function::TypeOrAttribute),
    ("util.TypedValueList", &lists::VALUES),
    ("util.ValueTypeList", &lists::TYPED_VALUES),
    ("vm.ResultTypeList", &parts::TypeList),
    ("vm.SymbolVisibility", &symbols::SymbolVisibility),
    ("vm.TypeOrAttr", &function::TypeOrAttribute),
];

/// Sorted by name.
static NAMES: Table<dyn ValueNames> = &[
    (
        "flow.dispatch.workgroup.count",
        &names::Dimension {
            prefix: "workgroup_count_",
            letters: false,
        },
    ),
    (
        "flow.dispatch.workgroup.id",
        &names::Dimension {
            prefix: "workgroup_id_",
            letters: false,
        },
    ),
    (
        "flow.dispatch.workgroup.size",
        &names::Dimension {
            prefix: "workgroup_size_",
            letters: false,
        },
    ),
    ("hal.device.resolve", &names::Resolved),
    ("hal.devices.get", &names::Device),
    (
        "hal.element_type",
        &names::After {
            attribute: "type",
            prefix: "element_type_",
            suffix: "",
            otherwise: "",
        },
    ),
    ("hal.encoding_type", &names::DenseEncoding),
    (
        "hal.interface.workgroup.count",
        &names::Dimension {
            prefix: "workgroup_count_",
            letters: true,
        },
    ),
    (
        "hal.interface.workgroup.id",
        &names::Dimension {
            prefix: "workgroup_id_",
            letters: true,
        },
    ),
    (
        "hal.interface.workgroup.size",
        &names::Dimension {
            prefix: "workgroup_size_",
            letters: true,
        },
    ),
    (
        "hal_loader.executable.query_support",
        &names::After {
            attribute: "executable_format",
            prefix: "",
            suffix: "_supported",
            otherwise: "",
        },
    ),
    (
        "pcf.generic",
        &bodies::BodyNames {
            region: 1,
            counts: true,
        },
    ),
    (
        "pcf.loop",
        &bodies::BodyNames {
            region: 0,
            counts: false,
        },
    ),
    (
        "stream.dispatch.workgroup.count",
        &names::Dimension {
            prefix: "workgroup_count_",
            letters: false,
        },
    ),
    (
        "stream.dispatch.workgroup.id",
        &names::Dimension {
            prefix: "workgroup_id_",
            letters: false,
        },
    ),
    (
        "stream.dispatch.workgroup.size",
        &names::Dimension {
            prefix: "workgroup_size_",
            letters: false,
        },
    ),
    ("stream.resource.pack", &names::Unnamed),
    (
        "util.buffer.constant",
        &names::After {
            attribute: "name",
            prefix: "",
            suffix: "",
            otherwise: "buffer_cst",
        },
    ),
    (
        "util.global.address",
        &names::After {
            attribute: "global",
            prefix: "ptr_",
            suffix: "",
            otherwise: "",
        },
    ),
    ("util.global.load", &names::After::new("global")),
    ("util.string.format", &names::Formatted),
    ("vm.call.variadic", &names::OfType),
    ("vm.const", &names::Constant),
    ("vm.const.ref.rodata", &names::After::new("rodata")),
    ("vm.global.load", &names::After::new("global")),
    (
        "vm.import.resolved",
        &names::After {
            attribute: "import",
            prefix: "has_",
            suffix: "",
            otherwise: "",
        },
    ),
    ("vm.of_type", &names::OfType),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    ..Set::EMPTY
};
