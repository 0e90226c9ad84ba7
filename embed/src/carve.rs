//! The search of all bytes for magic numbers, raw and encoded.

use crate::decode::{ENCODINGS, Encoding};
use crate::module::bytecode_len;
use crate::record::{self, Record};
use crate::unwrap::{Buffer, Known, LEAST_STRING, Place, Search};
use aho_corasick::{AhoCorasick, Input, MatchKind};
use rmlir_format::{mlirbc, section};
use std::sync::LazyLock;

/// The kind of content that begins with a magic number.
#[derive(Clone, Copy)]
enum Magic {
    /// A module, or a record with one.
    Module,
    /// An encoded module.
    Encoded(&'static Encoding),
}

/// All magic numbers, for a search of them all in one pass.
struct Magics {
    /// `None` does not occur: the magic numbers are few and short.
    automaton: Option<AhoCorasick>,
    /// By the number of the pattern.
    kinds: Vec<Magic>,
}

static MAGICS: LazyLock<Magics> = LazyLock::new(Magics::new);

impl Magics {
    fn new() -> Self {
        let (patterns, kinds): (Vec<&[u8]>, Vec<Magic>) = all_magics().unzip();
        let automaton = AhoCorasick::builder()
            // The vectorized search requires it.
            .match_kind(MatchKind::LeftmostFirst)
            .build(patterns);
        debug_assert!(automaton.is_ok());
        Magics {
            automaton: automaton.ok(),
            kinds,
        }
    }

    /// Returns the first magic number that begins at or after a position.
    fn find(&self, bytes: &[u8], from: usize) -> Option<(usize, Magic)> {
        if from > bytes.len() {
            return None;
        }
        let found = self
            .automaton
            .as_ref()?
            .find(Input::new(bytes).range(from..))?;
        let kind = self.kinds.get(found.pattern().as_usize())?;
        Some((found.start(), *kind))
    }
}

/// Returns the magic numbers, none of which begins with another.
fn all_magics() -> impl Iterator<Item = (&'static [u8], Magic)> {
    let raw: [&[u8]; 3] = [&section::MAGIC, &mlirbc::MAGIC, &record::MAGIC];
    let raw = raw.into_iter().map(|magic| (magic, Magic::Module));
    let encoded = ENCODINGS.iter().flat_map(|encoding| {
        let magics = encoding.magics.iter();
        magics.map(move |&magic| (magic, Magic::Encoded(encoding)))
    });
    raw.chain(encoded)
}

impl Search<'_> {
    /// Finds modules anywhere in a buffer. O(bytes).
    pub(crate) fn carve(&mut self, buffer: &Buffer, known: &mut Known) {
        let bytes: &[u8] = &buffer.source;
        let magics = &*MAGICS;
        // The artifacts around the current position, the innermost last.
        let mut around: Vec<(usize, Place)> = Vec::new();
        let mut leaves = Leaves::default();
        // What precedes this position was decoded.
        let mut decoded = 0;
        // An encoded run is tried once.
        let mut tried = 0;
        let mut encoded = std::mem::take(&mut known.encoded).into_iter().peekable();
        let mut from = 0;
        while let Some((at, kind)) = magics.find(bytes, from) {
            // The end of a magic number may be the start of another one.
            from = at.saturating_add(1);
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

#[cfg(test)]
mod tests {
    use super::{MAGICS, all_magics};

    #[test]
    fn no_magic_number_begins_with_another() {
        let all: Vec<&[u8]> = all_magics().map(|(magic, _)| magic).collect();
        for (index, one) in all.iter().enumerate() {
            let others = all.iter().enumerate().filter(|(other, _)| *other != index);
            for (_, other) in others {
                assert!(!one.starts_with(other), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn magic_numbers_that_share_a_byte() {
        let text = b"..TUzvUEsDB";
        let mut found = Vec::new();
        let mut from = 0;
        while let Some((at, _)) = MAGICS.find(text, from) {
            found.push(at);
            from = at + 1;
        }
        assert_eq!(found, [2, 6]);
    }
}
