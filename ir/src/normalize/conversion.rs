//! Checks whether the properties of an operation can store the inherent attributes of a text.
//!
//! Upstream stores an inherent attribute as a value of a C++ class, and rejects others when it
//! creates the operation: in `<{...}>`, attributes that are not of the class; among the discardable
//! attributes, those that violate the definition in any way. It checks them in the order of their
//! names, and the segment sizes last.

use super::{Plan, Slot, Value, Written};
use crate::constraint::AttributeIs;
use crate::definition::{OperationDefinition, Release, SEGMENT_SIZES};
use crate::{Attribute, AttributeKind, Context, Invalid, OperationName};

/// The condition on an inherent attribute.
#[derive(Debug)]
pub(super) enum Rule {
    /// No known condition.
    Any,
    Attribute(Box<AttributeIs>),
    /// The segment sizes, with this number of segments.
    Segments(usize),
}

/// Returns the rules of the slots, in their order.
pub(super) fn rules(
    context: &Context,
    definition: &OperationDefinition,
    name: OperationName,
    release: Release,
    slots: &[Slot],
) -> Box<[Rule]> {
    let namespace = context.operation_dialect(name);
    let dialect = context.dialect(context.bytes(namespace));
    let segments = definition.segment_counts(release);
    let rule = |slot: &Slot| {
        let name = &*context.str(slot.name);
        let segments = SEGMENT_SIZES
            .iter()
            .zip(segments)
            .find(|row| row.0.0 == name);
        if let Some((_, Some(count))) = segments {
            return Rule::Segments(count);
        }
        let attribute = definition.attribute(name, release);
        let is = attribute.and_then(|a| AttributeIs::of(context, dialect.as_ref()?, a));
        is.map_or(Rule::Any, |is| Rule::Attribute(Box::new(is)))
    };
    slots.iter().map(rule).collect()
}

impl Plan {
    /// Checks the attributes and properties of a text. Takes time linear in their number.
    ///
    /// # Errors
    ///
    /// The first attribute that the operation cannot have, with upstream's message.
    pub(super) fn check_conversion(
        &self,
        context: &Context,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<(), Invalid> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let mut sizes = None;
        if let Some(properties) = properties {
            let mut slots = self.slots.iter().zip(&self.rules);
            for &(key, value) in context.dictionary_entries(properties) {
                // Both are sorted by name. A key without a slot must not consume the slots after
                // it.
                let mut ahead = slots.clone();
                let Some((_, rule)) = ahead.find(|(slot, _)| slot.name == key) else {
                    continue;
                };
                slots = ahead;
                match rule {
                    Rule::Any => {}
                    Rule::Attribute(is) => {
                        if !is.stores(context, value) {
                            let key = context.bytes(key).escape_ascii();
                            let value = context.attribute_to_string(value);
                            let reason = format!(
                                "Invalid attribute `{key}` in property conversion: {value}"
                            );
                            return Err(invalid_properties(context, name, properties, &reason));
                        }
                    }
                    Rule::Segments(count) => sizes = sizes.or(Some((*count, value))),
                }
            }
            if let Some((count, value)) = sizes {
                check_sizes(context, count, value)
                    .map_err(|reason| invalid_properties(context, name, properties, &reason))?;
            }
        }
        let discardable = attributes.map_or(&[][..], |a| context.dictionary_entries(a));
        for &(key, value) in discardable {
            let Some((at, slot)) = self.slot(context, key) else {
                continue;
            };
            if let Some(Rule::Attribute(is)) = self.rules.get(at)
                && slot.moves
                && !is.accepts(context, value)
            {
                return Err(unsatisfied(context, name, &slot, is));
            }
        }
        Ok(())
    }
}

impl Plan {
    /// Returns the value of a slot after an entry of the dictionary in custom form, given its value
    /// before.
    ///
    /// # Errors
    ///
    /// If the attribute is not valid there, with upstream's message.
    pub(super) fn said(
        &self,
        context: &Context,
        (name, written): (OperationName, Written),
        at: usize,
        (held, value): (Value, Attribute),
    ) -> Result<Value, Invalid> {
        let (Some(slot), rule) = (self.slots.get(at), self.rules.get(at)) else {
            return Ok(Value::Said(value));
        };
        let Some(rule) = rule else {
            // This normalizer does not check.
            return Ok(match (held, written) {
                (Value::Property(_), Written::ByCode) => held,
                _ => Value::Said(value),
            });
        };
        let twice = match written {
            Written::ByCode => !matches!(held, Value::Unsaid),
            Written::ByFormat => matches!(held, Value::Said(_) | Value::Refused),
        };
        if twice {
            return Err(said_twice(context, slot));
        }
        match (rule, written) {
            (Rule::Any, _) => Ok(Value::Said(value)),
            (Rule::Attribute(is), Written::ByFormat) => match is.accepts(context, value) {
                true => Ok(Value::Said(value)),
                false => Err(unsatisfied(context, name, slot, is)),
            },
            (Rule::Attribute(is), Written::ByCode) => Ok(match is.stores(context, value) {
                true => Value::Said(value),
                false => Value::Refused,
            }),
            (Rule::Segments(count), _) => Ok(match check_sizes(context, *count, value) {
                Ok(()) => Value::Said(value),
                Err(_) => held,
            }),
        }
    }
}

#[cold]
fn said_twice(context: &Context, slot: &Slot) -> Invalid {
    let attribute = context.bytes(slot.name).escape_ascii();
    Invalid::new(format!(
        "attribute '{attribute}' occurs more than once in the attribute list"
    ))
}

/// Checks segment sizes: a dense array of `count` integers.
fn check_sizes(context: &Context, count: usize, value: Attribute) -> Result<(), String> {
    match context.attribute_kind(value) {
        AttributeKind::DenseArray {
            element, length, ..
        } if *element == context.i32_type() => match *length == count {
            true => Ok(()),
            false => Err(format!(
                "size mismatch in attribute conversion: {length} vs {count}"
            )),
        },
        _ => Err("expected DenseI32ArrayAttr for key `value`".to_owned()),
    }
}

#[cold]
fn unsatisfied(context: &Context, name: OperationName, slot: &Slot, is: &AttributeIs) -> Invalid {
    let name = context.operation_name_bytes(name).escape_ascii();
    let attribute = context.bytes(slot.name).escape_ascii();
    let summary = is.summary(context);
    Invalid::new(format!(
        "'{name}' op attribute '{attribute}' failed to satisfy constraint: {summary}"
    ))
}

/// Returns upstream's error for properties that an operation cannot have.
#[cold]
pub(super) fn invalid_properties(
    context: &Context,
    name: OperationName,
    properties: Attribute,
    reason: &str,
) -> Invalid {
    let properties = context.attribute_to_string(properties);
    let name = context.operation_name_bytes(name).escape_ascii();
    Invalid::new(format!(
        "invalid properties {properties} for op {name}: {reason}"
    ))
}
