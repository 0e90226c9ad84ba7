//! Parts of modules: some operations with what they need, and nothing else.

use crate::{
    AttributeKind, Context, Entry, EntryWalker, Identifier, Module, Operation, OperationTraits,
    Resource, ValueDefinition, WalkOrder, WalkResult,
};
use std::collections::{HashMap, HashSet};

/// Erases from the module what `wanted` does not need. Kept are they, the operations around them, terminators of the
/// blocks around as far as operations are known to be such, what defines values that are used by what is kept,
/// and, with `references`, the symbols that it refers to. Resources that nothing refers to any more leave the
/// module's provenance. Linear in the operations and references.
pub fn extract(context: &Context, module: &mut Module, wanted: &[Operation], references: bool) {
    let index = SymbolIndex::new(context, module);
    // Operations that are kept whole.
    let mut whole: HashSet<Operation> = HashSet::new();
    // Operations of which only that is kept which is in `whole` or around it.
    let mut around: HashSet<Operation> = HashSet::from([module.top()]);
    let mut open: Vec<Operation> = wanted.to_vec();
    while let Some(operation) = open.pop() {
        if !whole.insert(operation) {
            continue;
        }
        let mut parent = module.parent_operation(operation);
        while let Some(outer) = parent {
            if !around.insert(outer) {
                break;
            }
            parent = module.parent_operation(outer);
        }
        if references {
            for used in module.symbol_uses(context, operation) {
                open.extend(index.lookup(context, module, used.operation, &used.path));
            }
        }
        // Values from outside, where the region allows that.
        let inside: HashSet<Operation> = module.descendants(operation).collect();
        for inner in module.descendants(operation) {
            for value in module.operands(inner) {
                if let ValueDefinition::Result(from, _) = module.definition(value)
                    && !inside.contains(&from)
                {
                    open.push(from);
                }
            }
        }
    }
    // What goes: in the blocks of the operations around, what is neither whole nor around.
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
    // The last ones first, since nothing that is kept uses their values, and they only each other's.
    let mut left = gone;
    while !left.is_empty() {
        let before = left.len();
        left = left
            .into_iter()
            .rev()
            .filter(|&operation| module.erase_operation(operation).is_err())
            .collect();
        if left.len() == before {
            // Values in a circle, as graph regions allow: they stay.
            break;
        }
    }
    let used = used_resources(context, module);
    module.provenance.resources.retain(|r| used.contains(r));
    // They may tell of what is no longer there.
    module.provenance.sections.clear();
}

/// Whether a block needs the operation.
fn is_terminator(context: &Context, module: &Module, operation: Operation) -> bool {
    context
        .operation_traits(module.name(operation))
        .is_some_and(|traits| traits.contains(OperationTraits::TERMINATOR))
}

/// The resources that the attributes and types of a module refer to. Linear in operations and entries.
pub fn used_resources(context: &Context, module: &Module) -> HashSet<Resource> {
    let mut used = HashSet::new();
    let mut walker = EntryWalker::new();
    let mut visit = |entry: Entry| {
        walker.walk(context, entry, WalkOrder::PreOrder, |entry| {
            if let Entry::Attribute(attribute) = entry
                && let AttributeKind::DenseResource { resource, .. } =
                    context.attribute_kind(attribute)
            {
                used.insert(*resource);
            }
            WalkResult::Advance
        });
    };
    for operation in module.descendants(module.top()) {
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
    used
}

/// The symbols of all symbol tables of a module by table and name.
struct SymbolIndex(HashMap<(Operation, Identifier), Operation>);

impl SymbolIndex {
    /// Linear in the operations.
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

    /// What a path stands for in an operation: it is looked up in the nearest symbol table.
    fn lookup(
        &self,
        context: &Context,
        module: &Module,
        from: Operation,
        path: &[Identifier],
    ) -> Option<Operation> {
        let table = module.nearest_symbol_table(context, from)?;
        path.iter()
            .try_fold(table, |table, &name| self.0.get(&(table, name)).copied())
    }
}
