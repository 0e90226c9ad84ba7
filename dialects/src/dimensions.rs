//! Directives for lists of sizes separated by `x`: `4x?x8`.

use crate::directive::{Printed, TwoWayDirective};
use crate::entry::{EntryAsm, List, TwoWayEntry, required, set};
use crate::helpers::{integer_of, numbers};
use crate::two_way::{Asm, failure, invalid};
use rmlir_ir::asm::{
    AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, ParsedArgument,
    PrintedArgument,
};
use rmlir_ir::{DYNAMIC, Invalid, Type};

/// The parameters of a type with a shape, `4x?xi8`: sizes, and the type of the elements.
#[derive(Debug)]
pub(crate) struct Shaped;

/// The sizes of a shape and the type of the elements.
#[derive(Default)]
pub(crate) struct Shape<'v> {
    sizes: List<'v, i64>,
    element: Option<Type>,
}

impl<'v> Shape<'v> {
    /// Returns the shape that the first two parameters have, to be printed.
    pub(crate) fn of(values: Parameters<'v, 'v>) -> Result<Self, Invalid> {
        let wrong = "expected the sizes of a shape";
        let sizes = List::of(values, 0, wrong)?;
        if !sizes.all(|size| size >= 0 || size == DYNAMIC) {
            return Err(Invalid::new(wrong));
        }
        Ok(Shape {
            sizes,
            element: required(values, 1, "expected the type of the elements")?,
        })
    }

    /// `4x?xi8`.
    pub(crate) fn text(&mut self, asm: &mut EntryAsm<'_>) -> AsmResult<()> {
        asm.sizes(&mut self.sizes, "x")?;
        asm.ty(&mut self.element)
    }

    /// Sets the first two parameters.
    pub(crate) fn set(self, values: &mut ParametersMut<'_>) {
        self.sizes.set(values, 0);
        set(values, 1, self.element);
    }
}

impl TwoWayEntry for Shaped {
    type Content<'v> = Shape<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Shape<'v>, Invalid> {
        Shape::of(values)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Shape<'_>) -> AsmResult<()> {
        content.text(asm)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Shape<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.set(values);
        Ok(())
    }
}

/// The directive for a dense array of sizes; an empty one is `[]`.
#[derive(Debug)]
pub(crate) struct DimensionList;

impl TwoWayDirective for DimensionList {
    type Content = Vec<i64>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let sizes = numbers(printed.context, printed.arguments.first()?.attribute())?;
        let is_size = |&size: &i64| size >= 0 || size == DYNAMIC;
        sizes.iter().all(is_size).then_some(sizes)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, sizes: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there("[", sizes.is_empty()) {
            asm.token("[", "[")?;
            asm.token("]", "]")?;
        } else {
            asm.dimensions(sizes)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        sizes: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let Some(argument) = arguments.first_mut() {
            let sizes = parser.context().i64_array_attribute(sizes);
            *argument = ParsedArgument::Attribute(Some(sizes));
        }
        Ok(())
    }
}

/// The directive for the three sizes of a matrix product, each an attribute of type `i32`.
#[derive(Debug)]
pub(crate) struct MatrixSizes;

impl TwoWayDirective for MatrixSizes {
    /// The sizes, and their place in a text that is read.
    type Content = (Vec<i64>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let i32 = context.i32_type();
        let size = |size: &PrintedArgument| integer_of(context, i32, size.attribute());
        let sizes = printed.arguments.iter().map(size);
        let sizes: Vec<i64> = sizes.collect::<Option<_>>()?;
        sizes.iter().all(|&size| size >= 0).then_some((sizes, None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (sizes, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.dimensions(sizes)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (sizes, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if sizes.contains(&DYNAMIC) {
            return Err(failure(place, "expected static shape"));
        }
        if sizes.len() != arguments.len() {
            let message = "expected 3 dimensions in MNK dimension list";
            return Err(failure(place, message));
        }
        let context = parser.context();
        let i32 = context.i32_type();
        for (argument, size) in arguments.iter_mut().zip(sizes) {
            let attribute = context.integer_attribute(i32, size);
            *argument = ParsedArgument::Attribute(Some(attribute.map_err(invalid(place))?));
        }
        Ok(())
    }
}
