//! The values of rules.

use super::items::Items;
use super::{Comparison, Message, all};
use crate::op::Op;
use crate::operation_view::OperationView;
use crate::{
    Attribute, AttributeKind, Context, DYNAMIC, Operation, Parameter, Region, Type, TypeKind, Value,
};
use std::rc::Rc;
use std::sync::Arc;

/// Shared numbers; those that are not known are `None`.
pub(super) type Numbers = Rc<[Option<i64>]>;

/// The value of a part of a rule.
#[derive(Clone, Debug)]
pub(super) enum RuleValue {
    /// It depends on something that is not known.
    Unknown,
    /// An absent attribute or optional group.
    Absent,
    Truth(bool),
    Integer(i64),
    /// Numbers, such as a shape.
    List(Numbers),
    Text(Arc<str>),
    Types(Items<Type>),
    /// Operands or results.
    Values(Items<Value>),
    Attribute(Attribute),
    Attributes(Items<Attribute>),
    Regions(Items<Region>),
    Operation(Operation),
}

impl RuleValue {
    pub(super) fn truth_of(value: Option<bool>) -> Self {
        value.map_or(RuleValue::Unknown, RuleValue::Truth)
    }

    pub(super) fn integer_of(value: Option<i64>) -> Self {
        value.map_or(RuleValue::Unknown, RuleValue::Integer)
    }

    pub(super) fn type_of(value: Option<Type>) -> Self {
        value.map_or(RuleValue::Unknown, |ty| RuleValue::Types(Items::one(ty)))
    }

    pub(super) fn list(values: Vec<Option<i64>>) -> Self {
        RuleValue::List(values.into())
    }

    pub(super) fn shape(context: &Context, ty: Type) -> Self {
        match context.shape(ty) {
            Some(shape) => Self::list(shape.iter().map(|&size| known(size)).collect()),
            None => RuleValue::Unknown,
        }
    }

    /// Returns what a definition calls by this name: a group of operands or results, an attribute,
    /// a region.
    pub(super) fn named(op: Op<'_>, name: &str) -> Self {
        if name == "operands" && op.operand_group(name).is_none() {
            return RuleValue::Values(op.operands().collect());
        }
        if name == "results" && op.result_group(name).is_none() {
            return RuleValue::Values(op.results().collect());
        }
        let view = OperationView::new(op);
        let operands = view.and_then(|view| view.operands(name));
        if let Some(operands) = operands {
            return RuleValue::Values(operands.collect());
        }
        let results = view.and_then(|view| view.results(name));
        if let Some(results) = results {
            return RuleValue::Values(results.collect());
        }
        if let Some(attribute) = op.attr(name) {
            return RuleValue::Attribute(attribute);
        }
        let regions = view.and_then(|view| view.regions(name));
        regions.map_or(RuleValue::Absent, |regions| {
            RuleValue::Regions(regions.collect())
        })
    }

    /// Returns the number of elements that looking at the value can take.
    pub(super) fn size(&self) -> usize {
        match self {
            RuleValue::List(items) => items.len(),
            RuleValue::Types(items) => items.len(),
            RuleValue::Values(items) => items.len(),
            RuleValue::Attributes(items) => items.len(),
            _ => 1,
        }
    }

    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            RuleValue::Truth(truth) => Some(*truth),
            _ => None,
        }
    }

    /// Returns whether there is something: an attribute, or a member of a group.
    pub(super) fn is_present(&self) -> Option<bool> {
        match self {
            RuleValue::Unknown => None,
            RuleValue::Absent => Some(false),
            RuleValue::Values(values) => Some(!values.is_empty()),
            RuleValue::Types(types) => Some(!types.is_empty()),
            RuleValue::Regions(regions) => Some(!regions.is_empty()),
            _ => Some(true),
        }
    }

    pub(super) fn integer(&self, op: Op<'_>) -> Option<i64> {
        match self {
            RuleValue::Integer(number) => Some(*number),
            RuleValue::Truth(truth) => Some(i64::from(*truth)),
            RuleValue::Attribute(attribute) => op.context.integer_value(*attribute),
            _ => None,
        }
    }

    /// Returns the value of a float attribute, rounded to an `f64`.
    pub(super) fn float(&self, op: Op<'_>) -> Option<f64> {
        let RuleValue::Attribute(attribute) = self else {
            return None;
        };
        let AttributeKind::Float { ty, bits } = op.context.attribute_kind(*attribute) else {
            return None;
        };
        match op.context.type_kind(*ty) {
            TypeKind::Float(kind) => Some(crate::float::to_f64(*kind, *bits)),
            _ => None,
        }
    }

    /// Returns the type, that of the first member of a group, or the one in a type attribute.
    pub(super) fn ty(&self, op: Op<'_>) -> Option<Type> {
        match self {
            RuleValue::Types(types) => types.first().copied(),
            RuleValue::Values(values) => Some(op.module.value_type(*values.first()?)),
            RuleValue::Attribute(attribute) => match op.context.attribute_kind(*attribute) {
                AttributeKind::Type(ty) => Some(*ty),
                _ => {
                    let ty = op.context.attribute_type(*attribute);
                    (ty != op.context.none_type()).then_some(ty)
                }
            },
            _ => None,
        }
    }

    /// Returns all types of a group.
    pub(super) fn types(&self, op: Op<'_>) -> Option<Items<Type>> {
        match self {
            RuleValue::Types(types) => Some(types.clone()),
            RuleValue::Values(values) => {
                let types = values.iter().map(|&value| op.module.value_type(value));
                Some(types.collect())
            }
            RuleValue::Attribute(_) => Some(Items::one(self.ty(op)?)),
            _ => None,
        }
    }

    /// Returns a list of numbers, also that of an attribute.
    pub(super) fn numbers(&self, op: Op<'_>) -> Option<Numbers> {
        match self {
            RuleValue::List(numbers) => Some(numbers.clone()),
            RuleValue::Attribute(attribute) => numbers(op.context, *attribute),
            _ => None,
        }
    }

    /// Returns the text of a string or symbol, or the keyword of an enumeration's member.
    pub(super) fn text(&self, op: Op<'_>) -> Option<Arc<str>> {
        match self {
            RuleValue::Text(text) => Some(text.clone()),
            RuleValue::Attribute(attribute) => text(op.context, *attribute),
            _ => None,
        }
    }

    /// Returns the items of a list or group.
    pub(super) fn items(&self, op: Op<'_>) -> Vec<RuleValue> {
        match self {
            RuleValue::Types(types) => types.iter().map(|&t| Self::type_of(Some(t))).collect(),
            RuleValue::Values(values) => {
                let single = |&value| RuleValue::Values(Items::one(value));
                values.iter().map(single).collect()
            }
            RuleValue::Attributes(items) => items
                .iter()
                .map(|&item| RuleValue::Attribute(item))
                .collect(),
            RuleValue::Regions(regions) => {
                let single = |&region| RuleValue::Regions(Items::one(region));
                regions.iter().map(single).collect()
            }
            RuleValue::Attribute(attribute) => match op.context.attribute_kind(*attribute) {
                AttributeKind::Array(items) => items
                    .iter()
                    .map(|&item| RuleValue::Attribute(item))
                    .collect(),
                _ => match self.numbers(op) {
                    Some(numbers) => RuleValue::List(numbers).items(op),
                    None => Vec::new(),
                },
            },
            RuleValue::List(numbers) => numbers.iter().map(|&n| Self::integer_of(n)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns an item of a list or group.
    pub(super) fn item(&self, op: Op<'_>, index: usize) -> RuleValue {
        let found = match self {
            RuleValue::Types(types) => types.get(index).map(|&t| Self::type_of(Some(t))),
            RuleValue::Values(values) => {
                values.get(index).map(|&v| RuleValue::Values(Items::one(v)))
            }
            RuleValue::Attributes(items) => items.get(index).map(|&a| RuleValue::Attribute(a)),
            RuleValue::Attribute(attribute) => match op.context.attribute_kind(*attribute) {
                AttributeKind::Array(items) => {
                    items.get(index).map(|&item| RuleValue::Attribute(item))
                }
                _ => self.number(op, index),
            },
            _ => self.number(op, index),
        };
        found.unwrap_or(RuleValue::Unknown)
    }

    fn number(&self, op: Op<'_>, index: usize) -> Option<RuleValue> {
        let numbers = self.numbers(op)?;
        numbers.get(index).map(|&number| Self::integer_of(number))
    }

    /// Combines numbers, or the elements of lists of the same length; a number combines with each
    /// element of a list.
    pub(super) fn combine(
        &self,
        other: &Self,
        op: Op<'_>,
        combine: impl Fn(i64, i64) -> Option<i64>,
    ) -> RuleValue {
        let both = |a: Option<i64>, b: Option<i64>| a.zip(b).and_then(|(a, b)| combine(a, b));
        match (self.integer(op), other.integer(op)) {
            (Some(a), Some(b)) => return Self::integer_of(combine(a, b)),
            (Some(a), None) => {
                let numbers = other.numbers(op);
                let each = |n: Numbers| n.iter().map(|&b| both(Some(a), b)).collect();
                return numbers.map_or(RuleValue::Unknown, |n| Self::list(each(n)));
            }
            (None, Some(b)) => {
                let numbers = self.numbers(op);
                let each = |n: Numbers| n.iter().map(|&a| both(a, Some(b))).collect();
                return numbers.map_or(RuleValue::Unknown, |n| Self::list(each(n)));
            }
            (None, None) => {}
        }
        match (self.numbers(op), other.numbers(op)) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b.iter());
                Self::list(pairs.map(|(&a, &b)| both(a, b)).collect())
            }
            _ => RuleValue::Unknown,
        }
    }

    /// Compares two values; `None` if they cannot be compared, or are not known.
    pub(super) fn compare(&self, other: &Self, how: Comparison, op: Op<'_>) -> Option<bool> {
        if let (RuleValue::Types(a), RuleValue::Types(b)) = (self, other) {
            return match how {
                Comparison::Equal => Some(a == b),
                Comparison::Differs => Some(a != b),
                _ => None,
            };
        }
        if let (Some(a), Some(b)) = (self.integer(op), other.integer(op)) {
            return Some(how.holds(a.cmp(&b)));
        }
        if let (Some(a), Some(b)) = (self.float(op), other.float(op)) {
            return a.partial_cmp(&b).map(|order| how.holds(order));
        }
        if matches!(self, RuleValue::Text(_)) || matches!(other, RuleValue::Text(_)) {
            return Some(how.holds(self.text(op)?.cmp(&other.text(op)?)));
        }
        if let (RuleValue::Attribute(a), RuleValue::Attribute(b)) = (self, other)
            && matches!(how, Comparison::Equal | Comparison::Differs)
        {
            return Some((a == b) == (how == Comparison::Equal));
        }
        let one = |a: Option<i64>, b: Option<i64>| Some(how.holds(a?.cmp(&b?)));
        let numbers = |value: &Self| match value.integer(op) {
            None => value.numbers(op),
            Some(_) => None,
        };
        match (numbers(self), numbers(other)) {
            (Some(a), Some(b)) => {
                // Two lists differ if one element does, and satisfy each other comparison if all
                // elements do.
                let same_length = a.len() == b.len();
                if how == Comparison::Differs {
                    return Self::List(a)
                        .compare(&Self::List(b), Comparison::Equal, op)
                        .map(|equal| !equal);
                }
                let pairs = a.iter().zip(b.iter());
                return match same_length {
                    true => all(pairs.map(|(&a, &b)| one(a, b))),
                    false => Some(false),
                };
            }
            (Some(a), None) => {
                let b = other.integer(op)?;
                return all(a.iter().map(|&a| one(a, Some(b))));
            }
            (None, Some(b)) => {
                let a = self.integer(op)?;
                return all(b.iter().map(|&b| one(Some(a), b)));
            }
            (None, None) => {}
        }
        match how {
            Comparison::Equal => Some(self.types(op)? == other.types(op)?),
            Comparison::Differs => Some(self.types(op)? != other.types(op)?),
            _ => None,
        }
    }

    /// Returns the value as errors show it.
    pub(super) fn shown(&self, op: Op<'_>) -> Option<Message> {
        if let Some(number) = self.integer(op) {
            return Some(Message::from(number.to_string()));
        }
        if let Some(numbers) = self.numbers(op) {
            let one = |n: &Option<i64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
            // A long list is cut: the rest of it is in the text.
            let mut shown: Vec<String> = numbers.iter().take(16).map(one).collect();
            if numbers.len() > shown.len() {
                shown.push("...".to_owned());
            }
            return Some(Message::from(format!("[{}]", shown.join(", "))));
        }
        match self {
            RuleValue::Text(text) => Some(Message::from(format!("'{text}'"))),
            RuleValue::Attribute(attribute) => Some(Message::from("").attribute(*attribute)),
            RuleValue::Types(_) | RuleValue::Values(_) => {
                let types = self.types(op)?;
                let mut message = Message::from("");
                for (number, &ty) in types.iter().take(8).enumerate() {
                    let before = if number > 0 { ", '" } else { "'" };
                    message = message.text(before).ty(ty).text("'");
                }
                (!types.is_empty()).then_some(message)
            }
            _ => None,
        }
    }
}

/// Returns a size; `None` for a dynamic one.
pub(super) fn known(size: i64) -> Option<i64> {
    (size != DYNAMIC).then_some(size)
}

impl From<Parameter<'_>> for RuleValue {
    fn from(parameter: Parameter<'_>) -> Self {
        use crate::codec::FieldValue;
        if parameter.is_absent() {
            return RuleValue::Absent;
        }
        if let Some(attribute) = parameter.attribute() {
            return RuleValue::Attribute(attribute);
        }
        if let Some(ty) = parameter.ty() {
            return Self::type_of(Some(ty));
        }
        if let Some(truth) = parameter.bool() {
            return RuleValue::Truth(truth);
        }
        if let Some(text) = parameter.str() {
            return RuleValue::Text(Arc::from(&*text));
        }
        match parameter.value() {
            FieldValue::List(_) => {
                let items: Vec<Self> = parameter.items().map(Self::from).collect();
                let attributes = items.iter().map(|item| match item {
                    RuleValue::Attribute(attribute) => Some(*attribute),
                    _ => None,
                });
                let types = items.iter().map(|item| match item {
                    RuleValue::Types(types) => types.first().copied(),
                    _ => None,
                });
                let numbers = items.iter().map(|item| match item {
                    RuleValue::Integer(number) => known(*number),
                    _ => None,
                });
                match items.first() {
                    Some(RuleValue::Attribute(_)) => attributes
                        .collect::<Option<_>>()
                        .map_or(RuleValue::Unknown, RuleValue::Attributes),
                    Some(RuleValue::Types(_)) => types
                        .collect::<Option<_>>()
                        .map_or(RuleValue::Unknown, RuleValue::Types),
                    _ => Self::list(numbers.collect()),
                }
            }
            _ => Self::integer_of(parameter.integer()),
        }
    }
}

/// Returns the numbers in an attribute: dense elements of one dimension, a dense array, an array of
/// integers.
fn numbers(context: &Context, attribute: Attribute) -> Option<Numbers> {
    if let Some((_, numbers)) = context.integer_array(attribute) {
        return Some(numbers.map(known).collect());
    }
    match context.attribute_kind(attribute) {
        AttributeKind::DenseArray { element, data, .. } if *element == context.i1_type() => {
            Some(data.iter().map(|&byte| Some(i64::from(byte))).collect())
        }
        AttributeKind::Array(items) => {
            let numbers = items.iter().map(|&item| context.integer_value(item));
            let numbers: Option<Vec<i64>> = numbers.collect();
            Some(numbers?.into_iter().map(Some).collect())
        }
        AttributeKind::DenseElements { .. } => {
            let numbers = context.dense_integers(attribute)?;
            Some(numbers.into_iter().map(Some).collect())
        }
        _ => None,
    }
}

/// Returns the text of a string or symbol reference, or what is in the angle brackets of an
/// attribute of a dialect, such as the keyword of an enumeration's member.
fn text(context: &Context, attribute: Attribute) -> Option<Arc<str>> {
    match context.attribute_kind(attribute) {
        AttributeKind::String { value, .. } => Some(Arc::from(&*context.str(*value))),
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            Some(Arc::from(&*context.str(*root)))
        }
        AttributeKind::Dialect { body, .. } if body.references().is_empty() => {
            let text = std::str::from_utf8(body.text()).ok()?;
            let inner = text.split_once('<').map(|(_, inner)| inner);
            let inner = inner.and_then(|inner| inner.strip_suffix('>'));
            // `#dialect<mnemonic keyword>` keeps its keyword behind a space.
            Some(Arc::from(inner.unwrap_or_else(|| {
                text.split_once(' ').map_or(text, |(_, keyword)| keyword)
            })))
        }
        _ => None,
    }
}

/// Returns the bit width of an integer or float type; 64 for `index`, as upstream's data layout
/// has it without a specification.
pub(super) fn width(context: &Context, ty: Type) -> Option<i64> {
    match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => Some(i64::from(*width)),
        TypeKind::Float(kind) => Some(i64::from(kind.width())),
        _ => None,
    }
}
