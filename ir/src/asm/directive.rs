//! Parts of operations' syntax that are code: `custom<Name>(...)` in a format.

use super::{AsmParser, AsmPrinter, AsmResult, OperandName};
use crate::{Attribute, Block, NamedAttribute, Operation, Type, Value};
use std::fmt;

/// The syntax of a part of an operation, where data does not say it.
pub trait DirectiveSyntax: fmt::Debug + Send + Sync {
    /// Reads the part. Arguments come empty, but for those in `ref`, and hold afterwards what was
    /// read. The result says whether anything was there, which decides whether an optional group is
    /// that begins with this.
    ///
    /// # Errors
    ///
    /// If the text is not of this part.
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

    /// Whether this syntax says all that the arguments hold. If not, the operation is printed in
    /// generic form.
    fn can_print(
        &self,
        context: &crate::Context,
        operation: (&crate::Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let _ = (context, operation, arguments);
        true
    }
}

/// An argument of a directive, in which `V` stands for an operand.
#[derive(Clone, Debug)]
pub enum CustomArgument<V> {
    /// A group of operands.
    Operands(Vec<V>),
    /// Groups of operands in one.
    OperandGroups(Vec<Vec<V>>),
    /// The types of a group.
    Types(Vec<Type>),
    /// Lists of types.
    TypeGroups(Vec<Vec<Type>>),
    /// An inherent attribute or native property.
    Attribute(Option<Attribute>),
    /// Successors.
    Successors(Vec<Block>),
    /// The attributes that are not said otherwise.
    Dictionary(Vec<NamedAttribute>),
    /// Text of the format.
    Text(String),
}

/// An argument of a directive that reads.
pub type ParsedArgument = CustomArgument<OperandName>;

/// An argument of a directive that prints.
pub type PrintedArgument = CustomArgument<Value>;

impl PrintedArgument {
    /// The operands; none if it is something else.
    pub fn operands(&self) -> &[Value] {
        match self {
            PrintedArgument::Operands(values) => values,
            _ => &[],
        }
    }

    /// The types; none if it is something else.
    pub fn types(&self) -> &[Type] {
        match self {
            PrintedArgument::Types(types) => types,
            _ => &[],
        }
    }

    /// The attribute, if it is one and there.
    pub fn attribute(&self) -> Option<Attribute> {
        match self {
            PrintedArgument::Attribute(attribute) => *attribute,
            _ => None,
        }
    }
}
