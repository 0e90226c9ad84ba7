//! Finds the offsets of declarations in the text of a definition.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The text with an index of its words.
pub(super) struct DeclarationOffsets<'t> {
    text: &'t str,
    /// Where lines start that have a keyword.
    lines: HashMap<&'t str, Vec<usize>>,
    /// The offsets of the words in lines that start with a keyword, by keyword and word.
    words: HashMap<(&'t str, &'t str), Vec<usize>>,
    /// Blocks by the keyword and the name that they begin with.
    heads: BTreeMap<(&'t str, &'t str), Vec<Range<usize>>>,
}

/// Statements that begin something that others belong to.
const HEADS: [&str; 4] = ["op", "attribute", "type", "enum"];

impl<'t> DeclarationOffsets<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut lines: HashMap<_, Vec<usize>> = HashMap::new();
        let mut all: HashMap<_, Vec<usize>> = HashMap::new();
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
            lines.entry(keyword).or_default().push(place);
            for (at, word) in words_of(text.get(place..).unwrap_or_default()) {
                let places = all.entry((keyword, word)).or_default();
                places.push(place.saturating_add(at));
            }
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
        DeclarationOffsets {
            text,
            lines,
            words: all,
            heads,
        }
    }

    /// Returns the text of the block that a statement begins.
    ///
    /// Of several with that name, it is the one with the given number, from 0. The whole text if
    /// there is none. O(log n).
    pub(super) fn block(&self, keyword: &str, name: &str, number: usize) -> Range<usize> {
        let head = self
            .heads
            .get(&(keyword, name))
            .and_then(|all| all.get(number));
        head.cloned().unwrap_or(0..self.text.len())
    }

    /// Returns the offset of the statement with the given number, from 0, of those with a keyword
    /// in a block; otherwise of the block's start. O(log n).
    pub(super) fn numbered(&self, block: Range<usize>, keyword: &str, number: usize) -> usize {
        let places = self.lines.get(keyword).map(Vec::as_slice);
        let found = within(places.unwrap_or_default(), &block).get(number);
        found.copied().unwrap_or(block.start)
    }

    /// Returns the offset of a word in a statement of a block; otherwise of the statement, or of
    /// the block's start.
    ///
    /// O(log n), or time in the length of the block if `word` is not a word.
    pub(super) fn statement(&self, block: Range<usize>, keyword: &str, word: &str) -> usize {
        let starts = self.lines.get(keyword).map(Vec::as_slice);
        let starts = within(starts.unwrap_or_default(), &block);
        let said = if word.is_empty() {
            starts.first().copied()
        } else if word.bytes().all(is_in_word) {
            let places = self.words.get(&(keyword, word)).map(Vec::as_slice);
            within(places.unwrap_or_default(), &block).first().copied()
        } else {
            let mut starts = starts.iter();
            starts.find_map(|&start| self.find(start, word))
        };
        // Operands and results are in the head.
        said.or_else(|| starts.first().copied())
            .or_else(|| self.in_head(&block, word))
            .unwrap_or(block.start)
    }

    /// Where the line that begins a block has a word.
    fn in_head(&self, block: &Range<usize>, word: &str) -> Option<usize> {
        if !word.bytes().all(is_in_word) {
            return self.find(block.start, word);
        }
        HEADS.iter().find_map(|head| {
            let places = self.words.get(&(*head, word))?;
            within(places, block).first().copied()
        })
    }

    /// Returns the offset of a name in a statement: where it directly follows the keyword;
    /// otherwise anywhere; otherwise the start of the text.
    pub(super) fn named(&self, keyword: &str, name: &str) -> usize {
        let mut places = self.words.get(&(keyword, name)).into_iter().flatten();
        let found = places.find(|&&place| {
            let before = self.text.get(..place).unwrap_or_default();
            before.trim_end_matches([' ', '\t']).ends_with(keyword)
        });
        let everywhere = 0..self.text.len();
        found.map_or_else(|| self.statement(everywhere, keyword, name), |place| *place)
    }

    /// Where the line that starts there has a word.
    fn find(&self, start: usize, word: &str) -> Option<usize> {
        let line = self.text.get(start..)?.lines().next()?;
        let found = find_word(line, word).filter(|_| !word.is_empty());
        found.map(|at| start.saturating_add(at))
    }
}

/// Those of places in order that are in a block.
fn within<'p>(places: &'p [usize], block: &Range<usize>) -> &'p [usize] {
    let begin = places.partition_point(|&place| place < block.start);
    let end = places.partition_point(|&place| place < block.end);
    places.get(begin..end).unwrap_or_default()
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the words of a text's first line.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let line = text.lines().next().unwrap_or_default();
    let mut at = 0usize;
    std::iter::from_fn(move || {
        let rest = line.as_bytes().get(at..)?;
        let start = at.saturating_add(rest.iter().position(|&b| is_in_word(b))?);
        let behind = line.as_bytes().get(start..)?;
        let len = behind.iter().position(|&b| !is_in_word(b));
        at = start.saturating_add(len.unwrap_or(behind.len()));
        Some((start, line.get(start..at)?))
    })
}

/// Returns the offset of the first occurrence of a word that is not part of a longer one.
fn find_word(line: &str, word: &str) -> Option<usize> {
    line.match_indices(word).map(|(at, _)| at).find(|&at| {
        let (before, rest) = line.as_bytes().split_at_checked(at).unwrap_or_default();
        let behind = rest.get(word.len());
        let is_in = |byte: Option<&u8>| byte.is_some_and(|&byte| is_in_word(byte));
        !is_in(before.last()) && !is_in(behind)
    })
}

/// Returns the offset of a line and column, both from 1.
pub(super) fn offset(text: &str, line: u32, column: u32) -> usize {
    let lines = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1) as usize);
    let start: usize = lines.map(str::len).sum();
    let offset = start.saturating_add(column.saturating_sub(1) as usize);
    offset.min(text.len())
}
