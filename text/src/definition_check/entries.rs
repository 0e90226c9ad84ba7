//! Checks the definitions of attributes and types.

use super::Checker;
use crate::parser::entries::{entry_ambiguities, spelled};
use rmlir_ir::constraint::Confinement;
use rmlir_ir::definition::{Absence, DialectDefinition, EntryTable, FormatElement, ParameterKind};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn entries(&mut self) {
        let definition = Arc::clone(&self.definition);
        for (keyword, table) in [
            ("attribute", &definition.attributes),
            ("type", &definition.types),
        ] {
            self.table(&definition, keyword, table);
        }
        for (sigil, aliases, table) in [
            ('#', definition.attribute_aliases(), &definition.attributes),
            ('!', definition.type_aliases(), &definition.types),
        ] {
            let complete = match sigil {
                '#' => definition.attributes_complete,
                _ => definition.types_complete,
            };
            for alias in aliases.iter().filter(|_| complete) {
                if table.entry(alias.mnemonic.as_bytes(), 0).is_none() {
                    let name = format!("{sigil}{}", alias.mnemonic);
                    let place = self
                        .places
                        .statement(0..usize::MAX, "alias", &alias.mnemonic);
                    self.error(place, format!("there is no '{name}' to have an alias"));
                }
            }
        }
    }

    fn table(&mut self, definition: &DialectDefinition, keyword: &str, table: &EntryTable) {
        let mut number = 0usize;
        let mut before = "";
        for entry in table.entries() {
            number = if entry.mnemonic == before {
                number.saturating_add(1)
            } else {
                0
            };
            before = &entry.mnemonic;
            let block = self.places.block(keyword, &entry.mnemonic, number);
            if entry.opaque && !(entry.parameters.is_empty() && entry.format.elements.is_empty()) {
                let place = self.places.statement(block.clone(), "opaque", "");
                let message = "what is opaque has no parameters and no format";
                self.error(place, message.to_owned());
            }
            let hook = &entry.hook;
            if !hook.name.is_empty() && hook.verifier.is_none() {
                let place = self.places.statement(block.clone(), "hook", &hook.name);
                let name = &hook.name;
                self.warn(
                    place,
                    format!("there is no hook '{name}': what it would check is not checked"),
                );
            }
            for parameter in &entry.parameters {
                let name = &*parameter.name;
                let place = self.places.statement(block.clone(), "parameters", name);
                self.parameter_kind(&parameter.kind, place);
                for constraint in Confinement::constraints(&parameter.confinements) {
                    self.uses_attribute_constraint(&constraint.name, false, place);
                }
                if let Absence::Spelled(default) = &parameter.absence
                    && let Err(error) = spelled(
                        (&mut self.context, &mut self.shared),
                        definition,
                        parameter,
                        default,
                    )
                {
                    let message = format!("the default of '{name}': {}", error.message());
                    self.error(place, message);
                }
                self.range(
                    parameter.releases,
                    entry.releases,
                    &format!("'{name}'"),
                    place,
                );
            }
            let place = self.places.statement(block.clone(), "format", "");
            self.literals(&entry.format.elements, place);
            self.entry_format(entry, place);
            for ambiguity in entry_ambiguities(&self.context, definition, entry) {
                let message = format!("the format of '{}': {}", entry.mnemonic, ambiguity.message);
                self.error(place, message);
            }
            let mut said = BTreeSet::new();
            let mut stack: Vec<&FormatElement> = entry.format.elements.iter().collect();
            while let Some(element) = stack.pop() {
                match element {
                    FormatElement::Parameter(at) | FormatElement::Qualified(at) => {
                        said.insert(*at);
                    }
                    FormatElement::Parameters(all) | FormatElement::Struct(all) => said.extend(all),
                    FormatElement::Custom(custom) => {
                        said.extend(&custom.bound);
                        if custom.hook.is_none() {
                            let name = &custom.name;
                            let place = self.places.statement(block.clone(), "format", name);
                            let hook = format!("{}.{name}", self.definition.name);
                            self.warn(
                                place,
                                format!("there is no hook '{hook}': bodies of '{}' are kept as they are written", entry.mnemonic),
                            );
                        }
                    }
                    FormatElement::Group(group) => {
                        stack.extend(&group.then);
                        stack.extend(&group.otherwise);
                    }
                    _ => {}
                }
            }
            for (at, parameter) in entry.parameters.iter().enumerate() {
                // The type of an attribute follows it and is not part of the format.
                if !said.contains(&at) && parameter.kind != ParameterKind::SelfType {
                    let message = format!(
                        "the format of '{}' does not contain '{}'",
                        entry.mnemonic, parameter.name
                    );
                    self.error(place, message);
                }
            }
        }
    }
}
