//! Checks everything that a cache contains.

use super::{Found, Store, named};
use crate::pack::Pack;
use crate::parts::{Ingredients, State};
use crate::record::Record;
use crate::tool::memo;
use std::path::PathBuf;

/// The findings of [`Cache::verify`](crate::Cache::verify).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The number of records.
    pub records: u64,
    /// The number of contents and packs.
    pub contents: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// Files that are damaged.
    pub damaged: Vec<PathBuf>,
    /// Records that refer to contents that are not there.
    pub incomplete: Vec<PathBuf>,
}

impl Store {
    /// Reads and checks every file. With `remove`, damaged and incomplete ones are removed.
    pub(crate) fn verify(&self, remove: bool) -> VerifyReport {
        let mut report = VerifyReport::default();
        for file in self.files("cas") {
            report.contents += 1;
            report.bytes = report.bytes.saturating_add(file.len);
            let sound = named(&file.path)
                .is_some_and(|digest| matches!(self.content(&digest, None), Found::Content(_)));
            if !sound {
                report.damaged.push(file.path);
            }
        }
        for file in self.files("packs") {
            report.contents += 1;
            report.bytes = report.bytes.saturating_add(file.len);
            let bytes = self.read(&file.path).ok();
            let pack = bytes.and_then(|bytes| Pack::parse(bytes, named(&file.path)));
            if pack.is_none() {
                report.damaged.push(file.path);
            }
        }
        for folder in ["state", "units", "memo"] {
            for file in self.files(folder) {
                report.contents += 1;
                report.bytes = report.bytes.saturating_add(file.len);
                let bytes = self.read(&file.path).unwrap_or_default();
                let is_sound = named(&file.path).is_some_and(|name| match folder {
                    "state" => State::parse(&bytes, &name, &self.mac).is_some(),
                    "units" => Ingredients::parse(&bytes, &name, &self.mac).is_some(),
                    _ => memo::is_sound(&bytes, &name, &self.mac),
                });
                if !is_sound {
                    report.damaged.push(file.path);
                }
            }
        }
        #[cfg(feature = "serve")]
        for file in ["http-ac", "http-cas"]
            .into_iter()
            .flat_map(|one| self.files(one))
        {
            report.contents += 1;
            report.bytes = report.bytes.saturating_add(file.len);
            if !crate::serve::is_sound(self, &file.path) {
                report.damaged.push(file.path);
            }
        }
        for file in self.files("ac") {
            report.records += 1;
            report.bytes = report.bytes.saturating_add(file.len);
            let record = self.read(&file.path).ok();
            let record = record.and_then(|bytes| Record::parse(&bytes));
            let Some(record) = record.filter(|record| Some(record.key) == named(&file.path)) else {
                report.damaged.push(file.path);
                continue;
            };
            let is_there =
                |path: PathBuf| self.fs().info(&path).is_ok() && !report.damaged.contains(&path);
            let mut outputs = record.outputs.iter();
            if !outputs.all(|output| is_there(self.content_path(&output.digest))) {
                report.incomplete.push(file.path);
            }
        }
        if remove && !self.is_read_only() {
            for path in report.damaged.iter().chain(&report.incomplete) {
                let _ = self.fs().remove(path);
            }
        }
        report
    }

    /// Removes everything that belongs to the cache.
    pub(crate) fn clear(&self) -> std::io::Result<u64> {
        let mut removed = 0;
        if self.is_read_only() {
            return Err(std::io::ErrorKind::ReadOnlyFilesystem.into());
        }
        if !self.is_cache() {
            return match self.foreign() {
                Some(_) => Err(std::io::ErrorKind::DirectoryNotEmpty.into()),
                None => Ok(0),
            };
        }
        for folder in super::FOLDERS {
            for file in self.files(folder) {
                match self.fs().remove(&file.path) {
                    Ok(()) => removed += 1,
                    // Another process was faster.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        for name in ["stats", "gc"] {
            let _ = self.fs().remove(&self.root().join(name));
        }
        Ok(removed)
    }
}
