//! The rules of definitions (`requires`): evaluation of their expressions for an operation.
//!
//! The logic has three values: an expression that depends on a dynamic size, an unranked type, an
//! absent group or an unknown type has no value, and a rule is violated only if it is false.
//!
//! * [`value`]: the values of expressions, [`items`]: their lists; [`functions`]: the table of
//!   functions.

mod functions;
mod items;
mod value;

use super::{Message, VerifyFailure, VerifyResult};
use crate::definition::{
    Arithmetic, Comparison, Expression, MessagePart, OperationDefinition, Requirement,
};
use crate::op::Op;
use crate::{Context, SymbolTableCollection};
pub(crate) use functions::{Reach, RuleFunction};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::Arc;
use value::RuleValue;

/// How many parts of expressions and elements of lists are evaluated for one rule of one operation.
/// A rule that needs more is not decided. The rules of the bundled definitions need less than one
/// hundred for each operand and each dimension.
const STEPS: u32 = 1 << 18;

/// The arguments of a function, or the sides of comparisons.
type Arguments = SmallVec<[RuleValue; 3]>;

/// The rules of an operation in a release.
pub(super) struct Requirements<'c> {
    /// Those that depend only on types and attributes.
    plain: Box<[&'c Requirement]>,
    /// Those that depend on regions or on other operations.
    around: Box<[&'c Requirement]>,
    /// Those that depend on symbols.
    symbols: Box<[&'c Requirement]>,
}

impl<'c> Requirements<'c> {
    pub(super) fn new(context: &Context, definition: Option<&'c OperationDefinition>) -> Self {
        let rules = definition.into_iter();
        let rules = rules.flat_map(|d| d.requirements_in(context.release()));
        let rules: Vec<&Requirement> = rules.collect();
        let of = |reach| {
            let all = rules.iter().copied();
            all.filter(|r| r.rule.reach() == reach).collect()
        };
        Requirements {
            plain: of(Reach::Own),
            around: of(Reach::Around),
            symbols: of(Reach::Symbols),
        }
    }

    pub(super) fn has_plain(&self) -> bool {
        !self.plain.is_empty()
    }

    pub(super) fn has_around(&self) -> bool {
        !self.around.is_empty()
    }

    pub(super) fn use_symbols(&self) -> bool {
        !self.symbols.is_empty()
    }

    pub(super) fn check_plain(&self, op: Op<'_>) -> VerifyResult {
        check(&self.plain, op, None)
    }

    pub(super) fn check_around(&self, op: Op<'_>) -> VerifyResult {
        check(&self.around, op, None)
    }

    /// Checks the rules that depend on symbols.
    pub(super) fn check_symbols(
        &self,
        op: Op<'_>,
        symbols: &mut SymbolTableCollection,
    ) -> VerifyResult {
        check(&self.symbols, op, Some(symbols))
    }
}

fn check<'r>(
    rules: &[&'r Requirement],
    op: Op<'_>,
    symbols: Option<&'r mut SymbolTableCollection>,
) -> VerifyResult {
    if rules.is_empty() {
        return Ok(());
    }
    let mut evaluator = Evaluator {
        op,
        named: Vec::new(),
        bound: Vec::new(),
        steps: Cell::new(STEPS),
        symbols,
    };
    for requirement in rules {
        evaluator.steps.set(STEPS);
        if evaluator.value(&requirement.rule).truth() == Some(false) {
            return Err(evaluator.failure(requirement));
        }
    }
    Ok(())
}

/// The evaluation of rules for an operation.
struct Evaluator<'a, 'r> {
    op: Op<'a>,
    /// The values of groups, attributes and regions that were asked for, which are few.
    named: Vec<(&'r str, RuleValue)>,
    /// The variables of the enclosing `all`, innermost last.
    bound: Vec<(&'r str, RuleValue)>,
    steps: Cell<u32>,
    symbols: Option<&'r mut SymbolTableCollection>,
}

impl<'r> Evaluator<'_, 'r> {
    fn value(&mut self, expression: &'r Expression) -> RuleValue {
        if !self.take(1) {
            return RuleValue::Unknown;
        }
        match expression {
            Expression::Number(number) => RuleValue::Integer(*number),
            Expression::Text(text) => RuleValue::Text(Arc::clone(text)),
            Expression::Name(name) => self.name(name),
            Expression::Call(function, parts) => match &**parts {
                // Most calls; nothing is collected.
                [part] => {
                    let value = self.value(part);
                    self.call(*function, &[value])
                }
                parts => {
                    let values: Arguments = parts.iter().map(|part| self.value(part)).collect();
                    self.call(*function, &values)
                }
            },
            Expression::Is(part, predicate) => {
                let ty = self.value(part).ty(self.op);
                let holds = ty.and_then(|ty| predicate.holds(self.op.context, ty));
                RuleValue::truth_of(holds)
            }
            Expression::Index(pair) => {
                let (list, index) = (self.value(&pair.0), self.value(&pair.1));
                let index = index.integer(self.op).and_then(|i| usize::try_from(i).ok());
                index.map_or(RuleValue::Unknown, |index| list.item(self.op, index))
            }
            Expression::List(parts) => {
                let mut numbers = Vec::with_capacity(parts.len());
                for part in parts {
                    numbers.push(self.value(part).integer(self.op));
                }
                RuleValue::list(numbers)
            }
            Expression::Arithmetic(operator, pair) => {
                let (left, right) = (self.value(&pair.0), self.value(&pair.1));
                match self.take(left.size().saturating_add(right.size())) {
                    true => left.combine(&right, self.op, |a, b| operator.apply(a, b)),
                    false => RuleValue::Unknown,
                }
            }
            Expression::Compare(parts, comparisons) => match (&**parts, &**comparisons) {
                ([left, right], [how]) => {
                    let (left, right) = (self.value(left), self.value(right));
                    match self.take(left.size().saturating_add(right.size())) {
                        true => RuleValue::truth_of(left.compare(&right, *how, self.op)),
                        false => RuleValue::Unknown,
                    }
                }
                _ => self.compare(parts, comparisons),
            },
            Expression::Not(part) => {
                let truth = self.value(part).truth();
                RuleValue::truth_of(truth.map(|truth| !truth))
            }
            Expression::And(parts) => RuleValue::truth_of(self.every(parts)),
            Expression::Or(parts) => {
                let mut result = Some(false);
                for part in parts {
                    match self.value(part).truth() {
                        Some(true) => return RuleValue::Truth(true),
                        Some(false) => {}
                        None => result = None,
                    }
                }
                RuleValue::truth_of(result)
            }
            Expression::Implies(pair) => match self.value(&pair.0).truth() {
                Some(true) => self.value(&pair.1),
                Some(false) => RuleValue::Truth(true),
                None => RuleValue::Unknown,
            },
            Expression::All(variable, pair) => {
                let items = self.value(&pair.0).items(self.op);
                let mut result = Some(true);
                for item in items {
                    match self.with(variable, item, &pair.1).truth() {
                        Some(false) => return RuleValue::Truth(false),
                        Some(true) => {}
                        None => result = None,
                    }
                }
                RuleValue::truth_of(result)
            }
        }
    }

    /// Calls a function, if there are enough steps.
    fn call(&mut self, function: RuleFunction, values: &[RuleValue]) -> RuleValue {
        let size = values.iter().map(RuleValue::size).sum();
        match self.take(size) {
            true => function.call(self.op, values, self.symbols.as_deref_mut()),
            false => RuleValue::Unknown,
        }
    }

    /// Compares each part with the next one.
    fn compare(&mut self, parts: &'r [Expression], comparisons: &[Comparison]) -> RuleValue {
        let values: Arguments = parts.iter().map(|part| self.value(part)).collect();
        let size = values.iter().map(RuleValue::size).sum();
        if !self.take(size) {
            return RuleValue::Unknown;
        }
        let pairs = values.windows(2).zip(comparisons);
        let results = pairs.map(|(pair, comparison)| match pair {
            [left, right] => left.compare(right, *comparison, self.op),
            _ => None,
        });
        RuleValue::truth_of(all(results))
    }

    /// Evaluates an expression with a variable.
    fn with(&mut self, variable: &'r str, item: RuleValue, body: &'r Expression) -> RuleValue {
        self.bound.push((variable, item));
        let value = self.value(body);
        self.bound.pop();
        value
    }

    fn every(&mut self, parts: &'r [Expression]) -> Option<bool> {
        let mut result = Some(true);
        for part in parts {
            match self.value(part).truth() {
                Some(false) => return Some(false),
                Some(true) => {}
                None => result = None,
            }
        }
        result
    }

    /// Takes steps from the budget; returns whether there are enough.
    fn take(&self, steps: usize) -> bool {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let left = self.steps.get().checked_sub(steps);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    fn name(&mut self, name: &'r str) -> RuleValue {
        let mut known = self.bound.iter().rev().chain(&self.named);
        if let Some((_, value)) = known.find(|(known, _)| *known == name) {
            return value.clone();
        }
        let value = RuleValue::named(self.op, name);
        self.named.push((name, value.clone()));
        value
    }

    /// Returns the error for a rule that is false.
    #[cold]
    fn failure(&mut self, requirement: &'r Requirement) -> Box<VerifyFailure> {
        if requirement.is_message {
            self.steps.set(STEPS);
            return VerifyFailure::op(self.message(&requirement.rule, &requirement.message));
        }
        let expected = match &*requirement.summary {
            "" => &*requirement.text,
            summary => summary,
        };
        let message = Message::from(format!("expected {expected}"));
        self.steps.set(STEPS);
        VerifyFailure::op(match self.explain(&requirement.rule) {
            Some(values) if !values.is_empty() => join(message.text(", but got "), values),
            _ => message,
        })
    }

    /// Returns the message of a rule that is false, with the variables of that item of each `all`
    /// for which it is.
    fn message(&mut self, rule: &'r Expression, parts: &'r [MessagePart]) -> Message {
        match rule {
            Expression::Implies(pair) => self.message(&pair.1, parts),
            Expression::All(variable, pair) => {
                for item in self.value(&pair.0).items(self.op) {
                    if self.with(variable, item.clone(), &pair.1).truth() == Some(false) {
                        self.bound.push((variable, item));
                        let message = self.message(&pair.1, parts);
                        self.bound.pop();
                        return message;
                    }
                }
                Message::from("")
            }
            _ => {
                let empty = Message::from("");
                parts.iter().fold(empty, |message, part| match part {
                    MessagePart::Text(text) => message.text(text),
                    MessagePart::Value(value) => match self.value(value).shown(self.op) {
                        Some(shown) => message.append(shown),
                        None => message.text("?"),
                    },
                })
            }
        }
    }

    /// Returns the values that a false comparison compares.
    fn explain(&mut self, expression: &'r Expression) -> Option<Vec<Message>> {
        match expression {
            Expression::Implies(pair) => self.explain(&pair.1),
            Expression::And(parts) => {
                let mut parts = parts.iter();
                let part = parts.find(|part| self.value(part).truth() == Some(false))?;
                self.explain(part)
            }
            Expression::All(variable, pair) => {
                for item in self.value(&pair.0).items(self.op) {
                    if self.with(variable, item.clone(), &pair.1).truth() == Some(false) {
                        self.bound.push((variable, item));
                        let found = self.explain(&pair.1);
                        self.bound.pop();
                        return found;
                    }
                }
                None
            }
            Expression::Compare(parts, _) => {
                let parts = parts
                    .iter()
                    .filter(|part| !matches!(part, Expression::Number(_) | Expression::Text(_)));
                let values: Vec<RuleValue> = parts.map(|part| self.value(part)).collect();
                values.iter().map(|value| value.shown(self.op)).collect()
            }
            Expression::Is(part, _) => {
                let value = self.value(part);
                Some(vec![value.shown(self.op)?])
            }
            _ => None,
        }
    }
}

/// Appends messages, with "and" between them.
fn join(message: Message, parts: Vec<Message>) -> Message {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or_else(|| Message::from(""));
    parts.fold(message.append(first), |message, part| {
        message.text(" and ").append(part)
    })
}

/// Returns the conjunction of truth values.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for value in values {
        match value {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

impl Arithmetic {
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => {
                let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
                match rest != 0 && (rest < 0) != (b < 0) {
                    true => quotient.checked_sub(1),
                    false => Some(quotient),
                }
            }
            Arithmetic::Remainder => a.checked_rem(b),
        }
    }
}

impl Comparison {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Differs => order.is_ne(),
            Comparison::AtMost => order.is_le(),
            Comparison::Less => order.is_lt(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::More => order.is_gt(),
        }
    }
}
