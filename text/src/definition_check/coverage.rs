//! Finds what the elements of an operation's format cover, in order, and where parsing them is
//! ambiguous.

use super::Checker;
use rmlir_ir::definition::{
    DirectiveArgument, FormatElement, GroupDefinition, GroupKind, OperationDefinition,
    OperationElement, OperationFormat, Presence, TypesOf, VariableKind,
};
use std::collections::BTreeSet;
use std::fmt;

/// Something that a format can cover. Operands and results are distinguished by name, others by
/// sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum What<'f> {
    /// A part, by its kind and name.
    Part(u8, &'f str),
    /// The type of operands or results.
    Type(u8, &'f str),
    /// The attributes that nothing else covers.
    Attributes,
    /// The properties that nothing else covers.
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

/// The format of an operation, queried for the coverage of its elements.
pub(super) struct Coverage<'f> {
    pub(super) operation: &'f OperationDefinition,
    pub(super) format: &'f OperationFormat,
    /// The parts that cannot be omitted, by sort and name. Regions can be empty, and properties
    /// have defaults.
    always: BTreeSet<(u8, &'f str)>,
}

impl<'f> Coverage<'f> {
    pub(super) fn new(operation: &'f OperationDefinition, format: &'f OperationFormat) -> Self {
        let (mut always, mut not_always) = (BTreeSet::new(), BTreeSet::new());
        for (kind, groups) in [
            (VariableKind::Operand, &operation.operands),
            (VariableKind::Result, &operation.results),
            (VariableKind::Successor, &operation.successors),
        ] {
            for group in groups {
                let is_always = group.kind == GroupKind::Single;
                let names = if is_always {
                    &mut always
                } else {
                    &mut not_always
                };
                names.insert((sort(kind), &*group.name));
            }
        }
        for attribute in operation.attributes() {
            let is_always = attribute.presence == Presence::Required;
            let names = if is_always {
                &mut always
            } else {
                &mut not_always
            };
            names.insert((sort(VariableKind::Attribute), &*attribute.name));
        }
        for property in &operation.properties {
            not_always.insert((sort(VariableKind::Property), &*property.name));
        }
        always.retain(|name| !not_always.contains(name));
        Coverage {
            operation,
            format,
            always,
        }
    }

    /// Returns the name of a variable that cannot be omitted; `None` if it can.
    pub(super) fn is_always_there(&self, at: usize) -> Option<String> {
        let variable = self.format.variables.get(at)?;
        let name = &*variable.name;
        let is = self.always.contains(&(sort(variable.kind), name));
        is.then(|| name.to_owned())
    }

    /// Returns whether a part, or the part that has this type, cannot be omitted.
    fn must_be(&self, what: &What<'f>) -> bool {
        match what {
            What::Part(sort, name) | What::Type(sort, name) => {
                self.always.contains(&(*sort, *name))
            }
            What::Attributes | What::Properties => false,
        }
    }

    /// Returns what an element itself covers: nothing if it contains other elements.
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

    /// Returns the dependencies of an element on preceding elements.
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

    /// Returns the names of the groups in the releases of the format, each once.
    fn names(&self, groups: &'f [GroupDefinition]) -> BTreeSet<&'f str> {
        let releases = self.format.releases;
        let there = groups.iter().filter(|g| g.releases.overlaps(releases));
        let names = there.map(|group| &*group.name);
        names.filter(|name| !name.is_empty()).collect()
    }
}

/// Returns a number for each kind of which names differ.
pub(super) fn sort(kind: VariableKind) -> u8 {
    match kind {
        VariableKind::Operand => 0,
        VariableKind::Result => 1,
        VariableKind::Attribute | VariableKind::Property => 2,
        VariableKind::Region => 3,
        VariableKind::Successor => 4,
    }
}

/// Returns the indices of the variables that an element itself covers.
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

impl Checker<'_> {
    /// Checks that everything an element refers to is covered before it.
    pub(super) fn order(&mut self, said: &Coverage<'_>, place: usize) {
        let mut before = BTreeSet::new();
        let mut stack: Vec<&FormatElement> = said.format.format.elements.iter().rev().collect();
        while let Some(element) = stack.pop() {
            for what in said.refers_to(element) {
                if !before.contains(&what) {
                    let name = &said.operation.mnemonic;
                    let message = format!(
                        "the format of '{name}' refers to {what}, which the format does not contain before"
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

    /// Checks that clauses can be distinguished, and omitted.
    pub(super) fn clauses(&mut self, said: &Coverage<'_>, place: usize) {
        let mut stack: Vec<&FormatElement> = said.format.format.elements.iter().collect();
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
                let named = clause.iter().flat_map(variables);
                for name in named.filter_map(|at| said.is_always_there(at)) {
                    let message = format!(
                        "'{name}' is always present: it cannot be in a clause of an oilist"
                    );
                    self.error(place, message);
                }
            }
        }
    }

    /// Checks that attributes are covered unconditionally. Recurses on groups of the definition,
    /// which are few.
    pub(super) fn dictionary(
        &mut self,
        operation: &OperationDefinition,
        elements: &[FormatElement],
        is_inside: bool,
        place: usize,
    ) {
        for element in elements {
            match element {
                FormatElement::Group(group) => {
                    for branch in [&group.then, &group.otherwise] {
                        self.dictionary(operation, branch, true, place);
                    }
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    for clause in clauses {
                        self.dictionary(operation, clause, true, place);
                    }
                }
                FormatElement::Operation(OperationElement::AttributeDictionary { .. })
                    if is_inside =>
                {
                    let name = &operation.mnemonic;
                    let message = format!(
                        "the `attr-dict` of '{name}' is in an optional group: other attributes are lost if the group is absent"
                    );
                    self.error(place, message);
                }
                _ => {}
            }
        }
    }

    /// Finds required parts that have a text in only one branch of an optional group.
    ///
    /// Recurses on groups of the definition, which are few.
    pub(super) fn mandatory(
        &mut self,
        said: &Coverage<'_>,
        elements: &[FormatElement],
        place: usize,
    ) {
        for element in elements {
            let FormatElement::Group(group) = element else {
                continue;
            };
            let all = |elements: &[FormatElement]| {
                let mut all = BTreeSet::new();
                all_said(said, elements, &mut all);
                all
            };
            let (then, otherwise) = (all(&group.then), all(&group.otherwise));
            let anchor = group.anchor.iter();
            let anchor = anchor.filter_map(|at| said.format.variables.get(*at));
            let anchor: BTreeSet<&str> = anchor.map(|variable| &*variable.name).collect();
            for what in then.symmetric_difference(&otherwise) {
                let is_anchor = matches!(what, What::Part(_, name) if anchor.contains(name));
                if !is_anchor && said.must_be(what) {
                    self.error(place, format!(
                        "{what} is required, but is in an optional group, and is lost if the group is absent; move it out of the group"
                    ));
                }
            }
            self.mandatory(said, &group.then, place);
            self.mandatory(said, &group.otherwise, place);
        }
    }
}

/// Collects what elements cover, including those in groups. Recurses on groups of the definition,
/// which are few.
fn all_said<'f>(said: &Coverage<'f>, elements: &[FormatElement], all: &mut BTreeSet<What<'f>>) {
    for element in elements {
        match element {
            FormatElement::Group(group) => {
                all_said(said, &group.then, all);
                all_said(said, &group.otherwise, all);
            }
            element => all.extend(said.of(element)),
        }
    }
}
