//! Where strings, attributes and types are in their sections.
//!
//! The file has their sizes, those of attributes and types in groups by dialect. They are read
//! once, to check them and to note where every 32nd item begins; the places of the others are found
//! by reading sizes again from there when they are requested. So the memory does not depend on how
//! many items a file has, but for less than a byte each.

use crate::lookup::{malformed, placed};
use rmlir_format::{Error, ErrorKind, Reader, Result, check_limit};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// How many items a block has.
const BLOCK: usize = 32;
/// How many blocks are kept of which the places are known.
const RECENT: usize = 8;
/// A block that takes more bytes of the sizes has empty groups, whatever its sizes and groups are.
const LONG: u64 = 32 * (9 + 2 * 9);

/// Where an item is, and how it is encoded.
pub(super) struct Place {
    /// Counted from the first item.
    pub(super) bytes: Range<u64>,
    /// Of an attribute or type, the number of its dialect if it is in an encoding of this dialect;
    /// otherwise it is text.
    pub(super) encoding: Option<u32>,
    /// Of an attribute or type, the number of its dialect.
    pub(super) dialect: u32,
}

/// What was noted when the sizes of a file were read: another session needs not read them again.
#[derive(Default)]
pub(super) struct SizeIndexes {
    pub(super) strings: OnceLock<Arc<SizeIndex>>,
    pub(super) entries: OnceLock<Arc<SizeIndex>>,
}

/// What is noted of sizes.
pub(super) struct SizeIndex {
    len: usize,
    /// Of attributes and types, the number of attributes.
    attributes: u32,
    /// The sum of the sizes.
    total: u64,
    /// How many bytes the sizes take, with the heads of groups between them.
    sizes_len: u64,
    /// Whether there are groups, and each size has a flag: those of attributes and types.
    has_groups: bool,
    blocks: Vec<Block>,
    /// The dialects that have entries in a private encoding.
    encoded: Vec<u32>,
}

/// How to go on from the first item of a block.
struct Block {
    /// Where the item begins.
    start: u64,
    /// The position of its size.
    at: u64,
    /// The group that the item continues, and how many items are left of it. If none are, another
    /// group begins there.
    dialect: u32,
    left: u32,
    /// The places of the items, if they take long to find, since there are many empty groups.
    known: Option<Box<Known>>,
}

/// The places of the items of a block.
#[derive(Clone)]
struct Known {
    /// The number of the block; `usize::MAX` if there is none.
    block: usize,
    /// Where each item begins, and the end.
    starts: [u64; BLOCK + 1],
    /// The dialect of each item, and whether its encoding is private.
    dialects: [(u32, bool); BLOCK],
}

impl Known {
    const NONE: Known = Known {
        block: usize::MAX,
        starts: [0; BLOCK + 1],
        dialects: [(0, false); BLOCK],
    };

    /// Returns the place of an item of the block.
    #[inline]
    fn place(&self, within: usize) -> Option<Place> {
        let &[start, end] = self.starts.get(within..)?.first_chunk()?;
        let &(dialect, private) = self.dialects.get(within)?;
        Some(Place {
            bytes: start..end,
            encoding: private.then_some(dialect),
            dialect,
        })
    }
}

/// The places of all items, in the order of their sizes.
pub(super) struct Places<'a> {
    sizes: Reader<'a>,
    index: Arc<SizeIndex>,
    /// The numbers of the index, which are needed often.
    len: usize,
    attributes: u32,
    /// Blocks by the remainders of their numbers, as far as some were requested.
    recent: Vec<Known>,
}

impl<'a> Places<'a> {
    fn new(sizes: Reader<'a>, index: Arc<SizeIndex>) -> Self {
        Places {
            sizes,
            len: index.len,
            attributes: index.attributes,
            index,
            recent: Vec::new(),
        }
    }

    /// Reads `len` sizes, which `known` has if they were read before, and returns their sum, too.
    pub(super) fn ungrouped(
        input: &mut Reader<'a>,
        len: usize,
        known: &OnceLock<Arc<SizeIndex>>,
    ) -> Result<(Self, u64)> {
        let sizes = input.clone();
        let index = match known.get() {
            Some(index) => {
                input.skip(index.sizes_len)?;
                index.clone()
            }
            None => Arc::new(SizeIndex::ungrouped(input, len)?),
        };
        let total = index.total;
        Ok((Places::new(sizes, index), total))
    }

    /// Reads the sizes of attributes and types in a section of `data_len` bytes, whose errors are
    /// those of `section`. `dialect` reads the number of a dialect.
    pub(super) fn grouped(
        dialect: &dyn Fn(&mut Reader<'_>) -> Result<u32>,
        input: Reader<'a>,
        data_len: u64,
        section: &Reader<'a>,
        known: &OnceLock<Arc<SizeIndex>>,
    ) -> Result<Self> {
        let index = match known.get() {
            Some(index) => index.clone(),
            None => {
                let index = SizeIndex::grouped(dialect, input.clone(), data_len, section)?;
                known.get_or_init(|| Arc::new(index)).clone()
            }
        };
        Ok(Places::new(input, index))
    }

    /// Returns what is noted, for other sessions.
    pub(super) fn index(&self) -> &Arc<SizeIndex> {
        &self.index
    }

    /// Returns the number of items.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Of attributes and types, returns the number of attributes.
    #[inline]
    pub(super) fn attributes(&self) -> u32 {
        self.attributes
    }

    /// Returns the dialects that have entries in a private encoding.
    pub(super) fn encoded_dialects(&self) -> &[u32] {
        &self.index.encoded
    }

    /// Returns the place of an item. O(1), with a smaller constant near items that were requested
    /// before.
    ///
    /// # Errors
    /// If there is no such item, or if the file was changed after it was opened.
    #[inline]
    pub(super) fn place(&mut self, item: usize) -> Result<Place> {
        let block = item / BLOCK;
        let known = self.recent.get(block % RECENT);
        if let Some(known) = known.filter(|known| known.block == block)
            && item < self.len
            && let Some(place) = known.place(item % BLOCK)
        {
            return Ok(place);
        }
        self.place_of_other(item)
    }

    #[inline(never)]
    fn place_of_other(&mut self, item: usize) -> Result<Place> {
        self.check(item)?;
        let block = item / BLOCK;
        let slot = block % RECENT;
        if self.recent.len() <= slot {
            self.recent.resize(slot.saturating_add(1), Known::NONE);
        }
        let known = self.recent.get_mut(slot).ok_or_else(|| none(&self.sizes))?;
        // None, if it cannot be read.
        known.block = usize::MAX;
        self.index.read_block(&self.sizes, block, known)?;
        known.place(item % BLOCK).ok_or_else(|| none(&self.sizes))
    }

    /// Returns the place of an item, without keeping what is near.
    ///
    /// # Errors
    /// As for [`place`](Self::place).
    #[cold]
    pub(super) fn place_once(&self, item: usize) -> Result<Place> {
        self.check(item)?;
        let mut known = Known::NONE;
        let index = &self.index;
        index.read_block(&self.sizes, item / BLOCK, &mut known)?;
        known.place(item % BLOCK).ok_or_else(|| none(&self.sizes))
    }

    fn check(&self, item: usize) -> Result<()> {
        match item < self.len {
            true => Ok(()),
            false => Err(none(&self.sizes)),
        }
    }

    /// Passes the bytes of the items that begin in a part of the section, in order.
    ///
    /// # Errors
    /// If the file was changed after it was opened.
    pub(super) fn in_part(&self, part: Range<u64>, each: &mut dyn FnMut(Range<u64>)) -> Result<()> {
        let blocks = &self.index.blocks;
        // Items of no bytes begin where the next one does.
        let first = blocks.partition_point(|block| block.start < part.start);
        let mut known = Known::NONE;
        for block in first.saturating_sub(1)..blocks.len() {
            self.index.read_block(&self.sizes, block, &mut known)?;
            let items = self.len.saturating_sub(block.saturating_mul(BLOCK));
            for bytes in known.starts.windows(2).take(items) {
                let &[start, end] = bytes else {
                    break;
                };
                if start >= part.end {
                    return Ok(());
                }
                if start >= part.start {
                    each(start..end);
                }
            }
        }
        Ok(())
    }
}

impl SizeIndex {
    fn new(len: usize, has_groups: bool) -> Self {
        SizeIndex {
            len,
            attributes: 0,
            total: 0,
            sizes_len: 0,
            has_groups,
            blocks: Vec::with_capacity(len.div_ceil(BLOCK)),
            encoded: Vec::new(),
        }
    }

    fn ungrouped(input: &mut Reader<'_>, len: usize) -> Result<Self> {
        let position = |input: &Reader<'_>, from| input.offset().saturating_sub(from);
        let from = input.offset();
        let mut index = SizeIndex::new(len, false);
        for number in 0..len {
            if number.is_multiple_of(BLOCK) {
                index.blocks.push(Block {
                    start: index.total,
                    at: position(input, from),
                    dialect: 0,
                    left: u32::MAX,
                    known: None,
                });
            }
            index.total = index.total.saturating_add(input.prefix_varint()?);
        }
        index.sizes_len = position(input, from);
        Ok(index)
    }

    fn grouped(
        dialect_number: &dyn Fn(&mut Reader<'_>) -> Result<u32>,
        mut input: Reader<'_>,
        data_len: u64,
        section: &Reader<'_>,
    ) -> Result<Self> {
        let sizes = input.clone();
        let position = |offset: u64| offset.saturating_sub(sizes.offset());
        let at = input.offset();
        let counts = [input.prefix_count(1)?, input.prefix_count(1)?];
        // Each takes at least one byte of the section, and handles have 32 bits.
        let total = counts[0].saturating_add(counts[1]);
        let left = input.remaining() as u64;
        let within = check_limit("attributes and types", total as u64, i32::MAX as u64)
            .and_then(|()| check_limit("bytes left for them", total as u64, left));
        placed(&input, at, within)?;
        let mut index = SizeIndex::new(total, true);
        index.attributes = u32::try_from(counts[0]).unwrap_or(u32::MAX);
        let mut encoded = HashSet::new();
        let mut start = 0u64;
        let (mut first, mut end) = (0usize, 0usize);
        for count in counts {
            end = count.saturating_add(end);
            while first < end {
                let header = input.offset();
                let dialect = dialect_number(&mut input)?;
                let at = input.offset();
                let len = input.prefix_count(1)?;
                let left = end.saturating_sub(first);
                if len > left {
                    let message = format!("a group of {len} entries where {left} are left");
                    return Err(malformed(&input, at, message));
                }
                let mut is_encoded = false;
                for number in 0..len {
                    let at = input.offset();
                    let entry = first.saturating_add(number);
                    if entry.is_multiple_of(BLOCK) {
                        index.end_block(&sizes, header)?;
                        let left = len.saturating_sub(number);
                        let (at, left) = if number == 0 { (header, 0) } else { (at, left) };
                        index.blocks.push(Block {
                            start,
                            at: position(at),
                            dialect,
                            left: u32::try_from(left).unwrap_or(u32::MAX),
                            known: None,
                        });
                    }
                    let (size, private) = input.prefix_flagged_varint()?;
                    is_encoded |= private;
                    start = start.saturating_add(size);
                    if start > data_len {
                        let message = format!(
                            "Attribute or Type entry offset points past the end of section: \
                             {start} of {data_len} bytes"
                        );
                        return Err(malformed(&input, at, message));
                    }
                }
                if is_encoded && encoded.insert(dialect) {
                    index.encoded.push(dialect);
                }
                first = first.saturating_add(len);
            }
        }
        index.end_block(&sizes, input.offset())?;
        if !input.is_empty() {
            let message = "unexpected trailing data in the Attribute/Type offset section";
            return Err(input.error(ErrorKind::Malformed, message));
        }
        if let Some(left) = data_len.checked_sub(start).filter(|&left| left > 0) {
            let at = section.offset().saturating_add(start);
            let message = format!("{left} byte(s) follow where nothing may");
            return Err(malformed(section, at, message));
        }
        index.total = start;
        index.sizes_len = position(input.offset());
        Ok(index)
    }

    /// Ends the last block, whose sizes are before the given offset.
    fn end_block(&mut self, sizes: &Reader<'_>, end: u64) -> Result<()> {
        let Some(number) = self.blocks.len().checked_sub(1) else {
            return Ok(());
        };
        let at = self.blocks.last().map_or(0, |block| block.at);
        let end = end.saturating_sub(sizes.offset());
        if end.saturating_sub(at) > LONG {
            let mut known = Box::new(Known::NONE);
            self.read_block(sizes, number, &mut known)?;
            if let Some(block) = self.blocks.last_mut() {
                block.known = Some(known);
            }
        }
        Ok(())
    }

    /// Reads the places of a block's items.
    fn read_block(&self, sizes: &Reader<'_>, number: usize, known: &mut Known) -> Result<()> {
        let block = self.blocks.get(number).ok_or_else(|| none(sizes))?;
        if let Some(stored) = &block.known {
            known.clone_from(stored);
            return Ok(());
        }
        let items = self.len.saturating_sub(number.saturating_mul(BLOCK));
        let mut input = sizes.clone();
        input.skip(block.at)?;
        let (mut start, mut dialect, mut left) = (block.start, block.dialect, block.left);
        let mut starts = known.starts.iter_mut();
        // The starts are the second, since there is one more of them.
        let dialects = known.dialects.iter_mut();
        for (encoding, place) in dialects.zip(starts.by_ref()).take(items) {
            while left == 0 {
                dialect = u32::try_from(input.prefix_varint()?).unwrap_or(u32::MAX);
                left = u32::try_from(input.prefix_varint()?).unwrap_or(u32::MAX);
            }
            left = left.saturating_sub(1);
            let (size, private) = match self.has_groups {
                true => input.prefix_flagged_varint()?,
                false => (input.prefix_varint()?, false),
            };
            (*place, *encoding) = (start, (dialect, private));
            start = start.saturating_add(size);
        }
        // Also where the items end, if the block is not full.
        starts.for_each(|place| *place = start);
        known.block = number;
        Ok(())
    }
}

#[cold]
fn none(sizes: &Reader<'_>) -> Error {
    sizes.error(ErrorKind::Malformed, "no such item")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(bytes: &mut Vec<u8>, value: u64) {
        // Of two bytes.
        bytes.extend_from_slice(&((value << 2 | 2) as u16).to_le_bytes());
    }

    /// Items in groups of many lengths, some of them empty.
    #[test]
    fn places_are_found_in_any_order() {
        let mut random = 7u64;
        let mut below = |n: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % n
        };
        let (mut bytes, mut expected, mut start) = (Vec::new(), Vec::new(), 0);
        push(&mut bytes, 700);
        push(&mut bytes, 300);
        for count in [700, 300] {
            let mut left = count;
            while left > 0 {
                let len = below(70).min(left);
                for _ in 0..[0, 1, 2000][below(3) as usize] {
                    push(&mut bytes, below(5));
                    push(&mut bytes, 0);
                }
                let dialect = below(5);
                push(&mut bytes, dialect);
                push(&mut bytes, len);
                for _ in 0..len {
                    let (size, private) = (below(100), below(2));
                    push(&mut bytes, size << 1 | private);
                    let encoding = (private == 1).then_some(dialect as u32);
                    expected.push((start..start + size, dialect as u32, encoding));
                    start += size;
                }
                left -= len;
            }
        }
        let section = Reader::with_base(&[], 0, "AttrType");
        let input = Reader::with_base(&bytes, 0, "AttrTypeOffset");
        let dialect = |input: &mut Reader<'_>| Ok(input.prefix_varint()? as u32);
        let known = OnceLock::new();
        for _ in 0..2 {
            let places = Places::grouped(&dialect, input.clone(), start, &section, &known);
            let mut places = places.unwrap();
            assert_eq!((places.len(), places.attributes()), (1000, 700));
            assert!(
                places
                    .index
                    .blocks
                    .iter()
                    .any(|block| block.known.is_some())
            );
            assert!(
                places
                    .index
                    .blocks
                    .iter()
                    .any(|block| block.known.is_none())
            );
            for n in 0..5000 {
                let item = if n < 1000 { n } else { below(1000) as usize };
                let once = places.place_once(item).unwrap();
                for place in [places.place(item).unwrap(), once] {
                    let found = (place.bytes, place.dialect, place.encoding);
                    assert_eq!(found, expected[item], "{item}");
                }
            }
            assert!(places.place(1000).is_err() && places.place(usize::MAX).is_err());
            for part in [0..start, 100..300, 5000..5001, start..start + 1] {
                let mut found = Vec::new();
                places
                    .in_part(part.clone(), &mut |bytes| found.push(bytes))
                    .unwrap();
                let all = expected.iter().map(|(bytes, ..)| bytes.clone());
                let within: Vec<_> = all.filter(|bytes| part.contains(&bytes.start)).collect();
                assert_eq!(found, within, "{part:?}");
            }
        }
    }

    #[test]
    fn sizes_without_groups() {
        let mut bytes = Vec::new();
        (0..100).for_each(|size| push(&mut bytes, size));
        bytes.push(0);
        let known = OnceLock::new();
        let mut input = Reader::with_base(&bytes, 0, "String");
        let (mut places, total) = Places::ungrouped(&mut input, 100, &known).unwrap();
        assert_eq!((total, input.remaining()), (4950, 1));
        assert!(known.set(places.index().clone()).is_ok());
        for item in (0..100).rev() {
            let place = places.place(item).unwrap();
            assert_eq!(place.bytes.end - place.bytes.start, item as u64);
        }
        let mut input = Reader::with_base(&bytes, 0, "String");
        let (mut places, total) = Places::ungrouped(&mut input, 100, &known).unwrap();
        assert_eq!((total, input.remaining()), (4950, 1));
        assert_eq!(places.place(99).unwrap().bytes, 4851..4950);
    }
}
