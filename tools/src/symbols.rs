//! The symbols of a module, and their names on a command line.

use crate::Failure;
use rmlir::ir::{Context, Identifier, Module, Operation, Visibility, nearest_name, nested_symbols};
use rmlir::query::Glob;
use rmlir::reader::lazy::{self, LazyFile, SymbolPath};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of bytes of the names around a symbol that are printed; see
/// [`SymbolPath::abbreviated`].
const SHOWN: usize = 1000;

/// Returns the path of a symbol as the programs print it: in full, unless the names around the
/// symbol take more than 1,000 bytes.
pub fn shown(path: &SymbolPath) -> String {
    path.abbreviated(SHOWN).to_string()
}

/// Returns a name as the programs print it: escaped, and truncated to 1,000 bytes.
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
    /// The path of names.
    pub path: SymbolPath,
    /// The index of the enclosing symbol in the list, which is lower; `None` at the top.
    pub parent: Option<usize>,
    /// The operation.
    pub operation: Operation,
    /// The visibility: from where the symbol may be referred to.
    pub visibility: Visibility,
}

/// Names of symbols for paths, each copied once: many symbols may have one long name.
pub struct SharedNames<'c> {
    context: &'c Context,
    known: HashMap<Identifier, Arc<[u8]>>,
}

impl<'c> SharedNames<'c> {
    /// Returns the names of a context.
    pub fn new(context: &'c Context) -> Self {
        SharedNames {
            context,
            known: HashMap::new(),
        }
    }

    /// Returns a name.
    pub fn get(&mut self, name: Identifier) -> Arc<[u8]> {
        let known = self.known.entry(name);
        Arc::clone(known.or_insert_with(|| self.context.bytes(name).into()))
    }
}

/// Returns all symbols of a module; see [`nested_symbols`].
pub fn symbols(context: &Context, module: &Module) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let top = SymbolPath::default();
    let mut names = SharedNames::new(context);
    for symbol in nested_symbols(context, module) {
        let parent = symbol.parent.and_then(|parent| found.get(parent));
        let parent = parent.map_or(&top, |parent| &parent.path);
        found.push(Symbol {
            path: parent.child(names.get(symbol.name)),
            parent: symbol.parent,
            operation: symbol.operation,
            visibility: symbol.visibility,
        });
    }
    found
}

/// The symbols of a module around its operations.
pub struct InnermostSymbols<'m> {
    module: &'m Module,
    symbols: Vec<Symbol>,
    /// By operation: the number of the innermost symbol at or around it, for symbols and for the
    /// operations around requested ones.
    numbers: foldhash::HashMap<Operation, Option<usize>>,
    /// The requested paths, by number.
    paths: Vec<Option<Arc<str>>>,
    climbed: Vec<Operation>,
}

impl<'m> InnermostSymbols<'m> {
    /// Lists the symbols of a module. Linear in the operations of its symbol tables.
    pub fn new(context: &Context, module: &'m Module) -> Self {
        let symbols = symbols(context, module);
        let numbers = symbols.iter().enumerate();
        let numbers = numbers.map(|(number, symbol)| (symbol.operation, Some(number)));
        InnermostSymbols {
            module,
            numbers: numbers.collect(),
            paths: vec![None; symbols.len()],
            symbols,
            climbed: Vec::new(),
        }
    }

    /// Returns the path of the innermost symbol that an operation is or that is around it, as the
    /// programs print it; `None` outside of symbols. Climbs over each operation once.
    pub fn path(&mut self, operation: Operation) -> Option<Arc<str>> {
        let number = self.innermost(operation)?;
        let (symbol, path) = (self.symbols.get(number)?, self.paths.get_mut(number)?);
        Some(Arc::clone(
            path.get_or_insert_with(|| shown(&symbol.path).into()),
        ))
    }

    fn innermost(&mut self, operation: Operation) -> Option<usize> {
        let mut next = Some(operation);
        let found = loop {
            let Some(operation) = next else { break None };
            if let Some(&found) = self.numbers.get(&operation) {
                break found;
            }
            self.climbed.push(operation);
            next = self.module.parent_operation(operation);
        };
        // Each operation is requested once, the enclosing ones often.
        for operation in self.climbed.drain(..).skip(1) {
            self.numbers.insert(operation, found);
        }
        found
    }
}

/// An item with a symbol path.
pub trait HasPath {
    /// Returns the path.
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

/// Returns the symbols that `names` denote, each once, in that order: `@a::@b`, `a` for `@a`, or
/// globs such as `relu*` and `@a::*`.
///
/// # Errors
///
/// If a name is malformed or there is no such symbol; a similar name is suggested. If a glob
/// matches no symbol.
pub fn find<S: HasPath + Clone>(all: &[S], names: &[String]) -> Result<Vec<S>, Failure> {
    let mut first: HashMap<&SymbolPath, &S> = HashMap::with_capacity(all.len());
    for symbol in all {
        first.entry(symbol.path()).or_insert(symbol);
    }
    let mut found: Vec<S> = Vec::new();
    let mut seen: HashSet<&SymbolPath> = HashSet::new();
    for name in names {
        if is_glob(name) {
            let glob = Glob::new(name);
            let matching = all
                .iter()
                .filter(|symbol| matches_path(&glob, symbol.path()));
            let mut any = false;
            for symbol in matching {
                any = true;
                if seen.insert(symbol.path()) {
                    found.push(symbol.clone());
                }
            }
            if !any {
                let message = format!("error: no symbol matches '{name}'");
                return Err(Failure::Input(message));
            }
            continue;
        }
        let path = parse(name)?;
        let Some(&symbol) = first.get(&path) else {
            let known: Vec<String> = all.iter().map(|s| shown(s.path())).collect();
            // Abbreviated paths are not references.
            let known = known.iter().filter_map(|name| name.strip_prefix('@'));
            // A path without signs is the name of one symbol.
            let parts = name.split("::").map(|part| part.as_bytes().into());
            let nested = parts.fold(SymbolPath::default(), |path, part| path.child(part));
            let nearest = match first.contains_key(&nested) {
                true => Some(shown(&nested)),
                false => nearest_name(without_sign(&path.to_string()).as_bytes(), known)
                    .map(|known| format!("@{known}")),
            };
            let nearest = nearest.map(|known| format!("; did you mean '{known}'?"));
            let nearest = nearest.unwrap_or_default();
            return Err(Failure::Input(format!(
                "error: there is no symbol '{path}'{nearest}"
            )));
        };
        if seen.insert(symbol.path()) {
            found.push(symbol.clone());
        }
    }
    Ok(found)
}

/// Returns whether a name on a command line is a glob.
fn is_glob(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Returns whether a glob matches a symbol: its name, or its path if the glob has `::`.
pub fn matches_path(glob: &Glob, path: &SymbolPath) -> bool {
    match glob.as_str().contains("::") {
        true => glob.matches(shown(path)),
        false => path.name().is_some_and(|name| glob.matches_name(name)),
    }
}

/// As [`find`], in a file that looks symbols up itself.
///
/// # Errors
///
/// Those of [`find`], and `failure` of the errors of the file.
pub fn find_in(
    file: &dyn LazyFile,
    names: &[String],
    failure: impl Fn(rmlir::format::Error) -> Failure,
) -> Result<Vec<lazy::Symbol>, Failure> {
    if names.iter().any(|name| is_glob(name)) {
        return find(&file.symbols().map_err(&failure)?, names);
    }
    let mut found = Vec::new();
    for name in names {
        match file.symbol(&parse(name)?).map_err(&failure)? {
            Some(symbol) => found.push(symbol),
            // List all symbols, for a suggestion.
            None => {
                let all = file.symbols().map_err(&failure)?;
                found.extend(find(&all, std::slice::from_ref(name))?);
            }
        }
    }
    Ok(found)
}

/// Parses the path that a name on a command line denotes.
fn parse(name: &str) -> Result<SymbolPath, Failure> {
    if !name.starts_with('@') {
        return Ok(SymbolPath::new([name]));
    }
    SymbolPath::parse(name)
        .map_err(|error| Failure::Usage(format!("'{name}' is not a symbol: {}", error.message())))
}

/// Returns a path without the leading `@`, which would make all names similar.
fn without_sign(path: &str) -> &str {
    path.strip_prefix('@').unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{SymbolPath, symbols};
    use crate::listed::SymbolTracker;
    use rmlir::events::{Visitor, visit_module};
    use std::sync::Arc;

    #[test]
    fn a_long_name_is_stored_once() {
        let n = 1000;
        let name = "n".repeat(1 << 20);
        let begin = r#""builtin.module"() <{sym_name = #n}> ({"#.repeat(n);
        let end = "}) : () -> ()\n".repeat(n);
        let text = format!("#n = \"{name}\"\n{begin}\"t.x\"() : () -> ()\n{end}");
        let ir = rmlir::parse(text).unwrap();
        let (context, module) = ir.parts();
        let mut tracker = SymbolTracker::default();
        let visitor: &mut dyn Visitor = &mut tracker;
        visit_module(context, module, visitor).unwrap();
        let of_module: Vec<_> = symbols(context, module)
            .into_iter()
            .map(|s| s.path)
            .collect();
        for paths in [of_module, tracker.paths(context)] {
            // The outermost module is the top-level operation.
            assert_eq!(paths.len(), n - 1);
            let name = |path: &SymbolPath| Arc::clone(path.name().unwrap());
            let first = name(&paths[0]);
            assert!(paths.iter().all(|path| Arc::ptr_eq(&first, &name(path))));
        }
    }
}
