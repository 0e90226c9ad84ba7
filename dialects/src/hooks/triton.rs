//! Hooks of Triton's dialects.

use super::{Set, Table};
use crate::directive::Directive;
use crate::entry::Entry;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[("tt.func", &crate::func::PLAIN)];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("ttg.Offsets", &Directive(crate::triton::Offsets)),
    ("ttng.BarriersAndPreds", &Directive(crate::triton::Barriers)),
    ("ttng.Token", &Directive(crate::triton::Token)),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[
    ("tt.Shaped", &Entry(crate::triton::Shaped)),
    ("ttg.Shaped", &Entry(crate::triton::Shaped)),
    ("ttng.Shaped", &Entry(crate::triton::Shaped)),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
