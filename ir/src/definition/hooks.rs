//! The trait of sources of hooks, the code that definitions refer to by name.

use crate::asm::{DirectiveSyntax, EntrySyntax, EntryVerifier, OperationSyntax, ValueNames};
use crate::verify::OperationVerifier;

/// Looks up the hooks that definitions name.
pub trait HookSource {
    /// Returns the syntax hook of that name.
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax> {
        let _ = name;
        None
    }

    /// Returns the hook of that name for the names of values.
    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        let _ = name;
        None
    }

    /// Returns the verifier hook of that name.
    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        let _ = name;
        None
    }

    /// Returns the syntax hook of that name for a part of an operation. The name is the
    /// directive's, preceded by the dialect's and a dot if it is specific to the dialect.
    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        let _ = name;
        None
    }

    /// Returns the hook of that name that checks the parameters of an attribute or type.
    fn entry_verifier(&self, name: &str) -> Option<&'static dyn EntryVerifier> {
        let _ = name;
        None
    }

    /// Returns the syntax hook of that name for parameters of attributes and types. The name is the
    /// dialect's, a dot and the directive's.
    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        let _ = name;
        None
    }
}

/// Provides no hooks.
impl HookSource for () {}
