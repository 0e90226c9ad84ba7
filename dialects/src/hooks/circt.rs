//! Hooks of CIRCT's dialects.

use super::{Set, Table};
use crate::circt::{
    arrays, attributes, bundles, cases, connections, declarations, directives, fields, firrtl,
    four_valued, functions, handlers, hierarchy, infer, initializers, instances, literals, loops,
    members, module, moore, names, operands, parameters, paths, physical, register, results,
    scopes, ssp, stages, systemc, typed, types, values, windows,
};
use crate::directive::Directive;
use crate::entry::Entry;
use crate::inferred::Inferred;
use crate::names::FirstResult;
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("arc.coroutine.define", &crate::func::PLAIN),
    ("arc.define", &crate::func::PLAIN),
    ("arc.sim.instantiate", &Syntax(loops::Instantiate)),
    ("calyx.comb_component", &Syntax(functions::Component)),
    ("calyx.component", &Syntax(functions::Component)),
    (
        "esi.manifest.service_impl",
        &Syntax(declarations::ServiceImplementation),
    ),
    (
        "firrtl.class",
        &Syntax(firrtl::ModuleLike {
            has_body: true,
            is_module: false,
            has_parameters: false,
            has_convention: false,
            lists: &[],
        }),
    ),
    (
        "firrtl.extclass",
        &Syntax(firrtl::ModuleLike {
            has_body: false,
            is_module: false,
            has_parameters: false,
            has_convention: false,
            lists: &[],
        }),
    ),
    (
        "firrtl.extmodule",
        &Syntax(firrtl::ModuleLike {
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
        &Syntax(firrtl::Instance { is_choice: false }),
    ),
    (
        "firrtl.instance_choice",
        &Syntax(firrtl::Instance { is_choice: true }),
    ),
    (
        "firrtl.intmodule",
        &Syntax(firrtl::ModuleLike {
            has_body: false,
            is_module: true,
            has_parameters: true,
            has_convention: false,
            lists: &["annotations", "layers"],
        }),
    ),
    ("firrtl.match", &Syntax(handlers::Match)),
    (
        "firrtl.memmodule",
        &Syntax(firrtl::ModuleLike {
            has_body: false,
            is_module: true,
            has_parameters: false,
            has_convention: false,
            lists: &["annotations", "layers"],
        }),
    ),
    (
        "firrtl.module",
        &Syntax(firrtl::ModuleLike {
            has_body: true,
            is_module: true,
            has_parameters: false,
            has_convention: true,
            lists: &["annotations", "layers"],
        }),
    ),
    ("fsm.machine", &crate::func::PLAIN),
    ("handshake.func", &Syntax(functions::HandshakeFunction)),
    ("hw.hierpath", &Syntax(hierarchy::HierarchicalPath)),
    ("hw.instance", &Syntax(instances::Instance)),
    (
        "hw.module",
        &Syntax(module::ModuleLike {
            body: module::Body::Ends("hw.output"),
            has_generator: false,
            has_parameters: true,
            attributes: "per_port_attrs",
            listed: module::Listed::IfAny,
        }),
    ),
    (
        "hw.module.extern",
        &Syntax(module::ModuleLike {
            body: module::Body::Empty,
            has_generator: false,
            has_parameters: true,
            attributes: "per_port_attrs",
            listed: module::Listed::IfAny,
        }),
    ),
    (
        "hw.module.generated",
        &Syntax(module::ModuleLike {
            body: module::Body::Empty,
            has_generator: true,
            has_parameters: true,
            attributes: "per_port_attrs",
            listed: module::Listed::IfAny,
        }),
    ),
    ("kanagawa.method", &Syntax(functions::Method)),
    ("kanagawa.method.df", &Syntax(functions::Method)),
    (
        "kanagawa.sblock",
        &Syntax(initializers::BlockLike { is_flow: false }),
    ),
    (
        "kanagawa.sblock.dc",
        &Syntax(initializers::BlockLike { is_flow: true }),
    ),
    ("llhd.coroutine", &crate::func::PLAIN),
    ("loopschedule.pipeline", &Syntax(loops::ScheduledLoop)),
    ("moore.coroutine", &crate::func::PLAIN),
    (
        "moore.func.dpi",
        &Syntax(declarations::DpiFunction { has_type: false }),
    ),
    (
        "moore.module",
        &Syntax(module::ModuleLike {
            body: module::Body::Ends("moore.output"),
            has_generator: false,
            has_parameters: false,
            attributes: "",
            listed: module::Listed::Never,
        }),
    ),
    ("msft.systolic.array", &Syntax(loops::SystolicArray)),
    ("om.class", &Syntax(functions::Class)),
    ("om.class.extern", &Syntax(functions::Class)),
    (
        "pipeline.scheduled",
        &Syntax(initializers::Pipeline { terminator: None }),
    ),
    (
        "pipeline.unscheduled",
        &Syntax(initializers::Pipeline { terminator: None }),
    ),
    ("rtg.sequence", &Syntax(functions::Sequence)),
    ("rtg.test", &Syntax(functions::Test)),
    ("rtg.with_handlers", &Syntax(handlers::WithHandlers)),
    ("seq.firreg", &Syntax(register::FirRegister)),
    (
        "sim.func.dpi",
        &Syntax(declarations::DpiFunction { has_type: true }),
    ),
    ("ssp.operation", &Syntax(ssp::OperationOp)),
    ("sv.case", &Syntax(cases::Case)),
    ("sv.for", &Syntax(loops::For { is_generate: false })),
    (
        "sv.func",
        &Syntax(module::ModuleLike {
            body: module::Body::Optional,
            has_generator: false,
            has_parameters: false,
            attributes: "per_argument_attrs",
            listed: module::Listed::Always,
        }),
    ),
    ("sv.generate.case", &Syntax(cases::GenerateCase)),
    ("sv.generate.for", &Syntax(loops::For { is_generate: true })),
    (
        "sv.verbatim.module",
        &Syntax(module::ModuleLike {
            body: module::Body::None,
            has_generator: false,
            has_parameters: true,
            attributes: "per_port_attrs",
            listed: module::Listed::IfPorts,
        }),
    ),
    ("sv.verbatim.source", &Syntax(declarations::VerbatimSource)),
    ("synth.cut_rewrite_pattern", &Syntax(declarations::Pattern)),
    (
        "systemc.cpp.func",
        &Syntax(systemc::FunctionLike { is_module: false }),
    ),
    (
        "systemc.module",
        &Syntax(systemc::FunctionLike { is_module: true }),
    ),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    (
        "ImplicitSSAName",
        &Directive(names::ImplicitName { annotations: false }),
    ),
    (
        "InputPortList",
        &Directive(instances::Connections { has_values: true }),
    ),
    (
        "IntegerOfParameter",
        &Inferred::of(infer::integer_of_parameter),
    ),
    ("KeywordBool", &Directive(literals::KeywordBool)),
    (
        "OptionalBinaryOpTypes",
        &Directive(directives::OptionalSecondType),
    ),
    (
        "OutputPortList",
        &Directive(instances::Connections { has_values: false }),
    ),
    ("ParameterType", &Inferred::of(infer::parameter)),
    ("SpelledType", &Inferred::of(infer::spelled)),
    ("TypeInside", &Inferred::of(infer::inside)),
    ("TypeWithNumber", &Inferred::of(infer::renumbered)),
    ("WrappedType", &Inferred::of(infer::wrapped)),
    ("arc.Elements", &Inferred::of(results::elements)),
    ("calyx.Cycle", &Directive(attributes::Cycle)),
    ("calyx.Guarded", &Directive(operands::Guarded)),
    ("calyx.Invocation", &Directive(connections::Invocation)),
    (
        "calyx.ParameterList",
        &Directive(parameters::ParameterList { dialect: "hw" }),
    ),
    (
        "chirrtl.CombMemOp",
        &Directive(names::ImplicitName { annotations: true }),
    ),
    (
        "chirrtl.MemoryDebugPortOp",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        }),
    ),
    (
        "chirrtl.MemoryPortOp",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        }),
    ),
    (
        "chirrtl.NameKind",
        &Directive(directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        }),
    ),
    (
        "chirrtl.SeqMemOp",
        &Directive(names::ImplicitName { annotations: true }),
    ),
    ("comb.Concatenated", &Inferred::of(infer::concatenated)),
    ("datapath.CompressFormat", &Directive(operands::Counts)),
    (
        "dbg.Elements",
        &Directive(values::Alike(values::Form::Elements)),
    ),
    ("dbg.NamedValues", &Directive(values::NamedValues)),
    (
        "dc.Copies",
        &Directive(operands::Copies {
            fixed: Some(("dc", "token")),
        }),
    ),
    ("dc.FromChannel", &Inferred::of(results::from_channel)),
    ("dc.ToChannel", &Inferred::of(results::to_channel)),
    ("esi.Channel", &Inferred::of(results::channel)),
    ("esi.Channels", &Inferred::of(infer::channels)),
    ("esi.Window", &Inferred::of(windows::window)),
    ("firrtl.Bit", &Inferred::of(infer::firrtl_bit)),
    (
        "firrtl.CircuitOpAttrs",
        &Directive(directives::Dictionary {
            keyword: true,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        }),
    ),
    ("firrtl.ClassInterface", &Directive(fields::ClassInterface)),
    ("firrtl.Constant", &Directive(literals::FirrtlConstant)),
    ("firrtl.Digit", &Directive(literals::Digit)),
    ("firrtl.Element", &Inferred::of(infer::element)),
    (
        "firrtl.FIRRTLImplicitSSAName",
        &Directive(names::ImplicitName { annotations: true }),
    ),
    (
        "firrtl.FPrintfAttrs",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["formatString", "outputFile", "operandSegmentSizes"],
        }),
    ),
    (
        "firrtl.Field",
        &Directive(fields::Field {
            is_quoted: false,
            in_brackets: true,
            has_value: false,
        }),
    ),
    ("firrtl.FieldTypes", &Directive(fields::FieldTypes)),
    ("firrtl.Forceable", &Inferred::optional(infer::forceable, 0)),
    ("firrtl.Integer", &Directive(literals::SignedInteger)),
    (
        "firrtl.List",
        &Directive(arrays::Collected {
            wrap: ("firrtl.list", "elementType"),
            whole: true,
            attributes_last: false,
        }),
    ),
    (
        "firrtl.MemOp",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[
                ("annotations", directives::Absent::List),
                ("portAnnotations", directives::Absent::Lists),
            ],
            all_but: &[],
        }),
    ),
    (
        "firrtl.Multiplexed",
        &Directive(values::Alike(values::Form::Multiplexed)),
    ),
    (
        "firrtl.NameKind",
        &Directive(directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        }),
    ),
    (
        "firrtl.ParameterList",
        &Directive(parameters::ParameterList { dialect: "firrtl" }),
    ),
    (
        "firrtl.PrintfAttrs",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["formatString"],
        }),
    ),
    ("firrtl.ProbePart", &Inferred::of(infer::probe_part)),
    ("firrtl.Resolved", &Inferred::of(infer::resolved)),
    ("firrtl.RestOfTypes", &Directive(operands::RestOfTypes)),
    ("firrtl.Sent", &Inferred::of(infer::sent)),
    (
        "firrtl.StopAttrs",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["exitCode"],
        }),
    ),
    (
        "firrtl.Tag",
        &Directive(fields::Field {
            is_quoted: false,
            in_brackets: false,
            has_value: false,
        }),
    ),
    ("firrtl.Variant", &Directive(values::Variant)),
    (
        "firrtl.VerifAttrs",
        &Directive(directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["message"],
        }),
    ),
    (
        "handshake.AddressesAndData",
        &Directive(operands::AddressesAndData),
    ),
    (
        "handshake.Copies",
        &Directive(operands::Copies { fixed: None }),
    ),
    ("handshake.Members", &Inferred::of(infer::members)),
    ("hw.ArrayConcatTypes", &Directive(arrays::Arrays)),
    ("hw.ArrayElements", &Directive(arrays::ArrayElements)),
    (
        "hw.Create",
        &Directive(fields::Field {
            is_quoted: true,
            in_brackets: false,
            has_value: true,
        }),
    ),
    ("hw.ElementOf", &Inferred::of(infer::array_element)),
    (
        "hw.Field",
        &Directive(fields::Field {
            is_quoted: true,
            in_brackets: true,
            has_value: false,
        }),
    ),
    ("hw.FieldTypes", &Directive(fields::FieldTypes)),
    (
        "hw.Inject",
        &Directive(fields::Field {
            is_quoted: true,
            in_brackets: true,
            has_value: true,
        }),
    ),
    ("hw.Member", &Directive(values::Member)),
    ("hw.ParamValue", &Directive(literals::TypeAndValue)),
    ("hw.SliceTypes", &Directive(arrays::ArrayAndIndex)),
    ("hw.Typed", &Directive(literals::TypedValue)),
    ("hwarith.Typed", &Directive(literals::TypedValue)),
    ("kanagawa.LastStep", &Inferred::of(results::last_step)),
    ("kanagawa.Port", &Inferred::of(infer::port)),
    ("kanagawa.PortOf", &Inferred::of(results::port_of)),
    ("kanagawa.PortType", &Inferred::of(infer::port_type)),
    ("kanagawa.ScopeRefFromName", &Inferred::of(infer::scope)),
    (
        "llhd.ElementReference",
        &Inferred::of(results::element_reference),
    ),
    (
        "llhd.FieldReference",
        &Inferred::of(results::field_reference),
    ),
    ("llhd.Index", &Inferred::of(results::index)),
    ("ltl.Logic", &Inferred::of(infer::logic)),
    ("moore.Bits", &Inferred::of(moore::bits)),
    ("moore.Constant", &Directive(four_valued::Constant)),
    ("moore.Integer", &Inferred::of(moore::integer_of_width)),
    ("moore.OfFloat", &Inferred::of(moore::real)),
    (
        "moore.OptionalInside",
        &Inferred::optional(infer::inside, 0),
    ),
    ("msft.ImplicitInnerRef", &Directive(paths::InnerReference)),
    (
        "msft.ListOptionalRegLocList",
        &Directive(physical::Locations),
    ),
    ("msft.PhysLoc", &Directive(physical::PhysicalLocation)),
    ("om.BasePathString", &Directive(paths::PathString)),
    ("om.FieldLocs", &Directive(attributes::FieldLocations)),
    (
        "om.List",
        &Directive(arrays::Collected {
            wrap: ("om.list", "elementType"),
            whole: false,
            attributes_last: false,
        }),
    ),
    ("om.PathString", &Directive(paths::PathString)),
    (
        "pipeline.Passthroughs",
        &Directive(stages::StageValues { word: "pass" }),
    ),
    (
        "pipeline.StageRegisters",
        &Directive(stages::StageValues { word: "regs" }),
    ),
    (
        "rtg.Array",
        &Directive(arrays::Collected {
            wrap: ("rtg.array", "elementType"),
            whole: false,
            attributes_last: true,
        }),
    ),
    ("rtg.Bag", &Directive(values::Alike(values::Form::Bag))),
    ("rtg.BagOfSet", &Inferred::of(results::bag_of_set)),
    ("rtg.Concatenated", &Inferred::of(infer::concatenated)),
    ("rtg.MemoryRange", &Directive(attributes::MemoryRange)),
    ("rtg.NoneOrType", &Directive(operands::NoneOrType)),
    ("rtg.Product", &Inferred::of(results::product)),
    ("rtg.Registers", &Directive(typed::Registers)),
    ("rtg.Replacements", &Directive(operands::Replacements)),
    (
        "rtg.Set",
        &Directive(arrays::Collected {
            wrap: ("rtg.set", "elementType"),
            whole: false,
            attributes_last: false,
        }),
    ),
    ("rtg.SetOfBag", &Inferred::of(results::set_of_bag)),
    ("rtg.Tuple", &Inferred::of(results::tuple)),
    ("rtg.TupleField", &Inferred::of(results::tuple_field)),
    ("rtg.TypeOfValue", &Inferred::of(infer::type_of_value)),
    ("seq.Addresses", &Inferred::of(infer::addresses)),
    ("seq.ClockConstant", &Directive(typed::ClockConstant)),
    (
        "seq.FIFOAEThreshold",
        &Directive(values::Threshold("almost_empty")),
    ),
    (
        "seq.FIFOAFThreshold",
        &Directive(values::Threshold("almost_full")),
    ),
    ("seq.MemoryAddress", &Inferred::of(infer::memory_address)),
    (
        "seq.OptionalImmutableTypeMatch",
        &Inferred::optional(infer::immutable, 2),
    ),
    ("seq.OptionalTypeMatch", &Inferred::optional(infer::same, 2)),
    ("ssp.SSPProperties", &Directive(ssp::Properties)),
    ("sv.EventList", &Directive(attributes::Events)),
    ("sv.FieldInOut", &Inferred::of(results::field_inout)),
    ("sv.IfaceTypeAndSignal", &Directive(paths::Signal)),
    (
        "sv.ImplicitInitType",
        &Inferred::optional(infer::inout_element, 2),
    ),
    (
        "sv.InoutArrayElement",
        &Inferred::of(infer::inout_array_element),
    ),
    (
        "sv.ModportStructs",
        &Directive(attributes::ModuleInterfacePorts),
    ),
    ("sv.Part", &Inferred::of(results::part)),
    ("sv.PartInOut", &Inferred::of(results::part_inout)),
    ("sv.XMRPath", &Directive(paths::Names)),
    (
        "synth.VariadicInvertibleOperands",
        &Directive(operands::InvertibleOperands),
    ),
    ("systemc.Base", &Inferred::of(results::base)),
    ("systemc.BoundPort", &Directive(connections::BoundPort)),
    ("systemc.Procedure", &Inferred::of(infer::procedure)),
];

/// Sorted by name.
static NAMES: Table<dyn ValueNames> = &[
    ("arc.root_input", &names::Prefixed("in_")),
    ("arc.root_output", &names::Prefixed("out_")),
    ("calyx.cell", &names::CellNames { last: &[] }),
    (
        "calyx.comb_component",
        &names::NamedBy::arguments("portNames"),
    ),
    ("calyx.component", &names::NamedBy::arguments("portNames")),
    ("calyx.group_go", &FirstResult(names::group_go_name)),
    ("calyx.instance", &names::InstanceNames("componentName")),
    (
        "calyx.memory",
        &names::CellNames {
            last: &["write_data", "write_en", "clk", "read_data", "done"],
        },
    ),
    ("calyx.primitive", &names::InstanceNames("primitiveName")),
    (
        "calyx.seq_mem",
        &names::CellNames {
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
        "calyx.std_divs_pipe",
        &names::CellNames {
            last: &[
                "clk",
                "reset",
                "go",
                "left",
                "right",
                "out_quotient",
                "done",
            ],
        },
    ),
    (
        "calyx.std_divu_pipe",
        &names::CellNames {
            last: &[
                "clk",
                "reset",
                "go",
                "left",
                "right",
                "out_quotient",
                "done",
            ],
        },
    ),
    (
        "calyx.std_rems_pipe",
        &names::CellNames {
            last: &[
                "clk",
                "reset",
                "go",
                "left",
                "right",
                "out_remainder",
                "done",
            ],
        },
    ),
    (
        "calyx.std_remu_pipe",
        &names::CellNames {
            last: &[
                "clk",
                "reset",
                "go",
                "left",
                "right",
                "out_remainder",
                "done",
            ],
        },
    ),
    (
        "chirrtl.debugport",
        &names::Suffixed {
            unnamed: "memport",
            suffixes: &["_data"],
        },
    ),
    (
        "chirrtl.memoryport",
        &names::Suffixed {
            unnamed: "memport",
            suffixes: &["_data", "_port"],
        },
    ),
    ("circt.name", &names::NamedBy::results("name")),
    ("circt.verbatim", &FirstResult(names::verbatim_name)),
    (
        "esi.bundle.pack",
        &bundles::ChannelNames {
            direction: "from",
            is_result: true,
        },
    ),
    (
        "esi.bundle.unpack",
        &bundles::ChannelNames {
            direction: "to",
            is_result: false,
        },
    ),
    ("firrtl.class", &names::NamedBy::arguments("portNames")),
    ("firrtl.constant", &names::ConstantName::Firrtl),
    (
        "firrtl.hierarchicalmodulename",
        &names::ResultWords(&["hierarchicalmodulename"]),
    ),
    (
        "firrtl.instance",
        &names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "inst")),
            separator: "_",
            arguments: "",
        },
    ),
    (
        "firrtl.instance_choice",
        &names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "inst")),
            separator: "_",
            arguments: "",
        },
    ),
    ("firrtl.invalidvalue", &FirstResult(names::invalid_name)),
    (
        "firrtl.mem",
        &names::NamedBy {
            results: "portNames",
            prefix: Some(("name", "mem")),
            separator: "_",
            arguments: "",
        },
    ),
    ("firrtl.module", &names::NamedBy::arguments("portNames")),
    ("firrtl.specialconstant", &names::ConstantName::Special),
    ("firrtl.time", &names::ResultWords(&["time"])),
    ("hw.constant", &names::ConstantName::Hw),
    ("hw.enum.constant", &FirstResult(values::member_name)),
    (
        "hw.instance",
        &names::NamedBy {
            results: "resultNames",
            prefix: Some(("instanceName", "")),
            separator: ".",
            arguments: "",
        },
    ),
    ("hw.module", &module::PortNames),
    ("hw.struct_explode", &names::FieldNames { index: None }),
    (
        "hw.struct_extract",
        &names::FieldNames {
            index: Some("fieldIndex"),
        },
    ),
    ("kanagawa.method", &names::NamedBy::arguments("argNames")),
    ("kanagawa.scope", &scopes::ScopeNames),
    (
        "moore.instance",
        &names::NamedBy {
            results: "outputNames",
            prefix: Some(("instanceName", "")),
            separator: ".",
            arguments: "",
        },
    ),
    ("moore.module", &module::PortNames),
    ("om.class", &names::NamedBy::arguments("formalParamNames")),
    (
        "om.class.extern",
        &names::NamedBy::arguments("formalParamNames"),
    ),
    ("pipeline.scheduled", &stages::PipelineNames),
    ("pipeline.unscheduled", &stages::PipelineNames),
    ("rtg.constant", &FirstResult(names::register_name)),
    ("rtg.test", &functions::TargetNames),
    ("seq.fifo", &names::FifoNames),
    ("seq.firreg", &names::NamedBy::results("name")),
    ("seq.read", &FirstResult(stages::read_name)),
    ("sv.constantX", &names::TypeName("x_")),
    ("sv.constantZ", &names::TypeName("z_")),
    ("sv.for", &loops::VariableName),
    ("sv.func", &module::PortNames),
    ("sv.generate.for", &loops::VariableName),
    ("sv.macro_name", &names::NamedBy::results("macroName")),
    ("systemc.cpp.func", &names::NamedBy::arguments("argNames")),
    (
        "systemc.interop.verilated",
        &names::NamedBy {
            results: "resultNames",
            prefix: Some(("instanceName", "")),
            separator: ".",
            arguments: "",
        },
    ),
    ("systemc.module", &names::NamedBy::arguments("portNames")),
    (
        "verif.simulation",
        &names::ArgumentWords(&["clock", "init"]),
    ),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[
    ("arc.Shaped", &Entry(crate::dimensions::Shaped)),
    ("esi.BundledChannels", &Entry(members::CHANNELS)),
    ("esi.Reset", &Entry(members::Flag("reset"))),
    (
        "firrtl.Bundle",
        &Entry(types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Bare("firrtl"),
            mark: types::Mark::Flag("flip"),
            distinct: true,
        }),
    ),
    (
        "firrtl.DomainFields",
        &Entry(types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        }),
    ),
    (
        "firrtl.Element",
        &Entry(types::ElementType {
            dialect: "firrtl",
            mnemonics: &[],
        }),
    ),
    (
        "firrtl.Interface",
        &Entry(types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::Direction(&["in", "out"]),
            distinct: true,
        }),
    ),
    ("firrtl.Keywords", &Entry(types::Keywords)),
    (
        "firrtl.ParameterDeclaration",
        &Entry(types::ParameterDeclaration),
    ),
    ("firrtl.Variants", &Entry(types::Variants)),
    (
        "hw.Fields",
        &Entry(types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        }),
    ),
    ("hw.HWArray", &Entry(types::Array)),
    ("hw.HWElementType", &Entry(types::HW_ELEMENT)),
    ("hw.InnerSymbol", &Entry(types::InnerSymbol)),
    ("hw.Keywords", &Entry(types::Keywords)),
    (
        "hw.OffsetFields",
        &Entry(types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::Offset("offset"),
            distinct: true,
        }),
    ),
    (
        "hw.ParameterDeclaration",
        &Entry(types::ParameterDeclaration),
    ),
    (
        "hw.Ports",
        &Entry(types::Fields {
            brackets: ("<", ">"),
            colon: " : ",
            nested: types::Nested::Full,
            mark: types::Mark::Direction(&module::TYPE_DIRECTIONS),
            distinct: false,
        }),
    ),
    ("hw.Width", &Entry(members::WIDTH)),
    ("hw.Word", &Entry(members::WORD)),
    ("llhd.Time", &Entry(types::Time)),
    (
        "moore.Element",
        &Entry(types::ElementType {
            dialect: "moore",
            mnemonics: &[],
        }),
    ),
    ("moore.FourValued", &Entry(four_valued::Parts)),
    (
        "moore.Members",
        &Entry(types::Fields {
            brackets: ("{", "}"),
            colon: ": ",
            nested: types::Nested::Bare("moore"),
            mark: types::Mark::None,
            distinct: false,
        }),
    ),
    ("msft.Locations", &Entry(physical::Locations)),
    ("om.Path", &Entry(members::PATH)),
    (
        "rtg.Fields",
        &Entry(types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        }),
    ),
    ("rtg.SelfType", &Entry(types::SelfType)),
    ("rtg.TypeOfFirst", &Entry(members::TypeOfFirst)),
    ("rtgtest.SelfType", &Entry(types::SelfType)),
    ("seq.HLMem", &Entry(crate::dimensions::Shaped)),
    ("seq.SelfType", &Entry(types::SelfType)),
    ("sim.DPIArguments", &Entry(members::DPI_ARGUMENTS)),
    ("systemc.Ports", &Entry(members::SYSTEMC_PORTS)),
    ("systemc.Word", &Entry(members::WORD)),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
