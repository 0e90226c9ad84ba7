//! Directives for regions that are executed in parallel: `pcf.generic`, `pcf.loop`,
//! `flow.dispatch.workgroups`.

use super::values::{parse_sizes, print_sizes};
use crate::helpers::{between, comma_separated, entry_arguments, integer, located_arguments};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
    RegionArgument, ValueNames,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Region, Type, Value};

/// Parses `(%a: type, %b: type)` between two brackets.
fn typed_arguments(
    parser: &mut dyn AsmParser,
    brackets: (&str, &str),
) -> AsmResult<Vec<RegionArgument>> {
    between(parser, brackets, |parser| {
        let name = parser.operand_name()?;
        parser.expect(":")?;
        let ty = parser.ty()?;
        let location = parser.location()?;
        Ok(RegionArgument { name, ty, location })
    })
}

/// Returns the elements of an array of booleans.
fn booleans(context: &Context, attribute: Option<Attribute>) -> Option<Vec<bool>> {
    let AttributeKind::Array(items) = context.attribute_kind(attribute?) else {
        return None;
    };
    let items = items.iter();
    items
        .map(|&item| match context.attribute_kind(item) {
            AttributeKind::Integer { ty, value } if *ty == context.i1_type() => {
                Some(!value.is_zero())
            }
            _ => None,
        })
        .collect()
}

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

/// The arguments of the directive when it prints.
struct Parts<'a> {
    operands: &'a [Value],
    types: &'a [Type],
    sizes: &'a [Value],
    results: &'a [Type],
    tied: Vec<bool>,
    arguments: Vec<(Value, rmlir_ir::Location)>,
    /// The number of leading arguments.
    leading: usize,
}

impl ParallelBody {
    /// Returns the parts, unless some have no text.
    fn parts<'a>(
        (context, module, operation): (&Context, &Module, Operation),
        arguments: &'a [PrintedArgument],
    ) -> Option<Parts<'a>> {
        let [operands, types, sizes, results, tied, region, rest @ ..] = arguments else {
            return None;
        };
        let PrintedArgument::Region { number, .. } = region else {
            return None;
        };
        let leading = match rest.first() {
            Some(leading) => usize::try_from(integer(context, leading.attribute())?).ok()?,
            None => 0,
        };
        let parts = Parts {
            operands: operands.operands(),
            types: types.types(),
            sizes: sizes.operands(),
            results: results.types(),
            tied: booleans(context, tied.attribute())?,
            arguments: located_arguments(module, operation, *number),
            leading,
        };
        let fits = parts.tied.len() == parts.results.len()
            && leading.checked_add(parts.results.len())? <= parts.arguments.len();
        fits.then_some(parts)
    }
}

/// Walks the types of the results, and prints them if there is a printer. Returns whether the text
/// has all sizes.
fn walk_results(
    context: &Context,
    mut printer: Option<&mut (dyn AsmPrinter<'_> + '_)>,
    parts: &Parts<'_>,
) -> bool {
    let mut sizes = parts.sizes.iter().copied();
    for (number, (&ty, &tied)) in parts.results.iter().zip(&parts.tied).enumerate() {
        if let Some(printer) = printer.as_deref_mut() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.ty(ty);
        }
        if !tied && !print_sizes(context, printer.as_deref_mut(), ty, &mut sizes) {
            return false;
        }
    }
    sizes.next().is_none()
}

impl DirectiveSyntax for ParallelBody {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let leading = match arguments.len() > PLAIN && parser.eat("->") {
            true => typed_arguments(parser, ("(", ")"))?,
            false => Vec::new(),
        };
        parser.expect("execute")?;
        let (mut names, mut operands, mut tied) = (Vec::new(), Vec::new(), Vec::new());
        if parser.eat("(") {
            comma_separated(parser, |parser| {
                names.push((parser.operand_name()?, parser.location()?));
                tied.push(parser.eat("="));
                if tied.last() == Some(&true) {
                    operands.push(parser.operand_name()?);
                }
                Ok(())
            })?;
            parser.expect(")")?;
        }
        let indices = typed_arguments(parser, ("[", "]"))?;
        let (mut types, mut sizes, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let mut references = Vec::new();
        if !names.is_empty() {
            parser.expect(":")?;
            references = between(parser, ("(", ")"), |parser| parser.ty())?;
            crate::helpers::check_count(names.len(), references.len(), parser.place())?;
            parser.expect("->")?;
            let mut tied = tied.iter();
            results = between(parser, ("(", ")"), |parser| {
                let ty = parser.ty()?;
                match tied.next() {
                    Some(true) => types.push(ty),
                    _ => parse_sizes(parser, ty, &mut sizes)?,
                }
                Ok(ty)
            })?;
            crate::helpers::check_count(names.len(), results.len(), parser.place())?;
        }
        let count = i64::try_from(leading.len()).unwrap_or(i64::MAX);
        let mut region = leading;
        let references = names.into_iter().zip(references);
        region.extend(references.map(|((name, location), ty)| RegionArgument {
            name,
            ty,
            location,
        }));
        region.extend(indices);
        let context = parser.context();
        let tied: Vec<Attribute> = tied.iter().map(|&b| context.bool_attribute(b)).collect();
        let tied = context.array_attribute(&tied);
        let i64 = context.i64_type();
        let count = context.integer_attribute(i64, count).ok();
        if let [
            of_operands,
            of_types,
            of_sizes,
            of_results,
            of_tied,
            of_region,
            rest @ ..,
        ] = arguments
        {
            *of_operands = ParsedArgument::Operands(operands);
            *of_types = ParsedArgument::Types(types);
            *of_sizes = ParsedArgument::Operands(sizes);
            *of_results = ParsedArgument::Types(results);
            *of_tied = ParsedArgument::Attribute(Some(tied));
            if let ParsedArgument::Region { arguments, .. } = of_region {
                *arguments = Some(region);
            }
            if let Some(of_leading) = rest.first_mut() {
                *of_leading = ParsedArgument::Attribute(count);
            }
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let (context, module) = (printer.context(), printer.module());
        let Some(parts) = Self::parts((context, module, operation), arguments) else {
            return;
        };
        let (leading, rest) = parts
            .arguments
            .split_at_checked(parts.leading)
            .unwrap_or_default();
        let count = parts.results.len();
        let (references, indices) = rest.split_at_checked(count).unwrap_or_default();
        let list = |printer: &mut dyn AsmPrinter, list: &[(Value, rmlir_ir::Location)]| {
            for (number, &(argument, location)) in list.iter().enumerate() {
                printer.text(if number > 0 { ", " } else { "" });
                printer.region_argument(argument, location, &[]);
            }
        };
        if !leading.is_empty() {
            printer.text("-> (");
            list(printer, leading);
            printer.text(")");
        }
        printer.newline();
        printer.text("  execute");
        if count > 0 {
            let mut operands = parts.operands.iter();
            printer.text("(");
            for (number, (&(argument, _), &tied)) in references.iter().zip(&parts.tied).enumerate()
            {
                printer.text(if number > 0 { ", " } else { "" });
                printer.operand(argument);
                if tied && let Some(&operand) = operands.next() {
                    printer.text(" = ");
                    printer.operand(operand);
                }
            }
            printer.text(")");
        }
        printer.text("[");
        list(printer, indices);
        printer.text("]");
        if count > 0 {
            printer.newline();
            printer.text("       : (");
            printer.types(
                references
                    .iter()
                    .map(|&(value, _)| module.value_type(value)),
            );
            printer.text(")");
            printer.newline();
            printer.text("      -> (");
            walk_results(context, Some(printer), &parts);
            printer.text(")");
        }
        printer.text(" ");
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        Self::parts((context, module, operation), arguments).is_some_and(|parts| {
            let tied = parts.results.iter().zip(&parts.tied);
            let tied = tied.filter(|(_, tied)| **tied).map(|(ty, _)| *ty);
            tied.eq(parts.types.iter().copied())
                && parts.operands.len() == parts.types.len()
                && walk_results(context, None, &parts)
        })
    }
}

/// Returns how many of the last arguments of a block are indices, of those after the first
/// `leading` ones.
fn index_count(
    context: &Context,
    module: &Module,
    region: Option<Region>,
    leading: usize,
) -> usize {
    let block = region.and_then(|region| module.first_block(region));
    let arguments = block.into_iter().flat_map(|block| module.arguments(block));
    let types: Vec<Type> = arguments
        .map(|(value, _)| module.value_type(value))
        .collect();
    let types = types.get(leading..).unwrap_or_default();
    let is_index = |ty: &&Type| **ty == context.index_type();
    types.iter().rev().take_while(is_index).count()
}

/// The directive, without text, for the number of indices among the arguments of the region before
/// it. Its arguments are the region and the number of its leading arguments, as references, and
/// that number.
#[derive(Debug)]
pub(crate) struct IndexArguments;

impl DirectiveSyntax for IndexArguments {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [_, leading, of_count] = arguments else {
            return Ok(false);
        };
        let leading = match leading {
            ParsedArgument::Attribute(leading) => integer(parser.context(), *leading),
            _ => None,
        };
        let leading = leading.and_then(|leading| usize::try_from(leading).ok());
        let region = parser.region();
        let is_index = parser.context().index_type();
        let module = parser.module();
        let block = region.and_then(|region| module.first_block(region));
        let arguments = block.into_iter().flat_map(|block| module.arguments(block));
        let types: Vec<Type> = arguments
            .map(|(value, _)| module.value_type(value))
            .collect();
        let types = types.get(leading.unwrap_or(0)..).unwrap_or_default();
        let count = types.iter().rev().take_while(|&&ty| ty == is_index).count();
        let context = parser.context();
        let i64 = context.i64_type();
        let count = i64::try_from(count).ok();
        let count = count.and_then(|count| context.integer_attribute(i64, count).ok());
        *of_count = ParsedArgument::Attribute(count);
        Ok(true)
    }

    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: &[PrintedArgument]) {}

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [PrintedArgument::Region { number, .. }, leading, count] = arguments else {
            return false;
        };
        let leading = integer(context, leading.attribute());
        let Some(leading) = leading.and_then(|leading| usize::try_from(leading).ok()) else {
            return false;
        };
        let found = index_count(context, module, module.region(operation, *number), leading);
        integer(context, count.attribute()) == i64::try_from(found).ok()
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

impl DirectiveSyntax for WorkgroupBody {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let declared = typed_arguments(parser, ("(", ")"))?;
        if let Some(ParsedArgument::Region { arguments, .. }) = arguments.last_mut() {
            *arguments = Some(declared);
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let Some(PrintedArgument::Region { number, .. }) = arguments.last() else {
            return;
        };
        let arguments = located_arguments(printer.module(), operation, *number);
        crate::helpers::print_declared_arguments(printer, arguments);
    }

    fn can_print(
        &self,
        _: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let Some(PrintedArgument::Region { number, .. }) = arguments.last() else {
            return false;
        };
        let region = module.region(operation, *number);
        region.is_some_and(|region| module.first_block(region).is_some())
    }
}
