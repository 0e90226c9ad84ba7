//! Files of which only that is read which is asked for: their symbols, and one of them at a time.
//!
//! [`LazyFile`] is implemented by the files of each form of bytecode, and object safe:
//!
//! ```no_run
//! use rmlir_format::Source;
//! use rmlir_ir::Context;
//! use rmlir_reader::lazy::{LazyFile, SymbolPath};
//! use rmlir_reader::mlirbc::{File, ReadOptions};
//!
//! let mut context = Context::new();
//! let source = Source::read("model.mlirbc")?;
//! let file: Box<dyn LazyFile> = Box::new(File::new(&context, source, ReadOptions::default())?);
//! for symbol in file.symbols()? {
//!     println!("{} is {} bytes", symbol.path, symbol.bytes);
//! }
//! if let Some(main) = file.symbol(&SymbolPath::new(["main"]))? {
//!     let (module, operation) = file.read_symbol(&mut context, &main)?;
//!     assert!(module.descendants(operation).count() > 0);
//! }
//! # Ok::<(), rmlir_format::Error>(())
//! ```

use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{AttributeKind, Context, Module, Operation, SymbolTableCollection, Visibility};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The names of a symbol from the outermost one below the top of the file on: `@a::@b` has two. Names are bytes.
/// O(1) to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SymbolPath(Arc<[Arc<[u8]>]>);

impl SymbolPath {
    /// The path of these names.
    pub fn new<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(|name| name.as_ref().into());
        SymbolPath(names.collect())
    }

    /// The path of names that are shared already.
    pub fn from_names(names: impl IntoIterator<Item = Arc<[u8]>>) -> Self {
        SymbolPath(names.into_iter().collect())
    }

    /// The path that a reference is: `@a::@"b c"`.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`], if it is none, or has no names.
    pub fn parse(reference: impl AsRef<[u8]>) -> Result<Self> {
        let mut context = Context::new();
        let parsed = rmlir_text::parse_attribute(&mut context, reference.as_ref());
        let attribute = parsed
            .map_err(|error| Error::new(ErrorKind::Malformed, error.first().message.clone()))?;
        match context.attribute_kind(attribute) {
            AttributeKind::SymbolRef { root, nested } => {
                let names = std::iter::once(root).chain(nested);
                Ok(SymbolPath::new(names.map(|&name| context.bytes(name))))
            }
            _ => Err(Error::new(
                ErrorKind::Malformed,
                "expected a symbol reference",
            )),
        }
    }

    /// The path of a symbol in the table that this one is.
    pub fn child(&self, name: Arc<[u8]>) -> Self {
        let names = self.0.iter().cloned();
        SymbolPath(names.chain([name]).collect())
    }

    /// The names, outermost first.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// The path of what the symbol is directly in; none at the top.
    pub fn parent(&self) -> Option<Self> {
        let (_, outer) = self.0.split_last()?;
        (!outer.is_empty()).then(|| SymbolPath(outer.into()))
    }
}

impl fmt::Display for SymbolPath {
    /// As a reference is written; bytes that are not printable as `\` and two hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, name) in self.names().enumerate() {
            f.write_str(if number == 0 { "@" } else { "::@" })?;
            let starts = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
            if name.first().is_some_and(starts) && name.iter().all(plain) {
                name.iter()
                    .try_for_each(|&byte| write!(f, "{}", char::from(byte)))?;
                continue;
            }
            f.write_str("\"")?;
            for &byte in name {
                match byte {
                    b'\\' => f.write_str("\\\\")?,
                    b' '..=b'~' if byte != b'"' => write!(f, "{}", char::from(byte))?,
                    _ => write!(f, "\\{byte:02X}")?,
                }
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

/// A symbol of a file, or another operation of the top: what is known of it without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its names; without names if the operation is not a symbol.
    pub path: SymbolPath,
    /// The full name of its operation, such as `func.func`.
    pub operation: Arc<[u8]>,
    /// From where it may be referred to.
    pub visibility: Visibility,
    /// The bytes of the operation in the file, as they lie there, with all that is in it; without what it uses of tables
    /// that others use as well.
    pub bytes: u64,
    /// Its regions use nothing from outside.
    pub isolated: bool,
    /// It is a unit: passed over when others are read, and read alone. So is an isolated operation that the writer put
    /// apart: in rmbc, one above a measured size; in mlirbc from version 2 on, each that has regions. Others can be
    /// read as well, at the price of what is around them.
    pub unit: bool,
    /// Where it is: a number that means something to the file that gave it, and to no other.
    pub place: u64,
}

impl Symbol {
    /// The name of the symbol in its symbol table; `None` if the operation is not a symbol.
    pub fn name(&self) -> Option<&[u8]> {
        self.path.names().last()
    }
}

impl fmt::Display for Symbol {
    /// The path; of an operation without a name, what it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(_) => self.path.fmt(f),
            None => write!(f, "an unnamed '{}'", self.operation.escape_ascii()),
        }
    }
}

/// Takes the symbols that are read, each as a module and the operation in it that is the symbol; see
/// [`LazyFile::read_symbols`].
pub type Receiver<'r> =
    dyn FnMut(&mut Context, &Symbol, Result<(Module, Operation)>) -> ControlFlow<()> + 'r;

/// A file whose symbols can be listed and read one at a time.
///
/// Nothing that is handed out borrows from the file, and no module is ever incomplete. What is not asked for is not looked
/// at: a damaged body is an error when it is read, and the others are there all the same. What dialects are known is
/// settled when the file is opened.
///
/// [`symbols`](Self::symbols) and [`unnamed`](Self::unnamed) together lead to all of the file: an operation of the top is a
/// symbol or unnamed, and whatever is nested in one of them is read with it.
///
/// Listed are the operations with a symbol's name that are directly in a symbol table whose own names lead to the top, as
/// [`SymbolTable`](rmlir_ir::SymbolTable) says, in the order of the file, those of a table behind those of the one around
/// it. If several have one path, the first is meant by it.
pub trait LazyFile: Send + Sync {
    /// All symbols. Passes over units that are no symbol tables.
    ///
    /// # Errors
    /// If what must be passed over is damaged, with offset and section.
    fn symbols(&self) -> Result<Vec<Symbol>>;

    /// The operations directly in the top-level module that are not symbols, in the order of the file. They have no path,
    /// and can be read as symbols can.
    ///
    /// # Errors
    /// Those of [`symbols`](Self::symbols).
    fn unnamed(&self) -> Result<Vec<Symbol>>;

    /// Whether [`symbol`](Self::symbol) finds what there is without listing all symbols.
    fn is_indexed(&self) -> bool {
        false
    }

    /// The symbol that a path leads to, if there is one.
    ///
    /// # Errors
    /// Those of [`symbols`](Self::symbols).
    fn symbol(&self, path: &SymbolPath) -> Result<Option<Symbol>> {
        let mut symbols = self.symbols()?.into_iter();
        Ok(symbols.find(|symbol| symbol.path == *path))
    }

    /// Reads symbols, each into a module of its own, and hands the module and the symbol's operation in it to `each` until
    /// it breaks. What several use is decoded once.
    ///
    /// The module is what [`extract`](rmlir_ir::extract) leaves of the whole one, without references: the symbol, the
    /// operations around it with their terminators, and what defines values that it uses. Of provenance it has what it
    /// needs.
    ///
    /// # Errors
    /// If the tables of the file are damaged, with offset and section. An error in a symbol goes to `each`, with the
    /// context as it was left.
    fn read_symbols(
        &self,
        context: &mut Context,
        symbols: &[Symbol],
        each: &mut Receiver<'_>,
    ) -> Result<()>;

    /// Reads one symbol: a module, and the operation in it that is the symbol; see [`read_symbols`](Self::read_symbols).
    ///
    /// # Errors
    /// If what it uses is damaged or can't be decoded, with offset and section.
    fn read_symbol(&self, context: &mut Context, symbol: &Symbol) -> Result<(Module, Operation)> {
        let mut module = None;
        let list = std::slice::from_ref(symbol);
        self.read_symbols(context, list, &mut |_, _, read| {
            module = Some(read);
            ControlFlow::Break(())
        })?;
        module.unwrap_or_else(|| Err(no_such_place(symbol)))
    }

    /// Reads some symbols into one module, in the order of the file: what [`extract`](rmlir_ir::extract) leaves of the
    /// whole one, without references. [`with_references`] says which symbols others refer to.
    ///
    /// # Errors
    /// If what they use is damaged or can't be decoded, with offset and section.
    fn read_together(&self, context: &mut Context, symbols: &[Symbol]) -> Result<Module>;

    /// Reads the whole file, as the eager reader of its form does.
    ///
    /// # Errors
    /// Those of that reader.
    fn read_module(&self, context: &mut Context) -> Result<Module>;
}

/// Some symbols of a file, and those that they refer to, directly or through others; each once, those asked for first.
/// References that lead nowhere are passed over. Reads what is returned, one symbol after the other.
///
/// # Errors
/// Those of [`LazyFile::symbols`], and of reading a symbol.
pub fn with_references(
    file: &dyn LazyFile,
    context: &mut Context,
    symbols: &[Symbol],
) -> Result<Vec<Symbol>> {
    let all = match file.is_indexed() {
        true => Vec::new(),
        false => file.symbols()?,
    };
    let mut by_path: HashMap<&SymbolPath, &Symbol> = HashMap::with_capacity(all.len());
    for symbol in &all {
        by_path.entry(&symbol.path).or_insert(symbol);
    }
    let mut known: HashSet<u64> = HashSet::new();
    let mut found = Vec::new();
    let mut next: Vec<Symbol> = symbols.to_vec();
    while !next.is_empty() {
        next.retain(|symbol| known.insert(symbol.place));
        let round = std::mem::take(&mut next);
        let mut failed = Ok(());
        let mut used: BTreeSet<SymbolPath> = BTreeSet::new();
        file.read_symbols(context, &round, &mut |context, symbol, read| match read {
            Ok((module, operation)) => {
                used.append(&mut references(context, &module, operation, &symbol.path));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Err(error);
                ControlFlow::Break(())
            }
        })?;
        failed?;
        for path in used {
            if file.is_indexed() {
                next.extend(file.symbol(&path)?);
            } else {
                next.extend(by_path.get(&path).map(|&symbol| symbol.clone()));
            }
        }
        found.extend(round);
    }
    Ok(found)
}

/// What a symbol, which was read into a module of its own, refers to outside of itself, as paths from the top.
fn references(
    context: &Context,
    module: &Module,
    operation: Operation,
    path: &SymbolPath,
) -> BTreeSet<SymbolPath> {
    // The symbol tables around it, the top first, and the symbol itself.
    let around = std::iter::successors(module.parent_operation(operation), |&outer| {
        module.parent_operation(outer)
    });
    let mut tables: Vec<Operation> = around.collect();
    tables.reverse();
    if path.names().len() > 0 {
        tables.push(operation);
    }
    let mut collection = SymbolTableCollection::new();
    let mut found = BTreeSet::new();
    for used in module.symbol_uses(context, operation) {
        let table = collection.nearest_symbol_table(context, module, used.operation);
        // A table in the symbol itself has all that is in it.
        let Some(depth) = tables.iter().position(|&outer| Some(outer) == table) else {
            continue;
        };
        let outer = path.0.iter().take(depth).cloned();
        let inner = used.path.iter().map(|&name| context.bytes(name).into());
        found.insert(SymbolPath(outer.chain(inner).collect()));
    }
    found
}

/// A module that was read for one symbol, and the symbol's operation.
pub(crate) fn only(
    (module, operations): (Module, Vec<Operation>),
    symbol: &Symbol,
) -> Result<(Module, Operation)> {
    match operations.as_slice() {
        &[operation] => Ok((module, operation)),
        _ => Err(no_such_place(symbol)),
    }
}

/// The error for a symbol of another file.
#[cold]
pub(crate) fn no_such_place(symbol: &Symbol) -> Error {
    let message = format!("{symbol} is not a symbol of this file");
    Error::new(ErrorKind::InvalidRequest, message)
}

const _: fn() = || {
    fn shared<T: Send + Sync + ?Sized>() {}
    shared::<dyn LazyFile>();
    shared::<Symbol>();
};

#[cfg(test)]
mod tests {
    use super::SymbolPath;

    #[test]
    fn paths_are_written_as_references() {
        let path = SymbolPath::new([&b"a.b"[..], b"1 \"\xff\\"]);
        assert_eq!(path.to_string(), r#"@a.b::@"1 \22\FF\\""#);
        assert_eq!(SymbolPath::parse(path.to_string()).unwrap(), path);
        assert_eq!(path.parent(), Some(SymbolPath::new(["a.b"])));
        assert_eq!(path.parent().unwrap().parent(), None);
        assert_eq!(
            SymbolPath::new(["a.b"]).child(b"1 \"\xff\\"[..].into()),
            path
        );
        for text in ["", "a", "@", "1 : i32", "@a::", "@a @b"] {
            assert!(SymbolPath::parse(text).is_err(), "{text}");
        }
    }
}
