//! Known losses of the textual form that rmlir shares with upstream, which the fuzzers must not
//! report.

use rmlir::ir::definition::Presence;
use rmlir::ir::{Context, Module};
use rmlir::text::attribute_to_string;
use std::collections::HashSet;

/// Returns whether a source contains something that prints differently: digits of wide floats,
/// which do not read back, or cached attributes of verifiers, which are never printed.
pub(crate) fn may_be_printed_otherwise(source: &[u8]) -> bool {
    let has = |word: &[u8]| source.windows(word.len()).any(|w| w == word);
    has(b"f80") || has(b"f128") || has(b"memoized_indexing_maps")
}

/// Returns whether all values are used only in the regions that define them. A hook that resolves
/// operands after a region can take a value of the region for an operand, also in upstream's
/// parser.
pub(crate) fn uses_are_in_regions(module: &Module) -> bool {
    module.descendants(module.top()).all(|operation| {
        let start = module.parent_block(operation);
        let start = start.and_then(|block| module.block_region(block));
        module.operands(operation).all(|value| {
            let home = module.defining_block(value);
            let home = home.and_then(|block| module.block_region(block));
            let mut regions = std::iter::successors(start, |&region| {
                let parent = module.region_parent(region)?;
                module.block_region(module.parent_block(parent)?)
            });
            home.is_some() && regions.any(|region| Some(region) == home)
        })
    })
}

/// Returns whether custom form omits something.
pub(crate) fn is_left_out(context: &Context, module: &Module) -> bool {
    has_said_defaults(context, module) || has_kind_of_nothing(context, module)
}

/// Returns whether an outer product without an accumulator has a kind: as upstream, its attributes
/// are then not printed.
fn has_kind_of_nothing(context: &Context, module: &Module) -> bool {
    module.descendants(module.top()).any(|operation| {
        let name = context.operation_name_bytes(module.name(operation));
        let kind = module.attribute(context, operation, "kind");
        let is_usual =
            kind.is_none_or(|a| *attribute_to_string(context, a) == *"#vector.kind<add>");
        let is_bare = module
            .attributes(operation)
            .is_none_or(|a| a == context.empty_dictionary());
        name == b"vector.outerproduct"
            && module.operand_count(operation) < 3
            && !(is_usual && is_bare)
    })
}

/// Returns whether an optional attribute has the value that its absence denotes.
fn has_said_defaults(context: &Context, module: &Module) -> bool {
    module.descendants(module.top()).any(|operation| {
        let definition = context.operation_definition(module.name(operation));
        let attributes = definition
            .iter()
            .flat_map(|d| d.attributes_in(context.release()));
        let mut optional = attributes.filter(|a| a.presence == Presence::Optional);
        optional.any(|attribute| {
            let value = module.attribute(context, operation, &*attribute.name);
            let default = attribute.default.as_deref();
            value.is_some_and(|value| default == Some(&*attribute_to_string(context, value)))
        })
    })
}

/// Returns whether text, as upstream prints it, may parse as something else. Regrouped operands may
/// also be reordered.
pub(crate) fn is_read_otherwise(text: &[u8]) -> bool {
    may_regroup(text) || has_bits_of_complex_numbers(text)
}

/// Returns whether a part of a `#complex.number` is printed as bits: as upstream, these are parsed
/// as those of an `f64`, whatever the type.
fn has_bits_of_complex_numbers(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        has(b"#complex.number<") && has(b"0x")
    })
}

/// Returns whether an affine map or set has a sum of three or more terms: as upstream,
/// `a + (b + c)` is printed without parentheses and parses as `(a + b) + c`.
fn may_regroup(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let has = |word: &[u8]| line.windows(word.len()).any(|w| w == word);
        let adds = line.windows(3).filter(|w| *w == b" + " || *w == b" - ");
        (has(b"affine_") || has(b"#map") || has(b"#set")) && adds.count() >= 2
    })
}

/// Returns whether two location aliases have the same text: locations that differ only in their
/// form get one alias each, and are equal when parsed.
pub(crate) fn has_equal_aliases(text: &[u8]) -> bool {
    let mut seen = HashSet::new();
    let mut lines = text.split(|&b| b == b'\n');
    lines.any(|line| {
        let define = |window: &[u8]| window == b" = loc(";
        let start = line.windows(7).position(define);
        let is_alias = line.first() == Some(&b'#');
        start.is_some_and(|start| is_alias && !seen.insert(&line[start..]))
    })
}
