//! Syntax of `#gpu.object`.

use crate::helpers::{member_keyword, member_value};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::sort::CompactSort as _;

/// The parameters of `#gpu.object`: `bin = "..."`, the format and the bytes. The default format is
/// omitted.
#[derive(Debug)]
pub(crate) struct Object;

const FORMATS: (&str, &str) = ("gpu", "CompilationTarget");
/// The default format.
const USUAL: &str = "fatbin";

impl EntrySyntax for Object {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let format = match values.get(0) {
            FieldValue::Unsigned(format) => member_keyword(printer.context(), FORMATS, *format),
            _ => None,
        };
        let format = format.ok_or_else(|| Invalid::new("unknown format"))?;
        if format != USUAL {
            printer.text(format.as_bytes());
            printer.text(b" = ");
        }
        match values.get(1) {
            FieldValue::String(string) => printer.string(*string),
            _ => return Err(Invalid::new("expected the bytes of an object")),
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let word = match parser.optional_keyword() {
            Some(word) => {
                parser.expect("=")?;
                parser.context().str(word).into_owned()
            }
            None => USUAL.to_owned(),
        };
        let Some(format) = member_value(parser.context(), FORMATS, &word) else {
            return Err(AsmError::new(place, "Invalid object format"));
        };
        let Some(object) = parser.optional_string() else {
            return parser.expected("string");
        };
        values.set(0, FieldValue::Unsigned(format));
        values.set(1, FieldValue::String(object));
        Ok(())
    }
}

/// The parameter of `#gpu.kernel_table`: `[...]` with the kernels in order of their names; an empty
/// table has no text.
#[derive(Debug)]
pub(crate) struct KernelTable;

impl EntrySyntax for KernelTable {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let kernels = values.list(0);
        if kernels.is_empty() {
            return Ok(());
        }
        printer.text(b"[");
        for (number, kernel) in kernels.iter().enumerate() {
            let FieldValue::Attribute(kernel) = kernel else {
                return Err(Invalid::new("expected attributes of kernels"));
            };
            if number > 0 {
                printer.text(b", ");
            }
            printer.attribute(*kernel);
        }
        printer.text(b"]");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut kernels = Vec::new();
        if parser.eat("[") {
            for kernel in parser.separated("]", |parser| parser.attribute())? {
                let name = match parser.parameters_of(kernel)?.map(|values| values.fields) {
                    Some(fields) => match fields.first() {
                        Some(FieldValue::Attribute(name)) => {
                            let name = parser.context().string_value(*name);
                            name.map(<[u8]>::to_vec)
                        }
                        _ => None,
                    },
                    None => None,
                };
                kernels.push((name, kernel));
            }
        }
        kernels.compact_sort_by(|a, b| a.0.cmp(&b.0));
        let kernels = kernels
            .into_iter()
            .map(|kernel| FieldValue::Attribute(kernel.1));
        values.set_list(0, kernels);
        Ok(())
    }
}
