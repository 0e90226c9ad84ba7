//! The types of windows of `esi` on the wire: a struct for each frame, in a union if there are
//! several.

use super::fields::{fields, without_alias};
use super::infer::array;
use super::made::{Made, Own};
use crate::helpers::is_of;
use crate::inferred::Source;
use rmlir_ir::{AttributeKind, Context, Type};
use std::collections::HashSet;

/// A field on the wire.
type Field = (String, Made);

/// A member of a frame.
struct Member<'c> {
    name: &'c [u8],
    ty: Type,
    /// The number of items at a time; 0 for one item, or all.
    items: i64,
    /// The bits of the number of items that follow in bulk; 0 if none do.
    count_bits: i64,
}

impl Member<'_> {
    /// Returns the field with the name of the member and a suffix.
    fn field(&self, suffix: &str, ty: Made) -> Field {
        (
            format!("{}{suffix}", String::from_utf8_lossy(self.name)),
            ty,
        )
    }

    /// Returns the field of an integer with the name of the member and a suffix.
    fn bits(&self, suffix: &str, bits: i64) -> Option<Field> {
        Some(self.field(suffix, Made::Integer(u32::try_from(bits).ok()?)))
    }
}

/// Returns a type through an alias, and the element type of a list.
fn list(context: &Context, ty: Type) -> Option<Type> {
    let ty = without_alias(context, ty);
    let element = context.parameter(ty, "elementType");
    element.filter(|_| is_of(context, ty, "esi", "list"))?.ty()
}

/// Returns the type inside of an array or a list, or the type itself.
fn item(context: &Context, ty: Type) -> Type {
    let is_list = is_of(context, ty, "hw", "array") || is_of(context, ty, "esi", "list");
    let element = context.parameter(ty, "elementType").filter(|_| is_list);
    element.and_then(|element| element.ty()).unwrap_or(ty)
}

/// Returns a parameter that is a string attribute.
fn text<'c>(context: &'c Context, ty: Type, name: &str) -> Option<&'c [u8]> {
    context.string_value(context.parameter(ty, name)?.attribute()?)
}

/// Returns the members of a frame.
fn members<'c>(
    context: &'c Context,
    frame: Type,
    of: &[(&'c [u8], Type)],
) -> Option<Vec<Member<'c>>> {
    let all = context.parameter(frame, "members")?.items();
    let number = |ty: Type, name: &str| {
        let number = context.parameter(ty, name);
        number.and_then(|number| number.integer()).unwrap_or(0)
    };
    all.map(|member| {
        let member = member.ty()?;
        let name = text(context, member, "fieldName")?;
        Some(Member {
            name,
            ty: of.iter().find(|field| field.0 == name)?.1,
            items: number(member, "numItems"),
            count_bits: number(member, "bulkCountWidth"),
        })
    })
    .collect()
}

/// Adds the fields of a member to those of its frame. Returns the number of items that are left
/// over for a frame of their own.
fn add(
    context: &Context,
    member: &Member<'_>,
    is_bulk: bool,
    (frame, left): (&mut Vec<Field>, &mut Vec<Field>),
) -> Option<i64> {
    if member.count_bits > 0 {
        frame.push(member.bits("_count", member.count_bits)?);
        return Some(0);
    }
    let last = || ("last".to_owned(), Made::Integer(1));
    let of_list = list(context, member.ty);
    if member.items == 0 {
        let fields = [member.field("", Made::Known(item(context, member.ty)))];
        let fields = fields.into_iter();
        let fields = fields.chain((of_list.is_some() && !is_bulk).then(last));
        for field in fields {
            left.push(field.clone());
            frame.push(field);
        }
        return Some(0);
    }
    let some = |count, ty| Made::Other(Own::Array(count, ty));
    if let Some(element) = of_list {
        frame.push(member.field("", some(member.items, element)));
        if !is_bulk {
            let bits = super::arrays::index_width(member.items)?;
            frame.push(member.bits("_size", i64::from(bits))?);
            frame.push(last());
        }
        return Some(0);
    }
    let (count, element) = array(context, member.ty)?;
    frame.push(member.field("", some(member.items, element)));
    let rest = count.checked_rem(member.items)?;
    if rest > 0 {
        left.push(member.field("", some(rest, element)));
    }
    Some(rest)
}

/// Returns the type on the wire of a window.
fn lowered(context: &Context, window: Type) -> Option<Made> {
    let parameters = context.parameters(window).ok()?;
    let into = parameters.get("into")?.ty()?;
    let of = fields(context, into)?;
    let frames = parameters.get("frames")?.items();
    let frames: Vec<(Type, Vec<Member<'_>>)> = frames
        .map(|frame| {
            let frame = frame.ty()?;
            Some((frame, members(context, frame, &of)?))
        })
        .collect::<Option<_>>()?;
    let all = frames.iter().flat_map(|frame| &frame.1);
    let bulk = all.filter(|member| member.count_bits > 0);
    let bulk: HashSet<&[u8]> = bulk.map(|member| member.name).collect();
    let record = |fields| Made::Other(Own::Fields("hw.struct", fields));
    let mut variants = Vec::new();
    for (frame, members) in &frames {
        let name = String::from_utf8_lossy(text(context, *frame, "name")?).into_owned();
        let (mut fields, mut left, mut has_left) = (Vec::new(), Vec::new(), false);
        for member in members {
            let is_bulk = bulk.contains(member.name);
            has_left |= add(context, member, is_bulk, (&mut fields, &mut left))? > 0;
        }
        if frames.len() == 1 && name.is_empty() && !has_left {
            return Some(record(fields));
        }
        if !fields.is_empty() {
            variants.push((name.clone(), record(fields)));
        }
        if has_left {
            variants.push((format!("{name}_leftOver"), record(left)));
        }
    }
    Some(Made::Other(Own::Fields("hw.union", variants)))
}

/// The type on the wire of a window: an alias if the type that is sent is one.
pub(crate) fn window(context: &Context, source: &Source<'_>) -> Option<Vec<Made>> {
    let &window = source.types.first()?;
    is_of(context, window, "esi", "window").then_some(())?;
    let made = lowered(context, window)?;
    let into = context.parameter(window, "into")?.ty()?;
    if !is_of(context, into, "hw", "typealias") {
        return Some(vec![made]);
    }
    let reference = context.parameter(into, "ref")?.attribute()?;
    let AttributeKind::SymbolRef { root, nested } = context.attribute_kind(reference) else {
        return None;
    };
    let leaf = nested.last().unwrap_or(root);
    let suffix = String::from_utf8_lossy(text(context, window, "name")?);
    let name = format!("{}_{suffix}", context.str(*leaf));
    let outer = context.str(*root).into_owned();
    Some(vec![Made::Other(Own::Alias(outer, name, Box::new(made)))])
}
