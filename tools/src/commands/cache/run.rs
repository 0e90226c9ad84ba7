//! `rmlir cache run` and `rmlir cache key`.

use super::options::CacheArguments;
use crate::Failure;
use crate::commands::{ExitStatus, Run, print};
use crate::diagnostics::DiagnosticFormat;
use crate::output::Output;
use crate::process::remove_temporary_files_on_signals;
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use rmlir::Threads;
use rmlir_cache::{
    Cache, Granularity, Locations, StageCommand, StageError, StageInput, StageResult,
};
use serde_json::json;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run a compiler stage, or return its stored result
///
/// In the arguments of the program, '{in}' is the path of the input and '{out}' that of the output.
/// Without '{in}' the input is fed to standard input of the program; without '{out}' its standard
/// output is the output. The result is stored under the content of the input, the arguments, and
/// the content of the program, of the shared libraries that it loads, and of the files that
/// arguments name. The exit status, standard output and standard error are those of the program.
///
/// Example: rmlir cache run --stage opt -i a.mlir -o b.mlir -- mlir-opt --cse {in} -o {out}
#[derive(Args, Debug)]
pub(super) struct RunStage {
    #[command(flatten)]
    stage: StageArguments,
    /// Compile this share of the stored results again, and compare
    ///
    /// A result that differs is reported and not used.
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "0")]
    check: u8,
    /// Store results of runs that fail, too
    #[arg(long)]
    cache_failures: bool,
    /// Print on standard error what happened
    #[arg(short, long)]
    verbose: bool,
    /// Print on standard error what happened, as a JSON object on one line
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
}

/// How often garbage is collected by itself.
const GC_INTERVAL: Duration = Duration::from_secs(24 * 3600);

/// How locations count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LocationMode {
    /// Positions in files do not count; those of the current input are put into the output
    Rebind,
    /// Locations are part of the key
    Key,
    /// The program sees no locations, and the output has none of the input
    Strip,
}

impl From<LocationMode> for Locations {
    fn from(mode: LocationMode) -> Self {
        match mode {
            LocationMode::Rebind => Locations::Rebind,
            LocationMode::Key => Locations::Key,
            LocationMode::Strip => Locations::Strip,
        }
    }
}

/// Parses a share such as `5` or `5%`.
fn percent(text: &str) -> Result<u8, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse::<u8>().ok();
    let number = number.filter(|number| *number <= 100);
    number.ok_or_else(|| format!("'{text}' is not a share such as '5%'"))
}

/// The options that the key depends on.
#[derive(Args, Clone, Debug)]
struct StageArguments {
    /// The name of the stage; results of different stages are kept apart
    #[arg(long, value_name = "NAME")]
    stage: String,
    /// The version of the stage; a new one makes all results anew
    #[arg(long, value_name = "VERSION", default_value = "")]
    stage_version: String,
    /// The input file; `-` or none is standard input
    #[arg(short, long, value_name = "INPUT")]
    input: Option<String>,
    /// The output file; `-` or none is standard output. It is replaced as a whole or not at all
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<String>,
    /// A further file that the program reads, or a directory, all of whose files count
    #[arg(long = "also", value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// An environment variable that the program reads
    #[arg(long = "env", value_name = "NAME")]
    environment: Vec<String>,
    /// An identification of the program, such as its version, instead of the hashes of it and its
    /// libraries
    ///
    /// Required for scripts, and for shells, interpreters and programs such as 'env', which run
    /// other programs.
    #[arg(long, value_name = "ID")]
    tool_id: Option<String>,
    /// The results do not depend on the path of the input
    ///
    /// An output that contains its name is not stored.
    #[arg(long)]
    ignore_input_path: bool,
    /// Store results of each function
    ///
    /// Functions without a result are compiled together, as one module with declarations of the
    /// functions that they refer to. Requires that each pass of '--pass-pipeline' is nested under a
    /// function operation, or '--assume-function-local'.
    #[arg(long)]
    per_function: bool,
    /// Store results of each function, which may depend on all functions that it refers to
    #[arg(long, conflicts_with = "per_function")]
    closure: bool,
    /// With '--per-function': no function's result depends on the bodies of others
    #[arg(long, requires = "per_function")]
    assume_function_local: bool,
    /// How locations count: 'rebind' replaces positions in files by those of the current input,
    /// 'key' makes them part of the key, 'strip' removes all
    #[arg(long, value_name = "MODE", default_value = "rebind")]
    locations: LocationMode,
    /// The number of threads; by default that of the machine
    #[arg(long, value_name = "COUNT")]
    threads: Option<usize>,
    #[command(flatten)]
    cache: CacheArguments,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

impl StageArguments {
    fn command(&self) -> StageCommand {
        let mut command = StageCommand::default();
        let mut words = self.command.iter();
        command.program = words.next().cloned().unwrap_or_default().into();
        command.arguments = words.cloned().collect();
        command.stage = self.stage.clone();
        command.stage_version = self.stage_version.clone();
        command.tool_id = self.tool_id.clone();
        command.environment = self.environment.clone();
        command.inputs = self.inputs.clone();
        command.ignore_input_path = self.ignore_input_path;
        command.granularity = match (self.per_function, self.closure) {
            (true, _) => Granularity::Function,
            (_, true) => Granularity::Closure,
            _ => Granularity::Module,
        };
        command.locations = self.locations.into();
        command.assume_function_local = self.assume_function_local;
        command.threads = match self.threads {
            Some(count) => Threads::new(count),
            None => Threads::available(),
        };
        let output = self.output.as_deref().filter(|path| *path != "-");
        let extension = output.and_then(|path| Path::new(path).extension());
        command.output_extension = extension.and_then(|one| one.to_str()).map(str::to_owned);
        command
    }

    fn read(&self) -> Result<StageInput, Failure> {
        let mut bytes = Vec::new();
        match self.input.as_deref() {
            None | Some("-") => {
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|e| Failure::io("<stdin>", &e))?;
                Ok(StageInput { path: None, bytes })
            }
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|e| Failure::io(path, &e))?;
                let path = Some(PathBuf::from(path));
                Ok(StageInput { path, bytes })
            }
        }
    }
}

fn failure(error: &StageError) -> Failure {
    match error {
        StageError::Arguments(message) => Failure::Usage(message.clone()),
        other => Failure::Input(format!(
            "error: {}",
            crate::without_code(&other.to_string())
        )),
    }
}

impl Run for RunStage {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.stage.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let mut command = self.stage.command();
        command.cache_failures = self.cache_failures;
        command.check = self.check;
        let is_terminal = std::io::stderr().is_terminal();
        command.tee = !is_terminal;
        let cache = self.stage.cache.open()?;
        let input = self.stage.read()?;
        remove_temporary_files_on_signals();
        let start = std::time::Instant::now();
        let progress = Progress::spinner(&self.stage.stage);
        let result = command.run(&cache, &input);
        drop(progress);
        let result = result.map_err(|error| failure(&error))?;
        let _ = std::io::stderr().write_all(&result.stderr);
        self.write(&command, &result)?;
        self.report(&cache, &result, start.elapsed().as_millis());
        if cache.is_gc_due(GC_INTERVAL) {
            collect_garbage(&cache);
        }
        Ok(match u8::try_from(result.exit) {
            Ok(code) => ExitStatus::Code(code),
            Err(_) => ExitStatus::Code(u8::MAX),
        })
    }
}

impl RunStage {
    /// Writes the output, if there is one.
    fn write(&self, command: &StageCommand, result: &StageResult) -> Result<(), Failure> {
        let output = Output::new(self.stage.output.as_deref());
        let all = |bytes: &[u8], out: &mut dyn Write| {
            out.write_all(bytes).map_err(|e| Failure::unwritten(&e))
        };
        if !command.has_output_file() {
            // A failing program writes no output file.
            if result.exit != 0 && matches!(output, Output::File(_)) {
                return Ok(());
            }
            return output.write(|out| all(&result.stdout, out));
        }
        if let Some(file) = &result.file {
            output.write(|out| all(file, out))?;
            if let Output::File(path) = &output
                && result.is_executable
            {
                make_executable(path)?;
            }
        }
        match result.stdout.is_empty() {
            true => Ok(()),
            false => Output::Standard.write(|out| all(&result.stdout, out)),
        }
    }

    fn report(&self, cache: &Cache, result: &StageResult, milliseconds: u128) {
        let notes: Vec<String> = result
            .notes
            .iter()
            .cloned()
            .chain(cache.messages())
            .collect();
        if cache.current_stats().check_failures > 0 {
            let warning = "a stored result differs from a new one, which is used instead";
            self.diagnostic_format().show_warning(warning);
        }
        let text = if self.json {
            let report = json!({
                "stage": self.stage.stage,
                "result": result.origin.to_string(),
                "key": result.key.to_string(),
                "exit": result.exit,
                "milliseconds": u64::try_from(milliseconds).unwrap_or(u64::MAX),
                "compiled": result.missing,
                "reasons": result.reasons,
                "notes": notes,
            });
            format!("{report}\n")
        } else if self.verbose {
            let mut text = format!(
                "{}: {} in {milliseconds} ms, key {}\n",
                self.stage.stage, result.origin, result.key
            );
            let mut compiled = result.missing.iter().zip(&result.reasons).peekable();
            while let Some((name, reason)) = compiled.next() {
                let mut names = name.clone();
                while let Some((name, _)) = compiled.next_if(|(_, other)| *other == reason) {
                    names.push_str(&format!(", {name}"));
                }
                text.push_str(&format!(
                    "{}: compiled {names}: {reason}\n",
                    self.stage.stage
                ));
            }
            for note in &notes {
                text.push_str(&format!("{}: {note}\n", self.stage.stage));
            }
            text
        } else {
            return;
        };
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Starts a process that collects garbage, and does not wait for it.
fn collect_garbage(cache: &Cache) {
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut command = std::process::Command::new(program);
    command
        .args(["cache", "gc", "--cache-dir"])
        .arg(cache.directory());
    let null = std::process::Stdio::null;
    command.stdin(null()).stdout(null()).stderr(null());
    // If it cannot be started, the cache stays as large as it is.
    let _ = command.spawn();
}

#[cfg(unix)]
fn make_executable(path: &str) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let change = || {
        let mut permissions = std::fs::metadata(path)?.permissions();
        // Whoever may read the file may run it.
        let mode = permissions.mode();
        permissions.set_mode(mode | (mode & 0o444) >> 2);
        std::fs::set_permissions(path, permissions)
    };
    change().map_err(|e| Failure::io(path, &e))
}

#[cfg(not(unix))]
fn make_executable(_: &str) -> Result<(), Failure> {
    Ok(())
}

/// Print the key of a stage's result, and the parts that it depends on
///
/// Takes the options of 'rmlir cache run' that the key depends on.
#[derive(Args, Debug)]
pub(super) struct Key {
    #[command(flatten)]
    stage: StageArguments,
    /// Print the parts, too; with '--per-function' or '--closure' also the key of each function,
    /// and whether its result is stored
    #[arg(short, long)]
    verbose: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Key {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.stage.cache.diagnostic_format()
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        let command = self.stage.command();
        let cache = self.stage.cache.open()?;
        let input = self.stage.read()?;
        let domain = command.domain(&cache).map_err(|error| failure(&error))?;
        let key = command.key(&domain, &input);
        let functions = match self.json || self.verbose {
            true => command.function_keys(&cache, &domain, &input),
            false => Ok(None),
        };
        let functions = functions.map_err(|error| failure(&error))?;
        let mut text = format!("{}\n", key.digest());
        if self.json {
            let parts = key.all_parts().into_iter();
            let parts = parts.map(|part| json!({"name": part.name, "value": part.value}));
            let functions = functions.map(|all| {
                let all = all.into_iter().map(|one| {
                    json!({
                        "name": one.name,
                        "key": one.key.to_string(),
                        "stored": one.is_stored,
                    })
                });
                all.collect::<Vec<_>>()
            });
            let report = json!({
                "key": key.digest().to_string(),
                "parts": parts.collect::<Vec<_>>(),
                "functions": functions,
            });
            text = format!("{report}\n");
        } else if self.verbose {
            for part in key.all_parts() {
                text.push_str(&format!("  {}: {}\n", part.name, part.value));
            }
            for one in functions.into_iter().flatten() {
                let stored = if one.is_stored {
                    "stored"
                } else {
                    "not stored"
                };
                text.push_str(&format!("  @{}: {}, {stored}\n", one.name, one.key));
            }
        }
        print(&text)?;
        Ok(ExitStatus::Success)
    }
}
