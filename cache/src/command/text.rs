//! What a program may read in an input besides the module: the module without it is not all that
//! the result depends on.

use rmlir::Form;

/// Options of `mlir-opt` and its relatives that make comments, separators, the presence of a module
/// operation or external resources count.
const OPTIONS: &[&str] = &[
    "no-implicit-module",
    "run-reproducer",
    "split-input-file",
    "verify-diagnostics",
];

/// Comments that such options read. Programs of other names may read them without being asked.
const COMMENTS: &[&str] = &[
    "// -----",
    "expected-error",
    "expected-note",
    "expected-remark",
    "expected-warning",
];

/// Returns an option or a comment because of which the result depends on more than the module.
pub(super) fn beside_module(arguments: &[String], bytes: &[u8]) -> Option<&'static str> {
    let name = |argument: &str| {
        let option = argument.strip_prefix('-')?;
        let option = option.strip_prefix('-').unwrap_or(option);
        let option = option.split('=').next().unwrap_or(option);
        OPTIONS.iter().find(|known| **known == option).copied()
    };
    if let Some(option) = arguments.iter().find_map(|argument| name(argument)) {
        return Some(option);
    }
    if Form::of(bytes) != Form::Text {
        return None;
    }
    let mut comments = COMMENTS.iter().copied();
    comments.find(|comment| memchr::memmem::find(bytes, comment.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_comments() {
        let find =
            |argument: &str, text: &str| beside_module(&[argument.to_owned()], text.as_bytes());
        for option in ["--split-input-file", "-split-input-file=// ###"] {
            assert_eq!(find(option, "module {}"), Some("split-input-file"));
        }
        for option in [
            "--verify-each",
            "split-input-file",
            "--x=verify-diagnostics",
        ] {
            assert_eq!(find(option, "module {} // a comment"), None);
        }
        assert_eq!(find("--cse", "f\n// -----\ng"), Some("// -----"));
    }
}
