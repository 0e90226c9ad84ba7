//! Compares operations with predicates.

use super::Query;
use super::parse::{Check, FALSE, Node, Subject, TRUE, Test};
use super::pattern::Pattern;
use crate::format::Result;
use crate::ir::{
    AttributeKind, Context, Entry, LocationKind, Module, OperationName, ResourceValue,
};
use crate::text::{PrintOptions, print_attribute, print_type};
use crate::{Attribute, Block, Location, Op, Operation, Type};
use std::collections::HashSet;

/// The number of bytes of a type or attribute that are compared. Shared parts of a graph can denote
/// terabytes of text.
const MOST_TEXT: u64 = 1 << 20;

/// An operation that is compared: in a module, or of an event.
pub(super) trait Target {
    fn context(&self) -> &Context;

    fn name(&self) -> OperationName;

    /// Returns properties and discardable attributes.
    fn dictionaries(&mut self) -> Result<[Option<Attribute>; 2]>;

    fn location(&mut self) -> Result<Location>;

    /// Appends the types that [`Subject::Operand`], [`Subject::Result`] or [`Subject::Type`] is
    /// about.
    fn types(&mut self, subject: &Subject, into: &mut Vec<Type>) -> Result<()>;

    /// Returns the number that [`Subject::Operands`], [`Subject::Results`], [`Subject::Regions`] or
    /// [`Subject::Uses`] denotes.
    fn number(&mut self, subject: &Subject) -> usize;

    /// Returns whether the operation is a symbol whose last names match.
    fn is_symbol(&mut self, names: &[Pattern]) -> bool;

    /// Returns whether the operation is such a symbol, or is nested in one. `node` is that of the
    /// test.
    fn is_in(&mut self, node: usize, names: &[Pattern]) -> bool;
}

/// A predicate with the results that are known: those for names, types, attributes and
/// locations are memoized.
pub(super) struct Tests<'q> {
    query: &'q Query,
    /// For each node of the query.
    memos: Vec<Memo>,
    /// By name of the operation: the first node that depends on more than the name.
    starts: Vec<Option<u32>>,
    /// The size of the largest constant in each attribute.
    constants: ConstantSizes,
    types: Vec<Type>,
}

/// Results by the index of the compared entry.
#[derive(Default)]
struct Memo(Vec<Option<bool>>);

impl Memo {
    fn get(&self, index: usize) -> Option<bool> {
        self.0.get(index).copied().flatten()
    }

    fn set(&mut self, index: usize, value: bool) -> bool {
        if index >= self.0.len() {
            // Grows in steps, since handles are met in any order.
            self.0.resize((index + 1).next_power_of_two(), None);
        }
        if let Some(slot) = self.0.get_mut(index) {
            *slot = Some(value);
        }
        value
    }
}

impl<'q> Tests<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        Tests {
            query,
            memos: query.nodes.iter().map(|_| Memo::default()).collect(),
            starts: Vec::new(),
            constants: ConstantSizes::default(),
            types: Vec::new(),
        }
    }

    /// Returns whether the predicate holds.
    pub(super) fn hold(&mut self, target: &mut dyn Target) -> Result<bool> {
        let query = self.query;
        let name = target.name().index();
        let mut at = match self.starts.get(name).copied().flatten() {
            Some(start) => start,
            None => self.find_start(name, target)?,
        };
        while let Some(node) = query.nodes.get(at as usize) {
            at = self.next(at, node, target)?;
        }
        debug_assert!(matches!(at, TRUE | FALSE), "a node leads to none");
        Ok(at == TRUE)
    }

    /// Returns the node that follows the outcome of a node's test.
    fn next(&mut self, at: u32, node: &Node, target: &mut dyn Target) -> Result<u32> {
        let holds = self.test(at as usize, &node.test, target)? != node.test.negated;
        let [falses, trues] = node.next;
        Ok(if holds { trues } else { falses })
    }

    /// Returns the first node that depends on more than the operation's name, or the result, and
    /// memoizes it.
    #[cold]
    fn find_start(&mut self, name: usize, target: &mut dyn Target) -> Result<u32> {
        let query = self.query;
        let mut at = query.entry;
        while let Some(node) = query.nodes.get(at as usize)
            && matches!(node.test.subject, Subject::Op | Subject::Dialect)
        {
            at = self.next(at, node, target)?;
        }
        if name >= self.starts.len() {
            self.starts.resize((name + 1).next_power_of_two(), None);
        }
        if let Some(slot) = self.starts.get_mut(name) {
            *slot = Some(at);
        }
        Ok(at)
    }

    fn test(&mut self, node: usize, test: &Test, target: &mut dyn Target) -> Result<bool> {
        let check = &test.check;
        Ok(match &test.subject {
            Subject::Op => {
                let name = target.name();
                self.memoized(node, name.index(), |_| {
                    text_matches(check, target.context().operation_name_bytes(name))
                })
            }
            Subject::Dialect => {
                let name = target.name();
                self.memoized(node, name.index(), |_| {
                    let dialect = target.context().operation_dialect(name);
                    text_matches(check, target.context().bytes(dialect))
                })
            }
            Subject::Symbol => match check {
                Check::Path(names) => target.is_symbol(names),
                _ => false,
            },
            Subject::In => match check {
                Check::Path(names) => target.is_in(node, names),
                _ => false,
            },
            Subject::Attr => self.any_dictionary(node, target, |_, context, dictionary| {
                let entries = context.dictionary_entries(dictionary).iter();
                let mut names = entries.map(|&(name, _)| context.bytes(name));
                names.any(|name| text_matches(check, name))
            })?,
            Subject::Attribute(name) => {
                self.any_dictionary(node, target, |_, context, dictionary| {
                    let value = context.dictionary_get(dictionary, name);
                    value.is_some_and(|value| attribute_matches(context, check, value))
                })?
            }
            Subject::Constant => {
                self.any_dictionary(node, target, |tests, context, dictionary| {
                    let size = tests.constants.largest(context, dictionary);
                    compares(check, i64::try_from(size).unwrap_or(i64::MAX))
                })?
            }
            subject @ (Subject::Operand | Subject::Result | Subject::Type) => {
                let mut types = std::mem::take(&mut self.types);
                types.clear();
                target.types(subject, &mut types)?;
                let context = target.context();
                let found = types
                    .iter()
                    .any(|&ty| self.type_matches(context, node, check, ty));
                self.types = types;
                found
            }
            Subject::Loc => {
                let location = target.location()?;
                self.memoized(node, location.index(), |_| {
                    location_matches(target.context(), check, location)
                })
            }
            subject @ (Subject::Operands | Subject::Results | Subject::Regions | Subject::Uses) => {
                let number = target.number(subject);
                compares(check, i64::try_from(number).unwrap_or(i64::MAX))
            }
        })
    }

    fn memoized(
        &mut self,
        node: usize,
        index: usize,
        test: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        if let Some(known) = self.memos.get(node).and_then(|memo| memo.get(index)) {
            return known;
        }
        let result = test(self);
        if let Some(memo) = self.memos.get_mut(node) {
            memo.set(index, result);
        }
        result
    }

    /// Returns whether `test` holds for the properties or the attributes of an operation.
    fn any_dictionary(
        &mut self,
        node: usize,
        target: &mut dyn Target,
        mut test: impl FnMut(&mut Self, &Context, Attribute) -> bool,
    ) -> Result<bool> {
        let dictionaries = target.dictionaries()?;
        let context = target.context();
        Ok(dictionaries.into_iter().flatten().any(|dictionary| {
            self.memoized(node, dictionary.index(), |tests| {
                test(tests, context, dictionary)
            })
        }))
    }

    fn type_matches(&mut self, context: &Context, node: usize, check: &Check, ty: Type) -> bool {
        self.memoized(node, ty.index(), |_| {
            let text = printed(|options, out| print_type(context, ty, options, out));
            text_matches(check, &text)
        })
    }
}

/// Compares the operations of one module with a predicate. Names, types, attributes and locations
/// that were compared are memoized.
///
/// ```
/// let ir = rmlir::parse("func.func private @f()")?;
/// let query = rmlir::query::Query::parse("func.func")?;
/// let mut matcher = query.matcher(ir.op());
/// assert!(!matcher.matches(ir.op().id()));
/// assert!(matcher.matches(ir.symbol("f").unwrap().id()));
/// # Ok::<(), rmlir::Error>(())
/// ```
pub struct Matcher<'a> {
    tests: Tests<'a>,
    operations: Operations<'a>,
}

/// The operations of a module.
struct Operations<'a> {
    context: &'a Context,
    module: &'a Module,
    /// The current one.
    operation: Operation,
    /// For each operation, the nearest symbol around it; see [`outer_symbol`](Self::outer_symbol).
    outer: Vec<Option<Option<Operation>>>,
    /// For each node of the query, by operation: the results of [`Target::is_in`].
    inside: Vec<Memo>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(query: &'a Query, top: Op<'a>) -> Self {
        Matcher {
            tests: Tests::new(query),
            operations: Operations {
                context: top.context,
                module: top.module,
                operation: top.id(),
                outer: Vec::new(),
                inside: query.nodes.iter().map(|_| Memo::default()).collect(),
            },
        }
    }

    /// Returns whether the predicate holds for an operation.
    ///
    /// ```
    /// let ir = rmlir::parse("module @m {}")?;
    /// let query = rmlir::query::Query::parse("in = m and regions = 1")?;
    /// assert!(query.matcher(ir.op()).matches(ir.op().id()));
    /// # Ok::<(), rmlir::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the handle belongs to another module, or to an operation that was erased.
    pub fn matches(&mut self, operation: Operation) -> bool {
        self.operations.operation = operation;
        // Nothing fails: everything is in memory.
        self.tests.hold(&mut self.operations).unwrap_or(false)
    }
}

impl Target for Operations<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn name(&self) -> OperationName {
        self.module.name(self.operation)
    }

    fn dictionaries(&mut self) -> Result<[Option<Attribute>; 2]> {
        let (module, operation) = (self.module, self.operation);
        Ok([module.properties(operation), module.attributes(operation)])
    }

    fn location(&mut self) -> Result<Location> {
        Ok(self.module.location(self.operation))
    }

    fn types(&mut self, subject: &Subject, into: &mut Vec<Type>) -> Result<()> {
        let (module, operation) = (self.module, self.operation);
        if *subject != Subject::Result {
            into.extend(module.operands(operation).map(|v| module.value_type(v)));
        }
        if *subject != Subject::Operand {
            into.extend(module.results(operation).map(|v| module.value_type(v)));
        }
        if *subject == Subject::Type {
            let blocks = module.regions(operation).flat_map(|r| module.blocks(r));
            let arguments = blocks.flat_map(|block: Block| module.arguments(block));
            into.extend(arguments.map(|(value, _)| module.value_type(value)));
        }
        Ok(())
    }

    fn number(&mut self, subject: &Subject) -> usize {
        let (module, operation) = (self.module, self.operation);
        match subject {
            Subject::Operands => module.operand_count(operation),
            Subject::Results => module.result_count(operation),
            Subject::Regions => module.regions(operation).len(),
            _ => {
                let results = module.results(operation);
                results.map(|result| module.uses(result).count()).sum()
            }
        }
    }

    fn is_symbol(&mut self, names: &[Pattern]) -> bool {
        self.has_path(self.operation, names)
    }

    fn is_in(&mut self, node: usize, names: &[Pattern]) -> bool {
        let mut climbed = Vec::new();
        let mut symbol = Some(self.operation);
        let found = loop {
            let Some(operation) = symbol else { break false };
            let known = self.inside.get(node).and_then(|m| m.get(operation.index()));
            if let Some(known) = known {
                break known;
            }
            climbed.push(operation);
            if self.has_path(operation, names) {
                break true;
            }
            symbol = self.outer_symbol(operation);
        };
        if let Some(memo) = self.inside.get_mut(node) {
            for operation in climbed {
                memo.set(operation.index(), found);
            }
        }
        found
    }
}

impl Operations<'_> {
    /// Returns the nearest operation around `operation` that is a symbol. Memoized, so that all
    /// calls together are linear in the operations.
    fn outer_symbol(&mut self, operation: Operation) -> Option<Operation> {
        let mut climbed = Vec::new();
        let mut inner = operation;
        let found = loop {
            if let Some(known) = self.outer.get(inner.index()).copied().flatten() {
                break known;
            }
            climbed.push(inner);
            let Some(parent) = self.module.parent_operation(inner) else {
                break None;
            };
            if self.module.symbol_name(self.context, parent).is_some() {
                break Some(parent);
            }
            inner = parent;
        };
        for operation in climbed {
            let index = operation.index();
            if index >= self.outer.len() {
                self.outer.resize((index + 1).next_power_of_two(), None);
            }
            if let Some(slot) = self.outer.get_mut(index) {
                *slot = Some(found);
            }
        }
        found
    }

    /// Returns whether an operation is a symbol whose last names match.
    fn has_path(&mut self, operation: Operation, names: &[Pattern]) -> bool {
        let mut symbol = Some(operation);
        for (nth, pattern) in names.iter().rev().enumerate() {
            let Some(operation) = symbol else {
                return false;
            };
            let name = self.module.symbol_name(self.context, operation);
            let matches = |name| pattern.matches(self.context.bytes(name));
            if !name.is_some_and(matches) {
                return false;
            }
            if nth + 1 < names.len() {
                symbol = self.outer_symbol(operation);
            }
        }
        true
    }
}

fn text_matches(check: &Check, text: &[u8]) -> bool {
    match check {
        Check::Text(pattern) => pattern.matches(text),
        _ => false,
    }
}

fn compares(check: &Check, number: i64) -> bool {
    match check {
        Check::Number(orderings, with) => orderings.contains(&Ord::cmp(&number, with)),
        _ => false,
    }
}

fn attribute_matches(context: &Context, check: &Check, attribute: Attribute) -> bool {
    match check {
        Check::Exists => true,
        Check::Number(..) => {
            let number = context.integer_value(attribute);
            number.is_some_and(|number| compares(check, number))
        }
        Check::Text(pattern) => {
            if let Some(text) = context.string_value(attribute)
                && pattern.matches(text)
            {
                return true;
            }
            let text = printed(|options, out| print_attribute(context, attribute, options, out));
            pattern.matches(&text)
        }
        Check::Path(_) => false,
    }
}

/// Returns the start of the text that `print` prints.
fn printed<E>(print: impl FnOnce(&PrintOptions, &mut Vec<u8>) -> Result<(), E>) -> Vec<u8> {
    let mut options = PrintOptions::default();
    options.local_scope = true;
    options.max_output = MOST_TEXT;
    let mut text = Vec::new();
    // A text that is too long is compared as far as it is printed.
    let _ = print(&options, &mut text);
    text
}

/// Returns whether a file position or name in a location matches. Linear in the locations.
fn location_matches(context: &Context, check: &Check, location: Location) -> bool {
    let Check::Text(pattern) = check else {
        return false;
    };
    let mut seen = HashSet::new();
    let mut open = vec![location];
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        let found = match context.location_kind(location) {
            LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                ..
            } => position_matches(pattern, context.bytes(file), start_line, start_column),
            LocationKind::Name { name, .. } => pattern.matches(context.bytes(name)),
            _ => false,
        };
        if found {
            return true;
        }
        context.for_each_child(location, |child| {
            if let Entry::Location(child) = child {
                open.push(child);
            }
        });
    }
    false
}

fn position_matches(pattern: &Pattern, file: &[u8], line: u32, column: u32) -> bool {
    let mut text = file.to_vec();
    if pattern.matches(&text) {
        return true;
    }
    text.extend_from_slice(format!(":{line}").as_bytes());
    if pattern.matches(&text) {
        return true;
    }
    text.extend_from_slice(format!(":{column}").as_bytes());
    pattern.matches(&text)
}

/// The sizes of constants: the bytes of the largest one in each attribute.
#[derive(Default)]
struct ConstantSizes(Vec<Option<u64>>);

impl ConstantSizes {
    /// Returns the size of the largest constant in an attribute. Each attribute is looked at once.
    fn largest(&mut self, context: &Context, attribute: Attribute) -> u64 {
        self.0
            .resize(context.attribute_count().max(self.0.len()), None);
        let mut open = vec![attribute];
        while let Some(&attribute) = open.last() {
            if self.get(attribute).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            let mut largest = own_size(context, attribute);
            context.for_each_child(attribute, |child| {
                if let Entry::Attribute(child) = child {
                    match self.get(child) {
                        Some(size) => largest = largest.max(size),
                        None => open.push(child),
                    }
                }
            });
            if open.len() == before {
                if let Some(slot) = self.0.get_mut(attribute.index()) {
                    *slot = Some(largest);
                } else {
                    // An attribute that was parsed meanwhile.
                    self.0.resize(attribute.index() + 1, None);
                }
            }
        }
        self.get(attribute).unwrap_or_default()
    }

    fn get(&self, attribute: Attribute) -> Option<u64> {
        self.0.get(attribute.index()).copied().flatten()
    }
}

/// Returns the bytes of the data that an attribute itself holds or names.
fn own_size(context: &Context, attribute: Attribute) -> u64 {
    match context.attribute_kind(attribute) {
        AttributeKind::DenseElements { data, .. } | AttributeKind::DenseArray { data, .. } => {
            data.len() as u64
        }
        AttributeKind::DenseStrings { values, .. } => {
            let sizes = values
                .iter()
                .map(|&value| context.bytes(value).len() as u64);
            sizes.sum()
        }
        AttributeKind::DenseText { literal, .. } => context.bytes(*literal).len() as u64,
        AttributeKind::DenseResource { resource, .. } => match &context.resource(*resource).value {
            Some(ResourceValue::Blob(blob)) => blob.data().len() as u64,
            Some(ResourceValue::String(text)) => text.len() as u64,
            _ => 0,
        },
        AttributeKind::String { value, .. } => context.bytes(*value).len() as u64,
        AttributeKind::Dialect { body, .. } => body.text().len() as u64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Query, find_events};
    use crate::events::{Visitor, visit_module};
    use std::ops::ControlFlow;

    const TEXT: &str = r#"
        module @outer {
          func.func @main(%x: tensor<4xbf16>, %n: i32) -> tensor<4xbf16> attributes {t.rank = 3 : i64} {
            %c = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32> loc("model.py":35:7)
            %s = arith.constant dense<1> : tensor<1000xi32> loc("layer/dot"("other.py":2:1))
            %0 = arith.addi %n, %n : i32 loc(fused["a.py":1:2, "b.py":3:4])
            %1 = "t.use"(%x, %0) {note = "hot", flag, of = @helper} : (tensor<4xbf16>, i32) -> tensor<4xbf16>
            return %1 : tensor<4xbf16>
          }
          func.func private @helper()
        }"#;

    /// Returns the number of operations that a predicate holds for. Those that are found by the
    /// events of the module and of both bytecode formats must be the same.
    fn count(query: &str) -> usize {
        let mut ir = crate::parse(TEXT).unwrap();
        let query = Query::parse(query).unwrap();
        let mut matcher = query.matcher(ir.op());
        let expected: Vec<u64> = (0..)
            .zip(ir.ops())
            .filter_map(|(number, op)| matcher.matches(op.id()).then_some(number))
            .collect();
        let events = |visit: &mut dyn FnMut(&mut dyn Visitor) -> crate::Result<()>| {
            let mut numbers = Vec::new();
            let queries = [&query, &query];
            find_events(&queries, visit, &mut |number, _| {
                numbers.push(number);
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
            numbers
        };
        let found = events(&mut |visitor| {
            let op = ir.op();
            Ok(visit_module(op.context, op.module, visitor)?)
        });
        assert_eq!(found, expected, "{query}");
        for form in [crate::Form::Rmbc, crate::Form::Mlirbc] {
            let bytes = ir.to_bytes(form, &crate::WriteOptions::default()).unwrap();
            let options = crate::ReadOptions::default();
            let file = crate::File::from_bytes(bytes, &options).unwrap();
            let mut context = options.context();
            let found = events(&mut |visitor| file.visit(&mut context, visitor));
            assert_eq!(found, expected, "{query} in {form:?}");
        }
        expected.len()
    }

    #[test]
    fn each_test_finds_what_it_describes() {
        for (query, expected) in [
            ("arith.*", 3),
            ("op = arith.constant", 2),
            ("\"arith.constant\"", 2),
            ("op ~ func", 3),
            ("dialect = func", 3),
            ("dialect != func", 5),
            ("symbol = main", 1),
            ("symbol = @main", 1),
            ("symbol = @outer::@main", 1),
            ("symbol = @inner::@main", 0),
            ("symbol = *", 3),
            ("in = main", 6),
            ("in = @outer", 8),
            ("in = @outer::helper", 1),
            ("attr = sym_*", 3),
            ("attr.flag", 1),
            ("attr.note = hot", 1),
            ("attr.note = \"\\\"hot\\\"\"", 1),
            ("attr.t.rank = 3", 0),
            ("attr.t.rank = \"3 : i64\"", 1),
            ("attr.t.rank >= 3", 1),
            ("attr.t.rank < 3", 0),
            ("operand = i32", 2),
            ("result ~ bf16", 1),
            ("type ~ bf16", 3),
            ("type = tensor<*xbf16>", 3),
            ("type = f32 or not type != f32", 0),
            ("loc ~ model.py:35", 1),
            ("loc = model.py", 1),
            ("loc = model.py:35", 1),
            ("loc = model.py:35:7", 1),
            ("loc = layer/*", 1),
            ("loc = b.py:3:4", 1),
            ("constant > 16 and arith.constant", 1),
            ("constant = 4 and arith.constant", 1),
            ("constant <= 1KiB and arith.constant", 2),
            ("operands = 2", 2),
            ("results = 0 and regions = 0", 1),
            ("uses = 0 and arith.constant", 2),
            ("func.func and not symbol = main", 1),
            ("not (arith.* or func.*) and results > 0", 1),
            ("arith.addi or arith.constant and constant > 16", 2),
            ("(arith.addi or arith.constant) and constant > 16", 1),
        ] {
            assert_eq!(count(query), expected, "{query}");
        }
    }

    #[test]
    fn boolean_operators_agree_with_truth_tables() {
        let operand = ["arith.*", "op ~ constant", "uses = 0"];
        let ir = crate::parse(TEXT).unwrap();
        let single: Vec<Vec<bool>> = operand
            .iter()
            .map(|text| {
                let query = Query::parse(text).unwrap();
                let mut matcher = query.matcher(ir.op());
                ir.ops().map(|op| matcher.matches(op.id())).collect()
            })
            .collect();
        let [a, b, c] = operand;
        type Rule = fn(bool, bool, bool) -> bool;
        let rules: [(String, Rule); 6] = [
            (format!("{a} and {b} or {c}"), |a, b, c| a && b || c),
            (format!("{a} or {b} and {c}"), |a, b, c| a || b && c),
            (format!("not {a} or {b}"), |a, b, _| !a || b),
            (format!("not ({a} or {b}) or {c}"), |a, b, c| !(a || b) || c),
            (format!("not not ({a} and not {b})"), |a, b, _| a && !b),
            (format!("({a} or {c}) and (not {b} or {c})"), |a, b, c| {
                c || a && !b
            }),
        ];
        for (text, rule) in rules {
            let query = Query::parse(&text).unwrap();
            let mut matcher = query.matcher(ir.op());
            for (nth, op) in ir.ops().enumerate() {
                let expected = rule(single[0][nth], single[1][nth], single[2][nth]);
                assert_eq!(matcher.matches(op.id()), expected, "{text}: {}", op.name());
            }
        }
    }
}
