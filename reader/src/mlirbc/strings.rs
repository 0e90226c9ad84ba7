//! The section of strings: the number of strings, their sizes from the last to the first, and their
//! bytes. Each string ends with a zero byte, which its size includes.

use super::Tables;
use crate::lookup::{get, invalid_index, malformed};
use rmlir_format::{ErrorKind, Input, Reader, Result};
use rmlir_ir::Identifier;

/// The strings of a file, each interned at its first use.
#[derive(Default)]
pub(super) struct Strings<'a> {
    bytes: Vec<&'a [u8]>,
    known: Vec<Option<Identifier>>,
}

impl<'a> Strings<'a> {
    /// Returns the bytes of all strings.
    pub(super) fn all(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.iter().copied()
    }

    /// Returns the strings that are interned, by number.
    pub(super) fn known(&self) -> &[Option<Identifier>] {
        &self.known
    }

    /// Returns the bytes of a string; `None` if the number is out of range.
    pub(super) fn bytes(&self, number: u64) -> Option<&'a [u8]> {
        get(&self.bytes, number)
    }
}

impl<'a> Tables<'_, 'a> {
    pub(super) fn read_strings(&mut self, mut input: Reader<'a>) -> Result<()> {
        // Each string has a byte for its size, and one for the zero byte at its end.
        let count = input.prefix_count(1)?;
        let mut sizes = Vec::with_capacity(count);
        let mut total = 0u64;
        for _ in 0..count {
            let size = input.prefix_varint()?;
            total = total.saturating_add(size);
            sizes.push(size);
        }
        let left = input.remaining() as u64;
        if total > left {
            let message = format!("string size exceeds the available data size: {total} of {left}");
            return Err(input.error(ErrorKind::Truncated, message));
        }
        if total < left {
            let message = "unexpected trailing data between the offsets for strings and their data";
            return Err(input.error(ErrorKind::Malformed, message));
        }
        self.strings.bytes = Vec::with_capacity(count);
        for (number, &size) in sizes.iter().rev().enumerate() {
            let at = input.offset();
            let bytes = input.bytes(size)?;
            let Some((&0, bytes)) = bytes.split_last() else {
                let message = format!("string #{number} does not end with a zero byte");
                return Err(malformed(&input, at, message));
            };
            self.strings.bytes.push(bytes);
        }
        self.strings.known = vec![None; count];
        input.expect_end()
    }

    /// Reads the number of a string and returns the string.
    #[inline]
    pub(super) fn string(&mut self, input: &mut impl Input) -> Result<Identifier> {
        let at = input.offset();
        let number = input.prefix_varint()?;
        self.string_of(input, at, number)
    }

    /// String `number`; `at` is the offset of the number.
    #[inline]
    pub(super) fn string_of(
        &mut self,
        input: &impl Input,
        at: u64,
        number: u64,
    ) -> Result<Identifier> {
        if let Some(known) = get(&self.strings.known, number).flatten() {
            return Ok(known);
        }
        let all = &self.strings.bytes;
        let bytes = get(all, number)
            .ok_or_else(|| invalid_index(input, at, "string", number, all.len()))?;
        let string = self.context.identifier(bytes);
        let slot = usize::try_from(number).ok();
        if let Some(slot) = slot.and_then(|number| self.strings.known.get_mut(number)) {
            *slot = Some(string);
        }
        Ok(string)
    }
}
