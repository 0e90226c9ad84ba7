//! [`StageCommand`]: runs a program through the cache.

mod command_tool;
mod pipeline;
mod process;
mod text;

use crate::parts::{self, Granularity, Locations, PartsOptions, read_options};
use crate::store::stats::Counters;
use crate::tool::{ToolIdentity, UnknownIdentity};
use crate::{ActionKey, Cache, Digest, Entry};
use command_tool::{CommandTool, TEMPORARY};
pub(crate) use process::Priority;
pub use process::abandon_runs;
use process::{IN, OUT, Program, Ran};
use rmlir::format::TemporaryDirectory;
use rmlir::ir::{EqualityOptions, semantic_eq};
use rmlir::{Form, Ir, Threads};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A compiler stage that is a program: its name and the inputs of its result.
///
/// In the arguments, `{in}` is the path of the input, `{out}` that of the output. Without `{in}`
/// the input is fed to standard input; without `{out}` the output is standard output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StageCommand {
    /// The name of the stage. Results of different stages are kept apart.
    pub stage: String,
    /// The version of the stage: a change makes all results anew.
    pub stage_version: String,
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// An identification of the program, instead of the hashes of it and its libraries.
    pub tool_id: Option<String>,
    /// Names of environment variables that the program reads.
    pub environment: Vec<String>,
    /// Other files that the program reads, and directories, all of whose files count.
    pub inputs: Vec<PathBuf>,
    /// Store results of runs that fail, too. Default: false.
    pub cache_failures: bool,
    /// The results do not depend on the path of the input. Default: false.
    pub ignore_input_path: bool,
    /// The extension of the output file, which programs may go by.
    pub output_extension: Option<String>,
    /// Write standard error of the program to ours while it runs. Default: false.
    pub tee: bool,
    /// The parts of a module whose results are stored. Default: modules.
    pub granularity: Granularity,
    /// How locations of the input count. Default: [`Locations::Rebind`].
    pub locations: Locations,
    /// Results of functions do not depend on other functions, although that cannot be derived from
    /// the arguments. Default: false.
    pub assume_function_local: bool,
    /// The share of stored results that are computed again and compared, in percent. Default: 0.
    pub check: u8,
    /// The number of threads that read and write modules.
    pub threads: Threads,
}

impl Default for StageCommand {
    fn default() -> Self {
        StageCommand {
            stage: String::new(),
            stage_version: String::new(),
            program: OsString::new(),
            arguments: Vec::new(),
            tool_id: None,
            environment: Vec::new(),
            inputs: Vec::new(),
            cache_failures: false,
            ignore_input_path: false,
            output_extension: None,
            tee: false,
            granularity: Granularity::Module,
            locations: Locations::Rebind,
            assume_function_local: false,
            check: 0,
            threads: Threads::ONE,
        }
    }
}

/// Putting together an output of this size takes a fraction of a second.
const SMALL: usize = 8 << 20;

/// The input of a stage.
#[derive(Clone, Debug)]
pub struct StageInput {
    /// The path, if it is a file.
    pub path: Option<PathBuf>,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Where a result is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// The stored output of the same bytes, options and tool.
    Stored,
    /// The stored output of the same module in other bytes, such as one whose positions in files
    /// differ. The output has the positions of the input.
    SameModule,
    /// Stored results of functions were put together, with the positions of the input. The program
    /// ran on the functions without a result.
    Parts {
        /// The number of functions whose results were found.
        hits: u64,
        /// The number of those that were compiled.
        misses: u64,
    },
    /// The program ran on the whole input.
    Ran,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Stored => f.write_str("hit"),
            Origin::SameModule => f.write_str("hit of the same module"),
            Origin::Parts { misses: 0, .. } => f.write_str("hit of parts"),
            Origin::Parts { hits, misses } => {
                write!(f, "{hits} of {} parts hit", hits.saturating_add(*misses))
            }
            Origin::Ran => f.write_str("miss"),
        }
    }
}

/// The result of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StageResult {
    /// The exit status.
    pub exit: i32,
    /// The output: the file, if the arguments have `{out}`. `None` if the program wrote none.
    pub file: Option<Vec<u8>>,
    /// Whether the output file is executable.
    pub is_executable: bool,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error; empty if it was written already.
    pub stderr: Vec<u8>,
    /// Where the result is from.
    pub origin: Origin,
    /// The key.
    pub key: Digest,
    /// Names of functions that were compiled, if others were not; the first ones.
    pub missing: Vec<String>,
    /// For each of these functions: why its result was not found, compared with the version of the
    /// module that was compiled last.
    pub reasons: Vec<String>,
    /// Remarks for people.
    pub notes: Vec<String>,
    /// Whether the result must not be stored.
    is_private: bool,
    /// Whether standard error was written while the program ran.
    is_printed: bool,
    /// Whether the results of the parts are stored.
    is_stored_by_parts: bool,
}

impl StageResult {
    /// Returns the content of standard output, standard error and the output file.
    fn outputs(&self) -> impl Iterator<Item = &[u8]> {
        let streams = [Some(&self.stdout), Some(&self.stderr), self.file.as_ref()];
        streams.into_iter().flatten().map(Vec::as_slice)
    }
}

/// The key of a function's result.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FunctionKey {
    /// The name of the symbol, without `@`.
    pub name: String,
    /// The key. Functions whose results are stored together have the same.
    pub key: Digest,
    /// Whether the directory has the result.
    pub is_stored: bool,
}

/// The reason why a stage did not run.
#[derive(Debug)]
#[non_exhaustive]
pub enum StageError {
    /// The identity of the program is unknown.
    Identity(UnknownIdentity),
    /// A declared input cannot be read, or is a directory with too many files.
    Input(UnknownIdentity),
    /// The program, or a file that it needs, could not be started or read.
    Io(String, io::Error),
    /// The arguments are wrong.
    Arguments(String),
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StageError::Identity(error) if error.not_found => error.fmt(f),
            StageError::Identity(error) => {
                write!(f, "{error}; '--tool-id' declares the identity of the tool")
            }
            StageError::Input(error) => error.fmt(f),
            StageError::Io(what, error) => write!(f, "{what}: {error}"),
            StageError::Arguments(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for StageError {}

impl StageCommand {
    fn program(&self) -> Program<'_> {
        Program {
            program: &self.program,
            arguments: &self.arguments,
        }
    }

    /// Returns whether the arguments name the input file.
    fn has_input_file(&self) -> bool {
        self.program().has(IN)
    }

    /// Returns whether the arguments name the output file.
    pub fn has_output_file(&self) -> bool {
        self.program().has(OUT)
    }

    /// Returns the key of everything but the input: stage, options, tool, environment. Results of
    /// different domains have nothing in common.
    ///
    /// # Errors
    ///
    /// If the identity of the tool is unknown, or a declared input cannot be read.
    pub fn domain(&self, cache: &Cache) -> Result<ActionKey, StageError> {
        self.check_arguments()?;
        let identity = match &self.tool_id {
            Some(id) => ToolIdentity::declared_with_arguments(cache, id, &self.arguments),
            None => ToolIdentity::of(cache, &self.program, &self.arguments),
        };
        let identity = identity.map_err(StageError::Identity)?;
        let mut key = ActionKey::new(&self.stage, &self.stage_version);
        key = key.with("program", self.program.as_encoded_bytes());
        for (number, argument) in self.arguments.iter().enumerate() {
            key = key.with(format!("argument {}", number + 1), argument);
        }
        for part in identity.parts() {
            key = key.with(&part.name, &part.value);
        }
        let mut names = self.environment.clone();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let value = std::env::var_os(&name);
            let set = if value.is_some() { "set" } else { "unset" };
            let value = value.unwrap_or_default();
            // The value may be a secret: its hash is stored.
            let digest = Digest::of(value.as_encoded_bytes());
            key = key.with(format!("environment {name}"), format!("{set} {digest}"));
        }
        for path in &self.inputs {
            let files = ToolIdentity::of_input(cache, path).map_err(StageError::Input)?;
            for (name, digest) in files {
                key = key.with_input(&name, &digest);
            }
        }
        if let Some(extension) = &self.output_extension {
            key = key.with("output extension", extension);
        }
        Ok(key.finish())
    }

    /// Returns the key of the result for an input, by its bytes.
    pub fn key(&self, domain: &ActionKey, input: &StageInput) -> ActionKey {
        let key = self.key_of_bytes(domain, input);
        match self.locations {
            Locations::Strip => key.extend().with("locations", "removed").finish(),
            _ => key,
        }
    }

    fn key_of_bytes(&self, domain: &ActionKey, input: &StageInput) -> ActionKey {
        let mut key = domain.extend();
        if !self.ignore_input_path && self.program().has(IN) {
            // Programs put the path into messages and locations.
            let path = input.path.as_deref().unwrap_or(Path::new("-"));
            key = key.with("input path", path.as_os_str().as_encoded_bytes());
        }
        key.with_input("in", &Digest::of(&input.bytes)).finish()
    }

    /// Refuses arguments with which the cache would miss what the program writes.
    fn check_arguments(&self) -> Result<(), StageError> {
        if self.has_output_file() {
            return Ok(());
        }
        let mut arguments = self.arguments.iter();
        while let Some(argument) = arguments.next() {
            let value = match argument.as_str() {
                "-o" => arguments.next().map(String::as_str),
                other => other
                    .strip_prefix("-o=")
                    .or(other.strip_prefix("--output=")),
            };
            if let Some(value) = value.filter(|value| !matches!(*value, "-" | "/dev/stdout")) {
                return Err(StageError::Arguments(format!(
                    "the program writes to '{value}', which the cache would not restore: write '-o {OUT}'"
                )));
            }
        }
        Ok(())
    }

    /// Returns the result of the stage for an input: the stored one, or that of a run.
    ///
    /// # Errors
    ///
    /// If the identity of the tool is unknown, or it cannot be started. A program that fails is a
    /// result.
    pub fn run(&self, cache: &Cache, input: &StageInput) -> Result<StageResult, StageError> {
        let (domain, ahead) = self.domain_and_module(cache, input);
        let domain = domain?;
        let key = self.key(&domain, input);
        let mut result = match self.locations {
            Locations::Strip => self.run_stripped(cache, &domain, &key, input)?,
            _ => self.run_on(cache, &domain, &key, input, ahead)?,
        };
        let stats = &cache.store().stats;
        match result.origin {
            Origin::Stored => {
                let bytes = result.outputs().map(<[u8]>::len).sum::<usize>();
                stats.count_hit(bytes as u64);
            }
            Origin::SameModule => stats.count_result(1, 0),
            Origin::Parts { hits, misses } => stats.count_result(hits, misses),
            Origin::Ran => stats.count_result(0, 1),
        }
        let mut seen = std::collections::HashSet::new();
        result.notes.retain(|note| seen.insert(note.clone()));
        Ok(result)
    }

    /// Returns the key of everything but the input. While a program is hashed for the first time,
    /// the input is read: its parts will be needed.
    fn domain_and_module(
        &self,
        cache: &Cache,
        input: &StageInput,
    ) -> (Result<ActionKey, StageError>, Option<Ir>) {
        let is_read = self.threads.count() > 1
            && self.tool_id.is_none()
            && self.granularity != Granularity::Module
            && self.locations != Locations::Strip
            && !ToolIdentity::was_hashed(cache, &self.program);
        std::thread::scope(|scope| {
            let read = || read(input, self.has_input_file(), self.threads);
            let reading = is_read.then(|| scope.spawn(read));
            let domain = self.domain(cache);
            (domain, reading.and_then(|reading| reading.join().ok()?))
        })
    }

    /// Runs the program on the input without its locations.
    fn run_stripped(
        &self,
        cache: &Cache,
        domain: &ActionKey,
        key: &ActionKey,
        input: &StageInput,
    ) -> Result<StageResult, StageError> {
        // The output for these bytes, without reading them.
        let known = cache.lookup(&key.digest());
        let is_seen = known.is_some();
        if self.check == 0
            && let Some(entry) = known.filter(|entry| !entry.is_mark())
        {
            return Ok(stored(key, entry));
        }
        let beside = text::beside_module(&self.arguments, &input.bytes);
        let stripped = match beside {
            Some(_) => None,
            None => strip(input, self.threads),
        };
        let Some(bytes) = stripped else {
            let mut result = self.run_on(cache, domain, key, input, None)?;
            result.notes.push(match beside {
                Some(beside) => format!(
                    "the input has its locations: without its text, '{beside}' has another meaning"
                ),
                None => "the input has its locations: it is not read as a module".to_owned(),
            });
            return Ok(result);
        };
        let stripped = StageInput { path: None, bytes };
        // Its messages are not shown: their positions refer to a text that is not a file.
        let mut quiet = self.clone();
        quiet.tee = false;
        let of_stripped = self.key_of_bytes(domain, &stripped);
        let mut result = quiet.run_on(cache, domain, &of_stripped, &stripped, None)?;
        result.key = key.digest();
        if result.exit != 0 || !result.stderr.is_empty() {
            let (ran, mut notes) = self.run_whole(cache, input, Priority::Normal)?;
            if ran.exit == 0 && result.exit == 0 {
                (result.stderr, result.is_printed) = (ran.stderr, true);
                result.is_private |= ran.is_killed;
            } else {
                if ran.exit == 0 {
                    let note = "the input has its locations: without them, the program fails";
                    notes.push(note.to_owned());
                }
                result = self.result(key, ran, Vec::new());
            }
            return self.finish(cache, domain, key, input, result, notes, true);
        }
        if !result.is_private || result.origin == Origin::Stored {
            let is_whole = result.origin == Origin::Stored || is_seen || self.is_worth(&result);
            self.put(cache, key, &mut result, is_whole);
        }
        Ok(result)
    }

    /// Returns the result for an input, which may have been read ahead.
    fn run_on(
        &self,
        cache: &Cache,
        domain: &ActionKey,
        key: &ActionKey,
        input: &StageInput,
        ahead: Option<Ir>,
    ) -> Result<StageResult, StageError> {
        let mut notes = Vec::new();
        let mut is_seen = false;
        match cache.lookup(&key.digest()) {
            Some(entry) if entry.is_mark() => is_seen = true,
            Some(entry) => {
                let mut found = stored(key, entry);
                if !parts::is_chosen(self.check) {
                    return Ok(found);
                }
                let (ran, private) = self.run_whole(cache, input, Priority::Normal)?;
                let fresh = self.result(key, ran, private);
                if is_same(&found, &fresh, self.threads) {
                    if self.tee {
                        found.stderr = Vec::new();
                    }
                    return Ok(found);
                }
                let stats = &cache.store().stats;
                Counters::count(&stats.check_failures, 1);
                let note = "the stored result differs from a new one".to_owned();
                return self.finish(cache, domain, key, input, fresh, vec![note], true);
            }
            None => {}
        }
        let result = match self.run_parts(cache, domain, key, input, ahead, &mut notes)? {
            Some(result) => result,
            None => {
                let (ran, notes) = self.run_whole(cache, input, Priority::Normal)?;
                self.result(key, ran, notes)
            }
        };
        self.finish(cache, domain, key, input, result, notes, is_seen)
    }

    /// Stores a result if it may be, and adds notes.
    #[allow(clippy::too_many_arguments)]
    fn finish(
        &self,
        cache: &Cache,
        domain: &ActionKey,
        key: &ActionKey,
        input: &StageInput,
        mut result: StageResult,
        notes: Vec<String>,
        is_seen: bool,
    ) -> Result<StageResult, StageError> {
        result.notes.extend(notes);
        if result.origin == Origin::Ran
            && !result.is_private
            && !self.is_unchanged(cache, domain, input)
        {
            result.notes.push(parts::CHANGED.to_owned());
            result.is_private = true;
        }
        if let Some(name) = self.named_input(input, &result) {
            result.notes.push(format!(
                "not stored: the output contains the name of the input, '{name}', on which results \
                 are declared not to depend"
            ));
            result.is_private = true;
        }
        let is_success = result.exit == 0 && (result.file.is_some() || !self.has_output_file());
        let is_result = is_success || (self.cache_failures && result.exit < 128);
        if is_result && !result.is_private {
            let is_whole = is_seen || self.is_worth(&result);
            self.put(cache, key, &mut result, is_whole);
        } else if !is_result && !result.is_private {
            result.notes.push(match result.exit {
                0 => "not stored: the program did not write the output file".to_owned(),
                exit => format!("not stored: the exit status is {exit}"),
            });
        }
        if self.tee && result.is_printed {
            result.stderr = Vec::new();
        }
        Ok(result)
    }

    /// Stores a result as a whole, or records that it was seen. A failure to store costs the next
    /// build time, nothing else.
    fn put(&self, cache: &Cache, key: &ActionKey, result: &mut StageResult, is_whole: bool) {
        let own = match is_whole {
            true => entry(result),
            false => Entry::mark(),
        };
        if let Err(error) = cache.put(key, &with_reasons(own, result)) {
            result.notes.push(parts::not_stored(cache, &error));
        }
    }

    /// Returns the name of the input if the results are declared not to depend on it, but the
    /// output contains it.
    fn named_input(&self, input: &StageInput, result: &StageResult) -> Option<String> {
        let name = input.path.as_ref()?.file_name()?;
        if !self.ignore_input_path || !self.program().has(IN) {
            return None;
        }
        let mut outputs = result.outputs();
        outputs
            .any(|bytes| parts::has_file_name(bytes, name.as_encoded_bytes()))
            .then(|| name.to_string_lossy().into_owned())
    }

    /// Returns whether the tool and the input are still those of the key.
    fn is_unchanged(&self, cache: &Cache, domain: &ActionKey, input: &StageInput) -> bool {
        let is_same = |path: &PathBuf| std::fs::read(path).is_ok_and(|bytes| bytes == input.bytes);
        input.path.as_ref().is_none_or(is_same)
            && self
                .domain(cache)
                .is_ok_and(|now| now.digest() == domain.digest())
    }

    /// Returns whether an output is stored as a whole when it is first seen. Outputs of functions
    /// can be put together, so versions of a module that are compiled once take the space of
    /// what changed. The first version is likely to be compiled again.
    fn is_worth(&self, result: &StageResult) -> bool {
        let len = result.file.as_ref().map_or(result.stdout.len(), Vec::len);
        self.granularity == Granularity::Module
            || !result.is_stored_by_parts
            || result.origin == Origin::Ran && len >= SMALL
    }

    /// Puts a result together; `None` if the program has to run on the whole input.
    fn run_parts(
        &self,
        cache: &Cache,
        domain: &ActionKey,
        key: &ActionKey,
        input: &StageInput,
        ahead: Option<Ir>,
        notes: &mut Vec<String>,
    ) -> Result<Option<StageResult>, StageError> {
        if self.granularity == Granularity::Module && self.locations == Locations::Key {
            return Ok(None);
        }
        if let Some(note) = self.no_parts(input)? {
            notes.push(note);
            return Ok(None);
        }
        let mut tool = self.tool(cache, domain, input);
        tool.ahead = Mutex::new(ahead);
        let Some(outcome) = parts::run(cache, domain, self.parts_options(), &tool) else {
            return Ok(None);
        };
        let (hits, misses) = (outcome.hits, outcome.misses);
        let mut result = match (outcome.whole, outcome.output.is_some()) {
            (Some(whole), is_stored) => {
                let (ran, notes) = whole?;
                let mut result = self.result(key, ran, notes);
                result.is_stored_by_parts = is_stored;
                result
            }
            (None, _) => {
                let mut result = self.result(key, Ran::default(), Vec::new());
                result.origin = match (self.granularity, misses) {
                    (Granularity::Module, 0) => Origin::SameModule,
                    // It ran on the module with placeholders.
                    (Granularity::Module, _) => Origin::Ran,
                    _ => Origin::Parts { hits, misses },
                };
                result.is_printed = false;
                result.is_stored_by_parts = true;
                match self.has_output_file() {
                    true => result.file = outcome.output,
                    false => result.stdout = outcome.output.unwrap_or_default(),
                }
                result
            }
        };
        result.notes.extend(outcome.notes);
        if self.granularity != Granularity::Module {
            result.missing = outcome.missing;
            result.reasons = outcome.reasons;
        }
        Ok(Some(result))
    }

    fn tool<'a>(
        &'a self,
        cache: &'a Cache,
        domain: &'a ActionKey,
        input: &'a StageInput,
    ) -> CommandTool<'a> {
        CommandTool {
            cache,
            command: self,
            domain,
            input,
            ahead: Mutex::default(),
            form: Form::of(&input.bytes),
            threads: self.threads,
        }
    }

    fn parts_options(&self) -> PartsOptions {
        PartsOptions {
            granularity: self.granularity,
            locations: self.locations,
            check: self.check.min(100),
            threads: self.threads,
        }
    }

    /// Returns a note if results cannot be put together, because of the arguments or the text.
    fn no_parts(&self, input: &StageInput) -> Result<Option<String>, StageError> {
        if self.granularity == Granularity::Function && !self.assume_function_local {
            let context = rmlir::ReadOptions::default().context();
            let checked = pipeline::check(&self.arguments, &context);
            checked.map_err(StageError::Arguments)?;
        }
        if self.granularity != Granularity::Module
            && let Some(pass) = pipeline::not_local(&self.arguments, self.granularity)
        {
            return Ok(Some(format!(
                "'{pass}' does not compile each function on its own: the program runs on the whole"
            )));
        }
        let beside = text::beside_module(&self.arguments, &input.bytes);
        Ok(beside.map(|beside| match self.granularity {
            Granularity::Module => format!(
                "the result may depend on more than the module ('{beside}'): the key is that of \
                 the bytes"
            ),
            _ => format!(
                "the result may depend on more than the module ('{beside}'): the program runs on \
                 the whole"
            ),
        }))
    }

    /// Returns the functions of an input with their keys, in order. `None` if the results of this
    /// stage for the input are stored as a whole only.
    ///
    /// # Errors
    ///
    /// If a pass of the arguments is not nested under functions.
    pub fn function_keys(
        &self,
        cache: &Cache,
        domain: &ActionKey,
        input: &StageInput,
    ) -> Result<Option<Vec<FunctionKey>>, StageError> {
        if self.granularity == Granularity::Module || self.no_parts(input)?.is_some() {
            return Ok(None);
        }
        let stripped = match self.locations {
            Locations::Strip => strip(input, self.threads),
            _ => None,
        };
        let stripped = stripped.map(|bytes| StageInput { path: None, bytes });
        let tool = self.tool(cache, domain, stripped.as_ref().unwrap_or(input));
        Ok(parts::function_keys(
            cache,
            domain,
            self.parts_options(),
            &tool,
        ))
    }

    fn result(&self, key: &ActionKey, ran: Ran, mut notes: Vec<String>) -> StageResult {
        if ran.is_killed {
            notes.push("not stored: a signal ended the program".to_owned());
        }
        StageResult {
            exit: ran.exit,
            file: ran.file,
            is_executable: ran.is_executable,
            stdout: ran.stdout,
            stderr: ran.stderr,
            origin: Origin::Ran,
            key: key.digest(),
            missing: Vec::new(),
            reasons: Vec::new(),
            is_private: !notes.is_empty(),
            is_printed: true,
            is_stored_by_parts: false,
            notes,
        }
    }

    /// Runs the program on the input as it is. Notes state why the result must not be stored.
    fn run_whole(
        &self,
        cache: &Cache,
        input: &StageInput,
        priority: Priority,
    ) -> Result<(Ran, Vec<String>), StageError> {
        let started = |e| StageError::Io(self.program.to_string_lossy().into_owned(), e);
        Counters::count(&cache.store().stats.tool_runs, 1);
        let folder = TemporaryDirectory::create(TEMPORARY).map_err(started)?;
        let output = folder.path().join(self.output_name());
        let program = self.program();
        let (path, stdin) = match (&input.path, program.has(IN)) {
            (Some(path), true) => (path.clone(), None),
            (None, true) => {
                let path = folder.path().join("in");
                std::fs::write(&path, &input.bytes).map_err(started)?;
                (path, None)
            }
            (_, false) => (PathBuf::new(), Some(input.bytes.as_slice())),
        };
        let ran = program
            .run(&path, &output, stdin, self.tee, priority)
            .map_err(started)?;
        // Its name is random. The program may have found another path to it.
        let name = folder.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let outputs = [Some(&ran.stdout), Some(&ran.stderr), ran.file.as_ref()];
        let mut notes = Vec::new();
        if outputs
            .into_iter()
            .flatten()
            .any(|bytes| parts::has_text(bytes, &name))
        {
            notes.push("not stored: the output contains the path of a temporary file".to_owned());
        }
        Ok((ran, notes))
    }

    fn output_name(&self) -> String {
        match &self.output_extension {
            Some(extension) => format!("out.{extension}"),
            None => "out".to_owned(),
        }
    }
}

/// Adds why functions were compiled, for explanations.
fn with_reasons(mut entry: Entry, result: &StageResult) -> Entry {
    for (name, reason) in result.missing.iter().zip(&result.reasons) {
        entry = entry.with_note(format!("compiled {name}"), reason);
    }
    entry
}

fn entry(result: &StageResult) -> Entry {
    let mut entry = Entry::new();
    entry.exit = result.exit;
    if let Some(file) = &result.file {
        let role = if result.is_executable {
            "program"
        } else {
            "out"
        };
        entry = entry.with_output(role, file.clone());
    }
    for (role, bytes) in [("stdout", &result.stdout), ("stderr", &result.stderr)] {
        if !bytes.is_empty() {
            entry = entry.with_output(role, bytes.clone());
        }
    }
    entry
}

fn stored(key: &ActionKey, entry: Entry) -> StageResult {
    let exit = entry.exit;
    let mut result = StageResult {
        exit,
        file: None,
        is_executable: false,
        stdout: Vec::new(),
        stderr: Vec::new(),
        origin: Origin::Stored,
        key: key.digest(),
        missing: Vec::new(),
        reasons: Vec::new(),
        notes: Vec::new(),
        is_private: true,
        is_printed: false,
        is_stored_by_parts: true,
    };
    for (role, bytes) in entry.into_outputs() {
        match role.as_str() {
            "out" => result.file = Some(bytes),
            "program" => (result.file, result.is_executable) = (Some(bytes), true),
            "stdout" => result.stdout = bytes,
            "stderr" => result.stderr = bytes,
            _ => {}
        }
    }
    result
}

/// Returns whether two results are equal: modules in bytecode by content with locations, anything
/// else byte for byte.
fn is_same(found: &StageResult, fresh: &StageResult, threads: Threads) -> bool {
    let is_same = |own: &[u8], other: &[u8]| {
        own == other
            || Form::of(own) == Form::of(other)
                && Form::of(own) != Form::Text
                && same_modules(own, other, threads).unwrap_or(false)
    };
    let is_same_file = match (&found.file, &fresh.file) {
        (Some(own), Some(other)) => is_same(own, other),
        (own, other) => own == other,
    };
    is_same_file
        && (found.exit, found.is_executable) == (fresh.exit, fresh.is_executable)
        && is_same(&found.stdout, &fresh.stdout)
        && found.stderr == fresh.stderr
}

fn same_modules(own: &[u8], other: &[u8], threads: Threads) -> Option<bool> {
    let options = read_options("-", threads);
    let own = rmlir::read_with(own.to_vec(), &options).ok()?;
    let other = rmlir::read_with(other.to_vec(), &options).ok()?;
    let options = EqualityOptions { locations: true };
    Some(semantic_eq(own.parts(), other.parts(), &options))
}

/// Reads an input; `None` if it is not a module. Locations of a text without locations have the
/// name that the program sees.
fn read(input: &StageInput, has_path: bool, threads: Threads) -> Option<Ir> {
    let path = input.path.as_ref().filter(|_| has_path);
    let path = path.map(|path| path.display().to_string());
    let options = read_options(path.as_deref().unwrap_or("<stdin>"), threads);
    rmlir::read_with(input.bytes.clone(), &options).ok()
}

/// Returns an input without locations, in its form; `None` if it is not a module.
fn strip(input: &StageInput, threads: Threads) -> Option<Vec<u8>> {
    let mut ir = read(input, true, threads)?;
    let (context, module) = ir.parts_mut();
    let unknown = context.unknown_location();
    for operation in module.descendants(module.top()).collect::<Vec<_>>() {
        module.set_location(operation, unknown);
        let regions = module.regions(operation);
        let blocks = regions.flat_map(|region| module.blocks(region));
        for block in blocks.collect::<Vec<_>>() {
            for number in 0..module.argument_count(block) {
                module.set_argument_location(block, number, unknown).ok()?;
            }
        }
    }
    let mut options = rmlir::WriteOptions::default();
    options.text.debug_info = true;
    // What programs read whose custom syntax differs from ours.
    options.text.generic = true;
    ir.to_bytes(Form::of(&input.bytes), &options).ok()
}
