//! Lines and columns of places in the text.

/// How many bytes are looked through at once.
const AHEAD: usize = 16 * 1024;

/// Where the lines of the text start, found as far as was asked.
#[derive(Default)]
pub(super) struct Lines {
    /// The offsets behind the newlines before `scanned`.
    starts: Vec<u32>,
    scanned: usize,
    /// How many of the starts are at or before the place that was asked for last.
    passed: usize,
}

impl Lines {
    /// Line and column of `offset`, counted from 1. The text is looked through once; a place behind the one before
    /// takes O(1) for each line between them, another O(log n).
    pub(super) fn place(&mut self, source: &[u8], offset: usize) -> (u32, u32) {
        if offset >= self.scanned {
            self.scan(source, offset);
        }
        let start = |at: usize| self.starts.get(at).map(|&s| s as usize);
        let mut line = self.passed;
        let is_behind = line
            .checked_sub(1)
            .and_then(start)
            .is_none_or(|s| s <= offset);
        if is_behind {
            while start(line).is_some_and(|s| s <= offset) {
                line = line.wrapping_add(1);
            }
            self.passed = line;
        } else {
            line = self.starts.partition_point(|&s| s as usize <= offset);
        }
        let start = line.checked_sub(1).and_then(start).unwrap_or(0);
        let column = offset.saturating_sub(start).saturating_add(1);
        (
            u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1),
            u32::try_from(column).unwrap_or(u32::MAX),
        )
    }

    /// Finds the lines up to `offset` and some beyond.
    fn scan(&mut self, source: &[u8], offset: usize) {
        let end = offset.saturating_add(AHEAD).min(source.len());
        let passed = source.get(self.scanned..end).unwrap_or_default();
        let behind = self.scanned.saturating_add(1);
        let starts = memchr::memchr_iter(b'\n', passed).map(|at| at.saturating_add(behind) as u32);
        self.starts.extend(starts);
        self.scanned = end;
    }
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
