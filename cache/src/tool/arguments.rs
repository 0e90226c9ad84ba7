//! The files that arguments name.

use super::UnknownIdentity;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of files in directories that arguments name, above which the identity is unknown.
const MAX_FILES: usize = 10_000;

/// The largest file that is read as a response file.
const MAX_RESPONSE: u64 = 1 << 20;

/// A file that an argument names.
pub(super) struct NamedFile {
    pub(super) path: PathBuf,
    /// Whether the argument names a directory around it.
    pub(super) is_in_directory: bool,
}

/// Returns a file, or the files in a directory, each with its name.
pub(super) fn file_or_directory(
    path: &Path,
    cache: &Path,
) -> Result<BTreeMap<String, NamedFile>, UnknownIdentity> {
    let mut found = BTreeMap::new();
    let name = path.display().to_string();
    match path.is_dir() {
        true => directory(&name, path, cache, &mut found)?,
        false => {
            let file = NamedFile {
                path: path.to_owned(),
                is_in_directory: false,
            };
            found.insert(name, file);
        }
    }
    Ok(found)
}

/// Returns the existing files that arguments name, each with the name that the argument gives it.
/// `{...}` are placeholders and name none.
///
/// A file is found as a whole argument, after `=`, after a one-letter option such as `-I`, and
/// between separators, as in `--pass-pipeline=builtin.module(interpret{path=a.mlir})`. A name that
/// is a file by chance does no harm but a miss. Directories count with all files in them if they
/// are a whole argument or the value of an option, which may be one of a pass. Links in them are
/// followed; the directory of the cache is left out.
///
/// A response file, `@FILE`, has further arguments.
pub(super) fn files(
    arguments: &[String],
    cache: &Path,
) -> Result<BTreeMap<String, NamedFile>, UnknownIdentity> {
    let mut found = BTreeMap::new();
    let mut open: Vec<String> = arguments.to_vec();
    let mut responses = std::collections::HashSet::new();
    while let Some(argument) = open.pop() {
        if let Some(name) = argument.strip_prefix('@')
            && std::fs::metadata(name)
                .is_ok_and(|file| file.is_file() && file.len() <= MAX_RESPONSE)
            && responses.insert(name.to_owned())
        {
            let text = std::fs::read(name).map_err(|e| super::unreadable(Path::new(name), &e))?;
            let text = String::from_utf8_lossy(&text);
            open.extend(text.split_whitespace().map(str::to_owned));
        }
        // Placeholders do not name files.
        let argument = argument.replace("{in}", " ").replace("{out}", " ");
        let argument = argument.as_str();
        let mut wholes = vec![argument];
        let is_separator = |c: char| c.is_whitespace() || "=,:;(){}[]<>\"'".contains(c);
        for (at, _) in argument.match_indices('=') {
            let value = argument.get(at + 1..).unwrap_or_default();
            wholes.extend(value.split(is_separator).next());
        }
        wholes.extend(argument.split_once('=').map(|(_, value)| value));
        wholes.extend(argument.strip_prefix('@'));
        if argument.starts_with('-') && !argument.starts_with("--") {
            wholes.extend(argument.get(2..));
        }
        for whole in wholes {
            let path = Path::new(whole);
            if !whole.is_empty() && path.is_dir() {
                directory(whole, path, cache, &mut found)?;
            }
        }
        let words = argument.split(is_separator);
        let starts = [argument].into_iter();
        for word in starts.chain(words) {
            let trimmed = word.trim_start_matches('@');
            let after_letter = match word.starts_with('-') {
                true => word.get(2..),
                false => None,
            };
            for name in [Some(word), Some(trimmed), after_letter]
                .into_iter()
                .flatten()
            {
                let path = Path::new(name);
                if !name.is_empty() && path.is_file() {
                    let file = NamedFile {
                        path: path.to_owned(),
                        is_in_directory: false,
                    };
                    found.insert(name.to_owned(), file);
                }
            }
        }
    }
    Ok(found)
}

/// Adds all files of a directory.
fn directory(
    name: &str,
    path: &Path,
    cache: &Path,
    found: &mut BTreeMap<String, NamedFile>,
) -> Result<(), UnknownIdentity> {
    let cache = std::fs::canonicalize(cache).ok();
    let mut open = vec![(name.to_owned(), path.to_owned())];
    // Links to directories may form cycles.
    let mut seen = std::collections::HashSet::new();
    while let Some((name, path)) = open.pop() {
        let real = std::fs::canonicalize(&path).map_err(|e| super::unreadable(&path, &e))?;
        if Some(&real) == cache.as_ref() || !seen.insert(real) {
            continue;
        }
        let entries = std::fs::read_dir(&path).map_err(|e| super::unreadable(&path, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| super::unreadable(&path, &e))?;
            let own = format!("{name}/{}", entry.file_name().to_string_lossy());
            let path = entry.path();
            if path.is_dir() {
                open.push((own, path));
            } else if path.is_file() {
                let file = NamedFile {
                    path,
                    is_in_directory: true,
                };
                // It may be an argument, too.
                found.entry(own).or_insert(file);
            }
            if found.len().saturating_add(open.len()) > MAX_FILES {
                return Err(UnknownIdentity::new(format!(
                    "the directory '{name}' that an argument names has more than {MAX_FILES} files"
                )));
            }
        }
    }
    Ok(())
}
