//! The source of a session: a file in memory, or a file whose tables were read by position.

use super::chunks::{Chunks, Data};
use super::{Blobs, Owner};
use rmlir_format::mlirbc::{Container, Sections, section};
use rmlir_format::{Input, Reader, Result, Source, Storage, Window};
use std::sync::Arc;

/// The sections of a file, as far as they are available.
pub(super) struct SessionSource<'a, I: Input> {
    /// Those that are read whole. Others may be empty here.
    pub(super) container: Container<'a>,
    pub(super) entries: Data<'a>,
    pub(super) ir: I,
    /// Values of resources, if there are any.
    pub(super) resources: Option<I>,
    pub(super) blobs: Blobs,
}

impl<'a> SessionSource<'a, Reader<'a>> {
    /// Those of a file in memory. `owner` has the whole file for blobs.
    pub(super) fn whole(container: Container<'a>, owner: Owner) -> Self {
        SessionSource {
            entries: Data::Whole(container.section_or_empty(section::ENTRIES)),
            ir: container.section_or_empty(section::IR),
            resources: container.section(section::RESOURCES),
            container,
            blobs: Blobs::Shared(owner),
        }
    }
}

/// The sections of a file that is read by position.
///
/// Strings, dialects, properties, and the locations of entries and resources are read at once;
/// entries, operations and the data of resources when they are requested.
pub(super) struct Loaded {
    storage: Arc<Storage>,
    sections: Sections<Window>,
    producer: Source,
    /// Those that were read, by id, and where they begin.
    read: Vec<Option<(u64, Source)>>,
    entries: Chunks,
}

impl Loaded {
    /// Reads the sections that are always needed.
    ///
    /// # Errors
    /// If the file became shorter or cannot be read.
    pub(super) fn read(storage: &Arc<Storage>, sections: Sections<Window>) -> Result<Self> {
        let mut read = Vec::new();
        for id in 0..=u8::MAX {
            if section::name(id).is_none() {
                break;
            }
            let is_partial = matches!(id, section::ENTRIES | section::IR | section::RESOURCES);
            let window = sections.section(id).filter(|_| !is_partial);
            read.push(match window {
                Some(mut window) => {
                    let at = window.offset();
                    let bytes = window.bytes(window.remaining())?;
                    Some((at, Source::from(bytes)))
                }
                None => None,
            });
        }
        let entries = sections.section(section::ENTRIES);
        let entries = entries.unwrap_or_else(|| Window::new(storage.clone(), "AttrType"));
        Ok(Loaded {
            storage: storage.clone(),
            producer: Source::from(sections.producer.clone()),
            read,
            entries: Chunks::new(storage, &entries),
            sections,
        })
    }

    /// Returns the sections for a session.
    pub(super) fn parts(&self) -> Result<SessionSource<'_, Window>> {
        let container = self.sections.map(self.producer.as_slice(), |id, window| {
            let read = self.read.get(usize::from(id)).and_then(Option::as_ref);
            let (at, bytes) = match read {
                Some((at, source)) => (*at, source.as_slice()),
                None => (window.offset(), &[][..]),
            };
            Ok(Reader::with_base(bytes, at, window.section()))
        })?;
        let empty = || Window::new(Arc::new(Storage::memory(Source::default())), "IR");
        Ok(SessionSource {
            container,
            entries: Data::Chunks(&self.entries),
            ir: self.sections.section(section::IR).unwrap_or_else(empty),
            resources: self.sections.section(section::RESOURCES),
            blobs: Blobs::Later(self.storage.clone()),
        })
    }
}
