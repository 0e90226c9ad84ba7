//! Colors the text of MLIR.

use crate::style::Style;
use std::io::{self, Write};

/// A writer that colors text, line by line.
pub(super) struct Highlighter<'w> {
    out: &'w mut dyn Write,
    /// The start of a line that is not complete.
    line: Vec<u8>,
}

impl<'w> Highlighter<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Highlighter {
            out,
            line: Vec::new(),
        }
    }

    /// Writes the last line.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all(&colored(&line))?;
        self.out.flush()
    }
}

impl Write for Highlighter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(end) = memchr::memrchr(b'\n', bytes) else {
            self.line.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        let (complete, rest) = bytes.split_at(end + 1);
        self.line.extend_from_slice(complete);
        let lines = std::mem::take(&mut self.line);
        self.out.write_all(&colored(&lines))?;
        self.line.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns complete lines with colors.
pub(super) fn colored(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        color_line(line, &mut out);
    }
    out
}

fn color_line(line: &[u8], out: &mut Vec<u8>) {
    let mut rest = line;
    // The name of an operation begins a line, or follows `=` after its results.
    let mut expects_name = true;
    let mut has_results = false;
    while let Some(&first) = rest.first() {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"_.$-".contains(b);
        let word = |from: usize| {
            let tail = rest.get(from..).unwrap_or_default();
            from + tail.iter().position(|b| !is_word(b)).unwrap_or(tail.len())
        };
        let (len, style) = match first {
            b'"' => {
                let style = match expects_name {
                    true => Style::Operation,
                    false => Style::String,
                };
                (string_end(rest), Some(style))
            }
            b'/' if rest.starts_with(b"//") => (rest.len(), Some(Style::Comment)),
            b'%' | b'^' => (word(1), Some(Style::Value)),
            b'@' if rest.get(1) == Some(&b'"') => {
                let tail = rest.get(1..).unwrap_or_default();
                (1 + string_end(tail), Some(Style::Symbol))
            }
            b'@' => (word(1), Some(Style::Symbol)),
            b'!' | b'#' if word(1) > 1 => (word(1), Some(Style::Alias)),
            b'0'..=b'9' => (word(1), Some(Style::Number)),
            b if b.is_ascii_alphabetic() || b == b'_' => {
                (word(1), expects_name.then_some(Style::Operation))
            }
            _ => (1, None),
        };
        let (token, tail) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        match first {
            b' ' | b',' | b':' => {}
            b'%' if expects_name => has_results = true,
            // Numbers of results: `%0:2 = `.
            b'0'..=b'9' if expects_name && has_results => {}
            b'=' if has_results => {
                has_results = false;
                expects_name = true;
            }
            _ => expects_name = false,
        }
        match style {
            Some(style) => {
                let text = String::from_utf8_lossy(token);
                let newline = text.ends_with('\n');
                let text = text.trim_end_matches('\n');
                out.extend_from_slice(style.painted(true, text).as_bytes());
                if newline {
                    out.push(b'\n');
                }
            }
            None => out.extend_from_slice(token),
        }
        rest = tail;
    }
}

/// Returns the length of the string that a text begins with.
fn string_end(text: &[u8]) -> usize {
    let mut bytes = text.iter().enumerate().skip(1);
    while let Some((at, &byte)) = bytes.next() {
        match byte {
            b'"' => return at + 1,
            b'\\' => drop(bytes.next()),
            b'\n' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::colored;

    #[test]
    fn only_escape_sequences_are_added() {
        let text = b"#map = affine_map<(d0) -> (d0)>\n  %0:2 = \"t.a\\\"b\"(%x) {a = \"s\"} : (!t.t) -> i32 // c\n^bb0(%arg0: i32):\n  @\"q\" \xff\n";
        let colored = String::from_utf8_lossy(&colored(text)).into_owned();
        let mut plain = String::new();
        let mut rest = colored.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain.push_str(rest);
        assert_eq!(plain, String::from_utf8_lossy(text));
        assert!(colored.contains("\x1b[1;34m\"t.a\\\"b\"\x1b[0m"));
        assert!(colored.contains("\x1b[36m%0\x1b[0m"));
        assert!(colored.contains("\x1b[2m// c\x1b[0m\n"));
    }
}
