//! Tables with random access: entries one behind the other, and the offset of each sixteenth.

use rmlir_format::rmbc::BLOCK;
use rmlir_format::varint::write_varint;
use rmlir_format::{Error, ErrorKind, Result};

/// A table while it is written.
#[derive(Default)]
pub(super) struct Table {
    count: usize,
    /// Where each block but the first begins in `data`.
    offsets: Vec<u32>,
    data: Vec<u8>,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Where the next entry is to be appended. Whether it begins a block, [`Table::at_block`] says.
    pub(super) fn next(&mut self) -> &mut Vec<u8> {
        if self.count.is_multiple_of(BLOCK) && self.count > 0 {
            self.offsets.push(self.data.len() as u32);
        }
        self.count += 1;
        &mut self.data
    }

    /// Where more of the entry that was begun last is appended.
    pub(super) fn current(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    /// Whether the next entry begins a block.
    pub(super) fn at_block(&self) -> bool {
        self.count.is_multiple_of(BLOCK)
    }

    /// Count, length of the data, offsets, data.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for 2 GiB and more.
    pub(super) fn finish(&self, out: &mut Vec<u8>) -> Result<()> {
        write_varint(out, self.count as u64);
        self.finish_uncounted(out)
    }

    /// [`finish`](Table::finish) without the count, which the reader knows.
    pub(super) fn finish_uncounted(&self, out: &mut Vec<u8>) -> Result<()> {
        if self.data.len() > i32::MAX as usize {
            return Err(Error::new(
                ErrorKind::Limit,
                "a table would have 2 GiB or more",
            ));
        }
        write_varint(out, self.data.len() as u64);
        let width = offset_width(self.data.len());
        for offset in &self.offsets {
            out.extend(offset.to_le_bytes().into_iter().take(width));
        }
        out.extend_from_slice(&self.data);
        Ok(())
    }
}

/// How many bytes an offset into so much data takes.
fn offset_width(len: usize) -> usize {
    match len {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x100_0000 => 3,
        _ => 4,
    }
}

/// Begins an entry with a number that is greater than that of the entry before, which was `next - 1`: by its distance, or as it
/// is where a block begins. Returns what `next` is for the entry behind.
pub(super) fn write_ascending(table: &mut Table, next: u32, number: u32) -> u32 {
    let base = if table.at_block() { 0 } else { next };
    write_varint(table.next(), u64::from(number - base));
    number + 1
}
