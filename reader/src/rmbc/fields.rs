//! The structure of the entries of types and attributes, as data: for skipping entries, finding
//! their references, and describing them. [`super::entries`] decodes them.

use crate::place::malformed;
use rmlir_format::rmbc::tag;
use rmlir_format::{Reader, Result};

/// The meaning of a number or of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A number.
    Number,
    /// A signed number in zigzag encoding.
    Signed,
    /// A byte.
    Byte,
    /// A length and that number of bytes.
    Bytes,
    /// Bytes whose number an earlier field determines.
    Fixed,
    /// Indices in tables.
    String,
    Type,
    Attribute,
    Location,
    Affine,
    Resource,
    /// How many items follow.
    Count,
}

/// A field of an entry.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    form: Form,
}

#[derive(Clone, Copy)]
enum Form {
    One(Kind),
    /// 0 for nothing, else the number plus one.
    Optional(Kind),
    /// A number and that number of items.
    List(Kind),
    /// A number and that number of pairs.
    Pairs(Kind, Kind),
    /// A list of affine expressions: twice the number, plus one for an equality.
    Constraints,
    /// A value of the preceding integer type.
    Integer,
    /// A value of the preceding float type.
    Float,
    /// A bit for each item of the preceding list.
    Bits,
    /// Text, and references in it.
    Body,
    /// A list of types and attributes, distinguished by the lowest bit.
    References,
}

const fn one(name: &'static str, kind: Kind) -> Field {
    let form = Form::One(kind);
    Field { name, form }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    let form = Form::Optional(kind);
    Field { name, form }
}

const fn list(name: &'static str, kind: Kind) -> Field {
    let form = Form::List(kind);
    Field { name, form }
}

const fn special(name: &'static str, form: Form) -> Field {
    Field { name, form }
}

const WIDTH: Field = one("width", Kind::Number);
const ELEMENT: Field = one("element type", Kind::Type);
const SHAPE: Field = list("shape", Kind::Number);
const TYPE: Field = one("type", Kind::Type);
const STRING: Field = one("string", Kind::String);

macro_rules! entry {
    ($name:literal $(, $field:expr)*) => {
        ($name, const { &[$($field),*] as &[Field] })
    };
}

/// Returns the name of a kind of entries and their fields; `None` for an unknown kind.
pub(super) fn fields(tag: u8) -> Option<(&'static str, &'static [Field])> {
    Some(match tag {
        tag::SIGNLESS_TYPE => entry!("signless integer type", WIDTH),
        tag::SIGNED_TYPE => entry!("signed integer type", WIDTH),
        tag::UNSIGNED_TYPE => entry!("unsigned integer type", WIDTH),
        tag::FLOAT_TYPE => entry!("float type", one("which", Kind::Byte)),
        tag::INDEX_TYPE => entry!("index type"),
        tag::NONE_TYPE => entry!("none type"),
        tag::COMPLEX_TYPE => entry!("complex type", ELEMENT),
        tag::TUPLE_TYPE => entry!("tuple type", list("types", Kind::Type)),
        tag::FUNCTION_TYPE => entry!(
            "function type",
            list("inputs", Kind::Type),
            list("results", Kind::Type)
        ),
        tag::VECTOR_TYPE => entry!("vector type", ELEMENT, SHAPE),
        tag::SCALABLE_VECTOR_TYPE => entry!(
            "scalable vector type",
            ELEMENT,
            SHAPE,
            special("scalable", Form::Bits)
        ),
        tag::RANKED_TENSOR_TYPE => entry!(
            "tensor type",
            ELEMENT,
            optional("encoding", Kind::Attribute),
            SHAPE
        ),
        tag::UNRANKED_TENSOR_TYPE => entry!("unranked tensor type", ELEMENT),
        tag::MEMREF_TYPE => entry!(
            "memref type",
            ELEMENT,
            optional("layout", Kind::Attribute),
            optional("memory space", Kind::Attribute),
            SHAPE
        ),
        tag::UNRANKED_MEMREF_TYPE => entry!(
            "unranked memref type",
            ELEMENT,
            optional("memory space", Kind::Attribute)
        ),
        tag::DIALECT_TYPE => entry!(
            "type of a dialect",
            one("dialect", Kind::String),
            special("body", Form::Body)
        ),
        tag::UNIT => entry!("unit"),
        tag::INTEGER => entry!("integer", TYPE, special("value", Form::Integer)),
        tag::FLOAT => entry!("float", TYPE, special("value", Form::Float)),
        tag::STRING => entry!("string", STRING, optional("type", Kind::Type)),
        tag::SYMBOL_REF => entry!(
            "reference to a symbol",
            one("root", Kind::String),
            list("nested", Kind::String)
        ),
        tag::TYPE => entry!("type attribute", TYPE),
        tag::ARRAY => entry!("array", list("elements", Kind::Attribute)),
        tag::DICTIONARY => entry!(
            "dictionary",
            special("entries", Form::Pairs(Kind::String, Kind::Attribute))
        ),
        tag::DENSE_ELEMENTS => entry!("dense elements", TYPE, one("data", Kind::Bytes)),
        tag::DENSE_SPLAT => entry!("dense splat", TYPE, one("data", Kind::Bytes)),
        tag::DENSE_STRINGS => entry!("dense strings", TYPE, list("strings", Kind::String)),
        tag::DENSE_STRING_SPLAT => {
            entry!("dense string splat", TYPE, list("strings", Kind::String))
        }
        tag::DENSE_ARRAY => entry!("dense array", ELEMENT, one("data", Kind::Bytes)),
        tag::DENSE_RESOURCE => entry!("dense resource", TYPE, one("resource", Kind::Resource)),
        tag::SPARSE => entry!(
            "sparse elements",
            TYPE,
            one("indices", Kind::Attribute),
            one("values", Kind::Attribute)
        ),
        tag::AFFINE_MAP => entry!(
            "affine map",
            one("dimensions", Kind::Number),
            one("symbols", Kind::Number),
            list("results", Kind::Affine)
        ),
        tag::INTEGER_SET => entry!(
            "integer set",
            one("dimensions", Kind::Number),
            one("symbols", Kind::Number),
            special("constraints", Form::Constraints)
        ),
        tag::STRIDED_LAYOUT => entry!(
            "strided layout",
            one("offset", Kind::Number),
            list("strides", Kind::Number)
        ),
        tag::DISTINCT => entry!("distinct", one("attribute", Kind::Attribute)),
        tag::LOCATION => entry!("location attribute", one("location", Kind::Location)),
        tag::DIALECT_ATTRIBUTE => entry!(
            "attribute of a dialect",
            one("dialect", Kind::String),
            special("body", Form::Body),
            optional("type", Kind::Type)
        ),
        tag::DENSE_TEXT => entry!("dense text", TYPE, one("literal", Kind::String)),
        tag::UNKNOWN_LOCATION => entry!("unknown location"),
        tag::FILE_PLACE => entry!(
            "place in a file",
            one("file", Kind::String),
            one("line", Kind::Number),
            one("column", Kind::Number)
        ),
        tag::FILE_RANGE => entry!(
            "range in a file",
            one("file", Kind::String),
            one("line", Kind::Number),
            one("column", Kind::Number),
            one("lines", Kind::Signed),
            one("columns", Kind::Signed)
        ),
        tag::NAMED_LOCATION => entry!(
            "named location",
            one("name", Kind::String),
            optional("child", Kind::Location)
        ),
        tag::CALL_SITE => entry!(
            "call site",
            one("callee", Kind::Location),
            one("caller", Kind::Location)
        ),
        tag::FUSED => entry!(
            "fused location",
            optional("metadata", Kind::Attribute),
            list("locations", Kind::Location)
        ),
        tag::DIALECT_LOCATION => entry!(
            "attribute that is a location",
            one("attribute", Kind::Attribute)
        ),
        // Encoded like entries of later versions.
        tag::SHORT_RANGE => entry!(
            "place in a file, as a range",
            one("numbers", Kind::Bytes),
            special("file", Form::References)
        ),
        _ if tag::is_opaque(tag) => entry!(
            "entry of a later version",
            one("data", Kind::Bytes),
            special("references", Form::References)
        ),
        _ => return None,
    })
}

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
        match field.form {
            Form::One(kind) => self.one(name, kind),
            Form::Optional(kind) => {
                let before = self.input.clone();
                let value = self.input.varint()?.checked_sub(1);
                self.emit(name, kind, value, &before)
            }
            Form::List(kind) => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| self.one(name, kind))
            }
            Form::Pairs(first, second) => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| {
                    self.one("name", first)?;
                    self.one(name, second)
                })
            }
            Form::Constraints => {
                let count = self.count(name)?;
                (0..count).try_for_each(|_| {
                    let before = self.input.clone();
                    let value = self.input.varint()? >> 1;
                    self.emit(name, Kind::Affine, Some(value), &before)
                })
            }
            Form::Integer => match self.fixed_bytes()? {
                0 => self.one(name, Kind::Signed),
                len => self.fixed(name, len),
            },
            Form::Float => {
                let len = self.fixed_bytes()?;
                self.fixed(name, len)
            }
            Form::Bits => self.fixed(name, self.last_count.div_ceil(8)),
            Form::Body => {
                self.one(name, Kind::Bytes)?;
                let count = self.count("references")?;
                (0..count).try_for_each(|_| {
                    self.one("text before", Kind::Number)?;
                    self.reference()
                })
            }
            Form::References => {
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
