//! Parses predicates on types.

use super::{
    MAX_DEPTH, MAX_PARTS, Names, Node, PredicateError, SHAPED, TypePredicate, WIDTHS, WORDS,
};
use crate::constraint::TypeConstraint;
use crate::float::FloatKind;
use std::sync::Arc;

/// The keyword of complex types, which takes a predicate on elements as those of [`SHAPED`] do.
const COMPLEX: &str = "complex";

impl TypePredicate {
    /// Parses a predicate in the syntax of definitions. It can refer only to builtin constraints.
    /// Takes time linear in the text.
    ///
    /// # Errors
    ///
    /// The byte offset of the error, and its message.
    ///
    /// ```
    /// use rmlir_ir::constraint::TypePredicate;
    ///
    /// let predicate = TypePredicate::new("index | vector<i1 | FloatLike> & rank(1)")?;
    /// assert_eq!(predicate.to_string(), "index | vector<i1 | FloatLike> & rank(1)");
    /// # Ok::<(), (usize, String)>(())
    /// ```
    pub fn new(text: &str) -> Result<Self, (usize, String)> {
        Self::parse(text, &|name| TypeConstraint::find(name).cloned())
    }

    /// Returns the predicate that has no verdict on any type.
    pub fn unknown() -> Self {
        TypePredicate {
            node: Node::Unknown,
            depth: 1,
            parts: 1,
        }
    }

    /// Parses a predicate. `find` resolves the names of constraints.
    pub(crate) fn parse(
        text: &str,
        find: &dyn Fn(&str) -> Option<Arc<TypeConstraint>>,
    ) -> Result<Self, PredicateError> {
        let mut parser = Parser { text, at: 0, find };
        let predicate = parser.one_of(1)?;
        match parser.rest() {
            "" => Ok(predicate),
            _ => parser.fail("expected '|', '&' or the end"),
        }
    }

    /// Returns whether a keyword can be followed by `<PREDICATE>`, a condition on elements. Takes
    /// time linear in the number of such keywords.
    pub fn takes_elements(word: &str) -> bool {
        word == COMPLEX || SHAPED.iter().any(|row| row.0 == word)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    find: &'a dyn Fn(&str) -> Option<Arc<TypeConstraint>>,
}

impl<'a> Parser<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = self.text.len().saturating_sub(trimmed.len());
        trimmed
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Result<T, PredicateError> {
        self.rest();
        Err((self.at, message.into()))
    }

    fn eat(&mut self, punctuation: char) -> bool {
        let found = self.rest().starts_with(punctuation);
        if found {
            self.at = self.at.saturating_add(punctuation.len_utf8());
        }
        found
    }

    fn expect(&mut self, punctuation: char) -> Result<(), PredicateError> {
        match self.eat(punctuation) {
            true => Ok(()),
            false => self.fail(format!("expected '{punctuation}'")),
        }
    }

    /// Reads letters, digits and underscores.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let is_in = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_in(c)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.get(..end).unwrap_or_default()
    }

    fn one_of(&mut self, depth: u32) -> Result<TypePredicate, PredicateError> {
        self.list('|', Node::OneOf, depth, |parser| {
            parser.list('&', Node::All, depth, |parser| parser.one(depth))
        })
    }

    fn list(
        &mut self,
        separator: char,
        together: fn(Vec<TypePredicate>) -> Node,
        depth: u32,
        mut one: impl FnMut(&mut Self) -> Result<TypePredicate, PredicateError>,
    ) -> Result<TypePredicate, PredicateError> {
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        let first = one(self)?;
        if !self.rest().starts_with(separator) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.eat(separator) {
            all.push(one(self)?);
        }
        self.made(together(all))
    }

    fn made(&mut self, node: Node) -> Result<TypePredicate, PredicateError> {
        let (depth, parts) = node.measure();
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        if parts > MAX_PARTS {
            return self.fail(format!(
                "with what it refers to, the predicate has more than {MAX_PARTS} parts"
            ));
        }
        Ok(TypePredicate { node, depth, parts })
    }

    fn one(&mut self, depth: u32) -> Result<TypePredicate, PredicateError> {
        let inside = depth.saturating_add(1);
        if depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        if self.eat('(') {
            let predicate = self.one_of(inside)?;
            self.expect(')')?;
            return Ok(predicate);
        }
        if self.rest().starts_with('!') {
            return self.named();
        }
        let start = self.at;
        let word = self.word();
        if word == "not" {
            let predicate = self.one(inside)?;
            return self.made(Node::Not(Box::new(predicate)));
        }
        if let Some(row) = SHAPED.iter().find(|row| row.0 == word) {
            let element = self.element(inside)?;
            return self.made(Node::Shaped(row.1, element));
        }
        if word == COMPLEX {
            let element = self.element(inside)?;
            return self.made(Node::Complex(element));
        }
        let found = WORDS.iter().find(|row| row.0 == word);
        let found = found.map(|row| row.1.clone());
        if let Some(node) = found.or_else(|| integer(word)).or_else(|| float(word)) {
            return self.made(node);
        }
        if let Some(node) = self.numbered(word)? {
            return self.made(node);
        }
        match (self.find)(word) {
            Some(constraint) => self.made(Node::Constraint(constraint)),
            None => {
                self.at = start;
                let message = match word {
                    "" => "expected a predicate".to_owned(),
                    word => {
                        format!("'{word}' is neither a predicate nor a constraint before this one")
                    }
                };
                self.fail(message)
            }
        }
    }

    /// Parses an optional `<P>`.
    fn element(&mut self, depth: u32) -> Result<Option<Box<TypePredicate>>, PredicateError> {
        if !self.eat('<') {
            return Ok(None);
        }
        let element = self.one_of(depth)?;
        self.expect('>')?;
        Ok(Some(Box::new(element)))
    }

    /// Parses `!dialect.mnemonic<...>`, up to white space outside of brackets.
    fn named(&mut self) -> Result<TypePredicate, PredicateError> {
        let rest = self.rest();
        let mut depth = 0u32;
        let end = rest.find(|c| {
            match c {
                '<' => depth = depth.saturating_add(1),
                '>' if depth == 0 => return true,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (c.is_whitespace() || "|&),".contains(c))
        });
        let end = end.unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        self.at = self.at.saturating_add(end);
        if text.len() < 2 || depth != 0 {
            return self.fail("expected the name of a type");
        }
        let (text, names) = if let Some(text) = text.strip_suffix("<_>") {
            (text, Names::Mnemonic)
        } else if let Some(text) = text.strip_suffix("._") {
            (text, Names::Dialect)
        } else {
            (text, Names::Exactly)
        };
        self.made(Node::Named(text.into(), names))
    }

    /// Parses a predicate with numbers: `word(1, 2)`.
    fn numbered(&mut self, word: &str) -> Result<Option<Node>, PredicateError> {
        let known = ["rank", "min_rank", "length", "shape", "min_size", "sizes"];
        if !known.contains(&word) {
            return Ok(None);
        }
        self.expect('(')?;
        let mut numbers: Vec<(i64, bool)> = Vec::new();
        if !self.eat(')') {
            loop {
                let scalable = self.eat('[');
                let Ok(number) = self.word().parse() else {
                    return self.fail("expected a number");
                };
                numbers.push((number, scalable));
                if scalable {
                    self.expect(']')?;
                }
                if !self.eat(',') {
                    break;
                }
            }
            self.expect(')')?;
        }
        let plain = |n: &(i64, bool)| if n.1 { None } else { u64::try_from(n.0).ok() };
        let small = |n: &(i64, bool)| plain(n).and_then(|n| u32::try_from(n).ok());
        let node = match (word, numbers.as_slice()) {
            ("rank", numbers) => numbers
                .iter()
                .map(small)
                .collect::<Option<_>>()
                .map(Node::Rank),
            ("length", numbers) => {
                let lengths: Option<_> = numbers.iter().map(plain).collect();
                lengths.map(Node::Length)
            }
            ("min_rank", [rank]) => small(rank).map(Node::MinRank),
            ("min_size", [(size, false)]) => Some(Node::MinSize(*size)),
            ("sizes", [(size, false)]) => Some(Node::Sizes(*size)),
            ("shape", _) => Some(Node::Shape(numbers)),
            _ => None,
        };
        match node {
            Some(node) => Ok(Some(node)),
            None => self.fail(format!("'{word}' has other numbers")),
        }
    }
}

/// Parses an integer type: `i32`, `si8`, `ui1`, or `int16` for any signedness.
fn integer(word: &str) -> Option<Node> {
    let row = WIDTHS.iter().find(|row| {
        let digits = word.strip_prefix(row.0).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    })?;
    Some(Node::Integer {
        signedness: row.1,
        width: Some(word.strip_prefix(row.0)?.parse().ok()?),
    })
}

fn float(word: &str) -> Option<Node> {
    FloatKind::from_keyword(word.as_bytes()).map(|kind| Node::Float(Some(kind)))
}
