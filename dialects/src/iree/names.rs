//! Names of results of IREE's operations that depend on attributes or types.

use super::symbols::flat_symbol;
use crate::helpers::integer;
use crate::helpers::is_of;
use rmlir_ir::asm::ValueNames;
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, Operation, Signedness, TypeKind, Value,
    ValueDefinition,
};

/// Calls `name` with the first result and the text, if there are both.
fn first(
    module: &Module,
    operation: Operation,
    text: Option<String>,
    name: &mut dyn FnMut(Value, &str),
) {
    if let Some((result, text)) = module.result(operation, 0).zip(text) {
        name(result, &text);
    }
}

/// Names the result after a dimension, the attribute `dimension`.
#[derive(Debug)]
pub(crate) struct Dimension {
    pub(crate) prefix: &'static str,
    /// Whether dimensions are `x`, `y`, `z` instead of numbers.
    pub(crate) letters: bool,
}

impl ValueNames for Dimension {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let attribute = module.attribute(context, operation, "dimension");
        let dimension = integer(context, attribute).and_then(|n| usize::try_from(n).ok());
        let text = dimension.and_then(|dimension| match self.letters {
            true => Some((*["x", "y", "z"].get(dimension)?).to_owned()),
            false => Some(dimension.to_string()),
        });
        let text = text.map(|text| format!("{}{text}", self.prefix));
        first(module, operation, text, name);
    }
}

/// Names the result after the text of an attribute: a symbol, a string, a type.
#[derive(Debug)]
pub(crate) struct After {
    pub(crate) attribute: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) suffix: &'static str,
    /// The name without the attribute; empty for none.
    pub(crate) otherwise: &'static str,
}

impl After {
    /// Names the result after the attribute alone.
    pub(crate) const fn new(attribute: &'static str) -> Self {
        After {
            attribute,
            prefix: "",
            suffix: "",
            otherwise: "",
        }
    }
}

/// Names the result of `vm.import.resolved` after the import, with `_` in place of each character
/// that is not a letter or digit.
#[derive(Debug)]
pub(crate) struct Resolution;

impl ValueNames for Resolution {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let import = module.attribute(context, operation, "import");
        let text = import.and_then(|import| text_of(context, import));
        let other = |c: char| !c.is_ascii_alphanumeric();
        let text = text.map(|text| format!("has_{}", text.replace(other, "_")));
        first(module, operation, text, name);
    }
}

impl ValueNames for After {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let value = module.attribute(context, operation, self.attribute);
        let text = value.and_then(|value| text_of(context, value));
        let text = match text {
            Some(text) => Some(format!("{}{text}{}", self.prefix, self.suffix)),
            None => Some(self.otherwise.to_owned()).filter(|name| !name.is_empty()),
        };
        first(module, operation, text, name);
    }
}

/// Returns the text of a string, the name of a symbol, or a scalar type.
fn text_of(context: &Context, attribute: Attribute) -> Option<String> {
    match context.attribute_kind(attribute) {
        AttributeKind::Type(ty) => match context.type_kind(*ty) {
            TypeKind::Integer { width, signedness } => Some(match signedness {
                Signedness::Signless => format!("i{width}"),
                Signedness::Signed => format!("si{width}"),
                Signedness::Unsigned => format!("ui{width}"),
            }),
            TypeKind::Float(kind) => Some(kind.keyword().to_owned()),
            TypeKind::Index => Some("index".to_owned()),
            _ => None,
        },
        AttributeKind::SymbolRef { .. } => {
            let symbol = flat_symbol(context, Some(attribute))?;
            Some(String::from_utf8_lossy(context.bytes(symbol)).into_owned())
        }
        _ => {
            let text = context.string_value(attribute)?;
            Some(String::from_utf8_lossy(text).into_owned())
        }
    }
}

/// Names the result of a constant of `vm` after its value: `zero`, `c5`.
#[derive(Debug)]
pub(crate) struct Constant;

impl ValueNames for Constant {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let value = module.attribute(context, operation, "value");
        let text = match value.map(|value| context.attribute_kind(value)) {
            Some(AttributeKind::Integer { value, .. }) if value.is_zero() => "zero".to_owned(),
            Some(AttributeKind::Integer { value, .. }) => {
                format!("c{}", value.to_decimal_string(true))
            }
            _ => "c".to_owned(),
        };
        first(module, operation, Some(text), name);
    }
}

/// Names a single result after its type: `ref` for `!vm.ref`, `buffer` for `!vm.buffer`.
#[derive(Debug)]
pub(crate) struct OfType;

impl ValueNames for OfType {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(result) = module.result(operation, 0) else {
            return;
        };
        let ty = module.value_type(result);
        let is_named = |mnemonic: &&&str| is_of(context, ty, "vm", mnemonic);
        if module.result_count(operation) == 1
            && let Some(text) = ["ref", "buffer", "list"].iter().find(is_named)
        {
            name(result, text);
        }
    }
}

/// Names the result of `hal.encoding_type` without an encoding.
#[derive(Debug)]
pub(crate) struct DenseEncoding;

impl ValueNames for DenseEncoding {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let encoding = module.attribute(context, operation, "encoding");
        let text = encoding.is_none().then(|| "dense_row_major".to_owned());
        first(module, operation, text, name);
    }
}

/// Names the results of `hal.device.resolve` after their types.
#[derive(Debug)]
pub(crate) struct Resolved;

impl ValueNames for Resolved {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        for result in module.results(operation) {
            let ty = module.value_type(result);
            if crate::helpers::is_of(context, ty, "hal", "device") {
                name(result, "device");
            } else if crate::helpers::is_of(context, ty, "hal", "allocator") {
                name(result, "allocator");
            } else if matches!(context.type_kind(ty), TypeKind::Integer { .. }) {
                name(result, "queue_affinity");
            }
        }
    }
}

/// Names the result of `hal.devices.get` after a constant index.
#[derive(Debug)]
pub(crate) struct Device;

impl ValueNames for Device {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let index = module.operand(operation, 0);
        let constant = index.and_then(|index| match module.definition(index) {
            ValueDefinition::Result(constant, _) => Some(constant),
            _ => None,
        });
        let value = constant.and_then(|constant| {
            let is_constant = context.operation_name_bytes(module.name(constant));
            let value = module.attribute(context, constant, "value");
            integer(context, value).filter(|_| is_constant == b"arith.constant")
        });
        let text = match value {
            Some(value) => format!("device_{}", value.cast_unsigned()),
            None => "device_n".to_owned(),
        };
        first(module, operation, Some(text), name);
    }
}

/// Names the result of `util.string.format` after its format.
#[derive(Debug)]
pub(crate) struct Formatted;

/// The length from which on a name is not continued.
const LONGEST: usize = 32;

impl ValueNames for Formatted {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let format = module.attribute(context, operation, "format");
        let format = format.and_then(|format| context.string_value(format));
        let text = format.map(|format| {
            let mut text = String::new();
            let mut rest = format;
            while let [byte, after @ ..] = rest
                && text.len() < LONGEST
            {
                rest = after;
                match (byte, after) {
                    (b'{', [b'{', after @ ..]) | (b'}', [b'}', after @ ..]) => rest = after,
                    (b'{', _) => match after.iter().position(|&byte| byte == b'}') {
                        Some(end) => {
                            text.push('N');
                            rest = after.get(end.saturating_add(1)..).unwrap_or_default();
                        }
                        None => break,
                    },
                    (b'.' | b'-' | b'/', _) => text.push('_'),
                    (byte, _) if byte.is_ascii_alphanumeric() || *byte == b'_' => {
                        text.push(char::from(*byte));
                    }
                    _ => {}
                }
            }
            match text.is_empty() {
                true => "formatted".to_owned(),
                false => text,
            }
        });
        first(module, operation, text, name);
    }
}

/// Leaves the results without names.
#[derive(Debug)]
pub(crate) struct Unnamed;

impl ValueNames for Unnamed {}
