//! Tests lazy reading: the listed and read symbols equal those of the whole, and nothing else is
//! touched.

use super::watched::Watched;
use super::{parse, write};
use rmlir_format::rmbc::section;
use rmlir_format::{Container, ErrorKind, Limits, Source};
use rmlir_ir::{
    Context, Entry, EqualityOptions, FingerprintOptions, Fingerprinter, Identifier, Module,
    WalkResult, extract, nested_symbols, semantic_difference, semantic_eq,
};
use rmlir_reader::events::{ModuleBuilder, OperationEvent, Visitor};
use rmlir_reader::lazy::{LazyFile, SymbolPath, with_references};
use rmlir_reader::rmbc::{File, ReadOptions, read_module};
use rmlir_testing::module_to_string;
use rmlir_text::PrintOptions;
use rmlir_writer::rmbc::write_module;
use std::fmt::Write;
use std::sync::atomic::Ordering;

/// Returns functions in nested modules, small and large, and some that cannot be read alone.
fn text(functions: usize) -> String {
    let mut text = String::new();
    for number in 0..functions {
        let callee = (number * 7 + 1) % functions;
        let visibility = [
            "",
            ", sym_visibility = \"private\"",
            ", sym_visibility = \"nested\"",
        ];
        write!(
            text,
            "\"t.func\"() ({{\n^bb0(%a: i32, %b: vector<{}xf32>):\n",
            number % 50 + 1
        )
        .unwrap();
        // Every twentieth is a large one.
        let len = if number % 20 == 7 { 400 } else { number % 9 };
        for inner in 0..len {
            writeln!(
                text,
                "  %c{inner} = \"t.add\"(%a, %a) {{n = {inner} : i64, s = \"{number}\"}} : (i32, i32) -> i32"
            )
            .unwrap();
        }
        writeln!(
            text,
            "  \"t.call\"(%a) {{callee = @f{callee}}} : (i32) -> () loc(\"call {number}\"(\"b.mlir\":{number}:1))\n  \
             \"t.return\"() : () -> ()\n}}) {{sym_name = \"f{number}\"{}}} : () -> ()",
            visibility[number % 3]
        )
        .unwrap();
    }
    text
}

/// Returns the text in nested modules, beside an operation whose result symbols of the outer one
/// use.
fn nested(functions: usize) -> String {
    let inner = text(functions);
    format!(
        "%v = \"t.value\"() : () -> i32\n\
         \"t.open\"() ({{ \"t.use\"(%v) : (i32) -> () }}) {{sym_name = \"open\"}} : () -> ()\n\
         \"builtin.module\"() ({{ {inner}\n\"builtin.module\"() ({{ {inner} }}) {{sym_name = \"two\"}} : () -> ()\n\
         }}) {{sym_name = \"one\"}} : () -> ()\n{inner}\n\
         \"t.last\"() {{sym_name = \"last\"}} : () -> ()\n"
    )
}

/// Returns what remains of a module without everything but one symbol.
fn rest(context: &Context, module: &Module, place: usize) -> Module {
    let mut rest = module.clone();
    let wanted = nested_symbols(context, module)[place].operation;
    extract(context, &mut rest, &[wanted], false);
    rest
}

/// Checks that each symbol of a file equals what remains of the module.
fn check(context: &Context, module: &Module, file: &File, step: usize) {
    let all = nested_symbols(context, module);
    let listed = file.symbols().unwrap();
    assert_eq!(listed.len(), all.len());
    for place in (0..all.len()).step_by(step) {
        let path = all[place].path(&all);
        let path = SymbolPath::new(path.iter().map(|&name| context.bytes(name)));
        assert_eq!(listed[place].path, path);
        assert_eq!(listed[place].visibility, all[place].visibility);
        let mut other = Context::new();
        let found = file.symbol(&path).unwrap().unwrap();
        assert_eq!(found, listed[place]);
        let (read, operation) = file.read_symbol(&mut other, &found).unwrap();
        let name = read.symbol_name(&other, operation).unwrap();
        assert_eq!(Some(other.bytes(name)), found.name());
        let rest = rest(context, module, place);
        let locations = EqualityOptions { locations: true };
        let difference = semantic_difference((context, &rest), (&other, &read), &locations);
        assert!(difference.is_none(), "{path}: {difference:?}");
        // Names of values and orders of uses are those of the whole, too.
        let mut options = PrintOptions::generic();
        options.keep_names = true;
        options.debug_info = true;
        assert_eq!(
            String::from_utf8(module_to_string(context, &rest, &options).unwrap()).unwrap(),
            String::from_utf8(module_to_string(&other, &read, &options).unwrap()).unwrap(),
            "{path}"
        );
    }
}

#[test]
fn symbols_are_what_is_left_of_the_whole() {
    let mut context = Context::new();
    let module = parse(&mut context, &nested(60));
    let mut without = super::write_options();
    without.index = false;
    let mut compressed = super::write_options();
    compressed.compression = Some(1);
    for options in [super::write_options(), without, compressed] {
        let bytes = write_module(&context, &module, &options).unwrap();
        let file = File::new(&context, Source::from(bytes), &ReadOptions::default()).unwrap();
        check(&context, &module, &file, 13);
        file.verify().unwrap();
    }
}

#[test]
fn fingerprints_are_said() {
    let mut context = Context::new();
    let module = parse(&mut context, &nested(40));
    let mut options = super::write_options();
    options.hashes = true;
    // Locations and the index make no difference.
    let mut without = options.clone();
    (without.locations, without.index) = (false, false);
    let mut all = Vec::new();
    for options in [&options, &without] {
        let bytes = write_module(&context, &module, options).unwrap();
        let file = File::new(&context, Source::from(bytes), &ReadOptions::default()).unwrap();
        if options.locations {
            check(&context, &module, &file, 17);
        }
        let hashes = file.symbols().unwrap().into_iter().map(|symbol| {
            (
                file.fingerprint(&symbol).unwrap(),
                symbol.path,
                symbol.isolated,
            )
        });
        all.push(hashes.collect::<Vec<_>>());
    }
    assert_eq!(all[0], all[1]);
    let mut fingerprinter = Fingerprinter::new(&context, &FingerprintOptions { locations: false });
    for (symbol, (hash, path, isolated)) in nested_symbols(&context, &module).iter().zip(&all[0]) {
        let expected = fingerprinter.fingerprint(&module, symbol.operation);
        assert_eq!(*hash, isolated.then_some(expected), "{path}");
    }
    // Without stored fingerprints, none is returned.
    let bytes = write(&context, &module);
    let file = File::new(&context, Source::from(bytes), &ReadOptions::default()).unwrap();
    let symbol = &file.symbols().unwrap()[0];
    assert_eq!(file.fingerprint(symbol).unwrap(), None);
}

#[test]
fn small_files_are_files() {
    for text in super::samples::ALL {
        let mut context = Context::new();
        let module = parse(&mut context, text);
        let bytes = write(&context, &module);
        // With the source at an odd address.
        let shifted = [&[0][..], &bytes].concat();
        let source = Source::from(shifted)
            .slice(1..bytes.len() as u64 + 1)
            .unwrap();
        let file = File::new(&context, source, &ReadOptions::default()).unwrap();
        check(&context, &module, &file, 1);
        let read = file.read_module(&mut context).unwrap();
        assert_eq!(write(&context, &read), bytes);
        assert!(
            file.symbol(&SymbolPath::new(["not there"]))
                .unwrap()
                .is_none()
        );
    }
}

#[test]
fn references_are_found() {
    let mut context = Context::new();
    let module = parse(&mut context, &text(600));
    let bytes = write(&context, &module);
    let file = File::new(&context, Source::from(bytes), &ReadOptions::default()).unwrap();
    let first = file.symbol(&SymbolPath::new(["f3"])).unwrap().unwrap();
    let found = with_references(&file, &mut context, &[first]).unwrap();
    let mut expected = vec!["@f3".to_owned()];
    let mut number = 3;
    loop {
        number = (number * 7 + 1) % 600;
        let name = format!("@f{number}");
        if expected.contains(&name) {
            break;
        }
        expected.push(name);
    }
    let found: Vec<String> = found.iter().map(|symbol| symbol.path.to_string()).collect();
    assert_eq!(found, expected);
}

#[test]
fn one_of_many_touches_few_bytes() {
    let mut touched = Vec::new();
    for functions in [400, 6_000] {
        let mut context = Context::new();
        let module = parse(&mut context, &text(functions));
        let bytes = write(&context, &module);
        let watched = Watched::new(bytes.clone());
        let open = || File::positioned(&context, watched.clone(), &ReadOptions::default());
        let file = open().unwrap();
        assert!(watched.read.load(Ordering::Relaxed) <= 1 << 16);
        let path = SymbolPath::new([format!("f{}", functions / 2 + 1)]);
        let symbol = file.symbol(&path).unwrap().unwrap();
        let mut other = Context::new();
        let (read, _) = file.read_symbol(&mut other, &symbol).unwrap();
        assert!(read.descendants(read.top()).count() > 3);
        assert_eq!(file.bytes_touched(), watched.read.load(Ordering::Relaxed));
        touched.push((bytes.len(), file.bytes_touched()));
    }
    // The small one is read whole; of the large one, little more than that.
    let [(small, _), (large, of_large)] = touched[..] else {
        panic!();
    };
    assert!(large > 10 * small, "{touched:?}");
    assert!(of_large < 16 << 16, "{touched:?}");
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    let mut context = Context::new();
    let module = parse(&mut context, &text(2_000));
    let bytes = write(&context, &module);
    let watched = Watched::new(bytes.clone());
    let file = File::positioned(&context, watched.clone(), &ReadOptions::default()).unwrap();
    let first = file.symbol(&SymbolPath::new(["f1"])).unwrap().unwrap();
    file.read_symbol(&mut context, &first).unwrap();
    let len = bytes.len() / 2;
    watched.bytes.lock().unwrap().truncate(len);
    // Data that was read before is available, data that is cut off is not.
    file.read_symbol(&mut context, &first).unwrap();
    let mut failures = 0;
    for number in [2, 500, 1_000, 1_500, 1_999] {
        let path = SymbolPath::new([format!("f{number}")]);
        let read = file
            .symbol(&path)
            .and_then(|symbol| file.read_symbol(&mut context, &symbol.unwrap()));
        if let Err(error) = read {
            assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
            assert!(
                error.offset().is_some() && error.section().is_some(),
                "{error}"
            );
            failures += 1;
        }
    }
    assert!(failures > 0);
    let error = file.verify().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Truncated);
    let error = file.read_module(&mut context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Truncated);
}

#[test]
fn damage_elsewhere_does_not_matter() {
    let mut context = Context::new();
    let module = parse(&mut context, &text(3_000));
    let mut bytes = write(&context, &module);
    // At the end of the stream of locations, far after the first function.
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let locations = container.section(section::LOCATIONS).unwrap();
    assert!(locations.len() > 1 << 16);
    let last = (locations.offset() + locations.len() - 1) as usize;
    bytes[last] ^= 1;
    let source = Source::from(bytes);
    let file = File::new(&context, source.clone(), &ReadOptions::default()).unwrap();
    let found = file.symbol(&SymbolPath::new(["f0"])).unwrap().unwrap();
    file.read_symbol(&mut context, &found).unwrap();
    assert_eq!(file.verify().unwrap_err().kind(), ErrorKind::Checksum);
    let error = file.read_module(&mut context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Checksum);
    // Without checks, reading yields a module or another error.
    let mut options = ReadOptions::default();
    options.trusted = true;
    let file = File::new(&context, source, &options).unwrap();
    if let Err(error) = file.read_module(&mut context) {
        assert_ne!(error.kind(), ErrorKind::Checksum);
    }
}

#[test]
fn locations_can_be_skipped() {
    let mut context = Context::new();
    let module = parse(&mut context, &text(3_000));
    let mut bytes = write(&context, &module);
    // Locations are not read, so they may be damaged.
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let locations = container.section(section::LOCATIONS).unwrap();
    let (start, len) = (locations.offset() as usize, locations.len() as usize);
    let mut options = ReadOptions::default();
    options.locations = false;
    for at in [start, start + len / 2, start + len - 1] {
        bytes[at] ^= 1;
    }
    let source = Source::from(bytes);
    assert!(read_module(&mut context, &source, &ReadOptions::default()).is_err());
    let bare = read_module(&mut context, &source, &options).unwrap();
    let unknown = context.unknown_location();
    let all_unknown = |module: &Module| {
        let mut operations = module.descendants(module.top());
        operations.all(|operation| module.location(operation) == unknown)
    };
    assert!(all_unknown(&bare));
    assert!(semantic_eq(
        (&context, &bare, bare.top()),
        (&context, &module, module.top()),
        &EqualityOptions { locations: false }
    ));
    let file = File::new(&context, source, &options).unwrap();
    for name in ["f0", "f1500", "f2999"] {
        let found = file.symbol(&SymbolPath::new([name])).unwrap().unwrap();
        let (part, _) = file.read_symbol(&mut context, &found).unwrap();
        assert!(all_unknown(&part));
        assert!(part.descendants(part.top()).count() > 3);
    }
}

/// Counts operations, and requests the locations of those with a number above `first`.
struct Located {
    first: u32,
    operations: u32,
}

impl Visitor for Located {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir_format::Result<WalkResult> {
        self.operations += 1;
        if self.operations > self.first {
            let location = event.location()?;
            assert_ne!(location, event.context().unknown_location());
        }
        Ok(WalkResult::Advance)
    }
}

#[test]
fn locations_that_are_not_requested_are_not_read() {
    let mut context = Context::new();
    let module = parse(&mut context, &text(3_000));
    let operations = module.descendants(module.top()).count() as u32;
    let bytes = write(&context, &module);
    let container = Container::parse(&bytes, &Limits::default(), section::name).unwrap();
    let locations = container.section(section::LOCATIONS).unwrap();
    let middle = (locations.offset() + locations.len() / 2) as usize;
    let mut damaged = bytes.clone();
    damaged[middle] ^= 1;
    let visit = |bytes: Vec<u8>, first: u32| {
        let (mut context, source) = (Context::new(), Source::from(bytes));
        let file = File::new(&context, source, &ReadOptions::default()).unwrap();
        let (mut located, operations) = (
            Located {
                first,
                operations: 0,
            },
            operations,
        );
        let visited = file.visit(&mut context, &mut located);
        visited.map(|()| assert_eq!(located.operations, operations))
    };
    visit(damaged.clone(), operations).unwrap();
    for first in [0, operations - 1] {
        let error = visit(damaged.clone(), first).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Checksum);
        visit(bytes.clone(), first).unwrap();
    }
}

#[test]
fn events_have_operands_at_any_distance() {
    // Distances of one, two and three bytes, and uses before definitions.
    let mut text = String::new();
    for number in 0..16_000 {
        writeln!(text, "%v{number} = \"t.value\"() : () -> i32").unwrap();
        if number % 150 == 0 {
            let (near, far) = (number, number / 2);
            let later = number + 1;
            writeln!(
                text,
                "\"t.use\"(%v{near}, %v0, %v{far}, %v{later}, %v{near}) : (i32, i32, i32, i32, i32) -> ()"
            )
            .unwrap();
        }
    }
    let text = format!("\"t.graph\"() ({{ {text} }}) : () -> ()");
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    let file = File::new(
        &context,
        Source::from(write(&context, &module)),
        &ReadOptions::default(),
    )
    .unwrap();
    let mut builder = ModuleBuilder::default();
    file.visit(&mut context, &mut builder).unwrap();
    let built = builder.finish().unwrap();
    assert!(semantic_eq(
        (&context, &built, built.top()),
        (&context, &module, module.top()),
        &EqualityOptions { locations: true }
    ));
}

/// Collects names of results, and stops after `left` operations.
struct Results {
    left: u32,
    found: Vec<Option<Identifier>>,
}

impl Visitor for Results {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> rmlir_format::Result<WalkResult> {
        self.found.extend(event.result_names()?);
        self.left -= 1;
        Ok(match self.left {
            0 => WalkResult::Interrupt,
            _ => WalkResult::Advance,
        })
    }
}

#[test]
fn a_visit_with_tables_knows_items_and_names() {
    // More than one chunk, so that values are numbered anew.
    let mut context = Context::new();
    let module = parse(&mut context, &text(3_000));
    let named = module.provenance.value_names.iter().count();
    assert!(named > 10_000);
    let source = Source::from(write(&context, &module));
    let mut other = Context::new();
    let file = File::new(&other, source, &ReadOptions::default()).unwrap();
    let mut results = Results {
        left: u32::MAX,
        found: Vec::new(),
    };
    let items = file.visit_with_tables(&mut other, &mut results).unwrap();
    let bytes = |context: &Context, name: Option<Identifier>| Some(context.bytes(name?).to_vec());
    let operations = module.descendants(module.top());
    let expected: Vec<_> = operations
        .flat_map(|operation| module.results(operation))
        .map(|value| bytes(&context, module.provenance.value_names.get(value)))
        .collect();
    let found = results.found.iter();
    let found: Vec<_> = found.map(|&name| bytes(&other, name)).collect();
    assert_eq!(found, expected);
    // Everything in the tables is known, whether or not it was requested.
    assert!(items.strings.iter().all(Option::is_some));
    assert!(items.entries.iter().all(Option::is_some));
    let entries = items.entries.iter().flatten();
    let locations = entries.filter(|entry| matches!(entry, Entry::Location(_)));
    assert!(locations.count() > 100);
    // Also after a visit that was stopped.
    let mut results = Results {
        left: 10,
        found: Vec::new(),
    };
    let items = file.visit_with_tables(&mut other, &mut results).unwrap();
    assert!(items.entries.iter().all(Option::is_some));
}
