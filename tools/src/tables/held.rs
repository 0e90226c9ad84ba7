//! How much a context holds, and when another one takes its place.

use rmlir::ir::{AttributeKind, Context};

/// A context that holds more than this is released.
const MOST: u64 = 8 << 20;
/// Of a large file, one that holds more than this share of its bytes: another context has to read
/// the index of the tables again.
const SHARE: u64 = 32;
/// The memory that an entry of a context takes, besides its data.
const ENTRY: u64 = 64;
/// The memory that a survey takes for a note, or for a value that is used before it is defined.
const FOUND: u64 = 128;
/// The work that it takes to decode an entry, as a number of bytes that are copied.
const WORK: u64 = 8;
/// What is used again after a release is decoded again: together at most this many times the bytes
/// of the file.
const REPEATS: u64 = 16;

/// What the contexts hold that are used for a file one after the other.
pub(super) struct Held {
    /// A context that holds more is released.
    most: u64,
    /// The work that may still be done again.
    credit: u64,
    /// The attributes of the current context that are counted.
    counted: usize,
    /// The bytes of data in them.
    data: u64,
    /// What the context held when it was shown first, which is not counted: it has entries of
    /// every file, and those that were taken over. `None` if it was not shown yet.
    start: Option<u64>,
}

impl Held {
    /// Begins a file with this number of bytes.
    pub(super) fn new(bytes: u64) -> Self {
        Held {
            most: MOST.max(bytes / SHARE),
            credit: bytes.saturating_mul(REPEATS),
            counted: 0,
            data: 0,
            start: None,
        }
    }

    /// Returns how much a survey may find: as much as takes the memory that a context may hold.
    pub(super) fn most_found(&self) -> u64 {
        self.most / FOUND
    }

    /// Releases contexts that hold more than `most` bytes.
    #[cfg(test)]
    pub(super) fn with_most(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// Returns whether the context should be released. Then another one is counted from now on. If
    /// it holds enough, `can_release` is asked, and if it cannot be released, not again before it
    /// holds as much again.
    pub(super) fn is_enough(
        &mut self,
        context: &Context,
        can_release: impl FnOnce() -> bool,
    ) -> bool {
        for attribute in context.attributes_after(self.counted) {
            let bytes = match context.attribute_kind(attribute) {
                AttributeKind::DenseElements { data, .. } => data.len(),
                &AttributeKind::String { value, .. } => context.bytes(value).len(),
                _ => 0,
            };
            self.data = self.data.saturating_add(bytes as u64);
        }
        self.counted = context.attribute_count();
        let types = context.type_count() as u64;
        let entries = (self.counted as u64)
            .saturating_add(types)
            .saturating_add(context.location_count() as u64);
        let bytes = entries.saturating_mul(ENTRY).saturating_add(self.data);
        let work = entries.saturating_mul(WORK).saturating_add(self.data);
        let Some(start) = self.start else {
            self.start = Some(bytes);
            return false;
        };
        if bytes.saturating_sub(start) < self.most {
            return false;
        }
        if self.credit < work || !can_release() {
            self.start = Some(bytes);
            return false;
        }
        self.credit -= work;
        (self.counted, self.data, self.start) = (0, 0, None);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_linear() {
        let mut context = Context::new();
        context.string_attribute("x".repeat(1000));
        // As often as 16 files of 100 bytes take 1,000 bytes and some entries.
        let mut held = Held::new(100).with_most(900);
        assert!(!held.is_enough(&Context::new(), || true));
        assert!(held.is_enough(&context, || true));
        assert!(!held.is_enough(&Context::new(), || true));
        assert!(!held.is_enough(&context, || true));
    }

    #[test]
    fn what_cannot_be_released_is_held() {
        let mut context = Context::new();
        let mut held = Held::new(1 << 20).with_most(900);
        assert!(!held.is_enough(&context, || true));
        context.string_attribute("x".repeat(1000));
        assert!(!held.is_enough(&context, || false));
        assert!(!held.is_enough(&context, || true));
        context.string_attribute("y".repeat(1000));
        assert!(held.is_enough(&context, || true));
    }

    #[test]
    fn what_is_there_at_the_start_is_not_counted() {
        let mut context = Context::new();
        context.string_attribute("x".repeat(1000));
        let mut held = Held::new(1000).with_most(900);
        let mut is_enough = |context: &Context| held.is_enough(context, || true);
        assert!(!is_enough(&context));
        assert!(!is_enough(&context));
        context.string_attribute("y".repeat(1000));
        assert!(is_enough(&context));
        // The next context has as much at its start.
        assert!(!is_enough(&context));
        assert!(!is_enough(&context));
    }
}
