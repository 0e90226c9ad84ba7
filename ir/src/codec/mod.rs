//! The schema of codecs: how a dialect's attributes and types are laid out in upstream's bytecode, as plain data.
//!
//! A table of [`Codec`] rows drives reading, writing and dumping alike: it takes bytes apart into
//! [`FieldValues`] and puts these together to bytes. What the values mean is said once for each family of
//! entries, by a function that makes an entry of them and its inverse.
//! (Kinds of fields: "Dialect-Specific Encodings" of the MLIR bytecode format's page.)

mod assembly;
mod dense;

pub use assembly::{AssemblyWriter, assemble, float_text};
pub use dense::dense_elements;

use crate::affine::AffineMap;
use crate::apint::ApInt;
use crate::{Attribute, Context, Identifier, Invalid, Location, Resource, Type};
use std::ops::Range;

/// How one kind of attribute or type is laid out behind its code.
#[derive(Clone, Copy, Debug)]
pub struct Codec {
    /// The number that stands first in the entry.
    pub code: u64,
    /// The name of what is encoded, as upstream calls it.
    pub name: &'static str,
    /// What follows the code, in order.
    pub fields: &'static [Field],
    /// What the entry is in memory.
    pub assembly: Assembly,
}

/// How an entry is made of the values of its fields.
#[derive(Clone, Copy, Debug)]
pub enum Assembly {
    /// By code, which all entries of the builtin dialect need.
    Code,
    /// As the body of an entity of a dialect, by a template. It is text, but for:
    ///
    /// - `$name`: the field of that name; items of a list have commas between them. `?` is a size that is not known;
    /// - `$name{A B _ C}`: for the value 0 `A`, for 1 `B`, for 3 `C`, and no other;
    /// - `$name:x`: a shape, with `x` behind each size;
    /// - `$name:=`: pairs, ` = ` between their parts;
    /// - `$name:()`: the items of a list, `()` if there are none;
    /// - `$name:-`: a list of attributes of the dialect, each without its mnemonic;
    /// - `%fields`: `name = value` for each field that is not absent, lists in square brackets, commas between them;
    /// - `%set`: the same for the fields that are not 0 or empty either.
    Template(&'static str),
    /// As the body of an entity of a dialect, by a function that writes it.
    Hook(Hook),
}

/// Writes a body.
pub type Hook = fn(&mut dyn AssemblyWriter, &FieldValues<'_>) -> Result<(), Invalid>;

/// A field of a [`Codec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// How it is encoded.
    pub kind: FieldKind,
}

/// How a field is encoded, and what its [`FieldValue`] is.
///
/// Numbers of attributes, types, strings and resources are varints; a location is a kind of attribute there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The number of an attribute: [`FieldValue::Attribute`].
    Attribute,
    /// 0, or an attribute's number times two plus one: [`FieldValue::Absent`] or [`FieldValue::Attribute`].
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
    /// Up to 8 bits: a byte. Up to 64: a signed varint of the value without sign. More: the number of 64-bit words that
    /// the value needs, then these as signed varints, lowest first.
    ApInt(u8),
    /// The bits of a float of the type in the field of that number, as an integer: [`FieldValue::Float`].
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
    Bytes(&'a [u8]),
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

    /// Appends a list field.
    pub fn push_list(&mut self, items: impl IntoIterator<Item = FieldValue<'a>>) {
        let start = index(self.items.len());
        self.items.extend(items);
        let end = index(self.items.len());
        self.fields.push(FieldValue::List(start..end));
    }
}

/// A place in a list of items: there are fewer than an entry has bytes, and entries end at 4 GiB.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// A dialect's codecs.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialectCodecs {
    /// Of its attributes, sorted by code. Several rows of one code are layouts of different releases, the newest
    /// first: an entry has the first layout that fits it exactly.
    pub attributes: &'static [Codec],
    /// Of its types, the same way.
    pub types: &'static [Codec],
    /// The builtin type that a type of the dialect stands for where it is the type of a number; none if it is none.
    pub builtin_type: Option<fn(&mut Context, Type) -> Option<Type>>,
}

/// The rows of a code.
pub fn find(table: &'static [Codec], code: u64) -> &'static [Codec] {
    let start = table.partition_point(|codec| codec.code < code);
    let rest = table.get(start..).unwrap_or_default();
    let len = rest.partition_point(|codec| codec.code == code);
    rest.get(..len).unwrap_or_default()
}

/// Declares tables of codecs: `code => Name { field: Kind, ... };`, with ` = Assembly::...` before the semicolon for
/// those that are not [`Assembly::Code`].
#[macro_export]
macro_rules! codecs {
    ($($code:expr => $name:ident { $($field:ident: $kind:expr),* $(,)? } $(= $assembly:expr)?;)*) => {
        &[$($crate::codec::Codec {
            code: $code,
            name: stringify!($name),
            fields: &[$($crate::codec::Field { name: stringify!($field), kind: $kind }),*],
            assembly: $crate::codecs!(@assembly $($assembly)?),
        }),*]
    };
    (@assembly) => { $crate::codec::Assembly::Code };
    (@assembly $assembly:expr) => { $assembly };
}
