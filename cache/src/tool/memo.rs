//! Hashes of files, memoized by the metadata of the file system.

use crate::store::Store;
use crate::{Cache, Digest, MacKeys};
use std::io;
use std::path::{Path, PathBuf};

/// The number of bytes of a file that are read at once.
const BUFFER: usize = 1 << 20;

/// Memoizes hashes of large files that seldom change.
pub(super) struct Memo<'c> {
    store: &'c Store,
}

impl<'c> Memo<'c> {
    pub(super) fn new(cache: &'c Cache) -> Self {
        Memo {
            store: cache.store(),
        }
    }

    /// Returns the directory of the cache.
    pub(super) fn directory(&self) -> &Path {
        self.store.root()
    }

    /// Returns whether the hash of a file is memoized, or the file is too small for that.
    pub(super) fn has(&self, path: &Path) -> bool {
        identity(path).is_ok_and(|identity| match identity {
            Some(identity) => self.find(&self.path(&identity), &identity).is_some(),
            None => true,
        })
    }

    /// Returns the path of the file for an identity.
    fn path(&self, identity: &str) -> PathBuf {
        let name = Digest::of(identity.as_bytes());
        self.store.root().join("memo").join(name.to_string())
    }

    fn find(&self, memo: &Path, identity: &str) -> Option<Digest> {
        let text = self.store.read(memo).ok()?;
        parse(&text, identity, &self.store.mac)
    }

    /// Returns the hash of a file's content.
    pub(super) fn digest(&self, path: &Path) -> io::Result<Digest> {
        let Some(identity) = identity(path)? else {
            return Ok(Digest::of(&std::fs::read(path)?));
        };
        let memo = self.path(&identity);
        if let Some(digest) = self.find(&memo, &identity) {
            self.store.used(&memo);
            return Ok(digest);
        }
        let mut hasher = blake3::Hasher::new();
        let file = std::fs::File::open(path)?;
        io::copy(&mut io::BufReader::with_capacity(BUFFER, file), &mut hasher)?;
        let digest = Digest::from_bytes(*hasher.finalize().as_bytes());
        // It may have changed while it was read.
        if self::identity(path)?.as_deref() == Some(&identity) {
            let text = format!("{identity}\n{digest}\n");
            let check = self.store.mac.check_sum(text.as_bytes());
            let _ = self
                .store
                .publish(&memo, &[format!("{text}{check}\n").as_bytes()]);
        }
        Ok(digest)
    }
}

/// Returns whether a file of the memo is sound and has its name.
pub(crate) fn is_sound(text: &[u8], name: &Digest, keys: &MacKeys) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let identity = std::str::from_utf8(line).unwrap_or_default();
    Digest::of(line) == *name && parse(text, identity, keys).is_some()
}

fn parse(text: &[u8], identity: &str, keys: &MacKeys) -> Option<Digest> {
    let text = std::str::from_utf8(text).ok()?;
    let rest = text.strip_prefix(identity)?.strip_prefix('\n')?;
    let (digest, check) = rest.strip_suffix('\n')?.split_once('\n')?;
    let checked = format!("{identity}\n{digest}\n");
    let check = Digest::parse(check)?;
    keys.is_check_sum(checked.as_bytes(), &check)
        .then_some(())?;
    Digest::parse(digest)
}

/// Returns what identifies a state of a file: device, inode, size and times, on this start of this
/// machine. `None` if it changed so recently that another change could go unnoticed, or the system
/// does not know these.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Option<String>> {
    use std::os::unix::fs::MetadataExt;
    /// Longer than the resolution of the times of any file system in use.
    const SETTLED: i64 = 3;
    let metadata = std::fs::metadata(path)?;
    let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    let now = i64::try_from(now.unwrap_or_default().as_secs()).unwrap_or(0);
    let last = metadata.ctime().max(metadata.mtime());
    // Small files are hashed as fast as the memo is read.
    if last.saturating_add(SETTLED) > now || metadata.len() < 1 << 16 {
        return Ok(None);
    }
    let Ok(boot) = std::fs::read_to_string("/proc/sys/kernel/random/boot_id") else {
        return Ok(None);
    };
    Ok(Some(format!(
        "{} {} {} {} {}.{} {}.{}",
        boot.trim(),
        metadata.dev(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> io::Result<Option<String>> {
    Ok(None)
}
