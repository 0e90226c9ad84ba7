//! The schema of dialect definitions: plain data that parser, printer, verifier, readers and
//! writers share.
//!
//! A definition describes all known [releases](Release) of a dialect at once: each version of a
//! changed part is a separate entry with the range of releases in which it applies. Definitions are
//! written in files of a [text format](DialectDefinition::parse) or [built in code](build), are
//! shared through [`Arc`](std::sync::Arc), and are found by a [`Context`](crate::Context) through a
//! [`DialectSource`].

pub mod build;
mod constraint_names;
mod declaration;
mod dialect;
mod discardable;
mod documentation;
mod entry;
mod format;
mod hooks;
mod line;
mod llvm;
mod merge;
mod operation;
mod operation_format;
mod parse;
mod parse_confinement;
mod parse_entry;
mod parse_operation;
mod print;
mod print_format;
mod property;
mod release;
mod requirement;
mod scalar_body;
mod traits;
mod type_function;

pub use declaration::{AttributeValueDefinition, DeclarationDefinition};
pub use dialect::{
    AliasDefinition, DialectDefinition, DialectSource, DialectVersion, EnumCase, EnumDefinition,
};
pub use discardable::DiscardableAttribute;
pub use documentation::Documentation;
pub use entry::{
    Abbreviated, Absence, CodecTarget, EntryDefinition, EntryHook, EntryTable, ParameterDefinition,
    ParameterKind,
};
pub use format::{AssemblyFormat, CustomDirective, FormatElement, OptionalGroup};
pub use hooks::{HookSource, HookTable};
pub use line::DefinitionError;
pub use llvm::{LlvmFeature, LlvmRelease};
pub use merge::{DefinitionChange, DefinitionChangeKind, MergedDefinition};
pub use operation::{
    Forwarding, GroupDefinition, GroupKind, InherentAttribute, OperationDefinition, Presence,
    RememberedAttribute, SymbolDefinition, TypeRelation,
};
pub use operation_format::{
    DirectiveArgument, FormatVariable, OperationDirective, OperationElement, OperationFormat,
    TypeDerivation, TypesOf, VariableKind,
};
pub use property::{
    NativeProperty, OPERAND_SEGMENT_SIZES, PropertyBase, PropertyKind, PropertyLayout,
    PropertySlot, PropertyWrapper, RESULT_SEGMENT_SIZES, SEGMENT_SIZES, SlotKind, VersionBound,
};
pub use release::{Family, Release, ReleaseRange, ReleaseSet, UnknownRelease};
pub use requirement::Requirement;
pub(crate) use requirement::{Arithmetic, Comparison, Expression, MessagePart};
pub use scalar_body::{BodyStep, ScalarBody};
pub use traits::{NamedTrait, OperationTraits, TypeRelationKind};
pub use type_function::{
    TypeFunction, element_or_self, listed_parameters, slice_of, type_parameters,
};

/// Text in a definition: borrowed if it is embedded in the program.
pub type Text = std::borrow::Cow<'static, str>;
