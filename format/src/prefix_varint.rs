//! Variable-length integers of mlirbc, upstream's bytecode.
//!
//! With z the number of trailing zero bits of the first byte (8 if it is 0), the encoding takes z +
//! 1 bytes. For z < 8 they are one little-endian integer, shifted left by z + 1 with the lowest set
//! bit as the mark of the length. For z = 8 the value is the 8 bytes that follow.
//!
//! | bytes | first byte | bits of the value |
//! |---|---|---|
//! | 1 | `xxxxxxx1` | 7 |
//! | 2 | `xxxxxx10` | 14 |
//! | n up to 8 | n - 1 zeros, a one, the lowest bits of the value | 7 n |
//! | 9 | `00000000` | 64 |
//!
//! Upstream writes the shortest form and accepts any; so do these functions.
//! (From the MLIR bytecode format's page, "Variable-Width Integers", the same in versions 0 to 6.)

use crate::cursor::Reader;
use crate::error::Result;
use crate::varint::{load_le, unzigzag, zigzag};

/// Appends `value` in the shortest form, 1 to 9 bytes.
#[inline]
pub fn write_prefix_varint(out: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        out.push((value << 1) as u8 | 1);
    } else {
        write_long(out, value);
    }
}

/// Appends the zigzag of `value`.
#[inline]
pub fn write_prefix_signed_varint(out: &mut Vec<u8>, value: i64) {
    write_prefix_varint(out, zigzag(value));
}

/// Appends `value * 2 + flag`. The highest bit of `value` is lost: the format stores 63 bits.
#[inline]
pub fn write_prefix_flagged_varint(out: &mut Vec<u8>, value: u64, flag: bool) {
    debug_assert!(value >> 63 == 0, "a flagged varint has 63 bits");
    write_prefix_varint(out, value << 1 | u64::from(flag));
}

/// Returns the number of bytes, 1 to 9, that [`write_prefix_varint`] appends.
#[inline]
pub fn prefix_varint_len(value: u64) -> usize {
    let bits = 64u32.wrapping_sub((value | 1).leading_zeros());
    if bits > 56 {
        9
    } else {
        bits.div_ceil(7) as usize
    }
}

#[inline(never)]
fn write_long(out: &mut Vec<u8>, value: u64) {
    let len = prefix_varint_len(value);
    if len == 9 {
        out.push(0);
        out.extend_from_slice(&value.to_le_bytes());
    } else {
        // At most 56 bits shifted by at most 8.
        let marked = (value << 1 | 1) << (len.wrapping_sub(1) & 7);
        // Copying eight bytes and truncating is faster than copying a variable number.
        let end = out.len().saturating_add(len);
        out.extend_from_slice(&marked.to_le_bytes());
        out.truncate(end);
    }
}

impl Reader<'_> {
    /// Reads a varint of mlirbc; see the [module](crate::prefix_varint). Longer forms are accepted.
    ///
    /// # Errors
    /// [`Truncated`](crate::ErrorKind::Truncated) if it is cut off.
    #[inline]
    pub fn prefix_varint(&mut self) -> Result<u64> {
        match self.peek() {
            Some(byte) if byte & 1 == 1 => {
                self.advance(1);
                Ok(u64::from(byte >> 1))
            }
            _ => self.long_prefix_varint(),
        }
    }

    /// Reads a signed varint of mlirbc: the zigzag of the value.
    ///
    /// # Errors
    /// Those of [`prefix_varint`](Reader::prefix_varint).
    #[inline]
    pub fn prefix_signed_varint(&mut self) -> Result<i64> {
        self.prefix_varint().map(unzigzag)
    }

    /// Reads a flagged varint of mlirbc: 63 bits of value above one bit of flag.
    ///
    /// # Errors
    /// Those of [`prefix_varint`](Reader::prefix_varint).
    #[inline]
    pub fn prefix_flagged_varint(&mut self) -> Result<(u64, bool)> {
        self.prefix_varint()
            .map(|value| (value >> 1, value & 1 == 1))
    }

    #[inline(never)]
    fn long_prefix_varint(&mut self) -> Result<u64> {
        let rest = self.peek_rest();
        let Some((&first, tail)) = rest.split_first() else {
            return Err(self.truncated(1));
        };
        let len = (first.trailing_zeros() as usize).wrapping_add(1);
        let value = if len == 9 {
            load_le(tail, 8)
        } else {
            load_le(rest, len).map(|marked| marked >> len)
        };
        let Some(value) = value else {
            return Err(self.truncated(len as u64));
        };
        self.advance(len);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::prng::interesting_u64s;
    use rmlir_testing::Prng;

    fn encode(value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write_prefix_varint(&mut out, value);
        out
    }

    #[test]
    fn known_encodings() {
        for (value, bytes) in [
            (0, &[0x01][..]),
            (1, &[0x03]),
            (127, &[0xff]),
            (128, &[0x02, 0x02]),
            (0x3fff, &[0xfe, 0xff]),
            (0x4000, &[0x04, 0x00, 0x02]),
            (1 << 49, &[0x80, 0, 0, 0, 0, 0, 0, 2]),
            ((1 << 56) - 1, &[0x80, 255, 255, 255, 255, 255, 255, 255]),
            (1 << 56, &[0, 0, 0, 0, 0, 0, 0, 0, 1]),
            (u64::MAX, &[0, 255, 255, 255, 255, 255, 255, 255, 255]),
        ] {
            assert_eq!(encode(value), bytes, "{value:#x}");
            assert_eq!(Reader::new(bytes, "t").prefix_varint().unwrap(), value);
        }
    }

    #[test]
    fn round_trips_and_truncations() {
        for value in interesting_u64s() {
            let mut bytes = encode(value);
            let len = bytes.len();
            assert_eq!(len, prefix_varint_len(value));
            for cut in 0..len {
                let mut reader = Reader::with_base(&bytes[..cut], 7, "test");
                let error = reader.prefix_varint().unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Truncated);
                assert_eq!((error.offset(), reader.position()), (Some(7), 0));
            }
            assert_eq!(Reader::new(&bytes, "t").prefix_varint().unwrap(), value);
            bytes.extend([0xff; 8]);
            let mut reader = Reader::new(&bytes, "t");
            assert_eq!(reader.prefix_varint().unwrap(), value);
            assert_eq!(reader.position(), len);
        }
    }

    #[test]
    fn longer_forms_are_accepted() {
        for value in interesting_u64s() {
            for len in prefix_varint_len(value)..=9 {
                let mut bytes = Vec::new();
                if len == 9 {
                    bytes.push(0);
                    bytes.extend(value.to_le_bytes());
                } else {
                    let marked = u128::from(value) << len | 1 << (len - 1);
                    bytes.extend(&marked.to_le_bytes()[..len]);
                }
                let mut reader = Reader::new(&bytes, "t");
                assert_eq!(reader.prefix_varint().unwrap(), value);
                reader.expect_end().unwrap();
            }
        }
    }

    #[test]
    fn signed_and_flagged() {
        for value in interesting_u64s() {
            let mut out = Vec::new();
            write_prefix_signed_varint(&mut out, value as i64);
            let mut reader = Reader::new(&out, "t");
            assert_eq!(reader.prefix_signed_varint().unwrap(), value as i64);

            let (value, flag) = (value >> 1, value & 1 == 1);
            let mut out = Vec::new();
            write_prefix_flagged_varint(&mut out, value, flag);
            let mut reader = Reader::new(&out, "t");
            assert_eq!(reader.prefix_flagged_varint().unwrap(), (value, flag));
        }
    }

    #[test]
    fn any_bytes_decode_or_are_truncated() {
        let mut prng = Prng::new(4);
        for _ in 0..100_000 {
            let bytes = prng.next_u64().to_le_bytes();
            let len = (prng.next_u64() % 9) as usize;
            match Reader::new(&bytes[..len], "t").prefix_varint() {
                Ok(value) => assert!(prefix_varint_len(value) <= len),
                Err(error) => assert_eq!(error.kind(), ErrorKind::Truncated),
            }
        }
    }
}
