//! The inputs and results of functions.

use crate::source_location::SourceLocation;
use rmlir::ir::dense::ElementLayout;
use rmlir::ir::{AttributeKind, Context, Module, Operation, TypeKind};
use rmlir::text::type_to_string;
use rmlir::{Attribute, Type};
use std::collections::HashMap;

/// The inputs and results of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// The inputs.
    pub inputs: Vec<Port>,
    /// The results.
    pub results: Vec<Port>,
}

/// An input or a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// The name in the source, if there is one.
    pub name: Option<String>,
    /// The type.
    pub ty: Type,
    /// The attributes, if there are any.
    pub attributes: Option<Attribute>,
}

/// What the signature of a function is derived from.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// The attribute `function_type`.
    pub function_type: Attribute,
    /// The attributes `arg_attrs` and `res_attrs`.
    pub port_attributes: [Option<Attribute>; 2],
    /// The arguments of the first block; `None` for a function without a body.
    pub arguments: Option<Vec<Argument>>,
    /// The types that the function returns: those of the operands of the last operation of a block
    /// whose name contains `return`. Not needed if the type of the function is a builtin one.
    pub returned: Option<Vec<Type>>,
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The type.
    pub ty: Type,
    /// The name that the source or the location has.
    pub name: Option<String>,
}

impl FunctionFacts {
    /// Returns whether the types of the body are needed: the type of the function is not a builtin
    /// one.
    pub fn needs_body(context: &Context, function_type: Attribute) -> bool {
        match context.attribute_kind(function_type) {
            AttributeKind::Type(ty) => context.type_kind(*ty).signature().is_none(),
            _ => true,
        }
    }

    fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        let attribute = |name| module.attribute(context, operation, name);
        let body = module.regions(operation).next();
        let entry = body.and_then(|region| module.first_block(region));
        let argument = |(value, location): (rmlir::Value, rmlir::Location)| {
            let kept = module.provenance.value_names.get(value);
            let kept = kept.map(|name| context.str(name).into_owned());
            let named = || SourceLocation::of(context, location)?.name;
            Argument {
                ty: module.value_type(value),
                name: kept.filter(|name| !is_generated(name)).or_else(named),
            }
        };
        let function_type = attribute("function_type")?;
        let needs_body = Self::needs_body(context, function_type);
        Some(FunctionFacts {
            function_type,
            port_attributes: ["arg_attrs", "res_attrs"].map(attribute),
            arguments: entry.map(|entry| module.arguments(entry).map(argument).collect()),
            returned: match needs_body {
                true => returned(context, module, operation),
                false => None,
            },
        })
    }
}

impl Signature {
    /// Returns the signature of an operation with the attribute `function_type`: from that type, or
    /// if it is one of a dialect, from the body of the function. `None` if it is unknown.
    pub fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        Self::of_facts(context, FunctionFacts::of(context, module, operation)?)
    }

    /// Returns the signature of a function, as [`of`](Self::of) does.
    pub fn of_facts(context: &Context, facts: FunctionFacts) -> Option<Self> {
        let mut signature = Signature::default();
        let port = |ty| Port {
            name: None,
            ty,
            attributes: None,
        };
        let function = match context.attribute_kind(facts.function_type) {
            AttributeKind::Type(ty) => context.type_kind(*ty).signature(),
            _ => None,
        };
        if let Some((inputs, results)) = function {
            signature.inputs = inputs.iter().map(|&ty| port(ty)).collect();
            signature.results = results.iter().map(|&ty| port(ty)).collect();
        } else {
            let arguments = facts.arguments.as_ref()?;
            signature.inputs = arguments.iter().map(|argument| port(argument.ty)).collect();
            signature.results = facts.returned?.into_iter().map(port).collect();
        }
        let arguments = facts.arguments.into_iter().flatten();
        for (argument, port) in arguments.zip(&mut signature.inputs) {
            port.name = argument.name;
        }
        let lists = [&mut signature.inputs, &mut signature.results];
        for (list, ports) in facts.port_attributes.into_iter().zip(lists) {
            if let Some(list) = list
                && let AttributeKind::Array(entries) = context.attribute_kind(list)
            {
                for (port, &attributes) in ports.iter_mut().zip(entries) {
                    let is_empty = context.dictionary_entries(attributes).is_empty();
                    port.attributes = (!is_empty).then_some(attributes);
                }
            }
        }
        Some(signature)
    }

    /// Returns it in one line: `(i32, f32) -> f32`. `texts` has the texts of types that were
    /// printed before, which functions share for the most part.
    pub fn line(&self, context: &Context, texts: &mut HashMap<Type, String>) -> String {
        let mut line = String::new();
        for (ports, before) in [(&self.inputs, ""), (&self.results, " -> ")] {
            line.push_str(before);
            let is_alone = !before.is_empty() && ports.len() == 1;
            line.push_str(if is_alone { "" } else { "(" });
            for (number, port) in ports.iter().enumerate() {
                line.push_str(if number == 0 { "" } else { ", " });
                let text = texts.entry(port.ty);
                line.push_str(text.or_insert_with(|| type_to_string(context, port.ty)));
            }
            line.push_str(if is_alone { "" } else { ")" });
        }
        line
    }
}

/// Whether a name is one that printers give: `arg0`.
fn is_generated(name: &str) -> bool {
    let digits = name.strip_prefix("arg").unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the types that a function returns: of the operands of the last operation of a block
/// whose name contains `return`.
fn returned(context: &Context, module: &Module, function: Operation) -> Option<Vec<Type>> {
    let blocks = module.regions(function).flat_map(|r| module.blocks(r));
    let mut last = blocks.filter_map(|block| module.last_operation(block));
    let returns = last.find(|&operation| {
        let name = context.operation_name_bytes(module.name(operation));
        memchr::memmem::find(name, b"return").is_some()
    })?;
    let operands = module.operands(returns);
    Some(operands.map(|value| module.value_type(value)).collect())
}

/// Returns the number of elements of a type and their size in bytes, if it is shaped with a static
/// shape and elements of known size. Tensors of VHLO are, too.
pub fn extent(context: &Context, ty: Type) -> Option<(u64, u64)> {
    if let TypeKind::Dialect { .. } = context.type_kind(ty) {
        return portable_extent(&type_to_string(context, ty));
    }
    let count = context.element_count(ty)?;
    let layout = ElementLayout::of(context, context.element_type(ty)?)?;
    Some((count, count.saturating_mul(layout.element_size() as u64)))
}

/// Returns the [`extent`] of `!vhlo.tensor_v1<2x16x!vhlo.f32_v1>`.
fn portable_extent(text: &str) -> Option<(u64, u64)> {
    let mut rest = text.strip_prefix("!vhlo.tensor_v1<")?;
    let mut count = 1u64;
    while !rest.starts_with('!') {
        let (size, after) = rest.split_once('x')?;
        count = count.saturating_mul(size.parse().ok()?);
        rest = after;
    }
    let scalars = match rest.strip_prefix("!vhlo.complex_v1<") {
        Some(element) => {
            rest = element;
            2
        }
        None => 1u64,
    };
    let (element, _) = rest.strip_prefix("!vhlo.")?.split_once("_v1")?;
    let bits: u64 = match element {
        "bool" => 1,
        "index" => 64,
        _ => {
            let width = element.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let digits = width.find(|c: char| !c.is_ascii_digit());
            width.get(..digits.unwrap_or(width.len()))?.parse().ok()?
        }
    };
    let size = scalars.saturating_mul(bits.div_ceil(8));
    Some((count, count.saturating_mul(size)))
}

/// Returns a size for people: `1.5 KiB`.
pub fn shown_size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = UNITS[0];
    for next in UNITS.iter().skip(1) {
        if size < 1023.95 {
            break;
        }
        size /= 1024.0;
        unit = next;
    }
    format!("{size:.1} {unit}")
}

/// Returns a number with commas: `12,345`.
pub fn shown_number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{portable_extent, shown_number, shown_size};

    #[test]
    fn tensors_of_vhlo_have_an_extent() {
        for (text, extent) in [
            ("!vhlo.tensor_v1<2x16x!vhlo.f32_v1>", Some((32, 128))),
            ("!vhlo.tensor_v1<!vhlo.bool_v1>", Some((1, 1))),
            (
                "!vhlo.tensor_v1<3x!vhlo.complex_v1<!vhlo.f64_v1>>",
                Some((3, 48)),
            ),
            ("!vhlo.tensor_v1<5x!vhlo.f8E4M3FN_v1>", Some((5, 5))),
            ("!vhlo.tensor_v1<5x!vhlo.bf16_v1, #t.a>", Some((5, 10))),
            ("!vhlo.tensor_v1<?x4x!vhlo.ui32_v1>", None),
            ("!vhlo.token_v1", None),
            ("!vhlo.tensor_v1<4x!vhlo.token_v1>", None),
        ] {
            assert_eq!(portable_extent(text), extent, "{text}");
        }
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(shown_number(0), "0");
        assert_eq!(shown_number(999), "999");
        assert_eq!(shown_number(1000), "1,000");
        assert_eq!(shown_number(1234567), "1,234,567");
        assert_eq!(shown_size(1023), "1023 B");
        assert_eq!(shown_size(1024), "1.0 KiB");
        assert_eq!(shown_size(1 << 20), "1.0 MiB");
        assert_eq!(shown_size((1 << 20) - 1), "1.0 MiB");
        assert_eq!(shown_size(3 << 29), "1.5 GiB");
    }
}
