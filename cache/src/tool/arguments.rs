//! The files that arguments name.

use super::UnknownIdentity;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of files in directories that arguments name, above which the identity is unknown.
const MAX_FILES: usize = 10_000;

/// The largest file that is read as a response file.
const MAX_RESPONSE: u64 = 1 << 20;

/// Returns the existing files that arguments name, each with the name that the argument gives it.
/// `{...}` are placeholders and name none.
///
/// A file is found as a whole argument, after `=`, after a one-letter option such as `-I`, and
/// between separators, as in `--pass-pipeline=builtin.module(interpret{path=a.mlir})`. A name that
/// is a file by chance does no harm but a miss. Directories count with all files in them if they
/// are a whole argument or the value of an option.
///
/// A response file, `@FILE`, has further arguments.
pub(super) fn files(arguments: &[String]) -> Result<BTreeMap<String, PathBuf>, UnknownIdentity> {
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
        let argument = argument.as_str();
        let mut wholes = vec![argument];
        wholes.extend(argument.split_once('=').map(|(_, value)| value));
        wholes.extend(argument.strip_prefix('@'));
        if argument.starts_with('-') && !argument.starts_with("--") {
            wholes.extend(argument.get(2..));
        }
        for whole in wholes {
            let path = Path::new(whole);
            if !whole.is_empty() && path.is_dir() {
                directory(whole, path, &mut found)?;
            }
        }
        let is_separator = |c: char| c.is_whitespace() || "=,:;(){}[]<>\"'".contains(c);
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
                    found.insert(name.to_owned(), path.to_owned());
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
    found: &mut BTreeMap<String, PathBuf>,
) -> Result<(), UnknownIdentity> {
    let mut open = vec![(name.to_owned(), path.to_owned())];
    while let Some((name, path)) = open.pop() {
        let entries = std::fs::read_dir(&path).map_err(|e| super::unreadable(&path, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| super::unreadable(&path, &e))?;
            let own = format!("{name}/{}", entry.file_name().to_string_lossy());
            let kind = entry
                .file_type()
                .map_err(|e| super::unreadable(&path, &e))?;
            // Links to directories may form cycles.
            if kind.is_dir() {
                open.push((own, entry.path()));
            } else if entry.path().is_file() {
                found.insert(own, entry.path());
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
