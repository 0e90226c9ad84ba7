//! Dialects whose encodings are known, by name.

use super::builtin;
use rmlir_ir::codec::{Codec, DialectCodecs, FieldValues};
use rmlir_ir::{Attribute, Context, Invalid, Location, Type, builtin_codecs};

/// What an attribute entry turns out to be.
#[derive(Clone, Copy)]
pub(super) enum Built {
    Attribute(Attribute),
    Location(Location),
}

/// The codecs of a dialect, and what makes entries of their values.
pub(super) struct Family {
    dialect: &'static str,
    pub(super) codecs: DialectCodecs,
    pub(super) attribute: fn(&mut Context, &Codec, &FieldValues<'_>) -> Result<Built, Invalid>,
    pub(super) ty: fn(&mut Context, &Codec, &FieldValues<'_>) -> Result<Type, Invalid>,
}

const FAMILIES: &[Family] = &[Family {
    dialect: "builtin",
    codecs: builtin_codecs::CODECS,
    attribute: builtin::attribute,
    ty: builtin::ty,
}];

impl Family {
    /// The family of a dialect by its namespace.
    pub(super) fn of(dialect: &[u8]) -> Option<&'static Family> {
        FAMILIES
            .iter()
            .find(|family| family.dialect.as_bytes() == dialect)
    }
}
