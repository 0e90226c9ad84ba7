//! The `llvm` dialect.

mod appending;
mod call;
mod enums;
mod expression;
mod function;
mod global;
mod memory;
pub(crate) mod type_syntax;
mod types;

use crate::directive::Directive;
pub(crate) use appending::Appending;
pub(crate) use call::{Call, CallLocation, LandingPad, OpBundles};
pub(crate) use expression::ExpressionArguments;
pub(crate) use function::Func;
pub(crate) use global::{Alias, Global, Linkage};
pub(crate) use memory::{
    Alloca, CmpXchgResult, GepIndices, InsertExtractValueElementType, Predicate, ShuffleType,
};

/// The predicate of `llvm.icmp`.
pub(crate) static ICMP: Directive<Predicate> = Directive(Predicate {
    enumeration: "ICmpPredicate",
});

/// The predicate of `llvm.fcmp`.
pub(crate) static FCMP: Directive<Predicate> = Directive(Predicate {
    enumeration: "FCmpPredicate",
});
