//! `rmlir-translate`: translates MLIR between text and bytecode.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmlir_tools::translate::run(std::env::args_os())
}
