//! Packs: the results of many functions in one file, with a sorted index.
//!
//! ```text
//! magic, version                        8 bytes
//! number of segments, of index entries  4 bytes each, little-endian
//! for each segment: bytes, BLAKE3       8 + 32 bytes
//! for each entry, sorted by key: key, segment, first operation, number of operations
//!                                       32 + 4 + 4 + 4 bytes
//! the segments: modules in rmbc
//! ```
//!
//! The name of the file is the BLAKE3 of its content, which is checked when it is read.

use crate::Digest;
use crate::store::{Store, named};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"rmlirpk\x01";
const SEGMENT_LEN: usize = 40;
const ENTRY_LEN: usize = 44;

/// Where the result of a unit is in a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The number of the segment.
    pub(crate) segment: u32,
    /// The number of the first operation in the module of the segment.
    pub(crate) first: u32,
    /// The number of operations.
    pub(crate) count: u32,
}

/// A pack in memory.
pub(crate) struct Pack {
    bytes: Vec<u8>,
    segments: Vec<Range<usize>>,
    index: Range<usize>,
}

impl Pack {
    /// Makes a pack of segments and index entries.
    pub(crate) fn encode(segments: &[&[u8]], entries: &mut Vec<(Digest, Place)>) -> Vec<u8> {
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries.dedup_by_key(|(key, _)| *key);
        let mut out = MAGIC.to_vec();
        let number = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
        out.extend_from_slice(&number(segments.len()));
        out.extend_from_slice(&number(entries.len()));
        for segment in segments {
            out.extend_from_slice(&(segment.len() as u64).to_le_bytes());
            out.extend_from_slice(Digest::of(segment).as_bytes());
        }
        for (key, place) in entries {
            out.extend_from_slice(key.as_bytes());
            for number in [place.segment, place.first, place.count] {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        for segment in segments {
            out.extend_from_slice(segment);
        }
        out
    }

    /// Checks a pack; `None` if it is damaged or not of that name.
    pub(crate) fn parse(bytes: Vec<u8>, name: Option<Digest>) -> Option<Self> {
        if Digest::of(&bytes) != name? {
            return None;
        }
        let rest = bytes.strip_prefix(MAGIC)?;
        let count = |at| Some(number(rest, at)? as usize);
        let (segment_count, entry_count) = (count(0)?, count(4)?);
        let table = MAGIC.len() + 8;
        let index = table.checked_add(segment_count.checked_mul(SEGMENT_LEN)?)?;
        let mut start = index.checked_add(entry_count.checked_mul(ENTRY_LEN)?)?;
        let index = index..start;
        let mut segments = Vec::new();
        for row in bytes.get(table..index.start)?.chunks_exact(SEGMENT_LEN) {
            let len = u64::from_le_bytes(row.get(..8)?.try_into().ok()?);
            let end = start.checked_add(usize::try_from(len).ok()?)?;
            segments.push(start..end);
            start = end;
        }
        (start == bytes.len()).then_some(Pack {
            bytes,
            segments,
            index,
        })
    }

    /// Returns the entries of the index.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Digest, Place)> {
        let rows = self.bytes.get(self.index.clone()).unwrap_or_default();
        rows.chunks_exact(ENTRY_LEN).filter_map(|row| {
            let key: [u8; 32] = row.get(..32)?.try_into().ok()?;
            let place = Place {
                segment: number(row, 32)?,
                first: number(row, 36)?,
                count: number(row, 40)?,
            };
            Some((Digest::from_bytes(key), place))
        })
    }

    /// Returns the bytes of a segment.
    pub(crate) fn segment(&self, number: u32) -> Option<&[u8]> {
        let range = self.segments.get(usize::try_from(number).ok()?)?;
        self.bytes.get(range.clone())
    }

    fn segment_count(&self) -> usize {
        self.segments.len()
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// The packs of one stage with one tool and options.
pub(crate) struct Packs {
    packs: Vec<Pack>,
    by_key: HashMap<Digest, (usize, Place)>,
}

impl Packs {
    /// Returns where the result of a unit is.
    pub(crate) fn find(&self, key: &Digest) -> Option<(usize, Place)> {
        self.by_key.get(key).copied()
    }

    /// Returns how many units a segment of a pack has at most.
    pub(crate) fn units_in(&self, pack: usize, segment: u32) -> usize {
        self.packs
            .get(pack)
            .map_or(0, |pack| match pack.segment_count() {
                1 => pack.index.len() / ENTRY_LEN,
                _ => pack
                    .entries()
                    .filter(|(_, place)| place.segment == segment)
                    .count(),
            })
    }

    /// Returns a segment of a pack.
    pub(crate) fn segment(&self, pack: usize, segment: u32) -> Option<&[u8]> {
        self.packs.get(pack)?.segment(segment)
    }
}

impl Store {
    fn pack_folder(&self, domain: &Digest) -> PathBuf {
        self.root().join("packs").join(domain.to_string())
    }

    /// Reads and checks the packs of a domain. Damaged ones are counted and removed, so that what
    /// they had is made anew.
    pub(crate) fn packs(&self, domain: &Digest) -> Packs {
        let mut found = Packs {
            packs: Vec::new(),
            by_key: HashMap::new(),
        };
        let files = self.fs().list(&self.pack_folder(domain));
        for file in files.unwrap_or_default() {
            let Some(pack) = self.pack(&file.path) else {
                continue;
            };
            let number = found.packs.len();
            for (key, place) in pack.entries() {
                found.by_key.entry(key).or_insert((number, place));
            }
            found.packs.push(pack);
            self.used(&file.path);
        }
        found
    }

    fn pack(&self, path: &Path) -> Option<Pack> {
        let name = named(path)?;
        let bytes = match self.read(path) {
            Ok(bytes) => bytes,
            // Merged meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(_) => {
                self.count_damage();
                return None;
            }
        };
        let pack = Pack::parse(bytes, Some(name));
        if pack.is_none() {
            self.count_damage();
            if !self.is_read_only() {
                let _ = self.fs().remove(path);
            }
        }
        pack
    }

    /// Publishes a pack.
    pub(crate) fn put_pack(&self, domain: &Digest, bytes: &[u8]) -> std::io::Result<()> {
        let name = Digest::of(bytes).to_string();
        self.publish(&self.pack_folder(domain).join(name), &[bytes])
    }

    /// Returns the packs of a domain, at most `most` of them: more are merged.
    pub(crate) fn pack_files(&self, domain: &Digest, most: usize) -> Vec<Vec<u8>> {
        let folder = self.pack_folder(domain);
        self.merge_packs_in(&folder, most);
        let mut files = self.fs().list(&folder).unwrap_or_default();
        files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        let packs = files.iter().filter_map(|file| self.pack(&file.path));
        packs.take(most).map(|pack| pack.bytes).collect()
    }

    /// Merges the packs in a folder if there are more than `most`. Returns how many were merged.
    /// The merged pack is published before the others are removed, so nothing is ever missing; a
    /// second process that merges the same ones makes the same file.
    pub(crate) fn merge_packs_in(&self, folder: &Path, most: usize) -> u64 {
        let files = self.fs().list(folder).unwrap_or_default();
        if files.len() <= most.max(1) || self.is_read_only() {
            return 0;
        }
        let mut packs = Vec::new();
        for file in files {
            if let Some(pack) = self.pack(&file.path) {
                packs.push((file.path, pack));
            }
        }
        let mut segments: Vec<&[u8]> = Vec::new();
        let mut numbers: HashMap<Digest, u32> = HashMap::new();
        let mut entries: Vec<(Digest, Place)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (_, pack) in &packs {
            let mut own: Vec<Option<u32>> = vec![None; pack.segment_count()];
            for (key, mut place) in pack.entries() {
                if !seen.insert(key) {
                    continue;
                }
                let Some(bytes) = pack.segment(place.segment) else {
                    continue;
                };
                let Some(slot) = own.get_mut(place.segment as usize) else {
                    continue;
                };
                let number = *slot.get_or_insert_with(|| {
                    *numbers.entry(Digest::of(bytes)).or_insert_with(|| {
                        segments.push(bytes);
                        u32::try_from(segments.len() - 1).unwrap_or(u32::MAX)
                    })
                });
                place.segment = number;
                entries.push((key, place));
            }
        }
        let bytes = Pack::encode(&segments, &mut entries);
        let name = folder.join(Digest::of(&bytes).to_string());
        if self.publish(&name, &[&bytes]).is_err() {
            return 0;
        }
        let mut merged = 0;
        for (path, _) in &packs {
            if *path != name && self.fs().remove(path).is_ok() {
                merged += 1;
            }
        }
        merged
    }

    fn count_damage(&self) {
        crate::store::stats::Counters::count(&self.stats.damaged, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack() -> Vec<u8> {
        let place = |segment, first| Place {
            segment,
            first,
            count: 1,
        };
        let mut entries = vec![
            (Digest::of(b"b"), place(0, 1)),
            (Digest::of(b"a"), place(0, 0)),
            (Digest::of(b"c"), place(1, 0)),
        ];
        Pack::encode(&[b"first", b"second one"], &mut entries)
    }

    #[test]
    fn round_trip() {
        let bytes = pack();
        let name = Some(Digest::of(&bytes));
        let pack = Pack::parse(bytes, name).unwrap();
        let entries: HashMap<Digest, Place> = pack.entries().collect();
        let c = entries[&Digest::of(b"c")];
        assert_eq!(pack.segment(c.segment), Some(&b"second one"[..]));
        assert_eq!(entries[&Digest::of(b"b")].first, 1);
        assert!(pack.segment(2).is_none());
    }

    #[test]
    fn damage_is_found_even_with_a_matching_name() {
        let bytes = pack();
        let name = Some(Digest::of(&bytes));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Pack::parse(damaged.clone(), name).is_none());
            // No panic, whatever the content.
            if let Some(pack) = Pack::parse(damaged.clone(), Some(Digest::of(&damaged))) {
                for (_, place) in pack.entries() {
                    pack.segment(place.segment);
                }
            }
            assert!(Pack::parse(bytes[..at].to_vec(), name).is_none());
        }
    }
}
