//! The section of operations, and that of their properties.
//!
//! The regions of an isolated operation are a nested section. Its length is known only when its
//! content is written. So all operations are written consecutively first, and the section headers
//! are inserted at the end.

use super::Output;
use super::numbering::Numbering;
use super::properties::Item;
use super::scopes::Scopes;
use super::strings::Strings;
use super::target::Target;
use super::use_lists;
use crate::numbers::{Numbers, Shared, next};
use crate::passes::one_of_two_passes;
use rmlir_format::Result;
use rmlir_format::mlirbc::{operation_mask as mask, section};
use rmlir_format::prefix_varint::{
    prefix_varint_len, write_prefix_flagged_varint, write_prefix_varint,
};
use rmlir_ir::{Block, Module, Operation, ProgressCounter, Region, WalkStep};

/// Writes the sections of operations and of properties.
pub(super) fn write<'c>(
    (module, progress): (&Module, &ProgressCounter),
    numbering: &Numbering,
    scopes: &Scopes,
    strings: &mut Strings<'c>,
    target: &Target,
) -> Result<(Operations, Vec<u8>)> {
    let mut writer = OperationWriter {
        module,
        numbering,
        scopes,
        strings,
        target,
        out: Vec::with_capacity(module.operation_slots().saturating_mul(12)),
        sections: Vec::new(),
        open: Vec::new(),
        inserted: 0,
        blobs: Shared::default(),
        blob_count: 0,
        blob_bytes: Vec::new(),
        blob_of_place: Numbers::default(),
        blob: Vec::new(),
    };
    // One operation, no arguments.
    write_prefix_flagged_varint(&mut writer.out, 1, false);
    let mut pass = one_of_two_passes(module, progress);
    let mut visited = 0u64;
    for step in module.traverse(module.top()) {
        match step {
            WalkStep::EnterOperation(operation) => {
                writer.operation(operation)?;
                visited = visited.saturating_add(1);
                pass.at(visited);
            }
            WalkStep::LeaveOperation(operation) => writer.leave(operation),
            WalkStep::EnterRegion(region) => writer.region(region),
            WalkStep::EnterBlock(block) => writer.block(block)?,
            WalkStep::LeaveRegion(_) | WalkStep::LeaveBlock(_) => {}
        }
    }
    pass.end();
    let mut properties = Vec::with_capacity(writer.blob_bytes.len() + 9);
    write_prefix_varint(&mut properties, writer.blob_count.into());
    properties.extend_from_slice(&writer.blob_bytes);
    let operations = Operations {
        bytes: writer.out,
        sections: writer.sections,
        inserted: writer.inserted,
    };
    Ok((operations, properties))
}

/// The consecutive bytes of the operations, and the insertion points of section headers.
pub(super) struct Operations {
    bytes: Vec<u8>,
    sections: Vec<Section>,
    /// The length of all headers in bytes.
    inserted: u64,
}

impl Operations {
    /// Returns the number of bytes including all headers.
    pub(super) fn len(&self) -> usize {
        let inserted = usize::try_from(self.inserted).unwrap_or(usize::MAX);
        self.bytes.len().saturating_add(inserted)
    }

    pub(super) fn write_to(&self, out: &mut Output<'_>) -> Result<()> {
        let mut done = 0;
        for &Section { start, len } in &self.sections {
            out.bytes(&self.bytes[done..start])?;
            out.header(section::IR, len, 1)?;
            done = start;
        }
        out.bytes(&self.bytes[done..])
    }
}

/// A section of regions: its start in the consecutive bytes, and its length including insertions.
struct Section {
    start: usize,
    len: u64,
}

struct OperationWriter<'w, 'c> {
    module: &'w Module,
    numbering: &'w Numbering,
    scopes: &'w Scopes,
    strings: &'w mut Strings<'c>,
    target: &'w Target,
    out: Vec<u8>,
    /// In the order of their starts.
    sections: Vec<Section>,
    /// The open sections: their number, and the bytes of headers at their start.
    open: Vec<(usize, u64)>,
    /// The length of the headers of all closed sections in bytes.
    inserted: u64,
    /// The properties in `blob_bytes`, each preceded by its size.
    blobs: Shared,
    blob_count: u32,
    blob_bytes: Vec<u8>,
    /// By position of the properties: their number.
    blob_of_place: Numbers,
    // A reused buffer.
    blob: Vec<u8>,
}

impl OperationWriter<'_, '_> {
    fn varint(&mut self, value: u64) {
        write_prefix_varint(&mut self.out, value);
    }

    fn count(&mut self, count: usize) {
        self.varint(count as u64);
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        let (module, numbers) = (self.module, &self.numbering.numbers);
        let (dictionary, properties) = self.numbering.operations[operation.index()];
        let (results, operands) = (
            module.result_count(operation),
            module.operand_count(operation),
        );
        let (successors, regions) = (module.successors(operation), module.regions(operation));
        let (successors, regions) = (successors.len(), regions.len());
        let use_lists = match self.target.version.has_use_list_orders() && results > 0 {
            true => {
                let values = module.results(operation);
                use_lists::write(module, self.scopes, values, self.target.sorts_use_lists())
            }
            false => None,
        };
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        let flags = flag(dictionary.is_some(), mask::ATTRIBUTES)
            | flag(properties > 0, mask::PROPERTIES)
            | flag(results > 0, mask::RESULTS)
            | flag(operands > 0, mask::OPERANDS)
            | flag(successors > 0, mask::SUCCESSORS)
            | flag(use_lists.is_some(), mask::USE_LIST_ORDERS)
            | flag(regions > 0, mask::REGIONS);
        let name = numbers.name(module.name(operation))?;
        self.varint(name);
        self.out.push(flags);
        let location = numbers.location(module.location(operation))?;
        self.varint(location);
        if let Some(dictionary) = dictionary {
            let number = numbers.attribute(dictionary)?;
            self.varint(number);
        }
        if properties > 0 {
            let number = self.properties(properties)?;
            self.varint(number);
        }
        if results > 0 {
            self.count(results);
            for value in module.results(operation) {
                let number = numbers.ty(module.value_type(value))?;
                self.varint(number);
            }
        }
        if operands > 0 {
            self.count(operands);
            for value in module.operands(operation) {
                self.varint(self.scopes.value(value).into());
            }
        }
        if successors > 0 {
            self.count(successors);
            for block in module.successors(operation) {
                self.varint(self.scopes.block(block).into());
            }
        }
        if let Some(use_lists) = use_lists {
            self.out.extend_from_slice(&use_lists);
        }
        if regions > 0 {
            let isolated = self.scopes.is_isolated(operation);
            write_prefix_flagged_varint(&mut self.out, regions as u64, isolated);
            if self.has_section(operation) {
                self.open.push((self.sections.len(), self.inserted));
                self.sections.push(Section {
                    start: self.out.len(),
                    len: 0,
                });
            }
        }
        Ok(())
    }

    /// Returns whether the regions of an operation are in a section of their own.
    fn has_section(&self, operation: Operation) -> bool {
        self.target.version.has_isolated_sections()
            && self.module.region(operation, 0).is_some()
            && self.scopes.is_isolated(operation)
    }

    fn leave(&mut self, operation: Operation) {
        if !self.has_section(operation) {
            return;
        }
        let Some((number, before)) = self.open.pop() else {
            return;
        };
        let section = &mut self.sections[number];
        let own = (self.out.len() - section.start) as u64;
        section.len = own + (self.inserted - before);
        self.inserted += 1 + prefix_varint_len(section.len) as u64;
    }

    fn region(&mut self, region: Region) {
        let count = self.module.blocks(region).count();
        self.count(count);
        if count > 0 {
            self.varint(self.scopes.value_count(region).into());
        }
    }

    fn block(&mut self, block: Block) -> Result<()> {
        let module = self.module;
        let operations = self.scopes.operation_count(block);
        let arguments = module.argument_count(block);
        write_prefix_flagged_varint(&mut self.out, operations.into(), arguments > 0);
        if arguments == 0 {
            return Ok(());
        }
        self.count(arguments);
        for (value, location) in module.arguments(block) {
            let ty = self.numbering.numbers.ty(module.value_type(value))?;
            let number = self.numbering.numbers.location(location)?;
            if !self.target.version.has_argument_flags() {
                self.varint(ty);
                self.varint(number);
                continue;
            }
            let has_location = !self.numbering.numbers.is_unknown(location);
            write_prefix_flagged_varint(&mut self.out, ty, has_location);
            if has_location {
                self.varint(number);
            }
        }
        if self.target.version.has_use_list_orders() {
            let values: Vec<_> = module.arguments(block).map(|argument| argument.0).collect();
            let sorted = self.target.sorts_use_lists();
            let use_lists = use_lists::write(module, self.scopes, values.into_iter(), sorted);
            self.out.push(match use_lists {
                Some(_) => mask::USE_LIST_ORDERS,
                None => 0,
            });
            self.out.extend_from_slice(&use_lists.unwrap_or_default());
        }
        Ok(())
    }

    /// Returns the number of the properties at a position.
    fn properties(&mut self, place: u32) -> Result<u64> {
        let slot = place as usize;
        if let Some(known) = self.blob_of_place.get(slot) {
            return Ok(known.into());
        }
        let numbers = &self.numbering.numbers;
        self.blob.clear();
        for at in self.numbering.properties.items(place) {
            match self.numbering.properties.item(at) {
                Item::Attribute {
                    attribute,
                    optional,
                } => {
                    let number = numbers.attribute(attribute)?;
                    match optional {
                        true => write_prefix_flagged_varint(&mut self.blob, number, true),
                        false => write_prefix_varint(&mut self.blob, number),
                    }
                }
                Item::Varint(value) => write_prefix_varint(&mut self.blob, value),
                Item::Byte(byte) => self.blob.push(byte),
                Item::String(string) => {
                    let number = self.strings.identifier(string);
                    write_prefix_varint(&mut self.blob, number);
                }
            }
        }
        let start = self.blob_bytes.len();
        write_prefix_varint(&mut self.blob_bytes, self.blob.len() as u64);
        self.blob_bytes.extend_from_slice(&self.blob);
        let number = self
            .blobs
            .find_or_add(&self.blob_bytes, start, self.blob_count);
        match number == self.blob_count {
            true => self.blob_count = next(number)?,
            false => self.blob_bytes.truncate(start),
        }
        self.blob_of_place.set(slot, number);
        Ok(number.into())
    }
}
