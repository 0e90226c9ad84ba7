//! `rmlir-translate`: between MLIR as text and as bytecode.

use rmlir::ir::Context;
use rmlir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use std::io::Write;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args
        .iter()
        .find(|a| !a.starts_with('-'))
        .cloned()
        .unwrap_or_default();
    let text = std::fs::read(&file).unwrap_or_default();
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let mut options = PrintOptions::default();
    options.generic = args.iter().any(|a| a == "--generic");
    options.debug_info = args.iter().any(|a| a == "--mlir-print-debuginfo");
    match parse_module(&mut context, &text, &ParseOptions::for_file(&file)) {
        Ok(module) => {
            let mut out = std::io::stdout().lock();
            let _ = print_module(&context, &module, &options, &mut out);
            let _ = out.write_all(b"\n");
        }
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "{e}");
            std::process::exit(1)
        }
    }
}
