//! Syntax of the matrix types of subgroups, such as `!gpu.mma_matrix`.

use crate::helpers::{is_scalar_type, scalar_type};
use crate::upstream::derived::Derivation;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{Context, DYNAMIC, Invalid, Signedness, Type, TypeKind};

/// The parameters of `!gpu.mma_matrix`: `<16x16xf32, "COp">`, the sizes, the element type and the
/// operand kind.
#[derive(Debug)]
pub(crate) struct Matrix;

/// Returns whether a type is a valid element of `!gpu.mma_matrix`.
fn is_element(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Integer { width: 32, .. } => true,
        TypeKind::Integer {
            width: 8,
            signedness,
        } => *signedness != Signedness::Signless,
        TypeKind::Float(kind) => matches!(kind, FloatKind::F16 | FloatKind::F32 | FloatKind::F64),
        _ => false,
    }
}

impl EntrySyntax for Matrix {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let (FieldValue::Type(element), FieldValue::String(operand)) =
            (values.get(1), values.get(2))
        else {
            return Err(Invalid::new("expected the type of elements and an operand"));
        };
        printer.text(b"<");
        for size in values.list(0) {
            if let FieldValue::Signed(size) = size {
                printer.dimension(*size);
            }
            printer.text(b"x");
        }
        printer.ty(*element);
        printer.text(b", ");
        printer.string(*operand);
        printer.text(b">");
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let place = parser.place();
        parser.expect("<")?;
        let sizes_place = parser.place();
        let sizes = parser.dimensions()?;
        if sizes.contains(&DYNAMIC) {
            return Err(AsmError::new(sizes_place, "expected static shape"));
        }
        let element = parser.ty()?;
        parser.expect(",")?;
        let Some(operand) = parser.optional_string() else {
            return parser.expected("string");
        };
        parser.expect(">")?;
        let context = parser.context();
        let refused = if !["AOp", "BOp", "COp"].contains(&&*context.str(operand)) {
            Some("operand expected to be one of AOp, BOp or COp")
        } else if sizes.len() != 2 {
            Some("MMAMatrixType must have exactly two dimensions")
        } else if !is_element(context, element) {
            Some("MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64")
        } else {
            None
        };
        if let Some(refused) = refused {
            return Err(AsmError::new(place, refused));
        }
        values.set_list(0, sizes.into_iter().map(FieldValue::Signed));
        values.set(1, FieldValue::Type(element));
        values.set(2, FieldValue::String(operand));
        Ok(())
    }
}

/// Derives the element type of a matrix from the matrix type.
#[derive(Debug)]
pub(crate) struct MatrixElement;

/// Returns the text of the element type in `!gpu.mma_matrix<16x16xf32, "COp">`.
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
