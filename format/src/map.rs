//! Files mapped into memory. The only module with `unsafe` code.

use crate::error::{Result, ResultExt};
use crate::source::Source;
use bytes::Bytes;
use std::fs::File;
use std::io::Read;
use std::path::Path;

impl Source {
    /// Maps a file into memory in O(1); pages are read on first access.
    ///
    /// A file that cannot be mapped (a pipe, a terminal, a kernel file without a length) is read as
    /// by [`Source::read`].
    ///
    /// # Safety
    /// The file must not be changed or truncated, by this or any other process, while the returned
    /// source, a clone or a slice of it is alive. A change would be visible through shared slices,
    /// which is undefined behavior; an access after a truncated end kills the process.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io).
    #[allow(unsafe_code)]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Source> {
        let path = path.as_ref();
        // SAFETY: the caller does not change the file, which is the only requirement of `map_file`.
        unsafe { map_file(path) }.with_context(|| format!("mapping '{}'", path.display()))
    }
}

/// # Safety
/// As for [`Source::map`].
#[allow(unsafe_code)]
unsafe fn map_file(path: &Path) -> Result<Source> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok(Source::from(bytes));
    }
    // SAFETY: `Mmap` requires that the file is not changed or truncated while it is mapped. The
    // caller guarantees that for the lifetime of the source. The map is owned by the inner `Bytes`,
    // which frees it with its last clone. Closing the descriptor does not end the map.
    let map = unsafe { memmap2::Mmap::map(&file) }?;
    Ok(Source(Bytes::from_owner(map)))
}

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::scratch::Scratch;

    #[test]
    fn maps_files_of_any_length() {
        let dir = Scratch::new();
        for len in [0, 1, 4096, 10_000] {
            let bytes: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let path = dir.path().join("file");
            std::fs::write(&path, &bytes).unwrap();
            // SAFETY: nobody else knows the file, and the next round's write comes after the drop.
            let source = unsafe { Source::map(&path) }.unwrap();
            assert_eq!(source.as_slice(), bytes);
            let tail = source.slice(len / 2..len).unwrap();
            drop(source);
            assert_eq!(tail.as_slice(), &bytes[(len / 2) as usize..]);
            assert_eq!(Source::read(&path).unwrap().as_slice(), bytes);
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        // SAFETY: there is no such file.
        let error = unsafe { Source::map("no/such/file") }.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().ends_with("while mapping 'no/such/file'"));
    }

    #[test]
    #[cfg(unix)]
    fn devices_are_read() {
        // SAFETY: the file is not mapped.
        let source = unsafe { Source::map("/dev/null") }.unwrap();
        assert!(source.is_empty());
    }
}
