//! `--verify-diagnostics`: compares the errors in a text with those that it announces in comments.
//!
//! ```text
//! %0 = "a.b"(%1) : (i32) -> i32  // expected-error {{undeclared SSA value}}
//! // expected-error@+1 {{message}}       on the next line; also -1, above, below, unknown
//! // expected-note-re@below {{seen {{[0-9]+}} times}}   with regular expressions in the message
//! ```
//!
//! The rules are upstream's: a message must contain the announced text, each announced message must
//! occur, and each message that occurs must be announced. Two rules are looser: upstream's tools
//! mostly stop at the first error of a piece, so further errors and their notes need not be
//! announced; nor need notes at the location of the error, which are hints of this program, or
//! errors there about enclosing constructs.

use clap::ValueEnum;
use regex_lite::Regex;
use rmlir::text::{Diagnostic, Severity, SourceText};
use std::collections::HashMap;

/// The messages that are compared with the announced ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Checked {
    /// All messages: each must be announced
    #[value(alias = "")]
    All,
    /// Announced messages only: others are accepted
    OnlyExpected,
}

/// An announced message.
struct Expectation {
    severity: Severity,
    /// The line, counted from 1 in the piece; `None` for an unknown location.
    line: Option<usize>,
    message: Message,
    /// The announced message as written.
    written: String,
    /// The position of the announcement: the number of preceding lines and the offset of its line;
    /// and its own offset.
    announced_in: (usize, usize),
    offset: usize,
    found: bool,
}

enum Message {
    Text(String),
    Pattern(Regex),
}

impl Message {
    fn matches(&self, message: &str) -> bool {
        match self {
            Message::Text(text) => message.contains(text.as_str()),
            Message::Pattern(pattern) => pattern.is_match(message),
        }
    }
}

/// Compares the announced messages of a piece of text with those that occurred. Returns the
/// announced messages that did not occur and, unless announced ones alone are `checked`, those that
/// were not announced; empty if all match.
pub fn check(source: SourceText<'_>, found: &[Diagnostic], checked: Checked) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut expected = expectations(source, &mut wrong);
    // The announced messages of each line, in order.
    let mut by_line: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (number, expectation) in expected.iter().enumerate() {
        by_line.entry(expectation.line).or_default().push(number);
    }
    let lines_before = source.options.lines_before as usize;
    let mut meet = |diagnostic: &Diagnostic| {
        let line = match diagnostic.line {
            0 => None,
            line => Some(line.saturating_sub(lines_before)),
        };
        let elsewhere = diagnostic.line > 0 && diagnostic.file != source.options.file_name;
        if elsewhere {
            return false;
        }
        let waiting = by_line.get_mut(&line);
        let met = waiting.and_then(|waiting| {
            let is_it = |number: &usize| {
                expected.get(*number).is_some_and(|e| {
                    e.severity == diagnostic.severity && e.message.matches(&diagnostic.message)
                })
            };
            let at = waiting.iter().position(is_it)?;
            expected.get_mut(waiting.remove(at))
        });
        met.map(|expectation| expectation.found = true).is_some()
    };
    let mut errors = 0;
    for diagnostic in found {
        let first = errors == 0;
        errors += usize::from(diagnostic.severity == Severity::Error);
        for part in std::iter::once(diagnostic).chain(&diagnostic.notes) {
            // Errors about enclosing constructs are at the location of the error.
            let is_hint = !std::ptr::eq(part, diagnostic)
                && (part.line, part.column) == (diagnostic.line, diagnostic.column);
            if !meet(part) && first && !is_hint && checked == Checked::All {
                let mut unexpected = part.clone();
                unexpected.notes.clear();
                unexpected.message =
                    format!("unexpected {}: {}", part.severity.name(), part.message);
                unexpected.severity = Severity::Error;
                wrong.push(unexpected);
            }
        }
    }
    for missing in expected.iter().filter(|e| !e.found) {
        wrong.push(source.diagnostic_in_line(
            missing.announced_in,
            missing.offset,
            Severity::Error,
            &format!(
                "expected {} \"{}\" was not produced",
                missing.severity.name(),
                missing.written
            ),
        ));
    }
    wrong
}

/// Returns the messages that the piece announces. Malformed announcements are added to `wrong`.
fn expectations(source: SourceText<'_>, wrong: &mut Vec<Diagnostic>) -> Vec<Expectation> {
    let mut expectations: Vec<Expectation> = Vec::new();
    // Announcements for the next line without an announcement of its own.
    let mut below: Vec<usize> = Vec::new();
    let mut last_plain = 0usize;
    let mut offset = 0usize;
    for (lines, line) in source.bytes.split(|&b| b == b'\n').enumerate() {
        let number = lines + 1;
        let start = offset;
        offset += line.len() + 1;
        let line = String::from_utf8_lossy(line);
        let Some(announced) = Announcement::find(line.trim_end_matches('\r')) else {
            for waiting in below.drain(..) {
                if let Some(expectation) = expectations.get_mut(waiting) {
                    expectation.line = Some(number);
                }
            }
            last_plain = number;
            continue;
        };
        let message = match announced.is_pattern {
            false => Ok(Message::Text(announced.message.to_owned())),
            true => pattern(announced.message).map(Message::Pattern),
        };
        let message = match message {
            Ok(message) => message,
            Err(error) => {
                let message = error;
                let at = start + announced.at;
                let line = (lines, start);
                wrong.push(source.diagnostic_in_line(line, at, Severity::Error, &message));
                continue;
            }
        };
        let line = match announced.place {
            Place::Relative(by) => number.checked_add_signed(by),
            Place::Unknown => None,
            Place::Above => Some(last_plain),
            Place::Below => {
                below.push(expectations.len());
                Some(0)
            }
        };
        expectations.push(Expectation {
            severity: announced.severity,
            line,
            message,
            written: announced.message.to_owned(),
            announced_in: (lines, start),
            offset: start + announced.at,
            found: false,
        });
    }
    expectations
}

/// Compiles text with regular expressions in `{{` and `}}`. Errors are upstream's, where these say
/// what is wrong.
fn pattern(written: &str) -> Result<Regex, String> {
    let mut pattern = String::new();
    let mut rest = written;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((expression, behind)) = after.split_once("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        if let Err(error) = Regex::new(expression) {
            let count = |wanted| expression.bytes().filter(|&byte| byte == wanted).count();
            return Err(match count(b'(') == count(b')') {
                true => format!("invalid regex: {error}"),
                false => "invalid regex: parentheses not balanced".to_owned(),
            });
        }
        pattern.push_str(&regex_lite::escape(before));
        pattern.push_str(&format!("(?:{expression})"));
        rest = behind;
    }
    pattern.push_str(&regex_lite::escape(rest));
    Regex::new(&pattern).map_err(|error| format!("invalid regex: {error}"))
}

enum Place {
    Relative(isize),
    Above,
    Below,
    Unknown,
}

/// An announcement in a line.
struct Announcement<'a> {
    /// The offset in the line.
    at: usize,
    severity: Severity,
    is_pattern: bool,
    place: Place,
    message: &'a str,
}

impl<'a> Announcement<'a> {
    /// Finds `expected-error-re @+1 {{message}}` at the end of a line.
    fn find(line: &'a str) -> Option<Self> {
        let before = line.strip_suffix("}}")?;
        before
            .match_indices("expected-")
            .find_map(|(at, keyword)| Self::parse(at, before.get(at + keyword.len()..)?))
    }

    /// Parses the text after `expected-`, without the closing braces.
    fn parse(at: usize, text: &'a str) -> Option<Self> {
        const SEVERITIES: [Severity; 4] = [
            Severity::Error,
            Severity::Note,
            Severity::Remark,
            Severity::Warning,
        ];
        let (severity, text) = SEVERITIES
            .iter()
            .find_map(|s| Some((*s, text.strip_prefix(s.name())?)))?;
        let (is_pattern, text) = match text.strip_prefix("-re") {
            Some(text) => (true, text),
            None => (false, text),
        };
        let text = text.trim_start_matches(' ');
        let (place, text) = match text.strip_prefix('@') {
            None => (Place::Relative(0), text),
            Some(place) => {
                // The longest valid one has a sign and 20 digits.
                let ends = |byte: &u8| matches!(byte, b' ' | b'{');
                let end = place.bytes().take(22).position(|byte| ends(&byte))?;
                let (place, text) = place.split_at_checked(end)?;
                let place = match place {
                    "above" => Place::Above,
                    "below" => Place::Below,
                    "unknown" => Place::Unknown,
                    by if by.starts_with(['+', '-']) => Place::Relative(by.parse().ok()?),
                    _ => return None,
                };
                (place, text)
            }
        };
        let message = text.trim_start_matches(' ').strip_prefix("{{")?;
        Some(Announcement {
            at,
            severity,
            is_pattern,
            place,
            message,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use rmlir::text::{ParseOptions, parse_module};

    /// Returns the mismatches of a text.
    fn wrong(text: &str) -> Vec<String> {
        wrong_of(text, Checked::All)
    }

    fn wrong_of(text: &str, checked: Checked) -> Vec<String> {
        let options = ParseOptions::for_file("a.mlir");
        let source = SourceText {
            options: &options,
            bytes: text.as_bytes(),
        };
        let mut context = rmlir::ir::Context::new();
        let found = match parse_module(&mut context, text.as_bytes(), &options) {
            Ok(_) => Vec::new(),
            Err(found) => found.into_vec(),
        };
        let line = |d: Diagnostic| format!("{}: {}", d.line, d.message);
        check(source, &found, checked)
            .into_iter()
            .map(line)
            .collect()
    }

    #[test]
    fn announced_in_every_way() {
        let text = r#"
            "a"(%x) : (i32) -> ()  // expected-error {{undeclared SSA value}}
            // expected-error@+1{{undeclared SSA value name '%y'}}
            "a"(%y) : (i32) -> ()
            // expected-error-re @below {{SSA value name '%{{[a-c]+}}'}}
            // expected-note@+1 {{never comes}}
            "a"(%abc) : (i32) -> ()
            // expected-error@above {{undeclared}}
            "a"(%d) : (i32) -> ()
            // expected-error @-1 {{undeclared}}
        "#;
        let wrong = wrong(text);
        assert_eq!(
            wrong,
            [
                "6: expected note \"never comes\" was not produced",
                "8: expected error \"undeclared\" was not produced"
            ]
        );
    }

    #[test]
    fn the_first_error_must_be_announced() {
        let text = "\"a\"(%x, %y) : (i32, i32) -> ()";
        assert_eq!(
            wrong(text),
            ["1: unexpected error: use of undeclared SSA value name '%x'"]
        );
        let text =
            "%0 = \"a\"() : () -> i32\n%0 = \"a\"() : () -> i32 // expected-error {{redefinition}}";
        assert_eq!(wrong(text), ["1: unexpected note: previously defined here"]);
    }

    #[test]
    fn errors_about_enclosing_constructs_need_not_be_announced() {
        let first = "#m = affine_map<(i) -> (-())> // expected-error {{no expression inside}}\n";
        assert!(wrong(first).is_empty());
        let second = "// expected-error@-1 {{missing operand of negation}}";
        assert!(wrong(&format!("{first}{second}")).is_empty());
    }

    #[test]
    fn only_announced_messages_can_be_checked() {
        let text = "\"a\"(%x) : (i32) -> ()\n// expected-note {{never}}";
        let missing = "2: expected note \"never\" was not produced";
        assert_eq!(wrong_of(text, Checked::OnlyExpected), [missing]);
        assert_eq!(wrong_of(text, Checked::All).len(), 2);
    }

    #[test]
    fn announcements_know_their_lines() {
        let missing = "// expected-error {{never}}\n";
        let wrong = wrong(&format!("\n{}", missing.repeat(3)));
        let expected = |line| format!("{line}: expected error \"never\" was not produced");
        assert_eq!(wrong, [expected(2), expected(3), expected(4)]);
    }

    #[test]
    fn bad_expressions_are_errors() {
        let wrong = wrong("// expected-error-re {{a {{(}} b}}");
        assert!(
            wrong[0] == "1: invalid regex: parentheses not balanced",
            "{wrong:?}"
        );
    }
}
