//! A source that is read by position, counts the bytes read, and can shrink.

use super::ReadAt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Bytes that count how many of them are read, and can be truncated.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) bytes: Mutex<Vec<u8>>,
    pub(crate) read: AtomicU64,
}

impl Watched {
    pub(crate) fn new(bytes: Vec<u8>) -> Arc<Self> {
        Arc::new(Watched {
            bytes: Mutex::new(bytes),
            ..Watched::default()
        })
    }
}

impl ReadAt for Watched {
    fn size(&self) -> io::Result<u64> {
        self.bytes.lock().unwrap().size()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.bytes.lock().unwrap().read_exact_at(offset, buffer)?;
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}
