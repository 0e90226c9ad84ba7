//! Clauses whose values are arguments of the region that follows: `private(@p %x -> %a : type)`.

use super::case;
use super::linear::{self, OfRegion};
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, items_of};
use crate::helpers::{entry_arguments, is_unit, region_arguments};
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, Type, Value};

/// Where the types of a clause's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// After all values: `@s %x -> %a, @t %y -> %b : type, type`.
    Last,
    /// After each value, as before LLVM 20: `@s %x -> %a : type, @t %y -> %b : type`.
    Each,
    /// After each value, with an arrow after the symbol: `@s -> %x : type, @t -> %y : type`.
    Arrow,
}

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
    /// Whether the values are arguments of the region.
    has_arguments: bool,
    /// Whether a text can have the arguments, although the clause does not.
    may_have_arguments: bool,
    /// Whether newer releases do not have the clause in the directive.
    is_older: bool,
    layout: Layout,
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
            has_arguments: true,
            may_have_arguments: false,
            is_older: false,
            layout: Layout::Last,
        }
    }

    /// Returns the clause as before LLVM 20, without `private_barrier`.
    const fn with_layout(self, layout: Layout) -> Self {
        Clause {
            barrier: false,
            layout,
            ..self
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
const OLDER_REDUCTION: Clause = Clause::of_recipes("reduction", false).with_layout(Layout::Each);
const OLDER_PRIVATE: Clause = PRIVATE.with_layout(Layout::Each);

/// The directive for the clauses with arguments of the region, and for the region. Its arguments
/// are the region and those of the clauses.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// Whether the clause `linear` is before the others.
    linear: bool,
    clauses: &'static [Clause],
}

const fn arguments(clauses: &'static [Clause]) -> Arguments {
    Arguments {
        linear: false,
        clauses,
    }
}

/// The directives, by the clauses that they have.
pub(crate) const PRIVATE_REGION: Arguments = arguments(&[PRIVATE]);
pub(crate) const PRIVATE_REDUCTION_REGION: Arguments = arguments(&[PRIVATE, REDUCTION]);
pub(crate) const LINEAR_PRIVATE_REDUCTION_REGION: Arguments = Arguments {
    linear: true,
    ..PRIVATE_REDUCTION_REGION
};
pub(crate) const IN_REDUCTION_PRIVATE_REGION: Arguments = arguments(&[IN_REDUCTION, PRIVATE]);
pub(crate) const IN_REDUCTION_PRIVATE_REDUCTION_REGION: Arguments =
    arguments(&[IN_REDUCTION, PRIVATE, REDUCTION]);
pub(crate) const TASK_REDUCTION_REGION: Arguments =
    arguments(&[Clause::of_recipes("task_reduction", false)]);
pub(crate) const PARALLEL_REGION: Arguments = arguments(&[OLDER_REDUCTION, OLDER_PRIVATE]);
pub(crate) const WORKSHARING_LOOP: Arguments = arguments(&[OLDER_REDUCTION]);
pub(crate) const DEVICE_REGION: Arguments = arguments(&[
    Clause::new("use_device_addr"),
    Clause::new("use_device_ptr"),
]);
pub(crate) const TARGET_REGION: Arguments = arguments(&[
    Clause::new("has_device_addr"),
    Clause::new("host_eval"),
    Clause {
        is_older: true,
        ..IN_REDUCTION
    },
    Clause::new("map_entries"),
    Clause::private(true),
]);

impl Arguments {
    /// Returns the clauses of a directive with this number of arguments: LLVM 20 has no
    /// `private_barrier`, newer releases lack a clause.
    fn clauses(&self, arguments: usize) -> impl Iterator<Item = Clause> {
        let linear = if self.linear { linear::ARGUMENTS } else { 0 };
        let counts = self.clauses.iter().map(Clause::count);
        let all = counts.fold(linear.saturating_add(1), usize::saturating_add);
        let is_without_barrier = arguments.saturating_add(1) == all;
        let clauses = self.clauses.iter();
        let clauses = clauses
            .filter(move |clause| all == arguments || is_without_barrier || !clause.is_older);
        clauses.map(move |clause| Clause {
            barrier: clause.barrier && !is_without_barrier,
            ..*clause
        })
    }
}

/// The words of [`Clause::modifier`].
const MODIFIER: Case = case("ReductionModifier", "reduction_modifier");

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
        mut values: impl Iterator<Item = Value>,
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
        if numbers.len() != count {
            return None;
        }
        let mut symbols = symbols.into_iter();
        let mut items = Vec::with_capacity(count);
        let of_operands = operands.into_iter().zip(by_reference);
        for ((operand, by_reference), number) in of_operands.zip(numbers) {
            let mut argument = Named::default();
            if self.has_arguments {
                let value = values.next()?;
                if operand.ty != Some(module.value_type(value)) {
                    return None;
                }
                argument = Named::of(value);
            }
            items.push(Item {
                by_reference,
                symbol: symbols.next(),
                operand,
                argument,
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
        self.list(asm, &mut found.items)?;
        asm.token(")", ") ")?;
        if self.barrier {
            asm.optional("private_barrier", "private_barrier ", &mut found.barrier);
        }
        Ok(())
    }

    /// The values and their types.
    fn list(&self, asm: &mut Asm<'_, '_>, items: &mut Vec<Item>) -> AsmResult<()> {
        asm.items(items, |asm, item| {
            if self.flags {
                asm.optional("byref", "byref ", &mut item.by_reference);
            }
            if self.symbols {
                asm.attribute(&mut item.symbol)?;
                match self.layout {
                    Layout::Arrow => asm.token("->", " -> ")?,
                    Layout::Last | Layout::Each => asm.space(" "),
                }
            }
            asm.value(&mut item.operand.name)?;
            if self.has_arguments || self.may_have_arguments && asm.is_there("->", false) {
                asm.token("->", " -> ")?;
                asm.value(&mut item.argument)?;
            }
            if self.layout != Layout::Last {
                asm.token(":", " : ")?;
                return asm.ty(&mut item.operand.ty);
            }
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
        if self.layout != Layout::Last {
            return Ok(());
        }
        asm.token(":", " : ")?;
        let mut types: Vec<Option<Type>> = items.iter().map(|item| item.operand.ty).collect();
        let place = asm.place();
        if let Asm::Parser(_) = asm {
            types.clear();
        }
        asm.items(&mut types, |asm, ty| asm.ty(ty))?;
        if let Some(place) = place {
            crate::helpers::check_count(items.len(), types.len(), place)?;
        }
        for (item, ty) in items.iter_mut().zip(types) {
            item.operand.ty = ty;
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

/// The parsed parts of [`Arguments`].
#[derive(Default)]
pub(crate) struct Content {
    /// The number of the directive's arguments.
    arguments: usize,
    linear: OfRegion,
    clauses: Vec<Found>,
}

impl TwoWayDirective for Arguments {
    type Content = Content;

    const OMITS_EMPTY_REGION: bool = false;

    fn given(&self, arguments: &[ParsedArgument]) -> Content {
        Content {
            arguments: arguments.len(),
            ..Content::default()
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let (PrintedArgument::Region { number, .. }, mut rest) = printed.arguments.split_first()?
        else {
            return None;
        };
        let (context, module) = (printed.context, printed.module);
        let mut content = Content {
            arguments: printed.arguments.len(),
            ..Content::default()
        };
        let values = entry_arguments(module, printed.operation, *number);
        let mut values = values.as_slice();
        if self.linear {
            let (arguments, others) = rest.split_at_checked(linear::ARGUMENTS)?;
            let count = arguments.first()?.operands().len();
            let (own, later) = values.split_at_checked(count)?;
            content.linear = OfRegion::content(context, module, arguments, own)?;
            (rest, values) = (others, later);
        }
        let mut values = values.iter().copied();
        for clause in self.clauses(content.arguments) {
            let (arguments, others) = rest.split_at_checked(clause.count())?;
            let found = clause.content(context, module, arguments, values.by_ref())?;
            content.clauses.push(found);
            rest = others;
        }
        values.next().is_none().then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        if self.linear {
            content.linear.text(asm)?;
        }
        let clauses: Vec<Clause> = self.clauses(content.arguments).collect();
        content.clauses.resize_with(clauses.len(), Found::default);
        for (clause, found) in clauses.into_iter().zip(&mut content.clauses) {
            clause.text(asm, found)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let items = content.clauses.iter().flat_map(|found| &found.items);
        let of_clauses = items.map(|item| (item.argument, item.operand));
        let linear = content.linear.items.iter();
        let linear = linear.map(|item| (item.argument, item.value));
        let (names, types): (Vec<_>, Vec<_>) = linear
            .chain(of_clauses)
            .filter_map(|(argument, operand)| argument.name.zip(operand.ty))
            .unzip();
        let Some((ParsedArgument::Region { arguments, .. }, mut rest)) =
            arguments.split_first_mut()
        else {
            return Err(AsmError::new(parser.place(), "expected a region"));
        };
        *arguments = Some(region_arguments(&names, &types));
        if self.linear {
            let (own, others) = rest
                .split_at_mut_checked(linear::ARGUMENTS)
                .unwrap_or_default();
            content.linear.build(parser, own);
            rest = others;
        }
        for (clause, found) in self.clauses(content.arguments).zip(content.clauses) {
            let (own, others) = rest
                .split_at_mut_checked(clause.count())
                .unwrap_or_default();
            clause.build(parser, found, own)?;
            rest = others;
        }
        Ok(())
    }
}

/// The directive for the values of a clause that are not arguments of a region:
/// `byref @r %x, @s %y : type, type`.
#[derive(Debug)]
pub(crate) struct Listed(Clause);

/// The directive of `in_reduction`.
pub(crate) const IN_REDUCTION_LIST: Listed = Listed(Clause {
    has_arguments: false,
    ..IN_REDUCTION
});

impl TwoWayDirective for Listed {
    type Content = Found;

    fn content(&self, printed: &Printed<'_>) -> Option<Found> {
        let (context, module) = (printed.context, printed.module);
        let Listed(clause) = self;
        clause.content(context, module, printed.arguments, std::iter::empty())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Found) -> AsmResult<bool> {
        self.0.list(asm, &mut content.items)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Found,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        self.0.build(parser, content, arguments)
    }
}

/// The directive of `reduction` before LLVM 20 where the values are not arguments of a region.
pub(crate) const REDUCTION_LIST: Listed = Listed(Clause {
    has_arguments: false,
    layout: Layout::Arrow,
    ..OLDER_REDUCTION
});

/// The directive before LLVM 20 for the values of a clause whose arguments the region declares
/// itself: `%x -> %a, %y -> %b : type, type`. Without arguments of the region, `%x, %y : type,
/// type`.
#[derive(Debug)]
pub(crate) struct Declared {
    clause: Clause,
    /// Whether the values are the last arguments of the region, not the first.
    is_last: bool,
}

/// The directives of `map_entries` and of `private`.
pub(crate) const MAP_ENTRIES: Declared = Declared {
    clause: Clause::new("map_entries"),
    is_last: false,
};
pub(crate) const PRIVATE_LIST: Declared = Declared {
    clause: OLDER_PRIVATE,
    is_last: true,
};

impl Declared {
    /// Returns the clause of a text, which has arguments or none.
    fn clause(&self, has_arguments: bool) -> Clause {
        Clause {
            has_arguments,
            may_have_arguments: true,
            ..self.clause
        }
    }
}

impl TwoWayDirective for Declared {
    /// The values, and whether they have arguments.
    type Content = (Found, bool);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (context, module) = (printed.context, printed.module);
        let count = printed.arguments.first()?.operands().len();
        let values = match module.regions(printed.operation).next() {
            Some(_) => entry_arguments(module, printed.operation, 0),
            None => Vec::new(),
        };
        let has_arguments = !values.is_empty();
        let start = match self.is_last {
            true => values.len().checked_sub(count)?,
            false => 0,
        };
        let values = values.into_iter().skip(start);
        let clause = self.clause(has_arguments);
        let found = clause.content(context, module, printed.arguments, values)?;
        Some((found, has_arguments))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (found, has_arguments): &mut Self::Content,
    ) -> AsmResult<bool> {
        let clause = self.clause(*has_arguments);
        // The text of the region has the arguments, too.
        clause.list(asm, &mut found.items)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (found, _): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        self.clause.build(parser, found, arguments)
    }
}
