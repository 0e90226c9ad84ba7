//! Modules as tables, for data engines: Arrow record batches, with a row for each operation,
//! symbol, attribute, constant or location.
//!
//! [`Tables`] reads files one after another and yields batches. Memory is bounded by a batch and by
//! what is read at once: a file of up to [`WHOLE_FILE`] bytes, or parts of a larger one.
//!
//! Of bytecode, operations are visited without a module in memory, however they are nested. Of a
//! large file, memory is that of the index of its tables, and of 8 MiB of types, attributes and
//! locations (of a file of more than 256 MiB: a 32nd of its size). At any operation, a context that
//! holds more is released, and the visit goes on with another one, to which only the types of the
//! values in scope are copied.
//!
//! For operations and symbols, two visits take turns, since rows precede what is in an operation,
//! and the first one finds what is known at its end: about 100 bytes for each symbol (with all
//! fingerprints: for each operation) and at most 64 bytes for each value in scope. The turn ends
//! after the operation directly in the top-level one in which it found 65,536 symbols. A third
//! visit is needed where values are used before they are defined.
//!
//! A larger text is parsed one top-level operation at a time: memory is that of the module of the
//! largest one, with the aliases and resources. A text whose top-level operations define values, or
//! that defines aliases other than of locations after operations, is parsed as a whole.
//!
//! More is held only of a file that uses the same large attributes again and again, where decoding
//! them each time would take 16 times the bytes of the file, and of a symbol with distinct
//! attributes in its attributes or in types of values: its fingerprint depends on which ones are
//! the same, which only one context knows.

mod check;
mod columns;
mod feed;
mod held;
mod rows;
mod scope;
mod survey;
mod turns;
mod type_table;

pub use columns::What;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use columns::Columns;
use feed::{Feed, Message};
use rmlir::{Error, ReadOptions};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, sync_channel};
use std::thread::JoinHandle;

/// Texts up to this size are parsed as a whole, and bytecode is decoded once before rows are made:
/// a small file that cannot be read has no rows; those of a large one precede the error.
pub const WHOLE_FILE: u64 = 16 << 20;

/// The files to read, and the options.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The kind of the rows.
    pub what: What,
    /// The maximum number of rows of a batch, at least 1.
    pub batch_rows: usize,
    /// The options of reading.
    pub read: ReadOptions,
    /// Whether files that cannot be read are left out; otherwise the first one ends the table.
    pub skip_errors: bool,
    /// Whether fingerprints are computed for all operations; otherwise for symbols and top-level
    /// operations only. Takes time in the depth of nesting.
    pub all_fingerprints: bool,
    /// Whether strings that repeat are encoded by dictionaries, a new one for each batch.
    pub dictionaries: bool,
    /// The maximum size of a file that is read as a whole.
    pub whole_file: u64,
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            what: What::Operations,
            batch_rows: 16_384,
            read: ReadOptions::default(),
            skip_errors: false,
            all_fingerprints: false,
            dictionaries: true,
            whole_file: WHOLE_FILE,
        }
    }
}

/// An input of a table.
#[derive(Clone, Debug)]
pub enum TableInput {
    /// A file.
    Path(PathBuf),
    /// Bytes with the name that the column `file` shows.
    Bytes(String, rmlir::Source),
}

impl TableInput {
    /// Returns the name that the column `file` shows.
    pub fn name(&self) -> String {
        match self {
            TableInput::Path(path) => path.display().to_string(),
            TableInput::Bytes(name, _) => name.clone(),
        }
    }
}

/// The batches of a table: an iterator that reads as it is advanced.
///
/// ```
/// use rmlir_tools::tables::{TableInput, TableOptions, Tables};
///
/// let text = "func.func private @f()".as_bytes().into();
/// let inputs = [TableInput::Bytes("f.mlir".to_owned(), text)];
/// let mut tables = Tables::new(inputs.into(), TableOptions::default());
/// let batch = tables.next().unwrap().unwrap();
/// assert_eq!(batch.num_rows(), 2); // `builtin.module` and `func.func`
/// ```
pub struct Tables {
    schema: SchemaRef,
    state: State,
    /// The files that were left out, with the reasons.
    errors: Vec<(String, Error)>,
}

/// Where the batches come from. Readers pass on what they read, so they run on a thread, which
/// waits while a batch is not taken.
enum State {
    New(VecDeque<TableInput>, Box<TableOptions>),
    Reading(Receiver<Message>, JoinHandle<()>),
    Finished,
}

impl Tables {
    /// Returns the table of these files, in this order. Nothing is read before the first batch is
    /// requested.
    pub fn new(inputs: VecDeque<TableInput>, options: TableOptions) -> Self {
        Tables {
            schema: Columns::new(options.what, options.dictionaries).schema(),
            state: State::New(inputs, Box::new(options)),
            errors: Vec::new(),
        }
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Returns the files that were left out so far, with the reasons.
    pub fn errors(&self) -> &[(String, Error)] {
        &self.errors
    }

    /// Returns the next batch; `None` at the end.
    fn read(&mut self) -> Result<Option<RecordBatch>, Error> {
        let state = std::mem::replace(&mut self.state, State::Finished);
        let (receiver, thread) = match state {
            State::New(inputs, options) => {
                // The next batch is made while this one is used.
                let (sender, receiver) = sync_channel(1);
                let feed = Feed::new(*options, sender);
                let thread = std::thread::Builder::new().name("table".to_owned());
                (receiver, thread.spawn(move || feed.run(inputs))?)
            }
            State::Reading(receiver, thread) => (receiver, thread),
            State::Finished => return Ok(None),
        };
        loop {
            match receiver.recv() {
                Ok(Message::Batch(batch)) => {
                    self.state = State::Reading(receiver, thread);
                    return Ok(Some(batch));
                }
                Ok(Message::LeftOut(name, error)) => self.errors.push((name, error)),
                Ok(Message::Failed(error)) => return Err(error),
                Ok(Message::End) => return Ok(None),
                // The thread ends with one of these, unless it panics.
                Err(RecvError) => match thread.join() {
                    Ok(()) => return Ok(None),
                    Err(panic) => std::panic::resume_unwind(panic),
                },
            }
        }
    }
}

impl Iterator for Tables {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The batches as Arrow's own interfaces want them.
pub struct Reader(pub Tables);

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.0.next()?;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl arrow_array::RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}
