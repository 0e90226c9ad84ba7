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

pub(crate) use appending::Appending;
pub(crate) use call::{Call, CallIntrinsic, CallLocation, Invoke, LandingPad, OpBundles};
pub(crate) use expression::ExpressionArguments;
pub(crate) use function::Func;
pub(crate) use global::{Alias, Global, Linkage};
pub(crate) use memory::{
    Alloca, CmpXchgResult, GepIndices, InsertExtractValueElementType, Predicate, ShuffleType,
};

/// The predicate of `llvm.icmp`.
pub(crate) static ICMP: Predicate = Predicate {
    enumeration: "ICmpPredicate",
};

/// The predicate of `llvm.fcmp`.
pub(crate) static FCMP: Predicate = Predicate {
    enumeration: "FCmpPredicate",
};
