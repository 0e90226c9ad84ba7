//! What is computed of the operations of a module before their rows are made.

use rmlir::format::rmbc::MAX_HASHED_DEPTH;
use rmlir::ir::{
    Context, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation, WalkStep,
};
use std::collections::HashMap;

/// The fingerprints of an operation.
pub(super) struct Fingerprints {
    pub(super) with_names: Fingerprint,
    /// With the names of all symbols in the module made equal where they are defined.
    pub(super) without_names: Fingerprint,
}

/// Returns the numbers of operations of the symbols in `root`, including itself.
pub(super) fn sizes(
    context: &Context,
    module: &Module,
    root: Operation,
) -> HashMap<Operation, i64> {
    let (mut sizes, mut open, mut count) = (HashMap::new(), Vec::new(), 0i64);
    for step in module.traverse(root) {
        match step {
            WalkStep::EnterOperation(_) => {
                open.push(count);
                count = count.saturating_add(1);
            }
            WalkStep::LeaveOperation(operation) => {
                let before = open.pop().unwrap_or_default();
                if module.symbol_name(context, operation).is_some() {
                    sizes.insert(operation, count.saturating_sub(before));
                }
            }
            _ => {}
        }
    }
    sizes
}

/// Returns the fingerprints of the symbols in `root`, of `root` itself if it is the top-level
/// operation, or of all operations. Those in too many symbols are left out, since each hashes
/// everything nested in it.
pub(super) fn fingerprints(
    context: &mut Context,
    module: &mut Module,
    root: Operation,
    all: bool,
) -> HashMap<Operation, Fingerprints> {
    let is_whole = root == module.top();
    let mut symbols = Vec::new();
    let mut wanted = Vec::new();
    // Whether each enclosing operation is a symbol.
    let (mut around, mut depth) = (Vec::new(), 0u32);
    for step in module.traverse(root) {
        let operation = match step {
            WalkStep::EnterOperation(operation) => operation,
            WalkStep::LeaveOperation(_) => {
                depth = depth.saturating_sub(u32::from(around.pop() == Some(true)));
                continue;
            }
            _ => continue,
        };
        let is_top = operation == module.top();
        let name = module.symbol_name(context, operation);
        symbols.extend(name.map(|name| (operation, name)));
        let is_symbol = name.is_some() && !is_top;
        around.push(is_symbol);
        depth = depth.saturating_add(u32::from(is_symbol));
        let is_asked = all || name.is_some() || is_whole && is_top;
        if is_asked && depth <= MAX_HASHED_DEPTH {
            wanted.push(operation);
        }
    }
    let options = FingerprintOptions { locations: false };
    let hashes = |context: &_, module: &_| {
        let mut fingerprinter = Fingerprinter::new(context, &options);
        let hashes = wanted.iter();
        hashes
            .map(|&operation| fingerprinter.fingerprint(module, operation))
            .collect::<Vec<_>>()
    };
    let with_names = hashes(context, module);
    let none = context.identifier("_");
    for &(operation, _) in &symbols {
        // A symbol whose name cannot be changed keeps it.
        let _ = module.set_symbol_name(context, operation, none);
    }
    let without_names = hashes(context, module);
    for &(operation, name) in &symbols {
        let _ = module.set_symbol_name(context, operation, name);
    }
    let hashes = with_names.into_iter().zip(without_names);
    let hashes = wanted.iter().zip(hashes);
    let hashes = hashes.map(|(&operation, (with_names, without_names))| {
        let fingerprints = Fingerprints {
            with_names,
            without_names,
        };
        (operation, fingerprints)
    });
    hashes.collect()
}
