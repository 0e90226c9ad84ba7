//! `rmlir unwrap`: gets the modules out of a file that wraps them.

use super::{ExitStatus, Run, print, table};
use crate::Failure;
use crate::compressed::Compression;
use crate::diagnostics::DiagnosticFormat;
use crate::foreign;
use crate::input;
use crate::load::Inspecting;
use crate::output::Output;
use clap::Args;
use rmlir::embedded::{self, Artifact, Content, Unread, Unwrapped};
use rmlir::format::check_free;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Extract the modules of a file that wraps them: a program, an archive, an export
///
/// Known containers are ELF, Mach-O, PE, COFF, 'ar', WebAssembly, zip, gzip, zlib, tar, JSON,
/// base64, hexadecimal, exports of 'jax.export', TensorFlow's SavedModel, and folders. Then all
/// bytes are searched for bytecode, also in strings of other modules, and in strings and arrays of
/// source code. LLVM bitcode is listed; it is not MLIR.
///
/// Members that are not read are named in a warning: those that are encrypted or compressed by
/// another method than deflate, and containers in more than eight others. Damage is reported as an
/// error after the other modules are written.
///
/// Other subcommands read such files themselves: 'rmlir list a.out'.
#[derive(Args, Debug)]
pub struct Unwrap {
    /// The files or folders; `-` is standard input
    #[arg(default_value = "-")]
    inputs: Vec<String>,
    /// List the modules, and write none
    #[arg(long, conflicts_with = "output")]
    list: bool,
    /// List as JSON, an object in each line
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// The folder for the files, one for each module; it is created. Of several inputs, each has a
    /// folder of its name in it. `-` writes the only module that is selected to standard output
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: String,
    /// Replace files that exist
    #[arg(long, conflicts_with_all = ["list", "json"])]
    force: bool,
    #[command(flatten)]
    load: Inspecting,
}

impl Run for Unwrap {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let folders = self.folders()?;
        let mut failures = Vec::new();
        let mut rows = Vec::new();
        for (input, folder) in self.inputs.iter().zip(&folders) {
            let selected = match self.unwrap(input, &mut failures) {
                Ok(selected) => selected,
                Err(failure) => {
                    failures.push(failure);
                    continue;
                }
            };
            if self.json {
                let lines = selected
                    .iter()
                    .map(|(index, artifact)| format!("{}\n", to_json(input, *index, artifact)));
                print(&lines.collect::<String>())?;
            } else if self.list {
                rows.extend(selected.iter().map(|(index, artifact)| {
                    let mut cells = cells(*index, artifact);
                    if self.has_several() {
                        cells.insert(0, input.escape_debug().to_string());
                    }
                    cells
                }));
            } else if !selected.is_empty()
                && let Err(failure) = self.write(folder, &selected)
            {
                failures.push(failure);
            }
        }
        if !rows.is_empty() {
            let mut columns = COLUMNS.to_vec();
            if self.has_several() {
                columns.insert(0, ("file", false));
            }
            let (names, is_number): (Vec<&str>, Vec<bool>) = columns.into_iter().unzip();
            print(&table(&names, &is_number, &rows))?;
        }
        Failure::all(failures)?;
        Ok(ExitStatus::Success)
    }
}

/// The columns of a list, and whether each is a number.
const COLUMNS: [(&str, bool); 7] = [
    ("index", true),
    ("container", false),
    ("offset", true),
    ("length", true),
    ("form", false),
    ("producer", false),
    ("name", false),
];

impl Unwrap {
    fn has_several(&self) -> bool {
        self.inputs.len() > 1
    }

    /// Returns the folder for the modules of each input.
    fn folders(&self) -> Result<Vec<String>, Failure> {
        if !self.has_several() || self.json || self.list {
            return Ok(vec![self.output.clone(); self.inputs.len()]);
        }
        if self.output == "-" {
            let message = "the module of one input can be written to standard output";
            return Err(Failure::Usage(message.to_owned()));
        }
        let mut folders: Vec<String> = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let name = match input.as_str() {
                "-" => Path::new("stdin"),
                input => Path::new(Path::new(input).file_name().unwrap_or_default()),
            };
            let folder = Path::new(&self.output).join(name).display().to_string();
            if name.as_os_str().is_empty() || folders.contains(&folder) {
                return Err(Failure::Usage(format!(
                    "the folder for the modules of '{input}' would be '{folder}', which is taken; unwrap \
                     it on its own"
                )));
            }
            folders.push(folder);
        }
        Ok(folders)
    }

    /// Returns the modules of an input that the command line selects, with their indices, and adds
    /// what is damaged to `failures`.
    fn unwrap(
        &self,
        input: &str,
        failures: &mut Vec<Failure>,
    ) -> Result<Vec<(usize, Artifact)>, Failure> {
        let (found, foreign) = self.search(input)?;
        let (damaged, unread): (Vec<&Unread>, Vec<&Unread>) =
            found.unread.iter().partition(|unread| unread.is_damage());
        // The error names the method by which the whole file is compressed.
        let is_named = foreign.is_some() && found.artifacts.is_empty();
        for unread in unread
            .into_iter()
            .filter(|unread| !is_named || !unread.is_whole())
        {
            let format = self.load.diagnostic_format;
            format.show_file_warning(input, &unread.to_string());
        }
        let damaged_names: Vec<String> = damaged.iter().map(|unread| unread.name.clone()).collect();
        let reasons = damaged.iter().map(|unread| unread.to_string());
        failures.extend(reasons.map(|reason| Failure::file(input, reason)));
        if found.artifacts.is_empty() && !damaged_names.is_empty() {
            // The error of the damage is enough.
            return Ok(Vec::new());
        }
        let selected = self.selected(input, found, foreign)?;
        for (index, artifact) in selected.iter().filter(|(_, artifact)| !artifact.is_intact) {
            // That a member around it is damaged is said above.
            let mut names = damaged_names.iter();
            if !names.any(|name| artifact.name.starts_with(name.as_str())) {
                let reason = format!(
                    "module {index} at offset {} is damaged: its checksum is wrong",
                    artifact.offset
                );
                failures.push(Failure::file(input, reason));
            }
        }
        Ok(selected)
    }

    /// Returns what is found, and what the file is if it is not MLIR.
    fn search(&self, input: &str) -> Result<(Unwrapped, Option<String>), Failure> {
        let options = self.load.search_options();
        if Path::new(input).is_dir() {
            return Ok((embedded::unwrap_folder(input, &options)?, None));
        }
        let input = input::read(input, !self.load.no_mmap)?;
        let compressed = match input.is_positioned() {
            true => None,
            false => Compression::of(input.source()?),
        };
        let len = input.byte_len();
        let input = input.decompressed(&self.load.limits.of_bytecode())?;
        let foreign = match input.is_positioned() {
            true => None,
            false if input.source()?.is_empty() => Some("the file is empty".to_owned()),
            false => foreign::identify(input.source()?),
        };
        let mut found = input.search(&options)?;
        if let Some(compression) = compressed {
            place_within(&mut found, compression.name(), len);
        }
        Ok((found, foreign))
    }

    /// Returns the artifacts that the command line selects, with their indices.
    fn selected(
        &self,
        input: &str,
        found: Unwrapped,
        foreign: Option<String>,
    ) -> Result<Vec<(usize, Artifact)>, Failure> {
        let failure = |message: &str| Failure::file(input, message);
        let select = self.load.search_options().select;
        let mut all: Vec<(usize, Artifact)> = found.artifacts.into_iter().enumerate().collect();
        if all.is_empty() {
            return Err(failure(match (found.container, &foreign) {
                (_, Some(foreign)) => foreign,
                (Some(_), None) => "there is no MLIR in it",
                (None, None) => "there is no MLIR in it, and the format is unknown",
            }));
        }
        if let Some(select) = select {
            all.retain(|(index, artifact)| select.accepts(*index, artifact));
            if all.is_empty() {
                return Err(failure("no module is selected; '--list' lists them"));
            }
        }
        Ok(all)
    }

    fn write(&self, folder: &str, selected: &[(usize, Artifact)]) -> Result<(), Failure> {
        let write = |output: &Output, artifact: &Artifact| {
            output.write(|out| {
                let written = out.write_all(&artifact.source);
                written.map_err(|e| Failure::unwritten(&e))
            })
        };
        let intact = || selected.iter().filter(|(_, artifact)| artifact.is_intact);
        if folder == "-" {
            return match (intact().next(), selected) {
                (Some((_, only)), [_]) => {
                    if only.content != Content::Text {
                        Output::Standard.check_binary()?;
                    }
                    write(&Output::Standard, only)
                }
                (None, [_]) => Ok(()),
                _ => Err(Failure::Usage(format!(
                    "{} modules are selected, and one can be written to standard output: name it by '--index' or '--module'",
                    selected.len()
                ))),
            };
        }
        std::fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
        let width = selected
            .last()
            .map_or(1, |(index, _)| index.to_string().len());
        let named = intact().map(|(index, artifact)| {
            let extension = format!(".{}", artifact.content.extension());
            let name = file_name(artifact);
            let name = name.strip_suffix(&extension).unwrap_or(&name);
            let name = format!("{index:0width$}{name}{extension}");
            (Path::new(folder).join(name), artifact)
        });
        let named: Vec<(PathBuf, &Artifact)> = named.collect();
        // All or none.
        for (path, _) in &named {
            let path_name = path.display().to_string();
            check_free(path, self.force).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => {
                    Failure::file(&path_name, "the file exists; '--force' replaces it")
                }
                _ => Failure::io(&path_name, &error),
            })?;
        }
        for (path, artifact) in named {
            let path = path.display().to_string();
            let output = Output::New {
                path: path.clone(),
                replaces: self.force,
            };
            write(&output, artifact)?;
            print(&format!("{path}\n"))?;
        }
        Ok(())
    }
}

/// Changes what was found in the content of a compressed file of `len` bytes to what is in that
/// file.
fn place_within(found: &mut Unwrapped, compression: &str, len: u64) {
    let within = |container: &mut String| {
        *container = match container.as_str() {
            "" => compression.to_owned(),
            inner => format!("{compression}/{inner}"),
        };
    };
    for artifact in &mut found.artifacts {
        within(&mut artifact.container);
        artifact.depth = artifact.depth.saturating_add(1);
        (artifact.offset, artifact.span) = (0, len);
    }
    for unread in &mut found.unread {
        within(&mut unread.container);
        unread.offset = 0;
    }
}

/// See `spec/json.md`.
fn to_json(input: &str, index: usize, artifact: &Artifact) -> Value {
    json!({
        "schema": "unwrap/1",
        "file": input,
        "index": index,
        "container": artifact.container,
        "name": artifact.name,
        "offset": artifact.offset,
        "span": artifact.span,
        "length": artifact.source.len(),
        "form": artifact.content.name(),
        "producer": artifact.producer,
        "depth": artifact.depth,
        "intact": artifact.is_intact,
    })
}

fn cells(index: usize, artifact: &Artifact) -> Vec<String> {
    let or_dash = |text: &str| match text {
        "" => "-".to_owned(),
        // Names are those of files that are not trusted.
        text => text.escape_debug().to_string(),
    };
    vec![
        index.to_string(),
        or_dash(&artifact.container),
        artifact.offset.to_string(),
        artifact.source.len().to_string(),
        artifact.content.name().to_owned(),
        or_dash(artifact.producer.as_deref().unwrap_or_default()),
        or_dash(&artifact.name),
    ]
}

/// The name of an artifact as part of the name of a file, with `-` before it; empty if it has none.
fn file_name(artifact: &Artifact) -> String {
    /// No longer than this.
    const LENGTH: usize = 60;
    let safe = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => c,
        _ => '_',
    };
    let name: String = artifact.name.chars().map(safe).collect();
    let name = name.trim_matches(|c| c == '.' || c == '_');
    let skipped = name.len().saturating_sub(LENGTH);
    match name.get(skipped..) {
        None | Some("") => String::new(),
        Some(end) => format!("-{end}"),
    }
}
