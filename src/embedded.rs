//! MLIR in what wraps it: object files, executables, archives, WebAssembly modules, zip files,
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
use std::path::{Path, PathBuf};

pub use rmlir_embed::{
    Artifact, Content, Embedded, Misaligned, UnwrapOptions, Unwrapped, container_format, own,
    record,
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

/// Which module of a file that holds several is read.
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
    let mut limits = UnwrapOptions::default();
    limits.limits = options.limits.clone();
    let mut found = rmlir_embed::unwrap(source, &limits);
    let mut nested = Vec::new();
    for artifact in &mut found.artifacts {
        if artifact.content == Content::Rmbc {
            // What cannot be read has no strings to search.
            let _ = look_into(artifact, options, &limits, &mut nested);
        }
    }
    found.artifacts.append(&mut nested);
    let order = |artifact: &Artifact| (artifact.offset, artifact.depth);
    found.artifacts.sort_by_key(order);
    if !is_wrapped(source) && Form::of(source) == Form::Text && is_text(source, options) {
        for nested in &mut found.artifacts {
            nested.depth = nested.depth.saturating_add(1);
            nested.container = format!("text/{}", nested.container);
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

/// Completes the producer of a native file, and finds modules in its strings.
fn look_into(
    artifact: &mut Artifact,
    options: &ReadOptions,
    limits: &UnwrapOptions,
    nested: &mut Vec<Artifact>,
) -> Result<()> {
    let mut context = options.context();
    let file = rmbc::File::new(&context, artifact.source.clone(), &options.rmbc_options())?;
    let mut inner = Vec::new();
    file.texts(&mut |text| {
        if let Some(found) = rmlir_embed::unwrap_string(text, limits) {
            inner.extend(found.artifacts);
        }
    })?;
    for mut found in inner {
        found.container = [&artifact.container, "rmbc", &found.container]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("/");
        found.depth = found.depth.saturating_add(artifact.depth).saturating_add(1);
        (found.offset, found.span) = (artifact.offset, artifact.span);
        nested.push(found);
    }
    let producer = file.survey(&mut context)?.provenance.producer;
    artifact.producer = producer.map(|name| context.str(name).into_owned());
    Ok(())
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
        let found = unwrap(&source, options);
        all.is_complete &= found.is_complete;
        for mut artifact in found.artifacts {
            artifact.name = match artifact.name.as_str() {
                "" => name.clone(),
                inner => format!("{name}:{inner}"),
            };
            all.artifacts.push(artifact);
        }
    }
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
/// format, binary data of an unknown one, or a sequence of modules.
///
/// ```
/// use rmlir::embedded::is_wrapped;
///
/// assert!(is_wrapped(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"));
/// assert!(!is_wrapped(b"module {}"));
/// ```
pub fn is_wrapped(bytes: &[u8]) -> bool {
    match Form::of(bytes) {
        Form::Text => container_format(bytes).is_some() || is_binary(bytes),
        _ => is_sequence(bytes),
    }
}

/// The number of bytes that tell whether a file is binary.
const START: usize = 1 << 12;

/// Returns whether bytes cannot be text: there is a zero byte among the first.
fn is_binary(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    start.contains(&0)
}

/// Returns whether bytes are bytecode that is followed by zeros or more bytecode, and nothing else.
fn is_sequence(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let len = match crate::reader::length(rest) {
            Ok(len) => usize::try_from(len).unwrap_or(usize::MAX),
            Err(_) => return false,
        };
        rest = rest.get(len..).unwrap_or_default();
        if len == bytes.len() {
            return false;
        }
        let zeros = rest.iter().position(|&byte| byte != 0);
        rest = rest.get(zeros.unwrap_or(rest.len())..).unwrap_or_default();
    }
    true
}

/// Returns the module to read: the bytes themselves, or the module in them that the options select.
///
/// The programs call this once for each input; [`open`](crate::open()) and the others do it
/// themselves.
///
/// # Errors
///
/// If a file of a known container format holds no module, or several of which none is selected. The
/// message lists the candidates.
///
/// ```
/// use rmlir::{ReadOptions, embedded};
///
/// let error = embedded::resolve(b"\0asm\x01\0\0\0"[..].into(), &ReadOptions::default());
/// assert!(error.unwrap_err().to_string().contains("no MLIR"));
/// ```
pub fn resolve(source: Source, options: &ReadOptions) -> Result<Source> {
    let is_first = matches!(options.select, None | Some(Select::Index(0)));
    if is_first && !is_wrapped(&source) {
        return Ok(source);
    }
    if options.select.is_none() {
        let mut limits = UnwrapOptions::default();
        limits.limits = options.limits.clone();
        let mut found = rmlir_embed::unwrap(&source, &limits);
        match found.outermost().as_slice() {
            // Whatever it is; the parser tells where it is not text.
            [] if found.container.is_none() => return Ok(source),
            &[only] => {
                let artifact = intact(found.artifacts.swap_remove(only))?;
                return Ok(artifact.source);
            }
            _ => {}
        }
    }
    choose(unwrap(&source, options), options.select.as_ref()).map(|artifact| artifact.source)
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
    let modules = found.artifacts.iter().enumerate();
    let modules = modules.filter(|(_, artifact)| artifact.content.is_mlir());
    let candidates: Vec<usize> = match select {
        None => found.outermost(),
        Some(select) => {
            let selected = modules.filter(|(index, artifact)| select.accepts(*index, artifact));
            selected.map(|(index, _)| index).collect()
        }
    };
    match candidates.as_slice() {
        &[only] => {
            let mut artifacts = found.artifacts.into_iter();
            let artifact = artifacts.nth(only);
            let missing = || Error::request("the list of modules has changed");
            intact(artifact.ok_or_else(missing)?)
        }
        [] if found
            .artifacts
            .iter()
            .any(|artifact| artifact.content.is_mlir()) =>
        {
            let what = match select {
                Some(Select::Index(index)) => format!("there is no module with index {index}"),
                Some(Select::Section(name)) => format!("there is no module named '{name}'"),
                None => "there is no module".to_owned(),
            };
            let all: Vec<usize> = (0..found.artifacts.len()).collect();
            Err(Error::request(format!("{what}{}", listed(&found, &all))))
        }
        [] => {
            let what = match found.container {
                Some("folder") => "folder".to_owned(),
                Some(format) => format!("{format} file"),
                None => "file".to_owned(),
            };
            let all: Vec<usize> = (0..found.artifacts.len()).collect();
            let message = format!("this {what} has no MLIR in it{}", listed(&found, &all));
            Err(Error::request(message))
        }
        several => {
            let count = several.len();
            let message =
                format!("there are {count} modules here; select one by index or section:");
            Err(Error::request(format!(
                "{message}{}",
                listed(&found, several)
            )))
        }
    }
}

/// Refuses a module whose checksum in its record is wrong.
fn intact(artifact: Artifact) -> Result<Artifact> {
    if artifact.is_intact {
        return Ok(artifact);
    }
    let (name, offset) = (artifact.name.escape_debug(), artifact.offset);
    Err(Error::request(format!(
        "the module '{name}' at offset {offset} is damaged: its checksum is wrong"
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

/// Lists artifacts, each in a line.
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
    text
}
