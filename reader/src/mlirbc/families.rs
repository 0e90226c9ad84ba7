//! Dialects whose encodings are known.

use super::builtin;
use rmlir_ir::codec::{Assembly, Codec, DialectCodecs, FieldValues, assemble};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Identifier, Invalid, Location, Type, TypeKind,
    builtin_codecs,
};
use rmlir_text::BodyWriter;

/// What an attribute entry turns out to be.
#[derive(Clone, Copy)]
pub(super) enum Built {
    Attribute(Attribute),
    Location(Location),
}

/// The codecs of a dialect.
#[derive(Clone, Copy)]
pub(super) struct Family {
    dialect: Identifier,
    pub(super) codecs: DialectCodecs,
}

impl Family {
    /// The family of a dialect, without codecs if nothing is known of it.
    pub(super) fn of(context: &Context, dialect: Identifier) -> Family {
        Family {
            dialect,
            codecs: codecs_of(context, context.bytes(dialect)),
        }
    }

    /// The attribute or location of a codec.
    #[inline]
    pub(super) fn attribute(
        self,
        context: &mut Context,
        codec: &Codec,
        values: &FieldValues<'_>,
    ) -> Result<Built, Invalid> {
        if let Assembly::Code = codec.assembly {
            return builtin::attribute(context, codec, values);
        }
        let kind = AttributeKind::Dialect {
            dialect: self.dialect,
            body: body(context, codec, values)?,
            ty: None,
        };
        context.try_attribute(kind).map(Built::Attribute)
    }

    /// The type of a codec.
    pub(super) fn ty(
        self,
        context: &mut Context,
        codec: &Codec,
        values: &FieldValues<'_>,
    ) -> Result<Type, Invalid> {
        if let Assembly::Code = codec.assembly {
            return builtin::ty(context, codec, values);
        }
        let kind = TypeKind::Dialect {
            dialect: self.dialect,
            body: body(context, codec, values)?,
        };
        context.try_type(kind)
    }
}

/// The codecs of a dialect by its name; none if the context does not know the dialect.
pub(super) fn codecs_of(context: &Context, dialect: &[u8]) -> DialectCodecs {
    match dialect {
        b"builtin" => builtin_codecs::CODECS,
        _ => context
            .dialect(dialect)
            .map_or(DialectCodecs::default(), |dialect| dialect.codecs),
    }
}

fn body(
    context: &mut Context,
    codec: &Codec,
    values: &FieldValues<'_>,
) -> Result<DialectBody, Invalid> {
    let mut writer = BodyWriter::new(context);
    assemble(codec, values, &mut writer)?;
    Ok(writer.finish())
}
