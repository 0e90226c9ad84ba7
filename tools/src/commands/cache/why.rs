//! `rmlir cache why`: why two keys differ.

use super::options::CacheArguments;
use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use rmlir_cache::{Explanation, Record};
use serde_json::json;

/// Explain a miss: list the parts of a key that differ from another key
///
/// Compares the parts of two keys: stage, arguments, tool, libraries, environment, inputs. With one
/// key, the other is the entry of the same stage that differs least, the most recently used one if
/// there are several. Keys can be abbreviated, as far as they are unambiguous. 'rmlir cache run
/// --verbose' and 'rmlir cache key' print keys.
#[derive(Args, Debug)]
pub(super) struct Why {
    /// The key
    key: String,
    /// The key that it is compared with
    other: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for Why {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let cache = self.cache.open()?;
        let mut records = cache.records();
        for (record, _) in &mut records {
            record.parts = cache.parts(record);
        }
        // Records of the common parts of keys are not results.
        records.retain(|(record, _)| record.parts.iter().any(|part| part.name == "input in"));
        let record = find(&records, &self.key)?;
        let other = match &self.other {
            Some(other) => Some(find(&records, other)?.key),
            None => None,
        };
        let found = cache.explain(&record.key, other.as_ref());
        let text = match self.json {
            true => format!("{}\n", to_json(record, found.as_ref())),
            false => to_text(record, found.as_ref()),
        };
        print(&text)?;
        Ok(ExitStatus::Success)
    }
}

fn find<'r>(records: &'r [(Record, u64)], key: &str) -> Result<&'r Record, Failure> {
    let mut found = records
        .iter()
        .filter(|(r, _)| r.key.to_string().starts_with(key));
    match (found.next(), found.next()) {
        (Some((record, _)), None) => Ok(record),
        (Some(_), Some(_)) => Err(Failure::Input(format!(
            "error: several keys begin with '{key}'"
        ))),
        (None, _) => Err(Failure::Input(format!(
            "error: no entry has the key '{key}': it was never stored, or was removed"
        ))),
    }
}

fn stage(record: &Record) -> Option<&str> {
    let mut parts = record.parts.iter();
    parts
        .find(|part| part.name == "stage")
        .map(|part| part.value.as_str())
}

fn to_json(record: &Record, found: Option<&Explanation>) -> serde_json::Value {
    let parts = |parts: &[rmlir_cache::KeyPart]| -> Vec<serde_json::Value> {
        let parts = parts.iter();
        parts
            .map(|part| json!({"name": part.name, "value": part.value}))
            .collect()
    };
    json!({
        "key": record.key.to_string(),
        "exit": record.exit,
        "parts": parts(&record.parts),
        "notes": parts(&record.notes),
        "other": found.map(|found| found.other.to_string()),
        "differences": found.map(|found| {
            let found = found.differences.iter();
            found.map(|one| json!({"name": one.name, "old": one.old, "new": one.new}))
                .collect::<Vec<_>>()
        }),
    })
}

fn to_text(record: &Record, found: Option<&Explanation>) -> String {
    let mut text = format!("{}: stage {}\n", record.key, stage(record).unwrap_or("?"));
    for note in &record.notes {
        text.push_str(&format!("  {}: {}\n", note.name, note.value));
    }
    let Some(found) = found else {
        text.push_str("no other entry of this stage is stored\n");
        return text;
    };
    text.push_str(&format!("differs from {} in:\n", found.other));
    for one in &found.differences {
        let line = match (&one.old, &one.new) {
            (Some(old), Some(new)) => format!("  {}: {old} -> {new}\n", one.name),
            (None, Some(new)) => format!("  {}: added, {new}\n", one.name),
            (Some(old), None) => format!("  {}: removed, {old}\n", one.name),
            (None, None) => String::new(),
        };
        text.push_str(&line);
    }
    if found.differences.is_empty() {
        text.push_str("  nothing\n");
    }
    text
}
