//! Compares the content of two operations, and finds their first difference.
//!
//! Both are walked in parallel. `spec/fingerprint.md` defines the content that is compared, but
//! nothing is hashed here: this is an independent implementation of the same rules.

mod entries;

use crate::content_node::ContentNode;
use crate::op::Op;
use crate::operation_path;
use crate::{Attribute, Block, Context, IndexedMap, Location, NamedAttribute, Operation, Value};
use entries::Entries;
use std::fmt;

/// Options of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EqualityOptions {
    /// Whether to compare locations: those of operations and block arguments, and those that are
    /// attributes or inside of them.
    pub locations: bool,
}

/// The first difference between two operations, in human-readable form.
///
/// [`Display`](fmt::Display) writes the path and the difference: `builtin.module / func.func @f /
/// block 1 / operation 3 (arith.addi): operand 1 differs`. All numbers are counted from 0; a region
/// or block that is the only one of its parent is omitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    left: Option<Operation>,
    right: Option<Operation>,
    path: String,
    message: String,
}

impl Difference {
    /// Returns the innermost operation at which the left side differs; `None` if only the right
    /// side has it.
    pub fn left(&self) -> Option<Operation> {
        self.left
    }

    /// Returns the innermost operation at which the right side differs; `None` if only the left
    /// side has it.
    pub fn right(&self) -> Option<Operation> {
        self.right
    }

    /// Returns the path of the difference: the operations from the compared one to the innermost
    /// one.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns a description of the difference.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Returns whether two operations, with everything nested in them, have the same content.
///
/// The sides may belong to one context or to two, to one module or to two. The comparison ignores
/// the names of values, blocks and aliases and the order of tables. It also ignores everything
/// outside of the operation, except for the types of the outer values that it uses and which of its
/// operands are the same value. Distinct attributes are equal if the two sides use them in the same
/// positions. Resources are equal if their content is, or, if they have none, if dialect and key
/// are. Floats are equal if their bits are. A missing dictionary of discardable attributes equals
/// an empty one; missing properties differ from properties that are an empty dictionary, as
/// upstream distinguishes them.
///
/// Time and memory are linear (times the inverse Ackermann function) in the operations and in the
/// types, attributes and locations that both sides reach, each counted once. Nesting of any depth
/// takes no stack.
///
/// ```
/// use rmlir_ir::{Context, EqualityOptions, Module, semantic_eq};
///
/// let (mut one, mut two) = (Context::new(), Context::new());
/// let (a, b) = (Module::new(&mut one), Module::new(&mut two));
/// assert!(semantic_eq((&one, &a), (&two, &b), &EqualityOptions::default()));
/// ```
pub fn semantic_eq<'l, 'r>(
    left: impl Into<Op<'l>>,
    right: impl Into<Op<'r>>,
    options: &EqualityOptions,
) -> bool {
    semantic_difference(left, right, options).is_none()
}

/// Returns the first difference between two operations, or `None` if they have the same content.
///
/// See [`semantic_eq`], also for the cost. Operations are compared in the order of the text; each
/// is compared as a whole (name, location, operands, results, attributes, successors) before the
/// content of its regions.
pub fn semantic_difference<'l, 'r>(
    left: impl Into<Op<'l>>,
    right: impl Into<Op<'r>>,
    options: &EqualityOptions,
) -> Option<Difference> {
    let mut comparison = Comparison::new(left.into(), right.into(), *options);
    let found = comparison.walk().err()?;
    Some(comparison.describe(found))
}

/// A difference whose path is not computed yet.
struct Found {
    left: Option<Operation>,
    right: Option<Operation>,
    message: String,
}

type Result<T> = std::result::Result<T, Found>;

/// A pending comparison, on a stack.
enum Step {
    /// These operations of two blocks and the following ones.
    Operations(Option<Operation>, Option<Operation>),
    /// These blocks of two regions, their number, and the following ones.
    Blocks(Pair, usize, Option<Block>, Option<Block>),
    /// The regions of two operations, starting with this one.
    Regions(Pair, usize),
}

/// Two operations that are compared.
#[derive(Clone, Copy)]
struct Pair {
    left: Operation,
    right: Operation,
}

impl Pair {
    /// Returns a difference at these operations.
    #[cold]
    fn differ(self, message: impl Into<String>) -> Found {
        Found {
            left: Some(self.left),
            right: Some(self.right),
            message: message.into(),
        }
    }

    /// Returns a difference if two counts differ.
    fn same_count(self, what: impl fmt::Display, left: usize, right: usize) -> Result<()> {
        if left == right {
            return Ok(());
        }
        Err(self.differ(format!("number of {what} differs: {left} and {right}")))
    }
}

struct Comparison<'l, 'r> {
    left: Op<'l>,
    right: Op<'r>,
    options: EqualityOptions,
    entries: Entries<'l, 'r>,
    values: Bijection,
    blocks: Bijection,
}

impl<'l, 'r> Comparison<'l, 'r> {
    fn new(left: Op<'l>, right: Op<'r>, options: EqualityOptions) -> Self {
        let (l, r) = (left.module, right.module);
        let is_whole = left.operation == l.top() && right.operation == r.top();
        let bijection = |left: usize, right: usize| {
            let expected = if is_whole { left.min(right) } else { 0 };
            Bijection::new((left, right), expected)
        };
        Comparison {
            left,
            right,
            options,
            entries: Entries::new(left.context, right.context, options.locations),
            values: bijection(l.value_slots(), r.value_slots()),
            blocks: bijection(l.block_slots(), r.block_slots()),
        }
    }
}

impl Comparison<'_, '_> {
    fn walk(&mut self) -> Result<()> {
        let (l, r) = (self.left.module, self.right.module);
        let top = Pair {
            left: self.left.operation,
            right: self.right.operation,
        };
        self.operation(top)?;
        let mut steps = vec![Step::Regions(top, 0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Operations(Some(left), Some(right)) => {
                    steps.push(Step::Operations(
                        l.next_operation(left),
                        r.next_operation(right),
                    ));
                    let pair = Pair { left, right };
                    self.operation(pair)?;
                    if l.regions(left).len() > 0 {
                        steps.push(Step::Regions(pair, 0));
                    }
                }
                Step::Operations(None, None) | Step::Blocks(_, _, None, None) => {}
                Step::Operations(left, right) => {
                    let message = one_side("the operation", left.is_some());
                    return Err(Found {
                        left,
                        right,
                        message,
                    });
                }
                Step::Blocks(pair, number, Some(left), Some(right)) => {
                    let next = (l.next_block(left), r.next_block(right));
                    steps.push(Step::Blocks(pair, number + 1, next.0, next.1));
                    self.block(pair, number, left, right)?;
                    steps.push(Step::Operations(
                        l.first_operation(left),
                        r.first_operation(right),
                    ));
                }
                Step::Blocks(pair, number, left, _) => {
                    let what = format!("block {number} of a region");
                    return Err(pair.differ(one_side(what, left.is_some())));
                }
                Step::Regions(pair, number) => {
                    let regions = (l.region(pair.left, number), r.region(pair.right, number));
                    if let (Some(left), Some(right)) = regions {
                        steps.push(Step::Regions(pair, number + 1));
                        let first = (l.first_block(left), r.first_block(right));
                        steps.push(Step::Blocks(pair, 0, first.0, first.1));
                    }
                }
            }
        }
        Ok(())
    }

    /// Compares two operations except for the content of their regions.
    fn operation(&mut self, pair: Pair) -> Result<()> {
        let (l, r) = (self.left.module, self.right.module);
        let Pair { left, right } = pair;
        let names = (
            self.left.context.operation_name_bytes(l.name(left)),
            self.right.context.operation_name_bytes(r.name(right)),
        );
        if names.0 != names.1 {
            let (left, right) = (
                operation_path::quoted(names.0),
                operation_path::quoted(names.1),
            );
            return Err(pair.differ(format!("name differs: {left} and {right}")));
        }
        self.location(pair, l.location(left), r.location(right), || {
            "location".to_owned()
        })?;
        let operands = (l.operands(left), r.operands(right));
        pair.same_count("operands", operands.0.len(), operands.1.len())?;
        for (number, (lv, rv)) in operands.0.zip(operands.1).enumerate() {
            match self.values.meet(lv.index(), rv.index()) {
                Meeting::Known => {}
                Meeting::New => self.types(pair, lv, rv, || format!("type of operand {number}"))?,
                Meeting::Other => return Err(self.different_operand(pair, number, lv, rv)),
            }
        }
        pair.same_count("results", l.result_count(left), r.result_count(right))?;
        for (number, (lv, rv)) in l.results(left).zip(r.results(right)).enumerate() {
            self.definition(pair, lv, rv, || format!("result {number}"))?;
        }
        let empty = (
            self.left.context.empty_dictionary(),
            self.right.context.empty_dictionary(),
        );
        self.attributes(
            pair,
            "discardable",
            l.attributes(left).filter(|&a| a != empty.0),
            r.attributes(right).filter(|&a| a != empty.1),
        )?;
        self.attributes(pair, "inherent", l.properties(left), r.properties(right))?;
        let successors = (l.successors(left), r.successors(right));
        pair.same_count("successors", successors.0.len(), successors.1.len())?;
        for (number, (lb, rb)) in successors.0.zip(successors.1).enumerate() {
            if let Meeting::Other = self.blocks.meet(lb.index(), rb.index()) {
                return Err(pair.differ(format!("successor {number} differs")));
            }
        }
        pair.same_count("regions", l.regions(left).len(), r.regions(right).len())
    }

    /// Compares two blocks except for their operations.
    fn block(&mut self, pair: Pair, block: usize, left: Block, right: Block) -> Result<()> {
        if let Meeting::Other = self.blocks.meet(left.index(), right.index()) {
            let message =
                format!("block {block} of a region is not the one that an operation before names");
            return Err(pair.differ(message));
        }
        let arguments = (
            self.left.module.arguments(left),
            self.right.module.arguments(right),
        );
        let what = format_args!("arguments of block {block}");
        pair.same_count(what, arguments.0.len(), arguments.1.len())?;
        for (number, ((lv, ll), (rv, rl))) in arguments.0.zip(arguments.1).enumerate() {
            self.definition(pair, lv, rv, || {
                format!("argument {number} of block {block}")
            })?;
            self.location(pair, ll, rl, || {
                format!("location of argument {number} of block {block}")
            })?;
        }
        Ok(())
    }

    /// Compares the definitions of two values, which may have been used before.
    fn definition(
        &mut self,
        pair: Pair,
        left: Value,
        right: Value,
        what: impl Fn() -> String,
    ) -> Result<()> {
        if let Meeting::Other = self.values.meet(left.index(), right.index()) {
            let message = format!("{} is not the value that was used before", what());
            return Err(pair.differ(message));
        }
        self.types(pair, left, right, || format!("type of {}", what()))
    }

    fn types(
        &mut self,
        pair: Pair,
        left: Value,
        right: Value,
        what: impl Fn() -> String,
    ) -> Result<()> {
        let left = self.left.module.value_type(left);
        let right = self.right.module.value_type(right);
        if self
            .entries
            .equal(ContentNode::Type(left), ContentNode::Type(right))
        {
            return Ok(());
        }
        Err(pair.differ(format!("{} differs", what())))
    }

    fn location(
        &mut self,
        pair: Pair,
        left: Location,
        right: Location,
        what: impl Fn() -> String,
    ) -> Result<()> {
        if !self.options.locations
            || self
                .entries
                .equal(ContentNode::Location(left), ContentNode::Location(right))
        {
            return Ok(());
        }
        Err(pair.differ(format!("{} differs", what())))
    }

    /// Compares the discardable attributes, or the properties.
    fn attributes(
        &mut self,
        pair: Pair,
        kind: &str,
        left: Option<Attribute>,
        right: Option<Attribute>,
    ) -> Result<()> {
        let (left, right) = match (left, right) {
            (None, None) => return Ok(()),
            (Some(left), Some(right)) => (left, right),
            (left, _) => {
                let what = format!("a dictionary of {kind} attributes");
                return Err(pair.differ(one_side(what, left.is_some())));
            }
        };
        if self
            .entries
            .known(ContentNode::Attribute(left), ContentNode::Attribute(right))
        {
            return Ok(());
        }
        // The entries are compared one by one, to report which one differs.
        let entries = (
            self.left.context.dictionary_entries(left),
            self.right.context.dictionary_entries(right),
        );
        for pair_of in entries.0.iter().zip(entries.1) {
            let (&(ln, lv), &(rn, rv)) = pair_of;
            let names = (self.left.context.bytes(ln), self.right.context.bytes(rn));
            if names.0 != names.1 {
                let on_left = names.0 < names.1;
                let name = operation_path::quoted(if on_left { names.0 } else { names.1 });
                let what = format!("{kind} attribute {name}");
                return Err(pair.differ(one_side(what, on_left)));
            }
            if !self
                .entries
                .equal(ContentNode::Attribute(lv), ContentNode::Attribute(rv))
            {
                let name = operation_path::quoted(names.0);
                return Err(pair.differ(format!("{kind} attribute {name} differs")));
            }
        }
        let last = |context: &Context, longer: &[NamedAttribute], shorter: &[NamedAttribute]| {
            let &(name, _) = longer.get(shorter.len())?;
            Some(operation_path::quoted(context.bytes(name)))
        };
        for (context, longer, shorter, on_left) in [
            (self.left.context, entries.0, entries.1, true),
            (self.right.context, entries.1, entries.0, false),
        ] {
            if let Some(name) = last(context, longer, shorter) {
                let what = format!("{kind} attribute {name}");
                return Err(pair.differ(one_side(what, on_left)));
            }
        }
        // This also distinguishes a dictionary from missing properties, and memoizes the pair.
        if self
            .entries
            .equal(ContentNode::Attribute(left), ContentNode::Attribute(right))
        {
            return Ok(());
        }
        Err(pair.differ(format!("the properties ({kind} attributes) differ")))
    }

    #[cold]
    fn different_operand(&self, pair: Pair, number: usize, left: Value, right: Value) -> Found {
        let left = operation_path::value(self.left, left);
        let right = operation_path::value(self.right, right);
        if left == right {
            return pair.differ(format!("operand {number} differs"));
        }
        pair.differ(format!("operand {number} differs: {left} and {right}"))
    }

    fn describe(&self, found: Found) -> Difference {
        let path = match (found.left, found.right) {
            (Some(operation), _) => operation_path::path(self.left, operation),
            (None, Some(operation)) => operation_path::path(self.right, operation),
            (None, None) => String::new(),
        };
        let Found {
            left,
            right,
            message,
        } = found;
        Difference {
            left,
            right,
            path,
            message,
        }
    }
}

/// Returns a message that only one side has an item.
#[cold]
fn one_side(what: impl fmt::Display, on_left: bool) -> String {
    let side = if on_left { "left" } else { "right" };
    format!("{what} is only on the {side} side")
}

/// The relation between an item of the left side and one of the right side.
enum Meeting {
    /// The two items are already paired with each other.
    Known,
    /// Neither was paired before; they are a pair from now on.
    New,
    /// One of them is paired with another item.
    Other,
}

/// A bijection between corresponding handles of the two sides, by index.
struct Bijection {
    right: IndexedMap<u32>,
    left: IndexedMap<u32>,
}

impl Bijection {
    /// Creates an empty bijection of handles, of which each side has so many and uses about
    /// `expected`.
    fn new((left, right): (usize, usize), expected: usize) -> Self {
        Bijection {
            right: IndexedMap::new(left, expected),
            left: IndexedMap::new(right, expected),
        }
    }

    fn meet(&mut self, left: usize, right: usize) -> Meeting {
        match (self.right.position(left), self.left.position(right)) {
            (None, None) => {
                self.right.set_position(left, right);
                self.left.set_position(right, left);
                Meeting::New
            }
            // The maps are inverse to each other, so one lookup suffices.
            (Some(known), Some(_)) if known == right => Meeting::Known,
            _ => Meeting::Other,
        }
    }
}
