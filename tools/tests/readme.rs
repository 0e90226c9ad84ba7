//! Tests that the commands of README.md print what README.md shows.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// Writes the files that the commands refer to and do not create.
fn write_inputs(folder: &Path) {
    let model = include_str!("../../examples/mlp.mlir");
    std::fs::create_dir(folder.join("examples")).unwrap();
    std::fs::write(folder.join("examples/mlp.mlir"), model).unwrap();
    let changed = model.replace("stablehlo.maximum", "stablehlo.minimum");
    assert_ne!(changed, model);
    std::fs::write(folder.join("changed.mlir"), changed).unwrap();
    let bad = "func.func @f() -> i32 {\n  %0 = \"arith.constant\"() <{value = 1 : i64}> : () -> i64\n  return %0 : i32\n}\n";
    std::fs::write(folder.join("bad.mlir"), bad).unwrap();
}

#[test]
fn the_commands_print_what_the_readme_shows() {
    let folder = std::env::temp_dir().join(format!("rmlir-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    write_inputs(&folder);
    let mut commands = 0;
    for block in README.split("\n```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        for command in block.split("$ rmlir ").skip(1) {
            let (line, shown) = command.split_once('\n').unwrap_or((command, ""));
            let output = Command::new(env!("CARGO_BIN_EXE_rmlir"))
                .args(line.split_whitespace())
                // As on a terminal.
                .args(
                    line.starts_with("verify")
                        .then_some("--diagnostic-format=pretty"),
                )
                .current_dir(&folder)
                .output()
                .unwrap();
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap();
            assert_eq!(printed.trim_end(), shown.trim_end(), "$ rmlir {line}");
            commands += 1;
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(commands, 7);
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() <= 150);
    for link in README.split("](").skip(1) {
        let link = link.split(')').next().unwrap();
        if !link.starts_with("http") {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(link);
            assert!(path.exists(), "{link}");
        }
    }
}
