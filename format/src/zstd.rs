//! Compression of pages by zstd.

use zstd_safe::{CCtx, CParameter, DCtx};

/// Appends the frame of `bytes`, if it is shorter; false if not, and then `out` is as before. `prefix` is what the frame may
/// refer to, and has to be known to who decompresses it.
pub(crate) fn compress(bytes: &[u8], prefix: &[u8], level: i32, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    // One that does not fit here is not shorter.
    out.resize(start.saturating_add(bytes.len()).saturating_sub(1), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    let len = compress_to(room, bytes, prefix, level).unwrap_or_default();
    out.truncate(start.saturating_add(len));
    len > 0
}

fn compress_to(room: &mut [u8], bytes: &[u8], prefix: &[u8], level: i32) -> zstd_safe::SafeResult {
    if prefix.is_empty() {
        return zstd_safe::compress(room, bytes, level);
    }
    let mut context = CCtx::create();
    context.set_parameter(CParameter::CompressionLevel(level))?;
    context.ref_prefix(prefix)?;
    context.compress2(room, bytes)
}

/// Appends what a frame holds; false if it is none of exactly `len` bytes, and then `out` is as before. `prefix` is that of
/// [`compress`].
pub(crate) fn decompress(frame: &[u8], prefix: &[u8], len: usize, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.resize(start.saturating_add(len), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    let done = decompress_to(room, frame, prefix) == Ok(len);
    if !done {
        out.truncate(start);
    }
    done
}

fn decompress_to(room: &mut [u8], frame: &[u8], prefix: &[u8]) -> zstd_safe::SafeResult {
    if prefix.is_empty() {
        return zstd_safe::decompress(room, frame);
    }
    let mut context = DCtx::create();
    context.ref_prefix(prefix)?;
    context.decompress(room, frame)
}
