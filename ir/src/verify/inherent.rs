//! Names and native values of properties: checks that the operation's definition declares each
//! property, and that no inherent attribute is among the discardable ones.

use super::names::Names;
use super::plan::Plan;
use super::{Message, VerifyFailure, VerifyOptions, VerifyResult, discardable};
use crate::definition::{OperationDefinition, PropertyKind, Release, SEGMENT_SIZES};
use crate::op::Op;
use crate::{Attribute, AttributeKind, Context, Identifier, OperationName, nearest_name};

/// The inherent attributes and native properties of the operations of one name.
#[derive(Default)]
pub(super) struct Inherent<'c> {
    /// All valid property names, including those of other releases: a module that was read from the
    /// bytecode of another release is valid as it is. Writers reject the names that their target
    /// does not have.
    names: NameSet,
    /// The names that a discardable attribute must not have.
    reserved: NameSet,
    /// The native properties in the context's release, with their kinds.
    native: Vec<(Identifier, &'c PropertyKind)>,
    allows_unknown: bool,
}

/// A set of names.
#[derive(Default)]
struct NameSet {
    /// Sorted.
    names: Vec<Identifier>,
}

impl NameSet {
    fn new(mut names: Vec<Identifier>) -> Self {
        names.sort_unstable();
        NameSet { names }
    }

    /// Few names are compared one after the other, which is faster.
    fn contains(&self, name: Identifier) -> bool {
        const FEW: usize = 32;
        match self.names.len() {
            0..=FEW => self.names.contains(&name),
            _ => self.names.binary_search(&name).is_ok(),
        }
    }
}

impl<'c> Inherent<'c> {
    pub(super) fn new(
        context: &'c Context,
        names: &Names,
        name: OperationName,
        options: &VerifyOptions,
    ) -> Self {
        let Some(definition) = context.operation_definition(name) else {
            return Inherent::default();
        };
        let find = |name: &str| context.find_identifier(name);
        let mut found: Vec<Identifier> = all_names(definition).filter_map(find).collect();
        let mut reserved = Vec::new();
        // The reader moved attributes to the properties by the rules of the release that wrote
        // the module, so its names are reserved, not those of the context's release.
        if let Some(own) = context.operation_definition_in(name, names.release) {
            found.extend(all_names(&own).filter_map(find));
            if !options.allow_misplaced {
                reserved.extend(movable_names(&own, names.release).filter_map(find));
            }
        }
        let native = definition.properties_in(context.release());
        Inherent {
            names: NameSet::new(found),
            reserved: NameSet::new(reserved),
            native: native
                .filter_map(|property| Some((find(&property.name)?, &property.kind)))
                .collect(),
            allows_unknown: options.allow_unknown,
        }
    }
}

/// Returns the names of all inherent attributes and native properties, in any release.
fn all_names(definition: &OperationDefinition) -> impl Iterator<Item = &str> {
    let attributes = definition.attributes().iter().map(|a| &*a.name);
    let properties = definition.properties.iter().map(|p| &*p.name);
    let segments = SEGMENT_SIZES.iter().zip(definition.has_segments());
    let segments = segments.filter(|(_, has)| *has).map(|(names, _)| names.0);
    attributes.chain(properties).chain(segments)
}

/// Returns the names of the inherent attributes of a release that normalization moves from the
/// discardable attributes to the properties. As upstream, native properties are not moved.
fn movable_names(definition: &OperationDefinition, release: Release) -> impl Iterator<Item = &str> {
    let attributes = definition.attributes_in(release).map(|a| &*a.name);
    let counts = definition.segment_counts(release);
    let segments = SEGMENT_SIZES.iter().zip(counts);
    let segments = segments.filter_map(|(names, count)| count.map(|_| names.0));
    attributes.chain(segments)
}

/// Checks the names of the properties and of the discardable attributes, and the values of native
/// properties. O(1) for a dictionary that was accepted last for the same operation name.
pub(super) fn check(plan: &Plan<'_>, op: Op<'_>) -> VerifyResult {
    let name = op.module.name(op.operation);
    let placed = &plan.names.placed;
    if let Some(properties) = op.module.properties(op.operation)
        && !placed.properties.contains(properties, name)
    {
        check_properties(plan, op, properties)?;
        placed.properties.insert(properties, name);
    }
    if let Some(attributes) = op.module.attributes(op.operation)
        && !placed.attributes.contains(attributes, name)
    {
        check_discardable(plan, op, attributes)?;
        let entries = op.context.dictionary_entries(attributes);
        discardable::check(op, &op.name(), None, entries)?;
        placed.attributes.insert(attributes, name);
    }
    Ok(())
}

/// Checks the discardable attributes of an operation without a definition.
pub(super) fn check_other_dialects(names: &Names, op: Op<'_>) -> VerifyResult {
    let Some(attributes) = op.module.attributes(op.operation) else {
        return Ok(());
    };
    let name = op.module.name(op.operation);
    let good = &names.placed.attributes;
    if !good.contains(attributes, name) {
        let entries = op.context.dictionary_entries(attributes);
        discardable::check(op, &op.name(), None, entries)?;
        good.insert(attributes, name);
    }
    Ok(())
}

fn check_properties(plan: &Plan<'_>, op: Op<'_>, properties: Attribute) -> VerifyResult {
    let context = op.context;
    let AttributeKind::Dictionary(entries) = context.attribute_kind(properties) else {
        return Err(invalid(
            op,
            properties,
            "expected DictionaryAttr to set properties",
        ));
    };
    for &(key, value) in entries {
        if plan.inherent.names.contains(key) {
            let mut native = plan.inherent.native.iter();
            if let Some((_, kind)) = native.find(|(name, _)| *name == key)
                && !kind.accepts(context, value)
            {
                let key = context.bytes(key).escape_ascii();
                let message = Message::from(format!("property '{key}' must be {kind}, but got "));
                return Err(VerifyFailure::op(message.attribute(value)));
            }
        } else if !plan.inherent.allows_unknown {
            return Err(unknown(plan, op, properties, key));
        }
    }
    Ok(())
}

fn check_discardable(plan: &Plan<'_>, op: Op<'_>, attributes: Attribute) -> VerifyResult {
    let entries = op.context.dictionary_entries(attributes).iter();
    let mut keys = entries.map(|entry| entry.0);
    match keys.find(|&key| plan.inherent.reserved.contains(key)) {
        None => Ok(()),
        Some(key) => {
            let key = op.context.bytes(key).escape_ascii();
            Err(VerifyFailure::op(format!(
                "attribute '{key}' is inherent, but was set as a discardable attribute"
            )))
        }
    }
}

/// Returns the failure for a property that the definition does not declare. Upstream's parser drops
/// such a property, unless the operation has no properties at all.
#[cold]
fn unknown(
    plan: &Plan<'_>,
    op: Op<'_>,
    properties: Attribute,
    key: Identifier,
) -> Box<VerifyFailure> {
    let release = op.context.release();
    let declared = plan.definition.map(|definition| {
        let native = definition.properties_in(release).map(|p| &*p.name);
        movable_names(definition, release).chain(native)
    });
    let declared: Vec<&str> = declared.into_iter().flatten().collect();
    if declared.is_empty() {
        return invalid(op, properties, "this operation does not support properties");
    }
    let key = op.context.bytes(key);
    let meant = nearest_name(key, declared);
    let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
    VerifyFailure::op(format!(
        "has no property '{}'{}",
        key.escape_ascii(),
        meant.unwrap_or_default()
    ))
}

/// Returns upstream's error message for invalid properties.
#[cold]
fn invalid(op: Op<'_>, properties: Attribute, reason: &str) -> Box<VerifyFailure> {
    let name = op
        .context
        .operation_name_bytes(op.module.name(op.operation));
    let message = Message::from("invalid properties ")
        .attribute(properties)
        .text(format!(" for op {}: {reason}", name.escape_ascii()));
    VerifyFailure::plain(message)
}
