//! Describes operations, regions and blocks in one loop with an explicit stack.

use super::{DumpPart, Dumper, FieldContent};
use rmlir_format::mlirbc::operation_mask as mask;
use rmlir_format::{ErrorKind, Reader, Result};

/// An open part, with its remaining number of items.
enum Open<'a> {
    /// Operations of a block.
    Block(u64),
    /// Blocks of a region: how many of how many are left.
    Region(u64, u64),
    /// The regions of an operation: the number of remaining ones, the total number, and what
    /// surrounds them if they have a section.
    Regions(u64, u64, Option<Around<'a>>),
}

/// The operation around a section of regions.
struct Around<'a> {
    /// The bytes that follow the section.
    input: Reader<'a>,
    /// SessionSource that are open there.
    depth: usize,
}

impl<'a> Dumper<'_, 'a> {
    pub(super) fn operations(&mut self, input: &mut Reader<'a>) -> Result<()> {
        self.enter(input.offset(), DumpPart::Block(0));
        let (operations, has_arguments) = self.flagged(input, "number of operations")?;
        if has_arguments {
            return Err(input.error(ErrorKind::Malformed, "the top-level block has no arguments"));
        }
        let mut stack = vec![Open::Block(operations)];
        while !stack.is_empty() {
            let Err(error) = self.step(input, &mut stack) else {
                continue;
            };
            // Behind the innermost section that has the damage, all may be well.
            let around = stack
                .iter()
                .rposition(|open| matches!(open, Open::Regions(_, _, Some(_))));
            let Some(at) = around else {
                return Err(error);
            };
            if let Some(Open::Regions(_, _, Some(around))) = stack.drain(at..).next() {
                self.damage(input, around.depth, error);
                *input = around.input;
                self.leave(input.offset());
            }
        }
        Ok(())
    }

    fn step(&mut self, input: &mut Reader<'a>, stack: &mut Vec<Open<'a>>) -> Result<()> {
        match stack.last_mut() {
            None => {}
            Some(Open::Block(0) | Open::Region(0, _)) => {
                self.leave(input.offset());
                stack.pop();
            }
            Some(Open::Block(left)) => {
                *left = left.saturating_sub(1);
                self.operation(input, stack)?;
            }
            Some(Open::Region(left, count)) => {
                let number = count.saturating_sub(*left);
                *left = left.saturating_sub(1);
                let operations = self.block(input, number)?;
                stack.push(Open::Block(operations));
            }
            Some(Open::Regions(0, _, around)) => {
                if let Some(around) = around {
                    input.expect_end()?;
                    *input = around.input.clone();
                    self.leave(input.offset());
                }
                self.leave(input.offset());
                stack.pop();
            }
            Some(Open::Regions(left, count, _)) => {
                let number = count.saturating_sub(*left);
                *left = left.saturating_sub(1);
                self.enter(input.offset(), DumpPart::Region(number));
                let blocks = self.count(input, "number of blocks")?;
                if blocks > 0 {
                    self.varint(input, "number of values")?;
                }
                stack.push(Open::Region(blocks, blocks));
            }
        }
        Ok(())
    }

    /// Describes an operation up to its first region.
    fn operation(&mut self, input: &mut Reader<'a>, stack: &mut Vec<Open<'a>>) -> Result<()> {
        let start = input.offset();
        let number = input.prefix_varint()?;
        let (dialect, name) = self.names.operation(number);
        self.enter(start, DumpPart::Operation { dialect, name });
        let content = FieldContent::Reference("operation name", number, name);
        self.field(input, start, "name", content);
        let bits = self.byte(input, "mask")?;
        let has = |bit: u8| bits & bit != 0;
        self.reference(input, "location", "attribute")?;
        if has(mask::ATTRIBUTES) {
            self.reference(input, "attributes", "attribute")?;
        }
        if has(mask::PROPERTIES) && self.version.has_properties() {
            let before = input.clone();
            self.reference(input, "properties", "properties")?;
            self.layouts.met(before.clone().prefix_varint()?, number);
        }
        let mut results = 0;
        if has(mask::RESULTS) {
            results = self.count(input, "number of results")?;
            for _ in 0..results {
                self.reference(input, "type of a result", "type")?;
            }
        }
        for (bit, count, name, what) in [
            (mask::OPERANDS, "number of operands", "operand", "value"),
            (
                mask::SUCCESSORS,
                "number of successors",
                "successor",
                "block",
            ),
        ] {
            if has(bit) {
                for _ in 0..self.count(input, count)? {
                    self.reference(input, name, what)?;
                }
            }
        }
        if has(mask::USE_LIST_ORDERS) && self.version.has_use_list_orders() && results > 0 {
            self.use_lists(input, results)?;
        }
        if !has(mask::REGIONS) {
            self.leave(input.offset());
            return Ok(());
        }
        let (regions, isolated) = self.flagged(input, "number of regions, isolated")?;
        let mut around = None;
        if isolated && self.version.has_isolated_sections() && regions > 0 {
            let depth = self.depth;
            let (_, data) = self.frame(input)?;
            let input = std::mem::replace(input, data);
            around = Some(Around { input, depth });
        }
        stack.push(Open::Regions(regions, regions, around));
        Ok(())
    }

    /// Describes a block up to its first operation; returns its number of operations.
    fn block(&mut self, input: &mut Reader<'a>, number: u64) -> Result<u64> {
        self.enter(input.offset(), DumpPart::Block(number));
        let (operations, has_arguments) = self.flagged(input, "number of operations, arguments")?;
        if !has_arguments {
            return Ok(operations);
        }
        let arguments = self.count(input, "number of arguments")?;
        for _ in 0..arguments {
            let located = match self.version.has_argument_flags() {
                true => self.flagged(input, "type of an argument, location")?.1,
                false => {
                    self.reference(input, "type of an argument", "type")?;
                    true
                }
            };
            if located {
                self.reference(input, "location of an argument", "attribute")?;
            }
        }
        if self.version.has_use_list_orders() && self.byte(input, "use-list orders")? != 0 {
            self.use_lists(input, arguments)?;
        }
        Ok(operations)
    }

    fn use_lists(&mut self, input: &mut Reader<'a>, values: u64) -> Result<()> {
        let mut records = 1;
        if values > 1 {
            records = self.count(input, "number of use lists")?;
        }
        for _ in 0..records {
            if values > 1 {
                self.varint(input, "value")?;
            }
            let (indices, _) = self.flagged(input, "number of indices, pairs")?;
            if indices > input.remaining() as u64 {
                let message = format!("{indices} indices are more than there are bytes");
                return Err(input.error(ErrorKind::Truncated, message));
            }
            for _ in 0..indices {
                self.varint(input, "index")?;
            }
        }
        Ok(())
    }
}
