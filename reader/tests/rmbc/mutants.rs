//! Tests randomly mutated files.

use super::hostile::{refusal, sample_files, try_read};
use super::raw::{Sections, put_together, take_apart};
use super::{dump, write};
use rmlir_format::varint::write_varint;
use rmlir_format::{Error, Source};
use rmlir_ir::{
    Context, EqualityOptions, Module, VerifyOptions, nested_symbols, semantic_difference, verify,
};
use rmlir_reader::events::ModuleBuilder;
use rmlir_reader::lazy::LazyFile;
use rmlir_reader::rmbc::{File, ReadOptions, read_module_from_slice};
use rmlir_testing::Prng;
use rmlir_testing::value_and_block_names;

const INTERESTING: [u8; 14] = [0, 1, 2, 3, 63, 64, 127, 128, 191, 192, 247, 248, 254, 255];

fn mutate(bytes: &mut Vec<u8>, prng: &mut Prng) {
    let at = prng.below(bytes.len());
    let len = prng.below(8).min(bytes.len() - at);
    match prng.below(7) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << prng.below(8),
        1 if !bytes.is_empty() => bytes[at] = INTERESTING[prng.below(INTERESTING.len())],
        2 if !bytes.is_empty() => bytes[at] = prng.below(256) as u8,
        3 => drop(bytes.drain(at..at + len)),
        4 => {
            let copy = bytes[at..at + len].to_vec();
            let to = prng.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        5 if !bytes.is_empty() => bytes[at] = bytes[at].wrapping_add(1),
        _ => {
            let mut number = Vec::new();
            let shift = prng.below(64);
            write_varint(&mut number, u64::MAX >> shift);
            bytes.splice(at..at + len, number);
        }
    }
}

/// Reads each symbol of a file alone, and compares it with the symbol extracted from the whole
/// module, if that could be read. Returns the number of symbols, and of those that could be read,
/// or the first error.
fn read_parts(bytes: &[u8], whole: Option<(&Context, &Module)>) -> Result<(usize, usize), Error> {
    let context = Context::new();
    let file = File::new(&context, Source::from(bytes), &ReadOptions::default())?;
    let symbols = file.symbols()?;
    let expected = whole.map(|(context, module)| {
        let found = nested_symbols(context, module);
        assert_eq!(found.len(), symbols.len(), "the number of symbols");
        found
    });
    let mut modules = 0;
    let mut other = Context::new();
    let mut number = 0;
    file.read_symbols(
        &mut other,
        &mut symbols.iter().cloned(),
        &mut |context, _, read| {
            if let Ok((module, operation)) = read {
                // A module that was read can be written.
                write(context, &module);
                if let (Some(expected), Some((whole_context, whole))) = (&expected, whole) {
                    let options = EqualityOptions { locations: true };
                    let left = (&*context, &module, operation);
                    let right = (whole_context, whole, expected[number].operation);
                    let difference = semantic_difference(left, right, &options);
                    assert!(difference.is_none(), "{difference:?}");
                }
                modules += 1;
            }
            number += 1;
            std::ops::ControlFlow::Continue(())
        },
    )?;
    Ok((symbols.len(), modules))
}

/// Returns whether verification accepts a file that was read as a module.
fn is_verified(bytes: &[u8], context: &Context, module: &Module) -> bool {
    let file = File::new(
        &Context::new(),
        Source::from(bytes),
        &ReadOptions::default(),
    );
    let verified = file.and_then(|file| {
        file.verify()?;
        file.verify_index(context, module)
    });
    verified.is_ok()
}

/// Visits a file by events, requesting everything, with and without its tables, and compares with
/// the module read whole, if that could be read. Returns whether the visits had no error.
fn visit(bytes: &[u8], whole: Option<(&Context, &Module)>) -> bool {
    let with_tables = [false, true];
    let visited = with_tables.map(|with_tables| {
        let mut context = Context::new();
        let file = File::new(&context, Source::from(bytes), &ReadOptions::default());
        let mut builder = ModuleBuilder::default();
        builder.keep_names(true);
        let visited = file.and_then(|file| match with_tables {
            false => file.visit(&mut context, &mut builder),
            true => {
                let items = file.visit_with_tables(&mut context, &mut builder)?;
                if let Some((_, whole)) = whole {
                    let resources = whole.provenance.resources.len();
                    assert_eq!(items.resources.len(), resources);
                }
                Ok(())
            }
        });
        if visited.is_err() {
            return false;
        }
        // A file that is visited defines what it uses.
        let module = builder.finish().unwrap();
        if let Some((whole_context, whole)) = whole {
            let options = EqualityOptions { locations: true };
            let (left, right) = (
                (&context, &module, module.top()),
                (whole_context, whole, whole.top()),
            );
            let difference = semantic_difference(left, right, &options);
            assert!(difference.is_none(), "{difference:?}");
            assert_eq!(
                value_and_block_names(&context, &module),
                value_and_block_names(whole_context, whole)
            );
        }
        true
    });
    visited == [true; 2]
}

/// Events have the names of the values and blocks of a file.
#[test]
fn events_have_names() {
    let mut named = 0;
    for file in sample_files() {
        let (context, module) = try_read(&file).unwrap();
        assert!(visit(&file, Some((&context, &module))));
        named += value_and_block_names(&context, &module)
            .iter()
            .flatten()
            .count();
    }
    assert!(named > 20, "{named}");
}

/// Checks that each mutant is rejected, or is a module that can be verified, written and read
/// again; that events and lazy reading agree with the eager reader; and that they read what the
/// verification of a file accepts. Returns the numbers of accepted mutants, of those that the
/// verifier of modules accepts, and of those that the verification of files accepts.
fn run_mutants(seed: u64, count: usize) -> [usize; 3] {
    let files: Vec<Sections> = sample_files().iter().map(|f| take_apart(f)).collect();
    let mut prng = Prng::new(seed);
    let (mut accepted, mut verified, mut checked) = (0, 0, 0);
    for number in 0..count {
        let mut sections = files[prng.below(files.len())].clone();
        for _ in 0..=prng.below(3) {
            let index = prng.below(sections.len());
            mutate(&mut sections[index].3, &mut prng);
        }
        let bytes = put_together(&sections);
        let Ok((context, module)) = try_read(&bytes) else {
            refusal(&bytes);
            // Parts of it may be readable nevertheless.
            drop(read_parts(&bytes, None));
            visit(&bytes, None);
            continue;
        };
        // Reading parts fails, or yields what reading the whole does. So do events. What verify
        // accepts is read by all.
        let symbols = read_parts(&bytes, Some((&context, &module)));
        let visited = visit(&bytes, Some((&context, &module)));
        if is_verified(&bytes, &context, &module) {
            checked += 1;
            let symbols = symbols.unwrap_or_else(|error| {
                panic!("mutant {number} of seed {seed}: parts of a verified file: {error}")
            });
            assert_eq!(symbols.0, symbols.1, "mutant {number} of seed {seed}");
            assert!(visited, "mutant {number} of seed {seed}: events");
        }
        accepted += 1;
        // No definition is loaded, so only structural rules are checked.
        verified +=
            usize::from(verify(&context, &module, module.top(), &VerifyOptions::default()).is_ok());
        let written = write(&context, &module);
        let mut other = Context::new();
        let again = read_module_from_slice(&mut other, &written, &ReadOptions::default()).unwrap();
        let twice = write(&other, &again);
        if twice != written {
            for (a, b) in take_apart(&written).iter().zip(take_apart(&twice)) {
                assert_eq!(*a, b, "mutant {number} of seed {seed}");
            }
        }
        assert!(twice == written, "mutant {number} of seed {seed}");
        let (a, b) = (dump::dump(&context, &module), dump::dump(&other, &again));
        if let Some((a, b)) = a.lines().zip(b.lines()).find(|(a, b)| a != b) {
            panic!("mutant {number} of seed {seed}: {a}\nis written and read as {b}");
        }
        assert_eq!(a.len(), b.len(), "mutant {number} of seed {seed}");
    }
    [accepted, verified, checked]
}

/// Checks that all mutants whose checksums are not repaired are rejected.
fn run_raw_mutants(seed: u64, count: usize) {
    let files = sample_files();
    let mut prng = Prng::new(seed);
    for number in 0..count {
        let file = &files[prng.below(files.len())];
        let mut bytes = file.clone();
        for _ in 0..=prng.below(3) {
            mutate(&mut bytes, &mut prng);
        }
        if bytes != *file {
            let error = match try_read(&bytes) {
                Err(error) => error,
                Ok(_) => panic!("mutant {number} of seed {seed} was accepted"),
            };
            assert!(error.offset().is_some() || error.section().is_some());
        }
    }
}

/// Returns the number of mutants.
fn mutant_count(least: usize) -> usize {
    std::env::var("RMLIR_MUTANTS").map_or(least, |count| count.parse().unwrap())
}

#[test]
fn mutants_do_no_harm() {
    // Few in debug builds; optimised builds test more.
    let count = mutant_count(if cfg!(debug_assertions) {
        1_000
    } else {
        20_000
    });
    let [accepted, verified, checked] = run_mutants(1, count);
    println!(
        "{accepted} of {count} mutants accepted, {verified} of them by the verifier, {checked} as files"
    );
    assert!(
        checked > count / 80,
        "{checked} files verified: the mutations are too rough"
    );
    assert!(
        accepted > count / 40,
        "{accepted} accepted: the mutations are too rough"
    );
}

#[test]
fn raw_mutants_are_refused() {
    run_raw_mutants(3, mutant_count(20_000));
}
