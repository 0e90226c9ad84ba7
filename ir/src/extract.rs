//! Extracts parts of modules: some operations and everything that they need.

use crate::declaration::SymbolRules;
use crate::error::Invalid;
use crate::symbol_table::{SeenEntries, UseFinder};
use crate::{
    AttributeKind, Context, Entry, EntryWalker, Identifier, Module, Operation, OperationTraits,
    Resource, SymbolTableCollection, ValueDefinition, WalkOrder, WalkResult, WalkStep,
};
use std::collections::{HashMap, HashSet, VecDeque};

/// Erases everything from the module that `wanted` does not need.
///
/// It keeps `wanted`, the enclosing operations, known terminators of the enclosing blocks, the
/// definitions of values that kept operations use, and, with `references`, the symbols that all of
/// these refer to. Resources without remaining references are removed from the module's provenance.
/// Linear in the number of operations and references.
pub fn extract(context: &Context, module: &mut Module, wanted: &[Operation], references: bool) {
    // Operations that are kept with their content.
    let whole = needed(context, module, wanted, references);
    erase_others(context, module, whole);
}

/// Erases everything from the module that `wanted` does not need, and leaves declarations of the
/// symbols that it refers to.
///
/// It is [`extract`] with declarations instead of bodies. A symbol whose definition does not state
/// how it is [declared](Module::create_declaration) is kept with its content, and with declarations
/// of the symbols that it refers to; so is one that must be a definition there, such as the
/// resolver of an `llvm.mlir.ifunc`, or a symbol inside which something is referred to, such as
/// `@m` of `#hw.innerNameRef<@m::@wire>`.
///
/// # Errors
///
/// Does not fail in a module that keeps its invariants.
pub fn extract_with_declarations(
    context: &mut Context,
    module: &mut Module,
    wanted: &[Operation],
) -> Result<(), Invalid> {
    let mut needs = Needs::new(context, module, true);
    let mut rules = SymbolRules::default();
    let mut around: HashSet<Operation> = HashSet::new();
    for &operation in wanted {
        let mut outer = module.parent_operation(operation);
        while let Some(parent) = outer.filter(|&parent| around.insert(parent)) {
            outer = module.parent_operation(parent);
        }
    }
    // With whether it is only referred to.
    let mut open: VecDeque<(Operation, bool)> = wanted.iter().map(|&one| (one, false)).collect();
    needs.add_around(context, module, wanted, |found, referred| {
        open.push_back((found, referred));
    });
    let mut declared: Vec<(Operation, Operation)> = Vec::new();
    let mut is_declared: HashSet<Operation> = HashSet::new();
    while let Some((operation, referred)) = open.pop_front() {
        if referred {
            if needs.inside.contains(&operation)
                || around.contains(&operation)
                || !is_declared.insert(operation)
            {
                continue;
            }
            let declaration = module.create_declaration_by(context, operation, &mut rules)?;
            if let Some(declaration) = declaration {
                module.insert_before(operation, declaration)?;
                declared.push((operation, declaration));
                open.push_back((declaration, false));
                continue;
            }
        }
        needs.add(context, module, operation, |found, referred| {
            open.push_back((found, referred));
        });
    }
    let mut whole = needs.whole;
    // Those that are kept with an enclosing symbol need no declaration.
    let mut surplus: HashSet<Operation> = HashSet::new();
    for (operation, declaration) in declared {
        if needs.inside.contains(&operation) {
            surplus.insert(declaration);
        }
    }
    whole.retain(|operation| !surplus.contains(operation));
    let mut surplus: Vec<Operation> = surplus.into_iter().collect();
    surplus.sort_unstable();
    for declaration in surplus {
        module.erase_operation(declaration)?;
    }
    erase_others(context, module, whole);
    Ok(())
}

/// Erases all but some operations, what encloses them, and terminators.
fn erase_others(context: &Context, module: &mut Module, whole: Vec<Operation>) {
    // Enclosing operations: of their content, only operations in `whole` or `around` are kept.
    let mut around: HashSet<Operation> = HashSet::from([module.top()]);
    for &operation in &whole {
        let mut parent = module.parent_operation(operation);
        while let Some(outer) = parent {
            if !around.insert(outer) {
                break;
            }
            parent = module.parent_operation(outer);
        }
    }
    let whole: HashSet<Operation> = whole.into_iter().collect();
    // Operations to erase: those in the blocks of enclosing operations that are neither in `whole`
    // nor `around`.
    let mut gone = Vec::new();
    let mut open = vec![module.top()];
    while let Some(outer) = open.pop() {
        if whole.contains(&outer) {
            continue;
        }
        for region in module.regions(outer) {
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    if around.contains(&operation) {
                        open.push(operation);
                    } else if !whole.contains(&operation)
                        && !is_terminator(context, module, operation)
                    {
                        gone.push(operation);
                    }
                }
            }
        }
    }
    // The last ones are erased first: only operations to be erased use their values.
    let mut left = gone;
    while !left.is_empty() {
        let before = left.len();
        left = left
            .into_iter()
            .rev()
            .filter(|&operation| module.erase_operation(operation).is_err())
            .collect();
        if left.len() == before {
            // Graph regions allow cycles of values: these operations stay.
            break;
        }
    }
    let used = used_resources(context, module);
    module.provenance.resources.retain(|r| used.contains(r));
    // They may refer to erased operations.
    module.provenance.sections.clear();
}

/// Returns operations that are symbols, and the symbols that they refer to, directly or
/// transitively.
///
/// Each occurs once, the given ones first. Symbols nested in these are not added. Dangling
/// references are skipped. Linear in the number of operations and references.
pub fn with_references(
    context: &Context,
    module: &Module,
    symbols: &[Operation],
) -> Vec<Operation> {
    needed(context, module, symbols, true)
}

/// Returns the operations that `wanted` needs with their content.
///
/// These are `wanted`, the outer definitions of values that are used in them, and, with
/// `references`, symbols. Each operation of the module is visited at most twice.
fn needed(
    context: &Context,
    module: &Module,
    wanted: &[Operation],
    references: bool,
) -> Vec<Operation> {
    let mut needs = Needs::new(context, module, references);
    let mut open: VecDeque<Operation> = wanted.iter().copied().collect();
    needs.add_around(context, module, wanted, |found, _| open.push_back(found));
    while let Some(operation) = open.pop_front() {
        needs.add(context, module, operation, |found, _| open.push_back(found));
    }
    needs.whole
}

/// Collects operations that are needed with their content.
struct Needs {
    references: bool,
    index: SymbolIndex,
    tables: SymbolTableCollection,
    finder: UseFinder,
    /// For each symbol table, and whether the symbols must be definitions: the attributes and types
    /// whose references were followed, and the attributes whose strings were.
    followed: HashMap<(Operation, bool), [SeenEntries; 2]>,
    whole: Vec<Operation>,
    /// The operations that are needed with their content, and the operations nested in them.
    inside: HashSet<Operation>,
}

impl Needs {
    fn new(context: &Context, module: &Module, references: bool) -> Self {
        Needs {
            references,
            index: match references {
                true => SymbolIndex::new(context, module),
                false => SymbolIndex::default(),
            },
            tables: SymbolTableCollection::new(),
            finder: UseFinder::default(),
            followed: HashMap::new(),
            whole: Vec::new(),
            inside: HashSet::new(),
        }
    }

    /// Adds an operation, unless it is known. Calls `found` for each operation that it needs, with
    /// whether it is a symbol that it refers to and that may be a declaration.
    fn add(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        mut found: impl FnMut(Operation, bool),
    ) {
        if !self.inside.insert(operation) {
            return;
        }
        self.whole.push(operation);
        let mut added = vec![operation];
        let mut steps = module.traverse(operation);
        while let Some(step) = steps.next() {
            if let WalkStep::EnterOperation(inner) = step
                && inner != operation
            {
                match self.inside.insert(inner) {
                    true => added.push(inner),
                    false => steps.skip_content(),
                }
            }
        }
        // Operations that must refer to definitions, with those nested in them.
        let mut needing: HashSet<Operation> = HashSet::new();
        for &inner in &added {
            let definition = context.operation_definition(module.name(inner));
            let needs =
                definition.is_some_and(|one| one.refers_to_definitions_in(context.release()));
            let parent = module.parent_operation(inner);
            let whole = needs || parent.is_some_and(|parent| needing.contains(&parent));
            if whole {
                needing.insert(inner);
            }
            for value in module.operands(inner) {
                if let ValueDefinition::Result(from, _) = module.definition(value)
                    && !self.inside.contains(&from)
                {
                    found(from, false);
                }
            }
            self.add_references(context, module, inner, whole, &mut found);
        }
    }

    /// Calls `found` for each symbol to which attributes of operations refer that stay around some
    /// operations, with whether it may be a declaration.
    fn add_around(
        &mut self,
        context: &Context,
        module: &Module,
        operations: &[Operation],
        mut found: impl FnMut(Operation, bool),
    ) {
        let mut around: HashSet<Operation> = HashSet::new();
        let mut symbols: Vec<(Operation, bool)> = Vec::new();
        for &operation in operations {
            let mut outer = module.parent_operation(operation);
            while let Some(parent) = outer.filter(|&parent| around.insert(parent)) {
                self.add_references(context, module, parent, false, &mut |symbol, referred| {
                    symbols.push((symbol, referred));
                });
                outer = module.parent_operation(parent);
            }
        }
        symbols.retain(|(symbol, _)| !around.contains(symbol));
        for (symbol, referred) in symbols {
            found(symbol, referred);
        }
    }

    /// Calls `found` for each symbol to which the attributes of an operation refer, with whether it
    /// may be a declaration; `whole` is whether all must be definitions.
    fn add_references(
        &mut self,
        context: &Context,
        module: &Module,
        operation: Operation,
        whole: bool,
        found: &mut impl FnMut(Operation, bool),
    ) {
        if !self.references {
            return;
        }
        // The attributes of a symbol table refer to symbols around it, but for the outermost one.
        let parent = module.parent_operation(operation);
        let scope = match self.tables.is_symbol_table(context, module, operation) {
            true => parent.unwrap_or(operation),
            false => operation,
        };
        // The symbols of a symbol table that is needed with its content are present anyway.
        let table = self.tables.nearest_symbol_table(context, module, scope);
        let Some(table) = table.filter(|table| !self.inside.contains(table)) else {
            return;
        };
        let [seen, strings] = self.followed.entry((table, whole)).or_default();
        let roots = [module.properties(operation), module.attributes(operation)];
        for root in roots.into_iter().flatten() {
            self.finder.each_path(context, root, seen, |path| {
                if let Some((symbol, is_last)) = self.index.lookup(table, path) {
                    found(symbol, is_last && !whole);
                }
            });
        }
        self.finder
            .each_declared(context, module, operation, strings, |name| {
                if let Some((symbol, _)) = self.index.lookup(table, &[name]) {
                    found(symbol, !whole);
                }
            });
    }
}

/// Returns whether a block needs the operation as its terminator.
fn is_terminator(context: &Context, module: &Module, operation: Operation) -> bool {
    context
        .operation_traits(module.name(operation))
        .is_some_and(|traits| traits.contains(OperationTraits::TERMINATOR))
}

/// Returns the resources that the attributes and types of a module refer to. Linear in the number
/// of operations, attributes and types.
pub fn used_resources(context: &Context, module: &Module) -> HashSet<Resource> {
    used_resources_of(context, module, &[module.top()])
}

/// [`used_resources`] of some operations and what is nested in them.
pub(crate) fn used_resources_of(
    context: &Context,
    module: &Module,
    roots: &[Operation],
) -> HashSet<Resource> {
    let mut used = HashSet::new();
    each_entry(context, module, roots, |entry| {
        if let Entry::Attribute(attribute) = entry
            && let AttributeKind::DenseResource { resource, .. } = context.attribute_kind(attribute)
        {
            used.insert(*resource);
        }
    });
    used
}

/// Calls `each` once for each attribute, type and location of some operations and of the operations
/// nested in them. Linear in the number of operations and of these entries.
pub(crate) fn each_entry(
    context: &Context,
    module: &Module,
    roots: &[Operation],
    mut each: impl FnMut(Entry),
) {
    let mut walker = EntryWalker::new();
    let mut visit = |entry: Entry| {
        walker.walk(context, entry, WalkOrder::PreOrder, |entry| {
            each(entry);
            WalkResult::Advance
        });
    };
    for operation in roots.iter().flat_map(|&root| module.descendants(root)) {
        let attributes = [module.attributes(operation), module.properties(operation)];
        attributes
            .into_iter()
            .flatten()
            .for_each(|a| visit(Entry::Attribute(a)));
        visit(Entry::Location(module.location(operation)));
        for value in module.results(operation) {
            visit(Entry::Type(module.value_type(value)));
        }
        for region in module.regions(operation) {
            for (value, location) in module.blocks(region).flat_map(|b| module.arguments(b)) {
                visit(Entry::Type(module.value_type(value)));
                visit(Entry::Location(location));
            }
        }
    }
}

/// Maps symbol table and name to the symbol, for all symbol tables of a module.
#[derive(Default)]
struct SymbolIndex(HashMap<(Operation, Identifier), Operation>);

impl SymbolIndex {
    /// Builds the index. Linear in the number of operations.
    fn new(context: &Context, module: &Module) -> Self {
        let mut index = HashMap::new();
        for operation in module.descendants(module.top()) {
            if let Some(name) = module.symbol_name(context, operation)
                && let Some(table) = module.parent_operation(operation)
            {
                index.entry((table, name)).or_insert(operation);
            }
        }
        SymbolIndex(index)
    }

    /// Returns the symbol that a path denotes in a symbol table, and true. Where the rest of a path
    /// denotes no symbol, it is the symbol that the first names denote, and false: a `gpu.binary`
    /// in `@binary::@kernel`, the `hw.module` in `#hw.innerNameRef<@m::@wire>`.
    fn lookup(&self, table: Operation, path: &[Identifier]) -> Option<(Operation, bool)> {
        let mut found = None;
        for &name in path {
            let outer = found.unwrap_or(table);
            let Some(&next) = self.0.get(&(outer, name)) else {
                return Some((found?, false));
            };
            found = Some(next);
        }
        Some((found?, true))
    }
}
