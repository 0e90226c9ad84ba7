//! Hooks of the `rocdl` dialect.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::dialect_attribute;
use crate::two_way::Asm;
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{AttributeKind, Signedness, TypeKind};

/// The directive for a cache policy: an unsigned number for an `i32`, or the members of an
/// attribute after its generation, `gfx942<sc0|nt>` for `#rocdl<gfx942_cache_policy sc0|nt>`.
#[derive(Debug)]
pub(crate) struct CachePolicy;

/// The ends of the mnemonics.
const POLICY: &str = "_cache_policy";

/// The parsed parts of [`CachePolicy`].
#[derive(Default)]
pub(crate) struct Content {
    place: Option<usize>,
    number: Option<ApInt>,
    generation: Vec<u8>,
    members: Vec<Vec<u8>>,
}

impl TwoWayDirective for CachePolicy {
    type Content = Content;

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let context = printed.context;
        let attribute = printed.arguments.first()?.attribute()?;
        match context.attribute_kind(attribute) {
            AttributeKind::Integer { ty, value } => match context.type_kind(*ty) {
                TypeKind::Integer {
                    width: 32,
                    signedness: Signedness::Signless,
                } => Some(Content {
                    number: Some(value.zext(u64::BITS)),
                    ..Content::default()
                }),
                _ => None,
            },
            AttributeKind::Dialect {
                dialect,
                body,
                ty: None,
            } if context.bytes(*dialect) == b"rocdl" => {
                let text = std::str::from_utf8(body.text()).ok()?;
                let (mnemonic, members) = text.split_once(' ')?;
                let generation = mnemonic.strip_suffix(POLICY)?;
                let members = members.split('|');
                Some(Content {
                    generation: generation.as_bytes().to_vec(),
                    members: members.map(|member| member.as_bytes().to_vec()).collect(),
                    ..Content::default()
                })
            }
            _ => None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        content.place = asm.place();
        if !asm.is_keyword_there(content.number.is_none()) {
            asm.big_integer(&mut content.number)?;
            return Ok(true);
        }
        asm.any_keyword(&mut content.generation)?;
        asm.token("<", "<")?;
        asm.members(Some("|"), &mut content.members)?;
        asm.token(">", ">")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = content.place.unwrap_or_default();
        let made = match content.number {
            Some(number) => {
                let large = || AsmError::new(place, "integer value too large");
                let number = number
                    .to_u64()
                    .and_then(|number| u32::try_from(number).ok());
                let number = number.ok_or_else(large)?;
                let ty = parser.context().integer_type(u32::BITS);
                let made = parser
                    .context()
                    .integer_attribute(ty, i64::from(number.cast_signed()));
                made.map_err(|invalid| AsmError::new(place, invalid.message()))?
            }
            None => {
                let generation = String::from_utf8_lossy(&content.generation);
                let members = content.members.join(&b'|');
                let members = String::from_utf8_lossy(&members);
                let text = format!("{generation}{POLICY} {members}");
                let made = dialect_attribute(parser.context(), "rocdl", &text);
                made.map_err(|invalid| AsmError::new(place, invalid.message()))?
            }
        };
        if let [attribute] = arguments {
            *attribute = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}
