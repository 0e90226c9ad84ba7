//! Builds files by hand, and splits files into sections.

use rmlir_format::rmbc::section;
use rmlir_format::varint::write_varint;
use rmlir_format::{Container, ContainerWriter, Limits};

/// The kind, whether it is required, the logarithm of an alignment, and the content.
pub(super) type Part = (u16, bool, Option<u32>, Vec<u8>);
pub(super) type Sections = Vec<Part>;

/// Splits a file into its sections.
pub(super) fn take_apart(bytes: &[u8]) -> Sections {
    let container = Container::parse(bytes, &Limits::default(), section::name).unwrap();
    container
        .sections()
        .map(|s| {
            let bytes = s.bytes().unwrap().into_owned();
            (s.kind(), s.is_required(), s.alignment_log(), bytes)
        })
        .collect()
}

/// Joins sections to a file with correct checksums.
pub(super) fn put_together(sections: &[Part]) -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    writer.set_dictionary(true);
    for (kind, required, alignment, bytes) in sections {
        match (alignment, required) {
            (Some(log), _) => writer.add_aligned(*kind, *log, bytes.as_slice()).unwrap(),
            (None, true) => writer.add_required(*kind, bytes.as_slice()).unwrap(),
            (None, false) => writer.add_optional(*kind, bytes.as_slice()).unwrap(),
        }
    }
    writer.finish()
}

/// A handmade file, from the lists of its sections' entries.
pub(super) struct Raw {
    pub(super) strings: Vec<Vec<u8>>,
    /// Runs of entries of one kind.
    pub(super) entries: Vec<(u8, Vec<Vec<u8>>)>,
    pub(super) lists: Vec<Vec<u8>>,
    pub(super) forms: Vec<Vec<u8>>,
    pub(super) shapes: Vec<Vec<u8>>,
    pub(super) operations: Vec<u8>,
    pub(super) locations: Option<Vec<u8>>,
}

pub(super) fn varint(value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    write_varint(&mut out, value);
    out
}

/// Encodes a table: length, offsets and data.
pub(super) fn table(entries: &[Vec<u8>]) -> Vec<u8> {
    let data = entries.concat();
    let width = match data.len() {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x100_0000 => 3,
        _ => 4,
    };
    let mut offsets = Vec::new();
    let mut end = 0usize;
    for (number, entry) in entries.iter().enumerate() {
        if number > 0 && number % 16 == 0 {
            offsets.extend(&end.to_le_bytes()[..width]);
        }
        end += entry.len();
    }
    [varint(data.len() as u64), offsets, data].concat()
}

pub(super) fn counted(entries: &[Vec<u8>]) -> Vec<u8> {
    [varint(entries.len() as u64), table(entries)].concat()
}

impl Raw {
    /// Returns a file with the string `n`, which names an operation, and one operation without
    /// content.
    pub(super) fn new() -> Self {
        Raw {
            strings: vec![b"n".to_vec()],
            entries: Vec::new(),
            lists: Vec::new(),
            forms: vec![vec![0, 0, 0, 0]],
            shapes: vec![vec![0]],
            operations: vec![1, 0, 0, 0, 0, 0],
            locations: None,
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let strings: Vec<Vec<u8>> = self
            .strings
            .iter()
            .map(|string| match string.len() {
                len @ 0..15 => [vec![len as u8], string.clone()].concat(),
                len => [vec![15], varint(len as u64 - 15), string.clone()].concat(),
            })
            .collect();
        let strings = [
            vec![0],
            varint(strings.len() as u64),
            vec![0],
            table(&strings),
        ]
        .concat();
        let mut entries = varint(self.entries.len() as u64);
        for (tag, run) in &self.entries {
            entries.push(*tag);
            entries.extend(varint(run.len() as u64));
        }
        let all: Vec<Vec<u8>> = self
            .entries
            .iter()
            .flat_map(|(_, run)| run.clone())
            .collect();
        entries.extend(table(&all));
        let shapes = [&self.lists, &self.forms, &self.shapes].map(|list| counted(list));
        let mut sections = vec![
            (section::STRINGS, true, None, strings),
            (section::ENTRIES, true, None, entries),
            (section::TEMPLATES, true, None, shapes.concat()),
            (section::OPERATIONS, true, None, self.operations.clone()),
        ];
        let locations = self.locations.clone();
        sections.extend(locations.map(|bytes| (section::LOCATIONS, true, None, bytes)));
        put_together(&sections)
    }
}

pub(super) fn one(tag: u8, entry: &[u8]) -> (u8, Vec<Vec<u8>>) {
    (tag, vec![entry.to_vec()])
}
