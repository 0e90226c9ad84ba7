//! Hooks of torch-mlir's dialects.

use super::{Set, Table};
use crate::directive::Directive;
use crate::entry::Entry;
use crate::torch::operations;
use crate::two_way::Syntax;
use rmlir_ir::asm::{DirectiveSyntax, EntrySyntax, OperationSyntax, ValueNames};

/// Sorted by name.
static SYNTAX: Table<dyn OperationSyntax> = &[("torch.prim.If", &Syntax(operations::If))];

/// Sorted by name.
static DIRECTIVES: Table<dyn DirectiveSyntax> = &[
    ("torch.Map", &Directive(operations::Map)),
    ("torch.Slots", &Directive(operations::Slots)),
];

/// Sorted by name.
static NAMES: Table<dyn ValueNames> = &[
    ("torch.constant.bool", &crate::torch::Constant),
    ("torch.constant.device", &crate::torch::Constant),
    ("torch.constant.float", &crate::torch::Constant),
    ("torch.constant.int", &crate::torch::Constant),
];

/// Sorted by name.
static ENTRY_SYNTAX: Table<dyn EntrySyntax> = &[("torch.Tensor", &Entry(crate::torch::Tensor))];

pub(super) const HOOKS: Set = Set {
    syntax: &[SYNTAX],
    directives: &[DIRECTIVES],
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
