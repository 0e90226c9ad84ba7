//! Reads files piece by piece, and makes batches of their rows.

use super::columns::Columns;
use super::rows::{Piece, Place, Rows, Texts};
use super::{TableInput, TableOptions, WHOLE_FILE};
use arrow_array::RecordBatch;
use rmlir::{Error, File, Form, Ir, ReadOptions, Symbol};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;

/// What a [`Feed`] sends.
pub(super) enum Message {
    Batch(RecordBatch),
    /// A file was left out.
    LeftOut(String, Error),
    /// The last message, since a file cannot be read.
    Failed(Error),
    /// The last message.
    End,
}

/// Why the rows of a file end early.
enum Stop {
    /// Nobody takes batches any more.
    Abandoned,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// Makes batches and sends them.
pub(super) struct Feed {
    options: TableOptions,
    columns: Columns,
    sender: SyncSender<Message>,
}

/// The content of an input.
enum Content {
    Whole(Box<Ir>),
    /// A file of bytecode, with the operations directly in its top-level one.
    Parts(Box<File>, Vec<Symbol>, Box<ReadOptions>),
}

/// The largest share of a file whose types, attributes and locations are in memory at once, as a
/// divisor: each time that these are released, the tables of the file are opened again.
const SHARE: u64 = 8;
/// The least bytes of parts between two releases.
const SMALLEST_SHARE: u64 = 1 << 20;

impl Feed {
    pub(super) fn new(options: TableOptions, sender: SyncSender<Message>) -> Self {
        Feed {
            columns: Columns::new(options.what, options.dictionaries),
            options,
            sender,
        }
    }

    /// Sends the batches of files, in this order.
    pub(super) fn run(mut self, inputs: VecDeque<TableInput>) {
        let last = match self.files(inputs) {
            Ok(()) => Message::End,
            Err(Stop::Failed(error)) => Message::Failed(error),
            Err(Stop::Abandoned) => return,
        };
        // Nobody may be interested.
        let _ = self.sender.send(last);
    }

    fn files(&mut self, inputs: VecDeque<TableInput>) -> Result<(), Stop> {
        for input in inputs {
            match self.file(&input) {
                Err(Stop::Failed(error)) if self.options.skip_errors => {
                    self.send(Message::LeftOut(input.name(), error))?;
                }
                read => read?,
            }
        }
        self.flush(1)
    }

    fn send(&self, message: Message) -> Result<(), Stop> {
        self.sender.send(message).map_err(|_| Stop::Abandoned)
    }

    /// Sends a batch if there are `least` rows.
    fn flush(&mut self, least: usize) -> Result<(), Stop> {
        if self.columns.rows() < least {
            return Ok(());
        }
        let batch = self.columns.finish();
        let batch = batch.map_err(|error| Error::from(std::io::Error::other(error)))?;
        self.send(Message::Batch(batch))
    }

    fn file(&mut self, input: &TableInput) -> Result<(), Stop> {
        let mut place = Place::new(input.name());
        match Content::open(input, &self.options)? {
            Content::Whole(ir) => {
                let (mut context, module) = ir.into_parts();
                let piece = Piece {
                    root: module.top(),
                    context: &mut context,
                    module,
                    begins_with_top: false,
                };
                self.piece(&mut place, piece, &mut Texts::default())
            }
            Content::Parts(file, symbols, options) => {
                self.parts(&mut place, &file, symbols, &options)
            }
        }
    }

    /// Reads a file part by part. A context takes the parts of a share of the file.
    fn parts(
        &mut self,
        place: &mut Place,
        file: &File,
        symbols: Vec<Symbol>,
        options: &ReadOptions,
    ) -> Result<(), Stop> {
        let sizes = symbols.iter().map(|symbol| symbol.bytes);
        let share = sizes.fold(0, u64::saturating_add) / SHARE;
        let most = share.max(SMALLEST_SHARE);
        let mut symbols = symbols.into_iter().peekable();
        let mut begins_with_top = true;
        while symbols.peek().is_some() {
            let (mut context, mut texts, mut size) = (options.context(), Texts::default(), 0u64);
            let mut group = std::iter::from_fn(|| {
                let symbol = symbols.next_if(|_| size < most)?;
                size = size.saturating_add(symbol.bytes.max(1));
                Some(symbol)
            });
            let mut outcome = Ok(());
            let read =
                file.as_lazy()
                    .read_symbols(&mut context, &mut group, &mut |context, _, read| {
                        outcome = read.map_err(|error| Error::from(error).into()).and_then(
                            |(module, root)| {
                                let piece = Piece {
                                    context,
                                    module,
                                    root,
                                    begins_with_top: std::mem::take(&mut begins_with_top),
                                };
                                self.piece(place, piece, &mut texts)
                            },
                        );
                        match &outcome {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(_) => ControlFlow::Break(()),
                        }
                    });
            read.map_err(Error::from)?;
            outcome?;
        }
        Ok(())
    }

    /// Makes the rows of a piece.
    fn piece(
        &mut self,
        place: &mut Place,
        piece: Piece<'_>,
        texts: &mut Texts,
    ) -> Result<(), Stop> {
        place.begin(&piece);
        let mut rows = Rows::new(piece, &self.options);
        while rows.next(place, texts, &mut self.columns) {
            self.flush(self.options.batch_rows.max(1))?;
        }
        Ok(())
    }
}

impl Content {
    fn open(input: &TableInput, options: &TableOptions) -> Result<Self, Error> {
        match input {
            TableInput::Path(path) => {
                let options = options.read.for_path(path);
                let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
                match size > WHOLE_FILE && Form::of_file(path)? != Form::Text {
                    true => Content::parts(File::open_with(path, &options)?, options),
                    false => Ok(Content::Whole(Box::new(rmlir::open_with(path, &options)?))),
                }
            }
            TableInput::Bytes(name, source) => {
                let mut options = options.read.clone();
                options.file_name.clone_from(name);
                match source.len() as u64 > WHOLE_FILE && Form::of(source) != Form::Text {
                    true => Content::parts(File::from_bytes(source.clone(), &options)?, options),
                    false => {
                        let ir = rmlir::read_with(source.clone(), &options)?;
                        Ok(Content::Whole(Box::new(ir)))
                    }
                }
            }
        }
    }

    /// The operations directly in the top-level one. If there are none, the file is read whole.
    fn parts(file: File, options: ReadOptions) -> Result<Self, Error> {
        let mut symbols = file.symbols()?;
        symbols.retain(|symbol| symbol.path.len() == 1);
        symbols.extend(file.unnamed()?);
        if symbols.is_empty() {
            return Ok(Content::Whole(Box::new(file.read_all()?)));
        }
        symbols.sort_by_key(|symbol| symbol.place);
        Ok(Content::Parts(Box::new(file), symbols, Box::new(options)))
    }
}
