//! Hooks of CIRCT's dialects.

use super::{Set, Table};
use crate::circt::{
    arrays, attributes, directives, fields, firrtl, functions, handlers, hierarchy, infer,
    literals, module, names, operands, parameters, register, ssp, types,
};
use crate::inferred::Inferred;
use crate::names::FirstResult;
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("arc.coroutine.define", &crate::func::PLAIN),
    ("arc.define", &crate::func::PLAIN),
    ("calyx.comb_component", &functions::Component),
    ("calyx.component", &functions::Component),
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
    ("firrtl.match", &handlers::Match),
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
    ("hw.instance", &Syntax(module::Instance)),
    (
        "hw.module",
        &Syntax(module::ModuleLike {
            has_body: true,
            has_generator: false,
            has_parameters: true,
            locations: "result_locs",
        }),
    ),
    (
        "hw.module.extern",
        &Syntax(module::ModuleLike {
            has_body: false,
            has_generator: false,
            has_parameters: true,
            locations: "port_locs",
        }),
    ),
    (
        "hw.module.generated",
        &Syntax(module::ModuleLike {
            has_body: false,
            has_generator: true,
            has_parameters: true,
            locations: "port_locs",
        }),
    ),
    ("kanagawa.method", &Syntax(functions::Method)),
    ("kanagawa.method.df", &Syntax(functions::Method)),
    ("llhd.coroutine", &crate::func::PLAIN),
    ("om.class", &Syntax(functions::Class)),
    ("om.class.extern", &Syntax(functions::Class)),
    ("rtg.sequence", &Syntax(functions::Sequence)),
    ("rtg.test", &Syntax(functions::Test)),
    ("rtg.with_handlers", &handlers::WithHandlers),
    ("seq.firreg", &Syntax(register::FirRegister)),
    ("ssp.operation", &Syntax(ssp::OperationOp)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    (
        "ImplicitSSAName",
        &names::ImplicitName { annotations: false },
    ),
    (
        "IntegerOfParameter",
        &Inferred::of(infer::integer_of_parameter),
    ),
    ("KeywordBool", &literals::KeywordBool),
    ("OptionalBinaryOpTypes", &directives::OptionalSecondType),
    ("ParameterType", &Inferred::of(infer::parameter)),
    ("SpelledType", &Inferred::of(infer::spelled)),
    ("TypeWithNumber", &Inferred::of(infer::renumbered)),
    ("WrappedType", &Inferred::of(infer::wrapped)),
    ("calyx.Cycle", &attributes::Cycle),
    ("calyx.Guarded", &operands::Guarded),
    (
        "calyx.ParameterList",
        &parameters::ParameterList { dialect: "hw" },
    ),
    (
        "chirrtl.CombMemOp",
        &names::ImplicitName { annotations: true },
    ),
    (
        "chirrtl.MemoryDebugPortOp",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        },
    ),
    (
        "chirrtl.MemoryPortOp",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        },
    ),
    (
        "chirrtl.NameKind",
        &directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        },
    ),
    (
        "chirrtl.SeqMemOp",
        &names::ImplicitName { annotations: true },
    ),
    ("comb.Concatenated", &Inferred::of(infer::concatenated)),
    ("datapath.CompressFormat", &operands::Counts),
    (
        "dc.Copies",
        &operands::Copies {
            fixed: Some(("dc", "token")),
        },
    ),
    ("firrtl.Bit", &Inferred::of(infer::firrtl_bit)),
    (
        "firrtl.CircuitOpAttrs",
        &directives::Dictionary {
            keyword: true,
            left_out: &[("annotations", directives::Absent::List)],
            all_but: &[],
        },
    ),
    ("firrtl.ClassInterface", &fields::ClassInterface),
    ("firrtl.Constant", &literals::FirrtlConstant),
    ("firrtl.Digit", &literals::Digit),
    ("firrtl.Element", &Inferred::of(infer::element)),
    (
        "firrtl.FIRRTLImplicitSSAName",
        &names::ImplicitName { annotations: true },
    ),
    (
        "firrtl.FPrintfAttrs",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["formatString", "outputFile", "operandSegmentSizes"],
        },
    ),
    (
        "firrtl.Field",
        &fields::Field {
            name: fields::FieldName::Word,
            brackets: ("[", "]"),
        },
    ),
    ("firrtl.FieldTypes", &fields::FieldTypes),
    ("firrtl.Forceable", &Inferred::optional(infer::forceable, 0)),
    ("firrtl.Integer", &literals::SignedInteger),
    (
        "firrtl.List",
        &arrays::Collected {
            wrap: ("firrtl.list", "elementType"),
            whole: true,
            attributes_last: false,
        },
    ),
    (
        "firrtl.MemOp",
        &directives::Dictionary {
            keyword: false,
            left_out: &[
                ("annotations", directives::Absent::List),
                ("portAnnotations", directives::Absent::Lists),
            ],
            all_but: &[],
        },
    ),
    (
        "firrtl.NameKind",
        &directives::Keyword {
            dialect: "firrtl",
            mnemonic: "name_kind",
            words: &["droppable_name", "interesting_name"],
        },
    ),
    (
        "firrtl.ParameterList",
        &parameters::ParameterList { dialect: "firrtl" },
    ),
    (
        "firrtl.PrintfAttrs",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["formatString"],
        },
    ),
    ("firrtl.ProbePart", &Inferred::of(infer::probe_part)),
    ("firrtl.Resolved", &Inferred::of(infer::resolved)),
    ("firrtl.RestOfTypes", &operands::RestOfTypes),
    ("firrtl.Sent", &Inferred::of(infer::sent)),
    (
        "firrtl.StopAttrs",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["exitCode"],
        },
    ),
    (
        "firrtl.VerifAttrs",
        &directives::Dictionary {
            keyword: false,
            left_out: &[("name", directives::Absent::Text)],
            all_but: &["message"],
        },
    ),
    ("handshake.AddressesAndData", &operands::AddressesAndData),
    ("handshake.Copies", &operands::Copies { fixed: None }),
    ("handshake.Members", &Inferred::of(infer::members)),
    ("hw.ArrayConcatTypes", &arrays::Arrays),
    ("hw.ArrayElements", &arrays::ArrayElements),
    ("hw.Create", &fields::Create),
    ("hw.ElementOf", &Inferred::of(infer::array_element)),
    (
        "hw.Field",
        &fields::Field {
            name: fields::FieldName::Quoted,
            brackets: ("[", "]"),
        },
    ),
    ("hw.FieldTypes", &fields::FieldTypes),
    ("hw.Inject", &fields::Inject),
    ("hw.ParamValue", &literals::TypeAndValue),
    ("hw.SliceTypes", &arrays::ArrayAndIndex),
    ("hw.Typed", &literals::TypedValue),
    ("hwarith.Typed", &literals::TypedValue),
    ("kanagawa.Port", &Inferred::of(infer::port)),
    ("kanagawa.PortType", &Inferred::of(infer::port_type)),
    ("ltl.Logic", &Inferred::of(infer::logic)),
    ("om.FieldLocs", &attributes::FieldLocations),
    (
        "om.List",
        &arrays::Collected {
            wrap: ("om.list", "elementType"),
            whole: false,
            attributes_last: false,
        },
    ),
    (
        "rtg.Array",
        &arrays::Collected {
            wrap: ("rtg.array", "elementType"),
            whole: false,
            attributes_last: true,
        },
    ),
    ("rtg.MemoryRange", &attributes::MemoryRange),
    ("rtg.NoneOrType", &operands::NoneOrType),
    ("rtg.Replacements", &operands::Replacements),
    (
        "rtg.Set",
        &arrays::Collected {
            wrap: ("rtg.set", "elementType"),
            whole: false,
            attributes_last: false,
        },
    ),
    ("rtg.TypeOfFirst", &Inferred::of(infer::type_of_first)),
    ("rtg.TypeOfValue", &Inferred::of(infer::type_of_value)),
    ("seq.MemoryAddress", &Inferred::of(infer::memory_address)),
    (
        "seq.OptionalImmutableTypeMatch",
        &Inferred::optional(infer::immutable, 2),
    ),
    ("seq.OptionalTypeMatch", &Inferred::optional(infer::same, 2)),
    ("ssp.SSPProperties", &ssp::Properties),
    ("sv.EventList", &attributes::Events),
    (
        "sv.ImplicitInitType",
        &Inferred::optional(infer::inout_element, 2),
    ),
    (
        "sv.InoutArrayElement",
        &Inferred::of(infer::inout_array_element),
    ),
    ("sv.ModportStructs", &attributes::ModuleInterfacePorts),
    (
        "synth.VariadicInvertibleOperands",
        &operands::InvertibleOperands,
    ),
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
    (
        "calyx.memory",
        &names::CellNames {
            last: &["write_data", "write_en", "clk", "read_data", "done"],
        },
    ),
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
    ("kanagawa.method.df", &names::NamedBy::arguments("argNames")),
    ("om.class", &names::NamedBy::arguments("formalParamNames")),
    (
        "om.class.extern",
        &names::NamedBy::arguments("formalParamNames"),
    ),
    ("rtg.constant", &FirstResult(names::register_name)),
    ("rtg.test", &functions::TargetNames),
    (
        "seq.fifo",
        &names::ResultWords(&["out", "full", "empty", "almostFull", "almostEmpty"]),
    ),
    ("seq.firreg", &names::NamedBy::results("name")),
    ("sv.constantX", &names::TypeName("x_")),
    ("sv.constantZ", &names::TypeName("z_")),
    ("sv.macro_name", &names::NamedBy::results("macroName")),
    (
        "verif.simulation",
        &names::ArgumentWords(&["clock", "init"]),
    ),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[
    (
        "firrtl.Bundle",
        &types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Bare("firrtl"),
            mark: types::Mark::Flag("flip"),
            distinct: true,
        },
    ),
    (
        "firrtl.DomainFields",
        &types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        },
    ),
    (
        "firrtl.Element",
        &types::ElementType {
            dialect: "firrtl",
            mnemonics: &[],
        },
    ),
    (
        "firrtl.Interface",
        &types::Fields {
            brackets: ("(", ")"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::Direction(&["in", "out"]),
            distinct: true,
        },
    ),
    ("firrtl.Keywords", &types::Keywords),
    ("firrtl.ParameterDeclaration", &types::ParameterDeclaration),
    ("firrtl.Variants", &types::Variants),
    (
        "hw.Fields",
        &types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        },
    ),
    ("hw.HWArray", &types::Array),
    ("hw.HWElementType", &types::HW_ELEMENT),
    ("hw.InnerSymbol", &types::InnerSymbol),
    ("hw.Keywords", &types::Keywords),
    (
        "hw.OffsetFields",
        &types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::Offset("offset"),
            distinct: true,
        },
    ),
    ("hw.ParameterDeclaration", &types::ParameterDeclaration),
    (
        "hw.Ports",
        &types::Fields {
            brackets: ("<", ">"),
            colon: " : ",
            nested: types::Nested::Full,
            mark: types::Mark::Direction(&module::TYPE_DIRECTIONS),
            distinct: false,
        },
    ),
    ("hw.Width", &types::Width),
    ("llhd.Time", &types::Time),
    (
        "rtg.Fields",
        &types::Fields {
            brackets: ("<", ">"),
            colon: ": ",
            nested: types::Nested::Full,
            mark: types::Mark::None,
            distinct: true,
        },
    ),
    ("rtg.SelfType", &types::SelfType),
    ("rtgtest.SelfType", &types::SelfType),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
