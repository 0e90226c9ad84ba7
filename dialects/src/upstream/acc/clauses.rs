//! Clauses with a keyword alone or operands, and the control of loops.

use super::COMBINED;
use crate::directive::{Printed, TwoWayDirective, TypedName, other_arguments};
use crate::helpers::{check_count, entry_arguments, is_unit, region_arguments};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Type};

/// The values `%a, %b : type, type`.
pub(crate) fn values(asm: &mut Asm<'_, '_>, all: &mut Vec<TypedName>) -> AsmResult<()> {
    asm.items(all, |asm, one| asm.value(&mut one.name))?;
    asm.token(":", " : ")?;
    let mut types: Vec<Option<Type>> = all.iter().map(|one| one.ty).collect();
    let place = asm.place();
    if place.is_some() {
        types.clear();
    }
    asm.items(&mut types, |asm, ty| asm.ty(ty))?;
    if let Some(place) = place {
        check_count(all.len(), types.len(), place)?;
    }
    for (one, ty) in all.iter_mut().zip(types) {
        one.ty = ty;
    }
    Ok(())
}

/// The directive of operands `(%a, %b : type, type)`, or of an attribute that tells that the text
/// has none.
#[derive(Debug)]
pub(crate) struct KeywordOnly;

impl TwoWayDirective for KeywordOnly {
    type Content = Vec<TypedName>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operands, types, only] = printed.arguments else {
            return None;
        };
        let (operands, only) = (TypedName::all(operands, types)?, only.attribute());
        (is_unit(printed.context, only) && only.is_some() == operands.is_empty())
            .then_some(operands)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there("(", !content.is_empty()) {
            asm.token("(", "(")?;
            values(asm, content)?;
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [operands, types, only] = arguments {
            let unit = parser.context().unit_attribute();
            *only = ParsedArgument::Attribute(content.is_empty().then_some(unit));
            TypedName::set(content, operands, types);
        }
        Ok(())
    }
}

/// The directive `control(%i : type) = (%a : type) to (%b : type) step (%c : type)` and of the
/// region; nothing if the region has no arguments.
#[derive(Debug)]
pub(crate) struct LoopControl;

impl TwoWayDirective for LoopControl {
    /// The arguments of the region, and the bounds.
    type Content = [Vec<TypedName>; 4];

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [
            PrintedArgument::Region { number, .. },
            a,
            of_a,
            b,
            of_b,
            c,
            of_c,
        ] = printed.arguments
        else {
            return None;
        };
        let module = printed.module;
        let variables = entry_arguments(module, printed.operation, *number);
        let variables: Vec<TypedName> = variables
            .into_iter()
            .map(|value| TypedName {
                name: crate::two_way::Named::of(value),
                ty: Some(module.value_type(value)),
            })
            .collect();
        let bounds = [(a, of_a), (b, of_b), (c, of_c)];
        let [a, b, c] = bounds.map(|(operands, types)| TypedName::all(operands, types));
        let content = [variables, a?, b?, c?];
        let count = content.first().map_or(0, Vec::len);
        content
            .iter()
            .all(|list| list.len() == count)
            .then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let [variables, lower, upper, steps] = content;
        if !asm.is_there("control", !variables.is_empty()) {
            return Ok(true);
        }
        asm.token("control", "control")?;
        asm.token("(", "(")?;
        asm.items(variables, |asm, one| asm.typed(one, " : "))?;
        asm.token(")", ")")?;
        asm.token("=", " = ")?;
        asm.token("(", "(")?;
        values(asm, lower)?;
        asm.token(")", ")")?;
        asm.token("to", " to ")?;
        asm.token("(", "(")?;
        values(asm, upper)?;
        asm.token(")", ")")?;
        asm.token("step", "  step ")?;
        asm.token("(", "(")?;
        values(asm, steps)?;
        asm.token(")", ") ")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        [variables, lower, upper, steps]: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        for bounds in [&lower, &upper, &steps] {
            if bounds.len() != variables.len() {
                let message = format!("expected {} operands", variables.len());
                return Err(AsmError::new(place, message));
            }
        }
        let [
            ParsedArgument::Region { arguments, .. },
            a,
            of_a,
            b,
            of_b,
            c,
            of_c,
        ] = arguments
        else {
            return Err(other_arguments(parser));
        };
        let (names, types): (Vec<_>, Vec<_>) = variables
            .iter()
            .filter_map(|one| one.name.name.zip(one.ty))
            .unzip();
        *arguments = Some(region_arguments(&names, &types));
        TypedName::set(lower, a, of_a);
        TypedName::set(upper, b, of_b);
        TypedName::set(steps, c, of_c);
        Ok(())
    }
}

/// The directive ` combined(parallel)` before LLVM 21, or nothing.
#[derive(Debug)]
pub(crate) struct Combined;

impl TwoWayDirective for Combined {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        COMBINED
            .fits(printed.context, attribute)
            .then_some(attribute)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there("combined", content.is_some()) {
            asm.token("combined", "combined")?;
            asm.token("(", "(")?;
            asm.case(&COMBINED, content)?;
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [attribute] = arguments {
            *attribute = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}
