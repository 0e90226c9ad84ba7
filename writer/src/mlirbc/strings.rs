//! Builds the section of strings.

use crate::numbers::Numbers;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use rmlir_format::prefix_varint::write_prefix_varint;
use rmlir_ir::{Context, Identifier};

/// The strings of a file, numbered by first use.
pub(super) struct Strings<'c> {
    context: &'c Context,
    all: Vec<&'c [u8]>,
    numbers: HashMap<&'c [u8], u64, RandomState>,
    of_identifiers: Numbers,
}

impl<'c> Strings<'c> {
    /// Creates an empty table of strings for a module with about `operations` operations.
    pub(super) fn new(context: &'c Context, operations: usize) -> Self {
        Strings {
            context,
            all: Vec::new(),
            numbers: HashMap::default(),
            of_identifiers: Numbers::new(context.identifier_count(), operations),
        }
    }

    pub(super) fn bytes(&mut self, bytes: &'c [u8]) -> u64 {
        let next = self.all.len() as u64;
        let number = *self.numbers.entry(bytes).or_insert(next);
        if number == next {
            self.all.push(bytes);
        }
        number
    }

    pub(super) fn identifier(&mut self, identifier: Identifier) -> u64 {
        let index = identifier.index();
        if let Some(known) = self.of_identifiers.get(index) {
            return known.into();
        }
        let number = self.bytes(self.context.bytes(identifier));
        if let Ok(known) = u32::try_from(number) {
            self.of_identifiers.set(index, known);
        }
        number
    }

    /// Encodes the section: count, sizes with the zero byte from last to first, strings.
    pub(super) fn section(&self) -> Vec<u8> {
        let sizes = self.all.iter().map(|string| string.len() + 5).sum();
        let mut out = Vec::with_capacity(sizes);
        write_prefix_varint(&mut out, self.all.len() as u64);
        for string in self.all.iter().rev() {
            write_prefix_varint(&mut out, string.len() as u64 + 1);
        }
        for string in &self.all {
            out.extend_from_slice(string);
            out.push(0);
        }
        out
    }
}
