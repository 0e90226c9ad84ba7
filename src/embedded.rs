//! MLIR in other files: object files, executables, archives, WebAssembly modules, zip files,
//! JSON, exports of JAX and TensorFlow, and kernels in attributes of other modules.
//!
//! [`open`](crate::open()), [`read`](crate::read()) and [`File`](crate::File) look into such files
//! themselves, and [`Select`] chooses where there are several modules. [`unwrap`] lists them.
//!
//! ```
//! use rmlir::embedded;
//! use rmlir::{Form, ReadOptions};
//!
//! let module = rmlir::parse("func.func private @f()")?.to_bytes(Form::Mlirbc, &Default::default())?;
//! let bytes = [b"bytes of a program".as_slice(), &module].concat();
//! let found = embedded::unwrap(&bytes.into(), &ReadOptions::default());
//! assert_eq!(found.artifacts[0].offset, 18);
//! assert_eq!(found.artifacts[0].content, embedded::Content::Mlirbc);
//! # Ok::<(), rmlir::Error>(())
//! ```

use crate::format::Source;
use crate::{Error, Form, ReadOptions, Result, rmbc};
use rmlir_ir::sort::CompactSort as _;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

pub use rmlir_embed::{
    Artifact, Content, Embedded, Misaligned, Reason, Unread, UnwrapOptions, Unwrapped,
    container_format, own, record,
};

/// Opens an embedded module, whose symbols are then read one at a time. Bytecode is not copied:
/// nothing proportional to its length is allocated.
///
/// # Errors
///
/// If the program has it at an address that its blobs cannot be used at
/// ([`Embedded::check_alignment`]), or those of [`File::from_bytes`](crate::File::from_bytes).
///
/// ```no_run
/// for module in rmlir::embedded::own() {
///     let file = rmlir::embedded::file(&module, &Default::default())?;
///     println!("{} has {} symbols", module.name, file.symbols()?.len());
/// }
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn file(embedded: &Embedded, options: &ReadOptions) -> Result<crate::File> {
    let aligned = embedded.check_alignment();
    aligned.map_err(|error| Error::request(error.to_string()))?;
    crate::File::from_bytes(embedded.source(), options)
}

/// Returns the module that the build script prepared from a file, as an
/// [`Embedded`](crate::embedded::Embedded): an expression.
///
/// The path is the one that the script gave to `rmlir_embed_build::embed`. The module is in the
/// program, aligned, and is listed by [`own`](crate::embedded::own).
///
/// ```ignore
/// let add = rmlir::include_mlir!("kernels/add.mlir");
/// let file = rmlir::embedded::file(&add, &Default::default())?;
/// ```
#[macro_export]
macro_rules! include_mlir {
    ($path:literal) => {
        $crate::embedded::included(include!(concat!(env!("OUT_DIR"), "/rmlir/", $path, ".rs")))
    };
}

/// Returns the module of a record that `rmlir-embed-build` wrote; the expansion of
/// [`include_mlir`](crate::include_mlir).
#[doc(hidden)]
pub fn included(record: &'static [u8]) -> Embedded {
    let embedded = Embedded::of_record(record);
    debug_assert!(embedded.is_some(), "the build script wrote a record");
    embedded.unwrap_or_else(Embedded::empty)
}

/// Selects the module to read from a file that holds several.
///
/// ```
/// use rmlir::embedded::Select;
///
/// let mut options = rmlir::ReadOptions::default();
/// options.select = Some(Select::Index(0));
/// assert!(rmlir::read_with(&b"module {}"[..], &options).is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Select {
    /// The artifact with this index in the list of [`unwrap`].
    Index(usize),
    /// The only module with this name. Of a name that consists of several, as those of section and
    /// module in `rmlir:add`, or those of folder and file, the first or the last is enough.
    Section(String),
}

impl Select {
    /// Returns whether the artifact with an index in the list of [`unwrap`] is selected.
    ///
    /// ```
    /// use rmlir::embedded::{Artifact, Select};
    ///
    /// let artifact = Artifact::text(b"module {}"[..].into());
    /// assert!(Select::Index(0).accepts(0, &artifact));
    /// assert!(!Select::Section("rmlir".to_owned()).accepts(0, &artifact));
    /// ```
    pub fn accepts(&self, index: usize, artifact: &Artifact) -> bool {
        match self {
            Select::Index(wanted) => *wanted == index,
            Select::Section(name) => has_name(artifact, name),
        }
    }
}

/// Lists the modules in a file: those in containers that are known, and those whose magic number is
/// found anywhere, also in base64. See [`rmlir_embed::unwrap()`].
///
/// A plain file of text or bytecode is listed as itself. In addition, the strings of native
/// bytecode are searched, which may be compressed in the file. Producers are completed.
///
/// ```
/// use rmlir::{ReadOptions, embedded};
///
/// let found = embedded::unwrap(&b"module {}"[..].into(), &ReadOptions::default());
/// assert_eq!(found.artifacts[0].content, embedded::Content::Text);
/// ```
pub fn unwrap(source: &Source, options: &ReadOptions) -> Unwrapped {
    completed(search(source, options), source, options)
}

/// Lists the modules in a file as [`unwrap`] does, and in the members of a thin archive, which are
/// files of their own: those that are in the folder of the archive. Offsets are those in these
/// files.
///
/// Members elsewhere, through `..` or symbolic links that lead out of the folder, are not read, and
/// are listed as [`Unwrapped::unread`].
///
/// ```no_run
/// use rmlir::{ReadOptions, Source, embedded};
///
/// let source = Source::read("lib/kernels.a")?;
/// let found = embedded::unwrap_file(&source, "lib/kernels.a", &ReadOptions::default());
/// # Ok::<(), rmlir::format::Error>(())
/// ```
pub fn unwrap_file(source: &Source, path: impl AsRef<Path>, options: &ReadOptions) -> Unwrapped {
    let found = with_members(search(source, options), path.as_ref(), options);
    completed(found, source, options)
}

/// Finds modules in bytes alone.
fn search(source: &Source, options: &ReadOptions) -> Unwrapped {
    rmlir_embed::unwrap(source, &limits(options))
}

fn limits(options: &ReadOptions) -> UnwrapOptions {
    let mut limits = UnwrapOptions::default();
    limits.limits = options.limits.clone();
    limits
}

/// Adds the modules in the members of thin archives.
fn with_members(mut found: Unwrapped, archive: &Path, options: &ReadOptions) -> Unwrapped {
    let is_member = |unread: &Unread| matches!(unread.reason, Reason::Elsewhere(_));
    if !found.unread.iter().any(is_member) {
        return found;
    }
    let folder = match archive.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let Ok(folder) = folder.canonicalize() else {
        return found;
    };
    // A file is read once, however often the archive names it.
    let mut read = HashSet::new();
    let mut inside = |unread: &Unread| {
        let Reason::Elsewhere(path) = &unread.reason else {
            return None;
        };
        let path = folder.join(path).canonicalize().ok()?;
        let is_inside = path.starts_with(&folder) && path.is_file() && read.len() < MAX_FILES;
        if !is_inside {
            return None;
        }
        match read.insert(path.clone()) {
            true => Some(Some(Source::read(path).ok()?)),
            false => Some(None),
        }
    };
    let mut all = Vec::new();
    for unread in std::mem::take(&mut found.unread) {
        match inside(&unread) {
            None => all.push(unread),
            Some(None) => {}
            Some(Some(source)) => {
                let inner = search(&source, options);
                let (container, name) = (&unread.container, &unread.name);
                for mut artifact in inner.artifacts {
                    artifact.container = joined(&[container, &artifact.container], "/");
                    artifact.name = joined(&[name, &artifact.name], ":");
                    artifact.depth = artifact.depth.saturating_add(1);
                    found.artifacts.push(artifact);
                }
                for mut inner in inner.unread {
                    inner.container = joined(&[container, &inner.container], "/");
                    inner.name = joined(&[name, &inner.name], ":");
                    all.push(inner);
                }
            }
        }
    }
    found.unread = all;
    found.is_complete = found.unread.is_empty();
    found
}

/// Joins the parts that are not empty.
fn joined(parts: &[&str], separator: &str) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(separator)
}

/// Adds the modules in the strings of native bytecode, producers, and a text as itself.
fn completed(mut found: Unwrapped, source: &Source, options: &ReadOptions) -> Unwrapped {
    // Modules in the strings of another are often found in its bytes, too. By the range of the
    // module, as those in one compressed member have the same.
    let mut known: HashMap<(u64, u64), HashSet<&[u8]>> = HashMap::new();
    let mut producers = Vec::new();
    let mut nested = Vec::new();
    for (index, artifact) in found.artifacts.iter().enumerate() {
        if artifact.content != Content::Rmbc || !artifact.is_intact {
            continue;
        }
        // What cannot be read has no strings to search.
        let Ok((producer, inner)) = look_into(artifact, options) else {
            continue;
        };
        producers.push((index, producer));
        found.unread.extend(inner.unread);
        let (start, span) = (artifact.offset, artifact.span);
        let known = known.entry((start, span)).or_insert_with(|| {
            let later = found.artifacts.get(index..).unwrap_or_default();
            let inside = |other: &&Artifact| other.offset < start.saturating_add(span);
            let inside = later.iter().take_while(inside);
            let deeper = inside.filter(|other| other.depth > artifact.depth);
            deeper.map(|other| &other.source[..]).collect()
        });
        let mut own = HashSet::new();
        let is_new: Vec<bool> = inner
            .artifacts
            .iter()
            .map(|other| !known.contains(&other.source[..]) && own.insert(&other.source[..]))
            .collect();
        let new = inner.artifacts.into_iter().zip(is_new);
        nested.extend(new.filter_map(|(other, is_new)| is_new.then_some(other)));
    }
    for (index, producer) in producers {
        if let Some(artifact) = found.artifacts.get_mut(index) {
            artifact.producer = producer;
        }
    }
    found.is_complete = found.unread.is_empty();
    found.artifacts.append(&mut nested);
    let order = |artifact: &Artifact| (artifact.offset, artifact.depth);
    found.artifacts.compact_sort_by_key(order);
    if !is_wrapped(source) && Form::of(source) == Form::Text && is_text(source, options) {
        for nested in &mut found.artifacts {
            nested.depth = nested.depth.saturating_add(1);
            nested.container = joined(&["text", &nested.container], "/");
        }
        found.artifacts.insert(0, Artifact::text(source.clone()));
    }
    found
}

/// Returns whether a text is MLIR: it begins as MLIR usually does, or can be parsed.
fn is_text(source: &Source, options: &ReadOptions) -> bool {
    let parses = || {
        let mut options = options.clone();
        options.select = None;
        (options.allow_unknown, options.check_text) = (true, false);
        (options.verify, options.normalize) = (false, false);
        crate::Ir::read(source.clone(), &options).is_ok()
    };
    !source.is_empty() && (rmlir_embed::is_mlir_text(source) || parses())
}

/// Returns the producer of a native file, and the modules in its strings.
fn look_into(artifact: &Artifact, options: &ReadOptions) -> Result<(Option<String>, Unwrapped)> {
    let limits = limits(options);
    let mut context = options.context();
    let file = rmbc::File::new(&context, artifact.source.clone(), &options.rmbc_options())?;
    let mut all = rmlir_embed::unwrap(&Source::default(), &limits);
    file.texts(&mut |text| {
        if let Some(found) = rmlir_embed::unwrap_string(text, &limits) {
            all.artifacts.extend(found.artifacts);
            all.unread.extend(found.unread);
        }
    })?;
    let container = |inner: &str| joined(&[&artifact.container, "rmbc", inner], "/");
    for found in &mut all.artifacts {
        found.container = container(&found.container);
        found.depth = found.depth.saturating_add(artifact.depth).saturating_add(1);
        (found.offset, found.span) = (artifact.offset, artifact.span);
    }
    for unread in &mut all.unread {
        unread.container = container(&unread.container);
        unread.offset = artifact.offset;
    }
    let producer = file.contents(&mut context)?.provenance.producer;
    let producer = producer.map(|name| context.str(name).into_owned());
    Ok((producer, all))
}

/// Lists the modules in all files of a folder, such as a SavedModel or a cache of Triton, by path.
/// Offsets are those in the files, whose paths come first in the names. Symbolic links are not
/// followed.
///
/// # Errors
///
/// If the folder or a file in it cannot be read, or it has more than 65,536 files.
///
/// ```no_run
/// let found = rmlir::embedded::unwrap_folder("saved_model", &Default::default())?;
/// for artifact in &found.artifacts {
///     println!("{} at {}", artifact.name, artifact.offset);
/// }
/// # Ok::<(), rmlir::Error>(())
/// ```
pub fn unwrap_folder(folder: impl AsRef<Path>, options: &ReadOptions) -> Result<Unwrapped> {
    let folder = folder.as_ref();
    let mut all = rmlir_embed::unwrap(&Source::default(), &UnwrapOptions::default());
    all.container = Some("folder");
    for path in files(folder).map_err(|error| Error::from(error).in_file(&shown(folder)))? {
        let relative = path.strip_prefix(folder).unwrap_or(&path);
        let name = shown(relative);
        let source =
            Source::read(&path).map_err(|error| Error::from(error).in_file(&shown(&path)))?;
        let is_text = rmlir_embed::is_text_name(&name);
        if !is_text && Form::of(&source) == Form::Text && !is_wrapped(&source) {
            continue;
        }
        let found = unwrap_file(&source, &path, options);
        for mut artifact in found.artifacts {
            artifact.name = joined(&[&name, &artifact.name], ":");
            all.artifacts.push(artifact);
        }
        for mut unread in found.unread {
            unread.name = joined(&[&name, &unread.name], ":");
            all.unread.push(unread);
        }
    }
    all.is_complete = all.unread.is_empty();
    Ok(all)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The maximum number of files in a folder.
const MAX_FILES: usize = 1 << 16;

/// Returns all files below a folder, sorted by path.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
            if files.len().max(folders.len()) > MAX_FILES {
                let message = format!("the folder has more than {MAX_FILES} files");
                return Err(std::io::Error::other(message));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns whether a file is not a plain module, but may hold some: it is of a known container
/// format, compressed or binary data, or bytecode that other bytes follow.
///
/// ```
/// use rmlir::embedded::is_wrapped;
///
/// assert!(is_wrapped(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"));
/// assert!(!is_wrapped(b"module {}"));
/// ```
pub fn is_wrapped(bytes: &[u8]) -> bool {
    match Form::of(bytes) {
        Form::Text => {
            let is_compressed = rmlir_embed::unsupported_compression(bytes).is_some();
            is_compressed || container_format(bytes).is_some() || is_binary(bytes)
        }
        _ => crate::reader::length(bytes).is_ok_and(|len| len < bytes.len() as u64),
    }
}

/// The number of bytes by which a binary file is recognized.
const START: usize = 1 << 12;

/// Returns whether bytes cannot be text: there is a zero byte among the first.
fn is_binary(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    start.contains(&0)
}

/// Returns whether bytes may be text: the first ones are UTF-8, and beside zeros, which MLIR skips
/// as space, have no control characters.
fn may_be_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    let is_control = |byte: &u8| byte.is_ascii_control() && !b"\0\t\n\x0b\x0c\r\x1b".contains(byte);
    let is_utf8 = match str::from_utf8(start) {
        Ok(_) => true,
        // The last character may be cut.
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !start.iter().any(is_control)
}

/// Checks that after bytecode there is nothing but zeros and more bytecode.
fn check_sequence(bytes: &[u8]) -> Result<()> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let zeros = rest.iter().position(|&byte| byte != 0);
        let Some(zeros) = zeros else {
            return Ok(());
        };
        let start = at.saturating_add(zeros);
        let rest = rest.get(zeros..).unwrap_or_default();
        let len = match Form::of(rest) {
            Form::Text => None,
            _ => crate::reader::length(rest).ok(),
        };
        match len.and_then(|len| usize::try_from(len).ok()) {
            Some(len) => at = start.saturating_add(len),
            // The reader of the module tells what is wrong with it.
            None if at == 0 => return Ok(()),
            None => {
                let rest = match (bytes.len().saturating_sub(start), start == at) {
                    (1, true) => "the byte after it is".to_owned(),
                    (1, false) => format!("the byte at offset {start} is"),
                    (count, true) => format!("the {count} bytes after it are"),
                    (count, false) => format!("the {count} bytes from offset {start} on are"),
                };
                return Err(Error::request(format!(
                    "the bytecode ends at offset {at}, and {rest} not MLIR bytecode; \
                     'rmlir unwrap' gets the module out, and index 0 selects it"
                )));
            }
        }
    }
}

/// The reason why no module of a file is read.
///
/// ```
/// use rmlir::{ReadOptions, embedded};
///
/// let bytes = b"\0asm\x01\0\0\0"[..].into();
/// let unresolved = embedded::resolve_file(bytes, None, &ReadOptions::default()).unwrap_err();
/// assert!(unresolved.error.to_string().contains("no MLIR"));
/// assert_eq!(unresolved.found.unwrap().container, Some("wasm"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Unresolved {
    /// The search result; `None` if it does not matter: the module is damaged.
    pub found: Option<Unwrapped>,
    /// The reason.
    pub error: Error,
}

impl From<Unresolved> for Error {
    fn from(unresolved: Unresolved) -> Self {
        unresolved.error
    }
}

/// Returns the module to read: the bytes themselves, or the module in them that the options select.
///
/// The programs call this once for each input; [`open`](crate::open()) and the others do it
/// themselves.
///
/// # Errors
///
/// If a file of a known container format holds no module, or several of which none is selected; if
/// other bytes follow bytecode. The message lists the candidates.
///
/// ```
/// use rmlir::{ReadOptions, embedded};
///
/// let error = embedded::resolve(b"\0asm\x01\0\0\0"[..].into(), &ReadOptions::default());
/// assert!(error.unwrap_err().to_string().contains("no MLIR"));
/// ```
pub fn resolve(source: Source, options: &ReadOptions) -> Result<Source> {
    Ok(resolve_file(source, None, options)?)
}

/// Returns the module to read, as [`resolve`] does, of a file with a path: the members of a thin
/// archive are read as [`unwrap_file`] reads them. The bytes are searched once.
///
/// # Errors
///
/// Those of [`resolve`], with the search result.
///
/// ```
/// use rmlir::{ReadOptions, embedded};
///
/// let options = ReadOptions::default();
/// let unresolved = embedded::resolve_file(b"\0asm\x01\0\0\0"[..].into(), None, &options);
/// assert!(unresolved.unwrap_err().found.unwrap().artifacts.is_empty());
/// ```
pub fn resolve_file(
    source: Source,
    path: Option<&Path>,
    options: &ReadOptions,
) -> std::result::Result<Source, Unresolved> {
    let is_first = matches!(options.select, None | Some(Select::Index(0)));
    if !options.find_embedded || (is_first && !is_wrapped(&source)) {
        return Ok(source);
    }
    if options.select.is_none() && Form::of(&source) != Form::Text {
        check_sequence(&source).map_err(|error| Unresolved { found: None, error })?;
    }
    let mut found = search(&source, options);
    if let Some(path) = path {
        found = with_members(found, path, options);
    }
    if options.select.is_none() {
        match found.outermost().as_slice() {
            // Whatever it is; the parser tells where it is not text.
            [] if found.container.is_none() && may_be_text(&source) => return Ok(source),
            &[only] if !may_hide_modules(&found, only) => {
                let artifact = found.artifacts.swap_remove(only);
                let artifact = intact(artifact);
                let artifact = artifact.map_err(|error| Unresolved { found: None, error })?;
                return Ok(artifact.source);
            }
            _ => {}
        }
    }
    let found = completed(found, &source, options);
    match chosen(&found, options.select.as_ref()) {
        Ok(source) => Ok(source),
        Err(error) => Err(Unresolved {
            found: Some(found),
            error,
        }),
    }
}

/// Returns the module that is selected; without a selection, the only one that is not nested in
/// another.
///
/// # Errors
///
/// Those of [`resolve`].
///
/// ```
/// use rmlir::embedded::{Select, choose, unwrap};
///
/// let found = unwrap(&b"module {}"[..].into(), &Default::default());
/// assert!(choose(found.clone(), None).is_ok());
/// assert!(choose(found, Some(&Select::Index(1))).is_err());
/// ```
pub fn choose(found: Unwrapped, select: Option<&Select>) -> Result<Artifact> {
    let index = chosen_index(&found, select)?;
    let artifact = found.artifacts.into_iter().nth(index);
    intact(artifact.ok_or_else(|| Error::request("the list of modules has changed"))?)
}

/// Returns the bytes of the module that [`choose`] returns.
fn chosen(found: &Unwrapped, select: Option<&Select>) -> Result<Source> {
    let index = chosen_index(found, select)?;
    let artifact = found.artifacts.get(index).cloned();
    let artifact = artifact.ok_or_else(|| Error::request("the list of modules has changed"))?;
    intact(artifact).map(|artifact| artifact.source)
}

fn chosen_index(found: &Unwrapped, select: Option<&Select>) -> Result<usize> {
    let modules = || {
        let all = found.artifacts.iter().enumerate();
        all.filter(|(_, artifact)| artifact.content.is_mlir())
    };
    let candidates: Vec<usize> = match select {
        None => found.outermost(),
        Some(select) => {
            let selected = modules().filter(|(index, artifact)| select.accepts(*index, artifact));
            selected.map(|(index, _)| index).collect()
        }
    };
    let all: Vec<usize> = (0..found.artifacts.len()).collect();
    let message = match candidates.as_slice() {
        &[only] if select.is_none() && may_hide_modules(found, only) => {
            let listed = listed(found, &[only]);
            format!("a part of this is damaged, and may have modules; select one by index:{listed}")
        }
        &[only] => return Ok(only),
        [] if modules().next().is_some() => {
            let what = match select {
                Some(Select::Index(index)) => format!("there is no module with index {index}"),
                Some(Select::Section(name)) => {
                    format!("there is no module named '{}'", name.escape_debug())
                }
                None => "there is no module".to_owned(),
            };
            format!("{what}{}", listed(found, &all))
        }
        [] => {
            let what = match found.container {
                Some("folder") => "folder".to_owned(),
                Some(format) => format!("{format} file"),
                None => "file".to_owned(),
            };
            format!("this {what} has no MLIR in it{}", listed(found, &all))
        }
        several => {
            let count = several.len();
            format!(
                "there are {count} modules here; select one by index or name:{}",
                listed(found, several)
            )
        }
    };
    Err(Error::request(message))
}

/// Returns whether damaged parts may contain other modules than the only one that was found. If
/// that module itself is damaged, [`intact`] refuses it.
fn may_hide_modules(found: &Unwrapped, only: usize) -> bool {
    let only = found.artifacts.get(only);
    only.is_some_and(|only| only.is_intact) && found.unread.iter().any(Unread::is_damage)
}

/// Refuses a module whose checksum in its record is wrong.
fn intact(artifact: Artifact) -> Result<Artifact> {
    if artifact.is_intact {
        return Ok(artifact);
    }
    let offset = artifact.offset;
    let name = match artifact.name.as_str() {
        "" => String::new(),
        name => format!(" '{}'", name.escape_debug()),
    };
    Err(Error::request(format!(
        "the module{name} at offset {offset} is damaged: its checksum is wrong"
    )))
}

/// Returns whether a name selects an artifact.
fn has_name(artifact: &Artifact, name: &str) -> bool {
    let full = artifact.name.as_str();
    let starts = full.strip_prefix(name);
    let ends = full.strip_suffix(name);
    full == name
        || starts.is_some_and(|rest| rest.starts_with(':'))
        || ends.is_some_and(|rest| rest.ends_with([':', '/']))
}

/// The maximum number of candidates that an error lists.
const MAX_LISTED: usize = 20;

/// Lists artifacts and unread parts, each in a line.
fn listed(found: &Unwrapped, indices: &[usize]) -> String {
    let mut text = String::new();
    for &index in indices.iter().take(MAX_LISTED) {
        let Some(artifact) = found.artifacts.get(index) else {
            continue;
        };
        let name = match artifact.name.as_str() {
            "" => String::new(),
            // Names are not trusted, and errors are printed to terminals.
            name => format!(" '{}'", name.escape_debug()),
        };
        let (content, offset, len) = (artifact.content, artifact.offset, artifact.source.len());
        text.push_str(&format!(
            "\n  {index}: {content}{name}, {len} bytes at offset {offset}"
        ));
    }
    if indices.len() > MAX_LISTED {
        let more = indices.len().saturating_sub(MAX_LISTED);
        text.push_str(&format!("\n  and {more} more"));
    }
    for unread in found.unread.iter().take(MAX_LISTED) {
        text.push_str(&format!("\n  {unread}"));
    }
    text
}
