//! Whether the passes that arguments name are nested under functions.

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
