//! Real files, which are not part of the repository: run by hand.
//!
//! `RMLIR_FILES=list cargo test --release -p rmlir-reader --test rmbc -- --ignored files --nocapture`, where
//! `list` is a file with the path of a generic text in each line. What the parser refuses is left out.

use super::{check, read, write};
use rmlir_ir::Context;
use rmlir_reader::rmbc::{ReadOptions, read_module};
use rmlir_text::{ParseOptions, parse_module};
use std::time::Instant;

fn files() -> Vec<String> {
    let list = std::env::var("RMLIR_FILES").unwrap();
    let list = std::fs::read_to_string(list).unwrap();
    list.lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "needs files"]
fn files_come_back() {
    let (mut accepted, mut text_bytes, mut bytes, mut refused) = (0, 0, 0, 0);
    for path in files() {
        let text = std::fs::read(&path).unwrap();
        let mut context = Context::new();
        let mut options = ParseOptions::for_file("a.mlir");
        options.keep_names = true;
        let Ok(module) = parse_module(&mut context, &text, &options) else {
            refused += 1;
            continue;
        };
        println!("{path}");
        accepted += 1;
        text_bytes += text.len();
        bytes += check(&context, &module).len();
    }
    println!(
        "{accepted} files, {text_bytes} bytes of text, {bytes} bytes of rmbc; {refused} refused"
    );
}

#[test]
#[ignore = "needs files"]
fn files_speed() {
    for path in files() {
        let text = std::fs::read(&path).unwrap();
        let mut context = Context::new();
        let begin = Instant::now();
        let module = parse_module(&mut context, &text, &ParseOptions::for_file("a.mlir")).unwrap();
        let parse = begin.elapsed();
        let operations = module.operation_slots();
        let bytes = write(&context, &module);
        read(&mut Context::new(), &bytes);
        let best = |mut run: Box<dyn FnMut()>| {
            (0..7)
                .map(|_| {
                    let begin = Instant::now();
                    run();
                    begin.elapsed()
                })
                .min()
                .unwrap()
        };
        let source = rmlir_format::Source::from(bytes.clone());
        let reading = best(Box::new(move || {
            let options = ReadOptions::default();
            drop(read_module(&mut Context::new(), &source, &options).unwrap());
        }));
        let len = bytes.len();
        let (context, module) = (context, module);
        let writing = best(Box::new(move || drop(write(&context, &module))));
        let each = |time: std::time::Duration| time.as_nanos() / operations as u128;
        println!(
            "{path}: {operations} operations, {} bytes of text, {len} of rmbc; parse {parse:?}, \
             write {writing:?} ({} ns each), read {reading:?} ({} ns each)",
            text.len(),
            each(writing),
            each(reading)
        );
    }
}
