//! The symbols of a module, from its events.

use crate::symbols::SharedNames;
use rmlir::SymbolPath;
use rmlir::events::{OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, Identifier, OperationName, OperationTraits, Visibility, WalkResult};
use std::cell::RefCell;

/// A symbol that was visited.
#[derive(Clone, Copy, Debug)]
pub struct ListedSymbol {
    /// The name.
    pub name: Identifier,
    /// The number of the enclosing symbol, which is lower; `None` at the top.
    pub parent: Option<usize>,
    /// The number of the operation, in the order of the events.
    pub operation: u64,
    /// The name of the operation.
    pub operation_name: OperationName,
    /// The visibility.
    pub visibility: Visibility,
}

/// Tells which operations of a visit are symbols, by the rules of
/// [`nested_symbols`](rmlir::ir::nested_symbols). A visitor passes its events on.
#[derive(Debug, Default)]
pub struct SymbolTracker {
    symbols: Vec<ListedSymbol>,
    open: Vec<Open>,
    next: u64,
}

/// An operation that is not ended.
#[derive(Debug)]
struct Open {
    number: u64,
    /// The innermost symbol that it is or that is around it.
    symbol: Option<usize>,
    table: Table,
    /// Whether the operations directly in the current region may be symbols.
    is_followed: bool,
}

/// Whether the symbols directly in an operation are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Table {
    Yes,
    No,
    /// An operation without a known definition is a symbol table if it looks like one: symbols are
    /// in its only block.
    IfOneBlock,
}

/// An operation that a [`SymbolTracker`] entered.
#[derive(Clone, Copy, Debug)]
pub struct Entered {
    /// The number of the operation, in the order of the events.
    pub number: u64,
    /// The number of the symbol that it is.
    pub symbol: Option<usize>,
    /// Whether it is directly in the top-level operation.
    pub is_top_level: bool,
}

impl SymbolTracker {
    /// Enters an operation.
    ///
    /// # Errors
    ///
    /// Those of [`OperationEvent::attributes`].
    pub fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<Entered> {
        let number = self.next;
        self.next += 1;
        let parent = self.open.last();
        let around = parent.and_then(|parent| parent.symbol);
        let name = match parent {
            Some(parent) if parent.is_followed => event.symbol_name()?,
            _ => None,
        };
        let mut symbol = None;
        let mut table = Table::No;
        if let Some(name) = name {
            symbol = Some(self.symbols.len());
            table = Table::of(event);
            self.symbols.push(ListedSymbol {
                name,
                parent: around,
                operation: number,
                operation_name: event.name(),
                visibility: event.symbol_visibility()?,
            });
        } else if self.open.is_empty() {
            table = Table::Yes;
        }
        let is_top_level = self.open.len() == 1;
        self.open.push(Open {
            number,
            symbol: symbol.or(around),
            table,
            is_followed: false,
        });
        Ok(Entered {
            number,
            symbol,
            is_top_level,
        })
    }

    /// Ends an operation. Returns its number, and the number of operations in it, itself included.
    pub fn end_operation(&mut self) -> (u64, u64) {
        let number = self.open.pop().map_or(0, |open| open.number);
        (number, self.next.saturating_sub(number))
    }

    /// Returns the number of the innermost symbol that the current operation is or is in.
    pub fn innermost(&self) -> Option<usize> {
        self.open.last().and_then(|open| open.symbol)
    }

    /// Returns whether the operations directly in the current region may be symbols. In any other
    /// region there are none.
    pub fn is_in_table(&self) -> bool {
        self.open.last().is_none_or(|open| open.is_followed)
    }

    /// Begins a region.
    pub fn region(&mut self, blocks: u64) {
        if let Some(open) = self.open.last_mut() {
            open.is_followed = match open.table {
                Table::Yes => true,
                Table::No => false,
                Table::IfOneBlock => blocks == 1,
            };
        }
    }

    /// Returns the symbols in the order of the events, each after the one around it.
    pub fn symbols(&self) -> &[ListedSymbol] {
        &self.symbols
    }

    /// Returns the numbers of the symbols in the order of
    /// [`nested_symbols`](rmlir::ir::nested_symbols): those of a table follow those of the table
    /// around it. Linear in the symbols.
    pub fn order(&self) -> Vec<usize> {
        let mut inner: Vec<Vec<usize>> = vec![Vec::new(); self.symbols.len()];
        let mut top = Vec::new();
        for (number, symbol) in self.symbols.iter().enumerate() {
            let list = symbol.parent.and_then(|parent| inner.get_mut(parent));
            list.unwrap_or(&mut top).push(number);
        }
        let mut order = Vec::with_capacity(self.symbols.len());
        let mut open = vec![top];
        while let Some(symbols) = open.pop() {
            let tables = symbols.iter().rev();
            let tables = tables.filter_map(|&symbol| inner.get_mut(symbol).map(std::mem::take));
            open.extend(tables.filter(|table| !table.is_empty()));
            order.extend(symbols);
        }
        order
    }

    /// Returns the paths of the symbols, by number.
    pub fn paths(&self, context: &Context) -> Vec<SymbolPath> {
        let mut paths: Vec<SymbolPath> = Vec::with_capacity(self.symbols.len());
        let top = SymbolPath::default();
        let mut names = SharedNames::new(context);
        for symbol in &self.symbols {
            let around = symbol.parent.and_then(|parent| paths.get(parent));
            let path = around.unwrap_or(&top);
            paths.push(path.child(names.get(symbol.name)));
        }
        paths
    }
}

/// A tracker that another visitor looks at during the visit, in [`Both`](crate::both::Both).
pub struct SharedTracker<'t>(pub &'t RefCell<SymbolTracker>);

impl Visitor for SharedTracker<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        self.0.borrow_mut().operation(event)?;
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.0.borrow_mut().end_operation();
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.0.borrow_mut().region(blocks);
        Ok(())
    }
}

impl Table {
    fn of(event: &OperationEvent<'_>) -> Self {
        let (context, name) = (event.context(), event.name());
        match context.operation_traits(name) {
            Some(traits) if traits.contains(OperationTraits::SYMBOL_TABLE) => Table::Yes,
            Some(_) => Table::No,
            None if context.operation_name_bytes(name) == b"builtin.module" => Table::Yes,
            None if event.region_count() == 1 => Table::IfOneBlock,
            None => Table::No,
        }
    }
}

impl Visitor for SymbolTracker {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        self.operation(event)?;
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.end_operation();
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.region(blocks);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::SymbolTracker;
    use rmlir::events::{Visitor, visit_module};
    use rmlir::ir::nested_symbols;

    #[test]
    fn symbols_are_those_of_the_module() {
        let text = r#"
            "t.a"() {sym_name = "a"} : () -> ()
            "t.m"() ({
              "t.n"() ({ "t.b"() {sym_name = "b"} : () -> () }) {sym_name = "n"} : () -> ()
              "t.c"() {sym_name = "c"} : () -> ()
            }) {sym_name = "m"} : () -> ()
            "t.none"() ({ "t.d"() {sym_name = "d"} : () -> () }) : () -> ()
            "t.two"() ({ "t.e"() {sym_name = "e"} : () -> () }, {}) {sym_name = "two"} : () -> ()
            "t.blocks"() ({
              "t.g"() {sym_name = "g"} : () -> ()
            ^bb1:
              "t.h"() {sym_name = "h"} : () -> ()
            }) {sym_name = "blocks"} : () -> ()
            builtin.module @last { "t.i"() {sym_name = "i", sym_visibility = "private"} : () -> () }
        "#;
        let ir = rmlir::parse(text).unwrap();
        let (context, module) = ir.parts();
        let mut tracker = SymbolTracker::default();
        let visitor: &mut dyn Visitor = &mut tracker;
        visit_module(context, module, visitor).unwrap();
        let paths = tracker.paths(context);
        let order = tracker.order();
        let expected = nested_symbols(context, module);
        assert_eq!(order.len(), expected.len());
        for (&number, symbol) in order.iter().zip(&expected) {
            let found = &tracker.symbols()[number];
            assert_eq!(
                (found.name, found.visibility),
                (symbol.name, symbol.visibility)
            );
            let path = symbol.path(&expected).into_iter();
            let path = rmlir::SymbolPath::from_names(path.map(|name| context.bytes(name).into()));
            assert_eq!(paths[number], path);
        }
        let names: Vec<String> = order.iter().map(|&at| paths[at].to_string()).collect();
        let names = names.join(" ");
        assert_eq!(
            names,
            "@a @m @two @blocks @last @m::@n @m::@c @m::@n::@b @last::@i"
        );
    }
}
