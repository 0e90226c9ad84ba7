//! Defects of other caches, which were reproduced in the releases that people install: this cache
//! must not have them. Each test names the system and, if there is one, the report.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::Folder;
use rmlir_cache::fs::{FileInfo, Fs, RealFs};
use rmlir_cache::{
    ActionKey, Cache, CacheOptions, DirectoryLevel, Entry, GcOptions, Level, MacKeys,
    ReadOnlyLevel, WritePolicy,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

fn key(number: u32) -> ActionKey {
    let number = number.to_string();
    ActionKey::new("defects", "1")
        .with("number", number)
        .finish()
}

fn entry(text: &str) -> Entry {
    Entry::new()
        .with_output("out", text)
        .with_output("log", format!("log of {text}"))
}

fn all_files(directory: &Path) -> Vec<PathBuf> {
    let mut open = vec![directory.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found
}

/// JAX 0.10.2: entries that are cut to half warn at each run and are never written again, since a
/// file of that name is there.
#[test]
fn cut_entries_are_written_again() {
    let folder = Folder::new("defect-cut");
    for run in 0..3 {
        let cache = Cache::open(folder.path()).unwrap();
        for number in 0..5 {
            match cache.get(&key(number).digest()) {
                Some(found) => assert_eq!((run, found), (2, entry("result"))),
                None => cache.put(&key(number), &entry("result")).unwrap(),
            }
        }
        drop(cache);
        if run == 0 {
            for part in ["ac", "cas"] {
                for file in all_files(&folder.path().join(part)) {
                    let bytes = std::fs::read(&file).unwrap();
                    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
                }
            }
        }
    }
}

/// JAX 0.10.2 (jax#39880): a file without its companion stops all writing once a limit is set.
#[test]
fn stray_files_do_not_stop_writing_and_eviction() {
    let folder = Folder::new("defect-stray");
    let cache = Cache::open(folder.path()).unwrap();
    cache.put(&key(0), &entry("first")).unwrap();
    for name in [
        "x-cache",
        "ac/x-cache",
        "cas/zz/x-atime",
        "packs/x",
        "tmp/x",
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "stray").unwrap();
    }
    let mut options = GcOptions::default();
    options.max_bytes = 1;
    for number in 1..20 {
        cache.gc(&options);
        cache.put(&key(number), &entry("next")).unwrap();
        assert_eq!(cache.get(&key(number).digest()), Some(entry("next")));
    }
}

/// Counts operations and records what is written where.
#[derive(Default)]
struct Counting {
    operations: AtomicU64,
    lists: AtomicU64,
    written: Mutex<Vec<PathBuf>>,
    removed: Mutex<Vec<PathBuf>>,
}

impl Counting {
    fn count(&self) {
        self.operations.fetch_add(1, Ordering::Relaxed);
    }
}

impl Fs for Counting {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.count();
        RealFs.read(path)
    }

    fn write_new(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        self.count();
        self.written.lock().unwrap().push(path.to_owned());
        RealFs.write_new(path, parts)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.count();
        RealFs.append(path, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count();
        RealFs.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.count();
        self.removed.lock().unwrap().push(path.to_owned());
        RealFs.remove(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        self.count();
        RealFs.create_directories(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<FileInfo>> {
        self.count();
        self.lists.fetch_add(1, Ordering::Relaxed);
        RealFs.list(path)
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        self.count();
        RealFs.info(path)
    }

    fn touch(&self, path: &Path, time: SystemTime) -> io::Result<()> {
        self.count();
        RealFs.touch(path, time)
    }
}

/// JAX (jax#36708): each put reads a time of every entry, so that it takes time linear in the size
/// of the cache.
#[test]
fn a_put_takes_the_same_work_whatever_the_cache_has() {
    let folder = Folder::new("defect-linear");
    let fs = Arc::new(Counting::default());
    let mut options = CacheOptions::default();
    options.fs = Some(Arc::clone(&fs) as Arc<dyn Fs>);
    let cache = Cache::open_with(folder.path(), options).unwrap();
    let mut work = Vec::new();
    for number in 0..500 {
        let before = fs.operations.load(Ordering::Relaxed);
        cache
            .put(&key(number), &entry(&number.to_string()))
            .unwrap();
        assert!(cache.get(&key(number).digest()).is_some());
        work.push(fs.operations.load(Ordering::Relaxed) - before);
    }
    assert_eq!(fs.lists.load(Ordering::Relaxed), 1, "to open it");
    // Directories of the first entries have to be made.
    let most = *work[400..].iter().max().unwrap();
    assert!(most <= work[1] && most < 30, "{work:?}");
}

/// JAX writes entries in place, so that readers see parts of them.
#[test]
fn nothing_is_written_in_place() {
    let folder = Folder::new("defect-place");
    let fs = Arc::new(Counting::default());
    let mut options = CacheOptions::default();
    options.fs = Some(Arc::clone(&fs) as Arc<dyn Fs>);
    let cache = Cache::open_with(folder.path(), options).unwrap();
    for number in 0..10 {
        cache.put(&key(number), &entry("a")).unwrap();
    }
    cache.gc(&GcOptions::default());
    let tmp = folder.path().join("tmp");
    let written = fs.written.lock().unwrap().clone();
    let elsewhere = written.iter().filter(|path| path.parent() != Some(&tmp));
    let elsewhere: Vec<_> = elsewhere.map(|path| path.file_name().unwrap()).collect();
    assert_eq!(elsewhere, ["CACHEDIR.TAG"]);
}

/// Triton (triton#11319): outputs of two writers are mixed, and a kernel is silently wrong.
#[test]
fn outputs_of_two_writers_are_not_mixed() {
    let folder = Folder::new("defect-mixed");
    let stop = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        for name in ["first", "second"] {
            let (stop, path) = (&stop, folder.path());
            scope.spawn(move || {
                let cache = Cache::open(path).unwrap();
                while !stop.load(Ordering::Relaxed) {
                    cache.put(&key(1), &entry(name)).unwrap();
                }
            });
        }
        let cache = Cache::open(folder.path()).unwrap();
        let mut seen = [0, 0];
        for _ in 0..200_000 {
            match cache.get(&key(1).digest()) {
                Some(found) if found == entry("first") => seen[0] += 1,
                Some(found) if found == entry("second") => seen[1] += 1,
                Some(found) => panic!("{found:?}"),
                None => {}
            }
            if seen[0] > 200 && seen[1] > 200 {
                break;
            }
        }
        stop.store(true, Ordering::Relaxed);
        seen
    });
    assert!(seen[0] + seen[1] > 0, "{seen:?}");
}

/// Triton (triton#11512): directories that others use are removed, with EBUSY; Triton 3.9.0:
/// manifests hold absolute paths, so that a cache that was moved or mounted elsewhere misses.
#[test]
fn directories_stay_and_no_file_has_a_path_of_the_cache() {
    let folder = Folder::new("defect-paths");
    let old = folder.path().join("place-that-is-left");
    let fs = Arc::new(Counting::default());
    let mut options = CacheOptions::default();
    options.fs = Some(Arc::clone(&fs) as Arc<dyn Fs>);
    let cache = Cache::open_with(&old, options).unwrap();
    for number in 0..20 {
        cache
            .put(&key(number), &entry(&number.to_string()))
            .unwrap();
    }
    cache.clear().unwrap();
    cache.put(&key(3), &entry("three")).unwrap();
    drop(cache);
    let removed = fs.removed.lock().unwrap().clone();
    assert!(!removed.is_empty() && removed.iter().all(|path| !path.is_dir()));
    for file in all_files(&old) {
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes.windows(18).any(|part| part == b"place-that-is-left");
        assert!(!found, "{}", file.display());
    }
    let new = folder.path().join("new");
    std::fs::rename(&old, &new).unwrap();
    let cache = Cache::open(&new).unwrap();
    assert_eq!(cache.get(&key(3).digest()), Some(entry("three")));
}

/// Nx (CVE-2025-36852), turborepo#12302: whoever can write to the shared cache decides what others
/// run, since signatures are absent or off.
#[test]
fn entries_of_strangers_are_misses() {
    let folder = Folder::new("defect-poison");
    let shared = folder.path().join("shared");
    let open = |name: &str, secrets: &str, is_reader: bool| {
        let level = Arc::new(DirectoryLevel::new(&shared)) as Arc<dyn Level>;
        let mut options = CacheOptions::default();
        options.mac = MacKeys::parse(secrets).unwrap();
        options.levels = vec![match is_reader {
            true => Arc::new(ReadOnlyLevel(level)),
            false => level,
        }];
        Cache::open_with(folder.path().join(name), options).unwrap()
    };
    let secret = "team 0123456789abcdef";
    open("stranger", "", false)
        .put(&key(1), &entry("poison"))
        .unwrap();
    let builder = open("builder", secret, false);
    assert_eq!(builder.get(&key(1).digest()), None);
    assert_eq!(builder.stats().rejected, 1);
    builder.put(&key(1), &entry("sound")).unwrap();
    // A branch that is not trusted reads what the builder stored, and writes nothing.
    let branch = open("branch", secret, true);
    assert_eq!(branch.get(&key(1).digest()), Some(entry("sound")));
    branch.put(&key(2), &entry("branch")).unwrap();
    assert_eq!(open("other", secret, false).get(&key(2).digest()), None);
    // The stranger copies a signed entry under another key, or changes one byte of it.
    let record = |number: u32| {
        let name = key(number).digest().to_string();
        shared.join("ac").join(&name[..2]).join(name)
    };
    std::fs::create_dir_all(record(7).parent().unwrap()).unwrap();
    std::fs::copy(record(1), record(7)).unwrap();
    let text = std::fs::read_to_string(record(1)).unwrap();
    std::fs::write(record(1), text.replace("exit 0", "exit 1")).unwrap();
    let reader = open("reader", secret, false);
    assert_eq!(reader.get(&key(7).digest()), None);
    assert_eq!(reader.get(&key(1).digest()), None);
}

/// bazel#23561: a cache evicts contents that an action still names, and the build fails.
#[test]
fn evicted_contents_are_misses() {
    let folder = Folder::new("defect-evicted");
    let cache = Cache::open(folder.path()).unwrap();
    cache.put(&key(1), &entry("result")).unwrap();
    for file in all_files(&folder.path().join("cas")) {
        std::fs::remove_file(&file).unwrap();
        assert_eq!(cache.get(&key(1).digest()), None);
        cache.put(&key(1), &entry("result")).unwrap();
        assert_eq!(cache.get(&key(1).digest()), Some(entry("result")));
    }
}

/// The first level is full of what the second one has, and others are written to as well
/// (sccache's chain of levels); a level that fails is reported, and not asked by later processes.
#[test]
fn nearer_levels_are_filled_and_failing_ones_are_left_out() {
    struct Broken(AtomicU64);
    impl Level for Broken {
        fn name(&self) -> &str {
            "broken"
        }
        fn get(
            &self,
            _: &rmlir_cache::Digest,
        ) -> Result<Option<rmlir_cache::Fetched>, rmlir_cache::LevelError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(rmlir_cache::LevelError::new("it is broken"))
        }
        fn put(&self, _: &rmlir_cache::Record, _: &[&[u8]]) -> Result<(), rmlir_cache::LevelError> {
            Err(rmlir_cache::LevelError::new("it is broken"))
        }
    }
    let folder = Folder::new("levels");
    let at = |name: &str| folder.path().join(name);
    let open = |own: &str, levels: Vec<Arc<dyn Level>>| {
        let mut options = CacheOptions::default();
        options.levels = levels;
        options.write = WritePolicy::All;
        Cache::open_with(at(own), options).unwrap()
    };
    let level = |name: &str| Arc::new(DirectoryLevel::new(at(name))) as Arc<dyn Level>;
    open("one", vec![level("far")])
        .put(&key(1), &entry("x"))
        .unwrap();
    let two = open("two", vec![level("near"), level("far")]);
    assert_eq!(two.get(&key(1).digest()), Some(entry("x")));
    let three = open("three", vec![level("near")]);
    assert_eq!(three.get(&key(1).digest()), Some(entry("x")));

    let broken = Arc::new(Broken(AtomicU64::new(0)));
    for _ in 0..5 {
        let cache = open(
            "four",
            vec![Arc::clone(&broken) as Arc<dyn Level>, level("far")],
        );
        for number in 2..10 {
            assert_eq!(cache.get(&key(number).digest()), None);
        }
        assert_eq!(cache.get(&key(1).digest()), Some(entry("x")));
        assert!(cache.messages().iter().any(|one| one.contains("broken")));
    }
    assert_eq!(broken.0.load(Ordering::Relaxed), 3);
}

/// A clock that is wrong, here or on a server: nothing new is removed, and nothing stays for ever.
#[test]
fn clocks_that_differ() {
    /// A server whose clock is five hours slow.
    struct Behind;
    const BEHIND: Duration = Duration::from_secs(5 * 3600);
    fn behind(mut info: FileInfo) -> FileInfo {
        info.modified -= BEHIND;
        info
    }
    impl Fs for Behind {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            RealFs.read(path)
        }
        fn write_new(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
            RealFs.write_new(path, parts)
        }
        fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            RealFs.append(path, bytes)
        }
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            RealFs.rename(from, to)
        }
        fn remove(&self, path: &Path) -> io::Result<()> {
            RealFs.remove(path)
        }
        fn create_directories(&self, path: &Path) -> io::Result<()> {
            RealFs.create_directories(path)
        }
        fn list(&self, path: &Path) -> io::Result<Vec<FileInfo>> {
            Ok(RealFs.list(path)?.into_iter().map(behind).collect())
        }
        fn info(&self, path: &Path) -> io::Result<FileInfo> {
            Ok(behind(RealFs.info(path)?))
        }
        fn touch(&self, path: &Path, time: SystemTime) -> io::Result<()> {
            RealFs.touch(path, time + BEHIND)
        }
    }
    let folder = Folder::new("clock");
    let mut options = CacheOptions::default();
    options.fs = Some(Arc::new(Behind));
    let cache = Cache::open_with(folder.path(), options).unwrap();
    let mut small = GcOptions::default();
    small.max_bytes = 0;
    cache.put(&key(1), &entry("new")).unwrap();
    assert_eq!(cache.gc(&small).files_removed, 0);
    assert_eq!(cache.get(&key(1).digest()), Some(entry("new")));

    let cache = Cache::open(folder.path()).unwrap();
    let set = |hours: i64| {
        let distance = Duration::from_secs(hours.unsigned_abs() * 3600);
        let now = SystemTime::now();
        let time = if hours > 0 {
            now + distance
        } else {
            now - distance
        };
        for file in all_files(folder.path()) {
            let times = std::fs::FileTimes::new().set_modified(time);
            std::fs::File::open(file).unwrap().set_times(times).unwrap();
        }
    };
    set(24 * 365);
    cache.gc(&small);
    let latest = SystemTime::now() + Duration::from_secs(60);
    for part in ["ac", "cas"] {
        for file in all_files(&folder.path().join(part)) {
            let modified = std::fs::metadata(&file).unwrap().modified().unwrap();
            assert!(modified < latest, "{}", file.display());
        }
    }
    set(-2);
    assert!(cache.gc(&small).files_removed >= 3);
}

/// Maintenance of a directory that is not a cache would remove the files of others.
#[test]
fn directories_of_others_are_refused() {
    let folder = Folder::new("foreign");
    std::fs::create_dir(folder.path().join("tmp")).unwrap();
    std::fs::write(folder.path().join("tmp/thesis"), "years of work").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "notes").unwrap();
    let error = Cache::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("notes.txt"), "{error}");
    std::fs::remove_file(folder.path().join("notes.txt")).unwrap();
    // Nothing was stored by a cache here yet.
    let cache = Cache::open(folder.path()).unwrap();
    assert_eq!(cache.clear().unwrap(), 0);
    cache.gc(&GcOptions::default());
    assert!(folder.path().join("tmp/thesis").exists());
}
