//! Directives of groups of operands and results, with their types.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, Named, failure, invalid, one_type, operands};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, NamedAttribute, Type, TypeKind};

/// The maximum number of values of one type that a count denotes.
const MOST: usize = 4096;

/// The number of values of a type; at most [`MOST`]. Errors are at `place`.
fn count(asm: &mut Asm<'_, '_>, place: Option<usize>, count: &mut i64) -> AsmResult<()> {
    let message = "expected a number of values";
    let read = asm.integer_or(count, message);
    read.map_err(|error| error.moved_to(place.unwrap_or_default()))?;
    match usize::try_from(*count).is_ok_and(|count| count <= MOST) {
        true => Ok(()),
        false => Err(failure(place, message)),
    }
}

/// The directive of a group of results or operands of one type, by their number: `[2] %a : T`.
/// Arguments: the operand, the attributes, its type, the types of the results.
#[derive(Debug)]
pub(crate) struct Copies {
    /// The type, if the text leaves it out.
    pub(crate) fixed: Option<(&'static str, &'static str)>,
}

/// The error for something else than the number of results.
const COUNT: &str = "expected the number of results";

/// The text of [`Copies`].
#[derive(Default)]
pub(crate) struct CopiesContent {
    place: Option<usize>,
    count: i64,
    value: Named,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

impl TwoWayDirective for Copies {
    type Content = CopiesContent;

    fn content(&self, printed: &Printed<'_>) -> Option<CopiesContent> {
        let [value, PrintedArgument::Dictionary(attributes), ty, types] = printed.arguments else {
            return None;
        };
        let (&[value], &[ty]) = (value.operands(), ty.types()) else {
            return None;
        };
        let is_fixed = self.fixed.is_none_or(|(dialect, text)| {
            crate::helpers::is_dialect_type(printed.context, ty, dialect, text)
        });
        let types = types.types();
        let is_lossless = is_fixed && types.len() <= MOST && types.iter().all(|&one| one == ty);
        is_lossless.then(|| CopiesContent {
            place: None,
            count: i64::try_from(types.len()).unwrap_or_default(),
            value: Named::of(value),
            attributes: attributes.clone(),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CopiesContent) -> AsmResult<bool> {
        asm.token("[", "[")?;
        content.place = asm.place();
        asm.integer_or(&mut content.count, COUNT)?;
        if content.count < 0 {
            return Err(failure(content.place, COUNT));
        }
        asm.token("]", "] ")?;
        asm.value(&mut content.value)?;
        if self.fixed.is_none() {
            asm.dictionary(&mut content.attributes)?;
            asm.token(":", " : ")?;
            asm.ty(&mut content.ty)?;
            return Ok(true);
        }
        // As upstream, there is a space at the end, and one more before the attributes.
        let more = !content.attributes.is_empty();
        asm.space(if more { "  " } else { " " });
        asm.dictionary(&mut content.attributes)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: CopiesContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let count = usize::try_from(content.count).unwrap_or_default();
        // Each result has a name, so the number is bounded by the text.
        if count > MOST && parser.result_name(count.saturating_sub(1)).is_none() {
            return Err(failure(content.place, COUNT));
        }
        let ty = match self.fixed {
            Some((dialect, text)) => {
                let ty = crate::helpers::dialect_type(parser.context(), dialect, text);
                Some(ty.map_err(invalid(content.place))?)
            }
            None => content.ty,
        };
        if let [to_value, to_attributes, to_ty, to_types] = arguments {
            *to_value = operands(&[content.value]);
            *to_attributes = ParsedArgument::Dictionary(content.attributes);
            *to_ty = one_type(ty);
            *to_types = ParsedArgument::Types(ty.map_or_else(Vec::new, |ty| vec![ty; count]));
        }
        Ok(())
    }
}

/// The directive of a list of types of which the last belongs to another group: `index, i32`.
/// Arguments: the types of the first group, the type of the last, and the types of two groups that
/// have the same types as these: the last one, the first ones.
#[derive(Debug)]
pub(crate) struct AddressesAndData;

impl TwoWayDirective for AddressesAndData {
    type Content = Vec<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Vec<Type>> {
        let [addresses, data, result, results] = printed.arguments else {
            return None;
        };
        let is_lossless = addresses.types() == results.types()
            && data.types() == result.types()
            && data.types().len() == 1;
        is_lossless.then(|| [addresses.types(), data.types()].concat())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Vec<Type>) -> AsmResult<bool> {
        asm.types(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        mut content: Vec<Type>,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let last = content.pop();
        if let [addresses, data, result, results] = arguments {
            *addresses = ParsedArgument::Types(content.clone());
            *data = one_type(last);
            *result = one_type(last);
            *results = ParsedArgument::Types(content);
        }
        Ok(())
    }
}

/// The directive of operands that may be inverted: `%a, not %b {...} : T`. Arguments: the operands,
/// the type of the result, the flags, the attributes.
#[derive(Debug)]
pub(crate) struct InvertibleOperands;

/// The text of [`InvertibleOperands`].
#[derive(Default)]
pub(crate) struct InvertibleContent {
    place: Option<usize>,
    /// The operands, and whether they are inverted.
    operands: Vec<(bool, Named)>,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

/// Returns the flags of `array<i1: ...>`.
fn flags(context: &Context, attribute: Option<Attribute>) -> Option<&[u8]> {
    match context.attribute_kind(attribute?) {
        AttributeKind::DenseArray { element, data, .. } => {
            let is_bool = matches!(
                context.type_kind(*element),
                TypeKind::Integer { width: 1, .. }
            );
            is_bool.then_some(data)
        }
        _ => None,
    }
}

impl TwoWayDirective for InvertibleOperands {
    type Content = InvertibleContent;

    fn content(&self, printed: &Printed<'_>) -> Option<InvertibleContent> {
        let [
            values,
            ty,
            inverted,
            PrintedArgument::Dictionary(attributes),
        ] = printed.arguments
        else {
            return None;
        };
        let (values, flags) = (
            values.operands(),
            flags(printed.context, inverted.attribute())?,
        );
        let pairs = values.iter().zip(flags);
        (flags.len() == values.len()).then(|| InvertibleContent {
            place: None,
            operands: pairs
                .map(|(&value, &flag)| (flag != 0, Named::of(value)))
                .collect(),
            attributes: attributes.clone(),
            ty: ty.types().first().copied(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InvertibleContent) -> AsmResult<bool> {
        content.place = asm.place();
        let there = !content.operands.is_empty();
        if asm.is_value_there(there) || asm.is_there("not", there) {
            asm.items(&mut content.operands, |asm, (inverted, value)| {
                asm.optional("not", "not ", inverted);
                asm.value(value)
            })?;
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: InvertibleContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (flags, values): (Vec<u8>, Vec<Named>) = content
            .operands
            .into_iter()
            .map(|(inverted, value)| (u8::from(inverted), value))
            .unzip();
        let context = parser.context();
        let kind = AttributeKind::DenseArray {
            element: context.integer_type(1),
            length: flags.len(),
            data: flags.into(),
        };
        let made = context
            .try_attribute(kind)
            .map_err(invalid(content.place))?;
        if let [to_values, to_ty, to_inverted, to_attributes] = arguments {
            *to_values = operands(&values);
            *to_ty = one_type(content.ty);
            *to_inverted = ParsedArgument::Attribute(Some(made));
            *to_attributes = ParsedArgument::Dictionary(content.attributes);
        }
        Ok(())
    }
}

/// The directive of a value with an optional guard: `%guard ? %value`. Arguments: the value, the
/// guard.
#[derive(Debug)]
pub(crate) struct Guarded;

/// The text of [`Guarded`].
#[derive(Default)]
pub(crate) struct GuardedContent {
    /// The guard if there is one, else the value.
    first: Named,
    is_guarded: bool,
    value: Named,
}

impl TwoWayDirective for Guarded {
    type Content = GuardedContent;

    fn content(&self, printed: &Printed<'_>) -> Option<GuardedContent> {
        let [value, guard] = printed.arguments else {
            return None;
        };
        let value = value.operands().first().copied()?;
        let guard = guard.operands().first().copied();
        Some(GuardedContent {
            first: Named::of(guard.unwrap_or(value)),
            is_guarded: guard.is_some(),
            value: Named::of(value),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut GuardedContent) -> AsmResult<bool> {
        asm.value(&mut content.first)?;
        asm.optional("?", " ? ", &mut content.is_guarded);
        if content.is_guarded {
            asm.value(&mut content.value)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: GuardedContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [value, guard] = arguments {
            (*value, *guard) = match content.is_guarded {
                true => (operands(&[content.value]), operands(&[content.first])),
                false => (operands(&[content.first]), operands(&[])),
            };
        }
        Ok(())
    }
}

/// The directive of numbers of operands and results of one type: `i4 [3 -> 2]`. Arguments: the
/// types of the operands, the types of the results.
#[derive(Debug)]
pub(crate) struct Counts;

/// The text of [`Counts`].
#[derive(Default)]
pub(crate) struct CountsContent {
    ty: Option<Type>,
    inputs: i64,
    results: i64,
}

impl TwoWayDirective for Counts {
    type Content = CountsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<CountsContent> {
        let [inputs, results] = printed.arguments else {
            return None;
        };
        let (inputs, results) = (inputs.types(), results.types());
        let first = inputs.first()?;
        let is_lossless = inputs.iter().chain(results).all(|ty| ty == first)
            && inputs.len().max(results.len()) <= MOST;
        if !is_lossless {
            return None;
        }
        Some(CountsContent {
            ty: Some(*first),
            inputs: i64::try_from(inputs.len()).ok()?,
            results: i64::try_from(results.len()).ok()?,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CountsContent) -> AsmResult<bool> {
        asm.ty(&mut content.ty)?;
        asm.token("[", " [")?;
        let place = asm.place();
        count(asm, place, &mut content.inputs)?;
        asm.token("->", " -> ")?;
        count(asm, place, &mut content.results)?;
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: CountsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for (argument, count) in arguments.iter_mut().zip([content.inputs, content.results]) {
            let types = content.ty.into_iter().cycle();
            let count = usize::try_from(count).unwrap_or_default();
            *argument = ParsedArgument::Types(types.take(count).collect());
        }
        Ok(())
    }
}

/// The directive of a result that there is unless its type is written as `none`. Arguments: the
/// operands' types, the type of the result.
#[derive(Debug)]
pub(crate) struct NoneOrType;

/// The types of the operands, and that of the result.
type NoneOrTypeContent = (Vec<Type>, Option<Type>);

impl TwoWayDirective for NoneOrType {
    type Content = NoneOrTypeContent;

    fn content(&self, printed: &Printed<'_>) -> Option<NoneOrTypeContent> {
        let [inputs, result] = printed.arguments else {
            return None;
        };
        let result = result.types().first().copied();
        let is_none = |ty| matches!(printed.context.type_kind(ty), TypeKind::None);
        (!result.is_some_and(is_none)).then(|| (inputs.types().to_vec(), result))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (inputs, result): &mut NoneOrTypeContent,
    ) -> AsmResult<bool> {
        asm.types_between(("(", ")"), inputs)?;
        asm.token("->", " -> ")?;
        match asm.is_there("none", result.is_none()) {
            true => asm.token("none", "none")?,
            false => asm.ty(result)?,
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (inputs, result): NoneOrTypeContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        // An alias can denote `none`.
        let result = result.filter(|&ty| !matches!(parser.context().type_kind(ty), TypeKind::None));
        if let [to_inputs, to_result] = arguments {
            *to_inputs = ParsedArgument::Types(inputs);
            *to_result = one_type(result);
        }
        Ok(())
    }
}

/// The directive of the types of two groups of operands, of which the first has as many as there
/// are operands: `, T, T`. Arguments: both groups' types, the operands of the first group.
#[derive(Debug)]
pub(crate) struct RestOfTypes;

impl TwoWayDirective for RestOfTypes {
    type Content = Vec<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Vec<Type>> {
        let [first, second, _] = printed.arguments else {
            return None;
        };
        Some([first.types(), second.types()].concat())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Vec<Type>) -> AsmResult<bool> {
        if !asm.is_there(",", !content.is_empty()) {
            return Ok(false);
        }
        asm.token(",", ", ")?;
        asm.types(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Vec<Type>,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [first, second, ParsedArgument::Operands(names)] = arguments {
            let (of_first, of_second) = content.split_at(names.len().min(content.len()));
            *first = ParsedArgument::Types(of_first.to_vec());
            *second = ParsedArgument::Types(of_second.to_vec());
        }
        Ok(())
    }
}

/// The directive of a sequence and the operands that replace its first types: `(%a) : T`.
/// Arguments: the operands, the type of the sequence, the types of the operands, the type of the
/// result.
#[derive(Debug)]
pub(crate) struct Replacements;

/// The text of [`Replacements`].
#[derive(Default)]
pub(crate) struct ReplacementsContent {
    values: Vec<Named>,
    place: Option<usize>,
    ty: Option<Type>,
}

/// Returns the types of a sequence.
fn elements(context: &Context, ty: Type) -> Vec<Type> {
    let elements = context.parameter(ty, "elementTypes");
    elements.map_or_else(Vec::new, |elements| {
        elements.items().filter_map(|one| one.ty()).collect()
    })
}

impl TwoWayDirective for Replacements {
    type Content = ReplacementsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ReplacementsContent> {
        let [values, ty, types, result] = printed.arguments else {
            return None;
        };
        let (&[ty], &[result]) = (ty.types(), result.types()) else {
            return None;
        };
        let elements = elements(printed.context, ty);
        let rest = elements.strip_prefix(types.types())?;
        super::functions::is_sequence_of(printed.context, result, rest).then(|| {
            ReplacementsContent {
                values: Named::all(values.operands().iter().copied()),
                place: None,
                ty: Some(ty),
            }
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ReplacementsContent) -> AsmResult<bool> {
        asm.values_between(("(", ")"), &mut content.values)?;
        asm.token(":", " : ")?;
        content.place = asm.place();
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ReplacementsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let elements = content.ty.map(|ty| elements(context, ty));
        let elements = elements.unwrap_or_default();
        let Some((replaced, rest)) = elements.split_at_checked(content.values.len()) else {
            return Err(failure(content.place, "too many replacement values"));
        };
        let builder = context.build_type("rtg.sequence");
        let made = builder.with("elementTypes", rest).build();
        let made = made.map_err(invalid(content.place))?;
        if let [to_values, to_ty, to_types, to_result] = arguments {
            *to_values = operands(&content.values);
            *to_ty = one_type(content.ty);
            *to_types = ParsedArgument::Types(replaced.to_vec());
            *to_result = one_type(Some(made));
        }
        Ok(())
    }
}
