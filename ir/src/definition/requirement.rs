//! Rules of an operation as data: the statement `requires`.
//!
//! A rule is an expression over the operation's types, attributes and regions
//! (`spec/dialect-definitions.md`, "Rules"). [`crate::verify`] evaluates it.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::release::ReleaseRange;
use super::{Text, line};
use crate::constraint::TypePredicate;
use crate::verify::{Reach, RuleFunction};
use std::sync::Arc;

/// A rule of an operation: `requires rank(input) == rank(result)`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The expression.
    pub text: Text,
    /// The text of the verifier's error instead of the expression, after "expected"; empty if it
    /// shows the expression. If it is the [whole message](Self::is_message), expressions in braces
    /// are replaced by their values.
    pub summary: Text,
    /// Whether the summary is the whole message of the error.
    pub is_message: bool,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
    pub(crate) rule: Arc<Expression>,
    /// The parts of the message.
    pub(crate) message: Arc<[MessagePart]>,
}

/// A part of the message of a rule.
#[derive(Debug)]
pub(crate) enum MessagePart {
    Text(Box<str>),
    /// An expression, whose value is shown.
    Value(Expression),
}

impl Requirement {
    /// Returns the names of groups, attributes, properties and regions that the rule refers to.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names = Vec::new();
        self.rule.collect_names(&mut Vec::new(), &mut names);
        names.into_iter()
    }
}

/// How deep an expression can nest.
const DEPTH: u32 = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// The quotient, rounded towards negative infinity.
    Divide,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Differs,
    AtMost,
    Less,
    AtLeast,
    More,
}

/// A part of a rule.
#[derive(Debug)]
pub(crate) enum Expression {
    Number(i64),
    Text(Arc<str>),
    /// A group, attribute, property, region, or variable of an enclosing `all`.
    Name(Box<str>),
    Call(RuleFunction, Box<[Expression]>),
    /// `is(x, predicate)`.
    Is(Box<Expression>, TypePredicate),
    Index(Box<(Expression, Expression)>),
    List(Box<[Expression]>),
    Arithmetic(Arithmetic, Box<(Expression, Expression)>),
    /// Each comparison is between two consecutive parts.
    Compare(Box<[Expression]>, Box<[Comparison]>),
    Not(Box<Expression>),
    And(Box<[Expression]>),
    Or(Box<[Expression]>),
    /// The condition, the consequence.
    Implies(Box<(Expression, Expression)>),
    /// The variable; its range; the body.
    All(Box<str>, Box<(Expression, Expression)>),
}

impl Expression {
    fn collect_names<'a>(&'a self, bound: &mut Vec<&'a str>, names: &mut Vec<&'a str>) {
        match self {
            Expression::Number(_) | Expression::Text(_) => {}
            Expression::Name(name) => {
                if !bound.contains(&&**name) {
                    names.push(name);
                }
            }
            Expression::Is(part, _) | Expression::Not(part) => part.collect_names(bound, names),
            Expression::Index(pair)
            | Expression::Arithmetic(_, pair)
            | Expression::Implies(pair) => {
                pair.0.collect_names(bound, names);
                pair.1.collect_names(bound, names);
            }
            Expression::Call(_, parts)
            | Expression::List(parts)
            | Expression::Compare(parts, _)
            | Expression::And(parts)
            | Expression::Or(parts) => {
                for part in parts {
                    part.collect_names(bound, names);
                }
            }
            Expression::All(variable, pair) => {
                pair.0.collect_names(bound, names);
                bound.push(variable);
                pair.1.collect_names(bound, names);
                bound.pop();
            }
        }
    }

    /// Returns what the value depends on beyond the types and attributes of the operation.
    pub(crate) fn reach(&self) -> Reach {
        let most = |parts: &[Expression]| {
            let reaches = parts.iter().map(Expression::reach);
            reaches.max().unwrap_or(Reach::Own)
        };
        match self {
            Expression::Number(_) | Expression::Text(_) | Expression::Name(_) => Reach::Own,
            Expression::Is(part, _) | Expression::Not(part) => part.reach(),
            Expression::Index(pair)
            | Expression::Arithmetic(_, pair)
            | Expression::Implies(pair)
            | Expression::All(_, pair) => pair.0.reach().max(pair.1.reach()),
            Expression::Call(function, parts) => function.reach().max(most(parts)),
            Expression::List(parts)
            | Expression::Compare(parts, _)
            | Expression::And(parts)
            | Expression::Or(parts) => most(parts),
        }
    }
}

type Error = (usize, String);

/// Parses the predicate of a type, with the offset of an error in it.
type Predicates<'p> = &'p dyn Fn(&str) -> Result<TypePredicate, Error>;

/// Parses an expression.
pub(super) fn parse(text: &str, predicates: Predicates<'_>) -> Result<Arc<Expression>, Error> {
    let mut parser = RuleParser {
        text,
        at: 0,
        depth: 0,
        predicates,
    };
    let rule = parser.rule()?;
    match parser.rest() {
        "" => Ok(Arc::new(rule)),
        _ => Err(parser.error("expected an operator or the end of the rule")),
    }
}

/// Parses a message with expressions in braces: `has {rank(x)} dimensions`. `{{...}}` is text in
/// braces.
pub(super) fn parse_message(
    text: &str,
    predicates: Predicates<'_>,
) -> Result<Vec<MessagePart>, Error> {
    let mut parts = Vec::new();
    let (mut rest, mut at) = (text, 0usize);
    while let Some((before, after)) = rest.split_once('{') {
        let start = at.saturating_add(before.len()).saturating_add(1);
        if let Some((text, behind)) = after
            .strip_prefix('{')
            .and_then(|after| after.split_once("}}"))
        {
            parts.push(MessagePart::Text(format!("{before}{{{text}}}").into()));
            rest = behind;
            at = start.saturating_add(text.len()).saturating_add(3);
            continue;
        }
        let Some((value, behind)) = after.split_once('}') else {
            return Err((start, "expected '}' after the expression".to_owned()));
        };
        let mut parser = RuleParser {
            text: value,
            at: 0,
            depth: 0,
            predicates,
        };
        let place = |(at, message): Error| (start.saturating_add(at), message);
        let parsed = parser.rule().map_err(place)?;
        if !parser.rest().is_empty() {
            return Err(place(parser.error("expected an operator or '}'")));
        }
        parts.push(MessagePart::Text(before.into()));
        parts.push(MessagePart::Value(parsed));
        rest = behind;
        at = start.saturating_add(value.len()).saturating_add(1);
    }
    parts.push(MessagePart::Text(rest.into()));
    Ok(parts)
}

struct RuleParser<'t, 'p> {
    text: &'t str,
    at: usize,
    depth: u32,
    predicates: Predicates<'p>,
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Differs),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::More),
];

impl<'t> RuleParser<'t, '_> {
    /// Skips spaces and returns the text that follows.
    fn rest(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = self.text.len().saturating_sub(trimmed.len());
        trimmed
    }

    fn error(&mut self, message: impl Into<String>) -> Error {
        self.rest();
        (self.at, message.into())
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at = self.at.saturating_add(token.len());
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), Error> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.error(format!("expected '{token}'"))),
        }
    }

    /// Returns the word at the current position; empty if there is none.
    fn peek_word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at = self.at.saturating_add(word.len());
        }
        found
    }

    fn name(&mut self) -> Result<&'t str, Error> {
        let word = self.peek_word();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(self.error("expected a name"));
        }
        self.at = self.at.saturating_add(word.len());
        Ok(word)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth >= DEPTH {
            return Err(self.error(format!("the rule nests more than {DEPTH} deep")));
        }
        self.depth = self.depth.saturating_add(1);
        let result = read(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// `all name in expression: rule`, or an implication.
    fn rule(&mut self) -> Result<Expression, Error> {
        self.nested(|p| {
            if p.eat_word("all") {
                let variable = p.name()?.into();
                if !p.eat_word("in") {
                    return Err(p.error("expected 'in'"));
                }
                let source = p.sum()?;
                p.expect(":")?;
                let body = p.rule()?;
                return Ok(Expression::All(variable, Box::new((source, body))));
            }
            let condition = p.any()?;
            if !p.eat_word("implies") {
                return Ok(condition);
            }
            let consequence = p.rule()?;
            Ok(Expression::Implies(Box::new((condition, consequence))))
        })
    }

    /// Parses one or more parts with a word between them.
    fn separated(
        &mut self,
        word: &str,
        read: fn(&mut Self) -> Result<Expression, Error>,
        join: fn(Box<[Expression]>) -> Expression,
    ) -> Result<Expression, Error> {
        let first = read(self)?;
        if self.peek_word() != word {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat_word(word) {
            parts.push(read(self)?);
        }
        Ok(join(parts.into()))
    }

    fn any(&mut self) -> Result<Expression, Error> {
        self.separated("or", Self::every, Expression::Or)
    }

    fn every(&mut self) -> Result<Expression, Error> {
        self.separated("and", Self::negation, Expression::And)
    }

    fn negation(&mut self) -> Result<Expression, Error> {
        match self.eat_word("not") {
            true => self.nested(|p| Ok(Expression::Not(Box::new(p.negation()?)))),
            false => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Result<Expression, Error> {
        let first = self.sum()?;
        let (mut parts, mut comparisons) = (vec![first], Vec::new());
        while let Some(&(_, found)) = COMPARISONS.iter().find(|row| self.eat(row.0)) {
            comparisons.push(found);
            parts.push(self.sum()?);
        }
        match (parts.pop(), comparisons.is_empty()) {
            (Some(only), true) => Ok(only),
            (last, _) => {
                parts.extend(last);
                Ok(Expression::Compare(parts.into(), comparisons.into()))
            }
        }
    }

    fn sum(&mut self) -> Result<Expression, Error> {
        let mut left = self.product()?;
        loop {
            let operator = match () {
                () if self.eat("+") => Arithmetic::Add,
                () if self.eat("-") => Arithmetic::Subtract,
                () => return Ok(left),
            };
            let right = self.product()?;
            left = Expression::Arithmetic(operator, Box::new((left, right)));
        }
    }

    fn product(&mut self) -> Result<Expression, Error> {
        let mut left = self.unary()?;
        loop {
            let operator = match () {
                () if self.eat("*") => Arithmetic::Multiply,
                () if self.eat("/") => Arithmetic::Divide,
                () if self.eat("%") => Arithmetic::Remainder,
                () => return Ok(left),
            };
            let right = self.unary()?;
            left = Expression::Arithmetic(operator, Box::new((left, right)));
        }
    }

    fn unary(&mut self) -> Result<Expression, Error> {
        if self.eat("-") {
            let part = self.nested(Self::unary)?;
            let pair = Box::new((Expression::Number(0), part));
            return Ok(Expression::Arithmetic(Arithmetic::Subtract, pair));
        }
        let mut part = self.primary()?;
        while self.eat("[") {
            let index = self.nested(Self::sum)?;
            self.expect("]")?;
            part = Expression::Index(Box::new((part, index)));
        }
        Ok(part)
    }

    fn list(&mut self, close: &str) -> Result<Box<[Expression]>, Error> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items.into());
        }
        loop {
            items.push(self.rule()?);
            if !self.eat(",") {
                self.expect(close)?;
                return Ok(items.into());
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, Error> {
        if self.eat("(") {
            let inner = self.rule()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat("[") {
            return self.list("]").map(Expression::List);
        }
        if self.eat("'") {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some((text, _)) = rest.split_once('\'') else {
                return Err(self.error("expected ''' at the end of the text"));
            };
            self.at = self.at.saturating_add(text.len()).saturating_add(1);
            return Ok(Expression::Text(text.into()));
        }
        let word = self.peek_word();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = word.parse().map_err(|_| self.error("expected a number"))?;
            self.at = self.at.saturating_add(word.len());
            return Ok(Expression::Number(number));
        }
        let start = self.at;
        let name = self.name()?;
        if !self.eat("(") {
            return Ok(Expression::Name(name.into()));
        }
        if name == "is" {
            let part = self.rule()?;
            self.expect(",")?;
            return self.predicate(part);
        }
        let Some(function) = RuleFunction::find(name) else {
            let message = line::unknown("function", name, RuleFunction::names());
            return Err((start, message));
        };
        let arguments = self.list(")")?;
        match function.takes(arguments.len()) {
            true => Ok(Expression::Call(function, arguments)),
            false => Err((start, format!("'{name}' has another number of arguments"))),
        }
    }

    /// Parses a predicate up to the closing parenthesis.
    fn predicate(&mut self, part: Expression) -> Result<Expression, Error> {
        let rest = self.rest();
        let mut open = 1usize;
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '(' => open = open.saturating_add(1),
                ')' => open = open.saturating_sub(1),
                _ => {}
            }
            (open == 0).then_some(at)
        });
        let Some(text) = end.and_then(|end| rest.get(..end)) else {
            return Err(self.error("expected a predicate and ')'"));
        };
        let at = self.at;
        let predicate = (self.predicates)(text);
        let predicate = predicate.map_err(|(place, why)| (at.saturating_add(place), why))?;
        self.at = at.saturating_add(text.len()).saturating_add(1);
        Ok(Expression::Is(Box::new(part), predicate))
    }
}
