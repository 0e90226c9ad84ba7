//! Contents as files: byte for byte, or compressed by zstd if that is shorter.
//!
//! ```text
//! magic                     8 bytes
//! length of the content     8 bytes, little-endian
//! one frame of zstd
//! ```
//!
//! The name of the file is the hash of the content in either case.

use crate::Digest;

const MAGIC: &[u8; 8] = b"rmlirz\0\x01";
const HEADER: usize = 16;
/// Shorter contents take a block of the file system anyway.
const LEAST: usize = 4096;
/// A content is at most this many times as long as its file.
const MOST: usize = 4096;
/// The level of compression: the default of zstd.
const LEVEL: i32 = 3;
/// The first bytes of a frame with content.
const FRAME: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// Returns the file of a content, if it is shorter than the content.
pub(super) fn compress(content: &[u8]) -> Option<Vec<u8>> {
    if content.len() < LEAST {
        return None;
    }
    let mut file = Vec::with_capacity(content.len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&(content.len() as u64).to_le_bytes());
    // What is not a tenth shorter is not worth the time to decompress it.
    file.resize(content.len() / 10 * 9, 0);
    let len = zstd_safe::compress(file.get_mut(HEADER..)?, content, LEVEL).ok()?;
    file.truncate(HEADER.checked_add(len)?);
    (content.len() / MOST < file.len()).then_some(file)
}

/// Returns the content of a file, of a known hash; `None` if it is damaged.
pub(super) fn decode(file: Vec<u8>, digest: &Digest) -> Option<Vec<u8>> {
    if let Some(content) = decompress(&file)
        && Digest::of(&content) == *digest
    {
        return Some(content);
    }
    (Digest::of(&file) == *digest).then_some(file)
}

fn decompress(file: &[u8]) -> Option<Vec<u8>> {
    let rest = file.strip_prefix(MAGIC)?;
    let (len, frame) = rest.split_first_chunk::<8>()?;
    let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
    let is_sound = len / MOST < file.len()
        && frame.starts_with(&FRAME)
        && zstd_safe::find_frame_compressed_size(frame) == Ok(frame.len());
    if !is_sound {
        return None;
    }
    let mut content = vec![0; len];
    (zstd_safe::decompress(content.as_mut_slice(), frame) == Ok(len)).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let random = (0..20_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8);
        let random: Vec<u8> = random.collect();
        let text = "some text of a module\n".repeat(1000).into_bytes();
        assert!(compress(&text[..100]).is_none());
        assert!(compress(&vec![0; 100 << 20]).is_none());
        for content in [text, random, vec![7; 50_000]] {
            let digest = Digest::of(&content);
            assert_eq!(decode(content.clone(), &digest), Some(content.clone()));
            let Some(file) = compress(&content) else {
                continue;
            };
            assert!(file.len() < content.len());
            assert_eq!(decode(file.clone(), &digest), Some(content.clone()));
            assert_eq!(decode(file.clone(), &Digest::of(&file)), Some(file.clone()));
            for at in 0..file.len() {
                let mut damaged = file.clone();
                damaged[at] ^= 1;
                // What the frame does not use may differ.
                let found = decode(damaged, &digest);
                assert!(found.is_none_or(|found| found == content));
                assert_eq!(decode(file[..at].to_vec(), &digest), None);
            }
        }
    }
}
