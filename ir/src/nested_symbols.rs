//! The symbols of a module at every depth.

use crate::{Context, Identifier, Module, Operation, Visibility};

/// A symbol of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedSymbol {
    /// Its names from the outermost one below the top on: `@a::@b` has two.
    pub path: Vec<Identifier>,
    /// The operation.
    pub operation: Operation,
    /// From where it may be referred to.
    pub visibility: Visibility,
}

/// All symbols of a module in the order of its text, those of a table behind those of the one around it. Those in symbol
/// tables without a name can't be referred to from outside and are left out. Linear in the operations, and the
/// lengths of paths.
pub fn nested_symbols(context: &Context, module: &Module) -> Vec<NestedSymbol> {
    let mut found = Vec::new();
    // Symbol tables whose symbols are still to be listed, the next one last.
    let mut open = vec![(module.top(), Vec::new())];
    while let Some((table, path)) = open.pop() {
        let mut inside = Vec::new();
        for region in module.regions(table) {
            for block in module.blocks(region) {
                for operation in module.operations(block) {
                    let Some(name) = module.symbol_name(context, operation) else {
                        continue;
                    };
                    let mut path = path.clone();
                    path.push(name);
                    inside.push(NestedSymbol {
                        path,
                        operation,
                        visibility: module.symbol_visibility(context, operation),
                    });
                }
            }
        }
        for symbol in inside.iter().rev() {
            if module.is_symbol_table(context, symbol.operation) {
                open.push((symbol.operation, symbol.path.clone()));
            }
        }
        found.extend(inside);
    }
    found
}

/// The operations directly in the top-level operation that are not symbols, in the order of the
/// module. With the [symbols](nested_symbols) of the top they are all that the module consists of.
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
