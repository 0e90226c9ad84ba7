//! Attributes that hold members of an enumeration in brackets, written without these.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{dialect_members, member_attribute};
use crate::two_way::{Asm, failure};
use rmlir_ir::Context;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::{EnumDefinition, ParameterKind};

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

impl Content {
    /// Returns the members as one text.
    fn joined(&self, separator: Option<&str>) -> String {
        let members = self.members.join(separator.unwrap_or_default().as_bytes());
        String::from_utf8_lossy(&members).into_owned()
    }
}

/// Calls `take` with the enumeration of an attribute, whose name has the dialect before a dot.
fn with_enumeration<T>(
    context: &Context,
    name: &str,
    take: impl FnOnce(&EnumDefinition) -> Option<T>,
) -> Option<T> {
    let (dialect, mnemonic) = name.split_once('.')?;
    let dialect = context.dialect(dialect.as_bytes())?;
    let number = context.release().number_in(dialect.family);
    let entry = dialect.attributes.entry(mnemonic.as_bytes(), number)?;
    match &entry.parameters.first()?.kind {
        ParameterKind::Enumeration { name, .. } => dialect.find_enumeration(context, name, take),
        _ => None,
    }
}

/// Returns the separator of the members of an attribute; `None` if it has one member.
fn separator(context: &Context, name: &str) -> Option<String> {
    with_enumeration(context, name, |of| {
        of.separator.as_deref().map(str::to_owned)
    })
}

impl Asm<'_, '_> {
    /// Reads or prints the keywords of members, with the separator between them. Without a
    /// separator, there is one member.
    pub(crate) fn members(
        &mut self,
        separator: Option<&str>,
        members: &mut Vec<Vec<u8>>,
    ) -> AsmResult<()> {
        let mut printed = std::mem::take(members).into_iter();
        loop {
            let mut member = printed.next().unwrap_or_default();
            self.any_keyword(&mut member)?;
            members.push(member);
            let Some(separator) = separator else {
                return Ok(());
            };
            if !self.is_there(separator.trim(), printed.len() > 0) {
                return Ok(());
            }
            self.token(separator.trim(), separator)?;
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
        let members: Vec<&str> = match separator(printed.context, name) {
            Some(separator) => members.split(&*separator).collect(),
            None => vec![members],
        };
        let members = members.into_iter();
        Some(Content {
            name: name.clone(),
            members: members.map(|member| member.as_bytes().to_vec()).collect(),
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        content.place = asm.place();
        if !asm.is_keyword_there(true) {
            return Err(failure(content.place, "expected valid keyword"));
        }
        let separator = separator(asm.context(), &content.name);
        asm.members(separator.as_deref(), &mut content.members)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (dialect, mnemonic) = content.name.split_once('.').unwrap_or_default();
        let place = content.place.unwrap_or_default();
        let context = parser.context();
        // Members in another order or several times are the same value, which has one text.
        let canonical = with_enumeration(context, &content.name, |of| {
            let members = content.joined(of.separator.as_deref());
            let Some(value) = of.value_of(&members) else {
                let known: Vec<&str> = of.cases.iter().map(|case| &*case.keyword).collect();
                let message = format!("expected one of {}, got '{members}'", known.join(", "));
                return Some(Err(AsmError::new(place, message)));
            };
            Some(Ok(of.text_of(value).unwrap_or(members)))
        });
        let members = canonical.unwrap_or_else(|| Ok(content.joined(None)))?;
        let made = member_attribute(context, dialect, mnemonic, &members);
        let made = made.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [attribute, ..] = arguments {
            *attribute = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}
