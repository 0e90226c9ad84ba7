//! Hooks of IREE's dialects.

use super::{Set, Table};
use crate::directive::Directive;
use crate::iree::{
    assume, bodies, calls, elements, encoded, external, function, lists, names, parts, shaped,
    symbols, tolerances,
};
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("hal.dispatch.extern", &Syntax(external::DispatchExtern)),
    (
        "hal.executable.condition",
        &Syntax(calls::Block { keys: false }),
    ),
    (
        "hal.executable.constant.block",
        &Syntax(calls::Block { keys: true }),
    ),
    ("util.assume.int", &Syntax(assume::AssumeInt)),
    ("util.func", &Syntax(function::Func)),
    ("util.hoistable_conversion", &Syntax(calls::Conversion)),
    ("util.initializer", &Syntax(function::Initializer)),
    ("util.unfoldable_constant", &Syntax(function::Constant)),
    ("vm.call.variadic", &Syntax(calls::CallVariadic)),
    ("vm.cond_fail", &Syntax(calls::CondFail)),
    ("vm.export", &Syntax(function::Export)),
    ("vm.func", &function::VM_FUNC),
    ("vm.import", &Syntax(function::Import)),
    ("vm.initializer", &Syntax(function::Initializer)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("check.Tolerances", &Directive(tolerances::Tolerances)),
    ("flow.DispatchEntryPoints", &Directive(symbols::EntryPoints)),
    (
        "flow.DispatchWorkgroupBody",
        &Directive(bodies::WorkgroupBody),
    ),
    (
        "flow.DispatchWorkgroupsCountRegion",
        &Directive(shaped::CountRegion {
            keyword: "count",
            counts: true,
            spaced: true,
        }),
    ),
    (
        "flow.ParameterReference",
        &Directive(shaped::ParameterReference),
    ),
    ("flow.RegionResults", &Directive(shaped::RegionResults)),
    (
        "flow.ShapedFunctionSignature",
        &Directive(parts::TextSignature { ranges: false }),
    ),
    ("flow.ShapedFunctionType", &Directive(shaped::FunctionType)),
    ("flow.ShapedOperandList", &Directive(lists::SHAPED_OPERANDS)),
    ("flow.ShapedTiedResult", &Directive(shaped::TiedResult)),
    ("flow.SymbolAlias", &Directive(symbols::SymbolAlias)),
    (
        "flow.SymbolVisibility",
        &Directive(symbols::SymbolVisibility),
    ),
    (
        "flow.WorkgroupCountRegion",
        &Directive(shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        }),
    ),
    ("hal.BindingTable", &Directive(lists::BINDINGS)),
    ("hal.Bindings", &Directive(lists::BINDINGS)),
    ("hal.DeviceQueueAffinityList", &Directive(lists::DEVICES)),
    (
        "hal.ExportConditionRegion",
        &Directive(shaped::CountRegion {
            keyword: "",
            counts: false,
            spaced: false,
        }),
    ),
    ("hal.ShapedFunctionType", &Directive(shaped::FunctionType)),
    ("hal.SizeAwareType", &Directive(lists::SIZED_TYPE)),
    (
        "hal.SymbolVisibility",
        &Directive(symbols::SymbolVisibility),
    ),
    ("hal.TypeAlias", &Directive(shaped::TypeAlias)),
    (
        "hal.WorkgroupCountRegion",
        &Directive(shaped::CountRegion {
            keyword: "",
            counts: true,
            spaced: false,
        }),
    ),
    ("hal_inline.SizeAwareType", &Directive(lists::SIZED_TYPE)),
    ("hal_loader.DispatchBindings", &Directive(lists::BINDINGS)),
    (
        "io_parameters.ParameterGatherOperations",
        &Directive(lists::GATHER),
    ),
    (
        "io_parameters.ParameterLoadOperations",
        &Directive(lists::PARAMETER_LOADS),
    ),
    (
        "io_parameters.ParameterScatterOperations",
        &Directive(lists::SCATTER),
    ),
    ("iree_codegen.KnobsDictionary", &Directive(parts::Knobs)),
    (
        "iree_gpu.AsyncDMASourceIndexTypes",
        &Directive(parts::IndexTypes),
    ),
    (
        "iree_linalg_ext.NestedDynamicIndexList",
        &Directive(parts::IndexLists),
    ),
    ("pcf.InferNumIndexArgs", &Directive(bodies::IndexArguments)),
    (
        "pcf.ParallelExecutionBody",
        &Directive(bodies::ParallelBody),
    ),
    (
        "stream.AsyncParameterGatherOperations",
        &Directive(lists::ASYNC_GATHER),
    ),
    (
        "stream.AsyncParameterScatterOperations",
        &Directive(lists::ASYNC_SCATTER),
    ),
    ("stream.CmdCallOperands", &Directive(lists::CALL_OPERANDS)),
    (
        "stream.CmdParameterGatherOperations",
        &Directive(lists::COMMAND_GATHER),
    ),
    (
        "stream.CmdParameterScatterOperations",
        &Directive(lists::COMMAND_SCATTER),
    ),
    (
        "stream.CollectiveParam",
        &Directive(parts::CollectiveParameter),
    ),
    ("stream.ConstantValueList", &Directive(lists::CONSTANTS)),
    (
        "stream.DispatchEntryPoints",
        &Directive(symbols::EntryPoints),
    ),
    (
        "stream.DispatchFunctionSignature",
        &Directive(parts::TextSignature { ranges: true }),
    ),
    (
        "stream.DispatchOperands",
        &Directive(lists::DISPATCH_OPERANDS),
    ),
    ("stream.DispatchResources", &Directive(lists::RESOURCES)),
    (
        "stream.EncodedResourceOperands",
        &Directive(lists::ENCODED_OPERANDS),
    ),
    (
        "stream.EncodedShapedFunctionType",
        &Directive(encoded::EncodedType),
    ),
    (
        "stream.ExplicitResourceRegion",
        &Directive(shaped::ResourceRegion {
            shows_terminators: false,
        }),
    ),
    ("stream.PackSliceRanges", &Directive(lists::PACKED)),
    (
        "stream.ParameterLoadOperations",
        &Directive(lists::PARAMETER_LOADS),
    ),
    (
        "stream.ParameterReference",
        &Directive(shaped::ParameterReference),
    ),
    (
        "stream.ResourceRegion",
        &Directive(shaped::ResourceRegion {
            shows_terminators: true,
        }),
    ),
    (
        "stream.ShapedFunctionSignature",
        &Directive(parts::TextSignature { ranges: false }),
    ),
    (
        "stream.ShapedFunctionType",
        &Directive(shaped::FunctionType),
    ),
    ("stream.ShapedTiedResult", &Directive(shaped::TiedResult)),
    ("stream.ShapedTypeList", &Directive(shaped::SharedTypes)),
    ("stream.SymbolAlias", &Directive(symbols::SymbolAlias)),
    (
        "stream.SymbolVisibility",
        &Directive(symbols::SymbolVisibility),
    ),
    (
        "stream.WorkgroupCountRegion",
        &Directive(shaped::CountRegion {
            keyword: "workgroups",
            counts: true,
            spaced: false,
        }),
    ),
    ("util.ListTypeGet", &Directive(elements::ListAccess::Get)),
    ("util.ListTypeSet", &Directive(elements::ListAccess::Set)),
    ("util.OperandTypeList", &Directive(lists::TYPES)),
    ("util.RangeList", &Directive(lists::RANGES)),
    (
        "util.SymbolVisibility",
        &Directive(symbols::SymbolVisibility),
    ),
    (
        "util.TiedFunctionResultList",
        &Directive(shaped::TiedResults),
    ),
    ("util.TypeOrAttr", &Directive(function::TypeOrAttribute)),
    ("util.TypedValueList", &Directive(lists::VALUES)),
    ("util.ValueTypeList", &Directive(lists::TYPED_VALUES)),
    ("vm.ResultTypeList", &Directive(parts::TypeList)),
    ("vm.SymbolVisibility", &Directive(symbols::SymbolVisibility)),
    ("vm.TypeOrAttr", &Directive(function::TypeOrAttribute)),
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
    ("vm.import.resolved", &names::Resolution),
    ("vm.of_type", &names::OfType),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    ..Set::EMPTY
};
