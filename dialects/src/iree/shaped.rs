//! Directives for the types of operands and results with their sizes, for results that are tied to
//! operands, and for regions with such signatures.

use super::values::{index_array, integers, parse_sizes, print_sizes, tied_type};
use crate::helpers::{located_arguments, region_arguments};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    PrintedArgument, RegionArgument,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Type, Value};

/// Results with their sizes, and what they are tied to.
#[derive(Default)]
struct Results {
    types: Vec<Type>,
    sizes: Vec<OperandName>,
    tied: Vec<i64>,
}

/// Parses `type{%size}, %operand, %operand as type{%size}`, without sizes unless `sized`.
fn parse_results(
    parser: &mut dyn AsmParser,
    operands: &[OperandName],
    types: &[Type],
    sized: bool,
) -> AsmResult<Results> {
    let mut results = Results::default();
    let is_list = parser.eat("(");
    if is_list && parser.eat(")") {
        return Ok(results);
    }
    loop {
        let (ty, tied) = tied_type(parser, operands, types)?;
        if sized {
            parse_sizes(parser, ty, &mut results.sizes)?;
        }
        results.types.push(ty);
        results.tied.push(tied);
        if !parser.eat(",") {
            break;
        }
    }
    if is_list {
        parser.expect(")")?;
    }
    Ok(results)
}

/// Stores what results are tied to.
fn tied_argument(parser: &mut dyn AsmParser, tied: &[i64]) -> ParsedArgument {
    let value = match tied.is_empty() {
        true => None,
        false => index_array(parser.context(), tied),
    };
    ParsedArgument::Attribute(value)
}

/// Returns the indices of the operands that results are tied to; -1 for a result that is not tied,
/// as all are without the attribute.
pub(super) fn tied_to(
    context: &Context,
    tied: Option<Attribute>,
    results: usize,
) -> Option<Vec<i64>> {
    match tied {
        None => Some(vec![-1; results]),
        Some(_) => integers(context, tied).filter(|tied| tied.len() == results),
    }
}

/// The operands and results of a directive that prints.
struct Shown<'p> {
    operands: &'p [Value],
    results: &'p [Type],
    sizes: &'p [Value],
    tied: Option<Attribute>,
    /// Whether sizes follow the types.
    sized: bool,
}

/// Walks the text of results, and prints it if there is a printer. Returns whether the text has all
/// sizes, and names what the results are tied to.
fn walk_results(
    (context, module): (&Context, &Module),
    mut printer: Option<&mut (dyn AsmPrinter<'_> + '_)>,
    shown: &Shown<'_>,
) -> bool {
    let Some(tied) = tied_to(context, shown.tied, shown.results.len()) else {
        return false;
    };
    let wrapped = shown.results.len() != 1;
    if let Some(printer) = printer.as_deref_mut().filter(|_| wrapped) {
        printer.text("(");
    }
    let mut sizes = shown.sizes.iter().copied();
    for (number, (&ty, at)) in shown.results.iter().zip(tied).enumerate() {
        let to = usize::try_from(at).ok();
        let operand = to.and_then(|to| shown.operands.get(to).copied());
        if to.is_some() != operand.is_some() || to.is_none() && at != -1 {
            return false;
        }
        // The first operand of that value is found when it is read.
        if let Some(operand) = operand
            && shown.operands.iter().position(|&other| other == operand) != to
        {
            return false;
        }
        let same = operand.is_some_and(|operand| module.value_type(operand) == ty);
        if let Some(printer) = printer.as_deref_mut() {
            if number > 0 {
                printer.text(", ");
            }
            if let Some(operand) = operand {
                printer.operand(operand);
                printer.text(if same { "" } else { " as " });
            }
            if !same {
                printer.ty(ty);
            }
        }
        if shown.sized && !print_sizes(context, printer.as_deref_mut(), ty, &mut sizes) {
            return false;
        }
    }
    if let Some(printer) = printer.filter(|_| wrapped) {
        printer.text(")");
    }
    sizes.next().is_none()
}

/// Walks the text of types with sizes.
fn walk_types(
    context: &Context,
    mut printer: Option<&mut (dyn AsmPrinter<'_> + '_)>,
    types: &[Type],
    sizes: &[Value],
) -> bool {
    let mut sizes = sizes.iter().copied();
    for (number, &ty) in types.iter().enumerate() {
        if let Some(printer) = printer.as_deref_mut() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.ty(ty);
        }
        if !print_sizes(context, printer.as_deref_mut(), ty, &mut sizes) {
            return false;
        }
    }
    sizes.next().is_none()
}

/// Parses `type{%size}, type`, at least one.
fn parse_types(parser: &mut dyn AsmParser) -> AsmResult<(Vec<Type>, Vec<OperandName>)> {
    let (mut types, mut sizes) = (Vec::new(), Vec::new());
    loop {
        let ty = parser.ty()?;
        types.push(ty);
        parse_sizes(parser, ty, &mut sizes)?;
        if !parser.eat(",") {
            return Ok((types, sizes));
        }
    }
}

/// The directive for a function type with sizes: `(type{%a}, type) -> (type{%b}, %operand)`. Its
/// arguments are the operands (as a reference), their types and sizes, the types and sizes of
/// results, and what these are tied to.
#[derive(Debug)]
pub(crate) struct FunctionType;

impl DirectiveSyntax for FunctionType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [ParsedArgument::Operands(operands), rest @ ..] = arguments else {
            return Ok(false);
        };
        parser.expect("(")?;
        let (types, sizes) = match parser.at(")") {
            true => (Vec::new(), Vec::new()),
            false => parse_types(parser)?,
        };
        parser.expect(")")?;
        parser.expect("->")?;
        let results = parse_results(parser, operands, &types, true)?;
        let tied = tied_argument(parser, &results.tied);
        if let [of_types, of_sizes, of_results, of_result_sizes, of_tied] = rest {
            *of_types = ParsedArgument::Types(types);
            *of_sizes = ParsedArgument::Operands(sizes);
            *of_results = ParsedArgument::Types(results.types);
            *of_result_sizes = ParsedArgument::Operands(results.sizes);
            *of_tied = tied;
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [operands, types, sizes, results, result_sizes, tied] = arguments else {
            return;
        };
        let (context, module) = (printer.context(), printer.module());
        printer.text("(");
        walk_types(context, Some(printer), types.types(), sizes.operands());
        printer.text(") -> ");
        let shown = Shown {
            operands: operands.operands(),
            results: results.types(),
            sizes: result_sizes.operands(),
            tied: tied.attribute(),
            sized: true,
        };
        walk_results((context, module), Some(printer), &shown);
    }

    fn can_print(
        &self,
        context: &Context,
        (module, _): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, types, sizes, results, result_sizes, tied] = arguments else {
            return false;
        };
        let shown = Shown {
            operands: operands.operands(),
            results: results.types(),
            sizes: result_sizes.operands(),
            tied: tied.attribute(),
            sized: true,
        };
        walk_types(context, None, types.types(), sizes.operands())
            && walk_results((context, module), None, &shown)
    }
}

/// The directive for the results of a call: `type`, or `(type, %operand as type)`. Its arguments
/// are
/// the operands and their types (as references), the types of results, and what these are tied to.
#[derive(Debug)]
pub(crate) struct TiedResults;

impl DirectiveSyntax for TiedResults {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [
            ParsedArgument::Operands(operands),
            ParsedArgument::Types(types),
            rest @ ..,
        ] = arguments
        else {
            return Ok(false);
        };
        let results = parse_results(parser, operands, types, false)?;
        let tied = tied_argument(parser, &results.tied);
        if let [of_results, of_tied] = rest {
            *of_results = ParsedArgument::Types(results.types);
            *of_tied = tied;
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [operands, _, results, tied] = arguments {
            let of = (printer.context(), printer.module());
            let shown = Shown {
                operands: operands.operands(),
                results: results.types(),
                sizes: &[],
                tied: tied.attribute(),
                sized: false,
            };
            walk_results(of, Some(printer), &shown);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        (module, _): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, _, results, tied] = arguments else {
            return false;
        };
        let shown = Shown {
            operands: operands.operands(),
            results: results.types(),
            sizes: &[],
            tied: tied.attribute(),
            sized: false,
        };
        walk_results((context, module), None, &shown)
    }
}

/// The directive for a result with sizes that can be tied to the first operand: `type{%a}`,
/// `%operand
/// as type{%a}`. Its arguments are the type, the sizes, and what it is tied to, if the operation
/// stores it. As upstream, it is always printed as tied.
#[derive(Debug)]
pub(crate) struct TiedResult;

impl DirectiveSyntax for TiedResult {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let tied = parser.at_operand();
        if tied {
            parser.operand_name()?;
            parser.expect("as")?;
        }
        let ty = parser.ty()?;
        let mut sizes = Vec::new();
        parse_sizes(parser, ty, &mut sizes)?;
        let tied = index_array(parser.context(), &[if tied { 0 } else { -1 }]);
        if let [of_type, of_sizes, rest @ ..] = arguments {
            *of_type = ParsedArgument::Types(vec![ty]);
            *of_sizes = ParsedArgument::Operands(sizes);
            if let [of_tied] = rest {
                *of_tied = ParsedArgument::Attribute(tied);
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
        let [ty, sizes, ..] = arguments else {
            return;
        };
        let (context, module) = (printer.context(), printer.module());
        if let Some(operand) = module.operands(operation).next() {
            printer.operand(operand);
            printer.text(" as ");
        }
        walk_types(context, Some(printer), ty.types(), sizes.operands());
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [ty, sizes, rest @ ..] = arguments else {
            return false;
        };
        // The text is read as tied to the first operand.
        let tied = rest.first().map(|tied| integers(context, tied.attribute()));
        let is_tied = tied.is_none_or(|tied| tied.is_some_and(|tied| *tied == [0]));
        is_tied
            && module.operand_count(operation) > 0
            && walk_types(context, None, ty.types(), sizes.operands())
    }
}

/// The directive for types with sizes that several groups share: the types of both groups, and the
/// sizes.
#[derive(Debug)]
pub(crate) struct SharedTypes;

impl DirectiveSyntax for SharedTypes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (types, sizes) = parse_types(parser)?;
        if let [all @ .., of_sizes] = arguments {
            for argument in all {
                *argument = ParsedArgument::Types(types.clone());
            }
            *of_sizes = ParsedArgument::Operands(sizes);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [types, .., sizes] = arguments {
            let context = printer.context();
            walk_types(context, Some(printer), types.types(), sizes.operands());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [types, others @ .., sizes] = arguments else {
            return false;
        };
        !types.types().is_empty()
            && others.iter().all(|other| other.types() == types.types())
            && walk_types(context, None, types.types(), sizes.operands())
    }
}

/// The directive for a reference to a parameter: `%scope::%key`, `%key`.
#[derive(Debug)]
pub(crate) struct ParameterReference;

impl DirectiveSyntax for ParameterReference {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let first = parser.operand_name()?;
        let (scope, key) = match parser.eat("::") {
            true => (vec![first], parser.operand_name()?),
            false => (Vec::new(), first),
        };
        if let [of_scope, of_key] = arguments {
            *of_scope = ParsedArgument::Operands(scope);
            *of_key = ParsedArgument::Operands(vec![key]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [scope, key] = arguments else { return };
        if let Some(&scope) = scope.operands().first() {
            printer.operand(scope);
            printer.text("::");
        }
        printer.operands(key.operands().iter().copied());
    }
}

/// The directive for a type that is stored and one that values have: `type`, `type as type`.
#[derive(Debug)]
pub(crate) struct TypeAlias;

impl DirectiveSyntax for TypeAlias {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let stored = parser.ty()?;
        let ty = match parser.eat("as") {
            true => parser.ty()?,
            false => stored,
        };
        let stored = parser.context().type_attribute(stored);
        if let [of_stored, of_type] = arguments {
            *of_stored = ParsedArgument::Attribute(Some(stored));
            *of_type = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [stored, ty] = arguments else { return };
        let context = printer.context();
        if let Some(stored) = stored.attribute()
            && let Some(ty) = ty.types().first().copied()
        {
            let is_same = matches!(context.attribute_kind(stored), rmlir_ir::AttributeKind::Type(t) if *t == ty);
            if !is_same {
                printer.attribute(stored);
                printer.text(" as ");
            }
            printer.ty(ty);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let stored = arguments.first().and_then(PrintedArgument::attribute);
        stored.is_some_and(|stored| {
            matches!(
                context.attribute_kind(stored),
                rmlir_ir::AttributeKind::Type(_)
            )
        })
    }
}

/// The directive for a region that takes resources: `(%operand as %argument: type{%size}) ->
/// type{%size} {...}`. Its arguments are the operands, their types and sizes; if it has results,
/// their types and sizes and what they are tied to; and the region.
#[derive(Debug)]
pub(crate) struct ResourceRegion;

/// The arguments of a directive for a region: operands, types, sizes, those of results, the region.
type Parts<'a, T> = (&'a T, &'a T, &'a T, Option<(&'a T, &'a T, &'a T)>, &'a T);

fn parts(arguments: &[PrintedArgument]) -> Option<Parts<'_, PrintedArgument>> {
    match arguments {
        [operands, types, sizes, region] => Some((operands, types, sizes, None, region)),
        [operands, types, sizes, results, result_sizes, tied, region] => {
            let results = Some((results, result_sizes, tied));
            Some((operands, types, sizes, results, region))
        }
        _ => None,
    }
}

/// Returns the arguments of the entry block of the region of a directive.
fn block_arguments(module: &Module, operation: Operation, region: &PrintedArgument) -> Vec<Value> {
    let PrintedArgument::Region { number, .. } = region else {
        return Vec::new();
    };
    crate::helpers::entry_arguments(module, operation, *number)
}

impl DirectiveSyntax for ResourceRegion {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut names, mut inner) = (Vec::new(), Vec::new());
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        parser.expect("(")?;
        while !parser.at(")") {
            names.push(parser.operand_name()?);
            parser.expect("as")?;
            inner.push(parser.operand_name()?);
            parser.expect(":")?;
            let ty = parser.ty()?;
            types.push(ty);
            parse_sizes(parser, ty, &mut sizes)?;
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect(")")?;
        let results = match arguments.len() == 7 && parser.eat("->") {
            true => parse_results(parser, &names, &types, true)?,
            false => Results::default(),
        };
        let tied = tied_argument(parser, &results.tied);
        let region = region_arguments(&inner, &types);
        if let [of_names, of_types, of_sizes, rest @ .., of_region] = arguments {
            *of_names = ParsedArgument::Operands(names);
            *of_types = ParsedArgument::Types(types);
            *of_sizes = ParsedArgument::Operands(sizes);
            if let [of_results, of_result_sizes, of_tied] = rest {
                *of_results = ParsedArgument::Types(results.types);
                *of_result_sizes = ParsedArgument::Operands(results.sizes);
                *of_tied = tied;
            }
            if let ParsedArgument::Region { arguments, .. } = of_region {
                *arguments = Some(region);
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
        let Some((operands, _, sizes, results, region)) = parts(arguments) else {
            return;
        };
        let (context, module) = (printer.context(), printer.module());
        let inner = block_arguments(module, operation, region);
        let mut sizes = sizes.operands().iter().copied();
        printer.text("(");
        for (number, (&operand, inner)) in operands.operands().iter().zip(inner).enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.operand(operand);
            printer.text(" as ");
            printer.operand(inner);
            printer.text(": ");
            let ty = module.value_type(inner);
            printer.ty(ty);
            print_sizes(context, Some(printer), ty, &mut sizes);
        }
        printer.text(")");
        if let Some((results, sizes, tied)) = results
            && !results.types().is_empty()
        {
            printer.text(" -> ");
            let shown = Shown {
                operands: operands.operands(),
                results: results.types(),
                sizes: sizes.operands(),
                tied: tied.attribute(),
                sized: true,
            };
            walk_results((context, module), Some(printer), &shown);
        }
        printer.text(" ");
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let Some((operands, types, sizes, results, region)) = parts(arguments) else {
            return false;
        };
        let inner = block_arguments(module, operation, region);
        let inner_types = inner.iter().map(|&value| module.value_type(value));
        let results_fit = results.is_none_or(|(results, sizes, tied)| {
            let shown = Shown {
                operands: operands.operands(),
                results: results.types(),
                sizes: sizes.operands(),
                tied: tied.attribute(),
                sized: true,
            };
            results.types().is_empty() && tied.attribute().is_none() && sizes.operands().is_empty()
                || walk_results((context, module), None, &shown)
        });
        results_fit
            && inner_types.eq(types.types().iter().copied())
            && walk_types(context, None, types.types(), sizes.operands())
            && has_block(module, operation, region)
    }
}

/// Returns whether the region of a directive has an entry block with operations.
fn has_block(module: &Module, operation: Operation, region: &PrintedArgument) -> bool {
    let PrintedArgument::Region { number, .. } = region else {
        return false;
    };
    let region = module.region(operation, *number);
    let entry = region.and_then(|region| module.first_block(region));
    entry.is_some_and(|entry| module.first_operation(entry).is_some())
}

/// The directive for a region that computes the number of workgroups, or a condition: `count(%a:
/// type) -> (index, index, index) {...}`; nothing if there is no region.
#[derive(Debug)]
pub(crate) struct CountRegion {
    /// The keyword; empty if the format has it.
    pub(crate) keyword: &'static str,
    /// The types of results: `index` three times, or `i1`.
    pub(crate) counts: bool,
    /// Whether a space precedes the keyword, which the format does not print.
    pub(crate) spaced: bool,
}

impl CountRegion {
    fn result_types(&self, context: &Context) -> Vec<Type> {
        match self.counts {
            true => vec![context.index_type(); 3],
            false => vec![context.i1_type()],
        }
    }
}

impl DirectiveSyntax for CountRegion {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        if !self.keyword.is_empty() && !parser.eat(self.keyword) {
            return Ok(false);
        }
        let region: Vec<RegionArgument> = crate::helpers::declared_arguments(parser)?;
        let place = parser.place();
        let types = crate::helpers::optional_arrow_types(parser)?;
        if types != self.result_types(parser.context()) {
            let message = match self.counts {
                true => "workgroup count region must return the XYZ dimension counts",
                false => "the region must return one i1 condition value",
            };
            return Err(AsmError::new(place, message));
        }
        if let [ParsedArgument::Region { arguments, .. }] = arguments {
            *arguments = Some(region);
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let [region @ PrintedArgument::Region { number, .. }] = arguments else {
            return;
        };
        let module = printer.module();
        if !has_block(module, operation, region) {
            return;
        }
        printer.text(if self.spaced { " " } else { "" });
        printer.text(self.keyword);
        printer.text("(");
        let inner = located_arguments(module, operation, *number);
        for (number, (argument, location)) in inner.into_iter().enumerate() {
            printer.text(if number > 0 { ", " } else { "" });
            printer.region_argument(argument, location, &[]);
        }
        printer.text(")");
        let types = self.result_types(printer.context());
        crate::helpers::print_optional_arrow_types(printer, &types);
        printer.text(" ");
    }
}

/// The directive for results with sizes: `-> (type{%a}, type)`, which can be absent. Its arguments
/// are the types and the sizes.
#[derive(Debug)]
pub(crate) struct RegionResults;

impl DirectiveSyntax for RegionResults {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let is_there = parser.eat("->");
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        if is_there {
            parser.expect("(")?;
            if !parser.at(")") {
                (types, sizes) = parse_types(parser)?;
            }
            parser.expect(")")?;
        }
        if let [of_types, of_sizes] = arguments {
            *of_types = ParsedArgument::Types(types);
            *of_sizes = ParsedArgument::Operands(sizes);
        }
        Ok(is_there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [types, sizes] = arguments {
            let context = printer.context();
            printer.text("-> (");
            walk_types(context, Some(printer), types.types(), sizes.operands());
            printer.text(")");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [types, sizes] = arguments else {
            return false;
        };
        walk_types(context, None, types.types(), sizes.operands())
    }
}
