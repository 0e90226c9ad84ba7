//! Tests the index of symbols: decodes it by the specification alone and follows it to the symbols.

use super::{parse, read, write};
use rmlir_format::rmbc::section;
use rmlir_format::{Container, Limits, Reader, Source};
use rmlir_ir::Context;
use rmlir_reader::lazy::{LazyFile, SymbolPath};
use rmlir_reader::rmbc::{File, ReadOptions};

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

#[test]
fn chunks_and_names_lead_to_symbols() {
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
    let (chunks, mut data) = table(&mut input);
    let (mut offset, mut location) = (0, 0);
    let mut sizes = Vec::new();
    for number in 0..chunks {
        if number % 16 == 0 {
            (offset, location) = (0, 0);
        }
        offset += data.varint().unwrap();
        location += data.varint().unwrap();
        let (parent, inside) = (data.varint().unwrap(), data.varint().unwrap());
        assert_eq!((parent, inside), (0, 0), "only the module is divided");
        let mut at = Reader::new(&operations[offset as usize..], "operations");
        sizes.push(at.varint().unwrap());
        assert!(at.varint().unwrap() < 10, "the template");
        // All attributes are strings, so their numbers are those of the strings.
        let name = at.varint().unwrap() as usize;
        assert_eq!(names[name], format!("f{}", 64 * number));
        // A restart, then a file position: file, line and column. A function begins at every fifth
        // line.
        let mut at = Reader::new(&locations[location as usize..], "locations");
        assert_eq!([at.varint().unwrap(), at.varint().unwrap()], [3, 2]);
        at.varint().unwrap();
        let place = [at.varint().unwrap(), at.varint().unwrap()];
        assert_eq!(place, [1 + 5 * 64 * number, 1]);
    }
    data.expect_end().unwrap();
    // Functions of four operations, in chunks of 256.
    assert_eq!(sizes, [64, 64, 64, 64, 64, 64, 16]);
    let (named, mut data) = table(&mut input);
    assert_eq!(named, count);
    for name in &names {
        let number: u64 = name[1..].parse().unwrap();
        assert_eq!(data.varint().unwrap(), number / 64 * 2, "{name}");
    }
    data.expect_end().unwrap();
    // Nothing refers to symbols.
    let (references, data) = table(&mut input);
    assert_eq!(references, 0);
    data.expect_end().unwrap();
    input.expect_end().unwrap();
}

#[test]
fn symbols_have_references() {
    let mut text = String::new();
    for number in 0..200 {
        let next = (number + 1) % 200;
        text += &format!(
            "\"t.func\"() ({{\n  \"t.call\"() {{callee = @f{next}, other = [@m::@x, #d.a<@f{number}>]}} : () -> ()\n  \
             \"t.two\"() : () -> ()\n}}) {{sym_name = \"f{number}\"}} : () -> ()\n"
        );
    }
    text += "\"t.func\"() {sym_name = \"plain\"} : () -> ()\n";
    let many: Vec<String> = (0..70).map(|number| format!("@r{number}")).collect();
    let many = many.join(", ");
    text += &format!("\"t.func\"() {{sym_name = \"many\", all = [{many}]}} : () -> ()\n");
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    let bytes = write(&context, &module);
    let options = ReadOptions::default();
    let file = File::new(&Context::new(), Source::from(bytes.as_slice()), &options).unwrap();
    let of = |name: &str| -> Option<Vec<String>> {
        let path = SymbolPath::from_names([name.as_bytes().into()]);
        let symbol = file.symbol(&path).unwrap().unwrap();
        let references = file.references(&symbol).unwrap()?;
        let mut names: Vec<String> = references.iter().map(ToString::to_string).collect();
        names.sort();
        Some(names)
    };
    assert_eq!(of("f7").unwrap(), ["@f8", "@m::@x"]);
    assert_eq!(of("f199").unwrap(), ["@f0", "@m::@x"]);
    assert!(of("plain").unwrap().is_empty());
    // One attribute refers to more symbols than the index lists.
    assert!(of("many").is_none());
    let mut other = Context::new();
    let module = read(&mut other, &bytes);
    file.verify_index(&other, &module).unwrap();
}
