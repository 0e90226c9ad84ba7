//! `rmlir`: the command-line program for MLIR files.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmlir_tools::completion::answer(rmlir_tools::commands::program);
    rmlir_tools::commands::run(std::env::args_os())
}
