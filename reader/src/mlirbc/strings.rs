//! The section of strings: the number of strings, their sizes from the last to the first, and their
//! bytes. Each string ends with a zero byte, which its size includes.

use super::Tables;
use super::places::{Places, SizeIndex};
use crate::lookup::{invalid_index, malformed};
use crate::pages::Pages;
use rmlir_format::{ErrorKind, Input, Reader, Result};
use rmlir_ir::Identifier;
use std::sync::{Arc, OnceLock};

/// The strings of a file, each interned at its first use.
pub(super) struct Strings<'a> {
    /// Those of the sizes: from the last to the first string, counted from the end.
    places: Places<'a>,
    bytes: &'a [u8],
    known: Pages<Option<Identifier>>,
}

impl<'a> Strings<'a> {
    /// Reads the section.
    pub(super) fn read(mut input: Reader<'a>, known: &OnceLock<Arc<SizeIndex>>) -> Result<Self> {
        // Each string has a byte for its size, and one for the zero byte at its end.
        let count = input.prefix_count(1)?;
        let sizes = input.clone();
        let (places, total) = Places::ungrouped(&mut input, count, known)?;
        let left = input.remaining() as u64;
        if total > left {
            let message = format!("string size exceeds the available data size: {total} of {left}");
            return Err(input.error(ErrorKind::Truncated, message));
        }
        if total < left {
            let message = "unexpected trailing data between the offsets for strings and their data";
            return Err(input.error(ErrorKind::Malformed, message));
        }
        let (data, bytes) = (input.clone(), input.rest());
        if known.get().is_none() {
            check_ends(sizes, count, &data, bytes)?;
            known.get_or_init(|| places.index().clone());
        }
        Ok(Strings {
            places,
            bytes,
            known: Pages::new(count),
        })
    }

    /// Returns the number of strings.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the bytes of all strings.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len() as u64).map_while(|number| self.bytes(number))
    }

    /// Returns a string if it is interned.
    pub(super) fn known(&self, number: usize) -> Option<Identifier> {
        self.known.get(number)
    }

    /// Returns the bytes of a string; `None` if the number is out of range.
    pub(super) fn bytes(&mut self, number: u64) -> Option<&'a [u8]> {
        let from_last = self.len().checked_sub(usize::try_from(number).ok()?)?;
        let place = self.places.place(from_last.checked_sub(1)?).ok()?;
        let from_end = |distance| {
            self.bytes
                .len()
                .checked_sub(usize::try_from(distance).ok()?)
        };
        let bytes = self
            .bytes
            .get(from_end(place.bytes.end)?..from_end(place.bytes.start)?)?;
        bytes.split_last().map(|(_, bytes)| bytes)
    }
}

impl<'a> Tables<'_, 'a> {
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
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(known) = self.strings.known.get(place) {
            return Ok(known);
        }
        let count = self.strings.len();
        let bytes = self.strings.bytes(number);
        let bytes = bytes.ok_or_else(|| invalid_index(input, at, "string", number, count))?;
        let string = self.context.identifier(bytes);
        self.strings.known.set(place, Some(string));
        Ok(string)
    }
}

/// Checks that each string ends with a zero byte. The sizes are from the last to the first.
fn check_ends(
    mut sizes: Reader<'_>,
    count: usize,
    data: &Reader<'_>,
    mut bytes: &[u8],
) -> Result<()> {
    let mut error = Ok(());
    for number in (0..count).rev() {
        let size = usize::try_from(sizes.prefix_varint()?).unwrap_or(usize::MAX);
        let start = bytes.len().saturating_sub(size);
        let (before, string) = bytes.split_at_checked(start).unwrap_or_default();
        if string.last() != Some(&0) {
            let at = data.offset().saturating_add(start as u64);
            let message = format!("string #{number} does not end with a zero byte");
            // The first of them counts.
            error = Err(malformed(data, at, message));
        }
        bytes = before;
    }
    error
}
