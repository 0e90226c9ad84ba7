//! Runs a program and collects what it writes.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The placeholder for the path of the input.
pub(super) const IN: &str = "{in}";
/// The placeholder for the path of the output.
pub(super) const OUT: &str = "{out}";

/// The output and exit status of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Ran {
    /// The exit status; 128 and the number of a signal that ended it.
    pub(super) exit: i32,
    /// Whether a signal ended it.
    pub(super) is_killed: bool,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The content of the output file, if the command names one and it was written.
    pub(super) file: Option<Vec<u8>>,
    /// Whether the output file is executable.
    pub(super) is_executable: bool,
}

/// The programs that run, so that a signal can end them with this process.
static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Weak<Mutex<Child>>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the programs that [`StageCommand`](crate::StageCommand) runs in this process, then calls
/// `end`. Their results are neither returned nor stored.
///
/// For programs that handle signals: `end` removes temporary files by
/// [`abandon_writes`](rmlir::format::abandon_writes), and ends the process.
pub fn abandon_runs(end: impl FnOnce()) {
    // As long as it is locked, no program is started, and no result is returned.
    let running = running();
    for child in running.iter().filter_map(Weak::upgrade) {
        // It is locked when the program closed its output, and ends.
        if let Ok(mut child) = child.try_lock() {
            let _ = child.kill();
        }
    }
    end();
}

/// How urgent the result of a program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    Normal,
    /// Another program takes longer, which should not be delayed.
    Low,
}

/// What is added to the nice value of a program of low priority, which then gets a third of the
/// processor time of another one.
const NICE: i32 = 5;

/// A program with arguments in which `{in}` and `{out}` are placeholders.
pub(super) struct Program<'a> {
    pub(super) program: &'a std::ffi::OsStr,
    pub(super) arguments: &'a [String],
}

impl Program<'_> {
    pub(super) fn has(&self, placeholder: &str) -> bool {
        self.arguments
            .iter()
            .any(|argument| argument.contains(placeholder))
    }

    /// Runs the program. `input` takes the place of `{in}`, `output` that of `{out}`. With `tee`,
    /// what the program writes to standard error is also written to ours, as it comes.
    pub(super) fn run(
        &self,
        input: &Path,
        output: &Path,
        stdin: Option<&[u8]>,
        tee: bool,
        priority: Priority,
    ) -> io::Result<Ran> {
        let mut command = Command::new(self.program);
        for argument in self.arguments {
            command.arg(with_paths(argument, input, output));
        }
        command
            .stdin(match stdin {
                Some(_) => Stdio::piped(),
                None => Stdio::null(),
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut ran = collect(&mut command, stdin, tee, priority)?;
        if self.has(OUT)
            && let Ok(metadata) = std::fs::metadata(output)
        {
            ran.file = Some(std::fs::read(output)?);
            ran.is_executable = is_executable(&metadata);
        }
        Ok(ran)
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

/// Replaces the placeholders. Paths need not be UTF-8.
fn with_paths(argument: &str, input: &Path, output: &Path) -> OsString {
    let mut out = OsString::new();
    let mut rest = argument;
    loop {
        let next = [(IN, input), (OUT, output)].into_iter();
        let next = next.filter_map(|(word, path)| Some((rest.find(word)?, word, path)));
        let Some((at, word, path)) = next.min_by_key(|(at, ..)| *at) else {
            out.push(rest);
            return out;
        };
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push(before);
        out.push(path);
        rest = after.strip_prefix(word).unwrap_or_default();
    }
}

/// Lowers the priority of a program that was just started. If that is not possible, it keeps it.
#[cfg(unix)]
fn lower_priority(child: &Child) {
    use rustix::process::{Pid, getpriority_process, setpriority_process};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid
        && let Ok(nice) = getpriority_process(Some(pid))
    {
        let _ = setpriority_process(Some(pid), nice.saturating_add(NICE));
    }
}

#[cfg(not(unix))]
fn lower_priority(_: &Child) {}

fn collect(
    command: &mut Command,
    stdin: Option<&[u8]>,
    tee: bool,
    priority: Priority,
) -> io::Result<Ran> {
    let mut all = running();
    let mut child = command.spawn()?;
    if priority == Priority::Low {
        lower_priority(&child);
    }
    let (pipe, mut out, mut err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let child = Arc::new(Mutex::new(child));
    all.retain(|other| other.strong_count() > 0);
    all.push(Arc::downgrade(&child));
    drop(all);
    let mut ran = Ran::default();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let (Some(mut pipe), Some(bytes)) = (pipe, stdin) {
                // A program may end without reading its input.
                let _ = pipe.write_all(bytes);
            }
        });
        let errors = scope.spawn(move || {
            let mut all = Vec::new();
            let mut buffer = [0; 4096];
            while let Some(err) = &mut err {
                match err.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => {
                        let new = buffer.get(..count).unwrap_or_default();
                        all.extend_from_slice(new);
                        if tee {
                            let _ = io::stderr().write_all(new);
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            all
        });
        if let Some(out) = &mut out {
            let _ = out.read_to_end(&mut ran.stdout);
        }
        ran.stderr = errors.join().unwrap_or_default();
    });
    let status = child
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .wait()?;
    // Waits as long as a signal ends this process.
    drop(running());
    (ran.exit, ran.is_killed) = exit_code(status);
    Ok(ran)
}

#[cfg(unix)]
fn exit_code(status: ExitStatus) -> (i32, bool) {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => (code, false),
        (None, signal) => (128i32.saturating_add(signal.unwrap_or(0)), true),
    }
}

#[cfg(not(unix))]
fn exit_code(status: ExitStatus) -> (i32, bool) {
    (status.code().unwrap_or(1), status.code().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        let (a, b) = (Path::new("a b"), Path::new("{in}"));
        assert_eq!(with_paths("{in}", a, b), "a b");
        assert_eq!(with_paths("--x={in}:{out}{in}", a, b), "--x=a b:{in}a b");
        assert_eq!(with_paths("{i}", a, b), "{i}");
    }
}
