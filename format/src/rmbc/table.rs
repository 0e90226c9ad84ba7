//! Encodes tables with random access: consecutive entries, and the offset of every sixteenth one.

use super::BLOCK;
use super::schema::limits;
use crate::error::{Error, ErrorKind, Result};
use crate::varint::write_varint;

/// A table that is being written.
#[derive(Debug, Default)]
pub struct Table {
    count: usize,
    /// The start of each block except the first in `data`.
    offsets: Vec<u32>,
    data: Vec<u8>,
}

impl Table {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Begins an entry and returns the buffer for it. [`Table::at_block`] returns whether it begins
    /// a block.
    pub fn entry(&mut self) -> &mut Vec<u8> {
        if self.count.is_multiple_of(BLOCK) && self.count > 0 {
            self.offsets.push(self.data.len() as u32);
        }
        self.count = self.count.saturating_add(1);
        &mut self.data
    }

    /// Returns the buffer for the rest of the current entry.
    pub fn current(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    /// Returns whether the next entry begins a block.
    pub fn at_block(&self) -> bool {
        self.count.is_multiple_of(BLOCK)
    }

    /// Appends the count, the length of the data, the offsets and the data.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for 2 GiB and more.
    pub fn finish(&self, out: &mut Vec<u8>) -> Result<()> {
        write_varint(out, self.count as u64);
        self.finish_uncounted(out)
    }

    /// Appends as [`finish`](Table::finish) does, without the count, which the reader knows.
    pub fn finish_uncounted(&self, out: &mut Vec<u8>) -> Result<()> {
        if self.data.len() as u64 >= limits::SECTION {
            return Err(Error::new(
                ErrorKind::Limit,
                "a table would have 2 GiB or more",
            ));
        }
        write_varint(out, self.data.len() as u64);
        let width = offset_width(self.data.len() as u64) as usize;
        for offset in &self.offsets {
            out.extend(offset.to_le_bytes().into_iter().take(width));
        }
        out.extend_from_slice(&self.data);
        Ok(())
    }
}

/// Returns the number of bytes of an offset into `len` bytes of data.
pub fn offset_width(len: u64) -> u64 {
    match len {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x100_0000 => 3,
        _ => 4,
    }
}

/// The position of the entry that was written last, for [`write_numbered`]: its segment, and the
/// number after its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    segment: u32,
    next: u32,
}

/// Begins an entry about an item, which is after that of the preceding entry, by segment and number
/// in it. The first entry of a block stores both; others store a distance.
pub fn write_numbered(table: &mut Table, before: &mut Before, segment: u32, number: u32) {
    let begins = table.at_block();
    let out = table.entry();
    if begins {
        write_varint(out, segment.into());
        write_varint(out, number.into());
    } else if segment == before.segment {
        write_varint(out, u64::from(number.saturating_sub(before.next)) << 1);
    } else {
        write_varint(
            out,
            u64::from(segment.saturating_sub(before.segment)) << 1 | 1,
        );
        write_varint(out, number.into());
    }
    *before = Before {
        segment,
        next: number.saturating_add(1),
    };
}

/// Begins an entry with a number greater than that of the preceding entry, which was `next - 1`.
///
/// Writes the distance, or the number itself at the start of a block. Returns `next` for the
/// following entry.
pub fn write_ascending(table: &mut Table, next: u32, number: u32) -> u32 {
    let base = if table.at_block() { 0 } else { next };
    write_varint(table.entry(), u64::from(number.saturating_sub(base)));
    number.saturating_add(1)
}
