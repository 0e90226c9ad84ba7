//! `rmlir diff`: prints the differences between two modules.

mod compare;
mod constants;
mod hunks;
mod operations;
mod order;
mod renamed;
mod report;
mod side;
mod text;
mod words;

use super::{ExitStatus, Loaded, Run, print};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::input::Input;
use crate::load::Verifying;
use crate::output::Output;
use crate::style::has_colors;
use clap::Args;
use compare::{Change, Comparison, Wanted};
use hunks::{Hunk, Layout, Printed, hunks};
use report::{Form, Report};
use rmlir::ir::{FingerprintOptions, fingerprint};
use side::{Side, Stored};
use std::io::IsTerminal;

/// Compare the content of two modules of any form
///
/// Prints the symbols that were added, removed, renamed, moved and changed, and the operations of
/// changed symbols with context. Of many operations added or removed in one place, the first and
/// last ones are printed. Names of values do not count: operands are the same if what
/// defines them is. Each hunk is headed by its symbol and the source locations of both sides.
/// Locations are compared with '--locations'.
///
/// As external diff of git: 'git config diff.mlir.command "rmlir diff --git"', and '*.mlir
/// diff=mlir' in .gitattributes.
///
/// Exit status: 0 if the content is equal, 1 if it differs, 2 on an error. With '--git', 0 if it
/// differs.
#[derive(Args, Debug)]
pub struct Diff {
    /// The two input files; `-` is standard input
    #[arg(value_name = "FILE", required = true, num_args = 2..=9)]
    files: Vec<String>,
    /// Compare locations too, and print those that differ
    #[arg(long)]
    locations: bool,
    /// List the symbols that differ without their operations
    #[arg(long, group = "form")]
    brief: bool,
    /// Print the number of operations added and removed in each symbol
    #[arg(long, group = "form")]
    stat: bool,
    /// Print one JSON object per symbol that differs (spec/json.md)
    #[arg(long, group = "form")]
    json: bool,
    /// The number of unchanged operations around changes
    #[arg(short = 'U', long, value_name = "N", default_value_t = 2, conflicts_with_all = ["brief", "stat"])]
    context: usize,
    /// Print all of long lines, of long runs of operations, and of symbols that only one file has
    #[arg(long, conflicts_with_all = ["brief", "stat"])]
    full: bool,
    /// Take the arguments that git passes to an external diff: path, old file, hash and mode, new
    /// file, hash and mode
    #[arg(long)]
    git: bool,
    /// Compare stored fingerprints where both files have them
    ///
    /// If those of the modules are equal, nothing else is read. A file can store any fingerprint:
    /// use this for trusted files only.
    #[arg(long)]
    trust_stored: bool,
    #[command(flatten)]
    load: Verifying,
}

/// Changes are printed when they have this many operations together, since printing takes time in
/// the size of the module.
const BATCH: usize = 1 << 18;

impl Run for Diff {
    fn failure_status(&self) -> u8 {
        2
    }

    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let (left, right, path) = self.sides()?;
        if left == "-" && right == "-" {
            let message = "standard input cannot be both sides: name a file for one of them";
            return Err(Failure::Usage(message.to_owned()));
        }
        self.load.check_forms(&[left, right])?;
        let inputs = (self.open(left)?, self.open(right)?);
        let status = self.compare(inputs, path)?;
        Ok(match self.git {
            // Git takes another status as a failure.
            true => ExitStatus::Success,
            false => status,
        })
    }
}

impl Diff {
    /// Returns the files to compare, and the path in a repository.
    fn sides(&self) -> Result<(&str, &str, Option<&str>), Failure> {
        let file = |number: usize| self.files.get(number).map_or("", String::as_str);
        match (self.git, self.files.len()) {
            (false, 2) => Ok((file(0), file(1), None)),
            (true, 7 | 9) => Ok((file(1), file(4), Some(file(0)))),
            (false, count) => {
                let message = format!("two files are compared, {count} are given");
                Err(Failure::Usage(message))
            }
            (true, _) => {
                let message = "'--git' is for the 7 or 9 arguments that git passes";
                Err(Failure::Usage(message.to_owned()))
            }
        }
    }

    /// Reads an input. For git, a file that does not exist is an empty one.
    fn open(&self, path: &str) -> Result<Input, Failure> {
        match self.git && path == "/dev/null" {
            true => Ok(Input::empty(path)),
            false => self.load.read_among(path, 2),
        }
    }

    fn compare(&self, inputs: (Input, Input), path: Option<&str>) -> Result<ExitStatus, Failure> {
        let mut stored = (Stored::default(), Stored::default());
        if self.trust_stored {
            stored.0 = Stored::read(&self.load, &inputs.0)?;
            stored.1 = Stored::read(&self.load, &inputs.1)?;
            if !self.locations && stored.0.module.is_some() && stored.0.module == stored.1.module {
                return Ok(ExitStatus::Success);
            }
        }
        // What is the same byte for byte need not be decoded for that.
        let is_copy =
            || Ok::<_, Failure>(inputs.0.source()?.as_slice() == inputs.1.source()?.as_slice());
        let left = match Loaded::from_input(&self.load, inputs.0.clone()) {
            Err(Failure::Undecoded(_)) if is_copy()? => return Ok(ExitStatus::Success),
            left => left?,
        };
        let (mut left, mut right) = (left, Loaded::from_input(&self.load, inputs.1)?);
        if same_content((&left, &right), self.locations) {
            if !self.locations && !self.json && !same_content((&left, &right), true) {
                print("only locations differ\n")?;
            }
            return Ok(ExitStatus::Success);
        }
        // Custom text does not show lists of empty dictionaries, nor does another tool's text.
        let (context, module) = (&mut left.context, &mut left.module);
        module.remove_empty_argument_attributes(context);
        let (context, module) = (&mut right.context, &mut right.module);
        module.remove_empty_argument_attributes(context);
        if !self.trust_stored && same_content((&left, &right), self.locations) {
            if !self.json {
                print("only lists of empty argument attributes differ\n")?;
            }
            return Ok(ExitStatus::Success);
        }
        let renamed = renamed::find(&mut left, &mut right);
        let form = match (self.brief, self.stat, self.json) {
            (true, _, _) => Form::Brief,
            (_, true, _) => Form::Stat,
            (_, _, true) => Form::Json,
            _ => Form::Text,
        };
        Output::Standard.write(|out| {
            let mut report = Report {
                form,
                colors: has_colors(std::io::stdout().is_terminal()),
                layout: Layout {
                    context: self.context,
                    full: self.full,
                },
                out,
                totals: Default::default(),
            };
            if let (Some(path), Form::Text) = (path, form) {
                report.path(path)?;
            }
            let mut batch: Vec<Change> = Vec::new();
            let mut operations = 0;
            let mut found = |left: &Side<'_>, right: &Side<'_>, change: Change| {
                operations += change.left.items.len() + change.right.items.len() + 1;
                batch.push(change);
                if operations < BATCH {
                    return Ok(());
                }
                operations = 0;
                report.changes((left, right), &std::mem::take(&mut batch))
            };
            let mut comparison = Comparison {
                wanted: Wanted {
                    locations: self.locations,
                    operations: form != Form::Brief,
                    lone: form == Form::Text && self.full,
                },
                left: Side::new(&left, stored.0),
                right: Side::new(&right, stored.1),
                renamed: &renamed,
                found: &mut found,
                count: 0,
            };
            comparison.run()?;
            let Comparison { left, right, .. } = comparison;
            report.changes((&left, &right), &batch)?;
            report.finish()
        })?;
        Ok(ExitStatus::Different)
    }
}

/// Returns whether two modules have the same content.
fn same_content((left, right): (&Loaded, &Loaded), locations: bool) -> bool {
    let options = FingerprintOptions { locations };
    let print = |loaded: &Loaded| {
        let (context, module) = (&loaded.context, &loaded.module);
        fingerprint(context, module, module.top(), &options)
    };
    print(left) == print(right)
}
