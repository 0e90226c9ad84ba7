//! Compares lazily read bytecode files with the same files read whole: the symbols are the same,
//! and each equals what remains of the whole when everything else is removed.

use super::alike;
use rmlir::events::ModuleBuilder;
use rmlir::format::{ErrorKind, Source};
use rmlir::ir::{
    Context, EqualityOptions, Module, Operation, extract, nested_symbols, semantic_difference,
    unnamed_operations,
};
use rmlir::reader::lazy::{LazyFile, Symbol, SymbolPath};
use rmlir::reader::mlirbc::{File, ReadOptions, read_module_from_slice};
use rmlir::reader::rmbc;
use rmlir_testing::value_and_block_names;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The maximum number of operations of copies of the whole that are examined for one file.
const WORK: usize = 2_000_000;

/// The numbers of symbols, loadable symbols, and symbols read.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) symbols: usize,
    pub(super) units: usize,
    pub(super) read: usize,
    /// The numbers of symbols that were copied without decoding, and that could not be.
    pub(super) copied: [usize; 2],
}

/// Checks a file whose whole content is `module`.
pub(super) fn check(bytes: &[u8], whole: &Context, module: &Module) -> Result<Counts, String> {
    let file = File::new(&alike(whole), Source::from(bytes), &ReadOptions::default())
        .map_err(|error| format!("opening: {error}"))?;
    let survey = file
        .survey(&mut alike(whole))
        .map_err(|error| format!("counting: {error}"))?;
    if survey.contents.provenance.layouts != module.provenance.layouts {
        return Err(format!("layouts {:?}", survey.contents.provenance.layouts));
    }
    let operations: u64 = survey.operations.iter().map(|(_, count)| count).sum();
    let all = module.descendants(module.top()).count();
    if all as u64 != operations {
        return Err(format!(
            "{operations} operations are counted, {all} are there"
        ));
    }

    let mut counts = check_file(&file, bytes.len(), whole, module)?;
    // Read by position.
    let positioned = Arc::new(bytes.to_vec());
    let positioned = File::positioned(&alike(whole), positioned, &ReadOptions::default())
        .map_err(|error| format!("opening by position: {error}"))?;
    check_file(&positioned, bytes.len(), whole, module)
        .map_err(|error| format!("by position: {error}"))?;
    let counted = positioned.survey(&mut alike(whole));
    let counted = counted.map_err(|error| format!("counting by position: {error}"))?;
    if counted.operations != survey.operations
        || counted.contents.blob_bytes != survey.contents.blob_bytes
    {
        return Err("by position other operations are counted".to_owned());
    }
    counts.copied = check_copies(bytes, &file, whole, module)
        .map_err(|error| format!("copied undecoded: {error}"))?;
    let copied = check_copies(bytes, &positioned, whole, module);
    if copied != Ok(counts.copied) {
        return Err(format!("copied by position: {copied:?}"));
    }
    Ok(counts)
}

/// The maximum number of symbols of a file that are copied undecoded.
const COPIED: usize = 6;

/// Checks that files with some symbols, copied without decoding, equal what remains of the whole,
/// and that a copy of the whole file has the same bytes. Returns the numbers of symbols that were
/// copied and that could not be.
fn check_copies(
    bytes: &[u8],
    file: &File,
    whole: &Context,
    module: &Module,
) -> Result<[usize; 2], String> {
    let mut copy = Vec::new();
    file.copy(&mut copy).map_err(|error| error.to_string())?;
    if copy != bytes {
        return Err("the copy is another file".to_owned());
    }
    let expected = nested_symbols(whole, module);
    let symbols = file.symbols().map_err(|error| error.to_string())?;
    let step = symbols.len().div_ceil(COPIED).max(1);
    let chosen: Vec<usize> = (0..symbols.len()).step_by(step).collect();
    // Each alone, and all of them.
    let mut sets: Vec<Vec<usize>> = chosen.iter().map(|&at| vec![at]).collect();
    sets.push(chosen);
    let mut counts = [0; 2];
    for set in sets.iter().filter(|set| !set.is_empty()) {
        let some: Vec<Symbol> = set.iter().map(|&at| symbols[at].clone()).collect();
        let mut copy = Vec::new();
        match file.copy_symbols(&some, &mut copy) {
            Ok(()) => counts[0] += 1,
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                counts[1] += 1;
                continue;
            }
            Err(error) => return Err(error.to_string()),
        }
        let mut context = alike(whole);
        let read = read_module_from_slice(&mut context, &copy, &ReadOptions::default())
            .map_err(|error| format!("{}: {error}", some[0].path))?;
        let mut rest = module.clone();
        let operations: Vec<_> = set.iter().map(|&at| expected[at].operation).collect();
        extract(whole, &mut rest, &operations, false);
        let locations = EqualityOptions { locations: true };
        if let Some(difference) = semantic_difference((whole, &rest), (&context, &read), &locations)
        {
            return Err(format!("{}: {difference}", some[0].path));
        }
    }
    Ok(counts)
}

/// As [`check`], for native bytecode, read by position and verified.
pub(super) fn check_native(bytes: &[u8], whole: &Context, module: &Module) -> Result<(), String> {
    let file = rmbc::File::new(
        &alike(whole),
        Source::from(bytes),
        &rmbc::ReadOptions::default(),
    )
    .map_err(|error| format!("opening rmbc: {error}"))?;
    file.verify()
        .map_err(|error| format!("verifying rmbc: {error}"))?;
    let survey = file
        .survey(&mut alike(whole))
        .map_err(|error| format!("counting rmbc: {error}"))?;
    let operations: u64 = survey.operations.iter().map(|(_, count)| count).sum();
    let all = module.descendants(module.top()).count();
    if all as u64 != operations {
        return Err(format!(
            "rmbc: {operations} operations are counted, {all} are there"
        ));
    }
    check_file(&file, bytes.len(), whole, module).map_err(|error| format!("rmbc: {error}"))?;
    Ok(())
}

/// The number of operations that are not symbols that are read.
const UNNAMED: usize = 8;

/// Checks that the top-level operations that are not symbols are listed, and reads some of them.
fn check_unnamed(file: &dyn LazyFile, whole: &Context, module: &Module) -> Result<(), String> {
    let listed = file.unnamed().map_err(|error| error.to_string())?;
    let expected: Vec<Operation> = unnamed_operations(whole, module).collect();
    if listed.len() != expected.len() {
        let (listed, there) = (listed.len(), expected.len());
        return Err(format!(
            "{listed} unnamed operations are listed, {there} are there"
        ));
    }
    let step = listed.len().div_ceil(UNNAMED).max(1);
    for (unnamed, operation) in listed.iter().zip(expected).step_by(step) {
        let name = whole.operation_name_bytes(module.name(operation));
        if *unnamed.operation != *name || unnamed.name().is_some() || unnamed.bytes == 0 {
            return Err(format!("{unnamed:?} is listed"));
        }
        let mut context = alike(whole);
        let (read, found) = file
            .read_symbol(&mut context, unnamed)
            .map_err(|error| error.to_string())?;
        if context.operation_name_bytes(read.name(found)) != name {
            return Err(format!("another operation is returned for {unnamed}"));
        }
        let mut rest = module.clone();
        extract(whole, &mut rest, &[operation], false);
        let locations = EqualityOptions { locations: true };
        if let Some(difference) = semantic_difference((whole, &rest), (&context, &read), &locations)
        {
            return Err(format!("{unnamed}: {difference}"));
        }
    }
    Ok(())
}

/// Checks that a module built from events equals the whole.
fn check_events(file: &dyn LazyFile, whole: &Context, module: &Module) -> Result<(), String> {
    let mut context = alike(whole);
    let mut builder = ModuleBuilder::default();
    builder.keep_names(true);
    file.visit(&mut context, &mut builder)
        .map_err(|error| format!("events: {error}"))?;
    let built = builder.finish().ok_or("events: values are not defined")?;
    let locations = EqualityOptions { locations: true };
    match semantic_difference((whole, module), (&context, &built), &locations) {
        Some(difference) => Err(format!("events: {difference}")),
        None if value_and_block_names(&context, &built) != value_and_block_names(whole, module) => {
            Err("events: names differ".to_owned())
        }
        None => Ok(()),
    }
}

fn check_file(
    file: &dyn LazyFile,
    len: usize,
    whole: &Context,
    module: &Module,
) -> Result<Counts, String> {
    check_events(file, whole, module)?;
    let mut context = alike(whole);
    let listed = file
        .symbols()
        .map_err(|error| format!("listing: {error}"))?;
    let expected = nested_symbols(whole, module);
    if listed.len() != expected.len() {
        return Err(format!(
            "{} symbols are listed, {} are there",
            listed.len(),
            expected.len()
        ));
    }
    let all = &expected;
    for (symbol, expected) in listed.iter().zip(all) {
        let path = expected.path(all);
        let path = SymbolPath::new(path.iter().map(|&name| whole.bytes(name)));
        let name = whole.operation_name_bytes(module.name(expected.operation));
        if symbol.path != path
            || symbol.visibility != expected.visibility
            || *symbol.operation != *name
        {
            return Err(format!("{symbol:?} is listed, {path} is there"));
        }
        if symbol.bytes == 0 || symbol.bytes > len as u64 {
            return Err(format!("{path} is {} bytes", symbol.bytes));
        }
    }
    let all = module.descendants(module.top()).count();
    // All symbols, or a few spread over the file.
    let step = (listed.len() * all).div_ceil(WORK).max(1);
    let chosen: Vec<usize> = (0..listed.len()).step_by(step).collect();
    for symbol in chosen.iter().map(|&at| &listed[at]) {
        let found = file
            .symbol(&symbol.path)
            .map_err(|error| format!("finding {}: {error}", symbol.path))?;
        if found.is_none_or(|found| found.path != symbol.path) {
            return Err(format!("{} is not found", symbol.path));
        }
    }
    let symbols: Vec<_> = chosen.iter().map(|&at| listed[at].clone()).collect();
    let mut at = chosen.iter();
    let mut wrong = Ok(());
    let mut compare =
        |other: &mut Context, symbol: &Symbol, read: rmlir::format::Result<(Module, Operation)>| {
            let compared = (|| {
                let (read, found) = read.map_err(|error| error.to_string())?;
                let name = read.symbol_name(other, found);
                if name.map(|name| other.bytes(name)) != symbol.name() {
                    return Err(format!("another operation is returned for {symbol}"));
                }
                let operation = expected[*at.next().expect("one for each")].operation;
                let mut rest = module.clone();
                extract(whole, &mut rest, &[operation], false);
                let locations = EqualityOptions { locations: true };
                match semantic_difference((whole, &rest), (&*other, &read), &locations) {
                    Some(difference) => Err(difference.to_string()),
                    None if rest.provenance.resources.len() != read.provenance.resources.len() => {
                        Err("other resources".to_owned())
                    }
                    None => Ok(()),
                }
            })();
            match compared {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    wrong = Err(format!("{}: {error}", symbol.path));
                    ControlFlow::Break(())
                }
            }
        };
    file.read_symbols(&mut context, &mut symbols.iter().cloned(), &mut compare)
        .map_err(|error| format!("reading symbols: {error}"))?;
    wrong?;
    check_unnamed(file, whole, module)?;
    let together = file
        .read_together(&mut context, &symbols)
        .map_err(|error| format!("reading symbols together: {error}"))?;
    let mut rest = module.clone();
    let operations: Vec<_> = chosen.iter().map(|&at| expected[at].operation).collect();
    extract(whole, &mut rest, &operations, false);
    let locations = EqualityOptions { locations: true };
    if let Some(difference) = semantic_difference((whole, &rest), (&context, &together), &locations)
    {
        return Err(format!("together: {difference}"));
    }
    Ok(Counts {
        symbols: listed.len(),
        units: listed.iter().filter(|symbol| symbol.unit).count(),
        read: symbols.len(),
        copied: [0; 2],
    })
}
