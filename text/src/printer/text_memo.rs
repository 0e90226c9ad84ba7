//! Memoizes printed texts, to be copied instead of printed again: within one printer, whose aliases
//! and numbers do not change, an entry always has the same text.

use rmlir_ir::IndexedMap;

/// The longest text that is kept: longer ones are rarely printed twice.
const LONGEST: usize = 512;
/// How much text is kept at most, in bytes.
const MOST: usize = 4 << 20;

/// The texts of entries, by their indices.
pub(super) struct TextMemo {
    bytes: Vec<u8>,
    /// `None` if texts are not memoized.
    slots: Option<IndexedMap<Slot>>,
}

/// The default denotes an entry without a text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Slot {
    start: u32,
    len: u32,
}

/// An entry that was printed once. Its text is kept from the second time on: most entries are
/// printed only once.
const ONCE: Slot = Slot { start: 1, len: 0 };

impl TextMemo {
    /// Returns a table that does not memoize texts.
    pub(super) fn none() -> Self {
        TextMemo {
            bytes: Vec::new(),
            slots: None,
        }
    }

    /// Creates an empty table for `count` entries, about `expected` of which will be printed.
    pub(super) fn new(count: usize, expected: usize) -> Self {
        TextMemo {
            bytes: Vec::new(),
            slots: Some(IndexedMap::new(count, expected)),
        }
    }

    /// Returns the text of an entry, if it is kept.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        let slot = self.slots.as_ref()?.get(index);
        if slot.len == 0 {
            return None;
        }
        let start = slot.start as usize;
        self.bytes.get(start..start.checked_add(slot.len as usize)?)
    }

    /// Records that an entry is about to be printed. Returns whether to keep its text.
    #[inline]
    pub(super) fn note(&mut self, index: usize) -> bool {
        match self.slots.as_mut().map(|slots| slots.get_mut(index)) {
            Some(slot) if *slot == Slot::default() => {
                *slot = ONCE;
                false
            }
            Some(slot) => slot.len == 0,
            None => false,
        }
    }

    /// Keeps a text.
    pub(super) fn keep(&mut self, index: usize, text: &[u8]) {
        if text.len() > LONGEST || self.bytes.len() > MOST {
            return;
        }
        let slot = Slot {
            start: self.bytes.len() as u32,
            len: text.len() as u32,
        };
        if let Some(slots) = &mut self.slots {
            *slots.get_mut(index) = slot;
            self.bytes.extend_from_slice(text);
        }
    }
}
