//! The hybrid of run lengths and packed bits, for levels and the indices of dictionaries.

use super::thrift::varint;

/// Returns the bits that the values up to `max` need.
pub(super) fn bit_width(max: u32) -> u32 {
    u32::BITS - max.leading_zeros()
}

/// Appends values of `width` bits each. Runs of 8 and more equal values are stored as a length,
/// others are packed in groups of 8.
pub(super) fn run_lengths(values: impl Iterator<Item = u32>, width: u32, bytes: &mut Vec<u8>) {
    let mut values = values.peekable();
    let mut packed: Vec<u32> = Vec::new();
    while let Some(value) = values.next() {
        let mut run = 1_u64;
        while values.next_if_eq(&value).is_some() {
            run += 1;
        }
        // Groups of packed values are full, but for the last one.
        let fill = (8 - packed.len() as u64 % 8) % 8;
        if run < fill + 8 {
            packed.extend((0..run).map(|_| value));
            continue;
        }
        packed.extend((0..fill).map(|_| value));
        pack(&mut packed, width, bytes);
        varint((run - fill) << 1, bytes);
        let size = width.div_ceil(8) as usize;
        bytes.extend(value.to_le_bytes().into_iter().take(size));
    }
    pack(&mut packed, width, bytes);
}

/// Appends values as packed groups of 8, the last one filled with zeros.
fn pack(values: &mut Vec<u32>, width: u32, bytes: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    values.resize(values.len().next_multiple_of(8), 0);
    varint((values.len() as u64 / 8) << 1 | 1, bytes);
    pack_bits(values.drain(..), width, bytes);
}

/// Appends the bits of values, the lowest first.
pub(super) fn pack_bits(values: impl Iterator<Item = u32>, width: u32, bytes: &mut Vec<u8>) {
    let (mut bits, mut len) = (0_u64, 0);
    for value in values {
        bits |= u64::from(value) << len;
        len += width;
        while len >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            len -= 8;
        }
    }
    if len > 0 {
        bytes.push(bits as u8);
    }
}
