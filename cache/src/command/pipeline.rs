//! Whether the passes that arguments name are nested under functions.

use crate::Granularity;
use rmlir::ir::Context;

/// Checks that each pass of a given `--pass-pipeline` is nested under a function operation.
///
/// # Errors
///
/// The reason why results cannot be stored by function.
pub(super) fn check(arguments: &[String], context: &Context) -> Result<(), String> {
    let mut words = arguments.iter();
    let mut pipeline = None;
    while let Some(argument) = words.next() {
        let Some(option) = argument
            .trim_start_matches('-')
            .strip_prefix("pass-pipeline")
        else {
            continue;
        };
        let value = match option.strip_prefix('=') {
            Some(value) => value,
            None => words.next().map(String::as_str).unwrap_or_default(),
        };
        pipeline = Some(value.trim_matches(['\'', '"']));
    }
    let remedy = "'--assume-function-local' declares that each function is compiled on its own";
    let Some(pipeline) = pipeline else {
        return Err(format!(
            "the passes are unknown without '--pass-pipeline'; {remedy}"
        ));
    };
    let elements = match pipeline.split_once('(') {
        Some(("builtin.module", rest)) => rest.strip_suffix(')'),
        _ => None,
    };
    let Some(elements) = elements else {
        return Err(format!(
            "the pipeline is not 'builtin.module(...)'; {remedy}"
        ));
    };
    for element in split(elements) {
        let anchor = element.split_once('(').map(|(anchor, _)| anchor.trim());
        if !anchor.is_some_and(|anchor| is_function(anchor, context)) {
            let shown = element.split('{').next().unwrap_or(element);
            return Err(format!(
                "'{shown}' is not nested under a function; {remedy}"
            ));
        }
    }
    Ok(())
}

/// Passes of upstream whose result for a function depends on functions that refer to it, or which
/// remove or rename symbols that are not referred to any more.
const DEPEND_ON_USERS: &[&str] = &[
    "duplicate-function-elimination",
    "remove-dead-values",
    "sccp",
    "symbol-dce",
    "symbol-privatize",
];
/// Passes whose result for a function depends on the bodies of functions that it refers to.
const DEPEND_ON_BODIES: &[&str] = &["inline", "acc-implicit-routine", "one-shot-bufferize"];

/// Returns a pass that arguments name of which it is known that results cannot be put together,
/// whatever the user declares: they would be wrong only later, when another function changes.
pub(super) fn not_local(arguments: &[String], granularity: Granularity) -> Option<String> {
    let is_known = |name: &str| {
        DEPEND_ON_USERS.contains(&name)
            || granularity == Granularity::Function && DEPEND_ON_BODIES.contains(&name)
    };
    let is_separator = |c: char| c.is_whitespace() || "=,()'\"".contains(c);
    let words = arguments.iter().flat_map(|one| one.split(is_separator));
    let names = words.map(|word| {
        word.split('{')
            .next()
            .unwrap_or(word)
            .trim_start_matches('-')
    });
    names
        .filter(|name| is_known(name))
        .map(str::to_owned)
        .next()
}

/// Splits at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut elements = Vec::new();
    let (mut depth, mut start) = (0i64, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                elements.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    elements.extend(text.get(start..));
    elements
        .into_iter()
        .map(str::trim)
        .filter(|element| !element.is_empty())
        .collect()
}

fn is_function(anchor: &str, context: &Context) -> bool {
    let Some((dialect, _)) = anchor.split_once('.') else {
        return false;
    };
    // Loads the definition of the dialect.
    if context.dialect(dialect.as_bytes()).is_none() {
        return false;
    }
    let mut scratch = context.new_with_same_definitions();
    let name = scratch.operation_name(anchor);
    let release = scratch.release();
    scratch
        .operation_definition(name)
        .is_some_and(|definition| definition.has_interface("FunctionOpInterface", release))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_are_not_local() {
        let find = |argument: &str, granularity| not_local(&[argument.to_owned()], granularity);
        for (argument, name) in [
            ("--inline", "inline"),
            ("-inline=default-pipeline=", "inline"),
            (
                "--pass-pipeline=builtin.module(func.func(cse),inline{a=b})",
                "inline",
            ),
            ("--pass-pipeline=builtin.module(symbol-dce)", "symbol-dce"),
        ] {
            let found = find(argument, Granularity::Function);
            assert_eq!(found.as_deref(), Some(name), "{argument}");
        }
        assert_eq!(find("--inline", Granularity::Closure), None);
        assert!(find("--sccp", Granularity::Closure).is_some());
        for argument in ["--cse", "inline.mlir", "--convert-inline", "--x=inlined"] {
            assert_eq!(find(argument, Granularity::Function), None, "{argument}");
        }
    }

    #[test]
    fn pipelines() {
        let context = rmlir::ReadOptions::default().context();
        let check = |argument: &str| check(&[argument.to_owned()], &context);
        let good = [
            "--pass-pipeline=builtin.module(func.func(canonicalize,cse))",
            "-pass-pipeline=builtin.module(func.func(canonicalize{max-iterations=3},cse),llvm.func(cse))",
            "--pass-pipeline='builtin.module(func.func(cse))'",
        ];
        for argument in good {
            assert_eq!(check(argument), Ok(()), "{argument}");
        }
        let bad = [
            "--cse",
            "--pass-pipeline=builtin.module(canonicalize)",
            "--pass-pipeline=builtin.module(func.func(cse),inline)",
            "--pass-pipeline=builtin.module(func.func(cse),symbol-dce{a=func.func(b)})",
            "--pass-pipeline=builtin.module(gpu.module(cse))",
            "--pass-pipeline=builtin.module(any(cse))",
            "--pass-pipeline=func.func(cse)",
            "--pass-pipeline=",
        ];
        for argument in bad {
            assert!(check(argument).is_err(), "{argument}");
        }
    }
}
