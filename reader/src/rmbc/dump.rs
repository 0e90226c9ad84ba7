//! Describes every byte of a file, without making IR.
//!
//! The description has the file's header, sections, tables, entries, operations and their fields,
//! with offsets. Damage is reported, and what follows it is described as far as it can be
//! understood: a damaged section ends at its damage, and the next one follows. Compressed pages are
//! described as such.

mod sections;

use crate::dump::{DumpPart, FieldContent, Visitor};
use crate::lookup::malformed;
use rmlir_format::rmbc::section;
use rmlir_format::section::{MAGIC, page_len};
use rmlir_format::varint::unzigzag;
use rmlir_format::{Container, Error, Limits, Reader, Result};
use sections::Known;

/// Describes every byte of a file to `visitor`, and returns the errors found. O(bytes).
///
/// The list is empty for a valid file. A file may be valid here that
/// [`read_module`](super::read_module) refuses: the meaning of values is not checked. Nothing
/// recurses.
pub fn dump(bytes: &[u8], visitor: &mut dyn Visitor) -> Vec<Error> {
    let mut dumper = Dumper {
        visitor,
        depth: 0,
        told: 0,
        errors: Vec::new(),
        known: Known::default(),
    };
    // Errors of the container, such as checksums, are best reported by its own reader.
    if let Err(error) = Container::parse(bytes, &Limits::default(), section::name)
        .and_then(|container| container.verify_all())
    {
        dumper.errors.push(error);
    }
    let mut input = Reader::new(bytes, "header");
    let whole = input.clone();
    if let Err(error) = dumper.file(&mut input) {
        dumper.damage(&whole, 0, error);
    }
    dumper.errors
}

/// A section as listed in the directory.
struct Listed {
    kind: u64,
    len: u64,
    stored: Option<u64>,
    alignment: u64,
}

/// The state of one pass that describes the bytes of a file.
struct Dumper<'v> {
    visitor: &'v mut dyn Visitor,
    /// The number of parts that are open.
    depth: usize,
    /// The number of bytes of the file that were described.
    told: u64,
    errors: Vec<Error>,
    /// Data of earlier sections that later ones refer to.
    known: Known,
}

impl Dumper<'_> {
    fn enter(&mut self, input: &Reader<'_>, part: DumpPart<'_>) {
        self.depth = self.depth.saturating_add(1);
        self.visitor.enter(input.offset(), part);
    }

    fn leave(&mut self, input: &Reader<'_>) {
        self.depth = self.depth.saturating_sub(1);
        self.visitor.leave(input.offset());
    }

    /// Describes the bytes between two positions of the input.
    fn tell(
        &mut self,
        before: &Reader<'_>,
        after: &Reader<'_>,
        name: &str,
        content: FieldContent<'_>,
    ) {
        self.told = after.offset();
        self.visitor
            .field(before.offset()..after.offset(), name, content);
    }

    /// Reads a number.
    fn number(&mut self, input: &mut Reader<'_>, name: &str) -> Result<u64> {
        let before = input.clone();
        let value = input.varint()?;
        self.tell(&before, input, name, FieldContent::Unsigned(value));
        Ok(value)
    }

    /// Reads a zigzag-encoded number.
    fn signed(&mut self, input: &mut Reader<'_>, name: &str) -> Result<()> {
        let before = input.clone();
        let value = unzigzag(input.varint()?);
        self.tell(&before, input, name, FieldContent::Signed(value));
        Ok(())
    }

    fn byte(&mut self, input: &mut Reader<'_>, name: &str) -> Result<u8> {
        let before = input.clone();
        let value = input.u8()?;
        self.tell(&before, input, name, FieldContent::Unsigned(value.into()));
        Ok(value)
    }

    /// Reads the number of an item in a table.
    fn reference(&mut self, input: &mut Reader<'_>, name: &str, what: &'static str) -> Result<u64> {
        let before = input.clone();
        let value = input.varint()?;
        self.refer(&before, input, name, what, value);
        Ok(value)
    }

    /// Reads such a number, which may be absent.
    fn optional(
        &mut self,
        input: &mut Reader<'_>,
        name: &str,
        what: &'static str,
    ) -> Result<Option<u64>> {
        let before = input.clone();
        let value = input.varint()?.checked_sub(1);
        match value {
            Some(value) => self.refer(&before, input, name, what, value),
            None => self.tell(&before, input, name, FieldContent::Text(b"nothing")),
        }
        Ok(value)
    }

    fn refer(
        &mut self,
        before: &Reader<'_>,
        after: &Reader<'_>,
        name: &str,
        what: &'static str,
        value: u64,
    ) {
        let (what, number) = match what {
            "attribute" => match value.checked_sub(self.known.attributes) {
                Some(string) => ("string", string),
                None => (what, value),
            },
            _ => (what, value),
        };
        let text = match what {
            "string" => self.known.string(number),
            "template" => self.known.template_name(number),
            _ => b"",
        };
        self.told = after.offset();
        let content = FieldContent::Reference(what, number, text);
        self.visitor
            .field(before.offset()..after.offset(), name, content);
    }

    fn bytes(&mut self, input: &mut Reader<'_>, name: &str, len: u64) -> Result<()> {
        let before = input.clone();
        let bytes = input.bytes(len)?;
        if !bytes.is_empty() {
            self.tell(&before, input, name, FieldContent::Bytes(bytes));
        }
        Ok(())
    }

    fn text(&mut self, input: &mut Reader<'_>, name: &str, len: u64) -> Result<()> {
        let before = input.clone();
        let bytes = input.bytes(len)?;
        if !bytes.is_empty() {
            self.tell(&before, input, name, FieldContent::Text(bytes));
        }
        Ok(())
    }

    /// Reads a length and as many bytes.
    fn counted_bytes(&mut self, input: &mut Reader<'_>, name: &str) -> Result<()> {
        let len = self.number(input, "length")?;
        self.bytes(input, name, len)
    }

    /// Reads the number of the items that follow, each of at least one byte.
    fn count(&mut self, input: &mut Reader<'_>, name: &str) -> Result<u64> {
        let at = input.offset();
        let count = self.number(input, name)?;
        if count > input.remaining() as u64 {
            let message = format!("{count} items are announced in {} bytes", input.remaining());
            return Err(malformed(input, at, message));
        }
        Ok(count)
    }

    /// Closes the parts opened since `depth`, after the rest of `whole`, which is not understood.
    fn damage(&mut self, whole: &Reader<'_>, depth: usize, error: Error) {
        let told = self.told.max(whole.offset());
        let place = usize::try_from(told.saturating_sub(whole.offset())).unwrap_or(usize::MAX);
        let mut end = whole.clone();
        end.rest();
        let rest = whole.peek_rest().get(place..).unwrap_or_default();
        if !rest.is_empty() {
            self.visitor
                .field(told..end.offset(), "damaged", FieldContent::Damaged(rest));
        }
        self.told = end.offset();
        while self.depth > depth {
            self.leave(&end);
        }
        self.errors.push(error);
    }

    fn file(&mut self, input: &mut Reader<'_>) -> Result<()> {
        self.enter(input, DumpPart::Header);
        self.bytes(input, "magic", MAGIC.len() as u64)?;
        self.byte(input, "major version")?;
        self.byte(input, "minor version")?;
        self.bytes(input, "crc32", 4)?;
        let len = self.number(input, "length of the directory")?;
        self.leave(input);
        let mut directory = input.sub_reader(len, "directory")?;
        let whole = directory.clone();
        self.enter(&directory, DumpPart::Table("directory"));
        let mut sections = Vec::new();
        let depth = self.depth.saturating_sub(1);
        match self.directory(&mut directory, &mut sections) {
            Ok(()) => self.leave(&directory),
            Err(error) => self.damage(&whole, depth, error),
        }
        for listed in sections {
            match listed.kind {
                0 => self.stored_bundle(input, &listed)?,
                _ => self.section(input, &listed)?,
            }
        }
        input.expect_end()
    }

    fn directory(&mut self, input: &mut Reader<'_>, sections: &mut Vec<Listed>) -> Result<()> {
        self.number(input, "length of the file")?;
        if self.number(input, "dictionary")? != 0 {
            self.bytes(input, "hash of the dictionary", 4)?;
        }
        for number in 0..self.count(input, "sections")? {
            self.enter(input, DumpPart::Entry("section", number));
            let before = input.clone();
            let code = input.varint()?;
            let (kind, flags) = (code >> 3, code & 7);
            let name = name_of(kind);
            let content = FieldContent::Reference("section", kind, name.as_bytes());
            self.tell(&before, input, "kind and flags", content);
            let len = self.number(input, "length")?;
            let mut stored = None;
            if flags & 2 != 0 {
                stored = Some(self.number(input, "length as stored")?);
            }
            let mut alignment = 0;
            if flags & 4 != 0 {
                alignment = self.number(input, "logarithm of the alignment")?.min(12);
            }
            self.leave(input);
            sections.push(Listed {
                kind,
                len,
                stored,
                alignment,
            });
        }
        input.expect_end()
    }

    /// Describes the bundle, which is one page whose checksum is that of the header.
    fn stored_bundle(&mut self, input: &mut Reader<'_>, listed: &Listed) -> Result<()> {
        let name = name_of(listed.kind);
        self.enter(input, DumpPart::Table(name));
        match listed.stored {
            Some(stored) => self.bytes(input, "compressed page", stored)?,
            None => {
                // The available part of a truncated file.
                let there = listed.len.min(input.remaining() as u64);
                let mut content = input.sub_reader(there, name)?;
                let (depth, whole) = (self.depth, content.clone());
                if let Err(error) = self.content(&mut content, listed.kind) {
                    self.damage(&whole, depth, error);
                }
                input.skip(listed.len.saturating_sub(there))?;
            }
        }
        self.leave(input);
        Ok(())
    }

    /// Describes padding, pages, and their table.
    fn section(&mut self, input: &mut Reader<'_>, listed: &Listed) -> Result<()> {
        let name = name_of(listed.kind);
        self.enter(input, DumpPart::Table(name));
        let mask = (1u64 << listed.alignment).wrapping_sub(1);
        let padding = input.offset().wrapping_neg() & mask;
        self.bytes(input, "padding", padding)?;
        let page = page_len(listed.stored.is_some());
        let pages = listed.len.div_ceil(page.max(1) as u64);
        match listed.stored {
            None => {
                let mut content = input.sub_reader(listed.len, name)?;
                let (depth, whole) = (self.depth, content.clone());
                if let Err(error) = self.content(&mut content, listed.kind) {
                    self.damage(&whole, depth, error);
                }
            }
            Some(stored) => {
                // The table that follows them has the ends of the pages.
                let mut table = input.clone();
                table.skip(stored)?;
                let mut frames = input.sub_reader(stored, name)?;
                for _ in 0..pages {
                    let len = table.u32_le()?;
                    table.u32_le()?;
                    self.bytes(&mut frames, "compressed page", len.into())?;
                }
                let left = frames.remaining() as u64;
                self.bytes(&mut frames, "bytes after the last page", left)?;
            }
        }
        for _ in 0..pages {
            if listed.stored.is_some() {
                let before = input.clone();
                let len = input.u32_le()?;
                let content = FieldContent::Unsigned(len.into());
                self.tell(&before, input, "length of a page", content);
            }
            self.bytes(input, "crc32 of a page", 4)?;
        }
        self.leave(input);
        Ok(())
    }
}

/// Returns the name of a kind of sections.
fn name_of(kind: u64) -> &'static str {
    match u16::try_from(kind) {
        Ok(0) => "bundle",
        Ok(kind) => section::name(kind).unwrap_or("unknown section"),
        Err(_) => "unknown section",
    }
}
