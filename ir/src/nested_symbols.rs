//! The symbols of a module at every depth.

use crate::{Context, Identifier, Module, Operation, Visibility};

/// A symbol of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedSymbol {
    /// Its name.
    pub name: Identifier,
    /// The index of the enclosing symbol in the list that this one is from; `None` for a symbol of
    /// the top.
    pub parent: Option<usize>,
    /// The operation.
    pub operation: Operation,
    /// The visibility, which determines where the symbol may be referred to.
    pub visibility: Visibility,
    /// Whether it is a symbol table, whose symbols are listed as well.
    pub is_table: bool,
}

impl NestedSymbol {
    /// Returns the names from the outermost symbol below the top to this one: `@a::@b` has two.
    /// `all` is the list that this symbol is from. O(names).
    pub fn path(&self, all: &[NestedSymbol]) -> Vec<Identifier> {
        let parent = |symbol: &&NestedSymbol| symbol.parent.and_then(|parent| all.get(parent));
        let mut names: Vec<Identifier> = std::iter::successors(Some(self), parent)
            .map(|symbol| symbol.name)
            .collect();
        names.reverse();
        names
    }
}

/// Returns all symbols of a module in the order of its text, those of a table following those of
/// the enclosing one, so that each follows its parent. Symbols in symbol tables without a name
/// cannot be referred to from outside and are left out. Linear in the operations.
pub fn nested_symbols(context: &Context, module: &Module) -> Vec<NestedSymbol> {
    let mut found: Vec<NestedSymbol> = Vec::new();
    // Symbol tables whose symbols are still to be listed, the next one last.
    let mut open = vec![(module.top(), None)];
    while let Some((table, parent)) = open.pop() {
        let first = open.len();
        for region in module.regions(table) {
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    let Some(name) = module.symbol_name(context, operation) else {
                        continue;
                    };
                    let is_table = module.is_symbol_table(context, operation);
                    if is_table {
                        open.push((operation, Some(found.len())));
                    }
                    found.push(NestedSymbol {
                        name,
                        parent,
                        operation,
                        visibility: module.symbol_visibility(context, operation),
                        is_table,
                    });
                }
            }
        }
        open[first..].reverse();
    }
    found
}

/// Returns the operations directly in the top-level operation that are not symbols, in order.
/// Together with the [symbols](nested_symbols) of the top they are the whole content of the module.
pub fn unnamed_operations<'m>(
    context: &'m Context,
    module: &'m Module,
) -> impl Iterator<Item = Operation> + 'm {
    let blocks = module
        .regions(module.top())
        .flat_map(|region| module.blocks(region));
    blocks
        .flat_map(|block| module.operations(block))
        .filter(|&operation| module.symbol_name(context, operation).is_none())
}
