//! Describes every byte of a file, without making IR.
//!
//! The description has the file's sections, tables, operations and their fields, with offsets.
//! Damage is reported, and what follows it is described as far as it can be understood: a damaged
//! section ends at its damage, and the next one follows. Numbers are shown with the names that
//! tables give them, as far as the tables can be read.

mod entries;
mod layouts;
mod operations;
mod tables;

use crate::dump::{DumpPart, FieldContent, Visitor};
use rmlir_format::mlirbc::{MAGIC, Version, read_padding, section};
use rmlir_format::{Error, ErrorKind, Reader, Result};
use rmlir_ir::Context;
use std::ops::Range;

/// Describes every byte of a file to `visitor`, and returns the errors found. O(bytes).
///
/// The list is empty for a valid file. A file may be valid here that
/// [`read_module`](super::read_module) refuses: the meaning of values is not checked. Nothing
/// recurses.
///
/// The encodings of entries are those of the dialects that `context` knows.
pub fn dump(context: &Context, bytes: &[u8], visitor: &mut dyn Visitor) -> Vec<Error> {
    let names = tables::Names::read(bytes);
    let mut dumper = Dumper {
        context,
        visitor,
        names,
        version: Version::NEWEST,
        depth: 0,
        errors: Vec::new(),
        bytes,
        told: 0,
        layouts: layouts::Layouts::default(),
    };
    let mut input = Reader::new(bytes, "header");
    if let Err(error) = dumper.file(&mut input) {
        dumper.damage(&mut input, 0, error);
    }
    dumper.errors
}

/// One pass over a file, to label the rest.
struct Dumper<'v, 'a> {
    context: &'v Context,
    visitor: &'v mut dyn Visitor,
    names: tables::Names<'a>,
    version: Version,
    /// The number of parts that are open.
    depth: usize,
    errors: Vec<Error>,
    /// The file.
    bytes: &'a [u8],
    /// The number of bytes of it that were described.
    told: u64,
    /// The layouts of the properties of operations.
    layouts: layouts::Layouts,
}

impl<'a> Dumper<'_, 'a> {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        self.depth = self.depth.saturating_add(1);
        self.visitor.enter(offset, part);
    }

    fn leave(&mut self, offset: u64) {
        self.depth = self.depth.saturating_sub(1);
        self.visitor.leave(offset);
    }

    /// Closes the parts opened since `depth`, after the rest of `input`, which is not understood.
    fn damage(&mut self, input: &mut Reader<'a>, depth: usize, error: Error) {
        // The bytes that were read last may not have been described yet.
        input.rest();
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.bytes.get(place(self.told)..place(input.offset()));
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            self.tell(
                self.told..input.offset(),
                "not understood",
                FieldContent::Damaged(rest),
            );
        }
        while self.depth > depth {
            self.leave(input.offset());
        }
        self.errors.push(error);
    }

    fn file(&mut self, input: &mut Reader<'a>) -> Result<()> {
        self.enter(input.offset(), DumpPart::Header);
        let magic = self.bytes(input, "magic", MAGIC.len() as u64)?;
        if magic != MAGIC {
            return Err(Error::at(
                ErrorKind::NotThisFormat,
                0,
                "the first bytes are not those of MLIR bytecode",
            ));
        }
        let at = input.offset();
        let number = self.varint(input, "version")?;
        self.version = Version::new(number).ok_or_else(|| {
            Error::at(
                ErrorKind::UnknownVersion,
                at,
                format!("bytecode version {number} is not known"),
            )
        })?;
        let start = input.offset();
        let producer = input.until_nul()?;
        self.layouts.set_producer(producer);
        self.field(input, start, "producer", FieldContent::Text(producer));
        self.leave(input.offset());
        while !input.is_empty() {
            self.section(input)?;
        }
        Ok(())
    }

    fn section(&mut self, input: &mut Reader<'a>) -> Result<()> {
        let depth = self.depth;
        let (id, mut data) = self.frame(input)?;
        let dumped = match id {
            section::STRINGS => self.strings(&mut data),
            section::DIALECTS => self.dialects(&mut data),
            section::ENTRY_OFFSETS => self.entry_sizes(&mut data),
            section::ENTRIES => self.entries(&mut data),
            section::RESOURCE_OFFSETS => self.resource_keys(&mut data),
            section::RESOURCES => self.resource_values(&mut data),
            section::PROPERTIES => self.properties(&mut data),
            section::IR => self.operations(&mut data),
            _ => self.bytes(&mut data, "data", u64::MAX).map(drop),
        };
        match dumped.and_then(|()| data.expect_end()) {
            Ok(()) => self.leave(data.offset()),
            Err(error) => self.damage(&mut data, depth, error),
        }
        Ok(())
    }

    /// Describes the frame of a section, which was entered, and skips its data in `input`.
    fn frame(&mut self, input: &mut Reader<'a>) -> Result<(u8, Reader<'a>)> {
        let at = input.offset();
        let first = input.u8()?;
        let (id, aligned) = (first & 0x7F, first & 0x80 != 0);
        let Some(name) = section::name(id) else {
            let message = format!("invalid section ID: {id}");
            return Err(Error::at(ErrorKind::UnknownSection, at, message));
        };
        self.enter(at, DumpPart::Section { id });
        self.field(
            input,
            at,
            "id",
            FieldContent::Flagged(u64::from(id), aligned),
        );
        let len = self.varint(input, "length")?;
        if aligned {
            let at = input.offset();
            let alignment = self.varint(input, "alignment")?;
            self.padding(input, at, alignment)?;
        }
        Ok((id, input.sub_reader(len, name)?))
    }

    fn padding(&mut self, input: &mut Reader<'a>, at: u64, alignment: u64) -> Result<()> {
        let start = input.offset();
        let before = input.peek_rest();
        read_padding(input, at, alignment)?;
        let len = usize::try_from(input.offset().saturating_sub(start)).unwrap_or(0);
        let padding = before.get(..len).unwrap_or_default();
        if !padding.is_empty() {
            self.field(input, start, "padding", FieldContent::Bytes(padding));
        }
        Ok(())
    }

    // Fields.

    /// Describes a field from `start` to the position of `input`.
    fn field(&mut self, input: &Reader<'_>, start: u64, name: &str, content: FieldContent<'_>) {
        self.tell(start..input.offset(), name, content);
    }

    fn tell(&mut self, bytes: Range<u64>, name: &str, content: FieldContent<'_>) {
        self.told = bytes.end;
        self.visitor.field(bytes, name, content);
    }

    fn varint(&mut self, input: &mut Reader<'a>, name: &str) -> Result<u64> {
        let start = input.offset();
        let number = input.prefix_varint()?;
        self.field(input, start, name, FieldContent::Unsigned(number));
        Ok(number)
    }

    fn flagged(&mut self, input: &mut Reader<'a>, name: &str) -> Result<(u64, bool)> {
        let start = input.offset();
        let (number, flag) = input.prefix_flagged_varint()?;
        self.field(input, start, name, FieldContent::Flagged(number, flag));
        Ok((number, flag))
    }

    /// Reads the number of items, each of which takes at least one byte.
    fn count(&mut self, input: &mut Reader<'a>, name: &str) -> Result<u64> {
        let start = input.offset();
        let count = input.prefix_count(1)? as u64;
        self.field(input, start, name, FieldContent::Unsigned(count));
        Ok(count)
    }

    fn byte(&mut self, input: &mut Reader<'a>, name: &str) -> Result<u8> {
        let start = input.offset();
        let byte = input.u8()?;
        self.field(input, start, name, FieldContent::Unsigned(u64::from(byte)));
        Ok(byte)
    }

    /// Reads `len` bytes, at most those that are left.
    fn bytes(&mut self, input: &mut Reader<'a>, name: &str, len: u64) -> Result<&'a [u8]> {
        let start = input.offset();
        let bytes = input.bytes(len.min(input.remaining() as u64))?;
        self.field(input, start, name, FieldContent::Bytes(bytes));
        Ok(bytes)
    }

    /// Reads the number of a string.
    fn string(&mut self, input: &mut Reader<'a>, name: &str) -> Result<&'a [u8]> {
        let start = input.offset();
        let number = input.prefix_varint()?;
        let text = self.names.string(number);
        let content = FieldContent::Reference("string", number, text);
        self.field(input, start, name, content);
        Ok(text)
    }

    /// Reads the number of a dialect.
    fn dialect(&mut self, input: &mut Reader<'a>, name: &str) -> Result<&'a [u8]> {
        let start = input.offset();
        let number = input.prefix_varint()?;
        let text = self.names.dialect(number);
        let content = FieldContent::Reference("dialect", number, text);
        self.field(input, start, name, content);
        Ok(text)
    }

    /// Reads the number of an attribute or type.
    fn reference(&mut self, input: &mut Reader<'a>, name: &str, what: &'static str) -> Result<()> {
        let start = input.offset();
        let number = input.prefix_varint()?;
        self.field(
            input,
            start,
            name,
            FieldContent::Reference(what, number, b""),
        );
        Ok(())
    }
}
