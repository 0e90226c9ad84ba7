//! The attributes of the top-level operation.

use super::symbols::Symbols;
use super::{LinkError, Linker, ModuleAttributes, PART_ATTRIBUTE, PartAttribute};
use crate::{Attribute, Context, Identifier, NamedAttribute};
use foldhash::fast::RandomState;
use std::collections::HashMap;

impl Linker<'_> {
    /// Sets the attributes of the result.
    pub(super) fn set_top_attributes(&mut self, symbols: &Symbols) -> Result<(), LinkError> {
        let part = self.context.identifier(PART_ATTRIBUTE);
        let own = |context: &Context, attribute: Option<Attribute>| {
            let entries = attribute.map_or(&[][..], |a| context.dictionary_entries(a));
            entries
                .iter()
                .copied()
                .filter(|entry| entry.0 != part)
                .collect::<Vec<_>>()
        };
        let tops: Vec<(Vec<NamedAttribute>, Option<Attribute>)> = self
            .tops
            .iter()
            .map(|top| (own(&self.context, top.attributes), top.properties))
            .collect();
        let (mut attributes, properties) = self.chosen(&tops)?;
        if let Some(value) = self.remaining_part(symbols) {
            attributes.push((part, value));
            let context = &self.context;
            attributes.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        }
        let attributes = self.context.dictionary_attribute(&attributes)?;
        let top = self.module.top();
        self.module
            .set_attributes(&self.context, top, Some(attributes))?;
        self.module.set_properties(top, properties);
        Ok(())
    }

    /// Returns the discardable attributes and the properties of the result.
    fn chosen(
        &self,
        tops: &[(Vec<NamedAttribute>, Option<Attribute>)],
    ) -> Result<(Vec<NamedAttribute>, Option<Attribute>), LinkError> {
        let first = tops.first().cloned().unwrap_or_default();
        match self.options.module_attributes {
            ModuleAttributes::First => Ok(first),
            ModuleAttributes::Last => Ok(tops.last().cloned().unwrap_or_default()),
            ModuleAttributes::Equal => match tops.iter().position(|top| *top != first) {
                None => Ok(first),
                Some(other) => Err(self.different_tops(&first, tops, other)),
            },
            ModuleAttributes::Union => {
                let mut attributes = Entries::default();
                let mut properties = Entries::default();
                for (number, top) in tops.iter().enumerate() {
                    let inherent = top
                        .1
                        .map_or(&[][..], |p| self.context.dictionary_entries(p));
                    attributes.add(self, &top.0, number)?;
                    properties.add(self, inherent, number)?;
                }
                let properties = properties.sorted(&self.context);
                // Properties other than dictionaries are taken from the first input.
                let properties = match properties.is_empty() {
                    true => first.1,
                    false => self.existing_dictionary(tops, &properties),
                };
                Ok((attributes.sorted(&self.context), properties))
            }
        }
    }

    /// Returns the properties of the input that has all of `entries`, or else of the first.
    fn existing_dictionary(
        &self,
        tops: &[(Vec<NamedAttribute>, Option<Attribute>)],
        entries: &[NamedAttribute],
    ) -> Option<Attribute> {
        let mut all = tops.iter().filter_map(|top| top.1);
        let same = all.find(|&p| self.context.dictionary_entries(p) == entries);
        same.or(tops.first().and_then(|top| top.1))
    }

    #[cold]
    fn different_tops(
        &self,
        first: &(Vec<NamedAttribute>, Option<Attribute>),
        tops: &[(Vec<NamedAttribute>, Option<Attribute>)],
        other: usize,
    ) -> LinkError {
        let none = (Vec::new(), None);
        let found = tops.get(other).unwrap_or(&none);
        let inherent = |top: &(Vec<NamedAttribute>, Option<Attribute>)| {
            let entries = top
                .1
                .map_or(&[][..], |p| self.context.dictionary_entries(p));
            [&top.0[..], entries].concat()
        };
        let (a, b) = (inherent(first), inherent(found));
        let differs = a
            .iter()
            .find(|e| !b.contains(e))
            .or(b.iter().find(|e| !a.contains(e)));
        let name = differs.map(|entry| self.context.str(entry.0).into_owned());
        let name = name.unwrap_or_default();
        self.at_tops(
            format!("attribute '{name}' of the modules differs"),
            other,
            0,
        )
    }

    fn at_tops(&self, message: String, at: usize, other: usize) -> LinkError {
        let mut error = LinkError::new(message);
        for (input, note) in [(at, ""), (other, "the other module is here")] {
            if let Some(module) = self.inputs.get(input).map(|input| input.module) {
                error = error.at(input, module.top(), note);
            }
        }
        error
    }

    /// Returns what the result is a part of, if all inputs are parts of one module, and not all of
    /// its parts.
    fn remaining_part(&mut self, symbols: &Symbols) -> Option<Attribute> {
        let parts = self
            .parts
            .iter()
            .map(Option::as_ref)
            .collect::<Option<Vec<&PartAttribute>>>()?;
        let first = parts.first()?;
        if parts.iter().any(|part| part.of != first.of) || PartAttribute::is_complete(&parts) {
            return None;
        }
        let mut all = PartAttribute {
            of: first.of,
            operations: first.operations,
            ..PartAttribute::default()
        };
        for part in &parts {
            all.symbols.extend(&part.symbols);
            all.others.extend(&part.others);
            all.references.extend(&part.references);
        }
        let owned = &all.symbols;
        all.references.retain(|name, _| !owned.contains_key(name));
        all.others.sort_unstable();
        // Names that the parts have no longer.
        let scope = self.scopes.first().copied()?;
        all.references
            .retain(|&name, _| symbols.get(scope, name).is_some());
        all.attribute(&mut self.context)
    }
}

/// Attributes of several dictionaries, each with the input that it is from.
#[derive(Default)]
struct Entries(HashMap<Identifier, (Attribute, usize), RandomState>);

impl Entries {
    fn add(
        &mut self,
        linker: &Linker<'_>,
        entries: &[NamedAttribute],
        input: usize,
    ) -> Result<(), LinkError> {
        for &(name, value) in entries {
            let (known, other) = *self.0.entry(name).or_insert((value, input));
            if known != value {
                let name = linker.context.str(name);
                let message = format!("attribute '{name}' of the modules differs");
                return Err(linker.at_tops(message, input, other));
            }
        }
        Ok(())
    }

    fn sorted(&self, context: &Context) -> Vec<NamedAttribute> {
        let entries = self.0.iter().map(|(&name, &(value, _))| (name, value));
        let mut entries: Vec<NamedAttribute> = entries.collect();
        entries.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        entries
    }
}
