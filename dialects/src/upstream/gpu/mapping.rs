//! Syntax of `#gpu.loop_dim_map`.

use crate::helpers::{member_keyword, member_value};
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, AttributeKind, Invalid};

/// The parameters of `#gpu.loop_dim_map`, in any order: `processor = thread_x, map = (d0) -> (d0),
/// bound = (d0) -> (d0)`.
#[derive(Debug)]
pub(crate) struct LoopDimMap;

/// The fields in printing order.
const FIELDS: [&str; 3] = ["processor", "map", "bound"];

/// The enumeration of the first field.
const PROCESSOR: (&str, &str) = ("gpu", "Processor");

/// The maximum length of a printed map in bytes.
const LONGEST: usize = 1 << 20;

impl EntrySyntax for LoopDimMap {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        for (number, name) in FIELDS.iter().enumerate() {
            let separator = if number == 0 { "" } else { ", " };
            printer.text(format!("{separator}{name} = ").as_bytes());
            match *values.get(number) {
                FieldValue::Unsigned(member) => {
                    let keyword = member_keyword(printer.context(), PROCESSOR, member);
                    let keyword = keyword.ok_or_else(|| Invalid::new("expected a processor"))?;
                    printer.text(keyword.as_bytes());
                }
                FieldValue::Attribute(map) => print_map(printer, map)?,
                _ => return Err(Invalid::new("expected a mapping")),
            }
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut seen = [false; FIELDS.len()];
        for number in 0..FIELDS.len() {
            if number > 0 {
                parser.expect(",")?;
            }
            let place = parser.place();
            let Some(key) = parser.optional_keyword() else {
                let error = AsmError::new(place, "expected valid keyword");
                return Err(error.consequence("expected a parameter name in struct"));
            };
            let key = parser.context().str(key).into_owned();
            let mut fields = FIELDS.iter().zip(&mut seen).enumerate();
            let field = fields.find(|(_, (name, seen))| **name == key && !**seen);
            let Some((at, (_, seen))) = field else {
                let message = format!("duplicate or unknown struct parameter name: {key}");
                return Err(AsmError::new(place, message));
            };
            *seen = true;
            parser.expect("=")?;
            let value = match at {
                0 => parse_processor(parser)?,
                _ => {
                    let map = parser.affine_map()?;
                    FieldValue::Attribute(parser.context().affine_map_attribute(map))
                }
            };
            values.set(at, value);
        }
        Ok(())
    }
}

fn parse_processor(parser: &mut dyn EntryParser) -> AsmResult<FieldValue<'static>> {
    let place = parser.place();
    let keyword = parser.optional_keyword();
    let found = keyword.and_then(|keyword| {
        let keyword = parser.context().str(keyword).into_owned();
        member_value(parser.context(), PROCESSOR, &keyword)
    });
    match found {
        Some(value) => Ok(FieldValue::Unsigned(value)),
        None => Err(AsmError::new(place, "expected a processor")),
    }
}

/// Prints an affine map without `affine_map` and brackets.
fn print_map(printer: &mut dyn EntryPrinter, map: Attribute) -> Result<(), Invalid> {
    let context = printer.context();
    let mut text = Vec::new();
    let printed = match context.attribute_kind(map) {
        AttributeKind::AffineMap(map) => context.affine().print_map(map, LONGEST, &mut text),
        _ => return Err(Invalid::new("expected an affine map")),
    };
    printed.map_err(|_| Invalid::new("the map is too long"))?;
    printer.text(&text);
    Ok(())
}
