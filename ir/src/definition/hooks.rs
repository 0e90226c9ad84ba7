//! The trait of sources of hooks, the code that definitions refer to by name.

use crate::asm::{DirectiveSyntax, EntrySyntax, EntryVerifier, OperationSyntax, ValueNames};
use crate::link::DefinitionAppender;
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

    /// Returns the hook of that name that joins definitions which add up to one.
    fn appender(&self, name: &str) -> Option<&'static dyn DefinitionAppender> {
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

/// Hooks by name.
///
/// ```
/// use rmlir_ir::definition::HookTable;
/// use rmlir_ir::{DialectDefinition, Op, OperationVerifier, VerifyResult};
///
/// #[derive(Debug)]
/// struct Even;
/// impl OperationVerifier for Even {
///     fn verify(&self, op: Op<'_>) -> VerifyResult {
///         match op.operands().len() % 2 {
///             0 => Ok(()),
///             _ => Err("has an odd number of operands".into()),
///         }
///     }
/// }
///
/// let text = "dialect toy\nop pairs(values: variadic AnyType)\n  hook toy.even\n";
/// let mut hooks = HookTable::default();
/// hooks.verifiers = &[("toy.even", &Even)];
/// let definition = DialectDefinition::parse(text, &hooks)?;
/// # drop(definition);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct HookTable {
    /// See [`HookSource::syntax`].
    pub syntax: &'static [(&'static str, &'static dyn OperationSyntax)],
    /// See [`HookSource::names`].
    pub names: &'static [(&'static str, &'static dyn ValueNames)],
    /// See [`HookSource::verifier`].
    pub verifiers: &'static [(&'static str, &'static dyn OperationVerifier)],
    /// See [`HookSource::appender`].
    pub appenders: &'static [(&'static str, &'static dyn DefinitionAppender)],
    /// See [`HookSource::directive`].
    pub directives: &'static [(&'static str, &'static dyn DirectiveSyntax)],
    /// See [`HookSource::entry_verifier`].
    pub entry_verifiers: &'static [(&'static str, &'static dyn EntryVerifier)],
    /// See [`HookSource::entry_syntax`].
    pub entry_syntax: &'static [(&'static str, &'static dyn EntrySyntax)],
}

fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().find(|row| row.0 == name);
    found.map(|row| row.1)
}

impl HookSource for HookTable {
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax> {
        named(self.syntax, name)
    }

    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        named(self.names, name)
    }

    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        named(self.verifiers, name)
    }

    fn appender(&self, name: &str) -> Option<&'static dyn DefinitionAppender> {
        named(self.appenders, name)
    }

    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        named(self.directives, name)
    }

    fn entry_verifier(&self, name: &str) -> Option<&'static dyn EntryVerifier> {
        named(self.entry_verifiers, name)
    }

    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        named(self.entry_syntax, name)
    }
}
