//! Custom syntax of `sparse_tensor.iterate` and `sparse_tensor.coiterate`.

use crate::func::has_shape;
use crate::function::property;
use crate::helpers::{
    add_operands, assignments, check_count, ends_plainly, entry_arguments, integer_of,
    is_single_block, names_between, operand_types, optional_arrow_types, print_assignments,
    print_optional_arrow_types, print_region, region_arguments, result_types, segments_property,
    sizes_of, typed, types_in_brackets,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, Context, Module, Operation, Type, TypeKind,
    Value,
};

/// Custom syntax of `sparse_tensor.iterate`: `%iterator in %space [at(%i, _)] [iter_args(%a = %b)]
/// : type [-> types] {...} {...}`.
#[derive(Debug)]
pub(crate) struct Iterate;

/// Custom syntax of `sparse_tensor.coiterate`: `(%spaces) [at(%i, _)] [iter_args(%a = %b)] :
/// (types) [-> types]`, and `case %iterator, _ {...}` for some of the combinations of spaces.
#[derive(Debug)]
pub(crate) struct Coiterate;

const YIELD: &str = "sparse_tensor.yield";
/// The attribute with a bit for each level whose coordinate is used.
const USED: &str = "crdUsedLvls";
/// The attribute with the combinations of spaces, each a bit set.
const CASES: &str = "cases";
const SEGMENTS: &str = "operandSegmentSizes";
/// The maximum number of levels or spaces, which is the number of bits in the attributes.
const MOST: usize = 63;

/// Returns the body of an iteration space's type after the mnemonic, and its number of levels.
fn space(context: &Context, ty: Type) -> Option<(Vec<BodyPiece<'_>>, usize)> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return None;
    };
    if context.bytes(*dialect) != b"sparse_tensor" {
        return None;
    }
    let mut pieces: Vec<BodyPiece<'_>> = body.pieces().collect();
    match pieces.first_mut()? {
        BodyPiece::Text(text) => *text = text.strip_prefix(b"iter_space")?,
        BodyPiece::Reference(_) => return None,
    }
    let text = std::str::from_utf8(body.text()).ok()?;
    let (_, levels) = text.rsplit_once("lvls = ")?;
    let levels = levels.strip_suffix('>')?;
    let count = match levels.split_once(" to ") {
        Some((low, high)) => {
            let (low, high) = (low.parse::<usize>().ok()?, high.parse::<usize>().ok()?);
            high.checked_sub(low)?
        }
        None => 1,
    };
    (count <= MOST).then_some((pieces, count))
}

/// Returns the type of an iterator over a space.
fn iterator(context: &mut Context, ty: Type) -> Option<Type> {
    let mut out = BodyBuilder::new();
    out.text(b"iterator");
    for piece in space(context, ty)?.0 {
        match piece {
            BodyPiece::Text(text) => out.text(text),
            BodyPiece::Reference(reference) => out.reference(context, reference),
        }
    }
    let kind = TypeKind::Dialect {
        dialect: context.identifier("sparse_tensor"),
        body: out.finish(),
    };
    context.try_type(kind).ok()
}

/// Returns whether a type is that of an iterator over a space.
fn is_iterator(context: &Context, ty: Type, of: Type) -> bool {
    let (Some((pieces, _)), TypeKind::Dialect { dialect, body }) =
        (space(context, of), context.type_kind(ty))
    else {
        return false;
    };
    let mut found: Vec<BodyPiece<'_>> = body.pieces().collect();
    if let Some(BodyPiece::Text(text)) = found.first_mut() {
        *text = text.strip_prefix(b"iterator").unwrap_or_default();
    }
    context.bytes(*dialect) == b"sparse_tensor" && found == pieces
}

/// Parses names and `_`, separated by commas, up to the token `close`; returns the names and a bit
/// set of their positions.
fn used(parser: &mut dyn AsmParser, close: &str) -> AsmResult<(Vec<OperandName>, i64)> {
    let (mut names, mut bits) = (Vec::new(), 0i64);
    let place = parser.place();
    for number in 0.. {
        if number == MOST {
            return Err(AsmError::new(place, "too many levels"));
        }
        if !parser.eat("_") {
            names.push(parser.operand_name()?);
            bits |= 1i64
                .checked_shl(u32::try_from(number).unwrap_or(0))
                .unwrap_or(0);
        }
        if !parser.eat(",") {
            break;
        }
    }
    if !close.is_empty() {
        parser.expect(close)?;
    }
    Ok((names, bits))
}

/// Prints the used coordinates, `%i, _`. `arguments` are the used ones.
fn print_used(printer: &mut dyn AsmPrinter, arguments: &[Value], bits: i64, count: usize) {
    let mut arguments = arguments.iter();
    for number in 0..count {
        if number > 0 {
            printer.text(", ");
        }
        match arguments.as_slice().first() {
            Some(&argument) if is_set(bits, number) => {
                printer.operand(argument);
                arguments.next();
            }
            _ => printer.text("_"),
        }
    }
}

fn is_set(bits: i64, number: usize) -> bool {
    u32::try_from(number)
        .ok()
        .and_then(|number| bits.checked_shr(number))
        .is_some_and(|bits| bits & 1 == 1)
}

fn count_set(bits: i64) -> usize {
    usize::try_from(bits.count_ones()).unwrap_or(usize::MAX)
}

/// What precedes the types: the arguments of each region except for the iterators.
struct Header {
    arguments: Vec<OperandName>,
    coordinates: Vec<OperandName>,
    initial: Vec<OperandName>,
    used: i64,
}

impl Header {
    fn parse(parser: &mut dyn AsmParser) -> AsmResult<Self> {
        let (mut coordinates, mut bits) = (Vec::new(), 0);
        if parser.eat("at") {
            parser.expect("(")?;
            (coordinates, bits) = used(parser, ")")?;
        }
        let (arguments, initial) = match parser.eat("iter_args") {
            true => assignments(parser)?,
            false => Default::default(),
        };
        Ok(Header {
            arguments,
            coordinates,
            initial,
            used: bits,
        })
    }

    /// Resolves the operands by the types that follow, and returns the arguments that the regions
    /// share.
    fn resolve(
        self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        place: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let types = optional_arrow_types(parser)?;
        check_count(self.initial.len(), types.len(), place)?;
        add_operands(parser, operation, typed(&self.initial, &types))?;
        let (index, i64_type) = (parser.context().index_type(), parser.context().i64_type());
        let used = parser.context().integer_attribute(i64_type, self.used);
        let used = used.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, USED, used);
        let mut arguments = region_arguments(&self.arguments, &types);
        let indices = vec![index; self.coordinates.len()];
        arguments.extend(region_arguments(&self.coordinates, &indices));
        operation.result_types = types;
        Ok(arguments)
    }
}

/// Prints ` at(...) iter_args(...)`. The first arguments of a region are the loop-carried ones.
fn print_header(
    printer: &mut dyn AsmPrinter,
    arguments: &[Value],
    initial: &[Value],
    (bits, levels): (i64, usize),
) {
    let (carried, rest) = arguments
        .split_at_checked(initial.len())
        .unwrap_or_default();
    if bits != 0 {
        printer.text(" at(");
        let coordinates = rest.get(..count_set(bits)).unwrap_or_default();
        print_used(printer, coordinates, bits, levels);
        printer.text(")");
    }
    if !initial.is_empty() {
        print_assignments(printer, " iter_args", carried, initial);
    }
    printer.text(" : ");
}

/// Returns the bit set of the used levels.
fn used_levels(context: &Context, module: &Module, operation: Operation) -> Option<i64> {
    let used = module.attribute(context, operation, USED);
    integer_of(context, context.i64_type(), used)
}

/// Returns whether a bit set of levels has no bit beyond the number of levels.
fn fits(bits: i64, levels: usize) -> bool {
    bits >= 0 && (levels..MOST).all(|number| !is_set(bits, number))
}

/// Returns whether a region has one block whose arguments have these types, followed by iterators
/// over the spaces.
fn is_body(
    context: &Context,
    module: &Module,
    (operation, number): (Operation, usize),
    before: &[Type],
    spaces: &[Type],
) -> bool {
    let region = module.region(operation, number);
    let arguments = entry_arguments(module, operation, number);
    let types: Vec<Type> = arguments.iter().map(|&v| module.value_type(v)).collect();
    let Some((first, iterators)) = types.split_at_checked(before.len()) else {
        return false;
    };
    first == before
        && iterators.len() == spaces.len()
        && iterators
            .iter()
            .zip(spaces)
            .all(|(&ty, &of)| is_iterator(context, ty, of))
        && is_single_block(module, region, &types)
        && (module.result_count(operation) > 0 || ends_plainly(context, module, region, YIELD))
}

/// Returns the types of the arguments that precede the iterators.
fn argument_types(context: &Context, initial: &[Type], bits: i64) -> Vec<Type> {
    let indices = std::iter::repeat_n(context.index_type(), count_set(bits));
    initial.iter().copied().chain(indices).collect()
}

impl OperationSyntax for Iterate {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator(YIELD)?;
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let name = parser.operand_name()?;
        parser.expect("in")?;
        let iterated = parser.operand_name()?;
        let header = Header::parse(parser)?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let Some(iterator) = iterator(parser.context(), ty) else {
            return Err(AsmError::new(
                place,
                "expected sparse_tensor.iter_space type for iteration space operands",
            ));
        };
        operation.operands.push(parser.resolve(iterated, ty)?);
        let mut arguments = header.resolve(parser, operation, place)?;
        arguments.extend(region_arguments(&[name], &[iterator]));
        Ok(ParseStep::Region(arguments))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        let (context, module) = (printer.context(), printer.module());
        let bits = used_levels(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let arguments = entry_arguments(module, operation, 0);
        let types = result_types(module, operation);
        let (Some((&iterated, initial)), Some(&iterator)) =
            (operands.split_first(), arguments.last())
        else {
            return PrintStep::Done;
        };
        let ty = module.value_type(iterated);
        let levels = space(context, ty).map_or(0, |(_, levels)| levels);
        printer.text(" ");
        printer.operand(iterator);
        printer.text(" in ");
        printer.operand(iterated);
        print_header(printer, &arguments, initial, (bits, levels));
        printer.ty(ty);
        printer.text(" ");
        print_optional_arrow_types(printer, &types);
        printer.text(" ");
        print_region(0, !types.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let Some((&ty, initial)) = types.split_first() else {
            return false;
        };
        let (Some((_, levels)), Some(bits)) =
            (space(context, ty), used_levels(context, module, operation))
        else {
            return false;
        };
        let before = argument_types(context, initial, bits);
        has_shape(module, operation, types.len(), results.len(), 1)
            && initial == results
            && fits(bits, levels)
            // Upstream prints no other attributes, so they would be lost.
            && module.all_attributes(context, operation).len() == 1
            && is_body(context, module, (operation, 0), &before, &[ty])
    }
}

/// Returns the integers of an array attribute.
fn cases(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    let i64_type = context.i64_type();
    match context.attribute_kind(attribute?) {
        AttributeKind::Array(items) => items
            .iter()
            .map(|&item| integer_of(context, i64_type, Some(item)))
            .collect(),
        _ => None,
    }
}

impl Coiterate {
    /// Parses the next `case`, if there is one.
    fn next(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<ParseStep> {
        if !parser.eat("case") {
            let i64_type = parser.context().i64_type();
            let mut cases = Vec::new();
            for &bits in &operation.numbers {
                let case = parser.context().integer_attribute(i64_type, bits);
                cases.extend(case.ok());
            }
            let cases = parser.context().array_attribute(&cases);
            property(parser, operation, CASES, cases);
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        let place = parser.place();
        let (names, bits) = used(parser, "")?;
        let mut types = Vec::new();
        for number in 0..MOST {
            if !is_set(bits, number) {
                continue;
            }
            let value = operation.operands.get(number).copied();
            let ty = value.map(|value| parser.module().value_type(value));
            let Some(ty) = ty.and_then(|ty| iterator(parser.context(), ty)) else {
                let message = "mismatch in number of iteration spaces and iterators";
                return Err(AsmError::new(place, message));
            };
            types.push(ty);
        }
        operation.numbers.push(bits);
        let mut arguments = operation.later_arguments.clone();
        arguments.extend(region_arguments(&names, &types));
        Ok(ParseStep::Region(arguments))
    }
}

impl OperationSyntax for Coiterate {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            parser.ensure_terminator(YIELD)?;
            return Self::next(parser, operation);
        }
        let spaces = names_between(parser, "(", ")")?;
        let header = Header::parse(parser)?;
        parser.expect(":")?;
        let place = parser.place();
        parser.expect("(")?;
        let types = types_in_brackets(parser)?;
        check_count(spaces.len(), types.len(), place)?;
        add_operands(parser, operation, typed(&spaces, &types))?;
        segments_property(parser, operation, &[spaces.len(), header.initial.len()]);
        operation.later_arguments = header.resolve(parser, operation, place)?;
        Self::next(parser, operation)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let cases = cases(context, module.attribute(context, operation, CASES));
        let case = cases.unwrap_or_default().get(regions).copied();
        let bits = used_levels(context, module, operation).unwrap_or_default();
        let operands: Vec<Value> = module.operands(operation).collect();
        let types = result_types(module, operation);
        let count = operands.len().saturating_sub(types.len());
        let (spaces, initial) = operands.split_at_checked(count).unwrap_or_default();
        if regions == 0 {
            let arguments = entry_arguments(module, operation, 0);
            let space_types: Vec<Type> = spaces.iter().map(|&v| module.value_type(v)).collect();
            let levels = space_types.first().and_then(|&ty| space(context, ty));
            let levels = levels.map_or(0, |(_, levels)| levels);
            printer.text(" (");
            printer.operands(spaces.iter().copied());
            printer.text(")");
            print_header(printer, &arguments, initial, (bits, levels));
            printer.text("(");
            printer.types(space_types.into_iter());
            printer.text(")");
            print_optional_arrow_types(printer, &types);
        }
        let Some(case) = case else {
            return PrintStep::Done;
        };
        let arguments = entry_arguments(printer.module(), operation, regions);
        let before = initial.len().saturating_add(count_set(bits));
        printer.newline();
        printer.text("case ");
        print_used(
            printer,
            arguments.get(before..).unwrap_or_default(),
            case,
            count,
        );
        printer.text(" ");
        print_region(regions, !types.is_empty())
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let types = operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let sizes = module.attribute(context, operation, SEGMENTS);
        let sizes = sizes.and_then(|sizes| sizes_of(context, sizes));
        let count = types.len().saturating_sub(results.len());
        let (spaces, initial) = types.split_at_checked(count).unwrap_or_default();
        let levels = spaces.first().and_then(|&ty| space(context, ty));
        let bits = used_levels(context, module, operation);
        let cases = cases(context, module.attribute(context, operation, CASES));
        let (Some((_, levels)), Some(bits), Some(cases)) = (levels, bits, cases) else {
            return false;
        };
        let before = argument_types(context, initial, bits);
        let is_case = |(number, &case): (usize, &i64)| {
            let chosen: Vec<Type> = spaces
                .iter()
                .enumerate()
                .filter(|(space, _)| is_set(case, *space))
                .map(|(_, &ty)| ty)
                .collect();
            fits(case, count) && is_body(context, module, (operation, number), &before, &chosen)
        };
        has_shape(module, operation, types.len(), results.len(), cases.len())
            && initial == results
            && sizes.as_deref() == Some(&[count, initial.len()])
            && fits(bits, levels)
            && count <= MOST
            // Upstream prints no other attributes, so they would be lost.
            && module.all_attributes(context, operation).len() == 3
            && !cases.is_empty()
            && cases.iter().enumerate().all(is_case)
    }
}
