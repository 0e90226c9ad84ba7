//! Resources of a context, by dialect, key and value.

use crate::{Context, Identifier, Resource, ResourceEntry, ResourceValue};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Finds the resources of a context by content, so that what several files share is held once.
#[derive(Clone, Default)]
pub(crate) struct ResourceTable {
    hasher: RandomState,
    by_content: HashMap<(Identifier, Identifier, u64), Vec<Resource>, RandomState>,
    /// The number of resources of the context that are in the table.
    known: usize,
}

impl ResourceTable {
    /// Returns a resource equal to `entry`, which is added if there is none.
    ///
    /// Linear in the size of the value, and in that of the values that were added to the context
    /// since the last call.
    pub(crate) fn find_or_add(&mut self, context: &mut Context, entry: ResourceEntry) -> Resource {
        for index in self.known..context.resource_count() {
            self.insert(context, Resource::from_index(index));
        }
        let key = self.key(&entry);
        let same = self.by_content.get(&key).into_iter().flatten();
        let mut same = same.copied();
        if let Some(found) = same.find(|&resource| *context.resource(resource) == entry) {
            return found;
        }
        let added = context.add_resource(entry);
        self.insert(context, added);
        added
    }

    fn insert(&mut self, context: &Context, resource: Resource) {
        self.known = self.known.saturating_add(1);
        let key = self.key(context.resource(resource));
        self.by_content.entry(key).or_default().push(resource);
    }

    fn key(&self, entry: &ResourceEntry) -> (Identifier, Identifier, u64) {
        let hash = match &entry.value {
            None => 0,
            Some(ResourceValue::Blob(blob)) => self.hasher.hash_one(blob.data()),
            Some(ResourceValue::String(string)) => self.hasher.hash_one(string),
            Some(ResourceValue::Bool(value)) => u64::from(*value),
        };
        (entry.dialect, entry.key, hash)
    }
}
