//! Tests small handmade files of upstream's bytecode: what they mean, and what is rejected. The
//! suites of the workspace read files that upstream wrote.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod dump;
mod encoder;
mod lazy;
#[path = "../common/watched.rs"]
mod watched;

use encoder::{Bytes, Entry, File, private, text};
use rmlir_format::ReadAt;
use rmlir_format::{ErrorKind, Limits};
use rmlir_ir::{Context, Module};
use rmlir_reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir_testing::module_to_string;
use rmlir_text::PrintOptions;

fn read(bytes: &[u8]) -> rmlir_format::Result<(Context, Module)> {
    let mut context = Context::new();
    let module = read_module_from_slice(&mut context, bytes, &ReadOptions::default())?;
    Ok((context, module))
}

/// Returns the lines in the module, in generic form.
fn printed(file: &File) -> String {
    let (context, module) = read(&file.bytes()).unwrap();
    let text = module_to_string(&context, &module, &PrintOptions::generic()).unwrap();
    String::from_utf8(text).unwrap()
}

/// Checks the error of a file: its kind, section and message.
#[track_caller]
fn refused(file: &File, kind: ErrorKind, section: &str, message: &str) {
    refused_bytes(&file.bytes(), kind, section, message);
}

#[track_caller]
fn refused_bytes(bytes: &[u8], kind: ErrorKind, section: &str, message: &str) {
    let error = match read(bytes) {
        Ok(_) => panic!("it is accepted"),
        Err(error) => error,
    };
    assert_eq!(
        (error.kind(), error.section()),
        (kind, Some(section)),
        "{error}"
    );
    assert!(error.to_string().contains(message), "{error}");
    assert!(error.offset().is_some(), "{error}");
}

/// Returns an operation `t.a` with a mask and what follows it.
fn operation(mask: u8, rest: Bytes) -> Bytes {
    let head = Bytes::new().flagged(1, false).int(0).raw(&[mask]).int(0);
    head.raw(&rest.0)
}

/// Returns `t.a` with the dictionary attribute 1; `entries` start with it and follow the location.
fn with_attributes(entries: Vec<Entry>, types: Vec<Entry>) -> File {
    let mut file = File::new();
    file.attributes.extend(entries);
    file.types = types;
    file.ir = operation(0x01, Bytes::new().int(1));
    file
}

/// Returns an operation with `{a = attribute 3}`; the string attribute `a` is number 2.
fn dictionary(value: Entry, types: Vec<Entry>) -> File {
    let entries = vec![
        private(Bytes::new().ints(&[1, 1, 2, 3])),
        private(Bytes::new().ints(&[2, encoder::A])),
        value,
    ];
    with_attributes(entries, types)
}

#[test]
fn an_operation_gets_a_module() {
    assert_eq!(
        printed(&File::new()),
        "\"builtin.module\"() ({\n  \"t.a\"() : () -> ()\n}) : () -> ()\n"
    );
}

/// As upstream, fused locations are built without unknown and repeated locations, and nested ones
/// of the same metadata are flattened.
#[test]
fn fused_locations() {
    let code = |code: u64| private(Bytes::new().int(code));
    let with = |code: u64, numbers: &[u64]| private(Bytes::new().int(code).ints(numbers));
    // Attribute 0 is unknown, 2 a string; 4 and 5 are name locations, 6 and 7 are fused.
    let others = || {
        [
            with(14, &[2, 0]),
            with(14, &[2, 4]),
            with(12, &[2, 4, 5]),
            with(13, &[2, 4, 5, 2]),
        ]
    };
    let a = r#""a""#;
    for (value, text) in [
        (code(15), "unknown".to_owned()),
        (with(12, &[0]), "unknown".to_owned()),
        (with(12, &[2, 0, 0]), "unknown".to_owned()),
        (with(12, &[2, 0, 4]), a.to_owned()),
        (with(12, &[2, 4, 4]), a.to_owned()),
        (with(12, &[2, 4, 5]), format!("fused[{a}, {a}({a})]")),
        (with(12, &[2, 5, 6]), format!("fused[{a}({a}), {a}]")),
        (with(12, &[1, 7]), format!("fused<{a}>[{a}, {a}({a})]")),
        (with(13, &[0, 2]), format!("fused<{a}>[unknown]")),
        (with(13, &[1, 4, 2]), format!("fused<{a}>[{a}]")),
        (
            with(13, &[2, 7, 5, 2]),
            format!("fused<{a}>[{a}, {a}({a})]"),
        ),
        (
            with(13, &[1, 6, 2]),
            format!("fused<{a}>[fused[{a}, {a}({a})]]"),
        ),
    ] {
        let mut file = dictionary(value, vec![]);
        file.attributes.extend(others());
        let (context, module) = read(&file.bytes()).unwrap();
        let mut options = PrintOptions::generic();
        options.local_scope = true;
        let printed = module_to_string(&context, &module, &options).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        let expected = format!("{{a = loc({text})}}");
        assert!(printed.contains(&expected), "{text}: {printed}");
    }
}

#[test]
fn builtin_entries() {
    let i = |width: u64| private(Bytes::new().ints(&[0, width << 2]));
    let check = |value: Entry, types: Vec<Entry>, text: &str| {
        let printed = printed(&dictionary(value, types));
        let expected = format!("  \"t.a\"() {{a = {text}}} : () -> ()\n");
        assert!(printed.contains(&expected), "{printed}");
    };
    let code = |code: u64| Bytes::new().int(code);
    // The zigzag of the zero-extended value, and of the sign-extended one, which upstream reads as
    // well.
    check(
        private(code(8).ints(&[0, 0xFFFF_FFFF << 1])),
        vec![i(32)],
        "-1 : i32",
    );
    check(private(code(8).ints(&[0, 1])), vec![i(32)], "-1 : i32");
    check(private(code(8).int(0).raw(&[0xFF])), vec![i(8)], "-1 : i8");
    check(
        private(code(8).ints(&[0, 2, 0, 2])),
        vec![i(128)],
        "18446744073709551616 : i128",
    );
    let f64 = private(Bytes::new().int(6));
    check(
        private(code(9).ints(&[0, 0x3FF0 << 49])),
        vec![f64],
        "1.000000e+00 : f64",
    );
    // Encodings that are longer than necessary.
    check(
        private(code(8).int(0).raw(&[0, 4, 0, 0, 0, 0, 0, 0, 0])),
        vec![i(64)],
        "2 : i64",
    );
    let vector = |size: u64| private(Bytes::new().ints(&[19, 1, size << 1, 1]));
    let dense = |data: &[u8]| private(code(18).int(0).int(data.len() as u64).raw(data));
    for (data, size, text) in [
        (&[0b101][..], 3, "dense<[true, false, true]> : vector<3xi1>"),
        (&[0xFF], 3, "dense<true> : vector<3xi1>"),
        (&[0xFF], 20, "dense<true> : vector<20xi1>"),
        (&[0], 20, "dense<false> : vector<20xi1>"),
        (&[1, 0], 2, "dense<[true, false]> : vector<2xi1>"),
        (&[1, 0, 0], 17, "dense<"),
    ] {
        let mut file = dictionary(dense(data), vec![vector(size), i(1)]);
        if text == "dense<" {
            let printed = printed(&file);
            assert!(printed.contains("dense<[true, false, false"), "{printed}");
            file.types[0] = vector(33);
            refused(
                &file,
                ErrorKind::Malformed,
                "AttrType",
                "3 bytes for 33 elements",
            );
            continue;
        }
        check(dense(data), vec![vector(size), i(1)], text);
    }
    // Affine maps of LLVM 24: identity, permutation, projection, any.
    let map = |ints: &[u64]| private(code(23).ints(ints));
    for (ints, text) in [
        (&[2 << 2][..], "affine_map<(d0, d1) -> (d0, d1)>"),
        (&[2 << 2 | 1, 1, 0], "affine_map<(d0, d1) -> (d1, d0)>"),
        (&[2 << 2 | 2, 1, 1], "affine_map<(d0, d1) -> (d1)>"),
        (
            &[1 << 2 | 3, 1, 1, 3, 4, 0, 0, 2, 4, 1, 0],
            "affine_map<(d0)[s0] -> (d0 * 2 + s0)>",
        ),
    ] {
        let printed = printed(&dictionary(map(ints), vec![]));
        assert!(printed.contains(text), "{printed}");
    }
    // Integer sets of LLVM 24: expressions, then a byte for each.
    let set = code(24).ints(&[1, 1, 2, 3, 0, 0, 2, 5, 1, 0]).raw(&[0, 1]);
    let set = printed(&dictionary(private(set), vec![]));
    let expected = "affine_set<(d0)[s0] : (d0 - 3 >= 0, s0 == 0)>";
    assert!(set.contains(expected), "{set}");
    check(
        private(code(25).ints(&[6, 2, u64::MAX, 2])),
        vec![],
        "strided<[?, 1], offset: 3>",
    );
    // LLVM 16 counts the scalable dimensions.
    let scalable = private(Bytes::new().ints(&[20, 1, 2, 4, 8, 1]));
    check(
        private(code(6).int(0)),
        vec![scalable, i(8)],
        "vector<2x[4]xi8>",
    );
    check(text("affine_set<(d0) : (d0 >= 0)>"), vec![], "#set");
}

#[test]
fn values_used_before_they_are_defined() {
    let mut file = File::new();
    file.types = vec![private(Bytes::new().ints(&[0, 32 << 2]))];
    // A region of one block with two operations: the first uses the result of the second, and has a
    // region that uses both.
    let inner = Bytes::new()
        .ints(&[1, 0])
        .flagged(1, false)
        .int(0)
        .raw(&[0x04])
        .ints(&[0, 2, 0, 1]);
    let first = Bytes::new()
        .int(0)
        .raw(&[0x02 | 0x04 | 0x10])
        .ints(&[0, 1, 0, 1, 1])
        .flagged(1, false)
        .raw(&inner.0);
    let second = Bytes::new().int(0).raw(&[0x02]).ints(&[0, 1, 0]);
    let region = Bytes::new()
        .ints(&[1, 2])
        .flagged(2, false)
        .raw(&first.0)
        .raw(&second.0);
    let regions = Bytes::new().flagged(1, true).section(4, &region);
    file.ir = operation(0x10, regions);
    let text = printed(&file);
    assert!(
        text.contains(
            "    %0 = \"t.a\"(%1) ({\n      \"t.a\"(%0, %1) : (i32, i32) -> ()\n    }) : (i32) -> i32\n    %1 = \"t.a\"() : () -> i32\n"
        ),
        "{text}"
    );
    // The uses of the second result are in reference order, the last operation first.
    let (_, module) = read(&file.bytes()).unwrap();
    let values: Vec<_> = module
        .descendants(module.top())
        .flat_map(|op| module.results(op))
        .collect();
    let users: Vec<usize> = module
        .uses(values[1])
        .map(|used| module.operand_count(module.user(used).0))
        .collect();
    assert_eq!(users, [2, 1]);

    // Values that are declared and not defined, or defined and not declared.
    let region = |values: u64| {
        let body = Bytes::new().ints(&[1, values]).flagged(1, false);
        let result = body.int(0).raw(&[0x02]).ints(&[0, 1, 0]);
        Bytes::new().flagged(1, false).raw(&result.0)
    };
    file.ir = operation(0x10, region(1));
    printed(&file);
    file.ir = operation(0x10, region(0));
    refused(&file, ErrorKind::Malformed, "IR", "defines more values");
    file.ir = operation(0x10, region(2));
    refused(&file, ErrorKind::Malformed, "IR", "not defined");
    file.ir = operation(0x10, region(1 << 40));
    refused(&file, ErrorKind::Limit, "IR", "bytes left for values");
}

#[test]
fn use_list_orders_are_applied() {
    // A value with three uses, in one operation.
    let with_order = |order: Bytes| {
        let mut file = File::new();
        file.types = vec![private(Bytes::new().ints(&[0, 32 << 2]))];
        let value = Bytes::new().int(0).raw(&[0x02 | 0x20]).ints(&[0, 1, 0]);
        let user = Bytes::new().int(0).raw(&[0x04]).ints(&[0, 3, 0, 0, 0]);
        let region = Bytes::new()
            .flagged(1, false)
            .ints(&[1, 1])
            .flagged(2, false);
        let region = region.raw(&value.0).raw(&order.0).raw(&user.0);
        file.ir = operation(0x10, region);
        file
    };
    let uses = |file: &File| {
        let (_, module) = read(&file.bytes()).unwrap();
        let mut values = module
            .descendants(module.top())
            .flat_map(|op| module.results(op));
        let value = values.next().unwrap();
        let numbers = module.uses(value).map(|used| module.user(used).1);
        numbers.collect::<Vec<usize>>()
    };
    // The reference order is 2, 1, 0; the k-th use in it is at position p[k].
    let full = |p: &[u64]| with_order(Bytes::new().flagged(p.len() as u64, false).ints(p));
    assert_eq!(uses(&full(&[0, 1, 2])), [2, 1, 0]);
    assert_eq!(uses(&full(&[1, 2, 0])), [0, 2, 1]);
    let pairs = |p: &[u64]| with_order(Bytes::new().flagged(p.len() as u64, true).ints(p));
    assert_eq!(uses(&pairs(&[1, 0, 0, 1])), [1, 2, 0]);
    for bad in [
        full(&[0, 1]),
        full(&[0, 0, 1]),
        full(&[0, 1, 3]),
        full(&[0, 1, 2, 3]),
        pairs(&[1, 0]),
        pairs(&[1]),
        pairs(&[0, 3]),
    ] {
        refused(&bad, ErrorKind::Malformed, "IR", "use-list order");
    }
}

#[test]
fn entries_are_checked() {
    let i32 = || private(Bytes::new().ints(&[0, 32 << 2]));
    let bad = |value: Entry, types: Vec<Entry>, message: &str| {
        let file = dictionary(value, types);
        refused(&file, ErrorKind::Malformed, "AttrType", message);
    };
    let code = |code: u64| Bytes::new().int(code);
    bad(private(code(0).ints(&[1, 3])), vec![], "contains itself");
    bad(private(code(0).ints(&[1, 1])), vec![], "contains itself");
    bad(
        private(code(0).ints(&[1, 99])),
        vec![],
        "invalid attribute index: 99",
    );
    bad(
        private(code(6).int(1)),
        vec![i32()],
        "invalid type index: 1",
    );
    bad(private(code(7).int(0)), vec![], "follow where nothing may");
    bad(
        private(code(8).ints(&[0, 1 << 33])),
        vec![i32()],
        "does not fit its type",
    );
    bad(private(code(4).int(0)), vec![], "is not a string attribute");
    bad(text("[1, 2"), vec![], "the text of the entry");
    bad(text("[1] [2]"), vec![], "the text of the entry");
    let mut unended = text("[1]");
    unended.bytes.pop();
    let file = dictionary(unended, vec![]);
    refused(
        &file,
        ErrorKind::Truncated,
        "AttrType",
        "no null character found",
    );
    let mut file = dictionary(private(code(0).int(0)), vec![]);
    file.ir = operation(0x01, Bytes::new().int(2));
    refused(&file, ErrorKind::Malformed, "IR", "are not a dictionary");
    file.ir = Bytes::new().flagged(1, false).int(0).raw(&[0]).int(2);
    refused(&file, ErrorKind::Malformed, "IR", "is not a location");
    let twice = private(Bytes::new().ints(&[1, 2, 2, 3, 2, 3]));
    let mut file = dictionary(private(code(7)), vec![]);
    file.attributes[1] = twice;
    refused(&file, ErrorKind::Malformed, "AttrType", "duplicate key");
}

#[test]
fn unknown_encodings_matter_where_they_are_used() {
    let mut file = dictionary(private(Bytes::new().int(26)), vec![]);
    refused(
        &file,
        ErrorKind::Unsupported,
        "AttrType",
        "attribute #3 of dialect 'builtin' has the private encoding 26",
    );
    file.ir = File::new().ir;
    printed(&file);
}

#[test]
fn deep_entries_are_no_problem() {
    // Arrays, each containing the next one: the first needs all others.
    const DEPTH: u64 = 50_000;
    let mut file = dictionary(private(Bytes::new().ints(&[0, 1, 4])), vec![]);
    for number in 4..DEPTH {
        file.attributes
            .push(private(Bytes::new().ints(&[0, 1, number + 1])));
    }
    file.attributes.push(private(Bytes::new().ints(&[0, 0])));
    read(&file.bytes()).unwrap();
    let mut options = ReadOptions::default();
    options.limits = Limits::default();
    options.limits.max_depth = 1_000;
    let error = read_module_from_slice(&mut Context::new(), &file.bytes(), &options);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn resources() {
    let mut file = dictionary(
        private(Bytes::new().ints(&[16, 0, 0])),
        vec![text("tensor<2xi8>")],
    );
    let blob = |base: u64, alignment: u64| {
        let head = Bytes::new().ints(&[alignment, 2]);
        let padding = (base + head.0.len() as u64).wrapping_neg() % alignment;
        head.raw(&vec![0xCB; padding as usize]).raw(&[1, 2])
    };
    // Only the file knows where the section begins.
    let data = file.bytes();
    let probe = {
        let mut file = file.clone();
        file.resources.0 = Bytes::new().ints(&[0, 0, 1, encoder::A, 6]).raw(&[0]);
        file.resources.1 = Bytes::new().raw(b"findme");
        file.bytes()
    };
    assert!(data.len() < probe.len());
    let start = probe.windows(6).position(|w| w == b"findme").unwrap();
    let value = blob(start as u64, 4);
    let size = value.0.len() as u64;
    file.resources.0 = Bytes::new().ints(&[0, 0, 1, encoder::A, size]).raw(&[0]);
    file.resources.1 = value;
    let text = printed(&file);
    assert!(
        text.contains("a = dense_resource<a> : tensor<2xi8>"),
        "{text}"
    );
    assert!(text.contains("a: \"0x040000000102\""), "{text}");

    let at = file.resources.1.0.iter().position(|&b| b == 0xCB);
    if let Some(at) = at {
        let mut bad = file.clone();
        bad.resources.1.0[at] = 0;
        refused(&bad, ErrorKind::Malformed, "Resource", "padding");
    }
    let mut bad = file.clone();
    bad.resources.1.0[0] = 3 << 1 | 1;
    refused(&bad, ErrorKind::Malformed, "Resource", "not a power of two");
    let mut bad = file.clone();
    bad.resources.1.0.push(0);
    refused(
        &bad,
        ErrorKind::Malformed,
        "Resource",
        "follow where nothing may",
    );
    let mut bad = file.clone();
    *bad.resources.0.0.last_mut().unwrap() = 7;
    refused(
        &bad,
        ErrorKind::Malformed,
        "ResourceOffset",
        "no resource of kind 7",
    );
    let mut bad = file;
    bad.resources.0 = Bytes::new().int(0);
    bad.resources.1 = Bytes::new();
    refused(
        &bad,
        ErrorKind::Malformed,
        "AttrType",
        "resource #0 is not there",
    );
}

/// Errors about the structure of a file have upstream's words.
#[test]
fn structure_is_checked() {
    let bytes = File::new().bytes();
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        bytes
    };
    refused_bytes(
        &with(4, 0xFF),
        ErrorKind::UnknownVersion,
        "header",
        "bytecode version 127 is newer than the current version",
    );
    // The size of the first string is the last one, directly before the text.
    let text = bytes.windows(8).position(|bytes| bytes == b"builtin\0");
    let size = text.unwrap() - 1;
    refused_bytes(
        &with(size, 9 << 1 | 1),
        ErrorKind::Truncated,
        "String",
        "string size exceeds the available data size",
    );
    refused_bytes(
        &with(size, 7 << 1 | 1),
        ErrorKind::Malformed,
        "String",
        "unexpected trailing data between the offsets for strings and their data",
    );
    refused_bytes(
        bytes.get(..5).unwrap(),
        ErrorKind::Truncated,
        "header",
        "malformed null-terminated string, no null character found",
    );
}

#[test]
fn operations_are_checked() {
    let mut file = File::new();
    let mut bad = |ir: Bytes, kind: ErrorKind, message: &str| {
        file.ir = ir;
        refused(&file, kind, "IR", message);
    };
    let malformed = ErrorKind::Malformed;
    bad(operation(0x80, Bytes::new()), malformed, "the mask 0x80");
    bad(
        operation(0x04, Bytes::new().ints(&[1, 0])),
        malformed,
        "value 0 is not declared",
    );
    bad(
        operation(0x08, Bytes::new().ints(&[1, 0])),
        malformed,
        "block #0 is not there",
    );
    bad(
        operation(0x40, Bytes::new().int(0)),
        malformed,
        "blob of properties #0 is not there",
    );
    bad(
        operation(0x20, Bytes::new().int(0)),
        malformed,
        "where there are no values",
    );
    bad(
        operation(0x02, Bytes::new().int(u64::MAX)),
        ErrorKind::Truncated,
        "items of at least 1 byte(s) are announced",
    );
    bad(
        operation(0x10, Bytes::new().flagged(1 << 40, false)),
        ErrorKind::Limit,
        "regions",
    );
    bad(
        operation(
            0x10,
            Bytes::new()
                .flagged(1, true)
                .section(0, &Bytes::new().int(0)),
        ),
        malformed,
        "expected regions, found section",
    );
    bad(
        operation(
            0x10,
            Bytes::new()
                .flagged(1, true)
                .section(4, &Bytes::new().ints(&[0, 0])),
        ),
        malformed,
        "follow where nothing may",
    );
    bad(Bytes::new().flagged(1, true), malformed, "has arguments");
    bad(
        operation(0, Bytes::new().int(0)),
        malformed,
        "follow where nothing may",
    );
    let mut file = File::new();
    file.types = vec![private(Bytes::new().int(1))];
    file.ir = operation(0x02, Bytes::new().ints(&[1, 0]));
    refused(&file, malformed, "IR", "has results");
}

#[test]
fn what_a_version_does_not_know_is_refused() {
    let mut file = File::new();
    // In version 2, names of operations have no flag and there is no total of them, so this file is
    // invalid.
    let mut bytes = file.bytes();
    bytes[4] = 2 << 1 | 1;
    assert!(read(&bytes).is_err());
    file.version = 2;
    assert!(read(&file.bytes()).is_ok());
    file.version = 7;
    refused(&file, ErrorKind::UnknownVersion, "header", "newer");
}

#[test]
fn every_cut_and_every_flipped_bit_ends_well() {
    let file = dictionary(text("[1, \"x\", #d.a<b>]"), vec![]);
    let bytes = file.bytes();
    for len in 0..bytes.len() {
        read(&bytes[..len]).map(drop).unwrap_err();
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            if let Err(error) = read(&bytes) {
                assert!(error.section().is_some(), "{error}");
            }
        }
    }
    let mut tail = file;
    tail.tail = vec![9, 1];
    refused(&tail, ErrorKind::UnknownSection, "header", "section ID: 9");
}
