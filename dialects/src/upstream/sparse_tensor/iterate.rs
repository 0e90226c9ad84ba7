//! Custom syntax of `sparse_tensor.iterate` and `sparse_tensor.coiterate`.

use crate::func::has_shape;
use crate::helpers::{
    add_operands, check_count, ends_plainly, entry_arguments, integer_of, is_single_block,
    property, region_arguments, result_types, segments_property, sizes_of, typed,
};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure, items};
use rmlir_ir::asm::{AsmParser, AsmResult, OperandName, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, Context, Module, NamedAttribute, Operation,
    Type, TypeKind, Value,
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

/// `%i`, or `_` for a coordinate that is not used.
fn coordinate(asm: &mut Asm<'_, '_>, name: &mut Option<Named>) -> AsmResult<()> {
    let mut is_unused = name.is_none();
    asm.optional("_", "_", &mut is_unused);
    match is_unused {
        true => Ok(()),
        false => asm.value(name.get_or_insert_default()),
    }
}

/// Returns the values for the bits that are set, in order, and nothing for the others.
fn chosen(values: &[Value], bits: i64, count: usize) -> Vec<Option<Named>> {
    let mut values = values.iter().copied();
    let name = |number| match is_set(bits, number) {
        true => values.next().map(Named::of),
        false => None,
    };
    (0..count).map(name).collect()
}

/// Returns the names in a list, and the bit set of their positions.
fn names_and_bits(
    list: &[Option<Named>],
    place: Option<usize>,
) -> AsmResult<(Vec<OperandName>, i64)> {
    if list.len() > MOST {
        return Err(failure(place, "too many levels"));
    }
    let bit = |(number, name): (usize, &Option<Named>)| match name {
        Some(_) => 1i64
            .checked_shl(u32::try_from(number).unwrap_or(0))
            .unwrap_or(0),
        None => 0,
    };
    let bits = list.iter().enumerate().map(bit).sum();
    let names = list.iter().flatten().filter_map(|name| name.name);
    Ok((names.collect(), bits))
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

/// The text before the types: the arguments of each region except for the iterators.
#[derive(Default)]
pub(crate) struct Header {
    coordinates_place: Option<usize>,
    coordinates: Vec<Option<Named>>,
    /// The loop-carried values: arguments, and initial values.
    carried: Vec<(Named, Named)>,
    /// The types of the loop-carried values, which follow.
    types: Vec<Type>,
}

impl Header {
    /// Returns the header to print; the first `arguments` of a region are the loop-carried ones.
    fn of(
        module: &Module,
        arguments: &[Value],
        initial: &[Value],
        (bits, levels): (i64, usize),
    ) -> Self {
        let pairs = arguments.iter().zip(initial);
        let rest = arguments.get(initial.len()..).unwrap_or_default();
        let levels = if bits == 0 { 0 } else { levels };
        Header {
            coordinates_place: None,
            coordinates: chosen(rest, bits, levels),
            carried: pairs.map(|(&a, &b)| (Named::of(a), Named::of(b))).collect(),
            types: initial
                .iter()
                .map(|&value| module.value_type(value))
                .collect(),
        }
    }

    /// ` at(%i, _) iter_args(%a = %b)`
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if asm.is_there("at", !self.coordinates.is_empty()) {
            asm.token("at", " at")?;
            asm.token("(", "(")?;
            self.coordinates_place = asm.place();
            asm.items(&mut self.coordinates, coordinate)?;
            asm.token(")", ")")?;
        }
        if asm.is_there("iter_args", !self.carried.is_empty()) {
            asm.token("iter_args", " iter_args")?;
            asm.assignments(&mut self.carried)?;
        }
        Ok(())
    }

    /// Resolves the operands, and returns the arguments that the regions share.
    fn build(
        &mut self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        place: Option<usize>,
    ) -> AsmResult<Vec<RegionArgument>> {
        let (coordinates, used) = names_and_bits(&self.coordinates, self.coordinates_place)?;
        check_count(
            self.carried.len(),
            self.types.len(),
            place.unwrap_or_default(),
        )?;
        let initial: Vec<_> = self.carried.iter().filter_map(|pair| pair.1.name).collect();
        add_operands(parser, operation, typed(&initial, &self.types))?;
        let (index, i64_type) = (parser.context().index_type(), parser.context().i64_type());
        let used = parser.context().integer_attribute(i64_type, used);
        let used = used.map_err(|invalid| failure(place, invalid.message()))?;
        property(parser, operation, USED, used);
        let carried: Vec<_> = self.carried.iter().filter_map(|pair| pair.0.name).collect();
        let mut arguments = region_arguments(&carried, &self.types);
        let indices = vec![index; coordinates.len()];
        arguments.extend(region_arguments(&coordinates, &indices));
        operation.result_types = std::mem::take(&mut self.types);
        Ok(arguments)
    }
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

/// The parsed parts of [`Iterate`].
#[derive(Default)]
pub(crate) struct IterateContent {
    iterator: Named,
    iterated: Named,
    header: Header,
    type_place: Option<usize>,
    ty: Option<Type>,
}

impl TwoWay for Iterate {
    type Content = IterateContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<IterateContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let (&iterated, initial) = operands.split_first()?;
        let arguments = entry_arguments(module, operation, 0);
        let ty = module.value_type(iterated);
        let (_, levels) = space(context, ty)?;
        let bits = used_levels(context, module, operation)?;
        let header = Header::of(module, &arguments, initial, (bits, levels));
        let before = argument_types(context, &header.types, bits);
        let results = result_types(module, operation);
        let fits = has_shape(module, operation, operands.len(), results.len(), 1)
            && header.types == results
            && fits(bits, levels)
            // Upstream prints no other attributes, so they would be lost.
            && module.all_attributes(context, operation).len() == 1
            && is_body(context, module, (operation, 0), &before, &[ty]);
        Some(IterateContent {
            iterator: Named::of(*arguments.last().filter(|_| fits)?),
            iterated: Named::of(iterated),
            header,
            ty: Some(ty),
            ..IterateContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut IterateContent) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.iterator)?;
        asm.token("in", " in ")?;
        asm.value(&mut content.iterated)?;
        content.header.text(asm)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.ty(&mut content.ty)?;
        asm.space(" ");
        asm.optional_arrow_types(&mut content.header.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut IterateContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (place, ty) = (content.type_place, content.ty);
        let iterator = ty.and_then(|ty| iterator(parser.context(), ty));
        let message = "expected sparse_tensor.iter_space type for iteration space operands";
        let ty_of_iterator = iterator.ok_or_else(|| failure(place, message))?;
        add_operands(parser, operation, content.iterated.name.zip(ty))?;
        let mut arguments = content.header.build(parser, operation, place)?;
        let iterator = Named::names(&[content.iterator]);
        arguments.extend(region_arguments(&iterator, &[ty_of_iterator]));
        Ok(Some(arguments))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[USED])
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(YIELD)
    }

    fn shows_terminator(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> bool {
        module.result_count(operation) > 0
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

/// The parsed parts of [`Coiterate`].
#[derive(Default)]
pub(crate) struct CoiterateContent {
    spaces: TypedValues,
    header: Header,
    type_place: Option<usize>,
    /// The iterators of the case that follows, and their position.
    case: Option<Vec<Option<Named>>>,
    case_place: Option<usize>,
    attributes: Vec<NamedAttribute>,
    /// The bit sets of the cases that were read.
    cases: Vec<i64>,
    /// The arguments that the regions share.
    arguments: Vec<RegionArgument>,
}

impl CoiterateContent {
    /// `case %iterator, _`; after all cases, the attributes. Returns whether there is a case.
    fn next(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        if !asm.is_there("case", self.case.is_some()) {
            asm.dictionary(&mut self.attributes)?;
            return Ok(false);
        }
        asm.newline();
        asm.token("case", "case ")?;
        self.case_place = asm.place();
        asm.items(self.case.get_or_insert_default(), coordinate)?;
        Ok(true)
    }

    /// Returns the arguments of the region of the next case; sets the attributes after all cases.
    fn build_next(
        &mut self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let Some(case) = self.case.take() else {
            let context = parser.context();
            let i64_type = context.i64_type();
            let cases = self.cases.iter();
            let cases = cases.filter_map(|&bits| context.integer_attribute(i64_type, bits).ok());
            let cases: Vec<Attribute> = cases.collect();
            let cases = context.array_attribute(&cases);
            property(parser, operation, CASES, cases);
            operation.attributes = std::mem::take(&mut self.attributes);
            return Ok(None);
        };
        let place = self.case_place;
        let (names, bits) = names_and_bits(&case, place)?;
        let mut types = Vec::with_capacity(names.len());
        for number in (0..MOST).filter(|&number| is_set(bits, number)) {
            let value = operation.operands.get(number).copied();
            let ty = value.map(|value| parser.module().value_type(value));
            let ty = ty.and_then(|ty| iterator(parser.context(), ty));
            let message = "mismatch in number of iteration spaces and iterators";
            types.push(ty.ok_or_else(|| failure(place, message))?);
        }
        self.cases.push(bits);
        let mut arguments = self.arguments.clone();
        arguments.extend(region_arguments(&names, &types));
        Ok(Some(arguments))
    }
}

/// Returns the iterators of a case that is printed; `None` if there is no such case.
fn case(
    context: &Context,
    module: &Module,
    operation: Operation,
    number: usize,
) -> Option<Vec<Option<Named>>> {
    let cases = items(context, module.attribute(context, operation, CASES))?;
    let bits = integer_of(context, context.i64_type(), cases.get(number).copied())?;
    let arguments = entry_arguments(module, operation, number);
    let before = arguments.len().checked_sub(count_set(bits))?;
    let results = module.result_count(operation);
    let spaces = module.operand_count(operation).checked_sub(results)?;
    Some(chosen(arguments.get(before..)?, bits, spaces))
}

impl TwoWay for Coiterate {
    type Content = CoiterateContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CoiterateContent> {
        let operands: Vec<Value> = module.operands(operation).collect();
        let results = result_types(module, operation);
        let sizes = module.attribute(context, operation, SEGMENTS);
        let sizes = sizes.and_then(|sizes| sizes_of(context, sizes))?;
        let count = operands.len().checked_sub(results.len())?;
        let (spaces, initial) = operands.split_at_checked(count)?;
        let spaces = TypedValues::of(module, spaces);
        let (_, levels) = space(context, *spaces.types.first()?)?;
        let bits = used_levels(context, module, operation)?;
        let cases = cases(context, module.attribute(context, operation, CASES))?;
        let arguments = entry_arguments(module, operation, 0);
        let header = Header::of(module, &arguments, initial, (bits, levels));
        let before = argument_types(context, &header.types, bits);
        let is_case = |(number, &case): (usize, &i64)| {
            let all = spaces.types.iter().enumerate();
            let chosen = all.filter(|(space, _)| is_set(case, *space));
            let chosen: Vec<Type> = chosen.map(|(_, &ty)| ty).collect();
            fits(case, count) && is_body(context, module, (operation, number), &before, &chosen)
        };
        let fits = has_shape(module, operation, operands.len(), results.len(), cases.len())
            && header.types == results
            && sizes == [count, initial.len()]
            && fits(bits, levels)
            && count <= MOST
            // Upstream prints no other attributes, so they would be lost.
            && module.all_attributes(context, operation).len() == 3
            && cases.iter().enumerate().all(is_case);
        let case = case(context, module, operation, 0).filter(|_| fits)?;
        Some(CoiterateContent {
            spaces,
            header,
            case: Some(case),
            ..CoiterateContent::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<CoiterateContent> {
        Some(CoiterateContent {
            case: case(context, module, operation, regions),
            ..CoiterateContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CoiterateContent) -> AsmResult<()> {
        asm.values_between((" (", ")"), &mut content.spaces.values)?;
        content.header.text(asm)?;
        asm.token(":", " : ")?;
        content.type_place = asm.place();
        asm.types_between(("(", ")"), &mut content.spaces.types)?;
        asm.optional_arrow_types(&mut content.header.types)?;
        content.next(asm)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CoiterateContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let (spaces, place) = (&content.spaces, content.type_place);
        let (count, types) = (spaces.values.len(), spaces.types.len());
        check_count(count, types, place.unwrap_or_default())?;
        spaces.add(parser, operation)?;
        segments_property(parser, operation, &[count, content.header.carried.len()]);
        content.arguments = content.header.build(parser, operation, place)?;
        content.build_next(parser, operation)
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut CoiterateContent,
        _: usize,
    ) -> AsmResult<bool> {
        content.next(asm)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CoiterateContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let arguments = content.build_next(parser, operation)?;
        Ok(arguments.unwrap_or_default())
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(YIELD)
    }

    fn shows_terminator(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        _: usize,
    ) -> bool {
        module.result_count(operation) > 0
    }
}
