//! Walks over all operations of a file by their templates alone, without decoding their contents.

use super::operations::extensions;
use super::structure::{Head, Structure};
use super::table_views::TableViews;
use rmlir_format::rmbc::{region_flag as flag, section};
use rmlir_format::{Reader, Result};

/// Receives the events of a [`walk`], in the order of the file.
pub(super) trait Visitor {
    /// Visits an operation that begins at `offset` in the section of operations, before its
    /// regions.
    fn operation(&mut self, offset: u64, head: &Head) -> Result<()>;

    /// Visits a block with this number of arguments.
    fn block(&mut self, _list: Option<u64>, _arguments: u64) -> Result<()> {
        Ok(())
    }

    /// Begins a chunk.
    fn chunk(&mut self) -> Result<()> {
        Ok(())
    }

    /// Leaves an operation with regions.
    fn leave(&mut self) -> Result<()> {
        Ok(())
    }
}

/// An operation whose regions are being walked; the outermost one denotes the container of the top.
struct Frame {
    regions: u64,
    blocks: u64,
    operations: u64,
    chunks: u64,
    /// No block of the region was entered.
    at_entry: bool,
    /// The flags of the region.
    flags: u64,
}

/// Walks over all operations of a file. O(operations and operands); nothing recurses.
///
/// # Errors
/// Those of the tables, those of `visitor`, and an error for bytes after the last operation.
pub(super) fn walk(
    views: &TableViews,
    structure: &mut Structure,
    visitor: &mut impl Visitor,
) -> Result<()> {
    let Some(stream) = views.store.section(section::OPERATIONS) else {
        return Err(super::no_operations(views.store.file_len()));
    };
    let bytes = stream.all()?;
    let start = views.totals.start;
    let rest = usize::try_from(start).ok().and_then(|at| bytes.get(at..));
    let base = stream.offset().saturating_add(start);
    let mut input = Reader::with_base(rest.unwrap_or_default(), base, stream.name());
    let mut stack = vec![Frame {
        regions: 0,
        blocks: 0,
        operations: 1,
        chunks: 0,
        at_entry: false,
        flags: 0,
    }];
    while let Some(frame) = stack.last_mut() {
        if let Some(left) = frame.operations.checked_sub(1) {
            frame.operations = left;
            let offset = start.saturating_add(input.position() as u64);
            let head = structure.head(&mut input)?;
            visitor.operation(offset, &head)?;
            let regions = head.template.signature.regions;
            if regions > 0 {
                stack.push(Frame {
                    regions,
                    blocks: 0,
                    operations: 0,
                    chunks: 0,
                    at_entry: false,
                    flags: 0,
                });
            }
        } else if let Some(left) = frame.chunks.checked_sub(1) {
            frame.chunks = left;
            visitor.chunk()?;
            frame.operations = input.varint()?;
        } else if let Some(left) = frame.blocks.checked_sub(1) {
            frame.blocks = left;
            if frame.flags & flag::EXTENDED != 0 {
                extensions(&mut input, "a block")?;
            }
            let list = match (frame.at_entry, frame.flags & flag::ARGUMENTS != 0) {
                (true, false) => None,
                (true, true) => Some(input.varint()?),
                (false, _) => input.varint()?.checked_sub(1),
            };
            frame.at_entry = false;
            let arguments = match list {
                Some(list) => structure.list(list)?.0,
                None => 0,
            };
            visitor.block(list, arguments)?;
            let count = input.varint()?;
            match frame.flags & flag::CHUNKED {
                0 => frame.operations = count,
                _ => frame.chunks = count,
            }
        } else if let Some(left) = frame.regions.checked_sub(1) {
            frame.regions = left;
            let head = input.varint()?;
            if head & flag::EXTENDED != 0 {
                extensions(&mut input, "a region")?;
            }
            (frame.blocks, frame.at_entry, frame.flags) = (head >> flag::SHIFT, true, head);
        } else {
            stack.pop();
            if !stack.is_empty() {
                visitor.leave()?;
            }
        }
    }
    input.expect_end()
}
