//! Directives that dialects of CIRCT share: attributes that are left out, types that follow from
//! others.

use crate::helpers::dialect_attribute;
use crate::two_way::{items, plain_string};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation};

/// The directive of a word that is left out if it is the first: the attribute
/// `#DIALECT<MNEMONIC WORD>`.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) dialect: &'static str,
    pub(crate) mnemonic: &'static str,
    /// The words; the first one is not printed.
    pub(crate) words: &'static [&'static str],
}

impl Keyword {
    fn body(&self, word: &str) -> String {
        format!("{} {word}", self.mnemonic)
    }

    fn word(&self, context: &Context, attribute: Option<Attribute>) -> Option<usize> {
        let attribute = attribute?;
        self.words.iter().position(|word| {
            crate::helpers::is_dialect_attribute(context, attribute, self.dialect, &self.body(word))
        })
    }
}

impl DirectiveSyntax for Keyword {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let found = self.words.iter().find(|word| parser.eat(word));
        let word = found.or(self.words.first()).copied().unwrap_or_default();
        let made = dialect_attribute(parser.context(), self.dialect, &self.body(word));
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made));
        }
        Ok(found.is_some())
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        match self.word(printer.context(), attribute) {
            None | Some(0) => {}
            Some(at) => {
                printer.text(" ");
                printer.text(self.words.get(at).copied().unwrap_or_default());
            }
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let attribute = arguments.first().and_then(PrintedArgument::attribute);
        self.word(context, attribute).is_some()
    }
}

/// The directive of two types of which the second is left out if it is the first.
#[derive(Debug)]
pub(crate) struct OptionalSecondType;

impl DirectiveSyntax for OptionalSecondType {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let first = parser.ty()?;
        let second = if parser.eat(",") { parser.ty()? } else { first };
        if let [to_first, to_second] = arguments {
            *to_first = ParsedArgument::Types(vec![first]);
            *to_second = ParsedArgument::Types(vec![second]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [first, second] = arguments {
            printer.types(first.types().iter().copied());
            if first.types() != second.types() {
                printer.text(", ");
                printer.types(second.types().iter().copied());
            }
        }
    }
}

/// The value of an attribute that a dictionary need not have.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Absent {
    /// `""`.
    Text,
    /// `[]`.
    List,
    /// A list with `[]` for each result.
    Lists,
}

impl Absent {
    fn is(self, context: &Context, value: Attribute) -> bool {
        match self {
            Absent::Text => plain_string(context, Some(value)).is_some_and(<[u8]>::is_empty),
            Absent::List => items(context, Some(value)).is_some_and(<[_]>::is_empty),
            Absent::Lists => items(context, Some(value)).is_some_and(|lists| {
                lists
                    .iter()
                    .all(|&list| items(context, Some(list)).is_some_and(<[_]>::is_empty))
            }),
        }
    }
}

/// The directive of a dictionary of attributes, some of which are left out if they are empty.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// Whether the word `attributes` precedes it.
    pub(crate) keyword: bool,
    pub(crate) left_out: &'static [(&'static str, Absent)],
    /// If there are any, all attributes of the operation but these are shown, also those that have
    /// their default.
    pub(crate) all_but: &'static [&'static str],
}

impl DirectiveSyntax for Dictionary {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut attributes = match self.keyword {
            true => parser.attribute_dictionary_with_keyword()?,
            false => parser.attribute_dictionary()?,
        };
        for &(name, absent) in self.left_out {
            let name = parser.name(name);
            if attributes.iter().any(|entry| entry.0 == name) {
                continue;
            }
            let mut results = 0usize;
            while parser.result_name(results).is_some() {
                results = results.saturating_add(1);
            }
            let context = parser.context();
            let empty = context.array_attribute(&[]);
            attributes.push((
                name,
                match absent {
                    Absent::Text => context.string_attribute(""),
                    Absent::List => empty,
                    Absent::Lists => context.array_attribute(&vec![empty; results]),
                },
            ));
        }
        if let [argument] = arguments {
            *argument = ParsedArgument::Dictionary(attributes);
        }
        Ok(true)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    ) {
        let [PrintedArgument::Dictionary(attributes)] = arguments else {
            return;
        };
        let context = printer.context();
        let all = match self.all_but {
            [] => attributes.clone(),
            names => crate::two_way::other_attributes(context, printer.module(), operation, names),
        };
        let attributes = &all;
        let is_shown = |&(name, value): &NamedAttribute| {
            let name = context.bytes(name);
            let mut left_out = self.left_out.iter();
            let absent = left_out.find(|(left_out, _)| left_out.as_bytes() == name);
            absent.is_none_or(|(_, absent)| !absent.is(context, value))
        };
        let shown: Vec<NamedAttribute> = attributes.iter().copied().filter(is_shown).collect();
        match self.keyword {
            true => printer.attribute_dictionary_with_keyword(&shown, &[]),
            false => printer.attribute_dictionary(&shown, &[]),
        }
    }

    fn can_print(
        &self,
        context: &Context,
        (module, operation): (&Module, Operation),
        _: &[PrintedArgument],
    ) -> bool {
        self.left_out.iter().all(|&(name, absent)| {
            let value = module.attribute(context, operation, name);
            let results = module.result_count(operation);
            value.is_some_and(|value| match absent {
                Absent::Lists if absent.is(context, value) => {
                    items(context, Some(value)).is_some_and(|lists| lists.len() == results)
                }
                _ => true,
            })
        })
    }
}
