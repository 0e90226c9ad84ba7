//! Unique keys for a module's resources in a file.

use crate::extract::used_resources;
use crate::{Context, Identifier, Module, Resource};
use std::collections::{HashMap, HashSet};

/// The keys of a module's resources in a file.
///
/// A context can hold several resources of one dialect and key, since each file that is read has
/// its own resources. In a file, keys must be unique: if a module refers to several resources of
/// one key, all but the first get a suffix, as upstream does (`x`, `x_1`, `x_2`), in the order in
/// which they were added to the context. A resource without a value is identified by its key alone,
/// so it keeps its key.
#[derive(Clone, Debug, Default)]
pub struct ResourceKeys {
    renamed: HashMap<Resource, Box<[u8]>>,
}

impl ResourceKeys {
    /// Computes the keys of the resources that a module declares or refers to. Linear in the size
    /// of the module and its attributes and types.
    pub fn new(context: &Context, module: &Module) -> Self {
        let mut keys = ResourceKeys::default();
        // Most contexts have few resources with distinct keys: then the module is not walked.
        if context.resource_count() <= module.operation_slots() {
            let mut seen = HashSet::new();
            let is_unique = context.all_resources().all(|resource| {
                let entry = context.resource(resource);
                seen.insert((entry.dialect, entry.key))
            });
            if is_unique {
                return keys;
            }
        }
        let mut used = used_resources(context, module);
        used.extend(&module.provenance.resources);
        let has_value = |resource: &Resource| context.resource(*resource).value.is_some();
        let (mut with_value, without): (Vec<Resource>, Vec<Resource>) =
            used.into_iter().partition(has_value);
        with_value.sort_unstable();
        let name = |resource: Resource| {
            let entry = context.resource(resource);
            (entry.dialect, context.bytes(entry.key).to_vec())
        };
        let mut taken: HashSet<(Identifier, Vec<u8>)> = without.into_iter().map(name).collect();
        let mut suffixes: HashMap<(Identifier, Identifier), u64> = HashMap::new();
        for resource in with_value {
            if taken.insert(name(resource)) {
                continue;
            }
            let entry = context.resource(resource);
            // Names are never released, so the search continues where the previous one ended.
            let suffix = suffixes.entry((entry.dialect, entry.key)).or_default();
            loop {
                *suffix = suffix.saturating_add(1);
                let mut key = context.bytes(entry.key).to_vec();
                key.extend_from_slice(format!("_{suffix}").as_bytes());
                if taken.insert((entry.dialect, key.clone())) {
                    keys.renamed.insert(resource, key.into());
                    break;
                }
            }
        }
        keys
    }

    /// Returns the key of a resource.
    pub fn get<'a>(&'a self, context: &'a Context, resource: Resource) -> &'a [u8] {
        match self.renamed.get(&resource) {
            Some(key) => key,
            None => context.bytes(context.resource(resource).key),
        }
    }
}
