//! Variables: `varPtr(%x : type) varType(type)` and `accPtr(%x : type)`.

use crate::directive::{Printed, TwoWayDirective, TypedName};
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

/// Returns whether a type implements `PointerLikeType`, and the type that it points to if it
/// states that.
fn pointee(context: &Context, ty: Type) -> Option<Option<Type>> {
    match context.type_kind(ty) {
        TypeKind::MemRef { element, .. } => Some(Some(*element)),
        TypeKind::UnrankedMemRef { element, .. } => Some(Some(*element)),
        TypeKind::Dialect { dialect, body } => {
            let is_pointer = context.bytes(*dialect) == b"llvm" && body.mnemonic() == b"ptr";
            is_pointer.then_some(None)
        }
        _ => None,
    }
}

/// The directive `varPtr(%x` or `var(%x`; the directive of the type closes it.
#[derive(Debug)]
pub(crate) struct Var;

/// Reads or writes one of two words: that of pointers, or that of other variables.
fn word(
    asm: &mut Asm<'_, '_>,
    (of_pointer, other): (&str, &str),
    is_pointer: bool,
) -> AsmResult<()> {
    let token = match asm.is_there(of_pointer, is_pointer) {
        true => of_pointer,
        false => other,
    };
    asm.token(token, token)?;
    asm.token("(", "(")
}

impl TwoWayDirective for Var {
    /// The value, and whether it is a pointer.
    type Content = (Named, bool);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let &[value] = printed.arguments.first()?.operands() else {
            return None;
        };
        let ty = printed.module.value_type(value);
        Some((Named::of(value), pointee(printed.context, ty).is_some()))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (value, is_pointer): &mut Self::Content,
    ) -> AsmResult<bool> {
        word(asm, ("varPtr", "var"), *is_pointer)?;
        asm.value(value)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        (value, _): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument] = arguments {
            *argument = ParsedArgument::Operands(value.name.into_iter().collect());
        }
        Ok(())
    }
}

/// The directive `accPtr(%x : type)` or `accVar(%x : type)`.
#[derive(Debug)]
pub(crate) struct AccVar;

impl TwoWayDirective for AccVar {
    /// The value, and whether it is a pointer.
    type Content = (TypedName, bool);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [value, types] = printed.arguments else {
            return None;
        };
        let value = TypedName::all(value, types)?.first().copied()?;
        let is_pointer = pointee(printed.context, value.ty?).is_some();
        Some((value, is_pointer))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (value, is_pointer): &mut Self::Content,
    ) -> AsmResult<bool> {
        word(asm, ("accPtr", "accVar"), *is_pointer)?;
        asm.typed(value, " : ")?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        (value, _): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [operands, types] = arguments {
            TypedName::set([value], operands, types);
        }
        Ok(())
    }
}

/// The directive `type) varType(type)`: the type of a variable, and the type that it points to,
/// which is left out if the former states it.
#[derive(Debug)]
pub(crate) struct VarType;

/// Returns the type that is left out.
fn implied(context: &Context, ty: Type) -> Option<Type> {
    match pointee(context, ty) {
        Some(pointee) => pointee,
        None => Some(ty),
    }
}

impl TwoWayDirective for VarType {
    /// The type, and the type that it points to.
    type Content = (Option<Type>, Option<Type>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [types, of_variable] = printed.arguments else {
            return None;
        };
        let &[ty] = types.types() else {
            return None;
        };
        let variable: Attribute = of_variable.attribute()?;
        match *printed.context.attribute_kind(variable) {
            AttributeKind::Type(variable) => {
                let is_shown = implied(printed.context, ty) != Some(variable);
                Some((Some(ty), is_shown.then_some(variable)))
            }
            _ => None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (ty, variable): &mut Self::Content) -> AsmResult<bool> {
        asm.ty(ty)?;
        asm.token(")", ")")?;
        if asm.is_there("varType", variable.is_some()) {
            asm.token("varType", " varType")?;
            asm.token("(", "(")?;
            asm.ty(variable)?;
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (ty, variable): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let implied = ty.and_then(|ty| implied(parser.context(), ty));
        let Some(variable) = variable.or(implied) else {
            let message = "expected 'varType': the type of the pointer does not state it";
            return Err(AsmError::new(place, message));
        };
        if let [types, of_variable] = arguments {
            *types = ParsedArgument::Types(ty.into_iter().collect());
            let variable = parser.context().type_attribute(variable);
            *of_variable = ParsedArgument::Attribute(Some(variable));
        }
        Ok(())
    }
}
