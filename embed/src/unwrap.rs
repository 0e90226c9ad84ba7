//! The search: containers in containers first, then all bytes.

use crate::artifact::{Artifact, Content, Reason, Unread, Unwrapped};
use crate::containers::{self, Member, Part, is_text_name};
use crate::module::{
    bytecode_len, bytecode_magic, check, is_bitcode, is_mlir_text, unsupported_compression,
};
use crate::record::Record;
use rmlir_format::{Limits, Source};
use std::collections::BTreeMap;
use std::ops::Range;

/// Bounds on the work of [`unwrap`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnwrapOptions {
    /// The maximum number of containers and modules around an artifact. Default: 8.
    pub max_depth: usize,
    /// The maximum number of artifacts. Default: 65536.
    pub max_artifacts: usize,
    /// The limits; [`decompressed_bytes`](Limits::decompressed_bytes) bounds the total size of
    /// everything that is decoded.
    pub limits: Limits,
}

impl Default for UnwrapOptions {
    fn default() -> Self {
        UnwrapOptions {
            max_depth: 8,
            max_artifacts: 1 << 16,
            limits: Limits::default(),
        }
    }
}

/// The amount of work, in bytes looked at, for each byte of a buffer.
const WORK_PER_BYTE: u64 = 64;
/// The amount of work for any file.
const LEAST_WORK: u64 = 1 << 20;
/// The maximum number of parts that are listed as unread.
const MAX_UNREAD: usize = 100;

/// Finds the modules in a file of any format.
///
/// The search does not fail: a container that is damaged is searched as bytes of unknown meaning.
/// The work is at most linear in the number of bytes, decoded ones included.
///
/// ```
/// use rmlir_embed::{UnwrapOptions, unwrap};
///
/// let found = unwrap(&b"\0asm\x01\0\0\0"[..].into(), &UnwrapOptions::default());
/// assert_eq!(found.container, Some("wasm"));
/// assert!(found.artifacts.is_empty() && found.is_complete);
/// ```
pub fn unwrap(file: &Source, options: &UnwrapOptions) -> Unwrapped {
    let len = file.len() as u64;
    let mut search = Search {
        options,
        artifacts: Vec::new(),
        queue: Vec::new(),
        work: len.saturating_mul(WORK_PER_BYTE).saturating_add(LEAST_WORK),
        decodable: options.limits.decompressed_bytes(len),
        members: containers::MAX_MEMBERS,
        unread: Vec::new(),
        container: None,
    };
    search.queue.push(Buffer {
        source: file.clone(),
        origin: None,
        place: Place::default(),
        is_text: false,
    });
    // The first in the queue is the file, so that its artifacts take precedence.
    while let Some(buffer) = search.queue.pop() {
        search.explore(buffer);
    }
    let mut artifacts = search.artifacts;
    artifacts.sort_by_key(|artifact| (artifact.offset, artifact.depth));
    let is_limit = |unread: &Unread| matches!(unread.reason, Reason::Limit(_));
    (search.unread).sort_by_key(|unread| (is_limit(unread), unread.offset));
    let container = search.container;
    Unwrapped {
        artifacts,
        container: container.or_else(|| containers::container_format(file)),
        is_complete: search.unread.is_empty(),
        unread: search.unread,
    }
}

/// The limit of [`Search::decodable`].
pub(crate) const DECODED: &str = "its content takes more bytes than may be decompressed";

/// The least length of a string that holds an encoded module.
pub(crate) const LEAST_STRING: usize = 32;

/// Finds the modules in a string of another module, as [`unwrap`] does; `None` if there are none,
/// and nothing that was not searched.
///
/// ```
/// let options = rmlir_embed::UnwrapOptions::default();
/// assert!(rmlir_embed::unwrap_string(b"a string", &options).is_none());
/// ```
pub fn unwrap_string(text: &[u8], options: &UnwrapOptions) -> Option<Unwrapped> {
    if text.len() < LEAST_STRING {
        return None;
    }
    let found = unwrap(&Source::from(text), options);
    (!found.artifacts.is_empty() || !found.is_complete).then_some(found)
}

/// Where bytes are: in which containers, under which name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) container: String,
    pub(crate) name: String,
    pub(crate) depth: usize,
    /// Whether the checksum of a member around it is wrong.
    pub(crate) is_damaged: bool,
}

impl Place {
    /// Returns the place of a member of a container, or of encoded bytes, at this place.
    pub(crate) fn within(&self, container: &str, name: &str) -> Self {
        let join = |outer: &str, inner: &str, separator: &str| match (outer, inner) {
            ("", one) | (one, "") => one.to_owned(),
            _ => format!("{outer}{separator}{inner}"),
        };
        Place {
            container: join(&self.container, container, "/"),
            name: join(&self.name, name, ":"),
            depth: self.depth.saturating_add(1),
            is_damaged: self.is_damaged,
        }
    }
}

/// Bytes of the file, or decoded ones.
pub(crate) struct Buffer {
    pub(crate) source: Source,
    /// For decoded bytes: the range of the file that they were decoded from.
    pub(crate) origin: Option<Range<u64>>,
    pub(crate) place: Place,
    /// See [`Member`].
    pub(crate) is_text: bool,
}

pub(crate) struct Search<'o> {
    pub(crate) options: &'o UnwrapOptions,
    artifacts: Vec<Artifact>,
    queue: Vec<Buffer>,
    /// The number of bytes that may still be looked at more than once.
    work: u64,
    /// The number of bytes that may still be decoded.
    pub(crate) decodable: u64,
    /// The number of members that containers may still have.
    members: usize,
    unread: Vec<Unread>,
    /// The container format of the whole file, if members of it were listed: to recognize it once
    /// more may take a look at all bytes.
    container: Option<&'static str>,
}

/// The findings in one buffer.
pub(crate) struct Known {
    /// Accepted artifacts by start: their end and place. They do not overlap.
    pub(crate) accepted: BTreeMap<usize, (usize, Place)>,
    /// Ranges that were decoded, whose bytes mean nothing as they are.
    pub(crate) encoded: Vec<Range<usize>>,
    /// The ranges of members that are not containers, for the names of artifacts in them.
    pub(crate) leaves: Vec<(Range<usize>, Place)>,
}

impl Search<'_> {
    /// Subtracts an amount of work from the budget; returns false if the budget is exhausted.
    pub(crate) fn charge(&mut self, bytes: usize) -> bool {
        let work = self.work.checked_sub(bytes as u64);
        if work.is_none() {
            self.limit("the search would take too long for the size of the file");
        }
        self.work = work.unwrap_or(0);
        work.is_some()
    }

    /// Returns whether `bytes` more may be decoded, and notes if not.
    pub(crate) fn may_decode(&mut self, bytes: usize) -> bool {
        let may = bytes as u64 <= self.decodable;
        if !may {
            self.limit(DECODED);
        }
        may
    }

    /// Notes that a limit was reached, once for each.
    pub(crate) fn limit(&mut self, limit: &'static str) {
        let reason = Reason::Limit(limit);
        if self.unread.iter().all(|unread| unread.reason != reason) {
            // Even after many others: that is the reason why there may be more.
            self.unread.push(Unread {
                container: String::new(),
                name: String::new(),
                offset: 0,
                reason,
            });
        }
    }

    /// Notes a part of a buffer that is not read.
    fn note(&mut self, buffer: &Buffer, start: usize, place: &Place, reason: Reason) {
        // Members of thin archives are those of the archive, which callers may read.
        let is_member = matches!(reason, Reason::Elsewhere(_));
        if self.unread.len() >= MAX_UNREAD && !is_member {
            self.limit("it has more than 100 parts that are not read");
            return;
        }
        let offset = match &buffer.origin {
            Some(origin) => origin.start,
            None => start as u64,
        };
        self.unread.push(Unread {
            container: place.container.clone(),
            name: place.name.clone(),
            offset,
            reason,
        });
    }

    /// Notes a part of a buffer that is in too many containers.
    pub(crate) fn too_deep(&mut self, buffer: &Buffer, start: usize, place: &Place) {
        let reason = Reason::Depth(self.options.max_depth);
        self.note(buffer, start, place, reason);
    }

    /// Adds decoded bytes to the search.
    pub(crate) fn decoded(
        &mut self,
        from: &Buffer,
        range: Range<usize>,
        bytes: Vec<u8>,
        is_text: bool,
        at: Place,
    ) {
        if at.depth > self.options.max_depth {
            self.too_deep(from, range.start, &at);
            return;
        }
        let len = bytes.len() as u64;
        self.work = (self.work).saturating_add(len.saturating_mul(WORK_PER_BYTE));
        let range = range.start as u64..range.end as u64;
        self.queue.push(Buffer {
            source: Source::from(bytes),
            origin: Some(from.origin.clone().unwrap_or(range)),
            place: at,
            is_text,
        });
    }

    /// Searches a buffer: its containers, then all of its bytes.
    fn explore(&mut self, buffer: Buffer) {
        let mut known = Known {
            accepted: BTreeMap::new(),
            encoded: Vec::new(),
            leaves: Vec::new(),
        };
        let whole = Member {
            part: Part::Range(0..buffer.source.len()),
            is_text: buffer.is_text,
            ..Member::default()
        };
        let mut pending = vec![(whole, buffer.place.clone())];
        while let Some((member, place)) = pending.pop() {
            if let Some(start) = member.damaged_at() {
                let reason = Reason::Damaged("its checksum is wrong");
                self.note(&buffer, start, &place, reason);
            }
            let range = match member.part {
                Part::Range(range) => range,
                Part::Decoded { range, bytes } => {
                    known.encoded.push(range.clone());
                    self.decoded(&buffer, range, bytes, member.is_text, place);
                    continue;
                }
                Part::Unread { range, reason } => {
                    match reason {
                        Reason::Limit(limit) if limit != DECODED => self.limit(limit),
                        reason => self.note(&buffer, range.start, &place, reason),
                    }
                    continue;
                }
            };
            let Some(bytes) = buffer.source.get(range.clone()) else {
                continue;
            };
            let found = match place.depth < self.options.max_depth {
                true if self.charge(bytes.len() / 8) => containers::members(bytes, self),
                true => Vec::new(),
                false => {
                    if containers::container_format(bytes).is_some() {
                        self.too_deep(&buffer, range.start, &place);
                    }
                    Vec::new()
                }
            };
            if found.is_empty() {
                self.leaf(&buffer, range, member.is_text, place, &mut known);
                continue;
            }
            if place.depth == 0 && range.len() == buffer.source.len() {
                self.container = found.first().map(|(container, _)| *container);
            }
            let mut around = place;
            let mut first = None;
            for (container, members) in found {
                // What is appended to a container is in both.
                around = around.within(container, "");
                first.get_or_insert_with(|| around.clone());
                if members.len() > self.members {
                    self.limit("it has too many members");
                }
                // The first member is explored first.
                for mut inner in members.into_iter().take(self.members).rev() {
                    self.members = self.members.saturating_sub(1);
                    let mut place = around.within("", &inner.name);
                    place.depth = around.depth.saturating_add(inner.order);
                    place.is_damaged |= inner.is_damaged;
                    inner.part = inner.part.moved(range.start);
                    // Sections with wrong lengths may be all of the file, which has them again.
                    if !matches!(&inner.part, Part::Range(same) if *same == range) {
                        pending.push((inner, place));
                    }
                }
            }
            known.leaves.push((range, first.unwrap_or(around)));
        }
        // Of two ranges, the inner one comes last.
        (known.leaves).sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        known.encoded.sort_by_key(|range| range.start);
        self.carve(&buffer, &mut known);
    }

    /// Takes the modules at the start of a range that is not a container.
    fn leaf(
        &mut self,
        buffer: &Buffer,
        range: Range<usize>,
        is_text: bool,
        place: Place,
        known: &mut Known,
    ) {
        let bytes = buffer.source.get(range.clone()).unwrap_or_default();
        if is_bitcode(bytes) {
            let found = (Content::LlvmBitcode, None);
            self.accept(buffer, range.clone(), found, place.clone(), known);
        } else if is_text && is_text_of(&place.name, bytes) {
            let found = (Content::Text, None);
            self.accept(buffer, range.clone(), found, place.clone(), known);
        } else if let Some(method) = unsupported_compression(bytes) {
            let reason = Reason::Method(method.to_owned());
            self.note(buffer, range.start, &place, reason);
        } else {
            let mut at = range.start;
            while let Some(end) = self.module_at(buffer, at..range.end, &place, known) {
                let rest = buffer.source.get(end..range.end).unwrap_or_default();
                let zeros = rest.iter().position(|&byte| byte != 0);
                at = end.saturating_add(zeros.unwrap_or(rest.len()));
            }
            if at == range.start && self.is_damaged_bytecode(bytes) {
                let reason = Reason::Damaged("its bytecode is cut off or invalid");
                self.note(buffer, range.start, &place, reason);
            }
        }
        known.leaves.push((range, place));
    }

    /// Returns whether bytes begin as bytecode, and are not bytecode.
    fn is_damaged_bytecode(&mut self, bytes: &[u8]) -> bool {
        if bytecode_magic(bytes).is_none() {
            return false;
        }
        let module = bytecode_len(bytes).and_then(|len| bytes.get(..len));
        module.is_none_or(|module| self.charge(module.len()) && check(module).is_none())
    }

    /// Takes the record or module at the start of a range, if its sections are valid. Returns where
    /// it ends.
    pub(crate) fn module_at(
        &mut self,
        buffer: &Buffer,
        range: Range<usize>,
        place: &Place,
        known: &mut Known,
    ) -> Option<usize> {
        let bytes = buffer.source.get(range.clone())?;
        if let Some(record) = Record::read(bytes) {
            return self.record(buffer, range.start, &record, place, known);
        }
        bytecode_magic(bytes)?;
        let end = range.start.checked_add(bytecode_len(bytes)?)?;
        let module = range.start..end;
        if overlap(known, &module) || !self.charge(module.len()) {
            return None;
        }
        let found = check(buffer.source.get(module.clone())?)?;
        debug_assert_eq!(found.len, module.len());
        let found = (found.content, found.producer);
        self.accept(buffer, module, found, place.clone(), known)
            .then_some(end)
    }

    fn record(
        &mut self,
        buffer: &Buffer,
        start: usize,
        record: &Record<'_>,
        place: &Place,
        known: &mut Known,
    ) -> Option<usize> {
        let end = start.checked_add(record.byte_len())?;
        let module = start.checked_add(record.offset)?..end;
        if overlap(known, &module) || !self.charge(module.len()) {
            return None;
        }
        let is_intact = record.is_intact();
        let producer = match record.content {
            _ if !is_intact => None,
            Content::Text => None,
            // The checksum tells that it is what was embedded.
            _ => check(record.module).and_then(|found| found.producer),
        };
        let mut place = place.clone();
        place.name = match (place.name.as_str(), record.name) {
            ("", name) => name.to_owned(),
            (section, name) => format!("{section}:{name}"),
        };
        let found = (record.content, producer);
        if !self.accept(buffer, module, found, place, known) {
            return None;
        }
        if let Some(artifact) = self.artifacts.last_mut() {
            artifact.is_intact &= is_intact;
        }
        Some(end)
    }

    /// Adds an artifact unless it overlaps another one partly.
    pub(crate) fn accept(
        &mut self,
        buffer: &Buffer,
        range: Range<usize>,
        (content, producer): (Content, Option<String>),
        place: Place,
        known: &mut Known,
    ) -> bool {
        if overlap(known, &range) {
            return false;
        }
        if self.artifacts.len() >= self.options.max_artifacts {
            self.limit("it has too many modules");
            return false;
        }
        let Some(source) = buffer.source.slice(range.start as u64..range.end as u64) else {
            return false;
        };
        let inside = range.start as u64..range.end as u64;
        let origin = buffer.origin.clone().unwrap_or(inside);
        self.artifacts.push(Artifact {
            container: place.container.clone(),
            name: place.name.clone(),
            offset: origin.start,
            span: origin.end.saturating_sub(origin.start),
            content,
            producer,
            depth: place.depth,
            is_intact: !place.is_damaged,
            source,
        });
        known.accepted.insert(range.start, (range.end, place));
        true
    }
}

/// Returns whether a member with a name may be MLIR as text: by how it begins, or by its name if it
/// has no control characters, which begin other formats.
fn is_text_of(name: &str, bytes: &[u8]) -> bool {
    let start = bytes.get(..1 << 12).unwrap_or(bytes);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_named = || is_text_name(name) && bytecode_magic(bytes).is_none();
    is_mlir_text(bytes)
        || (is_named() && !start.trim_ascii().is_empty() && !start.iter().any(is_control))
}

/// Returns whether a range overlaps an accepted artifact without being inside of it. O(log n).
fn overlap(known: &Known, range: &Range<usize>) -> bool {
    let mut before = known.accepted.range(..range.end).rev();
    match before.next() {
        None => false,
        Some((&start, &(end, _))) => start >= range.start || (end > range.start && end < range.end),
    }
}
