//! Interfaces for the `custom<Name>(...)` directives of assembly formats.

use super::{AsmParser, AsmPrinter, AsmResult, OperandName, RegionArgument};
use crate::{Attribute, Block, NamedAttribute, Operation, Type, Value};
use std::fmt;

/// The syntax of a part of an operation that data cannot express.
pub trait DirectiveSyntax: fmt::Debug + Send + Sync {
    /// Parses the part. Arguments are empty on entry, except those in `ref`, and receive the parsed
    /// values. Returns whether anything was present, which decides whether an optional group that
    /// starts with this directive is present.
    ///
    /// # Errors
    ///
    /// If the text does not match the syntax of this part.
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool>;

    /// Prints the part.
    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        arguments: &[PrintedArgument],
    );

    /// Returns whether the syntax preserves everything that the arguments hold. If not, the
    /// operation is printed in generic form.
    fn can_print(
        &self,
        context: &crate::Context,
        operation: (&crate::Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let _ = (context, operation, arguments);
        true
    }

    /// Returns whether the text omits the region after this part if the region has no blocks.
    fn omits_empty_region(&self) -> bool {
        true
    }

    /// Returns whether the region after this part always shows its terminators.
    fn shows_terminators(&self) -> bool {
        false
    }
}

/// An argument of a directive; `V` is the representation of an operand.
#[derive(Clone, Debug)]
pub enum CustomArgument<V> {
    /// The operands of a group.
    Operands(Vec<V>),
    /// The operands of a group that consists of several groups.
    OperandGroups(Vec<Vec<V>>),
    /// The types of a group.
    Types(Vec<Type>),
    /// The types of a group that consists of several groups.
    TypeGroups(Vec<Vec<Type>>),
    /// An inherent attribute or native property.
    Attribute(Option<Attribute>),
    /// Successors.
    Successors(Vec<Block>),
    /// A region, which follows everything else that the directive covers.
    Region {
        /// The index of the region in the operation.
        number: usize,
        /// For a directive that parses: the arguments of the entry block of a region that comes
        /// next; `None`, as on entry, if there is no region.
        arguments: Option<Vec<RegionArgument>>,
    },
    /// The attributes that the rest of the format does not print.
    Dictionary(Vec<NamedAttribute>),
    /// A literal text of the format.
    Text(String),
}

/// An argument of a directive that parses.
pub type ParsedArgument = CustomArgument<OperandName>;

/// An argument of a directive that prints.
pub type PrintedArgument = CustomArgument<Value>;

impl PrintedArgument {
    /// Returns the operands; empty if the argument is of another kind.
    pub fn operands(&self) -> &[Value] {
        match self {
            PrintedArgument::Operands(values) => values,
            _ => &[],
        }
    }

    /// Returns the types; empty if the argument is of another kind.
    pub fn types(&self) -> &[Type] {
        match self {
            PrintedArgument::Types(types) => types,
            _ => &[],
        }
    }

    /// Returns the attribute; `None` if it is absent or the argument is of another kind.
    pub fn attribute(&self) -> Option<Attribute> {
        match self {
            PrintedArgument::Attribute(attribute) => *attribute,
            _ => None,
        }
    }
}
