//! `rmlir dialect merge`: merges the definition of a release into one of other releases.

use super::import::Sources;
use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use crate::input;
use crate::output::Output;
use crate::written::check_file;
use clap::Args;
use rmlir::dialects::{BundledDialects, Hooks, parse_definition};
use rmlir::ir::DialectDefinition;
use rmlir::ir::definition::{
    DefinitionChangeKind, DialectSource, Family, MergedDefinition, Release,
};
use serde_json::json;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ llvm-tblgen --dump-json -I include mlir/Dialect/SCF/IR/SCFOps.td > scf.json
  $ rmlir dialect merge --release llvm-25 scf scf.json -o scf.dialect

Each difference is listed on standard error, for a review: declarations that are new, that a neighbouring release also
has, that the release lacks, and that cannot be merged. The result is printed in canonical form.";

/// Merge the definition of a release into a definition of other releases
///
/// New declarations get 'since', missing ones get 'until'. Hooks, rules and layouts in bytecode are
/// kept.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Merge {
    /// The definition: a file, or the name of a bundled dialect
    old: String,
    /// The definition of the release: inputs of 'rmlir dialect import'; `-` is standard input
    #[arg(required = true)]
    new: Vec<String>,
    /// The release, such as llvm-25, which may be unknown to this program
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    release: Release,
    /// The output file; `-` or none is standard output
    #[arg(short, value_name = "OUTPUT")]
    output: Option<String>,
    #[command(flatten)]
    sources: Sources,
    /// Print a JSON object about the changes (spec/json.md); '-o' is needed
    #[arg(long)]
    json: bool,
}

/// Parses a release of a known project, whose number may be unknown.
fn release(text: &str) -> Result<Release, String> {
    let found = text.rsplit_once('-').and_then(|(family, number)| {
        let family = Family::from_name(family).filter(|family| *family != Family::Own)?;
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| number.parse().ok())??;
        // A range that ends with the largest number has no end.
        (number > 0 && number < u32::MAX).then(|| Release::new(family, number))
    });
    found.ok_or_else(|| "a release is a project and a number, such as llvm-25".to_owned())
}

impl Merge {
    /// Returns the definition to merge into.
    fn old(&self) -> Result<Arc<DialectDefinition>, Failure> {
        let is_file = self.old == "-" || std::path::Path::new(&self.old).exists();
        if !is_file && let Some(bundled) = BundledDialects.dialect(self.old.as_bytes()) {
            return Ok(bundled);
        }
        let input = input::read(&self.old, false)?;
        Ok(Arc::new(parse_definition(input.source()?, &input.name)?))
    }

    fn check(&self, old: &DialectDefinition, new: &DialectDefinition) -> Result<(), Failure> {
        let family = old.family.numbering();
        if family != self.release.family {
            let (name, release) = (&old.name, self.release);
            let family = family.name();
            return Err(Failure::Input(format!(
                "error: '{release}' is not a release of the dialect '{name}', whose family is '{family}'"
            )));
        }
        if old.name != new.name {
            return Err(Failure::Input(format!(
                "error: the definition is of dialect '{}', the release's of '{}'",
                old.name, new.name
            )));
        }
        Ok(())
    }

    fn report(&self, merged: &MergedDefinition) {
        let name = &merged.definition.name;
        let mut counts = [0_usize; KINDS.len()];
        for change in &merged.changes {
            let format = self.sources.diagnostic_format();
            format.show_warning(&format!("dialect '{name}': {change}"));
            let kind = KINDS.iter().position(|kind| kind.0 == change.kind);
            if let Some(count) = kind.and_then(|kind| counts.get_mut(kind)) {
                *count = count.saturating_add(1);
            }
        }
        let counts = KINDS.iter().zip(counts);
        let counts = counts.map(|(kind, count)| format!("{} {count}", kind.1.replace('_', " ")));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let release = self.release;
        let message = format!("dialect '{name}': {release}: {counts}");
        self.sources.diagnostic_format().show_warning(&message);
    }
}

/// The kinds of changes, as JSON names them.
const KINDS: [(DefinitionChangeKind, &str); 4] = [
    (DefinitionChangeKind::Added, "added"),
    (DefinitionChangeKind::Extended, "extended"),
    (DefinitionChangeKind::Removed, "removed"),
    (DefinitionChangeKind::NotMerged, "not_merged"),
];

impl Run for Merge {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.sources.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        if self.json {
            check_file(self.output.as_deref(), "'-o' names one")?;
        }
        let old = self.old()?;
        let (new, losses) = self.sources.import(&self.new)?;
        self.check(&old, &new)?;
        let merged = old.merge(&new, self.release, &Hooks);
        let text = merged.definition.to_string();
        // Names of the input can be invalid in the text.
        parse_definition(text.as_bytes(), "the merged definition")?;
        if !self.sources.is_quiet() {
            self.report(&merged);
        }
        Output::new(self.output.as_deref()).write(|out| {
            out.write_all(text.as_bytes())
                .map_err(|e| Failure::unwritten(&e))
        })?;
        if self.json {
            let changes = merged.changes.iter().map(|change| {
                let kind = KINDS.iter().find(|kind| kind.0 == change.kind);
                json!({
                    "subject": change.subject,
                    "change": kind.map(|kind| kind.1),
                    "part": (!change.part.is_empty()).then_some(&change.part),
                })
            });
            let line = json!({
                "schema": "dialect-merge/1",
                "definition": self.old,
                "inputs": self.new,
                "output": self.output,
                "dialect": &*merged.definition.name,
                "release": self.release.to_string(),
                "changes": changes.collect::<Vec<_>>(),
                "not_imported": losses,
            });
            print(&format!("{line}\n"))?;
        }
        Ok(ExitStatus::Success)
    }
}
