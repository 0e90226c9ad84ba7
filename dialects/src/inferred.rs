//! Directives for types that are omitted because several other types, or an attribute, determine
//! them.

use crate::directive::{Directive, Printed, TwoWayDirective};
use crate::helpers::{dialect_type, is_dialect_type, is_of};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, CustomArgument, ParsedArgument};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, Context, Signedness, Type, TypeKind};
use std::convert::Infallible;
use std::fmt;

/// A type that others determine.
#[derive(Clone, Debug)]
pub(crate) enum Made<O> {
    /// This type.
    Known(Type),
    /// The integer type of that width.
    Integer(u32),
    /// The type of a dialect with one parameter: full name, name of the parameter, its value.
    Wrap(String, String, Type),
    /// The type of a dialect without parameters.
    Plain(String, String),
    /// The type of a dialect with a number as parameter: full name, parameter, its value.
    Number(String, String, i64),
    /// A scalable square of vectors: the size, the element type.
    Tile(i64, Type),
    /// A vector or ranked tensor of the shape of the first type, with the second as elements.
    Shaped(Type, Type),
    /// A type that only one project has.
    Other(O),
}

/// A type that only the dialects of one project determine, as an instruction to make it.
pub(crate) trait Determined: Sized {
    /// Returns the type; `None` if it cannot be made.
    fn make(self, context: &mut Context) -> Option<Type>;

    /// Returns whether `ty` is the type.
    fn is(&self, context: &Context, ty: Type) -> bool;
}

impl Determined for Infallible {
    fn make(self, _: &mut Context) -> Option<Type> {
        match self {}
    }

    fn is(&self, _: &Context, _: Type) -> bool {
        match *self {}
    }
}

impl<O: Determined> Made<O> {
    /// Returns the type; `None` if it cannot be made.
    pub(crate) fn make(self, context: &mut Context) -> Option<Type> {
        match self {
            Made::Known(ty) => Some(ty),
            Made::Integer(width) => context
                .try_type(TypeKind::Integer {
                    width,
                    signedness: Signedness::Signless,
                })
                .ok(),
            Made::Wrap(name, parameter, ty) => {
                context.build_type(name).with(parameter, ty).build().ok()
            }
            Made::Plain(dialect, text) => dialect_type(context, &dialect, &text).ok(),
            Made::Other(other) => other.make(context),
            Made::Number(name, parameter, number) => context
                .build_type(name)
                .with(parameter, number)
                .build()
                .ok(),
            Made::Shaped(of, element) => {
                let kind = with_element(context, of, element)?;
                context.try_type(kind).ok()
            }
            Made::Tile(size, element) => context
                .try_type(TypeKind::Vector {
                    shape: [size; 2].into(),
                    scalable: [true; 2].into(),
                    element,
                })
                .ok(),
        }
    }

    /// Returns whether `ty` is the type.
    pub(crate) fn is(&self, context: &Context, ty: Type) -> bool {
        match self {
            Made::Known(known) => *known == ty,
            Made::Integer(found) => matches!(
                context.type_kind(ty),
                TypeKind::Integer { width, signedness: Signedness::Signless } if width == found
            ),
            Made::Wrap(name, parameter, inner) => {
                let (dialect, mnemonic) = name.split_once('.').unwrap_or_default();
                let found = context.parameter(ty, parameter);
                // Other parameters have their defaults.
                let others = context.parameters(ty).map_or(0, |all| {
                    let values = all.values();
                    let is_there = |value: &&FieldValue<'_>| !matches!(value, FieldValue::Absent);
                    values.fields.iter().filter(is_there).count()
                });
                is_of(context, ty, dialect, mnemonic)
                    && others == 1
                    && found.and_then(|found| found.ty()) == Some(*inner)
            }
            Made::Plain(dialect, text) => is_dialect_type(context, ty, dialect, text),
            Made::Other(other) => other.is(context, ty),
            Made::Number(name, parameter, number) => {
                let (dialect, mnemonic) = name.split_once('.').unwrap_or_default();
                let found = context.parameter(ty, parameter);
                is_of(context, ty, dialect, mnemonic)
                    && found.and_then(|found| found.integer()) == Some(*number)
            }
            Made::Shaped(of, element) => with_element(context, *of, *element)
                .is_some_and(|kind| kind == *context.type_kind(ty)),
            Made::Tile(size, inner) => matches!(
                context.type_kind(ty),
                TypeKind::Vector { shape, scalable, element }
                    if **shape == [*size; 2] && **scalable == [true; 2] && element == inner
            ),
        }
    }
}

/// Returns a vector or ranked tensor with other elements.
fn with_element(context: &Context, ty: Type, element: Type) -> Option<TypeKind> {
    let mut kind = context.type_kind(ty).clone();
    match &mut kind {
        TypeKind::Vector { element: old, .. } | TypeKind::RankedTensor { element: old, .. } => {
            *old = element;
        }
        _ => return None,
    }
    Some(kind)
}

/// What determines types.
pub(crate) struct Source<'s> {
    /// Types of other groups.
    pub(crate) types: &'s [Type],
    /// An attribute.
    pub(crate) attribute: Option<Attribute>,
    /// The texts of the directive.
    pub(crate) text: &'s str,
}

/// A function from types to the types that they determine.
pub(crate) type Derive<O> = fn(&Context, &Source<'_>) -> Option<Vec<Made<O>>>;

/// The arguments that determine types.
#[derive(Debug, Default)]
pub(crate) struct Determining {
    types: Vec<Type>,
    attribute: Option<Attribute>,
    text: String,
    /// Whether there are types, which may depend on an attribute or operands.
    is_there: bool,
}

/// The directive of types that the text omits. Arguments: the types, then the types or attributes
/// that determine them: `ref(type($group))`, `ref($attribute)`. With `if_present`, the types are
/// absent if the attribute, or the operands of the argument `ref($operands)`, are absent.
pub(crate) struct Inferred<O> {
    pub(crate) derive: Derive<O>,
    pub(crate) if_present: bool,
    /// The index of the argument with the types.
    pub(crate) target: usize,
}

impl<O> fmt::Debug for Inferred<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inferred")
    }
}

impl<O: Determined> Inferred<O> {
    /// Returns the directive whose first argument is the inferred types.
    pub(crate) const fn of(derive: Derive<O>) -> Directive<Self> {
        Directive(Inferred {
            derive,
            if_present: false,
            target: 0,
        })
    }

    /// Returns the directive of types that are there if an operand or attribute is.
    pub(crate) const fn optional(derive: Derive<O>, target: usize) -> Directive<Self> {
        Directive(Inferred {
            derive,
            if_present: true,
            target,
        })
    }

    fn source<V>(&self, arguments: &[CustomArgument<V>]) -> Determining {
        let mut source = Determining {
            is_there: !self.if_present,
            ..Determining::default()
        };
        for (number, argument) in arguments.iter().enumerate() {
            match argument {
                _ if number == self.target => {}
                CustomArgument::Types(found) => source.types.extend_from_slice(found),
                CustomArgument::Attribute(found) => {
                    source.attribute = *found;
                    source.is_there |= found.is_some();
                }
                CustomArgument::Operands(values) => source.is_there |= !values.is_empty(),
                CustomArgument::Text(found) => found.trim_matches('"').clone_into(&mut source.text),
                _ => {}
            }
        }
        source
    }

    fn run(&self, context: &Context, source: &Determining) -> Option<Vec<Made<O>>> {
        if !source.is_there {
            return Some(Vec::new());
        }
        let source = Source {
            types: &source.types,
            attribute: source.attribute,
            text: &source.text,
        };
        (self.derive)(context, &source)
    }
}

impl<O: Determined> TwoWayDirective for Inferred<O> {
    type Content = Determining;

    fn content(&self, printed: &Printed<'_>) -> Option<Determining> {
        let types = printed.arguments.get(self.target)?.types();
        let source = self.source(printed.arguments);
        let made = self.run(printed.context, &source)?;
        let mut pairs = made.iter().zip(types);
        let fits =
            made.len() == types.len() && pairs.all(|(made, &ty)| made.is(printed.context, ty));
        fits.then_some(source)
    }

    fn given(&self, arguments: &[ParsedArgument]) -> Determining {
        self.source(arguments)
    }

    fn text(&self, _: &mut Asm<'_, '_>, content: &mut Determining) -> AsmResult<bool> {
        Ok(content.is_there)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Determining,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let context = parser.context();
        let made = self.run(context, &content);
        let types = made.and_then(|made| {
            let types = made.into_iter().map(|made| made.make(context));
            types.collect::<Option<Vec<Type>>>()
        });
        let message = "the types of operands determine no result type";
        let types = types.ok_or_else(|| AsmError::new(place, message))?;
        if let Some(target) = arguments.get_mut(self.target) {
            *target = ParsedArgument::Types(types);
        }
        Ok(())
    }
}
