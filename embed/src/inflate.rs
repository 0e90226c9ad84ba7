//! Decompression of deflated bytes, within the limits of a search.

use crate::artifact::Reason;
use crate::unwrap::{DECODED, Search};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// The number of bytes for which there is space at first, for each compressed one, and at most.
/// Other data may follow the compressed bytes.
const EXPECTED: usize = 2;
const FIRST: usize = 1 << 16;

/// The damage if the data violates the format of deflate.
pub(crate) const INVALID: &str = "its compressed data is invalid";

impl Search<'_> {
    /// Returns the content of deflated bytes.
    pub(crate) fn inflate(&mut self, data: &[u8]) -> Result<Vec<u8>, Reason> {
        self.inflate_prefix(data).map(|(content, _)| content)
    }

    /// Returns the content of the deflated bytes at the start of `data`, and their number.
    pub(crate) fn inflate_prefix(&mut self, data: &[u8]) -> Result<(Vec<u8>, usize), Reason> {
        let limit = usize::try_from(self.decodable).unwrap_or(usize::MAX);
        let mut state = Box::<DecompressorOxide>::default();
        let len = data.len().saturating_mul(EXPECTED);
        let mut out = vec![0; len.min(FIRST).min(limit)];
        let (mut read, mut written) = (0usize, 0usize);
        loop {
            let rest = data.get(read..).unwrap_or_default();
            let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
            let (status, more, new) = decompress(&mut state, rest, &mut out, written, flags);
            read = read.saturating_add(more);
            written = written.saturating_add(new);
            let reason = match status {
                TINFLStatus::Done => {
                    self.spend(written);
                    out.truncate(written);
                    return Ok((out, read));
                }
                TINFLStatus::HasMoreOutput if out.len() < limit => {
                    let len = out.len().saturating_mul(2).clamp(1 << 8, limit.max(1 << 8));
                    out.resize(len.min(limit), 0);
                    continue;
                }
                TINFLStatus::HasMoreOutput => {
                    self.limit(DECODED);
                    Reason::Limit(DECODED)
                }
                TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
                    Reason::Damaged("its compressed data ends too early")
                }
                _ => Reason::Damaged(INVALID),
            };
            // What was inflated until then has cost as much.
            self.spend(written);
            return Err(reason);
        }
    }

    fn spend(&mut self, bytes: usize) {
        self.decodable = self.decodable.saturating_sub(bytes as u64);
    }
}
