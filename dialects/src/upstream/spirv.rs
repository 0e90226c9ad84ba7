//! Hooks of the `spirv` dialect: functions, and the parameters of target environments.

pub(crate) mod copy;
pub(crate) mod directives;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod operations;
pub(crate) mod tensor;
pub(crate) mod wrapped;

use crate::directive::Directive;
use crate::entry::{EntryAsm, TwoWayEntry, field, set};
use crate::function::Function;
use crate::helpers::member_keyword;
use directives::{Access, Control, Following, Quoted, case};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmResult, DirectiveSyntax, EntryParser, EntryPrinter, Parameters, ParametersMut,
};

/// Sorted by name; further directives are in the table of `hooks.rs`.
pub(crate) static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("spirv.BuiltIn", &Directive(directives::BuiltIn)),
    ("spirv.Copy", &Directive(copy::Copy)),
    (
        "spirv.ExecutionMode",
        &Directive(Quoted(case("ExecutionMode", "execution_mode"))),
    ),
    (
        "spirv.ExecutionModel",
        &Directive(Quoted(case("ExecutionModel", "execution_model"))),
    ),
    (
        "spirv.GroupOperation",
        &Directive(Quoted(case("GroupOperation", "group_operation"))),
    ),
    ("spirv.ImageOperands", &Directive(directives::ImageOperands)),
    ("spirv.Integers", &Directive(Following::Integers)),
    (
        "spirv.Load",
        &Directive(Access {
            stores: false,
            is_printed: true,
        }),
    ),
    (
        "spirv.LoopControl",
        &Directive(Control(case("LoopControl", "loop_control"))),
    ),
    ("spirv.MemoryOperand", &Directive(directives::MemoryOperand)),
    ("spirv.OfI32", &Directive(directives::OfI32)),
    ("spirv.OfMember", &Directive(directives::OfMember)),
    ("spirv.OneType", &Directive(directives::OneType)),
    ("spirv.PartType", &Directive(directives::PartType)),
    ("spirv.References", &Directive(Following::References)),
    ("spirv.SPIRV_I32_1DArmTensor", &Directive(tensor::Numbers)),
    ("spirv.Scope", &Directive(Quoted(case("Scope", "scope")))),
    (
        "spirv.SelectionControl",
        &Directive(Control(case("SelectionControl", "selection_control"))),
    ),
    ("spirv.SpecId", &Directive(directives::SpecId)),
    (
        "spirv.Store",
        &Directive(Access {
            stores: true,
            is_printed: true,
        }),
    ),
    (
        "spirv.StoreBlock",
        &Directive(Access {
            stores: true,
            is_printed: false,
        }),
    ),
    ("spirv.Symbols", &Directive(Following::Symbols)),
    ("spirv.Weights", &Directive(directives::Weights)),
];

/// Custom syntax of `spirv.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> = crate::two_way::Syntax(
    Function::new("spirv.func", "").with_control("function_control", "FunctionControl"),
);

/// The directive `api=Vulkan, AMD:DiscreteGPU:1234, `: client API, vendor, device type and device
/// ID, each of which is optional.
#[derive(Debug)]
pub(crate) struct Device;

/// The device ID that denotes an unknown device.
const UNKNOWN: u64 = 0xffff_ffff;

/// The enumerations of client API, vendor and device type.
const API: (&str, &str) = ("spirv", "ClientAPI");
const VENDOR: (&str, &str) = ("spirv", "Vendor");
const KIND: (&str, &str) = ("spirv", "DeviceType");

/// The numbers of [`Device`].
pub(crate) struct DeviceContent {
    api: u64,
    vendor: u64,
    kind: u64,
    id: u64,
}

impl Default for DeviceContent {
    fn default() -> Self {
        DeviceContent {
            api: UNKNOWN,
            vendor: UNKNOWN,
            kind: UNKNOWN,
            id: UNKNOWN,
        }
    }
}

impl TwoWayEntry for Device {
    type Content<'v> = DeviceContent;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<DeviceContent, Invalid> {
        let number = |at: usize| field::<Option<u64>>(values, at).unwrap_or(UNKNOWN);
        for (at, of) in [API, VENDOR, KIND].into_iter().enumerate() {
            if member_keyword(printer.context(), of, number(at)).is_none() {
                return Err(Invalid::new("no member of the enumeration"));
            }
        }
        Ok(DeviceContent {
            api: number(0),
            vendor: number(1),
            kind: number(2),
            id: number(3),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut DeviceContent) -> AsmResult<()> {
        let mut has_api = content.api != UNKNOWN;
        asm.optional("api", "api", &mut has_api);
        if has_api {
            asm.token("=", "=")?;
            asm.member(API, &mut content.api, "expected client API", |word| {
                format!("unknown client API: {word}")
            })?;
            asm.token(",", ", ")?;
        }
        let mut has_id = content.id != UNKNOWN;
        let mut has_kind = content.kind != UNKNOWN || has_id;
        // If no keyword is next, the attributes that follow the device are.
        let mut has_vendor = content.vendor != UNKNOWN || has_id;
        let vendor = (&mut content.vendor, &mut has_vendor);
        asm.optional_member(VENDOR, vendor, Some, |word| {
            format!("unknown vendor: {word}")
        })?;
        if !has_vendor {
            return Ok(());
        }
        asm.optional(":", ":", &mut has_kind);
        if has_kind {
            asm.member(KIND, &mut content.kind, "expected device type", |word| {
                format!("unknown device type: {word}")
            })?;
            asm.optional(":", ":", &mut has_id);
            if has_id {
                let message = |_| "expected a number of a device".to_owned();
                asm.integer_from_0(&mut content.id, message)?;
            }
        }
        asm.token(",", ", ")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: DeviceContent,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, content.api);
        set(values, 1, content.vendor);
        set(values, 2, content.kind);
        set(values, 3, content.id);
        Ok(())
    }
}
