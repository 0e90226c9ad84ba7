//! `Change`: the differences between two modules, by symbol.

use pyo3::prelude::*;
use rmlir::Ir;
use rmlir::ir::{
    EqualityOptions, FingerprintOptions, Fingerprinter, Operation, nested_symbols,
    semantic_difference,
};
use rmlir::reader::lazy::SymbolPath;
use std::collections::BTreeMap;

/// A symbol that differs between two modules, of `Module.diff`.
#[pyclass(frozen, get_all, module = "rmlir")]
pub(crate) struct Change {
    /// The reference of the symbol; empty for the module itself.
    symbol: String,
    /// `added`, `removed` or `changed`.
    kind: &'static str,
    /// The first difference, if the symbol changed.
    detail: Option<String>,
}

#[pymethods]
impl Change {
    fn __str__(&self) -> String {
        let name = match self.symbol.as_str() {
            "" => "the module itself",
            symbol => symbol,
        };
        match &self.detail {
            Some(detail) => format!("{} {name}: {detail}", self.kind),
            None => format!("{} {name}", self.kind),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Change {}>", self.__str__())
    }
}

/// The symbols of a module that are compared.
struct Side<'i> {
    ir: &'i Ir,
    /// Those that are not symbol tables, by reference: the first of each name.
    leaves: BTreeMap<SymbolKey, Operation>,
    fingerprinter: Fingerprinter<'i>,
}

/// The names from the outermost symbol.
type SymbolKey = Vec<Vec<u8>>;

impl<'i> Side<'i> {
    fn new(ir: &'i Ir, options: &FingerprintOptions) -> Self {
        let (context, module) = ir.parts();
        let all = nested_symbols(context, module);
        let mut leaves = BTreeMap::new();
        let mut keys: Vec<SymbolKey> = Vec::with_capacity(all.len());
        for symbol in &all {
            let mut key = symbol
                .parent
                .and_then(|parent| keys.get(parent).cloned())
                .unwrap_or_default();
            key.push(context.bytes(symbol.name).to_vec());
            if !symbol.is_table {
                leaves.entry(key.clone()).or_insert(symbol.operation);
            }
            keys.push(key);
        }
        Side {
            ir,
            leaves,
            fingerprinter: Fingerprinter::new(context, options),
        }
    }

    fn hash(&mut self, operation: Operation) -> rmlir::ir::Fingerprint {
        self.fingerprinter.fingerprint(self.ir.parts().1, operation)
    }
}

/// Returns the differences: of symbols that are not symbol tables, in the order of their names;
/// and of the module itself if no symbol differs although the modules do.
pub(crate) fn changes(left: &Ir, right: &Ir, locations: bool) -> Vec<Change> {
    let options = FingerprintOptions { locations };
    let (mut left, mut right) = (Side::new(left, &options), Side::new(right, &options));
    let tops = (left.ir.parts().1.top(), right.ir.parts().1.top());
    if left.hash(tops.0) == right.hash(tops.1) {
        return Vec::new();
    }
    let mut names: Vec<&SymbolKey> = left.leaves.keys().collect();
    names.extend(
        right
            .leaves
            .keys()
            .filter(|name| !left.leaves.contains_key(*name)),
    );
    names.sort();
    let names: Vec<SymbolKey> = names.into_iter().cloned().collect();
    let mut changes = Vec::new();
    for name in names {
        let both = (
            left.leaves.get(&name).copied(),
            right.leaves.get(&name).copied(),
        );
        let (kind, detail) = match both {
            (Some(_), None) => ("removed", None),
            (None, Some(_)) => ("added", None),
            (Some(l), Some(r)) if left.hash(l) != right.hash(r) => (
                "changed",
                difference((left.ir, l), (right.ir, r), locations),
            ),
            _ => continue,
        };
        changes.push(Change {
            symbol: SymbolPath::new(name).to_string(),
            kind,
            detail,
        });
    }
    if changes.is_empty() {
        changes.push(Change {
            symbol: String::new(),
            kind: "changed",
            detail: difference((left.ir, tops.0), (right.ir, tops.1), locations),
        });
    }
    changes
}

fn difference(left: (&Ir, Operation), right: (&Ir, Operation), locations: bool) -> Option<String> {
    let options = EqualityOptions { locations };
    let (left, right) = (left.0.get(left.1), right.0.get(right.1));
    semantic_difference(left, right, &options).map(|difference| difference.to_string())
}
