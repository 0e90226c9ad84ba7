//! Decodes the fields of an entry by its codec.

use super::Tables;
use super::entries::{Entries, Slot, as_location};
use crate::lookup::{lookup, malformed, placed};
use rmlir_format::{Reader, Result};
use rmlir_ir::affine::{AffineExpr, AffineExprKind, AffineMap, IntegerSet};
use rmlir_ir::apint::ApInt;
use rmlir_ir::codec::{Codec, FieldKind, FieldValue, FieldValues, number_type};
use rmlir_ir::{AttributeKind, Type, TypeKind};

/// The number of a small entry's own bytes that pay for work on a shared large one.
const FREE_WORK: u64 = 8;

impl Tables<'_, '_> {
    /// Takes work on something shared from the budget, as far as it is not small.
    pub(super) fn spend(&mut self, input: &Reader<'_>, at: u64, work: usize) -> Result<()> {
        let spent = self.budget.spend(work as u64 / FREE_WORK);
        placed(input, at, spent)
    }
}

impl<'a> Entries<'a> {
    /// Reads all fields. References to entries that are not decoded yet are recorded in `missing`;
    /// the values must then not be used.
    #[inline]
    pub(super) fn read_fields(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        codec: &Codec,
        input: &mut Reader<'a>,
        values: &mut FieldValues<'a>,
    ) -> Result<()> {
        for field in codec.fields.iter() {
            let value = match field.kind {
                FieldKind::List(item) => self.list(tables, item, input, values)?,
                FieldKind::FlaggedList(item) => match flag(input)? {
                    true => self.list(tables, item, input, values)?,
                    false => FieldValue::Absent,
                },
                FieldKind::Pairs([first, second]) => {
                    let start = values.items.len();
                    for _ in 0..input.prefix_count(2)? {
                        let value = self.scalar(tables, *first, input, values)?;
                        values.items.push(value);
                        let value = self.scalar(tables, *second, input, values)?;
                        values.items.push(value);
                    }
                    list_from(start, values)
                }
                FieldKind::Strings => {
                    let start = values.items.len();
                    while !input.is_empty() {
                        let string = tables.string(input)?;
                        values.items.push(FieldValue::String(string));
                    }
                    list_from(start, values)
                }
                kind => self.scalar(tables, kind, input, values)?,
            };
            if value == FieldValue::Absent
                && matches!(field.kind, FieldKind::ApInt(_) | FieldKind::ApFloat(_))
            {
                // Its length depends on its type, which is not decoded yet.
                return Ok(());
            }
            values.fields.push(value);
        }
        Ok(())
    }

    fn list(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        item: &FieldKind,
        input: &mut Reader<'a>,
        values: &mut FieldValues<'a>,
    ) -> Result<FieldValue<'a>> {
        let start = values.items.len();
        for _ in 0..input.prefix_count(1)? {
            let value = self.scalar(tables, *item, input, values)?;
            values.items.push(value);
        }
        Ok(list_from(start, values))
    }

    /// Reads a field that is not a list.
    #[inline]
    fn scalar(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        kind: FieldKind,
        input: &mut Reader<'a>,
        values: &FieldValues<'a>,
    ) -> Result<FieldValue<'a>> {
        let at = input.offset();
        Ok(match kind {
            FieldKind::Attribute => {
                let number = input.prefix_varint()?;
                self.attribute_value(tables, input, at, number)?
            }
            FieldKind::OptionalAttribute => match input.prefix_flagged_varint()? {
                (number, true) => self.attribute_value(tables, input, at, number)?,
                (0, false) => FieldValue::Absent,
                (_, false) => return Err(malformed(input, at, "an absent attribute has a number")),
            },
            FieldKind::FlaggedAttribute => match flag(input)? {
                true => {
                    let number = input.prefix_varint()?;
                    self.attribute_value(tables, input, at, number)?
                }
                false => FieldValue::Absent,
            },
            FieldKind::NumberFlaggedAttribute => match input.prefix_varint()? {
                0 => FieldValue::Absent,
                1 => {
                    let number = input.prefix_varint()?;
                    self.attribute_value(tables, input, at, number)?
                }
                flag => return Err(not_a_flag(input, at, flag)),
            },
            FieldKind::StringAttribute => {
                let slot = self.attribute_reference(input, at)?;
                match slot {
                    Some(Slot::Attribute(attribute)) => {
                        match *tables.context.attribute_kind(attribute) {
                            AttributeKind::String { value, ty: None } => FieldValue::String(value),
                            _ => return Err(wrong(input, at, "a string attribute without a type")),
                        }
                    }
                    Some(_) => return Err(wrong(input, at, "a string attribute without a type")),
                    None => FieldValue::Absent,
                }
            }
            FieldKind::SymbolReference => match self.attribute_reference(input, at)? {
                Some(Slot::Attribute(attribute)) => {
                    match tables.context.attribute_kind(attribute) {
                        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
                            FieldValue::String(*root)
                        }
                        _ => return Err(wrong(input, at, "a flat symbol reference")),
                    }
                }
                Some(_) => return Err(wrong(input, at, "a flat symbol reference")),
                None => FieldValue::Absent,
            },
            FieldKind::Location => match self.attribute_reference(input, at)? {
                Some(slot) => match as_location(tables.context, slot) {
                    Some(location) => FieldValue::Location(location),
                    None => return Err(wrong(input, at, "a location")),
                },
                None => FieldValue::Absent,
            },
            FieldKind::Type => {
                let number = input.prefix_varint()?;
                let entry = self.type_entry(input, at, number)?;
                match self.reference(entry) {
                    Some(Slot::Type(ty)) => FieldValue::Type(ty),
                    _ => FieldValue::Absent,
                }
            }
            FieldKind::String => FieldValue::String(tables.string(input)?),
            FieldKind::Resource => {
                let number = input.prefix_varint()?;
                let resource = lookup(input, at, "resource", &tables.resources, number)?;
                FieldValue::Resource(resource)
            }
            FieldKind::Varint => FieldValue::Unsigned(input.prefix_varint()?),
            FieldKind::SignedVarint => FieldValue::Signed(input.prefix_signed_varint()?),
            FieldKind::OptionalVarint => match input.prefix_flagged_varint()? {
                (value, true) => FieldValue::Unsigned(value),
                (0, false) => FieldValue::Absent,
                (_, false) => return Err(malformed(input, at, "an absent number has a value")),
            },
            FieldKind::Byte => FieldValue::Unsigned(input.u8()?.into()),
            FieldKind::Bool => FieldValue::Unsigned(flag(input)?.into()),
            FieldKind::Float64 => {
                let bits = input.prefix_signed_varint()?.cast_unsigned();
                FieldValue::Float(bits.into())
            }
            FieldKind::Blob => {
                let len = input.prefix_varint()?;
                FieldValue::Bytes(input.bytes(len)?.into())
            }
            FieldKind::ApInt(field) => match typed(values, field) {
                // The type is decoded first; the field is read in the next attempt.
                None => FieldValue::Absent,
                Some(ty) => {
                    let width = match number_type(tables.context, ty) {
                        Some(TypeKind::Integer { width, .. }) => width,
                        Some(TypeKind::Index) => 64,
                        _ => return Err(malformed(input, at, "expected integer or index type")),
                    };
                    FieldValue::Integer(integer(input, width)?)
                }
            },
            FieldKind::ApFloat(field) => match typed(values, field) {
                None => FieldValue::Absent,
                Some(ty) => {
                    let Some(TypeKind::Float(kind)) = number_type(tables.context, ty) else {
                        return Err(malformed(input, at, "expected floating point type"));
                    };
                    let value = integer(input, kind.width())?;
                    let words = value.words().iter().rev();
                    let bits = words.fold(0, |bits, &word| bits << 64 | u128::from(word));
                    FieldValue::Float(bits)
                }
            },
            FieldKind::AffineMap => FieldValue::AffineMap(affine_map(tables, input)?),
            FieldKind::IntegerSet => FieldValue::IntegerSet(integer_set(tables, input)?),
            // Lists have no lists in them; `read_fields` reads them.
            FieldKind::List(_)
            | FieldKind::FlaggedList(_)
            | FieldKind::Pairs(_)
            | FieldKind::Strings => FieldValue::Absent,
        })
    }

    fn attribute_value(
        &mut self,
        tables: &mut Tables<'_, 'a>,
        input: &Reader<'_>,
        at: u64,
        number: u64,
    ) -> Result<FieldValue<'a>> {
        let entry = self.attribute_entry(input, at, number)?;
        Ok(match self.reference(entry) {
            Some(Slot::Attribute(attribute)) => FieldValue::Attribute(attribute),
            Some(Slot::Location(location)) => {
                FieldValue::Attribute(tables.context.location_attribute(location))
            }
            _ => FieldValue::Absent,
        })
    }

    /// Reads the number of an attribute and returns the attribute's slot; `None` if it cannot be
    /// used yet.
    #[inline]
    fn attribute_reference(&mut self, input: &mut Reader<'_>, at: u64) -> Result<Option<Slot>> {
        let number = input.prefix_varint()?;
        let entry = self.attribute_entry(input, at, number)?;
        Ok(self.reference(entry))
    }

    /// Returns the slot of an entry; `None` if it must be decoded first or has an unknown encoding.
    #[inline]
    fn reference(&mut self, entry: u32) -> Option<Slot> {
        match self.slot(entry) {
            Slot::Undecoded | Slot::Open => {
                self.missing.push(entry);
                None
            }
            Slot::Unknown(unknown) => {
                self.unknown = Some(unknown);
                None
            }
            slot => {
                self.depth = self.depth.max(self.depth_of(entry));
                Some(slot)
            }
        }
    }
}

/// Returns the list of the items from `start` on. There are fewer items than an entry has bytes.
fn list_from<'a>(start: usize, values: &FieldValues<'a>) -> FieldValue<'a> {
    let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    FieldValue::List(index(start)..index(values.items.len()))
}

/// Returns the type in a field before.
fn typed(values: &FieldValues<'_>, field: u8) -> Option<Type> {
    match values.fields.get(usize::from(field)) {
        Some(&FieldValue::Type(ty)) => Some(ty),
        _ => None,
    }
}

#[cold]
#[inline(never)]
fn wrong(input: &Reader<'_>, at: u64, expected: &str) -> rmlir_format::Error {
    malformed(
        input,
        at,
        format!("the attribute is not {expected}, as it should be"),
    )
}

/// Reads a byte that must be 0 or 1.
fn flag(input: &mut Reader<'_>) -> Result<bool> {
    let at = input.offset();
    match input.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        byte => Err(not_a_flag(input, at, byte.into())),
    }
}

#[cold]
#[inline(never)]
fn not_a_flag(input: &Reader<'_>, at: u64, value: u64) -> rmlir_format::Error {
    malformed(input, at, format!("a truth value is 0 or 1, not {value}"))
}

/// Reads an integer of `width` bits; see [`FieldKind::ApInt`].
fn integer(input: &mut Reader<'_>, width: u32) -> Result<ApInt> {
    let at = input.offset();
    let too_wide = |input: &Reader<'_>| {
        let message = format!("the integer does not fit its type of {width} bits");
        Err(malformed(input, at, message))
    };
    if width <= 8 {
        let byte = input.u8()?;
        return match byte.checked_shr(width) {
            None | Some(0) => Ok(ApInt::from_u64(width, byte.into())),
            Some(_) => too_wide(input),
        };
    }
    if width <= 64 {
        let value = input.prefix_signed_varint()?;
        let int = ApInt::from_i64(width, value);
        // Upstream writes the value zero-extended, but also reads a sign-extended one.
        return match int.to_i64() == Some(value) || int.to_u64() == Some(value.cast_unsigned()) {
            true => Ok(int),
            false => too_wide(input),
        };
    }
    let count = input.prefix_count(1)?;
    if count as u64 > u64::from(width).div_ceil(64) {
        return too_wide(input);
    }
    let words = (0..count)
        .map(|_| input.prefix_signed_varint().map(i64::cast_unsigned))
        .collect::<Result<Vec<u64>>>()?;
    let int = ApInt::from_words(width, &words);
    let kept = int.words().iter().copied().chain(std::iter::repeat(0));
    match words.iter().copied().eq(kept.take(words.len())) {
        true => Ok(int),
        false => too_wide(input),
    }
}

/// Reads an affine map: `dims * 4 + kind` with the kinds 0 identity, 1 permutation (the
/// dimensions), 2 projected permutation (their number and the dimensions), 3 any other (number of
/// symbols, number of results, results).
fn affine_map(tables: &mut Tables<'_, '_>, input: &mut Reader<'_>) -> Result<AffineMap> {
    let at = input.offset();
    let head = input.prefix_varint()?;
    let num_dims = variables(input, at, head >> 2)?;
    let mut num_symbols = 0;
    let mut results = Vec::new();
    let kind = head & 3;
    match kind {
        0 => {
            // A few bytes denote many results, so the budget is charged.
            let spent = tables.budget.spend(num_dims.into());
            placed(input, at, spent)?;
            for position in 0..num_dims {
                results.push(dimension(tables, input, position.into())?);
            }
        }
        1 | 2 => {
            let count = if kind == 1 {
                let mut rest = input.clone();
                // Each takes a byte at least.
                rest.skip(num_dims.into())?;
                num_dims as usize
            } else {
                input.prefix_count(1)?
            };
            for _ in 0..count {
                let position = input.prefix_varint()?;
                results.push(dimension(tables, input, position)?);
            }
        }
        _ => {
            let symbols = input.prefix_varint()?;
            num_symbols = variables(input, at, symbols)?;
            for _ in 0..input.prefix_count(2)? {
                results.push(affine_expression(tables, input)?);
            }
        }
    }
    Ok(AffineMap {
        num_dims,
        num_symbols,
        results: results.into(),
    })
}

/// Reads an integer set: the numbers of dimensions, symbols and constraints, the expressions, and a
/// byte for each of these: 1 for `== 0`, 0 for `>= 0`.
fn integer_set(tables: &mut Tables<'_, '_>, input: &mut Reader<'_>) -> Result<IntegerSet> {
    let at = input.offset();
    let dims = input.prefix_varint()?;
    let symbols = input.prefix_varint()?;
    // An expression has at least two bytes.
    let count = input.prefix_count(3)?;
    let mut constraints = Vec::new();
    for _ in 0..count {
        constraints.push((affine_expression(tables, input)?, false));
    }
    for (_, is_equality) in &mut constraints {
        *is_equality = flag(input)?;
    }
    Ok(IntegerSet {
        num_dims: variables(input, at, dims)?,
        num_symbols: variables(input, at, symbols)?,
        constraints: constraints.into(),
    })
}

/// Converts a number of dimensions or symbols.
fn variables(input: &Reader<'_>, at: u64, number: u64) -> Result<u32> {
    u32::try_from(number).map_err(|_| {
        let message = format!("{number} dimensions or symbols are too many");
        malformed(input, at, message)
    })
}

fn dimension(tables: &mut Tables<'_, '_>, input: &Reader<'_>, position: u64) -> Result<AffineExpr> {
    let Ok(position) = u32::try_from(position) else {
        let message = format!("there is no dimension {position}");
        return Err(malformed(input, input.offset(), message));
    };
    intern(tables, input, AffineExprKind::Dim(position))
}

fn intern(
    tables: &mut Tables<'_, '_>,
    input: &Reader<'_>,
    kind: AffineExprKind,
) -> Result<AffineExpr> {
    let expr = tables.context.affine_mut().intern(kind);
    expr.map_err(|error| malformed(input, input.offset(), error.to_string()))
}

/// Reads an expression in prefix order: 0 dimension, 1 symbol, 2 constant, and 3 to 7 for `+`, `*`,
/// `mod`, `floordiv`, `ceildiv`, each followed by its left and right operand.
fn affine_expression(tables: &mut Tables<'_, '_>, input: &mut Reader<'_>) -> Result<AffineExpr> {
    /// An operator that waits for its operands.
    struct Open {
        make: fn(AffineExpr, AffineExpr) -> AffineExprKind,
        left: Option<AffineExpr>,
    }
    let mut stack: Vec<Open> = Vec::new();
    loop {
        let at = input.offset();
        let make: fn(AffineExpr, AffineExpr) -> AffineExprKind = match input.prefix_varint()? {
            3 => AffineExprKind::Add,
            4 => AffineExprKind::Mul,
            5 => AffineExprKind::Mod,
            6 => AffineExprKind::FloorDiv,
            7 => AffineExprKind::CeilDiv,
            leaf => {
                let kind = match leaf {
                    0 | 1 => {
                        let position = input.prefix_varint()?;
                        let Ok(position) = u32::try_from(position) else {
                            let message = format!("there is no dimension or symbol {position}");
                            return Err(malformed(input, at, message));
                        };
                        if leaf == 0 {
                            AffineExprKind::Dim(position)
                        } else {
                            AffineExprKind::Symbol(position)
                        }
                    }
                    2 => AffineExprKind::Constant(input.prefix_signed_varint()?),
                    code => {
                        let message = format!("no affine expression begins with {code}");
                        return Err(malformed(input, at, message));
                    }
                };
                let mut expr = intern(tables, input, kind)?;
                loop {
                    let Some(mut open) = stack.pop() else {
                        return Ok(expr);
                    };
                    match open.left {
                        None => {
                            open.left = Some(expr);
                            stack.push(open);
                            break;
                        }
                        Some(left) => expr = intern(tables, input, (open.make)(left, expr))?,
                    }
                }
                continue;
            }
        };
        let within =
            rmlir_format::check_limit("levels of nesting", stack.len() as u64, tables.max_depth);
        placed(input, at, within)?;
        stack.push(Open { make, left: None });
    }
}
