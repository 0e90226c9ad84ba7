//! Reads files, and makes batches of the rows of their operations.
//!
//! One visitor makes all rows. The events of bytecode drive it, of small texts a module, of large
//! ones the modules of one top-level operation each. For operations and symbols, another visit
//! precedes it, which finds what is known at the end of operations only. All of a small file is
//! decoded before its rows are made, so that one that cannot be read has no rows.

use super::columns::{Columns, What};
use super::held::Held;
use super::rows::{Place, Rows, Texts};
use super::scope::Scope;
use super::survey::{Found, Survey, Surveyed};
use super::turns::Turns;
use super::{TableInput, TableOptions};
use arrow_array::RecordBatch;
use rmlir::embedded::is_wrapped;
use rmlir::events::visit_operation;
use rmlir::format::Source;
use rmlir::ir::{Context, Module, Operation};
use rmlir::text::{AfterOperation, TopLevelError, visit_top_level};
use rmlir::{Error, File, Form, Ir, ReadOptions};
use std::collections::VecDeque;
use std::io::{Cursor, Read, Seek};
use std::sync::mpsc::SyncSender;

/// The bytes that show whether modules are wrapped in a text.
const START: usize = 1 << 12;

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
    /// Sends batches of this number of rows.
    pub(super) fn new(sender: SyncSender<Message>, rows: usize) -> Self {
        Batches { sender, rows }
    }

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
    /// A text that is parsed one top-level operation at a time.
    Text(Box<dyn Bytes>, Held, Box<ReadOptions>),
    /// A file of bytecode. Whether it is small: then it has no rows if it cannot be read.
    File(Box<File>, Held, bool, Box<ReadOptions>),
}

/// Bytes that are read by position.
trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

impl Feed {
    pub(super) fn new(options: TableOptions, sender: SyncSender<Message>) -> Self {
        let rows = options.batch_rows.max(1);
        Feed {
            columns: Columns::new(options.what, options.dictionaries),
            options,
            batches: Batches::new(sender, rows),
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
        let place = &mut Place::new(input.name());
        match content {
            Content::Text(bytes, held, options) => {
                match self.text(place, bytes, held, &options)? {
                    true => Ok(()),
                    false => self.rows(place, Content::whole(input, &self.options)?),
                }
            }
            content => self.rows(place, content),
        }
    }

    fn rows(&mut self, place: &mut Place, content: Content) -> Result<(), Stop> {
        match content {
            Content::Whole(ir) => {
                let (context, module) = ir.into_parts();
                let texts = &mut Texts::default();
                self.module(place, texts, &context, &module, module.top())
            }
            Content::Text(bytes, held, options) => {
                self.text(place, bytes, held, &options).map(|_| ())
            }
            Content::File(file, held, is_small, options) => {
                self.visit(place, &file, held, is_small, &options)
            }
        }
    }

    /// Parses a text operation by operation; returns false if it has to be read as a whole. A
    /// context takes what is parsed until it holds much.
    fn text(
        &mut self,
        place: &mut Place,
        mut text: Box<dyn Bytes>,
        mut held: Held,
        options: &ReadOptions,
    ) -> Result<bool, Stop> {
        let mut texts = Texts::default();
        let mut outcome = Ok(());
        let mut each = |context: &mut Context, module: &mut Module, root| {
            outcome = self.module(place, &mut texts, context, module, root);
            if outcome.is_err() {
                return AfterOperation::Stop;
            }
            match held.is_enough(context, || true) {
                true => {
                    texts = Texts::default();
                    AfterOperation::Renew
                }
                false => AfterOperation::Continue,
            }
        };
        let (context, parse) = (options.context(), options.parse_options());
        let visited = visit_top_level(&mut text, context, &parse, &mut each);
        outcome?;
        visited.map_err(|error| match error {
            TopLevelError::Io(error) => Stop::Failed(error.into()),
            TopLevelError::Syntax(diagnostics) => Stop::Failed(diagnostics.into()),
        })
    }

    /// Makes the rows of a file from its events. A context takes what is decoded until it holds
    /// much. All of a small file is decoded before the first row.
    fn visit(
        &mut self,
        place: &mut Place,
        file: &File,
        held: Held,
        is_small: bool,
        options: &ReadOptions,
    ) -> Result<(), Stop> {
        place.producer = file.producer()?;
        let survey = self.has_survey().then(|| {
            let surveyed = self.surveyed(place, 0, is_small);
            let most = if is_small {
                u64::MAX
            } else {
                held.most_found()
            };
            Survey::new(Surveyed { most, ..surveyed })
        });
        let texts = &mut Texts::default();
        let rows = Rows::new(place, texts, &mut self.columns, &self.batches);
        let mut turns = Turns::new(survey, rows, held, is_small);
        let mut context = options.context();
        let mut is_done = false;
        loop {
            file.as_lazy()
                .visit_repeatedly(&mut context, &mut |visit| {
                    is_done = turns.visit(visit)?;
                    Ok(())
                })?;
            if is_done {
                return turns.finish();
            }
            let mut other = options.context();
            let moved = turns.change_context(&context, &mut other);
            moved.map_err(Error::from)?;
            context = other;
        }
    }

    /// Returns whether rows need what is known at the end of operations only.
    fn has_survey(&self) -> bool {
        matches!(self.options.what, What::Operations | What::Symbols)
    }

    fn surveyed(&self, place: &Place, depth: usize, with_top: bool) -> Surveyed {
        Surveyed {
            all: self.options.all_fingerprints && self.options.what == What::Operations,
            with_top,
            depth,
            first: place.next_index,
            most: u64::MAX,
        }
    }

    /// Makes the rows of an operation in memory, with everything in it. If it is directly in the
    /// top-level one, and the first of its file, that of the top-level one precedes.
    fn module(
        &mut self,
        place: &mut Place,
        texts: &mut Texts,
        context: &Context,
        module: &Module,
        root: Operation,
    ) -> Result<(), Stop> {
        if place.producer.is_none() {
            let producer = module.provenance.producer;
            place.producer = producer.map(|text| context.str(text).into_owned());
        }
        let is_whole = root == module.top();
        if !is_whole && !place.has_rows() {
            let rows = Rows::new(place, texts, &mut self.columns, &self.batches);
            let mut rows = rows.without_content();
            let scope = rows.needs_scope().then(Scope::default);
            rows.surveyed(Found::default(), scope);
            visit_operation(context, module, module.top(), &mut rows)?;
            rows.finish()?;
        }
        let mut found = None;
        if self.has_survey() {
            let surveyed = self.surveyed(place, usize::from(!is_whole), is_whole);
            let mut survey = Survey::new(surveyed);
            visit_operation(context, module, root, &mut survey)?;
            while survey.again() {
                visit_operation(context, module, root, &mut survey)?;
            }
            found = Some(survey.finish(self.options.what == What::Operations));
        }
        let mut rows = Rows::new(place, texts, &mut self.columns, &self.batches);
        if let Some((found, scope)) = found {
            rows.surveyed(found, scope);
        }
        if !is_whole {
            rows = rows.in_top();
        }
        visit_operation(context, module, root, &mut rows)?;
        rows.finish()
    }
}

impl Content {
    fn open(input: &TableInput, options: &TableOptions) -> Result<Self, Error> {
        let read = input.read_options(options);
        let (form, size) = match input {
            TableInput::Path(path) => {
                let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
                (Form::of_file(path)?, size)
            }
            TableInput::Bytes(_, source) => (Form::of(source), source.len() as u64),
        };
        if form == Form::Text {
            let text = match size <= options.whole_file {
                true => None,
                false => input.text(&read)?,
            };
            return match text {
                Some(text) => {
                    let held = Held::new(size);
                    Ok(Content::Text(text, held, Box::new(read)))
                }
                None => Content::whole(input, options),
            };
        }
        let file = match input {
            TableInput::Path(path) if size <= options.whole_file => {
                File::from_bytes(Source::read(path)?, &read)?
            }
            TableInput::Path(path) => File::open_with(path, &read)?,
            TableInput::Bytes(_, source) => File::from_bytes(source.clone(), &read)?,
        };
        // Compressed sections count as what they hold.
        let sections = file.sections()?.into_iter();
        let held = sections.fold(0u64, |sum, (_, bytes)| sum.saturating_add(bytes));
        let size = size.max(held);
        let (file, read) = (Box::new(file), Box::new(read));
        let is_small = size <= options.whole_file;
        Ok(Content::File(file, Held::new(size), is_small, read))
    }

    /// Reads an input as a whole.
    fn whole(input: &TableInput, options: &TableOptions) -> Result<Self, Error> {
        let read = input.read_options(options);
        let ir = match input {
            TableInput::Path(path) => rmlir::open_with(path, &read)?,
            TableInput::Bytes(_, source) => rmlir::read_with(source.clone(), &read)?,
        };
        Ok(Content::Whole(Box::new(ir)))
    }
}

impl TableInput {
    fn read_options(&self, options: &TableOptions) -> ReadOptions {
        match self {
            TableInput::Path(path) => options.read.for_path(path),
            TableInput::Bytes(name, _) => {
                let mut read = options.read.clone();
                read.file_name.clone_from(name);
                read
            }
        }
    }

    /// Returns the bytes of a text; `None` if modules are wrapped in them.
    fn text(&self, options: &ReadOptions) -> Result<Option<Box<dyn Bytes>>, Error> {
        let mut bytes: Box<dyn Bytes> = match self {
            TableInput::Path(path) => Box::new(std::fs::File::open(path)?),
            TableInput::Bytes(_, source) => Box::new(Cursor::new(source.clone())),
        };
        let mut start = Vec::with_capacity(START);
        (&mut bytes).take(START as u64).read_to_end(&mut start)?;
        let is_plain = options.select.is_none() && !is_wrapped(&start);
        Ok(is_plain.then_some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::WHOLE_FILE;
    use rmlir::format::rmbc::MAX_HASHED_DEPTH;
    use rmlir::ir::{FingerprintOptions, WalkStep, fingerprint};
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

    /// Operations in one another, of which each has something that no other one has.
    const NESTED: &str = r#"module @top attributes {d.x = 0 : i7} {
  %t = "d.outer"() {e = "early"} : () -> tensor<3xi5> loc("t.py":1:1)
  func.func @f(%x: i32, %y: tensor<4xf32>) -> i32 {
    %0 = "d.a"(%x) {n = 1 : i3} : (i32) -> i16 loc("a.py":1:2)
    "d.branch"(%0, %y)[^bb2, ^bb1] {n = 2 : i3} : (i16, tensor<4xf32>) -> () loc(callsite("g" at "a.py":2:3))
  ^bb1:
    %1:2 = "d.loop"(%y) ({
    ^bb0(%i: index, %j: vector<2xi9>):
      "d.first"(%i, %0) {v = dense<[1, 2]> : tensor<2xi8>} : (index, i16) -> () loc("a.py":3:4)
      %2 = "d.if"(%j) ({
        %3 = "d.inner"(%x, %j) {v = dense<7> : tensor<9xi16>} : (i32, vector<2xi9>) -> f16
        "d.yield"(%3, %y) {n = 3 : i3} : (f16, tensor<4xf32>) -> () loc(fused["a", "b.py":1:1])
      }, {
      }, {
        "d.yield"(%i)[^bb1] : (index) -> ()
      ^bb1:
        %4 = "d.inner"(%0) : (i16) -> complex<f32>
        "d.yield"(%4)[^bb1] {n = "text"} : (complex<f32>) -> ()
      }) {last = [1, 2]} : (vector<2xi9>) -> i33
      "d.yield"(%2) : (i33) -> () loc("a.py":5:6)
    }) {n = 4 : i3} : (tensor<4xf32>) -> (i33, f64)
    "d.branch"(%1#1, %1#0)[^bb2] : (f64, i33) -> () loc("a.py":7:8)
  ^bb2:
    return %x : i32 loc("a.py":9:8)
  }
  "d.symbol"(%late) ({
    "d.graph"(%t) ({
      "d.use"(%d, %late, %t) {k = #d.attr<1>} : (!d.type<"x">, f80, tensor<3xi5>) -> ()
      %c = "d.use"(%d, %c) {k = #d.attr<2>} : (!d.type<"x">, i64) -> i64
      %d = "d.symbol"(%c) ({
        module @isolated {
          "d.use"(%e) {k = #d.attr<3>} : (i11) -> ()
          %e = "d.use"() {k = #d.attr<4>} : () -> i11
          func.func private @g(tensor<8xi1>)
        }
        "d.use"(%d, %c, %late) : (!d.type<"x">, i64, f80) -> ()
      }) {sym_name = "in"} : (i64) -> !d.type<"x">
    }) {sym_name = "graph"} : (tensor<3xi5>) -> ()
  }) {sym_name = "around", sym_visibility = "private"} : (f80) -> ()
  %late = "d.outer"() {e = "late"} : () -> f80 loc("t.py":2:1)
  "d.use"(%t, %late) : (tensor<3xi5>, f80) -> ()
}"#;

    /// Returns the rows of a file, in batches of two.
    fn rows(what: What, content: Content) -> Vec<String> {
        all_rows(what, false, content)
    }

    fn all_rows(what: What, all_fingerprints: bool, content: Content) -> Vec<String> {
        let options = TableOptions {
            what,
            batch_rows: 2,
            all_fingerprints,
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
    fn texts_have_the_rows_of_modules() {
        // A text in which the operations of the module define values is read as a whole.
        let text = TEXT
            .replace("%1 = ", "")
            .replace("  }) : () -> i64", "  }) : () -> ()");
        let text = text.replace("(%1)", "()").replace("(i64)", "()");
        let printed = rmlir::parse(&text).expect("it is sound");
        let form = |generic: bool| {
            let mut options = rmlir::WriteOptions::default();
            (options.text.generic, options.text.debug_info) = (generic, true);
            printed.to_text(&options).expect("it can be printed")
        };
        let forms = [text, form(false), form(true)];
        for text in forms {
            for what in [
                What::Operations,
                What::Symbols,
                What::Attributes,
                What::Constants,
                What::Locations,
            ] {
                let ir = rmlir::parse(&text).expect("it is sound");
                let mut whole = rows(what, Content::Whole(Box::new(ir)));
                assert!(whole.len() > 1);
                if what == What::Operations {
                    whole.remove(0);
                }
                for most in [0, 2000, u64::MAX] {
                    let held = Held::new(1 << 30).with_most(most);
                    let bytes = Box::new(Cursor::new(text.clone()));
                    let mut found = rows(what, Content::Text(bytes, held, Box::default()));
                    if what == What::Operations {
                        found.remove(0);
                    }
                    assert_eq!(found, whole, "{what:?} {most} {text}");
                }
            }
        }
    }

    #[test]
    fn the_position_is_the_first_one_in_a_location() {
        let locations = [
            r#"fused[unknown, "a.c":3:4, "b.c":5:6]"#,
            r#"fused<"m">["a.c":3:4]"#,
            r#""layer"("a.c":3:4)"#,
            r#"callsite("a.c":3:4 at "b.c":5:6)"#,
            r#""a.c":3:4 to :9"#,
            r#""layer"(fused["a.c":3:4])"#,
        ];
        for location in locations {
            let text = format!("\"d.a\"() : () -> () loc({location})");
            let ir = rmlir::parse(&text).expect("it is sound");
            let rows = rows(What::Locations, Content::Whole(Box::new(ir)));
            let row = rows.last().expect("there is one");
            assert!(row.contains("a.c") && !row.contains("b.c"), "{row}");
        }
    }

    #[test]
    fn files_have_the_rows_of_modules() {
        let options = ReadOptions::default();
        let texts = [TEXT, NESTED, &awkward(), &bordering()];
        let forms = [Form::Rmbc, Form::Mlirbc];
        for (text, form) in texts
            .iter()
            .flat_map(|text| forms.map(|form| (*text, form)))
        {
            let mut ir = rmlir::parse(text).expect("it is sound");
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
                assert!(whole.len() > 1 || what == What::Constants);
                let with_top = whole.clone();
                let mosts = [0, 2000, u64::MAX];
                let cases = [true, false].map(|is_small| mosts.map(|most| (is_small, most)));
                for (is_small, most) in cases.into_iter().flatten() {
                    let file = File::from_bytes(bytes.clone(), &options).expect("it is sound");
                    let held = Held::new(1 << 30).with_most(most);
                    let options = Box::new(options.clone());
                    let content = Content::File(Box::new(file), held, is_small, options);
                    let mut found = rows(what, content);
                    whole.clone_from(&with_top);
                    if what == What::Operations && !is_small {
                        // Of parts, the top-level operation has no fingerprint.
                        assert_ne!(found.first(), whole.first());
                        found.remove(0);
                        whole.remove(0);
                    }
                    for (found, whole) in found.iter().zip(&whole) {
                        assert_eq!(found, whole, "{form:?} {what:?} {most}");
                    }
                    assert_eq!(found.len(), whole.len(), "{form:?} {what:?} {most}");
                }
            }
        }
    }

    #[test]
    fn compressed_files_count_as_what_they_hold() {
        let text = "\"d.o\"() {a = 1 : i32} : () -> ()\n".repeat(20_000);
        let mut ir = rmlir::parse(text).expect("it is sound");
        let mut write = rmlir::WriteOptions::default();
        write.rmbc.compression = Some(3);
        let bytes = ir.to_bytes(Form::Rmbc, &write).expect("it can be written");
        let mut options = TableOptions {
            whole_file: 4 * bytes.len() as u64,
            ..TableOptions::default()
        };
        let input = TableInput::Bytes("a".to_owned(), bytes.into());
        let content = Content::open(&input, &options);
        assert!(matches!(content, Ok(Content::File(_, _, false, _))));
        options.whole_file = WHOLE_FILE;
        let content = Content::open(&input, &options);
        assert!(matches!(content, Ok(Content::File(_, _, true, _))));
    }

    /// Files of which a byte is changed have rows if they can be read, and otherwise none.
    #[test]
    fn damaged_files_have_no_rows() {
        for form in [Form::Rmbc, Form::Mlirbc] {
            let mut ir = rmlir::parse(TEXT).expect("it is sound");
            let sound = ir.to_bytes(form, &rmlir::WriteOptions::default());
            let sound = sound.expect("it can be written");
            let mut refused = 0;
            for at in 0..sound.len() {
                let mut bytes = sound.clone();
                bytes[at] ^= 0x15;
                let is_valid = rmlir::read(bytes.clone()).is_ok();
                for what in [What::Operations, What::Attributes, What::Locations] {
                    let options = TableOptions {
                        what,
                        batch_rows: 2,
                        ..TableOptions::default()
                    };
                    let (sender, receiver) = sync_channel(1000);
                    let mut feed = Feed::new(options, sender);
                    let input = TableInput::Bytes("a".to_owned(), bytes.clone().into());
                    let is_done = feed.file(&input).is_ok();
                    assert_eq!(is_done, is_valid, "{form:?} {what:?} byte {at}");
                    let rows = feed.columns.rows() + receiver.try_iter().count();
                    assert_eq!(rows > 0, is_valid, "{form:?} {what:?} byte {at}");
                    refused += usize::from(!is_valid);
                }
            }
            assert!(refused > 100, "{refused}");
        }
    }

    /// Values that are used before they are defined, in one function and across operations of the
    /// module, symbols in one another, and deep nests.
    fn awkward() -> String {
        let mut text = r#""d.use"(%late, %late) : (index, index) -> ()
          "d.symbol"() ({
            "d.graph"(%1) ({
              "d.symbol"(%1, %late) ({}, {
              ^bb0(%a: f32):
                "d.branch"(%a, %b)[^bb1] : (f32, i8) -> ()
              ^bb1:
                %b = "d.b"() {a = distinct[0]<unit>} : () -> i8
                "d.branch"()[^bb0] : () -> ()
              }) {sym_name = "inner", a = [distinct[1]<unit>, distinct[0]<unit>]} : (i64, index) -> ()
            }) : (i64) -> ()
            %1 = "d.a"(%1) : (i64) -> i64
          }) {sym_name = "outer"} : () -> ()
          %late = "d.c"() : () -> index
        "#
        .to_owned();
        for n in 0..150 {
            text += &format!("%x{n} = \"d.nest\"(%late) ({{\n");
        }
        text += "\"d.symbol\"(%x7) {sym_name = \"deep\"} : (i16) -> ()\n";
        text += &"}) {sym_name = \"s\"} : (index) -> i16\n".repeat(150);
        format!("module {{\n{text}}}")
    }

    /// A value that is used in one survey and defined in the next one, which takes two visits.
    fn bordering() -> String {
        let mut text = String::new();
        for n in 0..30 {
            text += &format!("\"d.symbol\"(%late) {{sym_name = \"s{n}\"}} : (i5) -> ()\n");
        }
        text += r#""d.symbol"() ({
            "d.use"(%late, %in) : (i5, i6) -> ()
            %in = "d.def"() : () -> i6
          }) {sym_name = "last"} : () -> ()
          %late = "d.def"() : () -> i5
          "d.symbol"(%late) {sym_name = "end"} : (i5) -> ()"#;
        format!("module {{\n{text}}}")
    }

    #[test]
    fn streamed_fingerprints_are_those_of_modules() {
        for text in [TEXT, NESTED, &awkward(), &bordering()] {
            has_fingerprints_of_modules(text);
        }
    }

    fn has_fingerprints_of_modules(text: &str) {
        let ir = rmlir::parse(text).expect("it is sound");
        let (context, module) = ir.into_parts();
        let options = FingerprintOptions::default();
        let mut expected = Vec::new();
        let mut symbols = Vec::new();
        for step in module.traverse(module.top()) {
            let WalkStep::EnterOperation(operation) = step else {
                symbols.truncate(
                    symbols.len() - usize::from(matches!(step, WalkStep::LeaveOperation(_))),
                );
                continue;
            };
            symbols.push(
                operation != module.top() && module.symbol_name(&context, operation).is_some(),
            );
            let depth = symbols.iter().filter(|&&symbol| symbol).count();
            let hash = fingerprint(&context, &module, operation, &options).to_string();
            expected.push((depth <= MAX_HASHED_DEPTH as usize).then_some(hash));
        }
        for form in [Form::Rmbc, Form::Mlirbc] {
            let mut ir = rmlir::parse(text).expect("it is sound");
            let bytes = ir.to_bytes(form, &rmlir::WriteOptions::default());
            let bytes = bytes.expect("it can be written");
            let mosts = [(0, false), (3000, false), (u64::MAX, false), (0, true)];
            for (most, is_whole) in mosts {
                let content = match is_whole {
                    true => {
                        Content::Whole(Box::new(rmlir::read(bytes.clone()).expect("it is sound")))
                    }
                    false => {
                        let file = File::from_bytes(bytes.clone(), &ReadOptions::default());
                        let held = Held::new(1 << 30).with_most(most);
                        let file = Box::new(file.expect("it is sound"));
                        Content::File(file, held, false, Box::default())
                    }
                };
                let found = all_rows(What::Operations, true, content);
                assert_eq!(found.len(), expected.len());
                for (row, hash) in found.iter().zip(&expected).skip(1) {
                    assert!(
                        hash.as_ref().is_none_or(|hash| row.contains(hash)),
                        "{row} {hash:?}"
                    );
                }
            }
        }
    }
}
