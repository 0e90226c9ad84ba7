//! The functions of rules: a table with one row for each.

use super::value::{RuleValue, known, width};
use crate::op::Op;
use crate::operation_view::OperationView;
use crate::{AttributeKind, Context, OperationTraits, SymbolTableCollection, Type, TypeKind};
use std::collections::HashSet;

type Call = fn(Op<'_>, &[RuleValue]) -> RuleValue;
type SymbolCall = fn(Op<'_>, &[RuleValue], &mut SymbolTableCollection) -> RuleValue;

/// The inputs of a rule beyond the types and attributes of the operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    Own,
    /// Its regions and successors, or other operations.
    Around,
    /// Symbols.
    Symbols,
}

#[derive(Clone, Copy)]
enum Code {
    Plain(Call),
    Symbols(SymbolCall),
}

struct Row {
    name: &'static str,
    /// The smallest and the largest number of arguments.
    arguments: (usize, usize),
    reach: Reach,
    code: Code,
}

const fn row(name: &'static str, arguments: (usize, usize), call: Call) -> Row {
    Row {
        name,
        arguments,
        reach: Reach::Own,
        code: Code::Plain(call),
    }
}

const fn around(name: &'static str, arguments: (usize, usize), call: Call) -> Row {
    Row {
        reach: Reach::Around,
        ..row(name, arguments, call)
    }
}

const fn symbols(name: &'static str, arguments: (usize, usize), call: SymbolCall) -> Row {
    Row {
        name,
        arguments,
        reach: Reach::Symbols,
        code: Code::Symbols(call),
    }
}

const MANY: usize = usize::MAX;

/// The largest number of items of a list that a function makes of a number.
const MOST_ITEMS: i64 = 1 << 12;

/// The functions, sorted by name. The documentation of each is in `spec/dialect-definitions.md`.
static FUNCTIONS: &[Row] = &[
    around("arguments", (1, 1), |op, v| {
        let RuleValue::Regions(regions) = first(v) else {
            return RuleValue::Unknown;
        };
        let block = regions.first().and_then(|&r| op.module.first_block(r));
        block.map_or(RuleValue::Unknown, |block| {
            let arguments = op.module.arguments(block);
            RuleValue::Values(arguments.map(|(value, _)| value).collect())
        })
    }),
    around("attribute", (2, 2), |op, v| {
        let Some((RuleValue::Operation(of), name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some(name) = name.text(op) else {
            return RuleValue::Unknown;
        };
        optional(op.with_id(*of).attr(&name))
    }),
    row("broadcast", (1, MANY), |op, v| broadcast(op, v).0),
    row("broadcasts", (1, MANY), |op, v| {
        RuleValue::truth_of(broadcast(op, v).1)
    }),
    row("ceil_div", (2, 2), |op, v| {
        two(v).map_or(RuleValue::Unknown, |(a, b)| {
            a.combine(b, op, |a, b| {
                let rest = i64::from(a.checked_rem_euclid(b)? != 0);
                a.checked_div_euclid(b)?.checked_add(rest)
            })
        })
    }),
    row("component", (1, 1), |op, v| {
        let ty = first(v).ty(op).map(|ty| op.context.type_kind(ty));
        RuleValue::type_of(match ty {
            Some(&TypeKind::Complex(component)) => Some(component),
            _ => None,
        })
    }),
    row("concat", (0, MANY), |op, v| {
        let mut all = Vec::new();
        for value in v {
            match (value.integer(op), value.numbers(op)) {
                (Some(number), _) => all.push(Some(number)),
                (None, Some(numbers)) => all.extend_from_slice(&numbers),
                (None, None) => return RuleValue::Unknown,
            }
        }
        RuleValue::list(all)
    }),
    around("constant", (1, 1), |op, v| {
        let RuleValue::Values(values) = first(v) else {
            return RuleValue::Unknown;
        };
        let value = values.first();
        let found = value.and_then(|&value| op.module.constant_value(op.context, value));
        found.map_or(RuleValue::Unknown, RuleValue::Attribute)
    }),
    row("contains", (2, 2), |op, v| {
        let pair = two(v);
        let found = pair.and_then(|(list, item)| {
            let (list, item) = (list.numbers(op)?, item.integer(op)?);
            match list.contains(&Some(item)) {
                true => Some(true),
                false => (!list.contains(&None)).then_some(false),
            }
        });
        RuleValue::truth_of(found)
    }),
    around("contains_operation", (2, 2), |op, v| {
        let Some((RuleValue::Regions(regions), name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some(name) = name.text(op) else {
            return RuleValue::Unknown;
        };
        RuleValue::Truth(
            regions
                .iter()
                .any(|&r| nested(op, r).any(|inner| inner.is(&name))),
        )
    }),
    row("count", (1, 1), |op, v| {
        let count = match first(v) {
            RuleValue::Values(values) => Some(values.len()),
            RuleValue::Types(types) => Some(types.len()),
            RuleValue::Regions(regions) => Some(regions.len()),
            RuleValue::Attributes(items) => Some(items.len()),
            RuleValue::Attribute(attribute) => count(op.context, *attribute),
            RuleValue::Absent => Some(0),
            value => value.numbers(op).map(|numbers| numbers.len()),
        };
        RuleValue::integer_of(count.and_then(|count| i64::try_from(count).ok()))
    }),
    around("defined_by", (1, 1), |op, v| {
        let RuleValue::Values(values) = first(v) else {
            return RuleValue::Unknown;
        };
        let defining = values.first().and_then(|&value| op.defining_op(value));
        defining.map_or(RuleValue::Absent, |op| {
            RuleValue::Text((&*op.name()).into())
        })
    }),
    around("defined_with", (2, 2), |op, v| {
        let Some((RuleValue::Values(values), name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some((&value, name)) = values.first().zip(name.text(op)) else {
            return RuleValue::Unknown;
        };
        let defining = op.defining_op(value);
        RuleValue::Truth(defining.is_some_and(|op| op.has_trait(&name) || op.has_interface(&name)))
    }),
    row("dim", (2, 2), |op, v| {
        let pair = two(v);
        let size = pair.and_then(|(ty, index)| {
            let index = usize::try_from(index.integer(op)?).ok()?;
            known(*op.context.shape(ty.ty(op)?)?.get(index)?)
        });
        RuleValue::integer_of(size)
    }),
    row("dims", (2, 2), |op, v| {
        let sizes = two(v).and_then(|(group, index)| {
            let (types, index) = (group.types(op)?, index.integer(op)?);
            let index = usize::try_from(index).ok()?;
            let size = |&ty: &Type| known(*op.context.shape(ty)?.get(index)?);
            Some(types.iter().map(size).collect())
        });
        sizes.map_or(RuleValue::Unknown, RuleValue::list)
    }),
    row("distinct", (1, 1), |op, v| {
        let list = first(v).numbers(op);
        RuleValue::truth_of(list.map(|list| {
            let mut seen = HashSet::new();
            list.iter().flatten().all(|number| seen.insert(number))
        }))
    }),
    row("drop", (2, 2), |op, v| {
        slice(op, v, |len, n| n.min(len)..len)
    }),
    row("drop_last", (1, 1), |op, v| {
        let list = first(v).numbers(op);
        let rest = list.and_then(|list| Some(list.split_last()?.1.to_vec()));
        rest.map_or(RuleValue::Unknown, RuleValue::list)
    }),
    row("dynamic", (1, 1), |op, v| {
        let shape = first(v).ty(op).and_then(|ty| op.context.shape(ty));
        let count = shape.map(|shape| shape.iter().filter(|&&d| known(d).is_none()).count());
        RuleValue::integer_of(count.and_then(|count| i64::try_from(count).ok()))
    }),
    row("element", (1, 1), |op, v| {
        let ty = first(v).ty(op);
        RuleValue::type_of(ty.map(|ty| op.context.element_type(ty).unwrap_or(ty)))
    }),
    row("elements", (1, 1), |op, v| {
        let count = first(v).ty(op).and_then(|ty| op.context.element_count(ty));
        RuleValue::integer_of(count.and_then(|count| i64::try_from(count).ok()))
    }),
    row("encoding", (1, 1), |op, v| {
        match first(v).ty(op).map(|ty| op.context.type_kind(ty)) {
            Some(TypeKind::RankedTensor { encoding, .. }) => optional(*encoding),
            _ => RuleValue::Unknown,
        }
    }),
    row("fits", (2, 2), |op, v| {
        let pair = two(v);
        let pair = pair.and_then(|(a, b)| Some((a.numbers(op)?, b.numbers(op)?)));
        RuleValue::truth_of(pair.map(|(a, b)| {
            let mut sizes = a.iter().zip(b.iter());
            a.len() == b.len() && sizes.all(|(a, b)| a.is_none() || a == b)
        }))
    }),
    around("group", (2, 2), |op, v| {
        let Some((RuleValue::Operation(of), name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some(name) = name.text(op) else {
            return RuleValue::Unknown;
        };
        match RuleValue::named(op.with_id(*of), &name) {
            found @ RuleValue::Values(_) => found,
            _ => RuleValue::Unknown,
        }
    }),
    row("has", (1, 1), |_, v| {
        RuleValue::truth_of(first(v).is_present())
    }),
    row("has_unit_stride", (1, 1), |op, v| {
        let ty = first(v).ty(op);
        let layout = match ty.map(|ty| op.context.type_kind(ty)) {
            Some(TypeKind::MemRef { layout, .. }) => *layout,
            _ => return RuleValue::Unknown,
        };
        RuleValue::truth_of(
            match layout.map(|layout| op.context.attribute_kind(layout)) {
                None => Some(true),
                Some(AttributeKind::StridedLayout { strides, .. }) => {
                    Some(strides.last() == Some(&1))
                }
                Some(_) => None,
            },
        )
    }),
    row("inputs", (1, 1), |op, v| function_types(op, v, false)),
    row("is_nan", (1, 1), |op, v| {
        RuleValue::truth_of(first(v).float(op).map(f64::is_nan))
    }),
    around("is_of_dialect", (2, 2), |op, v| {
        let Some((RuleValue::Regions(regions), name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some(name) = name.text(op) else {
            return RuleValue::Unknown;
        };
        let mut all = regions.iter();
        RuleValue::Truth(all.all(|&r| nested(op, r).all(|inner| inner.dialect() == *name)))
    }),
    row("is_permutation", (1, 1), |op, v| {
        let list = first(v).numbers(op);
        RuleValue::truth_of(list.map(|list| {
            let mut seen = vec![false; list.len()];
            list.iter().all(|&number| {
                let Some(number) = number else { return true };
                let slot = usize::try_from(number).ok().and_then(|n| seen.get_mut(n));
                slot.is_some_and(|slot| !std::mem::replace(slot, true))
            })
        }))
    }),
    row("is_reduced", (2, 2), |op, v| {
        let pair = two(v);
        let pair = pair.and_then(|(short, full)| Some((short.numbers(op)?, full.numbers(op)?)));
        RuleValue::truth_of(pair.map(|(short, full)| {
            let mut left = short.iter().peekable();
            full.iter()
                .all(|size| left.next_if_eq(&size).is_some() || *size == Some(1))
                && left.next().is_none()
        }))
    }),
    row("known", (1, 1), |op, v| {
        let value = first(v);
        let known = match value {
            RuleValue::Unknown => false,
            RuleValue::List(numbers) => !numbers.contains(&None),
            value => value.is_present().is_some() || value.integer(op).is_some(),
        };
        RuleValue::Truth(known)
    }),
    row("last", (1, 1), |op, v| {
        let list = first(v).numbers(op);
        RuleValue::integer_of(list.and_then(|list| *list.last()?))
    }),
    row("layout", (1, 1), |op, v| {
        match first(v).ty(op).map(|ty| op.context.type_kind(ty)) {
            Some(TypeKind::MemRef { layout, .. }) => optional(*layout),
            _ => RuleValue::Unknown,
        }
    }),
    row("map_dims", (1, 1), |op, v| {
        map(op, v, |dims, _, _| dims.into())
    }),
    row("map_results", (1, 1), |op, v| {
        map(op, v, |_, _, results| {
            i64::try_from(results).unwrap_or(i64::MAX)
        })
    }),
    row("map_symbols", (1, 1), |op, v| {
        map(op, v, |_, symbols, _| symbols.into())
    }),
    row("max", (1, MANY), |op, v| fold(op, v, i64::max)),
    row("member", (1, 1), |op, v| {
        let RuleValue::Attribute(attribute) = first(v) else {
            return RuleValue::Unknown;
        };
        let value = op
            .parameters(*attribute)
            .ok()
            .and_then(|parameters| parameters.iter().next().and_then(crate::Parameter::integer));
        RuleValue::integer_of(value)
    }),
    row("memory_space", (1, 1), |op, v| {
        match first(v).ty(op).map(|ty| op.context.type_kind(ty)) {
            Some(
                TypeKind::MemRef { memory_space, .. }
                | TypeKind::UnrankedMemRef { memory_space, .. },
            ) => optional(*memory_space),
            _ => RuleValue::Unknown,
        }
    }),
    row("min", (1, MANY), |op, v| fold(op, v, i64::min)),
    row("mnemonic", (1, 1), |op, v| {
        let name = match first(v) {
            RuleValue::Attribute(attribute) => match op.context.attribute_kind(*attribute) {
                AttributeKind::Dialect { body, .. } => Some(body.mnemonic()),
                _ => None,
            },
            value => match value.ty(op).map(|ty| op.context.type_kind(ty)) {
                Some(TypeKind::Dialect { body, .. }) => Some(body.mnemonic()),
                _ => None,
            },
        };
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        name.map_or(RuleValue::Unknown, |name| RuleValue::Text(name.into()))
    }),
    row("occurrences", (2, 2), |op, v| {
        let count = two(v).and_then(|(list, item)| {
            let (list, item) = (list.numbers(op)?, item.integer(op)?);
            let count = list.iter().filter(|&&number| number == Some(item)).count();
            i64::try_from(count).ok()
        });
        RuleValue::integer_of(count)
    }),
    around("operation_name", (1, 1), |op, v| {
        let RuleValue::Operation(of) = first(v) else {
            return RuleValue::Unknown;
        };
        RuleValue::Text((&*op.with_id(*of).name()).into())
    }),
    row("outputs", (1, 1), |op, v| function_types(op, v, true)),
    row("parameter", (2, 2), |op, v| {
        let Some((value, name)) = two(v) else {
            return RuleValue::Unknown;
        };
        let Some(name) = name.text(op) else {
            return RuleValue::Unknown;
        };
        let found = match value {
            RuleValue::Attribute(attribute)
                if matches!(
                    op.context.attribute_kind(*attribute),
                    AttributeKind::Dialect { .. }
                ) =>
            {
                op.parameter(*attribute, &name)
            }
            value => value.ty(op).and_then(|ty| op.parameter(ty, &name)),
        };
        found.map_or(RuleValue::Unknown, RuleValue::from)
    }),
    row("parameters", (2, 2), |op, v| {
        let numbers = two(v).and_then(|(group, name)| {
            let (types, name) = (group.types(op)?, name.text(op)?);
            let one = |&ty: &Type| op.parameter(ty, &name)?.integer();
            Some(types.iter().map(one).collect())
        });
        numbers.map_or(RuleValue::Unknown, RuleValue::list)
    }),
    around("parent", (0, 1), |op, v| {
        let parent = match v {
            [] => op.parent(),
            [RuleValue::Operation(of)] => op.with_id(*of).parent(),
            [RuleValue::Absent] => return RuleValue::Absent,
            _ => return RuleValue::Unknown,
        };
        parent.map_or(RuleValue::Absent, |op| RuleValue::Operation(op.operation))
    }),
    row("pick", (2, 2), |op, v| {
        let pair = two(v);
        let picked = pair.and_then(|(list, at)| {
            let (list, at) = (list.numbers(op)?, at.numbers(op)?);
            let one = |&at: &Option<i64>| {
                let Some(at) = at else { return Some(None) };
                list.get(usize::try_from(at).ok()?).copied()
            };
            at.iter().map(one).collect::<Option<Vec<_>>>()
        });
        picked.map_or(RuleValue::Unknown, RuleValue::list)
    }),
    row("power_of_two", (1, 1), |op, v| {
        let number = first(v).integer(op);
        RuleValue::truth_of(number.map(|n| n > 0 && n.count_ones() == 1))
    }),
    row("product", (1, 1), |op, v| total(op, v, 1, i64::checked_mul)),
    row("range", (1, 1), |op, v| match first(v).integer(op) {
        Some(end) if end <= MOST_ITEMS => RuleValue::list((0..end).map(Some).collect()),
        _ => RuleValue::Unknown,
    }),
    row("rank", (1, 1), |op, v| {
        let ty = first(v).ty(op);
        let rank = ty.and_then(|ty| rank(op.context, ty));
        RuleValue::integer_of(rank)
    }),
    row("repeat", (2, 2), |op, v| {
        let pair = two(v);
        let pair = pair.and_then(|(item, count)| Some((item.integer(op)?, count.integer(op)?)));
        match pair {
            Some((item, count @ 0..=MOST_ITEMS)) => {
                RuleValue::list(vec![Some(item); count as usize])
            }
            _ => RuleValue::Unknown,
        }
    }),
    row("replace", (3, 3), |op, v| {
        let [list, at, item] = v else {
            return RuleValue::Unknown;
        };
        let Some(list) = list.numbers(op) else {
            return RuleValue::Unknown;
        };
        let places = match (at.integer(op), at.numbers(op)) {
            (Some(one), _) => [Some(one)].into(),
            (None, Some(places)) => places,
            (None, None) => return RuleValue::Unknown,
        };
        let mut list = list.to_vec();
        for &place in places.iter() {
            let place = place.and_then(|at| usize::try_from(at).ok());
            match place.and_then(|at| list.get_mut(at)) {
                Some(slot) => *slot = item.integer(op),
                None => return RuleValue::Unknown,
            }
        }
        RuleValue::list(list)
    }),
    row("shape", (1, 1), |op, v| {
        let ty = first(v).ty(op);
        ty.map_or(RuleValue::Unknown, |ty| RuleValue::shape(op.context, ty))
    }),
    around("successors", (1, 1), |op, v| {
        let name = first(v).text(op);
        let group = name.and_then(|name| Some(OperationView::new(op)?.successors(&name)?.len()));
        RuleValue::integer_of(group.and_then(|count| i64::try_from(count).ok()))
    }),
    row("sum", (1, 1), |op, v| total(op, v, 0, i64::checked_add)),
    symbols("symbol", (1, 1), |op, v, symbols| {
        let RuleValue::Attribute(reference) = first(v) else {
            return RuleValue::Unknown;
        };
        let (context, module) = (op.context, op.module);
        let found = symbols.lookup_symbol_from(context, module, op.operation, *reference);
        found.map_or(RuleValue::Absent, RuleValue::Operation)
    }),
    row("take", (2, 2), |op, v| slice(op, v, |len, n| 0..n.min(len))),
    row("tensors", (1, 1), |op, v| {
        let Some(types) = first(v).types(op) else {
            return RuleValue::Unknown;
        };
        let is_tensor = |ty: &&Type| {
            let kind = op.context.type_kind(**ty);
            matches!(
                kind,
                TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
            )
        };
        RuleValue::Types(types.iter().filter(is_tensor).copied().collect())
    }),
    row("text", (1, 1), |op, v| {
        let text = first(v).text(op);
        text.map_or(RuleValue::Unknown, RuleValue::Text)
    }),
    row("types", (1, 1), |op, v| {
        let types = first(v).types(op);
        types.map_or(RuleValue::Unknown, RuleValue::Types)
    }),
    row("width", (1, 1), |op, v| {
        let ty = first(v).ty(op);
        let ty = ty.map(|ty| op.context.element_type(ty).unwrap_or(ty));
        RuleValue::integer_of(ty.and_then(|ty| width(op.context, ty)))
    }),
    row("without", (2, 2), |op, v| {
        let pair = two(v);
        let left = pair.and_then(|(list, at)| {
            let list = list.numbers(op)?;
            let skipped: HashSet<i64> = match (at.integer(op), at.numbers(op)) {
                (Some(one), _) => HashSet::from([one]),
                (None, Some(all)) => all.iter().copied().collect::<Option<_>>()?,
                (None, None) => return None,
            };
            let kept = (0i64..).zip(list.iter());
            Some(
                kept.filter(|(at, _)| !skipped.contains(at))
                    .map(|(_, &number)| number)
                    .collect(),
            )
        });
        left.map_or(RuleValue::Unknown, RuleValue::list)
    }),
    around("yields", (1, 1), |op, v| {
        let RuleValue::Regions(regions) = first(v) else {
            return RuleValue::Unknown;
        };
        let block = regions.first().and_then(|&r| op.module.first_block(r));
        let last = block.and_then(|block| op.module.last_operation(block));
        let last = last.map(|last| op.with_id(last));
        match last {
            Some(last) if ends(op, last) => RuleValue::Values(last.operands().collect()),
            _ => RuleValue::Unknown,
        }
    }),
];

/// A function of rules.
#[derive(Clone, Copy)]
pub(crate) struct RuleFunction(&'static Row);

impl std::fmt::Debug for RuleFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

impl RuleFunction {
    /// Returns the function of that name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let at = FUNCTIONS.binary_search_by(|row| row.name.cmp(name)).ok()?;
        FUNCTIONS.get(at).map(RuleFunction)
    }

    /// Returns the names of all functions.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|row| row.name)
    }

    pub(crate) fn takes(self, arguments: usize) -> bool {
        let (least, most) = self.0.arguments;
        (least..=most).contains(&arguments)
    }

    pub(crate) fn reach(self) -> Reach {
        self.0.reach
    }

    pub(super) fn call(
        self,
        op: Op<'_>,
        arguments: &[RuleValue],
        symbols: Option<&mut SymbolTableCollection>,
    ) -> RuleValue {
        match (self.0.code, symbols) {
            (Code::Plain(call), _) => call(op, arguments),
            (Code::Symbols(call), Some(symbols)) => call(op, arguments, symbols),
            (Code::Symbols(_), None) => RuleValue::Unknown,
        }
    }
}

fn first(values: &[RuleValue]) -> &RuleValue {
    values.first().unwrap_or(&RuleValue::Unknown)
}

fn two(values: &[RuleValue]) -> Option<(&RuleValue, &RuleValue)> {
    match values {
        [first, second] => Some((first, second)),
        _ => None,
    }
}

/// Returns whether an operation ends a block of a region of `op`: where the definition has an
/// implicit terminator, it is that operation.
fn ends(op: Op<'_>, last: Op<'_>) -> bool {
    let release = op.context.release();
    match op.definition().and_then(|d| d.implicit_terminator(release)) {
        Some(terminator) => last.is(terminator),
        None => last.has_traits(OperationTraits::TERMINATOR),
    }
}

/// Returns the operations in a region.
fn nested<'a>(op: Op<'a>, region: crate::Region) -> impl Iterator<Item = Op<'a>> {
    let blocks = op.module.blocks(region);
    let operations = blocks.flat_map(move |block| op.module.operations(block));
    operations.flat_map(move |inner| {
        let inner = op.with_id(inner);
        std::iter::once(inner).chain(inner.descendants())
    })
}

fn optional(attribute: Option<crate::Attribute>) -> RuleValue {
    attribute.map_or(RuleValue::Absent, RuleValue::Attribute)
}

/// Returns the rank of a type that has one.
fn rank(context: &Context, ty: Type) -> Option<i64> {
    let shape = context.shape(ty)?;
    i64::try_from(shape.len()).ok()
}

/// Returns the number of elements of an attribute.
fn count(context: &Context, attribute: crate::Attribute) -> Option<usize> {
    match context.attribute_kind(attribute) {
        AttributeKind::Array(items) => Some(items.len()),
        AttributeKind::Dictionary(entries) => Some(entries.len()),
        AttributeKind::DenseArray { length, .. } => Some(*length),
        AttributeKind::String { value, .. } => Some(context.bytes(*value).len()),
        _ => {
            let ty = context.attribute_type(attribute);
            usize::try_from(context.element_count(ty)?).ok()
        }
    }
}

/// Returns a part of a list; `range` gets its length and a number.
fn slice(
    op: Op<'_>,
    values: &[RuleValue],
    range: fn(usize, usize) -> std::ops::Range<usize>,
) -> RuleValue {
    let part = two(values).and_then(|(list, count)| {
        let (list, count) = (list.numbers(op)?, count.integer(op)?);
        let count = usize::try_from(count).ok()?;
        Some(list.get(range(list.len(), count))?.to_vec())
    });
    part.map_or(RuleValue::Unknown, RuleValue::list)
}

/// Combines all numbers of a list.
fn total(
    op: Op<'_>,
    values: &[RuleValue],
    start: i64,
    combine: fn(i64, i64) -> Option<i64>,
) -> RuleValue {
    let numbers = first(values).numbers(op);
    let result = numbers.and_then(|numbers| {
        let mut numbers = numbers.iter();
        numbers.try_fold(start, |sum, &number| combine(sum, number?))
    });
    RuleValue::integer_of(result)
}

/// Combines the numbers of a list, or the arguments.
fn fold(op: Op<'_>, values: &[RuleValue], combine: fn(i64, i64) -> i64) -> RuleValue {
    let result = match values {
        [only] => only.numbers(op).and_then(|numbers| {
            let numbers: Option<Vec<i64>> = numbers.iter().copied().collect();
            numbers?.into_iter().reduce(combine)
        }),
        several => {
            let numbers: Option<Vec<i64>> = several.iter().map(|v| v.integer(op)).collect();
            numbers.and_then(|numbers| numbers.into_iter().reduce(combine))
        }
    };
    RuleValue::integer_of(result)
}

/// Returns the shape to which shapes broadcast, by the rules of NumPy, and whether they do. The
/// arguments are shapes, or groups of values with shapes.
fn broadcast(op: Op<'_>, values: &[RuleValue]) -> (RuleValue, Option<bool>) {
    let mut result: Vec<Option<i64>> = Vec::new();
    for value in values {
        let shapes = match value {
            RuleValue::List(numbers) => vec![numbers.clone()],
            value => {
                let types = value.types(op);
                let shape = |&ty: &Type| RuleValue::shape(op.context, ty).numbers(op);
                match types.and_then(|types| types.iter().map(shape).collect()) {
                    Some(shapes) => shapes,
                    None => return (RuleValue::Unknown, None),
                }
            }
        };
        for shape in shapes {
            if shape.len() > result.len() {
                let missing = shape.len().saturating_sub(result.len());
                result.splice(0..0, std::iter::repeat_n(Some(1), missing));
            }
            for (size, &other) in result.iter_mut().rev().zip(shape.iter().rev()) {
                *size = match (*size, other) {
                    (Some(a), Some(b)) if a == b || b == 1 => Some(a),
                    (Some(1), b) => b,
                    (Some(_), Some(_)) => return (RuleValue::Unknown, Some(false)),
                    (Some(a), None) | (None, Some(a)) if a > 1 => Some(a),
                    _ => None,
                };
            }
        }
    }
    (RuleValue::list(result), Some(true))
}

/// Returns the inputs or the results of a function type.
fn function_types(op: Op<'_>, values: &[RuleValue], results: bool) -> RuleValue {
    let ty = first(values).ty(op);
    match ty.and_then(|ty| op.context.type_kind(ty).signature()) {
        Some((inputs, out)) => {
            let types = if results { out } else { inputs };
            RuleValue::Types(types.iter().copied().collect())
        }
        _ => RuleValue::Unknown,
    }
}

/// Returns the number of dimensions, symbols or results of an affine map.
fn map(op: Op<'_>, values: &[RuleValue], part: fn(u32, u32, usize) -> i64) -> RuleValue {
    let RuleValue::Attribute(attribute) = first(values) else {
        return RuleValue::Unknown;
    };
    match op.context.attribute_kind(*attribute) {
        AttributeKind::AffineMap(map) => {
            RuleValue::Integer(part(map.num_dims, map.num_symbols, map.results.len()))
        }
        _ => RuleValue::Unknown,
    }
}
