//! Tests the index of symbols: decodes it by the specification alone and follows it to the symbols.

use super::{parse, write};
use rmlir_format::rmbc::section;
use rmlir_format::varint::unzigzag;
use rmlir_format::{Container, Limits, Reader};
use rmlir_ir::Context;

/// Reads the count and the data of a counted table.
fn table<'a>(input: &mut Reader<'a>) -> (u64, Reader<'a>) {
    let count = input.varint().unwrap();
    (count, data(input, count))
}

fn data<'a>(input: &mut Reader<'a>, count: u64) -> Reader<'a> {
    let len = input.varint().unwrap();
    let width = [0x100, 0x1_0000, 0x100_0000];
    let width = 1 + width.iter().filter(|&&limit| len >= limit).count() as u64;
    let blocks = count.div_ceil(16).saturating_sub(1);
    input.skip(blocks * width).unwrap();
    input.sub_reader(len, "table").unwrap()
}

struct Group {
    offset: u64,
    location: u64,
    values: u64,
    blocks: u64,
    file: u64,
    line: u64,
    column: u64,
    parent: u64,
    operations: u64,
}

#[test]
fn groups_and_names_lead_to_symbols() {
    let count = 400u64;
    let mut text = String::new();
    for number in 0..count {
        text += &format!(
            "\"t.func\"() ({{\n  \"t.one\"() : () -> ()\n  \"t.two\"() : () -> ()\n  \"t.three\"() : () -> ()\n}}) \
             {{sym_name = \"f{number}\"}} : () -> ()\n"
        );
    }
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    let bytes = write(&context, &module);
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let section = |kind| container.section(kind).unwrap().bytes().unwrap();
    let (index, operations) = (section(section::INDEX), section(section::OPERATIONS));
    let (locations, entries) = (section(section::LOCATIONS), section(section::STRINGS));

    // The names of symbols come first and are sorted; at most 9 preset strings follow.
    let mut names: Vec<String> = (0..count).map(|n| format!("f{n}")).collect();
    names.sort();
    let mut strings = Reader::new(&entries, "strings");
    for _ in 0..strings.varint().unwrap() {
        strings.varint().unwrap();
    }
    let spelled = strings.varint().unwrap();
    assert_eq!(strings.varint().unwrap(), count);
    assert!(spelled > count);

    let mut input = Reader::new(&index, "index");
    // Only the module is cut; it follows the totals, which take 8 bytes.
    let (cut, mut data) = table(&mut input);
    assert_eq!(cut, 1);
    assert_eq!([data.varint().unwrap(), data.varint().unwrap()], [8, 6]);
    data.expect_end().unwrap();
    let (groups, mut data) = table(&mut input);
    let mut found: Vec<Group> = Vec::new();
    for number in 0..groups {
        let mut next = || data.varint().unwrap();
        let before = found.last().filter(|_| number % 16 != 0);
        let (offset, location) = before.map_or((0, 0), |group| (group.offset, group.location));
        let (values, blocks) = before.map_or((0, 0), |group| (group.values, group.blocks));
        found.push(Group {
            offset: offset + next(),
            location: location + next(),
            values: values + next(),
            blocks: blocks + next(),
            file: next(),
            line: next(),
            column: next(),
            parent: {
                assert_eq!(next(), 0, "no entry was used");
                next()
            },
            operations: next(),
        });
    }
    data.expect_end().unwrap();
    // Functions of four operations, in groups of 256.
    let sizes: Vec<u64> = found.iter().map(|group| group.operations).collect();
    assert_eq!(sizes, [64, 64, 64, 64, 64, 64, 16]);
    for (number, group) in (0u64..).zip(&found) {
        let mut at = Reader::new(&operations[group.offset as usize..], "operations");
        assert!(at.varint().unwrap() < 10, "the shape");
        // All attributes are strings, so their numbers are those of the strings.
        let name = at.varint().unwrap() as usize;
        assert_eq!(names[name], format!("f{}", 64 * number));
        assert_eq!(group.parent, 0);
        // No operation has results; each function has one block, and so has the module.
        assert_eq!([group.values, group.blocks], [0, 64 * number + 1]);
        let mut at = Reader::new(&locations[group.location as usize..], "locations");
        let code = at.varint().unwrap();
        // A function begins at every fifth line.
        let line = 1 + 5 * 64 * number;
        if number == 0 {
            assert_eq!((code - 3) % 3, 1);
            continue;
        }
        assert!(group.file > 0);
        let moved = unzigzag((code - 3) / 3);
        assert_eq!(group.line as i64 + moved, line as i64);
        assert_eq!((code - 3) % 3, 1, "line and column");
        assert_eq!(group.column as i64 + at.signed_varint().unwrap(), 1);
    }
    let (named, mut data) = table(&mut input);
    assert_eq!(named, count);
    for name in &names {
        let number: u64 = name[1..].parse().unwrap();
        assert_eq!(data.varint().unwrap(), number / 64 * 2, "{name}");
    }
    data.expect_end().unwrap();
    input.expect_end().unwrap();
}
