//! `mlir-opt` as an oracle.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::{Command, Stdio};

/// The line between modules.
const SEPARATOR: &str = "// -----";

/// The program that texts are compared with: `mlir-opt-22`, or `RMLIR_MLIR_OPT`.
fn program() -> OsString {
    std::env::var_os("RMLIR_MLIR_OPT").unwrap_or_else(|| "mlir-opt-22".into())
}

/// The names of the dialects that `mlir-opt-22` has; none without the program.
pub fn mlir_opt_dialects() -> Option<Vec<String>> {
    dialects_of(&program())
}

/// The names of the dialects that a program like `mlir-opt` has; none without the program.
pub fn dialects_of(program: &OsStr) -> Option<Vec<String>> {
    let output = Command::new(program).arg("--show-dialects").output();
    let text = String::from_utf8(output.ok()?.stdout).ok()?;
    let names = text.split_once(':')?.1;
    let names = names.split(',').map(|name| name.trim().to_owned());
    Some(names.collect())
}

/// What `mlir-opt-22` prints for each text, or its first error: `line N: message` with the line in
/// that text. None without the program.
///
/// A text that makes it crash has an error that says so.
///
/// # Panics
///
/// If the program cannot be given its input.
pub fn mlir_opt(texts: &[&str], arguments: &[&str]) -> Option<Vec<Result<String, String>>> {
    mlir_opt_by(&program(), texts, arguments)
}

/// What a program like `mlir-opt` prints for each text, as [`mlir_opt`].
///
/// # Panics
///
/// If the program cannot be given its input.
pub fn mlir_opt_by(
    program: &OsStr,
    texts: &[&str],
    arguments: &[&str],
) -> Option<Vec<Result<String, String>>> {
    if texts.is_empty() {
        return Some(Vec::new());
    }
    if let Some(results) = run(program, texts, arguments)? {
        return Some(results);
    }
    // It crashed: the text that made it do so is found by halves.
    if texts.len() <= 1 {
        let name = program.to_string_lossy();
        let crashed = |_| Err(format!("line 1: {name} crashes"));
        return Some(texts.iter().map(crashed).collect());
    }
    let (first, second) = texts.split_at(texts.len() / 2);
    let mut results = mlir_opt_by(program, first, arguments)?;
    results.extend(mlir_opt_by(program, second, arguments)?);
    Some(results)
}

/// The results of a run; an inner none if it crashed.
#[allow(clippy::expect_used, clippy::type_complexity)]
fn run(
    program: &OsStr,
    texts: &[&str],
    arguments: &[&str],
) -> Option<Option<Vec<Result<String, String>>>> {
    let child = Command::new(program)
        .args(["--split-input-file", "--allow-unregistered-dialect", "-"])
        .args(arguments)
        // Names in the stack trace of a crash take seconds.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.ok()?;
    let (mut input, mut starts, mut lines) = (String::new(), Vec::new(), 1usize);
    for (number, text) in texts.iter().enumerate() {
        if number > 0 {
            input.extend(["\n", SEPARATOR, "\n"]);
            lines += 2;
        }
        starts.push(lines);
        input.push_str(text);
        lines += text.matches('\n').count();
    }
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // A program that crashes does not read all.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut printed = vec![String::new()];
    for line in text.lines() {
        match (line, printed.last_mut()) {
            (SEPARATOR, _) => printed.push(String::new()),
            (line, Some(text)) => text.extend([line, "\n"]),
            _ => {}
        }
    }
    if printed.len() != texts.len() || output.status.code().is_none() {
        return Some(None);
    }
    let unknown = |text: String| match text.trim().is_empty() {
        true => Err("line 1: rejected".to_owned()),
        false => Ok(text),
    };
    let mut results: Vec<_> = printed.into_iter().map(unknown).collect();
    let mut has_error = vec![false; texts.len()];
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let Some((place, message)) = line.split_once(": error: ") else {
            continue;
        };
        let number = place.split(':').nth(1).and_then(|n| n.parse().ok());
        let Some(number) = number.filter(|_| place.starts_with("<stdin>")) else {
            continue;
        };
        let text = starts.partition_point(|&start: &usize| start <= number);
        let text = text.saturating_sub(1);
        if let (Some(slot), Some(seen), Some(start)) = (
            results.get_mut(text),
            has_error.get_mut(text),
            starts.get(text),
        ) && !*seen
        {
            *seen = true;
            let line = (number + 1).saturating_sub(*start);
            *slot = Err(format!("line {line}: {message}"));
        }
    }
    Some(Some(results))
}
