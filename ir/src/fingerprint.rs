//! Fingerprints of an operation's content: equal for equal content, on every machine and in every
//! run, and independent of the file format and of the order of tables.
//!
//! `spec/fingerprint.md` in the repository specifies the hashed bytes. The content is what
//! [`semantic_eq`](crate::semantic_eq) compares; the two are implemented independently.

mod entries;
mod ranges;
mod stream;
#[cfg(test)]
mod tests;

use crate::content_node::ContentNode;
use crate::hash::Hasher;
use crate::{Attribute, Block, Context, Location, Module, Operation, Value};
use entries::{Entries, push_bytes, push_varint};
pub use ranges::RangeTable;
use std::fmt;
pub use stream::{FingerprintStream, StreamedFingerprints, StreamedOperation, StreamedValue};

/// The version of `spec/fingerprint.md` that [`fingerprint`] implements. It is hashed too:
/// fingerprints of different versions never agree.
pub const FINGERPRINT_VERSION: u8 = 1;

/// The prefix of the hashed bytes of a part of an operation.
const PART_PREFIX: &[u8] = b"part of an rmlir fingerprint";
/// The prefix of the hashed bytes, before version and options.
const PREFIX: &[u8] = b"rmlir fingerprint";
/// The prefix of a declaration fingerprint.
const DECLARATION_PREFIX: &[u8] = b"rmlir declaration";
/// The prefix of a fingerprint of several operations.
const LIST_PREFIX: &[u8] = b"rmlir fingerprint of a list";
/// The prefix of a fingerprint with numbered ranges.
const RANGES_PREFIX: &[u8] = b"rmlir fingerprint with ranges";
/// Ends a list of blocks or operations.
const END: u8 = 0;
/// Starts an operation.
const OPERATION: u8 = 1;
/// Starts a block.
const BLOCK: u8 = 2;
/// The number of bytes that are buffered before hashing: enough for BLAKE3 to use the widest
/// instructions.
const CHUNK: usize = 64 << 10;

/// A BLAKE3 hash of content; see [`fingerprint`]. [`Display`](fmt::Display) writes it as 64
/// lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Creates a fingerprint from its stored bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Fingerprint(bytes)
    }

    /// Returns the bytes, for storage.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::hash::Hex(&self.0).fmt(f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Options of a fingerprint. They are hashed too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FingerprintOptions {
    /// Whether to include locations: those of operations and block arguments, and those that are
    /// attributes or inside of them, as in CIRCT's `hw.module`, which otherwise count as unknown.
    pub locations: bool,
}

/// Returns the fingerprint of an operation with everything nested in it.
///
/// Two operations have the same fingerprint exactly when [`semantic_eq`](crate::semantic_eq) holds
/// for them under the same options (except for a collision of BLAKE3). Everything outside of the
/// operation is ignored, except for the types of the outer values that it uses and which of its
/// operands are the same value.
///
/// Time and memory are linear in the operations and in the types, attributes and locations that
/// they reach, each counted once. Nesting of any depth takes no stack. To fingerprint many
/// operations of one context, use a [`Fingerprinter`].
pub fn fingerprint(
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &FingerprintOptions,
) -> Fingerprint {
    Fingerprinter::new(context, options).fingerprint(module, operation)
}

/// Returns the declaration fingerprint of an operation: that of its name, operands, results and
/// attributes, as if its regions were empty.
///
/// Two versions of a function with the same declaration fingerprint look the same to their callers.
/// `spec/fingerprint.md` defines it. Linear in the types, attributes and locations that the
/// operation itself reaches.
///
/// ```
/// use rmlir_ir::{Builder, Context, FingerprintOptions, Module, declaration_fingerprint};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let options = FingerprintOptions::default();
/// let before = declaration_fingerprint(&context, &module, module.top(), &options);
/// Builder::new(&mut context, &mut module).op("test.op").build()?;
/// assert_eq!(declaration_fingerprint(&context, &module, module.top(), &options), before);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub fn declaration_fingerprint(
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &FingerprintOptions,
) -> Fingerprint {
    Fingerprinter::new(context, options).declaration_fingerprint(module, operation)
}

/// Computes fingerprints of many operations, and hashes shared attributes, types and locations only
/// once.
///
/// Each fingerprint equals the result of [`fingerprint`], independent of earlier ones.
pub struct Fingerprinter<'c> {
    entries: Entries<'c>,
    options: FingerprintOptions,
    /// The numbers of ranges, while they are written instead of locations.
    ranges: Option<RangeTable>,
    values: Numbering,
    blocks: Numbering,
    /// The numbers of what occurred, while a fingerprint of a list is computed.
    occurred: Option<Occurred>,
    /// Bytes that are not hashed yet.
    out: Vec<u8>,
    hasher: Hasher,
    steps: Vec<Step>,
    /// All the bytes of the last operation tree, for the worked example of the specification.
    #[cfg(test)]
    recorded: Vec<u8>,
}

/// Numbers of names of operations, types and attributes, which are written instead of what occurs
/// again.
#[derive(Default)]
struct Occurred {
    names: Numbering,
    types: Numbering,
    attributes: Numbering,
}

/// A pending task, on a stack.
enum Step {
    /// This operation of a block and the following ones.
    Operations(Option<Operation>),
    /// This block of a region and the following ones.
    Blocks(Option<Block>),
    /// The regions of an operation, starting with this one.
    Regions(Operation, usize),
}

impl fmt::Debug for Fingerprinter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fingerprinter")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'c> Fingerprinter<'c> {
    /// Creates a fingerprinter for operations whose types and attributes belong to `context`.
    pub fn new(context: &'c Context, options: &FingerprintOptions) -> Self {
        Fingerprinter {
            entries: Entries::new(context, options.locations),
            options: *options,
            ranges: None,
            values: Numbering::default(),
            blocks: Numbering::default(),
            occurred: None,
            out: Vec::new(),
            hasher: Hasher::new(),
            steps: Vec::new(),
            #[cfg(test)]
            recorded: Vec::new(),
        }
    }

    /// Includes locations that are attributes or inside of them even if the locations of operations
    /// are not included. Fingerprints differ from others, and their bytes are not specified.
    #[must_use]
    pub fn with_locations_in_attributes(mut self) -> Self {
        self.entries = Entries::new(self.entries.context(), true);
        self
    }

    /// Returns the fingerprint of an operation with everything nested in it; see [`fingerprint`].
    /// Linear in the number of operations, and of those attributes, types and locations that are
    /// new or reach a distinct attribute.
    pub fn fingerprint(&mut self, module: &Module, operation: Operation) -> Fingerprint {
        self.begin(module, PREFIX);
        self.walk(module, operation);
        self.end_part()
    }

    /// Returns one fingerprint of several operations of a module, in order. It is faster than one
    /// for each: BLAKE3 hashes long inputs with wider instructions, and names, types and attributes
    /// are hashed where they occur first. The bytes are not specified.
    pub(crate) fn fingerprint_of_list(
        &mut self,
        module: &Module,
        operations: impl Iterator<Item = Operation>,
    ) -> Fingerprint {
        self.begin(module, LIST_PREFIX);
        let context = self.entries.context();
        let mut occurred = Occurred::default();
        occurred.names.restart(context.operation_name_count());
        occurred.types.restart(context.type_count());
        occurred.attributes.restart(context.attribute_count());
        self.occurred = Some(occurred);
        for operation in operations {
            self.walk(module, operation);
        }
        self.occurred = None;
        self.end_part()
    }

    /// Returns a fingerprint with locations, in which each range in a file is replaced by its
    /// number in `ranges`; new ranges are added.
    ///
    /// Operations that differ only in their position in a file have the same fingerprint if the
    /// same tables precede them; which of their locations are equal counts, as do names, call
    /// sites, metadata and unknown locations. Locations in attributes count as they are if the
    /// [options](FingerprintOptions::locations) include locations. The bytes are not specified:
    /// versions of this crate may differ. Linear, as [`fingerprint`](Self::fingerprint).
    ///
    /// ```
    /// use rmlir_ir::{Builder, Context, FingerprintOptions, Fingerprinter, Module, RangeTable};
    ///
    /// let mut context = Context::new();
    /// let mut module = Module::new(&mut context);
    /// let file = context.identifier("a.py");
    /// let (first, second) = (context.file_location(file, 3, 7), context.file_location(file, 9, 7));
    /// let mut builder = Builder::new(&mut context, &mut module);
    /// builder.set_location(first);
    /// let one = builder.op("test.op").build()?;
    /// builder.set_location(second);
    /// let other = builder.op("test.op").build()?;
    ///
    /// let mut fingerprinter = Fingerprinter::new(&context, &FingerprintOptions::default());
    /// let (mut ranges, mut others) = (RangeTable::default(), RangeTable::default());
    /// let hash = fingerprinter.fingerprint_with_ranges(&module, one, &mut ranges);
    /// assert_eq!(fingerprinter.fingerprint_with_ranges(&module, other, &mut others), hash);
    /// assert_eq!((ranges.ranges(), others.ranges()), (&[first][..], &[second][..]));
    /// # Ok::<(), rmlir_ir::Invalid>(())
    /// ```
    pub fn fingerprint_with_ranges(
        &mut self,
        module: &Module,
        operation: Operation,
        ranges: &mut RangeTable,
    ) -> Fingerprint {
        self.ranges = Some(std::mem::take(ranges));
        self.begin(module, RANGES_PREFIX);
        self.walk(module, operation);
        let hash = self.end_part();
        *ranges = self.ranges.take().unwrap_or_default();
        hash
    }

    /// Returns the declaration fingerprint of an operation; see [`declaration_fingerprint`].
    pub fn declaration_fingerprint(
        &mut self,
        module: &Module,
        operation: Operation,
    ) -> Fingerprint {
        self.begin(module, DECLARATION_PREFIX);
        let regions = self.operation(module, operation);
        self.out.extend(std::iter::repeat_n(END, regions));
        self.end_part()
    }

    fn begin(&mut self, module: &Module, prefix: &[u8]) {
        self.values.restart(module.value_slots());
        self.blocks.restart(module.block_slots());
        self.hasher.reset();
        self.out.clear();
        self.out.extend_from_slice(prefix);
        self.out.push(FINGERPRINT_VERSION);
        let in_attributes = self.entries.counts_locations();
        self.out
            .push(match (self.options.locations, in_attributes) {
                (false, false) => 0,
                (true, _) => 1,
                (false, true) => 2,
            });
    }

    /// Returns a fingerprint of an operation without its operands' values and the content of its
    /// regions.
    ///
    /// It covers the name, attributes, types of operands and results, and the numbers of successors
    /// and regions. It serves to compare operations one by one; it is not specified and must not be
    /// stored. Linear in the number of operands and results.
    pub fn fingerprint_of_head(&mut self, module: &Module, operation: Operation) -> Fingerprint {
        self.begin_part();
        self.out.push(OPERATION);
        let context = self.entries.context();
        let name = context.operation_name_bytes(module.name(operation));
        push_bytes(&mut self.out, name);
        self.location(module.location(operation));
        self.types(module, module.operands(operation));
        self.types(module, module.results(operation));
        let empty = context.empty_dictionary();
        self.optional(module.attributes(operation).filter(|&a| a != empty));
        self.optional(module.properties(operation));
        push_varint(&mut self.out, module.successors(operation).len() as u64);
        push_varint(&mut self.out, module.regions(operation).len() as u64);
        self.end_part()
    }

    /// Returns a fingerprint of a block's arguments; see
    /// [`fingerprint_of_head`](Self::fingerprint_of_head).
    pub fn fingerprint_of_arguments(&mut self, module: &Module, block: Block) -> Fingerprint {
        self.begin_part();
        self.out.push(BLOCK);
        self.types(module, module.arguments(block).map(|(value, _)| value));
        for (_, location) in module.arguments(block) {
            self.location(location);
        }
        self.end_part()
    }

    fn begin_part(&mut self) {
        self.hasher.reset();
        self.out.clear();
        self.out.extend_from_slice(PART_PREFIX);
    }

    fn end_part(&mut self) -> Fingerprint {
        self.flush();
        self.entries.forget_distincts();
        Fingerprint(self.hasher.finalize())
    }

    fn types(&mut self, module: &Module, values: impl ExactSizeIterator<Item = Value>) {
        push_varint(&mut self.out, values.len() as u64);
        for value in values {
            self.entry(ContentNode::Type(module.value_type(value)));
        }
    }

    /// Writes an operation with everything nested in it, in the order of the text.
    fn walk(&mut self, module: &Module, operation: Operation) {
        self.operation(module, operation);
        self.steps.clear();
        self.steps.push(Step::Regions(operation, 0));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Operations(None) | Step::Blocks(None) => self.out.push(END),
                Step::Operations(Some(operation)) => {
                    self.steps
                        .push(Step::Operations(module.next_operation(operation)));
                    if self.operation(module, operation) > 0 {
                        self.steps.push(Step::Regions(operation, 0));
                    }
                }
                Step::Blocks(Some(block)) => {
                    self.steps.push(Step::Blocks(module.next_block(block)));
                    self.block(module, block);
                    self.steps
                        .push(Step::Operations(module.first_operation(block)));
                }
                Step::Regions(operation, number) => {
                    if let Some(region) = module.region(operation, number) {
                        self.steps.push(Step::Regions(operation, number + 1));
                        self.steps.push(Step::Blocks(module.first_block(region)));
                    }
                }
            }
            if self.out.len() >= CHUNK {
                self.flush();
            }
        }
    }

    /// Writes an operation except for the content of its regions, and returns their number.
    fn operation(&mut self, module: &Module, operation: Operation) -> usize {
        self.out.push(OPERATION);
        let context = self.entries.context();
        let name = module.name(operation);
        let is_known = self.occurred.as_mut().is_some_and(|occurred| {
            let (number, new) = occurred.names.number(name.index());
            push_varint(&mut self.out, number.into());
            !new
        });
        if !is_known {
            push_bytes(&mut self.out, context.operation_name_bytes(name));
        }
        self.location(module.location(operation));
        push_varint(&mut self.out, module.operand_count(operation) as u64);
        for value in module.operands(operation) {
            let (number, new) = self.values.number(value.index());
            push_varint(&mut self.out, number.into());
            if new {
                self.entry(ContentNode::Type(module.value_type(value)));
            }
        }
        push_varint(&mut self.out, module.result_count(operation) as u64);
        for value in module.results(operation) {
            self.definition(module, value);
        }
        let empty = context.empty_dictionary();
        self.optional(module.attributes(operation).filter(|&a| a != empty));
        self.optional(module.properties(operation));
        let successors = module.successors(operation);
        push_varint(&mut self.out, successors.len() as u64);
        for block in successors {
            let (number, _) = self.blocks.number(block.index());
            push_varint(&mut self.out, number.into());
        }
        let regions = module.regions(operation).len();
        push_varint(&mut self.out, regions as u64);
        regions
    }

    /// Writes a block except for its operations.
    fn block(&mut self, module: &Module, block: Block) {
        self.out.push(BLOCK);
        let (number, new) = self.blocks.number(block.index());
        push_varint(&mut self.out, if new { 0 } else { u64::from(number) + 1 });
        let arguments = module.arguments(block);
        push_varint(&mut self.out, arguments.len() as u64);
        for (value, location) in arguments {
            self.definition(module, value);
            self.location(location);
        }
    }

    /// Writes the definition of a value: the earlier use that introduced it, if there was one, and
    /// its type.
    fn definition(&mut self, module: &Module, value: Value) {
        let (number, new) = self.values.number(value.index());
        push_varint(&mut self.out, if new { 0 } else { u64::from(number) + 1 });
        self.entry(ContentNode::Type(module.value_type(value)));
    }

    fn location(&mut self, location: Location) {
        if let Some(ranges) = &mut self.ranges {
            ranges.write(&mut self.entries, location, &mut self.out);
        } else if self.options.locations {
            self.entry(ContentNode::Location(location));
        }
    }

    fn optional(&mut self, attribute: Option<Attribute>) {
        self.out.push(u8::from(attribute.is_some()));
        if let Some(attribute) = attribute {
            self.entry(ContentNode::Attribute(attribute));
        }
    }

    fn entry(&mut self, entry: ContentNode) {
        if let Some(occurred) = &mut self.occurred {
            let number = match entry {
                ContentNode::Type(ty) => Some(occurred.types.number(ty.index())),
                ContentNode::Attribute(one) => Some(occurred.attributes.number(one.index())),
                _ => None,
            };
            if let Some((number, new)) = number {
                push_varint(&mut self.out, number.into());
                if !new {
                    return;
                }
            }
        }
        self.out.extend_from_slice(self.entries.hash(entry));
    }

    /// Hashes the buffered bytes.
    fn flush(&mut self) {
        self.hasher.update(&self.out);
        #[cfg(test)]
        self.recorded.extend_from_slice(&self.out);
        self.out.clear();
    }
}

/// Numbers the items of a module in the order in which they first occur.
#[derive(Debug, Default)]
struct Numbering {
    /// By index: one more than the number counted over all rounds, or 0. The slots are not cleared
    /// between rounds, so that a small operation of a large module is cheap.
    numbers: Vec<u32>,
    /// The first number of this round.
    base: u32,
    next: u32,
}

impl Numbering {
    /// Restarts numbering from 0, for items with indices below `slots`.
    fn restart(&mut self, slots: usize) {
        self.base = self.next;
        if u32::try_from(slots)
            .ok()
            .and_then(|n| n.checked_add(self.base))
            .is_none()
        {
            self.numbers.clear();
            (self.base, self.next) = (0, 0);
        }
        if self.numbers.is_empty() {
            // Zeroed pages are free.
            self.numbers = vec![0; slots];
        } else if self.numbers.len() < slots {
            self.numbers.resize(slots, 0);
        }
    }

    /// Adds slots for items with indices below `slots`.
    #[inline]
    fn grow(&mut self, slots: usize) {
        if self.numbers.len() < slots {
            self.numbers.resize(slots, 0);
        }
    }

    /// Forgets an item, so that its index can be that of another one.
    fn forget(&mut self, index: usize) {
        if let Some(slot) = self.numbers.get_mut(index) {
            *slot = 0;
        }
    }

    /// Returns the number of the item at `index`, and whether this is its first occurrence.
    #[inline]
    fn number(&mut self, index: usize) -> (u32, bool) {
        let Some(slot) = self.numbers.get_mut(index) else {
            return (u32::MAX, true);
        };
        if *slot > self.base {
            return (*slot - self.base - 1, false);
        }
        let number = self.next - self.base;
        self.next += 1;
        *slot = self.next;
        (number, true)
    }
}
