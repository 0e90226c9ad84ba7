//! The textual forms of attributes in a format, and the types that constraints determine.

use super::property_wrappers::MOST_WRAPPERS;
use crate::lexer::TokenKind;
use rmlir_ir::definition::{
    DialectDefinition, EnumDefinition, InherentAttribute, NativeProperty, PropertyBase,
    PropertyKind, PropertyWrapper, Text,
};
use rmlir_ir::{Context, Signedness, Type, TypeKind};
use std::cell::Cell;
use std::sync::Arc;

/// The types that constraints determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FixedType {
    Integer(u32),
    /// A signed or unsigned integer.
    Signed(u32),
    Unsigned(u32),
    Index,
    F32,
    F64,
    None,
    /// A type from a definition, by its index in the plan.
    Own(usize),
}

/// Types that formats leave out often, as text.
const FIXED_TYPES: &[(&str, FixedType)] = &[
    ("f32", FixedType::F32),
    ("f64", FixedType::F64),
    ("i1", FixedType::Integer(1)),
    ("i16", FixedType::Integer(16)),
    ("i32", FixedType::Integer(32)),
    ("i64", FixedType::Integer(64)),
    ("i8", FixedType::Integer(8)),
    ("index", FixedType::Index),
    ("none", FixedType::None),
];

/// A type that a definition spells as text.
#[derive(Debug)]
pub(crate) struct OwnType {
    pub(crate) text: Text,
    /// The type, once it was encountered.
    pub(crate) found: Cell<Option<Type>>,
}

impl FixedType {
    /// Returns the type of a text; a rare one is appended to `own`.
    pub(super) fn new(text: String, own: &mut Vec<OwnType>) -> Self {
        find(FIXED_TYPES, &text).unwrap_or_else(|| {
            own.push(OwnType {
                text: text.into(),
                found: Cell::new(None),
            });
            FixedType::Own(own.len().saturating_sub(1))
        })
    }

    /// Returns whether a type is this one.
    ///
    /// `is_own` determines it for a type that its number among those of the definition denotes.
    pub(crate) fn is(
        self,
        context: &Context,
        ty: Type,
        is_own: impl FnOnce(usize) -> bool,
    ) -> bool {
        match self {
            FixedType::Own(number) => is_own(number),
            FixedType::Integer(bits) => {
                matches!(context.type_kind(ty), TypeKind::Integer {
                    width, signedness: Signedness::Signless,
                } if *width == bits)
            }
            FixedType::Signed(bits) => {
                matches!(context.type_kind(ty), TypeKind::Integer {
                    width, signedness: Signedness::Signed,
                } if *width == bits)
            }
            FixedType::Unsigned(bits) => {
                matches!(context.type_kind(ty), TypeKind::Integer {
                    width, signedness: Signedness::Unsigned,
                } if *width == bits)
            }
            FixedType::Index => ty == context.index_type(),
            FixedType::F32 => ty == context.f32_type(),
            FixedType::F64 => ty == context.f64_type(),
            FixedType::None => ty == context.none_type(),
        }
    }
}

/// Kinds of builtin types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltinKind {
    Integer,
    RankedTensor,
    Vector,
}

impl BuiltinKind {
    /// Returns the kind as upstream's messages name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            BuiltinKind::Integer => "builtin.integer",
            BuiltinKind::RankedTensor => "builtin.tensor",
            BuiltinKind::Vector => "builtin.vector",
        }
    }

    /// Returns whether a type is of this kind.
    pub(crate) fn is(self, context: &Context, ty: Type) -> bool {
        match context.type_kind(ty) {
            TypeKind::Integer { .. } => self == BuiltinKind::Integer,
            TypeKind::RankedTensor { .. } => self == BuiltinKind::RankedTensor,
            TypeKind::Vector { .. } => self == BuiltinKind::Vector,
            _ => false,
        }
    }
}

/// Constraints of types that only types of a kind keep.
pub(super) const BUILTIN_KINDS: &[(&str, BuiltinKind)] = &[
    ("AnyRankedTensor", BuiltinKind::RankedTensor),
    ("AnySignlessInteger", BuiltinKind::Integer),
    ("AnyStaticShapeTensor", BuiltinKind::RankedTensor),
    ("LLVM_AnyVector", BuiltinKind::Vector),
    ("SPIRV_Int32", BuiltinKind::Integer),
    ("SPIRV_Integer", BuiltinKind::Integer),
    (
        "VectorOfLengthAndType_f32_min_rank_1_length",
        BuiltinKind::Vector,
    ),
    (
        "VectorOfLengthAndType_f32_min_rank_1_length_2",
        BuiltinKind::Vector,
    ),
];

/// Constraints of attributes whose type the text leaves out.
const TYPED_ATTRIBUTES: &[(&str, FixedType)] = &[
    ("F32Attr", FixedType::F32),
    ("F64Attr", FixedType::F64),
    ("I16Attr", FixedType::Integer(16)),
    ("I1Attr", FixedType::Integer(1)),
    ("I32Attr", FixedType::Integer(32)),
    ("I64Attr", FixedType::Integer(64)),
    ("I8Attr", FixedType::Integer(8)),
    ("IndexAttr", FixedType::Index),
    ("SI16Attr", FixedType::Signed(16)),
    ("SI32Attr", FixedType::Signed(32)),
    ("SI64Attr", FixedType::Signed(64)),
    ("SI8Attr", FixedType::Signed(8)),
    ("UI16Attr", FixedType::Unsigned(16)),
    ("UI32Attr", FixedType::Unsigned(32)),
    ("UI64Attr", FixedType::Unsigned(64)),
    ("UI8Attr", FixedType::Unsigned(8)),
];

/// Constraints of arrays of numbers.
const ARRAYS: &[(&str, FixedType)] = &[
    ("DenseBoolArrayAttr", FixedType::Integer(1)),
    ("DenseF32ArrayAttr", FixedType::F32),
    ("DenseF64ArrayAttr", FixedType::F64),
    ("DenseI16ArrayAttr", FixedType::Integer(16)),
    ("DenseI32ArrayAttr", FixedType::Integer(32)),
    ("DenseI64ArrayAttr", FixedType::Integer(64)),
    ("DenseI8ArrayAttr", FixedType::Integer(8)),
];

/// Returns the row of a name.
pub(super) fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The textual form of an attribute in a format.
#[derive(Debug)]
pub(crate) enum Form {
    /// Any attribute, in full.
    Any,
    /// A number without its type.
    Typed(FixedType),
    /// An attribute of a dialect without dialect and mnemonic.
    Stripped(Arc<DialectDefinition>, Text),
    /// Numbers in square brackets.
    Array(FixedType),
    /// The keyword of a case; several in quotes.
    Enumeration(EnumDefinition),
    /// The keywords of cases.
    Members(EnumDefinition),
    /// `@name`.
    Symbol,
    /// No text: only its presence matters.
    Unit,
    /// As an attribute, which begins with such a token.
    Token(TokenKind),
    /// A native property in wrappers: `none` or the wrapped value, items in square brackets.
    Wrapped(PropertyKind),
}

/// How a native property is spelled.
pub(super) fn property_form(
    context: &Context,
    dialect: &Arc<DialectDefinition>,
    property: &NativeProperty,
) -> Form {
    let of_enumeration = dialect.find_enumeration(context, &property.enumeration, |enumeration| {
        Some(enumeration.clone())
    });
    match (of_enumeration, &*property.kind.wrappers, property.kind.base) {
        (Some(enumeration), [], _) => Form::Members(enumeration),
        (None, [], PropertyBase::Integer { width }) => Form::Typed(FixedType::Integer(width)),
        (None, [], PropertyBase::String) => Form::Token(TokenKind::String),
        (None, [], PropertyBase::Unit) => Form::Unit,
        (None, [PropertyWrapper::DenseArray], PropertyBase::Integer { width }) => {
            Form::Array(FixedType::Integer(width))
        }
        (None, [_, ..], base) if base != PropertyBase::Own => {
            match property.kind.wrappers.len() <= MOST_WRAPPERS {
                true => Form::Wrapped(property.kind.clone()),
                false => Form::Any,
            }
        }
        _ => Form::Any,
    }
}

/// How an inherent attribute is spelled.
pub(super) fn form(
    context: &Context,
    dialect: &Arc<DialectDefinition>,
    attribute: &InherentAttribute,
) -> Form {
    let constraint = &*attribute.constraint;
    if let Some((home, mnemonic)) = dialect.attribute_entry(context, attribute) {
        return Form::Stripped(home, mnemonic);
    }
    if !attribute.enumeration.is_empty() {
        let name = &attribute.enumeration;
        let found = dialect.find_enumeration(context, name, |found| Some(found.clone()));
        if let Some(enumeration) = found {
            return Form::Enumeration(enumeration);
        }
    }
    if constraint == "SymbolNameAttr" {
        return Form::Symbol;
    }
    let base = &*dialect.base_constraint(context, constraint);
    if let Some(ty) = find(TYPED_ATTRIBUTES, base) {
        return Form::Typed(ty);
    }
    if let Some(element) = find(ARRAYS, base) {
        return Form::Array(element);
    }
    match base {
        "UnitAttr" => Form::Unit,
        "StrAttr" => Form::Token(TokenKind::String),
        "FlatSymbolRefAttr" | "SymbolRefAttr" => Form::Token(TokenKind::AtIdentifier),
        // As upstream, an array of whatever is one.
        _ if constraint.ends_with("ArrayAttr") || base.ends_with("ArrayAttr") => {
            Form::Token(TokenKind::LeftSquare)
        }
        _ => Form::Any,
    }
}
