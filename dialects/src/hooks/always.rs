//! Hooks that are part of the library whatever its features are.

use super::{Set, Table};
use crate::directive::Directive;
use crate::enumeration::Members;
use crate::index_list::DynamicIndexList;
use crate::two_way::Syntax;
use rmlir_ir::OperationVerifier;
use rmlir_ir::asm::{DirectiveSyntax, OperationSyntax};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[
    ("builtin.module", &Syntax(crate::builtin::Module)),
    (
        "builtin.unrealized_conversion_cast",
        &Syntax(crate::builtin::UnrealizedConversionCast),
    ),
];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    (
        "DynamicIndexList",
        &Directive(DynamicIndexList { optional: false }),
    ),
    ("Members", &Directive(Members)),
];

/// Sorted by name.
static VERIFIERS: Table<dyn OperationVerifier> = &[
    ("builtin.module", &crate::builtin::verify::Module),
    (
        "builtin.unrealized_conversion_cast",
        &crate::builtin::verify::UnrealizedConversionCast,
    ),
];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    verifiers: &[VERIFIERS],
    ..Set::EMPTY
};
