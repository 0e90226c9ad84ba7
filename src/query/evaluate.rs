//! Compares operations with predicates.

use super::Query;
use super::parse::{Check, FALSE, Subject, TRUE, Test};
use super::pattern::Pattern;
use crate::ir::{AttributeKind, Context, Entry, LocationKind, Module, ResourceValue};
use crate::text::{PrintOptions, print_attribute, print_type};
use crate::{Attribute, Block, Location, Op, Operation, Type};
use std::collections::HashSet;

/// The number of bytes of a type or attribute that are compared. Shared parts of a graph can denote
/// terabytes of text.
const MOST_TEXT: u64 = 1 << 20;

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
    query: &'a Query,
    context: &'a Context,
    module: &'a Module,
    /// For each node of the query.
    memos: Vec<Memo>,
    /// The size of the largest constant in each attribute.
    constants: ConstantSizes,
    /// For each operation, the nearest symbol around it; see [`outer_symbol`](Self::outer_symbol).
    outer: Vec<Option<Option<Operation>>>,
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

impl<'a> Matcher<'a> {
    pub(super) fn new(query: &'a Query, top: Op<'a>) -> Self {
        Matcher {
            query,
            context: top.context,
            module: top.module,
            memos: query.nodes.iter().map(|_| Memo::default()).collect(),
            constants: ConstantSizes::default(),
            outer: Vec::new(),
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
        let query = self.query;
        let mut at = query.entry;
        loop {
            match at {
                TRUE => return true,
                FALSE => return false,
                _ => {}
            }
            let Some(node) = query.nodes.get(at as usize) else {
                debug_assert!(false, "a node leads to none");
                return false;
            };
            let holds = self.test(at as usize, &node.test, operation) != node.test.negated;
            let [falses, trues] = node.next;
            at = if holds { trues } else { falses };
        }
    }

    fn test(&mut self, node: usize, test: &Test, operation: Operation) -> bool {
        let (context, module) = (self.context, self.module);
        let count =
            |number: usize| compares(&test.check, i64::try_from(number).unwrap_or(i64::MAX));
        match &test.subject {
            Subject::Op => {
                let name = module.name(operation);
                self.memoized(node, name.index(), |_| {
                    text_matches(&test.check, context.operation_name_bytes(name))
                })
            }
            Subject::Dialect => {
                let name = module.name(operation);
                self.memoized(node, name.index(), |_| {
                    let dialect = context.operation_dialect(name);
                    text_matches(&test.check, context.bytes(dialect))
                })
            }
            Subject::Symbol => self.is_symbol(test, operation),
            Subject::In => self.is_in(node, test, operation),
            Subject::Attr => self.any_dictionary(node, operation, |_, dictionary| {
                let entries = context.dictionary_entries(dictionary).iter();
                let mut names = entries.map(|&(name, _)| context.bytes(name));
                names.any(|name| text_matches(&test.check, name))
            }),
            Subject::Attribute(name) => self.any_dictionary(node, operation, |_, dictionary| {
                let value = context.dictionary_get(dictionary, name);
                value.is_some_and(|value| attribute_matches(context, &test.check, value))
            }),
            Subject::Constant => self.any_dictionary(node, operation, |matcher, dictionary| {
                let size = matcher.constants.largest(context, dictionary);
                compares(&test.check, i64::try_from(size).unwrap_or(i64::MAX))
            }),
            Subject::Operand => {
                let mut types = module.operands(operation).map(|v| module.value_type(v));
                types.any(|ty| self.type_matches(node, test, ty))
            }
            Subject::Result => {
                let mut types = module.results(operation).map(|v| module.value_type(v));
                types.any(|ty| self.type_matches(node, test, ty))
            }
            Subject::Type => {
                let blocks = module.regions(operation).flat_map(|r| module.blocks(r));
                let arguments = blocks.flat_map(|block: Block| module.arguments(block));
                let mut values = module
                    .operands(operation)
                    .chain(module.results(operation))
                    .chain(arguments.map(|(value, _)| value));
                values.any(|value| self.type_matches(node, test, module.value_type(value)))
            }
            Subject::Loc => {
                let location = module.location(operation);
                self.memoized(node, location.index(), |_| {
                    location_matches(context, &test.check, location)
                })
            }
            Subject::Operands => count(module.operand_count(operation)),
            Subject::Results => count(module.result_count(operation)),
            Subject::Regions => count(module.regions(operation).len()),
            Subject::Uses => {
                let results = module.results(operation);
                count(results.map(|result| module.uses(result).count()).sum())
            }
        }
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
        operation: Operation,
        mut test: impl FnMut(&mut Self, Attribute) -> bool,
    ) -> bool {
        let (properties, attributes) = (
            self.module.properties(operation),
            self.module.attributes(operation),
        );
        let mut dictionaries = properties.into_iter().chain(attributes);
        dictionaries.any(|dictionary| {
            self.memoized(node, dictionary.index(), |matcher| {
                test(matcher, dictionary)
            })
        })
    }

    fn type_matches(&mut self, node: usize, test: &Test, ty: Type) -> bool {
        let context = self.context;
        self.memoized(node, ty.index(), |_| {
            let text = printed(|options, out| print_type(context, ty, options, out));
            text_matches(&test.check, &text)
        })
    }

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
    fn is_symbol(&mut self, test: &Test, operation: Operation) -> bool {
        let Check::Path(names) = &test.check else {
            return false;
        };
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

    /// Returns whether an operation is such a symbol, or is nested in one.
    fn is_in(&mut self, node: usize, test: &Test, operation: Operation) -> bool {
        let mut climbed = Vec::new();
        let mut symbol = Some(operation);
        let found = loop {
            let Some(operation) = symbol else { break false };
            let known = self.memos.get(node).and_then(|m| m.get(operation.index()));
            if let Some(known) = known {
                break known;
            }
            climbed.push(operation);
            if self.is_symbol(test, operation) {
                break true;
            }
            symbol = self.outer_symbol(operation);
        };
        if let Some(memo) = self.memos.get_mut(node) {
            for operation in climbed {
                memo.set(operation.index(), found);
            }
        }
        found
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
    use super::super::Query;

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

    fn count(query: &str) -> usize {
        let ir = crate::parse(TEXT).unwrap();
        let query = Query::parse(query).unwrap();
        query.find(ir.op()).count()
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
