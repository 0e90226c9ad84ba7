//! The in-memory representation of MLIR modules.
//!
//! A [`Context`] owns what is interned (strings, types, attributes, locations); a [`Module`] owns
//! operations, blocks, regions and values. Both hand out 4-byte handles.
//!
//! Text and bytecode are implemented by `rmlir-text`, `rmlir-reader` and `rmlir-writer`.

pub mod affine;
pub mod apint;
pub mod asm;
mod assertions;
mod attribute_walk;
mod attributes;
mod body;
mod builder;
pub mod builtin_codecs;
pub mod codec;
pub mod constraint;
mod content_node;
mod context;
mod declaration;
pub mod definition;
pub mod dense;
mod dominance;

mod equality;
mod error;
mod extract;
mod fingerprint;
pub mod float;
mod handle;
pub mod hash;
mod import;
mod indexed_map;
mod intern;
mod late_list;
mod link;
mod location;
mod location_classes;
mod map_locations;
mod module;
mod name_map;
mod nested_symbols;
mod normalize;
mod op;
mod operation_path;
mod operation_view;
mod provenance;
mod resource;
mod resource_keys;
mod sets;
pub mod sort;
mod split;
mod strip;
mod substitution;
mod suggest;
mod symbol_attributes;
mod symbol_table;
mod symbol_text;
mod textual_form;
mod types;
mod unknown_names;
mod validity;
mod verify;
mod walk;

pub use attribute_walk::{Entry, EntryReplacer, EntryWalker, Replacement};
pub use attributes::{Attribute, AttributeKind, NamedAttribute};
pub use body::{BodyBuilder, BodyPiece, BodyReference, DialectBody};
pub use builder::{AttributeValue, Builder, InsertionPoint, OperationBuilder};
pub use context::{
    BodyChecker, Context, ContextFork, EntryBuilder, EntryMark, EntryParameters, Identifier,
    OperationName, Parameter, ParameterValue, ParametersError, Translation,
};
pub use definition::{
    AliasDefinition, DialectDefinition, DialectSource, OperationDefinition, OperationTraits,
    Release,
};
pub use dominance::Dominance;
pub use equality::{Difference, EqualityOptions, semantic_difference, semantic_eq};
pub use error::Invalid;
pub use extract::{extract, extract_with_declarations, used_resources, with_references};
pub use fingerprint::{
    FINGERPRINT_VERSION, Fingerprint, FingerprintOptions, FingerprintStream, Fingerprinter,
    RangeTable, StreamedFingerprints, StreamedOperation, StreamedValue, declaration_fingerprint,
    fingerprint,
};
pub use import::ImportMap;
pub use indexed_map::IndexedMap;
pub use link::{
    DefinitionAppender, DroppedResource, LinkError, LinkErrors, LinkInput, LinkOptions, LinkPlace,
    Linked, ModuleAttributes, PartInfo, RenamedSymbol, link, part_info,
};
pub use location::{FileLineCol, Location, LocationKind, RangeForm};
pub use location_classes::LocationClasses;
pub use module::{
    Block, InUse, Mapping, Module, Operation, OperationState, Region, Use, Value, ValueDefinition,
};
pub use name_map::{NameMap, NamedHandle};
pub use nested_symbols::{NestedSymbol, nested_symbols, unnamed_operations};
pub use normalize::{AttributesAndProperties, Normalizer, Written};
pub use op::Op;
pub use operation_view::OperationView;
pub use provenance::{ExternalResources, LayoutChoice, LayoutReason, PreservedSection, Provenance};
pub use resource::{Blob, Resource, ResourceEntry, ResourceValue};
pub use resource_keys::ResourceKeys;
pub use rmlir_threads::{ProgressCounter, Steps, Stretch, Threads};
pub use split::{References, SplitBy, SplitOptions, SplitPart, distinct_groups, split};
pub use strip::{StripOptions, strip};
pub use suggest::nearest_name;
pub use symbol_attributes::{SymbolAttributes, VisibilityRule};
pub use symbol_table::{SymbolTable, SymbolTableCollection, SymbolUse, SymbolUserMap, Visibility};
pub use textual_form::TextualForm;
pub use types::{DYNAMIC, MAX_INTEGER_WIDTH, Signedness, Type, TypeKind};
pub use verify::{
    Message, MessagePart, OperationVerifier, UncheckedEntries, UncheckedOperations, VerifierCode,
    VerifyError, VerifyFailure, VerifyNote, VerifyOptions, VerifyResult, unchecked_entries,
    unchecked_operations, verify,
};
pub use walk::{Descendants, Traversal, WalkOrder, WalkResult, WalkStep};
