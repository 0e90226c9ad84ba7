//! The schema of codecs: how a dialect's attributes and types are laid out in upstream's bytecode,
//! as plain data.
//!
//! A table of [`Codec`] rows drives reading, writing and dumping alike: it takes bytes apart into
//! [`FieldValues`] and puts these together to bytes. What the values mean is said once for each
//! family of entries, by a function that makes an entry of them and its inverse. (Kinds of fields:
//! "Dialect-Specific Encodings" of the MLIR bytecode format's page.)

mod dense;

pub use dense::{dense_blob, dense_elements};

use crate::affine::AffineMap;
use crate::apint::ApInt;
use crate::float::FloatKind;
use crate::{Attribute, Context, Identifier, Location, Resource, Signedness, Type, TypeKind};
use std::borrow::Cow;
use std::ops::Range;

/// How one kind of attribute or type is laid out behind its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codec {
    /// The number that stands first in the entry.
    pub code: u64,
    /// The name of what is encoded: upstream's for builtin entries, the mnemonic for those of
    /// dialects.
    pub name: Cow<'static, str>,
    /// What follows the code, in order.
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

/// How a field is encoded, and what its [`FieldValue`] is.
///
/// Numbers of attributes, types, strings and resources are varints; a location is a kind of
/// attribute there.
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
    /// A length and so many bytes: [`FieldValue::Bytes`].
    Blob,
    /// An integer of the width of the type in the field of that number: [`FieldValue::Integer`].
    ///
    /// Up to 8 bits: a byte. Up to 64: a signed varint of the value without sign. More: the number
    /// of 64-bit words that the value needs, then these as signed varints, lowest first.
    ApInt(u8),
    /// The bits of a float of the type in the field of that number, as an integer:
    /// [`FieldValue::Float`].
    ApFloat(u8),
    /// An affine map as LLVM 24 writes it: [`FieldValue::AffineMap`].
    AffineMap,
    /// A number of items, and the items: [`FieldValue::List`].
    List(&'static FieldKind),
    /// A byte: 0, or 1 and a list: [`FieldValue::Absent`] or [`FieldValue::List`].
    FlaggedList(&'static FieldKind),
    /// A number of pairs, and the pairs: [`FieldValue::List`] of twice as many items.
    Pairs(&'static [FieldKind; 2]),
    /// Numbers of strings up to the end of the entry: [`FieldValue::List`].
    Strings,
}

impl FieldKind {
    /// The kind of that name in a definition, for a field that is not told by another: `svarint`,
    /// `list<attr>`.
    pub fn from_name(name: &str) -> Option<FieldKind> {
        KINDS.iter().find(|kind| kind.0 == name).map(|kind| kind.1)
    }

    /// The name that definitions use, among the fields of a codec.
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
        AffineMap, Attribute, Blob, Bool, Byte, FlaggedAttribute, FlaggedList, Float64, List,
        Location, NumberFlaggedAttribute, OptionalAttribute, OptionalVarint, Pairs, Resource,
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
    /// An integer without sign.
    Unsigned(u64),
    /// An integer with sign.
    Signed(i64),
    /// An integer of a type's width.
    Integer(ApInt),
    /// The bits of a float, in the low bits.
    Float(u128),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// An affine map.
    AffineMap(AffineMap),
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

    /// The items of a list; none if the value is no list.
    pub fn list(&self, value: &FieldValue<'a>) -> &[FieldValue<'a>] {
        match value {
            FieldValue::List(range) => self
                .items
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// The items as a list, to be put into a field.
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

/// A place in a list of items: there are fewer than an entry has bytes, and entries end at 4 GiB.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A dialect's codecs.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialectCodecs {
    /// Of its attributes, sorted by code. Several rows of one code are layouts of different
    /// releases, the newest first: an entry has the first layout that fits it exactly.
    pub attributes: &'static [Codec],
    /// Of its types, the same way.
    pub types: &'static [Codec],
}

/// The rows of a code in a table sorted by code.
pub fn find(table: &[Codec], code: u64) -> &[Codec] {
    let start = table.partition_point(|codec| codec.code < code);
    let rest = table.get(start..).unwrap_or_default();
    let len = rest.partition_point(|codec| codec.code == code);
    rest.get(..len).unwrap_or_default()
}

/// The builtin type whose numbers those of `ty` are: itself, or what the definition of a dialect's
/// type says that it is like.
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
