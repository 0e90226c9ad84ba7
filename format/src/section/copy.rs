//! Copies a file without some of its sections; the pages are copied unchanged.

use super::writer::{Stored, write_bundle, write_stored};
use super::{ALIGNED, BUNDLE, COMPRESSED, Container, Data, Entry, KIND_UNIT, MAJOR_VERSION};
use super::{REQUIRED, Section};
use crate::error::{Error, ErrorKind, Result};
use rmlir_threads::Threads;
use std::borrow::Cow;
use std::io;

impl Container<'_> {
    /// Writes the file with the sections that `keep` accepts. O(bytes).
    ///
    /// Their pages are copied unchanged, and checked. Bundled sections are bundled again, without
    /// compression.
    ///
    /// # Errors
    /// [`ErrorKind::Checksum`] for a damaged section that is kept, [`ErrorKind::Unsupported`] if
    /// the version of the file is not the one that is written, and those of `out`.
    pub fn copy(&self, keep: impl Fn(&Section<'_, '_>) -> bool, out: impl io::Write) -> Result<()> {
        let (major, minor) = self.layout.version();
        if major != MAJOR_VERSION {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!(
                    "the file has format version {major}.{minor}, which is not written any more"
                ),
            ));
        }
        let kept = || self.sections().filter(&keep);
        kept().try_for_each(|section| section.verify(Threads::ONE))?;
        let bundled = |section: &Section<'_, '_>| match &section.entry.data {
            Data::Bundled(bytes) => Some((section.kind(), section.is_required(), bytes.to_vec())),
            Data::Pages(_) => None,
        };
        let bundled: Vec<_> = kept().filter_map(|section| bundled(&section)).collect();
        let parts = bundled.iter();
        let parts = parts.map(|(kind, required, bytes)| (*kind, *required, bytes.as_slice()));
        let bundle = write_bundle(parts);
        let mut stored: Vec<Stored<'_>> = Vec::new();
        match bundled.as_slice() {
            [] => {}
            // A single section is not bundled.
            [(kind, required, bytes)] => stored.push(Stored::raw(
                code(*kind, *required),
                None,
                vec![Cow::Borrowed(bytes.as_slice())],
            )),
            _ => {
                let pieces = vec![Cow::Borrowed(bundle.as_slice())];
                stored.push(Stored::raw(BUNDLE * KIND_UNIT + REQUIRED, None, pieces));
            }
        }
        for section in kept() {
            stored.extend(as_stored(section.entry));
        }
        write_stored(&stored, minor, out)
    }
}

/// Returns the kind and the required flag, as encoded in the directory.
fn code(kind: u16, required: bool) -> u64 {
    u64::from(kind) << KIND_UNIT.trailing_zeros() | u64::from(required)
}

/// Returns a section that is not in the bundle.
fn as_stored<'a>(entry: &'a Entry<'_>) -> Option<Stored<'a>> {
    let Data::Pages(pages) = &entry.data else {
        return None;
    };
    let (bytes, table) = pages.stored();
    let mut code = code(entry.kind, entry.required);
    if entry.alignment.is_some() {
        code |= ALIGNED;
    }
    if pages.is_compressed() {
        code |= COMPRESSED;
    }
    Some(Stored {
        code,
        len: entry.len,
        alignment: entry.alignment,
        pages: vec![Cow::Borrowed(bytes)],
        compressed: pages.is_compressed(),
        table: table.to_vec(),
    })
}
