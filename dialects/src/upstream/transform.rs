//! Hooks of the `transform` dialect.

mod lists;
mod options;
mod passes;
mod types;

pub(crate) use lists::{
    MatchDims, PackedOrDynamicIndexList, SelectedRegion, SequenceOperands, Split,
};
pub(crate) use options::{TileAlignments, TypeConverterOptions};
pub(crate) use passes::{ForeachMatch, ForeachMatchSymbols, PassOptions};
pub(crate) use types::{SameResultTypes, SemiFunctionType};

use crate::function::Function;

/// Custom syntax of `transform.named_sequence`.
pub(crate) static NAMED_SEQUENCE: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("transform.named_sequence", ""));
