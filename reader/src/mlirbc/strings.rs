//! The section of strings: the number of strings, their sizes from the last to the first, their bytes, each
//! with a zero byte that its size counts.

use super::Tables;
use crate::place::{lookup, malformed};
use rmlir_format::{Reader, Result, ResultExt};
use rmlir_ir::Identifier;

impl Tables<'_, '_> {
    pub(super) fn read_strings(&mut self, mut input: Reader<'_>) -> Result<()> {
        let count = input.prefix_count(2)?;
        let mut sizes = Vec::with_capacity(count);
        for _ in 0..count {
            sizes.push(input.prefix_varint()?);
        }
        self.strings = Vec::with_capacity(count);
        for (number, &size) in sizes.iter().rev().enumerate() {
            let at = input.offset();
            let bytes = input
                .bytes(size)
                .with_context(|| format!("reading string #{number}"))?;
            let Some((&0, bytes)) = bytes.split_last() else {
                let message = format!("string #{number} does not end with a zero byte");
                return Err(malformed(&input, at, message));
            };
            self.strings.push(self.context.identifier(bytes));
        }
        input.expect_end()
    }

    /// The string of a number that is read.
    #[inline]
    pub(super) fn string(&self, input: &mut Reader<'_>) -> Result<Identifier> {
        let at = input.offset();
        let number = input.prefix_varint()?;
        lookup(input, at, "string", &self.strings, number)
    }
}
