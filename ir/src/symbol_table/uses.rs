//! Finds and replaces references to symbols.

use crate::attribute_walk::push_children;
use crate::error::Invalid;
use crate::symbol_text::{for_each_symbol, spelled};
use crate::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, Context, DialectBody, Entry, EntryReplacer,
    EntryWalker, Identifier, IndexedMap, Module, Operation, Replacement, TypeKind, WalkOrder,
    WalkResult, WalkStep,
};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::rc::Rc;

/// A reference to a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolUse {
    /// The operation whose attributes contain the reference.
    pub operation: Operation,
    /// The names: `@a::@b` has two.
    pub path: Box<[Identifier]>,
    /// The attribute or type that contains the reference: a symbol reference attribute, a string
    /// attribute that the operation's definition declares to be a reference, or a dialect attribute
    /// or type whose text contains it.
    pub entry: Entry,
}

impl Module {
    /// Returns the symbol references in `scope` and everything nested in it, except nested symbol
    /// tables.
    ///
    /// Names have another meaning in nested symbol tables. The attributes of a nested symbol table
    /// itself are included; those of `scope` are included if it is not a symbol table.
    ///
    /// Operations are in pre-order. The references of one operation are in the order in which they
    /// are written (inherent attributes first), each once. Linear in the number of operations and
    /// of the attributes and types that they refer to, plus, for each operation, the entries
    /// through which its references are reached.
    pub fn symbol_uses(&self, context: &Context, scope: Operation) -> Vec<SymbolUse> {
        let mut finder = UseFinder::default();
        let mut uses = Vec::new();
        for operation in scope_operations(context, self, scope) {
            finder.find(context, self, operation, &[], &mut uses);
        }
        uses
    }

    /// Returns the symbol references in the attributes of one operation alone.
    ///
    /// The names of a symbol table's own attributes are those of the symbol table around it. The
    /// order is that of [`symbol_uses`](Self::symbol_uses). Linear in the attributes and types that
    /// the operation refers to.
    pub fn own_symbol_uses(&self, context: &Context, operation: Operation) -> Vec<SymbolUse> {
        let mut uses = Vec::new();
        UseFinder::default().find(context, self, operation, &[], &mut uses);
        uses
    }

    /// Returns the references to one symbol, and to symbols in it.
    ///
    /// These are all references in the enclosing symbol tables that can name it: `@b` in its own
    /// symbol table, `@a::@b` in the next outer one if the symbol table is the symbol `a`, and so
    /// on. Order and cost are as for [`symbol_uses`](Self::symbol_uses), inner symbol tables first.
    pub fn uses_of_symbol(&self, context: &Context, symbol: Operation) -> Vec<SymbolUse> {
        let mut finder = UseFinder::default();
        let mut uses = Vec::new();
        for (scope, path) in Scopes::new(context, self, symbol).iter() {
            for operation in scope_operations(context, self, scope) {
                finder.find(context, self, operation, path, &mut uses);
            }
        }
        uses
    }

    /// Replaces the first name `old` by `new` in all references in `scope`: `@old` becomes `@new`,
    /// `@old::@a` becomes `@new::@a`.
    ///
    /// The scope is that of [`symbol_uses`](Self::symbol_uses). References that are nested in
    /// arrays, dictionaries and other attributes and types are found. Returns whether there were
    /// any.
    ///
    /// Linear in the number of operations and of the attributes and types that they refer to.
    ///
    /// # Errors
    ///
    /// Does not fail in a module that keeps its invariants.
    pub fn replace_all_symbol_uses(
        &mut self,
        context: &mut Context,
        scope: Operation,
        old: impl AsRef<[u8]>,
        new: impl AsRef<[u8]>,
    ) -> Result<bool, Invalid> {
        // Names that were never interned can only occur in the text of bodies.
        let old = context.identifier(old);
        let new = context.identifier(new);
        replace_in_scope(context, self, scope, &[old], new)
    }

    /// Renames a symbol and all references to it.
    ///
    /// References are renamed in the enclosing symbol table and, as parts of nested references, in
    /// the outer ones. The caller must ensure that the name is free; see
    /// [`SymbolTable::rename`](crate::SymbolTable::rename).
    ///
    /// # Errors
    ///
    /// If the operation has no name.
    pub fn rename_symbol(
        &mut self,
        context: &mut Context,
        symbol: Operation,
        new: Identifier,
    ) -> Result<(), Invalid> {
        if self.symbol_name(context, symbol).is_none() {
            return Err(Invalid::new("the operation has no symbol name"));
        }
        for (scope, path) in Scopes::new(context, self, symbol).iter() {
            replace_in_scope(context, self, scope, path, new)?;
        }
        self.set_symbol_name(context, symbol, new)
    }
}

/// The symbol tables around a symbol, innermost first, with the path to the symbol from each.
struct Scopes {
    tables: Vec<Operation>,
    /// The names from the outermost to the symbol's own.
    names: Vec<Identifier>,
}

impl Scopes {
    fn new(context: &Context, module: &Module, symbol: Operation) -> Self {
        let (mut tables, mut names) = (Vec::new(), Vec::new());
        let mut at = symbol;
        while let Some(name) = module.symbol_name(context, at)
            && let Some(table) = module.parent_operation(at)
            && module.is_symbol_table(context, table)
        {
            names.push(name);
            tables.push(table);
            at = table;
        }
        names.reverse();
        Scopes { tables, names }
    }

    fn iter(&self) -> impl Iterator<Item = (Operation, &[Identifier])> {
        let paths = (0..self.names.len())
            .rev()
            .filter_map(|start| self.names.get(start..));
        self.tables.iter().copied().zip(paths)
    }
}

/// Replaces the last name of `path` by `new` in all references of a scope that begin with `path`.
fn replace_in_scope(
    context: &mut Context,
    module: &mut Module,
    scope: Operation,
    path: &[Identifier],
    new: Identifier,
) -> Result<bool, Invalid> {
    let rename = |names: &[Identifier]| {
        let last = path.len().checked_sub(1)?;
        names.starts_with(path).then_some((last, new))
    };
    let mut renamer = Renamer::new(rename);
    let mut changed = false;
    for operation in scope_operations(context, module, scope) {
        changed |= renamer.attributes_of(context, module, operation)?;
    }
    Ok(changed)
}

/// Renames symbols in references. The function returns, for the names of a reference, which of them
/// to replace and by which.
pub(super) struct Renamer<F> {
    rename: Rc<F>,
    /// Entries with references that are replaced.
    entries: HashMap<Entry, Entry, RandomState>,
    /// Attributes whose strings are names, with these replaced.
    strings: HashMap<Entry, Entry, RandomState>,
}

impl<F: Fn(&[Identifier]) -> Option<(usize, Identifier)>> Renamer<F> {
    pub(super) fn new(rename: F) -> Self {
        Renamer::shared(Rc::new(rename))
    }

    /// Creates one that shares the function, and nothing that is memoized, with others.
    pub(super) fn shared(rename: Rc<F>) -> Self {
        Renamer {
            rename,
            entries: HashMap::default(),
            strings: HashMap::default(),
        }
    }

    /// Renames in the attributes of an operation. Returns whether anything changed.
    pub(super) fn attributes_of(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
    ) -> Result<bool, Invalid> {
        let rename = Rc::clone(&self.rename);
        let replace = |context: &mut Context, entry| replace_in_entry(context, entry, &*rename);
        let mut replacer = EntryReplacer::with_memo(replace, take(&mut self.entries));
        let mut changed = replacer.attributes_of(context, module, operation)?;
        self.entries = replacer.into_memo();
        let declared: Vec<String> = context
            .symbol_references(module.name(operation))
            .map(str::to_owned)
            .collect();
        for key in declared {
            let Some(value) = inherent(context, module, operation, &key) else {
                continue;
            };
            let replace = |context: &mut Context, entry| replace_string(context, entry, &*rename);
            let mut replacer = EntryReplacer::with_memo(replace, take(&mut self.strings));
            let replaced = replacer.attribute(context, value)?;
            self.strings = replacer.into_memo();
            if replaced != value {
                let key = context.identifier(key);
                module.set_inherent_attribute(context, operation, key, Some(replaced))?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Renames in the types and locations of an operation's results and of the arguments of its
    /// blocks.
    pub(super) fn types_of(
        &mut self,
        context: &mut Context,
        module: &mut Module,
        operation: Operation,
    ) -> Result<(), Invalid> {
        let rename = Rc::clone(&self.rename);
        let replace = |context: &mut Context, entry| replace_in_entry(context, entry, &*rename);
        let mut replacer = EntryReplacer::with_memo(replace, take(&mut self.entries));
        replacer.types_of(context, module, operation)?;
        replacer.locations_of(context, module, operation)?;
        self.entries = replacer.into_memo();
        Ok(())
    }
}

/// Returns an inherent attribute.
fn inherent(
    context: &Context,
    module: &Module,
    operation: Operation,
    key: &str,
) -> Option<Attribute> {
    context.dictionary_get(module.properties(operation)?, key.as_bytes())
}

/// Replaces a string that names a symbol, also in nested arrays.
fn replace_string(
    context: &mut Context,
    entry: Entry,
    rename: &impl Fn(&[Identifier]) -> Option<(usize, Identifier)>,
) -> Replacement {
    let Entry::Attribute(attribute) = entry else {
        return Replacement::Replace(entry);
    };
    // Strings name symbols of the enclosing symbol table, and have no nested names.
    let found = context.string_literal(attribute);
    match found.and_then(|found| rename(&[found])) {
        Some((_, new)) => match super::spelled_as(context, Some(attribute), new) {
            Ok(attribute) => Replacement::Replace(attribute.into()),
            Err(_) => Replacement::Keep,
        },
        None => Replacement::Keep,
    }
}

fn replace_in_entry(
    context: &mut Context,
    entry: Entry,
    rename: &impl Fn(&[Identifier]) -> Option<(usize, Identifier)>,
) -> Replacement {
    match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::SymbolRef { root, nested } => {
                let mut names: Vec<Identifier> = vec![*root];
                names.extend(nested);
                let Some((at, new)) = rename(&names) else {
                    return Replacement::Keep;
                };
                names
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|name| *name = new);
                let Some((&root, nested)) = names.split_first() else {
                    return Replacement::Keep;
                };
                let nested = nested.into();
                let attribute = context.intern_attribute(AttributeKind::SymbolRef { root, nested });
                Replacement::Replace(attribute.into())
            }
            AttributeKind::Dialect { dialect, body, ty } => {
                let (dialect, ty) = (*dialect, *ty);
                match replace_in_body(context, body, rename) {
                    Some(body) => {
                        let kind = AttributeKind::Dialect { dialect, body, ty };
                        Replacement::ReplaceAndEnter(context.intern_attribute(kind).into())
                    }
                    None => Replacement::Keep,
                }
            }
            _ => Replacement::Keep,
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => {
                let dialect = *dialect;
                match replace_in_body(context, body, rename) {
                    Some(body) => {
                        let kind = TypeKind::Dialect { dialect, body };
                        Replacement::ReplaceAndEnter(context.intern_type(kind).into())
                    }
                    None => Replacement::Keep,
                }
            }
            _ => Replacement::Keep,
        },
        Entry::Location(_) => Replacement::Keep,
    }
}

/// Returns the body with the references in its text replaced; `None` if there are none to replace.
fn replace_in_body(
    context: &Context,
    body: &DialectBody,
    rename: &impl Fn(&[Identifier]) -> Option<(usize, Identifier)>,
) -> Option<DialectBody> {
    if !body.text().contains(&b'@') {
        return None;
    }
    let mut builder = BodyBuilder::new();
    let mut changed = false;
    for piece in body.pieces() {
        let text = match piece {
            BodyPiece::Text(text) => text,
            BodyPiece::Reference(reference) => {
                builder.reference(context, reference);
                continue;
            }
        };
        let mut done = 0;
        for_each_symbol(text, |names| {
            // The names were interned with the entry.
            let known: Vec<Identifier> = names
                .iter()
                .map_while(|(_, name)| context.find_identifier(name))
                .collect();
            if let Some((at, new)) = rename(&known)
                && let Some((range, _)) = names.get(at)
            {
                builder.text(text.get(done..range.start).unwrap_or_default());
                builder.text(&spelled(context.bytes(new)));
                done = range.end;
                changed = true;
            }
        });
        builder.text(text.get(done..).unwrap_or_default());
    }
    changed.then(|| builder.finish())
}

/// Attributes and types whose references were already visited.
pub(crate) type SeenEntries = HashSet<Entry, RandomState>;

/// Finds the references in the attributes of operations, and memoizes which attributes contain any.
#[derive(Default)]
pub(crate) struct UseFinder {
    walker: EntryWalker,
    /// Maps entries from which references are reached to the references that they contain directly.
    holders: HashMap<Entry, Box<[Box<[Identifier]>]>, RandomState>,
    /// Maps the value of an attribute whose strings are symbol names to these names.
    strings: HashMap<Attribute, Box<[(Identifier, Attribute)]>, RandomState>,
    /// The attributes and types that were looked at and reach no reference, by index: nearly all,
    /// and most are those of many operations.
    plain_attributes: IndexedMap<bool>,
    plain_types: IndexedMap<bool>,
}

impl UseFinder {
    /// Appends the references of an operation that begin with `path`.
    pub(super) fn find(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        path: &[Identifier],
        uses: &mut Vec<SymbolUse>,
    ) {
        let roots = [module.properties(operation), module.attributes(operation)];
        let mut seen: HashSet<Entry, RandomState> = HashSet::default();
        for root in roots.into_iter().flatten() {
            self.look_at(context, root.into());
            let mut stack = vec![(Entry::Attribute(root), ())];
            while let Some((entry, ())) = stack.pop() {
                let Some(own) = self.holders.get(&entry) else {
                    continue;
                };
                if !seen.insert(entry) {
                    continue;
                }
                for names in own.iter().filter(|names| names.starts_with(path)) {
                    uses.push(SymbolUse {
                        operation,
                        path: names.clone(),
                        entry,
                    });
                }
                push_children(context, entry, &mut stack, ());
            }
        }
        for key in context.symbol_references(module.name(operation)) {
            let Some(value) = inherent(context, module, operation, key) else {
                continue;
            };
            for &(name, attribute) in self.strings_of(context, value) {
                if path.is_empty() || path == [name] {
                    uses.push(SymbolUse {
                        operation,
                        path: [name].into(),
                        entry: attribute.into(),
                    });
                }
            }
        }
    }

    /// Calls `each` with the paths of the references that are reached from an attribute or type,
    /// except for entries in `seen`, which is extended. Linear in the number of entries that are
    /// seen for the first time.
    pub(crate) fn each_path(
        &mut self,
        context: &Context,
        root: impl Into<Entry>,
        seen: &mut SeenEntries,
        mut each: impl FnMut(&[Identifier]),
    ) {
        let root = root.into();
        if self
            .plain(root)
            .is_some_and(|(plain, index)| plain.get(index))
        {
            return;
        }
        self.look_at(context, root);
        if !self.holders.contains_key(&root) {
            if let Some((plain, index)) = self.plain(root) {
                *plain.get_mut(index) = true;
            }
            return;
        }
        if seen.contains(&root) {
            return;
        }
        let mut stack = vec![(root, ())];
        while let Some((entry, ())) = stack.pop() {
            let Some(own) = self.holders.get(&entry) else {
                continue;
            };
            if seen.insert(entry) {
                own.iter().for_each(|path| each(path));
                push_children(context, entry, &mut stack, ());
            }
        }
    }

    /// Calls `each` with the names in an operation's attributes whose strings are symbol names,
    /// except for attributes in `seen`, which is extended. Linear in the number of attributes that
    /// are seen for the first time.
    pub(crate) fn each_declared(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        seen: &mut SeenEntries,
        mut each: impl FnMut(Identifier),
    ) {
        for key in context.symbol_references(module.name(operation)) {
            if let Some(value) = inherent(context, module, operation, key)
                && seen.insert(value.into())
            {
                let strings = self.strings_of(context, value);
                strings.iter().for_each(|&(name, _)| each(name));
            }
        }
    }

    /// Returns the symbol names that the strings of an attribute denote.
    fn strings_of(&mut self, context: &Context, value: Attribute) -> &[(Identifier, Attribute)] {
        let strings = self.strings.entry(value);
        strings.or_insert_with(|| strings_in(context, value).into())
    }

    /// Returns the table that has an attribute or type if it reaches no reference, and its index.
    fn plain(&mut self, entry: Entry) -> Option<(&mut IndexedMap<bool>, usize)> {
        match entry {
            Entry::Attribute(attribute) => Some((&mut self.plain_attributes, attribute.index())),
            Entry::Type(ty) => Some((&mut self.plain_types, ty.index())),
            Entry::Location(_) => None,
        }
    }

    /// Records the references that are reached from an attribute or type.
    fn look_at(&mut self, context: &Context, root: Entry) {
        let holders = &mut self.holders;
        self.walker
            .walk(context, root, WalkOrder::PostOrder, |entry| {
                let own = own_references(context, entry);
                let mut holds = !own.is_empty();
                context.for_each_child(entry, |child| holds |= holders.contains_key(&child));
                if holds {
                    holders.insert(entry, own.into());
                }
                WalkResult::Advance
            });
    }
}

/// Returns the strings that an attribute contains, each once. Linear in its entries.
fn strings_in(context: &Context, value: Attribute) -> Vec<(Identifier, Attribute)> {
    let mut strings = Vec::new();
    EntryWalker::new().walk(context, value, WalkOrder::PreOrder, |entry| {
        let Entry::Attribute(attribute) = entry else {
            return WalkResult::Skip;
        };
        if let Some(string) = context.string_literal(attribute) {
            strings.push((string, attribute));
        }
        WalkResult::Advance
    });
    strings
}

/// Returns the references that an entry contains directly.
fn own_references(context: &Context, entry: Entry) -> Vec<Box<[Identifier]>> {
    let body = match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::SymbolRef { root, nested } => {
                return vec![std::iter::once(root).chain(nested).copied().collect()];
            }
            AttributeKind::Dialect { body, .. } => body,
            _ => return Vec::new(),
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { body, .. } => body,
            _ => return Vec::new(),
        },
        Entry::Location(_) => return Vec::new(),
    };
    let mut references: Vec<Box<[Identifier]>> = Vec::new();
    let mut seen: HashSet<Box<[Identifier]>, RandomState> = HashSet::default();
    for piece in body.pieces() {
        if let BodyPiece::Text(text) = piece {
            for_each_symbol(text, |names| {
                // The names were interned with the entry.
                let known: Box<[Identifier]> = names
                    .iter()
                    .map_while(|(_, name)| context.find_identifier(name))
                    .collect();
                if !known.is_empty() && seen.insert(known.clone()) {
                    references.push(known);
                }
            });
        }
    }
    references
}

/// Returns the operations whose attributes belong to a scope; see [`Module::symbol_uses`].
fn scope_operations(context: &Context, module: &Module, scope: Operation) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut steps = module.traverse(scope);
    while let Some(step) = steps.next() {
        if let WalkStep::EnterOperation(operation) = step {
            let is_table =
                module.regions(operation).len() != 0 && module.is_symbol_table(context, operation);
            if operation != scope || !is_table {
                operations.push(operation);
            }
            if operation != scope && is_table {
                steps.skip_content();
            }
        }
    }
    operations
}

/// Returns the names of a symbol reference attribute.
pub(super) fn reference_path(
    context: &Context,
    attribute: Attribute,
) -> Option<(Identifier, &[Identifier])> {
    match context.attribute_kind(attribute) {
        AttributeKind::SymbolRef { root, nested } => Some((*root, nested)),
        _ => None,
    }
}
