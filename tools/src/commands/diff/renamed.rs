//! Finds symbols that were renamed or moved to another symbol table: their content is the same but
//! for the name.

use crate::commands::Loaded;
use crate::symbols::{Symbol, symbols};
use rmlir::ir::{Fingerprint, FingerprintOptions, Fingerprinter, Operation};
use rmlir::reader::lazy::{SymbolPath, SymbolPathMap};
use std::collections::{HashMap, HashSet, VecDeque};

/// The renamed symbols.
#[derive(Default)]
pub(super) struct Renamed {
    /// By the operation on the right side, the path on the left side.
    pub(super) from: HashMap<Operation, SymbolPath>,
    /// The operations on the left side.
    pub(super) gone: HashSet<Operation>,
}

/// Numbers paths, in common for both sides: comparing the paths, or hashing a long name for each
/// symbol, would take time in proportion to their lengths.
#[derive(Default)]
struct Numbers {
    known: SymbolPathMap<usize>,
    count: usize,
}

/// Finds the symbols that only one side has, of which another one on the other side has the same
/// content. Linear in the operations. The modules are the same afterwards.
pub(super) fn find(left: &mut Loaded, right: &mut Loaded) -> Renamed {
    let lone = (
        symbols(&left.context, &left.module),
        symbols(&right.context, &right.module),
    );
    let mut numbers = Numbers::default();
    let paths = (
        numbered(&lone.0, &mut numbers),
        numbered(&lone.1, &mut numbers),
    );
    let lone = (
        only(lone.0, &paths.0, &paths.1),
        only(lone.1, &paths.1, &paths.0),
    );
    let mut renamed = Renamed::default();
    if lone.0.is_empty() || lone.1.is_empty() {
        return renamed;
    }
    let prints = (nameless(left, &lone.0), nameless(right, &lone.1));
    let mut by_print: HashMap<Fingerprint, VecDeque<&Symbol>> = HashMap::new();
    for (symbol, print) in lone.0.iter().zip(prints.0) {
        by_print.entry(print).or_default().push_back(symbol);
    }
    for (symbol, print) in lone.1.iter().zip(prints.1) {
        let from = by_print.get_mut(&print).and_then(VecDeque::pop_front);
        if let Some(from) = from {
            renamed.from.insert(symbol.operation, from.path.clone());
            renamed.gone.insert(from.operation);
        }
    }
    renamed
}

/// Returns the numbers of the symbols' paths, in order.
fn numbered(symbols: &[Symbol], numbers: &mut Numbers) -> Vec<usize> {
    let number = |symbol: &Symbol| {
        *numbers.known.entry(&symbol.path).get_or_insert_with(|| {
            numbers.count += 1;
            numbers.count
        })
    };
    symbols.iter().map(number).collect()
}

/// Returns the symbols whose paths the other side does not have, except for those that are nested
/// in another one of them, and go with it.
fn only(symbols: Vec<Symbol>, own: &[usize], other: &[usize]) -> Vec<Symbol> {
    let other: HashSet<usize> = other.iter().copied().collect();
    let parents: Vec<Option<usize>> = symbols.iter().map(|symbol| symbol.parent).collect();
    let is_outermost = |parent: Option<usize>| {
        let parent = parent.and_then(|parent| own.get(parent));
        parent.is_none_or(|path| other.contains(path))
    };
    let all = symbols.into_iter().zip(own).zip(parents);
    let lone = all.filter(|((_, path), parent)| !other.contains(path) && is_outermost(*parent));
    lone.map(|((symbol, _), _)| symbol).collect()
}

/// Returns the fingerprints that symbols would have if all had the same name.
fn nameless(loaded: &mut Loaded, symbols: &[Symbol]) -> Vec<Fingerprint> {
    let (context, module) = (&mut loaded.context, &mut loaded.module);
    let name = context.identifier("");
    let mut names = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        names.push(module.symbol_name(context, symbol.operation));
        // Where the name cannot be set, it differs from the other side's.
        let _ = module.set_symbol_name(context, symbol.operation, name);
    }
    let options = FingerprintOptions { locations: false };
    let mut fingerprinter = Fingerprinter::new(context, &options);
    let prints = symbols
        .iter()
        .map(|symbol| fingerprinter.fingerprint(module, symbol.operation))
        .collect();
    drop(fingerprinter);
    for (symbol, name) in symbols.iter().zip(names) {
        if let Some(name) = name {
            let _ = module.set_symbol_name(context, symbol.operation, name);
        }
    }
    prints
}
