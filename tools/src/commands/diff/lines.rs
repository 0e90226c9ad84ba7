//! Represents operations as lines, and finds the lines that differ.

use super::side::Side;
use imara_diff::{Algorithm, Diff as LineDiff, InternedInput, TokenSource};
use rmlir::ir::{Block, Context, Fingerprint, Module, Operation, Value};
use rmlir::text::{PrintOptions, print_attribute, type_to_string};

/// The maximum nesting depth that is shown by indentation.
const MAX_INDENT: usize = 100;
/// The maximum length of an attribute, and of the types of a line, in bytes.
const MAX_TEXT: usize = 4000;

/// An operation without its operands and regions, or the arguments of a block. Its text is created
/// only if it is printed.
pub(super) struct Line {
    content: Fingerprint,
    depth: u8,
    what: What,
}

enum What {
    Operation(Operation),
    Block(Block),
}

impl Line {
    pub(super) fn operation(content: Fingerprint, operation: Operation, depth: usize) -> Self {
        Line {
            content,
            depth: depth.min(MAX_INDENT) as u8,
            what: What::Operation(operation),
        }
    }

    pub(super) fn block(content: Fingerprint, block: Block, depth: usize) -> Self {
        Line {
            content,
            depth: depth.min(MAX_INDENT) as u8,
            what: What::Block(block),
        }
    }

    fn text(&self, side: &Side<'_>) -> String {
        let indent = "  ".repeat(self.depth.into());
        let (context, module) = (side.context, side.module);
        match self.what {
            What::Operation(operation) => format!("{indent}{}", text(context, module, operation)),
            What::Block(block) => {
                let types = types(
                    context,
                    module,
                    module.arguments(block).map(|(value, _)| value),
                );
                format!("{indent}^({types})")
            }
        }
    }
}

/// The tokens by which lines are compared.
struct Tokens<'l>(&'l [Line]);

impl<'l> TokenSource for Tokens<'l> {
    type Token = (Fingerprint, u8);
    type Tokenizer = std::iter::Map<std::slice::Iter<'l, Line>, fn(&Line) -> Self::Token>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().map(|line| (line.content, line.depth))
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

/// Returns the lines that only one side has: `-` for the left one and `+` for the right one.
pub(super) fn differing_lines(
    (left_side, left): (&Side<'_>, &[Line]),
    (right_side, right): (&Side<'_>, &[Line]),
) -> Vec<String> {
    let input = InternedInput::new(Tokens(left), Tokens(right));
    let diff = LineDiff::compute(Algorithm::Histogram, &input);
    let mut details = Vec::new();
    for hunk in diff.hunks() {
        for (sign, side, lines, range) in [
            ("-", left_side, left, hunk.before),
            ("+", right_side, right, hunk.after),
        ] {
            let range = range.start as usize..range.end as usize;
            let lines = lines.get(range).unwrap_or_default();
            details.extend(
                lines
                    .iter()
                    .map(|line| format!("{sign} {}", line.text(side))),
            );
        }
    }
    details
}

/// Returns the text of an operation without its operands and regions: name, properties, attributes,
/// types.
fn text(context: &Context, module: &Module, operation: Operation) -> String {
    let name = context.operation_name_bytes(module.name(operation));
    let mut text = format!("\"{}\"", name.escape_ascii());
    let mut options = PrintOptions::default();
    options.max_output = MAX_TEXT as u64;
    for (open, attribute, close) in [
        (" <", module.properties(operation), ">"),
        (" ", module.attributes(operation), ""),
    ] {
        let Some(attribute) = attribute else { continue };
        let mut written = Vec::new();
        let printed = print_attribute(context, attribute, &options, &mut written);
        let end = if printed.is_ok() { "" } else { "..." };
        let written = String::from_utf8_lossy(&written);
        text.push_str(&format!("{open}{written}{end}{close}"));
    }
    let operands = types(context, module, module.operands(operation));
    let results = types(context, module, module.results(operation));
    text.push_str(&format!(" : ({operands}) -> ({results})"));
    text
}

/// Returns the types of values, truncated if they are long.
fn types(context: &Context, module: &Module, values: impl Iterator<Item = Value>) -> String {
    let mut text = String::new();
    for value in values {
        if !text.is_empty() {
            text.push_str(", ");
        }
        if text.len() > MAX_TEXT {
            text.push_str("...");
            break;
        }
        text.push_str(&type_to_string(context, module.value_type(value)));
    }
    text
}
