//! Modules as bytecode in attributes of a module: kernels of other compilers, raw in strings, or in
//! base64 within JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmlir::ir::{AttributeKind, Context, Entry, EntryReplacer, Module, StripOptions, strip};
use rmlir::{Attribute, Form, Ir, ReadOptions, WriteOptions};
use std::ops::Range;

/// Modules nested deeper than this in each other are left alone.
const DEEPEST: usize = 4;
/// The start of upstream's bytecode in base64: `ML` and two bytes that are not text.
const ENCODED: &[u8] = b"TUzvU";

/// A module in the data of an attribute.
struct Nested {
    /// The bytes that it takes in the data.
    range: Range<usize>,
    is_encoded: bool,
    /// The module as bytecode.
    bytes: Vec<u8>,
}

/// Finds the modules in data. Linear.
fn find(data: &[u8]) -> Vec<Nested> {
    if matches!(Form::of(data), Form::Mlirbc | Form::Rmbc) {
        return vec![Nested {
            range: 0..data.len(),
            is_encoded: false,
            bytes: data.to_vec(),
        }];
    }
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = data.get(from..)
        && let Some(at) = memchr::memmem::find(rest, ENCODED)
    {
        let start = from + at;
        let digits = data.get(start..).unwrap_or_default();
        let len = digits.iter().take_while(|byte| is_digit(byte)).count();
        from = start + len.max(1);
        let digits = digits.get(..len).unwrap_or_default();
        if let Ok(bytes) = STANDARD.decode(digits) {
            found.push(Nested {
                range: start..start + len,
                is_encoded: true,
                bytes,
            });
        }
    }
    found
}

/// Returns the data of an attribute in which modules are looked for, and whether it can be replaced
/// by data of another length.
fn data(context: &Context, attribute: Attribute) -> Option<(&[u8], bool)> {
    match context.attribute_kind(attribute) {
        AttributeKind::String { value, .. } => Some((context.bytes(*value), true)),
        AttributeKind::DenseElements {
            data, splat: false, ..
        } => Some((data, false)),
        _ => None,
    }
}

fn read(bytes: Vec<u8>) -> Option<Ir> {
    let mut options = ReadOptions::default();
    options.verify = false;
    rmlir::read_with(bytes, &options).ok()
}

/// Passes the modules in an attribute to `each`, as bytecode.
pub fn modules_in(context: &Context, attribute: Attribute, each: &mut dyn FnMut(Vec<u8>)) {
    for nested in data(context, attribute).map_or_else(Vec::new, |(data, _)| find(data)) {
        each(nested.bytes);
    }
}

/// Strips the modules in the strings of a module's attributes. Modules that cannot be read, and
/// those in elements attributes, whose number of elements would change, stay as they are.
pub fn strip_nested(context: &mut Context, module: &mut Module, options: &StripOptions) {
    strip_to(context, module, options, DEEPEST);
}

/// Recurses at most `depth` times.
fn strip_to(context: &mut Context, module: &mut Module, options: &StripOptions, depth: usize) {
    if depth == 0 {
        return;
    }
    let mut replacer = EntryReplacer::new(|context: &mut Context, entry| match entry {
        Entry::Attribute(attribute) => {
            stripped(context, attribute, options, depth).map(Entry::Attribute)
        }
        _ => None,
    });
    let operations: Vec<_> = module.descendants(module.top()).collect();
    for operation in operations {
        if replacer.attributes_of(context, module, operation).is_err() {
            // The rules of an attribute do not allow another string.
            return;
        }
    }
}

/// Returns the string with its modules stripped; `None` for another attribute.
fn stripped(
    context: &mut Context,
    attribute: Attribute,
    options: &StripOptions,
    depth: usize,
) -> Option<Attribute> {
    let (bytes, true) = data(context, attribute)? else {
        return None;
    };
    let found = find(bytes);
    if found.is_empty() {
        return None;
    }
    let mut text = Vec::new();
    let mut at = 0;
    for nested in found {
        let Some(mut ir) = read(nested.bytes) else {
            continue;
        };
        let form = Form::of(bytes.get(nested.range.clone()).unwrap_or_default());
        let form = if nested.is_encoded {
            Form::Mlirbc
        } else {
            form
        };
        let (inner, module) = ir.parts_mut();
        strip(inner, module, options);
        strip_to(inner, module, options, depth - 1);
        let Ok(bytecode) = ir.to_bytes(form, &WriteOptions::default()) else {
            continue;
        };
        text.extend_from_slice(bytes.get(at..nested.range.start)?);
        match nested.is_encoded {
            true => text.extend_from_slice(STANDARD.encode(&bytecode).as_bytes()),
            false => text.extend_from_slice(&bytecode),
        }
        at = nested.range.end;
    }
    text.extend_from_slice(bytes.get(at..)?);
    if text == bytes {
        return None;
    }
    let AttributeKind::String { ty, .. } = *context.attribute_kind(attribute) else {
        return None;
    };
    let value = context.identifier(&text);
    context
        .try_attribute(AttributeKind::String { value, ty })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_text() {
        let options = WriteOptions::default();
        let module = rmlir::parse("func.func private @f()").unwrap();
        let mut module = module;
        let bytes = module.to_bytes(Form::Mlirbc, &options).unwrap();
        let encoded = STANDARD.encode(&bytes);
        let text =
            format!("{{\"body\": \"{encoded}\", \"other\": \"TUzvU\", \"again\": \"{encoded}\"}}");
        let found = find(text.as_bytes());
        let modules = found.iter().filter(|nested| nested.bytes == bytes);
        assert_eq!(modules.count(), 2);
        assert_eq!(find(&bytes).len(), 1);
        assert!(find(b"module {}").is_empty());
    }
}
