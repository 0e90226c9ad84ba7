//! Hooks of the `tosa` dialect: dictionaries with enumeration cases as keywords, and control flow.

pub(crate) mod control;
pub(crate) mod variable;

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dialect_attribute, dialect_members, member_value};
use crate::two_way::{Asm, failure, is_word};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::Text;
use rmlir_ir::{Attribute, Context, NamedAttribute, OperationName};

/// The names of attributes that are printed as keywords, with the mnemonics of their values.
const ENUMERATIONS: [(&str, &str); 4] = [
    ("block_size", "block_size"),
    ("mode", "resize_mode"),
    ("nan_mode", "nan_mode"),
    ("rounding_mode", "rounding_mode"),
];

/// The directive for a dictionary with keywords: `{axis = 1 : i32, nan_mode = IGNORE}`.
#[derive(Debug)]
pub(crate) struct EnumDictionary;

fn mnemonic(name: &[u8]) -> Option<&'static str> {
    let found = ENUMERATIONS.iter().find(|e| e.0.as_bytes() == name);
    found.map(|e| e.1)
}

/// Returns the keyword of a `#tosa.MNEMONIC<KEYWORD>`.
fn keyword<'c>(context: &'c Context, name: &[u8], attribute: Attribute) -> Option<&'c str> {
    dialect_members(context, "tosa", Some(attribute), mnemonic(name)?)
}

/// An attribute of [`EnumDictionary`].
#[derive(Default)]
pub(crate) struct Entry {
    name: Vec<u8>,
    /// The keyword of a case, and the position after it.
    keyword: Option<Vec<u8>>,
    place: Option<usize>,
    value: Option<Attribute>,
}

impl TwoWayDirective for EnumDictionary {
    /// The attributes; `None` if there is no dictionary.
    type Content = Option<Vec<Entry>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let Some(PrintedArgument::Dictionary(entries)) = printed.arguments.first() else {
            return None;
        };
        let context = printed.context;
        let operation = printed.module.name(printed.operation);
        let entry = |&(name, value): &NamedAttribute| {
            let name = context.bytes(name);
            let keyword = keyword(context, name, value);
            let is_enumeration = enumeration(context, operation, name).is_some();
            let fits = is_word(name) && is_enumeration == keyword.is_some();
            fits.then(|| Entry {
                name: name.to_vec(),
                keyword: keyword.map(|keyword| keyword.as_bytes().to_vec()),
                place: None,
                value: Some(value),
            })
        };
        let entries: Option<Vec<Entry>> = entries.iter().map(entry).collect();
        Some(entries.filter(|entries| !entries.is_empty()))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("{", content.is_some()) {
            return Ok(false);
        }
        asm.list(
            (" {", "}"),
            content.get_or_insert_default(),
            |asm, entry| {
                let place = asm.place();
                if !asm.is_keyword_there(true) {
                    return Err(failure(place, "expected attribute name"));
                }
                asm.keyword(&mut entry.name)?;
                asm.token("=", " = ")?;
                let is_enumeration = match asm {
                    Asm::Parser(parser) => {
                        let operation = parser.operation_name();
                        enumeration(parser.context(), operation, &entry.name).is_some()
                    }
                    Asm::Printer(_) => entry.keyword.is_some(),
                };
                if is_enumeration && asm.is_keyword_there(true) {
                    asm.keyword(entry.keyword.get_or_insert_default())?;
                    // As upstream, an error is reported after the keyword.
                    entry.place = asm.place();
                    return Ok(());
                }
                // Upstream prints `unit` explicitly only in this dictionary.
                asm.attribute(&mut entry.value)
            },
        )?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (Some(entries), [dictionary, ..]) = (content, arguments) else {
            return Ok(());
        };
        let operation = parser.operation_name();
        let mut attributes = Vec::with_capacity(entries.len());
        for entry in entries {
            let value = match &entry.keyword {
                Some(_) => Some(member(parser.context(), operation, &entry)?),
                None => entry.value,
            };
            let name = parser.context().identifier(&entry.name);
            attributes.extend(value.map(|value| (name, value)));
        }
        *dictionary = ParsedArgument::Dictionary(attributes);
        Ok(())
    }
}

/// Returns the mnemonic and the enumeration of an inherent attribute, if it is an enumeration.
fn enumeration(
    context: &Context,
    operation: OperationName,
    name: &[u8],
) -> Option<(&'static str, Text)> {
    let mnemonic = mnemonic(name)?;
    let definition = context.operation_definition(operation)?;
    let name = std::str::from_utf8(name).ok()?;
    let attribute = definition.attribute(name, context.release())?;
    let enumeration = attribute.enumeration.clone();
    (!enumeration.is_empty()).then_some((mnemonic, enumeration))
}

/// Returns the case that the keyword of an entry denotes.
fn member(context: &mut Context, operation: OperationName, entry: &Entry) -> AsmResult<Attribute> {
    let (mnemonic, enumeration) = enumeration(context, operation, &entry.name).unwrap_or_default();
    let word = entry.keyword.as_deref().unwrap_or_default();
    let word = String::from_utf8_lossy(word);
    if member_value(context, ("tosa", &enumeration), &word).is_none() {
        let name = String::from_utf8_lossy(&entry.name);
        let message = format!("invalid {name} value: {word}");
        return Err(failure(entry.place, message));
    }
    let made = dialect_attribute(context, "tosa", &format!("{mnemonic}<{word}>"));
    made.map_err(|invalid| failure(entry.place, invalid.message()))
}
