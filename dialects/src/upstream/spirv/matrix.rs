//! Syntax of the matrix types of `spirv`.

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Context, Invalid, Type, TypeKind};

/// The parameters of a matrix type: sizes, and the type of columns or elements.
#[derive(Debug)]
pub(crate) enum Matrix {
    /// `3 x vector<4xf32>`: the number of columns, and their type.
    OfColumns,
    /// `8x16xi32`: the numbers of rows and columns, and the type of the elements.
    OfElements,
}

/// Returns the reason why a type cannot be that of the columns of a matrix, or their number is
/// invalid. Upstream's parser has these rules.
fn refused(context: &Context, columns: i64, ty: Type) -> Option<&'static str> {
    if !(2..=4).contains(&columns) {
        return Some("matrix is expected to have 2, 3, or 4 columns");
    }
    let TypeKind::Vector { shape, element, .. } = context.type_kind(ty) else {
        return Some("matrix must be composed using vector type");
    };
    if !matches!(context.type_kind(*element), TypeKind::Float(_)) {
        return Some("matrix columns' elements must be of Float type");
    }
    let is_valid = matches!(**shape, [2..=4]);
    (!is_valid).then_some(
        "matrix columns size has to be less than or equal to 4 and greater than or equal 2",
    )
}

impl EntrySyntax for Matrix {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let times: &[u8] = match self {
            Matrix::OfColumns => b" x ",
            Matrix::OfElements => b"x",
        };
        let sizes = values.list(0);
        for size in sizes {
            let FieldValue::Signed(size) = size else {
                return Err(Invalid::new("expected the sizes of a matrix"));
            };
            printer.dimension(*size);
            printer.text(times);
        }
        match values.get(1) {
            FieldValue::Type(ty) => printer.ty(*ty),
            _ => {
                return Err(Invalid::new(
                    "expected the type of a matrix's columns or elements",
                ));
            }
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        let sizes = parser.dimensions()?;
        let type_place = parser.place();
        let ty = parser.ty()?;
        let expected = match self {
            Matrix::OfColumns => 1,
            Matrix::OfElements => 2,
        };
        if sizes.len() != expected {
            let message = match self {
                Matrix::OfColumns => "expected single unsigned integer for number of columns",
                Matrix::OfElements => "expected row and column count",
            };
            return Err(AsmError::new(place, message));
        }
        if let (Matrix::OfColumns, &[columns]) = (self, &*sizes)
            && let Some(refused) = refused(parser.context(), columns, ty)
        {
            let at = match refused.ends_with("columns") {
                true => place,
                false => type_place,
            };
            return Err(AsmError::new(at, refused));
        }
        values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
        values.set(1, FieldValue::Type(ty));
        Ok(())
    }
}
