//! Tests the verifier on the pieces in `tests/interop_verify`, which are annotated as upstream's
//! test files are (`// expected-error@+1 {{...}}`): it must report exactly the annotated errors, at
//! these lines. If `mlir-opt-22 --verify-diagnostics`, or the program that `MLIR_OPT` names, is
//! installed, it must agree with the annotations.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use rmlir::ir::{Context, Location, LocationKind, Module, VerifyOptions, verify};
use rmlir::text::{ParseOptions, message_to_string, parse_module};
use std::path::PathBuf;
use std::process::Command;

/// `error` or `note`, the line, and the text.
type Diagnostic = (&'static str, u32, String);

#[test]
fn errors_are_those_announced() {
    let mut failures = Vec::new();
    let mut pieces = 0;
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut line = 0;
        for piece in text.split_inclusive("// -----\n") {
            pieces += 1;
            let expected = announced(piece, line);
            let found = found(piece, line);
            if !agree(&expected, &found) {
                failures.push(format!(
                    "{}:{}\n  announced {expected:#?}\n  found {found:#?}",
                    file.display(),
                    line + 1
                ));
            }
            line += piece.lines().count() as u32;
        }
    }
    assert!(pieces > 200, "{pieces} pieces");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn upstream_agrees_with_the_annotations() {
    let program = std::env::var("MLIR_OPT").unwrap_or_else(|_| "mlir-opt-22".to_owned());
    if Command::new(&program).arg("--version").output().is_err() {
        println!("SKIPPED: {program} not found");
        return;
    }
    for file in files() {
        let output = Command::new(&program)
            .args(["--allow-unregistered-dialect", "--split-input-file"])
            .args(["--verify-diagnostics", "--mlir-disable-threading"])
            .arg(&file)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", file.display());
    }
}

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop_verify");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    files.sort();
    files
}

/// Returns whether the announced and the found diagnostics match one to one.
fn agree(announced: &[Diagnostic], found: &[Diagnostic]) -> bool {
    let fits = |a: &Diagnostic, f: &Diagnostic| a.0 == f.0 && a.1 == f.1 && f.2.contains(&a.2);
    announced.len() == found.len()
        && announced.iter().all(|a| found.iter().any(|f| fits(a, f)))
        && found.iter().all(|f| announced.iter().any(|a| fits(a, f)))
}

/// Returns the annotations of a piece that follows `lines_before` lines.
fn announced(piece: &str, lines_before: u32) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for (line, text) in (lines_before + 1..).zip(piece.lines()) {
        for kind in ["error", "note"] {
            let Some((_, rest)) = text.split_once(&format!("// expected-{kind}@")) else {
                continue;
            };
            let (offset, rest) = rest.split_once(" {{").unwrap();
            let (message, _) = rest.rsplit_once("}}").unwrap();
            let offset: i32 = offset.parse().unwrap();
            all.push((
                kind,
                line.checked_add_signed(offset).unwrap(),
                message.to_owned(),
            ));
        }
    }
    all
}

/// Returns the errors of the parser, or else of the verifier.
fn found(piece: &str, lines_before: u32) -> Vec<Diagnostic> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let mut options = ParseOptions::default();
    options.lines_before = lines_before;
    let module = match parse_module(&mut context, piece.as_bytes(), &options) {
        Ok(module) => module,
        // As upstream, attributes that operations cannot have are errors of the parser.
        Err(errors) => {
            let all = errors.iter().map(|error| {
                let line = u32::try_from(error.line).unwrap();
                ("error", line, error.message.clone())
            });
            return all.collect();
        }
    };
    let errors = verify(&context, &module, module.top(), &VerifyOptions::default());
    let mut all = Vec::new();
    for error in errors.err().into_iter().flatten() {
        let shown = |message| message_to_string(&context, &module, message);
        all.push((
            "error",
            line(&context, error.location),
            shown(&error.message),
        ));
        for note in &error.notes {
            all.push(("note", line(&context, note.location), shown(&note.message)));
        }
    }
    check_nested(&context, &module);
    all
}

/// Checks that operations verified alone have no errors if the whole has none.
fn check_nested(context: &Context, module: &Module) {
    let options = VerifyOptions::default();
    if verify(context, module, module.top(), &options).is_ok() {
        for operation in module.descendants(module.top()) {
            assert_eq!(verify(context, module, operation, &options), Ok(()));
        }
    }
}

fn line(context: &Context, location: Location) -> u32 {
    match context.location_kind(location) {
        LocationKind::FileLineColRange { start_line, .. } => start_line,
        _ => 0,
    }
}
