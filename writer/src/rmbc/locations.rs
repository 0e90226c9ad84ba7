//! The table of the locations of operations and block arguments.

use super::encoder::{Encoder, write_option};
use super::entries::{Node, containing_itself, unknown_kind};
use super::numbers::{Numbers, Shared, next};
use super::table;
use rmlir_format::Result;
use rmlir_format::rmbc::tag;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Context, Location, LocationKind};

/// Locations in post-order: what a location refers to comes before it.
#[derive(Default)]
pub(super) struct Locations {
    numbers: Numbers,
    shared: Shared,
    count: u32,
    out: Vec<u8>,
    stack: Vec<Location>,
}

impl Locations {
    pub(super) fn finish(self) -> Vec<u8> {
        table(self.count, self.out)
    }
}

impl Encoder<'_> {
    /// The number of a location of an operation or block argument. Equal locations get one number, whatever
    /// their handles.
    pub(super) fn location(&mut self, location: Location) -> Result<u64> {
        if let Some(number) = self.locations.numbers.get(location.index()) {
            return Ok(number.into());
        }
        let mut out = std::mem::take(&mut self.locations.out);
        let mut stack = std::mem::take(&mut self.locations.stack);
        stack.clear();
        stack.push(location);
        let mut last = 0;
        while let Some(&top) = stack.last() {
            if let Some(number) = self.locations.numbers.get(top.index()) {
                last = number;
                stack.pop();
                continue;
            }
            let (start, height) = (out.len(), stack.len());
            self.location_body(&mut out, top, |encoder, node| {
                let Node::Location(child) = node else {
                    return encoder.entry(node);
                };
                let number = encoder.locations.numbers.get(child.index());
                if number.is_none() {
                    stack.push(child);
                }
                Ok(number.unwrap_or_default().into())
            })?;
            if stack.len() > height {
                out.truncate(start);
                stack[height..].reverse();
                if !self.locations.numbers.begin(top.index()) {
                    return Err(containing_itself());
                }
                continue;
            }
            let locations = &mut self.locations;
            let number = locations.shared.find_or_add(&out, start, locations.count);
            if number == locations.count {
                locations.count = next(number)?;
            } else {
                out.truncate(start);
            }
            locations.numbers.set(top.index(), number);
        }
        self.locations.out = out;
        self.locations.stack = stack;
        Ok(last.into())
    }

    /// What a location is; `number` gives the numbers of what it refers to.
    #[inline]
    pub(super) fn location_body(
        &mut self,
        out: &mut Vec<u8>,
        location: Location,
        mut number: impl FnMut(&mut Self, Node) -> Result<u64>,
    ) -> Result<()> {
        let context: &Context = self.context;
        match context.location_kind(location) {
            LocationKind::Unknown => out.push(tag::UNKNOWN_LOCATION),
            &LocationKind::FileLineColRange {
                file,
                start_line,
                start_column,
                end_line,
                end_column,
            } => {
                let place = (start_line, start_column) == (end_line, end_column);
                out.push(if place {
                    tag::FILE_PLACE
                } else {
                    tag::FILE_RANGE
                });
                write_varint(out, self.string(file)?);
                write_varint(out, start_line.into());
                write_varint(out, start_column.into());
                if !place {
                    write_varint(out, end_line.into());
                    write_varint(out, end_column.into());
                }
            }
            LocationKind::Name { name, child } => {
                out.push(tag::NAMED_LOCATION);
                write_varint(out, self.string(*name)?);
                write_varint(out, number(self, Node::Location(*child))?);
            }
            LocationKind::Dialect(attribute) => {
                out.push(tag::DIALECT_LOCATION);
                write_varint(out, number(self, Node::Attribute(*attribute))?);
            }
            LocationKind::CallSite { callee, caller } => {
                out.push(tag::CALL_SITE);
                write_varint(out, number(self, Node::Location(*callee))?);
                write_varint(out, number(self, Node::Location(*caller))?);
            }
            LocationKind::Fused {
                locations,
                metadata,
            } => {
                out.push(tag::FUSED);
                let metadata = match metadata {
                    Some(metadata) => Some(number(self, Node::Attribute(*metadata))?),
                    None => None,
                };
                write_option(out, metadata);
                write_varint(out, locations.len() as u64);
                for &location in locations {
                    write_varint(out, number(self, Node::Location(location))?);
                }
            }
            _ => return Err(unknown_kind("location")),
        }
        Ok(())
    }
}
