//! Measures the cost of reading one symbol of a file of native bytecode. For each file, prints one
//! line with medians over 100 symbols spread over the file, reopened each time, mapped and by
//! position: the seconds to open it, the seconds to open it, find and read the symbol, and the
//! bytes of the file that were touched. `scripts/bench.py` runs it.
#![allow(clippy::print_stdout)]
#![expect(unsafe_code, reason = "to map files")]

use rmlir::format::Source;
use rmlir::ir::Context;
use rmlir::reader::lazy::{LazyFile, SymbolPath};
use rmlir::reader::rmbc::{File, ReadOptions};
use std::error::Error;
use std::time::Instant;

const SYMBOLS: usize = 100;

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len() / 2).copied()
}

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let context = Context::new();
        let options = ReadOptions::default();
        // The symbols of the top, all over the file.
        let all = File::open(&context, &path, &options.clone())?.symbols()?;
        let paths: Vec<SymbolPath> = all.iter().map(|symbol| symbol.path.clone()).collect();
        let step = (paths.len() / SYMBOLS).max(1);
        let chosen: Vec<&SymbolPath> = paths.iter().step_by(step).take(SYMBOLS).collect();
        print!("{path}\t{} symbols", all.len());
        for is_mapped in [true, false] {
            let (mut opened, mut read, mut touched) = (Vec::new(), Vec::new(), Vec::new());
            for &symbol in &chosen {
                let start = Instant::now();
                let file = match is_mapped {
                    // SAFETY: nobody changes the file meanwhile.
                    true => File::new(&context, unsafe { Source::map(&path) }?, &options.clone())?,
                    false => File::open(&context, &path, &options.clone())?,
                };
                opened.push(start.elapsed().as_secs_f64());
                let mut into = Context::new();
                let start = Instant::now();
                let found = file.symbol(symbol)?.ok_or("a listed symbol is not found")?;
                let (module, _) = file.read_symbol(&mut into, &found)?;
                let seconds = start.elapsed().as_secs_f64();
                read.push(seconds + opened.last().copied().unwrap_or_default());
                touched.push(file.bytes_touched());
                assert!(module.operation_slots() > 1, "{symbol} is empty");
            }
            print!(
                "\t{:.9}\t{:.9}\t{}",
                median(opened).unwrap_or_default(),
                median(read).unwrap_or_default(),
                median(touched).unwrap_or_default()
            );
        }
        println!();
    }
    Ok(())
}
