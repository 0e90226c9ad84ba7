//! Syntax of `#complex.number`, the attribute of the `complex` dialect.

use crate::entry::{EntryAsm, TwoWayEntry, required, set};
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
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

/// The text of a number.
#[derive(Default)]
pub(crate) struct Content {
    ty: Option<Type>,
    part: Option<(Type, FloatKind)>,
    /// The bits of the parts.
    bits: [u128; 2],
}

/// A part of a number. As upstream, it is parsed as `f64`, whatever the type.
fn part(asm: &mut EntryAsm<'_>, kind: FloatKind, bits: &mut u128) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => *bits = from_f64(kind, f64::from_bits(parser.float()?)),
        EntryAsm::Printer(printer) => {
            let mut text = Vec::new();
            write_float(kind, *bits, &mut text);
            printer.text(&text);
        }
    }
    Ok(())
}

impl TwoWayEntry for Number {
    type Content<'v> = Content;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content, Invalid> {
        let missing = "expected two numbers and their type";
        let part =
            |at| required::<Option<u128>>(values, at, missing).map(Option::unwrap_or_default);
        let bits = [part(0)?, part(1)?];
        let ty: Option<Type> = required(values, 2, missing)?;
        let part = ty.and_then(|ty| part_kind(printer.context(), ty));
        match part.is_some() {
            true => Ok(Content { ty, part, bits }),
            false => Err(Invalid::new(
                "expected the type of complex numbers of floats",
            )),
        }
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content) -> AsmResult<()> {
        asm.token(":", ":")?;
        let place = asm.place();
        let mut of_parts = content.part.map(|(ty, _)| ty);
        asm.ty(&mut of_parts)?;
        asm.check(place, |context| {
            let ty = context.try_type(TypeKind::Complex(of_parts?));
            match &ty {
                Ok(ty) => content.part = part_kind(context, *ty),
                Err(invalid) => return Some(invalid.message().to_owned()),
            }
            content.ty = ty.ok();
            let message = || "expected a type of floats".to_owned();
            content.part.is_none().then(message)
        })?;
        asm.space(" ");
        let [real, imaginary] = &mut content.bits;
        let kind = content.part.map_or(FloatKind::F64, |(_, kind)| kind);
        part(asm, kind, real)?;
        asm.token(",", ", ")?;
        part(asm, kind, imaginary)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Content,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        for (number, bits) in content.bits.into_iter().enumerate() {
            set(values, number, Some(bits));
        }
        set(values, 2, content.ty);
        Ok(())
    }
}
