//! `ActionResult` of the Remote Execution API, version 2: the value of an entry on a server.
//!
//! Servers such as bazel-remote check that it parses and that its contents are there. Our record,
//! with the BLAKE3 hashes and the authentication code, is an `Any` in
//! `execution_metadata.auxiliary_metadata`:
//!
//! ```text
//! ActionResult
//!   2 output_files        path, digest { hash: SHA-256, size_bytes }
//!   4 exit_code
//!   9 execution_metadata
//!       11 auxiliary_metadata   type_url: rmlir.cache.v1.Record, value: the text of the record
//! ```

/// The type of our record.
const TYPE: &[u8] = b"type.googleapis.com/rmlir.cache.v1.Record";

/// An output file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileDigest {
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) len: u64,
}

/// The parts of an `ActionResult` that are used here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ActionResult {
    pub(crate) exit: i32,
    pub(crate) files: Vec<FileDigest>,
    pub(crate) record: Option<Vec<u8>>,
}

/// A field: its number, and a number or bytes.
enum Field<'b> {
    Number(u32, u64),
    Bytes(u32, &'b [u8]),
}

/// Iterates over the fields of a message; ends with `None` in it if the message is malformed.
struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, len: u64) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(len).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn field(&mut self) -> Option<Field<'b>> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| *number != 0)?;
        Some(match tag & 7 {
            0 => Field::Number(number, self.varint()?),
            1 => Field::Bytes(number, self.take(8)?),
            2 => {
                let len = self.varint()?;
                Field::Bytes(number, self.take(len)?)
            }
            5 => Field::Bytes(number, self.take(4)?),
            _ => return None,
        })
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Option<Field<'b>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl ActionResult {
    /// Parses a message; `None` if it is malformed. Unknown fields are skipped.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut result = ActionResult::default();
        for field in Fields(bytes) {
            match field? {
                Field::Bytes(2, file) => result.files.push(decode_file(file)?),
                // Negative numbers are extended to 64 bits.
                Field::Number(4, exit) => result.exit = exit as i32,
                Field::Bytes(9, metadata) => {
                    for field in Fields(metadata) {
                        if let Field::Bytes(11, any) = field?
                            && let Some(record) = decode_any(any)?
                        {
                            result.record = Some(record);
                        }
                    }
                }
                _ => {}
            }
        }
        Some(result)
    }

    /// Encodes the message.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for file in &self.files {
            let mut digest = Vec::new();
            bytes_field(&mut digest, 1, file.sha256.as_bytes());
            number_field(&mut digest, 2, file.len);
            let mut message = Vec::new();
            bytes_field(&mut message, 1, file.path.as_bytes());
            bytes_field(&mut message, 2, &digest);
            bytes_field(&mut out, 2, &message);
        }
        number_field(&mut out, 4, i64::from(self.exit) as u64);
        if let Some(record) = &self.record {
            let mut any = Vec::new();
            bytes_field(&mut any, 1, TYPE);
            bytes_field(&mut any, 2, record);
            let mut metadata = Vec::new();
            bytes_field(&mut metadata, 11, &any);
            bytes_field(&mut out, 9, &metadata);
        }
        out
    }
}

fn decode_file(bytes: &[u8]) -> Option<FileDigest> {
    let mut file = FileDigest {
        path: String::new(),
        sha256: String::new(),
        len: 0,
    };
    for field in Fields(bytes) {
        match field? {
            Field::Bytes(1, path) => file.path = String::from_utf8(path.to_vec()).ok()?,
            Field::Bytes(2, digest) => {
                for field in Fields(digest) {
                    match field? {
                        Field::Bytes(1, hash) => {
                            file.sha256 = String::from_utf8(hash.to_vec()).ok()?;
                        }
                        Field::Number(2, len) => file.len = len,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Some(file)
}

fn decode_any(bytes: &[u8]) -> Option<Option<Vec<u8>>> {
    let (mut kind, mut value) = (None, None);
    for field in Fields(bytes) {
        match field? {
            Field::Bytes(1, bytes) => kind = Some(bytes),
            Field::Bytes(2, bytes) => value = Some(bytes.to_vec()),
            _ => {}
        }
    }
    Some(value.filter(|_| kind == Some(TYPE)))
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn number_field(out: &mut Vec<u8>, number: u32, value: u64) {
    if value != 0 {
        varint(out, u64::from(number) << 3);
        varint(out, value);
    }
}

fn bytes_field(out: &mut Vec<u8>, number: u32, bytes: &[u8]) {
    varint(out, u64::from(number) << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_damage() {
        let result = ActionResult {
            exit: -2,
            files: vec![FileDigest {
                path: "out".to_owned(),
                sha256: "ab".repeat(32),
                len: 300,
            }],
            record: Some(b"record".to_vec()),
        };
        let bytes = result.encode();
        assert_eq!(ActionResult::decode(&bytes), Some(result));
        // No panic.
        for at in 0..bytes.len() {
            ActionResult::decode(&bytes[..at]);
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x81;
            ActionResult::decode(&damaged);
        }
        assert_eq!(ActionResult::decode(&[]), Some(ActionResult::default()));
        assert_eq!(ActionResult::decode(&[0xff; 20]), None);
    }

    /// The bytes that `protoc` writes for `exit_code: 7` and one file.
    #[test]
    fn bytes_of_the_encoding() {
        let result = ActionResult {
            exit: 7,
            files: vec![FileDigest {
                path: "a".to_owned(),
                sha256: "f0".to_owned(),
                len: 5,
            }],
            record: None,
        };
        let expected = [
            0x12, 0x0b, 0x0a, 1, b'a', 0x12, 6, 0x0a, 2, b'f', b'0', 0x10, 5, 0x20, 7,
        ];
        assert_eq!(result.encode(), expected);
    }
}
