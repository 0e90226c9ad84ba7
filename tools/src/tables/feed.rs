//! Reads files, and makes batches of the rows of their operations.
//!
//! One visitor makes all rows. The events of large bytecode drive it for attributes, constants and
//! locations; for operations and symbols, which need more than events have, the modules of one
//! top-level operation each. Other files are read as a whole first, so that those which cannot be
//! read have no rows.

use super::columns::{Columns, What};
use super::fingerprints::{fingerprints, sizes};
use super::held::Held;
use super::rows::{Computed, Place, Rows, Texts, Visit};
use super::{TableInput, TableOptions, WHOLE_FILE};
use arrow_array::RecordBatch;
use rmlir::events::visit_operation;
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{Context, Module, Operation};
use rmlir::{Error, File, Form, Ir, ReadOptions, Symbol};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
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
pub(super) enum Stop {
    /// Nobody takes batches any more.
    Abandoned,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

impl From<rmlir::format::Error> for Stop {
    fn from(error: rmlir::format::Error) -> Self {
        Stop::Failed(error.into())
    }
}

/// Sends batches as they are full.
pub(super) struct Batches {
    sender: SyncSender<Message>,
    /// The number of rows of a full one.
    rows: usize,
}

impl Batches {
    fn send(&self, message: Message) -> Result<(), Stop> {
        self.sender.send(message).map_err(|_| Stop::Abandoned)
    }

    /// Sends the rows if they are a batch.
    pub(super) fn flush(&self, columns: &mut Columns) -> Result<(), Stop> {
        match columns.rows() < self.rows {
            true => Ok(()),
            false => self.send_all(columns),
        }
    }

    fn send_all(&self, columns: &mut Columns) -> Result<(), Stop> {
        let batch = columns.finish();
        let batch = batch.map_err(|error| Error::from(std::io::Error::other(error)))?;
        self.send(Message::Batch(batch))
    }
}

/// Makes batches and sends them.
pub(super) struct Feed {
    options: TableOptions,
    columns: Columns,
    batches: Batches,
}

/// The content of an input.
enum Content {
    Whole(Box<Ir>),
    /// A file of bytecode, of which operations are visited.
    File(Box<File>, Held, Box<ReadOptions>),
    /// A file of bytecode, with the operations directly in its top-level one.
    Parts(Box<File>, Held, Vec<Symbol>, Box<ReadOptions>),
}

impl Feed {
    pub(super) fn new(options: TableOptions, sender: SyncSender<Message>) -> Self {
        let rows = options.batch_rows.max(1);
        Feed {
            columns: Columns::new(options.what, options.dictionaries),
            options,
            batches: Batches { sender, rows },
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
        let _ = self.batches.send(last);
    }

    fn files(&mut self, inputs: VecDeque<TableInput>) -> Result<(), Stop> {
        for input in inputs {
            match self.file(&input) {
                Err(Stop::Failed(error)) if self.options.skip_errors => {
                    self.batches.send(Message::LeftOut(input.name(), error))?;
                }
                read => read?,
            }
        }
        match self.columns.rows() {
            0 => Ok(()),
            _ => self.batches.send_all(&mut self.columns),
        }
    }

    /// Makes the rows of a file.
    fn file(&mut self, input: &TableInput) -> Result<(), Stop> {
        self.content(input).map_err(|stop| match stop {
            Stop::Failed(error) => Stop::Failed(error.in_file(&input.name())),
            other => other,
        })
    }

    fn content(&mut self, input: &TableInput) -> Result<(), Stop> {
        let content = Content::open(input, &self.options)?;
        self.rows(&mut Place::new(input.name()), content)
    }

    fn rows(&mut self, place: &mut Place, content: Content) -> Result<(), Stop> {
        match content {
            Content::Whole(ir) => {
                let (mut context, mut module) = ir.into_parts();
                let root = module.top();
                let texts = &mut Texts::default();
                self.module(place, texts, &mut context, &mut module, root)
            }
            Content::File(file, held, options) => self.visit(place, &file, held, &options),
            Content::Parts(file, held, symbols, options) => {
                self.parts(place, &file, held, symbols, &options)
            }
        }
    }

    /// Makes the rows of a file from its events. A context takes what is decoded until it holds
    /// much.
    fn visit(
        &mut self,
        place: &mut Place,
        file: &File,
        mut held: Held,
        options: &ReadOptions,
    ) -> Result<(), Stop> {
        loop {
            let (mut context, mut texts) = (options.context(), Texts::default());
            if place.producer.is_none() {
                let producer = file.contents(&mut context)?.provenance.producer;
                place.producer = producer.map(|text| context.str(text).into_owned());
            }
            let rows = Rows::new(place, &mut texts, &mut self.columns, &self.batches);
            let mut rows = rows.until(&mut held);
            file.visit(&mut context, &mut rows)?;
            match rows.finish()? {
                Visit::Complete => return Ok(()),
                Visit::Partial => {}
            }
        }
    }

    /// Reads a file part by part. A context takes what is decoded until it holds much.
    fn parts(
        &mut self,
        place: &mut Place,
        file: &File,
        mut held: Held,
        symbols: Vec<Symbol>,
        options: &ReadOptions,
    ) -> Result<(), Stop> {
        let mut symbols = symbols.into_iter().peekable();
        while symbols.peek().is_some() {
            let (mut context, mut texts) = (options.context(), Texts::default());
            let is_full = Cell::new(false);
            let mut group = std::iter::from_fn(|| symbols.next_if(|_| !is_full.get()));
            let mut outcome = Ok(());
            let mut each = |context: &mut Context, _: &Symbol, read: Result<_, _>| {
                outcome = read.map_err(Stop::from).and_then(|(mut module, root)| {
                    self.module(place, &mut texts, context, &mut module, root)
                });
                is_full.set(held.is_enough(context));
                match &outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            };
            let file = file.as_lazy();
            file.read_symbols(&mut context, &mut group, &mut each)?;
            outcome?;
        }
        Ok(())
    }

    /// Makes the rows of an operation in memory, with everything in it. If it is directly in the
    /// top-level one, and the first of its file, that of the top-level one precedes.
    fn module(
        &mut self,
        place: &mut Place,
        texts: &mut Texts,
        context: &mut Context,
        module: &mut Module,
        root: Operation,
    ) -> Result<(), Stop> {
        if place.producer.is_none() {
            let producer = module.provenance.producer;
            place.producer = producer.map(|text| context.str(text).into_owned());
        }
        let what = self.options.what;
        let fingerprints = match what {
            What::Operations | What::Symbols => {
                fingerprints(context, module, root, self.options.all_fingerprints)
            }
            _ => HashMap::new(),
        };
        let sizes = match what {
            What::Symbols => sizes(context, module, root),
            _ => HashMap::new(),
        };
        let (context, module) = (&*context, &*module);
        let computed = &Computed {
            module,
            fingerprints,
            sizes,
        };
        let is_whole = root == module.top();
        if !is_whole && !place.has_rows() {
            let rows = Rows::new(place, texts, &mut self.columns, &self.batches);
            let mut rows = rows.of_module(computed).without_content();
            visit_operation(context, module, module.top(), &mut rows)?;
            rows.finish()?;
        }
        let rows = Rows::new(place, texts, &mut self.columns, &self.batches);
        let mut rows = rows.of_module(computed);
        if !is_whole {
            rows = rows.in_top();
        }
        visit_operation(context, module, root, &mut rows)?;
        rows.finish().map(|_| ())
    }
}

impl Content {
    fn open(input: &TableInput, options: &TableOptions) -> Result<Self, Error> {
        match input {
            TableInput::Path(path) => {
                let read = options.read.for_path(path);
                let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
                let form = Form::of_file(path)?;
                match is_whole(form, size) {
                    true => Ok(Content::Whole(Box::new(rmlir::open_with(path, &read)?))),
                    false => {
                        let file = File::open_with(path, &read)?;
                        Content::of_file(file, Held::new(size), read, options.what)
                    }
                }
            }
            TableInput::Bytes(name, source) => {
                let mut read = options.read.clone();
                read.file_name.clone_from(name);
                let size = source.len() as u64;
                match is_whole(Form::of(source), size) {
                    true => {
                        let ir = rmlir::read_with(source.clone(), &read)?;
                        Ok(Content::Whole(Box::new(ir)))
                    }
                    false => {
                        let file = File::from_bytes(source.clone(), &read)?;
                        Content::of_file(file, Held::new(size), read, options.what)
                    }
                }
            }
        }
    }

    fn of_file(file: File, held: Held, options: ReadOptions, what: What) -> Result<Self, Error> {
        // Fingerprints, and the types of operands, which may be defined later, need modules.
        if !matches!(what, What::Operations | What::Symbols) {
            return Ok(Content::File(Box::new(file), held, Box::new(options)));
        }
        // The operations directly in the top-level one. If there are none, the file is read whole.
        let mut symbols = file.symbols()?;
        symbols.retain(|symbol| symbol.path.len() == 1);
        symbols.extend(file.unnamed()?);
        if symbols.is_empty() {
            return Ok(Content::Whole(Box::new(file.read_all()?)));
        }
        symbols.compact_sort_by_key(|symbol| symbol.place);
        let (file, options) = (Box::new(file), Box::new(options));
        Ok(Content::Parts(file, held, symbols, options))
    }
}

/// Returns whether an input is read as a whole.
fn is_whole(form: Form, bytes: u64) -> bool {
    form == Form::Text || bytes <= WHOLE_FILE
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    const TEXT: &str = r#"module @m {
  func.func @f(%x: i32) -> i32 {
    %0 = "d.a"(%x) {n = 5 : i32, v = dense<[1, 2]> : tensor<2xi32>} : (i32) -> i32 loc("a.py":1:2)
    return %0 : i32
  }
  %1 = "d.b"() ({
    "d.c"() {x, v = dense<3> : tensor<4xi8>} : () -> ()
  }) : () -> i64
  "d.use"(%1) {text = "many words"} : (i64) -> ()
  module @inner {
    func.func private @g()
  }
}"#;

    /// Returns the rows of a file, in batches of two.
    fn rows(what: What, content: Content) -> Vec<String> {
        let options = TableOptions {
            what,
            batch_rows: 2,
            dictionaries: false,
            ..TableOptions::default()
        };
        let (sender, receiver) = sync_channel(1000);
        let mut feed = Feed::new(options, sender);
        let done = feed.rows(&mut Place::new("a".to_owned()), content);
        assert!(done.is_ok());
        assert!(feed.columns.rows() == 0 || feed.batches.send_all(&mut feed.columns).is_ok());
        drop(feed);
        let mut rows = Vec::new();
        for message in receiver {
            if let Message::Batch(batch) = message {
                for row in 0..batch.num_rows() {
                    rows.push(format!("{:?}", batch.slice(row, 1)));
                }
            }
        }
        rows
    }

    #[test]
    fn files_have_the_rows_of_modules() {
        let options = ReadOptions::default();
        for form in [Form::Rmbc, Form::Mlirbc] {
            let mut ir = rmlir::parse(TEXT).expect("it is sound");
            let bytes = ir.to_bytes(form, &rmlir::WriteOptions::default());
            let bytes = bytes.expect("it can be written");
            for what in [
                What::Operations,
                What::Symbols,
                What::Attributes,
                What::Constants,
                What::Locations,
            ] {
                let ir = rmlir::read(bytes.clone()).expect("it is sound");
                let mut whole = rows(what, Content::Whole(Box::new(ir)));
                assert!(whole.len() > 1);
                if what == What::Operations {
                    // Of parts, the top-level operation has no fingerprint.
                    whole.remove(0);
                }
                for most in [0, 2000, u64::MAX] {
                    let file = File::from_bytes(bytes.clone(), &options).expect("it is sound");
                    let held = Held::new(1 << 30).with_most(most);
                    let content = Content::of_file(file, held, options.clone(), what);
                    let mut found = rows(what, content.expect("it is sound"));
                    if what == What::Operations {
                        found.remove(0);
                    }
                    assert_eq!(found, whole, "{form:?} {what:?} {most}");
                }
            }
        }
    }
}
