//! Tests lazy reading of files.

use crate::encoder::{A, Bytes, File as Encoded, private};
use crate::read;
use crate::watched::Watched;
use rmlir_format::{ErrorKind, Source};
use rmlir_ir::{
    Context, EqualityOptions, Module, Visibility, extract, nested_symbols, semantic_difference,
};
use rmlir_reader::lazy::{LazyFile, Symbol, SymbolPath, with_references};
use rmlir_reader::mlirbc::{File, ReadOptions};
use rmlir_testing::module_to_string;
use rmlir_text::PrintOptions;
use std::ops::ControlFlow;

/// The numbers of dictionaries.
const F: u64 = 4;
const G: u64 = 7;
const G_WITH_UNKNOWN: u64 = 8;
const M_WITH_REFERENCE: u64 = 10;

/// Returns a file with dictionaries that name symbols: `f`; `g`, private; `g` with content in an
/// unknown encoding; `m`, which refers to `f`.
fn file(ir: Bytes) -> Encoded {
    let mut file = Encoded::new();
    file.strings
        .extend(["sym_name", "f", "g", "sym_visibility", "private", "m"]);
    let string = |number: u64| private(Bytes::new().ints(&[2, number]));
    file.attributes.extend([
        string(3),
        string(4),
        string(5),
        private(Bytes::new().ints(&[1, 1, 1, 2])),
        string(6),
        string(7),
        private(Bytes::new().ints(&[1, 2, 1, 3, 5, 6])),
        // `a` has a code that the builtin dialect does not define.
        private(Bytes::new().ints(&[1, 2, 9, 11, 1, 3])),
        string(A),
        private(Bytes::new().ints(&[1, 2, 9, 12, 1, 13])),
        private(Bytes::new().ints(&[99])),
        private(Bytes::new().ints(&[4, 2])),
        string(8),
    ]);
    file.types = vec![private(Bytes::new().ints(&[0, 32 << 2]))];
    file.ir = ir;
    file
}

/// Returns an isolated operation with attributes and a region of one block.
fn unit(attributes: u64, values: u64, operations: u64, inside: &Bytes) -> Bytes {
    let region = Bytes::new().ints(&[1, values]).flagged(operations, false);
    let head = Bytes::new().int(0).raw(&[0x11]).ints(&[0, attributes]);
    head.flagged(1, true).section(4, &region.raw(&inside.0))
}

/// Returns `"t.a"() : () -> ()`.
fn leaf() -> Bytes {
    Bytes::new().int(0).raw(&[0]).int(0)
}

fn top(operations: &[Bytes]) -> Bytes {
    let block = Bytes::new().flagged(operations.len() as u64, false);
    operations.iter().fold(block, |all, one| all.raw(&one.0))
}

fn open(encoded: &Encoded) -> (Context, File, Vec<Symbol>) {
    let context = Context::new();
    let source = Source::from(encoded.bytes());
    let file = File::new(&context, source, &ReadOptions::default()).unwrap();
    let symbols = file.symbols().unwrap();
    (context, file, symbols)
}

/// As `open`, but read by position.
fn open_positioned(encoded: &Encoded) -> (Context, File) {
    let context = Context::new();
    let watched = Watched::new(encoded.bytes());
    let file = File::positioned(&context, watched, &ReadOptions::default()).unwrap();
    (context, file)
}

fn printed(context: &Context, module: &Module) -> String {
    let text = module_to_string(context, module, &PrintOptions::generic()).unwrap();
    String::from_utf8(text).unwrap()
}

/// Checks that each symbol, read alone, equals what extraction leaves of the whole module, both in
/// memory and read by position.
fn check(encoded: &Encoded) {
    let (context, file, symbols) = open(encoded);
    check_file(encoded, context, &file);
    let (context, file) = open_positioned(encoded);
    check_file(encoded, context, &file);
    assert_eq!(file.symbols().unwrap(), symbols);
}

fn check_file(encoded: &Encoded, mut context: Context, file: &File) {
    let symbols = file.symbols().unwrap();
    let (whole, module) = read(&encoded.bytes()).unwrap();
    let expected_symbols = nested_symbols(&whole, &module);
    assert_eq!(symbols.len(), expected_symbols.len());
    let locations = EqualityOptions { locations: true };
    for (symbol, expected) in symbols.iter().zip(&expected_symbols) {
        let path = expected.path(&expected_symbols);
        let names = path.iter().map(|&name| whole.bytes(name));
        assert_eq!(symbol.path, SymbolPath::new(names));
        let mut rest = module.clone();
        extract(&whole, &mut rest, &[expected.operation], false);
        let (part, operation) = file.read_symbol(&mut context, symbol).unwrap();
        let name = part.symbol_name(&context, operation).unwrap();
        assert_eq!(Some(context.bytes(name)), symbol.name());
        let difference = semantic_difference((&whole, &rest), (&context, &part), &locations);
        assert!(difference.is_none(), "{}: {difference:?}", symbol.path);
    }
}

#[test]
fn symbols_are_listed_and_read_alone() {
    let inside = leaf().raw(&leaf().0);
    let encoded = file(top(&[
        unit(F, 0, 2, &inside),
        leaf(),
        unit(G, 0, 1, &leaf()),
    ]));
    check(&encoded);
    let (mut context, file, symbols) = open(&encoded);
    let [f, g] = symbols.as_slice() else {
        panic!("{symbols:?}")
    };
    assert_eq!(
        (f.path.to_string(), &*f.operation),
        ("@f".into(), &b"t.a"[..])
    );
    assert_eq!(
        (f.visibility, f.unit, f.isolated),
        (Visibility::Public, true, true)
    );
    assert_eq!(f.bytes, unit(F, 0, 2, &inside).0.len() as u64);
    assert_eq!(g.visibility, Visibility::Private);
    assert_eq!(
        file.symbol(&SymbolPath::new(["g"])).unwrap().as_ref(),
        Some(g)
    );
    assert_eq!(file.symbol(&SymbolPath::new(["h"])).unwrap(), None);
    let together = file
        .read_together(&mut context, &[g.clone(), f.clone()])
        .unwrap();
    let text = printed(&context, &together);
    let at = |name: &str| text.find(name).unwrap();
    assert!(at("\"f\"") < at("\"g\""), "{text}");
    assert_eq!(text.matches("t.a").count(), 5, "{text}");
    let survey = file.survey(&mut context).unwrap();
    // Includes the implicit module, which the file omits.
    let counts = [(b"t.a"[..].into(), 6), (b"builtin.module"[..].into(), 1)];
    assert_eq!(survey.operations, counts);
    assert_eq!((survey.regions, survey.blocks), (3, 3));
    assert_eq!((survey.contents.symbols, survey.contents.unnamed), (2, 1));
}

#[test]
fn what_is_not_asked_for_may_be_damaged_or_unknown() {
    let damaged = Bytes::new().raw(&[0, 0xFF]);
    let encoded = file(top(&[
        unit(G_WITH_UNKNOWN, 0, 1, &leaf()),
        unit(G, 0, 1, &damaged),
        unit(F, 0, 1, &leaf()),
    ]));
    assert!(read(&encoded.bytes()).is_err());
    let (mut context, file, symbols) = open(&encoded);
    assert_eq!(symbols.len(), 3);
    let mut read = Vec::new();
    file.read_symbols(
        &mut context,
        &mut symbols.iter().cloned(),
        &mut |context, symbol, module| {
            read.push(match module {
                Ok((module, _)) => Ok(printed(context, &module)),
                Err(error) => {
                    assert!(
                        error.to_string().contains(&symbol.path.to_string()),
                        "{error}"
                    );
                    assert!(error.offset().is_some(), "{error}");
                    Err((error.kind(), error.section().unwrap_or_default().to_owned()))
                }
            });
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert_eq!(
        read[0],
        Err((ErrorKind::Unsupported, "AttrType".to_owned()))
    );
    assert_eq!(read[1], Err((ErrorKind::Truncated, "IR".to_owned())));
    let text = read[2].as_ref().unwrap();
    assert!(text.contains("\"f\"") && !text.contains("\"g\""), "{text}");
    assert!(file.read_module(&mut context).is_err());
}

#[test]
fn a_symbol_comes_with_what_defines_its_values() {
    // In `m`: a value, `f`, which uses it, and an operation that defines no value that it uses.
    let value = Bytes::new().int(0).raw(&[0x02]).ints(&[0, 1, 0]);
    let user = Bytes::new().int(0).raw(&[0x05]).ints(&[0, F, 1, 0]);
    let inside = [value.clone(), user, value, unit(G, 0, 1, &leaf())];
    let inside = inside.iter().fold(Bytes::new(), |all, one| all.raw(&one.0));
    let table = unit(M_WITH_REFERENCE, 2, 4, &inside);
    let encoded = file(top(&[unit(F, 0, 1, &leaf()), table]));
    check(&encoded);
    let (mut context, file, symbols) = open(&encoded);
    let paths: Vec<String> = symbols.iter().map(|s| s.path.to_string()).collect();
    assert_eq!(paths, ["@f", "@m", "@m::@f", "@m::@g"]);
    let (module, _) = file.read_symbol(&mut context, &symbols[2]).unwrap();
    assert_eq!(printed(&context, &module).matches("i32").count(), 2);
}

#[test]
fn references_lead_to_other_symbols() {
    let encoded = file(top(&[
        unit(G, 0, 1, &leaf()),
        unit(M_WITH_REFERENCE, 0, 1, &leaf()),
        unit(F, 0, 1, &leaf()),
    ]));
    check(&encoded);
    let (mut context, file, symbols) = open(&encoded);
    let all = with_references(&file, &mut context, &symbols[1..2]).unwrap();
    let paths: Vec<String> = all.iter().map(|s| s.path.to_string()).collect();
    assert_eq!(paths, ["@m", "@f"]);
    // A symbol of another file is rejected.
    let mut other = symbols[0].clone();
    other.path = SymbolPath::new(["x"]);
    assert!(file.read_symbol(&mut context, &other).is_err());
    other.place = 99;
    let error = file.read_symbol(&mut context, &other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}

#[test]
fn versions_without_sections_are_read_in_parts_as_well() {
    let plain = |attributes: u64, values: u64| {
        let region = Bytes::new().ints(&[1, values]).flagged(1, false);
        let head = Bytes::new().int(0).raw(&[0x11]).ints(&[0, attributes]);
        head.flagged(1, true).raw(&region.raw(&leaf().0).0)
    };
    let mut encoded = file(top(&[plain(F, 0), plain(G, 0)]));
    encoded.version = 1;
    check(&encoded);
    let (_, _, symbols) = open(&encoded);
    assert_eq!(symbols.len(), 2);
    assert!(symbols.iter().all(|symbol| !symbol.unit && symbol.isolated));
}

/// Returns a file with some symbols of another, copied.
fn copied(file: &File, symbols: &[Symbol]) -> rmlir_format::Result<Vec<u8>> {
    let mut copy = Vec::new();
    file.copy_symbols(symbols, &mut copy)?;
    Ok(copy)
}

#[test]
fn symbols_are_copied_with_what_cannot_be_decoded() {
    let encoded = file(top(&[
        leaf(),
        unit(G_WITH_UNKNOWN, 0, 1, &leaf()),
        unit(F, 0, 2, &leaf().raw(&leaf().0)),
    ]));
    let bytes = encoded.bytes();
    for (context, file) in [
        {
            let (context, file, _) = open(&encoded);
            (context, file)
        },
        open_positioned(&encoded),
    ] {
        let symbols = file.symbols().unwrap();
        let mut whole = Vec::new();
        file.copy(&mut whole).unwrap();
        assert!(whole == bytes);
        // All but the unnamed operation; otherwise only the bytes of section frames differ.
        let unknown = unit(G_WITH_UNKNOWN, 0, 1, &leaf());
        let mut expected = crate::lazy::file(top(std::slice::from_ref(&unknown)));
        assert!(copied(&file, &symbols[..1]).unwrap() == expected.bytes());
        expected.ir = top(&[unknown, unit(F, 0, 2, &leaf().raw(&leaf().0))]);
        assert!(copied(&file, &symbols).unwrap() == expected.bytes());
        let source = Source::from(copied(&file, &symbols[..1]).unwrap());
        let copy = File::new(&context, source, &ReadOptions::default()).unwrap();
        assert_eq!(copy.symbols().unwrap()[0].path, symbols[0].path);
    }
}

#[test]
fn symbols_that_cannot_be_cut_out_are_refused() {
    let refused = |encoded: &Encoded, symbol: usize, message: &str| {
        let (_, file, symbols) = open(encoded);
        let error = copied(&file, &symbols[symbol..=symbol]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(message), "{error}");
    };
    let value = Bytes::new().int(0).raw(&[0x02]).ints(&[0, 1, 0]);
    // `f` uses a value.
    let user = Bytes::new().int(0).raw(&[0x05]).ints(&[0, F, 1, 0]);
    let table = unit(M_WITH_REFERENCE, 1, 2, &value.clone().raw(&user.0));
    refused(&file(top(&[table])), 1, "uses values of others");
    // `f`, which is not isolated, has a value that is numbered after that of `m`.
    let region = Bytes::new().ints(&[1, 1]).flagged(1, false).raw(&value.0);
    let head = Bytes::new().int(0).raw(&[0x11]).ints(&[0, F]);
    let open_region = head.flagged(1, false).raw(&region.0);
    let table = unit(M_WITH_REFERENCE, 1, 2, &value.raw(&open_region.0));
    let encoded = file(top(&[table]));
    refused(&encoded, 1, "are numbered with those of others");
    // The table itself contains everything.
    let (_, file, symbols) = open(&encoded);
    assert!(copied(&file, &symbols[..1]).unwrap() == encoded.bytes());
    // A symbol of another file.
    let mut other = symbols[0].clone();
    other.place = 99;
    let error = copied(&file, &[other]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}
