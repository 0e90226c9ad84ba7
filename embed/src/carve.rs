//! The search of all bytes for magic numbers, raw and encoded.

use crate::decode::{ENCODINGS, Encoding};
use crate::module::bytecode_len;
use crate::record::{self, Record};
use crate::unwrap::{Buffer, Known, LEAST_STRING, Place, Search};
use memchr::memmem::Finder;
use rmlir_format::{mlirbc, section};

/// The kind of content that begins with a magic number.
#[derive(Clone, Copy)]
enum Magic {
    /// A module, or a record with one.
    Module,
    /// An encoded module.
    Encoded(&'static Encoding),
}

impl Search<'_> {
    /// Finds modules anywhere in a buffer. O(bytes).
    pub(crate) fn carve(&mut self, buffer: &Buffer, known: &mut Known) {
        let bytes: &[u8] = &buffer.source;
        let raw: [&[u8]; 3] = [&section::MAGIC, &mlirbc::MAGIC, &record::MAGIC];
        let raw = raw.into_iter().map(|magic| (magic, Magic::Module));
        let encoded = ENCODINGS.iter().flat_map(|encoding| {
            let magics = encoding.magics.iter();
            magics.map(move |&magic| (magic, Magic::Encoded(encoding)))
        });
        let finders: Vec<(Finder<'_>, Magic)> = raw
            .chain(encoded)
            .map(|(magic, kind)| (Finder::new(magic), kind))
            .collect();
        let mut hits: Vec<_> = finders
            .iter()
            .map(|(finder, kind)| (finder.find_iter(bytes).peekable(), *kind))
            .collect();
        // The artifacts around the current position, the innermost last.
        let mut around: Vec<(usize, Place)> = Vec::new();
        let mut leaves = Leaves::default();
        // What precedes this position was decoded.
        let mut decoded = 0;
        // An encoded run is tried once.
        let mut tried = 0;
        let mut encoded = std::mem::take(&mut known.encoded).into_iter().peekable();
        loop {
            let next = hits.iter_mut().filter_map(|(found, kind)| {
                let at = *found.peek()?;
                Some((at, found, *kind))
            });
            let Some((at, found, kind)) = next.min_by_key(|(at, ..)| *at) else {
                return;
            };
            found.next();
            while let Some(range) = encoded.next_if(|range| range.start <= at) {
                decoded = decoded.max(range.end);
            }
            if at < decoded {
                continue;
            }
            while around.last().is_some_and(|(end, _)| *end <= at) {
                around.pop();
            }
            if let Some((end, place)) = known.accepted.get(&at) {
                around.push((*end, place.clone()));
                continue;
            }
            let (end, place) = match around.last() {
                Some((end, place)) => {
                    let container = bytes.get(known_start(known, at)..).unwrap_or_default();
                    let format = crate::module::bytecode_magic(container);
                    let format = format.map_or("text", |content| content.name());
                    (*end, place.within(format, ""))
                }
                None => (bytes.len(), leaves.place(known, at, &buffer.place)),
            };
            if place.depth > self.options.max_depth {
                let rest = bytes.get(at..end).unwrap_or_default();
                let is_there = match kind {
                    Magic::Module => Record::read(rest).is_some() || bytecode_len(rest).is_some(),
                    Magic::Encoded(encoding) => {
                        (encoding.len)(rest, quote(bytes, at)) >= LEAST_STRING
                    }
                };
                if is_there && self.charge(rest.len().min(1 << 10)) {
                    self.too_deep(buffer, at, &place);
                }
                continue;
            }
            match kind {
                Magic::Module => {
                    if let Some(end) = self.module_at(buffer, at..end, &place, known) {
                        let inner = known.accepted.range(at..end).next();
                        let place = inner.map_or(place, |(_, (_, place))| place.clone());
                        around.push((end, place));
                    }
                }
                Magic::Encoded(encoding) if at >= tried => {
                    let text = bytes.get(at..end).unwrap_or_default();
                    let len = (encoding.len)(text, quote(bytes, at));
                    tried = at.saturating_add(len);
                    let text = text.get(..len).unwrap_or_default();
                    if len >= LEAST_STRING
                        && self.may_decode(len)
                        && self.charge(len)
                        && let Some(module) = (encoding.decode)(text)
                    {
                        self.decodable = self.decodable.saturating_sub(module.len() as u64);
                        let place = place.within(encoding.name, "");
                        self.decoded(buffer, at..tried, module, false, place);
                        decoded = tried;
                    }
                }
                Magic::Encoded(_) => {}
            }
        }
    }
}

/// Returns the quote before a position; `"` if there is another byte.
fn quote(bytes: &[u8], at: usize) -> u8 {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    match before {
        Some(b'\'') => b'\'',
        _ => b'"',
    }
}

/// Returns the start of the last accepted artifact at or before a position.
fn known_start(known: &Known, at: usize) -> usize {
    let mut before = known.accepted.range(..=at).rev();
    before.next().map_or(at, |(&start, _)| start)
}

/// Finds the innermost leaf around positions that only increase.
#[derive(Default)]
struct Leaves {
    /// The number of leaves that begin at or before the last position.
    next: usize,
    /// Indices of the leaves that may contain it; each begins at or after the one before it.
    open: Vec<usize>,
}

impl Leaves {
    fn place(&mut self, known: &Known, at: usize, otherwise: &Place) -> Place {
        while let Some((range, _)) = known.leaves.get(self.next)
            && range.start <= at
        {
            self.open.push(self.next);
            self.next = self.next.saturating_add(1);
        }
        while let Some(&last) = self.open.last() {
            match known.leaves.get(last) {
                Some((range, place)) if range.end > at => return place.clone(),
                // Ranges that do not nest may hide one that still contains the position; then the
                // name is that of a wider one.
                _ => self.open.pop(),
            };
        }
        otherwise.clone()
    }
}
