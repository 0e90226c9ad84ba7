//! Attributes that hold members of an enumeration in angle brackets, written without these.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dialect_attribute, dialect_members};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};

/// `enum($attribute)` of LLVM 24. The second argument is the attribute's dialect, a dot and its
/// mnemonic: `wmma` of `#nvvm.shape<wmma>` for `"nvvm.shape"`.
#[derive(Debug)]
pub(crate) struct Members;

/// The name of an attribute, and its members as they are written.
#[derive(Default)]
pub(crate) struct Content {
    name: String,
    place: Option<usize>,
    members: Vec<Vec<u8>>,
}

/// Between members of an attribute that can have several.
const SEPARATOR: &str = "|";

impl Asm<'_, '_> {
    /// Keywords of members with [`SEPARATOR`] between them.
    pub(crate) fn members(&mut self, members: &mut Vec<Vec<u8>>) -> AsmResult<()> {
        let mut printed = std::mem::take(members).into_iter();
        loop {
            let mut member = printed.next().unwrap_or_default();
            self.any_keyword(&mut member)?;
            members.push(member);
            if !self.is_there(SEPARATOR, printed.len() > 0) {
                return Ok(());
            }
            self.token(SEPARATOR, SEPARATOR)?;
        }
    }
}

impl TwoWayDirective for Members {
    type Content = Content;

    fn given(&self, arguments: &[ParsedArgument]) -> Content {
        let name = match arguments {
            [_, ParsedArgument::Text(name)] => name.clone(),
            _ => String::new(),
        };
        Content {
            name,
            ..Content::default()
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let [attribute, PrintedArgument::Text(name)] = printed.arguments else {
            return None;
        };
        let (dialect, mnemonic) = name.split_once('.')?;
        let members = dialect_members(printed.context, dialect, attribute.attribute(), mnemonic)?;
        let members = members.split(SEPARATOR);
        Some(Content {
            members: members.map(|member| member.as_bytes().to_vec()).collect(),
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        content.place = asm.place();
        if !asm.is_keyword_there(true) {
            return Err(failure(content.place, "expected valid keyword"));
        }
        asm.members(&mut content.members)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (dialect, mnemonic) = content.name.split_once('.').unwrap_or_default();
        let members = content.members.join(SEPARATOR.as_bytes());
        let members = String::from_utf8_lossy(&members);
        let made = dialect_attribute(parser.context(), dialect, &format!("{mnemonic}<{members}>"));
        let made = made.map_err(|invalid| {
            let place = content.place.unwrap_or_default();
            AsmError::new(place, invalid.message())
        })?;
        if let [attribute, ..] = arguments {
            *attribute = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}
