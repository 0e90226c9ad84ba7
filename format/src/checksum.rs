//! The checksum of rmbc: CRC-32 as in zip and PNG (polynomial 0x04C11DB7, reflected).
//!
//! CRC-32 detects every change within 32 neighbouring bits, so every flipped bit, and all but one
//! in 2^32 of other changes. It protects against accidents, not against attackers.

/// Returns the checksum of `bytes`; 0 if empty. O(bytes), at memory speed on most processors.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the [`crc32`] of the concatenation of all parts.
pub fn crc32_of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Returns the [`crc32`] of `start` followed by the concatenation of all parts.
pub fn crc32_after<'a>(start: &[u8], parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(start);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32_of_parts([&b"1234"[..], b"", b"56789"]), 0xcbf4_3926);
    }
}
