//! The attributes of the top-level operation.

use super::{LinkError, Linker, ModuleAttributes, PART_ATTRIBUTE};
use crate::sort::CompactSort as _;
use crate::{Attribute, Context, Identifier, NamedAttribute};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// The discardable attributes and the properties of a top-level operation.
type TopAttributes = (Vec<NamedAttribute>, Option<Attribute>);

impl Linker<'_> {
    /// Sets the attributes of the result.
    pub(super) fn set_top_attributes(&mut self) -> Result<(), LinkError> {
        let tops = self.top_attributes();
        let (mut attributes, properties) = self.chosen(&tops)?;
        for top in std::mem::take(&mut self.tops) {
            self.module
                .erase_operation(top)
                .map_err(|_| LinkError::new("an operation without results has uses"))?;
        }
        if let Some(value) = self.remaining_part()? {
            attributes.push((self.context.identifier(PART_ATTRIBUTE), value));
            let context = &self.context;
            attributes.compact_sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        }
        let attributes = self.context.dictionary_attribute(&attributes)?;
        let top = self.module.top();
        self.module
            .set_attributes(&self.context, top, Some(attributes))?;
        self.module.set_properties(top, properties);
        Ok(())
    }

    /// Checks what [`set_top_attributes`](Self::set_top_attributes) checks.
    pub(super) fn check_top_attributes(&mut self) -> Result<(), LinkError> {
        let tops = self.top_attributes();
        let chosen = self.chosen(&tops).map(drop);
        self.keep(chosen)?;
        let remaining = self.remaining_part().map(drop);
        self.keep(remaining)?;
        Ok(())
    }

    /// Returns the attributes of the top-level operations of the inputs, without `rmlir.part`.
    fn top_attributes(&mut self) -> Vec<TopAttributes> {
        let part = self.context.identifier(PART_ATTRIBUTE);
        let own = |context: &Context, attribute: Option<Attribute>| {
            let entries = attribute.map_or(&[][..], |a| context.dictionary_entries(a));
            entries
                .iter()
                .copied()
                .filter(|entry| entry.0 != part)
                .collect::<Vec<_>>()
        };
        let tops = self.tops.iter().map(|&top| {
            let attributes = self.module.attributes(top);
            (own(&self.context, attributes), self.module.properties(top))
        });
        tops.collect()
    }

    /// Returns the discardable attributes and the properties of the result.
    fn chosen(&mut self, tops: &[TopAttributes]) -> Result<TopAttributes, LinkError> {
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
                    false => Some(self.context.dictionary_attribute(&properties)?),
                };
                Ok((attributes.sorted(&self.context), properties))
            }
        }
    }

    #[cold]
    fn different_tops(
        &self,
        first: &TopAttributes,
        tops: &[TopAttributes],
        other: usize,
    ) -> LinkError {
        let none = (Vec::new(), None);
        let found = tops.get(other).unwrap_or(&none);
        let inherent = |top: &TopAttributes| {
            let entries = top
                .1
                .map_or(&[][..], |p| self.context.dictionary_entries(p));
            [&top.0[..], entries].concat()
        };
        let (a, b) = (inherent(first), inherent(found));
        let set = |entries: &[NamedAttribute]| -> HashSet<NamedAttribute, RandomState> {
            entries.iter().copied().collect()
        };
        let (in_a, in_b) = (set(&a), set(&b));
        let differs = a.iter().find(|entry| !in_b.contains(entry));
        let differs = differs.or(b.iter().find(|entry| !in_a.contains(entry)));
        let Some(&(name, _)) = differs else {
            return self.at_tops("properties of the modules differ".to_owned(), other, 0);
        };
        let value = |entries: &[NamedAttribute]| {
            let mut entries = entries.iter();
            entries.find(|entry| entry.0 == name).map(|entry| entry.1)
        };
        let message = self.different_attribute(name, value(&b), value(&a));
        self.at_tops(message, other, 0)
    }

    #[cold]
    fn different_attribute(
        &self,
        name: Identifier,
        here: Option<Attribute>,
        elsewhere: Option<Attribute>,
    ) -> String {
        /// The number of characters of a value that are shown.
        const SHOWN: usize = 200;
        let shown = |value: Option<Attribute>| {
            let Some(value) = value else {
                return "absent".to_owned();
            };
            let text = self.context.attribute_to_string(value);
            match text.char_indices().nth(SHOWN) {
                Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
                None => text,
            }
        };
        format!(
            "attribute '{}' of the modules differs: it is {}, and {} elsewhere",
            self.context.str(name),
            shown(here),
            shown(elsewhere)
        )
    }

    #[cold]
    pub(super) fn at_tops(&self, message: String, at: usize, other: usize) -> LinkError {
        let (at, other) = (self.top_of(at), self.top_of(other));
        Self::clash_of_places(message, at, other, "the other module is here")
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
                let message = linker.different_attribute(name, Some(value), Some(known));
                return Err(linker.at_tops(message, input, other));
            }
        }
        Ok(())
    }

    fn sorted(&self, context: &Context) -> Vec<NamedAttribute> {
        let entries = self.0.iter().map(|(&name, &(value, _))| (name, value));
        let mut entries: Vec<NamedAttribute> = entries.collect();
        entries.compact_sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        entries
    }
}
