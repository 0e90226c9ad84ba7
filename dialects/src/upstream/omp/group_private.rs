//! The clause `dyn_groupprivate`: the size of memory of a group of threads, and its modifiers.

use super::case;
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, other_arguments};
use crate::two_way::{Asm, failure};
use rmlir_ir::Attribute;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};

/// The directive `cgroup, fallback(abort), %size : type`, whose parts a text that is read can have
/// in any order.
#[derive(Debug)]
pub(crate) struct GroupPrivate;

const ACCESS: Case = case("AccessGroupModifier", "access_group_modifier");
const FALLBACK: Case = case("FallbackModifier", "fallback_modifier");

/// A part of [`GroupPrivate`].
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    Access,
    Fallback,
    #[default]
    Size,
}

/// The parsed parts of [`GroupPrivate`].
#[derive(Default)]
pub(crate) struct GroupContent {
    access: Option<Attribute>,
    fallback: Option<Attribute>,
    size: Option<TypedName>,
}

impl GroupContent {
    fn has(&self, part: Part) -> bool {
        match part {
            Part::Access => self.access.is_some(),
            Part::Fallback => self.fallback.is_some(),
            Part::Size => self.size.is_some(),
        }
    }
}

impl TwoWayDirective for GroupPrivate {
    type Content = GroupContent;

    fn content(&self, printed: &Printed<'_>) -> Option<GroupContent> {
        let [access, fallback, size, types] = printed.arguments else {
            return None;
        };
        let (access, fallback) = (access.attribute(), fallback.attribute());
        let size = TypedName::all(size, types)?;
        let context = printed.context;
        let fits = ACCESS.fits(context, access) && FALLBACK.fits(context, fallback);
        fits.then(|| GroupContent {
            access,
            fallback,
            size: size.first().copied(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut GroupContent) -> AsmResult<bool> {
        let mut parts = vec![Part::Access, Part::Fallback, Part::Size];
        parts.retain(|&part| content.has(part));
        asm.items(&mut parts, |asm, part| {
            if let Asm::Parser(parser) = asm {
                *part = match (parser.at("cgroup"), parser.at("fallback")) {
                    (true, _) => Part::Access,
                    (_, true) => Part::Fallback,
                    _ => Part::Size,
                };
            }
            let is_repeated = asm.place().is_some() && content.has(*part);
            // The position of an error follows the word or value that is wrong.
            let once = |asm: &mut Asm<'_, '_>, part: &str| match is_repeated {
                true => Err(failure(asm.place(), format!("duplicate {part}"))),
                false => Ok(()),
            };
            match part {
                Part::Access => {
                    asm.case(&ACCESS, &mut content.access)?;
                    once(asm, "access group modifier")
                }
                Part::Fallback => {
                    asm.token("fallback", "fallback")?;
                    once(asm, "fallback modifier")?;
                    asm.token("(", "(")?;
                    let read = asm.case(&FALLBACK, &mut content.fallback);
                    read.map_err(|error| match asm.place() {
                        Some(place) => error.moved_to(place),
                        None => error,
                    })?;
                    asm.token(")", ")")
                }
                Part::Size => {
                    let size = content.size.get_or_insert_default();
                    asm.value(&mut size.name)?;
                    once(asm, "size operand")?;
                    asm.token(":", " : ")?;
                    asm.ty(&mut size.ty)
                }
            }
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: GroupContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [access, fallback, size, types] = arguments else {
            return Err(other_arguments(parser));
        };
        *access = ParsedArgument::Attribute(content.access);
        *fallback = ParsedArgument::Attribute(content.fallback);
        TypedName::set(content.size, size, types);
        Ok(())
    }
}
