//! Types of CIRCT's dialects that others determine, as instructions to make them.

use super::fields::{constant_type, fields, is_field_type};
use super::infer::{array, is_constant, wrap};
use crate::helpers::is_of;
use crate::inferred::Determined;
use rmlir_ir::{Attribute, Context, Type, TypeKind};

/// A type that others determine.
pub(crate) type Made = crate::inferred::Made<Own>;

/// A type that only CIRCT's dialects determine.
#[derive(Clone, Debug)]
pub(crate) enum Own {
    /// The type of a field or element of a type of `firrtl`.
    Field(Type, Type),
    /// `!kanagawa.portref` of a direction.
    Port(String, Attribute),
    /// `!kanagawa.portref` of a direction and a type.
    PortOf(String, Type),
    /// `!kanagawa.scoperef` of a reference.
    Scope(Attribute),
    /// `!esi.channel` of a type, with these signals.
    Channel(Type, String),
    /// A probe of `firrtl` by its full name, of a type, for a layer.
    Probe(&'static str, Type, Option<Attribute>),
    /// A type of `firrtl` without flips, as the type in a probe.
    Passive(Type),
    /// The function type without inputs and results.
    Procedure,
    /// `!hw.array` of a length.
    Array(i64, Type),
    /// `!hw.struct` or `!hw.union` with these fields, at no offset.
    Fields(&'static str, Vec<(String, Made)>),
    /// `!hw.typealias` of a reference by two names.
    Alias(String, String, Box<Made>),
    /// A type of a dialect with a list of types as its parameter: its name, that of the parameter.
    List(&'static str, &'static str, Vec<Type>),
    /// A type of a dialect with another such type as its parameter.
    Around(&'static str, &'static str, Box<Made>),
}

impl Determined for Own {
    fn make(self, context: &mut Context) -> Option<Type> {
        match self {
            Own::Field(of, ty) => Some(match is_constant(context, of) {
                true => constant_type(context, ty),
                false => ty,
            }),
            Own::Port(direction, of) => {
                let builder = context.build_type("kanagawa.portref");
                let builder = builder.with("direction", direction);
                builder.with("portTypeAttr", of).build().ok()
            }
            Own::PortOf(direction, of) => {
                let of = context.type_attribute(of);
                Own::Port(direction, of).make(context)
            }
            Own::Channel(inner, signals) => {
                let builder = context.build_type("esi.channel").with("inner", inner);
                builder.with("signaling", signals).build().ok()
            }
            Own::Probe(name, inner, layer) => {
                let builder = context.build_type(name).with("elementType", inner);
                match layer {
                    Some(layer) => builder.with("layer", layer).build().ok(),
                    None => builder.build().ok(),
                }
            }
            Own::Passive(ty) => {
                let inner = super::results::passive(context, ty)?;
                wrap("firrtl.probe.elementType", inner).make(context)
            }
            Own::Procedure => Some(context.function_type(&[], &[])),
            Own::Array(length, element) => super::arrays::array_type(context, length, element).ok(),
            Own::Fields(name, fields) => {
                let (names, types): (Vec<String>, Vec<Made>) = fields.into_iter().unzip();
                let types = types.into_iter().map(|ty| ty.make(context));
                let types: Vec<Type> = types.collect::<Option<_>>()?;
                let offsets = vec![0i64; types.len()];
                let builder = context.build_type(name).with("names", names);
                let builder = builder.with("types", types);
                let made = match name {
                    "hw.union" => builder.with("offsets", offsets).build(),
                    _ => builder.build(),
                };
                made.ok()
            }
            Own::Alias(outer, name, inner) => {
                let inner = inner.make(context)?;
                let root = context.identifier(&outer);
                let nested = [context.identifier(&name)].into();
                let kind = rmlir_ir::AttributeKind::SymbolRef { root, nested };
                let reference = context.try_attribute(kind).ok()?;
                let builder = context.build_type("hw.typealias").with("ref", reference);
                builder.with("innerType", inner).build().ok()
            }
            Own::List(name, parameter, types) => {
                context.build_type(name).with(parameter, types).build().ok()
            }
            Own::Around(name, parameter, inner) => {
                let inner = inner.make(context)?;
                context.build_type(name).with(parameter, inner).build().ok()
            }
            Own::Scope(of) => {
                let builder = context.build_type("kanagawa.scoperef");
                builder.with("scopeRef", of).build().ok()
            }
        }
    }

    fn is(&self, context: &Context, ty: Type) -> bool {
        match self {
            Own::Field(of, field) => is_field_type(context, *of, *field, ty),
            Own::Port(direction, of) => {
                let found = context.parameter(ty, "portTypeAttr");
                let word = context.parameter(ty, "direction");
                is_of(context, ty, "kanagawa", "portref")
                    && found.and_then(|found| found.attribute()) == Some(*of)
                    && word.and_then(|word| word.str()).as_deref() == Some(direction)
            }
            Own::PortOf(direction, of) => {
                let found = context.parameter(ty, "portTypeAttr");
                let found = found.and_then(|found| found.attribute());
                found.is_some_and(|found| {
                    *context.attribute_kind(found) == rmlir_ir::AttributeKind::Type(*of)
                        && Own::Port(direction.clone(), found).is(context, ty)
                })
            }
            Own::Channel(inner, signals) => {
                let parameters = context.parameters(ty);
                let is_same = parameters.is_ok_and(|all| {
                    let found = all.get("inner").and_then(|inner| inner.ty());
                    let word = all.get("signaling");
                    let delay = all.get("dataDelay").and_then(|delay| delay.integer());
                    found == Some(*inner)
                        && word.and_then(|word| word.str()).as_deref() == Some(signals)
                        && delay.unwrap_or_default() == 0
                });
                is_same && is_of(context, ty, "esi", "channel")
            }
            Own::Probe(name, inner, layer) => {
                let found = context
                    .parameter(ty, "elementType")
                    .and_then(|one| one.ty());
                let of = context
                    .parameter(ty, "layer")
                    .and_then(|one| one.attribute());
                is_named(context, ty, name) && (found, of) == (Some(*inner), *layer)
            }
            Own::Passive(of) => {
                let found = context
                    .parameter(ty, "elementType")
                    .and_then(|one| one.ty());
                let is_plain = context
                    .parameter(ty, "layer")
                    .is_none_or(|one| one.attribute().is_none());
                is_of(context, ty, "firrtl", "probe")
                    && is_plain
                    && found.is_some_and(|found| super::results::is_passive(context, *of, found))
            }
            Own::Procedure => matches!(
                context.type_kind(ty),
                TypeKind::Function { inputs, results } if inputs.is_empty() && results.is_empty()
            ),
            Own::Array(length, element) => {
                is_of(context, ty, "hw", "array") && array(context, ty) == Some((*length, *element))
            }
            Own::Fields(name, wanted) => {
                let offsets = context.parameter(ty, "offsets");
                let is_packed = offsets
                    .is_none_or(|offsets| offsets.items().all(|one| one.integer() == Some(0)));
                let found = fields(context, ty).unwrap_or_default();
                let is_same = |(found, wanted): (&(&[u8], Type), &(String, Made))| {
                    found.0 == wanted.0.as_bytes() && wanted.1.is(context, found.1)
                };
                is_named(context, ty, name)
                    && is_packed
                    && found.len() == wanted.len()
                    && found.iter().zip(wanted).all(is_same)
            }
            Own::Alias(outer, name, inner) => {
                let reference = context.parameter(ty, "ref").and_then(|one| one.attribute());
                let is_same = reference.is_some_and(|one| match context.attribute_kind(one) {
                    rmlir_ir::AttributeKind::SymbolRef { root, nested } => {
                        let names = nested.iter().map(|&name| context.bytes(name));
                        context.bytes(*root) == outer.as_bytes() && names.eq([name.as_bytes()])
                    }
                    _ => false,
                });
                let found = context.parameter(ty, "innerType").and_then(|one| one.ty());
                is_named(context, ty, "hw.typealias")
                    && is_same
                    && found.is_some_and(|found| inner.is(context, found))
            }
            Own::List(name, parameter, types) => {
                let found = context.parameter(ty, parameter);
                let found = found.map_or_else(Vec::new, |found| {
                    found.items().filter_map(|one| one.ty()).collect()
                });
                is_named(context, ty, name) && found == *types
            }
            Own::Around(name, parameter, inner) => {
                let found = context.parameter(ty, parameter).and_then(|one| one.ty());
                is_named(context, ty, name) && found.is_some_and(|found| inner.is(context, found))
            }
            Own::Scope(of) => {
                let found = context.parameter(ty, "scopeRef");
                is_of(context, ty, "kanagawa", "scoperef")
                    && found.and_then(|found| found.attribute()) == Some(*of)
            }
        }
    }
}

/// Returns whether a type has that full name.
fn is_named(context: &Context, ty: Type, name: &str) -> bool {
    let named = name.split_once('.');
    named.is_some_and(|(dialect, mnemonic)| is_of(context, ty, dialect, mnemonic))
}
