//! The metadata of the result, from the files of the inputs.

use super::{DroppedResource, Linker};
use crate::extract::used_resources_of;
use crate::{
    ExternalResources, Identifier, Operation, OperationName, Provenance, Resource, ResourceValue,
};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

impl Linker<'_> {
    /// Sets the provenance of the result, except for names.
    pub(super) fn set_provenance(&mut self) {
        self.set_container();
        self.set_external_resources();
    }

    /// Metadata of upstream's bytecode is kept if all inputs are from one producer and version.
    fn set_container(&mut self) {
        let of = |p: &Provenance, context: &crate::Context| {
            let producer = p.producer.map(|producer| context.bytes(producer).to_vec());
            (producer, p.bytecode_version, p.layouts.clone())
        };
        let all = self.inputs.iter();
        let mut all = all.map(|input| of(&input.module.provenance, input.context));
        let Some(first) = all.next() else { return };
        if !all.all(|other| other == first) {
            return;
        }
        let (producer, version, layouts) = first;
        let producer = producer.map(|producer| self.context.identifier(producer));
        let provenance = &mut self.module.provenance;
        provenance.producer = producer;
        provenance.bytecode_version = version;
        provenance.layouts = layouts;
        let mut versions: HashMap<Identifier, usize, RandomState> = HashMap::default();
        let mut encoded: HashSet<Identifier, RandomState> = HashSet::default();
        let mut registered: HashMap<OperationName, usize, RandomState> = HashMap::default();
        for input in self.inputs {
            let from = &input.module.provenance;
            for (dialect, version) in &from.dialect_versions {
                let dialect = self.context.identifier(input.context.bytes(*dialect));
                let next = provenance.dialect_versions.len();
                if *versions.entry(dialect).or_insert(next) == next {
                    provenance.dialect_versions.push((dialect, version.clone()));
                }
            }
            for &dialect in &from.encoded_dialects {
                let dialect = self.context.identifier(input.context.bytes(dialect));
                if encoded.insert(dialect) {
                    provenance.encoded_dialects.push(dialect);
                }
            }
            for &(name, known) in &from.registered_operations {
                let name = self
                    .context
                    .operation_name(input.context.operation_name_bytes(name));
                let next = provenance.registered_operations.len();
                let at = *registered.entry(name).or_insert(next);
                match provenance.registered_operations.get_mut(at) {
                    Some((_, other)) => *other |= known,
                    None => provenance.registered_operations.push((name, known)),
                }
            }
        }
    }

    /// The declared resources are those of the inputs, in order, without those that only dropped
    /// operations use.
    pub(super) fn set_resources(&mut self) {
        if self.context.resource_count() == 0 {
            return;
        }
        let used = |kept: bool| {
            let items = self.items.iter().filter(|item| item.kept == kept);
            let roots: Vec<Operation> = items.map(|item| item.operation).collect();
            used_resources_of(&self.context, &self.module, &roots)
        };
        let (kept, dropped) = (used(true), used(false));
        let mut declared: HashSet<Resource, RandomState> = HashSet::default();
        let mut resources = std::mem::take(&mut self.resources);
        resources.retain(|resource| {
            let is_used = kept.contains(resource) || !dropped.contains(resource);
            is_used && declared.insert(*resource)
        });
        self.module.provenance.resources = resources;
    }

    /// External resources are those of all inputs, by group. The keys are those that a tool reads,
    /// so they are never changed: of two values of a key the first is kept.
    fn set_external_resources(&mut self) {
        let mut groups: HashMap<Identifier, usize, RandomState> = HashMap::default();
        // With the input that each is from.
        let mut known: HashMap<(Identifier, Identifier), (usize, ResourceValue), RandomState> =
            HashMap::default();
        for (input, of) in self.inputs.iter().enumerate() {
            for external in &of.module.provenance.external_resources {
                let group = self.context.identifier(of.context.bytes(external.group));
                let all = &mut self.module.provenance.external_resources;
                let at = *groups.entry(group).or_insert(all.len());
                if at == all.len() {
                    all.push(ExternalResources {
                        group,
                        entries: Vec::new(),
                    });
                }
                for (key, value) in &external.entries {
                    let key = self.context.identifier(of.context.bytes(*key));
                    match known.get(&(group, key)) {
                        Some((_, same)) if same == value => {}
                        Some(&(kept, _)) => self.dropped_resources.push(DroppedResource {
                            input,
                            group,
                            key,
                            kept,
                        }),
                        None => {
                            known.insert((group, key), (input, value.clone()));
                            if let Some(all) = all.get_mut(at) {
                                all.entries.push((key, value.clone()));
                            }
                        }
                    }
                }
            }
        }
    }
}
