//! The target of a file: the knowledge of its reader, and its layouts.

use super::WriteOptions;
use rmlir_format::mlirbc::Version;
use rmlir_format::prefix_varint::write_prefix_varint;
use rmlir_format::{Error, ErrorKind, Reader, Result};
use rmlir_ir::definition::{
    DialectDefinition, Family, LlvmFeature, LlvmRelease, OperationDefinition, PropertySlot, Release,
};
use rmlir_ir::{Context, Identifier, OperationName, Provenance, TypeKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the projects whose dialects the tools of a project know.
///
/// Tools built on a state of MLIR between releases report the version of MLIR.
const fn known_to(project: Family) -> &'static [Family] {
    match project {
        Family::Llvm => &[Family::Llvm],
        Family::StableHlo => &[Family::Llvm, Family::StableHlo],
        Family::Sdy => &[Family::Llvm, Family::StableHlo, Family::Sdy],
        Family::Iree => &[Family::Llvm, Family::StableHlo, Family::Iree],
        Family::Circt => &[Family::Llvm, Family::Circt],
        Family::Torch => &[Family::Llvm, Family::StableHlo, Family::Torch],
        Family::Triton => &[Family::Llvm, Family::Triton],
        Family::Mhlo => &[Family::Llvm, Family::StableHlo, Family::Mhlo],
        Family::Jax => &[
            Family::Llvm,
            Family::StableHlo,
            Family::Sdy,
            Family::Mhlo,
            Family::Jax,
        ],
        _ => &[],
    }
}

/// The knowledge that the writer of a file had of an operation.
#[derive(Clone)]
pub(super) struct Knowledge {
    /// The operation was registered in the writer.
    pub(super) registered: bool,
    /// Its definition in the target, if it is registered and known to this library.
    pub(super) definition: Option<Arc<OperationDefinition>>,
}

/// The target that a file is written for.
pub(super) struct Target {
    pub(super) version: Version,
    pub(super) producer: Vec<u8>,
    /// Content that the target cannot represent may be lost.
    pub(super) lossy: bool,
    pub(super) elide_resource_data: bool,
    /// The requested releases or those of the file's writer, at most one for each project.
    releases: Vec<Release>,
    /// The number of LLVM's release, which determines the encodings of the builtin dialect.
    llvm: u32,
    knows: Who,
    /// Namespaces of dialects that belong to no project, but are known to the target's tools.
    registered: Vec<String>,
}

/// The dialects that the target knows.
enum Who {
    /// The dialects of these projects.
    Families(&'static [Family]),
    /// The dialects known to the writer of the file that the module was read from.
    Writer {
        operations: HashMap<OperationName, bool>,
        encoded: Vec<Identifier>,
        versions: HashMap<Identifier, Box<[u8]>>,
    },
}

impl Target {
    /// Creates the target from the options; the defaults are those of the module's provenance.
    pub(super) fn of(
        provenance: &Provenance,
        context: &Context,
        options: &WriteOptions,
    ) -> Result<Target> {
        // Without the registration states, which native bytecode may lack, the target of a file
        // with properties cannot be restored.
        let is_whole =
            provenance.bytecode_version < Some(5) || !provenance.registered_operations.is_empty();
        let from_bytecode =
            provenance.bytecode_version.is_some() && is_whole && options.target.is_none();
        let (releases, knows) = match from_bytecode {
            true => {
                let releases = provenance
                    .layouts
                    .iter()
                    .flat_map(|layouts| &layouts.releases);
                let mut one_each: Vec<Release> = Vec::new();
                for &release in releases {
                    match one_each
                        .iter_mut()
                        .find(|other| other.family == release.family)
                    {
                        Some(known) => *known = release.max(*known),
                        None => one_each.push(release),
                    }
                }
                let knows = Who::Writer {
                    operations: provenance.registered_operations.iter().copied().collect(),
                    encoded: provenance.encoded_dialects.clone(),
                    versions: provenance.dialect_versions.iter().rev().cloned().collect(),
                };
                (one_each, knows)
            }
            false => {
                let release = options.target.unwrap_or_default();
                (vec![release], Who::Families(known_to(release.family)))
            }
        };
        let mut target = Target {
            version: Version::NEWEST,
            producer: Vec::new(),
            lossy: options.lossy,
            elide_resource_data: options.elide_resource_data,
            releases,
            llvm: 0,
            knows,
            registered: options.registered_dialects.clone(),
        };
        let llvm = target.release(Family::Llvm).number;
        let own = LlvmRelease::of(llvm).ok_or_else(|| {
            let message = format!("nothing is known of how to write for llvm-{llvm}");
            Error::new(ErrorKind::InvalidRequest, message)
        })?;
        let (producer, newest) = (own.producer, own.bytecode_version);
        // The layouts of properties can be those of a release before that of the writer.
        let own = provenance.producer.filter(|_| from_bytecode);
        let said = own.and_then(|own| Release::llvm_number_of(context.bytes(own)));
        target.llvm = said.unwrap_or(llvm);
        target.producer = match (&options.producer, provenance.producer) {
            (Some(asked), _) => asked.clone(),
            (None, Some(own)) if from_bytecode => context.bytes(own).to_vec(),
            _ => producer.as_bytes().to_vec(),
        };
        if target.producer.contains(&0) {
            let message = "the name of a producer contains a zero byte";
            return Err(Error::new(ErrorKind::InvalidRequest, message));
        }
        let number = match (options.version, provenance.bytecode_version) {
            (Some(asked), _) => asked,
            (None, Some(own)) if from_bytecode => own,
            _ => newest,
        };
        target.version = Version::new(number.into())
            .filter(|version| version.number() <= newest)
            .ok_or_else(|| {
                let message = format!(
                    "llvm-{llvm} does not read version {number} of bytecode: its newest is {newest}"
                );
                Error::new(ErrorKind::InvalidRequest, message)
            })?;
        Ok(target)
    }

    /// Returns the target's release of a project, or the one that corresponds to it.
    pub(super) fn release(&self, family: Family) -> Release {
        let own = self
            .releases
            .iter()
            .find(|release| release.family == family);
        own.copied().unwrap_or_else(|| match (family, &self.knows) {
            // Files from before properties do not specify a release; nothing in them depends on it.
            (Family::Llvm, Who::Writer { .. }) => Release::default(),
            _ => {
                let first = self.releases.first().copied().unwrap_or_default();
                Release::new(family, first.number_in(family))
            }
        })
    }

    /// Returns the number of LLVM's release, which determines the encodings of the builtin dialect.
    pub(super) fn llvm(&self) -> u32 {
        self.llvm
    }

    /// Returns whether the file is written like the one that the module was read from.
    pub(super) fn is_writer(&self) -> bool {
        matches!(self.knows, Who::Writer { .. })
    }

    /// Returns the version that the file states for a dialect, encoded.
    ///
    /// A dialect without a version is read as an older one.
    pub(super) fn dialect_version(
        &self,
        context: &Context,
        dialect: Identifier,
    ) -> Option<Vec<u8>> {
        if let Who::Writer { versions, .. } = &self.knows {
            return versions.get(&dialect).map(|version| version.to_vec());
        }
        let numbers = self.version_numbers(context, context.bytes(dialect));
        let mut out = Vec::new();
        for &number in &numbers {
            write_prefix_varint(&mut out, number);
        }
        (!numbers.is_empty()).then_some(out)
    }

    /// Returns the first number of a dialect's version; 0 if the file states none.
    fn version_number(&self, context: &Context, namespace: &[u8]) -> u64 {
        let Who::Writer { versions, .. } = &self.knows else {
            let numbers = self.version_numbers(context, namespace);
            return numbers.first().copied().unwrap_or(0);
        };
        let definition = context.dialect(namespace);
        let has_numbers = definition.is_some_and(|dialect| !dialect.versions.is_empty());
        let dialect = context.find_identifier(namespace).filter(|_| has_numbers);
        let version = dialect.and_then(|dialect| versions.get(&dialect));
        // The reader of the file checked it.
        version.map_or(0, |version| {
            let mut version = Reader::new(version, "version");
            version.prefix_varint().unwrap_or(0)
        })
    }

    /// Returns the numbers of the version that the requested release states for a dialect.
    fn version_numbers(&self, context: &Context, namespace: &[u8]) -> Vec<u64> {
        let Some(definition) = context.dialect(namespace) else {
            return Vec::new();
        };
        let is_known = match self.project(context, namespace, definition.family) {
            Family::Own => self.is_registered(namespace),
            _ => true,
        };
        let releases = self.releases.iter().filter(|_| is_known);
        let mut versions = releases.map(|&release| definition.version_in(release));
        versions
            .find(|version| !version.is_empty())
            .unwrap_or_default()
            .to_vec()
    }

    /// Returns the properties of an operation in the order of the file.
    pub(super) fn slots(
        &self,
        context: &Context,
        definition: &OperationDefinition,
    ) -> Vec<PropertySlot> {
        let Some(layout) = definition.layout(self.release(definition.family)) else {
            return Vec::new();
        };
        let version = |dialect: &str| self.version_number(context, dialect.as_bytes());
        let slots = layout.slots(self.version.number().into(), version);
        slots.cloned().collect()
    }

    /// Checks that the target has types of a kind.
    ///
    /// # Errors
    ///
    /// The first release that has them: older ones know neither an encoding nor a text.
    pub(super) fn check_type(&self, kind: &TypeKind) -> Result<()> {
        let first = kind.first_release();
        if first <= self.llvm {
            return Ok(());
        }
        let message = format!(
            "llvm-{} has no type '{}': llvm-{first} is the first release that has it",
            self.llvm,
            kind.name()
        );
        Err(Error::new(ErrorKind::InvalidRequest, message))
    }

    pub(super) fn has_file_ranges(&self) -> bool {
        LlvmFeature::FileRanges.is_in(self.llvm)
    }

    pub(super) fn sorts_use_lists(&self) -> bool {
        LlvmFeature::SortedUseLists.is_in(self.llvm)
    }

    /// Returns the target's knowledge of an operation.
    pub(super) fn operation(&self, context: &Context, name: OperationName) -> Knowledge {
        let definition = || {
            let first = self.release(Family::Llvm);
            let definition = context.operation_definition_in(name, first)?;
            // The definition of the project's own release.
            let own = self.release(definition.family);
            let definition = context.operation_definition_in(name, own)?;
            definition.number(own).map(|_| definition)
        };
        let namespace = context.bytes(context.operation_dialect(name));
        let definition = match &self.knows {
            Who::Families(families) => definition().filter(|definition| {
                match self.project(context, namespace, definition.family) {
                    Family::Own => self.is_registered(namespace),
                    project => families.contains(&project),
                }
            }),
            Who::Writer { operations, .. } => match operations.get(&name) {
                Some(false) => None,
                Some(true) => {
                    return Knowledge {
                        registered: true,
                        definition: definition(),
                    };
                }
                None => definition().filter(|definition| {
                    self.project(context, namespace, definition.family) != Family::Own
                        || self.is_registered(namespace)
                }),
            },
        };
        Knowledge {
            registered: definition.is_some(),
            definition,
        }
    }

    /// Returns whether the target has the private encodings of a dialect's attributes and types.
    pub(super) fn encodes(
        &self,
        context: &Context,
        name: Identifier,
        dialect: &DialectDefinition,
    ) -> bool {
        let namespace = context.bytes(name);
        match &self.knows {
            Who::Families(families) => match self.project(context, namespace, dialect.family) {
                Family::Own => self.is_registered(namespace),
                project => families.contains(&project),
            },
            Who::Writer { encoded, .. } => encoded.contains(&name),
        }
    }

    /// Returns the project that a definition belongs to.
    ///
    /// An operation defined in code may leave it to its dialect, and a user's definition of a
    /// bundled dialect to the bundled one.
    fn project(&self, context: &Context, namespace: &[u8], declared: Family) -> Family {
        if declared != Family::Own {
            return declared;
        }
        let of_dialect = context.dialect(namespace).map(|dialect| dialect.family);
        let source = || context.dialect_source()?.dialect(namespace);
        match of_dialect {
            Some(family) if family != Family::Own => family,
            _ => source().map_or(Family::Own, |bundled| bundled.family),
        }
    }

    fn is_registered(&self, namespace: &[u8]) -> bool {
        self.registered
            .iter()
            .any(|name| name.as_bytes() == namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_know_the_dialects_of_their_project() {
        for release in Release::known() {
            let known = known_to(release.family);
            assert!(known.contains(&release.family), "{release}");
            assert!(known.contains(&Family::Llvm), "{release}");
        }
    }
}
