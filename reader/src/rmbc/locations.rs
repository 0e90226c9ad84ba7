//! The stream of locations.

use super::tables::Tables;
use crate::place::{lookup, malformed};
use rmlir_format::rmbc::location_code as code;
use rmlir_format::varint::unzigzag;
use rmlir_format::{Reader, Result};
use rmlir_ir::{Identifier, Location, LocationKind};

/// Reads locations one after the other. Without a stream all are unknown.
pub(super) struct LocationStream<'a> {
    input: Option<Reader<'a>>,
    file: Option<Identifier>,
    line: u32,
    column: u32,
    entry: u64,
    /// The location read last.
    last: Option<Location>,
}

impl<'a> LocationStream<'a> {
    pub(super) fn new(input: Option<Reader<'a>>) -> Self {
        LocationStream {
            input,
            file: None,
            line: 0,
            column: 0,
            entry: 0,
            last: None,
        }
    }

    /// How many locations the bytes left can say.
    pub(super) fn remaining(&self) -> usize {
        self.input.as_ref().map_or(0, Reader::remaining)
    }

    /// The next location.
    #[inline]
    pub(super) fn next(&mut self, tables: &mut Tables<'_>) -> Result<Location> {
        let Some(input) = &mut self.input else {
            return Ok(tables.context.unknown_location());
        };
        let at = input.offset();
        let number = input.varint()?;
        let Some(moved) = number.checked_sub(code::MOVES) else {
            return self.special(tables, at, number);
        };
        let (kind, distance) = (moved % code::KINDS, unzigzag(moved / code::KINDS));
        if kind == code::ENTRY {
            let entry = self.entry.wrapping_add_signed(distance);
            let location = lookup(input, at, "location", &tables.locations, entry)?;
            self.entry = entry;
            self.last = Some(location);
            return Ok(location);
        }
        let column = match kind {
            code::LINE => 0,
            _ => input.signed_varint()?,
        };
        let file = self.file;
        let place = moved_by(self.line, distance).zip(moved_by(self.column, column));
        let (Some(file), Some((line, column))) = (file, place) else {
            let message = "the place in a file is none, or lies in no file";
            return Err(malformed(input, at, message));
        };
        (self.line, self.column) = (line, column);
        Ok(self.place(tables, file))
    }

    /// The place in the file where the stream is.
    #[inline]
    fn place(&mut self, tables: &mut Tables<'_>, file: Identifier) -> Location {
        let location = tables.context.location(LocationKind::FileLineColRange {
            file,
            start_line: self.line,
            start_column: self.column,
            end_line: self.line,
            end_column: self.column,
        });
        self.last = Some(location);
        location
    }

    fn special(&mut self, tables: &mut Tables<'_>, at: u64, number: u64) -> Result<Location> {
        let Some(input) = &mut self.input else {
            return Ok(tables.context.unknown_location());
        };
        match number {
            code::SAME => match self.last {
                Some(location) => Ok(location),
                None => Err(malformed(
                    input,
                    at,
                    "there is no location before the first",
                )),
            },
            code::UNKNOWN => {
                let unknown = tables.context.unknown_location();
                self.last = Some(unknown);
                Ok(unknown)
            }
            _ => {
                let file = tables.string(input)?;
                (self.line, self.column) = (input.varint_u32()?, input.varint_u32()?);
                self.file = Some(file);
                Ok(self.place(tables, file))
            }
        }
    }

    /// Checks that all were read.
    pub(super) fn expect_end(&self) -> Result<()> {
        self.input.as_ref().map_or(Ok(()), Reader::expect_end)
    }
}

#[inline]
fn moved_by(from: u32, distance: i64) -> Option<u32> {
    let to = i64::from(from).checked_add(distance)?;
    u32::try_from(to).ok()
}
