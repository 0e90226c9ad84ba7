//! Content that the custom form of operations does not preserve.

use rmlir_ir::definition::Presence;
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier, Module, Operation};
use rmlir_text::attribute_to_string;

/// Removes the inherent attributes that mean the same as their absence, and that custom form, as
/// upstream prints it, therefore does not keep:
///
/// 1. an optional attribute that has its default, which is what its absence means;
/// 2. the attributes of arguments and results of a function or call if there are none: a list of
///    empty dictionaries;
/// 3. IREE's list of the operands that results are tied to if no result is;
/// 4. the list of the tags of operand bundles if there are none.
///
/// `mlir-opt-22` loses the same: see `tests/generated`.
///
/// # Panics
///
/// If an attribute cannot be removed.
#[allow(clippy::expect_used)]
pub fn remove_implied(context: &mut Context, module: &mut Module) {
    let all: Vec<Operation> = module.descendants(module.top()).collect();
    for operation in all {
        let implied = implied(context, module, operation);
        for name in implied {
            let removed = module.set_inherent_attribute(context, operation, name, None);
            removed.expect("an inherent attribute is removed");
        }
    }
}

/// The names of an operation's attributes that mean the same as their absence.
fn implied(context: &Context, module: &Module, operation: Operation) -> Vec<Identifier> {
    let entries = module.inherent_attributes(context, operation).iter();
    let definition = context.operation_definition(module.name(operation));
    let is_implied = |name: &str, value: Attribute| {
        let mut attributes = definition
            .into_iter()
            .flat_map(|definition| definition.attributes_in(context.release()));
        let known = attributes.find(|attribute| attribute.name == name);
        let is_default = known.is_some_and(|known| {
            known.presence == Presence::Optional
                && known
                    .default
                    .as_ref()
                    .is_some_and(|default| **default == attribute_to_string(context, value))
        });
        is_default
            || matches!(name, "arg_attrs" | "res_attrs") && says_nothing(context, value)
            || name == "tied_operands" && ties_nothing(context, value)
            || name == "op_bundle_tags" && is_empty(context, value)
            || are_locations(context, value)
    };
    let implied = entries.filter(|(name, value)| is_implied(&context.str(*name), *value));
    implied.map(|(name, _)| *name).collect()
}

/// Whether an attribute is a list of empty dictionaries.
fn says_nothing(context: &Context, value: Attribute) -> bool {
    let AttributeKind::Array(items) = context.attribute_kind(value) else {
        return false;
    };
    let is_empty = |item: &Attribute| matches!(context.attribute_kind(*item), AttributeKind::Dictionary(entries) if entries.is_empty());
    items.iter().all(is_empty)
}

/// Whether an attribute is an empty list.
fn is_empty(context: &Context, value: Attribute) -> bool {
    matches!(context.attribute_kind(value), AttributeKind::Array(items) if items.is_empty())
}

/// Whether an attribute is a list of locations, as those of ports: text without locations has its
/// own positions there.
fn are_locations(context: &Context, value: Attribute) -> bool {
    let AttributeKind::Array(items) = context.attribute_kind(value) else {
        return false;
    };
    let is_location =
        |item: &Attribute| matches!(context.attribute_kind(*item), AttributeKind::Location(_));
    !items.is_empty() && items.iter().all(is_location)
}

/// Whether an attribute is a list of -1.
fn ties_nothing(context: &Context, value: Attribute) -> bool {
    let AttributeKind::Array(items) = context.attribute_kind(value) else {
        return false;
    };
    items
        .iter()
        .all(|item| attribute_to_string(context, *item) == "-1 : index")
}
