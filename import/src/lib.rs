//! Definitions of dialects, made from what describes them elsewhere.
//!
//! * [`irdl`]: operations of MLIR's dialect `irdl`.
//! * [`tablegen`]: what `llvm-tblgen --dump-json` makes of a dialect's `.td` files.
//!
//! What comes out is a [`DialectDefinition`], whose `Display` is its text, and a list of [`Warning`]s: what could not
//! be taken over, by name, as it is C++ there. The input need not be trusted: nothing panics on it, and nothing recurses
//! on its depth.

pub mod irdl;
pub mod tablegen;

use rmlir_ir::definition::{DialectDefinition, HookSource};
use std::fmt;

/// A definition that was made of something else.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What is known of the dialect.
    pub definition: DialectDefinition,
    /// What could not be taken over, in the order of the definition.
    pub warnings: Vec<Warning>,
}

impl Imported {
    /// This, if its text says it: names are of others, and may have what the text has no place for.
    fn checked(self, hooks: &dyn HookSource) -> Result<Self, ImportError> {
        let text = self.definition.to_string();
        let again = DialectDefinition::parse(&text, hooks);
        match again.map(|again| again.to_string()) {
            Ok(again) if again == text => Ok(self),
            Ok(_) => Err(ImportError::new(
                "the definition says something else as text",
            )),
            Err(error) => Err(ImportError::new(format!(
                "the definition has no text: {error}"
            ))),
        }
    }
}

/// Something that could not be taken over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Warning {
    /// Of what: `op add`, `type box`, `enum Mode`.
    pub subject: String,
    /// What it is, and what became of it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)
    }
}

/// Whether a word is a name in the text format of definitions.
fn is_name(word: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')' | '=' | '"');
    !word.is_empty() && word != "_" && !word.contains(ends) && !word.starts_with("//")
}

/// Why nothing could be made of an input.
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
