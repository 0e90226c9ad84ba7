//! Hooks of the `spirv` dialect: functions, and the parameters of target environments.

pub(crate) mod copy;
pub(crate) mod directives;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod operations;
pub(crate) mod wrapped;

use crate::directive::Directive;
use crate::function::Function;
use crate::helpers::{member_keyword, member_value};
use directives::{Access, Control, Following, Quoted, case};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmResult, DirectiveSyntax, EntryParser, EntryPrinter, EntrySyntax, Parameters,
    ParametersMut,
};
use rmlir_ir::codec::FieldValue;

/// Sorted by name; further directives are in the table of `hooks.rs`.
pub(crate) static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("spirv.Copy", &Directive(copy::Copy)),
    (
        "spirv.ExecutionMode",
        &Directive(Quoted(case("ExecutionMode", "execution_mode<"))),
    ),
    (
        "spirv.ExecutionModel",
        &Directive(Quoted(case("ExecutionModel", "execution_model<"))),
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
        &Directive(Control(case("LoopControl", "loop_control<"))),
    ),
    ("spirv.MemoryOperand", &Directive(directives::MemoryOperand)),
    ("spirv.OfMember", &Directive(directives::OfMember)),
    ("spirv.OneType", &Directive(directives::OneType)),
    ("spirv.PartType", &Directive(directives::PartType)),
    ("spirv.References", &Directive(Following::References)),
    (
        "spirv.SelectionControl",
        &Directive(Control(case("SelectionControl", "selection_control<"))),
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

/// Parses a case of an enumeration.
fn member(parser: &mut dyn EntryParser, of: (&str, &str), what: &str) -> AsmResult<u64> {
    let place = parser.place();
    let Some(word) = parser.optional_keyword() else {
        return parser.expected(what);
    };
    let context = parser.context();
    let word = context.str(word).into_owned();
    let value = member_value(context, of, &word);
    value.ok_or_else(|| AsmError::new(place, format!("unknown {what}: {word}")))
}

impl EntrySyntax for Device {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let number = |at: usize| match values.get(at) {
            FieldValue::Unsigned(value) => *value,
            _ => UNKNOWN,
        };
        let mut word = |of: (&str, &str), at: usize| {
            let word = member_keyword(printer.context(), of, number(at));
            word.ok_or_else(|| Invalid::new("no member of the enumeration"))
        };
        let (api, vendor, kind) = (word(API, 0)?, word(VENDOR, 1)?, word(KIND, 2)?);
        let id = number(3);
        if number(0) != UNKNOWN {
            printer.text(b"api=");
            printer.text(api.as_bytes());
            printer.text(b", ");
        }
        if number(1) != UNKNOWN || id != UNKNOWN {
            printer.text(vendor.as_bytes());
            if number(2) != UNKNOWN || id != UNKNOWN {
                printer.text(b":");
                printer.text(kind.as_bytes());
                if id != UNKNOWN {
                    printer.text(b":");
                    printer.integer(id);
                }
            }
            printer.text(b", ");
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut found = [UNKNOWN; 4];
        let [api, vendor, kind, id] = &mut found;
        if parser.eat("api") {
            parser.expect("=")?;
            *api = member(parser, API, "client API")?;
            parser.expect(",")?;
        }
        // If no keyword is next, the attributes that follow the device are.
        if let Some(word) = parser.optional_keyword() {
            let place = parser.place();
            let context = parser.context();
            let word = context.str(word).into_owned();
            let found = member_value(context, VENDOR, &word);
            *vendor =
                found.ok_or_else(|| AsmError::new(place, format!("unknown vendor: {word}")))?;
            if parser.eat(":") {
                *kind = member(parser, KIND, "device type")?;
                if parser.eat(":") {
                    let place = parser.place();
                    let number = parser.integer()?;
                    *id = u64::try_from(number)
                        .map_err(|_| AsmError::new(place, "expected a number of a device"))?;
                }
            }
            parser.expect(",")?;
        }
        for (at, value) in found.into_iter().enumerate() {
            values.set(at, FieldValue::Unsigned(value));
        }
        Ok(())
    }
}
