//! Reads compressed input, with a limit on its size.

use crate::Failure;
use std::io::Read;
use zstd_safe::{DCtx, InBuffer, OutBuffer};

/// A compression that is undone while reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

/// The number of bytes that are decompressed at once.
const BLOCK: usize = 1 << 17;

impl Compression {
    /// Recognizes compressed bytes by their first ones.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, 8, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// Returns the name, as of a container.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }

    /// Decompresses the bytes of the input `name`, at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// If they are damaged or take more bytes.
    pub fn decompress(self, bytes: &[u8], limit: u64, name: &str) -> Result<Vec<u8>, Failure> {
        let result = match self {
            Compression::Gzip => gzip(bytes, limit),
            Compression::Zstd => zstd(bytes, limit),
        };
        result.map_err(|problem| {
            let reason = match problem {
                Problem::Damaged(reason) => format!("the {} data is damaged: {reason}", self.name()),
                Problem::Large => format!(
                    "the {} data is larger than {limit} bytes; '--max-decompressed' raises the limit",
                    self.name()
                ),
            };
            Failure::Input(format!("{name}: error: {reason}"))
        })
    }
}

enum Problem {
    Damaged(String),
    Large,
}

fn gzip(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(bytes);
    let read = decoder.take(limit.saturating_add(1)).read_to_end(&mut out);
    read.map_err(|error| Problem::Damaged(error.to_string()))?;
    match out.len() as u64 > limit {
        true => Err(Problem::Large),
        false => Ok(out),
    }
}

fn zstd(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Problem> {
    let mut out: Vec<u8> = Vec::new();
    let mut block = vec![0; BLOCK];
    let mut context = DCtx::create();
    let mut input = InBuffer::around(bytes);
    loop {
        let mut output = OutBuffer::around(block.as_mut_slice());
        let before = input.pos();
        let hint = context.decompress_stream(&mut output, &mut input);
        let hint =
            hint.map_err(|code| Problem::Damaged(zstd_safe::get_error_name(code).to_owned()))?;
        let written = output.as_slice();
        out.extend_from_slice(written);
        let any = !written.is_empty() || input.pos() > before;
        if out.len() as u64 > limit {
            return Err(Problem::Large);
        }
        match (input.pos() == bytes.len(), hint) {
            // All frames are complete.
            (true, 0) => return Ok(out),
            (true, _) if !any => return Err(Problem::Damaged("it ends too early".to_owned())),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Compression;

    fn compressed(kind: Compression, bytes: &[u8]) -> Vec<u8> {
        use std::io::Write;
        match kind {
            Compression::Gzip => {
                let level = flate2::Compression::fast();
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Compression::Zstd => {
                let mut out = vec![0; zstd_safe::compress_bound(bytes.len())];
                let len = zstd_safe::compress(out.as_mut_slice(), bytes, 3).unwrap();
                out.truncate(len);
                out
            }
        }
    }

    #[test]
    fn compressed_input_is_read_up_to_a_limit() {
        let text = "module {}\n".repeat(100_000);
        for kind in [Compression::Gzip, Compression::Zstd] {
            let bytes = compressed(kind, text.as_bytes());
            assert_eq!(Compression::of(&bytes), Some(kind));
            let read = |bytes: &[u8], limit| kind.decompress(bytes, limit, "a");
            assert_eq!(read(&bytes, 1 << 20).unwrap(), text.as_bytes());
            assert!(read(&bytes, text.len() as u64).is_ok());
            assert!(read(&bytes, text.len() as u64 - 1).is_err());
            for end in [5, bytes.len() / 2, bytes.len() - 1] {
                assert!(read(&bytes[..end], 1 << 20).is_err(), "{kind:?} {end}");
            }
            // Several members or frames.
            let twice = [bytes.as_slice(), &bytes].concat();
            assert_eq!(read(&twice, 1 << 22).unwrap().len(), 2 * text.len());
        }
    }
}
