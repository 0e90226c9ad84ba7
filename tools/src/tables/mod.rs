//! Modules as tables, for data engines: Arrow record batches, with a row for each operation,
//! symbol, attribute, constant or location.
//!
//! [`Tables`] reads files one after another and yields batches, so memory is bounded by a batch and
//! by the files that are read at once: a file of up to [`WHOLE_FILE`] bytes, or one symbol of
//! larger bytecode.

mod columns;
mod pieces;
mod rows;

pub use columns::What;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use columns::Columns;
use pieces::Pieces;
use rmlir::{Error, ReadOptions};
use rows::Rows;
use std::collections::VecDeque;
use std::path::PathBuf;

/// Files up to this size are read as a whole; of larger bytecode, a symbol at a time.
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
    options: TableOptions,
    inputs: VecDeque<TableInput>,
    columns: Columns,
    /// The file that is being read, and its operations.
    current: Option<(Pieces, Option<Rows>)>,
    /// The files that were left out, with the reasons.
    errors: Vec<(String, Error)>,
    finished: bool,
}

impl Tables {
    /// Returns the table of these files, in this order.
    pub fn new(inputs: VecDeque<TableInput>, options: TableOptions) -> Self {
        Tables {
            columns: Columns::new(options.what, options.dictionaries),
            options,
            inputs,
            current: None,
            errors: Vec::new(),
            finished: false,
        }
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.columns.schema()
    }

    /// Returns the files that were left out so far, with the reasons.
    pub fn errors(&self) -> &[(String, Error)] {
        &self.errors
    }

    /// Reads until a batch is full; `None` at the end.
    fn read(&mut self) -> Result<Option<RecordBatch>, Error> {
        loop {
            if self.columns.rows() >= self.options.batch_rows.max(1) {
                break;
            }
            let Some((pieces, rows)) = &mut self.current else {
                let Some(input) = self.inputs.pop_front() else {
                    break;
                };
                match Pieces::open(&input, &self.options) {
                    Ok(pieces) => self.current = Some((pieces, None)),
                    Err(error) => self.failed(input.name(), error)?,
                }
                continue;
            };
            if let Some(some) = rows {
                if !some.next(pieces, &mut self.columns) {
                    *rows = None;
                }
                continue;
            }
            match pieces.next_piece() {
                Ok(Some(piece)) => *rows = Some(Rows::new(pieces, piece, &self.options)),
                Ok(None) => self.current = None,
                Err(error) => {
                    let name = pieces.name.clone();
                    self.current = None;
                    self.failed(name, error)?;
                }
            }
        }
        if self.columns.rows() == 0 {
            return Ok(None);
        }
        let batch = self.columns.finish();
        batch
            .map(Some)
            .map_err(|error| std::io::Error::other(error).into())
    }

    fn failed(&mut self, name: String, error: Error) -> Result<(), Error> {
        if !self.options.skip_errors {
            return Err(error);
        }
        self.errors.push((name, error));
        Ok(())
    }
}

impl Iterator for Tables {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let batch = self.read().transpose();
        self.finished = !matches!(batch, Some(Ok(_)));
        batch
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
