//! Directives of arrays, and of other types whose values are made from operands of one type.

use super::infer::width;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type};

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

impl Collected {
    fn attributes(&self, parser: &mut dyn AsmParser, last: bool) -> AsmResult<Vec<NamedAttribute>> {
        match self.attributes_last == last {
            true => parser.attribute_dictionary(),
            false => Ok(Vec::new()),
        }
    }
}

impl DirectiveSyntax for Collected {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut names = Vec::new();
        if parser.at_operand() {
            names = crate::helpers::operand_names(parser)?;
        }
        let mut attributes = self.attributes(parser, false)?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        attributes.extend(self.attributes(parser, true)?);
        let context = parser.context();
        let (element, result) = match self.whole {
            true => match context.parameter(ty, self.wrap.1).and_then(|one| one.ty()) {
                Some(element) => (element, Some(ty)),
                None => return Err(AsmError::new(place, "invalid kind of type specified")),
            },
            false => {
                let builder = context.build_type(self.wrap.0).with(self.wrap.1, ty);
                (ty, builder.build().ok())
            }
        };
        let Some(result) = result else {
            return Err(AsmError::new(place, "invalid kind of type specified"));
        };
        if let [to_names, to_attributes, to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(vec![element; names.len()]);
            *to_names = ParsedArgument::Operands(names);
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_result = ParsedArgument::Types(vec![result]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [names, PrintedArgument::Dictionary(attributes), _, result] = arguments else {
            return;
        };
        let context = printer.context();
        printer.operands(names.operands().iter().copied());
        if !self.attributes_last {
            printer.attribute_dictionary(attributes, &[]);
        }
        printer.text(" : ");
        let &[result] = result.types() else { return };
        let shown = match self.whole {
            true => Some(result),
            false => context
                .parameter(result, self.wrap.1)
                .and_then(|one| one.ty()),
        };
        if let Some(shown) = shown {
            printer.ty(shown);
        }
        if self.attributes_last {
            printer.attribute_dictionary(attributes, &[]);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, _, types, result] = arguments else {
            return false;
        };
        let &[result] = result.types() else {
            return false;
        };
        let (dialect, mnemonic) = self.wrap.0.split_once('.').unwrap_or_default();
        let element = context
            .parameter(result, self.wrap.1)
            .and_then(|one| one.ty());
        crate::helpers::is_of(context, result, dialect, mnemonic)
            && element.is_some_and(|element| types.types().iter().all(|&ty| ty == element))
    }
}

/// The directive of the elements of an array: `%a, %b {...} : T`, followed by `-> ARRAY` if the
/// result is not the array of that many. Arguments as for [`Collected`].
#[derive(Debug)]
pub(crate) struct ArrayElements;

impl DirectiveSyntax for ArrayElements {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let names = crate::helpers::operand_names(parser)?;
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let result = match parser.eat("->") {
            true => parser.ty()?,
            false => {
                let length = i64::try_from(names.len()).unwrap_or(i64::MAX);
                let context = parser.context();
                let of = context.i64_type();
                let length = context.integer_attribute(of, length);
                let made = length.and_then(|length| {
                    let builder = context.build_type("hw.array").with("elementType", ty);
                    builder.with("sizeAttr", length).build()
                });
                made.map_err(|error| AsmError::new(place, error.message()))?
            }
        };
        if let [to_names, to_attributes, to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(vec![ty; names.len()]);
            *to_names = ParsedArgument::Operands(names);
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_result = ParsedArgument::Types(vec![result]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [
            names,
            PrintedArgument::Dictionary(attributes),
            types,
            result,
        ] = arguments
        else {
            return;
        };
        let context = printer.context();
        printer.operands(names.operands().iter().copied());
        printer.attribute_dictionary(attributes, &[]);
        printer.text(" : ");
        let (&[result], Some(&ty)) = (result.types(), types.types().first()) else {
            return;
        };
        printer.ty(ty);
        let length = i64::try_from(names.operands().len()).ok();
        let is_plain = crate::helpers::is_of(context, result, "hw", "array")
            && super::infer::array(context, result)
                .is_some_and(|found| Some(found.0) == length && found.1 == ty);
        if !is_plain {
            printer.text(" -> ");
            printer.ty(result);
        }
    }

    fn can_print(
        &self,
        _: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [_, _, types, _] = arguments else {
            return false;
        };
        let types = types.types();
        types
            .first()
            .is_some_and(|first| types.iter().all(|ty| ty == first))
    }
}

/// The directive of an array and the type of its index: `!hw.array<4xi8>`. Arguments: the type,
/// the type of the index.
#[derive(Debug)]
pub(crate) struct ArrayAndIndex;

/// Returns the number of bits of an index into an array.
fn index_width(length: i64) -> Option<u32> {
    let length = u64::try_from(length).ok()?;
    Some(
        length
            .saturating_sub(1)
            .checked_ilog2()
            .map_or(0, |bits| bits + 1),
    )
}

impl DirectiveSyntax for ArrayAndIndex {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let ty = parser.ty()?;
        let found = super::infer::array(parser.context(), ty);
        let Some(width) = found.and_then(|found| index_width(found.0)) else {
            return Err(AsmError::new(place, "Expected !hw.array type"));
        };
        let index = parser.context().integer_type(width);
        if let [to_ty, to_index] = arguments {
            *to_ty = ParsedArgument::Types(vec![ty]);
            *to_index = ParsedArgument::Types(vec![index]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(ty) = arguments.first() {
            printer.types(ty.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [ty, index] = arguments else { return false };
        let (&[ty], &[index]) = (ty.types(), index.types()) else {
            return false;
        };
        let found = super::infer::array(context, ty).and_then(|found| index_width(found.0));
        found.is_some() && width(context, index) == found
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
        let (of, found) = super::infer::array(context, ty)?;
        length = length.checked_add(of)?;
        if element.is_some_and(|element| element != found) {
            return None;
        }
        element = Some(found);
    }
    Some((length, element?))
}

impl DirectiveSyntax for Arrays {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let types = crate::helpers::comma_separated_types(parser)?;
        let Some((length, element)) = concatenation(parser.context(), &types) else {
            return Err(AsmError::new(place, "Expected !hw.array type"));
        };
        let context = parser.context();
        let of = context.i64_type();
        let made = context.integer_attribute(of, length).and_then(|length| {
            let builder = context.build_type("hw.array").with("elementType", element);
            builder.with("sizeAttr", length).build()
        });
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [to_types, to_result] = arguments {
            *to_types = ParsedArgument::Types(types);
            *to_result = ParsedArgument::Types(vec![made]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let Some(types) = arguments.first() {
            printer.types(types.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [types, result] = arguments else {
            return false;
        };
        let &[result] = result.types() else {
            return false;
        };
        let concatenated = concatenation(context, types.types());
        crate::helpers::is_of(context, result, "hw", "array")
            && concatenated.is_some()
            && concatenated == super::infer::array(context, result)
    }
}
