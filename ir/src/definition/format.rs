//! Assembly formats of attributes, types and operations, as a tree.
//!
//! The language is that of "Declarative attribute and type formats" in "Defining Dialect Attributes
//! and Types" of MLIR's documentation: literals, `$parameter`, `params`, `struct`, `qualified`,
//! `custom`, `ref`, optional groups; and, for operations, that of
//! [`operation_format`](super::operation_format).
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::operation_format::{
    DirectiveArgument, FormatVariable, OperationDirective, OperationElement, OperationFormat,
    TypesOf, VariableKind,
};
use super::{HookSource, OperationDefinition, ParameterDefinition, ReleaseRange, Text};
use crate::asm::EntrySyntax;
use std::collections::HashMap;

/// The syntax after a mnemonic.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AssemblyFormat {
    /// The elements in order.
    pub elements: Vec<FormatElement>,
}

/// A part of an [`AssemblyFormat`]. Parameters are denoted by their indices.
#[derive(Clone, PartialEq, Debug)]
pub enum FormatElement {
    /// `` `text` ``: a keyword or punctuation.
    Literal(Text),
    /// `` ` ` `` (true) or ``` `` ``` (false): whether there is a space here,
    /// overriding the default rules.
    Space(bool),
    /// `$parameter`.
    Parameter(usize),
    /// `qualified($parameter)`: with the dialect's name and the mnemonic.
    Qualified(usize),
    /// `params`: the parameters that are not omitted, separated by commas.
    Parameters(Vec<usize>),
    /// `struct(params)`, `struct($a, $b)`: `name = value` for the parameters that are not omitted,
    /// separated by commas, in any order when parsed.
    Struct(Vec<usize>),
    /// `custom<Name>($a, ref($b))`.
    Custom(CustomDirective),
    /// `(then)?`, `(then) : (otherwise)?`.
    Group(OptionalGroup),
    /// An element that only operations have.
    Operation(OperationElement),
}

/// Syntax that is implemented as code.
#[derive(Clone, Debug)]
pub struct CustomDirective {
    /// Its name; the hook's name is the dialect's name, a dot and this name.
    pub name: Text,
    /// The hook, if it was found.
    pub hook: Option<&'static dyn EntrySyntax>,
    /// Its arguments: indices of parameters.
    pub parameters: Vec<usize>,
    /// The arguments that it parses itself; the others are in `ref`.
    pub bound: Vec<usize>,
    /// Its text arguments.
    pub texts: Vec<Text>,
}

impl PartialEq for CustomDirective {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.parameters, &self.bound, &self.texts)
            == (&other.name, &other.parameters, &other.bound, &other.texts)
    }
}

/// An optional group of elements.
#[derive(Clone, PartialEq, Debug)]
pub struct OptionalGroup {
    /// The parameters of the anchor: the group is present if one of them is not omitted.
    pub anchor: Vec<usize>,
    /// The elements that are present with the anchor.
    pub then: Vec<FormatElement>,
    /// The elements that are present without the anchor.
    pub otherwise: Vec<FormatElement>,
    /// Whether the anchor is in `otherwise`.
    pub inverted: bool,
}

/// The maximum nesting depth of groups and clause lists in a format.
const DEEPEST: usize = 8;

/// Parses a format. `dialect` is for the names of hooks.
///
/// # Errors
/// The error message and its offset in the text.
pub(super) fn parse<'a>(
    text: &'a str,
    parameters: &[ParameterDefinition],
    dialect: &str,
    hooks: &dyn HookSource,
    own: fn(&'a str) -> Text,
) -> Result<AssemblyFormat, (usize, String)> {
    let names = parameters.iter().enumerate().rev();
    let names = names.map(|(place, parameter)| (&*parameter.name, place));
    let mut reader = FormatReader {
        text,
        at: 0,
        scope: Scope::Entry(parameters, names.collect()),
        dialect,
        hooks,
        own,
    };
    let (elements, _) = reader.elements(0, false)?;
    Ok(AssemblyFormat { elements })
}

/// Parses the format of an operation, whose other statements are already parsed.
///
/// # Errors
/// The error message and its offset in the text.
pub(super) fn parse_operation<'a>(
    text: &'a str,
    (operation, releases): (&OperationDefinition, ReleaseRange),
    dialect: &str,
    hooks: &dyn HookSource,
    own: fn(&'a str) -> Text,
) -> Result<OperationFormat, (usize, String)> {
    let mut reader = FormatReader {
        text,
        at: 0,
        scope: Scope::Operation {
            names: operation.variable_kinds(releases),
            variables: Vec::new(),
            places: HashMap::new(),
        },
        dialect,
        hooks,
        own,
    };
    let (elements, _) = reader.elements(0, false)?;
    let Scope::Operation { variables, .. } = reader.scope else {
        return reader.fail("no operation");
    };
    Ok(OperationFormat {
        format: AssemblyFormat { elements },
        variables,
        releases,
    })
}

/// The names that a format can use.
enum Scope<'p> {
    /// Parameters of an attribute or type, and their indices by name.
    Entry(&'p [ParameterDefinition], HashMap<&'p str, usize>),
    /// Parts of an operation.
    Operation {
        /// The kind of each name.
        names: HashMap<&'p str, VariableKind>,
        /// The variables that were used so far.
        variables: Vec<FormatVariable>,
        /// Their indices by name.
        places: HashMap<&'p str, usize>,
    },
}

struct FormatReader<'a, 'p> {
    text: &'a str,
    at: usize,
    scope: Scope<'p>,
    dialect: &'p str,
    hooks: &'p dyn HookSource,
    own: fn(&'a str) -> Text,
}

/// The result, or the offset in the text and the error message.
type FormatResult<T> = Result<T, (usize, String)>;

impl<'a> FormatReader<'a, '_> {
    fn rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = self.text.len().saturating_sub(trimmed.len());
        trimmed
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at = self.at.saturating_add(token.len());
        }
        found
    }

    fn expect(&mut self, token: &str) -> FormatResult<()> {
        match self.eat(token) {
            true => Ok(()),
            false => self.fail(format!("expected '{token}'")),
        }
    }

    #[cold]
    fn fail<T>(&self, message: impl Into<String>) -> FormatResult<T> {
        Err((self.at, message.into()))
    }

    /// Parses a name; empty if there is none.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(len);
        rest.get(..len).unwrap_or_default()
    }

    /// Parses elements up to the end or, in a group, to its `)`; also returns the parameters of the
    /// anchor, if there is one.
    fn elements(
        &mut self,
        depth: usize,
        in_group: bool,
    ) -> FormatResult<(Vec<FormatElement>, Option<Vec<usize>>)> {
        let (mut elements, mut anchor) = (Vec::new(), None);
        loop {
            if self.rest().is_empty() {
                return match in_group {
                    true => self.fail("expected ')'"),
                    false => Ok((elements, anchor)),
                };
            }
            if in_group && self.eat(")") {
                return Ok((elements, anchor));
            }
            let element = self.element(depth)?;
            if self.eat("^") {
                if !in_group || anchor.is_some() {
                    return self.fail("an anchor is valid once, in an optional group");
                }
                let said = captured(&element);
                if said.is_empty() {
                    return self.fail("the anchor of a group must be a named element");
                }
                anchor = Some(said);
            }
            elements.push(element);
        }
    }

    fn element(&mut self, depth: usize) -> FormatResult<FormatElement> {
        if self.eat("`") {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let Some((literal, _)) = rest.split_once('`') else {
                return self.fail("expected '`' at the end of the literal");
            };
            self.at = self.at.saturating_add(literal.len()).saturating_add(1);
            return Ok(match literal {
                "" | " " => FormatElement::Space(!literal.is_empty()),
                "\\n" if self.is_operation() => FormatElement::Operation(OperationElement::Newline),
                text => FormatElement::Literal((self.own)(text)),
            });
        }
        if self.eat("(") {
            return self.group(depth);
        }
        if self.rest().starts_with('$') {
            return self.parameter().map(FormatElement::Parameter);
        }
        let start = self.at;
        if self.is_operation() {
            return match self.operation_element(depth)? {
                Some(element) => Ok(element),
                None => {
                    self.at = start;
                    self.fail("expected a literal, a variable, a directive or a group")
                }
            };
        }
        match self.word() {
            "params" => Ok(FormatElement::Parameters(self.all())),
            "struct" => self.arguments().map(FormatElement::Struct),
            "qualified" => match *self.arguments()?.as_slice() {
                [parameter] => Ok(FormatElement::Qualified(parameter)),
                _ => self.fail("expected one parameter"),
            },
            "custom" => {
                self.expect("<")?;
                let name = self.word();
                if name.is_empty() {
                    return self.fail("expected the name of a directive");
                }
                self.expect(">")?;
                let mut custom = CustomDirective {
                    hook: self.hooks.entry_syntax(&format!("{}.{name}", self.dialect)),
                    name: (self.own)(name),
                    parameters: Vec::new(),
                    bound: Vec::new(),
                    texts: Vec::new(),
                };
                self.custom_arguments(&mut custom)?;
                Ok(FormatElement::Custom(custom))
            }
            _ => {
                self.at = start;
                self.fail("expected a literal, a parameter, a directive or a group")
            }
        }
    }

    fn is_operation(&self) -> bool {
        matches!(self.scope, Scope::Operation { .. })
    }

    /// Parses a directive of operations; `None` if there is none of that name.
    fn operation_element(&mut self, depth: usize) -> FormatResult<Option<FormatElement>> {
        let name = self.directive_name();
        let element = match name {
            "type" => OperationElement::Type(self.types_in_brackets()?),
            "functional-type" => {
                self.expect("(")?;
                let inputs = self.types_of()?;
                self.expect(",")?;
                let results = self.types_of()?;
                self.expect(")")?;
                OperationElement::FunctionalType(inputs, results)
            }
            "operands" => OperationElement::Operands,
            "regions" => OperationElement::Regions,
            "successors" => OperationElement::Successors,
            "attr-dict" => OperationElement::AttributeDictionary { keyword: false },
            "attr-dict-with-keyword" => OperationElement::AttributeDictionary { keyword: true },
            "prop-dict" => OperationElement::PropertyDictionary,
            "oilist" => OperationElement::Clauses(self.clauses(depth)?),
            "qualified" => {
                self.expect("(")?;
                let element = if self.rest().starts_with('$') {
                    let start = self.at;
                    let place = self.parameter()?;
                    if self.kind_of(place) != Some(VariableKind::Attribute) {
                        return Err((start, "only attributes and types can be qualified".into()));
                    }
                    FormatElement::Qualified(place)
                } else if self.directive_name() == "type" {
                    let types = self.types_in_brackets()?;
                    FormatElement::Operation(OperationElement::QualifiedType(types))
                } else {
                    return self.fail("expected a variable or 'type'");
                };
                self.expect(")")?;
                return Ok(Some(element));
            }
            "custom" => {
                self.expect("<")?;
                let name = self.word();
                if name.is_empty() {
                    return self.fail("expected the name of a directive");
                }
                self.expect(">")?;
                let arguments = self.directive_arguments()?;
                let own = self.hooks.directive(&format!("{}.{name}", self.dialect));
                OperationElement::Custom(OperationDirective {
                    hook: own.or_else(|| self.hooks.directive(name)),
                    name: (self.own)(name),
                    arguments,
                })
            }
            _ => return Ok(None),
        };
        Ok(Some(FormatElement::Operation(element)))
    }

    /// Returns the kind of a variable of an operation.
    fn kind_of(&self, place: usize) -> Option<VariableKind> {
        match &self.scope {
            Scope::Operation { variables, .. } => variables.get(place).map(|found| found.kind),
            Scope::Entry(..) => None,
        }
    }

    /// Parses a word that may contain `-`.
    fn directive_name(&mut self) -> &'a str {
        let rest = self.rest();
        let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        self.at = self.at.saturating_add(len);
        rest.get(..len).unwrap_or_default()
    }

    /// Parses `($group)`, `(operands)`, `(results)`.
    fn types_in_brackets(&mut self) -> FormatResult<TypesOf> {
        self.expect("(")?;
        let types = self.types_of()?;
        self.expect(")")?;
        Ok(types)
    }

    fn types_of(&mut self) -> FormatResult<TypesOf> {
        if !self.rest().starts_with('$') {
            return match self.word() {
                "operands" => Ok(TypesOf::Operands),
                "results" => Ok(TypesOf::Results),
                _ => self.fail("expected '$', 'operands' or 'results'"),
            };
        }
        let start = self.at;
        let place = self.parameter()?;
        match self.kind_of(place) {
            Some(VariableKind::Operand | VariableKind::Result) => Ok(TypesOf::Group(place)),
            _ => Err((start, "only operands and results have types".to_owned())),
        }
    }

    /// Parses `(elements | elements)`; each clause begins with a literal.
    fn clauses(&mut self, depth: usize) -> FormatResult<Vec<Vec<FormatElement>>> {
        self.expect("(")?;
        let inner = self.inside(depth)?;
        let mut clauses = Vec::new();
        loop {
            let mut clause = Vec::new();
            while !self.rest().starts_with(['|', ')']) {
                if self.rest().is_empty() {
                    return self.fail("expected ')'");
                }
                clause.push(self.element(inner)?);
            }
            if !matches!(clause.first(), Some(FormatElement::Literal(_))) {
                return self.fail("a clause begins with a literal");
            }
            clauses.push(clause);
            if !self.eat("|") {
                self.expect(")")?;
                return Ok(clauses);
            }
        }
    }

    /// Parses `($a, ref($b), type($c), ref(type($d)), attr-dict, "text")`.
    fn directive_arguments(&mut self) -> FormatResult<Vec<DirectiveArgument>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        loop {
            let argument = if self.rest().starts_with('$') {
                DirectiveArgument::Variable(self.parameter()?)
            } else if self.eat("\"") {
                DirectiveArgument::Text(self.text_in_quotes()?)
            } else {
                match self.directive_name() {
                    "type" => DirectiveArgument::Type(self.types_in_brackets()?),
                    "attr-dict" => DirectiveArgument::AttributeDictionary,
                    "ref" => {
                        self.expect("(")?;
                        let argument = if self.rest().starts_with('$') {
                            DirectiveArgument::Reference(self.parameter()?)
                        } else if self.directive_name() == "type" {
                            DirectiveArgument::TypeReference(self.types_in_brackets()?)
                        } else {
                            return self.fail("expected a variable or 'type'");
                        };
                        self.expect(")")?;
                        argument
                    }
                    _ => return self.fail("expected an argument"),
                }
            };
            arguments.push(argument);
            if !self.eat(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn all(&self) -> Vec<usize> {
        match &self.scope {
            Scope::Entry(parameters, _) => (0..parameters.len()).collect(),
            Scope::Operation { .. } => Vec::new(),
        }
    }

    fn parameter(&mut self) -> FormatResult<usize> {
        self.expect("$")?;
        let start = self.at;
        let name = self.word();
        let own = self.own;
        match &mut self.scope {
            Scope::Entry(_, names) => match names.get(name) {
                Some(place) => Ok(*place),
                None => Err((start, format!("there is no parameter '{name}'"))),
            },
            Scope::Operation {
                names,
                variables,
                places,
            } => {
                if let Some(place) = places.get(name) {
                    return Ok(*place);
                }
                let Some((known, kind)) = names.get_key_value(name) else {
                    return Err((start, format!("the operation has nothing called '{name}'")));
                };
                let place = variables.len();
                places.insert(known, place);
                variables.push(FormatVariable {
                    kind: *kind,
                    name: own(name),
                });
                Ok(place)
            }
        }
    }

    /// Parses `(params)`, `($a, $b)`.
    fn arguments(&mut self) -> FormatResult<Vec<usize>> {
        self.expect("(")?;
        if self.eat("params") {
            self.expect(")")?;
            return Ok(self.all());
        }
        let mut parameters = Vec::new();
        loop {
            if self.rest().starts_with("ref(") {
                return self.fail("'ref' is valid in 'custom' only");
            }
            parameters.push(self.parameter()?);
            if !self.eat(",") {
                self.expect(")")?;
                return Ok(parameters);
            }
        }
    }

    /// Parses `(params)`, `($a, ref($b), "text")`.
    fn custom_arguments(&mut self, custom: &mut CustomDirective) -> FormatResult<()> {
        self.expect("(")?;
        loop {
            if self.eat("params") {
                custom.parameters.extend(self.all());
                custom.bound.extend(self.all());
            } else if self.eat("\"") {
                custom.texts.push(self.text_in_quotes()?);
            } else if self.eat("ref(") {
                custom.parameters.push(self.parameter()?);
                self.expect(")")?;
            } else {
                let parameter = self.parameter()?;
                custom.parameters.push(parameter);
                custom.bound.push(parameter);
            }
            if !self.eat(",") {
                return self.expect(")");
            }
        }
    }

    /// Parses a text after its opening quotation mark.
    fn text_in_quotes(&mut self) -> FormatResult<Text> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some((text, _)) = rest.split_once('"') else {
            return self.fail("expected '\"' at the end of the string");
        };
        self.at = self.at.saturating_add(text.len()).saturating_add(1);
        Ok((self.own)(text))
    }

    /// Returns the nesting depth inside of a group.
    fn inside(&self, depth: usize) -> FormatResult<usize> {
        match depth < DEEPEST {
            true => Ok(depth.saturating_add(1)),
            false => self.fail("too many groups in one another"),
        }
    }

    /// Parses a group after its `(`.
    fn group(&mut self, depth: usize) -> FormatResult<FormatElement> {
        let inner = self.inside(depth)?;
        let (then, first) = self.elements(inner, true)?;
        let (mut otherwise, mut second) = (Vec::new(), None);
        if self.eat(":") {
            self.expect("(")?;
            (otherwise, second) = self.elements(inner, true)?;
        }
        self.expect("?")?;
        let inverted = second.is_some();
        match (first, second) {
            (Some(anchor), None) | (None, Some(anchor)) => {
                Ok(FormatElement::Group(OptionalGroup {
                    anchor,
                    then,
                    otherwise,
                    inverted,
                }))
            }
            _ => self.fail("an optional group has one anchor"),
        }
    }
}

/// Returns the parameters that an element contains.
pub(super) fn captured(element: &FormatElement) -> Vec<usize> {
    match element {
        FormatElement::Literal(_) | FormatElement::Space(_) => Vec::new(),
        FormatElement::Parameter(place) | FormatElement::Qualified(place) => vec![*place],
        FormatElement::Parameters(places) | FormatElement::Struct(places) => places.clone(),
        FormatElement::Custom(custom) => custom.bound.clone(),
        FormatElement::Group(group) => group.anchor.clone(),
        FormatElement::Operation(element) => captured_by_operation(element),
    }
}

fn captured_by_operation(element: &OperationElement) -> Vec<usize> {
    let group = |types: &TypesOf| match types {
        TypesOf::Group(place) => Some(*place),
        TypesOf::Operands | TypesOf::Results => None,
    };
    match element {
        OperationElement::Type(types) | OperationElement::QualifiedType(types) => {
            group(types).into_iter().collect()
        }
        OperationElement::FunctionalType(inputs, results) => {
            [inputs, results].into_iter().filter_map(group).collect()
        }
        OperationElement::Custom(directive) => {
            let argument = |argument: &DirectiveArgument| match argument {
                DirectiveArgument::Variable(place) => Some(*place),
                DirectiveArgument::Type(types) => group(types),
                _ => None,
            };
            directive.arguments.iter().filter_map(argument).collect()
        }
        _ => Vec::new(),
    }
}
