//! Fuzzes the reader of upstream's bytecode.

use crate::rmbc::rmbc_round_trip;
use crate::upstream_text::is_read_otherwise;
use crate::{assert_equal, context};
use rmlir::format::{ErrorKind, Source};
use rmlir::ir::definition::Release;
use rmlir::ir::{
    Context, EqualityOptions, Module, VerifyOptions, extract, nested_symbols, semantic_difference,
    verify,
};
use rmlir::reader::lazy::{LazyFile, Symbol, SymbolPath, with_references};
use rmlir::reader::mlirbc::{File, ReadOptions, read_module_from_slice};
use rmlir::text::PrintOptions;
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir_testing::module_to_string;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of symbols that are read.
const MOST_SYMBOLS: usize = 8;

/// Checks that any bytes are rejected with an error in a section, or are a module, which can be
/// printed and round-trips through both kinds of bytecode. Read in parts, a valid file has the same
/// symbols, each as in the whole. An invalid file may have valid parts, because lazy reading does
/// not check unrequested data.
///
/// Text is not included: bodies of dialects unknown to their writer are preserved as written, and
/// upstream keeps alias names in them, which mean something else in another text.
pub fn mlirbc_bytes(data: &[u8]) {
    let mut context = context();
    match read_module_from_slice(&mut context, data, &ReadOptions::default()) {
        Ok(module) => {
            rmbc_round_trip(&context, &module);
            in_parts(data, Some((&context, &module)));
            through_mlirbc(&mut context, &module, &WriteOptions::default(), true);
        }
        Err(error) => {
            assert!(error.section().is_some(), "{error}");
            in_parts(data, None);
        }
    }
}

/// Opens a file, lists its symbols and reads a few. `whole` is the module of the whole file, if it
/// is valid.
fn in_parts(data: &[u8], whole: Option<(&Context, &Module)>) {
    let mut context = context();
    let must = |error: &rmlir::format::Error| {
        assert!(error.section().is_some(), "{error}");
        assert!(
            whole.is_none(),
            "the whole is read, but not in parts: {error}"
        );
    };
    let options = ReadOptions::default();
    let file = match File::new(&context, Source::from(data), &options) {
        Ok(file) => file,
        Err(error) => return must(&error),
    };
    if let Err(error) = file.survey(&mut context) {
        must(&error);
    }
    let symbols = match file.symbols() {
        Ok(symbols) => symbols,
        Err(error) => return must(&error),
    };
    let expected = whole.map(|(context, module)| nested_symbols(context, module));
    if let (Some((context, module)), Some(expected)) = (whole, &expected) {
        assert!(
            symbols.len() == expected.len(),
            "other symbols: {symbols:?}"
        );
        for (symbol, one) in symbols.iter().zip(expected) {
            let path = one.path(expected);
            let names = path.iter().map(|&name| context.bytes(name));
            let operation = context.operation_name_bytes(module.name(one.operation));
            assert!(
                symbol.path == SymbolPath::new(names)
                    && symbol.visibility == one.visibility
                    && *symbol.operation == *operation,
                "another symbol: {symbol:?}"
            );
        }
    }
    let some = symbols.get(..MOST_SYMBOLS).unwrap_or(&symbols);
    copied(data, &file, some, whole);
    let locations = EqualityOptions { locations: true };
    let mut number = 0;
    let read = file.read_symbols(
        &mut context,
        &mut some.iter().cloned(),
        &mut |context, symbol, read| {
            match (read, whole, &expected) {
                (Ok((part, _)), Some((all, module)), Some(expected)) => {
                    let mut rest = module.clone();
                    extract(all, &mut rest, &[expected[number].operation], false);
                    let difference =
                        semantic_difference((all, &rest), (&*context, &part), &locations);
                    assert!(difference.is_none(), "{}: {difference:?}", symbol.path);
                }
                (Ok(_), ..) => {}
                (Err(error), ..) => must(&error),
            }
            number += 1;
            ControlFlow::Continue(())
        },
    );
    if let Err(error) = read {
        must(&error);
    }
    match with_references(&file, &mut context, some) {
        Ok(more) => {
            if let Err(error) = file.read_together(&mut context, &more) {
                must(&error);
            }
        }
        Err(error) => must(&error),
    }
    if let (Err(error), Some(_)) = (file.read_module(&mut context), whole) {
        must(&error);
    }
}

/// Checks that copying some symbols without decoding yields a file with these symbols and the
/// operations around them, equal to what extraction leaves of the whole module, and that reading
/// the file by position yields the same.
fn copied(data: &[u8], file: &File, symbols: &[Symbol], whole: Option<(&Context, &Module)>) {
    let positioned = Arc::new(data.to_vec());
    let positioned = File::positioned(&context(), positioned, &ReadOptions::default());
    let positioned = positioned.unwrap_or_else(|error| panic!("not opened by position: {error}"));
    let listed = positioned.symbols();
    assert!(
        listed.is_ok_and(|listed| listed.starts_with(symbols)),
        "by position other symbols are listed"
    );
    for set in symbols.chunks(1).chain([symbols]) {
        let (mut copy, mut by_position) = (Vec::new(), Vec::new());
        let result = file.copy_symbols(set, &mut copy);
        let other = positioned.copy_symbols(set, &mut by_position);
        assert!(result.is_ok() == other.is_ok() && copy == by_position);
        if result.is_err() {
            continue;
        }
        let mut context = context();
        let options = ReadOptions::default();
        let listed = File::new(&context, Source::from(copy.as_slice()), &options.clone())
            .and_then(|file| file.symbols())
            .unwrap_or_else(|error| panic!("the copy is refused: {error}"));
        let has = |symbol: &Symbol| listed.iter().any(|other| other.path == symbol.path);
        assert!(set.iter().all(has), "{set:?} is not in {listed:?}");
        let Some((all, module)) = whole else { continue };
        match read_module_from_slice(&mut context, &copy, &options) {
            Ok(part) => {
                let expected = nested_symbols(all, module);
                let chosen = symbols.iter().zip(&expected);
                let chosen = chosen.filter(|(symbol, _)| set.contains(symbol));
                let chosen: Vec<_> = chosen.map(|(_, found)| found.operation).collect();
                let mut rest = module.clone();
                extract(all, &mut rest, &chosen, false);
                let locations = EqualityOptions { locations: true };
                let difference = semantic_difference((all, &rest), (&context, &part), &locations);
                assert!(difference.is_none(), "copied: {difference:?}");
            }
            // With less of a file, the release that wrote it may be ambiguous.
            Err(error) => assert!(error.kind() == ErrorKind::Unsupported, "copied: {error}"),
        }
    }
}

/// Checks that a valid module round-trips through upstream's bytecode for LLVM 22.
pub(crate) fn mlirbc_round_trip(context: &mut Context, module: &Module) {
    if verify(context, module, module.top(), &VerifyOptions::default()).is_err() {
        // An invalid module may be rejected by the writer or by the reader.
        let _ = write_module(context, module, &WriteOptions::default());
        return;
    }
    // If an entry is stored as text, each reader, as upstream's, creates a new distinct attribute.
    let text = module_to_string(context, module, &PrintOptions::generic()).unwrap_or_default();
    if text.windows(9).any(|word| word == b"distinct[") {
        let _ = write_module(context, module, &WriteOptions::default());
        return;
    }
    let mut options = WriteOptions::default();
    options.target = Some(Release::LLVM_22);
    // Without normalization, absent attributes stay absent.
    through_mlirbc(context, module, &options, false);
}

/// Checks that written bytes read back as the same module, and that writing it again yields the
/// same bytes.
fn through_mlirbc(context: &mut Context, module: &Module, options: &WriteOptions, normalize: bool) {
    let Ok(bytes) = write_module(context, module, options) else {
        return;
    };
    let mut second = self::context();
    let mut read = ReadOptions::default();
    read.normalize = normalize;
    let again = match read_module_from_slice(&mut second, &bytes, &read) {
        Ok(again) => again,
        Err(error) => panic!("what was written is refused: {error}"),
    };
    // Affine maps and attributes of dialects are stored as text, which may regroup them.
    let mut generic = PrintOptions::generic();
    generic.debug_info = true;
    generic.max_output = 1 << 20;
    let text = module_to_string(context, module, &generic).unwrap_or_default();
    if is_read_otherwise(&text) {
        return;
    }
    assert_equal(context, module, &second, &again, true, || {
        let again = module_to_string(&second, &again, &generic).unwrap_or_default();
        let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        format!("{}\n{}", show(&text), show(&again))
    });
    let bytes_again = write_module(&mut second, &again, &WriteOptions::default());
    assert!(
        bytes_again.is_ok_and(|again| again == bytes),
        "the bytes differ the second time"
    );
}
