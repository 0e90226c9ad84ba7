//! Affine maps in syntax that is stated once.

use super::Asm;
use rmlir_ir::asm::AsmResult;
use rmlir_ir::{Attribute, AttributeKind};

impl Asm<'_, '_> {
    /// `(d0, d1) -> (d1, d0)`: an affine map without `affine_map` and brackets.
    pub(crate) fn affine_map(&mut self, map: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let read = parser.affine_map()?;
                *map = Some(parser.context().affine_map_attribute(read));
            }
            Asm::Printer(printer) => {
                let context = printer.context();
                let kind = map.map(|map| context.attribute_kind(map));
                if let Some(AttributeKind::AffineMap(map)) = kind {
                    let mut text = Vec::new();
                    // Writing to a vector does not fail.
                    let _ = context.affine().print_map(map, usize::MAX, &mut text);
                    printer.text(&String::from_utf8_lossy(&text));
                }
            }
        }
        Ok(())
    }
}
