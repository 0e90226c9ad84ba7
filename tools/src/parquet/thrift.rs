//! Thrift's compact protocol, as far as Parquet's metadata needs it.

/// The type codes of fields and list elements.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure that is being encoded. Fields are written by ascending number.
#[derive(Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: i16,
}

/// Appends an unsigned LEB128 number.
pub(super) fn varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

impl Struct {
    fn field(&mut self, number: i16, ty: u8) -> &mut Vec<u8> {
        let step = number - self.last;
        self.last = number;
        match step {
            1..=15 => self.bytes.push((step as u8) << 4 | ty),
            _ => {
                self.bytes.push(ty);
                varint(zigzag(i64::from(number)), &mut self.bytes);
            }
        }
        &mut self.bytes
    }

    pub(super) fn i32(&mut self, number: i16, value: i32) {
        let bytes = self.field(number, I32);
        varint(zigzag(i64::from(value)), bytes);
    }

    pub(super) fn i64(&mut self, number: i16, value: i64) {
        let bytes = self.field(number, I64);
        varint(zigzag(value), bytes);
    }

    pub(super) fn binary(&mut self, number: i16, value: &[u8]) {
        let bytes = self.field(number, BINARY);
        varint(value.len() as u64, bytes);
        bytes.extend_from_slice(value);
    }

    pub(super) fn structure(&mut self, number: i16, value: Struct) {
        let value = value.finish();
        self.field(number, STRUCT).extend_from_slice(&value);
    }

    fn list(&mut self, number: i16, ty: u8, len: usize) -> &mut Vec<u8> {
        let bytes = self.field(number, LIST);
        match u8::try_from(len) {
            Ok(len @ 0..=14) => bytes.push(len << 4 | ty),
            _ => {
                bytes.push(0xF0 | ty);
                varint(len as u64, bytes);
            }
        }
        bytes
    }

    pub(super) fn i32s(&mut self, number: i16, values: &[i32]) {
        let bytes = self.list(number, I32, values.len());
        for &value in values {
            varint(zigzag(i64::from(value)), bytes);
        }
    }

    pub(super) fn texts(&mut self, number: i16, values: &[String]) {
        let bytes = self.list(number, BINARY, values.len());
        for value in values {
            varint(value.len() as u64, bytes);
            bytes.extend_from_slice(value.as_bytes());
        }
    }

    pub(super) fn structures(
        &mut self,
        number: i16,
        values: impl ExactSizeIterator<Item = Struct>,
    ) {
        let bytes = self.list(number, STRUCT, values.len());
        for value in values {
            bytes.extend_from_slice(&value.finish());
        }
    }

    /// Returns the encoded structure.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}
