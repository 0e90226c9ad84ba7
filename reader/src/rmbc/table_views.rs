//! Random access to the tables of a file: locates tables, and reads single entries of them.

use super::fields::{self, Kind, Sink};
use super::locations::State;
use super::tables::{read_numbered, read_string};
use super::{Checked, NumberMap};
use crate::lookup::malformed;
use rmlir_format::rmbc::index::Chunk;
use rmlir_format::rmbc::table::offset_width;
use rmlir_format::rmbc::{BLOCK, block_of, fragments, preset, schema, section, tag};
use rmlir_format::section::{Store, StoredSection};
use rmlir_format::{Error, ErrorKind, Reader, Result, Source, check_limit};
use rmlir_ir::{DialectBody, FINGERPRINT_VERSION};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// The maximum number of bytes of two numbers.
const TWO_NUMBERS: u64 = 18;

/// A table of a section.
#[derive(Clone, Debug, Default)]
pub(super) struct TableView {
    kind: u16,
    pub(super) count: u64,
    /// The position of the offsets of blocks in the section's content.
    offsets: u64,
    width: u64,
    data: Range<u64>,
}

/// Consecutive entries of a table.
pub(super) struct Block {
    bytes: Source,
    pub(super) base: u64,
    name: &'static str,
    /// The number of the first entry.
    pub(super) first: u64,
    /// The number of entries.
    pub(super) count: u64,
}

impl Block {
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader::with_base(&self.bytes, self.base, self.name)
    }
}

/// Reads at most `len` bytes from offset `at` of a section on.
fn peek(section: &StoredSection<'_>, at: u64, len: u64) -> Result<Source> {
    section.range(at..at.saturating_add(len).min(section.len()).max(at))
}

impl TableView {
    /// Returns the table at offset `at` that begins with its count, and where it ends.
    fn counted(section: &StoredSection<'_>, at: u64) -> Result<(Self, u64)> {
        let bytes = peek(section, at, TWO_NUMBERS)?;
        let place = section.offset().saturating_add(at);
        let mut input = Reader::with_base(&bytes, place, section.name());
        let count = input.varint()?;
        Self::uncounted(section, at.saturating_add(input.position() as u64), count)
    }

    /// Returns the table of `count` entries at offset `at`, and where it ends.
    fn uncounted(section: &StoredSection<'_>, at: u64, count: u64) -> Result<(Self, u64)> {
        let bytes = peek(section, at, TWO_NUMBERS)?;
        let place = section.offset().saturating_add(at);
        let mut input = Reader::with_base(&bytes, place, section.name());
        let len = input.varint()?;
        let offsets = at.saturating_add(input.position() as u64);
        let width = offset_width(len);
        let blocks = count.div_ceil(BLOCK as u64).saturating_sub(1);
        let start = offsets.saturating_add(blocks.saturating_mul(width));
        let end = start.saturating_add(len);
        if end > section.len() {
            let message = format!("a table of {count} entries in {len} bytes is not there");
            return Err(malformed(&input, place, message));
        }
        let view = TableView {
            kind: section.kind(),
            count,
            offsets,
            width,
            data: start..end,
        };
        Ok((view, end))
    }

    /// Returns the block of an entry.
    pub(super) fn block(&self, store: &Store, number: u64) -> Result<Block> {
        let Some(section) = store.section(self.kind).filter(|_| number < self.count) else {
            return Err(absent(store, self.kind, number, self.count));
        };
        let (block, _) = block_of(number);
        let len = self.data.end.saturating_sub(self.data.start);
        let start = self.offset(&section, block)?;
        let next = block.saturating_add(1);
        let first = block.saturating_mul(BLOCK as u64);
        let behind = self.count.saturating_sub(first);
        let end = match behind > BLOCK as u64 {
            true => self.offset(&section, next)?,
            false => len,
        };
        let base = section.offset().saturating_add(self.data.start);
        if start > end || end > len {
            let message = format!("the block of entry #{number} is not in the table");
            let error = Error::at(ErrorKind::Malformed, base, message);
            return Err(error.with_section(section.name()));
        }
        let range = self.data.start.saturating_add(start)..self.data.start.saturating_add(end);
        Ok(Block {
            bytes: section.range(range)?,
            base: base.saturating_add(start),
            name: section.name(),
            first,
            count: behind.min(BLOCK as u64),
        })
    }

    /// Returns the offset of a block in the data.
    fn offset(&self, section: &StoredSection<'_>, block: u64) -> Result<u64> {
        let Some(before) = block.checked_sub(1) else {
            return Ok(0);
        };
        let at = self
            .offsets
            .saturating_add(before.saturating_mul(self.width));
        let bytes = section.range(at..at.saturating_add(self.width))?;
        let little_endian = bytes.iter().rev();
        Ok(little_endian.fold(0, |offset, &byte| offset << 8 | u64::from(byte)))
    }

    /// Returns the last block whose key is not greater than the one searched for, by binary search.
    /// `None` if all are greater.
    ///
    /// `compare` compares the first entry of a block.
    pub(super) fn bisect(
        &self,
        store: &Store,
        entries: Range<u64>,
        mut compare: impl FnMut(&Block) -> Result<Ordering>,
    ) -> Result<Option<Block>> {
        let size = BLOCK as u64;
        let (mut low, mut high) = (block_of(entries.start).0, entries.end.div_ceil(size));
        let mut found = None;
        while low < high {
            let middle = low.midpoint(high);
            let block = self.block(store, middle.saturating_mul(size))?;
            if compare(&block)? == Ordering::Greater {
                high = middle;
            } else {
                found = Some(block);
                low = middle.saturating_add(1);
            }
        }
        Ok(found)
    }
}

#[cold]
fn absent(store: &Store, kind: u16, number: u64, count: u64) -> Error {
    let (offset, name) = match store.section(kind) {
        Some(section) => (section.offset(), section.name()),
        None => (0, section::name(kind).unwrap_or_default()),
    };
    let message = format!("entry #{number} is not there: there are {count}");
    Error::at(ErrorKind::Malformed, offset, message).with_section(name)
}

/// Consecutive entries of one kind.
#[derive(Clone, Copy, Debug)]
struct Run {
    tag: u8,
    /// The position of the first entry in the table.
    position: u64,
    /// Its number among types, attributes or locations.
    number: u64,
    count: u64,
}

/// The classes of entries; each class has its own numbering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Class {
    Type,
    Attribute,
    Location,
}

/// Returns the class of entries of a kind.
pub(super) fn class_of(tag: u8) -> Class {
    match tag {
        0..tag::FIRST_ATTRIBUTE => Class::Type,
        tag::FIRST_ATTRIBUTE..tag::FIRST_LOCATION => Class::Attribute,
        _ => Class::Location,
    }
}

impl Class {
    /// Returns the class that a part refers to; `None` if it does not refer to an entry.
    pub(super) fn of_kind(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Type => Some(Class::Type),
            Kind::Attribute => Some(Class::Attribute),
            Kind::Location => Some(Class::Location),
            _ => None,
        }
    }
}

/// An entry of the table of types and attributes.
pub(super) struct EntryBytes {
    pub(super) tag: u8,
    pub(super) class: Class,
    /// Its number in its class.
    pub(super) number: u64,
    block: Block,
    /// Its range in the block.
    range: Range<usize>,
}

impl EntryBytes {
    pub(super) fn reader(&self) -> Reader<'_> {
        let bytes = self.block.bytes.get(self.range.clone());
        let base = self.block.base.saturating_add(self.range.start as u64);
        Reader::with_base(bytes.unwrap_or_default(), base, self.block.name)
    }
}

/// Totals of a file's operations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) operations: u64,
    pub(super) regions: u64,
    pub(super) blocks: u64,
    pub(super) values: u64,
    pub(super) operands: u64,
    /// The offset of the top-level operation in the section's content.
    pub(super) start: u64,
}

/// The tables of the index.
#[derive(Clone, Debug)]
pub(super) struct IndexViews {
    pub(super) chunks: TableView,
    pub(super) names: TableView,
    references: TableView,
}

/// All tables of a file.
#[derive(Debug)]
pub(super) struct TableViews {
    pub(super) store: Store,
    /// The numbers of preset strings.
    preset: Vec<u64>,
    strings: TableView,
    /// The number of strings that are names of symbols.
    symbols: u64,
    runs: Vec<Run>,
    entries: TableView,
    pub(super) attribute_count: u64,
    pub(super) type_count: u64,
    pub(super) lists: TableView,
    pub(super) signatures: TableView,
    pub(super) templates: TableView,
    pub(super) totals: Totals,
    pub(super) index: Option<IndexViews>,
    pub(super) stems: Option<[TableView; 2]>,
    pub(super) names: Option<[TableView; 2]>,
    pub(super) uses: Option<TableView>,
    /// The fingerprints of symbols, if their version is known.
    pub(super) hashes: Option<TableView>,
}

impl TableViews {
    /// Finds the tables. O(sections), and runs of entries.
    pub(super) fn open(store: Store) -> Result<Self> {
        super::check_sections(store.sections().map(|section| Checked {
            kind: section.kind(),
            is_required: section.is_required(),
            is_aligned: section.alignment_log().is_some(),
            is_empty: section.is_empty(),
            offset: section.offset(),
            name: section.name(),
        }))?;
        if let Some(features) = store.section(section::FEATURES) {
            let bytes = features.all()?;
            super::check_features(Reader::with_base(
                &bytes,
                features.offset(),
                features.name(),
            ))?;
        }
        for section in store.sections() {
            if section.kind() != section::BLOBS && section::name(section.kind()).is_some() {
                check_limit(
                    "bytes of a table",
                    section.len(),
                    schema::limits::SECTION.saturating_sub(1),
                )
                .map_err(|error| {
                    error
                        .with_offset(section.offset())
                        .with_section(section.name())
                })?;
            }
        }
        let (Some(templates), Some(operations)) = (
            store.section(section::TEMPLATES),
            store.section(section::OPERATIONS),
        ) else {
            return Err(super::no_operations(store.file_len()));
        };
        let (lists, end) = TableView::counted(&templates, 0)?;
        let (signatures, end) = TableView::counted(&templates, end)?;
        let (templates, _) = TableView::counted(&templates, end)?;
        let head = peek(&operations, 0, 5 * 9)?;
        let mut input = Reader::with_base(&head, operations.offset(), operations.name());
        let totals = Totals {
            operations: input.varint()?,
            regions: input.varint()?,
            blocks: input.varint()?,
            values: input.varint()?,
            operands: input.varint()?,
            start: input.position() as u64,
        };
        let tables = |kind| -> Result<Option<[TableView; 2]>> {
            let Some(section) = store.section(kind) else {
                return Ok(None);
            };
            let (first, end) = TableView::counted(&section, 0)?;
            Ok(Some([first, TableView::counted(&section, end)?.0]))
        };
        let index = match store.section(section::INDEX) {
            Some(section) => {
                let (chunks, end) = TableView::counted(&section, 0)?;
                let (names, end) = TableView::counted(&section, end)?;
                let (references, _) = TableView::counted(&section, end)?;
                Some(IndexViews {
                    chunks,
                    names,
                    references,
                })
            }
            None => None,
        };
        let uses = match store.section(section::USES) {
            Some(section) => Some(TableView::counted(&section, 0)?.0),
            None => None,
        };
        let hashes = match store.section(section::HASHES) {
            Some(section) => {
                let byte = peek(&section, 0, 1)?;
                let version = Reader::with_base(&byte, section.offset(), section.name()).u8()?;
                match version {
                    FINGERPRINT_VERSION => Some(TableView::counted(&section, 1)?.0),
                    _ => None,
                }
            }
            None => None,
        };
        let (stems, names) = (tables(section::ALIAS_NAMES)?, tables(section::NAMES)?);
        let mut views = TableViews {
            preset: Vec::new(),
            strings: TableView::default(),
            symbols: 0,
            runs: Vec::new(),
            entries: TableView::default(),
            attribute_count: 0,
            type_count: 0,
            lists,
            signatures,
            templates,
            totals,
            index,
            stems,
            names,
            uses,
            hashes,
            store,
        };
        views.open_strings()?;
        views.open_entries()?;
        Ok(views)
    }

    fn open_strings(&mut self) -> Result<()> {
        let Some(section) = self.store.section(section::STRINGS) else {
            return Ok(());
        };
        // There are few preset ones.
        let most = (preset::count() as u64)
            .saturating_mul(3)
            .saturating_add(64);
        let bytes = peek(&section, 0, most)?;
        let mut input = Reader::with_base(&bytes, section.offset(), section.name());
        let has_dictionary = self.store.has_dictionary();
        self.preset = super::tables::read_preset(&mut input, has_dictionary)?;
        let (count, symbols) = (input.varint()?, input.varint()?);
        let (strings, _) = TableView::uncounted(&section, input.position() as u64, count)?;
        (self.strings, self.symbols) = (strings, symbols.min(count));
        Ok(())
    }

    fn open_entries(&mut self) -> Result<()> {
        let Some(section) = self.store.section(section::ENTRIES) else {
            return Ok(());
        };
        // Runs are few, but their size in bytes is not stored.
        let mut len = 1 << 12;
        let (bytes, runs, position) = loop {
            let bytes = peek(&section, 0, len)?;
            let mut input = Reader::with_base(&bytes, section.offset(), section.name());
            match super::entries::read_runs(&mut input) {
                Ok(runs) => {
                    let position = input.position() as u64;
                    break (bytes, runs, position);
                }
                Err(error) if len >= section.len() => return Err(error),
                Err(_) => len = len.saturating_mul(8),
            }
        };
        drop(bytes);
        let (mut total, mut counts) = (0u64, [0u64; 3]);
        for (_, tag, count) in runs {
            let slot = counts.get_mut(class_of(tag) as usize);
            let Some(number) = slot else { continue };
            self.runs.push(Run {
                tag,
                position: total,
                number: *number,
                count,
            });
            total = total.saturating_add(count);
            *number = number.saturating_add(count);
        }
        [self.type_count, self.attribute_count, _] = counts;
        (self.entries, _) = TableView::uncounted(&section, position, total)?;
        Ok(())
    }

    /// Returns the run of the entry at a position.
    fn run(&self, position: u64) -> Option<&Run> {
        let behind = self.runs.partition_point(|run| run.position <= position);
        self.runs.get(behind.checked_sub(1)?)
    }

    /// Returns the position in the table of an entry of a class.
    pub(super) fn position(&self, class: Class, number: u64) -> Option<u64> {
        let run = self
            .runs
            .iter()
            .rev()
            .find(|run| class_of(run.tag) == class && run.number <= number)?;
        let inside = number.saturating_sub(run.number);
        (inside < run.count).then(|| run.position.saturating_add(inside))
    }

    /// Returns the entry at a position.
    pub(super) fn entry(&self, position: u64) -> Result<EntryBytes> {
        let block = self.entries.block(&self.store, position)?;
        let mut input = block.reader();
        let mut at = block.first;
        loop {
            let start = input.position();
            let Some(run) = self.run(at) else {
                return Err(absent(
                    &self.store,
                    section::ENTRIES,
                    position,
                    self.entries.count,
                ));
            };
            let Some((_, fields)) = fields::fields(run.tag) else {
                let message = format!("no entry is of the kind {}", run.tag);
                return Err(malformed(&input, input.offset(), message));
            };
            fields::walk(&mut input, fields, &mut Over(self))?;
            if at == position {
                let range = start..input.position();
                return Ok(EntryBytes {
                    tag: run.tag,
                    class: class_of(run.tag),
                    number: run.number.saturating_add(at.saturating_sub(run.position)),
                    block,
                    range,
                });
            }
            at = at.saturating_add(1);
        }
    }

    /// See [`Sink::fixed_bytes`].
    pub(super) fn fixed_bytes(&self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64> {
        let Some(position) = self.position(Class::Type, ty) else {
            let message = format!("type #{ty} is not there: {} come before", self.type_count);
            return Err(malformed(input, at, message));
        };
        // These entries refer to nothing, so this terminates.
        let is_number = super::entries::is_number_type;
        if !self.run(position).is_some_and(|run| is_number(run.tag)) {
            return Err(malformed(input, at, "a number needs a type of numbers"));
        }
        let block = self.entries.block(&self.store, position)?;
        let mut entries = block.reader();
        // All preceding ones in the block are of this kind, too.
        for before in block.first..position {
            let run = self.run(before).filter(|run| is_number(run.tag));
            let Some((_, fields)) = run.and_then(|run| fields::fields(run.tag)) else {
                return Err(malformed(
                    input,
                    at,
                    "a type of numbers has others before it",
                ));
            };
            fields::walk(&mut entries, fields, &mut Over(self))?;
        }
        let tag = self.run(position).map_or(0, |run| run.tag);
        fields::fixed_bytes(input, at, tag, entries)
    }

    /// Returns the block of a string that is spelled out.
    pub(super) fn string_block(&self, number: u64) -> Result<Option<Block>> {
        if number >= self.strings.count {
            return Ok(None);
        }
        self.strings.block(&self.store, number).map(Some)
    }

    /// Returns the number of the string in an attribute of the table, if it is a string with a
    /// type.
    pub(super) fn typed_string(&self, attribute: u64) -> Result<Option<u64>> {
        let Some(position) = self.position(Class::Attribute, attribute) else {
            return Ok(None);
        };
        let is_string = |run: &Run| run.tag == rmlir_format::rmbc::tag::STRING;
        if !self.run(position).is_some_and(is_string) {
            return Ok(None);
        }
        self.entry(position)?.reader().varint().map(Some)
    }

    /// Passes all entries to `each`, with their tags and classes, in order.
    pub(super) fn each_entry(
        &self,
        each: &mut dyn FnMut(u8, Class, &mut Reader<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut runs = self.runs.iter();
        let (mut run, mut left) = (None, 0);
        for number in (0..self.entries.count).step_by(BLOCK) {
            let block = self.entries.block(&self.store, number)?;
            let mut input = block.reader();
            for _ in 0..block.count {
                if left == 0 {
                    run = runs.next();
                    left = run.map_or(0, |run: &Run| run.count);
                }
                left = left.saturating_sub(1);
                let Some(run) = run else { break };
                each(run.tag, class_of(run.tag), &mut input)?;
            }
            input.expect_end()?;
        }
        Ok(())
    }

    /// Returns the types of a type list.
    pub(super) fn list_types(&self, number: u64) -> Result<Vec<u64>> {
        let block = self.lists.block(&self.store, number)?;
        let mut input = block.reader();
        let mut types = Vec::new();
        for _ in block.first..=number {
            types.clear();
            for _ in 0..input.count(1)? {
                types.push(input.varint()?);
            }
        }
        Ok(types)
    }

    /// Returns the strings of a symbol reference: root and nested names.
    pub(super) fn symbol_reference(&self, attribute: u64) -> Result<Vec<u64>> {
        let position = self.position(Class::Attribute, attribute);
        let is_reference = |run: &Run| run.tag == tag::SYMBOL_REF;
        let Some(position) = position.filter(|&at| self.run(at).is_some_and(is_reference)) else {
            let section = self.store.section(section::INDEX);
            let offset = section.map_or(0, |section| section.offset());
            let message = format!("attribute #{attribute} of the index is not a symbol reference");
            return Err(Error::at(ErrorKind::Malformed, offset, message).with_section("index"));
        };
        let entry = self.entry(position)?;
        let mut input = entry.reader();
        let mut strings = vec![input.varint()?];
        for _ in 0..input.count(1)? {
            strings.push(input.varint()?);
        }
        Ok(strings)
    }

    /// Returns the string in an attribute of a dialect whose body is one string literal.
    ///
    /// `None` for other attributes. Linear in the body.
    pub(super) fn string_literal(&self, attribute: u64) -> Result<Option<Vec<u8>>> {
        let Some(position) = self.position(Class::Attribute, attribute) else {
            return Ok(None);
        };
        let is_of_dialect = |run: &Run| run.tag == rmlir_format::rmbc::tag::DIALECT_ATTRIBUTE;
        if !self.run(position).is_some_and(is_of_dialect) {
            return Ok(None);
        }
        let entry = self.entry(position)?;
        let mut input = entry.reader();
        input.varint()?;
        let len = input.varint()?;
        // The digits of a blob are no string literal.
        let text = fragments::decode(
            &mut input,
            len,
            self.store.has_dictionary(),
            &mut |_, _, _| Ok(()),
        )?;
        let (references, ty) = (input.varint()?, input.varint()?);
        if (references, ty) != (0, 0) {
            return Ok(None);
        }
        let body = DialectBody::from_text(&text);
        Ok(body.string_literal().map(Cow::into_owned))
    }

    /// Returns the number of strings that are names of symbols of the index.
    pub(super) fn symbol_count(&self) -> u64 {
        self.symbols
    }

    /// Returns the number of strings that are spelled out.
    pub(super) fn string_count(&self) -> u64 {
        self.strings.count
    }

    /// Returns a string.
    pub(super) fn string(&self, number: u64) -> Result<Vec<u8>> {
        if let Some(behind) = number.checked_sub(self.strings.count) {
            let found = usize::try_from(behind).ok();
            let found = found.and_then(|at| self.preset.get(at));
            return match found.and_then(|&number| preset::get(number)) {
                Some(string) => Ok(string.into()),
                None => {
                    let count = self.strings.count.saturating_add(self.preset.len() as u64);
                    Err(absent(&self.store, section::STRINGS, number, count))
                }
            };
        }
        let block = self.strings.block(&self.store, number)?;
        let mut input = block.reader();
        let mut string = Vec::new();
        for _ in block.first..=number {
            read_string(&mut input, &mut string)?;
        }
        Ok(string)
    }

    /// Returns the number of a string that is the name of a symbol of the index. O(log n).
    pub(super) fn symbol_string(&self, name: &[u8]) -> Result<Option<u64>> {
        let found = self.strings.bisect(&self.store, 0..self.symbols, |block| {
            let mut first = Vec::new();
            read_string(&mut block.reader(), &mut first)?;
            Ok(first.as_slice().cmp(name))
        })?;
        let Some(block) = found else { return Ok(None) };
        let mut input = block.reader();
        let mut string = Vec::new();
        let end = block.first.saturating_add(block.count).min(self.symbols);
        for number in block.first..end {
            read_string(&mut input, &mut string)?;
            if string == name {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// A position in the operations, and the state of decoding at it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// The offset in the content of the section of operations.
    pub(super) offset: u64,
    /// The offset in the content of the section of locations.
    pub(super) location: u64,
    /// The number of chunks that begin before.
    pub(super) segment: u64,
    /// The number of preceding values in the segment.
    pub(super) values: u64,
    pub(super) blocks: u64,
    pub(super) state: State,
}

/// Reads an entry of the table of chunks. `before` has the offsets of the preceding one.
pub(super) fn read_chunk(input: &mut Reader<'_>, number: u64, before: &mut Chunk) -> Result<Chunk> {
    let at = input.offset();
    let offset = before.offset.saturating_add(input.varint()?);
    let location = before.location.saturating_add(input.varint()?);
    let parent = match input.varint()? {
        0 => None,
        back => match number.checked_sub(back) {
            Some(parent) => Some(parent),
            None => {
                let message = format!("chunk #{number} is nested in one {back} before it");
                return Err(malformed(input, at, message));
            }
        },
    };
    let chunk = Chunk {
        offset,
        location,
        parent,
        inside: input.varint()?,
    };
    *before = chunk;
    Ok(chunk)
}

/// Returns the entries of a block of the table of chunks.
fn chunks_of(block: &Block) -> Result<Vec<Chunk>> {
    let mut input = block.reader();
    let mut before = Chunk::default();
    let mut chunks = Vec::new();
    for number in (block.first..).take(block.count as usize) {
        chunks.push(read_chunk(&mut input, number, &mut before)?);
    }
    input.expect_end()?;
    Ok(chunks)
}

/// Returns the item with a number in a block.
fn item<T: Copy>(items: &[T], first: u64, number: u64) -> Option<T> {
    let place = usize::try_from(number.checked_sub(first)?).ok()?;
    items.get(place).copied()
}

impl IndexViews {
    /// Decodes all chunks. O(chunks).
    pub(super) fn decode(&self, store: &Store) -> Result<Vec<Chunk>> {
        let mut chunks = Vec::new();
        for number in (0..self.chunks.count).step_by(BLOCK) {
            chunks.extend(chunks_of(&self.chunks.block(store, number)?)?);
        }
        Ok(chunks)
    }

    /// Returns the chunk of a number. O(1).
    pub(super) fn chunk(&self, store: &Store, number: u64) -> Result<Chunk> {
        let block = self.chunks.block(store, number)?;
        let chunk = item(&chunks_of(&block)?, block.first, number);
        chunk.ok_or_else(|| absent(store, section::INDEX, number, self.chunks.count))
    }

    /// Returns the number of the chunk that contains an offset of an operation: the last one that
    /// begins at or before it. O(log n).
    pub(super) fn chunk_at(&self, store: &Store, offset: u64) -> Result<Option<u64>> {
        let found = self.chunks.bisect(store, 0..self.chunks.count, |block| {
            Ok(block.reader().varint()?.cmp(&offset))
        })?;
        let Some(block) = found else { return Ok(None) };
        let chunks = chunks_of(&block)?.into_iter();
        let before = chunks.take_while(|chunk| chunk.offset <= offset).count() as u64;
        Ok(block.first.saturating_add(before).checked_sub(1))
    }

    /// Returns the start of a chunk in the sections of operations and of locations, or the end of
    /// these sections if it is the one after the last.
    pub(super) fn start(&self, store: &Store, number: u64) -> Result<(u64, u64)> {
        if number < self.chunks.count {
            let chunk = self.chunk(store, number)?;
            return Ok((chunk.offset, chunk.location));
        }
        let len = |kind| store.section(kind).map_or(0, |section| section.len());
        Ok((len(section::OPERATIONS), len(section::LOCATIONS)))
    }

    /// Returns the number of the last chunk that is nested directly in another one, or that is of
    /// the top-level operation; `None` if there is none.
    ///
    /// Memoized in `known` together with those of the chunks in between, so that each chunk is
    /// visited once.
    pub(super) fn last_in(
        &self,
        store: &Store,
        around: Option<u64>,
        known: &mut NumberMap<Option<u64>, u64>,
    ) -> Result<Option<u64>> {
        if let Some(&last) = known.get(&around) {
            return Ok(Some(last));
        }
        let last = match around {
            Some(around) => {
                let inside = self.chunk(store, around)?.inside;
                around
                    .saturating_add(inside)
                    .min(self.chunks.count.saturating_sub(1))
            }
            None => self.chunks.count.saturating_sub(1),
        };
        if around.is_some_and(|around| last <= around) || self.chunks.count == 0 {
            return Ok(None);
        }
        let mut number = last;
        loop {
            let parent = self.chunk(store, number)?.parent;
            known.insert(parent, number);
            if parent == around {
                return Ok(Some(number));
            }
            // Parents come before.
            match parent.filter(|&parent| Some(parent) > around) {
                Some(parent) => number = parent,
                None => return Ok(None),
            }
        }
    }

    /// Returns the numbers of the attributes that are the symbols which the symbol at an offset, in
    /// a chunk, refers to; `None` if they are not listed.
    pub(super) fn references(
        &self,
        store: &Store,
        chunk: u64,
        offset: u64,
    ) -> Result<Option<Vec<u64>>> {
        if self.references.count == 0 {
            return Ok(Some(Vec::new()));
        }
        let start = self.chunk(store, chunk)?.offset;
        let block = self.references.block(store, chunk)?;
        let mut input = block.reader();
        for _ in block.first..chunk {
            let len = input.varint()?;
            input.skip(len)?;
        }
        let len = input.varint()?;
        let mut entry = input.sub_reader(len, input.section())?;
        let mut at = start;
        while !entry.is_empty() {
            at = at.saturating_add(entry.varint()?);
            let count = entry.count(1)?;
            let (mut references, mut next) = (Vec::new(), 0u64);
            for _ in 0..count {
                let number = next.saturating_add(entry.varint()?);
                next = number.saturating_add(1);
                references.push(number);
            }
            if at == offset {
                return Ok((count > 0).then_some(references));
            }
        }
        Ok(Some(Vec::new()))
    }

    /// Returns the chunks with symbols of a name, which is a string.
    pub(super) fn chunks_of_name(&self, store: &Store, name: u64) -> Result<Vec<u64>> {
        if name >= self.names.count {
            return Ok(Vec::new());
        }
        let block = self.names.block(store, name)?;
        let mut input = block.reader();
        let mut groups = Vec::new();
        for _ in block.first..=name {
            groups.clear();
            let mut group = 0u64;
            loop {
                let code = input.varint()?;
                group = group.saturating_add(code >> 1);
                groups.push(group);
                if code & 1 == 0 {
                    break;
                }
            }
        }
        Ok(groups)
    }
}

impl TableViews {
    /// Passes the entries of a table with ascending numbers to `each`, as far as the numbers are in
    /// a range.
    ///
    /// `each` reads what follows the number. It is also called for the other entries, with none.
    pub(super) fn numbered(
        &self,
        view: &TableView,
        range: Range<u64>,
        each: &mut dyn FnMut(&mut Reader<'_>, Option<u64>) -> Result<()>,
    ) -> Result<()> {
        let found = view.bisect(&self.store, 0..view.count, |block| {
            Ok(block.reader().varint()?.cmp(&range.start))
        })?;
        let mut next_block = match found {
            Some(block) => block.first,
            None => 0,
        };
        while next_block < view.count {
            let block = view.block(&self.store, next_block)?;
            next_block = block.first.saturating_add(block.count);
            let mut input = block.reader();
            let mut next = 0u64;
            for place in 0..block.count as usize {
                // Only the first of a block is not given by a distance.
                let number = match place {
                    0 => input.varint()?,
                    _ => next.saturating_add(input.varint()?),
                };
                if number >= range.end {
                    return Ok(());
                }
                next = number.saturating_add(1);
                each(&mut input, (number >= range.start).then_some(number))?;
            }
        }
        Ok(())
    }

    /// Passes the entries of a table by segment and number to `each`, as far as they are of the
    /// items in a range of a segment; see [`numbered`](Self::numbered).
    pub(super) fn numbered_in(
        &self,
        view: &TableView,
        segment: u64,
        range: &Range<u64>,
        each: &mut dyn FnMut(&mut Reader<'_>, Option<u64>) -> Result<()>,
    ) -> Result<()> {
        let start = (segment, range.start);
        let found = view.bisect(&self.store, 0..view.count, |block| {
            let mut input = block.reader();
            Ok((input.varint()?, input.varint()?).cmp(&start))
        })?;
        let mut next_block = found.map_or(0, |block| block.first);
        let mut before = (0, 0);
        while next_block < view.count {
            let block = view.block(&self.store, next_block)?;
            next_block = block.first.saturating_add(block.count);
            let mut input = block.reader();
            for place in 0..block.count as usize {
                let read = read_numbered(&mut input, place, &mut before)?;
                if read >= (segment, range.end) {
                    return Ok(());
                }
                each(&mut input, (read >= start).then_some(read.1))?;
            }
        }
        Ok(())
    }
}

/// A sink that skips entries.
struct Over<'v>(&'v TableViews);

impl Sink for Over<'_> {
    fn part(
        &mut self,
        _: &'static str,
        _: Kind,
        _: Option<u64>,
        _: &Reader<'_>,
        _: &Reader<'_>,
    ) -> Result<()> {
        Ok(())
    }

    fn fixed_bytes(&mut self, input: &Reader<'_>, at: u64, ty: u64) -> Result<u64> {
        self.0.fixed_bytes(input, at, ty)
    }
}
