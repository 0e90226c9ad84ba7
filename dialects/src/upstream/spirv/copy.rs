//! The directive of `spirv.CopyMemory`.

use super::directives::{MemoryAccess, pointer, pointer_to, storage_class};
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::two_way::{Asm, Named, failure, one_type, operands};
use rmlir_ir::Type;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};

/// The directive `"Function" %target, "Function" %source ["Aligned", 4], ["Volatile"] : f32`: two
/// pointers to one type, and how each is accessed. Its arguments are both pointers, each with its
/// type, and the access and alignment of each. Without an access of the source, upstream prints
/// that of the target again, or nothing after the comma; this is left out.
#[derive(Debug)]
pub(crate) struct Copy;

/// The parsed parts of [`Copy`].
#[derive(Default)]
pub(crate) struct Content {
    /// The storage classes and the pointers.
    pointers: [(Vec<u8>, Named); 2],
    accesses: [MemoryAccess; 2],
    place: Option<usize>,
    ty: Option<Type>,
}

impl TwoWayDirective for Copy {
    type Content = Content;

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let [target, target_type, source, source_type, accesses @ ..] = printed.arguments else {
            return None;
        };
        let [access, alignment, source_access, source_alignment] = accesses else {
            return None;
        };
        let context = printed.context;
        let of = |value: &PrintedArgument, ty: &PrintedArgument| {
            let (pointee, class) = pointer(context, *ty.types().first()?)?;
            let value = Named::of(*value.operands().first()?);
            Some((pointee, (class.as_bytes().to_vec(), value)))
        };
        let (pointee, target) = of(target, target_type)?;
        let (other, source) = of(source, source_type)?;
        let accesses = [
            MemoryAccess::of(context, access, alignment)?,
            MemoryAccess::of(context, source_access, source_alignment)?,
        ];
        // The text of a second access follows that of a first one.
        let [first, second] = &accesses;
        let fits = pointee == other && (first.is_there() || !second.is_there());
        fits.then_some(Content {
            pointers: [target, source],
            accesses,
            place: None,
            ty: Some(pointee),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        let [target, source] = &mut content.pointers;
        let pointer = |asm: &mut Asm<'_, '_>, (class, name): &mut (Vec<u8>, Named)| {
            asm.space(" ");
            storage_class(asm, class)?;
            asm.space(" ");
            asm.value(name)
        };
        pointer(asm, target)?;
        asm.token(",", ", ")?;
        pointer(asm, source)?;
        let [access, of_source] = &mut content.accesses;
        access.text(asm)?;
        if asm.is_there(",", of_source.is_there()) {
            asm.token(",", ", ")?;
            of_source.text(asm)?;
        }
        asm.token(":", " : ")?;
        content.place = asm.place();
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [target, target_type, source, source_type, accesses @ ..] = arguments else {
            return Err(other_arguments(parser));
        };
        let [access, alignment, source_access, source_alignment] = accesses else {
            return Err(other_arguments(parser));
        };
        let pointee = content.ty;
        let pointee = pointee.ok_or_else(|| failure(content.place, "expected a type"))?;
        let [first, second] = &content.pointers;
        for ((class, name), of, ty) in [(first, target, target_type), (second, source, source_type)]
        {
            *of = operands(&[*name]);
            *ty = one_type(Some(pointer_to(parser, pointee, class)?));
        }
        let [of_target, of_source] = &content.accesses;
        of_target.set(parser, access, alignment)?;
        of_source.set(parser, source_access, source_alignment)
    }
}
