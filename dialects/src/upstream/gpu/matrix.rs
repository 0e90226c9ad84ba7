//! Syntax of the matrix types of subgroups, such as `!gpu.mma_matrix`.

use crate::entry::{EntryAsm, List, TwoWayEntry, required, set};
use crate::helpers::{is_scalar_type, scalar_type};
use crate::two_way::Sequence as _;
use crate::upstream::derived::Derivation;
use rmlir_ir::asm::{AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{Context, DYNAMIC, Identifier, Invalid, Signedness, Type, TypeKind};

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

/// The text of a matrix type.
#[derive(Default)]
pub(crate) struct Content<'v> {
    sizes: List<'v, i64>,
    element: Option<Type>,
    operand: Option<Identifier>,
}

impl Content<'_> {
    /// Returns the reason why what was read is not a matrix type.
    fn refused(&self, context: &Context) -> Option<&'static str> {
        let operand = self.operand.map(|operand| context.bytes(operand));
        if !matches!(operand, Some(b"AOp" | b"BOp" | b"COp")) {
            Some("operand expected to be one of AOp, BOp or COp")
        } else if self.sizes.len() != 2 {
            Some("MMAMatrixType must have exactly two dimensions")
        } else if !self
            .element
            .is_some_and(|element| is_element(context, element))
        {
            Some("MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64")
        } else {
            None
        }
    }
}

impl TwoWayEntry for Matrix {
    type Content<'v> = Content<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Content<'v>, Invalid> {
        let missing = "expected the type of elements and an operand";
        Ok(Content {
            sizes: List::of(values, 0, missing)?,
            element: required(values, 1, missing)?,
            operand: required(values, 2, missing)?,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Content<'_>) -> AsmResult<()> {
        let place = asm.place();
        asm.token("<", "<")?;
        let sizes_place = asm.place();
        asm.sizes(&mut content.sizes, "x")?;
        asm.check(sizes_place, |_| {
            let is_dynamic = content.sizes.read().contains(&DYNAMIC);
            is_dynamic.then(|| "expected static shape".to_owned())
        })?;
        asm.ty(&mut content.element)?;
        asm.token(",", ", ")?;
        asm.string(&mut content.operand)?;
        asm.token(">", ">")?;
        asm.check(place, |context| content.refused(context).map(str::to_owned))
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.sizes.set(values, 0);
        set(values, 1, content.element);
        set(values, 2, content.operand);
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
