//! Helpers shared by the tests of editing.

#![allow(dead_code, reason = "not every test uses all of it")]

use rmlir_ir::{Module, Operation, Region, Value, ValueDefinition};
use std::collections::HashMap;

/// Checks that links in both directions agree below `roots`, and that the uses of all values are
/// exactly the operands below `roots`, which must include all operations.
pub(crate) fn check(module: &Module, roots: &[Operation]) {
    let mut uses: HashMap<Value, Vec<(Operation, usize)>> = HashMap::new();
    let mut values = Vec::new();
    for &root in roots {
        for op in module.descendants(root) {
            for (number, value) in module.operands(op).enumerate() {
                assert_eq!(module.operand(op, number), Some(value));
                uses.entry(value).or_default().push((op, number));
            }
            for (number, value) in module.results(op).enumerate() {
                assert_eq!(module.result(op, number), Some(value));
                assert_eq!(
                    module.definition(value),
                    ValueDefinition::Result(op, number as u32)
                );
                values.push(value);
            }
            for (number, region) in module.regions(op).enumerate() {
                assert_eq!(module.region(op, number), Some(region));
                assert_eq!(module.region_parent(region), Some(op));
                check_region(module, region, &mut values);
            }
            assert_eq!(module.region(op, module.regions(op).len()), None);
            assert_eq!(module.operand(op, module.operand_count(op)), None);
        }
    }
    for value in values {
        let mut expected = uses.remove(&value).unwrap_or_default();
        let mut found: Vec<_> = module.uses(value).map(|u| module.user(u)).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "uses of {value:?}");
        assert_eq!(module.has_uses(value), !found.is_empty());
    }
    assert!(
        uses.is_empty(),
        "operands that nothing below the roots defines: {uses:?}"
    );
}

fn check_region(module: &Module, region: Region, values: &mut Vec<Value>) {
    let mut previous = None;
    for block in module.blocks(region) {
        assert_eq!(module.previous_block(block), previous);
        assert_eq!(module.block_region(block), Some(region));
        previous = Some(block);
        for (number, (value, _)) in module.arguments(block).enumerate() {
            assert_eq!(module.argument(block, number), Some(value));
            assert_eq!(
                module.definition(value),
                ValueDefinition::Argument(block, number as u32)
            );
            values.push(value);
        }
        assert_eq!(module.argument(block, module.argument_count(block)), None);
        let mut last = None;
        for op in module.operations(block) {
            assert_eq!(module.previous_operation(op), last);
            assert_eq!(module.parent_block(op), Some(block));
            last = Some(op);
        }
        assert_eq!(module.last_operation(block), last);
    }
    assert_eq!(module.last_block(region), previous);
}

/// A small pseudo-random generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n.max(1)
    }
}
