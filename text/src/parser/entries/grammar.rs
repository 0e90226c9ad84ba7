//! The formats of attributes and types as the items of a grammar.

use crate::formats::grammar::{Ambiguity, Item, One, Token, ambiguities};
use crate::formats::items::{keywords, separator};
use rmlir_ir::Context;
use rmlir_ir::definition::{
    Absence, DialectDefinition, EntryDefinition, EntryTable, FormatElement, OptionalGroup,
    ParameterDefinition, ParameterKind,
};
use std::collections::BTreeSet;

/// Finds where a printed body would be parsed differently, or could not be parsed at all.
///
/// Takes time linear in the format, times the depth of groups, and in the keywords of the
/// enumerations that it names.
pub(crate) fn entry_ambiguities(
    context: &Context,
    dialect: &DialectDefinition,
    entry: &EntryDefinition,
) -> Vec<Ambiguity> {
    let mut items = Items {
        number: context.release().number_in(dialect.family),
        dialect,
        entry,
        found: Vec::new(),
    };
    let is_self = |parameter: &&ParameterDefinition| parameter.kind == ParameterKind::SelfType;
    let mut types = entry.parameters.iter().filter(is_self);
    if let (Some(one), Some(other)) = (types.next(), types.next()) {
        items.say(format!(
            "'{}' and '{}' are both the type of the attribute, of which there is one: declare one of them as `type`",
            one.name, other.name
        ));
    }
    let format = items.elements(&entry.format.elements);
    // The `>` of `#dialect<...>`.
    let mut found = ambiguities(&format, &[Token::Text(">")]);
    found.append(&mut items.found);
    found
}

/// Returns the parameters that an element covers, if it can be an anchor.
fn anchored(element: &FormatElement) -> Option<&[usize]> {
    match element {
        FormatElement::Parameter(at) | FormatElement::Qualified(at) => {
            Some(std::slice::from_ref(at))
        }
        FormatElement::Parameters(all) | FormatElement::Struct(all) => Some(all),
        _ => None,
    }
}

/// Collects the parameters that elements cover. Recurses on groups, which nest only a few levels
/// deep.
pub(super) fn said(elements: &[FormatElement], parameters: &mut BTreeSet<usize>) {
    for element in elements {
        match element {
            FormatElement::Custom(custom) => parameters.extend(&custom.bound),
            FormatElement::Group(group) => {
                said(&group.then, parameters);
                said(&group.otherwise, parameters);
            }
            element => parameters.extend(anchored(element).unwrap_or_default()),
        }
    }
}

/// Builds the items of a format.
struct Items<'f> {
    number: u32,
    dialect: &'f DialectDefinition,
    entry: &'f EntryDefinition,
    /// Problems of single elements.
    found: Vec<Ambiguity>,
}

/// The tokens with which the text of a parameter kind can start and continue.
#[derive(Default)]
struct Tokens<'f> {
    first: Vec<Token<'f>>,
    is_empty: bool,
    more: Vec<Token<'f>>,
}

impl<'f> Tokens<'f> {
    fn first(first: &[Token<'f>]) -> Self {
        Tokens {
            first: first.to_vec(),
            ..Tokens::default()
        }
    }

    fn has_commas(&self) -> bool {
        self.more.contains(&Token::Text(","))
    }
}

impl<'f> Items<'f> {
    /// Recurses on groups, of which few are in one another.
    fn elements(&mut self, elements: &'f [FormatElement]) -> Vec<Item<'f>> {
        let mut items = Vec::new();
        for element in elements {
            match element {
                FormatElement::Space(_) => {}
                FormatElement::Literal(text) => items.push(Item::One(One {
                    first: vec![Token::Text(text)],
                    name: format!("`{text}`"),
                    ..One::default()
                })),
                FormatElement::Parameter(at) | FormatElement::Qualified(at) => {
                    items.extend(self.parameter(*at).map(Item::One));
                }
                FormatElement::Parameters(places) => items.push(self.list(places)),
                FormatElement::Struct(places) => items.push(self.named(places)),
                FormatElement::Custom(_) | FormatElement::Operation(_) => items.push(Item::Unknown),
                FormatElement::Group(group) => {
                    let is_space =
                        |element: &&FormatElement| matches!(element, FormatElement::Space(_));
                    let begin =
                        |elements: &'f [FormatElement]| elements.iter().find(|e| !is_space(e));
                    let first = begin(&group.then).or_else(|| begin(&group.otherwise));
                    let (test, unless_end) = match first {
                        Some(FormatElement::Literal(text)) => (vec![Token::Text(text)], false),
                        Some(FormatElement::Custom(_)) | None => (Vec::new(), false),
                        Some(_) => (Vec::new(), true),
                    };
                    self.group(group);
                    let mut then = self.elements(&group.then);
                    let mut otherwise = self.elements(&group.otherwise);
                    // Where its branch is printed the anchor is not empty.
                    let (elements, branch) = match group.inverted {
                        true => (&group.otherwise, &mut otherwise),
                        false => (&group.then, &mut then),
                    };
                    let texts = elements.iter().filter(|element| !is_space(element));
                    for (element, item) in texts.zip(branch) {
                        if let Item::One(one) = item
                            && anchored(element).is_some_and(|at| at == group.anchor)
                        {
                            one.is_empty = false;
                        }
                    }
                    items.push(Item::Group {
                        test,
                        unless_end,
                        then,
                        otherwise,
                    });
                }
            }
        }
        items
    }

    /// Finds parameters that have no text if the other branch of a group is present.
    fn group(&mut self, group: &'f OptionalGroup) {
        let (anchored, other) = match group.inverted {
            true => (&group.otherwise, &group.then),
            false => (&group.then, &group.otherwise),
        };
        let anchor: BTreeSet<usize> = group.anchor.iter().copied().collect();
        for (elements, others) in [(anchored, other), (other, anchored)] {
            let (mut these, mut those) = (BTreeSet::new(), BTreeSet::new());
            said(elements, &mut these);
            said(others, &mut those);
            for &at in these.difference(&those) {
                let Some(parameter) = self.definition(at) else {
                    continue;
                };
                if parameter.is_required() && !anchor.contains(&at) {
                    let name = &parameter.name;
                    self.say(format!(
                        "'{name}' is required, but is in an optional group, and is lost if the group is absent; move it out of the group, or declare it `optional` or with a default"
                    ));
                }
            }
        }
    }

    fn definition(&self, at: usize) -> Option<&'f ParameterDefinition> {
        self.entry.parameters.get(at)
    }

    fn parameter(&mut self, at: usize) -> Option<One<'f>> {
        let parameter = self.definition(at)?;
        let name = format!("'{}'", parameter.name);
        let tokens = self.tokens(&parameter.kind, &name);
        Some(One {
            first: tokens.first,
            is_empty: tokens.is_empty,
            more: tokens.more,
            name,
            part: None,
        })
    }

    fn say(&mut self, message: String) {
        self.found.push(Ambiguity {
            message,
            is_of_module: false,
        });
    }

    /// `params`: a list without names.
    fn list(&mut self, places: &[usize]) -> Item<'f> {
        let mut first = Vec::new();
        let mut more = Vec::new();
        let mut is_empty = true;
        let mut skipped: Option<&str> = None;
        let last = places.len().saturating_sub(1);
        for (number, &at) in places.iter().enumerate() {
            let (Some(parameter), Some(tokens)) = (self.definition(at), self.parameter(at)) else {
                continue;
            };
            if parameter.kind == ParameterKind::SelfType {
                continue;
            }
            if let Some(before) = skipped {
                self.say(format!(
                    "'{before}' can be left out of `params`, and '{}' is then read in its place: declare it last, or use `struct(params)`",
                    parameter.name
                ));
                skipped = None;
            }
            if number < last && tokens.more.contains(&Token::Text(",")) {
                self.say(format!(
                    "{} can continue with `,`, and `params` puts `,` after it: the end of {} is ambiguous; put it last, or in brackets with a format that names each parameter",
                    tokens.name, tokens.name
                ));
            }
            if number == last {
                more = tokens.more.clone();
            }
            if number == 0 {
                first.extend(tokens.first);
                is_empty = tokens.is_empty;
            }
            if !parameter.is_required() {
                if number == 0 {
                    is_empty = true;
                } else if !more.contains(&Token::Text(",")) {
                    more.push(Token::Text(","));
                }
                // A default that precedes other parameters is printed.
                if parameter.absence == Absence::Empty
                    && !matches!(parameter.kind, ParameterKind::List(_))
                {
                    skipped = Some(&parameter.name);
                }
            }
        }
        Item::One(One {
            first,
            is_empty,
            more,
            name: "`params`".to_owned(),
            part: None,
        })
    }

    /// `struct(...)`: `name = value` in any order.
    fn named(&mut self, places: &[usize]) -> Item<'f> {
        let mut first = Vec::new();
        let mut is_empty = true;
        for &at in places {
            let Some(parameter) = self.definition(at) else {
                continue;
            };
            first.push(Token::Text(&parameter.name));
            is_empty &= !parameter.is_required();
            let name = format!("'{}'", parameter.name);
            let tokens = self.tokens(&parameter.kind, &name);
            if places.len() > 1 && tokens.has_commas() {
                self.say(format!(
                    "{name} can continue with `,`, and `struct` puts `,` between parameters: for MLIR, the end of {name} is ambiguous; put it in brackets outside of the `struct`, as in `{0}` `=` `[` ${0} `]`",
                    parameter.name
                ));
            }
        }
        Item::One(One {
            first,
            is_empty,
            more: vec![Token::Text(",")],
            name: "`struct`".to_owned(),
            part: None,
        })
    }

    /// Recurses on lists in lists, of which few are in one another.
    fn tokens(&mut self, kind: &'f ParameterKind, name: &str) -> Tokens<'f> {
        match kind {
            ParameterKind::Integer { .. }
            | ParameterKind::Unsigned { .. }
            | ParameterKind::BigInteger
            | ParameterKind::Bool
            | ParameterKind::Float => Tokens::first(Token::NUMBERS),
            ParameterKind::Dimension => {
                Tokens::first(&[Token::Number, Token::Text("-"), Token::Text("?")])
            }
            ParameterKind::Dimensions => Tokens::first(&[Token::Text("[")]),
            // Both end with a parenthesis.
            ParameterKind::AffineMap | ParameterKind::IntegerSet => {
                Tokens::first(&[Token::Text("(")])
            }
            ParameterKind::String => Tokens::first(&[Token::String]),
            ParameterKind::Enumeration { name, .. } => {
                let enumeration = self.dialect.enumeration(name);
                let mut tokens = match enumeration {
                    Some(enumeration) => Tokens {
                        first: keywords(enumeration),
                        is_empty: false,
                        more: separator(enumeration).into_iter().collect(),
                    },
                    None => Tokens::first(&[Token::Word]),
                };
                tokens.first.push(Token::String);
                tokens
            }
            ParameterKind::Attribute { mnemonic: None } => Tokens {
                first: Token::ATTRIBUTES.to_vec(),
                is_empty: false,
                more: vec![Token::Text(":"), Token::Text("::")],
            },
            ParameterKind::Type { mnemonic: None } | ParameterKind::SelfType => {
                Tokens::first(Token::TYPES)
            }
            ParameterKind::Attribute {
                mnemonic: Some(mnemonic),
            } => self.of(&self.dialect.attributes, mnemonic, Token::Attribute),
            ParameterKind::Type {
                mnemonic: Some(mnemonic),
            } => self.of(&self.dialect.types, mnemonic, Token::Type),
            ParameterKind::List(item) => {
                let mut tokens = self.tokens(item, name);
                if tokens.has_commas() {
                    self.say(format!(
                        "the items of {name} can continue with `,`, and so can the list: the end of an item is ambiguous; use an attribute of the dialect with brackets in its format as the item"
                    ));
                } else {
                    tokens.more.push(Token::Text(","));
                }
                tokens.is_empty = true;
                tokens
            }
            // Code.
            ParameterKind::Own => Tokens::default(),
        }
    }

    /// Returns what an attribute or type with that mnemonic begins with when its name is omitted,
    /// as far as its first literal determines it.
    fn of(&self, table: &'f EntryTable, mnemonic: &str, with_name: Token<'f>) -> Tokens<'f> {
        let entry = table.entry(mnemonic.as_bytes(), self.number);
        let elements = entry
            .map(|entry| &*entry.format.elements)
            .unwrap_or_default();
        let mut tokens = Tokens::first(&[with_name]);
        match elements.first() {
            Some(FormatElement::Literal(text)) => tokens.first.push(Token::Text(text)),
            Some(_) => {}
            None => tokens.is_empty = entry.is_some(),
        }
        tokens
    }
}
