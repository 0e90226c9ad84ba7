//! The hash function of fingerprints and of blobs in other files: BLAKE3 with 32 bytes.
//!
//! With the feature `blake3`, which is on by default, the crate of that name computes it, in
//! assembly that a C compiler assembles. Without it, the module `portable` does, in plain Rust:
//! the crate's own feature `pure` cannot be requested by the absence of a feature of ours, and it
//! needs the crate `cc` nevertheless.

#[cfg(any(test, not(feature = "blake3")))]
mod portable;

use std::fmt;

#[cfg(feature = "blake3")]
use ::blake3 as implementation;
#[cfg(not(feature = "blake3"))]
use portable as implementation;

/// Returns the BLAKE3 hash of `bytes`.
///
/// ```
/// let hash = rmlir_ir::hash::hash(b"");
/// assert_eq!(hash[..4], [0xaf, 0x13, 0x49, 0xb9]);
/// ```
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    *implementation::hash(bytes).as_bytes()
}

/// Displays bytes as hexadecimal digits, two of them for each byte, in lower case.
///
/// ```
/// assert_eq!(rmlir_ir::hash::Hex(b"\x00\xff").to_string(), "00ff");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hex<'b>(pub &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |half: u8| match half {
            0..10 => b'0' + half,
            _ => b'a' + (half - 10),
        };
        // As many as a hash has are written at once.
        for bytes in self.0.chunks(32) {
            let mut text = [0; 64];
            for (digits, byte) in text.chunks_exact_mut(2).zip(bytes) {
                digits.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
            }
            let text = text.get(..2 * bytes.len()).unwrap_or_default();
            f.write_str(std::str::from_utf8(text).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Computes the BLAKE3 hash of bytes that come in parts.
#[derive(Clone, Debug, Default)]
pub struct Hasher(implementation::Hasher);

impl Hasher {
    /// Returns a hasher of no bytes.
    pub fn new() -> Self {
        Hasher(implementation::Hasher::new())
    }

    /// Appends bytes.
    pub fn update(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    /// Returns the hash of all bytes.
    pub fn finalize(&self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }

    /// Forgets all bytes.
    pub fn reset(&mut self) {
        self.0.reset();
    }
}
