//! Use-list orders that differ from the default.
//!
//! The default order is: the last operation first, and of its operands the last first. A reader
//! that prepends each use to the list obtains this order.

use super::collect::Numbering;
use super::segments::{Item, Segments};
use crate::numbers::Numbers;
use rmlir_format::Result;
use rmlir_format::rmbc::table::{Before, Table, write_numbered};
use rmlir_format::varint::write_varint;
use rmlir_ir::{Module, Value};
use std::cmp::Reverse;

/// Encodes the section; no bytes if all uses are in the default order.
///
/// `unusual` are the values whose uses may differ from it, `order` numbers operations in the order
/// of writing.
pub(super) fn encode(
    module: &Module,
    numbering: &Numbering,
    unusual: &[Value],
    (order, segments): (&Numbers, &Segments),
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut orders: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut uses = Vec::new();
    for &value in unusual {
        let Some(number) = numbering.value(value) else {
            continue;
        };
        // Uses outside of the module are skipped.
        let known = module.uses(value).filter_map(|operand| {
            let (operation, position) = module.user(operand);
            Some((order.get(operation.index())?, position))
        });
        uses.clear();
        uses.extend(known.map(Reverse).zip(0u32..));
        if uses.is_sorted() {
            continue;
        }
        uses.sort_unstable();
        orders.push((number, uses.iter().map(|&(_, place)| place).collect()));
    }
    if orders.is_empty() {
        return Ok(out);
    }
    orders.sort_unstable();
    let mut table = Table::default();
    let mut before = Before::default();
    for (number, places) in &orders {
        let (segment, number) = segments.locate(Item::Value, *number);
        write_numbered(&mut table, &mut before, segment, number);
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
