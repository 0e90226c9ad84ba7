//! Syntax of the attributes of the `dlti` dialect.

use crate::entry::{EntryAsm, Field, Rows, TwoWayEntry, item};
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{Attribute, AttributeKind, BodyBuilder, BodyReference, Context, Invalid};
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

/// Returns an entry as an attribute of its own.
fn entry_of(
    context: &mut Context,
    key: Option<Attribute>,
    value: Option<Attribute>,
) -> Option<Attribute> {
    let mut body = BodyBuilder::new();
    body.text(b"dl_entry<");
    body.reference(context, BodyReference::Attribute(key?));
    body.text(b", ");
    body.reference(context, BodyReference::Attribute(value?));
    body.text(b">");
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("dlti"),
        body: body.finish(),
        ty: None,
    };
    context.try_attribute(kind).ok()
}

const NO_VALUE: &str = "expected a value for each key";

/// A key and its value.
pub(crate) type Pair = (Option<Attribute>, Option<Attribute>);

/// `"key" = value`, or an entry in a text that is read and before
/// [`BareLayoutEntries`](LlvmFeature::BareLayoutEntries).
fn pair(asm: &mut EntryAsm<'_>, (key, value): &mut Pair) -> AsmResult<()> {
    if let EntryAsm::Printer(printer) = &mut *asm
        && !printer
            .context()
            .release()
            .has(LlvmFeature::BareLayoutEntries)
    {
        let entry = entry_of(printer.context(), *key, *value);
        return asm.attribute(&mut entry.or(*key));
    }
    let place = asm.place();
    asm.attribute(key)?;
    if let (EntryAsm::Parser(parser), Some(found)) = (&mut *asm, *key)
        && is_entry(parser.context(), found)
        && let Some(entry) = parser.parameters_of(found)?
    {
        let mut fields = entry.fields.iter().map(Field::of);
        (*key, *value) = (fields.next().flatten(), fields.next().flatten());
        return Ok(());
    }
    asm.check(place, |context| {
        let kind = key.map(|key| context.attribute_kind(key));
        let is_key = matches!(
            kind,
            Some(AttributeKind::String { ty: None, .. } | AttributeKind::Type(_))
        );
        (!is_key).then(|| "expected a type or a quoted string".to_owned())
    })?;
    asm.token("=", " = ")?;
    asm.attribute(value)
}

impl TwoWayEntry for Entries {
    type Content<'v> = Rows<'v, Pair>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let (keys, of_keys) = (values.list(0), values.list(1));
        if keys.len() != of_keys.len() {
            return Err(Invalid::new(NO_VALUE));
        }
        Rows::of(values, keys.len(), |values, at| {
            Ok((
                item(values, (0, at), NO_VALUE)?,
                item(values, (1, at), NO_VALUE)?,
            ))
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        let start = asm.place();
        asm.items_until(">", content, pair)?;
        asm.check(start, |context| invalid_key(context, &content.read))
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.set(values, 0, |pair| pair.0);
        content.set(values, 1, |pair| pair.1);
        Ok(())
    }
}

/// Returns the reason why a list of keys is invalid: upstream's verifiers demand that they differ
/// and that strings are not empty.
fn invalid_key(context: &Context, pairs: &[Pair]) -> Option<String> {
    let mut seen = HashSet::new();
    pairs.iter().find_map(|&(key, _)| {
        let key = key?;
        let string = context.string_value(key).map(String::from_utf8_lossy);
        if string.as_ref().is_some_and(|string| string.is_empty()) {
            return Some("empty string as DLTI key is not allowed".to_owned());
        }
        (!seen.insert(key)).then(|| match string {
            Some(string) => format!("repeated DLTI key: {string:?}"),
            None => "repeated DLTI key: a type".to_owned(),
        })
    })
}
