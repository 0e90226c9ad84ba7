//! The symbols of a module, and how they are named on a command line.

use crate::Failure;
use rmlir::ir::{Context, Module, Operation, Step, Visibility, nested_symbols};
use rmlir::reader::lazy::{self, LazyFile, SymbolPath};
use std::collections::HashMap;

/// How many bytes of the names around a symbol are printed; see [`SymbolPath::abbreviated`].
const SHOWN: usize = 1000;

/// The path of a symbol as the programs print it: in full, unless the names around the symbol take more than 1,000 bytes.
pub fn shown(path: &SymbolPath) -> String {
    path.abbreviated(SHOWN).to_string()
}

/// Bytes of a name as the programs print it: escaped, and no more than 1,000 of them.
pub fn shown_name(name: &[u8]) -> String {
    match name.get(..SHOWN) {
        Some(start) if start.len() < name.len() => {
            format!("{}<{} bytes>", start.escape_ascii(), name.len())
        }
        _ => name.escape_ascii().to_string(),
    }
}

/// A symbol of a module.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its names.
    pub path: SymbolPath,
    /// The operation.
    pub operation: Operation,
    /// From where it may be referred to.
    pub visibility: Visibility,
}

/// All symbols of a module; see [`nested_symbols`].
pub fn symbols(context: &Context, module: &Module) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let top = SymbolPath::default();
    for symbol in nested_symbols(context, module) {
        let parent = symbol.parent.and_then(|parent| found.get(parent));
        let parent = parent.map_or(&top, |parent| &parent.path);
        found.push(Symbol {
            path: parent.child(context.bytes(symbol.name).into()),
            operation: symbol.operation,
            visibility: symbol.visibility,
        });
    }
    found
}

/// How many operations each of the symbols is, with all that is in it, in their order. Linear in the operations.
pub fn operation_counts(module: &Module, symbols: &[Symbol]) -> Vec<u64> {
    let places: HashMap<Operation, usize> = symbols.iter().map(|s| s.operation).zip(0..).collect();
    let mut counts = vec![0; symbols.len()];
    let mut entered = 0u64;
    let mut open = Vec::new();
    for step in module.traverse(module.top()) {
        match step {
            Step::EnterOperation(_) => {
                open.push(entered);
                entered += 1;
            }
            Step::LeaveOperation(operation) => {
                let before = open.pop().unwrap_or_default();
                let count = places.get(&operation).and_then(|&at| counts.get_mut(at));
                if let Some(count) = count {
                    *count = entered.saturating_sub(before);
                }
            }
            _ => {}
        }
    }
    counts
}

/// What has a path.
pub trait HasPath {
    /// The path.
    fn path(&self) -> &SymbolPath;
}

impl HasPath for Symbol {
    fn path(&self) -> &SymbolPath {
        &self.path
    }
}

impl HasPath for lazy::Symbol {
    fn path(&self) -> &SymbolPath {
        &self.path
    }
}

/// The symbols that `names` name, in that order: `@a::@b`, or `a` for `@a`.
///
/// # Errors
///
/// If one is malformed or not there; the nearest name is suggested.
pub fn find<S: HasPath + Clone>(all: &[S], names: &[String]) -> Result<Vec<S>, Failure> {
    let mut first: HashMap<&SymbolPath, &S> = HashMap::with_capacity(all.len());
    for symbol in all {
        first.entry(symbol.path()).or_insert(symbol);
    }
    let mut found = Vec::new();
    for name in names {
        let path = parse(name)?;
        let Some(&symbol) = first.get(&path) else {
            let nearest = all
                .iter()
                .map(|s| shown(s.path()))
                .min_by_key(|known| distance(known, name))
                .map(|known| format!("; did you mean '{known}'?"))
                .unwrap_or_default();
            return Err(Failure::Input(format!(
                "error: there is no symbol '{path}'{nearest}"
            )));
        };
        found.push(symbol.clone());
    }
    Ok(found)
}

/// [`find`] in a file that finds symbols by itself.
///
/// # Errors
///
/// Those of [`find`], and what `failure` makes of those of the file.
pub fn find_in(
    file: &dyn LazyFile,
    names: &[String],
    failure: impl Fn(rmlir::format::Error) -> Failure,
) -> Result<Vec<lazy::Symbol>, Failure> {
    let mut found = Vec::new();
    for name in names {
        match file.symbol(&parse(name)?).map_err(&failure)? {
            Some(symbol) => found.push(symbol),
            // For what it may mean.
            None => {
                let all = file.symbols().map_err(&failure)?;
                found.extend(find(&all, std::slice::from_ref(name))?);
            }
        }
    }
    Ok(found)
}

/// The path that a name on a command line stands for.
fn parse(name: &str) -> Result<SymbolPath, Failure> {
    if !name.starts_with('@') {
        return Ok(SymbolPath::new([name]));
    }
    SymbolPath::parse(name)
        .map_err(|error| Failure::Usage(format!("'{name}' is no symbol: {}", error.message())))
}

/// How many bytes must be inserted, removed or replaced to come from one name to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.trim_start_matches('@'), b.trim_start_matches('@'));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let new = (diagonal + usize::from(x != y))
                .min(left + 1)
                .min(*cell + 1);
            diagonal = std::mem::replace(cell, new);
            left = new;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("@main", "main"), 0);
        assert_eq!(distance("main", "mian"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
