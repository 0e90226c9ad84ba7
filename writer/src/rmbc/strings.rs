//! The table of strings: sorted, each without the prefix that it shares with the preceding one.

use crate::numbers::Numbers;
use rmlir_format::Result;
use rmlir_format::rmbc::preset::{self, first_bytes};
use rmlir_format::rmbc::table::Table;
use rmlir_format::varint::write_varint;
use rmlir_ir::{Context, Identifier};

/// The strings of a file.
#[derive(Default)]
pub(super) struct Strings {
    /// While strings are collected, the position in `list`; then the number in the file.
    numbers: Numbers,
    list: Vec<(Identifier, bool)>,
    /// Numbers of preset strings, ascending; the last ones of the file.
    preset: Vec<u32>,
    symbols: usize,
}

impl Strings {
    /// Creates an empty table of strings for a module with about `operations` operations.
    pub(super) fn new(context: &Context, operations: usize) -> Self {
        Strings {
            numbers: Numbers::new(context.identifier_count(), operations),
            ..Strings::default()
        }
    }

    /// Adds a string to the file.
    #[inline]
    pub(super) fn collect(&mut self, string: Identifier) {
        if self.numbers.get(string.index()).is_none() {
            self.add(string, false);
        }
    }

    /// Adds a string to the file that is the name of an indexed symbol.
    pub(super) fn collect_symbol(&mut self, string: Identifier) {
        match self.numbers.get(string.index()) {
            Some(at) => self.list[at as usize].1 = true,
            None => self.add(string, true),
        }
    }

    fn add(&mut self, string: Identifier, symbol: bool) {
        self.numbers.set(string.index(), self.list.len() as u32);
        self.list.push((string, symbol));
    }

    /// Assigns all numbers: first names of symbols, then other strings, both sorted, then preset
    /// ones.
    pub(super) fn number(&mut self, context: &Context) {
        let mut preset: Vec<(u32, Identifier)> = Vec::new();
        let mut list = std::mem::take(&mut self.list);
        list.retain(|&(string, symbol)| {
            let found = (!symbol)
                .then(|| preset::find(context.bytes(string)))
                .flatten();
            preset.extend(found.map(|number| (number, string)));
            found.is_none()
        });
        // The first bytes distinguish most strings without reading the whole.
        let mut sorted: Vec<(bool, u64, &[u8], Identifier)> = list
            .iter()
            .map(|&(string, symbol)| {
                let bytes = context.bytes(string);
                (!symbol, first_bytes(bytes), bytes, string)
            })
            .collect();
        sorted.sort_unstable();
        list.clear();
        list.extend(
            sorted
                .into_iter()
                .map(|(others, .., string)| (string, !others)),
        );
        self.list = list;
        preset.sort_unstable();
        self.symbols = self.list.iter().filter(|&&(_, symbol)| symbol).count();
        let strings = self.list.iter().map(|&(string, _)| string);
        for (string, number) in strings.chain(preset.iter().map(|&(_, s)| s)).zip(0u32..) {
            self.numbers.set(string.index(), number);
        }
        self.preset = preset.into_iter().map(|(number, _)| number).collect();
    }

    /// Returns the number of a collected string.
    #[inline]
    pub(super) fn get(&self, string: Identifier) -> u64 {
        let number = self.numbers.get(string.index());
        debug_assert!(number.is_some(), "{string:?} was not collected");
        number.unwrap_or_default().into()
    }

    /// Returns whether there are preset strings.
    pub(super) fn has_preset(&self) -> bool {
        !self.preset.is_empty()
    }

    /// Encodes the section; no bytes if there are no strings.
    pub(super) fn finish(&self, context: &Context) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.list.is_empty() && self.preset.is_empty() {
            return Ok(out);
        }
        write_varint(&mut out, self.preset.len() as u64);
        let mut next = 0;
        for &number in &self.preset {
            write_varint(&mut out, u64::from(number - next));
            next = number + 1;
        }
        let mut table = Table::default();
        let mut before: &[u8] = &[];
        for &(string, _) in &self.list {
            if table.at_block() {
                before = &[];
            }
            let bytes = context.bytes(string);
            let shared = before.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            write_string(table.entry(), shared, &bytes[shared..]);
            before = bytes;
        }
        write_varint(&mut out, table.len() as u64);
        write_varint(&mut out, self.symbols as u64);
        table.finish_uncounted(&mut out)?;
        Ok(out)
    }
}

/// Writes two lengths in half a byte each; 15 means that the rest of the length follows.
fn write_string(out: &mut Vec<u8>, shared: usize, rest: &[u8]) {
    let (few_shared, few) = (shared.min(15), rest.len().min(15));
    out.push((few_shared << 4 | few) as u8);
    if few_shared == 15 {
        write_varint(out, (shared - 15) as u64);
    }
    if few == 15 {
        write_varint(out, (rest.len() - 15) as u64);
    }
    out.extend_from_slice(rest);
}
