//! Parsing, printing and query helpers shared by hooks.

use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, ParsedOperation, RegionArgument,
};
use rmlir_ir::definition::FormatElement;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, Context, DialectBody, Invalid, Location, Module,
    NamedAttribute, Operation, Region, Signedness, Type, TypeKind, Value,
};

/// Adds an inherent attribute to an operation being parsed.
pub(crate) fn property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    value: Attribute,
) {
    let name = parser.name(name);
    operation.properties.push((name, value));
}

/// Sets the segment sizes of operands as a property.
pub(crate) fn segments_property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    sizes: &[usize],
) {
    if let Some(sizes) = segment_sizes(parser.context(), sizes) {
        property(parser, operation, "operandSegmentSizes", sizes);
    }
}

/// Returns whether an attribute is `unit` or absent.
pub(crate) fn is_unit(context: &Context, attribute: Option<Attribute>) -> bool {
    attribute.is_none_or(|attribute| attribute == context.unit_attribute())
}

/// Returns the arguments of the entry block of a region.
pub(crate) fn entry_arguments(module: &Module, operation: Operation, number: usize) -> Vec<Value> {
    let arguments = located_arguments(module, operation, number);
    arguments.into_iter().map(|(value, _)| value).collect()
}

/// Returns the arguments of the entry block of a region, with their locations.
pub(crate) fn located_arguments(
    module: &Module,
    operation: Operation,
    number: usize,
) -> Vec<(Value, Location)> {
    let region = module.region(operation, number);
    let block = region.and_then(|region| module.first_block(region));
    block.map_or_else(Vec::new, |block| module.arguments(block).collect())
}

/// Parses one or more items separated by commas.
pub(crate) fn comma_separated<T>(
    parser: &mut dyn AsmParser,
    mut item: impl FnMut(&mut dyn AsmParser) -> AsmResult<T>,
) -> AsmResult<Vec<T>> {
    let mut items = vec![item(parser)?];
    while parser.eat(",") {
        items.push(item(parser)?);
    }
    Ok(items)
}

/// Parses items separated by commas up to a closing bracket; there may be none.
pub(crate) fn until<T>(
    parser: &mut dyn AsmParser,
    close: &str,
    item: impl FnMut(&mut dyn AsmParser) -> AsmResult<T>,
) -> AsmResult<Vec<T>> {
    if parser.eat(close) {
        return Ok(Vec::new());
    }
    let items = comma_separated(parser, item)?;
    parser.expect(close)?;
    Ok(items)
}

/// Parses one or more types separated by commas.
pub(crate) fn comma_separated_types(parser: &mut dyn AsmParser) -> AsmResult<Vec<Type>> {
    comma_separated(parser, |parser| parser.ty())
}

/// Adds operands with these names and types to an operation being parsed.
pub(crate) fn add_operands(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    typed: impl IntoIterator<Item = (OperandName, Type)>,
) -> AsmResult<()> {
    for (name, ty) in typed {
        operation.operands.push(parser.resolve(name, ty)?);
    }
    Ok(())
}

/// Pairs names with types; both have the same number.
pub(crate) fn typed(
    names: &[OperandName],
    types: &[Type],
) -> impl Iterator<Item = (OperandName, Type)> {
    names.iter().copied().zip(types.iter().copied())
}

/// Returns the value of an integer attribute.
pub(crate) fn integer(context: &Context, attribute: Option<Attribute>) -> Option<i64> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Integer { value, .. } => value.to_i64(),
        _ => None,
    }
}

/// Returns the value of an integer attribute of type `ty`.
pub(crate) fn integer_of(context: &Context, ty: Type, attribute: Option<Attribute>) -> Option<i64> {
    match context.attribute_kind(attribute?) {
        AttributeKind::Integer { ty: found, value } if *found == ty => value.to_i64(),
        _ => None,
    }
}

/// Parses an integer.
pub(crate) fn number(parser: &mut dyn AsmParser) -> AsmResult<i64> {
    match parser.optional_integer()? {
        Some(number) => Ok(number),
        None => Err(AsmError::new(parser.place(), "expected integer value")),
    }
}

/// Returns the attribute of a dialect with this body.
pub(crate) fn dialect_attribute(
    context: &mut Context,
    dialect: &str,
    text: &str,
) -> Result<Attribute, Invalid> {
    let mut body = BodyBuilder::new();
    body.text(text.as_bytes());
    let kind = AttributeKind::Dialect {
        dialect: context.identifier(dialect),
        body: body.finish(),
        ty: None,
    };
    context.try_attribute(kind)
}

/// Returns the members in the brackets of a dialect's attribute with that mnemonic.
pub(crate) fn dialect_members<'c>(
    context: &'c Context,
    dialect: &str,
    attribute: Option<Attribute>,
    mnemonic: &str,
) -> Option<&'c str> {
    let AttributeKind::Dialect {
        dialect: of, body, ..
    } = context.attribute_kind(attribute?)
    else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix(mnemonic)?;
    let mut brackets = MEMBER_BRACKETS.iter();
    let inside = brackets.find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))?;
    (context.bytes(*of) == dialect.as_bytes()).then_some(inside)
}

/// The brackets of members of an enumeration in bodies of attributes.
const MEMBER_BRACKETS: [(&str, &str); 4] = [("<", ">"), ("(", ")"), ("{type = ", "}"), (" ", "")];

/// Returns the attribute of a dialect that holds members of an enumeration, in the brackets of its
/// definition.
pub(crate) fn member_attribute(
    context: &mut Context,
    dialect: &str,
    mnemonic: &str,
    members: &str,
) -> Result<Attribute, Invalid> {
    let definition = context.dialect(dialect.as_bytes());
    let first = definition.as_deref().and_then(|definition| {
        let number = context.release().number_in(definition.family);
        let entry = definition.attributes.entry(mnemonic.as_bytes(), number)?;
        entry.format.elements.first()
    });
    let [angle, round, curly, none] = MEMBER_BRACKETS;
    let (open, close) = match first {
        Some(FormatElement::Parameter(_)) => none,
        Some(FormatElement::Literal(text)) if **text == *"(" => round,
        Some(FormatElement::Literal(text)) if **text == *"{" => curly,
        _ => angle,
    };
    dialect_attribute(
        context,
        dialect,
        &format!("{mnemonic}{open}{members}{close}"),
    )
}

/// Parses `-> type` or `-> (types)`, if it is next.
pub(crate) fn optional_arrow_types(parser: &mut dyn AsmParser) -> AsmResult<Vec<Type>> {
    if !parser.eat("->") {
        return Ok(Vec::new());
    }
    if !parser.eat("(") {
        return Ok(vec![parser.ty()?]);
    }
    types_in_brackets(parser)
}

/// Parses `types)`, after the opening parenthesis.
pub(crate) fn types_in_brackets(parser: &mut dyn AsmParser) -> AsmResult<Vec<Type>> {
    until(parser, ")", |parser| parser.ty())
}

/// Prints ` -> type` or ` -> (types)`; nothing if there are no types.
pub(crate) fn print_optional_arrow_types(printer: &mut dyn AsmPrinter, types: &[Type]) {
    if types.is_empty() {
        return;
    }
    let is_function = |ty: Type| printer.context().type_kind(ty).signature().is_some();
    let bare = matches!(*types, [one] if !is_function(one));
    printer.text(if bare { " -> " } else { " -> (" });
    printer.types(types.iter().copied());
    if !bare {
        printer.text(")");
    }
}

/// Returns region arguments with these names and types.
pub(crate) fn region_arguments(names: &[OperandName], types: &[Type]) -> Vec<RegionArgument> {
    let pairs = names.iter().zip(types);
    let argument = |(&name, &ty): (&OperandName, &Type)| RegionArgument {
        name,
        ty,
        location: None,
    };
    pairs.map(argument).collect()
}

/// Returns an error if the numbers of names and types differ.
pub(crate) fn check_count(names: usize, types: usize, place: usize) -> AsmResult<()> {
    if names == types {
        return Ok(());
    }
    Err(AsmError::new(
        place,
        format!(
            "number of operands and types do not match: got {names} operands and {types} types"
        ),
    ))
}

/// Returns whether a region has one block that is not empty.
pub(crate) fn is_one_block(module: &Module, region: Option<Region>) -> bool {
    let block = region.and_then(|region| module.first_block(region));
    block.is_some_and(|block| {
        module.next_block(block).is_none() && module.first_operation(block).is_some()
    })
}

/// Returns whether a region has one block, with arguments of these types, that is not empty.
pub(crate) fn is_single_block(module: &Module, region: Option<Region>, types: &[Type]) -> bool {
    let block = region.and_then(|region| module.first_block(region));
    block.is_some_and(|block| {
        let found = module.arguments(block).map(|(v, _)| module.value_type(v));
        is_one_block(module, region) && found.eq(types.iter().copied())
    })
}

/// Returns whether the terminator of a region can be omitted, because it has no operands,
/// attributes or other content.
pub(crate) fn ends_plainly(
    context: &Context,
    module: &Module,
    region: Option<Region>,
    terminator: &str,
) -> bool {
    let block = region.and_then(|region| module.last_block(region));
    let last = block.and_then(|block| module.last_operation(block));
    last.is_some_and(|last| {
        context.operation_name_bytes(module.name(last)) == terminator.as_bytes()
            && crate::func::has_shape(module, last, 0, 0, 0)
            && module.inherent_attributes(context, last).is_empty()
            && module.discardable_attributes(context, last).is_empty()
    })
}

/// Returns the types of operands from `first` on.
pub(crate) fn operand_types(module: &Module, operation: Operation, first: usize) -> Vec<Type> {
    let operands = module.operands(operation).skip(first);
    operands.map(|value| module.value_type(value)).collect()
}

/// Returns the types of results.
pub(crate) fn result_types(module: &Module, operation: Operation) -> Vec<Type> {
    let results = module.results(operation);
    results.map(|value| module.value_type(value)).collect()
}

/// Returns segment sizes as an attribute.
pub(crate) fn segment_sizes(context: &mut Context, sizes: &[usize]) -> Option<Attribute> {
    if sizes.iter().any(|&size| i32::try_from(size).is_err()) {
        return None;
    }
    Some(context.i32_array_attribute(sizes.iter().map(|&size| size as i32)))
}

/// Returns the sizes in a segment sizes attribute.
pub(crate) fn sizes_of(context: &Context, attribute: Attribute) -> Option<Vec<usize>> {
    let sizes = context.i32_array(attribute)?;
    sizes.map(|size| usize::try_from(size).ok()).collect()
}

/// Returns the elements of a dense array of `i64`.
pub(crate) fn numbers(context: &Context, attribute: Option<Attribute>) -> Option<Vec<i64>> {
    Some(context.i64_array(attribute?)?.collect())
}

/// Returns a list of integers of at most 64 bits, or of indices, as dense elements of a vector if
/// `vector`, else of a tensor.
pub(crate) fn dense_integers(
    context: &mut Context,
    element: Type,
    values: &[i64],
    vector: bool,
) -> Option<Attribute> {
    let width = match context.type_kind(element) {
        TypeKind::Integer { width, .. } => *width,
        _ => 64,
    };
    let size = usize::try_from(width.div_ceil(8)).ok()?;
    let mut pairs = values.windows(2);
    let is_splat = !values.is_empty() && pairs.all(|pair| matches!(pair, [a, b] if a == b));
    let held = if is_splat { values.get(..1)? } else { values };
    let mut data = Vec::new();
    for &value in held {
        ApInt::from_i64(width, value).to_le_bytes(&mut data, size);
    }
    let shape = [i64::try_from(values.len()).ok()?].into();
    let kind = match vector {
        true => TypeKind::Vector {
            shape,
            scalable: [false].into(),
            element,
        },
        false => TypeKind::RankedTensor {
            shape,
            element,
            encoding: None,
        },
    };
    let ty = context.try_type(kind).ok()?;
    let kind = AttributeKind::DenseElements {
        ty,
        splat: is_splat,
        data: data.into(),
    };
    context.try_attribute(kind).ok()
}

/// Returns the keyword of a case of a dialect's enumeration.
pub(crate) fn member_keyword(
    context: &Context,
    (dialect, enumeration): (&str, &str),
    value: u64,
) -> Option<String> {
    let dialect = context.dialect(dialect.as_bytes())?;
    let enumeration = dialect.enumeration_in(enumeration, context.release())?;
    let mut cases = enumeration.cases.iter();
    let case = cases.find(|case| case.value.cast_unsigned() == value)?;
    Some(case.keyword.to_string())
}

/// Returns the value of a case of a dialect's enumeration.
pub(crate) fn member_value(
    context: &Context,
    (dialect, enumeration): (&str, &str),
    keyword: &str,
) -> Option<u64> {
    let dialect = context.dialect(dialect.as_bytes())?;
    let enumeration = dialect.enumeration_in(enumeration, context.release())?;
    let mut cases = enumeration.cases.iter();
    let case = cases.find(|case| case.keyword == keyword)?;
    Some(case.value.cast_unsigned())
}

/// Returns the elements of dense elements of type `index` in a tensor of rank 1 without encoding.
pub(crate) fn indices_of_dense(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    let AttributeKind::DenseElements { ty, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    match context.type_kind(*ty) {
        TypeKind::RankedTensor {
            element,
            encoding: None,
            ..
        } if *element == context.index_type() => context.dense_integers(attribute),
        _ => None,
    }
}

/// Returns the integer or float type with this keyword.
pub(crate) fn scalar_type(context: &mut Context, keyword: &str) -> Option<Type> {
    if let Some(kind) = FloatKind::from_keyword(keyword.as_bytes()) {
        return Some(context.float_type(kind));
    }
    context.try_type(integer_kind(keyword)?).ok()
}

/// Returns whether a type is the integer or float type with this keyword.
pub(crate) fn is_scalar_type(context: &Context, ty: Type, keyword: &str) -> bool {
    match context.type_kind(ty) {
        TypeKind::Float(kind) => kind.keyword() == keyword,
        kind => integer_kind(keyword).as_ref() == Some(kind),
    }
}

/// Returns the integer type of a keyword: `i32`, `si8`, `ui64`.
fn integer_kind(keyword: &str) -> Option<TypeKind> {
    let (signedness, width) = match keyword.as_bytes().first()? {
        b's' => (Signedness::Signed, keyword.strip_prefix("si")?),
        b'u' => (Signedness::Unsigned, keyword.strip_prefix("ui")?),
        _ => (Signedness::Signless, keyword.strip_prefix('i')?),
    };
    let width = width.parse().ok()?;
    Some(TypeKind::Integer { width, signedness })
}

/// Returns the type of a dialect with this text.
pub(crate) fn dialect_type(
    context: &mut Context,
    dialect: &str,
    text: &str,
) -> Result<Type, Invalid> {
    let kind = TypeKind::Dialect {
        dialect: context.identifier(dialect),
        body: DialectBody::from_text(text.as_bytes()),
    };
    context.try_type(kind)
}

/// Returns whether a type is that of a dialect with a mnemonic.
pub(crate) fn is_of(context: &Context, ty: Type, dialect: &str, mnemonic: &str) -> bool {
    let TypeKind::Dialect { dialect: of, body } = context.type_kind(ty) else {
        return false;
    };
    let rest = body.text().strip_prefix(mnemonic.as_bytes());
    context.bytes(*of) == dialect.as_bytes()
        && rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'<')))
}

/// Returns whether a type is the type of a dialect with this text.
pub(crate) fn is_dialect_type(context: &Context, ty: Type, dialect: &str, text: &str) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::Dialect { dialect: found, body }
            if context.bytes(*found) == dialect.as_bytes() && body.text() == text.as_bytes()
    )
}

/// Returns whether an attribute is the attribute of a dialect with this text.
pub(crate) fn is_dialect_attribute(
    context: &Context,
    attribute: Attribute,
    dialect: &str,
    text: &str,
) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::Dialect { dialect: found, body, ty: None }
            if context.bytes(*found) == dialect.as_bytes() && body.text() == text.as_bytes()
    )
}

/// Returns the discardable attributes and then the inherent ones, each sorted by name: the order of
/// code that joins the two lists itself.
pub(crate) fn discardable_first(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Vec<NamedAttribute> {
    let discardable = module.discardable_attributes(context, operation);
    [discardable, module.inherent_attributes(context, operation)].concat()
}
