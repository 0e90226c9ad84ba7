//! Bytes that no writer made.

use super::{dump, parse, read, samples, write};
use rmlir_format::rmbc::{section, tag};
use rmlir_format::varint::write_varint;
use rmlir_format::{Container, ContainerWriter, Error, ErrorKind, Limits, Source};
use rmlir_ir::{Context, Module};
use rmlir_reader::rmbc::{ReadOptions, read_module, read_module_from_slice};
use rmlir_writer::rmbc::{WriteOptions, write_module};

fn sample_files() -> Vec<Vec<u8>> {
    let mut context = Context::new();
    let mut files: Vec<Vec<u8>> = samples::ALL
        .iter()
        .map(|text| {
            let module = parse(&mut context, text);
            write(&context, &module)
        })
        .collect();
    let module = parse(&mut context, &samples::ALL.concat());
    files.push(write(&context, &module));
    files
}

fn try_read(bytes: &[u8]) -> Result<(Context, Module), Error> {
    let mut context = Context::new();
    let module = read_module(&mut context, &Source::from(bytes), &ReadOptions::default())?;
    Ok((context, module))
}

#[track_caller]
fn refusal(bytes: &[u8]) -> Error {
    let error = match try_read(bytes) {
        Err(error) => error,
        Ok(_) => panic!("it was accepted"),
    };
    assert!(
        error.offset().is_some() && error.section().is_some(),
        "no place: {error}"
    );
    error
}

#[test]
fn every_truncation_is_refused() {
    for file in sample_files() {
        for len in 0..file.len() {
            refusal(&file[..len]);
        }
        let mut longer = file.clone();
        longer.push(0);
        refusal(&longer);
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    for file in sample_files() {
        let mut damaged = file.clone();
        for bit in 0..file.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            refusal(&damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(damaged, file);
    }
}

type Sections = Vec<(u16, bool, Vec<u8>)>;

/// The sections of a file, and whether each is required.
fn take_apart(bytes: &[u8]) -> Sections {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    container
        .sections()
        .map(|s| (s.kind(), s.is_required(), s.bytes_unverified().to_vec()))
        .collect()
}

/// A file with right checksums.
fn put_together(sections: &[(u16, bool, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    for (kind, required, bytes) in sections {
        if *required {
            writer.add_required(*kind, bytes.as_slice()).unwrap();
        } else {
            writer.add_optional(*kind, bytes.as_slice()).unwrap();
        }
    }
    writer.finish()
}

#[test]
fn sections_come_and_go() {
    let file = sample_files().pop().unwrap();
    let sections = take_apart(&file);
    assert_eq!(put_together(&sections), file);
    assert_eq!(sections.len(), 9);
    let expected = try_read(&file).unwrap();
    for index in 0..sections.len() {
        let mut some = sections.clone();
        let (kind, ..) = some.remove(index);
        let without = put_together(&some);
        if kind == section::PROVENANCE {
            let (_, module) = try_read(&without).unwrap();
            assert!(module.provenance.resources.is_empty());
        } else {
            refusal(&without);
        }
        some.push((kind, true, sections[index].2.clone()));
        // In another order.
        let (context, module) = try_read(&put_together(&some)).unwrap();
        assert_eq!(
            dump::dump(&context, &module),
            dump::dump(&expected.0, &expected.1)
        );
        some.last_mut().unwrap().2.push(0);
        refusal(&put_together(&some));
    }
    let mut more = sections.clone();
    more.push((999, false, b"anything".to_vec()));
    try_read(&put_together(&more)).unwrap();
    more.last_mut().unwrap().1 = true;
    let error = refusal(&put_together(&more));
    assert_eq!(error.kind(), ErrorKind::UnknownSection);
    let error = refusal(&put_together(&[]));
    assert_eq!(error.kind(), ErrorKind::MissingSection);
}

/// SplitMix64.
struct Prng(u64);

impl Prng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

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

/// Mutants are refused, or are modules that can be written and read again. Gives how many were accepted.
fn run_mutants(seed: u64, count: usize) -> usize {
    let files: Vec<Sections> = sample_files().iter().map(|f| take_apart(f)).collect();
    let mut prng = Prng(seed);
    let mut accepted = 0;
    for number in 0..count {
        let mut sections = files[prng.below(files.len())].clone();
        for _ in 0..=prng.below(3) {
            let index = prng.below(sections.len());
            mutate(&mut sections[index].2, &mut prng);
        }
        let bytes = put_together(&sections);
        let Ok((context, module)) = try_read(&bytes) else {
            refusal(&bytes);
            continue;
        };
        accepted += 1;
        let written = write(&context, &module);
        let mut other = Context::new();
        let again = read_module_from_slice(&mut other, &written, &ReadOptions::default()).unwrap();
        assert!(
            write(&other, &again) == written,
            "mutant {number} of seed {seed}"
        );
        assert_eq!(dump::dump(&context, &module), dump::dump(&other, &again));
    }
    accepted
}

#[test]
fn mutants_do_no_harm() {
    let accepted = run_mutants(1, 4_000);
    assert!(
        accepted > 100,
        "{accepted} accepted: the mutations are too rough"
    );
}

/// `RMLIR_MUTANTS=200000 cargo test --release -p rmlir-reader --test rmbc -- --ignored many_mutants --nocapture`
#[test]
#[ignore = "takes long"]
fn many_mutants() {
    let count = std::env::var("RMLIR_MUTANTS").map_or(200_000, |n| n.parse().unwrap());
    println!("{} of {count} accepted", run_mutants(2, count));
}

/// A file made by hand, from the lists of its sections' entries.
#[derive(Default)]
struct Raw {
    strings: Vec<Vec<u8>>,
    names: Vec<u8>,
    entries: Vec<Vec<u8>>,
    operations: Vec<u8>,
}

fn varint(value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write_varint(&mut out, value);
    out
}

impl Raw {
    /// Strings `n` and more, of which the first names an operation, and one operation with nothing.
    fn new() -> Self {
        Raw {
            strings: vec![b"n".to_vec()],
            names: vec![0],
            entries: Vec::new(),
            operations: vec![0, 1, 0, 0, 0, 0, 0],
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut strings = varint(self.strings.len() as u64);
        for string in &self.strings {
            strings.extend(varint(string.len() as u64));
            strings.extend(string);
        }
        let mut names = varint(self.names.len() as u64);
        names.extend(&self.names);
        let mut entries = varint(self.entries.len() as u64);
        entries.extend(self.entries.concat());
        put_together(&[
            (section::STRINGS, true, strings),
            (section::OPERATION_NAMES, true, names),
            (section::ENTRIES, true, entries),
            (section::OPERATIONS, true, self.operations.clone()),
        ])
    }
}

#[test]
fn a_file_by_hand() {
    let (context, module) = try_read(&Raw::new().bytes()).unwrap();
    assert_eq!(
        context.operation_name_bytes(module.name(module.top())),
        b"n"
    );
}

#[test]
fn small_entries_cannot_stand_for_much() {
    // Integers of 2 MiB each, in a byte.
    let mut raw = Raw::new();
    let mut wide = vec![tag::SIGNLESS_TYPE];
    wide.extend(varint((1 << 24) - 1));
    raw.entries = vec![wide];
    raw.entries
        .extend((0..100).map(|i| vec![tag::INTEGER, 0, i]));
    assert_eq!(refusal(&raw.bytes()).kind(), ErrorKind::Truncated);

    // Two long strings, compared over and over.
    let mut raw = Raw::new();
    let long = vec![b'a'; 1 << 20];
    raw.strings
        .extend([[&long[..], b"1"].concat(), [&long[..], b"2"].concat()]);
    raw.entries = vec![vec![tag::UNIT]];
    raw.entries
        .extend((0..5_000).map(|_| vec![tag::DICTIONARY, 2, 1, 0, 2, 0]));
    assert_eq!(refusal(&raw.bytes()).kind(), ErrorKind::Limit);
    // Unsorted ones are refused before anything sorts them.
    let pairs = [1, 0, 2, 0].repeat(50_000);
    raw.entries.truncate(1);
    raw.entries
        .push([vec![tag::DICTIONARY], varint(100_000), pairs].concat());
    assert!(refusal(&raw.bytes()).message().contains("do not ascend"));

    // A long name of many operations.
    let mut raw = Raw::new();
    raw.strings = vec![long];
    raw.names = vec![0; 100_000];
    assert!(refusal(&raw.bytes()).message().contains("two operations"));

    // The dimensions of one type, multiplied over and over.
    let mut raw = Raw::new();
    let rank = 1 << 20;
    let shape = [
        vec![tag::RANKED_TENSOR_TYPE, 0, 0],
        varint(rank),
        vec![2; rank as usize],
    ]
    .concat();
    raw.entries = vec![vec![tag::SIGNLESS_TYPE, 8], shape];
    raw.entries
        .extend((0..5_000).map(|i: u32| vec![tag::DENSE_SPLAT, 1, 1, i as u8]));
    let mut options = ReadOptions::default();
    options.limits.max_shared_entities = 1 << 18;
    let error = read_module_from_slice(&mut Context::new(), &raw.bytes(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn announcements_are_checked_all_in_all() {
    // Each level announces as many blocks as bytes are left, and begins one of them.
    let mut raw = Raw::new();
    let mut nested = Vec::new();
    let levels = 20_000u64;
    for level in 0..levels {
        nested.extend([0, 8, 1]); // an operation with one region
        nested.extend(varint(2 * (levels - level))); // blocks
        nested.extend([0, 1]); // no argument, one operation
    }
    raw.operations = vec![0];
    for total in [levels, levels, 3 * levels, 0] {
        raw.operations.extend(varint(total));
    }
    raw.operations.extend(nested);
    let error = refusal(&raw.bytes());
    assert!(error.message().contains("more blocks"), "{error}");

    // The same with regions.
    let mut nested = Vec::new();
    for _ in 0..levels {
        nested.extend([0, 8]);
        nested.extend(varint(10_000));
        nested.extend([1, 0, 1]);
    }
    raw.operations = vec![0];
    for total in [levels, 3 * levels, levels, 0] {
        raw.operations.extend(varint(total));
    }
    raw.operations.extend(nested);
    let error = refusal(&raw.bytes());
    assert!(error.message().contains("more regions"), "{error}");
}

#[test]
fn limits_are_kept() {
    let mut context = Context::new();
    let module = parse(
        &mut context,
        "%a:5 = \"t.op\"() : () -> (i1, i1, i1, i1, i1)",
    );
    let bytes = write(&context, &module);
    let mut options = ReadOptions::default();
    options.limits.max_values_per_op = 4;
    let error = read_module_from_slice(&mut context, &bytes, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.section(), Some("operations"));
    options.limits.max_values_per_op = 5;
    read_module_from_slice(&mut context, &bytes, &options).unwrap();
}

#[test]
fn values_are_defined_once_and_all() {
    let mut raw = Raw::new();
    raw.entries = vec![vec![tag::INDEX_TYPE], vec![tag::UNIT]];
    // One operation with one operand and one result: its own.
    let operation =
        |totals: [u8; 4], flags: u8, rest: &[u8]| [&[0][..], &totals, &[0, flags], rest].concat();
    raw.operations = operation([1, 0, 0, 1], 1 << 4 | 1 << 6, &[0, 0]);
    let (context, module) = try_read(&raw.bytes()).unwrap();
    let result = module.result(module.top(), 0).unwrap();
    assert_eq!(module.operand(module.top(), 0), Some(result));
    assert_eq!(module.value_type(result), context.index_type());

    for (operations, message) in [
        // The value before and the value behind the only one.
        (
            operation([1, 0, 0, 1], 1 << 4 | 1 << 6, &[2, 0]),
            "never defined",
        ),
        (
            operation([1, 0, 0, 1], 1 << 4 | 1 << 6, &[1, 0]),
            "never defined",
        ),
        (operation([1, 0, 0, 0], 1 << 4, &[0]), "more values"),
        (operation([1, 0, 0, 2], 1 << 4, &[0, 0]), "nothing may"),
        (operation([1, 0, 0, 1], 0, &[]), "values are missing"),
        (operation([1, 0, 0, 1], 1 << 6, &[0]), "values are missing"),
        (operation([2, 0, 0, 0], 0, &[0, 0]), "nothing may"),
        (operation([1, 0, 0, 1], 1 << 4, &[1]), "no type"),
        (operation([1, 0, 0, 0], 1, &[1]), "no dictionary"),
        (operation([1, 0, 0, 0], 2, &[0]), "no attribute"),
        (operation([1, 0, 0, 0], 4, &[1, 0]), "block #0"),
        (operation([1, 0, 0, 0], 4, &[0]), "no successors"),
        (operation([1, 0, 0, 0], 8, &[0]), "no regions"),
        (
            operation([1, 0, 0, 1], 3 << 4, &[1, 0]),
            "more bytes than they need",
        ),
    ] {
        raw.operations = operations;
        let error = refusal(&raw.bytes());
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn entries_refer_backwards_and_to_the_right_sort() {
    for (entries, message) in [
        (vec![vec![tag::COMPLEX_TYPE, 0]], "entry #0 is not there"),
        (
            vec![vec![tag::COMPLEX_TYPE, 1], vec![tag::INDEX_TYPE]],
            "entry #1 is not there",
        ),
        (vec![vec![tag::UNIT], vec![tag::COMPLEX_TYPE, 0]], "no type"),
        (
            vec![vec![tag::INDEX_TYPE], vec![tag::COMPLEX_TYPE, 0]],
            "invalid element type",
        ),
        (
            vec![vec![tag::INDEX_TYPE], vec![tag::ARRAY, 1, 0]],
            "no attribute",
        ),
        (
            vec![vec![tag::INDEX_TYPE], vec![tag::LOCATION, 0]],
            "no location",
        ),
        (
            vec![vec![tag::UNKNOWN_LOCATION], vec![tag::ARRAY, 1, 0]],
            "no attribute",
        ),
        (vec![vec![tag::FLOAT_TYPE, 18]], "no float type #18"),
        (vec![vec![16]], "begins with the byte 16"),
        (vec![vec![tag::STRING, 7, 0]], "string #7"),
        (
            vec![vec![tag::SIGNLESS_TYPE, 3], vec![tag::INTEGER, 0, 8]],
            "does not fit",
        ),
        (
            vec![
                vec![tag::SIGNLESS_TYPE, 65],
                [&[tag::INTEGER, 0][..], &[0xff; 9]].concat(),
            ],
            "does not fit",
        ),
        (
            vec![vec![tag::UNIT], vec![tag::DICTIONARY, 2, 0, 0, 0, 0]],
            "do not ascend",
        ),
        (vec![vec![tag::DENSE_RESOURCE, 0, 0]], "entry #0"),
        (
            vec![vec![tag::AFFINE_MAP, 0, 0, 1, 0]],
            "affine expression #0",
        ),
        (
            vec![vec![tag::FILE_RANGE, 0, 1, 1, 1, 1]],
            "ends where it starts",
        ),
        (
            vec![vec![tag::DIALECT_TYPE, 0, 1, b'x', 1, 2, 0]],
            "behind the text",
        ),
        (
            vec![
                vec![tag::INDEX_TYPE],
                vec![tag::SCALABLE_VECTOR_TYPE, 0, 1, 5, 2],
            ],
            "scalable",
        ),
        (
            vec![
                vec![tag::INDEX_TYPE],
                vec![tag::SCALABLE_VECTOR_TYPE, 0, 1, 5, 0],
            ],
            "scalable",
        ),
    ] {
        let raw = Raw {
            entries,
            ..Raw::new()
        };
        let error = refusal(&raw.bytes());
        assert!(error.message().contains(message), "{error}");
        assert_eq!(error.section(), Some("types and attributes"));
    }
}

#[test]
fn errors_say_where() {
    let mut raw = Raw::new();
    raw.entries = vec![vec![tag::UNIT], vec![tag::COMPLEX_TYPE, 0]];
    let bytes = raw.bytes();
    let at = bytes
        .windows(2)
        .rposition(|window| window == [tag::COMPLEX_TYPE, 0])
        .unwrap()
        + 1;
    assert_eq!(
        refusal(&bytes).to_string(),
        format!(
            "the entry is no type, as it should be (section types and attributes, offset {at:#x}), \
             while reading entry #1"
        )
    );
}

#[test]
fn a_failed_reading_leaves_a_context_that_works() {
    let mut context = Context::new();
    let file = sample_files().pop().unwrap();
    let mut sections = take_apart(&file);
    let operations = sections
        .iter_mut()
        .find(|s| s.0 == section::OPERATIONS)
        .unwrap();
    operations.2.pop();
    let damaged = put_together(&sections);
    read_module_from_slice(&mut context, &damaged, &ReadOptions::default()).unwrap_err();
    let module = read(&mut context, &file);
    assert!(write_module(&context, &module, &WriteOptions::default()).unwrap() == file);
}
