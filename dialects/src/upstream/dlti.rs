//! Syntax of the attributes of the `dlti` dialect.

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, AttributeKind, Context, Invalid};
use std::collections::HashSet;

/// The parameters of a list of key-value pairs: `"key" = value, i32 = value`. Keys are strings or
/// types. An element can also be a `#dlti.dl_entry`.
#[derive(Debug)]
pub(crate) struct Entries;

fn is_entry(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::Dialect { dialect, body, .. }
            if context.bytes(*dialect) == b"dlti" && body.mnemonic() == b"dl_entry"
    )
}

impl EntrySyntax for Entries {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (keys, of_keys) = (values.list(0), values.list(1));
        if keys.len() != of_keys.len() {
            return Err(Invalid::new("expected a value for each key"));
        }
        printer.separated(keys.iter().zip(of_keys), |printer, (key, value)| {
            if let (FieldValue::Attribute(key), FieldValue::Attribute(value)) = (key, value) {
                printer.attribute(*key);
                printer.text(b" = ");
                printer.attribute(*value);
            }
        });
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let (mut keys, mut of_keys) = (Vec::new(), Vec::new());
        let start = parser.place();
        while !parser.at(">") {
            let place = parser.place();
            let key = parser.attribute()?;
            if is_entry(parser.context(), key)
                && let Some(entry) = parser.parameters_of(key)?
            {
                let mut fields = entry.fields.into_iter();
                keys.extend(fields.next());
                of_keys.extend(fields.next());
            } else {
                let is_key = matches!(
                    parser.context().attribute_kind(key),
                    AttributeKind::String { ty: None, .. } | AttributeKind::Type(_)
                );
                if !is_key {
                    return Err(AsmError::new(place, "expected a type or a quoted string"));
                }
                parser.expect("=")?;
                keys.push(FieldValue::Attribute(key));
                of_keys.push(FieldValue::Attribute(parser.attribute()?));
            }
            if !parser.eat(",") {
                break;
            }
        }
        if let Some(wrong) = invalid_key(parser.context(), &keys) {
            return Err(AsmError::new(start, wrong));
        }
        values.set_list(0, keys);
        values.set_list(1, of_keys);
        Ok(())
    }
}

/// Returns the reason why a list of keys is invalid: upstream's verifiers demand that they differ
/// and that strings are not empty.
fn invalid_key(context: &Context, keys: &[FieldValue<'_>]) -> Option<String> {
    let mut seen = HashSet::new();
    keys.iter().find_map(|key| {
        let FieldValue::Attribute(key) = key else {
            return None;
        };
        let string = context.string_value(*key).map(String::from_utf8_lossy);
        if string.as_ref().is_some_and(|string| string.is_empty()) {
            return Some("empty string as DLTI key is not allowed".to_owned());
        }
        (!seen.insert(*key)).then(|| match string {
            Some(string) => format!("repeated DLTI key: {string:?}"),
            None => "repeated DLTI key: a type".to_owned(),
        })
    })
}
