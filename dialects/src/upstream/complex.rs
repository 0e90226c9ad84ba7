//! Syntax of `#complex.number`, the attribute of the `complex` dialect.

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::float::{FloatKind, from_f64, write_float};
use rmlir_ir::{Context, Invalid, Type, TypeKind};

/// The parameters of `#complex.number`: `:f32 1.0, 2.0`, the type of both parts, and the parts. The
/// attribute's own type is the complex type of that element.
#[derive(Debug)]
pub(crate) struct Number;

/// Returns the kind of the parts of a complex type.
fn part_kind(context: &Context, ty: Type) -> Option<(Type, FloatKind)> {
    let TypeKind::Complex(part) = context.type_kind(ty) else {
        return None;
    };
    match context.type_kind(*part) {
        TypeKind::Float(kind) => Some((*part, *kind)),
        _ => None,
    }
}

impl EntrySyntax for Number {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (&FieldValue::Float(real), &FieldValue::Float(imaginary), &FieldValue::Type(ty)) =
            (values.get(0), values.get(1), values.get(2))
        else {
            return Err(Invalid::new("expected two numbers and their type"));
        };
        let Some((part, kind)) = part_kind(printer.context(), ty) else {
            return Err(Invalid::new(
                "expected the type of complex numbers of floats",
            ));
        };
        printer.text(b":");
        printer.ty(part);
        printer.text(b" ");
        printer.separated([real, imaginary], |printer, bits| {
            let mut text = Vec::new();
            write_float(kind, bits, &mut text);
            printer.text(&text);
        });
        Ok(())
    }

    /// As upstream, numbers are parsed as `f64`, whatever the type.
    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        parser.expect(":")?;
        let place = parser.place();
        let part = parser.ty()?;
        let ty = parser.context().try_type(TypeKind::Complex(part));
        let ty = ty.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        let Some((_, kind)) = part_kind(parser.context(), ty) else {
            return Err(AsmError::new(place, "expected a type of floats"));
        };
        for number in 0..2 {
            if number > 0 {
                parser.expect(",")?;
            }
            let value = f64::from_bits(parser.float()?);
            values.set(number, FieldValue::Float(from_f64(kind, value)));
        }
        values.set(2, FieldValue::Type(ty));
        Ok(())
    }
}
