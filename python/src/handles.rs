//! What handles of all kinds have in common.

use crate::errors::Fault;
use rmlir::ir::{Context, Entry};
use rmlir::text::{PrintOptions, print_attribute, print_location, print_type};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Returns a hash that is the same in each run.
pub(crate) fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the whole text of an attribute, type or location.
pub(crate) fn text_of(context: &Context, entry: impl Into<Entry>) -> Result<String, Fault> {
    let (mut out, options) = (Vec::new(), PrintOptions::default());
    match entry.into() {
        Entry::Attribute(attribute) => print_attribute(context, attribute, &options, &mut out)?,
        Entry::Type(ty) => print_type(context, ty, &options, &mut out)?,
        Entry::Location(location) => print_location(context, location, &options, &mut out)?,
    }
    String::from_utf8(out).map_err(|_| Fault::request("the text is not UTF-8"))
}

/// Implements equality and hash of a handle: equal if it denotes the same entity of the same
/// module.
macro_rules! identity {
    ($class:ident) => {
        impl PartialEq for $class {
            fn eq(&self, other: &Self) -> bool {
                self.id == other.id && Arc::ptr_eq(&self.shared, &other.shared)
            }
        }

        impl Eq for $class {}

        impl std::hash::Hash for $class {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (Arc::as_ptr(&self.shared) as usize).hash(state);
                self.id.hash(state);
            }
        }
    };
}

pub(crate) use identity;
