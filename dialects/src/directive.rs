//! Directives of formats whose syntax is stated once: one function reads the text or writes it,
//! and the content that it reads or writes is converted to the directive's arguments and back.

use crate::helpers::{dialect_members, member_attribute, member_value};
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Operation, Type};
use std::fmt;

/// The arguments of a directive that is printed.
#[derive(Clone, Copy)]
pub(crate) struct Printed<'a> {
    pub(crate) context: &'a Context,
    pub(crate) module: &'a Module,
    pub(crate) operation: Operation,
    pub(crate) arguments: &'a [PrintedArgument],
}

/// The syntax of a directive, stated once.
pub(crate) trait TwoWayDirective: fmt::Debug + Send + Sync {
    /// The parsed parts of the text.
    type Content: Default;

    /// Returns the content before a text is read, with what the arguments that are given before,
    /// such as literal texts of the format, determine.
    fn given(&self, arguments: &[ParsedArgument]) -> Self::Content {
        let _ = arguments;
        Self::Content::default()
    }

    /// Returns what the text of the arguments has; `None` if the text would lose something.
    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content>;

    /// The text. Returns whether it has anything.
    ///
    /// # Errors
    ///
    /// If a text that is read does not match.
    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool>;

    /// Sets the arguments.
    ///
    /// # Errors
    ///
    /// If the content is not that of the arguments.
    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()>;

    /// Whether the text omits the following region if the region has no blocks.
    const OMITS_EMPTY_REGION: bool = true;

    /// Whether the following region always shows its terminators.
    fn shows_terminators(&self) -> bool {
        false
    }
}

/// The syntax of a directive as a hook.
#[derive(Debug)]
pub(crate) struct Directive<T>(pub(crate) T);

impl<T: TwoWayDirective> Directive<T> {
    /// Returns the content of arguments. Compiled once for each syntax, as is the text.
    #[inline(never)]
    fn content(&self, printed: &Printed<'_>) -> Option<T::Content> {
        self.0.content(printed)
    }

    #[inline(never)]
    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut T::Content) -> AsmResult<bool> {
        self.0.text(asm, content)
    }
}

impl<T: TwoWayDirective> DirectiveSyntax for Directive<T> {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut content = self.0.given(arguments);
        let there = self.text(&mut Asm::Parser(parser), &mut content)?;
        self.0.build(parser, content, arguments)?;
        Ok(there)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let printed = Printed {
            context: printer.context(),
            module: printer.module(),
            operation,
            arguments,
        };
        if let Some(mut content) = self.content(&printed) {
            // Printing does not fail.
            let _ = self.text(&mut Asm::Printer(printer), &mut content);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let printed = Printed {
            context,
            module,
            operation,
            arguments,
        };
        self.content(&printed).is_some()
    }

    fn omits_empty_region(&self) -> bool {
        T::OMITS_EMPTY_REGION
    }

    fn shows_terminators(&self) -> bool {
        self.0.shows_terminators()
    }
}

/// An attribute of a dialect that holds a case of an enumeration, and is written as its keyword.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) dialect: &'static str,
    pub(crate) enumeration: &'static str,
    /// The mnemonic of the attribute.
    pub(crate) mnemonic: &'static str,
    /// What follows the keyword in the name of the case.
    pub(crate) ending: &'static str,
}

impl Case {
    /// Returns the attribute that a keyword denotes; `None` if the enumeration has no such case.
    pub(crate) fn attribute(&self, context: &mut Context, word: &str) -> Option<Attribute> {
        let member = format!("{word}{}", self.ending);
        member_value(context, (self.dialect, self.enumeration), &member)?;
        member_attribute(context, self.dialect, self.mnemonic, &member).ok()
    }

    /// Returns the keyword of an attribute; `None` if it is not one of these.
    pub(crate) fn word<'c>(&self, context: &'c Context, attribute: Attribute) -> Option<&'c str> {
        let member = dialect_members(context, self.dialect, Some(attribute), self.mnemonic)?;
        member.strip_suffix(self.ending)
    }

    /// Returns whether an attribute is absent or one of these.
    pub(crate) fn fits(&self, context: &Context, attribute: Option<Attribute>) -> bool {
        attribute.is_none_or(|attribute| self.word(context, attribute).is_some())
    }
}

/// The directive for an attribute as the keyword of a case.
#[derive(Debug)]
pub(crate) struct Word(pub(crate) Case);

impl TwoWayDirective for Word {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        (attribute.is_some() && self.0.fits(printed.context, attribute)).then_some(attribute)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.case(&self.0, content)?;
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

impl Asm<'_, '_> {
    /// The keyword of a case; present when printing.
    pub(crate) fn case(&mut self, case: &Case, attribute: &mut Option<Attribute>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let place = parser.place();
                let word = parser.optional_keyword();
                let word = word.map(|word| parser.context().str(word).into_owned());
                let Some(word) = word else {
                    return Err(AsmError::new(place, "expected valid keyword"));
                };
                let made = case.attribute(parser.context(), &word);
                let made = made.ok_or_else(|| {
                    AsmError::new(place, format!("invalid clause value: '{word}'"))
                })?;
                *attribute = Some(made);
            }
            Asm::Printer(printer) => {
                let word = attribute.and_then(|one| case.word(printer.context(), one));
                printer.text(word.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// `%name : type`.
    pub(crate) fn typed(&mut self, typed: &mut TypedName, colon: &str) -> AsmResult<()> {
        self.value(&mut typed.name)?;
        self.token(":", colon)?;
        self.ty(&mut typed.ty)
    }
}

/// A value with its type.
#[derive(Clone, Copy, Default)]
pub(crate) struct TypedName {
    pub(crate) name: Named,
    pub(crate) ty: Option<Type>,
}

impl TypedName {
    /// Returns the operands of an argument with their types; `None` if these are not as many.
    pub(crate) fn all(operands: &PrintedArgument, types: &PrintedArgument) -> Option<Vec<Self>> {
        let (operands, types) = (operands.operands(), types.types());
        let pairs = operands.iter().zip(types);
        let pairs = pairs.map(|(&value, &ty)| TypedName {
            name: Named::of(value),
            ty: Some(ty),
        });
        (operands.len() == types.len()).then(|| pairs.collect())
    }

    /// Returns the operands of an argument that has no types.
    pub(crate) fn untyped(operands: &PrintedArgument) -> Vec<Self> {
        let operands = operands.operands().iter();
        let named = operands.map(|&value| TypedName {
            name: Named::of(value),
            ty: None,
        });
        named.collect()
    }

    /// Returns the argument of operands whose types are not written.
    pub(crate) fn operands(all: impl IntoIterator<Item = Self>) -> ParsedArgument {
        let names = all.into_iter().filter_map(|one| one.name.name);
        ParsedArgument::Operands(names.collect())
    }

    /// Sets the arguments of operands and their types.
    pub(crate) fn set(
        all: impl IntoIterator<Item = Self>,
        operands: &mut ParsedArgument,
        types: &mut ParsedArgument,
    ) {
        let (names, of): (Vec<Option<OperandName>>, Vec<Option<Type>>) =
            all.into_iter().map(|one| (one.name.name, one.ty)).unzip();
        *operands = ParsedArgument::Operands(names.into_iter().flatten().collect());
        *types = ParsedArgument::Types(of.into_iter().flatten().collect());
    }
}

/// Returns the error of a format that gives a directive other arguments.
pub(crate) fn other_arguments(parser: &mut dyn AsmParser) -> AsmError {
    AsmError::new(parser.place(), "the directive has other arguments")
}

/// Returns the items of an array that is absent if there are none; `None` if there are not
/// exactly `count`.
pub(crate) fn items_of(
    context: &Context,
    attribute: Option<Attribute>,
    count: usize,
) -> Option<Vec<Attribute>> {
    let items = match attribute.map(|attribute| context.attribute_kind(attribute)) {
        None => Vec::new(),
        Some(AttributeKind::Array(items)) => items.to_vec(),
        Some(_) => return None,
    };
    (items.len() == count).then_some(items)
}
