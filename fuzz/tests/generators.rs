//! Runs each fuzz function with a fixed set of inputs.
//!
//! `RMLIR_MUTANTS` overrides the number of generated inputs, which is ten times as large for
//! optimised code, and `RMLIR_SEED` the seed.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use rmlir_testing::Prng;
use std::path::PathBuf;

/// Returns the texts of `seeds/`, in the order of their names.
fn seeds() -> Vec<Vec<u8>> {
    seeds_of("mlir")
}

/// Returns the files of `seeds/` with an extension, in the order of their names.
fn seeds_of(extension: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// Returns the definitions of `seeds/` and texts for them.
fn definitions() -> Vec<Vec<u8>> {
    seeds_of("dialect")
}

/// Returns a seed with some bytes changed, removed, duplicated, or taken from another seed.
fn mutated(prng: &mut Prng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut data = seeds[prng.below(seeds.len())].clone();
    for _ in 0..=prng.below(4) {
        let at = prng.below(data.len());
        let len = prng.below(16).min(data.len() - at);
        match prng.below(5) {
            0 if at < data.len() => data[at] = prng.next_u64() as u8,
            1 if at < data.len() => data[at] ^= 1 << prng.below(8),
            2 => drop(data.drain(at..at + len)),
            3 => {
                let copy = data[at..at + len].to_vec();
                let to = prng.below(data.len());
                data.splice(to..to, copy);
            }
            _ => {
                let other = &seeds[prng.below(seeds.len())];
                let from = prng.below(other.len());
                let end = (from + prng.below(32)).min(other.len());
                data.splice(at..at + len, other[from..end].iter().copied());
            }
        }
    }
    data
}

/// Runs `fuzz` on all seeds and on `count` mutated ones.
fn run(fuzz: impl Fn(&[u8]), count: u64) {
    let seeds = seeds();
    seeds.iter().for_each(|seed| fuzz(seed));
    run_on(fuzz, 0, count, |prng| mutated(prng, &seeds));
}

/// Runs `fuzz` on made inputs. `RMLIR_SEED` overrides the seed and `RMLIR_MUTANTS` their number; an
/// input that fails is written to the file that `RMLIR_FINDING` names.
fn run_on(fuzz: impl Fn(&[u8]), seed: u64, count: u64, make: impl Fn(&mut Prng) -> Vec<u8>) {
    let mut prng = Prng::new(number("RMLIR_SEED", seed));
    for _ in 0..mutants(count) {
        let data = make(&mut prng);
        let fuzz = std::panic::AssertUnwindSafe(|| fuzz(&data));
        if let Err(panic) = std::panic::catch_unwind(fuzz) {
            if let Some(file) = std::env::var_os("RMLIR_FINDING") {
                std::fs::write(file, &data).unwrap();
            }
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn seeds_parse() {
    for seed in seeds() {
        let parsed = rmlir::text::parse_module(
            &mut rmlir_fuzz::context(),
            &seed,
            &rmlir_fuzz::parse_options(),
        );
        assert!(parsed.is_ok(), "{}", parsed.err().unwrap());
    }
}

#[test]
fn lexer() {
    run(rmlir_fuzz::lexer, 2_000);
}

#[test]
fn parse() {
    run(rmlir_fuzz::parse, 1_000);
}

#[test]
fn text_fixpoint() {
    run(rmlir_fuzz::text_fixpoint, 500);
}

#[test]
fn builder() {
    run_on(rmlir_fuzz::builder, 1, 300, |prng| {
        let len = prng.below(600);
        (0..len).map(|_| prng.next_u64() as u8).collect()
    });
}

#[test]
fn rmbc_bytes() {
    let bytes = |seed: &Vec<u8>| {
        let mut context = rmlir_fuzz::context();
        let module = rmlir_fuzz::module(&mut context, seed).unwrap();
        rmlir::writer::rmbc::write_module(&context, &module, &Default::default()).unwrap()
    };
    let seeds: Vec<Vec<u8>> = seeds().iter().map(bytes).collect();
    seeds.iter().for_each(|seed| rmlir_fuzz::rmbc_bytes(seed));
    run_on(rmlir_fuzz::rmbc_bytes, 2, 1_000, |prng| {
        mutated(prng, &seeds)
    });
}

#[test]
fn rmbc_repaired() {
    run_on(rmlir_fuzz::rmbc_repaired, 3, 1_000, |prng| {
        let mut data = vec![prng.next_u64() as u8];
        data.extend((0..3 * prng.below(4)).map(|_| prng.next_u64() as u8));
        data
    });
}

#[test]
fn mlirbc_bytes() {
    // Upstream's bytecode of the seed texts, as far as upstream reads these.
    let seeds = seeds_of("mlirbc");
    for seed in &seeds {
        let mut context = rmlir_fuzz::context();
        let options = rmlir::reader::mlirbc::ReadOptions::default();
        rmlir::reader::mlirbc::read_module_from_slice(&mut context, seed, &options).unwrap();
        rmlir_fuzz::mlirbc_bytes(seed);
    }
    run_on(rmlir_fuzz::mlirbc_bytes, 4, 2_000, |prng| {
        mutated(prng, &seeds)
    });
}

type Target = fn(&[u8]);

/// Runs every input with which a fuzzer once found a defect.
#[test]
fn findings() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../attacks/findings");
    let targets: [(&str, Target); 11] = [
        ("unwrap", rmlir_fuzz::unwrap),
        ("lexer", rmlir_fuzz::lexer),
        ("parse", rmlir_fuzz::parse),
        ("text_fixpoint", rmlir_fuzz::text_fixpoint),
        ("builder", rmlir_fuzz::builder),
        ("rmbc_bytes", rmlir_fuzz::rmbc_bytes),
        ("rmbc_repaired", rmlir_fuzz::rmbc_repaired),
        ("mlirbc_bytes", rmlir_fuzz::mlirbc_bytes),
        ("mlirbc_differential", rmlir_fuzz::mlirbc_differential),
        ("definition", rmlir_fuzz::definition),
        ("definition_and_text", rmlir_fuzz::definition_and_text),
    ];
    let mut count = 0;
    for (name, fuzz) in targets {
        let Ok(files) = std::fs::read_dir(folder.join(name)) else {
            continue;
        };
        for file in files {
            fuzz(&std::fs::read(file.unwrap().path()).unwrap());
            count += 1;
        }
    }
    assert!(count > 0);
}

/// Compares with `mlir-opt` on mutants of the seeds and of the files in the folder that
/// `RMLIR_DIFFERENTIAL_SEEDS` names. `RMLIR_DIFFERENTIAL` overrides their number.
#[test]
fn mlir_opt_reads_the_same() {
    use std::collections::BTreeMap;
    let mut seeds = seeds_of("mlirbc");
    if let Some(folder) = std::env::var_os("RMLIR_DIFFERENTIAL_SEEDS") {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        seeds.extend(files.iter().map(|file| std::fs::read(file).unwrap()));
    }
    let count = std::env::var("RMLIR_DIFFERENTIAL").ok();
    let count: usize = count.map_or(20, |count| count.parse().unwrap());
    let mut prng = Prng::new(1);
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for _ in 0..count {
        let data = mutated(&mut prng, &seeds);
        match rmlir_fuzz::compare_with_mlir_opt(&data) {
            None => {
                println!("SKIPPED: mlir-opt-22 not found");
                return;
            }
            Some(Ok(comparison)) => *counts.entry(comparison).or_default() += 1,
            Some(Err(difference)) => failures.push(difference),
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Returns the texts of all dialects from the interoperability tests, each file whole.
fn interop_texts() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/interop");
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut texts: Vec<_> = entries.filter(|entry| entry.path().is_file()).collect();
    texts.sort_by_key(|entry| entry.file_name());
    let texts = texts
        .into_iter()
        .map(|entry| std::fs::read(entry.path()).unwrap());
    let texts: Vec<Vec<u8>> = texts.collect();
    assert!(texts.len() > 20, "{}", texts.len());
    texts
}

/// Returns the value of an environment variable that holds a number.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |number| number.parse().unwrap())
}

/// Returns the number of inputs to generate.
fn mutants(count: u64) -> u64 {
    let times = if cfg!(debug_assertions) { 1 } else { 10 };
    number("RMLIR_MUTANTS", count * times)
}

/// Tests whole texts, and damaged ones: `RMLIR_MUTANTS` overrides their number and `RMLIR_SEED` the
/// seed.
#[test]
fn texts_are_read_alike_on_threads() {
    let texts = interop_texts();
    let alike = |text: &[u8]| {
        let one = rmlir_fuzz::parse_on_threads(text, 1);
        let several = rmlir_fuzz::parse_on_threads(text, 3);
        assert!(one == several, "{}", String::from_utf8_lossy(text));
        one.is_ok()
    };
    assert!(texts.iter().all(|text| alike(text)));
    let mut prng = Prng::new(number("RMLIR_SEED", 0));
    for _ in 0..mutants(300) {
        alike(&mutated(&mut prng, &texts));
    }
}

/// Tests whole texts, and damaged ones as above.
#[test]
fn texts_of_all_dialects_come_back() {
    let texts = interop_texts();
    for text in &texts {
        rmlir_fuzz::text_fixpoint(text);
    }
    let mut prng = Prng::new(number("RMLIR_SEED", 0));
    let mut found = 0;
    for _ in 0..mutants(300) {
        let text = mutated(&mut prng, &texts);
        if std::panic::catch_unwind(|| rmlir_fuzz::text_fixpoint(&text)).is_err() {
            println!("{}\n", String::from_utf8_lossy(&text));
            found += 1;
        }
    }
    assert_eq!(found, 0);
}

#[test]
fn definitions_are_printed_as_themselves() {
    for seed in definitions() {
        let mark = seed.windows(8).position(|bytes| bytes == b"// -----");
        let text = std::str::from_utf8(&seed[..mark.unwrap_or(seed.len())]).unwrap();
        let read = rmlir::ir::DialectDefinition::parse(text, &rmlir::dialects::Hooks);
        assert!(read.is_ok(), "{read:?}");
    }
    let mut seeds = definitions();
    seeds.extend(seeds_of("json"));
    run_on(rmlir_fuzz::definition, 0, 3_000, |prng| {
        mutated(prng, &seeds)
    });
}

#[test]
fn texts_are_read_with_any_definition() {
    let seeds = definitions();
    for seed in &seeds {
        rmlir_fuzz::definition_and_text(seed);
    }
    run_on(rmlir_fuzz::definition_and_text, 0, 2_000, |prng| {
        mutated(prng, &seeds)
    });
}

/// Returns files of every container format with modules in them, and some inside of each other.
fn containers() -> Vec<Vec<u8>> {
    use rmlir_testing::wrapped::wrapped;
    let modules = seeds_of("mlirbc");
    let small = modules.iter().min_by_key(|module| module.len()).unwrap();
    let mut rmbc = rmlir::parse("module @m {}").unwrap();
    let rmbc = rmbc
        .to_bytes(rmlir::Form::Rmbc, &Default::default())
        .unwrap();
    let mut files: Vec<Vec<u8>> = Vec::new();
    for module in [small, &rmbc, &[small.as_slice(), &[0; 40], &rmbc].concat()] {
        files.extend(wrapped(module).into_iter().map(|file| file.bytes));
    }
    let inner = files[2].clone();
    files.extend(wrapped(&inner).into_iter().map(|file| file.bytes));
    let mut record = Vec::new();
    for (name, alignment) in [("a", 3), ("b", 6)] {
        let content = rmlir::embedded::Content::Rmbc;
        rmlir::embedded::record::write(&mut record, name, content, &rmbc, alignment);
    }
    files.extend(wrapped(&record).into_iter().map(|file| file.bytes));
    let mut strings = b"custom_call {backend_config = \"{\\22body\\22: \\22".to_vec();
    strings.extend(rmlir_testing::wrapped::base64(small).as_bytes());
    strings.extend(b"\\22}\", ir = \"ML\\EFR\\01\\00\"} 4D4CEF520D");
    files.push(strings);
    files
}

/// `RMLIR_MUTANTS` overrides the number of damaged containers, and `RMLIR_SEED` the seed.
#[test]
fn containers_are_searched() {
    let seeds = containers();
    for seed in &seeds {
        rmlir_fuzz::unwrap(seed);
    }
    let mut prng = Prng::new(number("RMLIR_SEED", 0));
    for _ in 0..mutants(3_000) {
        rmlir_fuzz::unwrap(&mutated(&mut prng, &seeds));
    }
}
