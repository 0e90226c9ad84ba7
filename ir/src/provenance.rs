//! What a module remembers of the file that it came from.

use crate::definition::Release;
use crate::resource::{Resource, ResourceValue};
use crate::{Attribute, Block, Identifier, OperationName, Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is not content, but is kept so that conversions lose nothing: resources in order, external
/// resources, and the names that the source used. It is no part of
/// [`semantic_eq`](crate::semantic_eq).
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Who wrote the file, if it says (`LLVM22.1.8`).
    pub producer: Option<Identifier>,
    /// The version of upstream's bytecode that the file is in, if it is.
    pub bytecode_version: Option<u8>,
    /// What the dialects of upstream's bytecode say of their versions, in the order of the file: bytes that belong to
    /// the dialect.
    pub dialect_versions: Vec<(Identifier, Box<[u8]>)>,
    /// The names of operations in upstream's bytecode from version 5 on, and whether its writer knew the operation, which
    /// the file says. Behind rmbc, those that the module uses come first.
    pub registered_operations: Vec<(OperationName, bool)>,
    /// The dialects that have attributes or types in a private encoding in upstream's bytecode.
    pub encoded_dialects: Vec<Identifier>,
    /// The layouts of properties by which upstream's bytecode was read, if it was.
    pub layouts: Option<LayoutChoice>,
    /// The dialect resources that the file declares, in order.
    pub resources: Vec<Resource>,
    /// Resources of tools outside the IR, by group, in order.
    pub external_resources: Vec<ExternalResources>,
    /// Stems of alias names of attributes, as the source used them.
    pub attribute_stems: BTreeMap<Attribute, Identifier>,
    /// Stems of alias names of types, as the source used them.
    pub type_stems: BTreeMap<Type, Identifier>,
    /// Names of values without `%`, where they were kept. The first result of a group names it.
    pub value_names: BTreeMap<Value, Identifier>,
    /// Names of blocks without `^`, where they were kept.
    pub block_names: BTreeMap<Block, Identifier>,
    /// Sections of native bytecode that its reader did not know and need not know, in the order of the file.
    pub sections: Vec<CarriedSection>,
}

/// A section of native bytecode that nobody here knows: of a later version, or of someone else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedSection {
    /// Its kind.
    pub kind: u16,
    /// The binary logarithm of its alignment in the file, if it is aligned.
    pub alignment_log: Option<u32>,
    /// What it holds.
    pub bytes: Arc<[u8]>,
}

/// Of which release the layouts of properties in a file of upstream's bytecode are. The file does not say it itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutChoice {
    /// The releases, by family; several of one family where all of them mean the same.
    pub releases: Vec<Release>,
    /// How they are known.
    pub reason: LayoutReason,
}

/// How the layouts of a file are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutReason {
    /// The caller said it.
    Asked,
    /// The producer that the file names is of that release.
    Producer,
    /// These are the known releases that no property of the file contradicts.
    Fit,
}

/// A group of external resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalResources {
    /// The tool that they belong to.
    pub group: Identifier,
    /// Key and value, in order.
    pub entries: Vec<(Identifier, ResourceValue)>,
}
