//! Tests the errors that the parser reports after the first one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir_ir::Context;
use rmlir_text::{Diagnostic, ParseOptions, parse_module};
use std::path::Path;

/// Returns the errors in a text, at most `limit`.
fn errors(text: &str, limit: usize) -> Vec<Diagnostic> {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let mut options = ParseOptions::for_file("a.mlir");
    options.max_errors = limit;
    match parse_module(&mut context, text.as_bytes(), &options) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_vec(),
    }
}

fn lines(text: &str) -> Vec<usize> {
    errors(text, 20).iter().map(|e| e.line).collect()
}

/// Returns texts that upstream rejects, each with its file.
fn rejected_pieces() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/interop/rejected");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut pieces = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (number, piece) in text.split("// -----\n").enumerate() {
            pieces.push((format!("{name} piece {number}"), piece.to_owned()));
        }
    }
    pieces
}

/// Returns whether all brackets of a text are closed, so that the end of the text ends the broken
/// operation.
fn is_balanced(text: &str) -> bool {
    use rmlir_text::lexer::{Lexer, TokenKind};
    let mut lexer = Lexer::new(text.as_bytes());
    let mut depth = 0isize;
    loop {
        match lexer.next_token().kind {
            TokenKind::Eof => return depth == 0,
            TokenKind::Error(_) => return false,
            TokenKind::LeftBrace | TokenKind::MetadataBegin => depth += 1,
            TokenKind::RightBrace | TokenKind::MetadataEnd => depth -= 1,
            _ => {}
        }
    }
}

const GOOD: &str = r#"func.func private @good(%good_x: i32) -> i32 {
  %good_y = "t.a"(%good_x) ({
    "t.b"()[^next] : () -> ()
  ^next:
    "t.c"(%good_x) {a = [1, 2], b = {c}} : (i32) -> ()
  }) : (i32) -> i32
  return %good_y : i32
}
"#;

#[test]
fn good_text_behind_an_error_has_none() {
    let mut tried = 0;
    for (name, piece) in rejected_pieces() {
        // The extent of an unclosed brace or string is undefined.
        if !is_balanced(&piece) {
            continue;
        }
        tried += 1;
        let last = piece.lines().count();
        let text = format!("{piece}\n{GOOD}");
        let found = errors(&text, 20);
        assert!(!found.is_empty(), "{name} is accepted");
        for error in &found {
            assert!(error.line <= last, "{name}\n{piece}\nfollowed by\n{error}");
        }
        // Where the text ends depends on what follows.
        let mut alone = errors(&piece, 1);
        for error in &mut alone {
            error
                .notes
                .retain(|note| note.message != "the text ends before this is closed");
        }
        assert_eq!(
            errors(&text, 1),
            alone,
            "{name}: the first error changes with what follows"
        );
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn two_errors_are_two_errors() {
    let second = "\"t.d\"() {a = [1, } : () -> ()\n";
    for (name, piece) in rejected_pieces() {
        if !is_balanced(&piece) {
            continue;
        }
        let text = format!("{piece}\n{GOOD}{second}{GOOD}");
        let line = 1 + text.lines().position(|l| l == second.trim_end()).unwrap();
        let last = piece.lines().count();
        let behind: Vec<usize> = errors(&text, 1000)
            .iter()
            .map(|e| e.line)
            .filter(|&line| line > last)
            .collect();
        assert_eq!(behind, [line], "{name}\n{text}");
    }
}

#[test]
fn each_operation_has_its_own_error() {
    let text = r#"
"t.a"() {a = } : () -> ()
%0 = "t.b"(%1 : () -> i32
"t.c"(%0) : (i64) -> ()
"t.d"() ({
  %2 = "t.e"() : () -> !
  "t.f"(%2) : (i32) -> ()
  "t.g"()[^bb1, ^bb2] : () -> ()
^bb1(%3: i32, %3: i32):
  "t.h"() : () -> ()
}) : () -> () loc(?)
"t.i"() : () -> (i32, )
"#;
    assert_eq!(lines(text), [2, 3, 6, 9, 8, 11, 12]);
}

#[test]
fn what_follows_from_an_error_is_no_error() {
    // Values, blocks and aliases in skipped text count as defined, with any type.
    let text = r#"
#map = affine_map<(d0) -> (d0 +)>
!ty = tensor<4xf3x>
%0:2 = "t.a"() : () -> (i32, i3x)
"t.b"(%0#0, %0#1) {m = #map} : (i64, !ty) -> ()
"t.c"(%later) : (i32) -> ()
%later = "t.d" : () -> i32
"t.e"() ({
  "t.f"()[^bb1] : () -> ()
^bb1(%x: ):
  "t.g"(%x) : (i32) -> ()
}) : () -> () loc(#loc)
#loc = loc("a":1:x)
"#;
    assert_eq!(lines(text), [2, 3, 4, 7, 10, 13]);
}

#[test]
fn operations_over_several_lines() {
    let text = r#"
"t.a"(%0,
      %1, %2) {
  a = 1,
  b = [
    "x"
    "y"
  ]
} : (i32,
     i32, i32) -> ()
%0, %1 = "t.b"() : () -> (i32,
  i32)
%2 = "t.c"() : () -> i3x
"#;
    assert_eq!(lines(text), [6, 13]);
}

#[test]
fn the_limit_holds() {
    let text = "\"t.a\"() : () -> i3x\n".repeat(100);
    assert_eq!(errors(&text, 20).len(), 20);
    assert_eq!(errors(&text, 1).len(), 1);
    assert_eq!(errors(&text, 0).len(), 1);
    assert_eq!(errors(&text, 1000).len(), 100);
    let undeclared = "\"t.a\"(%x, %y, %z) : (i32, i32, i32) -> ()\n";
    assert_eq!(errors(undeclared, 2).len(), 2);
}

#[test]
fn notes_say_what_else_matters() {
    let text =
        "%0 = \"t.a\"() : () -> i32\n%0 = \"t.a\"() : () -> i32\n\"t.b\"(%0) : (i64) -> ()\n";
    let found = errors(text, 20);
    let notes: Vec<(usize, usize, &str)> = found
        .iter()
        .flat_map(|e| &e.notes)
        .map(|n| (n.line, n.column, n.message.as_str()))
        .collect();
    assert_eq!(
        notes,
        [(1, 1, "previously defined here"), (1, 1, "prior use here")]
    );
}
