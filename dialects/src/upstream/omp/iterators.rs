//! `omp.iterator`, and the clauses whose values can be lists that it makes.

use super::case;
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, items_of, other_arguments};
use crate::helpers::is_of;
use crate::two_way::{Argument, Asm, Named, failure, operands};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Context, Type};

/// Returns whether a type is that of a list that an iterator makes.
fn is_iterated(context: &Context, ty: Option<Type>) -> bool {
    ty.is_some_and(|ty| is_of(context, ty, "omp", "iterated"))
}

/// Returns whether the values of each list have types that tell it from the other.
fn are_distinct(context: &Context, plain: &[TypedName], iterated: &[TypedName]) -> bool {
    let is_iterated = |value: &TypedName| is_iterated(context, value.ty);
    !plain.iter().any(is_iterated) && iterated.iter().all(is_iterated)
}

/// The directive `%i: type) = (%lower to %upper step %step)` and of the region. A text that is read
/// can omit the type `index`. The bounds have the types of the variables.
#[derive(Debug)]
pub(crate) struct Header;

/// The parsed parts of [`Header`].
#[derive(Default)]
pub(crate) struct HeaderContent {
    place: Option<usize>,
    variables: Vec<Argument>,
    /// The lower bound, the upper bound and the step for each variable.
    ranges: Vec<[Named; 3]>,
}

/// `%i: type`.
fn variable(asm: &mut Asm<'_, '_>, variable: &mut Argument) -> AsmResult<()> {
    let Asm::Parser(parser) = asm else {
        return asm.argument(variable);
    };
    variable.value.name = Some(parser.operand_name()?);
    variable.ty = Some(match parser.eat(":") {
        true => parser.ty()?,
        false => parser.context().index_type(),
    });
    variable.location = parser.location()?;
    Ok(())
}

impl TwoWayDirective for Header {
    type Content = HeaderContent;

    const OMITS_EMPTY_REGION: bool = false;

    fn content(&self, printed: &Printed<'_>) -> Option<HeaderContent> {
        let [
            PrintedArgument::Region { number, .. },
            lower,
            upper,
            step,
            ..,
        ] = printed.arguments
        else {
            return None;
        };
        let variables = Argument::all(printed.module, printed.operation, *number);
        let bounds = [lower, upper, step].map(PrintedArgument::operands);
        let types = variables.iter().map(|variable| variable.ty);
        let have_types = bounds.iter().all(|bounds| {
            let found = bounds
                .iter()
                .map(|&bound| Some(printed.module.value_type(bound)));
            found.eq(types.clone())
        });
        let [lower, upper, step] = bounds;
        let ranges = lower.iter().zip(upper).zip(step);
        let range = |((&lower, &upper), &step)| [lower, upper, step].map(Named::of);
        (have_types && !variables.is_empty()).then(|| HeaderContent {
            place: None,
            ranges: ranges.map(range).collect(),
            variables,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut HeaderContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.items(&mut content.variables, variable)?;
        asm.token(")", ")")?;
        asm.token("=", " = ")?;
        asm.token("(", "(")?;
        asm.items(&mut content.ranges, |asm, [lower, upper, step]| {
            asm.value(lower)?;
            asm.token("to", " to ")?;
            asm.value(upper)?;
            asm.token("step", " step ")?;
            asm.value(step)
        })?;
        asm.token(")", ") ")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: HeaderContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [
            ParsedArgument::Region { arguments, .. },
            lower,
            upper,
            step,
            types @ ..,
        ] = arguments
        else {
            return Err(other_arguments(parser));
        };
        let (variables, ranges) = (&content.variables, &content.ranges);
        if variables.len() != ranges.len() {
            let (variables, ranges) = (variables.len(), ranges.len());
            let message = format!("mismatch: {variables} variables but {ranges} ranges");
            return Err(failure(content.place, message));
        }
        *arguments = Some(variables.iter().filter_map(Argument::parsed).collect());
        let of_variables: Vec<Type> = variables.iter().filter_map(|one| one.ty).collect();
        for types in types {
            *types = ParsedArgument::Types(of_variables.clone());
        }
        let bound = |bound: fn(&[Named; 3]) -> Named| {
            let bounds: Vec<Named> = ranges.iter().map(bound).collect();
            operands(&bounds)
        };
        *lower = bound(|&[lower, _, _]| lower);
        *upper = bound(|&[_, upper, _]| upper);
        *step = bound(|&[_, _, step]| step);
        Ok(())
    }
}

/// The directive for dependences: `taskdependin -> %a : type`. Its arguments are the values, their
/// types and kinds; in newer releases also lists of values, their types and kinds.
#[derive(Debug)]
pub(crate) struct Depend;

const KIND: Case = case("ClauseTaskDepend", "clause_task_depend");

impl TwoWayDirective for Depend {
    type Content = Vec<(TypedName, Option<Attribute>)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types, kinds, iterated @ ..] = printed.arguments else {
            return None;
        };
        let values = TypedName::all(values, types)?;
        let kinds = kinds.attribute();
        let (lists, of_lists) = match iterated {
            [] => (Vec::new(), None),
            [lists, types, kinds] => (TypedName::all(lists, types)?, Some(kinds.attribute())),
            _ => return None,
        };
        // A text has all arrays if it has a value, else none.
        let is_empty = values.is_empty() && lists.is_empty();
        let is_whole = |kinds: Option<Attribute>| kinds.is_none() == is_empty;
        let context = printed.context;
        if !is_whole(kinds)
            || !of_lists.is_none_or(is_whole)
            || !are_distinct(context, &values, &lists)
        {
            return None;
        }
        let mut all = items_of(context, kinds, values.len())?;
        all.extend(items_of(context, of_lists.flatten(), lists.len())?);
        let fits = all.iter().all(|&kind| KIND.fits(context, Some(kind)));
        let values = values.into_iter().chain(lists);
        fits.then(|| values.zip(all.into_iter().map(Some)).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, (value, kind)| {
            asm.case(&KIND, kind)?;
            asm.token("->", " -> ")?;
            asm.typed(value, " : ")
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [values, types, kinds, iterated @ ..] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let is_plain =
            |(value, _): &(TypedName, Option<Attribute>)| !is_iterated(context, value.ty);
        let (plain, lists) = match iterated {
            [] => (content, Vec::new()),
            _ => content.into_iter().partition(is_plain),
        };
        let (of_plain, of): (Vec<_>, Vec<_>) = plain.into_iter().unzip();
        *kinds = array(context, of);
        TypedName::set(of_plain, values, types);
        if let [values, types, kinds] = iterated {
            let (of_lists, of): (Vec<_>, Vec<_>) = lists.into_iter().unzip();
            *kinds = array(context, of);
            TypedName::set(of_lists, values, types);
        }
        Ok(())
    }
}

/// Returns an array of attributes.
fn array(context: &mut Context, all: Vec<Option<Attribute>>) -> ParsedArgument {
    let all: Vec<Attribute> = all.into_iter().flatten().collect();
    ParsedArgument::Attribute(Some(context.array_attribute(&all)))
}

/// The directive `%list : type, %entry : type`: lists of entries, and entries. Its arguments are
/// those lists, the entries, and the types of both.
#[derive(Debug)]
pub(crate) struct Affinity;

impl TwoWayDirective for Affinity {
    type Content = Vec<TypedName>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [lists, entries, of_lists, of_entries] = printed.arguments else {
            return None;
        };
        let mut lists = TypedName::all(lists, of_lists)?;
        let entries = TypedName::all(entries, of_entries)?;
        are_distinct(printed.context, &entries, &lists).then(|| {
            lists.extend(entries);
            lists
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, one| asm.typed(one, " : "))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [lists, entries, of_lists, of_entries] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let is_list = |value: &TypedName| is_iterated(context, value.ty);
        let (all_lists, all_entries): (Vec<_>, Vec<_>) = content.into_iter().partition(is_list);
        TypedName::set(all_lists, lists, of_lists);
        TypedName::set(all_entries, entries, of_entries);
        Ok(())
    }
}
