//! Tests bytes that no writer produces.

use super::raw::{Raw, one, put_together, take_apart, varint};
use super::{dump, parse, read, samples, write};
use rmlir_format::rmbc::{section, tag};
use rmlir_format::{Error, ErrorKind, Limits, Source};
use rmlir_ir::{Context, Module};
use rmlir_reader::rmbc::{File, ReadOptions, read_module, read_module_from_slice};
use rmlir_writer::rmbc::write_module;

pub(super) fn sample_files() -> Vec<Vec<u8>> {
    let mut context = Context::new();
    let mut files: Vec<Vec<u8>> = samples::ALL
        .iter()
        .map(|text| {
            let module = parse(&mut context, text);
            write(&context, &module)
        })
        .collect();
    // A file with an index.
    let mut many = String::new();
    for number in 0..40 {
        many += &format!(
            "\"t.f\"() ({{ %c = \"t.c\"() {{n = {number} : i64}} : () -> i64\n {} }}) {{sym_name = \"f{number}\"}} : () -> ()\n",
            "\"t.r\"(%c) : (i64) -> ()\n".repeat(number)
        );
    }
    let module = parse(&mut context, &many);
    files.push(write(&context, &module));
    let module = parse(&mut context, &samples::ALL.concat());
    files.push(write(&context, &module));
    files
}

pub(super) fn try_read(bytes: &[u8]) -> Result<(Context, Module), Error> {
    let mut context = Context::new();
    let module = read_module(&mut context, &Source::from(bytes), &ReadOptions::default())?;
    Ok((context, module))
}

#[track_caller]
pub(super) fn refusal(bytes: &[u8]) -> Error {
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

/// Returns fifty files with a few operations each, half of them compressed, some with blobs and
/// fingerprints.
fn small_files() -> Vec<Vec<u8>> {
    const LINES: [&str; 8] = [
        "\"t.a\"() {n = 7 : i8, s = \"text\"} : () -> ()",
        "\"t.b\"() : () -> (i32, tensor<4x?xf32>)",
        "\"t.c\"() ({ ^bb0(%x: index): \"t.d\"(%x) : (index) -> () }) {sym_name = \"f\"} : () -> ()",
        "\"t.e\"() {a = dense<[1, 2, 3]> : tensor<3xi64>, m = affine_map<(d0) -> (d0 + 1)>} : () -> ()",
        "\"t.g\"() <{p = #d.attr<1, \"x\">, q = !d.type<i32>}> : () -> () loc(fused[\"a\":1:2, \"b\"])",
        "\"t.h\"() {b = dense_resource<blob> : tensor<4xi8>} : () -> ()",
        "\"t.i\"() {r = @a::@b, u, l = [1.5 : f64, true, [unit]]} : () -> ()",
        "\"t.j\"() ({ \"t.k\"()[^bb1] : () -> () ^bb1: \"t.l\"() : () -> () }) : () -> ()",
    ];
    let mut prng = rmlir_testing::Prng::new(5);
    (0..50)
        .map(|number| {
            let mut context = Context::new();
            let mut text = LINES[prng.below(LINES.len())].to_owned() + "\n";
            if number % 3 > 0 {
                text += LINES[prng.below(LINES.len())];
            }
            if text.contains("blob") {
                text += "\n{-# dialect_resources: {builtin: {blob: \"0x0800000001020304\"}} #-}";
            }
            let module = parse(&mut context, &text);
            let mut options = super::write_options();
            options.compression = (number % 2 == 1).then_some(19);
            options.hashes = number % 5 == 0;
            write_module(&context, &module, &options).unwrap()
        })
        .collect()
}

#[test]
fn every_flipped_bit_is_refused() {
    let small = small_files();
    assert_eq!(small.len(), 50);
    for file in sample_files().into_iter().chain(small) {
        let mut damaged = file.clone();
        for bit in 0..file.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            refusal(&damaged);
            // Verification of a lazily opened file detects it as well.
            let opened = File::new(
                &Context::new(),
                Source::from(damaged.clone()),
                &ReadOptions::default(),
            );
            assert!(opened.and_then(|file| file.verify()).is_err(), "bit {bit}");
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(damaged, file);
    }
}

#[test]
fn sections_come_and_go() {
    let file = sample_files().pop().unwrap();
    let sections = take_apart(&file);
    assert_eq!(put_together(&sections), file);
    assert_eq!(sections.len(), 13);
    let expected = try_read(&file).unwrap();
    for index in 0..sections.len() {
        let mut some = sections.clone();
        let (kind, _, alignment, bytes) = some.remove(index);
        let without = put_together(&some);
        match kind {
            section::PROVENANCE => {
                let (_, module) = try_read(&without).unwrap();
                assert!(module.provenance.resources.is_empty());
            }
            section::NAMES => {
                let (_, module) = try_read(&without).unwrap();
                assert!(module.provenance.value_names.is_empty());
            }
            section::ALIAS_NAMES => {
                let (_, module) = try_read(&without).unwrap();
                assert!(module.provenance.attribute_alias_names.is_empty());
            }
            // Without locations, all are unknown; without orders, uses have the default one.
            section::LOCATIONS | section::USES => drop(try_read(&without).unwrap()),
            _ => drop(refusal(&without)),
        }
        let required = section::is_required(kind).unwrap();
        some.push((kind, required, alignment, bytes));
        // Blobs always follow the bundle of all other sections.
        if index + 2 < sections.len() && section::is_required(kind) == Some(true) {
            let error = refusal(&put_together(&some));
            assert!(
                error.message().contains("in the order") || error.message().contains("marked as"),
                "{error}"
            );
        }
        some.sort_by_key(|section| section.0);
        let (context, module) = try_read(&put_together(&some)).unwrap();
        assert_eq!(
            dump::dump(&context, &module),
            dump::dump(&expected.0, &expected.1)
        );
        some[index].3.push(0);
        refusal(&put_together(&some));
    }
    let mut more = sections.clone();
    more.push((999, false, None, b"anything".to_vec()));
    try_read(&put_together(&more)).unwrap();
    more.last_mut().unwrap().1 = true;
    let error = refusal(&put_together(&more));
    assert_eq!(error.kind(), ErrorKind::UnknownSection);
    let error = refusal(&put_together(&[]));
    assert_eq!(error.kind(), ErrorKind::MissingSection);
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
    // Integers of 2 MiB each, encoded in one byte.
    let mut raw = Raw::new();
    raw.entries = vec![
        one(tag::SIGNLESS_TYPE, &varint((1 << 24) - 1)),
        (tag::INTEGER, (0..100).map(|i| vec![0, i]).collect()),
    ];
    assert_eq!(refusal(&raw.bytes()).kind(), ErrorKind::Truncated);

    // Two long strings that are compared repeatedly.
    let mut raw = Raw::new();
    let long = vec![b'z'; 1 << 20];
    raw.strings
        .extend([[&long[..], b"1"].concat(), [&long[..], b"2"].concat()]);
    raw.entries = vec![
        one(tag::UNIT, &[]),
        (tag::DICTIONARY, vec![vec![2, 1, 0, 2, 0]; 5_000]),
    ];
    assert_eq!(refusal(&raw.bytes()).kind(), ErrorKind::Limit);
    // Strings ascend.
    let mut unsorted = Raw::new();
    unsorted.strings.push(b"m".to_vec());
    assert!(
        refusal(&unsorted.bytes())
            .message()
            .contains("strings do not ascend")
    );
    // Unsorted keys are rejected before anything sorts them.
    let pairs = [1, 0, 2, 0].repeat(50_000);
    raw.entries.truncate(1);
    raw.entries
        .push((tag::DICTIONARY, vec![[varint(100_000), pairs].concat()]));
    assert!(refusal(&raw.bytes()).message().contains("do not ascend"));
    // The same for the keys of signatures.
    raw.entries.clear();
    raw.forms = vec![vec![0, 1, 0, 0, 2, 1, 2]; 5_000];
    assert_eq!(refusal(&raw.bytes()).kind(), ErrorKind::Limit);
    raw.forms = vec![vec![0, 1, 0, 0, 2, 2, 1]];
    assert!(refusal(&raw.bytes()).message().contains("do not ascend"));

    // The dimensions of one type, multiplied repeatedly.
    let mut raw = Raw::new();
    let rank = 1 << 20;
    let shape = [vec![0, 0], varint(rank), vec![2; rank as usize]].concat();
    raw.entries = vec![
        one(tag::SIGNLESS_TYPE, &[8]),
        one(tag::RANKED_TENSOR_TYPE, &shape),
        (
            tag::DENSE_SPLAT,
            (0..5_000).map(|i: u32| vec![1, 2, i as u8]).collect(),
        ),
    ];
    let mut options = ReadOptions::default();
    options.limits.max_shared_entities = 1 << 18;
    let error = read_module_from_slice(&mut Context::new(), &raw.bytes(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);

    // Entries without bytes.
    let mut raw = Raw::new();
    raw.entries = vec![(tag::UNIT, vec![Vec::new(); 100_000])];
    assert!(refusal(&raw.bytes()).message().contains("all equal"));

    // Results of one template, and arguments of one list, repeatedly.
    let mut raw = Raw::new();
    raw.entries = vec![one(tag::INDEX_TYPE, &[])];
    let count = 20_000;
    let many = varint(count);
    raw.lists = vec![[many.clone(), vec![0; count as usize]].concat()];
    raw.forms = vec![vec![0, 32, 0, 0, 1], [vec![0, 0, 0], many.clone()].concat()];
    raw.shapes = vec![vec![0], [vec![1], vec![2; count as usize]].concat()];
    let operations = |region: &[u8], values: u64, inside: u64, blocks: u64| {
        let totals = [inside + 1, 1, blocks, values, 0];
        [totals.map(varint).concat(), vec![0], region.to_vec()].concat()
    };
    let results = [vec![8], varint(5_000), vec![1; 5_000]].concat();
    raw.operations = operations(&results, 5_000 * count, 5_000, 1);
    options.limits = Limits::default();
    let error = read_module_from_slice(&mut Context::new(), &raw.bytes(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let arguments = [varint(8 * 5_000), vec![0], [1, 0].repeat(4_999)].concat();
    raw.operations = operations(&arguments, 5_000 * count, 0, 5_000);
    let error = read_module_from_slice(&mut Context::new(), &raw.bytes(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn the_budget_for_entities_grows_with_the_file() {
    // A file of a few bytes denotes 16 lists of many arguments; a higher limit allows more.
    let mut raw = Raw::new();
    raw.entries = vec![one(tag::INDEX_TYPE, &[])];
    let count = 1_000u64;
    raw.lists = vec![[varint(count), vec![0; count as usize]].concat()];
    raw.forms = vec![vec![0, 32, 0, 0, 1]];
    raw.shapes = vec![vec![0]];
    let blocks = 4_000;
    let arguments = [varint(8 * blocks + 1), vec![0, 0], [1, 0].repeat(3_999)].concat();
    let totals = [1, 1, blocks, blocks * count, 0].map(varint).concat();
    raw.operations = [totals, vec![0], arguments].concat();
    let bytes = raw.bytes();
    let needed = blocks * count;
    let mut options = ReadOptions::default();
    assert!(
        needed
            > options
                .limits
                .shared_entities_of_content(bytes.len() as u64)
                .left()
    );
    let error = read_module_from_slice(&mut Context::new(), &bytes, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.message().contains("max_shared_entities"), "{error}");
    options.limits.max_shared_entities = needed;
    read_module_from_slice(&mut Context::new(), &bytes, &options).unwrap();
}

#[test]
fn shared_bytes_of_strings_are_counted() {
    // All strings but every sixteenth share almost all bytes with their predecessor, and pages are
    // compressed.
    let long = "a".repeat(200_000);
    let attributes: Vec<String> = (100..260)
        .map(|number| format!("a{number} = \"{long}{number}\""))
        .collect();
    let text = format!("\"t.a\"() {{{}}} : () -> ()", attributes.join(", "));
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    let mut options = super::write_options();
    options.compression = Some(3);
    let bytes = write_module(&context, &module, &options).unwrap();
    assert!(bytes.len() < 20_000);
    let mut options = ReadOptions::default();
    options.limits.max_shared_entities_per_content_byte = 1;
    let error = read_module_from_slice(&mut Context::new(), &bytes, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert_eq!(error.section(), Some("strings"));
    options.limits.max_shared_entities = 1 << 24;
    read_module_from_slice(&mut Context::new(), &bytes, &options).unwrap();
}

#[test]
fn announcements_are_checked_all_in_all() {
    // Each level announces as many blocks as bytes remain, and begins one of them.
    let levels = 20_000u64;
    let mut raw = Raw::new();
    raw.forms = vec![vec![0, 32, 0, 0, 1]];
    let mut nested = Vec::new();
    for level in 0..levels {
        nested.push(0); // an operation with one region
        nested.extend(varint(16 * (levels - level))); // blocks, without arguments
        nested.push(1); // one operation
    }
    raw.operations = [levels, levels, 2 * levels, 0, 0].map(varint).concat();
    raw.operations.extend(nested);
    let error = refusal(&raw.bytes());
    assert!(error.message().contains("more blocks"), "{error}");

    // The same with regions.
    raw.forms = vec![[vec![0, 32, 0, 0], varint(10_000)].concat()];
    raw.operations = [levels, 2 * levels, levels, 0, 0].map(varint).concat();
    raw.operations.extend([0, 8, 1].repeat(levels as usize));
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
    assert_eq!(error.section(), Some("templates"));
    options.limits.max_values_per_op = 5;
    read_module_from_slice(&mut context, &bytes, &options).unwrap();
}

#[test]
fn values_are_defined_once_and_all() {
    let mut raw = Raw::new();
    raw.entries = vec![one(tag::INDEX_TYPE, &[]), one(tag::UNIT, &[])];
    // One operation whose operand is its own result.
    raw.forms = vec![vec![0, 0, 1, 1]];
    raw.shapes = vec![vec![0, 2]];
    raw.operations = vec![1, 0, 0, 1, 1, 0, 0, 0];
    let (context, module) = try_read(&raw.bytes()).unwrap();
    let result = module.result(module.top(), 0).unwrap();
    assert_eq!(module.operand(module.top(), 0), Some(result));
    assert_eq!(module.value_type(result), context.index_type());

    let plain = (vec![0, 0, 0, 0], vec![0]);
    let result = (vec![0, 0, 0, 1], vec![0, 2]);
    let both = (vec![0, 0, 1, 1], vec![0, 2]);
    for ((form, shape), operations, message) in [
        // The value before and the value after the only one.
        (&both, vec![1, 0, 0, 1, 1, 0, 1], "is not there"),
        (&both, vec![1, 0, 0, 1, 1, 0, 0, 1], "never defined"),
        (&both, vec![1, 0, 0, 1, 0, 0, 0, 0], "more operands"),
        (&both, vec![1, 0, 0, 1, 2, 0, 0, 0], "operands are missing"),
        (&result, vec![1, 0, 0, 0, 0, 0], "more values"),
        (
            &result,
            vec![1, 0, 0, 2, 0, 0],
            "values and 0 operands are missing",
        ),
        (
            &plain,
            vec![1, 0, 0, 1, 0, 0],
            "values and 0 operands are missing",
        ),
        (&plain, vec![2, 0, 0, 0, 0, 0, 0], "nothing may"),
        (&plain, vec![1, 0, 0, 0, 0, 1], "template #1"),
        (
            &(vec![0, 0, 1, 1], vec![0, 0]),
            vec![1, 0, 0, 1, 1, 0, 0, 0],
            "not defined yet",
        ),
        (
            &(vec![0, 0, 0, 1], vec![0, 0]),
            vec![1, 0, 0, 1, 0, 0],
            "operand 0 of 0",
        ),
        (
            &(vec![0, 0, 0, 1], vec![0, 3]),
            vec![1, 0, 0, 1, 0, 0],
            "type #1",
        ),
        (
            &(vec![0, 6, 0, 0], vec![0, 9]),
            vec![1, 0, 0, 0, 0, 0],
            "string #8",
        ),
        (
            &(vec![0, 4, 0, 0], vec![0]),
            vec![1, 0, 0, 0, 0, 0],
            "contradict",
        ),
        (
            &([vec![0], varint(256), vec![0, 0]].concat(), vec![0]),
            vec![1, 0, 0, 0, 0, 0],
            "contradict",
        ),
        // An optional extension is skipped, so an error follows; a required one is refused.
        (
            &(vec![0, 64, 0, 0, 1, 2, 0], vec![1]),
            vec![1, 0, 0, 0, 0, 0],
            "signature #1",
        ),
        (
            &(vec![0, 64, 0, 0, 1, 3, 0], vec![0]),
            vec![1, 0, 0, 0, 0, 0],
            "a signature has the extension 3",
        ),
        (
            &(vec![0, 128, 0, 0], vec![0]),
            vec![1, 0, 0, 0, 0, 0, 1, 1, 0],
            "an operation has the extension 1",
        ),
        (
            &(vec![0, 32, 0, 0, 1], vec![0]),
            vec![1, 1, 1, 0, 0, 0, 12, 1, 2, 0, 1, 1, 0],
            "a block has the extension 1",
        ),
        (
            &(vec![0, 32, 0, 0, 1], vec![0]),
            vec![2, 1, 1, 0, 0, 0, 10, 1, 0],
            "a chunk has no operations",
        ),
        (
            &(vec![0, 16, 0, 0, 1], vec![0]),
            vec![1, 0, 0, 0, 0, 0, 0],
            "block #0",
        ),
        (
            &(vec![0, 32, 0, 0, 1], vec![0]),
            vec![1, 1, 0, 0, 0, 0, 1],
            "no arguments",
        ),
        (
            &(vec![0, 32, 0, 0, 1], vec![0]),
            vec![1, 1, 1, 0, 0, 0, 9, 0, 0],
            "type list #0",
        ),
        (
            &(vec![0, 32, 0, 0, 1], vec![0]),
            vec![1, 1, 1, 0, 0, 0, 8, 1],
            "1 operations",
        ),
    ] {
        (raw.forms, raw.shapes) = (vec![form.clone()], vec![shape.clone()]);
        raw.operations = operations;
        let error = refusal(&raw.bytes());
        assert!(error.message().contains(message), "{error} for {message}");
    }
}

#[test]
fn entries_refer_backwards_and_to_the_right_sort() {
    for (entries, message) in [
        (vec![one(tag::COMPLEX_TYPE, &[0])], "type #0 is not there"),
        (
            vec![one(tag::COMPLEX_TYPE, &[1]), one(tag::NONE_TYPE, &[])],
            "type #1 is not there",
        ),
        (
            vec![one(tag::NONE_TYPE, &[]), one(tag::INDEX_TYPE, &[])],
            "follows another entry",
        ),
        (
            vec![one(tag::INDEX_TYPE, &[]), one(tag::COMPLEX_TYPE, &[0])],
            "invalid element type",
        ),
        (vec![one(tag::ARRAY, &[1, 0])], "attribute #0 is not there"),
        (vec![one(tag::ARRAY, &[1, 2])], "string #1 is not there"),
        (vec![one(tag::LOCATION, &[0])], "location #0"),
        (vec![one(tag::FLOAT_TYPE, &[18])], "no float type #18"),
        (vec![one(128, &[])], "of the kind 128"),
        (vec![(tag::UNIT, Vec::new())], "no entries"),
        (vec![one(tag::STRING, &[7, 0])], "string #7"),
        (
            vec![one(tag::SIGNLESS_TYPE, &[3]), one(tag::INTEGER, &[0, 8])],
            "does not fit",
        ),
        (
            vec![
                one(tag::SIGNLESS_TYPE, &[65]),
                one(tag::INTEGER, &[&[0][..], &[0xff; 9]].concat()),
            ],
            "does not fit",
        ),
        (
            vec![one(tag::UNIT, &[]), one(tag::DICTIONARY, &[2, 0, 0, 0, 0])],
            "do not ascend",
        ),
        (
            vec![one(tag::INDEX_TYPE, &[]), one(tag::DENSE_RESOURCE, &[0, 0])],
            "resource #0",
        ),
        (
            vec![one(tag::AFFINE_MAP, &[0, 0, 1, 0])],
            "affine expression #0",
        ),
        (
            vec![one(tag::FILE_RANGE, &[0, 1, 1, 0, 0])],
            "ends where it starts",
        ),
        (
            vec![one(tag::FILE_RANGE, &[0, 1, 1, 3, 0])],
            "not a line or column",
        ),
        (
            vec![one(tag::DIALECT_TYPE, &[0, 1, b'x', 1, 2, 0])],
            "after the end of the text",
        ),
        (
            vec![
                one(tag::INDEX_TYPE, &[]),
                one(tag::SCALABLE_VECTOR_TYPE, &[0, 1, 5, 2]),
            ],
            "scalable",
        ),
        (
            vec![
                one(tag::INDEX_TYPE, &[]),
                one(tag::SCALABLE_VECTOR_TYPE, &[0, 1, 5, 0]),
            ],
            "scalable",
        ),
    ] {
        let raw = Raw {
            entries,
            ..Raw::new()
        };
        let error = refusal(&raw.bytes());
        assert!(error.message().contains(message), "{error} for {message}");
        assert_eq!(error.section(), Some("types and attributes"));
    }
}

#[test]
fn errors_say_where() {
    let mut raw = Raw::new();
    raw.entries = vec![
        one(tag::SIGNLESS_TYPE, &[77]),
        one(tag::COMPLEX_TYPE, &[78]),
    ];
    let bytes = raw.bytes();
    let at = bytes
        .windows(2)
        .rposition(|window| window == [77, 78])
        .unwrap()
        + 1;
    assert_eq!(
        refusal(&bytes).to_string(),
        format!(
            "type #78 is not there: 1 come before (section types and attributes, offset {at:#x}), \
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
    operations.3.pop();
    let damaged = put_together(&sections);
    read_module_from_slice(&mut context, &damaged, &ReadOptions::default()).unwrap_err();
    let module = read(&mut context, &file);
    assert!(write_module(&context, &module, &super::write_options()).unwrap() == file);
}
