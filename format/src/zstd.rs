//! Compression of pages by zstd, which the feature of that name makes available.

#[cfg(feature = "zstd")]
pub(crate) use available::{compress, decompress};
#[cfg(not(feature = "zstd"))]
pub(crate) use unavailable::{compress, decompress};

/// Whether pages can be compressed and decompressed.
pub(crate) const AVAILABLE: bool = cfg!(feature = "zstd");

#[cfg(not(feature = "zstd"))]
mod unavailable {
    pub(crate) fn compress(_: &[u8], _: &[u8], _: i32, _: &mut Vec<u8>) -> bool {
        false
    }

    pub(crate) fn decompress(_: &[u8], _: &[u8], _: usize, _: &mut Vec<u8>) -> bool {
        false
    }
}

#[cfg(feature = "zstd")]
mod available {
    use zstd_safe::{CCtx, CParameter, DCtx};

    /// Appends the zstd frame of `bytes` if it is shorter; else returns false and leaves `out`
    /// unchanged.
    ///
    /// `prefix` is content that the frame may refer to; the decompressor needs the same prefix.
    pub(crate) fn compress(bytes: &[u8], prefix: &[u8], level: i32, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        // A frame that does not fit in this buffer is not shorter.
        out.resize(start.saturating_add(bytes.len()).saturating_sub(1), 0);
        let room = out.get_mut(start..).unwrap_or_default();
        let len = compress_to(room, bytes, prefix, level).unwrap_or_default();
        out.truncate(start.saturating_add(len));
        len > 0
    }

    fn compress_to(
        room: &mut [u8],
        bytes: &[u8],
        prefix: &[u8],
        level: i32,
    ) -> zstd_safe::SafeResult {
        if prefix.is_empty() {
            return zstd_safe::compress(room, bytes, level);
        }
        let mut context = CCtx::create();
        context.set_parameter(CParameter::CompressionLevel(level))?;
        context.ref_prefix(prefix)?;
        context.compress2(room, bytes)
    }

    /// The first bytes of a frame with content. Skippable frames, which have none, begin
    /// differently.
    const FRAME_MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

    /// Appends the content of a frame. `prefix` is that of [`compress`].
    ///
    /// Returns false and leaves `out` unchanged unless `frame` is exactly one frame with exactly
    /// `len` bytes of content.
    pub(crate) fn decompress(frame: &[u8], prefix: &[u8], len: usize, out: &mut Vec<u8>) -> bool {
        // The decompressor accepts several frames and skippable ones.
        if !frame.starts_with(&FRAME_MAGIC)
            || zstd_safe::find_frame_compressed_size(frame) != Ok(frame.len())
        {
            return false;
        }
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
}

#[cfg(all(test, feature = "zstd"))]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_frame() {
        let bytes = vec![7; 1000];
        let mut frame = Vec::new();
        assert!(compress(&bytes, &[], 3, &mut frame));
        let read = |stored: &[u8], len: usize| {
            let mut out = vec![1];
            let done = decompress(stored, &[], len, &mut out);
            assert_eq!(out.len(), if done { 1 + len } else { 1 });
            done
        };
        assert!(read(&frame, 1000));
        assert!(!read(&frame, 999) && !read(&frame, 1001));
        assert!(!read(&[], 0) && !read(&frame[..frame.len() - 1], 1000));
        // A skippable frame of three bytes, and a frame without content.
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let mut empty = vec![0; 64];
        let len = zstd_safe::compress(&mut empty[..], &[], 3).unwrap();
        empty.truncate(len);
        for other in [&skippable[..], &empty, &[0]] {
            assert!(!read(&[other, &frame].concat(), 1000));
            assert!(!read(&[&frame, other].concat(), 1000));
        }
        assert!(!read(&[&frame[..], &frame].concat(), 2000));
        assert!(!read(&skippable, 0));
    }
}
