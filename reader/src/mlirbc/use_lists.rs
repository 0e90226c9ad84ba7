//! Orders of use lists that differ from the reference order.
//!
//! The reference order has the uses of a value by descending position: the last operation first,
//! and within an operation the last operand first. A reader that prepends each use obtains it
//! without further work. A record gives the position in the list of the use that is k-th there: for
//! each k, or, if the flag is set, only where it is not k, as pairs of position and k.

use crate::lookup::malformed;
use rmlir_format::{Input, Reader, Result};
use rmlir_ir::{Module, Use, Value};

/// The records of a file.
#[derive(Default)]
pub(super) struct UseLists {
    records: Vec<Record>,
    /// The numbers of all records.
    indices: Vec<u32>,
}

struct Record {
    /// The number of the result or argument among those of its operation or block.
    number: usize,
    value: Option<Value>,
    pairs: bool,
    /// The range of its numbers in `indices`.
    start: usize,
    end: usize,
    /// The position of the record, for errors.
    place: Place,
}

#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    section: &'static str,
}

impl UseLists {
    /// Reads the records of `count` values, and returns the number of the first.
    pub(super) fn read(&mut self, input: &mut impl Input, count: usize) -> Result<usize> {
        let first = self.records.len();
        let at = input.offset();
        let records = match count {
            0 => {
                let message = "orders of use lists where there are no values";
                return Err(malformed(input, at, message));
            }
            1 => 1,
            _ => input.prefix_count(3)?,
        };
        for _ in 0..records {
            let place = Place {
                offset: input.offset(),
                section: input.section(),
            };
            let number = match count {
                1 => 0,
                _ => input.prefix_varint()?,
            };
            let Some(number) = usize::try_from(number).ok().filter(|&n| n < count) else {
                let message = format!("value {number} of {count} has no order of uses");
                return Err(malformed(input, place.offset, message));
            };
            let (len, pairs) = input.prefix_flagged_varint()?;
            let start = self.indices.len();
            for _ in 0..len {
                let at = input.offset();
                let index = input.prefix_varint()?;
                let Ok(index) = u32::try_from(index) else {
                    return Err(malformed(input, at, format!("there is no use {index}")));
                };
                self.indices.push(index);
            }
            self.records.push(Record {
                number,
                value: None,
                pairs,
                start,
                end: self.indices.len(),
                place,
            });
        }
        Ok(first)
    }

    /// Binds the records from `first` on to their values.
    pub(super) fn bind(&mut self, first: usize, values: &[Value]) {
        for record in self.records.iter_mut().skip(first) {
            record.value = values.get(record.number).copied();
        }
    }

    /// Orders the use lists; all uses must exist.
    pub(super) fn apply(self, module: &mut Module) -> Result<()> {
        for record in &self.records {
            let Some(value) = record.value else { continue };
            let indices = self.indices.get(record.start..record.end);
            if !apply(module, value, record.pairs, indices.unwrap_or_default()) {
                let input = Reader::with_base(&[], record.place.offset, record.place.section);
                let message = "invalid use-list order: not a permutation of the uses";
                return Err(malformed(&input, record.place.offset, message));
            }
        }
        Ok(())
    }
}

/// Reorders the uses of a value by a record; returns false if the record is invalid.
fn apply(module: &mut Module, value: Value, pairs: bool, indices: &[u32]) -> bool {
    let uses: Vec<Use> = module.uses(value).collect();
    let mut places: Vec<u32> = (0..u32::try_from(uses.len()).unwrap_or(u32::MAX)).collect();
    if pairs {
        let (chunks, rest) = indices.as_chunks::<2>();
        if !rest.is_empty() || chunks.len() > uses.len() {
            return false;
        }
        for &[place, number] in chunks {
            match places.get_mut(number as usize) {
                Some(to) => *to = place,
                None => return false,
            }
        }
    } else {
        if indices.len() != uses.len() {
            return false;
        }
        places = indices.to_vec();
    }
    let mut order: Vec<Option<Use>> = vec![None; uses.len()];
    for (&place, &used) in places.iter().zip(&uses) {
        match order.get_mut(place as usize) {
            Some(slot @ None) => *slot = Some(used),
            _ => return false,
        }
    }
    let order: Vec<Use> = order.into_iter().flatten().collect();
    order.len() == uses.len() && module.reorder_uses(value, &order).is_ok()
}
