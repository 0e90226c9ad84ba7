//! Compares operations with predicates as they are visited, without a module in memory.

use super::Query;
use super::evaluate::{Target, Tests};
use super::parse::Subject;
use super::pattern::Pattern;
use crate::events::{BlockEvent, OperationEvent, ValueId, ValueMap, Visitor};
use crate::format::Result;
use crate::ir::{Context, Identifier, OperationName, WalkResult};
use crate::{Attribute, Location, Type};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Finds the operations that all of `queries` hold for, from the events of a file or module.
///
/// `visit` visits the operations: [`File::visit`](crate::File::visit) or
/// [`visit_module`](crate::events::visit_module) with a visitor. It is called twice if a query is
/// about types of operands or of arguments, or about uses, which later events determine. `found`
/// receives each operation that is found, with its number in the order of the events, and decides
/// whether to go on. Linear in the operations and in the texts that are compared.
///
/// ```
/// use rmlir::query::{Query, find_events};
/// use std::ops::ControlFlow;
///
/// let mut ir = rmlir::parse("func.func private @f()\nfunc.func private @g()")?;
/// let bytes = ir.to_bytes(rmlir::Form::Rmbc, &rmlir::WriteOptions::default())?;
/// let options = rmlir::ReadOptions::default();
/// let file = rmlir::File::from_bytes(bytes, &options)?;
/// let query = Query::parse("symbol = g")?;
/// let (mut context, mut numbers) = (options.context(), Vec::new());
/// find_events(
///     &[&query],
///     &mut |visitor| file.visit(&mut context, visitor),
///     &mut |number, _| {
///         numbers.push(number);
///         Ok(ControlFlow::Continue(()))
///     },
/// )?;
/// assert_eq!(numbers, [2]);
/// # Ok::<(), rmlir::Error>(())
/// ```
///
/// # Errors
///
/// Those of `visit` and `found`.
pub fn find_events<E>(
    queries: &[&Query],
    visit: &mut dyn FnMut(&mut dyn Visitor) -> std::result::Result<(), E>,
    found: &mut dyn FnMut(u64, &mut OperationEvent<'_>) -> Result<ControlFlow<()>>,
) -> std::result::Result<(), E> {
    let has = |wanted: &[Subject]| {
        let mut nodes = queries.iter().flat_map(|query| &query.nodes);
        nodes.any(|node| wanted.contains(&node.test.subject))
    };
    let mut facts = Facts {
        needs_types: has(&[Subject::Operand, Subject::Type]),
        needs_arguments: has(&[Subject::Type]),
        needs_uses: has(&[Subject::Uses]),
        ..Facts::default()
    };
    if facts.needs_types || facts.needs_uses {
        visit(&mut facts)?;
        // Stable, so the arguments of one operation keep their order.
        facts.arguments.sort_by_key(|&(operation, _)| operation);
    }
    visit(&mut Finder {
        tests: queries.iter().map(|query| Tests::new(query)).collect(),
        paths: Paths {
            is_needed: has(&[Subject::Symbol, Subject::In]),
            ..Paths::default()
        },
        facts: &facts,
        found,
        next: 0,
        open: Vec::new(),
    })
}

/// What later events determine.
#[derive(Default)]
struct Facts {
    needs_types: bool,
    needs_arguments: bool,
    needs_uses: bool,
    types: ValueMap<Type>,
    uses: ValueMap<usize>,
    /// The types of the arguments of an operation's blocks, by the number of the operation.
    arguments: Vec<(u64, Type)>,
    next: u64,
    open: Vec<u64>,
}

impl Visitor for Facts {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        if self.needs_types && event.result_count() > 0 {
            let ids: Vec<ValueId> = event.results().collect();
            for (id, &ty) in ids.into_iter().zip(event.result_types()?) {
                self.types.insert(id, ty);
            }
        }
        if self.needs_uses {
            for &operand in event.operands() {
                let uses = self.uses.get(operand).unwrap_or(0);
                self.uses.insert(operand, uses.saturating_add(1));
            }
        }
        self.open.push(self.next);
        self.next += 1;
        Ok(WalkResult::Advance)
    }

    fn end_operation(&mut self) -> Result<()> {
        self.open.pop();
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        if !self.needs_types {
            return Ok(());
        }
        let ids: Vec<ValueId> = event.arguments().collect();
        let types = event.argument_types()?;
        for (id, &ty) in ids.into_iter().zip(types) {
            self.types.insert(id, ty);
        }
        if let (true, Some(&operation)) = (self.needs_arguments, self.open.last()) {
            self.arguments
                .extend(types.iter().map(|&ty| (operation, ty)));
        }
        Ok(())
    }
}

/// The symbols around the current operation.
#[derive(Default)]
struct Paths {
    /// Whether a query is about symbols.
    is_needed: bool,
    /// Outermost first.
    symbols: Vec<Symbol>,
}

/// A symbol, with the results of tests whether it is in other ones, by node and query.
struct Symbol {
    name: Identifier,
    inside: HashMap<(usize, usize), bool>,
}

impl Paths {
    /// Returns whether the innermost symbols up to number `end` have names that match.
    fn has_path(&self, context: &Context, end: usize, names: &[Pattern]) -> bool {
        let symbols = self.symbols.get(..end).unwrap_or_default();
        symbols.len() >= names.len()
            && symbols
                .iter()
                .rev()
                .zip(names.iter().rev())
                .all(|(symbol, pattern)| pattern.matches(context.bytes(symbol.name)))
    }
}

struct Finder<'f, 'q> {
    tests: Vec<Tests<'q>>,
    paths: Paths,
    facts: &'f Facts,
    found: &'f mut dyn FnMut(u64, &mut OperationEvent<'_>) -> Result<ControlFlow<()>>,
    next: u64,
    /// For each operation that is not ended: whether it is a symbol.
    open: Vec<bool>,
}

impl Visitor for Finder<'_, '_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let number = self.next;
        self.next += 1;
        let symbol = match self.paths.is_needed {
            true => event.symbol_name()?,
            false => None,
        };
        self.open.push(symbol.is_some());
        if let Some(name) = symbol {
            let inside = HashMap::new();
            self.paths.symbols.push(Symbol { name, inside });
        }
        for (query, tests) in self.tests.iter_mut().enumerate() {
            let mut target = EventTarget {
                event,
                number,
                query,
                is_symbol: symbol.is_some(),
                paths: &mut self.paths,
                facts: self.facts,
            };
            if !tests.hold(&mut target)? {
                return Ok(WalkResult::Advance);
            }
        }
        Ok(match (self.found)(number, event)? {
            ControlFlow::Continue(()) => WalkResult::Advance,
            ControlFlow::Break(()) => WalkResult::Interrupt,
        })
    }

    fn end_operation(&mut self) -> Result<()> {
        if self.open.pop() == Some(true) {
            self.paths.symbols.pop();
        }
        Ok(())
    }
}

/// The operation of the current event.
struct EventTarget<'t, 'e> {
    event: &'t mut OperationEvent<'e>,
    number: u64,
    /// The number of the query.
    query: usize,
    is_symbol: bool,
    paths: &'t mut Paths,
    facts: &'t Facts,
}

impl Target for EventTarget<'_, '_> {
    fn context(&self) -> &Context {
        self.event.context()
    }

    fn name(&self) -> OperationName {
        self.event.name()
    }

    fn dictionaries(&mut self) -> Result<[Option<Attribute>; 2]> {
        Ok([self.event.properties()?, self.event.attributes()?])
    }

    fn location(&mut self) -> Result<Location> {
        self.event.location()
    }

    fn types(&mut self, subject: &Subject, into: &mut Vec<Type>) -> Result<()> {
        if *subject != Subject::Result {
            let operands = self.event.operands().iter();
            into.extend(operands.filter_map(|&operand| self.facts.types.get(operand)));
        }
        if *subject != Subject::Operand {
            into.extend_from_slice(self.event.result_types()?);
        }
        if *subject == Subject::Type {
            let arguments = &self.facts.arguments;
            let start = arguments.partition_point(|&(operation, _)| operation < self.number);
            let own = arguments.iter().skip(start);
            let own = own.take_while(|&&(operation, _)| operation == self.number);
            into.extend(own.map(|&(_, ty)| ty));
        }
        Ok(())
    }

    fn number(&mut self, subject: &Subject) -> usize {
        match subject {
            Subject::Operands => self.event.operands().len(),
            Subject::Results => self.event.result_count(),
            Subject::Regions => self.event.region_count(),
            _ => {
                let uses = |result| self.facts.uses.get(result).unwrap_or(0);
                self.event.results().map(uses).sum()
            }
        }
    }

    fn is_symbol(&mut self, names: &[Pattern]) -> bool {
        let context = self.event.context();
        let end = self.paths.symbols.len();
        self.is_symbol && self.paths.has_path(context, end, names)
    }

    fn is_in(&mut self, node: usize, names: &[Pattern]) -> bool {
        let context = self.event.context();
        // The outer symbols have results, unless no operation directly in them was tested.
        let key = (self.query, node);
        let (mut found, mut first) = (false, 0);
        for (number, symbol) in self.paths.symbols.iter().enumerate().rev() {
            if let Some(&known) = symbol.inside.get(&key) {
                (found, first) = (known, number + 1);
                break;
            }
        }
        for number in first..self.paths.symbols.len() {
            found = found || self.paths.has_path(context, number + 1, names);
            if let Some(symbol) = self.paths.symbols.get_mut(number) {
                symbol.inside.insert(key, found);
            }
        }
        found
    }
}
