//! Orders of the uses of values that are not the usual one.

use super::operations::Contents;
use super::tables::{read_ascending, table};
use crate::place::{lookup, malformed};
use rmlir_format::{Reader, Result};
use rmlir_ir::{Module, Use, Value};

/// Puts the uses of values into the orders that the section has. All uses are there, the last operation first, of its operands
/// the last first.
pub(super) fn read(mut input: Reader<'_>, contents: &mut Contents) -> Result<()> {
    let mut next = 0u64;
    let (count, mut data, mut offsets) = table(&mut input)?;
    input.expect_end()?;
    for place in 0..count {
        offsets.begin(place as u64, &data)?;
        let at = data.offset();
        let number = read_ascending(&mut data, place, next)?;
        next = number.saturating_add(1);
        let value = lookup(&data, at, "value", &contents.values, number)?;
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
    let usual: Vec<Use> = module.uses(value).collect();
    let order = order(data, &usual)?;
    if order.as_ref().is_none_or(|order| *order == usual) {
        let message = "the order of uses is none of the uses that there are, or the usual one";
        return Err(malformed(data, at, message));
    }
    // It has each use once.
    let _ = module.reorder_uses(value, &order.unwrap_or_default());
    Ok(())
}

/// Passes over an order.
pub(super) fn skip(data: &mut Reader<'_>) -> Result<()> {
    for _ in 0..data.count(1)? {
        data.varint()?;
    }
    Ok(())
}

/// The uses in the order that follows; none if it does not have each once.
fn order(data: &mut Reader<'_>, usual: &[Use]) -> Result<Option<Vec<Use>>> {
    let count = data.count(1)?;
    if count == 0 {
        return Ok(Some(usual.iter().rev().copied().collect()));
    }
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
