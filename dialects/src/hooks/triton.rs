//! Hooks of Triton's dialects.

use super::{Set, Table};
use crate::directive::Directive;
use crate::entry::Entry;
use crate::triton::partitions::{WarpGroup, WarpSpecialize};
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("nvws.warp_group", &Syntax(WarpGroup)),
    ("tt.func", &crate::func::PLAIN),
    ("ttg.warp_specialize", &Syntax(WarpSpecialize)),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    (
        "ttg.AddressSpaces",
        &Directive(crate::triton::AddressSpaces),
    ),
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
