//! The symbols of the inputs: declarations, definitions and equal ones.

use super::{Item, LinkError, Linker};
use crate::{Attribute, AttributeKind, Context, Identifier, Operation, OperationName};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The role of a symbol for other modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A reference to a definition outside.
    Declaration,
    /// A definition that only its own module sees.
    Local,
    /// Any other definition.
    Public,
}

/// A symbol of an input, or of a module that was split into several.
pub(super) struct Symbol {
    pub(super) name: Identifier,
    /// The input, or the module that was split.
    pub(super) scope: usize,
    pub(super) kind: Kind,
    /// The item that is the symbol.
    pub(super) item: usize,
    pub(super) new_name: Option<Identifier>,
    /// The equal local function of another module that takes its place, of the same name.
    pub(super) merged: Option<usize>,
}

/// The symbols of all inputs.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) all: Vec<Symbol>,
    /// By scope and name.
    index: HashMap<(usize, Identifier), usize, RandomState>,
    /// The names in the order in which they are first met, with their symbols.
    pub(super) by_name: Vec<(Identifier, Vec<usize>)>,
}

impl Symbols {
    /// Returns the number of the symbol of a name in a scope.
    pub(super) fn index_of(&self, scope: usize, name: Identifier) -> Option<usize> {
        self.index.get(&(scope, name)).copied()
    }

    /// Returns the symbol of a name in a scope.
    pub(super) fn get(&self, scope: usize, name: Identifier) -> Option<&Symbol> {
        self.all.get(*self.index.get(&(scope, name))?)
    }
}

impl Linker<'_> {
    /// Returns the scope of a name in an input: the input, or the module of which it is a part.
    pub(super) fn scope_of(&self, input: usize, name: Identifier) -> usize {
        match self.parts.get(input) {
            _ if self.options.one_scope => 0,
            Some(Some(part))
                if part.symbols.contains_key(&name) || part.references.contains_key(&name) =>
            {
                self.scopes.get(input).copied().unwrap_or(input)
            }
            _ => input,
        }
    }

    /// Joins the operations of each symbol.
    pub(super) fn collect_symbols(&mut self) -> Result<Symbols, LinkError> {
        let mut symbols = Symbols::default();
        let mut names: HashMap<Identifier, usize, RandomState> = HashMap::default();
        for number in 0..self.items.len() {
            let Some(item) = self.items.get(number) else {
                continue;
            };
            let (input, Some(name)) = (item.input, item.name) else {
                continue;
            };
            let operation = item.operation;
            let borrowed = match self.parts.get(input) {
                Some(Some(part)) => part.references.contains_key(&name),
                _ => self.options.one_scope && self.module.is_declaration(&self.context, operation),
            };
            let scope = self.scope_of(input, name);
            if let Some(item) = self.items.get_mut(number) {
                item.borrowed = borrowed;
            }
            let known = symbols.index.get(&(scope, name)).copied();
            if let Some(known) = known.and_then(|known| symbols.all.get_mut(known)) {
                let joined = self.join_items(known, number);
                self.keep(joined)?;
                continue;
            }
            let index = symbols.all.len();
            symbols.index.insert((scope, name), index);
            symbols.all.push(Symbol {
                name,
                scope,
                kind: Kind::Public,
                item: number,
                new_name: None,
                merged: None,
            });
            let at = *names.entry(name).or_insert(symbols.by_name.len());
            match symbols.by_name.get_mut(at) {
                Some((_, same)) => same.push(index),
                None => symbols.by_name.push((name, vec![index])),
            }
        }
        for symbol in &mut symbols.all {
            symbol.kind = self.kind_of(symbol.item);
        }
        Ok(symbols)
    }

    /// Decides between two operations of one symbol in one scope.
    fn join_items(&mut self, symbol: &mut Symbol, item: usize) -> Result<(), LinkError> {
        let (old, new) = (self.items.get(symbol.item), self.items.get(item));
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(());
        };
        let is_declaration =
            |item: &Item| self.module.is_declaration(&self.context, item.operation);
        let dropped = match (old.borrowed, new.borrowed) {
            // Some parts declare a symbol that others need a copy of.
            (true, true) if is_declaration(old) && !is_declaration(new) => {
                std::mem::replace(&mut symbol.item, item)
            }
            (_, true) => item,
            (true, false) => std::mem::replace(&mut symbol.item, item),
            (false, false) => {
                let of_pieces = self.options.one_scope && old.input != new.input;
                if of_pieces && self.can_merge(old.operation, new.operation) {
                    self.merge_tables(symbol.item, item)?;
                    self.drop_item(item);
                    return Ok(());
                }
                let is_possible = old.input != new.input && self.options.dedupe;
                let equal = match is_possible {
                    true => self.check_equal(old.operation, new.operation),
                    false => Err(String::new()),
                };
                if let Err(why) = equal {
                    return Err(self.redefinition(symbol.name, &why, item, symbol.item));
                }
                item
            }
        };
        // A copy whose type was changed does not fit either: its users have changed with it.
        self.check_declaration(dropped, symbol.item)?;
        if let Some(item) = self.items.get_mut(dropped) {
            item.kept = false;
        }
        Ok(())
    }

    fn kind_of(&mut self, item: usize) -> Kind {
        let Some(operation) = self.items.get(item).map(|item| item.operation) else {
            return Kind::Public;
        };
        let (rules, context) = (&mut self.rules, &mut self.context);
        if rules.is_local_definition(context, &self.module, operation) {
            return Kind::Local;
        }
        match self.module.is_declaration(&self.context, operation) {
            true => Kind::Declaration,
            false => Kind::Public,
        }
    }

    /// The error that a name has two definitions; `why` is the reason why one cannot be dropped.
    #[cold]
    pub(super) fn redefinition(
        &self,
        name: Identifier,
        why: &str,
        at: usize,
        other: usize,
    ) -> LinkError {
        let name = self.context.str(name);
        let why = match why {
            "" => String::new(),
            why => format!(", and the definitions are not equal: {why}"),
        };
        let message = format!("redefinition of symbol named '{name}'{why}");
        self.clash(message, at, other, "the other definition is here")
    }

    /// Checks that a declaration fits the definition, or another declaration, that takes its place.
    pub(super) fn check_declaration(
        &mut self,
        declaration: usize,
        definition: usize,
    ) -> Result<(), LinkError> {
        let declared = self.items.get(declaration).map(|item| item.operation);
        let defined = self.items.get(definition).map(|item| item.operation);
        let (Some(declared), Some(defined)) = (declared, defined) else {
            return Ok(());
        };
        if self.module.name(declared) != self.module.name(defined) {
            self.replaced.push(definition);
        }
        self.check_types(declared, defined)
            .map_err(|(message, note)| self.clash(message, declaration, definition, note))
    }

    /// Checks that a declaration matches the definition that replaces it.
    ///
    /// # Errors
    ///
    /// The message, and the note on the other operation.
    pub(super) fn check_types(
        &mut self,
        declared: Operation,
        defined: Operation,
    ) -> Result<(), (String, &'static str)> {
        let name = self.module.symbol_name(&self.context, declared);
        let symbol = name.map(|name| self.context.str(name).into_owned());
        let symbol = symbol.unwrap_or_default();
        let note = match self.module.is_declaration(&self.context, defined) {
            true => "the other declaration is here",
            false => "the definition is here",
        };
        // A weak definition that a stronger one replaces.
        let is_definition = !self.module.is_declaration(&self.context, declared);
        let names = (self.module.name(declared), self.module.name(defined));
        if names.0 != names.1
            && self.rules.declaring_name(&mut self.context, names.1) != Some(names.0)
        {
            if !is_definition && self.resolves(names.1, names.0) {
                return Ok(());
            }
            let [declared, defined] = [names.0, names.1]
                .map(|name| String::from_utf8_lossy(self.context.operation_name_bytes(name)));
            let message = match is_definition {
                true => format!("symbol '{symbol}' is a '{declared}', and a '{defined}' elsewhere"),
                false => format!(
                    "symbol '{symbol}' is declared by '{declared}', and is a '{defined}' elsewhere"
                ),
            };
            return Err((message, note));
        }
        // The array that it declares is part of one that is longer.
        if self.is_appended(defined) {
            return Ok(());
        }
        let Some(attribute) = self.different_type(declared, defined) else {
            return Ok(());
        };
        let value = |operation| {
            let found = self.module.attribute(&self.context, operation, &attribute);
            found.map_or("nothing".to_owned(), |a| {
                self.context.attribute_to_string(a)
            })
        };
        let what = match is_definition {
            true => "definition",
            false => "declaration",
        };
        let message = format!(
            "{what} of symbol '{symbol}' does not match: '{attribute}' is {}, and {} elsewhere",
            value(declared),
            value(defined)
        );
        Err((message, note))
    }

    /// Returns whether an operation resolves declarations by another one, of any type.
    fn resolves(&self, definition: OperationName, declaration: OperationName) -> bool {
        let context = &self.context;
        let known = context.operation_definition(definition);
        let dialect = context.operation_dialect(declaration);
        let mnemonic = context.operation_name_bytes(declaration);
        let mnemonic = mnemonic.strip_prefix(context.bytes(dialect));
        let mnemonic = mnemonic.and_then(|rest| rest.strip_prefix(b"."));
        dialect == context.operation_dialect(definition)
            && known
                .zip(mnemonic)
                .is_some_and(|(known, mnemonic)| known.resolves_in(context.release(), mnemonic))
    }

    /// Returns the name of an attribute that a declaration and a definition must share and do not.
    fn different_type(&self, declared: Operation, defined: Operation) -> Option<String> {
        let (context, module) = (&self.context, &self.module);
        let definition = context.operation_definition(module.name(defined));
        let definition = definition.and_then(|d| d.declaration_in(context.release()));
        let matching = definition
            .map(|d| d.matching.as_slice())
            .unwrap_or_default();
        let differs = |name: &[u8]| {
            module.attribute(context, declared, name) != module.attribute(context, defined, name)
        };
        if let Some(name) = matching.iter().find(|name| differs(name.as_bytes())) {
            return Some(name.clone().into_owned());
        }
        let of = |operation| module.inherent_attributes(context, operation).iter();
        of(declared)
            .chain(of(defined))
            .filter(|&&(name, value)| holds_type(context, name, value))
            .find(|&&(name, _)| differs(context.bytes(name)))
            .map(|&(name, _)| context.str(name).into_owned())
    }
}

/// Returns whether an attribute of a symbol is its type.
fn holds_type(context: &Context, name: Identifier, value: Attribute) -> bool {
    match context.attribute_kind(value) {
        AttributeKind::Type(_) => true,
        // A type in an attribute of a dialect, as VHLO has it.
        AttributeKind::Dialect { .. } => context.bytes(name) == b"function_type",
        _ => false,
    }
}
