//! Lists the operations that the verifier cannot check completely, because rules of theirs are
//! upstream code.

use crate::definition::Text;
use crate::extract::each_entry;
use crate::sort::CompactSort as _;
use crate::{AttributeKind, Context, Entry, Module, Operation, OperationName, TypeKind};
use std::collections::BTreeMap;

/// Why an operation is not checked completely; see [`unchecked_operations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VerifierCode {
    /// Its dialect verifies it with code that rmlir does not reproduce.
    Missing,
    /// A constraint on its operands, results or attributes is code that rmlir does not reproduce.
    Constraint,
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
    found.compact_sort_by_key(|of| (of.code, context.operation_name_bytes(of.name)));
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
        Some(_) => {
            let release = context.release();
            let groups = [&definition.operands, &definition.results];
            let groups = groups
                .into_iter()
                .flat_map(|all| definition.groups_in(all, release));
            let attributes = definition.attributes_in(release);
            let mut constraints = groups
                .map(|group| &group.constraint)
                .chain(attributes.map(|attribute| &attribute.constraint));
            let is_code = |name: &Text| dialect.unknown_constraints.contains(name);
            constraints.any(is_code).then_some(VerifierCode::Constraint)
        }
    }
}

/// The attributes or types of a name that [`verify`](super::verify) does not check completely.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UncheckedEntries {
    /// The dialect's name and the mnemonic, after `#` for attributes and `!` for types. Without a
    /// definition of the dialect it is the dialect's name alone.
    pub name: String,
    /// The number of different ones.
    pub count: usize,
    /// Why they are not checked completely.
    pub code: VerifierCode,
}

/// Counts the attributes and types of operations in `root` that [`verify`](super::verify) does not
/// check completely: each once, however often it occurs.
///
/// The result is sorted by reason, then by name. Takes time linear in the operations and in their
/// attributes and types.
pub fn unchecked_entries(
    context: &Context,
    module: &Module,
    root: Operation,
) -> Vec<UncheckedEntries> {
    let mut counts: BTreeMap<(VerifierCode, String), usize> = BTreeMap::new();
    each_entry(context, module, &[root], |entry| {
        if let Some(found) = entry_code(context, entry) {
            let count = counts.entry(found).or_default();
            *count = count.saturating_add(1);
        }
    });
    let found = counts.into_iter();
    found
        .map(|((code, name), count)| UncheckedEntries { name, count, code })
        .collect()
}

/// Returns why an attribute or type is not checked completely, and its name; `None` if it is.
fn entry_code(context: &Context, entry: Entry) -> Option<(VerifierCode, String)> {
    let (sigil, dialect, body) = match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, .. } => ('#', *dialect, body),
            _ => return None,
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => ('!', *dialect, body),
            _ => return None,
        },
        Entry::Location(_) => return None,
    };
    let namespace = context.bytes(dialect);
    let undefined = |name: &[u8]| {
        let name = format!("{sigil}{}", name.escape_ascii());
        Some((VerifierCode::Undefined, name))
    };
    let Some(definition) = context.dialect(namespace) else {
        return undefined(namespace);
    };
    let table = match sigil {
        '#' => &definition.attributes,
        _ => &definition.types,
    };
    let number = context.release().number_in(definition.family);
    let entry = table.entry_of(body, number);
    let Some(entry) = entry.filter(|entry| !entry.opaque) else {
        return undefined(&[namespace, b".", body.mnemonic()].concat());
    };
    let is_missing = entry.has_cpp_verifier && entry.hook.verifier.is_none();
    is_missing.then(|| {
        let name = format!("{sigil}{}.{}", definition.name, entry.mnemonic);
        (VerifierCode::Missing, name)
    })
}
