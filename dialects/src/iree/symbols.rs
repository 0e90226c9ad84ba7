//! Directives for symbols of IREE's dialects: visibility, names by which they are exported, and
//! references to several of them.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::function::VISIBILITIES;
use crate::two_way::{Asm, failure, items, plain_string};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier};

/// Returns the index of a visibility, if it is not absent; `None` if the attribute is not one.
pub(super) fn visibility_of(
    context: &Context,
    attribute: Option<Attribute>,
) -> Option<Option<usize>> {
    if attribute.is_none() {
        return Some(None);
    }
    let text = plain_string(context, attribute)?;
    let mut known = VISIBILITIES.iter();
    known.position(|known| known.as_bytes() == text).map(Some)
}

/// Returns the attribute for the index of a visibility.
pub(super) fn visibility(context: &mut Context, index: Option<usize>) -> Option<Attribute> {
    let text = index.and_then(|index| VISIBILITIES.get(index))?;
    Some(context.string_attribute(text))
}

impl Asm<'_, '_> {
    /// A visibility by its index, which is printed as `public` if it is absent.
    pub(super) fn visibility(&mut self, visibility: &mut Option<usize>) {
        match self {
            Asm::Parser(parser) => {
                *visibility = VISIBILITIES.iter().position(|word| parser.eat(word));
            }
            Asm::Printer(printer) => {
                let word = VISIBILITIES.get(visibility.unwrap_or(0));
                printer.text(word.copied().unwrap_or_default());
            }
        }
    }
}

/// The directive for a visibility, which is printed as `public` if it is absent.
#[derive(Debug)]
pub(crate) struct SymbolVisibility;

impl TwoWayDirective for SymbolVisibility {
    type Content = Option<usize>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        visibility_of(printed.context, printed.arguments.first()?.attribute())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.visibility(content);
        Ok(content.is_some())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [argument] = arguments else {
            return Err(other_arguments(parser));
        };
        *argument = ParsedArgument::Attribute(visibility(parser.context(), content));
        Ok(())
    }
}

/// A function and the name by which it is exported: `@f`, `@f as("name")`.
#[derive(Default)]
pub(crate) struct Reference {
    pub(super) function: Option<Attribute>,
    has_name: bool,
    name: Option<Attribute>,
}

impl Reference {
    /// Returns what is to be printed; `None` if the attributes are of other kinds.
    pub(super) fn of(context: &Context, function: Attribute, name: Attribute) -> Option<Self> {
        let symbol = context.bytes(flat_symbol(context, Some(function))?);
        let text = plain_string(context, Some(name))?;
        Some(Reference {
            function: Some(function),
            has_name: symbol != text,
            name: Some(name),
        })
    }

    pub(super) fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        let place = asm.place();
        asm.attribute(&mut self.function)?;
        if flat_symbol(asm.context(), self.function).is_none() {
            return Err(failure(place, "expected a flat symbol reference"));
        }
        asm.optional("as", " as", &mut self.has_name);
        if self.has_name {
            asm.token("(", "(")?;
            asm.attribute(&mut self.name)?;
            asm.token(")", ")")?;
        }
        Ok(())
    }

    /// Returns the name that was read.
    pub(super) fn name(&self, context: &mut Context) -> Option<Attribute> {
        if self.has_name {
            return self.name;
        }
        let symbol = flat_symbol(context, self.function)?;
        Some(context.string_attribute_of(symbol))
    }
}

/// Returns the name in a reference to a symbol that is not nested.
pub(super) fn flat_symbol(context: &Context, reference: Option<Attribute>) -> Option<Identifier> {
    match context.attribute_kind(reference?) {
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => Some(*root),
        _ => None,
    }
}

/// The directive for a [`Reference`]. Its arguments are the name and the function.
#[derive(Debug)]
pub(crate) struct SymbolAlias;

impl TwoWayDirective for SymbolAlias {
    type Content = Reference;

    fn content(&self, printed: &Printed<'_>) -> Option<Reference> {
        let [name, function] = printed.arguments else {
            return None;
        };
        Reference::of(printed.context, function.attribute()?, name.attribute()?)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Reference) -> AsmResult<bool> {
        content.text(asm)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Reference,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [name, function] = arguments else {
            return Err(other_arguments(parser));
        };
        *name = ParsedArgument::Attribute(content.name(parser.context()));
        *function = ParsedArgument::Attribute(content.function);
        Ok(())
    }
}

/// The directive for an array of references to symbols: `@a`, `{@a, @b}`.
#[derive(Debug)]
pub(crate) struct EntryPoints;

impl TwoWayDirective for EntryPoints {
    type Content = Vec<Option<Attribute>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let points = items(printed.context, printed.arguments.first()?.attribute())?;
        let reference = |&point: &Attribute| match printed.context.attribute_kind(point) {
            AttributeKind::SymbolRef { .. } => Some(Some(point)),
            _ => None,
        };
        points.iter().map(reference).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.one_or_list(("{", "}"), content, |asm, point| asm.attribute(point))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [points] = arguments else {
            return Err(other_arguments(parser));
        };
        let all: Vec<Attribute> = content.into_iter().flatten().collect();
        *points = ParsedArgument::Attribute(Some(parser.context().array_attribute(&all)));
        Ok(())
    }
}
