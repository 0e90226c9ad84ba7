//! What assembly formats of operations have beyond those of attributes and types, and how the types are found
//! that a format does not say.
//!
//! The language is that of "Declarative Assembly Format" in MLIR's "Operation Definition Specification".
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::format::{AssemblyFormat, FormatElement};
use super::release::ReleaseRange;
use super::type_function::TypeFunction;
use super::{OperationDefinition, Text};
use crate::asm::DirectiveSyntax;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The syntax of an operation as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OperationFormat {
    /// What follows the operation's name. Its [`FormatElement::Parameter`]s are places in `variables`.
    pub format: AssemblyFormat,
    /// What the elements name.
    pub variables: Vec<FormatVariable>,
    /// When it is so.
    pub releases: ReleaseRange,
}

impl OperationFormat {
    /// The names of the directives whose code was not found, in the order of the format.
    pub fn missing_hooks(&self) -> impl Iterator<Item = &str> {
        let mut missing = Vec::new();
        let mut stack: Vec<&FormatElement> = self.format.elements.iter().rev().collect();
        while let Some(element) = stack.pop() {
            match element {
                FormatElement::Group(group) => {
                    stack.extend(group.otherwise.iter().rev());
                    stack.extend(group.then.iter().rev());
                }
                FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                    stack.extend(clauses.iter().rev().flat_map(|clause| clause.iter().rev()));
                }
                FormatElement::Operation(OperationElement::Custom(directive))
                    if directive.hook.is_none() =>
                {
                    missing.push(&*directive.name);
                }
                _ => {}
            }
        }
        missing.into_iter()
    }
}

/// The format in the language of definitions.
impl std::fmt::Display for OperationFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&super::print_format::operation_format(self))
    }
}

/// What a `$name` in the format of an operation is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatVariable {
    /// What it is.
    pub kind: VariableKind,
    /// Its name in the definition.
    pub name: Text,
}

/// The kinds of what an operation's format can name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// A group of operands.
    Operand,
    /// A group of results.
    Result,
    /// An inherent attribute.
    Attribute,
    /// A native property.
    Property,
    /// A region, or a group of regions.
    Region,
    /// A successor, or a group of successors.
    Successor,
}

/// A part of a format that only operations have.
#[derive(Clone, PartialEq, Debug)]
pub enum OperationElement {
    /// `type($group)`, `type(operands)`, `type(results)`.
    Type(TypesOf),
    /// `qualified(type($group))`: with the dialect's name and the mnemonic.
    QualifiedType(TypesOf),
    /// `functional-type(operands, results)`: the types of one as inputs and of the other as results.
    FunctionalType(TypesOf, TypesOf),
    /// `operands`: all of them.
    Operands,
    /// `regions`: all of them.
    Regions,
    /// `successors`: all of them.
    Successors,
    /// `attr-dict`, or `attr-dict-with-keyword`: the attributes that the format does not say.
    AttributeDictionary {
        /// Whether `attributes` comes before it.
        keyword: bool,
    },
    /// `prop-dict`: the properties that the format does not say, in `<{` and `}>`.
    PropertyDictionary,
    /// `` `\n` ``: a line break.
    Newline,
    /// `custom<Name>(...)`.
    Custom(OperationDirective),
    /// ``oilist(`word` ... | `word` ...)``: clauses in any order, each of which begins with a literal.
    Clauses(Vec<Vec<FormatElement>>),
}

/// Of what the types are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypesOf {
    /// Of a group, by its place among the variables.
    Group(usize),
    /// Of all operands.
    Operands,
    /// Of all results.
    Results,
}

/// Syntax of a part of an operation that is code.
#[derive(Clone, Debug)]
pub struct OperationDirective {
    /// Its name; the hook's is the dialect's name, a dot and this, or this alone if several dialects share it.
    pub name: Text,
    /// The hook, if it was found.
    pub hook: Option<&'static dyn DirectiveSyntax>,
    /// What it is given.
    pub arguments: Vec<DirectiveArgument>,
}

impl PartialEq for OperationDirective {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.arguments) == (&other.name, &other.arguments)
    }
}

/// What a `custom<...>` of an operation is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirectiveArgument {
    /// `$variable`: it reads or prints it.
    Variable(usize),
    /// `ref($variable)`: what was read before.
    Reference(usize),
    /// `type($group)`.
    Type(TypesOf),
    /// `ref(type($group))`.
    TypeReference(TypesOf),
    /// `attr-dict`.
    AttributeDictionary,
    /// `"text"`.
    Text(Text),
}

/// How the types of a group follow from others, where the format does not say them: upstream's `TypesMatchWith`
/// as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDerivation {
    /// The group of operands or results.
    pub target: Text,
    /// How.
    pub function: TypeFunction,
    /// The group or inherent attribute whose type it is found by.
    pub source: Text,
    /// What the verifier says must be so where it is not, as in "failed to verify that ..."; empty for words of its own.
    pub summary: Text,
    /// When it is so.
    pub releases: ReleaseRange,
}

impl OperationDefinition {
    /// What each name in a format stands for: what it is in those releases, else in any; of several parts of a name
    /// attributes come first, then properties, operands, results, regions and successors.
    pub(super) fn variable_kinds(&self, releases: ReleaseRange) -> HashMap<&str, VariableKind> {
        let attributes = self.attributes().iter();
        let attributes = attributes.map(|a| (VariableKind::Attribute, &*a.name, a.releases));
        let properties = self.properties.iter();
        let properties = properties.map(|p| (VariableKind::Property, &*p.name, p.releases));
        let groups = [
            (VariableKind::Operand, &self.operands),
            (VariableKind::Result, &self.results),
            (VariableKind::Region, &self.regions),
            (VariableKind::Successor, &self.successors),
        ];
        let groups = groups.into_iter().flat_map(|(kind, groups)| {
            let groups = groups.iter();
            groups.map(move |group| (kind, &*group.name, group.releases))
        });
        // What is there in those releases takes the place of what is not, the first the place of others.
        let mut kinds: HashMap<&str, (VariableKind, bool)> = HashMap::new();
        for (kind, name, range) in attributes.chain(properties).chain(groups) {
            let is_there = range.overlaps(releases);
            match kinds.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert((kind, is_there));
                }
                Entry::Occupied(mut entry) => {
                    if is_there && !entry.get().1 {
                        entry.insert((kind, is_there));
                    }
                }
            }
        }
        let kinds = kinds.into_iter();
        kinds.map(|(name, (kind, _))| (name, kind)).collect()
    }
}
