//! The vocabulary of dumps: parts of a file, fields, and the visitor that receives them.
//!
//! [`rmbc::dump`](crate::rmbc::dump) and [`mlirbc::dump`](crate::mlirbc::dump) describe every byte
//! of a file in these terms.

use std::ops::Range;

/// A part of a file that consists of other parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DumpPart<'a> {
    /// Magic number, version, producer.
    Header,
    /// A section with its frame.
    Section {
        /// Its id.
        id: u8,
    },
    /// A table of the native bytecode, or a section of it, by name.
    Table(&'a str),
    /// An entry of a table of the native bytecode: its designation, and its number.
    Entry(&'a str, u64),
    /// A string, by number.
    String(u64),
    /// A dialect, by number, with its name.
    Dialect(u64, &'a [u8]),
    /// The names of a dialect's operations.
    OperationNames(&'a [u8]),
    /// The sizes of a dialect's entries.
    EntrySizes(&'a [u8]),
    /// An attribute.
    Attribute {
        /// Its number.
        number: u64,
        /// Its dialect.
        dialect: &'a [u8],
        /// The codec's name; `assembly` for text, empty if the encoding is not known.
        codec: &'a str,
    },
    /// A type; see [`Attribute`](Self::Attribute).
    Type {
        /// Its number.
        number: u64,
        /// Its dialect.
        dialect: &'a [u8],
        /// The codec's name; `assembly` for text, empty if the encoding is not known.
        codec: &'a str,
    },
    /// Properties, by number.
    Properties(u64),
    /// A group of resources: those of a dialect, or of a tool outside of the IR.
    ResourceGroup(&'a [u8]),
    /// A resource or its value, by key.
    Resource(&'a [u8]),
    /// An operation.
    Operation {
        /// Its dialect.
        dialect: &'a [u8],
        /// Its name without the dialect's.
        name: &'a [u8],
    },
    /// A region, by its number in its operation.
    Region(u64),
    /// A block, by its number in its region.
    Block(u64),
}

/// The content of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum FieldContent<'a> {
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A number with a flag in its lowest bit.
    Flagged(u64, bool),
    /// The number of an item in a table, with the item's text as far as it is known.
    Reference(&'static str, u64, &'a [u8]),
    /// Text.
    Text(&'a [u8]),
    /// Bytes with another meaning.
    Bytes(&'a [u8]),
    /// Bytes that are not understood.
    Damaged(&'a [u8]),
}

/// Receives the description of a file, in the order of its bytes.
///
/// Every byte is in exactly one field.
pub trait Visitor {
    /// Called when a part begins; its fields and parts follow.
    fn enter(&mut self, offset: u64, part: DumpPart<'_>);

    /// Called for each field.
    fn field(&mut self, bytes: Range<u64>, name: &str, content: FieldContent<'_>);

    /// Called when the part that began last and has not ended ends.
    fn leave(&mut self, offset: u64);
}
