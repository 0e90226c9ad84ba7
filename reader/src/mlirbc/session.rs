//! A session reads one file: its tables, opened for a context.

use super::dialects::DialectVersions;
use super::entries::{Entries, Slot};
use super::operations;
use super::places::SizeIndexes;
use super::properties::Properties;
use super::resources::now;
use super::session_source::SessionSource;
use super::strings::Strings;
use super::{Blobs, ReadOptions, Tables, Unread};
use crate::lazy::TableItems;
use rmlir_format::mlirbc::section;
use rmlir_format::{Input, ProgressCounter, Result};
use rmlir_ir::definition::Release;
use rmlir_ir::{Context, Entry, Module, Provenance, ResourceValue, used_resources};
use rmlir_ir::{Normalizer, Stretch};
use rmlir_text::{FileResources, register};

/// Tables of which only names are decoded so far, and the data that is read through them.
pub(super) struct Session<'c, 'a, I> {
    pub(super) tables: Tables<'c, 'a>,
    pub(super) entries: Entries<'a>,
    pub(super) properties: Properties<'a>,
    /// The section of operations.
    pub(super) ir: I,
    blobs: Blobs,
    provenance: Provenance,
    /// The release that the caller names.
    asked: Option<Release>,
    progress: ProgressCounter,
    /// The length of the file.
    len: u64,
}

impl<'c, 'a, I: Input> Session<'c, 'a, I> {
    /// Opens the tables of a file. The first time, this takes time in their size.
    pub(super) fn open(
        context: &'c mut Context,
        parts: SessionSource<'a, I>,
        indexes: &SizeIndexes,
        options: &ReadOptions,
    ) -> Result<Self> {
        let SessionSource {
            container,
            entries: data,
            ir,
            resources,
            blobs,
        } = parts;
        register(context);
        let mut tables = Tables {
            context,
            version: container.version,
            strings: Strings::read(
                container.section_or_empty(section::STRINGS),
                &indexes.strings,
            )?,
            release: None,
            dialects: Vec::new(),
            dialect_versions: DialectVersions::default(),
            families: Vec::new(),
            names: Vec::new(),
            resources: Vec::new(),
            file_resources: FileResources::default(),
            unread: Vec::new(),
            normalizer: None,
            budget: options.limits.shared_entities(container.len),
            max_depth: options.limits.max_depth,
            max_values_per_op: options.limits.max_values_per_op,
        };
        let properties = Properties::read(
            container.section_or_empty(section::PROPERTIES),
            container.producer,
            options.producer_release,
        )?;
        tables.release = properties.release();
        if options.normalize {
            let release = tables.release;
            tables.normalizer = Some(release.map_or_else(Normalizer::new, Normalizer::for_release));
        }
        tables.read_dialects(container.section_or_empty(section::DIALECTS))?;
        let mut provenance = tables.read_resources(&container, resources, &blobs)?;
        provenance.producer = Some(tables.context.identifier(container.producer));
        provenance.bytecode_version = Some(container.version.number());
        provenance.dialect_versions = tables
            .dialects
            .iter()
            .filter_map(|dialect| Some((dialect.name, dialect.version?.into())))
            .collect();
        let entries = Entries::read(
            &tables,
            container.section_or_empty(section::ENTRY_OFFSETS),
            data,
            &indexes.entries,
        )?;
        Ok(Session {
            tables,
            entries,
            properties,
            ir,
            blobs,
            provenance,
            asked: options.producer_release,
            progress: options.progress.clone(),
            len: container.len,
        })
    }

    /// Decodes everything.
    pub(super) fn read_all(&mut self) -> Result<Module> {
        let module = self.read_operations()?;
        self.read_all_blobs()?;
        Ok(module)
    }

    /// Returns what the items of the tables became, as far as they are decoded.
    pub(super) fn table_items(&self) -> TableItems {
        let entry = |number| match self.entries.slot(number) {
            Slot::Attribute(attribute) => Some(Entry::Attribute(attribute)),
            Slot::Location(location) => Some(Entry::Location(location)),
            Slot::Type(ty) => Some(Entry::Type(ty)),
            Slot::Undecoded | Slot::Open | Slot::Unknown(_) => None,
        };
        let count = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let strings = &self.tables.strings;
        TableItems {
            entries: (0..count).map(entry).collect(),
            strings: (0..strings.len())
                .map(|number| strings.known(number))
                .collect(),
            resources: self.provenance.resources.clone(),
            // This format has none.
        }
    }

    /// Decodes everything except blobs that are read by position.
    pub(super) fn read_operations(&mut self) -> Result<Module> {
        let progress = self.progress();
        let Session {
            tables,
            entries,
            properties,
            ir,
            ..
        } = self;
        entries.decode_all(tables)?;
        let module = operations::read(tables, entries, properties, ir.clone(), progress)?;
        self.finish(module)
    }

    /// Returns the progress of reading operations. Everything else is decoded with them, or takes
    /// little time.
    pub(super) fn progress(&self) -> Stretch {
        let start = self.ir.offset();
        let end = start.saturating_add(self.ir.remaining());
        self.progress.stretch(start..end, self.len)
    }

    /// Reads the blobs that a module uses.
    pub(super) fn read_used_blobs(&mut self, module: &Module) -> Result<()> {
        if self.tables.unread.is_empty() {
            return Ok(());
        }
        let used = used_resources(self.tables.context, module);
        let unread = std::mem::take(&mut self.tables.unread);
        let (needed, unread) = unread
            .into_iter()
            .partition(|(resource, ..)| used.contains(resource));
        self.tables.unread = unread;
        self.read_blobs(needed)
    }

    /// Reads the blobs that were not read yet.
    pub(super) fn read_all_blobs(&mut self) -> Result<()> {
        match self.tables.unread.is_empty() {
            true => Ok(()),
            false => {
                let unread = std::mem::take(&mut self.tables.unread);
                self.read_blobs(unread)
            }
        }
    }

    fn read_blobs(&mut self, unread: Vec<Unread>) -> Result<()> {
        for (resource, range, alignment) in unread {
            let blob = now(&self.blobs, range, alignment)?;
            self.tables.context.resource_mut(resource).value = Some(ResourceValue::Blob(blob));
        }
        Ok(())
    }

    /// Returns the greatest alignment of a blob; at least 1.
    pub(super) fn blob_alignment(&self) -> u64 {
        let context = &*self.tables.context;
        let resources = self.provenance.resources.iter();
        let resources = resources.filter_map(|&resource| context.resource(resource).value.as_ref());
        let external = self.provenance.external_resources.iter();
        let external = external.flat_map(|group| &group.entries);
        let values = resources.chain(external.map(|(_, value)| value));
        let alignments = values.map(|value| match value {
            ResourceValue::Blob(blob) => blob.alignment(),
            _ => 1,
        });
        let unread = self.tables.unread.iter();
        let unread = unread.map(|&(_, _, alignment)| alignment);
        alignments.chain(unread).fold(1, u32::max).into()
    }

    /// Returns the total size of the blobs that were not read.
    pub(super) fn unread_bytes(&self) -> u64 {
        let lens = self.tables.unread.iter();
        lens.map(|(_, range, _)| range.end.saturating_sub(range.start))
            .fold(0, u64::saturating_add)
    }

    /// Returns the provenance, with the choice of layouts as far as it is made.
    pub(super) fn provenance(&self) -> Provenance {
        let mut provenance = self.provenance.clone();
        let has_properties = self.tables.version.has_properties();
        provenance.layouts = has_properties.then(|| self.properties.choice(self.asked));
        let names = self.tables.names.iter();
        provenance.registered_operations = names
            .filter_map(|entry| Some((entry.name, entry.registered?)))
            .collect();
        provenance.encoded_dialects = self
            .entries
            .encoded_dialects()
            .filter_map(|number| self.tables.dialects.get(number as usize))
            .map(|dialect| dialect.name)
            .collect();
        provenance
    }

    /// Completes a module that was read whole, with the data that is known only at the end.
    pub(super) fn finish(&mut self, mut module: Module) -> Result<Module> {
        let provenance = self.provenance();
        self.properties.finish(&mut self.tables, &mut module)?;
        module.provenance = provenance;
        Ok(module)
    }
}
