//! Directives for options by their names, and for words that are stored as numbers.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::{integer_of, numbers};
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, Context, Type};

/// The directive `use_aligned_alloc = true index_bitwidth = 32`: options of the type converter of
/// LLVM, one argument for each. A text that is read can have them in any order.
#[derive(Debug)]
pub(crate) struct TypeConverterOptions;

/// What the value of an option is.
#[derive(Clone, Copy)]
enum Kind {
    Flag,
    Number,
    String,
}

const OPTIONS: [(&str, Kind); 5] = [
    ("use_aligned_alloc", Kind::Flag),
    ("index_bitwidth", Kind::Number),
    ("use_generic_functions", Kind::Flag),
    ("use_bare_ptr_call_conv", Kind::Flag),
    ("data_layout", Kind::String),
];

impl Kind {
    fn is_of(self, context: &Context, value: Attribute) -> bool {
        match self {
            Kind::Flag => [false, true]
                .map(|flag| context.bool_attribute(flag))
                .contains(&value),
            Kind::Number => integer_of(context, context.i64_type(), Some(value)).is_some(),
            Kind::String => crate::func::is_plain_string(context, value),
        }
    }

    /// Returns the type that a value without one has.
    fn ty(self, context: &Context) -> Option<Type> {
        match self {
            Kind::Flag => Some(context.i1_type()),
            Kind::Number => Some(context.i64_type()),
            Kind::String => None,
        }
    }
}

impl TwoWayDirective for TypeConverterOptions {
    type Content = [Option<Attribute>; OPTIONS.len()];

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let mut values = [None; OPTIONS.len()];
        let arguments = printed.arguments.iter().map(PrintedArgument::attribute);
        for ((value, argument), (_, kind)) in values.iter_mut().zip(arguments).zip(OPTIONS) {
            if !argument.is_none_or(|argument| kind.is_of(printed.context, argument)) {
                return None;
            }
            *value = argument;
        }
        Some(values)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, values: &mut Self::Content) -> AsmResult<bool> {
        let printed: Vec<usize> = (0..OPTIONS.len())
            .filter(|&number| values.get(number).is_some_and(Option::is_some))
            .collect();
        let mut printed = printed.into_iter();
        let mut any = false;
        loop {
            let next = match asm {
                Asm::Parser(parser) => OPTIONS.iter().position(|(name, _)| parser.at(name)),
                Asm::Printer(_) => printed.next(),
            };
            let Some((value, (name, kind))) =
                next.and_then(|next| values.get_mut(next).zip(OPTIONS.get(next)))
            else {
                return Ok(any);
            };
            let is_duplicate = value.is_some();
            if any {
                asm.space(" ");
            }
            any = true;
            asm.token(name, name)?;
            if let (Asm::Parser(parser), true) = (&*asm, is_duplicate) {
                let message = format!("duplicate '{name}' option");
                return Err(AsmError::new(parser.place(), message));
            }
            asm.token("=", " = ")?;
            let ty = kind.ty(asm.context());
            let is_valid = |context: &Context, value| kind.is_of(context, value);
            let message = "invalid kind of attribute specified";
            asm.attribute_of_that(ty, &is_valid, message, value)?;
        }
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        values: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for (argument, value) in arguments.iter_mut().zip(values) {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(())
    }
}

/// The directive `[Equal, Multiple]` for an array of numbers, each of which is that of a word.
#[derive(Debug)]
pub(crate) struct TileAlignments;

const ALIGNMENTS: [&str; 3] = ["Unknown", "Multiple", "Equal"];

impl TwoWayDirective for TileAlignments {
    type Content = Vec<usize>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let Some(array) = printed.arguments.first()?.attribute() else {
            return Some(Vec::new());
        };
        let known = |number: i64| {
            let number = usize::try_from(number).ok()?;
            (number < ALIGNMENTS.len()).then_some(number)
        };
        let numbers = numbers(printed.context, Some(array))?;
        numbers.into_iter().map(known).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.list(("[", "]"), content, |asm, number| {
            let place = asm.place();
            let word = ALIGNMENTS.get(*number).copied().unwrap_or_default();
            let mut word = word.as_bytes().to_vec();
            asm.any_keyword(&mut word)?;
            let known = ALIGNMENTS.iter().position(|known| known.as_bytes() == word);
            *number = known.ok_or_else(|| {
                let word = String::from_utf8_lossy(&word);
                let known = "expected one of 'Unknown', 'Multiple' or 'Equal'";
                failure(place, format!("{known}, but got '{word}'"))
            })?;
            Ok(())
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument] = arguments {
            let numbers = content.into_iter();
            let numbers = numbers.filter_map(|number| i64::try_from(number).ok());
            let numbers: Vec<i64> = numbers.collect();
            let array = parser.context().i64_array_attribute(numbers);
            *argument = ParsedArgument::Attribute(Some(array));
        }
        Ok(())
    }
}
