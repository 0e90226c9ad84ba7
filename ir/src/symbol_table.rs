//! Symbols: named operations, and references to them.

mod scopes;
mod users;
mod uses;

use crate::error::Invalid;
use crate::{
    Attribute, AttributeKind, Context, Identifier, InUse, Module, Operation, OperationTraits,
};
use foldhash::fast::RandomState;
pub(crate) use scopes::{RootUses, mentioned_in_strings, rename_roots};
use std::collections::HashMap;
pub use users::SymbolUserMap;
pub use uses::SymbolUse;
use uses::reference_path;
pub(crate) use uses::{SeenEntries, UseFinder};

/// The visibility of a symbol: the scope from which it may be referred to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Visibility {
    /// Visible everywhere, including outside of the IR at hand.
    #[default]
    Public,
    /// Visible in its symbol table only.
    Private,
    /// Visible in its symbol table and the enclosing ones within the IR at hand.
    Nested,
}

impl Visibility {
    /// All visibilities.
    pub(crate) const ALL: [Self; 3] = [Self::Public, Self::Private, Self::Nested];

    /// Returns the keyword: `public`, `private` or `nested`.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
            Visibility::Nested => "nested",
        }
    }

    /// Returns the visibility of that name; public for any other name.
    pub fn from_name(name: Option<&[u8]>) -> Self {
        match name {
            Some(b"private") => Visibility::Private,
            Some(b"nested") => Visibility::Nested,
            _ => Visibility::Public,
        }
    }
}

/// The symbols of one symbol table by name.
///
/// A symbol is an operation directly in a symbol table that has a string attribute `sym_name`, or
/// the attribute that the `symbol` statement of its definition names, as `vhlo.func_v1` has. A
/// symbol table is an operation with the `SymbolTable` trait. An operation whose definition is not
/// known (that of `builtin.module` always is) is assumed to be a symbol table if it has one region
/// of one block and a symbol is directly in it: upstream allows symbols nowhere else.
///
/// References to symbols are [`SymbolRef`](AttributeKind::SymbolRef) attributes, at any depth in
/// the attributes of an operation, and the strings in the attributes that the `references`
/// statement of the operation's definition names. References in the text of a dialect attribute or
/// type (`#hal.device.affinity<@device>`) are found and renamed as well: `@name`, `@"name"` and
/// `@a::@b` outside of string literals.
///
/// The table is a snapshot of the module: it does not reflect symbols that are added, erased or
/// renamed other than through it.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module, SymbolTable};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let name = builder.context.string_attribute("f");
/// let callee = builder.context.symbol_ref_attribute("f");
/// let f = builder.op("func.func").property("sym_name", name).build()?;
/// let call = builder.op("func.call").property("callee", callee).build()?;
///
/// let mut symbols = SymbolTable::new(&context, &module, module.top())?;
/// assert_eq!(symbols.lookup(&context, "f"), Some(f));
/// assert_eq!(symbols.lookup_nested(&context, &module, callee), Some(f));
///
/// symbols.rename(&mut context, &mut module, f, "g")?;
/// let renamed = context.symbol_ref_attribute("g");
/// assert_eq!(module.attribute(&context, call, "callee"), Some(renamed));
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymbolTable {
    operation: Operation,
    symbols: HashMap<Identifier, Operation, RandomState>,
    /// The next number for making a name unique.
    counter: u64,
}

impl SymbolTable {
    /// Returns the symbols of `operation`, which must have one region of one block, and the
    /// `SymbolTable` trait or no known definition. Linear in the number of operations of the block.
    ///
    /// # Errors
    ///
    /// If it is not a symbol table, or two symbols have the same name.
    pub fn new(context: &Context, module: &Module, operation: Operation) -> Result<Self, Invalid> {
        if let Some(traits) = context.operation_traits(module.name(operation))
            && !traits.contains(OperationTraits::SYMBOL_TABLE)
        {
            let name =
                String::from_utf8_lossy(context.operation_name_bytes(module.name(operation)));
            return Err(Invalid::new(format!("'{name}' is not a symbol table")));
        }
        if module.regions(operation).len() != 1 {
            return Err(Invalid::new(
                "operations with a 'SymbolTable' must have exactly one region",
            ));
        }
        if single_block(module, operation).is_none() {
            return Err(Invalid::new(
                "operations with a 'SymbolTable' must have exactly one block",
            ));
        }
        match Self::collect(context, module, operation) {
            (table, None) => Ok(table),
            (_, Some(twice)) => Err(Invalid::new(format!(
                "redefinition of symbol named '{}'",
                context.str(twice)
            ))),
        }
    }

    /// Returns the first symbol of each name, and a name that occurs twice.
    fn collect(
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> (Self, Option<Identifier>) {
        let mut table = SymbolTable {
            operation,
            symbols: HashMap::default(),
            counter: 0,
        };
        let mut twice = None;
        for symbol in symbols_in(module, operation) {
            if let Some(name) = module.symbol_name(context, symbol) {
                match table.symbols.entry(name) {
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        entry.insert(symbol);
                    }
                    std::collections::hash_map::Entry::Occupied(_) => twice = twice.or(Some(name)),
                }
            }
        }
        (table, twice)
    }

    /// Returns the operation whose symbols the table contains.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Returns whether there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Returns the symbol of that name. Constant time.
    pub fn lookup(&self, context: &Context, name: impl AsRef<[u8]>) -> Option<Operation> {
        self.get(context.find_identifier(name)?)
    }

    /// Returns the symbol of that name. Constant time.
    pub fn get(&self, name: Identifier) -> Option<Operation> {
        self.symbols.get(&name).copied()
    }

    /// Returns the symbol that a symbol reference attribute denotes in this symbol table.
    ///
    /// `@a::@b` denotes the symbol `b` in the symbol table that is the symbol `a` here. Returns
    /// `None` if there is no such symbol, or `reference` is not a symbol reference. Linear in the
    /// sizes of the nested symbol tables.
    pub fn lookup_nested(
        &self,
        context: &Context,
        module: &Module,
        reference: Attribute,
    ) -> Option<Operation> {
        let (root, nested) = reference_path(context, reference)?;
        nested.iter().try_fold(self.get(root)?, |table, &name| {
            if !module.is_symbol_table(context, table) {
                return None;
            }
            find_symbol(context, module, table, name)
        })
    }

    /// Adds a symbol and returns its name.
    ///
    /// A detached symbol is inserted at the end of the symbol table, before the terminator if there
    /// is one. If its name is taken, it is renamed: `_` and the next number that yields a free name
    /// are appended. As upstream does, numbers are counted up from 0 over the lifetime of this
    /// table. References are not changed.
    ///
    /// # Errors
    ///
    /// If the operation has no name, or is nested in another operation. In this case nothing is
    /// changed.
    pub fn insert(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        symbol: Operation,
    ) -> Result<Identifier, Invalid> {
        let name = module
            .symbol_name(context, symbol)
            .ok_or_else(|| Invalid::new("the operation has no symbol name"))?;
        let block = single_block(module, self.operation)
            .ok_or_else(|| Invalid::new("the symbol table has not one block"))?;
        match module.parent_block(symbol) {
            Some(other) if other != block => {
                return Err(Invalid::new("the symbol is in another operation"));
            }
            Some(_) => {}
            None => match module.last_operation(block) {
                Some(last) if is_terminator(context, module, last) => {
                    module.insert_before(last, symbol)?;
                }
                _ => module.append_operation(block, symbol),
            },
        }
        match self.get(name) {
            Some(known) if known == symbol => return Ok(name),
            None => {
                self.symbols.insert(name, symbol);
                return Ok(name);
            }
            Some(_) => {}
        }
        let stem = context.bytes(name).to_vec();
        loop {
            let mut candidate = stem.clone();
            candidate.extend_from_slice(format!("_{}", self.counter).as_bytes());
            self.counter += 1;
            let candidate = context.identifier(candidate);
            if self.get(candidate).is_none() {
                module.set_symbol_name(context, symbol, candidate)?;
                self.symbols.insert(candidate, symbol);
                return Ok(candidate);
            }
        }
    }

    /// Removes a symbol from this table; the operation stays in its block. Returns whether the
    /// symbol was in the table.
    pub fn remove(&mut self, context: &Context, module: &Module, symbol: Operation) -> bool {
        match module.symbol_name(context, symbol) {
            Some(name) if self.get(name) == Some(symbol) => self.symbols.remove(&name).is_some(),
            _ => false,
        }
    }

    /// Removes a symbol from this table and erases the operation; see [`Module::erase_operation`].
    /// Does not check for references to it.
    ///
    /// # Errors
    ///
    /// If a value that it defines is used. In this case nothing is changed.
    pub fn erase(
        &mut self,
        context: &Context,
        module: &mut Module,
        symbol: Operation,
    ) -> Result<(), InUse> {
        let name = module.symbol_name(context, symbol);
        module.erase_operation(symbol)?;
        if let Some(name) = name
            && self.get(name) == Some(symbol)
        {
            self.symbols.remove(&name);
        }
        Ok(())
    }

    /// Renames a symbol and all references to it; see [`Module::rename_symbol`].
    ///
    /// # Errors
    ///
    /// If the operation is not in this table or the name is taken. In this case nothing is changed.
    pub fn rename(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        symbol: Operation,
        name: impl AsRef<[u8]>,
    ) -> Result<(), Invalid> {
        let old = module.symbol_name(context, symbol);
        let old = old
            .filter(|&old| self.get(old) == Some(symbol))
            .ok_or_else(|| Invalid::new("the operation is not in the symbol table"))?;
        let new = context.identifier(name);
        if old == new {
            return Ok(());
        }
        if self.get(new).is_some() {
            return Err(Invalid::new(format!(
                "redefinition of symbol named '{}'",
                context.str(new)
            )));
        }
        module.rename_symbol(context, symbol, new)?;
        self.symbols.remove(&old);
        self.symbols.insert(new, symbol);
        Ok(())
    }
}

/// A collection of symbol tables, built lazily, for looking up many references.
///
/// Like a [`SymbolTable`], the collection does not reflect changes of the module. If a name occurs
/// twice, the first symbol is found.
#[derive(Clone, Debug, Default)]
pub struct SymbolTableCollection {
    tables: HashMap<Operation, SymbolTable, RandomState>,
    is_table: HashMap<Operation, bool, RandomState>,
    /// Maps an operation to its nearest symbol table, which may be the operation itself.
    nearest: HashMap<Operation, Option<Operation>, RandomState>,
}

impl SymbolTableCollection {
    /// Creates an empty collection.
    pub fn new() -> Self {
        SymbolTableCollection::default()
    }

    /// Like [`Module::nearest_symbol_table`], in amortized time that does not depend on the nesting
    /// depth.
    pub fn nearest_symbol_table(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Operation> {
        let mut passed = Vec::new();
        let mut at = Some(operation);
        let found = loop {
            let Some(operation) = at else { break None };
            if let Some(&known) = self.nearest.get(&operation) {
                break known;
            }
            passed.push(operation);
            if self.is_symbol_table(context, module, operation) {
                break Some(operation);
            }
            at = module.parent_operation(operation);
        };
        // Operations without regions are queried only once, and are too many to memoize.
        for operation in passed {
            if module.regions(operation).len() != 0 {
                self.nearest.insert(operation, found);
            }
        }
        found
    }

    /// Like [`Module::lookup_symbol_in`], in amortized constant time for each name.
    pub fn lookup_symbol_in(
        &mut self,
        context: &Context,
        module: &Module,
        table: Operation,
        reference: Attribute,
    ) -> Option<Operation> {
        let (root, nested) = reference_path(context, reference)?;
        let mut found = self.get(context, module, table, root)?;
        for &name in nested {
            found = self.get(context, module, found, name)?;
        }
        Some(found)
    }

    /// Like [`Module::lookup_symbol_from`], in amortized constant time for each name.
    pub fn lookup_symbol_from(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        reference: Attribute,
    ) -> Option<Operation> {
        let table = self.nearest_symbol_table(context, module, operation)?;
        self.lookup_symbol_in(context, module, table, reference)
    }

    pub(crate) fn is_symbol_table(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> bool {
        if module.regions(operation).len() == 0 {
            return false;
        }
        *self
            .is_table
            .entry(operation)
            .or_insert_with(|| module.is_symbol_table(context, operation))
    }

    fn get(
        &mut self,
        context: &Context,
        module: &Module,
        table: Operation,
        name: Identifier,
    ) -> Option<Operation> {
        if !self.is_symbol_table(context, module, table) {
            return None;
        }
        self.tables
            .entry(table)
            .or_insert_with(|| SymbolTable::collect(context, module, table).0)
            .get(name)
    }
}

impl Module {
    // Symbols.

    /// Returns the name of a symbol: the value of its string attribute `sym_name`, inherent or
    /// discardable, or of the attribute that its definition [declares](Context::symbol_attributes).
    /// Returns `None` if it has none, and therefore is not a symbol.
    pub fn symbol_name(&self, context: &Context, operation: Operation) -> Option<Identifier> {
        let of = context.symbol_attributes(self.name(operation));
        context.symbol_string(of, self.attribute(context, operation, of.name)?)
    }

    /// Sets the name of a symbol without changing references; see
    /// [`rename_symbol`](Self::rename_symbol). An existing attribute stays inherent or discardable;
    /// a new one is inherent if the operation's definition declares it so.
    ///
    /// # Errors
    ///
    /// If the operation's properties are not a dictionary and the name would have to be stored
    /// there.
    pub fn set_symbol_name(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
    ) -> Result<(), Invalid> {
        let of = context.symbol_attributes(self.name(operation));
        let key = of.name.to_owned();
        let key = context.identifier(key);
        let old = self.attribute_by_identifier(context, operation, Some(key));
        let value = spelled_as(context, old, name)?;
        self.set_symbol_attribute(context, operation, key, Some(value))
    }

    /// Returns the visibility of a symbol, as specified by the attribute `sym_visibility` or the
    /// one that its definition [declares](Context::symbol_attributes). Without such an attribute it
    /// is public, unless the definition declares another default.
    pub fn symbol_visibility(&self, context: &Context, operation: Operation) -> Visibility {
        let of = context.symbol_attributes(self.name(operation));
        let value = match of.visibility {
            "" => None,
            key => self.attribute(context, operation, key),
        };
        let string = |value| context.symbol_string(of, value).map(|s| context.bytes(s));
        of.rule.visibility(value.map(string))
    }

    /// Sets the visibility of a symbol. If the attribute's absence denotes the visibility, a string
    /// or unit attribute is removed; a dialect attribute, which the operation may require, is set.
    ///
    /// # Errors
    ///
    /// As for [`set_symbol_name`](Self::set_symbol_name), and if no value of the visibility
    /// attribute of the operation denotes the visibility.
    pub fn set_symbol_visibility(
        &mut self,
        context: &mut Context,
        operation: Operation,
        visibility: Visibility,
    ) -> Result<(), Invalid> {
        let of = context.symbol_attributes(self.name(operation));
        let (rule, key) = (of.rule, of.visibility.to_owned());
        let is_default = visibility == rule.default;
        if key.is_empty() && is_default {
            return Ok(());
        }
        if key.is_empty() || (rule.is_flag && !is_default && visibility != Visibility::Public) {
            let message = match key.is_empty() {
                true => "the operation has no visibility attribute".to_owned(),
                false => format!(
                    "the visibility attribute '{key}' cannot denote '{}'",
                    visibility.as_str()
                ),
            };
            return Err(Invalid::new(message));
        }
        let key = context.identifier(key);
        let old = self.attribute_by_identifier(context, operation, Some(key));
        let is_dialect = |old| matches!(context.attribute_kind(old), AttributeKind::Dialect { .. });
        let value = if is_default && !old.is_some_and(is_dialect) {
            None
        } else if rule.is_flag {
            Some(context.unit_attribute())
        } else {
            let name = context.identifier(visibility.as_str());
            Some(spelled_as(context, old, name)?)
        };
        self.set_symbol_attribute(context, operation, key, value)
    }

    fn set_symbol_attribute(
        &mut self,
        context: &mut Context,
        operation: Operation,
        name: Identifier,
        value: Option<Attribute>,
    ) -> Result<(), Invalid> {
        let bytes = context.bytes(name);
        let holds = |dictionary: Option<Attribute>| {
            dictionary.is_some_and(|d| context.dictionary_get(d, bytes).is_some())
        };
        let inherent = holds(self.properties(operation))
            || (!holds(self.attributes(operation)) && is_inherent(context, self, operation, bytes));
        if inherent {
            self.set_inherent_attribute(context, operation, name, value)
        } else {
            self.set_discardable_attribute(context, operation, name, value)
        }
    }

    /// Returns whether an operation is a symbol table: it has the trait, or it has no known
    /// definition and looks like one; see [`SymbolTable`]. For an operation without a known
    /// definition this is linear in the number of operations of its block.
    pub fn is_symbol_table(&self, context: &Context, operation: Operation) -> bool {
        let name = self.name(operation);
        match context.operation_traits(name) {
            Some(traits) => traits.contains(OperationTraits::SYMBOL_TABLE),
            None if context.operation_name_bytes(name) == b"builtin.module" => true,
            None => symbols_in(self, operation)
                .any(|symbol| self.symbol_name(context, symbol).is_some()),
        }
    }

    /// Returns the symbol table in which an operation's references are looked up: the operation
    /// itself, or the innermost enclosing operation that is one. Linear in the nesting depth, and
    /// in the sizes of enclosing blocks of operations without a known definition. A
    /// [`SymbolTableCollection`] memoizes the result.
    pub fn nearest_symbol_table(
        &self,
        context: &Context,
        operation: Operation,
    ) -> Option<Operation> {
        std::iter::successors(Some(operation), |&op| self.parent_operation(op))
            .find(|&op| self.is_symbol_table(context, op))
    }

    /// Returns the symbol that a symbol reference attribute denotes in the symbol table `table`;
    /// `None` if there is none. Linear in the number of operations of the symbol tables on the
    /// path; create a [`SymbolTable`] or a [`SymbolTableCollection`] to look up more than one.
    pub fn lookup_symbol_in(
        &self,
        context: &Context,
        table: Operation,
        reference: Attribute,
    ) -> Option<Operation> {
        let (root, nested) = reference_path(context, reference)?;
        std::iter::once(&root)
            .chain(nested)
            .try_fold(table, |table, &name| {
                if !self.is_symbol_table(context, table) {
                    return None;
                }
                find_symbol(context, self, table, name)
            })
    }

    /// Returns the symbol that a symbol reference attribute of `operation` denotes. It is looked up
    /// only in the [nearest symbol table](Self::nearest_symbol_table), not in the enclosing ones.
    pub fn lookup_symbol_from(
        &self,
        context: &Context,
        operation: Operation,
        reference: Attribute,
    ) -> Option<Operation> {
        let table = self.nearest_symbol_table(context, operation)?;
        self.lookup_symbol_in(context, table, reference)
    }
}

/// Returns the attribute for a string that replaces `old`: if `old` is a dialect attribute that
/// holds a string, one of the same mnemonic, else a string attribute.
fn spelled_as(
    context: &mut Context,
    old: Option<Attribute>,
    string: Identifier,
) -> Result<Attribute, Invalid> {
    let old = old.filter(|&old| context.string_literal(old).is_some());
    let kind = match old.map(|old| context.attribute_kind(old)) {
        Some(AttributeKind::Dialect { dialect, body, ty }) => AttributeKind::Dialect {
            dialect: *dialect,
            body: body.with_string_literal(context.bytes(string)),
            ty: *ty,
        },
        _ => AttributeKind::String {
            value: string,
            ty: None,
        },
    };
    context.try_attribute(kind)
}

/// Returns the block of an operation that has one region of one block.
fn single_block(module: &Module, operation: Operation) -> Option<crate::Block> {
    if module.regions(operation).len() != 1 {
        return None;
    }
    let region = module.region(operation, 0)?;
    let block = module.first_block(region)?;
    module.next_block(block).is_none().then_some(block)
}

/// Returns the operations in the block of an operation that has one region of one block.
fn symbols_in(module: &Module, operation: Operation) -> impl Iterator<Item = Operation> {
    single_block(module, operation)
        .into_iter()
        .flat_map(|block| module.operations(block))
}

fn find_symbol(
    context: &Context,
    module: &Module,
    table: Operation,
    name: Identifier,
) -> Option<Operation> {
    symbols_in(module, table).find(|&op| module.symbol_name(context, op) == Some(name))
}

fn is_terminator(context: &Context, module: &Module, operation: Operation) -> bool {
    match context.operation_traits(module.name(operation)) {
        Some(traits) => traits.contains(OperationTraits::TERMINATOR),
        None => module.successors(operation).len() != 0,
    }
}

fn is_inherent(context: &Context, module: &Module, operation: Operation, name: &[u8]) -> bool {
    let operation = module.name(operation);
    context
        .is_inherent_attribute(operation, name)
        .unwrap_or_else(|| context.operation_name_bytes(operation) == b"builtin.module")
}
