//! Progress bars for long work on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use std::io::IsTerminal;
use std::ops::Range;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The delay before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// The interval between updates.
const TICK: Duration = Duration::from_millis(100);

/// A progress bar on standard error, if that is a terminal. Shown from the first second of the work
/// until this is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// The thread that waits for the delay to pass; it ends when the sender is dropped.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts a bar for work on `total` bytes of the input `name`.
    pub fn new(name: &str, total: u64) -> Self {
        Self::start(name, ProgressBar::hidden(), Some(total))
    }

    /// Starts a spinner for work whose progress is unknown.
    pub fn spinner(name: &str) -> Self {
        Self::start(name, ProgressBar::hidden(), None)
    }

    /// Starts a spinner for writing the output `name`.
    pub fn writing(name: &str) -> Self {
        let template = "{spinner} {msg} {elapsed}";
        let message = format!("writing {name}");
        Self::start_with(ProgressBar::hidden(), template, &message, None)
    }

    /// Starts a bar for work on several files.
    pub fn files(total: usize) -> Self {
        let bar = ProgressBar::hidden();
        let template = "{msg} [{bar:40}] {percent} %, {pos} of {len} files";
        Self::start_with(bar, template, "reading", Some(total as u64))
    }

    fn start(name: &str, bar: ProgressBar, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => "{msg} [{bar:40}] {percent} %, {bytes} of {total_bytes}",
            None => "{spinner} {msg} {elapsed}",
        };
        Self::start_with(bar, template, &format!("reading {name}"), total)
    }

    fn start_with(bar: ProgressBar, template: &str, message: &str, total: Option<u64>) -> Self {
        if !std::io::stderr().is_terminal() {
            return Progress { bar, waiting: None };
        }
        // A name may contain control characters, which move the cursor.
        let message: String = message.chars().filter(|c| !c.is_control()).collect();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_message(message);
        let (sender, receiver) = channel();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            if receiver.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            shown.set_draw_target(ProgressDrawTarget::stderr());
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                shown.tick();
            }
            shown.finish_and_clear();
        });
        Progress {
            bar,
            waiting: Some((sender, thread)),
        }
    }

    /// Begins another phase of the work, such as `verifying`, on the input `name`.
    pub fn phase(&self, phase: &str, name: &str) {
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        self.bar.set_message(format!("{phase} {name}"));
    }

    /// Sets the number of bytes or files that are done.
    pub fn at(&self, position: u64) {
        self.bar.set_position(position);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.waiting.take() {
            drop(sender);
            // Removes the bar before anything else is written.
            let _ = thread.join();
        }
    }
}

/// A visitor that updates a progress bar.
pub struct Watched<'p, V>(pub &'p Progress, pub V);

impl<V: Visitor> Visitor for Watched<'_, &mut V> {
    fn enter(&mut self, offset: u64, part: DumpPart<'_>) {
        self.0.at(offset);
        self.1.enter(offset, part);
    }

    fn field(&mut self, bytes: Range<u64>, name: &str, content: FieldContent<'_>) {
        self.1.field(bytes, name, content);
    }

    fn leave(&mut self, offset: u64) {
        self.1.leave(offset);
    }
}
