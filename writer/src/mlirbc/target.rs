//! Whom a file is written for: what its reader knows, and how it lays things out.

use super::WriteOptions;
use rmlir_format::mlirbc::Version;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::definition::{DialectDefinition, Family, OperationDefinition, Release};
use rmlir_ir::{Context, Identifier, OperationName, Provenance};
use std::collections::HashMap;
use std::sync::Arc;

/// What a project's tools know besides their own dialects, and who they say they are: MLIR's version for those built
/// on a state of it between releases.
struct Project {
    family: Family,
    knows: &'static [Family],
}

const PROJECTS: &[Project] = &[
    Project {
        family: Family::Llvm,
        knows: &[Family::Llvm],
    },
    Project {
        family: Family::StableHlo,
        knows: &[Family::Llvm, Family::StableHlo],
    },
    Project {
        family: Family::Sdy,
        knows: &[Family::Llvm, Family::StableHlo, Family::Sdy],
    },
    Project {
        family: Family::Iree,
        knows: &[Family::Llvm, Family::StableHlo, Family::Iree],
    },
    Project {
        family: Family::Circt,
        knows: &[Family::Llvm, Family::Circt],
    },
    Project {
        family: Family::Torch,
        knows: &[Family::Llvm, Family::StableHlo, Family::Torch],
    },
];

/// What a release of LLVM calls itself, and the newest version of bytecode that it reads.
const PRODUCERS: &[(u32, &str, u8)] = &[
    (19, "MLIR19.1.7", 6),
    (22, "MLIR22.1.8", 6),
    (24, "MLIR24.0.0git", 6),
];

/// The versions that dialects of LLVM write, of all releases that are known: without, they are taken for older.
const DIALECT_VERSIONS: &[(&[u8], &[u8])] = &[(b"test", &[0x05, 0x01])];

/// The first release of LLVM that has ranges of places in files.
const FILE_RANGES: u32 = 20;
/// The first release of LLVM that writes use-list orders by the number of the value.
const SORTED_USE_LISTS: u32 = 23;

/// How much the writer of a file knew of an operation.
#[derive(Clone)]
pub(super) struct Knowledge {
    /// It was registered there.
    pub(super) registered: bool,
    /// Its definition in the target, if it is registered and known here.
    pub(super) definition: Option<Arc<OperationDefinition>>,
}

/// Whom a file is written for.
pub(super) struct Target {
    pub(super) version: Version,
    pub(super) producer: Vec<u8>,
    /// What the target has no place for may be lost.
    pub(super) lossy: bool,
    /// The releases that are asked for or known of the file's writer, at most one for each family.
    releases: Vec<Release>,
    /// The number of LLVM's release, which decides on the encodings of the builtin dialect.
    llvm: u32,
    knows: Who,
    /// Namespaces of dialects that belong to no project and that the target's tools know.
    registered: Vec<String>,
}

/// Whose dialects the target knows.
enum Who {
    /// Those of these families.
    Families(&'static [Family]),
    /// Those that the writer of the file knew from which the module is.
    Writer {
        operations: HashMap<OperationName, bool>,
        encoded: Vec<Identifier>,
    },
}

impl Target {
    /// What the options ask for, and where they say nothing, what the module came with.
    pub(super) fn of(
        provenance: &Provenance,
        context: &Context,
        options: &WriteOptions,
    ) -> Result<Target> {
        // What the writer of a file with properties knew, the native bytecode does not keep.
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
                };
                (one_each, knows)
            }
            false => {
                let release = options.target.unwrap_or_default();
                let project = PROJECTS.iter().find(|p| p.family == release.family);
                let knows = project.map_or(&[][..], |project| project.knows);
                (vec![release], Who::Families(knows))
            }
        };
        let mut target = Target {
            version: Version::NEWEST,
            producer: Vec::new(),
            lossy: options.lossy,
            releases,
            llvm: 0,
            knows,
            registered: options.registered_dialects.clone(),
        };
        let llvm = target.release(Family::Llvm).number;
        let own = PRODUCERS.iter().find(|row| row.0 == llvm);
        let &(_, producer, newest) = own.ok_or_else(|| {
            let message = format!("nothing is known of how to write for llvm-{llvm}");
            Error::new(ErrorKind::InvalidRequest, message)
        })?;
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

    /// The release of a family that the target is of, or goes with.
    pub(super) fn release(&self, family: Family) -> Release {
        let own = self
            .releases
            .iter()
            .find(|release| release.family == family);
        own.copied().unwrap_or_else(|| match (family, &self.knows) {
            // Files before properties do not tell, and have nothing that differs.
            (Family::Llvm, Who::Writer { .. }) => Release::default(),
            _ => {
                let first = self.releases.first().copied().unwrap_or_default();
                Release::new(family, first.number_in(family))
            }
        })
    }

    /// The number of LLVM's release, which decides on the encodings of the builtin dialect.
    pub(super) fn llvm(&self) -> u32 {
        self.llvm
    }

    /// Whether a file is written as the one from which the module is.
    pub(super) fn is_writer(&self) -> bool {
        matches!(self.knows, Who::Writer { .. })
    }

    /// What a dialect says of its version.
    pub(super) fn dialect_version<'p>(
        &self,
        context: &Context,
        provenance: &'p Provenance,
        dialect: Identifier,
    ) -> Option<&'p [u8]> {
        match &self.knows {
            Who::Writer { .. } => {
                let mut versions = provenance.dialect_versions.iter();
                let version = versions.find(|version| version.0 == dialect);
                version.map(|version| &*version.1)
            }
            Who::Families(_) => {
                let name = context.bytes(dialect);
                let own = DIALECT_VERSIONS.iter().find(|row| row.0 == name);
                own.map(|row| row.1)
            }
        }
    }

    pub(super) fn has_file_ranges(&self) -> bool {
        self.llvm >= FILE_RANGES
    }

    pub(super) fn sorts_use_lists(&self) -> bool {
        self.llvm >= SORTED_USE_LISTS
    }

    /// What the target knows of an operation.
    pub(super) fn operation(&self, context: &Context, name: OperationName) -> Knowledge {
        let definition = || {
            let first = self.release(Family::Llvm);
            let definition = context.operation_definition_in(name, first)?;
            // The definition of the family's own release.
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

    /// Whether the target has the private encodings of a dialect's attributes and types.
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

    /// The project that a definition belongs to. An operation defined in code may leave it to its
    /// dialect, and a user's definition of a bundled dialect to the bundled one.
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
