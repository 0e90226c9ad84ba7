//! Many processes on one directory, killed at random; file systems that fail; damage.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod common;

use common::{Folder, mount_sshfs};
use rmlir_cache::fs::{FileInfo, Fs, RealFs};
use rmlir_cache::{ActionKey, Cache, CacheOptions, Entry, GcOptions, MacKeys};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

const KEYS: u64 = 100;

fn key(number: u64) -> ActionKey {
    ActionKey::new("test", "1")
        .with("number", number.to_string())
        .finish()
}

/// The content of a key: of a size and bytes that follow from its number.
fn content(number: u64) -> Vec<u8> {
    let len = (number * 7919) % 50_000;
    (0..len).map(|at| (at * 31 + number) as u8).collect()
}

fn entry(number: u64) -> Entry {
    let small = format!("small {number}");
    Entry::new()
        .with_output("out", content(number))
        .with_output("stderr", small)
}

fn check(number: u64, found: &Entry) {
    assert_eq!(
        found.output("out"),
        Some(content(number).as_slice()),
        "wrong bytes of {number}"
    );
    assert_eq!(
        found.output("stderr"),
        Some(format!("small {number}").as_bytes())
    );
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Fails at random, as file systems on a network do, and tears writes.
struct Failing {
    state: AtomicU64,
    /// One of this many operations fails.
    one_of: u64,
}

impl Failing {
    fn new(seed: u64, one_of: u64) -> Self {
        Failing {
            state: AtomicU64::new(seed | 1),
            one_of,
        }
    }

    fn random(&self) -> u64 {
        let mut state = self.state.load(Ordering::Relaxed);
        let value = next(&mut state);
        self.state.store(state, Ordering::Relaxed);
        value
    }

    fn check(&self) -> io::Result<()> {
        // EBUSY, ESTALE, ENOSPC, EIO.
        let codes = [16, 116, 28, 5];
        match self.random() % self.one_of {
            0 => Err(io::Error::from_raw_os_error(
                codes[(self.random() % 4) as usize],
            )),
            _ => Ok(()),
        }
    }
}

impl Fs for Failing {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.check()?;
        let mut bytes = RealFs.read(path)?;
        // A short or wrong read, without an error.
        if self.random().is_multiple_of(self.one_of) && !bytes.is_empty() {
            let at = (self.random() % bytes.len() as u64) as usize;
            match self.random() % 2 {
                0 => bytes.truncate(at),
                _ => bytes[at] ^= 0x10,
            }
        }
        Ok(bytes)
    }

    fn write_new(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let all = parts.concat();
        let at = (self.random() % (all.len() as u64 + 1)) as usize;
        match self.random() % self.one_of {
            0 => {
                RealFs.write_new(path, &[&all[..at]])?;
                Err(io::Error::from_raw_os_error(28))
            }
            // A torn write that is reported as a success: a crash of a server.
            1 => RealFs.write_new(path, &[&all[..at]]),
            _ => RealFs.write_new(path, parts),
        }
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        RealFs.append(path, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check()?;
        RealFs.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.check()?;
        RealFs.remove(path)
    }

    fn create_directories(&self, path: &Path) -> io::Result<()> {
        self.check()?;
        RealFs.create_directories(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<FileInfo>> {
        self.check()?;
        RealFs.list(path)
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        self.check()?;
        RealFs.info(path)
    }

    fn touch(&self, path: &Path, time: SystemTime) -> io::Result<()> {
        self.check()?;
        RealFs.touch(path, time)
    }
}

/// Gets, and puts what is missing. Fails if a wrong byte is returned.
fn work(directory: &Path, seed: u64, rounds: u64, fs: Option<Arc<dyn Fs>>) {
    let mut options = CacheOptions::default();
    options.fs = fs;
    let cache = Cache::open_with(directory, options).unwrap();
    let mut state = seed | 1;
    for _ in 0..rounds {
        let number = next(&mut state) % KEYS;
        match cache.get(&key(number).digest()) {
            Some(found) => check(number, &found),
            // If storing fails, the build goes on.
            None => drop(cache.put(&key(number), &entry(number))),
        }
        // Also replaces entries that are there, and collects garbage meanwhile.
        if next(&mut state).is_multiple_of(4) {
            drop(cache.put(&key(number), &entry(number)));
        }
        if next(&mut state).is_multiple_of(2000) {
            cache.gc(&GcOptions::default());
        }
    }
}

/// Not a test: the work of one process of the tests below.
#[test]
fn worker() {
    let Ok(directory) = std::env::var("RMLIR_TEST_WORKER") else {
        return;
    };
    let number = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let seed = number("RMLIR_TEST_SEED");
    let one_of = number("RMLIR_TEST_FAULTS");
    let fs = (one_of > 0).then(|| Arc::new(Failing::new(seed, one_of)) as Arc<dyn Fs>);
    work(Path::new(&directory), seed, number("RMLIR_TEST_ROUNDS"), fs);
}

fn start_worker(directory: &Path, seed: u64, rounds: u64, faults: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "worker", "--nocapture"])
        .env("RMLIR_TEST_WORKER", directory)
        .env("RMLIR_TEST_SEED", seed.to_string())
        .env("RMLIR_TEST_ROUNDS", rounds.to_string())
        .env("RMLIR_TEST_FAULTS", faults.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs processes until they have done their rounds; kills some of them, and starts others.
fn many_processes(directory: &Path, rounds: u64, kills: u64, faults: u64) {
    let mut seed = 12345;
    let mut left = kills;
    let mut running: Vec<Child> = (0..8)
        .map(|_| start_worker(directory, next(&mut seed), rounds, faults))
        .collect();
    while let Some(mut child) = running.pop() {
        if left > 0 {
            left -= 1;
            std::thread::sleep(Duration::from_millis(next(&mut seed) % 60));
            // SIGKILL.
            child.kill().unwrap();
            child.wait().unwrap();
            running.insert(0, start_worker(directory, next(&mut seed), rounds, faults));
            continue;
        }
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
    }
}

fn files(directory: &Path) -> u64 {
    let mut open = vec![directory.to_owned()];
    let mut count = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => count += 1,
            }
        }
    }
    count
}

/// Whatever happened before, the cache works, and has no more than what was put.
fn check_afterwards(directory: &Path, kills: u64) {
    // One temporary file for each process that was killed, a record and two contents for each key.
    // Statistics, the tag, and the time of the last collection.
    let most = 3 * KEYS + kills + 3;
    assert!(files(directory) <= most, "{} files", files(directory));
    let cache = Cache::open(directory).unwrap();
    for number in 0..KEYS {
        cache.put(&key(number), &entry(number)).unwrap();
        check(number, &cache.get(&key(number).digest()).unwrap());
    }
    let report = cache.verify(false);
    assert_eq!(report.damaged, Vec::<PathBuf>::new());
    assert_eq!(report.incomplete, Vec::<PathBuf>::new());
}

#[test]
fn processes_that_are_killed() {
    let folder = Folder::new("killed");
    many_processes(folder.path(), 10_000 / 8, 40, 0);
    check_afterwards(folder.path(), 40);
}

#[test]
fn processes_that_are_killed_on_a_failing_file_system() {
    let folder = Folder::new("failing");
    many_processes(folder.path(), 10_000 / 8, 20, 20);
    // Torn writes leave damaged files under names of contents that are never put again.
    let cache = Cache::open(folder.path()).unwrap();
    assert!(cache.stats().damaged > 0);
    cache.verify(true);
    drop(cache);
    for file in std::fs::read_dir(folder.path().join("tmp")).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    check_afterwards(folder.path(), 20);
}

#[test]
fn processes_that_are_killed_on_a_network_file_system() {
    let folder = Folder::new("network");
    let Some(mount) = mount_sshfs(&folder) else {
        return;
    };
    let rounds = std::env::var("RMLIR_CACHE_ROUNDS").map_or(60, |text| text.parse().unwrap());
    many_processes(&mount.path().join("cache"), rounds, 8, 0);
    check_afterwards(&mount.path().join("cache"), 8);
}

/// Injected failures on a network file system.
#[test]
fn processes_that_are_killed_on_a_failing_network_file_system() {
    let folder = Folder::new("network-failing");
    let Some(mount) = mount_sshfs(&folder) else {
        return;
    };
    let rounds = std::env::var("RMLIR_CACHE_ROUNDS").map_or(40, |text| text.parse().unwrap());
    let path = mount.path().join("cache");
    many_processes(&path, rounds, 6, 20);
    let cache = Cache::open(&path).unwrap();
    cache.verify(true);
    drop(cache);
    for file in std::fs::read_dir(path.join("tmp")).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    check_afterwards(&path, 6);
}

/// A file system that is full: nothing is stored, what is there is returned, and the next put works
/// when there is space again.
#[test]
fn a_full_file_system() {
    let folder = Folder::new("full");
    let mount = folder.path().join("mount");
    std::fs::create_dir_all(&mount).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "none"])
        .arg(&mount)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return common::skipped("no file system can be mounted");
    }
    struct Unmount(PathBuf);
    impl Drop for Unmount {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg("-l").arg(&self.0).status();
        }
    }
    let _unmount = Unmount(mount.clone());
    let cache = Cache::open(mount.join("cache")).unwrap();
    let mut failed = 0;
    for number in 0..KEYS {
        failed += u64::from(cache.put(&key(number), &entry(number)).is_err());
    }
    assert!(failed > 0 && failed < KEYS);
    let mut found = 0;
    for number in 0..KEYS {
        if let Some(entry) = cache.get(&key(number).digest()) {
            check(number, &entry);
            found += 1;
        }
    }
    assert!(found > 0);
    assert_eq!(
        std::fs::read_dir(mount.join("cache/tmp")).unwrap().count(),
        0
    );
    make_older(&mount, 2);
    let mut options = GcOptions::default();
    options.max_bytes = 64 << 10;
    cache.gc(&options);
    cache.put(&key(3), &entry(3)).unwrap();
    check(3, &cache.get(&key(3).digest()).unwrap());
}

#[test]
fn nothing_that_was_cut_off_or_changed_is_returned_and_it_is_replaced() {
    let folder = Folder::new("cut");
    let cache = Cache::open(folder.path()).unwrap();
    cache.put(&key(3), &entry(3)).unwrap();
    let all = |directory: &str| {
        let folders = std::fs::read_dir(folder.path().join(directory)).unwrap();
        let files = folders.flat_map(|one| std::fs::read_dir(one.unwrap().path()).unwrap());
        files
            .map(|file| file.unwrap().path())
            .collect::<Vec<PathBuf>>()
    };
    for file in all("ac").into_iter().chain(all("cas")) {
        let sound = std::fs::read(&file).unwrap();
        let mut flipped = sound.clone();
        flipped[sound.len() / 2] ^= 4;
        for bad in [&sound[..sound.len() / 2], &[], &flipped] {
            std::fs::write(&file, bad).unwrap();
            assert!(cache.get(&key(3).digest()).is_none());
            // In other caches a damaged entry is never written again.
            cache.put(&key(3), &entry(3)).unwrap();
            check(3, &cache.get(&key(3).digest()).unwrap());
        }
        std::fs::remove_file(&file).unwrap();
        assert!(cache.get(&key(3).digest()).is_none());
        cache.put(&key(3), &entry(3)).unwrap();
    }
    assert!(cache.stats().damaged > 0);
}

#[test]
fn an_orphan_does_not_stop_writing() {
    let folder = Folder::new("orphan");
    let cache = Cache::open(folder.path()).unwrap();
    cache.put(&key(1), &entry(1)).unwrap();
    std::fs::write(folder.path().join("x-cache"), "orphan").unwrap();
    std::fs::create_dir_all(folder.path().join("ac/zz/deeper")).unwrap();
    std::fs::write(folder.path().join("ac/zz/orphan"), "orphan").unwrap();
    std::fs::write(folder.path().join("cas/orphan"), "").unwrap();
    cache.gc(&GcOptions::default());
    cache.put(&key(2), &entry(2)).unwrap();
    check(1, &cache.get(&key(1).digest()).unwrap());
    check(2, &cache.get(&key(2).digest()).unwrap());
}

#[test]
fn a_cache_can_be_moved() {
    let folder = Folder::new("moved");
    let (old, new) = (
        folder.path().join("old"),
        folder.path().join("elsewhere/new"),
    );
    Cache::open(&old).unwrap().put(&key(5), &entry(5)).unwrap();
    std::fs::create_dir_all(new.parent().unwrap()).unwrap();
    std::fs::rename(&old, &new).unwrap();
    check(
        5,
        &Cache::open(&new).unwrap().get(&key(5).digest()).unwrap(),
    );
}

/// Sets the time of all files, as if they had not been used for some hours.
fn make_older(directory: &Path, hours: u64) {
    let time = SystemTime::now() - Duration::from_secs(hours * 3600);
    let mut open = vec![directory.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let times = std::fs::FileTimes::new().set_modified(time);
                std::fs::File::open(path).unwrap().set_times(times).unwrap();
            }
        }
    }
}

#[test]
fn the_collector_removes_the_oldest_and_nothing_new() {
    let folder = Folder::new("gc");
    let cache = Cache::open(folder.path()).unwrap();
    for number in 0..KEYS {
        cache.put(&key(number), &entry(number)).unwrap();
    }
    let mut options = GcOptions::default();
    options.max_bytes = 0;
    assert_eq!(
        cache.gc(&options).files_removed,
        0,
        "nothing younger than an hour"
    );
    make_older(folder.path(), 5);
    // A use makes it new.
    check(7, &cache.get(&key(7).digest()).unwrap());
    cache.gc(&options);
    check(7, &cache.get(&key(7).digest()).unwrap());
    assert!(
        (0..KEYS)
            .filter(|&n| n != 7)
            .all(|n| cache.get(&key(n).digest()).is_none())
    );

    for number in 0..KEYS {
        cache.put(&key(number), &entry(number)).unwrap();
    }
    make_older(folder.path(), 5);
    let before = cache.bytes();
    options.max_bytes = before / 2;
    let report = cache.gc(&options);
    assert!(
        cache.bytes() <= before / 2 && cache.bytes() > before / 4,
        "{report:?}"
    );
    options.max_bytes = u64::MAX;
    options.max_age = Duration::from_secs(3600 * 4);
    make_older(folder.path(), 5);
    cache.gc(&options);
    assert_eq!(
        (cache.records().len(), cache.verify(false).contents),
        (0, 0)
    );
}

#[test]
fn temporary_files_of_killed_processes_are_removed() {
    let folder = Folder::new("tmp");
    let cache = Cache::open(folder.path()).unwrap();
    cache.put(&key(1), &entry(1)).unwrap();
    std::fs::write(folder.path().join("tmp/1-2-3"), "cut off").unwrap();
    cache.gc(&GcOptions::default());
    assert!(folder.path().join("tmp/1-2-3").exists());
    make_older(folder.path(), 2);
    cache.gc(&GcOptions::default());
    assert!(!folder.path().join("tmp/1-2-3").exists());
    check(1, &cache.get(&key(1).digest()).unwrap());
}

#[test]
fn entries_without_a_valid_code_are_misses() {
    let folder = Folder::new("mac");
    let open = |secrets: &str| {
        let mut options = CacheOptions::default();
        options.mac = MacKeys::parse(secrets).unwrap();
        Cache::open_with(folder.path(), options).unwrap()
    };
    open("").put(&key(1), &entry(1)).unwrap();
    open("a 0123456789abcdef").put(&key(2), &entry(2)).unwrap();
    assert!(open("a 0123456789abcdef").get(&key(1).digest()).is_none());
    assert!(open("b 0123456789abcdef").get(&key(2).digest()).is_none());
    check(
        2,
        &open("b 0123456789abcde2\na 0123456789abcdef")
            .get(&key(2).digest())
            .unwrap(),
    );
    // The record of another key under this name.
    let path = |number: u64| {
        let name = key(number).digest().to_string();
        folder.path().join("ac").join(&name[..2]).join(name)
    };
    std::fs::create_dir_all(path(9).parent().unwrap()).unwrap();
    std::fs::copy(path(2), path(9)).unwrap();
    assert!(open("a 0123456789abcdef").get(&key(9).digest()).is_none());
}

#[test]
fn a_read_only_cache_writes_nothing() {
    let folder = Folder::new("read-only");
    Cache::open(folder.path())
        .unwrap()
        .put(&key(1), &entry(1))
        .unwrap();
    let before = files(folder.path());
    let mut options = CacheOptions::default();
    options.read_only = true;
    let cache = Cache::open_with(folder.path(), options).unwrap();
    assert!(cache.put(&key(2), &entry(2)).is_err());
    check(1, &cache.get(&key(1).digest()).unwrap());
    drop(cache);
    assert_eq!(files(folder.path()), before);
}
