//! Converts the steps of a plan to the items of a grammar.

use super::forms::Form;
use super::grammar::{Ambiguity, Item, One, Token, ambiguities};
use super::plan::{Anchor, Branch, First, Plan, Step, TypesIn};
use rmlir_ir::definition::{
    EnumDefinition, GroupDefinition, GroupKind, OperationDefinition, Release,
};
use std::ops::Range;

/// The tokens that can follow an operation: those of another one with results, or a block label.
const AFTER: &[Token<'static>] = &[Token::NextOperation, Token::NextBlock];
/// The tokens that can follow an operation that ends its block.
const AFTER_TERMINATOR: &[Token<'static>] = &[Token::NextBlock];

/// The names of an operation's groups, in the order of its plan.
#[derive(Debug, Default)]
pub(crate) struct GroupNames<'d> {
    operands: Vec<&'d str>,
    results: Vec<&'d str>,
    regions: Vec<&'d str>,
    successors: Vec<&'d str>,
}

impl<'d> GroupNames<'d> {
    /// Returns the names of the groups of an operation in a release.
    pub(crate) fn new(operation: &'d OperationDefinition, release: Release) -> Self {
        let names = |groups: &'d [GroupDefinition]| {
            let groups = operation.groups_in(groups, release);
            groups.map(|group| &*group.name).collect()
        };
        GroupNames {
            operands: names(&operation.operands),
            results: names(&operation.results),
            regions: names(&operation.regions),
            successors: names(&operation.successors),
        }
    }
}

/// Records that the anchor of the printed branch is not empty, if it is a single part.
fn is_there(items: &mut [Item<'_>], anchor: &[Anchor]) {
    let [anchor] = anchor else {
        return;
    };
    for item in items {
        if let Item::One(one) = item
            && one.part == Some(*anchor)
        {
            one.is_empty = false;
        }
    }
}

/// Returns the name of a group for errors.
fn called(names: &[&str], group: usize, what: &str) -> String {
    match names.get(group) {
        None | Some(&"") => format!("the list of {what}"),
        Some(name) => format!("'{name}'"),
    }
}

impl Plan {
    /// Returns where the printed text of an operation would be parsed differently.
    ///
    /// Takes time linear in the steps, times the depth of groups.
    pub(crate) fn ambiguities(&self, names: &GroupNames<'_>) -> Vec<Ambiguity> {
        let after = match self.is_terminator {
            true => AFTER_TERMINATOR,
            false => AFTER,
        };
        ambiguities(&self.items(0..self.steps.len(), names), after)
    }

    /// Returns whether a printed text can be parsed differently. Memoized; takes the
    /// time of [`ambiguities`](Self::ambiguities) once.
    pub(crate) fn is_ambiguous(&self) -> bool {
        let find = || !self.ambiguities(&GroupNames::default()).is_empty();
        *self.is_ambiguous.get_or_init(find)
    }

    /// Returns the items of steps. Recurses on groups, of which few are nested.
    fn items(&self, range: Range<usize>, names: &GroupNames<'_>) -> Vec<Item<'_>> {
        let mut items = Vec::new();
        let mut at = range.start;
        while let Some(step) = self.steps.get(at).filter(|_| at < range.end) {
            at = at.saturating_add(1);
            match step {
                Step::Space | Step::Newline | Step::Jump(_) | Step::EndClause(_) => {}
                Step::Custom(_) => items.push(Item::Unknown),
                Step::Branch(branch) => {
                    let inner = branch.otherwise.saturating_sub(1);
                    let (then, otherwise) = match self.steps.get(inner) {
                        // The first branch ends with a jump past the second.
                        Some(Step::Jump(end)) if inner >= at => (at..inner, branch.otherwise..*end),
                        _ => (at..branch.otherwise, branch.otherwise..branch.otherwise),
                    };
                    at = otherwise.end;
                    items.push(self.group(branch, then, otherwise, names));
                }
                Step::Clauses(all) => {
                    let clauses = all.clauses.iter().map(|clause| {
                        let Some(Step::Branch(branch)) = self.steps.get(clause.start) else {
                            return Vec::new();
                        };
                        let inner = clause.start.saturating_add(1)..branch.otherwise;
                        let mut items = self.items(inner, names);
                        is_there(&mut items, &branch.anchor);
                        items
                    });
                    items.push(Item::Clauses(clauses.collect()));
                    at = all.end;
                }
                step => {
                    let mut one = self.one(step, names);
                    one.part = part_of(step);
                    items.push(Item::One(one));
                }
            }
        }
        items
    }

    fn group<'p>(
        &'p self,
        branch: &'p Branch,
        then: Range<usize>,
        otherwise: Range<usize>,
        names: &GroupNames<'_>,
    ) -> Item<'p> {
        let (mut then, mut otherwise) = (self.items(then, names), self.items(otherwise, names));
        // Where its branch is printed, the anchor is not empty.
        let branch_of_anchor = if branch.inverted {
            &mut otherwise
        } else {
            &mut then
        };
        if let [anchor] = branch.anchor.as_slice() {
            for item in branch_of_anchor {
                if let Item::One(one) = item
                    && one.part == Some(*anchor)
                {
                    one.is_empty = false;
                }
            }
        }
        Item::Group {
            test: self.test(&branch.first),
            unless_end: false,
            then,
            otherwise,
        }
    }

    /// Returns the tokens at which a group is taken to be present.
    pub(crate) fn test<'p>(&'p self, first: &'p First) -> Vec<Token<'p>> {
        match first {
            First::Literal(_, text) => vec![Token::Text(text)],
            First::Operand => vec![Token::Value],
            First::Region => vec![Token::Text("{")],
            First::Successor => vec![Token::Block],
            First::Type => Token::TYPES.to_vec(),
            First::Attribute(number) => self.attribute_tokens(*number),
            First::Custom => Vec::new(),
            First::Not(first) => match &**first {
                First::Not(_) => Vec::new(),
                first => self.test(first),
            },
        }
    }

    fn one<'p>(&'p self, step: &'p Step, names: &GroupNames<'_>) -> One<'p> {
        let operands = |group: usize| called(&names.operands, group, "operands");
        match step {
            Step::Literal { token, .. } => {
                let text = self.literal(*token);
                One {
                    first: vec![Token::Text(text)],
                    name: format!("`{text}`"),
                    ..One::default()
                }
            }
            Step::Operand(group) => of_values(
                self.operands.kind(*group),
                &[Token::Value],
                operands(*group),
            ),
            Step::Operands => of_values(GroupKind::Variadic, &[Token::Value], operands(usize::MAX)),
            Step::OperandLists(lists) => {
                of_values(GroupKind::Variadic, &[Token::Text("(")], operands(lists.of))
            }
            Step::TypeLists(lists) => of_values(
                GroupKind::Variadic,
                &[Token::Text("(")],
                types_called(lists.of, names),
            ),
            Step::Attribute(number) => self.attribute_item(*number),
            Step::Region(group) => of_values(
                self.regions.get(*group).copied().unwrap_or_default(),
                &[Token::Text("{")],
                called(&names.regions, *group, "regions"),
            ),
            Step::Successor(group) => of_values(
                self.successors.get(*group).copied().unwrap_or_default(),
                &[Token::Block],
                called(&names.successors, *group, "successors"),
            ),
            Step::Types(types) => {
                let kind = match *types {
                    TypesIn::Operands(group) => self.operands.kind(group),
                    TypesIn::Results(group) => self.results.kind(group),
                    TypesIn::AllOperands | TypesIn::AllResults => GroupKind::Variadic,
                };
                One {
                    // The parser requires at least one type of a list.
                    is_empty: kind == GroupKind::Optional,
                    ..of_values(kind, Token::TYPES, types_called(*types, names))
                }
            }
            Step::StrippedType(_) => One::default(),
            Step::FunctionalType(_) => One {
                first: vec![Token::Text("("), Token::Type],
                ..One::default()
            },
            Step::Dictionary { keyword } => One {
                first: vec![Token::Text(if *keyword { "attributes" } else { "{" })],
                is_empty: true,
                name: "`attr-dict`".to_owned(),
                ..One::default()
            },
            Step::Properties { .. } => One {
                first: vec![Token::Text("<")],
                is_empty: true,
                name: "`prop-dict`".to_owned(),
                ..One::default()
            },
            _ => One::default(),
        }
    }

    fn attribute_item(&self, number: usize) -> One<'_> {
        let Some(planned) = self.attributes.get(number) else {
            return One::default();
        };
        let more = match &planned.form {
            Form::Members(enumeration) => separator(enumeration).into_iter().collect(),
            Form::Token(crate::lexer::TokenKind::AtIdentifier) => vec![Token::Text("::")],
            // Any attribute can have a type after a colon.
            Form::Any if planned.may_be_dictionary => vec![Token::Text(":")],
            _ => Vec::new(),
        };
        One {
            first: self.attribute_tokens(number),
            more,
            name: format!("'{}'", planned.name),
            ..One::default()
        }
    }

    /// Returns the tokens with which an attribute can start where the format prints it.
    pub(crate) fn attribute_tokens(&self, number: usize) -> Vec<Token<'_>> {
        use crate::lexer::TokenKind;
        let Some(planned) = self.attributes.get(number) else {
            return Vec::new();
        };
        match &planned.form {
            Form::Typed(_) => Token::NUMBERS.to_vec(),
            Form::Stripped(..) => vec![Token::Text("<"), Token::Alias],
            Form::Array(_) | Form::Token(TokenKind::LeftSquare) => vec![Token::Text("[")],
            Form::Enumeration(enumeration) => {
                let mut tokens = keywords(enumeration);
                tokens.push(Token::String);
                tokens
            }
            Form::Members(enumeration) => keywords(enumeration),
            Form::Symbol | Form::Token(TokenKind::AtIdentifier) => vec![Token::Symbol],
            Form::Token(TokenKind::String) => vec![Token::String],
            Form::Wrapped(_) => Vec::new(),
            Form::Any | Form::Unit | Form::Token(_) => {
                let mut tokens = Token::ATTRIBUTES.to_vec();
                if planned.may_be_dictionary {
                    tokens.push(Token::Text("{"));
                }
                tokens
            }
        }
    }
}

/// Returns the part of an operation whose presence decides whether a step has a text.
fn part_of(step: &Step) -> Option<Anchor> {
    Some(match step {
        Step::Operand(group) => Anchor::Operands(*group),
        Step::OperandLists(lists) => Anchor::Operands(lists.of),
        Step::Attribute(number) => Anchor::Attribute(*number),
        Step::Region(group) => Anchor::Region(*group),
        Step::Successor(group) => Anchor::Successors(*group),
        Step::Types(TypesIn::Operands(group)) => Anchor::Operands(*group),
        Step::Types(TypesIn::Results(group)) => Anchor::Results(*group),
        _ => return None,
    })
}

/// Returns the name of the types of a group for errors.
fn types_called(types: TypesIn, names: &GroupNames<'_>) -> String {
    let (names, group) = match types {
        TypesIn::Operands(group) => (&names.operands, group),
        TypesIn::Results(group) => (&names.results, group),
        TypesIn::AllOperands => return "type(operands)".to_owned(),
        TypesIn::AllResults => return "type(results)".to_owned(),
    };
    match names.get(group) {
        None | Some(&"") => "the list of types".to_owned(),
        Some(name) => format!("the types of '{name}'"),
    }
}

/// Returns a group of one or several values, separated by commas.
fn of_values<'f>(kind: GroupKind, first: &[Token<'f>], name: String) -> One<'f> {
    let is_list = kind.is_list();
    let comma = is_list.then_some(Token::Text(","));
    // `%0 #name` is read as the number of a result, as in upstream.
    let number = (first == [Token::Value]).then_some(Token::Attribute);
    One {
        first: first.to_vec(),
        is_empty: kind != GroupKind::Single,
        more: comma.into_iter().chain(number).collect(),
        name,
        part: None,
    }
}

/// Returns the keywords of an enumeration's members.
pub(crate) fn keywords(enumeration: &EnumDefinition) -> Vec<Token<'_>> {
    let cases = enumeration.cases.iter();
    let words = cases.map(|case| &*case.keyword);
    words
        .filter(|word| !word.is_empty())
        .map(Token::Text)
        .collect()
}

/// Returns the separator of members of an enumeration.
pub(crate) fn separator(enumeration: &EnumDefinition) -> Option<Token<'_>> {
    let separator = enumeration.separator.as_deref()?.trim();
    (!separator.is_empty()).then_some(Token::Text(separator))
}
