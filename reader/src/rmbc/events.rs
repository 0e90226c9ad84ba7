//! Visits the operations of a file without building a module; see [`crate::events`].
//!
//! Templates are decoded to numbers first. Then one loop decodes operations with a stack of those
//! whose regions are being visited, as the reader of modules does, and with the same checks of
//! structure. Types, attributes and locations are resolved when they are requested. The state of
//! the loop has numbers only, so that a visit can go on with another context.

use super::locations::{LocationStream, State};
use super::name_tables::VisitedNames;
use super::operations::extensions;
use super::segments::Item;
use super::table_views::TableViews;
use super::tables::{Tables, table};
use super::templates::Templates;
use crate::events::{BlockEvent, Dictionaries, EventSource, OperationEvent, ValueId, Visitor};
use crate::lookup::{malformed, placed};
use crate::pause::of_another_visit;
use rmlir_format::rmbc::{region_flag as flag, section};
use rmlir_format::varint::MAX_ONE_BYTE_VARINT;
use rmlir_format::{ProgressCounter, Reader, Result, Source, check_limit};
use rmlir_ir::{Context, Identifier, Location, OperationName, Stretch, Type, WalkResult};
use std::cell::{OnceCell, RefCell};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// An operation template, as numbers.
#[derive(Clone, Copy)]
struct Record {
    name: OperationName,
    operands: u32,
    regions: u32,
    results: u32,
    /// The position of the first result in [`Records::results`].
    first_result: u32,
    signature: u32,
    successors: u32,
    /// The number of attributes stored with each operation.
    inline_values: u32,
    /// The position of the attributes in the bytes of the table.
    values: u32,
    is_inline: bool,
    is_extended: bool,
    /// Whether an operation consists of its template, operands and regions alone, as most do.
    is_short: bool,
}

/// The section of templates, as numbers.
struct Records<'a> {
    templates: Vec<Record>,
    /// 0 or 1 for the type of that operand, or a type plus 2.
    results: Vec<u32>,
    lists: Vec<Range<usize>>,
    list_types: Vec<u32>,
    signatures: Templates,
    /// The data of the table of templates.
    data: Reader<'a>,
}

impl<'a> Records<'a> {
    fn read(tables: &mut Tables<'_>, types: u64, mut input: Reader<'a>) -> Result<Self> {
        let ty = |data: &Reader<'_>, at: u64, number: u64| match u32::try_from(number) {
            Ok(ty) if number < types => Ok(ty),
            _ => {
                let message = format!("type #{number} is not there: there are {types}");
                Err(malformed(data, at, message))
            }
        };
        let (mut lists, mut list_types) = (Vec::new(), Vec::new());
        let (count, mut data, mut offsets) = table(&mut input)?;
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let start = list_types.len();
            for _ in 0..data.count(1)? {
                let at = data.offset();
                let number = data.varint()?;
                list_types.push(ty(&data, at, number)?);
            }
            lists.push(start..list_types.len());
        }
        data.expect_end()?;
        let mut signatures = Templates::default();
        let (count, mut data, mut offsets) = table(&mut input)?;
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let signature = signatures.signature(tables, &mut data)?;
            signatures.signatures.push(signature);
        }
        data.expect_end()?;
        let (count, mut data, mut offsets) = table(&mut input)?;
        let all = data.clone();
        let (mut templates, mut results) = (Vec::with_capacity(count.min(1 << 16)), Vec::new());
        for number in 0..count {
            offsets.begin(number as u64, &data)?;
            let at = data.offset();
            let number = data.varint()?;
            let index = u32::try_from(number).unwrap_or(u32::MAX);
            let Some(signature) = signatures.signatures.get(index as usize) else {
                let message = format!("signature #{number} is not there");
                return Err(malformed(&data, at, message));
            };
            let start = results.len() as u32;
            for _ in 0..signature.results {
                let at = data.offset();
                let code = data.varint()?;
                results.push(match code {
                    0..2 if code < u64::from(signature.operands) => code as u32,
                    0..2 => {
                        let operands = signature.operands;
                        let message =
                            format!("a result has the type of operand {code} of {operands}");
                        return Err(malformed(&data, at, message));
                    }
                    // Tables have less than 2 GiB, so the sum fits.
                    _ => ty(&data, at, code.wrapping_sub(2))?.wrapping_add(2),
                });
            }
            let values = data.position() as u32;
            let stored = signatures.inline_len(index) as u32;
            if !signature.is_inline() {
                (0..stored).try_for_each(|_| data.varint().map(drop))?;
            }
            let (is_inline, is_extended) = (signature.is_inline(), signature.is_extended());
            templates.push(Record {
                name: signature.name,
                operands: signature.operands,
                regions: signature.regions,
                results: signature.results,
                first_result: start,
                signature: index,
                successors: signature.successors,
                inline_values: if is_inline { stored } else { 0 },
                values,
                is_inline,
                is_extended,
                is_short: !is_inline && !is_extended && signature.successors == 0,
            });
        }
        data.expect_end()?;
        input.expect_end()?;
        Ok(Records {
            templates,
            results,
            lists,
            list_types,
            signatures,
            data: all,
        })
    }
}

/// The stream of locations, which is opened when the first location is requested, and read only as
/// far as locations are requested.
struct Places<'a> {
    views: &'a TableViews,
    bytes: &'a EventBytes,
    stream: Option<LocationStream<'a>>,
    /// The number of locations since the last chunk began that are not read, and those of the
    /// chunks before.
    pending: u64,
    before: VecDeque<u64>,
    /// Where the locations of the current event are in the stream, once they were read.
    mark: Option<(usize, State)>,
}

impl Places<'_> {
    /// Begins a chunk.
    fn restart(&mut self) {
        self.before.push_back(std::mem::take(&mut self.pending));
    }

    fn is_used(&self) -> bool {
        self.stream.is_some()
    }

    /// Skips all locations but the last `kept` ones.
    fn catch_up(&mut self, kept: u64) -> Result<()> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let input = self.bytes.location_bytes(self.views)?;
                self.stream.insert(LocationStream::new(input))
            }
        };
        while let Some(count) = self.before.pop_front() {
            stream.skip(count)?;
            stream.restart()?;
        }
        stream.skip(self.pending.saturating_sub(kept))?;
        self.pending = self.pending.min(kept);
        Ok(())
    }

    fn next(&mut self, tables: &mut Tables<'_>) -> Result<Location> {
        self.pending = self.pending.saturating_sub(1);
        match &mut self.stream {
            Some(stream) => stream.next(tables),
            None => Ok(tables.context.unknown_location()),
        }
    }
}

/// An operation whose regions are not all visited yet.
#[derive(Clone, Copy)]
struct Frame {
    regions: u32,
    /// The number of blocks of the current region, and of those that were begun.
    blocks: u64,
    begun: u64,
    /// The number of operations of the current block or chunk that follow the one whose regions are
    /// being visited.
    operations: u64,
    chunks: u64,
    flags: u64,
    has_chunks: Option<bool>,
    is_in_region: bool,
    /// Whether the visitor skips its regions.
    is_skipped: bool,
}

/// The kind of the current event.
struct Current {
    template: usize,
    /// The position of the operation.
    position: usize,
    /// The first result or argument, and their number.
    first: u64,
    count: u32,
    /// The number of the block, if the event is of one.
    block: u64,
    /// The number of locations of the event.
    places: u64,
    /// The position of the attributes, if they are stored with the operation.
    values: Option<usize>,
    dictionaries: Option<Dictionaries>,
    has_locations: bool,
    has_names: bool,
    has_block_name: bool,
}

struct Events<'t, 'c, 'a> {
    tables: &'t mut Tables<'c>,
    records: Records<'a>,
    /// All operations, and those that are not read yet.
    section: Reader<'a>,
    input: Reader<'a>,
    progress: Stretch,
    places: Places<'a>,
    operations_left: u64,
    regions_left: u64,
    blocks_left: u64,
    operands_left: u64,
    value_count: u64,
    /// The types of the values so far.
    value_types: Vec<u32>,
    stack: Vec<Frame>,
    /// Whether the visitor skips what is read.
    is_silent: bool,
    names: VisitedNames<'a>,
    /// The number of blocks so far.
    block_count: u64,
    current: Current,
    operands: Vec<ValueId>,
    successors: Vec<u64>,
    /// Types by number, as far as they were requested.
    known_types: Vec<Option<Type>>,
    /// Dictionaries by template, as far as they were requested.
    known: Vec<Option<Dictionaries>>,
    types: Vec<Type>,
    locations: Vec<Location>,
    value_names: Vec<Option<Identifier>>,
    block_names: Vec<Option<Identifier>>,
}

/// The bytes of the sections that a visit reads.
pub(super) struct EventBytes {
    templates: Source,
    operations: Source,
    /// The locations, once one was requested; `None` in it if the file has none.
    locations: OnceCell<Option<Source>>,
    /// Read when names are requested, since files can be compressed.
    names: OnceCell<Option<Source>>,
    /// The types of values, as far as a visit read them. Others find the same ones.
    value_types: RefCell<Vec<u32>>,
}

/// Where a visit was interrupted: before an operation.
#[derive(Clone)]
pub(crate) struct Paused {
    pub(super) bytes: Rc<EventBytes>,
    /// The position of the operation, and the number of operations that follow one another from it
    /// on.
    position: usize,
    operations: u64,
    operations_left: u64,
    regions_left: u64,
    blocks_left: u64,
    operands_left: u64,
    /// The number of values before it, and of blocks.
    values: usize,
    block_count: u64,
    stack: Vec<Frame>,
    segment: (u64, [u64; 2]),
    /// The state of [`Places`].
    pending: u64,
    before: VecDeque<u64>,
    locations: Option<(usize, State)>,
}

impl EventBytes {
    pub(super) fn read(views: &TableViews) -> Result<Self> {
        let store = &views.store;
        let (Some(templates), Some(operations)) = (
            store.section(section::TEMPLATES),
            store.section(section::OPERATIONS),
        ) else {
            return Err(super::no_operations(store.file_len()));
        };
        Ok(EventBytes {
            templates: templates.all()?,
            operations: operations.all()?,
            locations: OnceCell::new(),
            names: OnceCell::new(),
            value_types: RefCell::default(),
        })
    }

    /// Returns the content of the section of locations, if there is one.
    fn location_bytes(&self, views: &TableViews) -> Result<Option<Reader<'_>>> {
        read_once(&self.locations, views, section::LOCATIONS)
    }

    /// Returns the content of the section of names, if there is one.
    pub(super) fn names(&self, views: &TableViews) -> Result<Option<Reader<'_>>> {
        read_once(&self.names, views, section::NAMES)
    }
}

/// Returns the content of a section, if there is one. It is kept in `known`.
fn read_once<'a>(
    known: &'a OnceCell<Option<Source>>,
    views: &TableViews,
    kind: u16,
) -> Result<Option<Reader<'a>>> {
    let bytes = match known.get() {
        Some(bytes) => bytes,
        None => {
            let section = views.store.section(kind);
            let bytes = section.map(|section| section.all()).transpose()?;
            known.get_or_init(|| bytes)
        }
    };
    let bytes = bytes.as_ref();
    Ok(bytes.map(|bytes| reader(views, kind, bytes)))
}

fn reader<'a>(views: &TableViews, kind: u16, bytes: &'a Source) -> Reader<'a> {
    let section = views.store.section(kind);
    let (offset, name) = section.map_or((0, ""), |section| (section.offset(), section.name()));
    Reader::with_base(bytes, offset, name)
}

/// Visits all operations, or those from a pause on. Returns where the visitor stops. O(templates,
/// operations and operands, and what the visitor requests).
pub(super) fn visit<'a, V: Visitor + ?Sized>(
    views: &'a TableViews,
    tables: &mut Tables<'_>,
    bytes: &'a Rc<EventBytes>,
    progress: &ProgressCounter,
    from: Option<Paused>,
    visitor: &mut V,
) -> Result<Option<Paused>> {
    let templates = reader(views, section::TEMPLATES, &bytes.templates);
    let mut input = reader(views, section::OPERATIONS, &bytes.operations);
    let all = input.clone();
    let start = input.offset();
    let end = start.saturating_add(input.remaining() as u64);
    let (operations, regions) = (input.count(1)? as u64, input.count(1)? as u64);
    let blocks = input.count(1)? as u64;
    let (value_count, operands_left) = (input.varint()?, input.varint()?);
    let records = Records::read(tables, views.type_count, templates)?;
    let expected = usize::try_from(value_count).unwrap_or(usize::MAX);
    let mut value_types = std::mem::take(&mut *bytes.value_types.borrow_mut());
    if from.is_none() {
        value_types.clear();
        value_types.reserve(expected.min(input.remaining()));
    }
    let mut events = Events {
        places: Places {
            views,
            bytes,
            stream: None,
            pending: 0,
            before: VecDeque::new(),
            mark: None,
        },
        current: Current {
            template: 0,
            position: 0,
            first: 0,
            count: 0,
            block: 0,
            places: 0,
            values: None,
            dictionaries: None,
            has_locations: false,
            has_names: false,
            has_block_name: false,
        },
        names: VisitedNames::new(views, bytes),
        block_count: 0,
        tables,
        records,
        section: all,
        input,
        progress: progress.stretch(start..end, views.store.file_len()),
        operations_left: operations,
        regions_left: regions,
        blocks_left: blocks,
        operands_left,
        value_count,
        value_types,
        stack: Vec::new(),
        is_silent: false,
        operands: Vec::new(),
        successors: Vec::new(),
        known_types: Vec::new(),
        known: Vec::new(),
        types: Vec::new(),
        locations: Vec::new(),
        value_names: Vec::new(),
        block_names: Vec::new(),
    };
    let resumed = from.map_or(Ok(1), |paused| events.resume(paused));
    let result = resumed.and_then(|operations| events.run(operations, visitor));
    let paused = result.map(|left| left.map(|left| events.pause(bytes, left)));
    bytes.value_types.replace(events.value_types);
    paused
}

impl<'a> Events<'_, '_, 'a> {
    /// Takes up the state of an interrupted visit. Returns the number of operations that follow one
    /// another from there on.
    fn resume(&mut self, paused: Paused) -> Result<u64> {
        // More are known if another visit was further.
        if self.value_types.len() < paused.values {
            return Err(of_another_visit());
        }
        self.value_types.truncate(paused.values);
        self.input = self.section.clone();
        self.input.skip(paused.position as u64)?;
        self.operations_left = paused.operations_left;
        self.regions_left = paused.regions_left;
        self.blocks_left = paused.blocks_left;
        self.operands_left = paused.operands_left;
        self.block_count = paused.block_count;
        self.stack = paused.stack;
        self.names.resume(paused.segment);
        let places = &mut self.places;
        (places.pending, places.before) = (paused.pending, paused.before);
        if let Some(mark) = paused.locations {
            let input = places.bytes.location_bytes(places.views)?;
            places.stream = Some(LocationStream::from_mark(input, mark)?);
        }
        Ok(paused.operations)
    }

    /// Gives away the state before the current operation, which is read again; `left` follow it.
    fn pause(&mut self, bytes: &Rc<EventBytes>, left: u64) -> Paused {
        let first = usize::try_from(self.current.first).unwrap_or(usize::MAX);
        self.value_types.truncate(first);
        let places = &mut self.places;
        let stream = places.stream.as_ref();
        let (pending, locations) = match self.current.has_locations {
            true => (0, places.mark),
            false => (
                places.pending.saturating_sub(1),
                stream.and_then(LocationStream::mark),
            ),
        };
        let operands = self.operands.len() as u64;
        Paused {
            bytes: Rc::clone(bytes),
            position: self.current.position,
            operations: left.saturating_add(1),
            operations_left: self.operations_left.saturating_add(1),
            regions_left: self.regions_left,
            blocks_left: self.blocks_left,
            operands_left: self.operands_left.saturating_add(operands),
            values: first,
            block_count: self.block_count,
            stack: std::mem::take(&mut self.stack),
            segment: self.names.segment(),
            pending,
            before: std::mem::take(&mut places.before),
            locations,
        }
    }

    /// Visits operations, of which `operations` follow one another first. If the visitor stops,
    /// returns the number of those that follow the current one.
    fn run<V: Visitor + ?Sized>(
        &mut self,
        mut operations: u64,
        visitor: &mut V,
    ) -> Result<Option<u64>> {
        loop {
            while let Some(left) = operations.checked_sub(1) {
                operations = left;
                let (record, walk) = self.operation(visitor)?;
                if walk == WalkResult::Interrupt {
                    return Ok(Some(left));
                }
                if record.regions > 0 {
                    if let Some(frame) = self.stack.last_mut() {
                        frame.operations = left;
                    }
                    self.enter(record.regions, walk == WalkResult::Skip)?;
                    operations = 0;
                } else if !self.is_silent {
                    visitor.end_operation()?;
                }
            }
            let Some(frame) = self.stack.last_mut() else {
                return self.end().map(|()| None);
            };
            if let Some(left) = frame.chunks.checked_sub(1) {
                frame.chunks = left;
                operations = self.chunk()?;
            } else if frame.begun < frame.blocks {
                let is_entry = frame.begun == 0;
                frame.begun = frame.begun.saturating_add(1);
                operations = self.block(is_entry, visitor)?;
            } else {
                if std::mem::take(&mut frame.is_in_region) && !self.is_silent {
                    visitor.end_region()?;
                }
                if let Some(left) = frame.regions.checked_sub(1) {
                    frame.regions = left;
                    self.region(visitor)?;
                } else {
                    if frame.is_skipped {
                        self.is_silent = false;
                    }
                    self.stack.pop();
                    operations = self.stack.last().map_or(0, |frame| frame.operations);
                    if !self.is_silent {
                        visitor.end_operation()?;
                    }
                }
            }
        }
    }

    fn end(&mut self) -> Result<()> {
        self.input.expect_end()?;
        self.progress.end();
        let values = self
            .value_count
            .saturating_sub(self.value_types.len() as u64);
        for (what, left) in [
            ("operations", self.operations_left),
            ("regions", self.regions_left),
            ("blocks", self.blocks_left),
            ("values", values),
            ("operands", self.operands_left),
        ] {
            if left > 0 {
                let message = format!("{left} {what} announced are missing");
                return Err(malformed(&self.input, self.input.offset(), message));
            }
        }
        if self.places.is_used() {
            self.places.catch_up(0)?;
            if let Some(stream) = &self.places.stream {
                stream.expect_end()?;
            }
        }
        Ok(())
    }

    #[cold]
    fn too_many(&self, what: &str) -> rmlir_format::Error {
        let message = format!("there are more {what} than the section announces");
        malformed(&self.input, self.input.offset(), message)
    }

    /// Reads an operation up to its regions.
    #[inline(always)]
    fn operation<V: Visitor + ?Sized>(&mut self, visitor: &mut V) -> Result<(Record, WalkResult)> {
        match self.operations_left.checked_sub(1) {
            Some(left) => self.operations_left = left,
            None => return Err(self.too_many("operations")),
        }
        let position = self.input.position();
        self.progress.at(self.input.offset());
        let number = self.input.varint()?;
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(&record) = self.records.templates.get(index) else {
            return Err(self.no_template(position, number));
        };
        let first = self.value_types.len();
        self.operands.clear();
        if record.operands > 0 {
            self.read_operands(first as u64, record.operands)?;
        }
        match record.results {
            0 => {}
            1 => self.result(position, record.first_result as usize)?,
            _ => self.results(position, record)?,
        }
        self.current.values = None;
        self.successors.clear();
        if !record.is_short {
            self.read_rest(record)?;
        }
        self.places.pending = self.places.pending.saturating_add(1);
        let mut walk = WalkResult::Advance;
        if !self.is_silent {
            self.current.template = index;
            self.current.position = position;
            self.current.first = first as u64;
            self.current.count = record.results;
            self.current.places = 1;
            self.current.dictionaries = None;
            self.current.has_locations = false;
            self.current.has_names = false;
            walk = visitor.operation(&mut OperationEvent {
                name: record.name,
                results: record.results,
                regions: record.regions,
                source: self,
            })?;
        }
        Ok((record, walk))
    }

    #[cold]
    fn no_template(&self, position: usize, number: u64) -> rmlir_format::Error {
        let message = format!("template #{number} is not there");
        malformed(&self.input, self.offset_of(position), message)
    }

    /// Reads what few operations have: attributes of their own, successors and extensions.
    fn read_rest(&mut self, record: Record) -> Result<()> {
        if record.is_inline {
            self.current.values = Some(self.input.position());
            for _ in 0..record.inline_values {
                self.input.varint()?;
            }
        }
        if record.successors > 0 {
            self.read_successors(record.successors)?;
        }
        if record.is_extended {
            extensions(&mut self.input, "an operation")?;
        }
        Ok(())
    }

    fn enter(&mut self, regions: u32, is_skipped: bool) -> Result<()> {
        match self.regions_left.checked_sub(regions.into()) {
            Some(left) => self.regions_left = left,
            None => return Err(self.too_many("regions")),
        }
        self.is_silent |= is_skipped;
        self.stack.push(Frame {
            regions,
            blocks: 0,
            begun: 0,
            operations: 0,
            chunks: 0,
            flags: 0,
            has_chunks: None,
            is_in_region: false,
            is_skipped,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.tables.max_depth);
        placed(&self.input, self.input.offset(), within)
    }

    #[inline]
    fn read_operands(&mut self, next: u64, count: u32) -> Result<()> {
        match self.operands_left.checked_sub(count.into()) {
            Some(left) => self.operands_left = left,
            None => return Err(self.too_many("operands")),
        }
        // Nearly all distances take one byte.
        let bytes = self.input.peek_rest();
        let mut read = 0usize;
        while read < count as usize
            && let Some(&byte) = bytes.get(read)
            && (1..=MAX_ONE_BYTE_VARINT).contains(&byte)
            && let Some(number) = next.checked_sub(byte.into())
        {
            self.operands.push(ValueId(number));
            read = read.wrapping_add(1);
        }
        self.input.skip(read as u64)?;
        match read == count as usize {
            true => Ok(()),
            false => self.read_far_operands(next, count),
        }
    }

    /// Reads operands of which some are far from the operation.
    fn read_far_operands(&mut self, next: u64, count: u32) -> Result<()> {
        let read = self.operands.len();
        for _ in read..count as usize {
            let position = self.input.position();
            let back = self.input.varint()?;
            let number = match next.checked_sub(back) {
                Some(number) if back > 0 => number,
                _ => self.forward(position, next, back)?,
            };
            self.operands.push(ValueId(number));
        }
        Ok(())
    }

    /// Returns the offset in the file of an earlier position of the input. Errors need it.
    #[cold]
    fn offset_of(&self, position: usize) -> u64 {
        let distance = self.input.position().saturating_sub(position);
        self.input.offset().saturating_sub(distance as u64)
    }

    /// Returns the number of a value that is defined later, or an error.
    #[cold]
    fn forward(&mut self, position: usize, next: u64, back: u64) -> Result<u64> {
        let at = self.offset_of(position);
        if back > 0 {
            let message = format!("the value {back} before the next one is not there");
            return Err(malformed(&self.input, at, message));
        }
        let distance = self.input.varint()?;
        let number = next.saturating_add(distance);
        if number >= self.value_count {
            let message = format!("the value {distance} behind the next one is never defined");
            return Err(malformed(&self.input, at, message));
        }
        Ok(number)
    }

    /// Adds the only result of an operation.
    #[inline]
    fn result(&mut self, position: usize, index: usize) -> Result<()> {
        let before = self.value_types.len();
        if before as u64 >= self.value_count {
            return Err(self.too_many("values"));
        }
        if let Some(&code) = self.records.results.get(index) {
            let ty = match code.checked_sub(2) {
                Some(ty) => ty,
                None => self.type_of_operand(position, code, before)?,
            };
            self.value_types.push(ty);
        }
        Ok(())
    }

    fn results(&mut self, position: usize, record: Record) -> Result<()> {
        let first = record.first_result as usize;
        let range = first..first.saturating_add(record.results as usize);
        if let Err(error) = self.tables.budget.spend(range.len() as u64) {
            return placed(&self.input, self.offset_of(position), Err(error));
        }
        let end = (self.value_types.len() as u64).saturating_add(range.len() as u64);
        if end > self.value_count {
            return Err(self.too_many("values"));
        }
        let before = self.value_types.len();
        for index in range {
            let Some(&code) = self.records.results.get(index) else {
                break;
            };
            let ty = match code.checked_sub(2) {
                Some(ty) => ty,
                None => self.type_of_operand(position, code, before)?,
            };
            self.value_types.push(ty);
        }
        Ok(())
    }

    /// Returns the type of an operand, which is one of the first `before` values.
    #[inline]
    fn type_of_operand(&self, position: usize, code: u32, before: usize) -> Result<u32> {
        let operand = self.operands.get(code as usize);
        let value = operand.and_then(|id| usize::try_from(id.0).ok());
        let known = value.filter(|&value| value < before);
        match known.and_then(|value| self.value_types.get(value)) {
            Some(&ty) => Ok(ty),
            None => {
                let message =
                    format!("a result has the type of operand {code}, which is not defined yet");
                Err(malformed(&self.input, self.offset_of(position), message))
            }
        }
    }

    fn read_successors(&mut self, count: u32) -> Result<()> {
        let blocks = self.stack.last().map_or(0, |frame| frame.blocks);
        for _ in 0..count {
            let at = self.input.offset();
            let number = self.input.varint()?;
            if number >= blocks {
                let message = format!("block #{number} is not there: there are {blocks}");
                return Err(malformed(&self.input, at, message));
            }
            self.successors.push(number);
        }
        Ok(())
    }

    /// Begins a chunk, and returns the number of its operations.
    #[cold]
    fn chunk(&mut self) -> Result<u64> {
        self.places.restart();
        if self.places.is_used() {
            self.places.catch_up(0)?;
        }
        let values = self.value_types.len() as u64;
        self.names.begin_segment(values, self.block_count);
        let at = self.input.offset();
        let operations = self.operation_count()?;
        if operations == 0 {
            return Err(malformed(&self.input, at, "a chunk has no operations"));
        }
        Ok(operations)
    }

    fn operation_count(&mut self) -> Result<u64> {
        let at = self.input.offset();
        let operations = self.input.varint()?;
        match operations <= self.operations_left {
            true => Ok(operations),
            false => {
                let message =
                    format!("a block has {operations} operations, more than the section announces");
                Err(malformed(&self.input, at, message))
            }
        }
    }

    fn region<V: Visitor + ?Sized>(&mut self, visitor: &mut V) -> Result<()> {
        let at = self.input.offset();
        let head = self.input.varint()?;
        let blocks = head >> flag::SHIFT;
        match self.blocks_left.checked_sub(blocks) {
            Some(left) => self.blocks_left = left,
            None => return Err(self.too_many("blocks")),
        }
        let is_chunked = head & flag::CHUNKED != 0;
        if blocks == 0 && head & (flag::ARGUMENTS | flag::CHUNKED) != 0 {
            let message = "a region without blocks has no arguments and no chunks";
            return Err(malformed(&self.input, at, message));
        }
        if head & flag::EXTENDED != 0 {
            extensions(&mut self.input, "a region")?;
        }
        if let Some((frame, around)) = self.stack.split_last_mut() {
            (frame.blocks, frame.begun, frame.flags) = (blocks, 0, head);
            frame.is_in_region = true;
            let is_allowed = match frame.has_chunks {
                _ if blocks == 0 => true,
                Some(known) => known == is_chunked,
                None => {
                    frame.has_chunks = Some(is_chunked);
                    !is_chunked
                        || around.last().is_none_or(|around| {
                            around.flags & flag::CHUNKED != 0 && around.operations == 0
                        })
                }
            };
            if !is_allowed {
                let message = "an operation with chunks is not the last one of a chunk, or has \
                               regions without chunks";
                return Err(malformed(&self.input, at, message));
            }
        }
        match self.is_silent {
            true => Ok(()),
            false => visitor.region(blocks),
        }
    }

    /// Begins a block. Returns the number of its operations, 0 if it is divided into chunks.
    fn block<V: Visitor + ?Sized>(&mut self, is_entry: bool, visitor: &mut V) -> Result<u64> {
        let number = self.block_count;
        self.block_count = number.saturating_add(1);
        let flags = self.stack.last().map_or(0, |frame| frame.flags);
        if flags & flag::EXTENDED != 0 {
            extensions(&mut self.input, "a block")?;
        }
        let at = self.input.offset();
        let list = match (is_entry, flags & flag::ARGUMENTS != 0) {
            (true, false) => None,
            (true, true) => Some(self.input.varint()?),
            (false, _) => self.input.varint()?.checked_sub(1),
        };
        let first = self.value_types.len() as u64;
        if let Some(number) = list {
            self.arguments(at, number)?;
        }
        let arguments = (self.value_types.len() as u64).saturating_sub(first);
        self.places.pending = self.places.pending.saturating_add(arguments);
        if !self.is_silent {
            // Values are numbered by 32 bits in memory, and budgeted here.
            let count = u32::try_from(arguments).unwrap_or(u32::MAX);
            self.current.first = first;
            self.current.count = count;
            self.current.places = arguments;
            self.current.block = number;
            self.current.has_locations = false;
            self.current.has_names = false;
            self.current.has_block_name = false;
            visitor.block(&mut BlockEvent {
                arguments: count,
                source: self,
            })?;
        }
        let count = self.operation_count()?;
        if flags & flag::CHUNKED == 0 {
            return Ok(count);
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.chunks = count;
        }
        Ok(0)
    }

    fn arguments(&mut self, at: u64, number: u64) -> Result<()> {
        let list = usize::try_from(number).ok();
        let Some(range) = list.and_then(|list| self.records.lists.get(list)).cloned() else {
            let message = format!("type list #{number} is not there");
            return Err(malformed(&self.input, at, message));
        };
        let spent = self.tables.budget.spend(range.len() as u64);
        placed(&self.input, at, spent)?;
        let end = (self.value_types.len() as u64).saturating_add(range.len() as u64);
        if end > self.value_count {
            return Err(self.too_many("values"));
        }
        let types = self.records.list_types.get(range).unwrap_or_default();
        self.value_types.extend_from_slice(types);
        Ok(())
    }

    fn values_of(&mut self, template: usize) -> Result<Dictionaries> {
        if let Some(&Some(known)) = self.known.get(template) {
            return Ok(known);
        }
        let Some(record) = self.records.templates.get(template) else {
            return Ok((None, None));
        };
        let mut data = self.records.data.clone();
        data.skip(record.values.into())?;
        let signature = record.signature;
        let found = self
            .records
            .signatures
            .inline(self.tables, &mut data, signature)?;
        if self.known.is_empty() {
            self.known = vec![None; self.records.templates.len()];
        }
        if let Some(known) = self.known.get_mut(template) {
            *known = Some(found);
        }
        Ok(found)
    }
}

impl EventSource for Events<'_, '_, '_> {
    fn context(&self) -> &Context {
        self.tables.context
    }

    fn value(&self, number: u32) -> ValueId {
        ValueId(self.current.first.saturating_add(number.into()))
    }

    fn operands(&self) -> &[ValueId] {
        &self.operands
    }

    fn successors(&self) -> &[u64] {
        &self.successors
    }

    fn dictionaries(&mut self) -> Result<Dictionaries> {
        if let Some(known) = self.current.dictionaries {
            return Ok(known);
        }
        let found = match self.current.values {
            None => self.values_of(self.current.template)?,
            Some(position) => {
                let mut values = self.section.clone();
                values.skip(position as u64)?;
                let record = self.records.templates.get(self.current.template);
                let signature = record.map_or(u32::MAX, |record| record.signature);
                let signatures = &self.records.signatures;
                signatures.inline(self.tables, &mut values, signature)?
            }
        };
        self.current.dictionaries = Some(found);
        Ok(found)
    }

    fn types(&mut self) -> Result<&[Type]> {
        self.types.clear();
        let first = usize::try_from(self.current.first).unwrap_or(usize::MAX);
        let end = first.saturating_add(self.current.count as usize);
        for &number in self.value_types.get(first..end).unwrap_or_default() {
            let index = number as usize;
            let ty = match self.known_types.get(index) {
                Some(&Some(ty)) => ty,
                _ => {
                    let ty = self
                        .tables
                        .ty(&self.input, self.input.offset(), number.into())?;
                    if self.known_types.len() <= index {
                        // There are fewer types than bytes in the file.
                        let len = index.saturating_add(1).next_power_of_two();
                        self.known_types.resize(len, None);
                    }
                    if let Some(known) = self.known_types.get_mut(index) {
                        *known = Some(ty);
                    }
                    ty
                }
            };
            self.types.push(ty);
        }
        Ok(&self.types)
    }

    fn locations(&mut self) -> Result<&[Location]> {
        if !self.current.has_locations {
            self.current.has_locations = true;
            self.locations.clear();
            self.places.catch_up(self.current.places)?;
            let stream = self.places.stream.as_ref();
            self.places.mark = stream.and_then(LocationStream::mark);
            for _ in 0..self.current.places {
                let location = self.places.next(self.tables)?;
                self.locations.push(location);
            }
        }
        Ok(&self.locations)
    }

    fn names(&mut self) -> Result<&[Option<Identifier>]> {
        if !self.current.has_names {
            self.current.has_names = true;
            self.value_names.clear();
            let values = (
                Item::Value,
                self.current.first,
                u64::from(self.current.count),
            );
            self.names
                .append(self.tables, values, &mut self.value_names)?;
        }
        Ok(&self.value_names)
    }

    fn block_name(&mut self) -> Result<Option<Identifier>> {
        if !self.current.has_block_name {
            self.current.has_block_name = true;
            self.block_names.clear();
            let block = (Item::Block, self.current.block, 1);
            self.names
                .append(self.tables, block, &mut self.block_names)?;
        }
        Ok(self.block_names.first().copied().flatten())
    }
}
