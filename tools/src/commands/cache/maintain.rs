//! `rmlir cache stats`, `gc`, `verify` and `clear`.

use super::options::{CacheArguments, bytes, duration};
use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use rmlir_cache::{Cache, GcOptions};
use serde_json::{Value, json};
use std::time::Duration;

/// Show how often results were found, and the size of the cache
#[derive(Args, Debug)]
pub(super) struct ShowStats {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for ShowStats {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let cache = self.cache.open()?;
        let mut rows: Vec<(String, Value)> = vec![
            (
                "directory".to_owned(),
                json!(cache.directory().display().to_string()),
            ),
            ("size".to_owned(), json!(cache.bytes())),
        ];
        let stats = cache.stats();
        rows.extend(
            stats
                .counts()
                .map(|(name, value)| (name.replace('_', " "), json!(value))),
        );
        show(self.json, rows)
    }
}

/// Remove least recently used results, and merge small files
///
/// Removes results that were not used for '--max-age', then the least recently used ones until the
/// cache has at most '--max-size'. Nothing younger than an hour is removed. Builds may go on
/// meanwhile.
#[derive(Args, Debug)]
pub(super) struct Gc {
    /// The size that the cache should have at most (RMLIR_CACHE_MAX_SIZE, 'max-size'); default 10G
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_size: Option<u64>,
    /// Results not used for this time are removed (RMLIR_CACHE_MAX_AGE, 'max-age'); default 90d
    #[arg(long, value_name = "TIME", value_parser = duration)]
    max_age: Option<Duration>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for Gc {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let settings = self.cache.settings()?;
        let mut options = GcOptions::default();
        if let Some(size) = self.max_size.or(settings.max_bytes) {
            options.max_bytes = size;
        }
        if let Some(age) = self.max_age.or(settings.max_age) {
            options.max_age = age;
        }
        let cache = self.cache.open()?;
        check_writable(&cache)?;
        let report = cache.gc(&options);
        show(
            self.json,
            vec![
                ("files before".to_owned(), json!(report.files_before)),
                ("bytes before".to_owned(), json!(report.bytes_before)),
                ("files removed".to_owned(), json!(report.files_removed)),
                ("bytes removed".to_owned(), json!(report.bytes_removed)),
                ("packs merged".to_owned(), json!(report.packs_merged)),
            ],
        )
    }
}

/// Check every file of the cache
///
/// Damaged files are never returned as results. Exit status: 1 if there are any.
#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Remove damaged files
    #[arg(long)]
    remove: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for Verify {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let cache = self.cache.open()?;
        if self.remove {
            check_writable(&cache)?;
        }
        let report = cache.verify(self.remove);
        let paths = |paths: &[std::path::PathBuf]| -> Vec<String> {
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        show(
            self.json,
            vec![
                ("records".to_owned(), json!(report.records)),
                ("contents".to_owned(), json!(report.contents)),
                ("bytes".to_owned(), json!(report.bytes)),
                ("damaged".to_owned(), json!(paths(&report.damaged))),
                ("incomplete".to_owned(), json!(paths(&report.incomplete))),
            ],
        )?;
        match report.damaged.is_empty() && report.incomplete.is_empty() {
            true => Ok(ExitStatus::Success),
            false => Ok(ExitStatus::Different),
        }
    }
}

/// Remove everything from the cache
#[derive(Args, Debug)]
pub(super) struct Clear {
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for Clear {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let cache = self.cache.open()?;
        check_writable(&cache)?;
        let removed = cache.clear();
        let name = cache.directory().display().to_string();
        let removed = removed.map_err(|e| Failure::io(&name, &e))?;
        print(&format!("{removed} files removed\n"))?;
        Ok(ExitStatus::Success)
    }
}

/// Refuses to remove anything from a cache that is only read.
fn check_writable(cache: &Cache) -> Result<(), Failure> {
    match cache.is_read_only() {
        true => Err(Failure::Usage(
            "the cache is read-only: nothing is removed".to_owned(),
        )),
        false => Ok(()),
    }
}

/// Prints names and values.
fn show(as_json: bool, rows: Vec<(String, Value)>) -> Result<ExitStatus, Failure> {
    if as_json {
        let keys = rows
            .into_iter()
            .map(|(name, value)| (name.replace(' ', "_"), value));
        let mut object: serde_json::Map<String, Value> = keys.collect();
        object.insert("schema".to_owned(), json!("cache/1"));
        print(&format!("{}\n", Value::Object(object)))?;
        return Ok(ExitStatus::Success);
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in rows {
        match value {
            Value::Array(values) => {
                text.push_str(&format!("{name:width$}  {}\n", values.len()));
                for value in values {
                    text.push_str(&format!("  {}\n", value.as_str().unwrap_or_default()));
                }
            }
            Value::String(value) => text.push_str(&format!("{name:width$}  {value}\n")),
            value => text.push_str(&format!("{name:width$}  {value}\n")),
        }
    }
    print(&text)?;
    Ok(ExitStatus::Success)
}
