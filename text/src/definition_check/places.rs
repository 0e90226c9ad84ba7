//! Where in the text of a definition something is said.

use std::collections::BTreeMap;
use std::ops::Range;

/// The text by its lines.
pub(super) struct Places<'t> {
    text: &'t str,
    /// Of each line: where it starts, its keyword.
    lines: Vec<(usize, &'t str)>,
    /// Blocks by the keyword and the name that they begin with.
    heads: BTreeMap<(&'t str, &'t str), Vec<Range<usize>>>,
}

/// Statements that begin something that others belong to.
const HEADS: [&str; 4] = ["op", "attribute", "type", "enum"];

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut heads: BTreeMap<_, Vec<Range<usize>>> = BTreeMap::new();
        let mut open: Option<(&str, &str)> = None;
        let mut start = 0usize;
        for line in text.split_inclusive('\n') {
            let mut words = line.split([' ', '\t', '\r', '\n', ',', ':', '(', ')', '=', '"']);
            let mut words = words.by_ref().filter(|word| !word.is_empty());
            let keyword = words.next().unwrap_or_default();
            let indent = line.find(keyword).unwrap_or_default();
            let first = words.next().unwrap_or_default();
            let place = start.saturating_add(indent);
            lines.push((place, keyword));
            if HEADS.contains(&keyword) {
                if let Some(last) = open.and_then(|open| heads.get_mut(&open)?.last_mut()) {
                    last.end = place;
                }
                open = Some((keyword, first));
                heads
                    .entry((keyword, first))
                    .or_default()
                    .push(place..text.len());
            }
            start = start.saturating_add(line.len());
        }
        Places { text, lines, heads }
    }

    /// The text of what a statement begins: of several of that name the one with that number, from 0. The whole text
    /// if there is none. Takes O(log n).
    pub(super) fn block(&self, keyword: &str, name: &str, number: usize) -> Range<usize> {
        let head = self
            .heads
            .get(&(keyword, name))
            .and_then(|all| all.get(number));
        head.cloned().unwrap_or(0..self.text.len())
    }

    /// Where a block has the statement of that number, from 0, of those with a keyword; else where it begins.
    pub(super) fn numbered(&self, block: Range<usize>, keyword: &str, number: usize) -> usize {
        let mut found = self.lines_of(&block).filter(|line| line.1 == keyword);
        found.nth(number).map_or(block.start, |line| line.0)
    }

    fn lines_of(&self, block: &Range<usize>) -> impl Iterator<Item = &(usize, &'t str)> {
        let begin = self.lines.partition_point(|line| line.0 < block.start);
        let end = self.lines.partition_point(|line| line.0 < block.end);
        self.lines.get(begin..end).unwrap_or_default().iter()
    }

    /// Where a statement of a block that has a word begins to say it; else where the statement, else the block begins.
    pub(super) fn statement(&self, block: Range<usize>, keyword: &str, word: &str) -> usize {
        let mut first = None;
        for &(start, _) in self.lines_of(&block).filter(|line| line.1 == keyword) {
            let line = self.text.get(start..).unwrap_or_default();
            let line = line.lines().next().unwrap_or_default();
            if word.is_empty() {
                return start;
            }
            if let Some(at) = find_word(line, word) {
                return start.saturating_add(at);
            }
            first.get_or_insert(start);
        }
        if let Some(start) = first {
            return start;
        }
        // Operands and results are in the head.
        let line = self.text.get(block.start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let at = if word.is_empty() {
            None
        } else {
            find_word(line, word)
        };
        block.start.saturating_add(at.unwrap_or_default())
    }
}

/// Where a word stands by itself.
fn find_word(line: &str, word: &str) -> Option<usize> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = line.get(..at).unwrap_or_default().chars().next_back();
        let after = line.get(at.saturating_add(word.len())..);
        let after = after.unwrap_or_default().chars().next();
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

/// The offset of a line and column, both from 1.
pub(super) fn offset(text: &str, line: u32, column: u32) -> usize {
    let lines = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1) as usize);
    let start: usize = lines.map(str::len).sum();
    let offset = start.saturating_add(column.saturating_sub(1) as usize);
    offset.min(text.len())
}
