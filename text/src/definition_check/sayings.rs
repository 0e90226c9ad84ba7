//! What the elements of an operation's format say, in their order, and what can't be told apart when it is read.

use super::Checker;
use super::formats::is_always_there;
use rmlir_ir::definition::{
    DirectiveArgument, FormatElement, GroupDefinition, GroupKind, OperationDefinition,
    OperationElement, OperationFormat, TypesOf, VariableKind,
};
use std::collections::BTreeSet;
use std::fmt;

/// Something that a format can say. Names of operands and results differ, those of others are of a sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum What<'f> {
    /// A part by its sort and name.
    Part(u8, &'f str),
    /// The type of operands or results.
    Type(u8, &'f str),
    /// The attributes that nothing else says.
    Attributes,
    /// The same of properties.
    Properties,
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Part(_, name) => write!(f, "'{name}'"),
            What::Type(_, name) => write!(f, "the type of '{name}'"),
            What::Attributes => f.write_str("the attributes"),
            What::Properties => f.write_str("the properties"),
        }
    }
}

/// The format of an operation, whose elements are asked what they say.
pub(super) struct Sayings<'f> {
    pub(super) operation: &'f OperationDefinition,
    pub(super) format: &'f OperationFormat,
}

impl<'f> Sayings<'f> {
    /// What an element says itself: nothing if others are in it.
    pub(super) fn of(&self, element: &FormatElement) -> Vec<What<'f>> {
        let operation = self.operation;
        match element {
            FormatElement::Parameter(at) | FormatElement::Qualified(at) => {
                self.part(*at).into_iter().collect()
            }
            FormatElement::Operation(element) => match element {
                OperationElement::Operands => self.all(VariableKind::Operand, &operation.operands),
                OperationElement::Regions => self.all(VariableKind::Region, &operation.regions),
                OperationElement::Successors => {
                    self.all(VariableKind::Successor, &operation.successors)
                }
                OperationElement::Type(types) | OperationElement::QualifiedType(types) => {
                    self.types(types)
                }
                OperationElement::FunctionalType(inputs, results) => {
                    let mut said = self.types(inputs);
                    said.extend(self.types(results));
                    said
                }
                OperationElement::AttributeDictionary { .. } => vec![What::Attributes],
                OperationElement::PropertyDictionary => vec![What::Properties],
                OperationElement::Custom(directive) => {
                    let mut said = Vec::new();
                    for argument in &directive.arguments {
                        match argument {
                            DirectiveArgument::Variable(at) => said.extend(self.part(*at)),
                            DirectiveArgument::Type(types) => said.extend(self.types(types)),
                            DirectiveArgument::AttributeDictionary => said.push(What::Attributes),
                            _ => {}
                        }
                    }
                    said
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// What an element takes from those before it.
    fn refers_to(&self, element: &FormatElement) -> Vec<What<'f>> {
        let FormatElement::Operation(OperationElement::Custom(directive)) = element else {
            return Vec::new();
        };
        let mut referred = Vec::new();
        for argument in &directive.arguments {
            match argument {
                DirectiveArgument::Reference(at) => referred.extend(self.part(*at)),
                DirectiveArgument::TypeReference(types) => referred.extend(self.types(types)),
                _ => {}
            }
        }
        referred
    }

    fn part(&self, at: usize) -> Option<What<'f>> {
        let variable = self.format.variables.get(at)?;
        Some(What::Part(sort(variable.kind), &variable.name))
    }

    fn all(&self, kind: VariableKind, groups: &'f [GroupDefinition]) -> Vec<What<'f>> {
        let names = self.names(groups).into_iter();
        names.map(|name| What::Part(sort(kind), name)).collect()
    }

    fn types(&self, types: &TypesOf) -> Vec<What<'f>> {
        let (kind, groups) = match types {
            TypesOf::Group(at) => {
                let variable = self.format.variables.get(*at);
                let said = variable.map(|v| What::Type(sort(v.kind), &v.name));
                return said.into_iter().collect();
            }
            TypesOf::Operands => (VariableKind::Operand, &self.operation.operands),
            TypesOf::Results => (VariableKind::Result, &self.operation.results),
        };
        let names = self.names(groups).into_iter();
        names.map(|name| What::Type(sort(kind), name)).collect()
    }

    /// The names of the groups in the releases of the format, each once.
    fn names(&self, groups: &'f [GroupDefinition]) -> BTreeSet<&'f str> {
        let releases = self.format.releases;
        let there = groups.iter().filter(|g| g.releases.overlaps(releases));
        let names = there.map(|group| &*group.name);
        names.filter(|name| !name.is_empty()).collect()
    }

    /// How many members the operands, or the types, that an element says have, and what it is called; none if it says no such.
    fn list(&self, element: &FormatElement) -> Option<(bool, GroupKind, String)> {
        let (is_type, name) = match self.of(element).as_slice() {
            [What::Part(sort, name)] if *sort == self::sort(VariableKind::Operand) => {
                (false, *name)
            }
            [What::Type(_, name)] => (true, *name),
            _ => return None,
        };
        let operation = self.operation;
        let mut groups = operation.operands.iter().chain(&operation.results);
        let group = groups.find(|group| group.name == name)?;
        let called = match is_type {
            true => format!("the types of '{name}'"),
            false => format!("'{name}'"),
        };
        Some((is_type, group.kind, called))
    }
}

/// A number for each kind of which names differ.
pub(super) fn sort(kind: VariableKind) -> u8 {
    match kind {
        VariableKind::Operand => 0,
        VariableKind::Result => 1,
        VariableKind::Attribute | VariableKind::Property => 2,
        VariableKind::Region => 3,
        VariableKind::Successor => 4,
    }
}

/// The places of the variables that an element says itself.
fn variables(element: &FormatElement) -> Vec<usize> {
    match element {
        FormatElement::Parameter(at) | FormatElement::Qualified(at) => vec![*at],
        FormatElement::Operation(OperationElement::Custom(directive)) => {
            let arguments = directive.arguments.iter();
            let said = arguments.filter_map(|argument| match argument {
                DirectiveArgument::Variable(at) => Some(*at),
                _ => None,
            });
            said.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an element says an attribute of any kind.
fn is_any_attribute(
    operation: &OperationDefinition,
    format: &OperationFormat,
    element: &FormatElement,
) -> bool {
    let (FormatElement::Parameter(at) | FormatElement::Qualified(at)) = element else {
        return false;
    };
    let variable = format.variables.get(*at);
    let Some(variable) = variable.filter(|found| found.kind == VariableKind::Attribute) else {
        return false;
    };
    let mut attributes = operation.attributes().iter();
    attributes.any(|a| a.name == variable.name && matches!(&*a.constraint, "AnyAttr" | "AnyAttrOf"))
}

/// Whether a colon can come first of some elements; none if they can all be left out.
fn next_is_colon(elements: &[FormatElement]) -> Option<bool> {
    for element in elements {
        match element {
            FormatElement::Space(_)
            | FormatElement::Operation(
                OperationElement::AttributeDictionary { .. } | OperationElement::Newline,
            ) => {}
            FormatElement::Literal(text) => return Some(*text == *":"),
            FormatElement::Group(group) => {
                let either = [&group.then, &group.otherwise];
                let first = either.map(|elements| {
                    let mut seen = elements.iter();
                    seen.find(|element| !matches!(element, FormatElement::Space(_)))
                });
                let colon = |first: &Option<&FormatElement>| matches!(first, Some(FormatElement::Literal(text)) if *text == *":");
                if first.iter().any(colon) {
                    return Some(true);
                }
                if first.iter().all(Option::is_some) {
                    return Some(false);
                }
            }
            _ => return Some(false),
        }
    }
    None
}

impl Checker<'_> {
    /// That what elements refer to is said before them.
    pub(super) fn order(&mut self, said: &Sayings<'_>, place: usize) {
        let mut before = BTreeSet::new();
        let mut stack: Vec<&FormatElement> = said.format.format.elements.iter().rev().collect();
        while let Some(element) = stack.pop() {
            for what in said.refers_to(element) {
                if !before.contains(&what) {
                    let name = &said.operation.mnemonic;
                    let message = format!(
                        "the format of '{name}' refers to {what}, which is not said before"
                    );
                    self.error(place, message);
                }
            }
            before.extend(said.of(element));
            match element {
                FormatElement::Group(group) => {
                    stack.extend(group.otherwise.iter().rev());
                    stack.extend(group.then.iter().rev());
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    let inner = clauses.iter().rev().flat_map(|clause| clause.iter().rev());
                    stack.extend(inner);
                }
                _ => {}
            }
        }
    }

    /// That clauses can be told apart, and left out.
    pub(super) fn clauses(
        &mut self,
        operation: &OperationDefinition,
        format: &OperationFormat,
        place: usize,
    ) {
        let mut stack: Vec<&FormatElement> = format.format.elements.iter().collect();
        while let Some(element) = stack.pop() {
            let clauses = match element {
                FormatElement::Group(group) => {
                    stack.extend(group.then.iter().chain(&group.otherwise));
                    continue;
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => clauses,
                _ => continue,
            };
            let mut words = BTreeSet::new();
            for clause in clauses {
                stack.extend(clause);
                if let Some(FormatElement::Literal(word)) = clause.first()
                    && !words.insert(&**word)
                {
                    let message = format!("two clauses of an oilist begin with `{word}`");
                    self.error(place, message);
                }
                let said = clause.iter().flat_map(variables);
                for name in said.filter_map(|at| is_always_there(operation, format, at)) {
                    let message =
                        format!("'{name}' is always there: no clause of an oilist can say it");
                    self.error(place, message);
                }
            }
        }
    }

    /// That attributes are said whatever else is, and that what may have a type behind a colon has no other colon behind it.
    /// Recurses on groups of the definition, which are few.
    pub(super) fn dictionary_and_colons<'e>(
        &mut self,
        (operation, format): (&OperationDefinition, &OperationFormat),
        elements: &'e [FormatElement],
        behind: &mut Vec<&'e [FormatElement]>,
        place: usize,
    ) {
        for (number, element) in elements.iter().enumerate() {
            let rest = elements.get(number.saturating_add(1)..).unwrap_or_default();
            let inner = match element {
                FormatElement::Group(group) => vec![&group.then, &group.otherwise],
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    clauses.iter().collect()
                }
                _ => Vec::new(),
            };
            behind.push(rest);
            for elements in inner {
                self.dictionary_and_colons((operation, format), elements, behind, place);
            }
            let is_inside = behind.len() > 1;
            let colon = is_any_attribute(operation, format, element)
                && behind.iter().rev().find_map(|rest| next_is_colon(rest)) == Some(true);
            behind.pop();
            let name = &operation.mnemonic;
            match element {
                FormatElement::Operation(OperationElement::AttributeDictionary { .. })
                    if is_inside =>
                {
                    let message = format!(
                        "the `attr-dict` of '{name}' stands in an optional group: without that nothing says other attributes"
                    );
                    self.error(place, message);
                }
                FormatElement::Parameter(at) | FormatElement::Qualified(at) if colon => {
                    let attribute = format.variables.get(*at);
                    let attribute = attribute.map_or("", |variable| &variable.name);
                    let message = format!(
                        "a colon comes behind '{attribute}', which can be an attribute with a type behind a colon"
                    );
                    self.warn(place, message);
                }
                _ => {}
            }
        }
    }

    /// That it can be seen where lists of operands and types end. Recurses on groups of the definition, which are few.
    pub(super) fn lists(
        &mut self,
        operation: &OperationDefinition,
        format: &OperationFormat,
        place: usize,
    ) {
        let said = Sayings { operation, format };
        let mut stack: Vec<&[FormatElement]> = vec![&format.format.elements];
        while let Some(elements) = stack.pop() {
            let mut elements = elements
                .iter()
                .filter(|e| !matches!(e, FormatElement::Space(_)));
            let mut open: Option<(bool, GroupKind, String)> = None;
            // Whether a comma stands between the list and what comes next.
            let mut comma = false;
            for element in elements.by_ref() {
                match element {
                    FormatElement::Group(group) => {
                        stack.extend([&*group.then, &*group.otherwise]);
                        open = None;
                    }
                    FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                        stack.extend(clauses.iter().map(|clause| &**clause));
                        open = None;
                    }
                    FormatElement::Literal(text) if *text == *"," => {
                        // An optional operand is read without looking for a comma.
                        comma = open
                            .as_ref()
                            .is_some_and(|list| list.1 != GroupKind::Optional);
                        open = open.filter(|_| comma);
                    }
                    element => {
                        let next = said.list(element);
                        if let (Some(list), Some(next)) = (&open, &next)
                            && list.0 == next.0
                            && (list.1 != GroupKind::Single)
                        {
                            let between = if comma { "a comma" } else { "nothing" };
                            let message = format!(
                                "{} and {} have {between} between them: it cannot be seen where the ones end",
                                list.2, next.2
                            );
                            self.warn(place, message);
                        }
                        open = next;
                        comma = false;
                    }
                }
            }
        }
    }
}
