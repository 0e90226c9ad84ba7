//! Clauses whose values are arguments of the region that follows: `private(@p %x -> %a : type)`.

use super::case;
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, items_of};
use crate::helpers::{entry_arguments, is_unit, region_arguments};
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Type, Value};

/// A clause of [`Arguments`]. The arguments of the directive are those of its parts, in this order:
/// modifier, operands, their types, flags, symbols, barrier, numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clause {
    word: &'static str,
    /// Whether it can begin with `mod: word, `.
    modifier: bool,
    /// Whether each value can have the word `byref`.
    flags: bool,
    /// Whether each value has a symbol.
    symbols: bool,
    /// Whether `private_barrier` can follow.
    barrier: bool,
    /// Whether `[map_idx=N]` can follow each value.
    numbers: bool,
}

impl Clause {
    const fn new(word: &'static str) -> Self {
        Clause {
            word,
            modifier: false,
            flags: false,
            symbols: false,
            barrier: false,
            numbers: false,
        }
    }

    const fn of_recipes(word: &'static str, modifier: bool) -> Self {
        Clause {
            modifier,
            flags: true,
            symbols: true,
            ..Self::new(word)
        }
    }

    const fn private(numbers: bool) -> Self {
        Clause {
            symbols: true,
            barrier: true,
            numbers,
            ..Self::new("private")
        }
    }

    /// Returns the number of the directive's arguments.
    fn count(&self) -> usize {
        let optional = [
            self.modifier,
            self.flags,
            self.symbols,
            self.barrier,
            self.numbers,
        ];
        2usize.saturating_add(optional.iter().filter(|there| **there).count())
    }
}

const PRIVATE: Clause = Clause::private(false);
const IN_REDUCTION: Clause = Clause::of_recipes("in_reduction", false);
const REDUCTION: Clause = Clause::of_recipes("reduction", true);

/// The directive for the clauses with arguments of the region, and for the region. Its arguments
/// are the region and those of the clauses.
#[derive(Debug)]
pub(crate) struct Arguments(&'static [Clause]);

/// The directives, by the clauses that they have.
pub(crate) const PRIVATE_REGION: Arguments = Arguments(&[PRIVATE]);
pub(crate) const PRIVATE_REDUCTION_REGION: Arguments = Arguments(&[PRIVATE, REDUCTION]);
pub(crate) const IN_REDUCTION_PRIVATE_REGION: Arguments = Arguments(&[IN_REDUCTION, PRIVATE]);
pub(crate) const IN_REDUCTION_PRIVATE_REDUCTION_REGION: Arguments =
    Arguments(&[IN_REDUCTION, PRIVATE, REDUCTION]);
pub(crate) const TASK_REDUCTION_REGION: Arguments =
    Arguments(&[Clause::of_recipes("task_reduction", false)]);
pub(crate) const DEVICE_REGION: Arguments = Arguments(&[
    Clause::new("use_device_addr"),
    Clause::new("use_device_ptr"),
]);
pub(crate) const TARGET_REGION: Arguments = Arguments(&[
    Clause::new("has_device_addr"),
    Clause::new("host_eval"),
    IN_REDUCTION,
    Clause::new("map_entries"),
    Clause::private(true),
]);

/// The words of [`Clause::modifier`].
const MODIFIER: Case = case("ReductionModifier", ("reduction_modifier(", ")"));

/// A value of a clause.
#[derive(Default)]
struct Item {
    by_reference: bool,
    symbol: Option<Attribute>,
    operand: TypedName,
    argument: Named,
    number: i64,
}

/// The parsed parts of a clause.
#[derive(Default)]
pub(crate) struct Found {
    modifier: Option<Attribute>,
    items: Vec<Item>,
    barrier: bool,
}

/// Returns one flag for each value; without the attribute, all are false.
fn flags(context: &Context, attribute: Option<Attribute>, count: usize) -> Option<Vec<bool>> {
    let Some(attribute) = attribute else {
        return Some(vec![false; count]);
    };
    let AttributeKind::DenseArray { data, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let flags: Vec<bool> = data.iter().map(|&byte| byte != 0).collect();
    (flags.len() == count).then_some(flags)
}

/// Returns the attribute of flags.
fn flags_attribute(context: &mut Context, flags: impl Iterator<Item = bool>) -> Option<Attribute> {
    let data: Box<[u8]> = flags.map(u8::from).collect();
    let kind = AttributeKind::DenseArray {
        element: context.i1_type(),
        length: data.len(),
        data,
    };
    context.try_attribute(kind).ok()
}

impl Clause {
    /// Returns what the text has; `values` are the arguments of the region.
    fn content(
        &self,
        context: &Context,
        module: &Module,
        arguments: &[PrintedArgument],
        values: &[Value],
    ) -> Option<Found> {
        let mut arguments = arguments.iter();
        let modifier = match self.modifier {
            true => arguments.next()?.attribute(),
            false => None,
        };
        let operands = TypedName::all(arguments.next()?, arguments.next()?)?;
        let mut optional = |there: bool| match there {
            true => arguments.next().and_then(PrintedArgument::attribute),
            false => None,
        };
        let (by_reference, symbols) = (optional(self.flags), optional(self.symbols));
        let (barrier, numbers) = (optional(self.barrier), optional(self.numbers));
        let count = operands.len();
        // A text without values has neither of these, and one with values has all.
        let has = |there: bool, attribute: Option<Attribute>| !there || attribute.is_some();
        let is_whole = match count {
            0 => [modifier, by_reference, symbols, barrier, numbers] == [None; 5],
            _ => {
                has(self.flags, by_reference)
                    && has(self.symbols, symbols)
                    && has(self.numbers, numbers)
            }
        };
        if !is_whole || !MODIFIER.fits(context, modifier) || !is_unit(context, barrier) {
            return None;
        }
        let symbols = match self.symbols {
            true => items_of(context, symbols, count)?,
            false => Vec::new(),
        };
        let numbers = match numbers {
            Some(numbers) => context.i64_array(numbers)?.collect(),
            None => vec![-1; count],
        };
        let by_reference = flags(context, by_reference, count)?;
        if numbers.len() != count || values.len() != count {
            return None;
        }
        let mut symbols = symbols.into_iter();
        let mut items = Vec::with_capacity(count);
        let of_values = operands.into_iter().zip(values);
        for ((operand, &value), (number, by_reference)) in
            of_values.zip(numbers.into_iter().zip(by_reference))
        {
            if operand.ty != Some(module.value_type(value)) {
                return None;
            }
            items.push(Item {
                by_reference,
                symbol: symbols.next(),
                operand,
                argument: Named::of(value),
                number,
            });
        }
        Some(Found {
            modifier,
            items,
            barrier: barrier.is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, found: &mut Found) -> AsmResult<()> {
        if !asm.is_there(self.word, !found.items.is_empty()) {
            return Ok(());
        }
        asm.token(self.word, self.word)?;
        asm.token("(", "(")?;
        if self.modifier && asm.is_there("mod", found.modifier.is_some()) {
            asm.token("mod", "mod")?;
            asm.token(":", ": ")?;
            asm.case(&MODIFIER, &mut found.modifier)?;
            asm.token(",", ", ")?;
        }
        asm.items(&mut found.items, |asm, item| {
            if self.flags {
                asm.optional("byref", "byref ", &mut item.by_reference);
            }
            if self.symbols {
                asm.attribute(&mut item.symbol)?;
                asm.space(" ");
            }
            asm.value(&mut item.operand.name)?;
            asm.token("->", " -> ")?;
            asm.value(&mut item.argument)?;
            if !self.numbers {
                return Ok(());
            }
            if !asm.is_there("[", item.number != -1) {
                item.number = -1;
                return Ok(());
            }
            asm.token("[", " [")?;
            asm.token("map_idx", "map_idx")?;
            asm.token("=", "=")?;
            asm.integer(&mut item.number)?;
            asm.token("]", "]")
        })?;
        asm.token(":", " : ")?;
        let mut types: Vec<Option<Type>> = found.items.iter().map(|item| item.operand.ty).collect();
        let place = asm.place();
        if let Asm::Parser(_) = asm {
            types.clear();
        }
        asm.items(&mut types, |asm, ty| asm.ty(ty))?;
        if let Some(place) = place {
            crate::helpers::check_count(found.items.len(), types.len(), place)?;
        }
        for (item, ty) in found.items.iter_mut().zip(types) {
            item.operand.ty = ty;
        }
        asm.token(")", ") ")?;
        if self.barrier {
            asm.optional("private_barrier", "private_barrier ", &mut found.barrier);
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        found: Found,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if found.items.is_empty() {
            return Ok(());
        }
        let items = &found.items;
        let context = parser.context();
        let (mut operands, mut types) = (
            ParsedArgument::Operands(Vec::new()),
            ParsedArgument::Types(Vec::new()),
        );
        TypedName::set(
            items.iter().map(|item| item.operand),
            &mut operands,
            &mut types,
        );
        let mut values = Vec::with_capacity(self.count());
        if self.modifier {
            values.push(ParsedArgument::Attribute(found.modifier));
        }
        values.extend([operands, types]);
        if self.flags {
            let flags = items.iter().map(|item| item.by_reference);
            values.push(ParsedArgument::Attribute(flags_attribute(context, flags)));
        }
        if self.symbols {
            let symbols: Vec<Attribute> = items.iter().filter_map(|item| item.symbol).collect();
            let symbols = context.array_attribute(&symbols);
            values.push(ParsedArgument::Attribute(Some(symbols)));
        }
        if self.barrier {
            let barrier = found.barrier.then(|| context.unit_attribute());
            values.push(ParsedArgument::Attribute(barrier));
        }
        if self.numbers {
            let numbers = context.i64_array_attribute(items.iter().map(|item| item.number));
            values.push(ParsedArgument::Attribute(Some(numbers)));
        }
        for (argument, value) in arguments.iter_mut().zip(values) {
            *argument = value;
        }
        Ok(())
    }
}

impl TwoWayDirective for Arguments {
    type Content = Vec<Found>;

    const OMITS_EMPTY_REGION: bool = false;

    fn content(&self, printed: &Printed<'_>) -> Option<Vec<Found>> {
        let (PrintedArgument::Region { number, .. }, mut rest) = printed.arguments.split_first()?
        else {
            return None;
        };
        let values = entry_arguments(printed.module, printed.operation, *number);
        let mut values = values.as_slice();
        let mut all = Vec::with_capacity(self.0.len());
        for clause in self.0 {
            let (arguments, others) = rest.split_at_checked(clause.count())?;
            let operands = arguments.get(usize::from(clause.modifier))?.operands();
            let (own, later) = values.split_at_checked(operands.len())?;
            all.push(clause.content(printed.context, printed.module, arguments, own)?);
            (rest, values) = (others, later);
        }
        values.is_empty().then_some(all)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Vec<Found>) -> AsmResult<bool> {
        content.resize_with(self.0.len(), Found::default);
        for (clause, found) in self.0.iter().zip(content) {
            clause.text(asm, found)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Vec<Found>,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let items = content.iter().flat_map(|found| &found.items);
        let (names, types): (Vec<_>, Vec<_>) = items
            .filter_map(|item| item.argument.name.zip(item.operand.ty))
            .unzip();
        let Some((ParsedArgument::Region { arguments, .. }, mut rest)) =
            arguments.split_first_mut()
        else {
            return Err(AsmError::new(parser.place(), "expected a region"));
        };
        *arguments = Some(region_arguments(&names, &types));
        for (clause, found) in self.0.iter().zip(content) {
            let (own, others) = rest
                .split_at_mut_checked(clause.count())
                .unwrap_or_default();
            clause.build(parser, found, own)?;
            rest = others;
        }
        Ok(())
    }
}
