//! Names of values and blocks.

use rmlir_ir::{Context, Module};

/// Returns the names of all values and blocks, in the order of the module.
pub fn value_and_block_names<'c>(context: &'c Context, module: &Module) -> Vec<Option<&'c [u8]>> {
    let mut names = Vec::new();
    let (values, blocks) = (
        &module.provenance.value_names,
        &module.provenance.block_names,
    );
    for operation in module.descendants(module.top()) {
        names.extend(module.results(operation).map(|value| values.get(value)));
        for block in module.regions(operation).flat_map(|r| module.blocks(r)) {
            names.push(blocks.get(block));
            names.extend(module.arguments(block).map(|(value, _)| values.get(value)));
        }
    }
    let names = names.into_iter();
    names
        .map(|name| name.map(|name| context.bytes(name)))
        .collect()
}
