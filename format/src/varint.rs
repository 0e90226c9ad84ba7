//! Variable-length integers of rmbc: `split192`.
//!
//! The first byte determines the length. Values up to 191, which is nearly all of them, take one
//! byte; values up to 14,527 take two. With 7 bits a byte, two bytes would reach 16,383, but values
//! from 128 on would already take two bytes.
//!
//! | first byte `b` | bytes | value | canonical range |
//! |---|---|---|---|
//! | 0..=191 | 1 | `b` | 0..=191 |
//! | 192..=247 | 2 | `192 + (b - 192) * 256 + next byte` | 192..=14,527 |
//! | 248 | 3 | next 2 bytes, little-endian | 14,528..=2^16 - 1 |
//! | 249 | 4 | next 3 bytes | 2^16..=2^24 - 1 |
//! | 250 | 5 | next 4 bytes | 2^24..=2^32 - 1 |
//! | 251 | 6 | next 5 bytes | 2^32..=2^40 - 1 |
//! | 252 | 7 | next 6 bytes | 2^40..=2^48 - 1 |
//! | 253 | 8 | next 7 bytes | 2^48..=2^56 - 1 |
//! | 254 | 9 | next 8 bytes | 2^56..=2^64 - 1 |
//! | 255 | | refused | |
//!
//! A value outside the canonical range of its form is refused: each value has one encoding, so
//! equal content has equal bytes.
//!
//! Signed values are mapped to unsigned ones by zigzag: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...

use crate::cursor::Reader;
use crate::error::{Error, ErrorKind, Result};

/// The maximum number of bytes of a varint.
pub const MAX_VARINT_LEN: usize = 9;

/// The largest value whose varint is one byte, which is the value.
pub const MAX_ONE_BYTE_VARINT: u8 = 191;

/// Smallest first byte of a varint of two bytes.
const TWO_BYTES: u8 = MAX_ONE_BYTE_VARINT + 1;
/// First byte of the forms that store the value in the bytes that follow.
const RAW: u8 = 248;
/// Bytes that follow [`RAW`].
const LEAST_RAW_LEN: u8 = 2;
/// Smallest value that does not fit in two bytes.
const LEAST_RAW: u64 = 192 + (RAW - TWO_BYTES) as u64 * 256;

/// Appends `value` in 1 to 9 bytes.
#[inline]
pub fn write_varint(out: &mut Vec<u8>, value: u64) {
    if value < u64::from(TWO_BYTES) {
        out.push(value as u8);
    } else {
        write_long(out, value);
    }
}

/// Appends the zigzag of `value` as a varint.
#[inline]
pub fn write_signed_varint(out: &mut Vec<u8>, value: i64) {
    write_varint(out, zigzag(value));
}

/// Returns the number of bytes, 1 to 9, that [`write_varint`] appends.
#[inline]
pub fn varint_len(value: u64) -> usize {
    match value {
        0..192 => 1,
        192..LEAST_RAW => 2,
        _ => raw_len(value).wrapping_add(1),
    }
}

/// Maps small numbers of either sign to small numbers: `2 * v`, or `-2 * v - 1` for a negative `v`.
#[inline]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Inverse of [`zigzag`].
#[inline]
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ (value as i64 & 1).wrapping_neg()
}

#[inline(never)]
fn write_long(out: &mut Vec<u8>, value: u64) {
    if value < LEAST_RAW {
        let [low, high, ..] = value.wrapping_sub(u64::from(TWO_BYTES)).to_le_bytes();
        out.extend_from_slice(&[TWO_BYTES.wrapping_add(high), low]);
    } else {
        let len = raw_len(value);
        out.push(RAW.wrapping_sub(LEAST_RAW_LEN).wrapping_add(len as u8));
        out.extend(value.to_le_bytes().into_iter().take(len));
    }
}

/// Returns the number of bytes up to the highest that is not zero.
fn raw_len(value: u64) -> usize {
    8usize.wrapping_sub(value.leading_zeros() as usize / 8)
}

/// Returns the first `len` (1 to 8) bytes as a little-endian integer.
#[inline]
pub(crate) fn load_le(bytes: &[u8], len: usize) -> Option<u64> {
    if let Some(chunk) = bytes.first_chunk::<8>() {
        let unused = 64usize.wrapping_sub(len.wrapping_mul(8)) as u32;
        return Some(u64::from_le_bytes(*chunk) & (u64::MAX >> (unused & 63)));
    }
    let bytes = bytes.get(..len)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte)),
    )
}

impl Reader<'_> {
    /// Reads a varint of rmbc; see the [module](crate::varint).
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if it is cut off, [`ErrorKind::InvalidVarint`] if it is not the
    /// canonical encoding of its value.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        match self.peek() {
            Some(byte) if byte < TWO_BYTES => {
                self.advance(1);
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    /// Reads a varint that has to fit in 32 bits, as the indices of table entries do.
    ///
    /// # Errors
    /// Those of [`varint`](Reader::varint), and [`ErrorKind::Malformed`] for a larger value.
    #[inline]
    pub fn varint_u32(&mut self) -> Result<u32> {
        let start = self.clone();
        let value = self.varint()?;
        u32::try_from(value).map_err(|_| {
            *self = start;
            self.error(
                ErrorKind::Malformed,
                format!("{value} is more than the 32 bits that it may take"),
            )
        })
    }

    /// Reads a signed varint: the zigzag of the value.
    ///
    /// # Errors
    /// Those of [`varint`](Reader::varint).
    #[inline]
    pub fn signed_varint(&mut self) -> Result<i64> {
        self.varint().map(unzigzag)
    }

    #[inline(never)]
    fn long_varint(&mut self) -> Result<u64> {
        let Some((&first, tail)) = self.peek_rest().split_first() else {
            return Err(self.truncated(1));
        };
        if first < RAW {
            let Some(&low) = tail.first() else {
                return Err(self.truncated(2));
            };
            self.advance(2);
            let high = u64::from(first.wrapping_sub(TWO_BYTES));
            return Ok((high << 8 | u64::from(low)).wrapping_add(u64::from(TWO_BYTES)));
        }
        let len = usize::from(first.wrapping_sub(RAW).wrapping_add(LEAST_RAW_LEN));
        if len > 8 {
            return Err(self.error(
                ErrorKind::InvalidVarint,
                "no integer begins with the byte 255",
            ));
        }
        let total = len.wrapping_add(1);
        let Some(value) = load_le(tail, len) else {
            return Err(self.truncated(total as u64));
        };
        if varint_len(value) != total {
            return Err(self.not_shortest(value, total));
        }
        self.advance(total);
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn not_shortest(&self, value: u64, total: usize) -> Error {
        let shortest = varint_len(value);
        self.error(
            ErrorKind::InvalidVarint,
            format!("the integer {value} is written in {total} bytes instead of {shortest}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prng::interesting_u64s;
    use rmlir_testing::Prng;

    fn encode(value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write_varint(&mut out, value);
        out
    }

    fn decode(bytes: &[u8]) -> Result<u64> {
        let mut reader = Reader::new(bytes, "test");
        let value = reader.varint()?;
        reader.expect_end()?;
        Ok(value)
    }

    #[test]
    fn the_table_in_the_documentation() {
        for (value, bytes) in [
            (0, &[0][..]),
            (191, &[191]),
            (192, &[192, 0]),
            (447, &[192, 255]),
            (448, &[193, 0]),
            (14_527, &[247, 255]),
            (14_528, &[248, 0xc0, 0x38]),
            (0xffff, &[248, 0xff, 0xff]),
            (0x1_0000, &[249, 0, 0, 1]),
            (0xff_ffff, &[249, 0xff, 0xff, 0xff]),
            (1 << 24, &[250, 0, 0, 0, 1]),
            (1 << 32, &[251, 0, 0, 0, 0, 1]),
            (1 << 40, &[252, 0, 0, 0, 0, 0, 1]),
            (1 << 48, &[253, 0, 0, 0, 0, 0, 0, 1]),
            (1 << 56, &[254, 0, 0, 0, 0, 0, 0, 0, 1]),
            (u64::MAX, &[254, 255, 255, 255, 255, 255, 255, 255, 255]),
        ] {
            assert_eq!(encode(value), bytes);
            assert_eq!(decode(bytes).unwrap(), value);
        }
    }

    #[test]
    fn round_trips_at_any_place() {
        for value in interesting_u64s() {
            let mut bytes = encode(value);
            assert_eq!(bytes.len(), varint_len(value));
            assert!(bytes.len() <= MAX_VARINT_LEN);
            assert_eq!(decode(&bytes).unwrap(), value);
            // The other path of `load_le`: eight or more bytes follow.
            let len = bytes.len();
            bytes.extend([0xff; 8]);
            let mut reader = Reader::new(&bytes, "test");
            assert_eq!(reader.varint().unwrap(), value);
            assert_eq!(reader.position(), len);
        }
    }

    #[test]
    fn order_of_lengths_follows_order_of_values() {
        let mut values = interesting_u64s();
        values.sort_unstable();
        assert!(values.is_sorted_by_key(|&value| varint_len(value)));
    }

    #[test]
    fn cut_off_anywhere_is_truncated() {
        for value in interesting_u64s() {
            let bytes = encode(value);
            for len in 0..bytes.len() {
                let mut reader = Reader::with_base(&bytes[..len], 7, "test");
                let error = reader.varint().unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Truncated);
                assert_eq!((error.offset(), reader.position()), (Some(7), 0));
            }
        }
    }

    #[test]
    fn every_longer_form_is_refused() {
        for value in interesting_u64s() {
            for len in 2..=8 {
                let fits = len == 8 || value >> (8 * len) == 0;
                let canonical = varint_len(value) == len + 1;
                if !fits || canonical {
                    continue;
                }
                let mut bytes = vec![246 + len as u8];
                bytes.extend(&value.to_le_bytes()[..len]);
                for tail in [&[][..], &[1; 9]] {
                    let bytes = [&bytes, tail].concat();
                    let mut reader = Reader::new(&bytes, "test");
                    let error = reader.varint().unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::InvalidVarint, "{value} in {len}");
                    assert_eq!(reader.position(), 0);
                }
            }
        }
        let error = decode(&[249, 5, 0, 0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the integer 5 is written in 4 bytes instead of 1 (section test, offset 0x0)"
        );
    }

    #[test]
    fn byte_255_is_refused() {
        let error = decode(&[255; 12]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidVarint);
        assert_eq!(decode(&[255]).unwrap_err().kind(), ErrorKind::InvalidVarint);
    }

    #[test]
    fn whatever_decodes_encodes_to_the_same_bytes() {
        let mut prng = Prng::new(3);
        for _ in 0..200_000 {
            let bytes = prng.next_u64().to_le_bytes();
            let bytes = [&bytes[..], &prng.next_u64().to_le_bytes()].concat();
            let mut reader = Reader::new(&bytes, "test");
            if let Ok(value) = reader.varint() {
                assert_eq!(encode(value), bytes[..reader.position()]);
            }
        }
    }

    #[test]
    fn zigzag_is_a_bijection() {
        for (signed, unsigned) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (i64::MAX, u64::MAX - 1)] {
            assert_eq!(zigzag(signed), unsigned);
        }
        assert_eq!(zigzag(i64::MIN), u64::MAX);
        for value in interesting_u64s() {
            assert_eq!(unzigzag(zigzag(value as i64)), value as i64);
            assert_eq!(zigzag(unzigzag(value)), value);
            let mut out = Vec::new();
            write_signed_varint(&mut out, value as i64);
            assert_eq!(
                Reader::new(&out, "t").signed_varint().unwrap(),
                value as i64
            );
        }
    }

    #[test]
    fn indices_fit_in_32_bits() {
        let bytes = encode(u64::from(u32::MAX));
        assert_eq!(Reader::new(&bytes, "t").varint_u32().unwrap(), u32::MAX);
        let bytes = encode(1 << 32);
        let mut reader = Reader::new(&bytes, "t");
        let error = reader.varint_u32().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert_eq!(reader.position(), 0);
    }
}
