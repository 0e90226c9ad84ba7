//! [`Cache`]: a directory, and the levels beyond it.

use crate::fs::{Fs, RealFs};
use crate::key::ActionKey;
use crate::level::{Fetched, Level, LevelError, WritePolicy};
use crate::mac::MacKeys;
use crate::record::{OutputRecord, Record};
use crate::store::stats::{Counters, Stats};
use crate::store::verify::VerifyReport;
use crate::store::{FOLDERS, Found, Store, named};
use crate::{Digest, Explanation, GcOptions, GcReport, KeyPart, differences};
use rmlir::ir::sort::CompactSort as _;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, SystemTime};

/// The note of entries without a result.
const MARK: &str = "seen";

/// A level that failed this often is not asked again by this process.
const MAX_FAILURES: u32 = 3;
/// Nor by others for this time: a build is many processes.
const PAUSE: Duration = Duration::from_secs(120);

/// How a cache is opened.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct CacheOptions {
    /// Store and remove nothing. Default: false.
    pub read_only: bool,
    /// Secrets that authenticate entries. Entries without a valid code are misses.
    pub mac: MacKeys,
    /// Remote levels, the nearest first. A result of a level is copied to the directory.
    pub levels: Vec<Arc<dyn Level>>,
    /// The levels that are written to.
    pub write: WritePolicy,
    /// Messages for people that [`Cache::messages`] starts with, such as on a level that is left
    /// out.
    pub messages: Vec<String>,
    /// The operations on files; `None`: those of the operating system.
    pub fs: Option<Arc<dyn Fs>>,
}

impl fmt::Debug for CacheOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CacheOptions")
            .field("read_only", &self.read_only)
            .field("write", &self.write)
            .finish_non_exhaustive()
    }
}

/// A result: outputs by role, and the exit status.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The exit status.
    pub exit: i32,
    outputs: Vec<(String, Vec<u8>)>,
    notes: Vec<KeyPart>,
}

impl Entry {
    /// Creates an entry without outputs, with exit status 0.
    pub fn new() -> Self {
        Entry::default()
    }

    /// Creates an entry that records that an action was seen, without its result.
    pub(crate) fn mark() -> Self {
        Entry::new().with_note(MARK, "the outputs are put together from those of functions")
    }

    /// Returns whether it is such an entry.
    pub(crate) fn is_mark(&self) -> bool {
        self.notes.iter().any(|note| note.name == MARK)
    }

    /// Adds an output. Roles are in order and should differ.
    #[must_use]
    pub fn with_output(mut self, role: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.outputs.push((role.into(), bytes.into()));
        self
    }

    /// Adds a remark that explanations show. It is not part of the key.
    #[must_use]
    pub fn with_note(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.notes.push(KeyPart {
            name: name.into(),
            value: value.into(),
        });
        self
    }

    /// Returns the output of a role.
    pub fn output(&self, role: &str) -> Option<&[u8]> {
        let mut outputs = self.outputs.iter();
        outputs
            .find(|(own, _)| own == role)
            .map(|(_, bytes)| bytes.as_slice())
    }

    /// Returns all outputs, owned.
    pub(crate) fn into_outputs(self) -> Vec<(String, Vec<u8>)> {
        self.outputs
    }

    /// Returns all outputs.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.outputs
            .iter()
            .map(|(role, bytes)| (role.as_str(), bytes.as_slice()))
    }
}

/// An artifact cache: a directory, which many processes may share, and servers beyond it.
///
/// Failures of the directory or of a server are misses. `Send` and `Sync`.
pub struct Cache {
    store: Store,
    levels: Vec<LevelState>,
    write: WritePolicy,
    messages: Mutex<Vec<String>>,
}

/// A level, with what is known of it.
struct LevelState {
    level: Arc<dyn Level>,
    /// How often it failed; [`MAX_FAILURES`] if it is not asked any more.
    failures: AtomicU32,
    /// Whether it was looked up if another process found it failing.
    is_known: Once,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache")
            .field("directory", &self.store.root())
            .finish_non_exhaustive()
    }
}

impl Cache {
    /// Opens the cache in a directory, which is created when something is stored.
    ///
    /// # Errors
    ///
    /// If the path is that of a file, or of a directory with files that are not of a cache.
    pub fn open(directory: impl AsRef<Path>) -> io::Result<Self> {
        Cache::open_with(directory, CacheOptions::default())
    }

    /// Opens a cache with options.
    ///
    /// # Errors
    ///
    /// If the path is that of a file, or of a directory with files that are not of a cache.
    pub fn open_with(directory: impl AsRef<Path>, options: CacheOptions) -> io::Result<Self> {
        let directory = directory.as_ref();
        let fs = options.fs.unwrap_or_else(|| Arc::new(RealFs));
        if fs.info(directory).is_ok_and(|info| !info.is_directory) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut store = Store::open(directory, fs, options.read_only);
        // Maintenance removes files, which must not be those of others.
        if let Some(name) = store.foreign() {
            let message = format!("it is not the directory of a cache: it has '{name}'");
            return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, message));
        }
        store.mac = options.mac;
        let levels = options.levels.into_iter().map(|level| LevelState {
            level,
            failures: AtomicU32::new(0),
            is_known: Once::new(),
        });
        Ok(Cache {
            store,
            levels: levels.collect(),
            write: options.write,
            messages: Mutex::new(options.messages),
        })
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        self.store.root()
    }

    /// Returns whether nothing is stored or removed.
    pub fn is_read_only(&self) -> bool {
        self.store.is_read_only()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the result of an action; `None` if it is not there or damaged.
    ///
    /// The directory is asked first, then each remote level; a result of a level is copied to the
    /// directory.
    pub fn get(&self, key: &Digest) -> Option<Entry> {
        let found = self.lookup(key).filter(|entry| !entry.is_mark());
        let stats = &self.store.stats;
        match &found {
            Some(entry) => {
                let bytes = entry.outputs.iter().map(|(_, bytes)| bytes.len() as u64);
                stats.count_hit(bytes.fold(0, u64::saturating_add));
            }
            None => stats.count_result(0, 1),
        }
        found
    }

    /// The same, which is not counted, and marks are returned.
    pub(crate) fn lookup(&self, key: &Digest) -> Option<Entry> {
        self.local(key).or_else(|| self.remote(key))
    }

    /// Returns the record of an action in the directory, without its outputs.
    pub fn record(&self, key: &Digest) -> Option<Record> {
        let bytes = match self.store.read(&self.store.record_path(key)) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    Counters::count(&self.store.stats.damaged, 1);
                }
                return None;
            }
        };
        let record = Record::parse(&bytes).filter(|record| record.key == *key);
        if record.is_none() {
            Counters::count(&self.store.stats.damaged, 1);
        }
        // A directory that machines share is as open to others as a server.
        if record
            .as_ref()
            .is_some_and(|record| !record.is_authentic(&self.store.mac))
        {
            Counters::count(&self.store.stats.rejected, 1);
            return None;
        }
        record
    }

    /// Lists the records in the directory, the most recently used first, each with the seconds
    /// since then.
    pub fn records(&self) -> Vec<(Record, u64)> {
        let mut files = self.store.files("ac");
        files.compact_sort_by_key(|file| std::cmp::Reverse(file.modified));
        let records = files.into_iter().filter_map(|file| {
            let age = file.modified.elapsed().unwrap_or_default().as_secs();
            Some((self.record(&named(&file.path)?)?, age))
        });
        records.collect()
    }

    fn local(&self, key: &Digest) -> Option<Entry> {
        let record = self.record(key)?;
        let mut entry = Entry {
            exit: record.exit,
            outputs: Vec::with_capacity(record.outputs.len()),
            notes: record.notes,
        };
        for output in record.outputs {
            match self.store.content(&output.digest, Some(output.len)) {
                Found::Content(bytes) => entry.outputs.push((output.role, bytes)),
                Found::Missing => return None,
                Found::Damaged => {
                    Counters::count(&self.store.stats.damaged, 1);
                    return None;
                }
            }
        }
        self.store.used(&self.store.record_path(key));
        Some(entry)
    }

    fn remote(&self, key: &Digest) -> Option<Entry> {
        let Fetched { record, contents } = self.fetch(key)?;
        let slices: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
        let _ = self.store.put_record(&record, &slices);
        let roles = record.outputs.into_iter().map(|output| output.role);
        Some(Entry {
            exit: record.exit,
            outputs: roles.zip(contents).collect(),
            notes: record.notes,
        })
    }

    /// Returns whether there are remote levels.
    pub(crate) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Returns what a remote level has of an action, checked.
    pub(crate) fn fetch(&self, key: &Digest) -> Option<Fetched> {
        let stats = &self.store.stats;
        for (number, state) in self.levels.iter().enumerate() {
            if self.is_down(state) {
                continue;
            }
            let fetched = match state.level.get(key) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error) => {
                    self.failed(state, &error);
                    continue;
                }
            };
            let Fetched { record, contents } = &fetched;
            let sound = record.key == *key && record.outputs.len() == contents.len();
            let mut pairs = record.outputs.iter().zip(contents);
            let sound = sound
                && pairs.all(|(output, bytes)| {
                    output.len == bytes.len() as u64 && Digest::of(bytes) == output.digest
                });
            if !sound {
                Counters::count(&stats.damaged, 1);
                continue;
            }
            if !record.is_authentic(&self.store.mac) {
                Counters::count(&stats.rejected, 1);
                continue;
            }
            Counters::count(&stats.remote_hits, 1);
            // The nearer levels get what they did not have.
            let slices: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
            self.send_to(self.levels.get(..number), record, &slices);
            return Some(fetched);
        }
        None
    }

    /// Returns whether a level is not asked: it failed, here or lately in another process.
    fn is_down(&self, state: &LevelState) -> bool {
        state.is_known.call_once(|| {
            let info = self.store.fs().info(&self.down(state));
            let age = info.map(|info| SystemTime::now().duration_since(info.modified));
            if age.is_ok_and(|age| age.unwrap_or_default() < PAUSE) {
                state.failures.store(MAX_FAILURES, Ordering::Relaxed);
                let name = state.level.name();
                self.say(format!("{name} is not asked: it failed a short time ago"));
            }
        });
        state.failures.load(Ordering::Relaxed) >= MAX_FAILURES
    }

    /// Returns the file that tells other processes that a level fails.
    fn down(&self, state: &LevelState) -> PathBuf {
        let name = Digest::of(state.level.name().as_bytes());
        self.store.root().join("down").join(name.to_string())
    }

    fn say(&self, message: String) {
        if let Ok(mut messages) = self.messages.lock() {
            messages.push(message);
        }
    }

    /// Returns messages for people on levels that failed or are left out.
    pub fn messages(&self) -> Vec<String> {
        let messages = self.messages.lock();
        messages
            .map(|messages| messages.clone())
            .unwrap_or_default()
    }

    /// Counts a failure of a level: one that is slow, or fails often, is not asked again, nor by
    /// other processes for some time.
    fn failed(&self, state: &LevelState, error: &LevelError) {
        let count = if error.is_slow { MAX_FAILURES } else { 1 };
        let before = state.failures.fetch_add(count, Ordering::Relaxed);
        Counters::count(&self.store.stats.remote_errors, 1);
        if before == 0 {
            self.say(format!("{}: {error}", state.level.name()));
        }
        let is_down = before.saturating_add(count) >= MAX_FAILURES;
        if is_down && before < MAX_FAILURES {
            // If this fails, others find out themselves.
            let _ = self.store.publish(&self.down(state), &[]);
        }
    }

    /// Stores a result in the remote levels only.
    pub(crate) fn send(&self, record: &Record, contents: &[&[u8]]) {
        self.send_to(Some(&self.levels), record, contents);
    }

    fn send_to(&self, levels: Option<&[LevelState]>, record: &Record, contents: &[&[u8]]) {
        if self.write != WritePolicy::All || self.store.is_read_only() {
            return;
        }
        for state in levels.unwrap_or_default() {
            if state.level.is_read_only() || self.is_down(state) {
                continue;
            }
            if let Err(error) = state.level.put(record, contents) {
                self.failed(state, &error);
            }
        }
    }

    /// Makes a record of a key and an entry, and returns it with the contents.
    pub(crate) fn to_record<'e>(
        &self,
        key: &ActionKey,
        entry: &'e Entry,
    ) -> (Record, Vec<&'e [u8]>) {
        let mut record = Record {
            key: key.digest(),
            exit: entry.exit,
            outputs: Vec::new(),
            base: key.base().map(ActionKey::digest),
            parts: key.parts().to_vec(),
            notes: entry.notes.clone(),
            mac: None,
        };
        let mut contents: Vec<&[u8]> = Vec::new();
        for (role, bytes) in &entry.outputs {
            record.outputs.push(OutputRecord {
                role: role.clone(),
                len: bytes.len() as u64,
                digest: Digest::of(bytes),
            });
            contents.push(bytes);
        }
        record.sign(&self.store.mac);
        (record, contents)
    }

    /// Stores the result of an action. An entry that is there is replaced.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written. The result is not lost by that: a build goes on.
    pub fn put(&self, key: &ActionKey, entry: &Entry) -> io::Result<()> {
        if let Some(base) = key.base() {
            self.put_base(base);
        }
        let (record, contents) = self.to_record(key, entry);
        let stats = &self.store.stats;
        let stored = self.store.put_record(&record, &contents);
        match &stored {
            Ok(()) => {
                let bytes = contents.iter().map(|bytes| bytes.len() as u64);
                Counters::count(&stats.puts, 1);
                Counters::count(&stats.bytes_written, bytes.fold(0, u64::saturating_add));
            }
            Err(_) => Counters::count(&stats.failed_puts, 1),
        }
        // Marks are for this directory.
        if !entry.is_mark() {
            self.send(&record, &contents);
        }
        stored
    }

    /// Stores the parts of a key that others extend, unless they are there.
    fn put_base(&self, key: &ActionKey) {
        let path = self.store.record_path(&key.digest());
        if self.store.fs().info(&path).is_ok() {
            self.store.used(&path);
            return;
        }
        if let Some(base) = key.base() {
            self.put_base(base);
        }
        let mut record = Record {
            key: key.digest(),
            exit: 0,
            outputs: Vec::new(),
            base: key.base().map(ActionKey::digest),
            parts: key.parts().to_vec(),
            notes: Entry::mark().notes,
            mac: None,
        };
        record.sign(&self.store.mac);
        // Only explanations need it.
        let _ = self.store.put_record(&record, &[]);
    }

    /// Returns all parts of the key of a record, as far as they are stored.
    pub fn parts(&self, record: &Record) -> Vec<KeyPart> {
        /// Keys extend others a few times; a damaged cache could have a cycle.
        const MAX_DEPTH: usize = 8;
        let mut all = record.parts.clone();
        let mut base = record.base;
        for _ in 0..MAX_DEPTH {
            let Some(record) = base.and_then(|base| self.record(&base)) else {
                break;
            };
            all.splice(0..0, record.parts);
            base = record.base;
        }
        all
    }

    /// Removes entries that were not used for long, or until the cache is small enough. Nothing
    /// younger than an hour is removed, and nothing of a read-only cache. Others may read and write
    /// meanwhile.
    pub fn gc(&self, options: &GcOptions) -> GcReport {
        self.store.gc(options)
    }

    /// Returns whether garbage was not collected for a time, so that [`gc`](Self::gc) is due.
    pub fn is_gc_due(&self, interval: Duration) -> bool {
        self.store.is_gc_due(interval)
    }

    /// Explains a result: the parts in which its key differs from another one. Without one, it is
    /// compared with the stored result of the same stage that differs least. `None` if the
    /// result, or any to compare with, is not stored.
    ///
    /// ```
    /// use rmlir_cache::{ActionKey, Cache, Entry};
    ///
    /// # let folder = std::env::temp_dir().join(format!("rmlir-explain-doc-{}", std::process::id()));
    /// let cache = Cache::open(&folder)?;
    /// let key = |flag| ActionKey::new("optimize", "1").with("flag", flag).finish();
    /// for flag in ["-O2", "-O3"] {
    ///     cache.put(&key(flag), &Entry::new().with_output("out", "result"))?;
    /// }
    /// let found = cache.explain(&key("-O3").digest(), None).ok_or("not stored")?;
    /// assert_eq!(found.other, key("-O2").digest());
    /// assert_eq!(found.differences[0].name, "flag");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, key: &Digest, other: Option<&Digest>) -> Option<Explanation> {
        let own = self.parts(&self.record(key)?);
        if let Some(other) = other {
            let parts = self.parts(&self.record(other)?);
            return Some(Explanation {
                other: *other,
                differences: differences(&parts, &own),
            });
        }
        let part = |parts: &[KeyPart], name: &str| {
            let mut parts = parts.iter();
            let found = parts.find(|part| part.name == name);
            found.map(|part| part.value.clone())
        };
        let stage = part(&own, "stage");
        let others = self.records().into_iter().filter_map(|(record, _)| {
            let parts = self.parts(&record);
            // Records of the common parts of keys are not results.
            let is_other = record.key != *key
                && part(&parts, "stage") == stage
                && part(&parts, "input in").is_some() == part(&own, "input in").is_some();
            is_other.then(|| Explanation {
                other: record.key,
                differences: differences(&parts, &own),
            })
        });
        others.min_by_key(|one| one.differences.len())
    }

    /// Reads and checks every file. With `remove`, damaged ones are removed, unless the cache is
    /// read-only.
    pub fn verify(&self, remove: bool) -> VerifyReport {
        self.store.verify(remove)
    }

    /// Removes everything. Returns the number of files.
    ///
    /// # Errors
    ///
    /// If a file cannot be removed, or the cache is read-only.
    pub fn clear(&self) -> io::Result<u64> {
        self.store.clear()
    }

    /// Returns the counts of all processes that used the directory.
    pub fn stats(&self) -> Stats {
        self.store.all_stats()
    }

    /// Returns the counts of this process that are not saved yet.
    pub fn current_stats(&self) -> Stats {
        self.store.stats.current()
    }

    /// Returns the number of bytes in the directory. Linear in the number of files.
    pub fn bytes(&self) -> u64 {
        let folders = FOLDERS.iter();
        let files = folders.flat_map(|folder| self.store.files(folder));
        files.fold(0, |sum, file| sum.saturating_add(file.len))
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.store.save_stats();
    }
}
