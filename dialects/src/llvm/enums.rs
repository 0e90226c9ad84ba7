//! Keywords of the dialect's enumerations in the syntax of its operations.

use crate::function::property;
use rmlir_ir::asm::{AsmParser, ParsedOperation};
use rmlir_ir::definition::{EnumCase, EnumDefinition};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Module, NamedAttribute, Operation};
use std::borrow::Cow;
use std::sync::Arc;

/// Something of an enumeration of the dialect.
fn of_enum<T>(
    context: &Context,
    name: &str,
    take: impl FnOnce(&EnumDefinition) -> Option<T>,
) -> Option<T> {
    let dialect: Arc<_> = context.dialect(b"llvm")?;
    take(dialect.enumeration(name)?)
}

/// Returns the value of a keyword of an enumeration.
pub(super) fn value(context: &Context, name: &str, keyword: &str) -> Option<u64> {
    of_enum(context, name, |enumeration| {
        let mut cases = enumeration.cases.iter();
        let case = cases.find(|case| case.keyword == keyword)?;
        u64::try_from(case.value).ok()
    })
}

/// Returns the keyword of a value of an enumeration.
pub(super) fn keyword(context: &Context, name: &str, value: u64) -> Option<String> {
    of_enum(context, name, |enumeration| {
        let mut cases = enumeration.cases.iter();
        let case = cases.find(|case| u64::try_from(case.value) == Ok(value))?;
        Some(case.keyword.to_string())
    })
}

/// A value of an enumeration as an attribute.
fn integer(context: &mut Context, width: u32, value: i64) -> Option<Attribute> {
    let ty = context.integer_type(width);
    context.wrapping_integer_attribute(ty, value).ok()
}

/// An attribute of an operation that its syntax says by a keyword before all others, or not at all.
#[derive(Debug)]
pub(super) struct Keyword {
    /// The inherent attribute.
    pub(super) attribute: &'static str,
    /// The enumeration of the dialect.
    pub(super) enumeration: &'static str,
    /// The attribute of the dialect that holds it; none if it is an integer.
    pub(super) mnemonic: Option<&'static str>,
    /// The keyword that stands for none.
    pub(super) default: &'static str,
    /// Whether that is printed as well.
    pub(super) always: bool,
}

/// How a symbol is linked.
pub(super) static LINKAGE: Keyword = Keyword {
    attribute: "linkage",
    enumeration: "Linkage",
    mnemonic: Some("linkage"),
    default: "external",
    always: false,
};

/// The same where it is always said.
pub(super) static SAID_LINKAGE: Keyword = Keyword {
    always: true,
    ..LINKAGE
};

/// From where a symbol is seen.
pub(super) static VISIBILITY: Keyword = Keyword {
    attribute: "visibility_",
    enumeration: "Visibility",
    mnemonic: None,
    default: "",
    always: false,
};

/// Whether a symbol's address matters.
pub(super) static UNNAMED_ADDR: Keyword = Keyword {
    attribute: "unnamed_addr",
    enumeration: "UnnamedAddr",
    mnemonic: None,
    default: "",
    always: false,
};

/// The calling convention.
pub(super) static CONVENTION: Keyword = Keyword {
    attribute: "CConv",
    enumeration: "CConv",
    mnemonic: Some("cconv"),
    default: "ccc",
    always: false,
};

/// The kind of a tail call.
pub(super) static TAIL_CALL: Keyword = Keyword {
    attribute: "TailCallKind",
    enumeration: "TailCallKind",
    mnemonic: Some("tailcallkind"),
    default: "none",
    always: false,
};

impl Keyword {
    /// Reads the keyword, if one is next, and sets the attribute, else to the default.
    pub(super) fn parse(
        &'static self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) {
        // Most operations have none of the keywords: what is next is no word then, and nothing is
        // to be looked up.
        let said = parser.at_keyword().then(|| self.word(parser)).flatten();
        let value = match (said, self.mnemonic) {
            (Some(case), Some(mnemonic)) => {
                let word = parser.attribute_of_word("llvm", mnemonic, &case.keyword);
                word.ok()
            }
            (Some(case), None) => of_enum(parser.context(), self.enumeration, |enumeration| {
                Some((enumeration.width, case.value))
            })
            .and_then(|(width, value)| integer(parser.context(), width, value)),
            (None, _) => parser.constant(self.enumeration, &|context| self.absent(context)),
        };
        if let Some(value) = value {
            property(parser, operation, self.attribute, value);
        }
    }

    /// Passes over the keyword that is next.
    fn word(&self, parser: &mut dyn AsmParser) -> Option<EnumCase> {
        let dialect = parser.context().dialect(b"llvm")?;
        let mut cases = dialect.enumeration(self.enumeration)?.cases.iter();
        let is_there = |case: &&EnumCase| !case.keyword.is_empty() && parser.at(&case.keyword);
        let case = cases.find(is_there)?.clone();
        parser.eat(&case.keyword);
        Some(case)
    }

    /// What the absence of a keyword means.
    fn absent(&self, context: &mut Context) -> Option<Attribute> {
        let Some(mnemonic) = self.mnemonic else {
            let (width, value) = of_enum(context, self.enumeration, |enumeration| {
                let mut cases = enumeration.cases.iter();
                let case = cases.find(|case| case.keyword == self.default)?;
                Some((enumeration.width, case.value))
            })?;
            return integer(context, width, value);
        };
        let body = [mnemonic, "<", self.default, ">"].concat();
        let kind = AttributeKind::Dialect {
            dialect: context.identifier("llvm"),
            body: DialectBody::from_text(body.as_bytes()),
            ty: None,
        };
        context.try_attribute(kind).ok()
    }

    /// Returns the keyword of an attribute, if it is of the enumeration.
    fn keyword<'c>(&self, context: &'c Context, value: Attribute) -> Option<Cow<'c, str>> {
        match (self.mnemonic, context.attribute_kind(value)) {
            (None, AttributeKind::Integer { value, .. }) => {
                let value = u64::try_from(value.to_i64()?).ok()?;
                keyword(context, self.enumeration, value).map(Cow::Owned)
            }
            (Some(mnemonic), AttributeKind::Dialect { dialect, body, .. }) => {
                let text = body.text().strip_prefix(mnemonic.as_bytes())?;
                let text = text.strip_prefix(b"<")?.strip_suffix(b">")?;
                let text = std::str::from_utf8(text).ok()?;
                let known = context.bytes(*dialect) == b"llvm"
                    && body.references().is_empty()
                    // The default, which most have, need not be looked for.
                    && (text == self.default
                        || self::value(context, self.enumeration, text).is_some());
                known.then_some(Cow::Borrowed(text))
            }
            _ => None,
        }
    }

    /// What an operation has, if it is said.
    pub(super) fn said<'c>(
        &self,
        context: &'c Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Cow<'c, str>> {
        let value = module.attribute(context, operation, self.attribute)?;
        let keyword = self.keyword(context, value)?;
        let said = !keyword.is_empty() && (self.always || keyword != self.default);
        said.then_some(keyword)
    }

    /// Returns whether an operation's attribute can be said so. As upstream, one that is not there
    /// is not said.
    pub(super) fn can_print(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> bool {
        let value = module.attribute(context, operation, self.attribute);
        value.is_none_or(|value| self.keyword(context, value).is_some())
    }
}

/// Attributes without the flags of floating-point arithmetic, if those say nothing.
pub(super) fn without_default_flags(
    context: &Context,
    attributes: Cow<'_, [NamedAttribute]>,
) -> Vec<NamedAttribute> {
    let is_default = |entry: &NamedAttribute| {
        context.bytes(entry.0) == b"fastmathFlags"
            && matches!(
                context.attribute_kind(entry.1),
                AttributeKind::Dialect { dialect, body, ty: None }
                    if context.bytes(*dialect) == b"llvm" && body.text() == b"fastmath<none>"
            )
    };
    let left = attributes.iter().filter(|entry| !is_default(entry));
    left.copied().collect()
}
