//! Imports dialect definitions from other descriptions.
//!
//! * [`irdl`]: operations of MLIR's dialect `irdl`.
//! * [`tablegen`]: the output of `llvm-tblgen --dump-json` for a dialect's `.td` files.
//!
//! The result is a [`DialectDefinition`], whose `Display` is its text, and a list of [`Warning`]s
//! that names everything that was not imported because it is C++ in the input. The input need not
//! be trusted: nothing panics on it, and nothing recurses on its depth.

pub mod irdl;
pub mod tablegen;

use rmlir_ir::definition::{DialectDefinition, HookSource};
use std::collections::BTreeMap;
use std::fmt;

/// An imported definition.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The definition of the dialect.
    pub definition: DialectDefinition,
    /// The parts that were not imported, in the order of the definition.
    pub warnings: Vec<Warning>,
}

impl Imported {
    /// Returns the number of facts of each kind that were not imported.
    pub fn losses(&self) -> BTreeMap<LossKind, usize> {
        let mut counts = BTreeMap::new();
        for warning in &self.warnings {
            let count: &mut usize = counts.entry(warning.kind).or_default();
            *count = count.saturating_add(1);
        }
        counts
    }

    /// Returns `self` if its text parses as the same definition. It need not: names come from the
    /// input, and may be invalid in the text.
    fn checked(self, hooks: &dyn HookSource) -> Result<Self, ImportError> {
        let text = self.definition.to_string();
        let again = DialectDefinition::parse(&text, hooks);
        match again.map(|again| again.to_string()) {
            Ok(again) if again == text => Ok(self),
            Ok(_) => Err(ImportError::new(
                "the definition differs after it is printed and parsed",
            )),
            Err(error) => Err(ImportError::new(format!(
                "the printed definition cannot be parsed: {error}"
            ))),
        }
    }
}

/// A kind of fact that a definition cannot hold, or that is C++ in the input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// An operation, attribute, type or a part of one is omitted.
    Definition,
    /// Custom syntax, a directive or a format.
    Syntax,
    /// A verifier.
    Verifier,
    /// A predicate of a constraint, or a relation between parts of an operation.
    Predicate,
    /// A trait, or the arguments of one.
    Trait,
    /// Memory effects of an operation, an operand or a result.
    Effects,
    /// A parameter of an unknown kind.
    Parameter,
    /// A native property of an unknown kind.
    Property,
    /// A default value.
    Default,
    /// An encoding in bytecode.
    Encoding,
    /// Documentation.
    Documentation,
}

impl LossKind {
    /// Returns the word for losses of this kind, in the plural: `defaults`.
    pub fn name(self) -> &'static str {
        match self {
            LossKind::Definition => "definitions",
            LossKind::Syntax => "syntax",
            LossKind::Verifier => "verifiers",
            LossKind::Predicate => "predicates",
            LossKind::Trait => "traits",
            LossKind::Effects => "memory effects",
            LossKind::Parameter => "parameters",
            LossKind::Property => "properties",
            LossKind::Default => "defaults",
            LossKind::Encoding => "encodings",
            LossKind::Documentation => "documentation",
        }
    }
}

/// A part of the input that was not imported.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Warning {
    /// The subject: `op add`, `type box`, `enum Mode`.
    pub subject: String,
    /// The kind of the loss.
    pub kind: LossKind,
    /// The part, and how it was handled.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)
    }
}

/// Returns whether a word is valid as a name in the text format of definitions.
fn is_name(word: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')' | '=' | '"');
    !word.is_empty() && word != "_" && !word.contains(ends) && !word.starts_with("//")
}

/// Why an input could not be imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError(Box<str>);

impl ImportError {
    #[cold]
    fn new(message: impl Into<String>) -> Self {
        ImportError(message.into().into())
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ImportError {}
