//! Removes content that does not affect the meaning of a module.

use crate::{
    Attribute, AttributeKind, Context, DialectBody, Entry, EntryReplacer, Location, LocationKind,
    Module,
};

/// The metadata that [`strip`] removes; by default locations and names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StripOptions {
    /// Makes the locations of operations and block arguments unknown, and those inside attributes;
    /// removes the folders in `#llvm.di_file` attributes, which debug information refers to.
    pub locations: bool,
    /// Removes the names of values, blocks and aliases.
    pub names: bool,
    /// Removes the data of resources, and external resources.
    pub resources: bool,
}

impl Default for StripOptions {
    fn default() -> Self {
        StripOptions {
            locations: true,
            names: true,
            resources: false,
        }
    }
}

/// Removes content of a module that does not affect its meaning. Linear in the module.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module, StripOptions, strip};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// builder.set_file_location("secret.py", 1, 2);
/// let op = builder.op("test.a").build()?;
/// strip(&mut context, &mut module, &StripOptions::default());
/// assert_eq!(module.location(op), context.unknown_location());
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub fn strip(context: &mut Context, module: &mut Module, options: &StripOptions) {
    if options.locations {
        strip_locations(context, module);
        strip_attributes(context, module);
    }
    if options.names {
        let provenance = &mut module.provenance;
        provenance.value_names.clear();
        provenance.block_names.clear();
        provenance.attribute_alias_names.clear();
        provenance.type_alias_names.clear();
    }
    if options.resources {
        for resource in module.provenance.resources.clone() {
            context.resource_mut(resource).value = None;
        }
        module.provenance.external_resources.clear();
    }
}

fn strip_locations(context: &Context, module: &mut Module) {
    let unknown = context.unknown_location();
    let operations: Vec<_> = module.descendants(module.top()).collect();
    for operation in operations {
        module.set_location(operation, unknown);
        let regions: Vec<_> = module.regions(operation).collect();
        for region in regions {
            let blocks: Vec<_> = module.blocks(region).collect();
            for block in blocks {
                for number in 0..module.argument_count(block) {
                    // The number is in range.
                    let _ = module.set_argument_location(block, number, unknown);
                }
            }
        }
    }
}

/// Replaces locations and names of files inside attributes and types.
fn strip_attributes(context: &mut Context, module: &mut Module) {
    let mut replacer = EntryReplacer::new(|context: &mut Context, entry| match entry {
        Entry::Attribute(attribute) => stripped(context, attribute).map(Entry::Attribute),
        _ => None,
    });
    let operations: Vec<_> = module.descendants(module.top()).collect();
    for operation in operations {
        let attributes = replacer.attributes_of(context, module, operation);
        let replaced = attributes.and_then(|_| replacer.types_of(context, module, operation));
        if replaced.is_err() {
            // The rules of an attribute do not allow the replacement, and the memo is incomplete.
            debug_assert!(false, "a location cannot be replaced");
            return;
        }
    }
}

/// Returns what replaces an attribute that names files.
fn stripped(context: &mut Context, attribute: Attribute) -> Option<Attribute> {
    match context.attribute_kind(attribute) {
        AttributeKind::Location(location) => {
            let is_unknown = |location: Location| {
                matches!(context.location_kind(location), LocationKind::Unknown)
            };
            let unknown = context.unknown_location();
            (!is_unknown(*location)).then(|| context.location_attribute(unknown))
        }
        AttributeKind::Dialect { dialect, body, ty } if context.bytes(*dialect) == b"llvm" => {
            let (dialect, ty) = (*dialect, *ty);
            let body = DialectBody::from_text(&without_folder(body.text())?);
            let kind = AttributeKind::Dialect { dialect, body, ty };
            context.try_attribute(kind).ok()
        }
        _ => None,
    }
}

/// Returns `di_file<"a.c" in "">` for `di_file<"src/a.c" in "/home/me">`; `None` for another text.
fn without_folder(body: &[u8]) -> Option<Vec<u8>> {
    let rest = body.strip_prefix(b"di_file<\"")?;
    // Quotation marks in names are escaped as `\22`.
    let end = rest.iter().position(|&byte| byte == b'"')?;
    let (name, rest) = rest.split_at_checked(end)?;
    rest.strip_prefix(b"\" in \"")?.strip_suffix(b"\">")?;
    let base = name.rsplit(|&byte| byte == b'/').next()?;
    Some([b"di_file<\"", base, b"\" in \"\">"].concat())
}

#[cfg(test)]
mod tests {
    use super::without_folder;

    #[test]
    fn folders_are_removed() {
        let stripped = |text: &str| without_folder(text.as_bytes());
        let expected = Some(b"di_file<\"a.c\" in \"\">".to_vec());
        assert_eq!(stripped("di_file<\"src/a.c\" in \"/home/me\">"), expected);
        assert_eq!(stripped("di_file<\"a.c\" in \"\">"), expected);
        assert_eq!(stripped("di_basic_type<name = \"x\">"), None);
        assert_eq!(stripped("di_file<\"a"), None);
    }
}
