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
use rmlir_ir::{
    Context, Module, Operation, SymbolTableCollection, Visibility, nested_symbols,
    unnamed_operations,
};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use crate::symbol_path::SymbolPath;

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

/// How many bytes of the names around a symbol are shown in errors.
pub(crate) const SHOWN: usize = 200;

impl Symbol {
    /// The name of the symbol in its symbol table; `None` if the operation is not a symbol.
    pub fn name(&self) -> Option<&[u8]> {
        self.path.name().map(AsRef::as_ref)
    }
}

impl fmt::Display for Symbol {
    /// Writes the path, [abbreviated](SymbolPath::abbreviated) if the names around the symbol take more than 200 bytes; of
    /// an operation without a name, what it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(_) => self.path.abbreviated(SHOWN).fmt(f),
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
    /// it breaks. What several use is decoded once. `symbols` is asked for the next one when `each` has returned, which may
    /// have decided what comes next.
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
        symbols: &mut dyn Iterator<Item = Symbol>,
        each: &mut Receiver<'_>,
    ) -> Result<()>;

    /// Reads one symbol: a module, and the operation in it that is the symbol; see [`read_symbols`](Self::read_symbols).
    ///
    /// # Errors
    /// If what it uses is damaged or can't be decoded, with offset and section.
    fn read_symbol(&self, context: &mut Context, symbol: &Symbol) -> Result<(Module, Operation)> {
        let mut module = None;
        let mut list = std::iter::once(symbol.clone());
        self.read_symbols(context, &mut list, &mut |_, _, read| {
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

/// How many operations with_references may make of the tables around symbols, beside 16 for each operation of a symbol,
/// before it reads the whole file instead.
const OPERATIONS_AROUND: u64 = 1 << 20;

/// Some symbols of a file, and those that they refer to, directly or through others; each once, those asked for first.
/// References that lead nowhere are skipped. Reads the symbols that it returns, one after the other, in time linear in
/// what they are made of; if symbols are nested so deeply that the operations around them are far more than they, reads
/// the whole file instead.
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
    let by_path = by_path(&all);
    let find = |path: &SymbolPath| match file.is_indexed() {
        true => file.symbol(path),
        false => Ok(by_path.get(path).map(|&symbol| symbol.clone())),
    };
    let mut known: HashSet<u64> = HashSet::new();
    let mut found: Vec<Symbol> = Vec::new();
    let mut open: VecDeque<Symbol> = VecDeque::new();
    for symbol in symbols {
        if known.insert(symbol.place) {
            open.push_back(symbol.clone());
        }
    }
    // Taken from by the reader, added to for what was read.
    let open = RefCell::new(open);
    let mut paths: HashSet<SymbolPath> = HashSet::new();
    let mut outcome: Result<()> = Ok(());
    let (mut useful, mut around, mut is_deep) = (0u64, 0u64, false);
    let mut next = std::iter::from_fn(|| open.borrow_mut().pop_front());
    file.read_symbols(context, &mut next, &mut |context, symbol, read| {
        found.push(symbol.clone());
        let (module, operation) = match read {
            Ok(read) => read,
            Err(error) => {
                outcome = Err(error);
                return ControlFlow::Break(());
            }
        };
        let (used, own) = references(context, &module, operation, &symbol.path);
        useful = useful.saturating_add(own);
        around = around.saturating_add((module.operation_slots() as u64).saturating_sub(own));
        for path in used {
            if !paths.insert(path.clone()) {
                continue;
            }
            match find(&path) {
                Ok(None) => {}
                Ok(Some(symbol)) => {
                    if known.insert(symbol.place) {
                        open.borrow_mut().push_back(symbol);
                    }
                }
                Err(error) => {
                    outcome = Err(error);
                    return ControlFlow::Break(());
                }
            }
        }
        is_deep = around > OPERATIONS_AROUND.saturating_add(useful.saturating_mul(16));
        match is_deep {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    outcome?;
    match is_deep {
        true => with_references_of_whole(file, context, symbols),
        false => Ok(found),
    }
}

/// [`with_references`] by reading the whole file.
fn with_references_of_whole(
    file: &dyn LazyFile,
    context: &mut Context,
    symbols: &[Symbol],
) -> Result<Vec<Symbol>> {
    let module = file.read_module(context)?;
    // The same symbols in the same order, and so are the operations that are not symbols.
    let nested = nested_symbols(context, &module);
    let nested = nested.iter().map(|symbol| symbol.operation);
    let named: Vec<(Symbol, Operation)> = file.symbols()?.into_iter().zip(nested).collect();
    let unnamed = file.unnamed()?;
    let unnamed = unnamed.iter().map(|symbol| symbol.place);
    let unnamed = unnamed.zip(unnamed_operations(context, &module));
    let by_place = named
        .iter()
        .map(|(symbol, operation)| (symbol.place, *operation));
    let by_place: HashMap<u64, Operation> = by_place.chain(unnamed).collect();
    let by_operation = named.iter().map(|(symbol, operation)| (*operation, symbol));
    let by_operation: HashMap<Operation, &Symbol> = by_operation.collect();
    let wanted: Vec<Operation> = symbols
        .iter()
        .filter_map(|symbol| by_place.get(&symbol.place).copied())
        .collect();
    let mut known = HashSet::new();
    let mut found: Vec<Symbol> = symbols.to_vec();
    for operation in rmlir_ir::with_references(context, &module, &wanted) {
        found.extend(by_operation.get(&operation).map(|&symbol| symbol.clone()));
    }
    found.retain(|symbol| known.insert(symbol.place));
    Ok(found)
}

/// The first symbol of each path.
fn by_path(all: &[Symbol]) -> HashMap<&SymbolPath, &Symbol> {
    let mut by_path = HashMap::with_capacity(all.len());
    for symbol in all {
        by_path.entry(&symbol.path).or_insert(symbol);
    }
    by_path
}

/// What a symbol, which was read into a module of its own, refers to outside of itself, as paths from the top; and how many
/// operations the symbol is.
fn references(
    context: &Context,
    module: &Module,
    operation: Operation,
    path: &SymbolPath,
) -> (Vec<SymbolPath>, u64) {
    // By table, the symbol itself and those around it: the path of what is in it.
    let mut tables = HashMap::new();
    if path.len() > 0 {
        tables.insert(operation, path.clone());
    }
    let around = std::iter::successors(module.parent_operation(operation), |&outer| {
        module.parent_operation(outer)
    });
    let mut outer = path.parent();
    for table in around {
        let parent = outer.as_ref().and_then(SymbolPath::parent);
        tables.insert(
            table,
            std::mem::replace(&mut outer, parent).unwrap_or_default(),
        );
    }
    let mut collection = SymbolTableCollection::new();
    let mut found = Vec::new();
    for used in module.symbol_uses(context, operation) {
        let table = collection.nearest_symbol_table(context, module, used.operation);
        // A table in the symbol itself has all that is in it.
        if let Some(outer) = table.and_then(|table| tables.get(&table)) {
            let inner = used.path.iter().map(|&name| context.bytes(name).into());
            found.push(inner.fold(outer.clone(), |path, name| path.child(name)));
        }
    }
    let own = module.descendants(operation).count() as u64;
    (found, own)
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
