//! Where definitions find code.

use crate::asm::{DirectiveSyntax, EntrySyntax, EntryVerifier, OperationSyntax, ValueNames};
use crate::verify::OperationVerifier;

/// Where definitions find the hooks that they name.
pub trait HookSource {
    /// The syntax of that name.
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax>;

    /// The names of values, of that name.
    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        let _ = name;
        None
    }

    /// What the verifier checks, of that name.
    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        let _ = name;
        None
    }

    /// The syntax of a part of an operation, of that name: the directive's, with the dialect's and a dot before it
    /// if it is the dialect's own.
    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        let _ = name;
        None
    }

    /// What must be of the parameters of an attribute or type, of that name.
    fn entry_verifier(&self, name: &str) -> Option<&'static dyn EntryVerifier> {
        let _ = name;
        None
    }

    /// The syntax of parameters of attributes and types, of that name: the dialect's, a dot and the directive's.
    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        let _ = name;
        None
    }
}

/// No hooks.
impl HookSource for () {
    fn syntax(&self, _: &str) -> Option<&'static dyn OperationSyntax> {
        None
    }
}
