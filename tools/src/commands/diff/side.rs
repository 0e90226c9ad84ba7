//! One of the two modules of a comparison.

use super::lines::Line;
use crate::Failure;
use crate::commands::Loaded;
use crate::input::Input;
use crate::load::LoadOptions;
use rmlir::Form;
use rmlir::ir::{Context, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation, Step};
use rmlir::reader::lazy::{LazyFile, SymbolPath};
use std::collections::HashMap;

/// The fingerprints without locations that a file stores: of the module, and of symbols.
#[derive(Default)]
pub(super) struct Stored {
    pub(super) module: Option<Fingerprint>,
    symbols: HashMap<SymbolPath, Fingerprint>,
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
                symbols: HashMap::new(),
            };
            if stored.module.is_some() {
                for symbol in file.symbols()? {
                    let hash = file.fingerprint(&symbol)?;
                    stored.symbols.extend(hash.map(|hash| (symbol.path, hash)));
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
    unnamed: Vec<Operation>,
}

/// A module with the state for comparing it.
pub(super) struct Side<'s> {
    pub(super) context: &'s Context,
    pub(super) module: &'s Module,
    stored: Stored,
    fingerprinter: Fingerprinter<'s>,
    /// The fingerprinter that includes locations, created on first use.
    with_locations: Option<Fingerprinter<'s>>,
}

impl<'s> Side<'s> {
    pub(super) fn new(loaded: &'s Loaded, stored: Stored) -> Self {
        let options = FingerprintOptions { locations: false };
        Side {
            context: &loaded.context,
            module: &loaded.module,
            stored,
            fingerprinter: Fingerprinter::new(&loaded.context, &options),
            with_locations: None,
        }
    }

    pub(super) fn stored(&self, path: &SymbolPath) -> Option<Fingerprint> {
        self.stored.symbols.get(path).copied()
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

    /// Returns the lines of [`rest`](Self::rest).
    pub(super) fn lines_of_rest(&mut self, table: Operation, content: &Content<'_>) -> Vec<Line> {
        let head = self.fingerprinter.fingerprint_of_head(self.module, table);
        let mut lines = vec![Line::operation(head, table, 0)];
        for &operation in &content.unnamed {
            self.add_lines(operation, &mut lines);
        }
        lines
    }

    /// Returns an operation and everything nested in it, one line each.
    pub(super) fn lines(&mut self, operation: Operation) -> Vec<Line> {
        let mut lines = Vec::new();
        self.add_lines(operation, &mut lines);
        lines
    }

    fn add_lines(&mut self, operation: Operation, lines: &mut Vec<Line>) {
        let module = self.module;
        let mut depth = 0usize;
        for step in module.traverse(operation) {
            match step {
                Step::EnterOperation(operation) => {
                    let head = self.fingerprinter.fingerprint_of_head(module, operation);
                    lines.push(Line::operation(head, operation, depth));
                    depth += 1;
                }
                Step::LeaveOperation(_) => depth -= 1,
                Step::EnterBlock(block) if module.argument_count(block) > 0 => {
                    let arguments = self.fingerprinter.fingerprint_of_arguments(module, block);
                    lines.push(Line::block(arguments, block, depth));
                }
                _ => {}
            }
        }
    }
}
