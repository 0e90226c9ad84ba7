//! Lists the operations that the verifier cannot check completely, because rules of theirs are
//! upstream code.

use crate::{Context, Module, Operation, OperationName};

/// Why an operation is not checked completely; see [`unchecked_operations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VerifierCode {
    /// Its dialect verifies it with code that rmlir does not reproduce.
    Missing,
    /// It is unknown whether its dialect verifies it with code.
    Unknown,
    /// It has no definition: only the rules of all operations are checked.
    Undefined,
}

/// The operations of a name that [`verify`](super::verify) does not check completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UncheckedOperations {
    /// The name.
    pub name: OperationName,
    /// The number of such operations.
    pub count: usize,
    /// Why they are not checked completely.
    pub code: VerifierCode,
}

/// Counts the operations in `root` that [`verify`](super::verify) does not check completely.
///
/// The result is sorted by reason, then by name. Takes time linear in the operations and in the
/// operation names of the context.
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

/// Returns why operations of that name are not checked completely; `None` if they are.
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
