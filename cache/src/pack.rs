//! Packs: the results of many functions in one file, with a sorted index.
//!
//! ```text
//! magic, version                        8 bytes
//! number of segments, of index entries  4 bytes each, little-endian
//! for each segment: bytes, BLAKE3       8 + 32 bytes
//! for each entry, sorted by key: 20 bytes of the key, segment, first operation, number of operations
//!                                       20 + 2 + 4 + 2 bytes
//! the segments: modules in rmbc, compressed
//! if the cache has a secret: its name, code, length of the name
//!                                       0 to 255 + 32 + 1 bytes
//! ```
//!
//! An entry without operations in segment 2^16-1 records that a tool left the operations around
//! functions as they are. The code is a keyed hash of the domain and all that precedes it.
//!
//! The name of the file is the BLAKE3 of its content, which is checked when it is read.

use crate::Digest;
use crate::mac::{Mac, MacKeys};
use crate::store::{Store, named};
use rmlir::ir::sort::CompactSort as _;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"rmlirpk\x02";
const SEGMENT_LEN: usize = 40;
const KEY_LEN: usize = 20;
const ENTRY_LEN: usize = 28;

/// The beginning of a key: enough that no two are equal.
type ShortKey = [u8; KEY_LEN];

fn short(key: &Digest) -> ShortKey {
    let bytes = key.as_bytes().first_chunk();
    bytes.copied().unwrap_or_default()
}

/// Where the result of a unit is in a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The number of the segment.
    pub(crate) segment: u16,
    /// The number of the first operation in the module of the segment.
    pub(crate) first: u32,
    /// The number of operations.
    pub(crate) count: u16,
}

impl Place {
    /// The place of what has no operations.
    pub(crate) const NONE: Place = Place {
        segment: u16::MAX,
        first: 0,
        count: 0,
    };
}

/// A pack in memory.
pub(crate) struct Pack {
    bytes: Vec<u8>,
    segments: Vec<Range<usize>>,
    index: Range<usize>,
    /// The end of what a code covers.
    end: usize,
}

impl Pack {
    /// Makes a pack of segments and index entries.
    pub(crate) fn encode(segments: &[&[u8]], entries: &[(Digest, Place)]) -> Vec<u8> {
        let entries = entries.iter().map(|(key, place)| (short(key), *place));
        Self::encode_short(segments, entries.collect())
    }

    fn encode_short(segments: &[&[u8]], mut entries: Vec<(ShortKey, Place)>) -> Vec<u8> {
        entries.compact_sort_by_key(|(key, _)| *key);
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
            out.extend_from_slice(&key);
            out.extend_from_slice(&place.segment.to_le_bytes());
            out.extend_from_slice(&place.first.to_le_bytes());
            out.extend_from_slice(&place.count.to_le_bytes());
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
        (start <= bytes.len()).then_some(Pack {
            bytes,
            segments,
            index,
            end: start,
        })
    }

    /// Returns the pack without a code.
    pub(crate) fn content(&self) -> &[u8] {
        self.bytes.get(..self.end).unwrap_or_default()
    }

    /// Returns the code, if there is one. `None` if what follows the segments is none.
    fn mac(&self) -> Option<Option<Mac>> {
        let rest = self.bytes.get(self.end..)?;
        let Some((&len, rest)) = rest.split_last() else {
            return Some(None);
        };
        let (id, code) = rest.split_at_checked(usize::from(len))?;
        Some(Some(Mac {
            key_id: String::from_utf8(id.to_vec()).ok()?,
            code: Digest::from_bytes(code.try_into().ok()?),
        }))
    }

    fn is_authentic(&self, domain: &str, keys: &MacKeys) -> bool {
        let Some(mac) = self.mac() else { return false };
        // Hashing is not free.
        keys.is_empty() || keys.accepts(&[domain.as_bytes(), self.content()].concat(), mac.as_ref())
    }

    /// Returns the entries of the index.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (ShortKey, Place)> {
        let rows = self.bytes.get(self.index.clone()).unwrap_or_default();
        rows.chunks_exact(ENTRY_LEN).filter_map(|row| {
            let (key, rest) = row.split_first_chunk()?;
            let (segment, rest) = rest.split_first_chunk()?;
            let (first, rest) = rest.split_first_chunk()?;
            let place = Place {
                segment: u16::from_le_bytes(*segment),
                first: u32::from_le_bytes(*first),
                count: u16::from_le_bytes(*rest.first_chunk()?),
            };
            Some((*key, place))
        })
    }

    /// Returns the bytes of a segment.
    pub(crate) fn segment(&self, number: u16) -> Option<&[u8]> {
        let range = self.segments.get(usize::from(number))?;
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
    paths: Vec<PathBuf>,
    by_key: HashMap<ShortKey, (usize, Place)>,
}

impl Packs {
    /// Returns where the result of a unit is.
    pub(crate) fn find(&self, key: &Digest) -> Option<(usize, Place)> {
        self.by_key.get(&short(key)).copied()
    }

    /// Returns how many units a segment of a pack has at most.
    pub(crate) fn units_in(&self, pack: usize, segment: u16) -> usize {
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

    /// Returns the pack and number of the largest segment that has at most `most` bytes.
    pub(crate) fn largest_segment(&self, most: usize) -> Option<(usize, u16)> {
        let packs = self.packs.iter().enumerate();
        let segments = packs.flat_map(|(number, pack)| {
            let segments = (0u16..).zip(&pack.segments);
            segments.map(move |(segment, range)| (range.len(), number, segment))
        });
        let largest = segments.filter(|(len, ..)| *len <= most).max()?;
        Some((largest.1, largest.2))
    }

    /// Returns a segment of a pack.
    pub(crate) fn segment(&self, pack: usize, segment: u16) -> Option<&[u8]> {
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
            paths: Vec::new(),
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
            found.paths.push(file.path);
        }
        found
    }

    /// Records that packs had results, so that others get old.
    pub(crate) fn used_packs(&self, packs: &Packs, found: &[(usize, (usize, Place))]) {
        let mut used: Vec<usize> = found.iter().map(|(_, (pack, _))| *pack).collect();
        used.sort_unstable();
        used.dedup();
        for path in used.into_iter().filter_map(|pack| packs.paths.get(pack)) {
            self.used(path);
        }
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
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let domain = folder.to_str().unwrap_or_default();
        let pack = pack?;
        if !pack.is_authentic(domain, &self.mac) {
            crate::store::stats::Counters::count(&self.stats.rejected, 1);
            return None;
        }
        Some(pack)
    }

    /// Publishes a pack, and merges small ones if there are many.
    pub(crate) fn put_pack(&self, domain: &Digest, bytes: &[u8]) -> std::io::Result<()> {
        /// Packs are opened at each look-up.
        const MOST: usize = 32;
        let folder = self.pack_folder(domain);
        self.publish_pack(&folder, bytes)?;
        if self
            .fs()
            .list(&folder)
            .is_ok_and(|files| files.len() > MOST)
        {
            self.merge_packs_in(&folder, MOST / 2);
        }
        Ok(())
    }

    /// Publishes a pack, with a code if there is a secret. Returns the path.
    fn publish_pack(&self, folder: &Path, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let domain = folder.file_name().unwrap_or_default().as_encoded_bytes();
        let mut code = Vec::new();
        if let Some(mac) = self.mac.sign(&[domain, bytes].concat()) {
            let id = mac.key_id.as_bytes();
            let len = u8::try_from(id.len()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
            code.extend_from_slice(id);
            code.extend_from_slice(mac.code.as_bytes());
            code.push(len);
        }
        let name = Digest::from_bytes(
            *blake3::Hasher::new()
                .update(bytes)
                .update(&code)
                .finalize()
                .as_bytes(),
        );
        let path = folder.join(name.to_string());
        self.publish(&path, &[bytes, &code])?;
        Ok(path)
    }

    /// Returns the packs of a domain without codes, at most `most` of them: more are merged.
    pub(crate) fn pack_files(&self, domain: &Digest, most: usize) -> Vec<Vec<u8>> {
        let folder = self.pack_folder(domain);
        self.merge_packs_in(&folder, most);
        let mut files = self.fs().list(&folder).unwrap_or_default();
        files.compact_sort_by_key(|file| std::cmp::Reverse(file.modified));
        let packs = files.iter().filter_map(|file| self.pack(&file.path));
        packs
            .take(most)
            .map(|pack| pack.content().to_vec())
            .collect()
    }

    /// Merges the smallest packs in a folder if there are more than `most`; large ones stay, so
    /// that what is not used any more gets old. Returns how many were merged. The merged pack
    /// is published before the others are removed, so nothing is ever missing; a second
    /// process that merges the same ones makes the same file.
    pub(crate) fn merge_packs_in(&self, folder: &Path, most: usize) -> u64 {
        let mut files = self.fs().list(folder).unwrap_or_default();
        if files.len() <= most.max(1) || self.is_read_only() {
            return 0;
        }
        files.compact_sort_by(|a, b| a.len.cmp(&b.len).then_with(|| a.path.cmp(&b.path)));
        // Half of the packs may stay, so that merging is needed seldom.
        files.truncate(files.len().saturating_sub(most / 2));
        let mut packs = Vec::new();
        let mut count = 0usize;
        for file in files {
            let Some(pack) = self.pack(&file.path) else {
                continue;
            };
            count = count.saturating_add(pack.segment_count());
            if count >= usize::from(u16::MAX) {
                break;
            }
            packs.push((file.path, pack));
        }
        let mut segments: Vec<&[u8]> = Vec::new();
        let mut numbers: HashMap<Digest, u16> = HashMap::new();
        let mut entries: Vec<(ShortKey, Place)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (_, pack) in &packs {
            let mut own: Vec<Option<u16>> = vec![None; pack.segment_count()];
            for (key, mut place) in pack.entries() {
                if !seen.insert(key) {
                    continue;
                }
                if place == Place::NONE {
                    entries.push((key, place));
                    continue;
                }
                let Some(bytes) = pack.segment(place.segment) else {
                    continue;
                };
                let Some(slot) = own.get_mut(usize::from(place.segment)) else {
                    continue;
                };
                let number = *slot.get_or_insert_with(|| {
                    *numbers.entry(Digest::of(bytes)).or_insert_with(|| {
                        segments.push(bytes);
                        u16::try_from(segments.len() - 1).unwrap_or(u16::MAX)
                    })
                });
                place.segment = number;
                entries.push((key, place));
            }
        }
        let bytes = Pack::encode_short(&segments, entries);
        let Ok(name) = self.publish_pack(folder, &bytes) else {
            return 0;
        };
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
        let entries = [
            (Digest::of(b"b"), place(0, 1)),
            (Digest::of(b"a"), place(0, 0)),
            (Digest::of(b"c"), place(1, 0)),
        ];
        Pack::encode(&[b"first", b"second one"], &entries)
    }

    #[test]
    fn round_trip() {
        let bytes = pack();
        let name = Some(Digest::of(&bytes));
        let pack = Pack::parse(bytes, name).unwrap();
        let entries: HashMap<ShortKey, Place> = pack.entries().collect();
        let c = entries[&short(&Digest::of(b"c"))];
        assert_eq!(pack.segment(c.segment), Some(&b"second one"[..]));
        assert_eq!(entries[&short(&Digest::of(b"b"))].first, 1);
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
