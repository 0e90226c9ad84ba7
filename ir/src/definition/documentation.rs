//! Documentation of dialects, operations, attributes and types.

use super::Text;

/// A summary and a description in Markdown, as in MLIR's definitions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Documentation {
    /// One line; empty if there is none.
    pub summary: Text,
    /// The lines of the description, without line breaks and trailing white space.
    pub lines: Vec<Text>,
}

impl Documentation {
    /// Creates documentation of a summary and a description, whose common indentation is removed.
    /// Returns `None` if both are empty.
    pub fn new(summary: &str, description: &str) -> Option<Box<Self>> {
        let summary = summary.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines: Vec<&str> = description.lines().map(str::trim_end).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        let first = lines.iter().position(|line| !line.is_empty());
        let lines = lines
            .get(first.unwrap_or(lines.len())..)
            .unwrap_or_default();
        let indentation = |line: &&str| {
            let text = line.trim_start_matches([' ', '\t']);
            line.len().saturating_sub(text.len())
        };
        let texts = lines.iter().filter(|line| !line.is_empty());
        let common = texts.map(indentation).min().unwrap_or(0);
        let lines = lines.iter().map(|line| {
            // A lone carriage return or another control character would break the line in two.
            let text = line.get(common..).unwrap_or_default();
            text.replace(|c: char| c.is_control() && c != '\t', " ")
                .into()
        });
        let lines: Vec<Text> = lines.collect();
        (!summary.is_empty() || !lines.is_empty()).then(|| {
            Box::new(Documentation {
                summary: summary.into(),
                lines,
            })
        })
    }

    /// Returns the description as one text, with a line break after each line.
    pub fn description(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
