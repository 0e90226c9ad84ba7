//! Hooks of the `tosa` dialect: dictionaries with enumeration cases as keywords, and control flow.

pub(crate) mod control;
pub(crate) mod variable;

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dialect_attribute, dialect_members, member_value};
use crate::two_way::{Asm, failure, is_word};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
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

/// The keyword of a case, if the attribute of that name is an enumeration, or any attribute.
fn case_or_attribute(
    asm: &mut Asm<'_, '_>,
    name: &[u8],
    value: &mut Option<Attribute>,
) -> AsmResult<()> {
    match asm {
        Asm::Parser(parser) if parser.at_keyword() => {
            let operation = parser.operation_name();
            *value = Some(match enumeration(parser.context(), operation, name) {
                Some(enumeration) => member(&mut **parser, enumeration, name)?,
                None => parser.attribute()?,
            });
            Ok(())
        }
        Asm::Parser(_) => asm.attribute(value),
        Asm::Printer(printer) => {
            let word = value.and_then(|one| keyword(printer.context(), name, one));
            match (word, *value) {
                (Some(word), _) => printer.text(word),
                // Upstream prints `unit` explicitly only in this dictionary.
                (None, Some(value)) => printer.attribute(value),
                (None, None) => {}
            }
            Ok(())
        }
    }
}

impl TwoWayDirective for EnumDictionary {
    /// The attributes; `None` if there is no dictionary.
    type Content = Option<Vec<(Vec<u8>, Option<Attribute>)>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let Some(PrintedArgument::Dictionary(entries)) = printed.arguments.first() else {
            return None;
        };
        let context = printed.context;
        let operation = printed.module.name(printed.operation);
        let fits = |&(name, value): &NamedAttribute| {
            let name = context.bytes(name);
            let is_member = keyword(context, name, value).is_some();
            is_word(name) && enumeration(context, operation, name).is_some() == is_member
        };
        let entry = |&(name, value): &NamedAttribute| (context.bytes(name).to_vec(), Some(value));
        entries.iter().all(fits).then(|| match entries.is_empty() {
            true => None,
            false => Some(entries.iter().map(entry).collect()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("{", content.is_some()) {
            return Ok(false);
        }
        let entries = content.get_or_insert_default();
        asm.list((" {", "}"), entries, |asm, (name, value)| {
            let place = asm.place();
            if !asm.is_keyword_there(true) {
                return Err(failure(place, "expected attribute name"));
            }
            asm.any_keyword(name)?;
            asm.token("=", " = ")?;
            case_or_attribute(asm, name, value)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let (Some(entries), [dictionary, ..]) = (content, arguments) {
            let entry = |(name, value): (Vec<u8>, Option<Attribute>)| {
                Some((parser.context().identifier(&name), value?))
            };
            let entries = entries.into_iter().filter_map(entry);
            *dictionary = ParsedArgument::Dictionary(entries.collect());
        }
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

/// Parses a keyword of the enumeration.
fn member(
    parser: &mut dyn AsmParser,
    (mnemonic, enumeration): (&str, Text),
    name: &[u8],
) -> AsmResult<Attribute> {
    let word = parser.optional_keyword();
    // As upstream, the error is reported after the keyword.
    let place = parser.place();
    let context = parser.context();
    let word = word.map(|word| context.str(word).into_owned());
    let word = word.unwrap_or_default();
    if member_value(context, ("tosa", &enumeration), &word).is_none() {
        let name = String::from_utf8_lossy(name);
        let message = format!("invalid {name} value: {word}");
        return Err(AsmError::new(place, message));
    }
    let made = dialect_attribute(context, "tosa", &format!("{mnemonic}<{word}>"));
    made.map_err(|invalid| AsmError::new(place, invalid.message()))
}
