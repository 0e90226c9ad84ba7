//! Completion of command lines: shells ask the program itself, so that symbols of files, dialects
//! and releases are completed too.

use crate::input;
use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use rmlir::ReadOptions;
use rmlir::dialects::BundledDialects;
use rmlir::ir::definition::{DialectSource, Family, Release};
use rmlir::reader::lazy::Symbol;
use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

/// The variable by which a shell asks for completions.
const VARIABLE: &str = "RMLIR_COMPLETE";
/// Symbols of larger files are not completed, in bytes.
const MOST: u64 = 256 << 20;
/// The number of candidates that are offered.
const MOST_CANDIDATES: usize = 1000;

/// Answers a shell that asks for completions, and ends the process then.
pub fn answer(program: fn() -> Command) {
    CompleteEnv::with_factory(program).var(VARIABLE).complete();
}

/// Writes the script that makes a shell ask for completions of a program. None if the shell is not
/// known.
///
/// # Errors
///
/// If writing fails.
pub fn write_script(shell: &str, name: &str, out: &mut dyn Write) -> Option<std::io::Result<()>> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell)?;
    Some(shell.write_registration(VARIABLE, name, name, name, out))
}

/// Adds what completes the values of arguments, which are told apart by their names.
pub fn with_values(command: Command) -> Command {
    let is_show = command.get_name() == "show";
    command
        .mut_args(|argument| with_value(argument, is_show))
        .mut_subcommands(with_values)
}

fn with_value(argument: Arg, is_show: bool) -> Arg {
    let names = argument.get_value_names().unwrap_or_default();
    let is_path = ["FILE", "INPUT", "INPUTS", "OUTPUT", "FOLDER"]
        .iter()
        .any(|path| names.iter().any(|name| name == path));
    match argument.get_id().as_str() {
        "symbols" => argument.add(ArgValueCompleter::new(symbols)),
        "others" => argument.add(ArgValueCompleter::new(|current: &OsStr| {
            let mut found = symbols(current);
            found.extend(PathCompleter::any().complete(current));
            found
        })),
        "target" | "producer_release" | "release" => argument.add(ArgValueCompleter::new(releases)),
        "registered_dialect" => argument.add(ArgValueCompleter::new(dialects)),
        "predicate" => argument.add(ArgValueCompleter::new(operations)),
        "names" if is_show => argument.add(ArgValueCompleter::new(operations)),
        _ if is_path => argument.value_hint(ValueHint::AnyPath),
        _ => argument,
    }
}

fn candidates(
    names: impl IntoIterator<Item = String>,
    current: &OsStr,
) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let names = names.into_iter().filter(|name| name.starts_with(&*current));
    let names = names.take(MOST_CANDIDATES);
    names.map(CompletionCandidate::new).collect()
}

/// The symbols of the files that the command line names.
fn symbols(current: &OsStr) -> Vec<CompletionCandidate> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let files = words.map(PathBuf::from).filter(|path| {
        std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST)
    });
    let symbols = files.filter_map(|path| symbols_of(path.to_str()?));
    let names: Vec<String> = symbols
        .flatten()
        .map(|symbol| symbol.path.to_string())
        .collect();
    // The sign can be left out.
    if !current.is_empty() && !current.to_string_lossy().starts_with('@') {
        let bare = |name: String| name.strip_prefix('@').map(str::to_owned).unwrap_or(name);
        return candidates(names.into_iter().map(bare), current);
    }
    candidates(names, current)
}

/// The symbols of a file, which may be compressed.
fn symbols_of(path: &str) -> Option<Vec<Symbol>> {
    let mut options = ReadOptions::default();
    options.verify = false;
    options.limits.max_decompressed_bytes = MOST;
    let input = input::read(path, true).ok()?;
    let input = input.decompressed(&options.limits).ok()?;
    let source = input.source().ok()?.clone();
    let file = rmlir::File::from_bytes(source, &options).ok()?;
    file.symbols().ok()
}

fn releases(current: &OsStr) -> Vec<CompletionCandidate> {
    let families = [Family::Llvm, Family::StableHlo];
    let releases = families.into_iter().flat_map(|family| {
        let numbers = family.known_numbers().iter();
        numbers.map(move |&number| Release::new(family, number).to_string())
    });
    candidates(releases, current)
}

fn dialects(current: &OsStr) -> Vec<CompletionCandidate> {
    let names = BundledDialects.namespaces().into_iter();
    candidates(names.map(|name| name.to_string()), current)
}

/// Dialects, and the operations of the one that was begun: `arith.a`.
fn operations(current: &OsStr) -> Vec<CompletionCandidate> {
    let text = current.to_string_lossy();
    let Some((dialect, _)) = text.split_once('.') else {
        return dialects(current);
    };
    let Some(definition) = BundledDialects.dialect(dialect.as_bytes()) else {
        return Vec::new();
    };
    let operations = definition.operations().iter();
    let names = operations.map(|operation| format!("{dialect}.{}", operation.mnemonic));
    candidates(names, current)
}
