//! Discardable attributes that upstream's verifiers add to operations as caches.

use super::{AttributesAndProperties, default, dictionary};
use crate::definition::{OperationDefinition, Release, RememberedAttribute};
use crate::{Attribute, AttributeKind, Context, Identifier, Invalid, NamedAttribute};

/// A discardable attribute that upstream adds.
#[derive(Debug)]
pub(super) struct CachedAttributes {
    name: Identifier,
    /// The value, with symbols for numbers.
    value: Attribute,
    /// For each symbol, the attribute that holds the number, and its default.
    numbers: Vec<(Identifier, Option<Attribute>)>,
    /// The numbers and the result of the last call, for memoization.
    last: Option<(Vec<Option<Attribute>>, Option<Attribute>)>,
}

impl CachedAttributes {
    pub(super) fn new(
        context: &mut Context,
        definition: &OperationDefinition,
        remembered: &RememberedAttribute,
        release: Release,
    ) -> Result<Self, Invalid> {
        let mut numbers = Vec::new();
        for name in &remembered.numbers {
            let attribute = definition.attribute(name, release);
            let text = attribute.and_then(|attribute| attribute.default.as_deref());
            let absent = match text {
                Some(text) => Some(default(context, definition, name, text)?),
                None => None,
            };
            numbers.push((context.identifier(name.as_bytes()), absent));
        }
        let RememberedAttribute { name, value, .. } = remembered;
        Ok(CachedAttributes {
            name: context.identifier(name.as_bytes()),
            value: default(context, definition, name, value)?,
            numbers,
            last: None,
        })
    }

    /// Adds the attribute, unless it is present or the properties lack a number that it needs.
    pub(super) fn add(
        &mut self,
        context: &mut Context,
        made: AttributesAndProperties,
    ) -> Result<AttributesAndProperties, Invalid> {
        let (attributes, properties) = made;
        let entries = |a: Option<Attribute>| a.map_or(&[][..], |a| context.dictionary_entries(a));
        if entries(attributes).iter().any(|entry| entry.0 == self.name) {
            return Ok(made);
        }
        let number = |&(name, absent): &(Identifier, Option<Attribute>)| {
            let found = entries(properties).iter().find(|entry| entry.0 == name);
            found.map(|entry| entry.1).or(absent)
        };
        let sources: Vec<Option<Attribute>> = self.numbers.iter().map(number).collect();
        let value = match &self.last {
            Some((before, value)) if *before == sources => *value,
            _ => {
                let value = with_numbers(context, self.value, &sources);
                self.last = Some((sources, value));
                value
            }
        };
        let Some(value) = value else {
            return Ok(made);
        };
        let mut entries: Vec<NamedAttribute> = match attributes {
            Some(attributes) => context.dictionary_entries(attributes).to_vec(),
            None => Vec::new(),
        };
        entries.push((self.name, value));
        Ok((dictionary(context, &entries)?, properties))
    }
}

/// Substitutes the numbers that other attributes hold for the symbols in an affine map, or in the
/// maps of an array.
fn with_numbers(
    context: &mut Context,
    value: Attribute,
    sources: &[Option<Attribute>],
) -> Option<Attribute> {
    let mut numbers = Vec::new();
    for &source in sources {
        numbers.extend(context.dense_integers(source?)?);
    }
    let map = |context: &mut Context, item: Attribute| {
        let AttributeKind::AffineMap(map) = context.attribute_kind(item) else {
            return Some(item);
        };
        let map = map.clone();
        if map.num_symbols as usize > numbers.len() {
            return None;
        }
        let map = context.affine_mut().with_symbols(&map, &numbers).ok()?;
        Some(context.affine_map_attribute(map))
    };
    let AttributeKind::Array(items) = context.attribute_kind(value) else {
        return map(context, value);
    };
    let items: Vec<Attribute> = items.to_vec();
    let items: Option<Vec<Attribute>> = items.into_iter().map(|item| map(context, item)).collect();
    Some(context.array_attribute(&items?))
}
