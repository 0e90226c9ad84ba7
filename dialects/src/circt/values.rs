//! Directives of values with names, numbers or members of a type: aggregates of `dbg`, bags of
//! `rtg`, members of enumerations.

use super::fields::fields;
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{integer, is_of};
use crate::two_way::{
    Asm, Named, failure, invalid, items, one_type, operands, plain_string, string_array,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Context, NamedAttribute, Type};

/// How operands are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `[%a, %b] {...} : type`, without a type if there are none. Arguments: the operands, the
    /// attributes, their types.
    Elements,
    /// `(%n x %a, %m x %b) : type {...}`. Arguments: the operands, the attributes, their types, the
    /// numbers, the type of the bag.
    Bag,
    /// `%a, %b {...} : type, type`, where the first type is that of one operand, and the second
    /// that of the others and of the result. Arguments: the others, the attributes, their types,
    /// the operand, its type, the type of the result.
    Multiplexed,
}

/// The directive of operands of one type.
#[derive(Debug)]
pub(crate) struct Alike(pub(crate) Form);

/// The text of [`Alike`].
#[derive(Default)]
pub(crate) struct AlikeContent {
    place: Option<usize>,
    /// Values, each with its number in a bag.
    values: Vec<(Named, Named)>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
    index: Named,
    index_type: Option<Type>,
}

impl TwoWayDirective for Alike {
    type Content = AlikeContent;

    fn content(&self, printed: &Printed<'_>) -> Option<AlikeContent> {
        let [values, attributes, types, rest @ ..] = printed.arguments else {
            return None;
        };
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let types = types.types();
        let mut content = AlikeContent {
            values: Named::all(values.operands().iter().copied())
                .into_iter()
                .map(|value| (Named::default(), value))
                .collect(),
            attributes: attributes.clone(),
            ty: types.first().copied(),
            ..AlikeContent::default()
        };
        match (self.0, rest) {
            (Form::Elements, []) => {}
            (Form::Bag, [numbers, result]) => {
                let (numbers, &[result]) = (numbers.operands(), result.types()) else {
                    return None;
                };
                let element = printed.context.parameter(result, "elementType")?.ty();
                if numbers.len() != content.values.len()
                    || !is_of(printed.context, result, "rtg", "bag")
                    || content.ty.is_some_and(|ty| Some(ty) != element)
                {
                    return None;
                }
                content.ty = element;
                for (value, &number) in content.values.iter_mut().zip(numbers) {
                    value.0 = Named::of(number);
                }
            }
            (Form::Multiplexed, [index, index_type, result]) => {
                content.index = Named::of(*index.operands().first()?);
                content.index_type = Some(*index_type.types().first()?);
                (content.ty? == *result.types().first()?).then_some(())?;
            }
            _ => return None,
        }
        let is_same = types.iter().all(|&ty| Some(ty) == content.ty);
        is_same.then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut AlikeContent) -> AsmResult<bool> {
        let AlikeContent {
            values, attributes, ..
        } = content;
        let has_type = match self.0 {
            Form::Elements => {
                asm.list(("[", "]"), values, |asm, one| asm.value(&mut one.1))?;
                asm.dictionary(attributes)?;
                !values.is_empty()
            }
            Form::Bag => {
                if asm.is_there("(", !values.is_empty()) {
                    asm.token("(", "(")?;
                    asm.items(values, |asm, (number, value)| {
                        asm.value(number)?;
                        asm.token("x", " x ")?;
                        asm.value(value)
                    })?;
                    asm.token(")", ")")?;
                }
                true
            }
            Form::Multiplexed => {
                asm.value(&mut content.index)?;
                asm.token(",", ", ")?;
                asm.items(values, |asm, one| asm.value(&mut one.1))?;
                asm.dictionary(attributes)?;
                asm.token(":", " : ")?;
                asm.ty(&mut content.index_type)?;
                asm.token(",", ", ")?;
                asm.ty(&mut content.ty)?;
                return Ok(true);
            }
        };
        if has_type {
            asm.token(":", " : ")?;
            content.place = asm.place();
            asm.ty(&mut content.ty)?;
        }
        if self.0 == Form::Bag {
            asm.dictionary(attributes)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: AlikeContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [to_values, to_attributes, to_types, rest @ ..] = arguments else {
            return Ok(());
        };
        let (numbers, values): (Vec<Named>, Vec<Named>) = content.values.into_iter().unzip();
        let types = content.ty.iter().cycle().take(values.len());
        *to_values = operands(&values);
        *to_types = ParsedArgument::Types(types.copied().collect());
        *to_attributes = ParsedArgument::Dictionary(content.attributes);
        match (rest, content.ty) {
            ([to_numbers, to_result], Some(ty)) => {
                let builder = parser.context().build_type("rtg.bag");
                let bag = builder.with("elementType", ty).build();
                *to_numbers = operands(&numbers);
                *to_result = one_type(Some(bag.map_err(invalid(content.place))?));
            }
            ([to_index, to_index_type, to_result], ty) => {
                *to_index = operands(&[content.index]);
                *to_index_type = one_type(content.index_type);
                *to_result = one_type(ty);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The directive of operands with names: `{"a": %a, "b": %b} {...} : type, type`, without types if
/// there are none. Arguments: the operands, their names, the attributes, their types.
#[derive(Debug)]
pub(crate) struct NamedValues;

/// The text of [`NamedValues`].
#[derive(Default)]
pub(crate) struct NamedContent {
    values: Vec<(Vec<u8>, Named)>,
    attributes: Vec<NamedAttribute>,
    types: Vec<Type>,
}

impl TwoWayDirective for NamedValues {
    type Content = NamedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<NamedContent> {
        let [values, names, attributes, types] = printed.arguments else {
            return None;
        };
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let (context, values) = (printed.context, values.operands());
        let names = items(context, names.attribute())?;
        let pairs = names.iter().zip(values);
        let pairs = pairs.map(|(&name, &value)| {
            let name = plain_string(context, Some(name))?.to_vec();
            Some((name, Named::of(value)))
        });
        let values: Vec<_> = pairs.collect::<Option<_>>()?;
        (names.len() == printed.arguments.first()?.operands().len()).then(|| NamedContent {
            values,
            attributes: attributes.clone(),
            types: types.types().to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut NamedContent) -> AsmResult<bool> {
        asm.list(("{", "}"), &mut content.values, |asm, (name, value)| {
            asm.string(name)?;
            asm.token(":", ": ")?;
            asm.value(value)
        })?;
        asm.dictionary(&mut content.attributes)?;
        if !content.values.is_empty() {
            asm.token(":", " : ")?;
            let place = asm.place().unwrap_or_default();
            asm.types(&mut content.types)?;
            crate::helpers::check_count(content.values.len(), content.types.len(), place)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: NamedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (names, values): (Vec<Vec<u8>>, Vec<Named>) = content.values.into_iter().unzip();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        if let [to_values, to_names, to_attributes, to_types] = arguments {
            *to_values = operands(&values);
            *to_names = ParsedArgument::Attribute(Some(string_array(parser.context(), &names)));
            *to_attributes = ParsedArgument::Dictionary(content.attributes);
            *to_types = ParsedArgument::Types(content.types);
        }
        Ok(())
    }
}

/// The directive of a member of an enumeration: `A : !hw.enum<A, B>`. Arguments: the attribute
/// `#hw.enum.field`, the type.
#[derive(Debug)]
pub(crate) struct Member;

/// The text of [`Member`].
#[derive(Default)]
pub(crate) struct MemberContent {
    place: Option<usize>,
    name: Vec<u8>,
    ty: Option<Type>,
}

/// Returns the name and the type of `#hw.enum.field`.
fn member(context: &Context, attribute: Attribute) -> Option<(&[u8], Type)> {
    if !super::fields::is_attribute_of(context, attribute, "hw", "enum.field") {
        return None;
    }
    let name = context.parameter(attribute, "field")?.bytes()?;
    Some((name, context.parameter(attribute, "type")?.ty()?))
}

/// Returns whether an enumeration has a member.
pub(super) fn has_member(context: &Context, ty: Type, name: &[u8]) -> bool {
    let ty = super::fields::without_alias(context, ty);
    let members = context.parameter(ty, "fields");
    is_of(context, ty, "hw", "enum")
        && members.is_some_and(|all| all.items().any(|one| one.bytes() == Some(name)))
}

impl TwoWayDirective for Member {
    type Content = MemberContent;

    fn content(&self, printed: &Printed<'_>) -> Option<MemberContent> {
        let [attribute, ty] = printed.arguments else {
            return None;
        };
        let (name, of) = member(printed.context, attribute.attribute()?)?;
        let is_lossless = ty.types() == [of] && has_member(printed.context, of, name);
        is_lossless.then(|| MemberContent {
            place: None,
            name: name.to_vec(),
            ty: Some(of),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MemberContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.any_keyword(&mut content.name)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: MemberContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some(ty) = content.ty else { return Ok(()) };
        let made = member_attribute(parser.context(), content.place, &content.name, ty)?;
        if let [to_attribute, to_ty] = arguments {
            *to_attribute = ParsedArgument::Attribute(Some(made));
            *to_ty = one_type(Some(ty));
        }
        Ok(())
    }
}

/// Returns `#hw.enum.field` for a member.
///
/// # Errors
///
/// If the type has no such member.
pub(super) fn member_attribute(
    context: &mut Context,
    place: Option<usize>,
    name: &[u8],
    ty: Type,
) -> AsmResult<Attribute> {
    let text = String::from_utf8_lossy(name).into_owned();
    if !has_member(context, ty, name) {
        let message = format!("enum value '{text}' is not a member of the enumeration");
        return Err(failure(place, message));
    }
    let builder = context.build_attribute("hw.enum.field");
    let made = builder.with("field", text).with("type", ty).build();
    made.map_err(invalid(place))
}

/// Names the result after the member of an enumeration.
pub(crate) fn member_name(
    context: &Context,
    module: &rmlir_ir::Module,
    operation: rmlir_ir::Operation,
    _: rmlir_ir::Value,
) -> Option<std::borrow::Cow<'static, str>> {
    let (name, _) = member(context, module.attribute(context, operation, "field")?)?;
    Some(String::from_utf8_lossy(name).into_owned().into())
}

/// The directive of a threshold and the flag that tells whether it is reached: `almost_full 2`.
/// Arguments: the number, the type of the flag.
#[derive(Debug)]
pub(crate) struct Threshold(pub(crate) &'static str);

impl TwoWayDirective for Threshold {
    /// The number.
    type Content = Option<i64>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [number, flag] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let number = match number.attribute() {
            None => None,
            found => Some(crate::helpers::integer_of(
                context,
                context.i64_type(),
                found,
            )?),
        };
        let flags: &[Type] = match number {
            Some(_) => &[context.i1_type()],
            None => &[],
        };
        (flag.types() == flags).then_some(number)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, number: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there(self.0, number.is_some()) {
            return Ok(false);
        }
        asm.token(self.0, self.0)?;
        asm.space(" ");
        asm.integer(number.get_or_insert_default())?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        number: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = Some(parser.place());
        let context = parser.context();
        let i64 = context.i64_type();
        let made = number.map(|number| context.integer_attribute(i64, number));
        if let [to_number, to_flag] = arguments {
            *to_number = ParsedArgument::Attribute(made.transpose().map_err(invalid(place))?);
            *to_flag = one_type(number.map(|_| context.i1_type()));
        }
        Ok(())
    }
}

/// The directive of a variant of an enumeration and its value: `A(%a) {...} : (type) -> type`.
/// Arguments: the index, the value, the attributes, its type, the type of the enumeration.
#[derive(Debug)]
pub(crate) struct Variant;

/// The text of [`Variant`].
#[derive(Default)]
pub(crate) struct VariantContent {
    place: Option<usize>,
    name: Vec<u8>,
    value: Named,
    attributes: Vec<NamedAttribute>,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl TwoWayDirective for Variant {
    type Content = VariantContent;

    fn content(&self, printed: &Printed<'_>) -> Option<VariantContent> {
        let [index, value, attributes, ty, of] = printed.arguments else {
            return None;
        };
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let (index, context) = (
            integer(printed.context, index.attribute())?,
            printed.context,
        );
        let variants = fields(context, *of.types().first()?)?;
        let &(name, _) = variants.get(usize::try_from(index).ok()?)?;
        Some(VariantContent {
            place: None,
            name: name.to_vec(),
            value: Named::of(*value.operands().first()?),
            attributes: attributes.clone(),
            inputs: ty.types().to_vec(),
            results: of.types().to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut VariantContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.word(&mut content.name)?;
        asm.token("(", "(")?;
        asm.value(&mut content.value)?;
        asm.token(")", ")")?;
        // Upstream prints the attributes after a keyword, and reads them without it.
        match asm.is_there("{", false) {
            true => asm.dictionary(&mut content.attributes)?,
            false => asm.dictionary_with_keyword(&mut content.attributes)?,
        }
        asm.token(":", " : ")?;
        let place = asm.place();
        let is_function = asm.function_type(&mut content.inputs, &mut content.results)?;
        let counts = (content.inputs.len(), content.results.len());
        match is_function && counts == (1, 1) {
            true => Ok(true),
            false => Err(failure(
                place,
                "expected a function type with one input and one result",
            )),
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: VariantContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let of = content.results.first();
        let variants = of.and_then(|&of| fields(context, of)).unwrap_or_default();
        let found = variants.iter().position(|one| one.0 == content.name);
        let Some(found) = found.and_then(|found| i64::try_from(found).ok()) else {
            let name = String::from_utf8_lossy(&content.name);
            let message = format!("unknown field {name} in enum type");
            return Err(failure(content.place, message));
        };
        let i32 = context.integer_type(32);
        let index = context.integer_attribute(i32, found);
        if let [to_index, to_value, to_attributes, to_ty, to_of] = arguments {
            *to_index = ParsedArgument::Attribute(Some(index.map_err(invalid(content.place))?));
            *to_value = operands(&[content.value]);
            *to_attributes = ParsedArgument::Dictionary(content.attributes);
            *to_ty = ParsedArgument::Types(content.inputs);
            *to_of = ParsedArgument::Types(content.results);
        }
        Ok(())
    }
}
