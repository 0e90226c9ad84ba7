//! Parses predicates into decision graphs.

use super::pattern::Pattern;
use crate::ir::nearest_name;
use std::cmp::Ordering;
use std::fmt;

/// A text that is not a predicate.
///
/// ```
/// let error = rmlir::query::Query::parse("typ = f32").unwrap_err();
/// assert_eq!(error.offset(), 0);
/// assert!(error.message().contains("did you mean 'type'?"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    offset: usize,
    /// Counted in characters, from 1.
    column: usize,
    message: String,
}

impl QueryError {
    /// Returns the byte offset of the error in the predicate.
    ///
    /// ```
    /// let error = rmlir::query::Query::parse("func.func )").unwrap_err();
    /// assert_eq!(error.offset(), 10);
    /// ```
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the message of the error, without the position.
    ///
    /// ```
    /// let error = rmlir::query::Query::parse("constant > many").unwrap_err();
    /// assert_eq!(error.message(), "expected a number, found 'many'");
    /// ```
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "predicate, column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for QueryError {}

impl From<QueryError> for crate::Error {
    fn from(error: QueryError) -> Self {
        crate::Error::request(error.to_string())
    }
}

/// The subject of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    Op,
    Dialect,
    Symbol,
    In,
    Attr,
    Attribute(Box<[u8]>),
    Operand,
    Result,
    Type,
    Loc,
    Constant,
    Operands,
    Results,
    Regions,
    Uses,
}

/// The names of the fields. `attr.NAME` is not in the list.
const FIELDS: [(&str, Subject); 14] = [
    ("op", Subject::Op),
    ("dialect", Subject::Dialect),
    ("symbol", Subject::Symbol),
    ("in", Subject::In),
    ("attr", Subject::Attr),
    ("operand", Subject::Operand),
    ("result", Subject::Result),
    ("type", Subject::Type),
    ("loc", Subject::Loc),
    ("constant", Subject::Constant),
    ("operands", Subject::Operands),
    ("results", Subject::Results),
    ("regions", Subject::Regions),
    ("uses", Subject::Uses),
];

impl Subject {
    fn is_number(&self) -> bool {
        matches!(
            self,
            Subject::Constant
                | Subject::Operands
                | Subject::Results
                | Subject::Regions
                | Subject::Uses
        )
    }
}

/// How a test compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    Exists,
    Text(Pattern),
    /// A path of names, the innermost last.
    Path(Vec<Pattern>),
    /// The orderings of the subject and the number that hold.
    Number(&'static [Ordering], i64),
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub(crate) subject: Subject,
    pub(crate) check: Check,
    pub(crate) negated: bool,
}

/// The node after which the predicate holds.
pub(super) const TRUE: u32 = u32::MAX;
/// The node after which it does not.
pub(super) const FALSE: u32 = u32::MAX - 1;

/// A test, and the node that follows if it holds and if not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) test: Test,
    pub(super) next: [u32; 2],
}

/// A part of a graph: its first node, and the exits (node, branch) that are not connected yet.
struct Fragment {
    entry: u32,
    /// By whether the part holds.
    exits: [Vec<(u32, usize)>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Or,
    And,
    Not,
    Open,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    /// Bytes, each with whether it denotes itself.
    Word(Vec<(u8, bool)>),
    /// A word in quotes.
    Quoted(Vec<(u8, bool)>),
    Comparison(&'static str),
    End,
}

/// Parses a predicate; returns its nodes and the first one.
pub(super) fn parse(text: &str) -> Result<(Vec<Node>, u32), QueryError> {
    Parser {
        text,
        at: 0,
        nodes: Vec::new(),
        values: Vec::new(),
        operators: Vec::new(),
    }
    .parse()
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
    /// Complete parts, and the operators that wait for their last operand, with their positions.
    values: Vec<Fragment>,
    operators: Vec<(Operator, usize)>,
}

impl Parser<'_> {
    fn parse(mut self) -> Result<(Vec<Node>, u32), QueryError> {
        loop {
            self.operand()?;
            // After an operand: close parentheses, then connect it with the next one.
            loop {
                let (token, start) = self.next(false)?;
                match token {
                    Token::And => {
                        self.reduce(Operator::And);
                        self.operators.push((Operator::And, start));
                        break;
                    }
                    Token::Or => {
                        self.reduce(Operator::Or);
                        self.operators.push((Operator::Or, start));
                        break;
                    }
                    Token::Close => {
                        self.reduce(Operator::Or);
                        if self.operators.pop().is_none() {
                            return Err(self.error(start, "')' without '('"));
                        }
                        self.reduce_nots();
                    }
                    Token::End => {
                        self.reduce(Operator::Or);
                        if let Some(&(_, open)) = self.operators.last() {
                            return Err(self.error(open, "'(' without ')'"));
                        }
                        return Ok(self.finish());
                    }
                    other => {
                        let message = format!("expected 'and' or 'or', found {}", shown(&other));
                        return Err(self.error(start, &message));
                    }
                }
            }
        }
    }

    /// Parses `not`, `(` and a test.
    fn operand(&mut self) -> Result<(), QueryError> {
        loop {
            let (token, start) = self.next(false)?;
            match token {
                Token::Open => self.operators.push((Operator::Open, start)),
                Token::Not => self.operators.push((Operator::Not, start)),
                Token::Word(word) => {
                    self.test(word, start)?;
                    self.reduce_nots();
                    return Ok(());
                }
                Token::Quoted(glob) => {
                    self.push(Subject::Op, Check::Text(Pattern::new(&glob, false)), false);
                    self.reduce_nots();
                    return Ok(());
                }
                other => {
                    let message = format!("expected a test, found {}", shown(&other));
                    return Err(self.error(start, &message));
                }
            }
        }
    }

    /// Parses a test that begins with a word.
    fn test(&mut self, word: Vec<(u8, bool)>, start: usize) -> Result<(), QueryError> {
        let name: Vec<u8> = word.iter().map(|&(byte, _)| byte).collect();
        let field = FIELDS.iter().find(|(field, _)| field.as_bytes() == name);
        let subject = match (field, name.strip_prefix(b"attr.")) {
            (Some((_, subject)), _) => Some(subject.clone()),
            (None, Some(attribute)) if !attribute.is_empty() => {
                Some(Subject::Attribute(attribute.into()))
            }
            _ => None,
        };
        let before = self.at;
        let (token, operator_start) = self.next(false)?;
        let Token::Comparison(operator) = token else {
            self.at = before;
            return match subject {
                Some(subject @ Subject::Attribute(_)) => {
                    self.push(subject, Check::Exists, false);
                    Ok(())
                }
                Some(_) => {
                    let message = format!(
                        "expected a comparison after '{}', found {}; an operation of that name is 'op = {0}'",
                        String::from_utf8_lossy(&name),
                        shown(&token)
                    );
                    Err(self.error(operator_start, &message))
                }
                None => {
                    self.push(Subject::Op, Check::Text(Pattern::new(&word, false)), false);
                    Ok(())
                }
            };
        };
        let Some(subject) = subject else {
            let fields = FIELDS.iter().map(|(field, _)| *field);
            let name = String::from_utf8_lossy(&name);
            let hint = match nearest_name(name.as_bytes(), fields) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("an attribute is 'attr.{name}'"),
            };
            return Err(self.error(start, &format!("there is no field '{name}'; {hint}")));
        };
        let (token, value_start) = self.next(true)?;
        let (Token::Word(value) | Token::Quoted(value)) = token else {
            let message = format!("expected a value, found {}", shown(&token));
            return Err(self.error(value_start, &message));
        };
        let orderings = match operator {
            "<" => Some(&[Ordering::Less][..]),
            "<=" => Some(&[Ordering::Less, Ordering::Equal][..]),
            ">" => Some(&[Ordering::Greater][..]),
            ">=" => Some(&[Ordering::Greater, Ordering::Equal][..]),
            "=" | "!=" if subject.is_number() => Some(&[Ordering::Equal][..]),
            _ => None,
        };
        let check = match orderings {
            Some(orderings) => {
                if !subject.is_number() && !matches!(subject, Subject::Attribute(_)) {
                    let message = format!("'{operator}' compares numbers; texts have '=' and '~'");
                    return Err(self.error(operator_start, &message));
                }
                let value: Vec<u8> = value.iter().map(|&(byte, _)| byte).collect();
                let value = String::from_utf8_lossy(&value);
                let Some(number) = number(&value) else {
                    let message = format!("expected a number, found '{value}'");
                    return Err(self.error(value_start, &message));
                };
                Check::Number(orderings, number)
            }
            None if subject.is_number() => {
                let message = format!("'{operator}' compares texts; numbers have '=', '<', '>'");
                return Err(self.error(operator_start, &message));
            }
            None => {
                let anywhere = operator.ends_with('~');
                let pattern = Pattern::new(&value, anywhere);
                match subject {
                    Subject::Symbol | Subject::In => Check::Path(pattern.split_path()),
                    _ => Check::Text(pattern),
                }
            }
        };
        self.push(subject, check, operator.starts_with('!'));
        Ok(())
    }

    fn push(&mut self, subject: Subject, check: Check, negated: bool) {
        let entry = self.nodes.len() as u32;
        self.nodes.push(Node {
            test: Test {
                subject,
                check,
                negated,
            },
            next: [FALSE, TRUE],
        });
        self.values.push(Fragment {
            entry,
            exits: [vec![(entry, 0)], vec![(entry, 1)]],
        });
    }

    /// Applies the `not`s that precede the last operand.
    fn reduce_nots(&mut self) {
        while let Some((Operator::Not, _)) = self.operators.last() {
            self.operators.pop();
            if let Some(last) = self.values.last_mut() {
                last.exits.swap(0, 1);
            }
        }
    }

    /// Applies the operators that bind at least as strongly as `than`, up to a parenthesis.
    fn reduce(&mut self, than: Operator) {
        while let Some(&(operator, _)) = self.operators.last() {
            let applies = match operator {
                Operator::Open | Operator::Not => false,
                Operator::And => true,
                Operator::Or => than == Operator::Or,
            };
            if !applies {
                return;
            }
            self.operators.pop();
            let (Some(right), Some(mut left)) = (self.values.pop(), self.values.pop()) else {
                debug_assert!(false, "an operator lacks an operand");
                return;
            };
            // The result that needs the right side, and the one that does not.
            let (needs, done) = match operator {
                Operator::And => (1, 0),
                _ => (0, 1),
            };
            for (node, branch) in std::mem::take(&mut left.exits[needs]) {
                if let Some(node) = self.nodes.get_mut(node as usize) {
                    node.next[branch] = right.entry;
                }
            }
            let [falses, trues] = right.exits;
            let (needed, other) = match needs {
                1 => (trues, falses),
                _ => (falses, trues),
            };
            left.exits[needs] = needed;
            // The shorter list is appended, so that all appending is O(n log n).
            let exits = &mut left.exits[done];
            let mut shorter = other;
            if shorter.len() > exits.len() {
                std::mem::swap(&mut shorter, exits);
            }
            exits.append(&mut shorter);
            self.values.push(left);
        }
    }

    fn finish(mut self) -> (Vec<Node>, u32) {
        let Some(whole) = self.values.pop() else {
            debug_assert!(false, "a predicate has a test");
            return (self.nodes, FALSE);
        };
        for (exits, to) in whole.exits.iter().zip([FALSE, TRUE]) {
            for &(node, branch) in exits {
                if let Some(node) = self.nodes.get_mut(node as usize) {
                    node.next[branch] = to;
                }
            }
        }
        (self.nodes, whole.entry)
    }

    /// Reads the next token and its offset. A value may contain the characters of comparisons.
    fn next(&mut self, value: bool) -> Result<(Token, usize), QueryError> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(&first) = rest.first() else {
            return Ok((Token::End, start));
        };
        if first == b'"' {
            return self.quoted(start);
        }
        for (text, token) in [("(", Token::Open), (")", Token::Close)] {
            if rest.starts_with(text.as_bytes()) && !(value && text == "(") {
                self.at += 1;
                return Ok((token, start));
            }
        }
        if !value {
            for operator in ["!=", "!~", "<=", ">=", "=", "~", "<", ">"] {
                if rest.starts_with(operator.as_bytes()) {
                    self.at += operator.len();
                    return Ok((Token::Comparison(operator), start));
                }
            }
        }
        let ends = |byte: u8| {
            byte.is_ascii_whitespace() || byte == b')' || (!value && b"(=!~<>\"".contains(&byte))
        };
        let len = rest.iter().position(|&byte| ends(byte));
        let word = rest.get(..len.unwrap_or(rest.len())).unwrap_or_default();
        if word.is_empty() {
            let message = format!("unexpected '{}'", char::from(first));
            return Err(self.error(start, &message));
        }
        self.at += word.len();
        let token = match word {
            b"and" if !value => Token::And,
            b"or" if !value => Token::Or,
            b"not" if !value => Token::Not,
            _ => Token::Word(word.iter().map(|&byte| (byte, false)).collect()),
        };
        Ok((token, start))
    }

    fn quoted(&mut self, start: usize) -> Result<(Token, usize), QueryError> {
        let rest = self.text.as_bytes().get(start + 1..).unwrap_or_default();
        let mut text = Vec::new();
        let mut bytes = rest.iter().enumerate();
        while let Some((at, &byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.at = start + at + 2;
                    return Ok((Token::Quoted(text), start));
                }
                b'\\' => text.extend(bytes.next().map(|(_, &byte)| (byte, true))),
                byte => text.push((byte, false)),
            }
        }
        Err(self.error(start, "the quotation mark is not closed"))
    }

    fn error(&self, offset: usize, message: &str) -> QueryError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        QueryError {
            offset,
            column: before.chars().count() + 1,
            message: message.to_owned(),
        }
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Open => "'('".to_owned(),
        Token::Close => "')'".to_owned(),
        Token::And => "'and'".to_owned(),
        Token::Or => "'or'".to_owned(),
        Token::Not => "'not'".to_owned(),
        Token::Word(word) | Token::Quoted(word) => {
            let bytes: Vec<u8> = word.iter().map(|&(byte, _)| byte).collect();
            format!("'{}'", String::from_utf8_lossy(&bytes))
        }
        Token::Comparison(operator) => format!("'{operator}'"),
        Token::End => "the end".to_owned(),
    }
}

/// Parses a number with an optional unit.
fn number(text: &str) -> Option<i64> {
    let end = text
        .char_indices()
        .find(|&(at, c)| !(c.is_ascii_digit() || c == '_' || (at == 0 && c == '-')))
        .map_or(text.len(), |(at, _)| at);
    let (digits, unit) = text.split_at_checked(end)?;
    let factor = match unit.trim() {
        "" | "B" => 1,
        "kB" | "KB" => 1000,
        "MB" => 1000 * 1000,
        "GB" => 1000 * 1000 * 1000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    let number: i64 = digits.replace('_', "").parse().ok()?;
    number.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::{number, parse};

    #[test]
    fn numbers() {
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("-3"), Some(-3));
        assert_eq!(number("1_000kB"), Some(1_000_000));
        assert_eq!(number("2MiB"), Some(2 << 20));
        for wrong in [
            "",
            "x",
            "1x",
            "1.5",
            "99999999999999999999",
            "9999999999GiB",
        ] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn errors_have_places() {
        for (text, column, message) in [
            ("", 1, "expected a test, found the end"),
            ("a.b or", 7, "expected a test, found the end"),
            ("(a.b", 1, "'(' without ')'"),
            ("a.b)", 4, "')' without '('"),
            ("a.b c.d", 5, "expected 'and' or 'or', found 'c.d'"),
            ("\u{e4} and = 3", 7, "expected a test, found '='"),
            ("op = ", 6, "expected a value, found the end"),
            ("op < 3", 4, "'<' compares numbers; texts have '=' and '~'"),
            (
                "uses ~ 3",
                6,
                "'~' compares texts; numbers have '=', '<', '>'",
            ),
            ("constant > 1XB", 12, "expected a number, found '1XB'"),
            ("op = \"a", 6, "the quotation mark is not closed"),
            (
                "zzz = 3",
                1,
                "there is no field 'zzz'; an attribute is 'attr.zzz'",
            ),
            (
                "loc and a",
                5,
                "expected a comparison after 'loc', found 'and'; an operation of that name is 'op = loc'",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.column, column, "{text}");
            assert_eq!(error.message, message, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_not_recursive() {
        let deep = "(not ".repeat(100_000) + "a.b" + &")".repeat(100_000);
        assert!(parse(&deep).is_ok());
        let long = "a.b or ".repeat(100_000) + "a.b";
        assert!(parse(&long).is_ok());
    }
}
