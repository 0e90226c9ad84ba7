//! `#gpu.loop_dim_map`.

use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{AttributeKind, Invalid};

/// An affine map without `affine_map` and brackets.
#[derive(Debug)]
pub(crate) struct PlainMap;

/// Bytes that a map may take as text.
const LONGEST: usize = 1 << 20;

impl EntrySyntax for PlainMap {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let FieldValue::Attribute(map) = *values.get(0) else {
            return Err(Invalid::new("expected an affine map"));
        };
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

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let map = parser.affine_map()?;
        let map = parser.context().affine_map_attribute(map);
        values.set(0, FieldValue::Attribute(map));
        Ok(())
    }
}
