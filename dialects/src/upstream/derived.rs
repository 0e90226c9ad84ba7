//! Directives for types that are omitted because another type determines them.

use crate::directive::{Printed, TwoWayDirective};
use crate::inferred::{Made, Source};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::type_parameters;
use rmlir_ir::{Context, Signedness, Type, TypeKind};
use std::convert::Infallible;
use std::fmt;

/// A function from a type to the type that it determines.
pub(crate) trait Derivation: fmt::Debug + Send + Sync {
    /// The error message if the source determines no type.
    const EXPECTED: &'static str;

    /// Returns the type; `None` if the source determines none.
    fn derive(context: &mut Context, source: Type) -> Option<Type>;

    /// Returns whether `ty` is the type that `source` determines.
    fn is(context: &Context, ty: Type, source: Type) -> bool;
}

/// The directive for an omitted type: its first argument is the type, the second the source,
/// `ref(type($group))`.
#[derive(Debug)]
pub(crate) struct Derived<D>(pub(crate) D);

impl<D: Derivation> TwoWayDirective for Derived<D> {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let [target, source] = printed.arguments else {
            return None;
        };
        match (target.types(), source.types()) {
            (&[target], &[source]) => D::is(printed.context, target, source).then_some(()),
            _ => None,
        }
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (): (),
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [target, ParsedArgument::Types(source)] = arguments else {
            return Ok(());
        };
        let place = parser.place();
        let context = parser.context();
        let found = source.first().and_then(|&ty| D::derive(context, ty));
        let found = found.ok_or_else(|| AsmError::new(place, D::EXPECTED))?;
        *target = ParsedArgument::Types(vec![found]);
        Ok(())
    }
}

/// The directive for an omitted type that wraps the type of its source, or the first type among the
/// parameters of that type: `!emitc.ptr<i32>` of `!emitc.lvalue<i32>`. It has the arguments of
/// [`Derived`], and an optional third one: a group of operands. If that group is empty, no type is
/// inferred.
#[derive(Debug)]
pub(crate) struct Wrapped {
    /// The dialect, a dot and the mnemonic of the type.
    pub(crate) name: &'static str,
    /// The parameter of the type that is wrapped.
    pub(crate) parameter: &'static str,
    /// Whether a parameter of the source is wrapped, or the source itself.
    pub(crate) of_parameter: bool,
}

impl Wrapped {
    fn inner(&self, context: &Context, source: Type) -> Option<Type> {
        match self.of_parameter {
            true => type_parameters(context, source).next(),
            false => Some(source),
        }
    }
}

impl TwoWayDirective for Wrapped {
    type Content = ();

    fn content(&self, printed: &Printed<'_>) -> Option<()> {
        let context = printed.context;
        let [target, source, present @ ..] = printed.arguments else {
            return None;
        };
        let (targets, sources) = (target.types(), source.types());
        if let [PrintedArgument::Operands(operands)] = present
            && operands.is_empty()
        {
            return targets.is_empty().then_some(());
        }
        let (dialect, mnemonic) = self.name.split_once('.')?;
        let is_of = |(&target, &source): (&Type, &Type)| {
            let inner = self.inner(context, source);
            let is_wrapper = match context.type_kind(target) {
                TypeKind::Dialect { dialect: of, body } => {
                    context.bytes(*of) == dialect.as_bytes()
                        && body.mnemonic() == mnemonic.as_bytes()
                }
                _ => false,
            };
            is_wrapper && inner.is_some() && type_parameters(context, target).next() == inner
        };
        let fits = targets.len() == sources.len() && targets.iter().zip(sources).all(is_of);
        fits.then_some(())
    }

    fn text(&self, _: &mut Asm<'_, '_>, (): &mut ()) -> AsmResult<bool> {
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (): (),
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [target, ParsedArgument::Types(sources), present @ ..] = arguments else {
            return Ok(());
        };
        if let [ParsedArgument::Operands(operands)] = present
            && operands.is_empty()
        {
            *target = ParsedArgument::Types(Vec::new());
            return Ok(());
        }
        let place = parser.place();
        let context = parser.context();
        let mut made = Vec::with_capacity(sources.len());
        for &source in &*sources {
            let inner = self.inner(context, source);
            let missing = || AsmError::new(place, "expected a type with a type in it");
            let ty = context
                .build_type(self.name)
                .with(self.parameter, inner.ok_or_else(missing)?)
                .build();
            made.push(ty.map_err(|error| AsmError::new(place, error.message()))?);
        }
        *target = ParsedArgument::Types(made);
        Ok(())
    }
}

/// A derivation to a vector or integer that depends on the sizes of a vector.
macro_rules! of_vector {
    ($(#[$doc:meta])* $name:ident, $make:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name;

        impl Derivation for $name {
            const EXPECTED: &'static str = "expected a vector type";

            fn derive(context: &mut Context, source: Type) -> Option<Type> {
                let i1 = context.i1_type();
                let kind = $make(context.type_kind(source), i1)?;
                context.try_type(kind).ok()
            }

            fn is(context: &Context, ty: Type, source: Type) -> bool {
                let i1 = context.i1_type();
                $make(context.type_kind(source), i1).is_some_and(|kind| kind == *context.type_kind(ty))
            }
        }
    };
}

of_vector!(
    /// The vector of predicates of `arm_sve` with all bits: its last dimension is `[16]`.
    AllPredicates,
    |kind: &TypeKind, _: Type| {
        let TypeKind::Vector {
            shape,
            scalable,
            element,
        } = kind
        else {
            return None;
        };
        let (mut shape, mut scalable) = (shape.to_vec(), scalable.to_vec());
        *shape.last_mut()? = 16;
        *scalable.last_mut()? = true;
        Some(TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element: *element,
        })
    }
);

of_vector!(
    /// The vector of one bit for each element of the first dimension.
    FirstDimensionMask,
    |kind: &TypeKind, i1: Type| {
        let TypeKind::Vector { shape, .. } = kind else {
            return None;
        };
        Some(TypeKind::Vector {
            shape: [*shape.first()?].into(),
            scalable: [false].into(),
            element: i1,
        })
    }
);

of_vector!(
    /// The integer with one bit for each element of the first dimension.
    FirstDimensionInteger,
    |kind: &TypeKind, _: Type| {
        let TypeKind::Vector { shape, .. } = kind else {
            return None;
        };
        Some(TypeKind::Integer {
            width: u32::try_from(*shape.first()?).ok()?,
            signedness: Signedness::Signless,
        })
    }
);

/// Declares a derivation of a fixed type, which does not depend on the source.
macro_rules! always {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name;

        impl Derivation for $name {
            const EXPECTED: &'static str = "expected a type";

            fn derive(context: &mut Context, _: Type) -> Option<Type> {
                let i32_type = context.i32_type();
                context.try_type($kind(i32_type)).ok()
            }

            fn is(context: &Context, ty: Type, _: Type) -> bool {
                *context.type_kind(ty) == $kind(context.i32_type())
            }
        }
    };
}

always!(
    /// `vector<4xi32>`, the type of buffer descriptors of `rocdl`.
    BufferResource,
    |element: Type| TypeKind::Vector {
        shape: [4].into(),
        scalable: [false].into(),
        element,
    }
);

always!(
    /// `i32`, the type of buffer offsets of `rocdl`.
    BufferOffset,
    |_: Type| TypeKind::Integer {
        width: 32,
        signedness: Signedness::Signless,
    }
);

/// The bit vector that has the widths of two together.
pub(crate) fn joined(context: &Context, source: &Source<'_>) -> Option<Vec<Made<Infallible>>> {
    let width = |ty: &Type| context.parameter(*ty, "width")?.integer();
    let widths = source.types.iter().map(width);
    let sum = widths.sum::<Option<i64>>()?;
    Some(vec![Made::Number("smt.bv".into(), "width".into(), sum)])
}

/// The range of values of a type.
pub(crate) fn range(context: &Context, source: &Source<'_>) -> Option<Vec<Made<Infallible>>> {
    match context.type_kind(*source.types.first()?) {
        TypeKind::Dialect { dialect, body } if context.bytes(*dialect) == b"pdl" => {
            let element = str::from_utf8(body.text()).ok()?;
            Some(vec![Made::Plain("pdl".into(), format!("range<{element}>"))])
        }
        _ => None,
    }
}

/// The type of pointers to which offsets are added: that of the pointers, or many of these if only
/// the offsets have a shape.
pub(crate) fn pointers(context: &Context, source: &Source<'_>) -> Option<Vec<Made<Infallible>>> {
    let &[base, offset] = source.types else {
        return None;
    };
    Some(vec![match context.shape(base).or(context.shape(offset)) {
        Some(_) if context.shape(base).is_none() => Made::Shaped(offset, base),
        _ => Made::Known(base),
    }])
}

/// The tile of the outer product of two vectors.
pub(crate) fn tile(context: &Context, source: &Source<'_>) -> Option<Vec<Made<Infallible>>> {
    match context.type_kind(*source.types.first()?) {
        TypeKind::Vector { shape, element, .. } => {
            Some(vec![Made::Tile(*shape.first()?, *element)])
        }
        _ => None,
    }
}
