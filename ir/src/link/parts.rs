//! Parts of modules that were split.

use super::{LinkError, LinkInput, Linker, PartAttribute};
use crate::error::Invalid;
use crate::import::ImportMap;
use crate::{Attribute, AttributeKind, Identifier};
use foldhash::fast::RandomState;
use std::collections::HashMap;

impl Linker<'_> {
    /// Makes distinct attributes that an input shares with other parts of its module one with
    /// theirs.
    pub(super) fn import_distincts(
        &mut self,
        input: LinkInput<'_>,
        map: &mut ImportMap,
    ) -> Result<(), Invalid> {
        let Ok(Some(part)) = PartAttribute::of(input.context, input.module) else {
            return Ok(());
        };
        let Some(of) = part.of else { return Ok(()) };
        let of = self.context.identifier(input.context.bytes(of));
        // One that another refers to comes first.
        for (&number, &attribute) in &part.distincts {
            let AttributeKind::Distinct { referenced, .. } =
                input.context.attribute_kind(attribute)
            else {
                return Err(Invalid::new("the attribute 'rmlir.part' is malformed"));
            };
            let known = self.distincts.get(&(of, number)).copied();
            let mut importer = self.context.importer(input.context, map);
            let referenced = importer.copy_attribute(*referenced)?;
            let same = known.filter(|&known| {
                let kind = importer.to.attribute_kind(known);
                matches!(kind, AttributeKind::Distinct { referenced: other, .. } if *other == referenced)
            });
            match same {
                Some(same) => importer.set_copy(attribute, same),
                None => {
                    let copy = importer.copy_attribute(attribute)?;
                    self.distincts.entry((of, number)).or_insert(copy);
                }
            }
        }
        Ok(())
    }

    /// Returns the parts among the inputs by the module that was split, in the order in which these
    /// are first met, with the numbers of the inputs.
    pub(super) fn split_modules(&self) -> Vec<Vec<(usize, &PartAttribute)>> {
        let mut modules: Vec<Vec<(usize, &PartAttribute)>> = Vec::new();
        let mut known: HashMap<Identifier, usize, RandomState> = HashMap::default();
        for (input, part) in self.parts.iter().enumerate() {
            let Some((part, of)) = part.as_ref().and_then(|part| Some((part, part.of?))) else {
                continue;
            };
            let at = *known.entry(of).or_insert(modules.len());
            match modules.get_mut(at) {
                Some(module) => module.push((input, part)),
                None => modules.push(vec![(input, part)]),
            }
        }
        modules
    }

    /// Returns those of the modules that were split of which parts are missing.
    pub(super) fn incomplete(&self) -> Vec<Vec<(usize, &PartAttribute)>> {
        let mut modules = self.split_modules();
        modules.retain(|parts| {
            let parts: Vec<&PartAttribute> = parts.iter().map(|&(_, part)| part).collect();
            !PartAttribute::is_complete(&parts)
        });
        modules
    }

    /// Returns what the result is a part of, if parts of a module are missing.
    pub(super) fn remaining_part(&mut self) -> Result<Option<Attribute>, LinkError> {
        let incomplete = self.incomplete();
        let Some((first_input, first)) = incomplete.first().and_then(|parts| parts.first()) else {
            return Ok(None);
        };
        let first_input = *first_input;
        if let Some((other, _)) = incomplete.get(1).and_then(|parts| parts.first()) {
            let message = "parts of two modules that were split are missing: link the parts of each \
                           first";
            return Err(self.at_tops(message.to_owned(), *other, first_input));
        }
        let mut all = PartAttribute {
            of: first.of,
            operations: first.operations,
            parts: first.parts,
            ..PartAttribute::default()
        };
        for (_, part) in incomplete.iter().flatten() {
            all.numbers.extend(&part.numbers);
            all.symbols.extend(&part.symbols);
            all.others.extend(&part.others);
            all.references.extend(&part.references);
            all.local.extend(&part.local);
        }
        for list in [&mut all.numbers, &mut all.others] {
            list.sort_unstable();
            list.dedup();
        }
        // Names that other modules define are theirs.
        let scope = self.scopes.get(first_input).copied();
        for item in self.items.iter().filter(|item| item.kept) {
            if let Some(name) = item.name
                && Some(self.scope_of(item.input, name)) != scope
                && !self.module.is_declaration(&self.context, item.operation)
            {
                all.references.remove(&name);
            }
        }
        let owned = &all.symbols;
        all.references.retain(|name, _| !owned.contains_key(name));
        let references = &all.references;
        all.local.retain(|name| references.contains_key(name));
        if let Some(of) = all.of {
            let distincts = self.distincts.iter();
            let distincts = distincts.filter(|((module, _), _)| *module == of);
            all.distincts = distincts
                .map(|(&(_, number), &attribute)| (number, attribute))
                .collect();
        }
        Ok(all.attribute(&mut self.context))
    }
}
