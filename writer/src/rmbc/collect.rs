//! The first pass over a module: numbers of values and blocks, and references to tables.

use super::encoder::Encoder;
use super::templates::Templates;
use super::walk::Visitor;
use crate::numbers::{Numbers, next};
use crate::use_order::UseOrderWatch;
use rmlir_format::Result;
use rmlir_format::rmbc::references::{NO_REFERENCES, References};
use rmlir_ir::{Block, Identifier, Module, Operation, Region, Value};

/// A named operation that a reader can read without the surrounding operations.
pub(super) struct Symbol {
    /// The number in the order of writing.
    pub(super) operation: u32,
    pub(super) name: Identifier,
    pub(super) handle: Operation,
    /// Whether nothing in it refers to values outside.
    pub(super) contained: bool,
    /// The symbol references in it that are in no nested contained symbol; not sorted, with
    /// duplicates. `None` if an attribute has too many.
    pub(super) references: Option<Vec<u32>>,
}

impl Symbol {
    fn refer(&mut self, references: Option<&[u32]>) {
        match (references, &mut self.references) {
            (Some(new), Some(all)) => all.extend_from_slice(new),
            _ => self.references = None,
        }
    }
}

/// A symbol that was entered, but not left.
struct Open {
    symbol: usize,
    operation: Operation,
    /// The first number of a value in it.
    first: u32,
    /// The least number of a value that is used in it.
    least: u32,
    /// Values that are used in it and did not have a number at that point.
    forward: Vec<Value>,
}

/// Numbers by position in the order of writing, and totals.
pub(super) struct Collector<'e, 'c, 'm> {
    encoder: &'e mut Encoder<'c>,
    module: &'m Module,
    locations: bool,
    symbol_name: Option<Identifier>,
    pub(super) templates: Templates,
    pub(super) totals: Totals,
    value_numbers: Numbers,
    block_numbers: Numbers,
    /// By block: its position in its region.
    positions: Numbers,
    /// By block: its number of operations.
    lengths: Vec<u32>,
    pub(super) symbols: Vec<Symbol>,
    open: Vec<Open>,
    /// Open operations with regions.
    around: Vec<Around>,
    /// The operations directly in open ones, outermost first.
    children: Vec<Child>,
    large: Vec<Large>,
    /// The maximum number of operations of one that is not large.
    undivided: u32,
    uses: UseOrderWatch,
}

/// An open operation with regions.
struct Around {
    number: u32,
    /// The number of symbols before it.
    symbols: usize,
    /// The start of the operations in it in [`Collector::children`].
    children: usize,
}

/// An operation directly in another one.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// The number of operations in it, itself included.
    pub(super) size: u32,
    pub(super) is_large: bool,
}

/// An operation that contains symbols and more than [`undivided`](Collector::undivided) operations.
pub(super) struct Large {
    /// The number in the order of writing.
    pub(super) number: u32,
    /// The operations directly in it, which the second pass would have to load from memory before
    /// it writes them.
    pub(super) children: Vec<Child>,
}

/// The result of the first pass over a module.
pub(super) struct Collected {
    pub(super) numbering: Numbering,
    pub(super) templates: Templates,
    pub(super) totals: Totals,
    pub(super) symbols: Vec<Symbol>,
    /// Operations that contain symbols and many operations, ascending.
    pub(super) large: Vec<Large>,
    /// Values that do not have the default use-list order.
    pub(super) unusual: Vec<Value>,
}

/// The number of items of each sort.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) operations: u32,
    pub(super) regions: u32,
    pub(super) blocks: u32,
    pub(super) values: u32,
    pub(super) operands: u32,
}

/// The numbers of values and blocks, by position in the order of writing.
pub(super) struct Numbering {
    value_numbers: Numbers,
    block_numbers: Numbers,
    positions: Numbers,
    lengths: Vec<u32>,
}

impl Numbering {
    /// Returns the number of operations of a block.
    pub(super) fn block_length(&self, block: Block) -> u32 {
        let length = self.lengths.get(block.index()).copied();
        debug_assert!(length.is_some(), "{block:?} was not counted");
        length.unwrap_or_default()
    }

    /// Returns the number of a value; `None` if it is not defined in the module.
    #[inline]
    pub(super) fn value(&self, value: Value) -> Option<u32> {
        self.value_numbers.get(value.index())
    }

    /// Returns the number of a block; `None` if it is not in the module.
    pub(super) fn block(&self, block: Block) -> Option<u32> {
        self.block_numbers.get(block.index())
    }

    /// Returns the position of a block in its region.
    pub(super) fn position(&self, block: Block) -> Option<u32> {
        self.positions.get(block.index())
    }
}

impl<'e, 'c, 'm> Collector<'e, 'c, 'm> {
    pub(super) fn new(
        encoder: &'e mut Encoder<'c>,
        module: &'m Module,
        locations: bool,
        symbols: bool,
        undivided: u32,
    ) -> Self {
        let context = encoder.context;
        let symbol_name = context.find_identifier("sym_name");
        Collector {
            encoder,
            module,
            locations,
            symbol_name: symbol_name.filter(|_| symbols),
            templates: Templates::new(context, module.operation_slots()),
            totals: Totals::default(),
            value_numbers: Numbers::with_len(module.value_slots()),
            block_numbers: Numbers::with_len(module.block_slots()),
            positions: Numbers::with_len(module.block_slots()),
            lengths: vec![0; module.block_slots()],
            symbols: Vec::new(),
            open: Vec::new(),
            around: Vec::new(),
            children: Vec::new(),
            large: Vec::new(),
            undivided,
            uses: UseOrderWatch::new(module),
        }
    }

    pub(super) fn finish(mut self) -> Collected {
        self.large.sort_unstable_by_key(|large| large.number);
        let numbering = Numbering {
            value_numbers: self.value_numbers,
            block_numbers: self.block_numbers,
            positions: self.positions,
            lengths: self.lengths,
        };
        Collected {
            numbering,
            templates: self.templates,
            totals: self.totals,
            symbols: self.symbols,
            large: self.large,
            unusual: self.uses.finish(),
        }
    }

    fn define(&mut self, value: Value) -> Result<()> {
        self.value_numbers.set(value.index(), self.totals.values);
        self.totals.values = next(self.totals.values)?;
        Ok(())
    }

    /// Adds symbol references of an operation, which is the last symbol itself or not, to the
    /// innermost symbol.
    fn refer(&mut self, references: References, is_symbol: bool) {
        let symbol = match is_symbol {
            true => self.symbols.last_mut(),
            false => {
                let open = self.open.last();
                open.and_then(|open| self.symbols.get_mut(open.symbol))
            }
        };
        if let Some(symbol) = symbol {
            symbol.refer(self.encoder.entries.references(references));
        }
    }

    /// Records the operands: values used in the innermost symbol, and the orders of uses.
    #[inline]
    fn note_uses(&mut self, operation: Operation) {
        let module = self.module;
        let mut open = self.open.last_mut();
        for (operand, value) in module.operand_uses(operation) {
            if let Some(open) = &mut open {
                match self.value_numbers.get(value.index()) {
                    Some(number) => open.least = open.least.min(number),
                    None => open.forward.push(value),
                }
            }
            self.uses.operand(module, operand, value);
        }
    }
}

impl Visitor for Collector<'_, '_, '_> {
    fn operation(&mut self, operation: Operation) -> Result<()> {
        let module = self.module;
        let numbers = &self.value_numbers;
        let is_defined = |value: Value| numbers.get(value.index()).is_some();
        let (symbol, references) = self.templates.collect(
            self.encoder,
            module,
            operation,
            is_defined,
            self.symbol_name,
        )?;
        if self.locations {
            self.encoder.collect_location(module.location(operation))?;
        }
        let block = module.parent_block(operation);
        if let Some(length) = block.and_then(|block| self.lengths.get_mut(block.index())) {
            *length = length.saturating_add(1);
        }
        let leaf = module.region_count(operation) == 0;
        if let Some(name) = symbol.filter(|_| block.is_some()) {
            if !leaf {
                self.open.push(Open {
                    symbol: self.symbols.len(),
                    operation,
                    first: self.totals.values,
                    least: u32::MAX,
                    forward: Vec::new(),
                });
            }
            self.symbols.push(Symbol {
                operation: self.totals.operations,
                name,
                handle: operation,
                contained: leaf,
                references: Some(Vec::new()),
            });
        }
        if references != NO_REFERENCES && self.symbol_name.is_some() {
            self.refer(references, symbol.is_some() && block.is_some());
        }
        if !leaf {
            self.around.push(Around {
                number: self.totals.operations,
                symbols: self.symbols.len(),
                children: self.children.len(),
            });
        } else if self.symbol_name.is_some() {
            self.children.push(Child {
                size: 1,
                is_large: false,
            });
        }
        self.totals.operations = next(self.totals.operations)?;
        let operands = module.operand_count(operation) as u32;
        self.totals.operands = self.totals.operands.saturating_add(operands);
        for value in module.results(operation) {
            self.define(value)?;
        }
        self.note_uses(operation);
        Ok(())
    }

    fn region(&mut self, region: Region) -> Result<()> {
        self.totals.regions = next(self.totals.regions)?;
        let mut position = 0;
        for block in self.module.blocks(region) {
            self.positions.set(block.index(), position);
            position = next(position)?;
        }
        Ok(())
    }

    fn block(&mut self, block: Block) -> Result<()> {
        self.block_numbers.set(block.index(), self.totals.blocks);
        self.totals.blocks = next(self.totals.blocks)?;
        let module = self.module;
        if module.argument_count(block) == 0 {
            return Ok(());
        }
        let types = module.arguments(block);
        let types = types.map(|(value, _)| module.value_type(value));
        let references = self.templates.collect_arguments(self.encoder, types)?;
        if references != NO_REFERENCES {
            self.refer(references, false);
        }
        for (value, location) in module.arguments(block) {
            self.define(value)?;
            if self.locations {
                self.encoder.collect_location(location)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, operation: Operation) -> Result<()> {
        if let Some(around) = self.around.pop()
            && self.symbol_name.is_some()
        {
            let size = self.totals.operations - around.number;
            let is_large = self.symbols.len() > around.symbols && size > self.undivided;
            if is_large {
                self.large.push(Large {
                    number: around.number,
                    children: self.children.drain(around.children..).collect(),
                });
            }
            self.children.truncate(around.children);
            self.children.push(Child { size, is_large });
        }
        if self
            .open
            .last()
            .is_none_or(|open| open.operation != operation)
        {
            return Ok(());
        }
        let Some(mut left) = self.open.pop() else {
            return Ok(());
        };
        // Values that have a number now got it inside, or were counted before.
        left.forward
            .retain(|value| self.value_numbers.get(value.index()).is_none());
        let contained = left.least >= left.first && left.forward.is_empty();
        self.symbols[left.symbol].contained = contained;
        if !contained && let Some(around) = self.open.last() {
            let references = self.symbols[left.symbol].references.take();
            self.symbols[around.symbol].refer(references.as_deref());
        }
        if let Some(around) = self.open.last_mut() {
            around.least = around.least.min(left.least);
            around.forward.append(&mut left.forward);
        }
        Ok(())
    }
}
