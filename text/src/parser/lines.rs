//! Converts offsets in the text to lines and columns.

/// The number of bytes that are scanned at once.
const AHEAD: usize = 16 * 1024;

/// Eight newlines, and the highest bit of eight bytes.
const NEWLINES: u64 = u64::from_ne_bytes([b'\n'; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
/// The lowest bit of each of eight bytes.
const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// The offsets at which lines start, computed lazily.
#[derive(Default)]
pub(super) struct Lines {
    /// The number of lines that precede the known ones.
    before: usize,
    /// The offsets after the newlines before `scanned`. Texts are below 4 GiB, so they fit 32
    /// bits.
    starts: Vec<u32>,
    scanned: usize,
    /// The number of line starts at or before the most recently requested offset, and the last of
    /// them.
    passed: usize,
    start: usize,
}

impl Lines {
    /// Returns the lines from the one on that `offset` is in.
    pub(super) fn from(source: &[u8], offset: usize) -> Self {
        let passed = source.get(..offset).unwrap_or_default();
        let start = memchr::memrchr(b'\n', passed).map_or(0, |at| at.saturating_add(1));
        Lines {
            before: memchr::memchr_iter(b'\n', passed).count(),
            starts: Vec::new(),
            scanned: offset,
            passed: 0,
            start,
        }
    }

    /// Adds the line starts that another thread found from `start` on, so that they need not be
    /// found again.
    pub(super) fn go_on_with(&mut self, source: &[u8], start: usize, further: Lines) {
        if self.scanned < start {
            self.scan(source, start);
        }
        let known = further.before.saturating_sub(self.before);
        // Some of these lines may have been found on the way.
        self.starts.truncate(known);
        self.starts.extend(further.starts);
        self.scanned = further.scanned.max(self.scanned);
        self.passed = self.starts.len().min(known.saturating_add(further.passed));
        self.start = further.start;
    }

    /// Returns line and column of `offset`, counted from 1.
    ///
    /// The text is scanned once. An offset after the previously requested one takes O(1) for each
    /// line between them, any other O(log n).
    #[inline]
    pub(super) fn place(&mut self, source: &[u8], offset: usize) -> (u32, u32) {
        if offset < self.start {
            return self.place_before(offset);
        }
        if offset >= self.scanned {
            self.scan(source, offset);
        }
        while let Some(&next) = self.starts.get(self.passed)
            && next as usize <= offset
        {
            self.passed = self.passed.wrapping_add(1);
            self.start = next as usize;
        }
        numbered(
            self.before.wrapping_add(self.passed),
            offset.wrapping_sub(self.start),
        )
    }

    /// Returns line and column of an offset before the most recently requested line.
    #[cold]
    fn place_before(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&s| s as usize <= offset);
        let start = line.checked_sub(1).and_then(|at| self.starts.get(at));
        let start = start.map_or(0, |&start| start as usize);
        numbered(
            self.before.saturating_add(line),
            offset.saturating_sub(start),
        )
    }

    /// Finds the lines up to `offset` and some beyond.
    fn scan(&mut self, source: &[u8], offset: usize) {
        let end = offset.saturating_add(AHEAD).min(source.len());
        let passed = source.get(self.scanned..end).unwrap_or_default();
        // The line start that the next byte yields if it is a newline.
        let mut at = self.scanned.wrapping_add(1);
        let (words, rest) = passed.as_chunks::<8>();
        for &word in words {
            // Eight bytes at once. Newlines are the zero bytes of `other`. The first test is
            // nonzero exactly if there is one, but borrows can set wrong bits above it; the second
            // formula costs more and sets exactly the high bit of each zero byte.
            let other = u64::from_le_bytes(word) ^ NEWLINES;
            if other.wrapping_sub(ONES) & !other & HIGH == 0 {
                at = at.wrapping_add(8);
                continue;
            }
            let mut found = !((other & !HIGH).wrapping_add(!HIGH) | other) & HIGH;
            while found != 0 {
                let byte = found.trailing_zeros() / 8;
                self.starts.push(at.wrapping_add(byte as usize) as u32);
                found &= found.wrapping_sub(1);
            }
            at = at.wrapping_add(8);
        }
        for &byte in rest {
            if byte == b'\n' {
                self.starts.push(at as u32);
            }
            at = at.wrapping_add(1);
        }
        self.scanned = end;
    }
}

/// Line and column, counted from 1.
#[inline]
fn numbered(line: usize, column: usize) -> (u32, u32) {
    let from_one = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).saturating_add(1);
    (from_one(line), from_one(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        // Long enough for several steps.
        let text: String = (0..4000)
            .map(|n| format!("{}\n", "x".repeat(n % 17)))
            .collect();
        let source = text.as_bytes();
        let expected = |offset: usize| {
            let before = &text[..offset];
            let line = before.matches('\n').count();
            let column = offset - before.rfind('\n').map_or(0, |at| at + 1);
            (line as u32 + 1, column as u32 + 1)
        };
        let mut lines = Lines::default();
        for step in [1usize, 5, 977] {
            for offset in (0..=source.len()).step_by(step * 13) {
                assert_eq!(lines.place(source, offset), expected(offset));
                let back = offset / 2;
                assert_eq!(lines.place(source, back), expected(back));
            }
        }
    }
}
