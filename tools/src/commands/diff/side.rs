//! One of the two modules of a comparison.

use super::operations::{Item, What};
use crate::Failure;
use crate::commands::Loaded;
use crate::input::Input;
use crate::load::LoadOptions;
use rmlir::Form;
use rmlir::ir::{
    Context, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation, WalkStep,
};
use rmlir::reader::lazy::{LazyFile, SymbolPath, SymbolPathMap};
use std::cell::OnceCell;
use std::collections::HashMap;

/// The fingerprints without locations that a file stores: of the module, and of symbols.
#[derive(Default)]
pub(super) struct Stored {
    pub(super) module: Option<Fingerprint>,
    symbols: SymbolPathMap<Fingerprint>,
}

impl Stored {
    pub(super) fn read(load: &LoadOptions, input: &Input) -> Result<Self, Failure> {
        if input.form() != Form::Rmbc {
            return Ok(Stored::default());
        }
        let Some(file) = load.open(input)? else {
            return Ok(Stored::default());
        };
        let Some(file) = file.as_rmbc() else {
            return Ok(Stored::default());
        };
        let read = || {
            let mut stored = Stored {
                module: file.module_fingerprint()?,
                symbols: SymbolPathMap::default(),
            };
            if stored.module.is_some() {
                for symbol in file.symbols()? {
                    if let Some(hash) = file.fingerprint(&symbol)? {
                        *stored.symbols.entry(&symbol.path) = Some(hash);
                    }
                }
            }
            Ok::<_, rmlir::Error>(stored)
        };
        read().map_err(|e| input.failure(e))
    }
}

/// The direct content of a symbol table.
#[derive(Default)]
pub(super) struct Content<'s> {
    /// The first symbol of each name, with its position in `order`.
    pub(super) symbols: HashMap<&'s [u8], (usize, Operation)>,
    /// The names of the operations in file order; `None` for unnamed ones.
    pub(super) order: Vec<Option<&'s [u8]>>,
    /// The unnamed operations, and the symbols whose name an earlier one has.
    pub(super) unnamed: Vec<Operation>,
}

/// A module with the state for comparing it.
pub(super) struct Side<'s> {
    pub(super) context: &'s Context,
    pub(super) module: &'s Module,
    /// The size of the input in bytes.
    pub(super) input_len: u64,
    stored: Stored,
    fingerprinter: Fingerprinter<'s>,
    /// The fingerprinter that includes locations, created on first use.
    with_locations: Option<Fingerprinter<'s>>,
    /// The numbers of operations in symbols, counted on first use.
    counts: OnceCell<HashMap<Operation, usize>>,
}

impl<'s> Side<'s> {
    pub(super) fn new(loaded: &'s Loaded, stored: Stored) -> Self {
        let options = FingerprintOptions { locations: false };
        Side {
            context: &loaded.context,
            module: &loaded.module,
            input_len: loaded.input.byte_len(),
            stored,
            fingerprinter: Fingerprinter::new(&loaded.context, &options),
            with_locations: None,
            counts: OnceCell::new(),
        }
    }

    pub(super) fn stored(&mut self, path: &SymbolPath) -> Option<Fingerprint> {
        *self.stored.symbols.entry(path)
    }

    pub(super) fn fingerprint(&mut self, operation: Operation, locations: bool) -> Fingerprint {
        if !locations {
            return self.fingerprinter.fingerprint(self.module, operation);
        }
        let context = self.context;
        let options = FingerprintOptions { locations };
        let fingerprinter = self
            .with_locations
            .get_or_insert_with(|| Fingerprinter::new(context, &options));
        fingerprinter.fingerprint(self.module, operation)
    }

    pub(super) fn is_table(&self, operation: Operation) -> bool {
        self.module.is_symbol_table(self.context, operation)
    }

    /// Returns the number of operations in an operation, itself included. All symbols together take
    /// linear time, however deeply they are nested.
    pub(super) fn operation_count(&self, operation: Operation) -> usize {
        let counts = self.counts.get_or_init(|| self.symbol_counts());
        let count = || self.module.descendants(operation).count();
        counts.get(&operation).copied().unwrap_or_else(count)
    }

    fn symbol_counts(&self) -> HashMap<Operation, usize> {
        let mut counts = HashMap::new();
        let (mut count, mut open) = (0usize, Vec::new());
        for step in self.module.traverse(self.module.top()) {
            match step {
                WalkStep::EnterOperation(_) => {
                    open.push(count);
                    count += 1;
                }
                WalkStep::LeaveOperation(operation) => {
                    let before = open.pop().unwrap_or(count);
                    if self.module.symbol_name(self.context, operation).is_some() {
                        counts.insert(operation, count - before);
                    }
                }
                _ => {}
            }
        }
        counts
    }

    /// Returns the direct content of a symbol table.
    pub(super) fn content(&self, table: Operation) -> Content<'s> {
        let mut content = Content::default();
        let blocks = self.module.regions(table);
        for block in blocks.flat_map(|region| self.module.blocks(region)) {
            for operation in self.module.operations(block) {
                let name = self.module.symbol_name(self.context, operation);
                let name = name.map(|name| self.context.bytes(name));
                let name = name.filter(|name| !content.symbols.contains_key(name));
                match name {
                    Some(name) => {
                        let position = content.order.len();
                        content.symbols.insert(name, (position, operation));
                    }
                    None => content.unnamed.push(operation),
                }
                content.order.push(name);
            }
        }
        content
    }

    /// Returns the fingerprints of the rest of a symbol table: of the operation itself, and of its
    /// unnamed operations with everything nested in them.
    pub(super) fn rest(&mut self, table: Operation, content: &Content<'_>) -> Vec<Fingerprint> {
        let head = self.fingerprinter.fingerprint_of_head(self.module, table);
        let mut rest = vec![head];
        for &operation in &content.unnamed {
            rest.push(self.fingerprinter.fingerprint(self.module, operation));
        }
        rest
    }

    /// Returns the items of [`rest`](Self::rest).
    pub(super) fn items_of_rest(&mut self, table: Operation, content: &Content<'_>) -> Vec<Item> {
        let head = self.fingerprinter.fingerprint_of_head(self.module, table);
        let mut items = vec![Item::new(head, What::Operation(table), 0)];
        for &operation in &content.unnamed {
            self.add_items(operation, &mut items);
        }
        items
    }

    /// Returns the operations and block arguments in an operation, itself first.
    pub(super) fn items(&mut self, operation: Operation) -> Vec<Item> {
        let mut items = Vec::new();
        self.add_items(operation, &mut items);
        items
    }

    fn add_items(&mut self, operation: Operation, items: &mut Vec<Item>) {
        let module = self.module;
        let mut depth = 0usize;
        for step in module.traverse(operation) {
            match step {
                WalkStep::EnterOperation(operation) => {
                    let head = self.fingerprinter.fingerprint_of_head(module, operation);
                    items.push(Item::new(head, What::Operation(operation), depth));
                    depth += 1;
                }
                WalkStep::LeaveOperation(_) => depth -= 1,
                WalkStep::EnterBlock(block) if module.argument_count(block) > 0 => {
                    let arguments = self.fingerprinter.fingerprint_of_arguments(module, block);
                    items.push(Item::new(arguments, What::Block(block), depth));
                }
                _ => {}
            }
        }
    }
}
