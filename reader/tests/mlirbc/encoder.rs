//! A minimal encoder of upstream's bytecode, for building sections by hand.

use rmlir_format::mlirbc::{MAGIC, write_section};
use rmlir_format::prefix_varint::{write_prefix_flagged_varint, write_prefix_varint};

/// The bytes of a section.
#[derive(Clone, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Bytes {
    pub(crate) fn new() -> Self {
        Bytes::default()
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn int(mut self, value: u64) -> Self {
        write_prefix_varint(&mut self.0, value);
        self
    }

    pub(crate) fn ints(self, values: &[u64]) -> Self {
        values.iter().fold(self, |bytes, &value| bytes.int(value))
    }

    pub(crate) fn flagged(mut self, value: u64, flag: bool) -> Self {
        write_prefix_flagged_varint(&mut self.0, value, flag);
        self
    }

    pub(crate) fn section(mut self, id: u8, data: &Bytes) -> Self {
        write_section(&mut self.0, 0, id, &data.0, 1);
        self
    }
}

/// An entry of the tables of attributes and types.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) bytes: Vec<u8>,
    pub(crate) private: bool,
}

/// Returns an entry in the encoding of the builtin dialect.
pub(crate) fn private(bytes: Bytes) -> Entry {
    Entry {
        bytes: bytes.0,
        private: true,
    }
}

/// Returns an entry as text.
pub(crate) fn text(text: &str) -> Entry {
    Entry {
        bytes: [text.as_bytes(), &[0]].concat(),
        private: false,
    }
}

/// A file of version 6 with the dialects `builtin` (0) and `t` (1).
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) version: u64,
    pub(crate) strings: Vec<&'static str>,
    /// The names of operations of `t`, as numbers of strings.
    pub(crate) names: Vec<u64>,
    pub(crate) attributes: Vec<Entry>,
    pub(crate) types: Vec<Entry>,
    pub(crate) properties: Vec<Vec<u8>>,
    pub(crate) ir: Bytes,
    /// Keys, sizes and kinds, then the values.
    pub(crate) resources: (Bytes, Bytes),
    /// The bytes that follow the sections.
    pub(crate) tail: Vec<u8>,
}

pub(crate) const BUILTIN: u64 = 0;
/// The string `a`, which is the name of an operation of `t`.
pub(crate) const A: u64 = 2;

impl File {
    /// Returns a file with `"t.a"() : () -> ()` at an unknown location, attribute 0.
    pub(crate) fn new() -> Self {
        File {
            version: 6,
            strings: vec!["builtin", "t", "a"],
            names: vec![A],
            attributes: vec![private(Bytes::new().int(15))],
            types: vec![],
            properties: vec![],
            ir: Bytes::new().flagged(1, false).ints(&[0]).raw(&[0]).int(0),
            resources: (Bytes::new().int(0), Bytes::new()),
            tail: vec![],
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut strings = Bytes::new().int(self.strings.len() as u64);
        for string in self.strings.iter().rev() {
            strings = strings.int(string.len() as u64 + 1);
        }
        for string in &self.strings {
            strings = strings.raw(string.as_bytes()).raw(&[0]);
        }
        let mut dialects = Bytes::new().int(2).flagged(0, false).flagged(1, false);
        if self.version >= 4 {
            dialects = dialects.int(self.names.len() as u64);
        }
        dialects = dialects.int(1);
        dialects = dialects.int(self.names.len() as u64);
        for &name in &self.names {
            dialects = match self.version {
                0..5 => dialects.int(name),
                _ => dialects.flagged(name, false),
            };
        }
        let mut offsets = Bytes::new()
            .int(self.attributes.len() as u64)
            .int(self.types.len() as u64);
        let mut data = Bytes::new();
        for table in [&self.attributes, &self.types] {
            if !table.is_empty() {
                offsets = offsets.int(BUILTIN).int(table.len() as u64);
            }
            for entry in table {
                offsets = offsets.flagged(entry.bytes.len() as u64, entry.private);
                data = data.raw(&entry.bytes);
            }
        }
        let mut properties = Bytes::new().int(self.properties.len() as u64);
        for blob in &self.properties {
            properties = properties.int(blob.len() as u64).raw(blob);
        }
        let file = Bytes(MAGIC.to_vec())
            .int(self.version)
            .raw(b"test\0")
            .section(1, &dialects)
            .section(3, &offsets)
            .section(2, &data)
            .section(4, &self.ir)
            .section(6, &self.resources.0)
            .section(5, &self.resources.1)
            .section(0, &strings);
        let file = match self.version {
            0..5 => file,
            _ => file.section(8, &properties),
        };
        file.raw(&self.tail).0
    }
}
