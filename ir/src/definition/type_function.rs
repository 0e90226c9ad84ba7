//! Functions from types to types: they infer the types of a group from those of another.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::{BodyPiece, BodyReference, Context, Signedness, Type, TypeKind};

/// Functions from types to types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TypeFunction {
    /// `same`: the type itself.
    Same,
    /// `element`: the element type of a shaped or complex type.
    Element,
    /// `elements`: the element type, once for each element of a static shape.
    Elements,
    /// `i1_like`: `i1`, or the shaped type with elements of that type.
    I1Like,
    /// `inputs`: the inputs of a function type.
    Inputs,
    /// `results`: the results of a function type.
    Results,
    /// `tensor`: the tensor of the shape and element type of a memref.
    Tensor,
    /// `slice`: the vector without its first dimension.
    Slice,
    /// `value`: the type in a type attribute.
    Value,
    /// `parameter`: the type that is the first parameter of a dialect type, in its angle brackets.
    Parameter,
    /// `last_parameter`: the last type among the declared parameters of a dialect type.
    LastParameter,
    /// `parameters`: the types in the first list of types among the declared parameters of a
    /// dialect type.
    Parameters,
    /// `each`: the types of the group itself, one for each member.
    Each,
    /// `i1_each`: `i1` for each member of the group.
    I1Each,
}

const FUNCTIONS: &[(&str, TypeFunction)] = &[
    ("same", TypeFunction::Same),
    ("element", TypeFunction::Element),
    ("elements", TypeFunction::Elements),
    ("i1_like", TypeFunction::I1Like),
    ("inputs", TypeFunction::Inputs),
    ("last_parameter", TypeFunction::LastParameter),
    ("parameter", TypeFunction::Parameter),
    ("parameters", TypeFunction::Parameters),
    ("results", TypeFunction::Results),
    ("slice", TypeFunction::Slice),
    ("tensor", TypeFunction::Tensor),
    ("value", TypeFunction::Value),
    ("each", TypeFunction::Each),
    ("i1_each", TypeFunction::I1Each),
];

impl TypeFunction {
    /// Returns the function of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|f| f.0 == name).map(|f| f.1)
    }

    /// Returns the name that definitions use.
    pub fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|f| f.1 == self).map_or("", |f| f.0)
    }

    /// Returns the type that follows from `source`. Returns `None` for functions that yield several
    /// types or whose input is not a type, and for [`Parameter`](Self::Parameter), which requires
    /// parsing types.
    pub fn apply(self, context: &mut Context, source: Type) -> Option<Type> {
        let kind = match self {
            TypeFunction::Same => return Some(source),
            TypeFunction::Element | TypeFunction::Elements => {
                return Some(element_or_self(context, source));
            }
            TypeFunction::I1Like => {
                let i1 = context.i1_type();
                match context.type_kind(source).clone() {
                    TypeKind::RankedTensor {
                        shape, encoding, ..
                    } => TypeKind::RankedTensor {
                        shape,
                        encoding,
                        element: i1,
                    },
                    TypeKind::UnrankedTensor(_) => TypeKind::UnrankedTensor(i1),
                    TypeKind::Vector {
                        shape, scalable, ..
                    } => TypeKind::Vector {
                        shape,
                        scalable,
                        element: i1,
                    },
                    _ => return Some(i1),
                }
            }
            TypeFunction::Tensor => match context.type_kind(source).clone() {
                TypeKind::MemRef { shape, element, .. } => TypeKind::RankedTensor {
                    shape,
                    element,
                    encoding: None,
                },
                TypeKind::UnrankedMemRef { element, .. } => TypeKind::UnrankedTensor(element),
                _ => return None,
            },
            TypeFunction::Slice => slice_of(context, source)?,
            TypeFunction::LastParameter => return type_parameters(context, source).last(),
            TypeFunction::Parameters
            | TypeFunction::Inputs
            | TypeFunction::Results
            | TypeFunction::Value
            | TypeFunction::Parameter
            | TypeFunction::Each
            | TypeFunction::I1Each => return None,
        };
        context.try_type(kind).ok()
    }

    /// Returns whether `types` are those that follow from `source`; `None` if that cannot be
    /// determined here.
    ///
    /// That is the case for [`Value`](Self::Value), [`Each`](Self::Each), [`I1Each`](Self::I1Each),
    /// and for [`Parameter`](Self::Parameter) if the parameter is not a dialect type, integer,
    /// float, `index` or `none`: other types require parsing. Linear in `types`.
    pub fn holds(
        self,
        context: &Context,
        source: Type,
        mut types: impl Iterator<Item = Type>,
    ) -> Option<bool> {
        Some(match self {
            TypeFunction::Same => types.all(|ty| ty == source),
            TypeFunction::Element => {
                let element = element_or_self(context, source);
                types.all(|ty| ty == element)
            }
            TypeFunction::Elements => {
                let element = element_or_self(context, source);
                let mut count = 0u64;
                let alike = types.all(|ty| {
                    count = count.saturating_add(1);
                    ty == element
                });
                alike && context.element_count(source) == Some(count)
            }
            TypeFunction::I1Like => types.all(|ty| is_i1_like(context, source, ty)),
            TypeFunction::Inputs | TypeFunction::Results => match context.type_kind(source) {
                TypeKind::Function { inputs, results } => {
                    let expected = match self {
                        TypeFunction::Inputs => inputs,
                        _ => results,
                    };
                    types.eq(expected.iter().copied())
                }
                _ => false,
            },
            TypeFunction::Tensor => types.all(|ty| is_tensor_of(context, source, ty)),
            TypeFunction::Slice => types.all(|ty| is_slice_of(context, source, ty)),
            TypeFunction::Parameter => {
                let mut known = Some(true);
                for ty in types {
                    match is_parameter_of(context, source, ty) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => known = None,
                    }
                }
                return known;
            }
            TypeFunction::LastParameter => {
                let last = type_parameters(context, source).last();
                types.all(|ty| Some(ty) == last)
            }
            TypeFunction::Parameters => types.eq(listed_parameters(context, source)),
            TypeFunction::Value | TypeFunction::Each | TypeFunction::I1Each => return None,
        })
    }
}

/// Returns the element type of a shaped or complex type; any other type itself.
pub fn element_or_self(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::Complex(element) => *element,
        _ => context.element_type(ty).unwrap_or(ty),
    }
}

/// Returns the types among the declared parameters of a dialect type.
pub fn type_parameters(context: &Context, ty: Type) -> impl Iterator<Item = Type> {
    let parameters = context.parameters(ty).into_iter();
    parameters.flat_map(|parameters| parameters.iter().filter_map(|parameter| parameter.ty()))
}

/// Returns the types in the first list of types among the declared parameters of a dialect type.
pub fn listed_parameters(context: &Context, ty: Type) -> Vec<Type> {
    let parameters = context.parameters(ty).into_iter();
    let mut lists = parameters
        .flat_map(|parameters| parameters.iter())
        .map(|one| {
            let items = one.items().map(|item| item.ty());
            items.collect::<Option<Vec<Type>>>().unwrap_or_default()
        });
    lists.find(|types| !types.is_empty()).unwrap_or_default()
}

/// Returns the text of a type that is spelled as one word.
fn word(context: &Context, ty: Type) -> Option<String> {
    Some(match context.type_kind(ty) {
        TypeKind::Integer { width, signedness } => {
            let prefix = match signedness {
                Signedness::Signless => "i",
                Signedness::Signed => "si",
                Signedness::Unsigned => "ui",
            };
            format!("{prefix}{width}")
        }
        TypeKind::Float(kind) => kind.keyword().to_owned(),
        TypeKind::Index => "index".to_owned(),
        TypeKind::None => "none".to_owned(),
        TypeKind::Token => "token".to_owned(),
        _ => return None,
    })
}

/// Returns whether a type is the first parameter of a dialect type; `None` if the parameter is more
/// than a word.
fn is_parameter_of(context: &Context, source: Type, ty: Type) -> Option<bool> {
    if let Some(parameter) = type_parameters(context, source).next() {
        return Some(parameter == ty);
    }
    let TypeKind::Dialect { body, .. } = context.type_kind(source) else {
        return None;
    };
    let Some(Some(BodyPiece::Text(text))) = body.piece(0) else {
        return None;
    };
    let open = text.iter().position(|&b| b == b'<')?;
    let inside = text.get(open.checked_add(1)?..)?.trim_ascii();
    if inside.is_empty() {
        return match body.piece(1) {
            Some(Some(BodyPiece::Reference(BodyReference::Type(parameter)))) => {
                Some(parameter == ty)
            }
            _ => None,
        };
    }
    let end = inside.iter().position(|&b| !b.is_ascii_alphanumeric())?;
    let (parameter, rest) = inside.split_at_checked(end)?;
    let is_word = matches!(rest.first(), Some(b',' | b'>'));
    is_word.then(|| word(context, ty).is_some_and(|word| word.as_bytes() == parameter))
}

/// Returns the vector without its first dimension; `None` if it is not a vector, or has no
/// dimensions.
pub fn slice_of(context: &Context, ty: Type) -> Option<TypeKind> {
    match context.type_kind(ty) {
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => Some(TypeKind::Vector {
            shape: shape.get(1..)?.into(),
            scalable: scalable.get(1..)?.into(),
            element: *element,
        }),
        _ => None,
    }
}

fn is_slice_of(context: &Context, source: Type, ty: Type) -> bool {
    slice_of(context, source).is_some_and(|slice| slice == *context.type_kind(ty))
}

/// Returns whether a type is `i1`, or `source` with elements of that type.
fn is_i1_like(context: &Context, source: Type, ty: Type) -> bool {
    let is_i1 = |ty: Type| {
        matches!(
            context.type_kind(ty),
            TypeKind::Integer {
                width: 1,
                signedness: Signedness::Signless,
            }
        )
    };
    match (context.type_kind(source), context.type_kind(ty)) {
        (
            TypeKind::RankedTensor {
                shape: a,
                encoding: x,
                ..
            },
            TypeKind::RankedTensor {
                shape: b,
                encoding: y,
                element,
            },
        ) => a == b && x == y && is_i1(*element),
        (TypeKind::UnrankedTensor(_), TypeKind::UnrankedTensor(element)) => is_i1(*element),
        (
            TypeKind::Vector {
                shape: a,
                scalable: x,
                ..
            },
            TypeKind::Vector {
                shape: b,
                scalable: y,
                element,
            },
        ) => a == b && x == y && is_i1(*element),
        (
            TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) | TypeKind::Vector { .. },
            _,
        ) => false,
        _ => is_i1(ty),
    }
}

/// Returns whether a type is the tensor of a memref's shape and element type.
fn is_tensor_of(context: &Context, source: Type, ty: Type) -> bool {
    match (context.type_kind(source), context.type_kind(ty)) {
        (
            TypeKind::MemRef {
                shape: a,
                element: x,
                ..
            },
            TypeKind::RankedTensor {
                shape: b,
                element: y,
                encoding: None,
            },
        ) => a == b && x == y,
        (TypeKind::UnrankedMemRef { element, .. }, TypeKind::UnrankedTensor(other)) => {
            element == other
        }
        _ => false,
    }
}
