//! Colors of the output.

use clap::ValueEnum;
use std::ffi::OsString;
use std::sync::atomic::{AtomicU8, Ordering};

/// When the output is colored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set, CLICOLOR is 0 or TERM is dumb; CLICOLOR_FORCE forces
    /// colors
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The choice of the command line, which holds for the whole process.
static CHOICE: AtomicU8 = AtomicU8::new(0);

/// Sets the choice of the command line.
pub fn choose(choice: ColorChoice) {
    CHOICE.store(choice as u8, Ordering::Relaxed);
}

/// Returns whether output is colored that goes to a terminal or not.
pub fn has_colors(is_terminal: bool) -> bool {
    let choice = CHOICE.load(Ordering::Relaxed);
    if choice == ColorChoice::Always as u8 {
        return true;
    }
    choice == ColorChoice::Auto as u8 && automatic(is_terminal, |name| std::env::var_os(name))
}

/// The conventions of <https://no-color.org> and <https://bixense.com/clicolors>.
fn automatic(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    is_terminal
        && variable("TERM").is_none_or(|term| term != "dumb")
        && variable("CLICOLOR").is_none_or(|value| value != "0")
}

/// A kind of text that has a color of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Removed text.
    Removed,
    /// Added text.
    Added,
    /// The part of a removed line that differs.
    RemovedPart,
    /// The part of an added line that differs.
    AddedPart,
    /// A heading.
    Heading,
    /// Names of files.
    File,
    /// Symbols, `@main`.
    Symbol,
    /// Values, `%0`.
    Value,
    /// Types and aliases, `!t`, `#a`.
    Alias,
    /// Strings.
    String,
    /// Numbers.
    Number,
    /// Names of operations.
    Operation,
    /// Comments and locations.
    Comment,
}

impl Style {
    /// Returns the parameters of the escape sequence (ECMA-48, SGR).
    fn code(self) -> &'static str {
        match self {
            Style::Removed => "31",
            Style::Added => "32",
            Style::RemovedPart => "1;7;31",
            Style::AddedPart => "1;7;32",
            Style::Heading => "1",
            Style::File => "35",
            Style::Symbol => "33",
            Style::Value => "36",
            Style::Alias => "34",
            Style::String => "32",
            Style::Number => "35",
            Style::Operation => "1;34",
            Style::Comment => "2",
        }
    }

    /// Appends `text` in this style if `colors`.
    pub fn paint(self, colors: bool, text: &str, out: &mut String) {
        if !colors || text.is_empty() {
            out.push_str(text);
            return;
        }
        out.push_str("\x1b[");
        out.push_str(self.code());
        out.push('m');
        out.push_str(text);
        out.push_str("\x1b[0m");
    }

    /// Returns `text` in this style if `colors`.
    pub fn painted(self, colors: bool, text: &str) -> String {
        let mut out = String::new();
        self.paint(colors, text, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::automatic;

    #[test]
    fn the_environment_decides() {
        for (terminal, set, expected) in [
            (true, &[][..], true),
            (false, &[][..], false),
            (true, &[("NO_COLOR", "1")][..], false),
            (true, &[("NO_COLOR", "")][..], true),
            (true, &[("TERM", "dumb")][..], false),
            (true, &[("TERM", "xterm")][..], true),
            (true, &[("CLICOLOR", "0")][..], false),
            (false, &[("CLICOLOR_FORCE", "1")][..], true),
            (false, &[("CLICOLOR_FORCE", "0")][..], false),
            (
                true,
                &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")][..],
                false,
            ),
        ] {
            let variable = |name: &str| {
                let found = set.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| value.into())
            };
            assert_eq!(automatic(terminal, variable), expected, "{set:?}");
        }
    }
}
