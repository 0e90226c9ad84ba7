//! Tests that the commands of guide/embedding.md print what it shows.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::Folder;

const GUIDE: &str = include_str!("../../guide/embedding.md");
const RMLIR: &str = env!("CARGO_BIN_EXE_rmlir");

#[test]
fn the_commands_print_what_the_guide_shows() {
    let folder = Folder::new(RMLIR, "guide-embedding");
    for (name, operation) in [("main", "addi"), ("add", "addi"), ("mul", "muli")] {
        let text = format!(
            "func.func @{name}(%x: i32) -> i32 {{\n  %0 = arith.{operation} %x, %x : i32\n  return %0 : i32\n}}\n"
        );
        folder.write(&format!("{name}.mlir"), text);
    }
    for arguments in [
        "convert main.mlir -o main.mlirbc",
        "convert add.mlir -o add.mlirbc",
        "convert mul.mlir -o mul.mlirbc",
        "embed main.mlirbc -o program.o --target x86_64-linux-gnu",
        "embed add.mlirbc mul.mlirbc -o two.o --target x86_64-linux-gnu",
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        assert!(folder.run(&arguments, b"").status.success());
    }
    let mut commands = 0;
    for block in GUIDE.split("\n```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        for command in block.split("$ rmlir ").skip(1) {
            let (line, shown) = command.split_once('\n').unwrap_or((command, ""));
            let arguments: Vec<&str> = line.split_whitespace().collect();
            let output = folder.run(&arguments, b"");
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap();
            assert_eq!(printed.trim_end(), shown.trim_end(), "$ rmlir {line}");
            commands += 1;
        }
    }
    assert_eq!(commands, 5);
}
