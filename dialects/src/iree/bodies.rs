//! Directives for regions that are executed in parallel: `pcf.generic`, `pcf.loop`,
//! `flow.dispatch.workgroups`.

use super::values::SizedType;
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::{check_count, entry_arguments, integer};
use crate::two_way::{Argument, Asm, Named, items};
use rmlir_ir::asm::{
    AsmParser, AsmResult, ParsedArgument, PrintedArgument, RegionArgument, ValueNames,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Location, Module, Region, Type, Value};

/// The directive for a body with references to results, tied to operands or not, and indices:
///
/// ```text
/// execute(%ref = %init, %other)[%id: index]
///      : (!pcf.sref<...>, !pcf.sref<...>)
///     -> (tensor<4xf32>, tensor<?xf32>{%size}) {...}
/// ```
///
/// Its arguments are the operands and their types, sizes, the types of results, whether these are
/// tied, and the region; then, if there are any, the number of arguments in `-> (%a: type)` before
/// it.
#[derive(Debug)]
pub(crate) struct ParallelBody;

/// The number of arguments of [`ParallelBody`] without leading arguments.
const PLAIN: usize = 6;

/// The parsed parts of [`ParallelBody`].
#[derive(Default)]
pub(crate) struct Body {
    /// Whether there can be leading arguments.
    can_lead: bool,
    leading: Vec<Argument>,
    references: Vec<Reference>,
    indices: Vec<Argument>,
    /// The types of the references.
    types: Vec<Type>,
    results: Vec<SizedType>,
}

/// A reference to a result: `%ref`, `%ref = %init`.
#[derive(Default)]
struct Reference {
    argument: Named,
    /// The location that was read; none is printed.
    location: Option<Location>,
    is_tied: bool,
    operand: Named,
}

impl Reference {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.value(&mut self.argument)?;
        asm.location(None, &mut self.location)?;
        asm.optional("=", " = ", &mut self.is_tied);
        match self.is_tied {
            true => asm.value(&mut self.operand),
            false => Ok(()),
        }
    }
}

impl Body {
    /// Returns the types of the results that are tied, or of those that are not.
    fn results(&self, tied: bool) -> impl Iterator<Item = &SizedType> {
        let pairs = self.references.iter().zip(&self.results);
        pairs.filter_map(move |(one, result)| (one.is_tied == tied).then_some(result))
    }
}

/// Returns the value of an array's element that is a boolean.
fn boolean(context: &Context, item: Attribute) -> Option<bool> {
    match context.attribute_kind(item) {
        AttributeKind::Integer { ty, value } if *ty == context.i1_type() => Some(!value.is_zero()),
        _ => None,
    }
}

/// Returns the number of leading arguments that an attribute holds.
fn count_of(context: &Context, attribute: Option<Attribute>) -> Option<usize> {
    usize::try_from(integer(context, attribute)?).ok()
}

/// Returns an attribute for a number of arguments.
fn count(context: &mut Context, count: usize) -> ParsedArgument {
    let i64 = context.i64_type();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    ParsedArgument::Attribute(context.integer_attribute(i64, count).ok())
}

impl TwoWayDirective for ParallelBody {
    type Content = Body;

    fn shows_terminators(&self) -> bool {
        true
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Body {
        Body {
            can_lead: arguments.len() > PLAIN,
            ..Body::default()
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Body> {
        let [operands, types, sizes, results, tied, region, rest @ ..] = printed.arguments else {
            return None;
        };
        let &PrintedArgument::Region { number, .. } = region else {
            return None;
        };
        let (context, module) = (printed.context, printed.module);
        let mut body = self.given(&[]);
        let mut arguments = Argument::all(module, printed.operation, number).into_iter();
        if let [leading, ..] = rest {
            let count = count_of(context, leading.attribute())?;
            body.can_lead = true;
            body.leading = arguments.by_ref().take(count).collect();
            (body.leading.len() == count).then_some(())?;
        }
        let tied = items(context, tied.attribute())?;
        (tied.len() == results.types().len()).then_some(())?;
        let mut operands = operands.operands().iter();
        let mut tied_types = types.types().iter();
        let mut sizes = sizes.operands().iter().copied();
        for (&ty, &tied) in results.types().iter().zip(tied) {
            let argument = arguments.next()?;
            let mut reference = Reference {
                argument: argument.value,
                is_tied: boolean(context, tied)?,
                ..Reference::default()
            };
            let mut result = SizedType {
                ty: Some(ty),
                sizes: Vec::new(),
            };
            match reference.is_tied {
                true => {
                    reference.operand = Named::of(*operands.next()?);
                    tied_types.next().filter(|&&of| of == ty)?;
                }
                false => result = SizedType::next(context, ty, &mut sizes)?,
            }
            body.types.extend(argument.ty);
            body.references.push(reference);
            body.results.push(result);
        }
        body.indices = arguments.collect();
        let rest = (operands.next(), tied_types.next(), sizes.next());
        matches!(rest, (None, None, None)).then_some(body)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Body) -> AsmResult<bool> {
        if content.can_lead && asm.is_there("->", !content.leading.is_empty()) {
            asm.token("->", "-> ")?;
            asm.arguments(&mut content.leading)?;
        }
        asm.newline();
        asm.token("execute", "  execute")?;
        if asm.is_there("(", !content.references.is_empty()) {
            asm.token("(", "(")?;
            asm.items(&mut content.references, |asm, one| one.text(asm))?;
            asm.token(")", ")")?;
        }
        asm.list(("[", "]"), &mut content.indices, Asm::argument)?;
        if !content.references.is_empty() {
            let count = content.references.len();
            asm.newline();
            asm.token(":", "       : ")?;
            asm.types_between(("(", ")"), &mut content.types)?;
            check_count(count, content.types.len(), asm.place().unwrap_or_default())?;
            asm.newline();
            asm.token("->", "      -> ")?;
            let mut references = content.references.iter();
            asm.list(
                ("(", ")"),
                &mut content.results,
                |asm, result| match references.next().is_some_and(|one| one.is_tied) {
                    true => asm.ty(&mut result.ty),
                    false => asm.sized_type(result),
                },
            )?;
            check_count(
                count,
                content.results.len(),
                asm.place().unwrap_or_default(),
            )?;
        }
        asm.space(" ");
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Body,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [operands, types, sizes, results, tied, region, rest @ ..] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let all = content.references.iter();
        let all: Vec<Attribute> = all.map(|one| context.bool_attribute(one.is_tied)).collect();
        let named = content.references.iter().filter_map(|one| one.operand.name);
        *operands = ParsedArgument::Operands(named.collect());
        *types = ParsedArgument::Types(SizedType::types(content.results(true)));
        *sizes = SizedType::sizes(content.results(false));
        *results = ParsedArgument::Types(SizedType::types(&content.results));
        *tied = ParsedArgument::Attribute(Some(context.array_attribute(&all)));
        if let [leading, ..] = rest {
            *leading = count(context, content.leading.len());
        }
        let reference = |(one, &ty): (&Reference, &Type)| {
            Some(RegionArgument {
                name: one.argument.name?,
                ty,
                location: one.location,
            })
        };
        let references = content.references.iter().zip(&content.types);
        let mut all: Vec<_> = content
            .leading
            .iter()
            .filter_map(Argument::parsed)
            .collect();
        all.extend(references.filter_map(reference));
        all.extend(content.indices.iter().filter_map(Argument::parsed));
        if let ParsedArgument::Region { arguments, .. } = region {
            *arguments = Some(all);
        }
        Ok(())
    }
}

/// Returns how many of the last arguments of a block have a type, of those after the first
/// `leading` ones.
fn index_count(module: &Module, region: Option<Region>, leading: usize, index: Type) -> usize {
    let block = region.and_then(|region| module.first_block(region));
    let arguments = block.into_iter().flat_map(|block| module.arguments(block));
    let types: Vec<Type> = arguments
        .map(|(value, _)| module.value_type(value))
        .collect();
    let types = types.get(leading..).unwrap_or_default();
    types.iter().rev().take_while(|&&ty| ty == index).count()
}

/// The directive, without text, for the number of indices among the arguments of the region before
/// it. Its arguments are the region and the number of its leading arguments, as references, and
/// that number.
#[derive(Debug)]
pub(crate) struct IndexArguments;

impl TwoWayDirective for IndexArguments {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let [PrintedArgument::Region { number, .. }, leading, count] = printed.arguments else {
            return None;
        };
        let (context, module) = (printed.context, printed.module);
        let leading = count_of(context, leading.attribute())?;
        let region = module.region(printed.operation, *number);
        let found = index_count(module, region, leading, context.index_type());
        (count_of(context, count.attribute()) == Some(found)).then_some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (): (),
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [_, leading, of_count] = arguments else {
            return Err(other_arguments(parser));
        };
        let leading = match leading {
            ParsedArgument::Attribute(leading) => count_of(parser.context(), *leading),
            _ => None,
        };
        let (region, index) = (parser.region(), parser.context().index_type());
        let found = index_count(parser.module(), region, leading.unwrap_or(0), index);
        *of_count = count(parser.context(), found);
        Ok(())
    }
}

/// Names the arguments of parallel bodies: `id`, `count`, `ref`.
#[derive(Debug)]
pub(crate) struct BodyNames {
    /// The number of the region.
    pub(crate) region: usize,
    /// Whether a half of the indices are counts.
    pub(crate) counts: bool,
}

impl ValueNames for BodyNames {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(operation) = module.region_parent(region) else {
            return;
        };
        if module.region(operation, self.region) != Some(region) {
            return;
        }
        let arguments = entry_arguments(module, operation, self.region);
        let results = module.result_count(operation);
        let leading = module.attribute(context, operation, "num_leading_args");
        let leading = integer(context, leading).and_then(|n| usize::try_from(n).ok());
        let Some((_, rest)) = arguments.split_at_checked(leading.unwrap_or(0)) else {
            return;
        };
        let Some((references, indices)) = rest.split_at_checked(results) else {
            return;
        };
        let ids = match self.counts {
            true => indices.len().div_ceil(2),
            false => indices.len(),
        };
        for (number, &index) in indices.iter().enumerate() {
            name(index, if number < ids { "id" } else { "count" });
        }
        for &reference in references {
            name(reference, "ref");
        }
    }
}

/// The directive for the body of `flow.dispatch.workgroups`: `(%a: type, %b: type) {...}`. The
/// last argument is the region.
#[derive(Debug)]
pub(crate) struct WorkgroupBody;

impl TwoWayDirective for WorkgroupBody {
    type Content = Vec<Argument>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let &PrintedArgument::Region { number, .. } = printed.arguments.last()? else {
            return None;
        };
        let region = printed.module.region(printed.operation, number)?;
        printed.module.first_block(region)?;
        Some(Argument::all(printed.module, printed.operation, number))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.arguments(content)?;
        asm.space(" ");
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let Some(ParsedArgument::Region { arguments, .. }) = arguments.last_mut() {
            *arguments = Some(content.iter().filter_map(Argument::parsed).collect());
        }
        Ok(())
    }
}
