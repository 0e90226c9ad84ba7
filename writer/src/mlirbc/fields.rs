//! Encodes the fields of entries: their references and their bytes.

use super::entries::{Child, Tables};
use super::strings::Strings;
use rmlir_format::prefix_varint::{
    write_prefix_flagged_varint, write_prefix_signed_varint, write_prefix_varint,
};
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::affine::{AffineArena, AffineExpr, AffineExprKind, AffineMap, IntegerSet};
use rmlir_ir::apint::ApInt;
use rmlir_ir::codec::{Codec, FieldKind, FieldValue, FieldValues, number_type};
use rmlir_ir::{Attribute, Context, Identifier, Location, Resource, Type, TypeKind};

/// A reference of a field.
#[derive(Clone, Copy)]
pub(super) enum Reference {
    Attribute(Attribute),
    /// The default attribute where none is given: an identity map.
    Identity,
    Location(Location),
    String(Identifier),
    Symbol(Identifier),
    Type(Type),
    Resource(Resource),
}

/// Calls `refer` for each reference of the fields, in the order in which [`write`] needs the
/// numbers.
pub(super) fn for_each_reference(
    codec: &Codec,
    values: &FieldValues<'_>,
    mut refer: impl FnMut(Reference),
) {
    let mut one = |kind: FieldKind, value: &FieldValue<'_>| match (kind, value) {
        (FieldKind::StringAttribute, &FieldValue::String(string)) => {
            refer(Reference::String(string));
        }
        (FieldKind::SymbolReference, &FieldValue::String(string)) => {
            refer(Reference::Symbol(string));
        }
        (FieldKind::Attribute, FieldValue::Absent) => refer(Reference::Identity),
        (_, &FieldValue::Attribute(attribute)) => refer(Reference::Attribute(attribute)),
        (_, &FieldValue::Location(location)) => refer(Reference::Location(location)),
        (_, &FieldValue::Type(ty)) => refer(Reference::Type(ty)),
        (_, &FieldValue::Resource(resource)) => refer(Reference::Resource(resource)),
        _ => {}
    };
    for (field, value) in codec.fields.iter().zip(&values.fields) {
        match field.kind {
            FieldKind::List(item) | FieldKind::FlaggedList(item) => {
                values
                    .list(value)
                    .iter()
                    .for_each(|value| one(*item, value));
            }
            FieldKind::Pairs(kinds) => {
                let items = values.list(value).iter();
                items
                    .zip(kinds.iter().cycle())
                    .for_each(|(value, &kind)| one(kind, value));
            }
            kind => one(kind, value),
        }
    }
}

/// Writes fields. `children` are their references, in order.
pub(super) struct FieldWriter<'w, 'c> {
    pub(super) context: &'c Context,
    pub(super) numbers: &'w Tables,
    pub(super) strings: &'w mut Strings<'c>,
    pub(super) out: &'w mut Vec<u8>,
    pub(super) children: std::slice::Iter<'w, Child>,
}

impl FieldWriter<'_, '_> {
    /// # Errors
    /// If the values are not of the fields' kinds.
    pub(super) fn write(&mut self, codec: &Codec, values: &FieldValues<'_>) -> Result<()> {
        for (field, value) in codec.fields.iter().zip(&values.fields) {
            match (field.kind, value) {
                (FieldKind::List(item), list) => self.list(*item, values.list(list))?,
                (FieldKind::FlaggedList(_), FieldValue::Absent) => self.out.push(0),
                (FieldKind::FlaggedList(item), list) => {
                    self.out.push(1);
                    self.list(*item, values.list(list))?;
                }
                (FieldKind::Pairs(kinds), list) => {
                    let items = values.list(list);
                    write_prefix_varint(self.out, items.len() as u64 / 2);
                    for (item, &kind) in items.iter().zip(kinds.iter().cycle()) {
                        self.scalar(kind, item, values)?;
                    }
                }
                (FieldKind::Strings, list) => {
                    for item in values.list(list) {
                        self.scalar(FieldKind::String, item, values)?;
                    }
                }
                (kind, value) => self.scalar(kind, value, values)?,
            }
        }
        Ok(())
    }

    fn list(&mut self, kind: FieldKind, items: &[FieldValue<'_>]) -> Result<()> {
        write_prefix_varint(self.out, items.len() as u64);
        for item in items {
            // The encoding of items does not depend on other fields.
            self.scalar(kind, item, &FieldValues::default())?;
        }
        Ok(())
    }

    /// Returns the number of the next child.
    fn child(&mut self) -> Result<u64> {
        match self.children.next() {
            Some(&child) => self.numbers.child(child),
            None => Err(mismatch()),
        }
    }

    fn scalar(
        &mut self,
        kind: FieldKind,
        value: &FieldValue<'_>,
        values: &FieldValues<'_>,
    ) -> Result<()> {
        use FieldKind as K;
        use FieldValue as V;
        match (kind, value) {
            (K::OptionalAttribute | K::OptionalVarint, V::Absent) => {
                write_prefix_varint(self.out, 0)
            }
            (K::OptionalAttribute, _) => {
                let number = self.child()?;
                write_prefix_flagged_varint(self.out, number, true);
            }
            (K::OptionalVarint, &V::Unsigned(number)) => {
                write_prefix_flagged_varint(self.out, number, true);
            }
            (K::FlaggedAttribute, V::Absent) => self.out.push(0),
            (K::FlaggedAttribute, _) => {
                self.out.push(1);
                let number = self.child()?;
                write_prefix_varint(self.out, number);
            }
            (K::NumberFlaggedAttribute, V::Absent) => write_prefix_varint(self.out, 0),
            (K::NumberFlaggedAttribute, _) => {
                write_prefix_varint(self.out, 1);
                let number = self.child()?;
                write_prefix_varint(self.out, number);
            }
            (
                K::Attribute
                | K::StringAttribute
                | K::SymbolReference
                | K::Location
                | K::Type
                | K::Resource,
                _,
            ) => {
                let number = self.child()?;
                write_prefix_varint(self.out, number);
            }
            (K::String, &V::String(string)) => {
                let number = self.strings.identifier(string);
                write_prefix_varint(self.out, number);
            }
            (K::Varint, &V::Unsigned(number)) => write_prefix_varint(self.out, number),
            (K::SignedVarint, &V::Signed(number)) => write_prefix_signed_varint(self.out, number),
            (K::Byte | K::Bool, &V::Unsigned(number)) => {
                self.out.push(u8::try_from(number).map_err(|_| mismatch())?);
            }
            (K::Float64, &V::Float(bits)) => {
                let bits = u64::try_from(bits).map_err(|_| mismatch())?;
                write_prefix_signed_varint(self.out, bits.cast_signed());
            }
            (K::Blob, V::Bytes(bytes)) => {
                write_prefix_varint(self.out, bytes.len() as u64);
                self.out.extend_from_slice(bytes);
            }
            (K::ApInt(_), V::Integer(value)) => integer(self.out, value),
            (K::ApFloat(field), &V::Float(bits)) => {
                let ty = values.fields.get(usize::from(field));
                let Some(&FieldValue::Type(ty)) = ty else {
                    return Err(mismatch());
                };
                let Some(TypeKind::Float(kind)) = number_type(self.context, ty) else {
                    return Err(mismatch());
                };
                let words = [bits as u64, (bits >> 64) as u64];
                integer(self.out, &ApInt::from_words(kind.width(), &words));
            }
            (K::AffineMap, V::AffineMap(map)) => affine_map(self.out, self.context.affine(), map)?,
            (K::IntegerSet, V::IntegerSet(set)) => {
                integer_set(self.out, self.context.affine(), set)?;
            }
            _ => return Err(mismatch()),
        }
        Ok(())
    }
}

/// Writes an integer of its own width; see [`FieldKind::ApInt`].
fn integer(out: &mut Vec<u8>, value: &ApInt) {
    let words = value.words();
    let low = words.first().copied().unwrap_or(0);
    match value.width() {
        // At most eight bits are set.
        ..=8 => out.push(low as u8),
        9..=64 => write_prefix_signed_varint(out, low.cast_signed()),
        _ => {
            let used = words.iter().rposition(|&word| word != 0).unwrap_or(0) + 1;
            write_prefix_varint(out, used as u64);
            for word in words.iter().take(used) {
                write_prefix_signed_varint(out, word.cast_signed());
            }
        }
    }
}

/// Writes an affine map in the first form that can represent it.
///
/// The forms are: 0 identity, 1 permutation, 2 some of the dimensions, each at most once, 3 any
/// other.
fn affine_map(out: &mut Vec<u8>, arena: &AffineArena, map: &AffineMap) -> Result<()> {
    let mut dimensions = Vec::with_capacity(map.results.len());
    for &result in &map.results {
        if let AffineExprKind::Dim(position) = arena.kind(result).ok_or_else(mismatch)? {
            dimensions.push(position);
        }
    }
    let mut sorted = dimensions.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let projects = map.num_symbols == 0
        && dimensions.len() == map.results.len()
        && sorted.len() == dimensions.len();
    let permutes = projects && dimensions.len() == map.num_dims as usize;
    let form = match (projects, permutes) {
        (true, true) if dimensions == sorted => 0,
        (true, true) => 1,
        (true, false) => 2,
        _ => 3,
    };
    write_prefix_varint(out, u64::from(map.num_dims) << 2 | form);
    if form == 2 {
        write_prefix_varint(out, dimensions.len() as u64);
    }
    if form == 1 || form == 2 {
        for &position in &dimensions {
            write_prefix_varint(out, position.into());
        }
    }
    if form < 3 {
        return Ok(());
    }
    write_prefix_varint(out, map.num_symbols.into());
    write_prefix_varint(out, map.results.len() as u64);
    expressions(out, arena, map.results.iter().copied())
}

/// Writes the numbers of dimensions, symbols and constraints, the expressions, and a byte for each
/// of these: 1 for `== 0`, 0 for `>= 0`.
fn integer_set(out: &mut Vec<u8>, arena: &AffineArena, set: &IntegerSet) -> Result<()> {
    write_prefix_varint(out, set.num_dims.into());
    write_prefix_varint(out, set.num_symbols.into());
    write_prefix_varint(out, set.constraints.len() as u64);
    expressions(
        out,
        arena,
        set.constraints.iter().map(|constraint| constraint.0),
    )?;
    out.extend(
        set.constraints
            .iter()
            .map(|constraint| u8::from(constraint.1)),
    );
    Ok(())
}

/// Writes expressions in prefix order.
fn expressions(
    out: &mut Vec<u8>,
    arena: &AffineArena,
    exprs: impl DoubleEndedIterator<Item = AffineExpr>,
) -> Result<()> {
    let mut stack: Vec<AffineExpr> = exprs.rev().collect();
    while let Some(expr) = stack.pop() {
        let expr = arena.kind(expr).ok_or_else(mismatch)?;
        let code = match expr {
            AffineExprKind::Dim(_) => 0,
            AffineExprKind::Symbol(_) => 1,
            AffineExprKind::Constant(_) => 2,
            AffineExprKind::Add(..) => 3,
            AffineExprKind::Mul(..) => 4,
            AffineExprKind::Mod(..) => 5,
            AffineExprKind::FloorDiv(..) => 6,
            AffineExprKind::CeilDiv(..) => 7,
        };
        write_prefix_varint(out, code);
        match expr {
            AffineExprKind::Dim(position) | AffineExprKind::Symbol(position) => {
                write_prefix_varint(out, position.into());
            }
            AffineExprKind::Constant(value) => write_prefix_signed_varint(out, value),
            _ => {}
        }
        if let Some((left, right)) = expr.operands() {
            stack.extend([right, left]);
        }
    }
    Ok(())
}

#[cold]
fn mismatch() -> Error {
    Error::new(
        ErrorKind::InvalidRequest,
        "the values of an entry are not those of its fields",
    )
}
