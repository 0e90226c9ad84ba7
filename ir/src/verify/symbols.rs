//! Symbols and symbol tables (LangRef, "Symbols and Symbol Tables").

use super::driver::Verifier;
use super::plan::Plan;
use super::{Message, VerifyFailure, VerifyResult};
use crate::definition::{OperationTraits, Text};
use crate::op::Op;
use crate::{
    Attribute, AttributeKind, Context, Identifier, Location, Operation, Parameter,
    SymbolTableCollection, Visibility,
};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Checks the rules of a symbol: its name, its visibility and its parent.
pub(super) fn check_symbol(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let Op {
        context,
        module,
        operation,
    } = op;
    let name = module.attribute_by_identifier(context, operation, plan.names.sym_name);
    // If the definition does not require a name, the operation is a symbol only if it has one.
    if name.is_none() && !plan.requires("sym_name") {
        return Ok(());
    }
    if name.and_then(|name| context.string_value(name)).is_none() {
        return Err(VerifyFailure::op("requires string attribute 'sym_name'"));
    }
    let visibility = plan.names.sym_visibility;
    if let Some(visibility) = module.attribute_by_identifier(context, operation, visibility) {
        check_visibility(op, visibility)?;
    }
    if module.results(operation).next().is_some() {
        return Err(VerifyFailure::op("symbols must not have results"));
    }
    let parent = module.parent_operation(operation);
    let parent = parent.and_then(|parent| context.operation_traits(module.name(parent)));
    if parent.is_some_and(|traits| !traits.contains(OperationTraits::SYMBOL_TABLE)) {
        return Err(VerifyFailure::op(
            "symbol's parent must have the SymbolTable trait",
        ));
    }
    Ok(())
}

fn check_visibility(op: Op<'_>, visibility: Attribute) -> VerifyResult {
    let Some(value) = op.context.string_value(visibility) else {
        let message = Message::from(
            "requires visibility attribute 'sym_visibility' to be a string attribute, but got ",
        );
        return Err(VerifyFailure::op(message.attribute(visibility)));
    };
    let known = [Visibility::Public, Visibility::Private, Visibility::Nested];
    if known.iter().all(|v| v.as_str().as_bytes() != value) {
        return Err(VerifyFailure::op(format!(
            "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"{}\"",
            String::from_utf8_lossy(value)
        )));
    }
    Ok(())
}

/// Checks the structure of a symbol table: one region with one block.
pub(super) fn check_table(op: Op<'_>) -> VerifyResult {
    let mut regions = op.module.regions(op.operation);
    let (Some(region), None) = (regions.next(), regions.next()) else {
        return Err(VerifyFailure::op(
            "Operations with a 'SymbolTable' must have exactly one region",
        ));
    };
    let first = op.module.first_block(region);
    if first.is_none() || first != op.module.last_block(region) {
        return Err(VerifyFailure::op(
            "Operations with a 'SymbolTable' must have exactly one block",
        ));
    }
    Ok(())
}

/// The interface of attributes that refer to symbols, by MLIR's name.
const SYMBOL_USER: &str = "SymbolUserAttrInterface";

/// Returns the name of the constraint of an attribute that refers to symbols: its definition has
/// MLIR's interface for that.
fn symbol_user(context: &Context, attribute: Attribute) -> Option<Text> {
    let AttributeKind::Dialect { dialect, body, .. } = context.attribute_kind(attribute) else {
        return None;
    };
    let dialect = context.dialect(context.bytes(*dialect))?;
    let number = context.release().number_in(dialect.family);
    let entry = dialect.attributes.entry_of(body, number)?;
    let mut interfaces = entry.interfaces();
    let is_user = interfaces.any(|interface| interface == SYMBOL_USER);
    is_user.then(|| entry.constraint.clone())
}

/// Returns whether attributes of a dialect may refer to symbols.
pub(super) fn has_symbol_users(context: &Context, dialect: Identifier) -> bool {
    let definition = context.dialect(context.bytes(dialect));
    definition.is_some_and(|definition| {
        let mut entries = definition.attributes.entries().iter();
        entries.any(|entry| entry.interfaces().any(|interface| interface == SYMBOL_USER))
    })
}

/// Returns whether an attribute, as a discardable one, refers to symbols.
pub(super) fn refers_to_symbols(context: &Context, attribute: Attribute) -> bool {
    symbol_user(context, attribute).is_some()
}

/// Checks that the symbols exist to which the discardable attributes of an operation refer.
pub(super) fn check_references_of_attributes(
    op: Op<'_>,
    symbols: &mut SymbolTableCollection,
) -> VerifyResult {
    let context = op.context;
    let attributes = op.module.attributes(op.operation);
    let entries = attributes.map(|attributes| context.dictionary_entries(attributes));
    for &(_, value) in entries.unwrap_or_default() {
        let Some(name) = symbol_user(context, value) else {
            continue;
        };
        let Ok(parameters) = context.parameters(value) else {
            continue;
        };
        for reference in parameters.iter().filter_map(Parameter::attribute) {
            let kind = context.attribute_kind(reference);
            if matches!(kind, AttributeKind::SymbolRef { .. })
                && symbols
                    .lookup_symbol_from(context, op.module, op.operation, reference)
                    .is_none()
            {
                let message = Message::from(format!("{name}::verifySymbolUses: '"))
                    .attribute(reference)
                    .text("' does not reference a valid symbol");
                return Err(VerifyFailure::op(message));
            }
        }
    }
    Ok(())
}

impl Verifier<'_> {
    /// Checks that the symbol names of a symbol table are unique. Reports every duplicate but the
    /// first occurrence.
    pub(super) fn check_unique_symbols(&mut self, table: Operation) -> bool {
        let module = self.module;
        let Some(sym_name) = self.sym_name else {
            return true;
        };
        let block = module
            .region(table, 0)
            .and_then(|region| module.first_block(region));
        let mut known: HashMap<Identifier, Location, RandomState> = HashMap::default();
        let mut good = true;
        for symbol in block.into_iter().flat_map(|block| module.operations(block)) {
            let Some(name) = self.name_of(symbol, sym_name) else {
                continue;
            };
            let location = module.location(symbol);
            match known.entry(name) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(location);
                }
                std::collections::hash_map::Entry::Occupied(entry) => {
                    let name = self.context.str(name);
                    let message = format!("redefinition of symbol named '{name}'");
                    let failure = VerifyFailure::plain(message)
                        .note(*entry.get(), "see existing symbol definition here");
                    good = self.fail(symbol, *failure);
                    if self.is_full() {
                        break;
                    }
                }
            }
        }
        good
    }

    /// Returns the name of a symbol; `None` if the operation is not a symbol.
    fn name_of(&self, operation: Operation, sym_name: Identifier) -> Option<Identifier> {
        /// Dictionaries of up to this number of entries are searched linearly by identifier, larger
        /// ones with a binary search by bytes.
        const FEW: usize = 8;
        let find = |dictionary: Attribute| {
            let entries = self.context.dictionary_entries(dictionary);
            if entries.len() > FEW {
                return self.context.dictionary_get(dictionary, b"sym_name");
            }
            let entry = entries.iter().find(|entry| entry.0 == sym_name);
            entry.map(|entry| entry.1)
        };
        let inherent = self.module.properties(operation).and_then(find);
        let value = inherent.or_else(|| self.module.attributes(operation).and_then(find))?;
        match self.context.attribute_kind(value) {
            AttributeKind::String { value, .. } => Some(*value),
            _ => None,
        }
    }
}
