//! Formats as grammars: finds positions where a parser cannot decide what follows.
//!
//! An item has a set of tokens that it can begin with, can be empty, and can continue with some
//! tokens after it could have ended. A format is ambiguous where such a token also begins what
//! follows.

use std::collections::HashSet;
use std::fmt;

/// A token or class of tokens with which an item can start or continue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Token<'f> {
    /// A keyword, or punctuation.
    Text(&'f str),
    /// Any keyword.
    Word,
    /// A keyword that is or begins a builtin type.
    TypeWord,
    /// Another keyword that begins an attribute.
    AttributeWord,
    /// An integer or a float.
    Number,
    String,
    /// `%name`.
    Value,
    /// `%name` of the results of the next operation.
    NextOperation,
    /// `^name` of the next block.
    NextBlock,
    /// `^name`.
    Block,
    /// `@name`.
    Symbol,
    /// `#name`.
    Attribute,
    /// `#name` in place of an attribute that is printed without its name: only if it has an alias.
    Alias,
    /// `!name`.
    Type,
}

impl Token<'_> {
    /// The tokens with which an attribute other than a dictionary can start.
    pub(crate) const ATTRIBUTES: &'static [Token<'static>] = &[
        Token::Number,
        Token::Text("-"),
        Token::String,
        Token::Symbol,
        Token::Text("["),
        Token::Attribute,
        Token::Type,
        Token::TypeWord,
        Token::AttributeWord,
    ];
    /// The tokens with which a type can start.
    pub(crate) const TYPES: &'static [Token<'static>] =
        &[Token::Type, Token::Text("("), Token::TypeWord];
    /// The tokens with which a number can start.
    pub(crate) const NUMBERS: &'static [Token<'static>] = &[
        Token::Number,
        Token::Text("-"),
        Token::Text("true"),
        Token::Text("false"),
    ];

    /// Returns whether it is a keyword, or a class of keywords.
    fn is_word(self) -> bool {
        match self {
            Token::Text(text) => is_word(text),
            Token::Word | Token::TypeWord | Token::AttributeWord => true,
            _ => false,
        }
    }

    /// Returns the class of keywords that it is one of, besides [`Token::Word`].
    fn class(self) -> Option<Token<'static>> {
        match self {
            Token::Text(text) if is_type_word(text) => Some(Token::TypeWord),
            Token::Text(text) if ATTRIBUTE_WORDS.contains(&text) => Some(Token::AttributeWord),
            _ => None,
        }
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::Text(text) => return write!(f, "`{text}`"),
            Token::Word => "a keyword",
            Token::TypeWord | Token::Type => "a type",
            Token::AttributeWord | Token::Attribute | Token::Alias => "an attribute",
            Token::Number => "a number",
            Token::String => "a string",
            Token::Value => "an operand",
            Token::NextOperation => "the results of the next operation",
            Token::NextBlock => "the label of the next block",
            Token::Block => "a successor",
            Token::Symbol => "a symbol",
        })
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// The keywords that start attributes and are not types.
const ATTRIBUTE_WORDS: &[&str] = &[
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "distinct",
    "false",
    "loc",
    "sparse",
    "strided",
    "true",
    "unit",
];

/// Returns whether a keyword is a builtin type, or begins one.
fn is_type_word(text: &str) -> bool {
    let digits = |prefix| {
        let digits = text.strip_prefix(prefix);
        digits.is_some_and(|d: &str| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(
        text,
        "index"
            | "none"
            | "tensor"
            | "vector"
            | "memref"
            | "tuple"
            | "complex"
            | "opaque"
            | "graph"
    ) || ["i", "si", "ui"].into_iter().any(digits)
        || rmlir_ir::float::FloatKind::from_keyword(text.as_bytes()).is_some()
}

/// A part of a format from the parser's point of view.
#[derive(Debug)]
pub(crate) enum Item<'f> {
    /// Something with a text of its own.
    One(One<'f>),
    /// An optional group.
    Group {
        /// The tokens by which the parser detects the first branch; none where they are not known.
        test: Vec<Token<'f>>,
        /// Whether any token but one that ends something is such a token.
        unless_end: bool,
        then: Vec<Item<'f>>,
        otherwise: Vec<Item<'f>>,
    },
    /// Clauses in any order, each of which begins with a keyword.
    Clauses(Vec<Vec<Item<'f>>>),
    /// Something of which nothing is known: code.
    Unknown,
}

/// Something with a text of its own.
#[derive(Debug, Default)]
pub(crate) struct One<'f> {
    /// The tokens with which it can start.
    pub(crate) first: Vec<Token<'f>>,
    /// Whether its text can be empty.
    pub(crate) is_empty: bool,
    /// The tokens with which the parser continues it although it could end.
    pub(crate) more: Vec<Token<'f>>,
    /// The description for error messages.
    pub(crate) name: String,
    /// The part of an operation that it denotes, or whose types it denotes.
    pub(crate) part: Option<super::plan::Anchor>,
}

/// Two readings of a token in a format.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ambiguity {
    /// The problem, and a remedy.
    pub(crate) message: String,
    /// Whether it depends on the module: on what comes after the operation, on an alias, or on the
    /// value of an attribute.
    pub(crate) is_of_module: bool,
}

/// The tokens that end something where attributes and types are parsed; an optional group there has
/// a keyword.
const ENDS: &[&str] = &[",", ">", ")", "]", "}"];

/// Returns the ambiguities of a format that is followed by one of some tokens.
///
/// Takes time linear in the items and their tokens, times the depth of groups.
pub(crate) fn ambiguities<'f>(items: &[Item<'f>], after: &[Token<'f>]) -> Vec<Ambiguity> {
    let mut end = Scope::new();
    after.iter().for_each(|token| end.insert(*token));
    end.is_open = false;
    let mut search = Search {
        scopes: vec![end],
        found: Vec::new(),
    };
    search.sequence(items);
    search.found
}

/// The tokens that can come next in a group, up to a required item.
pub(crate) struct Scope<'f> {
    tokens: HashSet<Token<'f>>,
    /// One of `tokens` for each class that one of them is of: any keyword, types, other attributes.
    classes: [Option<Token<'f>>; 3],
    /// One of `tokens` that ends nothing.
    no_end: Option<Token<'f>>,
    /// Whether what surrounds the group can come next too.
    is_open: bool,
}

/// The classes of keywords, in the order of [`Scope::classes`].
const CLASSES: [Token<'static>; 3] = [Token::Word, Token::TypeWord, Token::AttributeWord];

impl<'f> Scope<'f> {
    pub(crate) fn new() -> Self {
        Scope {
            tokens: HashSet::new(),
            classes: [None; 3],
            no_end: None,
            is_open: true,
        }
    }

    pub(crate) fn insert(&mut self, token: Token<'f>) {
        self.tokens.insert(token);
        let class = token.class();
        for (slot, of) in self.classes.iter_mut().zip(CLASSES) {
            let is_of = class == Some(of) || token == of || of == Token::Word && token.is_word();
            if is_of && slot.is_none() {
                *slot = Some(token);
            }
        }
        let is_end = matches!(token, Token::Text(text) if ENDS.contains(&text));
        if !is_end && self.no_end.is_none() {
            self.no_end = Some(token);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// One of the tokens that is `token`, or one of the two is a class that the other is of.
    pub(crate) fn find(&self, token: Token<'f>) -> Option<Token<'f>> {
        if self.tokens.contains(&token) {
            return Some(token);
        }
        let next = match token {
            Token::Value => Some(Token::NextOperation),
            Token::Block => Some(Token::NextBlock),
            Token::Attribute => Some(Token::Alias),
            Token::Alias => Some(Token::Attribute),
            _ => None,
        };
        if next.is_some_and(|next| self.tokens.contains(&next)) {
            return next;
        }
        if !token.is_word() {
            return None;
        }
        if let Some(found) = CLASSES.iter().position(|class| *class == token) {
            return self.classes.get(found).copied().flatten();
        }
        let mut classes = [Some(Token::Word), token.class()].into_iter().flatten();
        classes.find(|class| self.tokens.contains(class))
    }
}

struct Search<'f> {
    /// The tokens that can follow the current items, outermost scope first.
    scopes: Vec<Scope<'f>>,
    found: Vec<Ambiguity>,
}

impl<'f> Search<'f> {
    /// Searches the tokens that can come next, the innermost scope first.
    fn next<T>(&self, find: impl Fn(&Scope<'f>) -> Option<T>) -> Option<T> {
        for scope in self.scopes.iter().rev() {
            let found = find(scope);
            if found.is_some() || !scope.is_open {
                return found;
            }
        }
        None
    }

    /// Returns a token that can come next and equals `token` or is of its class.
    fn next_is(&self, token: Token<'f>) -> Option<Token<'f>> {
        self.next(|scope| scope.find(token))
    }

    /// `next` is the token that has two readings.
    fn say(&mut self, next: Token<'f>, message: String) {
        self.found.push(Ambiguity {
            message,
            is_of_module: matches!(next, Token::NextOperation | Token::NextBlock | Token::Alias),
        });
    }

    /// Puts the tokens with which an item can start before those that can come next.
    fn put(&mut self, first: impl IntoIterator<Item = Token<'f>>, is_empty: bool) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        if !is_empty {
            // A new scope is cheaper than clearing: clearing takes time linear in the capacity.
            *scope = Scope::new();
            scope.is_open = false;
        }
        for token in first {
            scope.insert(token);
        }
    }

    /// Visits items from the last to the first. Recurses on groups, of which few are nested.
    ///
    /// Returns the possible first tokens of elements, and whether the elements can be empty.
    fn sequence(&mut self, items: &[Item<'f>]) -> Scope<'f> {
        self.scopes.push(Scope::new());
        for item in items.iter().rev() {
            match item {
                Item::One(one) => self.one(one),
                Item::Unknown => self.put([], false),
                Item::Group {
                    test,
                    unless_end,
                    then,
                    otherwise,
                } => self.group(test, *unless_end, then, otherwise),
                Item::Clauses(clauses) => {
                    let words = clauses.iter().filter_map(|clause| match clause.first() {
                        Some(Item::One(one)) => one.first.first().copied(),
                        _ => None,
                    });
                    let words: Vec<Token<'f>> = words.collect();
                    for word in &words {
                        if let Some(next) = self.next_is(*word) {
                            self.say(next, format!(
                                "a clause of an oilist begins with {word} as what follows the oilist does: begin it with another keyword"
                            ));
                        }
                    }
                    // Any clause can follow another.
                    self.put(words, true);
                    for clause in clauses {
                        self.sequence(clause);
                    }
                }
            }
        }
        self.scopes.pop().unwrap_or_else(Scope::new)
    }

    fn one(&mut self, one: &One<'f>) {
        let name = &one.name;
        for token in &one.more {
            if let Some(next) = self.next_is(*token) {
                let help = match token {
                    Token::Text(",") => {
                        format!("put {name} in brackets, or another separator after it")
                    }
                    _ => format!("put another token after {name}"),
                };
                // Most attributes do not begin with `#`.
                let next = if *token == Token::Attribute {
                    Token::Alias
                } else {
                    next
                };
                self.say(next, format!(
                    "{name} can continue with {token}, and {next} can follow it: the end of {name} is ambiguous; {help}"
                ));
                break;
            }
        }
        if one.is_empty {
            let both = one.first.iter().find_map(|token| self.next_is(*token));
            if let Some(next) = both {
                self.say(next, format!(
                    "{name} can be empty and begins with {next} as what follows it does: put a keyword or punctuation between them"
                ));
            }
        }
        self.put(one.first.iter().copied(), one.is_empty);
    }

    fn group(
        &mut self,
        test: &[Token<'f>],
        unless_end: bool,
        then: &[Item<'f>],
        otherwise: &[Item<'f>],
    ) {
        let (then_is_empty, other) = (then.is_empty(), self.sequence(otherwise));
        let first = self.sequence(then);
        let (tested, alternative) = match then_is_empty {
            true => (other, first),
            false => (first, other),
        };
        self.scopes.push(alternative);
        let both = test.iter().find_map(|token| self.next_is(*token));
        let both = both.or_else(|| self.next(|scope| scope.no_end).filter(|_| unless_end));
        let alternative = self.scopes.pop().unwrap_or_else(Scope::new);
        if let Some(token) = both {
            self.say(token, format!(
                "an optional group begins with {token} as what follows it does: when it is read, the group is taken to be there; begin it with a keyword or punctuation that does not follow it"
            ));
        }
        let is_empty = tested.is_open || alternative.is_open;
        self.put(
            tested.tokens.into_iter().chain(alternative.tokens),
            is_empty,
        );
    }
}
