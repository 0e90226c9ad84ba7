//! A column chunk: the values of a leaf in a row group, and its pages.

use super::encoding::{bit_width, pack_bits, run_lengths};
use super::footer::{ChunkMetadata, Encoding, PageKind, page_header};
use super::{Leaf, Nesting, Physical};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ListArray, MapArray};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of rows of a page.
const PAGE_ROWS: usize = 20_000;

/// The compression level of zstd.
const LEVEL: i32 = 3;

/// The longest texts that statistics have.
const STATISTICS_LEN: usize = 256;

/// The columns of a batch are not those of the schema.
pub(super) fn mismatch() -> io::Error {
    io::Error::other("the columns of a batch are not those of the schema")
}

/// Texts, each different one stored once.
#[derive(Default)]
struct Texts {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    /// The numbers of the values.
    values: Vec<u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        // A row group has fewer texts than its memory has bytes.
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// Whether a dictionary takes less than half of the bytes of plain values.
    fn is_repetitive(&self) -> bool {
        let dictionary: usize = self.texts.iter().map(|text| text.len() + 4).sum();
        let plain = self.values.iter().filter_map(|&number| self.get(number));
        dictionary > 0 && dictionary * 2 <= plain.map(|text| text.len() + 4).sum()
    }

    fn get(&self, number: u32) -> Option<&str> {
        self.texts.get(number as usize).map(|text| &**text)
    }
}

/// The values of a leaf, without nulls.
enum Values {
    Boolean(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Text(Texts),
}

fn plain_text(text: &str, bytes: &mut Vec<u8>) {
    // Arrow's arrays have at most 2 GB.
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

impl Values {
    fn new(physical: Physical) -> Self {
        match physical {
            Physical::Boolean => Values::Boolean(Vec::new()),
            Physical::Int32 => Values::Int32(Vec::new()),
            Physical::Int64 => Values::Int64(Vec::new()),
            Physical::Text => Values::Text(Texts::default()),
        }
    }

    /// Appends the values in a range that are not null.
    fn append(&mut self, array: &dyn Array, range: Range<usize>) -> io::Result<()> {
        let all = range.filter(|&index| array.is_valid(index));
        match self {
            Values::Boolean(values) => {
                let array = array.as_boolean_opt().ok_or_else(mismatch)?;
                values.extend(all.map(|index| array.value(index)));
            }
            Values::Int32(values) => {
                let array = array.as_primitive_opt::<Int32Type>().ok_or_else(mismatch)?;
                values.extend(all.map(|index| array.value(index)));
            }
            Values::Int64(values) => {
                let array = array.as_primitive_opt::<Int64Type>().ok_or_else(mismatch)?;
                values.extend(all.map(|index| array.value(index)));
            }
            Values::Text(texts) => match array.as_dictionary_opt::<Int32Type>() {
                Some(array) => {
                    let words = array.values().as_string_opt::<i32>().ok_or_else(mismatch)?;
                    // Each word of the batch is looked up once.
                    let mut numbers: Vec<Option<u32>> = vec![None; words.len()];
                    for index in all {
                        let word = array.keys().value(index) as usize;
                        let number = numbers.get_mut(word).ok_or_else(mismatch)?;
                        let number = match *number {
                            Some(number) => number,
                            None => *number.insert(texts.number(words.value(word))),
                        };
                        texts.values.push(number);
                    }
                }
                None => {
                    let array = array.as_string_opt::<i32>().ok_or_else(mismatch)?;
                    for index in all {
                        let number = texts.number(array.value(index));
                        texts.values.push(number);
                    }
                }
            },
        }
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            Values::Boolean(values) => values.len(),
            Values::Int32(values) => values.len(),
            Values::Int64(values) => values.len(),
            Values::Text(texts) => texts.values.len(),
        }
    }

    /// Returns the page with the dictionary, if one is worth it, and the number of its values.
    fn dictionary(&self) -> Option<(Vec<u8>, usize)> {
        match self {
            Values::Text(texts) if texts.is_repetitive() => {
                let mut bytes = Vec::new();
                for text in &texts.texts {
                    plain_text(text, &mut bytes);
                }
                Some((bytes, texts.texts.len()))
            }
            _ => None,
        }
    }

    /// Appends the values in a range, as the content of a page.
    fn encode(&self, range: Range<usize>, has_dictionary: bool, bytes: &mut Vec<u8>) {
        match self {
            Values::Boolean(values) => {
                let values = values.get(range).unwrap_or_default();
                pack_bits(values.iter().map(|&value| u32::from(value)), 1, bytes);
            }
            Values::Int32(values) => {
                let values = values.get(range).unwrap_or_default();
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Values::Int64(values) => {
                let values = values.get(range).unwrap_or_default();
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Values::Text(texts) => {
                let values = texts.values.get(range).unwrap_or_default();
                if has_dictionary {
                    let width = bit_width(texts.texts.len() as u32 - 1).max(1);
                    bytes.push(width as u8);
                    run_lengths(values.iter().copied(), width, bytes);
                } else {
                    for text in values.iter().filter_map(|&number| texts.get(number)) {
                        plain_text(text, bytes);
                    }
                }
            }
        }
    }

    /// Returns the least and the greatest value, as plain bytes without a length.
    fn bounds(&self) -> Option<[Vec<u8>; 2]> {
        match self {
            Values::Boolean(values) => {
                let bounds = [values.iter().min()?, values.iter().max()?];
                Some(bounds.map(|&value| vec![u8::from(value)]))
            }
            Values::Int32(values) => {
                let bounds = [values.iter().min()?, values.iter().max()?];
                Some(bounds.map(|value| value.to_le_bytes().to_vec()))
            }
            Values::Int64(values) => {
                let bounds = [values.iter().min()?, values.iter().max()?];
                Some(bounds.map(|value| value.to_le_bytes().to_vec()))
            }
            Values::Text(texts) => {
                // The order is that of the bytes, as in Rust.
                let bounds = [texts.texts.iter().min()?, texts.texts.iter().max()?];
                let are_short = bounds.iter().all(|text| text.len() <= STATISTICS_LEN);
                are_short.then(|| bounds.map(|text| text.as_bytes().to_vec()))
            }
        }
    }
}

/// A column chunk that is being collected.
pub(super) struct Chunk {
    values: Values,
    /// A level for each value, null or empty list.
    definition: Vec<u8>,
    /// Of repeated leaves: 0 for the first element of a row, otherwise 1.
    repetition: Vec<u8>,
}

impl Chunk {
    pub(super) fn new(leaf: &Leaf) -> Self {
        Chunk {
            values: Values::new(leaf.physical),
            definition: Vec::new(),
            repetition: Vec::new(),
        }
    }

    /// Appends the rows of a column.
    pub(super) fn append(&mut self, leaf: &Leaf, column: &dyn Array) -> io::Result<()> {
        let present = leaf.max_definition();
        if leaf.nesting == Nesting::Flat {
            let levels = (0..column.len()).map(|row| match column.is_valid(row) {
                true => present,
                false => 0,
            });
            self.definition.extend(levels);
            return self.values.append(column, 0..column.len());
        }
        let (offsets, elements) = match leaf.nesting {
            Nesting::Key | Nesting::Value => {
                let map: &MapArray = column.as_map_opt().ok_or_else(mismatch)?;
                let is_key = leaf.nesting == Nesting::Key;
                (
                    map.offsets(),
                    if is_key { map.keys() } else { map.values() },
                )
            }
            _ => {
                let list: &ListArray = column.as_list_opt::<i32>().ok_or_else(mismatch)?;
                (list.offsets(), list.values())
            }
        };
        // The elements up to here are appended, or hidden by a null.
        let mut appended = offsets.iter().next().map_or(0, |&start| start as usize);
        let mut last = appended;
        for (row, ends) in offsets.windows(2).enumerate() {
            let &[start, end] = ends else { continue };
            let range = start as usize..end as usize;
            last = range.end;
            // A row without elements has a level alone: of a null, or of an empty list.
            if column.is_null(row) || range.is_empty() {
                if !range.is_empty() {
                    self.values
                        .append(elements.as_ref(), appended..range.start)?;
                    appended = range.end;
                }
                let level = leaf.is_optional && column.is_valid(row);
                self.definition.push(u8::from(level));
                self.repetition.push(0);
                continue;
            }
            self.definition.extend(range.clone().map(|index| {
                present - u8::from(leaf.is_inner_optional && elements.is_null(index))
            }));
            self.repetition.push(0);
            self.repetition.extend(range.clone().skip(1).map(|_| 1));
        }
        self.values.append(elements.as_ref(), appended..last)
    }

    /// Returns the pages, and the metadata of the chunk at this offset in the file.
    pub(super) fn finish(self, leaf: &Leaf, offset: u64) -> io::Result<(Vec<u8>, ChunkMetadata)> {
        let mut pages = Pages::default();
        let dictionary = self.values.dictionary();
        if let Some((bytes, len)) = &dictionary {
            pages.add(PageKind::Dictionary, *len, bytes)?;
        }
        let data_offset = offset + pages.bytes.len() as u64;
        let encoding = match dictionary {
            Some(_) => Encoding::Dictionary,
            None => Encoding::Plain,
        };
        let max_definition = leaf.max_definition();
        let mut levels = 0;
        let mut values = 0;
        while levels < self.definition.len() {
            let end = self.page_end(levels);
            let definition = self.definition.get(levels..end).unwrap_or_default();
            let mut content = Vec::new();
            if leaf.is_repeated() {
                let repetition = self.repetition.get(levels..end).unwrap_or_default();
                append_levels(repetition, 1, &mut content)?;
            }
            if max_definition > 0 {
                append_levels(definition, max_definition, &mut content)?;
            }
            let present = definition.iter().filter(|&&level| level == max_definition);
            let last = values + present.count();
            self.values
                .encode(values..last, dictionary.is_some(), &mut content);
            pages.add(PageKind::Data(encoding), end - levels, &content)?;
            levels = end;
            values = last;
        }
        let metadata = ChunkMetadata {
            encoding,
            levels: self.definition.len(),
            uncompressed: pages.uncompressed,
            compressed: pages.bytes.len() as u64,
            data_offset,
            dictionary_offset: dictionary.map(|_| offset),
            nulls: self.definition.len() - self.values.len(),
            // Of lists and maps, readers use none.
            bounds: self.values.bounds().filter(|_| !leaf.is_repeated()),
        };
        Ok((pages.bytes, metadata))
    }

    /// Returns the end of the page that begins at a level. A row is never divided.
    fn page_end(&self, start: usize) -> usize {
        let len = self.definition.len();
        if self.repetition.is_empty() {
            return (start + PAGE_ROWS).min(len);
        }
        let rest = self.repetition.get(start..).unwrap_or_default();
        let mut rows = rest.iter().enumerate().filter(|(_, level)| **level == 0);
        rows.nth(PAGE_ROWS).map_or(len, |(index, _)| start + index)
    }
}

/// Appends levels, preceded by the length of their encoding.
fn append_levels(levels: &[u8], max: u8, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut encoded = Vec::new();
    let width = bit_width(u32::from(max));
    run_lengths(
        levels.iter().map(|&level| u32::from(level)),
        width,
        &mut encoded,
    );
    let len = u32::try_from(encoded.len()).map_err(|_| too_large())?;
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(&encoded);
    Ok(())
}

fn too_large() -> io::Error {
    io::Error::other("a page of the Parquet file would have 2 GB or more")
}

/// The pages of a chunk.
#[derive(Default)]
struct Pages {
    bytes: Vec<u8>,
    /// The size of the pages if they were not compressed.
    uncompressed: u64,
}

impl Pages {
    fn add(&mut self, kind: PageKind, values: usize, content: &[u8]) -> io::Result<()> {
        let mut compressed = vec![0; zstd_safe::compress_bound(content.len())];
        let len = zstd_safe::compress(compressed.as_mut_slice(), content, LEVEL)
            .map_err(|code| io::Error::other(zstd_safe::get_error_name(code)))?;
        compressed.truncate(len);
        let size = |len: usize| i32::try_from(len).map_err(|_| too_large());
        let sizes = [size(content.len())?, size(compressed.len())?];
        let header = page_header(kind, size(values)?, sizes);
        self.uncompressed += (header.len() + content.len()) as u64;
        self.bytes.extend_from_slice(&header);
        self.bytes.extend_from_slice(&compressed);
        Ok(())
    }
}
