//! Calls: `llvm.call`, `llvm.invoke`, `llvm.call_intrinsic`, and landing pads.

use super::super::enclosing::enclosing;
use super::enums::{CONVENTION, TAIL_CALL, without_default_flags};
use super::types;
use crate::func::is_plain_string;
use crate::function::{
    TypeWithAttributes, attribute_list, call_signature, has_lists, print_call_signature, property,
};
use crate::helpers::{
    add_operands, check_count, comma_separated_types, operand_names, operand_types,
    print_successor_with, result_types, segment_sizes, sizes_of, typed,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, OperationSyntax,
    ParseStep, ParsedArgument, ParsedOperation, PrintStep, PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Location, LocationKind, Module, Op, Operation,
    OperationTraits, OperationVerifier, SymbolTableCollection, Type, Value, VerifyFailure,
    VerifyResult,
};

/// Custom syntax of `llvm.call`: `fastcc tail @callee(%a) vararg(type) ["bundle"(%b : i32)] {...} :
/// (i32) -> i32`. If the callee is a value, its type and a comma follow the colon.
#[derive(Debug)]
pub(crate) struct Call;

/// Custom syntax of `llvm.invoke`: `fastcc @callee(%a) to ^normal(%b : i32) unwind ^unwind
/// vararg(type) [bundles] {...} : (i32) -> i32`.
#[derive(Debug)]
pub(crate) struct Invoke;

/// Custom syntax of `llvm.call_intrinsic`: `"name"(%a) [bundles] {...} : (i32) -> i32`.
#[derive(Debug)]
pub(crate) struct CallIntrinsic;

/// The attributes that calls print outside of the attribute dictionary.
const OF_CALLS: [&str; 9] = [
    "callee",
    "var_callee_type",
    "CConv",
    "operandSegmentSizes",
    "op_bundle_sizes",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
    "TailCallKind",
];

/// The attributes that `llvm.call_intrinsic` prints outside of the attribute dictionary.
const OF_INTRINSICS: [&str; 6] = [
    "operandSegmentSizes",
    "op_bundle_sizes",
    "intrin",
    "op_bundle_tags",
    "arg_attrs",
    "res_attrs",
];

/// Parses `(%a, %b)`.
fn operands_in_brackets(parser: &mut dyn AsmParser) -> AsmResult<Vec<OperandName>> {
    parser.expect("(")?;
    if parser.eat(")") {
        return Ok(Vec::new());
    }
    let names = operand_names(parser)?;
    parser.expect(")")?;
    Ok(names)
}

/// Parses the operands of a bundle or successor: `%a, %b : i32, i64`, one or more.
fn typed_operands(parser: &mut dyn AsmParser) -> AsmResult<(Vec<OperandName>, Vec<Type>)> {
    let place = parser.place();
    let names = operand_names(parser)?;
    parser.expect(":")?;
    let types = comma_separated_types(parser)?;
    check_count(names.len(), types.len(), place)?;
    Ok((names, types))
}

/// The unresolved operands of bundles, and the tags of the bundles.
#[derive(Debug, Default)]
struct Bundles {
    operands: Vec<Vec<OperandName>>,
    types: Vec<Vec<Type>>,
    tags: Vec<Attribute>,
}

impl Bundles {
    /// Parses `["tag"(%a, %b : i32, i64), "tag"()]`, if it is next.
    fn parse(parser: &mut dyn AsmParser) -> AsmResult<Option<Self>> {
        if !parser.eat("[") {
            return Ok(None);
        }
        let mut bundles = Bundles::default();
        if parser.eat("]") {
            return Ok(Some(bundles));
        }
        loop {
            let place = parser.place();
            let tag = parser.attribute()?;
            if !is_plain_string(parser.context(), tag) {
                return Err(AsmError::new(place, "expected operand bundle tag"));
            }
            bundles.tags.push(tag);
            parser.expect("(")?;
            let (names, types) = match parser.at_operand() {
                true => typed_operands(parser)?,
                false => Default::default(),
            };
            parser.expect(")")?;
            bundles.operands.push(names);
            bundles.types.push(types);
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect("]")?;
        Ok(Some(bundles))
    }

    /// Adds the operands and returns the number of operands of each bundle.
    fn resolve(
        self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<usize> {
        let sizes: Vec<usize> = self.operands.iter().map(Vec::len).collect();
        for (names, types) in self.operands.iter().zip(&self.types) {
            add_operands(parser, operation, typed(names, types))?;
        }
        if let Some(sizes) = segment_sizes(parser.context(), &sizes) {
            property(parser, operation, "op_bundle_sizes", sizes);
        }
        if !self.tags.is_empty() {
            let tags = parser.context().array_attribute(&self.tags);
            property(parser, operation, "op_bundle_tags", tags);
        }
        Ok(sizes.iter().sum())
    }
}

/// Prints bundles of these operands with their sizes and tags.
fn print_bundles(
    printer: &mut dyn AsmPrinter,
    operands: &[Value],
    sizes: &[usize],
    tags: &[Attribute],
) {
    printer.text("[");
    let mut rest = operands;
    for (number, &size) in sizes.iter().enumerate() {
        if number > 0 {
            printer.text(", ");
        }
        if let Some(&tag) = tags.get(number) {
            printer.attribute(tag);
        }
        printer.text("(");
        let (bundle, behind) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        if !bundle.is_empty() {
            crate::func::print_typed_operands(printer, bundle);
        }
        printer.text(")");
        rest = behind;
    }
    printer.text("]");
}

/// Returns the elements of an array attribute; empty if it is absent.
fn items(context: &Context, attribute: Option<Attribute>) -> Vec<Attribute> {
    match attribute.map(|attribute| context.attribute_kind(attribute)) {
        Some(AttributeKind::Array(items)) => items.to_vec(),
        _ => Vec::new(),
    }
}

/// The operands of an operation by segment, the last of which has those of the bundles.
struct Groups {
    groups: Vec<Vec<Value>>,
    sizes: Vec<usize>,
    tags: Vec<Attribute>,
}

impl Groups {
    /// Returns the groups, of which there must be `count`; the last one is that of the bundles.
    fn of(context: &Context, module: &Module, operation: Operation, count: usize) -> Option<Self> {
        let attribute = |name| module.attribute(context, operation, name);
        let segments = match attribute("operandSegmentSizes") {
            Some(segments) => sizes_of(context, segments)?,
            None => return None,
        };
        let sizes =
            attribute("op_bundle_sizes").map_or(Some(Vec::new()), |s| sizes_of(context, s))?;
        let tags = items(context, attribute("op_bundle_tags"));
        let mut operands = module.operands(operation);
        let groups: Vec<Vec<Value>> = segments
            .iter()
            .map(|&size| operands.by_ref().take(size).collect())
            .collect();
        let fits = operands.next().is_none()
            && segments.len() == count
            && groups
                .iter()
                .zip(&segments)
                .all(|(group, &size)| group.len() == size)
            && segments.last() == Some(&sizes.iter().sum())
            && tags.len() == sizes.len()
            && tags.iter().all(|&tag| is_plain_string(context, tag));
        fits.then_some(Groups {
            groups,
            sizes,
            tags,
        })
    }

    fn group(&self, number: usize) -> &[Value] {
        self.groups.get(number).map_or(&[], Vec::as_slice)
    }

    /// Prints ` [bundles]`; nothing if there are none.
    fn print_bundles(&self, printer: &mut dyn AsmPrinter) {
        let bundles = self.groups.last().map_or(&[][..], Vec::as_slice);
        if !self.sizes.is_empty() {
            printer.text(" ");
            print_bundles(printer, bundles, &self.sizes, &self.tags);
        }
    }
}

/// The callee of a call.
enum Callee {
    Symbol,
    Value(OperandName),
}

/// Parses `@callee` or `%callee`.
fn callee(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<Callee> {
    if parser.at_operand() {
        return Ok(Callee::Value(parser.operand_name()?));
    }
    let place = parser.place();
    let Some(name) = parser.symbol_name()? else {
        return Err(AsmError::new(
            place,
            "expected valid '@'-identifier for symbol name",
        ));
    };
    let name = parser.context().str(name).into_owned();
    let name = parser.context().symbol_ref_attribute(name);
    property(parser, operation, "callee", name);
    Ok(Callee::Symbol)
}

/// Parses `vararg(type)`, if it is next.
fn vararg(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    if !parser.eat("vararg") {
        return Ok(());
    }
    parser.expect("(")?;
    let ty = parser.ty()?;
    parser.expect(")")?;
    let ty = parser.context().type_attribute(ty);
    property(parser, operation, "var_callee_type", ty);
    Ok(())
}

/// Parses `: [type,] (types) -> types`, and resolves the callee and the arguments; returns the
/// number of these operands.
fn typed_callee(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    callee: &Callee,
    names: &[OperandName],
) -> AsmResult<usize> {
    parser.expect(":")?;
    let before = operation.operands.len();
    if let Callee::Value(name) = *callee {
        let ty = parser.ty()?;
        parser.expect(",")?;
        operation.operands.push(parser.resolve(name, ty)?);
    }
    let place = parser.place();
    let (inputs, results) = call_signature(parser)?;
    check_count(names.len(), inputs.len(), place)?;
    for (&name, &(ty, _)) in names.iter().zip(&inputs) {
        operation.operands.push(parser.resolve(name, ty)?);
    }
    if results.len() > 1 {
        let message = "expected function with 0 or 1 result";
        return Err(AsmError::new(place, message));
    }
    operation.result_types = results.iter().map(|result| result.0).collect();
    let attributes = |list: &[TypeWithAttributes], parser: &mut dyn AsmParser| {
        attribute_list(parser, list.iter().map(|item| item.1.as_slice()))
    };
    if let Some(value) = attributes(&inputs, parser)? {
        property(parser, operation, "arg_attrs", value);
    }
    if let Some(value) = attributes(&results, parser)? {
        property(parser, operation, "res_attrs", value);
    }
    Ok(operation.operands.len().saturating_sub(before))
}

fn set_segments(parser: &mut dyn AsmParser, operation: &mut ParsedOperation, sizes: &[usize]) {
    if let Some(sizes) = segment_sizes(parser.context(), sizes) {
        property(parser, operation, "operandSegmentSizes", sizes);
    }
}

/// Prints `@callee(%a, %b)` or `%callee(%a, %b)`.
fn print_callee(printer: &mut dyn AsmPrinter, callee: Option<Attribute>, operands: &[Value]) {
    let arguments = match (callee, operands) {
        (Some(callee), arguments) => {
            printer.attribute(callee);
            arguments
        }
        (None, [callee, arguments @ ..]) => {
            printer.operand(*callee);
            arguments
        }
        (None, []) => return,
    };
    printer.text("(");
    printer.operands(arguments.iter().copied());
    printer.text(")");
}

/// Prints ` vararg(type)`; nothing if the call has none.
fn print_vararg(printer: &mut dyn AsmPrinter, operation: Operation) {
    let (context, module) = (printer.context(), printer.module());
    let ty = module.attribute(context, operation, "var_callee_type");
    if let Some(ty) = ty {
        printer.text(" vararg(");
        printer.attribute(ty);
        printer.text(")");
    }
}

/// Prints ` : [type,] (types) -> types`.
fn print_typed_callee(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    is_direct: bool,
    operands: &[Value],
) {
    let module = printer.module();
    let types: Vec<Type> = operands.iter().map(|&v| module.value_type(v)).collect();
    let results = result_types(module, operation);
    printer.text(" : ");
    let inputs = match (is_direct, types.as_slice()) {
        (false, [callee, inputs @ ..]) => {
            printer.ty(*callee);
            printer.text(", ");
            inputs
        }
        (_, inputs) => inputs,
    };
    print_call_signature(printer, operation, inputs, &results);
}

/// Returns whether the callee, types and attribute lists of a call can be printed.
fn is_call(context: &Context, module: &Module, operation: Operation, operands: usize) -> bool {
    let attribute = |name| module.attribute(context, operation, name);
    let callee = attribute("callee");
    let is_flat = |callee| {
        matches!(
            context.attribute_kind(callee),
            AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
        )
    };
    let is_type = |ty| matches!(context.attribute_kind(ty), AttributeKind::Type(_));
    let inputs = match callee {
        Some(_) => Some(operands),
        None => operands.checked_sub(1),
    };
    let results = module.result_count(operation);
    callee.is_none_or(is_flat)
        && attribute("var_callee_type").is_none_or(is_type)
        && CONVENTION.can_print(context, module, operation)
        && results <= 1
        && module.regions(operation).len() == 0
        && inputs.is_some_and(|inputs| has_lists(context, module, operation, inputs, results))
}

impl OperationSyntax for Call {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        CONVENTION.parse(parser, operation);
        TAIL_CALL.parse(parser, operation);
        let callee = callee(parser, operation)?;
        let names = operands_in_brackets(parser)?;
        vararg(parser, operation)?;
        let bundles = Bundles::parse(parser)?.unwrap_or_default();
        operation.attributes = parser.attribute_dictionary()?;
        let count = typed_callee(parser, operation, &callee, &names)?;
        let of_bundles = bundles.resolve(parser, operation)?;
        set_segments(parser, operation, &[count, of_bundles]);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let Some(groups) = Groups::of(context, module, operation, 2) else {
            return PrintStep::Done;
        };
        let words = [&CONVENTION, &TAIL_CALL].map(|k| k.said(context, module, operation));
        let callee = module.attribute(context, operation, "callee");
        let attributes = module.all_attributes(context, operation);
        let attributes = without_default_flags(context, attributes);
        printer.text(" ");
        for word in words.into_iter().flatten() {
            printer.text(&word);
            printer.text(" ");
        }
        print_callee(printer, callee, groups.group(0));
        print_vararg(printer, operation);
        groups.print_bundles(printer);
        printer.attribute_dictionary(&attributes, &OF_CALLS);
        print_typed_callee(printer, operation, callee.is_some(), groups.group(0));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        Groups::of(context, module, operation, 2).is_some_and(|groups| {
            is_call(context, module, operation, groups.group(0).len())
                && TAIL_CALL.can_print(context, module, operation)
                && module.successors(operation).len() == 0
        })
    }
}

/// Parses `^block(%a, %b : i32, i64)`.
fn successor(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
) -> AsmResult<(Vec<OperandName>, Vec<Type>)> {
    let block = parser.successor()?;
    operation.successors.push(block);
    if !parser.eat("(") {
        return Ok(Default::default());
    }
    let operands = typed_operands(parser)?;
    parser.expect(")")?;
    Ok(operands)
}

/// Prints what [`successor`] parses.
fn print_successor(
    printer: &mut dyn AsmPrinter,
    operation: Operation,
    number: usize,
    operands: &[Value],
) {
    let block = printer.module().successors(operation).nth(number);
    if let Some(block) = block {
        print_successor_with(printer, block, operands);
    }
}

impl OperationSyntax for Invoke {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        CONVENTION.parse(parser, operation);
        let callee = callee(parser, operation)?;
        let names = operands_in_brackets(parser)?;
        parser.expect("to")?;
        let normal = successor(parser, operation)?;
        parser.expect("unwind")?;
        let unwind = successor(parser, operation)?;
        vararg(parser, operation)?;
        let bundles = Bundles::parse(parser)?.unwrap_or_default();
        operation.attributes = parser.attribute_dictionary()?;
        let count = typed_callee(parser, operation, &callee, &names)?;
        for (names, types) in [&normal, &unwind] {
            add_operands(parser, operation, typed(names, types))?;
        }
        let of_bundles = bundles.resolve(parser, operation)?;
        let sizes = [count, normal.0.len(), unwind.0.len(), of_bundles];
        set_segments(parser, operation, &sizes);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let Some(groups) = Groups::of(context, module, operation, 4) else {
            return PrintStep::Done;
        };
        let word = CONVENTION.said(context, module, operation);
        let callee = module.attribute(context, operation, "callee");
        let attributes = module.all_attributes(context, operation);
        printer.text(" ");
        if let Some(word) = word {
            printer.text(&word);
            printer.text(" ");
        }
        print_callee(printer, callee, groups.group(0));
        printer.text(" to ");
        print_successor(printer, operation, 0, groups.group(1));
        printer.text(" unwind ");
        print_successor(printer, operation, 1, groups.group(2));
        print_vararg(printer, operation);
        groups.print_bundles(printer);
        printer.attribute_dictionary(&attributes, &OF_CALLS);
        print_typed_callee(printer, operation, callee.is_some(), groups.group(0));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        Groups::of(context, module, operation, 4).is_some_and(|groups| {
            is_call(context, module, operation, groups.group(0).len())
                && module.successors(operation).len() == 2
        })
    }
}

impl OperationSyntax for CallIntrinsic {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let name = parser.attribute()?;
        if !is_plain_string(parser.context(), name) {
            return Err(AsmError::new(place, "expected string attribute"));
        }
        property(parser, operation, "intrin", name);
        let names = operands_in_brackets(parser)?;
        let bundles = Bundles::parse(parser)?.unwrap_or_default();
        operation.attributes = parser.attribute_dictionary()?;
        let count = typed_callee(parser, operation, &Callee::Symbol, &names)?;
        let of_bundles = bundles.resolve(parser, operation)?;
        set_segments(parser, operation, &[count, of_bundles]);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let Some(groups) = Groups::of(context, module, operation, 2) else {
            return PrintStep::Done;
        };
        let name = module.attribute(context, operation, "intrin");
        let attributes = module.all_attributes(context, operation);
        let attributes = without_default_flags(context, attributes);
        printer.text(" ");
        print_callee(printer, name, groups.group(0));
        groups.print_bundles(printer);
        printer.attribute_dictionary(&attributes, &OF_INTRINSICS);
        print_typed_callee(printer, operation, true, groups.group(0));
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let name = module.attribute(context, operation, "intrin");
        Groups::of(context, module, operation, 2).is_some_and(|groups| {
            let operands = groups.group(0).len();
            let results = module.result_count(operation);
            results <= 1
                && has_lists(context, module, operation, operands, results)
                && name.is_some_and(|name| is_plain_string(context, name))
                && module.regions(operation).len() == 0
                && module.successors(operation).len() == 0
        })
    }
}

/// The directive `["tag"(%a : i32)]` of `llvm.intr.assume`.
#[derive(Debug)]
pub(crate) struct OpBundles;

impl DirectiveSyntax for OpBundles {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let bundles = Bundles::parse(parser)?;
        let is_there = bundles.is_some();
        let bundles = bundles.unwrap_or_default();
        let counts: Vec<i32> = bundles
            .operands
            .iter()
            .map(|names| i32::try_from(names.len()).unwrap_or(i32::MAX))
            .collect();
        let context = parser.context();
        let tags = context.array_attribute(&bundles.tags);
        let sizes = Some(context.i32_array_attribute(counts.iter().copied()));
        if let [operands, types, of_tags, of_sizes, ..] = arguments {
            *operands = ParsedArgument::Operands(bundles.operands.concat());
            *types = ParsedArgument::Types(bundles.types.concat());
            *of_tags = ParsedArgument::Attribute((!bundles.tags.is_empty()).then_some(tags));
            *of_sizes = ParsedArgument::Attribute(sizes);
        }
        Ok(is_there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [operands, _, tags, sizes, ..] = arguments {
            let context = printer.context();
            let tags = items(context, tags.attribute());
            let sizes = sizes.attribute().and_then(|sizes| sizes_of(context, sizes));
            if !tags.is_empty() {
                printer.text(" ");
                print_bundles(
                    printer,
                    operands.operands(),
                    &sizes.unwrap_or_default(),
                    &tags,
                );
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [operands, _, tags, sizes, ..] = arguments else {
            return false;
        };
        let tags = items(context, tags.attribute());
        let sizes = sizes.attribute().and_then(|sizes| sizes_of(context, sizes));
        sizes.is_some_and(|sizes| {
            sizes.len() == tags.len() && sizes.iter().sum::<usize>() == operands.operands().len()
        })
    }
}

/// Custom syntax of `llvm.landingpad`: `cleanup (catch %a : type) (filter %b : type) : type`.
#[derive(Debug)]
pub(crate) struct LandingPad;

impl OperationSyntax for LandingPad {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        if parser.eat("cleanup") {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "cleanup", unit);
        }
        while parser.eat("(") {
            let is_filter = parser.eat("filter");
            if !is_filter {
                parser.expect("catch")?;
            }
            let place = parser.place();
            let name = parser.operand_name()?;
            parser.expect(":")?;
            let ty = parser.ty()?;
            parser.expect(")")?;
            if types::is(parser.context(), ty, "array") != is_filter {
                let message = match is_filter {
                    true => "constant array as operand is expected in filter clause",
                    false => "array as operand is only expected in filter clause",
                };
                return Err(AsmError::new(place, message));
            }
            operation.operands.push(parser.resolve(name, ty)?);
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        operation.result_types.push(parser.ty()?);
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let is_cleanup = module.attribute(context, operation, "cleanup").is_some();
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = operand_types(module, operation, 0);
        let attributes = module.all_attributes(context, operation);
        let result = module.result(operation, 0).map(|v| module.value_type(v));
        printer.text(if is_cleanup { " cleanup " } else { " " });
        for (value, ty) in operands.into_iter().zip(types) {
            let is_filter = types::is(printer.context(), ty, "array");
            printer.text(if is_filter { "(filter " } else { "(catch " });
            printer.operand(value);
            printer.text(" : ");
            printer.ty(ty);
            printer.text(") ");
        }
        printer.attribute_dictionary(&attributes, &["cleanup"]);
        printer.text(": ");
        if let Some(ty) = result {
            printer.ty(ty);
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let cleanup = module.attribute(context, operation, "cleanup");
        let operands = module.operand_count(operation);
        // Upstream does not read other attributes where it prints them.
        crate::func::has_shape(module, operation, operands, 1, 0)
            && cleanup.is_none_or(|cleanup| cleanup == context.unit_attribute())
            && module.attributes(operation).is_none()
    }
}

/// Verifies the location of `llvm.call`: a call that LLVM can inline has one if the function that
/// contains it and the callee have debug information.
#[derive(Debug)]
pub(crate) struct CallLocation;

/// The number of nested locations in which the debug information of a function is looked for.
/// Frontends put it outermost; each call without a location looks again.
const MOST_LOCATIONS: usize = 64;

/// Returns whether a location has a `#llvm.di_subprogram`.
fn has_subprogram(context: &Context, location: Location) -> bool {
    let mut open = vec![location];
    for _ in 0..MOST_LOCATIONS {
        let Some(location) = open.pop() else {
            return false;
        };
        match context.location_kind(location) {
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                let metadata = metadata.map(|metadata| context.attribute_kind(metadata));
                if let Some(AttributeKind::Dialect { dialect, body, .. }) = metadata
                    && context.bytes(*dialect) == b"llvm"
                    && body.mnemonic() == b"di_subprogram"
                {
                    return true;
                }
                open.extend(locations.iter().rev().take(MOST_LOCATIONS));
            }
            LocationKind::Name { child, .. } => open.push(child),
            LocationKind::CallSite { callee, caller } => open.extend([caller, callee]),
            _ => {}
        }
    }
    false
}

impl OperationVerifier for CallLocation {
    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        let context = op.context;
        if !matches!(context.location_kind(op.location()), LocationKind::Unknown) {
            return Ok(());
        }
        let callee = op.attr("callee").and_then(|callee| {
            symbols.lookup_symbol_from(context, op.module, op.operation, callee)
        });
        let Some(callee) = callee.map(|callee| op.with_id(callee)) else {
            return Ok(());
        };
        let has_body = callee
            .regions()
            .any(|body| op.module.first_block(body).is_some());
        if !callee.is("llvm.func") || !has_body || !has_subprogram(context, callee.location()) {
            return Ok(());
        }
        let function = enclosing(op, |around| around.has_traits(OperationTraits::FUNCTION))?;
        match function.is_some_and(|function| has_subprogram(context, function.location())) {
            true => Err(VerifyFailure::plain(
                "inlinable function call in a function with a DISubprogram location must have a \
                 debug location",
            )),
            false => Ok(()),
        }
    }
}
