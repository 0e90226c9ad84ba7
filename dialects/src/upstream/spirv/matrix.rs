//! Syntax of the matrix types of `spirv`.

use crate::entry::{EntryAsm, List, TwoWayEntry, required, set};
use crate::two_way::failure;
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, Place};
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

/// The text of a matrix type.
#[derive(Default)]
pub(crate) struct Content<'v> {
    place: Option<Place>,
    sizes: List<'v, i64>,
    type_place: Option<Place>,
    ty: Option<Type>,
}

impl TwoWayEntry for Matrix {
    type Content<'v> = Content<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content<'v>, Invalid> {
        Ok(Content {
            sizes: List::of(values, 0, "expected the sizes of a matrix")?,
            ty: required(
                values,
                1,
                "expected the type of a matrix's columns or elements",
            )?,
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content<'_>) -> AsmResult<()> {
        content.place = asm.place();
        let times = match self {
            Matrix::OfColumns => " x ",
            Matrix::OfElements => "x",
        };
        asm.sizes(&mut content.sizes, times)?;
        content.type_place = asm.place();
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        content: Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let sizes = content.sizes.read();
        let expected = match self {
            Matrix::OfColumns => 1,
            Matrix::OfElements => 2,
        };
        if sizes.len() != expected {
            let message = match self {
                Matrix::OfColumns => "expected single unsigned integer for number of columns",
                Matrix::OfElements => "expected row and column count",
            };
            return Err(failure(content.place, message));
        }
        if let (Matrix::OfColumns, &[columns], Some(ty)) = (self, sizes, content.ty)
            && let Some(refused) = refused(parser.context(), columns, ty)
        {
            let at = match refused.ends_with("columns") {
                true => content.place,
                false => content.type_place,
            };
            return Err(failure(at, refused));
        }
        content.sizes.set(values, 0);
        set(values, 1, content.ty);
        Ok(())
    }
}
