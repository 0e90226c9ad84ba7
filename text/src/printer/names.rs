//! The names of values and blocks: `%0`, `%arg0`, `^bb1`.

use rmlir_ir::{Block, Module, Operation, Region, Value};

/// Set for arguments of entry blocks, which are called `%argN`.
const ARGUMENT: u32 = 1 << 31;
/// A value without a name, which is not in what is printed.
const UNNAMED: u32 = u32::MAX;

/// The names of all values and blocks in an operation.
pub(super) struct Names {
    /// By value.
    values: Vec<u32>,
    /// By block: its number in its region.
    blocks: Vec<u32>,
    next_value: u32,
    next_argument: u32,
}

/// How a value is called.
pub(super) enum ValueName {
    /// `%N`.
    Number(u32),
    /// `%argN`.
    Argument(u32),
    /// It is defined outside of what is printed.
    Unknown,
}

impl Names {
    /// Numbers what is in `operation`.
    ///
    /// The order is upstream's: a region is numbered with its operations' results but without their
    /// regions, which come later, the last first. In custom form each region goes on from the
    /// numbers of the region around it; in generic form no number is used twice.
    pub(super) fn new(module: &Module, operation: Operation, generic: bool) -> Self {
        let mut names = Names {
            values: vec![UNNAMED; module.value_slots()],
            blocks: vec![0; module.block_slots()],
            next_value: 0,
            next_argument: 0,
        };
        names.results(module, operation);
        let mut stack: Vec<(Region, u32, u32)> = Vec::new();
        let push = |stack: &mut Vec<_>, names: &Names, operation| {
            for region in module.regions(operation) {
                stack.push((region, names.next_value, names.next_argument));
            }
        };
        push(&mut stack, &names, operation);
        while let Some((region, next_value, next_argument)) = stack.pop() {
            if !generic {
                names.next_value = next_value;
                names.next_argument = next_argument;
            }
            names.region(module, region);
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    push(&mut stack, &names, operation);
                }
            }
        }
        names
    }

    fn region(&mut self, module: &Module, region: Region) {
        for (number, block) in module.blocks(region).enumerate() {
            if let Some(slot) = self.blocks.get_mut(block.index()) {
                *slot = number as u32;
            }
            for (argument, _) in module.arguments(block) {
                let name = if number == 0 {
                    let name = self.next_argument | ARGUMENT;
                    self.next_argument = self.next_argument.wrapping_add(1);
                    name
                } else {
                    self.next()
                };
                self.set(argument, name);
            }
            for operation in module.operations(block) {
                self.results(module, operation);
            }
        }
    }

    /// One number stands for all results of an operation.
    fn results(&mut self, module: &Module, operation: Operation) {
        let mut results = module.results(operation);
        if let Some(first) = results.next() {
            let name = self.next();
            self.set(first, name);
            results.for_each(|result| self.set(result, name));
        }
    }

    fn next(&mut self) -> u32 {
        let name = self.next_value;
        self.next_value = name.wrapping_add(1);
        name
    }

    fn set(&mut self, value: Value, name: u32) {
        if let Some(slot) = self.values.get_mut(value.index()) {
            *slot = name;
        }
    }

    /// How a value is called.
    #[inline]
    pub(super) fn value(&self, value: Value) -> ValueName {
        match self.values.get(value.index()) {
            None | Some(&UNNAMED) => ValueName::Unknown,
            Some(&name) if name & ARGUMENT != 0 => ValueName::Argument(name & !ARGUMENT),
            Some(&name) => ValueName::Number(name),
        }
    }

    /// The number of a block in its region.
    pub(super) fn block(&self, block: Block) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or(0)
    }
}
