//! Hooks of torch-mlir's dialects.

use super::{Set, Table};
use crate::entry::Entry;
use rmlir_ir::asm::{EntrySyntax, ValueNames};

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
    names: &[NAMES],
    entry_syntax: &[ENTRY_SYNTAX],
    ..Set::EMPTY
};
