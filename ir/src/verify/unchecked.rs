//! What the verifier cannot check: operations with rules that are code elsewhere.

use crate::{Context, Module, Operation, OperationName};

/// Whether the rules of an operation are all known here; see [`unchecked_operations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VerifierCode {
    /// Its dialect verifies it by code that is not part of this program.
    Missing,
    /// Whether its dialect verifies it by code is not known.
    Unknown,
    /// It has no definition: only the rules that hold for all operations are checked.
    Undefined,
}

/// The operations of a name that [`verify`](super::verify) does not check completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UncheckedOperations {
    /// The name.
    pub name: OperationName,
    /// How many there are.
    pub count: usize,
    /// What is not checked.
    pub code: VerifierCode,
}

/// Counts the operations in `root` of which [`verify`](super::verify) does not check all rules, by
/// name, sorted by what is missing and then by name. Linear in the operations and the operation
/// names of the context.
pub fn unchecked_operations(
    context: &Context,
    module: &Module,
    root: Operation,
) -> Vec<UncheckedOperations> {
    let mut counts = vec![0usize; context.operation_name_count()];
    for operation in module.descendants(root) {
        if let Some(count) = counts.get_mut(module.name(operation).index()) {
            *count = count.saturating_add(1);
        }
    }
    let counted = context.operation_names().zip(counts);
    let mut found: Vec<UncheckedOperations> = counted
        .filter(|&(_, count)| count != 0)
        .filter_map(|(name, count)| {
            let code = verifier_code(context, name)?;
            Some(UncheckedOperations { name, count, code })
        })
        .collect();
    found.sort_by_key(|of| (of.code, context.operation_name_bytes(of.name)));
    found
}

/// What is missing to check an operation of that name; none if nothing is.
fn verifier_code(context: &Context, name: OperationName) -> Option<VerifierCode> {
    let Some(definition) = context.operation_definition(name) else {
        return Some(VerifierCode::Undefined);
    };
    if definition.verifier.is_some() {
        return None;
    }
    let dialect = context.dialect(context.bytes(context.operation_dialect(name)))?;
    match &dialect.verifiers {
        None => Some(VerifierCode::Unknown),
        Some(names) if names.contains(&definition.mnemonic) => Some(VerifierCode::Missing),
        Some(_) => None,
    }
}
