//! Directives that dialects of CIRCT share: attributes that are left out, types that follow from
//! others.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::dialect_attribute;
use crate::two_way::{Asm, invalid, items, one_type, plain_string};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Context, NamedAttribute, Type};

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

impl TwoWayDirective for Keyword {
    /// The index of the word that is written, if one is.
    type Content = Option<usize>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        let word = self.word(printed.context, attribute)?;
        Some((word > 0).then_some(word))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, word: &mut Self::Content) -> AsmResult<bool> {
        asm.following_choice(self.words, word);
        Ok(word.is_some())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        word: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let word = self.words.get(word.unwrap_or_default());
        let body = self.body(word.copied().unwrap_or_default());
        let made = dialect_attribute(parser.context(), self.dialect, &body);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made.map_err(invalid(Some(place)))?));
        }
        Ok(())
    }
}

/// The directive of two types of which the second is left out if it is the first.
#[derive(Debug)]
pub(crate) struct OptionalSecondType;

impl TwoWayDirective for OptionalSecondType {
    /// The first type, and the second one if it differs.
    type Content = (Option<Type>, Option<Type>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [first, second] = printed.arguments else {
            return None;
        };
        let (&[first], &[second]) = (first.types(), second.types()) else {
            return None;
        };
        Some((Some(first), (second != first).then_some(second)))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (first, second): &mut Self::Content) -> AsmResult<bool> {
        asm.ty(first)?;
        let mut differs = second.is_some();
        asm.optional(",", ", ", &mut differs);
        if differs {
            asm.ty(second)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        (first, second): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [to_first, to_second] = arguments {
            *to_first = one_type(first);
            *to_second = one_type(second.or(first));
        }
        Ok(())
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
            Absent::Lists => items(context, Some(value))
                .is_some_and(|lists| lists.iter().all(|&list| Absent::List.is(context, list))),
        }
    }

    /// Returns the value of the operation that is read.
    fn value(self, parser: &mut dyn AsmParser) -> Attribute {
        let mut results = 0usize;
        if let Absent::Lists = self {
            while parser.result_name(results).is_some() {
                results = results.saturating_add(1);
            }
        }
        let context = parser.context();
        let empty = context.array_attribute(&[]);
        match self {
            Absent::Text => context.string_attribute(""),
            Absent::List => empty,
            Absent::Lists => context.array_attribute(&vec![empty; results]),
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

impl TwoWayDirective for Dictionary {
    type Content = Vec<NamedAttribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (context, module, operation) = (printed.context, printed.module, printed.operation);
        let [PrintedArgument::Dictionary(attributes)] = printed.arguments else {
            return None;
        };
        for &(name, absent) in self.left_out {
            let value = module.attribute(context, operation, name)?;
            if let Absent::Lists = absent
                && absent.is(context, value)
                && items(context, Some(value))?.len() != module.result_count(operation)
            {
                return None;
            }
        }
        let mut attributes = match self.all_but {
            [] => attributes.clone(),
            names => crate::two_way::other_attributes(context, module, operation, names),
        };
        attributes.retain(|&(name, value)| {
            let name = context.bytes(name);
            let mut left_out = self.left_out.iter();
            let absent = left_out.find(|(left_out, _)| left_out.as_bytes() == name);
            absent.is_none_or(|(_, absent)| !absent.is(context, value))
        });
        Some(attributes)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, attributes: &mut Self::Content) -> AsmResult<bool> {
        match self.keyword {
            true => asm.dictionary_with_keyword(attributes)?,
            false => asm.dictionary(attributes)?,
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        mut attributes: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for &(name, absent) in self.left_out {
            let name = parser.name(name);
            if !attributes.iter().any(|entry| entry.0 == name) {
                attributes.push((name, absent.value(parser)));
            }
        }
        if let [argument] = arguments {
            *argument = ParsedArgument::Dictionary(attributes);
        }
        Ok(())
    }
}
