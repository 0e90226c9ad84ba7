//! `rmlir extract`: some symbols of a module.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::load::LoadOptions;
use crate::save::SaveOptions;
use crate::symbols::{SymbolIndex, find};
use clap::Args;
use rmlir::ir::{
    AttributeKind, Context, Entry, EntryWalker, Module, Operation, Resource, ValueDefinition,
    WalkOrder, WalkResult,
};
use std::collections::HashSet;

/// Extract symbols, with what they refer to and the modules around them.
#[derive(Args, Debug)]
pub struct Extract {
    /// The input; `-` is standard input
    input: String,
    /// The symbols: `@main`, `@outer::@inner`, or `main` for `@main`
    #[arg(required = true)]
    symbols: Vec<String>,
    /// Leave out what the symbols refer to, so that the references stay open
    #[arg(long)]
    no_references: bool,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: LoadOptions,
}

impl Run for Extract {
    fn load_options(&self) -> &LoadOptions {
        &self.load
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut loaded = Loaded::read(&self.load, &self.input)?;
        let wanted = find(&mut loaded.context, &loaded.module, &self.symbols)?;
        let wanted: Vec<Operation> = wanted.iter().map(|s| s.operation).collect();
        extract(
            &loaded.context,
            &mut loaded.module,
            &wanted,
            !self.no_references,
        );
        self.save.save(&mut loaded.context, &loaded.module)?;
        Ok(ExitStatus::Success)
    }
}

/// Erases from the module what `wanted` does not need: neither in them, nor around them, nor, with
/// `references`, referred to by what is kept. Linear in the operations and references.
fn extract(context: &Context, module: &mut Module, wanted: &[Operation], references: bool) {
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
}

/// Whether a block needs the operation.
fn is_terminator(context: &Context, module: &Module, operation: Operation) -> bool {
    context
        .operation_traits(module.name(operation))
        .is_some_and(|traits| traits.contains(rmlir::ir::OperationTraits::TERMINATOR))
}

/// The resources that the attributes and types of a module refer to.
pub(super) fn used_resources(context: &Context, module: &Module) -> HashSet<Resource> {
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
    }
    used
}
