//! The schema of codecs: the layout of a dialect's attributes and types in upstream's bytecode, as
//! plain data.
//!
//! One table of [`Codec`] rows drives reading, writing and dumping: it decodes bytes to
//! [`FieldValues`] and encodes these to bytes. The meaning of the values is defined once for each
//! group of attributes, types or locations, by a function that builds one from them and its
//! inverse. (Kinds of fields: "Dialect-Specific Encodings" in the documentation of MLIR's bytecode
//! format.)

mod dense;

pub use dense::{dense_blob, dense_elements};

use crate::affine::{AffineMap, IntegerSet};
use crate::apint::ApInt;
use crate::float::FloatKind;
use crate::{Attribute, Context, Identifier, Location, Resource, Signedness, Type, TypeKind};
use std::borrow::Cow;
use std::ops::Range;

/// The layout of one kind of attribute or type after its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codec {
    /// The code: the first number of the encoding.
    pub code: u64,
    /// The name of the encoded attribute or type: upstream's for builtin ones, the mnemonic for
    /// those of dialects.
    pub name: Cow<'static, str>,
    /// The fields that follow the code, in order.
    pub fields: Cow<'static, [Field]>,
}

/// A field of a [`Codec`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Cow<'static, str>,
    /// How it is encoded.
    pub kind: FieldKind,
}

/// The encoding of a field, and the kind of its [`FieldValue`].
///
/// Numbers of attributes, types, strings and resources are varints; a location is a kind of
/// attribute in upstream's bytecode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The number of an attribute: [`FieldValue::Attribute`].
    Attribute,
    /// 0, or an attribute's number times two plus one: [`FieldValue::Absent`] or
    /// [`FieldValue::Attribute`].
    OptionalAttribute,
    /// A byte: 0, or 1 and an attribute's number.
    FlaggedAttribute,
    /// A varint: 0, or 1 and an attribute's number.
    NumberFlaggedAttribute,
    /// The number of a string attribute without a type: [`FieldValue::String`].
    StringAttribute,
    /// The number of a symbol reference without nested ones: [`FieldValue::String`].
    SymbolReference,
    /// The number of a location: [`FieldValue::Location`].
    Location,
    /// The number of a type: [`FieldValue::Type`].
    Type,
    /// The number of a string: [`FieldValue::String`].
    String,
    /// The number of a resource: [`FieldValue::Resource`].
    Resource,
    /// A varint: [`FieldValue::Unsigned`].
    Varint,
    /// A signed varint: [`FieldValue::Signed`].
    SignedVarint,
    /// 0, or a value times two plus one: [`FieldValue::Absent`] or [`FieldValue::Unsigned`].
    OptionalVarint,
    /// A byte: [`FieldValue::Unsigned`].
    Byte,
    /// A byte that is 0 or 1: [`FieldValue::Unsigned`].
    Bool,
    /// The bits of an `f64` as a signed varint: [`FieldValue::Float`].
    Float64,
    /// A length and that number of bytes: [`FieldValue::Bytes`].
    Blob,
    /// An integer of the width of the type in the field of that number: [`FieldValue::Integer`].
    ///
    /// Up to 8 bits: a byte. Up to 64: a signed varint of the unsigned value. More: the number of
    /// 64-bit words that the value needs, then these as signed varints, lowest first.
    ApInt(u8),
    /// The bits of a float, encoded as an integer, of the type in the field of that number:
    /// [`FieldValue::Float`].
    ApFloat(u8),
    /// An affine map as LLVM 24 writes it: [`FieldValue::AffineMap`].
    AffineMap,
    /// An integer set as LLVM 24 writes it: [`FieldValue::IntegerSet`].
    IntegerSet,
    /// A number of items, and the items: [`FieldValue::List`].
    List(&'static FieldKind),
    /// A byte: 0, or 1 and a list: [`FieldValue::Absent`] or [`FieldValue::List`].
    FlaggedList(&'static FieldKind),
    /// A number of pairs, and the pairs: [`FieldValue::List`] with two items for each pair.
    Pairs(&'static [FieldKind; 2]),
    /// Numbers of strings up to the end of the entry: [`FieldValue::List`].
    Strings,
}

impl FieldKind {
    /// Returns the kind of that name in a definition, for a kind that does not refer to another
    /// field: `svarint`, `list<attr>`.
    pub fn from_name(name: &str) -> Option<FieldKind> {
        KINDS.iter().find(|kind| kind.0 == name).map(|kind| kind.1)
    }

    /// Returns the name that definitions use, given the fields of the codec.
    pub(crate) fn name(self, fields: &[Field]) -> String {
        let of = |place: u8| fields.get(usize::from(place)).map_or("", |f| &f.name);
        match self {
            FieldKind::ApInt(place) => format!("apint<{}>", of(place)),
            FieldKind::ApFloat(place) => format!("apfloat<{}>", of(place)),
            _ => {
                let found = KINDS.iter().find(|kind| kind.1 == self);
                found.map_or("", |kind| kind.0).to_owned()
            }
        }
    }
}

/// Names of kinds, as definitions spell them.
const KINDS: &[(&str, FieldKind)] = {
    use FieldKind::{
        AffineMap, Attribute, Blob, Bool, Byte, FlaggedAttribute, FlaggedList, Float64, IntegerSet,
        List, Location, NumberFlaggedAttribute, OptionalAttribute, OptionalVarint, Pairs, Resource,
        SignedVarint, String, StringAttribute, SymbolReference, Type, Varint,
    };
    &[
        ("attr", Attribute),
        ("opt_attr", OptionalAttribute),
        ("flagged_attr", FlaggedAttribute),
        ("number_flagged_attr", NumberFlaggedAttribute),
        ("string_attr", StringAttribute),
        ("symbol", SymbolReference),
        ("location", Location),
        ("type", Type),
        ("str", String),
        ("resource", Resource),
        ("varint", Varint),
        ("svarint", SignedVarint),
        ("opt_varint", OptionalVarint),
        ("byte", Byte),
        ("bool", Bool),
        ("f64", Float64),
        ("blob", Blob),
        ("affine_map", AffineMap),
        ("integer_set", IntegerSet),
        ("list<attr>", List(&Attribute)),
        ("list<opt_attr>", List(&OptionalAttribute)),
        ("list<type>", List(&Type)),
        ("list<str>", List(&String)),
        ("list<varint>", List(&Varint)),
        ("list<svarint>", List(&SignedVarint)),
        ("list<f64>", List(&Float64)),
        ("flagged_list<attr>", FlaggedList(&Attribute)),
        ("flagged_list<opt_attr>", FlaggedList(&OptionalAttribute)),
        ("flagged_list<varint>", FlaggedList(&Varint)),
        ("pairs<attr>", Pairs(&[Attribute, Attribute])),
    ]
};

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// Nothing, where something is optional.
    Absent,
    /// An attribute.
    Attribute(Attribute),
    /// A location.
    Location(Location),
    /// A type.
    Type(Type),
    /// A string.
    String(Identifier),
    /// A resource.
    Resource(Resource),
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// An integer of a type's width.
    Integer(ApInt),
    /// The bits of a float, in the low bits.
    Float(u128),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// An affine map.
    AffineMap(AffineMap),
    /// An integer set.
    IntegerSet(IntegerSet),
    /// Items, at these places of [`FieldValues::items`].
    List(Range<u32>),
}

/// The values of a codec's fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldValues<'a> {
    /// A value for each field, in order.
    pub fields: Vec<FieldValue<'a>>,
    /// The items of all lists.
    pub items: Vec<FieldValue<'a>>,
}

impl<'a> FieldValues<'a> {
    /// Removes all values and keeps the memory.
    pub fn clear(&mut self) {
        self.fields.clear();
        self.items.clear();
    }

    /// Returns the items of a list; empty if the value is not a list.
    pub fn list(&self, value: &FieldValue<'a>) -> &[FieldValue<'a>] {
        match value {
            FieldValue::List(range) => self
                .items
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// Stores the items as a list, and returns the value for a field.
    pub fn make_list(&mut self, items: impl IntoIterator<Item = FieldValue<'a>>) -> FieldValue<'a> {
        let start = index(self.items.len());
        self.items.extend(items);
        FieldValue::List(start..index(self.items.len()))
    }

    /// Appends a list field.
    pub fn push_list(&mut self, items: impl IntoIterator<Item = FieldValue<'a>>) {
        let list = self.make_list(items);
        self.fields.push(list);
    }
}

/// Converts an index into `items`. It always fits: each item takes at least one byte of an
/// encoding, which is at most 4 GiB long.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The codecs of a dialect.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialectCodecs {
    /// The codecs of attributes, sorted by code. Several rows of one code are the layouts of
    /// different releases, newest first: the first layout that fits the bytes exactly applies.
    pub attributes: &'static [Codec],
    /// Of its types, the same way.
    pub types: &'static [Codec],
}

/// Returns the rows of a code in a table sorted by code.
pub fn find(table: &[Codec], code: u64) -> &[Codec] {
    let start = table.partition_point(|codec| codec.code < code);
    let rest = table.get(start..).unwrap_or_default();
    let len = rest.partition_point(|codec| codec.code == code);
    rest.get(..len).unwrap_or_default()
}

/// Returns the builtin type whose encoding numbers of type `ty` have: the type itself, or the one
/// that a dialect's definition declares it to be like.
pub fn number_type(context: &Context, ty: Type) -> Option<TypeKind> {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return Some(context.type_kind(ty).clone());
    };
    if !body.references().is_empty() {
        return None;
    }
    let dialect = context.dialect(context.bytes(*dialect))?;
    let number = context.release().number_in(dialect.family);
    let like = dialect.types.entry(body.text(), number)?.like.as_ref()?;
    if like == "index" {
        return Some(TypeKind::Index);
    }
    if let Some(kind) = FloatKind::from_keyword(like.as_bytes()) {
        return Some(TypeKind::Float(kind));
    }
    let (signedness, digits) = match like.split_once('i') {
        Some(("", digits)) => (Signedness::Signless, digits),
        Some(("s", digits)) => (Signedness::Signed, digits),
        Some(("u", digits)) => (Signedness::Unsigned, digits),
        _ => return None,
    };
    let width = digits.parse().ok()?;
    Some(TypeKind::Integer { width, signedness })
}

/// Declares tables of codecs: `code => Name { field: Kind, ... };`.
#[macro_export]
macro_rules! codecs {
    ($($code:expr => $name:ident { $($field:ident: $kind:expr),* $(,)? };)*) => {
        &[$($crate::codec::Codec {
            code: $code,
            name: std::borrow::Cow::Borrowed(stringify!($name)),
            fields: std::borrow::Cow::Borrowed(const {
                &[$($crate::codec::Field {
                    name: std::borrow::Cow::Borrowed(stringify!($field)),
                    kind: $kind,
                }),*]
            }),
        }),*]
    };
}
