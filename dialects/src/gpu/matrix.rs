//! Types of matrices of a subgroup.

use crate::derived::Derivation;
use crate::helpers::{is_scalar_type, scalar_type};
use rmlir_ir::{Context, Type, TypeKind};

/// The type of a matrix's elements, from the matrix's type.
#[derive(Debug)]
pub(crate) struct MatrixElement;

/// The text of the element type in `!gpu.mma_matrix<16x16xf32, "COp">`.
fn element_text(context: &Context, matrix: Type) -> Option<String> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(matrix) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("mma_matrix<")?;
    let (shape, _) = inner.split_once(',')?;
    let (_, element) = shape.rsplit_once('x')?;
    (context.bytes(*dialect) == b"gpu").then(|| element.to_owned())
}

impl Derivation for MatrixElement {
    const EXPECTED: &'static str = "expected the type of a matrix";

    fn derive(context: &mut Context, matrix: Type) -> Option<Type> {
        let text = element_text(context, matrix)?;
        scalar_type(context, &text)
    }

    fn is(context: &Context, ty: Type, matrix: Type) -> bool {
        element_text(context, matrix).is_some_and(|text| is_scalar_type(context, ty, &text))
    }
}
