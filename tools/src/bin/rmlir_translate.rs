//! `rmlir-translate`: translates MLIR between text and bytecode.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmlir_tools::completion::answer(rmlir_tools::translate::program);
    rmlir_tools::translate::run(std::env::args_os())
}
