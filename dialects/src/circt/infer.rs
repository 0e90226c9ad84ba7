//! Types that the text leaves out because other types determine them.

use super::made::{Made, Own};

use super::fields::{fields, without_alias};
use crate::helpers::{integer, is_dialect_type, is_of};
use crate::inferred::Source;
use rmlir_ir::{Context, Signedness, Type, TypeKind};

/// Returns whether a type of `firrtl` is constant.
pub(super) fn is_constant(context: &Context, ty: Type) -> bool {
    matches!(
        context.type_kind(without_alias(context, ty)),
        TypeKind::Dialect { dialect, body }
            if context.bytes(*dialect) == b"firrtl" && body.text().starts_with(b"const.")
    )
}

/// Returns whether the text of a type of `firrtl` has `const`.
fn has_constant(context: &Context, ty: Type) -> bool {
    match context.type_kind(ty) {
        TypeKind::Dialect { body, .. } => {
            let mut words = body.text().windows(b"const.".len());
            !body.references().is_empty() || words.any(|word| word == b"const.")
        }
        _ => false,
    }
}

/// Returns the length and the element type of `!hw.array`.
pub(crate) fn array(context: &Context, ty: Type) -> Option<(i64, Type)> {
    let ty = without_alias(context, ty);
    if !is_of(context, ty, "hw", "array") {
        return None;
    }
    let size = context.parameter(ty, "sizeAttr")?.attribute();
    let element = context.parameter(ty, "elementType")?.ty()?;
    Some((integer(context, size)?, element))
}

/// Returns the element type of a vector of `firrtl`.
fn vector_element(context: &Context, ty: Type) -> Option<Type> {
    let ty = without_alias(context, ty);
    let vectors = ["vector", "openvector", "const.vector"];
    let is_vector = vectors
        .iter()
        .any(|word| is_of(context, ty, "firrtl", word));
    let element = context.parameter(ty, "elementType").filter(|_| is_vector);
    element?.ty()
}

/// The element of a vector of `firrtl`, by an index that is not constant if it has a type that is
/// not.
pub(crate) fn element(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &of = source.types.first()?;
    let element = vector_element(context, of)?;
    Some(vec![match source.types.get(1) {
        // The type without all `const`; this one has none.
        Some(&index) if !is_constant(context, index) => {
            Made::Known(Some(element).filter(|&element| !has_constant(context, element))?)
        }
        _ => Made::Other(Own::Field(of, element)),
    }])
}

/// Returns the type in a probe, and the name of the type of probes.
fn probed(context: &Context, ty: Type) -> Option<(&'static str, Type)> {
    let names = [("probe", "firrtl.probe"), ("rwprobe", "firrtl.rwprobe")];
    let found = names
        .iter()
        .find(|(word, _)| is_of(context, ty, "firrtl", word));
    let inner = context.parameter(ty, "elementType")?.ty()?;
    Some((found?.1, inner))
}

/// The type that a probe refers to.
pub(crate) fn resolved(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Known(
        probed(context, *source.types.first()?)?.1,
    )])
}

/// A probe of a value.
pub(crate) fn sent(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    Some(vec![Made::Other(Own::Passive(ty))])
}

/// A probe of a value that can be forced.
pub(crate) fn forceable(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    Some(vec![wrap("firrtl.rwprobe.elementType", ty)])
}

/// A probe of a field or an element of the type that a probe refers to.
pub(crate) fn probe_part(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let (name, of) = probed(context, *source.types.first()?)?;
    let part = match vector_element(context, of) {
        Some(element) => element,
        None => {
            let index = integer(context, source.attribute)?;
            fields(context, of)?.get(usize::try_from(index).ok()?)?.1
        }
    };
    if is_constant(context, of) {
        return None;
    }
    let layer = context.parameter(*source.types.first()?, "layer");
    let layer = layer.and_then(|layer| layer.attribute());
    Some(vec![Made::Other(Own::Probe(name, part, layer))])
}

/// `!firrtl.uint<1>`.
pub(crate) fn firrtl_bit(_: &Context, _: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Plain("firrtl".to_owned(), "uint<1>".to_owned())])
}

/// Returns the type of a dialect with a type as its only parameter: `dialect.mnemonic.parameter`.
pub(super) fn wrap(text: &str, ty: Type) -> Made {
    let (name, parameter) = text.rsplit_once('.').unwrap_or_default();
    Made::Wrap(name.to_owned(), parameter.to_owned(), ty)
}

/// The type around another that the directive's text names: `"hw.inout.elementType"`.
pub(crate) fn wrapped(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![wrap(source.text, *source.types.first()?)])
}

/// The parameter of a type that the directive's text names.
pub(crate) fn parameter(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let found = context.parameter(*source.types.first()?, source.text)?;
    match found.ty() {
        Some(ty) => Some(vec![Made::Known(ty)]),
        None => found
            .items()
            .map(|item| item.ty().map(Made::Known))
            .collect(),
    }
}

/// The type in a type, along the parameters that the directive's text names:
/// `"nestedType elementType"`. A name before these is that of a type around it:
/// `"moore.ref.nestedType of nestedType elementType"`.
pub(crate) fn inside(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let (around, path) = match source.text.split_once(" of ") {
        Some((around, path)) => (Some(around), path),
        None => (None, source.text),
    };
    let mut ty = *source.types.first()?;
    for name in path.split(' ') {
        ty = context.parameter(ty, name)?.ty()?;
    }
    Some(vec![match around {
        Some(around) => wrap(around, ty),
        None => Made::Known(ty),
    }])
}

/// The function type without inputs and results.
pub(crate) fn procedure(_: &Context, _: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Other(Own::Procedure)])
}

/// The integer type whose width is the parameter of a type that the directive's text names.
pub(crate) fn integer_of_parameter(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let width = context
        .parameter(*source.types.first()?, source.text)?
        .integer()?;
    Some(vec![Made::Integer(u32::try_from(width).ok()?)])
}

/// The type with the number that a parameter of another type has; the directive's text names both
/// types' parameter: `"rtg.isa.memory.addressWidth"`.
pub(crate) fn renumbered(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let (name, parameter) = source.text.rsplit_once('.')?;
    let number = context
        .parameter(*source.types.first()?, parameter)?
        .integer()?;
    Some(vec![Made::Number(
        name.to_owned(),
        parameter.to_owned(),
        number,
    )])
}

/// The type that the directive's text spells: `"dc.token"`.
pub(crate) fn spelled(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let (dialect, text) = source.text.split_once('.')?;
    Some(vec![Made::Plain(dialect.to_owned(), text.to_owned())])
}

/// The result type of an operation on sequences and properties: `i1` for bits, else a sequence,
/// else a property.
pub(crate) fn logic(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let is = |ty: &Type, word: &str| is_dialect_type(context, *ty, "ltl", word);
    let word = match source.types {
        types if types.iter().any(|ty| is(ty, "property")) => "property",
        types if types.iter().any(|ty| is(ty, "sequence")) => "sequence",
        _ if source.text == "sequence" => "sequence",
        types if types.iter().all(|&ty| width(context, ty) == Some(1)) => {
            return Some(vec![Made::Integer(1)]);
        }
        _ => return None,
    };
    Some(vec![Made::Plain("ltl".to_owned(), word.to_owned())])
}

/// The width of an address of a memory, of which the parameter `depth` is the number of words.
pub(crate) fn memory_address(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let depth = context
        .parameter(*source.types.first()?, "depth")?
        .integer()?;
    let bits = u64::try_from(depth).ok()?.saturating_sub(1).checked_ilog2();
    Some(vec![Made::Integer(bits.map_or(0, |bits| bits + 1).max(1))])
}

/// The type of a number or of a dialect's attribute with a type.
///
/// Attributes of some mnemonics are of the type of the same mnemonic, which their text leaves out.
pub(crate) fn type_of_value(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let value = source.attribute?;
    if let Some(ty) = super::literals::type_of(context, value) {
        return Some(vec![Made::Known(ty)]);
    }
    let rmlir_ir::AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(value)
    else {
        return None;
    };
    let dialect = context.str(*dialect).into_owned();
    match body.mnemonic() {
        b"isa.immediate" => {
            let width = context.parameter(value, "width")?.integer()?;
            let name = format!("{dialect}.isa.immediate");
            Some(vec![Made::Number(name, "width".to_owned(), width)])
        }
        b"cpu" => Some(vec![Made::Plain(dialect, "cpu".to_owned())]),
        _ => None,
    }
}

/// The element of an array of `hw`.
pub(crate) fn array_element(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let ty = without_alias(context, *source.types.first()?);
    let element = context.parameter(ty, "elementType");
    let element = element
        .filter(|_| is_of(context, ty, "hw", "array"))?
        .ty()?;
    Some(vec![Made::Known(element)])
}

/// The element type of `!hw.inout<T>`.
pub(crate) fn inout_element(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    if !is_of(context, ty, "hw", "inout") {
        return None;
    }
    let element = context.parameter(ty, "elementType")?.ty()?;
    Some(vec![Made::Known(element)])
}

/// Returns the element type of the array in a `!hw.inout`.
pub(crate) fn inout_array_element(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let Some(Made::Known(of)) = inout_element(context, source)?.pop() else {
        return None;
    };
    let of = without_alias(context, of);
    let is_array = ["array", "uarray"]
        .iter()
        .any(|word| is_of(context, of, "hw", word));
    let element = context
        .parameter(of, "elementType")
        .filter(|_| is_array)?
        .ty()?;
    Some(vec![wrap("hw.inout.elementType", element)])
}

/// The same type.
pub(crate) fn same(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Known(*source.types.first()?)])
}

/// `!seq.immutable<T>`.
pub(crate) fn immutable(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &ty = source.types.first()?;
    Some(vec![wrap("seq.immutable.innerType", ty)])
}

/// Returns the width of a signless integer, also through an alias.
pub(crate) fn width(context: &Context, ty: Type) -> Option<u32> {
    match context.type_kind(without_alias(context, ty)) {
        TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        } => Some(*width),
        _ => None,
    }
}

/// The integer that all integers together are.
pub(crate) fn concatenated(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let mut sum = 0u32;
    for &ty in source.types {
        sum = sum.checked_add(width(context, ty)?)?;
    }
    Some(vec![Made::Integer(sum)])
}

/// The members of a tuple.
pub(crate) fn members(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    match context.type_kind(*source.types.first()?) {
        TypeKind::Tuple(types) => Some(types.iter().map(|&ty| Made::Known(ty)).collect()),
        _ => None,
    }
}

/// `!kanagawa.portref` of the type that an attribute stores, in the direction that the directive's
/// text names.
pub(crate) fn port(_: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    Some(vec![Made::Other(Own::Port(
        source.text.to_owned(),
        source.attribute?,
    ))])
}

/// The type that `!kanagawa.portref` refers to.
pub(crate) fn port_type(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let found = context.parameter(*source.types.first()?, "portTypeAttr")?;
    match context.attribute_kind(found.attribute()?) {
        rmlir_ir::AttributeKind::Type(ty) => Some(vec![Made::Known(*ty)]),
        _ => None,
    }
}

/// `!kanagawa.scoperef` of what an inner reference refers to.
pub(crate) fn scope(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let reference = super::hierarchy::inner_reference(context, source.attribute?)?;
    Some(vec![Made::Other(Own::Scope(reference))])
}

/// The types of the channels of a bundle in the direction that the directive's text names.
pub(crate) fn channels(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let all = super::bundles::channels(context, *source.types.first()?, source.text)?;
    Some(all.into_iter().map(|(_, ty)| Made::Known(ty)).collect())
}

/// The types of the addresses of a memory with several dimensions.
pub(crate) fn addresses(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let shape = context.parameter(*source.types.first()?, "shape")?;
    let width = |size: i64| super::arrays::index_width(size).map(Made::Integer);
    shape.items().map(|size| width(size.integer()?)).collect()
}
