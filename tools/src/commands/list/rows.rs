//! The rows that need the content of operations, from events.

use super::Row;
use crate::listed::{Entered, SymbolTracker};
use crate::signature::{Argument, FunctionFacts, Signature};
use rmlir::events::{BlockEvent, OperationEvent, ValueId, ValueMap, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, OperationName, WalkResult};
use rmlir::{SymbolPath, Type};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// Collects rows during a visit.
pub(super) struct Rows {
    signatures: bool,
    /// The number of the last operation that the predicate holds for, if there is a predicate.
    matched: Option<Rc<Cell<Option<u64>>>>,
    tracker: SymbolTracker,
    items: Vec<Item>,
    open: Vec<Open>,
    /// The number of open functions whose bodies are needed.
    bodies: usize,
    /// The types of the values that such functions may return.
    types: ValueMap<Type>,
}

/// An operation that gets a row.
struct Item {
    symbol: Option<usize>,
    number: u64,
    name: OperationName,
    operations: u64,
    function: Option<Function>,
}

/// A function whose signature is wanted.
struct Function {
    facts: FunctionFacts,
    needs_body: bool,
    /// The values that it returns.
    returned: Option<Vec<ValueId>>,
}

/// An operation that is not ended.
struct Open {
    item: Option<usize>,
    regions: u32,
    /// The operands of the last operation of the current block, if it returns.
    last: Option<Vec<ValueId>>,
}

impl Rows {
    pub(super) fn new(signatures: bool, matched: Option<Rc<Cell<Option<u64>>>>) -> Self {
        Rows {
            signatures,
            matched,
            tracker: SymbolTracker::default(),
            items: Vec::new(),
            open: Vec::new(),
            bodies: 0,
            types: ValueMap::default(),
        }
    }

    /// Returns the rows: the symbols, then the operations of the top that are not symbols. `bytes`
    /// has the size of an operation, by its number, and for a symbol by its path and its position
    /// in the list of all symbols.
    pub(super) fn finish(
        self,
        context: &Context,
        bytes: impl Fn(Option<(usize, &SymbolPath)>, u64) -> Option<u64>,
    ) -> Vec<Row> {
        let Rows {
            tracker,
            items,
            types,
            ..
        } = self;
        let paths = tracker.paths(context);
        let mut by_symbol: Vec<Option<Item>> = Vec::new();
        by_symbol.resize_with(paths.len(), || None);
        let mut others = Vec::new();
        for item in items {
            match item.symbol.and_then(|symbol| by_symbol.get_mut(symbol)) {
                Some(slot) => *slot = Some(item),
                None => others.push(item),
            }
        }
        let named = tracker.order().into_iter().enumerate();
        let named = named.filter_map(|(position, symbol)| {
            let item = by_symbol.get_mut(symbol)?.take()?;
            Some((Some(position), item))
        });
        let mut texts: HashMap<Type, String> = HashMap::new();
        let row = |(position, item): (Option<usize>, Item)| {
            let symbol = item.symbol.and_then(|at| tracker.symbols().get(at));
            let path = item.symbol.and_then(|at| paths.get(at));
            let signature = item.function.and_then(|f| f.signature(context, &types));
            Row {
                operation: context.operation_name_bytes(item.name).to_vec(),
                visibility: symbol.map(|symbol| symbol.visibility),
                bytes: bytes(position.zip(path), item.number),
                path: path.cloned(),
                operations: Some(item.operations),
                signature: signature.map(|signature| signature.line(context, &mut texts)),
            }
        };
        named
            .collect::<Vec<_>>()
            .into_iter()
            .chain(others.into_iter().map(|item| (None, item)))
            .map(row)
            .collect()
    }

    /// Returns the item that an operation gets.
    fn item(&mut self, event: &mut OperationEvent<'_>, entered: Entered) -> Result<Option<usize>> {
        let is_listed = entered.symbol.is_some() || entered.is_top_level;
        let matched = self.matched.as_ref();
        let is_matched = matched.is_none_or(|matched| matched.get() == Some(entered.number));
        if !is_listed || !is_matched {
            return Ok(None);
        }
        let function = match self.signatures {
            true => Function::of(event)?,
            false => None,
        };
        self.items.push(Item {
            symbol: entered.symbol,
            number: entered.number,
            name: event.name(),
            operations: 0,
            function,
        });
        Ok(Some(self.items.len() - 1))
    }

    /// Returns the function whose regions are visited.
    fn function(&mut self) -> Option<(&mut Function, &mut Open)> {
        let open = self.open.last_mut()?;
        let item = self.items.get_mut(open.item?)?;
        Some((item.function.as_mut()?, open))
    }

    /// Returns whether an item is a function whose body is needed.
    fn needs_body(&self, item: Option<usize>) -> bool {
        let function = item.and_then(|item| self.items.get(item)?.function.as_ref());
        function.is_some_and(|function| function.needs_body)
    }

    /// Returns whether a function may return the values that the current region defines: one that
    /// is open, or one that follows.
    fn needs_types(&self) -> bool {
        self.signatures && (self.bodies > 0 || self.tracker.is_in_table())
    }

    /// Ends a block.
    fn end_block(&mut self) {
        if let Some((function, open)) = self.function()
            && let Some(last) = open.last.take()
        {
            function.returned.get_or_insert(last);
        }
    }
}

impl Function {
    fn of(event: &mut OperationEvent<'_>) -> Result<Option<Self>> {
        let Some(function_type) = event.attribute("function_type")? else {
            return Ok(None);
        };
        Ok(Some(Function {
            needs_body: FunctionFacts::needs_body(event.context(), function_type),
            facts: FunctionFacts {
                function_type,
                // The line of a signature does not show attributes and names.
                port_attributes: [None; 2],
                arguments: None,
                returned: None,
            },
            returned: None,
        }))
    }

    fn signature(mut self, context: &Context, types: &ValueMap<Type>) -> Option<Signature> {
        let returned = self.returned.map(|values| {
            let types = values.into_iter().map(|value| types.get(value));
            types.collect::<Option<Vec<Type>>>()
        });
        self.facts.returned = returned.flatten();
        Signature::of_facts(context, self.facts)
    }
}

impl Visitor for Rows {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let needs_types = self.needs_types();
        let entered = self.tracker.operation(event)?;
        if needs_types {
            if let Some((function, open)) = self.function()
                && function.needs_body
            {
                let name = event.context().operation_name_bytes(event.name());
                let returns = memchr::memmem::find(name, b"return").is_some();
                open.last = returns.then(|| event.operands().to_vec());
            }
            if event.result_count() > 0 {
                let first = event.results().next();
                if let (1, Some(value), &[ty]) =
                    (event.result_count(), first, event.result_types()?)
                {
                    self.types.insert(value, ty);
                } else {
                    let values: Vec<ValueId> = event.results().collect();
                    for (value, &ty) in values.into_iter().zip(event.result_types()?) {
                        self.types.insert(value, ty);
                    }
                }
            }
        }
        let item = self.item(event, entered)?;
        self.bodies += usize::from(self.needs_body(item));
        self.open.push(Open {
            item,
            regions: 0,
            last: None,
        });
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        let (_, operations) = self.tracker.end_operation();
        let item = self.open.pop().and_then(|open| open.item);
        self.bodies = self
            .bodies
            .saturating_sub(usize::from(self.needs_body(item)));
        if let Some(item) = item.and_then(|item| self.items.get_mut(item)) {
            item.operations = operations;
        }
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.tracker.region(blocks);
        if let Some(open) = self.open.last_mut() {
            open.regions = open.regions.saturating_add(1);
        }
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        self.end_block();
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        if !self.signatures {
            return Ok(());
        }
        self.end_block();
        if self.needs_types() {
            let values: Vec<ValueId> = event.arguments().collect();
            for (value, &ty) in values.into_iter().zip(event.argument_types()?) {
                self.types.insert(value, ty);
            }
        }
        let types = event.argument_types()?;
        if let Some((function, open)) = self.function()
            && open.regions == 1
            && function.facts.arguments.is_none()
        {
            let argument = |&ty: &Type| Argument { ty, name: None };
            function.facts.arguments = Some(types.iter().map(argument).collect());
        }
        Ok(())
    }
}
