//! The hooks of this crate, by the names that definitions refer to: a set of tables for each Cargo
//! feature.

mod always;
#[cfg(feature = "circt")]
mod circt;
#[cfg(feature = "iree")]
mod iree;
#[cfg(feature = "stablehlo")]
mod stablehlo;
#[cfg(feature = "torch")]
mod torch;
#[cfg(feature = "triton")]
mod triton;
#[cfg(feature = "upstream")]
mod upstream;

use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};
use rmlir_ir::definition::HookSource;
use rmlir_ir::{DefinitionAppender, OperationVerifier};

/// Hooks of one kind with their names, sorted by name.
type Table<T> = &'static [(&'static str, &'static T)];

/// The tables of one set of definitions. There are several of a kind where a dialect has its own.
struct Set {
    syntax: &'static [Table<dyn OperationSyntax>],
    directives: &'static [Table<dyn DirectiveSyntax>],
    names: &'static [Table<dyn ValueNames>],
    verifiers: &'static [Table<dyn OperationVerifier>],
    entry_syntax: &'static [Table<dyn EntrySyntax>],
    appenders: &'static [Table<dyn DefinitionAppender>],
}

impl Set {
    const EMPTY: Set = Set {
        syntax: &[],
        directives: &[],
        names: &[],
        verifiers: &[],
        entry_syntax: &[],
        appenders: &[],
    };
}

/// The sets whose features are enabled.
const SETS: &[Set] = &[
    always::HOOKS,
    #[cfg(feature = "upstream")]
    upstream::HOOKS,
    #[cfg(feature = "stablehlo")]
    stablehlo::HOOKS,
    #[cfg(feature = "iree")]
    iree::HOOKS,
    #[cfg(feature = "circt")]
    circt::HOOKS,
    #[cfg(feature = "torch")]
    torch::HOOKS,
    #[cfg(feature = "triton")]
    triton::HOOKS,
];

/// Returns the hook of a name, where `tables` selects the kind.
fn find<T: ?Sized>(
    tables: impl Fn(&'static Set) -> &'static [Table<T>],
    name: &str,
) -> Option<&'static T> {
    SETS.iter().flat_map(tables).find_map(|table| {
        let at = table.binary_search_by(|hook| hook.0.cmp(name)).ok()?;
        table.get(at).map(|hook| hook.1)
    })
}

/// The hooks of this crate, for definitions that refer to them by name. Those of a set of
/// definitions are there if its feature is enabled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks;

impl HookSource for Hooks {
    fn syntax(&self, name: &str) -> Option<&'static dyn OperationSyntax> {
        find(|set| set.syntax, name)
    }

    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        find(|set| set.directives, name)
    }

    fn names(&self, name: &str) -> Option<&'static dyn ValueNames> {
        find(|set| set.names, name)
    }

    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        find(|set| set.verifiers, name)
    }

    fn appender(&self, name: &str) -> Option<&'static dyn DefinitionAppender> {
        find(|set| set.appenders, name)
    }

    fn entry_syntax(&self, name: &str) -> Option<&'static dyn EntrySyntax> {
        find(|set| set.entry_syntax, name)
    }
}
