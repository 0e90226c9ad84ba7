//! Hooks of the `tosa` dialect: dictionaries with enumeration cases as keywords, and control flow.

pub(crate) mod control;
pub(crate) mod variable;

use crate::helpers::{dialect_attribute, member_value, until};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::definition::Text;
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier, Module, Operation, OperationName};

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
fn keyword(context: &Context, name: &[u8], attribute: Attribute) -> Option<String> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix(mnemonic(name)?)?.strip_prefix('<')?;
    let is_tosa = context.bytes(*dialect) == b"tosa";
    is_tosa.then(|| inner.strip_suffix('>').map(str::to_owned))?
}

impl DirectiveSyntax for EnumDictionary {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !parser.eat("{") {
            return Ok(false);
        }
        let entries = until(parser, "}", |parser| {
            let place = parser.place();
            let Some(name) = parser.optional_keyword() else {
                return Err(AsmError::new(place, "expected attribute name"));
            };
            let operation = parser.operation_name();
            let enumeration = enumeration(parser.context(), operation, name);
            parser.expect("=")?;
            let value = match enumeration {
                None => parser.attribute()?,
                Some(enumeration) => member(parser, enumeration, name)?,
            };
            Ok((name, value))
        })?;
        if let [first, ..] = arguments {
            *first = ParsedArgument::Dictionary(entries);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let Some(PrintedArgument::Dictionary(entries)) = arguments.first() else {
            return;
        };
        let unit = printer.context().unit_attribute();
        for (number, &(name, value)) in entries.iter().enumerate() {
            let name = printer.context().bytes(name).to_vec();
            printer.text(if number > 0 { ", " } else { " {" });
            printer.text(&String::from_utf8_lossy(&name));
            printer.text(" = ");
            match keyword(printer.context(), &name, value) {
                // Upstream prints `unit` explicitly only in this dictionary.
                None if value == unit => printer.text("unit"),
                Some(keyword) => printer.text(&keyword),
                None => printer.attribute(value),
            }
        }
        if !entries.is_empty() {
            printer.text("}");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let Some(PrintedArgument::Dictionary(entries)) = arguments.first() else {
            return false;
        };
        let operation = module.name(operation);
        let is_word = |name: &[u8]| {
            name.iter()
                .all(|&b| b.is_ascii_alphanumeric() || b"_$.".contains(&b))
                && name
                    .first()
                    .is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_')
        };
        entries.iter().all(|&(name, value)| {
            let is_member = keyword(context, context.bytes(name), value).is_some();
            is_word(context.bytes(name))
                && enumeration(context, operation, name).is_some() == is_member
        })
    }
}

/// Returns the mnemonic and the enumeration of an inherent attribute, if it is an enumeration.
fn enumeration(
    context: &Context,
    operation: OperationName,
    name: Identifier,
) -> Option<(&'static str, Text)> {
    let mnemonic = mnemonic(context.bytes(name))?;
    let definition = context.operation_definition(operation)?;
    let attribute = definition.attribute(&context.str(name), context.release())?;
    let enumeration = attribute.enumeration.clone();
    (!enumeration.is_empty()).then_some((mnemonic, enumeration))
}

/// Parses a keyword of the enumeration, or any attribute.
fn member(
    parser: &mut dyn AsmParser,
    (mnemonic, enumeration): (&str, Text),
    name: Identifier,
) -> AsmResult<Attribute> {
    let Some(word) = parser.optional_keyword() else {
        return parser.attribute();
    };
    // As upstream, the error is reported after the keyword.
    let place = parser.place();
    let context = parser.context();
    let word = context.str(word).into_owned();
    if member_value(context, ("tosa", &enumeration), &word).is_none() {
        let message = format!("invalid {} value: {word}", context.str(name));
        return Err(AsmError::new(place, message));
    }
    let made = dialect_attribute(context, "tosa", &format!("{mnemonic}<{word}>"));
    made.map_err(|invalid| AsmError::new(place, invalid.message()))
}
