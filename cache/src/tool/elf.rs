//! Shared libraries of ELF files, as the loader of the system resolves them.

use super::UnknownIdentity;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The type of the program header with the path of the loader (System V ABI, `PT_INTERP`).
const INTERPRETER: u32 = 3;
/// The type of the program header of dynamic objects (`PT_DYNAMIC`).
const DYNAMIC: u32 = 2;
/// The loaders that resolve the libraries of a shared object, which does not name one.
const LOADERS: &[&str] = &[
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// Returns whether a file is in ELF.
pub(super) fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}

/// The content of the program headers.
enum Kind {
    /// The program needs no loader.
    Static,
    /// The loader, if the file names one.
    Dynamic(Option<PathBuf>),
}

/// Returns the libraries that are loaded with a file, by name, with symbolic links resolved. The
/// loader is one of them.
///
/// The loader itself is asked (`ld.so --list`), which does not run the program: the rules of
/// RPATH, RUNPATH, `LD_LIBRARY_PATH`, `LD_PRELOAD`, its cache and hardware capabilities are its
/// own.
pub(super) fn libraries(
    path: &Path,
    is_program: bool,
) -> Result<BTreeMap<String, PathBuf>, UnknownIdentity> {
    let unknown = |reason: &str| {
        UnknownIdentity::new(format!(
            "what '{}' loads is unknown: {reason}",
            path.display()
        ))
    };
    if !is_elf(path) {
        let reason = match is_script(path) {
            true => "it is a script",
            false => "it is not an ELF file",
        };
        return Err(unknown(reason));
    }
    let kind = kind(path).map_err(|_| unknown("its program headers are damaged"))?;
    let loader = match kind {
        Kind::Static => return Ok(BTreeMap::new()),
        // A file that is not run may name any program as its loader.
        Kind::Dynamic(Some(loader)) if is_program || is_loader(&loader) => loader,
        Kind::Dynamic(None) if is_program => return Ok(BTreeMap::new()),
        Kind::Dynamic(_) => {
            let mut loaders = LOADERS.iter().map(PathBuf::from);
            let found = loaders.find(|loader| loader.exists());
            found.ok_or_else(|| unknown("no loader is found"))?
        }
    };
    // The kernel follows symbolic links to a program, and `$ORIGIN` is where it is; a library is
    // where it is found. A name without a slash would be searched for.
    let file = match is_program {
        true => std::fs::canonicalize(path),
        false => std::path::absolute(path),
    };
    let file = file.map_err(|_| unknown("its path is unknown"))?;
    let output = Command::new(&loader)
        .arg("--list")
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .map_err(|_| unknown("its loader cannot be run"))?;
    if !output.status.success() {
        return Err(unknown("its loader does not list its libraries"));
    }
    let mut found = BTreeMap::new();
    found.insert("(loader)".to_owned(), loader);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // The address follows in parentheses. What the kernel provides has no path.
        let line = line.trim();
        let line = line.rsplit_once(" (").map_or(line, |(line, _)| line);
        let (name, target) = match line.split_once(" => ") {
            Some((name, target)) => (name, target),
            None => (line, line),
        };
        if target.starts_with("not found") {
            return Err(unknown(&format!("the library '{name}' is not found")));
        }
        if target.starts_with('/') {
            let name = Path::new(name).file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            found.insert(name, PathBuf::from(target));
        }
    }
    Ok(found)
}

fn is_loader(path: &Path) -> bool {
    LOADERS.iter().any(|loader| Path::new(loader) == path)
}

/// Returns whether a file names its interpreter.
pub(super) fn is_script(path: &Path) -> bool {
    let mut start = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"#!"
}

/// Reads fixed-size numbers of either byte order.
struct Numbers<'b> {
    bytes: &'b [u8],
    is_big: bool,
}

impl Numbers<'_> {
    fn get(&self, at: usize, len: usize) -> std::io::Result<u64> {
        let end = at.saturating_add(len);
        let bytes = self
            .bytes
            .get(at..end)
            .ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let fold = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(match self.is_big {
            true => bytes.iter().fold(0, fold),
            false => bytes.iter().rev().fold(0, fold),
        })
    }
}

fn kind(path: &Path) -> std::io::Result<Kind> {
    let mut file = File::open(path)?;
    let mut header = [0; 64];
    file.read_exact(&mut header)?;
    let is_wide = header.get(4) == Some(&2);
    let is_big = header.get(5) == Some(&2);
    let numbers = Numbers {
        bytes: &header,
        is_big,
    };
    let (start, size, count) = match is_wide {
        true => (
            numbers.get(32, 8)?,
            numbers.get(54, 2)?,
            numbers.get(56, 2)?,
        ),
        false => (
            numbers.get(28, 4)?,
            numbers.get(42, 2)?,
            numbers.get(44, 2)?,
        ),
    };
    let mut table = vec![0; usize::try_from(size.saturating_mul(count)).unwrap_or(0)];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut table)?;
    let mut is_dynamic = false;
    for row in table.chunks_exact(usize::try_from(size).unwrap_or(1).max(1)) {
        let numbers = Numbers { bytes: row, is_big };
        let kind = u32::try_from(numbers.get(0, 4)?).unwrap_or(0);
        is_dynamic |= kind == DYNAMIC;
        if kind != INTERPRETER {
            continue;
        }
        let (offset, len) = match is_wide {
            true => (numbers.get(8, 8)?, numbers.get(32, 8)?),
            false => (numbers.get(4, 4)?, numbers.get(16, 4)?),
        };
        let mut name = Vec::new();
        file.seek(SeekFrom::Start(offset))?;
        file.take(len.min(4096)).read_to_end(&mut name)?;
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        return Ok(Kind::Dynamic(Some(PathBuf::from(name))));
    }
    Ok(match is_dynamic {
        true => Kind::Dynamic(None),
        false => Kind::Static,
    })
}
