//! Elements that only assembly formats of operations have, and the inference of types that a format
//! omits.
//!
//! The language is that of "Declarative Assembly Format" in MLIR's "Operation Definition
//! Specification".
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::format::{AssemblyFormat, FormatElement};
use super::release::ReleaseRange;
use super::type_function::TypeFunction;
use super::{OperationDefinition, Text};
use crate::asm::DirectiveSyntax;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The custom syntax of an operation as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OperationFormat {
    /// The syntax after the operation's name. Its [`FormatElement::Parameter`]s are indices into
    /// `variables`.
    pub format: AssemblyFormat,
    /// The parts of the operation that the elements name.
    pub variables: Vec<FormatVariable>,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

impl OperationFormat {
    /// Returns the names of the directives whose code was not found, in the order of the format.
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

/// Prints the format in the language of definitions.
impl std::fmt::Display for OperationFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&super::print_format::operation_format(self))
    }
}

/// The part of an operation that a `$name` in its format denotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatVariable {
    /// Its kind.
    pub kind: VariableKind,
    /// Its name in the definition.
    pub name: Text,
}

/// The kinds of parts that an operation's format can name.
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
    /// `functional-type(operands, results)`: the types of one as inputs and of the other as
    /// results.
    FunctionalType(TypesOf, TypesOf),
    /// `operands`: all operands.
    Operands,
    /// `regions`: all regions.
    Regions,
    /// `successors`: all successors.
    Successors,
    /// `attr-dict`, or `attr-dict-with-keyword`: the attributes that the format does not contain.
    AttributeDictionary {
        /// Whether the keyword `attributes` precedes it.
        keyword: bool,
    },
    /// `prop-dict`: the properties that the format does not contain, in `<{` and `}>`.
    PropertyDictionary,
    /// `` `\n` ``: a line break.
    Newline,
    /// `custom<Name>(...)`.
    Custom(OperationDirective),
    /// ``oilist(`word` ... | `word` ...)``: clauses in any order, each of which begins with a
    /// literal.
    Clauses(Vec<Vec<FormatElement>>),
}

/// The argument of a type directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypesOf {
    /// A group, by its index among the variables.
    Group(usize),
    /// All operands.
    Operands,
    /// All results.
    Results,
}

/// Syntax of a part of an operation that is implemented as code.
#[derive(Clone, Debug)]
pub struct OperationDirective {
    /// Its name. The hook's name is the dialect's name, a dot and this name, or this name alone if
    /// several dialects share it.
    pub name: Text,
    /// The hook, if it was found.
    pub hook: Option<&'static dyn DirectiveSyntax>,
    /// Its arguments.
    pub arguments: Vec<DirectiveArgument>,
}

impl PartialEq for OperationDirective {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.arguments) == (&other.name, &other.arguments)
    }
}

/// An argument of a `custom<...>` directive of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirectiveArgument {
    /// `$variable`: the directive parses or prints it.
    Variable(usize),
    /// `ref($variable)`: a part that was parsed before.
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

/// Specifies how the types of a group follow from others, where the format omits them: upstream's
/// `TypesMatchWith` as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeDerivation {
    /// The group of operands or results.
    pub target: Text,
    /// The function.
    pub function: TypeFunction,
    /// The group or inherent attribute whose type it is inferred from.
    pub source: Text,
    /// The rule in the verifier's error, as in "failed to verify that ..."; empty for the default
    /// wording.
    pub summary: Text,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

impl OperationDefinition {
    /// Returns the kind of each name that a format can use. A part that exists in these releases
    /// takes precedence over others. Among parts of the same name, attributes come first, then
    /// properties, operands, results, regions and successors.
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
        // A part that exists in these releases replaces one that does not; otherwise the first part
        // wins.
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
