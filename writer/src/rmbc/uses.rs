//! Orders of the uses of values that are not the usual one: the last operation first, of its operands the last first, which
//! is what a reader has that puts each use to the front.

use super::collect::Numbering;
use super::tables::{Table, write_ascending};
use super::walk::{Visitor, visit};
use rmlir_format::Result;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Block, Module, Operation, Region, Use, Value};
use std::collections::HashMap;

/// Collects the uses of some values on a way through the module.
struct Uses<'m> {
    module: &'m Module,
    of: HashMap<Value, Vec<Use>>,
}

impl Visitor for Uses<'_> {
    fn operation(&mut self, operation: Operation) -> Result<()> {
        for (operand, value) in self.module.operand_uses(operation) {
            if let Some(uses) = self.of.get_mut(&value) {
                uses.push(operand);
            }
        }
        Ok(())
    }

    fn region(&mut self, _: Region) -> Result<()> {
        Ok(())
    }

    fn block(&mut self, _: Block) -> Result<()> {
        Ok(())
    }

    fn leave(&mut self, _: Operation) -> Result<()> {
        Ok(())
    }
}

/// The section; no bytes if all uses are in the usual order. Takes another way through the module if they are not.
pub(super) fn encode(
    module: &Module,
    numbering: &Numbering,
    mut unusual: Vec<Value>,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    if unusual.is_empty() {
        return Ok(out);
    }
    unusual.sort_unstable();
    unusual.dedup();
    let of = unusual.iter().map(|&value| (value, Vec::new())).collect();
    let mut uses = Uses { module, of };
    visit(module, &mut uses)?;
    let mut orders: Vec<(u32, Vec<u32>)> = Vec::new();
    for value in unusual {
        let Some(number) = numbering.value(value) else {
            continue;
        };
        let mut usual = uses.of.remove(&value).unwrap_or_default();
        usual.reverse();
        // Uses that are not in the module are passed over.
        let known: HashMap<Use, u32> = usual.iter().copied().zip(0..).collect();
        let mut places = vec![0; usual.len()];
        let listed = module.uses(value).filter_map(|used| known.get(&used));
        for (place, &position) in (0..).zip(listed) {
            if let Some(slot) = places.get_mut(position as usize) {
                *slot = place;
            }
        }
        if !places.is_sorted() {
            orders.push((number, places));
        }
    }
    if orders.is_empty() {
        return Ok(out);
    }
    orders.sort_unstable();
    let mut table = Table::default();
    let mut before = 0;
    for (number, places) in &orders {
        before = write_ascending(&mut table, before, *number);
        let out = table.current();
        if places.iter().rev().is_sorted() {
            write_varint(out, 0);
            continue;
        }
        write_varint(out, places.len() as u64);
        for &place in places {
            write_varint(out, place.into());
        }
    }
    table.finish(&mut out)?;
    Ok(out)
}
