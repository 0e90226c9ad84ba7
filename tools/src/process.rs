//! The process that a program runs in: its standard output, and signals that end it.

use std::io;

/// Checks that standard output was open when the program started, unlike after `>&-` in a shell.
///
/// Before `main`, the standard library replaces closed standard streams by `/dev/null`, so that
/// output would be lost without an error.
///
/// # Errors
///
/// If it was closed.
pub fn check_standard_output() -> io::Result<()> {
    #[cfg(unix)]
    if unix::STANDARD_OUTPUT_CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(rustix::io::Errno::BADF.into());
    }
    Ok(())
}

/// From now on, SIGINT, SIGTERM and SIGHUP end the programs that this one runs, and remove the
/// temporary files of unfinished outputs, before they end the process. On other systems than Unix,
/// the next program that writes to the directory removes them.
pub fn remove_temporary_files_on_signals() {
    #[cfg(unix)]
    {
        static INSTALLED: std::sync::Once = std::sync::Once::new();
        // Without handlers, the next program that writes to the directory removes the files.
        INSTALLED.call_once(|| drop(unix::install()));
    }
}

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io::{self, IsTerminal};
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static STANDARD_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

    // Safe before `main`: one system call and one store, nothing of the standard library's runtime.
    #[ctor::ctor(unsafe)]
    fn look_at_standard_output() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        STANDARD_OUTPUT_CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }

    pub(super) fn install() -> io::Result<()> {
        let signals = [SIGINT, SIGTERM, SIGHUP];
        let handled = signals.into_iter().filter(|&signal| !is_ignored(signal));
        let mut signals = Signals::new(handled)?;
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                let end = || {
                    let _ = emulate_default_handler(signal);
                    // Not reached, unless the signal does not end processes.
                    std::process::exit(128_i32.saturating_add(signal));
                };
                rmlir_cache::abandon_runs(|| rmlir::format::abandon_writes(end));
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(wait)
            .map(drop)
    }

    /// Whether whoever started the program wants it to survive the signal, such as `nohup`.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        match mask {
            Some(mask) => mask >> (signal - 1) & 1 == 1,
            // The systems without this file do not tell without unsafe code. Programs for which
            // signals are ignored run in the background, not at a terminal.
            None => !io::stderr().is_terminal(),
        }
    }
}
