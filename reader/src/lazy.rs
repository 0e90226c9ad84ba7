//! Lazy reading: lists the symbols of a file and reads them one at a time.
//!
//! [`LazyFile`] is implemented by the files of each bytecode format, and is object safe:
//!
//! ```no_run
//! use rmlir_format::Source;
//! use rmlir_ir::Context;
//! use rmlir_reader::lazy::{LazyFile, SymbolPath};
//! use rmlir_reader::mlirbc::{File, ReadOptions};
//!
//! let mut context = Context::new();
//! let source = Source::read("model.mlirbc")?;
//! let file: Box<dyn LazyFile> = Box::new(File::new(&context, source, &ReadOptions::default())?);
//! for symbol in file.symbols()? {
//!     println!("{} is {} bytes", symbol.path, symbol.bytes);
//! }
//! if let Some(main) = file.symbol(&SymbolPath::new(["main"]))? {
//!     let (module, operation) = file.read_symbol(&mut context, &main)?;
//!     assert!(module.descendants(operation).count() > 0);
//! }
//! # Ok::<(), rmlir_format::Error>(())
//! ```

use crate::events::Visitor;
pub use crate::pause::Pause;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{
    Context, Entry, Identifier, Module, Operation, Provenance, Resource, SymbolTableCollection,
    Visibility, nested_symbols, unnamed_operations,
};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use crate::symbol_path::{SymbolPath, SymbolPathMap};

/// A symbol of a file, or another top-level operation: the data available without reading its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The path of symbol names; without names if the operation is not a symbol.
    pub path: SymbolPath,
    /// The full name of its operation, such as `func.func`.
    pub operation: Arc<[u8]>,
    /// The symbol's visibility: from where it may be referred to.
    pub visibility: Visibility,
    /// The size of the operation in bytes, as stored in the file, including everything nested in
    /// it.
    ///
    /// Entries of shared tables that it uses are not counted.
    pub bytes: u64,
    /// Whether its regions use nothing from outside.
    pub isolated: bool,
    /// Whether it is a loadable symbol: it can be skipped when others are read, and be read alone.
    ///
    /// Loadable symbols are the isolated operations that the writer stored separately: in rmbc,
    /// those above a measured size; in mlirbc from version 2 on, all that have regions. Other
    /// symbols can be read too, at the cost of also reading what surrounds them.
    pub unit: bool,
    /// An opaque location number, valid only for the file that returned it.
    pub place: u64,
}

/// The number of bytes of the names around a symbol that errors show.
pub(crate) const SHOWN: usize = 200;

impl Symbol {
    /// Returns the name of the symbol in its symbol table; `None` if the operation is not a symbol.
    pub fn name(&self) -> Option<&[u8]> {
        self.path.name().map(AsRef::as_ref)
    }
}

impl fmt::Display for Symbol {
    /// Writes the path, [abbreviated](SymbolPath::abbreviated) if it is long.
    ///
    /// A path is long if the names around the symbol take more than 200 bytes. For an operation
    /// without a name, writes the operation's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(_) => self.path.abbreviated(SHOWN).fmt(f),
            None => write!(f, "an unnamed '{}'", self.operation.escape_ascii()),
        }
    }
}

/// Receives each symbol that is read, as a module and the symbol's operation in that module.
///
/// See [`LazyFile::read_symbols`].
pub type Receiver<'r> =
    dyn FnMut(&mut Context, &Symbol, Result<(Module, Operation)>) -> ControlFlow<()> + 'r;

/// Statistics of a bytecode file: `rmbc::File::survey` and `mlirbc::File::survey`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Survey {
    /// The number of operations by name, in the order of the file's names.
    ///
    /// In upstream's bytecode, the module around the top-level operations, with its region and
    /// block, is also counted where the file omits it: if there are several top-level operations,
    /// or one that is not a `builtin.module`.
    pub operations: Vec<(Arc<[u8]>, u64)>,
    /// The number of regions.
    pub regions: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of results and block arguments.
    pub values: u64,
    /// The number of attributes in the file's table; upstream's bytecode has locations there too.
    pub attributes: u64,
    /// The number of types in the file's table.
    pub types: u64,
    /// The statistics that need no walk over all operations.
    pub contents: Contents,
}

/// Statistics of a bytecode file that do not count operations: `rmbc::File::contents` and
/// `mlirbc::File::contents`, and part of a [`Survey`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contents {
    /// The number of listed symbols.
    pub symbols: usize,
    /// The number of top-level operations that are not symbols; see [`LazyFile::unnamed`].
    pub unnamed: usize,
    /// The number of operations of which it is unknown whether they are symbols; see
    /// [`mlirbc::File::undecided`](crate::mlirbc::File::undecided). Always 0 in native bytecode.
    pub undecided: u64,
    /// The number of resources of the file, whether declared or only used.
    pub resources: u64,
    /// The total size of the blobs of resources in bytes, whether or not they were read.
    pub blob_bytes: u64,
    /// The provenance of the whole module, without names.
    pub provenance: Provenance,
}

/// A file whose symbols can be listed and read one at a time.
///
/// No returned value borrows from the file, and no module is ever incomplete. Reading is lazy: data
/// that is not requested is not examined, so a damaged body is an error only when it is read, and
/// the other symbols remain readable. The set of known dialects is fixed when the file is opened.
///
/// [`symbols`](Self::symbols) and [`unnamed`](Self::unnamed) together cover the whole file: each
/// top-level operation is either a symbol or unnamed, and everything nested in it is read with it.
///
/// The list contains the operations that have a symbol name and are directly in a symbol table
/// whose own names lead to the top, as defined by [`SymbolTable`](rmlir_ir::SymbolTable). It is in
/// file order, except that the symbols of a table follow those of the enclosing table. If several
/// symbols have the same path, the path denotes the first one.
pub trait LazyFile: Send + Sync {
    /// Returns all symbols. Skips the bodies of loadable symbols that are not symbol tables.
    ///
    /// # Errors
    /// If data that must be skipped is damaged, with offset and section.
    fn symbols(&self) -> Result<Vec<Symbol>>;

    /// Returns the operations directly in the top-level module that are not symbols, in file order.
    ///
    /// They have no path, and can be read like symbols.
    ///
    /// # Errors
    /// Those of [`symbols`](Self::symbols).
    fn unnamed(&self) -> Result<Vec<Symbol>>;

    /// Returns whether [`symbol`](Self::symbol) finds a symbol without listing all symbols.
    fn is_indexed(&self) -> bool {
        false
    }

    /// Returns the symbol with the given path, if there is one.
    ///
    /// # Errors
    /// Those of [`symbols`](Self::symbols).
    fn symbol(&self, path: &SymbolPath) -> Result<Option<Symbol>> {
        let mut symbols = self.symbols()?.into_iter();
        Ok(symbols.find(|symbol| symbol.path == *path))
    }

    /// Reads symbols, each into a module of its own, and passes them to `each` until it breaks.
    ///
    /// `each` receives the module and the symbol's operation in it. Data that several symbols use
    /// is decoded once. The next item of `symbols` is requested after `each` has returned, so
    /// `each` can determine it.
    ///
    /// The module is the one that [`extract`](rmlir_ir::extract) leaves of the whole module,
    /// without references: the symbol, the operations around it with their terminators, and the
    /// operations that define values that it uses. Its metadata is restricted to the entries that
    /// it needs.
    ///
    /// # Errors
    /// If the tables of the file are damaged, with offset and section. An error in a symbol is
    /// passed to `each`, with the context as the failed read left it.
    fn read_symbols(
        &self,
        context: &mut Context,
        symbols: &mut dyn Iterator<Item = Symbol>,
        each: &mut Receiver<'_>,
    ) -> Result<()>;

    /// Reads one symbol: returns a module, and the symbol's operation in it.
    ///
    /// See [`read_symbols`](Self::read_symbols).
    ///
    /// # Errors
    /// If data that the symbol uses is damaged or cannot be decoded, with offset and section.
    fn read_symbol(&self, context: &mut Context, symbol: &Symbol) -> Result<(Module, Operation)> {
        let mut module = None;
        let mut list = std::iter::once(symbol.clone());
        self.read_symbols(context, &mut list, &mut |_, _, read| {
            module = Some(read);
            ControlFlow::Break(())
        })?;
        module.unwrap_or_else(|| Err(no_such_place(symbol)))
    }

    /// Reads several symbols into one module, in file order.
    ///
    /// The module is the one that [`extract`](rmlir_ir::extract) leaves of the whole module,
    /// without references. [`with_references`] returns the symbols that others refer to.
    ///
    /// # Errors
    /// If data that they use is damaged or cannot be decoded, with offset and section.
    fn read_together(&self, context: &mut Context, symbols: &[Symbol]) -> Result<Module>;

    /// Visits all operations in file order, without building a module; see [`crate::events`].
    ///
    /// Types, attributes and locations are added to `context` when the visitor requests them. What
    /// it does not request is not decoded. The operations are those of
    /// [`read_module`](Self::read_module). O(operations and operands, and what is requested).
    ///
    /// # Errors
    /// If operations, or what is requested, are damaged or cannot be decoded, with offset and
    /// section, and those of the visitor.
    fn visit(&self, context: &mut Context, visitor: &mut dyn Visitor) -> Result<()> {
        self.visit_repeatedly(context, &mut |visit| visit(visitor, None).map(drop))
    }

    /// Calls `visits` with a function that [visits](Self::visit) all operations, or those from a
    /// pause on: the events that follow are those that an interrupted visit of the same file did
    /// not receive, from the operation at which it was interrupted. Values keep their numbers.
    ///
    /// What one visit requested is not decoded again in the next one. A pause may also be from
    /// another call, with another context, so that a context can be released in the middle of a
    /// file. O(what the visits take); going on from a pause takes the depth of nesting.
    ///
    /// # Errors
    /// Those of `visits`.
    fn visit_repeatedly(&self, context: &mut Context, visits: &mut Visits<'_>) -> Result<()>;

    /// Reads the whole file, as the eager reader of its format does.
    ///
    /// # Errors
    /// Those of that reader.
    fn read_module(&self, context: &mut Context) -> Result<Module>;

    /// Reads the tables and [visits](Self::visit) all operations. Returns what the items of the
    /// tables became in the context.
    ///
    /// Together with a dump, which numbers the items alike, this tells how many bytes of the file
    /// each attribute, type, location and string that the visitor receives takes.
    ///
    /// # Errors
    /// Those of [`visit`](Self::visit), and those of the tables.
    fn visit_with_tables(
        &self,
        context: &mut Context,
        visitor: &mut dyn Visitor,
    ) -> Result<TableItems>;
}

/// Visits the operations of a file, from a pause on if there is one. Returns where the visitor
/// interrupted the visit, `None` at the end: see [`LazyFile::visit_repeatedly`].
pub type Visit<'v> = dyn FnMut(&mut dyn Visitor, Option<Pause>) -> Result<Option<Pause>> + 'v;

/// Visits the operations of a file any number of times, by the function that it receives: see
/// [`LazyFile::visit_repeatedly`].
pub type Visits<'v> = dyn FnMut(&mut Visit<'_>) -> Result<()> + 'v;

/// The handles of the items of a file's tables in the context that the file was read into: see
/// [`LazyFile::visit_with_tables`].
///
/// Several items can become the same attribute or type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct TableItems {
    /// The attributes, types and locations by number. Those of upstream's bytecode are its
    /// attributes, followed by its types. `None` if an item cannot be decoded.
    pub entries: Vec<Option<Entry>>,
    /// The strings by number. `None` if nothing that was read refers to it.
    pub strings: Vec<Option<Identifier>>,
    /// The resources that the module declares, as in
    /// [`Provenance::resources`](rmlir_ir::Provenance::resources).
    pub resources: Vec<Resource>,
}

/// The number of enclosing operations that [`with_references`] may create before it reads the whole
/// file instead, in addition to 16 for each operation of a symbol.
const OPERATIONS_AROUND: u64 = 1 << 20;

/// Returns the given symbols and all symbols that they refer to, directly or indirectly.
///
/// Each symbol is returned once, the requested ones first. References that lead nowhere are
/// skipped. Reads the returned symbols one after the other, in time linear in their size. If
/// symbols are nested so deeply that the operations around them far outnumber their own, reads the
/// whole file instead.
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
    let given = open.len();
    // The reader pops from the queue; the callback pushes the symbols that it discovers.
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
        // The operations around the given symbols are extracted with their attributes.
        let with_around = found.len() <= given;
        let (used, own) = references(context, &module, operation, &symbol.path, with_around);
        useful = useful.saturating_add(own);
        around = around.saturating_add((module.operation_slots() as u64).saturating_sub(own));
        for (path, names) in used {
            // Where the rest of a path denotes nothing, the first names may denote a symbol:
            // `@binary::@kernel` refers to a `gpu.binary`, which is not a symbol table.
            for path in std::iter::successors(Some(path), SymbolPath::parent).take(names) {
                if !paths.insert(path.clone()) {
                    break;
                }
                match find(&path) {
                    Ok(None) => {}
                    Ok(Some(symbol)) => {
                        if known.insert(symbol.place) {
                            open.borrow_mut().push_back(symbol);
                        }
                        break;
                    }
                    Err(error) => {
                        outcome = Err(error);
                        return ControlFlow::Break(());
                    }
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

/// Implements [`with_references`] by reading the whole file.
fn with_references_of_whole(
    file: &dyn LazyFile,
    context: &mut Context,
    symbols: &[Symbol],
) -> Result<Vec<Symbol>> {
    let module = file.read_module(context)?;
    // The symbols of the module are the same, in the same order, as those of the file; so are the
    // operations that are not symbols.
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

/// Maps each path to the first symbol that has it.
fn by_path(all: &[Symbol]) -> HashMap<&SymbolPath, &Symbol> {
    let mut by_path = HashMap::with_capacity(all.len());
    for symbol in all {
        by_path.entry(&symbol.path).or_insert(symbol);
    }
    by_path
}

/// Returns the external references of a symbol as paths from the top, each with the number of names
/// in the reference, and its operation count.
///
/// The symbol was read into a module of its own; the count includes all operations nested in it.
/// `with_around` adds the references in the attributes of the operations around it.
fn references(
    context: &Context,
    module: &Module,
    operation: Operation,
    path: &SymbolPath,
    with_around: bool,
) -> (Vec<(SymbolPath, usize)>, u64) {
    // For each symbol table (the symbol itself and those around it): the path of its contents.
    let mut tables = HashMap::new();
    if path.len() > 0 {
        tables.insert(operation, path.clone());
    }
    let around = std::iter::successors(module.parent_operation(operation), |&outer| {
        module.parent_operation(outer)
    });
    let mut outer = path.parent();
    for table in around.clone() {
        let parent = outer.as_ref().and_then(SymbolPath::parent);
        tables.insert(
            table,
            std::mem::replace(&mut outer, parent).unwrap_or_default(),
        );
    }
    let mut collection = SymbolTableCollection::new();
    let mut found = Vec::new();
    let mut add = |scope: Operation, names: &[Identifier]| {
        let table = collection.nearest_symbol_table(context, module, scope);
        // References that resolve in a table inside the symbol are internal to it.
        if let Some(outer) = table.and_then(|table| tables.get(&table)) {
            let inner = names.iter().map(|&name| context.bytes(name).into());
            let path = inner.fold(outer.clone(), |path, name| path.child(name));
            found.push((path, names.len()));
        }
    };
    for used in module.symbol_uses(context, operation) {
        add(used.operation, &used.path);
    }
    // The attributes of a symbol table refer to symbols around it, but for those of the outermost.
    let itself = Some(operation).filter(|&symbol| module.is_symbol_table(context, symbol));
    let around = around.filter(|_| with_around);
    for outer in itself.into_iter().chain(around) {
        let parent = module.parent_operation(outer);
        let scope = parent.filter(|_| module.is_symbol_table(context, outer));
        for used in module.own_symbol_uses(context, outer) {
            add(scope.unwrap_or(outer), &used.path);
        }
    }
    let own = module.descendants(operation).count() as u64;
    (found, own)
}

/// Returns the module that was read for one symbol, and the symbol's operation.
pub(crate) fn only(
    (module, operations): (Module, Vec<Operation>),
    symbol: &Symbol,
) -> Result<(Module, Operation)> {
    match operations.as_slice() {
        &[operation] => Ok((module, operation)),
        _ => Err(no_such_place(symbol)),
    }
}

/// Returns the error for a symbol that belongs to another file.
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
