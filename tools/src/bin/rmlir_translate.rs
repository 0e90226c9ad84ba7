//! `rmlir-translate`: between MLIR as text and as bytecode.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmlir_tools::translate::main()
}
