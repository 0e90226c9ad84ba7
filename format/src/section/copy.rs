//! Copies a file without some of its sections; the pages are copied unchanged.

use super::writer::{Bundle, Stored, write_bundle, write_stored};
use super::{ALIGNED, COMPRESSED, Container, Data, Entry, KIND_UNIT, Section};
use crate::error::Result;
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
    /// [`ErrorKind::Checksum`](crate::ErrorKind::Checksum) for a damaged section that is kept, and
    /// those of `out`.
    pub fn copy(&self, keep: impl Fn(&Section<'_, '_>) -> bool, out: impl io::Write) -> Result<()> {
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
        let bundle = Bundle::raw(&bundle);
        let mut stored: Vec<Stored<'_>> = Vec::new();
        // A single section is not bundled.
        if let [(kind, required, bytes)] = bundled.as_slice() {
            let pieces = vec![Cow::Borrowed(bytes.as_slice())];
            stored.push(Stored::raw(*kind, code(*kind, *required), None, pieces));
        }
        let bundle = (bundled.len() > 1).then_some(bundle);
        for section in kept() {
            stored.extend(as_stored(section.entry));
        }
        write_stored(self.has_dictionary, bundle.as_ref(), &stored, out)
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
