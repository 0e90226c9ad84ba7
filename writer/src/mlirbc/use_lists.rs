//! Use-list orders that differ from the reference order, by descending position of the use.

use super::scopes::Scopes;
use rmlir_format::prefix_varint::{write_prefix_flagged_varint, write_prefix_varint};
use rmlir_ir::{Module, Value};

/// The record of a value: see [`write`].
struct Record {
    number: u32,
    pairs: bool,
    indices: Vec<u32>,
}

/// Encodes the records of the results of an operation or the arguments of a block.
///
/// Returns `None` if all uses are in the reference order.
///
/// A record stores for each k the list position of the use that is k-th in the reference order. If
/// less than half of the positions differ from k, it stores these only, as pairs of position and k.
/// `sorted` specifies the order of records: by the number of the value, or, as in LLVM before 23,
/// in the order of a hash table.
pub(super) fn write(
    module: &Module,
    scopes: &Scopes,
    values: impl ExactSizeIterator<Item = Value>,
    sorted: bool,
) -> Option<Vec<u8>> {
    let count = values.len();
    let mut records: Vec<Record> = Vec::new();
    for (number, value) in (0..).zip(values) {
        if let Some((indices, pairs)) = order(module, scopes, value) {
            records.push(Record {
                number,
                pairs,
                indices,
            });
        }
    }
    if records.is_empty() {
        return None;
    }
    if !sorted {
        sort_as_hashed(&mut records);
    }
    let mut out = Vec::new();
    if count > 1 {
        write_prefix_varint(&mut out, records.len() as u64);
    }
    for record in &records {
        if count > 1 {
            write_prefix_varint(&mut out, record.number.into());
        }
        write_prefix_flagged_varint(&mut out, record.indices.len() as u64, record.pairs);
        for &index in &record.indices {
            write_prefix_varint(&mut out, index.into());
        }
    }
    Some(out)
}

/// Returns the numbers of a value's record, and whether they are pairs.
fn order(module: &Module, scopes: &Scopes, value: Value) -> Option<(Vec<u32>, bool)> {
    if !scopes.may_be_reordered(value) {
        return None;
    }
    let uses = module.uses(value).map(|operand| {
        let (operation, number) = module.user(operand);
        (scopes.place(operation), number)
    });
    let mut places: Vec<((u32, usize), u32)> = uses.zip(0..).collect();
    if places.is_sorted_by(|a, b| a.0 > b.0) {
        return None;
    }
    places.sort_by(|a, b| b.cmp(a));
    let moved = (0..).zip(&places).filter(|&(k, place)| place.1 != k);
    if moved.clone().count() >= places.len() / 2 {
        return Some((places.iter().map(|place| place.1).collect(), false));
    }
    let pairs = moved.flat_map(|(k, place)| [place.1, k]).collect();
    Some((pairs, true))
}

/// Sorts records into the order of a hash table.
///
/// The table starts with 64 buckets and grows when it would be three quarters full. A record is
/// hashed by 37 times its number; a free bucket is searched at growing distance.
fn sort_as_hashed(records: &mut Vec<Record>) {
    fn insert(buckets: &mut [Option<usize>], hash: usize, record: usize) {
        let mask = buckets.len() - 1;
        let mut at = hash & mask;
        let mut step = 1;
        while buckets[at].is_some() {
            at = (at + step) & mask;
            step += 1;
        }
        buckets[at] = Some(record);
    }
    let hash = |record: usize| (records[record].number as usize).wrapping_mul(37);
    let mut buckets: Vec<Option<usize>> = vec![None; 64];
    for record in 0..records.len() {
        if (record + 1) * 4 >= buckets.len() * 3 {
            let old = std::mem::take(&mut buckets);
            buckets = vec![None; old.len() * 2];
            for record in old.into_iter().flatten() {
                insert(&mut buckets, hash(record), record);
            }
        }
        insert(&mut buckets, hash(record), record);
    }
    let mut all: Vec<Option<Record>> = std::mem::take(records).into_iter().map(Some).collect();
    let order = buckets.into_iter().flatten();
    records.extend(order.filter_map(|record| all[record].take()));
}
