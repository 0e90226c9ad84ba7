//! Directives of arrays, and of other types whose values are made from operands of one type.

use super::infer::{array, width};
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::is_of;
use crate::two_way::{Asm, Named, failure, invalid, one_type, operands};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Context, Invalid, NamedAttribute, Type};

/// The directive of operands of one type: `%a, %b {...} : T`, where the type of the result has the
/// type of the operands as its only parameter. Arguments: the operands, the attributes, their
/// types, the type of the result.
#[derive(Debug)]
pub(crate) struct Collected {
    /// The full name of the result's type, and of its parameter.
    pub(crate) wrap: (&'static str, &'static str),
    /// Whether the text has the type of the result, not that of the operands.
    pub(crate) whole: bool,
    /// Whether the attributes are after the type.
    pub(crate) attributes_last: bool,
}

/// The text of [`Collected`] and [`ArrayElements`].
#[derive(Default)]
pub(crate) struct CollectedContent {
    place: Option<usize>,
    values: Vec<Named>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
    has_result: bool,
    result: Option<Type>,
}

impl CollectedContent {
    /// Sets the arguments for operands of a type, and for the type of the result.
    fn set(self, element: Option<Type>, result: Type, arguments: &mut [ParsedArgument]) {
        if let [to_values, to_attributes, to_types, to_result] = arguments {
            let types = element.into_iter().cycle().take(self.values.len());
            *to_values = operands(&self.values);
            *to_attributes = ParsedArgument::Dictionary(self.attributes);
            *to_types = ParsedArgument::Types(types.collect());
            *to_result = one_type(Some(result));
        }
    }
}

/// Returns the only parameter of a type.
fn parameter(context: &Context, ty: Type, name: &str) -> Option<Type> {
    context.parameter(ty, name)?.ty()
}

impl TwoWayDirective for Collected {
    type Content = CollectedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<CollectedContent> {
        let [
            values,
            PrintedArgument::Dictionary(attributes),
            types,
            result,
        ] = printed.arguments
        else {
            return None;
        };
        let &[result] = result.types() else {
            return None;
        };
        let (dialect, mnemonic) = self.wrap.0.split_once('.')?;
        let element = parameter(printed.context, result, self.wrap.1)?;
        let is_lossless = is_of(printed.context, result, dialect, mnemonic)
            && types.types().iter().all(|&ty| ty == element);
        is_lossless.then(|| CollectedContent {
            values: Named::all(values.operands().iter().copied()),
            attributes: attributes.clone(),
            ty: Some(if self.whole { result } else { element }),
            ..CollectedContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CollectedContent) -> AsmResult<bool> {
        if asm.is_value_there(!content.values.is_empty()) {
            asm.values(&mut content.values)?;
        }
        if !self.attributes_last {
            asm.dictionary(&mut content.attributes)?;
        }
        asm.token(":", " : ")?;
        content.place = asm.place();
        asm.ty(&mut content.ty)?;
        if self.attributes_last {
            asm.dictionary(&mut content.attributes)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: CollectedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let (name, of) = self.wrap;
        let types = content.ty.and_then(|ty| match self.whole {
            true => Some((parameter(context, ty, of)?, ty)),
            false => Some((ty, context.build_type(name).with(of, ty).build().ok()?)),
        });
        let Some((element, result)) = types else {
            return Err(failure(content.place, "invalid kind of type specified"));
        };
        content.set(Some(element), result, arguments);
        Ok(())
    }
}

/// The directive of the elements of an array: `%a, %b {...} : T`, followed by `-> ARRAY` if the
/// result is not the array of that many. Arguments as for [`Collected`].
#[derive(Debug)]
pub(crate) struct ArrayElements;

/// Returns the type of an array.
pub(super) fn array_type(
    context: &mut Context,
    length: i64,
    element: Type,
) -> Result<Type, Invalid> {
    let of = context.i64_type();
    let length = context.integer_attribute(of, length)?;
    let builder = context.build_type("hw.array").with("elementType", element);
    builder.with("sizeAttr", length).build()
}

/// Returns whether a type is the array of that length.
fn is_array(context: &Context, ty: Type, length: i64, element: Type) -> bool {
    is_of(context, ty, "hw", "array") && array(context, ty) == Some((length, element))
}

impl TwoWayDirective for ArrayElements {
    type Content = CollectedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<CollectedContent> {
        let [
            values,
            PrintedArgument::Dictionary(attributes),
            types,
            result,
        ] = printed.arguments
        else {
            return None;
        };
        let values = values.operands();
        let (&[result], Some(&ty)) = (result.types(), types.types().first()) else {
            return None;
        };
        let length = i64::try_from(values.len()).ok()?;
        let is_lossless = types.types().iter().all(|&one| one == ty);
        is_lossless.then(|| CollectedContent {
            place: None,
            values: Named::all(values.iter().copied()),
            attributes: attributes.clone(),
            ty: Some(ty),
            has_result: !is_array(printed.context, result, length, ty),
            result: Some(result),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CollectedContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.values(&mut content.values)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        asm.optional("->", " -> ", &mut content.has_result);
        if content.has_result {
            asm.ty(&mut content.result)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: CollectedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let length = i64::try_from(content.values.len()).unwrap_or(i64::MAX);
        let result = match (content.result, content.ty) {
            (None, Some(ty)) => {
                let made = array_type(parser.context(), length, ty);
                Some(made.map_err(invalid(content.place))?)
            }
            (result, _) => result,
        };
        if let Some(result) = result {
            let element = content.ty;
            content.set(element, result, arguments);
        }
        Ok(())
    }
}

/// The directive of an array and the type of its index: `!hw.array<4xi8>`. Arguments: the type,
/// the type of the index.
#[derive(Debug)]
pub(crate) struct ArrayAndIndex;

/// Returns the number of bits of an index into an array.
pub(super) fn index_width(length: i64) -> Option<u32> {
    let length = u64::try_from(length).ok()?;
    Some(
        length
            .saturating_sub(1)
            .checked_ilog2()
            .map_or(0, |bits| bits + 1),
    )
}

impl TwoWayDirective for ArrayAndIndex {
    /// The type of the array, and its place in a text that is read.
    type Content = (Option<Type>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [ty, index] = printed.arguments else {
            return None;
        };
        let (&[ty], &[index]) = (ty.types(), index.types()) else {
            return None;
        };
        let needed = index_width(array(printed.context, ty)?.0)?;
        (width(printed.context, index) == Some(needed)).then_some((Some(ty), None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (ty, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.ty(ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (ty, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let found = ty.and_then(|ty| array(context, ty));
        let Some(width) = found.and_then(|found| index_width(found.0)) else {
            return Err(failure(place, "Expected !hw.array type"));
        };
        if let [to_ty, to_index] = arguments {
            *to_ty = one_type(ty);
            *to_index = one_type(Some(context.integer_type(width)));
        }
        Ok(())
    }
}

/// The directive of arrays and of their concatenation: `!hw.array<2xi8>, !hw.array<1xi8>`.
/// Arguments: the types of the operands, the type of the result.
#[derive(Debug)]
pub(crate) struct Arrays;

/// Returns the length and the element type of the concatenation of arrays.
fn concatenation(context: &Context, types: &[Type]) -> Option<(i64, Type)> {
    let (mut length, mut element) = (0i64, None);
    for &ty in types {
        let (of, found) = array(context, ty)?;
        length = length.checked_add(of)?;
        if element.is_some_and(|element| element != found) {
            return None;
        }
        element = Some(found);
    }
    Some((length, element?))
}

impl TwoWayDirective for Arrays {
    /// The types of the arrays, and their place in a text that is read.
    type Content = (Vec<Type>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [types, result] = printed.arguments else {
            return None;
        };
        let &[result] = result.types() else {
            return None;
        };
        let (length, element) = concatenation(printed.context, types.types())?;
        let is_lossless = is_array(printed.context, result, length, element);
        is_lossless.then(|| (types.types().to_vec(), None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (types, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.types(types)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (types, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let Some((length, element)) = concatenation(context, &types) else {
            return Err(failure(place, "Expected !hw.array type"));
        };
        let made = array_type(context, length, element).map_err(invalid(place))?;
        if let [to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(types);
            *to_result = one_type(Some(made));
        }
        Ok(())
    }
}
