//! Compression of pages by zstd.

/// Appends the frame of `bytes`, if it is shorter; false if not, and then `out` is as before.
pub(crate) fn compress(bytes: &[u8], level: i32, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    // One that does not fit here is not shorter.
    out.resize(start.saturating_add(bytes.len()).saturating_sub(1), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    let len = zstd_safe::compress(room, bytes, level).unwrap_or_default();
    out.truncate(start.saturating_add(len));
    len > 0
}

/// Appends what a frame holds; false if it is none of exactly `len` bytes, and then `out` is as before.
pub(crate) fn decompress(frame: &[u8], len: usize, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    out.resize(start.saturating_add(len), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    let done = zstd_safe::decompress(room, frame) == Ok(len);
    if !done {
        out.truncate(start);
    }
    done
}
