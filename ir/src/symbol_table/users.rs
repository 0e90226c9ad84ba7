//! The users of all symbols of a module.

use super::SymbolTableCollection;
use super::uses::{SymbolUse, UseFinder};
use crate::{Op, Operation};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The references to all symbols in an operation and everything nested in it.
///
/// One pass over the module answers what [`Module::uses_of_symbol`](crate::Module::uses_of_symbol)
/// searches a symbol table for, for each symbol. A reference `@a::@b` is a use of `b`, and of `a`,
/// in whose symbol table `b` is. References inside arrays, dictionaries, attributes and types of
/// dialects count; those in the text of a body have the body's attribute or type as their
/// [`entry`](SymbolUse::entry). As in MLIR, types of operands and results do not count.
///
/// The map describes the module as it was when the map was built.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module, SymbolUserMap};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let symbol = builder.op("test.symbol").attr("sym_name", "a").build()?;
/// let reference = builder.context.symbol_ref_attribute("a");
/// let user = builder.op("test.user").attr("callee", reference).build()?;
/// let dangling = builder.context.symbol_ref_attribute("b");
/// builder.op("test.user").attr("callee", dangling).build()?;
///
/// let map = SymbolUserMap::new((&context, &module));
/// assert_eq!(map.users(symbol), [user]);
/// assert!(map.is_unused(user));
/// assert_eq!(map.unresolved().len(), 1);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "getUsers")]
pub struct SymbolUserMap {
    uses: Vec<SymbolUse>,
    /// Indices of the uses of each symbol, ascending.
    by_symbol: HashMap<Operation, Vec<usize>, RandomState>,
    /// The operations among them, each once.
    users: HashMap<Operation, Vec<Operation>, RandomState>,
    unresolved: Vec<SymbolUse>,
}

impl SymbolUserMap {
    /// Finds all references in an operation and everything nested in it. Linear in the number of
    /// operations, of the attributes and types that they refer to, and of the uses.
    pub fn new<'a>(top: impl Into<Op<'a>>) -> Self {
        let top = top.into();
        let (context, module) = (top.context, top.module);
        let mut map = SymbolUserMap::default();
        let mut tables = SymbolTableCollection::new();
        let mut finder = UseFinder::default();
        let mut found = Vec::new();
        for op in top.descendants() {
            finder.find(context, module, op.id(), &[], &mut found);
            if found.is_empty() {
                continue;
            }
            // The attributes of a symbol table refer to symbols around it.
            let outer = module.parent_operation(op.id());
            let table = match tables.is_symbol_table(context, module, op.id()) {
                true => outer.and_then(|op| tables.nearest_symbol_table(context, module, op)),
                false => tables.nearest_symbol_table(context, module, op.id()),
            };
            for symbol_use in found.drain(..) {
                let mut at = table;
                let mut symbols = Vec::with_capacity(symbol_use.path.len());
                for &name in &symbol_use.path {
                    at = at.and_then(|table| tables.get(context, module, table, name));
                    symbols.extend(at);
                }
                if symbols.len() < symbol_use.path.len() {
                    map.unresolved.push(symbol_use.clone());
                }
                if symbols.is_empty() {
                    continue;
                }
                for symbol in symbols {
                    map.by_symbol
                        .entry(symbol)
                        .or_default()
                        .push(map.uses.len());
                    let users = map.users.entry(symbol).or_default();
                    if users.last() != Some(&symbol_use.operation) {
                        users.push(symbol_use.operation);
                    }
                }
                map.uses.push(symbol_use);
            }
        }
        map
    }

    /// Returns the operations that refer to a symbol, or to a symbol in it, each once, in
    /// pre-order. O(1).
    pub fn users(&self, symbol: Operation) -> &[Operation] {
        self.users.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// Returns the references to a symbol, or to a symbol in it: operations in pre-order, the
    /// references of one operation in the order in which they are written.
    pub fn uses(&self, symbol: Operation) -> impl ExactSizeIterator<Item = &SymbolUse> {
        let indices = self.by_symbol.get(&symbol).map_or(&[][..], Vec::as_slice);
        indices.iter().map(|&index| &self.uses[index])
    }

    /// Returns whether nothing refers to a symbol, or to a symbol in it. O(1).
    #[doc(alias = "useEmpty")]
    pub fn is_unused(&self, symbol: Operation) -> bool {
        self.users(symbol).is_empty()
    }

    /// Returns the references of which a name denotes no symbol.
    pub fn unresolved(&self) -> &[SymbolUse] {
        &self.unresolved
    }
}
