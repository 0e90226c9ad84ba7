//! Reads the use-list orders that differ from the usual one.

use super::operations::Contents;
use super::segments::Item;
use super::tables::{read_numbered, table};
use crate::lookup::{lookup, malformed};
use rmlir_format::{Reader, Result};
use rmlir_ir::{Module, Use, Value};

/// Puts the uses of values into the orders stored in the section.
///
/// All uses are present, the last operation first, of its operands the last first.
pub(super) fn read(mut input: Reader<'_>, contents: &mut Contents) -> Result<()> {
    let mut before = (0, 0);
    let (count, mut data, mut offsets) = table(&mut input)?;
    input.expect_end()?;
    for place in 0..count {
        offsets.begin(place as u64, &data)?;
        let at = data.offset();
        let found = read_numbered(&mut data, place, &mut before)?;
        let values = &contents.values;
        let position = contents.segments.position(Item::Value, found, values.len());
        let position = position.unwrap_or(u64::MAX);
        let value = lookup(&data, at, "value", values, position)?;
        apply(&mut data, at, &mut contents.module, value)?;
    }
    data.expect_end()
}

/// Puts the uses of a value into the order that follows.
pub(super) fn apply(
    data: &mut Reader<'_>,
    at: u64,
    module: &mut Module,
    value: Value,
) -> Result<()> {
    let wrong = |data: &Reader<'_>| {
        let message = "invalid use-list order: not a permutation, or the usual order";
        Err(malformed(data, at, message))
    };
    // Most are the usual one turned around, which is another if there are two uses.
    let count = data.count(1)?;
    if count == 0 {
        if module.uses(value).nth(1).is_none() {
            return wrong(data);
        }
        module.reverse_uses(value);
        return Ok(());
    }
    let usual: Vec<Use> = module.uses(value).collect();
    match order(data, count, &usual)? {
        Some(order) if order != usual => {
            // It has each use once.
            let _ = module.reorder_uses(value, &order);
            Ok(())
        }
        _ => wrong(data),
    }
}

/// Skips an order.
pub(super) fn skip(data: &mut Reader<'_>) -> Result<()> {
    for _ in 0..data.count(1)? {
        data.varint()?;
    }
    Ok(())
}

/// Reads the order of `count` uses; `None` if it is not a permutation.
fn order(data: &mut Reader<'_>, count: usize, usual: &[Use]) -> Result<Option<Vec<Use>>> {
    let mut order: Vec<Option<Use>> = vec![None; count];
    let mut is_one = count == usual.len();
    for position in 0..count {
        let place = usize::try_from(data.varint()?).ok();
        match place.and_then(|place| order.get_mut(place)) {
            Some(slot @ None) => *slot = usual.get(position).copied(),
            _ => is_one = false,
        }
    }
    Ok(is_one.then(|| order.into_iter().flatten().collect()))
}
