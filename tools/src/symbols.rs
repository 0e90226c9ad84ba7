//! The symbols of a module, and how they are named on a command line.

use crate::Failure;
use rmlir::ir::{Context, Module, Operation, Visibility, nearest_name, nested_symbols};
use rmlir::reader::lazy::{self, LazyFile, SymbolPath};

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

impl Symbol {
    /// How many operations it is, with all that is in it.
    pub fn operations(&self, module: &Module) -> usize {
        module.descendants(self.operation).count()
    }
}

/// All symbols of a module; see [`nested_symbols`].
pub fn symbols(context: &Context, module: &Module) -> Vec<Symbol> {
    let found = nested_symbols(context, module).into_iter();
    found
        .map(|symbol| Symbol {
            path: SymbolPath::new(symbol.path.iter().map(|&name| context.bytes(name))),
            operation: symbol.operation,
            visibility: symbol.visibility,
        })
        .collect()
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
/// If one is malformed or not there; a similar name is suggested.
pub fn find<S: HasPath + Clone>(all: &[S], names: &[String]) -> Result<Vec<S>, Failure> {
    let mut found = Vec::new();
    for name in names {
        let path = parse(name)?;
        let Some(symbol) = all.iter().find(|s| *s.path() == path) else {
            let known: Vec<String> = all.iter().map(|s| s.path().to_string()).collect();
            let known = known.iter().map(|name| without_sign(name));
            let nearest = nearest_name(without_sign(&path.to_string()).as_bytes(), known)
                .map(|known| format!("; did you mean '@{known}'?"))
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

/// A path without the `@` that all have, so that it does not make names alike.
fn without_sign(path: &str) -> &str {
    path.strip_prefix('@').unwrap_or(path)
}
