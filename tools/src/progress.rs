//! Progress bars for long work on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rmlir::format::ProgressCounter;
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use std::io::IsTerminal;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The delay before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// The interval between updates.
const TICK: Duration = Duration::from_millis(100);

/// The template of work in bytes.
const BYTES: &str = "{msg} [{bar:40}] {percent} %, {bytes} of {total_bytes}";
/// The template of work in operations.
const OPERATIONS: &str = "{msg} [{bar:40}] {percent} %, {pos} of {len} operations";
/// The template of work in files.
const FILES: &str = "{msg} [{bar:40}] {percent} %, {pos} of {len} files";
/// The template of work without a known progress.
const UNKNOWN: &str = "{spinner} {msg} {elapsed}";

/// A progress bar on standard error, if that is a terminal. Shown from the first second of the work
/// until this is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// The counter of the work, if the bar is shown and its position is not set otherwise.
    counter: ProgressCounter,
    /// The count at the beginning of the phase.
    begun: Arc<AtomicU64>,
    /// The thread that waits for the delay to pass; it ends when the sender is dropped.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts a bar for work on `total` bytes of the input `name`, whose position is
    /// [set](Self::at).
    pub fn new(name: &str, total: u64) -> Self {
        Self::start(BYTES, "reading", name, Some(total), false)
    }

    /// Starts a bar for reading `total` bytes of the input `name`, which
    /// [`counter`](Self::counter) counts.
    pub fn reading(name: &str, total: u64) -> Self {
        Self::start(BYTES, "reading", name, Some(total), true)
    }

    /// Starts a spinner for work whose progress is unknown.
    pub fn spinner(name: &str) -> Self {
        Self::start(UNKNOWN, "reading", name, None, false)
    }

    /// Starts a bar for writing `operations` of a module to the output `name`, which
    /// [`counter`](Self::counter) counts.
    pub fn writing(name: &str, operations: u64) -> Self {
        Self::start(OPERATIONS, "writing", name, Some(operations), true)
    }

    /// Starts a bar for work on several files.
    pub fn files(total: usize) -> Self {
        Self::start(FILES, "reading", "", Some(total as u64), false)
    }

    fn start(template: &str, phase: &str, name: &str, total: Option<u64>, counts: bool) -> Self {
        let bar = ProgressBar::hidden();
        let begun = Arc::<AtomicU64>::default();
        if !std::io::stderr().is_terminal() {
            return Progress {
                bar,
                counter: ProgressCounter::default(),
                begun,
                waiting: None,
            };
        }
        describe(&bar, template, phase, name, total);
        let counter = match counts {
            true => ProgressCounter::new(),
            false => ProgressCounter::default(),
        };
        let (sender, receiver) = channel();
        let shown = (bar.clone(), counter.clone(), Arc::clone(&begun));
        let thread = std::thread::spawn(move || {
            let (bar, counter, begun) = shown;
            if receiver.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            bar.set_draw_target(ProgressDrawTarget::stderr());
            while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if counts {
                    let done = counter
                        .count()
                        .saturating_sub(begun.load(Ordering::Relaxed));
                    // Repeated work is counted again.
                    bar.set_position(done.min(bar.length().unwrap_or(u64::MAX)));
                }
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Progress {
            bar,
            counter,
            begun,
            waiting: Some((sender, thread)),
        }
    }

    /// Returns the counter of the work, which does not count if nothing is shown.
    pub fn counter(&self) -> ProgressCounter {
        self.counter.clone()
    }

    /// Begins another phase of the work, such as `searching`, on `total` bytes of the input `name`.
    pub fn phase(&self, phase: &str, name: &str, total: u64) {
        self.next(BYTES, phase, name, total);
    }

    /// Begins another phase of the work, such as `verifying`, on `total` operations of the input
    /// `name`.
    pub fn phase_of_operations(&self, phase: &str, name: &str, total: u64) {
        self.next(OPERATIONS, phase, name, total);
    }

    fn next(&self, template: &str, phase: &str, name: &str, total: u64) {
        if self.waiting.is_some() {
            self.begun.store(self.counter.count(), Ordering::Relaxed);
            self.bar.set_position(0);
            describe(&self.bar, template, phase, name, Some(total));
        }
    }

    /// Sets the number of bytes or files that are done.
    pub fn at(&self, position: u64) {
        self.bar.set_position(position);
    }
}

fn describe(bar: &ProgressBar, template: &str, phase: &str, name: &str, total: Option<u64>) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if let Some(total) = total {
        bar.set_length(total);
    }
    // A name may contain control characters, which move the cursor.
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    bar.set_message(format!("{phase} {name}").trim_end().to_owned());
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
