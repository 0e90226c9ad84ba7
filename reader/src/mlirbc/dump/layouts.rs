//! Layouts of properties, as far as they are known: of each blob, that of the operation which it is
//! met with first, in the newest release in which it fits.

use super::tables::Names;
use crate::mlirbc::dialects::DialectVersions;
use crate::mlirbc::layout::Layout;
use crate::mlirbc::properties::candidates;
use rmlir_format::Reader;
use rmlir_format::mlirbc::Version;
use rmlir_ir::Context;
use rmlir_ir::definition::Release;
use std::collections::HashMap;

/// The layouts that a dump needs.
#[derive(Default)]
pub(super) struct Layouts {
    /// A copy of the context of the dump, made when it is first needed.
    context: Option<Context>,
    releases: Vec<[Release; 2]>,
    /// The versions of the dialects, read when they are first needed.
    versions: Option<DialectVersions>,
    /// The number of the operation's name that each blob was met with first.
    met: HashMap<u64, u64>,
    /// The layouts of an operation, by the number of its name.
    known: HashMap<u64, Vec<Layout>>,
}

/// A value of a blob.
pub(super) struct Value<'a> {
    pub(super) name: String,
    /// The number of the attribute, if it is one and is there.
    pub(super) attribute: Option<Option<u64>>,
    pub(super) bytes: &'a [u8],
}

impl Layouts {
    pub(super) fn set_producer(&mut self, producer: &[u8]) {
        self.releases = candidates(producer, None);
    }

    /// Records that the operation with the name number `name` has a blob.
    pub(super) fn met(&mut self, blob: u64, name: u64) {
        self.met.entry(blob).or_insert(name);
    }

    /// Returns the values in blob `number`; none if its layout is not known.
    pub(super) fn values<'a>(
        &mut self,
        definitions: &Context,
        number: u64,
        data: &Reader<'a>,
        names: &Names<'_>,
        version: Version,
    ) -> Vec<Value<'a>> {
        let Some(&name) = self.met.get(&number) else {
            return Vec::new();
        };
        if !names.is_registered(name) {
            // A dictionary.
            let mut input = data.clone();
            return match input.prefix_varint() {
                Ok(attribute) if input.is_empty() => vec![Value {
                    name: "attributes".to_owned(),
                    attribute: Some(Some(attribute)),
                    bytes: data.peek_rest(),
                }],
                _ => Vec::new(),
            };
        }
        let context = self.context.get_or_insert_with(|| definitions.clone());
        let (releases, versions) = (&self.releases, &mut self.versions);
        let layouts = self.known.entry(name).or_insert_with(|| {
            let (dialect, operation) = names.operation(name);
            let name = context.operation_name([dialect, b".", operation].concat());
            let versions = versions.get_or_insert_with(|| names.versions(context));
            let versions = (version.number(), &*versions);
            let layout = |releases: &[Release; 2]| Layout::of(context, name, releases, versions);
            releases.iter().filter_map(layout).collect()
        });
        let context = &*context;
        let fitting = layouts.iter().find_map(|layout| {
            let mut values = Vec::new();
            let fits = layout.slots(data.clone(), &mut |name, attribute, before, after| {
                let rest = before.peek_rest();
                let len = rest.len().saturating_sub(after.remaining());
                values.push(Value {
                    name: context.str(name).into_owned(),
                    attribute,
                    bytes: rest.get(..len).unwrap_or_default(),
                });
            });
            fits.is_ok().then_some(values)
        });
        fitting.unwrap_or_default()
    }
}
