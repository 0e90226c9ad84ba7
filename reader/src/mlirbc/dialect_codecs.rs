//! The codecs of a dialect, and the entries that they encode.

use super::builtin;
use super::entries::Slot;
use rmlir_ir::codec::{Codec, FieldValues, find};
use rmlir_ir::definition::{CodecTarget, DialectDefinition, Release};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Invalid, Location, Type, TypeKind, builtin_codecs,
};
use std::sync::Arc;

/// The kind of IR that an attribute entry decodes to.
#[derive(Clone, Copy)]
pub(super) enum Built {
    Attribute(Attribute),
    Location(Location),
}

/// The codecs of a dialect, and how entries are built from their values.
#[derive(Clone)]
pub(super) enum DialectCodecs {
    Builtin,
    /// A definition, and the number of the release in its project whose layouts the file has, if it
    /// is certain.
    Defined(Arc<DialectDefinition>, Option<u32>),
}

/// A layout of a code, with the encoded attribute or type if the dialect has a definition.
pub(super) type Row<'f> = (&'f Codec, Option<&'f CodecTarget>);

impl DialectCodecs {
    /// Returns the codecs of a dialect by its namespace; `None` if no encoding of it is known.
    ///
    /// `release` is the one that wrote the file, if it is certain.
    pub(super) fn of(
        context: &Context,
        dialect: &[u8],
        release: Option<Release>,
    ) -> Option<DialectCodecs> {
        if dialect == b"builtin" {
            return Some(DialectCodecs::Builtin);
        }
        let definition = context.dialect(dialect)?;
        let tables = [&definition.attributes, &definition.types];
        let any = tables.iter().any(|table| !table.codecs().is_empty());
        let number = release.map(|release| release.number_in(definition.family));
        any.then_some(DialectCodecs::Defined(definition, number))
    }

    /// Returns layout `number` of a code of the dialect's types or attributes.
    #[inline]
    pub(super) fn row(&self, is_type: bool, code: u64, number: usize) -> Option<Row<'_>> {
        match self {
            DialectCodecs::Builtin => {
                let codecs = builtin_codecs::CODECS;
                let table = if is_type {
                    codecs.types
                } else {
                    codecs.attributes
                };
                find(table, code).get(number).map(|codec| (codec, None))
            }
            DialectCodecs::Defined(definition, release) => {
                let table = match is_type {
                    true => &definition.types,
                    false => &definition.attributes,
                };
                let is_right = |target: &CodecTarget| {
                    release.is_none_or(|release| target.releases.contains(release))
                };
                let mut rows = table.rows(code).filter(|row| is_right(row.1));
                let (codec, target) = rows.nth(number)?;
                Some((codec, Some(target)))
            }
        }
    }

    /// Builds the attribute or location of a layout. `longest` is for [`body_len`](Self::body_len).
    #[inline]
    pub(super) fn attribute(
        &self,
        context: &mut Context,
        (codec, target): Row<'_>,
        values: &FieldValues<'_>,
        longest: usize,
    ) -> Result<Built, Invalid> {
        match (self, target) {
            (DialectCodecs::Defined(definition, _), Some(target)) => {
                rmlir_text::decode_attribute(context, definition, target, values, longest)
                    .map(Built::Attribute)
            }
            _ => builtin::attribute(context, codec, values),
        }
    }

    /// How many locations are taken from others to build an attribute.
    pub(super) fn dissolved(
        &self,
        context: &Context,
        (codec, _): Row<'_>,
        values: &FieldValues<'_>,
    ) -> usize {
        match self {
            DialectCodecs::Builtin => builtin::dissolved(context, codec, values),
            DialectCodecs::Defined(..) => 0,
        }
    }

    /// Returns the length of the body of an entry that was built from fields, in bytes of text and
    /// references; 0 for builtin ones.
    pub(super) fn body_len(&self, context: &Context, slot: Slot) -> usize {
        let body = match (self, slot) {
            (DialectCodecs::Builtin, _) => None,
            (_, Slot::Attribute(attribute)) => match context.attribute_kind(attribute) {
                AttributeKind::Dialect { body, .. } => Some(body),
                _ => None,
            },
            (_, Slot::Type(ty)) => match context.type_kind(ty) {
                TypeKind::Dialect { body, .. } => Some(body),
                _ => None,
            },
            _ => None,
        };
        body.map_or(0, |body| {
            body.text().len().saturating_add(body.references().len())
        })
    }

    /// Builds the type of a layout.
    #[inline]
    pub(super) fn ty(
        &self,
        context: &mut Context,
        (codec, target): Row<'_>,
        values: &FieldValues<'_>,
        longest: usize,
    ) -> Result<Type, Invalid> {
        match (self, target) {
            (DialectCodecs::Defined(definition, _), Some(target)) => {
                rmlir_text::decode_type(context, definition, target, values, longest)
            }
            _ => builtin::ty(context, codec, values),
        }
    }
}
