//! Globs.

use std::convert::Infallible;
use std::str::FromStr;

/// A glob: `*` matches any bytes, `?` one character. Predicates compare texts with globs.
///
/// ```
/// let glob = rmlir::query::Glob::new("layer?_*");
/// assert!(glob.matches("layer1_bias"));
/// assert!(!glob.matches("my_layer1_bias"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glob {
    text: String,
    pattern: Pattern,
}

impl Glob {
    /// Of a text. Every text is a glob.
    ///
    /// ```
    /// assert!(rmlir::query::Glob::new("*").matches(""));
    /// ```
    pub fn new(text: &str) -> Self {
        let bytes: Vec<(u8, bool)> = text.bytes().map(|byte| (byte, false)).collect();
        Glob {
            text: text.to_owned(),
            pattern: Pattern::new(&bytes, false),
        }
    }

    /// Returns the text of the glob.
    ///
    /// ```
    /// assert_eq!(rmlir::query::Glob::new("a*").as_str(), "a*");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether it matches the whole text.
    ///
    /// ```
    /// assert!(rmlir::query::Glob::new("a?").matches("ab"));
    /// ```
    pub fn matches(&self, text: impl AsRef<[u8]>) -> bool {
        self.pattern.matches(text.as_ref())
    }

    /// Returns whether it matches the name of a symbol, which it may begin with `@`.
    ///
    /// ```
    /// assert!(rmlir::query::Glob::new("@ma*").matches_name("main"));
    /// ```
    pub fn matches_name(&self, name: impl AsRef<[u8]>) -> bool {
        let last = self.pattern.split_path().pop();
        last.is_some_and(|pattern| pattern.matches(name.as_ref()))
    }
}

impl FromStr for Glob {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Glob::new(text))
    }
}

/// A glob over bytes: `*` matches any bytes, `?` one character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    Byte(u8),
    /// One character, in UTF-8.
    One,
    Any,
}

impl Pattern {
    /// Of a glob in which the bytes of `literal` positions denote themselves.
    pub(super) fn new(glob: &[(u8, bool)], anywhere: bool) -> Self {
        let pieces = glob.iter().map(|&(byte, escaped)| match byte {
            b'*' if !escaped => Piece::Any,
            b'?' if !escaped => Piece::One,
            byte => Piece::Byte(byte),
        });
        let ends = anywhere.then_some(Piece::Any);
        let mut pieces: Vec<Piece> = ends.into_iter().chain(pieces).chain(ends).collect();
        pieces.dedup_by(|b, a| *a == Piece::Any && *b == Piece::Any);
        Pattern { pieces }
    }

    /// Splits at each `::`, which separates the names of a path. A leading `@` of a name is
    /// removed.
    pub(super) fn split_path(&self) -> Vec<Pattern> {
        const COLON: Piece = Piece::Byte(b':');
        let mut names = vec![Vec::new()];
        let mut rest = self.pieces.as_slice();
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            match (first, after.first()) {
                (COLON, Some(&COLON)) => {
                    rest = after.get(1..).unwrap_or_default();
                    names.push(Vec::new());
                }
                (Piece::Byte(b'@'), _) if names.last().is_some_and(Vec::is_empty) => {}
                _ => names.extend_last(first),
            }
        }
        let of = |pieces| Pattern { pieces };
        names.into_iter().map(of).collect()
    }

    /// Returns whether the whole text matches. O(text × pattern) at most, linear as a rule.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let (mut at, mut piece) = (0, 0);
        // After the last `*` that was met: its piece, and the position in the text that is tried.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let matched = match self.pieces.get(piece) {
                None => at == text.len(),
                Some(Piece::Any) => {
                    piece += 1;
                    if piece == self.pieces.len() {
                        return true;
                    }
                    retry = Some((piece, at));
                    continue;
                }
                Some(&Piece::Byte(byte)) if text.get(at) == Some(&byte) => {
                    (at, piece) = (at + 1, piece + 1);
                    continue;
                }
                Some(Piece::One) if at < text.len() => {
                    at = after_character(text, at);
                    piece += 1;
                    continue;
                }
                Some(_) => false,
            };
            if matched {
                return true;
            }
            let Some((after_star, from)) = retry else {
                return false;
            };
            // The next position at which the piece after the star can begin.
            let next = from + 1;
            let next = match self.pieces.get(after_star) {
                Some(&Piece::Byte(byte)) => {
                    let rest = text.get(next..).unwrap_or_default();
                    rest.iter().position(|&b| b == byte).map(|n| next + n)
                }
                _ => (next <= text.len()).then_some(next),
            };
            let Some(next) = next else { return false };
            retry = Some((after_star, next));
            (at, piece) = (next, after_star);
        }
    }
}

/// Returns the position after the character at `at`; a byte that is not UTF-8 is a character.
fn after_character(text: &[u8], at: usize) -> usize {
    let continues = |b: &u8| b & 0xc0 == 0x80;
    let rest = text.get(at + 1..).unwrap_or_default();
    at + 1 + rest.iter().take(3).take_while(|b| continues(b)).count()
}

trait ExtendLast {
    fn extend_last(&mut self, piece: Piece);
}

impl ExtendLast for Vec<Vec<Piece>> {
    fn extend_last(&mut self, piece: Piece) {
        if let Some(last) = self.last_mut() {
            last.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn pattern(glob: &str, anywhere: bool) -> Pattern {
        let bytes: Vec<(u8, bool)> = glob.bytes().map(|byte| (byte, false)).collect();
        Pattern::new(&bytes, anywhere)
    }

    #[test]
    fn globs() {
        for (glob, text, whole, part) in [
            ("", "", true, true),
            ("", "a", false, true),
            ("*", "", true, true),
            ("a*", "abc", true, true),
            ("*c", "abc", true, true),
            ("a*c", "abcd", false, true),
            ("a?c", "abc", true, true),
            ("a?c", "a\u{e4}c", true, true),
            ("a?c", "ac", false, false),
            ("a**c", "ac", true, true),
            ("*ab*ab", "abab", true, true),
            ("*ab*ab", "abaab", true, true),
            ("*aab", "aaab", true, true),
            ("b", "abc", false, true),
            ("tensor<?x4xf32>", "tensor<?x4xf32>", true, true),
            ("f32", "tensor<4xf32>", false, true),
            ("*a*b*c", "xaxbx", false, false),
        ] {
            let (all, any) = (pattern(glob, false), pattern(glob, true));
            assert_eq!(all.matches(text.as_bytes()), whole, "{glob} {text}");
            assert_eq!(any.matches(text.as_bytes()), part, "~ {glob} {text}");
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let glob = "*a".repeat(200) + "b";
        assert!(!pattern(&glob, false).matches("a".repeat(20_000).as_bytes()));
    }
}
