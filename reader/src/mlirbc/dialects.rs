//! The section of dialects: dialects, the encodings of their versions, and the names of operations
//! by dialect.

use super::Tables;
use super::dialect_codecs::DialectCodecs;
use crate::lookup::{get, invalid_index, malformed};
use rmlir_format::mlirbc::{read_section, section};
use rmlir_format::{Reader, Result};
use rmlir_ir::definition::DialectDefinition;
use rmlir_ir::{Context, Identifier, OperationName};
use std::sync::Arc;

/// A dialect of the file.
#[derive(Clone, Copy)]
pub(super) struct Dialect<'a> {
    pub(super) name: Identifier,
    /// The encoding of its version, whose meaning the dialect defines.
    pub(super) version: Option<&'a [u8]>,
}

/// The versions of those dialects whose definitions declare versions: the first number of each.
#[derive(Clone, Default)]
pub(super) struct DialectVersions {
    /// As many as there are such definitions, at most.
    numbers: Vec<(Arc<DialectDefinition>, u64)>,
}

impl DialectVersions {
    /// Adds the version of a dialect. Of several with the same name, the first counts.
    pub(super) fn add(
        &mut self,
        context: &Context,
        namespace: &[u8],
        mut version: Reader<'_>,
    ) -> Result<()> {
        let definition = context.dialect(namespace);
        // Upstream ignores an empty version, and what follows the numbers.
        if let Some(definition) = definition.filter(|dialect| !dialect.versions.is_empty())
            && !version.is_empty()
        {
            let number = version.prefix_varint()?;
            if self.numbers.iter().all(|one| one.0.name != definition.name) {
                self.numbers.push((definition, number));
            }
        }
        Ok(())
    }

    /// Returns the version of a dialect; 0 if it has none.
    pub(super) fn of(&self, dialect: &str) -> u64 {
        let found = self.numbers.iter().find(|one| one.0.name == dialect);
        found.map_or(0, |one| one.1)
    }
}

/// The name of an operation.
#[derive(Clone, Copy)]
pub(super) struct OperationEntry {
    pub(super) name: OperationName,
    /// Whether the writer knew the operation; `None` before version 5, which does not record it.
    pub(super) registered: Option<bool>,
}

impl<'a> Tables<'_, 'a> {
    pub(super) fn read_dialects(&mut self, mut input: Reader<'a>) -> Result<()> {
        let count = input.prefix_count(1)?;
        for _ in 0..count {
            let dialect = self.dialect(&mut input)?;
            let name = self.context.bytes(dialect.name);
            let family = DialectCodecs::of(self.context, name, self.release);
            self.families.push(family);
            self.dialects.push(dialect);
        }
        if self.version.has_argument_flags() {
            // The number of all names, a hint for reserving memory. It is redundant: the groups
            // have their own.
            input.prefix_varint()?;
        }
        let mut name = Vec::new();
        while !input.is_empty() {
            let dialect = self.dialect_number(&mut input)?;
            for _ in 0..input.prefix_count(1)? {
                let entry = self.operation_name(&mut input, dialect, &mut name)?;
                self.names.push(entry);
            }
        }
        Ok(())
    }

    fn dialect(&mut self, input: &mut Reader<'a>) -> Result<Dialect<'a>> {
        let at = input.offset();
        let (number, has_version) = if self.version.has_dialect_versions() {
            input.prefix_flagged_varint()?
        } else {
            (input.prefix_varint()?, false)
        };
        let name = self.string_of(input, at, number)?;
        let mut version = None;
        if has_version {
            let at = input.offset();
            let (id, mut data) = read_section(input)?;
            if id != section::DIALECT_VERSION {
                let message = format!("expected a version, found section {}", data.section());
                return Err(malformed(input, at, message));
            }
            let namespace = self.context.bytes(name);
            self.dialect_versions
                .add(self.context, namespace, data.clone())?;
            version = Some(data.rest());
        }
        Ok(Dialect { name, version })
    }

    fn operation_name(
        &mut self,
        input: &mut Reader<'_>,
        dialect: u32,
        name: &mut Vec<u8>,
    ) -> Result<OperationEntry> {
        let at = input.offset();
        let (number, registered) = if self.version.has_properties() {
            let (number, registered) = input.prefix_flagged_varint()?;
            (number, Some(registered))
        } else {
            (input.prefix_varint()?, None)
        };
        let mnemonic = self.string_of(input, at, number)?;
        name.clear();
        if let Some(dialect) = self.dialects.get(dialect as usize) {
            name.extend_from_slice(self.context.bytes(dialect.name));
        }
        // A name without a dot belongs to a dialect without operations.
        let mnemonic = self.context.bytes(mnemonic);
        if !mnemonic.is_empty() {
            name.push(b'.');
            name.extend_from_slice(mnemonic);
        }
        if name.is_empty() {
            return Err(malformed(input, at, "empty operation name is invalid"));
        }
        if name.contains(&0) {
            let message = "null character not allowed in operation name";
            return Err(malformed(input, at, message));
        }
        // Each entry repeats the full name, so the budget is charged for long names that occur
        // often.
        self.spend(input, at, name.len())?;
        Ok(OperationEntry {
            name: self.context.operation_name(&*name),
            registered,
        })
    }

    /// Reads the number of a dialect and checks it.
    pub(super) fn dialect_number(&self, input: &mut Reader<'_>) -> Result<u32> {
        let at = input.offset();
        let number = input.prefix_varint()?;
        if get(&self.dialects, number).is_none() {
            let count = self.dialects.len();
            return Err(invalid_index(input, at, "dialect", number, count));
        }
        // There are fewer dialects than bytes in the file, and the handles of their names have 32
        // bits.
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }
}
