//! `#gpu.object`.

use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;

/// `bin = "..."`, or the string alone if the format is the usual one: format and bytes.
#[derive(Debug)]
pub(crate) struct Object;

/// Formats with their numbers.
const FORMATS: [(u64, &str); 4] = [
    (1, "offload"),
    (2, "assembly"),
    (3, "bin"),
    (FATBIN, "fatbin"),
];
/// The usual one.
const FATBIN: u64 = 4;

impl EntrySyntax for Object {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let format = match values.get(0) {
            FieldValue::Unsigned(format) => *format,
            _ => FATBIN,
        };
        let found = FORMATS.iter().find(|known| known.0 == format);
        let (_, word) = found.ok_or_else(|| Invalid::new("unknown format"))?;
        if format != FATBIN {
            printer.text(word.as_bytes());
            printer.text(b" = ");
        }
        match values.get(1) {
            FieldValue::String(string) => printer.string(*string),
            _ => return Err(Invalid::new("expected the bytes of an object")),
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut format = FATBIN;
        let place = parser.place();
        if let Some(word) = parser.optional_keyword() {
            let word = parser.context().str(word).into_owned();
            let found = FORMATS.iter().find(|known| known.1 == word);
            let Some(&(number, _)) = found else {
                return Err(AsmError::new(place, "Invalid object format"));
            };
            format = number;
            parser.expect("=")?;
        }
        let Some(object) = parser.optional_string() else {
            return parser.expected("string");
        };
        values.set(0, FieldValue::Unsigned(format));
        values.set(1, FieldValue::String(object));
        Ok(())
    }
}
