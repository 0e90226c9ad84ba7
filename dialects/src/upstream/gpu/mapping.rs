//! Syntax of `#gpu.loop_dim_map`.

use crate::entry::{EntryAsm, TwoWayEntry, required, set};
use crate::helpers::member_keyword;
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::{Attribute, AttributeKind, Invalid};

/// The parameters of `#gpu.loop_dim_map`, in any order: `processor = thread_x, map = (d0) -> (d0),
/// bound = (d0) -> (d0)`.
#[derive(Debug)]
pub(crate) struct LoopDimMap;

/// The fields in printing order.
const FIELDS: [&str; 3] = ["processor", "map", "bound"];

/// The enumeration of the first field.
const PROCESSOR: (&str, &str) = ("gpu", "Processor");

/// The text of [`LoopDimMap`].
#[derive(Default)]
pub(crate) struct Content {
    processor: u64,
    /// The map and the bound.
    maps: [Option<Attribute>; 2],
}

/// The name of a field, which is one of those that were not seen: the next one when printing.
/// Returns its number.
fn field_name(asm: &mut EntryAsm<'_>, seen: &mut [bool; FIELDS.len()]) -> AsmResult<usize> {
    let mut fields = FIELDS.iter().zip(seen).enumerate();
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let Some(key) = parser.optional_keyword() else {
                let error = AsmError::new(place, "expected valid keyword");
                return Err(error.consequence("expected a parameter name in struct"));
            };
            let key = parser.context().str(key).into_owned();
            let field = fields.find(|(_, (name, seen))| **name == key && !**seen);
            let Some((at, (_, seen))) = field else {
                let message = format!("duplicate or unknown struct parameter name: {key}");
                return Err(AsmError::new(place, message));
            };
            *seen = true;
            Ok(at)
        }
        EntryAsm::Printer(printer) => {
            let Some((at, (name, seen))) = fields.find(|(_, (_, seen))| !**seen) else {
                return Ok(0);
            };
            *seen = true;
            printer.text(name.as_bytes());
            Ok(at)
        }
    }
}

impl TwoWayEntry for LoopDimMap {
    type Content<'v> = Content;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content, Invalid> {
        let missing = "expected a mapping";
        let processor: Option<u64> = required(values, 0, missing)?;
        let processor = processor.unwrap_or_default();
        if member_keyword(printer.context(), PROCESSOR, processor).is_none() {
            return Err(Invalid::new(NO_PROCESSOR));
        }
        let maps: [Option<Attribute>; 2] =
            [required(values, 1, missing)?, required(values, 2, missing)?];
        let context = printer.context();
        let is_map = |map| matches!(context.attribute_kind(map), AttributeKind::AffineMap(_));
        match maps.iter().flatten().all(|&map| is_map(map)) {
            true => Ok(Content { processor, maps }),
            false => Err(Invalid::new("expected an affine map")),
        }
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content) -> AsmResult<()> {
        let Content {
            processor,
            maps: [map, bound],
        } = content;
        let mut seen = [false; FIELDS.len()];
        for number in 0..FIELDS.len() {
            if number > 0 {
                asm.token(",", ", ")?;
            }
            let field = field_name(asm, &mut seen)?;
            asm.token("=", " = ")?;
            match field {
                0 => asm.member(PROCESSOR, processor, NO_PROCESSOR, |_| {
                    NO_PROCESSOR.to_owned()
                })?,
                1 => asm.affine_map(map)?,
                _ => asm.affine_map(bound)?,
            }
        }
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Content,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let [map, bound] = content.maps;
        set(values, 0, content.processor);
        set(values, 1, map);
        set(values, 2, bound);
        Ok(())
    }
}

const NO_PROCESSOR: &str = "expected a processor";
