//! The clause `linear`: values with steps, and the arguments of the region for them.

use super::case;
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, items_of, other_arguments};
use crate::helpers::is_unit;
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Value};

/// The words before a value.
const WORDS: [&str; 3] = ["val", "ref", "uval"];
const MODIFIER: Case = case("LinearModifier", "linear_modifier");

/// How a value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// `%value = %step : type`, until LLVM 22.
    #[default]
    Old,
    /// `val(%value : type = %step : type)`.
    Plain,
    /// `val(@symbol %value -> %argument : type = %step : type)`.
    OfRegion,
}

/// A value of the clause.
#[derive(Clone, Copy, Default)]
pub(crate) struct Item {
    modifier: Option<Attribute>,
    symbol: Option<Attribute>,
    pub(super) value: TypedName,
    pub(super) argument: Named,
    step: TypedName,
}

impl Item {
    fn text(&mut self, asm: &mut Asm<'_, '_>, form: Form) -> AsmResult<()> {
        let modified = form != Form::Old
            && match asm {
                Asm::Parser(parser) => WORDS.iter().any(|word| parser.at(word)),
                Asm::Printer(_) => self.modifier.is_some(),
            };
        if modified {
            asm.case(&MODIFIER, &mut self.modifier)?;
            asm.token("(", "(")?;
        }
        if form == Form::OfRegion {
            asm.reference(&mut self.symbol)?;
            asm.space(" ");
        }
        asm.value(&mut self.value.name)?;
        if form == Form::Old {
            asm.token("=", " = ")?;
            asm.value(&mut self.step.name)?;
            asm.token(":", " : ")?;
            return asm.ty(&mut self.value.ty);
        }
        if form == Form::OfRegion {
            asm.token("->", " -> ")?;
            asm.value(&mut self.argument)?;
        }
        asm.token(":", " : ")?;
        asm.ty(&mut self.value.ty)?;
        asm.token("=", " = ")?;
        asm.typed(&mut self.step, " : ")?;
        match modified {
            true => asm.token(")", ")"),
            false => Ok(()),
        }
    }
}

/// Returns the values with their steps; `None` if a text would lose something.
fn items(
    context: &Context,
    [values, steps]: [Vec<TypedName>; 2],
    modifiers: Option<Attribute>,
) -> Option<Vec<Item>> {
    let modifiers = items_of(context, modifiers, values.len())?;
    let mut items = Vec::with_capacity(values.len());
    for ((value, step), modifier) in values.into_iter().zip(steps).zip(modifiers) {
        // A value without a word has a unit in the list.
        let modifier = Some(modifier).filter(|_| !is_unit(context, Some(modifier)));
        if !MODIFIER.fits(context, modifier) {
            return None;
        }
        items.push(Item {
            modifier,
            value,
            step,
            ..Item::default()
        });
    }
    Some(items)
}

/// Returns the list of modifiers.
fn modifiers(context: &mut Context, items: &[Item]) -> ParsedArgument {
    let unit = context.unit_attribute();
    let all: Vec<Attribute> = items.iter().map(|i| i.modifier.unwrap_or(unit)).collect();
    ParsedArgument::Attribute(Some(context.array_attribute(&all)))
}

/// The directive for a list of values. Its arguments are the values, their types and the steps; in
/// newer releases, the types of steps, the modifiers, and the symbols, which this text does not
/// have.
#[derive(Debug)]
pub(crate) struct Linear;

/// Returns the form of a directive with this number of arguments.
fn form(arguments: usize) -> Form {
    match arguments {
        3 => Form::Old,
        _ => Form::Plain,
    }
}

impl TwoWayDirective for Linear {
    type Content = (Form, Vec<Item>);

    fn given(&self, arguments: &[ParsedArgument]) -> Self::Content {
        (form(arguments.len()), Vec::new())
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types, steps, rest @ ..] = printed.arguments else {
            return None;
        };
        let values = TypedName::all(values, types)?;
        let form = form(printed.arguments.len());
        let (steps, modifiers) = match rest {
            [] => (TypedName::untyped(steps), None),
            [types, modifiers, symbols @ ..] => {
                let mut symbols = symbols.iter().map(PrintedArgument::attribute);
                if symbols.any(|symbol| symbol.is_some()) {
                    return None;
                }
                (TypedName::all(steps, types)?, modifiers.attribute())
            }
            _ => return None,
        };
        if steps.len() != values.len() || values.is_empty() && modifiers.is_some() {
            return None;
        }
        if form == Form::Old {
            let pairs = values.into_iter().zip(steps);
            let item = |(value, step)| Item {
                value,
                step,
                ..Item::default()
            };
            return Some((form, pairs.map(item).collect()));
        }
        Some((form, items(printed.context, [values, steps], modifiers)?))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (form, items): &mut Self::Content) -> AsmResult<bool> {
        asm.items(items, |asm, item| item.text(asm, *form))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (_, items): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [values, types, steps, rest @ ..] = arguments else {
            return Err(other_arguments(parser));
        };
        TypedName::set(items.iter().map(|item| item.value), values, types);
        let of_steps = items.iter().map(|item| item.step);
        if let [types, of_modifiers, ..] = rest {
            *of_modifiers = modifiers(parser.context(), &items);
            TypedName::set(of_steps, steps, types);
        } else {
            *steps = TypedName::operands(of_steps);
        }
        Ok(())
    }
}

/// The clause `linear(...) linear_var_types([type])` before a region.
#[derive(Default)]
pub(crate) struct OfRegion {
    pub(super) items: Vec<Item>,
    types: Option<Attribute>,
}

/// The number of a directive's arguments for this clause: values, types, steps, their types, the
/// types of variables, modifiers and symbols.
pub(super) const ARGUMENTS: usize = 7;

impl OfRegion {
    /// Returns what the text has; `arguments` are those of the region.
    pub(super) fn content(
        context: &Context,
        module: &Module,
        clause: &[PrintedArgument],
        arguments: &[Value],
    ) -> Option<Self> {
        let [
            values,
            value_types,
            steps,
            step_types,
            types,
            modifiers,
            symbols,
        ] = clause
        else {
            return None;
        };
        let types = types.attribute();
        let (modifiers, symbols) = (modifiers.attribute(), symbols.attribute());
        let values = TypedName::all(values, value_types)?;
        let steps = TypedName::all(steps, step_types)?;
        let count = values.len();
        let is_empty = [types, modifiers, symbols] == [None; 3];
        if steps.len() != count || arguments.len() != count || count == 0 && !is_empty {
            return None;
        }
        let symbols = items_of(context, symbols, count)?;
        let mut items = items(context, [values, steps], modifiers)?;
        for ((item, symbol), &argument) in items.iter_mut().zip(symbols).zip(arguments) {
            if item.value.ty != Some(module.value_type(argument)) {
                return None;
            }
            item.symbol = Some(symbol);
            item.argument = Named::of(argument);
        }
        types
            .is_none_or(|types| is_array(context, types))
            .then_some(OfRegion { items, types })
    }

    pub(super) fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if !asm.is_there("linear", !self.items.is_empty()) {
            return Ok(());
        }
        asm.token("linear", "linear")?;
        asm.token("(", "(")?;
        asm.items(&mut self.items, |asm, item| item.text(asm, Form::OfRegion))?;
        asm.token(")", ") ")?;
        if asm.is_there("linear_var_types", self.types.is_some()) {
            asm.token("linear_var_types", "linear_var_types")?;
            asm.token("(", "(")?;
            let message = "invalid kind of attribute specified";
            asm.attribute_that(is_array, message, &mut self.types)?;
            asm.token(")", ") ")?;
        }
        Ok(())
    }

    pub(super) fn build(self, parser: &mut dyn AsmParser, clause: &mut [ParsedArgument]) {
        if self.items.is_empty() {
            return;
        }
        if let [
            values,
            value_types,
            steps,
            step_types,
            types,
            of_modifiers,
            symbols,
        ] = clause
        {
            let items = &self.items;
            TypedName::set(items.iter().map(|item| item.value), values, value_types);
            TypedName::set(items.iter().map(|item| item.step), steps, step_types);
            let context = parser.context();
            *types = ParsedArgument::Attribute(self.types);
            *of_modifiers = modifiers(context, items);
            let all: Vec<Attribute> = items.iter().filter_map(|item| item.symbol).collect();
            *symbols = ParsedArgument::Attribute(Some(context.array_attribute(&all)));
        }
    }
}

fn is_array(context: &Context, attribute: Attribute) -> bool {
    matches!(context.attribute_kind(attribute), AttributeKind::Array(_))
}
