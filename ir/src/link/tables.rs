//! Symbol tables that are joined: their symbols are one table.

use super::{LinkError, Linker, Place};
use crate::{Block, Identifier, Operation, OperationTraits, Value};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The symbols of tables to which those of others are added.
pub(super) type KnownTables =
    HashMap<Operation, HashMap<Identifier, Operation, RandomState>, RandomState>;

/// Two symbol tables that become one.
struct Pair {
    to: Operation,
    from: Operation,
    /// The names of the tables, from the outermost on.
    path: Vec<Identifier>,
}

/// The reason why two symbol tables cannot be joined.
struct Difference {
    message: String,
    note: &'static str,
    /// The names of the symbol, from the outermost table on.
    path: Vec<Identifier>,
}

impl Linker<'_> {
    pub(super) fn is_merged(&self, operation: Operation) -> bool {
        let definition = self
            .context
            .operation_definition(self.module.name(operation));
        definition.is_some_and(|definition| definition.is_merged_in(self.context.release()))
    }

    /// Returns whether two operations of one name can be excerpts of one symbol table: they differ
    /// at most in the operations of their block.
    pub(super) fn can_merge(&self, to: Operation, from: Operation) -> bool {
        let module = &self.module;
        let table = |operation| {
            let is_table = module.is_symbol_table(&self.context, operation)
                && module.operand_count(operation) == 0
                && module.result_count(operation) == 0;
            self.only_block(operation).filter(|_| is_table)
        };
        let types = |block| {
            module
                .arguments(block)
                .map(|(value, _)| module.value_type(value))
        };
        let has_same_arguments = |to, from| types(to).eq(types(from));
        module.name(to) == module.name(from)
            && module.attributes(to) == module.attributes(from)
            && module.properties(to) == module.properties(from)
            && table(to)
                .zip(table(from))
                .is_some_and(|(to, from)| has_same_arguments(to, from))
    }

    /// Returns the block of an operation that has one region with one block.
    fn only_block(&self, operation: Operation) -> Option<Block> {
        let mut regions = self.module.regions(operation);
        let (Some(region), None) = (regions.next(), regions.next()) else {
            return None;
        };
        let block = self.module.first_block(region)?;
        (self.module.last_block(region) == Some(block)).then_some(block)
    }

    /// Replaces values of an operation or block that is dropped by those of the equal one.
    fn replace_values(
        &mut self,
        from: impl IntoIterator<Item = Value>,
        to: impl IntoIterator<Item = Value>,
    ) {
        for (from, to) in from.into_iter().zip(to) {
            self.module.replace_all_uses(from, to);
        }
    }

    /// Moves the operations of the symbol table that one item is to the end of that of another,
    /// except for symbols that both have. Tables nested in both are joined in the same way.
    pub(super) fn merge_tables(&mut self, to: usize, from: usize) -> Result<(), LinkError> {
        let operation = |item: usize| self.items.get(item).map(|item| item.operation);
        let (Some(to_table), Some(from_table)) = (operation(to), operation(from)) else {
            return Ok(());
        };
        let name = self.module.symbol_name(&self.context, to_table);
        let mut open = vec![Pair {
            to: to_table,
            from: from_table,
            path: name.into_iter().collect(),
        }];
        while let Some(pair) = open.pop() {
            if let Err(difference) = self.merge_pair(&pair, &mut open) {
                return Err(self.different(&difference, from, to));
            }
        }
        Ok(())
    }

    fn merge_pair(&mut self, pair: &Pair, open: &mut Vec<Pair>) -> Result<(), Difference> {
        let block = |operation| {
            let region = self.module.region(operation, 0)?;
            self.module.first_block(region)
        };
        let (Some(target), Some(source)) = (block(pair.to), block(pair.from)) else {
            return Ok(());
        };
        self.collect_table(pair.to, target);
        let [from, to] = [source, target].map(|block| {
            let arguments = self.module.arguments(block);
            arguments.map(|(value, _)| value).collect::<Vec<_>>()
        });
        self.replace_values(from, to);
        let is_merged = self.is_merged(pair.to);
        let terminator = self.terminator(target);
        let operations: Vec<Operation> = self.module.operations(source).collect();
        for operation in operations {
            let name = self.module.symbol_name(&self.context, operation);
            let known = name.and_then(|name| {
                let known = self.tables.get(&pair.to)?.get(&name)?;
                Some((name, *known))
            });
            let Some((name, same)) = known else {
                let is_surplus = terminator.is_some() && Some(operation) == self.terminator(source);
                if !is_surplus {
                    self.module.detach_operation(operation);
                    let moved = match terminator {
                        Some(terminator) => self.module.insert_before(terminator, operation),
                        None => {
                            self.module.append_operation(target, operation);
                            Ok(())
                        }
                    };
                    debug_assert!(moved.is_ok(), "the terminator is in a block");
                    self.add_to_table(pair.to, name, operation);
                }
                continue;
            };
            let path = || pair.path.iter().copied().chain([name]).collect::<Vec<_>>();
            if (is_merged || self.options.dedupe) && self.is_equal(same, operation) {
                let [from, to] = [operation, same].map(|op| self.module.results(op));
                self.replace_values(from, to);
                continue;
            }
            if is_merged {
                return Err(self.nested_difference("differs from that of another module", path()));
            }
            if self.can_merge(same, operation) {
                open.push(Pair {
                    to: same,
                    from: operation,
                    path: path(),
                });
                continue;
            }
            let [old, new] =
                [same, operation].map(|op| self.module.is_declaration(&self.context, op));
            let (declared, defined) = match (old, new) {
                (_, true) => (operation, same),
                (true, false) => (same, operation),
                (false, false) => {
                    return Err(self.nested_difference("is defined in both modules", path()));
                }
            };
            let fits = self.check_types(declared, defined);
            fits.map_err(|(message, note)| Difference {
                message,
                note,
                path: path(),
            })?;
            if declared == same {
                self.module.detach_operation(operation);
                let moved = self.module.insert_before(same, operation);
                let erased = self.module.erase_operation(same);
                debug_assert!(moved.is_ok() && erased.is_ok(), "a symbol without results");
                self.add_to_table(pair.to, Some(name), operation);
            }
        }
        Ok(())
    }

    /// Records the symbols of a table to which those of others are added: once, so that many tables
    /// are joined in linear time.
    fn collect_table(&mut self, table: Operation, block: Block) {
        let (context, module) = (&self.context, &self.module);
        self.tables.entry(table).or_insert_with(|| {
            let symbols = module.operations(block);
            let named = symbols.filter_map(|op| Some((module.symbol_name(context, op)?, op)));
            named.collect()
        });
    }

    fn add_to_table(&mut self, table: Operation, name: Option<Identifier>, symbol: Operation) {
        if let (Some(table), Some(name)) = (self.tables.get_mut(&table), name) {
            table.insert(name, symbol);
        }
    }

    /// Returns the last operation of a block if it is a terminator.
    fn terminator(&self, block: Block) -> Option<Operation> {
        let last = self.module.last_operation(block)?;
        let traits = self.context.operation_traits(self.module.name(last));
        let is_terminator = traits.is_some_and(|all| all.contains(OperationTraits::TERMINATOR));
        is_terminator.then_some(last)
    }

    #[cold]
    fn nested_difference(&self, what: &str, path: Vec<Identifier>) -> Difference {
        let (table, name) = match path.as_slice() {
            [table @ .., name] => (table, self.context.str(*name).into_owned()),
            [] => (&[][..], String::new()),
        };
        let table: Vec<_> = table.iter().map(|&name| self.context.str(name)).collect();
        Difference {
            message: format!("symbol '{name}' in '{}' {what}", table.join("::")),
            note: "the other symbol is here",
            path,
        }
    }

    #[cold]
    fn different(&self, difference: &Difference, at: usize, other: usize) -> LinkError {
        let place = |item| self.nested_place(item, &difference.path);
        let (at, other) = (place(at), place(other));
        Self::clash_of_places(difference.message.clone(), at, other, difference.note)
    }

    /// Returns the symbol of an input to which a path leads, or the innermost table on it.
    #[cold]
    fn nested_place(&self, item: usize, path: &[Identifier]) -> Option<Place> {
        let item = self.items.get(item)?;
        let input = self.inputs.get(item.input)?;
        let mut operation = item.from;
        for &name in path.iter().skip(1) {
            let mut nested = input
                .module
                .regions(operation)
                .flat_map(|region| input.module.blocks(region))
                .flat_map(|block| input.module.operations(block));
            let name = self.context.bytes(name);
            let is_named = |op: &Operation| {
                let found = input.module.symbol_name(input.context, *op);
                found.is_some_and(|found| input.context.bytes(found) == name)
            };
            match nested.find(is_named) {
                Some(found) => operation = found,
                None => break,
            }
        }
        Some((item.input, operation))
    }
}
