//! Fingerprints of operations that are received one after the other, without a module.

use super::entries::{Entries, Hashes, push_bytes, push_varint};
use super::{BLOCK, END, FINGERPRINT_VERSION, Fingerprint, Numbering, OPERATION, PREFIX};
use crate::content_node::ContentNode;
use crate::hash::Hasher;
use crate::{Attribute, Context, OperationName, Type};
use std::fmt;

/// The number of bytes that are buffered before hashing, for each operation that is not ended.
const CHUNK: usize = 16 << 10;
/// The name that symbols have in fingerprints without names.
const NO_NAME: &[u8] = b"_";

/// A value of a [`FingerprintStream`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamedValue {
    /// A number that no other value has until it is [released](FingerprintStream::release). Memory
    /// is linear in the largest one.
    pub slot: u32,
    /// The type.
    pub ty: Type,
}

/// An operation of a [`FingerprintStream`].
#[derive(Clone, Copy, Debug)]
pub struct StreamedOperation<'a> {
    /// The name.
    pub name: OperationName,
    /// The operands.
    pub operands: &'a [StreamedValue],
    /// The results.
    pub results: &'a [StreamedValue],
    /// The dictionary of discardable attributes.
    pub attributes: Option<Attribute>,
    /// The properties.
    pub properties: Option<Attribute>,
    /// The successors: numbers of blocks in the region of the operation.
    pub successors: &'a [u64],
    /// The number of regions.
    pub regions: u64,
}

/// The fingerprints of an operation, without locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamedFingerprints {
    /// That of [`fingerprint`](crate::fingerprint()).
    pub with_names: Fingerprint,
    /// The same after all symbols in the operation, including itself, were given the name `_` where
    /// they are defined.
    pub without_names: Fingerprint,
}

/// Computes fingerprints of operations that are received one after the other, in file order.
///
/// Each equals that of a [`Fingerprinter`](crate::Fingerprinter) on a module. Memory is linear in
/// the types, attributes and affine expressions that were reached, each counted once, and in the
/// values and blocks of open regions for each operation in progress whose fingerprint is wanted.
///
/// ```
/// use rmlir_ir::{
///     Context, FingerprintOptions, FingerprintStream, Module, StreamedOperation, fingerprint,
/// };
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let mut stream = FingerprintStream::default();
/// let operation = StreamedOperation {
///     name: module.name(module.top()),
///     operands: &[],
///     results: &[],
///     attributes: None,
///     properties: module.properties(module.top()),
///     successors: &[],
///     regions: 1,
/// };
/// stream.operation(&context, &operation, true);
/// stream.region(1);
/// stream.block(&context, &[]);
/// stream.end_region();
/// let found = stream.end_operation().unwrap();
/// let options = FingerprintOptions::default();
/// assert_eq!(found.with_names, fingerprint(&context, &module, module.top(), &options));
/// ```
#[derive(Default)]
pub struct FingerprintStream {
    known: Option<Box<Hashes>>,
    /// The operations in progress whose fingerprints are wanted.
    levels: Vec<Level>,
    /// Levels whose memory is used again.
    spare: Vec<Level>,
    /// For each operation in progress: whether its fingerprint is wanted.
    open: Vec<bool>,
    regions: Vec<OpenRegion>,
    /// The number of blocks of open regions.
    blocks: usize,
}

impl fmt::Debug for FingerprintStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FingerprintStream").finish_non_exhaustive()
    }
}

/// A region that is not ended.
struct OpenRegion {
    /// The number of its first block among those of open regions.
    first_block: usize,
    /// The number of blocks that were begun.
    begun: usize,
}

/// An operation in progress whose fingerprint is wanted.
#[derive(Default)]
struct Level {
    hashed: Hashed,
    /// What is hashed without names, from the first symbol on.
    without_names: Option<Hashed>,
    values: Numbering,
    blocks: Numbering,
    /// The hashes of entries with distinct attributes, which are numbered in this operation.
    distinct: Option<Box<Hashes>>,
}

/// Bytes that are hashed.
#[derive(Clone, Default)]
struct Hashed {
    out: Vec<u8>,
    hasher: Hasher,
}

impl Hashed {
    fn flush(&mut self) {
        self.hasher.update(&self.out);
        self.out.clear();
    }

    fn finish(&mut self) -> Fingerprint {
        self.flush();
        let hash = Fingerprint(self.hasher.finalize());
        self.hasher.reset();
        hash
    }
}

/// A symbol: the dictionary that has its name, whether these are the properties, and the key.
#[derive(Clone, Copy)]
struct Symbol<'c> {
    is_property: bool,
    dictionary: Attribute,
    key: &'c [u8],
}

impl FingerprintStream {
    /// Returns the number of operations in progress whose fingerprints are wanted.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Forgets what is memoized of the context: another one has the types and attributes from now
    /// on. Fingerprints in progress are not affected, unless one of them
    /// [numbers distinct attributes](Self::has_distincts).
    pub fn change_context(&mut self) {
        self.known = None;
        for level in &mut self.levels {
            level.distinct = None;
        }
    }

    /// Returns whether a fingerprint in progress numbers distinct attributes. Another context would
    /// have others.
    pub fn has_distincts(&self) -> bool {
        self.levels.iter().any(|level| level.distinct.is_some())
    }

    /// Begins an operation; `is_wanted` if [`end_operation`](Self::end_operation) returns its
    /// fingerprints. The types and attributes belong to `context`, which is the same until it is
    /// [changed](Self::change_context); others may be added to it in between.
    pub fn operation(
        &mut self,
        context: &Context,
        operation: &StreamedOperation<'_>,
        is_wanted: bool,
    ) {
        let region = self.regions.last();
        let first_block = region.map_or(0, |region| region.first_block);
        if region.is_none() {
            // The blocks of an operation that is received alone are not those of its successors.
            let last = operation.successors.iter().max();
            let count = last.map_or(0, |&last| index(last).saturating_add(1));
            self.blocks = self.blocks.max(count);
        }
        self.open.push(is_wanted);
        if is_wanted {
            let mut level = self.spare.pop().unwrap_or_default();
            level.begin();
            self.levels.push(level);
        }
        if self.levels.is_empty() {
            return;
        }
        let mut entries = match self.known.take() {
            Some(known) => Entries::resume(context, known),
            None => Entries::new(context, false),
        };
        let symbol = symbol(context, operation);
        for level in &mut self.levels {
            level.operation(&mut entries, operation, symbol, first_block);
        }
        self.known = Some(entries.into_hashes());
    }

    /// Begins a region of the current operation, with that number of blocks.
    pub fn region(&mut self, blocks: u64) {
        self.regions.push(OpenRegion {
            first_block: self.blocks,
            begun: 0,
        });
        self.blocks = self.blocks.saturating_add(index(blocks));
    }

    /// Begins a block of the current region.
    pub fn block(&mut self, context: &Context, arguments: &[StreamedValue]) {
        let Some(region) = self.regions.last_mut() else {
            return;
        };
        let number = region.first_block.saturating_add(region.begun);
        let is_first = region.begun == 0;
        region.begun = region.begun.saturating_add(1);
        if self.levels.is_empty() {
            return;
        }
        let mut entries = match self.known.take() {
            Some(known) => Entries::resume(context, known),
            None => Entries::new(context, false),
        };
        for level in &mut self.levels {
            let from = level.hashed.out.len();
            if !is_first {
                level.hashed.out.push(END);
            }
            level.hashed.out.push(BLOCK);
            level.blocks.grow(number.saturating_add(1));
            let (number, new) = level.blocks.number(number);
            let out = &mut level.hashed.out;
            push_varint(out, if new { 0 } else { u64::from(number) + 1 });
            push_varint(out, arguments.len() as u64);
            for &argument in arguments {
                level.definition(&mut entries, argument);
            }
            level.copy(from);
        }
        self.known = Some(entries.into_hashes());
    }

    /// Ends a region. Its values are to be [released](Self::release) then.
    pub fn end_region(&mut self) {
        let Some(region) = self.regions.pop() else {
            return;
        };
        for level in &mut self.levels {
            let from = level.hashed.out.len();
            if region.begun > 0 {
                level.hashed.out.push(END);
            }
            level.hashed.out.push(END);
            level.copy(from);
            let blocks = region.first_block..self.blocks;
            // More are not known if none of the rest occurred.
            let known = blocks.end.min(level.blocks.numbers.len());
            (blocks.start..known).for_each(|block| level.blocks.forget(block));
        }
        self.blocks = region.first_block;
    }

    /// Ends the current operation; returns the fingerprints if they are wanted.
    pub fn end_operation(&mut self) -> Option<StreamedFingerprints> {
        if !self.open.pop()? {
            return None;
        }
        let mut level = self.levels.pop()?;
        let with_names = level.hashed.finish();
        let without_names = match &mut level.without_names {
            Some(hashed) => hashed.finish(),
            None => with_names,
        };
        (level.without_names, level.distinct) = (None, None);
        self.spare.push(level);
        Some(StreamedFingerprints {
            with_names,
            without_names,
        })
    }

    /// A value is not used any more: its slot may be that of another one.
    pub fn release(&mut self, slot: u32) {
        for level in &mut self.levels {
            level.values.forget(slot as usize);
        }
    }
}

/// Returns the attribute that names a symbol, as
/// [`Module::symbol_name`](crate::Module::symbol_name) finds it.
fn symbol<'c>(context: &'c Context, operation: &StreamedOperation<'_>) -> Option<Symbol<'c>> {
    let of = context.symbol_attributes(operation.name);
    let key = of.name.as_bytes();
    let dictionaries = [(operation.properties, true), (operation.attributes, false)];
    let (dictionary, value, is_property) =
        dictionaries
            .into_iter()
            .find_map(|(dictionary, is_property)| {
                let dictionary = dictionary?;
                let value = context.dictionary_get(dictionary, key)?;
                Some((dictionary, value, is_property))
            })?;
    context.symbol_string(of, value)?;
    Some(Symbol {
        is_property,
        dictionary,
        key,
    })
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl Level {
    fn begin(&mut self) {
        for numbering in [&mut self.values, &mut self.blocks] {
            // The rest of the numbers is enough for one operation.
            if numbering.next > u32::MAX / 2 {
                *numbering = Numbering::default();
            }
            numbering.restart(0);
        }
        let out = &mut self.hashed.out;
        out.extend_from_slice(PREFIX);
        // Locations are not included.
        out.extend_from_slice(&[FINGERPRINT_VERSION, 0]);
    }

    /// Writes an operation except for its regions.
    fn operation(
        &mut self,
        entries: &mut Entries<'_>,
        operation: &StreamedOperation<'_>,
        symbol: Option<Symbol<'_>>,
        first_block: usize,
    ) {
        let context = entries.context();
        let from = self.hashed.out.len();
        self.hashed.out.push(OPERATION);
        push_bytes(
            &mut self.hashed.out,
            context.operation_name_bytes(operation.name),
        );
        self.length(operation.operands.len());
        for &StreamedValue { slot, ty } in operation.operands {
            let (number, new) = self.number(slot);
            push_varint(&mut self.hashed.out, number.into());
            if new {
                self.entry(entries, ContentNode::Type(ty));
            }
        }
        self.length(operation.results.len());
        for &value in operation.results {
            self.definition(entries, value);
        }
        let empty = context.empty_dictionary();
        self.optional(entries, operation.attributes.filter(|&a| a != empty));
        let attributes_end = self.hashed.out.len();
        self.optional(entries, operation.properties);
        let properties_end = self.hashed.out.len();
        self.length(operation.successors.len());
        for &block in operation.successors {
            let block = first_block.saturating_add(index(block));
            self.blocks.grow(block.saturating_add(1));
            let (number, _) = self.blocks.number(block);
            push_varint(&mut self.hashed.out, number.into());
        }
        push_varint(&mut self.hashed.out, operation.regions);
        if let Some(symbol) = symbol {
            let renamed = self.renamed(entries, symbol);
            let hashed = &self.hashed;
            let without_names = self.without_names.get_or_insert_with(|| Hashed {
                out: hashed.out.get(..from).unwrap_or_default().to_vec(),
                hasher: hashed.hasher.clone(),
            });
            let out = &mut without_names.out;
            out.extend_from_slice(hashed.out.get(from..).unwrap_or_default());
            // The hash is the last thing that was written of the dictionary.
            let end = match symbol.is_property {
                true => properties_end,
                false => attributes_end,
            };
            let place = end.saturating_sub(renamed.len())..end;
            if let Some(place) = out.get_mut(place) {
                place.copy_from_slice(&renamed);
            }
            self.flush();
        } else {
            self.copy(from);
        }
    }

    fn renamed(&mut self, entries: &mut Entries<'_>, symbol: Symbol<'_>) -> [u8; 32] {
        let context = entries.context();
        let dictionary = ContentNode::Attribute(symbol.dictionary);
        if !entries.hash_with_distinct(dictionary).1 {
            return entries.hash_renamed(symbol.dictionary, symbol.key, NO_NAME);
        }
        let mut own = Entries::resume(context, self.distinct.take().unwrap_or_default());
        let hash = own.hash_renamed(symbol.dictionary, symbol.key, NO_NAME);
        self.distinct = Some(own.into_hashes());
        hash
    }

    /// Appends what was written to what is hashed without names.
    #[inline]
    fn copy(&mut self, from: usize) {
        if let Some(without_names) = &mut self.without_names {
            let written = self.hashed.out.get(from..).unwrap_or_default();
            without_names.out.extend_from_slice(written);
        }
        self.flush();
    }

    #[inline]
    fn flush(&mut self) {
        if self.hashed.out.len() >= CHUNK {
            self.hashed.flush();
            if let Some(without_names) = &mut self.without_names {
                without_names.flush();
            }
        }
    }

    fn length(&mut self, length: usize) {
        push_varint(&mut self.hashed.out, length as u64);
    }

    #[inline]
    fn number(&mut self, slot: u32) -> (u32, bool) {
        let slot = slot as usize;
        self.values.grow(slot.saturating_add(1));
        self.values.number(slot)
    }

    fn definition(&mut self, entries: &mut Entries<'_>, value: StreamedValue) {
        let (number, new) = self.number(value.slot);
        push_varint(
            &mut self.hashed.out,
            if new { 0 } else { u64::from(number) + 1 },
        );
        self.entry(entries, ContentNode::Type(value.ty));
    }

    fn optional(&mut self, entries: &mut Entries<'_>, attribute: Option<Attribute>) {
        self.hashed.out.push(u8::from(attribute.is_some()));
        if let Some(attribute) = attribute {
            self.entry(entries, ContentNode::Attribute(attribute));
        }
    }

    #[inline]
    fn entry(&mut self, entries: &mut Entries<'_>, entry: ContentNode) {
        let (mut hash, is_distinct) = entries.hash_with_distinct(entry);
        if is_distinct {
            let known = self.distinct.take().unwrap_or_default();
            let mut own = Entries::resume(entries.context(), known);
            hash = *own.hash(entry);
            self.distinct = Some(own.into_hashes());
        }
        self.hashed.out.extend_from_slice(&hash);
    }
}
