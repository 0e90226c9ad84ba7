//! Keywords of the dialect's enumerations in the syntax of its operations.

use crate::function::property;
use crate::helpers::is_dialect_attribute;
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmParser, ParsedOperation};
use rmlir_ir::definition::{EnumCase, EnumDefinition};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Module, NamedAttribute, Operation};
use std::borrow::Cow;
use std::sync::Arc;

/// Applies a function to an enumeration of the dialect.
fn of_enum<T>(
    context: &Context,
    name: &str,
    take: impl FnOnce(&EnumDefinition) -> Option<T>,
) -> Option<T> {
    let dialect: Arc<_> = context.dialect(b"llvm")?;
    take(dialect.enumeration_in(name, context.release())?)
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

/// Returns a value of an enumeration as an attribute.
fn integer(context: &mut Context, width: u32, value: i64) -> Option<Attribute> {
    let ty = context.integer_type(width);
    context.wrapping_integer_attribute(ty, value).ok()
}

/// An attribute that the syntax of an operation expresses by a leading keyword, which can be
/// omitted.
#[derive(Debug)]
pub(super) struct Keyword {
    /// The name of the inherent attribute.
    pub(super) attribute: &'static str,
    /// The enumeration of the dialect.
    pub(super) enumeration: &'static str,
    /// The mnemonic of the dialect's attribute that holds the value; `None` if it is an integer.
    pub(super) mnemonic: Option<&'static str>,
    /// The keyword of the default.
    pub(super) default: &'static str,
    /// Whether the default is printed too.
    pub(super) always: bool,
}

/// The linkage of a symbol.
pub(super) static LINKAGE: Keyword = Keyword {
    attribute: "linkage",
    enumeration: "Linkage",
    mnemonic: Some("linkage"),
    default: "external",
    always: false,
};

/// The linkage of a symbol, printed even if it is the default.
pub(super) static SAID_LINKAGE: Keyword = Keyword {
    always: true,
    ..LINKAGE
};

/// The visibility of a symbol.
pub(super) static VISIBILITY: Keyword = Keyword {
    attribute: "visibility_",
    enumeration: "Visibility",
    mnemonic: None,
    default: "",
    always: false,
};

/// Whether the address of a symbol is significant.
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
    /// Reads the keyword, if one is next; returns its attribute, or the default.
    fn read(&'static self, parser: &mut dyn AsmParser) -> Option<Attribute> {
        // Most operations have none of the keywords. If no keyword is next, no lookup is needed.
        let said = parser.at_keyword().then(|| self.word(parser)).flatten();
        match (said, self.mnemonic) {
            (Some(case), Some(mnemonic)) => {
                let word = parser.attribute_of_word("llvm", mnemonic, &case.keyword);
                word.ok()
            }
            (Some(case), None) => of_enum(parser.context(), self.enumeration, |enumeration| {
                Some((enumeration.width, case.value))
            })
            .and_then(|(width, value)| integer(parser.context(), width, value)),
            (None, _) => parser.constant(self.enumeration, &|context| self.absent(context)),
        }
    }

    /// Consumes the keyword, if one is next.
    fn word(&self, parser: &mut dyn AsmParser) -> Option<EnumCase> {
        let context = parser.context();
        let dialect = context.dialect(b"llvm")?;
        let release = context.release();
        let mut cases = dialect
            .enumeration_in(self.enumeration, release)?
            .cases
            .iter();
        let is_there = |case: &&EnumCase| !case.keyword.is_empty() && parser.at(&case.keyword);
        let case = cases.find(is_there)?.clone();
        parser.eat(&case.keyword);
        Some(case)
    }

    /// Returns the attribute for an omitted keyword.
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
                    // The common default needs no lookup.
                    && (text == self.default
                        || self::value(context, self.enumeration, text).is_some());
                known.then_some(Cow::Borrowed(text))
            }
            _ => None,
        }
    }

    /// Returns the keyword to print for an attribute; `None` if it is omitted.
    fn said<'c>(&self, context: &'c Context, value: Attribute) -> Option<Cow<'c, str>> {
        let keyword = self.keyword(context, value)?;
        let said = !keyword.is_empty() && (self.always || keyword != self.default);
        said.then_some(keyword)
    }

    /// Returns whether the keyword expresses an attribute. As upstream, nothing is printed for an
    /// absent attribute.
    pub(super) fn fits(&self, context: &Context, value: Option<Attribute>) -> bool {
        value.is_none_or(|value| self.keyword(context, value).is_some())
    }

    /// Returns the attribute of an operation; `None` if the keyword does not express it.
    pub(super) fn of(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Option<Attribute>> {
        let value = module.attribute(context, operation, self.attribute);
        self.fits(context, value).then_some(value)
    }

    /// Sets the attribute.
    pub(super) fn set(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        value: Option<Attribute>,
    ) {
        if let Some(value) = value {
            property(parser, operation, self.attribute, value);
        }
    }
}

impl Asm<'_, '_> {
    /// The keyword of an attribute, which can be omitted; `after` is printed after it.
    pub(super) fn keyword(
        &mut self,
        keyword: &'static Keyword,
        value: &mut Option<Attribute>,
        after: &str,
    ) {
        match self {
            Asm::Parser(parser) => *value = keyword.read(&mut **parser),
            Asm::Printer(printer) => {
                let word = value.and_then(|value| keyword.said(printer.context(), value));
                if let Some(word) = word {
                    printer.text(&word);
                    printer.text(after);
                }
            }
        }
    }
}

/// Removes the floating-point flags if these are the default.
pub(super) fn remove_default_flags(context: &Context, attributes: &mut Vec<NamedAttribute>) {
    attributes.retain(|&(name, value)| {
        context.bytes(name) != b"fastmathFlags"
            || !is_dialect_attribute(context, value, "llvm", "fastmath<none>")
    });
}
