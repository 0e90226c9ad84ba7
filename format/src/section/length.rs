//! The length of an rmbc file that other bytes follow.

use super::directory;
use crate::error::Result;
use crate::limits::Limits;

/// Returns the length in bytes of the rmbc file that `bytes` begin with; any bytes may follow it.
///
/// O(sections): reads header and directory, whose checksum is verified, and no section.
///
/// # Errors
/// Those of [`Container::parse`](super::Container::parse) about header and directory, among them
/// [`ErrorKind::Truncated`](crate::ErrorKind::Truncated) if `bytes` end before the file does.
///
/// ```
/// use rmlir_format::{ContainerWriter, section};
///
/// let mut writer = ContainerWriter::new();
/// writer.add_required(1, vec![7; 300])?;
/// let mut bytes = writer.finish();
/// let len = bytes.len() as u64;
/// bytes.extend([0; 100]);
/// assert_eq!(section::length(&bytes)?, len);
/// # Ok::<(), rmlir_format::Error>(())
/// ```
pub fn length(bytes: &[u8]) -> Result<u64> {
    let head = directory::head(bytes, bytes.len() as u64, &Limits::default())?;
    Ok(head.file_len)
}
