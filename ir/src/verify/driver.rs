//! The traversal of the verifier: visits every operation, region and block once, with an explicit
//! stack.

use super::bits::BitSet;
use super::dominance::RegionState;
use super::entries::Entries;
use super::parallel::Filler;
use super::plan::Plan;
use super::symbols::{check_references_of_attributes, refers_to_symbols};
use super::{Message, RefusedEntries, VerifyError, VerifyFailure, VerifyOptions, VerifyResult};
use crate::dominance::{Dominators, is_graph_region};
use crate::op::Op;
use crate::{
    Block, Context, Identifier, Module, Operation, OperationTraits, Region, Steps,
    SymbolTableCollection,
};

/// The state of one traversal of an operation and everything nested in it.
pub(super) struct Verifier<'a> {
    pub(super) context: &'a Context,
    pub(super) module: &'a Module,
    options: &'a VerifyOptions,
    /// Indexed by operation name.
    plans: &'a [Plan<'a>],
    entries: Entries<'a>,
    steps: Steps,
    stack: Vec<Frame<'a>>,
    /// The root and the isolated operations that enclose the current operation, outermost first.
    pub(super) units: Vec<Unit>,
    pub(super) errors: Vec<VerifyError>,
    /// The number of errors found, including the pending ones of the open units.
    found: usize,
    /// Indexed by region.
    pub(super) regions: Vec<RegionState>,
    /// The operations whose visit is complete.
    pub(super) done: BitSet,
    pub(super) dominators: Dominators,
    /// The operations that refer to symbols, grouped by open symbol table, innermost last.
    pub(super) symbol_users: Vec<Operation>,
    symbols: SymbolTableCollection,
    /// The identifier `sym_name`; `None` if no operation of the context has a symbol name.
    pub(super) sym_name: Option<Identifier>,
}

/// A unit of dominance checking: the root, or an isolated operation, in which no value from outside
/// may be used.
pub(super) struct Unit {
    pub(super) root: Operation,
    pub(super) is_isolated: bool,
    /// Whether a rule other than dominance is violated.
    pub(super) is_broken: bool,
    /// Dominance errors. They are reported only if no other rule is violated, because other errors,
    /// such as a missing terminator, make them misleading.
    pub(super) waiting: Vec<VerifyError>,
}

/// The position of an operation.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) block: Block,
    /// Whether definitions must precede uses in the block.
    pub(super) is_ordered: bool,
    /// Whether the block is reachable from the entry block of its region.
    pub(super) is_reachable: bool,
}

/// A stack frame: an entered operation with regions.
#[derive(Clone, Copy)]
struct Frame<'a> {
    operation: Operation,
    plan: &'a Plan<'a>,
    /// Whether the operation itself violates a rule.
    failed: bool,
    /// Whether the operation visited last in it violates a rule.
    last_failed: bool,
    next_region: usize,
    region: Option<Region>,
    /// The current block of the region.
    place: Option<Place>,
    next: Option<Operation>,
    /// Whether definitions must precede uses within a block of the region.
    is_ordered: bool,
    /// Whether a block of the region may lack a terminator.
    needs_no_terminator: bool,
    is_unit: bool,
    /// If it is a symbol table: the index in `symbol_users` at which its symbol users start.
    symbol_users: usize,
}

impl<'a> Verifier<'a> {
    pub(super) fn new(
        context: &'a Context,
        module: &'a Module,
        (options, refused): (&'a VerifyOptions, &'a RefusedEntries),
        plans: &'a [Plan<'a>],
    ) -> Self {
        Verifier {
            context,
            module,
            options,
            plans,
            entries: Entries::new(context, options, refused),
            steps: options.progress.steps(),
            stack: Vec::new(),
            units: Vec::new(),
            errors: Vec::new(),
            found: 0,
            regions: vec![RegionState::default(); module.region_slots()],
            done: BitSet::with_size(module.operation_slots()),
            dominators: Dominators::default(),
            symbol_users: Vec::new(),
            symbols: SymbolTableCollection::new(),
            sym_name: context.find_identifier("sym_name"),
        }
    }

    /// Returns the errors in `root` and everything nested in it.
    pub(super) fn run(mut self, root: Operation) -> Vec<VerifyError> {
        self.go_through(root, None);
        self.errors.truncate(self.options.limit.max(1));
        self.errors
    }

    /// Verifies `root` except for the content of nested isolated operations, which it pushes to
    /// `others`, and for symbol references, which it collects in `symbol_users`.
    pub(super) fn go_around(&mut self, root: Operation, others: &mut Filler<'_>) {
        self.go_through(root, Some(others));
    }

    fn go_through(&mut self, root: Operation, others: Option<&mut Filler<'_>>) {
        let plan = self.plan(root);
        let is_isolated = plan.has(OperationTraits::ISOLATED_FROM_ABOVE);
        self.units.push(Unit {
            root,
            is_isolated,
            is_broken: false,
            waiting: Vec::new(),
        });
        if !is_isolated {
            self.open_surroundings(root);
        }
        let good = self.check_operation(root, None);
        if self.module.regions(root).len() != 0 {
            self.enter_operation(root, good);
        }
        self.finish(others);
    }

    /// Verifies the content of an isolated operation that was checked itself. The operation must
    /// not be nested in another one that is verified this way.
    pub(super) fn look_into(&mut self, operation: Operation) {
        self.units.push(Unit {
            root: operation,
            is_isolated: true,
            is_broken: false,
            waiting: Vec::new(),
        });
        self.enter_operation(operation, true);
        self.finish(None);
    }

    /// Returns whether the root itself is valid and names in these symbol tables are unique.
    pub(super) fn check_names(mut self, root: Operation, tables: &[Operation]) -> bool {
        self.check_operation(root, None)
            && tables.iter().all(|&table| self.check_unique_symbols(table))
    }

    /// Continues the traversal until the stack is empty or the error limit is reached.
    fn finish(&mut self, mut others: Option<&mut Filler<'_>>) {
        while !self.is_full() && !self.stack.is_empty() {
            self.step(&mut others);
        }
        while !self.units.is_empty() {
            self.leave_unit();
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.found >= self.options.limit.max(1)
    }

    /// Returns the rules for the operations of this one's name.
    #[inline]
    fn plan(&self, operation: Operation) -> &'a Plan<'a> {
        // `plans` has one element for each operation name of the context.
        &self.plans[self.module.name(operation).index()]
    }

    pub(super) fn view(&self, operation: Operation) -> Op<'a> {
        Op::from((self.context, self.module, operation))
    }

    /// Returns whether another thread can verify the content of an operation: it is isolated, so
    /// that only symbol references connect it to its surroundings, and it is not a symbol table.
    fn is_unit(&self, operation: Operation) -> bool {
        let plan = self.plan(operation);
        plan.has(OperationTraits::ISOLATED_FROM_ABOVE) && !plan.has(OperationTraits::SYMBOL_TABLE)
    }

    // Error reporting.

    /// Reports a violation of a rule other than dominance. Returns false.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, operation: Operation, failure: VerifyFailure) -> bool {
        let error = failure.error(self.context, self.module, operation);
        self.found += 1;
        self.errors.push(error);
        if let Some(unit) = self.units.last_mut() {
            unit.is_broken = true;
        }
        false
    }

    /// Reports the failure, if any. Returns whether the result is a success.
    fn check(&mut self, operation: Operation, result: VerifyResult) -> bool {
        match result {
            Ok(()) => true,
            Err(failure) => self.fail(operation, *failure),
        }
    }

    /// Reports a dominance error of the innermost unit.
    pub(super) fn fail_dominance(&mut self, error: VerifyError) {
        if let Some(unit) = self.units.last_mut() {
            self.found += 1;
            unit.waiting.push(error);
        }
    }

    fn leave_unit(&mut self) {
        if let Some(unit) = self.units.pop() {
            if unit.is_broken {
                self.found -= unit.waiting.len();
            } else {
                self.errors.extend(unit.waiting);
            }
        }
    }

    // Traversal.

    fn step(&mut self, others: &mut Option<&mut Filler<'_>>) {
        let Some(frame) = self.stack.last_mut() else {
            return;
        };
        if let (Some(place), Some(next)) = (frame.place, frame.next.take()) {
            self.visit_operations(place, next, others);
        } else if let (Some(region), Some(place)) = (frame.region, frame.place) {
            let frame = *frame;
            self.leave_block(&frame, place.block);
            self.enter_block(region, self.module.next_block(place.block));
        } else {
            let operation = frame.operation;
            let number = frame.next_region;
            match self.module.region(operation, number) {
                Some(region) => {
                    frame.next_region += 1;
                    self.enter_region(region, number);
                }
                None => self.leave_operation(others.is_some()),
            }
        }
    }

    /// Visits operations from `first` to the end of the block, or to the first with regions, which
    /// it enters.
    fn visit_operations(
        &mut self,
        place: Place,
        first: Operation,
        others: &mut Option<&mut Filler<'_>>,
    ) {
        let mut next = Some(first);
        while let Some(operation) = next {
            next = self.module.next_operation(operation);
            let mut has_regions = self.module.regions(operation).len() != 0;
            if has_regions
                && let Some(others) = others
                && self.is_unit(operation)
            {
                others.push(operation);
                has_regions = false;
            }
            if (has_regions || next.is_none())
                && let Some(frame) = self.stack.last_mut()
            {
                frame.next = next;
            }
            let good = self.check_operation(operation, Some(place));
            if has_regions {
                self.enter_operation(operation, good);
                return;
            }
            self.done.insert(operation.index());
            if !good {
                if next.is_none()
                    && let Some(frame) = self.stack.last_mut()
                {
                    frame.last_failed = true;
                }
                if self.is_full() {
                    return;
                }
            }
        }
    }

    /// Checks an operation without the content of its regions. `place` is its position; `None` for
    /// the root.
    #[inline]
    fn check_operation(&mut self, operation: Operation, place: Option<Place>) -> bool {
        self.steps.step();
        let mut good = match self.entries.check(self.context, self.module, operation) {
            Ok(()) => true,
            Err(invalid) => self.fail(operation, *VerifyFailure::plain(invalid.message())),
        };
        if let Some(place) = place {
            good &= self.check_operands(operation, place);
            if self.module.successors(operation).len() != 0
                && self.module.next_operation(operation).is_some()
                && good
            {
                let message = "operation with block successors must terminate its parent block";
                good = self.fail(operation, *VerifyFailure::plain(message));
            }
        }
        if !good {
            return false;
        }
        let plan = self.plan(operation);
        let view = self.view(operation);
        let result = if plan.definition.is_none() {
            plan.check_undefined(view)
        } else {
            plan.check_entry(view)
                .and_then(|()| match self.module.regions(operation).len() {
                    0 => plan.check_exit(view),
                    _ => Ok(()),
                })
        };
        good = self.check(operation, result);
        if good && (plan.uses_symbols() || self.attributes_use_symbols(operation)) {
            self.symbol_users.push(operation);
        }
        good
    }

    /// Returns whether a discardable attribute of an operation refers to symbols.
    #[inline]
    fn attributes_use_symbols(&self, operation: Operation) -> bool {
        // Nearly no module has such attributes.
        self.entries.refer_to_symbols
            && self.module.attributes(operation).is_some_and(|attributes| {
                let mut entries = self.context.dictionary_entries(attributes).iter();
                entries.any(|&(_, value)| refers_to_symbols(self.context, value))
            })
    }

    /// Enters an operation that has regions.
    fn enter_operation(&mut self, operation: Operation, good: bool) {
        let plan = self.plan(operation);
        // The root is a unit already.
        let is_unit = plan.has(OperationTraits::ISOLATED_FROM_ABOVE) && !self.stack.is_empty();
        if is_unit {
            self.units.push(Unit {
                root: operation,
                is_isolated: true,
                is_broken: false,
                waiting: Vec::new(),
            });
        }
        self.stack.push(Frame {
            operation,
            plan,
            failed: !good,
            last_failed: false,
            next_region: 0,
            region: None,
            place: None,
            next: None,
            is_ordered: false,
            needs_no_terminator: false,
            is_unit,
            symbol_users: self.symbol_users.len(),
        });
    }

    fn leave_operation(&mut self, keeps_users: bool) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        if frame.is_unit {
            self.leave_unit();
        }
        let operation = frame.operation;
        let mut good = !frame.failed;
        if good {
            let result = frame.plan.check_exit(self.view(operation));
            good = self.check(operation, result);
        }
        if frame.plan.has(OperationTraits::SYMBOL_TABLE) {
            if good {
                good = self.check_unique_symbols(operation);
            }
            if !keeps_users {
                let users = self.symbol_users.split_off(frame.symbol_users);
                for user in users.into_iter().filter(|_| good) {
                    self.check_symbol_uses(user);
                }
            }
        }
        self.done.insert(operation.index());
        if let Some(outer) = self.stack.last_mut() {
            outer.last_failed = !good;
        }
    }

    fn check_symbol_uses(&mut self, user: Operation) {
        if !self.is_full() {
            let result = self
                .plan(user)
                .check_symbol_uses(self.view(user), &mut self.symbols)
                .and_then(|()| check_references_of_attributes(self.view(user), &mut self.symbols));
            self.check(user, result);
        }
    }

    /// Enters region `number` of the innermost entered operation.
    fn enter_region(&mut self, region: Region, number: usize) {
        let Some(frame) = self.stack.last().copied() else {
            return;
        };
        let operation = frame.operation;
        let may_enter = self.module.region_parent(region) == Some(operation)
            && self
                .regions
                .get_mut(region.index())
                .is_some_and(|state| !std::mem::replace(&mut state.was_entered, true));
        if !may_enter {
            let message = format!("region #{number} belongs to another operation");
            self.fail(operation, *VerifyFailure::op(message));
            return;
        }
        let Some(entry) = self.module.first_block(region) else {
            return;
        };
        let has_one_block = self.module.next_block(entry).is_none();
        let definition = frame.plan.definition;
        let is_graph = is_graph_region(frame.plan.known_traits(), has_one_block);
        // Only the first error of an operation is reported: others may be consequences.
        if !frame.failed {
            let is_good = if is_graph && !has_one_block {
                let message = format!("expects graph region #{number} to have 0 or 1 blocks");
                self.fail(operation, *VerifyFailure::op(message))
            } else if self.has_predecessors(region, entry) {
                let message = "entry block of region may not have predecessors";
                self.fail(operation, *VerifyFailure::plain(message))
            } else {
                true
            };
            if let Some(frame) = self.stack.last_mut() {
                frame.failed = !is_good;
            }
        }
        if !has_one_block {
            self.dominators.build(self.module, region);
        }
        if let Some(state) = self.regions.get_mut(region.index()) {
            state.unit = self.units.len() as u32;
            state.is_ordered = !is_graph;
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.region = Some(region);
            frame.is_ordered = !is_graph;
            frame.needs_no_terminator = has_one_block
                && (definition.is_none() || frame.plan.has(OperationTraits::NO_TERMINATOR));
        }
        self.enter_block(region, Some(entry));
    }

    /// Returns whether a block of the region branches to the entry block.
    fn has_predecessors(&self, region: Region, entry: Block) -> bool {
        self.module
            .blocks(region)
            .filter_map(|block| self.module.last_operation(block))
            .any(|last| self.module.successors(last).any(|block| block == entry))
    }

    /// Moves to a block of the open region, or leaves the region if `block` is `None`.
    fn enter_block(&mut self, region: Region, block: Option<Block>) {
        if let Some(state) = self.regions.get_mut(region.index()) {
            state.current = block;
        }
        if let Some(block) = block {
            self.check_arguments(block);
        }
        let is_reachable = block.is_some_and(|block| {
            self.module.first_block(region) == Some(block) || self.dominators.is_reachable(block)
        });
        if let Some(frame) = self.stack.last_mut() {
            frame.region = block.map(|_| region);
            frame.place = block.map(|block| Place {
                block,
                is_ordered: frame.is_ordered,
                is_reachable,
            });
            frame.next = block.and_then(|block| self.module.first_operation(block));
            frame.last_failed = false;
        }
    }

    /// Checks the types and locations of a block's arguments.
    fn check_arguments(&mut self, block: Block) {
        let owner = self.stack.last().map(|frame| frame.operation);
        for (value, location) in self.module.arguments(block) {
            let ty = self.module.value_type(value);
            if let Err(invalid) = self.entries.check_argument(self.context, ty, location)
                && let Some(owner) = owner
            {
                self.fail(owner, *VerifyFailure::plain(invalid.message()));
            }
        }
    }

    /// Checks the end of a block: its terminator and the successors.
    fn leave_block(&mut self, frame: &Frame<'_>, block: Block) {
        if frame.failed || frame.last_failed {
            return;
        }
        let Some(last) = self.module.last_operation(block) else {
            if !frame.needs_no_terminator {
                let message = "empty block: expect at least a terminator";
                self.fail(frame.operation, *VerifyFailure::plain(message));
            }
            return;
        };
        let region = frame.region;
        if self
            .module
            .successors(last)
            .any(|successor| self.module.block_region(successor) != region)
        {
            let message = "branching to block of a different region";
            self.fail(last, *VerifyFailure::op(message));
            return;
        }
        let may_end = |traits: OperationTraits| traits.contains(OperationTraits::TERMINATOR);
        if !frame.needs_no_terminator
            && !self
                .context
                .operation_traits(self.module.name(last))
                .is_none_or(may_end)
        {
            let message = Message::from("block with no terminator, has ").operation(last);
            self.fail(last, *VerifyFailure::plain(message));
        }
    }
}
