//! Visits the operations of a file without building a module; see [`crate::events`].
//!
//! The loop is that of the reader of modules. Values are numbers; attributes, types and locations
//! are decoded when they are requested. The state of the loop has numbers only, so that a visit can
//! go on with another context.

use super::index::skip_use_lists;
use super::operations::read_mask;
use super::session::Session;
use crate::events::{BlockEvent, Dictionaries, EventSource, OperationEvent, ValueId, Visitor};
use crate::lookup::{get, lookup, malformed, placed};
use crate::pause::{self, of_another_visit};
use rmlir_format::mlirbc::{operation_mask as mask, read_section, section};
use rmlir_format::{Error, ErrorKind, Input, Result, check_limit};
use rmlir_ir::{AttributeKind, Context, Location, OperationName, Stretch, Type, WalkResult};

/// Visits all operations, or those from a pause on. Returns where the visitor stops. `decide`
/// determines which releases may have written the file, when that matters.
pub(super) fn visit<I: Input>(
    session: &mut Session<'_, '_, I>,
    decide: &dyn Fn() -> Option<Vec<bool>>,
    from: Option<Paused>,
    visitor: &mut dyn Visitor,
) -> Result<Option<pause::Paused>> {
    let input = session.ir.clone();
    let end = input.offset().saturating_add(input.remaining());
    let mut events = Events {
        progress: session.progress(),
        session,
        decide,
        input,
        end,
        values: Vec::new(),
        next_id: 0,
        undefined: 0,
        stack: Vec::new(),
        outside: Vec::new(),
        top_operations: 0,
        has_made: false,
        is_silent: false,
        is_made: false,
        head: Head::default(),
        operands: Vec::new(),
        successors: Vec::new(),
        items: Vec::new(),
        types: Vec::new(),
        locations: Vec::new(),
    };
    let is_over = match from {
        None => events.begin(visitor)? && events.run(visitor)?,
        Some(paused) => {
            events.resume(paused)?;
            events.nested(visitor)? && events.run(visitor)?
        }
    };
    Ok((!is_over).then(|| events.pause()))
}

/// Where a visit was interrupted: before an operation.
#[derive(Clone)]
pub(crate) struct Paused {
    /// The offset of the operation.
    at: u64,
    values: Vec<u64>,
    next_id: u64,
    undefined: u64,
    stack: Vec<Frame>,
    /// The offsets of [`Events::outside`].
    outside: Vec<u64>,
    top_operations: u64,
    has_made: bool,
}

/// The kind of the current event.
#[derive(Clone, Copy, Default)]
struct Head {
    at: u64,
    name_number: u32,
    name: Option<OperationName>,
    attributes: Option<u64>,
    properties: Option<u64>,
    /// The identifier of the first result or argument.
    first: u64,
    regions: u64,
    isolated: bool,
    is_block: bool,
    has_types: bool,
    has_locations: bool,
}

/// An operation whose regions are not all visited yet.
#[derive(Clone, Copy)]
struct Frame {
    regions: u64,
    blocks: u64,
    begun: u64,
    operations: u64,
    /// Where value 0 of the scope is in [`Events::values`].
    scope: usize,
    /// Where the values of the current region begin there.
    values: usize,
    /// Where the next value of the current region goes.
    next_value: usize,
    is_in_region: bool,
    is_skipped: bool,
    /// Whether its regions are a section of their own.
    is_section: bool,
}

struct Events<'s, 'c, 'a, I: Input> {
    session: &'s mut Session<'c, 'a, I>,
    decide: &'s dyn Fn() -> Option<Vec<bool>>,
    input: I,
    progress: Stretch,
    end: u64,
    /// The identifiers of the values of the open regions.
    values: Vec<u64>,
    next_id: u64,
    /// How many values of the open regions were declared and not defined yet.
    undefined: u64,
    stack: Vec<Frame>,
    /// What follows the sections of the operations in the stack.
    outside: Vec<I>,
    /// The number of top-level operations that are not read yet, and whether a module was made
    /// around them.
    top_operations: u64,
    has_made: bool,
    /// Whether the visitor skips what is read.
    is_silent: bool,
    /// Whether the current operation is the module that is made around top-level operations.
    is_made: bool,
    head: Head,
    operands: Vec<ValueId>,
    successors: Vec<u64>,
    /// The numbers of the type and location of each result or argument; of an operation, its own
    /// location is in the first, which has no type.
    items: Vec<(Option<u64>, Option<u64>)>,
    types: Vec<Type>,
    locations: Vec<Location>,
}

impl<I: Input> Events<'_, '_, '_, I> {
    /// Begins a visit of everything. Returns false if the visitor stops.
    fn begin(&mut self, visitor: &mut dyn Visitor) -> Result<bool> {
        let at = self.input.offset();
        let (count, has_arguments) = self.input.prefix_flagged_varint()?;
        if has_arguments {
            let message = "the block of the top-level operations has arguments";
            return Err(malformed(&self.input, at, message));
        }
        self.top_operations = count;
        self.has_made = count != 1;
        Ok(!self.has_made || self.made_module(visitor)?)
    }

    /// Takes up the state of an interrupted visit.
    fn resume(&mut self, paused: Paused) -> Result<()> {
        let to = paused.at.checked_sub(self.input.offset());
        self.input.skip(to.ok_or_else(of_another_visit)?)?;
        for end in paused.outside {
            let len = end.checked_sub(paused.at).ok_or_else(of_another_visit)?;
            let section = self.input.section();
            let inside = self.input.sub_reader(len, section)?;
            self.outside
                .push(std::mem::replace(&mut self.input, inside));
        }
        self.values = paused.values;
        self.stack = paused.stack;
        (self.next_id, self.undefined) = (paused.next_id, paused.undefined);
        (self.top_operations, self.has_made) = (paused.top_operations, paused.has_made);
        Ok(())
    }

    /// Gives away the state before the current operation, which is read again.
    fn pause(&mut self) -> pause::Paused {
        if self.is_made {
            return pause::Paused::Start;
        }
        match self.stack.last_mut() {
            Some(frame) => {
                let results = self.items.len().saturating_sub(1);
                frame.operations = frame.operations.saturating_add(1);
                frame.next_value = frame.next_value.saturating_sub(results);
                self.undefined = self.undefined.saturating_add(results as u64);
            }
            None => self.top_operations = self.top_operations.saturating_add(1),
        }
        pause::Paused::Mlirbc(Box::new(Paused {
            at: self.head.at,
            values: std::mem::take(&mut self.values),
            next_id: self.next_id,
            undefined: self.undefined,
            stack: std::mem::take(&mut self.stack),
            outside: self.outside.iter().map(I::offset).collect(),
            top_operations: self.top_operations,
            has_made: self.has_made,
        }))
    }

    /// Visits the top-level operations that are not read yet. Returns false if the visitor stops.
    fn run(&mut self, visitor: &mut dyn Visitor) -> Result<bool> {
        let module = self.session.tables.context.operation_name("builtin.module");
        while let Some(left) = self.top_operations.checked_sub(1) {
            self.top_operations = left;
            self.read_head()?;
            if !self.has_made && self.head.name != Some(module) {
                self.has_made = true;
                let read = (self.head, std::mem::take(&mut self.operands));
                let items = std::mem::take(&mut self.items);
                let successors = std::mem::take(&mut self.successors);
                if !self.made_module(visitor)? {
                    return Ok(false);
                }
                (self.head, self.operands) = read;
                (self.items, self.successors) = (items, successors);
            }
            if self.result_count() > 0 {
                let message = "a top-level operation has results";
                return Err(malformed(&self.input, self.head.at, message));
            }
            if !self.emit(visitor)? || !self.nested(visitor)? {
                return Ok(false);
            }
        }
        self.input.expect_end()?;
        self.progress.end();
        if self.has_made {
            if self.is_silent {
                self.is_silent = false;
            } else {
                visitor.end_region()?;
            }
            visitor.end_operation()?;
        }
        Ok(true)
    }

    /// Visits the module around top-level operations. Returns false if the visitor stops.
    fn made_module(&mut self, visitor: &mut dyn Visitor) -> Result<bool> {
        let name = self.session.tables.context.operation_name("builtin.module");
        self.head = Head {
            name: Some(name),
            ..Head::default()
        };
        self.operands.clear();
        self.successors.clear();
        self.items.clear();
        self.is_made = true;
        let mut event = OperationEvent {
            name,
            results: 0,
            regions: 1,
            source: self,
        };
        let walk = visitor.operation(&mut event)?;
        if walk == WalkResult::Interrupt {
            return Ok(false);
        }
        if walk == WalkResult::Advance {
            visitor.region(1)?;
            self.head.is_block = true;
            visitor.block(&mut BlockEvent {
                arguments: 0,
                source: self,
            })?;
        }
        self.is_made = false;
        self.is_silent = walk == WalkResult::Skip;
        Ok(true)
    }

    /// Visits what is in the operation that was read last. Returns false if the visitor stops.
    fn nested(&mut self, visitor: &mut dyn Visitor) -> Result<bool> {
        while let Some(frame) = self.stack.last_mut() {
            if let Some(left) = frame.operations.checked_sub(1) {
                frame.operations = left;
                self.read_head()?;
                if !self.emit(visitor)? {
                    return Ok(false);
                }
                continue;
            }
            if frame.begun < frame.blocks {
                frame.begun = frame.begun.saturating_add(1);
                self.block(visitor)?;
                continue;
            }
            if frame.next_value != self.values.len() {
                let missing = self.values.len().saturating_sub(frame.next_value);
                let message = format!("{missing} values that a region declares are not defined");
                return Err(malformed(&self.input, self.input.offset(), message));
            }
            self.values.truncate(frame.values);
            if std::mem::take(&mut frame.is_in_region) && !self.is_silent {
                visitor.end_region()?;
            }
            if let Some(left) = frame.regions.checked_sub(1) {
                frame.regions = left;
                frame.next_value = frame.values;
                self.region(visitor)?;
                continue;
            }
            if frame.is_section {
                self.input.expect_end()?;
                if let Some(outside) = self.outside.pop() {
                    self.input = outside;
                }
            }
            if frame.is_skipped {
                self.is_silent = false;
            }
            self.stack.pop();
            if !self.is_silent {
                visitor.end_operation()?;
            }
        }
        Ok(true)
    }

    fn result_count(&self) -> usize {
        self.items.len().saturating_sub(1)
    }

    /// Reads an operation up to its regions.
    fn read_head(&mut self) -> Result<()> {
        let at = self.input.offset();
        self.progress.at(at);
        let number = self.input.prefix_varint()?;
        let names = &self.session.tables.names;
        let name = lookup(&self.input, at, "operation name", names, number)?.name;
        let flags = read_mask(&mut self.input, self.session.tables.version)?;
        self.head = Head {
            at,
            // There are fewer than 2^32 names.
            name_number: u32::try_from(number).unwrap_or(u32::MAX),
            name: Some(name),
            ..Head::default()
        };
        self.items.clear();
        self.items.push((None, Some(self.input.prefix_varint()?)));
        if flags & mask::ATTRIBUTES != 0 {
            self.head.attributes = Some(self.input.prefix_varint()?);
        }
        if flags & mask::PROPERTIES != 0 {
            self.head.properties = Some(self.input.prefix_varint()?);
        }
        if flags & mask::RESULTS != 0 {
            for _ in 0..self.some("results")? {
                self.items.push((Some(self.input.prefix_varint()?), None));
            }
        }
        self.operands.clear();
        if flags & mask::OPERANDS != 0 {
            let scope = self.stack.last().map_or(0, |frame| frame.scope);
            for _ in 0..self.some("operands")? {
                let at = self.input.offset();
                let number = self.input.prefix_varint()?;
                let place = number.checked_add(scope as u64);
                let Some(id) = place.and_then(|place| get(&self.values, place)) else {
                    let message = format!("value {number} is not declared here");
                    return Err(malformed(&self.input, at, message));
                };
                self.operands.push(ValueId(id));
            }
        }
        self.successors.clear();
        if flags & mask::SUCCESSORS != 0 {
            let blocks = self.stack.last().map_or(0, |frame| frame.blocks);
            for _ in 0..self.some("successors")? {
                let at = self.input.offset();
                let number = self.input.prefix_varint()?;
                if number >= blocks {
                    let message = format!("block #{number} is not there: there are {blocks}");
                    return Err(malformed(&self.input, at, message));
                }
                self.successors.push(number);
            }
        }
        let results = self.result_count();
        if flags & mask::USE_LIST_ORDERS != 0 {
            if results == 0 {
                let message = "orders of use lists where there are no values";
                return Err(malformed(&self.input, self.input.offset(), message));
            }
            skip_use_lists(&mut self.input, results as u64)?;
        }
        if flags & mask::REGIONS != 0 {
            let at = self.input.offset();
            let (count, isolated) = self.input.prefix_flagged_varint()?;
            let most = self.session.tables.max_values_per_op;
            let within = check_limit("regions", count, most).and_then(|()| {
                check_limit("bytes left for regions", count, self.input.remaining())
            });
            placed(&self.input, at, within)?;
            (self.head.regions, self.head.isolated) = (count, isolated);
        }
        if !self.stack.is_empty() {
            self.head.first = self.define(at, results)?;
        }
        Ok(())
    }

    /// Visits the operation that was read last. Returns false if the visitor stops.
    fn emit(&mut self, visitor: &mut dyn Visitor) -> Result<bool> {
        let head = self.head;
        let mut walk = WalkResult::Advance;
        if !self.is_silent
            && let Some(name) = head.name
        {
            walk = visitor.operation(&mut OperationEvent {
                name,
                // Lists of results fit in memory.
                results: u32::try_from(self.result_count()).unwrap_or(u32::MAX),
                regions: u32::try_from(head.regions).unwrap_or(u32::MAX),
                source: self,
            })?;
        }
        if walk == WalkResult::Interrupt {
            return Ok(false);
        }
        let is_over = head.regions == 0 || !self.open(&head, walk == WalkResult::Skip)?;
        if is_over && !self.is_silent {
            visitor.end_operation()?;
        }
        Ok(true)
    }

    /// Enters the regions of an operation. Returns false if they are skipped as a section.
    fn open(&mut self, head: &Head, is_skipped: bool) -> Result<bool> {
        let is_section = head.isolated && self.session.tables.version.has_isolated_sections();
        if is_section {
            let at = self.input.offset();
            let (id, inside) = read_section(&mut self.input)?;
            if id != section::IR {
                let message = format!("section {} stands for regions", inside.section());
                return Err(malformed(&self.input, at, message));
            }
            if is_skipped || self.is_silent {
                return Ok(false);
            }
            self.outside
                .push(std::mem::replace(&mut self.input, inside));
        }
        self.is_silent |= is_skipped;
        let scope = match self.stack.last() {
            Some(frame) if !head.isolated => frame.scope,
            _ => self.values.len(),
        };
        self.stack.push(Frame {
            regions: head.regions,
            blocks: 0,
            begun: 0,
            operations: 0,
            scope,
            values: self.values.len(),
            next_value: self.values.len(),
            is_in_region: false,
            is_skipped,
            is_section,
        });
        let depth = self.stack.len() as u64;
        let within = check_limit("levels of nesting", depth, self.session.tables.max_depth);
        placed(&self.input, head.at, within)?;
        Ok(true)
    }

    /// Reads a number of items that take at least one byte each.
    fn some(&mut self, what: &'static str) -> Result<usize> {
        let at = self.input.offset();
        let count = self.input.prefix_count(1)?;
        let most = self.session.tables.max_values_per_op;
        placed(&self.input, at, check_limit(what, count as u64, most))?;
        Ok(count)
    }

    fn region(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let count = self.input.prefix_count(1)? as u64;
        if count > 0 {
            let at = self.input.offset();
            let values = self.input.prefix_varint()?;
            // Each is an argument or a result that follows, and takes a byte or more.
            let left = self.end.saturating_sub(self.input.offset());
            self.undefined = self.undefined.saturating_add(values);
            let within = check_limit("bytes left for values", self.undefined, left);
            placed(&self.input, at, within)?;
            let next = self.next_id.saturating_add(values);
            self.values.extend(self.next_id..next);
            self.next_id = next;
        }
        if let Some(frame) = self.stack.last_mut() {
            (frame.blocks, frame.begun, frame.is_in_region) = (count, 0, true);
        }
        match self.is_silent {
            true => Ok(()),
            false => visitor.region(count),
        }
    }

    fn block(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let (operations, has_arguments) = self.input.prefix_flagged_varint()?;
        if let Some(frame) = self.stack.last_mut() {
            frame.operations = operations;
        }
        let at = self.input.offset();
        self.head = Head {
            at,
            is_block: true,
            ..Head::default()
        };
        self.items.clear();
        if has_arguments {
            self.arguments(at)?;
        }
        if self.is_silent {
            return Ok(());
        }
        let arguments = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
        visitor.block(&mut BlockEvent {
            arguments,
            source: self,
        })
    }

    fn arguments(&mut self, at: u64) -> Result<()> {
        let version = self.session.tables.version;
        let count = self.input.prefix_count(1)?;
        if count == 0 {
            return Err(malformed(&self.input, at, "a list of no arguments"));
        }
        for _ in 0..count {
            let (ty, has_location) = match version.has_argument_flags() {
                true => self.input.prefix_flagged_varint()?,
                false => (self.input.prefix_varint()?, true),
            };
            let location = match has_location {
                true => Some(self.input.prefix_varint()?),
                false => None,
            };
            self.items.push((Some(ty), location));
        }
        self.head.first = self.define(at, count)?;
        if version.has_use_list_orders() {
            let at = self.input.offset();
            match self.input.u8()? {
                0 => {}
                mask::USE_LIST_ORDERS => skip_use_lists(&mut self.input, count as u64)?,
                byte => {
                    let message = format!("the mask {byte:#04x} of a block has unknown bits");
                    return Err(malformed(&self.input, at, message));
                }
            }
        }
        Ok(())
    }

    /// Defines the next values of the current region. Returns the identifier of the first.
    fn define(&mut self, at: u64, count: usize) -> Result<u64> {
        if count == 0 {
            return Ok(0);
        }
        let frame = self.stack.last_mut();
        let first = frame.and_then(|frame| {
            let end = frame.next_value.saturating_add(count);
            let defined = self.values.get(frame.next_value..end)?;
            frame.next_value = end;
            // The identifiers of a region are consecutive.
            defined.first().copied()
        });
        let Some(first) = first else {
            let message = "a region defines more values than it declares";
            return Err(malformed(&self.input, at, message));
        };
        self.undefined = self.undefined.saturating_sub(count as u64);
        Ok(first)
    }

    /// Decodes the properties. If candidates for the release of the writer differ, the whole file
    /// decides.
    fn properties(&mut self, number: u64) -> Result<Option<rmlir_ir::Attribute>> {
        let key = (self.head.name_number, number);
        let at = self.head.at;
        let Session {
            tables,
            entries,
            properties,
            ..
        } = &mut *self.session;
        let (value, place) = properties.get(tables, entries, &self.input, at, key)?;
        if place.is_none() {
            return Ok(value);
        }
        if let Some(left) = (self.decide)() {
            properties.restrict(&left);
        }
        match properties.get_again(tables, entries, &self.input, at, key)? {
            (value, None) => Ok(value),
            (_, Some(_)) => {
                let name = self.head.name;
                let name = name.map(|name| tables.context.operation_name_bytes(name));
                let message = format!(
                    "the properties of '{}' mean different things in the releases that may have \
                     written the file; say which one did",
                    String::from_utf8_lossy(name.unwrap_or_default())
                );
                let error = Error::at(ErrorKind::Unsupported, at, message);
                Err(error.with_section(self.input.section()))
            }
        }
    }
}

impl<I: Input> EventSource for Events<'_, '_, '_, I> {
    fn context(&self) -> &Context {
        self.session.tables.context
    }

    fn value(&self, number: u32) -> ValueId {
        ValueId(self.head.first.saturating_add(number.into()))
    }

    fn operands(&self) -> &[ValueId] {
        &self.operands
    }

    fn successors(&self) -> &[u64] {
        &self.successors
    }

    fn dictionaries(&mut self) -> Result<Dictionaries> {
        let (false, Some(name)) = (self.is_made, self.head.name) else {
            return Ok((None, None));
        };
        self.session.read_all_blobs()?;
        let at = self.head.at;
        let mut attributes = None;
        if let Some(number) = self.head.attributes {
            let Session {
                tables, entries, ..
            } = &mut *self.session;
            let found = entries.attribute(tables, &self.input, at, number)?;
            let kind = tables.context.attribute_kind(found);
            if !matches!(kind, AttributeKind::Dictionary(_)) {
                let message = "the attributes of an operation are no dictionary";
                return Err(malformed(&self.input, at, message));
            }
            attributes = Some(found).filter(|&a| a != tables.context.empty_dictionary());
        }
        let properties = match self.head.properties {
            Some(number) => self.properties(number)?,
            None => None,
        };
        let normalized = self.session.tables.normalized(name, attributes, properties);
        normalized.map_err(|invalid| malformed(&self.input, at, invalid.message().to_owned()))
    }

    fn types(&mut self) -> Result<&[Type]> {
        if !self.head.has_types {
            self.head.has_types = true;
            self.types.clear();
            let Session {
                tables, entries, ..
            } = &mut *self.session;
            for number in self.items.iter().filter_map(|(ty, _)| *ty) {
                let ty = entries.ty(tables, &self.input, self.head.at, number)?;
                self.types.push(ty);
            }
        }
        Ok(&self.types)
    }

    fn locations(&mut self) -> Result<&[Location]> {
        if !self.head.has_locations {
            self.head.has_locations = true;
            self.locations.clear();
            let Session {
                tables, entries, ..
            } = &mut *self.session;
            let count = match self.head.is_block {
                true => self.items.len(),
                false => 1,
            };
            for (_, number) in self.items.iter().take(count) {
                let location = match *number {
                    Some(number) => entries.location(tables, &self.input, self.head.at, number)?,
                    None => tables.context.unknown_location(),
                };
                self.locations.push(location);
            }
        }
        Ok(&self.locations)
    }
}
