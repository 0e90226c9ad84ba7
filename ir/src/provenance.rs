//! The provenance of a module: data about its source file that is not content.

use crate::definition::Release;
use crate::resource::{Resource, ResourceValue};
use crate::{Attribute, Block, Identifier, NameMap, OperationName, Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Data that is not content, but is kept so that conversions are lossless: resources in order,
/// external resources, and the names that the source used. [`semantic_eq`](crate::semantic_eq)
/// ignores it.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The producer of the file, if it is specified (`LLVM22.1.8`).
    pub producer: Option<Identifier>,
    /// The version of upstream's bytecode, if the file is in that format.
    pub bytecode_version: Option<u8>,
    /// The version data of the dialects in upstream's bytecode, in the order of the file. The bytes
    /// are opaque: only the dialect can interpret them.
    pub dialect_versions: Vec<(Identifier, Box<[u8]>)>,
    /// The names of operations in upstream's bytecode from version 5 on, and whether the file marks
    /// the operation as known to its writer. For a module read from rmbc, the names that the module
    /// uses come first.
    pub registered_operations: Vec<(OperationName, bool)>,
    /// The dialects that have attributes or types in a private encoding in upstream's bytecode.
    pub encoded_dialects: Vec<Identifier>,
    /// The layouts of properties with which upstream's bytecode was read, if the file is in that
    /// format.
    pub layouts: Option<LayoutChoice>,
    /// The dialect resources that the file declares, in order.
    pub resources: Vec<Resource>,
    /// Resources of tools outside the IR, by group, in order.
    pub external_resources: Vec<ExternalResources>,
    /// Base names of attribute aliases, as the source used them.
    pub attribute_alias_names: BTreeMap<Attribute, Identifier>,
    /// Base names of type aliases, as the source used them.
    pub type_alias_names: BTreeMap<Type, Identifier>,
    /// Names of values without `%`, if they were kept. The first result of a group holds the
    /// group's name.
    pub value_names: NameMap<Value>,
    /// Names of blocks without `^`, if they were kept.
    pub block_names: NameMap<Block>,
    /// Data of tools, by key. It is not content: only native bytecode stores it.
    pub metadata: BTreeMap<Box<[u8]>, Box<[u8]>>,
    /// Optional sections of native bytecode that the reader did not know, in the order of the file.
    pub sections: Vec<PreservedSection>,
}

/// Translates what a provenance refers to, for a copy of the module or of a part of it.
pub(crate) trait ProvenanceMap {
    /// Returns the attribute in the copy, if it has it.
    fn attribute_in_copy(&mut self, attribute: Attribute) -> Option<Attribute>;
    /// Returns the type in the copy, if it has it.
    fn type_in_copy(&mut self, ty: Type) -> Option<Type>;
    fn identifier_in_copy(&mut self, identifier: Identifier) -> Identifier;
    fn operation_name_in_copy(&mut self, name: OperationName) -> OperationName;
    /// Returns the resource in the copy, if it has it.
    fn resource_in_copy(&mut self, resource: Resource) -> Option<Resource>;
}

impl Provenance {
    /// Adds the base names of aliases of the attributes and types that a copy has; a name that an
    /// attribute or type has already stays.
    pub(crate) fn copy_alias_names(&mut self, from: &Provenance, map: &mut impl ProvenanceMap) {
        for (&attribute, &name) in &from.attribute_alias_names {
            if let Some(copy) = map.attribute_in_copy(attribute) {
                let name = map.identifier_in_copy(name);
                self.attribute_alias_names.entry(copy).or_insert(name);
            }
        }
        for (&ty, &name) in &from.type_alias_names {
            if let Some(copy) = map.type_in_copy(ty) {
                let name = map.identifier_in_copy(name);
                self.type_alias_names.entry(copy).or_insert(name);
            }
        }
    }

    /// Copies what describes the file as a whole: producer, versions, layouts and tables of names.
    pub(crate) fn copy_container(&mut self, from: &Provenance, map: &mut impl ProvenanceMap) {
        self.producer = from
            .producer
            .map(|producer| map.identifier_in_copy(producer));
        self.bytecode_version = from.bytecode_version;
        self.layouts.clone_from(&from.layouts);
        let versions = from.dialect_versions.iter();
        self.dialect_versions = versions
            .map(|(dialect, version)| (map.identifier_in_copy(*dialect), version.clone()))
            .collect();
        let registered = from.registered_operations.iter();
        self.registered_operations = registered
            .map(|&(name, known)| (map.operation_name_in_copy(name), known))
            .collect();
        let encoded = from.encoded_dialects.iter();
        self.encoded_dialects = encoded
            .map(|&dialect| map.identifier_in_copy(dialect))
            .collect();
    }

    /// Copies the declared resources that a copy has.
    pub(crate) fn copy_resources(&mut self, from: &Provenance, map: &mut impl ProvenanceMap) {
        let resources = from.resources.iter();
        self.resources = resources
            .filter_map(|&resource| map.resource_in_copy(resource))
            .collect();
    }

    /// Copies the external resources.
    pub(crate) fn copy_external_resources(
        &mut self,
        from: &Provenance,
        map: &mut impl ProvenanceMap,
    ) {
        let groups = from.external_resources.iter();
        let groups = groups.map(|group| ExternalResources {
            group: map.identifier_in_copy(group.group),
            entries: group
                .entries
                .iter()
                .map(|(key, value)| (map.identifier_in_copy(*key), value.clone()))
                .collect(),
        });
        self.external_resources = groups.collect();
    }
}

/// A section of native bytecode of unknown kind: from a later version or another producer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreservedSection {
    /// Its kind.
    pub kind: u16,
    /// The binary logarithm of its alignment in the file, if it is aligned.
    pub alignment_log: Option<u32>,
    /// Its content.
    pub bytes: Arc<[u8]>,
}

/// The releases whose property layouts a file of upstream's bytecode uses. The file does not
/// specify them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutChoice {
    /// The releases, by project; several releases of one project if all of them are equivalent.
    pub releases: Vec<Release>,
    /// How the releases were determined.
    pub reason: LayoutReason,
}

/// How the layouts of a file were determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutReason {
    /// The caller specified them.
    Asked,
    /// The file's producer is of that release.
    Producer,
    /// No property of the file contradicts these known releases.
    Fit,
}

/// A group of external resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalResources {
    /// The tool that owns them.
    pub group: Identifier,
    /// Keys and values, in order.
    pub entries: Vec<(Identifier, ResourceValue)>,
}
