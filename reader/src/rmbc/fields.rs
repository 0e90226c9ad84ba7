//! Walks over the entries of types and attributes by their layout, which
//! [`schema`](rmlir_format::rmbc::schema) states: for skipping entries, finding their references,
//! and describing them. [`super::entries`] decodes them.

use crate::lookup::malformed;
use rmlir_format::rmbc::schema::{Field, FieldEncoding};
pub(super) use rmlir_format::rmbc::schema::{Kind, fields};
use rmlir_format::rmbc::tag;
use rmlir_format::{Reader, Result};

/// A consumer of the parts of entries.
pub(super) trait Sink {
    /// Receives a part that starts at the position of `before` and ends at that of `after`. `value`
    /// is the number, less one for an optional one that is present; `None` if it is absent, or for
    /// bytes.
    fn part(
        &mut self,
        name: &'static str,
        kind: Kind,
        value: Option<u64>,
        before: &Reader<'_>,
        after: &Reader<'_>,
    ) -> Result<()>;

    /// Returns how many bytes a value of a type takes if it is not spelled out as a number: that of
    /// an integer of more than 64 bits, or of a float. 0 for other integers.
    fn fixed_bytes(&mut self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64>;
}

/// The state of one walk over an entry.
struct Walk<'w, 'r, 'a, S: ?Sized> {
    input: &'r mut Reader<'a>,
    sink: &'w mut S,
    /// Where the type that came last is referred to, and its number.
    last_type: (u64, u64),
    /// How many items the last list had.
    last_count: u64,
}

/// Walks over an entry and passes its parts to `sink`.
pub(super) fn walk(
    input: &mut Reader<'_>,
    fields: &'static [Field],
    sink: &mut (impl Sink + ?Sized),
) -> Result<()> {
    let mut walk = Walk {
        input,
        sink,
        last_type: (0, 0),
        last_count: 0,
    };
    fields.iter().try_for_each(|field| walk.field(field))
}

impl<S: Sink + ?Sized> Walk<'_, '_, '_, S> {
    fn field(&mut self, field: &Field) -> Result<()> {
        let name = field.name;
        match field.encoding {
            FieldEncoding::One(kind) => self.one(name, kind),
            FieldEncoding::Optional(kind) => {
                let before = self.input.clone();
                let value = self.input.varint()?.checked_sub(1);
                self.emit(name, kind, value, &before)
            }
            FieldEncoding::List(kind) => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| self.one(name, kind))
            }
            FieldEncoding::Pairs(first, second) => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| {
                    self.one("name", first)?;
                    self.one(name, second)
                })
            }
            FieldEncoding::Constraints => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| {
                    let before = self.input.clone();
                    let value = self.input.varint()? >> 1;
                    self.emit(name, Kind::Affine, Some(value), &before)
                })
            }
            FieldEncoding::Integer => match self.fixed_bytes()? {
                0 => self.one(name, Kind::Signed),
                len => self.fixed(name, len),
            },
            FieldEncoding::Float => {
                let len = self.fixed_bytes()?;
                self.fixed(name, len)
            }
            FieldEncoding::Data => {
                let before = self.input.clone();
                let code = self.input.varint()?;
                if code & 1 == 1 {
                    return self.emit(name, Kind::Blob, Some(code >> 1), &before);
                }
                self.input.skip(code >> 1)?;
                self.emit(name, Kind::Bytes, None, &before)
            }
            FieldEncoding::Bits => self.fixed(name, self.last_count.div_ceil(8)),
            FieldEncoding::Body => {
                self.one(name, Kind::Bytes)?;
                let count = self.count("references")?;
                (0..count).try_for_each(|_| {
                    self.one("text before", Kind::Number)?;
                    self.reference()
                })
            }
            FieldEncoding::References => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| self.reference())
            }
        }
    }

    /// Walks over a reference to a type or an attribute.
    fn reference(&mut self) -> Result<()> {
        let before = self.input.clone();
        let number = self.input.varint()?;
        let kind = match number & 1 {
            1 => Kind::Type,
            _ => Kind::Attribute,
        };
        self.emit("reference", kind, Some(number >> 1), &before)
    }

    fn one(&mut self, name: &'static str, kind: Kind) -> Result<()> {
        let before = self.input.clone();
        let value = match kind {
            Kind::Byte => Some(u64::from(self.input.u8()?)),
            Kind::Bytes => {
                let len = self.input.varint()?;
                self.input.skip(len)?;
                None
            }
            _ => Some(self.input.varint()?),
        };
        if let (Kind::Type, Some(ty)) = (kind, value) {
            self.last_type = (before.offset(), ty);
        }
        self.emit(name, kind, value, &before)
    }

    fn count(&mut self, name: &'static str) -> Result<u64> {
        let before = self.input.clone();
        self.last_count = self.input.count(1)? as u64;
        self.emit(name, Kind::Count, Some(self.last_count), &before)?;
        Ok(self.last_count)
    }

    fn fixed_bytes(&mut self) -> Result<u64> {
        let (at, ty) = self.last_type;
        self.sink.fixed_bytes(self.input, at, ty)
    }

    fn fixed(&mut self, name: &'static str, len: u64) -> Result<()> {
        let before = self.input.clone();
        self.input.skip(len)?;
        self.emit(name, Kind::Fixed, None, &before)
    }

    fn emit(
        &mut self,
        name: &'static str,
        kind: Kind,
        value: Option<u64>,
        before: &Reader<'_>,
    ) -> Result<()> {
        self.sink.part(name, kind, value, before, self.input)
    }
}

/// Returns the number of bytes of a value that is not encoded as a number, which the entry of its
/// type determines. Given are the type's tag and the reader after the tag; see
/// [`Sink::fixed_bytes`].
pub(super) fn fixed_bytes(input: &Reader<'_>, at: u64, tag: u8, mut ty: Reader<'_>) -> Result<u64> {
    match tag {
        tag::SIGNLESS_TYPE | tag::SIGNED_TYPE | tag::UNSIGNED_TYPE => {
            let width = ty.varint()?;
            Ok(if width <= 64 { 0 } else { width.div_ceil(8) })
        }
        tag::INDEX_TYPE => Ok(0),
        tag::FLOAT_TYPE => {
            let keyword = rmlir_format::rmbc::FLOAT_KEYWORDS.get(usize::from(ty.u8()?));
            let kind =
                keyword.and_then(|word| rmlir_ir::float::FloatKind::from_keyword(word.as_bytes()));
            match kind {
                Some(kind) => Ok(kind.width().div_ceil(8).into()),
                None => Err(malformed(input, at, "there is no such float type")),
            }
        }
        _ => Err(malformed(input, at, "a number needs a type of numbers")),
    }
}
