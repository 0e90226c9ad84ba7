//! The layout of operation signatures.

use super::{FieldEncoding, Kind};

macro_rules! signature_flags {
    ($($(#[$doc:meta])* $constant:ident = $flag:literal, $meaning:literal;)*) => {
        /// Bits of the flags of a signature.
        pub mod signature_flag {
            $($(#[$doc])* pub const $constant: u64 = $flag;)*

            /// All flags.
            pub const ALL: u64 = 0 $(| $flag)*;

            /// Each flag with its meaning, ascending.
            pub const TABLE: &[(u64, &str)] = &[$(($flag, $meaning)),*];
        }
    };
}

signature_flags! {
    /// The signature has discardable attributes.
    ATTRIBUTES = 1, "there are discardable attributes, a dictionary; at least one key";
    /// The signature has properties, a dictionary.
    PROPERTIES = 2, "there are properties";
    /// The properties are an attribute of another kind; only with [`PROPERTIES`].
    OTHER_PROPERTIES = 4, "the properties are one attribute that is not a dictionary; only with 2";
    /// Each operation stores its attribute and property values, instead of the template.
    INLINE = 8, "values are stored with each operation, not in the template";
    /// The signature has successors.
    SUCCESSORS = 16, "there are successors";
    /// The signature has regions.
    REGIONS = 32, "there are regions";
    /// The signature ends with extensions.
    EXTENDED = 64, "the signature has extensions";
    /// Each operation stores extensions.
    EXTENDED_OPERATIONS = 128, "each operation has extensions";
}

/// A field of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureField {
    /// The name of the operations.
    Name,
    /// Bits of [`signature_flag`].
    Flags,
    /// The number of operands.
    Operands,
    /// The number of results.
    Results,
    /// The number of successors.
    Successors,
    /// The number of regions.
    Regions,
    /// The names of the discardable attributes.
    AttributeKeys,
    /// The names of the properties.
    PropertyKeys,
    /// Extensions by key.
    Extensions,
}

/// The layout of a field of a signature.
#[derive(Clone, Copy, Debug)]
pub struct SignatureLayout {
    /// The field.
    pub field: SignatureField,
    /// The name in the grammar; empty if the encoding alone is there.
    pub name: &'static str,
    /// The name in dumps.
    pub title: &'static str,
    /// The encoding; `None` for extensions.
    pub encoding: Option<FieldEncoding>,
    /// The flag with which the field is present, and the one with which it is not; 0 for none.
    pub with: u64,
    /// See [`with`](Self::with).
    pub without: u64,
}

impl SignatureLayout {
    /// Returns whether the field is present in a signature with these flags. O(1).
    #[inline]
    pub const fn is_present(&self, flags: u64) -> bool {
        (self.with == 0 || flags & self.with != 0) && flags & self.without == 0
    }

    /// Returns the field in the notation of the specification.
    pub fn notation(&self) -> String {
        let item = match self.encoding {
            Some(encoding) => format!("{}:{}", self.name, encoding.notation()),
            None => self.name.to_owned(),
        };
        match (self.with, self.without) {
            (0, _) => item,
            (with, 0) => format!("{item}{{flag {with}}}"),
            (with, without) => format!("{item}{{flag {with} and not {without}}}"),
        }
    }
}

const fn always(
    field: SignatureField,
    name: &'static str,
    title: &'static str,
    kind: Kind,
) -> SignatureLayout {
    SignatureLayout {
        field,
        name,
        title,
        encoding: Some(FieldEncoding::One(kind)),
        with: 0,
        without: 0,
    }
}

const fn count(field: SignatureField, name: &'static str, with: u64) -> SignatureLayout {
    SignatureLayout {
        with,
        ..always(field, name, name, Kind::Number)
    }
}

const fn keys(
    field: SignatureField,
    title: &'static str,
    with: u64,
    without: u64,
) -> SignatureLayout {
    SignatureLayout {
        field,
        name: "keys",
        title,
        encoding: Some(FieldEncoding::List(Kind::String)),
        with,
        without,
    }
}

/// The fields of a signature, in order. The flags precede the fields that depend on them.
pub const SIGNATURE: [SignatureLayout; 9] = {
    use SignatureField as Field;
    use signature_flag as flag;
    [
        always(Field::Name, "name", "operation", Kind::String),
        always(Field::Flags, "flags", "flags", Kind::Number),
        count(Field::Operands, "operands", 0),
        count(Field::Results, "results", 0),
        count(Field::Successors, "successors", flag::SUCCESSORS),
        count(Field::Regions, "regions", flag::REGIONS),
        keys(Field::AttributeKeys, "attributes", flag::ATTRIBUTES, 0),
        keys(
            Field::PropertyKeys,
            "properties",
            flag::PROPERTIES,
            flag::OTHER_PROPERTIES,
        ),
        SignatureLayout {
            field: Field::Extensions,
            name: "extensions",
            title: "extensions",
            encoding: None,
            with: flag::EXTENDED,
            without: 0,
        },
    ]
};
