//! Tests that memory is bounded by the bytes of the input: 1 MiB, 1 MiB for each dialect whose
//! definition is loaded, and a constant for each byte, in addition to the expansion budget.
//!
//! The allocator counts for the whole process, hence a single test.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

use peak_alloc::PeakAlloc;
use rmlir::dialects::{BundledDialects, register_all};
use rmlir::format::rmbc::section;
use rmlir::format::{Container, ContainerWriter, Limits, Threads};
use rmlir::ir::Context;
use rmlir::ir::definition::DialectSource;
use rmlir::reader::rmbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, parse_module};
use rmlir::writer::rmbc::{WriteOptions, write_module};
use rmlir_testing::Prng;
use rmlir_testing::hostile as rules;
use std::path::PathBuf;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory that every read may take.
const BASE: usize = 1 << 20;
/// The additional memory for loading the definition of a dialect; torch's, the largest, takes 3.3
/// MB together with the read, 0.2 MB of which are its text, which is compressed in the program.
const DEFINITION: usize = 9 << 18;
/// The additional memory for each byte of a text; the observed maximum is 104, for `[`, which opens
/// an attribute.
const TEXT_BYTE: usize = 256;
/// The additional memory for each byte of bytecode.
const BYTECODE_BYTE: usize = 256;

fn new_context() -> Context {
    let mut context = Context::new();
    register_all(&mut context);
    context
}

/// Returns the peak memory in bytes while `run` runs, relative to that before.
fn peak(run: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    run();
    ALLOCATOR.peak_usage().saturating_sub(before)
}

/// Changes some bytes, preferably numbers.
fn mutate(bytes: &mut Vec<u8>, prng: &mut Prng) {
    const INTERESTING: [u8; 10] = [0, 1, 2, 127, 128, 191, 192, 248, 254, 255];
    for _ in 0..=prng.below(4) {
        let at = prng.below(bytes.len());
        let len = prng.below(12).min(bytes.len() - at);
        match prng.below(4) {
            0 if !bytes.is_empty() => bytes[at] = INTERESTING[prng.below(INTERESTING.len())],
            1 => drop(bytes.drain(at..at + len)),
            2 => drop(bytes.splice(at..at, b"99999999".iter().copied())),
            _ => {
                let copy = bytes[at..at + len].to_vec();
                let to = prng.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
        }
    }
}

/// The worst ratio of memory beyond the base to input bytes.
#[derive(Default)]
struct Worst {
    ratio: usize,
    name: String,
}

impl Worst {
    fn note(&mut self, name: &str, peak: usize, len: usize, limit: usize) {
        let above = peak.saturating_sub(BASE);
        assert!(
            above <= limit * len,
            "{name}: {peak} bytes for {len}, which is more than {limit} each"
        );
        let ratio = above / len.max(1);
        if ratio > self.ratio {
            (self.ratio, self.name) = (ratio, name.to_owned());
        }
    }
}

/// Reads a text, and the bytecode written from it; the sizes of text and bytecode bound the memory.
fn read(name: &str, text: &[u8], worst: &mut [Worst; 2]) {
    let mut bytecode = Vec::new();
    let mut options = ParseOptions::default();
    // No expansion budget.
    options.max_shared_entities = 0;
    options.keep_names = true;
    let taken = peak(|| {
        let mut context = new_context();
        if let Ok(module) = parse_module(&mut context, text, &options) {
            bytecode =
                write_module(&context, &module, &WriteOptions::default()).unwrap_or_default();
        }
    });
    worst[0].note(name, taken, text.len() + bytecode.len(), TEXT_BYTE);
    read_bytecode(name, &bytecode, worst);
}

fn read_bytecode(name: &str, bytecode: &[u8], worst: &mut [Worst; 2]) {
    let mut options = ReadOptions::default();
    options.limits.max_shared_entities = 0;
    options.limits.max_shared_entities_per_byte = 1;
    options.limits.max_shared_entities_per_content_byte = 1;
    for threads in [1, 2] {
        options.threads = Threads::new(threads);
        let taken = peak(|| {
            let mut context = new_context();
            drop(read_module_from_slice(&mut context, bytecode, &options));
        });
        worst[1].note(name, taken, bytecode.len(), BYTECODE_BYTE);
    }
}

#[test]
fn memory_is_paid_for() {
    for namespace in BundledDialects.namespaces() {
        let text = format!("\"{}.x\"() : () -> ()", &*namespace);
        let taken = peak(|| {
            let mut context = new_context();
            drop(parse_module(
                &mut context,
                text.as_bytes(),
                &ParseOptions::default(),
            ));
        });
        assert!(taken <= BASE + DEFINITION, "{text}: {taken} bytes");
    }
    let mut worst = [Worst::default(), Worst::default()];
    // In optimised builds large enough that the base memory is negligible.
    let (deep, wide, square) = match cfg!(debug_assertions) {
        true => (2_000, 2_000, 100),
        false => (20_000, 20_000, 300),
    };
    for (rules, size) in [
        (rules::DEEP, deep),
        (rules::DOUBLING, 200),
        (rules::WIDE, wide),
        (rules::MULTIPLYING, square),
    ] {
        for (name, make) in rules {
            read(name, make(size).as_bytes(), &mut worst);
        }
    }
    for (name, make, _) in rules::BAD {
        read(name, make(wide).as_bytes(), &mut worst);
    }
    // Mutants of small files.
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut prng = Prng::new(7);
    let mut texts = Vec::new();
    for folder in [folder.join("attacks"), folder.join("fuzz/seeds")] {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
            .collect();
        files.sort();
        texts.extend(files.into_iter().map(|file| std::fs::read(file).unwrap()));
    }
    let count = if cfg!(debug_assertions) { 100 } else { 20_000 };
    for number in 0..count {
        let mut text = texts[prng.below(texts.len())].clone();
        mutate(&mut text, &mut prng);
        read(&format!("mutant {number}"), &text, &mut worst);
    }
    // Mutants of bytecode with valid checksums.
    let mut seeds = Vec::new();
    for text in &texts {
        let mut context = new_context();
        if let Ok(module) = parse_module(&mut context, text, &ParseOptions::default()) {
            seeds.extend(write_module(&context, &module, &WriteOptions::default()).ok());
        }
    }
    assert!(seeds.len() > 10);
    for number in 0..count {
        let seed = &seeds[prng.below(seeds.len())];
        let container = Container::parse(seed, &Limits::default(), section::name).unwrap();
        let mut sections: Vec<(u16, bool, Option<u32>, Vec<u8>)> = container
            .sections()
            .map(|s| {
                let bytes = s.bytes().unwrap().into_owned();
                (s.kind(), s.is_required(), s.alignment_log(), bytes)
            })
            .collect();
        let at = prng.below(sections.len());
        mutate(&mut sections[at].3, &mut prng);
        let mut writer = ContainerWriter::new();
        writer.set_dictionary(true);
        for (kind, required, alignment, bytes) in &sections {
            match (alignment, required) {
                (Some(log), _) => writer.add_aligned(*kind, *log, bytes.as_slice()).unwrap(),
                (None, true) => writer.add_required(*kind, bytes.as_slice()).unwrap(),
                (None, false) => writer.add_optional(*kind, bytes.as_slice()).unwrap(),
            }
        }
        let name = format!("mutant {number} of bytecode");
        read_bytecode(&name, &writer.finish(), &mut worst);
    }
    println!(
        "most for a byte of text: {} ({}); of bytecode: {} ({})",
        worst[0].ratio, worst[0].name, worst[1].ratio, worst[1].name
    );
}
