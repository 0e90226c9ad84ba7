//! Finds the words in which two lines differ, and shortens long lines around them.

use super::operations::{Pair, align};
use std::ops::Range;

/// Lines longer than this are shortened, in bytes.
const WIDE: usize = 140;
/// The number of bytes from which a shortened line ends, if many words differ.
const MOST: usize = 2 * WIDE;
/// The number of words around a difference that a shortened line keeps.
const AROUND: usize = 8;
/// The number of words at the start of a shortened line.
const START: usize = 16;
/// The number of words that a shortened line keeps at each end of a difference.
const ENDS: usize = 12;

/// A line, and the ranges of bytes in which it differs from another one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Marked {
    pub(super) text: String,
    pub(super) marks: Vec<Range<usize>>,
}

impl Marked {
    /// A line that is not compared with another one, shortened if it is long.
    pub(super) fn plain(line: &str, full: bool) -> Self {
        let text = match line.char_indices().nth(WIDE) {
            Some((end, _)) if !full => format!("{}...", line.get(..end).unwrap_or(line)),
            _ => line.to_owned(),
        };
        Marked {
            text,
            marks: Vec::new(),
        }
    }
}

/// Returns two lines with the words in which they differ. Long lines are shortened unless `full`.
pub(super) fn compare(left: &str, right: &str, full: bool) -> [Marked; 2] {
    let words = (words(left), words(right));
    let mut changed = (vec![false; words.0.len()], vec![false; words.1.len()]);
    let mark = |flags: &mut Vec<bool>, at: usize| {
        if let Some(flag) = flags.get_mut(at) {
            *flag = true;
        }
    };
    for pair in align(&words.0, &words.1) {
        match pair {
            Pair::Removed(at) => mark(&mut changed.0, at),
            Pair::Added(at) => mark(&mut changed.1, at),
            Pair::Same(..) | Pair::Modified(..) => {}
        }
    }
    [
        shortened(
            &words.0,
            &changed.0,
            left.len().max(right.len()) > WIDE && !full,
        ),
        shortened(
            &words.1,
            &changed.1,
            left.len().max(right.len()) > WIDE && !full,
        ),
    ]
}

fn shortened(words: &[&str], changed: &[bool], shorten: bool) -> Marked {
    // The distances to the nearest word that differs, and to the nearest one that does not.
    let [near, inner] = [true, false].map(|kind| {
        let mut near = vec![usize::MAX; words.len()];
        let mut sweep = |order: &mut dyn Iterator<Item = usize>| {
            let mut distance = usize::MAX;
            for at in order {
                distance = match changed.get(at) {
                    Some(&changed) if changed == kind => 0,
                    _ => distance.saturating_add(1),
                };
                if let Some(near) = near.get_mut(at) {
                    *near = distance.min(*near);
                }
            }
        };
        sweep(&mut (0..words.len()));
        sweep(&mut (0..words.len()).rev());
        near
    });
    let mut line = Marked::default();
    let mut gap = false;
    let distances = near.iter().zip(&inner);
    for (number, ((word, &changed), (&near, &inner))) in
        words.iter().zip(changed).zip(distances).enumerate()
    {
        if shorten && number >= START && (near > AROUND || inner > ENDS) {
            gap = true;
            continue;
        }
        if shorten && line.text.len() > MOST {
            gap = true;
            break;
        }
        if std::mem::take(&mut gap) {
            line.text.push_str(" ... ");
        }
        let start = line.text.len();
        // A changed word, such as a string, can be long itself.
        match word.char_indices().nth(WIDE) {
            Some((end, _)) if shorten => {
                line.text.push_str(word.get(..end).unwrap_or(word));
                line.text.push_str("...");
            }
            _ => line.text.push_str(word),
        }
        if changed {
            match line.marks.last_mut() {
                Some(last) if last.end == start => last.end = line.text.len(),
                _ => line.marks.push(start..line.text.len()),
            }
        }
    }
    if gap {
        line.text.push_str(" ...");
    }
    line
}

/// Splits a line into words: names, numbers and strings are one word each, any other character is a
/// word.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || "_.$%@#!^".contains(c);
        let len = match first {
            '"' => string_end(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ' ' => rest.find(|c| c != ' ').unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
        words.push(word);
        rest = after;
    }
    words
}

fn string_end(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Marked, compare, words};

    fn marked(line: &Marked) -> Vec<&str> {
        line.marks
            .iter()
            .map(|mark| &line.text[mark.clone()])
            .collect()
    }

    #[test]
    fn words_differ() {
        let line = "%0 = t.a %x {n = \"a b\"} : tensor<4xf32>";
        assert_eq!(words(line).concat(), line);
        let [left, right] = compare(line, "%0 = t.a %y {n = \"a c\"} : tensor<4xf32>", false);
        assert_eq!(marked(&left), ["%x", "\"a b\""]);
        assert_eq!(marked(&right), ["%y", "\"a c\""]);
    }

    #[test]
    fn long_lines_keep_what_differs() {
        let arguments = |at: usize| {
            let argument = |n: usize| match n == at {
                true => format!("%a{n}: f32 {{t.alias = 0}}, "),
                false => format!("%a{n}: f32, "),
            };
            let arguments: String = (0..100).map(argument).collect();
            format!("func.func @main({arguments})")
        };
        let [left, right] = compare(&arguments(1000), &arguments(70), false);
        assert!(left.text.len() < 250 && right.text.len() < 250, "{right:?}");
        assert!(right.text.starts_with("func.func @main("));
        assert!(right.text.contains(" ... ") && right.text.contains("t.alias"));
        assert!(left.marks.is_empty());
        let [_, whole] = compare(&arguments(1000), &arguments(70), true);
        assert_eq!(whole.text, arguments(70));
    }

    /// Of many added words, the first and last ones are kept.
    #[test]
    fn long_differences_are_shortened() {
        let arguments = |count: usize| {
            let arguments: Vec<String> = (0..count).map(|n| format!("%a{n}: f32")).collect();
            format!("func.func @main({})", arguments.join(", "))
        };
        let [_, right] = compare(&arguments(41), &arguments(90), false);
        assert!(right.text.len() < 200, "{}", right.text);
        assert!(right.text.contains("%a41: f32") && right.text.contains("%a89: f32)"));
        let scattered = |word: &str| {
            (0..200)
                .map(|n| format!("{word}{n} = 1, "))
                .collect::<String>()
        };
        let [left, _] = compare(&scattered("a"), &scattered("b"), false);
        assert!(
            left.text.len() < 400 && left.text.ends_with(" ..."),
            "{}",
            left.text
        );
    }
}
